"""The reference: one step ahead by hand-made terms, the weights of which evolve in matches."""

import numpy as np

from kostka.agents.evolution import Evolution, Plan
from kostka.agents.generic import PolicyAgent
from kostka.core.game import Game
from kostka.games.catan.reference import WEIGHTS, weighed
from kostka.games.catan.reference import reference as evolved
from kostka.learn.evolution import Settings

#: Candidates differ from the last champion by up to a factor of two in a weight.
SETTINGS = Settings(
    population=24,
    mutation=0.6,
    crossings={"either": 1, "blend": 1},
    mutations={"shift": 1},
    low=-0.7,
    high=0.7,
    again=True,
)
LESSON = Evolution(
    "the weights of the reference, as powers of two of the first ones",
    {"weights": WEIGHTS},
    lambda variant, powers: weighed(powers),
    lambda variant: np.zeros(WEIGHTS),
    {"usual": Plan(SETTINGS, (10, 10), 150, {"offers": 0, "map": "variable"})},
)


def reference(game: Game) -> PolicyAgent:
    return PolicyAgent(game, evolved())
