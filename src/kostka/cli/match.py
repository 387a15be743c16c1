"""Agents against each other: a match with numbers, or one game to watch."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.live import Live
from rich.table import Table

from kostka.cli import app
from kostka.cli.shared import (
    Csv,
    GameName,
    Json,
    Options,
    Seed,
    Specs,
    chosen,
    err,
    game_options,
    out,
    print_csv,
    print_json,
    table,
)
from kostka.core.game import game as find_game

if TYPE_CHECKING:
    from kostka.arena.match import Match, Standing

Limit = Annotated[
    float | None,
    typer.Option("--limit", metavar="SECONDS", help="time per decision", min=0.001, max=86400),
]


@app.command(
    epilog="Example: kostka match dicewars mcts:iterations=500 stei --games 200 --seed 1 --jobs 2"
)
def match(
    game: GameName,
    specs: Specs,
    games: Annotated[int, typer.Option(help="how many games", min=1)] = 100,
    seed: Seed = None,
    jobs: Annotated[int, typer.Option(help="processes that play side by side", min=1, max=256)] = 1,
    record: Annotated[Path | None, typer.Option(help="folder for game records")] = None,
    rotate: Annotated[bool, typer.Option(help="rotate the seats from game to game")] = True,
    option: Options = None,
    limit: Limit = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Let agents play a match.

    Prints each agent's wins and its share of the points with a 95 % Wilson interval. An agent that
    crashes, plays nonsense or runs out of time loses that game, and the match goes on.
    """
    from kostka.arena.match import Standing, prepare, tally

    seed = chosen(seed)
    found = find_game(game)
    match = prepare(
        found,
        tuple(specs),
        games,
        seed,
        game_options(option),
        limit=limit,
        record=record,
        rotate=rotate,
    )
    if not (json or csv):
        out.print(f"{found.title}, {games} games, seed {seed}")
    standings = [Standing(spec) for spec in specs]
    began = time.perf_counter()
    interrupted = False
    with Live(
        get_renderable=lambda: standings_table(standings, games, began),
        console=err,
        refresh_per_second=4,
        transient=True,
    ):
        try:
            tally(match, jobs, standings)
        except KeyboardInterrupt:
            interrupted = True
    report(found.name, match, standings, began, json, csv)
    if interrupted:
        err.print(f"interrupted after {standings[0].games} of {games} games")
        raise typer.Exit(130)


def report(
    game: str, match: "Match", standings: "list[Standing]", began: float, json: bool, csv: bool
) -> None:
    """Print the result of a match."""
    worth = [s.worth(match.players) for s in standings]
    if json:
        agents = [{**s.json(), "worth": w} for s, w in zip(standings, worth, strict=True)]
        done = standings[0].games
        print_json({"game": game, "seed": match.seed, "games": done, "agents": agents})
    elif csv:
        rows = [s.json() for s in standings]
        for row in rows:
            row["low"], row["high"] = row.pop("interval")
            row["faults"] = sum(row["faults"].values())
        print_csv(rows)
    else:
        out.print(standings_table(standings, match.games, began))
        for standing in standings:
            for why, times in standing.faults.items():
                out.print(f"{standing.spec} lost {times} of its games: {why}", markup=False)
        known = [w for w in worth if w is not None]
        if known:
            games, mean = standings[0].games, sum(known) / len(known)
            out.print(
                f"The seats rotate under the same luck: {games} games tell as much as "
                f"{games * mean:.0f} independent ones.",
                soft_wrap=True,
            )
        if match.record is not None:
            out.print(f"records in {match.record}", markup=False)


def standings_table(standings: "list[Standing]", games: int, began: float) -> Table:
    """The live and final table of a match."""
    from kostka.arena.statistics import wilson

    done = standings[0].games
    spent = time.perf_counter() - began
    left = "" if done == games or not done else f", {spent / done * (games - done):.0f} s left"
    shown = table(
        "agent", ">games", ">wins", ">draws", ">losses", ">share", "95 % interval", ">ms a game",
        title=f"{done} of {games} games, {spent:.1f} s{left}",
    )  # fmt: skip
    for s in standings:
        low, high = wilson(s.share, s.games)
        think = f"{1000 * s.seconds / s.games:.1f}" if s.seconds else "–"
        shown.add_row(
            s.spec, str(s.games), str(s.wins), str(s.draws), str(s.losses),
            f"{100 * s.share:.1f} %", f"{100 * low:.1f} – {100 * high:.1f} %", think,
        )  # fmt: skip
    return shown


@app.command(epilog="Example: kostka watch dicewars mcts stei --seed 7 --pause 0.1")
def watch(
    game: GameName,
    specs: Specs,
    seed: Seed = None,
    option: Options = None,
    pause: Annotated[float, typer.Option(help="seconds between events", min=0, max=60)] = 0.0,
    svg: Annotated[Path | None, typer.Option(help="write the last position as SVG")] = None,
) -> None:
    """Watch one game between agents: the log in words and the board from turn to turn."""
    from kostka.arena.match import play_one, prepare
    from kostka.core.look import PLAYERS
    from kostka.core.state import State

    seed = chosen(seed)
    found = find_game(game)
    match = prepare(found, tuple(specs), 1, seed, game_options(option))
    if svg is not None:
        svg.touch()  # before the game, not after it, if it cannot be written
    out.print(f"{found.title}, seed {seed}")
    with err.status("the agents are playing (the first time their code is compiled) …"):
        played = play_one(match, 0, keep=True)
    assert played.record is not None
    names = [f"{PLAYERS[seat].name} ({spec})" for seat, spec in enumerate(specs)]
    draw = getattr(found.part("view"), "picture", None)
    before: State | None = None
    for position, event in zip(played.record.positions(), played.record.events, strict=False):
        assert isinstance(position, State)
        turn = before is None or (event.by >= 0 and event.by != before.record.player)
        if turn and draw is not None:
            out.print(draw(position.record), markup=False)
        who = names[event.by] if event.by >= 0 else "  luck"
        out.print(f"{who}: {position.describe(position.parse(event.text))}", markup=False)
        if event.by >= 0:
            before = position
        time.sleep(pause)
    last = played.record.replay()
    if draw is not None:
        out.print(draw(last.record), markup=False)
    for name, gain in zip(names, played.returns, strict=True):
        words = {1.0: "has won", 0.0: "has lost"}.get(gain, f"draws, {gain:.2f} of the point")
        out.print(f"{name} {words}", markup=False)
    for seat, why in played.faults.items():
        out.print(f"{names[seat]} {why}", markup=False)
    if svg is not None:
        svg.write_text(last.svg, encoding="utf-8")
