"""Our player: a search over small decisions with the sensible player's leanings, and an outlook.

PUCT with the sensible player's leanings as prior: a fight to its end, a draft, a move or a trade is
one decision each, and the tree is kept from one to the next as long as nothing is learnt between
them. What is hidden, cards and missions, is dealt anew in every iteration. The sensible player
plays on for a turn or so, then the learnt outlook says who is likely to win.
"""

from math import exp

import numpy as np

from kostka.agents.base import Kind
from kostka.agents.evolution import Evolution, Plan
from kostka.agents.generic import KINDS as GENERIC
from kostka.agents.generic import PolicyAgent
from kostka.agents.lessons import evaluation
from kostka.core.game import Game, Option, Value
from kostka.core.rng import uniform
from kostka.core.state import View
from kostka.games.risk.sensible import WEIGHTS
from kostka.games.risk.sensible import sensible as new_sensible
from kostka.learn.evolution import Settings

#: The worlds on which an outlook is learnt.
WORLDS: tuple[dict[str, Value], ...] = (
    {},
    {},
    {"win": "missions"},
    {"win": "missions", "map": "random", "territories": 32},
    {"map": "random", "territories": 12},
    {"map": "random", "territories": 21, "sets": "slow"},
    {"map": "random", "territories": 42, "cap": 50},
    {"map": "random", "territories": 55, "sets": "fixed"},
)


class Sensible(PolicyAgent):
    """The sensible player, who now and then does what the random one would."""

    def __init__(self, game: Game, slips: float) -> None:
        super().__init__(game, game.policies["sensible"])
        self.slips, self.careless = slips, PolicyAgent(game, game.policies["random"])

    def begin(self, seat: int, rng: np.ndarray) -> None:
        super().begin(seat, rng)
        self.careless.begin(seat, rng)

    def act(self, view: View) -> int:
        return self.careless.act(view) if uniform(self.rng) < self.slips else super().act(view)


def sensible(game: Game, slips: float) -> PolicyAgent:
    """One who never slips is a policy and nothing else: such matches are compiled as a whole."""
    return Sensible(game, slips) if slips else PolicyAgent(game, game.policies["sensible"])


KINDS = {
    "sensible": Kind(
        "exact odds, whole continents, and armies where they are needed",
        sensible,
        (Option("slips", 0.0, "the chance of a decision that is left to luck", 0, 1),),
    ),
    "ours": GENERIC["mcts"].preset(
        "a search that follows the sensible player at first, and looks at outlooks a turn on",
        playout="sensible",
        eval="outlook",
        rollout=30,
        trust=0.4,
        luck=0,
        iterations=2000,
        nodes=1 << 18,
    ),
}


def weighing(variant: str, numbers: np.ndarray) -> np.ndarray:
    """A sensible player whose weights are e to these numbers times the usual ones."""
    usual = WEIGHTS.items()
    return new_sensible(
        **{name: w * exp(x) for (name, w), x in zip(usual, numbers.tolist(), strict=True)}
    )


def as_usual(variant: str) -> np.ndarray:
    return np.zeros(len(WEIGHTS))


#: Weights are at first up to a factor of two from the usual ones.
BROAD = Settings(
    population=24,
    mutation=0.6,
    crossings={"either": 1, "blend": 1},
    mutations={"shift": 1},
    low=-0.7,
    high=0.7,
    again=True,
)

LESSONS = {
    "weights": Evolution(
        "what the sensible player weighs",
        {"sensible": len(WEIGHTS)},
        weighing,
        as_usual,
        {"usual": Plan(BROAD, (25,), 300)},
    ),
    "outlook": evaluation(
        "outlook", "sensible", "sensible:slips=0.1", players=(3, 4, 5, 6), options=WORLDS
    ),
}
