"""Evolution of a vector of numbers: candidates are crossed and mutated, and the fittest survive.

Fitness is any function of a vector and of the generation in which it is measured. All luck of the
evolution itself comes from its key, generation by generation, so that a run is the same whoever
measures, and one that was stopped goes on as if it had not been.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from kostka.core.errors import KostkaError, unknown
from kostka.core.rng import below, stream, uniform
from kostka.learn import checkpoint

Vector = np.ndarray


class Fitness(Protocol):
    """How good a vector is; to be told again in the same generation it says the same."""

    def __call__(self, numbers: Vector, generation: int) -> float: ...


#: Like the ``map`` of Python: results come in the order of what they are made from.
Map = Callable[..., Iterable[float]]


# --- operators ---


def one_point(a: Vector, b: Vector, rng: np.ndarray) -> tuple[Vector, Vector]:
    """The two change places from a random number on."""
    at = 1 + below(rng, max(1, len(a) - 1))
    return np.r_[a[:at], b[at:]], np.r_[b[:at], a[at:]]


def blend(a: Vector, b: Vector, rng: np.ndarray) -> tuple[Vector, Vector]:
    """Both come nearer to each other or go apart, all numbers by one factor from -1 to 1."""
    factor = 2.0 * uniform(rng) - 1.0
    return a - (a - b) * factor, b + (a - b) * factor


def either(a: Vector, b: Vector, rng: np.ndarray) -> tuple[Vector, Vector]:
    """Each number changes places or not."""
    swap = np.array([below(rng, 2) == 1 for _ in a])
    return np.where(swap, b, a), np.where(swap, a, b)


def multiply(a: Vector, rng: np.ndarray) -> Vector:
    """One number is multiplied by one from 0 to 1."""
    return changed(a, lambda x: x * uniform(rng), rng)


def add(a: Vector, rng: np.ndarray) -> Vector:
    """One number grows by up to 1."""
    return changed(a, lambda x: x + uniform(rng), rng)


def shift(a: Vector, rng: np.ndarray) -> Vector:
    """One number changes by up to 1 either way."""
    return changed(a, lambda x: x + 2.0 * uniform(rng) - 1.0, rng)


def changed(a: Vector, change: Callable[[float], float], rng: np.ndarray) -> Vector:
    """The same with one random number changed."""
    a, at = a.copy(), below(rng, len(a))
    a[at] = change(a[at])
    return a


CROSSINGS = {"one-point": one_point, "blend": blend, "either": either}
MUTATIONS = {"multiply": multiply, "add": add, "shift": shift}


@dataclass(frozen=True)
class Settings:
    """How a population evolves; operators by name, with how often each is taken."""

    population: int = 100
    #: The chance of two neighbours to be crossed, and of each to be mutated.
    crossover: float = 0.5
    mutation: float = 0.1
    crossings: Mapping[str, float] = field(default_factory=lambda: {"one-point": 1, "blend": 1})
    mutations: Mapping[str, float] = field(default_factory=lambda: {"multiply": 1, "add": 1})
    #: Numbers of the first generation are from here to there.
    low: float = 0.0
    high: float = 1.0
    #: Measure those that survive again in every generation; otherwise once in a life.
    again: bool = False

    def __post_init__(self) -> None:
        if self.population < 2:
            raise KostkaError(f"a population has 2 members or more, not {self.population}")
        for kind, given, known in (
            ("crossing", self.crossings, CROSSINGS),
            ("mutation", self.mutations, MUTATIONS),
        ):
            for name in given:
                if name not in known:
                    raise unknown(kind, name, known)
            if not given or min(given.values()) < 0 or sum(given.values()) <= 0:
                raise KostkaError(f"of the {kind}s at least one must have a share above 0")


#: ``thesis``: as Accord.Genetic does it, which raises a chance to mutate of 0.01 to 0.1, and
#: measures nobody twice, so that the lucky stay.
PRESETS = {"thesis": Settings()}


def choose(shares: Mapping[str, float], rng: np.ndarray) -> str:
    """One of the names, by its share."""
    u = uniform(rng) * sum(shares.values())
    for name, share in shares.items():
        u -= share
        if u < 0.0:
            return name
    return name


def offspring(people: np.ndarray, settings: Settings, rng: np.ndarray) -> list[Vector]:
    """Neighbours are crossed two by two, then some of all are mutated."""
    children: list[Vector] = []
    for i in range(0, len(people) - 1, 2):
        if uniform(rng) < settings.crossover:
            cross = CROSSINGS[choose(settings.crossings, rng)]
            children += cross(people[i], people[i + 1], rng)
    for one in people:
        if uniform(rng) < settings.mutation:
            children.append(MUTATIONS[choose(settings.mutations, rng)](one, rng))
    return children


# --- a run ---


@dataclass(frozen=True)
class Evolved:
    """How far an evolution has come: its members from best to worst, what each was worth when it
    was measured, and by generation the best and the mean of them."""

    people: np.ndarray
    marks: np.ndarray
    best: list[float]
    mean: list[float]

    @property
    def champion(self) -> Vector:
        return self.people[0]

    @property
    def generations(self) -> int:
        """How many there were after the first one, which was drawn at random."""
        return len(self.best) - 1


def begin(
    fitness: Fitness,
    settings: Settings,
    length: int,
    key: tuple[object, ...],
    start: Vector | None,
    pool: Map,
) -> Evolved:
    """The first generation; a vector to start from is one of its members."""
    rng = stream(*key, "evolution", 0)
    low, span = settings.low, settings.high - settings.low
    drawn = [uniform(rng) for _ in range(settings.population * length)]
    people = low + span * np.array(drawn).reshape(settings.population, length)
    if start is not None:
        people[0] = start
    return selected(people, measured(fitness, people, 0, pool), None, settings)


def measured(fitness: Fitness, people: Iterable[Vector], generation: int, pool: Map) -> np.ndarray:
    found = [*people]
    return np.array(list(pool(fitness, found, [generation] * len(found))), float)


def selected(
    people: np.ndarray, marks: np.ndarray, before: Evolved | None, settings: Settings
) -> Evolved:
    """The fittest; of equals those that came first."""
    order = np.argsort(-marks, kind="stable")[: settings.population]
    people, marks = people[order], marks[order]
    best, mean = (before.best, before.mean) if before else ([], [])
    return Evolved(people, marks, [*best, float(marks[0])], [*mean, float(marks.mean())])


def evolve(
    fitness: Fitness,
    settings: Settings,
    generations: int,
    length: int,
    key: tuple[object, ...],
    *,
    start: Vector | None = None,
    pool: Map = map,
    keep: Callable[[Evolved], None] = lambda evolved: None,
    so_far: Evolved | None = None,
) -> Evolved:
    """Evolve so many generations, or go on with an evolution; ``keep`` gets each of them."""
    evolved = so_far
    if evolved is None:
        evolved = begin(fitness, settings, length, key, start, pool)
        keep(evolved)
    while evolved.generations < generations:
        generation = evolved.generations + 1
        rng = stream(*key, "evolution", generation)
        children = offspring(evolved.people, settings, rng)
        people = np.array([*evolved.people, *children])
        if settings.again:
            marks = measured(fitness, people, generation, pool)
        else:
            marks = np.r_[evolved.marks, measured(fitness, children, generation, pool)]
        evolved = selected(people, marks, evolved, settings)
        keep(evolved)
    return evolved


# --- files ---


def save(
    path: Path, evolved: Evolved, about: Mapping[str, Any], also: Mapping[str, np.ndarray]
) -> None:
    """Write all that it takes to go on, the best vector as ``numbers``, and what it is about."""
    found = {
        **also,
        "numbers": evolved.champion,
        "people": evolved.people[1:],
        "marks": evolved.marks,
        "best": np.array(evolved.best),
        "mean": np.array(evolved.mean),
    }
    checkpoint.save(path, found, about)


def load(path: Path, about: Mapping[str, Any], length: int) -> Evolved | None:
    """The evolution that a file holds, None if there is none; it must be about the same."""
    found = checkpoint.load(path, about, "evolution")
    if found is None:
        return None
    try:
        people = np.vstack([found["numbers"][None], found["people"]])
        evolved = Evolved(people, found["marks"], found["best"].tolist(), found["mean"].tolist())
    except (KeyError, ValueError):
        raise checkpoint.other(path, "evolution") from None
    shape = (len(evolved.marks), length)
    if evolved.people.shape != shape or len(evolved.best) != len(evolved.mean):
        raise KostkaError(f"{path} is damaged; choose another file")
    return evolved
