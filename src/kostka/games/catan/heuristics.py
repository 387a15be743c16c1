"""What a player would do: for playouts a builder, and a simple view of how everybody stands."""

from math import exp

from kostka.core import bits, rules
from kostka.core.kernels import kernel
from kostka.core.record import new, record
from kostka.core.rng import below, uniform
from kostka.games.catan.actions import (
    BUY,
    CANCEL,
    CITY,
    DISCARD_CARD,
    END,
    EXCHANGE,
    GIVE_CARD,
    MOVE_ROBBER,
    ROAD,
    TAKE_CARD,
    WANT_CARD,
)
from kostka.games.catan.board import CORNER_SET, KINDS, LAND
from kostka.games.catan.reference import reference
from kostka.games.catan.standing import public_points
from kostka.games.catan.state import DISCARD, MAIN, OFFER, POINT, TAKE, State
from kostka.games.catan.trade import size

# --- a player that builds what it can ---

#: How much an exchange at the bank attracts it; the end of the turn has 0.9.
Builder = record("catan.builder", exchange="f8")


@rules.policy.method(Builder, State)
def build(p, s, out, rng):
    """City, settlement, card, road; sometimes an exchange; then end the turn. All else by lot."""
    k = rules.legal(s, out)
    if s.phase != MAIN or k == 1:
        return out[below(rng, k)]
    best, rank = END, -1.0
    for i in range(k):
        a = out[i]
        worth = 1.0 + uniform(rng)
        if CITY <= a < ROAD:
            worth += 4.0
        elif a < CITY:
            worth += 3.0
        elif a == BUY:
            worth += 1.0
        elif a < MOVE_ROBBER:
            worth += 2.0 * uniform(rng)
        elif a == END:
            worth = 0.9
        elif a >= EXCHANGE:
            worth = p.exchange + 0.8 * uniform(rng)
        elif a >= GIVE_CARD:
            worth = 0.0
        if worth > rank:
            best, rank = a, worth
    return best


# --- how everybody stands ---

#: What a point, a chance in 36 of a card, a resource card, a development card and a knight weigh.
Standing = record("catan.standing", point="f8", pip="f8", card="f8", development="f8", knight="f8")


@rules.evaluate.method(Standing, State)
def evaluate(h, s, player):
    """A player's share of exp(what stands for him)."""
    own, total = 0.0, 0.0
    for p in range(s.players):
        power = exp(strength(h, s, p))
        total += power
        if p == player:
            own = power
    return own / total


@kernel
def strength(h, s, p):
    points = public_points(s, p) + s.dev[p, POINT]
    worth = h.point * points + h.pip * pips(s, p) + h.card * min(7, s.cards[p])
    return worth + h.development * s.devs[p] + h.knight * s.knights[p]


@kernel
def pips(s, p):
    """Cards that 36 throws bring on average, where the robber is not."""
    n = 0
    for h in range(LAND):
        if s.number[h] > 0 and h != s.robber:
            at = CORNER_SET[h]
            here = bits.count(bits.both(s.settlements[p], at))
            here += 2 * bits.count(bits.both(s.cities[p], at))
            n += here * (6 - abs(7 - s.number[h]))
    return n


# --- what need not be searched ---


@rules.sensible.method(Standing, State)
def sensible(h, s, out, k):
    return ascending(s, out, k)


@kernel
def ascending(s, out, k):
    """Keep of cards that are chosen one by one only the order wood, brick, wool, grain, ore."""
    if s.phase != DISCARD and s.phase != TAKE and s.phase != OFFER:
        return k
    kept = 0
    for i in range(k):
        if in_order(s, out[i]):
            out[kept] = out[i]
            kept += 1
    return kept if kept > 0 else k


@kernel
def in_order(s, a):
    """Whether a card is not of a kind before the last one, and the others can follow it."""
    if s.phase == DISCARD:
        r, left = a - DISCARD_CARD, 0
        for k in range(r, KINDS):
            left += s.hand[s.seat, k]
        return r >= s.chosen and left >= s.owed[s.seat]
    if s.phase == TAKE:
        return a - TAKE_CARD >= s.chosen
    if a == CANCEL:
        return False
    if GIVE_CARD <= a < WANT_CARD:
        return size(s.want) == 0 and a - GIVE_CARD >= last_kind(s.give)
    return a < WANT_CARD or a - WANT_CARD >= last_kind(s.want)


@kernel
def last_kind(cards):
    last = -1
    for r in range(KINDS):
        if cards[r] > 0:
            last = r
    return last


POLICIES = {"builder": new(Builder, exchange=0.3), "reference": reference()}
EVALUATIONS = {
    "standing": new(Standing, point=0.5, pip=0.05, card=0.03, development=0.2, knight=0.05),
    "reference": POLICIES["reference"],
}
