"""Agents that know Risk: the random one of a thesis, and ours."""

from kostka.agents.base import Kind
from kostka.agents.generic import PolicyAgent
from kostka.agents.lessons import evaluation
from kostka.agents.risk import ours
from kostka.core.game import Game, Option
from kostka.core.record import new
from kostka.games.risk.heuristics import Random


def random(game: Game, p: float) -> PolicyAgent:
    return PolicyAgent(game, new(Random, p=p))


KINDS = {
    "random": Kind(
        "the thesis's: attacks on with chance p, and draws lots in all else",
        random,
        (Option("p", 0.87, "the chance to attack once more", 0, 1),),
    ),
    **ours.KINDS,
}

LESSONS = {
    "outlook": evaluation(
        "outlook", "sensible", "sensible:slips=0.1", players=(3, 4, 5, 6), options=ours.WORLDS
    )
}

#: Opponents for people, from easy to strongest.
LEVELS = {
    "easy": "sensible:slips=0.4",
    "medium": "sensible",
    "hard": "ours:iterations=100",
    "strongest": "ours:iterations=1000",
}
