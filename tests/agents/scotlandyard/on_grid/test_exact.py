"""The exact solution of the grid, against the game's own rules and numbers found otherwise."""

from collections import defaultdict

import numpy as np
import pytest
from exploit import against_flee, against_hunt
from scipy.sparse import coo_array

from kostka.agents.scotlandyard.on_grid.ours.exact import Exact, Known, Stage
from kostka.agents.scotlandyard.on_grid.ours.grid import Yard
from kostka.agents.scotlandyard.on_grid.ours.sure import Sure, SureDetective
from kostka.core.errors import KostkaError
from kostka.core.state import CHANCE
from kostka.games.scotlandyard import game, grid
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
        #: By side: what he knew -> his choices there, and -> his own choice before.
        self.points = ({}, {})
        self.before = ({}, {})
        self.payoffs = defaultdict(float)
        self.at_once = 0.0  # the detectives' chances before anybody moves

    def walk(self, s, chance=1.0, saw=((), ()), last=(None, None)):
        if s.over and None in last:
            self.at_once += chance * s.returns[1]
            return
        if s.over:
            self.payoffs[last] += chance * s.returns[1]
            return
        if s.mover == CHANCE:
            for outcome, p in s.outcomes:
                self.on(s, outcome, chance * p, saw, last)
            return
        side = min(s.mover, 1)
        self.before[side].setdefault(saw[side], last[side])
        for a in s.legal_actions:
            done = (saw[side], a)
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
            start = [float(self.before[side][saw] is None) for saw in known]
            feeds = [
                (number[side][self.before[side][saw]], index[saw])
                for saw in known
                if self.before[side][saw] is not None
            ]
            plans.append(Plans(start, [index[saw] for saw, _ in order], feeds))
        places = [(number[0][x], number[1][d]) for x, d in self.payoffs]
        shape = len(plans[0]), len(plans[1])
        payoff = coo_array((list(self.payoffs.values()), np.transpose(places)), shape)
        return self.at_once + solve(payoff, *plans).at_least


@pytest.mark.parametrize(
    ("yard", "starts"),
    [
        (Yard(size=3, detectives=1, rounds=3, reveal=1), (0,)),
        (Yard(size=3, detectives=1, rounds=3, reveal=2), (1,)),
        (Yard(size=3, detectives=1, rounds=3, reveal=3), (4,)),
        (Yard(size=3, detectives=2, rounds=2, reveal=2), (1, 3)),
        (Yard(size=3, detectives=2, rounds=2, reveal=3), (0, 1)),
        (Yard(size=3, detectives=2, rounds=2, reveal=1, surrounded=False), (1, 3)),
    ],
)
def test_stages_and_the_whole_game_have_the_same_value(yard, starts):
    whole = Whole()
    whole.walk(new(yard, starts))
    low, high = Exact(yard).start(starts)
    assert low == pytest.approx(high, abs=1e-9)
    assert low == pytest.approx(whole.value(), abs=1e-9)


def test_from_the_centre_a_detective_sees_half_of_all_starts_and_guesses_a_quarter_of_them():
    """From a corner Mr X must step beside the centre, from beside the centre into a corner."""
    yard = Yard(size=3, detectives=1, rounds=1, reveal=1)
    assert Exact(yard).start((4,)) == pytest.approx((1 / 2, 1 / 2))
    hidden = Yard(size=3, detectives=1, rounds=1, reveal=2)
    assert Exact(hidden).start((4,)) == pytest.approx((1 / 8, 1 / 8))


def test_who_starts_between_two_detectives_in_a_corner_is_caught_at_once():
    exact = Exact(Yard(size=3, detectives=2, rounds=1, reveal=2))
    assert 0 not in exact.opening((1, 3))
    assert sum(exact.opening((1, 3)).values()) == pytest.approx(6 / 7)


def test_a_visible_mr_x_is_caught_within_seven_rounds():
    """The shares of starts as the project's notes have them, found by another program."""
    exact = Exact(Yard(rounds=8, reveal=1))
    found = [round(100 * exact.value(8 - rounds)[0]) for rounds in (3, 4, 5, 6)]
    assert found == [23, 48, 75, 93]
    assert exact.value(1) == pytest.approx((1, 1), abs=1e-12)


def test_positions_that_are_the_same_but_for_a_turn_are_1755():
    """(13 800 positions of 8 each, but for those that a mirror leaves alone.)"""
    yard = Yard()
    codes = [
        c for c in np.unique(yard.turned()) if len({yard.position(c)[0], *yard.position(c)[1]}) == 3
    ]
    fixed = [
        5 * 4 * 3,
        5 * 4 * 3,
        5 * 4 * 3,
        5 * 4 * 3,
    ]  # on a mirror's line; turns leave only the centre
    assert len(codes) == (13800 + sum(fixed)) / 8 == 1755


def test_a_turn_of_the_board_keeps_the_value():
    """The tables hold one position of eight; each stage is solved here as it lies."""
    exact = Exact(Yard(size=4, detectives=2, rounds=2, reveal=2))
    values = [exact.start(starts)[0] for starts in [(0, 6), (3, 5), (15, 9), (12, 10), (0, 9)]]
    assert values == pytest.approx([values[0]] * 5, abs=1e-9)
    assert 0 < values[0] < 1


