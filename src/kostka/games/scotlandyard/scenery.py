"""What never changes in a drawing of Scotland Yard: the city or the cells, signs and figures."""

import functools
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from kostka.core.palette import SANS, SERIF, tokens
from kostka.core.present import listed
from kostka.games.scotlandyard.setup import LONDON
from kostka.games.scotlandyard.state import BUS, FERRY, KINDS, TAXI, UNDERGROUND

Point = tuple[int, int]
Line = tuple[int, int, int]  # two stations and what runs between them

#: The artwork of London, in twice the units of the map's coordinates; ``art`` makes it.
ART: dict[str, Any] = json.loads((Path(__file__).parent / "art.json").read_text(encoding="utf-8"))
SCALE = 2
LONDON_SIZE, GRID_SIZE = (2000, 1500), (1000, 1030)

#: Around the board: above it Mr X's travel log, below it the pieces and their tickets.
MARGIN, LOG, PIECES = 30, 150, 128

#: A station's sign, and the ring of a piece that stands there.
SIGN, RING = 21, 30

#: Half the width and height of a figure and of a flag, each around its middle, and where they may
#: be: figures, from their station, behind its sign or beside it; flags in a corner of it.
FIGURE, TAG = (25, 38), (20, 14)
STANCES = ((0, 4), (52, 48), (-52, 48), (52, 78), (-52, 78), (0, 122))
MIDDLE = -56
CORNERS = ((42, 34), (-42, 34), (42, -34), (-42, -34))

#: Signs and tickets, by kind of transport.
HUES = ("#d99a12", "#23857c", "#b0304a", "#25221d")
FERRY_HUE = "#2b6a96"
PLATE, PRINT, COAT = "#fffaf0", "#25221d", "#26231f"

#: The light behind what can be clicked: lighter than the map, by day and by night.
GLOW = "#fffdf4"

#: The heat of where Mr X can be.
HEAT = "#e2561f"

#: A slot of the log, and a ticket.
SLOT, CARD = (72, 108), (46, 34)


def stroke(hue: str, share: int = 82) -> str:
    """The colour of a line, a little darker by day and lighter by night."""
    return f"stroke: {hue}; stroke: color-mix(in srgb, {hue} {share}%, var(--k-ink))"


