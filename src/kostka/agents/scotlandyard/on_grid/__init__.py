"""Agents of Scotland Yard on the grid: those of the full game, and those that have solved it."""

from kostka.agents import scotlandyard
from kostka.agents.scotlandyard.on_grid.ours import solver, sure

LESSONS = scotlandyard.LESSONS
KINDS = {
    **scotlandyard.KINDS,
    **sure.KINDS,
    **solver.KINDS,
}

LEVELS = {
    "easy": "ismcts:iterations=5",
    "medium": "ismcts:iterations=50",
    "hard": "ismcts:iterations=1000",
    "strongest": "solver",
}
