"""What a Risk position is; the map and the missions are part of it."""

from kostka.core.record import ANY_SET, record, within

MAX_PLAYERS = 6
#: Whoever may hold land: the players and, of a game of two, the neutral army.
MAX_OWNERS = MAX_PLAYERS + 1
MAX_LAND = 64
LEAST_LAND, MOST_LAND = 9, 60
MAX_CONTINENTS = 16
MAX_CARDS = 64  # one of each territory and two wild ones
MAX_MISSIONS = 31
#: So many armies fit on a territory at most.
MOST_ARMIES = 1000
MOST_TURNS = 5000
#: Bytes of a name and of an id in UTF-8.
NAME, ID = 32, 24
#: No hand is ever larger: six cards may wait in the middle of a turn, and a fallen player has seven
#: at most.
MOST_CARDS = 14

(
    CLAIM,
    NEUTRAL,
    TRADE,
    EXTRA,
    DRAFT,
    NUMBER,
    ATTACK,
    DEFEND,
    ROLL,
    OCCUPY,
    HAND_OVER,
    FORTIFY,
    MOVE,
    CARD,
    MISSION,
    DONE,
) = range(16)
PHASES = (
    "claim",
    "neutral",
    "trade",
    "extra",
    "draft",
    "number",
    "attack",
    "defend",
    "roll",
    "occupy",
    "hand over",
    "fortify",
    "move",
    "card",
    "mission",
    "over",
)

NOBODY = -1
#: Where a card is that is in nobody's hand. No viewer has these numbers.
DECK, DISCARDED, UNSEEN = 100, 101, 102
INFANTRY, CAVALRY, ARTILLERY, WILD = range(4)
SYMBOLS = ("infantry", "cavalry", "artillery", "wild")
UNKNOWN = -1  # a mission that is not dealt yet, or that the viewer does not know

#: What options mean: how the value of a set grows, and how armies move at the end of a turn.
RISING, SLOW, FIXED = range(3)
SETS = ("rising", "slow", "fixed")
PATH, ADJACENT, MANY = range(3)
FORTIFY_RULES = ("path", "adjacent", "many")

#: Kinds of missions.
DESTROY, CONTINENTS, TERRITORIES = range(3)

