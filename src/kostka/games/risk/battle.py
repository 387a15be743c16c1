"""Dice: one throw, and how a whole fight ends, with their exact chances."""

import itertools

import numpy as np

from kostka.core.kernels import kernel
from kostka.core.memory import floats
from kostka.core.rng import uniform
from kostka.games.risk.actions import LOST, WON
from kostka.games.risk.state import MOST_ARMIES

#: Room for a row of chances, by how many defenders are left; three rows are at work.
ROW = MOST_ARMIES + 1
ROWS = 3 * ROW


def throw_odds() -> np.ndarray:
    """[attacker's dice, defender's dice, armies the defender loses]: exact, by counting."""
    odds = np.zeros((4, 3, 3))
    for a, d in itertools.product((1, 2, 3), (1, 2)):
        ways = [0, 0, 0]
        for faces in itertools.product(range(6), repeat=a + d):
            mine, theirs = sorted(faces[:a])[::-1], sorted(faces[a:])[::-1]
            ways[sum(x > y for x, y in zip(mine, theirs, strict=False))] += 1
        odds[a, d] = [n / 6 ** (a + d) for n in ways]
    return odds


ODDS = throw_odds()


@kernel
def throw(a, d, out, prob):
    """The outcomes of one throw, which are the armies that the defender loses."""
    n = min(a, d)
    for k in range(n + 1):
        out[k], prob[k] = k, ODDS[a, d, k]
    return n + 1


@kernel
def one_throw(a, d, rng):
    """How many armies the defender loses."""
    u = uniform(rng)
    if u < ODDS[a, d, 0]:
        return 0
    if a == 1 or d == 1:
        return 1
    return 1 if u < ODDS[a, d, 0] + ODDS[a, d, 1] else 2


@kernel
def fight(a, d, most, out, prob):
    """Every end of a fight of ``a`` attackers against ``d``, who throw ``most`` dice at most.

    The chances of all positions flow down, attacker by attacker: from one row into two below it.
    """
    rows = floats(ROWS)
    here, below1, below2 = 0, ROW, 2 * ROW
    for row in (here, below1, below2):
        for n in range(d + 1):
            rows[row + n] = 0.0
    rows[here + d] = 1.0
    k = 0
    while a > 0:
        dice = min(3, a)
        for n in range(d, 0, -1):
            mass = rows[here + n]
            if mass > 0.0:
                if n > 1 and a > 1 and most > 1:
                    rows[here + n - 2] += mass * ODDS[dice, 2, 2]
                    rows[below1 + n - 1] += mass * ODDS[dice, 2, 1]
                    rows[below2 + n] += mass * ODDS[dice, 2, 0]
                else:
                    theirs = min(most, n)
                    rows[here + n - 1] += mass * ODDS[dice, theirs, 1]
                    rows[below1 + n] += mass * ODDS[dice, theirs, 0]
        if rows[here] > 0.0:
            out[k], prob[k] = WON + a, rows[here]
            k += 1
        for n in range(d + 1):
            rows[here + n] = 0.0
        here, below1, below2 = below1, below2, here
        a -= 1
    for n in range(1, d + 1):
        if rows[here + n] > 0.0:
            out[k], prob[k] = LOST + n, rows[here + n]
            k += 1
    return k


@kernel
def fight_out(a, d, most, rng):
    """How one fight ends, throw by throw."""
    while a > 0 and d > 0:
        theirs = min(most, d)
        n = min(a, theirs)
        lost = one_throw(min(3, a), theirs, rng)
        d -= lost
        a -= n - lost
    return WON + a if d == 0 else LOST + d
