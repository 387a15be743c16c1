"""Estimates and tests from numbers in blocks: games of a block share their luck, blocks do not."""

from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri, stdtr, stdtrit

from kostka.core.errors import KostkaError

Column = np.ndarray[Any, np.dtype[Any]]

#: The 97.5 % point of the normal distribution: intervals cover 95 %.
Z95 = 1.959963984540054
LEVEL = 0.95
#: Fewer blocks than this do not tell how much blocks differ.
FEWEST = 20
#: Variances below this are rounding.
NOTHING = 1e-20


class Share(NamedTuple):
    """A share of the points and what it may well be instead."""

    share: float
    low: float
    high: float


class Finding(NamedTuple):
    """A mean over blocks and whether it may be another one; None where the blocks cannot tell."""

    blocks: int
    mean: float
    low: float | None
    high: float | None
    t: float | None
    p: float | None


def wilson(share: float, games: float, z: float = Z95) -> tuple[float, float]:
    """The Wilson interval of a share of points won in so many games."""
    if games <= 0:
        return 0.0, 1.0
    denominator = 1 + z * z / games
    middle = share + z * z / (2 * games)
    spread = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return max(0.0, (middle - spread) / denominator), min(1.0, (middle + spread) / denominator)


def share_interval(gains: ArrayLike, blocks: ArrayLike, level: float = LEVEL) -> Share:
    """The mean of gains from 0 to 1 with its Wilson interval, for as many games as they are worth.

    The worth comes from how far the blocks are from the common share, each weighing as much as it
    has games (the linearised variance of a ratio): duplicate play narrows the interval, clustered
    games widen it. Where blocks are few or all alike, every game counts as independent.
    """
    values = np.asarray(gains, float)
    games, far = float(len(values)), reach(level)
    if not len(values):
        return Share(0.0, 0.0, 1.0)
    share = min(max(float(values.mean()), 0.0), 1.0)
    sums = block_sums(values - values.mean(), blocks)
    if len(sums) >= FEWEST:
        variance = float(sums @ sums) / games**2 * len(sums) / (len(sums) - 1)
        if variance > NOTHING:
            games, far = share * (1 - share) / variance, reach(level, len(sums) - 1)
    return Share(share, *wilson(share, games, far))


def reach(level: float, freedom: int | None = None) -> float:
    """How many standard errors an interval reaches to either side; by t where it has freedom."""
    if not 0 < level < 1:
        raise KostkaError(f"a level of confidence is between 0 and 1, say 0.95, not {level:g}")
    point = 0.5 + level / 2
    return float(ndtri(point) if freedom is None else stdtrit(freedom, point))


def block_sums(values: Column, blocks: ArrayLike) -> Column:
    """The sum of the values in each block."""
    _, where = np.unique(np.asarray(blocks), return_inverse=True)
    return np.bincount(where, weights=values)


def block_means(values: Column, blocks: ArrayLike) -> Column:
    """The mean of the values in each block."""
    return block_sums(values, blocks) / block_sums(np.ones(len(values)), blocks)


def t_test(means: Column, against: float = 0.0, level: float = LEVEL) -> Finding:
    """Whether block means scatter around another value: Student's one-sample t test.

    Where all blocks say exactly the same, t has no scale, and p is that of the sign test.
    """
    n, mean, far = len(means), float(means.mean()), reach(level)
    gap = mean - against
    error = float(means.std(ddof=1)) / sqrt(n) if n > 1 else 0.0
    if error**2 <= NOTHING:
        p = min(1.0, 2.0 ** (1 - n)) if abs(gap) > 1e-12 else 1.0
        return Finding(n, mean, None, None, None, p if n > 1 else None)
    far, t = reach(level, n - 1), gap / error
    return Finding(n, mean, mean - far * error, mean + far * error, t, p_value(t, n - 1))


def p_value(t: float, freedom: int) -> float:
    """How often chance alone gives a t at least so far from 0, to either side."""
    return float(2 * stdtr(freedom, -abs(t)))


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Holm's correction: p values that stay honest although several questions were asked."""
    asked = sorted((p, i) for i, p in enumerate(values) if p is not None)
    found: list[float | None] = [None] * len(values)
    least = 0.0
    for before, (p, i) in enumerate(asked):
        least = max(least, min(1.0, p * (len(asked) - before)))
        found[i] = least
    return found


def spreads(gains: Column, blocks: Column, places: Column) -> tuple[float, float] | None:
    """The squared deviations of games, and those of blocks as wholes; None if blocks are few.

    A deviation is from the mean of the same place: line-up and seat. Were games independent, both
    would be the same on average; the first over the second is what one game is worth. A place
    that only one block knows says nothing.
    """
    _, where = np.unique(places, return_inverse=True)
    _, block = np.unique(blocks, return_inverse=True)
    pairs = np.unique(np.stack([where, block]), axis=1)
    known = (np.bincount(pairs[0]) > 1)[where]
    if len(np.unique(block[known])) < FEWEST:
        return None
    means = np.bincount(where, weights=gains) / np.bincount(where)
    deviations = (gains - means[where])[known]
    together = block_sums(deviations, block[known])
    return float(deviations @ deviations), float(together @ together)


def duplicate_gain(blocks: Sequence[Sequence[float]]) -> float | None:
    """How many independent games one game of duplicate play is worth.

    A block holds an agent's points in every seat under the same luck. Independent games in the same
    seats would have the mean variance within a seat; blocks have what is left of it. None if there
    are too few blocks to tell.
    """
    table = np.array(blocks, float)
    if len(table) < FEWEST:
        return None
    independent = table.var(axis=0, ddof=1).mean() / table.shape[1]
    together = table.mean(axis=1).var(ddof=1)
    return float(independent / together) if together > 0 else None


class Mean(NamedTuple):
    """A mean, the variance of one game, the independent games that it rests on."""

    mean: float
    spread: float
    worth: float
    #: Degrees of freedom of the spread; None: it is known (a share has no other).
    freedom: int | None


def measured(values: Column, blocks: Column, share: bool) -> Mean:
    """The mean of values whose blocks share their luck, as ``share_interval`` sees them."""
    games, mean = len(values), float(values.mean())
    if share:
        spread, freedom = mean * (1 - mean), None
    else:
        spread, freedom = float(values.var(ddof=1)) if games > 1 else 0.0, games - 1
    sums = block_sums(values - values.mean(), blocks)
    if len(sums) >= FEWEST:
        variance = float(sums @ sums) / games**2 * len(sums) / (len(sums) - 1)
        if variance > NOTHING:
            return Mean(mean, spread, spread / variance, len(sums) - 1)
    return Mean(mean, spread, float(games), freedom)


def around(ours: Mean, level: float = LEVEL) -> tuple[float | None, float | None]:
    """The interval of a mean; None where one game says nothing about the next."""
    if not ours.freedom:
        return None, None
    far = reach(level, ours.freedom) * sqrt(ours.spread / ours.worth)
    return ours.mean - far, ours.mean + far


def deviation_terms(values: Column) -> Column:
    """Values whose mean is the standard deviation, each with its part in how far that is off.

    To first order a deviation s is s + the mean of ((x - m)² - s²) / 2s, so these terms have its
    error, also where games share their luck and where values are not normal.
    """
    n = len(values)
    deviation = float(values.std(ddof=1)) if n > 1 else 0.0
    if deviation**2 <= NOTHING:
        return np.full(n, deviation)
    squares = (values - values.mean()) ** 2
    return deviation + (squares - squares.mean()) / (2 * deviation)
