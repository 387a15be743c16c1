"""Agents that can play every game."""

import json
from dataclasses import dataclass
from math import log, sqrt
from typing import Any

import numpy as np

from kostka.agents.base import Kind, Observation, Player
from kostka.core import rules
from kostka.core.errors import KostkaError, unknown
from kostka.core.game import Game, Option
from kostka.core.kernels import kernel
from kostka.core.rng import of_decision, stream
from kostka.core.state import View
from kostka.search.expectimax import Expectimax
from kostka.search.mcts import Mcts
from kostka.search.montecarlo import MonteCarlo
from kostka.search.turns import LONGEST


@kernel
def decide(policies, views, out, rng):
    """The action of a policy: the door for Python."""
    return rules.policy(policies[0], views[0], out, rng)


class PolicyAgent(Player):
    """Plays by a compiled policy, given as its record."""

    def __init__(self, game: Game, policy: np.ndarray) -> None:
        self.policy = policy
        self.out = np.empty(game.width, np.int64)

    def act(self, view: View) -> int:
        return int(decide(self.policy, view.buffer, self.out, self.rng))


def random(game: Game) -> PolicyAgent:
    return PolicyAgent(game, game.policies["uniform"])


#: So many own decisions in a row lead to one that goes on from their tree; the next begins anew.
MOST_KEPT = 4


@dataclass(frozen=True)
class Decided:
    """An own decision: the view that it was made from, what it drew from, and the action."""

    view: View
    rng: np.ndarray
    action: int


class MctsAgent(Player):
    """Keeps its tree from decision to decision, as long as nothing else happens between them.

    ``search`` is the last search, for who wants to look.

    An agent made anew in the midst of a turn searches its decisions of this turn again, and so has
    the tree of one that was kept; after a few of them both begin anew, which bounds what that
    costs. Only so many iterations are run again, not so much time: how far it came nobody knows.
    """

    search: Mcts | None = None

    def __init__(
        self,
        game: Game,
        iterations: int,
        seconds: float,
        c: float,
        playout: str,
        eval: str,
        rollout: int,
        luck: int,
        beam: int,
        history: float,
        trust: float,
        heat: float,
        doubt: float,
        halving: int,
        nodes: int,
    ) -> None:
        if not iterations and not seconds:
            raise KostkaError("mcts needs a budget: iterations or seconds")
        self.iterations, self.seconds = iterations, seconds
        self.policy = _named(game.policies, playout, f"playout policy of {game.name}")
        self.guide = _named(game.evaluations, eval, f"evaluation of {game.name}")
        self.limits: dict[str, Any] = {
            "rollout": rollout,
            "luck": luck,
            "beam": beam,
            "nodes": nodes,
        }
        self.selection: dict[str, Any] = {
            **dict(c=c, history=history, trust=trust, heat=heat, doubt=doubt, halving=halving)
        }
        #: The own decisions that lead to this one, nothing else between them.
        self.turn: list[Decided] = []
        #: The last search, and how many decisions led to it.
        self.kept: tuple[int, Mcts] | None = None

    def observe(self, event: Observation) -> None:
        view = event.view if event.by == self.seat and not self.seconds else None
        if view is None or len(self.turn) == MOST_KEPT or len(view.legal_actions) == 1:
            self.turn, self.kept = [], None
            return
        rng = np.empty(2, np.uint64)
        of_decision(rng, self.rng)
        self.turn.append(Decided(view, rng, view.parse(event.text)))

    def act(self, view: View) -> int:
        legal = view.legal_actions
        if len(legal) == 1:
            return legal[0]
        self.search = self._consider(self._so_far(), self.turn[-1:], view, self.rng)
        self.kept = len(self.turn), self.search
        return self.search.best

    def _so_far(self) -> Mcts | None:
        """The search of the decision before this one: the one kept, or else made again."""
        if self.kept is not None and self.kept[0] == len(self.turn) - 1:
            return self.kept[1]
        search = None
        for i, past in enumerate(self.turn):
            search = self._consider(search, self.turn[:i][-1:], past.view, past.rng.copy())
        return search

    def _consider(
        self, search: Mcts | None, last: list[Decided], view: View, rng: np.ndarray
    ) -> Mcts:
        """Search a decision, from where the search of the last one has come if it can go on."""
        if search is None or not search.follow(last[0].action, view, rng):
            search = Mcts(
                view, rng, policy=self.policy, guide=self.guide, **self.selection, **self.limits
            )
        return search.think(self.iterations, self.seconds)


