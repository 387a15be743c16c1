"""Scotland Yard: playout policies, and what guides a search (Nijssen and Winands 2011, 2012)."""

import functools
import math
from typing import Any

import numpy as np

from kostka.core import play, rules
from kostka.core.kernels import kernel
from kostka.core.memory import floats, integers
from kostka.core.record import record
from kostka.core.rng import below, uniform
from kostka.games.scotlandyard.actions import DOUBLE, PASS, kind_of, station_of
from kostka.games.scotlandyard.rules import longest, play_blindly
from kostka.games.scotlandyard.state import (
    BLACK,
    BUS,
    DETECTIVES,
    DETECTIVES_WON,
    FERRY,
    FUGITIVE,
    MAX_LINES,
    MAX_STATIONS,
    MOST_MOVES,
    MR_X,
    START,
    TAXI,
    UNDERGROUND,
    UNKNOWN,
    State,
)

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
        if a == DOUBLE:
            continue
        far = nearest(p, s, station_of(a))
        if kind_of(a) != BLACK:
            far += MAX_STATIONS
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
    total = integers(MOST_MOVES)
    for i in range(k):
        total[i] = 0
    for x in range(s.stations):
        if s.possible[x] == 1:
            for i in range(k):
                total[i] += p.distance[station_of(out[i]), x]
    best, ties = 0, 0
    for i in range(k):
        if total[i] < total[best]:
            best, ties = i, 1
        elif total[i] == total[best]:
            ties += 1
            if below(rng, ties) == 0:
                best = i
    return out[best]


@play.playout.method(State, Chase)
def chase_to_the_end(s, p, out, prob, rng, limit):
    """Whoever goes after one assumed station does not ask where else Mr X can be."""
    if p.chase != ASSUMED or limit < longest(s):
        return play.play_on(s, p, out, prob, rng, limit)
    return play_blindly(s, p, out, rng)


# --- what guides a search ---

TRAITS = 24
FLIGHT, HUNT = range(2)

Guide = record(
    "scotlandyard.guide",
    chance=("f8", MAX_STATIONS),  # how likely Mr X is held to be at each station
    weight=("f8", (2, TRAITS)),  # of the traits of moves of Mr X and of detectives, for the prior
    reduction="f8",  # what a detective loses if another one catches Mr X
    filters="i8",  # whether some moves of Mr X are left out
    distance=("i1", (MAX_STATIONS, MAX_STATIONS)),
)


@rules.guess.method(Guide, State)
def guess(h, s, viewer, rng):
    """A station where Mr X can be, by its chance."""
    total = 0.0
    for x in range(s.stations):
        if s.possible[x] == 1:
            total += h.chance[x]
    if s.phase == START or s.station[FUGITIVE] != UNKNOWN or total <= 0.0:
        rules.determinize(s, viewer, rng)
        return
    u = uniform(rng) * total
    for x in range(s.stations):
        if s.possible[x] == 1 and h.chance[x] > 0.0:
            s.station[FUGITIVE] = x
            u -= h.chance[x]
            if u < 0.0:
                return


#: A double move is for Mr X when the detectives are no farther than this on average.
CLOSE = 3


@rules.sensible.method(Guide, State)
def sensible(h, s, out, k):
    """Mr X saves his black tickets where they hide little, and double moves for when he needs."""
    if h.filters == 0 or s.phase != MR_X:
        return k
    black = s.turn > 2 and s.reveal[s.moves] == 0 and not only_taxis(s, s.station[FUGITIVE])
    double = total_distance(h, s, s.station[FUGITIVE]) <= CLOSE * (s.pieces - 1)
    kept, single = 0, 0
    for i in range(k):
        a = out[i]
        if double if a == DOUBLE else black or a == PASS or kind_of(a) != BLACK:
            out[kept] = a
            kept += 1
            single += a != DOUBLE
    return kept if single > 0 else rules.legal(s, out)


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


# --- what a move looks like, for a prior ---


