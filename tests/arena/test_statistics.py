"""Statistics: by hand where a few games suffice, by simulation where the truth is known."""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from kostka.arena.estimates import holm, t_test
from kostka.arena.results import Results, places
from kostka.arena.statistics import (
    by_seat,
    consecutive_pairs,
    cross_table,
    cross_table_by_seat,
    distribution,
    duplicate,
    duplicate_gain,
    lengths,
    over_time,
    points,
    seat_advantage,
    share_interval,
    standings,
    t_tests,
    t_tests_by_seat,
    times,
    trend,
    wilson,
)
from kostka.core.errors import KostkaError

Row = dict[str, object]


@dataclass
class Table:
    """One game as a test tells it: agents as letters by seat, their gains and scores."""

    agents: str
    gains: Sequence[float]
    scores: Sequence[float] = ()
    block: int = 0
    match: int = 0
    length: int = 10
    time: float = math.nan
    memory: float = math.nan


def results(*games: Table, learners: str = "") -> Results:
    """The games as columns; games with no scores have their gains for scores."""
    names = tuple(sorted({name for game in games for name in game.agents}))
    seen: dict[int, int] = {}
    rows = []
    for number, game in enumerate(games):
        nth = seen[game.match] = seen.get(game.match, -1) + 1
        scores = game.scores or game.gains
        order = places(game.gains, scores)
        for seat, name in enumerate(game.agents):
            whole = (number, game.match, nth, game.block, len(game.agents), seat)
            done = (names.index(name), game.gains[seat], scores[seat], order[seat])
            rows.append((*whole, *done, game.length, game.time, game.memory))
    columns = [np.array(column) for column in zip(*rows, strict=True)] or [np.array([], int)] * 13
    fields = "game match number block players seat agent gain score place length time memory"
    return Results(
        names,
        **dict(zip(fields.split(), columns, strict=True)),
        seconds=np.full((len(rows), 1), np.nan),
        decisions=np.zeros((len(rows), 1), int),
        learners=frozenset(learners),
    )


def duel(gains: np.ndarray, scores: np.ndarray | None = None) -> Results:
    """Blocks × 2 games of a and b with the seats exchanged, given what a got in each seat."""
    games = []
    for block, row in enumerate(gains):
        for seat, gain in enumerate(row):
            side = slice(None, None, -1 if seat else 1)
            pair = () if scores is None else scores[block, seat].tolist()
            got = (float(gain), 1 - float(gain))
            games.append(Table("ab"[side], got[side], pair[side], block))
    return results(*games)


def row(rows: list[Row], **wanted: object) -> Row:
    """The only row with these values."""
    found = [r for r in rows if all(r[key] == value for key, value in wanted.items())]
    assert len(found) == 1, (wanted, rows)
    return found[0]


def only(r: Row, *names: str) -> tuple[object, ...]:
    return tuple(r[name] for name in names)


# --- the interval of a share ---


def test_wilson_agrees_with_scipy():
    expected = stats.binomtest(7, 20).proportion_ci(0.95, method="wilson")
    assert wilson(0.35, 20) == pytest.approx((expected.low, expected.high))
    assert wilson(0.35, 20.0) == wilson(0.35, 20)
    assert wilson(0.0, 0) == (0.0, 1.0)


def test_few_blocks_or_blocks_all_alike_count_every_game():
    few = share_interval([1, 0, 0, 1, 1], [0, 0, 0, 1, 1])
    assert few == (0.6, *wilson(0.6, 5))
    alike = share_interval([1, 0] * 30, np.repeat(np.arange(30), 2))
    assert alike == (0.5, *wilson(0.5, 60))
    assert share_interval([1.0] * 40, np.arange(40)) == (1.0, *wilson(1.0, 40))
    assert share_interval([], []) == (0.0, 0.0, 1.0)


def test_blocks_of_equal_games_count_as_one_game_each():
    gains = np.tile([1.0, 1.0, 0.0], 20)
    clustered = share_interval(np.repeat(gains, 4), np.repeat(np.arange(60), 4))
    single = share_interval(gains, np.arange(60))
    assert clustered == pytest.approx(single)
    # 60 blocks whose variance is that of 60 games with one degree of freedom taken away
    far = stats.t.ppf(0.975, 59)
    assert single == pytest.approx((2 / 3, *wilson(2 / 3, 59, far)))


