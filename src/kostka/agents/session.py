"""One life of an agent: a seat in one game, the same in a match, at a table, in a terminal, as bot.

An agent remembers only what it is told, and for each decision it draws from a stretch of its
stream that the number of events so far names: a running stream would be a memory of its own, one
that no list of events could bring back. So a session made anew from the events decides as the one
that was kept.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from kostka.agents.base import Agent, Observation, learns
from kostka.agents.spec import make
from kostka.core import rules
from kostka.core.errors import KostkaError
from kostka.core.game import Game
from kostka.core.rng import for_decision, for_event
from kostka.core.state import State, View


class Misplay(KostkaError):
    """An agent's answer that is not a legal action, in one sentence."""


class Session:
    """An agent at a seat, from the beginning of a game to its end."""

    def __init__(self, game: Game, agent: Agent | str, seat: int, stream: np.ndarray) -> None:
        self.agent: Any = make(game, agent) if isinstance(agent, str) else agent
        self.seat = seat
        self.observes = hasattr(self.agent, "observe")
        #: The events that the agent was told of.
        self.told = 0
        self._stream, self._rng = stream.copy(), stream.copy()

    def begin(self, learnt: bytes | None = None) -> None:
        """Seat the agent, with what it has learnt in earlier games."""
        if learnt is not None:
            self.agent.load(learnt)
        if hasattr(self.agent, "begin"):
            self.agent.begin(self.seat, self._rng)

    def observe(self, event: Observation) -> None:
        """Tell an agent that observes what its seat sees of the next event."""
        for_event(self._rng, self._stream, self.told)
        self.told += 1
        self.agent.observe(event)

    def recall(self, state: State, codes: Iterable[int]) -> None:
        """Tell an agent that observes the whole past; the state moves on with it."""
        for code in codes:
            self.observe(observation(state, code, self.seat))
            rules.apply(state.record, code)

    def act(self, view: View, at: int, legal: Sequence[int] | None = None) -> int:
        """The agent's action after so many events, checked. Asked again, it decides the same."""
        for_decision(self._rng, self._stream, at)
        answer = self.agent.act(view)
        return checked(answer, view, view.legal_actions if legal is None else legal)

    def end(self, result: list[float]) -> None:
        """Tell the agent how each seat has done."""
        if hasattr(self.agent, "end"):
            self.agent.end(result)

    def save(self) -> bytes | None:
        """What an agent that learns from game to game knows by now."""
        return bytes(self.agent.save()) if learns(self.agent) else None


def observation(state: State, code: int, seat: int) -> Observation:
    """What a seat sees of an action or outcome that is about to happen."""
    view, mover = state.view(seat), state.mover
    text = view.text(state.seen(code, seat))
    return Observation(mover, text, view if mover == seat else None)


def checked(answer: Any, view: View, legal: Sequence[int]) -> int:
    """The legal action that an answer means, a code or notation."""
    try:
        action = view.parse(answer) if isinstance(answer, str) else int(answer)
        if action != answer and not isinstance(answer, str):
            raise ValueError
    except (KostkaError, TypeError, ValueError, OverflowError):
        raise Misplay(f"returned nonsense: {str(answer)[:80]!r}") from None
    if action not in legal:
        shown = view.text(action) if 0 <= action < view.game.actions else str(action)[:80]
        raise Misplay(f"played an illegal action, {shown}: {view.why_not(action)}")
    return action
