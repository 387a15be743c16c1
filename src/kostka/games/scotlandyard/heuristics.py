"""Scotland Yard: playout policies, and what guides a search (Nijssen and Winands 2011, 2012)."""

import functools
from typing import Any

import numpy as np

from kostka.core import play, rules
from kostka.core.kernels import kernel
from kostka.core.record import record
from kostka.core.rng import below, uniform
from kostka.games.scotlandyard.actions import DOUBLE, PASS, kind_of, station_of
from kostka.games.scotlandyard.rules import detectives_turn, end, spend, start_round
from kostka.games.scotlandyard.state import (
    BLACK,
    DETECTIVES,
    DETECTIVES_WON,
    DONE,
    FERRY,
    FIRST_HALF,
    FUGITIVE,
    MAX_LINES,
    MAX_STATIONS,
    MR_X,
    NO_DOUBLE,
    SECOND_HALF,
    START,
    TAXI,
    UNKNOWN,
    State,
)

POLICIES: dict[str, Any] = {}
EVALUATIONS: dict[str, Any] = {}

# --- distances ---


def distances(s: Any) -> np.ndarray:
    """Moves between all stations, tickets left out of account; the ferry is not for detectives."""
    return _distances(int(s.stations), s.to.tobytes(), s.kind.tobytes(), s.degree.tobytes())


@functools.lru_cache(maxsize=8)
def _distances(n: int, to: bytes, kind: bytes, degree: bytes) -> np.ndarray:
    lines = np.frombuffer(to, State["to"].base).reshape(MAX_STATIONS, MAX_LINES)
    kinds = np.frombuffer(kind, State["kind"].base).reshape(MAX_STATIONS, MAX_LINES)
    degrees = np.frombuffer(degree, State["degree"].base)
    linked = np.zeros((n, n), np.float32)
    for a in range(n):
        own = lines[a, : degrees[a]]
        linked[a, own[kinds[a, : degrees[a]] != FERRY]] = 1
    found = np.full((n, n), n, np.int64)
    reached = np.eye(n, dtype=np.float32)
    for step in range(n):
        fresh = (reached > 0) & (found == n)
        if not fresh.any():
            break
        found[fresh] = step
        reached = fresh @ linked
    return found


@kernel
def nearest(h, s, station):
    """How far the nearest detective is."""
    least = h.distance[s.station[1], station]
    for piece in range(2, s.pieces):
        least = min(least, h.distance[s.station[piece], station])
    return least


@kernel
def total_distance(h, s, station):
    total = 0
    for piece in range(1, s.pieces):
        total += h.distance[s.station[piece], station]
    return total


# --- playouts: greedy, now and then random ---

#: How detectives chase: the least distance to all stations where Mr X can be together (MTD), or to
#: the one where he is in this playout (CAL).
TOTAL, ASSUMED = range(2)
CHASES = ("total", "assumed")

Chase = record(
    "scotlandyard.chase",
    epsilon="f8",  # how often a move is random
    chase="i8",
    distance=("i1", (MAX_STATIONS, MAX_STATIONS)),
)


@rules.policy.method(Chase, State)
def greedy(p, s, out, rng):
    k = rules.legal(s, out)
    if k == 1 or uniform(rng) < p.epsilon:
        return out[below(rng, k)]
    if s.phase == MR_X:
        return keep_away(p, s, out, k, rng)
    if p.chase == TOTAL:
        return close_in(p, s, out, k, rng)
    return go_after(p, s, out, k, rng)


@kernel
def keep_away(p, s, out, k, rng):
    """Mr X goes where the nearest detective is farthest (MCD); special tickets he saves."""
    best, most, ties = out[0], -1, 0
    for i in range(k):
        a = out[i]
        if a == DOUBLE or (kind_of(a) == BLACK and most >= 0):
            continue
        far = 0 if kind_of(a) == BLACK else 1 + nearest(p, s, station_of(a))
        if far > most:
            best, most, ties = a, far, 1
        elif far == most:
            ties += 1
            if below(rng, ties) == 0:
                best = a
    return best


@kernel
def go_after(p, s, out, k, rng):
    """A detective goes nearer to where Mr X is assumed to be."""
    best, least, ties = out[0], MAX_STATIONS, 0
    for i in range(k):
        far = p.distance[station_of(out[i]), s.station[FUGITIVE]]
        if far < least:
            best, least, ties = out[i], far, 1
        elif far == least:
            ties += 1
            if below(rng, ties) == 0:
                best = out[i]
    return best


@kernel
def close_in(p, s, out, k, rng):
    """A detective goes where all stations on which Mr X can be are nearest together."""
    for i in range(k):
        out[k + i] = 0
    for x in range(s.stations):
        if s.possible[x] == 1:
            for i in range(k):
                out[k + i] += p.distance[station_of(out[i]), x]
    best, ties = 0, 0
    for i in range(k):
        if out[k + i] < out[k + best]:
            best, ties = i, 1
        elif out[k + i] == out[k + best]:
            ties += 1
            if below(rng, ties) == 0:
                best = i
    return out[best]


