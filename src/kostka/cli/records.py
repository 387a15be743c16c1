"""Game records: look at one, verify many."""

from pathlib import Path
from typing import Annotated

import typer

from kostka.cli import app
from kostka.cli.shared import Json, out, print_json
from kostka.core.errors import KostkaError

Files = Annotated[list[Path], typer.Argument(metavar="FILE…", help="record files")]


@app.command(epilog="Example: kostka verify records/*.jsonl")
def verify(files: Files, json: Json = False) -> None:
    """Replay records and check that every event is legal and the end is as recorded."""
    from kostka.core.log import GameLog

    rows = []
    for path in files:
        record = GameLog.read(path)
        try:
            record.verify()
        except KostkaError as error:
            raise KostkaError(f"{path}: {error}") from None
        row = {"file": str(path), "game": record.game.name, "events": len(record.events)}
        rows.append({**row, "finished": record.result is not None})
    if json:
        print_json(rows)
    else:
        for row in rows:
            end = "" if row["finished"] else ", but the game is not finished"
            words = f"{row['file']}: {row['game']}, {row['events']} events, verified{end}"
            out.print(words, markup=False)


@app.command(epilog="Example: kostka replay game.jsonl --to 40 --svg position.svg")
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a record file")],
    to: Annotated[int | None, typer.Option(help="stop after so many events", min=0)] = None,
    seat: Annotated[int | None, typer.Option(help="only what this seat has seen", min=0)] = None,
    svg: Annotated[Path | None, typer.Option(help="write the position as SVG")] = None,
    save: Annotated[Path | None, typer.Option(help="write the record (of the seat)")] = None,
    json: Json = False,
) -> None:
    """Replay a record to any point: the log in notation, and the position."""
    from kostka.core.log import GameLog

    record = GameLog.read(file)
    if seat is not None:
        if seat >= len(record.seats):
            raise KostkaError(f"seat must be from 0 to {len(record.seats) - 1}, not {seat}")
        record = record.for_seat(seat)
    last = record.replay(to)
    count = len(record.events) if to is None else to
    if svg is not None:
        svg.write_text(last.svg, encoding="utf-8")
    if save is not None:
        record.write(save)
    if json:
        print_json(
            {
                "game": record.game.name,
                "options": dict(record.options),
                "seats": record.seats,
                "events": [event.line() for event in record.events[:count]],
                "mover": last.mover,
                "scores": last.scores,
                "position": last.code,
                "result": record.result if count == len(record.events) else None,
            }
        )
        return
    for n, event in enumerate(record.events[:count], 1):
        who = record.seats[event.by] if event.by >= 0 else "luck"
        out.print(f"{n:5}  {who}: {event.text}", markup=False)
    draw = getattr(record.game.part("view"), "picture", None)
    if draw is not None:
        out.print(draw(last.record), markup=False)
    out.print(f"{last!r}{f', scores {last.scores}' if last.scores else ''}", markup=False)
    if record.result is not None and count == len(record.events):
        out.print(f"result {record.result}, seed {record.seed}", markup=False)
        for at, why in record.faults.items():
            out.print(f"{record.seats[at]} (seat {at}) {why}", markup=False)