STYLE = f"""
§ {{ font-family: {SANS}; font-variant-numeric: tabular-nums }}
§ .paper {{ fill: var(--k-paper) }}
§ .blocks {{ fill: var(--k-ink); fill-opacity: .075 }}
§ .river {{ fill: #6fa3b5; fill-opacity: .5; stroke: #5f95a8; stroke-opacity: .5;
  stroke-width: 3 }}
§ .lettering {{ font-family: {SERIF}; font-style: italic; font-size: 36px; letter-spacing: 16px;
  fill-opacity: .5 }}
§ .park {{ fill: #87a94f; fill-opacity: .34; stroke: #6f9240; stroke-opacity: .35;
  stroke-width: 2.5 }}
§ .route {{ fill: none; stroke-linejoin: round }}
§ .street {{ stroke: var(--k-paper); stroke-width: 13; stroke-linecap: round }}
§ .taxi {{ stroke: {HUES[TAXI]}; stroke-width: 4.5 }}
§ .bus {{ {stroke(HUES[BUS])}; stroke-width: 9 }}
§ .lane {{ stroke: var(--k-paper); stroke-width: 2.4 }}
§ .underground {{ {stroke(HUES[UNDERGROUND])}; stroke-width: 10; stroke-dasharray: 30 7 }}
§ .ferry {{ {stroke(FERRY_HUE, 55)}; stroke-width: 7; stroke-dasharray: .1 13;
  stroke-linecap: round }}
§ .roads {{ fill: none; pointer-events: none }}
§ .roads path {{ stroke-width: 10 }}
§ .roads .underground {{ stroke-dasharray: none }}
§ .lit, § .roads .lit {{ fill: none; stroke: {GLOW}; stroke-width: 22; stroke-linecap: round }}
§ .story {{ pointer-events: none }}
§ .way {{ fill: none; stroke: {COAT}; stroke-width: 9; stroke-linejoin: round }}
§ .story .flag {{ fill: {COAT} }}
§ .frame {{ fill: none; stroke: var(--k-ink); stroke-opacity: .35; stroke-width: 3 }}
§ .thing {{ outline: none; cursor: default }}
§ .light {{ fill: none; stroke: none }}
§ .can .light {{ fill: {GLOW}; stroke: var(--k-ink); stroke-width: 4 }}
§ .can {{ cursor: pointer }}
§ .can:hover .light {{ stroke: var(--k-accent); stroke-width: 9 }}
§ .picked .light {{ fill: var(--k-accent); stroke: var(--k-ink); stroke-width: 5 }}
§ .pointed {{ stroke: none !important; stroke-dasharray: none }}
§ .pointed .light {{ stroke: var(--k-accent); stroke-width: 7; stroke-dasharray: 9 6 }}
§ .thing:focus-visible .light {{ stroke: var(--k-accent); stroke-width: 9;
  stroke-dasharray: 13 6 }}
@media (prefers-reduced-motion: no-preference) {{
  § .light {{ transition: fill .16s ease-out, stroke .16s ease-out }} }}
§ text {{ text-anchor: middle; fill: var(--k-ink) }}
§ .tally {{ fill: var(--k-ink) }}
§ .number {{ font: 700 19px {SANS}; font-stretch: condensed; letter-spacing: -.4px;
  fill: {PRINT} }}
§ .deep {{ fill: {PLATE} }}
§ .heat, § .pieces, § .last {{ pointer-events: none }}
§ .heat {{ fill: none; stroke: {HEAT}; stroke-linecap: round }}
§ .known {{ opacity: .45 }}
§ .badge {{ fill: {PLATE} }}
§ .turn {{ fill: none; stroke: var(--k-ink); stroke-width: 4; stroke-dasharray: 8 6 }}
§ .last circle {{ fill: none; stroke: {HEAT}; stroke-width: 6; stroke-dasharray: 5 6.5 }}
§ .flag {{ fill: {HEAT} }}
§ .last text, § .story text {{ font: 700 19px {SANS}; fill: #fff }}
§ .slot {{ fill: var(--k-ink); fill-opacity: .06 }}
§ .shows {{ fill-opacity: .05; stroke: var(--k-accent); stroke-width: 3; stroke-opacity: .75 }}
§ .next {{ fill: none; stroke: var(--k-ink); stroke-width: 4; stroke-dasharray: 8 6 }}
§ .ordinal {{ font-size: 19px; fill-opacity: .7 }}
§ .shown {{ font-size: 27px; font-weight: 700 }}
§ .stock {{ font-size: 27px; font-weight: 600 }}
§ .none {{ opacity: .32 }}
§ .pill {{ fill: none; stroke: var(--k-accent); stroke-width: 5 }}
§ .cell {{ fill: var(--k-ink); fill-opacity: .055 }}
§ .dark .cell {{ fill-opacity: .1 }}
§ .edge {{ font-size: 26px; fill-opacity: .65 }}
"""


# --- the board ---


@dataclass(frozen=True)
class Board:
    """What stays the same for a whole game: where things are, and their drawing."""

    place: tuple[Point, ...]  # by station
    unit: float  # how large pieces are drawn; 1 in London
    still: str


def board(s: np.record) -> Board:
    reveal = s.reveal[: s.slots].astype(np.int8).tobytes()
    lines = (a.astype(np.int16).tobytes() for a in (s.degree, s.to, s.kind))
    return _board(int(s.side), reveal, *lines)


