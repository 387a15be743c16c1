"""Whether a position from outside can be one: what follows from something else is as it must be.

It may be the whole truth or what a viewer knows of it: then stolen cards, development cards and
vague cards of others are missing.
"""

from kostka.core import bits, rules
from kostka.core.kernels import kernel
from kostka.core.memory import copy, like
from kostka.games.catan.board import DEGREE, DESERT, EDGE_NODE, KINDS, LAND, NODE_EDGE, NODES, PATHS
from kostka.games.catan.building import BANK_RATE, build_city, own_buildings, place_settlement
from kostka.games.catan.cards import bank_is_empty
from kostka.games.catan.roads import LEAST_ROAD, longest_road
from kostka.games.catan.robber import SEVEN, can_be_robbed
from kostka.games.catan.standing import LEAST_ARMY, public_points
from kostka.games.catan.state import (
    ANSWER,
    BEFORE,
    CARD_KINDS,
    CITIES,
    DECK,
    DECK_SIZE,
    DICE,
    DISCARD,
    DONE,
    DRAW,
    FOUND_ROAD,
    FOUND_SETTLEMENT,
    FREE_ROADS,
    KNIGHT,
    LEVY,
    MAIN,
    NOBODY,
    OFFER,
    POINT,
    ROADS,
    SEATS,
    SETTLEMENTS,
    STEAL,
    TAKE,
    THEFTS,
    UNKNOWN,
    VICTIM,
    State,
)
from kostka.games.catan.trade import GIVEN, size


@rules.plausible.method(State)
def plausible(s):
    return (
        players_play(s)
        and island_is_sound(s)
        and pieces_stand(s)
        and thefts_are_sound(s)
        and hands_are_sound(s)
        and cards_are_counted(s)
        and (founding_is_sound(s) if s.founded < 2 * s.players else turn_is_sound(s))
    )


@kernel
def players_play(s):
    """Whoever is named takes part, and those who do not have nothing."""
    n = s.players
    if s.player >= n or s.seat >= n or s.winner >= n or s.victim >= n:
        return False
    if s.road_holder >= n or s.army_holder >= n or s.founded > 2 * n:
        return False
    for p in range(n, SEATS):
        if s.cards[p] != 0 or s.devs[p] != 0 or s.owed[p] != 0 or s.vague[p] != 0:
            return False
        if not bits.empty(bits.either(own_buildings(s, p), s.reached[p])):
            return False
    return True


# --- the board ---


@kernel
def island_is_sound(s):
    """Every hex but the desert has a number, and throws know where."""
    for n in range(13):
        found = 0
        for h in range(LAND):
            if s.number[h] == n and n > 0:
                if found == 2 or s.thrown[n, found] != h:
                    return False
                found += 1
        for j in range(found, 2):
            if s.thrown[n, j] != NOBODY:
                return False
    for h in range(LAND):
        number = s.number[h]
        if (s.terrain[h] == DESERT) != (number == 0) or number == 1 or number == SEVEN:
            return False
    return True


@kernel
def pieces_stand(s):
    """Buildings keep their distance; what can be counted and measured is as it says."""
    again = like(s)
    copy(again, s)
    again.built, again.free = bits.none(), bits.upto(NODES)
    for p in range(SEATS):
        again.settlements[p] = again.cities[p] = again.reached[p] = bits.none()
        again.settlements_left[p], again.cities_left[p] = SETTLEMENTS, CITIES
        again.roads_left[p] = ROADS
        for r in range(KINDS):
            again.rate[p, r] = BANK_RATE
    for p in range(s.players):
        left = own_buildings(s, p)
        while not bits.empty(left):
            v = bits.first(left)
            left = bits.rest(left)
            if v >= NODES or not bits.has(again.free, v):
                return False
            place_settlement(again, p, v)
            if bits.has(s.cities[p], v):
                build_city(again, p, v)
    for e in range(PATHS):
        p = s.road[e] - 1
        if p >= s.players:
            return False
        if p >= 0:
            ends = bits.add(bits.single(EDGE_NODE[e, 0]), EDGE_NODE[e, 1])
            again.reached[p] = bits.either(again.reached[p], ends)
            again.roads_left[p] -= 1
    return same_pieces(s, again) and roads_are_measured(s, again)


