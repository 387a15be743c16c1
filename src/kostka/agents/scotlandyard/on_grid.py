"""Agents of Scotland Yard on the grid: those of the full game, and the detectives' sure win."""

from kostka.agents import scotlandyard
from kostka.agents.base import Kind
from kostka.agents.scotlandyard.sure import SureDetective

KINDS = {
    **scotlandyard.KINDS,
    "sure": Kind("detectives who win for sure wherever that is possible", SureDetective),
}
