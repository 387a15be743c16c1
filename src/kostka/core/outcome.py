"""Who has won a game, for whom it is a draw, and who has lost."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

Outcome = Literal["won", "draw", "lost"]
OUTCOMES: tuple[Outcome, ...] = ("won", "draw", "lost")
WON, DRAW, LOST = range(len(OUTCOMES))
#: Utilities that differ by no more are equal.
SAME = 1e-9


def outcomes(gains: ArrayLike, games: ArrayLike = 0) -> np.ndarray:
    """WON, DRAW or LOST for each side, from its utility; ``games`` says which game each is of.

    Who has most has won. A draw is an equal share of all the living, of whom there are several;
    the living are those who have anything. Everybody else has lost, with however large a share.
    """
    gain = np.asarray(gains, float)
    game = np.broadcast_to(np.asarray(games, np.int64), gain.shape)
    if not len(gain):
        return np.empty(0, np.int64)
    most = np.zeros(game.max() + 1)
    np.maximum.at(most, game, gain)
    first, living = gain >= most[game] - SAME, gain > SAME
    leaders, alive = (np.bincount(game, weights=of)[game] for of in (first, living))
    drawn = first & (leaders > 1) & (leaders == alive)
    return np.where(drawn, DRAW, np.where(first, WON, LOST))


def by_seat(gains: ArrayLike, teams: ArrayLike) -> list[Outcome]:
    """What a game was for each seat, whose side wins, draws or loses as a whole."""
    _, leads, sides = np.unique(teams, return_index=True, return_inverse=True)
    return [OUTCOMES[outcome] for outcome in outcomes(np.asarray(gains)[leads])[sides]]
