"""Exact chances of Risk: one throw, a whole fight, and what can be reckoned from the map.

Attackers are the armies that may fight: one more stays on their territory.
"""

from math import comb, log10
from typing import NamedTuple

import numpy as np

from kostka.core.errors import KostkaError
from kostka.core.odds import Chance, Table
from kostka.games.risk.actions import LOST, WON
from kostka.games.risk.battle import ODDS, fight
from kostka.games.risk.maps import the_map
from kostka.games.risk.state import MOST_ARMIES

#: Dice of a defender.
DEFENCE_DICE = 2


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
    k = fight(attackers, defenders, DEFENCE_DICE, out, prob)
    left = [code - WON if code < LOST else LOST - code for code in out[:k].tolist()]
    return dict(zip(left, prob[:k].tolist(), strict=True))


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
                Chance(ODDS[a, d, k]) if min(a, d) == n else "" for a in (1, 2, 3)
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
