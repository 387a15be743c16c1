"""Learning from games."""

import json as json_module
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from kostka.cli import app
from kostka.cli.shared import GameName, Json, Seed, chosen, out, print_json, progress
from kostka.core.game import game as find_game


@app.command(
    epilog="Example: kostka learn dicewars outlook --games 4000 --seed 1 --out outlook.json"
)
def learn(
    game: GameName,
    evaluation: Annotated[str, typer.Argument(metavar="EVALUATION", help="what is to be learnt")],
    games: Annotated[int, typer.Option(help="games to learn from", min=10)] = 4000,
    players: Annotated[
        list[int] | None, typer.Option(help="players of a game [2 3 4]; repeatable", min=2)
    ] = None,
    policy: Annotated[
        list[str] | None, typer.Option(help="who plays [every policy of the game]; repeatable")
    ] = None,
    seed: Seed = None,
    file: Annotated[Path | None, typer.Option("--out", help="JSON file for the weights")] = None,
    json: Json = False,
) -> None:
    """Learn the weights of an evaluation, a chance to win, from games between policies.

    A tenth of the games is kept apart, and says how well the rest was learnt.
    """
    from kostka.learn.regression import fit, sample

    seed = chosen(seed)
    found = find_game(game)
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
        "command": shlex.join(["kostka", *sys.argv[1:]]),
    }
    if file is not None:
        file.write_text(json_module.dumps(made, indent=2) + "\n", encoding="utf-8")
    if json:
        print_json(made)
        return
    out.print(f"{found.title}, {evaluation}: {games} games, seed {seed}")
    out.print("weights " + " ".join(f"{w:g}" for w in made["weights"]))  # type: ignore[attr-defined]
    out.print(
        f"surprise at results of {kept} other games, in nats: {made['loss']:.4f} "
        f"(now {made['loss_of_now']:.4f}, knowing nothing {made['loss_knowing_nothing']:.4f})"
    )
    if file is not None:
        out.print(f"written to {file}", markup=False)
