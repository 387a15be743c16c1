"""Tile sets: what is refused, by its sentence; what is allowed; and how an option holds a set."""

import itertools
import json

import pytest
from slowboard import STANDARD

from kostka.core.errors import KostkaError
from kostka.core.game import MOST_CONTENT, game, label
from kostka.core.log import GameLog, start_record
from kostka.core.rng import stream
from kostka.games.carcassonne.state import MAX_CELLS, State
from kostka.games.carcassonne.tileset import canonical, read, tile_set

GAME = game("carcassonne")
(OPTION,) = (o for o in GAME.options if o.name == "tiles")

SEA = {"id": "sea", "start": True, "sides": [0, 0, 0, 0], "regions": ["sea"]}
ISLE = {
    "id": "isle",
    "count": 3,
    "sides": [0, 0, 0, 0],
    "regions": ["sea", "grassland"],
    "touching": [[0, 1]],
    "cities": [[0, 1]],
}


def islands(*tiles, **changes) -> str:
    """A tile set as text; ``changes`` are made to its last tile."""
    given = [*(tiles or (SEA, ISLE))]
    given[-1] = {k: v for k, v in {**given[-1], **changes}.items() if v is not None}
    return json.dumps({"name": "islands", "tiles": given})


def kinds(count: int, **rest) -> list[dict]:
    return [{**SEA, **rest, "id": f"t{n}", "start": n == 0} for n in range(count)]


