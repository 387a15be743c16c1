"""Exact chances of Catan: throws, and the development cards of a full deck."""

from math import comb

from kostka.core.odds import Cell, Chance, Table
from kostka.games.catan.robber import SEVEN
from kostka.games.catan.state import CARDS, DECK, DECK_SIZE, SEATS

#: Throws of two dice.
THROWS = 36


def tables() -> list[Table]:
    """The chance of every throw, and of every development card."""
    return [throw_table(), card_table()]


def throw_table() -> Table:
    """A number's pips, and the chance that it is thrown now or within a round."""
    rows = []
    for n in range(2, 13):
        pips = 6 - abs(SEVEN - n)
        within = 1 - (1 - pips / THROWS) ** SEATS
        rows.append((n, pips, Chance(pips / THROWS), Chance(within)))
    columns = ("throw", "pips", "now", f"in {SEATS} throws")
    return Table("throws", "How likely a throw is", columns, tuple(rows))


def card_table() -> Table:
    """The chance that a card of a kind is among the first ones bought."""
    bought = (1, 2, 3, 5)
    rows: list[tuple[Cell, ...]] = []
    for name, count in zip(CARDS, DECK, strict=True):
        none = (comb(DECK_SIZE - count, n) / comb(DECK_SIZE, n) for n in bought)
        rows.append((name, count, *(Chance(1 - chance) for chance in none)))
    columns = ("card", "in the deck", *(f"in {n}" for n in bought))
    title = "At least one such card among so many, from a full deck"
    return Table("development cards", title, columns, tuple(rows))
