"""Regression: an evaluation learnt from games that policies play against each other.

The model is a conditional logit: a player's chance to win is his share of exp(weights · features)
among all players, so it needs no scale of its own and serves any number of players.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp

from kostka.core import play, rules
from kostka.core.errors import KostkaError, unknown
from kostka.core.game import Game
from kostka.core.kernels import kernel
from kostka.core.rng import below, stream, streams
from kostka.core.state import begin

#: Positions of a game that are looked at: neighbours hardly differ, so more would teach little.
POSITIONS = 20
#: What a weight costs, so that features that tell nothing get none.
RIDGE = 1e-3


@kernel
def gather(states, codes, heuristics, rng, every, rows):
    """Replay a game and write every player's features at random positions; returns how many."""
    s, h = states[0], heuristics[0]
    n = 0
    for code in codes:
        if n < len(rows) and below(rng, every) == 0:
            for p in range(rows.shape[1]):
                rules.features(h, s, p, rows[n, p])
            n += 1
        rules.apply(s, code)
    return n


@dataclass(frozen=True)
class Sample:
    """Positions: the features of every player, and what he got in the end."""

    features: list[np.ndarray]
    gains: list[np.ndarray]

    def loss(self, weights: np.ndarray) -> float:
        """The mean surprise at the result, in nats."""
        surprise = 0.0
        for x, y in zip(self.features, self.gains, strict=True):
            score = x @ weights
            surprise -= float((y * (score - logsumexp(score, axis=1, keepdims=True))).sum())
        return surprise / sum(map(len, self.gains))

    def slope(self, weights: np.ndarray) -> np.ndarray:
        """How the loss changes with the weights."""
        total = np.zeros_like(weights)
        for x, y in zip(self.features, self.gains, strict=True):
            score = x @ weights
            chance = np.exp(score - logsumexp(score, axis=1, keepdims=True))
            total += np.einsum("np,npf->f", chance - y, x)
        return total / sum(map(len, self.gains))


def sample(
    game: Game,
    evaluation: str,
    games: int,
    seed: int,
    players: Sequence[int],
    policies: Sequence[str],
    watch: Callable[[int], None] = lambda played: None,
) -> Sample:
    """Let policies drawn by lot play, and look at random positions of their games."""
    if evaluation not in game.evaluations:
        raise unknown(f"evaluation of {game.name}", evaluation, game.evaluations)
    heuristic = game.evaluations[evaluation]
    if rules.features.find((heuristic.dtype, game.dtype)) is None:
        raise KostkaError(f"{evaluation} of {game.name} has no features to learn from")
    for name in policies:
        if name not in game.policies:
            raise unknown(f"policy of {game.name}", name, game.policies)
    if len({game.policies[name].dtype for name in policies}) > 1:
        raise KostkaError("the policies must be of one kind; uniform is none of a game's own")
    width = heuristic["weights"].shape[1]
    out, prob, log = np.empty(game.width, np.int64), np.empty(game.width), np.empty(1, np.int64)
    found: list[tuple[np.ndarray, np.ndarray]] = []
    for number in range(games):
        rng = stream(seed, "learn", number)
        count = players[below(rng, len(players))]
        options = game.check({"players": count})
        drawn = [policies[below(rng, len(policies))] for _ in range(count)]
        seats = np.concatenate([game.policies[name] for name in drawn])
        first = begin(game, options, int(rng[0] % np.uint64(2**48)))
        while True:
            state = first.copy()
            luck, rngs = streams(game.streams, seed, number), streams(count, seed, number, "seat")
            _, codes = play.contest(
                state.buffer, first.copy().buffer, seats, luck, rngs, out, prob, game.length, log
            )
            if codes <= len(log):
                break
            log = np.empty(2 * codes, np.int64)
        rows = np.empty((POSITIONS, count, width))
        every = max(1, codes // POSITIONS)
        n = gather(first.buffer, log[:codes], heuristic, rng, every, rows)
        found.append((rows[:n], np.tile(state.returns, (n, 1))))
        watch(number + 1)
    by_players = [[pair for pair in found if pair[1].shape[1] == n] for n in sorted(set(players))]
    return Sample(
        [np.concatenate([x for x, _ in some]) for some in by_players if some],
        [np.concatenate([y for _, y in some]) for some in by_players if some],
    )


def fit(taught: Sample) -> np.ndarray:
    """The weights under which the results surprise least."""
    width = taught.features[0].shape[2]
    found = minimize(
        lambda w: taught.loss(w) + RIDGE * float(w @ w) / 2,
        np.zeros(width),
        jac=lambda w: taught.slope(w) + RIDGE * w,
        method="L-BFGS-B",
    )
    return np.asarray(found.x)
