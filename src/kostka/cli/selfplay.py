"""Learning by self-play: what `kostka learn` does where a lesson is one."""

import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from kostka.agents.selfplay import SelfPlay, Training, settings_in
from kostka.arena.learning import MOVING, curves
from kostka.arena.pool import Pool, pool, side_by_side
from kostka.cli.shared import out, print_json, progress, table, typed_options
from kostka.core.errors import KostkaError
from kostka.core.game import Game, Value
from kostka.learn.selfplay import Learnt


def self_play(
    game: Game,
    lesson: SelfPlay,
    *,
    seed: int,
    file: Path | None,
    json: bool,
    options: Mapping[str, Value],
    games: int | None = None,
    traces: Sequence[float] | None = None,
    changes: Sequence[str] | None = None,
    settings: Path | None = None,
    together: bool = False,
    fixed: Sequence[str] | None = None,
    attempts: Sequence[int] | None = None,
    jobs: int = 2,
    executor: str = "auto",
    address: str | None = None,
    plot: Path | None = None,
) -> None:
    """Train all learners in all attempts, and say how they did."""
    given = told(lesson, settings, changes)
    if traces and "lambda" in given:
        raise KostkaError("lambda is given twice: by --lambda and as a setting")
    each: list[dict[str, Value]] = [{**given, "lambda": t} for t in traces or ()] or [given]
    learners = {f"{lesson.check(one)['lambda']:g}": one for one in each}
    groups = [learners] if together else [{name: one} for name, one in learners.items()]
    trainings = [
        Training(game, lesson, group, options, games or lesson.games, seed, attempt,
                 tuple(fixed or ()))
        for group in groups
        for attempt in attempts or [1]
    ]  # fmt: skip
    if file is None:
        raise KostkaError("name what to write with --out: a file, or a folder for several courses")
    single = file.suffix == ".npz"
    if single and len(trainings) > 1:
        raise KostkaError("several courses need a folder: give --out a name without .npz")
    paths = [file if single else file / f"{name_of(one)}.npz" for one in trainings]
    for training, path in zip(trainings, paths, strict=True):
        training.so_far(path)  # whatever is wrong comes up before anything is written
    if not single:
        file.mkdir(parents=True, exist_ok=True)
    with pool(executor, jobs, address) as workers:
        began = time.process_time()
        found = train_all(trainings, paths, workers)
        spent = time.process_time() - began
    rows = [curves(name_of(one), one, some) for one, some in zip(trainings, found, strict=True)]
    if plot is not None:
        from kostka.arena.plots import draw_courses

        draw_courses(rows, plot)
    if json:
        command = shlex.join(["kostka", *sys.argv[1:]])
        print_json({"seed": seed, "command": command, "seconds": spent, "courses": rows})
        return
    shown = table("course", ">games", ">turns at first", ">turns", ">losers at first", ">losers",
                  ">won", title=f"{game.title}: self-play, seed {seed}")  # fmt: skip
    for one in rows:
        ends = [(c[0], c[-1]) for c in (one["turns"], one["losers"])]
        won = ", ".join(f"{100 * shares[-1]:.0f} %" for shares in one["won"].values())
        shown.add_row(one["name"], str(one["games"]),
                      *(f"{x:.1f}" for pair in ends for x in pair), won)  # fmt: skip
    out.print(shown)
    out.print(f"written to {file}", markup=False)


def told(
    lesson: SelfPlay, settings: Path | None, changes: Sequence[str] | None
) -> dict[str, Value]:
    """The settings of a file, and those changed by hand."""
    given: dict[str, Value] = {}
    if settings is not None:
        given |= settings_in(lesson, settings)
    typed = typed_options(changes)
    checked = lesson.check({**given, **typed})
    return given | {name: checked[name] for name in typed}


def name_of(training: Training) -> str:
    """What a course is called: its learners, and its attempt."""
    return f"{'-'.join(training.learners)}-{training.attempt}"


def train_all(trainings: Sequence[Training], paths: Sequence[Path], workers: Pool) -> list[Learnt]:
    """Train side by side on the same workers, with a bar for each."""
    with progress() as bar:

        def train(training: Training, path: Path) -> Learnt:
            line = bar.add_task(name_of(training), total=training.games)

            def watch(learnt: Learnt) -> None:
                turns = learnt.turns[-MOVING:].mean()
                words = f"{name_of(training)}: {turns:.0f} turns a game"
                bar.update(line, completed=learnt.games, description=words)

            return training.train(path, run=workers.map, watch=watch)

        tasks = [partial(train, *one) for one in zip(trainings, paths, strict=True)]
        return side_by_side(tasks, workers)
