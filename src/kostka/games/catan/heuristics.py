"""Policies of Catan: a player that builds what it can, for playouts."""

from kostka.core import rules
from kostka.core.record import new, record
from kostka.core.rng import below, uniform
from kostka.games.catan.actions import (
    BUY,
    CITY,
    END,
    EXCHANGE,
    GIVE_CARD,
    MOVE_ROBBER,
    ROAD,
)
from kostka.games.catan.state import MAIN, State

#: The chance to exchange at the bank before a turn ends.
Builder = record("catan.builder", exchange="f8")
POLICIES = {"builder": new(Builder, exchange=0.3)}


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
