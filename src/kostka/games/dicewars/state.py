"""What a Dice Wars position is."""

from kostka.core.record import ANY_SET, record, within

MAX_PLAYERS = 8
MAX_AREAS = 64
MAX_DICE = 8
ROWS, COLUMNS = 28, 32
MAX_TURNS, MAX_BATTLES = 32_000, 10_000

ATTACK, ROLL, PLACE, DONE = range(4)
PHASES = ("attack", "roll", "place", "over")

#: Areas that no hex of the canvas belongs to.
SEA = -1

State = record(
    "dicewars.state",
    # Sets of areas, which follow from their owners and dice.
    territory=within(0, ANY_SET, "u8", MAX_PLAYERS),  # of each player
    strong=within(0, ANY_SET, "u8"),  # with two dice or more
    full=within(0, ANY_SET, "u8"),  # with no room for another die
    phase=within(ATTACK, DONE, "i4"),
    player=within(0, MAX_PLAYERS - 1, "i4"),  # whose turn it is
    placing=within(0, MAX_AREAS * MAX_DICE, "i4"),  # dice still to be placed at the end of the turn
    quiet=within(0, MAX_TURNS, "i4"),  # ended turns since the last attack
    battles=within(0, MAX_BATTLES, "i4"),
    transfers=within(0, MAX_TURNS, "i4"),  # transfers made this turn
    source=within(-1, MAX_AREAS - 1, "i2"),  # the last or current attack or transfer
    target=within(-1, MAX_AREAS - 1, "i2"),
    won=within(-1, 1, "i2"),  # how it ended: 1 won, 0 lost, -1 none yet or a transfer
    turns=within(0, MAX_TURNS, "i2"),  # ended turns of the whole game
    reserve=within(0, MAX_AREAS * MAX_DICE, "i2", MAX_PLAYERS),
    held=within(0, MAX_AREAS, "i2", MAX_PLAYERS),  # areas of each player
    owner=within(-1, MAX_PLAYERS - 1, "i1", MAX_AREAS),
    dice=within(0, MAX_DICE, "i1", MAX_AREAS),
    fixed=dict(
        neighbours=within(0, ANY_SET, "u8", MAX_AREAS),
        players=within(2, MAX_PLAYERS, "i4"),
        areas=within(1, MAX_AREAS, "i4"),
        transfer_limit=within(0, MAX_TURNS, "i4"),
        # A lost attack wears the defender down by attackers // wear; 0: never.
        wear=within(0, MAX_DICE, "i4"),
        # Reserve capped at max(0, base - areas held); 0: no such cap.
        reserve_base=within(0, MAX_TURNS, "i4"),
        quiet_limit=within(1, MAX_TURNS, "i4"),  # rounds without an attack that end the game
        battle_limit=within(1, MAX_BATTLES, "i4"),
        edition=within(0, MAX_TURNS, "i4"),
        hexes=within(SEA, MAX_AREAS - 1, "i1", ROWS * COLUMNS),  # the area of each of the canvas
    ),
)
