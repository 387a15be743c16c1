"""Dice Wars: attack with more dice, hold one large region, be the last."""

import numpy as np

from kostka.core import bits, play, rules
from kostka.core.kernels import kernel
from kostka.core.memory import integers
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
    MAX_AREAS,
    MAX_DICE,
    MAX_PLAYERS,
    PLACE,
    ROLL,
    State,
)

LOSE, WIN = 0, 1

#: Reserve and production together never exceed this.
MOST_DICE_AT_ONCE = 64

#: On a map n areas have 3n - 6 borders at most (Euler); each is counted from both sides.
MOST_BORDERS = 2 * (3 * MAX_AREAS - 6)

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
    mine = s.territory[s.player]
    sources = bits.both(mine, s.strong)
    while not bits.empty(sources):
        i = bits.first(sources)
        sources = bits.rest(sources)
        targets = bits.minus(s.neighbours[i], mine)
        while not bits.empty(targets):
            out[k] = attack_code(i, bits.first(targets))
            k += 1
            targets = bits.rest(targets)
    return k


@kernel
def transfers(s, out, k):
    """From an own area with two dice or more to an own neighbour that is not full."""
    room = room_of(s, s.player)
    sources = bits.both(s.territory[s.player], s.strong)
    while not bits.empty(sources):
        i = bits.first(sources)
        sources = bits.rest(sources)
        targets = bits.both(s.neighbours[i], room)
        while not bits.empty(targets):
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
    k = bits.members(room_of(s, s.player), out)
    for n in range(k):
        prob[n] = 1.0 / k
    return k


@rules.draw.method(State)
def draw(s, rng):
    if s.phase == ROLL:
        return WIN if uniform(rng) < ODDS[s.dice[s.source], s.dice[s.target]] else LOSE
    return random_member(room_of(s, s.player), rng)


