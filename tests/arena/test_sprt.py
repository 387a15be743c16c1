"""The sequential test: its errors are those it promises, and it stops when it should."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from kostka.arena.sprt import Lineup, Sprt, log_ratio, prior
from kostka.core.errors import KostkaError

TWO, THREE, FOUR, TWO_OF_FOUR = Lineup(2), Lineup(3), Lineup(4), Lineup(4, 2)
LINEUPS = [TWO, THREE, FOUR, Lineup(3, 2), TWO_OF_FOUR, Lineup(6, 5)]
PENTANOMIAL = np.array([0, 0.25, 0.5, 0.75, 1])
TESTS = 1200


# --- simulated tests ---


def luck(lineup: Lineup, spread: float) -> tuple[np.ndarray, np.ndarray]:
    """Block scores between equals and their chances, where luck belongs to seats and all the
    games of a block share it: the more it spreads, the more the rotation cancels."""
    n, rng = lineup.players, np.random.default_rng(1)
    strength = np.exp(spread * rng.normal(size=(20_000, n)))
    chance = strength / strength.sum(axis=1, keepdims=True)
    gains = np.zeros(len(chance), int)
    for game in range(n):
        mine = chance[:, [(game + seat) % n for seat in range(lineup.new)]].sum(axis=1)
        gains += rng.random(len(chance)) < mine
    scores = np.array([lineup.score(wins / n) for wins in range(n + 1)])
    return scores, np.bincount(gains, minlength=n + 1) / len(gains)


def with_mean(scores: np.ndarray, chances: np.ndarray, mean: float) -> np.ndarray:
    """Chances with another mean, as near to the given ones as can be."""

    def tilted(x: float) -> np.ndarray:
        weights = chances * np.exp(x * (scores - mean))
        return weights / weights.sum()

    return tilted(brentq(lambda x: tilted(x) @ scores - mean, -40, 40))


def simulate(test: Sprt, scores, chances, tests: int = TESTS, longest: int = 3000):
    """Shares of tests that end stronger and not stronger, and how many blocks they take."""
    rng = np.random.default_rng(7)
    weights = np.zeros((len(scores), tests))
    weights[[0, -1]] = prior(*test.hypotheses, scores[0], scores[-1])[:, None]
    tilts = np.zeros(tests), np.zeros(tests)
    stronger = weaker = blocks = 0
    for block in range(1, longest + 1):
        drawn = np.searchsorted(np.cumsum(chances)[:-1], rng.random(weights.shape[1]))
        weights[drawn, np.arange(weights.shape[1])] += 1
        llr, tilts = log_ratio(scores[:, None], weights, test.hypotheses, tilts)
        up, down = llr >= test.bounds[1], llr <= test.bounds[0]
        stronger, weaker = stronger + up.sum(), weaker + down.sum()
        blocks += block * (up | down).sum()
        on = ~(up | down)
        weights, tilts = weights[:, on], (tilts[0][on], tilts[1][on])
        if not on.any():
            break
    assert stronger + weaker == tests
    return stronger / tests, weaker / tests, blocks / tests


PAIRS = {
    "the games of a pair are independent": (50, [0.25, 0, 0.5, 0, 0.25]),
    "the games of a pair cancel": (20, [0.03, 0.02, 0.9, 0.02, 0.03]),
    "the games of a pair go the same way": (80, [0.42, 0.05, 0.06, 0.05, 0.42]),
    "half of the games are draws": (35, [0.06, 0.2, 0.48, 0.2, 0.06]),
}


@pytest.mark.parametrize("pairs", PAIRS)
def test_two_players_are_judged_as_wrongly_as_promised_and_no_more(pairs):
    elo, chances = PAIRS[pairs]
    check_errors(Sprt(TWO, elo=(0, elo)), PENTANOMIAL, np.array(chances))


@pytest.mark.parametrize(
    ("lineup", "spread", "elo"), [(THREE, 0.0, 60), (THREE, 3.0, 40), (FOUR, 1.0, 50)]
)
def test_one_among_many_is_judged_as_wrongly_as_promised_and_no_more(lineup, spread, elo):
    check_errors(Sprt(lineup, elo=(0, elo)), *luck(lineup, spread))


def test_two_among_four_are_judged_as_wrongly_as_promised_and_no_more():
    check_errors(Sprt(TWO_OF_FOUR, elo=(0, 40)), *luck(TWO_OF_FOUR, 1.0))


def test_each_error_has_its_own_bound():
    test = Sprt(TWO, elo=(-10, 40), alpha=0.02, beta=0.15)
    check_errors(test, PENTANOMIAL, np.array([0.06, 0.2, 0.48, 0.2, 0.06]), 0.02, 0.15)


def check_errors(test: Sprt, scores, chances, alpha: float = 0.05, beta: float = 0.05) -> None:
    """Simulate both hypotheses: the share of wrong verdicts is right within its noise."""
    for truth, error in zip(test.hypotheses, (alpha, beta), strict=True):
        under = with_mean(scores, chances, truth)
        stronger, weaker, blocks = simulate(test, scores, under)
        wrong = stronger if truth == test.hypotheses[0] else weaker
        noise = math.sqrt(error * (1 - error) / TESTS)
        assert error / 3 < wrong < error + 2.5 * noise
        theory = test.expected_blocks(truth, under @ (scores - truth) ** 2)
        assert 0.95 < blocks / theory < 1.4


def test_long_tests_take_as_many_blocks_as_walds_theory_says():
    chances = np.array([0.06, 0.2, 0.48, 0.2, 0.06])
    test = Sprt(TWO, elo=(0, 30))
    for elo in (-15, 15, 60):
        truth = TWO.score_at(elo)
        under = with_mean(PENTANOMIAL, chances, truth)
        *_, blocks = simulate(test, PENTANOMIAL, under, tests=500)
        theory = test.expected_blocks(truth, under @ (PENTANOMIAL - truth) ** 2)
        assert blocks == pytest.approx(theory, rel=0.12)


def test_continuous_scores_are_judged_as_well():
    rng = np.random.default_rng(3)
    right = 0
    for elo in [0, 60] * 40:
        test = Sprt(FOUR, elo=(0, 60))
        run_through(test, rng.normal(FOUR.score_at(elo), 0.3, 1000).clip(FOUR.low, FOUR.high))
        right += test.verdict == ("stronger" if elo else "not stronger")
    assert right >= 70


def run_through(test: Sprt, scores: np.ndarray) -> None:
    """Feed scores one by one until there is a verdict."""
    assert any(test.add(score) for score in scores)


# --- the likelihood ratio ---


def fed(scores, lineup: Lineup = TWO, elo: tuple[float, float] = (0, 20), **rest) -> Sprt:
    test = Sprt(lineup, elo=elo, **rest)
    test.add(scores)
    return test


def likeliest(scores: np.ndarray, weights: np.ndarray, mean: float) -> float:
    """The greatest log-likelihood among the distributions with a mean, as fishtest finds it."""
    gaps = scores - mean
    edges = -1 / gaps.max() + 1e-9, -1 / gaps.min() - 1e-9
    x = brentq(lambda x: (weights * gaps / (1 + x * gaps)).sum(), *edges, xtol=1e-14)
    chances = weights / weights.sum() / (1 + x * gaps)
    assert chances.sum() == pytest.approx(1)
    assert chances @ scores == pytest.approx(mean)
    return weights @ np.log(chances)


@pytest.mark.parametrize("lineup", LINEUPS)
def test_the_ratio_is_that_of_the_likeliest_distributions(lineup):
    rng = np.random.default_rng(4)
    scores = np.array([lineup.low, lineup.high, *map(lineup.score, rng.random(3))])
    for _ in range(20):
        counts = rng.integers(0, 30, 5)
        test = fed(np.repeat(scores, counts), lineup, alpha=1e-9, beta=1e-9)
        weights = counts.astype(float)
        weights[:2] += prior(*test.hypotheses, lineup.low, lineup.high)
        s0, s1 = test.hypotheses
        expected = likeliest(scores, weights, s1) - likeliest(scores, weights, s0)
        assert test.llr == pytest.approx(expected, abs=1e-6)


def test_it_does_not_matter_in_which_order_or_batches_blocks_come():
    scores = np.random.default_rng(5).choice(PENTANOMIAL, 200)
    test = fed(scores)
    assert fed(scores[::-1]).llr == test.llr
    assert fed(np.sort(scores).tolist()).estimate() == test.estimate()
    single = Sprt(TWO, elo=(0, 20))
    for score in scores:
        single.add(score)
    assert single.blocks == test.blocks == 200
    assert single.llr == pytest.approx(test.llr, abs=1e-8)


def test_the_other_side_sees_the_opposite():
    scores = np.random.default_rng(6).random(50)
    new, old = fed(scores, elo=(-10, 10)), fed(1 - scores, elo=(-10, 10))
    assert new.llr == pytest.approx(-old.llr, abs=1e-6)


def test_scores_that_differ_by_rounding_are_one():
    assert fed([0.1 + 0.2] * 9).llr == fed([0.3] * 9).llr
    third = Lineup(3)
    assert fed([third.block([1, 0, 0])] * 9, third).llr == fed([0.5] * 9, third).llr


# --- how it ends ---


@pytest.mark.parametrize("lineup", LINEUPS)
def test_nothing_but_wins_is_stronger_but_not_at_once(lineup):
    test = Sprt(lineup, elo=(0, 20))
    run_through(test, np.full(1000, lineup.high))
    assert test.verdict == "stronger"
    at_best = np.log(np.subtract(test.hypotheses, lineup.low))
    assert test.blocks == pytest.approx(test.bounds[1] / np.diff(at_best)[0], rel=0.03)
    assert test.estimate().value == test.estimate().high == lineup.high
    assert 0.5 < test.estimate(always=True).low < test.estimate().low < lineup.high
    assert "at least +" in test.sentence("a", "b")


@pytest.mark.parametrize("lineup", LINEUPS)
def test_nothing_but_losses_is_not_stronger_but_not_at_once(lineup):
    test = Sprt(lineup, elo=(0, 20))
    run_through(test, np.full(1000, lineup.low))
    assert test.verdict == "not stronger"
    assert test.blocks > 15
    assert "at most -" in test.sentence("a", "b")


@pytest.mark.parametrize("lineup", LINEUPS)
def test_nothing_but_equal_blocks_is_not_stronger(lineup):
    test = Sprt(lineup, elo=(0, 20))
    run_through(test, np.full(1000, 0.5))
    assert test.verdict == "not stronger"
    assert test.blocks > 30
    assert test.estimate().value == 0.5
    assert test.estimate().low < 0.5 < test.estimate().high


def test_nothing_but_equal_blocks_says_nothing_about_worse_against_better():
    assert fed([0.5] * 1000, elo=(-10, 10)).llr == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("elo", [1, 20, 100, 400])
def test_no_single_block_decides(elo):
    for score in PENTANOMIAL:
        assert fed([score], elo=(0, elo)).verdict is None


def test_a_test_gives_up_at_its_limit():
    test = Sprt(TWO, elo=(0, 1), limit=10)
    verdicts = [test.add(score) for score in [0, 1] * 5]
    assert verdicts == [None] * 9 + ["undecided"]
    assert "undecided" in test.sentence("a", "b")


def test_a_verdict_is_final():
    test = fed([1] * 200)
    assert test.verdict == "stronger"
    before = test.llr, test.blocks, test.estimate()
    assert test.add([0] * 1000) == "stronger"
    assert (test.llr, test.blocks, test.estimate()) == before


def test_the_blocks_to_come():
    test = Sprt(TWO, elo=(0, 20), limit=3000)
    start = test.remaining
    assert start == pytest.approx(test.expected_blocks(sum(test.hypotheses) / 2, 0.25), rel=0.01)
    test.add([1, 0.5, 0.5, 0.5] * 10)
    assert test.verdict is None
    assert 1 <= test.remaining < start / 3
    assert fed([0.5, 1, 0] * 30, limit=95).remaining == 5
    assert fed([1] * 200).remaining == 0


def test_the_blocks_to_come_are_about_right_on_average():
    rng, chances = np.random.default_rng(8), [0.05, 0.2, 0.5, 0.2, 0.05]
    guessed, taken = [], []
    for _ in range(100):
        test = Sprt(TWO, elo=(0, 60))
        test.add(rng.choice(PENTANOMIAL, 15, p=chances))
        if test.verdict is None:
            guessed.append(test.remaining)
            run_through(test, rng.choice(PENTANOMIAL, 1000, p=chances))
            taken.append(test.blocks - 15)
    assert np.mean(guessed) == pytest.approx(np.mean(taken), rel=0.4)


# --- estimates ---


def test_the_plain_interval_covers_when_the_number_of_blocks_was_fixed():
    rng, chances = np.random.default_rng(9), with_mean(*luck(FOUR, 1.0), 0.6)
    scores, _ = luck(FOUR, 1.0)
    covered = 0
    for _ in range(200):
        found = fed(rng.choice(scores, 100, p=chances), FOUR).estimate()
        covered += found.low <= 0.6 <= found.high
    assert 0.92 < covered / 200 < 0.98


def test_after_stopping_the_plain_estimate_leans_out_and_the_other_interval_still_covers():
    rng, chances = np.random.default_rng(10), [0.05, 0.2, 0.5, 0.2, 0.05]
    truth = TWO.score_at(80)
    under = with_mean(PENTANOMIAL, np.array(chances), truth)
    plain, always, values = 0, 0, []
    for _ in range(100):
        test = Sprt(TWO, elo=(0, 80))
        run_through(test, rng.choice(PENTANOMIAL, 1000, p=under))
        found, surely = test.estimate(), test.estimate(always=True)
        plain += found.low <= truth <= found.high
        always += surely.low <= truth <= surely.high
        values.append(found.value)
        assert surely.low < found.low < found.value < found.high < surely.high
    assert np.mean(values) > truth
    assert always >= 95
    assert plain >= 85


def test_before_the_first_block_anything_is_possible():
    test = Sprt(FOUR, elo=(0, 20))
    assert test.estimate() == (0.5, FOUR.low, FOUR.high)
    assert test.add([]) is None
    assert "strength unknown" in test.sentence("a", "b")


# --- scores and Elo ---


def test_the_score_of_two_players_is_the_usual_one():
    assert (TWO.low, TWO.high) == (0, 1)
    assert TWO.block([1, 0.5]) == 0.75
    assert TWO.score_at(100) == pytest.approx(1 / (1 + 10 ** (-100 / 400)))


@pytest.mark.parametrize("lineup", LINEUPS)
def test_scores_of_any_lineup(lineup):
    n, k = lineup.players, lineup.new
    other = Lineup(n, n - k)
    assert lineup.score(k / n) == lineup.score_at(0) == 0.5
    for share in (0, 0.1, 0.5, 0.9, 1):
        assert lineup.share(lineup.score(share)) == pytest.approx(share)
        assert lineup.score(share) + other.score(1 - share) == pytest.approx(1)
    assert lineup.score_at(1) - 0.5 == pytest.approx(TWO.score_at(1) - 0.5, rel=0.01)


@pytest.mark.parametrize("lineup", LINEUPS)
def test_elo_is_the_chance_of_plackett_and_luce(lineup):
    n, k = lineup.players, lineup.new
    for elo in (-700, -50, -1, 0, 3, 200, 900):
        strength = 10 ** (elo / 400)
        share = k * strength / (k * strength + n - k)
        assert lineup.score_at(elo) == pytest.approx(lineup.score(share))
        assert lineup.elo_at(lineup.score_at(elo)) == pytest.approx(elo, abs=1e-6)
    assert lineup.elo_at(lineup.low) == -math.inf
    assert lineup.elo_at(lineup.high) == math.inf


def test_hypotheses_may_be_given_in_elo_or_as_scores():
    scores = FOUR.score_at(5), FOUR.score_at(25)
    assert Sprt(FOUR, score=scores).hypotheses == Sprt(FOUR, elo=(5, 25)).hypotheses
    assert Sprt(TWO, score=(0.5, 0.52)).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)


# --- words ---


def test_the_verdict_in_words():
    won = fed([0.5, 1, 0.5, 0.5, 0.75] * 16)
    assert won.sentence("mcts:c=0.3", "mcts") == (
        "mcts:c=0.3 is stronger than mcts (LLR 4.44 > 2.94 after 160 games, +108 ± 33 Elo)"
    )
    lost = fed([0.5, 0, 0.5, 0.5, 0.25] * 16, games_per_block=4)
    assert lost.sentence("b", "a") == (
        "b is not stronger than a (LLR -4.71 < -2.94 after 320 games, -108 ± 33 Elo)"
    )
    still = fed([FOUR.low, FOUR.high], FOUR).sentence("b", "a")
    assert still.startswith("whether b is stronger than a is still open (LLR ")
    assert " between -2.94 and 2.94 after 8 games, " in still


def test_the_verdict_names_the_margin_where_it_is_not_zero():
    won, lost = fed([1] * 999, elo=(-5, 0)), fed([0] * 999, elo=(5, 15))
    assert won.sentence("b", "a").startswith("b is stronger than a by more than -5 Elo (")
    assert lost.sentence("b", "a").startswith("b is not stronger than a by +15 Elo (")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: Lineup(1), "at least 2 players, not 1"),
        (lambda: Lineup(4, 4), "1 to 3 of 4 seats, not 4"),
        (lambda: Lineup(4, 0), "1 to 3 of 4 seats, not 0"),
        (lambda: Sprt(TWO), "either in Elo or as scores"),
        (lambda: Sprt(TWO, elo=(0, 5), score=(0.5, 0.6)), "either in Elo or as scores"),
        (lambda: Sprt(TWO, elo=(5, 5)), "below the second, .* not 5 and 5 Elo"),
        (lambda: Sprt(TWO, elo=(0, math.nan)), "not 0 and nan Elo"),
        (lambda: Sprt(TWO, elo=(0, 1e9)), "within reach, not 0 and 1e"),
        (lambda: Sprt(TWO, score=(0.6, 0.5)), "below the second, .* not 0.6 and 0.5"),
        (lambda: Sprt(TWO, score=(0.5, 1)), "scores of 0 and 1, not 0.5 and 1"),
        (lambda: Sprt(TWO, elo=(0, 5), alpha=0), "alpha must be between 0 and 0.5, not 0"),
        (lambda: Sprt(TWO, elo=(0, 5), beta=0.5), "beta must be between 0 and 0.5, not 0.5"),
        (lambda: Sprt(TWO, elo=(0, 5), limit=0), "limit must be at least 1, not 0"),
        (lambda: Sprt(TWO, elo=(0, 5), games_per_block=0), "games_per_block must be at least 1"),
        (lambda: fed([0.5, 1.1]), "between 0 and 1, not 1.1"),
        (lambda: fed(math.nan), "between 0 and 1, not nan"),
        (lambda: fed([0.5]).estimate(95), "confidence must be between 0 and 1, not 95"),
        (lambda: TWO.block([1, 2]), r"from 0 to 1 in each game of a block, not \[1, 2\]"),
        (lambda: TWO.block([]), r"not \[\]"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(wrong, sentence):
    with pytest.raises(KostkaError, match=sentence) as refused:
        wrong()
    assert "\n" not in str(refused.value)


def test_a_refused_batch_changes_nothing():
    test = fed([1, 0.5])
    before = test.llr, test.blocks
    with pytest.raises(KostkaError):
        test.add([0.5, -1])
    assert (test.llr, test.blocks) == before
