"""Searches in which the detectives decide together.

All detectives search from where their turn began, with a random stream
that is named by that position, which everybody knows, and each plays his part of the move they all
find. Where that cannot be known (an agent that was seated in the middle of a turn), or where
somebody has played something else, the best move that fits what was played is looked for.
"""

import functools
import hashlib
import math
import time
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np

from kostka.agents.base import Observation, Player
from kostka.agents.scotlandyard.published.lean import MAX_MOVES, cells
from kostka.core.errors import KostkaError
from kostka.core.game import Option
from kostka.core.kernels import kernel
from kostka.core.record import clone
from kostka.core.rng import below, stream
from kostka.core.state import View
from kostka.games.scotlandyard.actions import PASS, station_of
from kostka.games.scotlandyard.heuristics import distances
from kostka.games.scotlandyard.rules import (
    learn_he_can_move,
    learn_station,
    learn_ticket,
    spend,
)
from kostka.games.scotlandyard.state import (
    DETECTIVES,
    FUGITIVE,
    MAX_PIECES,
    MR_X,
    NO_DOUBLE,
    UNKNOWN,
    UNLIMITED,
    State,
)

#: Untouched memory costs nothing, so there is room for long searches.
NODES = 1 << 22

#: Combinations at a node; of more than these a random choice is taken.
WIDEST = 4096

#: Two levels a round, and the root.
LONGEST_PATH = 128

#: The lead of an only child.
NO_RIVAL = 1 << 40

#: Iterations at once: at most between looks at the clock, at least to see if a search is decided.
SLICE, LEAST = 1000, 20

#: Plain Python of the thesis's kind does 8 000 to 30 000 iterations in its second, measured on a
#: present machine and by how it copies positions; more where the game is nearly over.
BUDGET = (
    Option("iterations", 10_000, "iterations per decision", 0, 1e8),
    Option("seconds", 0.0, "time per decision instead of iterations", 0, 3600),
)


# --- what all trees do ---

#: The score of a node, in an array of its own so that many can be looked over fast: what it brought
#: (the mean, or as a search has it), and one over the root of the visits.
MEAN, DOUBT = range(2)

#: Visits for which roots are known in advance.
KNOWN = 1 << 14


@functools.cache
def roots() -> np.ndarray:
    """For numbers of visits the root of the logarithm, and one over the root."""
    found = np.zeros((KNOWN, 2))
    fill_roots(found)
    return found


@kernel
def fill_roots(found):
    for n in range(1, len(found)):
        found[n, 0], found[n, 1] = math.sqrt(math.log(n)), 1.0 / math.sqrt(n)


@kernel
def root_of_log(n, roots):
    return roots[n, 0] if n < len(roots) else math.sqrt(math.log(n))


@kernel
def doubt(n, roots):
    return roots[n, 1] if n < len(roots) else 1.0 / math.sqrt(n)


@kernel
def most_promising(scores, first, count, explore):
    """Of some children side by side the first with the highest score."""
    best, highest = first, scores[first, MEAN] + explore * scores[first, DOUBT]
    for child in range(first + 1, first + count):
        score = scores[child, MEAN] + explore * scores[child, DOUBT]
        if score > highest:
            best, highest = child, score
    return np.int64(best)


@kernel
def lead(tree):
    """By how many visits the most visited child of the root is ahead of all others."""
    most = second = 0
    for child in range(tree[0].first, tree[0].first + tree[0].children):
        visits = tree[child].visits
        if visits > most:
            most, second = visits, most
        elif visits > second:
            second = visits
    return most - second if tree[0].children != 1 else NO_RIVAL


# --- a search ---


@dataclass(frozen=True)
class Joint:
    """A move considered at the root: an action for each piece (of Mr X below a root of the
    detectives where he may be), how often it was tried, and what it brought on average."""

    actions: tuple[int, ...]
    visits: int
    value: float


#: Memory of searches that are over, by kind of node: to be given new memory takes its time.
spare: dict[np.dtype, list[tuple[np.ndarray, np.ndarray]]] = defaultdict(list)

#: Of larger searches it goes back to the machine.
MOST_SPARE = 1 << 17


