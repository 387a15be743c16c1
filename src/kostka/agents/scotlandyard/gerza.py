"""Gerza's Monte Carlo tree search (Brno 2022), in the four stages of the thesis.

Levels alternate between Mr X and all detectives together: every combination of their moves is a
child. Wins are those of who searches, on every level, so the opponent is searched as if he helped;
the surviving code of the thesis does the same. In the final stage a capture is worth more the
sooner it comes, by the share of the rounds that are left; the thesis prints the opposite sign
(``early=later``), and its code has nothing of it any more (``early=none``).

Detectives decide together: all of them search from where their turn began, with a random stream
that is named by that position, which everybody knows, and each plays his part of the move they all
find. Where that cannot be known (an agent that was seated in the middle of a turn), or where
somebody has played something else, the best move that fits what was played is looked for.
"""

import functools
import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np

from kostka.agents.base import Kind, Player
from kostka.core.errors import KostkaError
from kostka.core.game import Game, Option
from kostka.core.kernels import kernel
from kostka.core.memory import copy, restore
from kostka.core.record import clone, new, record
from kostka.core.rng import below, stream
from kostka.core.state import View
from kostka.games.scotlandyard.actions import PASS, kind_of, move_code, station_of
from kostka.games.scotlandyard.rules import (
    can_move,
    detectives_turn,
    end,
    is_free,
    learn_he_can_move,
    learn_station,
    learn_ticket,
    moves,
    spend,
)
from kostka.games.scotlandyard.state import (
    DETECTIVES,
    DETECTIVES_WON,
    DONE,
    FERRY,
    FUGITIVE,
    MAX_LINES,
    MAX_PIECES,
    MAX_STATIONS,
    MR_X,
    MR_X_WON,
    NO_DOUBLE,
    TAXI,
    UNKNOWN,
    UNLIMITED,
    State,
)

Node = record(
    "scotlandyard.gerza.node",
    wins="f8",  # of who searches
    ratio="f8",  # wins a visit
    doubt="f8",  # one over the root of the visits
    visits="i4",
    first="i4",  # the children lie side by side
    children="i4",
    tried="i4",  # children that were visited, which are the first of them
    action=("i2", MAX_PIECES),  # by piece; of Mr X below the detectives' root: where he may be
)

Search = record(
    "scotlandyard.gerza.search",
    c="f8",
    stage="i4",
    hunt="i4",  # whether the detectives search, not Mr X
    piece="i4",  # the first detective who still moves in this turn
    places="i4",  # where Mr X may be
    every="i4",  # whether a combination must not lead away from any of these places, or from one
    early="i4",
    catch="i4",  # whether detectives in playouts take a Mr X whom they see
    nodes="i4",  # in use
)

BASIC, CENTRE, PLACES, FINAL = 1, 2, 3, 4

#: On top of the win: for a capture right below the root.
CAPTURE = 9.0

#: What an early capture is worth on top: nothing, its share of all rounds, or of those left.
NO_MATTER, LATER, SOONER = range(3)
EARLY = ("none", "later", "sooner")

#: Untouched memory costs nothing, so there is room for long searches.
NODES = 1 << 22
MAX_MOVES = 2 * MAX_LINES

#: Combinations at a node; of more than these a random choice is taken.
WIDEST = 4096

#: Two levels a round, and the root.
LONGEST_PATH = 128

#: Steps tried on a grid before the legal ones are listed.
TRIES = 4

#: Iterations between looks at the clock.
SLICE = 500


# --- a game without belief and log, which playouts and trees do not need ---


@kernel
def mr_x_goes(s, a):
    """Where he has nowhere to go, and is not caught for that, he passes."""
    if a != PASS:
        spend(s, FUGITIVE, kind_of(a))
        s.station[FUGITIVE] = station_of(a)


@kernel
def mr_x_went(s):
    s.moves += 1
    detectives_turn(s)


@kernel
def detective_goes(s, piece, a):
    if a != PASS:
        spend(s, piece, kind_of(a))
        if s.inherits == 1:
            s.tickets[FUGITIVE, kind_of(a)] += 1
        s.station[piece] = station_of(a)


@kernel
def detectives_went(s):
    """All detectives have moved: Mr X may be caught or surrounded, or the game over."""
    if is_caught(s) or is_surrounded(s):
        end(s, DETECTIVES_WON)
    elif s.moves == s.slots or s.turn == s.turns:
        end(s, MR_X_WON)
    else:
        s.turn += 1
        s.phase = MR_X


