"""The artwork of The Discovery: hills, meadows, waves and towns, drawn once and used everywhere.

A tile is three things: the shapes of its segments, its borders, and upright on them its motifs.
Nothing is drawn by hand for a tile: all of it follows from what the tile shows.
"""

import functools
import math
import random
import zlib
from collections.abc import Iterable, Sequence

from kostka.core.palette import SANS, SERIF, tokens
from kostka.games.carcassonne import shores
from kostka.games.carcassonne.shores import Point, Stretch, Tile, bends, curve, numbers, plan
from kostka.games.carcassonne.state import GRASSLAND, MOUNTAIN, SEA

#: By terrain the colour of its ground, and of it when it is lit; three clear steps of grey.
GROUND = {MOUNTAIN: "#b3905f", GRASSLAND: "#d6d893", SEA: "#33697f"}
LIT = {MOUNTAIN: "#d3ab70", GRASSLAND: "#f0f0a8", SEA: "#4690ab"}
#: One letter for each terrain, in names of pieces and classes.
LETTERS = "mgs"
INK = "#4a3a29"


def hue(colour: str, share: int = 84) -> str:
    """A colour that is printed on the paper, and so is duller at night."""
    return f"color-mix(in srgb, {colour} {share}%, var(--k-paper))"


def _paint(name: str, colour: str, kind: str = "fill") -> str:
    return f"§ {name} {{ {kind}: {colour}; {kind}: {hue(colour)} }}"


STYLE = "\n".join(
    (
        tokens("§"),
        f"§ {{ font-family: {SANS}; font-variant-numeric: tabular-nums }}",
        *(
            f"§ .{LETTERS[k]} {{ fill: {c}; fill: {hue(c)}; stroke: {c}; stroke: {hue(c)}; "
            "stroke-width: .8 }"
            for k, c in GROUND.items()
        ),
        _paint(".cdl", "#ecd9b4"),  # light
        _paint(".cdd", "#795d3e"),  # dark
        _paint(".cdw", "#f7ecd2"),  # walls
        _paint(".cdr", "#c4472a"),  # roofs in the sun
        _paint(".cdq", "#8f2f1d"),  # and in the shade
        _paint(".cdt", "#8b9b4d"),  # trees
        _paint(".cdu", "#64753a"),
        "§ .cdi, § .cdg, § .cdv { fill: none; stroke-linecap: round; stroke-linejoin: round }",
        _paint(".cdi", INK, "stroke") + " § .cdi { stroke-width: 1 }",
        _paint(".cdg", "#8c9a4a", "stroke") + " § .cdg { stroke-width: 1.2 }",
        _paint(".cdv", "#a9cbd2", "stroke") + " § .cdv { stroke-width: 1.3 }",
        "§ .cdb { fill: none; stroke-linecap: round }",
        _paint(".cda", "#f0e0b2", "stroke") + " § .cda { stroke-width: 3 }",
        _paint(".cdk", INK, "stroke") + " § .cdk { stroke-width: 4.8; stroke-opacity: .7 }",
        _paint(".cdf", "#5b4630", "stroke") + " § .cdf { stroke-width: 1.7 }",
        "§ .cdh { stroke-linejoin: round; stroke-width: .9 }",
        _paint(".cdh", INK, "stroke"),
        _paint(".cdz", "#f7ecd2", "stroke") + " § .cdz { stroke-width: 3.4; stroke-linejoin: round }",
        _paint(".cdz", "#f7ecd2"),
        "§ .cdo { fill: #8fc3cc; fill-opacity: .28 }",
        "§ .cdm { fill: #6f7f34; fill-opacity: .26 }",
        "§ .cdx { fill: none; stroke: #25221d; stroke-opacity: .13; stroke-width: .7 }",
    )
)

# --- motifs: each stands on its origin, or floats around it ---