@kernel
def same_pieces(s, again):
    if s.built != again.built or s.free != again.free:
        return False
    for p in range(SEATS):
        if s.settlements[p] != again.settlements[p] or s.cities[p] != again.cities[p]:
            return False
        if s.settlements_left[p] != again.settlements_left[p]:
            return False
        if s.cities_left[p] != again.cities_left[p] or s.roads_left[p] != again.roads_left[p]:
            return False
        if s.reached[p] != again.reached[p]:
            return False
        for r in range(KINDS):
            if s.rate[p, r] != again.rate[p, r]:
                return False
    return True


@kernel
def roads_are_measured(s, again):
    """Lengths are right, and nobody who holds a card has less than another."""
    longest = most = 0
    for p in range(s.players):
        if s.length[p] != longest_road(again, p):
            return False
        longest, most = max(longest, s.length[p]), max(most, s.knights[p])
    road, army = s.road_holder, s.army_holder
    if road != NOBODY and (s.length[road] < longest or longest < LEAST_ROAD):
        return False
    return army == NOBODY or (s.knights[army] == most and most >= LEAST_ARMY)


# --- cards ---


@kernel
def thefts_are_sound(s):
    """Thefts are of one player from another, and there is nothing beyond the last one."""
    for i in range(THEFTS):
        if i < s.thefts:
            if s.thief[i] == s.robbed[i] or max(s.thief[i], s.robbed[i]) >= s.players:
                return False
        elif s.thief[i] != 0 or s.robbed[i] != 0 or s.stolen[i] != 0 or s.tight[i] != 0:
            return False
    return True


@kernel
def hands_are_sound(s):
    """No resource card is lost, and a hand is what is known of it, with all known thefts."""
    held = like(s)
    for p in range(s.players):
        n = vague = 0
        for r in range(KINDS):
            held.hand[p, r] = s.known[p, r] + s.mist[p, r]
            n += s.known[p, r]
            vague += s.mist[p, r]
        if vague != 0 and vague != s.vague[p]:
            return False
        for i in range(s.thefts):
            n += (s.thief[i] == p) - (s.robbed[i] == p)
        if s.cards[p] != n + s.vague[p]:
            return False
    for i in range(s.thefts):
        if s.stolen[i] != UNKNOWN:
            held.hand[s.thief[i], s.stolen[i]] += 1
            held.hand[s.robbed[i], s.stolen[i]] -= 1
    for r in range(KINDS):
        n, mist = s.bank[r] + s.pool[r], 0
        for p in range(s.players):
            n += s.known[p, r]
            mist += s.mist[p, r]
            if s.hand[p, r] != held.hand[p, r]:
                return False
        if n != s.stock or mist > s.pool[r]:
            return False
    n = 0
    for r in range(KINDS):
        n += s.pool[r]
    for p in range(s.players):
        n -= s.vague[p]
    return n == 0


@kernel
def cards_are_counted(s):
    """Every development card is in a hand, in the deck or played."""
    left = s.deck_left
    knights = deck = fresh = 0
    for p in range(s.players):
        left += s.devs[p]
        knights += s.knights[p]
        n = 0
        for k in range(CARD_KINDS):
            n += s.dev[p, k]
        if n != 0 and n != s.devs[p]:
            return False
    for k in range(CARD_KINDS):
        left += s.gone[k]
        deck += s.deck[k]
        fresh += s.fresh[k]
        n = s.gone[k] + s.deck[k]
        for p in range(s.players):
            n += s.dev[p, k]
        if n > DECK[k] or s.fresh[k] > s.dev[s.player, k]:
            return False
    if (deck != 0 and deck != s.deck_left) or (fresh != 0 and fresh != s.bought):
        return False
    known = knights == s.gone[KNIGHT] and s.gone[POINT] == 0
    return known and left == DECK_SIZE and s.bought <= s.devs[s.player]


