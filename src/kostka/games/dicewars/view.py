"""How people meet a Dice Wars position: drawn as SVG or text, clicked, and put into words."""

import functools
import math
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from textwrap import dedent

import numpy as np

from kostka.core import rules
from kostka.core.palette import OUTLINES, PLAYERS, SANS, tokens
from kostka.core.present import Click, Effect, called, result
from kostka.games.dicewars import actions
from kostka.games.dicewars.actions import END, is_transfer, source_of, target_of
from kostka.games.dicewars.shapes import (
    HALF_WIDTH,
    LEGEND,
    QUARTER_HEIGHT,
    Point,
    board,
    towards,
    xy,
)
from kostka.games.dicewars.state import COLUMNS, DONE, MAX_DICE, PLACE, ROLL, ROWS, SEA

#: How thick the land looks.
THICKNESS = 7

#: Where in its label the owner's shape stands, which the rest is placed around.
MARK = (8, 22)

#: The water gets lighter with the distance from the coast, as on an old map.
WATER = "#5f8a9b"
SHOALS = ((34, 0.1), (22, 0.14), (12, 0.2))

#: The light rim of what can be clicked: lighter than any area, by day and by night.
GLOW = "#fffbef"

#: A die: half its width, half the height of its top, the height of its sides, and its faces.
DIE_WIDTH, DIE_TOP, DIE_SIDE = 12, 6, 12.5
FACES = ("#fffaf0", "#f1e8d6", "#d8cab0")
COLUMN = 4  # dice on top of each other

#: The length of either half of an arrow, of its head, and how near to dice it goes.
ARROW, HEAD, DICE_RADIUS = 40, 18, 30

#: Where the pips of the left and of the right side lie, for three dice that take turns.
PIPS = (
    (((0.5, 0.5),), ((0.27, 0.27), (0.73, 0.73))),
    (((0.25, 0.75), (0.5, 0.5), (0.75, 0.25)), ((0.5, 0.5),)),
    (((0.27, 0.27), (0.73, 0.73)), ((0.27, 0.73), (0.73, 0.73), (0.27, 0.27), (0.73, 0.27))),
)

STYLE = f"""<style>
{tokens(".dicewars")}
.dicewars {{ font-family: {SANS}; font-variant-numeric: tabular-nums }}
.dicewars .paper {{ fill: var(--k-paper) }}
.dicewars .water {{ fill: {WATER}; fill-opacity: .14 }}
.dicewars .shoal {{ fill: none; stroke: {WATER}; stroke-linejoin: round }}
.dicewars .thick {{ fill: #16140f; fill-opacity: .3 }}
.dicewars .area {{ fill-opacity: .52; stroke: var(--k-paper); stroke-width: 4.5 }}
.dicewars .turn {{ fill-opacity: .72 }}
.dicewars .thing {{ outline: none }}
.dicewars .can {{ cursor: pointer; fill-opacity: .86; stroke: {GLOW}; stroke-width: 9 }}
.dicewars .can:hover {{ fill-opacity: 1 }}
.dicewars .picked {{ fill-opacity: 1; stroke: var(--k-accent); stroke-width: 11 }}
.dicewars .thing:focus-visible {{ stroke: var(--k-ink); stroke-width: 11; stroke-dasharray: 14 8 }}
@media (prefers-reduced-motion: no-preference) {{
  .dicewars .thing {{ transition: fill-opacity .16s ease-out, stroke .16s ease-out }} }}
.dicewars .texture {{ opacity: .28 }}
.dicewars .print {{ fill: var(--k-paper) }}
.dicewars .texture, .dicewars .label, .dicewars .last {{ pointer-events: none }}
.dicewars text {{ fill: var(--k-ink); text-anchor: middle }}
.dicewars .count {{ font-size: 38px; font-weight: 700; paint-order: stroke;
  stroke: var(--k-paper); stroke-width: 6; stroke-opacity: .6; stroke-linejoin: round }}
.dicewars .number {{ font-size: 13px; opacity: .8; text-anchor: start }}
.dicewars .mark {{ fill: currentColor; stroke: var(--k-ink); stroke-width: .12;
  stroke-linejoin: round }}
.dicewars .label circle, .dicewars .legend circle {{ fill: var(--k-paper); fill-opacity: .7 }}
.dicewars .edge {{ stroke: #25221d; stroke-opacity: .45; stroke-width: .8; stroke-linejoin: round }}
.dicewars .focus {{ fill: none; stroke: var(--k-accent); stroke-width: 5 }}
.dicewars .case, .dicewars .shaft {{ fill: none; stroke-linecap: round; stroke-linejoin: round }}
.dicewars .case {{ stroke: var(--k-paper); stroke-width: 15 }}
.dicewars .shaft {{ stroke: var(--k-accent); stroke-width: 8 }}
.dicewars .rolling .shaft {{ stroke-dasharray: 1 12 }}
.dicewars .moved .shaft, .dicewars .moved .focus {{ stroke: var(--k-ink) }}
.dicewars .layer:has(.picked) .last {{ opacity: .25 }}
.dicewars .tally {{ font-size: 26px; font-weight: 600 }}
.dicewars .out {{ opacity: .35 }}
.dicewars .pill {{ fill: none; stroke: var(--k-accent); stroke-width: 4 }}
</style>"""


