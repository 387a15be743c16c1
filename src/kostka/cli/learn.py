"""Learning from games."""

import json as json_module
import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from kostka.cli import app
from kostka.cli.shared import (
    GameName,
    Json,
    Seed,
    chosen,
    game_options,
    out,
    print_json,
    progress,
)
from kostka.core.errors import KostkaError, unknown
from kostka.core.game import game as find_game

#: The heading of the options that are for evolution alone.
EVOLVE = "By evolution"
#: The heading of those for self-play alone, and of those for both.
PLAY = "By self-play"
BOTH = "By evolution or self-play"


@app.command(
    epilog="Examples: kostka learn dicewars outlook --games 4000 --seed 1 --out outlook.json; "
    "kostka learn scotland-yard prior --games 200 --seed 1 --out prior.json; "
    "kostka learn risk nets --preset thesis --round 1 --attempt 1 --seed 1 --out nets.npz; "
    "kostka learn catan td --lambda 0 --lambda 0.8 --lambda 1 --seed 1 --out learnt"
)
def learn(
    game: GameName,
    what: Annotated[str, typer.Argument(metavar="WHAT", help="an evaluation, or another lesson")],
    games: Annotated[
        int | None,
        typer.Option(help="games to learn from [200], or that measure a candidate", min=1),
    ] = None,
    players: Annotated[
        list[int] | None,
        typer.Option(help="players of a game (else the lesson's); repeatable", min=2),
    ] = None,
    teacher: Annotated[
        list[str] | None,
        typer.Option(help="agent to learn from (else the lesson's); repeatable"),
    ] = None,
    seed: Seed = None,
    file: Annotated[
        Path | None,
        typer.Option("--out", help="file for what is learnt; several rounds: a folder"),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(help="how to evolve (else the first)", rich_help_panel=EVOLVE),
    ] = None,
    round: Annotated[
        list[int] | None,
        typer.Option(help="round of an evolution [1]; repeatable", min=1, rich_help_panel=EVOLVE),
    ] = None,
    attempt: Annotated[
        list[int] | None,
        typer.Option(help="attempt [1]; repeatable", min=1, max=999, rich_help_panel=BOTH),
    ] = None,
    variant: Annotated[
        list[str] | None,
        typer.Option(help="what evolves (else the first); repeatable", rich_help_panel=EVOLVE),
    ] = None,
    generations: Annotated[
        int | None, typer.Option(help="of a round", min=1, max=100_000, rich_help_panel=EVOLVE)
    ] = None,
    population: Annotated[
        int | None,
        typer.Option(help="candidates that survive", min=2, max=10_000, rich_help_panel=EVOLVE),
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(help="file of the opponent (else the last champion)", rich_help_panel=EVOLVE),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            "-o",
            metavar="NAME=VALUE",
            rich_help_panel=BOTH,
            help="option of the games; repeatable",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(help="workers side by side [2]", min=1, max=256, rich_help_panel=BOTH),
    ] = None,
    executor: Annotated[
        str | None,
        typer.Option(help="who works: auto, threads, processes, ray", rich_help_panel=BOTH),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="of a Ray cluster", rich_help_panel=BOTH),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(help="picture for the curves, .svg or .png", rich_help_panel=BOTH),
    ] = None,
    traces: Annotated[
        list[float] | None,
        typer.Option("--lambda", help="trace of a learner; repeatable", rich_help_panel=PLAY),
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="setting of the learners; repeatable",
            rich_help_panel=PLAY,
        ),
    ] = None,
    settings: Annotated[
        Path | None,
        typer.Option(help="file of settings, key=value a line", rich_help_panel=PLAY),
    ] = None,
    together: Annotated[
        bool,
        typer.Option("--together", help="learners play in one game", rich_help_panel=PLAY),
    ] = False,
    fixed: Annotated[
        list[str] | None,
        typer.Option(
            help="player who does not learn: random, a name, a file; repeatable",
            rich_help_panel=PLAY,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Learn from games of teachers, by evolution, or by self-play, whatever there is a lesson for.

    From teachers: each seat is taken by one of them, drawn by lot. One game or decision in ten is
    kept apart, and says how well the rest was learnt.

    By evolution: candidates are measured by games against the champion of the round before, are
    crossed and mutated, and the best survive. Every generation is saved; the same command goes on
    with what its file has, and the champion is the same with any number of jobs.

    By self-play: learners play copies of themselves, or each other, and compare what they expected
    with what came. Every 50 games are saved; the same command goes on with what its file has, and
    the weights are the same with any number of jobs.
    """
    from kostka.agents.evolution import Evolution
    from kostka.agents.lessons import games_of, lessons
    from kostka.agents.selfplay import SelfPlay

    found, seed = find_game(game), chosen(seed)
    known = lessons(found)
    if what not in known:
        raise unknown(f"lesson of {found.name}", what, known)
    lesson = known[what]
    evolves: dict[str, Any] = {
        "preset": preset, "rounds": round, "variants": variant, "generations": generations,
        "population": population, "against": against,
    }  # fmt: skip
    plays: dict[str, Any] = {
        "traces": traces, "changes": changes, "settings": settings, "together": together or None,
        "fixed": fixed,
    }  # fmt: skip
    both: dict[str, Any] = {
        "attempts": attempt, "jobs": jobs, "executor": executor, "address": address, "plot": plot,
    }  # fmt: skip
    evolves, plays, both = (
        {name: value for name, value in some.items() if value is not None}
        for some in (evolves, plays, both)
    )
    if isinstance(lesson, SelfPlay):
        if teacher or players or evolves:
            raise KostkaError(f"{what} is learnt by self-play: give the options of that alone")
        from kostka.cli.selfplay import self_play

        options = game_options(found, option)
        self_play(found, lesson, seed=seed, file=file, json=json, games=games, options=options,
                  **plays, **both)  # fmt: skip
        return
    if plays:
        raise KostkaError(f"{what} is not learnt by self-play; its options do not apply")
    given = evolves | both
    if isinstance(lesson, Evolution):
        if teacher or players:
            raise KostkaError(f"{what} evolves: it has no --teacher; give --option players=…")
        from kostka.cli.evolve import evolve

        options = game_options(found, option)
        evolve(
            found, lesson, seed=seed, file=file, json=json, games=games, options=options, **given
        )
        return
    if given or option:
        raise KostkaError(f"{what} is learnt from teachers; the options of evolution do not apply")
    games = 200 if games is None else games
    if games < 10:
        raise KostkaError(f"a lesson needs 10 games or more, not {games}")
    teachers, tables = teacher or list(lesson.teachers), players or list(lesson.players)
    with progress() as bar:
        task = bar.add_task("playing", total=games)
        examples = games_of(
            found,
            teachers,
            games,
            seed,
            tables,
            lambda n: bar.update(task, completed=n),
            options=lesson.options,
        )
        made = lesson.learn(found, examples)
    command = shlex.join(["kostka", *sys.argv[1:]])
    made |= {"teachers": teachers, "games": games, "seed": seed, "command": command}
    if file is not None:
        file.write_text(json_module.dumps(made, indent=2) + "\n", encoding="utf-8")
    if json:
        print_json(made)
        return
    out.print(f"{found.title}: {games} games of {', '.join(teachers)}, seed {seed}", markup=False)
    for name, weight in zip(made.get("features", ()), made.get("weights", ()), strict=True):
        out.print(f"{weight:9.4f}  {name}", markup=False)
    for key, value in made.items():
        if isinstance(value, dict) and all(isinstance(v, float) for v in value.values()):
            words = ", ".join(f"{name} {v:.4f}" for name, v in value.items())
            out.print(f"{key}, in nats: {words}", markup=False)
    out.print(
        f"written to {file}" if file else "nothing is kept without --out FILE, or --json",
        markup=False,
    )