MOTIFS = {
    "cdp1": (
        '<path class="cdl" d="M-13 7L-4.5-8L-1.5-13L1-6L-1.5-1L2 7Z"/>'
        '<path class="cdd" d="M-1.5-13L5-4.5L13.5 7H2L-1.5-1L1-6Z"/>'
        '<path class="cdi" d="M-13 7L-4.5-8L-1.5-13L5-4.5L13.5 7M-8 4.5L-5-1.5M6.5 1.5L8 4.8"/>'
    ),
    "cdp2": (
        '<path class="cdl" d="M-9.5 5L-2-7.5L.5-9.5L1-3L-.5 0L1.5 5Z"/>'
        '<path class="cdd" d="M.5-9.5L4.5-3.5L10 5H1.5L-.5 0L1-3Z"/>'
        '<path class="cdi" d="M-9.5 5L-2-7.5L.5-9.5L4.5-3.5L10 5M-5.5 3L-3.5-1"/>'
    ),
    "cdp3": (
        '<path class="cdl" d="M-6.5 3.5L-.5-6L.5-1.5L1 3.5Z"/>'
        '<path class="cdd" d="M-.5-6L6.5 3.5H1L.5-1.5Z"/>'
        '<path class="cdi" d="M-6.5 3.5L-.5-6L6.5 3.5"/>'
    ),
    "cdg1": '<path class="cdg" d="M-3.2 2q.2-3-1.4-4.6M0 2q-.2-4 .6-6.4M3 2q-.4-2.6 1.8-4.4"/>',
    "cdg2": '<path class="cdg" d="M-1.4 2q0-2.6-1.6-3.8M1.2 2q-.2-3 1.2-4.8"/>',
    "cdg3": '<path class="cdg" d="M-10 1.5q5-4.5 10-2t10-1.5M-5 5q4-3 8-1"/>',
    "cdt1": (
        '<path class="cdi" d="M0 5V0"/><circle class="cdt" cy="-2.6" r="4.6"/>'
        '<path class="cdu" d="M1-7A4.6 4.6 0 0 1 .4 2A6 6 0 0 0 1-7Z"/>'
    ),
    "cdv1": '<path class="cdv" d="M-8 0q2-3.2 4-1t4 1q2-3.2 4-1t4 1"/>',
    "cdv2": '<path class="cdv" d="M-4.5 0q2.2-3.2 4.4-1t4.6 1"/>',
    "cdc": (
        '<path class="cdz" d="M-15 8V0L-11-4.5L-3-5V-9.5L.5-19L4-9.5V-4H14L16.5 1V8Q0 12-15 8Z"/>'
        '<g class="cdh"><path class="cdw" d="M-2.5 2V-9.5H3.5V2Z"/>'
        '<path class="cdr" d="M-4-9L.5-19L5-9Z"/><path class="cdq" d="M.5-19L5-9H1.5Z"/>'
        '<path class="cdw" d="M-15 8V0L-11-4.5L-7 0V8Z"/><path class="cdl" d="M-7 0H3.5V8.5H-7Z"/>'
        '<path class="cdr" d="M-11-4.5L-1-5L4 0H-7Z"/><path class="cdw" d="M4 1H15.5V8H4Z"/>'
        '<path class="cdq" d="M2.5 1.2L6.5-4H13.5L17 1.2Z"/>'
        '<path class="cdi" d="M-15.5.5L-11-4.5L-6.8.3M9 8V4.5h2V8M-11.6 3.5v1.5M.4-6.5v2"/></g>'
    ),
}

#: Where a city's picture has its middle, above its origin.
CITY_RISE = 4

#: By terrain its motifs, the largest first: how far each keeps from other regions, from the rim of
#: the tile, from its like, and how many there may be.
CROWDS: dict[int, tuple[tuple[str, float, float, float, int], ...]] = {
    MOUNTAIN: (("cdp1", 14, 5, 23, 3), ("cdp2", 10, 5, 17, 5), ("cdp3", 6, 4, 12, 9)),
    GRASSLAND: (("cdg3", 15, 14, 40, 1), ("cdt1", 10, 8, 26, 2), ("cdg1", 6, 5, 17, 9), ("cdg2", 5, 4, 13, 3)),
    SEA: (("cdv1", 11, 11, 21, 8), ("cdv2", 7, 8, 17, 5)),
}