def svg(s: np.record) -> str:
    """The position as one document."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="dicewars" role="img" '
        f'viewBox="{viewbox(s)}"><title>{title(s)}</title>{backdrop(s)}{layer(s)}</svg>'
    )


def viewbox(s: np.record) -> str:
    """The part of the plane that the drawing fills."""
    return "{:.0f} {:.0f} {:.0f} {:.0f}".format(*board(s).box)


def title(s: np.record) -> str:
    """The position in a sentence."""
    name = PLAYERS[s.player].name
    if s.phase == DONE:
        won = s.held[s.player] == s.areas
        return f"Dice Wars: {name} has won" if won else "Dice Wars: a draw"
    now = f"gets {dice_in_words(s.placing)}" if s.phase == PLACE else "to play"
    told = last_in_words(s)
    return f"Dice Wars: {name} {now}" + (f"; {told}" if told else "")


def backdrop(s: np.record) -> str:
    """What never changes during a game: the sea, the coast, and the shapes of areas and dice."""
    b = board(s)
    x, y, width, height = b.box
    sheet = f'x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" rx="8"'
    shapes = "".join(f'<path id="{b.key}-{i}" d="{d}"/>' for i, d in enumerate(b.outlines))
    coast = f'href="#{b.key}-coast"'
    shoals = "".join(
        f'<use class="shoal" {coast} stroke-width="{2 * far}" stroke-opacity="{opacity}"/>'
        for far, opacity in SHOALS
    )
    return (
        f'<g class="backdrop">{STYLE}<defs><path id="{b.key}-coast" d="{b.coast}"/>'
        f"{shapes}{stacks()}{textures()}</defs>"
        f'<rect class="paper" {sheet}/><rect class="water" {sheet}/>{shoals}'
        f'<use class="thick" {coast} y="{THICKNESS}"/><use class="paper" {coast}/></g>'
    )


def layer(s: np.record) -> str:
    """What changes: owners, dice, the last attack, and whose turn it is."""
    b = board(s)
    owner, dice = s.owner[: s.areas].tolist(), s.dice[: s.areas].tolist()
    turn = -1 if s.phase == DONE else int(s.player)
    things = "".join(
        area(b.key, i, p, n, p == turn) for i, (p, n) in enumerate(zip(owner, dice, strict=True))
    )
    prints = "".join(texture(b.key, p, owner) for p in sorted(set(owner)))
    labels = "".join(map(label, range(len(owner)), owner, dice, b.labels))
    return f'<g class="layer">{things}{prints}{labels}{last(s)}{legend(s)}</g>'


# --- areas ---


def area(key: str, i: int, owner: int, dice: int, turn: bool) -> str:
    """An area in the colour of its owner."""
    name, colour, *_ = PLAYERS[owner]
    return (
        f'<use id="t{i}" class="thing area{" turn" if turn else ""}" href="#{key}-{i}" '
        f'fill="{colour}"><title>area {i}: {name}, {dice_in_words(dice)}</title></use>'
    )


def texture(key: str, player: int, owner: list[int]) -> str:
    """A player's shape, printed all over his areas."""
    shapes = "".join(f'<use href="#{key}-{i}"/>' for i, p in enumerate(owner) if p == player)
    return f'<g class="texture" fill="url(#dicewars-{PLAYERS[player].name})">{shapes}</g>'


