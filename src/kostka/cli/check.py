"""The proof kit."""

import os
from typing import Annotated

import typer

from kostka.cli import app
from kostka.cli.shared import GameName, Json, Seed, chosen, err, out, print_json, progress, table
from kostka.core.game import game as find_game


@app.command(epilog="Example: kostka check dicewars --seed 1")
def check(
    game: GameName,
    seed: Seed = None,
    positions: Annotated[int, typer.Option(help="positions tried in each phase", min=1)] = 60,
    json: Json = False,
) -> None:
    """Prove the laws that every game obeys, phase by phase; exit code 1 if one is broken.

    Nothing hidden leaks, probabilities are right, copies share nothing, replays are exact, notation
    parses back. Kernels run with bounds checking here.
    """
    os.environ["NUMBA_BOUNDSCHECK"] = "1"  # before Numba is loaded
    found = find_game(game)
    seed = chosen(seed)
    from dataclasses import asdict

    from kostka.core.kernels import cache
    from kostka.proof.check import check as prove

    with progress() as bar:
        task = bar.add_task("compiling with bounds checks", total=1.0)
        cache.on_compile.clear()
        report = prove(
            found,
            seed=seed,
            positions=positions,
            progress=lambda what, part: bar.update(task, description=what, completed=part),
        )
    if json:
        print_json({**asdict(report), "ok": report.ok})
        raise typer.Exit(0 if report.ok else 1)
    out.print(f"{found.title}, seed {seed}: " + _counts(report.positions) + " positions")
    shown = table("", "law", ">cases", "")
    for law in report.laws:
        cases = sum(law.cases.values())
        mark = "[red]✗[/red]" if law.failed else "[green]✓[/green]" if cases else "–"
        words = f"[red]{law.failed} failed[/red]" if law.failed else law.note
        shown.add_row(mark, law.name, f"{cases:,}", words)
    out.print(shown)
    for law in report.laws:
        for failure in law.failures:
            out.print(f"\n[red]✗[/red] [bold]{law.name}[/bold]")
            lines = [failure.what, f"phase {failure.phase}, options {failure.options}"]
            if failure.moves:
                before = f"{failure.earlier} moves, then " if failure.earlier else ""
                lines.append(f"seed {failure.seed}, after {before}{' '.join(failure.moves)}")
            out.print("  " + "\n  ".join(lines), markup=False)
    if not report.ok:
        err.print(f"{found.title} breaks the contract", style="red")
        raise typer.Exit(1)
    out.print(f"every law holds ({report.seconds:.1f} s)")


def _counts(positions: dict[str, int]) -> str:
    return ", ".join(f"{count} {phase}" for phase, count in positions.items())
