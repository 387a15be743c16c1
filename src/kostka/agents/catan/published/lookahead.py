"""What a learner of Catan plays: its best turn, or the one after which its worst turns out best.

The search goes from turn to turn. A throw of the dice is a level, and so is what a player does
after it. An opponent is taken to hold whatever a purchase needs if only the number of cards is
enough; he builds one thing or nothing, and whatever is worst for us; a 7 takes nothing from
anybody. Nothing is pruned: bounds that go through luck unchanged would not be sound.
"""

from kostka.agents.catan.published.learner import (
    LINES,
    LONGEST,
    MOST_TURNS,
    Learner,
    at_random,
    begin_of,
    go,
    next_of_offer,
    plan,
    quick,
    reply,
)
from kostka.core import rules
from kostka.core.kernels import kernel
from kostka.core.memory import copy, floats, integers, like
from kostka.core.rng import uniform
from kostka.games.catan.actions import CITY, ROAD, SETTLE
from kostka.games.catan.board import KINDS
from kostka.games.catan.building import build_city, build_road, build_settlement, road_places, sites
from kostka.games.catan.robber import SEVEN, production
from kostka.games.catan.rules import end_turn, places
from kostka.games.catan.state import (
    ANSWER,
    BEFORE,
    CARD_KINDS,
    DECK,
    DICE,
    DONE,
    DRAW,
    LEVY,
    MAIN,
    OFFER,
    STEAL,
    State,
)

#: What an opponent's road, settlement and city cost, in cards.
ROAD_CARDS, SETTLEMENT_CARDS, CITY_CARDS = 2, 4, 5

#: The deepest search looks so many levels beyond the own turn; at each of them are so many
#: children at most, of which a turn is so many actions long.
DEEPEST, CHILDREN, THROWS = 8, 20, 11
ALL_CHILDREN, ALL_LINES = DEEPEST * CHILDREN, DEEPEST * LINES
LUCK, OWN, RIVAL = range(3)
NOTHING = -1


@rules.policy.method(Learner, State)
def policy(p, s, out, rng):
    """The next decision of the best turn; now and then one at random, to learn from."""
    k = rules.legal(s, out)
    if k == 1:
        return out[0]
    if p.epsilon > 0.0 and uniform(rng) < p.epsilon:
        return at_random(s, out, rng)
    me = s.seat
    if s.phase == OFFER:
        return next_of_offer(p, s, me)
    if s.phase == ANSWER:
        return reply(p, s, me)
    lines, lengths, values = integers(LINES), integers(MOST_TURNS), floats(MOST_TURNS)
    most = 1 if p.depth == 1 else min(p.turns, MOST_TURNS)
    n = plan(p, s, me, most, out, lines, lengths, values)
    best = 0
    if n > 1:
        for i in range(n):
            values[i] = foreseen(p, s, me, lines, i, lengths[i], out)
            if values[i] > values[best]:
                best = i
    return begin_of(lines[best * LONGEST])


# --- beyond the own turn ---


@kernel
def foreseen(p, s, me, lines, line, length, out):
    """The value of a turn by what may come after it; the mean over luck that ends it."""
    t, u = like(s), like(s)
    copy(t, s)
    for i in range(length):
        go(t, me, lines[line * LONGEST + i])
    if t.phase == LEVY:
        levy_blindly(t, me)
    if t.phase != DRAW and t.phase != STEAL:
        return expectimax(p, t, me, p.depth - 1, out)
    total = 0.0
    for r in range(CARD_KINDS if t.phase == DRAW else KINDS):
        copy(u, t)
        chance = 1.0 / KINDS
        if t.phase == STEAL:
            u.hand[me, r] += 1
            u.cards[me] += 1
            u.cards[t.victim] -= 1
        else:
            chance = unseen_share(t, me, r)
            u.dev[me, r] += 1
            u.devs[me] += 1
            u.bought += 1
        if chance > 0.0:
            u.phase = MAIN if u.rolled == 1 else BEFORE
            if u.phase == MAIN:
                end_turn(u)
            total += chance * expectimax(p, u, me, p.depth - 1, out)
    return total


@kernel
def levy_blindly(s, me):
    """One card in five that the others hold, as far as it goes; then the turn ends."""
    cards = 0
    for turn in range(1, s.players):
        cards += s.cards[(me + turn) % s.players]
    s.hand[me, s.chosen] += cards // KINDS
    s.phase = MAIN if s.rolled == 1 else BEFORE
    if s.phase == MAIN:
        end_turn(s)


@kernel
def unseen_share(s, me, kind):
    """The chance that a bought card is of a kind, by those that the player has not seen."""
    unseen = 0.0
    for k in range(CARD_KINDS):
        unseen += DECK[k] - s.gone[k] - s.dev[me, k]
    return (DECK[kind] - s.gone[kind] - s.dev[me, kind]) / unseen


