"""Lay the patch in hand beside others so that all sides fit, then pin it or pass. Pins score."""

import numpy as np

from kostka.core import rules
from kostka.core.kernels import kernel
from kostka.core.record import record, within

DRAW, LAY, PIN, DONE = range(4)

#: A square of cells with the first patch in its middle; nobody gets to its edge.
WIDE = 25
START = WIDE * (WIDE // 2) + WIDE // 2

#: Actions are 4 * cell + rotation, and what follows.
PINNED, PASS = 4 * WIDE * WIDE, 4 * WIDE * WIDE + 1

#: The sides of each kind clockwise from the north, wool 0 or silk 1, and how many look different.
SIDES = np.array([[0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 1, 0], [1, 1, 0, 0]])
LOOKS = np.array([1, 4, 2, 4])
#: The cells to the north, east, south and west.
BESIDE = np.array([-WIDE, 1, WIDE, -1])
KINDS, EMPTY = len(SIDES), -1

CLOTH = ("wool", "silk")
WAYS = ("north", "east", "south", "west")
NAMES = ("plain patch", "edged patch", "striped patch", "cornered patch")

State = record(
    "patches.state",
    phase=within(DRAW, DONE, "i4"),
    player=within(0, 1, "i4"),
    hand=within(0, KINDS - 1, "i4"),
    kind=within(EMPTY, KINDS - 1, "i4", WIDE * WIDE),
    rotation=within(0, 3, "i4", WIDE * WIDE),
    last=within(0, WIDE * WIDE - 1, "i4"),
    laid=within(0, 12, "i4"),
    pins=within(0, 12, "i4", 2),
    fixed=dict(patches=within(1, 12, "i4"), only=within(-1, KINDS - 1, "i4")),
)


def start(s, options):
    s.patches, s.only = options["patches"], options["only"]
    s.kind[:] = EMPTY
    s.kind[START], s.last = KINDS - 1, START


@rules.mover.method(State)
def mover(s):
    if s.phase == DONE:
        return rules.OVER
    return rules.CHANCE if s.phase == DRAW else s.player


@kernel
def side(kind, rotation, direction):
    """What a patch shows in a direction once it was turned clockwise."""
    return SIDES[kind, (direction - rotation) % 4]


@kernel
def fits(s, kind, cell, rotation):
    """Does a patch lie beside another there, and agree with all that it touches?"""
    if s.kind[cell] != EMPTY:
        return False
    touches = False
    for d in range(4):
        other = cell + BESIDE[d]
        if 0 <= other < WIDE * WIDE and s.kind[other] != EMPTY:
            touches = True
            if side(s.kind[other], s.rotation[other], (d + 2) % 4) != side(kind, rotation, d):
                return False
    return touches


@rules.legal.method(State)
def legal(s, out):
    """Every rotation in every cell where it fits, without those that look the same."""
    if s.phase == PIN:
        out[0], out[1] = PINNED, PASS
        return 2
    k = 0
    for cell in range(WIDE * WIDE):
        for rotation in range(LOOKS[s.hand]):
            if fits(s, s.hand, cell, rotation):
                out[k] = 4 * cell + rotation
                k += 1
    return k


@kernel
def fits_somewhere(s, kind):
    for cell in range(WIDE * WIDE):
        for rotation in range(LOOKS[kind]):
            if fits(s, kind, cell, rotation):
                return True
    return False


@rules.chance.method(State)
def chance(s, out, prob):
    """Each kind that fits somewhere is as likely; if none does, it is the second."""
    k = 0
    for kind in range(KINDS):
        if (s.only < 0 or kind == s.only) and fits_somewhere(s, kind):
            out[k] = kind
            k += 1
    if k == 0:
        out[0], k = 1, 1
    for i in range(k):
        prob[i] = 1.0 / k
    return k


@rules.apply.method(State)
def apply(s, a):
    if s.phase == DRAW:
        s.hand, s.phase = a, LAY
    elif s.phase == LAY:
        s.last = a // 4
        s.kind[s.last], s.rotation[s.last] = s.hand, a % 4
        s.laid += 1
        s.phase = PIN
    else:
        s.pins[s.player] += a == PINNED
        s.player = 1 - s.player
        s.phase = DONE if s.laid == s.patches else DRAW


@rules.returns.method(State)
def returns(s, out):
    out[0] = 0.5 + 0.5 * (s.pins[0] > s.pins[1]) - 0.5 * (s.pins[0] < s.pins[1])
    out[1] = 1.0 - out[0]


@rules.score.method(State)
def score(s, out):
    out[0], out[1] = s.pins[0], s.pins[1]


def place(cell):
    """Columns to the east and rows to the south of the first patch."""
    return int(cell) % WIDE - WIDE // 2, int(cell) // WIDE - WIDE // 2


def text(s, a):
    if s.phase == DRAW:
        return f"patch {a}"
    if s.phase == PIN:
        return "pin" if a == PINNED else "pass"
    x, y = place(a // 4)
    return f"{x},{y}/{a % 4}"


def describe(s, a):
    if s.phase == DRAW:
        return f"gets a {NAMES[a]}"
    if s.phase == PIN:
        return "pins the patch" if a == PINNED else "pins nothing"
    x, y = place(a // 4)
    first = [WAYS[d] for d in range(4) if side(s.hand, a % 4, d)]
    return f"lays the {NAMES[s.hand]} on {x},{y}, silk to the {' and '.join(first) or 'nowhere'}"
