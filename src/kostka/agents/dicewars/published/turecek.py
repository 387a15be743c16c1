"""Tureček's reference opponents of the Brno course (2018): greedy, one attack at a time."""

from collections.abc import Callable

from kostka.agents.base import Kind
from kostka.agents.generic import PolicyAgent
from kostka.core.game import Game, Option
from kostka.games.dicewars.heuristics import POLICIES, win_probability_model


def reference(name: str) -> Callable[[Game], PolicyAgent]:
    return lambda game: PolicyAgent(game, POLICIES[name])


def win_probability(name: str) -> Callable[[Game, bool], PolicyAgent]:
    def make(game: Game, own_scores: bool) -> PolicyAgent:
        return PolicyAgent(game, win_probability_model(name, own_scores))

    return make


OWN_SCORES = (
    Option("own_scores", True, "take one's own score for everybody's, as the course's code did"),
)

KINDS = {
    "random": Kind("random attacks as long as there are any", reference("attacks")),
    "sdc": Kind("the attack with the largest surplus of dice", reference("sdc")),
    "ste": Kind("the attack most likely to win an area and hold it", reference("ste")),
    "stei": Kind("as ste, preferring attacks from the largest region", reference("stei")),
    "wpm-d": Kind("a logistic model of everybody's dice", reference("wpm-d")),
    "wpm-s": Kind("a logistic model of everybody's scores", win_probability("wpm-s"), OWN_SCORES),
    "wpm-c": Kind("a logistic model of scores and dice", win_probability("wpm-c"), OWN_SCORES),
}
