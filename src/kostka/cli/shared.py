"""What several commands have in common: options, output, progress."""

import csv
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from kostka.core.errors import KostkaError
from kostka.core.game import fresh_seed

#: Results go to standard output; progress and notices to the other one.
out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="name of a game: see kostka games")]
Specs = Annotated[list[str], typer.Argument(metavar="SPEC…", help="agents: see kostka agents GAME")]
Seed = Annotated[int | None, typer.Option(help="seed of all luck; a random one is shown", min=0)]
Json = Annotated[bool, typer.Option("--json", help="print JSON for programs")]
Csv = Annotated[bool, typer.Option("--csv", help="print CSV for programs")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="option of the game; repeatable"),
]


def game_options(pairs: Sequence[str] | None) -> dict[str, str]:
    """``["edition=2021"]`` as a dictionary."""
    found: dict[str, str] = {}
    for pair in pairs or ():
        name, equals, value = pair.partition("=")
        if not equals or not name or not value:
            raise KostkaError(f"{pair!r} is no option; write for example --option players=4")
        found[name.strip()] = value.strip()
    return found


def chosen(seed: int | None) -> int:
    return fresh_seed() if seed is None else seed


def print_json(data: Any) -> None:
    print(json.dumps(data, indent=2, ensure_ascii=False))


def print_csv(rows: Sequence[Mapping[str, Any]]) -> None:
    writer = csv.DictWriter(sys.stdout, list(rows[0]) if rows else [])
    writer.writeheader()
    writer.writerows(rows)


def table(*columns: str, title: str | None = None) -> Table:
    """An empty table; a column whose name starts with ``>`` is aligned to the right."""
    made = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for column in columns:
        right = column.startswith(">")
        made.add_column(column.lstrip(">"), justify="right" if right else "left", overflow="fold")
    return made


def progress() -> Progress:
    """A progress bar on standard error."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f} %"),
        TimeRemainingColumn(),
        console=err,
        transient=True,
    )
