"""Distributions of scores, lengths and the like, next to the normal curve they may follow."""

from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from kostka.core.errors import KostkaError

#: Bins that whole numbers may always have, and values that a test of normality needs.
WHOLE_BINS = 20
FEWEST = 20


@dataclass(frozen=True)
class Distribution:
    """How often values fell between two edges; None where the values cannot tell."""

    counts: tuple[int, ...]
    edges: tuple[float, ...]
    count: int
    mean: float
    deviation: float | None
    skewness: float | None
    #: How often a normal curve would give values that look so little like one (D'Agostino–Pearson).
    normality: float | None

    def normal(self) -> tuple[float, ...]:
        """The counts to expect under the normal curve with the same mean and deviation."""
        if not self.deviation:
            return tuple(float(count) for count in self.counts)
        below = ndtr((np.array(self.edges) - self.mean) / self.deviation)
        return tuple((self.count * np.diff(below)).tolist())


def distribution(values: ArrayLike, bins: int | None = None) -> Distribution:
    """Count values in so many bins, or as many as suit them; whole numbers are never split."""
    found = np.asarray(values, float).ravel()
    found = found[np.isfinite(found)]
    if not len(found):
        raise KostkaError("a distribution needs at least one value")
    if bins is not None and bins < 1:
        raise KostkaError(f"bins must be at least 1, not {bins}")
    whole = bool(np.all(found == np.round(found)))
    most = bins or max(WHOLE_BINS if whole else 5, ceil(2 * len(found) ** (1 / 3)))
    edges = whole_edges(found, most) if whole else np.histogram_bin_edges(found, most)
    counts, _ = np.histogram(found, edges)
    several = len(found) > 1
    varied = several and float(np.ptp(found)) > 0
    return Distribution(
        counts=tuple(counts.tolist()),
        edges=tuple(edges.tolist()),
        count=len(found),
        mean=float(found.mean()),
        deviation=float(found.std(ddof=1)) if several else None,
        skewness=_skewness(found) if varied else None,
        normality=_normality(found) if varied and len(found) >= FEWEST else None,
    )


def whole_edges(values: np.ndarray, most: int) -> np.ndarray:
    """Edges of at most so many bins, of an odd width so that a whole number is in the middle."""
    low, high = values.min(), values.max()
    width = ceil((high - low + 1) / most)
    width += 1 - width % 2
    bins = ceil((high - low + 1) / width)
    start = low - 0.5 - (bins * width - (high - low + 1)) // 2
    return start + width * np.arange(bins + 1)


def _skewness(values: np.ndarray) -> float:
    deviations = values - values.mean()
    return float((deviations**3).mean() / (deviations**2).mean() ** 1.5)


def _normality(values: np.ndarray) -> float:
    from scipy.stats import normaltest  # slow to import, and few ask

    return float(normaltest(values).pvalue)
