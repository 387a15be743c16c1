"""The proof kit: the laws of the contract, tried on any game at positions of every phase."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from kostka.core.game import Game, Value
from kostka.proof import drawings  # noqa: F401  (it declares its laws, after those it stands on)
from kostka.proof.law import LAWS, Verdicts, name_of
from kostka.proof.positions import Position, Progress, explore, sentence

#: Failures that are kept of each law, and the last moves that are kept of each.
EXAMPLES, MOVES = 3, 40


@dataclass
class Failure:
    """A case in which a law does not hold, and how to get there."""

    law: str
    what: str
    phase: str
    options: dict[str, Value]
    seed: int
    #: The last moves that lead there, how many went before them, and the position itself.
    moves: list[str]
    earlier: int
    code: str


@dataclass
class Law:
    """What came out for one law: the cases tried in each phase, and some that failed."""

    name: str
    cases: dict[str, int] = field(default_factory=dict)
    failed: int = 0
    failures: list[Failure] = field(default_factory=list)
    #: Why it was not tried at all.
    note: str = ""


@dataclass
class Report:
    """What came out for a game."""

    game: str
    seed: int
    laws: list[Law]
    #: How many positions of each phase were examined.
    positions: dict[str, int]
    seconds: float

    @property
    def ok(self) -> bool:
        return not any(law.failed for law in self.laws)


def check(
    game: Game, *, seed: int, positions: int = 60, progress: Progress | None = None
) -> Report:
    """Try every law of the contract on a game."""
    begun = time.perf_counter()
    tell = progress or (lambda what, part: None)
    survey = explore(game, seed, positions, tell)
    laws = {f: Law(name_of(f)) for _, f, _ in LAWS}
    subjects = [survey, *survey.lines, *(p for some in survey.positions.values() for p in some)]
    for number, subject in enumerate(subjects):
        tell("trying the laws", number / len(subjects))
        if isinstance(subject, Position):
            subject = replace(subject)  # what it remembers of itself is forgotten with the copy
            survey.note_secrets(subject)
        examine(laws, subject)
    for secret in survey.secrets.values():
        examine(laws, secret)
    for _, f, idle in LAWS:
        laws[f].note = "" if laws[f].cases else idle
    counts = {phase: len(some) for phase, some in survey.positions.items()}
    return Report(game.name, seed, list(laws.values()), counts, time.perf_counter() - begun)


def examine(laws: dict[Callable, Law], subject: Any) -> None:
    """Try every law that is about this kind of subject."""
    for kind, f, _ in LAWS:
        for verdict in verdicts(f, subject) if kind is type(subject) else ():
            one = laws[f]
            one.cases[subject.phase] = one.cases.get(subject.phase, 0) + 1
            if isinstance(verdict, str):
                one.failed += 1
                if len(one.failures) < EXAMPLES:
                    one.failures.append(failure(one.name, verdict, subject))


def verdicts(f: Callable[[Any], Verdicts], subject: Any) -> Verdicts:
    """The verdicts of a law; an exception is one too."""
    try:
        yield from f(subject)
    except Exception as error:
        yield sentence(error)


def failure(law: str, what: str, subject: Any) -> Failure:
    """A failure, with the way to where it happened."""
    line, codes = subject.place()
    moves, code = line.retrace(codes)
    earlier = max(0, len(moves) - MOVES)
    options = dict(line.options)
    return Failure(law, what, subject.phase, options, line.seed, moves[earlier:], earlier, code)
