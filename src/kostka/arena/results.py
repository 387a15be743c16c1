"""Results: many games as columns, the form that statistics, ratings and reports work on."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import groupby
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

from kostka.arena import ratings
from kostka.arena.match import Match, roles, sides
from kostka.arena.referee import Played
from kostka.core.errors import KostkaError, unknown
from kostka.core.game import Game, Value
from kostka.core.outcome import WON, outcomes

#: Between the names of different agents that play for one side, which are one agent here.
TOGETHER = " + "

Column = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, eq=False)
class Results:
    """Games, one row a seat. The rows of a game lie together in order of seats; the games lie in
    order of match and number. Where sides play, a side is one seat, and so has one row.

    A *block* is all games under the same luck: those of one match in which only the seats change.
    What is to be an independent observation is a block, never a game.
    """

    #: Agents' specs; the column ``agent`` holds positions in it.
    agents: tuple[str, ...]
    game: Column
    match: Column
    number: Column
    block: Column
    players: Column
    seat: Column
    agent: Column
    #: Utility from 0 to 1, the points that people count, and the place from 1 (ties share it).
    gain: Column
    score: Column
    place: Column
    #: What the seat thought, rows × phases: seconds (nan where nobody looked at the clock) and
    #: decisions (0 where nobody counted).
    seconds: Column
    decisions: Column
    #: Of the whole game, the same in all its rows: decisions, seconds, peak memory in megabytes.
    length: Column
    time: Column
    memory: Column
    #: The names of the phases, for ``seconds`` and ``decisions``.
    phases: tuple[str, ...] = ("play",)
    #: Agents that carry something from game to game: their games are no sample of one strength.
    learners: frozenset[str] = field(default=frozenset())
    #: What the seats are called where they are not alike.
    roles: tuple[str, ...] = ()
    #: Turns of the whole game; nan where nobody counted.
    turns: Column | None = None

    def __len__(self) -> int:
        """The number of games."""
        return int(self.game[-1]) + 1 if len(self.game) else 0

    def role(self, seat: int, key: str = "role") -> dict[str, str]:
        """What a seat is called, as part of a row; nothing where all are alike."""
        return {key: self.roles[seat]} if self.roles else {}

    @property
    def drawn(self) -> int:
        """How many games nobody has won."""
        return int(self.values("drawn")[self.seat == 0].sum())

    @property
    def comparable(self) -> bool:
        """Can agents be told from the roles that they played? Not where one only ever had one."""
        played = np.unique(np.stack([self.agent, self.seat]), axis=1)
        return not self.roles or bool((np.bincount(played[0])[np.unique(played[0])] > 1).all())

    def values(self, measure: str) -> Column:
        """A value for every row: of its seat, of its whole table, or of the others there."""
        if measure in ("gain", "score", "place"):
            return np.asarray(getattr(self, measure), float)
        if measure == "turns":
            return np.full(len(self.game), np.nan) if self.turns is None else self.turns
        if measure in ("wins", "drawn", "losers"):
            won = outcomes(self.gain, self.game) == WON
            if measure == "wins":
                return won.astype(float)
            winners = np.bincount(self.game, weights=won)[self.game]
            if measure == "drawn":
                return (winners == 0).astype(float)
            left = np.bincount(self.game, weights=np.where(won, 0.0, self.score))[self.game]
            losers = self.players - winners
            return np.where(losers == 0, np.nan, left / np.where(losers == 0, 1, losers))
        total = np.bincount(self.game, weights=self.score)[self.game]
        if measure == "total":
            return total
        alone = self.players == 1
        others = np.where(
            alone, np.nan, (total - self.score) / np.where(alone, 1, self.players - 1)
        )
        return others if measure == "others" else self.score - others

    def pace(self, rows: Column, phases: Collection[str] = ()) -> float | None:
        """Seconds a decision of some seats, in some phases or all; None where nobody looked.

        Where whole games were played in one call, no seat has a clock of its own, and all phases
        together are the game's.
        """
        some = [i for i, phase in enumerate(self.phases) if phase in phases or not phases]
        decisions, seconds = self.decisions[rows][:, some], self.seconds[rows][:, some]
        clocked = np.isfinite(seconds) & (decisions > 0)
        spent, made = seconds[clocked].sum(), decisions[clocked].sum()
        if not made and not phases:
            spent, made = self.time[rows].sum(), self.length[rows].sum()
        return float(spent / made) if made else None

    def pick(self, rows: Column) -> "Results":
        """Some whole games, chosen by a mask of rows."""
        columns = {f.name: getattr(self, f.name) for f in fields(self)}
        chosen: dict[str, Any] = {
            name: column[rows] for name, column in columns.items() if isinstance(column, np.ndarray)
        }
        _, chosen["game"] = np.unique(chosen["game"], return_inverse=True)
        return replace(self, **chosen)

    def without(self, names: Collection[str]) -> "Results":
        """The games at which none of these agents sat."""
        known = set().union(*map(members, self.agents))
        for name in names:
            if name not in known:
                raise unknown("agent", name, self.agents)
        out = [i for i, name in enumerate(self.agents) if not members(name).isdisjoint(names)]
        kept = self.pick(~np.isin(self.game, self.game[np.isin(self.agent, out)]))
        left = [i for i in range(len(self.agents)) if i not in out]
        position = np.full(len(self.agents), -1)
        position[left] = np.arange(len(left))
        return replace(kept, agents=tuple(self.agents[i] for i in left), agent=position[kept.agent])

    def tables(self) -> Iterator[tuple[int, "Results"]]:
        """The games by the number of players, so that columns can be shaped games × seats."""
        for n in np.unique(self.players):
            yield int(n), self.pick(self.players == n)

    def each(self) -> Iterator[ratings.Result]:
        """Games as ratings want them."""
        start = 0
        while start < len(self.game):
            rows = slice(start, start + int(self.players[start]))
            names = tuple(self.agents[i] for i in self.agent[rows])
            yield ratings.Result(names, tuple(self.gain[rows].tolist()), int(self.block[start]))
            start = rows.stop


def members(name: str) -> set[str]:
    """The name of an agent, and if it is a team those of its members."""
    return {name, *name.split(TOGETHER)}


class Row(NamedTuple):
    """A seat of a game: decisions, seconds and memory in bytes are those of the whole game."""

    match: int
    number: int
    block: int
    players: int
    seat: int
    agent: str
    gain: float
    score: float
    place: float
    decisions: int
    seconds: float
    memory: int | None
    #: Decisions and seconds by phase; None where nobody looked at the clock.
    thought: Any
    #: Of the whole game; None where nobody counted.
    turns: int | None = None


def rows(number: int, match: Match, index: int, played: Played) -> list[Row]:
    """A game that was played, as rows."""
    standing = places(played.returns, played.scores)
    return [
        Row(
            number,
            index,
            match.block(index),
            match.players,
            seat,
            match.specs[who],
            played.returns[seat],
            played.scores[seat],
            standing[seat],
            played.decisions,
            played.seconds,
            played.memory,
            None if played.thought is None else played.thought[seat].round(9).tolist(),
            played.turns,
        )
        for seat, who in enumerate(match.seats(index))
    ]


def by_side(found: Sequence[Row], sided: Sequence[tuple[int, ...]]) -> Sequence[Row]:
    """Rows of seats as rows of sides: who wins and loses together is one result, not several."""
    if all(len(set(seats)) == len(seats) for seats in sided):
        return found
    merged = []
    for (of, _), seats in groupby(found, key=lambda row: row[:2]):
        teams: dict[int, list[Row]] = {}
        for side, row in zip(sided[of], seats, strict=True):
            teams.setdefault(side, []).append(row)
        scores = {side: fmean(row.score for row in team) for side, team in teams.items()}
        standing = places([team[0].gain for team in teams.values()], list(scores.values()))
        for (side, team), place in zip(teams.items(), standing, strict=True):
            thought = [row.thought for row in team if row.thought is not None]
            merged.append(
                team[0]._replace(
                    players=len(teams),
                    seat=side,
                    agent=TOGETHER.join(dict.fromkeys(row.agent for row in team)),
                    score=scores[side],
                    place=place,
                    thought=np.sum(thought, axis=0).tolist() if thought else None,
                )
            )
    return merged


def columns(
    found: Sequence[Row],
    learners: Collection[str],
    game: Game,
    options: Sequence[Mapping[str, Value]],
) -> Results:
    """Rows in order of match, number and seat, as columns; every match has options of its own."""
    sided = [sides(game, one) for one in options]
    found, phases = by_side(found, sided), game.phases
    (
        of,
        number,
        block,
        players,
        seat,
        agent,
        gain,
        score,
        place,
        length,
        time,
        memory,
        thought,
        turns,
    ) = (list(column) for column in zip(*found, strict=True))
    names = sorted(set(agent))
    where = {name: i for i, name in enumerate(names)}
    unclocked = [[0, np.nan]] * max(1, len(phases))
    spent = np.array([unclocked if t is None else t for t in thought], float)
    _, blocks = np.unique(np.array([of, block]), axis=1, return_inverse=True)
    return Results(
        agents=tuple(names),
        game=np.cumsum(np.array(seat) == 0) - 1,
        match=np.array(of),
        number=np.array(number),
        block=blocks.ravel(),
        players=np.array(players),
        seat=np.array(seat),
        agent=np.array([where[name] for name in agent]),
        gain=np.array(gain, float),
        score=np.array(score, float),
        place=np.array(place, float),
        seconds=spent[:, :, 1],
        decisions=spent[:, :, 0].astype(int),
        length=np.array(length),
        time=np.array(time, float),
        memory=np.array(memory, float) / 2**20,
        phases=tuple(phases) or ("play",),
        learners=frozenset(name for name in names if not members(name).isdisjoint(learners)),
        turns=np.array([np.nan if n is None else n for n in turns], float),
        roles=max((roles(game, seats) for seats in sided), key=len),
    )


def places(gains: Sequence[float], scores: Sequence[float]) -> list[float]:
    """Places from 1 by utility, then by score; who is equal in both shares the mean place."""
    keys = list(zip(gains, scores, strict=True))
    if not keys:
        raise KostkaError("a game without players has no places")
    return [
        1 + sum(other > key for other in keys) + (sum(other == key for other in keys) - 1) / 2
        for key in keys
    ]
