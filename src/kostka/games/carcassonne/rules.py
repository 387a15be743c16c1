"""The Discovery: lay a tile, then put a follower, take one back and score it, or pass."""

import numpy as np

from kostka.core import bits, rules
from kostka.core.kernels import kernel
from kostka.core.memory import copy, like
from kostka.core.rng import below
from kostka.games.carcassonne.actions import (
    PASS,
    cell_of,
    follower_of,
    is_put,
    is_take,
    place_code,
    put_code,
    segment_of,
    take_code,
    turns_of,
)
from kostka.games.carcassonne.state import (
    CLOSED_END,
    DONE,
    DRAW,
    FOLLOW,
    FOLLOWERS,
    GRASSLAND,
    MAX_CELLS,
    MAX_MEADOWS,
    MAX_PLAYERS,
    MAX_REGIONS,
    MAX_SEGMENTS,
    MAX_TOWNS,
    MOUNTAIN,
    NONE,
    OPEN_END,
    PLACE,
    REACH,
    TABLE,
    WIDTH,
    State,
)

#: A region of so few tiles counts as open, unless the option says otherwise.
SMALL = 2

#: A placement changes so many cells: its own, and those beside it.
CHANGED = 5

#: Steps to the neighbours north, east, south and west in ``cell``, and the start's place there.
STEP = np.array([-WIDTH, 1, WIDTH, -1])
MIDDLE = REACH * WIDTH + REACH

#: By what a cell needs: the bits of all sides that need something.
ASKED = np.array([sum(3 << 2 * d for d in range(4) if n >> 2 * d & 3) for n in range(256)])


# --- whose turn ---


@rules.mover.method(State)
def mover(s):
    if s.phase == DONE:
        return rules.OVER
    return rules.CHANCE if s.phase == DRAW else s.player


# --- luck ---


@rules.chance.method(State)
def chance(s, out, prob):
    """Any tile of the bag; where unplaceable tiles go back into it, any that fits somewhere."""
    k, total = 0, 0
    for t in range(s.types):
        if s.bag[t] > 0 and may_come(s, t):
            out[k], prob[k] = t, s.bag[t]
            total += s.bag[t]
            k += 1
    for i in range(k):
        prob[i] /= total
    return k


@rules.draw.method(State)
def draw(s, rng):
    t = any_tile(s, rng)
    while not may_come(s, t):
        t = any_tile(s, rng)
    return t


@kernel
def any_tile(s, rng):
    """Of all tiles in the bag each is as likely."""
    i, t = below(rng, s.left), 0
    while i >= s.bag[t]:
        i -= s.bag[t]
        t += 1
    return t


@kernel
def may_come(s, t):
    """Whether luck can come out with this kind of tile."""
    return s.give_back == 0 or fits_somewhere(s, t)


# --- what a player may do ---


@rules.legal.method(State)
def legal(s, out):
    """Lay the tile wherever it fits; then put, take or pass."""
    return placements(s, out) if s.phase == PLACE else followings(s, out)


@kernel
def placements(s, out):
    """Every cell that the tile in hand fits, in every rotation that looks different."""
    k, t = 0, s.tile
    for i in range(s.empty):
        c = s.border[i]
        need = s.needs[c]
        asked = ASKED[need]
        for r in range(s.period[t]):
            if s.edges[t, r] & asked == need:
                out[k] = place_code(c, r)
                k += 1
    return k


@kernel
def fits_somewhere(s, t):
    """Whether there is a cell for a kind of tile."""
    i = 0
    while i < s.empty and not fits(s, t, s.border[i]):
        i += 1
    return i < s.empty


@kernel
def fits(s, t, c):
    """Whether a kind of tile fits a cell in any rotation: all its sides match what is there."""
    need = s.needs[c]
    asked = ASKED[need]
    r = 0
    while r < s.period[t] and s.edges[t, r] & asked != need:
        r += 1
    return r < s.period[t]


