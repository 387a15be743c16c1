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
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from kostka.agents.base import Kind
from kostka.agents.lessons import games_of
from kostka.agents.scotlandyard.published.nijssen import GUIDES, Guided, board, likely
from kostka.agents.scotlandyard.published.team import BUDGET
from kostka.core import rules
from kostka.core.game import Game, Option
from kostka.core.kernels import kernel
from kostka.core.record import new
from kostka.core.state import View
from kostka.games.scotlandyard.heuristics import FLIGHT, HUNT, TRAITS, Guide, distances, traits
from kostka.learn.regression import Sample, fit


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


def learn(
    game: Game, teacher: str, games: int, seed: int, watch: Callable[[int], None]
) -> dict[str, Any]:
    """Fit the prior to the moves of a teacher; a tenth of them is kept apart to judge it by."""
    guide = new(Guide, filters=1)
    out, rows = np.zeros(game.width, np.int64), np.zeros((game.width, TRAITS))
    seen: list[dict[int, list[tuple[np.ndarray, int]]]] = [defaultdict(list), defaultdict(list)]
    for state, action in games_of(game, teacher, games, seed, watch):
        guide["distance"] = board(distances(state.record).tobytes())
        k, side = look_at_all(guide, state.buffer, out, rows)
        chosen = np.flatnonzero(out[:k] == action)
        if k > 1 and len(chosen):
            seen[side][k].append((rows[:k].copy(), int(chosen[0])))
    made: dict[str, Any] = {}
    for side, name in ((FLIGHT, "flight"), (HUNT, "hunt")):
        apart, taught = _split(seen[side])
        weights = fit(taught)
        made[name] = [round(float(w), 4) for w in weights]
        made[f"{name} surprise"] = {
            "of all alike": apart.loss(0 * weights),
            "of the prior": apart.loss(weights),
        }
    return made


def _split(seen: dict[int, list[tuple[np.ndarray, int]]]) -> tuple[Sample, Sample]:
    """Choices among so many, as results of players: every tenth is kept apart, the rest teaches."""
    parts: tuple[Sample, Sample] = Sample([], []), Sample([], [])
    for k, choices in seen.items():
        for which, part in enumerate(parts):
            some = [one for i, one in enumerate(choices) if (i % 10 == 0) == (which == 0)]
            if some:
                part.features.append(np.array([x for x, _ in some]))
                part.gains.append(np.eye(k)[[chosen for _, chosen in some]])
    return parts


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
