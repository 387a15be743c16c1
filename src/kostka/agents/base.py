"""What an agent is, and the kinds of agents that a spec string can name."""

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np

from kostka.core.game import Game, Option, Value, check_options
from kostka.core.rng import stream
from kostka.core.state import View
from kostka.learn.example import Example


@dataclass(frozen=True)
class Observation:
    """What a seat sees happen: ``by`` a player or CHANCE, in notation."""

    by: int
    text: str
    #: For a decision of this seat: the view that it was made from.
    view: View | None = None


@runtime_checkable
class Agent(Protocol):
    """Anything with this one method. It may also have the methods that ``Player`` tells of."""

    def act(self, view: View) -> int | str:
        """The action to take, as a code or in notation; the view is all the agent gets."""
        ...


class Player:
    """A convenient base for agents: keeps the seat and a random stream of its own.

    ``begin(seat, rng)`` is called before each game. An agent that also has ``observe(event)`` is
    told everything that its seat sees, its own decisions too, as ``Observation``, and one that has
    ``end(result)`` how each seat has done. What an agent needs from earlier in a game it takes from
    what it observed: at a table it may be made anew for every decision, and is then told all of it
    again. An agent that learns from game to game has ``save() -> bytes`` and ``load(bytes)``: each
    game is played by a new object, which is given what the last one saved, so whatever is not saved
    is forgotten.
    """

    seat: int = 0

    @functools.cached_property
    def rng(self) -> np.ndarray:
        """The stream of an agent that nobody has seated yet."""
        return stream("nobody")

    def begin(self, seat: int, rng: np.ndarray) -> None:
        self.seat, self.rng = seat, rng


def learns(agent: object) -> bool:
    """Does it carry something from game to game?"""
    return hasattr(agent, "save") and hasattr(agent, "load")


@dataclass(frozen=True)
class Kind:
    """A kind of agent: what it does in one sentence, its parameters, and how to make one."""

    help: str
    make: Callable[..., Agent]
    options: tuple[Option, ...] = ()

    def preset(self, help: str | None = None, **defaults: Value) -> "Kind":
        """The same kind with other defaults."""
        options = tuple(
            replace(o, default=defaults[o.name]) if o.name in defaults else o for o in self.options
        )
        return replace(self, help=help or self.help, options=options)

    def build(self, game: Game, given: dict[str, Any], label: str) -> Agent:
        """An agent with these parameters, checked."""
        return self.make(game, **check_options(self.options, given, f"parameter of {label}"))


@dataclass(frozen=True)
class Lesson:
    """Something that is learnt of a game from games of teachers, before anybody plays by it.

    ``learn(game, examples)`` gives what is to be stored, as JSON has it.
    """

    help: str
    learn: Callable[[Game, Iterator[Example]], dict[str, Any]]
    #: The agents to learn from if nothing else is said, drawn by lot for each seat.
    teachers: tuple[str, ...]
    #: How many play, drawn by lot; as usual in the game if nothing is said.
    players: tuple[int, ...] = ()
    #: Options of the games, one set of them drawn by lot for each.
    options: tuple[Mapping[str, Value], ...] = ()
