"""Game records: a game as its options and the list of everything that happened, in notation.

JSON lines: a header, one line per action or chance outcome, and at the end the result. The record
of a seat holds only what that seat has seen, and no seed.
"""

import base64
import itertools
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from kostka.core.errors import REPEATED, KostkaError, brief
from kostka.core.game import Game, Value
from kostka.core.game import game as find_game
from kostka.core.record import canonical, clone
from kostka.core.state import CHANCE, PUBLIC, State, View, begin, checked, load, unpack

FORMAT = "kostka-record/1"


@dataclass(frozen=True)
class Event:
    """What happened: ``by`` a player or CHANCE; ``view``: how the view changed, if hidden."""

    by: int
    text: str
    view: str | None = None

    def line(self) -> dict[str, Any]:
        who: dict[str, Any] = {"luck": self.text} if self.by == CHANCE else {"by": self.by}
        if self.by != CHANCE:
            who["do"] = self.text
        return who if self.view is None else {**who, "view": self.view}


@dataclass
class GameLog:
    """A game that was played, or is being played as long as it has no result."""

    game: Game
    options: Mapping[str, Value]
    start: str
    seats: list[str]
    events: list[Event] = field(default_factory=list)
    result: list[float] | None = None
    hash: str | None = None
    seed: int | None = None
    #: Seats that broke the rules, crashed or were late, and how.
    faults: dict[int, str] = field(default_factory=dict)
    #: Whose record it is; None for the referee's, which holds everything.
    seat: int | None = None

    # --- as text ---

    def dumps(self) -> str:
        """The record as JSON lines."""
        header = {
            "format": FORMAT,
            "game": self.game.name,
            "rules": self.game.version,
            "options": dict(self.options),
            "seats": self.seats,
            "seat": self.seat,
            "start": self.start,
        }
        lines = [header, *(e.line() for e in self.events)]
        if self.result is not None:
            end: dict[str, Any] = {"result": self.result, "hash": self.hash}
            if self.seed is not None:
                end["seed"] = self.seed
            if self.faults:
                end["faults"] = {str(seat): why for seat, why in self.faults.items()}
            lines.append(end)
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)

    def write(self, path: Path) -> None:
        """Write the record, whole or not at all."""
        scratch = path.with_name(path.name + ".part")
        scratch.write_text(self.dumps(), encoding="utf-8")
        scratch.replace(path)

    @staticmethod
    def loads(text: str, name: str = "the record") -> "GameLog":
        """The record in a text; the error says what is wrong with it and where."""
        lines = [_object(line, name, i) for i, line in enumerate(text.splitlines(), 1)]
        if not lines or lines[0].get("format") != FORMAT:
            found = lines[0].get("format") if lines else None
            raise KostkaError(
                f"{name} is not a game record of format {FORMAT} (found {brief(found)})"
            )
        try:
            return _build(lines, name)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise KostkaError(
                f"{name} is damaged: {type(error).__name__} {str(error)[:REPEATED]}"
            ) from None

    @staticmethod
    def read(path: Path) -> "GameLog":
        """Read a record file."""
        try:
            return GameLog.loads(path.read_text(encoding="utf-8"), str(path))
        except OSError as error:
            raise KostkaError(f"{path} cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise KostkaError(f"{path} is no text file") from None

    # --- as a game ---

    def replay(self, to: int | None = None) -> State | View:
        """The position after ``to`` events (all of them by default): a View for a seat's record."""
        count = len(self.events) if to is None else to
        if not 0 <= count <= len(self.events):
            raise KostkaError(f"the record has {len(self.events)} events; {to} is not among them")
        return next(itertools.islice(self.positions(), count, None))

    def first(self) -> State | View:
        """The position at the start."""
        state = load(self.game, self.options, self.start)
        return state if self.seat is None else state.view(self.seat)

    def positions(self) -> Iterator[State | View]:
        """Every position from the start on; each is a copy of its own."""
        position = self.first()
        yield position
        for n, event in enumerate(self.events, 1):
            try:
                if position.mover != event.by:
                    raise KostkaError(f"it was not the turn of {brief(event.by)}")
                position = self._step(position, event)
            except (KostkaError, ValueError, zlib.error) as error:
                raise KostkaError(
                    f"event {n} ({event.text[:REPEATED]}) does not fit: {error}; "
                    "the record is damaged or was made by another engine"
                ) from None
            yield position

    def _step(self, position: State | View, event: Event) -> State | View:
        if event.view is not None:
            if self.seat is None:
                raise KostkaError("only the record of a seat has views")
            before = np.frombuffer(canonical(position.buffer), np.uint8)
            change = np.frombuffer(unpack(base64.b64decode(event.view), before.size), np.uint8)
            after = checked(self.game, self.options, (before ^ change).tobytes())
            return View(self.game, self.options, after, self.seat)
        state = State(self.game, self.options, clone(position.buffer)).apply(event.text)
        return state if self.seat is None else state.view(self.seat)

    def verify(self) -> None:
        """Replay everything and compare the end; an error says what does not fit."""
        last = self.replay()
        if self.result is None:
            return
        if last.hash != self.hash:
            raise KostkaError(
                "the game does not end where the record says; "
                "the record is damaged or was made by another engine"
            )
        if self.seat is None and self.seed is not None:
            dealt = begin(self.game, self.options, self.seed)
            if dealt.code != self.start:
                raise KostkaError(f"the game did not start from seed {self.seed}")
        if isinstance(last, State) and not self.faults and last.returns != self.result:
            raise KostkaError(f"the result is {last.returns}, the record says {self.result}")

    def for_seat(self, seat: int) -> "GameLog":
        """What one seat has seen of the game (PUBLIC: what everybody has)."""
        state = self.first()
        if not isinstance(state, State):
            raise KostkaError("this is already the record of a seat")
        start = state.view(seat).code
        events = []
        for event in self.events:
            before, code = state.copy(), state.parse(event.text)
            state.apply(code)
            events.append(_seen(before, code, state, seat, event.by))
        end = state.view(seat).hash if self.result is not None else None
        return replace(self, start=start, events=events, hash=end, seed=None, seat=seat)


def _seen(before: State, code: int, after: State, seat: int, by: int) -> Event:
    """What a seat sees of one event. Where something is hidden, its view's change goes along."""
    view, shown = before.view(seat), before.seen(code, seat)
    text = view.text(shown)
    if shown == code and canonical(view.buffer) == canonical(before.buffer):
        return Event(by, text)
    old, new = (np.frombuffer(canonical(v.buffer), np.uint8) for v in (view, after.view(seat)))
    return Event(by, text, base64.b64encode(zlib.compress((old ^ new).tobytes(), 9)).decode())


def _object(line: str, name: str, number: int) -> dict[str, Any]:
    try:
        found = json.loads(line)
        if isinstance(found, dict):
            return found
    except (ValueError, RecursionError):  # the latter of brackets within brackets
        pass
    raise KostkaError(f"line {number} of {name} is not a JSON object")


def _build(lines: list[dict[str, Any]], name: str) -> GameLog:
    header, *rest = lines
    game = find_game(header["game"])
    if header["rules"] != game.version:
        raise KostkaError(
            f"{name} was made under version {brief(header['rules'])} of the rules of {game.name}; "
            f"this engine has version {game.version} and would play it differently"
        )
    options, seats = game.check(header["options"]), [_text(name) for name in header["seats"]]
    record = GameLog(game, options, _text(header["start"]), seats)
    record.seat = header["seat"]
    players = int(record.options["players"])
    if len(record.seats) != players or record.seat not in (None, PUBLIC, *range(players)):
        raise ValueError(f"{players} players, but seats {record.seats} and seat {record.seat}")
    if rest and "result" in rest[-1]:
        end = rest.pop()
        record.result, record.hash = [float(x) for x in end["result"]], _text(end["hash"])
        record.seed = end.get("seed")
        if record.seed is not None and not _is_seed(record.seed):
            raise ValueError("the seed is not a number that a seed can be")
        record.faults = {int(seat): str(why) for seat, why in end.get("faults", {}).items()}
    for line in rest:
        by, text = (CHANCE, line["luck"]) if "luck" in line else (int(line["by"]), line["do"])
        view = _text(line["view"]) if "view" in line else None
        record.events.append(Event(by, _text(text), view))
    return record


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{brief(value)} is not a text")
    return value


def _is_seed(seed: object) -> bool:
    return type(seed) is int and 0 <= seed < 2**63


def start_record(state: State, seats: list[str]) -> GameLog:
    """The record of a game that begins."""
    return GameLog(state.game, state.options, state.code, seats)
