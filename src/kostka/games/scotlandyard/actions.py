"""What the codes of Scotland Yard mean: packed, unpacked, named for people and parsed back."""

import re
from typing import Any

from kostka.core.kernels import kernel
from kostka.games.scotlandyard.state import (
    BLACK,
    FERRY,
    FIRST_HALF,
    FUGITIVE,
    KINDS,
    MAX_STATIONS,
    MR_X,
    SECOND_HALF,
    START,
    UNKNOWN,
)

DOUBLE = len(KINDS) * MAX_STATIONS
PASS = DOUBLE + 1
ACTIONS = PASS + 1

#: What others see: a move by a kind of ticket (one code a kind), and that Mr X has a start.
HIDDEN_MOVE = ACTIONS
HIDDEN_START = HIDDEN_MOVE + len(KINDS)


@kernel
def move_code(kind, station):
    return kind * MAX_STATIONS + station


@kernel
def kind_of(a):
    return a // MAX_STATIONS


@kernel
def station_of(a):
    return a % MAX_STATIONS


def station_name(s: Any, station: int) -> str:
    """The number of a station; on the grid column and row, ``a1`` in the upper left corner."""
    if s.side == 0:
        return str(station)
    row, column = divmod(int(station), int(s.side))
    return f"{chr(ord('a') + column)}{row + 1}"


def station_named(s: Any, name: str) -> int:
    """The station of this name; ValueError when there is none."""
    if s.side == 0:
        if not re.fullmatch(r"[1-9]\d{0,2}", name) or int(name) >= s.stations:
            raise ValueError(name)
        return int(name)
    match = re.fullmatch(r"([a-z])([1-9]\d?)", name)
    column, row = (ord(match[1]) - ord("a"), int(match[2]) - 1) if match else (-1, -1)
    if not (0 <= column < s.side and 0 <= row < s.side):
        raise ValueError(name)
    return row * int(s.side) + column


def text(s: Any, a: int) -> str:
    """``taxi 46``, ``double``, ``pass``, ``start 46``; on the grid ``c3``. Hidden: no station."""
    if a == HIDDEN_START:
        return "start"
    if a >= HIDDEN_MOVE:
        return "moves" if s.side else KINDS[a - HIDDEN_MOVE]
    if s.phase == START:
        return f"start {station_name(s, a)}"
    if a >= DOUBLE:
        return "double" if a == DOUBLE else "pass"
    name = station_name(s, station_of(a))
    return name if s.side else f"{KINDS[kind_of(a)]} {name}"


def parse(s: Any, words: str) -> int:
    """The code of a notation; ValueError when it is none."""
    if s.phase != START and words in ("double", "pass"):
        return DOUBLE if words == "double" else PASS
    how, _, name = words.rpartition(" ")
    station = station_named(s, name)
    if s.phase == START or s.side:
        if how != ("start" if s.phase == START else ""):
            raise ValueError(words)
        return station
    return move_code(KINDS.index(how), station)


def describe(s: Any, a: int) -> str:
    """An action or outcome in words."""
    where = station_name(s, station_of(a))
    if a == HIDDEN_START:
        return "Mr X hides"
    if a >= HIDDEN_MOVE:
        return "Mr X moves" if s.side else f"Mr X moves by {_by(a - HIDDEN_MOVE)}"
    if s.phase == START:
        return f"Mr X starts at {where}"
    if a == DOUBLE:
        return "make a double move"
    if a == PASS:
        return "pass, for there is nowhere to go"
    if station_of(a) == s.station[s.piece]:
        return f"stay at {where}, for there is nowhere to go"
    return f"go to {where}" if s.side else f"go to {where} by {_by(kind_of(a))}"


def _by(kind: int) -> str:
    return "black ticket" if kind == BLACK else KINDS[kind]


def why_not(s: Any, a: int) -> str:
    """The rule that forbids an action."""
    if s.station[s.piece] == UNKNOWN:
        return "Mr X is to move, and only he knows where he is"
    if a == PASS:
        return "who can move must move"
    if a == DOUBLE:
        return _why_no_double(s)
    kind, to, at = kind_of(a), station_of(a), s.station[s.piece]
    if to >= s.stations or s.degree[to] == 0:
        return f"there is no station {to}"
    here, there = station_name(s, at), station_name(s, to)
    lines = {int(s.kind[at, n]) for n in range(s.degree[at]) if s.to[at, n] == to}
    if not lines:
        return f"{there} is not next to {here}"
    if any(s.station[piece] == to for piece in range(1, s.pieces)):
        return f"a detective stands at {there}"
    if kind == BLACK and s.piece != FUGITIVE:
        return "only Mr X has black tickets"
    if kind != BLACK and kind not in lines:
        names = " and ".join("ferry" if line == FERRY else KINDS[line] for line in sorted(lines))
        return f"{here} and {there} are linked by {names} only"
    return f"there is no {KINDS[kind]} ticket left"


def _why_no_double(s: Any) -> str:
    if s.phase != MR_X:
        return "only Mr X makes double moves"
    if s.half in (FIRST_HALF, SECOND_HALF):
        return "this is a double move already"
    if s.doubles == 0:
        return "there is no double move left"
    if s.moves + 2 > s.slots:
        return "a double move needs two free places in the log"
    return "there is nowhere to go"