@kernel
def is_caught(s):
    there = 0
    for piece in range(1, s.pieces):
        there += s.station[piece] == s.station[FUGITIVE]
    return there > 0


@kernel
def is_surrounded(s):
    return s.surrounded == 1 and not can_move(s, FUGITIVE, s.station[FUGITIVE])


@kernel
def moves_or_pass(s, piece, out):
    """The moves of a piece, double moves left out."""
    k = moves(s, piece, out)
    if k == 0:
        out[0] = PASS
        return 1
    return k


@kernel
def play_out(s, catch, out, rng):
    """Random moves of both sides to the end."""
    while s.phase != DONE:
        if s.phase == MR_X:
            mr_x_goes(s, random_move(s, FUGITIVE, out, rng))
            mr_x_went(s)
            continue
        sees = catch == 1 and s.reveal[s.moves - 1] == 1
        for piece in range(1, s.pieces):
            a = random_move(s, piece, out, rng)
            if sees:
                a = catching_move(s, piece, out, a)
            detective_goes(s, piece, a)
        detectives_went(s)


@kernel
def random_move(s, piece, out, rng):
    """A legal move, all as likely; on a grid usually found faster by trying random steps."""
    at = s.station[piece]
    for _ in range(TRIES if s.side > 0 else 0):
        to = s.to[at, below(rng, s.degree[at])]
        if is_free(s, to):
            return np.int64(move_code(TAXI, to))
    return np.int64(out[below(rng, moves_or_pass(s, piece, out))])


@kernel
def catching_move(s, piece, out, otherwise):
    """The move onto Mr X, if there is one."""
    for i in range(moves(s, piece, out)):
        if station_of(out[i]) == s.station[FUGITIVE]:
            return np.int64(out[i])
    return np.int64(otherwise)


@kernel
def combine(s, first, joint, options, rng):
    """Every combination of moves of the detectives from one on, in the order in which they move.

    When there are too many, a random choice of them, all as likely.
    """
    home, count, index = options[MAX_PIECES], options[MAX_PIECES + 1], options[MAX_PIECES + 2]
    found, piece = 0, first
    home[piece], index[piece] = s.station[piece], 0
    count[piece] = moves_or_pass(s, piece, options[piece])
    while piece >= first:
        if index[piece] == count[piece]:
            s.station[piece] = home[piece]
            piece -= 1
            continue
        a = options[piece, index[piece]]
        index[piece] += 1
        s.station[piece] = home[piece] if a == PASS else station_of(a)
        if piece + 1 < s.pieces:
            piece += 1
            home[piece], index[piece] = s.station[piece], 0
            count[piece] = moves_or_pass(s, piece, options[piece])
            continue
        found += 1
        row = found - 1 if found <= len(joint) else below(rng, found)
        if row < len(joint):
            for other in range(first, s.pieces):
                joint[row, other] = options[other, index[other] - 1]
    return min(found, len(joint))


# --- what the final stage leaves out ---


@kernel
def keep_clear(s, out, k, distance):
    """Only the moves of Mr X that do not lead next to a detective, if there are any."""
    kept = 0
    for i in range(k):
        if nearest(s, station_of(out[i]), distance) > 1:
            out[kept] = out[i]
            kept += 1
    return kept if kept > 0 else k


@kernel
def nearest(s, station, distance):
    least = distance[s.station[1], station]
    for piece in range(2, s.pieces):
        least = min(least, distance[s.station[piece], station])
    return least


@kernel
def keep_close(s, first, every, joint, n, places, count, distance):
    """Only the combinations in which no detective gets farther from a place where Mr X may be.

    One such place is enough (as in the code of the thesis), or it must be so for every place (as
    in its text). If no combination is left, all are.
    """
    kept = 0
    for i in range(n):
        fits = 0
        for m in range(count):
            fits += not leads_away(s, first, joint[i], places[m], distance)
        if fits == count or (fits > 0 and every == 0):
            for piece in range(first, s.pieces):
                joint[kept, piece] = joint[i, piece]
            kept += 1
    return kept if kept > 0 else n


@kernel
def leads_away(s, first, actions, place, distance):
    for piece in range(first, s.pieces):
        a = actions[piece]
        if a != PASS and distance[station_of(a), place] > distance[s.station[piece], place]:
            return True
    return False


