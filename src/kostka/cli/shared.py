"""What several commands have in common: options, output, progress."""

import csv
import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from kostka.core.errors import KostkaError
from kostka.core.game import Game, fresh_seed

if TYPE_CHECKING:
    from kostka.arena.results import Results
    from kostka.core.outcome import Outcome

#: Results go to standard output; progress and notices to the other one.
out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="name of a game: see kostka games")]
Specs = Annotated[list[str], typer.Argument(metavar="SPEC…", help="agents: see kostka agents GAME")]
Seed = Annotated[int | None, typer.Option(help="seed of all luck; a random one is shown", min=0)]
Json = Annotated[bool, typer.Option("--json", help="print JSON for programs")]
Csv = Annotated[bool, typer.Option("--csv", help="print CSV for programs")]
Jobs = Annotated[int, typer.Option(help="workers that play side by side", min=1, max=256)]
Executor = Annotated[
    str, typer.Option(help="who plays: auto, threads, processes, or ray on other machines")
]
Address = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="of a Ray cluster; without one it is local")
]
Where = Annotated[
    str | None,
    typer.Option("--store", metavar="WHERE", envvar="KOSTKA_STORE",
                 help="SQLite file (kostka.db) or postgresql:// URL"),
]  # fmt: skip
RunName = Annotated[
    str, typer.Argument(metavar="RUN", help="name or number of a run: see kostka runs")
]
Seats = Annotated[
    Literal["rotate", "permute", "fixed"] | None,
    typer.Option(help="how the seats change under the same luck"),
]
Limit = Annotated[
    float | None,
    typer.Option("--limit", metavar="SECONDS", help="time per decision", min=0.001, max=86400),
]
Level = Annotated[
    float, typer.Option(help="confidence of intervals and tests", min=0.5, max=0.9999)
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="option of the game; repeatable"),
]

Preset = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="set of the game's options, which --option changes further"),
]
MapFile = Annotated[
    str | None, typer.Option("--map", metavar="FILE", help="map to play on: --option map=FILE")
]


def game_options(
    game: Game,
    pairs: Sequence[str] | None,
    preset: str | None = None,
    map_file: str | None = None,
) -> dict[str, Any]:
    """``["edition=2021"]`` as a dictionary, with the contents of files for their paths."""
    usual = {} if preset is None else game.preset(preset)
    return {**usual, **game.read_files(typed_options(pairs, map_file))}


def typed_options(pairs: Sequence[str] | None, map_file: str | None = None) -> dict[str, str]:
    """``["edition=2021"]`` as a dictionary."""
    found: dict[str, str] = {} if map_file is None else {"map": map_file}
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
        made.add_column(
            column.lstrip(">"),
            justify="right" if right else "left",
            no_wrap=right,
            min_width=None if right else 8,
            overflow="fold",
        )
    return made


def standings_table(
    rows: Sequence[Mapping[str, Any]], title: str | None = None, level: float = 0.95
) -> Table:
    """How agents have done, from ``statistics.standings``."""
    rated = any("elo" in row for row in rows)
    many = any(row["draws"] for row in rows)
    scored = any(row["score"] is not None for row in rows)
    shown = table(
        "agent", ">games", ">wins", *([">draws"] if many else []), ">losses",
        f">share ({100 * level:g} %)", ">place", *([">score"] if scored else []),
        *([">Elo"] if rated else []),
        title=title,
    )  # fmt: skip
    for row in rows:
        error = "" if row.get("error") is None else f" ± {row['error']:.0f}"
        counts = ("games", "wins", *(["draws"] if many else []), "losses")
        shown.add_row(
            row["agent"] + (" (learns)" if row["learner"] else ""),
            *(str(row[key]) for key in counts),
            f"{100 * row['share']:.1f} ({100 * row['low']:.1f}–{100 * row['high']:.1f})",
            f"{row['place']:.2f}",
            *([f"{row['score']:.2f}"] if scored else []),
            *([f"{row['elo']:+.0f}{error}"] if rated else []),
        )
    return shown


def roles_table(results: "Results", level: float) -> Table:
    """How every agent has done in every role, and whoever played it."""
    from kostka.arena.statistics import by_seat, seat_advantage

    whoever = [{"agent": "whoever", "score": None, **row} for row in seat_advantage(results, level)]
    shown = table("agent", "as", ">games", f">share ({100 * level:g} %)", ">score")
    for row in [*by_seat(results, level), *whoever]:
        shown.add_row(
            row["agent"],
            row["role"],
            str(row["games"]),
            f"{100 * row['share']:.1f} ({100 * row['low']:.1f}–{100 * row['high']:.1f})",
            "" if row["score"] is None else f"{row['score']:.2f}",
        )
    return shown


def duration(seconds: float) -> str:
    """A time for people: 42 s, 3 min 10 s, 2 h 05 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def ending(outcome: "Outcome", gain: float) -> str:
    """What a player has of a game that is over; the share where that is neither all nor nothing."""
    words = {"won": "has won", "draw": "draws", "lost": "has lost"}[outcome]
    return words if gain in (0, 1) else f"{words}, {gain:.2f} of the point"


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
