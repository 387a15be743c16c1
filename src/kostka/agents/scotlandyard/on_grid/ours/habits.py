"""How the published tree searches tend to reply on the grid.

A habit is a number for every position, the same if it is the same but for a turn of the board: how
gladly these detectives leave Mr X in it. What a reply is worth to them is the mean over all places
where he may be, for all they know, and the more it is worth the likelier it is (a logit). There is
a table for each period (``Yard.period``): searches reply otherwise while they have not seen
Mr X, the longer it is since they saw him, and when the game is about to end.

``habits.npz`` holds what was learnt from their games; ``habits.json`` says how it was made.

    python -m kostka.agents.scotlandyard.on_grid.ours.habits     makes both anew in 15 minutes
"""

import argparse
import functools
import json
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kostka.agents.scotlandyard.on_grid.ours.grid import THESES, Array, Detectives

FOLDER = Path(__file__).parents[1] / "data"

#: Whose habits are known.
TEACHERS = {
    "gerza": "mcts-gerza",
    "gerza1": "mcts-gerza:stage=1",
    "gerza2": "mcts-gerza:stage=2",
    "gerza3": "mcts-gerza:stage=3",
    "sova": "mcts-sova",
}

#: How much a number of a position of its own costs in the fit, and one that all of them share.
OWN, SHARED = 0.3, 0.1

Places = tuple[int, ...]


class Habit:
    """How some detectives tend to reply."""

    def __init__(self, numbers: Array) -> None:
        """Of each position but for turns, by period."""
        self.worth = numbers[:, kinds()]

    @functools.lru_cache(maxsize=1 << 16)  # noqa: B019
    def chances(self, period: int, detectives: Detectives, places: Places) -> Array:
        """Of all replies in a period, when Mr X may be there."""
        replies = np.array(THESES.replies(detectives)).T
        where = np.array(places)[:, None], *replies[:, None]
        worth = self.worth[period][np.ravel_multi_index(where, THESES.shape)].mean(axis=0)
        chance = np.exp(worth - worth.max())
        return chance / chance.sum()


@functools.cache
def habits() -> Mapping[str, Habit]:
    """All habits that are known."""
    with np.load(FOLDER / "habits.npz") as file:
        return {name: Habit(file[name]) for name in TEACHERS}


@functools.cache
def kinds() -> Array:
    """The kind of each position, from 0 on; when Mr X is caught all are one, the first."""
    least = THESES.turned()
    x, *detectives = np.indices(THESES.shape).reshape(1 + THESES.detectives, -1)
    least[np.any(x == detectives, axis=0)] = -1
    return np.unique(least, return_inverse=True)[1]


# --- learning them ---


class Choice(NamedTuple):
    period: int
    places: Places
    detectives: Detectives
    reply: Detectives


def watched(teacher: str, games: int, seed: int) -> Iterator[Choice]:
    """What a teacher's detectives chose in games against a Mr X who is hard to catch."""
    from kostka.agents.lessons import games_of
    from kostka.agents.scotlandyard.on_grid.ours.solver import Elude, stations
    from kostka.agents.scotlandyard.on_grid.ours.sure import cells_of, possible
    from kostka.games.scotlandyard import grid
    from kostka.games.scotlandyard.actions import PASS, station_of
    from kostka.games.scotlandyard.state import FUGITIVE

    examples = games_of(grid, [teacher], games, seed, others={FUGITIVE: lambda: Elude(grid)})
    for state, action in chain.from_iterable(example.decisions() for example in examples):
        s, piece = state.record, int(state.record.piece)
        if piece == FUGITIVE:
            continue
        now = stations(s)
        if piece == 1:
            places, before = tuple(cells_of(possible(s))), now
        to = now[piece - 1] if action == PASS else station_of(action)
        went = (*now[: piece - 1], to)
        caught = to == s.station[FUGITIVE]
        if piece == THESES.detectives or caught:  # what the others would have done is all the same
            fits = (r for r in THESES.replies(before) if r[: len(went)] == went)
            yield Choice(THESES.period(int(s.turn)), places, before, next(fits))


