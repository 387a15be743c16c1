"""Agents that play the grid by its solution.

A plan depends on how the detectives have moved since Mr X was seen. An agent remembers that from
the views of its own decisions, whether it made them or is told of them. One that was seated in the
middle of a game works out which ways they can have come, by where they and Mr X can be now, and
takes one of these.
"""

import itertools
from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np

from kostka.agents.base import Kind, Observation, Player
from kostka.agents.scotlandyard.on_grid.ours.company import Company
from kostka.agents.scotlandyard.on_grid.ours.grid import Detectives, Known, Trail, Yard, yard_of
from kostka.agents.scotlandyard.on_grid.ours.sure import Cells, Sure, cells_of, possible, sure_of
from kostka.agents.scotlandyard.on_grid.ours.suspects import Suspects
from kostka.core.errors import KostkaError
from kostka.core.game import Game
from kostka.core.rng import uniform
from kostka.core.state import View
from kostka.games.scotlandyard import grid
from kostka.games.scotlandyard.actions import PASS, move_code, station_of
from kostka.games.scotlandyard.state import FUGITIVE, TAXI

Move = TypeVar("Move")


class Unbeatable(Player):
    """Plays either side of the exact solution: nobody does better against its best opponent."""

    def __init__(self, game: Game) -> None:
        if game != grid:
            raise KostkaError(f"the solution is that of {grid.name}, not of {game.name}")
        self.forget()

    def begin(self, seat: int, rng: np.ndarray) -> None:
        super().begin(seat, rng)
        self.forget()

    def forget(self) -> None:
        #: Where the detectives were when a round began, and when this agent moved in it.
        self.began: dict[int, Detectives] = {}
        self.met: dict[int, Detectives] = {}

    def observe(self, event: Observation) -> None:
        if event.view is not None:
            self.know(yard_of(event.view), event.view.record)

    def act(self, view: View) -> int:
        s, yard = view.record, yard_of(view)
        known = self.know(yard, s)
        if s.piece == FUGITIVE:
            return move_code(TAXI, draw(self.flee(yard, known, int(s.station[FUGITIVE])), self.rng))
        moved, here = int(s.piece) - 1, int(s.station[s.piece])
        to = draw(self.hunt(yard, known, s), self.rng)[moved]
        return PASS if to == here else move_code(TAXI, to)

    def flee(self, yard: Yard, known: Known, x: int) -> Mapping[int, float]:
        from kostka.agents.scotlandyard.on_grid.ours import solved  # SciPy takes its time

        return solved.exact(yard).flee(known, x)

    def hunt(self, yard: Yard, known: Known, s: Any) -> Mapping[Detectives, float]:
        """Replies of all detectives, some first of whom may have moved already."""
        from kostka.agents.scotlandyard.on_grid.ours import solved

        return solved.exact(yard).hunt(known, stations(s)[: s.piece - 1])

    def know(self, yard: Yard, s: Any) -> Known:
        """What everybody knows in this round, from this view and those before."""
        turn, here, moved = int(s.turn), stations(s), max(int(s.piece) - 1, 0)
        if turn - 1 not in self.met:
            self.forget()
        elif turn > 1:  # who moved before this agent had done so when it moved last
            self.began[turn] = (*self.met[turn - 1][:moved], *here[moved:])
        if moved == 0:
            self.began[turn] = here
        self.met[turn] = here
        shown = s.piece != FUGITIVE and yard.shows(turn)
        over = turn - 1 if shown else (turn - 1) // yard.reveal * yard.reveal
        ways = trails(yard, s, over, shown)
        trail = next((way for way in ways if self.recalls(over, way)), ways[0])
        self.began[turn] = trail[-1]
        at = turn if shown else over
        return Known(turn, int(s.seen[at - 1]) if at else None, trail)

    def recalls(self, over: int, way: Trail) -> bool:
        """Whether the rounds from then on began so, as far as this agent knows."""
        return all(self.began.get(turn, d) == d for turn, d in enumerate(way, over + 1))


class Elude(Unbeatable):
    """The sure win of the detectives, where there is one; a Mr X who is hard to catch."""

    def flee(self, yard: Yard, known: Known, x: int) -> Mapping[int, float]:
        from kostka.agents.scotlandyard.on_grid.ours import solved

        return solved.elusive(yard).flee(known, x)

    def hunt(self, yard: Yard, known: Known, s: Any) -> Mapping[Detectives, float]:
        reply = sure_of(yard).reply(known.turn, possible(s), stations(s), int(s.piece) - 1)
        return super().hunt(yard, known, s) if reply is None else {reply: 1.0}


