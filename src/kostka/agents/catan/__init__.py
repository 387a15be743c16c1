"""Agents that know Catan."""

from kostka.agents.base import Kind
from kostka.agents.catan.published import novak
from kostka.agents.generic import KINDS as GENERIC
from kostka.agents.generic import PolicyAgent
from kostka.core.game import Game, Option
from kostka.core.record import new
from kostka.games.catan.heuristics import POLICIES, Builder


def builder(game: Game, exchange: float) -> PolicyAgent:
    return PolicyAgent(game, new(Builder, exchange=exchange))


def reference(game: Game) -> PolicyAgent:
    return PolicyAgent(game, POLICIES["reference"])


KINDS = {
    "reference": Kind(
        "looks one step ahead by what things are worth, by hand; makes no offers", reference
    ),
    **novak.KINDS,
    "builder": Kind(
        "builds the dearest thing it can, and never trades with players",
        builder,
        (Option("exchange", 0.3, "how much it likes the bank; ending the turn has 0.9", 0, 1),),
    ),
    "mcts": GENERIC["mcts"].preset(playout="builder", eval="standing", rollout=60),
}

LESSONS = {"td": novak.LESSON}

#: Opponents for people, from easy to strongest.
LEVELS = {"easy": "random", "medium": "builder", "hard": "reference"}
