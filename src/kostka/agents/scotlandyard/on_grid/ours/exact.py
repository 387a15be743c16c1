"""The exact value of Scotland Yard on a small grid: the yardstick for all agents there.

When Mr X shows himself everybody knows everything. So the rounds from one showing to the next are
a game of their own, a *stage*, that ends with the values of the positions in which he may show
himself next; the stages are solved backwards, each by one linear program a position. Before the
first showing luck has hidden Mr X on any free cell.

The detectives count as one player. They may as well be several who have agreed on a strategy: each
of them knows all that the others know, and sees their moves before his own. That nobody has caught
Mr X yet goes without saying, for else the game is over; so a strategy of theirs depends on nothing
but where Mr X was shown and how they have moved since.

All values are the detectives' chances to win, as two bounds: what they are sure of with the plans
found, and what Mr X is sure not to exceed. Both are worked out from the plans by best replies, so
they hold whatever the tolerances of the linear program; only the rounding of sums is left (1e-12).
"""

import argparse
import functools
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array

from kostka.agents.scotlandyard.on_grid.ours.grid import Array, Detectives, Known, Trail, Yard
from kostka.agents.scotlandyard.on_grid.ours.sure import Sure
from kostka.core.errors import KostkaError
from kostka.search.zerosum import Plans, Solution, at_most, solve

#: Stages whose plans are remembered, of about 150 kB each.
KEPT = 1000


class Stage:
    """The rounds in which Mr X is not seen, as choices of both sides and what they lead to.

    ``weights`` are the chances of where he is, ``replies`` the detectives' moves up to the end.
    What comes then is looked up in a table of positions with one more entry: 1, he is caught.
    """

    def __init__(
        self, yard: Yard, weights: Mapping[int, float], detectives: Detectives, replies: int
    ) -> None:
        #: The numbers of the detectives' choices after a trail, and of Mr X's by where he is.
        self.hunt: dict[Trail, dict[Detectives, int]] = {}
        self.flee: dict[tuple[Trail, int], dict[int, int]] = {}
        self._ends: list[tuple[int, int, int]] = []
        points: tuple[list[int], list[int]] = [], []
        feeds: tuple[list[tuple[int, int]], list[tuple[int, int]]] = [], []
        #: A trail, the reply that led to it, and Mr X's choices by where they have led him.
        now: list[tuple[Trail, int, dict[int, list[int]]]]
        now = [((detectives,), -1, {x: [] for x in weights})]
        for left in reversed(range(replies)):
            later = []
            for trail, before, arrivals in now:
                goes: dict[int, list[int]] = defaultdict(list)
                for x, came in arrivals.items():
                    feeds[0].extend((c, len(self.flee)) for c in came)
                    moves = self.flee[trail, x] = {}
                    for to in yard.steps(x, trail[-1]):
                        moves[to] = len(points[0])
                        goes[to].append(moves[to])
                        points[0].append(len(self.flee) - 1)
                if before >= 0:
                    feeds[1].append((before, len(self.hunt)))
                hunt = self.hunt[trail] = {}
                for reply in yard.replies(trail[-1]):
                    choice = hunt[reply] = len(points[1])
                    points[1].append(len(self.hunt) - 1)
                    free = {}
                    for x, choices in goes.items():
                        if yard.caught(x, reply):
                            end = yard.positions
                        elif left == 0:
                            end = yard.code(x, reply)
                        else:
                            free[x] = choices
                            continue
                        self._ends.extend((c, choice, end) for c in choices)
                    if free:
                        later.append(((*trail, reply), choice, free))
            now = later
        chances = [*weights.values()] + [0.0] * (len(self.flee) - len(weights))
        self.mr_x = Plans(chances, points[0], feeds[0])
        self.detectives = Plans([1.0] + [0.0] * (len(self.hunt) - 1), points[1], feeds[1])

    def payoff(self, table: Array) -> csr_array:
        """The detectives' chances, Mr X's choices × theirs."""
        low, high, end = np.array(self._ends).T
        shape = len(self.mr_x), len(self.detectives)
        return coo_array((table[end], (low, high)), shape).tocsr()

    def solve(self, bounds: Array) -> tuple[Solution, float, float]:
        """Best plans, and bounds of the value, from bounds of what comes after."""
        found = solve(self.payoff(bounds[0]), self.mr_x, self.detectives)
        most = at_most(self.payoff(bounds[1]), self.detectives, found.low)
        return found, found.at_least, most


