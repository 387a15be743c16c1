"""Matches: many games between the same agents, with the seats rotated."""

import functools
import hashlib
import multiprocessing
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from kostka.agents import kinds, make
from kostka.agents.generic import PolicyAgent
from kostka.agents.spec import parse
from kostka.arena.referee import Played, play_game
from kostka.arena.sprt import Sprt
from kostka.arena.statistics import duplicate_gain, wilson
from kostka.core import play
from kostka.core.errors import KostkaError
from kostka.core.game import Game, Value
from kostka.core.game import game as find_game
from kostka.core.rng import stream, streams
from kostka.core.state import begin


@dataclass(frozen=True)
class Match:
    """What is to be played: it says everything, so that any process can play any game of it."""

    game: str
    specs: tuple[str, ...]
    games: int
    seed: int
    options: Mapping[str, Value]
    limit: float | None = None
    record: Path | None = None
    rotate: bool = True

    @property
    def players(self) -> int:
        return len(self.specs)

    def seats(self, index: int) -> list[int]:
        """Which agent sits where in a game: the seats rotate from game to game."""
        shift = index if self.rotate else 0
        return [(seat + shift) % self.players for seat in range(self.players)]

    def record_file(self, index: int) -> Path:
        """Where the record of a game goes."""
        return (self.record or Path()) / f"{self.game}-{self.seed}-{index:06d}.jsonl"

    def game_seed(self, index: int) -> int:
        """The seed of a game; the games of one full rotation share it, and so their board."""
        block = index // self.players if self.rotate else index
        digest = hashlib.sha256(f"{self.seed} {self.game} {block}".encode()).digest()
        return int.from_bytes(digest[:6], "big")


@dataclass
class Standing:
    """How one agent has done."""

    spec: str
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0
    seconds: float = 0.0
    #: Faults: reasons, with how often each occurred.
    faults: dict[str, int] = field(default_factory=dict)
    #: The points by seat in each block, a full rotation of the seats under the same luck.
    blocks: dict[int, dict[int, float]] = field(default_factory=dict)

    def add(self, gain: float, seconds: float = 0.0, fault: str | None = None) -> None:
        """Count one game: who gets all has won, who gets nothing has lost."""
        self.games += 1
        self.points += gain
        self.seconds += seconds
        if gain >= 1 - 1e-9:
            self.wins += 1
        elif gain <= 1e-9:
            self.losses += 1
        else:
            self.draws += 1
        if fault:
            self.faults[fault] = self.faults.get(fault, 0) + 1

    @property
    def share(self) -> float:
        return self.points / self.games if self.games else 0.0

    def worth(self, players: int) -> float | None:
        """How many independent games one game of this match is worth, thanks to duplicate play."""
        full = [block for block in self.blocks.values() if len(block) == players]
        return duplicate_gain([[block[seat] for seat in sorted(block)] for block in full])

    def json(self) -> dict[str, Any]:
        """The standing as plain data."""
        return {
            "spec": self.spec,
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "share": self.share,
            "interval": list(wilson(self.share, self.games)),
            "faults": self.faults,
        }


def prepare(
    game: Game,
    specs: tuple[str, ...],
    games: int,
    seed: int,
    options: Mapping[str, Any],
    **rest: Any,
) -> Match:
    """A match whose every part was checked, before anything is played or written."""
    given = dict(options)
    if str(given.setdefault("players", len(specs))) != str(len(specs)):
        raise KostkaError(f"{given['players']} players need as many agents, not {len(specs)}")
    checked = game.check(given)
    if games < 1:
        raise KostkaError(f"games must be at least 1, not {games}")
    for spec in specs:
        make(game, spec)
    match = Match(game.name, specs, games, seed, checked, **rest)
    if match.record is not None and match.record_file(0).exists():
        raise KostkaError(f"{match.record_file(0)} exists already; choose another folder or seed")
    return match


def play_one(match: Match, index: int, keep: bool = False) -> Played:
    """Play one game of a match; with ``keep`` its record comes along."""
    game = find_game(match.game)
    if match.limit is not None:
        for spec in match.specs:
            warm(game, spec, match.players)
    seats = match.seats(index)
    names = [match.specs[who] for who in seats]
    played = play_game(
        game,
        match.options,
        [make(game, name) for name in names],
        match.game_seed(index),
        names=names,
        limit=match.limit,
        record=keep or match.record is not None,
    )
    if match.record is not None and played.record is not None:
        played.record.write(match.record_file(index))
    if not keep:
        played.record = None
    return played