@functools.lru_cache(maxsize=16)
def _board(side: int, reveal: bytes, degree: bytes, to: bytes, kind: bytes) -> Board:
    size, scope = (GRID_SIZE, ".scotland-yard-grid") if side else (LONDON_SIZE, ".scotland-yard")
    sheet = f'y="{-LOG}" width="{size[0] + 2 * MARGIN}" height="{size[1] + LOG + PIECES}" rx="8"'
    if side:
        place, unit, things = cells(side)
        defs, ground = "", ""
    else:
        place, unit = station_places(), 1.0
        lines, key = list(lines_of(degree, to, kind)), f"sy{zlib.crc32(to):08x}"
        defs, ground, things = city(key, lines), land(key, lines), "".join(signs(lines))
    empty = "".join(slot(size[0], len(reveal), n, bool(r)) for n, r in enumerate(reveal))
    still = (
        f'<g class="backdrop"><style>{tokens(scope)}{STYLE.replace("§", scope)}</style>'
        f"<defs>{figures()}{cards()}{defs}</defs>"
        f'<rect class="paper" x="{-MARGIN}" {sheet}/>{ground}{things}{empty}</g>'
    )
    return Board(place, unit, still)


def lines_of(degree: bytes, to: bytes, kind: bytes) -> Iterator[Line]:
    """Each line of the map once."""
    lines = np.frombuffer(degree, np.int16)
    ends, kinds = (np.frombuffer(a, np.int16).reshape(len(lines), -1) for a in (to, kind))
    for a, n in enumerate(lines):
        for b, k in zip(ends[a, :n].tolist(), kinds[a, :n].tolist(), strict=True):
            if a < b:
                yield a, b, k


# --- London ---


@functools.cache
def station_places() -> tuple[Point, ...]:
    """Where stations are in the drawing; there is no station 0."""
    at = ((round(SCALE * x), round(SCALE * y)) for x, y in LONDON["coordinates"])
    return ((0, 0), *at)


def city(key: str, lines: list[Line]) -> str:
    """What the map of London is put together from; the key tells one edition from another."""
    dots = "".join(f"M{x} {y}h0" for x, y in station_places()[1:])
    width, height = LONDON_SIZE
    board = f'width="{width}" height="{height}"'
    roads = "".join(
        f'<path id="{key}-{KINDS[k]}" d="{"".join(road(a, b, j) for a, b, j in lines if j == k)}"/>'
        for k in (TAXI, BUS, UNDERGROUND)
    )
    tree = '<circle cx="{}" cy="{}" r="{}" fill="#5d8038" fill-opacity="{}"/>'
    trees = "".join(
        tree.format(*t)
        for t in ((9, 9, 4.5, 0.4), (28, 16, 3.5, 0.34), (17, 31, 5, 0.32), (36, 36, 3, 0.3))
    )
    return (
        f'<clipPath id="sy-frame"><rect {board} rx="10"/></clipPath>'
        f'<mask id="sy-around" maskUnits="userSpaceOnUse" x="0" y="0" {board}>'
        f'<rect {board} rx="10" fill="#fff"/>'
        f'<path d="{dots}" fill="none" stroke="#000" stroke-width="{2 * SIGN + 2}" '
        f'stroke-linecap="round"/></mask>'
        f'<pattern id="sy-trees" width="44" height="44" patternUnits="userSpaceOnUse">{trees}'
        f"</pattern>{sign_plates()}{roads}"
    )


def road(a: int, b: int, kind: int) -> str:
    """The path of a line, bent as the artwork says."""
    at = station_places()
    way = [*ART[KINDS[kind]].get(f"{a}-{b}", []), at[b]]
    return f"M{at[a][0]} {at[a][1]}{' LQC'[len(way)]}{' '.join(f'{x} {y}' for x, y in way)}"


def line_path(a: int, b: int, kind: int) -> str:
    """The path of a line between two stations, whichever comes first."""
    low, high = min(a, b), max(a, b)
    return sailing(f"{low}-{high}") if kind == FERRY else road(low, high, kind)


def hidden(station: int, at: Point, half: Point) -> int:
    """How much a box at a place beside a station would hide: signs, most of all their numbers."""
    places = station_places()
    x, y = places[station][0] + at[0], places[station][1] + at[1]
    gaps = [
        max(abs(u - x) - half[0], abs(v - y) - half[1])
        for n, (u, v) in enumerate(places)
        if n not in (0, station)
    ]
    signs = sum((gap < SIGN) + 3 * (gap < 0) for gap in gaps)
    width, height = LONDON_SIZE
    return signs + (not half[0] <= x <= width - half[0]) + (not half[1] <= y <= height)


