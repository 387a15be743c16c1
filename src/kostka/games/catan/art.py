"""The artwork of Catan: terrain, number discs, harbours with boats, wooden pieces, cards and dice.

Every piece is drawn around the origin in a square of 100, so that a theme can put its own in its
place; hexes and boats are used at twice that size. A hex is as large as 100 in the drawing.
"""

import functools
import math
import random
from collections.abc import Iterator, Sequence

from kostka.core.palette import OUTLINES, PLAYERS, SANS, SERIF, tokens
from kostka.games.catan.board import (
    ANYTHING,
    BRICK,
    CENTRES,
    DESERT,
    GRAIN,
    HARBOURS,
    HEX_NODE,
    ORE,
    POINTS,
    RESOURCES,
    WOOD,
    WOOL,
)
from kostka.games.catan.state import CARDS

Point = tuple[float, float]

#: What a step of the lattice is in the drawing: hexes have a radius of 100.
ACROSS, DOWN = 50 * math.sqrt(3), 50
#: The sea is a hexagon so far from corner to corner, its corners rounded.
SEA, ROUND = 552, 60
#: The left, top, width and height of the sea with the corners around it.
FIELD = (-560, -492, 1120, 984)

TERRAINS = (*RESOURCES, "desert")
#: The colour of the ground of each terrain, of its motifs' dark and light parts: in grey they
#: differ by their motifs.
GROUND = ("#7e9a58", "#c67f56", "#bdd07f", "#e6c664", "#a8a29b", "#e9dab0")
DARK = ("#3f6040", "#8a4529", "#7f9a48", "#a6781f", "#66625d", "#c3a668")
LIGHT = ("#5d8049", "#e3ab86", "#fbf6e8", "#f8e7a6", "#d8d4cd", "#7d9a5b")
WATER, SHOAL = "#5f93a8", "#cfe2e4"
INK, CREAM, WOODEN = "#25221d", "#fbf4e2", "#8a6238"


def hue(colour: str, share: int = 86) -> str:
    """A colour that is printed on the paper, and so is duller at night."""
    return f"color-mix(in srgb, {colour} {share}%, var(--k-paper))"


def _paint(name: str, colour: str, kind: str = "fill") -> str:
    return f"{name} {{ {kind}: {colour}; {kind}: {hue(colour)} }}"


