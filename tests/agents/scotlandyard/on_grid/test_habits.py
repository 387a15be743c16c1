"""Habits of detectives on the grid: how they are learnt, and how Mr X recognises who has them."""

import json
import math
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from kostka.agents.lessons import games_of
from kostka.agents.scotlandyard.on_grid.ours import habits, solved
from kostka.agents.scotlandyard.on_grid.ours.company import FIRST, HEAD_START, Company
from kostka.agents.scotlandyard.on_grid.ours.grid import THESES, Yard
from kostka.agents.scotlandyard.on_grid.ours.habits import TEACHERS, Choice, Habit
from kostka.agents.scotlandyard.on_grid.ours.solver import Elude
from kostka.games.scotlandyard import grid
from kostka.games.scotlandyard.actions import station_of

# The grid of five by five, by cell:
#    0  1  2  3  4
#    5  6  7  8  9
#   10 11 12 13 14
#   15 16 17 18 19
#   20 21 22 23 24


def positions(n, seed=1):
    """The round, the detectives, and places where Mr X may be."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        cells, turn = rng.permutation(25).tolist(), int(rng.integers(1, 16))
        yield turn, tuple(cells[:2]), tuple(sorted(cells[2 : 3 + rng.integers(5)]))


def drawn(habit, where, seed=1):
    """A choice of a reply by a habit in each position."""
    rng = np.random.default_rng(seed)
    for turn, detectives, places in where:
        period, replies = THESES.period(turn), THESES.replies(detectives)
        which = rng.choice(len(replies), p=habit.chances(period, detectives, places))
        yield Choice(period, places, detectives, replies[which])


def same_in_all_rounds(numbers):
    return Habit(np.tile(numbers, (THESES.periods, 1)))


def test_a_reply_is_the_likelier_the_more_it_is_worth_on_average():
    numbers = np.random.default_rng(1).normal(size=(THESES.periods, habits.kinds().max() + 1))
    habit = Habit(numbers)
    for turn, detectives, places in positions(20):
        period = THESES.period(turn)
        worth = [
            np.mean([habit.worth[period, THESES.code(x, r)] for x in places])
            for r in THESES.replies(detectives)
        ]
        expected = np.exp(worth) / np.exp(worth).sum()
        assert habit.chances(period, detectives, places) == pytest.approx(expected)


def test_periods_of_a_game():
    periods = [THESES.period(turn) for turn in range(1, 16)]
    # Never seen; seen, hidden for one round, for two; the last three rounds.
    assert periods == [0, 0, 1, 3, 5, 1, 3, 5, 1, 3, 5, 1, 4, 6, 2]
    assert [Yard(rounds=6).period(turn) for turn in range(1, 7)] == [0, 0, 1, 4, 6, 2]
    assert THESES.periods == 7


def test_the_same_position_but_for_a_turn_is_of_the_same_kind():
    kinds = habits.kinds()
    assert kinds[THESES.code(0, (1, 5))] == kinds[THESES.code(4, (3, 9))]
    assert kinds[THESES.code(0, (1, 5))] != kinds[THESES.code(0, (1, 6))]
    # A Mr X who is caught is caught.
    assert kinds[THESES.code(7, (7, 3))] == kinds[THESES.code(0, (24, 0))] == 0
    assert np.count_nonzero(kinds == 0) == 2 * 25 * 25 - 25
    assert (np.unique(kinds) == np.arange(kinds.max() + 1)).all()


def test_traits_of_positions():
    kinds, traits = habits.kinds(), habits.traits()
    # Mr X in the corner, one detective beside him and one at 12: the way to 5 is beside neither.
    assert traits[kinds[THESES.code(0, (1, 12))]].tolist() == [1, 4, 1, 1, 3]
    assert traits[kinds[THESES.code(0, (24, 6))]].tolist() == [2, 8, 0, 0, 6]


def test_a_habit_is_learnt_from_choices():
    """The numbers cannot be found again from so few, but what they foretell nearly is."""
    shared = habits.traits() @ [-0.5, -0.5, 0.5, -0.5, 0.2]
    truth = same_in_all_rounds(shared)
    choices = [*drawn(truth, positions(1500))]
    numbers = habits.fit(choices)
    learnt, alike = same_in_all_rounds(numbers), same_in_all_rounds(np.zeros(len(numbers)))
    others = [*drawn(truth, positions(500, seed=2), seed=2)]
    best, found, none = (habits.surprise(h, others) for h in (truth, learnt, alike))
    assert best < found < best + 0.5 * (none - best)


def test_what_is_seen_of_a_teacher_is_what_his_detectives_did():
    choices = [*habits.watched("alphabeta", 12, 3)]
    assert len(choices) > 50
    for period, places, detectives, reply in choices:
        assert (len(places) == 1) >= (period in {1, 2})
        assert reply in THESES.replies(detectives)
        assert not set(places) & set(detectives)
    # He is seen every third round, and alphabeta's detectives take a catch at hand.
    near = [c for c in choices if len(c.places) == 1 and beside(c)]
    assert near
    assert all(c.places[0] in c.reply for c in near)
    assert [*habits.watched("alphabeta", 12, 3)] == choices


def test_a_catch_of_the_first_detective_counts_as_a_choice_of_all():
    rounds = catches = 0
    mr_x = {0: lambda: Elude(grid)}
    examples = games_of(grid, ["alphabeta:version=2"], 20, 4, others=mr_x)
    for state, action in chain.from_iterable(example.decisions() for example in examples):
        first = state.record.piece == 1
        rounds += first
        catches += first and station_of(action) == state.record.station[0]
    assert catches
    assert len([*habits.watched("alphabeta:version=2", 20, 4)]) == rounds


def beside(c):
    return any(THESES.distance(d, c.places[0]) == 1 for d in c.detectives)


def test_mr_x_recognises_who_has_a_habit():
    for name in ("gerza", "gerza3", "sova"):
        habit, right = habits.habits()[name], 0
        for seed in range(10):
            company = Company(THESES)
            assert company.likeliest == FIRST
            where = [*positions(40, seed)]
            for (turn, *_), c in zip(where, drawn(habit, where, seed), strict=True):
                company.expect(turn, c.detectives, c.places)
                company.watch(c.reply)
            right += company.likeliest == name
        assert right >= 8


def test_what_nobody_foretells_counts_little_and_what_cannot_be_counts_nothing():
    company = Company(THESES)
    company.watch((0, 1))  # nobody was asked
    company.expect(6, (0, 24), (12,))
    company.watch((13, 7))
    assert company.score == {name: HEAD_START * (name == FIRST) for name in company.known}
    company.expect(6, (11, 24), (12,))
    company.watch((10, 23))  # they see him beside them, and go away
    assert min(company.score.values()) > math.log(0.02 / 8) - 1e-6
    company.watch((12, 23))  # asked once, answered once
    assert len(company.known) == 1 + len(TEACHERS)


def test_on_other_grids_all_are_strangers():
    assert [*Company(Yard(size=3, rounds=5)).known] == [solved.STRANGERS]
    assert len(Company(Yard(rounds=6)).known) == 1 + len(TEACHERS)


def test_the_stored_habits_foretell_their_teachers():
    how = json.loads(Path(habits.FOLDER, "habits.json").read_text())
    assert {name: one["teacher"] for name, one in how["habits"].items()} == TEACHERS
    alike = same_in_all_rounds(np.zeros(habits.kinds().max() + 1))
    for name, habit in habits.habits().items():
        said = how["habits"][name]
        assert said["surprise"] < said["surprise of all alike"] - 0.05
        choices = [*habits.watched(TEACHERS[name], 3, 9)]
        assert habits.surprise(habit, choices) < habits.surprise(alike, choices)
