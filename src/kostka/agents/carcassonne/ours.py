"""Our player: a learnt guess of the final margin, best replies over all tiles, then playouts.

The guess is linear in what followers stand on (``prospects`` of the game). It ranks all turns
through the best reply to each tile that may come next; the best few are then played out to the end
by the player that the guess itself makes, all with the same tiles, and after each stage the worse
half is left out. With several players the mean chance to beat each of the others is what counts.

The weights are fitted by least squares to how games of that player end, again and again, beginning
with games of greedy: ``kostka learn carcassonne prospects``.
"""

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from kostka.agents import spec
from kostka.agents.base import Kind
from kostka.agents.generic import MonteCarloAgent, PolicyAgent
from kostka.core import rules
from kostka.core.errors import KostkaError
from kostka.core.game import Game, Option
from kostka.core.kernels import kernel
from kostka.core.memory import copy, floats, restore
from kostka.core.record import clone, new
from kostka.core.rng import below, stream, uniform
from kostka.core.state import View, begin
from kostka.games.carcassonne.prospects import WIDTH, Prospects
from kostka.games.carcassonne.state import DRAW, MAX_PLAYERS, PLACE
from kostka.search.expectimax import Expectimax
from kostka.search.montecarlo import MonteCarlo

#: A margin of so many points is half way from a draw to a sure win.
SHARP = 20.0
#: Two decisions are a turn, and luck has no more outcomes than this, in a row of discarded tiles.
TURN, ALL_LUCK = 2, 65536

KEPT = Path(__file__).parent / "data" / "carcassonne.prospects.json"


def guess(weights: dict[str, list[float]]) -> np.ndarray:
    """The record of a guess, from the weights for each number of players."""
    rows = np.zeros((MAX_PLAYERS + 1, WIDTH))
    for players, row in weights.items():
        if len(row) != WIDTH:
            raise KostkaError(f"the weights for {players} players are {len(row)}, not {WIDTH}")
        rows[int(players)] = row
    return new(Prospects, weights=rows, sharp=SHARP)


@functools.cache
def learnt() -> np.ndarray:
    """The guess that was learnt."""
    return guess(json.loads(KEPT.read_text(encoding="utf-8"))["weights"])


def prospects(game: Game) -> PolicyAgent:
    return PolicyAgent(game, learnt())


class Ours(MonteCarloAgent):
    def __init__(self, game: Game, simulations: int, seconds: float, keep: int) -> None:
        if not simulations and not seconds:
            raise KostkaError("ours needs a budget: simulations or seconds")
        self.simulations, self.seconds, self.keep = simulations, seconds, keep

    def best_turn(self, view: View) -> tuple[int, ...]:
        rng = stream(*getattr(self, "key", ()), view.hash)
        guess = learnt()
        ahead = Expectimax(
            view, rng, evaluation=guess, maxn=True, luck=ALL_LUCK, turn=TURN, settle=False
        )
        ahead.run(2)
        worth = {one.turn: one.value for one in ahead.considered}
        search = self.search = MonteCarlo(view, rng, policy=guess, evaluation=guess, turn=TURN)
        search.keep(self.keep, [worth[turn] for turn in search.turns])
        return search.think(self.simulations, self.seconds, halving=True).best_turn


# --- learning the weights ---

#: Games of the last guess are fitted again so many times, for each number of players.
ROUNDS, TABLES = 4, (2, 3, 4, 5)
#: A turn in so many is any, so that odd positions are seen; and a position in so many is looked at.
ODD, LOOKED_AT = 8, 8
#: What a weight costs.
RIDGE = 1.0
#: More positions of a game than this are not looked at; and games that are played at a time.
MOST, SLICE = 40, 250