State = record(
    "risk.state",
    land=within(0, ANY_SET, "u8", MAX_OWNERS),  # the territories of each owner
    shown=within(0, ANY_SET, "u8"),  # where the two extra armies of a trade may go
    moved_from=within(0, ANY_SET, "u8"),  # in this turn's moves; only of many to many
    moved_to=within(0, ANY_SET, "u8"),
    free=within(0, 1_000_000, "i4"),  # armies still to be placed
    trades=within(0, 100_000, "i4"),  # sets traded in the whole game
    turns=within(0, MOST_TURNS, "i4"),  # ended turns of the whole game
    ruled_out=within(0, (1 << MAX_MISSIONS) - 1, "i4", MAX_PLAYERS),  # would have won with these
    phase=within(CLAIM, DONE, "i2"),
    player=within(0, MAX_PLAYERS - 1, "i2"),  # whose turn it is
    first=within(0, MAX_PLAYERS - 1, "i2"),  # who began
    fighting=within(0, 1, "i2"),  # 1: cards are traded in the middle of the attacks
    source=within(-1, MAX_LAND - 1, "i2"),  # the current or last attack, placement or move
    target=within(-1, MAX_LAND - 1, "i2"),
    dice=within(0, 4, "i2"),  # thrown by the attacker; 4: until it is decided
    defence=within(0, 2, "i2"),  # thrown by the defender, if there are as many armies
    taken=within(0, 1, "i2"),  # 1: a territory was taken this turn
    fallen=within(NOBODY, MAX_PLAYERS - 1, "i2"),  # who was just eliminated and hands over cards
    winner=within(NOBODY, MAX_PLAYERS - 1, "i2"),
    dealt=within(0, MAX_PLAYERS, "i2"),  # missions dealt
    setup=within(0, MOST_ARMIES, "i2", MAX_OWNERS),  # armies still placed before the game
    armies=within(0, MOST_ARMIES, "i2", MAX_LAND),
    owner=within(NOBODY, MAX_OWNERS - 1, "i1", MAX_LAND),
    card=within(0, UNSEEN, "i1", MAX_CARDS),  # who holds it
    hand=within(0, MAX_CARDS, "i1", MAX_PLAYERS),  # how many cards each holds
    mission=within(UNKNOWN, MAX_MISSIONS - 1, "i1", MAX_PLAYERS),
    slayer=within(NOBODY, MAX_PLAYERS - 1, "i1", MAX_PLAYERS),  # who has eliminated a player
    padding=within(0, 0, "i1", 4),  # records have no gaps
    fixed=dict(
        # --- the map ---
        near=within(0, ANY_SET, "u8", MAX_LAND),  # neighbours
        far=within(0, ANY_SET, "u8", MAX_LAND),  # at distance two
        straits=within(0, ANY_SET, "u8", MAX_LAND),  # neighbours across the sea
        continent_land=within(0, ANY_SET, "u8", MAX_CONTINENTS),
        facts=within(0, 10_000, "f8", (MAX_CONTINENTS, 4)),  # size, z1, z2, z3
        # --- missions, by number ---
        goal_continents=within(0, (1 << MAX_CONTINENTS) - 1, "i4", MAX_MISSIONS),  # a set
        spare=within(0, 0, "i4"),
        goal_land=within(0, MAX_LAND, "i2", MAX_MISSIONS),  # so many territories
        goal_armies=within(0, MOST_ARMIES, "i2", MAX_MISSIONS),  # with so many armies on each
        # --- options ---
        players=within(2, MAX_PLAYERS, "i2"),
        neutral=within(0, 1, "i2"),  # 1: a third army stands on the map; its number is players
        territories=within(LEAST_LAND, MOST_LAND, "i2"),
        continents=within(1, MAX_CONTINENTS, "i2"),
        missions=within(0, 1, "i2"),  # 1: secret missions
        mission_count=within(0, MAX_MISSIONS, "i2"),  # that can be dealt
        placing_all=within(0, 1, "i2"),  # 1: each places all armies before the next one does
        sets=within(RISING, FIXED, "i2"),
        cap=within(0, MOST_ARMIES, "i2"),  # sets are never worth more; 0: no such cap
        bonus_each=within(0, 1, "i2"),  # 1: two extra armies for each card, not once a trade
        keep=within(4, 5, "i2"),  # cards that one may keep at the start of a turn
        spoils=within(6, 7, "i2"),  # from so many cards on one trades after an elimination
        reshuffle=within(0, 1, "i2"),  # 1: discarded cards are drawn again
        defence_choice=within(0, 1, "i2"),
        fortify=within(PATH, MANY, "i2"),
        limit=within(1, MOST_ARMIES, "i2"),  # armies that fit on a territory
        cards_open=within(0, 1, "i2"),
        by_anyone=within(0, 1, "i2"),  # 1: whoever eliminates a target, its mission is fulfilled
        at_turn_end=within(0, 1, "i2"),  # 1: missions count only at the end of a turn
        turn_limit=within(1, MOST_TURNS, "i2"),
        x=within(0, 1000, "i2", MAX_LAND),
        y=within(0, 1000, "i2", MAX_LAND),
        bonus=within(0, 100, "i2", MAX_CONTINENTS),
        goal_kind=within(DESTROY, TERRITORIES, "i1", MAX_MISSIONS),
        goal_choice=within(0, MAX_CONTINENTS, "i1", MAX_MISSIONS),  # further ones of choice
        goal_target=within(NOBODY, MAX_PLAYERS - 1, "i1", MAX_MISSIONS),
        continent=within(-1, MAX_CONTINENTS - 1, "i1", MAX_LAND),
        symbol=within(INFANTRY, WILD, "i1", MAX_CARDS),
        wrap=within(-1, MAX_LAND - 1, "i1", MAX_LAND),  # a neighbour beyond the map's edge
        # --- names in UTF-8, then zeros ---
        map_name=within(-128, 127, "i1", NAME),
        ids=within(-128, 127, "i1", (MAX_LAND, ID)),
        names=within(-128, 127, "i1", (MAX_LAND, NAME)),
        continent_ids=within(-128, 127, "i1", (MAX_CONTINENTS, ID)),
        continent_names=within(-128, 127, "i1", (MAX_CONTINENTS, NAME)),
        pad=within(0, 0, "i1", 7),
    ),
)
