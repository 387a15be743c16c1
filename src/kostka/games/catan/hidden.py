"""What is hidden: stolen cards and development cards; views, and samples of what is not seen.

A sample steals again, card by card, as luck did, and is thrown away when it contradicts what has
come to light: so it has exactly the weight that luck gave it. A theft that the viewer took part in
is evidence: worlds in which it was likelier count for more. Development cards that the viewer has
not seen lie in the deck and in hands by chance, but nobody holds victory points enough to have won.
"""

from kostka.core import rules
from kostka.core.kernels import kernel
from kostka.core.memory import floats
from kostka.core.rng import below, uniform
from kostka.games.catan.actions import HIDDEN
from kostka.games.catan.board import KINDS
from kostka.games.catan.hands import clear, fits, move, nobody_is_vague
from kostka.games.catan.standing import public_points
from kostka.games.catan.state import (
    CARD_KINDS,
    DECK,
    DONE,
    DRAW,
    POINT,
    SEATS,
    STEAL,
    UNKNOWN,
    State,
)

#: So often a sample is drawn as luck drew it; then all possible worlds are gone through, in so many
#: steps at most.
TRIES, MOST_STEPS = 256, 200_000


# --- views ---


@kernel
def takes_part(s, i, viewer):
    return s.thief[i] == viewer or s.robbed[i] == viewer


@rules.redact.method(State)
def redact(s, viewer):
    """Hide what others have stolen from others, and the cards of others and of the deck."""
    if s.phase == DONE:
        return
    for i in range(s.thefts):
        if not takes_part(s, i, viewer) and s.stolen[i] != UNKNOWN:
            move(s, i, s.stolen[i], -1)
            s.stolen[i] = UNKNOWN
    for p in range(s.players):
        if p != viewer:
            for k in range(KINDS):
                s.hand[p, k] -= s.mist[p, k]
                s.mist[p, k] = 0
            for k in range(CARD_KINDS):
                s.dev[p, k] = 0
    for k in range(CARD_KINDS):
        s.deck[k] = 0
        if s.player != viewer:
            s.fresh[k] = 0


@rules.seen.method(State)
def seen(s, a, viewer):
    """A stolen card is seen by thief and robbed, a bought one by the buyer."""
    if s.phase == STEAL and viewer != s.player and viewer != s.victim:
        return HIDDEN
    if s.phase == DRAW and viewer != s.player:
        return HIDDEN
    return a


# --- samples of hands ---


@rules.determinize.method(State)
def determinize(s, viewer, rng):
    if s.phase == DONE:
        return
    guess_thefts(s, viewer, rng)
    guess_cards(s, viewer, rng)


@kernel
def guess_thefts(s, viewer, rng):
    """Deal the pool and steal again as luck would, until it fits all that was seen."""
    unknown, code = 0, 0
    for i in range(s.thefts):
        unknown += s.stolen[i] == UNKNOWN
        code |= (s.stolen[i] + 1) << (3 * i)
    vague = not nobody_is_vague(s)
    if unknown == 0 and not vague:
        return
    found = False
    for _ in range(TRIES):
        clear(s)
        if vague:
            deal_pool(s, viewer, 0, rng)
        found = steal_all_again(s, code, rng)
        if found:
            break
    if not found:
        for _ in range(TRIES):
            if vague:
                deal_pool(s, viewer, code, rng)
            if choose_world(s, code, rng) or not vague:
                break
    for p in range(s.players):
        for k in range(KINDS):
            s.hand[p, k] += s.known[p, k] + s.mist[p, k]


@kernel
def steal_all_again(s, code, rng):
    """Every theft in turn: by lot, or, if the viewer saw it, as it was; whether that can be."""
    for i in range(s.thefts):
        k = ((code >> (3 * i)) & 7) - 1
        if k == UNKNOWN:
            k = steal_again(s, i, rng)
        elif not as_likely(s, i, k, rng):
            k = UNKNOWN
        if k == UNKNOWN:
            return False
        move(s, i, k, 1)
        s.stolen[i] = k
        if not fits(s, i):
            return False
    return True


