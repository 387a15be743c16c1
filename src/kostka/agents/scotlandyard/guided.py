"""A tree search over guesses of where Mr X is, for either side, with what guides it."""

import functools
from abc import ABC, abstractmethod

import numpy as np

from kostka.agents.base import Player
from kostka.core.errors import KostkaError
from kostka.core.game import Game, Option
from kostka.core.record import new
from kostka.core.state import View
from kostka.games.scotlandyard.heuristics import ASSUMED, TOTAL, Chase, Guide, distances
from kostka.games.scotlandyard.state import FUGITIVE, MAX_STATIONS, UNKNOWN
from kostka.search.mcts import Mcts

GUIDES = (
    Option("reduction", 0.25, "lost by a detective if another one makes the catch", 0, 1),
    Option("epsilon_flight", 0.1, "random moves in playouts when Mr X searches", 0, 1),
    Option("epsilon_hunt", 0.2, "random moves in playouts when detectives search", 0, 1),
    Option("filters", True, "whether Mr X saves black tickets and double moves"),
)


class Guided(Player, ABC):
    """Mr X expects detectives who close in on all places where he can be; detectives, in each
    iteration, go after the one place that they guess."""

    search: Mcts | None = None

    def __init__(
        self,
        game: Game,
        iterations: int,
        seconds: float,
        *,
        reduction: float,
        epsilon_flight: float,
        epsilon_hunt: float,
        filters: bool,
        c: float = 0.0,
        history: float = 0.0,
        trust: float = 0.0,
        weight: np.ndarray | None = None,
    ) -> None:
        if not iterations and not seconds:
            raise KostkaError("this search needs a budget: iterations or seconds")
        self.game, self.iterations, self.seconds = game, iterations, seconds
        self.c, self.history, self.trust = c, history, trust
        self.epsilon = epsilon_flight, epsilon_hunt
        self.guide = new(Guide, reduction=reduction, filters=filters)
        if weight is not None:
            self.guide["weight"] = weight

    @abstractmethod
    def likely(self, view: View) -> np.ndarray:
        """How likely Mr X is held to be at each station, but for a factor."""

    def act(self, view: View) -> int:
        legal = view.legal_actions
        if len(legal) == 1:
            return legal[0]
        hides = view.seat == FUGITIVE
        distance = board(distances(view.record).tobytes())
        self.guide["distance"] = distance
        if view.record.station[FUGITIVE] == UNKNOWN:
            chance = self.likely(view)
            self.guide["chance"][0, : len(chance)] = chance
        policy = new(
            Chase,
            epsilon=self.epsilon[0 if hides else 1],
            chase=TOTAL if hides else ASSUMED,
            distance=distance,
        )
        self.search = Mcts(
            view,
            self.rng,
            c=self.c,
            history=self.history,
            trust=self.trust,
            policy=policy,
            guide=self.guide,
        )
        return self.search.think(self.iterations, self.seconds).best


@functools.lru_cache(maxsize=8)
def board(found: bytes) -> np.ndarray:
    """Distances in the form that the records have them."""
    whole = np.frombuffer(found, np.int64)
    n = int(len(whole) ** 0.5)
    table = np.full((MAX_STATIONS, MAX_STATIONS), 127, np.int8)
    table[:n, :n] = np.minimum(whole.reshape(n, n), 127)
    return table
