"""Maps of one's own: the documented example, every refusal by its sentence, and drawn contacts."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from kostka.arena.plan import read_plan
from kostka.cli import app, load
from kostka.core.errors import KostkaError
from kostka.core.game import game, label
from kostka.core.log import GameLog
from kostka.games.risk.actions import letters
from kostka.games.risk.maps import CLASSIC, canonical, read, the_map
from kostka.games.risk.shapes import board
from kostka.games.risk.view import geography

PAGE = Path(__file__).parents[3] / "docs" / "games" / "risk.md"
(EXAMPLE,) = re.findall(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL)
RISK = game("risk")
load()


def altered(*changes: tuple[str, Any]) -> str:
    """The example with other values at some places, such as ``territories.0.x``."""
    data = copy.deepcopy(json.loads(EXAMPLE))
    for path, value in changes:
        *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
        inside = data
        for part in way:
            inside = inside[part]
        if value is None:
            del inside[last]
        else:
            inside[last] = value
    return json.dumps(data)


# --- a map of one's own ---


def test_the_example_of_the_page_can_be_played():
    state = RISK.new(seed=1, map=EXAMPLE, win="missions", players=3)
    s = state.record
    assert letters(s.map_name) == "Two islands" and s.territories == 9 and s.mission_count == 8
    assert state.why_not("place nowhere")
    assert label(state.options["map"]) == "Two islands"
    assert board(geography(s).map).touching == geography(s).map.land


def test_the_option_is_the_content_written_in_one_way_only():
    written = canonical(EXAMPLE)
    assert canonical(written) == written == canonical(json.dumps(json.loads(EXAMPLE), indent=4))
    assert read(written) == read(EXAMPLE)
    assert RISK.check({"map": EXAMPLE})["map"] == written


def test_the_classic_map_in_a_file_is_the_classic_map():
    assert canonical(the_map(CLASSIC).text()) == CLASSIC


def test_neighbours_may_be_named_by_each_territory_in_place_of_edges():
    data = json.loads(EXAMPLE)
    for one in data["territories"]:
        pairs = [(edge["a"], edge["b"]) for edge in data["edges"]]
        one["neighbours"] = [b if a == one["id"] else a for a, b in pairs if one["id"] in (a, b)]
    edges = {frozenset((edge["a"], edge["b"])) for edge in data.pop("edges")}
    assert {frozenset((one.a, one.b)) for one in read(json.dumps(data)).edges} == edges


def test_records_hold_the_map_itself(tmp_path):
    (tmp_path / "islands.json").write_text(EXAMPLE)
    given = ["match", "risk", "random", "random", "--games", "1", "--seed", "1"]
    given += ["--map", str(tmp_path / "islands.json"), "--record", str(tmp_path / "games")]
    done = CliRunner().invoke(app, [*given, "-o", "turns=40"])
    assert done.exit_code == 0, done.output
    (tmp_path / "islands.json").unlink()
    (path,) = (tmp_path / "games").iterdir()
    record = GameLog.read(path)
    record.verify()
    assert label(record.options["map"]) == "Two islands"


def test_a_plan_names_the_file(tmp_path):
    (tmp_path / "islands.json").write_text(EXAMPLE)
    words = 'game = "risk"\nagents = ["random", "sensible"]\n[options]\nmap = "{}"\n'
    (tmp_path / "plan.toml").write_text(words.format(tmp_path / "islands.json"))
    assert label(read_plan(tmp_path / "plan.toml").options["map"]) == "Two islands"


# --- what is refused ---

NINE = json.loads(EXAMPLE)["territories"]
LONG = "x" * 33
REFUSED = {
    "no JSON": ('{"format": "risk-map/1",\n oops}', "not JSON: line 2, column 2"),
    "endless brackets": ('{"a":' * 12_000, "the map is not JSON"),
    "other format": (altered(("format", "risk-map/2")), "the format must be 'risk-map/1', not"),
    "unknown key": (altered(("colour", 1)), "the map: unknown key 'colour'"),
    "fewer than nine": (altered(("territories", NINE[:8])), "9 to 60 territories, not 8"),
    "more than sixty": (altered(("territories", NINE * 7)), "9 to 60 territories, not 63"),
    "double id": (altered(("territories.1.id", "cape")), "territory cape: there are two of them"),
    "double name": (
        altered(("territories.1.name", "The Cape")),
        "territory name The Cape: there are two",
    ),
    "double continent": (altered(("continents.1.id", "N")), "continent N: there are two of them"),
    "empty name": (altered(("territories.1.name", " ")), "territory fells: the name must be a te"),
    "empty id": (altered(("territories.1.id", "")), "territory 2: the id must be 1 to 24 letters"),
    "long name": (altered(("territories.1.name", LONG)), "fells: the name is too long; it may h"),
    "name of the map": (altered(("name", LONG)), "the map: the name is too long"),
    "taken name": (altered(("name", "classic")), "the name 'classic' is taken"),
    "a word": (altered(("territories.1.id", "end")), "territory end: this id means something els"),
    "unknown neighbour": (altered(("edges.0.b", "atlantis")), "edge 1: unknown neighbour 'atlant"),
    "unknown continent": (
        altered(("territories.1.continent", "W")),
        "territory fells: unknown continent 'W'; known: N, S",
    ),
    "to itself": (altered(("edges.0.b", "cape")), "edge 1: cape cannot be a neighbour of itself"),
    "twice": (altered(("edges.1", {"a": "fells", "b": "cape"})), "edge fells – cape: it is liste"),
    "both": (altered(("territories.0.neighbours", [])), "cape: give either edges or neighbours"),
    "neither": (altered(("edges", None)), "territory cape: its neighbours must be a list of ids"),
    "not connected": (
        altered(("edges.7.b", "port"), ("edges.8.b", "cape")),
        "territory beach cannot be reached from cape",
    ),
    "no land": (
        altered(("continents.1", {"id": "W", "name": "Westland", "bonus": 1}),
                *((f"territories.{n}.continent", "N") for n in range(5, 9))),
        "continent W: no territory belongs to it",
    ),
    "bonus": (altered(("continents.0.bonus", 51)), "continent N: the bonus must be a whole numbe"),
    "half a bonus": (altered(("continents.0.bonus", 2.5)), "from 0 to 50, not 2.5"),
    "x": (altered(("territories.2.x", 1001)), "territory downs: x must be a whole number from 0 "),
    "y": (altered(("territories.2.y", -1)), "territory downs: y must be a whole number from 0 to"),
    "card": (altered(("territories.2.card", "wild")), "downs: the card must be infantry, cavalry"),
    "mission": (altered(("missions.2.count", 10)), "mission 3: the count must be a whole number "),
    "too few others": (altered(("missions.0", {"type": "eliminate", "colour_slot": 3})),
                       "at least 6 missions must be other than to eliminate somebody; here it is"),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_a_bad_map_is_refused_with_its_line_or_id_and_a_sentence(what):
    text, sentence = REFUSED[what]
    with pytest.raises(KostkaError) as refusal:
        RISK.check({"map": text})
    assert sentence in str(refusal.value)
    assert "\n" not in str(refusal.value) and len(str(refusal.value)) < 200


def test_an_edge_that_only_one_side_names_is_refused():
    data = json.loads(EXAMPLE)
    del data["edges"]
    for one in data["territories"]:
        one["neighbours"] = []
    data["territories"][0]["neighbours"] = ["fells"]
    with pytest.raises(KostkaError, match="cape names fells as a neighbour, but fells does not"):
        read(json.dumps(data))


def test_a_file_of_more_than_64_kB_is_refused():
    with pytest.raises(KostkaError, match="map may be a file of at most 64 kB, not 69 kB"):
        RISK.check({"map": EXAMPLE + " " * 66_000 + " " * 2_000})


def test_a_file_that_is_not_there_is_refused():
    done = CliRunner().invoke(app, ["match", "risk", "random", "random", "--map", "none.json"])
    assert done.exit_code != 0 and "none.json cannot be read" in str(done.exception or done.output)


def test_a_game_without_a_map_has_no_such_option():
    done = CliRunner().invoke(app, ["match", "dicewars", "random", "random", "--map", "x.json"])
    assert "unknown option of dicewars" in str(done.exception or done.output)


# --- drawn contacts ---


@pytest.mark.parametrize("n", [9, 14, 20, 27, 35, 42, 50, 60])
def test_territories_touch_exactly_if_they_are_neighbours_by_land(n):
    drawn = geography(RISK.new(seed=n, map="random", territories=n).record).map
    assert board(drawn).touching == drawn.land


def test_the_same_holds_for_the_classic_map():
    drawn = geography(RISK.new(seed=1).record).map
    assert board(drawn).touching == drawn.land
    assert len(drawn.land) == 83 - 24 and len(drawn.around) == 1 and len(drawn.sea) == 23
