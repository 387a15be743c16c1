"""Where the regions of a tile lie: borders from corner to corner, derived from who touches whom.

A tile is a square of 100. Every side has one terrain from corner to corner, so every border begins
in a corner and leaves it diagonally, and tiles join without a seam. One region covers most: the
ground. Others lie on it along a side or two, or reach the middle, where they meet each other.
"""

import functools
import math
import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

Point = tuple[float, float]

CORNERS: tuple[Point, ...] = ((0, 0), (100, 0), (100, 100), (0, 100))
MIDDLE: Point = (50, 50)

#: How far a region along one side reaches in, and where borders meet when two regions push others
#: apart in the middle.
DEPTH, APART = 29, 14

#: How many drawings there are of each kind of border.
VARIANTS = 3

#: The drawing that bows the other way.
WESTWARD = 1

#: So many points has a border; the others nine.
POINTS = {"spoke": 6, "branch": 6, "fork": 6, "bridge": 4}

#: The radius of an island, of a small one, and how high they are for their width.
ISLE, ISLET, FLAT = 19, 9, 0.8

#: The places looked at for motifs and followers lie so far apart.
STEP = 5


class Tile(NamedTuple):
    """What a tile shows, north up: the segment at each side, and of each segment its terrain.

    ``cities`` and ``borders`` are pairs of segments; a city stands between two that touch.
    """

    sides: tuple[int, ...]
    terrain: tuple[int, ...]
    cities: tuple[tuple[int, int], ...]
    borders: frozenset[tuple[int, int]]
    period: int = 4  # after so many quarter turns it looks the same

    def touch(self, a: int, b: int) -> bool:
        return (a, b) in self.borders or (b, a) in self.borders


class Stretch(NamedTuple):
    """A border as it is drawn once, turned and moved to where it is; the first is on its left."""

    curve: str
    turn: int
    left: int
    right: int
    at: Point = (0, 0)


# --- curves: each begins in the north-west corner, with one region on its left ---


@functools.cache
def curve(name: str) -> tuple[Point, ...]:
    """The points of a border, from its name and its number, ``cap2``; islands are closed."""
    kind, number = name[:-1], int(name[-1])
    rng = random.Random(f"carcassonne {name}")
    n = POINTS.get(kind, 9)
    bends = [(k, rng.uniform(-1, 1) * 7 / k) for k in (2, 3, 4)]
    sign = -1 if number == WESTWARD else 1
    points = []
    for i in range(n):
        t = i / (n - 1)
        off = sum(a * math.sin(k * math.pi * t) for k, a in bends) * math.sin(math.pi * t)
        points.append(_base(kind, t, off, sign))
    return tuple(points)


def _base(kind: str, t: float, off: float, sign: int) -> Point:
    """A point of a border; off is how far it strays to its side."""
    swell = math.sin(math.pi * t)
    bay = DEPTH * swell * (0.74 + 0.26 * swell**2) + off
    if kind == "cap":
        return 100 * t + 0.5 * off * swell, bay
    if kind == "gulf":
        return 2 * bay, 100 * t
    if kind in ("isle", "islet"):
        size = ISLE if kind == "isle" else ISLET
        angle, far = 2 * math.pi * t, size + 0.04 * size * off
        return far * math.cos(angle), FLAT * far * math.sin(angle)
    if kind == "bridge":
        return 50 + (2 * t - 1) * APART, 50 + 0.6 * off
    if kind == "half":
        far, off = 100.0, 0.7 * off + sign * 5.5 * math.sin(2 * math.pi * t)
    elif kind == "bay":
        far, off = 100.0, 0.6 * off + 21 * swell
    else:
        far, off = 50.0, 0.35 * off + sign * 3.5 * swell
    x, y = far * t + 0.7 * off, far * t - 0.7 * off
    return x - APART * t * (kind == "branch"), y - APART * t * (kind == "fork")


def turned(p: Point, quarters: int) -> Point:
    """A point after so many quarter turns clockwise of the tile around its middle."""
    x, y = p
    for _ in range(quarters % 4):
        x, y = 100 - y, x
    return x, y


def placed(stretch: Stretch) -> tuple[Point, ...]:
    """The points of a border where it is."""
    moved = [(x + stretch.at[0], y + stretch.at[1]) for x, y in curve(stretch.curve)]
    return tuple(_exact(turned(p, stretch.turn)) for p in moved)


def _exact(p: Point) -> Point:
    return round(p[0], 1), round(p[1], 1)


# --- which borders a tile has ---


class Run(NamedTuple):
    """Sides in a row, clockwise, that belong to one segment."""

    first: int
    length: int
    segment: int


class Outline(NamedTuple):
    """What lies on the ground: along some sides of the tile, and back along borders."""

    segment: int
    corners: tuple[Point, ...]
    borders: tuple[tuple[Point, ...], ...]

    def path(self) -> str:
        line = "".join(f"L{told(c)}" for c in self.corners[1:])
        return f"M{told(self.corners[0])}{line}{''.join(map(bends, self.borders))}Z"

    def polygon(self) -> list[Point]:
        return [*self.corners, *(p for border in self.borders for p in border)]


