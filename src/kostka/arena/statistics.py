"""Statistics of results."""

from math import sqrt

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
