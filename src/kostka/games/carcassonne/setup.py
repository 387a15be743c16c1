"""How a game of The Discovery is set up: the tile set, the bag, and the start tile on the board."""

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from kostka.core.record import new
from kostka.games.carcassonne.actions import letters
from kostka.games.carcassonne.rules import clear_board, lay, next_draw
from kostka.games.carcassonne.state import ENDS, NONE, State
from kostka.games.carcassonne.tileset import MAX_SEGMENTS, TERRAINS, Tile, set_name, tile_set


def start(s: Any, options: Mapping[str, Any]) -> None:
    """Write the options and the tile set into a fresh state, and lay the start tile."""
    s.players = options["players"]
    s.small_closed = options["small"] == "closed"
    s.end_rule = ENDS.index(options["end"])
    s.give_back = options["unplaceable"] == "return"
    s.equal = options["equal"]
    for field, values in tables(options["tiles"]).items():
        s[field] = values
    s.bag[: len(s.count)] = s.count
    s.bag[s.start] -= 1
    s.left = s.bag.sum()
    s.standing[...] = NONE
    s.tile = s.unfit = NONE
    clear_board(s)
    lay(s, s.start, 0, 0)
    next_draw(s)


def unlike(one: Any, fresh: Any) -> str | None:
    """How a position from elsewhere differs from the options, where that can be named."""
    mine, theirs = name_of(fresh), name_of(one)
    if mine == theirs:
        return None
    return f"it is played with the tile set {theirs!r}, not {mine!r}"


def name_of(s: Any) -> str:
    """The name of the tile set of a position."""
    return letters(s.name)


@functools.lru_cache(maxsize=32)
def tables(value: str) -> dict[str, Any]:
    """All fields that describe the tile set of an option's value."""
    tiles = tile_set(value).tiles
    fields = ("edges", "beside", "peaks", "segments", "period", "side", "terrain", "city", "id")
    blank = new(State)[0]
    made = {field: np.zeros_like(blank[field]) for field in (*fields, "reconstructed", "count")}
    made["city"][...] = NONE
    for t, tile in enumerate(tiles):
        write_tile(made, t, tile)
    name = np.zeros_like(blank["name"])
    write_letters(name, set_name(value))
    first = next(t for t, tile in enumerate(tiles) if tile.start)
    return {**made, "name": name, "types": len(tiles), "start": first}


def write_tile(made: dict[str, Any], t: int, tile: Tile) -> None:
    """Fill in row ``t`` of the tables."""
    made["count"][t] = tile.count
    made["segments"][t] = len(tile.regions)
    made["period"][t] = tile.period
    made["reconstructed"][t] = tile.reconstructed
    made["side"][t] = tile.sides
    for j, terrain in enumerate(tile.regions):
        made["terrain"][t, j] = TERRAINS.index(terrain)
    for a, b in tile.touching:
        made["beside"][t, a] |= 1 << b
        made["beside"][t, b] |= 1 << a
    for j in tile.of("grassland"):
        made["peaks"][t, j] = made["beside"][t, j] & sum(1 << k for k in tile.of("mountain"))
    for r in range(4):
        shown = [TERRAINS.index(tile.regions[tile.sides[(d - r) % 4]]) for d in range(4)]
        made["edges"][t, r] = sum((1 + terrain) << 2 * d for d, terrain in enumerate(shown))
    for i, (a, b) in enumerate(tile.cities):
        made["city"][t, i] = a + MAX_SEGMENTS * b
    write_letters(made["id"][t], tile.id)


def write_letters(field: Any, text: str) -> None:
    field[: len(text)] = list(text.encode("ascii"))
