"""Published results beside ours: verdicts whose answer is known, the files, and the command."""

import csv
import io
import json
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

import kostka.cli.reproduce  # noqa: F401 (adds the command)
from kostka.arena.estimates import around, deviation_terms
from kostka.arena.experiments import Experiment, Published, find, names, parse
from kostka.arena.machine import machine
from kostka.arena.measures import in_words
from kostka.arena.results import Results
from kostka.arena.verdicts import Mean, judge, measured, sentence, standing, surprise
from kostka.cli import app, load
from kostka.core.errors import KostkaError

load()


def results(*matches: tuple[tuple[str, ...], list[int]]) -> Results:
    """Games of fixed line-ups, from who won each: the number of a seat, or -1 for a draw of all."""
    specs = sorted({spec for line_up, _ in matches for spec in line_up})
    rows = []
    for match, (line_up, winners) in enumerate(matches):
        for number, winner in enumerate(winners):
            for seat, spec in enumerate(line_up):
                gain = 1 / len(line_up) if winner < 0 else float(seat == winner)
                place = (len(line_up) + 1) / 2 if winner < 0 else 1.0 + (seat != winner)
                where = (match, number, number, len(line_up), seat, specs.index(spec))
                rows.append((*where, gain, 10 * gain, place))
    of, number, blocks, players, seat, agent, gain, score, place = (
        np.array(column) for column in zip(*rows, strict=True)
    )
    nothing = np.full((len(rows), 1), np.nan)
    return Results(
        agents=tuple(specs), game=np.cumsum(seat == 0) - 1, match=of, number=number, block=blocks,
        players=players, seat=seat, agent=agent, gain=gain, score=score, place=place,
        seconds=nothing, decisions=np.zeros((len(rows), 1), int), length=of, time=gain, memory=gain,
    )  # fmt: skip


def duel(wins: int, games: int = 100) -> Results:
    """Games of a against b, of which a wins some."""
    return results((("a", "b"), [0] * wins + [1] * (games - wins)))


def verdicts(played: Results, *said: Published, level: float = 0.99) -> list[tuple[str, bool]]:
    experiment = Experiment("x", "", "", (), (said,))
    return [(row["verdict"], row["open"]) for row in judge(experiment, [played], level)]


# --- numbers ---


def test_two_shares_are_compared_with_the_errors_of_both():
    p, error = surprise(Mean(0.6, 0.24, 100, None), 0.4, 100, share=True)
    assert p == pytest.approx(stats.chi2_contingency([[60, 40], [40, 60]], correction=False)[1])
    assert error == pytest.approx(sqrt(0.25 / 50))


def test_a_number_whose_games_are_unknown_is_exact():
    p, _ = surprise(Mean(0.6, 0.24, 100, None), 0.5, None, share=True)
    assert p == pytest.approx(2 * stats.norm.sf(2))
    [row] = judge(Experiment("x", "", "", (), ((Published("a", value=0.5),),)), [duel(60)])
    assert row["remark"] == "theirs taken as exact"


@pytest.mark.parametrize(
    ("wins", "expected"), [(90, "stronger"), (10, "differs"), (55, "agrees"), (45, "agrees")]
)
def test_a_number_agrees_or_differs_or_ours_is_stronger(wins, expected):
    assert verdicts(duel(wins), Published("a", value=0.5, games=100)) == [(expected, False)]


def test_of_places_less_is_better():
    said = Published("a", measure="place", value=1.5, games=100)
    assert verdicts(duel(90), said) == [("stronger", False)]
    assert verdicts(duel(10), said) == [("differs", False)]


def test_a_score_is_compared_by_t_with_their_error_from_our_spread():
    played = duel(60, 100)
    said = Published("a", measure="score", value=4.0, games=50)
    [row] = judge(Experiment("x", "", "", (), ((said,),)), [played])
    spread = np.array([10.0] * 60 + [0.0] * 40).std(ddof=1)
    error = spread * sqrt(1 / 100 + 1 / 50)
    assert row["p"] == pytest.approx(2 * stats.t.sf(2 / error, 99), rel=0.02)
    assert row["ours"] == 6


def test_a_seat_that_nobody_owns_is_never_stronger():
    assert verdicts(duel(90), Published(seat=1, value=0.5)) == [("differs", False)]


