"""Learning from game to game: what was predicted in a game is compared with how it came out."""

from collections.abc import Callable

import numpy as np


def descend(
    at: np.ndarray,
    look: Callable[[np.ndarray], tuple[float, np.ndarray]],
    *,
    rate: float,
    epsilon: float,
    steps: int,
) -> tuple[np.ndarray, int]:
    """Follow the slope of a loss down until it is flatter than ``epsilon``; and the steps made.

    ``look`` gives the loss and its slope. A step that leads upwards is taken back and all further
    ones are half as long, since a fixed rate can diverge where inputs are large.
    """
    loss, slope = look(at)
    for made in range(steps):
        if float(np.sqrt((slope**2).sum())) <= epsilon:
            return at, made
        there = at - rate * slope
        next_loss, next_slope = look(there)
        if next_loss <= loss:
            at, loss, slope = there, next_loss, next_slope
        else:
            rate /= 2
    return at, steps
