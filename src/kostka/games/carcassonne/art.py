"""The artwork of The Discovery: hills, meadows, waves and towns, drawn once and used everywhere.

A tile is three things: the shapes of its segments, its borders, and upright on them its motifs.
Nothing is drawn by hand for a tile: all of it follows from what the tile shows.
"""

import functools
import math
import random
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from string import ascii_letters, ascii_uppercase, digits

from kostka.core.palette import OUTLINES, PLAYERS, SANS, SERIF, tokens
from kostka.games.carcassonne import shores, tileset
from kostka.games.carcassonne.shores import Point, Stretch, Tile, bends, curve, numbers, plan
from kostka.games.carcassonne.state import GRASSLAND, MAX_PLAYERS, MOUNTAIN, SEA

#: By terrain the colour of its ground, and of it when it is lit; three clear steps of grey.
GROUND = {MOUNTAIN: "#b3905f", GRASSLAND: "#d6d893", SEA: "#33697f"}
LIT = {MOUNTAIN: "#d3ab70", GRASSLAND: "#f0f0a8", SEA: "#4690ab"}
#: The motifs that are scattered over the terrains, by their classes.
SCATTERED = {
    "cdp1": "cd-peak-large",
    "cdp2": "cd-peak",
    "cdp3": "cd-peak-small",
    "cdg1": "cd-grass",
    "cdg2": "cd-grass-small",
    "cdg3": "cd-rise",
    "cdt1": "cd-tree",
    "cdv1": "cd-waves",
    "cdv2": "cd-waves-small",
}
CITY = "cd-city"
#: One letter for each terrain, in names of pieces and classes.
LETTERS = "mgs"
INK = "#4a3a29"
#: How the segments of a tile are told apart in ids.
SEGMENTS = "abcdefgh"
DIGITS = digits + ascii_letters


def hue(colour: str, share: int = 84) -> str:
    """A colour that is printed on the paper, and so is duller at night."""
    return f"color-mix(in srgb, {colour} {share}%, var(--k-paper))"


def _paint(name: str, colour: str, kind: str = "fill") -> str:
    return f"{name} {{ {kind}: {colour}; {kind}: {hue(colour)} }}"


