"""Measures: of what a source may have published a number, and how ours is found."""

from dataclasses import dataclass
from typing import Literal, get_args

Measure = Literal[
    "gain", "wins", "place", "score", "others", "difference", "deviation",
    "total", "losers", "turns", "drawn", "seconds", "memory", "decision",
]  # fmt: skip
NAMES: tuple[Measure, ...] = get_args(Measure)


@dataclass(frozen=True)
class About:
    """What a measure is about."""

    #: What a row adds to whose result it is, where that is not the usual mean.
    words: str = ""
    #: Of a whole table, and so one number a game, whoever sits there.
    whole: bool = False
    #: From 0 to 1, and read in per cent.
    share: bool = False
    #: Does more of it, or less, tell that an agent is strong?
    strength: bool = False
    #: As much the machine's as the agent's: shown beside theirs, but nobody's strength or fault.
    cost: bool = False


ABOUT: dict[Measure, About] = {
    "gain": About(share=True, strength=True),
    "wins": About(", games won", share=True, strength=True),
    "place": About(strength=True),
    "score": About(strength=True),
    "others": About(", score of the others"),
    "difference": About(", score less that of the others", strength=True),
    "deviation": About(", deviation of the {of}"),
    "total": About(", sum of the scores", whole=True),
    "losers": About(", score of those who did not win", whole=True),
    "turns": About(", turns of all players in a game", whole=True),
    "drawn": About(", games that nobody won", whole=True, share=True),
    "seconds": About(", seconds a game", whole=True, cost=True),
    "memory": About(", most memory of the process", whole=True, cost=True),
    "decision": About(", seconds a decision", cost=True),
}


def in_words(number: float, measure: Measure) -> str:
    """A share in per cent, a time or a size with its unit, a place or a score as it is."""
    if ABOUT[measure].share:
        return f"{100 * number:.1f} %"
    if measure in ("seconds", "decision"):
        return time_in_words(number)
    if measure == "memory":
        return f"{number / 1000:.3g} GB" if number >= 1000 else f"{number:.0f} MB"
    return f"{number:.2f}"


def time_in_words(seconds: float) -> str:
    """A time with three digits that count: 1.45 s, 32.1 ms, 210 µs."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
