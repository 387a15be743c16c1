"""Which settings of an agent are the strongest at equal time? Each against one base.

    python benchmarks/equal_time.py dicewars 'mcts:iterations=500' \
        'mcts:rollout=0|20,eval=outlook,c=0.1|0.3|0.7' --players 2 --players 4 --games 200 --jobs 16

A candidate gets as many iterations as take the base's time, by processor time at positions from
the middle of games. Then each plays the base with as many seats as it, in turns and under the same
luck. Prints the share of the points that a candidate takes from the base, 50 % if they are equal,
and their thinking time per decision in those games. No installation is needed:
PYTHONPATH=src python benchmarks/equal_time.py …
"""

import argparse
import contextlib
import json
import time
from typing import Any

import numpy as np

from kostka.agents import make
from kostka.agents.spec import parse
from kostka.arena.estimates import wilson
from kostka.arena.executor import executor
from kostka.arena.match import Match, prepare
from kostka.arena.plan import expand
from kostka.arena.schedule import Schedule
from kostka.cli.shared import progress
from kostka.core.game import Game
from kostka.core.game import game as find_game
from kostka.core.rng import below, stream
from kostka.core.state import View, begin

POSITIONS = 40


def positions(game: Game, options: dict[str, Any], policy: str, seed: int) -> list[View]:
    """Views of whoever is to decide, one from the midst of each of many games."""
    found: list[View] = []
    while len(found) < POSITIONS:
        rng, player = stream(seed, "positions", len(found)), make(game, policy)
        state = begin(game, options, seed + len(found)).settle(rng)
        views: list[View] = []
        while not state.over:
            view = state.view(state.mover)
            views.append(view)
            state.apply(player.act(view)).settle(rng)
        found.append(views[below(rng, len(views))])
    return found


def cost(game: Game, spec: str, views: list[View]) -> float:
    """Processor time of a decision, in seconds."""
    agent = make(game, spec)
    agent.act(views[0])
    began = time.process_time()
    for view in views:
        agent.act(view)
    return (time.process_time() - began) / len(views)


def with_iterations(spec: str, iterations: int) -> str:
    name, given = parse(spec)
    return f"{name}:" + ",".join(
        f"{key}={value}" for key, value in {**given, "iterations": str(iterations)}.items()
    )


def at_equal_time(game: Game, spec: str, wanted: float, views: list[View]) -> str:
    """The spec with iterations that take the time wanted; unless it names some of its own."""
    if "iterations" in parse(spec)[1]:
        return spec
    iterations = 500
    for _ in range(2):
        spent = cost(game, with_iterations(spec, iterations), views)
        iterations = max(10, 10 * round(iterations * wanted / spent / 10))
    return with_iterations(spec, iterations)


def result(match: Match, games: dict[int, Any]) -> dict[str, Any]:
    """What the first agent of a match took from the second."""
    share, thought = 0.0, np.zeros((2, 2))
    for index, played in games.items():
        for seat, who in enumerate(match.seats(index)):
            share += played.returns[seat] * (who % 2 == 0)
            thought[who % 2] += played.thought[seat].sum(axis=0)
    low, high = wilson(share / len(games), len(games))
    new, base = 1000 * thought[:, 1] / thought[:, 0]
    return {
        "agent": match.specs[0],
        "players": len(match.specs),
        "games": len(games),
        "share": share / len(games),
        "low": low,
        "high": high,
        "ms": new,
        "ms of the base": base,
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("game")
    options.add_argument("base", help="the agent that all are compared with")
    options.add_argument("candidates", nargs="+", help="specs; | makes a grid")
    options.add_argument("--players", type=int, action="append", help="an even number [2]")
    options.add_argument("--option", action="append", default=[], help="name=value of the game")
    options.add_argument("--policy", default="random", help="agent whose games give positions")
    options.add_argument("--games", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--json", action="store_true")
    args = options.parse_args()
    game = find_game(args.game)
    given = dict(pair.split("=", 1) for pair in args.option)
    matches = []
    for players in args.players or [2]:
        full = game.check({**given, "players": players})
        views = positions(game, full, args.policy, args.seed)
        wanted = cost(game, args.base, views)
        for spec in [one for grid in args.candidates for one in expand(grid)]:
            pair = (at_equal_time(game, spec, wanted, views), args.base)
            matches.append(prepare(game, pair * (players // 2), args.games, args.seed, given))
    games: list[dict[int, Any]] = [{} for _ in matches]
    with progress() as bar, executor("auto", args.jobs, matches) as workers:
        line = bar.add_task("playing", total=args.games * len(matches))
        with contextlib.suppress(KeyboardInterrupt):  # then what was played is told
            for task, some in Schedule(matches).play(workers):
                games[task.number] |= dict(zip(task.games, some, strict=False))
                bar.update(line, advance=len(some))
    rows = [result(match, played) for match, played in zip(matches, games, strict=True) if played]
    for row in sorted(rows, key=lambda row: (row["players"], -row["share"])):
        if args.json:
            print(json.dumps(row))
        else:
            print(
                f"{row['players']} players  {100 * row['share']:5.1f} % "
                f"({100 * row['low']:.1f}–{100 * row['high']:.1f}), {row['games']} games, "
                f"{row['ms']:.1f} ms against {row['ms of the base']:.1f}  {row['agent']}"
            )


if __name__ == "__main__":
    main()