@functools.cache
def stances(station: int) -> tuple[Point, ...]:
    """Where a figure may stand at a station: where it hides least, first."""
    hides = {at: hidden(station, (at[0], at[1] + MIDDLE), FIGURE) for at in STANCES}
    return tuple(sorted(STANCES, key=lambda at: hides[at]))


@functools.cache
def clearest(station: int, half: Point, taken: Point | None = None) -> Point:
    """The corner of a station where a flag hides least, and that is not taken."""
    corners = (at for at in CORNERS if at != taken)
    return min(corners, key=lambda at: hidden(station, at, half))


def land(key: str, lines: list[Line]) -> str:
    """Blocks, parks, the river, and the lines on top of them."""
    width, height = LONDON_SIZE
    ferries = (f"{a}-{b}" for a, b, k in lines if k == FERRY)
    ferry = "".join(f'<path class="route ferry" d="{sailing(pair)}"/>' for pair in ferries)
    parks = "".join(ART["parks"])
    stream = smooth(ART["ferry"]["157-194"][::-1])
    return (
        f'<g clip-path="url(#sy-frame)"><path class="blocks" d="{ART["blocks"]}"/>'
        f'<path class="park" d="{parks}"/><path d="{parks}" fill="url(#sy-trees)"/>'
        f'<path class="river" d="{ART["river"]}"/></g>'
        f'<rect class="frame" width="{width}" height="{height}" rx="10"/>'
        f'<path id="sy-stream" d="{stream}" fill="none"/><text class="lettering" dy="31">'
        f'<textPath href="#sy-stream" startOffset="36%">Thames</textPath></text>'
        f'{ferry}<use class="route street" href="#{key}-taxi"/>'
        f'<use class="route underground" href="#{key}-underground"/>'
        f'<use class="route bus" href="#{key}-bus"/><use class="route lane" href="#{key}-bus"/>'
        f'<use class="route taxi" href="#{key}-taxi"/>'
    )


def sailing(pair: str) -> str:
    """The way of a ferry from a stop along the river to the next."""
    at = station_places()
    a, b = (at[int(n)] for n in pair.split("-"))
    return smooth([a, *ART["ferry"][pair], b])


def smooth(points: Sequence[Sequence[int]]) -> str:
    """A path from the first point to the last one, bent towards those between them."""
    path = f"M{points[0][0]} {points[0][1]}"
    for (x, y), (u, v) in pairwise(points[1:]):
        path += f"Q{x} {y} {(x + u) / 2:g} {(y + v) / 2:g}"
    return f"{path}L{points[-1][0]} {points[-1][1]}"


def signs(lines: list[Line]) -> Iterator[str]:
    """Every station as a thing: a sign in the colours of what stops there, with its number."""
    stops: dict[int, set[int]] = {}
    for a, b, kind in lines:
        stops.setdefault(a, set()).add(kind)
        stops.setdefault(b, set()).add(kind)
    for n, (x, y) in enumerate(station_places()[1:], 1):
        kinds = stops.get(n, {TAXI})
        words = listed([transport(k) for k in sorted(kinds)])
        deep = " deep" if UNDERGROUND in kinds else ""
        yield (
            f'<g id="s{n}" class="thing" transform="translate({x} {y})">'
            f"<title>station {n}: {words}</title>"
            f'<circle class="light" r="{RING}"/><use href="#sy-{plate(kinds)}"/>'
            f'<text class="number{deep}" y="6.5">{n}</text></g>'
        )


def transport(kind: int) -> str:
    return "ferry" if kind == FERRY else KINDS[kind]


def plate(kinds: set[int]) -> str:
    """The name of a sign: ``sign-tb`` for taxi and bus."""
    return "sign-" + "".join("tbuf"[k] for k in sorted(kinds))