#: What is drawn by ``<use>`` is styled by one class alone: a selector does not see around it.
STYLE = "\n".join(
    (
        tokens(".catan"),
        f".catan {{ font-family: {SANS}; font-variant-numeric: tabular-nums }}",
        *(_paint(f".ct{k}", colour) for k, colour in enumerate(GROUND)),
        *(_paint(f".ctd{k}", colour) for k, colour in enumerate(DARK)),
        *(_paint(f".ctl{k}", colour) for k, colour in enumerate(LIGHT)),
        *(_paint(f".cts{k}", colour, "stroke") for k, colour in enumerate(DARK)),
        ".cts { fill: none; stroke-linecap: round; stroke-linejoin: round; stroke-width: 1.4 }",
        _paint(".ctw", WATER),
        _paint(".ctf", CREAM, "stroke") + " .ctf { fill: none; stroke-opacity: .55 }",
        ".ctf { stroke-width: 2.4; stroke-linecap: round }",
        _paint(".cto", SHOAL, "stroke") + " .cto { fill: none; stroke-linejoin: round }",
        _paint(".ctb", "#ead9ac", "stroke") + " .ctb { fill: none; stroke-linejoin: round }",
        _paint(".ctc", CREAM),
        _paint(".cti", INK) + f" .ctk {{ stroke: {INK}; stroke-linejoin: round }}",
        _paint(".ctn", WOODEN),
        _paint(".ctm", WOODEN, "stroke") + " .ctm { stroke-width: 9; stroke-linecap: round }",
        f".ctp {{ fill: currentColor; stroke: {INK}; stroke-width: 4; stroke-linejoin: round }}",
        ".ctq { fill: #16140f; fill-opacity: .28 }",
        f".cta {{ font: 600 30px {SERIF}; text-anchor: middle; fill: {INK} }}",
        f".ctr {{ font: 700 30px {SANS}; text-anchor: middle; fill: var(--k-ink) }}",
        ".ctr { paint-order: stroke; stroke: var(--k-paper); stroke-width: 6; "
        "stroke-linejoin: round; stroke-opacity: .8 }",
        ".ctg { fill: none; stroke: #16140f; stroke-opacity: .22; stroke-width: 1.2 }",
        ".catan .paper { fill: var(--k-paper) }",
        ".catan text { text-anchor: middle }",
        ".catan .ink { fill: var(--k-ink) }",
        f".catan .note {{ font: italic 30px {SERIF}; text-anchor: end; fill: var(--k-ink); "
        "fill-opacity: .75 }",
        ".catan .piece, .catan .over, .catan .last { pointer-events: none }",
        ".catan .thing { outline: none }",
        ".catan .can { cursor: pointer }",
        # Places: without a colour until something can be built there.
        ".catan .site { fill: #fff; fill-opacity: 0; stroke: none }",
        ".catan .path { fill: none; stroke: #fff; stroke-opacity: 0; stroke-width: 30 }",
        ".catan .hex { fill: #fff; fill-opacity: 0; stroke: none }",
        ".catan .site.can { fill: #fffbef; fill-opacity: .9; stroke: #16140f; stroke-width: 4 }",
        ".catan .site.own.can { fill-opacity: 0; stroke: #fffbef; stroke-width: 8; "
        "stroke-dasharray: 12 7 }",
        ".catan .path.can { stroke: #fffbef; stroke-opacity: .92; stroke-width: 17; "
        "stroke-dasharray: 13 6 }",
        ".catan .hex.can { fill-opacity: .16; stroke: #fffbef; stroke-width: 8; "
        "stroke-dasharray: 16 9 }",
        ".catan .site.can:hover, .catan .site.picked { fill: var(--k-accent); fill-opacity: 1 }",
        ".catan .site.own.can:hover { fill-opacity: .25; stroke: var(--k-accent) }",
        ".catan .path.can:hover, .catan .path.picked { stroke: var(--k-accent); "
        "stroke-dasharray: none }",
        ".catan .hex.can:hover, .catan .hex.picked { fill-opacity: .32; stroke: var(--k-accent) }",
        ".catan .site:focus-visible, .catan .hex:focus-visible { stroke: var(--k-ink); "
        "stroke-width: 9; stroke-dasharray: none }",
        ".catan .path:focus-visible { stroke: var(--k-ink); stroke-opacity: 1; stroke-width: 20; "
        "stroke-dasharray: none }",
        ".catan .last { fill: none; stroke: #fffbef; stroke-width: 7 }",
        ".catan .last.in { stroke: var(--k-accent); stroke-width: 4 }",
        ".catan .blocked { opacity: .45 }",
        # Cards, and what lies in the bank.
        f".catan .sheet {{ fill: #fbf4e2; stroke: {INK}; stroke-opacity: .6; stroke-width: 2.5 }}",
        f".catan .back {{ stroke: {INK}; stroke-opacity: .6; stroke-width: 2.5 }}",
        ".catan .none { opacity: .4 }",
        f".catan .many {{ font: 700 40px {SANS}; fill: {INK} }}",
        f".catan .word {{ font: 600 20px {SANS}; fill: {INK} }}",
        ".catan .card.can .sheet { stroke: var(--k-accent); stroke-opacity: 1; stroke-width: 6 }",
        ".catan .card.can:hover .sheet { fill: #f3d9b8 }",
        ".catan .card.picked .sheet { fill: #f3d9b8; stroke: var(--k-accent); stroke-opacity: 1; "
        "stroke-width: 10 }",
        ".catan .card:focus-visible .sheet { stroke: var(--k-ink); stroke-opacity: 1; "
        "stroke-width: 9; stroke-dasharray: 14 7 }",
        # Players.
        ".catan .plate { fill: var(--k-ink); fill-opacity: .05; stroke: none }",
        ".catan .plate.turn { stroke: var(--k-ink); stroke-width: 3; fill-opacity: .1 }",
        ".catan .asked .plate { stroke: var(--k-accent); stroke-width: 6 }",
        ".catan .can .plate { stroke: var(--k-accent); stroke-width: 6; stroke-dasharray: 14 7 }",
        ".catan .can:hover .plate, .catan .picked .plate { fill: var(--k-accent); "
        "fill-opacity: .3 }",
        ".catan .thing:focus-visible .plate { stroke: var(--k-ink); stroke-width: 8 }",
        ".catan .tally { font-size: 42px; font-weight: 700; fill: var(--k-ink); "
        "text-anchor: start }",
        f".catan .count {{ font: 600 34px {SANS}; fill: {INK} }}",
        f".catan .award .tally {{ fill: {INK}; font-size: 37px }}",
        ".catan .few { font-size: 34px; font-weight: 600; fill: var(--k-ink); text-anchor: start }",
        f".ctx {{ fill: #fffaf0; stroke: {INK}; stroke-width: 4 }}",
        f".catan .pip {{ fill: {INK} }}",
        ".catan .idle { opacity: .35 }",
    )
)

