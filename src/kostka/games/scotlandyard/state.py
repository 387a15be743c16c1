"""What a Scotland Yard position is, on the London map and on the grid."""

from kostka.core.record import record

MAX_PIECES = 8
MAX_STATIONS = 200
MAX_LINES = 16  # lines that meet at a station
MAX_SLOTS = 32  # of Mr X's travel log

START, MR_X, DETECTIVES, DONE = range(4)
PHASES = ("start", "mr x", "detectives", "over")

#: Tickets, and the lines they are for. The ferry takes nothing but black tickets.
TAXI, BUS, UNDERGROUND, BLACK = range(4)
KINDS = ("taxi", "bus", "underground", "black")
FERRY = BLACK

#: So many tickets never run out.
UNLIMITED = -1

#: The piece of Mr X, and his seat; the others are detectives and, last, bobbies.
FUGITIVE = 0

#: The station of a piece that is not on the board, or that the viewer does not see.
UNKNOWN = -1

#: Halves of a double move that are still to come.
NO_DOUBLE, FIRST_HALF, SECOND_HALF = range(3)

NOBODY, MR_X_WON, DETECTIVES_WON = -1, 0, 1

State = record(
    "scotlandyard.state",
    phase="i4",
    seat="i4",  # who is to move
    piece="i4",  # the piece to move
    half="i4",  # of a double move
    won="i4",
    turn="i4",  # the round that is played, from 1 (NumPy keeps the name "round" for itself)
    moves="i4",  # Mr X has made: slots of his log that are used
    doubles="i4",  # double moves that Mr X has left
    station=("i2", MAX_PIECES),
    tickets=("i2", (MAX_PIECES, len(KINDS))),
    seen=("i2", MAX_SLOTS),  # where Mr X showed himself after each of his moves; -1: he did not
    log=("i1", MAX_SLOTS),  # the ticket of each of his moves; -1: none yet
    possible=("i1", MAX_STATIONS),  # 1 where Mr X can be, by all that everybody knows
    fixed=dict(
        players="i4",
        pieces="i4",  # Mr X, detectives and bobbies
        side="i4",  # of the grid; 0: this is London
        stations="i4",  # all numbers are below this (London: 1 to 199)
        slots="i4",  # moves of Mr X after which the game ends
        turns="i4",  # rounds after which the game ends
        surrounded="i4",  # whether Mr X is caught when he cannot move
        inherits="i4",  # whether Mr X gets the tickets that detectives use
        to=("i2", (MAX_STATIONS, MAX_LINES)),  # where the lines of a station lead, in order
        kind=("i1", (MAX_STATIONS, MAX_LINES)),  # what runs on each
        degree=("i1", MAX_STATIONS),  # how many lines a station has
        cards=("i1", MAX_STATIONS),  # who may start there
        reveal=("i1", MAX_SLOTS),  # 1: Mr X shows himself after this move, counted from 0
    ),
)