def sign_plates() -> str:
    """A sign for each set of lines: a taxi's ring, a bus's lower half, and so on."""
    sets = ({TAXI}, {TAXI, BUS}, {TAXI, BUS, UNDERGROUND}, {TAXI, FERRY}, {TAXI, BUS, FERRY})
    return "".join(f'<g id="sy-{plate(kinds)}">{sign(kinds)}</g>' for kinds in sets)


def sign(kinds: set[int]) -> str:
    inner = SIGN - 3.5
    fill = HUES[UNDERGROUND] if UNDERGROUND in kinds else PLATE
    parts = [
        f'<circle r="{SIGN}" fill="{PLATE}" stroke="{PRINT}" stroke-width="1.6"/>',
        f'<circle r="{inner}" fill="{fill}" stroke="{HUES[TAXI]}" stroke-width="4.5"/>',
    ]
    if BUS in kinds:
        half = f"M{-inner} 0a{inner} {inner} 0 0 0 {2 * inner} 0"
        parts.append(f'<path d="{half}" fill="none" stroke="{HUES[BUS]}" stroke-width="5.5"/>')
        parts.append(f'<path d="M{-SIGN} 0h6M{SIGN} 0h-6" stroke="{PRINT}" stroke-width="1.6"/>')
    if FERRY in kinds:
        wave = "M-17 27q4.25 -6 8.5 0t8.5 0t8.5 0t8.5 0"
        for stroke, thick in ((PLATE, 9), (FERRY_HUE, 4)):
            parts.append(
                f'<path d="{wave}" fill="none" stroke="{stroke}" stroke-width="{thick}" '
                f'stroke-linecap="round"/>'
            )
    return "".join(parts)


# --- the grid ---


def cells(side: int) -> tuple[tuple[Point, ...], float, str]:
    """The middles of the cells, the size of pieces, and every cell as a thing."""
    step = GRID_SIZE[0] / side
    place, drawn = [], []
    gap, rest = step * 0.03, step * 0.94
    for n in range(side * side):
        row, column = divmod(n, side)
        x, y = column * step, row * step
        place.append((round(x + step / 2), round(y + step / 2)))
        shape = f'width="{rest:.1f}" height="{rest:.1f}" rx="{step * 0.09:.1f}"'
        inset = f'x="{x + gap:.1f}" y="{y + gap:.1f}"'
        drawn.append(
            f'<g id="g{n}" class="thing{" dark" if (row + column) % 2 else ""}">'
            f"<title>cell {chr(ord('a') + column)}{row + 1}</title>"
            f'<rect class="cell" {inset} {shape}/><rect class="light" {inset} {shape}/></g>'
        )
    for k in range(side):
        at = (k + 0.5) * step
        drawn.append(
            f'<text class="edge" x="{at:.0f}" y="{GRID_SIZE[0] + 24}">{chr(97 + k)}</text>'
        )
        drawn.append(f'<text class="edge" x="-14" y="{at + 9:.0f}">{k + 1}</text>')
    return tuple(place), step / 150, "".join(drawn)


# --- figures, tickets and slots of the log ---


def figures() -> str:
    """Pawns that stand behind a station's sign, with its rim in their colour."""
    pawn = "M-19 -20C-17 -36 -9 -42 -8 -50A12.5 12.5 0 1 1 8 -50C9 -42 17 -36 19 -20Z"
    coat = "M-21 -20C-20 -40 -13 -47 -8 -49H8C13 -47 20 -40 21 -20Z"
    lapels = "M-8 -49L0 -29L8 -49M0 -29V-21"
    brim = "M-23 -63C-12 -68 12 -68 23 -63C14 -58 -14 -58 -23 -63Z"
    crown = "M-12 -64C-12 -82 -7 -84 0 -80C7 -84 12 -82 12 -64Z"
    band = "M-12 -67C-5 -64 5 -64 12 -67V-73C5 -70 -5 -70 -12 -73Z"
    helmet = "M-17 -55C-15 -76 -8 -81 0 -85C8 -81 15 -76 17 -55Z"
    cut = f'stroke="{PLATE}" stroke-linejoin="round" stroke-width'
    ring = f'<circle r="{RING - 2}" fill="none"'
    return (
        f'<g id="sy-stand">{ring} {cut}="14"/>{ring} stroke="currentColor" stroke-width="8"/></g>'
        f'<g id="sy-pawn" fill="currentColor"><path d="{pawn}" {cut}="3"/></g>'
        f'<g id="sy-bobby" fill="currentColor"><path d="{pawn}" {cut}="3"/>'
        f'<path d="{helmet}" fill="{COAT}" {cut}="3"/><path d="M-16 -61H16" {cut}="2.5"/></g>'
        f'<g id="sy-mrx" fill="{COAT}"><path d="{coat}" {cut}="3"/>'
        f'<circle cy="-56" r="9" fill="#d9c7a8"/>'
        f'<path d="{lapels}" fill="none" {cut}="2.4"/><path d="{brim}{crown}" {cut}="2.4"/>'
        f'<path d="{brim}{crown}"/><path d="{band}" fill="currentColor"/></g>'
    )