# --- motifs: each stands on its origin ---

MOTIFS = {
    "fir": (
        '<path class="ctd0" d="M0-17L6.5-6H3.4L8.5 1H-8.5L-3.4-6H-6.5Z"/>'
        '<path class="ctl0" d="M0-17V1H-8.5L-3.4-6H-6.5Z"/>'
        '<path class="ctn" d="M-1.3 1H1.3V4.5H-1.3Z"/>'
    ),
    "oak": (
        '<path class="ctn" d="M-1.2-2H1.2V4H-1.2Z"/>'
        '<path class="ctd0" d="M0-2C-6-1-8-6-5.5-9C-6-14 0-16 2-13C6-14 8-9 6-7C8-3 4-1 0-2Z"/>'
        '<path class="ctl0" d="M-1-4C-5-4-6-8-4-10C-4-13-1-14 1-12C0-9 1-6-1-4Z"/>'
    ),
    "hill": (
        '<path class="ctl1" d="M-13 4C-9-6-4-9 0-9C5-9 9-5 13 4Z"/>'
        '<path class="ctd1" d="M0-9C5-9 9-5 13 4H3C5-2 4-7 0-9Z"/>'
        '<path class="cts cts1" d="M-10 0C-6-2-3-1 0-2M-7-4C-4-5-2-5 1-6"/>'
    ),
    "bricks": (
        '<path class="ctd1" d="M-9-4H9V4H-9Z"/>'
        '<path class="ctl1" d="M-8.4-3.4H-3V-.5H-8.4ZM-2.2-3.4H3.2V-.5H-2.2ZM4-3.4H8.4V-.5H4Z'
        'M-8.4.4H-5.6V3.4H-8.4ZM-4.8.4H.6V3.4H-4.8ZM1.4.4H6.8V3.4H1.4Z"/>'
    ),
    "sheep": (
        '<path class="cts cts4" d="M-3.5 2V5M3.5 2V5"/>'
        '<path class="ctl2" d="M-6 2C-9 1-9-3-6-4C-6-7-2-8 0-6C3-8 6-6 6-4C9-3 8 2 5 2Z"/>'
        '<path class="ctd4" d="M-6-4.5C-8-7-11-5-10.5-2.5C-10-.5-7.5-.8-6.5-2.5Z"/>'
    ),
    "grass": (
        '<path class="cts cts2" d="M-3.2 2Q-3-1-4.6-2.6M0 2Q-.2-2 .6-4.4M3 2Q2.6-.6 4.8-2.4"/>'
    ),
    "wheat": (
        '<path class="cts cts3" d="M-5 5Q-4-3-6-9M0 6V-10M5 5Q4-3 6-9"/>'
        '<path class="ctd3" d="M0-15Q3-11 0-7Q-3-11 0-15ZM0-8Q4-7 3-3Q0-4 0-8Z'
        "M0-8Q-4-7-3-3Q0-4 0-8ZM-6.4-13Q-3.4-10-5.6-6Q-9-9-6.4-13ZM6.4-13Q3.4-10 5.6-6Q9-9 6.4-13Z"
        'M-5.4-6Q-1.6-4.6-3.4-1Q-6-2.6-5.4-6ZM5.4-6Q1.6-4.6 3.4-1Q6-2.6 5.4-6Z"/>'
    ),
    "peak": (
        '<path class="ctd4" d="M-14 7L-4-10L0-16L6-6L14 7Z"/>'
        '<path class="ctl4" d="M-14 7L-4-10L0-16L-1-8L-4-2L-2 7Z"/>'
        '<path class="ctc" d="M0-16L-4-10L-5.4-7.6L-2.6-8.6L-1-6L1.4-8.6L4.2-8.8L6-6L3-11Z"/>'
    ),
    "rock": (
        '<path class="ctd4" d="M-7 4L-4-3L1-5L6-1L7 4Z"/>'
        '<path class="ctl4" d="M-7 4L-4-3L1-5L0 0L-2 4Z"/>'
    ),
    "dune": '<path class="cts cts5" d="M-13 2Q-6-5 0 0T13-1M-8 6Q-3 2 2 5"/>',
    "cactus": (
        '<path class="ctl5" d="M-2 6V-9Q-2-12 0-12Q2-12 2-9V-1H4V-5Q4-7 5.5-7Q7-7 7-5V0Q7 2 5 2'
        'H2V6ZM-2-1Q-6-1-6-3V-6Q-6-8-4.6-8Q-3.4-8-3.4-6V-4H-2Z"/>'
    ),
}