def test_only_the_games_that_a_number_is_about_count():
    played = results(
        (("a", "b"), [0] * 90 + [1] * 10), (("c", "a"), [0] * 90 + [1] * 10),
    )  # fmt: skip
    said = [
        Published("a", value=0.5),
        Published("a", ("b",), value=0.5),
        Published("a", ("c",), value=0.5),
        Published("a", seat=2, value=0.5),
        Published(seat=1, value=0.5),
    ]
    found = judge(Experiment("x", "", "", (), (tuple(said),)), [played])
    assert [row["ours"] for row in found] == pytest.approx([0.5, 0.9, 0.1, 0.1, 0.9])
    assert [row["games"] for row in found] == [200, 100, 100, 100, 200]


def test_many_rows_need_clearer_differences():
    said = Published("a", value=0.5)  # 65 of 100 against exactly half: p = 0.0027
    assert verdicts(duel(65), said) == [("stronger", False)]
    assert set(verdicts(duel(65), *[said] * 10)) == {("agrees", False)}


def test_equal_agents_differ_as_often_as_the_level_says():
    rng = np.random.default_rng(5)
    wins = rng.binomial(100, 0.7, (4000, 2)) / 100
    p = [surprise(Mean(x, x * (1 - x), 100, None), y, 100, share=True)[0] for x, y in wins]
    assert np.mean(np.array(p) < 0.05) == pytest.approx(0.05, abs=0.012)


def test_games_under_the_same_luck_are_not_counted_twice():
    rng = np.random.default_rng(6)
    blocks = np.repeat(np.arange(50), 4)
    low = 0
    for _ in range(1000):
        gains = np.repeat(rng.integers(0, 2, 50), 4).astype(float)
        low += surprise(measured(gains, blocks, True), 0.5, None, share=True)[0] < 0.05
    assert low / 1000 == pytest.approx(0.05, abs=0.025)


# --- claims ---


@pytest.mark.parametrize(
    ("wins", "expected"),
    [
        (90, ("agrees", False)),
        (10, ("differs", False)),
        (53, ("agrees", True)),
        (47, ("agrees", True)),
    ],
)
def test_a_claim_holds_or_fails_or_stays_open(wins, expected):
    assert verdicts(duel(wins), Published("a", above=0.5)) == [expected]
    assert verdicts(duel(wins), Published("b", below=0.5)) == [expected]
    assert verdicts(duel(wins), Published("a", above=0.5, games=4)) == [expected]


def test_most_wins_is_decided_against_the_strongest_rival():
    line_up = ("a", "b", "c")
    played = results((line_up, [0] * 60 + [1] * 25 + [2] * 15))
    one = standing(played, "a", 1)
    leads = [1] * 60 + [-1] * 25 + [0] * 15
    assert (one.place, one.rival) == (1, "b")
    assert one.lead == pytest.approx(0.35)
    assert one.p == pytest.approx(stats.ttest_1samp(leads, 0).pvalue)
    other = standing(played, "b", 1)  # two rivals could have been ahead
    assert (other.place, other.rival) == (2, "a")
    assert other.p == pytest.approx(2 * one.p)
    said = [Published(who, tuple(set(line_up) - {who}), rank=1) for who in line_up]
    assert verdicts(played, *said) == [("agrees", False), ("differs", False), ("differs", False)]
    second = standing(played, "b", 2)
    assert (second.rival, second.lead) == ("c", pytest.approx(0.10))


