"""The Discovery: greedy play, and random play that is uniform over whole turns."""

import math

from kostka.core import rules
from kostka.core.kernels import kernel
from kostka.core.memory import integers
from kostka.core.record import new, record
from kostka.core.rng import below
from kostka.games.carcassonne import potential
from kostka.games.carcassonne.actions import PASS, cell_of, put_code, take_code, turns_of
from kostka.games.carcassonne.rules import (
    can_enter,
    followings,
    has_free_follower,
    is_closed,
    join,
    may_be_last_turn,
    placements,
    root,
    unjoin,
    worth,
)
from kostka.games.carcassonne.standing import FAR, by_place, compare, in_one
from kostka.games.carcassonne.state import (
    FOLLOWERS,
    MAX_PLAYERS,
    MOUNTAIN,
    NONE,
    PLACE,
    State,
)

#: What greedy does among equals: the first it finds; the follower that brings most; or that, with
#: those on closed regions before all others.
FIRST, MOST, CLOSED = range(3)
TIES = ("first", "most", "closed")

#: Of all players together.
ALL_FOLLOWERS = MAX_PLAYERS * FOLLOWERS

#: More than any follower brings.
MUCH = 1000

Greedy = record("carcassonne.greedy", ties="i8")

#: Every pair of a placement and what is done then is as likely.
Pairs = record("carcassonne.pairs", unused="i8")

#: The place by the points so far, and the margin to the next player on this scale.
Lead = record("carcassonne.lead", scale="f8")

#: Place and margin as one number that grows evenly with the margin of two players: its mean over
#: all tiles means something.
Margin = record("carcassonne.margin", unused="i8")


# --- the worth of a position to the greedy eye ---


@kernel
def total(s, p):
    """The points of a player, as if all followers were taken back now."""
    n = int(s.points[p])
    for f in range(FOLLOWERS):
        if s.standing[p, f] != NONE:
            n += worth(s, root(s, s.standing[p, f]))
    return n


@kernel
def key(s, player, extra):
    """A number to compare by: first the own place, then the margin."""
    totals = integers(MAX_PLAYERS)
    for p in range(s.players):
        totals[p] = total(s, p)
    totals[player] += extra
    return by_place(s, player, totals)


@rules.evaluate.method(Lead, State)
def lead(h, s, player):
    """With two players the margin as a chance; with more the place counts first."""
    totals = integers(MAX_PLAYERS)
    for p in range(s.players):
        totals[p] = total(s, p)
    ahead, margin = compare(s, player, totals)
    squashed = 1.0 / (1.0 + math.exp(-margin / h.scale))
    if s.players == 2:
        return squashed
    return ((s.players - 1 - ahead + squashed) / s.players) ** (s.players - 1)


@rules.evaluate.method(Margin, State)
def margin(h, s, player):
    totals = integers(MAX_PLAYERS)
    for p in range(s.players):
        totals[p] = total(s, p)
    return in_one(s, player, totals)


@rules.reward.method(Margin, State)
def margin_at_the_end(h, s, out):
    for p in range(s.players):
        out[p] = in_one(s, p, s.points)


@rules.best_turn.method(Margin, State)
def best_reply(h, s, turn, gain, out):
    """The turn of greedy, found by peeking; not the last one, after which all is counted."""
    if s.phase != PLACE or may_be_last_turn(s):
        return 0
    totals, t = integers(MAX_PLAYERS), s.tile
    turn[0] = best_placement(s, out)
    first = join(s, t, cell_of(turn[0]), turns_of(turn[0]))
    for p in range(s.players):
        totals[p] = total(s, p)
    turn[1] = first_to_take(s)
    if has_free_follower(s, s.player):
        brings, j = best_put(s, t, first)
        if j != NONE:
            turn[1] = put_code(j)
            totals[s.player] += brings
    unjoin(s, t, cell_of(turn[0]))
    for p in range(s.players):
        gain[p] = in_one(s, p, totals)
    return 2


@kernel
def first_to_take(s):
    """The first follower that can be taken back; pass if there is none."""
    for f in range(FOLLOWERS):
        if s.standing[s.player, f] != NONE:
            return take_code(f)
    return PASS


# --- greedy ---


@rules.policy.method(Greedy, State)
def greedy(p, s, out, rng):
    """The turn after which the own place and margin are best, if nobody does anything more."""
    if s.phase == PLACE:
        return best_placement(s, out)
    return best_following(p, s)


