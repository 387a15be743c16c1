"""Plans of learning: players of an experiment that are trained before its games are played.

A plan ``[[learn]]`` of an experiment has a name, and ``{name}`` stands in later plans for the file
of its weights, ``{name.2}`` for that of its second repetition. Its curve is put beside what was
published of it: a claim or a number at some game, which a moving mean of ours answers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from kostka.agents.lessons import lessons
from kostka.agents.selfplay import SelfPlay, Training
from kostka.arena.measures import in_words
from kostka.core.errors import KostkaError, unknown
from kostka.core.game import Value
from kostka.core.game import game as find_game
from kostka.learn.selfplay import Learnt

#: Curves are means over so many games.
MOVING = 200


@dataclass(frozen=True)
class Point:
    """What a source says of a curve at some game."""

    at: int
    #: ``turns`` of a game, mean points of its ``losers``, or the share of games that ``who`` won.
    measure: str = "turns"
    who: str | None = None
    value: float | None = None
    above: float | None = None
    below: float | None = None
    #: It ``falls`` or ``rises`` from the first games to these; or stays behind that of a player.
    trend: str | None = None
    behind: str | None = None


@dataclass(frozen=True)
class Learn:
    """Players that are trained, all repetitions of them."""

    name: str
    game: str
    lesson: str
    games: int
    #: Settings by learner; several learn together.
    learners: Mapping[str, Mapping[str, Value]]
    options: Mapping[str, Value]
    fixed: tuple[str, ...] = ()
    seed: int = 0
    repeat: int = 1
    published: tuple[Point, ...] = ()

    def scaled(self, scale: float) -> "Learn":
        """The same with more or fewer games, and so are the games of the points."""
        points = tuple(replace(p, at=max(1, ceil(p.at * scale - 1e-9))) for p in self.published)
        return replace(self, games=ceil(self.games * scale - 1e-9), published=points)

    def trainings(self, seed: int | None) -> list[Training]:
        """Each repetition."""
        game = find_game(self.game)
        lesson = lessons(game)[self.lesson]
        assert isinstance(lesson, SelfPlay)
        return [
            Training(game, lesson, self.learners, self.options, self.games,
                     self.seed if seed is None else seed, attempt, self.fixed)
            for attempt in range(1, self.repeat + 1)
        ]  # fmt: skip

    def paths(self, folder: Path, experiment: str, seed: int | None) -> list[Path]:
        """The file of each repetition."""
        seed = self.seed if seed is None else seed
        return [
            folder / f"{experiment}-{self.name}-{attempt}-{self.games}-{seed}.npz"
            for attempt in range(1, self.repeat + 1)
        ]


KEYS: dict[str, Any] = {
    "name": str, "game": str, "lesson": str, "games": int, "seed": int, "repeat": int,
    "settings": dict, "learners": dict, "options": dict, "fixed": list, "published": list,
}  # fmt: skip
POINT: dict[str, Any] = {
    "at": int, "measure": str, "who": str, "value": (int, float), "above": (int, float),
    "below": (int, float), "trend": str, "behind": str,
}  # fmt: skip
MEASURES = ("turns", "losers", "won")


def parse_learn(data: Mapping[str, Any], where: str) -> Learn:
    """A plan of learning, checked."""
    if missing := {"name", "game", "lesson"} - data.keys():
        raise KostkaError(f"{where}: the key {min(missing)} is missing")
    game = find_game(data["game"])
    known = lessons(game)
    if data["lesson"] not in known:
        raise KostkaError(f"{where}: {unknown('lesson', data['lesson'], known)}")
    lesson = known[data["lesson"]]
    if not isinstance(lesson, SelfPlay):
        raise KostkaError(f"{where}: {data['lesson']} is not learnt by self-play")
    if "settings" in data and "learners" in data:
        raise KostkaError(f"{where}: give settings for one learner, or learners for several")
    learners = data.get("learners") or {data["name"]: data.get("settings", {})}
    for given in learners.values():
        try:
            lesson.check(given)
        except KostkaError as error:
            raise KostkaError(f"{where}: {error}") from None
    fixed, games = tuple(data.get("fixed", ())), data.get("games", lesson.games)
    repeat = data.get("repeat", 1)
    if games < 1 or repeat < 1:
        raise KostkaError(f"{where}: games and repeat must be at least 1")
    found = Learn(
        data["name"], game.name, data["lesson"], games, learners,
        game.check(data.get("options", {})) and data.get("options", {}), fixed,
        data.get("seed", 0), repeat,
        tuple(
            parse_point(one, (*learners, *fixed), f"{where}, published {i}")
            for i, one in enumerate(data.get("published", ()), 1)
        ),
    )  # fmt: skip
    assert all(one.seats for one in found.trainings(None))
    return found


def parse_point(data: Mapping[str, Any], who: Sequence[str], where: str) -> Point:
    """A published point of a curve, checked."""
    for key, value in data.items():
        if key not in POINT:
            raise KostkaError(f"{where}: {unknown('key', key, POINT)}")
        if not isinstance(value, POINT[key]) or isinstance(value, bool):
            raise KostkaError(f"{where}: {key} cannot be {value!r}")
    if "at" not in data or data["at"] < 1:
        raise KostkaError(f"{where}: at says after how many games, from 1 on")
    point = Point(**data)
    if point.measure not in MEASURES:
        raise KostkaError(f"{where}: {unknown('measure of a curve', point.measure, MEASURES)}")
    if (point.measure == "won") != (point.who is not None):
        raise KostkaError(f'{where}: who goes with measure = "won", and with nothing else')
    if point.who is not None and point.who not in who:
        raise KostkaError(f"{where}: {unknown('player', point.who, who)}")
    said = (point.value, point.above, point.below, point.trend, point.behind)
    if sum(x is not None for x in said) != 1:
        raise KostkaError(f"{where}: give one of value, above, below, trend and behind")
    if point.trend not in (None, "falls", "rises"):
        raise KostkaError(f"{where}: a trend falls or rises, not {point.trend!r}")
    if point.behind is not None and (point.who is None or point.behind not in who):
        raise KostkaError(f"{where}: behind is for the wins of who, and names another player")
    return point


# --- curves ---


def moving(values: np.ndarray) -> list[float]:
    """Means over MOVING games in a row; over all where there are fewer."""
    width = min(MOVING, len(values))
    sums = np.r_[0.0, np.cumsum(values, dtype=float)]
    return ((sums[width:] - sums[:-width]) / width).tolist()


def curves(
    name: str, training: Training, learnt: Learnt, fixed: Sequence[str] | None = None
) -> dict[str, Any]:
    """How a course went: moving means of turns, losers' points and everybody's wins."""
    names = (*training.learners, *(training.fixed if fixed is None else fixed))
    return {
        "name": name,
        "games": learnt.games,
        "turns": moving(learnt.turns),
        "losers": moving(learnt.losers),
        "won": {who: moving(learnt.winner == n) for n, who in enumerate(names)},
    }


def beside(plan: Learn, found: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What was published of a curve, and the mean of our repetitions at the same game."""
    rows = []
    for point in plan.published:
        ours = mean_at(found, point.measure, point.who, point.at)
        theirs, holds = "", None
        measure: Any = "wins" if point.measure == "won" else point.measure
        if point.value is not None:
            theirs = in_words(point.value, measure)
        elif point.above is not None:
            theirs, holds = f"> {in_words(point.above, measure)}", ours > point.above
        elif point.below is not None:
            theirs, holds = f"< {in_words(point.below, measure)}", ours < point.below
        elif point.trend is not None:
            first = mean_at(found, point.measure, point.who, 1)
            theirs, holds = point.trend, ours < first if point.trend == "falls" else ours > first
        else:
            other = mean_at(found, "won", point.behind, point.at)
            theirs, holds = f"behind {point.behind}", ours < other
        rows.append(
            {"plan": plan.name, "at": point.at, "measure": point.measure, "who": point.who,
             "theirs": theirs, "ours": ours, "holds": holds}
        )  # fmt: skip
    return rows


def mean_at(found: Sequence[Mapping[str, Any]], measure: str, who: str | None, game: int) -> float:
    """The mean of the repetitions of a curve at some game, or where it begins if that is later."""
    values = []
    for one in found:
        curve = one["won"][who] if who is not None else one[measure]
        first = one["games"] - len(curve) + 1
        values.append(curve[min(max(game - first, 0), len(curve) - 1)])
    return float(np.mean(values))
