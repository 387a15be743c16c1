"""Depth-limited search through luck, for any number of players.

*Paranoid*: everybody plays against the searching side, with alpha-beta, through chance nodes too
(Star1, Ballard 1983), which is sound because values lie in [0, 1]. *Maxⁿ*: everybody plays for
himself; there a player who cannot do better than 1 stops looking. Depth counts decisions, or whole
turns: all that a player does until luck, or somebody else, has to decide. Luck after the last one
is still resolved, unless the evaluation is to speak for it. A chain of chance nodes is enumerated
up to a limit on the product of their outcomes, and sampled beyond it.

Where a game knows the best turn by its heuristic (``rules.best_turn``), maxⁿ asks it for the last
turn of each line instead of trying all.

The stack is explicit and belongs to Python, so a search can be run in slices.
"""

import time
from dataclasses import dataclass, replace

import numpy as np

from kostka.core import rules
from kostka.core.kernels import kernel
from kostka.core.memory import copy, integers, restore
from kostka.core.record import clone, new, record
from kostka.core.rng import uniform
from kostka.core.state import State, View
from kostka.search.mcts import Branch
from kostka.search.ordering import best_first
from kostka.search.turns import LONGEST, Turns, take_turn

Frame = record(
    "search.frame",
    alpha="f8",
    beta="f8",
    rest="f8",  # at a chance node: the probability of outcomes not searched yet
    made="i8",  # decisions of this turn so far
    start="i4",  # where its actions lie in the pool
    count="i4",
    next="i4",
    mover="i4",
    depth="i4",  # turns left
    luck="i4",  # outcomes that may still be enumerated in this chain of chance nodes
)

Settings = record(
    "search.expectimax",
    visited="i8",  # positions searched
    ready="i8",  # frames whose state holds what never changes during a game
    at="i4",  # the frame in work; -1 when the search is done
    depth="i4",
    viewer="i4",
    maxn="i4",
    luck="i4",
    beam="i4",
    prune="i4",
    exact="i4",  # whether every root action gets its exact value
    turn="i4",  # the most decisions of one player that count as one turn
    settle="i4",  # whether luck after the last turn is resolved
    short="i4",  # whether the game may be asked for the best last turn
    width="i4",  # room that a list of actions or outcomes may need
)

FRAMES = 512
SLICE = 20_000
#: Values that differ by no more are equal: they differ by rounding.
TIE, DIGITS = 1e-12, 11
NOT_SEARCHED = -1.0


@kernel
def search(
    settings,
    frames,
    states,
    turns,
    values,
    pool,
    weights,
    roots,
    sides,
    heuristics,
    rng,
    budget,
):
    """Search on for about ``budget`` positions; returns whether the search is done."""
    q, h = settings[0], heuristics[0]
    end = q.visited + budget
    d = q.at
    while d >= 0 and q.visited < end:
        f = frames[d]
        if f.next < f.count:
            stack(q, states, d + 1)
            if d == 0 and f.mover >= 0:
                take_turn(states[1], turns[f.next])
            else:
                rules.apply(states[d + 1], pool[f.start + f.next])
            f.next += 1
            q.visited += 1
            d += 1
            inherit(q, f, frames[d], values[d - 1], weights, d == 1)
            if enter(q, frames, d, states[d], values[d], pool, weights, sides, h, rng):
                continue
        d -= 1
        if d >= 0:
            fold(q, frames[d], d, values, weights, roots, sides)
    q.at = d
    return d < 0


@kernel
def open_root(settings, frames, states, view, values, pool, weights, sides, heuristics, rng):
    """Put the root on the stack, with what is hidden guessed; returns what can happen there."""
    q, f, h = settings[0], frames[0], heuristics[0]
    copy(states[0], view[0])
    rules.guess(h, states[0], q.viewer, rng)
    q.ready, q.at = 1, 0
    f.alpha, f.beta, f.depth, f.luck = -1.0, 2.0, q.depth, q.luck
    f.start = f.made = f.count = 0
    enter(q, frames, 0, states[0], values[0], pool, weights, sides, h, rng)
    return f.count


