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
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from kostka.agents.base import Kind
from kostka.agents.generic import MonteCarloAgent, PolicyAgent
from kostka.core import rules
from kostka.core.errors import KostkaError
from kostka.core.game import Game, Option
from kostka.core.kernels import kernel
from kostka.core.memory import copy, floats, restore
from kostka.core.record import clone, new
from kostka.core.rng import below, stream, uniform
from kostka.core.state import View
from kostka.games.carcassonne.prospects import WIDTH, Prospects
from kostka.games.carcassonne.state import DRAW, MAX_PLAYERS, PLACE
from kostka.learn.example import Example
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
    return guess(json.loads(KEPT.read_text(encoding="utf-8"))["by players"])


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

#: Weights are fitted so many times to games of those before, so many for each of a teacher.
ROUNDS, GAMES = 3, 40
#: A turn in so many is any, so that odd positions are seen; and a position in so many is looked at.
ODD, LOOKED_AT = 8, 8
#: What a weight costs.
RIDGE = 1.0
#: More positions of a game than this are not looked at.
MOST = 40


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


@kernel
def look_back(states, codes, guesses, rows, who, margins):
    """Replay a teacher's game and look at it as ``collect`` does, at all of its players in turn."""
    s, n = states[0], 0
    for code in codes:
        if s.phase == DRAW and n < len(rows):
            who[n] = n % s.players
            difference(guesses[0], s, who[n], rows[n])
            margins[n] = -margin(s, who[n])
            n += 1
        rules.apply(s, code)
    for i in range(n):
        margins[i] += margin(s, who[i])
    return n


class Sample:
    """Room for positions: what is seen of a player more than of others, and what he gained."""

    def __init__(self, room: int) -> None:
        self.rows, self.margins = np.zeros((room, WIDTH)), np.zeros(room)
        self.who = np.zeros(room, np.int64)
        self.count = 0

    @property
    def rest(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What is not filled yet."""
        n = self.count
        return self.rows[n:], self.who[n:], self.margins[n:]

    def fit(self) -> tuple[list[float], list[float]]:
        """The weights, and the spread of the margins before and after."""
        rows, margins = self.rows[: self.count], self.margins[: self.count]
        found = np.linalg.solve(rows.T @ rows + RIDGE * np.eye(WIDTH), rows.T @ margins)
        both = margins, margins - rows @ found
        return [round(float(w), 3) for w in found], [round(float(m.std()), 2) for m in both]


def learn(game: Game, examples: Iterable[Example]) -> dict[str, Any]:
    """Fit the weights to games of teachers, then to games of whoever plays by them, and again.

    The spread is that of the margin still to be gained, and what the guess leaves of it.
    """
    by_players: dict[int, list[Example]] = {}
    for example in examples:
        by_players.setdefault(example.first.players, []).append(example)
    weights: dict[str, list[float]] = {}
    spread: dict[str, list[float]] = {}
    for players, some in sorted(by_players.items()):
        found, spread[str(players)] = taught(some).fit()
        rng = stream("prospects", *(int(code) for one in some for code in one.codes))
        for _ in range(ROUNDS):
            policy = guess({str(players): found})
            found, spread[str(players)] = played(game, some, policy, rng).fit()
        weights[str(players)] = found
    return {"by players": weights, "spread": spread}


def taught(examples: list[Example]) -> Sample:
    """Positions of the games of teachers."""
    sample = Sample(MOST * len(examples))
    for one in examples:
        state = one.first.copy()
        rows, who, margins = sample.rest
        n = look_back(state.buffer, one.codes, guess({}), rows[:MOST], who, margins)
        sample.count += int(n)
    return sample


def played(game: Game, examples: list[Example], policy: np.ndarray, rng: np.ndarray) -> Sample:
    """Positions of games that a policy plays, so many for each game of the teachers."""
    sample = Sample(MOST * GAMES * len(examples))
    out, prob, odd = np.empty(game.width, np.int64), np.empty(game.width), game.policies["pairs"]
    for one in examples:
        first = one.first.buffer
        rows, who, margins = sample.rest
        n = collect(
            first, clone(first), policy, odd, policy, GAMES, out, prob, rng, rows, who, margins
        )
        sample.count += int(n)
    return sample


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
