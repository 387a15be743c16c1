"""A sensible player: exact odds, whole continents, and armies where they are needed.

It plays games out and guides searches. Whatever it compares is worth armies: what taking a
territory brings, less what the fight costs and what it lays open. As it throws nothing for what it
decides itself, the same view always gets the same answer.
"""

from math import sqrt

import numpy as np

from kostka.core import bits, rules
from kostka.core.kernels import kernel
from kostka.core.record import new, record
from kostka.games.risk.actions import (
    END,
    UNTIL,
    attack_code,
    cards_of,
    dice_of,
    move_code,
    moved_from,
    moved_to,
    number_code,
    number_of,
    source_of,
    target_of,
)
from kostka.games.risk.battle import ODDS
from kostka.games.risk.cards import sets, worth
from kostka.games.risk.rules import (
    bounds,
    goals_of,
    income,
    places,
    region_of,
    room_of,
    to_place,
)
from kostka.games.risk.state import (
    ATTACK,
    CLAIM,
    CONTINENTS,
    DEFEND,
    DESTROY,
    DRAFT,
    EXTRA,
    FORTIFY,
    MOVE,
    NEUTRAL,
    NUMBER,
    OCCUPY,
    TRADE,
    WILD,
    State,
)

#: What it weighs, in armies where nothing else is said.
Sensible = record(
    "risk.sensible",
    least="f8",  # the least chance with which it attacks
    least_full="f8",  # and where no further army fits
    risk="f8",  # what losing a fight costs beyond the armies
    loss="f8",  # an army lost for each one that has to be beaten
    land="f8",  # a territory
    toward="f8",  # a continent's bonus, by the cube of the share that one then holds
    whole="f8",  # the bonus of a continent that one then holds
    broken="f8",  # the bonus that an enemy loses
    first="f8",  # the card for the first territory of a turn
    fallen="f8",  # a player who falls
    card="f8",  # each of his cards
    hunted="f8",  # the same two for a player who has little left
    hunted_card="f8",
    open="f8",  # an enemy neighbour of what is taken
    mission="f8",  # a step towards the own mission
    left="f8",  # the share of armies that stays behind where both places are in danger
    calm="f8",  # how far apart two actions are of which one is e times as likely, as a prior
)

#: The weights it plays by, as they evolved from others by ``kostka learn risk weights``.
WEIGHTS = dict(
    least=0.79, least_full=0.32, risk=2.1, loss=0.06, land=1.0, toward=0.2, whole=6.0, broken=2.1,
    first=0.8, fallen=1.7, card=2.5, hunted=3.0, hunted_card=2.2, open=0.1, mission=5.0, left=0.12,
    calm=2.0,
)  # fmt: skip

#: Of larger armies the chances are those of a smaller fight of the same proportion.
MOST = 48
#: Of more armies than this that have to be beaten it fears no greater loss, or no war would end.
MOST_COUNTED = 20
#: A player with fewer territories than this is hunted.
LITTLE = 4
#: In the set-up not more than a part of what is left goes to one place, if all is placed at once.
PART = 4
#: As a prior: what is as good as never done.
NEVER = -12.0


def win_odds() -> np.ndarray:
    """[attackers able to fight, defenders]: the chance to take a territory in the end."""
    win = np.zeros((MOST + 1, MOST + 1))
    win[1:, 0] = 1.0
    for a in range(1, MOST + 1):
        for d in range(1, MOST + 1):
            dice, theirs = min(3, a), min(2, d)
            n = min(dice, theirs)
            for lost in range(n + 1):
                win[a, d] += ODDS[dice, theirs, lost] * win[a - n + lost, d - lost]
    return win


WIN = win_odds()


@kernel
def odds(a, d):
    """The chance to take a territory with ``a`` attackers, one more staying behind."""
    most = max(a, d)
    if most > MOST:
        a, d = a * MOST // most, max(1, d * MOST // most)
    return WIN[max(0, a), d]


# --- what things are worth ---


