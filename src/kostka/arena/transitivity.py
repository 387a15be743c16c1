"""Is there one scale of strength at all? A check of cycles that no rating can explain."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from scipy import sparse

from kostka.arena.ratings import (
    ELO,
    Array,
    Choices,
    Fit,
    Ratings,
    covariance_of,
    curvature_of,
    dense,
    each_outcome,
    matrix,
    outcomes_of,
    parts,
)
from kostka.core.errors import KostkaError


@dataclass(frozen=True)
class Cycle:
    """Agents each of which beats the next, and the last the first, by so many Elo points."""

    agents: tuple[str, ...]
    margins: tuple[float, ...]
    #: Standard errors by which the three games contradict any ratings.
    z: float


@dataclass(frozen=True)
class Transitivity:
    """Whether ratings can tell the whole story: a small ``p`` says that they cannot."""

    statistic: float
    p: float
    #: By standard errors: how much better the first did against the second than the ratings say.
    deviations: dict[tuple[str, str], float]
    cycles: tuple[Cycle, ...]
    #: What the statistic was compared with: simulated games, or blocks with their signs flipped.
    against: Literal["simulation", "blocks"]


def transitivity(
    ratings: Ratings, simulations: int = 999, seed: int = 0, most: int = 5
) -> Transitivity:
    """Do the duels deviate from the ratings more than chance allows, and who beats in a circle?

    A duel is two agents in one game, won by who is placed above the other. The statistic sums over
    pairs the squared deviation of wins minus losses from what ratings can say, in units of its
    variance. Where every game has its own luck it is compared with games simulated from the
    ratings, choice by choice. The games of a block depend on each other in a way that the ratings
    do not know, so there the deviations of whole blocks change signs at random instead. Cycles of
    three are named, the worst first, even if ``p`` says that chance explains them.
    """
    if simulations < 1:
        raise KostkaError(f"a p-value needs at least 1 simulation, not {simulations}")
    fit, choices = ratings.fit, ratings.fit.choices
    chance = choices.chances(fit.theta)
    seen = choices.seen.sum(axis=0)
    duels = duels_of(choices)
    own = covariance_of(choices, chance, seen, duels, duels)
    shared = covariance_of(choices, chance, seen, choices.features, duels)
    explained = np.linalg.lstsq(curvature_of(choices, chance, seen), shared, rcond=1e-10)[0]

    def beyond_ratings(surplus: Any) -> Array:
        """Wins minus losses that no change of the ratings explains, from surplus outcomes."""
        rest: Array = dense(surplus @ duels) - dense(surplus @ choices.features) @ explained
        return rest

    by_block = choices.seen - (choices.seen @ choices.gather.T) @ choices.mean(chance)
    rest = beyond_ratings(by_block)
    rng = np.random.default_rng(seed)
    null: Iterable[Array]
    if ratings.blocks == ratings.games:
        variance = own - shared.T @ explained
        null = map(beyond_ratings, simulate(choices, chance, seen, simulations, rng))
    else:
        variance = rest.T @ rest
        null = (signs @ rest for signs in signs_of(simulations, ratings.blocks, rng))
    total = rest.sum(axis=0)
    free = np.diag(variance) > 1e-9 * np.diag(own)
    scale = np.where(free, np.diag(variance), np.inf)
    statistic = float(np.sum(total**2 / scale))
    as_far = sum(np.sum(np.sum(d**2 / scale, axis=1) >= statistic * (1 - 1e-9)) for d in null)
    z = total / np.sqrt(scale)
    pairs = combinations(choices.agents, 2)
    met = np.diag(own) > 1e-9
    return Transitivity(
        statistic=statistic,
        p=float((1 + as_far) / (1 + simulations)),
        deviations={pair: float(z[i]) for i, pair in enumerate(pairs) if met[i]},
        cycles=cycles_of(fit, dense(by_block @ duels).sum(axis=0), own, total, variance)[:most],
        against="simulation" if ratings.blocks == ratings.games else "blocks",
    )


def duels_of(choices: Choices) -> sparse.csr_array:
    """Outcomes × pairs of agents: the wins of the first over the second, minus the losses."""
    n = len(choices.agents)
    pair = np.zeros((n, n), int)
    pair[np.triu_indices(n, 1)] = np.arange(n * (n - 1) // 2)
    pair += pair.T
    entries: list[tuple[Array, Array, Array]] = []
    for players, rows, chosen in each_outcome(choices):
        for i in chosen:
            for j in set(range(players.shape[1])) - set(chosen):
                winner, loser = players[:, i, 0], players[:, j, 0]
                entries.append((rows, pair[winner, loser], np.sign(loser - winner)))
    return matrix(entries, len(choices.choice), n * (n - 1) // 2)


def simulate(
    choices: Choices, chance: Array, seen: Array, simulations: int, rng: np.random.Generator
) -> Iterator[Array]:
    """Surplus outcomes, seen minus expected, of all choices made anew; many rows at a time."""
    met = choices.gather @ seen
    for part in parts(simulations, len(choices.choice)):
        row = choice = 0
        made = []
        for players in choices.fields:
            count, size = len(players), len(outcomes_of(players.shape[1], choices.ties))
            p = chance[row : row + count * size].reshape(count, size)
            n = met[choice : choice + count]
            drawn = rng.multinomial(n.astype(int), p, (part.stop - part.start, count))
            made.append((drawn - n[:, None] * p).reshape(len(drawn), -1))
            row, choice = row + count * size, choice + count
        yield np.concatenate(made, axis=1)


def signs_of(simulations: int, blocks: int, rng: np.random.Generator) -> Iterator[Array]:
    """Random signs for the blocks, many rows at a time."""
    for part in parts(simulations, blocks):
        yield rng.integers(0, 2, (part.stop - part.start, blocks)) * 2.0 - 1.0


def cycles_of(
    fit: Fit, surplus: Array, own: Array, rest: Array, variance: Array
) -> tuple[Cycle, ...]:
    """All cycles of three agents, those that contradict ratings most first."""
    names, n = fit.choices.agents, len(fit.choices.agents)
    upper = np.triu_indices(n, 1)
    information = np.where(np.diag(own) > 1e-9, np.diag(own), np.nan)
    margin = np.full((n, n), np.nan)
    margin[upper] = fit.theta[upper[0]] - fit.theta[upper[1]] + 2 * surplus / information
    margin.T[upper] = -margin[upper]
    pair = np.zeros((n, n), int)
    pair[upper] = np.arange(len(upper[0]))
    found = []
    for a, b, c in combinations(range(n), 3):
        for cycle in ((a, b, c), (a, c, b)):
            steps = tuple(zip(cycle, cycle[1:] + cycle[:1], strict=True))
            margins = [margin[step] for step in steps]
            if not all(m > 0 for m in margins):
                continue
            index = [pair[min(step), max(step)] for step in steps]
            sign = np.array([np.sign(j - i) for i, j in steps]) / information[index]
            spread = sign @ variance[np.ix_(index, index)] @ sign
            z = float(sign @ rest[index] / math.sqrt(spread)) if spread > 0 else 0.0
            found.append(
                Cycle(tuple(names[i] for i in cycle), tuple(float(ELO * m) for m in margins), z)
            )
    return tuple(sorted(found, key=lambda cycle: -cycle.z))
