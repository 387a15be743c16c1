"""Dice Wars: attack with more dice, hold one large region, be the last."""

import numpy as np

from kostka.core import bits, rules
from kostka.core.kernels import kernel
from kostka.core.rng import below, uniform
from kostka.games.dicewars.actions import (
    END,
    attack_code,
    is_transfer,
    source_of,
    target_of,
    transfer_code,
)
from kostka.games.dicewars.state import (
    ATTACK,
    DONE,
    MAX_DICE,
    MAX_PLAYERS,
    PLACE,
    ROLL,
    State,
)

LOSE, WIN = 0, 1

#: Reserve and production together never exceed this.
MOST_DICE_AT_ONCE = 64

#: Transfers put off the end of a quiet game, so the number of turns is limited as well.
TURN_LIMIT = 20_000


def attack_odds() -> np.ndarray:
    """The exact chance that a dice beat d: a higher sum wins, ties defend."""
    ways = [np.array([1.0])]  # ways[n][k]: ways to throw k with n dice
    for _ in range(MAX_DICE):
        ways.append(np.convolve(ways[-1], [0, 1, 1, 1, 1, 1, 1]))
    odds = np.zeros((MAX_DICE + 1, MAX_DICE + 1))
    for a in range(1, MAX_DICE + 1):
        for d in range(1, MAX_DICE + 1):
            lower = np.concatenate(([0.0], np.cumsum(ways[d])))
            wins = sum(ways[a][k] * lower[min(k, 6 * d + 1)] for k in range(6 * a + 1))
            odds[a, d] = wins / 6.0 ** (a + d)
    return odds


ODDS = attack_odds()


# --- whose turn ---


@rules.mover.method(State)
def mover(s):
    if s.phase == DONE:
        return rules.OVER
    return s.player if s.phase == ATTACK else rules.CHANCE


# --- what a player may do ---


@rules.legal.method(State)
def legal(s, out):
    """Attack as often as you like, transfer where the edition allows it, or end the turn."""
    k = attacks(s, out)
    if s.transfers < s.transfer_limit:
        k = transfers(s, out, k)
    out[k] = END
    return k + 1


@kernel
def attacks(s, out):
    """From an own area with two dice or more to a neighbour of somebody else."""
    k = 0
    mine = territory(s, s.player)
    for i in range(s.areas):
        if s.owner[i] == s.player and s.dice[i] > 1:
            targets = bits.minus(s.neighbours[i], mine)
            while not bits.empty(targets):
                out[k] = attack_code(i, bits.first(targets))
                k += 1
                targets = bits.rest(targets)
    return k


@kernel
def transfers(s, out, k):
    """From an own area with two dice or more to an own neighbour that is not full."""
    mine = territory(s, s.player)
    for i in range(s.areas):
        if s.owner[i] == s.player and s.dice[i] > 1:
            targets = bits.both(s.neighbours[i], mine)
            while not bits.empty(targets):
                if s.dice[bits.first(targets)] < MAX_DICE:
                    out[k] = transfer_code(i, bits.first(targets))
                    k += 1
                targets = bits.rest(targets)
    return k


# --- luck ---


@rules.chance.method(State)
def chance(s, out, prob):
    """An attack is won or lost; a new die falls on any own area that is not full."""
    if s.phase == ROLL:
        out[0], out[1] = WIN, LOSE
        prob[0] = ODDS[s.dice[s.source], s.dice[s.target]]
        prob[1] = 1.0 - prob[0]
        return 2 if prob[1] > 0.0 else 1
    k = 0
    for i in range(s.areas):
        if has_room(s, i):
            out[k] = i
            k += 1
    for j in range(k):
        prob[j] = 1.0 / k
    return k


@rules.draw.method(State)
def draw(s, rng):
    if s.phase == ROLL:
        return WIN if uniform(rng) < ODDS[s.dice[s.source], s.dice[s.target]] else LOSE
    i = below(rng, s.areas)
    while not has_room(s, i):
        i = below(rng, s.areas)
    return i


@rules.luck_source.method(State)
def stream(s):
    """Each player has luck of his own for attacks, and for new dice."""
    return s.player if s.phase == ROLL else MAX_PLAYERS + s.player


# --- what happens ---


@rules.apply.method(State)
def apply(s, a):
    if s.phase == ROLL:
        resolve_attack(s, a)
    elif s.phase == PLACE:
        place_die(s, a)
    elif a == END:
        end_turn(s)
    elif is_transfer(a):
        transfer(s, source_of(a), target_of(a))
    else:
        s.source, s.target, s.won = source_of(a), target_of(a), -1
        s.quiet = 0
        s.phase = ROLL


