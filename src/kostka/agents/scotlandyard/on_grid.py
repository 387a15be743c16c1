"""Agents of Scotland Yard on the grid: those of the full game, and those that have solved it."""

from kostka.agents import scotlandyard
from kostka.agents.base import Kind
from kostka.agents.scotlandyard.solver import KINDS as SOLVERS
from kostka.agents.scotlandyard.sure import SureDetective

LESSONS = scotlandyard.LESSONS
KINDS = {
    **scotlandyard.KINDS,
    "sure": Kind("detectives who win for sure wherever that is possible", SureDetective),
    **SOLVERS,
}

LEVELS = {
    "easy": "ismcts:iterations=5",
    "medium": "ismcts:iterations=50",
    "hard": "ismcts:iterations=1000",
    "strongest": "solver",
}