def test_each_line_up_is_a_row_of_its_own():
    played = results((("a", "b"), [0] * 40), (("a", "c"), [1] * 40))
    said = Published("a", each=True, rank=1)
    found = judge(Experiment("x", "", "", (), ((said,),)), [played])
    assert [(row["about"], row["verdict"]) for row in found] == [
        ("a against b", "agrees"), ("a against c", "differs"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("winners", "expected"),
    [
        ([1] * 80 + [2] * 70 + [0] * 5, ("agrees", False)),  # two are clearly ahead somewhere
        ([0] * 150 + [1] * 5, ("differs", False)),  # it is clearly first or second everywhere
        ([0, 1, 2] * 50, ("agrees", True)),
    ],
)
def test_sometimes_third(winners, expected):
    played = results((("a", "b", "c"), winners), (("a", "b", "d"), [0] * 100 + [1] * 10))
    assert verdicts(played, Published("a", worst_place_somewhere=3)) == [expected]


def test_sometimes_third_counts_every_line_up_that_could_have_shown_it():
    said = ((Published("a", worst_place_somewhere=3),),)
    good, clear, poor = [0] * 40 + [1] * 20 + [2] * 10, [0] * 90 + [1] * 5, [1] * 40 + [2] * 30
    lead = [1] * 40 + [0] * 20 + [-1] * 10  # over the second of the others
    played = results((("a", "b", "c"), good), (("a", "b", "d"), clear))
    [row] = judge(Experiment("x", "", "", (), said), [played])
    assert row["p"] == pytest.approx(2 * stats.ttest_1samp(lead, 0).pvalue)
    assert row["remark"] == "2 × place 1"
    played = results((("a", "b", "c"), poor), (("a", "b", "d"), clear))
    [row] = judge(Experiment("x", "", "", (), said), [played])
    behind = stats.ttest_1samp([0] * 40 + [-1] * 30, 0).pvalue
    assert row["p"] == pytest.approx(2 * behind)  # it might have been the other line-up
    assert row["remark"] == "1 × place 1, 1 × place 3"


def test_of_equal_agents_none_is_denied_the_most_wins_too_often():
    rng, denied = np.random.default_rng(7), 0
    for _ in range(400):
        played = results((("a", "b", "c", "d"), list(rng.integers(0, 4, 60))))
        one = standing(played, "a", 1)
        denied += one.lead < 0 and one.p < 0.05
    assert denied / 400 < 0.07


def test_the_last_sentence_names_what_does_not_agree():
    said = [
        Published("a", value=0.2, games=100),
        Published("b", value=0.9),
        Published("a", above=0.6),
    ]
    rows = judge(Experiment("x", "", "", (), (tuple(said),)), [duel(55)])
    words = sentence("x", rows)
    assert words.startswith("x: 1 of 3 rows agree, open claims among them: 1 (1 leaning against); ")
    assert "differs: 1 (b); stronger: 1 (a)" in words


# --- files ---


@pytest.mark.parametrize("name", names())
def test_every_experiment_can_be_played(name):
    experiment = find(name)
    assert experiment.games >= sum(plan.games for plan in experiment.plans)
    assert all(experiment.published) or "not known" in experiment.notes
    tiny = experiment.scaled(1e-6)
    if tiny.learns:  # weights that come with the game, instead of such as have yet to be learnt
        weights = ("td-0", "td-0.8", "td-1")
        tiny = tiny.taught({p.name: w for p, w in zip(tiny.learns, weights, strict=False)}, 1e-6)
    for plan in tiny.plans:
        assert all(match.games == len(match.seatings) for match in plan.matches())


def test_a_plan_with_a_name_is_told_apart_from_others_of_the_experiment():
    text = FILE.replace("WHAT", 'agent = "stei", above = 0.4')
    second = text[text.index("[[plan]]") :]
    found = parse(f'{text}{second}name = "again"', "x", "x.toml")
    assert [plan.name for plan in found.plans] == ["x", "x: again"]
    assert [found.part(n) for n in (0, 1)] == ["", "again"]
    played = results((("stei", "sdc"), [0] * 9))
    assert [row["about"] for row in judge(found, [played, played])] == ["stei", "stei, again"]


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ('{ game = "risk" }', "name the game and the lesson"),
        ('{ game = "risk", lesson = "latin" }', "unknown lesson 'latin'"),
        ('{ game = "carcassonne", lesson = "prospects" }', "prospects does not evolve"),
        ('{ game = "rusk", lesson = "nets" }', "did you mean risk"),
    ],
)
def test_curves_of_what_does_not_evolve_are_refused(what, words):
    with pytest.raises(KostkaError, match=words):
        parse(f"curves = {what}\n" + FILE.replace("WHAT", 'agent = "stei", above = 0'), "x", "x")


def test_scale_multiplies_the_games():
    experiment = find("dicewars-2-swapped")
    assert (experiment.games, experiment.scaled(0.1).games) == (7 * 120, 7 * 12)
    assert experiment.scaled(0.09).games == 7 * 12  # 10.8 games: whole blocks of two
    for scale in (0, -1, float("nan"), float("inf")):
        with pytest.raises(KostkaError, match="scale must be above 0"):
            experiment.scaled(scale)