@kernel
def best_placement(s, out):
    """The first placement that leads to the best key."""
    roots, worths = integers(ALL_FOLLOWERS), integers(ALL_FOLLOWERS)
    look_round(s, roots, worths)
    free = has_free_follower(s, s.player)
    best, choice = -FAR, out[0]
    for i in range(placements(s, out)):
        found = peek(s, out[i], free, roots, worths)
        if found > best:
            best, choice = found, out[i]
    return choice


@kernel
def look_round(s, roots, worths):
    """The region of every follower, and what it brings as long as no tile changes that."""
    for p in range(s.players):
        for f in range(FOLLOWERS):
            i = p * FOLLOWERS + f
            roots[i] = NONE
            if s.standing[p, f] != NONE:
                roots[i] = root(s, s.standing[p, f])
                worths[i] = worth(s, roots[i])


@kernel
def peek(s, a, free, roots, worths):
    """The key of the mover after a placement, with a free follower where it brings most.

    What followers brought before is given, since a placement changes that of few regions: those
    that the tile swallows, and mountains, whose grassland it may have reached.
    """
    t, c, totals = s.tile, cell_of(a), integers(MAX_PLAYERS)
    first = join(s, t, c, turns_of(a))
    for p in range(s.players):
        totals[p] = s.points[p]
        for i in range(p * FOLLOWERS, (p + 1) * FOLLOWERS):
            r = roots[i]
            if r != NONE:
                same = s.parent[r] == r and s.kind[r] != MOUNTAIN
                totals[p] += worths[i] if same else worth(s, root(s, r))
    if free:
        totals[s.player] += max(0, best_put(s, t, first)[0])
    found = by_place(s, s.player, totals)
    unjoin(s, t, c)
    return found


@kernel
def best_put(s, t, first):
    """The most that a free region of a tile brings, and the first segment that does; -1: none."""
    most, which = -1, NONE
    for j in range(s.segments[t]):
        r = root(s, first + j)
        if s.men[r] == 0:
            brings = worth(s, r)
            if brings > most:
                most, which = brings, j
    return most, which


@kernel
def best_following(p, s):
    """The follower that brings most where it is put; or what ``ties`` makes of equals.

    The first of equals is put even where that brings nothing, as putting is listed first.
    """
    if has_free_follower(s, s.player):
        gain, j = best_put(s, s.type_at[s.last], s.first[s.last])
        if gain > 0 or (gain == 0 and p.ties == FIRST):
            return put_code(j)
    return best_to_take(p, s)


@kernel
def best_to_take(p, s):
    """The follower to take back, which gains nothing at once; pass if there is none."""
    most, choice = -1, PASS
    for f in range(FOLLOWERS):
        if s.standing[s.player, f] != NONE:
            r = root(s, s.standing[s.player, f])
            wish = 0 if p.ties == FIRST else worth(s, r)
            if p.ties == CLOSED and is_closed(s, r):
                wish += MUCH
            if wish > most:
                most, choice = wish, take_code(f)
    return choice


# --- random over whole turns ---


@rules.policy.method(Pairs, State)
def pairs(p, s, out, rng):
    """A placement is as likely as there are things to do after it."""
    if s.phase != PLACE:
        return out[below(rng, followings(s, out))]
    seen, choice = 0, out[0]
    for i in range(placements(s, out)):
        ways = ways_to_follow(s, out[i])
        seen += ways
        if below(rng, seen) < ways:
            choice = out[i]
    return choice


@kernel
def ways_to_follow(s, a):
    """In how many ways a turn can end after a placement."""
    ways, standing = 1, 0
    for f in range(FOLLOWERS):
        if s.standing[s.player, f] != NONE:
            standing += 1
    if standing < FOLLOWERS:
        first = join(s, s.tile, cell_of(a), turns_of(a))
        for j in range(s.segments[s.tile]):
            if can_enter(s, first, j):
                ways += 1
        unjoin(s, s.tile, cell_of(a))
    return ways + standing


POLICIES = {
    "greedy": new(Greedy, ties=CLOSED),
    "greedy-first": new(Greedy, ties=FIRST),
    "greedy-most": new(Greedy, ties=MOST),
    "pairs": new(Pairs),
    "potential": potential.by_hand(),
}
EVALUATIONS = {
    "lead": new(Lead, scale=20.0),
    "margin": new(Margin),
    "potential": potential.by_hand(),
}
