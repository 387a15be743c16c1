"""Players of a game that learn by self-play: what can be set, who plays whom, and their files."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from kostka.core.errors import KostkaError, brief
from kostka.core.game import Game, Option, Value, check_options
from kostka.core.record import clone, new
from kostka.learn import selfplay, td
from kostka.learn.network import arrays
from kostka.learn.selfplay import Course, Learnt

#: What every learner can be told; ``epsilon`` and ``tau`` may change from a game on.
SETTINGS = (
    Option("method", "true-online", "how it learns", choices=td.METHODS[td.MONTE_CARLO :]),
    Option("lambda", 0.8, "how far back a surprise teaches: 0 one step, 1 to the start", 0, 1),
    Option("gamma", 0.9, "what the reward of the next turn counts", 0, 1),
    Option("tau", "10", "visits until a value is learnt; from game 500 on 20: '10 500:20'"),
    Option("square", 400.0, "length of the features, squared: a step is 1 / (square · tau)", 1e-9),
    Option("epsilon", "0.1", "share of random play; from game 500 on less: '0.4 500:0.2'"),
    Option("per_turn", -5.0, "reward of every own turn but the last"),
    Option("per_point", 100.0, "reward of each point in the end"),
    Option("win", 800.0, "reward of winning"),
    Option("loss", -200.0, "reward of not winning"),
)


@dataclass(frozen=True)
class SelfPlay:
    """What a game's players can learn by self-play, with temporal differences."""

    help: str
    #: The record of a learner, with the fields of ``td``, and the module of what it does.
    record: np.dtype
    module: str
    games: int
    #: What is set differently here, and what else can be set: a field of the record each.
    usual: Mapping[str, Value] = field(default_factory=dict)
    more: tuple[Option, ...] = ()
    #: The options of the games.
    options: Mapping[str, Value] = field(default_factory=dict)
    #: The files of players that come with the game, by name.
    shipped: Mapping[str, Path] = field(default_factory=dict)
    #: Other names of settings, by which files may call them.
    aliases: Mapping[str, str] = field(default_factory=dict)

    @property
    def settings(self) -> tuple[Option, ...]:
        return (*SETTINGS, *self.more)

    def check(self, given: Mapping[str, Any]) -> dict[str, Value]:
        """All settings with their values, checked."""
        found = check_options(self.settings, {**self.usual, **given}, "setting of this lesson")
        for name, least in (("epsilon", 0.0), ("tau", 1e-9)):
            schedule(name, str(found[name]), least)
        return found

    def learner(self, settings: Mapping[str, Value]) -> np.ndarray:
        """A learner that knows nothing yet."""
        return new(
            self.record,
            method=td.METHODS.index(str(settings["method"])),
            decay=settings["lambda"],
            **{name: settings[name] for name in ("gamma", "per_turn", "per_point", "win", "loss")},
            **{option.name: settings[option.name] for option in self.more},
        )

    def fixed(self, name: str) -> np.ndarray:
        """A player that does not learn: ``random``, one that comes with the game, or of a file."""
        if name == "random":
            return new(self.record, method=td.RANDOM)
        return player(self, self.path(name), self.check({}))

    def path(self, name: str) -> Path:
        """The file of weights: of a name that comes with the game, or the file itself."""
        if name in self.shipped:
            return self.shipped[name]
        if not Path(name).suffix:
            known = ", ".join(self.shipped) or "none"
            raise KostkaError(f"no weights are named {brief(name)}; known: {known}, or a file")
        return Path(name)


def schedule(name: str, text: str, least: float) -> tuple[tuple[int, float], ...]:
    """``0.4 500:0.2`` as pairs: from which game on it is what."""
    found = []
    try:
        for at, part in enumerate(text.split()):
            first, colon, value = part.rpartition(":")
            if bool(colon) != (at > 0):
                raise ValueError
            found.append((int(first or 0), float(value)))
        games = [first for first, _ in found]
        if not found or games != sorted(set(games)):
            raise ValueError
    except ValueError:
        raise KostkaError(
            f"{name} must be a number, or change from game to game like 0.4 500:0.2, "
            f"not {brief(text)}"
        ) from None
    most = 1.0 if name == "epsilon" else np.inf
    if not all(least <= value <= most for _, value in found):
        raise KostkaError(f"{name} must be from {least:g} to {most:g}, not {brief(text)}")
    return tuple(found)


def read_settings(lesson: SelfPlay, text: str, where: str) -> dict[str, Value]:
    """The settings in a file: ``key=value`` a line, and comments behind ``#``."""
    given: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        key, equals, value = (part.strip() for part in line.partition("#")[0].partition("="))
        if not key and not equals:
            continue
        if not key or not value:
            raise KostkaError(f"{where}, line {number}: {brief(line.strip())} is not key=value")
        key = lesson.aliases.get(key, key)
        if key in given:
            raise KostkaError(f"{where}, line {number}: {key} is given twice")
        given[key] = value
    try:
        lesson.check(given)
    except KostkaError as error:
        raise KostkaError(f"{where}: {error}") from None
    return {name: lesson.check(given)[name] for name in given}


