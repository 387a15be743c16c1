"""Policies of a game that evolve: round by round, each against the champion of the one before."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kostka.core.errors import KostkaError, unknown
from kostka.core.game import Game, Value
from kostka.learn import evolution
from kostka.learn.evolution import Evolved, Map, Settings
from kostka.learn.fitness import Against
from kostka.learn.network import arrays


@dataclass(frozen=True)
class Plan:
    """How much is trained, and how."""

    settings: Settings
    #: The generations of each round.
    rounds: tuple[int, ...]
    #: The games by which a candidate is measured, and their options.
    games: int
    options: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Evolution:
    """Numbers of a policy that evolve in matches; it comes in variants, such as topologies."""

    help: str
    #: How many numbers each variant has, and the policy that it is with some numbers.
    lengths: Mapping[str, int]
    make: Callable[[str, np.ndarray], np.ndarray]
    #: The numbers of the opponent in the first round, by variant.
    first: Callable[[str], np.ndarray]
    #: The first plan is the usual one.
    plans: Mapping[str, Plan]
    #: The champion that comes with the game of a variant, an attempt and a round, if there is one.
    shipped: Callable[[str, int, int], np.ndarray | None] = lambda variant, attempt, number: None
    #: What else is written to a file of a variant.
    also: Callable[[str], Mapping[str, np.ndarray]] = lambda variant: {}
    #: The file that tells how the champions evolved that come with the game.
    history: Path | None = None


class Round(NamedTuple):
    """One evolution of an attempt; the next round is played against its champion."""

    variant: str
    attempt: int
    number: int

    def __str__(self) -> str:
        return f"{self.variant}-{self.attempt}-{self.number}"


@dataclass(frozen=True)
class Training:
    """Rounds to train: all that is the same for them."""

    game: Game
    lesson: Evolution
    plan: Plan
    seed: int
    #: The file of each round.
    path: Callable[[Round], Path]
    pool: Map = map
    #: Called with every generation.
    watch: Callable[[Round, Evolved], None] = lambda one, evolved: None
    #: The opponent, if it is not the champion of the round before.
    against: np.ndarray | None = None

    def chains(self, rounds: Sequence[Round]) -> list[list[Round]]:
        """Rounds that must be trained one after the other; different chains may go side by side."""
        for one in rounds:
            if one.variant not in self.lesson.lengths:
                raise unknown("variant", one.variant, self.lesson.lengths)
            if not 1 <= one.number <= len(self.plan.rounds):
                raise KostkaError(f"rounds are from 1 to {len(self.plan.rounds)}, not {one.number}")
        ordered = sorted(set(rounds))
        return [[*some] for _, some in groupby(ordered, lambda one: (one.variant, one.attempt))]

    def train(self, one: Round) -> Evolved:
        """Train a round, or go on with it as far as its file has it."""
        length = self.lesson.lengths[one.variant]
        opponent, start = self.opponent(one), None
        if one.number > 1 or self.against is not None:
            start = opponent
        key = ("evolution", self.game.name, self.seed, *one)
        fitness = Against.of(
            self.game,
            self.plan.options,
            partial(self.lesson.make, one.variant),
            opponent,
            self.plan.games,
            key,
        )
        about, path = self.about(one, opponent), self.path(one)

        def keep(evolved: Evolved) -> None:
            evolution.save(path, evolved, about, self.lesson.also(one.variant))
            self.watch(one, evolved)

        so_far = evolution.load(path, about, length)
        if so_far is not None:
            self.watch(one, so_far)
        return evolution.evolve(
            fitness,
            self.plan.settings,
            self.plan.rounds[one.number - 1],
            length,
            key,
            start=start,
            pool=self.pool,
            keep=keep,
            so_far=so_far,
        )

    def opponent(self, one: Round) -> np.ndarray:
        """Whom a round is played against: the last champion, in the first one nobody's pupil."""
        if self.against is not None:
            return self.against
        if one.number == 1:
            return self.lesson.first(one.variant)
        before = one._replace(number=one.number - 1)
        path, length = self.path(before), self.lesson.lengths[one.variant]
        if path != self.path(one) and path.exists():
            return numbers_in(path, length)
        found = self.lesson.shipped(*before)
        if found is None:
            raise KostkaError(
                f"{one} is trained against the champion of {before}, which is not there: "
                "train that round first, or name a file with --against"
            )
        return found

    def about(self, one: Round, opponent: np.ndarray) -> dict[str, Any]:
        """All that a run depends on but for its generations, as JSON has it."""
        settings = {
            name: dict(value) if isinstance(value, Mapping) else value
            for name, value in vars(self.plan.settings).items()
        }
        return {
            "game": self.game.name,
            "version": self.game.version,
            **one._asdict(),
            "seed": self.seed,
            "games": self.plan.games,
            "options": self.game.check(self.plan.options),
            "opponent": hashlib.sha256(opponent.tobytes()).hexdigest()[:16],
            **settings,
        }


def curves(lesson: Evolution) -> list[dict[str, Any]]:
    """How the champions evolved that come with the game: the best and the mean of generations."""
    if lesson.history is None:
        return []
    return [
        {
            "name": str(Round(row["variant"], row["attempt"], row["number"])),
            "best": row["best"],
            "mean": row["mean"],
        }
        for row in json.loads(lesson.history.read_text(encoding="utf-8"))["rounds"]
    ]


def numbers_in(path: Path, length: int) -> np.ndarray:
    """The numbers that evolved in a file."""
    found = np.asarray(arrays(path).get("numbers", ()))
    if found.shape != (length,) or found.dtype != np.float64 or not np.isfinite(found).all():
        raise KostkaError(f"{path} does not hold the {length} numbers that are asked for")
    return found


def changed(
    plan: Plan, *, generations: int | None, population: int | None, games: int | None,
    options: Mapping[str, Value],
) -> Plan:  # fmt: skip
    """A plan with what is given instead of its own."""
    settings = plan.settings
    if population is not None:
        settings = Settings(**{**vars(settings), "population": population})
    return replace(
        plan,
        settings=settings,
        rounds=plan.rounds if generations is None else (generations,) * len(plan.rounds),
        games=plan.games if games is None else games,
        options={**plan.options, **options},
    )
