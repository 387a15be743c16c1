"""What a position of Settlers of Catan is."""

from kostka.core.record import ANY_SET, record, within
from kostka.games.catan.board import ANYTHING, DESERT, KINDS, LAND, NODES, PATHS

SEATS = 4
KNIGHT, ROAD_BUILDING, PLENTY, MONOPOLY, POINT = range(5)
CARDS = ("knight", "road building", "year of plenty", "monopoly", "victory point")
CARD_KINDS = len(CARDS)
#: The development cards of the game, by kind.
DECK = (14, 2, 2, 2, 5)
DECK_SIZE = sum(DECK)

(
    FOUND_SETTLEMENT,
    FOUND_ROAD,
    BEFORE,
    DICE,
    DISCARD,
    ROBBER,
    VICTIM,
    STEAL,
    MAIN,
    DRAW,
    FREE_ROADS,
    TAKE,
    LEVY,
    OFFER,
    ANSWER,
    DONE,
) = range(16)
PHASES = (
    "found settlement",
    "found road",
    "before the roll",
    "dice",
    "discard",
    "robber",
    "victim",
    "steal",
    "trade and build",
    "draw",
    "free roads",
    "year of plenty",
    "monopoly",
    "offer",
    "answer",
    "over",
)

#: The pieces of a player.
ROADS, SETTLEMENTS, CITIES = 15, 5, 4
NOBODY, UNKNOWN = -1, -1

#: Cards of each resource: in the box, and where they never run out more than are ever in play.
BANK, UNLIMITED = 19, 100
#: A hand has so many cards at most.
MOST_CARDS = KINDS * UNLIMITED
MOST_TURNS, MOST_OFFERS = 5000, 100
MOST_POINTS, MOST_KEPT = 20, 30

#: Thefts whose card is not known to everybody, of which so many are remembered one by one.
THEFTS = 10
#: What a hand may be while thefts in doubt are left out of it.
LEAST, MOST = -THEFTS, UNLIMITED + THEFTS

