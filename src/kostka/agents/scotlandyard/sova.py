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
from kostka.agents.scotlandyard.lean import (
    combine,
    detective_goes,
    is_caught,
    is_surrounded,
    moves_or_pass,
    mr_x_goes,
    random_move,
)
from kostka.agents.scotlandyard.team import BUDGET, Team, Tree, anywhere
from kostka.core.game import Game, Option
from kostka.core.kernels import kernel
from kostka.core.memory import copy, restore
from kostka.core.record import new, record
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
    points="f8",  # the sum of what all visits brought
    doubt="f8",  # one over the root of the visits
    visits="i4",
    first="i4",  # the children lie side by side
    children="i4",
    tried="i4",  # children that were visited, which are the first of them
    action=("i2", MAX_PIECES),  # by piece, Mr X's too
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


# --- the tree ---


@kernel
def grow(tree, settings, root, state, distance, joint, options, path, rng, n):
    """Run ``n`` iterations."""
    q, s = settings[0], state[0]
    copy(s, root[0])
    for _ in range(n):
        restore(s, root[0])
        depth = descend(tree, q, s, joint, options, path, rng)
        if q.hunt == 0:
            points = flee(s, distance, options[FUGITIVE], rng)
        elif s.won == DETECTIVES_WON:
            points = (SPAN - s.turn + 1) * PER_ROUND
        elif s.turn > s.turns:
            points = -ESCAPE
        else:
            points = hunt(s, distance, options[FUGITIVE], rng)
        for i in range(depth + 1):
            node = tree[path[i]]
            node.points += points
            node.visits += 1
            node.doubt = 1.0 / np.sqrt(node.visits)


@kernel
def descend(tree, q, s, joint, options, path, rng):
    """Walk down to a node never visited, or to the end of the game; returns the depth."""
    here = depth = path[0] = 0
    explore = q.c * np.sqrt(np.log(max(tree[0].visits, 1)))
    while (depth == 0 or tree[here].visits > 0) and s.turn <= s.turns:
        if tree[here].children == 0:
            expand(tree, q, s, here, joint, options, rng)
            if tree[here].children == 0:
                break
        here = choose(tree, here, explore)
        action, first = tree[here].action, q.piece if depth == 0 else 1
        depth += 1
        path[depth] = here
        if q.hunt == 0:
            mr_x_goes(s, action[FUGITIVE])
        for piece in range(first, s.pieces):
            detective_goes(s, piece, action[piece])
        if is_surrounded(s) or (q.ends == 1 and is_caught(s)):
            s.won = DETECTIVES_WON
            break
        if q.hunt == 1:
            mr_x_goes(s, action[FUGITIVE])
        s.turn += 1
    return depth


@kernel
def choose(tree, here, explore):
    """The first child never visited; when there is none, the one with most points and doubt."""
    node = tree[here]
    if node.tried < node.children:
        node.tried += 1
        return np.int64(node.first + node.tried - 1)
    best, best_score = node.first, tree[node.first].points + explore * tree[node.first].doubt
    for child in range(node.first + 1, node.first + node.children):
        score = tree[child].points + explore * tree[child].doubt
        if score > best_score:
            best, best_score = child, score
    return np.int64(best)


@kernel
def expand(tree, q, s, here, joint, options, rng):
    """Give a node all its children at once: each combination of moves with each move of Mr X."""
    tree[here].first = q.nodes
    if q.hunt == 1:
        first = q.piece if here == 0 else 1
        for i in range(combine(s, first, joint, options, rng)):
            add_replies(tree, q, s, here, first, joint[i], options)
        return
    at, out = s.station[FUGITIVE], options[FUGITIVE]
    for i in range(moves_or_pass(s, FUGITIVE, out)):
        if out[i] != PASS:
            s.station[FUGITIVE] = station_of(out[i])
        for m in range(combine(s, 1, joint, options, rng)):
            add(tree, q, s, here, 1, joint[m], out[i])
    s.station[FUGITIVE] = at


@kernel
def add_replies(tree, q, s, here, first, actions, options):
    """The children for a combination of the detectives; PASS where Mr X has no reply."""
    home, out = options[MAX_PIECES], options[FUGITIVE]
    for piece in range(first, s.pieces):
        home[piece] = s.station[piece]
        if actions[piece] != PASS:
            s.station[piece] = station_of(actions[piece])
    for i in range(moves_or_pass(s, FUGITIVE, out)):
        add(tree, q, s, here, first, actions, out[i])
    for piece in range(first, s.pieces):
        s.station[piece] = home[piece]


@kernel
def add(tree, q, s, here, first, actions, a):
    """One more child, when there is room."""
    if q.nodes >= len(tree):
        return
    child = tree[q.nodes]
    child.points = child.doubt = 0.0
    child.visits = child.first = child.children = child.tried = 0
    child.action[FUGITIVE] = a
    for piece in range(first, s.pieces):
        child.action[piece] = actions[piece]
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
        s = self.one[0]
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

    def total(self, nodes: np.ndarray) -> np.ndarray:
        return nodes["points"]

    def _grow(self, iterations: int) -> None:
        grow(
            self.tree,
            self.settings,
            self.one,
            self.state,
            self.distance,
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