def motifs(tile: Tile, turn: int) -> str:
    """The motifs and cities of a turned tile, upright, those in front last."""
    found = plan(tile)
    rng = random.Random(f"carcassonne {tile} {turn}")
    towns = [(shores.turned(p, turn)) for p in towns_of(tile)]
    taken = [(x, y, 15.0) for x, y in towns]
    drawn = [(y + 4, x, y + CITY_RISE, "cdc") for x, y in towns]
    for segment, spots in enumerate(shores.spots(tile)):
        free = [(far, *shores.turned((x, y), turn)) for far, x, y in spots]
        rng.shuffle(free)
        for name, room, rim, apart, most in CROWDS[tile.terrain[segment]]:
            many = 0
            for far, x, y in free:
                edge = min(x, y, 100 - x, 100 - y)
                if many == most or far < room or edge < rim:
                    continue
                if all(math.dist((x, y), (u, v)) >= (apart + away) / 2 for u, v, away in taken):
                    x, y = x + rng.choice((-1, 0, 1)), y + rng.choice((-1, 0, 1))
                    taken.append((x, y, apart))
                    drawn.append((y, x, y, name))
                    many += 1
    uses = (f'<use href="#{name}" x="{x:.0f}" y="{y:.0f}"/>' for _, x, y, name in sorted(drawn))
    return "".join(uses)


@functools.lru_cache(maxsize=2048)
def towns_of(tile: Tile) -> tuple[Point, ...]:
    """Where the cities of a tile stand."""
    found, places = plan(tile), []
    for i, (a, b) in enumerate(tile.cities):
        like = [k for k, pair in enumerate(tile.cities) if set(pair) == {a, b}]
        places.append(shores.between(tile, found, a, b, (like.index(i) + 1) / (len(like) + 1)))
    return tuple(places)


# --- borders ---


def offset(points: Sequence[Point], far: float, closed: bool) -> list[Point]:
    """A curve beside another one, on its left for a positive distance; the ends stay."""
    n = len(points) - 1
    beside = []
    for i, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = points[max(i - 1, 0)], points[min(i + 1, n)]
        if closed and i in (0, n):
            (ax, ay), (bx, by) = points[-2], points[1]
        length = math.hypot(bx - ax, by - ay)
        off = far if closed else far * math.sin(math.pi * i / n) ** 0.7
        beside.append((x + off * (by - ay) / length, y - off * (bx - ax) / length))
    return beside


def band(points: Sequence[Point], far: float, closed: bool, name: str) -> str:
    """The strip between a border and a curve beside it."""
    beside = offset(points, far, closed)[::-1]
    first = shores.told(points[0])
    if closed:
        ring = f"M{shores.told(beside[0])}{bends(beside)}Z"
        return f'<path class="{name}" d="M{first}{bends(points)}Z{ring}"/>'
    return f'<path class="{name}" d="M{first}{bends(points)}{bends(beside)}Z"/>'


def ticks(points: Sequence[Point], side: int, closed: bool) -> str:
    """Short strokes up the slope, as on old maps."""
    beside = offset(points, 4.2 * side, closed)
    pairs = list(zip(points, beside, strict=True))[1:-1]
    both = [*pairs]
    for (p, q), (u, v) in zip(pairs, pairs[1:], strict=False):
        both.append(tuple(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in ((p, u), (q, v))))
    text = "".join(
        f"M{numbers(x, y)}l{numbers(u - x, v - y)}" for (x, y), (u, v) in both
    )
    return f'<path class="cdi" d="{text}"/>'


