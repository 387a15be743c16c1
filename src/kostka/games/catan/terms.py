"""What a linear value of Catan sees: 56 numbers of a position, and their products.

They are those of Novák's thesis (Charles University, 2020): of the opponent with most points, of
the opponents' mean, and of the player. What it leaves open is decided so:

- Production is the mean number of cards a throw brings: a city counts twice, the robber's hex not.
- The chance of the cards for a purchase is the product of the production of each kind in its price.
- The development cards are the four kinds that are played; victory points are among the points.
- While luck is pending, a theft, a bought card or a monopoly count as the mean of what may come.
- Each number less its mean, by its deviation, is multiplied with each; only products are squashed,
  by tanh(x / 2).
"""

from kostka.core import bits
from kostka.core.kernels import kernel
from kostka.core.memory import floats
from kostka.games.catan.board import (
    BRICK,
    CORNER_SET,
    DESERT,
    GRAIN,
    KINDS,
    LAND,
    ORE,
    RESOURCES,
    WOOD,
    WOOL,
)
from kostka.games.catan.building import sites
from kostka.games.catan.standing import public_points
from kostka.games.catan.state import (
    CARDS,
    CITIES,
    DECK,
    DRAW,
    LEVY,
    MONOPOLY,
    POINT,
    ROADS,
    SETTLEMENTS,
    STEAL,
)

PLAYED = MONOPOLY + 1  # the kinds of development cards that are played

OTHERS = (
    "points", "cards", "longest road", "knights", "free sites",
    *(f"production of {r}" for r in RESOURCES),
)  # fmt: skip
PURCHASES = ("road", "settlement", "city", "card")
OWN = (
    "points", "longest road", "knights", "has the longest road", "has the largest army", "roads",
    "settlements", "cities", "free sites",
    *(f"production of {r}" for r in RESOURCES),
    *(f"chance of a {p}" for p in PURCHASES),
    *RESOURCES,
    *(f"can buy a {p}" for p in PURCHASES),
    *(f"holds {card}" for card in CARDS[:PLAYED]),
    *(f"price of {r}" for r in RESOURCES),
)  # fmt: skip
NAMES = (
    *(f"best opponent: {name}" for name in OTHERS),
    *(f"mean opponent: {name}" for name in OTHERS),
    *OWN,
)
TERMS = len(NAMES)
#: With 1 in front, and each product of two, squares included.
COUNT = 1 + TERMS + TERMS * (TERMS + 1) // 2
#: Where the opponents' numbers end, and some of the player's own begin.
WIDTH = len(OTHERS)
MINE = 2 * WIDTH
HELD = MINE + OWN.index(RESOURCES[0])
BUY = MINE + OWN.index("can buy a road")
CARD = MINE + OWN.index(f"holds {CARDS[0]}")
THROWS = 36


@kernel
def terms(s, me, out):
    """Write the 56 numbers of a position for a player."""
    others(s, me, out)
    own(s, me, out)
    if s.phase == STEAL:
        pending_theft(s, me, out)
    elif s.phase == LEVY:
        pending_monopoly(s, me, out)
    elif s.phase == DRAW and s.player == me:
        pending_card(s, me, out)


@kernel
def production(s, p, out, at):
    """The mean number of cards of each resource that a throw brings."""
    for r in range(KINDS):
        out[at + r] = 0.0
    for h in range(LAND):
        if h == s.robber or s.terrain[h] == DESERT:
            continue
        corners = CORNER_SET[h]
        n = bits.count(bits.both(s.settlements[p], corners)) + 2 * bits.count(
            bits.both(s.cities[p], corners)
        )
        if n > 0:
            out[at + s.terrain[h]] += n * (6 - abs(7 - s.number[h])) / THROWS


@kernel
def others(s, me, out):
    """The opponent with most points, of equals the next at the table; and the mean of all."""
    one = floats(WIDTH)
    for i in range(MINE):
        out[i] = 0.0
    most = -1
    for turn in range(1, s.players):
        p = (me + turn) % s.players
        points = public_points(s, p)
        one[0], one[1], one[2], one[3] = points, s.cards[p], s.length[p], s.knights[p]
        one[4] = bits.count(sites(s, p))
        production(s, p, one, WIDTH - KINDS)
        for i in range(WIDTH):
            out[WIDTH + i] += one[i] / (s.players - 1)
            if points > most:
                out[i] = one[i]
        most = max(most, points)


