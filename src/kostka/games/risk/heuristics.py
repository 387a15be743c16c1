"""Policies and evaluations of Risk: the thesis's random agent, a sensible player, an outlook."""

from kostka.core import bits, rules
from kostka.core.kernels import kernel
from kostka.core.record import new, record
from kostka.core.rng import below, uniform
from kostka.games.risk.actions import END, attack_code, move_code, number_code
from kostka.games.risk.cards import sets
from kostka.games.risk.outlook import FEATURES, Outlook
from kostka.games.risk.rules import bounds, goals_of, places, region_of, room_of
from kostka.games.risk.sensible import sensible
from kostka.games.risk.state import ATTACK, CLAIM, DRAFT, EXTRA, FORTIFY, NEUTRAL, TRADE, State

#: It attacks on with the chance p, and ends its attacks otherwise.
Random = record("risk.random", p="f8")


@rules.policy.method(Random, State)
def at_random(p, s, out, rng):
    """Every choice of a phase is as likely; attackers first, then targets, then dice."""
    phase = s.phase
    if phase == ATTACK:
        return random_attack(s, rng) if uniform(rng) < p.p else END
    if phase == FORTIFY:
        return random_move(s, rng)
    if phase == TRADE:
        return random_trade(s, out, rng)
    if phase in (CLAIM, DRAFT, EXTRA, NEUTRAL):
        return random_member(places(s), rng)
    low, high = bounds(s)
    return number_code(low + below(rng, high - low + 1))


@kernel
def random_member(mask, rng):
    return bits.nth(mask, below(rng, bits.count(mask)))


@kernel
def random_attack(s, rng):
    able = bits.none()
    mine = s.land[s.player]
    left = mine
    while not bits.empty(left):
        i = bits.first(left)
        left = bits.rest(left)
        if s.armies[i] > 1 and not bits.empty(bits.minus(s.near[i], mine)):
            able = bits.add(able, i)
    if bits.empty(able):
        return END
    i = random_member(able, rng)
    j = random_member(bits.minus(s.near[i], mine), rng)
    return attack_code(i, j, 1 + below(rng, min(3, s.armies[i] - 1)))


@kernel
def random_trade(s, out, rng):
    """A fair coin decides whether to trade a set, unless one must."""
    k = sets(s, out)
    if out[k - 1] != END:
        return out[below(rng, k)]
    if k == 1 or below(rng, 2) == 0:
        return END
    return out[below(rng, k - 1)]


@kernel
def random_move(s, rng):
    """A fair coin decides whether to move; then every pair is as likely."""
    if below(rng, 2) == 0:
        return END
    room, left, pairs = room_of(s, s.player), s.land[s.player], 0
    while not bits.empty(left):
        region = region_of(s, bits.first(left), left)
        left = bits.minus(left, region)
        pairs += pairs_in(s, region, room)
    if pairs == 0:
        return END
    n, left = below(rng, pairs), s.land[s.player]
    while True:
        region = region_of(s, bits.first(left), left)
        left = bits.minus(left, region)
        here = pairs_in(s, region, room)
        if n < here:
            return nth_pair(s, region, room, n)
        n -= here


@kernel
def pairs_in(s, region, room):
    n, froms = 0, bits.minus(region, s.moved_to)
    while not bits.empty(froms):
        i = bits.first(froms)
        froms = bits.rest(froms)
        if s.armies[i] > 1:
            n += bits.count(goals_of(s, i, region, room))
    return n


@kernel
def nth_pair(s, region, room, n):
    froms = bits.minus(region, s.moved_to)
    while not bits.empty(froms):
        i = bits.first(froms)
        froms = bits.rest(froms)
        if s.armies[i] > 1:
            to = goals_of(s, i, region, room)
            if n < bits.count(to):
                return move_code(i, bits.nth(to, n))
            n -= bits.count(to)
    return END


POLICIES = {"random": new(Random, p=0.87), "sensible": sensible()}
LOGITS = {"outlook": (Outlook, FEATURES)}
EVALUATIONS = {"sensible": POLICIES["sensible"]}
