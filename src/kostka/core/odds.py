"""Tables of exact chances, as a game's module ``odds`` gives them to people and programs.

The module has ``tables()``: what is worth knowing by heart. Where two sides fight, it also has
``battle(attackers, defenders)``: the tables of one fight.
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal


class Chance(float):
    """A number from 0 to 1 that people read in per cent."""

    def __str__(self) -> str:
        return f"{100 * self:.2f} %"


Cell = str | int | float


def in_words(cell: Cell) -> str:
    """A chance in per cent, another fraction with two decimals, and the rest as it is.

    Halves are rounded up, as people do: 1.125 is 1.13.
    """
    if isinstance(cell, float) and not isinstance(cell, Chance):
        return str(Decimal(repr(float(cell))).quantize(Decimal("0.01"), ROUND_HALF_UP))
    return str(cell)


@dataclass(frozen=True)
class Table:
    """A table of numbers; the first column says what a row is about."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def records(self) -> list[dict[str, Cell]]:
        """The rows by the names of the columns."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]
