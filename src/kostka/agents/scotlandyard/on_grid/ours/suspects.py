"""Mr X recognises detectives who think as the alpha-beta ones do, and goes where they will not be.

Those detectives plan when they see Mr X and follow their line until they see him again: whoever
knows how they think knows where they go. So, round by round, Mr X compares what he has seen them do
with what each version would have done; while one has always been right he can look ahead to the
end of the game, and take a way on which they do not catch him.
"""

import functools
from typing import Any

import numpy as np

from kostka.agents.scotlandyard.on_grid.ours.grid import Detectives, Yard
from kostka.agents.scotlandyard.published.tulusak import look_ahead
from kostka.core.record import clone
from kostka.games.scotlandyard.actions import PASS, station_of
from kostka.games.scotlandyard.heuristics import distances
from kostka.games.scotlandyard.state import DETECTIVES, FUGITIVE, State

VERSIONS = (1, 2, 3, 4)
DEPTH = 3

#: Rounds in which a suspect must have been right before Mr X counts on it.
CONFIRMED = 2

#: Where each detective wants to be at the end of each of the next rounds.
Line = tuple[tuple[int, ...], ...]


class Suspects:
    """What Mr X knows of the detectives in one game."""

    def __init__(self, yard: Yard, one: np.ndarray) -> None:
        self.yard = yard
        #: The board, the same in all games on it.
        self.board = clone(one)
        s = self.board[0]
        s.turn, s.moves, s.station[:], s.possible[:], s.seen[:], s.log[:] = 1, 1, 0, 0, -1, -1
        self.right = dict.fromkeys(VERSIONS, 0)
        #: In which round Mr X was last shown, where, and where the detectives were then.
        self.shown: tuple[int, int, Detectives] | None = None
        self.last: tuple[int, Detectives] | None = None

    def watch(self, turn: int, detectives: Detectives) -> None:
        """At the beginning of a round: were the suspects right about the round before?"""
        if self.shown is not None and self.last is not None and self.last[0] == turn - 1:
            began, x, then = self.shown
            for version in [*self.right]:
                line = self.line(version, x, then)
                guess = follow(self.yard, line, turn - 1 - began, self.last[1])
                if guess == detectives:
                    self.right[version] += 1
                else:
                    del self.right[version]
        self.last = turn, detectives

    def show(self, turn: int, x: int, detectives: Detectives) -> None:
        """Mr X shows himself."""
        self.shown = turn, x, detectives

    def way_out(self, turn: int, x: int, detectives: Detectives) -> int | None:
        """The next cell of a way on which no suspect catches Mr X before the game is over."""
        known = [version for version, n in self.right.items() if n >= CONFIRMED]
        for version in known[::-1]:
            if self.shown is not None:
                began, at, then = self.shown
                seen: set[Any] = set()
                way = self.escape(version, turn, x, detectives, began, (at, then), seen)
                if way is not None:
                    return way
        return None

    def escape(
        self,
        version: int,
        turn: int,
        x: int,
        detectives: Detectives,
        began: int,
        basis: tuple[int, Detectives],
        hopeless: set[Any],
    ) -> int | None:
        """Depth first: a step from which Mr X survives to the end, if there is one."""
        for to in self.yard.steps(x, detectives):
            since, then = (turn, (to, detectives)) if self.yard.shows(turn) else (began, basis)
            key = turn, to, detectives, then
            if key in hopeless:
                continue
            line = self.line(version, *then)
            reply = follow(self.yard, line, turn - since, detectives)
            if reply is not None and not self.yard.caught(to, reply):
                if turn == self.yard.rounds:
                    return to
                after = self.escape(version, turn + 1, to, reply, since, then, hopeless)
                if after is not None:
                    return to
            hopeless.add(key)
        return None

    def line(self, version: int, x: int, detectives: Detectives) -> Line:
        return _line(version, x, detectives, self.board.tobytes())


@functools.lru_cache(maxsize=1 << 14)
def _line(version: int, x: int, detectives: Detectives, board: bytes) -> Line:
    """How detectives of a version go on after Mr X was shown; each of them plans for himself."""
    one = np.frombuffer(bytearray(board), State)
    s = one[0]
    s.phase, s.station[FUGITIVE] = DETECTIVES, x
    s.station[1 : s.pieces] = detectives
    goals = [[d] * DEPTH for d in detectives]
    for i in range(len(detectives)):
        s.piece = s.seat = i + 1
        moves = look_ahead(one, distances(s), version, DEPTH).line
        for n, move in enumerate(moves):
            turn, piece = divmod(i + 1 + n, int(s.pieces))
            if piece == i + 1 and turn < DEPTH and move != PASS:
                goals[i][turn] = station_of(move)
        s.station[i + 1] = goals[i][0]
        if goals[i][0] == x:
            break
    return tuple(zip(*goals, strict=True))


def follow(yard: Yard, line: Line, step: int, detectives: Detectives) -> Detectives | None:
    """Where the detectives are after a step of their line; None if they cannot follow it."""
    if step >= len(line) or line[step] not in yard.replies(detectives):
        return None
    return line[step]
