"""The means on the game's page: ``python benchmarks/carcassonne.py [GAMES] [SEED]``."""

import sys

import numpy as np

from kostka.core import play, rules
from kostka.core.game import game
from kostka.core.record import new, record
from kostka.core.rng import streams
from kostka.games.carcassonne.actions import PASS
from kostka.games.carcassonne.heuristics import CLOSED, FIRST, MOST, greedy, pairs
from kostka.games.carcassonne.state import FOLLOW, State

GAME = game("carcassonne")
Seat = record("benchmark.seat", ties="i8", random="i8", passes="i8")
#: ``passes``: nothing is done after laying a tile as long as no more tiles lie.
RANDOM = new(Seat, random=1)
GREEDY = {name: new(Seat, ties=ties)
          for name, ties in (("first", FIRST), ("closed", CLOSED), ("most", MOST))}  # fmt: skip


@rules.policy.method(Seat, State)
def seat(p, s, out, rng):
    if s.phase == FOLLOW and s.laid <= p.passes:
        return PASS
    return pairs(p, s, out, rng) if p.random == 1 else greedy(p, s, out, rng)


def scores(seats: list[np.ndarray], games: int, seed: int, **options) -> np.ndarray:
    """The points by game and seat; game k has the same luck whoever plays."""
    first = GAME.new(seed=seed, players=len(seats), **options).buffer
    state, views, policies = first.copy(), first.copy(), np.concatenate(seats)
    out, prob = np.empty(GAME.width, np.int64), np.empty(GAME.width)
    found = np.zeros((games, len(seats)))
    for k in range(games):
        state[:] = first
        luck, rngs = streams(GAME.streams, seed, k), streams(len(seats), seed, k, "seats")
        play.contest(
            state, views, policies, luck, rngs, out, prob, GAME.length, np.empty(0, np.int64)
        )
        found[k] = state[0].points[: len(seats)]
    return found


def show(name: str, found: np.ndarray) -> None:
    total, most = found.sum(1), found.max(1, keepdims=True)
    error = 1.96 * total.std() / len(total) ** 0.5
    wins = ((found == most) / (found == most).sum(1, keepdims=True)).mean(0)
    print(f"{name:32} points {found.mean(0).round(2)}  in all {total.mean():.1f} ± {error:.1f}"
          f"  wins {wins.round(3)}", flush=True)  # fmt: skip


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    both = [RANDOM, RANDOM]
    show("random, random", scores(both, games, seed))
    show("  end=as-is", scores(both, games, seed, end="as-is"))
    show("  end=closed", scores(both, games, seed, end="closed"))
    show("  end=closed small=closed", scores(both, games, seed, end="closed", small="closed"))
    for name, one in GREEDY.items():
        show(f"greedy {name}, the same", scores([one, one], games, seed))
        show(f"random, greedy {name}", scores([RANDOM, one], games, seed))
        show(f"greedy {name}, random", scores([one, RANDOM], games, seed))
    show("greedy closed, first", scores([GREEDY["closed"], GREEDY["first"]], games, seed))
    show("greedy first, closed", scores([GREEDY["first"], GREEDY["closed"]], games, seed))
    one, late = GREEDY["first"], new(Seat, ties=FIRST, passes=2)
    show("greedy first, equal turns", scores([one, one], games, seed, equal=True))
    show("  the first seat passes once", scores([late, one], games, seed, equal=True))
    show("  documented tiles, both first", scores([one, one], games, seed, tiles="documented"))
    show("  documented tiles, both random", scores(both, games, seed, tiles="documented"))


if __name__ == "__main__":
    main()
