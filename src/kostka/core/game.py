"""A game as people and programs meet it: plain data that loads its rules only when first used."""

import functools
import importlib
import importlib.util
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from kostka.core.errors import KostkaError, brief, unknown

if TYPE_CHECKING:
    import numpy as np

    from kostka.core.state import State

Value = int | float | bool | str
#: So many codes of actions and of outcomes has a game at most: in logs each takes 16 bits.
MOST_CODES = 1 << 16

#: The largest content of a file that an option may hold, in bytes.
MOST_CONTENT = 64 * 1024


@dataclass(frozen=True)
class Option:
    """One typed option of a game or parameter of an agent; its type is that of its default."""

    name: str
    default: Value
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[Value, ...] = ()
    #: Of an option that a file may fill, such as a map: checks the file's content and writes it in
    #: one way only. The value is then a choice or such a content, so that no record needs the file.
    content: Callable[[str], str] | None = None
    #: Whether it names a file of whoever runs the program, which nobody else may choose.
    file: bool = False

    def check(self, value: Any) -> Value:
        """The value with the right type, or an error that says what would be right."""
        kind = type(self.default)
        try:
            if kind is bool:
                value = {"true": True, "1": True, "false": False, "0": False}[str(value).lower()]
            elif kind is int and isinstance(value, float) and value != int(value):
                raise ValueError
            else:
                value = kind(value)
        except (ValueError, TypeError, KeyError, OverflowError):
            raise KostkaError(f"{self.name} must be {self.range()}, not {brief(value)}") from None
        if self.content is not None and is_content(value):
            return self.read(str(value))
        out = self.choices and value not in self.choices
        below = self.low is not None and not value >= self.low
        above = self.high is not None and not value <= self.high
        if out or below or above:
            raise KostkaError(f"{self.name} must be {self.range()}, not {brief(value)}")
        return value

    def read(self, text: str) -> str:
        """The content of a file as this option keeps it."""
        assert self.content is not None
        size = len(text.encode("utf-8", "surrogatepass"))
        if size > MOST_CONTENT:
            raise KostkaError(
                f"{self.name} may be a file of at most {MOST_CONTENT // 1024} kB, "
                f"not {-(-size // 1024)} kB"
            )
        return self.content(text)

    def read_file(self, path: str) -> str:
        """The content of the file at a path, as this option keeps it; only for who may open it."""
        try:
            with open(path, "rb") as file:
                text = file.read(MOST_CONTENT + 1).decode("utf-8")
        except OSError as error:
            raise KostkaError(
                f"{self.name} must be {self.range()}; {path} cannot be read: {error.strerror}"
            ) from None
        except UnicodeDecodeError:
            raise KostkaError(f"{path} is not a text file") from None
        return self.read(text)

    def range(self) -> str:
        """What values are right, in words."""
        if self.choices:
            file = ", or a file" if self.content else ""
            return "one of " + ", ".join(map(str, self.choices)) + file
        kind = {int: "a whole number", float: "a number", bool: "true or false"}.get(
            type(self.default), "a text"
        )
        if self.low is not None and self.high is not None:
            return f"{kind} from {self.low:g} to {self.high:g}"
        if self.low is not None:
            return f"{kind} of at least {self.low:g}"
        return kind


def is_content(value: object) -> bool:
    """Whether a value is the content of a file, which is a JSON object, and not a name."""
    return isinstance(value, str) and value.lstrip().startswith("{")


def label(value: Value) -> Value:
    """A value as people read it: of a content only its name."""
    return str(json.loads(str(value))["name"]) if is_content(value) else value


def check_options(
    options: tuple[Option, ...], given: Mapping[str, Any], kind: str = "option"
) -> dict[str, Value]:
    """All options with their values: the given ones checked, the others by default."""
    known = {o.name: o for o in options}
    for name in given:
        if name not in known:
            raise unknown(kind, name, known)
    return {name: o.check(given[name]) if name in given else o.default for name, o in known.items()}


