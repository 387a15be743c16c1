"""Statistics of results."""

from collections.abc import Sequence
from math import sqrt

import numpy as np

#: The 97.5 % point of the normal distribution: intervals cover 95 %.
Z95 = 1.959963984540054


def wilson(share: float, games: int, z: float = Z95) -> tuple[float, float]:
    """The Wilson interval of a share of points won in so many games."""
    if games == 0:
        return 0.0, 1.0
    denominator = 1 + z * z / games
    middle = share + z * z / (2 * games)
    spread = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return max(0.0, (middle - spread) / denominator), min(1.0, (middle + spread) / denominator)


def duplicate_gain(blocks: Sequence[Sequence[float]]) -> float | None:
    """How many independent games one game of duplicate play is worth.

    A block holds an agent's points in every seat under the same luck. Independent games in the same
    seats would have the mean variance within a seat; blocks have what is left of it. None if there
    are too few blocks to tell.
    """
    table = np.array(blocks, float)
    if len(table) < 20:
        return None
    independent = table.var(axis=0, ddof=1).mean() / table.shape[1]
    together = table.mean(axis=1).var(ddof=1)
    return float(independent / together) if together > 0 else None
