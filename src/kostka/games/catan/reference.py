"""A player that looks one step ahead, by hand-made terms and weights.

A position is worth points, production and its variety, room to build, and what the hand is good
for; what rivals produce counts against it. Of luck and of choices still to come it takes what they
bring on average, so that a bought card does not look like three cards thrown away.
"""

from math import exp

import numpy as np

from kostka.core import bits, rules
from kostka.core.kernels import kernel
from kostka.core.memory import copy, floats, like, restore
from kostka.core.record import new, record
from kostka.games.catan.actions import ACCEPT, END, GIVE_CARD, REFUSE, WANT_CARD
from kostka.games.catan.board import (
    CORNER_SET,
    DEGREE,
    DESERT,
    KINDS,
    LAND,
    NODE_EDGE,
    NODE_HEX,
    NODE_NODE,
)
from kostka.games.catan.building import road_ends, sites
from kostka.games.catan.standing import public_points
from kostka.games.catan.state import (
    ANSWER,
    DRAW,
    FREE_ROADS,
    LEVY,
    MAIN,
    POINT,
    ROBBER,
    STEAL,
    TAKE,
    VICTIM,
    State,
)

#: What each purchase costs: wood, brick, wool, grain, ore.
COSTS = np.array([[1, 1, 0, 0, 0], [1, 1, 1, 1, 0], [0, 0, 0, 2, 3], [0, 0, 1, 1, 1]], np.float64)
TO_ROAD, TO_SETTLEMENT, TO_CITY, TO_CARD = range(4)

#: What things are worth, in points.
Reference = record(
    "catan.reference",
    point="f8",
    income=("f8", KINDS),  # a chance in 36 of a card, by resource
    kind="f8",  # each resource that is produced at all
    harbour="f8",  # a chance in 36 of a card that an exchange makes cheaper by one
    rival="f8",  # the same chance for a rival, for each of his points
    site="f8",  # a chance in 36 at the best place for a settlement
    beyond="f8",  # at the best one that a road leads to
    room="f8",  # each place for a settlement, up to three
    purchase=("f8", 4),  # the cards for a road, settlement, city, card all being there
    card="f8",  # a card in hand
    excess="f8",  # one more than a 7 leaves alone
    development="f8",  # a development card in hand
    knight="f8",  # a knight that was played
    road="f8",  # each road of the longest one
    stealing="f8",  # a robber yet to be moved, or a theft to come
    leader="f8",  # each point of whoever is robbed
    trade="f8",  # what an offer must bring more than it leaves
)

#: The weights it plays by; an evolution of them in matches brought nothing.
WEIGHTS = dict(
    point=3.0, income=(0.10, 0.10, 0.08, 0.11, 0.11), kind=0.25, harbour=0.015, rival=0.006,
    site=0.06, beyond=0.03, room=0.05, purchase=(0.15, 0.5, 0.6, 0.25), card=0.04, excess=0.12,
    development=0.75, knight=0.85, road=0.08, stealing=0.15, leader=0.02, trade=0.3,
)  # fmt: skip

#: How much clearer the chances are than exp(worth) has them.
CLEAR = 0.5
#: So near to winning nobody is given cards.
NEAR_THE_END = 2


# --- what things are worth ---


@kernel
def worth(h, s, p):
    """What a position is worth to a player."""
    pips = floats(KINDS)
    value = h.point * (public_points(s, p) + s.dev[p, POINT])
    produced(s, p, pips)
    for r in range(KINDS):
        value += h.income[r] * pips[r] + h.harbour * pips[r] * (4 - s.rate[p, r])
        if pips[r] > 0.0:
            value += h.kind
    value -= h.rival * rivals(s, p) + h.excess * max(0, s.cards[p] - s.hand_limit)
    value += room(h, s, p) + hand_worth(h, s, p) + h.card * s.cards[p]
    value += h.development * s.devs[p] + h.knight * s.knights[p] + h.road * s.length[p]
    return value


@kernel
def chances(s, h):
    """How many of 36 throws a hex brings cards at."""
    return 6 - abs(7 - s.number[h]) if s.number[h] > 0 else 0


@kernel
def produced(s, p, pips):
    """Cards of each resource that 36 throws bring, the robber counted."""
    for r in range(KINDS):
        pips[r] = 0.0
    for h in range(LAND):
        if h != s.robber and s.terrain[h] != DESERT:
            corners = CORNER_SET[h]
            n = bits.count(bits.both(s.settlements[p], corners))
            n += 2 * bits.count(bits.both(s.cities[p], corners))
            pips[s.terrain[h]] += n * chances(s, h)


