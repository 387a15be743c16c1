"""Agents that know Carcassonne: The Discovery: those of a thesis, and ours."""

from kostka.agents.base import Lesson
from kostka.agents.carcassonne import ours
from kostka.agents.carcassonne.published import motlicek

KINDS = {**motlicek.KINDS, **ours.KINDS}

LESSONS = {
    "prospects": Lesson(
        "what followers will bring, for prospects and ours", ours.learn, ("greedy",), (2, 3, 4, 5)
    ),
}

#: Opponents for people, from easy to strongest.
LEVELS = {
    "easy": "greedy:ties=first",
    "medium": "greedy",
    "hard": "ours:simulations=100",
    "strongest": "ours:simulations=1000",
}
