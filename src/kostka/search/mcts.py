"""Monte Carlo tree search: open loop, with what is hidden guessed anew in every iteration.

A node stands for a sequence of actions, not for a position: luck and hidden cards differ from one
iteration to the next, so a node's children are those actions that were legal in some iteration,
and how often each was available counts for its exploration (Cowling, Powley and Whitehouse 2012).

Exploration is measured in the spread of a player's values, twice their standard deviation in the
whole search: 1 for games won and lost alike often, little for evaluations that hardly differ. So
``c`` means the same for both, and one game that is over in the tree does not change it, as it would
if the best and the worst value seen were the measure.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kostka.core import play, rules
from kostka.core.errors import KostkaError
from kostka.core.kernels import kernel
from kostka.core.memory import copy, integers, like, restore
from kostka.core.record import clone, new, record
from kostka.core.rng import below, uniform
from kostka.core.state import State, View
from kostka.search.ordering import best_first

Node = record(
    "search.node",
    value="f8",  # sum of what iterations brought to the mover
    promise="f8",  # how promising the action looked when it was first seen, to trust a prior
    promised="f8",  # of all its children
    legal="i4",  # by what the legal actions are known again whose nodes are all its children; or 0
    closed="i4",  # 1: at the root, no longer one of those that are tried
    action="i4",
    mover="i4",  # who took the action; CHANCE for an outcome
    visits="i4",
    available="i4",  # iterations in which the action was legal
    first="i4",  # first child and next sibling; 0 for none
    next="i4",
)

Settings = record(
    "search.mcts",
    c="f8",  # how much to explore, by the spread of values
    history="f8",  # how much what an action has brought elsewhere counts; 0: not at all
    trust="f8",  # how much the prior of the guide counts; 0: not at all
    heat="f8",  # of a prior as a policy: above 1 it is more even, below more decided
    doubt="f8",  # how much worse than others what was never tried is thought, by the spread
    viewer="i4",
    players="i4",
    rollout="i4",  # decisions of a playout before the position is evaluated; below 0: no limit
    luck="i4",  # chance nodes with at most so many outcomes are told apart
    beam="i4",
    plain="i4",  # 1: exploration takes no account of the spread
    halving="i4",  # 1: at the root what was tried least is next, of what is not closed
    spare="i4",
    nodes="i4",  # nodes in use
    root="i4",  # the node of the view
)

#: What the iterations have brought to a player: how many, their mean, and the squares around it.
Spread = record("search.spread", seen="f8", centre="f8", squares="f8")

#: So many chance nodes in a row are told apart at a leaf.
LUCK_IN_A_ROW = 4

LONGEST_PATH = 1024
NO_LIMIT = 1 << 40
SLICE = 0.02


@kernel
def grow(
    tree,
    settings,
    view,
    state,
    policies,
    guides,
    history_table,
    path,
    marks,
    out,
    prob,
    gains,
    spreads,
    rng,
    n,
):
    """Run ``n`` iterations."""
    q, s, gain = settings[0], state[0], gains[0]
    copy(s, view[0])
    for _ in range(n):
        restore(s, view[0])
        rules.guess(guides[0], s, q.viewer, rng)
        depth = descend(tree, q, s, guides[0], history_table, path, marks, out, prob, spreads, rng)
        limit = q.rollout if q.rollout >= 0 else NO_LIMIT
        play.playout(s, policies[0], out, prob, rng, limit)
        appraise(q, s, guides[0], out, prob, gains, rng)
        for p in range(q.players):
            widen(spreads[p], gain[p])
        for i in range(depth + 1):
            node = tree[path[i]]
            node.visits += 1
            if node.mover >= 0:
                node.value += gain[node.mover]
                if q.history > 0.0:
                    history_table[node.mover, node.action, 0] += gain[node.mover]
                    history_table[node.mover, node.action, 1] += 1.0


@kernel
def descend(tree, q, s, h, history_table, path, marks, out, prob, spreads, rng):
    """Walk down the tree to a node that is new, if there is room; the length of the path."""
    here, depth = q.root, 0
    path[0] = here
    while depth + 1 < LONGEST_PATH:
        m = rules.mover(s)
        if m == rules.OVER:
            break
        if m == rules.CHANCE:
            child = let_luck_decide(tree, q, s, here, out, prob, rng)
            if child == 0:
                continue
        else:
            k = rules.sensible(h, s, out, rules.legal(s, out))
            if q.beam > 0:
                k = best_first(h, s, out, prob, k, q.beam)
            scale = 1.0 if q.plain == 1 else spread_of(spreads[m])
            if q.trust > 0.0:
                child, fresh = choose_by_prior(tree, q, s, h, here, m, marks, out, prob, k, scale)
            else:
                child, fresh = choose(tree, q, here, m, history_table, marks, out, k, scale, rng)
            if child == 0:
                break
            rules.apply(s, tree[child].action)
            if fresh:
                depth += 1
                path[depth] = child
                break
        depth += 1
        path[depth] = child
        here = child
        if tree[child].visits == 0:  # an outcome that is new
            break
    return depth


@kernel
def let_luck_decide(tree, q, s, here, out, prob, rng):
    """Apply an outcome; returns its node where outcomes are told apart, 0 otherwise."""
    if q.luck == 0:
        rules.apply(s, rules.sample(s, out, prob, rng))
        return 0
    k = rules.chance(s, out, prob)
    u, i = uniform(rng), 0
    while i < k - 1 and u >= prob[i]:
        u -= prob[i]
        i += 1
    a = out[i]
    rules.apply(s, a)
    if k > q.luck:
        return 0
    child = tree[here].first
    while child != 0 and tree[child].action != a:
        child = tree[child].next
    return child if child != 0 else add(tree, q, here, a, rules.CHANCE)


@kernel
def choose(tree, q, here, m, history_table, marks, out, k, scale, rng):
    """A child to follow by UCT, or a new one for a legal action not tried yet; 0 if no room.

    Progressive history (Nijssen and Winands 2010): what an action has brought wherever it was
    taken counts, too, the less the more often it was tried here without success.
    """
    for i in range(k):
        marks[out[i]] = 1
    best, best_score, tried = 0, -math.inf, 0
    child = tree[here].first
    while child != 0:
        node = tree[child]
        if marks[node.action] == 1:
            marks[node.action] = 0
            tried += 1
            node.available += 1
            explore = math.sqrt(math.log(node.available) / node.visits)
            score = node.value / node.visits + q.c * scale * explore
            if q.history > 0.0:
                known = history_table[m, node.action, 0] / history_table[m, node.action, 1]
                score += q.history * scale * known / (node.visits - node.value + 1.0)
            if score > best_score:
                best, best_score = child, score
        child = node.next
    fresh = tried < k and q.nodes < len(tree)
    pick = below(rng, k - tried) if fresh and q.beam == 0 else 0
    for i in range(k):
        if marks[out[i]] == 1:
            marks[out[i]] = 0
            if fresh and pick == 0:
                best = add(tree, q, here, out[i], m)
            pick -= 1
    return best, fresh


#: Marks of actions: legal, and with a child.
LEGAL, HAS_CHILD = 1, 2


@kernel
def choose_by_prior(tree, q, s, h, here, m, marks, out, prob, k, scale):
    """A child to follow by its value and by its share of what all priors promise (PUCT).

    What was never tried counts as if it had brought, once, what the others bring on average, less
    what it is doubted. So of those never tried only the most promising can be next: they stand
    behind those that were tried in this order, and are looked at again only if others are legal.
    """
    number = number_of(out, k)
    known = tree[here].legal == number
    if not known:
        meet(tree, q, s, h, here, m, marks, out, prob, k, number)
    best = pick(tree, q, here, marks, known, scale)
    if known and not is_among(tree[best].action, out, k):  # other actions have the same number
        known = False
        meet(tree, q, s, h, here, m, marks, out, prob, k, number)
        best = pick(tree, q, here, marks, known, scale)
    if not known:
        for i in range(k):
            marks[out[i]] = 0
    return np.int64(best), tree[best].visits == 0


@kernel
def number_of(out, k):
    """A number, not 0, by which a list of actions is known again."""
    n = k
    for i in range(k):
        n = (31 * n + out[i]) % 2147483629
    return n + 1


@kernel
def is_among(a, out, k):
    for i in range(k):
        if out[i] == a:
            return True
    return False


@kernel
def meet(tree, q, s, h, here, m, marks, out, prob, k, number):
    """Mark the legal actions that have a child, after giving one to those that are new.

    The number is kept if they are all the children, in order: first those that were tried, then
    the others from the most promising on.
    """
    parent = tree[here]
    for i in range(k):
        marks[out[i]] = LEGAL
    if parent.first == 0:
        best_first(h, s, out, prob, k, 0)
    promised, last, in_order = 0.0, math.inf, True
    child = parent.first
    while child != 0:
        node = tree[child]
        worth = math.inf if node.visits > 0 else node.promise
        in_order = in_order and worth <= last and marks[node.action] == LEGAL
        last = worth
        if marks[node.action] == LEGAL:
            marks[node.action] = HAS_CHILD
            promised += node.promise
        child = node.next
    met = parent.first != 0
    for i in range(k - 1, -1, -1):  # whoever comes last stands first
        if marks[out[i]] == LEGAL:
            child = add(tree, q, here, out[i], m)
            in_order = in_order and child != 0 and not met
            if child != 0:
                marks[out[i]] = HAS_CHILD
                tree[child].promise = math.exp(rules.prior(h, s, out[i]) / q.heat)
                promised += tree[child].promise
    parent.promised = promised
    parent.legal = number if in_order else 0


@kernel
def pick(tree, q, here, marks, known, scale):
    """The child to follow of those that are marked, or of all if they are known; 0 for none."""
    at_root = q.halving == 1 and here == q.root
    value, visits, child = 0.0, 0, tree[here].first
    while child != 0:
        node = tree[child]
        if known or marks[node.action] == HAS_CHILD:
            value += node.value
            visits += node.visits
        child = node.next if node.visits > 0 or not known else 0
    first = (value / visits if visits > 0 else 0.5) - q.doubt * scale
    promised = tree[here].promised
    explore = q.trust * scale * math.sqrt(visits + 1.0) / promised if promised > 0.0 else 0.0
    best, best_score = 0, -math.inf
    child = tree[here].first
    while child != 0:
        node = tree[child]
        if known or marks[node.action] == HAS_CHILD:
            score = (node.value + first + explore * node.promise) / (node.visits + 1.0)
            if at_root:
                score = -math.inf if node.closed == 1 else -1.0 * node.visits
            if score > best_score:
                best, best_score = child, score
        child = node.next if node.visits > 0 or not known else 0
    return best


@kernel
def add(tree, q, here, a, m):
    """A new child; 0 when the tree is full."""
    if q.nodes >= len(tree):
        return 0
    child = q.nodes
    q.nodes += 1
    node = tree[child]
    node.value, node.visits, node.available, node.first = 0.0, 0, 1, 0
    node.legal, node.closed = 0, 0
    node.action, node.mover, node.next = a, m, tree[here].first
    tree[here].first = child
    return np.int64(child)


@kernel
def appraise(q, s, h, out, prob, gains, rng):
    """What the position is worth to each player; luck that is due counts by its mean.

    Few outcomes are told apart, those of luck that follows on luck, too; beyond that luck decides.
    """
    if rules.mover(s) != rules.CHANCE:
        value(q, s, h, gains[0])
        return
    root, at, of = like(s), integers(LUCK_IN_A_ROW), integers(LUCK_IN_A_ROW)
    copy(root, s)
    for p in range(q.players):
        gains[0, p] = 0.0
    for i in range(LUCK_IN_A_ROW):
        at[i] = 0
    depth = 1
    while depth > 0:
        restore(s, root)
        weight, depth = let_luck_take(q, s, at, of, out, prob, rng)
        value(q, s, h, gains[1])
        for p in range(q.players):
            gains[0, p] += weight * gains[1, p]
        while depth > 0:
            at[depth - 1] += 1
            if at[depth - 1] < of[depth - 1]:
                break
            depth -= 1
            at[depth] = 0


@kernel
def let_luck_take(q, s, at, of, out, prob, rng):
    """Follow the outcomes ``at`` those chance nodes that are told apart, then let luck decide.

    Returns the probability of this way and its length; ``of`` becomes the outcomes of each node.
    """
    weight, depth, room = 1.0, 0, q.luck
    while rules.mover(s) == rules.CHANCE:
        k = rules.chance(s, out, prob) if room > 1 and depth < LUCK_IN_A_ROW else room + 1
        if k > room:
            room = 0
            rules.apply(s, rules.sample(s, out, prob, rng))
            continue
        i = at[depth]
        weight *= prob[i]
        of[depth] = k
        room //= k
        depth += 1
        rules.apply(s, out[i])
    return weight, depth


@kernel
def value(q, s, h, gain):
    """What a position in which luck is not due is worth to each player."""
    if rules.mover(s) == rules.OVER:
        rules.reward(h, s, gain)
    else:
        rules.evaluate_all(h, s, gain)


@kernel
def widen(spread, x):
    """Take in another value (Welford 1962)."""
    spread.seen += 1.0
    off = x - spread.centre
    spread.centre += off / spread.seen
    spread.squares += off * (x - spread.centre)


@kernel
def spread_of(spread):
    """Twice the standard deviation; 1 as long as all values are the same."""
    return 2.0 * math.sqrt(spread.squares / spread.seen) if spread.squares > 0.0 else 1.0


@dataclass(frozen=True)
class Considered:
    """An action at the root: how often it was tried and what it brought on average."""

    action: int
    visits: int
    value: float


@dataclass(frozen=True)
class Branch:
    """A node of a search tree for people to read, with what lies below it, the best first."""

    #: Who took the action, or CHANCE; what it is in notation, empty at the root.
    mover: int
    text: str
    #: What it is worth to the player ``whose``; None where a search does not tell.
    value: float | None
    whose: int
    #: How often a search went there, and how likely an outcome is; None where that is not counted.
    visits: int | None
    chance: float | None
    below: "tuple[Branch, ...]" = ()
    #: Nodes below that are left out here.
    more: int = 0


class Mcts:
    """One search from one view: it can be run on, and asked at any time what it thinks."""

    def __init__(
        self,
        view: View,
        rng: np.ndarray,
        *,
        c: float = 1.0,
        history: float = 0.0,
        trust: float = 0.0,
        heat: float = 1.0,
        doubt: float = 0.0,
        halving: int = 0,
        policy: np.ndarray | None = None,
        guide: np.ndarray | None = None,
        rollout: int = -1,
        luck: int = 0,
        beam: int = 0,
        nodes: int = 1 << 20,
        plain: bool = False,
    ) -> None:
        if halving and not trust:
            raise KostkaError("halving needs a prior to choose from: give trust as well")
        game = view.game
        self.view, self.rng = view, rng
        self.policy = game.policies["uniform"] if policy is None else policy
        self.guide = game.evaluations["even"] if guide is None else guide
        self.tree = np.zeros(nodes, Node)
        self.tree[0].mover = rules.CHANCE
        self.settings = new(
            Settings,
            c=float(c),
            history=float(history),
            trust=float(trust),
            heat=float(heat),
            doubt=float(doubt),
            halving=halving > 0,
            viewer=rules.PUBLIC if view.seat is None else view.seat,
            players=view.players,
            rollout=rollout,
            luck=luck,
            beam=beam,
            plain=plain,
            nodes=1,
        )
        self.state = clone(view.buffer)
        #: What each action of each player has brought in all, and how often it was taken.
        self.history_table = np.zeros((view.players, game.actions if history > 0 else 0, 2))
        self.path = np.zeros(LONGEST_PATH, np.int64)
        self.marks = np.zeros(game.actions, np.int8)
        self.out = np.zeros(game.width, np.int64)
        self.prob = np.zeros(game.width)
        #: What an iteration brings to each player, and room to reckon it.
        self.gains = np.zeros((2, view.players))
        self.spreads = np.zeros(view.players, Spread)
        self.slice = 16
        #: So many actions at the root are tried alike, by halves; 0: by their value from the start.
        self.halving = halving

    def run(self, iterations: int) -> "Mcts":
        """Run so many iterations more, in slices so that Python stays in charge."""
        while iterations > 0:
            began = time.perf_counter()
            step = min(iterations, self.slice)
            self._grow(step)
            iterations -= step
            spent = max(time.perf_counter() - began, 1e-6)
            self.slice = max(1, min(4 * self.slice, int(step * SLICE / spent)))
        return self

    def _grow(self, iterations: int) -> None:
        grow(
            self.tree,
            self.settings,
            self.view.buffer,
            self.state,
            self.policy,
            self.guide,
            self.history_table,
            self.path,
            self.marks,
            self.out,
            self.prob,
            self.gains,
            self.spreads,
            self.rng,
            iterations,
        )

    def run_for(
        self,
        seconds: float,
        watch: Callable[["Mcts"], bool] | None = None,
    ) -> "Mcts":
        """Run for a time, in slices; ``watch`` is called after each and may end the search."""
        end = time.perf_counter() + seconds
        while True:
            self.run(self.slice)
            left = end - time.perf_counter()
            if left <= 0 or (watch is not None and watch(self)):
                return self
            self.slice = max(1, min(self.slice, int(self.slice * left / SLICE)))

    def think(self, iterations: int, seconds: float) -> "Mcts":
        """Run for a time if one is given, else until there are so many iterations."""
        if self.halving:
            return self._halve(iterations - self.iterations, seconds)
        return self.run_for(seconds) if seconds else self.run(iterations - self.iterations)

    def _halve(self, iterations: int, seconds: float) -> "Mcts":
        """Try the most promising actions equally often, then their better half, and so on."""
        if iterations < 1 and not seconds:
            return self
        began, end = self.iterations, time.perf_counter() + seconds
        self.run(1)  # which gives them nodes
        alive = sorted(self._below(self._root), key=self._promise)
        rounds = max(1, math.ceil(math.log2(min(self.halving, len(alive)))))
        left = self.halving
        for n in range(rounds, 0, -1):
            self.tree["closed"][alive[left:]] = 1
            alive = alive[:left]
            if seconds:
                self.run_for(max(0.0, end - time.perf_counter()) / n)
            else:
                self.run((began + iterations - self.iterations) // n)
            alive = sorted(alive, key=self._mean)
            left = (len(alive) + 1) // 2
        return self

    def _promise(self, child: int) -> tuple[float, int]:
        node = self.tree[child]
        return -node.promise, int(node.action)

    def _mean(self, child: int) -> tuple[float, int]:
        """By what it brought on average; what there was no time for comes last."""
        node = self.tree[child]
        return (-node.value / node.visits if node.visits else math.inf), int(node.action)

    def follow(self, action: int, view: View, rng: np.ndarray) -> bool:
        """Go on from the view after an action, if nothing was learnt on the way to it.

        What the tree knows of that view stays, and counts as iterations. Something was learnt if
        the action, taken in a guess, leads to another view than to the one that came.
        """
        guess = self.view.sample(rng.copy()).apply(action)
        child = next((c for c in self._children(self._root) if self._is(c, action)), 0)
        seat = rules.PUBLIC if view.seat is None else view.seat
        if not child or guess.view(seat).buffer.tobytes() != view.buffer.tobytes():
            return False
        self.settings["root"] = child
        self.view, self.rng = view, rng
        return True

    def _is(self, node: int, action: int) -> bool:
        return bool(self.tree["action"][node] == action)

    @property
    def _root(self) -> int:
        return int(self.settings["root"][0])

    @property
    def iterations(self) -> int:
        """Iterations that went through the root, those of earlier decisions with them."""
        return int(self.tree["visits"][self._root])

    @property
    def nodes(self) -> int:
        """Nodes in use."""
        return int(self.settings["nodes"][0])

    @property
    def full(self) -> bool:
        """Is there no room for further nodes? Then the search goes on in the tree that there is."""
        return self.nodes >= len(self.tree)

    @property
    def root(self) -> list[Considered]:
        """What was considered at the root, the most visited first."""
        nodes = [self.tree[child] for child in self._children(self._root)]
        return [Considered(int(n.action), int(n.visits), n.value / n.visits) for n in nodes]

    @property
    def best(self) -> int:
        """The action visited most; with halving, the one worth most of those tried to the last."""
        if not self.halving:
            return self.root[0].action
        tried = self._children(self._root)
        often = [c for c in tried if 2 * self.tree["visits"][c] >= self.tree["visits"][tried[0]]]
        return int(self.tree["action"][min(often, key=self._mean)])

    def unfold(self, levels: int, widest: int = 6) -> Branch:
        """The tree down to a level; where luck is not told apart it goes one of its ways."""
        rng = self.rng.copy()  # looking must not change what the agent does next
        return self._unfold(self._root, self.view.sample(rng), rng, levels, widest)

    def _unfold(self, here: int, state: State, rng: np.ndarray, levels: int, widest: int) -> Branch:
        node = self.tree[here]
        mover, visits = int(node.mover), int(node.visits)
        text = self._take(state, mover, int(node.action), rng) if here != self._root else ""
        children = self._children(here)
        shown = children[:widest] if levels > 0 else []
        return Branch(
            mover,
            text,
            node.value / visits if mover >= 0 and visits else None,
            mover,
            visits,
            None,
            tuple(self._unfold(c, state.copy(), rng, levels - 1, widest) for c in shown),
            len(children) - len(shown),
        )

    def _take(self, state: State, mover: int, action: int, rng: np.ndarray) -> str:
        """Carry out the action of a node, if it can be in this sample; its notation."""
        apart = self.settings["luck"][0] if mover == rules.CHANCE else 0
        while state.mover == rules.CHANCE and len(state.outcomes) > apart:
            state.apply(state.draw(rng))
        if (mover == rules.CHANCE) != (state.mover == rules.CHANCE):
            return "luck" if mover == rules.CHANCE else "…"
        text = state.text(action)
        if action in state.legal_now():
            state.apply(action)
        return text

    def _children(self, here: int) -> list[int]:
        """The nodes below one that were visited, the most visited first."""
        return sorted((c for c in self._below(here) if self.tree["visits"][c]), key=self._rank)

    def _below(self, here: int) -> list[int]:
        """All nodes below one."""
        found, child = [], int(self.tree["first"][here])
        while child:
            found.append(child)
            child = int(self.tree["next"][child])
        return found

    def _rank(self, child: int) -> tuple[float, float, int]:
        node = self.tree[child]
        return -int(node.visits), -node.value / node.visits, int(node.action)
