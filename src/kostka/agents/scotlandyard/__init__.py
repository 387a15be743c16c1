"""Agents that know Scotland Yard: those of the theses, for Mr X and for the detectives, and the
detectives' sure win on the grid."""

from kostka.agents.base import Kind
from kostka.agents.scotlandyard import alphabeta, gerza, sova
from kostka.agents.scotlandyard.sure import SureDetective

KINDS = {
    **alphabeta.KINDS,
    **gerza.KINDS,
    **sova.KINDS,
    "sure": Kind(
        "detectives on the grid who win for sure wherever that is possible", SureDetective
    ),
}
