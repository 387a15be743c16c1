"""Exact chances of Risk: one throw, a whole fight, and what can be reckoned from the map.

Attackers are the armies that may fight: one more stays on their territory.
"""

import itertools
from collections import Counter
from math import comb, log10
from typing import NamedTuple

import numpy as np

from kostka.core.errors import KostkaError
from kostka.core.kernels import kernel
from kostka.core.memory import floats
from kostka.core.odds import Chance, Table
from kostka.games.risk.maps import the_map

#: So many armies fit on a territory at most.
MOST_ARMIES = 1000
#: Dice of an attacker and of a defender.
ATTACK_DICE, DEFENCE_DICE = 3, 2

#: Both rows of masses that a fight needs.
ROW = MOST_ARMIES + 1
ROWS = 2 * ROW


def throws() -> np.ndarray:
    """The exact chance that ``a`` dice against ``d`` cost the defender ``k`` armies: [a, d, k].

    The highest die meets the highest, the second the second; ties go to the defender.
    """
    found = np.zeros((ATTACK_DICE + 1, DEFENCE_DICE + 1, DEFENCE_DICE + 1))
    for a in range(1, ATTACK_DICE + 1):
        for d in range(1, DEFENCE_DICE + 1):
            lost = Counter(
                sum(x > y for x, y in zip(sorted(dice[:a])[::-1], sorted(dice[a:])[::-1]))  # noqa: B905
                for dice in itertools.product(range(6), repeat=a + d)
            )
            for k, ways in lost.items():
                found[a, d, k] = ways / 6 ** (a + d)
    return found


THROWS = throws()


@kernel
def fight(attackers, defenders, ends, prob):
    """Write every end of a fight with all dice and its exact chance; return how many there are.

    An end is how many attackers are left or, below 0, how many defenders. The mass of all
    positions flows down, attackers row by row: a row and the one below it lie in scratch, and what
    is done with a row becomes the row two below, as a throw that costs two attackers leaves the
    defenders as they were.
    """
    mass = floats(ROWS)
    for n in range(defenders + 1):
        mass[n] = mass[ROW + n] = 0.0
    mass[defenders] = 1.0
    here, below = 0, ROW
    k = 0
    for a in range(attackers, 0, -1):
        dice = min(3, a)
        for n in range(defenders, 0, -1):
            m = mass[here + n]
            if m == 0.0:
                continue
            if n > 1 and a > 1:
                mass[here + n - 2] += m * THROWS[dice, 2, 2]
                mass[below + n - 1] += m * THROWS[dice, 2, 1]
                mass[here + n] = m * THROWS[dice, 2, 0]
            else:
                mass[here + n - 1] += m * THROWS[dice, min(2, n), 1]
                mass[below + n] += m * THROWS[dice, min(2, n), 0]
                mass[here + n] = 0.0
        if mass[here] > 0.0:
            ends[k], prob[k] = a, mass[here]
            k += 1
        mass[here] = 0.0
        here, below = below, here
    for n in range(1, defenders + 1):
        if mass[here + n] > 0.0:
            ends[k], prob[k] = -n, mass[here + n]
            k += 1
    return k


class Outlook(NamedTuple):
    """What a fight to the end promises."""

    #: The chance to take the territory.
    win: float
    #: Attackers left on average where it is taken, and defenders where it is not.
    attackers: float
    defenders: float


def ends(attackers: int, defenders: int) -> dict[int, float]:
    """Every end of a fight and its chance: attackers left or, below 0, defenders left."""
    for side, armies in (("attackers", attackers), ("defenders", defenders)):
        if not 1 <= armies <= MOST_ARMIES:
            raise KostkaError(f"{side} must be from 1 to {MOST_ARMIES}, not {armies}")
    size = attackers + defenders
    out, prob = np.empty(size, np.int64), np.empty(size)
    k = fight(attackers, defenders, out, prob)
    return dict(zip(out[:k].tolist(), prob[:k].tolist(), strict=True))


def outlook(attackers: int, defenders: int) -> Outlook:
    """What a fight to the end promises."""
    found = ends(attackers, defenders)
    win = sum(p for end, p in found.items() if end > 0)
    lose = sum(p for end, p in found.items() if end < 0)
    left = sum(p * end for end, p in found.items() if end > 0)
    stay = sum(p * -end for end, p in found.items() if end < 0)
    return Outlook(win, left / win if win else 0.0, stay / lose if lose else 0.0)


# --- tables ---