@dataclass(frozen=True)
class Game:
    """The plain data of a game. Its rules live in the modules of ``package``."""

    name: str
    title: str
    package: str
    #: Changes whenever a game with the same moves could go another way.
    version: int
    #: Typed options; the first is always ``players``.
    options: tuple[Option, ...]
    #: Sizes: action codes, outcome codes, and decisions within which every game ends.
    actions: int
    outcomes: int
    length: int
    #: The most legal actions that any position may have; 0: as many as there are codes.
    choices: int = 0
    #: The names of the values of the state's ``phase`` field, if it has one.
    phases: tuple[str, ...] = ()
    #: Streams of luck that chance nodes draw from.
    streams: int = 1
    #: What the seats are called where they differ; the last name is that of all further seats.
    roles: tuple[str, ...] = ()
    #: The side of each player; by default everybody plays for himself.
    sides: Callable[[Mapping[str, Value]], tuple[int, ...]] | None = field(default=None)
    #: Sets of options by name, such as the rules of an edition.
    presets: Mapping[str, Mapping[str, Value]] = field(default_factory=dict, hash=False)
    #: Options that keep a game short, for laws and tests, which play a great many.
    small: Mapping[str, Value] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        for kind, codes in (("actions", self.actions), ("outcomes", self.outcomes)):
            if not 0 <= codes <= MOST_CODES:
                raise KostkaError(
                    f"{kind} of {self.name} must be from 0 to {MOST_CODES}, not {codes}"
                )
        for options in (self.small, *self.presets.values()):
            self.check(options)

    def part(self, name: str) -> ModuleType:
        """A module of the game (setup, actions, view …); ``rules`` where there is none."""
        return _part(self.package, name)

    @functools.cached_property
    def dtype(self) -> "np.dtype":
        """The dtype of the state; loads the rules."""
        for name in ("rules", "setup", "actions", "heuristics"):
            self.part(name)
        return self.part("state").State

    @property
    def scored(self) -> bool:
        """Does the game count points? Otherwise only its end says how players stand."""
        from kostka.core import rules

        return (self.dtype,) in rules.score.methods

    @property
    def counts_turns(self) -> bool:
        """Does the game say how many turns have ended?"""
        from kostka.core import rules

        return (self.dtype,) in rules.turns.methods

    @property
    def width(self) -> int:
        """The size of a buffer for the legal actions or the outcomes of a position."""
        return max(self.choices or self.actions, self.outcomes)

    @functools.cached_property
    def hides(self) -> bool:
        """Whether something can be hidden from a player."""
        from kostka.core import rules

        return (self.dtype,) in rules.determinize.methods

    @functools.cached_property
    def policies(self) -> "dict[str, np.ndarray]":
        """Playout policies by name, each a record; ``uniform`` serves every game."""
        from kostka.core.play import Uniform
        from kostka.core.record import new

        own = getattr(self.part("heuristics"), "POLICIES", {})
        return {**own, "uniform": new(Uniform)}

    @functools.cached_property
    def evaluations(self) -> "dict[str, np.ndarray]":
        """Evaluation functions by name, each a record; the first is the game's own choice."""
        from kostka.core.play import Even
        from kostka.core.record import new

        own = getattr(self.part("heuristics"), "EVALUATIONS", {})
        learnt = {
            name: new(dtype, **self._learnt(name)) for name, (dtype, _) in self.logits.items()
        }
        return {**own, **learnt, "even": new(Even)}

    @property
    def logits(self) -> "dict[str, tuple[np.dtype, tuple[str, ...]]]":
        """Learnt evaluations by name: the record of the weights, and the names of its features."""
        return getattr(self.part("heuristics"), "LOGITS", {})

    def _learnt(self, name: str) -> "dict[str, list[float]]":
        """The weights of a learnt evaluation; none before it was learnt."""
        heuristics = self.part("heuristics").__file__
        path = Path(heuristics or "").with_name(f"{self.name}.{name}.json")
        if not path.exists():
            return {}
        return {"weights": json.loads(path.read_text(encoding="utf-8"))["weights"]}

    def check(self, options: Mapping[str, Any]) -> dict[str, Value]:
        """All options with their values, checked."""
        return check_options(self.options, options, f"option of {self.name}")

    def preset(self, name: str) -> dict[str, Value]:
        """The options that a preset sets."""
        if name not in self.presets:
            raise unknown(f"preset of {self.name}", name, self.presets)
        return dict(self.presets[name])

    def read_files(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Options as they were typed: a path becomes what the file holds."""
        fillable = {o.name: o for o in self.options if o.content is not None}
        return {
            name: fillable[name].read_file(str(value))
            if name in fillable and value not in fillable[name].choices and not is_content(value)
            else value
            for name, value in options.items()
        }

    def teams(self, options: Mapping[str, Value]) -> tuple[int, ...]:
        """The side of each player."""
        if self.sides is not None:
            return self.sides(options)
        return tuple(range(int(options["players"])))

    def role(self, seat: int) -> str:
        """What a seat is called; nothing where all are alike."""
        return self.roles[min(seat, len(self.roles) - 1)] if self.roles else ""

    def new(self, seed: int | None = None, **options: Any) -> "State":
        """A new game. Without a seed a random one is taken; the state does not know it."""
        from kostka.core.state import begin

        return begin(self, self.check(options), fresh_seed() if seed is None else seed)


@functools.cache
def _part(package: str, name: str) -> ModuleType:
    path = f"{package}.{name}"
    if importlib.util.find_spec(path) is None:
        path = f"{package}.rules"
    return importlib.import_module(path)


def fresh_seed() -> int:
    """A seed for who gave none; whoever takes one shows it."""
    import secrets

    return secrets.randbelow(2**31)


@functools.cache
def installed() -> "tuple[dict[str, Game], dict[str, str]]":
    """All installed games by name, and those that cannot be loaded with the reason."""
    from kostka.core import plugins

    found: dict[str, Game] = {}
    broken: dict[str, str] = {}
    for entry in plugins.named("kostka.games"):
        try:
            found[entry.name] = entry.load()
        except Exception as error:  # somebody else's mistake must not take our games away
            broken[entry.name] = f"{type(error).__name__}: {error}"
    return dict(sorted(found.items())), broken


def games() -> dict[str, Game]:
    """All installed games by name: ours and those of third parties."""
    return installed()[0]


#: Games that are not installed, with their places, by name, once they were asked for.
_visiting: dict[str, tuple[str, Game]] = {}


def game_at(place: str) -> Game:
    """A game by its name or, for who may run code here, by its place: ``my_game.module:game``."""
    if ":" not in place:
        return game(place)
    module, _, attribute = place.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise KostkaError(f"there is no game at {place}: {error}") from None
    if not isinstance(found, Game):
        raise KostkaError(f"{place} is not a Game but a {type(found).__name__}")
    return _visiting.setdefault(found.name, (place, found))[1]


def place_of(game: Game) -> str:
    """By what another process finds a game: its name or, if it is not installed, its place."""
    return _visiting[game.name][0] if game.name in _visiting else game.name


def game(name: str) -> Game:
    """The game of this name."""
    here, broken = installed()
    found = {name: visitor for name, (_, visitor) in _visiting.items()} | here
    if name in broken:
        raise KostkaError(f"the game {name} cannot be loaded: {broken[name]}")
    if name not in found:
        raise unknown("game", name, found)
    return found[name]