def test_duplicate_play_narrows_the_interval():
    seats = np.tile([1.0, 0.0], 40)
    seats[:6] = 1.0
    blocks = np.repeat(np.arange(40), 2)
    paired, apart = share_interval(seats, blocks), share_interval(seats, np.arange(80))
    assert paired.share == apart.share
    assert paired.high - paired.low < 0.5 * (apart.high - apart.low)


def test_blocks_of_different_sizes_weigh_by_their_games():
    # 20 blocks of one lost game and 20 of three won games: the residuals are -3/4 and +3/4.
    gains = np.array([0.0] * 20 + [1.0] * 60)
    blocks = np.concatenate([np.arange(20), np.repeat(np.arange(20, 40), 3)])
    found = share_interval(gains, blocks)
    variance = 40 / 39 * 40 * 0.75**2 / 80**2
    assert found.share == 0.75
    games = 0.75 * 0.25 / variance
    assert found == pytest.approx((0.75, *wilson(0.75, games, stats.t.ppf(0.975, 39))))


def shared_luck(
    rng: np.random.Generator, strength: float, luck: float, blocks: int = 30
) -> np.ndarray:
    """Blocks of two games; positive luck helps an agent in both of them, negative in one."""
    board = rng.normal(size=(blocks, 1)) * luck * np.array([[1, np.sign(luck)]])
    return (board + rng.normal(size=(blocks, 2)) < strength).astype(float)


@pytest.mark.parametrize(("luck", "strength"), [(1.5, 0.0), (-1.5, 0.0), (1.0, -1.5), (-2.0, 2.0)])
def test_the_interval_covers_the_truth_whether_luck_is_shared_or_exchanged(luck, strength):
    truth = stats.norm.cdf(strength / math.hypot(1, luck))
    rng = np.random.default_rng(7)
    blocks, trials = np.repeat(np.arange(30), 2), 1500
    inside = 0
    for _ in range(trials):
        found = share_interval(shared_luck(rng, strength, luck).ravel(), blocks)
        inside += found.low <= truth <= found.high
    assert 0.93 <= inside / trials <= 0.975


def test_an_impossible_level_is_refused():
    with pytest.raises(KostkaError, match="between 0 and 1"):
        share_interval([1.0], [0], 95)


# --- standings ---


def test_standings_by_hand():
    found = standings(
        results(
            Table("abc", (0, 1, 0), (3, 10, 5), 0),
            Table("bca", (0.5, 0.5, 0), (8, 8, 2), 0),
            Table("bb", (1, 0), (7, 1), 1),
            learners="c",
        )
    )
    assert [r["agent"] for r in found] == ["b", "c", "a"]
    b, c, a = found
    assert only(b, "games", "wins", "draws", "losses") == (4, 2, 1, 1)
    assert b["share"] == pytest.approx(2.5 / 4)
    assert (b["low"], b["high"]) == pytest.approx(wilson(2.5 / 4, 4))
    assert b["place"] == pytest.approx((1 + 1.5 + 1 + 2) / 4)
    assert b["score"] == pytest.approx((10 + 8 + 7 + 1) / 4)
    assert only(c, "games", "wins", "draws", "losses", "learner") == (2, 0, 1, 1, True)
    assert only(a, "place", "score", "worth", "learner") == (3, 2.5, None, False)


def test_a_part_of_the_point_is_no_draw():
    """A draw is an equal share of all the living."""
    found = standings(
        results(
            Table("abc", (0.6, 0.3, 0.1), block=0),
            Table("abc", (0.5, 0.5, 0), block=1),
            Table("abc", (0.2, 0.4, 0.4), block=2),
        )
    )
    told = {row["agent"]: only(row, "wins", "draws", "losses") for row in found}
    assert told == {"a": (1, 1, 1), "b": (1, 1, 1), "c": (1, 0, 2)}


def test_agents_of_equal_share_stay_in_order_in_spite_of_rounding():
    games = [Table("ab", (0.3, 0.1)), Table("ab", (0.2, 0.2)), Table("ab", (0.1, 0.3))]
    assert 0.1 + 0.2 + 0.3 > 0.3 + 0.2 + 0.1
    assert [r["agent"] for r in standings(results(*games))] == ["a", "b"]


