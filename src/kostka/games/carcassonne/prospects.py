"""What a player of The Discovery may expect to have in the end, by what followers stand on.

The points of the end are guessed as those so far, plus for every follower a linear function of what
is seen of its region, plus what free followers are worth. The weights come from games, a row of
them for each number of players: see the agents of this game.
"""

from kostka.core import rules
from kostka.core.kernels import kernel
from kostka.core.memory import floats, integers
from kostka.core.record import record
from kostka.games.carcassonne.actions import PASS, cell_of, put_code, take_code, turns_of
from kostka.games.carcassonne.rules import (
    is_closed,
    join,
    may_be_last_turn,
    placements,
    root,
    unjoin,
    worth,
)
from kostka.games.carcassonne.standing import squashed
from kostka.games.carcassonne.state import (
    FOLLOWERS,
    MAX_PLAYERS,
    MAX_TILES,
    MOUNTAIN,
    NONE,
    PLACE,
    State,
)

#: What is seen of a region, for each of three terrains; then of free followers; then of the turn.
PER_REGION, TERRAINS = 12, 3
FREE = TERRAINS * PER_REGION
ORDER = FREE + 2 * (FOLLOWERS + 1)
WIDTH = ORDER + 2

#: Of all players together.
ALL_FOLLOWERS = MAX_PLAYERS * FOLLOWERS

#: So near are equals: they differ by rounding.
CLOSE = 1e-9

LOW = -1e18

#: ``sharp``: a margin of so much is half way from a draw to a sure win.
Prospects = record("carcassonne.prospects", weights=("f8", (MAX_PLAYERS + 1, WIDTH)), sharp="f8")


# --- what is seen ---


@kernel
def look_at(s, r, seen):
    """What matters of a region to a follower on it: what it brings, and what it still may."""
    now, left = float(worth(s, r)), s.left / MAX_TILES
    for i in range(PER_REGION):
        seen[i] = 0.0
    seen[0], seen[1], seen[2] = 1.0, now, left
    if is_closed(s, r):
        return
    sides = float(s.open[r])
    more = now if s.kind[r] == MOUNTAIN else float(s.area[r])  # once it is closed
    seen[3], seen[4], seen[5] = 1.0, now, left
    seen[6], seen[7], seen[8] = now * left, sides, sides * left
    seen[9], seen[10], seen[11] = more, more / sides, more / sides * left


@rules.features.method(Prospects, State)
def features(h, s, player, out):
    """All that the guess is made from, but for the points."""
    for i in range(WIDTH):
        out[i] = 0.0
    free, seen = 0, floats(PER_REGION)
    for f in range(FOLLOWERS):
        if s.standing[player, f] == NONE:
            free += 1
        else:
            r = root(s, s.standing[player, f])
            look_at(s, r, seen)
            for i in range(PER_REGION):
                out[PER_REGION * s.kind[r] + i] += seen[i]
    out[FREE + 2 * free], out[FREE + 2 * free + 1] = 1.0, s.left / MAX_TILES
    out[ORDER] = float((player - s.player) % s.players)
    out[ORDER + 1] = out[ORDER] * s.left / MAX_TILES
    return WIDTH


# --- what is expected ---


@kernel
def region_value(h, s, r):
    """What a follower on a region will bring."""
    seen = floats(PER_REGION)
    look_at(s, r, seen)
    total, k = 0.0, PER_REGION * s.kind[r]
    for i in range(PER_REGION):
        total += h.weights[s.players, k + i] * seen[i]
    return total


@kernel
def free_value(h, s, free):
    """What so many free followers will bring."""
    k = FREE + 2 * free
    return h.weights[s.players, k] + h.weights[s.players, k + 1] * s.left / MAX_TILES


@kernel
def free_followers(s, p):
    """How many followers a player has to put."""
    n = 0
    for f in range(FOLLOWERS):
        if s.standing[p, f] == NONE:
            n += 1
    return n


@kernel
def order_value(h, s, p, next_player):
    """What the place in the order of turns will bring."""
    later = (p - next_player) % s.players
    w = h.weights
    return later * (w[s.players, ORDER] + w[s.players, ORDER + 1] * s.left / MAX_TILES)


@kernel
def expected(h, s, p):
    """The points that a player may expect to have in the end, but for what all have."""
    total = s.points[p] + free_value(h, s, free_followers(s, p)) + order_value(h, s, p, s.player)
    for f in range(FOLLOWERS):
        if s.standing[p, f] != NONE:
            total += region_value(h, s, root(s, s.standing[p, f]))
    return total


