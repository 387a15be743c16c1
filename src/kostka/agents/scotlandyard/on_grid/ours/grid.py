"""The grid of Scotland Yard for who works it out: its rules over plain numbers, and its turns.

The game's own rules play a game; here positions are numbered, and the moves of all detectives in a
round are one reply. The tests compare the two.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kostka.core.errors import KostkaError
from kostka.core.state import View
from kostka.games.scotlandyard.setup import square

Array = np.ndarray[Any, np.dtype[Any]]

#: Where the detectives are, in the order in which they move.
Detectives = tuple[int, ...]

#: Where the detectives were at the beginning of a stage and after each of their replies.
Trail = tuple[Detectives, ...]

#: Beyond these a table or a linear program does not fit into memory.
MOST_POSITIONS, MOST_TRAILS = 1_000_000, 5_000


@dataclass(frozen=True)
class Yard:
    """A grid with its options, named as in the game."""

    size: int = 5
    detectives: int = 2
    rounds: int = 15
    reveal: int = 3
    surrounded: bool = True
    ways: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)
    _replies: dict[tuple[Detectives, int], list[Detectives]] = field(
        init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if min(self.size - 2, self.detectives, self.rounds, self.reveal) < 1:
            raise KostkaError(f"{self} is not a game; the least is size 3 and 1 of everything else")
        trails = 4 ** (self.detectives * (min(self.reveal, self.rounds) - 1))
        if self.positions > MOST_POSITIONS or trails > MOST_TRAILS:
            raise KostkaError(
                f"{self} is too large to solve; take a smaller grid, fewer detectives, or let "
                "Mr X show himself more often"
            )
        to, _, degree = square(self.size)
        ways = tuple(tuple(map(int, to[i, : degree[i]])) for i in range(self.cells))
        object.__setattr__(self, "ways", ways)
        object.__setattr__(self, "_replies", {})

    @property
    def cells(self) -> int:
        return self.size * self.size

    @property
    def periods(self) -> int:
        """How many there are."""
        return 1 + 2 * self.reveal

    def period(self, turn: int) -> int:
        """What a round has in common with others: 0 for those before Mr X is first seen; all others
        by how long he has been hidden, and whether they are the last ones."""
        if turn < self.reveal:
            return 0
        return 1 + 2 * (turn % self.reveal) + (self.rounds - turn < self.reveal)

    def steps(self, x: int, detectives: Detectives) -> list[int]:
        """Where Mr X can go. Where surrounding is no loss he stays if he must."""
        free = [to for to in self.ways[x] if to not in detectives]
        return free or [x] * (not self.surrounded)

    def caught(self, x: int, detectives: Detectives) -> bool:
        """Whether Mr X has lost after the detectives' reply."""
        return x in detectives or not self.steps(x, detectives)

    def replies(self, detectives: Detectives, moved: int = 0) -> list[Detectives]:
        """Where the detectives can be after they, but for some first, have moved in turn.

        There are never two on a cell. One who has no way out passes. That none of them has one
        cannot be: there is a free cell.
        """
        key = detectives, moved
        if key not in self._replies:
            now = [detectives]
            for i in range(moved, len(detectives)):
                now = [
                    (*where[:i], to, *where[i + 1 :])
                    for where in now
                    for to in [n for n in self.ways[where[i]] if n not in where] or [where[i]]
                ]
            self._replies[key] = now
        return self._replies[key]

    def distance(self, a: int, b: int) -> int:
        """Steps from one cell to another."""
        return abs(a // self.size - b // self.size) + abs(a % self.size - b % self.size)

    def shows(self, turn: int) -> bool:
        """Whether Mr X shows himself in this round, counted from 1."""
        return turn % self.reveal == 0

    def starts(self) -> Iterator[Detectives]:
        """All ways to place the detectives."""
        return itertools.permutations(range(self.cells), self.detectives)

    def hideouts(self, detectives: Detectives) -> list[int]:
        """Where Mr X may start, all as likely."""
        return [x for x in range(self.cells) if x not in detectives]

    # --- positions by number ---

    @property
    def shape(self) -> tuple[int, ...]:
        """Of a table of positions: Mr X, then the detectives."""
        return (self.cells,) * (1 + self.detectives)

    @property
    def positions(self) -> int:
        return self.cells ** (1 + self.detectives)

    def code(self, x: int, detectives: Detectives) -> int:
        """The number of a position in the tables."""
        for d in detectives:
            x = x * self.cells + d
        return x

    def position(self, code: int) -> tuple[int, Detectives]:
        x, *detectives = map(int, np.unravel_index(code, self.shape))
        return x, tuple(detectives)

    def turns(self) -> list[Array]:
        """The eight ways to lay the board: where each cell comes to be."""
        cells = np.arange(self.cells).reshape(self.size, self.size)
        return [np.rot90(board, k).ravel() for board in (cells, cells.T) for k in range(4)]

    def turned(self) -> Array:
        """For each position the least of the eight that are the same but for turns of the board.

        Two detectives who swap places are not the same: the first may not go where the second is.
        """
        places = np.indices(self.shape).reshape(1 + self.detectives, -1)
        same = [np.ravel_multi_index(tuple(turn[places]), self.shape) for turn in self.turns()]
        return np.min(same, axis=0)


#: The grid as the theses play it.
THESES = Yard()


@dataclass(frozen=True)
class Known:
    """What the detectives know in a round (``turn``), and Mr X with them, since the stage began.

    ``at`` is where Mr X was then (None: nobody knew) and ``trail`` where the detectives have been
    from then on. A stage begins with the game, or when the detectives have replied to a showing;
    for that reply itself ``at`` is where Mr X is shown and the trail where they stand.
    """

    turn: int
    at: int | None
    trail: Trail


def yard_of(view: View) -> Yard:
    """The grid that a game is played on."""
    size, rounds, reveal = (int(view.options[name]) for name in ("size", "rounds", "reveal"))
    return Yard(size, view.players - 1, rounds, reveal, bool(view.options["surrounded"]))
