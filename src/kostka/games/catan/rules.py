"""Settlers of Catan: found, roll, trade and build, play cards; ten points win."""

from kostka.core import bits, rules
from kostka.core.kernels import kernel
from kostka.core.rng import below
from kostka.games.catan import hidden, plausible  # noqa: F401  (they are part of the contract)
from kostka.games.catan.actions import (
    ACCEPT,
    BUY,
    CITY,
    DISCARD_CARD,
    END,
    EXCHANGE,
    GIVE_CARD,
    MOVE_ROBBER,
    REFUSE,
    ROAD,
    ROB,
    ROLL,
    SETTLE,
    STOP,
    TAKE_CARD,
)
from kostka.games.catan.board import BRICK, DESERT, GRAIN, KINDS, NODE_HEX, ORE, WOOD, WOOL
from kostka.games.catan.building import (
    build_city,
    build_road,
    build_settlement,
    paths_from,
    place_settlement,
    road_places,
    sites,
)
from kostka.games.catan.cards import (
    bank_cards,
    draw_card,
    lay_free_road,
    levy,
    play_card,
    playable_cards,
    stop_roads,
    take_card,
)
from kostka.games.catan.hands import pay, receive
from kostka.games.catan.robber import (
    discard,
    move_robber,
    production,
    robber_places,
    steal,
    victims,
)
from kostka.games.catan.standing import check_win, public_points
from kostka.games.catan.state import (
    ANSWER,
    BEFORE,
    CARD_KINDS,
    DECK,
    DICE,
    DISCARD,
    DONE,
    DRAW,
    FOUND_ROAD,
    FOUND_SETTLEMENT,
    FREE_ROADS,
    LEVY,
    MAIN,
    NOBODY,
    OFFER,
    POINT,
    ROBBER,
    SEATS,
    STEAL,
    TAKE,
    VICTIM,
    State,
)
from kostka.games.catan.trade import (
    answer,
    begin_offer,
    exchange,
    exchanges,
    holds_wanted,
    may_offer,
    offer_step,
    offer_steps,
    own_cards,
)

# --- whose turn ---


@rules.mover.method(State)
def mover(s):
    p = s.phase
    if p == DONE:
        return rules.OVER
    if p in (DICE, STEAL, DRAW, LEVY):
        return rules.CHANCE
    return s.seat


# --- what a player may do ---


@rules.legal.method(State)
def legal(s, out):
    p = s.phase
    if p == MAIN:
        return in_turn(s, out)
    if p == BEFORE:
        out[0] = ROLL
        return playable_cards(s, out, 1)
    if p == DISCARD:
        return discards(s, out)
    if p == ROBBER:
        return robber_places(s, MOVE_ROBBER, out)
    if p == VICTIM:
        return victims(s, ROB, out)
    if p == FREE_ROADS:
        out[0] = STOP
        return road_places(s, s.player, ROAD, out, 1)
    if p == TAKE:
        return bank_cards(s, out)
    if p == OFFER:
        return offer_steps(s, out)
    if p == ANSWER:
        out[0], out[1] = REFUSE, ACCEPT
        return 2 if holds_wanted(s, s.seat) else 1
    if p == FOUND_SETTLEMENT:
        return places(s.free, SETTLE, out, 0)
    return paths_from(s, s.last, ROAD, out)


@kernel
def discards(s, out):
    """Any card that is held; of a hand that is not known it may be any."""
    k = own_cards(s, s.seat, DISCARD_CARD, out, 0)
    if k == 0:
        for r in range(KINDS):
            out[r] = DISCARD_CARD + r
        k = KINDS
    return k


@kernel
def in_turn(s, out):
    """Trade, build and buy in any order, play a card, end the turn."""
    p = s.player
    hand = s.hand[p]
    out[0] = END
    k = 1
    wood, brick, wool, grain, ore = hand[WOOD], hand[BRICK], hand[WOOL], hand[GRAIN], hand[ORE]
    if wood > 0 and brick > 0:
        if s.roads_left[p] > 0:
            k = road_places(s, p, ROAD, out, k)
        if wool > 0 and grain > 0 and s.settlements_left[p] > 0:
            k = places(sites(s, p), SETTLE, out, k)
    if grain > 0 and ore > 0:
        if wool > 0 and s.deck_left > 0:
            out[k] = BUY
            k += 1
        if grain > 1 and ore > 2 and s.cities_left[p] > 0:
            k = places(s.settlements[p], CITY, out, k)
    k = playable_cards(s, out, k)
    k = exchanges(s, out, k)
    if may_offer(s):
        k = own_cards(s, p, GIVE_CARD, out, k)
    return k


@kernel
def places(some, code, out, k):
    while not bits.empty(some):
        out[k] = code + bits.first(some)
        k += 1
        some = bits.rest(some)
    return k


# --- luck ---


@rules.chance.method(State)
def chance(s, out, prob):
    if s.phase == DICE:
        for n in range(2, 13):
            out[n - 2], prob[n - 2] = n, (6 - abs(7 - n)) / 36
        return 11
    if s.phase == LEVY:  # no luck, but what a player holds comes to light
        out[0], prob[0] = s.hand[s.victim, s.chosen], 1.0
        return 1
    k = 0
    for r in range(KINDS):
        n = s.hand[s.victim, r] if s.phase == STEAL else s.deck[r]
        if n > 0:
            out[k] = r
            prob[k] = n / (s.cards[s.victim] if s.phase == STEAL else s.deck_left)
            k += 1
    return k


