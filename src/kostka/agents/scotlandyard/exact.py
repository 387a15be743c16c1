"""The exact value of Scotland Yard on a small grid: the yardstick for all agents there.

When Mr X shows himself everybody knows everything. So the rounds from one showing to the next are
a game of their own, a *stage*, that ends with the values of the positions in which he may show
himself next; the stages are solved backwards, each by one linear program. Before the first
showing luck has hidden Mr X on any free cell.

The detectives count as one player. They may as well be several who have agreed on a strategy: each
of them knows all that the others know, and sees their moves before his own. That no detective has
caught Mr X yet goes without saying, for else the game is over; so a strategy of theirs depends on
nothing but where Mr X was shown and how they have moved since.

All values are the detectives' chances to win, as two bounds: what they are sure of with the plans
found, and what Mr X is sure not to exceed. Both are worked out from the plans by best replies, so
they hold whatever the linear program's tolerances are; only rounding of sums (1e-12) is left out.
"""

import argparse
import functools
import itertools
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array

from kostka.core.errors import KostkaError
from kostka.games.scotlandyard.setup import square
from kostka.search.zerosum import Plans, Solution, at_most, solve

Array = np.ndarray[Any, np.dtype[Any]]

#: Where the detectives are, in the order in which they move.
Detectives = tuple[int, ...]

#: Where the detectives were at the beginning of a stage and after each of their replies.
Trail = tuple[Detectives, ...]

#: Beyond these a table or a linear program does not fit into memory.
MOST_POSITIONS, MOST_TRAILS = 1_000_000, 5_000

#: Longer games than this are not measured when Mr X is visible: nobody needs more.
LONGEST = 15


