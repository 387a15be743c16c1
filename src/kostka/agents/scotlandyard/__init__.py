"""Agents that know Scotland Yard: published ones and ours, for Mr X and for the detectives."""

from kostka.agents.base import Lesson
from kostka.agents.lessons import evaluation
from kostka.agents.scotlandyard import ours
from kostka.agents.scotlandyard.published import gerza, nijssen, sova, tulusak

KINDS = {**tulusak.KINDS, **gerza.KINDS, **sova.KINDS, **nijssen.KINDS, **ours.KINDS}

LESSONS = {
    "outlook": evaluation("outlook", "ismcts:iterations=60"),
    "locations": Lesson(
        "where Mr X tends to be found, for mcts-nijssen and ismcts",
        nijssen.learn,
        ("mcts-nijssen:iterations=1000,locations=alike",),
    ),
    "prior": Lesson(
        "which moves are worth a try, for ismcts", ours.learn, ("mcts-nijssen:iterations=2000",)
    ),
}

#: Opponents for people, from easy to strongest.
LEVELS = {
    "easy": "ismcts:iterations=10",
    "medium": "ismcts:iterations=60",
    "hard": "ismcts:iterations=500",
    "strongest": "ismcts:iterations=10000",
}