@kernel
def followings(s, out):
    """Put a follower on a free region of the tile just laid, take one back, or pass.

    Passing comes last: to the greedy eye taking back brings nothing either, and whoever takes the
    first of equals would otherwise never take a follower back.
    """
    k = 0
    if has_free_follower(s, s.player):
        first = s.first[s.last]
        for j in range(s.segments[s.type_at[s.last]]):
            if can_enter(s, first, j):
                out[k] = put_code(j)
                k += 1
    for f in range(FOLLOWERS):
        if s.standing[s.player, f] != NONE:
            out[k] = take_code(f)
            k += 1
    out[k] = PASS
    return k + 1


@kernel
def has_free_follower(s, p):
    """Whether a player has a follower to put."""
    f = 0
    while f < FOLLOWERS and s.standing[p, f] != NONE:
        f += 1
    return f < FOLLOWERS


@kernel
def can_enter(s, first, j):
    """Whether a segment's region is free; of segments of one region only the first is offered."""
    r = root(s, first + j)
    i = 0
    while root(s, first + i) != r:
        i += 1
    return i == j and s.men[r] == 0


# --- what happens ---


@rules.apply.method(State)
def apply(s, a):
    if s.phase == DRAW:
        draw_tile(s, a)
    elif s.phase == PLACE:
        lay(s, s.tile, cell_of(a), turns_of(a))
        s.tile = NONE
        s.phase = FOLLOW
    else:
        if is_put(a):
            put(s, segment_of(a))
        elif is_take(a):
            take_back(s, follower_of(a))
        end_turn(s)


@kernel
def draw_tile(s, t):
    """A tile that fits nowhere leaves the game, and the same player draws again."""
    s.bag[t] -= 1
    s.left -= 1
    if fits_somewhere(s, t):
        s.tile = t
        s.phase = PLACE
    else:
        s.discarded += 1
        s.unfits += 1
        s.unfit = t
        if s.left == 0:
            finish(s)


@kernel
def put(s, j):
    """The first free follower of the mover goes onto a segment of the tile just laid."""
    f = 0
    while s.standing[s.player, f] != NONE:
        f += 1
    r = s.first[s.last] + j
    s.standing[s.player, f] = r
    s.men[root(s, r)] += 1


@kernel
def take_back(s, f):
    """A follower comes back and scores its region as it is now."""
    r = root(s, s.standing[s.player, f])
    s.points[s.player] += value(s, r, is_closed(s, r))
    s.men[r] -= 1
    s.standing[s.player, f] = NONE


@kernel
def end_turn(s):
    s.player = (s.player + 1) % s.players
    s.unfits, s.unfit = 0, NONE
    next_draw(s)


@kernel
def next_draw(s):
    """Luck draws the next tile, as long as there is one to be drawn; else all is counted.

    With equal turns no round begins for which there are not enough tiles. The tiles are then put
    aside at the end and not at the start, which nobody can tell apart.
    """
    s.phase = DRAW
    over = s.left == 0 or (s.equal == 1 and s.player == 0 and s.left < s.players)
    if over or (s.give_back == 1 and not any_fits(s)):
        finish(s)


@kernel
def may_be_last_turn(s):
    """Whether all may be counted after this turn; surely not wherever it says no."""
    over = s.left == 0 or (s.equal == 1 and (s.player + 1) % s.players == 0 and s.left < s.players)
    return over or (s.give_back == 1 and not will_fit(s))


@kernel
def will_fit(s):
    """Whether a tile of the bag fits more cells than those that one placement changes."""
    t = 0
    while t < s.types and (s.bag[t] == 0 or cells_for(s, t) <= CHANGED):
        t += 1
    return t < s.types


@kernel
def cells_for(s, t):
    """How many cells a kind of tile fits."""
    n = 0
    for i in range(s.empty):
        if fits(s, t, s.border[i]):
            n += 1
    return n


@kernel
def any_fits(s):
    """Whether a tile of the bag fits somewhere."""
    t = 0
    while t < s.types and (s.bag[t] == 0 or not fits_somewhere(s, t)):
        t += 1
    return t < s.types


@kernel
def finish(s):
    """Every follower still out is scored where it stands."""
    s.phase = DONE
    for p in range(s.players):
        for f in range(FOLLOWERS):
            if s.standing[p, f] != NONE:
                s.points[p] += final_value(s, root(s, s.standing[p, f]))


