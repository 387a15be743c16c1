"""Our player: the search of Nijssen and Winands with a prior learnt from its own better games.

A prior says how likely a good player is to make a move, from what the move looks like: how near it
leads to where Mr X can be, or away from the detectives, which ways lead on, what the ticket costs
(``traits`` in the game's heuristics). Selection trusts it as much as some visits (PUCT), so that a
search of a few hundred iterations, in which single results are mostly noise, tries the right moves.
The weights are a conditional logit, fitted to the moves of a teacher who thinks longer, and then
again with this player as its own teacher: ``kostka learn scotland-yard prior``.
"""

import functools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from kostka.agents.base import Kind
from kostka.agents.scotlandyard.published.nijssen import GUIDES, Guided, board, likely
from kostka.agents.scotlandyard.published.team import BUDGET
from kostka.core import rules
from kostka.core.game import Game, Option
from kostka.core.kernels import kernel
from kostka.core.record import new
from kostka.core.state import View
from kostka.games.scotlandyard.heuristics import FLIGHT, TRAITS, Guide, distances, traits
from kostka.learn.example import Example
from kostka.learn.logit import APART, Case, Sample, fit


class Ismcts(Guided):
    def __init__(self, game: Game, **rest: Any) -> None:
        super().__init__(game, weight=learnt(game.name), **rest)

    def likely(self, view: View) -> np.ndarray:
        return likely(self.game, view.record, "nearest", "general")


@functools.cache
def learnt(name: str) -> np.ndarray:
    """The weights of the prior for a game."""
    path = Path(__file__).parent / "data" / f"{name}.prior.json"
    known = json.loads(path.read_text(encoding="utf-8"))
    return np.array([known["flight"], known["hunt"]])


# --- learning the prior ---


@kernel
def look_at_all(guides, states, out, rows):
    """Write the traits of all sensible actions; returns how many there are, and the side."""
    h, s = guides[0], states[0]
    k = rules.sensible(h, s, out, rules.legal(s, out))
    side = FLIGHT
    for i in range(k):
        side = traits(h, s, out[i], rows[i])
    return k, side


def learn(game: Game, examples: Iterable[Example]) -> dict[str, Any]:
    """Fit the prior to the moves of a teacher; a tenth of them is kept apart to judge it by."""
    guide = new(Guide, filters=1)
    out, rows = np.zeros(game.width, np.int64), np.zeros((game.width, TRAITS))
    seen: list[list[Case]] = [[], []]
    for example in examples:
        for state, action in example.decisions():
            guide["distance"] = board(distances(state.record).tobytes())
            k, side = look_at_all(guide, state.buffer, out, rows)
            if k > 1 and action in out[:k]:
                seen[side].append((rows[:k].copy(), out[:k] == action))
    made: dict[str, Any] = {}
    for cases, name in zip(seen, ("flight", "hunt"), strict=True):
        apart = Sample.of(cases[::APART])
        weights = fit(Sample.of(case for i, case in enumerate(cases) if i % APART), TRAITS)
        made[name] = [round(float(w), 4) for w in weights]
        made[f"{name} surprise"] = {
            "of all alike": apart.loss(0 * weights),
            "of the prior": apart.loss(weights),
        }
    return made


KINDS = {
    "ismcts": Kind(
        "our search over guesses of where Mr X is, with a prior learnt from games",
        Ismcts,
        (
            *BUDGET,
            Option("trust", 0.5, "how much the prior counts", 0.01, 100),
            *GUIDES,
        ),
    )
}
