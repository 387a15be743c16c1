"""Zero-sum games with hidden information by linear programming, and what a plan is sure to get.

A player's mixed strategies are *plans* in the sequence form of Koller, Megiddo and von Stengel: a
weight for each choice, the probability that the player does his part to bring it about. Then the
expected payoff is bilinear in the two plans, and the best one is a linear program whose size is
that of the game tree, not of its set of strategies. A matrix game has one decision point a player.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array, csr_array, hstack

from kostka.core.errors import KostkaError
from kostka.core.kernels import kernel

Array = np.ndarray[Any, np.dtype[Any]]

#: Weights below this are rounding errors of the linear program.
DUST = 1e-12


class Plans:
    """All plans of one player: each decision point shares out the weight that comes to it.

    Weight comes from outside (``start``, one number a point: 1 at the root of a player, or the
    chances of luck) or from earlier choices. ``point`` says where each choice is made, in order of
    points; ``feeds`` are pairs (choice, point): that choice leads on to that point, which must be a
    later one. A choice that leads to several points (the other side's answer decides) feeds each.
    """

    def __init__(
        self,
        start: Sequence[float] | Array,
        point: Sequence[int] | Array,
        feeds: Sequence[tuple[int, int]] = (),
    ) -> None:
        self.start = np.array(start, np.float64)
        self.point = np.array(point, np.int64)
        self.feeds = np.array(feeds, np.int64).reshape(-1, 2)
        points = len(self.start)
        if not np.array_equal(np.unique(self.point), np.arange(points)):
            raise KostkaError(f"each of the {points} decision points needs a choice")
        if np.any(np.diff(self.point) < 0):
            raise KostkaError("choices must come in the order of their decision points")
        if np.any(self.point[self.feeds[:, 0]] >= self.feeds[:, 1]):
            raise KostkaError("a choice may only lead to a later decision point")
        self.feeds = self.feeds[np.argsort(self.feeds[:, 1], kind="stable")]

    def __len__(self) -> int:
        """The number of choices."""
        return len(self.point)

    @property
    def flow(self) -> csr_array:
        """Points × choices: what leaves a point less what comes to it."""
        made, (given, to) = np.arange(len(self)), self.feeds.T
        values = np.r_[np.ones(len(self)), -np.ones(len(to))]
        places = (np.r_[self.point, to], np.r_[made, given])
        return coo_array((values, places), (len(self.start), len(self))).tocsr()

    def tidy(self, rough: Array) -> Array:
        """The plan that shares out as a rough one does, with weights that add up exactly."""
        plan = np.where(rough > DUST, rough, 0.0)
        share_out(self.start.copy(), self.point, self.feeds, plan)
        return plan

    def best(self, gain: Array) -> float:
        """The most that a plan can get, when each choice gains so much per weight."""
        worth = np.array(gain, np.float64)
        most = np.full(len(self.start), -np.inf)
        work_back(self.point, self.feeds, worth, most)
        return float(self.start @ most)


def one_point(choices: int) -> Plans:
    """The plans of a player in a matrix game."""
    return Plans([1.0], np.zeros(choices, np.int64))


@kernel
def share_out(weight, point, feeds, plan):
    """Make a rough plan exact; at a point that it never comes to all choices are as likely."""
    c = f = 0
    for p in range(len(weight)):
        while f < len(feeds) and feeds[f, 1] == p:
            weight[p] += plan[feeds[f, 0]]
            f += 1
        last, total = c, 0.0
        while last < len(point) and point[last] == p:
            total += plan[last]
            last += 1
        for i in range(c, last):
            plan[i] = weight[p] * (plan[i] / total if total > 0 else 1.0 / (last - c))
        c = last


@kernel
def work_back(point, feeds, worth, most):
    """What every decision point is worth if the best choice is made there and later."""
    c, f = len(point) - 1, len(feeds) - 1
    for p in range(len(most) - 1, -1, -1):
        while c >= 0 and point[c] == p:
            most[p] = max(most[p], worth[c])
            c -= 1
        while f >= 0 and feeds[f, 1] == p:
            worth[feeds[f, 0]] += most[p]
            f -= 1


@dataclass(frozen=True, eq=False)
class Solution:
    """A best plan of each side; the value of the game lies between what the two are sure of."""

    low: Array
    high: Array
    at_least: float
    at_most: float


def solve(payoff: Any, low: Plans, high: Plans) -> Solution:
    """Best plans where ``low`` pays ``high`` the payoff (its choices × the other's), or less."""
    payoff = csr_array(payoff)
    if payoff.shape != (len(low), len(high)):
        raise KostkaError(
            f"the payoffs are for {payoff.shape[0]} × {payoff.shape[1]} choices, "
            f"the plans have {len(low)} × {len(high)}"
        )
    answers = high.flow
    program = linprog(
        np.r_[np.zeros(len(low)), high.start],
        A_ub=hstack([payoff.T, -answers.T], "csr"),
        b_ub=np.zeros(len(high)),
        A_eq=hstack([low.flow, csr_array((len(low.start), len(high.start)))], "csr"),
        b_eq=low.start,
        bounds=[(0, None)] * len(low) + [(None, None)] * len(high.start),
        method="highs-ds",
    )
    if program.status != 0:
        raise ArithmeticError(f"the linear program was not solved: {program.message}")
    lows = low.tidy(program.x[: len(low)])
    highs = high.tidy(-program.ineqlin.marginals)
    return Solution(lows, highs, at_least(payoff, low, highs), at_most(payoff, high, lows))


def at_least(payoff: Any, low: Plans, plan: Array) -> float:
    """What the payoff is sure to be under a plan of the high side, whatever the low side does."""
    return -low.best(-(payoff @ plan))


def at_most(payoff: Any, high: Plans, plan: Array) -> float:
    """What the payoff cannot exceed under a plan of the low side."""
    return high.best(plan @ payoff)
