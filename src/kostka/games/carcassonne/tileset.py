"""Tile sets: the two that come with the game, and what a set of one's own must be like.

A set is a JSON text; a tile's regions are numbered from 0:
``{"name": "islands", "tiles": [{"id": "isle", "count": 3, "start": false, "sides": [0, 0, 0, 0],
"regions": ["sea", "grassland"], "touching": [[0, 1]], "cities": [[0, 1]]}, …]}``.
"""

import functools
import itertools
import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kostka.core.errors import KostkaError

TERRAINS = ("mountain", "grassland", "sea")
MOUNTAIN, GRASSLAND, SEA = TERRAINS
SIDES = ("north", "east", "south", "west")

#: What all tiles of a set may have together, and what one tile may have.
MAX_TILES, MAX_REGIONS, MAX_CITIES, MAX_MEADOWS = 84, 256, 64, 128
MAX_SEGMENTS, MAX_TOWNS = 6, 8
#: The longest id of a tile, and the longest name of a set.
MAX_ID, MAX_NAME = 24, 32

TILE_ID = re.compile(rf"[A-Za-z0-9._-]{{1,{MAX_ID}}}")
SET_NAME = re.compile(rf"[a-z0-9][a-z0-9-]{{0,{MAX_NAME - 1}}}")

#: The sets that come with the game.
SHIPPED = ("standard", "documented")

#: Two regions of a tile that touch.
Pair = tuple[int, int]


@dataclass(frozen=True)
class Tile:
    """A kind of tile, as it lies when it is not turned."""

    id: str
    count: int
    sides: tuple[int, ...]  # the region on the north, east, south and west
    regions: tuple[str, ...]  # their terrains
    touching: tuple[Pair, ...] = ()
    cities: tuple[Pair, ...] = ()
    start: bool = False
    reconstructed: bool = False

    @property
    def meadows(self) -> int:
        """How many regions of grassland touch a mountain."""
        return sum(any(self.beside(j, MOUNTAIN)) for j in self.of(GRASSLAND))

    def of(self, terrain: str) -> list[int]:
        """The regions of a terrain."""
        return [j for j, one in enumerate(self.regions) if one == terrain]

    def beside(self, region: int, terrain: str) -> list[bool]:
        """For each region that touches this one: whether it is of a terrain."""
        others = [a + b - region for a, b in self.touching if region in (a, b)]
        return [self.regions[other] == terrain for other in others]

    @property
    def period(self) -> int:
        """After how many quarter turns the tile looks the same."""
        return next(turns for turns in (1, 2, 4) if self._look(turns % 4) == self._look(0))

    def _look(self, turns: int) -> Any:
        """What can be told of a turned tile, whatever the numbers of its regions are."""
        sides = [self.sides[(d - turns) % 4] for d in range(4)]
        outer = list(dict.fromkeys(sides))
        inner = [j for j in range(len(self.regions)) if j not in outer]
        return min(self._told(sides, [*outer, *some]) for some in itertools.permutations(inner))

    def _told(self, sides: list[int], order: list[int]) -> Any:
        """All there is of the tile, with its regions numbered in an order."""
        number = {j: i for i, j in enumerate(order)}
        touching, cities = (
            sorted(sorted((number[a], number[b])) for a, b in pairs)
            for pairs in (self.touching, self.cities)
        )
        return [number[j] for j in sides], [self.regions[j] for j in order], touching, cities


@dataclass(frozen=True)
class TileSet:
    """A checked set of tiles."""

    name: str
    tiles: tuple[Tile, ...]

    def text(self) -> str:
        """The set as the shortest text, the same for equal sets."""
        made = {"name": self.name, "tiles": [_plain(tile) for tile in self.tiles]}
        return json.dumps(made, separators=(",", ":"))

    def stranded(self) -> list[str]:
        """The tiles that can never be laid: nothing that can be laid shows a terrain of theirs."""
        sides = {tile.id: {tile.regions[j] for j in tile.sides} for tile in self.tiles}
        shown = set().union(*(sides[tile.id] for tile in self.tiles if tile.start))
        for _ in sides:
            shown |= set().union(*(one for one in sides.values() if one & shown))
        return [id for id, one in sides.items() if not one & shown]


