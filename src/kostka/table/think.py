"""Agents think in processes of their own: the server never waits, and none of them can harm it.

A process that hangs or dies is killed and replaced.
"""

import asyncio
import os
import queue
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from kostka.agents import kinds, make
from kostka.agents.generic import PolicyAgent
from kostka.agents.session import Session
from kostka.agents.spec import levels, parse
from kostka.arena import ledger
from kostka.arena.worker import Crashed, Died, Worker
from kostka.core import present, rules
from kostka.core.errors import REPEATED, KostkaError, unknown
from kostka.core.game import Game, Value
from kostka.core.game import game as find_game
from kostka.core.log import GameLog
from kostka.core.rng import stream
from kostka.core.state import PUBLIC, State, View, begin

#: Seconds for a decision of an agent; more for the first of its kind, which may have to compile,
#: and for the first in a new process, which has to load.
LIMIT, COMPILING, LOADING = 20.0, 180.0, 15.0
#: The most that a client may ask of an agent, parameter by parameter.
CAPS: Mapping[str, float] = {
    "iterations": 20_000, "simulations": 3000, "seconds": 5, "depth": 3, "samples": 16,
    "luck": 64, "nodes": 1 << 20,
}  # fmt: skip
#: How far a worker stands back behind the server itself.
NICE = 5
#: What a hint costs.
HINT_SECONDS = 1.0
#: For who has not seen a game it is drawn with so many players, at this decision; and a try of it
#: ends here.
COMPANY, MIDDLE, LONG = 4, 40, 4000
#: So many actions are kept of what an agent considered.
CONSIDERED = 8


@dataclass(frozen=True)
class Glimpse:
    """A game as it looks in the middle, and whether its seats see different things."""

    svg: str
    hidden: bool


class Failed(Exception):
    """A job that came to no end, in words."""


# --- which agents there are ---


def asked(game: Game, spec: str) -> str:
    """The spec of an agent that a client asks for: a level or a named kind within limits."""
    known = levels(game)
    if spec in known:
        return known[spec]
    name, given = parse(spec)
    named = kinds(game)
    if name not in named:
        raise unknown(f"agent for {game.name}", name, {**known, **named})
    files = {o.name for o in named[name].options if o.file}
    for key, text in given.items():
        if key in files:
            raise KostkaError(f"{key} of {name} names a file, which nobody may do at a table")
        if not re.fullmatch(r"[\w.+-]{1,40}", text) or ".." in text:
            raise KostkaError(f"{key} of {name} is a number or a name, not {text!r}")
    make(game, spec)
    settings = {o.name: o.check(given[o.name]) if o.name in given else o.default
                for o in named[name].options}  # fmt: skip
    for key, most in CAPS.items():
        value = settings.get(key, 0)
        if isinstance(value, int | float) and value > most:
            raise KostkaError(f"{key} of {name} must be at most {most:g} at a table, not {value:g}")
    return spec.strip()


def stand_in(game: Game) -> str:
    """The agent that plays on for who has resigned: the best level that need not search."""
    quick = [spec for spec in levels(game).values() if _at_once(game, spec)]
    return quick[-1] if quick else "random"


def _at_once(game: Game, spec: str) -> bool:
    """Does an agent decide without a search? One that cannot play this game does not."""
    try:
        return isinstance(make(game, spec), PolicyAgent)
    except KostkaError:
        return False


def hinter(game: Game) -> str:
    """The agent that gives hints: the best level that searches as long as it is given time."""
    for spec in reversed(levels(game).values()):
        name, _ = parse(spec)
        known = kinds(game).get(name)
        if known and any(o.name == "seconds" for o in known.options):
            return f"{name}:seconds={HINT_SECONDS}"
    return f"mcts:seconds={HINT_SECONDS}"


def kind_of(game: Game, spec: str) -> tuple[str, ...]:
    """What agents that share their compiled code have in common."""
    name, given = parse(spec)
    options = {o.name: o.default for o in kinds(game)[name].options} if name in kinds(game) else {}
    named = (f"{key}={text}" for key, text in given.items() if isinstance(options.get(key), str))
    return game.name, name, *sorted(named)


# --- what is done in a process ---