@kernel
def expectimax(p, leaf, me, h, out):
    """The value so many levels deep: of luck the mean, of us the best, of others what is worst."""
    t = like(leaf)
    path, kind = integers(DEEPEST), integers(DEEPEST)
    at, count = integers(DEEPEST), integers(DEEPEST)
    children, worst = integers(ALL_CHILDREN), floats(CHILDREN)
    lines, lengths, values = integers(ALL_LINES), integers(MOST_TURNS), floats(MOST_TURNS)
    sums = floats(DEEPEST)
    h = min(h, DEEPEST)
    level, value = 0, 0.0
    while True:
        # A new position, down the path.
        copy(t, leaf)
        for i in range(level):
            follow(t, me, kind[i], path[i], lines, i)
        inner = level < h and t.phase != DONE
        if inner and (t.phase == BEFORE or t.phase == DICE):
            kind[level], count[level], sums[level] = LUCK, THROWS, 0.0
        elif inner and t.phase == MAIN and t.player == me:
            kind[level], sums[level] = OWN, -1e300
            count[level] = own_turns(p, t, me, out, lines, level, lengths, values)
        elif inner and t.phase == MAIN:
            kind[level], sums[level] = RIVAL, 1e300
            count[level] = rival_turns(p, t, me, out, children, level * CHILDREN, worst)
        else:
            value, inner = quick(p, t, me), False
        if inner:
            at[level] = 0
        elif level == 0:
            return value
        else:  # up, as long as there is no further child
            while True:
                level -= 1
                if kind[level] == LUCK:
                    sums[level] += (6 - abs(SEVEN - 2 - at[level])) / 36.0 * value
                elif kind[level] == OWN:
                    sums[level] = max(sums[level], value)
                else:
                    sums[level] = min(sums[level], value)
                at[level] += 1
                if at[level] < count[level]:
                    break
                value = sums[level]
                if level == 0:
                    return value
        n = at[level]
        path[level] = children[level * CHILDREN + n] if kind[level] == RIVAL else n
        level += 1


@kernel
def follow(s, me, kind, child, lines, level):
    """Go on from a position to one of its children."""
    if kind == LUCK:
        n = 2 + child
        if n == SEVEN:
            s.rolled = 1
            s.phase = MAIN
        else:
            production(s, n)
    elif kind == OWN:
        for i in range(LONGEST):
            a = lines[level * LINES + child * LONGEST + i]
            if a == NOTHING:
                break
            go(s, me, a)
    else:
        build_blindly(s, child)
        end_turn(s)


@kernel
def own_turns(p, s, me, out, lines, level, lengths, values):
    """Our best turns; each ends with the turn, or where luck decides."""
    turns = integers(LINES)
    n = plan(p, s, me, min(p.turns_in_search, MOST_TURNS), out, turns, lengths, values)
    for i in range(n):
        for j in range(LONGEST):
            a = turns[i * LONGEST + j] if j < lengths[i] else NOTHING
            lines[level * LINES + i * LONGEST + j] = a
    return n


@kernel
def rival_turns(p, s, me, out, children, at, worst):
    """What an opponent may build, or nothing: what is worst for us comes first."""
    q = s.player
    k = 0
    if s.cards[q] >= ROAD_CARDS and s.roads_left[q] > 0:
        k = road_places(s, q, ROAD, out, k)
    if s.cards[q] >= SETTLEMENT_CARDS and s.settlements_left[q] > 0:
        k = places(sites(s, q), SETTLE, out, k)
    if s.cards[q] >= CITY_CARDS and s.cities_left[q] > 0:
        k = places(s.settlements[q], CITY, out, k)
    t = like(s)
    most = min(p.turns_in_search, CHILDREN)
    children[at], worst[0], n = NOTHING, quick(p, s, me), 1
    for i in range(k):
        a = out[i]
        copy(t, s)
        build_blindly(t, a)
        value = quick(p, t, me)
        if n == most and value >= worst[n - 1]:
            continue
        j = n if n < most else n - 1
        while j > 0 and worst[j - 1] > value:
            worst[j], children[at + j] = worst[j - 1], children[at + j - 1]
            j -= 1
        worst[j], children[at + j] = value, a
        n = min(n + 1, most)
    return n


@kernel
def build_blindly(s, a):
    """An opponent pays with cards that nobody knows."""
    q = s.player
    if a == NOTHING:
        return
    if a >= ROAD:
        build_road(s, q, a - ROAD)
        s.cards[q] -= ROAD_CARDS
    elif a >= CITY:
        build_city(s, q, a - CITY)
        s.cards[q] -= CITY_CARDS
    else:
        build_settlement(s, q, a - SETTLE)
        s.cards[q] -= SETTLEMENT_CARDS