@play.playout.method(State, Chase)
def chase_down(s, p, out, prob, rng, limit):
    """Who chases one assumed station needs no log, and no list of where else Mr X could be."""
    n = 0
    while n < limit and s.phase != DONE:
        if s.phase == START or p.chase == TOTAL:
            rules.apply(s, rules.sample(s, out, prob, rng) if s.phase == START else greedy(p, s, out, rng))
        else:
            apply_blindly(s, greedy(p, s, out, rng))
        n += 1
    return n


@kernel
def apply_blindly(s, a):
    """An action, without what others learn of it."""
    if s.phase == DETECTIVES:
        if a != PASS:
            spend(s, s.piece, kind_of(a))
            if s.inherits == 1:
                s.tickets[FUGITIVE, kind_of(a)] += 1
            s.station[s.piece] = station_of(a)
            if s.station[s.piece] == s.station[FUGITIVE]:
                end(s, DETECTIVES_WON)
                return
        s.piece += 1
        s.seat = min(s.piece, s.players - 1)
        if s.piece == s.pieces:
            start_round(s)
    elif a == DOUBLE:
        s.doubles -= 1
        s.half = FIRST_HALF
    else:
        if a != PASS:
            spend(s, FUGITIVE, kind_of(a))
            s.station[FUGITIVE] = station_of(a)
            s.moves += 1
        if s.half == FIRST_HALF:
            s.half = SECOND_HALF
        else:
            s.half = NO_DOUBLE
            detectives_turn(s)


# --- what guides a search ---

#: What stations are told apart by: the distance of the nearest detective, or of all on average, or
#: what runs there.
NEAREST, MEAN, LINES = range(3)
CATEGORIES = ("nearest", "mean", "lines")
MAX_CATEGORIES = 5

Guide = record(
    "scotlandyard.guide",
    #: How likely Mr X is to be in a category, by which ones are possible (as bits).
    weight=("f8", (1 << MAX_CATEGORIES, MAX_CATEGORIES)),
    reduction="f8",  # what a detective loses if another one catches Mr X
    category="i4",
    filters="i4",  # whether some moves of Mr X are left out
    distance=("i1", (MAX_STATIONS, MAX_STATIONS)),
)


@kernel
def category(h, s, station):
    """The category of a station where Mr X can be."""
    if h.category == NEAREST:
        return min(nearest(h, s, station), MAX_CATEGORIES) - 1
    if h.category == MEAN:
        mean = (2 * total_distance(h, s, station) + s.pieces - 1) // (2 * (s.pieces - 1))
        return min(max(mean - 2, 0), MAX_CATEGORIES - 1)
    best = TAXI
    for n in range(s.degree[station]):
        kind = s.kind[station, n]
        best = max(best, kind if kind != FERRY else TAXI)
    return best


@kernel
def categories(h, s):
    """Which categories are possible, as bits."""
    found = 0
    for x in range(s.stations):
        if s.possible[x] == 1:
            found |= 1 << category(h, s, x)
    return found


@rules.guess.method(Guide, State)
def guess(h, s, viewer, rng):
    """A category by its weight, then any of its stations."""
    if s.phase == START or s.station[FUGITIVE] != UNKNOWN:
        rules.determinize(s, viewer, rng)
        return
    found = categories(h, s)
    total = 0.0
    for c in range(MAX_CATEGORIES):
        total += h.weight[found, c]
    u, c = uniform(rng) * total, 0
    while c < MAX_CATEGORIES - 1 and (u >= h.weight[found, c] or found >> c & 1 == 0):
        u -= h.weight[found, c]
        c += 1
    ties = 0
    for x in range(s.stations):
        if s.possible[x] == 1 and category(h, s, x) == c:
            ties += 1
            if below(rng, ties) == 0:
                s.station[FUGITIVE] = x
    if ties == 0:
        rules.determinize(s, viewer, rng)


#: A double move is for Mr X when the detectives are no farther than this on average.
CLOSE = 3


@rules.sensible.method(Guide, State)
def sensible(h, s, out, k):
    """Mr X saves his black tickets where they hide little, and double moves for when he needs."""
    if h.filters == 0 or s.phase != MR_X:
        return k
    black = s.turn > 2 and s.reveal[s.moves] == 0 and not only_taxis(s, s.station[FUGITIVE])
    double = total_distance(h, s, s.station[FUGITIVE]) <= CLOSE * (s.pieces - 1)
    kept = 0
    for i in range(k):
        a = out[i]
        if double if a == DOUBLE else black or a == PASS or kind_of(a) != BLACK:
            out[kept] = a
            kept += 1
    return kept if kept > 0 else k


@kernel
def only_taxis(s, station):
    """Whether every neighbour can be reached by taxi."""
    for n in range(s.degree[station]):
        taxi = False
        for other in range(s.degree[station]):
            if s.to[station, other] == s.to[station, n] and s.kind[station, other] == TAXI:
                taxi = True
        if not taxi:
            return False
    return True


@rules.reward.method(Guide, State)
def reward(h, s, out):
    """Coalition reduction: who did not catch Mr X himself gets less, so nobody stands by."""
    rules.returns(s, out)
    if s.won == DETECTIVES_WON and s.piece < s.pieces:
        for seat in range(1, s.players):
            if seat != s.seat:
                out[seat] = 1.0 - h.reduction


@rules.evaluate.method(Guide, State)
def evaluate(h, s, player):
    return 0.5