def _plain(tile: Tile) -> dict[str, Any]:
    """A tile as in a file, without what goes without saying."""
    usual = Tile("", 1, (), ())
    return {
        name: getattr(tile, name)
        for name in Tile.__dataclass_fields__
        if getattr(tile, name) != getattr(usual, name)
    }


# --- from text ---


@functools.lru_cache(maxsize=32)
def tile_set(value: str) -> TileSet:
    """The set of an option's value: the name of a shipped set, or a set's own text."""
    if value == "standard":
        return _read((Path(__file__).parent / "tiles" / "standard.json").read_text())
    if value == "documented":
        known = [tile for tile in tile_set("standard").tiles if not tile.reconstructed]
        return TileSet("documented", tuple(known))
    return read(value)


def canonical(text: str) -> str:
    """What stands for a set in options and records: its name if it is shipped, or else its text."""
    found = read(text)
    return found.name if found.name in SHIPPED else found.text()


def set_name(value: str) -> str:
    """The name of the set of an option's value."""
    return tile_set(value).name


def read(text: str) -> TileSet:
    """The set in a text; an error says which tile is wrong, and why."""
    found = _read(text)
    if found.name in SHIPPED and found != tile_set(found.name):
        raise KostkaError(
            f"the tile set {found.name!r} comes with the game and has other tiles; "
            "choose another name"
        )
    return found


def _read(text: str) -> TileSet:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise KostkaError(f"the tile set is not JSON: {error}") from None
    if not isinstance(data, dict) or not isinstance(data.get("tiles"), list):
        raise KostkaError('a tile set is an object with a "name" and a list of "tiles"')
    _known(data, ("name", "about", "tiles"), "the tile set")
    name = data.get("name")
    if not isinstance(name, str) or not SET_NAME.fullmatch(name):
        raise KostkaError(
            f"the name of a tile set must be of lower-case letters, digits and hyphens, "
            f"at most {MAX_NAME}, not {name!r}"
        )
    found = TileSet(name, tuple(_tile(one, n) for n, one in enumerate(data["tiles"], 1)))
    _check_set(found)
    return found


def _check_set(found: TileSet) -> None:
    """Refuse a set that the game cannot be played with."""
    ids = [tile.id for tile in found.tiles]
    for id in ids:
        if ids.count(id) > 1:
            raise KostkaError(f"tile {id}: {ids.count(id)} tiles have this id; each needs its own")
    starts = [tile for tile in found.tiles if tile.start]
    if len(starts) != 1:
        named = " and ".join(tile.id for tile in starts) or "none"
        raise KostkaError(f"a tile set needs exactly one start tile; here it is {named}")
    if starts[0].count != 1:
        raise KostkaError(
            f"tile {starts[0].id}: the count of the start tile must be 1, not {starts[0].count}"
        )
    total = {
        "tiles": (MAX_TILES, sum(tile.count for tile in found.tiles)),
        "regions": (MAX_REGIONS, sum(tile.count * len(tile.regions) for tile in found.tiles)),
        "cities": (MAX_CITIES, sum(tile.count * len(tile.cities) for tile in found.tiles)),
        "regions of grassland beside mountains": (
            MAX_MEADOWS,
            sum(tile.count * tile.meadows for tile in found.tiles),
        ),
    }
    for what, (most, many) in total.items():
        if many > most:
            raise KostkaError(f"the tile set has {many} {what}; at most {most} are possible")


