"""The five small networks of the thesis as one policy: they judge land by what lies around it.

Numbers of armies and territories go in as they are. Of a continent the thesis counts seven facts
and names six; the seventh here is the bonus, which its reasoning asks for. Whoever has no land
there is nobody's enemy, so territories that nobody has claimed yet count for neither side.
"""

from math import floor

import numpy as np

from kostka.core import bits, rules
from kostka.core.kernels import kernel
from kostka.core.memory import floats
from kostka.core.record import record
from kostka.core.rng import stream, uniform
from kostka.games.risk.actions import END, attack_code, move_code, number_code
from kostka.games.risk.cards import sets
from kostka.games.risk.rules import bounds, goals_of, places, region_of, room_of, unclaimed
from kostka.games.risk.sensible import armies_on
from kostka.games.risk.state import (
    ATTACK,
    CLAIM,
    DEFEND,
    DRAFT,
    EXTRA,
    FORTIFY,
    MAX_LAND,
    NEUTRAL,
    NUMBER,
    OCCUPY,
    TRADE,
    State,
)
from kostka.learn import network
from kostka.learn.network import WIDEST, add, answer, ask, thresholds

#: The networks: for the set-up, to trade cards, to place armies, to attack, to fortify.
SETUP, EXCHANGE, PLACE, FIGHT, SHIFT = range(5)
SIMPLE = ((16, 16, 1), (4, 4, 1), (9, 9, 2), (17, 17, 2), (18, 18, 2))
COMPLEX = (
    (16, 16, 9, 7, 1),
    (4, 4, 2, 2, 1),
    (9, 9, 9, 2),
    (17, 17, 10, 7, 2),
    (18, 18, 9, 9, 2),
)
TOPOLOGIES = {"simple": SIMPLE, "complex": COMPLEX}

Nets = record("risk.nets", **network.fields(SIMPLE, COMPLEX))

#: Slope of the sigmoid in the library of the thesis.
SLOPE = 2.0
#: The output from which on cards are traded, an attack is made, armies are moved.
YES = 0.5
#: Below these shares an attack is made with one die, and with two.
ONE_DIE, TWO_DICE = 0.33, 0.66
#: Room for a layer, and for the first sums of every territory in the network to fortify.
ROOM, SHIFT_WIDTH = 32, 18
EVERY_LAND = MAX_LAND * SHIFT_WIDTH
#: Numbers of a neighbourhood and facts of a continent.
AROUND, FACTS = 8, 7


def untrained(topology: str, seed: int = 0) -> np.ndarray:
    """Numbers from 0 to 1, as the library of the thesis draws them; nearly all answers are 1."""
    rng = stream("risk nets", topology, seed)
    return np.array([uniform(rng) for _ in range(network.length(TOPOLOGIES[topology]))])


def nets(topology: str, numbers: np.ndarray) -> np.ndarray:
    """A player by networks."""
    return network.make(Nets, TOPOLOGIES[topology], numbers, SLOPE)


@rules.policy.method(Nets, State)
def policy(p, s, out, rng):
    """What the networks say; luck has no part in it."""
    phase = s.phase
    if phase == ATTACK:
        return attack(p, s)
    if phase in (DRAFT, EXTRA):
        return best_place(p, s)
    if phase == FORTIFY:
        return best_move(p, s)
    if phase == TRADE:
        return trade(p, s, out)
    if phase in (CLAIM, NEUTRAL):
        return best_claim(p, s)
    return number_code(wanted_number(p, s))


@kernel
def wanted_number(p, s):
    """How many armies are placed, march in or move: the second output is a share."""
    low, high = bounds(s)
    values = floats(ROOM)
    n = float(low)
    if s.phase == NUMBER and s.setup[s.player] == 0:
        judge_place(p, s, s.target, values)
        n = values[1] * s.free
    elif s.phase == OCCUPY:
        judge_attack(p, s, s.source, s.target, values)
        n = (s.armies[s.source] - 1 - s.dice) * values[1] + s.dice
    elif s.phase == DEFEND:
        n = float(high)
    elif s.phase != NUMBER:
        judge_move(p, s, s.source, s.target, values)
        n = values[1] * (s.armies[s.source] - 1)
    return max(low, min(high, floor(n + 0.5)))


# --- what the networks see ---


@kernel
def enemies(s):
    """The territories of all others."""
    theirs = bits.minus(bits.upto(s.territories), s.land[s.player])
    return bits.minus(theirs, unclaimed(s)) if s.phase == CLAIM else theirs


