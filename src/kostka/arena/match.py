"""Matches: many games between the same agents, with the seats changed under the same luck."""

import contextlib
import functools
import hashlib
import itertools
import time
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from kostka.agents import kinds, learns, make
from kostka.agents.generic import PolicyAgent
from kostka.agents.spec import parse
from kostka.arena.referee import Played, logged, play_game, turns_of
from kostka.core import play
from kostka.core.errors import KostkaError
from kostka.core.game import Game, Value
from kostka.core.game import game as find_game
from kostka.core.record import clone
from kostka.core.rng import stream, streams
from kostka.core.state import begin, blank
from kostka.core.state import dealt as deal

#: How the seats change within a block: in turn, in every possible way, or not at all.
Seating = Literal["rotate", "permute", "fixed"]
#: Whose memory a learner goes on with: that of its line-up and seats, or of its seat anywhere.
Memory = Literal["line-up", "seat"]
MEMORIES: tuple[Memory, ...] = ("line-up", "seat")
SEATINGS: tuple[Seating, ...] = ("rotate", "permute", "fixed")
#: The budget of an agent that is only to be compiled.
BRIEF = {"seconds": "0.01", "iterations": "1", "simulations": "1"}
#: More seatings than this in a block are no block that anybody has the time for.
MOST_SEATINGS = 1000


