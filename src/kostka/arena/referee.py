"""The referee: holds the only whole state, checks every action, and blames by name."""

import contextlib
import signal
import threading
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from kostka.agents import Agent
from kostka.agents.session import Misplay, Session, observation
from kostka.core import play, rules
from kostka.core.errors import KostkaError
from kostka.core.game import MOST_CODES, Game, Value
from kostka.core.log import Event, GameLog, start_record
from kostka.core.rng import stream, streams
from kostka.core.state import CHANCE, OVER, State, View, begin


class Fault(Exception):
    """What the agent of a seat did wrong, in one sentence."""

    def __init__(self, seat: int, what: str) -> None:
        super().__init__(what)
        self.seat = seat


@contextlib.contextmanager
def blame(seat: int) -> Iterator[None]:
    """Whatever goes wrong inside is the fault of this seat."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise crash(seat, error) from error


def crash(seat: int, error: BaseException) -> Fault:
    """The fault of who raised an error; nobody ends a match by sys.exit() either."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if len(frames) > 1 else ""
    return Fault(seat, f"crashed: {type(error).__name__}: {error}{where}")


@dataclass
class Played:
    """A game that was played."""

    returns: list[float]
    scores: list[float]
    decisions: int
    #: Seats that broke the rules, crashed or were late, and how. They lose.
    faults: dict[int, str]
    record: GameLog | None = None
    #: Everything that happened, actions and outcomes in order.
    codes: np.ndarray = field(default_factory=lambda: np.empty(0, np.uint16))
    #: Decisions and seconds, seats × phases × 2; None where nobody looked at the clock.
    thought: np.ndarray | None = None
    #: Seconds that the game took, and the most memory its process has held meanwhile, in bytes.
    seconds: float = 0.0
    memory: int | None = None
    #: Turns that were ended; None in a game that does not count them.
    turns: int | None = None
    #: What the agents that learn have learnt, by seat.
    learnt: dict[int, bytes] = field(default_factory=dict)


