"""The reference does the obvious in positions made by hand, and beats whoever plays at random."""

import pytest
from island import play, position

from kostka.agents.spec import make
from kostka.arena.match import play_one, prepare
from kostka.core.game import game
from kostka.core.rng import stream
from kostka.games.catan.actions import LETTERS
from kostka.games.catan.board import CORNER_SET

HOME = {0: [10], 1: [20], 2: [30], 3: [40]}


def choice(state) -> str:
    """What it does when it is asked."""
    agent = make(game("catan"), "reference")
    seat = state.mover
    agent.begin(seat, stream(1))
    return state.text(agent.act(state.view(seat)))


def test_a_city_is_built_as_soon_as_it_can_be():
    assert choice(position(settlements=HOME, hands={0: "2 grain + 3 ore"})) == "city 10"


def test_a_bought_card_does_not_look_like_three_cards_thrown_away():
    state = position(cities=HOME, hands={0: "wool + grain + ore"}, devs={})
    assert choice(state) == "buy"


def test_the_robber_leaves_its_own_hexes_for_those_of_a_rival():
    state = position("robber", settlements=HOME, robber_at="E")
    hex = LETTERS.index(choice(state).split()[1])
    s = state.record
    there = [p for p in range(4) if int(s.settlements[p]) & int(CORNER_SET[hex])]
    assert there and 0 not in there


def test_nobody_near_the_end_is_given_cards():
    hands = {0: "wood", 1: "ore"}
    state = position(settlements=HOME, hands=hands, points=3)
    play(state, "give wood", "want ore", "offer")
    assert state.mover == 1
    assert choice(state) == "refuse"


def test_the_same_position_gets_the_same_answer_and_nothing_is_offered():
    state = position(settlements=HOME, hands={0: "4 wood + 2 ore"}, offers=20)
    answers = {choice(state) for _ in range(3)}
    assert len(answers) == 1 and not answers & {"give wood", "give ore"}


def test_it_wins_against_three_that_play_at_random():
    options = {"map": "variable", "offers": 0, "points": 7}
    match = prepare(game("catan"), ("reference", "random", "random", "random"), 12, 1, options)
    won = sum(
        played.returns[seats.index(0)] == 1.0
        for played, seats in ((play_one(match, n), match.seats(n)) for n in range(12))
    )
    assert won == pytest.approx(12, abs=1)
