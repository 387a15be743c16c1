"""Presets: sets of a game's options by name, wherever options can be given."""

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from kostka.arena.plan import parse_plan
from kostka.cli import app, load
from kostka.core.errors import KostkaError
from kostka.core.game import games
from kostka.table.lobby import game_info
from kostka.table.messages import GameInfo
from kostka.table.offers import Offers

load()


@pytest.fixture
def pig(monkeypatch):
    """Pig with a short game by name."""
    made = replace(games()["pig"], presets={"short": {"goal": 10}, "long": {"goal": 50}})
    monkeypatch.setitem(games(), "pig", made)
    return made


def kostka(*args):
    return CliRunner().invoke(app, args)


def test_a_preset_sets_options_and_an_option_changes_it(pig, tmp_path):
    def goal(*args):
        given = ("match", "pig", "random", "random", "--games", "2", "--seed", "1", *args)
        done = kostka(*given, "--record", str(tmp_path / "-".join(args)))
        assert done.exit_code == 0, done.output
        record = next((tmp_path / "-".join(args)).iterdir())
        return json.loads(record.read_text().split("\n")[0])["options"]["goal"]

    assert goal("--preset", "short") == 10
    assert goal("--preset", "short", "-o", "goal=20") == 20


def test_an_unknown_preset_is_refused_with_the_known_ones(pig):
    for command in (["match"], ["watch"], ["play"]):
        done = kostka(*command, "pig", "random", "random", "--preset", "shrot")
        assert isinstance(done.exception, KostkaError)
        assert "unknown preset of pig 'shrot'; did you mean short?" in str(done.exception)
    done = kostka("test", "random", "random", "--game", "pig", "--preset", "blitz")
    assert "unknown preset of pig 'blitz'" in str(done.exception)
    done = kostka("match", "dicewars", "stei", "sdc", "--preset", "short")
    assert "unknown preset of dicewars 'short'; known: none" in str(done.exception)


def test_a_plan_keeps_what_a_preset_stands_for(pig):
    text = 'game = "pig"\nagents = ["random", "mcts"]\npreset = "short"\n'
    assert parse_plan(text, "f.toml").options == {"goal": 10}
    assert parse_plan(text + "[options]\ngoal = 30", "f.toml").options == {"goal": 30}
    assert parse_plan(text, "f.toml", preset="long").options == {"goal": 50}
    with pytest.raises(KostkaError, match=r"f\.toml, line 3, key preset: unknown preset of pig"):
        parse_plan(text.replace("short", "blitz"), "f.toml")
    with pytest.raises(KostkaError, match=r"f\.toml, line 1, key game: unknown game 'pgi'"):
        parse_plan(text.replace('"pig"', '"pgi"'), "f.toml")


def test_a_tournament_takes_a_preset(pig, tmp_path):
    store = ("--store", str(tmp_path / "k.db"))
    args = ("tournament", "pig", "random", "random", "--repeat", "--games", "2", "--seed", "1")
    done = kostka(*args, "--preset", "short", *store, "--json")
    assert done.exit_code == 0, done.output
    done = kostka("report", "pig-1", *store, "--json")
    assert json.loads(done.stdout)["run"]["options"]["goal"] == 10


def test_presets_are_listed_in_the_terminal_and_for_tables(pig):
    assert "--preset short" in kostka("games").output
    info = GameInfo(**game_info(pig, True, False, Offers()))
    assert [(one.name, one.options) for one in info.presets] == [
        ("short", {"goal": 10}), ("long", {"goal": 50}),
    ]  # fmt: skip


def test_a_game_with_a_wrong_preset_is_no_game():
    with pytest.raises(KostkaError, match="goal must be"):
        replace(games()["pig"], presets={"endless": {"goal": -1}})