def memory(node: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """Room for nodes and their scores."""
    try:
        return spare[node].pop()
    except IndexError:
        return np.empty(NODES, node), np.empty((NODES, 2))


class Tree(ABC):
    """A search from one position that can be run on; ``_grow`` says what an iteration is."""

    settings: np.ndarray

    def __init__(self, one: np.ndarray, node: np.dtype) -> None:
        self.buffer, self.state = clone(one), clone(one)
        self.buffer[0].half = NO_DOUBLE  # trees know nothing of double moves
        s = one[0]
        self.tree, self.scores = memory(node)
        self.tree[:1], self.scores[:1] = 0, 0
        self.roots = roots()
        self.hunt = int(s.phase == DETECTIVES)
        self.distance = distances(s)
        self.cells = cells(s)
        self.joint = np.zeros((WIDEST, MAX_PIECES), np.int64)
        self.options = np.zeros((MAX_PIECES + 3, MAX_MOVES), np.int64)
        self.path = np.zeros(LONGEST_PATH, np.int64)
        self.done = 0

    @abstractmethod
    def _grow(self, iterations: int) -> int:
        """Run so many iterations; returns the lead of the most visited move."""

    def run(self, iterations: int) -> Self:
        """Run so many iterations more, in slices so that Python stays in charge."""
        end = self.done + iterations
        while self.done < end:
            step = min(SLICE, end - self.done)
            self._grow(step)
            self.done += step
        return self

    def decide(self, iterations: int) -> Self:
        """The same, but stop as soon as no other move can become the most visited one."""
        end, lead = self.done + iterations, 0
        while lead <= (left := end - self.done) > 0:
            # An iteration adds at most one to the lead, and there is one less to come. The first
            # one tells whether there is a choice at all.
            step = max((left - lead) // 2 + 1, LEAST) if self.done else 1
            step = min(step, SLICE, left)
            lead = self._grow(step)
            self.done += step
        return self

    def run_for(self, seconds: float) -> Self:
        """Run for a time."""
        end = time.perf_counter() + seconds
        while True:
            self.run(SLICE // 20)
            if time.perf_counter() >= end:
                return self

    @property
    def root(self) -> list[Joint]:
        """What was considered, the most visited first; of equals the first one found."""
        first, count = int(self.tree["first"][0]), int(self.tree["children"][0])
        nodes = self.tree[first : first + count]
        order = np.argsort(-nodes["visits"], kind="stable")
        actions, visits = nodes["action"][order].tolist(), nodes["visits"][order]
        scores = self.scores[first : first + count]
        values = self.total(nodes, scores)[order] / np.maximum(visits, 1)
        columns = zip(actions, visits.tolist(), values.tolist(), strict=True)
        return [Joint(tuple(a), n, value) for a, n, value in columns]

    def give_back(self) -> None:
        """Leave the memory to the next search; this one is over."""
        if self.settings["nodes"][0] <= MOST_SPARE:
            spare[self.tree.dtype].append((self.tree, self.scores))
        del self.tree, self.scores

    @abstractmethod
    def total(self, nodes: np.ndarray, scores: np.ndarray) -> np.ndarray:
        """What all visits of each node brought."""


class Settings(Protocol):
    """The budget of a search, and how to begin one from a position."""

    @property
    def iterations(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    def __hash__(self) -> int: ...

    def search(self, one: np.ndarray, rng: np.ndarray) -> Tree: ...


def think(settings: Settings, one: np.ndarray, rng: np.ndarray) -> Tree:
    """Search with the budget of the settings."""
    search = settings.search(one, rng)
    if settings.seconds:
        return search.run_for(settings.seconds)
    return search.run(settings.iterations)


def best(settings: Settings, one: np.ndarray, rng: np.ndarray) -> Joint:
    """The move that ``think`` visits most, found without what cannot change it any more."""
    if settings.seconds:
        return think(settings, one, rng).root[0]
    search = settings.search(one, rng).decide(settings.iterations)
    found = search.root[0]
    search.give_back()
    return found


# --- the agents ---


def agree(settings: Settings, content: bytes) -> Iterator[Joint]:
    """What the detectives consider together, best first, from the bytes of what all of them know.

    Every seat can find it by himself; remembering it only saves him the time.
    """
    yield agree_on_one(settings, content)
    yield from agree_on_all(settings, content)


@functools.lru_cache(maxsize=64)
def agree_on_one(settings: Settings, content: bytes) -> Joint:
    """The best of all; nobody asks for more as long as everybody plays his part."""
    if settings.seconds:
        return agree_on_all(settings, content)[0]
    return best(settings, *in_common(content))


@functools.lru_cache(maxsize=64)
def agree_on_all(settings: Settings, content: bytes) -> list[Joint]:
    return think(settings, *in_common(content)).root


def in_common(content: bytes) -> tuple[np.ndarray, np.ndarray]:
    """The position, and the random stream that is named by it."""
    one = np.frombuffer(bytearray(content), State)
    return one, stream("joint", hashlib.sha256(content).hexdigest())


def turn_began(then: np.ndarray, now: np.ndarray) -> np.ndarray | None:
    """What everybody knew when the detectives' turn began, from a view of the turn before.

    Detectives who had moved by then stand where they stood at the end of that turn, and where Mr X
    can be is carried forward from it. None when the views do not fit together.
    """
    before, after, start = then[0], now[0], clone(now)
    s, moved = start[0], slice(1, int(after.piece))
    if before.turn + 1 != after.turn or before.piece < after.piece:
        return None
    s.piece = s.seat = 1
    s.station[moved], s.tickets[moved] = before.station[moved], before.tickets[moved]
    if s.inherits:
        s.tickets[FUGITIVE] -= (before.tickets[moved] - after.tickets[moved]).sum(axis=0)
    used = after.log[before.moves : after.moves]
    for kind in used:
        s.tickets[FUGITIVE, kind] += s.tickets[FUGITIVE, kind] != UNLIMITED
    s.possible[:] = before.possible
    s.possible[s.station[1 : s.pieces]] = 0
    if s.surrounded:
        learn_he_can_move(s)
    for slot, kind in enumerate(used, int(before.moves)):
        spend(s, FUGITIVE, kind)
        if s.seen[slot] != UNKNOWN:
            learn_station(s, s.seen[slot])
        else:
            learn_ticket(s, kind)
    known = s.possible.copy()
    known[after.station[moved]] = 0
    return start if np.array_equal(known, after.possible) else None


def last_seen(s: Any) -> int:
    """Where Mr X last showed himself; UNKNOWN if he has not."""
    shown = s.seen[: s.moves][s.seen[: s.moves] != UNKNOWN]
    return int(shown[-1]) if len(shown) else UNKNOWN


class Team(Player):
    """Mr X searches for himself; each detective plays his part of what they find together."""

    def __init__(self, settings: Settings, opening: Callable[[Any, list[int]], list[int]]) -> None:
        if not settings.iterations and not settings.seconds:
            raise KostkaError("this search needs a budget: iterations or seconds")
        self.settings = settings
        #: Which of the legal actions to draw from, before Mr X is first seen.
        self.opening = opening
        self.last: np.ndarray | None = None
        self.start: np.ndarray | None = None

    def begin(self, seat: int, rng: np.ndarray) -> None:
        super().begin(seat, rng)
        self.last = self.start = None

    def act(self, view: View) -> int:
        legal = view.legal_actions
        if view.record.phase == MR_X:
            if len(legal) == 1:
                return legal[0]
            return best(self.settings, view.buffer, self.rng).actions[FUGITIVE]
        self.remember(view.buffer)
        if len(legal) == 1:
            return legal[0]
        if last_seen(view.record) == UNKNOWN:
            draw = self.opening(view.record, legal)
            return draw[below(self.rng, len(draw))]
        part = None if self.start is None else self.part(self.start, view.buffer)
        if part is None:
            return agree_on_one(self.settings, view.buffer.tobytes()).actions[view.record.piece]
        return part

    def observe(self, event: Observation) -> None:
        if event.view is not None and event.view.record.phase == DETECTIVES:
            self.remember(event.view.buffer)

    def remember(self, one: np.ndarray) -> None:
        """Keep how this turn began, and this view for the next turn; once is enough."""
        s = one[0]
        if self.last is not None and self.last.tobytes() == one.tobytes():
            return
        if s.piece == 1:
            self.start = one
        elif self.start is None or self.start[0].turn != s.turn:
            self.start = None if self.last is None else turn_began(self.last, one)
        self.last = one

    def part(self, start: np.ndarray, now: np.ndarray) -> int | None:
        """The part of the piece to move in the best move that fits what others have played."""
        s, piece = now[0], int(now[0].piece)
        for joint in agree(self.settings, start.tobytes()):
            went = range(int(start[0].piece), piece)
            if all(_lands(joint.actions[i], start[0].station[i], s.station[i]) for i in went):
                return joint.actions[piece]
        return None


def _lands(action: int, home: int, station: int) -> bool:
    return (home if action == PASS else station_of(action)) == station


def anywhere(s: Any, legal: list[int]) -> list[int]:
    """Any move."""
    return legal


def towards_centre(s: Any, legal: list[int]) -> list[int]:
    """The moves that lead nearest to the station from which all others are nearest."""
    board = np.flatnonzero(s.degree)
    distance = distances(s)
    centre = board[distance[np.ix_(board, board)].sum(axis=1).argmin()]
    steps = [distance[station_of(a), centre] for a in legal]
    return [a for a, d in zip(legal, steps, strict=True) if d == min(steps)]