# --- the tree ---


@kernel
def grow(tree, settings, root, state, distance, places, joint, options, path, rng, n):
    """Run ``n`` iterations."""
    q, s = settings[0], state[0]
    copy(s, root[0])
    for _ in range(n):
        restore(s, root[0])
        depth = descend(tree, q, s, distance, places, joint, options, path, rng)
        gain = 0.0
        if q.hunt == 1 and q.stage >= PLACES and depth == 1 and s.phase == DONE and is_caught(s):
            gain = 1.0 + CAPTURE
        else:
            play_out(s, q.catch, options[FUGITIVE], rng)
            if s.won == (DETECTIVES_WON if q.hunt == 1 else MR_X_WON):
                gain = 1.0 + early(q, s)
        for i in range(depth + 1):
            node = tree[path[i]]
            node.wins += gain
            node.visits += 1
            node.ratio = node.wins / node.visits
            node.doubt = 1.0 / np.sqrt(node.visits)


@kernel
def early(q, s):
    """What a capture is worth on top, by its round."""
    if q.hunt == 0 or q.stage < FINAL or q.early == NO_MATTER:
        return 0.0
    return (s.turn if q.early == LATER else s.turns - s.turn) / s.turns


@kernel
def descend(tree, q, s, distance, places, joint, options, path, rng):
    """Walk down to a node never visited, or to the end of the game; returns the depth."""
    here = depth = path[0] = 0
    while tree[here].visits > 0 and s.phase != DONE:
        if tree[here].children == 0:
            expand(tree, q, s, here, distance, places, joint, options, rng)
            if tree[here].children == 0:
                break
        here = choose(tree, here, q.c)
        follow(s, tree[here].action, q.piece if depth == 0 else 1, q.hunt == 1 and depth == 0)
        depth += 1
        path[depth] = here
    return depth


@kernel
def choose(tree, here, c):
    """The first child never visited; when there is none, the one that UCB1 prefers."""
    node = tree[here]
    if node.tried < node.children:
        node.tried += 1
        return np.int64(node.first + node.tried - 1)
    explore = c * np.sqrt(np.log(node.visits))
    best, best_score = node.first, tree[node.first].ratio + explore * tree[node.first].doubt
    for child in range(node.first + 1, node.first + node.children):
        score = tree[child].ratio + explore * tree[child].doubt
        if score > best_score:
            best, best_score = child, score
    return np.int64(best)


@kernel
def follow(s, action, first, guess):
    """Make the move of a node; below the detectives' root, with the guess of where Mr X is."""
    if s.phase == MR_X:
        mr_x_goes(s, action[FUGITIVE])
        mr_x_went(s)
        return
    if guess:
        s.station[FUGITIVE] = action[FUGITIVE]
    for piece in range(first, s.pieces):
        detective_goes(s, piece, action[piece])
    detectives_went(s)


