"""How people meet a Scotland Yard position: drawn as SVG or text, clicked, and put into words."""

import functools
import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from kostka.core.board import Click, Effect, called, listed
from kostka.core.look import OUTLINES, PLAYERS, SANS, SERIF, tokens
from kostka.core.state import PUBLIC
from kostka.games.scotlandyard import actions
from kostka.games.scotlandyard.actions import (
    DOUBLE,
    HIDDEN_MOVE,
    HIDDEN_START,
    PASS,
    kind_of,
    move_code,
    station_name,
    station_of,
)
from kostka.games.scotlandyard.setup import LONDON
from kostka.games.scotlandyard.state import (
    BLACK,
    BUS,
    DETECTIVES,
    DONE,
    FERRY,
    FIRST_HALF,
    FUGITIVE,
    KINDS,
    MR_X,
    MR_X_WON,
    NO_DOUBLE,
    SECOND_HALF,
    START,
    TAXI,
    UNDERGROUND,
    UNKNOWN,
    UNLIMITED,
)

Point = tuple[int, int]

#: The artwork of London, in twice the units of the map's coordinates; ``art`` makes it.
ART: dict[str, Any] = json.loads((Path(__file__).parent / "art.json").read_text(encoding="utf-8"))
SCALE = 2
LONDON_SIZE, GRID_SIZE = (2000, 1500), (1000, 1030)

#: Around the board: above it Mr X's travel log, below it the pieces and their tickets.
MARGIN, LOG, PIECES = 30, 150, 128

#: A station's sign, and the ring of a piece that stands there.
SIGN, RING = 21, 30

#: Signs and tickets, by kind of transport.
HUES = ("#d99a12", "#23857c", "#b0304a", "#25221d")
FERRY_HUE = "#2b6a96"
PLATE, PRINT, COAT = "#fffaf0", "#25221d", "#26231f"

#: The light behind what can be clicked: lighter than the map, by day and by night.
GLOW = "#fffdf4"

#: The heat of where Mr X can be.
HEAT = "#e2561f"
HALOS = ((128, 0.2), (98, 0.26), (70, 0.44))

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
§ .name {{ font-family: {SERIF}; font-style: italic; font-size: 36px; letter-spacing: 16px;
  fill-opacity: .5 }}
§ .park {{ fill: #87a94f; fill-opacity: .34; stroke: #6f9240; stroke-opacity: .35;
  stroke-width: 2.5 }}
