"""Measurements of speed, and the warm-up that compiles all that a game needs.

What counts is processor time: by the clock, a busy machine is a slow one.
"""

import contextlib
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from kostka.agents import kinds, make
from kostka.agents.generic import PolicyAgent
from kostka.arena.match import play_some, prepare
from kostka.arena.referee import play_game
from kostka.core import play
from kostka.core.errors import KostkaError
from kostka.core.game import Game, place_of
from kostka.core.rng import stream
from kostka.core.state import View, begin
from kostka.search.mcts import Mcts

SEED = 1
clock = time.process_time
ALL_DECISIONS = 1 << 40


def warm_up(game: Game, tell: Callable[[str, float], None] = lambda name, done: None) -> None:
    """Use everything once: every agent decides, random play runs."""
    options = game.check({})
    agents = kinds(game)
    for i, (name, kind) in enumerate(agents.items()):
        tell(name, i / len(agents))
        small = ":iterations=2" if any(o.name == "iterations" for o in kind.options) else ""
        agent = make(game, name + small)
        state = begin(game, options, SEED).settle(stream(SEED))
        with contextlib.suppress(KostkaError):  # an agent may be for other seats only
            agent.act(state.view(state.mover))
    play_game(game, options, [make(game, "random")] * int(options["players"]), SEED)
    _random_play(game, game.check({}), 0.0)
    tell("", 1.0)


def measure(
    game: Game,
    players: int | None = None,
    seconds: float = 2.0,
    tell: Callable[..., object] = lambda completed: None,
) -> dict[str, Any]:
    """The speed of a game on one core."""
    options = game.check({} if players is None else {"players": players})
    decisions, games = _random_play(game, options, seconds)
    tell(completed=0.2)
    iterations = _mcts(game, options, seconds)
    tell(completed=0.4)
    matches, overhead = _matches(game, options, seconds)
    tell(completed=0.5)
    compiling, loading = _start(game)
    tell(completed=1.0)
    return {
        "game": game.name,
        "players": options["players"],
        "decisions_per_second": decisions,
        "games_per_second": games,
        "mcts_iterations_per_second": iterations,
        "match_games_per_second": matches,
        "referee_microseconds": overhead,
        "compile_seconds": compiling,
        "load_seconds": loading,
    }


def _random_play(game: Game, options: Any, seconds: float) -> tuple[float, float]:
    """Decisions and games a second of uniformly random play from a new game."""
    root = begin(game, options, SEED).buffer
    out, prob = np.empty(game.width, np.int64), np.empty(game.width)
    uniform, rng = game.policies["uniform"], stream(SEED)
    state = root.copy()
    decisions = games = 0
    step = 1
    play.playouts(root, state, uniform, 1, out, prob, rng, ALL_DECISIONS)
    began = clock()
    while (spent := clock() - began) < seconds or not games:
        decisions += play.playouts(root, state, uniform, step, out, prob, rng, ALL_DECISIONS)
        games += step
        step = min(2 * step, 1000)
    return decisions / max(spent, 1e-9), games / max(spent, 1e-9)


def _mcts(game: Game, options: Any, seconds: float) -> float:
    """Iterations a second from the first decision of a new game, with full random playouts."""
    state = begin(game, options, SEED).settle(stream(SEED))
    view = state.view(state.mover)
    Mcts(view, stream(SEED)).run(1)
    search = Mcts(view, stream(SEED))
    began = clock()
    while (spent := clock() - began) < seconds:
        search.run_for(min(seconds, 0.05))
    return search.iterations / spent


def _matches(game: Game, options: Any, seconds: float) -> tuple[float, float]:
    """Whole games a second of a match between compiled policies; and what the referee, who steps
    mixed line-ups from Python, adds to each decision, set-up and views included."""
    specs = ("random",) * int(options["players"])
    match = prepare(game, specs, 1 << 30, SEED, {"players": len(specs)})
    list(play_some(match, [0]))
    games, played, began = itertools.count(), 0, clock()
    while (spent := clock() - began) < seconds:
        played += len(list(play_some(match, itertools.islice(games, 50))))
    agents = [Clocked(game, game.policies["uniform"]) for _ in specs]
    decisions, index, began = 0, 0, clock()
    while (all_of_it := clock() - began) < seconds or not index:
        seed = match.game_seed(index)
        decisions += play_game(game, match.options, agents, seed).decisions
        index += 1
    refereed = all_of_it - sum(agent.spent for agent in agents)
    return played / spent, 1e6 * refereed / decisions


class Clocked(PolicyAgent):
    """Notes the processor time that its decisions take."""

    spent = 0.0

    def act(self, view: View) -> int:
        began = clock()
        try:
            return super().act(view)
        finally:
            self.spent += clock() - began


def _start(game: Game) -> tuple[float, float]:
    """Processor seconds of a new process that compiles everything, and of one that loads it."""
    times = []
    with tempfile.TemporaryDirectory(prefix="kostka-bench-") as empty:
        for _ in range(2):
            began = of_children()
            done = subprocess.run(
                [sys.executable, "-m", "kostka", "compile", place_of(game), "--json"],
                env={**os.environ, "KOSTKA_CACHE": empty},
                capture_output=True,
                text=True,
                check=False,
            )
            times.append(of_children() - began)
            if done.returncode or json.loads(done.stdout)["game"] != game.name:
                raise KostkaError(f"compiling {game.name} failed: {done.stderr.strip()[-300:]}")
    return times[0], times[1]


def of_children() -> float:
    """The processor time of all processes that we have started and that have ended."""
    times = os.times()
    return times.children_user + times.children_system
