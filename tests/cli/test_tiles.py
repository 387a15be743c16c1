"""Tile sets on the command line: checked, drawn, played with, and offered by a server."""

import json
import re

import pytest
from typer.testing import CliRunner

from kostka.arena.plan import read_plan
from kostka.cli import app, load
from kostka.cli.shared import game_options
from kostka.core.errors import KostkaError
from kostka.core.game import game, label

SEA = {"id": "sea", "start": True, "sides": [0, 0, 0, 0], "regions": ["sea"]}
MORE = {"id": "more", "count": 3, "sides": [0, 0, 0, 0], "regions": ["sea"]}
PEAK = {"id": "peak", "sides": [0, 0, 0, 0], "regions": ["mountain"]}

load()


def kostka(*args):
    return CliRunner().invoke(app, [str(arg) for arg in args])


@pytest.fixture
def islands(tmp_path):
    path = tmp_path / "islands.json"
    path.write_text(json.dumps({"name": "islands", "tiles": [SEA, MORE, PEAK]}))
    return path


def test_a_set_is_checked_and_what_can_never_be_laid_is_said(islands):
    said = kostka("tiles", "check", islands).stdout
    assert "islands can be played: 5 tiles of 3 kinds, 5 regions and 0 cities on them." in said
    assert "It can never be finished: tile peak fits nowhere" in said
    told = json.loads(kostka("tiles", "check", "standard", "--json").stdout)
    assert told["tiles"] == 84 and told["never laid"] == []


def test_a_set_that_is_wrong_is_refused_with_a_sentence(islands, tmp_path):
    islands.write_text(json.dumps({"name": "islands", "tiles": [MORE]}))
    done = kostka("tiles", "check", islands)
    assert isinstance(done.exception, KostkaError)
    assert str(done.exception) == "a tile set needs exactly one start tile; here it is none"
    done = kostka("tiles", "check", tmp_path / "none.json")
    assert str(done.exception).endswith("none.json cannot be read: No such file or directory")


def test_a_set_is_drawn_and_no_file_is_written_over(islands, tmp_path):
    svg = tmp_path / "islands.svg"
    assert kostka("tiles", "draw", islands, svg).exit_code == 0
    assert re.search(r"islands: 5 tiles of 3 kinds", svg.read_text())
    done = kostka("tiles", "draw", islands, svg)
    assert str(done.exception).endswith("exists already; choose another name")


def test_a_path_is_read_where_it_is_given(islands, tmp_path):
    found = game_options(game("carcassonne"), [f"tiles={islands}"])
    assert label(found["tiles"]) == "islands"
    plan = tmp_path / "plan.toml"
    words = 'game = "carcassonne"\nagents = ["random", "mcts"]\n[options]\ntiles = "{}"\n'
    plan.write_text(words.format(islands))
    assert label(read_plan(plan).options["tiles"]) == "islands"
    plan.write_text(words.format("nowhere.json"))
    with pytest.raises(KostkaError, match=r"key options.*nowhere.json cannot be read"):
        read_plan(plan)


def test_a_server_does_not_start_with_a_set_that_cannot_be_played(islands, tmp_path):
    islands.write_text("{")
    done = kostka("serve", "--data", tmp_path, "--port", 0, "--tiles", islands)
    assert str(done.exception).startswith("the tile set is not JSON")