FILE = """
title = "t"
source = "s"
[[plan]]
game = "dicewars"
agents = ["stei", "sdc", "ste"]
published = [{ WHAT }]
"""


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ('agent = "stei", valu = 1', "did you mean value"),
        ('agent = "stei"', "give one of value, above"),
        ('agent = "stei", value = 0.5, rank = 1', "give one of value, above"),
        ('agent = "stei", value = 75', "write 0.75 for 75 %"),
        ('agent = "stei", value = "much"', "value cannot be 'much'"),
        ('agent = "mcts", value = 0.5', "mcts is in no line-up"),
        ('agent = "stei", against = ["sdc", "ste"], value = 0.5', "is in no line-up"),
        ('agent = "stei", seat = 3, value = 0.5', "seats 1 to 2, not 3"),
        ('agent = "stei", measure = "luck", value = 0.5', "unknown measure"),
        ("value = 0.5", "name the agent"),
        ('agent = "stei", rank = 1', "rank needs against"),
        ('agent = "stei", each = true, rank = 2', "rank is from 1 to 1"),
        ('agent = "stei", worst_place_somewhere = 1', "worst_place_somewhere is from 2 to 2"),
    ],
)
def test_a_wrong_file_is_refused_with_the_reason(what, words):
    with pytest.raises(KostkaError, match=words) as error:
        parse(FILE.replace("WHAT", what), "x", "x.toml")
    assert str(error.value).startswith("x.toml, plan 1, published 1: ")


def test_an_unknown_experiment_gets_a_suggestion():
    with pytest.raises(KostkaError, match="did you mean dicewars-2-first"):
        find("dicewars-2-frist")


# --- the command ---


def test_an_experiment_from_end_to_end(tmp_path):
    args = ["reproduce", "dicewars-turecek-8", "--scale", "0.001", "--seed", "1"]
    args += ["--store", str(tmp_path / "x.db")]
    done = CliRunner().invoke(app, [*args, "--json"], catch_exceptions=False)
    found = json.loads(done.stdout)
    assert found["runs"] == [
        {"name": "dicewars-turecek-8", "seed": 1, "games": 56, "machine": machine(), "drawn": 0}
    ]
    assert [(row["agent"], row["theirs"], row["games"]) for row in found["rows"]] == [
        ("stei", 0.214, 64), ("ste", 0.204, 64),
    ]  # fmt: skip
    assert all(row["low"] < row["ours"] < row["high"] for row in found["rows"])
    again = CliRunner().invoke(app, [*args, "--csv"], catch_exceptions=False)
    rows = list(csv.DictReader(io.StringIO(again.stdout)))
    assert [float(row["ours"]) for row in rows] == [row["ours"] for row in found["rows"]]
    shown = CliRunner().invoke(app, args, catch_exceptions=False)
    assert "has been played already" in shown.stderr
    assert found["verdict"] in shown.stdout.splitlines()[-1]


def test_the_list_of_experiments():
    rows = json.loads(CliRunner().invoke(app, ["reproduce", "--list", "--json"]).stdout)
    assert [row["experiment"] for row in rows] == names()
    assert {row["experiment"]: row["games"] for row in rows}["dicewars-2-first"] == 600


# --- totals, differences, deviations ---


def scored(*games: tuple[str, tuple[float, ...], int]) -> Results:
    """Games of agents called by letters, with their scores and their block."""
    line_ups = list(dict.fromkeys("".join(sorted(who)) for who, _, _ in games))
    specs = sorted({spec for who, _, _ in games for spec in who})
    rows = []
    for number, (who, scores, block) in enumerate(games):
        for seat, spec in enumerate(who):
            match = line_ups.index("".join(sorted(who)))
            gain = float(scores[seat] == max(scores))
            place = 1.0 + sum(other > scores[seat] for other in scores)
            at = (number, match, block, len(who), seat, specs.index(spec))
            rows.append((*at, gain, scores[seat], place))
    rows.sort(key=lambda row: (row[1], row[0], row[4]))
    number, match, block, players, seat, agent, gain, score, place = (
        np.array(column) for column in zip(*rows, strict=True)
    )
    nothing = np.full((len(rows), 1), np.nan)
    return Results(
        agents=tuple(specs), game=np.cumsum(seat == 0) - 1, match=match, number=number,
        block=block, players=players, seat=seat, agent=agent, gain=gain, score=score,
        place=place, seconds=nothing, decisions=np.zeros((len(rows), 1), int), length=number,
        time=gain, memory=gain,
    )  # fmt: skip


