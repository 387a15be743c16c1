"""Errors that a person can cause. Each says what was wrong and what would be right."""

from collections.abc import Iterable
from difflib import get_close_matches


class KostkaError(Exception):
    """Bad input: one clear sentence. The command line prints it and exits with 2."""


class IllegalAction(KostkaError):
    """An action that the rules forbid here; the message is the reason."""


class KernelError(TypeError):
    """A kernel or record that breaks the rules kernels live under."""


#: The most characters of what somebody gave us that an error repeats.
REPEATED = 80


def brief(value: object) -> str:
    """A value that somebody gave us, short enough for a sentence."""
    text = repr(value)
    return text if len(text) <= REPEATED else f"{text[:REPEATED]}…"


def unknown(kind: str, name: object, known: Iterable[str]) -> KostkaError:
    """The error for a name that is not among the known ones, with a suggestion."""
    names = sorted(known)
    close = get_close_matches(str(name)[:REPEATED], names, n=1, cutoff=0.5)
    hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(names) or 'none'}"
    return KostkaError(f"unknown {kind} {brief(str(name))}; {hint}")
