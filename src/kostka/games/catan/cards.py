"""Development cards: bought, played, and what each of them does."""

from kostka.core.kernels import kernel
from kostka.games.catan.actions import (
    PLAY_KNIGHT,
    PLAY_MONOPOLY,
    PLAY_PLENTY,
    PLAY_ROADS,
    TAKE_CARD,
)
from kostka.games.catan.board import KINDS
from kostka.games.catan.building import build_road, can_build_road
from kostka.games.catan.hands import gain, lose, receive, show_none
from kostka.games.catan.robber import resume
from kostka.games.catan.standing import award_army
from kostka.games.catan.state import (
    FREE_ROADS,
    KNIGHT,
    LEVY,
    MAIN,
    MONOPOLY,
    NOBODY,
    PLENTY,
    ROAD_BUILDING,
    ROBBER,
    TAKE,
)


@kernel
def playable(s, kind):
    """Whether the player holds a card of a kind that was not bought this turn."""
    return s.dev[s.player, kind] > s.fresh[kind]


@kernel
def playable_cards(s, out, k):
    """One a turn, and none bought in it."""
    if s.spent == 1 or s.devs[s.player] == s.bought:
        return k
    if playable(s, KNIGHT):
        out[k] = PLAY_KNIGHT
        k += 1
    if playable(s, ROAD_BUILDING) and can_build_road(s, s.player):
        out[k] = PLAY_ROADS
        k += 1
    if playable(s, PLENTY) and not bank_is_empty(s):
        out[k] = PLAY_PLENTY
        k += 1
    if playable(s, MONOPOLY):
        for r in range(KINDS):
            out[k] = PLAY_MONOPOLY + r
            k += 1
    return k


@kernel
def kind_played(a):
    """The card that an action plays."""
    if a >= PLAY_MONOPOLY:
        return MONOPOLY
    if a == PLAY_KNIGHT:
        return KNIGHT
    return ROAD_BUILDING if a == PLAY_ROADS else PLENTY


@kernel
def draw_card(s, kind):
    p = s.player
    s.deck[kind] -= 1
    s.deck_left -= 1
    s.dev[p, kind] += 1
    s.devs[p] += 1
    s.fresh[kind] += 1
    s.bought += 1
    s.phase = MAIN


@kernel
def play_card(s, a):
    p, kind = s.player, kind_played(a)
    s.spent = 1
    for v in range(len(s.few[p])):  # nobody knows which card it was; it is taken for the oldest
        s.few[p, v] = max(0, s.few[p, v] - 1)
    s.dev[p, kind] -= 1
    s.devs[p] -= 1
    s.gone[kind] += 1
    if kind == KNIGHT:
        s.knights[p] += 1
        award_army(s, p)
        s.phase = ROBBER
    elif kind == ROAD_BUILDING:
        s.free_roads = 2
        s.phase = FREE_ROADS
    elif kind == PLENTY:
        s.taking = 2
        s.phase = TAKE
    else:
        s.chosen = a - PLAY_MONOPOLY
        s.victim = p
        next_levy(s)


# --- road building ---


@kernel
def lay_free_road(s, e):
    build_road(s, s.player, e)
    s.free_roads -= 1
    if s.free_roads == 0 or not can_build_road(s, s.player):
        stop_roads(s)


@kernel
def stop_roads(s):
    s.free_roads = 0
    resume(s)


# --- year of plenty ---


@kernel
def bank_is_empty(s):
    for r in range(KINDS):
        if s.bank[r] > 0:
            return False
    return True


@kernel
def bank_cards(s, out):
    k = 0
    for r in range(KINDS):
        if s.bank[r] > 0:
            out[k] = TAKE_CARD + r
            k += 1
    return k


@kernel
def take_card(s, r):
    receive(s, s.player, r, 1)
    s.chosen = r
    s.taking -= 1
    if s.taking == 0 or bank_is_empty(s):
        s.taking = 0
        s.chosen = NOBODY
        resume(s)


# --- monopoly ---


@kernel
def next_levy(s):
    """Everybody in turn shows how many cards of the resource there are to hand over."""
    s.victim = (s.victim + 1) % s.players
    if s.victim == s.player:
        s.victim = s.chosen = NOBODY
        resume(s)
    else:
        s.phase = LEVY


@kernel
def levy(s, n):
    r = s.chosen
    if n > 0:
        lose(s, s.victim, r, n)
        gain(s, s.player, r, n)
    show_none(s, s.victim, r)
    next_levy(s)