SCORED = scored(
    ("ab", (9, 5), 0),
    ("ba", (7, 3), 0),
    ("aa", (8, 6), 1),
    ("cb", (1, 9), 2),
    ("bc", (11, 1), 2),
)


def ours(said: Published, played: Results = SCORED) -> tuple[float, int, str]:
    [row] = judge(Experiment("x", "", "", (), ((said,),)), [played])
    return row["ours"], row["games"], row["about"]


@pytest.mark.parametrize(
    ("said", "mean", "games", "about"),
    [
        (Published(measure="total", value=1), 60 / 5, 5, "the table, sum of the scores"),
        (Published("a", measure="total", value=1), 38 / 3, 3, "a, sum of the scores"),
        (
            Published(measure="total", without=("c",), value=1), 38 / 3, 3,
            "the table, without c, sum of the scores",
        ),
        (
            Published(seat=1, measure="difference", value=1), (4 + 4 + 2 - 8 + 10) / 5, 5,
            "whoever sits there, seat 1, score less that of the others",
        ),
        (
            Published("a", measure="difference", value=1), (4 - 4 + 2 - 2) / 4, 4,
            "a, score less that of the others",
        ),
        (
            Published("a", measure="others", seat=1, value=1), (5 + 6) / 2, 2,
            "a, seat 1, score of the others",
        ),
        (
            Published("b", measure="deviation", value=1), np.std([5, 7, 9, 11], ddof=1), 4,
            "b, deviation of the score",
        ),
        (
            Published(measure="deviation", of="total", value=1),
            np.std([14, 10, 14, 10, 12], ddof=1), 5, "the table, deviation of the total",
        ),
        (
            Published(seat=2, without=("c",), measure="score", value=1), (5 + 3 + 6) / 3, 3,
            "whoever sits there, seat 2, without c",
        ),
    ],
)  # fmt: skip
def test_totals_differences_and_deviations_by_hand(said, mean, games, about):
    assert ours(said) == (pytest.approx(mean), games, about)


def test_the_difference_at_a_table_of_three_is_to_the_mean_of_the_others():
    played = scored(("abc", (9, 4, 2), 0), ("bca", (6, 1, 2), 0))
    assert ours(Published("a", measure="difference", value=1), played)[0] == (6 - 1.5) / 2
    assert ours(Published(seat=1, measure="others", value=1), played)[0] == (3 + 1.5) / 2


def test_a_total_and_a_deviation_are_nobodys_strength_but_a_difference_is():
    rng = np.random.default_rng(3)
    games = [("ab", (50 + 5 * rng.normal(), 40 + 5 * rng.normal()), i) for i in range(60)]
    played = scored(*games)
    for measure, value, verdict in (
        ("total", 60, "differs"), ("total", 120, "differs"), ("total", 90, "agrees"),
        ("deviation", 2, "differs"), ("deviation", 20, "differs"), ("deviation", 5, "agrees"),
        ("difference", 2, "stronger"), ("difference", 30, "differs"),
    ):  # fmt: skip
        said = Published("a", measure=measure, value=value, games=500)
        assert verdicts(played, said) == [(verdict, False)], said
    assert verdicts(played, Published(seat=1, measure="difference", above=0)) == [("agrees", False)]
    assert verdicts(played, Published(seat=1, measure="difference", below=0)) == [
        ("differs", False)
    ]


@pytest.mark.parametrize("shared", [False, True])
def test_the_interval_of_a_deviation_covers_it(shared):
    """Normal values of deviation 5, each in a block of its own or four times in one."""
    rng, covered = np.random.default_rng(9), 0
    for _ in range(400):
        values, blocks = rng.normal(100, 5, 60), np.arange(60)
        if shared:
            values, blocks = np.repeat(values, 4), np.repeat(blocks, 4)
        low, high = around(measured(deviation_terms(values), blocks, share=False), 0.95)
        covered += low < 5 < high
    assert 0.90 <= covered / 400 <= 0.98


