"""Agents that learn, dawdle or misbehave, and what must be the same however games are played."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kostka.arena.results import Results

BOTS = '''
import hashlib
import os
import signal
import time
from pathlib import Path


class Learner:
    """Its memory is a digest of all games it has played, and decides how it plays the next."""

    memory = b""

    def begin(self, seat, rng):
        self.asked = 0

    def act(self, view):
        self.asked += 1
        choice = hashlib.sha256(self.memory + bytes([self.asked % 256])).digest()[0]
        return view.legal_actions[choice % len(view.legal_actions)]

    def end(self, result):
        self.memory = hashlib.sha256(self.memory + repr((self.asked, result)).encode()).digest()

    def save(self):
        return self.memory

    def load(self, memory):
        self.memory = memory


class Last:
    def act(self, view):
        return view.legal_actions[-1]


class Slow(Last):
    """Takes 30 ms for its first decision."""

    def begin(self, seat, rng):
        time.sleep(0.03)


class Asleep(Last):
    """Tells that it is there, and is not heard of for a minute."""

    def begin(self, seat, rng):
        Path(os.environ["MARKER"]).touch()
        time.sleep(60)


class Held(Last):
    """Leaves its mark in its fifth game and does not begin it before the file ``open`` is there."""

    games = 0

    def begin(self, seat, rng):
        Held.games += 1
        marker = Path(os.environ["MARKER"])
        until = time.monotonic() + 100
        while Held.games == 5 and not marker.with_name("open").exists():
            marker.touch()
            assert time.monotonic() < until
            time.sleep(0.01)


class Fickle(Last):
    """Its first game is over at once, all others take a fifth of a second."""

    games = 0

    def begin(self, seat, rng):
        Fickle.games += 1
        if Fickle.games > 1:
            time.sleep(0.2)


class Odd(Last):
    """Fails with a text that no database likes."""

    def act(self, view):
        raise ValueError("a zero \\0, half a pair \\udc80 and 'quotes'")


class DiesOnce(Last):
    """Kills its process in the first game that anybody plays with it."""

    def begin(self, seat, rng):
        marker = Path(os.environ["MARKER"])
        if not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)


class Dies(Last):
    """Kills its process, but only in the third of its games."""

    def begin(self, seat, rng):
        marker = Path(os.environ["MARKER"])
        if marker.exists() and len(marker.read_text()) >= 2:
            os.kill(os.getpid(), signal.SIGKILL)
        with marker.open("a") as file:
            file.write("x")
'''


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a module ``bots`` of agents, which can be imported."""
    (tmp_path / "bots.py").write_text(BOTS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "bots", raising=False)
    monkeypatch.setenv("MARKER", str(tmp_path / "marker"))
    return tmp_path


def facts(results: Results) -> dict[str, object]:
    """All that must be the same wherever and however often the games are played."""
    columns = ("game", "match", "number", "block", "players", "seat", "agent", "gain", "score",
               "place", "decisions", "length")  # fmt: skip
    told: dict[str, object] = {name: getattr(results, name).tolist() for name in columns}
    clocked = np.isfinite(results.seconds).tolist()
    names = (results.agents, results.phases, results.learners)
    return {**told, "clocked": clocked, "names": names}


@pytest.fixture(name="facts")
def facts_of() -> Callable[[Results], dict[str, object]]:
    return facts