@kernel
def surroundings(s, t, theirs, values, at):
    """At distance one and two: own territories, own armies, enemy territories, enemy armies."""
    mine = s.land[s.player]
    for layer in range(2):
        around = s.near[t] if layer == 0 else s.far[t]
        own, other = bits.both(around, mine), bits.both(around, theirs)
        values[at + layer] = bits.count(own)
        values[at + 2 + layer] = armies_on(s, own)
        values[at + 4 + layer] = bits.count(other)
        values[at + 6 + layer] = armies_on(s, other)


@kernel
def continent_facts(s, t, theirs, values, at):
    """Size, own and enemy territories, bonus, z1, z2, z3."""
    c = s.continent[t]
    inside = s.continent_land[c]
    values[at] = s.facts[c, 0]
    values[at + 1] = bits.count(bits.both(inside, s.land[s.player]))
    values[at + 2] = bits.count(bits.both(inside, theirs))
    values[at + 3] = s.bonus[c]
    for n in range(3):
        values[at + 4 + n] = s.facts[c, 1 + n]


# --- the set-up ---


@kernel
def judge_claim(p, s, t, values):
    """How good a territory is, empty or own."""
    theirs = enemies(s)
    values[0] = bits.has(s.land[s.player], t)
    surroundings(s, t, theirs, values, 1)
    continent_facts(s, t, theirs, values, 1 + AROUND)
    ask(p, SETUP, values)


@kernel
def best_claim(p, s):
    """The best territory; the neutral army gets what is worst, where it is least in the way."""
    values = floats(WIDEST)
    sign = -1.0 if s.phase == NEUTRAL else 1.0
    best, most, left = -1, -2.0, places(s)
    while not bits.empty(left):
        t = bits.first(left)
        left = bits.rest(left)
        judge_claim(p, s, t, values)
        if sign * values[0] > most:
            best, most = t, sign * values[0]
    return best


# --- cards ---


@kernel
def trade(p, s, out):
    """The first set, if one must or the network says so."""
    k = sets(s, out)
    if k == 1 or out[k - 1] != END or wants_trade(p, s):
        return out[0]
    return END


@kernel
def wants_trade(p, s):
    """It sees free armies, sets traded so far, and the armies on both sides of the borders."""
    values = floats(ROOM)
    mine, borders, beyond = s.land[s.player], bits.none(), bits.none()
    left = mine
    while not bits.empty(left):
        t = bits.first(left)
        left = bits.rest(left)
        others = bits.minus(s.near[t], mine)
        if not bits.empty(others):
            borders = bits.add(borders, t)
            beyond = bits.either(beyond, others)
    values[0], values[1] = s.free, s.trades
    values[2], values[3] = armies_on(s, borders), armies_on(s, beyond)
    ask(p, EXCHANGE, values)
    return values[0] > YES


# --- new armies ---


@kernel
def judge_place(p, s, t, values):
    """How good it is to place armies on an own territory, and the share of those that are left."""
    values[0] = s.armies[t]
    surroundings(s, t, enemies(s), values, 1)
    ask(p, PLACE, values)


@kernel
def best_place(p, s):
    values = floats(ROOM)
    best, most, left = -1, -1.0, places(s)
    while not bits.empty(left):
        t = bits.first(left)
        left = bits.rest(left)
        judge_place(p, s, t, values)
        if values[0] > most:
            best, most = t, values[0]
    return best


# --- attacks ---


@kernel
def attack(p, s):
    """Attackers and their targets in order, each as long as the network says yes.

    A policy remembers nothing, but the position tells of the last attack: there it goes on.
    """
    common, values = floats(ROOM), floats(ROOM)
    mine, theirs = s.land[s.player], enemies(s)
    froms = bits.minus(mine, bits.upto(max(0, s.source)))
    while not bits.empty(froms):
        i = bits.first(froms)
        froms = bits.rest(froms)
        targets = bits.minus(s.near[i], mine)
        if i == s.source:
            targets = bits.minus(targets, bits.upto(s.target))
        if s.armies[i] < 2 or bits.empty(targets):
            continue
        attacker(p, s, i, theirs, common, values)
        while not bits.empty(targets):
            j = bits.first(targets)
            targets = bits.rest(targets)
            judge_target(p, s, j, theirs, common, values)
            if values[0] > YES:
                return attack_code(i, j, min(dice(values[1]), s.armies[i] - 1))
    return END


@kernel
def dice(share):
    return 1 if share < ONE_DIE else 2 if share < TWO_DICE else 3


