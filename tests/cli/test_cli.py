"""The command line as a person uses it: in a process of its own."""

import csv
import io
import json
import os
import re
import subprocess
import sys

import pyarrow.parquet
import pytest
from typer.testing import CliRunner

from kostka.cli import app, load


def kostka(*args: str, cwd=None, **env: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "kostka", *args],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, "COLUMNS": "200", **env},
        timeout=300,
        check=False,
    )


def test_a_match_for_programs():
    done = kostka("match", "dicewars", "stei", "sdc", "--games", "4", "--seed", "3", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["game"], found["seed"], found["games"]) == ("dicewars", 3, 4)
    first = found["agents"][0]
    assert {"agent", "games", "wins", "draws", "losses", "share", "low", "high"} <= set(first)
    assert first["low"] <= first["share"] <= first["high"]
    again = kostka(
        "match", "dicewars", "stei", "sdc", "--games", "4", "--seed", "3", "--csv", "--jobs", "2"
    )
    rows = list(csv.DictReader(io.StringIO(again.stdout)))
    assert [int(row["wins"]) for row in rows] == [one["wins"] for one in found["agents"]]


def test_a_match_for_people_shows_the_seed_it_used():
    done = kostka("match", "dicewars", "stei", "sdc", "--games", "2")
    assert done.returncode == 0
    assert "seed " in done.stdout
    assert "share (95 %)" in done.stdout


def test_a_game_of_two_sides_is_told_by_role(tmp_path):
    played = ["scotland-yard-grid", "random", "bandit", "--games", "40", "--seed", "1"]
    found = json.loads(kostka("match", *played, "--json").stdout)
    assert [row["games"] for row in found["agents"]] == [40, 40]
    by_role = {(row["agent"], row["role"]): row for row in found["roles"]}
    assert len(by_role) == 4 and {row["games"] for row in by_role.values()} == {20}
    for role, other in (("Mr X", "detectives"), ("detectives", "Mr X")):
        both = by_role["random", role]["share"] + by_role["bandit", other]["share"]
        assert both == pytest.approx(1)
    told = kostka("tournament", *played, cwd=tmp_path)
    assert told.returncode == 0, told.stderr
    assert "detectives before Mr X of column, %" in told.stdout and "whoever" in told.stdout
    luck = kostka("luck", "1", "--games", "--json", cwd=tmp_path)
    assert luck.returncode == 0, luck.stderr
    assert len(json.loads(luck.stdout)) == 80


def test_one_role_can_be_tested_alone():
    args = ["mcts:iterations=60", "random", "--game", "scotland-yard-grid", "--elo", "100"]
    done = kostka("test", *args, "--role", "Detectives", "--seed", "1")
    assert done.returncode == 0, done.stderr
    words = done.stdout.splitlines()[-1]
    assert words.startswith("mcts:iterations=60 is stronger than random as detectives (LLR ")
    assert "points in a hundred" in words