@kernel
def rivals(s, p):
    """What others produce, each as much as he has points."""
    total = 0.0
    for h in range(LAND):
        if h != s.robber and s.terrain[h] != DESERT:
            corners = CORNER_SET[h]
            if not bits.empty(bits.both(s.built, corners)):
                for q in range(s.players):
                    if q != p:
                        n = bits.count(bits.both(s.settlements[q], corners))
                        n += 2 * bits.count(bits.both(s.cities[q], corners))
                        total += n * chances(s, h) * public_points(s, q)
    return total


@kernel
def at_site(s, v):
    """How many of 36 throws a settlement would bring a card at; a harbour counts as two."""
    n = 2 if s.harbour[v] >= 0 else 0
    for j in range(3):
        hex = NODE_HEX[v, j]
        if hex >= 0 and s.terrain[hex] != DESERT:
            n += chances(s, hex)
    return n


@kernel
def best_site(s, some):
    most = 0
    while not bits.empty(some):
        most = max(most, at_site(s, bits.first(some)))
        some = bits.rest(some)
    return most


@kernel
def room(h, s, p):
    """The best places for settlements: where one can build, and where a road would lead."""
    here = sites(s, p)
    value = h.site * best_site(s, here) + h.room * min(3, bits.count(here))
    beyond, left = bits.none(), road_ends(s, p)
    while not bits.empty(left):
        v = bits.first(left)
        left = bits.rest(left)
        for j in range(DEGREE[v]):
            if s.road[NODE_EDGE[v, j]] == 0:
                beyond = bits.add(beyond, NODE_NODE[v, j])
    return value + h.beyond * best_site(s, bits.minus(bits.both(beyond, s.free), here))


@kernel
def hand_worth(h, s, p):
    """How near the hand is to each purchase that can still be made."""
    value = 0.0
    for what in range(4):
        if possible(s, p, what):
            wanted = had = 0.0
            for r in range(KINDS):
                wanted += COSTS[what, r]
                had += min(COSTS[what, r], float(max(0, s.hand[p, r])))
            value += h.purchase[what] * (had / wanted) * (had / wanted)
    return value


@kernel
def possible(s, p, what):
    if what == TO_ROAD:
        return s.roads_left[p] > 0
    if what == TO_SETTLEMENT:
        return s.settlements_left[p] > 0 and not bits.empty(sites(s, p))
    if what == TO_CITY:
        return s.cities_left[p] > 0 and not bits.empty(s.settlements[p])
    return s.deck_left > 0


@kernel
def to_come(h, s, p):
    """What luck, or a choice that follows, still brings on average."""
    phase = s.phase
    if phase == DRAW:
        return h.development
    if phase == TAKE:
        return 2.0 * h.card * s.taking + 0.3 * h.purchase[TO_CITY] * s.taking
    if phase == FREE_ROADS:
        return s.free_roads * (h.road + h.purchase[TO_ROAD])
    if phase == LEVY:
        expected = 0
        for q in range(s.players):
            if q != p:
                expected += max(0, s.hand[q, s.chosen])
        return expected * (h.card + 0.2 * h.purchase[TO_CITY])
    if phase in (ROBBER, VICTIM):
        return h.stealing
    if phase == STEAL:
        return h.stealing + h.leader * public_points(s, s.victim)
    return 0.0


@rules.evaluate.method(Reference, State)
def evaluate(h, s, player):
    """A player's share of exp(what the position is worth to each)."""
    own = worth(h, s, player)
    total = 1.0
    for p in range(s.players):
        if p != player:
            total += exp(min(50.0, CLEAR * (worth(h, s, p) - own)))
    return 1.0 / total


# --- what it does ---


@rules.policy.method(Reference, State)
def policy(h, s, out, rng):
    """The action after which the position is worth most; the first of equals."""
    k = rules.legal(s, out)
    if k == 1:
        return out[0]
    p = s.seat
    after = like(s)
    copy(after, s)
    best, most = out[0], -1e18
    for i in range(k):
        a = out[i]
        if s.phase == MAIN and GIVE_CARD <= a < WANT_CARD + KINDS:
            continue
        restore(after, s)
        value = worth_of(h, s, after, a, p)
        if value > most:
            best, most = a, value
    return best


@kernel
def worth_of(h, s, after, a, p):
    """What an action is worth, tried on a copy."""
    if s.phase == MAIN and a == END:
        return worth(h, s, p)
    if s.phase == ANSWER:
        if a == REFUSE or public_points(s, s.player) >= s.target - NEAR_THE_END:
            return worth(h, s, p) if a == REFUSE else -1e17
        rules.apply(after, ACCEPT)
        return worth(h, after, p) - h.trade
    rules.apply(after, a)
    if rules.mover(after) == rules.OVER:
        return 1e17
    return worth(h, after, p) + to_come(h, after, p)


def reference(**weights: object) -> np.ndarray:
    """A player by these weights, some of which may be others."""
    return new(Reference, **{**WEIGHTS, **weights})
