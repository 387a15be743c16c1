"""The thesis's networks: their sizes, what they see, and what they do in small positions."""

from itertools import pairwise

import numpy as np
import pytest
from brains import Brain
from riskboards import begin, board, made

from kostka.agents.risk.published.nets import (
    COMPLEX,
    EXCHANGE,
    FIGHT,
    OWN,
    PLACE,
    SETUP,
    SHIFT,
    SIMPLE,
    SLOPE,
    TOPOLOGIES,
    judge_attack,
    judge_claim,
    judge_move,
    judge_place,
    nets,
    untrained,
)
from kostka.core import rules
from kostka.core.errors import KostkaError
from kostka.core.game import game
from kostka.core.kernels import kernel
from kostka.core.memory import floats
from kostka.core.rng import stream
from kostka.learn.network import WIDEST, length

#: All nine in one ring and a chord, so that distances one and two differ everywhere.
RING = "ab bc cd de ef fg gh hi ia"


def does(s, one) -> str:
    """What a player by networks does, in notation."""
    view = s.view(s.mover)
    out = np.zeros(game("risk").width, np.int64)
    return s.text(int(rules.policy(one[0], view.record, out, stream(1))))


@kernel
def judged(players, states, net, i, j, found):
    """The door for Python: the first two outputs."""
    p, s, values = players[0], states[0], floats(WIDEST)
    if net == SETUP:
        judge_claim(p, s, i, values)
    elif net == PLACE:
        judge_place(p, s, i, values)
    elif net == FIGHT:
        judge_attack(p, s, i, j, values)
    else:
        judge_move(p, s, i, j, values)
    found[0], found[1] = values[0], values[1]


def outputs(one, s, net, i, j=0):
    found = np.zeros(2)
    judged(one, s.view(s.mover).buffer, net, i, j, found)
    return found


def by_hand(numbers, family, net, inputs):
    """What a network answers, by matrices."""
    at, values = length(family[:net]), np.array(inputs, float)
    for a, b in pairwise(family[net]):
        layer = numbers[at : at + (a + 1) * b].reshape(a + 1, b)
        values = 1 / (1 + np.exp(-SLOPE * (layer[0] + values @ layer[1:])))
        at += (a + 1) * b
    return values


# --- sizes ---


def test_the_networks_have_exactly_1146_and_1944_numbers():
    assert [length([sizes]) for sizes in SIMPLE] == [289, 25, 110, 342, 380]
    assert [length([sizes]) for sizes in COMPLEX] == [503, 39, 200, 579, 623]
    assert (length(SIMPLE), length(COMPLEX)) == (1146, 1944)


def test_neurons_and_synapses_are_those_of_the_thesis():
    def counted(family):
        return [(sum(sizes[1:]), sum(a * b for a, b in pairwise(sizes))) for sizes in family]

    assert counted(SIMPLE) == [(17, 272), (5, 20), (11, 99), (19, 323), (20, 360)]
    assert counted(COMPLEX) == [(33, 470), (9, 30), (20, 180), (36, 543), (38, 585)]


def test_other_numbers_of_numbers_are_refused():
    with pytest.raises(KostkaError, match="1146 numbers, not 1944"):
        nets("simple", untrained("complex"))


# --- what they see, and what they answer ---

# a b c d e f g h i in a ring; 0 holds a b c, 1 holds d e f, 2 holds g h i.
OWNERS, ARMIES = "000111222", "1 2 3 4 5 6 7 8 9"
#: Around c: b and d at distance one, a and e at distance two.
AROUND_C = (1, 1, 2, 1, 1, 1, 4, 5)
#: Around a: b and i; c and h.
AROUND_A = (1, 1, 2, 3, 1, 1, 9, 8)


def facts(s, continent, own, enemy):
    z = s.record.facts[continent, 1:]
    return (3, own, enemy, s.record.bonus[continent], *z)


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_a_network_answers_as_worked_out_from_the_inputs_of_the_thesis(topology):
    family, rng = TOPOLOGIES[topology], np.random.default_rng(5)
    numbers = rng.normal(size=length(family)) * 0.2
    one = nets(topology, numbers)
    s = board(OWNERS, ARMIES, map=made(RING))
    for net, i, j, inputs in (
        (SETUP, 2, 0, (1, *AROUND_C, *facts(s, 0, 3, 0))),
        (PLACE, 2, 0, (3, *AROUND_C)),
        (FIGHT, 2, 3, (3, 4, *AROUND_C, *facts(s, 1, 0, 3))),
        (SHIFT, 2, 0, (3, 1, *AROUND_C, *AROUND_A)),
    ):
        expected = by_hand(numbers, family, net, inputs)
        found = outputs(one, s, net, i, j)[: len(expected)]
        assert found == pytest.approx(expected, abs=1e-5), net


