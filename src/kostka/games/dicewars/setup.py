"""How a game of Dice Wars is set up: the options, the board, the owners and the dice."""

from collections.abc import Mapping

import numpy as np

from kostka.core import bits, rules
from kostka.core.errors import KostkaError
from kostka.core.kernels import kernel
from kostka.core.memory import integers, words
from kostka.core.rng import below
from kostka.games.dicewars.rules import note_dice, note_owners, random_member
from kostka.games.dicewars.state import ATTACK, COLUMNS, MAX_DICE, ROWS, SEA, State

#: What an edition fixes; 0 areas: the board draws their number.
EDITIONS = {
    2019: dict(areas=0, transfer_limit=0, wear=0, reserve_base=0),
    2020: dict(areas=29, transfer_limit=0, wear=0, reserve_base=0),
    2021: dict(areas=34, transfer_limit=6, wear=4, reserve_base=24),
}
QUIET_LIMIT, BATTLE_LIMIT = 8, 10_000

#: How many areas may be asked for, and how many are drawn otherwise: 29 to 31.
LEAST_AREAS, MOST_AREAS = 8, 60
FEWEST_DRAWN, DRAWN_SPREAD = 29, 3

#: An area has 12 to 18 hexes, less where so many areas would not fit on the canvas.
SMALLEST, SIZES_SPREAD, MOST_LAND = 12, 7, 660
LARGEST = SMALLEST + SIZES_SPREAD - 1

#: An empty hex with so many sides on one area is a notch in it.
NOTCH_SIDES = 4

FLAT_DICE = 3
DICE_AN_AREA, DICE_SPREAD = 3, 6
DENSITY = 2

HEXES, SIDES = ROWS * COLUMNS, 6
NOWHERE, NOBODY = -1, -1

#: What a hex without an area is while the board is drawn: never near land, beside land, or used up
#: by an area that got stuck. In the end all of them are sea.
UNTOUCHED, SHORE, SPENT = SEA, SEA - 1, SEA - 2
#: A set of hexes is so many words of 64 bits; hex h is bit h & BIT of word h >> WORD.
WORD, BIT = 6, 63
WORDS = (HEXES + BIT) >> WORD


def _beside() -> np.ndarray:
    """The hex on each side of each hex; odd rows are shifted right by half a hex."""
    table = np.full((HEXES, SIDES), NOWHERE, np.int16)
    for h in range(HEXES):
        row, column = divmod(h, COLUMNS)
        left, right = column - 1 + row % 2, column + row % 2
        around = [(row, column + 1), (row - 1, right), (row - 1, left)]
        around += [(row, column - 1), (row + 1, left), (row + 1, right)]
        for side, (r, c) in enumerate(around):
            if 0 <= r < ROWS and 0 <= c < COLUMNS:
                table[h, side] = r * COLUMNS + c
    return table


BESIDE = _beside()
#: Hexes off the rim of the canvas.
INNER = (BESIDE != NOWHERE).all(axis=1)
#: How many hexes lie beside each hex.
AROUND = (BESIDE != NOWHERE).sum(axis=1)


def start(s: np.record, options: Mapping[str, int]) -> None:
    """Write the options into a fresh state."""
    edition, areas = EDITIONS[options["edition"]], options["areas"]
    if areas != 0 and not LEAST_AREAS <= areas <= MOST_AREAS:
        raise KostkaError(
            f"areas must be {LEAST_AREAS} to {MOST_AREAS}, or 0 for the edition's own, not {areas}"
        )
    s.edition = options["edition"]
    s.players = options["players"]
    s.areas = areas or edition["areas"]
    s.transfer_limit = edition["transfer_limit"]
    s.wear = edition["wear"]
    s.reserve_base = edition["reserve_base"]
    s.quiet_limit = options.get("quiet", QUIET_LIMIT)
    s.battle_limit = options.get("battles", BATTLE_LIMIT)
    s.phase = ATTACK
    s.source = s.target = s.won = -1


