"""What the codes of The Discovery mean: packed, unpacked, named for people and parsed back."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from kostka.core.errors import KostkaError
from kostka.core.kernels import kernel
from kostka.core.present import called, listed, result
from kostka.games.carcassonne.state import (
    DONE,
    DRAW,
    FOLLOWERS,
    GRASSLAND,
    MAX_CELLS,
    MAX_SEGMENTS,
    MAX_TILES,
    MOUNTAIN,
    NONE,
    PLACE,
    REACH,
    SEA,
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
    match = re.fullmatch(r"(-?\d{1,2}),(-?\d{1,2})/(\d{1,2})", words)
    if not match:
        raise ValueError(words)
    if int(match[3]) > 3:
        raise KostkaError(f"a tile can be turned 0 to 3 times to the right, not {match[3]} times")
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


# --- in words ---


def describe(s: Any, a: int) -> str:
    """An action or outcome in words."""
    if s.phase == DRAW:
        return f"the {tile_name(s, a)}"
    if a == PASS:
        return "pass"
    if is_put(a):
        return f"put a follower on {segment_name(s, segment_of(a))}"
    if is_take(a):
        r = s.standing[s.player, follower_of(a)]
        points = count(_worth(s, r), "point")
        return f"take the follower back from {stand_name(s, r)} for {points}"
    turned = ("", ", turned right", ", turned round", ", turned left")[turns_of(a)]
    return f"lay the {tile_name(s, s.tile)} {where(s, cell_of(a))}{turned}"


#: What tiles are called, by the terrains that they show.
LANDS = {
    (MOUNTAIN,): "mountain range",
    (GRASSLAND,): "meadow",
    (SEA,): "open sea",
    (MOUNTAIN, GRASSLAND): "foothills",
    (MOUNTAIN, SEA): "rocky shore",
    (GRASSLAND, SEA): "green shore",
    (MOUNTAIN, GRASSLAND, SEA): "mixed shore",
}
CITIES = ("", " with a city", " with two cities", " with three cities")

#: What a region is called, by its terrain.
REGIONS = ("the mountains", "the grassland", "the sea")
TERRAINS = ("mountains", "grassland", "sea")
SIDES = ("north", "east", "south", "west")


def tile_name(s: Any, t: int) -> str:
    """What a kind of tile is called: ``rocky shore with a city``."""
    kinds = tuple(sorted(set(s.terrain[t, : s.segments[t]].tolist())))
    cities = int((s.city[t] != NONE).sum())
    many = CITIES[cities] if cities < len(CITIES) else f" with {cities} cities"
    return LANDS[kinds] + many


def where(s: Any, c: int) -> str:
    """Where a cell lies: ``3 east and 2 north of the start``."""
    x, y = place_of(s, c)
    steps = [(abs(x), "east" if x > 0 else "west"), (abs(y), "south" if y > 0 else "north")]
    ways = [(n, way) for n, way in steps if n]
    if not ways:
        return "at the start"
    if ways == [(1, ways[0][1])]:
        return f"{ways[0][1]} of the start"
    return f"{' and '.join(f'{n} {way}' for n, way in ways)} of the start"


def segment_name(s: Any, j: int) -> str:
    """A segment of the tile laid last; which one, if several regions are of its terrain."""
    t = s.type_at[s.last]
    alike = [k for k in range(s.segments[t]) if s.terrain[t, k] == s.terrain[t, j]]
    name = REGIONS[s.terrain[t, j]]
    if len({_root(s, s.first[s.last] + k) for k in alike}) == 1:
        return name
    sides = [SIDES[(d + s.turned[s.last]) % 4] for d in range(4) if s.side[t, d] == j]
    return f"{name} in the {listed(sides) if sides else 'middle'}"


def stand_name(s: Any, r: int) -> str:
    """Where a follower stands that was put on a region: ``the sea 2 east of the start``."""
    return f"{REGIONS[s.kind[r]]} {where(s, tile_of(s, r)[0])}"


def tile_of(s: Any, r: int) -> tuple[int, int]:
    """The cell of the tile that a region was first a segment of, and which segment."""
    for c in range(s.slots):
        if s.first[c] != NONE and 0 <= r - s.first[c] < s.segments[s.type_at[c]]:
            return c, int(r - s.first[c])
    raise ValueError(r)


def count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _root(s: Any, r: int) -> int:
    from kostka.games.carcassonne.rules import root  # which stands on the codes of this file

    return int(root(s, int(r)))


def _worth(s: Any, r: int) -> int:
    from kostka.games.carcassonne.rules import worth

    return int(worth(s, _root(s, r)))


# --- why not ---


def why_not(s: Any, a: int) -> str:
    """The rule that forbids an action."""
    if s.phase == PLACE:
        if a >= PUT:
            return "lay the tile first"
        return _why_not_there(s, cell_of(a), turns_of(a))
    if a < PUT:
        return "the tile is laid; now put a follower on it, take one back, or pass"
    if is_put(a):
        return _why_no_put(s, segment_of(a))
    return f"follower {follower_of(a)} is not on the board"


def _why_not_there(s: Any, c: int, r: int) -> str:
    if c >= s.slots:
        return "there is no such cell next to a tile"
    if s.first[c] != NONE:
        return "a tile lies there already"
    period = int(s.period[s.tile])
    if wrong := mismatches(s, c, r):
        return "; ".join(wrong)
    x, y = place_of(s, c)
    return f"turned so it looks the same as {x},{y}/{r % period}"


def mismatches(s: Any, c: int, r: int) -> list[str]:
    """What the sides of a cell must be where the turned tile in hand is something else."""
    found = []
    for d, side in enumerate(SIDES):
        need, have = s.needs[c] >> 2 * d & 3, s.edges[s.tile, r] >> 2 * d & 3
        if need not in (0, have):
            found.append(f"the {side} side must be {TERRAINS[need - 1]}")
    return found


def _why_no_put(s: Any, j: int) -> str:
    t, first = s.type_at[s.last], s.first[s.last]
    if j >= s.segments[t]:
        return f"this tile has no region {j}; its regions are 0 to {s.segments[t] - 1}"
    if (s.standing[s.player] != NONE).all():
        return "you have no follower left; take one back first"
    r = _root(s, first + j)
    men = [p for p in range(s.players) for on in s.standing[p] if on != NONE and _root(s, on) == r]
    if men:
        own = men[0] == s.player
        who = "your own follower" if own else f"a follower of {called(men[0])}"
        return f"{who} stands on that region"
    same = next(i for i in range(j) if _root(s, first + i) == r)
    return f"regions {same} and {j} of this tile are one: put {same}"


# --- what is going on ---


def status(s: Any, viewer: int, names: Sequence[str | None] = ()) -> str:
    """What is going on and what is expected, in a sentence; at the end what was counted."""
    if s.phase == DONE:
        points = s.points[: s.players].tolist()
        best = [p for p, n in enumerate(points) if n == max(points)]
        return " ".join([result(best, len(best) > 1, viewer, names), *ending(s, names)])
    you, who = viewer == s.player, called(int(s.player), names)
    gone = f"{unfit(s)} " if s.unfits else ""
    if s.phase == DRAW:
        return f"{gone}{'You draw' if you else f'{who} draws'} a tile."
    if s.phase == PLACE:
        tile = tile_name(s, s.tile)
        return f"{gone}{f'Your turn: lay the {tile}' if you else f'{who} lays the {tile}'}."
    if you:
        return f"Your turn: {expected(s)}."
    return f"{who} is deciding about a follower."


def unfit(s: Any) -> str:
    """Which tile was discarded in this turn."""
    one = f"The {tile_name(s, s.unfit)}"
    if s.unfits == 1:
        return f"{one} fits nowhere and leaves the game."
    return f"{s.unfits} tiles fit nowhere and leave the game, the last of them: {one[4:]}."


def expected(s: Any) -> str:
    """What the mover may do once the tile is laid."""
    from kostka.games.carcassonne.rules import followings

    codes = np.empty(ACTIONS, np.int64)
    legal = codes[: followings(s, codes)]
    ways = ["put a follower on this tile"] if any(is_put(a) for a in legal) else []
    if any(is_take(a) for a in legal):
        ways.append("take a follower back" if not ways else "take one back")
    return listed([*ways, "pass"], "or")


def ending(s: Any, names: Sequence[str | None] = ()) -> list[str]:
    """For every player a sentence about the followers that were counted when the game was over."""
    from kostka.games.carcassonne.rules import final_value

    told = []
    for p in range(s.players):
        stands = [
            (int(final_value(s, _root(s, r))), stand_name(s, r))
            for r in s.standing[p].tolist()
            if r != NONE
        ]
        if stands:
            (first, where), *rest = stands
            more = [f"{n} for {there}" for n, there in rest]
            words = listed([f"{count(first, 'point')} for {where}", *more])
            told.append(f"{called(p, names)}: {words}.")
    return told
