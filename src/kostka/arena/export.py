"""Export: the games of a run as a flat table for other programs, one row a seat."""

import csv
from pathlib import Path
from typing import Any

from kostka.arena.store import Run, Store
from kostka.core.errors import KostkaError

COLUMNS = (
    "match", "game", "block", "players", "seat", "agent", "gain", "score", "place", "decisions",
    "seconds", "memory_mb", "thought_decisions", "thought_seconds",
)  # fmt: skip


def flat(store: Store, run: Run) -> dict[str, list[Any]]:
    """The games of a run by column."""
    r = store.results(run)
    clocked = [None if s != s else s for s in r.seconds.sum(axis=1).tolist()]
    columns = (
        r.match, r.number, r.block, r.players, r.seat, [r.agents[i] for i in r.agent], r.gain,
        r.score, r.place, r.length, r.time, [None if m != m else m for m in r.memory.tolist()],
        r.decisions.sum(axis=1), clocked,
    )  # fmt: skip
    return {
        name: column if isinstance(column, list) else column.tolist()
        for name, column in zip(COLUMNS, columns, strict=True)
    }


def write(store: Store, run: Run, file: Path) -> int:
    """Write a CSV or Parquet file, whole or not at all; returns the number of rows."""
    if file.suffix not in (".csv", ".parquet"):
        raise KostkaError(f"{file} must end in .csv or .parquet")
    table = flat(store, run)
    scratch = file.with_name(file.name + ".part")
    if file.suffix == ".csv":
        with scratch.open("w", newline="", encoding="utf-8") as f:
            writer = csv.writer(f)
            writer.writerow(table)
            writer.writerows(zip(*table.values(), strict=True))
    else:
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            raise KostkaError("Parquet needs pyarrow; pip install 'kostka[parquet]'") from None
        parquet.write_table(pyarrow.table(table), scratch)
    scratch.replace(file)
    return len(table["seat"])