def dice_in_words(n: int) -> str:
    return "1 die" if n == 1 else f"{n} dice"


def textures() -> str:
    """The pattern of each player: his shape, printed small."""
    return "".join(
        f'<pattern id="dicewars-{p.name}" width="30" height="30" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(-14)" class="print">'
        f'<path d="{OUTLINES[p.shape]}" transform="translate(8 8) scale(5)"/>'
        f'<path d="{OUTLINES[p.shape]}" transform="translate(23 23) scale(5)"/></pattern>'
        for p in PLAYERS
    )


# --- dice ---


def label(i: int, owner: int, dice: int, place: Point) -> str:
    """The dice of an area, how many they are, its owner's shape, and small its own number."""
    x, y = place[0] + MARK[0] + behind(dice), place[1] + MARK[1]
    return (
        f'<g class="label" transform="translate({x:.0f} {y:.0f})" color="{PLAYERS[owner].colour}">'
        f'<use href="#dicewars-{dice}"/><text class="count" x="8" y="-18">{dice}</text>'
        f'{mark(owner, 9)}<text class="number" x="15" y="5">{i}</text></g>'
    )


def mark(player: int, size: float) -> str:
    """The shape of a player on the origin, in the colour of the text."""
    shape = OUTLINES[PLAYERS[player].shape]
    disc = f'<circle r="{1.4 * size:g}"/>'
    return f'{disc}<path class="mark" transform="scale({size:g})" d="{shape}"/>'


def behind(n: int) -> int:
    """How far a second column of dice moves the numbers to the right."""
    return 8 if n > COLUMN else 0


@functools.cache
def stacks() -> str:
    """The dice, and the stacks of one to eight of them, each left of its owner's mark."""
    dice = "".join(f'<g id="dicewars-die{k}">{die(*p)}</g>' for k, p in enumerate(PIPS))
    sizes = range(1, MAX_DICE + 1)
    return dice + "".join(f'<g id="dicewars-{n}">{"".join(stack(n))}</g>' for n in sizes)


def stack(n: int) -> Iterator[str]:
    """A column of four dice in front, the others in a second one behind it."""
    back = [(-DIE_WIDTH, -DIE_TOP - DIE_SIDE * k) for k in range(n - COLUMN)]
    front = [(0, -DIE_SIDE * k) for k in range(min(n, COLUMN))]
    left = -18 - behind(n) - MARK[0]
    base = 10 + DIE_SIDE * min(n, COLUMN) / 2 - MARK[1]
    for k, (x, y) in enumerate(back + front):
        yield f'<use href="#dicewars-die{k % len(PIPS)}" x="{left + x:g}" y="{base + y:g}"/>'


def die(left: Iterable[Point], right: Iterable[Point]) -> str:
    """A die with its lowest corner on the origin, and pips on its two sides and on top."""
    w, t, h = DIE_WIDTH, DIE_TOP, DIE_SIDE
    paths = (
        f"M0 {-h}l{w} {-t}l{-w} {-t}l{-w} {t}Z",
        f"M0 0v{-h}l{-w} {-t}v{h}Z",
        f"M0 0v{-h}l{w} {-t}v{h}Z",
    )
    faces = "".join(
        f'<path class="edge" d="{d}" fill="{fill}"/>' for d, fill in zip(paths, FACES, strict=True)
    )
    crown = f'<ellipse cy="{-h - t}" rx="3.6" ry="2" fill="currentColor"/>'
    return faces + crown + pips(-1, left) + pips(1, right)


def pips(side: int, places: Iterable[Point]) -> str:
    """The pips of the left (-1) or right (1) side of a die."""
    return "".join(
        f'<circle cx="{side * u * DIE_WIDTH:.1f}" cy="{-v * DIE_SIDE - u * DIE_TOP:.1f}" '
        f'r="1.5" fill="currentColor"/>'
        for u, v in places
    )


# --- the last attack ---


