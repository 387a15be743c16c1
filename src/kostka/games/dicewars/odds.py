"""Exact chances of Dice Wars: a battle by the dice on both sides."""

from kostka.core.errors import KostkaError
from kostka.core.odds import Chance, Table
from kostka.games.dicewars.rules import ODDS
from kostka.games.dicewars.state import MAX_DICE


def tables() -> list[Table]:
    """The chance of every battle."""
    dice = range(1, MAX_DICE + 1)
    rows = tuple((d, *(Chance(ODDS[a, d]) for a in range(2, MAX_DICE + 1))) for d in dice)
    title = "A battle is won, by the defender's dice (rows) and the attacker's (columns)"
    return [Table("battles", title, ("defender", *map(str, range(2, MAX_DICE + 1))), rows)]


def battle(attackers: int, defenders: int) -> list[Table]:
    """The chances of one battle."""
    for side, dice, fewest in (("attacker", attackers, 2), ("defender", defenders, 1)):
        if not fewest <= dice <= MAX_DICE:
            raise KostkaError(f"the {side}'s dice must be from {fewest} to {MAX_DICE}, not {dice}")
    win = ODDS[attackers, defenders]
    rows = (("won", Chance(win)), ("lost", Chance(1 - win)))
    return [Table("battle", f"{attackers} dice against {defenders}", ("attack", "chance"), rows)]
