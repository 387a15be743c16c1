"""How people meet a position of The Discovery: drawn, clicked, and put into words."""

import functools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from kostka.core import bits
from kostka.core.kernels import kernel
from kostka.core.palette import PLAYERS
from kostka.core.present import Click, Effect, called, listed
from kostka.games.carcassonne import actions, art
from kostka.games.carcassonne.actions import (
    PASS,
    cell_of,
    follower_of,
    is_put,
    is_take,
    place_code,
    place_of,
    put_code,
    segment_of,
    turns_of,
)
from kostka.games.carcassonne.rules import (
    can_enter,
    cities_around,
    has_free_follower,
    placements,
    root,
    worth,
)
from kostka.games.carcassonne.shores import Point, Tile
from kostka.games.carcassonne.state import (
    DONE,
    DRAW,
    FOLLOW,
    FOLLOWERS,
    MAX_CELLS,
    MAX_REGIONS,
    MAX_SEGMENTS,
    NONE,
    PLACE,
    REACH,
    WIDTH,
)
from kostka.games.carcassonne.tileset import TERRAINS

#: How the segments of a tile are told apart in ids.
LETTERS = art.SEGMENTS

#: A tile is so wide; around the board there is room, and it is at least so many tiles wide, high.
SIDE, MARGIN, LEAST = 100, 30, (5, 4)

#: Below the board: the width has so many columns, and the tile in hand takes some of them.
COLUMNS, HAND = 16, 4

#: How much room there is for a player's points and followers, in hundredths of a column.
LEGEND = 420

#: The whole board may be this many times as wide as a follower's radius: 12 pixels across on a
#: page of 360. On a small board a follower is at least so large, on a large one at most.
SMALLEST, FIGURE = 58, (14.0, 26.0)


def svg(s: np.record) -> str:
    """The position as one document."""
    x, y, wide, high = frame(s)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="carcassonne" role="img" '
        f'viewBox="{viewbox(s)}"><title>{title(s)}</title>{backdrop(s)}'
        f'<rect class="paper" x="{x:.0f}" y="{y:.0f}" width="{wide:.0f}" height="{high:.0f}"/>'
        f"{layer(s)}</svg>"
    )


def viewbox(s: np.record) -> str:
    """The part of the plane that the drawing fills; the start tile is always at 0 0."""
    return " ".join(f"{value:.0f}" for value in frame(s))


def title(s: np.record) -> str:
    """The position in a sentence."""
    laid = f"{s.laid} tile{'s' if s.laid != 1 else ''} on the board"
    if s.phase == DONE:
        return f"Carcassonne: The Discovery, the end; {laid}"
    return f"Carcassonne: The Discovery, {PLAYERS[s.player].name} to play; {laid}, {s.left} left"


def backdrop(s: np.record) -> str:
    """What never changes during a game: the artwork of the tile set."""
    defined = art.definitions(drawn_kinds(s).tiles)
    return f'<g class="backdrop"><style>{art.style()}</style>{defined}</g>'


def layer(s: np.record) -> str:
    """What changes: the tiles and their regions, followers, what can be chosen, and the bag."""
    b = Board(s)
    return (
        f'<g class="layer">{"".join(regions(b))}<g class="over">{"".join(over(b))}</g>{last(b)}'
        f'{"".join(cells(b))}<g transform="scale({b.figure})">{"".join(spots(b))}'
        f"{''.join(followers(b))}</g>{below(b)}</g>"
    )


# --- what a record says ---


class Kinds(NamedTuple):
    """The kinds of tile of a set: how they are drawn, their ids, and which segments have sides."""

    tiles: tuple[Tile, ...]
    names: list[str]
    outer: list[list[bool]]


def drawn_kinds(s: np.record) -> Kinds:
    """The kinds of tile of a position's set."""
    n = int(s.types)
    fields = (s.side, s.terrain, s.city, s.beside, s.segments, s.period)
    return _kinds(n, *(np.ascontiguousarray(field[:n]).tobytes() for field in fields))


@functools.lru_cache(maxsize=16)
def _kinds(n: int, *fields: bytes) -> Kinds:
    types = (np.int8, np.int8, np.int8, np.int16, np.int8, np.int8)
    rows = [
        np.frombuffer(field, dtype).reshape(n, -1).tolist()
        for field, dtype in zip(fields, types, strict=True)
    ]
    tiles = tuple(_kind(*row) for row in zip(*rows, strict=True))
    outer = [[j in tile.sides for j in range(len(tile.terrain))] for tile in tiles]
    return Kinds(tiles, [art.key(tile) for tile in tiles], outer)


