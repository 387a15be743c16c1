"""What hexes bring; and on a 7 the discards, the robber, and what he steals."""

from kostka.core import bits
from kostka.core.kernels import kernel
from kostka.games.catan.board import CORNER_SET, LAND
from kostka.games.catan.building import own_buildings
from kostka.games.catan.hands import gain, note_theft, pay
from kostka.games.catan.standing import public_points
from kostka.games.catan.state import BEFORE, DISCARD, MAIN, NOBODY, ROBBER, STEAL, VICTIM

#: The throw at which the robber comes.
SEVEN = 7
#: A friendly robber spares who has fewer points.
FEW_POINTS = 3


@kernel
def resume(s):
    """Back to the turn, before or after the roll."""
    s.seat = s.player
    s.phase = MAIN if s.rolled == 1 else BEFORE


# --- production ---


@kernel
def production(s, dice):
    """Every hex of the number brings cards, if the robber does not stand there."""
    s.dice = dice
    s.rolled = 1
    if dice == SEVEN:
        for p in range(s.players):
            s.owed[p] = s.cards[p] // 2 if s.cards[p] > s.hand_limit else 0
        next_discard(s)
        return
    s.phase = MAIN
    one, two = s.thrown[dice, 0], s.thrown[dice, 1]
    if one == s.robber:
        one = NOBODY
    if two == s.robber:
        two = NOBODY
    if one != NOBODY and two != NOBODY and s.terrain[one] == s.terrain[two]:
        produce(s, s.terrain[one], one, two)
    else:
        if one != NOBODY:
            produce(s, s.terrain[one], one, NOBODY)
        if two != NOBODY:
            produce(s, s.terrain[two], two, NOBODY)


@kernel
def claims(s, p, h):
    """The cards that a hex brings a player: one for a settlement, two for a city."""
    if h == NOBODY:
        return 0
    corners = CORNER_SET[h]
    return bits.count(bits.both(s.settlements[p], corners)) + 2 * bits.count(
        bits.both(s.cities[p], corners)
    )


@kernel
def produce(s, r, one, two):
    """If the bank cannot pay everybody, nobody is paid; a single claimant takes what is left."""
    corners = CORNER_SET[one]
    if two != NOBODY:
        corners = bits.either(corners, CORNER_SET[two])
    if bits.empty(bits.both(s.built, corners)):
        return
    total = claimants = 0
    for p in range(s.players):
        n = claims(s, p, one) + claims(s, p, two)
        total += n
        claimants += n > 0
    if total > s.bank[r] and claimants > 1:
        return
    for p in range(s.players):
        n = min(claims(s, p, one) + claims(s, p, two), s.bank[r])
        if n > 0:
            gain(s, p, r, n)
            s.bank[r] -= n


# --- discards ---


@kernel
def next_discard(s):
    """In turn from the roller on; then he moves the robber."""
    s.chosen = NOBODY
    for i in range(s.players):
        p = (s.player + i) % s.players
        if s.owed[p] > 0:
            s.seat = p
            s.phase = DISCARD
            return
    s.seat = s.player
    s.phase = ROBBER


@kernel
def discard(s, r):
    pay(s, s.seat, r, 1)
    s.chosen = r
    s.owed[s.seat] -= 1
    if s.owed[s.seat] == 0:
        next_discard(s)


# --- the robber ---


@kernel
def is_spared(s, h):
    """Whether a friendly robber stays away from a hex."""
    if s.friendly == 0:
        return False
    for p in range(s.players):
        there = bits.both(own_buildings(s, p), CORNER_SET[h])
        if public_points(s, p) < FEW_POINTS and not bits.empty(there):
            return True
    return False


@kernel
def robber_places(s, code, out):
    """Any other hex; one that is spared only if there is no other."""
    k = 0
    for h in range(LAND):
        if h != s.robber and not is_spared(s, h):
            out[k] = code + h
            k += 1
    if k == 0:
        for h in range(LAND):
            if h != s.robber:
                out[k] = code + h
                k += 1
    return k


@kernel
def can_be_robbed(s, p):
    """Somebody else with a building at the robber's hex and a card: all of that is public."""
    if p == s.player or s.cards[p] == 0:
        return False
    return not bits.empty(bits.both(own_buildings(s, p), CORNER_SET[s.robber]))


@kernel
def victims(s, code, out):
    k = 0
    for p in range(s.players):
        if can_be_robbed(s, p):
            out[k] = code + p
            k += 1
    return k


@kernel
def move_robber(s, h):
    """Who is robbed is asked where there is a choice."""
    s.robber = h
    found, one = 0, NOBODY
    for p in range(s.players):
        if can_be_robbed(s, p):
            found += 1
            one = p
    if found == 0:
        resume(s)
    elif found == 1:
        s.victim = one
        s.phase = STEAL
    else:
        s.phase = VICTIM


@kernel
def steal(s, r):
    note_theft(s, s.player, s.victim, r)
    s.victim = NOBODY
    resume(s)