@functools.cache
def warm(game: Game, spec: str, players: int) -> None:
    """Let one of our agents decide once, so that its time limit does not count compiling."""
    if parse(spec)[0] in kinds(game):
        state = begin(game, game.check({"players": players}), 0).settle(stream(0))
        make(game, spec).act(state.view(state.mover))


def play_some(match: Match, indices: range) -> list[Played]:
    """Play several games of a match: all in compiled code where every agent is a policy."""
    policies = compiled_policies(match)
    if policies is None:
        return [play_one(match, index) for index in indices]
    return play_compiled(match, indices, policies)


def compiled_policies(match: Match) -> list[np.ndarray] | None:
    """The policies of a match that needs no Python between two decisions, otherwise None."""
    game = find_game(match.game)
    agents = [make(game, spec) for spec in match.specs]
    policies = [agent.policy for agent in agents if isinstance(agent, PolicyAgent)]
    alike = len(policies) == len(agents) and len({p.dtype for p in policies}) == 1
    return policies if alike and match.record is None and match.limit is None else None


def play_compiled(match: Match, indices: range, policies: list[np.ndarray]) -> list[Played]:
    """The games that the referee would play, each in one call."""
    game, players = find_game(match.game), match.players
    out, prob = np.empty(game.width, np.int64), np.empty(game.width)
    found = []
    for index in indices:
        seed = match.game_seed(index)
        state = begin(game, match.options, seed)
        seats = np.concatenate([policies[who] for who in match.seats(index)])
        luck, rngs = streams(game.streams, seed, "luck"), streams(players, seed, "agent")
        limit, view = game.length, np.empty_like(state.one)
        decisions = play.contest(state.one, view, seats, luck, rngs, out, prob, limit)
        found.append(Played(state.returns, state.scores, decisions, {}, None, [0.0] * players))
    return found


def run(match: Match, jobs: int = 1) -> Iterator[tuple[int, Played]]:
    """Play all games; yields them in order, the same with any number of processes."""
    if match.record is not None:
        match.record.mkdir(parents=True, exist_ok=True)
    first = range(min(match.games, match.players))
    yield from zip(first, play_some(match, first), strict=True)  # compiles, so that others load
    fast = compiled_policies(match) is not None
    most = 256 if fast else match.players if jobs == 1 else 64
    chunk = max(1, min(most, match.games // (4 * jobs)))
    parts = [range(i, min(i + chunk, match.games)) for i in range(len(first), match.games, chunk)]
    if jobs == 1:
        for part in parts:
            yield from zip(part, play_some(match, part), strict=True)
        return
    pool = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))
    try:
        results = pool.map(play_some, [match] * len(parts), parts)
        for part, played in zip(parts, results, strict=True):
            yield from zip(part, played, strict=True)
    finally:
        pool.shutdown(cancel_futures=True)  # who stops early does not wait for the rest


def tally(match: Match, jobs: int = 1, standings: list[Standing] | None = None) -> list[Standing]:
    """Play a match and count; ``standings`` grow with every game, for who wants to look on."""
    if standings is None:
        standings = [Standing(spec) for spec in match.specs]
    for index, played in run(match, jobs):
        for seat, who in enumerate(match.seats(index)):
            one, gain = standings[who], played.returns[seat]
            one.add(gain, played.seconds[seat], played.faults.get(seat))
            if match.rotate:
                one.blocks.setdefault(index // match.players, {})[seat] = gain
    return standings


def trial(match: Match, test: Sprt, jobs: int = 1) -> Iterator[Sprt]:
    """Play until the test has decided whether the first agent is stronger; yields every block."""
    gains: list[float] = []
    for index, played in run(match, jobs):
        gains.append(played.returns[match.seats(index).index(0)])
        if len(gains) == match.players:
            test.add(test.lineup.block(gains))
            gains = []
            yield test
            if test.verdict is not None:
                return