def _kind(
    side: list[int],
    terrain: list[int],
    city: list[int],
    beside: list[int],
    segments: list[int],
    period: list[int],
) -> Tile:
    many = segments[0]
    cities = ((pair % MAX_SEGMENTS, pair // MAX_SEGMENTS) for pair in city if pair != NONE)
    borders = ((a, b) for a in range(many) for b in range(a + 1, many) if beside[a] >> b & 1)
    return Tile(tuple(side), tuple(terrain[:many]), tuple(cities), frozenset(borders), period[0])


@kernel
def survey(s, roots, points, cities):
    """Of every segment its region; of every region what a follower gets now, and its cities."""
    for n in range(s.regions):
        roots[n] = root(s, n)
        if roots[n] == n:
            points[n] = worth(s, n)
            cities[n] = bits.count(cities_around(s, n))


class Board:
    """A position in plain numbers: the kind, rotation and first segment of every cell's tile."""

    def __init__(self, s: np.record) -> None:
        self.s = s
        n = int(s.slots)
        self.tiles, self.names, self.outer = drawn_kinds(s)
        self.kind, self.area, self.open = (
            field[: s.regions].tolist() for field in (s.kind, s.area, s.open)
        )
        self.at = [(c % WIDTH - REACH, c // WIDTH - REACH) for c in s.cell[:n].tolist()]
        self.first = s.first[:n].tolist()
        laid = zip(self.first, s.type_at[:n].tolist(), s.turned[:n].tolist(), strict=True)
        self.laid = {c: (kind, turn) for c, (first, kind, turn) in enumerate(laid) if first >= 0}
        found = np.zeros((3, MAX_REGIONS), np.int64)
        survey(s, *found)
        self.roots, self.points, self.cities = found[:, : s.regions].tolist()
        self.inner: set[int] = set()  # regions without any side of a tile
        self.frame = frame(s)

    def place(self, c: int) -> tuple[int, int]:
        """The corner of a cell in the drawing."""
        x, y = self.at[c]
        return SIDE * x, SIDE * y

    def tile(self, c: int) -> tuple[Tile, int]:
        """What lies on a cell, and how it is turned."""
        kind, turn = self.laid[c]
        return self.tiles[kind], turn

    def segment(self, region: int) -> tuple[int, int]:
        """The cell and the number of the segment that a region began as."""
        first = max(first for first in self.first if first <= region)
        return self.first.index(first), region - first

    def stand(self, region: int) -> Point:
        """Where a follower stands that was put on a region."""
        c, j = self.segment(region)
        (x, y), (u, v) = self.place(c), art.anchor(self.tile(c)[0], j, self.tile(c)[1])
        return x + u, y + v

    @property
    def figure(self) -> float:
        """The radius of a follower: as large as it must be to be seen on a small page."""
        _, _, wide, high = self.frame
        return float(round(min(max(FIGURE[0], max(wide, 0.75 * high) / SMALLEST), FIGURE[1])))

    @functools.cached_property
    def shapes(self) -> dict[int, list[str]]:
        """The segments of every region, on a board whose tiles are a unit wide."""
        found: dict[int, list[str]] = {}
        for c, (kind, turn) in self.laid.items():
            (x, y), first, name = self.at[c], self.first[c], self.names[kind]
            place = f'" x="{x}" y="{y}"/>'
            for j, outer in enumerate(self.outer[kind]):
                region = self.roots[first + j]
                shape = f'<use href="#{name}{turn or ""}{LETTERS[j]}{place}'
                found.setdefault(region, []).append(shape)
                if not outer:
                    self.inner.add(region)
        return found

    def token(self, thing: str, kind: str, p: int, at: Point, words: str) -> str:
        """A player's follower, where it stands or may stand."""
        x, y = at[0] / self.figure, at[1] / self.figure
        return (
            f'<use id="{thing}" class="thing{kind}" href="#cdf{p}" x="{x:.1f}" y="{y:.1f}">'
            f"<title>{words}</title></use>"
        )

    def words(self, region: int) -> str:
        """A region in words, and what it is worth now."""
        tiles, cities, points = self.area[region], self.cities[region], self.points[region]
        near = "" if not cities else "1 city, " if cities == 1 else f"{cities} cities, "
        size = "1 tile" if tiles == 1 else f"{tiles} tiles"
        closed = "open" if self.open[region] else "closed"
        return f"{TERRAINS[self.kind[region]]}, {size}, {near}{closed}: {points}"


def many(n: int, one: str, more: str = "") -> str:
    return f"{n} {one if n == 1 else more or one + 's'}"


def frame(s: np.record) -> tuple[float, float, float, float]:
    """Left, top, width and height of the drawing: the board, and what is below it."""
    left, top, wide, high = field(s)
    return left, top, wide, high + wide / COLUMNS * rows_below(s)


def field(s: np.record) -> tuple[float, float, float, float]:
    """Left, top, width and height of the board with all cells that a tile can be laid on."""
    y, x = np.divmod(s.cell[: s.slots].astype(np.int64), WIDTH)
    box: list[tuple[float, float]] = []
    for values, least in ((x, LEAST[0]), (y, LEAST[1])):
        low, high = int(values.min()) - REACH, int(values.max()) - REACH
        spare = max(0, least - (high - low + 1)) * SIDE / 2
        begin = SIDE * low - spare - MARGIN
        box.append((begin, SIDE * (high + 1) + spare + MARGIN - begin))
    (left, wide), (top, tall) = box
    return left, top, wide, tall


# --- the board ---


def regions(b: Board) -> Iterator[str]:
    """Every region, lit as a whole when it is pointed at; islands last, they lie on others."""
    for inner in (False, True):
        for kind in range(len(TERRAINS)):
            drawn = "".join(
                region_drawn(b, region, shapes)
                for region, shapes in b.shapes.items()
                if b.kind[region] == kind and (region in b.inner) == inner
            )
            yield f'<g class="cd{kind}" transform="scale({SIDE})">{drawn}</g>' if drawn else ""


def region_drawn(b: Board, region: int, shapes: Sequence[str]) -> str:
    thing = f'id="r{region}" class="thing"'
    words = f"<title>{b.words(region)}</title>"
    if len(shapes) == 1:
        return f"<use {thing}{shapes[0][4:-2]}>{words}</use>"
    return f"<g {thing}>{words}{''.join(shapes)}</g>"


def over(b: Board) -> Iterator[str]:
    """On the regions the borders and motifs of every tile, row by row: those in front last."""
    for row in sorted({b.at[c][1] for c in b.laid}):
        tiles = "".join(
            f'<use href="#{b.names[kind]}{turn}" x="{SIDE * b.at[c][0]}"/>'
            for c, (kind, turn) in b.laid.items()
            if b.at[c][1] == row
        )
        yield f'<g transform="translate(0 {SIDE * row})">{tiles}</g>'


def last(b: Board) -> str:
    """A frame around the tile that was laid last."""
    if b.s.laid < 2:
        return ""
    x, y = b.place(int(b.s.last))
    frames = (f'<use class="last{k}" href="#cdx" x="{x}" y="{y}"/>' for k in ("", " in"))
    return "".join(frames)


# --- what can be chosen ---


def cells(b: Board) -> Iterator[str]:
    """The cells beside the tiles; those where the tile in hand fits are drawn."""
    if b.s.phase != PLACE:
        return
    fitting = {cell_of(a) for a in legal_placements(b.s)}
    for c in b.s.border[: b.s.empty].tolist():
        (x, y), (u, v) = b.place(c), b.at[c]
        cell = f'<use id="c{u},{v}" href="#cdn" x="{x}" y="{y}" class="thing cell'
        yield f'{cell} fits"><title>{u},{v}</title></use>' if c in fitting else f'{cell}"/>'


def legal_placements(s: np.record) -> list[int]:
    out = np.zeros(4 * MAX_CELLS, np.int64)
    return out[: placements(s, out)].tolist()


def spots(b: Board) -> Iterator[str]:
    """The places on the tile just laid where the player to move may put a follower."""
    s = b.s
    if s.phase != FOLLOW or not has_free_follower(s, s.player):
        return
    c = int(s.last)
    tile, turn = b.tile(c)
    x, y = b.place(c)
    for j in range(len(tile.terrain)):
        if can_enter(s, b.first[c], j):
            u, v = art.anchor(tile, j, turn)
            words = b.words(b.roots[b.first[c] + j])
            yield b.token(f"f{j}", " spot", s.player, (x + u, y + v), words)


def followers(b: Board) -> Iterator[str]:
    """Every follower on the board, those in front last."""
    standing = [
        (*b.stand(region), p, f, region)
        for p, own in enumerate(b.s.standing[: b.s.players].tolist())
        for f, region in enumerate(own)
        if region != NONE
    ]
    for x, y, p, f, region in sorted(standing, key=lambda one: one[1]):
        words = f"{PLAYERS[p].name} {f}: {b.words(b.roots[region])}"
        yield b.token(f"m{p}{f}", "", p, (x, y), words)


# --- below the board ---


def rows_below(s: np.record) -> float:
    """How many rows are below the board: the players, and the bag with the tile in hand."""
    left = int((s.bag[: s.types] > 0).sum())
    bag = -(-left // (COLUMNS - HAND))
    return 1.3 + (max(HAND + 0.3, bag + 1.0) if left or s.tile != NONE else 0)


def below(b: Board) -> str:
    """The players, the tile in hand, and what is left in the bag."""
    left, top, wide, high = field(b.s)
    unit = wide / COLUMNS
    moved = f"translate({left:.0f} {top + high:.0f})scale({unit / SIDE:.4f})"
    return (
        f'<g class="below" transform="{moved}">{"".join(legend(b.s))}{hand(b)}{"".join(bag(b))}</g>'
    )


def legend(s: np.record) -> Iterator[str]:
    """Every player's shape, points and free followers; a frame around whose turn it is."""
    slot = SIDE * COLUMNS / int(s.players)
    size = min(1.0, slot / LEGEND)
    for p in range(s.players):
        points, free = int(s.points[p]), s.standing[p].tolist().count(NONE)
        turn = bool(p == s.player and s.phase != DONE)
        pill = f'<rect class="pill" width="{LEGEND - 30}" height="92" x="-48" y="-46" rx="46"/>'
        small = "".join(f'<use href="#cdf{p}" x="{9.3 + 2.4 * i:g}"/>' for i in range(free))
        words = f"{PLAYERS[p].name}: {many(points, 'point')}, {many(free, 'follower')} left"
        yield (
            f'<g transform="translate({p * slot + 70 * size:.0f} 54)scale({size:.2f})">'
            f"<title>{words}</title>{pill * turn}"
            f'<use href="#cdf{p}" transform="scale(36)"/>'
            f'<text class="tally" x="50" y="19">{points}</text>'
            f'<g transform="scale(19)">{small}</g></g>'
        )


def hand(b: Board) -> str:
    """The tile that is to be laid, large."""
    if b.s.tile == NONE:
        return ""
    return (
        '<g class="hand" transform="translate(20 128)scale(3.6)"><title>the tile in hand</title>'
        f"{art.whole(b.tiles[b.s.tile], 0)}</g>"
    )


def bag(b: Board) -> Iterator[str]:
    """What is left in the bag, by kind."""
    counts = b.s.bag[: b.s.types].tolist()
    kinds_left = [t for t, n in enumerate(counts) if n > 0]
    if not kinds_left:
        return
    start, room = HAND * SIDE + 20, COLUMNS - HAND
    columns = -(-len(kinds_left) // -(-len(kinds_left) // room))
    yield f'<text class="rest" x="{start}" y="170">{many(sum(counts), "tile")} in the bag</text>'
    for i, t in enumerate(kinds_left):
        row, column = divmod(i, columns)
        x, y = start + 98 * column, 98 * row + 195
        number = f'<text class="count" x="96" y="98">{counts[t]}</text>' if counts[t] > 1 else ""
        yield f'<g transform="translate({x} {y})scale(.84)">{art.whole(b.tiles[t], 0)}{number}</g>'


# --- clicks ---


def clicks(s: np.record, action: int) -> list[Click]:
    """A cell and a rotation; then a place on the tile, one's own follower, or the button."""
    if action == PASS:
        return ["!pass"]
    if is_put(action):
        return [f"f{segment_of(action)}"]
    if is_take(action):
        return [f"m{s.player}{follower_of(action)}"]
    x, y = place_of(s, cell_of(action))
    return [f"c{x},{y}", {"choice": f"r{turns_of(action)}", "verbs": ["Turn", "Lay"]}]


def preview(s: np.record, action: int) -> str:
    """The tile where it would lie; the region that a follower would be put on or leaves."""
    if action == PASS:
        return ""
    if not is_put(action) and not is_take(action):
        x, y = place_of(s, cell_of(action))
        return art.whole(drawn_kinds(s).tiles[s.tile], turns_of(action), (SIDE * x, SIDE * y))
    if is_put(action):
        region = int(s.first[s.last]) + segment_of(action)
    else:
        region = int(s.standing[s.player, follower_of(action)])
    b = Board(s)
    return f'<g class="lit" transform="scale({SIDE})">{"".join(b.shapes[b.roots[region]])}</g>'


def why_not(s: np.record, path: Sequence[Click]) -> str:
    """Why the last of these clicks is refused to whose turn it is."""
    first, *rest = path
    if s.phase == PLACE and not (isinstance(first, str) and first.startswith("c")):
        return "lay the tile first: choose a cell where it fits"
    match = THING.fullmatch(first) if isinstance(first, str) else None
    if match is None:
        return EXPECTED[int(s.phase)]
    if match["x"]:
        return why_not_there(s, (int(match["x"]), int(match["y"])), rest)
    if match["owner"]:
        return why_not_take(s, int(match["owner"]), int(match["follower"]))
    if match["segment"]:
        return actions.why_not(s, put_code(int(match["segment"])))
    return why_not_enter(s, int(match["region"]))


#: What is clicked: a cell, a follower, a place for one, or a region.
THING = re.compile(
    r"c(?P<x>-?\d{1,2}),(?P<y>-?\d{1,2})|m(?P<owner>\d)(?P<follower>\d)|f(?P<segment>\d)"
    r"|r(?P<region>\d{1,3})"
)

#: By phase what can be clicked, for whoever clicks something else.
EXPECTED = {
    PLACE: "choose a cell where the tile in hand fits",
    FOLLOW: "choose a place on the tile just laid, one of your followers on the board, or pass",
}


def why_not_there(s: np.record, at: tuple[int, int], rest: Sequence[Click]) -> str:
    """Why the tile in hand cannot be laid on a cell, or not so turned."""
    if at not in actions.places(s):
        return "no tile lies next to that cell"
    c = actions.slot_of(s, *at)
    choice = rest[0].get("choice") if rest and isinstance(rest[0], dict) else None
    turns = [r for r in range(4) if choice == f"r{r}"]
    if s.phase != PLACE or s.first[c] != NONE or turns:
        return actions.why_not(s, place_code(c, turns[0] if turns else 0))
    if any(cell_of(a) == c for a in legal_placements(s)):
        return "turn the tile, or lay it as it is"
    asked = [
        f"the {side} side must be {actions.TERRAINS[need - 1]}"
        for d, side in enumerate(actions.SIDES)
        if (need := int(s.needs[c]) >> 2 * d & 3)
    ]
    return f"{listed(asked)}, and this tile cannot be turned so"


def why_not_take(s: np.record, owner: int, f: int) -> str:
    """Why a follower cannot be taken back."""
    if owner >= s.players or f >= FOLLOWERS or s.standing[owner, f] == NONE:
        return "there is no such follower on the board"
    if owner != s.player:
        return f"that follower is {called(owner)}'s; you can take back only your own"
    return "that follower is chosen already"


def why_not_enter(s: np.record, region: int) -> str:
    """Why no follower can be put on a region that was clicked."""
    first, segments = int(s.first[s.last]), int(s.segments[s.type_at[s.last]])
    own = [j for j in range(segments) if region < s.regions and root(s, first + j) == region]
    if not own:
        return "a follower can only be put on the tile just laid"
    if has_free_follower(s, s.player) and can_enter(s, first, own[0]):
        return "choose the place on the tile just laid where your follower is to stand"
    return actions.why_not(s, put_code(own[0]))


# --- words ---


def status(s: np.record, viewer: int, names: Sequence[str | None] = ()) -> str:
    """What is going on and what is expected, in a sentence."""
    return actions.status(s, viewer, names)


def players(s: np.record) -> list[list[tuple[str, str]]]:
    """By seat what everybody can count."""
    free = [own.count(NONE) for own in s.standing.tolist()]
    return [
        [("points", str(s.points[p])), ("followers left", str(free[p]))] for p in range(s.players)
    ]


# --- what a page may animate ---


def effects(before: np.record, code: int, after: np.record) -> list[Effect]:
    """A follower that comes, and what one brings that goes."""
    p = int(before.player)
    if before.phase == DRAW or not (is_put(code) or is_take(code)):
        return []
    if is_put(code):
        region = int(before.first[before.last]) + segment_of(code)
        f = after.standing[p].tolist().index(region)
        return [{"kind": "pulse", "at": f"m{p}{f}"}]
    brought = int(worth(before, root(before, before.standing[p, follower_of(code)])))
    words = f"{called(p)} takes a follower back: {many(brought, 'point')}"
    return [{"kind": "say", "words": words}]
