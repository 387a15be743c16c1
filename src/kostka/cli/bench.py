"""How fast everything is."""

import functools
from typing import Annotated

import typer

from kostka.cli import app
from kostka.cli.shared import Csv, Json, out, print_csv, print_json, progress, table
from kostka.core.game import Game, game_at
from kostka.core.game import games as all_games


@app.command(epilog="Example: kostka bench dicewars")
def bench(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]…", help="by name, or as module:game; default: all"),
    ] = None,
    players: Annotated[int | None, typer.Option(help="players at the table", min=1)] = None,
    seconds: Annotated[
        float, typer.Option(help="processor time for each measurement", min=0.05)
    ] = 2.0,
    gpu: Annotated[bool, typer.Option("--gpu", help="random games on a GPU, one a thread")] = False,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Measure, by processor time: random play, search, matches, compiling and loading."""
    from kostka.arena.bench import measure

    games = [game_at(name) for name in names] if names else list(all_games().values())
    if gpu:
        show_gpu(games, players, seconds, json, csv)
        return
    rows = []
    with progress() as bar:
        for game in games:
            update = functools.partial(bar.update, bar.add_task(game.title, total=1.0))
            rows.append(measure(game, players, seconds, update))
    if json:
        print_json(rows)
    elif csv:
        print_csv(rows)
    else:
        shown = table(
            "game",
            ">decisions/s",
            ">games/s",
            ">mcts/s",
            ">match/s",
            ">step µs",
            ">compile",
            ">load",
        )
        for r in rows:
            shown.add_row(
                r["game"], f"{r['decisions_per_second']:,.0f}",
                f"{r['games_per_second']:,.0f}", f"{r['mcts_iterations_per_second']:,.0f}",
                f"{r['match_games_per_second']:,.0f}", f"{r['referee_microseconds']:.1f}",
                f"{r['compile_seconds']:.1f} s", f"{r['load_seconds']:.1f} s",
            )  # fmt: skip
        out.print(shown)
        out.print(
            "decisions, games: random play · mcts: iterations · match: games between policies · "
            "step: what the referee adds to a decision · compile: once · load: in later processes",
            style="dim",
        )


def show_gpu(games: list[Game], players: int | None, seconds: float, json: bool, csv: bool) -> None:
    """Random games on a GPU, and whether they end as on a CPU."""
    from kostka.arena.gpu import measure

    rows = []
    with progress() as bar:
        for game in games:
            task = bar.add_task(game.title, total=1.0)
            rows.append(measure(game, players, seconds))
            bar.update(task, completed=1.0)
    if json:
        print_json(rows)
    elif csv:
        print_csv(rows)
    else:
        shown = table("game", ">decisions/s", ">games/s", ">games at once", ">compile", "ends")
        for r in rows:
            ends = f"{r['same']} of {r['compared']} as on the CPU"
            shown.add_row(
                r["game"], f"{r['decisions_per_second']:,.0f}", f"{r['games_per_second']:,.0f}",
                f"{r['games']:,}", f"{r['compile_seconds']:.1f} s", ends,
            )  # fmt: skip
        out.print(shown)
        out.print(f"random play on {rows[0]['gpu']}", style="dim")
