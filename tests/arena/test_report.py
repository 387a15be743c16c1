"""Reports: the page says what the tables say, and the tables what the games say."""

import json
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from kostka.arena import plots, report
from kostka.arena.executor import Inline
from kostka.arena.page import headline, html, shade
from kostka.arena.plan import Plan, parse_plan
from kostka.arena.report import gather
from kostka.arena.store import Run, Store
from kostka.arena.tournament import play
from kostka.cli import app, load
from kostka.cli import report as command
from kostka.core.errors import KostkaError
from kostka.core.game import game as find_game
from kostka.core.state import begin

load()
NASTY = """nasty:First:note=<script>alert('"&')</script>"""
BOT = """
class First:
    def __init__(self, note=""):
        pass

    def begin(self, seat, rng):
        self.fails = seat == 1 and int(rng[0]) % 4 == 0

    def act(self, view):
        if self.fails:
            raise ValueError("<i>oops</i> & more")
        return view.legal_actions[0]

    def save(self):
        return b"learnt"

    def load(self, learnt):
        pass
"""
VOID = {"meta", "br", "hr", "img", "input", "link"}


class Page(HTMLParser):
    """A page taken apart; elements must close in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        #: The texts of the cells of every table, by the id of its figure.
        self.rows: dict[str, list[list[str]]] = {}
        self.figure = ""
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        given = dict(attrs)
        self.elements.append((tag, given))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "figure":
            self.figure = given.get("id") or ""
        if tag == "tr":
            self.rows.setdefault(self.figure, []).append([])
        if tag in ("td", "th"):
            self.rows[self.figure][-1].append("")

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)
        if "tr" in self.open:
            self.rows[self.figure][-1][-1] += data

    @property
    def ids(self) -> list[str]:
        return [given["id"] or "" for _, given in self.elements if "id" in given]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with three runs: a whole one, one without moves, one of a single block."""
    folder = tmp_path_factory.mktemp("report")
    (folder / "nasty.py").write_text(BOT)
    sys.path.insert(0, str(folder))
    store = Store(folder / "it's a store.db")
    options = {"areas": 8}
    whole = Plan("dicewars", ("stei", "random", NASTY), 40, 3, "tiny <b>", options=options)
    blind = Plan("dicewars", ("stei", "random"), 4, 3, "blind", moves=False, options=options)
    duels = (("stei", "random"), ("sdc", "sdc"))
    short = Plan("dicewars", games=2, seed=3, name="short", lineups=duels, options=options)
    for plan in (whole, blind, short):
        for _ in play(store, store.begin(plan, f"kostka tournament '{plan.name}'"), Inline()):
            pass
    yield store
    store.close()
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def run(store: Store) -> Run:
    return store.run("tiny <b>")


@pytest.fixture(scope="module")
def data(store: Store, run: Run) -> dict[str, Any]:
    return gather(store, run)


@pytest.fixture(scope="module")
def text(data: dict[str, Any]) -> str:
    return html(data)


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    return Page(text)


def test_the_page_loads_nothing_and_runs_nothing(page, text):
    assert not {tag for tag, _ in page.elements} & {"script", "link", "img", "iframe", "object"}
    for _, given in page.elements:
        for name, value in given.items():
            assert not name.startswith("on")
            if name in ("href", "src", "xlink:href", "srcset", "data", "action"):
                assert value is not None and value.startswith("#")
    assert all(link.startswith("#") for link in re.findall(r"url\((.*?)\)", text))
    assert "@import" not in text
    assert len(text) < 1_000_000


def test_ids_are_unique_and_links_lead_somewhere(page):
    assert len(page.ids) == len(set(page.ids))
    links = [given["href"] for tag, given in page.elements if tag == "a"]
    assert len(links) == 10
    assert {link[1:] for link in links} <= set(page.ids)


def test_every_table_is_a_key_of_the_json_and_names_its_command(data, page, text):
    figures = [given["id"] for tag, given in page.elements if tag == "figure" and "id" in given]
    assert sorted(figures) == sorted(data)
    assert set(data) == {
        "run", "standings", "faults", "ratings", "seat_ratings", "transitivity", "cross_table",
        "cross_table_by_seat", "t_tests", "t_tests_by_seat", "points", "rhythm", "by_seat",
        "seat_advantage", "scores", "lengths",
        "development", "luck", "duplicate", "learners", "over_time", "times",
    }  # fmt: skip
    said = "".join(page.words)
    for key in data:
        assert f"{data['run']['again']} --json | jq .{key}" in said
    json.dumps(data, allow_nan=False)