def settings_in(lesson: SelfPlay, path: Path) -> dict[str, Value]:
    """The settings in a file at a path."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise KostkaError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise KostkaError(f"{path} is not a text file") from None
    return read_settings(lesson, text, str(path))


@dataclass(frozen=True)
class Training:
    """A course of self-play: who learns by which settings, together in each game or one alone."""

    game: Game
    lesson: SelfPlay
    #: The settings of each learner, and what it is called.
    learners: Mapping[str, Mapping[str, Value]]
    options: Mapping[str, Value]
    games: int
    seed: int
    attempt: int = 1
    #: Players who do not learn, by name or file, a seat each.
    fixed: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        return ("self-play", self.game.name, self.seed, self.attempt)

    @property
    def seats(self) -> tuple[int, ...]:
        """The member of each seat: learners in turn, then those who are fixed."""
        players = int(self.game.check({**self.lesson.options, **self.options})["players"])
        left, learners = players - len(self.fixed), len(self.learners)
        if left < learners:
            raise KostkaError(
                f"{learners} learners and {len(self.fixed)} fixed players "
                f"do not fit at a table of {players}"
            )
        rest = range(learners, learners + len(self.fixed))
        return (*(seat % learners for seat in range(left)), *rest)

    @cached_property
    def course(self) -> Course:
        """Who plays whom; features are brought to their mean and deviation if the record says."""
        lesson, options = self.lesson, {**self.lesson.options, **self.options}
        settings = [lesson.check(given) for given in self.learners.values()]
        made = [lesson.learner(one) for one in settings]
        if "middle" in (lesson.record.names or ()):
            mean, deviation = normal(self.game, options, made[0], self.key)
            for one in made:
                one["middle"], one["deviation"] = mean, deviation
        schedules = {}
        for name in ("epsilon", "tau"):
            said = {str(one[name]) for one in settings}
            if len(said) > 1:
                raise KostkaError(f"learners in one game have one {name}, not {sorted(said)}")
            schedules[name] = schedule(name, said.pop(), 0.0)
        square = {float(one["square"]) for one in settings}
        alpha = tuple((first, 1 / (max(square) * tau)) for first, tau in schedules["tau"])
        return Course.of(
            self.game,
            options,
            np.concatenate([*made, *(lesson.fixed(name) for name in self.fixed)]),
            (*self.learners, *self.fixed),
            lesson.module,
            self.seats,
            self.key,
            {"epsilon": schedules["epsilon"], "alpha": alpha},
        )

    def train(
        self,
        path: Path,
        *,
        run: Callable[..., Any] = map,
        watch: Callable[[Learnt], None] = lambda learnt: None,
    ) -> Learnt:
        """Learn, or go on as far as the file has it; it is written after every few games."""
        course = self.course
        about, also = self.about(course), self.also(course)

        def keep(learnt: Learnt) -> None:
            selfplay.save(path, learnt, about, also)
            watch(learnt)

        so_far = self.so_far(path)
        if so_far is not None:
            watch(so_far)
        return selfplay.go_on(course, self.games, run=run, keep=keep, so_far=so_far)

    def so_far(self, path: Path) -> Learnt | None:
        """What a file has of this course; an error if it is of another."""
        return selfplay.load(path, self.about(self.course), self.course)

    def about(self, course: Course) -> dict[str, Any]:
        """All that a course depends on but for its number of games, as JSON has it."""
        fixed = course.members[len(self.learners) :]
        return {
            "game": self.game.name,
            "version": self.game.version,
            "options": dict(course.options),
            "learners": {n: self.lesson.check(given) for n, given in self.learners.items()},
            "fixed": [hashlib.sha256(one.tobytes()).hexdigest()[:16] for one in fixed],
            "seed": self.seed,
            "attempt": self.attempt,
        }

    def also(self, course: Course) -> dict[str, np.ndarray]:
        """What else a player needs of a file."""
        if "middle" not in (self.lesson.record.names or ()):
            return {}
        return {name: course.members[name][0] for name in ("middle", "deviation")}


def normal(
    game: Game, options: Mapping[str, Any], learner: np.ndarray, key: tuple[object, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """The mean and the deviation of each plain feature in random games.

    A learner with fields for them writes 1, then its plain features less the mean by the deviation,
    and then what it makes of these. What never changes is left as it is.
    """
    plain = clone(learner)
    plain["middle"], plain["deviation"] = 0.0, 1.0
    mean, deviation = selfplay.survey(game, options, plain, key)
    count = plain["middle"].shape[1]
    mean, deviation = mean[1 : 1 + count], deviation[1 : 1 + count]
    return mean, np.where(deviation > 0, deviation, 1.0)


#: Arrays of a file that a player is made of.
PLAYED_BY = ("weights", "middle", "deviation")


def player(
    lesson: SelfPlay, path: Path, settings: Mapping[str, Value], member: int = 0
) -> np.ndarray:
    """A player by the weights in a file; it does not learn any more."""
    found, one = arrays(path), lesson.learner(settings)
    one["method"] = td.FIXED
    for name in PLAYED_BY:
        if name not in (lesson.record.names or ()):
            continue
        rows, count = np.atleast_2d(found.get(name, np.empty(0))), one[name].shape[1]
        if rows.dtype != np.float64 or rows.ndim != 2 or rows.shape[1] != count:
            raise KostkaError(
                f"{path} holds no weights for this player: it needs {count} numbers of {name}"
            )
        if not np.isfinite(rows).all():
            raise KostkaError(f"{path} holds numbers that are not finite")
        number = member if name == "weights" else 0
        if number >= len(rows):
            raise KostkaError(f"{path} has {len(rows)} players, so there is no member {member}")
        one[name] = rows[number]
    return one
