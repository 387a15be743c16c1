"""Learning from games."""

import json as json_module
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kostka.cli import app
from kostka.cli.shared import GameName, Json, Seed, chosen, out, print_json, progress
from kostka.core.errors import KostkaError, unknown
from kostka.core.game import Game
from kostka.core.game import game as find_game

if TYPE_CHECKING:
    from kostka.agents.base import Lesson


@app.command(
    epilog="Examples: kostka learn dicewars outlook --games 4000 --seed 1 --out outlook.json; "
    "kostka learn scotland-yard prior --games 200 --seed 1 --out prior.json"
)
def learn(
    game: GameName,
    what: Annotated[
        str,
        typer.Argument(metavar="WHAT", help="an evaluation, or a lesson that agents of it have"),
    ],
    games: Annotated[
        int | None,
        typer.Option(help="games to learn from [4000, of a teacher 200]", min=10),
    ] = None,
    players: Annotated[
        list[int] | None, typer.Option(help="players of a game [2 3 4]; repeatable", min=2)
    ] = None,
    policy: Annotated[
        list[str] | None, typer.Option(help="who plays [every policy of the game]; repeatable")
    ] = None,
    teacher: Annotated[
        str | None, typer.Option(help="the agent whose games a lesson learns from [the lesson's]")
    ] = None,
    seed: Seed = None,
    file: Annotated[Path | None, typer.Option("--out", help="JSON file for the weights")] = None,
    json: Json = False,
) -> None:
    """Learn from games: an evaluation from games between policies, a lesson from a teacher's.

    An evaluation is a chance to win. A tenth of what was played is kept apart, and says how well
    the rest was learnt.
    """
    from kostka.agents.spec import lessons

    seed = chosen(seed)
    found = find_game(game)
    known = lessons(found)
    if what in known:
        if players or policy:
            raise KostkaError(f"{what} is learnt from a teacher: leave out --players and --policy")
        _follow(found, known[what], teacher or known[what].teacher, games or 200, seed, file, json)
    elif teacher is not None or (known and what not in found.evaluations):
        raise unknown(f"lesson of {found.name}", what, known)
    else:
        _evaluation(found, what, games or 4000, players, policy, seed, file, json)


def _follow(
    game: Game, lesson: "Lesson", teacher: str, games: int, seed: int, file: Path | None, json: bool
) -> None:
    with progress() as bar:
        task = bar.add_task("playing", total=games)
        made = lesson.learn(game, teacher, games, seed, lambda n: bar.update(task, completed=n))
    made |= {"teacher": teacher, "games": games, "seed": seed, "command": _command()}
    if json:
        print_json(made)
    else:
        out.print(f"{game.title}: {games} games of {teacher}, seed {seed}", markup=False)
        for key, value in made.items():
            if isinstance(value, dict) and all(isinstance(v, float) for v in value.values()):
                words = ", ".join(f"{name} {v:.4f}" for name, v in value.items())
                out.print(f"{key}, in nats: {words}")
        if file is None:
            out.print("nothing is kept without --out FILE, or --json")
    _write(made, file, json)


def _command() -> str:
    return shlex.join(["kostka", *sys.argv[1:]])


def _write(made: dict[str, Any], file: Path | None, json: bool) -> None:
    if file is not None:
        file.write_text(json_module.dumps(made, indent=2) + "\n", encoding="utf-8")
        if not json:
            out.print(f"written to {file}", markup=False)


def _evaluation(
    found: Game,
    evaluation: str,
    games: int,
    players: list[int] | None,
    policy: list[str] | None,
    seed: int,
    file: Path | None,
    json: bool,
) -> None:
    from kostka.learn.regression import fit, sample

    tables = players or [2, 3, 4]
    kind = next(iter(found.policies.values())).dtype
    names = policy or sorted(name for name, p in found.policies.items() if p.dtype == kind)
    kept = max(1, games // 10)
    with progress() as bar:
        task = bar.add_task("playing", total=games)
        taught = sample(
            found, evaluation, games - kept, seed, tables, names,
            lambda n: bar.update(task, completed=n),
        )  # fmt: skip
        apart = sample(
            found, evaluation, kept, seed + 1, tables, names,
            lambda n: bar.update(task, completed=games - kept + n),
        )  # fmt: skip
    weights = fit(taught)
    made = {
        "weights": [round(float(w), 4) for w in weights],
        "loss": apart.loss(weights),
        "loss_of_now": apart.loss(found.evaluations[evaluation]["weights"][0]),
        "loss_knowing_nothing": apart.loss(0 * weights),
        "games": games,
        "seed": seed,
        "command": _command(),
    }
    if json:
        print_json(made)
        _write(made, file, json)
        return
    out.print(f"{found.title}, {evaluation}: {games} games, seed {seed}")
    out.print("weights " + " ".join(f"{w:g}" for w in made["weights"]))  # type: ignore[attr-defined]
    out.print(
        f"surprise at results of {kept} other games, in nats: {made['loss']:.4f} "
        f"(now {made['loss_of_now']:.4f}, knowing nothing {made['loss_knowing_nothing']:.4f})"
    )
    _write(made, file, json)
