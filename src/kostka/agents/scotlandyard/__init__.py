"""Agents that know Scotland Yard: those of the theses, for Mr X and for the detectives."""

from kostka.agents.scotlandyard import alphabeta, gerza, nijssen, sova

KINDS = {**alphabeta.KINDS, **gerza.KINDS, **sova.KINDS, **nijssen.KINDS}