@rules.prior.method(Guide, State)
def prior(h, s, a):
    """The logarithm of how likely a good player is to make a move, but for a constant."""
    trait = floats(TRAITS)
    side = traits(h, s, a, trait)
    total = 0.0
    for i in range(TRAITS):
        total += h.weight[side, i] * trait[i]
    return total


@kernel
def traits(h, s, a, out):
    """Write what a move looks like; returns whether it is one of the flight or of the hunt."""
    for i in range(TRAITS):
        out[i] = 0.0
    if s.phase == MR_X:
        if a == DOUBLE:
            traits_of_double(h, s, out)
        elif a != PASS:
            traits_of_flight(h, s, kind_of(a), station_of(a), out)
        return FLIGHT
    if a != PASS:
        traits_of_hunt(h, s, kind_of(a), station_of(a), out)
    return HUNT


@kernel
def traits_of_double(h, s, out):
    """How much Mr X needs two moves."""
    near = nearest(h, s, s.station[FUGITIVE])
    out[0] = 1.0
    out[1] = near == 1
    out[2] = near == 2
    out[3] = total_distance(h, s, s.station[FUGITIVE]) / (s.pieces - 1)


@kernel
def traits_of_flight(h, s, kind, to, out):
    """How near the detectives are then, what ways lead on, and what the ticket costs and tells."""
    near = nearest(h, s, to)
    mean = total_distance(h, s, to) / (s.pieces - 1)
    bus, underground, safe = 0, 0, 0
    for n in range(s.degree[to]):
        safe += nearest(h, s, s.to[to, n]) > 1
        bus += s.kind[to, n] == BUS
        underground += s.kind[to, n] == UNDERGROUND
    shows = s.reveal[s.moves] == 1
    for i in range(5):
        out[4 + i] = near == i + 1
    out[9] = mean
    out[10] = math.log(1.0 * s.degree[to])
    out[11] = kind == BUS
    out[12] = kind == UNDERGROUND
    out[13] = kind == BLACK
    out[14] = math.log(1.0 + safe)
    out[15] = bus > 0
    out[16] = underground > 0
    out[17] = shows and near == 1
    out[18] = shows and near == 2
    out[19] = out[14] if shows else 0.0
    out[20] = mean if shows else 0.0
    out[21] = kind == BLACK and s.moves > 0 and s.seen[s.moves - 1] != UNKNOWN
    out[22] = h.distance[to, s.station[FUGITIVE]] - 1.0
    out[23] = s.tickets[FUGITIVE, BLACK] / (s.slots - s.moves) if kind == BLACK else 0.0


#: Mr X can be nearly anywhere when he can be on more stations than these.
MANY = 20


@kernel
def traits_of_hunt(h, s, kind, to, out):
    """How near a detective, and all of them together, come to where Mr X can be."""
    places = here = beside = close = far = team = nearer = 0
    for x in range(s.stations):
        if s.possible[x] == 1:
            places += 1
            d, others = h.distance[to, x], np.int64(MAX_STATIONS)
            for piece in range(1, s.pieces):
                if piece != s.piece:
                    others = min(others, h.distance[s.station[piece], x])
            here += d == 0
            beside += d <= 1
            close += d <= 2
            far += d
            team += min(d, others)
            nearer += d < others
    bus, underground = 0, 0
    for n in range(s.degree[to]):
        bus += s.kind[to, n] == BUS
        underground += s.kind[to, n] == UNDERGROUND
    soon = s.moves < s.slots and s.reveal[s.moves] == 1
    out[0] = here / places
    out[1] = beside / places
    out[2] = close / places
    out[3] = far / places
    out[4] = team / places
    out[5] = nearer / places
    out[6] = kind == BUS
    out[7] = kind == UNDERGROUND
    out[8] = math.log(1.0 * s.degree[to])
    out[9] = bus > 0
    out[10] = underground > 0
    out[11] = out[3] if places == 1 else 0.0
    out[12] = out[4] if places == 1 else 0.0
    out[13] = soon and bus > 0
    out[14] = soon and underground > 0
    out[15] = out[3] if places > MANY else 0.0
    out[16] = out[4] if places > MANY else 0.0
    out[17] = out[8] if places > MANY else 0.0
    out[18] = kind == BUS and s.tickets[s.piece, BUS] <= 2
    out[19] = kind == UNDERGROUND and s.tickets[s.piece, UNDERGROUND] <= 1
    out[20] = out[4] if soon else 0.0
    out[21] = out[0] if places <= 5 else 0.0
    out[22] = math.log(1.0 + beside)


