"""What the codes of The Discovery mean: packed, unpacked, named for people and parsed back."""

import re
from typing import Any

import numpy as np

from kostka.core.errors import KostkaError
from kostka.core.kernels import kernel
from kostka.games.carcassonne.state import (
    DRAW,
    FOLLOWERS,
    MAX_CELLS,
    MAX_SEGMENTS,
    MAX_TILES,
    REACH,
    WIDTH,
)

#: A cell and a rotation; then, in this order, a segment to put on, a follower to take, and pass.
PUT = 4 * MAX_CELLS
TAKE = PUT + MAX_SEGMENTS
PASS = TAKE + FOLLOWERS
ACTIONS = PASS + 1
OUTCOMES = MAX_TILES


@kernel
def place_code(c, r):
    return c * 4 + r


@kernel
def cell_of(a):
    return a >> 2


@kernel
def turns_of(a):
    return a & 3


@kernel
def put_code(j):
    return PUT + j


@kernel
def is_put(a):
    return PUT <= a < TAKE


@kernel
def segment_of(a):
    return a - PUT


@kernel
def take_code(f):
    return TAKE + f


@kernel
def is_take(a):
    return TAKE <= a < PASS


@kernel
def follower_of(a):
    return a - TAKE


def text(s: Any, a: int) -> str:
    """``3,-2/1`` lays on a cell with a rotation; ``put 0``, ``take 2``, ``pass``; luck: a tile."""
    if s.phase == DRAW:
        return letters(s.id[a])
    if a == PASS:
        return "pass"
    if is_put(a):
        return f"put {segment_of(a)}"
    if is_take(a):
        return f"take {follower_of(a)}"
    x, y = place_of(s, cell_of(a))
    return f"{x},{y}/{turns_of(a)}"


def places(s: Any) -> list[tuple[int, int]]:
    """Coordinates of all cells, by slot: the start tile is 0,0; east and south are positive."""
    found = [divmod(cell, WIDTH) for cell in s.cell[: s.slots].tolist()]
    return [(x - REACH, y - REACH) for y, x in found]


def place_of(s: Any, c: int) -> tuple[int, int]:
    """Coordinates of one cell."""
    return places(s)[c]


def letters(codes: Any) -> str:
    """The text that a field holds by the codes of its letters."""
    return bytes(codes.astype(np.uint8)).rstrip(b"\0").decode("ascii")


def parse(s: Any, words: str) -> int:
    """The code of a notation; ValueError when it is none."""
    if s.phase == DRAW:
        return [letters(id) for id in s.id[: s.types]].index(words)
    if words == "pass":
        return PASS
    if match := re.fullmatch(r"(put|take) (\d{1,2})", words):
        return _numbered(match[1], int(match[2]))
    match = re.fullmatch(r"(-?\d{1,2}),(-?\d{1,2})/([0-3])", words)
    if not match:
        raise ValueError(words)
    return place_code(slot_of(s, int(match[1]), int(match[2])), int(match[3]))


def _numbered(verb: str, n: int) -> int:
    """The code of putting on a region, or of taking a follower."""
    what, first, most = (
        ("region", PUT, MAX_SEGMENTS) if verb == "put" else ("follower", TAKE, FOLLOWERS)
    )
    if n >= most:
        raise KostkaError(f"there is no {what} {n}; {what}s are numbered from 0 to {most - 1}")
    return first + n


def slot_of(s: Any, x: int, y: int) -> int:
    """The slot of the cell at some coordinates."""
    known = places(s)
    if (x, y) not in known:
        raise KostkaError(f"no tile lies next to {x},{y}")
    return known.index((x, y))
