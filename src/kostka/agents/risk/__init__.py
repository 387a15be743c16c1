"""Agents that know Risk: those of a thesis, and ours."""

from kostka.agents.risk import ours
from kostka.agents.risk.published import vasatko

KINDS = {**vasatko.KINDS, **ours.KINDS}

LESSONS = {**vasatko.LESSONS, **ours.LESSONS}

#: Opponents for people, from easy to strongest.
LEVELS = {
    "easy": "sensible:slips=0.4",
    "medium": "sensible",
    "hard": "ours:iterations=30",
    "strongest": "ours:iterations=1000",
}
