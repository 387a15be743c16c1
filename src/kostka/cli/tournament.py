"""Tournaments, the runs in a store, and their export."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table

from kostka.cli import app
from kostka.cli.shared import (
    Address,
    Csv,
    Executor,
    Jobs,
    Json,
    Level,
    Limit,
    MapFile,
    Options,
    Preset,
    RunName,
    Seats,
    Seed,
    Where,
    duration,
    err,
    out,
    print_csv,
    print_json,
    roles_table,
    standings_table,
    table,
    typed_options,
)
from kostka.core.errors import KostkaError

if TYPE_CHECKING:
    from kostka.arena.executor import Inline
    from kostka.arena.plan import Plan
    from kostka.arena.results import Results
    from kostka.arena.store import Run, Store

#: A cross table of more agents does not fit a terminal.
WIDE = 10


@app.command(
    epilog="Examples: kostka tournament dicewars stei sdc wpm-d --games 200 --seed 1 --jobs 2 · "
    "kostka tournament plan.toml"
)
def tournament(
    what: Annotated[str, typer.Argument(metavar="PLAN|GAME", help="a TOML file, or a game")],
    specs: Annotated[
        list[str] | None,
        typer.Argument(metavar="SPEC…", help="agents; mcts:c=0.3|0.7 stands for both"),
    ] = None,
    games: Annotated[int | None, typer.Option(help="games of each line-up [100]", min=1)] = None,
    players: Annotated[
        list[int] | None, typer.Option(help="players at a table [2]; repeatable", min=1)
    ] = None,
    each: Annotated[
        int | None, typer.Option(help="games of each seating, in place of --games", min=1)
    ] = None,
    having: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="SPEC", help="only line-ups with this agent; repeatable"),
    ] = None,
    repeat: Annotated[
        bool | None, typer.Option("--repeat", help="an agent may sit at a table more than once")
    ] = None,
    seats: Seats = None,
    option: Options = None,
    preset: Preset = None,
    map_file: MapFile = None,
    memory: Annotated[
        Literal["line-up", "seat"] | None,
        typer.Option(help="what is learnt belongs to a line-up [line-up] or to a seat in all"),
    ] = None,
    limit: Limit = None,
    moves: Annotated[bool | None, typer.Option(help="keep the moves [yes]")] = None,
    name: Annotated[str | None, typer.Option(help="name of the run")] = None,
    seed: Seed = None,
    store: Where = None,
    jobs: Jobs = 1,
    executor: Executor = "auto",
    address: Address = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="begin anew, do not go on")] = False,
    level: Level = 0.95,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Let every line-up of agents play, and keep all games in a store.

    Stopped at any moment, the same command goes on where it was; the table in the end is the same.
    kostka report makes a page of it.
    """
    from kostka.arena.statistics import by_seat
    from kostka.arena.store import Store

    given: dict[str, Any] = {
        "games": games,
        "each": each,
        "tables": tuple(players) if players else None,
        "having": tuple(having) if having else None,
        "repeat": repeat,
        "seats": seats,
        "memory": memory,
        "limit": limit,
        "moves": moves,
        "name": name,
        "options": typed_options(option, map_file) or None,
        "preset": preset,
        "seed": seed,
    }
    plan = planned(what, specs or [], {k: v for k, v in given.items() if v is not None})
    command = shlex.join(["kostka", *sys.argv[1:]])
    opened = Store(store)
    run = begin(opened, plan, command, fresh, quiet=json or csv)
    play_run(opened, run, jobs, executor, address)
    results = opened.results(run)
    rows = rated_standings(results, level)
    if json:
        by_role = {"roles": by_seat(results, level)} if results.roles else {}
        print_json(
            {"run": run.name, "game": plan.game, "seed": run.plan.seed, "games": len(results),
             "agents": rows, **by_role, "faults": opened.faults(run)}
        )  # fmt: skip
    elif csv:
        print_csv(rows)
    else:
        show(opened, run, results, rows, level)


def planned(what: str, specs: list[str], given: dict[str, Any]) -> "Plan":
    """The plan of a file or of flags; flags override what the file says."""
    from kostka.arena.plan import parse_plan, read_plan

    if what.endswith(".toml"):
        if specs:
            raise KostkaError("a plan names its agents itself; give a file, or a game and agents")
        return read_plan(Path(what), **given)
    return parse_plan("", "the tournament", game=what, agents=tuple(specs), **given)


def begin(store: "Store", plan: "Plan", command: str, fresh: bool, quiet: bool) -> "Run":
    """The run of a plan, new or found again."""
    from kostka.arena.tournament import enter

    run = enter(store, plan, None, command, fresh)
    if not quiet:
        out.print(
            f"{run.name}: {run.games} games in {len(run.matches)} "
            f"line-up{'s' if len(run.matches) > 1 else ''}, seed {run.plan.seed}, "
            f"in {store}",
            markup=False,
            soft_wrap=True,
        )
        if run.in_order:
            out.print(in_order(run), markup=False, soft_wrap=True)
    if run.played:
        err.print(
            f"going on with {run.name}: {run.played} of {run.games} games are there"
            if run.played < run.games
            else f"{run.name} has been played already; --fresh begins anew",
            markup=False,
        )
    return run


