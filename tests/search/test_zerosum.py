"""Zero-sum games by linear programming, against values worked out by hand and known ones."""

import itertools

import numpy as np
import pytest

from kostka.core.errors import KostkaError
from kostka.search.zerosum import Plans, at_least, at_most, one_point, solve


def test_a_matrix_game_by_hand():
    """Low mixes so that both columns cost the same: 3 p + (1 - p) 0 = p + 2 (1 - p), p = 1/2."""
    found = solve([[3, 1], [0, 2]], one_point(2), one_point(2))
    assert found.at_least == pytest.approx(1.5)
    assert found.at_most == pytest.approx(1.5)
    assert found.low == pytest.approx([1 / 2, 1 / 2])
    assert found.high == pytest.approx([1 / 4, 3 / 4])


def test_a_saddle_point_needs_no_mixing():
    found = solve([[2, 3], [1, 4], [5, 6]], one_point(3), one_point(2))
    assert found.at_least == found.at_most == 3
    assert found.low.tolist() == [1, 0, 0]


def kuhn():
    """Kuhn's poker; high deals first: bet or check; low answers; after check and bet high again."""
    cards = range(3)
    # High's points: a card (check, bet), then card after check-bet (fold, call).
    high = Plans(
        [1.0] * 3 + [0.0] * 3,
        [p for p in range(6) for _ in range(2)],
        [(2 * card, 3 + card) for card in cards],
    )
    # Low's points: a card after a check (check, bet), a card after a bet (fold, call).
    low = Plans([1.0] * 6, [p for p in range(6) for _ in range(2)])
    payoff = np.zeros((12, 12))
    for mine, other in itertools.permutations(cards, 2):
        win, chance = (1 if mine > other else -1), 1 / 6
        checks, bets, folds, calls = 2 * mine, 2 * mine + 1, 6 + 2 * mine, 7 + 2 * mine
        payoff[2 * other, checks] += chance * win
        payoff[2 * other + 1, folds] -= chance
        payoff[2 * other + 1, calls] += chance * 2 * win
        payoff[6 + 2 * other, bets] += chance
        payoff[7 + 2 * other, bets] += chance * 2 * win
    return payoff, low, high


def test_kuhn_poker_costs_the_first_player_an_eighteenth():
    payoff, low, high = kuhn()
    found = solve(payoff, low, high)
    assert found.at_least == pytest.approx(-1 / 18)
    assert found.at_most == pytest.approx(-1 / 18)


def test_a_plan_that_is_not_the_best_is_sure_of_less():
    """High always bets in Kuhn's poker: low calls with a king, folds a jack, and either with a
    queen. Against a king (2 deals of 6) high loses 2, against a jack he wins 1, against a queen
    he wins 1, or 2 and loses 2: (2 · -2 + 2 · 1 + 0) / 6 = -1/3 when the queen calls."""
    payoff, low, high = kuhn()
    bets = high.tidy(np.array([0.0, 1.0] * 6))
    assert at_least(payoff, low, bets) == pytest.approx(-1 / 3)


def test_random_games_are_solved_to_the_same_value_from_both_sides():
    rng = np.random.default_rng(1)
    for _ in range(5):
        payoff = rng.normal(size=(7, 9))
        found = solve(payoff, one_point(7), one_point(9))
        assert found.at_least == pytest.approx(found.at_most, abs=1e-9)
        assert found.at_least == pytest.approx((payoff @ found.high).min())
        assert found.at_most == pytest.approx((found.low @ payoff).max())
        mirrored = solve(-payoff.T, one_point(9), one_point(7))
        assert mirrored.at_least == pytest.approx(-found.at_least, abs=1e-9)


def test_the_best_reply_to_a_plan_is_the_best_of_all_pure_plans():
    payoff, low, high = kuhn()
    plan = low.tidy(np.random.default_rng(2).random(12))
    pure = []
    for picks in itertools.product((0, 1), repeat=6):
        rough = np.zeros(12)
        rough[[2 * p + pick for p, pick in enumerate(picks)]] = 1
        pure.append(plan @ payoff @ high.tidy(rough))
    assert at_most(payoff, high, plan) == pytest.approx(max(pure))


def test_a_tidy_plan_shares_out_exactly_what_comes():
    plans = Plans([0.5, 0.5, 0], [0, 0, 1, 2, 2], [(0, 2), (2, 2)])
    tidy = plans.tidy(np.array([0.3, 0.1, 7.0, -1e-15, 0.2]))
    assert tidy == pytest.approx([0.375, 0.125, 0.5, 0, 0.875])
    assert plans.flow @ tidy == pytest.approx(plans.start)
    assert plans.tidy(np.zeros(5)) == pytest.approx([0.25, 0.25, 0.5, 0.375, 0.375])


@pytest.mark.parametrize(
    ("start", "point", "feeds", "words"),
    [
        ([1, 0], [0, 0], [], "each of the 2 decision points needs a choice"),
        ([1, 0], [1, 0], [], "in the order"),
        ([1, 0], [0, 1], [(1, 0)], "a later decision point"),
    ],
)
def test_plans_that_make_no_sense_are_refused(start, point, feeds, words):
    with pytest.raises(KostkaError, match=words):
        Plans(start, point, feeds)


def test_payoffs_must_fit_the_plans():
    with pytest.raises(KostkaError, match="2 × 2 choices, the plans have 3 × 2"):
        solve([[1, 2], [3, 4]], one_point(3), one_point(2))
