"""How a Risk map looks: the style, the sea and the land, army pieces and cards."""

import functools
import math
from collections.abc import Iterator, Sequence
from html import escape

from kostka.core.palette import OUTLINES, PLAYERS, SANS, SERIF, tokens
from kostka.games.risk.shapes import Board, Map, Point, between, board, text
from kostka.games.risk.state import (
    ARTILLERY,
    CAVALRY,
    INFANTRY,
    MAX_PLAYERS,
    SYMBOLS,
    WILD,
)

#: The water is lighter off the coast, as on an old map; the land looks so thick.
WATER = "#5f8a9b"
SHOALS = ((30, 0.1), (19, 0.14), (9, 0.2))
THICKNESS = 5

#: The light rim of what can be clicked: lighter than any land, by day and by night.
GLOW = "#fffbef"

#: The neutral army and its shape; it is nobody's colour.
NEUTRAL_COLOUR, NEUTRAL_SHAPE = "#8a8378", "M-.8 -.3H.8V.3H-.8Z"

#: What a piece stands for and how far it is from the next one, and how wide a row may be; more than
#: so many pieces are not drawn.
WORTH = {ARTILLERY: 10, CAVALRY: 5, INFANTRY: 1}
STEP = {ARTILLERY: 18, CAVALRY: 13, INFANTRY: 9.5}
ROW, MOST_PIECES = 54, 6
#: From here on all armies look alike: only their number tells how many they are.
CROWD = 10 * MOST_PIECES

#: A soldier, a horse's head, a cannon; each stands on the origin and is 20 high.
PIECES = {
    INFANTRY: (
        "M-4.6 0C-4.6 -5.5 -2.9 -8.6 -1.7 -10.4A4.1 4.1 0 1 1 1.7 -10.4C2.9 -8.6 4.6 -5.5 4.6 0Z"
    ),
    CAVALRY: (
        "M-6.4 0C-6 -5 -4.6 -7 -2.2 -8.8L-5.4 -6.6L-7.8 -8.8L-5.6 -13.6C-4.6 -16 -2.8 -17.4 -.9 "
        "-17.8L.1 -20L2 -17.2C5.8 -15.2 7 -10 6.2 0Z"
    ),
    ARTILLERY: (
        "M-9.4 -17.2L6.6 -11.2L5 -6.4A5.4 5.4 0 1 1 -4.9 -5.9L-11.4 -11.8Z"
        "M-2 -4.6a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0ZM6.4 -7.2L12.2 -1.2L10.8 0H5.4Z"
    ),
}