@kernel
def resolve_attack(s, outcome):
    """Won: all dice but one move in. Lost: one die stays."""
    i, j = s.source, s.target
    attackers = s.dice[i]
    s.won = outcome
    s.dice[i] = 1
    s.battles += 1
    s.phase = ATTACK
    if outcome == WIN:
        s.held[s.owner[j]] -= 1
        s.held[s.player] += 1
        s.owner[j] = s.player
        s.dice[j] = attackers - 1
        if s.held[s.player] == s.areas:
            s.phase = DONE
    elif s.wear > 0:
        s.dice[j] = max(1, s.dice[j] - attackers // s.wear)
    if s.battles >= s.battle_limit:
        s.phase = DONE


@kernel
def transfer(s, i, j):
    """As many dice as fit move to a neighbouring own area; one stays."""
    moved = min(MAX_DICE - s.dice[j], s.dice[i] - 1)
    s.dice[i] -= moved
    s.dice[j] += moved
    s.transfers += 1
    s.quiet = 0
    s.source, s.target, s.won = i, j, -1


@kernel
def end_turn(s):
    """The largest region brings a die for each of its areas; what does not fit is kept."""
    p = s.player
    s.turns += 1
    s.quiet += 1
    s.source, s.target, s.won = -1, -1, -1
    if s.quiet // alive(s) >= s.quiet_limit or s.turns >= TURN_LIMIT:
        s.phase = DONE
        return
    dice = min(MOST_DICE_AT_ONCE, s.reserve[p] + bits.count(largest_region(s, p)))
    s.placing = min(dice, free_places(s, p))
    s.reserve[p] = dice - s.placing
    if s.reserve_base > 0:
        s.reserve[p] = min(s.reserve[p], max(0, s.reserve_base - s.held[p]))
    if s.placing > 0:
        s.phase = PLACE
    else:
        next_player(s)


@kernel
def place_die(s, i):
    s.dice[i] += 1
    s.placing -= 1
    if s.placing == 0:
        next_player(s)


@kernel
def next_player(s):
    """The turn goes round, past those who have lost everything."""
    s.phase = ATTACK
    s.transfers = 0
    s.player = (s.player + 1) % s.players
    while s.held[s.player] == 0:
        s.player = (s.player + 1) % s.players


# --- how it ends ---


@rules.returns.method(State)
def returns(s, out):
    """The last one wins. A void game is a draw of those who still hold an area."""
    living = alive(s)
    for p in range(s.players):
        out[p] = 1.0 / living if s.held[p] > 0 else 0.0


@rules.score.method(State)
def score(s, out):
    """The size of each player's largest region."""
    for p in range(s.players):
        out[p] = bits.count(largest_region(s, p))


@rules.conserved.method(State)
def conserved(s, out):
    """Every area always has an owner."""
    out[0] = 0
    for p in range(s.players):
        out[0] += s.held[p]
    return 1


# --- positions that somebody has made up ---


@rules.plausible.method(State)
def plausible(s):
    """Everybody's areas are counted, neighbours are so both ways, and what is due can be done."""
    if s.player >= s.players or not areas_are_sound(s):
        return False
    if s.phase == DONE:
        return alive(s) > 0
    due = s.placing <= free_places(s, s.player) if s.phase == PLACE else s.placing == 0
    if s.phase == PLACE:
        due = due and s.placing > 0
    if s.phase == ROLL:
        due = s.source >= 0 and s.target >= 0 and may_attack(s, s.source, s.target)
    return due and s.held[s.player] > 0 and s.battles < s.battle_limit and s.turns < TURN_LIMIT


@kernel
def areas_are_sound(s):
    """Each area has an owner, dice, and neighbours that have it as theirs."""
    everywhere = bits.upto(s.areas)
    for p in range(MAX_PLAYERS):
        if s.held[p] != bits.count(territory(s, p)) or (p >= s.players and s.held[p] > 0):
            return False
    for i in range(s.areas):
        here = s.neighbours[i]
        if s.owner[i] < 0 or s.dice[i] < 1 or bits.has(here, i):
            return False
        if not bits.empty(bits.minus(here, everywhere)):
            return False
        while not bits.empty(here):
            if not bits.has(s.neighbours[bits.first(here)], i):
                return False
            here = bits.rest(here)
    return True


@kernel
def may_attack(s, i, j):
    if i >= s.areas or not bits.has(s.neighbours[i], j):
        return False
    return s.owner[i] == s.player and s.dice[i] > 1 and s.owner[j] != s.player


# --- the board ---


@kernel
def alive(s):
    n = 0
    for p in range(s.players):
        if s.held[p] > 0:
            n += 1
    return n


@kernel
def has_room(s, i):
    return s.owner[i] == s.player and s.dice[i] < MAX_DICE


@kernel
def free_places(s, p):
    n = 0
    for i in range(s.areas):
        if s.owner[i] == p:
            n += MAX_DICE - s.dice[i]
    return n


@kernel
def territory(s, p):
    """All areas of a player."""
    mine = bits.none()
    for i in range(s.areas):
        if s.owner[i] == p:
            mine = bits.add(mine, i)
    return mine


@kernel
def region_of(s, i, mine):
    """The connected group of own areas around an area."""
    region = front = bits.single(i)
    while not bits.empty(front):
        beyond = bits.none()
        while not bits.empty(front):
            beyond = bits.either(beyond, s.neighbours[bits.first(front)])
            front = bits.rest(front)
        front = bits.minus(bits.both(beyond, mine), region)
        region = bits.either(region, front)
    return region


@kernel
def largest_region(s, p):
    """The largest connected group of a player's areas: the first of several."""
    left = territory(s, p)
    best, size = bits.none(), 0
    while not bits.empty(left):
        region = region_of(s, bits.first(left), left)
        if bits.count(region) > size:
            best, size = region, bits.count(region)
        left = bits.minus(left, region)
    return best
