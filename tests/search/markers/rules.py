"""Lay a tile on a lower one, then put a marker on it, take one back for its height, or pass.

A tile that fits nowhere is put aside, and the same player draws again.
"""

from kostka.core import rules
from kostka.core.kernels import kernel
from kostka.core.record import new, record, within

HEIGHTS, MAX_CELLS, MAX_PLAYERS = 4, 6, 4
DRAW, PLACE, MARK, DONE = range(4)

#: Actions: a cell to lay the tile on or to take the marker back from; outcomes: heights less one.
PUT, TAKE, PASS = 0, 1, 1 + MAX_CELLS
NOBODY = -1

State = record(
    "markers.state",
    drawn=within(0, 9972, "i8"),  # a number that the order of the tiles so far makes
    phase=within(DRAW, DONE, "i4"),
    player=within(0, MAX_PLAYERS - 1, "i4"),
    tile=within(0, HEIGHTS, "i4"),
    last=within(0, MAX_CELLS - 1, "i4"),
    bag=within(0, 100, "i4", HEIGHTS),
    top=within(0, HEIGHTS, "i4", MAX_CELLS),
    owner=within(NOBODY, MAX_PLAYERS - 1, "i4", MAX_CELLS),
    points=within(0, 10**6, "i4", MAX_PLAYERS),
    fixed=dict(players=within(2, MAX_PLAYERS, "i4"), cells=within(1, MAX_CELLS, "i4")),
)

#: What everybody would have with all markers taken back, compared with the best of the others.
Margin = record("markers.margin", scale="f8")
#: The same, which also knows the best whole turn.
Quick = record("markers.quick", scale="f8")
#: A number that the order of the tiles alone makes.
Luck = record("markers.luck", unused="i8")
#: The first action there is.
First = record("markers.first", unused="i8")

EVALUATIONS = {
    "margin": new(Margin, scale=100.0),
    "quick": new(Quick, scale=100.0),
    "luck": new(Luck),
}
POLICIES = {"first": new(First)}


def start(s, options):
    s.players, s.cells = options["players"], options["cells"]
    s.bag[:] = options["copies"]
    s.owner[:] = NOBODY


# --- the rules ---


@rules.mover.method(State)
def mover(s):
    if s.phase == DONE:
        return rules.OVER
    return rules.CHANCE if s.phase == DRAW else s.player


@rules.chance.method(State)
def chance(s, out, prob):
    k, total = 0, 0
    for t in range(HEIGHTS):
        if s.bag[t] > 0:
            out[k], prob[k] = t, s.bag[t]
            total += s.bag[t]
            k += 1
    for i in range(k):
        prob[i] /= total
    return k


@rules.legal.method(State)
def legal(s, out):
    k = 0
    if s.phase == PLACE:
        for c in range(s.cells):
            if s.top[c] < s.tile:
                out[k] = c
                k += 1
        return k
    if s.owner[s.last] == NOBODY:
        out[k] = PUT
        k += 1
    for c in range(s.cells):
        if s.owner[c] == s.player:
            out[k] = TAKE + c
            k += 1
    out[k] = PASS
    return k + 1


@rules.apply.method(State)
def apply(s, a):
    if s.phase == DRAW:
        s.bag[a] -= 1
        s.drawn = (s.drawn * 5 + a + 1) % 9973
        s.tile = a + 1
        s.phase = PLACE if fits(s) else DRAW
    elif s.phase == PLACE:
        s.top[a], s.last = s.tile, a
        s.phase = MARK
        return
    else:
        if a == PUT:
            s.owner[s.last] = s.player
        elif a < PASS:
            s.points[s.player] += s.top[a - TAKE]
            s.owner[a - TAKE] = NOBODY
        s.player = (s.player + 1) % s.players
        s.phase = DRAW
    if s.phase == DRAW and bag_is_empty(s):
        finish(s)


@kernel
def fits(s):
    room = False
    for c in range(s.cells):
        room |= s.top[c] < s.tile
    return room


@kernel
def bag_is_empty(s):
    empty = True
    for t in range(HEIGHTS):
        empty &= s.bag[t] <= 0
    return empty


@kernel
def finish(s):
    """All markers come back."""
    s.phase = DONE
    for c in range(s.cells):
        if s.owner[c] != NOBODY:
            s.points[s.owner[c]] += s.top[c]
            s.owner[c] = NOBODY


@rules.returns.method(State)
def returns(s, out):
    best, winners = 0, 0
    for p in range(s.players):
        best = max(best, s.points[p])
    for p in range(s.players):
        winners += s.points[p] == best
    for p in range(s.players):
        out[p] = 1.0 / winners if s.points[p] == best else 0.0


# --- what positions are worth ---


@kernel
def worth(s, p):
    n = 0.0 + s.points[p]
    for c in range(s.cells):
        if s.owner[c] == p:
            n += s.top[c]
    return n


@kernel
def margin(h, s, p):
    other = 0.0
    for q in range(s.players):
        if q != p:
            other = max(other, worth(s, q))
    return 0.5 + (worth(s, p) - other) / h.scale


@rules.evaluate.method(Margin, State)
def evaluate(h, s, player):
    return margin(h, s, player)


@rules.reward.method(Margin, State)
def reward(h, s, out):
    for p in range(s.players):
        out[p] = margin(h, s, p)


@rules.evaluate.method(Quick, State)
def evaluate_quick(h, s, player):
    return margin(h, s, player)


@rules.reward.method(Quick, State)
def reward_quick(h, s, out):
    for p in range(s.players):
        out[p] = margin(h, s, p)


@rules.best_turn.method(Quick, State)
def best_turn(h, s, turn, gain, out):
    """The best put is known for each cell, and to take or to pass changes nothing of the worth."""
    me, best = s.player, -1.0
    for c in range(s.cells):
        if s.top[c] < s.tile:
            before, whose = s.top[c], s.owner[c]
            s.top[c] = s.tile
            if whose == NOBODY:
                s.owner[c] = me
            value = margin(h, s, me)
            if value > best:
                best = value
                turn[0] = c
                for p in range(s.players):
                    gain[p] = margin(h, s, p)
                turn[1] = PUT if whose == NOBODY else first_to_take(s, me)
            s.top[c], s.owner[c] = before, whose
    return 2


@kernel
def first_to_take(s, me):
    for c in range(s.cells):
        if s.owner[c] == me:
            return TAKE + c
    return PASS


@rules.evaluate.method(Luck, State)
def evaluate_luck(h, s, player):
    return s.drawn / 9973.0


@rules.reward.method(Luck, State)
def reward_luck(h, s, out):
    for p in range(s.players):
        out[p] = s.drawn / 9973.0


@rules.policy.method(First, State)
def first(p, s, out, rng):
    rules.legal(s, out)
    return out[0]


# --- for people ---


def text(s, a):
    if s.phase == MARK:
        return {PUT: "put", PASS: "pass"}.get(a) or f"take {a - TAKE}"
    return f"tile {a + 1}" if s.phase == DRAW else f"on {a}"
