"""What everybody knows of hands, as cards come and go.

Production, building, trade and discards are seen by all; of a theft only thief and robbed see the
card. ``known`` is a hand as if the thefts still in doubt had not happened: it is public, and may be
negative. For each theft in doubt the state keeps what its probability depends on (the robbed
hand just before) and what has come to light since (the least that ``known`` has been until the next
theft): a card that was spent, or shown in an offer, must have been there.

Thefts that are certain by now are struck off when there is no room for another. If there is still
none, the cards that may have changed hands become vague: one pool of which everybody knows the
kinds, and how many of its cards each player holds. That is less than a perfect memory would know,
but never wrong, and never more than the public could know; as cards are spent it clears up.
"""

from kostka.core.kernels import kernel
from kostka.games.catan.board import KINDS
from kostka.games.catan.state import SEATS, THEFTS

#: Steps of a search for what is certain; after them nothing is.
MOST_STEPS = 5000


# --- what is seen by all ---


@kernel
def gain(s, p, r, n):
    s.hand[p, r] += n
    s.known[p, r] += n
    s.cards[p] += n


@kernel
def lose(s, p, r, n):
    s.hand[p, r] -= n
    s.known[p, r] -= n
    s.cards[p] -= n
    show(s, p, r, 0)


@kernel
def pay(s, p, r, n):
    """Cards go to the bank."""
    lose(s, p, r, n)
    s.bank[r] += n


@kernel
def receive(s, p, r, n):
    """Cards come from the bank."""
    gain(s, p, r, n)
    s.bank[r] -= n


@kernel
def show(s, p, r, n):
    """Everybody sees that a player holds so many cards of a kind, at least."""
    if s.vague[p] > 0 and s.known[p, r] < n:
        if s.thefts > 0:
            blur(s)
        if s.known[p, r] < n:
            clear_up(s, p, r, n - s.known[p, r])
    elif s.thefts > 0:
        i = s.thefts - 1
        if s.known[p, r] - n < s.low[i, p, r]:
            s.low[i, p, r] = s.known[p, r] - n
            s.tight[i] &= ~(1 << (KINDS * p + r))


@kernel
def show_none(s, p, r):
    """It has come to light that a player holds none of these."""
    if s.thefts > 0 and s.vague[p] == 0:
        i = s.thefts - 1
        s.low[i, p, r] = s.known[p, r]
        s.tight[i] |= 1 << (KINDS * p + r)


@kernel
def note_theft(s, thief, robbed, r):
    """A card goes over, and only the two of them know which."""
    if s.thefts == THEFTS:
        strike_certain(s)
        if s.thefts == THEFTS:
            blur(s)
    i = s.thefts
    s.thefts += 1
    s.thief[i], s.robbed[i], s.stolen[i] = thief, robbed, r
    s.tight[i] = 0
    for k in range(KINDS):
        s.before[i, k] = s.known[robbed, k]
    for p in range(s.players):
        for k in range(KINDS):
            s.low[i, p, k] = s.known[p, k]
    s.hand[robbed, r] -= 1
    s.cards[robbed] -= 1
    s.hand[thief, r] += 1
    s.cards[thief] += 1


# --- what is vague ---


@kernel
def blur(s):
    """Give up telling apart what may have been stolen; what nobody can have stolen stays known."""
    concerned = 0
    for p in range(s.players):
        concerned |= (s.vague[p] > 0) << p
    for i in range(s.thefts):
        concerned |= (1 << s.thief[i]) | (1 << s.robbed[i])
    for p in range(s.players):
        if (concerned >> p) & 1:
            s.vague[p] = s.cards[p]
            for r in range(KINDS):
                sure = certain_cards(s, p, r)
                s.pool[r] += s.known[p, r] - sure
                s.mist[p, r] = s.hand[p, r] - sure
                s.vague[p] -= sure
                s.known[p, r] = sure
    while s.thefts > 0:
        s.thefts -= 1
        wipe(s, s.thefts)
    settle(s)


@kernel
def certain_cards(s, p, r):
    """The least that a player can hold of a kind, whatever was stolen."""
    least = robbed = 0
    for i in range(s.thefts - 1, -1, -1):
        least = max(least, s.known[p, r] - s.low[i, p, r] - robbed)
        robbed += s.robbed[i] == p
    return max(least, s.known[p, r] - robbed)


@kernel
def clear_up(s, p, r, n):
    """Vague cards have come to light."""
    s.known[p, r] += n
    s.mist[p, r] -= n
    s.vague[p] -= n
    s.pool[r] -= n
    settle(s)


