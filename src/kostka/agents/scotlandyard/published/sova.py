"""Sova's Monte Carlo tree search (Brno 2021), the baseline of Gerza's thesis.

A level of the tree is a whole round: the moves of all detectives and the one of Mr X together.
Detectives search as if Mr X were at one of the stations where he can be, drawn once. A playout
brings points for how near the detectives come and how soon they catch him, and these are summed up,
not averaged, so whatever began well is searched again and again. As published, captures count in
playouts only: the tree goes on through them, and detectives do not see that they can catch Mr X
right now. Unlike the published code, Mr X never steps onto a detective: our rules forbid it.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from kostka.agents.base import Kind
from kostka.agents.scotlandyard.published.lean import (
    WAYS,
    another_step,
    cells_taken,
    combine,
    detective_goes,
    detectives_step,
    is_caught,
    is_lost,
    is_surrounded,
    moves_or_pass,
    mr_x_goes,
    random_move,
)
from kostka.agents.scotlandyard.published.team import (
    BUDGET,
    DOUBT,
    Team,
    Tree,
    anywhere,
    doubt,
    lead,
    most_promising,
    root_of_log,
)
from kostka.core.game import Game, Option
from kostka.core.kernels import kernel
from kostka.core.memory import copy, restore
from kostka.core.record import new, record
from kostka.core.rng import below
from kostka.games.scotlandyard.actions import PASS, station_of
from kostka.games.scotlandyard.rules import random_possible
from kostka.games.scotlandyard.state import (
    DETECTIVES_WON,
    FUGITIVE,
    MAX_PIECES,
    UNKNOWN,
)

Node = record(
    "scotlandyard.sova.node",
    visits="i4",
    first="i4",  # the children lie side by side
    children="i4",
    tried="i4",  # children that were visited, which are the first of them
    action=("i2", MAX_PIECES),  # by piece, Mr X's too
    lost="i4",  # whether Mr X has lost after the detectives' moves, once they were tried
)

Search = record(
    "scotlandyard.sova.search",
    c="f8",
    hunt="i4",  # whether the detectives search, not Mr X
    piece="i4",  # the first detective who still moves in this turn
    ends="i4",  # whether a capture ends the game inside the tree too
    nodes="i4",  # in use
)

#: Points of a playout: for a capture 50 for each round that is missing to 100, and for Mr X minus
#: 50 for each round on top of 100; for an escape; for a distance that is too far to be covered.
SPAN, PER_ROUND, ESCAPE = 100, 50, 100
TOO_FAR, FAR_FACTOR = 10, 5


#: What the score of a child begins with: the sum of what all visits brought.
SUM = 0


# --- a round, as either side searches it ---


@kernel
def points_of_distance(s, distance):
    """How far the detectives are from Mr X; what is too far for the rounds left counts more."""
    total = 0
    for piece in range(1, s.pieces):
        d = distance[s.station[piece], s.station[FUGITIVE]]
        total += (d + TOO_FAR) * FAR_FACTOR if d > s.turns - s.turn + 1 else d
    return total


@kernel
def detectives_go(s, out, rng):
    for piece in range(1, s.pieces):
        a = random_move(s, piece, out, rng)
        detective_goes(s, piece, a)


@kernel
def hunt(s, distance, out, rng):
    """A random game from the detectives' turn on, and its points for them."""
    points = 0
    while True:
        detectives_go(s, out, rng)
        if is_caught(s) or is_surrounded(s):
            return points + (SPAN - s.turn + 1) * PER_ROUND
        if s.turn >= s.turns:
            return points - ESCAPE
        points -= points_of_distance(s, distance)
        mr_x_goes(s, random_move(s, FUGITIVE, out, rng))
        s.turn += 1


@kernel
def flee(s, distance, out, rng):
    """A random game from Mr X's turn on, and its points for him."""
    points = 0
    while True:
        if is_caught(s):
            return points - (SPAN + s.turn - 1) * PER_ROUND
        if s.turn > s.turns:
            return points + ESCAPE
        points += points_of_distance(s, distance)
        if is_surrounded(s):
            return points - ESCAPE
        mr_x_goes(s, random_move(s, FUGITIVE, out, rng))
        detectives_go(s, out, rng)
        s.turn += 1


