"""Games to learn from."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kostka.core import rules
from kostka.core.state import State


@dataclass(frozen=True)
class Example:
    """A whole game: how it began, all that happened, and each player's utility in the end."""

    first: State
    codes: np.ndarray
    returns: list[float]

    def decisions(self) -> Iterator[tuple[State, int]]:
        """Each position in which a player acted, with the action; it moves on after each."""
        state = self.first.copy()
        for code in self.codes.tolist():
            if state.mover >= 0:
                yield state, code
            rules.apply(state.record, code)