@dataclass(frozen=True)
class Yard:
    """The options of a grid, and the rules as the stages need them."""

    size: int = 5
    detectives: int = 2
    rounds: int = 15
    reveal: int = 3
    surrounded: bool = True
    ways: tuple[tuple[int, ...], ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        trails = 4 ** (self.detectives * (min(self.reveal, self.rounds) - 1))
        if self.cells ** (1 + self.detectives) > MOST_POSITIONS or trails > MOST_TRAILS:
            raise KostkaError(
                f"{self} is too large to solve; take a smaller grid, fewer detectives or more "
                "frequent showing"
            )
        to, _, degree = square(self.size)
        ways = tuple(tuple(map(int, to[i, : degree[i]])) for i in range(self.cells))
        object.__setattr__(self, "ways", ways)

    @property
    def cells(self) -> int:
        return self.size * self.size

    def steps(self, x: int, detectives: Detectives) -> list[int]:
        """Where Mr X can go. Where surrounding is no loss he stays if he must."""
        free = [to for to in self.ways[x] if to not in detectives]
        return free or [x] * (not self.surrounded)

    def caught(self, x: int, detectives: Detectives) -> bool:
        """Whether Mr X has lost after the detectives' reply."""
        return x in detectives or not self.steps(x, detectives)

    def replies(self, detectives: Detectives) -> list[Detectives]:
        """Where the detectives can be after they have moved in turn, never two on a cell.

        One who has no way out passes. That none of them has one cannot be: there is a free cell.
        """
        return self._replies(detectives)

    @functools.cache  # noqa: B019 - a few hundred short lists, kept as long as anybody solves
    def _replies(self, detectives: Detectives) -> list[Detectives]:
        now = [detectives]
        for i in range(len(detectives)):
            now = [
                (*where[:i], to, *where[i + 1 :])
                for where in now
                for to in [n for n in self.ways[where[i]] if n not in where] or [where[i]]
            ]
        return now

    def starts(self) -> Iterator[Detectives]:
        """All ways to place the detectives."""
        return itertools.permutations(range(self.cells), self.detectives)

    # --- positions by number ---

    def code(self, x: int, detectives: Detectives) -> int:
        """The number of a position in the tables."""
        for d in detectives:
            x = x * self.cells + d
        return x

    def position(self, code: int) -> tuple[int, Detectives]:
        x, *detectives = map(int, np.unravel_index(code, [self.cells] * (1 + self.detectives)))
        return x, tuple(detectives)

    def turned(self) -> Array:
        """For each position the least of the eight that are the same but for turns of the board.

        Two detectives who swap places are not the same: the first may not go where the second is.
        """
        cells = np.arange(self.cells).reshape(self.size, self.size)
        views = [np.rot90(c, k).ravel() for c in (cells, cells.T) for k in range(4)]
        places = np.indices([self.cells] * (1 + self.detectives)).reshape(1 + self.detectives, -1)
        shape = [self.cells] * (1 + self.detectives)
        return np.min([np.ravel_multi_index(tuple(view[places]), shape) for view in views], axis=0)


class Stage:
    """The rounds in which Mr X is not seen, as choices of both sides and what they lead to.

    ``weights`` are the chances of where he is, ``replies`` the detectives' moves up to the end. What
    comes then is taken from a table of positions, one entry longer: 1, for Mr X is caught.
    """

    def __init__(
        self, yard: Yard, weights: Mapping[int, float], detectives: Detectives, replies: int
    ) -> None:
        #: The choices of the detectives after a trail, of Mr X there by where he is: their numbers.
        self.hunt: dict[Trail, dict[Detectives, int]] = {}
        self.flee: dict[tuple[Trail, int], dict[int, int]] = {}
        self._entries: list[tuple[int, int, int]] = []
        point: tuple[list[int], list[int]] = [], []
        feeds: tuple[list[tuple[int, int]], list[tuple[int, int]]] = [], []
        #: Trails, the detectives' choice that led there, and Mr X's choices by where he is now.
        now: list[tuple[Trail, int, dict[int, list[int]]]]
        now = [((detectives,), -1, {x: [] for x in weights})]
        caught = yard.cells ** (1 + yard.detectives)
        for left in reversed(range(replies)):
            later = []
            for trail, before, arrivals in now:
                goes: dict[int, list[int]] = defaultdict(list)
                for x, came in arrivals.items():
                    feeds[0].extend((c, len(self.flee)) for c in came)
                    moves = self.flee[trail, x] = {}
                    for to in yard.steps(x, trail[-1]):
                        moves[to] = len(point[0])
                        goes[to].append(moves[to])
                        point[0].append(len(self.flee) - 1)
                if before >= 0:
                    feeds[1].append((before, len(self.hunt)))
                hunt = self.hunt[trail] = {}
                for reply in yard.replies(trail[-1]):
                    choice = hunt[reply] = len(point[1])
                    point[1].append(len(self.hunt) - 1)
                    free = {}
                    for x, choices in goes.items():
                        if yard.caught(x, reply):
                            end = caught
                        elif left == 0:
                            end = yard.code(x, reply)
                        else:
                            free[x] = choices
                            continue
                        self._entries.extend((c, choice, end) for c in choices)
                    if free:
                        later.append(((*trail, reply), choice, free))
            now = later
        start = np.zeros(len(self.flee))
        start[: len(weights)] = list(weights.values())
        self.mr_x = Plans(start, point[0], feeds[0])
        start = np.zeros(len(self.hunt))
        start[0] = 1.0
        self.detectives = Plans(start, point[1], feeds[1])

    def payoff(self, table: Array) -> csr_array:
        """The detectives' chances, Mr X's choices × theirs."""
        low, high, end = np.array(self._entries).T
        shape = len(self.mr_x), len(self.detectives)
        return coo_array((table[end], (low, high)), shape).tocsr()

    def solve(self, bounds: Array) -> tuple[Solution, float, float]:
        """Best plans, and bounds of the value, from bounds of what comes after."""
        found = solve(self.payoff(bounds[0]), self.mr_x, self.detectives)
        most = at_most(self.payoff(bounds[1]), self.detectives, found.low)
        return found, found.at_least, most


class Exact:
    """A solved grid: tables of bounds, 2 × positions, by the rounds that are over.

    ``unseen[r]``: Mr X is about to move and everybody knows where he is; he shows himself only
    some rounds later. ``shown[r]``: he has just shown himself in round r, the detectives reply.
    ``ends[r]``: what follows a stage that began after r rounds, once Mr X moves again.
    """

    def __init__(self, yard: Yard, tell: Callable[[str], None] = lambda words: None) -> None:
        self.yard = yard
        self.shown: dict[int, Array] = {}
        self.unseen: dict[int, Array] = {}
        self.ends: dict[int, Array] = {}
        turned = yard.turned()
        places = [(int(c), *yard.position(int(c))) for c in np.unique(turned)]
        self.places = [p for p in places if len({p[1], *p[2]}) == 1 + yard.detectives]
        for over in reversed(range(0, yard.rounds, yard.reveal)):
            self.ends[over] = self._filled(turned, functools.partial(self._end, over))
            if over == 0:  # nobody is shown before the game
                break
            self.unseen[over] = self._filled(turned, functools.partial(self._unseen, over))
            self.shown[over] = self._filled(turned, functools.partial(self._shown, over))
            tell(f"solved from round {over} on")

    def _filled(self, turned: Array, value: Callable[[int, Detectives], Any]) -> Array:
        """A table of all positions; those that are the same but for a turn get the same."""
        table = np.full((2, self.yard.cells ** (1 + self.yard.detectives) + 1), np.nan)
        table[:, -1] = 1.0
        for code, x, detectives in self.places:
            table[:, code] = value(x, detectives)
        table[:, :-1] = table[:, turned]
        return table

    def hidden(self, over: int) -> int:
        """The detectives' replies in a stage after which Mr X still is not seen."""
        left = self.yard.rounds - over
        return self.yard.reveal - 1 if left >= self.yard.reveal else left

    def _end(self, over: int, x: int, detectives: Detectives) -> Any:
        """Mr X chooses where he shows himself; after the last round he has won."""
        yard, then = self.yard, over + self.yard.reveal
        if then > yard.rounds:
            return 0.0
        if then == yard.rounds:
            return min((self._last(to, detectives) for to in yard.steps(x, detectives)), default=1)
        codes = [yard.code(to, detectives) for to in yard.steps(x, detectives)]
        return self.shown[then][:, codes].min(axis=1) if codes else 1.0

    def _last(self, x: int, detectives: Detectives) -> float:
        """Whether he is caught after he has shown himself in the last round."""
        return float(any(self.yard.caught(x, reply) for reply in self.yard.replies(detectives)))

    def _unseen(self, over: int, x: int, detectives: Detectives) -> Any:
        if not self.yard.steps(x, detectives):
            return 1.0
        if self.hidden(over) == 0:
            return self.ends[over][:, self.yard.code(x, detectives)]
        return self.stage(over, {x: 1.0}, detectives).solve(self.ends[over])[1:]

    def _shown(self, over: int, x: int, detectives: Detectives) -> Any:
        replies = self.yard.replies(detectives)
        if any(self.yard.caught(x, reply) for reply in replies):
            return 1.0
        codes = [self.yard.code(x, reply) for reply in replies]
        return self.unseen[over][:, codes].max(axis=1)

    def stage(self, over: int, weights: Mapping[int, float], detectives: Detectives) -> Stage:
        return Stage(self.yard, weights, detectives, self.hidden(over))

    # --- the beginning ---

    def opening(self, detectives: Detectives) -> tuple[dict[int, float], float]:
        """Where Mr X may start, each with its chance, and the chance that he is caught there."""
        free = [x for x in range(self.yard.cells) if x not in detectives]
        weights = {x: 1 / len(free) for x in free if self.yard.steps(x, detectives)}
        return weights, 1 - len(weights) / len(free)

    def start(self, detectives: Detectives) -> tuple[float, float]:
        """Bounds of the value when the detectives start there and Mr X on any other cell."""
        weights, caught = self.opening(detectives)
        if self.hidden(0) == 0:
            codes = [self.yard.code(x, detectives) for x in weights]
            low, high = self.ends[0][:, codes] @ np.array(list(weights.values()))
        else:
            _, low, high = self.stage(0, weights, detectives).solve(self.ends[0])
        return caught + float(low), caught + float(high)

    def value(self) -> tuple[float, float]:
        """Bounds of the value of the game."""
        found = self.by_start()
        low, high = np.array(list(found.values())).mean(axis=0)
        return float(low), float(high)

    @functools.cache  # noqa: B019 - one table as long as the solution lives
    def by_start(self) -> dict[Detectives, tuple[float, float]]:
        """Bounds of the value by where the detectives start."""
        known: dict[Detectives, tuple[float, float]] = {}
        turned = Yard.turned(self.yard)
        for detectives in self.yard.starts():
            # Where Mr X starts does not matter here: any cell tells which turns are the same.
            same = min(
                self.yard.position(int(turned[self.yard.code(x, detectives)]))[1]
                for x in range(self.yard.cells)
            )
            if same not in known:
                known[same] = self.start(same)
            known[detectives] = known[same]
        return {detectives: known[detectives] for detectives in self.yard.starts()}
