"""Learning the outlook, the detectives' chance to win, from games of a teacher."""

from collections.abc import Callable
from typing import Any

import numpy as np

from kostka.agents.lessons import games_of
from kostka.core import rules
from kostka.core.game import Game
from kostka.games.scotlandyard.heuristics import FEATURES
from kostka.games.scotlandyard.state import FUGITIVE, START
from kostka.learn.regression import Sample, fit

#: A detective: all of them see the same.
DETECTIVE = FUGITIVE + 1


def learn(
    game: Game, teacher: str, games: int, seed: int, watch: Callable[[int], None]
) -> dict[str, Any]:
    """Fit the outlook to how games ended; every tenth game is kept apart to judge it by."""
    heuristic = game.evaluations["outlook"][0]
    ended: list[tuple[list[np.ndarray], float]] = []
    rows: list[np.ndarray] = []

    def game_over(number: int) -> None:  # ``state`` is then at the end
        ended.append((rows[:], float(state.returns[DETECTIVE])))
        rows.clear()
        watch(number)

    for state, _ in games_of(game, teacher, games, seed, game_over):
        if state.record.phase != START:
            rows.append(np.zeros(FEATURES))
            rules.features(heuristic, state.record, DETECTIVE, rows[-1])
    apart, taught = _sample(ended[::10]), _sample([e for i, e in enumerate(ended) if i % 10])
    weights = fit(taught)
    return {
        "start": float(np.mean([gain for _, gain in ended])),
        "weights": [round(float(w), 4) for w in weights],
        "surprise": {
            "knowing nothing": apart.loss(0 * weights),
            "of the outlook": apart.loss(weights),
        },
    }


def _sample(ended: list[tuple[list[np.ndarray], float]]) -> Sample:
    """Positions of games as those of two players: of Mr X, who has no features, and detectives."""
    features = np.array([row for rows, _ in ended for row in rows])
    gains = np.array([gain for rows, gain in ended for _ in rows])
    return Sample(
        [np.stack([np.zeros_like(features), features], axis=1)],
        [np.stack([1 - gains, gains], axis=1)],
    )
