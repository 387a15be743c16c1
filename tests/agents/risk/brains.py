"""Networks for tests: silent ones, in which single inputs are wired to outputs."""

from itertools import pairwise
from math import exp, log

import numpy as np

from kostka.agents.risk.published.nets import SIMPLE, SLOPE, nets
from kostka.learn.network import length

#: What an input of an output weighs: little, so that larger numbers still differ.
LITTLE = 0.001


class Brain:
    """Simple networks that answer exactly 0.5 to everything until they are wired."""

    def __init__(self) -> None:
        self.numbers = np.zeros(length(SIMPLE))

    def layers(self, net: int) -> list[np.ndarray]:
        """The numbers of each layer: thresholds, then a row for each input."""
        at, found = length(SIMPLE[:net]), []
        for a, b in pairwise(SIMPLE[net]):
            found.append(self.numbers[at : at + (a + 1) * b].reshape(a + 1, b))
            at += (a + 1) * b
        return found

    def likes(self, net: int, input: int, sign: float = 1.0, beyond: float = 0.0) -> "Brain":
        """The first output rises with an input, or falls, and is 0.5 where that is ``beyond``."""
        first, last = self.layers(net)
        first[1 + input, 0] += sign * LITTLE
        last[1, 0], last[0, 0] = 1.0, -1 / (1 + exp(-SLOPE * sign * LITTLE * beyond))
        return self

    def says(self, net: int, output: int, share: float) -> "Brain":
        """An output is always the same."""
        self.layers(net)[1][0, output] = log(share / (1 - share)) / SLOPE
        return self

    def made(self) -> np.ndarray:
        return nets("simple", self.numbers)
