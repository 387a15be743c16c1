"""How fast Risk's networks are: ``python benchmarks/risk_nets.py [SECONDS]``, by processor time."""

import sys
import time
from collections.abc import Callable

import numpy as np

from kostka.agents import make
from kostka.agents.risk.published.nets import TOPOLOGIES, nets, untrained
from kostka.core import rules
from kostka.core.game import game
from kostka.core.kernels import kernel
from kostka.core.memory import floats
from kostka.core.rng import stream
from kostka.core.state import begin
from kostka.games.risk.state import PHASES
from kostka.learn.network import WIDEST, ask

GAME = game("risk")
OPTIONS = GAME.check({"map": "random", "territories": 21, "cap": 50})
NAMES = ("set-up", "exchange", "draft", "attack", "fortify")
GAMES, TIMES = 20, 4


@kernel
def answers(players, net, n):
    """Ask a network so many times."""
    values, total = floats(WIDEST), 0.0
    for k in range(n):
        for i in range(players[0].sizes[net, 0]):
            values[i] = (k + i) % 7
        ask(players[0], net, values)
        total += values[0]
    return total


@kernel
def one_game(states, players, out, prob, rng, counted, phase, times):
    """A game between copies of a player, who decides so often in one of the phases."""
    s = states[0]
    while rules.mover(s) != rules.OVER:
        if rules.mover(s) == rules.CHANCE:
            rules.apply(s, rules.sample(s, out, prob, rng))
            continue
        counted[s.phase] += 1
        again = times if s.phase == phase else 1
        a = 0
        for _ in range(again):
            a = rules.policy(players[0], s, out, rng)
        rules.apply(s, a)


def spent(f: Callable[[], object]) -> float:
    began = time.process_time()
    f()
    return time.process_time() - began


def evaluations(topology: str, seconds: float) -> None:
    """Evaluations a second of each network, at its best: others use this machine, too."""
    one = nets(topology, untrained(topology))
    for net, name in enumerate(NAMES):
        n = 1000
        while spent(lambda n=n, net=net: answers(one, net, n)) < seconds / 20:
            n *= 2
        best = min(spent(lambda n=n, net=net: answers(one, net, n)) for _ in range(5))
        print(f"{topology:8} {name:9} {n / best / 1e6:5.1f} million evaluations/s")


def phases(name: str) -> None:
    """What a game costs, and a decision in each phase."""
    player = make(GAME, f"nn:net={name}").policy
    out, prob = np.empty(GAME.width, np.int64), np.empty(GAME.width)
    starts = [begin(GAME, OPTIONS, seed).buffer for seed in range(GAMES)]

    def play(phase: int, times: int) -> tuple[float, np.ndarray]:
        counted = np.zeros(len(PHASES), np.int64)

        def all_games() -> None:
            for seed, start in enumerate(starts):
                one_game(start.copy(), player, out, prob, stream(seed), counted, phase, times)

        return spent(all_games), counted

    play(-1, 1)
    plain, counted = min((play(-1, 1) for _ in range(3)), key=lambda found: found[0])
    print(f"{name}: {1e3 * plain / GAMES:.2f} ms a game, {counted.sum() / GAMES:.0f} decisions")
    for phase in np.flatnonzero(counted):
        more = min(play(phase, TIMES)[0] for _ in range(3)) - plain
        each = more / (TIMES - 1) / counted[phase]
        print(f"  {PHASES[phase]:9} {counted[phase] / GAMES:7.1f} a game {1e9 * each:8.0f} ns each")


if __name__ == "__main__":
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    for topology in TOPOLOGIES:
        evaluations(topology, seconds)
    for name in ("simple", "complex", "simple-1-4", "complex-2-4"):
        phases(name)