#: By terrain its motifs, the largest first: the name, how far it keeps from its like, how many.
CROWDS: tuple[tuple[tuple[str, float, int], ...], ...] = (
    (("fir", 11.5, 13), ("oak", 11, 7)),
    (("hill", 20, 5), ("bricks", 17, 3)),
    (("sheep", 19, 5), ("grass", 10, 11)),
    (("wheat", 12.5, 15),),
    (("peak", 19, 6), ("rock", 12, 4)),
    (("dune", 17, 6), ("cactus", 20, 3)),
)

#: How far motifs keep from the number disc, and from the rim where roads lie.
DISC, RIM = 21, 11
#: So many pictures of a terrain lie side by side.
LOOKS = 2


def hexagon(radius: float) -> list[Point]:
    """The corners of a hex with a corner on top, clockwise."""
    turns = [math.radians(60 * k - 90) for k in range(6)]
    return [(radius * math.cos(t), radius * math.sin(t)) for t in turns]


def corners_text(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"


def inside(x: float, y: float, room: float) -> bool:
    """Is a point so far from every side of a hex of radius 50?"""
    apothem = 25 * math.sqrt(3) - room
    turns = [math.radians(60 * k) for k in range(6)]
    return all(x * math.cos(t) + y * math.sin(t) <= apothem for t in turns)


def scattered(kind: int, look: int) -> str:
    """The motifs of a terrain around the number disc, those in front last."""
    rng = random.Random(f"catan {kind} {look}")
    placed: list[tuple[float, float, str, float]] = []
    disc = 0 if kind == DESERT else DISC
    for name, apart, most in CROWDS[kind]:
        count = 0
        for _ in range(900):
            x, y = rng.uniform(-43, 43), rng.uniform(-50, 50)
            clear = inside(x, y - 3, RIM) and (math.hypot(x, y - 4) > disc + apart / 4)
            if not clear or count == most:
                continue
            if all(math.dist((x, y), (u, v)) >= (apart + away) / 2 for u, v, _, away in placed):
                placed.append((x, y, name, apart))
                count += 1
    return "".join(
        f'<use href="#catan-{name}" x="{x:.0f}" y="{y:.0f}"/>'
        for x, y, name, _ in sorted(placed, key=lambda one: one[1])
    )


def terrain(kind: int, look: int) -> str:
    """A hex: its ground, and what grows there."""
    ground = corners_text(hexagon(50))
    field = ""
    if kind == GRAIN:
        field = (
            '<path class="ctl3" fill-opacity=".55" d="M-43-20L-20-38L0-50L22-37L-43 2ZM-43 14L43-22'
            'V-8L-35 30ZM-20 38L43 10V24L8 45Z"/>'
        )
    return f'<path class="ct{kind}" d="{ground}"/>{field}{scattered(kind, look)}'


# --- symbols on cards and sails ---

SYMBOLS = (
    # wood: two logs
    '<g class="ctk" stroke-width="3"><path class="ctn" d="M-34 6H20V32H-34Z"/>'
    '<circle class="ctc" cx="24" cy="19" r="13"/><circle class="ctn" cx="24" cy="19" r="5"/>'
    '<path class="ctn" d="M-20-24H28V4H-20Z"/><circle class="ctc" cx="-20" cy="-10" r="14"/>'
    '<circle class="ctn" cx="-20" cy="-10" r="6"/></g>',
    # brick: a small wall
    '<g class="ctk ct1" stroke-width="3"><path d="M-38 6H-2V28H-38ZM2 6H38V28H2Z'
    'M-20-20H18V2H-20Z"/></g>',
    # wool: a sheep
    '<g class="ctk" stroke-width="3"><path d="M-12 18V32M14 18V32" fill="none" '
    'stroke-width="5"/><path fill="#fffdf6" d="M-22 18C-36 16-36-2-24-6C-24-20-6-26 2-16'
    'C14-26 30-16 28-6C42-2 38 18 24 18Z"/><path class="cti" d="M-24-8C-34-18-46-8-43 3'
    'C-40 12-28 10-26 1Z"/></g>',
    # grain: three ears
    '<g class="ctk ct3" stroke-width="2.4"><path d="M0 36V-8M0 30Q-12 10-20-6M0 30Q12 10 20-6" '
    'fill="none" stroke-width="3.4"/><path d="M0-38Q9-27 0-16Q-9-27 0-38ZM0-18Q11-14 8 0Q0-4 0-18Z'
    "M0-18Q-11-14-8 0Q0-4 0-18ZM-26-32Q-14-24-18-12Q-30-18-26-32ZM-18-12Q-6-8-8 4Q-18 2-18-12Z"
    'M26-32Q14-24 18-12Q30-18 26-32ZM18-12Q6-8 8 4Q18 2 18-12Z"/></g>',
    # ore: crystals
    '<g class="ctk" stroke-width="3"><path class="ctl4" d="M-34 28L-26-8L-10-24L2-6L4 28Z"/>'
    '<path class="ctd4" d="M-10-24L2-6L4 28H-14Z"/><path class="ct4" d="M0 28L8-14L20-34L34-8'
    'L36 28Z"/><path class="ctd4" d="M20-34L34-8L36 28H18Z"/></g>',
)
#: What stands on a sail where anything is taken.
ANY_SYMBOL = (
    '<g class="cti"><circle cx="-16" cy="12" r="9"/><circle cx="16" cy="12" r="9"/>'
    '<circle cx="0" cy="-16" r="9"/></g>'
)

DEVELOPMENT = (
    # knight: a helmet
    '<g class="ctk" stroke-width="3">'
    '<path class="ctl4" d="M-24 30V-6C-24-30 24-30 24-6V30H8V8H-8V30Z"/>'
    '<path class="cti" d="M-16-2H16V5H-16Z"/><path fill="#c8433f" d="M-4-24C-10-40 14-44 24-34'
    'C10-34 6-30 4-24Z"/></g>',
    # road building: two roads
    '<g class="ctk ctn" stroke-width="3"><path d="M-38 20L-2-2L4 8L-32 30Z"/>'
    '<path d="M-4-22L4-28L36 14L28 20Z"/></g>',
    # year of plenty: a basket
    '<g class="ctk" stroke-width="3"><circle class="ctl3" cx="-13" cy="-8" r="13"/>'
    '<circle class="ctl0" cx="13" cy="-9" r="13"/><circle fill="#c8433f" cx="0" cy="-18" r="12"/>'
    '<path class="ctn" d="M-34-4H34L24 30H-24Z"/><path d="M-30 8H30M-26 19H26" fill="none"/></g>',
    # monopoly: a crown
    '<g class="ctk" stroke-width="3"><path class="ct3" d="M-32 26L-36-18L-16-2L0-28L16-2L36-18'
    'L32 26Z"/><path class="ctd3" d="M-32 14H32V26H-32Z"/></g>',
    # victory point: a tower with a flag
    '<g class="ctk" stroke-width="3"><path class="ctl4" d="M-20 32V-8H-26V-22H-14V-16H-6V-22H6V-16'
    'H14V-22H26V-8H20V32Z"/><path class="cti" d="M-6 32V14C-6 4 6 4 6 14V32Z"/>'
    '<path fill="#c8433f" d="M0-22V-44L22-37L0-30Z"/></g>',
)

#: What is built, and the robber; each stands on its place.
HOUSE = "M-21 18V-6L0-26L21-6V18Z"
TOWN = "M-34 22V-10L-18-28L-2-10V-4H32V22Z"
ROBBER = (
    '<ellipse class="ctq" cx="4" cy="31" rx="24" ry="7"/>'
    '<g class="ctk" stroke-width="3"><path class="cti" d="M-22 32C-20 8-12 4-9-4C-18-10-17-32 0-34'
    'C17-32 18-10 9-4C12 4 20 8 22 32Z"/></g>'
    '<path class="ctc" d="M-10-19H-3L-4-14H-9ZM10-19H3L4-14H9Z"/>'
)
BOAT = (
    '<path class="ctf" d="M-44 30Q-36 24-28 29T-12 29T4 29T20 29T36 28"/>'
    '<g class="ctk" stroke-width="2.6"><path class="ctn" d="M-34 12H34C30 26 20 30 0 30'
    'C-20 30-30 26-34 12Z"/><path class="ctc" d="M-26 6C-30-18-26-34-18-44C0-36 20-36 28-42'
    'C32-20 30-6 24 6C10 2-10 2-26 6Z"/></g>'
)


@functools.cache
def definitions() -> str:
    """Every piece of the artwork, each as a group of its own that a theme can replace."""
    found = {name: svg for name, svg in MOTIFS.items()}
    for kind, name in enumerate(TERRAINS):
        for look in range(LOOKS):
            found[f"hex-{name}{look or ''}"] = terrain(kind, look)
    found |= {f"card-{name}": svg for name, svg in zip(RESOURCES, SYMBOLS, strict=True)}
    found["card-anything"] = ANY_SYMBOL
    names = [name.replace(" ", "-") for name in CARDS]
    found |= {f"card-{name}": svg for name, svg in zip(names, DEVELOPMENT, strict=True)}
    found["settlement"] = (
        f'<path class="ctq" d="M-19 20L26 20L26 2L21-4V18Z"/><path class="ctp" d="{HOUSE}"/>'
    )
    found["city"] = f'<path class="ctq" d="M-32 24H38V4L32-2V22Z"/><path class="ctp" d="{TOWN}"/>'
    found["road"] = '<path class="ctp" d="M-31-7.5H31V7.5H-31Z"/>'
    found["robber"] = ROBBER
    found["boat"] = BOAT
    found["dice"] = '<rect class="ctx" x="-42" y="-42" width="84" height="84" rx="16"/>'
    found["deck"] = back_of_card(WATER)
    groups = "".join(f'<g id="catan-{name}">{svg}</g>' for name, svg in found.items())
    marks = "".join(
        f'<path id="catan-mark{p}" d="{OUTLINES[one.shape]}"/>' for p, one in enumerate(PLAYERS[:4])
    )
    return f"<defs>{groups}</defs><defs>{marks}</defs>"


def back_of_card(colour: str) -> str:
    """The back of a development card."""
    return (
        f'<rect class="back" x="-36" y="-48" width="72" height="96" rx="8" fill="{colour}"/>'
        '<path class="ctf" d="M-24-30Q-12-38 0-30T24-30M-24 0Q-12-8 0 0T24 0'
        'M-24 30Q-12 22 0 30T24 30"/>'
    )


# --- the board ---


def at(v: int) -> Point:
    """Where an intersection is in the drawing."""
    x, y = POINTS[v]
    return ACROSS * x, DOWN * y


def centre(h: int) -> Point:
    """The middle of a hex."""
    x, y = CENTRES[h]
    return ACROSS * x, DOWN * y


def number(x: float, y: float) -> str:
    return f"{x:.0f} {y:.0f}"


@functools.lru_cache(maxsize=64)
def backdrop(terrains: tuple[int, ...], numbers: tuple[int, ...], kinds: tuple[int, ...]) -> str:
    """What never changes during a game: the sea, the island, numbers, harbours, and the costs."""
    return (
        f'<g class="backdrop"><style>{STYLE}</style>{definitions()}{sea()}'
        f"{''.join(harbours(kinds))}{''.join(island(terrains))}{''.join(discs(numbers))}"
        f"{costs()}</g>"
    )


def sea() -> str:
    """The water with waves, lighter off the coast, and a beach around the island."""
    turns = [math.radians(60 * k) for k in range(6)]
    corners = [(SEA * math.cos(t), SEA * math.sin(t)) for t in turns]
    water = ""
    for k, (x, y) in enumerate(corners):
        (ax, ay), (bx, by) = corners[k - 1], corners[(k + 1) % 6]
        one, two = (
            (x + ROUND / SEA * (u - x), y + ROUND / SEA * (v - y)) for u, v in ((ax, ay), (bx, by))
        )
        water += f"{'L' if water else 'M'}{number(*one)}Q{number(x, y)} {number(*two)}"
    land = "".join("M" + "L".join(number(*at(int(v))) for v in row) + "Z" for row in HEX_NODE)
    shoals = "".join(
        f'<path class="cto" stroke-opacity="{share}" stroke-width="{wide}" d="{land}"/>'
        for wide, share in ((124, 0.16), (84, 0.2), (52, 0.3))
    )
    return (
        f'<path class="ctw" d="{water}Z"/>{waves()}{shoals}'
        f'<path class="ctb" stroke-width="22" d="{land}"/>'
    )


def waves() -> str:
    """Small waves where there is nothing but water."""
    rng = random.Random("catan waves")
    found: list[Point] = []
    for _ in range(600):
        x, y = rng.uniform(-500, 500), rng.uniform(-450, 450)
        wet = max(abs(y), abs(0.5 * y) + abs(0.866 * x)) < 0.866 * SEA - 34
        dry = any(math.dist((x, y), centre(h)) < 136 for h in range(len(CENTRES)))
        if wet and not dry and all(math.dist((x, y), other) > 54 for other in found):
            found.append((x, y))
    path = "".join(f"M{number(x - 14, y)}q7-7 14 0t14 0" for x, y in found)
    return f'<path class="ctf" d="{path}"/>'


def island(terrains: Sequence[int]) -> Iterator[str]:
    """The hexes; of one terrain two pictures take turns."""
    laid = [0] * len(TERRAINS)
    for h, kind in enumerate(terrains):
        look = laid[kind] % LOOKS
        laid[kind] += 1
        x, y = centre(h)
        yield (
            f'<use href="#catan-hex-{TERRAINS[kind]}{look or ""}" '
            f'transform="translate({number(x, y)}) scale(2)"/>'
        )
    rims = "".join("M" + "L".join(number(*at(int(v))) for v in row) + "Z" for row in HEX_NODE)
    yield f'<path class="ctb" stroke-width="9" d="{rims}"/><path class="ctg" d="{rims}"/>'


#: Throws of two dice that bring each sum, of 36.
def ways(n: int) -> int:
    return 6 - abs(7 - n)


def discs(numbers: Sequence[int]) -> Iterator[str]:
    """A number with a pip for every throw of 36; 6 and 8 are light on dark."""
    for h, n in enumerate(numbers):
        if not n:
            continue
        x, y = centre(h)
        often = ways(n) == 5
        fill, ink = ("#a8341f", "#fffbef") if often else ("#fbf4e2", INK)
        size = 30 + 4 * ways(n)
        pips = "".join(
            f'<circle cx="{6.5 * (2 * k - ways(n) + 1):.1f}" cy="25" r="4"/>'
            for k in range(ways(n))
        )
        ring = f'<circle r="35" fill="none" stroke="{ink}" stroke-width="2"/>' if often else ""
        yield (
            f'<g transform="translate({number(x, y)})"><circle class="ctk" r="40" fill="{fill}" '
            f'stroke-width="2.5"/>{ring}<g fill="{ink}"><text class="cta" y="{size / 3 - 4:.0f}" '
            f'style="fill: {ink}; font-size: {size}px">{n}</text>{pips}</g></g>'
        )


def harbours(kinds: Sequence[int]) -> Iterator[str]:
    """A jetty from either intersection to a boat with its goods on the sail, and the rate."""
    for (u, v), kind in zip(HARBOURS.tolist(), kinds, strict=True):
        (ax, ay), (bx, by) = at(u), at(v)
        mx, my = (ax + bx) / 2, (ay + by) / 2
        far = math.hypot(mx, my)
        if far == 0:
            continue
        nx, ny = by - ay, ax - bx
        length = math.hypot(nx, ny) * (1 if nx * mx + ny * my > 0 else -1)
        x, y = mx + 66 * nx / length, my + 66 * ny / length
        jetties = "".join(
            f"M{number(px, py)}L{number(px + 0.62 * (x - px), py + 0.62 * (y - py))}"
            for px, py in ((ax, ay), (bx, by))
        )
        name = "anything" if kind == ANYTHING else RESOURCES[kind]
        rate = "3:1" if kind == ANYTHING else "2:1"
        words = f"a harbour: {'3 of a kind' if kind == ANYTHING else f'2 {name}'} for any card"
        yield (
            f'<path class="ctm" d="{jetties}"/><g transform="translate({number(x, y)})">'
            f'<title>{words}</title><use href="#catan-boat"/>'
            f'<use href="#catan-card-{name}" transform="translate(1 -17) scale(.42)"/>'
            f'<text class="ctr" y="51">{rate}</text></g>'
        )


#: What each piece costs: of which resource how many. The longest row is on top, beside the sea.
PRICES = (
    ("city", ((GRAIN, 2), (ORE, 3))),
    ("settlement", ((WOOD, 1), (BRICK, 1), (WOOL, 1), (GRAIN, 1))),
    ("deck", ((WOOL, 1), (GRAIN, 1), (ORE, 1))),
    ("road", ((WOOD, 1), (BRICK, 1))),
)


def costs() -> str:
    """What everything costs, in the corner beside the sea."""
    art = (
        "<title>What a city, a settlement, a development card and a road cost</title>"
        '<path class="ctc" d="M302-484H550V-300H408Z" fill-opacity=".92"/>'
    )
    for n, (name, price) in enumerate(PRICES):
        y = 46 * n - 460
        paid = [r for r, many in price for _ in range(many)]
        x = 528 - 34 * len(paid)
        wide = 0.42 if name == "deck" else 0.55
        art += (
            f'<use href="#catan-{name}" transform="translate({x - 10} {y}) scale({wide})" '
            'color="#b9b2a3"/>'
        )
        art += "".join(
            f'<use href="#catan-card-{RESOURCES[r]}" '
            f'transform="translate({x + 34 * (k + 1)} {y}) scale(.38)"/>'
            for k, r in enumerate(paid)
        )
    return f'<g class="costs">{art}</g>'