STYLE = f"""<style>
{tokens(".risk")}
.risk {{ font-family: {SANS}; font-variant-numeric: tabular-nums }}
.risk .paper {{ fill: var(--k-paper) }}
.risk .water {{ fill: {WATER}; fill-opacity: .2 }}
.risk .shoal {{ fill: none; stroke: {WATER}; stroke-linejoin: round }}
.risk .thick {{ fill: #16140f; fill-opacity: .34 }}
.risk .route {{ fill: none; stroke: var(--k-ink); stroke-opacity: .7; stroke-width: 3.4;
  stroke-dasharray: .1 7.5; stroke-linecap: round }}
.risk .land {{ fill-opacity: .5; stroke: var(--k-paper); stroke-width: 3; stroke-linejoin: round }}
.risk .nobody {{ fill: var(--k-paper); fill-opacity: .5 }}
.risk .turn {{ fill-opacity: .68 }}
.risk .thing {{ outline: none }}
.risk .can {{ cursor: pointer }}
.risk .land.can {{ fill-opacity: .86; stroke: {GLOW}; stroke-width: 7 }}
.risk .land.can:hover {{ fill-opacity: 1 }}
.risk .land.picked {{ fill-opacity: 1; stroke: var(--k-accent); stroke-width: 9 }}
.risk .land:focus-visible {{ stroke: var(--k-ink); stroke-width: 9; stroke-dasharray: 12 7 }}
@media (prefers-reduced-motion: no-preference) {{
  .risk .thing {{ transition: fill-opacity .16s ease-out, stroke .16s ease-out }} }}
.risk .texture {{ opacity: .26 }}
.rk-print {{ fill: var(--k-paper) }}
.risk .texture, .risk .over, .risk .label, .risk .last {{ pointer-events: none }}
.risk text, .rk-name {{ fill: var(--k-ink); text-anchor: middle }}
.rk-border {{ fill: none; stroke: var(--k-ink); stroke-width: 1; stroke-opacity: .5 }}
.rk-realm {{ fill: none; stroke: var(--k-ink); stroke-width: 2.6; stroke-opacity: .75;
  stroke-linejoin: round }}
.rk-name {{ font: italic 11px {SERIF}; paint-order: stroke; stroke: var(--k-paper);
  stroke-opacity: .55; stroke-width: 2.6; stroke-linejoin: round }}
.risk .continent {{ font-family: {SERIF}; font-weight: 600; letter-spacing: .03em;
  paint-order: stroke; stroke: var(--k-paper); stroke-width: 4; stroke-opacity: .7;
  stroke-linejoin: round }}
.risk .chip {{ fill: var(--k-paper); stroke: var(--k-ink); stroke-opacity: .6; stroke-width: 1.6 }}
.risk .bonus {{ font-size: 21px; font-weight: 700 }}
.risk .count {{ font-size: 31px; font-weight: 700; paint-order: stroke; stroke: var(--k-paper);
  stroke-width: 5; stroke-opacity: .75; stroke-linejoin: round; text-anchor: start }}
.rk-disc {{ fill: var(--k-paper); fill-opacity: .8 }}
.rk-mark {{ fill: currentColor; stroke: var(--k-ink); stroke-width: .12;
  stroke-linejoin: round }}
.rk-piece {{ fill: currentColor; stroke: #16140f; stroke-width: 1.4; stroke-linejoin: round;
  stroke-opacity: .85 }}
.risk .case, .risk .shaft, .risk .focus {{ fill: none; stroke-linecap: round;
  stroke-linejoin: round }}
.risk .focus {{ stroke: var(--k-accent); stroke-width: 5 }}
.risk .case {{ stroke: var(--k-paper); stroke-width: 14 }}
.risk .shaft {{ stroke: var(--k-accent); stroke-width: 7.5 }}
.risk .rolling .shaft {{ stroke-dasharray: 1 12 }}
.risk .moved .shaft, .risk .moved .focus {{ stroke: var(--k-ink) }}
.risk .layer:has(.land.picked) .last {{ opacity: .25 }}
.risk .tally {{ font-size: 34px; font-weight: 700; text-anchor: start }}
.risk .few {{ font-size: 26px; font-weight: 600; text-anchor: start }}
.risk .out {{ opacity: .35 }}
.risk .pill {{ fill: none; stroke: var(--k-accent); stroke-width: 4 }}
.risk .back {{ fill: {WATER}; stroke: var(--k-paper); stroke-width: 2 }}
.risk .sheet {{ fill: #f8f1e0; stroke: #25221d; stroke-opacity: .55; stroke-width: 2 }}
.risk .card text {{ fill: #25221d }}
.risk .card.can .sheet {{ stroke: var(--k-accent); stroke-opacity: 1; stroke-width: 4 }}
.risk .card.picked .sheet {{ fill: #f3d9b8; stroke: var(--k-accent); stroke-opacity: 1;
  stroke-width: 8 }}
.risk .card:focus-visible .sheet {{ stroke: #25221d; stroke-width: 8; stroke-dasharray: 12 7 }}
.risk .words {{ font-size: 25px; text-anchor: start }}
.risk .quiet {{ font-size: 21px; text-anchor: start; fill-opacity: .75 }}
</style>"""


# --- what never changes ---