def test_worth_is_the_duplicate_gain_where_every_block_is_a_full_rotation():
    gains = shared_luck(np.random.default_rng(3), 0.0, -1.5, 1000)
    worth = [r["worth"] for r in standings(duel(gains))]
    assert worth == pytest.approx([duplicate_gain(gains.tolist())] * 2)
    # the games' correlation r is 2/π asin of that of the normal variables; a game is worth 1/(1+r)
    correlation = 2 / math.pi * math.asin(-(1.5**2) / (1 + 1.5**2))
    assert worth[0] == pytest.approx(1 / (1 + correlation), rel=0.1)
    assert standings(duel(gains[:19]))[0]["worth"] is None


def test_independent_games_are_worth_one_game_also_in_mixed_line_ups():
    # Line-ups and seats of very different strength, each in a few blocks of uneven sizes only.
    rng = np.random.default_rng(5)
    found = []
    for _ in range(40):
        games = []
        for block in range(60):
            for other in "bcdef"[: 1 + block % 3 + block // 30]:
                gain = float(rng.random() < "_fedcb".index(other) / 6)
                games.append(Table("a" + other, (gain, 1 - gain), block=block))
        found.append(row(standings(results(*games)), agent="a")["worth"])
    assert np.mean(found) == pytest.approx(1, abs=0.1)


def test_two_seats_of_one_agent_are_compared_each_with_itself():
    gains = (np.random.default_rng(5).random((40, 2)) < [0.9, 0.1]).astype(float)
    games = [Table("aab", (*got, 0.0), block=i) for i, got in enumerate(gains.tolist())]
    worth = row(standings(results(*games)), agent="a")["worth"]
    assert worth == pytest.approx(duplicate_gain(gains.tolist()))


def test_a_line_up_of_a_single_block_does_not_pretend_to_save_games():
    gains = shared_luck(np.random.default_rng(3), 0.3, -1.5)
    usual = duel(gains)
    games = [
        Table("ab" if i % 2 == 0 else "ba", (g, 1 - g), block=i // 2)
        for i, g in enumerate(usual.gain[::2])
    ]
    more = results(*games, *[Table("ac", (k % 2, 1 - k % 2), block=99) for k in range(50)])
    assert row(standings(more), agent="a")["worth"] == pytest.approx(
        row(standings(usual), agent="a")["worth"]
    )


# --- pairs of agents ---


def test_t_tests_are_paired_t_tests_over_blocks():
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(30, 2, 2)) + rng.normal(size=(30, 1, 1)) + [0.4, 0]
    played = duel((scores[:, :, 0] > scores[:, :, 1]).astype(float), scores)
    (found,) = t_tests(played, level=0.9)
    means = scores.mean(axis=1)
    expected = stats.ttest_rel(means[:, 0], means[:, 1])
    interval = expected.confidence_interval(0.9)
    assert only(found, "one", "other", "blocks") == ("a", "b", 30)
    assert only(found, "t", "p") == pytest.approx((expected.statistic, expected.pvalue))
    assert only(found, "low", "high") == pytest.approx((interval.low, interval.high))
    assert found["holm"] == found["p"]
    assert found["significant"] == (expected.pvalue < 0.1)


def test_t_tests_average_over_seats_then_games_then_blocks():
    played = results(
        Table("aab", (1, 0, 0), (10, 4, 1), 0),  # a is 9 and 3 ahead, so 6
        Table("abc", (1, 0, 0), (5, 3, 0), 0),  # 2
        Table("abb", (0, 1, 0), (1, 2, 3), 1),  # -1 and -2, so -1.5
    )
    found = row(t_tests(played), one="a", other="b")
    assert only(found, "blocks", "difference") == (2, pytest.approx((4 - 1.5) / 2))
    assert found["t"] == pytest.approx(1.25 / (5.5 / math.sqrt(2) / math.sqrt(2)))
    assert [only(r, "one", "other") for r in t_tests(played)] == [
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    ]
    assert row(t_tests(played, of="gain"), one="a", other="b")["difference"] == pytest.approx(
        ((0.5 + 1) / 2 - 0.5) / 2
    )
    assert row(t_tests(played, of="place"), one="a", other="b")["difference"] == pytest.approx(
        (((1 + 2) / 2 - 3 + 1 - 2) / 2 + (3 - 1.5)) / 2
    )


def test_an_unknown_measure_is_refused():
    with pytest.raises(KostkaError, match="did you mean score"):
        t_tests(results(Table("ab", (1, 0))), of="scores")


def test_holm_by_hand():
    assert holm([0.04, 0.01, None, 0.03]) == [0.06, 0.03, None, 0.06]
    assert holm([0.9, 0.6]) == [1.0, 1.0]
    assert holm([None]) == [None]


def test_what_is_significant_follows_from_holm():
    rng = np.random.default_rng(8)
    games = []
    for block in range(40):
        scores = rng.normal(size=3) + np.array([0.8, 0.4, 0.0])
        for order in permutations(range(3)):
            names = "".join("abc"[i] for i in order)
            gains = tuple(float(i == scores.argmax()) for i in order)
            games.append(Table(names, gains, tuple(scores[[*order]].tolist()), block))
    played = results(*games)
    found = t_tests(played)
    p = [r["p"] for r in found]
    assert [r["holm"] for r in found] == holm(p)
    assert len(p) == 3
    # between the least p and three times that nothing is significant although p alone is
    least = min(p)
    assert least < 0.05
    assert not any(r["significant"] for r in t_tests(played, level=1 - 2 * least))
    assert any(r["significant"] for r in t_tests(played, level=1 - 3.1 * least))


def test_blocks_that_all_say_the_same_are_judged_by_their_signs():
    assert t_test(np.full(5, 2.0)) == (5, 2.0, None, None, None, 2 / 32)
    assert t_test(np.zeros(5)).p == 1
    assert t_test(np.ones(1)) == (1, 1.0, None, None, None, None)
    (found,) = t_tests(duel(np.ones((30, 2))))
    assert only(found, "difference", "t", "significant") == (1, None, True)


def test_cross_table_by_hand():
    played = results(
        Table("abc", (1, 0, 0), (9, 5, 2), 0),
        Table("cab", (0, 0.5, 0.5), (1, 7, 7), 0),
        Table("bab", (1, 0, 0), (8, 6, 3), 1),
    )
    found = cross_table(played)
    ab = row(found, one="a", other="b")
    assert only(ab, "games", "better", "equal", "worse") == (4, 2, 1, 1)
    assert ab["share"] == pytest.approx(2.5 / 4)
    assert (ab["low"], ab["high"]) == pytest.approx(wilson(2.5 / 4, 4))
    assert ab["difference"] == pytest.approx((4 + 0 - 2 + 3) / 4)
    ba = row(found, one="b", other="a")
    assert only(ba, "better", "equal", "worse", "difference") == (1, 1, 2, -1.25)
    assert row(found, one="c", other="a")["share"] == 0
    assert not [r for r in found if r["one"] == r["other"]]
    # a and b both have half a point a game; the earlier name comes first
    assert [r["one"] for r in found] == ["a", "a", "b", "b", "c", "c"]


def test_cross_table_by_seat_by_hand():
    played = results(
        Table("ab", (1, 0), (9, 5), 0),
        Table("ab", (0, 1), (2, 4), 1),
        Table("ba", (0, 1), (1, 2), 1),
        Table("bca", (1, 0, 0), (8, 6, 3), 2),
    )
    found = cross_table_by_seat(played)
    first = row(found, one="a", other="b", players=2, one_seat=1, other_seat=2)
    assert only(first, "games", "better", "worse", "share", "difference") == (2, 1, 1, 0.5, 1)
    second = row(found, one="a", other="b", players=2, one_seat=2, other_seat=1)
    assert only(second, "games", "share", "difference") == (1, 1, 1)
    third = row(found, one="a", other="b", players=3)
    assert only(third, "one_seat", "other_seat", "share", "difference") == (3, 1, 0, -5)
    assert sum(r["games"] for r in found) == 3 * 2 + 6


def test_cross_tables_tell_the_mean_scores_and_who_met_itself():
    played = results(
        Table("ab", (1, 0), (9, 5), 0),
        Table("ba", (1, 0), (4, 2), 0),
        Table("aa", (0, 1), (3, 7), 1),
    )
    ab = row(cross_table(played), one="a", other="b")
    assert only(ab, "score_one", "score_other", "difference") == (5.5, 4.5, 1)
    itself = row(cross_table_by_seat(played), one="a", other="a", one_seat=1)
    assert only(itself, "games", "better", "score_one", "score_other") == (1, 0, 3, 7)


def test_t_tests_by_seat_are_those_of_ordered_pairs():
    rng = np.random.default_rng(8)
    gaps = rng.normal([3, -1], 2, (25, 2))  # a's lead as first, then as second
    scores = np.stack([50 + gaps / 2, 50 - gaps / 2], axis=2)
    scores[:, 1] = scores[:, 1, ::-1]  # in the order of the seats
    games = []
    for block in range(25):
        for seat, who in enumerate(("ab", "ba")):
            games.append(Table(who, (1, 0), scores[block, seat].tolist(), block))
    games += [Table("aa", (1, 0), (50 + x, 50), 100 + i) for i, x in enumerate((1, 2, 3))]
    found = t_tests_by_seat(results(*games))
    assert len(found) == 3
    for one, other, lead in (("a", "b", gaps[:, 0]), ("b", "a", -gaps[:, 1])):
        test = row(found, one=one, other=other)
        expected = stats.ttest_1samp(lead, 0)
        assert only(test, "players", "one_seat", "other_seat", "blocks") == (2, 1, 2, 25)
        assert test["difference"] == pytest.approx(lead.mean())
        assert test["p"] == pytest.approx(expected.pvalue)
    itself = row(found, one="a", other="a")
    assert only(itself, "blocks", "difference") == (3, 2)
    assert itself["p"] == pytest.approx(stats.ttest_1samp([1, 2, 3], 0).pvalue)
    assert [r["holm"] for r in found] == pytest.approx(holm([r["p"] for r in found]))


# --- seats ---


def test_totals_and_scores_of_seats_by_hand():
    played = results(
        Table("ab", (1, 0), (9, 5), 0),
        Table("ba", (1, 0), (7, 3), 1),
        Table("aa", (1, 0), (8, 6), 2),
        Table("abc", (1, 0, 0), (9, 5, 1), 3),
    )
    found = points(played)
    total = row(found, players=2, of="total")
    assert only(total, "seat", "games") == (None, 3)
    assert total["mean"] == pytest.approx(38 / 3)
    assert total["deviation"] == pytest.approx(np.std([14, 10, 14], ddof=1))
    low, high = stats.t.interval(0.95, 2, 38 / 3, stats.sem([14, 10, 14]))
    assert only(total, "low", "high") == pytest.approx((low, high))
    second = row(found, players=2, of="score", seat=2)
    assert only(second, "games", "mean") == (3, pytest.approx(14 / 3))
    first = row(found, players=2, of="difference", seat=1)
    assert first["mean"] == pytest.approx((4 + 4 + 2) / 3)
    assert row(found, players=3, of="difference", seat=1)["mean"] == 9 - 3
    assert only(row(found, players=3, of="total"), "mean", "deviation", "low") == (15, None, None)
    assert len(found) == 5 + 7


def test_by_seat_by_hand():
    played = results(
        Table("abc", (1, 0, 0), (9, 5, 1), 0),
        Table("abc", (0, 0, 1), (2, 4, 6), 1),
        Table("ba", (0, 1), (1, 3), 2),
    )
    found = by_seat(played)
    first = row(found, agent="a", players=3)
    assert only(first, "seat", "games", "share", "place", "score") == (1, 2, 0.5, 2, 5.5)
    assert first["lead"] == pytest.approx(((9 - 3) + (2 - 5)) / 2)
    assert (first["low"], first["high"]) == pytest.approx(wilson(0.5, 2))
    assert only(row(found, agent="a", players=2), "seat", "games", "lead") == (2, 1, 2)
    assert len(found) == 5


def test_seat_advantage_is_a_t_test_of_block_means():
    rng = np.random.default_rng(2)
    gains = (rng.random((25, 2)) < [0.8, 0.4]).astype(float)
    first, second = seat_advantage(duel(gains))
    mine = np.column_stack([gains[:, 0], 1 - gains[:, 1]])
    expected = stats.ttest_1samp(mine.mean(axis=1), 0.5).pvalue
    assert only(first, "players", "seat", "games", "fair") == (2, 1, 50, 0.5)
    assert first["share"] == pytest.approx(mine.mean())
    assert first["p"] == pytest.approx(expected) == second["p"]
    assert first["share"] + second["share"] == pytest.approx(1)
    assert first["low"] + second["high"] == pytest.approx(1)


def test_consecutive_pairs_by_hand_for_a_block_of_all_seatings():
    orders = ["abc", "acb", "bac", "bca", "cab", "cba"]
    # In games where b follows a (abc, bca, cab) a scores 1, b 2 and c 3; otherwise a 6, b 5, c 4.
    forward = {"a": 1, "b": 2, "c": 3}
    backward = {"a": 6, "b": 5, "c": 4}
    games = []
    for order in orders:
        points = forward if order in ("abc", "bca", "cab") else backward
        scores = tuple(points[name] for name in order)
        games.append(Table(order, tuple(float(s == max(scores)) for s in scores), scores))
    found = consecutive_pairs(results(*games))
    assert len(found) == 6
    ab = {
        "one": "a",
        "next": "b",
        "games": 3,
        "place_one": 3,  # behind c, who won, and b, who has more points
        "score_one": 1,
        "place_next": 2,
        "score_next": 2,
        "place_third": 1,
        "score_third": 3,
    }
    assert row(found, one="a", next="b") == ab
    ca = row(found, one="c", next="a")
    assert only(ca, "games", "score_one", "score_next", "score_third") == (3, 3, 1, 2)
    ac = row(found, one="a", next="c")
    assert only(ac, "games", "score_one", "score_next", "score_third") == (3, 6, 4, 5)
    assert only(ac, "place_one", "place_next", "place_third") == (1, 3, 2)


def test_consecutive_pairs_need_three_players():
    assert consecutive_pairs(results(Table("ab", (1, 0)))) == []
    found = consecutive_pairs(results(Table("aab", (1, 0, 0), (7, 2, 3))))
    assert [only(r, "one", "next", "score_one", "score_next") for r in found] == [
        ("a", "a", 7, 2),
        ("a", "b", 2, 3),
        ("b", "a", 3, 7),
    ]


# --- lengths and times ---


def test_lengths_by_hand():
    played = results(
        Table("ab", (1, 0), length=4, time=0.5, memory=80.0),
        Table("ab", (1, 0), length=10, time=1.5),
        Table("ab", (1, 0), length=7),
        Table("abc", (1, 0, 0), length=3),
    )
    two, three = lengths(played)
    assert only(two, "players", "games", "mean", "deviation", "median") == (2, 3, 7, 3, 7)
    assert only(two, "shortest", "longest", "seconds", "memory") == (4, 10, 1, 80)
    assert only(three, "games", "mean", "deviation", "seconds", "memory") == (
        1,
        3,
        None,
        None,
        None,
    )


def test_times_by_hand():
    played = results(Table("ab", (1, 0)), Table("ab", (1, 0)), Table("ab", (0, 1)))
    seconds = np.full((6, 2), np.nan)
    seconds[[0, 2]] = [[0.1, 0.3], [0.2, 0.1]]  # a's first two games, its third not clocked
    decisions = np.array([[5, 1], [9, 9], [10, 0], [9, 9], [7, 7], [9, 9]])
    played = replace(played, phases=("move", "trade"), seconds=seconds, decisions=decisions)
    assert times(played) == [
        {"agent": "a", "phase": "move", "decisions": 15, "ms": pytest.approx(20)}
        | {"ms_game": pytest.approx(150)},
        {"agent": "a", "phase": "trade", "decisions": 1, "ms": pytest.approx(300)}
        | {"ms_game": pytest.approx(200)},
        {"agent": "a", "phase": "all", "decisions": 16, "ms": pytest.approx(600 / 16)}
        | {"ms_game": pytest.approx(350)},
    ]


def test_time_without_counted_decisions_is_time_a_game():
    played = replace(results(Table("ab", (1, 0))), seconds=np.array([[2.0], [np.nan]]))
    assert [only(r, "agent", "phase", "decisions", "ms", "ms_game") for r in times(played)] == [
        ("a", "play", 0, None, 2000),
        ("a", "all", 0, None, 2000),
    ]


# --- distributions ---


def test_whole_numbers_get_bins_around_them():
    found = distribution([1, 2, 2, 4])
    assert found.edges == (0.5, 1.5, 2.5, 3.5, 4.5)
    assert found.counts == (1, 2, 0, 1)
    assert (found.count, found.mean) == (4, 2.25)
    assert found.deviation == pytest.approx(np.std([1, 2, 2, 4], ddof=1))
    assert found.skewness == pytest.approx(stats.skew([1, 2, 2, 4]))
    assert found.normality is None
    assert found.normal()[1] == pytest.approx(
        4 * np.diff(stats.norm.cdf([1.5, 2.5], 2.25, found.deviation))[0]
    )


def test_wider_bins_stick_out_alike_on_both_sides():
    assert distribution(range(8), 2).edges == (-1.5, 3.5, 8.5)


@pytest.mark.parametrize("bins", [1, 2, 3, 7, 40, None])
@pytest.mark.parametrize(("low", "high"), [(0, 99), (-7, 5), (3, 3), (10, 11)])
def test_bins_of_whole_numbers_have_one_in_the_middle_and_hold_all(low, high, bins):
    values = np.arange(low, high + 1)
    found = distribution(values, bins)
    width = np.diff(found.edges)
    assert len(found.counts) <= (bins or 20)
    assert sum(found.counts) == len(values)
    assert np.all(width == width[0]) and width[0] % 2 == 1
    assert (found.edges[0] + width[0] / 2) % 1 == 0


def test_other_values_get_as_many_bins_as_asked_for_and_a_test_of_normality():
    values = np.random.default_rng(4).exponential(size=300)
    found = distribution([*values, math.nan], 12)
    assert len(found.counts) == 12 and sum(found.counts) == 300
    assert found.normality == pytest.approx(stats.normaltest(values).pvalue)
    assert found.skewness == pytest.approx(stats.skew(values))
    normal = distribution(np.random.default_rng(4).normal(size=300))
    assert normal.normality > 0.05
    assert sum(normal.normal()) == pytest.approx(300, rel=0.02)
    assert np.abs(np.subtract(normal.counts, normal.normal())).max() < 5 * math.sqrt(300 / 10)


def test_a_single_value_is_its_own_distribution():
    found = distribution([3, 3])
    assert (found.counts, found.edges) == ((2,), (2.5, 3.5))
    assert (found.deviation, found.skewness, found.normal()) == (0, None, (2.0,))
    assert distribution([0.5]).deviation is None
    with pytest.raises(KostkaError, match="at least one value"):
        distribution([])
    with pytest.raises(KostkaError, match="bins must be at least 1"):
        distribution([1], -1)


# --- what duplicate play saves ---


def test_duplicate_tells_how_many_games_were_saved():
    gains = shared_luck(np.random.default_rng(3), 0.3, -1.5)
    (found,) = duplicate(duel(gains))
    worth = duplicate_gain(gains.tolist())
    assert only(found, "players", "games", "blocks") == (2, 60, 30)
    assert found["worth"] == pytest.approx(worth)
    assert found["independent"] == pytest.approx(60 * worth)
    assert found["saved"] == pytest.approx(60 * worth - 60) and found["saved"] > 0


def test_games_under_the_same_good_luck_lose_games():
    gains = shared_luck(np.random.default_rng(3), 0.3, 1.5)
    (found,) = duplicate(duel(gains))
    assert found["saved"] < 0
    (few,) = duplicate(duel(gains[:10]))
    assert only(few, "blocks", "worth", "independent", "saved") == (10, None, None, None)


# --- learning ---


def test_over_time_is_a_moving_mean_over_all_series():
    first = [Table("ab", (g, 1 - g), block=i) for i, g in enumerate((0, 0, 1, 1))]
    second = [Table("ba", (1 - g, g), block=i, match=1) for i, g in enumerate((0, 1, 1))]
    found = over_time(results(*first, *second), "a", window=2)
    assert [r["game"] for r in found] == [2, 3, 4]
    assert [r["share"] for r in found] == pytest.approx([1 / 4, 3 / 4, 1])
    assert (found[0]["low"], found[0]["high"]) == pytest.approx(wilson(1 / 4, 4))
    (whole,) = over_time(results(*first, *second), "a", window=50)
    assert only(whole, "game", "share") == (4, pytest.approx(4 / 7))


def test_whoever_sits_twice_has_one_game():
    played = results(Table("aab", (1, 0, 0)), Table("aba", (0, 1, 0)))
    assert [only(r, "game", "share") for r in over_time(played, "a", window=1)] == [
        (1, 0.5),
        (2, 0),
    ]


def test_over_time_refuses_strangers_and_empty_windows():
    played = results(Table("ab", (1, 0)))
    with pytest.raises(KostkaError, match="unknown agent"):
        over_time(played, "z")
    with pytest.raises(KostkaError, match="window must be at least 1"):
        over_time(played, "a", 0)


def learner(gains: Sequence[float], per_block: int = 1) -> Results:
    return results(*[Table("ab", (g, 1 - g), block=i // per_block) for i, g in enumerate(gains)])


def test_the_trend_is_the_least_squares_slope_in_100_games():
    rng = np.random.default_rng(6)
    gains = np.clip(np.linspace(0.2, 0.8, 80) + rng.normal(size=80) / 5, 0, 1)
    (found,) = trend(learner(gains), "a")
    expected = stats.linregress(np.arange(80), gains)
    assert found["slope"] == pytest.approx(100 * expected.slope)
    assert (found["high"] - found["low"]) / 2 == pytest.approx(
        100 * expected.stderr * stats.t.ppf(0.975, 78), rel=0.2
    )
    assert found["p"] < 1e-6
    assert trend(learner(gains), "b")[0]["slope"] == pytest.approx(-100 * expected.slope)


def test_the_error_of_a_trend_by_hand():
    # Residuals 1/6, -1/3, 1/6 at -1, 0, 1: the blocks pull by -1/6, 0 and 1/6, so t is 2 √3.
    (found,) = trend(learner([0, 0, 1]), "a")
    assert found["slope"] == pytest.approx(50)
    assert found["p"] == pytest.approx(2 * stats.t.sf(2 * math.sqrt(3), 2))
    error = 50 / (2 * math.sqrt(3))
    assert found["high"] == pytest.approx(50 + error * stats.t.ppf(0.975, 2))


def test_a_series_against_a_weaker_opponent_is_no_trend():
    games = [Table("ab", (g, 1 - g), block=i) for i, g in enumerate((0, 1, 0, 0, 1, 0))]
    games += [Table("ac", (1, 0), block=i, match=1) for i in range(3)]
    (found,) = trend(results(*games), "a")
    assert found["slope"] == pytest.approx(0)
    assert found["p"] == pytest.approx(1)


def test_where_nothing_changes_a_trend_is_found_as_rarely_as_promised():
    rng = np.random.default_rng(9)
    found = []
    for _ in range(300):
        gains = np.repeat(rng.random(40), 3) / 2 + rng.random(120) / 2
        found.append(trend(learner(gains, 3), "a")[0]["p"] < 0.05)
    assert 0.02 <= np.mean(found) <= 0.09


def test_too_few_games_have_no_trend():
    assert trend(learner([1]), "a") == [
        {"agent": "a", "games": 1, "slope": None, "low": None, "high": None, "p": None}
    ]
    (two,) = trend(learner([0, 1]), "a")
    assert only(two, "slope", "p") == (pytest.approx(100), None)


# All of them

TABLES: list[Callable[[Results], list[Row]]] = [
    standings,
    t_tests,
    t_tests_by_seat,
    points,
    cross_table,
    cross_table_by_seat,
    by_seat,
    seat_advantage,
    consecutive_pairs,
    lengths,
    times,
    duplicate,
    lambda played: over_time(played, played.agents[0]),
    lambda played: trend(played, played.agents[0]),
]


@pytest.mark.parametrize("table", TABLES)
def test_rows_are_plain_json_with_the_same_fields(table):
    one = results(Table("abc", (1, 0, 0)), Table("abc", (0, 1, 0), block=1))
    many = duel(shared_luck(np.random.default_rng(3), 0.3, -1.5))
    for played in (one, replace(many, seconds=np.ones((120, 1)))):
        rows = table(played)
        assert json.loads(json.dumps(rows, allow_nan=False)) == rows
        assert len({tuple(r) for r in rows}) <= 1


@pytest.mark.parametrize("table", TABLES)
def test_without_games_there_are_no_rows(table):
    played = results(Table("ab", (1, 0)))
    assert table(played.pick(played.game > 0)) == []
