"""Temporal differences: what a position is worth, learnt step by step from what came after it.

A value is linear in the features of a position: v(s) = w·x(s), and 0 where the game is over. Each
learner of a game is a record with these ``fields``: its weights, and all of how it plays and
learns. A step goes from the end of an own turn to the end of the next one, or of the game. The
methods are those of Sutton and Barto's book (2018), chapters 9 and 12.
"""

from typing import Any

from kostka.core import rules
from kostka.core.kernels import kernel

#: How a seat of self-play learns. ``random`` and ``fixed`` do not; ``survey`` plays at random and
#: sums up the features that it meets.
METHODS = ("fixed", "random", "survey", "monte-carlo", "sarsa", "td", "true-online")
FIXED, RANDOM, SURVEY, MONTE_CARLO, SARSA, TD, TRUE_ONLINE = range(len(METHODS))


def fields(count: int) -> dict[str, Any]:
    """The fields that a record of a learner with so many weights begins with."""
    return {
        "method": "i8",
        "alpha": "f8",  # the size of a step
        "gamma": "f8",  # what the reward of the next turn counts
        "decay": "f8",  # λ: what remains of the trace from step to step
        "epsilon": "f8",  # how often it plays at random to learn more
        "per_turn": "f8",  # rewards: of every own turn but the last
        "per_point": "f8",  # and, at the end, of each point, of winning and of not winning
        "win": "f8",
        "loss": "f8",
        "weights": ("f8", count),
    }


@kernel
def dot(a, b):
    """The sum of products, in eight sums side by side, which a processor makes at once."""
    n = len(a)
    s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = 0.0
    i = 0
    while i + 8 <= n:
        s0 += a[i] * b[i]
        s1 += a[i + 1] * b[i + 1]
        s2 += a[i + 2] * b[i + 2]
        s3 += a[i + 3] * b[i + 3]
        s4 += a[i + 4] * b[i + 4]
        s5 += a[i + 5] * b[i + 5]
        s6 += a[i + 6] * b[i + 6]
        s7 += a[i + 7] * b[i + 7]
        i += 8
    while i < n:
        s0 += a[i] * b[i]
        i += 1
    return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))


@kernel
def final_reward(p, points, won):
    """What a game that is over is worth to a learner."""
    return p.per_point * points + (p.win if won else p.loss)


@kernel
def step(p, w, z, x, y, old, reward):
    """Learn from one step, from features x to y; returns the value that y had before.

    ``z`` is the trace of the episode, zeros at its beginning, and ``old`` what the last step
    returned, 0 at the beginning. At the end of the game y is all zeros.
    """
    n = len(w)
    v, next_v = dot(w, x), dot(w, y)
    surprise = reward + p.gamma * next_v - v
    fade = p.gamma * p.decay
    if p.method == SARSA:
        a = p.alpha * surprise
        for i in range(n):
            w[i] += a * x[i]
    elif p.method == TD:
        a = p.alpha * surprise
        for i in range(n):
            z[i] = fade * z[i] + x[i]
            w[i] += a * z[i]
    else:
        fresh = 1.0 - p.alpha * fade * dot(z, x)
        a, b = p.alpha * (surprise + v - old), p.alpha * (v - old)
        for i in range(n):
            z[i] = fade * z[i] + fresh * x[i]
            w[i] += a * z[i] - b * x[i]
    return next_v


@kernel
def whole_episode(p, w, met, count, gains, reward):
    """Monte Carlo: learn from all that was met what really came of it. ``gains`` is scratch."""
    gain = reward
    for t in range(count - 1, -1, -1):
        gains[t] = gain
        gain = p.per_turn + p.gamma * gain
    for t in range(count):
        a = p.alpha * (gains[t] - dot(w, met[t]))
        for i in range(len(w)):
            w[i] += a * met[t, i]


@kernel
def value(p, s, player, x):
    """The value of a position for a player; ``x`` is scratch for the features."""
    rules.features(p, s, player, x)
    return dot(p.weights, x)