def backdrop(m: Map, names: Sequence[str], strip: int) -> str:
    """The sea with its routes, the coast, the shapes of land and pieces; below it room for more."""
    b = board(m)
    x, y, wide, high = b.box
    sheet = f'x="{x}" y="{y}" width="{wide}"'
    shapes = "".join(f'<path id="{b.key}-{t}" d="{d}"/>' for t, d in enumerate(b.outlines))
    coast = f'href="#{b.key}-coast"'
    shoals = "".join(
        f'<use class="shoal" {coast} stroke-width="{2 * far}" stroke-opacity="{opacity}"/>'
        for far, opacity in SHOALS
    )
    routes = "".join(f'<path class="route" d="{d}"/>' for d in ways(m, b))
    return (
        f'<g class="backdrop">{STYLE}<defs><path id="{b.key}-coast" d="{b.coast}"/>{shapes}'
        f'<g><g id="{b.key}-over">{over(b, names)}</g></g>{stacks()}{textures()}'
        f'<clipPath id="{b.key}-sea"><rect {sheet} height="{high}" rx="8"/></clipPath></defs>'
        f'<rect class="paper" {sheet} height="{high + strip}" rx="8"/>'
        f'<rect class="water" {sheet} height="{high}" rx="8"/>'
        f'<g clip-path="url(#{b.key}-sea)">{shoals}{routes}</g>'
        f'<use class="thick" {coast} y="{THICKNESS}"/><use class="paper" {coast}/></g>'
    )


def over(b: Board, names: Sequence[str]) -> str:
    """What lies on the colours of the owners: borders, and the names of territories."""
    borders = "".join(f'<use class="rk-border" href="#{b.key}-{t}"/>' for t in range(len(names)))
    realms = "".join(f'<path class="rk-realm" d="{d}"/>' for d in b.continents)
    return borders + realms + "".join(map(name, names, b.places))


def name(words: str, at: Point) -> str:
    """The name of a territory below its armies, in one line or two."""
    x, y = at
    rows = in_lines(words)
    spans = (
        f'<tspan x="{x:.0f}" y="{y + 33 + 11 * n:.0f}">{escape(row)}</tspan>'
        for n, row in enumerate(rows)
    )
    return f'<text class="rk-name">{"".join(spans)}</text>'


def in_lines(words: str, room: int = 10) -> list[str]:
    """Words in at most two lines, as even as can be."""
    parts = words.split()
    if len(words) <= room or len(parts) < 2:
        return [words]
    cut = min(range(1, len(parts)), key=lambda n: abs(len(" ".join(parts[:n])) - len(words) / 2))
    return [" ".join(parts[:cut]), " ".join(parts[cut:])]


def ways(m: Map, b: Board) -> Iterator[str]:
    """Routes over the sea, whose ends the land will cover; some leave the map on either side."""
    for i, j in b.routes:
        (ax, ay), (bx, by) = b.places[i], b.places[j]
        x, y = between(b.places[i], b.places[j])
        yield (
            f"M{ax:.0f} {ay:.0f}Q{x + (by - ay) * 0.1:.0f} {y - (bx - ax) * 0.1:.0f} "
            f"{bx:.0f} {by:.0f}"
        )
    left, _, wide, _ = b.box
    for i, j in sorted(m.around):
        west, east = sorted((b.places[i], b.places[j]))
        level = (west[1] + east[1]) / 2 - 24
        for (x, y), edge in ((west, left), (east, left + wide)):
            yield f"M{x:.0f} {y:.0f}Q{(x + edge) / 2:.0f} {level:.0f} {edge} {level:.0f}"


# --- armies ---


@functools.cache
def stacks() -> str:
    """The pieces of each kind, and the rows of them that stand for 1, 2, … armies."""
    kinds = "".join(
        f'<g id="risk-{SYMBOLS[kind]}" class="rk-piece"><path d="{d}"/></g>'
        for kind, d in PIECES.items()
    )
    rows = "".join(f'<g id="risk-{n}">{row(n)}</g>' for n in range(1, CROWD + 1))
    return f"{kinds}<g>{rows}</g>"