@kernel
def prize(h, s, j):
    """What taking a territory is worth."""
    p, c, loser = s.player, s.continent[j], s.owner[j]
    inside = s.continent_land[c]
    size, mine = bits.count(inside), bits.count(bits.both(inside, s.land[p]))
    share = (mine + 1.0) / size
    value = h.land + h.toward * s.bonus[c] * share * share * share
    if mine + 1 == size:
        value += h.whole * s.bonus[c]
    if bits.empty(bits.minus(inside, s.land[loser])):
        value += h.broken * s.bonus[c]
    if loser < s.players:
        held = bits.count(s.land[loser])
        if held == 1:
            value += h.fallen + h.card * s.hand[loser]
        elif held < LITTLE:
            value += h.hunted + h.hunted_card * s.hand[loser]
    if s.taken == 0:
        value += h.first
    if s.missions == 1 and s.mission[p] >= 0:
        value += h.mission * step(s, j)
    return value - h.open * bits.count(bits.minus(s.near[j], s.land[p]))


@kernel
def step(s, j):
    """How much of a step towards the own mission it is to take a territory."""
    p, c = s.player, s.continent[j]
    m = s.mission[p]
    if s.goal_kind[m] == CONTINENTS:
        if (s.goal_continents[m] >> c) & 1 == 0:
            return 0.0
        inside = s.continent_land[c]
        return (bits.count(bits.both(inside, s.land[p])) + 1.0) / bits.count(inside)
    target = s.goal_target[m]
    if s.goal_kind[m] == DESTROY and target != p and not bits.empty(s.land[target]):
        return 1.0 if s.owner[j] == target else 0.0
    return 0.2


@kernel
def attack_worth(h, s, i, j, extra):
    """What it is worth to attack until it is decided, with ``extra`` armies more; 0: let it be."""
    d = s.armies[j]
    chance = odds(s.armies[i] - 1 + extra, d)
    if chance <= (h.least if s.armies[i] < s.limit else h.least_full):
        return 0.0
    loss = h.loss * min(d, MOST_COUNTED)
    return chance * (prize(h, s, j) + h.risk) - loss - h.risk * (1.0 - chance)


@kernel
def best_attack(h, s, froms, extra):
    """The attack worth most from one of some own territories; (-1, -1, 0) if none is worth it."""
    best_i, best_j, most = -1, -1, 0.0
    mine = s.land[s.player]
    while not bits.empty(froms):
        i = bits.first(froms)
        froms = bits.rest(froms)
        if s.armies[i] - 1 + extra < 1:
            continue
        targets = bits.minus(s.near[i], mine)
        while not bits.empty(targets):
            j = bits.first(targets)
            targets = bits.rest(targets)
            value = attack_worth(h, s, i, j, extra)
            if value > most:
                best_i, best_j, most = i, j, value
    return best_i, best_j, most


@kernel
def armies_on(s, land):
    n = 0
    while not bits.empty(land):
        n += s.armies[bits.first(land)]
        land = bits.rest(land)
    return n


@kernel
def against(s, t, owner):
    """The armies of others beside a territory."""
    return armies_on(s, bits.minus(s.near[t], s.land[owner]))


@kernel
def front(s, owner):
    """The territories of an owner that have others beside them."""
    found, left = bits.none(), s.land[owner]
    while not bits.empty(left):
        t = bits.first(left)
        left = bits.rest(left)
        if not bits.empty(bits.minus(s.near[t], s.land[owner])):
            found = bits.add(found, t)
    return found


@kernel
def need(s, t):
    """How much an own territory needs armies: those against it, less its own; more to hold land."""
    p, c = s.player, s.continent[t]
    enemy = against(s, t, p)
    if enemy == 0:
        return NEVER * 10.0
    value = float(enemy - s.armies[t])
    if bits.empty(bits.minus(s.continent_land[c], s.land[p])):
        value += s.bonus[c]
    return value


# --- the set-up ---


@kernel
def claim_worth(s, t, owner):
    """Where a continent is small, held in part, and pays; in the end where armies are needed."""
    c = s.continent[t]
    own = bits.count(bits.both(s.continent_land[c], s.land[owner]))
    size = s.facts[c, 0]
    value = s.bonus[c] * (own + 1.0) / (size * sqrt(size))
    value += 0.3 * bits.count(bits.both(s.near[t], s.land[owner]))
    if s.owner[t] == owner:
        value += 0.3 * (against(s, t, owner) - s.armies[t]) - 0.5 * s.armies[t]
    return value