@kernel
def hunt_on_grid(s, distance, cells, rng):
    """The same as ``hunt``."""
    points, taken, at = 0, cells_taken(s), np.int64(s.station[FUGITIVE])
    while True:
        taken = detectives_step(s, cells, taken, rng)
        if is_lost(s, cells, taken, at):
            return points + (SPAN - s.turn + 1) * PER_ROUND
        if s.turn >= s.turns:
            return points - ESCAPE
        points -= points_of_distance(s, distance)
        to = cells.way[at, below(rng, WAYS)]
        at = np.int64(to) if (taken >> to) & 1 == 0 else another_step(cells, at, taken, rng)
        s.station[FUGITIVE] = at
        s.turn += 1


@kernel
def flee_on_grid(s, distance, cells, rng):
    """The same as ``flee``."""
    points, taken, at = 0, cells_taken(s), np.int64(s.station[FUGITIVE])
    while True:
        if (taken >> at) & 1 == 1:
            return points - (SPAN + s.turn - 1) * PER_ROUND
        if s.turn > s.turns:
            return points + ESCAPE
        points += points_of_distance(s, distance)
        if is_lost(s, cells, taken, at):
            return points - ESCAPE
        to = cells.way[at, below(rng, WAYS)]
        at = np.int64(to) if (taken >> to) & 1 == 0 else another_step(cells, at, taken, rng)
        s.station[FUGITIVE] = at
        taken = detectives_step(s, cells, taken, rng)
        s.turn += 1


# --- the tree ---


@kernel
def grow(tree, scores, roots, settings, root, state, distance, grid, joint, options, path, rng, n):
    """Run ``n`` iterations; returns by how many visits the best move leads."""
    q, s, cells = settings[0], state[0], grid[0]
    copy(s, root[0])
    for _ in range(n):
        restore(s, root[0])
        depth = descend(tree, scores, roots, q, s, joint, options, path, rng)
        points = play_out(q, s, distance, cells, options[FUGITIVE], rng)
        for i in range(depth + 1):
            node = tree[path[i]]
            node.visits += 1
            scores[path[i], SUM] += points
            scores[path[i], DOUBT] = doubt(node.visits, roots)
    return lead(tree)


@kernel
def play_out(q, s, distance, cells, out, rng):
    """The points of a random game from here on."""
    if q.hunt == 0:
        if cells.count > 0:
            return flee_on_grid(s, distance, cells, rng)
        return flee(s, distance, out, rng)
    if s.won == DETECTIVES_WON:
        return (SPAN - s.turn + 1) * PER_ROUND
    if s.turn > s.turns:
        return -ESCAPE
    if cells.count > 0:
        return hunt_on_grid(s, distance, cells, rng)
    return hunt(s, distance, out, rng)


@kernel
def descend(tree, scores, roots, q, s, joint, options, path, rng):
    """Walk down to a node never visited, or to the end of the game; returns the depth."""
    here = depth = path[0] = 0
    explore = q.c * root_of_log(max(tree[0].visits, 1), roots)
    while (depth == 0 or tree[here].visits > 0) and s.turn <= s.turns:
        node = tree[here]
        if node.children == 0:
            expand(tree, scores, q, s, here, joint, options, rng)
            if node.children == 0:
                break
        if node.tried < node.children:
            here = node.first + node.tried
            node.tried += 1
        else:
            here = most_promising(scores, node.first, node.children, explore)
        child, first = tree[here], q.piece if depth == 0 else 1
        depth += 1
        path[depth] = here
        if q.hunt == 0:
            mr_x_goes(s, child.action[FUGITIVE])
        for piece in range(first, s.pieces):
            detective_goes(s, piece, child.action[piece])
        if child.visits == 0:
            child.lost = is_surrounded(s) or (q.ends == 1 and is_caught(s))
        if child.lost == 1:
            s.won = DETECTIVES_WON
            break
        if q.hunt == 1:
            mr_x_goes(s, child.action[FUGITIVE])
        s.turn += 1
    return depth


