"""Trade: with the bank at a player's rates, and between players a card at a time."""

from kostka.core.kernels import kernel
from kostka.games.catan.actions import (
    CANCEL,
    EXCHANGE,
    GIVE_CARD,
    PROPOSE,
    REFUSE,
    WANT_CARD,
)
from kostka.games.catan.board import KINDS
from kostka.games.catan.hands import gain, lose, pay, receive, show
from kostka.games.catan.robber import resume
from kostka.games.catan.state import ANSWER, OFFER

#: What the thesis's form of an offer allows: one or two cards, of different kinds too, for one.
GIVEN, WANTED = 2, 1


# --- with the bank ---


@kernel
def exchanges(s, out, k):
    p = s.player
    for paid in range(KINDS):
        if s.hand[p, paid] >= s.rate[p, paid]:
            for got in range(KINDS):
                if got != paid and s.bank[got] > 0:
                    out[k] = EXCHANGE + KINDS * paid + got
                    k += 1
    return k


@kernel
def exchange(s, a):
    paid, got = (a - EXCHANGE) // KINDS, (a - EXCHANGE) % KINDS
    pay(s, s.player, paid, s.rate[s.player, paid])
    receive(s, s.player, got, 1)


# --- between players ---


@kernel
def size(cards):
    n = 0
    for r in range(KINDS):
        n += cards[r]
    return n


@kernel
def most_wanted(s):
    """As many cards as another player holds can be wanted: otherwise nobody could be asked."""
    most = 0
    for p in range(s.players):
        if p != s.player:
            most = max(most, s.cards[p])
    return most if s.bundles == 1 else min(most, WANTED)


@kernel
def may_offer(s):
    return s.offers < s.offer_limit and most_wanted(s) > 0


@kernel
def own_cards(s, p, code, out, k):
    for r in range(KINDS):
        if s.hand[p, r] > 0:
            out[k] = code + r
            k += 1
    return k


@kernel
def offer_steps(s, out):
    """Give more, want more of something else, then ask the others; or think better of it."""
    out[0] = CANCEL
    k = 1
    given, wanted = size(s.give), size(s.want)
    if s.bundles == 1 or given < GIVEN:
        for r in range(KINDS):
            if s.want[r] == 0 and s.hand[s.player, r] > s.give[r]:
                out[k] = GIVE_CARD + r
                k += 1
    if wanted < most_wanted(s):
        for r in range(KINDS):
            if s.give[r] == 0 and s.want[r] < s.stock:
                out[k] = WANT_CARD + r
                k += 1
    if wanted > 0:
        out[k] = PROPOSE
        k += 1
    return k


@kernel
def begin_offer(s, r):
    for k in range(KINDS):
        s.give[k] = s.want[k] = 0
    s.refused = 0
    s.offers += 1
    s.phase = OFFER
    give_card(s, r)


@kernel
def give_card(s, r):
    """An offer shows that whoever makes it holds the cards."""
    s.give[r] += 1
    show(s, s.player, r, s.give[r])


@kernel
def offer_step(s, a):
    if a == CANCEL:
        close_offer(s)
    elif a == PROPOSE:
        s.seat = s.player
        next_answer(s)
    elif a < WANT_CARD:
        give_card(s, a - GIVE_CARD)
    else:
        s.want[a - WANT_CARD] += 1


@kernel
def next_answer(s):
    """Whoever has as many cards as are wanted is asked: to skip any would tell what they hold."""
    wanted = size(s.want)
    p = (s.seat + 1) % s.players
    while p != s.player and s.cards[p] < wanted:
        p = (p + 1) % s.players
    if p == s.player:
        close_offer(s)
    else:
        s.seat = p
        s.phase = ANSWER


@kernel
def holds_wanted(s, p):
    for r in range(KINDS):
        if s.hand[p, r] < s.want[r]:
            return False
    return True


@kernel
def answer(s, a):
    """The first who accepts trades."""
    if a == REFUSE:
        s.refused |= 1 << s.seat
        next_answer(s)
        return
    p, q = s.player, s.seat
    for r in range(KINDS):
        if s.want[r] > 0:
            lose(s, q, r, s.want[r])
            gain(s, p, r, s.want[r])
    for r in range(KINDS):
        if s.give[r] > 0:
            lose(s, p, r, s.give[r])
            gain(s, q, r, s.give[r])
    close_offer(s)


@kernel
def close_offer(s):
    for r in range(KINDS):
        s.give[r] = s.want[r] = 0
    s.refused = 0
    resume(s)
