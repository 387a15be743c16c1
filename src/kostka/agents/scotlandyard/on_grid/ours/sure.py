"""Sure wins on the grid: where the detectives catch Mr X in time whatever he does.

No chances and no rounding: the detectives win for sure if they do so against every cell where Mr X
can be. A value of 1 of the exact solution is a sure win, for a mixed strategy that wins always is
made of strategies that win always; so this proves such a value again, by counting alone.
"""

import functools
from typing import Any

import numpy as np

from kostka.agents.base import Kind, Player
from kostka.agents.scotlandyard.on_grid.ours.grid import Detectives, Yard, yard_of
from kostka.core.errors import KostkaError
from kostka.core.game import Game
from kostka.core.state import View
from kostka.games.scotlandyard import grid
from kostka.games.scotlandyard.actions import PASS, move_code
from kostka.games.scotlandyard.state import FUGITIVE, TAXI

#: Cells as the bits of an integer.
Cells = int


def cells_of(cells: Cells) -> list[int]:
    return [i for i in range(cells.bit_length()) if cells >> i & 1]


def possible(s: Any) -> Cells:
    """Where Mr X can be, as everybody knows."""
    return sum(1 << int(x) for x in np.flatnonzero(s.possible))


class Sure:
    """Searches sure wins on a grid and remembers what it has found."""

    def __init__(self, yard: Yard) -> None:
        self.yard = yard
        self._ways = [sum(1 << to for to in ways) for ways in yard.ways]
        self._stuck: dict[Detectives, Cells] = {}
        self._wins: dict[tuple[int, Cells, Detectives], bool] = {}

    def wins(self, over: int, possible: Cells, detectives: Detectives) -> bool:
        """Whether Mr X, about to move from one of these cells after so many rounds, is lost."""
        if not possible:
            return True
        if over == self.yard.rounds:
            return False
        key = over, possible, detectives
        if key not in self._wins:
            reached, turn = self.moved(possible, detectives), over + 1
            parts = [1 << x for x in cells_of(reached)] if self.yard.shows(turn) else [reached]
            self._wins[key] = all(self.reply(turn, part, detectives) for part in parts)
        return self._wins[key]

    def reply(
        self, turn: int, possible: Cells, detectives: Detectives, moved: int = 0
    ) -> Detectives | None:
        """A reply in this round that is sure to win, if there is one; Mr X is on one of these.

        Some first detectives may have made their moves of it already.
        """
        for free, reply in self.narrowing(possible, detectives, moved):
            if self.wins(turn, free, reply):
                return reply
        return None

    def narrowing(
        self, possible: Cells, detectives: Detectives, moved: int = 0
    ) -> list[tuple[Cells, Detectives]]:
        """All replies with where Mr X can be then, first those that leave him the fewest cells."""
        replies = self.yard.replies(detectives, moved)
        left = [(self.free(possible, reply), reply) for reply in replies]
        return sorted(left, key=lambda one: one[0].bit_count())

    def moved(self, possible: Cells, detectives: Detectives) -> Cells:
        """Where Mr X can be after his move."""
        reached = 0 if self.yard.surrounded else possible & self.stuck(detectives)
        for x in cells_of(possible):
            reached |= self._ways[x]
        return reached & ~self.taken(detectives)

    def free(self, possible: Cells, detectives: Detectives) -> Cells:
        """Where Mr X can be when the detectives have come there and the game goes on."""
        lost = self.taken(detectives)
        return possible & ~(lost | self.stuck(detectives) if self.yard.surrounded else lost)

    def taken(self, detectives: Detectives) -> Cells:
        return sum(1 << d for d in detectives)

    def stuck(self, detectives: Detectives) -> Cells:
        """Cells all of whose neighbours are taken."""
        if detectives not in self._stuck:
            taken = self.taken(detectives)
            walled = (1 << x for x, ways in enumerate(self._ways) if not ways & ~taken)
            self._stuck[detectives] = sum(walled)
        return self._stuck[detectives]

    # --- the beginning ---

    def start(self, detectives: Detectives) -> bool:
        """Whether the detectives win for sure from there, wherever Mr X starts."""
        everywhere = (1 << self.yard.cells) - 1
        return self.wins(0, self.free(everywhere, detectives), detectives)

    def share(self) -> float:
        """The share of starts of the detectives from which they win for sure."""
        known: dict[Detectives, bool] = {}
        for detectives in self.yard.starts():
            if detectives not in known:
                sure = self.start(detectives)
                for turn in self.yard.turns():
                    known[tuple(int(turn[d]) for d in detectives)] = sure
        return sum(known.values()) / len(known)


class SureDetective(Player):
    """A detective on the grid who plays a sure win where there is one, else leaves Mr X few cells.

    The others need not be of the same kind: each move is looked up anew from what is known.
    """

    def __init__(self, game: Game) -> None:
        if game != grid:
            raise KostkaError(f"sure plays {grid.name}, not {game.name}")

    def act(self, view: View) -> int:
        s = view.record
        if s.seat == FUGITIVE:
            raise KostkaError("sure plays detectives only, from seat 1 on")
        sure = sure_of(yard_of(view))
        here = tuple(int(d) for d in s.station[1 : s.pieces])
        where = possible(s)
        moved = int(s.piece) - 1
        reply = sure.reply(int(s.turn), where, here, moved)
        if reply is None:
            _, reply = sure.narrowing(where, here, moved)[0]
        return PASS if reply[moved] == here[moved] else move_code(TAXI, reply[moved])


@functools.cache
def sure_of(yard: Yard) -> Sure:
    """One search for all detectives and games: what it has found is good for all."""
    return Sure(yard)


KINDS = {"sure": Kind("detectives who win for sure wherever that is possible", SureDetective)}