@kernel
def expand(tree, scores, q, s, here, joint, options, rng):
    """Give a node all its children at once: each combination of moves with each move of Mr X."""
    tree[here].first = q.nodes
    if q.hunt == 1:
        first = q.piece if here == 0 else 1
        for i in range(combine(s, first, joint, options, rng)):
            add_replies(tree, scores, q, s, here, first, joint[i], options)
        return
    at, out = s.station[FUGITIVE], options[FUGITIVE]
    for i in range(moves_or_pass(s, FUGITIVE, out)):
        if out[i] != PASS:
            s.station[FUGITIVE] = station_of(out[i])
        for m in range(combine(s, 1, joint, options, rng)):
            add(tree, scores, q, s, here, 1, joint[m], out[i])
    s.station[FUGITIVE] = at


@kernel
def add_replies(tree, scores, q, s, here, first, actions, options):
    """The children for a combination of the detectives; PASS where Mr X has no reply."""
    home, out = options[MAX_PIECES], options[FUGITIVE]
    for piece in range(first, s.pieces):
        home[piece] = s.station[piece]
        if actions[piece] != PASS:
            s.station[piece] = station_of(actions[piece])
    for i in range(moves_or_pass(s, FUGITIVE, out)):
        add(tree, scores, q, s, here, first, actions, out[i])
    for piece in range(first, s.pieces):
        s.station[piece] = home[piece]


@kernel
def add(tree, scores, q, s, here, first, actions, a):
    """One more child, when there is room."""
    if q.nodes >= len(tree):
        return
    child = tree[q.nodes]
    scores[q.nodes, SUM] = 0.0
    child.visits = child.first = child.children = child.tried = 0
    for piece in range(MAX_PIECES):
        child.action[piece] = actions[piece] if first <= piece < s.pieces else 0
    child.action[FUGITIVE] = a
    q.nodes += 1
    tree[here].children += 1


# --- the agent ---


@dataclass(frozen=True)
class SovaSettings:
    """The parameters of the search."""

    iterations: int
    seconds: float
    c: float = 100.0
    captures: bool = False

    def search(self, one: np.ndarray, rng: np.ndarray) -> "SovaTree":
        return SovaTree(one, rng, self)


class SovaTree(Tree):
    """One search of Sova's from one position, with one guess of where Mr X is."""

    def __init__(self, one: np.ndarray, rng: np.ndarray, settings: SovaSettings) -> None:
        super().__init__(one, Node)
        s = self.buffer[0]
        if s.station[FUGITIVE] == UNKNOWN:
            s.station[FUGITIVE] = random_possible(s, rng)
        s.turns = min(s.turns, s.turn + s.slots - s.moves - (1 - self.hunt))
        self.rng = rng
        self.settings = new(
            Search,
            c=float(settings.c),
            hunt=self.hunt,
            piece=int(s.piece),
            ends=int(settings.captures),
            nodes=1,
        )

    def total(self, nodes: np.ndarray, scores: np.ndarray) -> np.ndarray:
        return scores[:, SUM]

    def _grow(self, iterations: int) -> int:
        return grow(
            self.tree,
            self.scores,
            self.roots,
            self.settings,
            self.buffer,
            self.state,
            self.distance,
            self.cells,
            self.joint,
            self.options,
            self.path,
            self.rng,
            iterations,
        )


def sova(game: Game, **parameters: Any) -> Team:
    return Team(SovaSettings(**parameters), anywhere)


KINDS = {
    "mcts-sova": Kind(
        "Sova's tree search (Brno 2021): a whole round a level, one guess of where Mr X is",
        sova,
        (
            *BUDGET,
            Option("c", 100.0, "how much to explore", 0, 1e6),
            Option("captures", False, "captures end the game in the tree too; as published: not"),
        ),
    )
}