#: Of the inputs to attack: own armies, theirs, the attacker's surroundings, the target's continent.
OWN, THEIRS, BESIDE, CONTINENT = 0, 1, 2, 2 + AROUND


@kernel
def judge_attack(p, s, i, j, values):
    """Whether to attack, and which share: of the dice or, of land just taken, of the armies."""
    common, theirs = floats(ROOM), enemies(s)
    attacker(p, s, i, theirs, common, values)
    judge_target(p, s, j, theirs, common, values)


@kernel
def attacker(p, s, i, theirs, common, values):
    """The part of the first layer that all attacks from a territory have in common."""
    thresholds(p, FIGHT, common, 0)
    add(p, FIGHT, OWN, float(s.armies[i]), common, 0)
    surroundings(s, i, theirs, values, 0)
    for n in range(AROUND):
        add(p, FIGHT, BESIDE + n, values[n], common, 0)


@kernel
def judge_target(p, s, j, theirs, common, values):
    sums = floats(ROOM)
    for n in range(p.sizes[FIGHT, 1]):
        sums[n] = common[n]
    add(p, FIGHT, THEIRS, float(s.armies[j]), sums, 0)
    continent_facts(s, j, theirs, values, 0)
    for n in range(FACTS):
        add(p, FIGHT, CONTINENT + n, values[n], sums, 0)
    answer(p, FIGHT, sums, values)


# --- the end of a turn ---


@kernel
def judge_move(p, s, i, j, values):
    """Whether to move armies from one own territory to another, and what share of them."""
    giving, getting = floats(ROOM), floats(ROOM)
    theirs = enemies(s)
    giver(p, s, i, theirs, giving, 0, values)
    getter(p, s, j, theirs, getting, 0, values)
    judge_pair(p, giving, 0, getting, 0, values)


#: Of the inputs to fortify: the armies at both ends, and the surroundings of both.
FROM, TO, BESIDE_FROM, BESIDE_TO = 0, 1, 2, 2 + AROUND


@kernel
def giver(p, s, t, theirs, sums, at, values):
    """What a territory adds to the first layer where armies leave it."""
    thresholds(p, SHIFT, sums, at)
    add(p, SHIFT, FROM, float(s.armies[t]), sums, at)
    surroundings(s, t, theirs, values, 0)
    for n in range(AROUND):
        add(p, SHIFT, BESIDE_FROM + n, values[n], sums, at)


@kernel
def getter(p, s, t, theirs, sums, at, values):
    """What a territory adds to the first layer where armies come to it."""
    for n in range(p.sizes[SHIFT, 1]):
        sums[at + n] = 0.0
    add(p, SHIFT, TO, float(s.armies[t]), sums, at)
    surroundings(s, t, theirs, values, 0)
    for n in range(AROUND):
        add(p, SHIFT, BESIDE_TO + n, values[n], sums, at)


@kernel
def judge_pair(p, giving, give, getting, get, values):
    sums = floats(ROOM)
    for n in range(p.sizes[SHIFT, 1]):
        sums[n] = giving[give + n] + getting[get + n]
    answer(p, SHIFT, sums, values)


@kernel
def best_move(p, s):
    """The best of all pairs that are joined; the first layer is summed up once for each end."""
    giving, getting = floats(EVERY_LAND), floats(EVERY_LAND)
    values, theirs = floats(ROOM), enemies(s)
    froms, room = froms_of(s), room_of(s, s.player)
    left = froms
    while not bits.empty(left):
        giver(p, s, bits.first(left), theirs, giving, bits.first(left) * SHIFT_WIDTH, values)
        left = bits.rest(left)
    left = bits.none() if bits.empty(froms) else room
    while not bits.empty(left):
        getter(p, s, bits.first(left), theirs, getting, bits.first(left) * SHIFT_WIDTH, values)
        left = bits.rest(left)
    best, most = END, YES
    while not bits.empty(froms):
        i = bits.first(froms)
        froms = bits.rest(froms)
        to = goals_of(s, i, region_of(s, i, s.land[s.player]), room)
        while not bits.empty(to):
            j = bits.first(to)
            to = bits.rest(to)
            judge_pair(p, giving, i * SHIFT_WIDTH, getting, j * SHIFT_WIDTH, values)
            if values[0] > most:
                best, most = move_code(i, j), values[0]
    return best


@kernel
def froms_of(s):
    """The own territories that armies can leave."""
    found, left = bits.none(), bits.minus(s.land[s.player], s.moved_to)
    while not bits.empty(left):
        i = bits.first(left)
        left = bits.rest(left)
        if s.armies[i] > 1:
            found = bits.add(found, i)
    return found