@kernel
def own(s, me, out):
    at = MINE
    hand = s.hand[me]
    out[at] = public_points(s, me) + s.dev[me, POINT]
    out[at + 1] = s.length[me]
    out[at + 2] = s.knights[me]
    out[at + 3] = 1.0 if s.road_holder == me else 0.0
    out[at + 4] = 1.0 if s.army_holder == me else 0.0
    out[at + 5] = ROADS - s.roads_left[me]
    out[at + 6] = SETTLEMENTS - s.settlements_left[me]
    out[at + 7] = CITIES - s.cities_left[me]
    out[at + 8] = bits.count(sites(s, me))
    at += 9
    production(s, me, out, at)
    wood, brick, wool = out[at + WOOD], out[at + BRICK], out[at + WOOL]
    grain, ore = out[at + GRAIN], out[at + ORE]
    at += KINDS
    out[at], out[at + 1] = wood * brick, wood * brick * wool * grain
    out[at + 2], out[at + 3] = grain * ore, wool * grain * ore
    for r in range(KINDS):
        out[HELD + r] = hand[r]
    both = hand[WOOD] > 0 and hand[BRICK] > 0
    out[BUY] = 1.0 if both else 0.0
    out[BUY + 1] = 1.0 if both and hand[WOOL] > 0 and hand[GRAIN] > 0 else 0.0
    out[BUY + 2] = 1.0 if hand[GRAIN] > 1 and hand[ORE] > 2 else 0.0
    out[BUY + 3] = 1.0 if hand[WOOL] > 0 and hand[GRAIN] > 0 and hand[ORE] > 0 else 0.0
    for k in range(PLAYED):
        out[CARD + k] = 1.0 if s.dev[me, k] > 0 else 0.0
    for r in range(KINDS):
        out[CARD + PLAYED + r] = s.rate[me, r]


# --- while luck is pending ---


@kernel
def pending_theft(s, me, out):
    """A card of any kind changes hands: whoever holds which is not asked here."""
    if s.player == me:
        for r in range(KINDS):
            out[HELD + r] += 1.0 / KINDS
        out[WIDTH + 1] -= 1.0 / (s.players - 1)
    elif s.victim == me and s.cards[me] > 0:
        for r in range(KINDS):
            out[HELD + r] -= s.hand[me, r] / s.cards[me]


@kernel
def pending_monopoly(s, me, out):
    """Of others' cards one in five is of the kind that is asked for."""
    if s.player != me:
        return
    cards = 0.0
    for turn in range(1, s.players):
        cards += s.cards[(me + turn) % s.players]
    out[HELD + s.chosen] += cards / KINDS
    out[WIDTH + 1] -= cards / KINDS / (s.players - 1)


@kernel
def pending_card(s, me, out):
    """Any of the cards that the player has not seen."""
    unseen = 0.0
    for k in range(len(DECK)):
        unseen += DECK[k] - s.gone[k] - s.dev[me, k]
    for k in range(PLAYED):
        if s.dev[me, k] == 0:
            out[CARD + k] = (DECK[k] - s.gone[k]) / unseen
    out[MINE] += (DECK[POINT] - s.dev[me, POINT]) / unseen


# --- products ---

#: tanh as a quotient of polynomials in x², as Eigen has it: off by less than 3e-8, and made of
#: products alone, so that a processor does several at once, the same on each.
REACH = 9.0
UP = (
    4.89352455891786e-03, 6.37261928875436e-04, 1.48572235717979e-05, 5.12229709037114e-08,
    -8.60467152213735e-11, 2.00018790482477e-13, -2.76076847742355e-16,
)  # fmt: skip
DOWN = (4.89352518554385e-03, 2.26843463243900e-03, 1.18534705686654e-04, 1.19825839466702e-06)


@kernel
def squash(x):
    """tanh(x / 2)"""
    x = min(max(0.5 * x, -REACH), REACH)
    y = x * x
    up = UP[4] + y * (UP[5] + y * UP[6])
    up = UP[0] + y * (UP[1] + y * (UP[2] + y * (UP[3] + y * up)))
    return x * up / (DOWN[0] + y * (DOWN[1] + y * (DOWN[2] + y * DOWN[3])))


@kernel
def scaled(s, me, mean, deviation, out):
    """The 56 numbers, each less its mean and by its deviation."""
    terms(s, me, out)
    for i in range(TERMS):
        out[i] = (out[i] - mean[i]) / deviation[i]


@kernel
def spread(b, out):
    """Write 1, the 56 numbers, and each product of two, squashed."""
    out[0] = 1.0
    for i in range(TERMS):
        out[1 + i] = b[i]
    k = 1 + TERMS
    for i in range(TERMS):
        for j in range(i, TERMS):
            out[k + j - i] = squash(b[i] * b[j])
        k += TERMS - i


@kernel
def weighted(w, b):
    """The sum of what ``spread`` writes by weights, without writing it: one sum for each column."""
    sums = floats(TERMS)
    for j in range(TERMS):
        sums[j] = w[1 + j] * b[j]
    k = 1 + TERMS
    for i in range(TERMS):
        x = b[i]
        for j in range(i, TERMS):
            sums[j] += w[k + j - i] * squash(x * b[j])
        k += TERMS - i
    total = w[0]
    for j in range(TERMS):
        total += sums[j]
    return total