class Plan(NamedTuple):
    """How a tile is built: the ground, what lies on it in this order, and every border."""

    ground: int
    outlines: tuple[Outline, ...]
    stretches: tuple[Stretch, ...]

    def path(self, segment: int) -> str:
        """The shape of a segment."""
        if segment == self.ground:
            return self._rest()
        return "".join(o.path() for o in self.outlines if o.segment == segment)

    def _rest(self) -> str:
        """The shape of the ground: along the tile's sides, and along what lies on it."""
        text = ""
        for corner in CORNERS:
            on_it = [o for o in self.outlines if o.corners[0] == corner and len(o.corners) > 1]
            passed = any(corner in o.corners[1:-1] for o in self.outlines)
            text += f"L{told(corner)}" * (not passed)
            for o in on_it:
                text += "".join(bends(border[::-1]) for border in reversed(o.borders))
        return f"M{text.removeprefix('L')}Z"


def runs(sides: Sequence[int]) -> list[Run]:
    """The sides of a tile, put together where they belong to one segment."""
    starts = [d for d in range(4) if sides[d] != sides[d - 1]]
    if not starts:
        return [Run(0, 4, sides[0])]
    ends = [*starts[1:], starts[0] + 4]
    return [Run(a, b - a, sides[a]) for a, b in zip(starts, ends, strict=True)]


def ground_of(tile: Tile) -> int:
    """What the rest lies on: a middle that keeps all others apart, or what touches most of them."""
    outer = sorted(set(tile.sides))
    if len(outer) > 1 and not any(tile.touch(a, b) for a in outer for b in outer if a < b):
        for g in range(len(tile.terrain)):
            if g not in outer and all(tile.touch(g, a) for a in outer):
                return g
    around = [run.segment for run in runs(tile.sides)]
    touched = {g: sum(tile.touch(g, a) for a in outer if a != g) for g in outer}
    return max(outer, key=lambda g: (touched[g], around.count(g), tile.sides.count(g)))


@functools.lru_cache(maxsize=2048)
def plan(tile: Tile) -> Plan:
    """The borders of a tile; of the drawings of a border it takes one that is its own."""
    ground, around = ground_of(tile), runs(tile.sides)
    rng = random.Random(f"carcassonne {tile.sides} {tile.terrain} {tile.cities}")
    wedges = wedges_of(tile, ground, around)
    split = len(wedges) == 3 and tile.touch(ground, wedges[1].segment)
    flat = set(tile.sides) - {ground} - {run.segment for run in wedges}
    if split:
        names = [_parted(c, wedges[1], rng) for c in range(4)]
    else:
        names = [_spoke(tile.sides, c, flat, rng) for c in range(4)]
    spokes: dict[int, Stretch] = {}
    stretches: list[Stretch] = []
    outlines: list[Outline] = []
    for run in around:
        if run.segment == ground:
            continue
        corners = tuple(CORNERS[(run.first + i) % 4] for i in range(run.length + 1))
        if run in wedges:
            a, b = run.first, (run.first + run.length) % 4
            for c in (a, b):
                beside = (tile.sides[c], tile.sides[c - 1])
                left, right = (ground if g in flat else g for g in beside)
                spokes[c] = Stretch(names[c], c, left, right)
            inward, outward = placed(spokes[b]), placed(spokes[a])[::-1]
            borders: tuple[tuple[Point, ...], ...] = (inward, outward)
            if split and run == wedges[1]:
                bridge = Stretch(f"bridge{rng.randrange(VARIANTS)}", a + 2, ground, run.segment)
                stretches.append(bridge)
                borders = (inward, placed(bridge), outward)
        else:
            kind = _kind(run, len(around), ground in tile.sides)
            border = Stretch(f"{kind}{rng.randrange(VARIANTS)}", run.first, run.segment, ground)
            stretches.append(border)
            borders = (placed(border)[::-1],)
        outlines.append(Outline(run.segment, corners, borders))
    found = Plan(ground, tuple(outlines), (*stretches, *spokes.values()))
    return with_islands(tile, found, rng)


def wedges_of(tile: Tile, ground: int, around: Sequence[Run]) -> list[Run]:
    """What reaches the middle, because it touches its neighbour along the sides."""
    found = []
    for i, run in enumerate(around):
        near = {around[i - 1].segment, around[(i + 1) % len(around)].segment} - {ground}
        if run.segment != ground and any(tile.touch(run.segment, g) for g in near):
            found.append(run)
    begin = tile.sides.index(ground) if ground in tile.sides else 0
    return sorted(found, key=lambda run: (run.first - begin) % 4)


def _spoke(sides: Sequence[int], corner: int, flat: set[int], rng: random.Random) -> str:
    """The border from a corner to the middle, which bows away from what lies flat along a side."""
    if sides[corner] in flat:
        return f"spoke{WESTWARD}"
    number = rng.randrange(VARIANTS)
    return f"spoke{0 if sides[corner - 1] in flat else number}"