#: What the published tables go up to.
PUBLISHED_ARMIES = 10
#: Three players on the classic map, four new armies each, three neighbours to attack in 22 ways.
EACH_HOLDS, NEW_ARMIES, NEIGHBOURS, WAYS_TO_FIGHT = 14, 4, 3, 22
#: A territory brings a third of an army.
TERRITORIES_PER_ARMY = 3


def tables() -> list[Table]:
    """Tables 2.2 to 2.7 of Vašátko's thesis and its estimates of how a turn branches."""
    return [*throw_tables(), taking_table(), *continent_tables(), branching_table()]


def throw_tables() -> list[Table]:
    """What one throw costs each side."""
    columns = tuple(f"{dice} {'die' if dice == 1 else 'dice'}" for dice in range(1, 4))
    found = []
    for d in (1, 2):
        rows = [
            (f"defender {k}, attacker {n - k}", *(
                Chance(THROWS[a, d, k]) if min(a, d) == n else "" for a in (1, 2, 3)
            ))
            for n in range(1, d + 1)
            for k in range(n, -1, -1)
        ]  # fmt: skip
        name, dice = ("2.2", "one die") if d == 1 else ("2.3", "two dice")
        title = f"One throw against {dice}: armies lost, by the attacker's dice"
        found.append(Table(name, title, ("lost", *columns), tuple(rows)))
    return found


def taking_table() -> Table:
    """The chance to take a territory."""
    armies = range(1, PUBLISHED_ARMIES + 1)
    rows = tuple((d, *(Chance(outlook(a, d).win) for a in armies)) for d in armies)
    title = "A fight to the end is won, by defenders (rows) and attackers who can fight (columns)"
    return Table("2.4 and 2.5", title, ("defenders", *map(str, armies)), rows)


def continent_tables() -> list[Table]:
    """What continents are worth."""
    basic, worth = [], []
    for name, bonus, inside, border, outside in continents():
        basic.append((name, inside, border, outside, bonus))
        armies = inside / TERRITORIES_PER_ARMY + bonus
        worth.append((name, armies, inside / armies, armies / border, outside / border))
    columns = ("continent", "x1 territories", "x2 on the border", "x3 outside", "b bonus")
    title = "Continents: territories, those on the border, those outside that can attack, bonus"
    worthy = (
        "What a continent is worth: z0 armies a turn for all of it, z1 = x1 / z0 territories an "
        "army, z2 = z0 / x2 armies and z3 = x3 / x2 attackers a border territory"
    )
    return [
        Table("2.6", title, columns, tuple(basic)),
        Table("2.7", worthy, ("continent", "z0", "z1", "z2", "z3"), tuple(worth)),
    ]


def continents() -> list[tuple[str, int, int, int, int]]:
    """Of each continent: name, bonus, territories, those on its border, and who can attack it."""
    board = the_map("classic")
    home = {land.id: land.continent for land in board.land}
    ways = [way for edge in board.edges for way in ((edge.a, edge.b), (edge.b, edge.a))]
    crossing = [(a, b) for a, b in ways if home[a] != home[b]]
    return [
        (
            continent.name,
            continent.bonus,
            sum(where == continent.id for where in home.values()),
            len({a for a, _ in crossing if home[a] == continent.id}),
            len({b for a, b in crossing if home[a] == continent.id}),
        )
        for continent in board.continents
    ]


def branching_table() -> Table:
    """How many turns there are in the middle of a game, roughly."""
    drafts = comb(EACH_HOLDS + NEW_ARMIES - 1, NEW_ARMIES)
    turns = drafts * (NEIGHBOURS * WAYS_TO_FIGHT) ** EACH_HOLDS
    rows = (
        (f"{NEW_ARMIES} armies on {EACH_HOLDS} territories", str(drafts), log10(drafts)),
        (
            f"times {NEIGHBOURS * WAYS_TO_FIGHT} ways to fight from each",
            f"{turns:.2e}",
            log10(turns),
        ),
    )
    columns = ("a turn", "ways", "as a power of ten")
    return Table("section 2.4", "How a turn branches", columns, rows)


def battle(attackers: int, defenders: int) -> list[Table]:
    """One fight to the end: what it promises, and every end."""
    found, sure = outlook(attackers, defenders), ends(attackers, defenders)
    title = f"{attackers} attackers who can fight against {defenders} to the end"
    rows = (
        ("taken", Chance(found.win), found.attackers),
        ("held", Chance(1 - found.win), found.defenders),
    )
    ways = tuple(
        ("taken" if end > 0 else "held", abs(end), Chance(chance)) for end, chance in sure.items()
    )
    return [
        Table("fight", title, ("territory", "chance", "armies left, mean"), rows),
        Table("ends", "Every end", ("territory", "armies left", "chance"), ways),
    ]
