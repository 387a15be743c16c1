"""A game that is nothing but its rules can be played at the table, without any drawing."""

import sys
import textwrap

import pytest

from kostka.core.game import game, installed
from kostka.table import think

NIM = """
from kostka.core import rules
from kostka.core.game import Game, Option
from kostka.core.record import record, within

State = record("plainnim.state", stones=within(0, 11, "i4"), player=within(0, 1, "i4"))

def start(s, options):
    s.stones = 11

@rules.mover.method(State)
def mover(s):
    return rules.OVER if s.stones == 0 else s.player

@rules.legal.method(State)
def legal(s, out):
    k = min(3, s.stones)
    for i in range(k):
        out[i] = i
    return k

@rules.apply.method(State)
def apply(s, a):
    s.stones -= a + 1
    s.player = 1 - s.player

@rules.returns.method(State)
def returns(s, out):
    out[s.player], out[1 - s.player] = 0.0, 1.0

def text(s, a):
    return f"take {a + 1}"
"""
GAME = """
from kostka.core.game import Game, Option

game = Game(
    name="plainnim", title="Plain <Nim>", package="plainnim", version=1,
    options=(Option("players", 2, "how many play", 2, 2),), actions=3, outcomes=1, length=20,
)
"""


@pytest.fixture
def nim(tmp_path, monkeypatch):
    folder = tmp_path / "plainnim"
    folder.mkdir()
    (folder / "__init__.py").write_text(textwrap.dedent(GAME))
    (folder / "rules.py").write_text(textwrap.dedent(NIM))
    info = tmp_path / "plainnim-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plainnim\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[kostka.games]\nplainnim = plainnim:game\n")
    monkeypatch.syspath_prepend(tmp_path)
    installed.cache_clear()
    yield game("plainnim")
    installed.cache_clear()
    sys.modules.pop("plainnim", None)


def test_a_game_without_a_drawing_can_be_played(nim):
    seen = think.touch(nim)
    assert "Plain &lt;Nim&gt;" in seen.svg
    assert not seen.hidden
