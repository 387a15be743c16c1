"""Tournaments: a plan is played into the store, and goes on where it was after any kind of end.

A trial is a match that needs no store and ends as soon as a test has its verdict.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kostka.arena.executor import Inline
from kostka.arena.match import Match
from kostka.arena.plan import Plan
from kostka.arena.schedule import Schedule
from kostka.arena.sprt import Sprt
from kostka.arena.store import Run, Store
from kostka.core.errors import KostkaError, unknown
from kostka.core.game import fresh_seed
from kostka.core.game import game as find_game


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    played: int
    games: int
    #: Seconds still to come, once that can be said.
    left: float | None


def enter(store: Store, plan: Plan, seed: int | None, command: str, fresh: bool = False) -> Run:
    """The run of a plan: the one begun before, finished or not, or a new one if there is none."""
    wanted = plan.seed if seed is None else seed
    if not fresh:
        for run in reversed(store.runs()):
            if plan.same_as(run.plan) and wanted in (None, run.plan.seed):
                return ready(run)
    return store.begin(replace(plan, seed=fresh_seed() if wanted is None else wanted), command)


def ready(run: Run) -> Run:
    """A run that can go on, because the rules are still the same."""
    game = find_game(run.plan.game)
    if run.rules != game.version and run.played < run.games:
        raise KostkaError(
            f"{run.name} was begun under version {run.rules} of the rules of {game.name}, now it "
            f"is {game.version}; begin anew with --fresh"
        )
    return run


def play(store: Store, run: Run, executor: Inline) -> Iterator[Progress]:
    """Play what is missing; what was yielded is safe."""
    schedule = Schedule(run.matches, store.done(run), store.learnt(run), run.plan.memory)
    for task, games in schedule.play(executor):
        store.add(run, task.number, task.match, dict(zip(task.games, games, strict=False)))
        left = sum(schedule.left)
        yield Progress(run.games - left, run.games, schedule.seconds_left(executor.cores))
    if run.finished is None:
        store.finish(run)


def in_role(match: Match, role: str) -> Match:
    """The same match of NEW and OLD, but with NEW in one role only, and OLD there by turns."""
    known = {name.lower(): side for side, name in enumerate(match.roles)}
    if role.lower() not in known:
        raise unknown(f"role of {match.game}", role, match.roles)
    new = tuple(int(side != known[role.lower()]) for side in match.sides)
    blocks = match.games // len(match.seatings)
    return replace(match, seatings=(new, (1,) * len(new)), games=2 * blocks)


def gain_of(match: Match, index: int, returns: Sequence[float]) -> float:
    """What NEW got; where it did not sit, what OLD in its role has left to the others."""
    seats = match.seats(index)
    if 0 in seats:
        return returns[seats.index(0)]
    return 1 - returns[match.seatings[0].index(0)]


def trial(match: Match, test: Sprt, executor: Inline) -> Iterator[Sprt]:
    """Play until the test has decided whether the first agent is stronger; yields every block."""
    gains: list[float] = []
    for index, played in Schedule([match]).in_order(executor):
        gains.append(gain_of(match, index, played.returns))
        if len(gains) == len(match.seatings):
            test.add(test.lineup.block(gains))
            gains = []
            yield test
            if test.verdict is not None:
                return
