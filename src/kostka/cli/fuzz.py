"""Tampering with records."""

from typing import Annotated

import typer

from kostka.cli import app
from kostka.cli.shared import GameName, Json, Seed, chosen, out, print_json, progress
from kostka.core.errors import KostkaError
from kostka.core.game import game as find_game


@app.command(epilog="Example: kostka fuzz dicewars --records 10000 --seed 1")
def fuzz(
    game: GameName,
    records: Annotated[int, typer.Option(help="records to tamper with", min=1)] = 1000,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Tamper with records of a game and read them: each must be refused in a sentence, or playable.

    They are read in a process of its own, with bounds checks and a limit of memory and time.
    """
    from kostka.proof.fuzz import fuzz as tamper

    found, seed = find_game(game), chosen(seed)
    with progress() as bar:
        task = bar.add_task("reading", total=records)
        outcome = tamper(found, records, seed, lambda n: bar.update(task, completed=n))
    if json:
        faults = [{"record": number, "fault": fault} for number, fault in outcome.faults]
        print_json({"game": game, "seed": seed, **outcome.kinds, "faults": faults})
    else:
        counts = ", ".join(f"{n} {kind}" for kind, n in sorted(outcome.kinds.items()))
        out.print(f"{found.title}: {records} records, seed {seed}: {counts}", markup=False)
        for number, fault in outcome.faults:
            out.print(f"record {number}: {fault}", markup=False)
    if outcome.faults:
        raise KostkaError(f"{len(outcome.faults)} records were not read as they should be")