@dataclass(frozen=True)
class Thought:
    """An agent's action, and what it considered: action, visits and value."""

    action: int
    considered: list[list[float | None]] | None


@dataclass(frozen=True)
class Past:
    """How a game has come to where it is: its start, and everything that has happened since."""

    start: bytes
    codes: tuple[int, ...]


@dataclass(frozen=True)
class Decision:
    """A decision that an agent is to make; ``past`` if it wants to be told what its seat saw."""

    game: str
    options: Mapping[str, Value]
    spec: str
    seat: int
    stream: bytes
    at: int
    view: bytes
    past: Past | None


def decide(wanted: Decision) -> Thought:
    """The decision of an agent whose session is made anew for it."""
    game = find_game(wanted.game)
    session = Session(game, wanted.spec, wanted.seat, np.frombuffer(wanted.stream, np.uint64))
    session.begin()

    def position(content: bytes) -> np.ndarray:
        return np.frombuffer(bytearray(content), game.dtype)

    if wanted.past is not None:
        start = State(game, wanted.options, position(wanted.past.start))
        session.recall(start, wanted.past.codes)
    view = View(game, wanted.options, position(wanted.view), wanted.seat)
    return Thought(session.act(view, wanted.at), considered(session.agent))


def considered(agent: Any) -> list[list[float | None]] | None:
    """What an agent that searches has considered most."""
    root = getattr(getattr(agent, "search", None), "root", None)
    if not root:
        return None
    return [
        [one.action, getattr(one, "visits", None), round(float(one.value), 4)]
        for one in root[:CONSIDERED]
    ]


def warm(game: str) -> None:
    """Compile what the server needs of a game."""
    touch(find_game(game))


def warm_agent(game: str, spec: str) -> None:
    """Let an agent decide once, so that it is compiled."""
    found = find_game(game)
    state = begin(found, found.check({}), 0).settle(stream(0))
    make(found, spec).act(state.view(state.mover))


def touch(game: Game) -> Glimpse:
    """Call all that the server calls of a game, so that nothing is compiled while people play."""
    from kostka.table.room import Room, Seat

    most = game.options[0].high
    options = game.check({"players": min(COMPANY, int(most)) if most else COMPANY})
    seats = [Seat("agent", "somebody", ready=True) for _ in game.teams(options)]
    room = Room("touch", game, options, seats, seed=0)
    room.begin()
    agent = PolicyAgent(game, next(iter(game.policies.values())))
    picture, hidden = "", False
    while room.status == "playing" and len(room.moves) < LONG:
        assert room.table is not None
        mover, state = room.mover, room.table.state
        view = state.view(mover)
        hidden = hidden or view.code != state.code
        if len(room.moves) == MIDDLE:
            picture = state.view().svg
            room.draft(mover, room.at, [view.text(view.legal_actions[0])])
        room.decide(room.at, agent.act(view) if len(room.moves) > 1 else room.any_action())
    if len(room.moves) < LONG:
        room.record(PUBLIC)
        room.record(0)
    for viewer in (0, PUBLIC):
        view = room.view_at(min(room.at, MIDDLE), viewer)
        view.scores, view.phase, view.why_not(0), present.status(view), present.players(view)
    return Glimpse(picture or view.svg, hidden)


def analyse(game: str, options: Mapping[str, Value], seed: int, codes: Sequence[int]) -> dict:
    """What each seat may expect after each event, and the luck at every chance node."""
    found = find_game(game)
    state = begin(found, options, seed)
    players = len(found.teams(options))
    _, sides = np.unique(found.teams(options), return_inverse=True)
    h, rows, room = ledger.evaluation(found, None), [], np.empty((4, players))
    value = np.empty(players)
    for code in [None, *codes]:
        if code is not None:
            rules.apply(state.record, code)
        ledger.share(h[0], state.record, sides.astype(np.int64), value, room)
        rows.append([round(v, 4) for v in value.tolist()])
    total = ledger.luck(found, options, seed, codes)
    entries = ledger.entries(found, options, seed, codes)
    return {
        "expectation": rows,
        "fair": total.fair,
        "start": total.start,
        "luck": total.luck,
        "events": [
            {"n": e.event + 1, "by": e.player, "luck": [round(x, 4) for x in e.luck]}
            for e in entries
        ],
    }