#: What is drawn by ``<use>`` is styled by one class alone: a selector does not see around it.
STYLE = "\n".join(
    (
        tokens("§"),
        f"§ {{ font-family: {SANS}; font-variant-numeric: tabular-nums }}",
        *(
            f".cd{k} {{ fill: {c}; fill: {hue(c)}; stroke: {c}; stroke: {hue(c)}; "
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
        ".cdi, .cdg, .cdv { fill: none; stroke-linecap: round; stroke-linejoin: round }",
        _paint(".cdi", INK, "stroke") + " .cdi { stroke-width: 1 }",
        _paint(".cdg", "#8c9a4a", "stroke") + " .cdg { stroke-width: 1.2 }",
        _paint(".cdv", "#a9cbd2", "stroke") + " .cdv { stroke-width: 1.3 }",
        ".cdb { fill: none; stroke-linecap: round }",
        _paint(".cda", "#f0e0b2", "stroke") + " .cda { stroke-width: 2.7 }",
        _paint(".cdk", INK, "stroke") + " .cdk { stroke-width: 4.4; stroke-opacity: .75 }",
        _paint(".cdf", "#5b4630", "stroke") + " .cdf { stroke-width: 1.7 }",
        ".cdh { stroke-linejoin: round; stroke-width: .9 }",
        _paint(".cdh", INK, "stroke"),
        *(f".{name} {{ marker: url(#{name}m); fill: none; stroke: none }}" for name in SCATTERED),
        _paint(".cdz", "#f7ecd2", "stroke") + " .cdz { stroke-width: 3.4; stroke-linejoin: round }",
        _paint(".cdz", "#f7ecd2"),
        ".cdo { fill: #8fc3cc; fill-opacity: .28 }",
        ".cdm { fill: #6f7f34; fill-opacity: .26 }",
        ".cde { fill: #25221d; fill-opacity: .6 }",
        ".cdj { fill: #fbf4e2; stroke-width: .22 }",
        "§ .paper { fill: var(--k-paper) }",
        "§ text { fill: var(--k-ink); text-anchor: middle }",
        "§ .guess { font-style: italic; fill-opacity: .75 } § .start { font-weight: 700 }",
        f"§ .legend {{ text-anchor: start; font: 16px {SERIF} }}",
        *(
            f"§ .cd{k} .thing:is(:hover, :focus-visible) "
            f"{{ fill: {c}; fill: {hue(c)}; stroke: {c}; stroke: {hue(c)} }}"
            for k, c in LIT.items()
        ),
        "§ .over, § .last, § .below, § .preview { pointer-events: none }",
        "§ .last { fill: none; stroke: #fffbef; stroke-opacity: 1; stroke-width: 5 }",
        "§ .last.in { stroke: var(--k-accent); stroke-width: 2.4 }",
        "§ .thing { outline: none }",
        "§ .can { cursor: pointer }",
        "§ .lit { fill: #fffbef; fill-opacity: .3; stroke: #fffbef; stroke-width: 3 }",
        "§ .spot { opacity: .7 }",
        "§ .spot:hover, § .spot:focus-visible, § .spot.picked { opacity: 1 }",
        "§ use.can { stroke: #fffbef; stroke-width: .5 }",
        "§ use.can:hover, § use.picked { stroke: var(--k-accent) }",
        "§ use[href^='#cdf']:focus-visible { stroke: var(--k-ink); stroke-width: .6 }",
        "§ .cell { fill: var(--k-paper); fill-opacity: 0; stroke: none }",
        "§ .cell.fits { fill: var(--k-accent); fill-opacity: .1; stroke: var(--k-accent); "
        "stroke-width: 2.6; stroke-dasharray: 8 6 }",
        "§ .cell.can:hover, § .cell:focus-visible, § .cell.picked { fill-opacity: .25; "
        "stroke-width: 5; stroke-dasharray: none }",
        "§ .pill { fill: none; stroke: var(--k-accent); stroke-width: 5 }",
        "§ .tally { font-size: 56px; font-weight: 600; text-anchor: start }",
        f"§ .rest {{ font: italic 44px {SERIF}; text-anchor: start }}",
        "§ .count { font-size: 52px; font-weight: 700; text-anchor: end; paint-order: stroke; "
        "stroke: var(--k-paper); stroke-width: 12; stroke-linejoin: round }",
        ".cdx { fill: none; stroke: #25221d; stroke-opacity: .13; stroke-width: .7 }",
    )
)

# --- motifs: each stands on its origin, or floats around it ---

MOTIFS = {
    "cd-peak-large": (
        '<path class="cdl" d="M-13 7L-4.5-8L-1.5-13L1-6L-1.5-1L2 7Z"/>'
        '<path class="cdd" d="M-1.5-13L5-4.5L13.5 7H2L-1.5-1L1-6Z"/>'
        '<path class="cdi" d="M-13 7L-4.5-8L-1.5-13L5-4.5L13.5 7M-8 4.5L-5-1.5M6.5 1.5L8 4.8"/>'
    ),
    "cd-peak": (
        '<path class="cdl" d="M-9.5 5L-2-7.5L.5-9.5L1-3L-.5 0L1.5 5Z"/>'
        '<path class="cdd" d="M.5-9.5L4.5-3.5L10 5H1.5L-.5 0L1-3Z"/>'
        '<path class="cdi" d="M-9.5 5L-2-7.5L.5-9.5L4.5-3.5L10 5M-5.5 3L-3.5-1"/>'
    ),
    "cd-peak-small": (
        '<path class="cdl" d="M-6.5 3.5L-.5-6L.5-1.5L1 3.5Z"/>'
        '<path class="cdd" d="M-.5-6L6.5 3.5H1L.5-1.5Z"/>'
        '<path class="cdi" d="M-6.5 3.5L-.5-6L6.5 3.5"/>'
    ),
    "cd-grass": '<path class="cdg" d="M-3.2 2q.2-3-1.4-4.6M0 2q-.2-4 .6-6.4M3 2q-.4-2.6 1.8-4.4"/>',
    "cd-grass-small": '<path class="cdg" d="M-1.4 2q0-2.6-1.6-3.8M1.2 2q-.2-3 1.2-4.8"/>',
    "cd-rise": '<path class="cdg" d="M-10 1.5q5-4.5 10-2t10-1.5M-5 5q4-3 8-1"/>',
    "cd-tree": (
        '<path class="cdi" d="M0 5V0"/><circle class="cdt" cy="-2.6" r="4.6"/>'
        '<path class="cdu" d="M1-7A4.6 4.6 0 0 1 .4 2A6 6 0 0 0 1-7Z"/>'
    ),
    "cd-waves": '<path class="cdv" d="M-8 0q2-3.2 4-1t4 1q2-3.2 4-1t4 1"/>',
    "cd-waves-small": '<path class="cdv" d="M-4.5 0q2.2-3.2 4.4-1t4.6 1"/>',
    CITY: (
        '<g transform="scale(1.12)"><path class="cdz" '
        'd="M-15 8V0L-11-4.5L-3-5V-9.5L.5-19L4-9.5V-4H14L16.5 1V8Q0 12-15 8Z"/>'
        '<g class="cdh"><path class="cdw" d="M-2.5 2V-9.5H3.5V2Z"/>'
        '<path class="cdr" d="M-4-9L.5-19L5-9Z"/><path class="cdq" d="M.5-19L5-9H1.5Z"/>'
        '<path class="cdw" d="M-15 8V0L-11-4.5L-7 0V8Z"/><path class="cdl" d="M-7 0H3.5V8.5H-7Z"/>'
        '<path class="cdr" d="M-11-4.5L-1-5L4 0H-7Z"/><path class="cdw" d="M4 1H15.5V8H4Z"/>'
        '<path class="cdq" d="M2.5 1.2L6.5-4H13.5L17 1.2Z"/>'
        '<path class="cdi" d="M-15.5.5L-11-4.5L-6.8.3M9 8V4.5h2V8M-11.6 3.5v1.5M.4-6.5v2"/></g></g>'
    ),
}

#: Where a city's picture has its middle, above its origin.
CITY_RISE = 4

#: By terrain its motifs, the largest first: how far each keeps from other regions, from the rim of
#: the tile, from its like, and how many there may be.
CROWDS: dict[int, tuple[tuple[str, float, float, float, int], ...]] = {
    MOUNTAIN: (("cdp1", 14, 13, 23, 4), ("cdp2", 10, 10, 17, 6), ("cdp3", 6, 7, 12, 12)),
    GRASSLAND: (
        ("cdg3", 15, 14, 40, 1),
        ("cdt1", 10, 9, 28, 2),
        ("cdg1", 6, 5, 17, 10),
        ("cdg2", 5, 4, 13, 4),
    ),
    SEA: (("cdv1", 11, 10, 21, 8), ("cdv2", 7, 7, 17, 6)),
}


def motifs(tile: Tile, turn: int) -> str:
    """The motifs and cities of a turned tile, upright, those in front last.

    Motifs of a kind are the markers of a path that is not drawn itself: a few bytes for each.
    """
    rng = random.Random(f"carcassonne {tile.sides} {tile.terrain} {tile.cities} {turn}")
    towns = [shores.turned(p, turn) for p in towns_of(tile)]
    taken = [(x, y, 26.0) for x, y in towns]
    placed: dict[str, list[tuple[int, int]]] = {}
    for segment, spots in enumerate(shores.spots(tile)):
        free = [(far, *shores.turned((x, y), turn)) for far, x, y in spots]
        rng.shuffle(free)
        for name, room, rim, apart, most in CROWDS[tile.terrain[segment]]:
            wide = [(x, y) for far, x, y in free if far >= room and rim <= x <= 100 - rim]
            for x, y in [(x, y) for x, y in wide if 5 <= y <= 100 - 0.6 * rim]:
                if len(placed.get(name, ())) == most:
                    break
                if all(math.dist((x, y), (u, v)) >= (apart + away) / 2 for u, v, away in taken):
                    taken.append((x, y, apart))
                    spot = round(x + rng.uniform(-1, 1)), round(y + rng.uniform(-2, 2))
                    placed.setdefault(name, []).append(spot)
    paths = [
        f'<path class="{name}" d="M{" ".join(f"{x} {y}" for x, y in some)}"/>'
        for name, spots_ in placed.items()
        for some in [sorted(spots_, key=lambda p: p[1])]
    ]
    cities = [
        f'<use href="#{CITY}" x="{x:.0f}" y="{y + CITY_RISE:.0f}"/>'
        for x, y in sorted(towns, key=lambda p: p[1])
    ]
    return "".join([*paths, *cities])


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
    between = [(middle(p, u), middle(q, v)) for (p, q), (u, v) in pairwise(pairs)]
    text = "".join(
        f"M{numbers(x, y)}l{numbers(u - x, v - y)}" for (x, y), (u, v) in [*pairs, *between]
    )
    return f'<path class="cdi" d="{text}"/>'


def middle(p: Point, q: Point) -> Point:
    return (p[0] + q[0]) / 2, (p[1] + q[1]) / 2


def border(name: str, left: int, right: int) -> str:
    """A border in its own place, between two terrains."""
    points = curve(name)
    closed = points[0] == points[-1]
    line = f'href="#cd{name}"'
    if SEA in (left, right) and left != right:
        side = 1 if left == SEA else -1
        if MOUNTAIN in (left, right):
            rock = ticks(points, -side, closed)
        else:
            rock = band(points, -6 * side, closed, "cdm")
        return (
            f"{rock}{band(points, 13 * side, closed, 'cdo')}{band(points, 7 * side, closed, 'cdo')}"
            f'<use class="cdb cdk" {line}/><use class="cdb cda" {line}/>'
        )
    if left == right:
        return f'<use class="cdb cdf" stroke-dasharray=".1 4" {line}/>'
    side = 1 if left == MOUNTAIN else -1
    return (
        f"{band(points, -7 * side, closed, 'cdm')}{ticks(points, side, closed)}"
        f'<use class="cdb cdf" {line}/>'
    )


# --- symbols ---


@functools.lru_cache(maxsize=2048)
def key(tile: Tile) -> str:
    """The beginning of a tile's ids, which says what it shows: several sets may share a page."""
    text = f"{tile.sides}{tile.terrain}{tile.cities}{sorted(tile.borders)}"
    left, name = zlib.crc32(text.encode()), ""
    for _ in range(3):
        left, digit = divmod(left, len(DIGITS))
        name += DIGITS[digit]
    return f"{ascii_uppercase[left % 26]}{name}"


def segment_id(tile: Tile, segment: int, turn: int) -> str:
    """The id of a segment's shape, turned."""
    return f"{key(tile)}{turn or ''}{SEGMENTS[segment]}"


def terrain_class(terrain: int) -> str:
    return f"cd{terrain}"


@functools.lru_cache(maxsize=16)
def definitions(tiles: tuple[Tile, ...], turns: int = 4) -> str:
    """Everything that drawings of some tiles refer to, for as many rotations.

    What a theme can replace comes first.
    """
    shapes: dict[str, str] = {}
    parts = []
    for tile in dict.fromkeys(tiles):
        parts += [*segments(tile, shapes), *rotations(tile, turns)]
    return f"<defs>{pieces(tiles)}<g>{''.join(parts)}</g></defs>"


def segments(tile: Tile, shapes: dict[str, str]) -> Iterator[str]:
    """The shapes of a tile's segments, a unit wide, for a board has hundreds of them.

    What another tile has already is not drawn again.
    """
    for segment in range(len(tile.terrain)):
        path, name = plan(tile).path(segment), segment_id(tile, segment, 0)
        if path in shapes:
            yield f'<use id="{name}" href="#{shapes[path]}"/>'
        else:
            shapes[path] = name
            yield f'<path id="{name}" transform="scale(.01)" d="{path}"/>'


def rotations(tile: Tile, turns: int) -> Iterator[str]:
    """A tile's ground and borders, and for every rotation its segments and what stands on them."""
    name, letters = key(tile), range(len(tile.terrain))
    uses = "".join(
        f'<use class="{terrain_class(tile.terrain[j])}" href="#{segment_id(tile, j, 0)}"/>'
        for j in letters
    )
    yield f'<g id="{name}w" transform="scale(100)">{uses}</g>'
    lines = "".join(_use(piece(tile, s), s) for s in plan(tile).stretches)
    yield f'<g id="{name}o">{lines}<use class="cdx" href="#cdx"/></g>'
    for turn in range(min(turns, tile.period)):
        around = _turned(turn)
        if turn:
            for j in letters:
                shape = segment_id(tile, j, 0)
                spun = f'transform="rotate({90 * turn} .5 .5)"'
                yield f'<use id="{segment_id(tile, j, turn)}" href="#{shape}" {spun}/>'
        yield f'<g id="{name}{turn}"><use href="#{name}o"{around}/>{motifs(tile, turn)}</g>'


def _turned(turn: int) -> str:
    return f' transform="rotate({90 * turn} 50 50)"' if turn % 4 else ""


def _use(name: str, s: Stretch) -> str:
    if s.at != (0, 0):
        return f'<use href="#{name}" x="{s.at[0]:g}" y="{s.at[1]:g}"/>'
    return f'<use href="#{name}"{_turned(s.turn)}/>'


def piece(tile: Tile, s: Stretch) -> str:
    """The name of a border between two terrains."""
    return f"cd{s.curve}{LETTERS[tile.terrain[s.left]]}{LETTERS[tile.terrain[s.right]]}"


def pieces(tiles: Iterable[Tile]) -> str:
    """The motifs, the followers, and all borders that some tiles have."""
    known = {}
    for tile in tiles:
        for s in plan(tile).stretches:
            known[piece(tile, s)] = s.curve, tile.terrain[s.left], tile.terrain[s.right]
    borders = {name: border(*known[name]) for name in sorted(known)}
    followers = {f"cdf{p}": follower(p) for p in range(MAX_PLAYERS)}
    markers = "".join(
        f'<marker id="{name}m" markerUnits="userSpaceOnUse" overflow="visible">'
        f'<use href="#{motif}"/></marker>'
        for name, motif in SCATTERED.items()
    )
    drawn = (f'<g id="{name}">{one}</g>' for name, one in (MOTIFS | followers | borders).items())
    curves = "".join(
        f'<path id="cd{name}" d="M{shores.told(curve(name)[0])}{bends(curve(name))}"/>'
        for name in sorted({name for name, *_ in known.values()})
    )
    rim = (
        '<path id="cdx" d="M0 0H100V100H0Z"/>'
        '<g id="cdn"><rect x="7" y="7" width="86" height="86" rx="9"/></g>'
    )
    return f"{rim}{curves}{''.join(drawn)}{markers}"


def follower(p: int) -> str:
    """A wooden disc with its player's shape, about as large as the unit circle."""
    player = PLAYERS[p]
    return (
        f'<circle class="cde" cy=".1" r="1"/><circle class="cdj" r="1" stroke="{player.colour}"/>'
        f'<path transform="scale(.68)" stroke="none" fill="{player.colour}" '
        f'd="{OUTLINES[player.shape]}"/>'
    )


def whole(tile: Tile, turn: int, at: Point = (0, 0)) -> str:
    """A tile by itself."""
    x, y = at
    place = f' x="{x:g}" y="{y:g}"' if at != (0, 0) else ""
    if not turn:
        return f'<use href="#{key(tile)}w"{place}/><use href="#{key(tile)}0"{place}/>'
    moved = f"translate({x:g} {y:g})" if at != (0, 0) else ""
    return (
        f'<use href="#{key(tile)}w" transform="{moved}rotate({90 * turn} 50 50)"/>'
        f'<use href="#{key(tile)}{turn}"{place}/>'
    )


@functools.lru_cache(maxsize=2048)
def anchors(tile: Tile) -> tuple[Point, ...]:
    """Where a follower stands on each segment: far from borders, cities and the other places."""
    found: dict[int, Point] = {}
    spots = shores.spots(tile)
    for segment in sorted(range(len(spots)), key=lambda j: max(spots[j], default=(0, 0, 0))):
        found[segment] = _clearest(spots[segment], towns_of(tile), list(found.values()))
    return tuple(found[segment] for segment in range(len(spots)))


def _clearest(
    spots: Sequence[tuple[float, float, float]], towns: Sequence[Point], others: Sequence[Point]
) -> Point:
    def clear(spot: tuple[float, float, float]) -> float:
        far, x, y = spot
        away = [math.dist((x, y), town) - 5 for town in towns]
        away += [math.dist((x, y), other) / 2 for other in others]
        return min(far, x, y, 100 - x, 100 - y, *away)

    _, x, y = max(spots, key=clear, default=(0, *shores.MIDDLE))
    return x, y


def anchor(tile: Tile, segment: int, turn: int) -> Point:
    """Where a follower stands on a segment of a turned tile."""
    return shores.turned(anchors(tile)[segment], turn)


# --- a set of tiles ---

#: A sheet has so many tiles in a row, each with room for its name.
IN_ROW, CELL = 10, (118, 138)


def shown(tile: tileset.Tile) -> Tile:
    """What a tile of a set shows."""
    terrain = tuple(tileset.TERRAINS.index(name) for name in tile.regions)
    return Tile(tile.sides, terrain, tile.cities, frozenset(tile.touching), tile.period)


def sheet(found: tileset.TileSet) -> str:
    """All tiles of a set with their names and how many there are of each."""
    tiles = tuple(map(shown, found.tiles))
    wide, high = CELL
    columns = min(IN_ROW, max(4, math.isqrt(len(tiles))))
    drawn = []
    for i, (tile, named) in enumerate(zip(tiles, found.tiles, strict=True)):
        y, x = divmod(i, columns)
        words = f"{named.id}{f' × {named.count}' if named.count > 1 else ''}"
        note = " (the start tile)" * named.start + " (reconstructed)" * named.reconstructed
        kind = "name start" if named.start else "name guess" if named.reconstructed else "name"
        size = min(12.0, 190 / len(words))
        drawn.append(
            f'<g transform="translate({x * wide} {y * high})"><title>{words}{note}</title>'
            f'{whole(tile, 0)}<text class="{kind}" x="50" y="118" font-size="{size:.1f}">'
            f"{words}</text></g>"
        )
    rows = -(-len(tiles) // columns)
    many = sum(tile.count for tile in found.tiles)
    head = f"{found.name}: {many} tiles of {len(tiles)} kinds"
    guesses = any(tile.reconstructed for tile in found.tiles)
    legend = f"{head}; in italics: reconstructed" if guesses else head
    box = f"-14 -14 {columns * wide + 10} {rows * high + 44}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="carcassonne" role="img" viewBox="{box}">'
        f"<title>{head}</title><style>{style()}</style>{definitions(tiles, turns=1)}"
        f'<rect class="paper" x="-14" y="-14" width="100%" height="100%"/>{"".join(drawn)}'
        f'<text class="legend" x="0" y="{rows * high + 14}">{legend}</text></svg>'
    )


def style() -> str:
    """The style of a drawing; the game's name is the class around it."""
    return STYLE.replace("§", ".carcassonne")
