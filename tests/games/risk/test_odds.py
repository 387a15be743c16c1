"""The exact chances of Risk against fractions, against a plain recursion, and against play."""

import functools
from fractions import Fraction

import numpy as np
import pytest

from kostka.core.errors import KostkaError
from kostka.core.kernels import kernel
from kostka.core.odds import in_words
from kostka.core.rng import stream, uniform
from kostka.games.risk.actions import LOST, WON
from kostka.games.risk.battle import ODDS, fight
from kostka.games.risk.odds import ends, outlook, tables
from kostka.games.risk.state import MOST_ARMIES

#: What the defender loses, by dice of the attacker and of the defender.
EXACT = {
    (1, 1): [Fraction(7, 12), Fraction(5, 12)],
    (2, 1): [Fraction(91, 216), Fraction(125, 216)],
    (3, 1): [Fraction(49, 144), Fraction(95, 144)],
    (1, 2): [Fraction(161, 216), Fraction(55, 216)],
    (2, 2): [Fraction(581, 1296), Fraction(35, 108), Fraction(295, 1296)],
    (3, 2): [Fraction(2275, 7776), Fraction(2611, 7776), Fraction(1445, 3888)],
}


@pytest.mark.parametrize("dice", EXACT)
def test_one_throw_is_exact(dice):
    chances = EXACT[dice]
    assert sum(chances) == 1
    assert ODDS[dice][: len(chances)].tolist() == pytest.approx(list(map(float, chances)), abs=0)
    assert not ODDS[dice][len(chances) :].any()


@functools.cache
def by_hand(attackers: int, defenders: int) -> dict[int, Fraction]:
    """Every end of a fight, throw by throw, in fractions."""
    if attackers == 0:
        return {-defenders: Fraction(1)}
    if defenders == 0:
        return {attackers: Fraction(1)}
    dice = min(3, attackers), min(2, defenders)
    found: dict[int, Fraction] = {}
    for lost, chance in enumerate(EXACT[dice]):
        after = by_hand(attackers - min(dice) + lost, defenders - lost)
        for end, p in after.items():
            found[end] = found.get(end, Fraction()) + chance * p
    return found


@pytest.mark.parametrize("armies", [(1, 1), (1, 4), (4, 1), (2, 2), (3, 2), (10, 5), (12, 17)])
def test_a_whole_fight_is_exact(armies):
    found, exact = ends(*armies), by_hand(*armies)
    assert found.keys() == exact.keys()
    for end, chance in exact.items():
        assert found[end] == pytest.approx(float(chance), rel=1e-12)


def test_the_attacker_is_ahead_from_five_against_five():
    wins = [outlook(n, n).win for n in range(1, 11)]
    assert [win > 0.5 for win in wins] == [False] * 4 + [True] * 6
    assert wins[1] == min(wins) == pytest.approx(0.36265, abs=5e-6)


def test_what_is_left_is_a_mean_over_the_ends():
    exact = by_hand(3, 2)
    win = sum(p for end, p in exact.items() if end > 0)
    found = outlook(3, 2)
    assert found.win == pytest.approx(float(win))
    left = sum(p * end for end, p in exact.items() if end > 0) / win
    stay = sum(p * -end for end, p in exact.items() if end < 0) / (1 - win)
    assert (found.attackers, found.defenders) == pytest.approx((float(left), float(stay)))


def test_the_largest_fight_adds_up():
    found = ends(MOST_ARMIES, MOST_ARMIES)
    assert sum(found.values()) == pytest.approx(1, abs=1e-12)
    assert set(found) == {*range(1, MOST_ARMIES + 1), *range(-MOST_ARMIES, 0)}
    assert outlook(MOST_ARMIES, MOST_ARMIES).win > 0.99


@pytest.mark.parametrize("armies", [(0, 3), (3, 0), (-1, 2), (MOST_ARMIES + 1, 1)])
def test_armies_that_cannot_fight_are_refused(armies):
    with pytest.raises(KostkaError, match=r"must be from 1 to 1000"):
        ends(*armies)


@kernel
def die(rng):
    return 1 + int(6 * uniform(rng))


