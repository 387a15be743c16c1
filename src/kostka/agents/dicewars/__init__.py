"""Agents that know Dice Wars: the reference opponents, the thesis's search, and ours."""

from kostka.agents.dicewars.published import turecek, zubrik
from kostka.agents.generic import KINDS as GENERIC
from kostka.agents.lessons import evaluation

KINDS = {
    **turecek.KINDS,
    **zubrik.KINDS,
    "mcts": GENERIC["mcts"].preset(playout="stei", c=0.3),
}

LESSONS = {"outlook": evaluation("outlook", *turecek.KINDS, players=(2, 3, 4))}

#: Opponents for people, from easy to strongest. In a tournament of all pairs they were rated -210,
#: -31, +93 and +181 Elo, each ± 25 at most: kostka tournament dicewars random sdc stei wpm-d
#: 'mcts:iterations=50|200|1000' --games 40 --seed 2026
LEVELS = {
    "easy": "random",
    "medium": "stei",
    "hard": "mcts:iterations=200",
    "strongest": "mcts:iterations=1000",
}
