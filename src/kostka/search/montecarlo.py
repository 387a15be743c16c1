"""Monte Carlo: every candidate is tried and then played out many times by a policy.

Candidates are the whole turns that a player has. What a playout brings is what its end is worth to
who searches, or the sum of what each position after a turn of it is worth, the i-th times γⁱ, until
γⁱ falls below a threshold. All candidates may meet the same luck; and after each stage the worse
half of them may be left out (sequential halving, Karnin, Koren and Somekh 2013).
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from kostka.core import play, rules
from kostka.core.errors import KostkaError
from kostka.core.kernels import kernel
from kostka.core.memory import copy, restore
from kostka.core.record import clone, new, record
from kostka.core.rng import fork, stretch
from kostka.core.state import State, View
from kostka.search.mcts import NO_LIMIT, SLICE, Branch
from kostka.search.turns import LONGEST, Turns, take_turn

Settings = record(
    "search.montecarlo",
    gamma="f8",
    moves="i8",  # turns of a playout at most
    at="i8",  # the candidate that is next, among those still tried
    viewer="i4",
    turn="i4",  # the most decisions of one player that count as one turn
    every="i4",  # whether the positions on the way count, and not the last alone
    stay="i4",  # whether a game that is over goes on counting as it has ended
    same_luck="i4",
    alive="i4",  # candidates that are still tried
)

Candidate = record("search.candidate", total="f8", squares="f8", visits="i8")


@kernel
def simulate(
    settings,
    candidates,
    turns,
    alive,
    view,
    state,
    policies,
    heuristics,
    seeds,
    luck,
    out,
    prob,
    gain,
    rng,
    n,
):
    """Play out ``n`` times, each candidate in its turn.

    ``luck`` has a stream for each source of luck, and the last one is for all else that is drawn.
    """
    q, s, h = settings[0], state[0], heuristics[0]
    copy(s, view[0])
    for _ in range(n):
        if q.at == 0 or q.same_luck == 0:
            for i in range(len(seeds)):
                fork(seeds[i], rng)
        for i in range(len(seeds)):
            stretch(luck[i], seeds[i], 0)
        restore(s, view[0])
        rules.guess(h, s, q.viewer, luck[len(luck) - 1])
        take_turn(s, turns[alive[q.at]])
        if q.every == 1:
            found = sum_of_rewards(q, s, policies[0], h, luck, out, prob, gain)
        else:
            found = last_reward(q, s, policies[0], h, luck, out, prob, gain)
        tried = candidates[alive[q.at]]
        tried.total += found
        tried.squares += found * found
        tried.visits += 1
        q.at = (q.at + 1) % q.alive


@kernel
def sum_of_rewards(q, s, p, h, luck, out, prob, gain):
    """The discounted sum of what each position after a turn of the playout is worth."""
    total, factor, worth, goes_on = 0.0, 1.0, 0.0, True
    for i in range(q.moves):
        goes_on = goes_on and play_turn(s, p, q.turn, luck, out, prob)
        if goes_on or i == 0:
            worth = worth_of(s, h, q.viewer, gain)
        elif q.stay == 0:
            break
        total += factor * worth
        factor *= q.gamma
    return total


@kernel
def last_reward(q, s, p, h, luck, out, prob, gain):
    """What the position at the end of the playout is worth."""
    if q.same_luck == 0 and q.moves == NO_LIMIT:
        play.playout(s, p, out, prob, luck[len(luck) - 1], NO_LIMIT)
    else:
        i = 0
        while i < q.moves and play_turn(s, p, q.turn, luck, out, prob):
            i += 1
    return worth_of(s, h, q.viewer, gain)


@kernel
def play_turn(s, p, longest, luck, out, prob):
    """Let luck decide, and then a player for a whole turn; False if the game is over before."""
    me = rules.mover(s)
    while me == rules.CHANCE:
        rules.apply(s, rules.sample(s, out, prob, luck[rules.luck_source(s)]))
        me = rules.mover(s)
    made = 0
    while made < longest and me != rules.OVER and rules.mover(s) == me:
        rules.apply(s, rules.policy(p, s, out, luck[len(luck) - 1]))
        made += 1
    return made > 0


@kernel
def worth_of(s, h, player, gain):
    """What a position is worth to a player; of a game that is over, its reward."""
    if rules.mover(s) == rules.OVER:
        rules.reward(h, s, gain)
        return gain[player]
    return rules.evaluate(h, s, player)


@kernel
def first_opinion(view, state, turns, heuristics, values, viewer, gain, rng):
    """What the position after each turn is worth."""
    s, h = state[0], heuristics[0]
    copy(s, view[0])
    for i in range(len(turns)):
        restore(s, view[0])
        rules.guess(h, s, viewer, rng)
        take_turn(s, turns[i])
        values[i] = worth_of(s, h, viewer, gain)


@dataclass(frozen=True)
class Tried:
    """A candidate: how often it was played out, its mean, and the standard error of that."""

    turn: tuple[int, ...]
    visits: int
    value: float
    error: float

    @property
    def action(self) -> int:
        """Its first action."""
        return self.turn[0]


class MonteCarlo:
    """One search from one view: it can be run on, and asked at any time what it thinks."""

    def __init__(
        self,
        view: View,
        rng: np.ndarray,
        *,
        policy: np.ndarray | None = None,
        evaluation: np.ndarray | None = None,
        gamma: float = 1.0,
        gamma_t: float = 0.05,
        rollout: int = -1,
        stay: bool = True,
        same_luck: bool = True,
        turn: int = LONGEST,
    ) -> None:
        """With ``gamma`` 1 only the end of a playout counts, at the latest after ``rollout`` turns.

        ``stay``: a game that is over goes on counting as it has ended, so that early wins are no
        loss. ``turn``: the most decisions of one player that are one turn.
        """
        game = view.game
        if game.hides:  # what comes after a first decision may differ from guess to guess
            turn = 1
        self.view, self.rng = view, rng
        self.policy = game.policies["uniform"] if policy is None else policy
        self.heuristic = game.evaluations["even"] if evaluation is None else evaluation
        moves = rollout if rollout >= 0 else NO_LIMIT
        if gamma < 1.0:
            moves = min(moves, steps(gamma, gamma_t))
        #: What all rewards of a playout count together.
        self.weight = sum(gamma**i for i in range(moves)) if gamma < 1.0 else 1.0
        self.listed = Turns(game, turn)
        count = self.listed.find(view.buffer, self.heuristic)
        self.settings = new(
            Settings,
            gamma=gamma,
            moves=moves,
            viewer=view.mover if view.seat is None else view.seat,
            turn=turn,
            every=gamma < 1.0,
            stay=stay,
            same_luck=same_luck,
            alive=count,
        )
        self.tried = np.zeros(count, Candidate)
        self.alive = np.arange(count)
        #: Candidates that were left out, the last one first.
        self.dropped: list[int] = []
        self.state = clone(view.buffer)
        self.seeds = np.zeros((game.streams + 1, 2), np.uint64)
        self.luck = np.zeros_like(self.seeds)
        self.out, self.prob = np.zeros(game.width, np.int64), np.zeros(game.width)
        self.gain = np.zeros(view.players)
        self.slice = 16

    # --- candidates ---

    @property
    def turns(self) -> list[tuple[int, ...]]:
        """The whole turns that are candidates, in the order of their decisions."""
        return self.listed.found

    def opinion(self) -> np.ndarray:
        """What the evaluation thinks of the position after each candidate, without a playout."""
        values, rows = np.zeros(self.listed.count), self.listed.rows[: self.listed.count]
        q = self.settings[0]
        first_opinion(
            self.view.buffer, self.state, rows, self.heuristic, values, q.viewer, self.gain,
            self.rng,
        )  # fmt: skip
        return values

    def keep(self, count: int, values: Sequence[float] | np.ndarray | None = None) -> "MonteCarlo":
        """Go on with the best candidates only: by these values, or by the first opinion."""
        opinion = self.opinion() if values is None else values
        self._leave_out(sorted(self.alive.tolist(), key=lambda i: -opinion[i]), count)
        return self

    def halve(self) -> "MonteCarlo":
        """Leave out the worse half of the candidates."""
        self._leave_out(self._ranked(), (len(self.alive) + 1) // 2)
        return self

    def _leave_out(self, ranked: list[int], count: int) -> None:
        if not count >= 1:
            raise KostkaError(f"at least one candidate is kept, not {count}")
        self.dropped = ranked[count:] + self.dropped
        self.alive = np.array(sorted(ranked[:count]))  # still in the order of their decisions
        self.settings["alive"], self.settings["at"] = len(self.alive), 0

    def _ranked(self) -> list[int]:
        """The candidates that are left, the best mean first, the first found of equals."""
        mean = self.tried["total"] / np.maximum(1, self.tried["visits"])
        return sorted(self.alive.tolist(), key=lambda i: -round(float(mean[i]), 11))

    # --- playing out ---

    def run(self, simulations: int) -> "MonteCarlo":
        """So many playouts more, in slices so that Python stays in charge."""
        while simulations > 0:
            began = time.perf_counter()
            step = min(simulations, self.slice)
            self._simulate(step)
            simulations -= step
            spent = max(time.perf_counter() - began, 1e-6)
            self.slice = max(1, min(4 * self.slice, int(step * SLICE / spent)))
        return self

    def _simulate(self, n: int) -> None:
        simulate(
            self.settings,
            self.tried,
            self.listed.rows,
            self.alive,
            self.view.buffer,
            self.state,
            self.policy,
            self.heuristic,
            self.seeds,
            self.luck,
            self.out,
            self.prob,
            self.gain,
            self.rng,
            n,
        )

    def run_for(
        self, seconds: float, watch: Callable[["MonteCarlo"], bool] | None = None
    ) -> "MonteCarlo":
        """Play out for a time, in slices; ``watch`` is called after each and may end the search."""
        end = time.perf_counter() + seconds
        while True:
            self.run(self.slice)
            left = end - time.perf_counter()
            if left <= 0 or (watch is not None and watch(self)):
                return self
            self.slice = max(1, min(self.slice, int(self.slice * left / SLICE)))

    def think(self, simulations: int, seconds: float = 0.0, halving: bool = False) -> "MonteCarlo":
        """So many playouts, or a time, shared out evenly; by halving, the better half gets more."""
        stages = max(1, math.ceil(math.log2(len(self.alive)))) if halving else 1
        for _ in range(stages):
            if seconds:
                self.run_for(seconds / stages)
                self.run(-int(self.settings["at"][0]) % len(self.alive))
            else:
                self.run(max(1, simulations // (stages * len(self.alive))) * len(self.alive))
            if halving:
                self.halve()
        return self

    # --- what was found ---

    @property
    def simulations(self) -> int:
        """Playouts so far."""
        return int(self.tried["visits"].sum())

    @property
    def considered(self) -> list[Tried]:
        """The candidates that were played out, the best first."""
        turns = self.turns
        return [
            self._told(i, turns[i])
            for i in [*self._ranked(), *self.dropped]
            if self.tried["visits"][i]
        ]

    def _told(self, i: int, turn: tuple[int, ...]) -> Tried:
        one = self.tried[i]
        n, mean = int(one.visits), float(one.total) / int(one.visits)
        spread = max(0.0, float(one.squares) / n - mean * mean)
        error = math.sqrt(spread / (n - 1)) if n > 1 else math.inf
        return Tried(turn, n, mean / self.weight, error / self.weight)

    @property
    def root(self) -> list[Tried]:
        """The first actions, each with the best turn that it begins, the best first."""
        first: dict[int, Tried] = {}
        for one in self.considered:
            first.setdefault(one.action, one)
        return [*first.values()]

    @property
    def best_turn(self) -> tuple[int, ...]:
        """The whole turn with the best mean."""
        return self.considered[0].turn

    @property
    def best(self) -> int:
        """The first action of the best turn."""
        return self.best_turn[0]

    def unfold(self, levels: int, widest: int = 6) -> Branch:
        """The candidates as a tree of one level: playouts are not kept."""
        viewer, found = int(self.settings["viewer"][0]), self.considered
        view, below = self.view, []
        for one in found[:widest] if levels > 0 else []:
            state = State(view.game, view.options, clone(view.buffer))
            below.append(Branch(viewer, state.take(one.turn), one.value, viewer, one.visits, None))
        left_out = len(found) - len(below)
        return Branch(
            rules.CHANCE, "", None, viewer, self.simulations, None, tuple(below), left_out
        )


def steps(gamma: float, threshold: float) -> int:
    """How many powers of γ, from the zeroth on, are not below the threshold."""
    n, factor = 0, 1.0
    while factor >= threshold:
        n, factor = n + 1, factor * gamma
    return n