def last(s: np.record) -> str:
    """An arrow from the source of the last attack or transfer to its target."""
    if s.source < 0:
        return ""
    b, kind = board(s), last_kind(s)
    focus = "".join(f'<use class="focus" href="#{b.key}-{i}"/>' for i in (s.source, s.target))
    border = b.crossing(s.source, s.target)
    start, tip = (beside(border, b.labels[i]) for i in (s.source, s.target))
    drawn = repelled(start, border) if kind == "lost" else arrow(start, border, tip)
    words = last_in_words(s)
    return f'<g class="last {kind}"><title>{words}</title>{focus}{drawn}</g>'


def last_kind(s: np.record) -> str:
    """What became of the last attack: won, lost, still rolling; or dice were moved."""
    if s.phase == ROLL:
        return "rolling"
    return {1: "won", 0: "lost"}.get(int(s.won), "moved")


def last_in_words(s: np.record) -> str:
    """The last attack or transfer in words; empty when there was none."""
    if s.source < 0:
        return ""
    return {
        "rolling": f"area {s.source} attacks {s.target}",
        "won": f"area {s.source} attacked {s.target} and won",
        "lost": f"area {s.source} attacked {s.target} and lost",
        "moved": f"dice moved from area {s.source} to {s.target}",
    }[last_kind(s)]


def beside(border: Point, dice: Point) -> Point:
    """An end of the arrow: between the border and the dice of an area."""
    room = math.dist(border, dice) - DICE_RADIUS
    return towards(border, dice, min(max(room, HEAD), ARROW))


def arrow(start: Point, border: Point, tip: Point) -> str:
    """An arrow over a border."""
    back = towards(tip, border, HEAD)
    across = ((tip[1] - back[1]) * 0.8, (back[0] - tip[0]) * 0.8)
    barbs = [(back[0] + k * across[0], back[1] + k * across[1]) for k in (1, -1)]
    shaft = f"M{xy(start)}Q{xy(border)} {xy(tip)}M{xy(barbs[0])}L{xy(tip)}L{xy(barbs[1])}"
    return f'<path class="case" d="{shaft}"/><path class="shaft" d="{shaft}"/>'


def repelled(start: Point, border: Point) -> str:
    """A line that ends in a cross at the border."""
    x, y = border
    r = HEAD * 0.6
    cross = f"M{x - r:.1f} {y - r:.1f}l{2 * r:g} {2 * r:g}m0 {-2 * r:g}l{-2 * r:g} {2 * r:g}"
    line = f"M{xy(start)}L{xy(towards(border, start, 1.2 * HEAD))}"
    return f'<path class="case" d="{line}{cross}"/><path class="shaft" d="{line}{cross}"/>'


# --- the players ---


def legend(s: np.record) -> str:
    """Below the board each player's shape and number of areas; a frame around whose turn it is."""
    x, y, width, height = board(s).box
    slot = width / s.players
    return "".join(
        f'<g class="legend{"" if s.held[p] else " out"}" '
        f'transform="translate({x + (p + 0.5) * slot - 16:.0f} {y + height - LEGEND / 2:.0f})" '
        f'color="{PLAYERS[p].colour}">'
        f"<title>{player_in_words(s, p)}</title>{pill(s, p)}{mark(p, 13)}"
        f'<text class="tally" x="36" y="9">{s.held[p]}</text></g>'
        for p in range(s.players)
    )


def pill(s: np.record, p: int) -> str:
    if p != s.player or s.phase == DONE:
        return ""
    return '<rect class="pill" x="-30" y="-24" width="92" height="48" rx="24"/>'


def player_in_words(s: np.record, p: int) -> str:
    n = int(s.dice[: s.areas][s.owner[: s.areas] == p].sum())
    areas = f"{s.held[p]} area{'s' if s.held[p] != 1 else ''}"
    return f"{PLAYERS[p].name}: {areas}, {dice_in_words(n)}, {s.reserve[p]} in reserve"


# --- clicks ---


def clicks(s: np.record, action: int) -> list[Click]:
    """From where, then where to; or the button that ends the turn."""
    if action == END:
        return ["!end"]
    return [f"t{source_of(action)}", f"t{target_of(action)}"]