def row(n: int) -> str:
    """The pieces of so many armies, the largest first, around the origin."""
    kinds = pieces(n)
    tight = min(1, ROW / sum(STEP[kind] for kind in kinds))
    steps = [tight * STEP[kind] for kind in kinds]
    x = -sum(steps) / 2
    drawn = []
    for kind, step in zip(kinds, steps, strict=True):
        drawn.append(f'<use href="#risk-{SYMBOLS[kind]}" x="{x + step / 2:.3g}"/>')
        x += step
    return "".join(drawn)


def pieces(n: int) -> list[int]:
    """The kinds of pieces for so many armies, the largest first; of many only the first."""
    found = []
    for kind, worth in WORTH.items():
        found += [kind] * (n // worth)
        n %= worth
    return found[:MOST_PIECES]


def armies(n: int, owner: int, neutral: int, at: Point) -> str:
    """The armies on a territory: pieces, and below them the owner's shape and the number."""
    left = -(26 + 17 * len(str(n))) / 2
    return (
        f'<g class="label" transform="translate({at[0]:.0f} {at[1]:.0f})" '
        f'color="{colour(owner, neutral)}"><use href="#risk-{min(n, CROWD)}" y="-2"/>'
        f'<use href="#risk-mark{owner if owner != neutral else "n"}" x="{left + 11:g}" y="10"/>'
        f'<text class="count" x="{left + 26:g}" y="21">{n}</text></g>'
    )


def colour(owner: int, neutral: int) -> str:
    return NEUTRAL_COLOUR if owner == neutral else PLAYERS[owner].colour


def mark(shape: str, size: float) -> str:
    """A shape on the origin, in the colour of the text."""
    disc = f'<circle class="rk-disc" r="{1.35 * size:g}"/>'
    return f'{disc}<path class="rk-mark" transform="scale({size:g})" d="{shape}"/>'


def shapes() -> Iterator[tuple[str, str]]:
    """What owners are called in ids, and their shapes."""
    for n, player in enumerate(PLAYERS[:MAX_PLAYERS]):
        yield str(n), OUTLINES[player.shape]
    yield "n", NEUTRAL_SHAPE


@functools.cache
def textures() -> str:
    """Each owner's shape, and a pattern of it."""
    marks = "".join(f'<g id="risk-mark{n}">{mark(d, 10)}</g>' for n, d in shapes())
    return marks + "".join(
        f'<pattern id="risk-print{n}" width="28" height="28" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(-14)" class="rk-print">'
        f'<path d="{d}" transform="translate(7 7) scale(4.4)"/>'
        f'<path d="{d}" transform="translate(21 21) scale(4.4)"/></pattern>'
        for n, d in shapes()
    )


# --- cards ---


def card(thing: str, words: str, title: str, symbol: int, wide: float, owner: int) -> str:
    """A card as wide as its place allows; with the shape of whoever owns what it shows."""
    kinds = [INFANTRY, CAVALRY, ARTILLERY] if symbol == WILD else [symbol]
    first = -11 * (len(kinds) - 1)
    figures = "".join(
        f'<use class="symbol" href="#risk-{SYMBOLS[kind]}" x="{first + 22 * n}"/>'
        for n, kind in enumerate(kinds)
    )
    size = 1.6 if symbol == WILD else 2.4
    rows = in_lines(words)
    letters = min(19.0, wide / (0.58 * max(map(len, rows))))
    spans = "".join(
        f'<tspan x="0" y="{34 + 19 * n - 9.5 * (len(rows) - 1):g}">{escape(line)}</tspan>'
        for n, line in enumerate(rows)
    )
    owned = f'<use href="#risk-mark{owner}" x="{wide / 2 - 19:g}" y="-42"/>' if owner >= 0 else ""
    owned = f'<g color="{PLAYERS[owner].colour}">{owned}</g>' if owned else ""
    return (
        f'<g id="{thing}" class="thing card"><title>{escape(title)}</title>'
        f'<rect class="sheet" x="{-wide / 2 + 3:g}" y="-58" width="{wide - 6:g}" height="116" '
        f'rx="8"/><g color="#57503f" transform="translate(0 4)scale({size})">{figures}</g>'
        f'<text font-size="{letters:.1f}">{spans}</text>{owned}</g>'
    )


# --- continents, players, arrows ---

#: How wide the name of a continent may be, and how large its letters are at most.
NAME_ROOM, NAME_SIZE = 140, 21
#: How wide a letter is, in units of its size.
LETTER = 0.66


def continent(name: str, bonus: int, holder: int, neutral: int, at: Point) -> str:
    """The name of a continent and its bonus, on a chip with the shape of whoever holds it."""
    x, y = at
    size = min(NAME_SIZE, NAME_ROOM / (LETTER * len(name)))
    room = LETTER * size * len(name)
    words = f"{name}: {bonus} armies" + (
        f", held by {holder_name(holder, neutral)}" * (holder >= 0)
    )
    shape = ""
    if holder >= 0:
        n = "n" if holder == neutral else holder
        shape = f'<use href="#risk-mark{n}" color="{colour(holder, neutral)}" x="-17"/>'
    chip = 62 if shape else 38
    return (
        f'<g class="label" transform="translate({x:.0f} {y:.0f})"><title>{escape(words)}</title>'
        f'<text class="continent" font-size="{size:.1f}" x="{-chip / 2:g}" y="7">{escape(name)}'
        f'</text><g transform="translate({room / 2 + 4:.0f} 0)">'
        f'<rect class="chip" x="{-chip / 2:g}" '
        f'y="-15" width="{chip}" height="30" rx="15"/>{shape}'
        f'<text class="bonus" x="{11 if shape else 0}" y="7.5">+{bonus}</text></g></g>'
    )


def holder_name(holder: int, neutral: int) -> str:
    return "the neutral army" if holder == neutral else PLAYERS[holder].name


def player(
    p: int, neutral: int, words: str, land: int, cards: int, *, middle: float, turn: bool, out: bool
) -> str:
    """A player's shape, territories and cards; a frame around whose turn it is."""
    pill = '<rect class="pill" x="-86" y="-34" width="172" height="68" rx="34"/>' if turn else ""
    n = "n" if p == neutral else p
    back = '<rect class="back" x="34" y="-17" width="22" height="34" rx="4"/>'
    held = f'{back}<text class="few" x="60" y="9">{cards}</text>' if p != neutral else ""
    return (
        f'<g class="legend{" out" if out else ""}" transform="translate({middle:.0f} 42)" '
        f'color="{colour(p, neutral)}"><title>{words}</title>{pill}'
        f'<use href="#risk-mark{n}" transform="translate(-55 0)scale(1.7)"/>'
        f'<text class="tally" x="-27" y="12">{land}</text>{held}</g>'
    )


def arrow(a: Point, b: Point, stopped: bool) -> str:
    """An arrow from one place to another; of one that was stopped a line that ends in a cross."""
    far = max(1.0, math.dist(a, b))
    dx, dy = (b[0] - a[0]) / far, (b[1] - a[1]) / far
    away = min(34.0, far / 4)
    start, tip = (a[0] + away * dx, a[1] + away * dy), (b[0] - away * dx, b[1] - away * dy)
    if stopped:
        x, y = between(start, tip)
        d = f"M{text(start)}L{text((x, y))}M{x - 9:.1f} {y - 9:.1f}l18 18m0 -18l-18 18"
    else:
        back = tip[0] - 16 * dx, tip[1] - 16 * dy
        left, right = ((back[0] - k * 13 * dy, back[1] + k * 13 * dx) for k in (1, -1))
        d = f"M{text(start)}L{text(tip)}M{text(left)}L{text(tip)}L{text(right)}"
    return f'<path class="case" d="{d}"/><path class="shaft" d="{d}"/>'