def traits() -> Array:
    """What kinds of positions have in common: how near and far detectives are, and ways out."""
    found = np.zeros((kinds().max() + 1, 5))
    for code, kind in enumerate(kinds()):
        x, detectives = THESES.position(code)
        far = sorted(THESES.distance(d, x) for d in detectives)
        ways = [min(THESES.distance(d, to) for d in detectives) for to in THESES.ways[x]]
        apart = THESES.distance(detectives[0], detectives[-1])
        found[kind] = far[0], far[-1], far[0] == 1, sum(w > 1 for w in ways), apart
    return found


def fit(choices: Sequence[Choice]) -> Array:
    """The numbers that make the choices likeliest, less the costs of numbers."""
    from scipy.optimize import minimize
    from scipy.sparse import csr_array

    kind, shared = kinds(), traits()
    rows: list[tuple[int, int, float]] = []
    first, chosen, n = [], [], 0
    for _, places, detectives, reply in choices:
        replies = THESES.replies(detectives)
        first.append(n)
        chosen.append(n + replies.index(reply))
        for n, r in enumerate(replies, n):  # noqa: B020
            rows.extend((n, kind[THESES.code(x, r)], 1 / len(places)) for x in places)
        n += 1
    row, column, share = np.array(rows).T
    own = csr_array((share, (row.astype(int), column.astype(int))), (n, len(shared)))
    of = np.repeat(np.arange(len(first)), np.diff([*first, n]))
    common = own @ shared
    cost = np.r_[np.full(len(shared), OWN), np.full(shared.shape[1], SHARED)]

    def loss(numbers: Array) -> tuple[float, Array]:
        worth = own @ numbers[: len(shared)] + common @ numbers[len(shared) :]
        chance = np.exp(worth - np.maximum.reduceat(worth, first)[of])
        chance /= np.add.reduceat(chance, first)[of]
        slope = chance.copy()
        slope[chosen] -= 1
        slopes = np.r_[own.T @ slope, common.T @ slope]
        total = cost @ numbers**2 - np.log(chance[chosen]).sum()
        return total / len(first), (slopes + 2 * cost * numbers) / len(first)

    found = minimize(
        loss, np.zeros(len(cost)), jac=True, options={"maxiter": 200}, method="L-BFGS-B"
    )
    return found.x[: len(shared)] + shared @ found.x[len(shared) :]


def surprise(habit: Habit, choices: Sequence[Choice]) -> float:
    """How unlikely a habit finds choices, in nats each."""
    return -math.fsum(
        math.log(habit.chances(period, before, places)[THESES.replies(before).index(reply)])
        for period, places, before, reply in choices
    ) / len(choices)


def learn(teacher: str, games: int, seed: int) -> tuple[Array, dict[str, Any]]:
    """The numbers of a teacher's habit, and how well they foretell a tenth of the choices."""
    choices = [*watched(teacher, games, seed)]
    taught, apart = choices[len(choices) // 10 :], choices[: len(choices) // 10]
    alike = Habit(np.zeros((THESES.periods, kinds().max() + 1)))

    def tables(some: Sequence[Choice]) -> Array:
        return np.array([fit([c for c in some if c.period == p]) for p in range(THESES.periods)])

    habit = Habit(tables(taught))
    return tables(choices), {
        "choices": len(choices),
        "surprise": round(surprise(habit, apart), 3),
        "surprise of all alike": round(surprise(alike, apart), 3),
    }


def main() -> None:
    """Learn the habits of the published tree searches from their games."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--games", type=int, default=3000, help="of each of them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder for the two files")
    asked, began = parser.parse_args(), time.perf_counter()
    numbers, how = {}, {}
    with ProcessPoolExecutor(asked.jobs, get_context("spawn")) as pool:
        jobs = {n: pool.submit(learn, t, asked.games, asked.seed) for n, t in TEACHERS.items()}
        for name, job in jobs.items():
            numbers[name], how[name] = job.result()
            print(TEACHERS[name], how[name])
    small: dict[str, Any] = {name: found.astype(np.float32) for name, found in numbers.items()}
    np.savez_compressed(asked.out / "habits.npz", **small)
    made = {
        "what": "how detectives tend to reply: a number for each kind of position",
        "command": "python -m kostka.agents.scotlandyard.on_grid.ours.habits",
        "games": asked.games,
        "seed": asked.seed,
        "habits": {name: {"teacher": TEACHERS[name], **found} for name, found in how.items()},
        "seconds": round(time.perf_counter() - began),
    }
    (asked.out / "habits.json").write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
