"""The logit: the one learnt evaluation of all games.

A side's chance to win is its share of exp(weights · features) among all sides, so it needs no scale
of its own and serves any number of players. A game writes the features and names them in
``LOGITS``; the evaluation itself is the contract's (``rules.evaluate``). Choices among actions,
the priors of a search, are learnt by the same fit.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp

from kostka.core import rules
from kostka.core.game import Game
from kostka.core.kernels import kernel
from kostka.core.rng import below, stream
from kostka.learn.example import Example

#: Positions of a game that are looked at: neighbours hardly differ, so more would teach little.
POSITIONS = 20
#: One game in so many is kept apart, to judge by what was learnt from the others.
APART = 10
#: What a weight costs, so that features that tell nothing get none.
RIDGE = 1e-3

#: Features of those among whom it is decided, and the share that each of them got.
Case = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Sample:
    """Cases, an array for each number of those among whom it is decided."""

    features: list[np.ndarray]
    gains: list[np.ndarray]

    @classmethod
    def of(cls, cases: Iterable[Case]) -> "Sample":
        """A sample of these cases, of which those without a contest teach nothing."""
        alike: dict[int, list[Case]] = defaultdict(list)
        for case in cases:
            alike[len(case[0])].append(case)
        some = [alike[n] for n in sorted(alike) if n > 1]
        return cls(
            [np.array([x for x, _ in one], float) for one in some],
            [np.array([y for _, y in one], float) for one in some],
        )

    def loss(self, weights: np.ndarray) -> float:
        """The mean surprise at the result, in nats."""
        surprise = 0.0
        for x, y in zip(self.features, self.gains, strict=True):
            score = x @ weights
            surprise -= float((y * (score - logsumexp(score, axis=1, keepdims=True))).sum())
        return surprise / max(1, sum(map(len, self.gains)))

    def slope(self, weights: np.ndarray) -> np.ndarray:
        """How the loss changes with the weights."""
        total = np.zeros_like(weights)
        for x, y in zip(self.features, self.gains, strict=True):
            score = x @ weights
            chance = np.exp(score - logsumexp(score, axis=1, keepdims=True))
            total += np.einsum("np,npf->f", chance - y, x)
        return total / max(1, sum(map(len, self.gains)))


def fit(taught: Sample, width: int) -> np.ndarray:
    """The weights, so many, under which the results surprise least."""
    found = minimize(
        lambda w: taught.loss(w) + RIDGE * float(w @ w) / 2,
        np.zeros(width),
        jac=lambda w: taught.slope(w) + RIDGE * w,
        method="L-BFGS-B",
    )
    return np.asarray(found.x)


# --- an evaluation of a game ---


@kernel
def gather(states, codes, heuristics, rng, every, rows, counts):
    """Replay a game and write each side's features at random positions; returns how many.

    ``counts`` says how many features each player wrote: none who speaks for no side, or has lost.
    """
    s, h = states[0], heuristics[0]
    n = 0
    for code in codes:
        if n < len(rows) and below(rng, every) == 0:
            for p in range(rows.shape[1]):
                speaks = rules.side(s, p) == p
                counts[n, p] = rules.features(h, s, p, rows[n, p]) if speaks else 0
            n += 1
        rules.apply(s, code)
    return n


def cases(example: Example, heuristic: np.ndarray, rng: np.ndarray) -> Iterator[Case]:
    """Random positions of a game: what the sides still in it had, and what they got."""
    players = example.first.players
    rows = np.zeros((POSITIONS, players, heuristic["weights"].shape[1]))
    counts = np.zeros((POSITIONS, players), np.int64)
    every = max(1, len(example.codes) // POSITIONS)
    codes = example.codes.astype(np.int64)
    n = gather(example.first.copy().buffer, codes, heuristic, rng, every, rows, counts)
    gains = np.array(example.returns)
    for row, count in zip(rows[:n], counts[:n], strict=True):
        yield row[count > 0], gains[count > 0]


def learn(game: Game, name: str, examples: Iterable[Example]) -> dict[str, Any]:
    """The weights of an evaluation, fitted to how games ended, and how well that was learnt."""
    heuristic, (_, names) = game.evaluations[name], game.logits[name]
    parts: tuple[list[Case], list[Case]] = [], []
    for number, example in enumerate(examples):
        parts[number % APART > 0].extend(cases(example, heuristic, stream("learn", number)))
    apart, taught = map(Sample.of, parts)
    weights = fit(taught, len(names))
    return {
        "features": list(names),
        "weights": [round(float(w), 4) for w in weights],
        "surprise": {
            "knowing nothing": apart.loss(0 * weights),
            "of the present weights": apart.loss(heuristic["weights"][0]),
            "of these weights": apart.loss(weights),
        },
    }