@kernel
def held(s, i, k):
    """What the robbed held just before a theft, in the world that is tried."""
    b = s.robbed[i]
    return max(0, s.before[i, k] + s.mist[b, k] + s.hand[b, k])


@kernel
def steal_again(s, i, rng):
    n = 0
    for k in range(KINDS):
        n += held(s, i, k)
    if n == 0:
        return UNKNOWN
    u = below(rng, n)
    for k in range(KINDS):
        u -= held(s, i, k)
        if u < 0:
            return k
    return UNKNOWN


@kernel
def as_likely(s, i, k, rng):
    """A theft that the viewer saw is evidence: worlds in which it was likelier count for more."""
    most = s.before[i, k]
    if s.vague[s.robbed[i]] > 0:
        most += s.pool[k]
    for j in range(i):
        most += s.thief[j] == s.robbed[i]
    return held(s, i, k) > 0 and below(rng, most) < held(s, i, k)


@kernel
def deal_pool(s, viewer, code, rng):
    """Vague cards that the viewer does not hold himself are anywhere with the same chance.

    With a code of thefts, what the viewer saw stolen is dealt to whoever must have held it first.
    """
    for k in range(KINDS):
        s.deck[k] = s.pool[k] - (s.mist[viewer, k] if viewer >= 0 else 0)
    for p in range(s.players):
        if p != viewer:
            for k in range(KINDS):
                s.mist[p, k] = 0
                if code > 0 and s.vague[p] > 0:
                    s.mist[p, k] = min(lacking(s, p, k, code), s.deck[k])
                    s.deck[k] -= s.mist[p, k]
    for p in range(s.players):
        if p != viewer:
            n = s.vague[p]
            for k in range(KINDS):
                n -= s.mist[p, k]
            for _ in range(n):
                k = from_deck(s, rng)
                s.deck[k] -= 1
                s.mist[p, k] += 1


@kernel
def lacking(s, p, k, code):
    """What a player must have had of a kind beyond what is known, by what the viewer saw stolen."""
    net, most = 0, 0
    for i in range(s.thefts):
        if ((code >> (3 * i)) & 7) - 1 == k:
            if s.robbed[i] == p:
                most = max(most, 1 - net - s.before[i, k])
            net += (s.thief[i] == p) - (s.robbed[i] == p)
        most = max(most, -net - s.low[i, p, k])
    return most


@kernel
def choose_world(s, code, rng):
    """Go through the possible worlds, each with its weight, and take one of them by lot."""
    clear(s)
    m, i, k, world, chosen, total, w = s.thefts, 0, 0, 0, 0, 0.0, 1.0
    for _ in range(MOST_STEPS):
        if i == m:
            total += w
            if uniform(rng) * total < w:
                chosen = world
        if i == m or k == KINDS:
            if i == 0:
                break
            i -= 1
            k = (world >> (3 * i)) & 7
            move(s, i, k, -1)
            w /= held(s, i, k)
            world &= ~(7 << (3 * i))
        else:
            wish = ((code >> (3 * i)) & 7) - 1
            have = held(s, i, k)
            if have > 0 and wish in (UNKNOWN, k):
                move(s, i, k, 1)
                if fits(s, i):
                    world |= k << (3 * i)
                    w *= have
                    i += 1
                    k = 0
                    continue
                move(s, i, k, -1)
        k += 1
    clear(s)
    for j in range(m):
        s.stolen[j] = (chosen >> (3 * j)) & 7
        move(s, j, s.stolen[j], 1)
    return total > 0.0


# --- samples of development cards ---

#: So many victory points there are, and as many as that can a player hold, or none.
POINTS = DECK[POINT]
COUNTS = POINTS + 1
WAYS = (SEATS + 1) * COUNTS


