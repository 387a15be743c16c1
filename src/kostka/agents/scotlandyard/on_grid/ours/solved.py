"""Solved grids: tables that come with the package, so that who plays by them starts at once.

``solved.npz`` holds the values of the grid as the theses play it, with everybody knowing where Mr X
is, by the rounds that are left; ``solved.json`` says how it was made. Shorter games are the ends of
longer ones. Small grids are solved when they are first played.

    python -m kostka.agents.scotlandyard.on_grid.ours.solved     makes both anew in some minutes
"""

import argparse
import functools
import json
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields, replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from kostka.agents.scotlandyard.on_grid.ours.elusive import SLIP, WILD, Elusive, Familiar
from kostka.agents.scotlandyard.on_grid.ours.exact import Exact
from kostka.agents.scotlandyard.on_grid.ours.grid import THESES, Array, Yard
from kostka.agents.scotlandyard.on_grid.ours.habits import TEACHERS
from kostka.core.errors import KostkaError

FOLDER = Path(__file__).parents[1] / "data"

#: What is stored: after which rounds, and against whom.
OVERS = range(THESES.reveal, THESES.rounds, THESES.reveal)
STRANGERS = "strangers"
KINDS: Mapping[str, Callable[..., Exact]] = {
    "exact": Exact,
    STRANGERS: Elusive,
    **{name: functools.partial(Familiar, habit=name) for name in TEACHERS},
}

#: Positions × trails that are solved without asking: about ten seconds.
MOST_WORK = 4_000_000


def exact(yard: Yard) -> Exact:
    """The exact solution."""
    return _solved("exact", yard)


def elusive(yard: Yard, whom: str = STRANGERS) -> Elusive:
    """The solution against detectives who slip, strangers or some of those with habits."""
    found = _solved(whom, yard)
    assert isinstance(found, Elusive)
    return found


def met_on(yard: Yard) -> list[str]:
    """Whom Mr X can meet there: strangers, and where they are at home, those with habits."""
    at_home = replace(yard, rounds=THESES.rounds) == THESES
    return [STRANGERS, *TEACHERS] if at_home else [STRANGERS]


@functools.lru_cache(maxsize=16)
def _solved(kind: str, yard: Yard) -> Exact:
    tables = _stored(kind) if replace(yard, rounds=THESES.rounds) == THESES else {}
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
    turned = THESES.turned()
    tables = {}
    with np.load(FOLDER / "solved.npz") as file:
        least = file["positions"]
        for left, values in zip(file["left"], file[kind], strict=True):
            table = np.full(THESES.positions + 1, np.nan)
            table[least], table[-1] = values, 1.0
            table[:-1] = table[turned]
            tables[int(left)] = np.array([table, table])
    return tables


def solve(name: str) -> tuple[Array, dict[int, float]]:
    """Bounds of all positions by the rounds that are left, and the values of shorter games."""
    one, least = KINDS[name](THESES), np.unique(THESES.turned())
    bounds = np.array([one.open[over][:, least] for over in OVERS])
    return bounds, {THESES.rounds - over: one.value(over)[0] for over in one.ends}


def main() -> None:
    """Solve the grid and store what agents play by."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder for the two files")
    asked, began = parser.parse_args(), time.perf_counter()
    bounds, values = {}, {}
    with ProcessPoolExecutor(asked.jobs, get_context("spawn")) as pool:
        for name, (found, worth) in zip(KINDS, pool.map(solve, KINDS), strict=True):
            bounds[name], values[name] = found, worth
            print(f"{name}: {worth[THESES.rounds]:.4f}", flush=True)
    np.savez_compressed(
        asked.out / "solved.npz",
        positions=np.unique(THESES.turned()),
        left=[THESES.rounds - over for over in OVERS],
        **{name: found.mean(axis=1) for name, found in bounds.items()},
    )
    how = {
        "what": "chances of the detectives by position, everybody knowing where Mr X is",
        "command": "python -m kostka.agents.scotlandyard.on_grid.ours.solved",
        "grid": {f.name: getattr(THESES, f.name) for f in fields(THESES) if f.init},
        "slips": {"slip": SLIP, "wild": WILD, "into habits": Familiar.slip},
        "values": values,
        "widest bounds": {n: float(np.nanmax(np.ptp(b, axis=1))) for n, b in bounds.items()},
        "seconds": round(time.perf_counter() - began),
    }
    path = asked.out / "solved.json"
    path.write_text(json.dumps(how, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