@kernel
def expand(tree, q, s, here, distance, places, joint, options, rng):
    """Give a node all its children at once, as long as the tree has room for them."""
    if s.phase == MR_X:
        k = moves_or_pass(s, FUGITIVE, options[FUGITIVE])
        if q.stage >= FINAL:
            k = keep_clear(s, options[FUGITIVE], k, distance)
        child = add(tree, q, here, k)
        for i in range(k if child > 0 else 0):
            tree[child + i].action[FUGITIVE] = options[FUGITIVE, i]
        return
    guess = here == 0
    first = q.piece if guess else 1
    spots, count = places[0], q.places
    if not guess:
        spots, count = places[1], 1
        spots[0] = s.station[FUGITIVE]
    n = combine(s, first, joint, options, rng)
    if q.hunt == 1 and q.stage >= FINAL:
        n = keep_close(s, first, q.every, joint, n, spots, count, distance)
    each = count if n * count <= 4 * WIDEST else 1  # too many: one place for a combination
    child = add(tree, q, here, n * each)
    for i in range(n * each if child > 0 else 0):
        action = tree[child + i].action
        for piece in range(first, s.pieces):
            action[piece] = joint[i // each, piece]
        action[FUGITIVE] = spots[i % each if each == count else below(rng, count)]


@kernel
def add(tree, q, here, n):
    """So many new children, of which the first is returned; 0 when there is no room."""
    if q.nodes + n > len(tree):
        return 0
    child = q.nodes
    q.nodes += n
    for i in range(child, child + n):
        clear(tree[i])
    tree[here].first, tree[here].children, tree[here].tried = child, n, 0
    return np.int64(child)


@kernel
def clear(node):
    node.wins = node.ratio = node.doubt = 0.0
    node.visits = node.first = node.children = node.tried = 0
    for piece in range(MAX_PIECES):
        node.action[piece] = 0


# --- the search as Python has it ---


@functools.lru_cache(maxsize=8)
def _distances(to: bytes, kind: bytes, degree: bytes) -> np.ndarray:
    near = np.zeros((MAX_STATIONS, MAX_STATIONS), bool)
    lines = np.frombuffer(to, State["to"].base).reshape(MAX_STATIONS, MAX_LINES)
    kinds = np.frombuffer(kind, State["kind"].base).reshape(MAX_STATIONS, MAX_LINES)
    for i, k in enumerate(np.frombuffer(degree, State["degree"].base)):
        near[i, lines[i, :k][kinds[i, :k] != FERRY]] = True
    table = np.full((MAX_STATIONS, MAX_STATIONS), MAX_STATIONS, np.int64)
    reached = np.eye(MAX_STATIONS, dtype=bool)
    for steps in range(MAX_STATIONS):
        fresh = reached & (table == MAX_STATIONS)
        if not fresh.any():
            break
        table[fresh] = steps
        reached = (fresh.astype(np.int8) @ near.astype(np.int8)) > 0
    return table


def distances(s: Any) -> np.ndarray:
    """Moves that a detective needs from one station to another, tickets left out of account."""
    return _distances(s.to.tobytes(), s.kind.tobytes(), s.degree.tobytes())


def last_seen(s: Any) -> int:
    """Where Mr X last showed himself; UNKNOWN if he has not."""
    shown = s.seen[: s.moves][s.seen[: s.moves] != UNKNOWN]
    return int(shown[-1]) if len(shown) else UNKNOWN


@dataclass(frozen=True)
class Joint:
    """A move considered at the root: an action for each piece (of Mr X below a root of the
    detectives where he may be), how often it was tried, and what it brought on average."""

    actions: tuple[int, ...]
    visits: int
    value: float


class Tree:
    """A search from one position that can be run on; ``_grow`` says what an iteration is."""

    def __init__(self, one: np.ndarray, node: np.dtype) -> None:
        self.one, self.state = clone(one), clone(one)
        self.one[0].half = NO_DOUBLE  # trees know nothing of double moves
        s = one[0]
        self.tree = np.empty(NODES, node)
        self.tree[:1] = 0
        self.hunt = int(s.phase == DETECTIVES)
        self.distance = distances(s)
        self.joint = np.zeros((WIDEST, MAX_PIECES), np.int64)
        self.options = np.zeros((MAX_PIECES + 3, MAX_MOVES), np.int64)
        self.path = np.zeros(LONGEST_PATH, np.int64)
        self.done = 0

    def _grow(self, iterations: int) -> None:
        raise NotImplementedError

    def run(self, iterations: int) -> Self:
        """Run so many iterations more, in slices so that Python stays in charge."""
        end = self.done + iterations
        while self.done < end:
            step = min(SLICE, end - self.done)
            self._grow(step)
            self.done += step
        return self

    def run_for(self, seconds: float) -> Self:
        """Run for a time."""
        end = time.perf_counter() + seconds
        while True:
            self.run(SLICE // 10)
            if time.perf_counter() >= end:
                return self

    @property
    def root(self) -> list[Joint]:
        """What was considered, the most visited first; of equals the first one found."""
        first, count = int(self.tree["first"][0]), int(self.tree["children"][0])
        nodes = self.tree[first : first + count]
        order = np.argsort(-nodes["visits"], kind="stable")
        actions, visits = nodes["action"][order].tolist(), nodes["visits"][order]
        values = self.total(nodes)[order] / np.maximum(visits, 1)
        columns = zip(actions, visits.tolist(), values.tolist(), strict=True)
        return [Joint(tuple(a), n, value) for a, n, value in columns]

    def total(self, nodes: np.ndarray) -> np.ndarray:
        """What all visits of each node brought."""
        raise NotImplementedError


class Settings(Protocol):
    """The budget of a search, and how to begin one from a position."""

    @property
    def iterations(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    def __hash__(self) -> int: ...

    def search(self, one: np.ndarray, rng: np.ndarray) -> Tree: ...


@dataclass(frozen=True)
class GerzaSettings:
    """The parameters of the search."""

    iterations: int
    seconds: float
    stage: int = FINAL
    c: float = 5.0
    filter: str = "code"
    early: str = "sooner"
    playout: str = "uniform"

    def search(self, one: np.ndarray, rng: np.ndarray) -> "GerzaTree":
        return GerzaTree(one, rng, self)


class GerzaTree(Tree):
    """One search of Gerza's from one position, which may hide where Mr X is."""

    def __init__(self, one: np.ndarray, rng: np.ndarray, settings: GerzaSettings) -> None:
        super().__init__(one, Node)
        s = one[0]
        places = np.flatnonzero(s.possible) if settings.stage >= PLACES else [last_seen(s)]
        self.places = np.zeros((2, MAX_STATIONS), np.int64)
        self.places[0, : len(places)] = places
        self.rng = rng
        self.settings = new(
            Search,
            c=float(settings.c),
            stage=settings.stage,
            hunt=self.hunt,
            piece=int(s.piece),
            places=len(places),
            every=int(settings.filter == "text"),
            early=EARLY.index(settings.early),
            catch=int(settings.playout == "catch"),
            nodes=1,
        )
        self.tree["visits"][0] = 1  # the root counts as visited, so it has children at once

    def total(self, nodes: np.ndarray) -> np.ndarray:
        return nodes["wins"]

    def _grow(self, iterations: int) -> None:
        grow(
            self.tree,
            self.settings,
            self.one,
            self.state,
            self.distance,
            self.places,
            self.joint,
            self.options,
            self.path,
            self.rng,
            iterations,
        )


# --- the agents ---


@functools.lru_cache(maxsize=64)
def agree(settings: Settings, content: bytes) -> list[Joint]:
    """What the detectives consider together, from the bytes of the position that all of them know.

    Every seat can find it by himself; remembering it only saves him the time.
    """
    one = np.frombuffer(bytearray(content), State)
    name = hashlib.sha256(content).hexdigest()
    return think(settings, one, stream("joint", name)).root


def think(settings: Settings, one: np.ndarray, rng: np.ndarray) -> Tree:
    """Search with the budget of the settings."""
    search = settings.search(one, rng)
    if settings.seconds:
        return search.run_for(settings.seconds)
    return search.run(settings.iterations)


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
            return think(self.settings, view.one, self.rng).root[0].actions[FUGITIVE]
        self.remember(view.one)
        if len(legal) == 1:
            return legal[0]
        if last_seen(view.record) == UNKNOWN:
            draw = self.opening(view.record, legal)
            return draw[below(self.rng, len(draw))]
        part = None if self.start is None else self.part(self.start, view.one)
        if part is None:
            return agree(self.settings, view.one.tobytes())[0].actions[view.record.piece]
        return part

    def remember(self, one: np.ndarray) -> None:
        """Keep how this turn began, and this view for the next turn."""
        s = one[0]
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


def gerza(game: Game, **parameters: Any) -> Team:
    settings = GerzaSettings(**parameters)
    return Team(settings, towards_centre if settings.stage == CENTRE else anywhere)


#: Plain Python of the thesis's kind does about 10 000 iterations in its second.
BUDGET = (
    Option("iterations", 10_000, "iterations per decision", 0, 1e8),
    Option("seconds", 0.0, "time per decision instead of iterations", 0, 3600),
)

KINDS = {
    "mcts-gerza": Kind(
        "Gerza's tree search (Brno 2022): Mr X and all detectives together take turns in the tree",
        gerza,
        (
            *BUDGET,
            Option("stage", FINAL, "of the thesis's experiments; 4 is the final one", BASIC, FINAL),
            Option("c", 5.0, "how much to explore", 0, 1000),
            Option(
                "filter",
                "code",
                "detectives do not go away from some place of Mr X (the code), or any (the text)",
                choices=("code", "text"),
            ),
            Option("early", "sooner", "captures that are worth more, in stage 4", choices=EARLY),
            Option(
                "playout",
                "uniform",
                "random, or detectives take a Mr X who has just shown himself, as in the code",
                choices=("uniform", "catch"),
            ),
        ),
    )
}
