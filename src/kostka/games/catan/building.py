"""Roads, settlements and cities: where they may stand, and what they change."""

from kostka.core import bits
from kostka.core.kernels import kernel
from kostka.games.catan.board import (
    ANYTHING,
    DEGREE,
    EDGE_NODE,
    KINDS,
    NEAR,
    NODE_EDGE,
    NODE_NODE,
)
from kostka.games.catan.roads import award_road, longest_road
from kostka.games.catan.state import NOBODY

#: What a card costs at the bank, and at harbours for anything and for one resource.
BANK_RATE, HARBOUR_RATE, SPECIAL_RATE = 4, 3, 2


# --- where ---


@kernel
def own_buildings(s, p):
    return bits.either(s.settlements[p], s.cities[p])


@kernel
def sites(s, p):
    """Where a player can place a settlement now: at an own road, and not next to any building."""
    return bits.both(s.reached[p], s.free)


@kernel
def road_ends(s, p):
    """From where a player can go on: the ends of own roads where nobody else has built."""
    return bits.minus(s.reached[p], bits.minus(s.built, own_buildings(s, p)))


@kernel
def road_places(s, p, code, out, k):
    """Write ``code`` + path for every path next to an own road."""
    ends = left = road_ends(s, p)
    while not bits.empty(left):
        v = bits.first(left)
        left = bits.rest(left)
        for j in range(DEGREE[v]):
            e, w = NODE_EDGE[v, j], NODE_NODE[v, j]
            if s.road[e] == 0 and (w > v or not bits.has(ends, w)):  # between two ends only once
                out[k] = code + e
                k += 1
    return k


@kernel
def can_build_road(s, p):
    """Whether a road is left and there is a place for it."""
    if s.roads_left[p] == 0:
        return False
    left = road_ends(s, p)
    while not bits.empty(left):
        v = bits.first(left)
        left = bits.rest(left)
        for j in range(DEGREE[v]):
            if s.road[NODE_EDGE[v, j]] == 0:
                return True
    return False


@kernel
def paths_from(s, v, code, out):
    k = 0
    for j in range(DEGREE[v]):
        if s.road[NODE_EDGE[v, j]] == 0:
            out[k] = code + NODE_EDGE[v, j]
            k += 1
    return k


# --- what they change ---


@kernel
def place_settlement(s, p, v):
    """A settlement on the board, with the harbour it may have."""
    s.settlements[p] = bits.add(s.settlements[p], v)
    s.built = bits.add(s.built, v)
    s.free = bits.minus(s.free, NEAR[v])
    s.settlements_left[p] -= 1
    harbour = s.harbour[v]
    if harbour == ANYTHING:
        for r in range(KINDS):
            s.rate[p, r] = min(s.rate[p, r], HARBOUR_RATE)
    elif harbour != NOBODY:
        s.rate[p, harbour] = SPECIAL_RATE


@kernel
def build_settlement(s, p, v):
    """It may cut a road of somebody else who passes here."""
    place_settlement(s, p, v)
    for j in range(DEGREE[v]):
        other = s.road[NODE_EDGE[v, j]]
        if other != 0 and other != p + 1:
            for i in range(j + 1, DEGREE[v]):
                if s.road[NODE_EDGE[v, i]] == other:
                    s.length[other - 1] = longest_road(s, other - 1)
                    award_road(s)
                    return


@kernel
def build_city(s, p, v):
    s.settlements[p] = bits.remove(s.settlements[p], v)
    s.cities[p] = bits.add(s.cities[p], v)
    s.settlements_left[p] += 1
    s.cities_left[p] -= 1


@kernel
def build_road(s, p, e):
    s.road[e] = p + 1
    s.roads_left[p] -= 1
    s.reached[p] = bits.add(bits.add(s.reached[p], EDGE_NODE[e, 0]), EDGE_NODE[e, 1])
    s.length[p] = longest_road(s, p)
    award_road(s)