@kernel
def stack(q, states, d):
    """Put the position of the frame below on a frame; whole, if it was not in use before."""
    if d < q.ready:
        restore(states[d], states[d - 1])
    else:
        copy(states[d], states[d - 1])
        q.ready = d + 1


@kernel
def inherit(q, parent, f, value, weights, at_root):
    """What a frame takes over from the one above it."""
    f.start = parent.start + parent.count
    f.alpha, f.beta = parent.alpha, parent.beta
    f.depth, f.luck, f.mover = parent.depth, q.luck, parent.mover
    if parent.mover == rules.CHANCE:
        w = weights[parent.start + parent.next - 1]
        f.alpha = (parent.alpha - value[0] - (parent.rest - w)) / w
        f.beta = (parent.beta - value[0]) / w
        f.luck = max(1, parent.luck // parent.count)
        f.made = 0
    else:
        f.made = q.turn if at_root else parent.made + 1


@kernel
def enter(q, frames, d, s, value, pool, weights, sides, h, rng):
    """List what can happen at a position; False for a leaf, which gets its value at once."""
    f = frames[d]
    before = f.mover
    f.mover = rules.mover(s)
    if f.made > 0 and (f.mover != before or f.made >= q.turn):
        f.made = 0
        f.depth -= 1
    no_room = d + 1 == len(frames) or f.start + 2 * q.width > len(pool)
    enough = f.depth == 0 and (f.mover >= 0 or q.settle == 0)
    if f.mover == rules.OVER or enough or no_room:
        leaf(q, s, value, h)
        return False
    out, prob = pool[f.start :], weights[f.start :]
    last_turn = d > 0 and f.mover >= 0 and f.depth == 1 and f.made == 0
    if last_turn and q.short == 1 and rules.best_turn(h, s, integers(LONGEST), value, out) > 0:
        return False
    f.next, f.rest = 0, 1.0
    if f.mover == rules.CHANCE:
        f.count = list_luck(s, f.luck, out, prob, rng)
    else:
        f.count = best_first(h, s, out, prob, rules.legal(s, out), q.beam)
    for p in range(len(value)):
        value[p] = 0.0
    return True


@kernel
def list_luck(s, most, out, prob, rng):
    """All outcomes with their probabilities; if there are too many, a systematic sample of them."""
    k = rules.chance(s, out, prob)
    if k <= most:
        return k
    u, i, passed = uniform(rng), 0, prob[0]
    for j in range(most):
        while passed * most <= u + j and i < k - 1:
            i += 1
            passed += prob[i]
        out[k + j] = out[i]
    for j in range(most):
        out[j], prob[j] = out[k + j], 1.0 / most
    return most


@kernel
def leaf(q, s, value, h):
    """The result of a game over, or the heuristic's opinion, kept within [0, 1]."""
    over = rules.mover(s) == rules.OVER
    if over:
        rules.reward(h, s, value)
        value[0] = value[0] if q.maxn == 1 else value[q.viewer]
    elif q.maxn == 1:
        for p in range(len(value)):
            value[p] = min(1.0, max(0.0, rules.evaluate(h, s, p)))
    else:
        value[0] = min(1.0, max(0.0, rules.evaluate(h, s, q.viewer)))


@kernel
def fold(q, f, d, values, weights, roots, sides):
    """Take the value of the child just searched into its parent; stop there if that is enough."""
    i = f.next - 1
    value, child = values[d], values[d + 1]
    if f.mover == rules.CHANCE:
        fold_luck(q, f, value, child, weights[f.start + i])
        return
    me = f.mover if q.maxn == 1 else 0
    if d == 0:
        roots[i] = child[me]
    if q.maxn == 1:
        if i == 0 or child[me] > value[me] + TIE:
            for p in range(len(value)):
                value[p] = child[p]
        if q.prune == 1 and value[me] >= 1.0:
            f.count = f.next
        return
    if sides[f.mover] == sides[q.viewer]:
        if i == 0 or child[0] > value[0]:
            value[0] = child[0]
        if d > 0 or q.exact == 0:
            f.alpha = max(f.alpha, value[0])
    else:
        if i == 0 or child[0] < value[0]:
            value[0] = child[0]
        f.beta = min(f.beta, value[0])
    if q.prune == 1 and f.alpha >= f.beta:
        f.count = f.next


@kernel
def fold_luck(q, f, value, child, w):
    """Star1: the outcomes left can bring between nothing and all of their probability."""
    for p in range(len(value)):
        value[p] += w * child[p]
    f.rest -= w
    if q.prune == 1 and q.maxn == 0:
        if value[0] + f.rest <= f.alpha:
            value[0] += f.rest
            f.count = f.next
        elif value[0] >= f.beta:
            f.count = f.next


@dataclass(frozen=True)
class Valued:
    """What the search found a turn at the root, and so its first action, worth to the mover."""

    action: int
    value: float
    turn: tuple[int, ...]


class Expectimax:
    """A search from one view, deepened step by step."""

    def __init__(
        self,
        view: View,
        rng: np.ndarray,
        *,
        evaluation: np.ndarray | None = None,
        maxn: bool = False,
        luck: int = 16,
        beam: int = 0,
        prune: bool = True,
        samples: int = 1,
        turn: int = 1,
        settle: bool = True,
        short: bool = True,
    ) -> None:
        """``turn``: the most decisions of one player that count as one; ``settle``: whether luck
        after the last turn is resolved; ``short``: whether the game is asked for the best one."""
        game = view.game
        self.view, self.rng, self.samples = view, rng, samples
        self.heuristic = next(iter(game.evaluations.values())) if evaluation is None else evaluation
        self.settings = new(
            Settings,
            viewer=view.mover if view.seat is None else view.seat,
            maxn=maxn,
            luck=luck,
            beam=beam,
            prune=prune,
            exact=samples > 1,
            turn=turn,
            settle=settle,
            short=short and maxn and turn > 1,
            width=game.width,
        )
        size = 4 * game.width + (1 << 16)
        self.frames = np.zeros(FRAMES, Frame)
        self.states = np.zeros(FRAMES, game.dtype)
        self.values = np.zeros((FRAMES, view.players))
        self.pool, self.weights = np.zeros(size, np.int64), np.zeros(size)
        self.turns = Turns(game, turn, beam)
        self.roots = np.zeros(0)
        self.sides = np.array(game.teams(view.options), np.int64)
        #: What the deepest finished search found of each whole turn, the best first.
        self.considered: list[Valued] = []
        self.depth = 0

    def run(self, depth: int, until: float | None = None) -> bool:
        """Search to a depth; False when the time (``time.perf_counter``) ran out before."""
        total: dict[tuple[int, ...], float] = {}
        for _ in range(self.samples):
            if self._search(depth, until) is None:
                return False
            for turn, value in zip(self.turns.found, self.roots, strict=False):
                if value != NOT_SEARCHED:
                    total[turn] = total.get(turn, 0.0) + float(value)
        found = [Valued(turn[0], value / self.samples, turn) for turn, value in total.items()]
        self.considered = sorted(found, key=lambda one: -round(one.value, DIGITS))
        self.depth = depth
        return True

    def _search(self, depth: int, until: float | None = None) -> int | None:
        """Search one guess; what can happen at the root is counted. None when time ran out."""
        self.settings["depth"] = depth
        stack = (self.settings, self.frames, self.states)
        rest = (self.values, self.pool, self.weights)
        last = (self.sides, self.heuristic)
        count = int(open_root(*stack, self.view.buffer, *rest, *last, self.rng))
        if count and self.frames["mover"][0] >= 0:
            count = self._list_turns()
        turns = self.turns.rows
        while not search(*stack, turns, *rest, self.roots, *last, self.rng, SLICE):
            if until is not None and time.perf_counter() >= until:
                return None
        return count

    def _list_turns(self) -> int:
        """Let the root go through whole turns, which do not lie in the pool."""
        count = self.turns.find(self.states[:1], self.heuristic)
        if self.considered:
            self.turns.move_to_front(self.considered[0].turn)
        self.frames["count"][0], self.frames["start"][0] = count, -count
        self.roots = np.full(len(self.turns.rows), NOT_SEARCHED)
        return count

    def run_for(self, seconds: float, most: int = 64) -> "Expectimax":
        """Deepen until the time is over; at least one level is always searched."""
        until = time.perf_counter() + seconds
        self.run(1)
        for depth in range(2, most + 1):
            if not self.run(depth, until):
                break
        return self

    @property
    def visited(self) -> int:
        """Positions searched so far."""
        return int(self.settings["visited"][0])

    @property
    def root(self) -> list[Valued]:
        """The first actions, each with the best turn that it begins, the best first."""
        first: dict[int, Valued] = {}
        for one in self.considered:
            first.setdefault(one.action, one)
        return [*first.values()]

    @property
    def best(self) -> int:
        """The first action of the best turn; the first found of equals."""
        return self.considered[0].action

    def unfold(self, levels: int, widest: int = 6) -> Branch:
        """The lines down to a level, each searched again: a search keeps only the root's values."""
        rng = self.rng.copy()  # looking must not change what the agent does next
        state, viewer = self.view.sample(rng), int(self.settings["viewer"][0])
        root = Branch(rules.CHANCE, "", None, viewer, None, None)
        return self._unfold(root, state, rng, self.depth, levels, widest)

    def _unfold(
        self, line: Branch, state: State, rng: np.ndarray, depth: int, levels: int, widest: int
    ) -> Branch:
        """A line with its value and with what lies below it."""
        q, mover, whose = self.settings[0], state.mover, line.whose
        again = Expectimax(
            state.view(int(q.viewer)),
            rng,
            evaluation=self.heuristic,
            maxn=bool(q.maxn),
            luck=int(q.luck),
            beam=int(q.beam),
            prune=bool(q.prune),
            turn=int(q.turn),
            settle=bool(q.settle),
            short=bool(q.short),
        )
        count = again._search(depth) or 0
        below = []
        for i in again._liked(mover, count, self.considered if not line.text else [])[:widest]:
            if levels <= 0:
                break
            after = State(state.game, state.options, clone(again.states[:1]))
            chance, left = None, depth - 1
            if mover == rules.CHANCE:
                turn: tuple[int, ...] = (int(again.pool[i]),)
                chance, left = float(again.weights[i]), depth
            else:
                turn = again.turns.found[i]
                whose = mover if q.maxn else whose
            step = Branch(mover, after.take(turn), None, whose, None, chance)
            below.append(self._unfold(step, after, rng, left, levels - 1, widest))
        if mover >= 0:
            sign = -1 if again._for_us(mover) else 1
            below.sort(key=lambda one: sign * (one.value or 0.0))
        value = float(again.values[0][line.whose if q.maxn else 0])
        return replace(line, value=value, below=tuple(below), more=count - len(below))

    def _liked(self, mover: int, count: int, found: list[Valued]) -> list[int]:
        """What can happen at the root: as an earlier search has found, or else the best first."""
        if mover == rules.CHANCE:
            return sorted(range(count), key=lambda i: -self.weights[i])
        if found:
            where = {turn: i for i, turn in enumerate(self.turns.found[:count])}
            return [where[one.turn] for one in found if one.turn in where]
        searched = [i for i in range(count) if self.roots[i] != NOT_SEARCHED]
        sign = -1 if self._for_us(mover) else 1
        return sorted(searched, key=lambda i: sign * self.roots[i])

    def _for_us(self, mover: int) -> bool:
        """Does the mover want the value to be high?"""
        q = self.settings[0]
        return bool(q.maxn) or self.sides[mover] == self.sides[q.viewer]
