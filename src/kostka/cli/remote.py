"""An agent at a table on a server: it is given what its seat sees, and nothing else."""

import itertools
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, replace
from http.client import HTTPException
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

from kostka.agents import Observation
from kostka.agents.session import Session
from kostka.cli.shared import ending, err, out
from kostka.core import present
from kostka.core.errors import KostkaError
from kostka.core.game import Game, Value
from kostka.core.game import game as find_game
from kostka.core.log import GameLog
from kostka.core.outcome import by_seat
from kostka.core.rng import stream
from kostka.core.state import OVER, View, load

#: Seconds to wait for an answer, between two attempts to connect, and until it is given up.
ANSWER, PAUSES, PATIENCE = 30.0, (0.5, 1.0, 2.0, 4.0, 8.0, 15.0), 600.0

#: The most bytes of an answer, and what making sense of another protocol may raise.
MOST = 2**24
PROTOCOL = (LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError)

#: How often an action that the server refuses is sent again.
ATTEMPTS = 5


class Unreachable(KostkaError):
    """The server does not answer; it may later."""


@dataclass(frozen=True)
class Place:
    """A server, and there a table and the right to a seat, as far as they are known."""

    server: str
    table: str | None = None
    token: str | None = None

    @property
    def socket(self) -> str:
        return f"ws{self.server.removeprefix('http')}/api/tables/{self.table}/play"


def place(url: str) -> Place:
    """What a link says: of a server, of a table (``/table/ID``), or of a seat (``#token``)."""
    whole = url if "://" in url else f"http://{url}"
    parts = urllib.parse.urlsplit(whole)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise KostkaError(
            f"{url!r} is no address; write for example http://127.0.0.1:8000/table/ID"
        )
    before, at, table = parts.path.rstrip("/").rpartition("/table/")
    link = urllib.parse.parse_qs(parts.fragment) or urllib.parse.parse_qs(parts.query)
    token = link["token"][0] if "token" in link else parts.fragment
    server = f"{parts.scheme}://{parts.netloc}{before if at else table.rstrip('/')}"
    return Place(server, table if at else None, token or None)


def ask(at: Place, path: str, body: Mapping[str, Any] | None = None) -> Any:
    """The answer to an HTTP request; a refusal is an error in the server's words."""
    text = fetch(at, path, body)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise KostkaError(f"{at.server} is no Kostka server") from None


def fetch(at: Place, path: str, body: Mapping[str, Any] | None = None) -> str:
    headers = {"Content-Type": "application/json"}
    if at.token is not None:
        headers["Authorization"] = f"Bearer {at.token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(at.server + path, data, headers)
    try:
        with urllib.request.urlopen(request, timeout=ANSWER) as answer:
            return answer.read(MOST).decode(errors="replace")
    except urllib.error.HTTPError as error:
        raise KostkaError(refusal(at, error.read(MOST), error.code)) from None
    except (OSError, HTTPException) as error:
        why = getattr(error, "reason", error)
        raise Unreachable(f"{at.server} does not answer: {why}") from None


def refusal(at: Place, body: bytes, status: int) -> str:
    try:
        return shown(json.loads(body)["error"])
    except PROTOCOL:
        return f"{at.server} is no Kostka server (it answers with status {status})"


def shown(text: object) -> str:
    """What a server sends, fit for a terminal."""
    return "".join(c for c in str(text)[:500] if c.isprintable())


def open_tables(at: Place, game: str | None) -> list[dict[str, Any]]:
    """The public tables with an open seat."""
    return [
        table
        for table in ask(at, "/api/tables")
        if table["status"] == "waiting"
        and any(seat["kind"] == "open" for seat in table["seats"])
        and game in (None, table["game"])
    ]


def join(at: Place, name: str, seat: int | None = None) -> Place:
    """Sit down at a table."""
    wish = {"name": name} if seat is None else {"name": name, "seat": seat}
    return replace(at, token=ask(at, f"/api/tables/{at.table}/join", wish)["token"])


def rematch(at: Place) -> Place:
    """The table where the game is played again; the token stays the same."""
    return replace(at, table=ask(at, f"/api/tables/{at.table}/rematch", {})["table"])


def play_there(at: Place, spec: str, seed: int, again: bool = False) -> None:
    """Play at a seat until the game is over; with ``again``, game after game."""
    learnt: bytes | None = None
    for number in range(2**63):
        bot = Bot(at, spec, stream(seed, "bot", number), learnt)
        bot.play()
        if not again:
            return
        learnt, at = bot.learnt, rematch(at)
        out.print("once more")


