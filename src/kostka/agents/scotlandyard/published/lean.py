"""The lean game of the tree searches: Scotland Yard without belief and log, which playouts and
trees do not need, and with the moves of all detectives taken together."""

import functools
from typing import Any

import numpy as np

from kostka.core.kernels import kernel
from kostka.core.record import new, record
from kostka.core.rng import below
from kostka.games.scotlandyard.actions import PASS, kind_of, move_code, station_of
from kostka.games.scotlandyard.rules import (
    can_move,
    detectives_turn,
    end,
    is_free,
    moves,
    spend,
    start_round,
)
from kostka.games.scotlandyard.state import (
    DETECTIVES_WON,
    FUGITIVE,
    MAX_LINES,
    MAX_PIECES,
    MAX_STATIONS,
    TAXI,
    State,
)

MAX_MOVES = 2 * MAX_LINES

#: Steps tried on a grid before the legal ones are listed.
TRIES = 4


@kernel
def mr_x_goes(s, a):
    """Where he has nowhere to go, and is not caught for that, he passes."""
    if a != PASS:
        spend(s, FUGITIVE, kind_of(a))
        s.station[FUGITIVE] = station_of(a)


@kernel
def mr_x_went(s):
    s.moves += 1
    detectives_turn(s)


@kernel
def detective_goes(s, piece, a):
    if a != PASS:
        spend(s, piece, kind_of(a))
        if s.inherits == 1:
            s.tickets[FUGITIVE, kind_of(a)] += 1
        s.station[piece] = station_of(a)


@kernel
def detectives_went(s):
    """All detectives have moved: Mr X may be caught or surrounded, or the game over."""
    if is_caught(s):
        end(s, DETECTIVES_WON)
    else:
        start_round(s)


@kernel
def is_caught(s):
    there = 0
    for piece in range(1, s.pieces):
        there += s.station[piece] == s.station[FUGITIVE]
    return there > 0


@kernel
def is_surrounded(s):
    return s.surrounded == 1 and not can_move(s, FUGITIVE, s.station[FUGITIVE])


@kernel
def moves_or_pass(s, piece, out):
    """The moves of a piece, double moves left out."""
    k = moves(s, piece, out)
    if k == 0:
        out[0] = PASS
        return 1
    return k


@kernel
def random_move(s, piece, out, rng):
    """A legal move, all as likely; on a grid usually found faster by trying random steps."""
    at = s.station[piece]
    for _ in range(TRIES if s.side > 0 else 0):
        to = s.to[at, below(rng, s.degree[at])]
        if is_free(s, to):
            return np.int64(move_code(TAXI, to))
    return np.int64(out[below(rng, moves_or_pass(s, piece, out))])


# --- the grid in bits: the same random moves from the same numbers, found faster ---

#: Cells that fit into the bits of a number; a larger grid, like London, goes without.
MAX_CELLS = 62

#: A whole number of times the two, three or four ways from a cell.
WAYS = 12

Cells = record(
    "scotlandyard.cells",
    count="i8",  # 0: not this board
    beside=("i8", MAX_CELLS),  # the cells beside each cell, a bit for each
    way=("i1", (MAX_CELLS, WAYS)),  # the same in a list, all as often
)


def cells(s: Any) -> np.ndarray:
    """The cells of a small grid."""
    small = 0 < s.side * s.side <= MAX_CELLS
    return _cells(int(s.stations) if small else 0, s.to.tobytes(), s.degree.tobytes())


@functools.lru_cache(maxsize=8)
def _cells(count: int, to: bytes, degree: bytes) -> np.ndarray:
    lines = np.frombuffer(to, State["to"].base).reshape(MAX_STATIONS, MAX_LINES)
    one = new(Cells, count=count)
    for at, k in enumerate(np.frombuffer(degree, State["degree"].base)[:count]):
        ways = lines[at, :k]
        one["beside"][0, at] = sum(1 << int(cell) for cell in ways)
        one["way"][0, at] = np.repeat(ways, WAYS // k)
    return one


@kernel
def cells_taken(s):
    """Where the detectives stand."""
    taken = 0
    for piece in range(1, s.pieces):
        taken |= 1 << s.station[piece]
    return taken


@kernel
def another_step(cells, at, taken, rng):
    """Where a random move leads when the first way drawn was taken; who cannot move stays.

    The callers draw the first way themselves: a call that passes arrays costs more than the draw.
    """
    for _ in range(TRIES - 1):
        to = np.int64(cells.way[at, below(rng, WAYS)])
        if (taken >> to) & 1 == 0:
            return to
    free, ways = cells.beside[at] & ~taken, 0
    for cell in range(cells.count):
        ways += (free >> cell) & 1
    left, to = below(rng, max(ways, 1)), np.int64(at)
    for cell in range(cells.count):
        if (free >> cell) & 1 == 1:
            to = cell if left == 0 else to
            left -= 1
    return to


@kernel
def detectives_step(s, cells, taken, rng):
    """A random move of each detective; returns where they stand then."""
    for piece in range(1, s.pieces):
        at = s.station[piece]
        to = np.int64(cells.way[at, below(rng, WAYS)])
        if (taken >> to) & 1 == 1:
            to = another_step(cells, at, taken, rng)
        taken ^= (1 << at) ^ (1 << to)
        s.station[piece] = to
    return taken


@kernel
def can_step(s, cells, taken):
    """Whether any detective can move."""
    ways = 0
    for piece in range(1, s.pieces):
        ways |= cells.beside[s.station[piece]] & ~taken
    return ways != 0


@kernel
def is_lost(s, cells, taken, at):
    """Whether Mr X is caught there, or surrounded."""
    return (taken >> at) & 1 == 1 or (s.surrounded == 1 and cells.beside[at] & ~taken == 0)


# --- moves taken together ---


@kernel
def combine(s, first, joint, options, rng):
    """Every combination of moves of the detectives from one on, in the order in which they move.

    When there are too many, a random choice of them, all as likely.
    """
    home, count, index = options[MAX_PIECES], options[MAX_PIECES + 1], options[MAX_PIECES + 2]
    found, piece = 0, first
    home[piece], index[piece] = s.station[piece], 0
    count[piece] = moves_or_pass(s, piece, options[piece])
    while piece >= first:
        if index[piece] == count[piece]:
            s.station[piece] = home[piece]
            piece -= 1
            continue
        a = options[piece, index[piece]]
        index[piece] += 1
        s.station[piece] = home[piece] if a == PASS else station_of(a)
        if piece + 1 < s.pieces:
            piece += 1
            home[piece], index[piece] = s.station[piece], 0
            count[piece] = moves_or_pass(s, piece, options[piece])
            continue
        found += 1
        row = found - 1 if found <= len(joint) else below(rng, found)
        if row < len(joint):
            for other in range(first, s.pieces):
                joint[row, other] = options[other, index[other] - 1]
    return min(found, len(joint))