def test_standings_are_those_of_the_games(store, run, page):
    results = store.results(run)
    shown = {row[0].split(" ", 1)[1]: row for row in page.rows["standings"][1:]}
    assert set(shown) == {"stei", "random", f"{NASTY} learns"}
    for i, agent in enumerate(results.agents):
        row = shown[agent if agent != NASTY else f"{NASTY} learns"]
        gain = results.gain[results.agent == i]
        assert row[1:5] == [
            str(len(gain)), str((gain == 1).sum()), str(((gain > 0) & (gain < 1)).sum()),
            str((gain == 0).sum()),
        ]  # fmt: skip
        assert row[5] == f"{100 * gain.mean():.1f}\u202f%"
        assert row[8] == f"{results.score[results.agent == i].mean():.2f}"


def test_the_cross_table_is_that_of_the_games(store, run, page):
    results = store.results(run)
    heads = [cell.split(" ", 1)[1].removesuffix(" learns") for cell in page.rows["cross_table"][0]]
    table = np.array(page.rows["cross_table"][1:])
    seats = results.agent.reshape(-1, 2), results.place.reshape(-1, 2)
    for i, one in enumerate(heads[1:]):
        for j, other in enumerate(heads[1:], 1):
            if i + 1 == j:
                assert table[i, j] == "·"
                continue
            a, b = results.agents.index(one), results.agents.index(other)
            points = [
                (np.sign(place[agents == b] - place[agents == a])[0] + 1) / 2
                for agents, place in zip(*seats, strict=True)
                if set(agents) == {a, b}
            ]
            assert table[i, j].startswith(f"{100 * np.mean(points):.1f}\u202f%")


def test_nasty_names_and_faults_are_only_text(data, page, text):
    assert "<script" not in text
    assert "<i>oops" not in text
    said = "".join(page.words)
    assert NASTY in said and "ValueError: <i>oops</i> & more" in said
    assert data["faults"] == [
        {"agent": NASTY, "fault": data["faults"][0]["fault"], "games": data["faults"][0]["games"]}
    ]
    assert data["run"]["again"].startswith("kostka report 'tiny <b>' --store '")


def test_words_say_what_was_played_and_who_won(data, page):
    said = " ".join("".join(page.words).split())
    assert f"3 agents, {NASTY}, random and stei, played Dice Wars (areas 8) at tables of 2" in said
    assert "120 games in 3 line-ups" in said
    assert "seed 3" in said and "60 blocks" in said
    assert "stei is clearly strongest" in said
    assert data["run"]["command"] in said


def test_who_is_not_clearly_ahead_is_not_called_strongest():
    rows = [{"agent": a, "share": s, "low": s - 0.1, "high": s + 0.1, "games": 50} for a, s in
            (("a", 0.55), ("b", 0.45))]  # fmt: skip
    rated = [{"agent": "a", "elo": 20.0, "better": {"b": 0.9}},
             {"agent": "b", "elo": -20.0, "better": {"a": 0.1}}]  # fmt: skip
    test = {"one": "b", "other": "a", "difference": -0.1, "blocks": 25, "holm": 0.2}
    found = {"run": {"level": 0.95, "roles": []}, "standings": rows, "ratings": rated}
    words = headline({**found, "t_tests": [{**test, "significant": False}]})
    assert words.startswith("Nobody is clearly strongest. a is rated highest, 40 Elo above")
    assert "10.0 points in a hundred more than b, which may be chance (p = 0.200" in words
    words = headline({**found, "t_tests": [{**test, "holm": 1e-5, "significant": True}]})
    assert words.startswith("a is clearly strongest: it is rated 40 Elo above the next, b")
    words = headline({**found, "t_tests": []})
    assert words.startswith("Nobody") and "probability of 0.90" in words
    against = {**test, "difference": 0.1, "significant": True}
    assert headline({**found, "t_tests": [against]}).startswith("Nobody")


