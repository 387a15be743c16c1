"""A player that learns what a position of Catan is worth, and plans its turn by that.

A turn is planned in a fixed order: card, roll, trades, roads, settlements, cities, cards bought. At
each step only the best actions are tried further, and the turn after which the position is worth
most is played. What luck decides ends a plan, and another one begins.
"""

from kostka.core import bits, rules
from kostka.core.kernels import kernel
from kostka.core.memory import copy, floats, integers, like
from kostka.core.record import record
from kostka.core.rng import below
from kostka.games.catan.actions import (
    ACCEPT,
    ACTIONS,
    BUY,
    CANCEL,
    CITY,
    END,
    EXCHANGE,
    GIVE_CARD,
    MOVE_ROBBER,
    PLAY_KNIGHT,
    PROPOSE,
    REFUSE,
    ROAD,
    STOP,
    WANT_CARD,
)
from kostka.games.catan.board import (
    BRICK,
    DEGREE,
    EDGE_NODE,
    GRAIN,
    KINDS,
    NODE_EDGE,
    NODE_NODE,
    WOOD,
    WOOL,
)
from kostka.games.catan.building import own_buildings, place_settlement
from kostka.games.catan.standing import public_points
from kostka.games.catan.state import (
    BEFORE,
    DONE,
    MAIN,
    POINT,
    State,
)
from kostka.games.catan.terms import COUNT, TERMS, scaled, spread, weighted
from kostka.games.catan.trade import may_offer, size
from kostka.learn import td

Learner = record(
    "catan.learner",
    **td.fields(COUNT),
    middle=("f8", TERMS),  # the mean of each of the 56 numbers, and their deviations
    deviation=("f8", TERMS),
    ahead="f8",  # how much of what a road leads to is added to its worth
    depth="i8",  # 1: no look beyond the own turn
    actions="i8",  # the best actions at each step, the best turns,
    turns="i8",
    turns_in_search="i8",  # and those in the search beyond them
    offers="i8",  # that are made in a turn at most
)

#: The most actions at a step, END among them, and the most steps of a plan and turns of a choice.
WIDEST, LONGEST, MOST_TURNS = 20, 12, 20
STEPS, LINES = WIDEST * LONGEST, MOST_TURNS * LONGEST
#: Positions that a plan looks at: beyond them it is not widened any more.
BUDGET = 800

#: The order of a turn.
CARD, TRADE, ROADS, SETTLEMENTS, CITIES, CARDS, OVER = range(7)

#: An offer as a single action of a plan, as if it were accepted: up to two cards for another.
NONE = KINDS
DEAL = ACTIONS


# --- what a position is worth ---


@rules.features.method(Learner, State)
def features(p, s, player, out):
    b = floats(TERMS)
    scaled(s, player, p.middle, p.deviation, b)
    spread(b, out)
    return COUNT


@kernel
def quick(p, s, me):
    """The value without a search; of a game that is over what it brings."""
    if s.phase == DONE:
        points = public_points(s, me) + s.dev[me, POINT]
        return td.final_reward(p, points, s.winner == me)
    b = floats(TERMS)
    scaled(s, me, p.middle, p.deviation, b)
    return weighted(p.weights, b)


@kernel
def worth(p, s, me, a):
    """The value of a position after an action; for a road, with what it leads to."""
    t = like(s)
    copy(t, s)
    go(t, me, a)
    value = quick(p, t, me)
    if ROAD <= a < MOVE_ROBBER and p.ahead > 0.0 and t.phase != DONE:
        value += p.ahead * prospect(p, s, t, me, a - ROAD, value)
    return value


