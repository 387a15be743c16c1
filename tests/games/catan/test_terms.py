"""The 56 numbers of a linear value: hand-worked ones, and the products that are made of them."""

from math import tanh

import numpy as np
import pytest

from kostka.core.game import game
from kostka.core.rng import stream
from kostka.games.catan import terms
from kostka.games.catan.actions import BUY, ROLL
from kostka.games.catan.board import BRICK, GRAIN, NODE_HEX, ORE, WOOD, WOOL
from kostka.games.catan.state import KNIGHT, POINT
from kostka.games.catan.terms import COUNT, MINE, NAMES, TERMS

catan = game("catan")
RESOURCES = ("wood", "brick", "wool", "grain", "ore")


def seen(state, me=0):
    out = np.empty(TERMS)
    terms.terms(state.record, me, out)
    return dict(zip((*NAMES[:MINE], *(f"my {n}" for n in NAMES[MINE:])), out, strict=True))


@pytest.fixture
def state():
    """The beginner's game before its first throw."""
    return catan.new(1, start="fixed").settle(stream(1))


def test_there_are_56_numbers_and_1653_with_their_products():
    assert (TERMS, COUNT, len(set(NAMES[:MINE]))) == (56, 1653, MINE)


def test_of_whom_a_number_is(state):
    s = state.record
    s.knights[2], s.length[1], s.knights[0] = 2, 6, 1
    s.settlements_left[3] = 1  # two settlements more than anybody else has
    s.cards[:4] = (5, 1, 2, 6)
    found = seen(state)
    assert found["best opponent: points"] == 4 and found["best opponent: cards"] == 6
    assert found["mean opponent: points"] == pytest.approx(8 / 3)
    assert found["mean opponent: cards"] == 3
    assert found["mean opponent: knights"] == pytest.approx(2 / 3)
    assert found["my knights"] == 1
    assert found["my roads"] == 2 and found["my settlements"] == 2 and found["my cities"] == 0


def test_production_is_cards_a_throw_and_a_city_counts_twice_and_the_robber_stops_it(state):
    s = state.record
    mine = [v for v in range(54) if (int(s.settlements[0]) >> v) & 1]
    expected, at = np.zeros(5), {}
    for h in (h for v in mine for h in NODE_HEX[v]):
        if h >= 0 and s.terrain[h] < 5 and h != s.robber:
            expected[s.terrain[h]] += (6 - abs(7 - s.number[h])) / 36
            at[s.terrain[h]] = h
    found = seen(state)
    assert [found[f"my production of {r}"] for r in RESOURCES] == pytest.approx(expected)
    assert found["my chance of a road"] == pytest.approx(expected[WOOD] * expected[BRICK])
    card = expected[WOOL] * expected[GRAIN] * expected[ORE]
    assert found["my chance of a card"] == pytest.approx(card)
    s.cities[0], s.settlements[0] = s.settlements[0], 0
    most = int(np.argmax(expected))
    assert seen(state)[f"my production of {RESOURCES[most]}"] == pytest.approx(2 * expected[most])
    s.robber = at[most]
    assert seen(state)[f"my production of {RESOURCES[most]}"] < 2 * expected[most]


def test_what_a_hand_can_pay_and_what_it_holds(state):
    s = state.record
    s.hand[0] = (1, 1, 0, 2, 3)
    s.dev[0, KNIGHT], s.dev[0, POINT] = 2, 1
    found = seen(state)
    can = [found[f"my can buy a {p}"] for p in ("road", "settlement", "city", "card")]
    assert can == [1, 0, 1, 0]
    assert [found[f"my {r}"] for r in RESOURCES] == [1, 1, 0, 2, 3]
    assert found["my holds knight"] == 1 and found["my points"] == 3
    assert found["my price of ore"] == s.rate[0, ORE]


def test_a_bought_card_that_is_not_drawn_yet_is_the_mean_of_what_it_may_be(state):
    s, me = state.record, int(state.record.player)
    state.apply(ROLL).apply(8)
    s.hand[me] = (0, 0, 1, 1, 1)
    s.cards[me] = 3
    before = seen(state, me)
    state.apply(BUY)
    found = seen(state, me)
    assert found["my holds knight"] == pytest.approx(14 / 25)
    assert found["my points"] - before["my points"] == pytest.approx(5 / 25)


def test_products_are_squashed_to_less_than_1_and_weighing_them_needs_no_vector():
    rng = np.random.default_rng(3)
    b, w, out = rng.normal(size=TERMS) * 2, rng.normal(size=COUNT), np.empty(COUNT)
    terms.spread(b, out)
    assert out[0] == 1 and out[1 : 1 + TERMS] == pytest.approx(b)
    for at, product in ((0, b[0] ** 2), (3, b[0] * b[3]), (COUNT - 2 - TERMS, b[-1] ** 2)):
        assert out[1 + TERMS + at] == pytest.approx(tanh(product / 2), abs=1e-7)
    assert np.abs(out[1 + TERMS :]).max() <= 1 + 1e-7
    assert terms.weighted(w, b) == pytest.approx(float(w @ out), abs=1e-9)
    for x in (-50.0, -3.0, 0.0, 0.1, 7.0, 1e9):
        assert terms.squash(x) == pytest.approx(tanh(x / 2), abs=1e-7)