def test_games_of_an_excluded_agent_are_left_out(store, run):
    data = gather(store, run, [NASTY])
    assert [row["agent"] for row in data["standings"]] == ["stei", "random"]
    assert data["run"]["games"] == 40
    assert not {"faults", "learners", "over_time", "transitivity"} & set(data)
    found = Page(html(data, {}))
    cells = [cell for rows in found.rows.values() for row in rows for cell in row]
    assert cells and not any("nasty" in cell for cell in cells)
    assert f"The games of {NASTY} are left out." in "".join(found.words)
    with pytest.raises(KostkaError, match="no game is left"):
        gather(store, run, ["stei", "random"])
    with pytest.raises(KostkaError, match="did you mean stei"):
        gather(store, run, ["stein"])


def test_the_course_of_a_game_starts_and_ends_as_the_games_do(store, run, data, monkeypatch):
    monkeypatch.setattr(report, "FOLLOWED", 1.0)
    monkeypatch.setattr(report, "POINTS", 10)
    course = gather(store, run)["development"]
    results, game = store.results(run), find_game("dicewars")
    seeds = {(of, number): seed for of, number, seed, _ in store.moves(run)}
    for standing in data["standings"]:
        agent = standing["agent"]
        rows = [row for row in course if row["agent"] == agent]
        assert 2 <= len(rows) <= 10
        assert rows[-1]["score"] == pytest.approx(standing["score"])
        assert rows[-1]["low"] < rows[-1]["score"] < rows[-1]["high"]
        starts = [
            begin(game, run.matches[of].options, seeds[of, number]).scores[seat]
            for of, number, seat, who in zip(
                results.match, results.number, results.seat, results.agent, strict=True
            )
            if results.agents[who] == agent
        ]
        first = [r for r in data["development"] if r["agent"] == agent and r["round"] == 0]
        assert first[0]["score"] == pytest.approx(np.mean(starts))


def test_what_one_gains_by_luck_the_other_loses(data):
    every = [row for row in data["luck"] if row["line_up"] is None]
    assert [row["agent"] for row in every] == [row["agent"] for row in data["standings"]]
    for row, standing in zip(every, data["standings"], strict=True):
        assert row["share"] == pytest.approx(standing["share"])
        assert row["low"] < row["share"] < row["high"]
    line_ups = {tuple(row["line_up"]) for row in data["luck"] if row["line_up"]}
    assert len(line_ups) == 3
    for line_up in line_ups:
        one, other = (row for row in data["luck"] if row["line_up"] == list(line_up))
        assert one["luck"] == pytest.approx(-other["luck"]) and one["luck"] != 0
        assert one["adjusted"] == pytest.approx(1 - other["adjusted"])


def test_a_sample_is_whole_blocks_from_the_whole_run(store, run, monkeypatch):
    results = store.results(run)
    assert report.sample(results) is results
    monkeypatch.setattr(report, "SAMPLE", 60)
    some = report.sample(results)
    assert len(some) == 60
    games = list(zip(some.match.tolist(), some.number.tolist(), strict=True))
    assert all((of, number ^ 1) in games for of, number in games)
    assert {of for of, _ in games} == {0, 1, 2}
    assert {0, 39} <= {number for _, number in games}
    monkeypatch.setattr(report, "SAMPLE", 2)
    assert len(np.unique(report.sample(results).block)) == 20
    found = gather(store, run)
    assert found["run"]["replayed"] == 40
    assert "From 40 games in whole blocks" in html(found, {})


def test_a_run_without_moves_says_so(store):
    found = gather(store, store.run("blind"))
    assert not {"development", "luck"} & set(found)
    assert "The moves of this run were not kept." in html(found, {})


def test_an_agent_alone_cannot_be_rated(store):
    found = gather(store, store.run("short"), ["stei"])
    assert found["run"]["agents"] == ["sdc"]
    assert not {"ratings", "cross_table", "t_tests"} & set(found)
    words = "".join(Page(html(found, {})).words)
    assert "sdc took 50.0\u202f% of the points in 4 games; that is too little to rate" in words


def test_the_plan_on_the_page_can_be_played(run):
    assert parse_plan(report.toml(run.plan), "the page") == run.plan
    other = Plan(
        "dicewars", ("stei", "mcts:c=0.3|1"), 7, 5, tables=(2, 3), repeat=True, having=("stei",),
        limit=0.5, seats="rotate", moves=False,
    )  # fmt: skip
    assert parse_plan(report.toml(other), "the page") == other
    seated = Plan("dicewars", ("stei", "sdc"), each=4, seed=1, memory="seat")
    assert parse_plan(report.toml(seated), "the page") == seated
    named = Plan("dicewars", games=4, seed=1, lineups=(("stei", "sdc"), ("sdc", "sdc")))
    assert parse_plan(report.toml(named), "the page") == named


