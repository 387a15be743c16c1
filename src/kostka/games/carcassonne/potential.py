"""The potential of Motlíček's thesis: what regions will be worth, and who will still get which.

The potential of a region is made of its tiles, its cities and, of a mountain, the cities on the
grassland beside it, and of what the bag may still bring: the chance to close it, and tiles to come.
That of a player adds those of his followers' regions, and of free ones that he may get later.
"""

import math

import numpy as np

from kostka.core import bits, rules
from kostka.core.kernels import kernel
from kostka.core.memory import copy, floats, integers, like, restore, words
from kostka.core.record import new, record
from kostka.games.carcassonne.rules import (
    SMALL,
    apply,
    cities_around,
    fits,
    followings,
    is_closed,
    placements,
    root,
)
from kostka.games.carcassonne.standing import FAR, by_place, in_one
from kostka.games.carcassonne.state import (
    DONE,
    FOLLOWERS,
    GRASSLAND,
    MAX_PLAYERS,
    MAX_REGIONS,
    MAX_SEGMENTS,
    MAX_TOWNS,
    MOUNTAIN,
    NONE,
    PLACE,
    State,
)

#: What the formula takes in of a region: its tiles v, its cities m and those beside it n; whether
#: it is closed, the chance that it will be, tiles to come there and on the grassland beside it; how
#: many cities such a tile has there, and on grassland; and the terrain.
V, M, N, SHUT, WILL_SHUT, TO_COME, BESIDE, HAS, GRASS_HAS, TERRAIN = range(10)
INPUTS = 10

#: The constants of a terrain: a, b and c of tiles, of cities and of cities beside it; and for each
#: of the four x from SHUT to BESIDE an A and a B, since the formula takes A + B·x.
A, B, C, LINES, CONSTANTS = 0, 3, 6, 9, 17

#: ``weighted``: whether free regions count by the chance to draw a tile for them.
Potential = record("carcassonne.potential", constants=("f8", (3, CONSTANTS)), weighted="i8")

#: Where the sums over empty cells begin: by region how many there are, the logarithms of the
#: chances to draw what fits, tiles to come, the chance to draw for it; by cell tiles to come there;
#: by terrain the cities on a tile.
CELLS, LOGS, TILES, DRAWS, COMING, CITIES = (MAX_REGIONS * i for i in range(6))
SUMS = CITIES + 3
#: Two words for each region.
MASKS = 2 * MAX_REGIONS

#: A logarithm for what cannot be.
NEVER = -1e3


# --- what the bag may bring ---


@kernel
def look_round(s, sums):
    """All sums over the empty cells, each of them once for each region that it lies beside."""
    masks, turns = words(MASKS), s.left // s.players
    for i in range(SUMS):
        sums[i] = 0.0
    for i in range(MASKS):
        masks[i] = bits.none()
    for i in range(s.empty):
        c = s.border[i]
        low, high, many = bits.none(), bits.none(), 0
        for t in range(s.types):
            if s.bag[t] > 0 and fits(s, t, c):
                many += s.bag[t]
                if t < 64:
                    low = bits.add(low, t)
                else:
                    high = bits.add(high, t - 64)
        share = many / s.left if s.left > 0 else 0.0
        sums[COMING + i] = 1.0 - (1.0 - share) ** turns
        for d in range(4):
            if first_time(s, c, d):
                r = root(s, s.facing[c, d])
                sums[CELLS + r] += 1.0
                sums[LOGS + r] += math.log(share) if many > 0 else NEVER
                sums[TILES + r] += sums[COMING + i]
                masks[2 * r] = bits.either(masks[2 * r], low)
                masks[2 * r + 1] = bits.either(masks[2 * r + 1], high)
    for r in range(s.regions):
        sums[DRAWS + r] = chance_to_draw(s, masks[2 * r], masks[2 * r + 1])
    cities_of_tiles(s, sums)


@kernel
def first_time(s, c, d):
    """Whether a side of an empty cell is the first that the region there looks at."""
    if s.facing[c, d] == NONE:
        return False
    for e in range(d):
        other = s.facing[c, e]
        if other != NONE and root(s, other) == root(s, s.facing[c, d]):
            return False
    return True


@kernel
def chance_to_draw(s, low, high):
    """The chance that the next tile is one of these kinds."""
    many = 0
    while not bits.empty(low):
        many += s.bag[bits.first(low)]
        low = bits.rest(low)
    while not bits.empty(high):
        many += s.bag[64 + bits.first(high)]
        high = bits.rest(high)
    return many / s.left if s.left > 0 else 0.0