def why_not(s: np.record, path: Sequence[Click]) -> str:
    """Why the last of these clicks is refused to whose turn it is."""
    first, *rest = (area_clicked(s, click) for click in path)
    if first is None:
        return "choose one of your areas with at least two dice, or end your turn"
    if why := why_not_from(s, first):
        return why
    if len(rest) != 1:
        return "two areas make an attack: there is nothing more to choose"
    if rest[0] is None:
        return f"area {first} is chosen: choose one beside it, or take that back first"
    if rest[0] == first:
        return f"area {first} is chosen already: choose one beside it"
    own = s.owner[rest[0]] == s.player and s.transfer_limit > 0
    pack = actions.transfer_code if own else actions.attack_code
    return actions.why_not(s, pack(first, rest[0]))


def area_clicked(s: np.record, click: Click) -> int | None:
    """The area that was clicked, if it was one."""
    match = re.fullmatch(r"t([0-9]{1,2})", click) if isinstance(click, str) else None
    return int(match[1]) if match and int(match[1]) < s.areas else None


def why_not_from(s: np.record, i: int) -> str:
    """Why nothing can set out from an area; empty when something can."""
    if s.owner[i] != s.player:
        return f"area {i} is not yours; choose one of your areas with at least two dice first"
    if s.dice[i] < 2:
        return f"area {i} has one die, and one must stay"
    near = neighbours(s, i)
    if any(s.owner[j] != s.player for j in near):
        return ""
    if s.transfer_limit == 0:
        return f"area {i} touches no area of another player"
    if s.transfers >= s.transfer_limit:
        return f"area {i} touches only your own areas, and no transfer is left this turn"
    if all(s.dice[j] == MAX_DICE for j in near):
        return f"area {i} touches only your own areas, and they are full"
    return ""


def neighbours(s: np.record, i: int) -> list[int]:
    near = int(s.neighbours[i])
    return [j for j in range(s.areas) if near >> j & 1]


# --- words ---


def status(s: np.record, viewer: int, names: Sequence[str | None] = ()) -> str:
    """What is going on and what is expected, in a sentence."""
    if s.phase == DONE:
        left = [p for p in range(s.players) if s.held[p] > 0]
        return result(left, len(left) > 1, viewer, names)
    you = viewer == s.player
    who = "You" if you else called(int(s.player), names)
    if s.phase == ROLL:
        i, j = s.source, s.target
        against = f"{dice_in_words(s.dice[i])} against {dice_in_words(s.dice[j])}"
        return f"{who} {'attack' if you else 'attacks'} area {j} from {i}: {against}."
    if s.phase == PLACE:
        return f"{who} {'get' if you else 'gets'} {dice_in_words(s.placing)}."
    if you:
        return f"Your turn: {expected(s)}."
    lost = 0 <= viewer < s.players and s.held[viewer] == 0
    return f"{'You are out; ' if lost else ''}{who} is to move."


def expected(s: np.record) -> str:
    """What whose turn it is may choose from."""
    owner, dice, me = s.owner.tolist(), s.dice.tolist(), int(s.player)
    mine = [i for i in range(s.areas) if owner[i] == me and dice[i] > 1]
    near = {(owner[j] == me, dice[j] < MAX_DICE) for i in mine for j in neighbours(s, i)}
    ways = ["attack"] if any(not own for own, _ in near) else []
    if s.transfers < s.transfer_limit and (True, True) in near:
        ways.append("move dice")
    if not ways:
        return "none of your areas can attack, so end your turn"
    return f"choose an area to {' or '.join(ways)} from, or end your turn"


def players(s: np.record) -> list[list[tuple[str, str]]]:
    """By seat what everybody can count."""
    regions = np.zeros(s.players)
    rules.score(s, regions)
    dice = np.bincount(s.owner[: s.areas], s.dice[: s.areas], s.players)
    columns = {"areas": s.held, "largest region": regions, "dice": dice, "reserve": s.reserve}
    return [[(k, f"{v[p]:.0f}") for k, v in columns.items()] for p in range(s.players)]


# --- what a page may animate ---


def effects(before: np.record, code: int, after: np.record) -> list[Effect]:
    """Dice that fall, dice that move, a new die, and who is out."""
    if before.phase == ROLL:
        return battle(before, bool(code), after)
    if before.phase == PLACE:
        return [{"kind": "pulse", "at": f"t{code}"}]
    if is_transfer(code):
        i, j = source_of(code), target_of(code)
        return [moved(i, j, int(after.dice[j]) - int(before.dice[j]))]
    if after.phase == PLACE:
        words = f"{called(int(before.player))} gets {dice_in_words(after.placing)}"
        return [{"kind": "say", "words": words}]
    return []


