"""How a game of Scotland Yard is set up: the board, the tickets, and who starts where."""

import functools
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from kostka.core import rules
from kostka.core.kernels import kernel
from kostka.core.rng import below
from kostka.games.scotlandyard.rules import is_free
from kostka.games.scotlandyard.state import (
    BLACK,
    BUS,
    FERRY,
    FUGITIVE,
    MAX_LINES,
    MAX_STATIONS,
    NOBODY,
    START,
    TAXI,
    UNDERGROUND,
    UNKNOWN,
    UNLIMITED,
    State,
)

#: Taxi, bus and underground tickets.
DETECTIVE_TICKETS = {"classic": (10, 8, 4), "later": (11, 8, 4)}
MR_X_TICKETS = (4, 3, 3)
LATER_BLACK = 5

#: Bobbies that help so many detectives in the later edition.
BOBBIES = {2: 2, 3: 1}

#: Mr X shows himself after these of his moves.
REVEALS = (3, 8, 13, 18, 24)

MOVES, ROUNDS = 24, 22

#: Who may start at a station; one number may be on the cards of both.
MR_X_CARD, DETECTIVE_CARD = 1, 2

LONDON = json.loads((Path(__file__).parent / "london.json").read_text())
LINES = {"taxi": TAXI, "bus": BUS, "underground": UNDERGROUND, "ferry": FERRY}

#: Two stations and what runs between them.
Line = tuple[int, int, int]


def start(s: Any, options: Mapping[str, Any]) -> None:
    """Write the options and the board into a fresh state."""
    s.players = s.pieces = options["players"]
    s.phase, s.won = START, NOBODY
    s.station[:] = UNKNOWN
    s.seen[:] = UNKNOWN
    s.log[:] = -1
    if "size" in options:
        start_grid(s, options)
    else:
        start_london(s, options)


def start_london(s: Any, options: Mapping[str, Any]) -> None:
    """The London map with tickets, as the edition has it."""
    edition = options["edition"]
    later = edition == "later"
    detectives = options["players"] - 1
    s.pieces += BOBBIES.get(detectives, 0) if later else 0
    s.inherits = not (later or options["tickets"] == "unlimited")
    s.tickets[FUGITIVE, :BLACK] = MR_X_TICKETS if s.inherits else UNLIMITED
    s.tickets[1 : s.players, :BLACK] = DETECTIVE_TICKETS[edition]
    s.tickets[s.players : s.pieces, :BLACK] = UNLIMITED
    black = options["black"]
    s.tickets[FUGITIVE, BLACK] = black if black >= 0 else LATER_BLACK if later else detectives
    s.doubles = options["doubles"]
    rounds = options["end"] == "rounds22"
    s.turns = ROUNDS if rounds else MOVES
    s.slots = ROUNDS + s.doubles if rounds else MOVES
    s.reveal[[move - 1 for move in REVEALS]] = 1
    s.surrounded = 1
    s.stations = MAX_STATIONS
    s.to[:], s.kind[:], s.degree[:] = london(edition)
    s.cards[:] = london_cards(edition if options["starts"] == "cards" else "anywhere")


def start_grid(s: Any, options: Mapping[str, Any]) -> None:
    """A square of cells; everybody steps to a side without any tickets."""
    s.side = options["size"]
    s.stations = s.side * s.side
    s.tickets[: s.pieces, TAXI] = UNLIMITED
    s.slots = s.turns = options["rounds"]
    s.reveal[options["reveal"] - 1 :: options["reveal"]] = 1
    s.surrounded = options["surrounded"]
    s.to[:], s.kind[:], s.degree[:] = square(int(s.side))
    s.cards[: s.stations] = MR_X_CARD | DETECTIVE_CARD


# --- the boards ---

#: Where the lines of each station lead, what runs on them, and how many they are.
Board = tuple[np.ndarray, np.ndarray, np.ndarray]


@functools.cache
def london(edition: str) -> Board:
    """The map of an edition."""
    lacks = LONDON["later edition lacks"] if edition == "later" else {}
    return board(
        (a, b, LINES[name])
        for name, lines in LONDON["lines"].items()
        for a, b in lines
        if [a, b] not in lacks.get(name, [])
    )


@functools.cache
def square(side: int) -> Board:
    """Cells by row, each linked with those above, below and beside it."""
    cells = range(side * side)
    across = [(i, i + 1, TAXI) for i in cells if (i + 1) % side]
    return board([*across, *((i, i + side, TAXI) for i in cells[:-side])])


def board(lines: Iterable[Line]) -> Board:
    """Lines both ways, in order of where they lead: parallel ones lie side by side."""
    to = np.zeros((MAX_STATIONS, MAX_LINES), np.int16)
    kind = np.zeros((MAX_STATIONS, MAX_LINES), np.int8)
    degree = np.zeros(MAX_STATIONS, np.int8)
    ways = {way for a, b, what in lines for way in ((a, b, what), (b, a, what))}
    for a, b, what in sorted(ways):
        to[a, degree[a]], kind[a, degree[a]] = b, what
        degree[a] += 1
    return to, kind, degree


@functools.cache
def london_cards(deck: str) -> np.ndarray:
    """Who may start where, by the start cards of an edition or anywhere."""
    cards = np.zeros(MAX_STATIONS, np.int8)
    decks = LONDON["start cards"]
    if deck == "anywhere":
        cards[1:] = MR_X_CARD | DETECTIVE_CARD
    elif deck == "classic":
        cards[decks["classic"]] = MR_X_CARD | DETECTIVE_CARD
    else:
        cards[decks["later detectives"]] |= DETECTIVE_CARD
        cards[decks["later mr x"]] |= MR_X_CARD
    return cards


# --- the start ---


@rules.deal.method(State)
def deal(s, rng):
    """Detectives and bobbies draw first: Mr X, who hides, is left as likely a start as any."""
    for piece in range(1, s.pieces):
        s.station[piece] = random_card(s, rng)
    for i in range(s.stations):
        s.possible[i] = s.cards[i] & MR_X_CARD != 0 and is_free(s, i)


@kernel
def random_card(s, rng):
    """A start card of the detectives that is not taken yet."""
    found, card = 0, UNKNOWN
    for i in range(s.stations):
        if s.cards[i] & DETECTIVE_CARD != 0 and is_free(s, i):
            found += 1
            if below(rng, found) == 0:
                card = i
    return card