State = record(
    "catan.state",
    settlements=within(0, ANY_SET, "u8", SEATS),  # sets of intersections
    cities=within(0, ANY_SET, "u8", SEATS),
    reached=within(0, ANY_SET, "u8", SEATS),  # the ends of a player's roads
    built=within(0, ANY_SET, "u8"),  # all settlements and cities
    free=within(0, ANY_SET, "u8"),  # intersections with no building on them or next to them
    tight=within(0, (1 << (SEATS * KINDS)) - 1, "i4", THEFTS),  # bit 5p + k: p held no k at ``low``
    turn=within(0, MOST_TURNS, "i2"),  # ended turns of the whole game
    cards=within(0, MOST_CARDS, "i2", SEATS),  # in hand, whatever they are
    owed=within(0, MOST_CARDS, "i2", SEATS),  # cards still to discard
    vague=within(0, MOST_CARDS, "i2", SEATS),  # cards in hand of which the kind is lost track of
    pool=within(0, MOST_CARDS, "i2", KINDS),  # what these are together
    phase=within(0, DONE, "i1"),
    player=within(0, SEATS - 1, "i1"),  # whose turn it is
    seat=within(0, SEATS - 1, "i1"),  # who is to decide
    winner=within(NOBODY, SEATS - 1, "i1"),
    rolled=within(0, 1, "i1"),  # 1: the dice were thrown this turn
    dice=within(0, 12, "i1"),  # the last throw
    robber=within(0, LAND - 1, "i1"),
    victim=within(NOBODY, SEATS - 1, "i1"),  # who is robbed, or hands over cards
    road_holder=within(NOBODY, SEATS - 1, "i1"),
    army_holder=within(NOBODY, SEATS - 1, "i1"),
    founded=within(0, 2 * SEATS, "i1"),  # settlements and roads of the set-up so far
    last=within(NOBODY, NODES - 1, "i1"),  # the settlement to found a road from
    chosen=within(NOBODY, KINDS - 1, "i1"),  # of a monopoly; or the card just discarded or taken
    spent=within(0, 1, "i1"),  # 1: a development card was played this turn
    bought=within(0, DECK_SIZE, "i1"),  # development cards bought this turn
    free_roads=within(0, 2, "i1"),
    taking=within(0, 2, "i1"),  # cards still to take by a year of plenty
    offers=within(0, MOST_OFFERS, "i1"),  # begun this turn
    refused=within(0, (1 << SEATS) - 1, "i1"),  # the players who have refused the offer
    deck_left=within(0, DECK_SIZE, "i1"),
    thefts=within(0, THEFTS, "i1"),  # in doubt
    bank=within(0, UNLIMITED, "i1", KINDS),
    deck=within(0, DECK_SIZE, "i1", CARD_KINDS),
    fresh=within(0, DECK_SIZE, "i1", CARD_KINDS),  # cards bought this turn, by kind
    gone=within(0, DECK_SIZE, "i1", CARD_KINDS),  # development cards played, by kind
    give=within(0, UNLIMITED, "i1", KINDS),  # the offer on the table
    want=within(0, UNLIMITED, "i1", KINDS),
    hand=within(LEAST, MOST, "i1", (SEATS, KINDS)),  # in a view of others: what is known of it
    known=within(LEAST, MOST, "i1", (SEATS, KINDS)),  # as if no theft in doubt had happened
    mist=within(0, UNLIMITED, "i1", (SEATS, KINDS)),  # the vague cards of each player
    dev=within(0, DECK_SIZE, "i1", (SEATS, CARD_KINDS)),
    devs=within(0, DECK_SIZE, "i1", SEATS),  # development cards in hand, whatever they are
    few=within(0, DECK_SIZE, "i1", (SEATS, 5)),  # v victory points at most in so many oldest cards
    knights=within(0, 14, "i1", SEATS),
    length=within(0, ROADS, "i1", SEATS),  # of the longest road
    roads_left=within(0, ROADS, "i1", SEATS),
    settlements_left=within(0, SETTLEMENTS, "i1", SEATS),
    cities_left=within(0, CITIES, "i1", SEATS),
    rate=within(2, 4, "i1", (SEATS, KINDS)),  # what a card costs at the bank or a harbour
    road=within(0, SEATS, "i1", PATHS),  # 0: none, p + 1: of player p
    # What everybody knows of the thefts in doubt.
    thief=within(0, SEATS - 1, "i1", THEFTS),
    robbed=within(0, SEATS - 1, "i1", THEFTS),
    stolen=within(UNKNOWN, KINDS - 1, "i1", THEFTS),  # the card, if the viewer knows it
    before=within(LEAST, MOST, "i1", (THEFTS, KINDS)),  # ``known`` of the robbed just before
    low=within(LEAST, MOST, "i1", (THEFTS, SEATS, KINDS)),  # least ``known`` until the next theft
    padding=within(0, 0, "i1"),  # records have no gaps
    fixed=dict(
        players=within(2, SEATS, "i2"),
        target=within(3, MOST_POINTS, "i2"),  # points that win
        hand_limit=within(5, MOST_KEPT, "i2"),  # cards that a 7 leaves alone
        offer_limit=within(0, MOST_OFFERS, "i2"),  # offers that may be begun in a turn
        turn_limit=within(1, MOST_TURNS, "i2"),
        stock=within(BANK, UNLIMITED, "i2"),  # cards of each resource
        variable=within(0, 1, "i2"),  # 1: the island is shuffled
        random_tokens=within(0, 1, "i2"),  # 1: tokens do not follow the spiral
        placed=within(0, 1, "i2"),  # 1: the game begins with the beginner's pieces
        friendly=within(0, 1, "i2"),  # 1: the robber spares who has few points
        bundles=within(0, 1, "i2"),  # 1: any cards for any others; 0: one or two for one
        terrain=within(0, DESERT, "i1", LAND),
        number=within(0, 12, "i1", LAND),  # 0: the desert has none
        harbour=within(NOBODY, ANYTHING, "i1", NODES),  # what is traded there 2:1, or anything 3:1
        thrown=within(NOBODY, LAND - 1, "i1", (13, 2)),  # the hexes of a number
        pad=within(0, 0, "i1", 4),
    ),
)