§ .trees {{ fill: url(#sy-trees) }}
§ .line {{ fill: none; stroke-linejoin: round }}
§ .street {{ stroke: var(--k-paper); stroke-width: 13; stroke-linecap: round }}
§ .taxi {{ stroke: {HUES[TAXI]}; stroke-width: 4.5 }}
§ .bus {{ {stroke(HUES[BUS])}; stroke-width: 9 }}
§ .lane {{ stroke: var(--k-paper); stroke-width: 2.4 }}
§ .underground {{ {stroke(HUES[UNDERGROUND])}; stroke-width: 10; stroke-dasharray: 30 7 }}
§ .ferry {{ {stroke(FERRY_HUE, 55)}; stroke-width: 7; stroke-dasharray: .1 13;
  stroke-linecap: round }}
§ .frame {{ fill: none; stroke: var(--k-ink); stroke-opacity: .35; stroke-width: 3 }}
§ .thing {{ outline: none; cursor: default }}
§ .light {{ fill: none; stroke: none }}
§ .can .light {{ fill: {GLOW}; stroke: var(--k-ink); stroke-width: 4 }}
§ .can {{ cursor: pointer }}
§ .can:hover .light {{ stroke: var(--k-accent); stroke-width: 9 }}
§ .picked .light {{ fill: var(--k-accent); stroke: var(--k-ink); stroke-width: 5 }}
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
§ .mark {{ fill: {PLATE} }}
§ .mover {{ fill: none; stroke: var(--k-ink); stroke-width: 4; stroke-dasharray: 8 6 }}
§ .last circle {{ fill: none; stroke: {HEAT}; stroke-width: 6; stroke-dasharray: 5 6.5 }}
§ .tag {{ fill: {HEAT} }}
§ .last text {{ font: 700 19px {SANS}; fill: #fff }}
§ .slot {{ fill: var(--k-ink); fill-opacity: .06 }}
§ .shows {{ fill-opacity: .05; stroke: var(--k-accent); stroke-width: 3; stroke-opacity: .75 }}
§ .next {{ fill: none; stroke: var(--k-ink); stroke-width: 4; stroke-dasharray: 8 6 }}
§ .small {{ font-size: 19px; fill-opacity: .7 }}
§ .shown {{ font-size: 27px; font-weight: 700 }}
§ .heading {{ font-family: {SERIF}; font-size: 31px }}
§ .count {{ font-size: 27px; font-weight: 600 }}
§ .none {{ opacity: .32 }}
§ .pill {{ fill: none; stroke: var(--k-accent); stroke-width: 5 }}
§ .cell {{ fill: var(--k-ink); fill-opacity: .055 }}
§ .dark .cell {{ fill-opacity: .1 }}
§ .edge {{ font-size: 26px; fill-opacity: .65 }}
"""


def svg(s: np.record) -> str:
    """The position as one document."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{name(s)}" role="img" '
        f'viewBox="{viewbox(s)}"><title>{title(s)}</title>{backdrop(s)}{layer(s)}</svg>'
    )


def name(s: np.record) -> str:
    """The game's name, which is the class of its drawing."""
    return "scotland-yard-grid" if s.side else "scotland-yard"


def viewbox(s: np.record) -> str:
    """The part of the plane that the drawing fills."""
    width, height = size(s)
    return f"{-MARGIN} {-LOG} {width + 2 * MARGIN} {height + LOG + PIECES}"


def size(s: np.record) -> Point:
    return GRID_SIZE if s.side else LONDON_SIZE


def title(s: np.record) -> str:
    """The position in a sentence."""
    if s.phase == DONE:
        return f"Scotland Yard: {outcome(s)}"
    now = "Mr X hides" if s.phase == START else f"{piece_name(s, s.piece)} to move"
    seen = last_seen(s)
    where = f"; Mr X was last seen on {station_name(s, seen[1])}" if seen else ""
    return f"Scotland Yard: {now}, {s.moves} of {s.slots} moves made{where}"


def backdrop(s: np.record) -> str:
    """What never changes during a game: the city or the cells, the signs, and empty log slots."""
    return board(s).still


def layer(s: np.record) -> str:
    """What changes: pieces, where Mr X can be, his log, and tickets."""
    return f'<g class="layer">{heat(s)}{last(s)}{pieces(s)}{log(s)}{panels(s)}</g>'


# --- the board ---


@dataclass(frozen=True)
class Board:
    """What stays the same for a whole game: where things are, and their drawing."""

    place: tuple[Point, ...]  # by station
    unit: float  # how large pieces are drawn; 1 in London
    still: str


def board(s: np.record) -> Board:
    shape = int(s.side), int(s.slots), s.reveal[: s.slots].tobytes()
    return _board(*shape, s.degree.tobytes(), s.to.tobytes(), s.kind.tobytes())


@functools.lru_cache(maxsize=16)
def _board(side: int, slots: int, reveal: bytes, degree: bytes, to: bytes, kind: bytes) -> Board:
    style = STYLE.replace("§", f".{'scotland-yard-grid' if side else 'scotland-yard'}")
    style = f"<style>{tokens('.scotland-yard-grid' if side else '.scotland-yard')}{style}</style>"
    size = GRID_SIZE if side else LONDON_SIZE
    width, height = size[0] + 2 * MARGIN, size[1] + LOG + PIECES
    sheet = (
        f'<rect class="paper" x="{-MARGIN}" y="{-LOG}" width="{width}" height="{height}" rx="8"/>'
    )
    empty = "".join(slot(size[0], slots, n, bool(reveal[n])) for n in range(slots))
    if side:
        place, unit, things = cells(side)
        defs, ground = "", ""
    else:
        place, unit = station_places(), 1.0
        lines = list(lines_of(degree, to, kind))
        defs, ground, things = city(lines), land(lines), "".join(signs(lines))
    return Board(
        place,
        unit,
        f'<g class="backdrop">{style}<defs>{figures()}{cards()}{defs}</defs>'
        f"{sheet}{ground}{things}{empty}</g>",
    )


def lines_of(degree: bytes, to: bytes, kind: bytes) -> Iterator[tuple[int, int, int]]:
    """Each line of the map once: two stations and what runs between them."""
    ends = np.frombuffer(to, np.int16).reshape(len(degree), -1)
    kinds = np.frombuffer(kind, np.int8).reshape(len(degree), -1)
    for a, n in enumerate(np.frombuffer(degree, np.int8)):
        for b, k in zip(ends[a, :n].tolist(), kinds[a, :n].tolist(), strict=True):
            if a < b:
                yield a, b, k


# --- London ---


@functools.cache
def station_places() -> tuple[Point, ...]:
    """Where stations are in the drawing; there is no station 0."""
    at = ((round(SCALE * x), round(SCALE * y)) for x, y in LONDON["coordinates"])
    return ((0, 0), *at)


def city(lines: list[tuple[int, int, int]]) -> str:
    """What the map of London is put together from."""
    dots = "".join(f"M{x} {y}h0" for x, y in station_places()[1:])
    width, height = LONDON_SIZE
    board = f'width="{width}" height="{height}"'
    roads = "".join(
        f'<path id="sy-{KINDS[k]}" d="{"".join(road(a, b, j) for a, b, j in lines if j == k)}"/>'
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


def land(lines: list[tuple[int, int, int]]) -> str:
    """Blocks, parks, the river, and the lines on top of them."""
    width, height = LONDON_SIZE
    ferries = (f"{a}-{b}" for a, b, k in lines if k == FERRY)
    ferry = "".join(f'<path class="line ferry" d="{sailing(pair)}"/>' for pair in ferries)
    parks = "".join(ART["parks"])
    stream = smooth(ART["ferry"]["157-194"][::-1])
    return (
        f'<g clip-path="url(#sy-frame)"><path class="blocks" d="{ART["blocks"]}"/>'
        f'<path class="park" d="{parks}"/><path class="trees" d="{parks}"/>'
        f'<path class="river" d="{ART["river"]}"/></g>'
        f'<rect class="frame" width="{width}" height="{height}" rx="10"/>'
        f'<path id="sy-stream" d="{stream}" fill="none"/><text class="name" dy="31">'
        f'<textPath href="#sy-stream" startOffset="36%">Thames</textPath></text>'
        f"{ferry}"
        f'<use class="line street" href="#sy-taxi"/>'
        f'<use class="line underground" href="#sy-underground"/>'
        f'<use class="line bus" href="#sy-bus"/><use class="line lane" href="#sy-bus"/>'
        f'<use class="line taxi" href="#sy-taxi"/>'
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


def signs(lines: list[tuple[int, int, int]]) -> Iterator[str]:
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


# --- where Mr X can be ---


def heat(s: np.record) -> str:
    """Warm halos where Mr X can be, the warmer the fewer; light for who sees him anyway."""
    stations = np.flatnonzero(s.possible[: s.stations]).tolist()
    if not stations or s.phase == DONE:
        return ""
    warmth = max(0.4, 1.05 - 0.13 * math.log(len(stations)))
    known = " known" if s.station[FUGITIVE] != UNKNOWN else ""
    words = f"<title>Mr X can be on {count(len(stations), 'station')}</title>"
    at = board(s).place
    dots = "".join(f"M{at[n][0]} {at[n][1]}h0" for n in stations)
    unit = board(s).unit
    halos = "".join(
        f'<use href="#sy-heat" stroke-width="{wide * unit:.0f}" stroke-opacity="{opacity}"/>'
        for wide, opacity in HALOS
    )
    around = "" if s.side else ' mask="url(#sy-around)"'
    return (
        f'<g class="heat{known}" opacity="{warmth:.2f}"{around}>{words}'
        f'<defs><path id="sy-heat" d="{dots}"/></defs>{halos}</g>'
    )


def last_seen(s: np.record) -> tuple[int, int] | None:
    """After which of his moves Mr X was last seen, and where."""
    shown = np.flatnonzero(s.seen[: s.moves] != UNKNOWN)
    return (int(shown[-1]) + 1, int(s.seen[shown[-1]])) if len(shown) else None


def last(s: np.record) -> str:
    """A ring around the station where Mr X was last seen, with the number of that move."""
    seen = last_seen(s)
    if seen is None:
        return ""
    move, station = seen
    b = board(s)
    x, y = b.place[station]
    words = f"Mr X was on {station_name(s, station)} after move {move}"
    ring, tag = (68, (50, 56)) if s.side else (RING + 15, (42, 34))
    return (
        f'<g class="last" transform="translate({x} {y}) scale({b.unit:.3g})">'
        f'<title>{words}</title><circle r="{ring}"/>'
        f'<rect class="tag" x="{tag[0] - 17}" y="{tag[1] - 13}" width="34" height="26" rx="7"/>'
        f'<text x="{tag[0]}" y="{tag[1] + 7}">{move}</text></g>'
    )


# --- pieces ---


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


def pieces(s: np.record) -> str:
    """The pieces that the viewer sees, those in front last."""
    b = board(s)
    seen = [p for p in range(s.pieces) if s.station[p] != UNKNOWN]
    seen.sort(key=lambda p: (b.place[s.station[p]][1], -p))
    return f'<g class="pieces">{"".join(piece(s, p, *b.place[s.station[p]]) for p in seen)}</g>'


def piece(s: np.record, p: int, x: int, y: int) -> str:
    """A piece where it stands: behind the sign of a station, or in the middle of a cell."""
    words = f"{piece_name(s, p)} on {station_name(s, s.station[p])}"
    to_move = p == s.piece and s.phase in (MR_X, DETECTIVES)
    low, scale, ring = (78, 1.5, 58) if s.side else (4, 1.15, RING + 9)
    mover = f'<circle class="mover" r="{ring}"/>' if to_move else ""
    stand = "" if s.side else f'<use href="#sy-stand" color="{PLAYERS[owner(s, p)].colour}"/>'
    return (
        f'<g transform="translate({x} {y}) scale({board(s).unit:.3g})"><title>{words}</title>'
        f"{mover}{stand}{figure(s, p, 0, low, scale)}</g>"
    )


def figure(s: np.record, p: int, x: int, y: int, scale: float) -> str:
    """The figure of a piece, with the shape of whose it is."""
    player = PLAYERS[owner(s, p)]
    kind = "mrx" if p == FUGITIVE else "pawn" if p < s.players else "bobby"
    shape = (
        f'<path class="mark" transform="translate(0 -33) scale(9)" d="{OUTLINES[player.shape]}"/>'
    )
    return (
        f'<g transform="translate({x} {y}) scale({scale:g})" color="{player.colour}">'
        f'<use href="#sy-{kind}"/>{"" if p == FUGITIVE else shape}</g>'
    )


def owner(s: np.record, piece: int) -> int:
    """The seat that moves a piece: bobbies are moved by the last detective."""
    return min(int(piece), int(s.players) - 1)


def piece_name(s: np.record, piece: int) -> str:
    """A piece in words."""
    if piece == FUGITIVE:
        return "Mr X"
    if piece < s.players:
        return PLAYERS[piece].name
    return "the bobby" if s.pieces == s.players + 1 else f"bobby {piece - s.players + 1}"


# --- tickets and the log ---


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
        f'height="{SLOT[1]}" rx="8"/><text class="small" x="{x + SLOT[0] / 2:g}" y="{y + 22}">'
        f"{n + 1}</text>{eye}"
    )


def log(s: np.record) -> str:
    """Mr X's travel log: the tickets he used, and where he showed himself."""
    width = size(s)[0]
    drawn = []
    for n in range(s.moves):
        x, y = slot_place(width, int(s.slots), n)
        middle, kind, shown = x + SLOT[0] // 2, int(s.log[n]), int(s.seen[n])
        station = "" if shown == UNKNOWN else station_name(s, shown)
        words = f"move {n + 1}: {move_words(s, kind)}{f', seen on {station}' if station else ''}"
        at = f"translate({middle} {y + 50}) scale(1.25)"
        card = "" if s.side else f'<use href="#sy-card{kind}" transform="{at}"/>'
        blank = f'<rect class="paper" x="{middle - 20}" y="{y + 72}" width="40" height="32"/>'
        text = f'{blank}<text class="shown" x="{middle}" y="{y + 97}">{station}</text>'
        dot = f'<circle cx="{middle}" cy="{y + 48}" r="9" class="tally"/>' if s.side else ""
        drawn.append(f"<g><title>{words}</title>{card}{dot}{text if station else ''}</g>")
    if s.phase == MR_X and s.moves < s.slots:
        x, y = slot_place(width, int(s.slots), int(s.moves))
        wide = min(SLOT[0], width / s.slots - 4)
        drawn.append(
            f'<rect class="next" x="{x + (SLOT[0] - wide) / 2:g}" y="{y}" width="{wide:g}" '
            f'height="{SLOT[1]}" rx="8"/>'
        )
    return f'<g class="log">{"".join(drawn)}</g>'


def move_words(s: np.record, kind: int) -> str:
    if s.side:
        return "a step"
    return "a black ticket" if kind == BLACK else KINDS[kind]


def panels(s: np.record) -> str:
    """Below the board each piece with its tickets; a frame around the one to move."""
    width, height = size(s)
    step = width / s.pieces
    return "".join(panel(s, p, round(p * step), height, round(step)) for p in range(s.pieces))


def panel(s: np.record, p: int, x: int, height: int, width: int) -> str:
    """A piece and its tickets."""
    frame = (
        f'<rect class="pill" x="4" y="-50" width="{width - 8}" height="100" rx="14"/>'
        if p == s.piece and s.phase in (MR_X, DETECTIVES)
        else ""
    )
    held = [] if s.side or p >= s.players else tickets(s, p)
    room = len(held) * 50 + 62
    left = max(34, round((width - room) / 2 + 30))
    drawn = []
    for n, (kind, many) in enumerate(held):
        at = left + 54 + 50 * n
        drawn.append(
            f"<g{'' if many else ' class=' + chr(34) + 'none' + chr(34)}>"
            f'<use href="#sy-card{kind}" x="{at}" y="-18"/>'
            f'<text class="count" x="{at}" y="32">{number(many)}</text></g>'
        )
    if not held:
        where = station_name(s, s.station[p]) if s.station[p] != UNKNOWN else "?"
        drawn.append(f'<text class="count" x="{left + 52}" y="10">{where}</text>')
    return (
        f'<g class="panel" transform="translate({x} {height + 66})">'
        f"<title>{piece_in_words(s, p)}</title>{frame}"
        f"{figure(s, p, left, 66, 1.25)}{''.join(drawn)}</g>"
    )


def tickets(s: np.record, piece: int) -> list[tuple[int, int]]:
    """The tickets of a piece by kind; double moves come as a fifth kind."""
    held = list(enumerate(s.tickets[piece].tolist()))
    return [*held, (len(KINDS), int(s.doubles))] if piece == FUGITIVE else held[:BLACK]


def number(many: int) -> str:
    return "∞" if many == UNLIMITED else str(many)


def count(n: int, word: str) -> str:
    return f"{n} {word}{'' if n == 1 else 's'}"


def piece_in_words(s: np.record, p: int) -> str:
    """A piece, where it is, and its tickets."""
    where = "hidden" if s.station[p] == UNKNOWN else f"on {station_name(s, s.station[p])}"
    held = "" if s.side or p >= s.players else tickets_in_words(s, p)
    return f"{piece_name(s, p)} {where}{f': {held}' if held else ''}"


def tickets_in_words(s: np.record, p: int) -> str:
    names = (*KINDS, "double")
    return ", ".join(f"{number(many)} {names[kind]}" for kind, many in tickets(s, p))


# --- clicks ---


def thing(s: np.record, station: int) -> str:
    """The id of a station or cell in the drawing."""
    return f"{'g' if s.side else 's'}{station}"


def clicks(s: np.record, action: int) -> list[Click]:
    """The station, and the ticket where there is a choice; or a button."""
    if action in (DOUBLE, PASS):
        return ["!double" if action == DOUBLE else "!pass"]
    station = station_of(action)
    path: list[Click] = [thing(s, station)]
    return [*path, f"!{KINDS[kind_of(action)]}"] if len(ways(s, station)) > 1 else path


def ways(s: np.record, station: int) -> list[int]:
    """The tickets with which the piece to move can go to a station next to it."""
    held = s.tickets[s.piece].tolist()
    by = lines_between(s, station)
    kinds = [k for k in (TAXI, BUS, UNDERGROUND) if k in by and held[k] != 0]
    return [*kinds, BLACK] if by and held[BLACK] != 0 else kinds


def lines_between(s: np.record, station: int) -> set[int]:
    """What runs between the piece to move and a station."""
    at = s.station[s.piece]
    n = int(s.degree[at]) if at != UNKNOWN else 0
    return set(s.kind[at, :n][s.to[at, :n] == station].tolist())


def why_not(s: np.record, path: Sequence[Click]) -> str:
    """Why the last of these clicks is refused to whose turn it is."""
    first, *rest = path
    if first in ("!double", "!pass"):
        return actions.why_not(s, DOUBLE if first == "!double" else PASS)
    station, place = station_clicked(s, first), "cell" if s.side else "station"
    if station is None:
        return f"choose a {place} next to {station_name(s, s.station[s.piece])}"
    if station == s.station[s.piece]:
        return f"{piece_name(s, s.piece)} stands there; choose a {place} next to it"
    if not rest or len(ways(s, station)) < 2 or not free(s, station):
        return why_not_to(s, station)
    kinds = [k for k, word in enumerate(KINDS) if rest == [f"!{word}"]]
    if not kinds:
        return f"{station_name(s, station)} is chosen: choose a ticket, or take that back first"
    return actions.why_not(s, move_code(kinds[0], station))


def why_not_to(s: np.record, station: int) -> str:
    """Why the piece to move cannot go to a station."""
    by = sorted(lines_between(s, station))
    if FERRY in by and len(by) == 1:
        pair = f"{station_name(s, s.station[s.piece])} and {station_name(s, station)}"
        lacks = "only Mr X has" if s.piece != FUGITIVE else "you have none left"
        return f"{pair} are linked by ferry only: that takes a black ticket, which {lacks}"
    if ways(s, station) and free(s, station):
        return f"{station_name(s, station)} is enough: there is nothing more to choose"
    if len(by) > 1 and free(s, station):
        names = listed([KINDS[k] for k in by if k != FERRY], "or")
        return f"there is no {names} ticket left"
    return actions.why_not(s, move_code(by[0] if by else TAXI, station))


def free(s: np.record, station: int) -> bool:
    return station not in s.station[1 : s.pieces].tolist()


def station_clicked(s: np.record, click: Click) -> int | None:
    """The station that was clicked, if it was one."""
    letter = "g" if s.side else "s"
    match = re.fullmatch(rf"{letter}([0-9]{{1,3}})", click) if isinstance(click, str) else None
    known = match is not None and int(match[1]) < s.stations and s.degree[int(match[1])] > 0
    return int(match[1]) if match and known else None


# --- words ---


def status(s: np.record, viewer: int, names: Sequence[str | None] = ()) -> str:
    """What is going on and what is expected, in a sentence."""
    if s.phase == DONE:
        how = f"{outcome(s)}."
        won = (viewer == FUGITIVE) == (s.won == MR_X_WON)
        return how if viewer == PUBLIC else f"{how} You have {'won' if won else 'lost'}."
    if s.phase == START:
        return "Mr X hides."
    if viewer == s.seat:
        return f"Your turn: {expected(s)}."
    who = person(int(s.seat), names)
    if s.phase == MR_X:
        return f"{who} moves {'and will be seen' if shows(s) else 'in secret'}."
    bobby = f", with {piece_name(s, s.piece)}" if s.piece >= s.players else ""
    return f"{who} is to move{bobby}."


def person(seat: int, names: Sequence[str | None] = ()) -> str:
    """A player as others speak of him."""
    if seat != FUGITIVE:
        return called(seat, names)
    real = names[0] if names else None
    return f"Mr X ({real})" if real and real.casefold() != "mr x" else "Mr X"


def shows(s: np.record) -> bool:
    """Whether Mr X shows himself after his next move."""
    return bool(s.moves < s.slots and s.reveal[s.moves])


def expected(s: np.record) -> str:
    """What whose turn it is may choose from."""
    place = "cell" if s.side else "station"
    here = station_name(s, s.station[s.piece])
    if stuck(s):
        stays = s.phase == MR_X and s.half == NO_DOUBLE
        return f"there is nowhere to go from {here}, so {'stay' if stays else 'pass'}"
    if s.phase == DETECTIVES:
        can = count(int(s.possible[: s.stations].sum()), place)
        return f"choose where {piece_name(s, s.piece)} goes from {here}; Mr X can be on {can}"
    which = {FIRST_HALF: " for the first of two moves", SECOND_HALF: " for the second move"}
    double = s.half == NO_DOUBLE and s.doubles > 0 and s.moves + 2 <= s.slots
    offer = ", or make a double move" if double else ""
    seen = "; you will be seen there" if shows(s) else ""
    return f"choose a {place} next to {here}{which.get(int(s.half), '')}{offer}{seen}"


def stuck(s: np.record) -> bool:
    """Whether the piece to move has nowhere to go."""
    at = s.station[s.piece]
    near = set(s.to[at, : s.degree[at]].tolist())
    return not any(ways(s, n) and free(s, n) for n in near)


def outcome(s: np.record) -> str:
    """How the game ended."""
    if s.won == MR_X_WON:
        return f"Mr X has escaped after {count(int(s.moves), 'move')}"
    at = s.station[FUGITIVE]
    caught = at != UNKNOWN and not free(s, int(at))
    how = f"caught on {station_name(s, at)}" if caught else "surrounded"
    return f"Mr X is {how} after {count(int(s.moves), 'move')}"


def players(s: np.record) -> list[list[tuple[str, str]]]:
    """By seat what everybody knows."""
    return [mr_x_facts(s), *(detective_facts(s, p) for p in range(1, s.players))]


def mr_x_facts(s: np.record) -> list[tuple[str, str]]:
    seen = last_seen(s)
    where = f"{station_name(s, seen[1])} after move {seen[0]}" if seen else "not yet"
    can = count(int(s.possible[: s.stations].sum()), "cell" if s.side else "station")
    facts = [("moves", f"{s.moves} of {s.slots}"), ("last seen", where), ("can be on", can)]
    return facts if s.side else [*facts, *held(s, FUGITIVE)]


def detective_facts(s: np.record, p: int) -> list[tuple[str, str]]:
    at = s.station[p]
    facts = [("cell" if s.side else "station", "–" if at == UNKNOWN else station_name(s, at))]
    if p == s.players - 1:
        bobbies = range(int(s.players), int(s.pieces))
        facts += [
            (piece_name(s, q).removeprefix("the "), station_name(s, s.station[q])) for q in bobbies
        ]
    return facts if s.side else [*facts, *held(s, p)]


def held(s: np.record, p: int) -> list[tuple[str, str]]:
    names = (*KINDS, "double moves")
    return [(names[kind], number(many)) for kind, many in tickets(s, p)]


# --- what a page may animate ---


def effects(before: np.record, code: int, after: np.record) -> list[Effect]:
    """A piece that moves, what is told of a hidden one, and how Mr X comes to light."""
    if before.phase == START or code == HIDDEN_START:
        return [] if code == HIDDEN_START else [{"kind": "pulse", "at": thing(before, code)}]
    if code == DOUBLE:
        return [{"kind": "say", "words": "Mr X makes a double move"}]
    if code == PASS:
        words = f"{piece_name(before, before.piece).capitalize()} has nowhere to go"
        return [{"kind": "say", "words": words}]
    if code >= HIDDEN_MOVE:
        return [{"kind": "say", "words": f"Mr X: {move_words(before, code - HIDDEN_MOVE)}"}]
    return [*moved(before, code), *told(before, code, after)]


def moved(s: np.record, code: int) -> list[Effect]:
    """A piece goes from one station to another, or is seen where it is now."""
    here, there = s.station[s.piece], thing(s, station_of(code))
    if here == UNKNOWN:
        return [{"kind": "pulse", "at": there}]
    return [{"kind": "move", "from": thing(s, int(here)), "to": there}]


def told(s: np.record, code: int, after: np.record) -> list[Effect]:
    """That Mr X is seen, caught or gone."""
    said = []
    if s.phase == MR_X and shows(s):
        said.append(f"Mr X is seen on {station_name(s, station_of(code))}")
    if after.phase == DONE:
        said.append(outcome(after))
    return [{"kind": "say", "words": words} for words in said]


# --- for a terminal ---


def picture(s: np.record) -> str:
    """The grid in letters; of London the pieces, their tickets, and what is known of Mr X."""
    return "\n".join([*(grid_rows(s) if s.side else london_rows(s)), title(s)])


def grid_rows(s: np.record) -> Iterator[str]:
    """1, 2, …: detectives; S: Mr X, seen; X: hidden; −: last seen; ?: he can be there."""
    side = int(s.side)
    yield "   " + " ".join(chr(ord("a") + k) for k in range(side))
    for row in range(side):
        cells = " ".join(letter(s, row * side + k) for k in range(side))
        yield f"{row + 1:2} {cells}"


def letter(s: np.record, cell: int) -> str:
    """What is on a cell."""
    for piece in range(1, s.pieces):
        if s.station[piece] == cell:
            return str(piece)
    seen = last_seen(s)
    if s.station[FUGITIVE] == cell:
        return "S" if seen == (s.moves, cell) else "X"
    if seen and seen[1] == cell:
        return "−"
    return "?" if s.possible[cell] else "·"


def london_rows(s: np.record) -> Iterator[str]:
    """Pieces and tickets, the log, and where Mr X can be."""
    for p in range(s.pieces):
        where = "?" if s.station[p] == UNKNOWN else str(s.station[p])
        own = tickets_in_words(s, p) if p < s.players else ""
        yield f"{piece_name(s, p):8} {where:>3}  {own}".rstrip()
    used = (log_entry(s, n) for n in range(s.moves))
    yield from wrapped("log", used)
    yield from wrapped("can be on", map(str, np.flatnonzero(s.possible[: s.stations])))


def log_entry(s: np.record, n: int) -> str:
    seen = "" if s.seen[n] == UNKNOWN else f" @{s.seen[n]}"
    return f"{n + 1} {KINDS[s.log[n]]}{seen},"


def wrapped(label: str, words: Iterator[str], width: int = 80) -> Iterator[str]:
    """A label with words in lines of a terminal's width."""
    line, fresh = f"{label}:", True
    for word in words:
        if len(line) + 1 + len(word) > width and not fresh:
            yield line
            line = " " * len(label) + " "
        line, fresh = f"{line} {word}", False
    yield line.rstrip(",")
