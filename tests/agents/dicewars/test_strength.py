"""The reference agents win as often against each other as in the original engine.

The numbers are from 120 games a pair there, so their own error counts as well as ours. The thesis's
agent is held against its results by seat: its published wins come from always moving first.
"""

from math import sqrt

import numpy as np
import pytest

from kostka.agents import make
from kostka.arena.referee import play_game
from kostka.core import play, rules
from kostka.core.game import game
from kostka.core.rng import streams
from kostka.core.state import begin

dicewars = game("dicewars")
DUEL = dicewars.check({})
THEIR_GAMES, THEIR_SEAT_GAMES = 120, 100

NAMES = ("wpm-d", "wpm-c", "stei", "sdc", "ste", "wpm-s", "random")
TABLE = {  # per cent of games that the row wins against each later name
    "wpm-d": (57, 56, 56, 61, 72, 76),
    "wpm-c": (49, 57, 58, 73, 65),
    "stei": (48, 48, 61, 79),
    "sdc": (52, 67, 64),
    "ste": (51, 74),
    "wpm-s": (65,),
}


def share(one: str, other: str, boards: int) -> float:
    """The share of games that the first wins, with the seats swapped on every board."""
    policies = [make(dicewars, name).policy for name in (one, other)]
    out, prob = np.empty(dicewars.width, np.int64), np.empty(dicewars.width)
    won = 0.0
    for seed in range(boards):
        for first in (0, 1):
            states = begin(dicewars, DUEL, seed).buffer
            seats = np.concatenate([policies[first], policies[1 - first]])
            luck, rngs = streams(dicewars.streams, seed, one, other), streams(2, seed)
            play.contest(states, states.copy(), seats, luck, rngs, out, prob, 1 << 40, out)
            gain = np.zeros(2)
            rules.returns(states[0], gain)
            won += gain[first]
    return won / (2 * boards)


def surprise(ours: float, games: int, theirs: float, their_games: int) -> float:
    """How many standard errors two measured shares lie apart."""
    p = (ours * games + theirs * their_games) / (games + their_games)
    return (ours - theirs) / sqrt(p * (1 - p) * (1 / games + 1 / their_games))


def test_the_reference_agents_win_as_often_as_in_the_original_engine():
    boards, off = 150, {}
    for i, (name, row) in enumerate(TABLE.items()):
        for other, theirs in zip(NAMES[i + 1 :], row, strict=True):
            ours = share(name, other, boards)
            off[name, other] = surprise(ours, 2 * boards, theirs / 100, THEIR_GAMES)
    assert max(abs(z) for z in off.values()) < 4, off
    assert sum(z * z for z in off.values()) < 47, off  # chi-square, 21 pairs: 0.1 %


@pytest.mark.parametrize(
    ("opponent", "first", "second"),
    [
        ("sdc", 81, 31),
        ("ste", 78, 41),
        ("stei", 80, 41),
        ("wpm-d", 75, 36),
        ("wpm-s", 86, 59),
        ("wpm-c", 74, 39),
    ],
)
def test_the_thesis_agent_wins_by_seat_as_in_the_original_engine(opponent, first, second):
    games = 100
    for seat, theirs in ((0, first), (1, second)):
        won = 0.0
        for seed in range(games):
            agents = [make(dicewars, opponent), make(dicewars, opponent)]
            agents[seat] = make(dicewars, "expectimax")
            won += play_game(dicewars, DUEL, agents, seed).returns[seat]
        assert abs(surprise(won / games, games, theirs / 100, THEIR_SEAT_GAMES)) < 4
