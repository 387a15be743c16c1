"""The tables of chances against plain counting."""

from fractions import Fraction
from itertools import combinations, product

import pytest

from kostka.games.catan.odds import card_table, throw_table


def test_throws_are_those_of_two_dice():
    counted = [a + b for a, b in product(range(1, 7), repeat=2)]
    for n, pips, now, _ in throw_table().rows:
        assert counted.count(n) == pips
        assert now == pytest.approx(pips / 36)
    six = next(row for row in throw_table().rows if row[0] == 6)
    assert six[3] == pytest.approx(1 - (31 / 36) ** 4)


def test_cards_are_those_of_the_deck():
    deck = ["k"] * 14 + ["p"] * 5 + ["other"] * 6
    pairs = list(combinations(deck, 2))
    rows = {row[0]: row for row in card_table().rows}
    for name, kind in (("knight", "k"), ("victory point", "p")):
        chance = Fraction(sum(kind in pair for pair in pairs), len(pairs))
        assert rows[name][3] == pytest.approx(float(chance))
