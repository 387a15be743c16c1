"""A room: one table with its seats and its game, without any network, clock or disk.

Every method checks all it is given before it changes anything. What has to be stored comes back
as moves; a room made again from its row and its moves is the same room.
"""

import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from kostka.arena.referee import GameInProgress
from kostka.core import play, rules
from kostka.core.errors import IllegalAction, KostkaError
from kostka.core.game import Game, Value
from kostka.core.game import game as find_game
from kostka.core.log import Event, GameLog, start_record
from kostka.core.palette import PLAYERS
from kostka.core.record import clone
from kostka.core.rng import below, stream
from kostka.core.state import CHANCE, OVER, PUBLIC, State, View, begin

Kind = Literal["person", "open", "agent"]
Status = Literal["waiting", "playing", "over"]

NAME_LENGTH = 40
#: Seeds that nobody can find by trying, and that JavaScript reads exactly.
SEED_BITS = 53
#: Events between two past positions that are kept for who looks back.
STRIDE = 250


class NotAllowed(KostkaError):
    """Somebody wants what only somebody else may."""


class Missing(KostkaError):
    """There is no such thing."""


@dataclass
class Seat:
    """A place at the table and who sits there."""

    kind: Kind = "open"
    name: str = ""
    #: The spec of the agent that plays here, also when it has taken over from a person.
    agent: str | None = None
    #: What people call the agent: the level or spec that was asked for.
    label: str | None = None
    #: The hash of the token that is the right to this seat.
    token: str | None = None
    ready: bool = False
    #: Why the person has given up, if so.
    resigned: str | None = None
    #: Seconds for each decision.
    clock: float | None = None

    @property
    def automatic(self) -> bool:
        """Does an agent decide here?"""
        return self.kind == "agent" or self.resigned is not None


@dataclass(frozen=True)
class Move:
    """What is stored of a decision: the action and the luck after it. Without codes: a resignation.

    ``considered`` holds action, visits and value of what an agent thought about most.
    """

    number: int
    by: int
    codes: tuple[int, ...]
    considered: list[list[float | None]] | None = None
    note: str | None = None