def test_values_of_one_are_the_sure_wins():
    yard = Yard(size=3, detectives=2, rounds=4, reveal=3)
    sure = Sure(yard)
    values = Exact(yard).by_start()
    assert len(values) == 72
    assert {d for d, (low, _) in values.items() if low > 1 - 1e-9} == {
        d for d in yard.starts() if sure.start(d)
    }
    assert 0 < sure.share() < 1


def test_sure_detectives_win_every_game():
    """By the rules of the game, against a Mr X who moves at random."""
    yard = Yard(size=4, detectives=2, rounds=9, reveal=3)
    agent, rng = SureDetective(grid), np.random.default_rng(5)
    starts = [d for d in [(0, 15), (1, 2), (5, 10), (3, 4)] if Sure(yard).start(d)]
    assert len(starts) >= 2
    for n in range(20):
        s = new(yard, starts[n % len(starts)])
        while not s.over:
            legal = [a for a, _ in s.outcomes] if s.mover == CHANCE else s.legal_actions
            s.apply(int(rng.choice(legal)) if s.mover < 1 else agent.act(s.view(s.mover)))
        assert s.returns[0] == 0


@pytest.mark.parametrize("near", [1, 3])
def test_a_detective_who_is_not_sure_leaves_few_cells(near):
    """In the only round Mr X may be far off, or beside the corner where the detective is."""
    yard = Yard(size=3, detectives=1, rounds=1, reveal=2)
    s = new(yard, (0,))
    s.apply(7)
    s.apply(8)
    s.record.possible[:] = 0
    s.record.possible[[near, 8]] = 1
    assert Sure(yard).reply(1, 1 << near | 1 << 8, (0,)) is None
    assert SureDetective(grid).act(s.view(1)) == near


def test_sure_plays_detectives_on_the_grid_only():
    with pytest.raises(KostkaError, match="not scotland-yard"):
        SureDetective(game)
    s = new(Yard(size=3), (0, 1))
    s.apply(8)
    with pytest.raises(KostkaError, match="detectives only"):
        SureDetective(grid).act(s.view(0))


def test_unbeatable_strategies_get_the_value_against_the_best_reply():
    yard = Yard(size=3, detectives=1, rounds=5, reveal=3)
    exact = Exact(yard)
    low, high = exact.value()
    assert 0.1 < low < 0.9
    assert against_hunt(yard, exact.hunt) == pytest.approx(low, abs=1e-9)
    assert against_flee(yard, exact.flee) == pytest.approx(high, abs=1e-9)


def test_unbeatable_strategies_of_two_detectives():
    yard = Yard(size=3, detectives=2, rounds=4, reveal=2)
    exact = Exact(yard)
    starts = [(0, 1), (0, 8), (4, 3)]
    value = np.mean([exact.start(d)[0] for d in starts])
    assert against_hunt(yard, exact.hunt, starts) == pytest.approx(value, abs=1e-9)
    assert against_flee(yard, exact.flee, starts) == pytest.approx(value, abs=1e-9)


def test_a_strategy_that_never_mixes_is_found_out():
    """From the centre, unseen: who always goes up catches nobody who knows it; and of a Mr X who
    always takes the first way two of eight are on one cell."""
    yard = Yard(size=3, detectives=1, rounds=1, reveal=2)
    assert against_hunt(yard, lambda known: {(1,): 1.0}, [(4,)]) == 0
    assert (
        against_hunt(yard, lambda known: dict.fromkeys([(1,), (3,), (5,), (7,)], 0.25), [(4,)])
        == 1 / 8
    )

    def first(known: Known, x: int) -> dict[int, float]:
        return {yard.steps(x, known.trail[-1])[0]: 1.0}

    assert against_flee(yard, first, [(4,)]) == 1 / 4


def test_bounds_are_passed_on_from_stage_to_stage():
    """What comes after is known only roughly: then so is the stage, and not otherwise."""
    yard = Yard(size=3, detectives=1)
    stage = Stage(yard, {8: 1.0}, (4,), 2)
    table = np.random.default_rng(3).uniform(0.2, 0.6, yard.positions + 1)
    table[-1] = 1
    wide = np.array([table, np.minimum(1, table + 0.1)])
    _, low, high = stage.solve(np.array([table, table]))
    assert low == pytest.approx(high, abs=1e-9)
    _, at_least, most = stage.solve(wide)
    assert at_least == pytest.approx(low, abs=1e-9)
    assert low < most <= low + 0.1 + 1e-9


@pytest.mark.parametrize("options", [dict(size=14), dict(reveal=15), dict(detectives=5)])
def test_what_is_too_large_is_refused(options):
    with pytest.raises(KostkaError, match="too large to solve"):
        Yard(**options)


def test_no_game_is_refused():
    with pytest.raises(KostkaError, match="is not a game"):
        Yard(size=2)


def test_only_whole_stages_can_be_left_out():
    exact = Exact(Yard(size=3, detectives=1, rounds=4, reveal=2))
    with pytest.raises(KostkaError, match="shorter by"):
        exact.start((0,), 1)