def test_after_a_capture_the_network_to_attack_is_asked_with_no_defenders():
    numbers = np.random.default_rng(6).normal(size=length(SIMPLE)) * 0.2
    s = board("000001122", "5 4 3 9 0 6 7 8 9", phase="occupy", map=made(RING),
              fields=dict(source=3, target=4, dice=3))  # fmt: skip
    # Around d: c and e are own now, b and f beside them; e is of M, d itself too.
    inputs = (9, 0, 2, 1, 3, 4, 0, 1, 0, 6, *facts(s, 1, 2, 1))
    share = by_hand(numbers, SIMPLE, FIGHT, inputs)[1]
    assert outputs(nets("simple", numbers), s, FIGHT, 3, 4)[1] == pytest.approx(share, abs=1e-5)
    assert does(s, nets("simple", numbers)) == f"x{round((9 - 1 - 3) * share + 3)}"


def test_territories_that_nobody_has_claimed_are_nobodys_enemies():
    s = begin(players=3, map=made(RING))
    numbers = np.random.default_rng(7).normal(size=length(SIMPLE)) * 0.2
    one = nets("simple", numbers)
    s.apply("claim b").apply("claim d")
    inputs = (0, 0, 0, 0, 0, 2, 0, 2, 0, *facts(s, 0, 0, 1))
    assert outputs(one, s, SETUP, 2)[0] == pytest.approx(
        by_hand(numbers, SIMPLE, SETUP, inputs)[0], abs=1e-5
    )


def test_untrained_networks_say_yes_to_all_and_want_everything():
    for topology in TOPOLOGIES:
        numbers = untrained(topology, 3)
        assert (numbers >= 0).all() and (numbers < 1).all()
        one = nets(topology, numbers)
        s = board(OWNERS, ARMIES)
        assert (outputs(one, s, FIGHT, 2, 3) > 0.99).all()
    assert not np.array_equal(untrained("simple", 1), untrained("simple", 2))


# --- the set-up ---


def test_of_all_that_can_be_claimed_the_best_is():
    s = begin(players=3)
    one = Brain().likes(SETUP, 12).made()  # the bonus: 2, 3 and 5
    assert does(s, one) == "claim g"
    s.apply("claim g").apply("claim h").apply("claim i")
    assert does(s, one) == "claim d"


def test_empty_and_own_land_differ_in_the_set_up():
    s = board("000111222", "1" * 9, phase="claim")
    s.record.setup[:3] = 5
    assert outputs(Brain().likes(SETUP, 0).made(), s, SETUP, 0)[0] > 0.5 * (1 - 1e-9)
    one = Brain().likes(SETUP, 0, -1).made()
    assert outputs(one, s, SETUP, 0)[0] < outputs(one, s, SETUP, 3)[0]


def test_the_neutral_army_gets_what_is_worst():
    s = board("000111222", "1" * 9, players=2, player=1, phase="neutral", neutral=True)
    s.record.setup[:3] = 5
    s.record.land[:3] = [np.uint64(0b111 << 3 * n) for n in range(3)]
    one = Brain().likes(SETUP, 4).made()  # own armies at distance two
    assert does(s, one) == "neutral i"


# --- cards ---


def test_whoever_must_trade_does_so_unasked():
    s = board("000111222", "1" * 9, phase="trade", hands=("a d g b e",))
    never = Brain().says(EXCHANGE, 0, 0.1).made()
    assert does(s, never).startswith("trade")


def test_otherwise_the_network_is_asked_and_an_even_answer_is_no():
    s = board("000111222", "1" * 9, phase="trade", hands=("a d g",))
    assert does(s, Brain().says(EXCHANGE, 0, 0.6).made()) == "trade a d g"
    assert does(s, Brain().made()) == "end"
    assert does(s, Brain().says(EXCHANGE, 0, 0.4).made()) == "end"


