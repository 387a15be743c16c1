"""Golden games: whole games, kept as records, that must come out the same move by move.

A change of the rules that is meant changes ``version`` of the game; then make the records anew:
    kostka match GAME AGENT… --games 1 --seed 1 --record tests/golden
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kostka.agents import make
from kostka.arena.referee import play_game
from kostka.core.log import GameLog

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.jsonl"))


def played_again(path: Path) -> str:
    """The same game, played now by the same agents from the same seed."""
    record = GameLog.read(path)
    assert record.seed is not None
    agents = [make(record.game, spec) for spec in record.seats]
    played = play_game(
        record.game, record.options, agents, record.seed, names=record.seats, record=True
    )
    assert played.record is not None
    return played.record.dumps()


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_game_comes_out_the_same(path):
    GameLog.read(path).verify()
    assert played_again(path) == path.read_text(), "the rules changed: is the version new?"


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_without_the_compiler_the_same_game_comes_out(path):
    code = (
        "import sys, pathlib; sys.path.insert(0, sys.argv[1]); from test_golden import *; "
        "path = pathlib.Path(sys.argv[2]); assert played_again(path) == path.read_text()"
    )
    command = [sys.executable, "-W", "error", "-c", code, str(Path(__file__).parent), str(path)]
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]


def test_every_game_has_a_golden_game():
    from kostka.core.game import games

    ours = {name for name, game in games().items() if game.package.startswith("kostka")}
    assert {path.stem.rsplit("-", 2)[0] for path in GOLDEN} == ours