@kernel
def cities_of_tiles(s, sums):
    """By terrain: the cities that stand on it, for each tile of the set that has any of it."""
    tiles = integers(3)
    for k in range(3):
        tiles[k] = 0
    for t in range(s.types):
        for k in range(3):
            for j in range(s.segments[t]):
                if s.terrain[t, j] == k:
                    tiles[k] += s.count[t]
                    break
            for i in range(MAX_TOWNS):
                pair = s.city[t, i]
                if pair != NONE and (
                    s.terrain[t, pair % MAX_SEGMENTS] == k
                    or s.terrain[t, pair // MAX_SEGMENTS] == k
                ):
                    sums[CITIES + k] += s.count[t]
    for k in range(3):
        sums[CITIES + k] /= max(1, tiles[k])


# --- the potential of a region ---


@kernel
def describe(s, r, sums, row):
    """What the formula takes in of a region."""
    k = s.kind[r]
    row[V], row[M], row[N] = float(s.area[r]), float(bits.count(s.cities[r])), 0.0
    row[SHUT] = row[WILL_SHUT] = row[TO_COME] = row[BESIDE] = 0.0
    row[HAS], row[GRASS_HAS], row[TERRAIN] = sums[CITIES + k], sums[CITIES + GRASSLAND], float(k)
    if is_closed(s, r):
        row[SHUT] = 1.0 if s.area[r] > SMALL or s.small_closed == 1 else 0.0
    else:
        cells = int(sums[CELLS + r])
        p = math.exp(sums[LOGS + r] / cells)
        row[WILL_SHUT] = at_least(cells, s.left // s.players, p)
        row[TO_COME] = sums[TILES + r]
    if k == MOUNTAIN:
        row[N] = bits.count(cities_around(s, r)) - row[M]
        row[BESIDE] = to_come_beside(s, r, sums)


@kernel
def at_least(least, n, p):
    """The chance of at least so many successes in n tries."""
    if least > n or p <= 0.0:
        return 0.0
    if p >= 1.0:
        return 1.0
    one, total = (1.0 - p) ** n, 0.0
    for j in range(n + 1):
        if j >= least:
            total += one
        one *= (n - j) / (j + 1) * p / (1.0 - p)
    return min(1.0, total)


@kernel
def to_come_beside(s, r, sums):
    """Tiles to come on all the grassland that a mountain touches, each empty cell once."""
    total = 0.0
    for i in range(s.empty):
        for d in range(4):
            g = s.facing[s.border[i], d]
            if g != NONE and s.kind[g] == GRASSLAND and touches(s, r, root(s, g)):
                total += sums[COMING + i]
                break
    return total


@kernel
def touches(s, r, g):
    """Whether a mountain touches some grassland."""
    for w in range(2):
        rest = s.touching[r, w]
        while not bits.empty(rest):
            if root(s, s.meadow[64 * w + bits.first(rest)]) == g:
                return True
            rest = bits.rest(rest)
    return False


@kernel
def line(constants, row, x):
    """A + B·x of one of the four."""
    i = LINES + 2 * (x - SHUT)
    k = int(row[TERRAIN])
    return constants[k, i] + constants[k, i + 1] * row[x]


@kernel
def to_gain(constants, row, j):
    """What tiles to come will bring, of tiles, of cities and of cities beside."""
    if j == N:
        return line(constants, row, BESIDE) * row[GRASS_HAS]
    tiles = line(constants, row, TO_COME)
    return tiles * row[HAS] if j == M else tiles


@kernel
def formula(constants, row):
    """The potential of a region."""
    k, total = int(row[TERRAIN]), 0.0
    shut = line(constants, row, SHUT) + line(constants, row, WILL_SHUT)
    for j in range(3):
        each = constants[k, A + j] + constants[k, B + j] * shut
        total += each * (row[j] + constants[k, C + j] * to_gain(constants, row, j))
    return total


@kernel
def slope(constants, row, out):
    """How the potential of a region changes with each constant of its terrain."""
    k = int(row[TERRAIN])
    shut = line(constants, row, SHUT) + line(constants, row, WILL_SHUT)
    by_shut, by_tiles, by_beside = 0.0, 0.0, 0.0
    for j in range(3):
        each = constants[k, A + j] + constants[k, B + j] * shut
        gain = to_gain(constants, row, j)
        what = row[j] + constants[k, C + j] * gain
        out[A + j], out[B + j], out[C + j] = what, shut * what, each * gain
        by_shut += constants[k, B + j] * what
        if j == N:
            by_beside += each * constants[k, C + j] * row[GRASS_HAS]
        else:
            by_tiles += each * constants[k, C + j] * (row[HAS] if j == M else 1.0)
    for x in range(SHUT, BESIDE + 1):
        by = by_shut if x <= WILL_SHUT else by_tiles if x == TO_COME else by_beside
        out[LINES + 2 * (x - SHUT)] = by
        out[LINES + 2 * (x - SHUT) + 1] = by * row[x]


# --- the potential of a player ---


@kernel
def survey(h, s, values, weights):
    """The potential of every region, and how much it counts for whoever gets it later."""
    sums, row = floats(SUMS), floats(INPUTS)
    look_round(s, sums)
    for r in range(s.regions):
        values[r], weights[r] = 0.0, 0.0
        if s.parent[r] == r:
            describe(s, r, sums, row)
            values[r] = formula(h.constants, row)
            weights[r] = sums[DRAWS + r] if h.weighted == 1 else 1.0


@kernel
def potentials(s, values, weights, totals):
    """What every player has and will have: by now, by his followers, and by those to come."""
    for p in range(s.players):
        totals[p] = float(s.points[p])
    if s.phase == DONE:
        return
    free = integers(MAX_PLAYERS)
    for p in range(s.players):
        free[p] = 0
        for f in range(FOLLOWERS):
            if s.standing[p, f] == NONE:
                free[p] += 1
            else:
                totals[p] += values[root(s, s.standing[p, f])]
    share_out(s, values, weights, free, totals)


@kernel
def share_out(s, values, weights, free, totals):
    """In turns players take the best free region, or a follower back where none is left to put."""
    wanted, n = floats(MAX_REGIONS), 0
    for r in range(s.regions):
        if s.parent[r] == r and s.men[r] == 0 and not is_closed(s, r):
            found, i = values[r] * weights[r], n
            while i > 0 and wanted[i - 1] < found:
                wanted[i] = wanted[i - 1]
                i -= 1
            wanted[i] = found
            n += 1
    p, taken = s.player, 0
    for _ in range(s.left):
        if taken == n:
            break
        if free[p] > 0:
            free[p] -= 1
            totals[p] += wanted[taken]
            taken += 1
        else:
            free[p] += 1
        p = (p + 1) % s.players


@rules.evaluate.method(Potential, State)
def potential(h, s, player):
    totals = floats(MAX_PLAYERS)
    values, weights = floats(MAX_REGIONS), floats(MAX_REGIONS)
    survey(h, s, values, weights)
    potentials(s, values, weights, totals)
    return in_one(s, player, totals)


@rules.reward.method(Potential, State)
def potential_at_the_end(h, s, out):
    for p in range(s.players):
        out[p] = in_one(s, p, s.points)


# --- the turn with the best potential ---


@rules.policy.method(Potential, State)
def greatest_potential(h, s, out, rng):
    """The first turn after which place and margin are best by potential."""
    if s.phase != PLACE:
        return best_following(h, s, out)[0]
    laid = like(s)
    copy(laid, s)
    n, best, choice = placements(s, out), -float(FAR), out[0]
    for i in range(n):
        restore(laid, s)
        apply(laid, out[i])
        found = best_following(h, laid, out[n:])[1]
        if found > best:
            best, choice = found, out[i]
    return choice


@kernel
def best_following(h, s, out):
    """The first best thing to do after a tile is laid, and what it leads to."""
    values, weights, totals = floats(MAX_REGIONS), floats(MAX_REGIONS), floats(MAX_PLAYERS)
    survey(h, s, values, weights)
    after, me = like(s), s.player
    copy(after, s)
    best, choice = -float(FAR), out[0]
    for i in range(followings(s, out)):
        restore(after, s)
        apply(after, out[i])
        potentials(after, values, weights, totals)
        found = by_place(after, me, totals)
        if found > best:
            best, choice = found, out[i]
    return choice, best


TERRAINS = ("mountain", "grassland", "sea")

#: The constants of the thesis, by terrain: those of tiles, cities and cities beside it.
BY_HAND = {
    "a": ((0, 1, 1), (1, 0, 0), (0, 1, 0)),  # mountain, grassland, sea
    "b": ((0, 1, 1), (1, 0, 0), (1, 0, 0)),
    "c": ((1, 1, 1), (1, 1, 1), (1, 1, 1)),
}


def by_hand(weighted: bool = True, **given: float) -> np.ndarray:
    """The record with the constants of the thesis, but for those given, such as ``aV_sea``."""
    constants = np.zeros((3, CONSTANTS))
    for k in range(3):
        constants[k] = [*BY_HAND["a"][k], *BY_HAND["b"][k], *BY_HAND["c"][k], *(0, 1) * 4]
    for name, value in given.items():
        k, i = where(name)
        constants[k, i] = value
    return new(Potential, constants=constants, weighted=weighted)


def where(name: str) -> tuple[int, int]:
    """The place of a constant such as ``bM_sea``: b of the cities of a sea region."""
    letter, terrain = name.split("_")
    return TERRAINS.index(terrain), 3 * "abc".index(letter[0]) + "VMN".index(letter[1])


def preset(name: str) -> float:
    """The constant of the thesis with this name."""
    return float(by_hand()["constants"][0][where(name)])
