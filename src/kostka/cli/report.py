"""The report of a run: one page for people, or all of its tables for programs."""

import time
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from kostka.cli import app
from kostka.cli.shared import Json, Level, RunName, Where, err, out, print_json, progress
from kostka.core.errors import KostkaError

#: Seconds after which people want to see that something goes on.
PATIENCE = 2


@app.command(epilog="Example: kostka report dicewars-1 --exclude random --out report.html")
def report(
    run: RunName,
    store: Where = None,
    to: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="page to write [RUN.html]")
    ] = None,
    plots: Annotated[
        Path | None, typer.Option(metavar="DIR", help="write the plots there, as PNG and SVG")
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(metavar="AGENT", help="leave out the games of an agent; repeatable"),
    ] = None,
    level: Level = 0.95,
    json: Json = False,
) -> None:
    """Make a page of a run: standings, ratings, cross tables, seats, luck, time, with plots.

    The page is one file that needs nothing else. Every table on it names the command that makes
    it again; --json prints all of them, and writes no page unless --out names one.
    """
    from kostka.arena.report import gather
    from kostka.arena.store import Store

    opened = Store(store, create=False)
    found = opened.run(run)
    page = to or (None if json else Path(f"{found.name.replace('/', '-')}.html"))
    if page is not None and not page.parent.is_dir():
        raise KostkaError(f"there is no folder {page.parent}; --out names a file in one that is")
    began, bar = time.monotonic(), progress()
    task = bar.add_task("", total=1)
    with ExitStack() as shown:

        def step(part: str, done: float) -> None:
            if time.monotonic() - began > PATIENCE and not bar.live.is_started:
                shown.enter_context(bar)
            bar.update(task, description=part, completed=done)

        data = gather(opened, found, exclude or (), level, step)
        if page is not None or plots is not None:
            from kostka.arena.page import html
            from kostka.arena.plots import figures, save

            step("plots", 0.8)
            drawn = figures(data)
            if page is not None:
                page.write_text(html(data, drawn), encoding="utf-8")
            if plots is not None:
                save(drawn, plots)
    if json:
        print_json(data)
    said = err if json else out
    if page is not None:
        said.print(f"report in {page}", markup=False, soft_wrap=True)
    if plots is not None:
        said.print(f"{len(drawn)} plots in {plots}", markup=False, soft_wrap=True)