def test_the_error_of_a_deviation_is_that_of_normal_theory():
    values = np.random.default_rng(4).normal(0, 3, 20_000)
    found = measured(deviation_terms(values), np.arange(20_000), share=False)
    assert found.mean == pytest.approx(values.std(ddof=1))
    assert sqrt(found.spread / found.worth) == pytest.approx(3 / sqrt(40_000), rel=0.03)
    assert deviation_terms(np.array([4.0, 4.0])).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ('measure = "total", seat = 1, value = 5', "a total is that of the whole table"),
        ('agent = "stei", of = "score", value = 0.5', 'of needs measure = "deviation"'),
        ('agent = "stei", measure = "deviation", of = "deviation", value = 5', "of says whose"),
        ('agent = "stei", measure = "deviation", of = "luck", value = 5', "unknown measure 'luck'"),
        ('measure = "difference", value = 5', "name the agent"),
        ('measure = "deviation", value = 5', "name the agent"),
        ('measure = "total", without = ["mcts"], value = 5', "mcts is in no line-up"),
        ('agent = "stei", without = ["stei"], value = 0.5', "cannot be the agent and be left out"),
        ('measure = "total", without = ["stei", "sdc"], value = 5', "the table, without stei, sdc"),
        ('agent = "stei", against = ["sdc"], measure = "score", rank = 1', "places are by wins"),
    ],
)
def test_a_wrong_total_difference_or_deviation_is_refused_with_the_reason(what, words):
    with pytest.raises(KostkaError, match=words):
        parse(FILE.replace("WHAT", what), "x", "x.toml")


def test_a_total_needs_no_agent_in_a_file():
    said = parse(FILE.replace("WHAT", 'measure = "total", without = ["ste"], value = 9'), "x", "x")
    assert said.published == ((Published(measure="total", without=("ste",), value=9),),)


# --- wins, draws and losers ---


def test_a_drawn_game_is_half_a_win_by_gain_and_nobodys_by_wins():
    played = results((("a", "b", "c"), [0] * 6 + [1] * 2 + [-1] * 2))
    assert ours(Published("a", value=0.6), played)[0] == pytest.approx(6 / 10 + 2 / 30)
    assert ours(Published("a", measure="wins", value=0.6), played) == (0.6, 10, "a, games won")
    assert ours(Published(measure="drawn", value=0.2), played) == (
        0.2, 10, "the table, games that nobody won",
    )  # fmt: skip
    assert played.drawn == 2


def test_most_wins_can_leave_draws_out():
    line_up = ("a", "b", "c")
    played = results((line_up, [0] * 60 + [1] * 40 + [-1] * 100))
    played.gain[played.game >= 100] = np.tile([0.0, 0.5, 0.5], 100)  # those draws are b's and c's
    assert verdicts(played, Published("b", ("a", "c"), rank=1)) == [("agrees", False)]
    said = Published("b", ("a", "c"), measure="wins", rank=1)
    [row] = judge(Experiment("x", "", "", (), ((said,),)), [played])
    assert row["remark"] == "place 2, 10.0 points behind a"


def test_the_score_of_losers_is_the_mean_of_those_who_did_not_win():
    played = scored(("abc", (9, 4, 2), 0), ("bca", (6, 1, 2), 0))
    assert ours(Published(measure="losers", value=1), played) == (
        (3 + 1.5) / 2, 2, "the table, score of those who did not win",
    )  # fmt: skip


# --- time and memory ---


def clocked(phases=("place", "fight")) -> Results:
    """Two games of a against b; of a's decisions in b's second game nobody looked at the clock."""
    played = results((("a", "b"), [0, 1]))
    nan = np.nan
    return replace(
        played,
        phases=phases,
        decisions=np.array([[2, 10], [2, 5], [2, 0], [0, 0]]),
        seconds=np.array([[0.2, 1.0], [0.4, 1.0], [0.4, 0.0], [nan, nan]]),
        time=np.array([3.0, 3.0, 1.0, 1.0]),
        length=np.array([20, 20, 30, 30]),
        memory=np.array([150.0, 150.0, nan, nan]),
    )


@pytest.mark.parametrize(
    ("said", "mine", "about"),
    [
        (Published("a", measure="decision", value=1), 1.6 / 14, "a, seconds a decision"),
        (
            Published("a", measure="decision", phases=("place",), value=1), 0.6 / 4,
            "a, seconds a decision (place)",
        ),
        (
            Published("b", measure="decision", phases=("place", "fight"), value=1), 1.4 / 7,
            "b, seconds a decision (place, fight)",
        ),
        (Published(measure="seconds", value=1), 2.0, "the table, seconds a game"),
        (Published("a", measure="memory", above=8000), 150, "a, most memory of the process"),
    ],
)  # fmt: skip
def test_time_and_memory_are_shown_and_never_judged(said, mine, about):
    [row] = judge(Experiment("x", "", "", (), ((said,),)), [clocked()])
    assert (row["ours"], row["about"]) == (pytest.approx(mine), about)
    assert (row["verdict"], row["open"], row["p"], row["favour"]) == (
        "not judged", False, None, None,
    )  # fmt: skip


