"""What a Dice Wars position is."""

from kostka.core.record import record

MAX_PLAYERS = 8
MAX_AREAS = 64
MAX_DICE = 8
ROWS, COLUMNS = 28, 32

ATTACK, ROLL, PLACE, DONE = range(4)
PHASES = ("attack", "roll", "place", "over")

#: Areas that no hex of the canvas belongs to.
SEA = -1

State = record(
    "dicewars.state",
    phase="i4",
    player="i4",  # whose turn it is
    placing="i4",  # dice still to be placed at the end of the turn
    quiet="i4",  # ended turns since the last attack
    battles="i4",
    transfers="i4",  # transfers made this turn
    source="i2",  # the last or current attack or transfer
    target="i2",
    won="i2",  # how it ended: 1 won, 0 lost, -1 none yet or a transfer
    turns="i2",  # ended turns of the whole game
    reserve=("i2", MAX_PLAYERS),
    held=("i2", MAX_PLAYERS),  # areas of each player
    owner=("i1", MAX_AREAS),
    dice=("i1", MAX_AREAS),
    fixed=dict(
        neighbours=("u8", MAX_AREAS),
        players="i4",
        areas="i4",
        transfer_limit="i4",
        wear="i4",  # a lost attack wears the defender down by attackers // wear; 0: never
        reserve_base="i4",  # reserve capped at max(0, base - areas held); 0: no such cap
        quiet_limit="i4",  # rounds without an attack that end the game
        battle_limit="i4",
        edition="i4",
        hexes=("i1", ROWS * COLUMNS),  # the area of each hex of the canvas
    ),
)
