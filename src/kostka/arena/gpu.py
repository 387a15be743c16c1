"""Random games on a GPU, one a thread, from the same rules as on a CPU."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from kostka.core import play
from kostka.core.game import Game
from kostka.core.gpu import cuda, need, ptx
from kostka.core.kernels import kernel
from kostka.core.memory import copy, words
from kostka.core.rng import stream, stretch
from kostka.core.state import begin

SEED = 1
NO_LIMIT = 1 << 40

#: Games that are played side by side at most, threads that form a block, and the part of the
#: GPU's memory that they may take.
MOST_GAMES, BLOCK, MEMORY = 1 << 20, 64, 0.5

#: Games that are also played on the CPU, to compare how they end.
COMPARED = 512


@kernel
def play_game(state, root, policies, out, prob, luck, number):
    """One game from its start, with luck of its own; returns the decisions made."""
    rng = words(2)
    stretch(rng, luck, number)
    copy(state[0], root[0])
    return play.playout(state[0], policies[0], out, prob, rng, NO_LIMIT)


def play_games(states, root, policies, out, prob, luck, decisions):
    """As many games as there are threads."""
    g = cuda.grid(1)
    if g < len(states):
        decisions[g] = play_game(states[g : g + 1], root, policies, out[g], prob[g], luck, g)


def arguments(
    game: Game, options: Any, games: int, empty: Callable = np.empty, put: Callable = np.asarray
) -> list[Any]:
    """What ``play_games`` takes: a place for each game, the start, the policy, buffers, luck."""
    return [
        empty(games, game.dtype),
        put(begin(game, options, SEED).buffer),
        put(game.policies["uniform"]),
        empty((games, game.width), np.int64),
        empty((games, game.width), np.float64),
        put(stream(SEED, "gpu")),
        empty(games, np.int64),
    ]


def machine_code(game: Game) -> str:
    """The random games of a game as code for a GPU, which need not be there."""
    return ptx(play_games, arguments(game, game.check({}), 2))


def measure(game: Game, players: int | None = None, seconds: float = 2.0) -> dict[str, Any]:
    """The speed of random games on a GPU, and how many of the first end as on a CPU."""
    need()
    options = game.check({} if players is None else {"players": players})
    games = room(game)
    launch = cuda.jit(play_games)[-(-games // BLOCK), BLOCK]
    given = arguments(game, options, games, cuda.device_array, cuda.to_device)
    began = time.perf_counter()
    launch(*given)
    cuda.synchronize()
    compiling = time.perf_counter() - began
    rounds, began = 0, time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds or not rounds:
        launch(*given)
        cuda.synchronize()
        rounds += 1
    decisions = given[-1].copy_to_host().sum()
    return {
        "game": game.name,
        "players": options["players"],
        "gpu": str(cuda.get_current_device().name),
        "games": games,
        "decisions_per_second": float(decisions * rounds / spent),
        "games_per_second": games * rounds / spent,
        "compile_seconds": compiling - spent / rounds,
        "compared": COMPARED,
        "same": same(game, options, given[0][:COMPARED].copy_to_host()),
    }


def room(game: Game) -> int:
    """How many games fit into the GPU's memory."""
    each = game.dtype.itemsize + 16 * game.width + 8
    free = MEMORY * cuda.current_context().get_memory_info().free
    return min(MOST_GAMES, max(COMPARED, int(free) // each // BLOCK * BLOCK))


def same(game: Game, options: Any, ends: np.ndarray) -> int:
    """How many games end on the CPU in the same position, byte for byte."""
    state, root, policy, out, prob, luck, _ = arguments(game, options, 1)
    found = 0
    for number in range(len(ends)):
        play_game(state, root, policy, out[0], prob[0], luck, number)
        found += state.tobytes() == ends[number : number + 1].tobytes()
    return found