def in_order(run: "Run") -> str:
    """That some games of a run must wait for each other, and why."""
    who = " and ".join(run.in_order)
    return f"What {who} learns at a seat goes on from line-up to line-up: its games run in order."


def play_run(store: "Store", run: "Run", jobs: int, executor: str, address: str | None) -> None:
    """Play what is missing of a run, with a progress bar."""
    from kostka.arena import executor as executors
    from kostka.arena.tournament import play

    if run.played == run.games:
        return
    bar = Progress(
        TextColumn("{task.completed:.0f} of {task.total:.0f} games"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f} %  {task.fields[left]}"),
        console=err,
        transient=True,
    )
    workers: Inline
    played = run.played
    try:
        with bar, executors.executor(executor, jobs, run.matches, address) as workers:
            shown = bar.add_task("", total=run.games, completed=run.played, left="")
            for step in play(store, run, workers):
                played = step.played
                left = "" if step.left is None else f"{duration(step.left)} left"
                bar.update(shown, completed=played, left=left)
    except KeyboardInterrupt:
        err.print(
            f"interrupted; {played} of {run.games} games are safe, the same command goes on",
            markup=False,
        )
        raise typer.Exit(130) from None
    except KostkaError as error:
        raise KostkaError(
            f"{error}\n{played} of {run.games} games are safe; the same command goes on"
        ) from None


def rated_standings(results: "Results", level: float) -> list[dict[str, Any]]:
    """The standings, with ratings where there are two agents that can be compared."""
    from kostka.arena.ratings import bootstrap, rate
    from kostka.arena.statistics import standings

    rows = standings(results, level)
    if len(results.agents) < 2 or not results.comparable:
        return rows
    rated = rate(results.each())
    errors = bootstrap(rated, level=level).error if rated.blocks > 1 else {}
    for row in rows:
        row |= {"elo": rated.elo[row["agent"]], "error": errors.get(row["agent"])}
    return rows


def show(
    store: "Store", run: "Run", results: "Results", rows: list[dict[str, Any]], level: float
) -> None:
    """Print how a run has ended."""
    from kostka.arena.statistics import cross_table, cross_table_by_seat, duplicate

    out.print(standings_table(rows, level=level))
    names = [row["agent"] for row in rows]
    if results.roles:
        out.print(roles_table(results, level))
        cells: dict[str, list[Any]] = {}
        for row in cross_table_by_seat(results, level):
            if row["one_seat"] > row["other_seat"]:  # the other way round says the same
                corner = f"{row['one_role']} before {row['other_role']} of column, %"
                cells.setdefault(corner, []).append(row)
    else:
        cells = {"row before column, %": cross_table(results, level) if len(rows) > 2 else []}
    for corner, some in cells.items():
        if some and len(rows) <= WIDE:
            out.print(crossed(corner, names, some))
    for fault in store.faults(run):
        out.print(f"{fault['agent']} lost {fault['games']} games: {fault['fault']}", markup=False)
    for row in duplicate(results):
        if row["worth"] is not None:
            out.print(
                f"Duplicate play with {row['players']} {'sides' if results.roles else 'players'}: "
                f"{row['games']} games tell as much "
                f"as {row['independent']:.0f} independent ones.",
                soft_wrap=True,
            )
    out.print(f"For everything else: kostka report {shlex.quote(run.name)}", markup=False)


def crossed(corner: str, names: list[str], rows: list[dict[str, Any]]) -> Table:
    """A cross table of agents, the columns by number."""
    cells = {(row["one"], row["other"]): row["share"] for row in rows}
    shown = table(corner, *(f">{i}" for i in range(1, len(names) + 1)))
    for i, one in enumerate(names, 1):
        shares = (cells.get((one, other)) for other in names)
        shown.add_row(f"{i} {one}", *("–" if s is None else f"{100 * s:.0f}" for s in shares))
    return shown


@app.command(epilog="Example: kostka runs --store results.db")
def runs(store: Where = None, json: Json = False) -> None:
    """List the runs of a store."""
    from kostka.arena.store import Store

    found = Store(store, create=False).runs()
    if json:
        print_json(
            [
                {"id": r.id, "name": r.name, "game": r.plan.game, "games": r.games,
                 "played": r.played, "seed": r.plan.seed, "started": r.started,
                 "finished": r.finished, "command": r.command}
                for r in found
            ]
        )  # fmt: skip
        return
    shown = table(">", "run", "game", ">games", ">seed", ">started", "command")
    for r in found:
        some = f"{r.games}" if r.played == r.games else f"{r.played} of {r.games}"
        shown.add_row(
            str(r.id), r.name, r.plan.game, some, str(r.plan.seed),
            r.started.replace("T", " ").removesuffix(":00+00:00")[:16], r.command,
        )  # fmt: skip
    out.print(shown)


@app.command(epilog="Example: kostka export dicewars-1 games.parquet")
def export(
    run: RunName,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="ends in .csv or .parquet")],
    store: Where = None,
) -> None:
    """Write all games of a run to a file, one row a seat, as CSV or Parquet."""
    from kostka.arena.export import write
    from kostka.arena.store import Store

    opened = Store(store, create=False)
    count = write(opened, opened.run(run), file)
    out.print(f"{count} rows in {file}", markup=False)