# --- scoring ---


@kernel
def is_closed(s, r):
    """A region is closed when it can grow nowhere."""
    return s.open[r] == 0


@kernel
def value(s, r, closed):
    """What a follower on a region brings if that counts as closed, or as open."""
    n = np.int64(s.area[r])
    closed = closed and (n > SMALL or s.small_closed == 1)
    if s.kind[r] == GRASSLAND:
        return 2 * n if closed else n
    if s.kind[r] == MOUNTAIN:
        cities = bits.count(cities_around(s, r))
        return 2 * cities if closed else cities
    return bits.count(s.cities[r]) + (n if closed else 0)


@kernel
def worth(s, r):
    """What a follower on a region brings if it is taken back now."""
    return value(s, r, is_closed(s, r))


@kernel
def final_value(s, r):
    """What a follower on a region brings when the game is over."""
    if s.end_rule == OPEN_END:
        return value(s, r, False)
    return value(s, r, s.end_rule == CLOSED_END or is_closed(s, r))


@kernel
def cities_around(s, r):
    """The cities on a mountain and on all grassland that it touches, each of them once."""
    found = s.cities[r]
    for w in range(2):
        rest = s.touching[r, w]
        while not bits.empty(rest):
            grassland = root(s, s.meadow[64 * w + bits.first(rest)])
            found = bits.either(found, s.cities[grassland])
            rest = bits.rest(rest)
    return found


# --- cells ---


@kernel
def lay(s, t, c, r):
    """Put a tile on a cell: its regions join those around, and the border moves outwards."""
    first = join(s, t, c, r)
    s.first[c], s.type_at[c], s.turned[c], s.last = first, t, r, c
    s.laid += 1
    leave_border(s, c)
    for d in range(4):
        if s.facing[c, d] == NONE:
            n = slot_at(s, s.cell[c] + STEP[d])
            back = (d + 2) & 3
            j = s.side[t, (d - r) & 3]
            s.facing[n, back] = first + j
            s.needs[n] |= (1 + s.terrain[t, j]) << 2 * back


@kernel
def leave_border(s, c):
    """A cell is empty no longer; the last of the border takes its place there."""
    s.empty -= 1
    place, moved = s.border_place[c], s.border[s.empty]
    s.border[place] = moved
    s.border_place[moved] = place


@kernel
def slot_at(s, cell):
    """The slot of a cell; if it has none yet it gets the next one, as an empty cell."""
    h = hashed(cell)
    while s.table[h] > 0:
        if s.cell[s.table[h] - 1] == cell:
            return np.int64(s.table[h] - 1)
        h = (h + 1) & (TABLE - 1)
    n = s.slots
    s.slots += 1
    s.table[h] = n + 1
    s.cell[n] = cell
    s.border[s.empty] = n
    s.border_place[n] = s.empty
    s.empty += 1
    return np.int64(n)


@kernel
def hashed(cell):
    return (cell * 40503 >> 3) & (TABLE - 1)


@kernel
def clear_board(s):
    """No tile lies; the only cell is where the first one goes."""
    s.slots = s.empty = s.regions = s.meadows = s.towns = s.laid = s.last = 0
    for n in range(MAX_REGIONS):
        clear_region(s, n)
    for m in range(MAX_MEADOWS):
        s.meadow[m] = 0
    for h in range(TABLE):
        s.table[h] = 0
    for c in range(MAX_CELLS):
        s.first[c] = NONE
        s.needs[c] = s.cell[c] = s.border[c] = s.border_place[c] = 0
        s.type_at[c] = s.turned[c] = 0
        for d in range(4):
            s.facing[c, d] = NONE
    slot_at(s, MIDDLE)


# --- regions ---


@kernel
def root(s, r):
    """The region that has swallowed this one in the end."""
    while s.parent[r] != r:
        r = s.parent[r]
    return np.int64(r)