def border(name: str, left: int, right: int) -> str:
    """A border in its own place, between two terrains."""
    points = curve(name)
    closed = points[0] == points[-1]
    line = f"M{shores.told(points[0])}{bends(points)}"
    if SEA in (left, right) and left != right:
        side = 1 if left == SEA else -1
        rock = ticks(points, -side, closed) if MOUNTAIN in (left, right) else band(points, -6 * side, closed, "cdm")
        return (
            f"{rock}{band(points, 13 * side, closed, 'cdo')}{band(points, 7 * side, closed, 'cdo')}"
            f'<path class="cdb cdk" d="{line}"/><path class="cdb cda" d="{line}"/>'
        )
    if left == right:
        return f'<path class="cdb cdf" stroke-dasharray=".1 4" d="{line}"/>'
    side = 1 if left == MOUNTAIN else -1
    return (
        f"{band(points, -7 * side, closed, 'cdm')}{ticks(points, side, closed)}"
        f'<path class="cdb cdf" d="{line}"/>'
    )


# --- symbols ---


def key(tile: Tile) -> str:
    """The beginning of a tile's ids, which says what it shows: sets may share a page."""
    text = f"{tile.sides}{tile.terrain}{tile.cities}{sorted(tile.borders)}"
    return f"q{zlib.crc32(text.encode()) & 0xFFFFF:05x}"


def segment_path(tile: Tile, segment: int) -> str:
    """The shape of a segment; of the ground, what the others leave of the tile."""
    found = plan(tile)
    own = [o.path() for o in found.outlines if o.segment == segment]
    if segment == found.ground:
        on_it = "".join(o.path() for o in found.outlines if o.segment in tile.sides)
        return f"M0 0H100V100H0Z{on_it}"
    return "".join(own)


def symbols(tile: Tile, turns: Iterable[int]) -> str:
    """What a tile needs: its segments, its borders, and these with motifs for every rotation."""
    k = key(tile)
    found = plan(tile)
    parts = [
        f'<path id="{k}{letter}" fill-rule="evenodd" d="{segment_path(tile, segment)}"/>'
        for segment, letter in enumerate("abcdefgh"[: len(tile.terrain)])
    ]
    uses = "".join(_use(piece(tile, s), s) for s in found.stretches)
    parts.append(f'<g id="{k}o">{uses}<use href="#cdx"/></g>')
    for r in turns:
        around = f' transform="rotate({90 * r} 50 50)"' if r else ""
        if r:
            parts += [
                f'<use id="{k}{r}{letter}" href="#{k}{letter}"{around}/>'
                for letter in "abcdefgh"[: len(tile.terrain)]
            ]
        parts.append(f'<g id="{k}{r}"><use href="#{k}o"{around}/>{motifs(tile, r)}</g>')
    return "".join(parts)


def _use(name: str, s: Stretch) -> str:
    x, y = s.at
    moves = [f"rotate({90 * s.turn} 50 50)"] * bool(s.turn % 4) + [f"translate({x:g} {y:g})"] * bool(x or y)
    return f'<use href="#{name}"' + (f' transform="{"".join(moves)}"' if moves else "") + "/>"


def piece(tile: Tile, s: Stretch) -> str:
    """The name of a border between two terrains."""
    return f"cd{s.curve}{LETTERS[tile.terrain[s.left]]}{LETTERS[tile.terrain[s.right]]}"


def pieces(tiles: Iterable[Tile]) -> str:
    """The motifs, and all borders that some tiles have."""
    known = {}
    for tile in tiles:
        for s in plan(tile).stretches:
            known[piece(tile, s)] = s.curve, tile.terrain[s.left], tile.terrain[s.right]
    found = {name: border(*known[name]) for name in sorted(known)}
    rim = '<path id="cdx" class="cdx" d="M0 0H100V100H0Z"/>'
    return rim + "".join(f'<g id="{name}">{drawn}</g>' for name, drawn in (MOTIFS | found).items())


def whole(tile: Tile, turn: int) -> str:
    """A tile by itself."""
    k, r = key(tile), turn or ""
    ground = "".join(
        f'<use class="{LETTERS[terrain]}" href="#{k}{r}{letter}"/>'
        for letter, terrain in zip("abcdefgh", tile.terrain, strict=False)
    )
    return f'{ground}<use href="#{k}{turn}"/>'