@kernel
def prospect(p, s, t, me, e, value):
    """What the best settlement would add on a site that a road opens, or with one road more."""
    u = like(s)
    best = 0.0
    own = own_buildings(t, me)
    for end in range(2):
        v = EDGE_NODE[e, end]
        if bits.has(s.reached[me], v):
            continue
        if bits.has(t.free, v):
            copy(u, t)
            place_settlement(u, me, v)
            best = max(best, quick(p, u, me) - value)
        if bits.has(t.built, v) and not bits.has(own, v):
            continue
        for j in range(DEGREE[v]):
            w = NODE_NODE[v, j]
            if (
                t.road[NODE_EDGE[v, j]] == 0
                and bits.has(t.free, w)
                and not bits.has(t.reached[me], w)
            ):
                copy(u, t)
                place_settlement(u, me, w)
                best = max(best, quick(p, u, me) - value)
    return best


@kernel
def go(s, me, a):
    """Carry out an action of a plan."""
    if a < DEAL:
        rules.apply(s, a)
        return
    deal = a - DEAL
    one, two, got = deal // KINDS // (KINDS + 1), deal // KINDS % (KINDS + 1), deal % KINDS
    s.hand[me, one] -= 1
    if two != NONE:
        s.hand[me, two] -= 1
        s.cards[me] -= 1
    s.hand[me, got] += 1


# --- trade ---


@kernel
def lacks(s, me, r):
    """Whether a resource is missing for something that could be bought."""
    have = s.hand[me, r]
    if r in (WOOD, BRICK, WOOL):
        return have == 0
    if s.cities_left[me] == 0:
        return have == 0
    return have < (2 if r == GRAIN else 3)


@kernel
def deal_code(one, two, got):
    return DEAL + (one * (KINDS + 1) + two) * KINDS + got


@kernel
def best_deal(p, s, me, index, values):
    """The offer to make after so many others: first one card for one, then two, the best first.

    -1 if no further one is worth more than the position is; ``values`` gets what it is worth.
    """
    now = quick(p, s, me)
    t = like(s)
    left = index
    for cards in range(1, 3):
        limit = 1e300
        while True:
            best, most = -1, now
            for one in range(KINDS):
                if s.hand[me, one] == 0:
                    continue
                first, last = (NONE, NONE) if cards == 1 else (one, KINDS - 1)
                for two in range(first, last + 1):
                    if two != NONE and s.hand[me, two] < (2 if two == one else 1):
                        continue
                    for got in range(KINDS):
                        if got in (one, two) or not lacks(s, me, got):
                            continue
                        a = deal_code(one, two, got)
                        copy(t, s)
                        go(t, me, a)
                        value = quick(p, t, me)
                        if most < value < limit:
                            best, most = a, value
            if best < 0:
                break
            if left == 0:
                values[0] = most
                return best
            left -= 1
            limit = most
    return -1


@kernel
def next_of_offer(p, s, me):
    """The next card of the offer that was begun; if it is not one to make, it is given up."""
    values = floats(1)
    a = best_deal(p, s, me, s.offers - 1, values)
    if a < 0:
        return CANCEL
    deal = a - DEAL
    one, two, got = deal // KINDS // (KINDS + 1), deal // KINDS % (KINDS + 1), deal % KINDS
    for r in range(KINDS):
        if s.give[r] > (one == r) + (two == r) or s.want[r] > (got == r):
            return CANCEL
    if s.give[one] == 0:
        return CANCEL
    if size(s.want) == 1:
        return PROPOSE
    return GIVE_CARD + two if two != NONE and size(s.give) == 1 else WANT_CARD + got


@kernel
def reply(p, s, me):
    """Accept what makes the own position worth more."""
    t = like(s)
    copy(t, s)
    for r in range(KINDS):
        change = s.give[r] - s.want[r]
        t.hand[me, r] += change
        t.cards[me] += change
        t.cards[s.player] -= change
    return ACCEPT if quick(p, t, me) > quick(p, s, me) else REFUSE


# --- a turn ---


@kernel
def stage(a):
    """Where in the order of a turn an action comes."""
    if a == END:
        return OVER
    if a >= EXCHANGE:
        return TRADE
    if PLAY_KNIGHT <= a < STOP or a >= REFUSE:
        return CARD
    if a == BUY:
        return CARDS
    if a >= ROAD:
        return ROADS
    return CITIES if a >= CITY else SETTLEMENTS