def test_records_can_be_written_verified_and_replayed(tmp_path):
    done = kostka(
        "match", "dicewars", "stei", "sdc", "--games", "2", "--seed", "3",
        "--record", str(tmp_path / "r"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    files = sorted(str(p) for p in (tmp_path / "r").iterdir())
    assert "verified" in kostka("verify", *files).stdout
    svg = tmp_path / "p.svg"
    shown = kostka("replay", files[0], "--to", "7", "--seat", "1", "--svg", str(svg), "--json")
    assert len(json.loads(shown.stdout)["events"]) == 7
    assert svg.read_text().startswith("<svg")
    assert "result" in kostka("replay", files[0]).stdout


@pytest.mark.parametrize(
    ("game", "words"),
    [("dicewars", "attack"), ("pig", "hold"), ("scotland-yard-grid", "green (random): go to")],
)
def test_a_game_can_be_watched(game, words):
    done = kostka("watch", game, "random", "random", "--seed", "3")
    assert done.returncode == 0, done.stderr
    assert words in done.stdout
    assert "has won" in done.stdout


def test_a_time_limit_does_not_count_compiling(tmp_path):
    args = ["match", "dicewars", "stei", "mcts:iterations=5", "--games", "1", "--limit", "2"]
    done = kostka(*args, "--json", KOSTKA_CACHE=str(tmp_path))
    assert [one["faults"] for one in json.loads(done.stdout)["agents"]] == [{}, {}]


def test_lists_of_games_and_agents():
    assert "dicewars" in kostka("games").stdout
    assert {row["game"] for row in json.loads(kostka("games", "--json").stdout)} >= {"dicewars"}
    names = [row["agent"] for row in json.loads(kostka("agents", "dicewars", "--json").stdout)]
    assert {"random", "sdc", "ste", "stei", "wpm-c", "wpm-d", "wpm-s"} <= set(names)
    assert {"expectimax", "mcts"} <= set(names)


def test_a_broken_game_of_somebody_else_does_not_take_ours_away(tmp_path):
    info = tmp_path / "broken_game-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-game\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[kostka.games]\nbroken = no_such_module:game\n")
    shown = kostka("games", PYTHONPATH=str(tmp_path))
    assert shown.returncode == 0
    assert "dicewars" in shown.stdout
    assert "broken cannot be loaded: ModuleNotFoundError" in shown.stderr
    asked = kostka("check", "broken", PYTHONPATH=str(tmp_path))
    assert asked.returncode == 2
    assert "the game broken cannot be loaded" in asked.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["match", "dicewar", "stei", "sdc"], "did you mean dicewars?"),
        (["match", "dicewars", "stei", "sdx"], "did you mean sdc?"),
        (["match", "dicewars", "stei", "sdc", "-o", "editions=1"], "did you mean edition?"),
        (["match", "dicewars", "stei", "sdc", "-o", "edition"], "is no option"),
        (["match", "dicewars", "stei"], "from 2 to 8"),
        (["match", "dicewars", *["stei"] * 9], "from 2 to 8"),
        (["agents", "chess"], "unknown game"),
        (["check", "chess"], "unknown game"),
        (["compile", "chess"], "unknown game"),
        (["bench", "chess"], "unknown game"),
        (["verify", "nothing.jsonl"], "cannot be read"),
        (["replay", "broken.jsonl"], "not a JSON object"),
        (["match", "dicewars", "expectimax:eval=foo", "sdc"], "unknown evaluation"),
        (["match", "dicewars", "stei", "sdc", "--limit", "inf"], "86400"),
        (["match", "dicewars", "stei", "bad_bot:Bot"], "cannot be imported"),
        (["watch", "dicewars", "stei", "sdc", "--svg", "/nowhere/x.svg"], "No such file"),
    ],
)
def test_a_mistake_gets_one_sentence_and_exit_code_2_and_writes_nothing(args, words, tmp_path):
    (tmp_path / "broken.jsonl").write_text("{")
    (tmp_path / "bad_bot.py").write_text("class Bot:\n  def\n")
    extra = ["--record", "out"] if args[0] == "match" else []
    done = kostka(*args, *extra, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    if "--limit" not in args:  # what typer itself refuses is framed
        assert done.stderr.count("\n") == 1
    assert {path.name for path in tmp_path.iterdir()} - {"__pycache__"} == {
        "broken.jsonl",
        "bad_bot.py",
    }


load()
COMMANDS = [c.name or c.callback.__name__ for c in app.registered_commands]


@pytest.mark.parametrize("command", [*COMMANDS, "cache clear", "cache show"])
def test_every_command_has_help_with_an_example(command):
    done = CliRunner().invoke(app, [*command.split(), "--help"], env={"COLUMNS": "300"})
    assert done.exit_code == 0
    assert re.search(rf"Examples?: kostka {command}", done.stdout)


def test_a_tournament_and_everything_that_is_made_of_it(tmp_path):
    args = ["tournament", "dicewars", "stei", "sdc", "random", "--games", "40", "--seed", "3"]
    first = kostka(*args, "--jobs", "2", "--json", cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    found = json.loads(first.stdout)
    assert (found["run"], found["games"], found["seed"]) == ("dicewars-3", 120, 3)
    assert [row["games"] for row in found["agents"]] == [80] * 3
    again = kostka(*args, cwd=tmp_path)
    assert "has been played already" in again.stderr
    assert "row before column" in again.stdout
    runs = json.loads(kostka("runs", "--json", cwd=tmp_path).stdout)
    assert [(run["name"], run["played"]) for run in runs] == [("dicewars-3", 120)]
    rows = json.loads(kostka("luck", "dicewars-3", "--json", cwd=tmp_path).stdout)
    assert {row["agent"] for row in rows} == {"stei", "sdc", "random"}
    split = csv.DictReader(
        io.StringIO(kostka("luck", "1", "--games", "--csv", cwd=tmp_path).stdout)
    )
    for row in split:
        parts = sum(float(row[key]) for key in ("fair", "start", "luck", "rest"))
        assert parts == pytest.approx(float(row["gain"]))
    for name in ("games.csv", "games.parquet"):
        assert "240 rows" in kostka("export", "dicewars-3", name, cwd=tmp_path).stdout
    with (tmp_path / "games.csv").open() as f:
        flat = list(csv.DictReader(f))
    assert sum(float(row["gain"]) for row in flat) == pytest.approx(120)
    assert pyarrow.parquet.read_table(tmp_path / "games.parquet").num_rows == 240
    made = kostka("report", "dicewars-3", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    assert "Plackett" in (tmp_path / "dicewars-3.html").read_text()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["tournament", "dicewars", "stei", "sdx"], "did you mean sdc?"),
        (["tournament", "dicewars", "stei"], "fill no table"),
        (["tournament", "no.toml"], "cannot be read"),
        (["tournament", "bad.toml"], "line 2, key agnts"),
        (["tournament", "dicewars", "stei", "sdc", "--executor", "cloud"], "one of auto"),
        (["runs"], "there is no store kostka.db"),
        (["report", "x", "--store", "nowhere/x.db"], "there is no store nowhere/x.db"),
        (["export", "x", "x.txt", "--store", "nowhere.db"], "there is no store"),
        (["learn", "dicewars", "outlok", "--games", "10"], "did you mean outlook?"),
        (["learn", "scotland-yard-grid", "location", "--teacher", "random"], "mean locations?"),
        (["learn", "dicewars", "seed", "--teacher", "sdc"], "unknown lesson of dicewars"),
        (["learn", "dicewars", "outlook", "--players", "9"], "players must be"),
        (["learn", "scotland-yard-grid", "locations", "--teacher", "nobody"], "unknown agent"),
        (
            ["test", "mcts", "random", "--game", "scotland-yard", "--players", "3"],
            "-option players=3",
        ),
        (["test", "mcts", "random", "--game", "scotland-yard", "--role", "X"], "Mr X, detectives"),
        (["test", "stei", "sdc", "--game", "dicewars", "--role", "X"], "all seats are alike"),
    ],
)
def test_a_mistake_in_the_laboratory_is_one_sentence(args, words, tmp_path):
    (tmp_path / "bad.toml").write_text('game = "dicewars"\nagnts = ["stei"]\n')
    done = kostka(*args, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_learning_writes_weights_and_says_how_they_were_made(tmp_path):
    done = kostka(
        "learn", "dicewars", "outlook", "--games", "40", "--players", "2", "--seed", "1",
        "--out", "w.json", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    made = json.loads((tmp_path / "w.json").read_text())
    assert len(made["weights"]) == 8
    assert made["surprise"]["of these weights"] < made["surprise"]["knowing nothing"]
    assert made["teachers"] == ["random", "sdc", "ste", "stei", "wpm-d", "wpm-s", "wpm-c"]
    assert "largest region\n" in done.stdout
    assert made["command"].startswith("kostka learn dicewars outlook")


def test_a_lesson_of_a_teacher_is_counted_and_says_how_it_was_made(tmp_path):
    lesson = ["learn", "scotland-yard-grid", "locations", "--games", "10", "--seed", "4"]
    teacher = ["--teacher", "mcts-nijssen:iterations=20", "--out", "l.json"]
    done = kostka(*lesson, *teacher, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    assert made == json.loads((tmp_path / "l.json").read_text())
    assert (made["teachers"], made["games"], made["seed"]) == ([teacher[1]], 10, 4)
    assert made["command"].startswith("kostka learn scotland-yard-grid locations --games 10")
    times, there = made["nearest"]["general"]
    assert 10 < sum(there) < 100
    assert all(n <= most for n, most in zip(there, times, strict=True))
    assert sum(made["lines"]["general"][1]) == sum(there)


def test_a_lesson_for_people_says_how_well_it_was_learnt(tmp_path):
    done = kostka(
        "learn", "scotland-yard-grid", "prior", "--games", "10", "--seed", "4",
        "--teacher", "mcts-nijssen:iterations=20", "--out", "p.json", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "10 games of mcts-nijssen:iterations=20, seed 4" in done.stdout
    assert "hunt surprise, in nats: of all alike" in done.stdout
    assert "written to p.json" in done.stdout
    made = json.loads((tmp_path / "p.json").read_text())
    assert len(made["flight"]) == len(made["hunt"]) == 24


def test_the_cache_can_be_filled_and_cleared(tmp_path):
    cache = str(tmp_path / "cache")
    first = kostka("match", "dicewars", "sdc", "sdc", "--games", "1", KOSTKA_CACHE=cache)
    assert first.stderr.count("compiling") == 1
    second = kostka("match", "dicewars", "sdc", "sdc", "--games", "1", KOSTKA_CACHE=cache)
    assert "compiling" not in second.stderr
    assert "deleted" in kostka("cache", "clear", KOSTKA_CACHE=cache).stdout
    assert "0 kernels" in kostka("cache", "show", KOSTKA_CACHE=cache).stdout


def test_importing_kostka_is_quick_and_loads_no_compiler():
    code = (
        "import sys, time; t = time.process_time(); import kostka; "
        "kostka.games(); print(time.process_time() - t, 'numba' in sys.modules)"
    )
    times = []
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        seconds, loaded = done.stdout.split()
        assert loaded == "False"
        times.append(float(seconds))
    assert min(times) < 0.3


def test_a_test_stops_by_itself_and_says_so_in_one_line():
    args = ["stei", "random", "--game", "dicewars", "--elo", "60", "--seed", "1"]
    done = kostka("test", *args, "--json", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["verdict"] == "stronger"
    assert 20 < found["games"] < 1000
    told = kostka("test", *args)
    assert told.stdout.splitlines()[-1].startswith("stei is stronger than random (LLR ")
    weaker = kostka("test", "random", "stei", "--game", "dicewars", "--elo", "60", "--players", "3")
    assert "random is not" in weaker.stdout
    wrong = kostka("test", "stei", "sdc", "--game", "dicewars", "--alpha", "2")
    assert wrong.returncode == 2 and wrong.stderr.count("\n") == 1
