"""The players of Novák's thesis (Charles University, 2020): learnt values, and a look ahead."""

from functools import cache
from pathlib import Path

import numpy as np

from kostka.agents.base import Kind
from kostka.agents.catan.published import lookahead
from kostka.agents.catan.published.learner import Learner
from kostka.agents.generic import PolicyAgent
from kostka.agents.selfplay import SelfPlay, player
from kostka.core.errors import KostkaError
from kostka.core.game import Game, Option, Value

DATA = Path(__file__).parents[1] / "data"
SHIPPED = {path.stem: path for path in sorted(DATA.glob("td-*.npz"))}

#: Table 5.1: how a turn is planned; and what the thesis leaves open.
PLANNING = (
    Option("depth", 1, "levels of the search; 1: none beyond the own turn", 1, 9),
    Option("actions", 3, "best actions tried further at each step of a turn", 1, 19),
    Option("turns", 9, "best turns that are searched", 1, 20),
    Option("turns_in_search", 3, "best turns at each level of the search", 1, 20),
    Option("offers", 3, "offers to other players in a turn at most", 0, 100),
    Option("ahead", 0.5, "how much of what a road leads to counts as its own worth", 0, 1),
)

LESSON = SelfPlay(
    "what a position is worth, by 56 features and their products",
    Learner,
    lookahead.__name__,
    games=5200,
    usual={"epsilon": "0.4 500:0.2 1000:0.1 2000:0.05"},
    more=PLANNING,
    options={"map": "variable", "bank": "unlimited", "form": "thesis"},
    shipped=SHIPPED,
)


@cache
def learnt(weights: str, member: int) -> np.ndarray:
    """A player by its weights, with the usual settings."""
    return player(LESSON, LESSON.path(weights), LESSON.check({}), member)


def planner(
    game: Game, weights: str, member: int, epsilon: float, **planning: Value
) -> PolicyAgent:
    made = learnt(weights, member).copy()
    made["epsilon"] = epsilon
    for name, value in planning.items():
        made[name] = value
    return PolicyAgent(game, made)


def td(
    game: Game, weights: str, member: int, epsilon: float, offers: int, **given: float
) -> PolicyAgent:
    """The weights learnt with a λ, or others."""
    name = weights or f"td-{given['lambda']:g}"
    if not weights and name not in SHIPPED:
        known = ", ".join(name.removeprefix("td-") for name in SHIPPED)
        raise KostkaError(f"no weights come with lambda {given['lambda']:g}; there are {known}")
    return planner(game, name, member, epsilon, offers=offers, depth=1)


WEIGHTS = (
    Option("member", 0, "whose weights, of a file with several players", 0, 99),
    Option("epsilon", 0.05, "share of decisions at random", 0, 1),
)
HOUBA = Kind(
    "plans whole turns, and looks ahead at what others may do",
    planner,
    (Option("weights", "td-1", "a name or a file of weights", file=True), *WEIGHTS, *PLANNING),
)


def named(help: str, weights: str, member: int = 0, **settings: Value) -> Kind:
    return HOUBA.preset(help, weights=weights, member=member, **settings)


#: The fixed players of the thesis: depth, actions, turns, turns in search.
FIXED = {
    "houba": (1, 3, 1, 1),
    "piskot": (1, 9, 1, 1),
    "zofka": (3, 3, 3, 2),
    "lisak": (5, 2, 2, 2),
}

KINDS = {
    "td": Kind(
        "the best turn by a value learnt in self-play",
        td,
        (
            Option("lambda", 1.0, "of the weights that come with the game", 0, 1),
            Option("weights", "", "a name or a file of weights instead", file=True),
            *WEIGHTS,
            next(option for option in PLANNING if option.name == "offers"),
        ),
    ),
    "expectimax": HOUBA,
    **{
        name: named(
            f"the thesis's: depth {depth}, {actions} actions, {turns} turns",
            "td-1",
            depth=depth,
            actions=actions,
            turns=turns,
            turns_in_search=inside,
        )
        for name, (depth, actions, turns, inside) in FIXED.items()
    },
}
