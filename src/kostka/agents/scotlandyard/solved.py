"""Solved grids: tables that come with the package, so that who plays by them starts at once.

``solved.npz`` holds the values of the grid as the theses play it, with everybody knowing where Mr X
is, by the rounds that are left; ``solved.json`` says how it was made. Shorter games are the ends of
longer ones. Small grids are solved when they are first played.

    python -m kostka.agents.scotlandyard.solved     makes both files again, in some minutes
"""

import argparse
import functools
import json
import time
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path

import numpy as np

from kostka.agents.scotlandyard.elusive import SLIP, WILD, Elusive
from kostka.agents.scotlandyard.exact import Exact
from kostka.agents.scotlandyard.grid import Array, Yard
from kostka.core.errors import KostkaError

FOLDER = Path(__file__).parent

#: The grid whose tables are stored, and what is stored of it.
STORED = Yard()
KINDS: Mapping[str, type[Exact]] = {"exact": Exact, "elusive": Elusive}

#: Positions × trails that are solved without asking: about ten seconds.
MOST_WORK = 4_000_000


def exact(yard: Yard) -> Exact:
    """The exact solution."""
    return _solved("exact", yard)


def elusive(yard: Yard) -> Exact:
    """The solution against detectives who slip."""
    return _solved("elusive", yard)


@functools.lru_cache(maxsize=8)
def _solved(kind: str, yard: Yard) -> Exact:
    tables = _stored(kind) if replace(yard, rounds=STORED.rounds) == STORED else {}
    lefts = {yard.rounds - over for over in range(yard.reveal, yard.rounds, yard.reveal)}
    trails = 4 ** (yard.detectives * (yard.reveal - 1))
    if len(lefts - tables.keys()) * yard.positions * trails > MOST_WORK:
        raise KostkaError(
            f"solving {yard} takes too long for a game. Solved are 3, 6, 9, 12 and 15 rounds "
            "on the 5 × 5 grid with 2 detectives and Mr X shown every 3rd round; small grids, as "
            "4 × 4 with 9 rounds, are solved at once"
        )
    return KINDS[kind](yard, solved=tables)


@functools.cache
def _stored(kind: str) -> Mapping[int, Array]:
    """Tables of all positions by the rounds that are left."""
    turned = STORED.turned()
    tables = {}
    with np.load(FOLDER / "solved.npz") as file:
        least = file["positions"]
        for left, values in zip(file["left"], file[kind], strict=True):
            table = np.full(STORED.positions + 1, np.nan)
            table[least], table[-1] = values, 1.0
            table[:-1] = table[turned]
            tables[int(left)] = np.array([table, table])
    return tables


def write(folder: Path, found: Mapping[str, Exact], seconds: float) -> None:
    """Store solutions of the grid, and how they were made."""
    least = np.unique(STORED.turned())
    overs = range(STORED.reveal, STORED.rounds, STORED.reveal)
    bounds = {name: [one.open[over][:, least] for over in overs] for name, one in found.items()}
    np.savez_compressed(
        folder / "solved.npz",
        positions=least,
        left=[STORED.rounds - over for over in overs],
        **{name: np.mean(tables, axis=1) for name, tables in bounds.items()},
    )
    how = {
        "what": "chances of the detectives by position, everybody knowing where Mr X is",
        "command": "python -m kostka.agents.scotlandyard.solved",
        "grid": {f.name: getattr(STORED, f.name) for f in fields(STORED) if f.init},
        "slips": {"slip": SLIP, "wild": WILD},
        "values": {
            name: {STORED.rounds - over: one.value(over)[0] for over in one.ends}
            for name, one in found.items()
        },
        "widest bounds": float(np.nanmax([np.ptp(table, axis=1) for table in bounds.values()])),
        "seconds": round(seconds),
    }
    (folder / "solved.json").write_text(json.dumps(how, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """Solve the grid and store what agents play by."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder for the two files")
    folder, began = parser.parse_args().out, time.perf_counter()
    found = {name: kind(STORED, print) for name, kind in KINDS.items()}
    write(folder, found, time.perf_counter() - began)


if __name__ == "__main__":
    main()