@dataclass(frozen=True)
class Match:
    """What is to be played: it says everything, so that any process can play any game of it."""

    game: str
    specs: tuple[str, ...]
    games: int
    seed: int
    options: Mapping[str, Value]
    #: Who sits where in the games of a block, which share their luck: agents by seat. An agent
    #: may play for a whole side.
    seatings: tuple[tuple[int, ...], ...]
    limit: float | None = None
    record: Path | None = None

    @property
    def players(self) -> int:
        return len(self.seatings[0])

    @functools.cached_property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat, from 0."""
        return sides(find_game(self.game), self.options)

    @functools.cached_property
    def roles(self) -> tuple[str, ...]:
        """What the sides are called; nothing where all are alike."""
        return roles(find_game(self.game), self.sides)

    def seats(self, index: int) -> tuple[int, ...]:
        """Which agent sits where in a game."""
        return self.seatings[index % len(self.seatings)]

    def block(self, index: int) -> int:
        """The block of a game."""
        return index // len(self.seatings)

    def record_file(self, index: int) -> Path:
        """Where the record of a game goes."""
        return (self.record or Path()) / f"{self.game}-{self.seed}-{index:06d}.jsonl"

    def game_seed(self, index: int) -> int:
        """The seed of a game, the same in a block."""
        digest = hashlib.sha256(f"{self.seed} {self.game} {self.block(index)}".encode()).digest()
        return int.from_bytes(digest[:6], "big")

    @functools.cached_property
    def learners(self) -> frozenset[str]:
        """The agents that carry something from game to game."""
        game = find_game(self.game)
        return frozenset(spec for spec in self.specs if learns(make(game, spec)))

    @functools.cached_property
    def policies(self) -> list[np.ndarray] | None:
        """The policies of a match that needs no Python between two decisions, otherwise None."""
        game = find_game(self.game)
        agents = [make(game, spec) for spec in self.specs]
        policies = [agent.policy for agent in agents if type(agent) is PolicyAgent]
        alike = len(policies) == len(agents) and len({p.dtype for p in policies}) == 1
        return policies if alike and self.record is None and self.limit is None else None


def remembers(memory: Memory, number: int, match: Match, seating: int, seat: int) -> Hashable:
    """Whose memory a learner in a seat goes on with: that of its series, or of its seat."""
    if memory == "seat":
        return match.specs[match.seatings[seating][seat]], match.players, seat
    return number, seating, seat


def seatings(agents: Sequence[str], how: Seating) -> tuple[tuple[int, ...], ...]:
    """The seatings of a block."""
    seats = range(len(agents))
    if how == "fixed":
        return (tuple(seats),)
    if how == "rotate":
        return tuple(tuple((seat + shift) % len(agents) for seat in seats) for shift in seats)
    found = tuple(itertools.islice(itertools.permutations(seats), MOST_SEATINGS + 1))
    if len(found) > MOST_SEATINGS:
        raise KostkaError(
            f"{len(agents)} agents sit down in more than {MOST_SEATINGS} ways; rotate their seats"
        )
    return found


def by_owner(
    orders: Sequence[tuple[int, ...]], owner: tuple[int, ...]
) -> tuple[tuple[int, ...], ...]:
    """The agent of each seat, from the agent of each place and the place that a seat belongs to."""
    return tuple(tuple(order[place] for place in owner) for order in orders)


def sides(game: Game, options: Mapping[str, Value]) -> tuple[int, ...]:
    """The side of each seat, from 0 in the order of the seats."""
    teams = game.teams(options)
    order = list(dict.fromkeys(teams))
    return tuple(order.index(team) for team in teams)


def roles(game: Game, sides: tuple[int, ...]) -> tuple[str, ...]:
    """What the sides are called; nothing where all are alike."""
    return tuple(
        game.role(sides.index(side)) + ("s" if sides.count(side) > 1 else "")
        for side in (sorted(set(sides)) if game.roles else ())
    )


def placed(
    game: Game, specs: Sequence[str], options: Mapping[str, Any]
) -> tuple[dict[str, Value], tuple[int, ...]]:
    """The options of a line-up, and which of its agents each seat belongs to.

    As many agents as the game has sides play a side each; otherwise everybody has one seat.
    """
    usual = game.check(options)
    teams = sides(game, usual)
    if len(specs) == len(set(teams)):
        return usual, teams
    checked = game.check({"players": len(specs), **options})
    if checked["players"] != len(specs):
        each = ", or one for each side" if game.sides is not None else ""
        raise KostkaError(
            f"{checked['players']} players need as many agents{each}, not {len(specs)}"
        )
    return checked, tuple(range(len(specs)))


def prepare(
    game: Game,
    specs: tuple[str, ...],
    games: int,
    seed: int,
    options: Mapping[str, Any],
    seats: Seating = "rotate",
    **rest: Any,
) -> Match:
    """A match whose every part was checked, before anything is played or written."""
    checked, owner = placed(game, specs, options)
    if games < 1:
        raise KostkaError(f"games must be at least 1, not {games}")
    if seats not in SEATINGS:
        raise KostkaError(f"seats must be one of {', '.join(SEATINGS)}, not {seats!r}")
    for spec in specs:
        make(game, spec)
    by_seat = by_owner(seatings(specs, seats), owner)
    match = Match(game.name, specs, games, seed, checked, by_seat, **rest)
    if match.record is not None and match.record_file(0).exists():
        raise KostkaError(f"{match.record_file(0)} exists already; choose another folder or seed")
    return match


def play_one(
    match: Match, index: int, keep: bool = False, learnt: Mapping[int, bytes] | None = None
) -> Played:
    """Play one game of a match; with ``keep`` its record comes along."""
    game = find_game(match.game)
    if match.limit is not None:
        for spec in match.specs:
            warm(game, spec, match.players)
    names = [match.specs[who] for who in match.seats(index)]
    played = play_game(
        game,
        match.options,
        [make(game, name) for name in names],
        match.game_seed(index),
        names=names,
        limit=match.limit,
        record=keep or match.record is not None,
        learnt=learnt,
    )
    if match.record is not None and played.record is not None:
        match.record.mkdir(parents=True, exist_ok=True)
        played.record.write(match.record_file(index))
    if not keep:
        played.record = None
    return played


@functools.cache
def warm(game: Game, spec: str, players: int) -> None:
    """Let one of our agents decide once, so that its time limit does not count compiling."""
    name, given = parse(spec)
    if name in kinds(game):
        state = begin(game, game.check({"players": players}), 0).settle(stream(0))
        brief = {key: value for key, value in BRIEF.items() if key in given}
        agent = kinds(game)[name].build(game, {**given, **brief}, name)
        with contextlib.suppress(Exception):  # an agent that fails will do so in a game as well
            agent.act(state.view(state.mover))


def play_some(
    match: Match, indices: Iterable[int], learnt: Mapping[int, bytes] | None = None
) -> Iterator[Played]:
    """Play several games of a match: each in one call where every agent is a policy.

    Agents that learn need games of one seating, in order, and what they had learnt before.
    """
    if match.policies is not None:
        yield from play_compiled(match, indices, match.policies)
        return
    for index in indices:
        played = play_one(match, index, learnt=learnt)
        learnt = played.learnt
        yield played


def play_compiled(
    match: Match, indices: Iterable[int], policies: list[np.ndarray]
) -> Iterator[Played]:
    """The games that the referee would play, each in one call.

    Such games are short: what serves a block is not made for each game, nor for each block what
    serves the match.
    """
    game, players = find_game(match.game), match.players
    out, prob, log = np.empty(game.width, np.int64), np.empty(game.width), np.empty(4096, np.int64)
    returns, scores = np.zeros((2, players))
    seated = [np.concatenate([policies[who] for who in seats]) for seats in match.seatings]
    undealt, dealt = blank(game, match.options), -1
    view = np.empty_like(undealt)
    for index in indices:
        start = time.perf_counter()
        seed = match.game_seed(index)
        if seed != dealt:
            first, dealt = deal(undealt, seed), seed
            luck, rngs = streams(game.streams, seed, "luck"), streams(players, seed, "agent")
        seats = seated[index % len(seated)]
        while True:
            state = clone(first)
            rest = (luck.copy(), rngs, out, prob, game.length, log)
            decisions, codes = play.contest(state, view, seats, *rest)
            if codes <= len(log):
                break
            log = np.empty(2 * codes, np.int64)
        returns[:], scores[:] = 0, 0
        if not play.reckon(state, returns, scores):
            raise KostkaError(f"{game.name} did not end within {game.length} decisions")
        played = Played(returns.tolist(), scores.tolist(), decisions, {})
        played.codes, played.turns = logged(log[:codes]), turns_of(state[0])
        played.seconds = time.perf_counter() - start
        yield played