@kernel
def soft_place(h, s, player, totals):
    """The mean chance to come out before each of the others, as margins tell it."""
    total = 0.0
    for p in range(s.players):
        if p != player:
            total += squashed((totals[player] - totals[p]) / h.sharp)
    return total / (s.players - 1)


@rules.evaluate.method(Prospects, State)
def prospects(h, s, player):
    totals = floats(MAX_PLAYERS)
    for p in range(s.players):
        totals[p] = expected(h, s, p)
    return soft_place(h, s, player, totals)


@rules.reward.method(Prospects, State)
def reward(h, s, out):
    for p in range(s.players):
        out[p] = soft_place(h, s, p, s.points)


# --- the turn that promises most ---


@rules.policy.method(Prospects, State)
def promising(h, s, out, rng):
    """The turn after which the margin to the others is expected to be widest."""
    if s.phase == PLACE:
        return best_placement(h, s, out)
    return best_following(h, s, s.type_at[s.last], s.first[s.last])[0]


@kernel
def best_placement(h, s, out):
    """The placement that promises most, with the best that can be done after it."""
    best, choice, totals = LOW, out[0], floats(MAX_PLAYERS)
    roots, values = integers(ALL_FOLLOWERS), floats(ALL_FOLLOWERS)
    look_round(h, s, roots, values)
    for i in range(placements(s, out)):
        first = join(s, s.tile, cell_of(out[i]), turns_of(out[i]))
        foresee(h, s, first, roots, values, totals)
        margin = 0.0
        for p in range(s.players):
            margin += totals[s.player] - totals[p]
        unjoin(s, s.tile, cell_of(out[i]))
        if margin > best + CLOSE:
            best, choice = margin, out[i]
    return choice


@kernel
def look_round(h, s, roots, values):
    """The region of every follower, and what it will bring if no tile changes that."""
    for p in range(s.players):
        for f in range(FOLLOWERS):
            i = p * FOLLOWERS + f
            roots[i] = NONE
            if s.standing[p, f] != NONE:
                roots[i] = root(s, s.standing[p, f])
                values[i] = region_value(h, s, roots[i])


@kernel
def foresee(h, s, first, roots, values, totals):
    """What every player may expect when the tile in hand is laid and the mover does his best."""
    for p in range(s.players):
        totals[p] = s.points[p] + free_value(h, s, free_followers(s, p))
        for i in range(p * FOLLOWERS, (p + 1) * FOLLOWERS):
            r = roots[i]
            if r != NONE:
                same = s.parent[r] == r and s.kind[r] != MOUNTAIN
                totals[p] += values[i] if same else region_value(h, s, root(s, r))
    totals[s.player] += best_following(h, s, s.tile, first)[1]


@kernel
def best_following(h, s, t, first):
    """The best that can be done after a tile is laid, and what it adds."""
    free = free_followers(s, s.player)
    now, best, choice = free_value(h, s, free), LOW, PASS
    if free > 0:
        fewer = free_value(h, s, free - 1) - now
        for j in range(s.segments[t]):
            r = root(s, first + j)
            if s.men[r] == 0:
                found = region_value(h, s, r) + fewer
                if found > best + CLOSE:
                    best, choice = found, put_code(j)
    if free < FOLLOWERS:
        more = free_value(h, s, free + 1) - now
        for f in range(FOLLOWERS):
            if s.standing[s.player, f] != NONE:
                r = root(s, s.standing[s.player, f])
                found = worth(s, r) - region_value(h, s, r) + more
                if found > best + CLOSE:
                    best, choice = found, take_code(f)
    return (choice, best) if best > CLOSE else (PASS, 0.0)


@rules.best_turn.method(Prospects, State)
def best_reply(h, s, turn, gain, out):
    """The turn that promises most, found by peeking; not the last one: then all is counted."""
    if s.phase != PLACE or may_be_last_turn(s):
        return 0
    totals, t = floats(MAX_PLAYERS), s.tile
    roots, values = integers(ALL_FOLLOWERS), floats(ALL_FOLLOWERS)
    look_round(h, s, roots, values)
    turn[0] = best_placement(h, s, out)
    first = join(s, t, cell_of(turn[0]), turns_of(turn[0]))
    turn[1] = best_following(h, s, t, first)[0]
    foresee(h, s, first, roots, values, totals)
    unjoin(s, t, cell_of(turn[0]))
    for p in range(s.players):  # the mover is the last of all then
        totals[p] += order_value(h, s, p, s.player + 1)
    for p in range(s.players):
        gain[p] = soft_place(h, s, p, totals)
    return 2
