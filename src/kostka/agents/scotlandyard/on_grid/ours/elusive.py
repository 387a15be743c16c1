"""A Mr X who is hard to catch, on a grid where best play always catches him.

Where the detectives have a sure win all moves of Mr X are alike to best play, but not to detectives
who slip. So here they do, in every round with a chance (``SLIP``): then they go after one guess of
where he may be, but each of them, with a chance (``WILD``), anywhere; otherwise they reply as well
as can be, knowing that they will slip again. Mr X plays best against these. The two numbers were
chosen by play against the published detectives.

The game is solved as the exact one is. A plan of detectives who slip gives each reply at least the
weight that slipping brings it to: the same linear program with other weights.
"""

import functools
from collections import defaultdict
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array, csr_array, eye_array, hstack, vstack

from kostka.agents.scotlandyard.on_grid.ours.exact import Exact, Stage
from kostka.agents.scotlandyard.on_grid.ours.grid import Array, Detectives, Yard
from kostka.agents.scotlandyard.on_grid.ours.habits import habits
from kostka.search.zerosum import Plans, Solution, at_least

#: How often the detectives slip in a round, and how often each of them then goes anywhere.
SLIP, WILD = 0.9, 0.4


class Elusive(Exact):
    """A solved grid whose values are the chances of detectives who slip."""

    slip, wild = SLIP, WILD

    def _met(self, turn: int, after: Array, x: int, detectives: Detectives) -> Any:
        slips = self.tendency(turn, detectives, (x,))
        return (1 - self.slip) * after.max(axis=1) + self.slip * after @ slips

    def _solve(self, stage: Stage, over: int) -> tuple[Solution, float, float]:
        payoffs = [stage.payoff(table) for table in self.ends[over]]
        slips = self.slips(stage, over)
        found = solve(payoffs[0], stage.mr_x, stage.detectives, slips, self.slip)
        gain = found.low @ payoffs[1]
        return found, found.at_least, best(stage.detectives, gain, slips, self.slip)

    def slips(self, stage: Stage, over: int) -> Array:
        """How slipping shares out the weight of each point among the detectives' replies."""
        places: dict[Any, set[int]] = defaultdict(set)
        for (trail, _), moves in stage.flee.items():
            places[trail].update(moves)
        found = np.zeros(len(stage.detectives))
        for trail, hunt in stage.hunt.items():
            turn, may_be = over + len(trail), tuple(sorted(places[trail]))
            found[list(hunt.values())] = self.tendency(turn, trail[-1], may_be)
        return found

    def tendency(self, turn: int, detectives: Detectives, places: tuple[int, ...]) -> Array:
        """The chances of their replies in a round if they slip, and Mr X may be there for all they
        know."""
        return np.mean([_chase(self.yard, detectives, x, self.wild) for x in places], axis=0)


class Familiar(Elusive):
    """Detectives who slip into a habit, in nearly every round."""

    slip = 0.95

    def __init__(self, yard: Yard, *rest: Any, habit: str, **named: Any) -> None:
        self.habit = habits()[habit]
        super().__init__(yard, *rest, **named)

    def tendency(self, turn: int, detectives: Detectives, places: tuple[int, ...]) -> Array:
        return self.habit.chances(self.yard.period(turn), detectives, places)


@functools.lru_cache(maxsize=1 << 16)
def _chase(yard: Yard, detectives: Detectives, place: int, wild: float) -> Array:
    chances = {detectives: 1.0}
    for i in range(len(detectives)):
        for where, chance in [*chances.items()]:
            del chances[where]
            ways = [to for to in yard.ways[where[i]] if to not in where] or [where[i]]
            steps = [yard.distance(to, place) for to in ways]
            for to, far in zip(ways, steps, strict=True):
                goes = (1 - wild) * (far == min(steps)) / steps.count(min(steps))
                reply = (*where[:i], to, *where[i + 1 :])
                chances[reply] = chance * (goes + wild / len(ways))
    return np.array([chances[reply] for reply in yard.replies(detectives)])


def solve(payoff: Any, low: Plans, high: Plans, slips: Array, slip: float) -> Solution:
    """Best plans as in ``zerosum.solve`` where the high side slips at each of its points.

    With a chance ``slip`` it does not choose there, but ``slips`` shares the weight out.
    """
    choices, points = len(high), len(high.start)
    made, (given, to) = np.arange(choices), high.feeds.T
    at = coo_array((np.ones(choices), (made, high.point)), (choices, points)).tocsr()
    leads = coo_array((np.ones(len(to)), (given, to)), (choices, points)).tocsr()
    share = coo_array((slips, (high.point, made)), (points, choices)).tocsr()
    gain = csr_array(payoff).T.tocsr()
    # The low plan, then of each point what it is worth, and what it is worth to slip there.
    program = linprog(
        np.r_[np.zeros(len(low)), high.start, np.zeros(points)],
        A_ub=hstack([(1 - slip) * gain, (1 - slip) * leads - at, slip * at], "csr"),
        b_ub=np.zeros(choices),
        A_eq=vstack(
            [
                hstack([low.flow, csr_array((len(low.start), 2 * points))]),
                hstack([share @ gain, share @ leads, -eye_array(points)]),
            ],
            "csr",
        ),
        b_eq=np.r_[low.start, np.zeros(points)],
        bounds=[(0, None)] * len(low) + [(None, None)] * (2 * points),
        method="highs-ds",
    )
    if program.status != 0:
        raise ArithmeticError(f"the linear program was not solved: {program.message}")
    lows = low.tidy(program.x[: len(low)])
    chosen = np.maximum(-program.ineqlin.marginals, 0.0)
    weight = np.bincount(high.point, chosen, points)[high.point]
    highs = high.tidy((1 - slip) * chosen + slip * slips * np.where(weight > 0, weight, 1.0))
    most = best(high, lows @ payoff, slips, slip)
    return Solution(lows, highs, at_least(payoff, low, highs), most)


def best(plans: Plans, gain: Array, slips: Array, slip: float) -> float:
    """The most that plans can get that slip, when each choice gains so much per weight."""
    worth, leads = np.array(gain, np.float64), defaultdict(list)
    for choice, point in plans.feeds:
        leads[point].append(choice)
    ends = np.searchsorted(plans.point, np.arange(len(plans.start) + 1))
    total = 0.0
    for point in reversed(range(len(plans.start))):
        here = slice(ends[point], ends[point + 1])
        value = (1 - slip) * worth[here].max() + slip * float(slips[here] @ worth[here])
        total += plans.start[point] * value
        for choice in leads[point]:
            worth[choice] += value
    return float(total)
