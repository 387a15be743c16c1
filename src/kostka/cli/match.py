"""Agents against each other: a match with numbers, or one game to watch."""

import time
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.live import Live

from kostka.cli import app
from kostka.cli.shared import (
    Csv,
    GameName,
    Jobs,
    Json,
    Level,
    Limit,
    MapFile,
    Options,
    Preset,
    Seats,
    Seed,
    Specs,
    chosen,
    duration,
    ending,
    err,
    game_options,
    out,
    print_csv,
    print_json,
    roles_table,
    standings_table,
)
from kostka.core.game import game as find_game


@app.command(
    epilog="Example: kostka match dicewars mcts:iterations=500 stei --games 200 --seed 1 --jobs 2"
)
def match(
    game: GameName,
    specs: Specs,
    games: Annotated[int, typer.Option(help="how many games", min=1)] = 100,
    seed: Seed = None,
    jobs: Jobs = 1,
    record: Annotated[Path | None, typer.Option(help="folder for game records")] = None,
    seats: Seats = None,
    option: Options = None,
    preset: Preset = None,
    map_file: MapFile = None,
    limit: Limit = None,
    level: Level = 0.95,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Let agents play a match.

    Prints each agent's wins and its share of the points with a Wilson interval. An agent that
    crashes, plays nonsense or runs out of time loses that game, and the match goes on.
    """
    from kostka.arena.executor import executor
    from kostka.arena.match import prepare
    from kostka.arena.results import Results, Row, columns, members, rows
    from kostka.arena.schedule import Schedule
    from kostka.arena.statistics import by_seat, duplicate, standings

    seed = chosen(seed)
    found = find_game(game)
    match = prepare(
        found,
        tuple(specs),
        games,
        seed,
        game_options(found, option, preset, map_file),
        seats or "rotate",
        limit=limit,
        record=record,
    )
    if not (json or csv):
        out.print(f"{found.title}, {games} games, seed {seed}")
    done: list[Row] = []
    faults: Counter[tuple[str, str]] = Counter()
    schedule = Schedule([match])
    began = time.perf_counter()

    def gathered(kept: list[Row]) -> Results:
        return columns(kept, match.learners, found, [match.options])

    def table(final: bool = False) -> Any:
        kept = sorted(done[:], key=lambda row: row[:5])
        if not kept:
            return f"0 of {games} games"
        spent, left = time.perf_counter() - began, schedule.seconds_left(jobs)
        rest = "" if final or left is None else f", {duration(left)} left"
        title = f"{games - schedule.left[0]} of {games} games, {duration(spent)}{rest}"
        return standings_table(standings(gathered(kept), level), title, level)

    interrupted = False
    with (
        Live(get_renderable=table, console=err, refresh_per_second=1, transient=True),
        executor("auto", jobs, [match]) as workers,
    ):
        try:
            for task, some in schedule.play(workers):
                for index, played in zip(task.games, some, strict=False):
                    done += rows(0, match, index, played)
                    for seat, why in played.faults.items():
                        faults[match.specs[match.seats(index)[seat]], why] += 1
        except KeyboardInterrupt:
            interrupted = True
    if done:
        results = gathered(sorted(done, key=lambda row: row[:5]))
        ranked = standings(results, level)
        for row in ranked:
            mine = members(row["agent"])
            row["faults"] = {why: n for (who, why), n in faults.items() if who in mine}
        if json:
            found_out = {"game": game, "seed": seed, "games": len(results), "agents": ranked}
            roles = {"roles": by_seat(results, level)} if results.roles else {}
            print_json(found_out | roles)
        elif csv:
            print_csv([{**row, "faults": sum(row["faults"].values())} for row in ranked])
        else:
            out.print(table(final=True))
            if results.roles:
                out.print(roles_table(results, level))
            for (who, why), times in faults.items():
                out.print(f"{who} lost {times} of its games: {why}", markup=False)
            for row in duplicate(results):
                if row["worth"] is not None and seats != "fixed":
                    out.print(
                        f"The seats change under the same luck: {row['games']} games tell as much "
                        f"as {row['independent']:.0f} independent ones.",
                        soft_wrap=True,
                    )
            if record is not None:
                out.print(f"records in {record}", markup=False)
    if interrupted:
        err.print(f"interrupted after {games - schedule.left[0]} of {games} games")
        raise typer.Exit(130)


@app.command(epilog="Example: kostka watch dicewars mcts stei --seed 7 --pause 0.1")
def watch(
    game: GameName,
    specs: Specs,
    seed: Seed = None,
    option: Options = None,
    preset: Preset = None,
    map_file: MapFile = None,
    pause: Annotated[float, typer.Option(help="seconds between events", min=0, max=60)] = 0.0,
    svg: Annotated[Path | None, typer.Option(help="write the last position as SVG")] = None,
) -> None:
    """Watch one game between agents: the log in words and the board from turn to turn."""
    from kostka.arena.match import play_one, prepare
    from kostka.core.outcome import by_seat
    from kostka.core.palette import PLAYERS
    from kostka.core.state import State

    seed = chosen(seed)
    found = find_game(game)
    match = prepare(found, tuple(specs), 1, seed, game_options(found, option, preset, map_file))
    if svg is not None:
        svg.touch()  # before the game, not after it, if it cannot be written
    out.print(f"{found.title}, seed {seed}")
    with err.status("the agents are playing (the first time their code is compiled) …"):
        played = play_one(match, 0, keep=True)
    assert played.record is not None
    names = [f"{PLAYERS[i].name} ({match.specs[who]})" for i, who in enumerate(match.seats(0))]
    draw = getattr(found.part("view"), "picture", None)
    before: State | None = None
    for position, event in zip(played.record.positions(), played.record.events, strict=False):
        assert isinstance(position, State)
        turn = before is None or (event.by >= 0 and event.by != before.mover)
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
    ended = by_seat(played.returns, found.teams(match.options))
    for name, outcome, gain in zip(names, ended, played.returns, strict=True):
        out.print(f"{name} {ending(outcome, gain)}", markup=False)
    for seat, why in played.faults.items():
        out.print(f"{names[seat]} {why}", markup=False)
    if svg is not None:
        svg.write_text(last.svg, encoding="utf-8")
