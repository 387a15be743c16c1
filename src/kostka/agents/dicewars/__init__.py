"""Agents that know Dice Wars: the reference opponents, the thesis's search, and ours."""

from kostka.agents.dicewars.published import kb, turecek, zubrik
from kostka.agents.generic import KINDS as GENERIC
from kostka.agents.lessons import evaluation

KINDS = {
    **turecek.KINDS,
    **kb.KINDS,
    **zubrik.KINDS,
    "mcts": GENERIC["mcts"].preset(
        playout="stei-adt", c=0.3, rollout=20, eval="outlook", iterations=3000
    ),
}

LESSONS = {"outlook": evaluation("outlook", *turecek.KINDS, players=(2, 3, 4))}

#: Opponents for people, from easy to strongest. In a tournament of all pairs they were rated -219,
#: -76, +140 and +168 Elo, each ± 23 at most: kostka tournament dicewars random sdc stei wpm-d
#: 'mcts:iterations=150|600|3000' --games 40 --seed 2026
LEVELS = {
    "easy": "random",
    "medium": "stei",
    "hard": "mcts:iterations=600",
    "strongest": "mcts:iterations=3000",
}
