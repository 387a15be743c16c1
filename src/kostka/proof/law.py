"""What a law is, and the list of all of them."""

from collections.abc import Callable, Iterator
from typing import Any

Verdicts = Iterator[bool | str]

#: The laws in order: what each is about, the law, and why there may be nothing to try it on.
LAWS: list[tuple[type, Callable[[Any], Verdicts], str]] = []


def law(subject: type, idle: str = "nothing to try it on") -> Callable:
    """Declare a law about every position, every line (a whole game), every secret or the survey."""

    def declare(f: Callable[[Any], Verdicts]) -> Callable[[Any], Verdicts]:
        LAWS.append((subject, f, idle))
        return f

    return declare


def name_of(f: Callable[[Any], Verdicts]) -> str:
    """The sentence of a law."""
    return str(f.__doc__).partition("\n")[0]