@kernel
def join(s, t, c, r):
    """Make the regions of a tile, and let them swallow those they meet; returns the first."""
    first = s.regions
    s.regions = first + s.segments[t]
    for j in range(s.segments[t]):
        n = first + j
        s.parent[n], s.kind[n], s.area[n] = n, s.terrain[t, j], 1
        s.tiles[n, s.laid >> 6] = bits.single(s.laid & 63)
    found_cities(s, t, first)
    touch_meadows(s, t, first)
    for d in range(4):
        mine, other = root(s, first + s.side[t, (d - r) & 3]), s.facing[c, d]
        if other == NONE:
            s.open[mine] += 1
        else:
            swallow(s, mine, root(s, other))
            s.open[root(s, mine)] -= 1
    return first


@kernel
def found_cities(s, t, first):
    """A city belongs to both regions between which it stands."""
    for i in range(MAX_TOWNS):
        pair = s.city[t, i]
        if pair == NONE:
            break
        for n in (first + pair % MAX_SEGMENTS, first + pair // MAX_SEGMENTS):
            s.cities[n] = bits.add(s.cities[n], s.towns)
        s.towns += 1


@kernel
def touch_meadows(s, t, first):
    """Each segment of grassland beside mountains becomes a meadow, and they touch it."""
    for j in range(s.segments[t]):
        if s.peaks[t, j] != 0:
            m = s.meadows
            s.meadows += 1
            s.meadow[m] = first + j
            for k in range(s.segments[t]):
                if s.peaks[t, j] >> k & 1:
                    n = first + k
                    s.touching[n, m >> 6] = bits.add(s.touching[n, m >> 6], m & 63)


@kernel
def swallow(s, a, b):
    """A region of the new tile takes over another one, which stays as it was before."""
    if a == b:
        return
    s.parent[b] = a
    for w in range(2):
        s.tiles[a, w] = bits.either(s.tiles[a, w], s.tiles[b, w])
        s.touching[a, w] = bits.either(s.touching[a, w], s.touching[b, w])
    s.cities[a] = bits.either(s.cities[a], s.cities[b])
    s.open[a] += s.open[b]
    s.men[a] += s.men[b]
    s.area[a] = bits.count(s.tiles[a, 0]) + bits.count(s.tiles[a, 1])


@kernel
def unjoin(s, t, c):
    """Undo ``join``: the old regions are as they were, only their parents must be forgotten."""
    first = s.regions - s.segments[t]
    for d in range(4):
        n = s.facing[c, d]
        if n != NONE:
            while s.parent[n] < first and s.parent[n] != n:
                n = s.parent[n]
            s.parent[n] = n
    for n in range(first, s.regions):
        clear_region(s, n)
    s.regions = first
    for j in range(s.segments[t]):
        if s.peaks[t, j] != 0:
            s.meadows -= 1
            s.meadow[s.meadows] = 0
    for i in range(MAX_TOWNS):
        if s.city[t, i] == NONE:
            break
        s.towns -= 1


@kernel
def clear_region(s, n):
    s.parent[n] = s.kind[n] = s.area[n] = s.open[n] = s.men[n] = 0
    s.cities[n] = bits.none()
    for w in range(2):
        s.tiles[n, w] = bits.none()
        s.touching[n, w] = bits.none()


# --- how it ends ---


@rules.returns.method(State)
def returns(s, out):
    """Most points win; those who have as many share the win."""
    best, many = NONE, 0
    for p in range(s.players):
        if s.points[p] > best:
            best, many = s.points[p], 0
        if s.points[p] == best:
            many += 1
    for p in range(s.players):
        out[p] = 1.0 / many if s.points[p] == best else 0.0


@rules.score.method(State)
def score(s, out):
    for p in range(s.players):
        out[p] = s.points[p]


@rules.conserved.method(State)
def conserved(s, out):
    """No tile is lost, and a cell is empty or holds a tile."""
    out[0] = s.left + s.laid + s.discarded + (1 if s.phase == PLACE else 0)
    out[1] = s.slots - s.laid - s.empty
    return 2


# --- positions that somebody has made up ---


@rules.plausible.method(State)
def plausible(s):
    """The tiles, laid once more in their order, make this board, and all else fits to it."""
    if s.player >= s.players or not tiles_are_counted(s):
        return False
    again = like(s)
    copy(again, s)
    clear_board(again)
    return lays_again(s, again) and same_board(s, again) and followers_stand(s) and turn_is_sound(s)


@kernel
def tiles_are_counted(s):
    """What is laid, in the bag and in hand is no more than the set has, and the rest is gone."""
    left, gone = 0, 0
    for t in range(s.types):
        rest = s.count[t] - s.bag[t] - (1 if s.tile == t else 0)
        for c in range(s.slots):
            if s.first[c] != NONE and s.type_at[c] == t:
                rest -= 1
        if rest < 0:
            return False
        left += s.bag[t]
        gone += rest
    for t in range(s.types, len(s.bag)):
        if s.bag[t] != 0:
            return False
    return left == s.left and gone == s.discarded and s.tile < s.types


@kernel
def lays_again(s, again):
    """Lay all tiles, by the numbers of their regions; False where one cannot have been laid."""
    for _ in range(s.laid):
        c = laid_at(s, again)
        if c == NONE:
            return False
        t, r = s.type_at[c], s.turned[c]
        if r >= s.period[t] or s.edges[t, r] & ASKED[again.needs[c]] != again.needs[c]:
            return False
        if again.laid == 0 and (t != s.start or r != 0):
            return False
        lay(again, t, c, r)
    return True


@kernel
def laid_at(s, again):
    """The empty cell that holds the tile whose regions come next; NONE where there is none."""
    for c in range(again.slots):
        if again.first[c] == NONE and s.first[c] == again.regions and s.type_at[c] < s.types:
            return c
    return NONE


@kernel
def same_board(s, other):
    """Whether the boards of two positions are the same, but for followers."""
    same = s.slots == other.slots and s.empty == other.empty and s.regions == other.regions
    same = same and s.meadows == other.meadows and s.towns == other.towns
    same = same and s.laid == other.laid and s.last == other.last
    for n in range(MAX_REGIONS):
        same = same and s.parent[n] == other.parent[n] and s.kind[n] == other.kind[n]
        same = same and s.area[n] == other.area[n] and s.open[n] == other.open[n]
        same = same and s.cities[n] == other.cities[n]
        for w in range(2):
            same = same and s.tiles[n, w] == other.tiles[n, w]
            same = same and s.touching[n, w] == other.touching[n, w]
    for m in range(MAX_MEADOWS):
        same = same and s.meadow[m] == other.meadow[m]
    for h in range(TABLE):
        same = same and s.table[h] == other.table[h]
    for c in range(MAX_CELLS):
        same = same and s.needs[c] == other.needs[c] and s.first[c] == other.first[c]
        same = same and s.cell[c] == other.cell[c] and s.border[c] == other.border[c]
        same = same and s.border_place[c] == other.border_place[c]
        same = same and s.type_at[c] == other.type_at[c] and s.turned[c] == other.turned[c]
        for d in range(4):
            same = same and s.facing[c, d] == other.facing[c, d]
    return same


@kernel
def followers_stand(s):
    """Followers of those who play stand on the board, and every region has as many as it says."""
    for p in range(MAX_PLAYERS):
        if p >= s.players and s.points[p] != 0:
            return False
        for f in range(FOLLOWERS):
            if s.standing[p, f] != NONE and (p >= s.players or s.standing[p, f] >= s.regions):
                return False
    for r in range(s.regions):
        men = 0
        for p in range(s.players):
            for f in range(FOLLOWERS):
                if s.standing[p, f] != NONE and root(s, s.standing[p, f]) == r:
                    men += 1
        if s.parent[r] == r and men != s.men[r]:
            return False
    return True


@kernel
def turn_is_sound(s):
    """There is a tile in hand that fits, or one to be drawn; discarded ones were drawn."""
    if s.unfits > s.discarded or (s.unfit == NONE) != (s.unfits == 0) or s.unfit >= s.types:
        return False
    if s.phase == PLACE:
        return s.tile != NONE and fits_somewhere(s, s.tile)
    if s.tile != NONE:
        return False
    if s.phase == DRAW:
        return s.left > 0 and (s.give_back == 0 or any_fits(s))
    return True