def cards() -> str:
    """The tickets, with a picture and a colour for each kind."""
    w, h = CARD
    body = f'<rect x="{-w / 2}" y="{-h / 2}" width="{w}" height="{h}" rx="6" fill="{{}}" {{}}/>'
    ink = f'fill="none" stroke="{PLATE}" stroke-width="2.6" stroke-linejoin="round"'
    rim = f'stroke="{PLATE}" stroke-width="2"'
    bold = 'text-anchor="middle" font-weight="800"'
    dark, light = f'{bold} font-size="20" fill="{PRINT}"', f'{bold} font-size="25" fill="{PLATE}"'
    pictures = (
        f'<path d="M-15 6V-1L-8 -3L-4 -9H6L11 -3L15 -1V6Z" {ink}/>'
        f'<path d="M-9 6h0M9 6h0" {ink} stroke-linecap="round" style="stroke-width:8"/>',
        f'<path d="M-13 7V-11H13V7ZM-13 -2H13M-4 -11V-2M5 -11V-2" {ink}/>'
        f'<path d="M-8 8h0M8 8h0" {ink} stroke-linecap="round" style="stroke-width:7"/>',
        f'<path d="M-15 11V0A15 13 0 0 1 15 0V11" {ink}/>'
        f'<path d="M-7 10V-3A7 5 0 0 1 7 -3V10ZM-7 4H7" {ink}/>',
        f'<text y="9" {light}>?</text>',
    )
    drawn = "".join(
        f'<g id="sy-card{k}">{body.format(HUES[k], rim)}{pictures[k]}</g>' for k in range(4)
    )
    back = f'stroke="{PRINT}" stroke-width="2.4"'
    double = f'<g id="sy-card4">{body.format(PLATE, back)}<text y="7" {dark}>2×</text></g>'
    eye = '<path d="M-15 0Q0 -17 15 0Q0 17 -15 0Z"/><circle r="4.5"/>'
    return f'{drawn}{double}<g id="sy-eye" fill="none" stroke="{HEAT}" stroke-width="3">{eye}</g>'


def slot_place(width: int, slots: int, n: int) -> Point:
    """The upper left corner of a slot of the log."""
    step = min(width / slots, 104)
    return round((width - slots * step) / 2 + n * step + (step - SLOT[0]) / 2), -LOG + 22


def slot(width: int, slots: int, n: int, reveal: bool) -> str:
    """An empty slot of the log, with its number, and an eye where Mr X will show himself."""
    x, y = slot_place(width, slots, n)
    wide = min(SLOT[0], width / slots - 4)
    left = x + (SLOT[0] - wide) / 2
    at = f"translate({x + SLOT[0] / 2:g} {y + 88}) scale({min(1.1, wide / 40):.2g})"
    eye = f'<use href="#sy-eye" transform="{at}"/>' if reveal else ""
    return (
        f'<rect class="slot{" shows" if reveal else ""}" x="{left:g}" y="{y}" width="{wide:g}" '
        f'height="{SLOT[1]}" rx="8"/><text class="ordinal" x="{x + SLOT[0] / 2:g}" y="{y + 22}">'
        f"{n + 1}</text>{eye}"
    )
