"""The shapes of a Dice Wars board: its areas with their borders, and where their dice stand."""

import functools
import math
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from kostka.games.dicewars.state import COLUMNS, SEA

Point = tuple[float, float]
Corner = tuple[int, int]  # or middle of a hex, in half widths and quarter heights of one
Sides = dict[tuple[Corner, Corner], tuple[int, int]]  # of hexes: the areas right and left of them

HALF_WIDTH, QUARTER_HEIGHT = 15.0, 15.0 / math.sqrt(3)
CORNERS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))

#: Around the land, and below it for the players.
MARGIN, LEGEND = 40, 64

#: The room that the dice of an area and its numbers take.
LABEL = (96, 76)

#: How often each corner of a border moves half-way to the middle of its neighbours.
SMOOTHING = 2


@dataclass(frozen=True)
class Board:
    """The geometry of a board, which stays the same for a whole game."""

    key: str  # the beginning of its ids: several boards may share a page
    outlines: tuple[str, ...]
    borders: tuple[frozenset[Point], ...]
    labels: tuple[Point, ...]
    coast: str
    box: tuple[float, float, float, float]

    def crossing(self, i: int, j: int) -> Point:
        """The point on the border of two neighbours nearest to the middle of their labels."""
        middle = between(self.labels[i], self.labels[j])
        shared = self.borders[i] & self.borders[j]
        return min(shared, key=lambda p: (math.dist(p, middle), p), default=middle)


def board(s: np.record) -> Board:
    return _board(s.hexes.astype(np.int8).tobytes())


@functools.lru_cache(maxsize=64)
def _board(hexes: bytes) -> Board:
    owners = enumerate(np.frombuffer(hexes, np.int8).tolist())
    land = {lattice(*divmod(h, COLUMNS)): a for h, a in owners if a != SEA}
    sides = borders(land)
    place = smooth(sides)
    areas = range(max(land.values()) + 1)
    rings = [trace(sides, {a}) for a in areas]
    points = [frozenset(place[c] for ring in rings[a] for c in ring) for a in areas]
    middles = [[scaled(c) for c, b in land.items() if b == a] for a in areas]
    return Board(
        key=f"dw{zlib.crc32(hexes):08x}",
        outlines=tuple(outline(place, r) for r in rings),
        borders=tuple(points),
        labels=tuple(map(innermost, middles, points)),
        coast=outline(place, trace(sides, set(areas))),
        box=box(place.values()),
    )


def lattice(row: int, column: int) -> Corner:
    """The middle of a hex; odd rows are shifted right by half a hex."""
    return 2 * column + row % 2, 3 * row


def scaled(c: Corner) -> Point:
    return c[0] * HALF_WIDTH, c[1] * QUARTER_HEIGHT


def borders(land: dict[Corner, int]) -> Sides:
    """The sides of hexes that lie between two areas or at the sea."""
    inside = {}
    for (x, y), a in land.items():
        around = [(x + dx, y + dy) for dx, dy in CORNERS]
        for k, corner in enumerate(around):
            inside[corner, around[(k + 1) % len(around)]] = a
    both = {(p, q): (a, inside.get((q, p), SEA)) for (p, q), a in inside.items()}
    return {side: (a, b) for side, (a, b) in both.items() if a != b}


def smooth(sides: Sides) -> dict[Corner, Point]:
    """Where the corners of borders lie once the zigzag of the hexes is taken out.

    A corner moves by its neighbours on all borders, so what two areas share stays shared.
    """
    near: dict[Corner, set[Corner]] = {}
    for p, q in sides:
        near.setdefault(p, set()).add(q)
        near.setdefault(q, set()).add(p)
    place = {c: scaled(c) for c in sorted(near)}
    for _ in range(SMOOTHING):
        place = {c: between(p, mean(place[n] for n in sorted(near[c]))) for c, p in place.items()}
    return place


def trace(sides: Sides, areas: set[int]) -> list[list[Corner]]:
    """The rings around some areas, holes included."""
    ahead = {p: q for (p, q), (a, b) in sides.items() if a in areas and b not in areas}
    rings = []
    while ahead:
        corner = min(ahead)
        ring = []
        while corner in ahead:
            ring.append(corner)
            corner = ahead.pop(corner)
        rings.append(ring)
    return rings


def outline(place: dict[Corner, Point], rings: list[list[Corner]]) -> str:
    """A path of curves through the middles of the sides, bent towards the corners."""
    path = ""
    for ring in rings:
        points = [place[c] for c in ring]
        path += f"M{xy(between(points[-1], points[0]))}"
        for p, q in zip(points, points[1:] + points[:1], strict=True):
            path += f"Q{xy(p)} {xy(between(p, q))}"
        path += "Z"
    return path


def innermost(middles: list[Point], border: frozenset[Point]) -> Point:
    """The place with the most room for a label; of several, the one nearest to the middle.

    Places are the middles of hexes and half-way between them.
    """
    steps = ((0, 0), (HALF_WIDTH, 0), (HALF_WIDTH / 2, 1.5 * QUARTER_HEIGHT))
    places = np.array([(x + dx, y + dy) for x, y in middles for dx, dy in steps])
    gaps = np.abs(places[:, None] - np.array(sorted(border))) / LABEL
    room = gaps.max(axis=2).min(axis=1).round(2)
    off = np.linalg.norm(places - mean(middles), axis=1).round(1)
    x, y = places[np.lexsort((off, -room))[0]]
    return float(x), float(y)


def box(points: Iterable[Point]) -> tuple[float, float, float, float]:
    """Left, top, width and height of the drawing, with room for the legend below."""
    xs, ys = zip(*points, strict=True)
    left, top = min(xs) - MARGIN, min(ys) - MARGIN
    return left, top, max(xs) + MARGIN - left, max(ys) + MARGIN + LEGEND - top


def mean(points: Iterable[Point]) -> Point:
    xs, ys = zip(*points, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def between(p: Point, q: Point) -> Point:
    return (p[0] + q[0]) / 2, (p[1] + q[1]) / 2


def towards(p: Point, q: Point, far: float) -> Point:
    """The point so far from p on the way to q."""
    share = far / (math.dist(p, q) or 1)
    return p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])


def xy(p: Point) -> str:
    return f"{p[0]:.1f} {p[1]:.1f}"
