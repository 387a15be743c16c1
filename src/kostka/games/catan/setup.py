"""How a game of Catan is set up: the options, the island, and the beginner's pieces."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from kostka.core import bits, rules
from kostka.core.errors import KostkaError
from kostka.core.kernels import kernel
from kostka.core.rng import below
from kostka.games.catan.board import (
    BESIDE,
    DESERT,
    EDGE_AT,
    HARBOUR_KINDS,
    HARBOURS,
    INNER,
    LAND,
    NODES,
    OUTER,
    PORTS,
    RESOURCES,
    SIDES,
    SPIRAL,
    TERRAIN,
    TOKENS,
)
from kostka.games.catan.building import BANK_RATE
from kostka.games.catan.rules import found_road, found_settlement
from kostka.games.catan.state import (
    BANK,
    CITIES,
    DECK,
    DECK_SIZE,
    FOUND_SETTLEMENT,
    NOBODY,
    ROADS,
    SETTLEMENTS,
    UNLIMITED,
    State,
)

BEGINNER = json.loads((Path(__file__).parent / "maps" / "beginner.json").read_text("utf-8"))
NAMES = (*RESOURCES, "desert")
#: The beginner's island, its harbours, and by seat where two settlements and their roads stand.
LAND_FOR_BEGINNERS = np.array([NAMES.index(terrain) for terrain, _ in BEGINNER["hexes"]])
NUMBERS_FOR_BEGINNERS = np.array([number for _, number in BEGINNER["hexes"]])
HARBOURS_FOR_BEGINNERS = np.array(
    [DESERT if kind == "anything" else RESOURCES.index(kind) for kind in BEGINNER["harbours"]]
)
FIRST_SETTLEMENTS = np.array([one["settlements"] for one in BEGINNER["pieces"]])
FIRST_ROADS = np.array(
    [[EDGE_AT[tuple(map(int, r.split("-")))] for r in one["roads"]] for one in BEGINNER["pieces"]]
)

#: The red tokens, which random ones keep apart.
RED = (6, 8)


def start(s: Any, options: Mapping[str, Any]) -> None:
    """Write the options into a fresh state, with all that is not dealt."""
    variable, placed = options["map"] == "variable", options["start"] == "fixed"
    if variable and placed:
        raise KostkaError(
            "start=fixed is for the beginner's map: take map=beginner with it, or start=free"
        )
    s.players, s.target = options["players"], options["points"]
    s.hand_limit, s.turn_limit = options["discard"], options["turns"]
    s.offer_limit, s.bundles = options["offers"], options["form"] == "free"
    s.stock = BANK if options["bank"] == "19" else UNLIMITED
    s.variable, s.placed = variable, placed
    s.random_tokens = options["tokens"] == "random"
    s.friendly = options["robber"] == "friendly"
    s.bank[:] = s.stock
    s.deck[:], s.deck_left = DECK, DECK_SIZE
    s.free = (1 << NODES) - 1
    s.phase = FOUND_SETTLEMENT
    s.winner = s.road_holder = s.army_holder = s.victim = s.last = s.chosen = NOBODY
    s.roads_left[:], s.settlements_left[:], s.cities_left[:] = ROADS, SETTLEMENTS, CITIES
    s.rate[:] = BANK_RATE
    if not variable:
        lay_out(s)


def lay_out(s: Any) -> None:
    """The beginner's island; its tokens do not follow the spiral."""
    s.terrain[:] = LAND_FOR_BEGINNERS
    s.harbour[:] = NOBODY
    for place, kind in enumerate(HARBOURS_FOR_BEGINNERS):
        s.harbour[HARBOURS[place]] = kind
    if not s.random_tokens:
        s.number[:] = NUMBERS_FOR_BEGINNERS
        s.thrown[:] = NOBODY
        for h, number in enumerate(NUMBERS_FOR_BEGINNERS):
            if number:
                s.thrown[number, int(s.thrown[number, 0] != NOBODY)] = h


# --- the deal ---


@rules.deal.method(State)
def deal(s, rng):
    """A variable island is shuffled; the robber stands in the desert."""
    if s.variable == 1:
        shuffle_land(s, rng)
        lay_harbours(s, rng)
    if s.random_tokens == 1:
        scatter_tokens(s, rng)
    elif s.variable == 1:
        lay_tokens(s, below(rng, SIDES))
    if s.variable == 1 or s.random_tokens == 1:
        note_numbers(s)
    for h in range(LAND):
        if s.terrain[h] == DESERT:
            s.robber = h
    if s.placed == 1:
        lay_pieces(s)


@kernel
def shuffle_land(s, rng):
    for h in range(LAND):
        s.terrain[h] = TERRAIN[h]
    for h in range(LAND - 1, 0, -1):
        j = below(rng, h + 1)
        s.terrain[h], s.terrain[j] = s.terrain[j], s.terrain[h]


@kernel
def note_numbers(s):
    """Where each throw brings something."""
    for number in range(13):
        s.thrown[number, 0] = s.thrown[number, 1] = NOBODY
    for h in range(LAND):
        number = s.number[h]
        if number > 0:
            s.thrown[number, 0 if s.thrown[number, 0] == NOBODY else 1] = h


@kernel
def lay_tokens(s, corner):
    """Alphabetically from a corner of the coast, counter-clockwise and inwards, past the desert."""
    token = 0
    for i in range(LAND):
        if i < OUTER:
            h = SPIRAL[(i + OUTER // SIDES * corner) % OUTER]
        elif i < OUTER + INNER:
            h = SPIRAL[OUTER + (i - OUTER + corner) % INNER]
        else:
            h = SPIRAL[i]
        s.number[h] = 0
        if s.terrain[h] != DESERT:
            s.number[h] = TOKENS[token]
            token += 1


@kernel
def scatter_tokens(s, rng):
    """Anyhow, until no two red tokens lie on neighbouring hexes."""
    lay_tokens(s, 0)
    while True:
        for h in range(LAND - 1, 0, -1):
            j = below(rng, h + 1)
            if s.terrain[h] != DESERT and s.terrain[j] != DESERT:
                s.number[h], s.number[j] = s.number[j], s.number[h]
        if not red_beside_red(s):
            return


@kernel
def is_red(s, h):
    return s.number[h] == RED[0] or s.number[h] == RED[1]


@kernel
def red_beside_red(s):
    for h in range(LAND):
        if is_red(s, h):
            for j in range(SIDES):
                other = BESIDE[h, j]
                if other >= 0 and is_red(s, other):
                    return True
    return False


@kernel
def lay_harbours(s, rng):
    """Nine kinds on nine places: drawn without replacement."""
    for n in range(NODES):
        s.harbour[n] = NOBODY
    left = bits.upto(PORTS)
    for place in range(PORTS):
        i = bits.nth(left, below(rng, PORTS - place))
        left = bits.remove(left, i)
        for end in range(2):
            s.harbour[HARBOURS[place, end]] = HARBOUR_KINDS[i]


@kernel
def lay_pieces(s):
    """The beginner's pieces, in the order of founding; the second settlement brings cards."""
    for n in range(2 * s.players):
        found_settlement(s, FIRST_SETTLEMENTS[s.seat, n // s.players])
        found_road(s, FIRST_ROADS[s.seat, n // s.players])
