"""Nijssen and Winands' player (CIG 2011, TCIAIG 2012): one tree over guesses of where Mr X is.

Each iteration guesses a station (by *location categorization*: how often Mr X was found in places
of that kind) and plays as if it were known. Every detective decides for himself, and gets less if
another one makes the catch (*coalition reduction*). Playouts are greedy but for some random moves;
selection is UCT with progressive history; some moves of Mr X are never searched (*filtering*).

The tables of categories are learnt from games of the player against itself:
``python -m kostka.agents.scotlandyard.nijssen``.
"""

from typing import Any

import numpy as np

from kostka.agents.base import Kind, Player
from kostka.core.errors import KostkaError
from kostka.core.game import Game, Option
from kostka.core.record import new
from kostka.core.state import View
from kostka.games.scotlandyard.heuristics import (
    ASSUMED,
    CATEGORIES,
    MAX_CATEGORIES,
    TOTAL,
    Chase,
    Guide,
    distances,
)
from kostka.games.scotlandyard.state import FUGITIVE, MAX_STATIONS
from kostka.search.mcts import Mcts

CHANCES = np.ones((1 << MAX_CATEGORIES, MAX_CATEGORIES))


def table(view: View) -> np.ndarray:
    """The distances of the board, as the records have them."""
    found = np.full((MAX_STATIONS, MAX_STATIONS), 127, np.int8)
    near = distances(view.record)
    found[: len(near), : len(near)] = np.minimum(near, 127)
    return found


class Nijssen(Player):
    search: Mcts | None = None

    def __init__(self, game: Game, iterations, seconds, c, history, reduction, category, epsilon_x, epsilon, filters, chase_x, chase, model) -> None:
        if not iterations and not seconds:
            raise KostkaError("mcts-nijssen needs a budget: iterations or seconds")
        self.iterations, self.seconds = iterations, seconds
        self.c, self.history = c, history
        self.guide = new(Guide, reduction=reduction, filters=filters, category=CATEGORIES.index(category) if category in CATEGORIES else 0)
        self.guide["weight"] = 1.0
        if category == "learnt":
            self.guide["weight"] = [0.196, 0.671, 0.540, 0.384, 0.196]
        if category == "none": self.guide=None
        self.epsilon = (epsilon_x, epsilon)
        self.policy = None
        self.model=model
        self.chase=(chase_x,chase)

    def act(self, view: View) -> int:
        legal = view.legal_actions
        if len(legal) == 1:
            return legal[0]
        if self.policy is None:
            hides = view.seat == FUGITIVE
            d = table(view)
            self.policy = new(Chase, epsilon=self.epsilon[not hides], chase=self.chase[not hides], distance=d)
            if self.guide is not None: self.guide["distance"] = d
        self.search = Mcts(view, self.rng, c=self.c, history=self.history, model=bool(self.model),policy=self.policy, evaluation=self.guide)
        if self.seconds:
            self.search.run_for(self.seconds)
        else:
            self.search.run(self.iterations)
        return self.search.best


KINDS = {
    "mcts-nijssen": Kind(
        "x", Nijssen,
        (
            Option("iterations", 10_000, "iterations per decision", 0, 1e9),
            Option("seconds", 0.0, "time per decision instead of iterations", 0, 3600),
            Option("c", 0.5, "how much to explore", 0, 100),
            Option("history", 5.0, "weight", 0, 100),
            Option("reduction", 0.25, "r", 0, 1),
            Option("category", "learnt", "r"),
            Option("epsilon_x", 0.1, "r", 0, 1),
            Option("epsilon", 0.2, "r", 0, 1),
            Option("chase_x", TOTAL, "r", 0, 1),
            Option("chase", ASSUMED, "r", 0, 1),
            Option("model", 0, "r", 0, 1),
            Option("filters", 1, "r", 0, 1),
        ),
    )
}