class ExpectimaxAgent(Player):
    """Searches to a depth, or as deep as time allows; ``turn`` decisions of one player are one."""

    search: Expectimax | None = None

    def __init__(
        self,
        game: Game,
        depth: int,
        seconds: float,
        eval: str,
        players: str,
        luck: int,
        beam: int,
        samples: int,
        turn: int = 1,
        settle: bool = True,
    ) -> None:
        if not depth and not seconds:
            raise KostkaError("a search needs a limit: depth or seconds")
        self.depth, self.seconds = depth, seconds
        own = next(iter(game.evaluations)) if eval == "own" else eval
        self.evaluation = _named(game.evaluations, own, f"evaluation of {game.name}")
        self.maxn, self.luck, self.beam, self.samples = players == "maxn", luck, beam, samples
        self.turn, self.settle = turn, settle

    def act(self, view: View) -> int:
        legal = view.legal_actions
        if len(legal) == 1:
            return legal[0]
        self.search = Expectimax(
            view,
            self.rng,
            evaluation=self.evaluation,
            maxn=self.maxn,
            luck=self.luck,
            beam=self.beam,
            samples=self.samples,
            turn=self.turn,
            settle=self.settle,
        )
        if self.seconds:
            self.search.run_for(self.seconds, self.depth or 64)
        else:
            self.search.run(self.depth)
        return self.search.best


class MonteCarloAgent(Player):
    """Plays out every turn it may take; of the best one it makes the decisions one by one.

    What it draws depends on its seat's stream and on the view in which its turn began, so that one
    made anew within a turn, and told of its beginning, goes on as the one that began it.
    """

    search: MonteCarlo | None = None

    def __init__(
        self,
        game: Game,
        simulations: int,
        seconds: float,
        per: str,
        policy: str,
        eval: str,
        gamma: float,
        gamma_t: float,
        rollout: int,
        stay: bool,
        same_luck: bool,
        turn: int,
        keep: int,
        halving: bool,
    ) -> None:
        if not simulations and not seconds:
            raise KostkaError("mc needs a budget: simulations or seconds")
        self.simulations, self.seconds, self.per = simulations, seconds, per
        self.keep, self.halving = keep, halving
        own = next(iter(game.evaluations)) if eval == "own" else eval
        self.settings: dict[str, Any] = {
            "policy": _named(game.policies, policy, f"playout policy of {game.name}"),
            "evaluation": _named(game.evaluations, own, f"evaluation of {game.name}"),
            **dict(gamma=gamma, gamma_t=gamma_t, rollout=rollout, stay=stay),
            **dict(same_luck=same_luck, turn=turn),
        }

    #: The view in which this seat's turn began, its decisions since, and all of the turn.
    start: View | None = None
    made: tuple[int, ...] = ()
    plan: tuple[int, ...] = ()

    def begin(self, seat: int, rng: np.ndarray) -> None:
        super().begin(seat, rng)
        self.key = rng.tolist()

    def observe(self, event: Observation) -> None:
        if event.by != self.seat or event.view is None:
            self.start, self.made, self.plan = None, (), ()
            return
        if self.start is None:
            self.start = event.view
        self.made = (*self.made, event.view.parse(event.text))

    def act(self, view: View) -> int:
        legal = view.legal_actions
        if len(legal) == 1:
            return legal[0]
        made = self.made
        if not self.plan:
            self.plan = self.best_turn(self.start or view)
        if len(self.plan) <= len(made) or self.plan[: len(made)] != made:
            return self.best_turn(view)[0]
        return self.plan[len(made)]

    def best_turn(self, view: View) -> tuple[int, ...]:
        """The best turn from a view, as it is found whenever it is looked for."""
        rng = stream(*getattr(self, "key", ()), view.hash)
        search = self.search = MonteCarlo(view, rng, **self.settings)
        if 0 < self.keep < len(search.alive):
            search.keep(self.keep)
        each = 1 if self.per == "decision" else len(search.alive)
        return search.think(self.simulations * each, self.seconds, self.halving).best_turn


class BanditAgent(Player):
    """Plays a whole game by one of the game's policies, and learns from game to game which.

    UCB1: the policy with the best mean result so far, plus a bonus for those tried less.
    """

    def __init__(self, game: Game, c: float) -> None:
        self.names = sorted(game.policies)
        self.players = {name: PolicyAgent(game, game.policies[name]) for name in self.names}
        self.c = c
        #: Games and points of each policy.
        self.games = dict.fromkeys(self.names, 0)
        self.points = dict.fromkeys(self.names, 0.0)
        self.chosen = self.names[0]

    def begin(self, seat: int, rng: np.ndarray) -> None:
        super().begin(seat, rng)
        self.chosen = max(self.names, key=self.promise)
        self.players[self.chosen].begin(seat, rng)

    def promise(self, name: str) -> float:
        """How promising a policy is; one never tried comes first."""
        games = self.games[name]
        if games == 0:
            return float("inf")
        return self.points[name] / games + self.c * sqrt(2 * log(sum(self.games.values())) / games)

    def act(self, view: View) -> int:
        return self.players[self.chosen].act(view)

    def end(self, result: list[float]) -> None:
        self.games[self.chosen] += 1
        self.points[self.chosen] += result[self.seat]

    def save(self) -> bytes:
        return json.dumps({"games": self.games, "points": self.points}).encode()

    def load(self, learnt: bytes) -> None:
        known = json.loads(learnt)
        self.games |= known["games"]
        self.points |= known["points"]