@kernel
def guess_cards(s, viewer, rng):
    """Every way to deal what the viewer has not seen is as likely, if nobody would have won by it.

    ``ways[p, v]`` counts how v victory points can lie with the players from p on and in the deck,
    ``old[p, v]`` how they can lie among a player's cards of earlier turns.
    """
    ways, old = floats(WAYS), floats(WAYS)
    for k in range(CARD_KINDS):
        s.deck[k] = DECK[k] - s.gone[k] - (s.dev[viewer, k] if viewer >= 0 else 0)
    points = s.deck[POINT]
    strict = True
    count_ways(s, viewer, strict, old, ways)
    if ways[points] == 0.0:  # only in a position that somebody made up
        strict = False
        count_ways(s, viewer, strict, old, ways)
    s.deck[POINT] = 0
    for p in range(s.players):
        if p != viewer:
            u, x = uniform(rng) * ways[p * COUNTS + points], 0
            while x < points:
                u -= hand_ways(s, p, x, strict, old) * ways[(p + 1) * COUNTS + points - x]
                if u < 0.0:
                    break
                x += 1
            points -= x
            deal_hand(s, p, x, strict, old, rng)
    s.deck[POINT] = points


@kernel
def count_ways(s, viewer, strict, old, ways):
    for v in range(COUNTS):
        ways[s.players * COUNTS + v] = choose(s.deck_left, v)
    for p in range(s.players - 1, -1, -1):
        old_ways(s, p, strict, old)
        for v in range(COUNTS):
            n = 0.0
            for x in range(v + 1):
                here = hand_ways(s, p, x, strict, old) if p != viewer else 1.0 * (x == 0)
                n += here * ways[(p + 1) * COUNTS + v - x]
            ways[p * COUNTS + v] = n


@kernel
def fresh_cards(s, p):
    """Cards that a player has bought this turn."""
    return s.bought if p == s.player else 0


@kernel
def old_ways(s, p, strict, old):
    """In how many ways victory points can lie among the cards of earlier turns, oldest first."""
    cards, row = s.devs[p] - fresh_cards(s, p), p * COUNTS
    limited = False
    for v in range(POINTS):
        limited = limited or (strict and s.few[p, v] > v)
    for v in range(COUNTS):
        old[row + v] = 1.0 * (v == 0) if limited else choose(cards, v)
    if limited:
        for n in range(1, cards + 1):
            for v in range(POINTS, 0, -1):
                old[row + v] += old[row + v - 1]
            for most in range(POINTS):
                if s.few[p, most] == n:
                    for v in range(most + 1, COUNTS):
                        old[row + v] = 0.0


@kernel
def choose(n, k):
    """In how many ways k of n can be chosen."""
    found = 1.0
    for i in range(k):
        found *= (n - i) / (i + 1)
    return max(0.0, found)


@kernel
def hand_ways(s, p, points, strict, old):
    """In how many ways the cards of a player can be so many victory points."""
    n = 0.0
    for fresh in range(points + 1):
        n += split_ways(s, p, points, fresh, strict, old)
    return n


@kernel
def split_ways(s, p, points, fresh, strict, old):
    """The same, with so many of them bought this turn."""
    if strict and p == s.player and public_points(s, p) + points >= s.target:
        return 0.0
    return old[p * COUNTS + points - fresh] * choose(fresh_cards(s, p), fresh)


@kernel
def deal_hand(s, p, points, strict, old, rng):
    """Deal a player's cards, of which so many are victory points."""
    for k in range(CARD_KINDS):
        s.dev[p, k] = 0
    s.dev[p, POINT] = points
    new, fresh = 0, 0
    if p == s.player:
        new = s.bought
        u = uniform(rng) * hand_ways(s, p, points, strict, old)
        while fresh < points:
            u -= split_ways(s, p, points, fresh, strict, old)
            if u < 0.0:
                break
            fresh += 1
        for k in range(CARD_KINDS):
            s.fresh[k] = 0
        s.fresh[POINT] = fresh
    for n in range(s.devs[p] - points):
        k = from_deck(s, rng)
        s.deck[k] -= 1
        s.dev[p, k] += 1
        if n < new - fresh:
            s.fresh[k] += 1


@kernel
def from_deck(s, rng):
    left = 0
    for k in range(CARD_KINDS):
        left += s.deck[k]
    if left <= 0:
        return 0
    u = below(rng, left)
    for k in range(CARD_KINDS):
        u -= s.deck[k]
        if u < 0:
            return k
    return 0
