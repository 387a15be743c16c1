"""Should a tree search tell outcomes of luck apart? On Pig, against perfect play.

    python benchmarks/luck.py 'mcts:iterations=8000,luck=0|6' --positions 500 --seed 1

Pig is solved by repeated improvement; an agent is asked at positions of perfect games in which it
may hold or roll, and what its decisions lose on average is printed. Games that nobody has solved
are measured by playing: see equal_time.py, with luck=0|6 in its candidates.
"""

import argparse
import time

import numpy as np

from kostka.agents import make
from kostka.arena.plan import expand
from kostka.core.game import game as find_game
from kostka.core.rng import below, stream
from kostka.core.state import View, begin

GAME = find_game("pig")
GOAL = GAME.check({})["goal"]
ROLL, HOLD = 0, 1
SIDES, EXACT = 6, 1e-10


def solve() -> tuple[np.ndarray, np.ndarray]:
    """The chance to win of who is to decide, after rolling and after holding, each by the own safe
    points, the other's, and those of this turn."""
    value = np.full((GOAL, GOAL), 0.5)  # at the start of a turn
    rolled, held = np.ones((2, GOAL, GOAL, GOAL + SIDES))
    while True:
        best = np.ones((GOAL, GOAL, GOAL + SIDES + 1))
        for turn in range(GOAL - 1, -1, -1):
            short = GOAL - turn  # with so many safe points the turn's are enough
            lost = 1 - value.T
            rolled[:, :, turn] = (lost + best[:, :, turn + 2 : turn + SIDES + 1].sum(2)) / SIDES
            held[:short, :, turn] = 1 - value[:, turn : turn + short].T
            best[:short, :, turn] = np.maximum(rolled, held)[:short, :, turn]
        change = np.abs(rolled[:, :, 0] - value).max()
        value = rolled[:, :, 0].copy()
        if change < EXACT:
            return rolled, held


def ways(view: View, rolled: np.ndarray, held: np.ndarray) -> tuple[float, float]:
    """What rolling and holding are worth to whoever is to decide."""
    s = view.record
    at = s.score[s.player], s.score[1 - s.player], s.turn
    return float(rolled[at]), float(held[at])


def positions(rolled: np.ndarray, held: np.ndarray, count: int, seed: int) -> list[View]:
    """Views of who may hold or roll, one from the midst of each of many perfect games."""
    found: list[View] = []
    while len(found) < count:
        rng = stream(seed, "positions", len(found))
        state = begin(GAME, GAME.check({}), seed + len(found)).settle(rng)
        views: list[View] = []
        while not state.over:
            view = state.view(state.mover)
            roll, hold = ways(view, rolled, held)
            if state.record.turn > 0:
                views.append(view)
            may_hold = state.record.turn > 0 and hold > roll
            state.apply(HOLD if may_hold else ROLL).settle(rng)
        found.append(views[below(rng, len(views))])
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("agents", nargs="+", help="specs; | makes a grid")
    options.add_argument("--positions", type=int, default=500)
    options.add_argument("--seed", type=int, default=1)
    args = options.parse_args()
    rolled, held = solve()
    print(f"perfect play wins {100 * rolled[0, 0, 0]:.2f} % of the games that it begins")
    views = positions(rolled, held, args.positions, args.seed)
    for spec in [one for grid in args.agents for one in expand(grid)]:
        agent = make(GAME, spec)
        agent.act(views[0])
        began = time.process_time()
        actions = [agent.act(view) for view in views]
        spent = (time.process_time() - began) / len(views)
        both = [ways(view, rolled, held) for view in views]
        lost = np.array([max(two) - two[a] for two, a in zip(both, actions, strict=True)])
        error = 1.96 * lost.std() / len(lost) ** 0.5
        print(f"loses {100 * lost.mean():.2f} % ± {100 * error:.2f} a decision, "
              f"{1000 * spent:.1f} ms  {spec}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