@kernel
def settle(s):
    """A pool that one player holds alone, or of one kind, is vague no more."""
    holders = kinds = 0
    for p in range(s.players):
        holders += s.vague[p] > 0
    for r in range(KINDS):
        kinds += s.pool[r] > 0
    if holders > 1 and kinds > 1:
        return
    for r in range(KINDS):
        s.pool[r] = 0
        for p in range(s.players):
            s.known[p, r] += s.mist[p, r]
            s.mist[p, r] = 0
    for p in range(s.players):
        s.vague[p] = 0


@kernel
def nobody_is_vague(s):
    for p in range(s.players):
        if s.vague[p] > 0:
            return False
    return True


# --- what is certain ---


@kernel
def fits(s, i):
    """Whether hands with thefts up to ``i`` as in ``hand`` (a sum over ``known``) were possible.

    While worlds are tried, ``s.hand`` holds what thefts have changed: cards in less cards out.
    """
    for p in range(s.players):
        for k in range(KINDS):
            n = s.low[i, p, k] + s.mist[p, k] + s.hand[p, k]
            if n < 0 or (n > 0 and (s.tight[i] >> (KINDS * p + k)) & 1):
                return False
    return True


@kernel
def move(s, i, k, n):
    s.hand[s.thief[i], k] += n
    s.hand[s.robbed[i], k] -= n


@kernel
def clear(s):
    for p in range(SEATS):
        for k in range(KINDS):
            s.hand[p, k] = 0


@kernel
def strike_certain(s):
    """Strike off the thefts in which all possible worlds agree, as everybody can work out."""
    if not nobody_is_vague(s):
        return
    certain = agreement(s)
    for i in range(s.thefts - 1, -1, -1):
        if (certain >> i) & 1:
            strike(s, i)
    for p in range(s.players):  # hands as they are again
        for k in range(KINDS):
            s.hand[p, k] = s.known[p, k]
    for i in range(s.thefts):
        move(s, i, s.stolen[i], 1)


@kernel
def agreement(s):
    """The set of thefts that are as they were in all possible worlds; leaves ``hand`` cleared."""
    certain = (1 << s.thefts) - 1
    clear(s)
    m, i, k, world = s.thefts, 0, 0, 0
    for _ in range(MOST_STEPS):
        if i == m:
            for j in range(m):
                if ((world >> (3 * j)) & 7) != s.stolen[j]:
                    certain &= ~(1 << j)
        if certain == 0:
            break
        if i == m or k == KINDS:
            if i == 0:
                clear(s)
                return certain
            i -= 1
            k = (world >> (3 * i)) & 7
            move(s, i, k, -1)
            world &= ~(7 << (3 * i))
        elif s.before[i, k] + s.hand[s.robbed[i], k] > 0:
            move(s, i, k, 1)
            if fits(s, i):
                world |= k << (3 * i)
                i += 1
                k = 0
                continue
            move(s, i, k, -1)
        k += 1
    clear(s)
    return 0


@kernel
def strike(s, i):
    """A theft is no longer in doubt: what followed is written as if it had been seen."""
    a, b, r = s.thief[i], s.robbed[i], s.stolen[i]
    s.known[a, r] += 1
    s.known[b, r] -= 1
    for j in range(i, s.thefts):
        s.low[j, a, r] += 1
        s.low[j, b, r] -= 1
        if j > i:
            s.before[j, r] += (s.robbed[j] == a) - (s.robbed[j] == b)
    if i > 0:
        for p in range(s.players):
            for k in range(KINDS):
                bit = 1 << (KINDS * p + k)
                if s.low[i, p, k] < s.low[i - 1, p, k]:
                    s.low[i - 1, p, k] = s.low[i, p, k]
                    s.tight[i - 1] = (s.tight[i - 1] & ~bit) | (s.tight[i] & bit)
                elif s.low[i, p, k] == s.low[i - 1, p, k]:
                    s.tight[i - 1] |= s.tight[i] & bit
    for j in range(i, s.thefts - 1):
        s.thief[j], s.robbed[j], s.stolen[j] = s.thief[j + 1], s.robbed[j + 1], s.stolen[j + 1]
        s.tight[j] = s.tight[j + 1]
        for k in range(KINDS):
            s.before[j, k] = s.before[j + 1, k]
            for p in range(s.players):
                s.low[j, p, k] = s.low[j + 1, p, k]
    s.thefts -= 1
    wipe(s, s.thefts)


@kernel
def wipe(s, i):
    """No two ways to write the same knowledge."""
    s.thief[i] = s.robbed[i] = s.stolen[i] = 0
    s.tight[i] = 0
    for k in range(KINDS):
        s.before[i, k] = 0
        for p in range(SEATS):
            s.low[i, p, k] = 0