def read_record(text: str) -> dict[str, Any]:
    """A record that somebody gives us, as codes: its options, seed and moves, played again."""
    record = GameLog.loads(text, "the file")
    if record.seat is not None or record.seed is None or record.result is None:
        raise KostkaError(
            "only the record of a whole game with its result and seed can be replayed here"
        )
    if len(record.result) != len(record.seats) or not all(0 <= g <= 1 for g in record.result):
        raise KostkaError("the result of the record has no share for every seat")
    state = begin(record.game, record.options, record.seed)
    if state.code != record.start:
        raise KostkaError(f"the game did not start from seed {record.seed}")
    codes, movers = [], []
    for n, event in enumerate(record.events, 1):
        try:
            code = state.parse(event.text)
            movers.append(state.mover)
            codes.append(code)
            state.apply(code)
        except KostkaError as error:
            raise KostkaError(
                f"event {n} ({event.text[:REPEATED]}) does not fit: {error}"
            ) from None
        if movers[-1] != event.by:
            raise KostkaError(f"event {n} ({event.text}) does not fit: somebody else was to move")
    if state.hash != record.hash or (state.over and state.returns != record.result):
        raise KostkaError("the game does not end where the record says")
    if not state.over and not record.faults:
        raise KostkaError("the game is not over")
    return {
        "game": record.game.name,
        "options": dict(record.options),
        "seats": [str(name) for name in record.seats],
        "seed": record.seed,
        "result": record.result,
        "faults": record.faults,
        "codes": codes,
        "movers": movers,
    }


# --- the processes ---


class Helper:
    """A process with time limits: if it hangs or dies, another takes its place."""

    def __init__(self) -> None:
        self.start()

    def start(self) -> None:
        self.worker = Worker(NICE)
        #: The kinds of jobs that this process has done.
        self.known: set[object] = set()

    def call(
        self, work: Callable[..., Any], given: tuple, limit: float, key: object, first: bool
    ) -> Any:
        """Do a job here and wait for it; the first of its kind may take longer."""
        allowed = limit
        if key not in self.known:
            allowed += COMPILING if first else LOADING
        self.worker.give(work, *given)
        if not self.worker.ready(allowed):
            self.replace()
            raise Failed(f"no answer within {allowed:g} seconds")
        try:
            answer, _ = self.worker.answer()
        except Died:
            self.replace()
            raise Failed("its process died") from None
        except Crashed as error:
            self.known.add(key)
            raise Failed(f"crashed: {error.kind}") from None
        except KostkaError:
            self.known.add(key)
            raise
        self.known.add(key)
        return answer

    def replace(self) -> None:
        self.worker.stop()
        self.start()


class Thinker:
    """A few worker processes; jobs wait for a free one."""

    def __init__(self, size: int | None = None) -> None:
        self.size = size or max(2, (os.cpu_count() or 2) - 1)
        self.free: queue.LifoQueue[Helper] = queue.LifoQueue()
        self.helpers: list[Helper] = []
        self.threads = ThreadPoolExecutor(self.size, thread_name_prefix="think")
        #: The kinds of jobs that some process has done.
        self.compiled: set[object] = set()
        self.closed = False

    def open(self) -> None:
        """Start the processes."""
        self.helpers = [Helper() for _ in range(self.size)]
        for helper in self.helpers:
            self.free.put(helper)

    async def call(
        self, work: Callable[..., Any], *given: Any, limit: float = LIMIT, key: object = None
    ) -> Any:
        """Do a job in a process: its answer, its KostkaError, or Failed."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.threads, self._call, work, given, limit, key)

    def _call(self, work: Callable[..., Any], given: tuple, limit: float, key: object) -> Any:
        helper = self.free.get()
        try:
            if self.closed:
                raise Failed("the server closes")
            answer = helper.call(work, given, limit, key, key not in self.compiled)
            self.compiled.add(key)
            return answer
        finally:
            self.free.put(helper)

    def close(self) -> None:
        """Stop all work, finished or not."""
        self.closed = True
        for helper in self.helpers:
            helper.worker.process.kill()
        self.threads.shutdown(wait=True, cancel_futures=True)
        for helper in self.helpers:
            helper.worker.stop()
