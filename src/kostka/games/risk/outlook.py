"""The outlook: each player's chance to win, learnt from games: ``kostka learn risk outlook``.

A share of exp(weights · features) among all who live, for any map, any number of players and any
mission. As a guide of searches it leans to what the sensible player would do.
"""

from math import log

from kostka.core import bits, rules
from kostka.core.kernels import kernel
from kostka.core.record import record
from kostka.games.risk.cards import worth
from kostka.games.risk.rules import income
from kostka.games.risk.sensible import armies_on, keep, prior, sensible
from kostka.games.risk.state import (
    ATTACK,
    CONTINENTS,
    DESTROY,
    DRAFT,
    FORTIFY,
    INFANTRY,
    State,
)

FEATURES = (
    "armies", "territories", "income", "continents held", "and how safe they are",
    "nearest continent", "cards", "a set", "largest army", "armies beside it", "pressed", "front",
    "attacks", "ends the turn", "turns to wait", "share of the armies", "mission",
    "mission almost done", "armies, with missions", "territories, with missions",
)  # fmt: skip
Outlook = record("risk.outlook", weights=("f8", len(FEATURES)))
#: Whose leanings guide a search.
LEANINGS = sensible()

#: How likely so many cards hold a set.
SET_IN_HAND = (0.0, 0.0, 0.0, 0.42, 0.82, 1.0)
#: A mission that lacks no more than so many armies could be fulfilled in a turn.
NEAR = 8


@rules.features.method(Outlook, State)
def features(h, s, player, out):
    """What a player has, holds and may soon hold, how pressed he is, and when he is to move."""
    mine = s.land[player]
    if bits.empty(mine) and s.setup[player] == 0:
        return 0
    armies, land = s.setup[player], bits.count(mine)
    if s.player == player:
        armies += s.free
    largest, beside, guards, foes, pressed = 0, 0, 0, 0, 0.0
    left = mine
    while not bits.empty(left):
        t = bits.first(left)
        left = bits.rest(left)
        here, there, most = s.armies[t], 0, 0
        around = bits.minus(s.near[t], mine)
        while not bits.empty(around):
            enemy = s.armies[bits.first(around)]
            around = bits.rest(around)
            there += enemy
            most = max(most, enemy)
        armies += here
        if there > 0:
            guards += here
            foes += there
            pressed += max(0, most - here)
        if here > largest:
            largest, beside = here, most
    everything = 0
    for p in range(s.players):
        everything += armies_on(s, s.land[p]) + s.setup[p]
    everything += s.free
    held, safe, nearest = continents_of(s, player)
    cards = s.hand[player]
    chance = SET_IN_HAND[min(cards, 5)]
    moves = s.player == player
    out[0] = log(armies + 1.0)
    out[1] = log(land + 1.0)
    out[2] = log(float(income(s, player)))
    out[3] = log(held + 1.0)
    out[4] = safe / 5.0
    out[5] = nearest / 5.0
    out[6] = cards / 5.0
    out[7] = log(1.0 + chance * worth(s, s.trades, INFANTRY) / (armies + 1.0))
    out[8] = log(largest + 1.0)
    out[9] = log(beside + 1.0)
    out[10] = log(1.0 + pressed / (armies + 1.0))
    out[11] = guards / (guards + foes + 1.0)
    out[12] = 1.0 if moves and (s.phase == DRAFT or s.phase == ATTACK) else 0.0
    out[13] = 1.0 if moves and s.phase == FORTIFY else 0.0
    out[14] = ((player - s.player) % s.players) / float(s.players)
    out[15] = armies / (everything + 1.0)
    for i in range(16, len(out)):
        out[i] = 0.0
    if s.missions == 1 and s.mission[player] >= 0:
        lacking = lacks(s, player, s.mission[player])
        out[16] = log((armies + 1.0) / (armies + lacking + 1.0))
        out[17] = 1.0 if lacking <= NEAR else 0.0
        out[18] = out[0]
        out[19] = out[1]
    return len(out)


@kernel
def continents_of(s, player):
    """The bonus of continents held, as far as it is safe, and of the one that is nearest."""
    held, safe, nearest = 0, 0.0, 0.0
    for c in range(s.continents):
        inside = s.continent_land[c]
        lacking = bits.minus(inside, s.land[player])
        own = armies_on(s, bits.both(inside, s.land[player]))
        if bits.empty(lacking):
            held += s.bonus[c]
            safe += s.bonus[c] * own / (own + armies_around(s, inside, player) + 1.0)
        else:
            there = armies_on(s, lacking) + bits.count(lacking)
            share = own / (own + there + 1.0)
            nearest = max(nearest, s.bonus[c] * share * share)
    return held, safe, nearest


@kernel
def armies_around(s, inside, player):
    """The armies of others beside a region."""
    around, left = bits.none(), inside
    while not bits.empty(left):
        around = bits.either(around, s.near[bits.first(left)])
        left = bits.rest(left)
    return armies_on(s, bits.minus(bits.minus(around, inside), s.land[player]))


@kernel
def lacks(s, p, m):
    """The armies that a player has to beat or to place, about, until a mission is fulfilled."""
    if s.goal_kind[m] == CONTINENTS:
        return lacks_continents(s, p, m)
    target = s.goal_target[m]
    if s.goal_kind[m] == DESTROY and target != p and not bits.empty(s.land[target]):
        return armies_on(s, s.land[target]) + bits.count(s.land[target])
    lacking, left = 0.0, s.land[p]
    if s.goal_armies[m] > 1:
        while not bits.empty(left):
            lacking += max(0, s.goal_armies[m] - s.armies[bits.first(left)])
            left = bits.rest(left)
    enemies = s.territories - bits.count(s.land[p])
    wanted = s.goal_land[m] - bits.count(s.land[p])
    if wanted <= 0 or enemies <= 0:
        return lacking if wanted <= 0 else 0.0
    others = bits.minus(bits.upto(s.territories), s.land[p])
    return lacking + wanted * (1.0 + armies_on(s, others) / enemies)


@kernel
def lacks_continents(s, p, m):
    """Those that are named, and of the others the nearest ones, as many as are of choice."""
    lacking, chosen = 0.0, 0
    for n in range(s.goal_choice[m] + 1):
        best, least = -1, 1e9
        for c in range(s.continents):
            named = (s.goal_continents[m] >> c) & 1 == 1
            if (n == 0) == named and (chosen >> c) & 1 == 0:
                missing = bits.minus(s.continent_land[c], s.land[p])
                armies = armies_on(s, missing) + bits.count(missing)
                if named:
                    lacking += armies
                elif armies < least:
                    best, least = c, armies
        if best >= 0:
            chosen |= 1 << best
            lacking += least
    return lacking


@rules.prior.method(Outlook, State)
def lean(h, s, a):
    return prior(LEANINGS[0], s, a)


@rules.sensible.method(Outlook, State)
def look_at(h, s, out, k):
    return keep(LEANINGS[0], s, out, k)
