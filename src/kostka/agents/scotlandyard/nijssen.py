"""Nijssen and Winands' player (CIG 2011, TCIAIG 2012): one tree over guesses of where Mr X is.

Each iteration guesses a station by *location categorization* and plays as if it were known. Every
detective decides for himself, and gets less if another one makes the catch (*coalition reduction*).
Playouts are greedy but for some random moves: Mr X keeps away from the nearest detective; those
close in on all places where he can be (in his search) or go after the guessed one (in theirs).
Selection is UCT with progressive history, which counts moves in the tree, not in playouts. Mr X
does not search black tickets where they hide little, nor double moves while he is far away.
"""

from typing import Any

import numpy as np

from kostka.agents.base import Kind
from kostka.agents.scotlandyard.guided import GUIDES, Guided
from kostka.agents.scotlandyard.locations import CATEGORIES, likely
from kostka.agents.scotlandyard.team import BUDGET
from kostka.core.game import Game, Option
from kostka.core.state import View


class Nijssen(Guided):
    def __init__(self, game: Game, *, locations: str, table: str, **rest: Any) -> None:
        super().__init__(game, **rest)
        self.locations, self.table = locations, table

    def likely(self, view: View) -> np.ndarray:
        if self.locations == "alike":
            return np.ones(int(view.record.stations))
        return likely(self.game, view.record, self.locations, self.table)


KINDS = {
    "mcts-nijssen": Kind(
        "Nijssen and Winands' tree search (2012): guesses where Mr X is by where he tends to be",
        Nijssen,
        (
            *BUDGET,
            *GUIDES,
            Option("c", 0.5, "how much to explore", 0, 100),
            Option("history", 5.0, "how much a move's success elsewhere counts", 0, 100),
            Option(
                "locations",
                "nearest",
                "what tells the places of Mr X apart",
                choices=(*CATEGORIES, "alike"),
            ),
            Option(
                "table",
                "general",
                "one weight a category, or by which others are possible",
                choices=("general", "detailed"),
            ),
        ),
    )
}