@rules.turns.method(State)
def turns(s):
    return s.turns


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
    put_dice(s, i, 1)
    s.battles += 1
    s.phase = ATTACK
    if outcome == WIN:
        lose(s, s.owner[j], j)
        gain(s, s.player, j)
        put_dice(s, j, attackers - 1)
        if s.held[s.player] == s.areas:
            s.phase = DONE
    elif s.wear > 0:
        put_dice(s, j, max(1, s.dice[j] - attackers // s.wear))
    if s.battles >= s.battle_limit:
        s.phase = DONE


@kernel
def transfer(s, i, j):
    """As many dice as fit move to a neighbouring own area; one stays."""
    moved = min(MAX_DICE - s.dice[j], s.dice[i] - 1)
    put_dice(s, i, s.dice[i] - moved)
    put_dice(s, j, s.dice[j] + moved)
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
    put_dice(s, i, s.dice[i] + 1)
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


# --- playouts: no list of attacks, and the new dice of a turn fall in one go ---


@rules.policy.method(play.Uniform, State)
def any_action(p, s, out, rng):
    """The action that would be drawn from a list of all, found without the list."""
    if s.transfers < s.transfer_limit:
        return play.uniform(p, s, out, rng)
    return nth_attack(s, below(rng, count_attacks(s) + 1))


@kernel
def count_attacks(s):
    n, mine = 0, s.territory[s.player]
    sources = bits.both(mine, s.strong)
    while not bits.empty(sources):
        n += bits.count(bits.minus(s.neighbours[bits.first(sources)], mine))
        sources = bits.rest(sources)
    return n


@kernel
def nth_attack(s, n):
    """The attack that has this place in the list of all; behind the last one the turn ends."""
    mine = s.territory[s.player]
    sources = bits.both(mine, s.strong)
    while not bits.empty(sources):
        i = bits.first(sources)
        targets = bits.minus(s.neighbours[i], mine)
        if n < bits.count(targets):
            return attack_code(i, bits.nth(targets, n))
        n -= bits.count(targets)
        sources = bits.rest(sources)
    return END


@play.playout.method(State)
def play_on(s, p, out, prob, rng, limit):
    """Play on by the rules, with one step for all the dice that a turn brings."""
    n = 0
    while n < limit and s.phase != DONE:
        if s.phase == PLACE:
            place_all_dice(s, rng)
        elif s.phase == ROLL:
            resolve_attack(s, draw(s, rng))
        else:
            apply(s, rules.policy(p, s, out, rng))
            n += 1
    return n


@kernel
def place_all_dice(s, rng):
    """Each die falls on any own area that still has room."""
    areas = integers(MAX_AREAS)
    k = bits.members(room_of(s, s.player), areas)
    for _ in range(s.placing):
        n = below(rng, k)
        i = areas[n]
        put_dice(s, i, s.dice[i] + 1)
        if s.dice[i] == MAX_DICE:
            k -= 1
            areas[n] = areas[k]
    s.placing = 0
    next_player(s)


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
    """Each area has an owner, dice, and neighbours whose neighbour it is, no more than on a map."""
    everywhere, borders = bits.upto(s.areas), 0
    if not sets_are_sound(s):
        return False
    for i in range(s.areas):
        here = s.neighbours[i]
        if s.dice[i] < 1 or bits.has(here, i):
            return False
        borders += bits.count(here)
        if borders > MOST_BORDERS or not bits.empty(bits.minus(here, everywhere)):
            return False
        while not bits.empty(here):
            if not bits.has(s.neighbours[bits.first(here)], i):
                return False
            here = bits.rest(here)
    return True


@kernel
def sets_are_sound(s):
    """Each area is where it belongs, and as many areas are held as there are."""
    held = 0
    for p in range(MAX_PLAYERS):
        if s.held[p] != bits.count(s.territory[p]) or (p >= s.players and s.held[p] > 0):
            return False
        held += s.held[p]
    for i in range(s.areas):
        if s.owner[i] < 0 or not bits.has(s.territory[s.owner[i]], i):
            return False
        if bits.has(s.strong, i) != (s.dice[i] > 1):
            return False
        if bits.has(s.full, i) != (s.dice[i] == MAX_DICE):
            return False
    return held == s.areas


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
def put_dice(s, i, dice):
    """So many dice now lie on an area."""
    s.dice[i] = dice
    s.strong = bits.add(s.strong, i) if dice > 1 else bits.remove(s.strong, i)
    s.full = bits.add(s.full, i) if dice == MAX_DICE else bits.remove(s.full, i)


@kernel
def gain(s, p, i):
    """An area is now a player's."""
    s.owner[i] = p
    s.held[p] += 1
    s.territory[p] = bits.add(s.territory[p], i)


@kernel
def lose(s, p, i):
    s.held[p] -= 1
    s.territory[p] = bits.remove(s.territory[p], i)


@kernel
def note_owners(s):
    """What follows from the owners, once they are dealt."""
    for p in range(MAX_PLAYERS):
        s.held[p], s.territory[p] = 0, bits.none()
    for i in range(s.areas):
        gain(s, s.owner[i], i)


@kernel
def note_dice(s):
    """What follows from the dice, once they are dealt."""
    s.strong = s.full = bits.none()
    for i in range(s.areas):
        put_dice(s, i, s.dice[i])


@kernel
def room_of(s, p):
    """The areas on which a player can place a die."""
    return bits.minus(s.territory[p], s.full)


@kernel
def free_places(s, p):
    n = 0
    room = room_of(s, p)
    while not bits.empty(room):
        n += MAX_DICE - s.dice[bits.first(room)]
        room = bits.rest(room)
    return n


@kernel
def random_member(mask, rng):
    """A random member of a set that is not empty."""
    return bits.nth(mask, below(rng, bits.count(mask)))


@kernel
def region_of(s, i, mine):
    """The connected group of own areas around an area."""
    region = front = bits.single(i)
    while not bits.empty(front):
        beyond = bits.both(s.neighbours[bits.first(front)], bits.minus(mine, region))
        region = bits.either(region, beyond)
        front = bits.either(bits.rest(front), beyond)
    return region


@kernel
def largest_region(s, p):
    """The largest connected group of a player's areas: the first of several."""
    left = s.territory[p]
    best, size = bits.none(), 0
    while not bits.empty(left):
        region = region_of(s, bits.first(left), left)
        if bits.count(region) > size:
            best, size = region, bits.count(region)
        left = bits.minus(left, region)
    return best
