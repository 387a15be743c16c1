"""Gerza's Monte Carlo tree search (Brno 2022), in the four stages of the thesis.

Levels alternate between Mr X and all detectives together: every combination of their moves is a
child. Wins are those of who searches, on every level, so the opponent is searched as if he helped;
the surviving code of the thesis does the same. In the final stage a capture is worth more the
sooner it comes, by the share of the rounds that are left; the thesis prints the opposite sign
(``early=later``), and its code has nothing of it any more (``early=none``).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from kostka.agents.base import Kind
from kostka.agents.scotlandyard.published.lean import (
    WAYS,
    another_step,
    can_step,
    cells_taken,
    combine,
    detective_goes,
    detectives_step,
    detectives_went,
    is_caught,
    is_lost,
    moves_or_pass,
    mr_x_goes,
    mr_x_went,
    random_move,
)
from kostka.agents.scotlandyard.published.team import (
    BUDGET,
    DOUBT,
    MEAN,
    WIDEST,
    Team,
    Tree,
    anywhere,
    doubt,
    last_seen,
    lead,
    most_promising,
    root_of_log,
    towards_centre,
)
from kostka.core.game import Game, Option
from kostka.core.kernels import kernel
from kostka.core.memory import copy, restore
from kostka.core.record import new, record
from kostka.core.rng import below
from kostka.games.scotlandyard.actions import PASS, station_of
from kostka.games.scotlandyard.rules import end, moves
from kostka.games.scotlandyard.state import (
    DETECTIVES_WON,
    DONE,
    FUGITIVE,
    MAX_PIECES,
    MAX_STATIONS,
    MR_X,
    MR_X_WON,
)

Node = record(
    "scotlandyard.gerza.node",
    wins="f8",  # of who searches
    visits="i4",
    first="i4",  # the children lie side by side
    children="i4",
    tried="i4",  # children that were visited, which are the first of them
    action=("i2", MAX_PIECES),  # by piece; of Mr X below the detectives' root: where he may be
    phase="i4",  # after the action, once it was tried
    won="i4",
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


# --- playouts ---


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
def play_out_on_grid(s, cells, rng):
    """The same for detectives who do not take a Mr X whom they see."""
    taken, at = cells_taken(s), np.int64(s.station[FUGITIVE])
    flees = s.phase == MR_X
    while s.phase != DONE:
        if flees:
            to = cells.way[at, below(rng, WAYS)]
            at = np.int64(to) if (taken >> to) & 1 == 0 else another_step(cells, at, taken, rng)
            s.moves += 1
            if not can_step(s, cells, taken):
                end(s, MR_X_WON)
                break
        flees = True
        taken = detectives_step(s, cells, taken, rng)
        if is_lost(s, cells, taken, at):
            end(s, DETECTIVES_WON)
        elif s.moves == s.slots or s.turn == s.turns:
            end(s, MR_X_WON)
        else:
            s.turn += 1


@kernel
def catching_move(s, piece, out, otherwise):
    """The move onto Mr X, if there is one."""
    for i in range(moves(s, piece, out)):
        if station_of(out[i]) == s.station[FUGITIVE]:
            return np.int64(out[i])
    return np.int64(otherwise)


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
def grow(
    tree, scores, roots, settings, root, state, distance, grid, places, joint, options, path, rng, n
):
    """Run ``n`` iterations; returns by how many visits the best move leads."""
    q, s, cells = settings[0], state[0], grid[0]
    copy(s, root[0])
    for _ in range(n):
        restore(s, root[0])
        depth = descend(tree, scores, roots, q, s, distance, places, joint, options, path, rng)
        gain = 0.0
        if q.hunt == 1 and q.stage >= PLACES and depth == 1 and s.phase == DONE and is_caught(s):
            gain = 1.0 + CAPTURE
        else:
            if cells.count > 0 and q.catch == 0:
                play_out_on_grid(s, cells, rng)
            else:
                play_out(s, q.catch, options[FUGITIVE], rng)
            if s.won == (DETECTIVES_WON if q.hunt == 1 else MR_X_WON):
                gain = 1.0 + early(q, s)
        for i in range(depth + 1):
            node = tree[path[i]]
            node.wins += gain
            node.visits += 1
            scores[path[i], MEAN] = node.wins / node.visits
            scores[path[i], DOUBT] = doubt(node.visits, roots)
    return lead(tree)


@kernel
def early(q, s):
    """What a capture is worth on top, by its round."""
    if q.hunt == 0 or q.stage < FINAL or q.early == NO_MATTER:
        return 0.0
    return (s.turn if q.early == LATER else s.turns - s.turn) / s.turns


@kernel
def descend(tree, scores, roots, q, s, distance, places, joint, options, path, rng):
    """Walk down to a node never visited, or to the end of the game; returns the depth."""
    here = depth = path[0] = 0
    while tree[here].visits > 0 and s.phase != DONE:
        node = tree[here]
        if node.children == 0:
            expand(tree, q, s, here, distance, places, joint, options, rng)
            if node.children == 0:
                break
        if node.tried < node.children:
            here = node.first + node.tried
            node.tried += 1
        else:
            explore = q.c * root_of_log(node.visits, roots)
            here = most_promising(scores, node.first, node.children, explore)
        follow(s, tree[here], q.piece if depth == 0 else 1, q.hunt == 1 and depth == 0)
        depth += 1
        path[depth] = here
    return depth


@kernel
def follow(s, node, first, guess):
    """Make the move of a node; below the detectives' root, with the guess of where Mr X is."""
    if s.phase == MR_X:
        mr_x_goes(s, node.action[FUGITIVE])
        if node.visits == 0:
            mr_x_went(s)
            node.phase, node.won = s.phase, s.won
        else:
            s.moves += 1
            s.phase, s.won = node.phase, node.won
        return
    if guess:
        s.station[FUGITIVE] = node.action[FUGITIVE]
    for piece in range(first, s.pieces):
        detective_goes(s, piece, node.action[piece])
    if node.visits == 0:
        detectives_went(s)
        node.phase, node.won = s.phase, s.won
    else:
        s.phase, s.won = node.phase, node.won
        s.turn += s.phase != DONE


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
    node.wins = 0.0
    node.visits = node.first = node.children = node.tried = 0
    for piece in range(MAX_PIECES):
        node.action[piece] = 0


# --- the search as Python has it ---


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

    def total(self, nodes: np.ndarray, scores: np.ndarray) -> np.ndarray:
        return nodes["wins"]

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
            self.places,
            self.joint,
            self.options,
            self.path,
            self.rng,
            iterations,
        )


# --- the agents ---


def gerza(game: Game, **parameters: Any) -> Team:
    settings = GerzaSettings(**parameters)
    return Team(settings, towards_centre if settings.stage == CENTRE else anywhere)


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