def moved(source: int, target: int, n: int) -> Effect:
    return {"kind": "move", "from": f"t{source}", "to": f"t{target}", "number": n}


def battle(s: np.record, won: bool, after: np.record) -> list[Effect]:
    """The throw; then, if it was won, dice move in, and who had only this area is out."""
    i, j = int(s.source), int(s.target)
    attackers, defenders, loser = int(s.dice[i]), int(s.dice[j]), int(s.owner[j])
    faces = throw(attackers, defenders, won, fate(s))
    shown: list[Effect] = [
        {"kind": "dice", "at": f"t{j}", "from": f"t{i}", "faces": faces, "won": won}
    ]
    if won:
        shown.append(moved(i, j, attackers - 1))
    if after.held[loser] == 0:
        shown.append({"kind": "say", "words": f"{called(loser)} is out"})
    return shown


def fate(s: np.record) -> random.Random:
    """Chance that everybody is shown alike, and that is the same again in a replay."""
    position = (int(s.battles), s.owner[: s.areas].tolist(), s.dice[: s.areas].tolist())
    return random.Random(repr(position))


def throw(attackers: int, defenders: int, won: bool, rng: random.Random) -> list[list[int]]:
    """Faces that fit an outcome: all throws that do are as likely."""
    sums, weights = fitting_sums(attackers, defenders, won)
    high, low = rng.choices(sums, cum_weights=weights)[0]
    return [throw_of(attackers, high, rng), throw_of(defenders, low, rng)]


@functools.cache
def fitting_sums(
    attackers: int, defenders: int, won: bool
) -> tuple[list[tuple[int, int]], list[int]]:
    """The sums of both sides with which the attack is won or lost, and their running weights."""
    ways = {
        (x, y): m * n
        for x, m in enumerate(throws(attackers))
        for y, n in enumerate(throws(defenders))
        if m * n > 0 and (x > y) == won
    }
    return list(ways), list(accumulate(ways.values()))


def throw_of(dice: int, total: int, rng: random.Random) -> list[int]:
    """So many dice with this sum, one after the other."""
    faces = []
    for left in range(dice - 1, -1, -1):
        ways = throws(left)
        weights = [ways[total - f] if 0 <= total - f < len(ways) else 0 for f in range(1, 7)]
        faces.append(rng.choices(range(1, 7), weights)[0])
        total -= faces[-1]
    return faces


@functools.cache
def throws(dice: int) -> list[int]:
    """In how many ways so many dice show each sum."""
    if dice == 0:
        return [1]
    return np.convolve(throws(dice - 1), [0, 1, 1, 1, 1, 1, 1]).tolist()


# --- for a terminal ---


def picture(s: np.record) -> str:
    """The board in letters, large ones for whose turn it is; ``17/5``: area 17 has five dice."""
    rows = [[" "] * (2 * COLUMNS + 2) for _ in range(ROWS)]
    hexes = s.hexes.reshape(ROWS, COLUMNS)
    for row, column in zip(*np.nonzero(hexes != SEA), strict=True):
        x, i = 2 * column + row % 2, hexes[row, column]
        joined = column + 1 < COLUMNS and hexes[row, column + 1] == i
        rows[row][x] = letter(s, i)
        rows[row][x + 1] = letter(s, i) if joined else " "
    for i, (x, y) in enumerate(board(s).labels):
        row, column = round(y / QUARTER_HEIGHT / 3), round(x / HALF_WIDTH)
        words = f"{i}/{s.dice[i]}"
        begin = column + 1 - len(words) // 2
        rows[row][begin : begin + len(words)] = words
    drawn = dedent("\n".join("".join(row).rstrip() for row in rows)).strip("\n")
    players = (f"{PLAYERS[p].letter} {player_in_words(s, p)}" for p in range(s.players))
    return "\n".join((drawn, *players, title(s)))


def letter(s: np.record, i: int) -> str:
    """The letter of an area's owner."""
    own = PLAYERS[s.owner[i]].letter
    return own if s.owner[i] == s.player else own.lower()