def _named(known: dict[str, np.ndarray], name: str, kind: str) -> np.ndarray:
    if name not in known:
        raise unknown(kind, name, known)
    return known[name]


LOOKING_AHEAD = (
    Option("seconds", 0.0, "time per decision; depth is then the most", 0, 3600),
    Option("eval", "own", "evaluation of the positions at the horizon"),
    Option("luck", 16, "outcomes enumerated per chain of luck, then sampled", 1, 65536),
    Option("beam", 0, "most promising actions searched at each node; 0: all", 0, 65536),
    Option("samples", 1, "guesses of what is hidden to average over", 1, 1000),
)

KINDS = {
    "random": Kind("every legal action with the same chance", random),
    "bandit": Kind(
        "one of the game's policies for a whole game; learns from game to game which wins here",
        BanditAgent,
        (Option("c", 0.5, "how much to try what has not won so far", 0, 100),),
    ),
    "expectimax": Kind(
        "depth-limited search through luck, paranoid or max-n",
        ExpectimaxAgent,
        (
            Option("depth", 2, "decisions to look ahead", 0, 64),
            *LOOKING_AHEAD,
            Option("players", "paranoid", "what others want", choices=("paranoid", "maxn")),
        ),
    ),
    "turns": Kind(
        "depth-limited search by whole turns: what a player does until luck or another decides",
        ExpectimaxAgent,
        (
            Option("depth", 2, "turns to look ahead", 0, 64),
            *LOOKING_AHEAD,
            Option("players", "maxn", "what others want", choices=("paranoid", "maxn")),
            Option("turn", LONGEST, "the most decisions that are one turn", 1, LONGEST),
            Option("settle", True, "luck after the last turn is looked at, too"),
        ),
    ),
    "mc": Kind(
        "playouts after each turn that may be taken; the best mean is played",
        MonteCarloAgent,
        (
            Option("simulations", 1000, "playouts for what per says", 0, 1e9),
            Option("seconds", 0.0, "time per turn instead of simulations", 0, 3600),
            Option("per", "decision", "what simulations are for", choices=("decision", "move")),
            Option("policy", "uniform", "policy of the playouts"),
            Option("eval", "own", "evaluation of positions, the reward"),
            Option("gamma", 1.0, "below 1: the i-th position of a playout counts gamma^i", 0, 1),
            Option("gamma_t", 0.05, "a playout ends when gamma^i is below this", 1e-6, 1),
            Option("rollout", -1, "turns of a playout at most; -1: no limit", -1),
            Option("stay", True, "a game that is over goes on counting as it has ended"),
            Option("same_luck", True, "all candidates meet the same luck"),
            Option("turn", LONGEST, "the most decisions that are one turn", 1, LONGEST),
            Option("keep", 0, "turns that are played out, the best by eval; 0: all", 0, 65536),
            Option("halving", False, "leave out the worse half of the turns, again and again"),
        ),
    ),
    "mcts": Kind(
        "Monte Carlo tree search, open loop, hidden information guessed anew each iteration",
        MctsAgent,
        (
            Option("iterations", 1000, "iterations per decision", 0, 1e9),
            Option("seconds", 0.0, "time per decision instead of iterations", 0, 3600),
            Option("c", 0.7, "how much to explore", 0, 100),
            Option("playout", "uniform", "policy of the playouts"),
            Option("eval", "even", "evaluation where a playout is cut short"),
            Option("rollout", -1, "decisions of a playout, then it is evaluated; -1: no limit", -1),
            Option("luck", 6, "chance nodes with up to so many outcomes are told apart", 0, 65536),
            Option("beam", 0, "most promising actions searched at each node; 0: all", 0, 65536),
            Option("history", 0.0, "how much an action's success elsewhere counts", 0, 100),
            Option("trust", 0.0, "how much the prior of eval counts (PUCT); 0: not at all", 0, 100),
            Option("heat", 1.0, "of that prior: above 1 more even, below more decided", 0.01, 100),
            Option("doubt", 0.0, "how much worse what was never tried is thought", -10, 10),
            Option(
                "halving", 0, "first actions tried alike, then the better half; 0: off", 0, 65536
            ),
            Option(
                "nodes", 1 << 20, "most nodes of the tree, which then grows no more", 2, 1 << 26
            ),
        ),
    ),
}