@dataclass
class Room:
    """One table, from the waiting room to the result."""

    id: str
    game: Game
    options: Mapping[str, Value]
    seats: list[Seat]
    name: str = ""
    public: bool = False
    casual: bool = False
    clock: float | None = None
    #: The seat of who opened the table.
    host: int | None = None
    seed: int = field(default_factory=lambda: secrets.randbits(SEED_BITS))
    status: Status = "waiting"
    result: list[float] | None = None
    #: The table of the rematch.
    next: str | None = None
    opened: str = ""
    finished: str | None = None
    #: The game, once it has begun, and all that is stored of it.
    table: GameInProgress | None = field(default=None, repr=False)
    moves: list[Move] = field(default_factory=list, repr=False)
    #: Some past positions, so that looking back need not begin at the start.
    marks: dict[int, State] = field(default_factory=dict, repr=False)

    # --- the waiting room ---

    def who(self, token: str | None) -> int | None:
        """The seat that a token is the right to."""
        if not token:
            return None
        given = digest(token)
        found = None
        for number, seat in enumerate(self.seats):
            if seat.token is not None and hmac.compare_digest(seat.token, given):
                found = number
        return found

    def sit(self, number: int, name: str) -> str:
        """Put a person on a seat; the token is told to nobody else."""
        token = secrets.token_urlsafe(24)
        old = self.seats[number]
        self.seats[number] = Seat(
            "person", clean(name) or seat_name(number), token=digest(token), clock=old.clock
        )
        return token

    def join(self, name: str, number: int | None = None) -> tuple[int, str]:
        """Sit down on an open seat; the seat and its token."""
        number = self._open_seat(number)
        token = self.sit(number, name)
        if self.host is None:
            self.host = number
        return number, token

    def fill(self, by: int, number: int, spec: str, label: str) -> None:
        """Let an agent play on an open seat; the host decides that."""
        if by != self.host:
            raise NotAllowed("only the host can let an agent play on an open seat")
        number = self._open_seat(number)
        self.seats[number] = Seat("agent", label, agent=spec, label=label, ready=True)

    def _open_seat(self, number: int | None) -> int:
        """This seat, or the first, if it is open."""
        self._waiting()
        free = [n for n, seat in enumerate(self.seats) if seat.kind == "open"]
        if not free:
            raise KostkaError("all seats are taken; you can watch")
        if number is not None and number not in free:
            raise KostkaError(f"seat {number} is not open; these are: {', '.join(map(str, free))}")
        return free[0] if number is None else number

    def leave(self, number: int) -> None:
        """Give a seat back."""
        self._waiting()
        self.seats[number] = Seat(clock=self.seats[number].clock)
        if self.host == number:
            people = [n for n, seat in enumerate(self.seats) if seat.kind == "person"]
            self.host = people[0] if people else None

    def say_ready(self, number: int, ready: bool) -> None:
        """Somebody is ready or not; who says so when the game has begun is not wrong."""
        if ready and self.status != "waiting" and self.seats[number].ready:
            return
        self._waiting()
        self.seats[number].ready = ready

    @property
    def complete(self) -> bool:
        """Does everybody sit, and is everybody ready?"""
        return all(seat.kind != "open" and seat.ready for seat in self.seats)

    @property
    def people(self) -> int:
        return sum(seat.kind == "person" for seat in self.seats)

    def close(self) -> None:
        """Nobody waits here any more."""
        self._waiting()
        self.status = "over"

    def _waiting(self) -> None:
        if self.status != "waiting":
            raise KostkaError("the game has begun; the seats are fixed")

    # --- the game ---

    def begin(self) -> Move:
        """Deal, and let luck decide until a player has to."""
        self._waiting()
        if not self.complete:
            raise KostkaError("not everybody is ready")
        self.table = self._new_table()
        self.status = "playing"
        return self._step(play.NOTHING, CHANCE)

    def _new_table(self) -> GameInProgress:
        return GameInProgress(begin(self.game, self.options, self.seed), (), self.seed, self.names)

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]

    @property
    def at(self) -> int:
        """The number of events so far."""
        return len(self.table.log) if self.table else 0

    @property
    def mover(self) -> int:
        """The seat to act, or OVER."""
        return self.table.mover if self.table and self.status == "playing" else OVER

    def act(self, number: int, at: int, actions: Sequence[str]) -> list[Move]:
        """Carry out a person's decisions: all of them, as far as he can know, or none.

        Where he could not know that something hidden ends his turn, the rest is left undone.
        """
        table = self._turn(number, at)
        if not actions:
            raise KostkaError("no action is given")
        if len(actions) > 1:
            self.draft(number, at, actions)
        first = self._code(actions[0])
        moves = [self._step(first, number)]
        for text in actions[1:]:
            if self.mover != number:
                break
            try:
                code = self._code(text)
            except KostkaError:
                break
            if code not in table.legal:
                break
            moves.append(self._step(code, number))
        return moves

    def _code(self, text: str) -> int:
        """The legal action of the mover that a notation means."""
        assert self.table is not None
        view = View(self.game, self.options, self.table.view, self.table.mover)
        code = view.parse(text)
        if code not in self.table.legal:
            raise IllegalAction(view.why_not(code) or "the rules do not allow that now")
        return code

    def draft(self, number: int, at: int, actions: Sequence[str]) -> View:
        """What the seat would see after these decisions, tried on a copy of what it sees now."""
        table = self._turn(number, at)
        scratch = State(self.game, self.options, clone(table.view))
        for text in actions:
            if scratch.mover != number:
                raise KostkaError(
                    f"{text} cannot be decided yet: luck or another player comes before it"
                )
            scratch.apply(text)
        return View(self.game, self.options, scratch.buffer, number)

    def _turn(self, number: int, at: int) -> GameInProgress:
        """The game, if this seat may act in it now."""
        if self.status != "playing" or self.table is None:
            raise KostkaError(
                "the game is over" if self.status == "over" else "the game has not begun"
            )
        if self.seats[number].resigned:
            raise KostkaError("you have resigned; an agent plays on for you")
        if at != self.at:
            raise KostkaError(f"too late: {self.at} events have happened by now, not {at}")
        if self.mover != number:
            raise KostkaError(f"it is not your turn; {self.seats[self.mover].name} is to move")
        return self.table

    def decide(
        self,
        at: int,
        code: int,
        considered: list[list[float | None]] | None = None,
        note: str | None = None,
    ) -> Move:
        """Carry out the decision of an agent."""
        if self.status != "playing" or self.table is None or at != self.at:
            raise KostkaError("the game has gone on without this decision")
        if code not in self.table.legal:
            raise IllegalAction("an agent's action is not legal")
        return self._step(code, self.table.mover, considered, note)

    def any_action(self) -> int:
        """A random legal action, always the same here: what is played for an agent that fails."""
        assert self.table is not None
        rng = stream(self.seed, "stand-in", self.table.mover, self.at)
        return self.table.legal[int(below(rng, len(self.table.legal)))]

    def resign(self, number: int, why: str, stand_in: str) -> Move:
        """Give up. While two other sides are left, an agent plays on for the seat."""
        if self.status != "playing":
            raise KostkaError("there is no game to resign from")
        seat = self.seats[number]
        if seat.automatic:
            raise KostkaError("this seat has resigned already")
        seat.resigned, seat.agent, seat.label = why, stand_in, stand_in
        move = Move(len(self.moves), number, (), note=why)
        self.moves.append(move)
        if len(self.standing) < 2:
            self._finish()
        return move

    @property
    def standing(self) -> set[int]:
        """The sides on which somebody has not resigned."""
        sides = self.game.teams(self.options)
        return {sides[n] for n, seat in enumerate(self.seats) if seat.resigned is None}

    def _step(
        self,
        action: int,
        by: int,
        considered: list[list[float | None]] | None = None,
        note: str | None = None,
    ) -> Move:
        assert self.table is not None
        before = self.at
        self.table.step(action)
        move = Move(len(self.moves), by, tuple(self.table.log[before:]), considered, note)
        self.moves.append(move)
        if self.table.mover == OVER:
            self._finish()
        return move

    def _finish(self) -> None:
        """Who has resigned with his whole side gets nothing; the others share in proportion."""
        assert self.table is not None
        sides, standing = self.game.teams(self.options), self.standing
        state = self.table.state
        gains = state.returns if state.over else [0.0] * len(sides)
        gains = [g if side in standing else 0.0 for g, side in zip(gains, sides, strict=True)]
        total = sum({side: g for side, g in zip(sides, gains, strict=True)}.values())
        if total > 0:
            gains = [gain / total for gain in gains]
        elif standing:
            gains = [1 / len(standing) if side in standing else 0.0 for side in sides]
        else:
            gains = [1 / len(set(sides))] * len(sides)
        self.result, self.status = gains, "over"

    # --- what can be seen ---

    def viewer(self, you: int | None, whose: int | Literal["all"] | None) -> int | None:
        """Whose eyes somebody may see through: a seat, PUBLIC, or None for the whole truth."""
        if whose is None:
            return PUBLIC
        if whose == "all":
            if self.status != "over":
                raise NotAllowed("all is shown only when the game is over")
            return None
        if not 0 <= whose < len(self.seats):
            raise Missing(f"there is no seat {whose}; they are 0 to {len(self.seats) - 1}")
        if self.status != "over" and whose != you:
            raise NotAllowed("what another seat sees is shown only when the game is over")
        return whose

    def state_at(self, at: int) -> State:
        """The whole position after so many events."""
        if self.table is None:
            raise KostkaError("the game has not begun")
        if not 0 <= at <= self.at:
            raise KostkaError(f"{at} events have not happened; there are {self.at}")
        if at == self.at:
            return self.table.state
        near = at // STRIDE * STRIDE
        while near and near not in self.marks:
            near -= STRIDE
        state = self.marks[near].copy() if near else self.table.start.copy()
        for n in range(near, at):
            rules.apply(state.record, self.table.log[n])
            if (n + 1) % STRIDE == 0:
                self.marks[n + 1] = state.copy()
        return state

    def view_at(self, at: int, viewer: int | None) -> View:
        """What a viewer sees after so many events."""
        state = self.state_at(at)
        return state if viewer is None else state.view(viewer)

    def record(self, viewer: int | None) -> GameLog:
        """The game as this viewer knows it; the seed and all that is hidden only for None."""
        if self.table is None:
            raise KostkaError("the game has not begun; there is no record yet")
        state, codes = self.table.start.copy(), list(self.table.log)
        made = start_record(state, self.names)
        for code in codes:
            made.events.append(Event(state.mover, state.text(code)))
            rules.apply(state.record, code)
        if self.result is not None:
            made.result, made.hash, made.seed = self.result, state.hash, self.seed
            made.faults = {n: s.resigned for n, s in enumerate(self.seats) if s.resigned}
        return made if viewer is None else made.for_seat(viewer)

    # --- again ---

    def next_seat(self, number: int) -> int:
        """Where who sits here plays again: a seat further, or with the same role as before."""
        return number if self.game.roles else (number + 1) % len(self.seats)

    def rematch(self, fresh: str, number: int) -> "Room":
        """The same table again, everybody on his next seat; tokens stay with their people."""
        if self.status != "over":
            raise KostkaError("the game is not over; a rematch comes after it")
        if self.result is None:
            raise KostkaError("no game was played here; open a new table")
        seats = []
        for came in sorted(range(len(self.seats)), key=self.next_seat):
            seat = self.seats[came]
            person = seat.kind == "person"
            seats.append(
                Seat(
                    seat.kind,
                    seat.name,
                    agent=None if person else seat.agent,
                    label=None if person else seat.label,
                    token=seat.token,
                    ready=not person or came == number,
                    clock=seat.clock,
                )
            )
        self.next = fresh
        return Room(
            fresh,
            self.game,
            self.options,
            seats,
            name=self.name,
            public=self.public,
            casual=self.casual,
            clock=self.clock,
            host=(number + 1) % len(seats),
        )

    # --- as it is stored ---

    def row(self) -> dict[str, Any]:
        """The room as a row of the store."""
        return {
            "id": self.id,
            "game": self.game.name,
            "rules": self.game.version,
            "options": dict(self.options),
            "name": self.name,
            "public": self.public,
            "casual": self.casual,
            "clock": self.clock,
            "seats": [asdict(seat) for seat in self.seats],
            "host": self.host,
            "seed": self.seed,
            "status": self.status,
            "result": self.result,
            "next": self.next,
            "opened": self.opened,
            "finished": self.finished,
        }

    @staticmethod
    def restore(row: Mapping[str, Any], moves: Sequence[Move]) -> "Room":
        """The room as it was when it was stored. Luck of a running game must come as it did."""
        found = find_game(row["game"])
        if row["rules"] != found.version:
            raise KostkaError(
                f"this table was played under version {row['rules']} of {found.title}; "
                f"the server has version {found.version}"
            )
        given = {name: row[name] for name in row if name not in ("game", "rules", "seats")}
        room = Room(game=found, seats=[Seat(**seat) for seat in row["seats"]], **given)
        if moves:
            room._replay(moves)
        return room

    def _replay(self, moves: Sequence[Move]) -> None:
        self.table = self._new_table()
        self.moves = list(moves)
        if self.status == "over":
            for move in moves:
                for code in move.codes:
                    rules.apply(self.table.state.record, code)
                self.table.log += move.codes
            self.table.mover = self.table.state.mover
            return
        for move in moves:
            before = self.at
            if move.number == 0:
                self.table.step(play.NOTHING)
            elif move.codes:
                if move.codes[0] not in self.table.legal:
                    raise KostkaError("what is stored of this table does not fit the rules")
                self.table.step(move.codes[0])
            if tuple(self.table.log[before:]) != move.codes:
                raise KostkaError("luck has come out otherwise than it was stored; who changed it?")


def open_room(
    game: Game,
    options: Mapping[str, Any],
    seats: list[Seat],
    yours: Mapping[int, str],
    **rest: Any,
) -> tuple[Room, dict[int, str]]:
    """A new room, and the tokens of the seats that are yours (given with their names)."""
    given = dict(options)
    if str(given.setdefault("players", len(seats))) != str(len(seats)):
        raise KostkaError(f"{given['players']} players need as many seats, not {len(seats)}")
    room = Room(new_id(), game, game.check(given), seats, **rest)
    tokens = {number: room.sit(number, name) for number, name in yours.items()}
    for number in yours:
        room.seats[number].ready = True
    room.host = min(yours, default=None)
    return room, tokens


def new_id() -> str:
    """A name for a table that nobody can guess."""
    return secrets.token_urlsafe(9)


def digest(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def seat_name(number: int) -> str:
    """What somebody without a name is called: by his colour."""
    return PLAYERS[number % len(PLAYERS)].name.capitalize()


def clean(text: str, length: int = NAME_LENGTH) -> str:
    """A text of one line, without control characters and the like."""
    spaced = " ".join(text.split())
    return "".join(c for c in spaced if unicodedata.category(c)[0] != "C")[:length].strip()
