"""The referee: holds the only whole state, checks every action, and blames by name."""

import contextlib
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from kostka.agents import Agent
from kostka.core import play
from kostka.core.errors import KostkaError
from kostka.core.game import Game, Value
from kostka.core.log import Event, Record, start_record
from kostka.core.rng import stream, streams
from kostka.core.state import OVER, State, begin


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
    except (KeyboardInterrupt, TimeUp):
        raise
    except BaseException as error:  # an agent may not end the match by sys.exit() either
        raise Fault(seat, f"crashed: {type(error).__name__}: {error}") from error


@dataclass
class Played:
    """A game that was played."""

    returns: list[float]
    scores: list[float]
    decisions: int
    #: Seats that broke the rules, crashed or were late, and how. They lose.
    faults: dict[int, str]
    record: Record | None = None
    #: Seconds each seat thought.
    seconds: list[float] = field(default_factory=list)


def play_game(
    game: Game,
    options: Mapping[str, Value],
    agents: Sequence[Agent],
    seed: int,
    *,
    names: Sequence[str] | None = None,
    limit: float | None = None,
    record: bool = False,
) -> Played:
    """One game between agents, which get only their views. ``limit``: seconds per decision."""
    state = begin(game, options, seed)
    table = Table(state, agents, seed, list(names or [type(a).__name__ for a in agents]))
    seconds = [0.0] * len(agents)
    faults: dict[int, str] = {}
    decisions = 0
    try:
        for seat, agent in enumerate(agents):
            start = getattr(agent, "begin", None)
            if start is not None:
                with blame(seat):
                    start(seat, stream(seed, "agent", seat))
        table.step(play.NOTHING)
    except Fault as fault:
        faults[fault.seat] = str(fault)
    while not faults:
        mover, legal = table.look()
        if mover == OVER:
            break
        if decisions >= game.length:
            raise KostkaError(f"{game.name} did not end within {game.length} decisions")
        began = time.perf_counter()
        try:
            action = ask(agents[mover], state, mover, legal, limit)
            seconds[mover] += time.perf_counter() - began
            table.step(action)
        except Fault as fault:
            faults[fault.seat] = str(fault)
        decisions += 1
    result = forfeit(game, options, faults) if faults else state.returns
    played = Played(result, state.scores, decisions, faults, None, seconds)
    if record:
        played.record = table.record(result, faults)
    return played


def ask(agent: Agent, state: State, mover: int, legal: np.ndarray, limit: float | None) -> int:
    """The agent's action, checked; Fault if there is none."""
    view = state.view(mover)
    began = time.perf_counter()
    try:
        with alarm(limit), blame(mover):
            answer = agent.act(view)
    except TimeUp:
        raise Fault(mover, f"ran out of time: no answer within {limit:g} s") from None
    if limit is not None and time.perf_counter() - began > limit:
        raise Fault(mover, f"ran out of time: {time.perf_counter() - began:.2f} s of {limit:g} s")
    try:
        action = state.parse(answer) if isinstance(answer, str) else int(answer)
        if action != answer and not isinstance(answer, str):
            raise ValueError
    except (KostkaError, TypeError, ValueError, OverflowError):
        raise Fault(mover, f"returned nonsense: {str(answer)[:80]!r}") from None
    if not (legal == action).any():
        shown = state.text(action) if 0 <= action < state.game.actions else str(action)[:80]
        raise Fault(mover, f"played an illegal action, {shown}: {state.why_not(action)}")
    return action


class TimeUp(Exception):
    """Raised inside an agent when its time is over."""


@contextlib.contextmanager
def alarm(seconds: float | None) -> Iterator[None]:
    """Interrupt Python code after a time; kernels end by themselves within a slice of a search."""
    if seconds is None or threading.current_thread() is not threading.main_thread():
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


class Table:
    """A game in progress: its state, its luck, and everything that happened."""

    def __init__(self, state: State, agents: Sequence[Agent], seed: int, names: list[str]) -> None:
        game = state.game
        self.state, self.seed, self.names = state, seed, names
        self.start = state.copy()
        self.luck = streams(game.streams, seed, "luck")
        self.out = np.empty(game.width, np.int64)
        self.prob = np.empty(game.width)
        self.outcomes = np.empty(256, np.int64)
        self.log: list[int] = []
        self.watchers = [
            (seat, tell)
            for seat, agent in enumerate(agents)
            if (tell := getattr(agent, "observe", None)) is not None
        ]

    def look(self) -> tuple[int, np.ndarray]:
        """Who acts, and the legal actions."""
        mover, k = play.look(self.state.one, self.out)
        return mover, self.out[:k]

    def step(self, action: int) -> None:
        """Apply an action and let luck decide until a player has to."""
        before = self.state.copy() if self.watchers else None
        happened = [] if action == play.NOTHING else [action]
        while True:
            n = play.advance(self.state.one, action, self.luck, self.out, self.prob, self.outcomes)
            happened += self.outcomes[:n].tolist()
            if n < len(self.outcomes):
                break
            action = play.NOTHING
        self.log += happened
        if before is not None:
            self.tell(before, happened)

    def tell(self, state: State, happened: list[int]) -> None:
        """Show each watcher what its seat sees of what happened."""
        for code in happened:
            for seat, watch in self.watchers:
                text = state.view(seat).text(state.seen(code, seat))
                with blame(seat):
                    watch(Event(state.mover, text))
            state.apply(code)

    def record(self, result: list[float], faults: dict[int, str]) -> Record:
        """The record of the game so far, with its result."""
        state = self.start.copy()
        record = start_record(state, self.names)
        for code in self.log:
            record.events.append(Event(state.mover, state.text(code)))
            state.apply(code)
        record.result, record.hash, record.seed = result, state.hash, self.seed
        record.faults = faults
        return record