@rules.draw.method(State)
def draw(s, rng):
    if s.phase == DICE:
        return below(rng, 6) + below(rng, 6) + 2
    if s.phase == LEVY:
        return s.hand[s.victim, s.chosen]
    u = below(rng, s.cards[s.victim] if s.phase == STEAL else s.deck_left)
    for r in range(KINDS):
        u -= s.hand[s.victim, r] if s.phase == STEAL else s.deck[r]
        if u < 0:
            return r
    return KINDS - 1


@rules.luck_source.method(State)
def luck_source(s):
    """The dice are common to all; each player has luck of his own for thefts, and for cards."""
    if s.phase == DICE:
        return 0
    return 1 + s.player + (SEATS if s.phase == DRAW else 0)


@rules.turns.method(State)
def turns(s):
    return s.turn


# --- what happens ---


@rules.apply.method(State)
def apply(s, a):
    p = s.phase
    if p == MAIN:
        act(s, a)
    elif p == BEFORE:
        if a == ROLL:
            s.phase = DICE
        else:
            play_card(s, a)
    elif p == DICE:
        production(s, a)
    elif p == STEAL:
        steal(s, a)
    elif p == DRAW:
        draw_card(s, a)
    elif p == LEVY:
        levy(s, a)
    elif p == DISCARD:
        discard(s, a - DISCARD_CARD)
    elif p == ROBBER:
        move_robber(s, a - MOVE_ROBBER)
    elif p == VICTIM:
        s.victim = a - ROB
        s.phase = STEAL
    elif p == FREE_ROADS:
        if a == STOP:
            stop_roads(s)
        else:
            lay_free_road(s, a - ROAD)
    elif p == TAKE:
        take_card(s, a - TAKE_CARD)
    elif p == OFFER:
        offer_step(s, a)
    elif p == ANSWER:
        answer(s, a)
    elif p == FOUND_SETTLEMENT:
        found_settlement(s, a - SETTLE)
        return
    else:
        found_road(s, a - ROAD)
        return
    if s.phase != DONE:
        check_win(s)


@kernel
def act(s, a):
    p = s.player
    if a == END:
        end_turn(s)
    elif a >= EXCHANGE:
        exchange(s, a)
    elif a >= GIVE_CARD:
        begin_offer(s, a - GIVE_CARD)
    elif a == BUY:
        pay(s, p, WOOL, 1)
        pay(s, p, GRAIN, 1)
        pay(s, p, ORE, 1)
        s.phase = DRAW
    elif a < CITY:
        pay(s, p, WOOD, 1)
        pay(s, p, BRICK, 1)
        pay(s, p, WOOL, 1)
        pay(s, p, GRAIN, 1)
        build_settlement(s, p, a - SETTLE)
    elif a < ROAD:
        pay(s, p, GRAIN, 2)
        pay(s, p, ORE, 3)
        build_city(s, p, a - CITY)
    elif a < MOVE_ROBBER:
        pay(s, p, WOOD, 1)
        pay(s, p, BRICK, 1)
        build_road(s, p, a - ROAD)
    else:
        play_card(s, a)


@kernel
def end_turn(s):
    """Whoever has not won cannot hold the victory points that were lacking."""
    p = s.player
    lacking = s.target - public_points(s, p)
    if lacking <= DECK[POINT]:
        s.few[p, lacking - 1] = s.devs[p]
    s.turn += 1
    s.player = s.seat = (p + 1) % s.players
    s.rolled = s.spent = s.bought = s.offers = 0
    for k in range(CARD_KINDS):
        s.fresh[k] = 0
    s.phase = BEFORE
    if s.turn >= s.turn_limit:
        s.phase = DONE


# --- the set-up: forth and back ---


@kernel
def found_settlement(s, v):
    """The second one brings a card of each hex beside it."""
    p = s.seat
    place_settlement(s, p, v)
    if s.founded >= s.players:
        for j in range(3):
            h = NODE_HEX[v, j]
            if h >= 0 and s.terrain[h] != DESERT:
                receive(s, p, s.terrain[h], 1)
    s.last = v
    s.phase = FOUND_ROAD


@kernel
def found_road(s, e):
    build_road(s, s.seat, e)
    s.last = NOBODY
    s.founded += 1
    n = s.founded
    if n == 2 * s.players:
        s.player = s.seat = 0
        s.phase = BEFORE
    else:
        s.player = s.seat = n if n < s.players else 2 * s.players - 1 - n
        s.phase = FOUND_SETTLEMENT


# --- how it ends ---


@rules.returns.method(State)
def returns(s, out):
    """The winner takes all; a game that was stopped is a draw."""
    for p in range(s.players):
        out[p] = 1.0 / s.players
        if s.winner != NOBODY:
            out[p] = 1.0 if p == s.winner else 0.0


@rules.score.method(State)
def score(s, out):
    """Points, with the victory points that the viewer knows of."""
    for p in range(s.players):
        out[p] = public_points(s, p) + s.dev[p, POINT]


@rules.conserved.method(State)
def conserved(s, out):
    """Cards of each resource, and development cards."""
    for r in range(KINDS):
        out[r] = s.bank[r]
        for p in range(s.players):
            out[r] += s.hand[p, r]
    out[KINDS] = s.deck_left
    for p in range(s.players):
        out[KINDS] += s.devs[p]
    for k in range(CARD_KINDS):
        out[KINDS] += s.gone[k]
    return KINDS + 1
