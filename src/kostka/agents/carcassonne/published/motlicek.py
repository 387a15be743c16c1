"""The players of Motlíček's thesis (Charles University, 2020), with its settings as defaults.

The one exception is the follower that greedy takes back, which the thesis leaves open: ``first`` is
what its numbers come out with, ``closed`` is better play and the default.
"""

from kostka.agents.base import Kind
from kostka.agents.carcassonne.published import learning
from kostka.agents.generic import KINDS as GENERIC
from kostka.agents.generic import ExpectimaxAgent, PolicyAgent
from kostka.core.game import Game, Option
from kostka.core.record import new
from kostka.games.carcassonne.heuristics import TIES, Greedy
from kostka.games.carcassonne.potential import TERRAINS, by_hand, preset

#: Two decisions are a turn; and so many outcomes of luck are all that there are.
TURN, ALL_LUCK = 2, 65536

#: The evaluations that are meant by the names of leaves.
LEAVES = {"greedy": "margin", "potential": "potential"}


def random(game: Game) -> PolicyAgent:
    return PolicyAgent(game, game.policies["pairs"])


def greedy(game: Game, ties: str) -> PolicyAgent:
    return PolicyAgent(game, new(Greedy, ties=TIES.index(ties)))


def expectiminimax(game: Game, depth: int, seconds: float, leaf: str) -> ExpectimaxAgent:
    return ExpectimaxAgent(
        game,
        depth,
        seconds,
        LEAVES[leaf],
        players="maxn",
        luck=ALL_LUCK,
        beam=0,
        samples=1,
        turn=TURN,
        settle=False,
    )


#: The constants that can be set by hand, and what they are of.
BY_HAND = {
    f"{letter}{part}_{terrain}": f"{letter} of {what} of {terrain}"
    for terrain in TERRAINS
    for part, what in (("V", "tiles"), ("M", "cities"), ("N", "cities beside"))
    for letter in "abc"
}


def potential(game: Game, weighted: bool, **constants: float) -> PolicyAgent:
    return PolicyAgent(game, by_hand(weighted, **constants))


KINDS = {
    **learning.KINDS,
    "potential": Kind(
        "one step by what regions will be worth, and who will still get which",
        potential,
        (
            Option("weighted", True, "free regions count by the chance to draw a tile for them"),
            *(Option(name, preset(name), help, -1000, 1000) for name, help in BY_HAND.items()),
        ),
    ),
    "random": Kind("every pair of a placement and what is done then with the same chance", random),
    "greedy": Kind(
        "the best place and margin at once, as if all followers were taken back",
        greedy,
        (Option("ties", "closed", "which follower comes back", choices=TIES),),
    ),
    "expectiminimax": Kind(
        "all turns and all tiles, so many turns deep; every player wants his own place and margin",
        expectiminimax,
        (
            Option("depth", 2, "turns to look ahead", 1, 3),
            Option("seconds", 0.0, "time per decision; depth is then the most", 0, 3600),
            Option("leaf", "greedy", "what a position is worth", choices=tuple(LEAVES)),
        ),
    ),
    "mc": GENERIC["mc"].preset(
        "greedy games after each turn; their discounted place and margin decide",
        policy="greedy-first",
        eval="margin",
        gamma=0.8,
        stay=False,
        same_luck=False,
        turn=TURN,
    ),
    "mcts": GENERIC["mcts"].preset(playout="greedy", eval="lead"),
}
