"""What the thesis's searches look at: its heuristics, and what its networks say."""

import numpy as np
import pytest
from brains import Brain
from riskboards import begin, board, legal, play

from kostka.agents.risk.published.filters import advised, borders
from kostka.agents.risk.published.nets import EXCHANGE, FIGHT, OWN, PLACE, SETUP, SHIFT
from kostka.core import rules
from kostka.core.game import game
from kostka.core.kernels import kernel

STEPS = borders(2)


@kernel
def keep(filters, states, out):
    """The door for Python."""
    return rules.sensible(filters[0], states[0], out, rules.legal(states[0], out))


def kept(s, one) -> set[str]:
    out = np.zeros(game("risk").width, np.int64)
    n = keep(one, s.view(s.mover).buffer, out)
    found = [s.text(a) for a in out[:n]]
    assert len(set(found)) == n and set(found) <= legal(s)
    return set(found)


def told(brain, limit=0.5):
    return advised("simple", brain.numbers, limit)


# --- heuristics ---


def test_the_set_up_is_not_filtered():
    s = begin(players=3)
    assert kept(s, STEPS) == legal(s)


def test_armies_go_to_the_border_in_the_order_of_the_territories():
    s = board("000111000", "1" * 9, phase="draft", fields=dict(free=5))
    assert kept(s, STEPS) == {"place c", "place g"}
    play(s, "place c, x2")
    assert kept(s, STEPS) == {"place g"}


def test_two_armies_at_least_and_all_of_them_at_the_last():
    s = board("000111000", "1" * 9, phase="draft", fields=dict(free=5))
    s.apply("place c")
    assert kept(s, STEPS) == {"x2", "x5"}
    assert kept(s, borders(3)) == {"x3", "x5"}
    play(s, "x2, place g")
    assert kept(s, STEPS) == {"x3"}
    s = board("000111000", "1" * 9, phase="draft", fields=dict(free=6))
    assert kept(s.apply("place c"), STEPS) == {"x2", "x4", "x6"}


def test_after_an_elimination_any_border_may_get_armies():
    s = board("000111000", "1" * 9, phase="draft", fields=dict(free=4, fighting=1, target=7))
    assert kept(s, STEPS) == {"place c", "place g"}


def test_an_attack_has_two_armies_more_and_goes_to_its_end():
    s = board("000111000", "115312411")
    assert kept(s, STEPS) == {"c>d!", "g>f!", "end"}
    s.record.armies[6] = 3
    assert kept(s, STEPS) == {"c>d!", "end"}


def test_everything_moves_in():
    s = board("000011222", "119011111", phase="occupy", fields=dict(source=2, target=3, dice=3))
    assert kept(s, STEPS) == {"x8"}


def test_armies_move_to_the_border_all_of_them():
    s = board("000111000", "235111246", phase="fortify")
    assert kept(s, STEPS) == {"a=c", "b=c", "h=g", "i=g", "end"}
    s.apply("b=c")
    assert kept(s, STEPS) == {"x2"}


# --- networks ---


def test_what_is_above_the_limit_is_kept_or_else_the_best():
    s = board("000111000", "234111567", phase="draft", fields=dict(free=4))
    brain = Brain().likes(PLACE, 0, beyond=4.5)
    assert kept(s, told(brain)) == {"place g", "place h", "place i"}
    assert kept(s, told(brain, 0.9)) == {"place i"}
    s = begin(players=3)
    assert kept(s, told(Brain().likes(SETUP, 12, beyond=2.5))) == {f"claim {t}" for t in "defghi"}
    assert kept(s, told(Brain().likes(SETUP, 12), 0.9)) == {"claim g"}


def test_the_network_says_how_many_and_whether_to_trade():
    s = board("000111222", "1" * 9, phase="number", fields=dict(free=9, target=0))
    assert kept(s, told(Brain().says(PLACE, 1, 0.33))) == {"x3"}
    s = board("000111222", "1" * 9, phase="trade", hands=("a d g",))
    assert kept(s, told(Brain())) == {"end"}
    assert kept(s, told(Brain().says(EXCHANGE, 0, 0.7))) == {"trade a d g"}


def test_attacks_that_the_network_wants_or_none():
    brain = Brain().likes(FIGHT, OWN, beyond=3.5).says(FIGHT, 1, 0.9)
    s = board("000111000", "114111511")
    assert kept(s, told(brain)) == {"c>d*3", "g>f*3", "end"}
    s.record.armies[6] = 3
    assert kept(s, told(brain)) == {"c>d*3", "end"}


def test_a_fight_goes_on_as_long_as_the_network_wants_and_then_come_those_behind_it():
    brain = Brain().likes(FIGHT, OWN, beyond=3.5).says(FIGHT, 1, 0.9)
    s = board("000111000", "114111511", fields=dict(source=2, target=3))
    assert kept(s, told(brain)) == {"c>d*3"}
    s.record.armies[2] = 3
    assert kept(s, told(brain)) == {"g>f*3", "end"}
    s.record.source, s.record.target = 6, 5
    assert kept(s, told(brain)) == {"g>f*3"}
    s.record.armies[6] = 2
    assert kept(s, told(brain)) == {"end"}


@pytest.mark.parametrize(("beyond", "moves"), [(3.5, {"c=a", "c=b"}), (5.5, set())])
def test_moves_that_the_network_wants_or_none(beyond, moves):
    s = board("000111222", "135111111", phase="fortify")
    brain = Brain().likes(SHIFT, 0, beyond=beyond).says(SHIFT, 1, 0.5)
    assert kept(s, told(brain)) == {*moves, "end"}
    if moves:
        assert kept(s.apply("c=a"), told(brain)) == {"x2"}
