"""Matches as fitness: how often a policy with some numbers wins against copies of another."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from kostka.core import play, rules
from kostka.core.game import Game, Value, game_at, place_of
from kostka.core.kernels import kernel
from kostka.core.memory import copy
from kostka.core.rng import stream, streams
from kostka.core.state import blank, dealt

#: Generations of so many runs are remembered with their starts.
KEPT = 16


@kernel
def wins(starts, states, views, line_ups, luck, rngs, out, prob, log, returns, limit):
    """Games that the candidate wins alone, one on each start; its seat changes from game to game.

    ``line_ups`` has one row of policies for each seat of the candidate.
    """
    won = 0
    for n in range(len(starts)):
        seat = n % len(line_ups)
        copy(states[0], starts[n])
        play.contest(states, views, line_ups[seat], luck[n], rngs[n], out, prob, limit, log)
        if rules.mover(states[0]) == rules.OVER:
            rules.returns(states[0], returns)
            won += returns[seat] == 1.0
    return won


@dataclass(frozen=True)
class Starts:
    """Games that all candidates of a generation play: the set-up, and all luck."""

    states: np.ndarray
    luck: np.ndarray
    rngs: np.ndarray


_drawing = threading.Lock()


def starts(
    place: str, options: tuple[tuple[str, Value], ...], games: int, key: tuple[object, ...]
) -> Starts:
    """So many starts; whoever asks first draws them for all."""
    with _drawing:
        return _starts(place, options, games, key)


@lru_cache(KEPT)
def _starts(
    place: str, options: tuple[tuple[str, Value], ...], games: int, key: tuple[object, ...]
) -> Starts:
    game, given = game_at(place), dict(options)
    empty, players = blank(game, given), int(given["players"])
    seeds = [int(stream(*key, "start", n)[0] >> np.uint64(1)) for n in range(games)]
    return Starts(
        np.concatenate([dealt(empty, seed) for seed in seeds]),
        np.stack([streams(game.streams, *key, n, "luck") for n in range(games)]),
        np.stack([streams(players, *key, n, "agent") for n in range(games)]),
    )


@dataclass(frozen=True)
class Against:
    """The share of games that a policy wins against copies of an opponent.

    All candidates of a generation meet the same starts under the same luck, those of the next one
    others. Nobody wins a draw, nor a game that reaches the game's limit.
    """

    place: str
    options: tuple[tuple[str, Value], ...]
    #: The policy that has some numbers.
    make: Callable[[np.ndarray], np.ndarray]
    opponent: np.ndarray
    games: int
    key: tuple[object, ...]

    @classmethod
    def of(
        cls,
        game: Game,
        options: Mapping[str, Any],
        make: Callable[[np.ndarray], np.ndarray],
        opponent: np.ndarray,
        games: int,
        key: tuple[object, ...],
    ) -> "Against":
        """With the game's options checked, and the opponent given by its numbers."""
        checked = tuple(game.check(options).items())
        return cls(place_of(game), checked, make, make(opponent), games, key)

    def __call__(self, numbers: np.ndarray, generation: int) -> float:
        drawn = starts(self.place, self.options, self.games, (*self.key, "games", generation))
        game, players = game_at(self.place), drawn.rngs.shape[1]
        candidate = self.make(numbers)
        line_ups = np.stack(
            [
                np.concatenate([candidate if i == seat else self.opponent for i in range(players)])
                for seat in range(players)
            ]
        )
        won = wins(
            drawn.states, np.empty_like(drawn.states[:1]), np.empty_like(drawn.states[:1]),
            line_ups, drawn.luck.copy(), drawn.rngs,
            np.empty(game.width, np.int64), np.empty(game.width), np.empty(0, np.int64),
            np.zeros(players), game.length,
        )  # fmt: skip
        return int(won) / self.games