def test_the_network_to_trade_sees_the_armies_on_both_sides_of_the_borders():
    numbers = np.random.default_rng(8).normal(size=length(SIMPLE)) * 0.2
    s = board(OWNERS, ARMIES, phase="trade", hands=("a d g",), fields=dict(free=3, trades=2))
    # In a row: only c borders on another's land, d.
    answer = by_hand(numbers, SIMPLE, EXCHANGE, (3, 2, 3, 4))[0]
    assert does(s, nets("simple", numbers)) == ("trade a d g" if answer > 0.5 else "end")


# --- new armies ---


def test_a_share_of_the_armies_goes_to_the_best_territory_and_then_it_scores_again():
    one = Brain().likes(PLACE, 0, -1).says(PLACE, 1, 0.5).made()  # where there are few
    s = board("000111222", "243111111", phase="draft", fields=dict(free=7))
    asked = []
    while s.phase in ("draft", "number"):
        asked.append(does(s, one))
        s.apply(asked[-1])
    assert asked == ["place a", "x4", "place c", "x2", "place b"]


def test_at_least_one_army_is_placed():
    one = Brain().says(PLACE, 1, 0.01).made()
    s = board("000111222", "1" * 9, phase="number", fields=dict(free=9, target=0))
    assert does(s, one) == "x1"


# --- attacks ---


def test_attackers_and_their_targets_are_asked_in_order():
    yes = Brain().says(FIGHT, 0, 0.9).says(FIGHT, 1, 0.9).made()
    s = board("010012222", "313113333")
    assert does(s, yes) == "a>b*2"
    assert does(s, Brain().made()) == "end"


def test_the_same_pair_is_asked_again_and_then_the_next_one():
    many = Brain().likes(FIGHT, OWN, beyond=2.5).made()  # with three armies or more
    s = board("010012222", "414113333", fields=dict(source=0, target=1))
    assert does(s, many) == "a>b*2"
    s.record.armies[0] = 2
    assert does(s, many) == "c>b*2"
    s.record.armies[2] = 2
    assert does(s, many) == "end"


def test_what_was_refused_is_not_asked_again():
    yes = Brain().says(FIGHT, 0, 0.9).says(FIGHT, 1, 0.9).made()
    s = board("010012222", "313193333", fields=dict(source=4, target=5))
    s.record.armies[4] = 1
    assert does(s, yes) == "end"


def test_after_a_capture_the_walk_goes_on_with_the_next_target():
    yes = Brain().says(FIGHT, 0, 0.9).says(FIGHT, 1, 0.9).made()
    s = board("001022222", "135133333", fields=dict(source=1, target=0))
    assert does(s, yes) == "b>c*2"


@pytest.mark.parametrize(("share", "dice"), [(0.32, 1), (0.34, 2), (0.65, 2), (0.67, 3)])
def test_the_second_output_says_with_how_many_dice(share, dice):
    one = Brain().says(FIGHT, 0, 0.9).says(FIGHT, 1, share).made()
    assert does(board("000111222", "119111111"), one) == f"c>d*{dice}"
    assert does(board("000111222", "112111111"), one) == "c>d*1"


@pytest.mark.parametrize(("share", "armies"), [(0.01, 3), (0.5, 6), (0.99, 9)])
def test_a_share_of_what_is_left_marches_in(share, armies):
    one = Brain().says(FIGHT, 1, share).made()
    s = board("000011222", "1 1 10 0 1 1 1 1 1", phase="occupy",
              fields=dict(source=2, target=3, dice=3))  # fmt: skip
    assert does(s, one) == f"x{armies}"


# --- the end of a turn ---


def test_the_best_pair_that_is_joined_is_chosen_if_the_network_says_yes():
    one = Brain().likes(SHIFT, 0).likes(SHIFT, 1, -1)
    one.layers(SHIFT)[1][0, 0] = -0.4  # yes, if only a little
    s = board("000111000", "135111921", phase="fortify")
    assert does(s, one.made()) == "g=i"
    assert does(board("000111000", "135111221", phase="fortify"), one.made()) == "c=a"
    assert does(s, Brain().made()) == "end"


@pytest.mark.parametrize(("share", "armies"), [(0.01, 1), (0.5, 4), (0.99, 8)])
def test_a_share_of_the_armies_moves(share, armies):
    one = Brain().says(SHIFT, 1, share).made()
    s = board("000111222", "1 9 1 1 1 1 1 1 1", phase="move", fields=dict(source=1, target=0))
    assert does(s, one) == f"x{armies}"