class Solver(Elude):
    """Mr X also knows the published detectives: who can be foretold he escapes, and to who has
    habits he plays the best answer."""

    suspects: Suspects | None = None

    def begin(self, seat: int, rng: np.ndarray) -> None:
        super().begin(seat, rng)
        self.suspects = None

    def act(self, view: View) -> int:
        s = view.record
        if s.piece != FUGITIVE:
            return super().act(view)
        suspects = self.meet(view)
        way = suspects.way_out(int(s.turn), int(s.station[FUGITIVE]), stations(s))
        return super().act(view) if way is None else move_code(TAXI, way)

    def observe(self, event: Observation) -> None:
        """After a move of his own Mr X keeps what the detectives are about to reply to."""
        super().observe(event)
        if event.view is None or event.view.record.piece != FUGITIVE:
            return
        s, yard, suspects = event.view.record, yard_of(event.view), self.meet(event.view)
        turn, there, action = int(s.turn), stations(s), event.view.parse(event.text)
        if yard.shows(turn):
            to = int(s.station[FUGITIVE]) if action == PASS else station_of(action)
            suspects.show(turn, to, there)
            self.company.expect(turn, there, (to,))
        else:
            known = self.know(yard, s)
            self.company.expect(turn, there, cells_of(arrived(sure_of(yard), known)))

    def meet(self, view: View) -> Suspects:
        """Look what the detectives have replied; a second look at the same tells nothing more."""
        s, yard = view.record, yard_of(view)
        if self.suspects is None:
            self.suspects, self.company = Suspects(yard, view.buffer), Company(yard)
        self.suspects.watch(int(s.turn), stations(s))
        self.company.watch(stations(s))
        return self.suspects

    def flee(self, yard: Yard, known: Known, x: int) -> Mapping[int, float]:
        from kostka.agents.scotlandyard.on_grid.ours import solved

        return solved.elusive(yard, self.company.likeliest).flee(known, x)


def stations(s: Any) -> Detectives:
    return tuple(int(d) for d in s.station[1 : s.pieces])


def draw(chances: Mapping[Move, float], rng: np.ndarray) -> Move:
    """One of them, by their chances."""
    left = uniform(rng)
    for move, chance in chances.items():  # noqa: B007
        left -= chance
        if left < 0:
            break
    return move


# --- how they have come here ---


def trails(yard: Yard, s: Any, over: int, shown: bool) -> list[Trail]:
    """All ways in which the detectives can have moved since these rounds were over.

    They lead to where they are now, and leave Mr X the cells where he can be now; if he is shown,
    whatever cells. The last entry is where they were when this round began.
    """
    here, moved, turn = stations(s), max(int(s.piece) - 1, 0), int(s.turn)
    ways: list[Trail] = [(before,) for before in origins(yard, here, moved)]
    for _ in range(turn - over - 1):
        ways = [(before, *way) for way in ways for before in origins(yard, way[0], len(here))]
    if shown:
        return ways
    at = int(s.seen[over - 1]) if over else None
    sure = sure_of(yard)
    fits = []
    for way in ways:
        known = Known(turn, at, way)
        cells = stayed(sure, known) if s.piece == FUGITIVE else arrived(sure, known)
        if cells & ~sure.taken(here) == possible(s):
            fits.append(way)
    return fits or ways


def origins(yard: Yard, here: Detectives, moved: int) -> list[Detectives]:
    """Where the detectives can have been before some first of them moved here."""
    cells = [(*yard.ways[d], d) if i < moved else (d,) for i, d in enumerate(here)]
    return [
        before
        for before in itertools.product(*cells)
        if len(set(before)) == len(before)
        and any(reply[:moved] == here[:moved] for reply in yard.replies(before))
    ]


def stayed(sure: Sure, known: Known) -> Cells:
    """The cells where Mr X can be at the beginning of the round."""
    everywhere = (1 << sure.yard.cells) - 1
    cells = sure.free(everywhere if known.at is None else 1 << known.at, known.trail[0])
    for before, reply in itertools.pairwise(known.trail):
        cells = sure.free(sure.moved(cells, before), reply)
    return cells


def arrived(sure: Sure, known: Known) -> Cells:
    """The cells where Mr X can be after his move."""
    return sure.moved(stayed(sure, known), known.trail[-1])


KINDS = {
    "exact": Kind("unbeatable on either side, by the exact solution of the game", Unbeatable),
    "solver": Kind(
        "detectives who win for sure where that is possible, and a Mr X who is hard to catch",
        Solver,
    ),
}