def test_totals_of_tables_and_scores_of_seats_are_those_of_the_games(store, run, data, page):
    scores = store.results(run).score.reshape(-1, 2)
    rows = {(row["of"], row["seat"]): row for row in data["points"]}
    wanted = {
        ("total", None): scores.sum(axis=1), ("score", 1): scores[:, 0], ("score", 2): scores[:, 1],
        ("difference", 1): scores[:, 0] - scores[:, 1],
        ("difference", 2): scores[:, 1] - scores[:, 0],
    }  # fmt: skip
    assert set(rows) == set(wanted)
    for key, values in wanted.items():
        row = rows[key]
        assert row["mean"] == pytest.approx(values.mean())
        assert row["deviation"] == pytest.approx(values.std(ddof=1))
        assert sum(row["counts"]) == row["count"] == row["games"] == 120
    assert page.rows["points"][1][:4] == [
        "sum of the scores",
        "2",
        "120",
        f"{scores.sum() / 120:.2f}",
    ]
    assert list(plots.figures({key: data[key] for key in ("standings", "lengths", "points")})) == [
        "lengths", "points-2",
    ]  # fmt: skip


def test_a_saw_has_a_swing_and_a_jump_at_the_end(store, run):
    some = store.results(run)
    some = some.pick(some.game < 40)
    saw = np.cumsum([0, 0, 4, 0, 4, 0, 4, 20])  # points every other round, and twenty with the end
    line = np.arange(8)
    first = np.flatnonzero(some.seat == 0).tolist()
    traces = {}
    for row in first:
        pair = [saw if some.agents[some.agent[at]] == "stei" else line for at in (row, row + 1)]
        traces[row] = np.stack(pair, axis=1).astype(float)
    order = [some.agents[i] for i in np.unique(some.agent)]
    found = {row["agent"]: row for row in report.rhythm(some, traces, order, 0.95)}
    assert set(found) == set(order) and "stei" in found
    for agent, row in found.items():
        assert (row["swing"], row["end"]) == ((4, 18) if agent == "stei" else (0, 0))
        assert row["games"] == 40 and row["players"] == 2


def test_plots_are_the_same_every_time_and_follow_the_page(data):
    some = {key: data[key] for key in ("standings", "ratings", "lengths")}
    one, two = (plots.svg("ratings", plots.figures(some)["ratings"]) for _ in range(2))
    assert one == two
    assert "var(--ink)" in one and "<metadata" not in one and "<text" not in one


def test_sixty_four_agents_can_be_told_apart():
    marks = plots.agent_marks(map(str, range(64)))
    assert len({(mark.colour, mark.shape) for mark in marks.values()}) == 64


def test_shades_go_from_all_lost_to_all_won():
    assert [shade(x) for x in (0.0, 0.5, 1.0)] == ["s0", "s5", "s10"]


def test_the_command_writes_a_page_and_plots(store, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = ["report", "short", "--store", str(store)]
    done = CliRunner().invoke(
        app, [*given, "--exclude", "sdc", "--level", "0.9", "--plots", "figures"]
    )
    assert done.exit_code == 0, done.output
    assert "report in short.html" in done.output
    found = Page(Path("short.html").read_text(encoding="utf-8"))
    assert "--exclude sdc --level 0.9 --json | jq .standings" in "".join(found.words)
    names = sorted(path.name for path in Path("figures").iterdir())
    assert {"lengths.png", "lengths.svg", "scores-2.png", "development-2.svg"} <= set(names)
    assert Path("figures/lengths.png").read_bytes()[:4] == b"\x89PNG"


def test_the_command_prints_json_and_writes_nothing(store, data, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = ["report", "tiny <b>", "--store", str(store), "--json"]
    done = CliRunner().invoke(app, given)
    assert done.exit_code == 0, done.output
    assert list(json.loads(done.stdout)) == list(data)
    assert not list(tmp_path.iterdir())
    assert command.report.__doc__
    done = CliRunner().invoke(app, [*given[:-1], "--out", "nowhere/page.html"])
    assert isinstance(done.exception, KostkaError)