@kernel
def hinder_worth(s, t):
    """Where the neutral army hinders the others more than oneself."""
    mine = bits.both(s.near[t], s.land[s.player])
    theirs = bits.minus(bits.minus(s.near[t], mine), s.land[s.players])
    return 0.3 * (armies_on(s, theirs) - armies_on(s, mine)) - 0.5 * s.armies[t]


@kernel
def place_worth(h, s, t):
    """What it is worth to place armies on a territory, in all phases that ask for one."""
    if s.phase == DRAFT:
        _, _, value = best_attack(h, s, bits.single(t), s.free)
        if value > 0.0:
            return value
        wanted = need(s, t)
        return wanted / (8.0 + abs(wanted)) - 1.0 if wanted > 10.0 * NEVER else NEVER
    if s.phase == EXTRA:
        return 0.2 * max(-30.0, need(s, t))
    return hinder_worth(s, t) if s.phase == NEUTRAL else claim_worth(s, t, s.player)


@kernel
def best_place(h, s):
    best, most, left = -1, -1e9, places(s)
    while not bits.empty(left):
        t = bits.first(left)
        left = bits.rest(left)
        value = place_worth(h, s, t)
        if value > most:
            best, most = t, value
    return best


@kernel
def wanted_number(h, s):
    """How many armies it places, leads on, moves, or how many dice it throws."""
    low, high = bounds(s)
    if s.phase == NUMBER and s.setup[s.player] > 0:
        return min(high, 1 + to_place(s) // PART)
    if s.phase != OCCUPY:
        return high
    here, there = against(s, s.source, s.player), against(s, s.target, s.player)
    if there == 0:
        return low if here > 0 else high
    return max(low, high - int(h.left * high * here / (here + there)))


# --- cards ---


@kernel
def trade_worth(s, a):
    """What a set brings, less what its wild cards could still do."""
    wild, kinds, symbol, shown = 0, 0, 0, 0
    for c in cards_of(a):
        if s.symbol[c] == WILD:
            wild += 1
        else:
            symbol = s.symbol[c]
            kinds |= 1 << symbol
            shown += s.owner[c] == s.player
    alike = wild < 2 and (kinds == 1 or kinds == 2 or kinds == 4)
    return worth(s, s.trades, symbol if alike else WILD) + min(shown, 2) - 2.0 * wild


@kernel
def best_trade(s, out):
    """The set that is worth most, or the end where there is none."""
    k = sets(s, out)
    best = 0
    for i in range(1, k):
        if out[i] != END and trade_worth(s, out[i]) > trade_worth(s, out[best]):
            best = i
    return out[best]


# --- the end of a turn ---


@kernel
def ring(s, t):
    """How many steps through own land it is from an own territory to the front."""
    mine = s.land[s.player]
    seen, n = bits.single(t), 0
    edge = seen
    while not bits.empty(edge):
        beyond = bits.none()
        while not bits.empty(edge):
            around = s.near[bits.first(edge)]
            edge = bits.rest(edge)
            if not bits.empty(bits.minus(around, mine)):
                return n
            beyond = bits.either(beyond, around)
        edge = bits.minus(beyond, seen)
        seen = bits.either(seen, edge)
        n += 1
    return n


@kernel
def move_worth(s, i, j, steps):
    """What it is worth to move all that can go, ``steps`` being how far behind the front ``i`` is.

    Armies go from behind to the front, or nearer to it, and there where they are needed.
    """
    ahead = steps - ring(s, j)
    if ahead <= 0:
        return 0.0
    wanted = need(s, j)
    bonus = wanted / (10.0 + abs(wanted)) if wanted > 10.0 * NEVER else 0.0
    return s.armies[i] - 1.0 + 0.1 * ahead + bonus


@kernel
def best_move(s):
    best, most = END, 0.0
    room = room_of(s, s.player)
    froms = bits.minus(bits.minus(s.land[s.player], front(s, s.player)), s.moved_to)
    while not bits.empty(froms):
        i = bits.first(froms)
        froms = bits.rest(froms)
        if s.armies[i] > 1:
            steps = ring(s, i)
            to = goals_of(s, i, region_of(s, i, s.land[s.player]), room)
            while not bits.empty(to):
                j = bits.first(to)
                to = bits.rest(to)
                value = move_worth(s, i, j, steps)
                if value > most:
                    best, most = move_code(i, j), value
    return best


# --- as a policy, a prior, a filter and an evaluation ---


@rules.policy.method(Sensible, State)
def policy(h, s, out, rng):
    """What it does; luck has no part in it."""
    phase = s.phase
    if phase == ATTACK:
        i, j, _ = best_attack(h, s, s.land[s.player], 0)
        return END if i < 0 else attack_code(i, j, UNTIL)
    if phase == TRADE:
        return best_trade(s, out)
    if phase == FORTIFY:
        return best_move(s)
    if phase in (CLAIM, NEUTRAL, DRAFT, EXTRA):
        return best_place(h, s)
    return number_code(wanted_number(h, s))


@rules.prior.method(Sensible, State)
def prior(h, s, a):
    """How likely an action is, as a logarithm: what it is worth, by how calm the player is."""
    phase = s.phase
    if phase in (CLAIM, NEUTRAL, DRAFT, EXTRA):
        return min(-NEVER, max(NEVER, place_worth(h, s, a) / h.calm))
    if phase in (NUMBER, OCCUPY, MOVE, DEFEND):
        low, high = bounds(s)
        return 0.5 * NEVER * abs(number_of(a) - wanted_number(h, s)) / (1 + high - low)
    if a == END:
        return 0.0
    if phase == TRADE:
        return 0.5 * trade_worth(s, a) / h.calm
    if phase == FORTIFY:
        i, j = moved_from(a), moved_to(a)
        value = move_worth(s, i, j, ring(s, i))
        return min(-NEVER, value / h.calm) if value > 0.0 else 0.5 * NEVER
    value = attack_worth(h, s, source_of(a), target_of(a), 0)
    if value <= 0.0 or dice_of(a) != UNTIL:
        return 0.25 * NEVER + min(0.0, value / h.calm)
    return min(-NEVER, value / h.calm)


@rules.sensible.method(Sensible, State)
def keep(h, s, out, k):
    """A search need not look at everything: fights go to their end, armies to the front."""
    phase, n = s.phase, 0
    if phase == TRADE:
        best, ends = best_trade(s, out), out[k - 1] == END
        out[0], out[1] = best, END
        return 2 if ends and best != END else 1
    if phase in (NUMBER, OCCUPY, MOVE):
        return keep_numbers(h, s, out)
    if phase not in (DRAFT, ATTACK, FORTIFY):
        return k
    edge = front(s, s.player)
    for i in range(k):
        if is_sensible(s, out[i], edge):
            out[n] = out[i]
            n += 1
    return n if n > 0 else k


@kernel
def keep_numbers(h, s, out):
    """The least, the most, half of it, and what the player itself would choose."""
    low, high = bounds(s)
    n = 0
    for number in (low, (low + high) // 2, wanted_number(h, s), high):
        known = False
        for i in range(n):
            known = known or out[i] == number_code(number)
        if not known:
            out[n] = number_code(number)
            n += 1
    return n


@kernel
def is_sensible(s, a, edge):
    """Armies are placed and moved to the front, and no hopeless fight is begun."""
    if a == END:
        return True
    if s.phase == DRAFT:
        return bits.has(edge, a)
    if s.phase == FORTIFY:
        return bits.has(edge, moved_to(a)) or ring(s, moved_to(a)) < ring(s, moved_from(a))
    return dice_of(a) == UNTIL and odds(s.armies[source_of(a)] - 1, s.armies[target_of(a)]) > 0.3


@rules.evaluate.method(Sensible, State)
def evaluate(h, s, player):
    """The share of what players have: the square of armies, of new ones to come, and of cards."""
    own, total = 0.0, 0.0
    for p in range(s.players):
        if not bits.empty(s.land[p]) or s.setup[p] > 0:
            power = armies_on(s, s.land[p]) + s.setup[p] + 4.0 * income(s, p) + 2.0 * s.hand[p]
            total += power * power
            if p == player:
                own = power * power
    return own / total


def sensible(**weights: float) -> np.ndarray:
    """A sensible player, some weights of which may be others."""
    return new(Sensible, **{**WEIGHTS, **weights})
