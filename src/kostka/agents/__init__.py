"""Agents: what they are, how a spec string names one, and those that play every game."""

from kostka.agents.base import Agent, Kind, Observation, Player, learns
from kostka.agents.spec import kinds, make

__all__ = ["Agent", "Kind", "Observation", "Player", "kinds", "learns", "make"]