def _tile(data: Any, number: int) -> Tile:
    id = data.get("id") if isinstance(data, dict) else None
    if not isinstance(id, str) or not TILE_ID.fullmatch(id):
        raise KostkaError(
            f"tile number {number} needs an id of at most {MAX_ID} letters, digits, dots, "
            f"hyphens and underscores, not {id!r}"
        )
    _known(data, tuple(Tile.__dataclass_fields__), f"tile {id}")
    count = data.get("count", 1)
    if type(count) is not int or count < 1:
        raise KostkaError(f"tile {id}: the count must be a whole number from 1 on, not {count!r}")
    regions = data.get("regions")
    if not isinstance(regions, list) or not 1 <= len(regions) <= MAX_SEGMENTS:
        raise KostkaError(f"tile {id}: regions must be a list of 1 to {MAX_SEGMENTS} terrains")
    for terrain in regions:
        if terrain not in TERRAINS:
            known = ", ".join(TERRAINS)
            raise KostkaError(f"tile {id}: unknown terrain {terrain!r}; known: {known}")
    for flag in ("start", "reconstructed"):
        if not isinstance(data.get(flag, False), bool):
            raise KostkaError(f"tile {id}: {flag} must be true or false, not {data[flag]!r}")
    tile = Tile(id, count, _sides(data.get("sides"), id, len(regions)), tuple(regions))
    tile = replace(tile, touching=_pairs(data, "touching", tile))
    tile = replace(tile, cities=_pairs(data, "cities", tile))
    _check_tile(tile)
    start, guess = data.get("start", False), data.get("reconstructed", False)
    return replace(tile, start=start, reconstructed=guess)


def _sides(sides: Any, id: str, regions: int) -> tuple[int, ...]:
    given = sides if isinstance(sides, list) else []
    for d, side in enumerate(SIDES):
        one = given[d] if d < len(given) else None
        if type(one) is not int or not 0 <= one < regions:
            raise KostkaError(
                f"tile {id}: the {side} side has no region; it must be one of 0 to {regions - 1}, "
                f"not {json.dumps(one)}"
            )
    if len(given) != len(SIDES):
        raise KostkaError(f"tile {id}: there must be 4 sides, not {len(given)}")
    return tuple(given)


def _pairs(data: dict[str, Any], key: str, tile: Tile) -> tuple[Pair, ...]:
    """Pairs of regions of a tile, the smaller number first."""
    given = data.get(key, [])
    if not isinstance(given, list):
        raise KostkaError(f"tile {tile.id}: {key} must be a list of pairs of regions")
    found = []
    for pair in given:
        numbers = pair if isinstance(pair, list) else []
        known = all(type(j) is int and 0 <= j < len(tile.regions) for j in numbers)
        if len(numbers) != 2 or not known or numbers[0] == numbers[1]:
            raise KostkaError(
                f"tile {tile.id}: {json.dumps(pair)} in {key} is not a pair of its regions, "
                f"which are 0 to {len(tile.regions) - 1}"
            )
        found.append((min(numbers), max(numbers)))
    return tuple(found) if key == "cities" else tuple(sorted(set(found)))


def _check_tile(tile: Tile) -> None:
    """Regions do not cross, each touches another one, and a city stands on the shore of a sea."""
    north, east, south, west = tile.sides
    if north == south != east == west:
        raise KostkaError(
            f"tile {tile.id}: regions {north} and {east} would cross; only one of them can go "
            "from a side to the opposite one"
        )
    touched = {j for pair in tile.touching for j in pair}
    for j, terrain in enumerate(tile.regions):
        if len(tile.regions) > 1 and j not in touched:
            raise KostkaError(
                f"tile {tile.id}: region {j} ({terrain}) touches nothing; "
                'say in "touching" beside which regions it lies'
            )
    if len(tile.cities) > MAX_TOWNS:
        raise KostkaError(
            f"tile {tile.id}: it has {len(tile.cities)} cities; at most {MAX_TOWNS} are possible"
        )
    for a, b in tile.cities:
        if (a, b) not in tile.touching:
            raise KostkaError(
                f"tile {tile.id}: no city can stand between regions {a} and {b}, which do not touch"
            )
        if (tile.regions[a] == SEA) == (tile.regions[b] == SEA):
            raise KostkaError(
                f"tile {tile.id}: the city between regions {a} ({tile.regions[a]}) and "
                f"{b} ({tile.regions[b]}) is not on a shore; one of the two must be sea"
            )


def _known(data: dict[str, Any], keys: tuple[str, ...], what: str) -> None:
    for key in data:
        if key not in keys:
            raise KostkaError(f"{what}: unknown key {key!r}; known: {', '.join(keys)}")