def test_games_played_in_one_call_have_the_pace_of_the_whole_game():
    played = replace(clocked(), seconds=np.full((4, 2), np.nan), decisions=np.zeros((4, 2), int))
    assert ours(Published("a", measure="decision", value=1), played)[0] == pytest.approx(4 / 50)
    said = Published("a", measure="decision", phases=("place",), value=1)
    [row] = judge(Experiment("x", "", "", (), ((said,),)), [played])
    assert (row["ours"], row["remark"]) == (None, "not timed")


def test_time_makes_no_other_row_harder_to_tell():
    said, time = Published("a", value=0.5), Published(measure="seconds", value=9)
    assert verdicts(duel(65), said, *[time] * 9) == [("stronger", False)] + [
        ("not judged", False)
    ] * 9  # fmt: skip
    rows = judge(Experiment("x", "", "", (), ((said, time),)), [duel(65)])
    assert sentence("x", rows).startswith(
        "x: 0 of 1 rows agrees; stronger: 1 (a); not judged, as the machine decides: 1; "
    )
    rows = judge(Experiment("x", "", "", (), ((time, time),)), [duel(65)])
    assert sentence("x", rows) == "x: 2 rows of time and memory, which the machine decides."


@pytest.mark.parametrize(
    ("number", "measure", "words"),
    [
        (1.45, "seconds", "1.45 s"), (0.0321, "seconds", "32.1 ms"),
        (0.00021, "decision", "210 µs"), (3e-7, "decision", "300 ns"),
        (6000, "memory", "6 GB"), (149.6, "memory", "150 MB"),
        (0.424, "wins", "42.4 %"), (1.5, "place", "1.50"),
    ],
)  # fmt: skip
def test_numbers_have_the_unit_that_people_think_in(number, measure, words):
    assert in_words(number, measure) == words


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ('agent = "stei", measure = "decision", phases = ["lunch"], value = 1', "unknown phase"),
        ('agent = "stei", phases = ["attack"], value = 0.5', 'phases need measure = "decision"'),
        ('agent = "stei", measure = "seconds", value = inf', "a number must be finite"),
        ('agent = "stei", measure = "drawn", value = 40', "write 0.75 for 75 %"),
        ('measure = "seconds", seat = 1, value = 4', "seconds is that of the whole table"),
        ('measure = "decision", value = 4', "name the agent"),
        ('agent = "stei", measure = "deviation", of = "memory", value = 4', "of says whose"),
    ],
)
def test_a_wrong_time_or_draw_is_refused_with_the_reason(what, words):
    with pytest.raises(KostkaError, match=words):
        parse(FILE.replace("WHAT", what), "x", "x.toml")


TIMED = """
title = "Pig, timed"
source = "a stopwatch"
[[plan]]
game = "pig"
agents = ["random", "mcts:iterations=5"]
games = 4
limit = 60
published = [
  { measure = "seconds", value = 60 },
  { measure = "memory", above = 8000 },
  { agent = "random", measure = "decision", value = 0.000001 },
]
"""


def test_a_timed_experiment_names_the_machine(tmp_path):
    file = tmp_path / "timed.toml"
    file.write_text(TIMED)
    args = ["reproduce", str(file), "--seed", "1", "--store", str(tmp_path / "x.db")]
    shown = CliRunner().invoke(app, args, catch_exceptions=False)
    assert f"Ours: on {machine()}." in shown.stdout.splitlines()
    assert shown.stdout.splitlines()[-1].endswith("which the machine decides.")
    found = json.loads(CliRunner().invoke(app, [*args, "--json"], catch_exceptions=False).stdout)
    assert [run["machine"] for run in found["runs"]] == [machine()]
    seconds, memory, decision = found["rows"]
    assert 0 < decision["ours"] < seconds["ours"] < 60
    assert 50 < memory["ours"] < 8000
    assert memory["claim"] == "> 8 GB"