@kernel
def collect(root, state, policies, odd, guesses, games, out, prob, rng, rows, who, margins):
    """Play games with some odd turns, and look at some positions; returns at how many.

    At each of them one player is drawn: what is seen of him more than of the others goes to
    ``rows``, and what he gained on them from there to the end to ``margins``.
    """
    s, n = state[0], 0
    copy(s, root[0])
    for _ in range(games):
        restore(s, root[0])
        start, is_odd = n, False
        while rules.mover(s) != rules.OVER:
            if s.phase == DRAW:
                if n - start < MOST and below(rng, LOOKED_AT) == 0:
                    who[n] = below(rng, s.players)
                    difference(guesses[0], s, who[n], rows[n])
                    margins[n] = -margin(s, who[n])
                    n += 1
                rules.apply(s, rules.sample(s, out, prob, rng))
                continue
            if s.phase == PLACE:
                is_odd = uniform(rng) * ODD < 1.0
            if is_odd:
                rules.apply(s, rules.policy(odd[0], s, out, rng))
            else:
                rules.apply(s, rules.policy(policies[0], s, out, rng))
        for i in range(start, n):
            margins[i] += margin(s, who[i])
    return n


@kernel
def difference(h, s, player, row):
    """What is seen of a player, less the mean of what is seen of the others."""
    other = floats(WIDTH)
    rules.features(h, s, player, row)
    for p in range(s.players):
        if p != player:
            rules.features(h, s, p, other)
            for i in range(len(row)):
                row[i] -= other[i] / (s.players - 1)


@kernel
def margin(s, player):
    """By how many points a player is ahead of the mean of the others."""
    total = 0.0
    for p in range(s.players):
        total += s.points[player] - s.points[p]
    return total / (s.players - 1)


def learn(
    game: Game, teacher: str, games: int, seed: int, watch: Callable[[int], None]
) -> dict[str, Any]:
    """Fit the weights to games of the teacher, then to games of whoever plays by them, and again.

    The spread is that of the margin still to be gained, and what the guess leaves of it.
    """
    agent = spec.make(game, teacher)
    if not isinstance(agent, PolicyAgent):
        raise KostkaError(f"{teacher} searches; who teaches this plays by a policy, such as greedy")
    each = max(2, games // (ROUNDS * len(TABLES)))
    weights: dict[str, list[float]] = {}
    spread: dict[str, list[float]] = {}
    played = 0
    for players in TABLES:
        policy = agent.policy
        for number in range(ROUNDS):
            rng = stream(seed, "prospects", players, number)
            rows, margins = sample(game, players, policy, each, rng)
            played += each
            watch(min(games, played))
            found = np.linalg.solve(rows.T @ rows + RIDGE * np.eye(WIDTH), rows.T @ margins)
            weights[str(players)] = [round(float(w), 3) for w in found]
            policy = guess({str(players): weights[str(players)]})
        both = margins, margins - rows @ found
        spread[str(players)] = [round(float(one.std()), 2) for one in both]
    return {"weights": weights, "spread": spread}


def sample(
    game: Game, players: int, policy: np.ndarray, games: int, rng: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Positions of games that a policy plays, as ``collect`` writes them."""
    state = begin(game, game.check({"players": players}), 0)
    out, prob = np.empty(game.width, np.int64), np.empty(game.width)
    rows, margins, done = [], [], 0
    while done < games:
        some = min(SLICE, games - done)
        row, who = np.zeros((MOST * some, WIDTH)), np.zeros(MOST * some, np.int64)
        margin = np.zeros(MOST * some)
        n = collect(
            state.buffer, clone(state.buffer), policy, game.policies["pairs"], guess({}), some,
            out, prob, rng, row, who, margin,
        )  # fmt: skip
        rows.append(row[:n])
        margins.append(margin[:n])
        done += some
    return np.concatenate(rows), np.concatenate(margins)


KINDS = {
    "ours": Kind(
        "a learnt guess of the margin, best replies to all tiles, playouts of the best turns",
        Ours,
        (
            Option("simulations", 400, "playouts per turn", 0, 1e9),
            Option("seconds", 0.0, "time of the playouts of a turn instead", 0, 3600),
            Option("keep", 8, "turns that are played out", 1, 1000),
        ),
    ),
    "prospects": Kind("the turn that the learnt guess of ours promises most of", prospects),
}