REFUSED = {
    "no JSON": ("{tiles", "the tile set is not JSON: Expecting property name"),
    "no object": ("[]", 'a tile set is an object with a "name" and a list of "tiles"'),
    "no name": (
        '{"tiles": []}',
        "the name of a tile set must be of lower-case letters, digits and hyphens, at most 32, "
        "not None",
    ),
    "a shipped name": (
        islands().replace("islands", "standard"),
        "the tile set 'standard' comes with the game and has other tiles; choose another name",
    ),
    "unknown key of the set": (
        '{"name": "a", "tils": [], "tiles": []}',
        "the tile set: unknown key 'tils'; known: name, about, tiles",
    ),
    "no start tile": (
        islands(ISLE),
        "a tile set needs exactly one start tile; here it is none",
    ),
    "two start tiles": (
        islands(start=True),
        "a tile set needs exactly one start tile; here it is sea and isle",
    ),
    "a start tile twice": (
        islands(SEA, count=2),
        "tile sea: the count of the start tile must be 1, not 2",
    ),
    "no id": (
        islands(id=None),
        "tile number 2 needs an id of at most 24 letters, digits, dots, hyphens and underscores, "
        "not None",
    ),
    "an id twice": (
        islands(SEA, ISLE, ISLE),
        "tile isle: 2 tiles have this id; each needs its own",
    ),
    "unknown key": (
        islands(conut=3),
        "tile isle: unknown key 'conut'; known: id, count, sides, regions, touching, cities, "
        "start, reconstructed",
    ),
    "a count of none": (
        islands(count=0),
        "tile isle: the count must be a whole number from 1 on, not 0",
    ),
    "a count that is no number": (
        islands(count="3"),
        "tile isle: the count must be a whole number from 1 on, not '3'",
    ),
    "no regions": (islands(regions=[]), "tile isle: regions must be a list of 1 to 6 terrains"),
    "too many regions": (
        islands(regions=["sea"] * 7),
        "tile isle: regions must be a list of 1 to 6 terrains",
    ),
    "unknown terrain": (
        islands(regions=["sea", "lava"]),
        "tile isle: unknown terrain 'lava'; known: mountain, grassland, sea",
    ),
    "a side without a region": (
        islands(sides=[0, 0, 2, 0]),
        "tile isle: the south side has no region; it must be one of 0 to 1, not 2",
    ),
    "a missing side": (
        islands(sides=[0, 0, 0]),
        "tile isle: the west side has no region; it must be one of 0 to 1, not null",
    ),
    "a fifth side": (islands(sides=[0] * 5), "tile isle: there must be 4 sides, not 5"),
    "regions that cross": (
        islands(sides=[0, 1, 0, 1]),
        "tile isle: regions 0 and 1 would cross; only one of them can go from a side to the "
        "opposite one",
    ),
    "a region that touches nothing": (
        islands(touching=[], cities=[]),
        'tile isle: region 0 (sea) touches nothing; say in "touching" beside which regions it lies',
    ),
    "a pair that is none": (
        islands(touching=[[0, 2]]),
        "tile isle: [0, 2] in touching is not a pair of its regions, which are 0 to 1",
    ),
    "pairs that are no list": (
        islands(cities=3),
        "tile isle: cities must be a list of pairs of regions",
    ),
    "a city off the shore": (
        islands(regions=["mountain", "grassland"]),
        "tile isle: the city between regions 0 (mountain) and 1 (grassland) is not on a shore; "
        "one of the two must be sea",
    ),
    "a city between regions that do not touch": (
        islands(
            regions=["sea", "grassland", "mountain"],
            touching=[[0, 1], [1, 2]],
            cities=[[2, 0]],
        ),
        "tile isle: no city can stand between regions 0 and 2, which do not touch",
    ),
    "too many cities on a tile": (
        islands(cities=[[0, 1]] * 9),
        "tile isle: it has 9 cities; at most 8 are possible",
    ),
    "a start that is not true or false": (
        islands(start="yes"),
        "tile isle: start must be true or false, not 'yes'",
    ),
    "too many tiles": (islands(count=84), "the tile set has 85 tiles; at most 84 are possible"),
    "too many regions in all": (
        islands(
            SEA,
            ISLE,
            count=60,
            regions=["sea", *["grassland"] * 4],
            touching=[[0, 1], [0, 2], [0, 3], [0, 4]],
        ),
        "the tile set has 301 regions; at most 256 are possible",
    ),
    "too many cities in all": (
        islands(count=65),
        "the tile set has 65 cities; at most 64 are possible",
    ),
    "too much grassland beside mountains": (
        islands(
            count=64,
            regions=["mountain", *["grassland"] * 3],
            touching=[[0, 1], [0, 2], [0, 3]],
            cities=[],
        ).replace('"count": 64', '"count": 63'),
        "the tile set has 189 regions of grassland beside mountains; at most 128 are possible",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_set_that_cannot_be_is_refused_with_the_tile_and_the_reason(what):
    text, why = REFUSED[what]
    with pytest.raises(KostkaError) as refusal:
        read(text)
    assert str(refusal.value).startswith(why)


def test_a_set_that_can_never_be_finished_is_allowed_and_named():
    peak = {"id": "peak", "sides": [0] * 4, "regions": ["mountain"]}
    found = read(islands(SEA, ISLE, peak))
    assert found.stranded() == ["peak"]
    assert tile_set("standard").stranded() == []
    s = GAME.new(seed=1, tiles=found.text())
    luck = stream(1)
    while not s.settle(luck).over:
        s.apply(s.legal_actions[0])
    assert s.record.discarded == 1


# --- the sets of the game ---


def test_a_tile_looks_the_same_after_as_many_quarter_turns_as_it_should():
    period = {tile.id: tile.period for tile in tile_set("standard").tiles}
    assert (period["L8-M"], period["L161-MGM"], period["L161-MSM-c01"], period["L44-MG"]) == (
        1, 2, 4, 4,
    )  # fmt: skip
    assert (period["L161-GSG-c01-c12"], period["L11114-GGMMS"]) == (2, 4)


def test_ponds_that_are_alike_are_not_told_apart_by_their_numbers():
    ponds = {
        "sides": [0, 0, 0, 0],
        "regions": ["grassland", "sea", "sea"],
        "touching": [[0, 1], [0, 2]],
        "cities": [[0, 2]],
    }
    (_, tile) = read(islands(SEA, {**ponds, "id": "ponds"})).tiles
    assert tile.period == 1


def test_every_side_pattern_of_three_terrains_is_in_the_standard_set():
    tiles = tile_set("standard").tiles
    patterns = {
        min(sides[d:] + sides[:d] for d in range(4))
        for tile in tiles
        for sides in [[tile.regions[j] for j in tile.sides]]
        for sides in [tuple(sides)]
    }
    every = {
        min(sides[d:] + sides[:d] for d in range(4))
        for sides in itertools.product(("mountain", "grassland", "sea"), repeat=4)
    }
    assert patterns == every and len(every) == 24
    assert sum(tile.count * len(tile.cities) for tile in tiles) == 37


# --- an option that a file may fill ---


def test_a_set_has_one_text_however_it_was_written():
    first = canonical(islands())
    assert canonical(json.dumps(json.loads(islands()), indent=4)) == first
    assert canonical(first) == first and label(first) == "islands"
    assert GAME.check({"tiles": islands()})["tiles"] == first
    assert canonical(json.dumps(STANDARD)) == "standard"


def test_an_option_holds_what_the_file_holds_and_never_its_path(tmp_path):
    path = tmp_path / "islands.json"
    path.write_text(islands())
    assert GAME.read_files({"tiles": str(path), "players": "3"}) == {
        "tiles": canonical(islands()),
        "players": "3",
    }
    with pytest.raises(KostkaError, match="tiles must be one of standard, documented, or a file"):
        GAME.check({"tiles": str(path)})


def test_a_file_that_is_not_there_too_large_or_not_text_is_refused(tmp_path):
    with pytest.raises(KostkaError, match=r"nowhere\.json cannot be read: No such file"):
        OPTION.read_file(str(tmp_path / "nowhere.json"))
    large = tmp_path / "large.json"
    large.write_text(islands() + " " * MOST_CONTENT)
    with pytest.raises(KostkaError, match="tiles may be a file of at most 64 kB, not 65 kB"):
        OPTION.read_file(str(large))
    large.write_bytes(b"\xff\xfe")
    with pytest.raises(KostkaError, match="is not a text file"):
        OPTION.read_file(str(large))


def test_a_record_needs_no_file_and_one_of_an_unknown_set_is_refused_with_its_name():
    s = GAME.new(seed=1, tiles=islands())
    text = start_record(s, ["a", "b"]).dumps()
    assert GameLog.loads(text).replay() == s
    header = json.loads(text)
    for options, why in (
        ({**header["options"], "tiles": "atlantis"}, "or a file, not 'atlantis'"),
        (GAME.check({}), "played with the tile set 'islands', not 'standard'"),
    ):
        with pytest.raises(KostkaError, match=why):
            GameLog.loads(json.dumps({**header, "options": options})).replay()


# --- the record ---


def test_what_changes_during_a_game_is_at_most_20_kb():
    assert State.fields["@carcassonne.state"][1] <= 20 * 1024


def test_a_long_strip_of_tiles_fits_the_board():
    text = islands(SEA, ISLE, count=64)
    s = GAME.new(seed=1, tiles=text)
    for x in range(64):
        s.apply("isle").apply(f"{x + 1},0/0").apply("pass")
    assert s.over and s.record.slots < MAX_CELLS
    line = read(islands(SEA, {**SEA, "id": "more", "start": False}, count=83))
    for step in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        s = GAME.new(seed=1, tiles=line.text())
        for n in range(1, 84):
            s.apply("more").apply(f"{step[0] * n},{step[1] * n}/0").apply("pass")
        assert s.over and s.record.slots == 5 + 3 * 83
