"""Plans of learning: what a file may say of them, and an experiment that trains its players."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from kostka.arena.experiments import find, parse
from kostka.arena.learning import Learn, Point, beside, mean_at, moving
from kostka.cli import app, load
from kostka.core.errors import KostkaError

load()

HEAD = 'title = "t"\nsource = "s"\n'
BOLD = """
[[learn]]
name = "bold"
game = "catan"
lesson = "td"
settings = { lambda = 1 }
games = 2
seed = 1
repeat = 2
published = [{ at = 2, trend = "falls" }, { at = 2, measure = "losers", above = 0 }]
"""
PLAN = """
[[plan]]
game = "catan"
lineups = [["td:weights={bold}", "td:weights={bold.2}", "bahnak", "bahnak"]]
games = 2
published = [{ agent = "td:weights={bold}", value = 0.5, games = 10 }]
[plan.options]
map = "variable"
points = 4
"""


def test_a_file_may_train_the_players_of_its_plans():
    found = parse(HEAD + BOLD + PLAN, "x", "x.toml")
    [plan] = found.learns
    assert (plan.name, plan.games, plan.repeat, found.games) == ("bold", 2, 2, 4)
    assert found.scaled(2).learns[0].games == 4
    assert found.scaled(2).learns[0].published[0].at == 4
    [first, second] = plan.trainings(seed=7)
    assert (first.seed, first.attempt, second.attempt) == (7, 1, 2)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("lesson = 'latin'", "unknown lesson 'latin'"),
        ("game = 'dicewars'\nlesson = 'outlook'", "outlook is not learnt by self-play"),
        ("settings = { lamda = 1 }", "learn 1: unknown setting of this lesson 'lamda'"),
        ("games = 0", "games and repeat must be at least 1"),
        ("fixed = ['random', 'random', 'random', 'random']", "do not fit at a table of 4"),
        ("published = [{ at = 1 }]", "published 1: give one of value"),
        ("published = [{ at = 0, value = 1 }]", "from 1 on"),
        ("published = [{ at = 1, value = 1, measure = 'luck' }]", "unknown measure of a curve"),
        ("published = [{ at = 1, value = 1, measure = 'won' }]", "who goes with"),
        ("published = [{ at = 1, trend = 'jumps' }]", "falls or rises"),
        ("seeds = 1", "unknown key 'seeds'; did you mean seed"),
    ],
)
def test_what_no_plan_of_learning_can_be_is_refused(said, words):
    lines = {"name": "'a'", "game": "'catan'", "lesson": "'td'"}
    given = dict(line.split(" = ", 1) for line in said.split("\n"))
    text = "\n".join(f"{key} = {value}" for key, value in {**lines, **given}.items())
    with pytest.raises(KostkaError, match=words):
        parse(f"{HEAD}[[learn]]\n{text}\n", "x", "x.toml")


def test_curves_are_moving_means_beside_what_was_published():
    assert moving(np.arange(4.0)) == [1.5]
    found = [
        {"games": 202, "turns": [9.0, 6.0, 3.0], "losers": [1.0] * 3, "won": {"a": [0.5] * 3}},
        {"games": 202, "turns": [7.0, 6.0, 5.0], "losers": [3.0] * 3, "won": {"a": [0.1] * 3}},
    ]
    assert mean_at(found, "turns", None, 1) == 8  # the first point is that of game 200
    assert mean_at(found, "turns", None, 202) == 4
    points = (
        Point(202, value=5.0), Point(202, below=3.0), Point(202, trend="falls"),
        Point(202, "losers", above=1.0), Point(202, "won", "a", above=0.2),
    )  # fmt: skip
    rows = beside(Learn("x", "catan", "td", 202, {}, {}, published=points), found)
    assert [row["holds"] for row in rows] == [None, False, True, True, True]
    assert rows[0]["theirs"] == "5.00" and rows[0]["ours"] == 4


def test_the_experiments_that_train_are_sound():
    for name, plans in (("rewards", 2), ("lambda", 3), ("together", 2), ("map", 2)):
        assert len(find(f"catan-{name}").learns) == plans


def test_an_experiment_trains_its_players_and_plays_them(tmp_path):
    (tmp_path / "tiny.toml").write_text(HEAD + BOLD + PLAN)
    where = ["reproduce", str(tmp_path / "tiny.toml"), "--store", str(tmp_path / "k.db")]
    first = CliRunner().invoke(app, [*where, "--json"])
    assert first.exit_code == 0, first.output
    found = json.loads(first.stdout)
    assert [row["name"] for row in found["learnt"]] == ["bold", "bold.2"]
    assert [row["games"] for row in found["learnt"]] == [2, 2]
    assert [row["plan"] for row in found["beside"]] == ["bold", "bold"]
    [row] = found["rows"]
    assert row["agent"] == "td:weights=bold" and row["games"] == 4
    assert {p.suffix for p in (tmp_path / "kostka-learnt").iterdir()} == {".npz", ".svg"}
    again = json.loads(CliRunner().invoke(app, [*where, "--json"]).stdout)
    assert again["rows"] == found["rows"]
    words = CliRunner().invoke(app, where).output
    assert "curves drawn in" in words and "bold.2" in words and "kostka-learnt/x-" not in words