@rules.deal.method(State)
def deal(s, rng):
    """Draw the board, give every area an owner, and put dice on it."""
    if s.areas == 0:
        s.areas = FEWEST_DRAWN + below(rng, DRAWN_SPREAD)
    while not draw_board(s, rng):
        pass
    find_neighbours(s)
    if s.edition == 2021:
        spread_owners(s, rng)
    else:
        deal_owners(s, rng)
    note_owners(s)
    if s.edition == 2019:
        share_dice(s, rng)
    elif s.edition == 2020:
        flat_dice(s)
    else:
        dense_dice(s, rng)
    note_dice(s)


# --- the board ---


@kernel
def draw_board(s, rng):
    """Draw the areas one by one; False where there is no room left for the next one."""
    free = integers(HEXES)  # how many hexes beside each one an area may still grow onto
    starts = words(WORDS)  # the set of untouched hexes, off the rim and beside shore
    for w in range(WORDS):
        starts[w] = bits.none()
    for h in range(HEXES):
        s.hexes[h] = UNTOUCHED
        free[h] = AROUND[h]
    for area in range(s.areas):
        if not draw_area(s, free, starts, area, rng):
            return False
    for h in range(HEXES):
        s.hexes[h] = max(s.hexes[h], SEA)
    return True


@kernel
def draw_area(s, free, starts, area, rng):
    """Draw one area, elsewhere again when it gets stuck; False where it cannot even start."""
    smallest = min(SMALLEST, MOST_LAND // s.areas - SIZES_SPREAD // 2)
    size = smallest + below(rng, SIZES_SPREAD)
    grown = False
    while not grown:
        first = below(rng, HEXES) if area == 0 else random_start(starts, rng)
        if first == NOWHERE:
            return False
        grown = grow(s, free, starts, area, first, size, rng)
    return True


@kernel
def random_start(starts, rng):
    """A random untouched inner hex two steps from land: one hex of shore lies between."""
    found, start = 0, NOWHERE
    for w in range(WORDS):
        left = starts[w]
        while not bits.empty(left):
            found += 1
            if takes_over(found, rng):
                start = (w << WORD) + bits.first(left)
            left = bits.rest(left)
    return start


@kernel
def grow(s, free, starts, area, first, size, rng):
    """Grow all around the first hex, then from random hexes of the area; False when stuck."""
    members = integers(LARGEST)
    members[0] = first
    claim(s, free, starts, first, area)
    for n in range(1, size):
        stem = first if free[first] > 0 else random_open(free, members, n, rng)
        if stem == NOWHERE:
            abandon(s, members, n)
            return False
        h = random_free(s, stem, rng)
        claim(s, free, starts, h, area)
        insert(members, n, h)
    fill_notches(s, free, starts, area, members[0], members[size - 1])
    return True


@kernel
def insert(members, n, h):
    """A hex takes its place among the members of an area, which are in order."""
    while n > 0 and members[n - 1] > h:
        members[n] = members[n - 1]
        n -= 1
    members[n] = h


@kernel
def claim(s, free, starts, h, area):
    """A hex joins an area; what was untouched around it becomes shore."""
    s.hexes[h] = area
    close_start(starts, h)
    for side in range(SIDES):
        n = BESIDE[h, side]
        if n != NOWHERE:
            free[n] -= 1
            if s.hexes[n] == UNTOUCHED:
                s.hexes[n] = SHORE
                close_start(starts, n)
                open_starts(s, starts, n)


@kernel
def open_starts(s, starts, shore):
    """Beside new shore an area may start."""
    for side in range(SIDES):
        n = BESIDE[shore, side]
        if n != NOWHERE and s.hexes[n] == UNTOUCHED and INNER[n]:
            starts[n >> WORD] = bits.add(starts[n >> WORD], n & BIT)


@kernel
def close_start(starts, h):
    """On land and shore no area starts."""
    starts[h >> WORD] = bits.remove(starts[h >> WORD], h & BIT)


@kernel
def abandon(s, members, n):
    """Nothing will grow again where an area got stuck."""
    for i in range(n):
        s.hexes[members[i]] = SPENT


@kernel
def fill_notches(s, free, starts, area, low, high):
    """The shore that an area surrounds on most sides joins it."""
    for h in range(max(low - COLUMNS, 0), min(high + COLUMNS + 1, HEXES)):
        taken = AROUND[h] - free[h] >= NOTCH_SIDES  # else there is no need to look around it
        if taken and s.hexes[h] == SHORE and touches(s, h, area) >= NOTCH_SIDES:
            claim(s, free, starts, h, area)


@kernel
def random_open(free, members, n, rng):
    """A random one of an area's n hexes that can grow."""
    found, stem = 0, NOWHERE
    for i in range(n):
        if free[members[i]] > 0:
            found += 1
            if takes_over(found, rng):
                stem = members[i]
    return stem


@kernel
def random_free(s, stem, rng):
    """A random free hex beside an open one."""
    found, free = 0, NOWHERE
    for side in range(SIDES):
        n = BESIDE[stem, side]
        if is_free(s, n):
            found += 1
            if takes_over(found, rng):
                free = n
    return free


@kernel
def takes_over(found, rng):
    """Whether the latest of so many finds is the one chosen, so that all are as likely."""
    return below(rng, found) == 0


@kernel
def is_free(s, h):
    """Whether an area may grow onto this hex."""
    return h != NOWHERE and s.hexes[h] < 0 and s.hexes[h] != SPENT


@kernel
def touches(s, h, what):
    """How many sides of a hex lie on hexes of this kind or area."""
    count = 0
    for side in range(SIDES):
        n = BESIDE[h, side]
        if n != NOWHERE and s.hexes[n] == what:
            count += 1
    return count


@kernel
def find_neighbours(s):
    """Two areas are neighbours when they share the side of a hex."""
    for h in range(HEXES):
        a = s.hexes[h]
        for side in range(SIDES if a != SEA else 0):
            n = BESIDE[h, side]
            if n != NOWHERE and s.hexes[n] != SEA and s.hexes[n] != a:
                s.neighbours[a] = bits.add(s.neighbours[a], s.hexes[n])


# --- the owners ---


@kernel
def deal_owners(s, rng):
    """Areas are dealt one at a time at random, so the low seats get the surplus."""
    free = bits.upto(s.areas)
    for turn in range(s.areas):
        area = random_member(free, rng)
        free = bits.remove(free, area)
        s.owner[area] = turn % s.players


@kernel
def spread_owners(s, rng):
    """A random area each; then all in turn take a random free neighbour, while they have one."""
    for area in range(s.areas):
        s.owner[area] = NOBODY
    free = bits.upto(s.areas)
    turn = 0
    while not bits.empty(free):
        player = turn % s.players
        reach = free if turn < s.players else bits.both(free, neighbours_of(s, player))
        if not bits.empty(reach):
            area = random_member(reach, rng)
            free = bits.remove(free, area)
            s.owner[area] = player
        turn += 1


@kernel
def neighbours_of(s, player):
    """The set of areas beside a player's areas."""
    around = bits.none()
    for area in range(s.areas):
        if s.owner[area] == player:
            around = bits.either(around, s.neighbours[area])
    return around


# --- the dice ---


@kernel
def share_dice(s, rng):
    """About three dice an area, split evenly over the players whatever they hold."""
    left = DICE_AN_AREA * s.areas - below(rng, DICE_SPREAD)
    for player in range(s.players):
        share = round(left / (s.players - player))
        left -= share
        drop_dice(s, player, share, rng)


@kernel
def flat_dice(s):
    """The same number of dice on every area."""
    for area in range(s.areas):
        s.dice[area] = FLAT_DICE


@kernel
def dense_dice(s, rng):
    """Two dice an area, split over the players whatever they hold, and one more for each."""
    for player in range(s.players):
        drop_dice(s, player, DENSITY * s.areas // s.players + 1, rng)


@kernel
def drop_dice(s, player, share, rng):
    """A die on each area of a player, the others on random ones; what has no room is lost."""
    for area in range(s.areas):
        if s.owner[area] == player:
            s.dice[area] = 1
    room = s.territory[player]
    for _ in range(share - s.held[player]):
        if not bits.empty(room):
            area = random_member(room, rng)
            s.dice[area] += 1
            if s.dice[area] == MAX_DICE:
                room = bits.remove(room, area)
