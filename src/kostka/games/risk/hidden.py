"""What is hidden: cards in hand and in the deck, and missions; and how they may be guessed."""

from kostka.core import rules
from kostka.core.kernels import kernel
from kostka.core.memory import floats
from kostka.core.rng import below, uniform
from kostka.games.risk.actions import HIDDEN
from kostka.games.risk.missions import is_dealt
from kostka.games.risk.state import (
    CARD,
    DECK,
    DISCARDED,
    DONE,
    HAND_OVER,
    MAX_MISSIONS,
    MAX_PLAYERS,
    MISSION,
    UNKNOWN,
    UNSEEN,
    State,
)

#: All sets of players, for each of whom a mission is sought.
SETS_OF_PLAYERS = 1 << MAX_PLAYERS
#: For each mission, and after the last one, in how many ways sets of players can get the rest.
WAYS = (MAX_MISSIONS + 1) * SETS_OF_PLAYERS


@rules.seen.method(State)
def seen(s, a, viewer):
    """A card is seen by whoever gets it or gives it, a mission by its holder."""
    if s.phase == MISSION:
        return a if viewer == s.dealt else HIDDEN
    if s.cards_open == 1:
        return a
    if s.phase == CARD:
        return a if viewer == s.player else HIDDEN
    if s.phase == HAND_OVER:
        return a if viewer == s.player or viewer == s.fallen else HIDDEN
    return a


@rules.redact.method(State)
def redact(s, viewer):
    """The cards of others and the order of the deck; missions of others. In the end all is open."""
    if s.phase == DONE:
        return
    if s.cards_open == 0:
        for c in range(s.territories + 2):
            if s.card[c] != viewer and s.card[c] != DISCARDED:
                s.card[c] = UNSEEN
    for p in range(s.players):
        if p != viewer:
            s.mission[p] = UNKNOWN


@rules.determinize.method(State)
def determinize(s, viewer, rng):
    """Unseen cards are dealt again; so are missions, but for those that are ruled out."""
    if s.phase == DONE:
        return
    if s.cards_open == 0:
        deal_unseen_cards(s, viewer, rng)
    if s.dealt > 0:
        guess_missions(s, viewer, rng)


@kernel
def deal_unseen_cards(s, viewer, rng):
    unseen = 0
    for c in range(s.territories + 2):
        unseen += s.card[c] == UNSEEN
    for p in range(s.players):
        if p != viewer:
            for _ in range(s.hand[p]):
                n, c = below(rng, unseen), 0
                while n > 0 or s.card[c] != UNSEEN:
                    n -= s.card[c] == UNSEEN
                    c += 1
                s.card[c] = p
                unseen -= 1
    for c in range(s.territories + 2):
        if s.card[c] == UNSEEN:
            s.card[c] = DECK


@kernel
def can_hold(s, p, m):
    """Whether a player can have a mission that is not seen with somebody else."""
    return (s.ruled_out[p] >> m) & 1 == 0


@kernel
def guess_missions(s, viewer, rng):
    """Every way to give the missions to those who have one is as likely, if it fits.

    ``ways[m, wanting]`` counts how the missions from m on can be given to a set of players.
    """
    ways = floats(WAYS)
    count, wanting = s.mission_count, 0
    for p in range(s.dealt):
        if p != viewer:
            s.mission[p] = UNKNOWN
            wanting |= 1 << p
    for some in range(wanting + 1):
        ways[count * SETS_OF_PLAYERS + some] = 1.0 if some == 0 else 0.0
    for m in range(count - 1, -1, -1):
        for some in range(wanting + 1):
            n = ways[(m + 1) * SETS_OF_PLAYERS + some]
            if not is_dealt(s, m):
                for p in range(s.dealt):
                    if (some >> p) & 1 and can_hold(s, p, m):
                        n += ways[(m + 1) * SETS_OF_PLAYERS + some - (1 << p)]
            ways[m * SETS_OF_PLAYERS + some] = n
    for m in range(count):
        if not is_dealt(s, m):
            u = uniform(rng) * ways[m * SETS_OF_PLAYERS + wanting]
            u -= ways[(m + 1) * SETS_OF_PLAYERS + wanting]
            for p in range(s.dealt):
                if u >= 0.0 and (wanting >> p) & 1 and can_hold(s, p, m):
                    u -= ways[(m + 1) * SETS_OF_PLAYERS + wanting - (1 << p)]
                    if u < 0.0:
                        s.mission[p] = m
                        wanting -= 1 << p
                        break
