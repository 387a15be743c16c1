"""Exact chances of a game."""

from typing import Annotated

import typer

from kostka.cli import app
from kostka.cli.shared import Csv, GameName, Json, out, print_csv, print_json, table
from kostka.core.errors import KostkaError
from kostka.core.game import game as find_game
from kostka.core.odds import Cell, Chance, Table, in_words

#: A chance that would be printed as 0.00 %.
UNSEEN = 0.00005


@app.command(
    epilog="Examples: kostka odds risk · kostka odds risk 10 5 · kostka odds dicewars --json"
)
def odds(
    game: GameName,
    attackers: Annotated[int | None, typer.Argument(help="of one fight", min=1)] = None,
    defenders: Annotated[int | None, typer.Argument(help="whom they attack", min=1)] = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Print exact chances: a game's tables, or those of one fight.

    In Risk, attackers are the armies that can fight, up to 1000: one more stays behind. In Dice
    Wars both numbers are dice.
    """
    found = find_game(game)
    part = found.part("odds")
    if not hasattr(part, "tables"):
        raise KostkaError(f"{found.title} has no tables of odds")
    if attackers is None:
        tables = part.tables()
    elif not hasattr(part, "battle"):
        raise KostkaError(f"nobody fights in {found.title}; leave the numbers out")
    elif defenders is None:
        raise KostkaError(f"against how many? Write for example kostka odds {game} {attackers} 2")
    else:
        tables = part.battle(attackers, defenders)
    if json:
        print_json([{"table": t.name, "title": t.title, "rows": t.records()} for t in tables])
        return
    if csv:
        print_csv(
            [
                {"table": t.name, "row": i, "column": column, "value": number(cell)}
                for t in tables
                for i, row in enumerate(t.rows, 1)
                for column, cell in zip(t.columns, row, strict=True)
            ]
        )
        return
    for t in tables:
        show(t)


def show(t: Table) -> None:
    """Print a table; where all its cells are chances, the title says that they are in per cent."""
    chances = all(isinstance(cell, Chance) for row in t.rows for cell in row[1:])
    out.print(f"{t.name}: {t.title}{', in %' if chances else ''}", style="bold", soft_wrap=True)
    shown = table(t.columns[0], *(f">{column}" for column in t.columns[1:]))
    rows = [row for row in t.rows if not unseen(row)]
    for row in rows:
        first, *cells = map(in_words, row)
        shown.add_row(first, *(cell.removesuffix(" %") if chances else cell for cell in cells))
    out.print(shown)
    if len(rows) < len(t.rows):
        out.print(f"{len(t.rows) - len(rows)} rows below 0.01 % left out", style="dim")
    out.print()


def unseen(row: tuple[Cell, ...]) -> bool:
    """Are all chances of a row too small to be printed?"""
    chances = [cell for cell in row if isinstance(cell, Chance)]
    return len(chances) == 1 and chances[0] < UNSEEN


def number(cell: Cell) -> Cell:
    """A chance as the fraction that it is."""
    return float(cell) if isinstance(cell, Chance) else cell