class Bot:
    """An agent for one game at one seat, through any number of connections."""

    def __init__(self, at: Place, spec: str, rng: Any, learnt: bytes | None = None) -> None:
        self.at, self.spec, self.rng, self.learnt = at, spec, rng, learnt
        self.table: dict[str, Any] = {}
        self.seat = -1
        self.game: Game
        self.options: Mapping[str, Value]
        self.session: Session
        #: The newest position.
        self.position: dict[str, Any] = {}
        #: What was sent last, and how often.
        self.sent: dict[str, Any] = {}
        self.times = 0

    # --- connections ---

    def play(self) -> None:
        """Connect, and connect again whenever the connection is lost, until the game is over."""
        failed, since = 0, time.monotonic()
        while True:
            try:
                with connect(self.at.socket, open_timeout=ANSWER, max_size=MOST) as line:
                    self.sent = {}
                    send(line, type="hello", token=self.at.token, board=False)
                    for text in line:
                        failed, since = 0, time.monotonic()
                        if self.hear(line, json.loads(text)):
                            return
            except (OSError, ConnectionClosed, InvalidHandshake, Unreachable) as error:
                if failed == 0:
                    err.print(f"the connection is lost: {shown(error)}", markup=False)
            except PROTOCOL as error:
                why = f"{type(error).__name__} {shown(error)}"
                raise KostkaError(f"{self.at.server} speaks another protocol: {why}") from error
            if time.monotonic() - since > PATIENCE:
                raise Unreachable(f"{self.at.server} has not answered for {PATIENCE / 60:g} min")
            time.sleep(PAUSES[min(failed, len(PAUSES) - 1)])
            failed += 1

    def hear(self, line: ClientConnection, message: dict[str, Any]) -> bool:
        """Do what a message asks for; True when the game is over."""
        match message["type"]:
            case "table":
                self.sit(line, message)
            case "events":
                self.tell(message["events"])
            case "position" if not message.get("replay"):
                self.position = message
                self.catch_up()
                if message["mover"] == OVER:
                    self.finish(message["result"])
                    return True
                if message["legal"] and message["at"] != self.sent.get("at"):
                    self.act(line)
            case "error":
                self.refused(line, message)
        return False

    def refused(self, line: ClientConnection, message: dict[str, Any]) -> None:
        """An action is sent again a few times: the server may have failed to store it."""
        why = shown(message["error"])
        if message["re"] == "act" and self.times < ATTEMPTS:
            self.times += 1
            time.sleep(1)
            send(line, **self.sent)
        elif message["re"] in ("act", "hello"):
            raise KostkaError(f"the server refuses: {why}")
        else:
            err.print(f"the server says: {why}", markup=False)

    # --- the game ---

    def sit(self, line: ClientConnection, table: dict[str, Any]) -> None:
        """Take note of the table; at first make the agent, and while it waits be ready."""
        first, self.table = not self.table, table
        if table["you"] is None:
            raise KostkaError("this seat is not ours any more")
        if first:
            self.seat, self.game = table["you"], find_game(table["game"])
            self.options = self.game.check(table["options"])
            self.session = Session(self.game, self.spec, self.seat, self.rng)
            self.session.begin(self.learnt)
            words = f"{self.name} sits at table {shown(table['id'])} on {self.at.server}"
            out.print(words, markup=False, soft_wrap=True)
        if table["status"] == "waiting" and not table["seats"][self.seat]["ready"]:
            send(line, type="ready", ready=True)
        if table["status"] == "over" and table["result"] is None:
            raise KostkaError("the table was closed before a game was played")

    @property
    def name(self) -> str:
        return present.called(self.seat, [shown(seat["name"]) for seat in self.table["seats"]])

    @property
    def view(self) -> View:
        """What the seat knows at the newest position."""
        whole = load(self.game, self.options, self.position["view"])
        return View(self.game, self.options, whole.buffer, self.seat)

    def tell(self, events: list[dict[str, Any]]) -> None:
        """Tell an agent that observes what has happened."""
        for event in events if self.session.observes else ():
            n, by = event["n"], event["by"]
            if n != self.session.told + 1:
                continue
            if by == self.seat and self.position.get("at") != n - 1:
                return  # somebody else at this seat has decided: the record knows from what
            view = self.view if by == self.seat else None
            self.session.observe(Observation(by, event["text"], view))

    def catch_up(self) -> None:
        """Tell an agent that observes what it has missed, from the record of its seat."""
        at = self.position["at"]
        if not self.session.observes or self.session.told >= at:
            return
        text = fetch(self.at, f"/api/tables/{self.at.table}/record?seat={self.seat}")
        record = GameLog.loads(text)
        missed = zip(record.events[:at], record.positions(), strict=False)
        for event, before in itertools.islice(missed, self.session.told, None):
            view = before if event.by == self.seat else None
            self.session.observe(Observation(event.by, event.text, view))

    def act(self, line: ClientConnection) -> None:
        """Let the agent decide. One that fails gives up, as it would before a referee."""
        view, at = self.view, self.position["at"]
        try:
            text = view.text(self.session.act(view, at))
        except Exception as error:
            send(line, type="resign")
            raise KostkaError(f"{self.spec} has failed and resigned: {error}") from error
        self.sent, self.times = {"type": "act", "at": at, "action": text}, 0
        send(line, **self.sent)

    def finish(self, result: list[float]) -> None:
        """Tell the agent and the terminal how the game has ended."""
        self.session.end(result)
        self.learnt = self.session.save()
        outcome = by_seat(result, self.game.teams(self.options))[self.seat]
        words = ending(outcome, result[self.seat])
        out.print(f"{self.name} {words}", markup=False, soft_wrap=True)


def send(line: ClientConnection, **message: Any) -> None:
    line.send(json.dumps(message))
