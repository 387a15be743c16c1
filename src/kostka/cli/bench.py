"""How fast everything is."""

import functools
from typing import Annotated

import typer

from kostka.cli import app
from kostka.cli.shared import Csv, Json, out, print_csv, print_json, progress, table
from kostka.core.game import game as find_game
from kostka.core.game import games as all_games


@app.command(epilog="Example: kostka bench dicewars")
def bench(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]…", help="default: all")
    ] = None,
    players: Annotated[int | None, typer.Option(help="players at the table", min=1)] = None,
    seconds: Annotated[
        float, typer.Option(help="processor time for each measurement", min=0.05)
    ] = 2.0,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Measure, by processor time: random play, search, matches, compiling and loading."""
    from kostka.arena.bench import measure

    games = [find_game(name) for name in names] if names else list(all_games().values())
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