def logged(codes: Sequence[int] | np.ndarray) -> np.ndarray:
    """Codes as move logs keep them; an error if one does not fit, for it would become another."""
    given = np.asarray(codes, np.int64)
    if np.bitwise_or.reduce(given) // MOST_CODES != 0:
        wrong = given[given // MOST_CODES != 0][0]
        raise KostkaError(
            f"a code of an action or outcome is from 0 to {MOST_CODES - 1}, not {wrong}; "
            "run kostka check"
        )
    return given.astype(np.uint16)


def play_game(
    game: Game,
    options: Mapping[str, Value],
    agents: Sequence[Agent],
    seed: int,
    *,
    names: Sequence[str] | None = None,
    limit: float | None = None,
    record: bool = False,
    learnt: Mapping[int, bytes] | None = None,
) -> Played:
    """One game between agents, which get only their views. ``limit``: seconds per decision;
    ``learnt``: what agents have learnt in earlier games, by seat."""
    start = time.perf_counter()
    state = begin(game, options, seed)
    sessions = [
        Session(game, agent, seat, stream(seed, "agent", seat)) for seat, agent in enumerate(agents)
    ]
    table = GameInProgress(state, sessions, seed, list(names or [type(a).__name__ for a in agents]))
    thought = [[[0.0, 0.0] for _ in game.phases or "-"] for _ in agents]
    phases = state.buffer["phase"] if game.phases else (0,)
    faults: dict[int, str] = {}
    decisions = 0
    try:
        for session in sessions:
            with blame(session.seat):
                session.begin((learnt or {}).get(session.seat))
        table.step(play.NOTHING)
    except Fault as fault:
        faults[fault.seat] = str(fault)
    while not faults:
        mover = table.mover
        if mover == OVER:
            break
        if not table.legal:
            raise KostkaError(
                f"{game.name}: player {mover} is to move, but has no legal action; run kostka check"
            )
        if decisions >= game.length:
            raise KostkaError(f"{game.name} did not end within {game.length} decisions")
        clock = thought[mover][phases[0]]
        began = time.perf_counter()
        try:
            action = ask(sessions[mover], table, limit)
            clock[0] += 1
            clock[1] += time.perf_counter() - began
            table.step(action)
        except Fault as fault:
            faults[fault.seat] = str(fault)
        decisions += 1
    result = forfeit(game, options, faults) if faults else state.returns
    lessons = teach(sessions, result, faults)
    if faults:
        result = forfeit(game, options, faults)
    codes, scores = logged(table.log), state.scores or result
    played = Played(result, scores, decisions, faults, None, codes, np.array(thought))
    played.learnt = {**(learnt or {}), **lessons}
    played.turns = turns_of(state.record)
    played.seconds = time.perf_counter() - start
    if record:
        played.record = table.record(result, faults)
    return played


def turns_of(record: Any) -> int | None:
    """How many turns have ended, if the game counts them."""
    ended = int(rules.turns(record))
    return None if ended < 0 else ended


def teach(
    sessions: Sequence[Session], result: list[float], faults: dict[int, str]
) -> dict[int, bytes]:
    """Tell the agents how the game ended; what those that learn have learnt by now."""
    found = {}
    for session in sessions:
        if session.seat in faults:  # whatever it knows now is not to be trusted
            continue
        try:
            with blame(session.seat):
                session.end(result)
                if (learnt := session.save()) is not None:
                    found[session.seat] = learnt
        except Fault as fault:
            faults.setdefault(session.seat, str(fault))
    return found


def ask(session: Session, table: "GameInProgress", limit: float | None) -> int:
    """The agent's action, checked; Fault if there is none."""
    state = table.state
    view = View(state.game, state.options, table.view, session.seat)
    try:
        if limit is None:
            return session.act(view, len(table.log), table.legal)
        return within(limit, session, view, table)
    except (KeyboardInterrupt, Fault):
        raise
    except Misplay as error:
        raise Fault(session.seat, str(error)) from None
    except BaseException as error:
        raise crash(session.seat, error) from error


def within(limit: float, session: Session, view: View, table: "GameInProgress") -> int:
    """The agent's action, if it comes in time."""
    began = time.perf_counter()
    try:
        with alarm(limit):
            action = session.act(view, len(table.log), table.legal)
    except TimeUp:
        raise Fault(session.seat, f"ran out of time: no answer within {limit:g} s") from None
    taken = time.perf_counter() - began
    if taken > limit:
        raise Fault(session.seat, f"ran out of time: {taken:.2f} s of {limit:g} s")
    return action


class TimeUp(Exception):
    """Raised inside an agent when its time is over."""


@contextlib.contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Interrupt Python code after a time; kernels end by themselves within a slice of a search."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(signum: int, frame: object) -> None:
        raise TimeUp

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def forfeit(game: Game, options: Mapping[str, Value], faults: Mapping[int, str]) -> list[float]:
    """The side at fault loses; the others share the win."""
    sides = game.teams(options)
    lost = {sides[seat] for seat in faults}
    rest = len(set(sides) - lost)
    return [0.0 if side in lost else 1.0 / rest for side in sides]


class GameInProgress:
    """A game in progress: its state, its luck, and everything that happened."""

    def __init__(
        self, state: State, sessions: Sequence[Session], seed: int, names: list[str]
    ) -> None:
        game = state.game
        self.state, self.seed, self.names = state, seed, names
        self.start = state.copy()
        self.luck = streams(game.streams, seed, "luck")
        self.out = np.empty(game.width, np.int64)
        self.prob = np.empty(game.width)
        self.outcomes = np.empty(256, np.int64)
        self.log: list[int] = []
        #: The player to act, his legal actions and his view, after each step.
        self.mover = CHANCE
        self.legal: list[int] = []
        self.view = state.buffer
        self.watchers = [session for session in sessions if session.observes]

    def step(self, action: int) -> None:
        """Apply an action and let luck decide until a player has to."""
        one = self.state.buffer
        before = self.state.copy() if self.watchers else None
        happened = [] if action == play.NOTHING else [action]
        self.view = np.empty_like(one)  # a new one each time, as an agent may keep it
        while True:
            n, self.mover, k = play.advance(
                one, action, self.luck, self.out, self.prob, self.outcomes, self.view
            )
            happened += self.outcomes[:n].tolist()
            if self.mover != CHANCE:
                break
            action = play.NOTHING
        self.legal = self.out[:k].tolist()
        self.log += happened
        if before is not None:
            self.tell(before, happened)

    def tell(self, state: State, happened: list[int]) -> None:
        """Show each watcher what its seat sees of what happened."""
        for code in happened:
            for session in self.watchers:
                event = observation(state, code, session.seat)
                with blame(session.seat):
                    session.observe(event)
            state.apply(code)

    def record(self, result: list[float], faults: dict[int, str]) -> GameLog:
        """The record of the game so far, with its result."""
        state = self.start.copy()
        record = start_record(state, self.names)
        for code in self.log:
            record.events.append(Event(state.mover, state.text(code)))
            state.apply(code)
        record.result, record.hash, record.seed = result, state.hash, self.seed
        record.faults = faults
        return record