# --- the outlook: the detectives' chance to win, learnt from games ---

FEATURES = (
    "always", "share of the moves left", "moves left", "places", "share of the places searched",
    "all searched", "ways on", "stations nearer to Mr X", "moves until shown", "set-up",
)  # fmt: skip
PLACES, SEARCHED, SET_UP = 3, 4, 9

Outlook = record("scotlandyard.outlook", weights=("f8", len(FEATURES)))


@kernel
def distances_from(s, line, n, far):
    """Find how far all stations are from the nearest of the first ``n`` of a line."""
    far[: s.stations] = s.stations
    for i in range(n):
        far[line[i]] = 0
    first = 0
    while first < n:
        here = line[first]
        first += 1
        for way in range(s.degree[here]):
            to = s.to[here, way]
            if s.kind[here, way] != FERRY and far[to] == s.stations:
                far[to] = far[here] + 1
                line[n] = to
                n += 1


@kernel
def searchers(s):
    """The detectives who can step to a station where Mr X can be, before he moves on."""
    found = 0
    for piece in range(s.piece, s.pieces):
        here, finds = s.station[piece], False
        for n in range(s.degree[here]):
            kind = s.kind[here, n]
            can = kind != FERRY and s.tickets[piece, kind] != 0
            finds |= can and s.possible[s.to[here, n]] == 1
        found += finds and s.phase == DETECTIVES
    return found


@kernel
def places_of(s):
    """On how many stations Mr X can be."""
    places = 0
    for x in range(s.stations):
        places += s.possible[x]
    return places


@rules.features.method(Outlook, State)
def features(h, s, player, out):
    """The detectives' are those of the position; Mr X, their measure, has none but noughts.

    Before the pieces are set up there is nothing to see but that. If the detectives see Mr X beside
    them he has lost.
    """
    for i in range(len(out)):
        out[i] = 0.0
    if s.phase == START:
        out[SET_UP] = player != FUGITIVE
    elif player != FUGITIVE:
        look_around(s, out)
    elif places_of(s) <= 1 and searchers(s) > 0:
        return 0
    return len(out)


@kernel
def look_around(s, out):
    """Write what is left of the game, how well Mr X is hidden, and how free he is.

    Where he is hidden from the viewer, he counts as being wherever he can be.
    """
    hunt, flight = integers(MAX_STATIONS), integers(MAX_STATIONS)
    line = integers(MAX_STATIONS)
    for piece in range(1, s.pieces):
        line[piece - 1] = s.station[piece]
    distances_from(s, line, s.pieces - 1, hunt)
    places, here, ways = max(places_of(s), 1), 0, 0.0
    for x in range(s.stations):
        if x == s.station[FUGITIVE] or (s.station[FUGITIVE] == UNKNOWN and s.possible[x] == 1):
            line[here] = x
            here += 1
            free = 0
            for n in range(s.degree[x]):
                free += hunt[s.to[x, n]] > 1
            ways += math.log(1.0 + free)
    distances_from(s, line, here, flight)
    his = 0
    for x in range(s.stations):
        his += flight[x] < hunt[x]
    soon = s.moves
    while soon < s.slots and s.reveal[soon] == 0:
        soon += 1
    left = s.slots - s.moves
    out[0] = 1.0
    out[1] = left / s.slots
    out[2] = math.log(1.0 + left)
    out[PLACES] = math.log(places)
    out[SEARCHED] = min(1.0, searchers(s) / places)
    out[5] = out[SEARCHED] == 1.0
    out[6] = ways / max(here, 1)
    out[7] = math.log(1.0 + his)
    out[8] = soon - s.moves


LOGITS = {"outlook": (Outlook, FEATURES)}
