"""How people meet a Scotland Yard position: drawn as SVG or text, clicked, and put into words."""

import math
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from kostka.core.palette import OUTLINES, PLAYERS
from kostka.core.present import Click, Effect, called, listed
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
from kostka.games.scotlandyard.scenery import (
    GRID_SIZE,
    LOG,
    LONDON_SIZE,
    MARGIN,
    PIECES,
    RING,
    SLOT,
    TAG,
    Point,
    board,
    clearest,
    line_path,
    slot_place,
    stances,
)
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

#: The halos of where Mr X can be: how wide, and how strong.
HALOS = ((128, 0.2), (98, 0.26), (70, 0.44))

#: Pieces that share a cell stand so far from its middle.
BESIDE = 30


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
    return f'<g class="layer">{heat(s)}{roads(s)}{last(s)}{pieces(s)}{log(s)}{panels(s)}</g>'


# --- where Mr X can be ---


def heat(s: np.record) -> str:
    """Warm halos where Mr X can be, the warmer the fewer; light for who sees him anyway."""
    stations = np.flatnonzero(s.possible[: s.stations]).tolist()
    if not stations or s.phase == DONE:
        return ""
    warmth = max(0.4, 1 - 0.12 * math.log(len(stations)))
    known = " known" if s.station[FUGITIVE] != UNKNOWN else ""
    words = f"<title>Mr X can be on {count(len(stations), 'station')}</title>"
    at = board(s).place
    dots = "".join(f"M{at[n][0]} {at[n][1]}h0" for n in stations)
    key = f"sy{zlib.crc32(dots.encode()):08x}"  # several boards may share a page
    unit = board(s).unit
    halos = "".join(
        f'<use href="#{key}" stroke-width="{wide * unit:.0f}" stroke-opacity="{opacity}"/>'
        for wide, opacity in HALOS
    )
    around = "" if s.side else ' mask="url(#sy-around)"'
    return (
        f'<g class="heat{known}" opacity="{warmth:.2f}"{around}>{words}'
        f'<defs><path id="{key}" d="{dots}"/></defs>{halos}</g>'
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
    ring, corner = (68, (50, 56)) if s.side else (RING + 15, clearest(station, TAG))
    return (
        f'<g class="last" transform="translate({x} {y}) scale({b.unit:.3g})">'
        f'<title>{words}</title><circle r="{ring}"/>{tag(*corner, str(move))}</g>'
    )


def tag(x: int, y: int, words: str) -> str:
    """A little flag with the number of a move, or of several."""
    wide = 2 * half_flag(words)
    return (
        f'<rect class="flag" x="{x - wide / 2:g}" y="{y - 13}" width="{wide}" height="26" rx="7"/>'
        f'<text x="{x}" y="{y + 7}">{words}</text>'
    )


def half_flag(words: str) -> int:
    return 7 + 5 * max(2, len(words))


# --- where the piece to move can go, and where Mr X has been ---


def roads(s: np.record) -> str:
    """The lines that the piece to move can take, lit in the colours of their tickets."""
    at = int(s.station[s.piece])
    if s.side or s.phase not in (MR_X, DETECTIVES) or at == UNKNOWN:
        return ""
    held = s.tickets[s.piece].tolist()
    lines = zip(s.to[at].tolist(), s.kind[at].tolist(), range(int(s.degree[at])), strict=False)
    paths = [
        (kind, line_path(at, to, kind))
        for to, kind, _ in lines
        if free(s, to) and (held[BLACK] != 0 or (kind != FERRY and held[kind] != 0))
    ]
    light = f'<path class="lit" d="{"".join(path for _, path in paths)}"/>'
    hues = (f'<path class="{line_class(k)}" d="{path}"/>' for k, path in paths)
    return f'<g class="roads" mask="url(#sy-around)">{light}{"".join(hues)}</g>' if paths else ""


def line_class(kind: int) -> str:
    return "ferry" if kind == FERRY else KINDS[kind]


def story(played: Iterable[tuple[np.record, int]]) -> str:
    """Mr X's way, for who may know everything: of each event the position before it, and its code.

    At a station are the numbers of the moves that led there; 0 is where he started.
    """
    been: dict[int, list[int]] = {}
    paths, here, b, side = [], UNKNOWN, None, 0
    for s, code in played:
        if s.phase not in (START, MR_X) or code in (DOUBLE, PASS):
            continue
        b, side, there = board(s), int(s.side), station_of(code)
        if here not in (UNKNOWN, there):
            n = int(s.degree[here])
            kinds = s.kind[here, :n][s.to[here, :n] == there].tolist()
            kind = kind_of(code) if kind_of(code) in kinds else kinds[0]
            (x, y), (u, v) = b.place[here], b.place[there]
            paths.append(f"M{x} {y}L{u} {v}" if side else line_path(here, there, kind))
        been.setdefault(there, []).append(0 if s.phase == START else int(s.moves) + 1)
        here = there
    if b is None:
        return ""
    around = "" if side else ' mask="url(#sy-around)"'
    tags = "".join(visit(b.place[n], b.unit, n, side, moves) for n, moves in been.items())
    way = "".join(paths)
    return (
        f'<g class="story"><title>Mr X\'s way</title><g{around}><path class="lit" d="{way}"/>'
        f'<path class="way" d="{way}"/></g>{tags}</g>'
    )


def visit(at: Point, unit: float, station: int, side: int, moves: Sequence[int]) -> str:
    """After which moves Mr X was at a station."""
    words = ",".join(map(str, moves))
    half = half_flag(words)
    x, y = (half - 62, -58) if side else clearest(station, (half, TAG[1]), clearest(station, TAG))
    flag = tag(x, y, words)
    return f'<g transform="translate({at[0]} {at[1]}) scale({unit:.3g})">{flag}</g>'


# --- pieces ---


def pieces(s: np.record) -> str:
    """The pieces that the viewer sees, those in front last."""
    b = board(s)
    seen = [p for p in range(s.pieces) if s.station[p] != UNKNOWN]
    seen.sort(key=lambda p: (b.place[s.station[p]][1], -p))
    return f'<g class="pieces">{"".join(piece(s, p, *b.place[s.station[p]]) for p in seen)}</g>'


def piece(s: np.record, p: int, x: int, y: int) -> str:
    """A piece where it stands: at the sign of a station, or in the middle of a cell."""
    words = f"{piece_name(s, p)} on {station_name(s, s.station[p])}"
    to_move = p == s.piece and s.phase in (MR_X, DETECTIVES)
    scale, ring = (1.5, 58) if s.side else (1.15, RING + 9)
    mover = f'<circle class="turn" r="{ring}"/>' if to_move else ""
    stand = "" if s.side else f'<use href="#sy-stand" color="{PLAYERS[owner(s, p)].colour}"/>'
    return (
        f'<g transform="translate({x} {y}) scale({board(s).unit:.3g})"><title>{words}</title>'
        f"{mover}{stand}{figure(s, p, *stance(s, p), scale)}</g>"
    )


def stance(s: np.record, p: int) -> Point:
    """Where a figure stands, from its station: so that it hides no sign, and no other figure."""
    here = [q for q in range(s.pieces) if s.station[q] == s.station[p]]
    if s.side:
        return (0 if len(here) == 1 else -BESIDE if p == here[0] else BESIDE), 78
    places = stances(int(s.station[p]))
    return places[here.index(p) % len(places)]


def figure(s: np.record, p: int, x: int, y: int, scale: float) -> str:
    """The figure of a piece, with the shape of whose it is."""
    player = PLAYERS[owner(s, p)]
    kind = "mrx" if p == FUGITIVE else "pawn" if p < s.players else "bobby"
    shape = (
        f'<path class="badge" transform="translate(0 -33) scale(9)" d="{OUTLINES[player.shape]}"/>'
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
    return f'<g class="journey">{"".join(drawn)}</g>'


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
            f'<text class="stock" x="{at}" y="32">{number(many)}</text></g>'
        )
    if not held:
        where = station_name(s, s.station[p]) if s.station[p] != UNKNOWN else "?"
        drawn.append(f'<text class="stock" x="{left + 52}" y="10">{where}</text>')
    return (
        f'<g class="hand" transform="translate({x} {height + 66})">'
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
        which = f" for {piece_name(s, s.piece)}" if s.piece >= s.players else ""
        return f"choose a {place} next to {here}{which}; Mr X can be on {can}"
    halves = {FIRST_HALF: " for the first of two moves", SECOND_HALF: " for the second move"}
    double = s.half == NO_DOUBLE and s.doubles > 0 and s.moves + 2 <= s.slots
    offer = ", or make a double move" if double else ""
    seen = "; you will be seen there" if shows(s) else ""
    return f"choose a {place} next to {here}{halves.get(int(s.half), '')}{offer}{seen}"


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
    facts = [("moves", f"{s.moves}/{s.slots}"), ("last seen", where), ("can be on", can)]
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