@kernel
def candidates(p, s, me, last, first, out, found, at):
    """Write the best actions of a step from ``at`` on, the best first; END last; how many.

    Those that come earlier in a turn than the ``last`` one are left out.
    """
    most = min(p.actions, WIDEST - 1)
    values = floats(WIDEST)
    n = 0
    ends = False
    if first and s.phase == MAIN and s.offers < p.offers and may_offer(s):
        a = best_deal(p, s, me, s.offers, values)
        if a >= 0:
            found[at] = a
            n = 1
    for i in range(rules.legal(s, out)):
        a = out[i]
        if s.phase == MAIN:
            if a == END:
                ends = True
                continue
            if stage(a) < last or GIVE_CARD <= a < EXCHANGE:
                continue
            if a >= EXCHANGE and not lacks(s, me, (a - EXCHANGE) % KINDS):
                continue
        value = worth(p, s, me, a)
        if n == most and value <= values[n - 1]:
            continue
        j = n if n < most else n - 1
        while j > 0 and values[j - 1] < value:
            values[j], found[at + j] = values[j - 1], found[at + j - 1]
            j -= 1
        values[j], found[at + j] = value, a
        n = min(n + 1, most)
    if ends:
        found[at + n] = END
        n += 1
    return n


@kernel
def closed(s, me):
    """Whether a plan ends here: luck or somebody else decides next, or the roll is due."""
    return rules.mover(s) != me or s.phase == BEFORE


@kernel
def plan(p, s, me, most, out, lines, lengths, values):
    """Write the best turns from here, up to so many, the best first; returns how many.

    A row of ``lines`` is LONGEST actions long. Turns that lead nowhere else are as good as others.
    """
    t = like(s)
    codes, stages = integers(LONGEST), integers(LONGEST)
    found = integers(STEPS)
    at, count = integers(LONGEST), integers(LONGEST)
    depth = n = looked = 0
    at[0] = 0
    count[0] = candidates(p, s, me, CARD, True, out, found, 0)
    while True:
        if at[depth] == count[depth]:
            if depth == 0:
                return n
            depth -= 1
            continue
        a = found[depth * WIDEST + at[depth]]
        at[depth] += 1
        codes[depth] = a
        copy(t, s)
        for i in range(depth):
            go(t, me, codes[i])
        before = stages[depth - 1] if depth > 0 else CARD
        stages[depth] = max(before, stage(a)) if t.phase == MAIN else before
        go(t, me, a)
        looked += 1
        if not closed(t, me) and depth + 1 < LONGEST and looked < BUDGET:
            left = candidates(p, t, me, stages[depth], False, out, found, (depth + 1) * WIDEST)
            if left > 0:
                looked += left
                depth += 1
                at[depth], count[depth] = 0, left
                continue
        value = quick(p, t, me)
        if n == most and value <= values[n - 1]:
            continue
        j = n if n < most else n - 1
        while j > 0 and values[j - 1] < value:
            values[j], lengths[j] = values[j - 1], lengths[j - 1]
            for i in range(LONGEST):
                lines[j * LONGEST + i] = lines[(j - 1) * LONGEST + i]
            j -= 1
        values[j], lengths[j] = value, depth + 1
        for i in range(depth + 1):
            lines[j * LONGEST + i] = codes[i]
        n = min(n + 1, most)


@kernel
def begin_of(a):
    """The first decision of an action of a plan."""
    return a if a < DEAL else GIVE_CARD + (a - DEAL) // KINDS // (KINDS + 1)


@kernel
def at_random(s, out, rng):
    """Any action but to begin an offer."""
    k = rules.legal(s, out)
    n = 0
    for i in range(k):
        if s.phase != MAIN or not GIVE_CARD <= out[i] < EXCHANGE:
            out[n] = out[i]
            n += 1
    return out[below(rng, n)]
