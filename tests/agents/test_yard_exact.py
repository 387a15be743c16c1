"""The exact solution of the grid, against the game's own rules, other searches and known numbers."""

from collections import defaultdict

import numpy as np
import pytest

from kostka.agents.scotlandyard.exact import Exact, Known, Stage
from kostka.agents.scotlandyard.exploit import against_flee, against_hunt
from kostka.agents.scotlandyard.grid import Yard
from kostka.agents.scotlandyard.sure import Sure, cells_of
from kostka.core.errors import KostkaError
from kostka.core.state import CHANCE
from kostka.games.scotlandyard import grid
from kostka.search.zerosum import Plans, solve


def new(yard, starts):
    """A game of the grid in which the detectives start there."""
    options = dict(size=yard.size, rounds=yard.rounds, reveal=yard.reveal)
    s = grid.new(seed=1, players=1 + yard.detectives, surrounded=yard.surrounded, **options)
    s.record.station[1 : 1 + yard.detectives] = starts
    s.record.possible[: yard.cells] = 1
    s.record.possible[list(starts)] = 0
    return s


class Whole:
    """The whole game as one linear program, from the rules: what a player knows is what he saw.

    Nothing is taken from the solution under test: no stages, no symmetries, no rules of its own,
    and the detectives move one by one.
    """

    def __init__(self):
        self.choices = ({}, {})  # by side: what he knew and did -> number
        self.points = ({}, {})  # by side: what he knew -> the choices there
        self.parents = ({}, {})
        self.payoffs = defaultdict(float)

    def walk(self, s, chance=1.0, saw=((), ()), last=(None, None)):
        if s.over:
            for side in (0, 1):
                assert last[side] is not None
            self.payoffs[last] += chance * s.returns[1]
            return
        if s.mover == CHANCE:
            for outcome, p in s.outcomes:
                self.on(s, outcome, chance * p, saw, last)
            return
        side = min(s.mover, 1)
        self.parents[side].setdefault(saw[side], last[side])
        for a in s.legal_actions:
            done = (saw[side], a)
            self.choices[side].setdefault(done, len(self.choices[side]))
            self.points[side].setdefault(saw[side], {})[a] = done
            now = (done, last[1]) if side == 0 else (last[0], done)
            self.on(s, a, chance, saw, now)

    def on(self, s, code, chance, saw, last):
        seen = tuple((*saw[side], s.seen(code, side)) for side in (0, 1))
        t = s.copy()
        t.apply(code)
        self.walk(t, chance, seen, last)

    def value(self):
        plans, number = [], []
        for side in (0, 1):
            known = sorted(self.points[side], key=len)
            index = {saw: i for i, saw in enumerate(known)}
            order = [done for saw in known for done in self.points[side][saw].values()]
            number.append({done: i for i, done in enumerate(order)})
            start = [float(self.parents[side][saw] is None) for saw in known]
            feeds = [
                (number[side][self.parents[side][saw]], index[saw])
                for saw in known
                if self.parents[side][saw] is not None
            ]
            plans.append(Plans(start, [index[saw] for saw, _ in order], feeds))
        payoff = np.zeros((len(plans[0]), len(plans[1])))
        for (x, d), p in self.payoffs.items():
            payoff[number[0][x], number[1][d]] = p
        found = solve(payoff, *plans)
        assert found.at_most - found.at_least < 1e-9
        return found.at_least


@pytest.mark.parametrize(
    ("yard", "starts"),
    [
        (Yard(size=3, detectives=1, rounds=4, reveal=2), (0,)),
        (Yard(size=3, detectives=1, rounds=4, reveal=2), (4,)),
        (Yard(size=3, detectives=1, rounds=3, reveal=3), (1,)),
        (Yard(size=3, detectives=1, rounds=3, reveal=2), (1,)),
        (Yard(size=3, detectives=2, rounds=2, reveal=2), (1, 3)),
        (Yard(size=3, detectives=2, rounds=2, reveal=2), (0, 1)),
        (Yard(size=3, detectives=2, rounds=2, reveal=2, surrounded=False), (1, 3)),
    ],
)
def test_stages_and_the_whole_game_have_the_same_value(yard, starts):
    whole = Whole()
    whole.walk(new(yard, starts))
    low, high = Exact(yard).start(starts)
    assert low == pytest.approx(high, abs=1e-9)
    assert low == pytest.approx(whole.value(), abs=1e-9)