def _parted(corner: int, opposite: Run, rng: random.Random) -> str:
    """The border from a corner to beside the middle, where two segments push others apart."""
    kind = "branch" if (corner - opposite.first) % 2 == 0 else "fork"
    return f"{kind}{rng.randrange(VARIANTS)}"


def _kind(run: Run, parts: int, outer_ground: bool) -> str:
    """The border of what lies along one side, two, or three."""
    if run.length == 1:
        return "cap"
    if run.length == 2:
        return "half" if parts == 2 and outer_ground else "bay"
    return "gulf"


def with_islands(tile: Tile, found: Plan, rng: random.Random) -> Plan:
    """The same with what has no side and is not the ground: in its region, or on a border."""
    for segment in range(len(tile.terrain)):
        if segment in tile.sides or segment == found.ground:
            continue
        beside = [g for g in range(len(tile.terrain)) if tile.touch(segment, g)]
        far, at = island_place(tile, found, beside)
        name = f"{'isle' if far > ISLE else 'islet'}{rng.randrange(VARIANTS)}"
        outside = max(beside, key=lambda g: tile.terrain[g], default=found.ground)
        shore = Stretch(name, 0, outside, segment, at)
        line = placed(shore)
        outline = Outline(segment, line[:1], (line,))
        found = Plan(found.ground, (*found.outlines, outline), (*found.stretches, shore))
    return found


def island_place(tile: Tile, found: Plan, beside: Sequence[int]) -> tuple[float, Point]:
    """Where an island lies, and how far it is from other borders: at what it touches."""
    free = room(found, len(tile.terrain))
    islands = [s.at for s in found.stretches if s.at != (0, 0)]
    if len(beside) == 2:
        at = between(tile, found, beside[0], beside[1])
        if all(math.dist(at, other) > 2 * ISLE for other in islands):
            return ISLE if islands else ISLE + 1, at
    spots = [spot for g in beside for spot in free[g]] or free[found.ground]
    rated = [(min(far, x, y, 100 - x, 100 - y), (x, y)) for far, x, y in spots]
    return max(rated)


# --- where things are ---


def room(found: Plan, segments: int) -> list[list[tuple[float, float, float]]]:
    """By segment: places of a grid, with their distance from other segments."""
    axis = np.arange(STEP / 2, 100, STEP)
    places = np.stack(np.meshgrid(axis, axis), -1).reshape(-1, 2)
    owner = np.full(len(places), found.ground)
    for outline in found.outlines:
        owner[_within(places, outline.polygon())] = outline.segment
    gaps = np.linalg.norm(places[:, None] - places, axis=2)
    gaps[owner[:, None] == owner] = 200
    far = gaps.min(axis=1)
    rows = np.column_stack([far, places])
    return [[(far, x, y) for far, x, y in rows[owner == g].tolist()] for g in range(segments)]


@functools.lru_cache(maxsize=2048)
def spots(tile: Tile) -> list[list[tuple[float, float, float]]]:
    """By segment of a tile: places, with their distance from other segments."""
    return room(plan(tile), len(tile.terrain))


def _within(places: np.ndarray, polygon: Sequence[Point]) -> np.ndarray:
    """Which of some places lie in a polygon."""
    x, y = places.T
    inside = np.zeros(len(places), bool)
    for (ax, ay), (bx, by) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        if ay != by:
            inside ^= ((ay > y) != (by > y)) & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return inside


def between(tile: Tile, found: Plan, a: int, b: int, share: float = 0.5) -> Point:
    """A place on the border of two segments."""
    shared = [s for s in found.stretches if {s.left, s.right} == {a, b}]
    if not shared:
        return MIDDLE
    points = placed(max(shared, key=lambda s: len(curve(s.curve))))
    to_middle = shared[0].curve.startswith(("spoke", "branch", "fork"))
    return points[round((share + 0.1 * to_middle) * (len(points) - 1))]


# --- as paths ---


def bends(points: Sequence[Point]) -> str:
    """A smooth curve through points, told from where the first one is."""
    closed = points[0] == points[-1]
    before = points[-2] if closed else _beyond(points[0], points[1])
    after = points[1] if closed else _beyond(points[-1], points[-2])
    line = [before, *points, after]
    text = ""
    for p, a, b, q in zip(line, line[1:], line[2:], line[3:], strict=False):
        first = (b[0] - p[0]) / 6, (b[1] - p[1]) / 6
        second = b[0] - a[0] - (q[0] - a[0]) / 6, b[1] - a[1] - (q[1] - a[1]) / 6
        text += f"c{numbers(*first, *second, b[0] - a[0], b[1] - a[1])}"
    return text


def _beyond(p: Point, q: Point) -> Point:
    """The point on the other side of p, as far as q."""
    return 2 * p[0] - q[0], 2 * p[1] - q[1]


def told(p: Point) -> str:
    return numbers(*p)


def numbers(*values: float) -> str:
    """Numbers of a path, as short as they can be."""
    text = ""
    for value in values:
        n = f"{value:.1f}".removesuffix(".0").replace("-0.", "-.").removeprefix("0") or "0"
        n = "0" if n in ("-", "-.0", "-0") else n
        text += n if not text or n[0] == "-" else f" {n}"
    return text
