"""What holds for every game there is, so that none can be forgotten.

Golden games are whole games, kept as records, that must come out the same move by move. A change of
the rules that is meant changes ``version`` of the game; then make the records anew:
    kostka match GAME AGENT… --games 1 --seed 1 --record tests/golden
"""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import kostka
from kostka.agents import kinds, make
from kostka.arena.match import BRIEF
from kostka.arena.referee import play_game
from kostka.core import kernels, play
from kostka.core.game import game, games
from kostka.core.log import GameLog
from kostka.core.rng import stream, streams
from kostka.proof.check import check
from kostka.search.expectimax import Expectimax
from kostka.search.mcts import Mcts
from kostka.search.montecarlo import MonteCarlo

HERE = Path(__file__).parent
GOLDEN = sorted((HERE / "golden").glob("*.jsonl"))
SOURCE = Path(kostka.__file__).parent
EVERY = sorted(games())
OURS = sorted(name for name, one in games().items() if one.package.startswith("kostka."))

# --- the laws ---


@pytest.mark.parametrize("name", EVERY)
def test_the_proof_kit_holds(name):
    report = check(game(name), seed=1, positions=8)
    assert [failure for law in report.laws for failure in law.failures] == []


# --- golden games ---


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


def test_every_game_has_a_golden_game():
    assert {path.stem.rsplit("-", 2)[0] for path in GOLDEN} == set(EVERY)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_game_comes_out_the_same(path):
    GameLog.read(path).verify()
    assert played_again(path) == path.read_text(), "the rules changed: is the version new?"


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_without_the_compiler_the_same_game_comes_out(path):
    code = (
        "import sys, pathlib; sys.path.insert(0, sys.argv[1]); from test_every_game import *; "
        "path = pathlib.Path(sys.argv[2]); assert played_again(path) == path.read_text()"
    )
    command = [sys.executable, "-W", "error", "-c", code, str(HERE), str(path)]
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


# --- kernels ---

#: What allocates memory, as symbols of the machine code.
ALLOCATES = re.compile(rb"NRT_(Allocate|Reallocate|MemInfo_(alloc|new|varsize))\w*")


def machine_code(f) -> list[bytes]:
    """The machine code of a kernel, with all it calls, for each of its signatures."""
    found = []
    for args, compiled in f.overloads.items():
        if compiled.library._compiled_object:
            found.append(compiled.library._compiled_object)
        else:  # of a kernel from the cache only the entry still has it
            with f._cache.alone(args, f.targetctx.codegen()):
                found.append(f._cache.file.read_bytes())
    return found


@pytest.mark.parametrize("name", EVERY)
def test_no_kernel_allocates(name):
    """Each kernel of our package that playing or searching a game compiles is looked at."""
    state = game(name).new(seed=1).settle(stream(1))
    g, p = state.game, state.players
    views, out, prob = state.buffer.copy(), np.empty(g.width, np.int64), np.empty(g.width)
    luck, log, uniform = streams(g.streams, 1), np.empty(8, np.int64), g.policies["uniform"]
    play.contest(views, views.copy(), np.repeat(uniform, p), luck, streams(p, 2), out, prob, 5, log)
    Mcts(state.view(state.mover), stream(1)).run(20)
    Expectimax(state.view(state.mover), stream(1)).run(1)
    MonteCarlo(state.view(state.mover), stream(1)).keep(1).run(2)
    checked = 0
    for module in [m for n, m in sys.modules.items() if n.startswith("kostka")]:
        for f in vars(module).values():
            if isinstance(f, kernels.Kernel):
                for code in machine_code(f):
                    assert not ALLOCATES.findall(code), f"{f.__module__}.{f.__name__} allocates"
                    checked += 1
    assert checked > 10


# --- agents ---


def brief(name: str, kind: str) -> str:
    """The spec of an agent with a tiny budget."""
    own = {option.name for option in kinds(game(name))[kind].options}
    given = [f"{key}={value}" for key, value in BRIEF.items() if key in own]
    return f"{kind}:{','.join(given[:1])}" if given else kind


@pytest.mark.parametrize(
    ("name", "kind"), [(name, kind) for name in EVERY for kind in kinds(game(name))]
)
def test_every_agent_plays_a_legal_game(name, kind):
    one = game(name)
    options = one.check(one.small)
    seats = one.teams(options)
    finished = 0
    for side in sorted(set(seats)):
        agents = [make(one, brief(name, kind) if s == side else "random") for s in seats]
        played = play_game(one, options, agents, seed=1, names=["x"] * len(seats))
        unfit = [why for why in played.faults.values() if "plays" not in why]
        assert unfit == []
        finished += not played.faults
    assert finished > 0


# --- the contract on paper ---


@pytest.mark.parametrize("name", EVERY)
def test_as_many_actions_are_declared_as_the_notation_knows(name):
    known = getattr(game(name).part("actions"), "ACTIONS", None)
    assert known is None or known == game(name).actions


SECTIONS = (
    "Rules in words", "Options", "Actions", "What is hidden", "Agents", "Published results",
    "Version history",
)  # fmt: skip


@pytest.mark.parametrize("name", OURS)
def test_the_page_of_a_game_has_all_sections(name):
    pages = (HERE.parent / "docs" / "games").glob("*.md")
    (page,) = (page for page in pages if name.startswith(page.stem))
    found = re.findall(r"^## (.+)$", page.read_text(), re.MULTILINE)
    assert [section for section in found if section in SECTIONS] == list(SECTIONS)
    assert game(name).title.split()[0] in page.read_text()


# --- rooms ---

#: From the ground up: what is below knows nothing of what is above.
ROOMS = ("core", "proof", "games", "search", "learn", "agents", "arena", "table", "cli")


def imported(path: Path) -> set[str]:
    """The rooms that a file imports from, wherever in it."""
    modules = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            modules |= {f"{node.module}.{name.name}" for name in node.names}
        elif isinstance(node, ast.Import):
            modules |= {name.name for name in node.names}
    return {m.split(".")[1] for m in modules if m.startswith("kostka.")} & set(ROOMS)


def test_every_folder_is_a_room():
    folders = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert folders == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_imports_only_go_downwards(room):
    above = set(ROOMS[ROOMS.index(room) + 1 :])
    found = {path: imported(path) & above for path in (SOURCE / room).rglob("*.py")}
    assert {str(path.relative_to(SOURCE)): rooms for path, rooms in found.items() if rooms} == {}


def test_games_and_agents_of_one_game_do_not_know_those_of_another():
    for room in ("games", "agents"):
        folders = [path for path in (SOURCE / room).iterdir() if (path / "__init__.py").exists()]
        for folder in folders:
            others = [f"kostka.{r}.{f.name}" for r in ("games", "agents") for f in folders]
            foreign = [other for other in others if not other.endswith(f".{folder.name}")]
            for path in folder.rglob("*.py"):
                text = path.read_text()
                assert not [other for other in foreign if re.search(rf"{other}\b", text)], path
