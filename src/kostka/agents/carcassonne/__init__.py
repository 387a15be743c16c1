"""Agents that know Carcassonne: The Discovery: those of a thesis, and ours."""

from kostka.agents.carcassonne.published import motlicek

KINDS = {**motlicek.KINDS}
