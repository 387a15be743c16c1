"""Learning by evolution: what `kostka learn` does where a lesson is one."""

import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

from kostka.agents.evolution import Evolution, Round, Training, changed, numbers_in
from kostka.arena.pool import Pool, pool, side_by_side
from kostka.cli.shared import out, print_json, progress, table
from kostka.core.errors import KostkaError, unknown
from kostka.core.game import Game, Value
from kostka.learn.evolution import Evolved


def evolve(
    game: Game,
    lesson: Evolution,
    *,
    seed: int,
    file: Path | None,
    json: bool,
    preset: str | None = None,
    rounds: Sequence[int] | None = None,
    attempts: Sequence[int] | None = None,
    variants: Sequence[str] | None = None,
    generations: int | None = None,
    population: int | None = None,
    games: int | None = None,
    options: Mapping[str, Value],
    against: Path | None = None,
    jobs: int = 2,
    executor: str = "auto",
    address: str | None = None,
    plot: Path | None = None,
) -> None:
    """Train all rounds of all attempts of all variants, and say how they went."""
    preset = preset or next(iter(lesson.plans))
    if preset not in lesson.plans:
        raise unknown("preset of this lesson", preset, lesson.plans)
    plan = changed(
        lesson.plans[preset],
        generations=generations,
        population=population,
        games=games,
        options=options,
    )
    variants = variants or [next(iter(lesson.lengths))]
    every = [
        Round(variant, attempt, number)
        for variant in variants
        for attempt in attempts or [1]
        for number in rounds or [1]
    ]
    if file is None:
        raise KostkaError("name what to write with --out: a file, or a folder for several rounds")
    single = file.suffix == ".npz"
    if single and len(every) > 1:
        raise KostkaError("several rounds need a folder: give --out a name without .npz")
    if not single:
        file.mkdir(parents=True, exist_ok=True)
    training = Training(
        game, lesson, plan, seed, lambda one: file if single else file / f"{one}.npz"
    )
    chains = training.chains(every)
    if against is not None:
        if len(every) > 1:
            raise KostkaError("--against is for a single round")
        opponent = numbers_in(against, lesson.lengths[every[0].variant])
        training = replace(training, against=opponent)
    with pool(executor, jobs, address) as workers:
        found = train_all(training, chains, workers)
    if plot is not None:
        from kostka.arena.plots import draw_evolutions

        draw_evolutions(
            [{"name": str(one), "best": e.best, "mean": e.mean} for one, e in found.items()], plot
        )
    tell(training, preset, found, file, json)


def train_all(
    training: Training, chains: Sequence[Sequence[Round]], workers: Pool
) -> dict[Round, Evolved]:
    """Train chains side by side on the same workers, with a bar for each."""
    found: dict[Round, Evolved] = {}
    with progress() as bar:
        bars, before = {}, {}
        for chain in chains:
            sizes = [1 + training.plan.rounds[one.number - 1] for one in chain]
            line = bar.add_task(str(chain[0]), total=sum(sizes))
            for one, done in zip(chain, accumulate(sizes, initial=0), strict=False):
                bars[one], before[one] = line, done

        def watch(one: Round, evolved: Evolved) -> None:
            done = before[one] + len(evolved.best)
            best = f"{one}: best {100 * evolved.best[-1]:.0f} %"
            bar.update(bars[one], completed=done, description=best)

        told = replace(training, pool=workers.map, watch=watch)

        def train(chain: Sequence[Round]) -> None:
            for one in chain:
                found[one] = told.train(one)

        side_by_side([partial(train, chain) for chain in chains], workers)
    return {one: found[one] for chain in chains for one in chain}


def tell(
    training: Training, preset: str, found: Mapping[Round, Evolved], file: Path, json: bool
) -> None:
    """How the rounds went, for people or programs."""
    plan, seed = training.plan, training.seed
    if json:
        rows: list[dict[str, Any]] = [
            {**one._asdict(), "best": evolved.best, "mean": evolved.mean,
             "numbers": evolved.champion.tolist(), "file": str(training.path(one))}
            for one, evolved in found.items()
        ]  # fmt: skip
        command = shlex.join(["kostka", *sys.argv[1:]])
        print_json({"preset": preset, "games": plan.games, "seed": seed, "command": command,
                    "population": plan.settings.population, "rounds": rows})  # fmt: skip
        return
    title = f"{training.game.title}: share of {plan.games} games won, seed {seed}"
    shown = table("round", ">generations", ">best at first", ">best", ">mean", title=title)
    for one, evolved in found.items():
        shares = (evolved.best[0], evolved.best[-1], evolved.mean[-1])
        shown.add_row(str(one), str(evolved.generations), *(f"{100 * x:.1f} %" for x in shares))
    out.print(shown)
    out.print(f"written to {file}", markup=False)
