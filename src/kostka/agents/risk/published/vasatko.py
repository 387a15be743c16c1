"""The agents of Vašátko's thesis (Charles University, 2018): random, networks, and searches."""

from math import sqrt
from pathlib import Path
from typing import cast

import numpy as np

from kostka.agents.base import Kind
from kostka.agents.evolution import Evolution, Plan, Round, numbers_in
from kostka.agents.generic import KINDS as GENERIC
from kostka.agents.generic import MctsAgent, PolicyAgent
from kostka.agents.risk.published.filters import advised, borders
from kostka.agents.risk.published.nets import SLOPE, TOPOLOGIES, nets, untrained
from kostka.core.errors import KostkaError, unknown
from kostka.core.game import Game, Option, Value
from kostka.core.record import new
from kostka.games.risk.heuristics import Random
from kostka.learn.evolution import Settings
from kostka.learn.network import Saved, length

DATA = Path(__file__).parents[1] / "data"

#: Rounds and attempts of the thesis, and by name all networks that there are.
ROUNDS, ATTEMPTS = 4, 2
CHAMPIONS = {
    str(one): one
    for one in (
        Round(topology, attempt, number)
        for topology in TOPOLOGIES
        for attempt in range(1, ATTEMPTS + 1)
        for number in range(1, ROUNDS + 1)
    )
}


# --- random ---


def random(game: Game, p: float) -> PolicyAgent:
    return PolicyAgent(game, new(Random, p=p))


# --- networks ---


def nn(game: Game, net: str, seed: int, file: str) -> PolicyAgent:
    return PolicyAgent(game, nets(*family(net, seed, file)))


def family(net: str, seed: int, file: str) -> tuple[str, np.ndarray]:
    """A topology and its numbers: a champion's, untrained ones, or those in a file."""
    if net not in TOPOLOGIES and net not in CHAMPIONS:
        raise unknown("net", net, [*TOPOLOGIES, *CHAMPIONS])
    topology = CHAMPIONS[net].variant if net in CHAMPIONS else net
    if file:
        return topology, numbers_in(Path(file), length(TOPOLOGIES[topology]))
    if net in TOPOLOGIES:
        return net, untrained(net, seed)
    numbers = champion(*CHAMPIONS[net])
    if numbers is None:
        raise KostkaError(f"the champion {net} is not there; train it with kostka learn risk nets")
    return topology, numbers


def champion(topology: str, attempt: int, number: int) -> np.ndarray | None:
    """The numbers of a champion that comes with the game."""
    path = DATA / f"{Round(topology, attempt, number)}.npz"
    return numbers_in(path, length(TOPOLOGIES[topology])) if path.exists() else None


# --- evolution ---

#: Games of the evolution: two copies of the last champion are the others. The thesis cuts a game
#: after a second; here a thousand turns are a draw, which nobody wins.
GAMES: dict[str, Value] = {
    "players": 3,
    "map": "random",
    "territories": 21,
    "cap": 50,
    "bonus": "each",
    "keep": 5,
    "spoils": 7,
    "turns": 1000,
}
#: Generations of the rounds.
GENERATIONS = (50, 60, 80, 100)
#: A third of the games: half the generations, fewer games, and 300 turns are a draw.
SHORT, SHORT_GAMES = (25, 30, 40, 50), {**GAMES, "turns": 300}


def arrays(topology: str) -> dict[str, np.ndarray]:
    """What a file of networks says of them beside their numbers."""
    found = Saved(TOPOLOGIES[topology], np.empty(0), SLOPE).arrays()
    return {name: found[name] for name in ("sizes", "slope")}


LESSONS = {
    "nets": Evolution(
        "five networks that attack, place and move by what lies around a territory",
        {name: length(family) for name, family in TOPOLOGIES.items()},
        nets,
        untrained,
        {
            "thesis": Plan(Settings(), GENERATIONS, 200, GAMES),
            "short": Plan(Settings(), SHORT, 120, SHORT_GAMES),
        },
        champion,
        arrays,
        DATA / "risk.nets.json",
    ),
}

# --- searches ---


def mcts(game: Game, step: int, **given: Value) -> MctsAgent:
    return searching(game, borders(step), given)


def mcts_nn(game: Game, net: str, seed: int, file: str, limit: float, **given: Value) -> MctsAgent:
    return searching(game, advised(*family(net, seed, file), limit), given)


def searching(game: Game, filter: np.ndarray, given: dict[str, Value]) -> MctsAgent:
    """UCT as in the books: ``c`` counts for shares of games won, whatever their spread."""
    agent = cast(MctsAgent, GENERIC["mcts"].build(game, {**given, "luck": 0}, "mcts"))
    agent.guide = filter
    agent.selection["plain"] = True
    return agent


#: What both searches have; of the generic one's parameters the rest would mean nothing.
SEARCH = (
    Option("iterations", 1000, "iterations per decision", 0, 1e9),
    Option("seconds", 0.0, "time per decision instead of iterations", 0, 3600),
    Option("c", sqrt(2), "how much to explore", 0, 100),
    Option("playout", "random", "policy of the playouts; on large maps sensible is much faster"),
    Option("rollout", -1, "decisions of a playout, then all are even; -1: no limit", -1),
)

NETS = (
    Option("net", "complex-2-4", "a champion, by attempt and round; or simple, complex: untrained"),
    Option("seed", 0, "of untrained networks", 0, 1 << 31),
    Option("file", "", "networks from an .npz file that kostka learn has written"),
)

KINDS = {
    "random": Kind(
        "the thesis's: attacks on with chance p, and draws lots in all else",
        random,
        (Option("p", 0.87, "the chance to attack once more", 0, 1),),
    ),
    "nn": Kind(
        "the thesis's five networks: simple or complex, untrained or a champion of its evolution",
        nn,
        NETS,
    ),
    "mcts": Kind(
        "the thesis's search: armies to borders, fights to the end; decision by decision, not "
        "turn by turn, and attacks in any order",
        mcts,
        (
            *SEARCH,
            Option("step", 2, "armies are placed in steps of so many", 1, 1000),
        ),
    ),
    "mcts-nn": Kind(
        "the thesis's search over what its networks would do; decision by decision",
        mcts_nn,
        (
            *SEARCH,
            *NETS,
            Option("limit", 0.5, "outputs of the networks above this are searched", 0, 1),
        ),
    ),
}
