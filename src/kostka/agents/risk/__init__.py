"""Agents that know Risk: those of a thesis."""

from kostka.agents.risk.published import vasatko

KINDS = {**vasatko.KINDS}

LESSONS = {**vasatko.LESSONS}

#: Opponents for people, from easy to strongest.
LEVELS = {"easy": "random"}