@kernel
def throw_often(attackers, defenders, times, count, rng):
    """Real dice, compared as people do: how often the defender lost how much."""
    for _ in range(times):
        high = second = 0
        for _ in range(attackers):
            x = die(rng)
            if x > high:
                high, second = x, high
            elif x > second:
                second = x
        top = low = 0
        for _ in range(defenders):
            x = die(rng)
            if x > top:
                top, low = x, top
            elif x > low:
                low = x
        lost = int(high > top)
        if attackers > 1 and defenders > 1:
            lost += int(second > low)
        count[lost] += 1


def test_a_million_throws_come_out_as_reckoned():
    rng = stream(2026)
    for (a, d), chances in EXACT.items():
        times, count = 1_000_000 // len(EXACT), np.zeros(3, np.int64)
        throw_often(a, d, times, count, rng)
        for lost, chance in enumerate(map(float, chances)):
            error = (times * chance * (1 - chance)) ** 0.5
            assert abs(count[lost] - times * chance) < 5 * error


def test_a_fight_fits_where_its_ends_do():
    out, prob = np.zeros(8, np.int64), np.zeros(8)
    assert fight(3, 4, 2, out, prob) == 7
    assert out[:7].tolist() == [WON + 3, WON + 2, WON + 1, *(LOST + n for n in (1, 2, 3, 4))]
    assert (out[7], prob[7]) == (0, 0)


# --- the published tables ---

#: Tables 2.4 and 2.5, attackers 1 to 10, by defenders; five cells are printed one digit off.
TAKING = {
    1: [41.67, 75.42, 91.64, 97.15, 99.03, 99.67, 99.89, 99.96, 99.99, 100.00],
    2: [10.61, 36.27, 65.60, 78.55, 88.98, 93.40, 96.66, 98.03, 99.01, 99.42],
    5: [0.18, 4.91, 20.59, 35.86, 50.62, 63.77, 73.64, 81.84, 87.29, 91.63],
    6: [0.04, 2.14, 13.37, 25.25, 39.68, 52.07, 64.01, 72.96, 80.76, 86.11],
    8: [0.00, 0.49, 5.35, 12.34, 22.40, 32.95, 44.56, 54.74, 64.64, 72.40],
    10: [0.00, 0.11, 2.08, 5.72, 11.83, 19.34, 28.68, 37.99, 47.99, 56.76],
}


def the_table(name):
    [found] = [table for table in tables() if table.name == name]
    return found


def printed(name):
    """The rows of a table as people read them, without their names."""
    return [[in_words(cell) for cell in row[1:]] for row in the_table(name).rows]


def test_throws_are_as_published():
    assert printed("2.2") == [
        ["41.67 %", "57.87 %", "65.97 %"],
        ["58.33 %", "42.13 %", "34.03 %"],
    ]
    assert printed("2.3") == [
        ["25.46 %", "", ""],
        ["74.54 %", "", ""],
        ["", "22.76 %", "37.17 %"],
        ["", "32.41 %", "33.58 %"],
        ["", "44.83 %", "29.26 %"],
    ]


def test_taking_a_territory_is_as_published():
    found = printed("2.4 and 2.5")
    for defenders, chances in TAKING.items():
        assert found[defenders - 1] == [f"{chance:.2f} %" for chance in chances]


def test_continents_are_as_published():
    """Tables 2.6 and 2.7, with the attackers from outside, which the source counts but omits."""
    assert {row[0]: row[1:] for row in the_table("2.6").rows} == {
        "Europe": (7, 4, 6, 5),
        "Asia": (12, 5, 6, 7),
        "Australia": (4, 1, 1, 2),
        "Africa": (6, 3, 4, 3),
        "South America": (4, 2, 2, 2),
        "North America": (9, 3, 3, 5),
    }
    worth = {row[0]: row[1:] for row in the_table("2.7").rows}
    for name, published in {
        "Europe": (7.33, 0.95, 1.83, 1.5),
        "Asia": (11, 1.09, 2.2, 1.2),
        "Australia": (3.33, 1.2, 3.33, 1),
        "Africa": (5, 1.2, 1.67, 1.33),
        "South America": (3.33, 1.2, 1.67, 1),
        "North America": (8, 1.13, 2.67, 1),
    }.items():
        assert [in_words(float(z)) for z in worth[name]] == [f"{z:.2f}" for z in published]


def test_a_turn_branches_as_published():
    assert printed("section 2.4") == [
        ["2380", "3.38"],
        ["7.08e+28", "28.85"],
    ]
