"""What a Scotland Yard position is, on the London map and on the grid."""

from kostka.core.record import record, within

MAX_PIECES = 8
MAX_STATIONS = 200
MAX_LINES = 16  # lines that meet at a station
MOST_MOVES = 2 * MAX_LINES  # by each line with its own ticket and with a black one
MAX_SLOTS = 32  # of Mr X's travel log

START, MR_X, DETECTIVES, DONE = range(4)
PHASES = ("start", "mr x", "detectives", "over")

#: Tickets, and the lines they are for. The ferry takes nothing but black tickets.
TAXI, BUS, UNDERGROUND, BLACK = range(4)
KINDS = ("taxi", "bus", "underground", "black")
FERRY = BLACK

#: So many tickets never run out, and nobody ever has more than these.
UNLIMITED, MAX_TICKETS = -1, 1000

#: The piece of Mr X, and his seat; the others are detectives and, last, bobbies.
FUGITIVE = 0

#: The station of a piece that is not on the board, or that the viewer does not see.
UNKNOWN = -1

#: Halves of a double move that are still to come.
NO_DOUBLE, FIRST_HALF, SECOND_HALF = range(3)

NOBODY, MR_X_WON, DETECTIVES_WON = -1, 0, 1

State = record(
    "scotlandyard.state",
    phase=within(0, DONE, "i4"),
    seat=within(0, MAX_PIECES - 1, "i4"),  # who is to move
    piece=within(0, MAX_PIECES, "i4"),  # the piece to move
    half=within(NO_DOUBLE, SECOND_HALF, "i4"),  # of a double move
    won=within(NOBODY, DETECTIVES_WON, "i4"),
    # The round that is played, from 1 (NumPy keeps the name "round" for itself).
    turn=within(0, MAX_SLOTS + 1, "i4"),
    moves=within(0, MAX_SLOTS, "i4"),  # Mr X has made: slots of his log that are used
    doubles=within(0, MAX_SLOTS, "i4"),  # double moves that Mr X has left
    station=within(UNKNOWN, MAX_STATIONS - 1, "i2", MAX_PIECES),
    tickets=within(UNLIMITED, MAX_TICKETS, "i2", (MAX_PIECES, len(KINDS))),
    # Where Mr X showed himself after each of his moves; -1: he did not.
    seen=within(UNKNOWN, MAX_STATIONS - 1, "i2", MAX_SLOTS),
    log=within(-1, BLACK, "i1", MAX_SLOTS),  # the ticket of each of his moves; -1: none yet
    possible=within(0, 1, "i1", MAX_STATIONS),  # 1 where Mr X can be, by all that everybody knows
    fixed=dict(
        players=within(2, MAX_PIECES, "i4"),
        pieces=within(2, MAX_PIECES, "i4"),  # Mr X, detectives and bobbies
        side=within(0, 14, "i4"),  # of the grid; 0: this is London
        stations=within(1, MAX_STATIONS, "i4"),  # all numbers are below this (London: 1 to 199)
        slots=within(1, MAX_SLOTS, "i4"),  # moves of Mr X after which the game ends
        turns=within(1, MAX_SLOTS, "i4"),  # rounds after which the game ends
        surrounded=within(0, 1, "i4"),  # whether Mr X is caught when he cannot move
        inherits=within(0, 1, "i4"),  # whether Mr X gets the tickets that detectives use
        # Where the lines of a station lead, in order, what runs on each, and how many they are.
        to=within(0, MAX_STATIONS - 1, "i2", (MAX_STATIONS, MAX_LINES)),
        kind=within(0, FERRY, "i1", (MAX_STATIONS, MAX_LINES)),
        degree=within(0, MAX_LINES, "i1", MAX_STATIONS),
        cards=within(0, 3, "i1", MAX_STATIONS),  # who may start there
        # 1: Mr X shows himself after this move, counted from 0.
        reveal=within(0, 1, "i1", MAX_SLOTS),
    ),
)
