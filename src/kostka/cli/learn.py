"""Learning from games."""

import json as json_module
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from kostka.cli import app
from kostka.cli.shared import GameName, Json, Seed, chosen, out, print_json, progress
from kostka.core.errors import unknown
from kostka.core.game import game as find_game


@app.command(
    epilog="Examples: kostka learn dicewars outlook --games 4000 --seed 1 --out outlook.json; "
    "kostka learn scotland-yard prior --games 200 --seed 1 --out prior.json"
)
def learn(
    game: GameName,
    what: Annotated[str, typer.Argument(metavar="WHAT", help="an evaluation, or another lesson")],
    games: Annotated[int, typer.Option(help="games to learn from", min=10)] = 200,
    players: Annotated[
        list[int] | None, typer.Option(help="players of a game [the lesson's]; repeatable", min=2)
    ] = None,
    teacher: Annotated[
        list[str] | None,
        typer.Option(help="the agent whose games are learnt from [the lesson's]; repeatable"),
    ] = None,
    seed: Seed = None,
    file: Annotated[Path | None, typer.Option("--out", help="JSON file for what is learnt")] = None,
    json: Json = False,
) -> None:
    """Learn from games of teachers: an evaluation, or whatever else there is a lesson for.

    Each seat is taken by one of the teachers, drawn by lot. One game or decision in ten is kept
    apart, and says how well the rest was learnt.
    """
    from kostka.agents.lessons import games_of, lessons

    found, seed = find_game(game), chosen(seed)
    known = lessons(found)
    if what not in known:
        raise unknown(f"lesson of {found.name}", what, known)
    lesson = known[what]
    teachers, tables = teacher or list(lesson.teachers), players or list(lesson.players)
    with progress() as bar:
        task = bar.add_task("playing", total=games)
        examples = games_of(
            found, teachers, games, seed, tables, lambda n: bar.update(task, completed=n)
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