# --- the course of the game ---


@kernel
def founding_is_sound(s):
    """Everybody has founded in turn, forth and back, and each road begins at a settlement."""
    n, last = s.founded, 2 * s.players - 1
    road_due = s.phase == FOUND_ROAD
    if s.phase != FOUND_SETTLEMENT and not road_due:
        return False
    if s.player != s.seat or s.seat != (n if n < s.players else last - n):
        return False
    if s.turn != 0 or s.winner != NOBODY or s.thefts != 0 or s.deck_left != DECK_SIZE:
        return False
    for p in range(s.players):
        done = (n > p) + (n > last - p)
        if ROADS - s.roads_left[p] != done or not bits.empty(s.cities[p]):
            return False
        if bits.count(s.settlements[p]) != done + (road_due and p == s.seat):
            return False
    for e in range(PATHS):
        if s.road[e] > 0:
            own = s.settlements[s.road[e] - 1]
            if not (bits.has(own, EDGE_NODE[e, 0]) or bits.has(own, EDGE_NODE[e, 1])):
                return False
    if road_due:
        if s.last < 0 or not bits.has(s.settlements[s.seat], s.last):
            return False
        for j in range(DEGREE[s.last]):
            if s.road[NODE_EDGE[s.last, j]] > 0:
                return False
    return True


@kernel
def turn_is_sound(s):
    """The phase has what it needs, and nobody has won before the end."""
    p = s.phase
    if p in (FOUND_SETTLEMENT, FOUND_ROAD):
        return False
    if p == DONE:
        return s.winner != NOBODY or s.turn == s.turn_limit
    if s.winner != NOBODY or s.turn >= s.turn_limit or s.offers > s.offer_limit:
        return False
    if public_points(s, s.player) + s.dev[s.player, POINT] >= s.target:
        return False
    if p in (BEFORE, DICE) and s.rolled == 1:
        return False
    if p in (MAIN, DRAW, DISCARD, OFFER, ANSWER) and s.rolled == 0:
        return False
    if (s.seat != s.player) != (p == ANSWER) and p != DISCARD:
        return False
    return discards_are_sound(s) and offer_is_sound(s) and event_is_sound(s)


@kernel
def discards_are_sound(s):
    """Only after a 7 cards are owed, and no more than there are."""
    for p in range(s.players):
        if s.owed[p] > (s.cards[p] if s.phase == DISCARD else 0):
            return False
    return s.phase != DISCARD or s.owed[s.seat] > 0


@kernel
def offer_is_sound(s):
    """Only what is being offered lies on the table, and nothing for its like."""
    given, wanted = size(s.give), size(s.want)
    if s.phase not in (OFFER, ANSWER):
        return given == 0 and wanted == 0 and s.refused == 0
    for r in range(KINDS):
        if s.give[r] > 0 and s.want[r] > 0:
            return False
    if s.bundles == 0 and (given > GIVEN or wanted > 1):
        return False
    if s.phase == ANSWER and (wanted == 0 or s.cards[s.seat] < wanted):
        return False
    return 0 < given <= s.cards[s.player] and s.refused < (1 << s.players)


@kernel
def event_is_sound(s):
    """What is to be robbed, drawn, handed over, built or taken is there."""
    p = s.phase
    if p == STEAL:
        return s.victim != NOBODY and can_be_robbed(s, s.victim)
    if p == VICTIM:
        found = 0
        for other in range(s.players):
            found += can_be_robbed(s, other)
        return found > 1
    if p == LEVY:
        return s.chosen != NOBODY and s.victim != NOBODY and s.victim != s.player
    if p == DRAW:
        return s.deck_left > 0
    if p == FREE_ROADS:
        return s.free_roads > 0 and s.roads_left[s.player] > 0
    return p != TAKE or (s.taking > 0 and not bank_is_empty(s))
