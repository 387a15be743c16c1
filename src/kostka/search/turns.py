"""Whole turns: all that a player does until luck, or somebody else, has to decide."""

import numpy as np

from kostka.core import rules
from kostka.core.game import Game
from kostka.core.kernels import kernel
from kostka.core.memory import copy, integers, restore
from kostka.search.ordering import best_first

#: The most decisions that are seen as one turn, and the most turns that are listed.
LONGEST, MOST = 16, 1 << 16

#: What the row of a turn has after its last decision.
END = -1


@kernel
def list_turns(root, states, heuristics, turns, pool, keys, longest, beam):
    """Write every turn of the player to move to a row of ``turns``.

    They come in the order of the first decision, those with the same in that of the second, and so
    on. Returns their number; if that is more than there are rows, the rest is not written, and
    beyond ``MOST`` it is not counted.
    """
    h, me, width = heuristics[0], rules.mover(root[0]), len(keys)
    following, count, turn = integers(LONGEST), integers(LONGEST), integers(LONGEST)
    for i in range(longest):
        copy(states[i], root[0])
    n, d = 0, 0
    following[0], count[0] = 0, look(h, states[0], pool, keys, beam)
    while d >= 0 and n <= MOST:
        if following[d] == count[d]:
            d -= 1
            continue
        turn[d] = pool[d * width + following[d]]
        following[d] += 1
        d += 1
        if d < longest:
            restore(states[d], states[d - 1])
            rules.apply(states[d], turn[d - 1])
            if rules.mover(states[d]) == me:
                following[d], count[d] = 0, look(h, states[d], pool[d * width :], keys, beam)
                continue
        if n < len(turns):
            for i in range(turns.shape[1]):
                turns[n, i] = turn[i] if i < d else END
        n += 1
        d -= 1
    return n


@kernel
def look(h, s, out, keys, beam):
    """The actions that are looked at, the most promising first."""
    return best_first(h, s, out, keys, rules.legal(s, out), beam)


@kernel
def take_turn(s, turn):
    """Carry out a whole turn."""
    for a in turn:
        if a == END:
            break
        rules.apply(s, a)


class Turns:
    """The whole turns that a player has, of up to so many decisions each.

    Where there are too many for all to be listed, only their first few decisions are.
    """

    def __init__(self, game: Game, longest: int, beam: int = 0) -> None:
        self.longest, self.beam = longest, beam
        self._states = np.zeros(longest, game.dtype)
        self._pool = np.zeros(longest * game.width, np.int64)
        self._keys = np.zeros(game.width)
        #: A turn a row, filled up with END; those that count are the first.
        self.rows = np.zeros((256, longest), np.int64)
        self.count = 0

    def find(self, root: np.ndarray, heuristic: np.ndarray) -> int:
        """List the turns at a position, the most promising decisions first; how many there are."""
        longest = self.longest
        while True:
            work = (self._states, heuristic, self.rows, self._pool, self._keys)
            self.count = int(list_turns(root, *work, longest, self.beam))
            if self.count <= len(self.rows):
                return self.count
            if self.count > MOST:
                longest -= 1
            else:
                self.rows = np.zeros((self.count, self.longest), np.int64)

    def move_to_front(self, turn: tuple[int, ...]) -> None:
        """Let a turn change places with the first, if it is among them."""
        found = self.found
        if turn in found:
            self.rows[[0, found.index(turn)]] = self.rows[[found.index(turn), 0]]

    @property
    def found(self) -> list[tuple[int, ...]]:
        """The turns as tuples of actions."""
        rows = self.rows[: self.count].tolist()
        return [tuple(row[: row.index(END)] if END in row else row) for row in rows]
