"""Bots at tables of a real server: ours, and the examples in two languages."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from kostka.agents import Player
from kostka.cli import app, load
from kostka.cli import remote as bots
from kostka.cli.remote import Place, ask, fetch, join, place, play_there
from kostka.core.errors import KostkaError
from kostka.core.log import Event, GameLog
from kostka.core.record import canonical
from kostka.core.state import View

load()
#: Seconds after which nothing comes any more, however busy the machine is.
FOREVER = 600
EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"


@pytest.fixture(scope="module")
def server(tmp_path_factory, cards_installed) -> Iterator[Place]:
    """A server of its own, with the hidden card game installed."""
    data, log = tmp_path_factory.mktemp("data"), tmp_path_factory.mktemp("log") / "log"
    path = os.pathsep.join([str(cards_installed), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "kostka", "serve", "--port", "0", "--workers", "1"]
    with log.open("w") as told:
        process = subprocess.Popen(
            [*command, "--data", str(data)], stderr=told, env={**os.environ, "PYTHONPATH": path}
        )
        try:
            yield wait_for(log, process)
        finally:
            process.terminate()
            process.wait(FOREVER)


def wait_for(log: Path, process: subprocess.Popen) -> Place:
    """The address that the server prints, once it answers."""
    end = time.monotonic() + FOREVER
    while time.monotonic() < end and process.poll() is None:
        found = re.search(r"http://[\w.:]+", log.read_text())
        if found:
            with contextlib.suppress(KostkaError):
                ask(place(found[0]), "/api/tables")
                return place(found[0])
        time.sleep(0.1)
    pytest.fail(log.read_text())


def opened(server: Place, game: str, *agents: str | None, **rest: Any) -> Place:
    """A new table: a seat for each agent, and an open one for None."""
    seats = [{"kind": "agent", "agent": a} if a else {"kind": "open"} for a in agents]
    made = ask(server, "/api/tables", {"game": game, "seats": seats, **rest})
    return Place(server.server, made["table"])


def result(at: Place) -> list[float]:
    return ask(at, f"/api/tables/{at.table}")["result"]


def linked(at: Place) -> str:
    return f"{at.server}/table/{at.table}"


# --- the examples ---


def test_the_example_in_python_plays_a_whole_game(server):
    script = EXAMPLES / "bot.py"
    assert len(script.read_text().splitlines()) < 40
    at = opened(server, "dicewars", "stei", None, options={"areas": 8})
    done = run(sys.executable, str(script), linked(at))
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"The game is over. Result by seat: {result(at)}\n"
    whole = GameLog.loads(fetch(at, f"/api/tables/{at.table}/record"))
    whole.verify()
    assert whole.seats[1] == "bot.py" and any(event.by == 1 for event in whole.events)
    again = run(sys.executable, str(script), linked(at))
    assert again.returncode != 0


def test_the_example_in_javascript_plays_a_whole_game(server):
    node = shutil.which("node")
    version = run(node, "--version").stdout if node else "v0"
    number = int(version[1:].split(".")[0])
    if number < 20:
        pytest.skip("there is no Node with WebSocket here")
    flags = ["--experimental-websocket"] if number < 22 else []
    at = opened(server, "dicewars", None, "stei", options={"areas": 8})
    done = run(str(node), *flags, str(EXAMPLES / "bot.js"), linked(at))
    assert done.returncode == 0, done.stderr
    assert "Result by seat: [" in done.stdout
    assert sum(result(at)) == 1
    again = run(str(node), *flags, str(EXAMPLES / "bot.js"), linked(at))
    assert again.returncode == 1 and "the game has begun" in again.stderr


def run(*command: str) -> subprocess.CompletedProcess:
    return subprocess.run(command, capture_output=True, text=True, timeout=FOREVER)


# --- kostka bot ---


class Watcher(Player):
    """Plays the last legal action, and remembers all it was shown."""

    seen: list[View]
    told: list[Event]

    def act(self, view: View) -> int:
        self.seen.append(view)
        return view.legal_actions[-1]

    def observe(self, event: Event) -> None:
        self.told.append(event)


class Broken(Player):
    def act(self, view: View) -> int:
        raise ZeroDivisionError("one by zero")


class Cheat(Player):
    def act(self, view: View) -> str:
        return "take everything"


class Tired(Player):
    """Plays two games."""

    seats: list[int]

    def begin(self, seat: int, rng: Any) -> None:
        self.seats.append(seat)
        if len(self.seats) > 2:
            raise KeyboardInterrupt

    def act(self, view: View) -> int:
        return view.legal_actions[-1]


@pytest.fixture
def known(cards, monkeypatch) -> None:
    """The card game is installed in this process too, and so are the agents of this file."""
    from kostka.core import game

    both = {**game.games(), "cardgame": cards}
    monkeypatch.setattr(game, "installed", lambda: (both, {}))
    monkeypatch.setitem(sys.modules, "mybots", sys.modules[__name__])
    monkeypatch.setattr(Watcher, "seen", [], raising=False)
    monkeypatch.setattr(Watcher, "told", [], raising=False)
    monkeypatch.setattr(Tired, "seats", [], raising=False)


class Cut:
    """A way to the server that breaks off once, after so many bytes of what the server says."""

    def __init__(self, server: Place, after: int) -> None:
        self.host, _, port = server.server.removeprefix("http://").partition(":")
        self.port, self.left, self.cuts = int(port), after, 0
        self.door = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.listen, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.door.getsockname()[1]}"

    def listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                ours, _ = self.door.accept()
                theirs = socket.create_connection((self.host, self.port))
                for ends in ((ours, theirs, False), (theirs, ours, True)):
                    threading.Thread(target=self.pass_on, args=ends, daemon=True).start()

    def pass_on(self, source: socket.socket, target: socket.socket, counts: bool) -> None:
        with contextlib.suppress(OSError):
            while part := source.recv(4096):
                if counts and self.cuts == 0:
                    self.left -= len(part)
                    if self.left < 0:
                        self.cuts += 1
                        break
                target.sendall(part)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("after", [100, 500, 900, 1300])
def test_an_agent_sees_what_its_seat_sees_even_if_the_connection_breaks(
    server, known, monkeypatch, after
):
    monkeypatch.setattr(bots, "PAUSES", (0.05,))
    at = opened(server, "cardgame", "random", None, "random")
    cut = Cut(server, after)
    play_there(replace(join(at, "Anna"), server=cut.url), "mybots:Watcher", seed=1)
    assert cut.cuts == 1
    whole = GameLog.loads(fetch(at, f"/api/tables/{at.table}/record"))
    own = whole.for_seat(1)
    assert [(e.by, e.text) for e in Watcher.told] == [(e.by, e.text) for e in own.events]
    decided = [n for n, event in enumerate(own.events) if event.by == 1]
    shown = [canonical(view.buffer) for n, view in enumerate(own.positions()) if n in decided]
    seen = list(dict.fromkeys(canonical(view.buffer) for view in Watcher.seen))
    assert seen == shown and len(seen) == 3
    assert {view.seat for view in Watcher.seen} == {1}
    assert all(view.record.hands[[0, 2]].sum() == 0 for view in Watcher.seen)
    assert Watcher.seen[0].record.hands[1].sum() == 2


@pytest.mark.parametrize(
    ("agent", "why"), [("Broken", "one by zero"), ("Cheat", "returned nonsense")]
)
def test_an_agent_that_fails_gives_up(server, known, agent, why):
    at = opened(server, "cardgame", "random", None)
    with pytest.raises(KostkaError, match=why):
        play_there(join(at, "Anna"), f"mybots:{agent}", seed=1)
    end = time.monotonic() + FOREVER
    while result(at) is None and time.monotonic() < end:  # another agent plays on
        time.sleep(0.05)
    assert result(at) == [1.0, 0.0]


def test_a_rematch_is_played_one_seat_further(server, known):
    at = opened(server, "cardgame", "random", None, "random")
    with pytest.raises(KeyboardInterrupt):
        play_there(join(at, "Anna"), "mybots:Tired", seed=1, again=True)
    assert Tired.seats == [1, 2, 0]


def test_what_is_missing_is_asked_for(server, known):
    opened(server, "cardgame", None, "random", public=True, name="the first")
    second = opened(server, "pig", "random", None, public=True, options={"goal": 10})
    answers = [server.server, "9", "1", "sdx", "random", "Anna"]
    done = CliRunner().invoke(app, ["bot"], input="".join(f"{line}\n" for line in answers))
    assert done.exception is None, done.output
    assert (
        "  1  Pig" in done.output and "  2  Highest Cards the first: (open), random" in done.output
    )
    assert "Type a number from 1 to 2." in done.output
    assert "unknown agent for pig 'sdx'" in done.output
    assert f"Orange (Anna) sits at table {second.table}" in done.output
    gain = result(second)[1]
    assert done.output.splitlines()[-1] == f"Orange (Anna) has {'won' if gain else 'lost'}"


def test_nothing_is_asked_for_when_all_is_given(server):
    at = opened(server, "pig", "random", None, options={"goal": 10})
    taken = join(at, "Anna")
    args = ["bot", "pig", "random", "--url", f"{linked(at)}#{taken.token}", "--seed", "1"]
    done = CliRunner().invoke(app, args)
    assert done.exception is None, done.output
    assert "Orange (Anna) has " in done.output
    assert result(at) is not None


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["pig", "random", "--url", "{server}/table/nowhere"], "there is no such table"),
        (["dicewars", "stei", "--url", "{pig}"], "at this table they play pig, not dicewars"),
        (["pig", "stei", "--url", "{pig}"], "unknown agent for pig 'stei'"),
        (["pig", "random", "--url", "{pig}", "--seat", "0"], "seat 0 is not open"),
        (["pig", "random", "--url", "{pig}#wrong"], "this token is not the right to a seat"),
        (["pig", "random", "--url", "http://127.0.0.1:1/table/x"], "does not answer"),
        (["pig", "random", "--url", "ftp://there"], "is no address"),
        (["chess", "--url", "{server}"], "has an open seat"),
        ([], "nobody answers: Address of the server"),
    ],
)
def test_mistakes_are_explained(server, args, words):
    at = opened(server, "pig", "random", None)
    given = [arg.format(server=server.server, pig=linked(at)) for arg in args]
    done = CliRunner().invoke(app, ["bot", *given])
    assert isinstance(done.exception, KostkaError)
    assert words in str(done.exception)
    assert ask(at, f"/api/tables/{at.table}")["seats"][1]["kind"] == "open"


def test_links():
    assert place("http://a.b:1/table/x_-9/") == Place("http://a.b:1", "x_-9")
    assert place("https://a.b/games/table/x#tok") == Place("https://a.b/games", "x", "tok")
    assert place("http://a.b/table/x#seat=1&token=t-_k") == Place("http://a.b", "x", "t-_k")
    assert (
        place("localhost:8000") == place("http://localhost:8000/") == Place("http://localhost:8000")
    )
    assert Place("https://a.b", "x").socket == "wss://a.b/api/tables/x/play"


def test_a_server_that_is_none_is_called_so():
    door = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        line, _ = door.accept()
        line.recv(4096)
        line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        line.close()

    threading.Thread(target=answer, daemon=True).start()
    with pytest.raises(KostkaError, match="is no Kostka server"):
        ask(place(f"http://127.0.0.1:{door.getsockname()[1]}"), "/api/tables")
