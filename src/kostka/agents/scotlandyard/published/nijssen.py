"""Nijssen and Winands' player (CIG 2011, TCIAIG 2012): one tree over guesses of where Mr X is.

Each iteration guesses a station by *location categorization* and plays as if it were known. Every
detective decides for himself, and gets less if another one makes the catch (*coalition reduction*).
Playouts are greedy but for some random moves: Mr X keeps away from the nearest detective; those
close in on all places where he can be (in his search) or go after the guessed one (in theirs).
Selection is UCT with progressive history, which counts moves in the tree, not in playouts. Mr X
does not search black tickets where they hide little, nor double moves while he is far away.
"""

import functools
import json
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from kostka.agents.base import Kind, Player
from kostka.agents.scotlandyard.published.team import BUDGET
from kostka.core.errors import KostkaError
from kostka.core.game import Game, Option
from kostka.core.record import new
from kostka.core.state import View
from kostka.games.scotlandyard.heuristics import ASSUMED, TOTAL, Chase, Guide, distances
from kostka.games.scotlandyard.state import (
    DETECTIVES,
    FERRY,
    FUGITIVE,
    MAX_STATIONS,
    UNKNOWN,
)
from kostka.learn.example import Example
from kostka.search.mcts import Mcts

DATA = Path(__file__).parents[1] / "data"

GUIDES = (
    Option("reduction", 0.25, "lost by a detective if another one makes the catch", 0, 1),
    Option("epsilon_flight", 0.1, "random moves in playouts when Mr X searches", 0, 1),
    Option("epsilon_hunt", 0.2, "random moves in playouts when detectives search", 0, 1),
    Option("filters", True, "whether Mr X saves black tickets and double moves"),
)


# --- the search ---


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
            plain=True,  # as published
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


# --- location categorization: where Mr X tends to be found ---

# The stations where he can be are put into categories. How often he was in a category, of the times
# that it was possible, is its weight; a guess takes each station by the weight of its category. The
# *general* table has one weight a category, the *detailed* one tells apart which other categories
# were possible. The weight is a station's, not shared by those of its category: of the two ways to
# read the paper's followers this one foretold better where Mr X was. ``kostka learn scotland-yard
# locations`` makes the tables.

#: By the distance of the nearest detective (1 to 5 or more), by that of all on average (up to 2,
#: 3, 4, 5, or more), or by what runs there (taxis; a bus, too; the underground).
CATEGORIES = ("nearest", "mean", "lines")
COUNT = 5


def categories(s: Any, by: str) -> np.ndarray:
    """The category of each station."""
    if by == "lines":
        lines = np.where((s.kind == FERRY) | (s.to == 0), 0, s.kind)
        return lines[: s.stations].max(axis=1).astype(np.int64)
    away = distances(s)[s.station[1 : s.pieces]]
    if by == "nearest":
        return np.clip(away.min(axis=0), 1, COUNT) - 1
    return np.clip(np.floor(away.mean(axis=0) + 0.5).astype(np.int64) - 2, 0, COUNT - 1)


def possible(s: Any, by: str) -> tuple[np.ndarray, np.ndarray, int]:
    """The categories of all stations, which of them are possible, and these as one number."""
    found = categories(s, by)
    open_ = np.bincount(found[s.possible[: s.stations] == 1], minlength=COUNT) > 0
    return found, open_, int((open_ << np.arange(COUNT)).sum())


def likely(game: Game, s: Any, by: str, table: str) -> np.ndarray:
    """How likely Mr X is to be at each station, but for a factor, if he can be there."""
    found, _, mask = possible(s, by)
    tables = learnt(game.name)[by]
    known = tables["detailed"].get(str(mask)) if table == "detailed" else None
    times, there = np.array(known or tables["general"])
    return ((there + 1) / (times + COUNT))[found]  # as if each had been found once


@functools.cache
def learnt(name: str) -> dict[str, Any]:
    """The tables of a game; of London where it has none of its own."""
    own = DATA / f"{name}.locations.json"
    path = own if own.exists() else DATA / "scotland-yard.locations.json"
    return json.loads(path.read_text(encoding="utf-8"))


def learn(game: Game, examples: Iterable[Example]) -> dict[str, Any]:
    """Count where Mr X is whenever he moves unseen: times a category was possible, and found."""
    general = {by: np.zeros((2, COUNT), np.int64) for by in CATEGORIES}
    detailed: dict[str, dict[int, np.ndarray]] = {
        by: defaultdict(lambda: np.zeros((2, COUNT), np.int64)) for by in CATEGORIES
    }
    for state, _ in chain.from_iterable(example.decisions() for example in examples):
        s = state.record
        if s.phase != DETECTIVES or s.piece != 1 or s.seen[s.moves - 1] != UNKNOWN:
            continue
        for by in CATEGORIES:
            found, open_, mask = possible(s, by)
            for counts in (general[by], detailed[by][mask]):
                counts[0, open_] += 1
                counts[1, found[s.station[FUGITIVE]]] += 1
    return {
        by: {
            "general": general[by].tolist(),
            "detailed": {str(mask): n.tolist() for mask, n in sorted(detailed[by].items())},
        }
        for by in CATEGORIES
    }


# --- the player ---


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
