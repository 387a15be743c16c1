"""Location categorization (Nijssen and Winands 2011): where Mr X tends to be found.

The stations where he can be are put into categories. How often he was in a category, of the times
that it was possible, is its weight; a guess takes each station by the weight of its category. The
*general* table has one weight a category, the *detailed* one tells apart which other categories
were possible. The weight is a station's, not shared by those of its category: of the two ways to
read the paper's followers this one foretold better where Mr X was.

``kostka learn scotland-yard locations`` makes the tables.
"""

import functools
import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from kostka.agents.scotlandyard.lessons import games_of
from kostka.core.game import Game
from kostka.games.scotlandyard.heuristics import distances
from kostka.games.scotlandyard.state import DETECTIVES, FERRY, FUGITIVE, UNKNOWN

#: By the distance of the nearest detective (1 to 5 or more), by that of all on average (up to 2,
#: 3, 4, 5, or more), or by what runs there (taxis; a bus, too; the underground).
CATEGORIES = ("nearest", "mean", "lines")
COUNT = 5


def categories(s: Any, by: str) -> np.ndarray:
    """The category of each station."""
    if by == "lines":
        lines = np.where((s.kind == FERRY) | (s.to == 0), 0, s.kind)
        return lines[: s.stations].max(axis=1).astype(np.int64)
    away = distances(s)[s.station[1 : s.pieces]]
    if by == "nearest":
        return np.clip(away.min(axis=0), 1, COUNT) - 1
    return np.clip(np.floor(away.mean(axis=0) + 0.5).astype(np.int64) - 2, 0, COUNT - 1)


def possible(s: Any, by: str) -> tuple[np.ndarray, np.ndarray, int]:
    """The categories of all stations, which of them are possible, and these as one number."""
    found = categories(s, by)
    open_ = np.bincount(found[s.possible[: s.stations] == 1], minlength=COUNT) > 0
    return found, open_, int((open_ << np.arange(COUNT)).sum())


def likely(game: Game, s: Any, by: str, table: str) -> np.ndarray:
    """How likely Mr X is to be at each station, but for a factor, if he can be there."""
    found, _, mask = possible(s, by)
    tables = learnt(game.name)[by]
    known = tables["detailed"].get(str(mask)) if table == "detailed" else None
    times, there = np.array(known or tables["general"])
    return ((there + 1) / (times + COUNT))[found]  # as if each had been found once


@functools.cache
def learnt(name: str) -> dict[str, Any]:
    """The tables of a game; of London where it has none of its own."""
    folder = Path(__file__).parent
    own = folder / f"{name}.locations.json"
    path = own if own.exists() else folder / "scotland-yard.locations.json"
    return json.loads(path.read_text(encoding="utf-8"))


def learn(
    game: Game, teacher: str, games: int, seed: int, watch: Callable[[int], None]
) -> dict[str, Any]:
    """Count where Mr X is whenever he moves unseen: times a category was possible, and found."""
    general = {by: np.zeros((2, COUNT), np.int64) for by in CATEGORIES}
    detailed: dict[str, dict[int, np.ndarray]] = {
        by: defaultdict(lambda: np.zeros((2, COUNT), np.int64)) for by in CATEGORIES
    }
    for state, _ in games_of(game, teacher, games, seed, watch):
        s = state.record
        if s.phase != DETECTIVES or s.piece != 1 or s.seen[s.moves - 1] != UNKNOWN:
            continue
        for by in CATEGORIES:
            found, open_, mask = possible(s, by)
            for counts in (general[by], detailed[by][mask]):
                counts[0, open_] += 1
                counts[1, found[s.station[FUGITIVE]]] += 1
    return {
        by: {
            "general": general[by].tolist(),
            "detailed": {str(mask): n.tolist() for mask, n in sorted(detailed[by].items())},
        }
        for by in CATEGORIES
    }
