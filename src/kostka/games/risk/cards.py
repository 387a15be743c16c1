"""Cards: which three are a set, what it is worth, who has to trade, and the deck."""

import numpy as np

from kostka.core import bits
from kostka.core.kernels import kernel
from kostka.games.risk.actions import END, cards_of, trade_code
from kostka.games.risk.state import DECK, DISCARDED, FIXED, SLOW, WILD

#: What the first sets of a game are worth; then each is worth STEP more.
RISE = np.array([4, 6, 8, 10, 12, 15])
STEP = 5
#: Fixed values of three infantry, cavalry or artillery, and of one of each; as those count any two
#: different ones with a wild card, and a card with two wild ones.
FIXED_WORTH = np.array([4, 6, 8, 10])
#: After an elimination one trades until no more cards than these are left.
SPOILS_KEPT = 4


@kernel
def sets(s, out):
    """Every set in the hand; whoever need not trade may also keep them."""
    k, n = 0, s.territories + 2
    for a in range(n):
        if s.card[a] == s.player:
            for b in range(a + 1, n):
                if s.card[b] == s.player:
                    for c in range(b + 1, n):
                        third = s.card[c] == s.player
                        if third and is_set(s.symbol[a], s.symbol[b], s.symbol[c]):
                            out[k] = trade_code(a, b, c)
                            k += 1
    if not must_trade(s):
        out[k] = END
        k += 1
    return k


@kernel
def is_set(a, b, c):
    """Three of a kind, one of each, or any two with a wild card."""
    if a == WILD or b == WILD or c == WILD:
        return True
    return (a == b and b == c) or (a != b and b != c and a != c)


@kernel
def must_trade(s):
    return s.hand[s.player] > (SPOILS_KEPT if s.fighting == 1 else s.keep)


@kernel
def may_trade(s):
    """Whoever holds three cards is asked, even without a set: or else all would know of it."""
    return s.hand[s.player] > 2


@kernel
def kind_of(s, a):
    """What a set is for its fixed worth: of one symbol, but for a wild card, or mixed (WILD)."""
    wild, kinds, symbol = 0, 0, 0
    for c in cards_of(a):
        if s.symbol[c] == WILD:
            wild += 1
        else:
            symbol = s.symbol[c]
            kinds |= 1 << symbol
    alike = wild < 2 and (kinds == 1 or kinds == 2 or kinds == 4)
    return symbol if alike else WILD


@kernel
def value_of(s, a):
    """The armies that a set brings now."""
    return worth(s, s.trades, kind_of(s, a))


@kernel
def hand_in(s, a):
    """The three cards are discarded; returns the own territories with room that they show."""
    shown = bits.none()
    for c in cards_of(a):
        s.card[c] = DISCARDED
        if s.symbol[c] != WILD and s.owner[c] == s.player and s.armies[c] < s.limit:
            shown = bits.add(shown, c)
    s.trades += 1
    s.hand[s.player] -= 3
    return shown


@kernel
def worth(s, n, kind):
    """What a set is worth of which n were traded before; ``kind`` is its symbol, or WILD."""
    if s.sets == FIXED:
        value = FIXED_WORTH[kind]
    elif s.sets == SLOW:
        value = 4 + n
    else:
        value = RISE[n] if n < len(RISE) else RISE[len(RISE) - 1] + STEP * (n - len(RISE) + 1)
    return min(value, s.cap) if s.cap > 0 else value


@kernel
def card_left(s):
    """Whether a card can be drawn; an empty deck may be made of the discarded ones."""
    n = s.territories + 2
    for c in range(n):
        if s.card[c] == DECK:
            return True
    found = False
    if s.reshuffle == 1:
        for c in range(n):
            if s.card[c] == DISCARDED:
                s.card[c] = DECK
                found = True
    return found


@kernel
def lowest_card(s, p):
    """The first card of a player who holds some."""
    c = 0
    while s.card[c] != p:
        c += 1
    return c
