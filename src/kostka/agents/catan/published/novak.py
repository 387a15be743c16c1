"""The players of Novák's thesis (Charles University, 2020): learnt values, and a look ahead.

It names eleven players and gives the settings of four. Its six learners are here those of λ = 0,
0.8 and 1, three with the ε of its table of settings and three with that of its example file.
"""

from functools import cache
from pathlib import Path

import numpy as np

from kostka.agents.base import Kind
from kostka.agents.catan.published import lookahead
from kostka.agents.catan.published.learner import Learner
from kostka.agents.generic import PolicyAgent, random
from kostka.agents.selfplay import SelfPlay, player, schedule, settings_in
from kostka.core.errors import KostkaError
from kostka.core.game import Game, Option, Value

DATA = Path(__file__).parents[1] / "data"
#: Weights that come with the game, by name.
SHIPPED = {name: DATA / f"{name}.npz" for name in ("td-0", "td-0.8", "td-1")}

#: How a turn is planned: table 5.1, and what the thesis leaves open.
PLANNING = (
    Option("depth", 1, "levels of the search; 1: none beyond the own turn", 1, 9),
    Option("actions", 3, "best actions tried further at each step of a turn", 1, 19),
    Option("turns", 9, "best turns that are searched", 1, 20),
    Option("turns_in_search", 3, "best turns at each level of the search", 1, 20),
    Option("offers", 3, "offers to other players in a turn at most", 0, 100),
    Option("ahead", 0.5, "how much of what a road leads to counts as its own worth", 0, 1),
)
#: What the thesis's own files of settings call them.
CZECH = {
    "hloubka": "depth",
    "pocet_akci": "actions",
    "pocet_tahu": "turns",
    "pocet_tahu_exp": "turns_in_search",
    "default_reward": "per_turn",
}

LESSON = SelfPlay(
    "what a position is worth, by 56 features and their products",
    Learner,
    lookahead.__name__,
    games=5200,
    usual={"epsilon": "0.4 500:0.2 1000:0.1 2000:0.05"},
    more=PLANNING,
    options={"map": "variable", "bank": "unlimited", "form": "thesis"},
    shipped=SHIPPED,
    aliases=CZECH,
)


@cache
def learnt(path: Path, member: int) -> np.ndarray:
    """A player by its weights, with the usual settings."""
    return player(LESSON, path, LESSON.check({}), member)


def planner(
    game: Game, weights: str, member: int, settings: str, epsilon: float, **planning: Value
) -> PolicyAgent:
    """Weights, and how a turn is planned: as a file of settings says, if there is one."""
    if settings:
        given = settings_in(LESSON, Path(settings))
        planning |= {name: given[name] for name in planning if name in given}
        if "epsilon" in given:
            epsilon = schedule("epsilon", str(given["epsilon"]), 0.0)[-1][1]
    made = learnt(LESSON.path(weights), member).copy()
    made["epsilon"] = epsilon
    for name, value in planning.items():
        made[name] = value
    return PolicyAgent(game, made)


def td(
    game: Game, weights: str, member: int, epsilon: float, offers: int, **given: Value
) -> PolicyAgent:
    """The weights learnt with a λ, or others."""
    name = weights or f"td-{given['lambda']:g}"
    if not weights and name not in SHIPPED:
        known = ", ".join(name.removeprefix("td-") for name in SHIPPED) or "none"
        raise KostkaError(f"no weights come with lambda={given['lambda']:g}; known: {known}")
    return planner(game, name, member, "", epsilon, offers=offers)


WEIGHTS = (
    Option("member", 0, "whose weights, of a file with several players", 0, 99),
    Option("epsilon", 0.05, "share of decisions at random", 0, 1),
)
SEARCH = Kind(
    "plans whole turns, and looks ahead at what others may do",
    planner,
    (
        Option("weights", "td-1", "a name or a file of weights", file=True),
        *WEIGHTS,
        Option("settings", "", "a file of settings, key=value a line", file=True),
        *PLANNING,
    ),
)

#: The learners: λ, and ε.
LEARNERS = {
    "modrozoubek": (0.0, 0.1),
    "turbo": (0.8, 0.1),
    "anca": (1.0, 0.1),
    "beruska": (0.0, 0.05),
    "boruvka": (0.8, 0.05),
    "dratek": (1.0, 0.05),
}
#: Those who are fixed: depth, actions, turns, turns in search.
FIXED = {
    "houba": (1, 3, 1, 1),
    "piskot": (1, 9, 1, 1),
    "zofka": (3, 3, 3, 2),
    "lisak": (5, 2, 2, 2),
}


def learner(trace: float, epsilon: float) -> Kind:
    """A learner of the thesis, with the weights that it ended with."""
    return SEARCH.preset(
        f"the thesis's: learnt with λ = {trace:g}", weights=f"td-{trace:g}", epsilon=epsilon
    )


def fixed(depth: int, actions: int, turns: int, turns_in_search: int) -> Kind:
    """A fixed player of the thesis, with the weights of λ = 1."""
    return SEARCH.preset(
        f"the thesis's: {depth} deep, best {actions} actions and {turns} turns",
        depth=depth,
        actions=actions,
        turns=turns,
        turns_in_search=turns_in_search,
    )


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
    "expectimax": SEARCH,
    **{name: learner(*given) for name, given in LEARNERS.items()},
    **{name: fixed(*given) for name, given in FIXED.items()},
    "bahnak": Kind("the thesis's: plays at random", random),
}
