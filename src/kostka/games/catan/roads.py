"""The longest road, exactly: a trail that uses no road twice and passes no foreign building.

Intersections have three paths at most, so a longest trail begins where an odd number of own roads
meet or where somebody else has built, unless the roads are a ring and nothing else. All trails from
there are walked; the way back is kept in one word, four bits a step, and roads in use are marked in
the state itself, so nothing is allocated.
"""

from kostka.core import bits
from kostka.core.kernels import kernel
from kostka.games.catan.board import BACK, DEGREE, NODE_EDGE, NODE_NODE
from kostka.games.catan.state import NOBODY, ROADS

#: The card goes to roads of this length or longer.
LEAST_ROAD = 5


@kernel
def longest_road(s, p):
    """The length of a player's longest road."""
    total = ROADS - s.roads_left[p]
    foreign = bits.minus(s.built, bits.either(s.settlements[p], s.cities[p]))
    rings = ends = s.reached[p]
    best = 0
    while not bits.empty(ends) and best < total:
        v = bits.first(ends)
        ends = bits.rest(ends)
        n = 0
        for j in range(DEGREE[v]):
            n += s.road[NODE_EDGE[v, j]] == p + 1
        if n != 2 or bits.has(foreign, v):
            best, rings = walk(s, p, v, foreign, best, rings)
    while not bits.empty(rings) and best < total:
        v = bits.first(rings)
        best, rings = walk(s, p, v, foreign, best, bits.remove(rings, v))
    return best


@kernel
def walk(s, p, start, foreign, best, untouched):
    """The longest trail from a place, if it is longer than the best so far; and what none meets."""
    mine = p + 1
    v, j, depth, way = start, 0, 0, 0
    while True:
        if depth > 0 and bits.has(foreign, v):
            j = DEGREE[v]
        while j < DEGREE[v] and s.road[NODE_EDGE[v, j]] != mine:
            j += 1
        if j < DEGREE[v]:
            s.road[NODE_EDGE[v, j]] = -mine
            way = (way << 4) | (j << 2) | BACK[v, j]
            v = NODE_NODE[v, j]
            untouched = bits.remove(untouched, v)
            j = 0
            depth += 1
            best = max(best, depth)
        elif depth == 0:
            return best, untouched
        else:
            back, j = way & 3, ((way >> 2) & 3) + 1
            way >>= 4
            s.road[NODE_EDGE[v, back]] = mine
            v = NODE_NODE[v, back]
            depth -= 1


@kernel
def award_road(s):
    """Whoever has it keeps it in a tie; a tie without a holder leaves it aside."""
    best, ties, who = LEAST_ROAD - 1, 0, NOBODY
    for p in range(s.players):
        if s.length[p] > best:
            best, ties, who = s.length[p], 1, p
        elif s.length[p] == best and best >= LEAST_ROAD:
            ties += 1
    holder = s.road_holder
    if holder == NOBODY or best < LEAST_ROAD or s.length[holder] != best:
        s.road_holder = who if ties == 1 else NOBODY