class Exact:
    """A solved grid: tables of bounds, 2 × positions, by the rounds that are over.

    ``open[r]``: everybody knows where Mr X is, who is about to move and to hide; all rounds being
    over, he has won. ``shown[r]``: he has just shown himself in round r, the detectives reply.
    ``ends[r]``: the last move of a stage that began after r rounds, with which he shows himself.

    ``solved`` are the tables ``open`` of an earlier solution, by the rounds that are left: all else
    follows from them at once.
    """

    def __init__(
        self,
        yard: Yard,
        tell: Callable[[str], None] = lambda words: None,
        solved: Mapping[int, Array] | None = None,
    ) -> None:
        self.yard = yard
        self.shown: dict[int, Array] = {}
        self.open: dict[int, Array] = {yard.rounds: np.zeros((2, yard.positions + 1))}
        self.open[yard.rounds][:, -1] = 1.0
        self.ends: dict[int, Array] = {}
        self._stages: dict[tuple[int, int | None, Detectives], tuple[Stage, Solution]] = {}
        self._turned = yard.turned()
        least = [(int(code), *yard.position(int(code))) for code in np.unique(self._turned)]
        self._places = [(c, x, d) for c, x, d in least if len({x, *d}) == 1 + yard.detectives]
        if yard.shows(yard.rounds):
            self.shown[yard.rounds] = self._table(functools.partial(self._shown, yard.rounds))
        for over in reversed(range(0, yard.rounds, yard.reveal)):
            self.ends[over] = self._table(functools.partial(self._end, over))
            if over:  # nobody is shown before the game
                left = yard.rounds - over
                if solved is None or left not in solved:
                    self.open[over] = self._table(functools.partial(self._open, over))
                else:
                    self.open[over] = solved[left]
                self.shown[over] = self._table(functools.partial(self._shown, over))
                tell(f"solved from round {over} on")

    def _table(self, value: Callable[[int, Detectives], Any]) -> Array:
        """Bounds for all positions: the same for those that are the same but for a turn."""
        table = np.full((2, self.yard.positions + 1), np.nan)
        table[:, -1] = 1.0
        for code, x, detectives in self._places:
            table[:, code] = value(x, detectives)
        table[:, :-1] = table[:, self._turned]
        return table

    def _end(self, over: int, x: int, detectives: Detectives) -> Any:
        """Mr X chooses where he shows himself, unless the game ends before."""
        turn = over + self.yard.reveal
        if turn > self.yard.rounds:
            return 0.0
        codes = [self.yard.code(to, detectives) for to in self.yard.steps(x, detectives)]
        return self.shown[turn][:, codes].min(axis=1) if codes else 1.0

    def _open(self, over: int, x: int, detectives: Detectives) -> Any:
        if not self.yard.steps(x, detectives):
            return 1.0
        if self.hidden(over) == 0:
            return self.ends[over][:, self.yard.code(x, detectives)]
        stage = Stage(self.yard, {x: 1.0}, detectives, self.hidden(over))
        return self._solve(stage, over)[1:]

    def _shown(self, over: int, x: int, detectives: Detectives) -> Any:
        return self._met(over, self._after(over, x, self.yard.replies(detectives)), x, detectives)

    def _after(self, over: int, x: int, replies: Sequence[Detectives]) -> Array:
        """Bounds after each reply to a showing."""
        caught = self.yard.positions
        codes = [caught if self.yard.caught(x, r) else self.yard.code(x, r) for r in replies]
        return self.open[over][:, codes]

    def _met(self, turn: int, after: Array, x: int, detectives: Detectives) -> Any:
        """What detectives who see Mr X make of their replies."""
        return after.max(axis=1)

    def _solve(self, stage: Stage, over: int) -> tuple[Solution, float, float]:
        return stage.solve(self.ends[over])

    def hidden(self, over: int) -> int:
        """The replies in a stage that the detectives make without seeing Mr X."""
        left = self.yard.rounds - over
        return self.yard.reveal - 1 if left >= self.yard.reveal else left

    # --- the beginning ---

    def opening(self, detectives: Detectives) -> dict[int, float]:
        """Where Mr X may start and is not caught at once, each with its chance."""
        all_ = self.yard.hideouts(detectives)
        return {x: 1 / len(all_) for x in all_ if self.yard.steps(x, detectives)}

    def start(self, detectives: Detectives, over: int = 0) -> tuple[float, float]:
        """Bounds of the value when the detectives start there and Mr X on any other cell.

        ``over`` rounds less are to be played.
        """
        if over not in self.ends:
            raise KostkaError(f"the game can be shorter by {sorted(self.ends)} rounds, not {over}")
        weights = self.opening(detectives)
        caught = 1 - sum(weights.values())
        if self.hidden(over) == 0:
            codes = [self.yard.code(x, detectives) for x in weights]
            low, high = self.ends[over][:, codes] @ np.array(list(weights.values()))
        else:
            stage = Stage(self.yard, weights, detectives, self.hidden(over))
            _, low, high = self._solve(stage, over)
        return caught + float(low), caught + float(high)

    def by_start(self, over: int = 0) -> dict[Detectives, tuple[float, float]]:
        """Bounds of the value by where the detectives start."""
        known: dict[Detectives, tuple[float, float]] = {}
        for detectives in self.yard.starts():
            if detectives not in known:
                value = self.start(detectives, over)
                for turn in self.yard.turns():
                    known[tuple(int(turn[d]) for d in detectives)] = value
        return known

    def value(self, over: int = 0) -> tuple[float, float]:
        """Bounds of the value of the game with random starts, or of one shorter by some rounds."""
        low, high = np.mean(list(self.by_start(over).values()), axis=0)
        return float(low), float(high)

    # --- unbeatable play ---

    def hunt(self, known: Known, went: Detectives = ()) -> dict[Detectives, float]:
        """The detectives' best reply in a round, each with its chance.

        Some first of them may have gone their part of it already.
        """
        choices = self.yard.replies(known.trail[-1])
        fits = [reply for reply in choices if reply[: len(went)] == went]
        if self.yard.shows(known.turn):
            assert known.at is not None
            best = self._after(known.turn, known.at, fits)[0].argmax()
            return {fits[best]: 1.0}
        stage, plans = self._stage(known)
        return _chances({reply: stage.hunt[known.trail][reply] for reply in fits}, plans.high)

    def flee(self, known: Known, x: int) -> dict[int, float]:
        """Mr X's best moves in a round, from where he is: each with its chance."""
        here = known.trail[-1]
        if self.yard.shows(known.turn):
            shown = self.shown[known.turn][1]
            return {
                min(self.yard.steps(x, here), key=lambda to: shown[self.yard.code(to, here)]): 1.0
            }
        stage, plans = self._stage(known)
        return _chances(stage.flee[known.trail, x], plans.low)

    def _stage(self, known: Known) -> tuple[Stage, Solution]:
        over = (known.turn - 1) // self.yard.reveal * self.yard.reveal
        begun = known.trail[0]
        if (over, known.at, begun) not in self._stages:
            weights = self.opening(begun) if known.at is None else {known.at: 1.0}
            stage = Stage(self.yard, weights, begun, self.hidden(over))
            if len(self._stages) >= KEPT:
                del self._stages[next(iter(self._stages))]
            self._stages[over, known.at, begun] = stage, self._solve(stage, over)[0]
        return self._stages[over, known.at, begun]


def _chances(choices: Mapping[Any, int], plan: Array) -> dict[Any, float]:
    """Of the choices at one point; all alike where the plan never comes to."""
    total = sum(plan[c] for c in choices.values())
    if total == 0:
        return dict.fromkeys(choices, 1 / len(choices))
    return {what: float(plan[c] / total) for what, c in choices.items() if plan[c] > 0}


def main() -> None:
    """Solve a grid and print the values for all lengths of the game."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    for name in ("size", "detectives", "rounds", "reveal"):
        parser.add_argument(f"--{name}", type=int, default=getattr(Yard, name))
    yard = Yard(**vars(parser.parse_args()))
    began = time.perf_counter()
    seen, exact = Exact(replace(yard, reveal=1)), Exact(yard, print)
    print("rounds  visible  hidden (at least, at most)                  sure win from")
    for rounds in range(1, yard.rounds + 1):
        words = f"{rounds:6}  {seen.value(yard.rounds - rounds)[0]:7.2%}  "
        if yard.rounds - rounds in exact.ends:
            low, high = exact.value(yard.rounds - rounds)
            words += f"{low:.15f} {high:.15f}"
        print(f"{words:52}  {Sure(replace(yard, rounds=rounds)).share():.2%} of starts")
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
