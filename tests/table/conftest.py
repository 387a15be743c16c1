"""Servers to test on, clients that talk to them, and a game of hidden cards that is installed."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import browsing
import httpx
import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from kostka.core.game import game, installed
from kostka.table import messages as m
from kostka.table.guard import LOCAL, LOOPBACK, MESSAGE_SIZE, Limits
from kostka.table.server import create_app
from kostka.table.store import TableStore
from kostka.table.think import Thinker

TESTS = Path(__file__).parents[1]

chromium, visitor = browsing.chromium, browsing.visitor


@contextlib.contextmanager
def installing(name: str, where: Path, folder: Path) -> Iterator[Any]:
    """A game of the tests, installed as somebody's game would be."""
    info = folder / f"{name}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[kostka.games]\n{name} = {name}:game\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(where)
        patch.syspath_prepend(folder)
        installed.cache_clear()
        yield game(name)
    installed.cache_clear()


@pytest.fixture(scope="session")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Highest Cards, whose hands are hidden."""
    with installing("cardgame", TESTS / "core", tmp_path_factory.mktemp("installed")) as found:
        yield found


@pytest.fixture(scope="session")
def patches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Patches, whose board grows and whose patches are turned."""
    with installing("patches", TESTS / "table", tmp_path_factory.mktemp("installed")) as found:
        yield found


@pytest.fixture(scope="session")
def bargain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Bargain, whose cards are chosen together, also in somebody else's turn."""
    with installing("bargain", TESTS / "table", tmp_path_factory.mktemp("installed")) as found:
        yield found


@dataclass
class Seat:
    """A client at a table: sends, receives, and checks that what comes has the right form."""

    url: str
    table: str
    token: str | None = None
    board: bool = False
    got: list[dict[str, Any]] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)

    def __enter__(self) -> "Seat":
        address = f"{self.url.replace('http', 'ws')}/api/tables/{self.table}/play"
        self.socket = connect(address, max_size=None, max_queue=None).__enter__()
        hello: dict[str, Any] = {"type": "hello", "board": self.board}
        self.send(**hello, **({"token": self.token} if self.token else {}))
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def receive(self, timeout: float = 20) -> dict[str, Any]:
        text = self.socket.recv(timeout=timeout)
        assert isinstance(text, str)
        m.told.validate_json(text)
        self.raw.append(text)
        self.got.append(json.loads(text))
        return self.got[-1]

    def until(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The next message of this type in which these fields have these values."""
        while True:
            message = self.receive()
            same = all(message.get(name) == value for name, value in fields.items())
            if message["type"] == kind and same:
                return message

    def ask(self, answer: str, **message: Any) -> dict[str, Any]:
        self.send(**message)
        return self.until(answer)

    def play(self, choose: Callable[[dict[str, Any]], str]) -> dict[str, Any]:
        """Play until the game is over; the last position."""
        while True:
            message = self.receive()
            if message["type"] == "error":
                raise AssertionError(message)
            if message["type"] == "position":
                if message["mover"] == -2:
                    return message
                if message["legal"]:
                    self.send(type="act", at=message["at"], action=choose(message))


@dataclass
class Server:
    """A server that runs, and its address."""

    url: str
    app: Any = None

    def post(self, path: str, token: str | None = None, **body: Any) -> httpx.Response:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return httpx.post(self.url + path, json=body, headers=headers, timeout=120)

    def get(self, path: str, token: str | None = None) -> httpx.Response:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return httpx.get(self.url + path, headers=headers, timeout=120)

    def open(self, which: str = "dicewars", **wish: Any) -> dict[str, Any]:
        answer = self.post("/api/tables", game=which, **wish)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def duel(self, which: str = "dicewars", **wish: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """A table with two people who still have to say that they are ready."""
        wish.setdefault("seats", [{"kind": "person"}, {"kind": "open"}])
        mine = self.open(which, you="Anna", **wish)
        return mine, self.post(f"/api/tables/{mine['table']}/join", name="Bert").json()

    def seat(self, given: dict[str, Any], board: bool = False) -> Seat:
        return Seat(self.url, given["table"], given.get("token"), board)

    @contextlib.contextmanager
    def playing(self, board: bool = False, **wish: Any) -> Iterator[tuple[Seat, Seat]]:
        """Two people in a game that has just begun; the first is to move."""
        mine, yours = self.duel(**wish)
        with self.seat(mine, board) as one, self.seat(yours, board) as two:
            two.until("table")
            two.send(type="ready")
            position = one.until("position")
            two.until("position")
            yield (one, two) if position["mover"] == 0 else (two, one)


@contextlib.contextmanager
def running(keep: TableStore, limits: Limits = LOCAL, workers: int = 2) -> Iterator[Server]:
    """A server in a thread of this process."""
    app = create_app(keep, thinker=Thinker(workers), limits=limits, hosts=set(LOOPBACK), pace=0.0)
    config = uvicorn.Config(app, log_level="warning", access_log=False, ws_max_size=MESSAGE_SIZE)
    server = uvicorn.Server(config)
    listening = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.01)
    try:
        yield Server(f"http://127.0.0.1:{listening.getsockname()[1]}", app)
    finally:
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()


@pytest.fixture(scope="session", name="running")
def running_of() -> Callable[..., Any]:
    return running


@pytest.fixture(scope="session")
def server(
    cards: Any, patches: Any, bargain: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """One server for all tests that do not harm it."""
    with running(TableStore(tmp_path_factory.mktemp("data"))) as server:
        yield server


class Process:
    """A server in a process of its own, which can be killed."""

    def __init__(self, data: Path, port: int | None = None) -> None:
        if port is None:
            with socket.create_server(("127.0.0.1", 0)) as free:
                port = free.getsockname()[1]
        self.data, self.port, self.url = data, port, f"http://127.0.0.1:{port}"
        code = "from kostka.cli import app, load; load(); import kostka.cli.serve; app()"
        command = ["serve", "--port", str(port), "--data", str(data), "--workers", "2"]
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *command],
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            stderr=subprocess.PIPE,
            text=True,
        )
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with contextlib.suppress(httpx.TransportError):
                httpx.get(f"{self.url}/api/schema", timeout=5)
                return
            time.sleep(0.05)
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def end(self) -> str:
        """End it as Ctrl-C does; what it has printed."""
        if self.process.poll() is None:
            self.process.send_signal(2)
        try:
            return self.process.communicate(timeout=20)[1]
        except subprocess.TimeoutExpired:
            self.kill()
            raise


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    made: list[Process] = []

    def start(port: int | None = None) -> Process:
        made.append(Process(tmp_path / "data", port))
        return made[-1]

    yield start
    for one in made:
        if one.process.poll() is None:
            one.kill()
        if one.process.stderr:
            one.process.stderr.close()


@pytest.fixture
def closed() -> type[Exception]:
    return ConnectionClosed
