"""Each way in which a compile cache has lied to us, or could, as a test."""

import hashlib
import importlib
import json
import math
import os
import stat
import threading
import time
from multiprocessing import get_context
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core import types

from kostka.core import play, rules
from kostka.core.errors import KernelError
from kostka.core.game import game
from kostka.core.kernels import cache, dependencies, kernel
from kostka.core.record import new, record
from kostka.core.rng import below, stream, streams

VALUE = """
    from kostka.core.generic import generic
    from kostka.core.kernels import kernel

    @generic
    def worth(s):
        "What a coin is worth."

    @kernel
    def total(states):
        n = 0
        for i in range(len(states)):
            n += worth(states[i])
        return n
"""

GAME = """
    import numpy as np
    from kostka.core.kernels import kernel
    from kostka.core.record import record
    from value import total, worth

    State = record("{name}.state", coins="i8", weight=("f8", 2))

    @worth.method(State)
    def _worth(s):
        return s.coins * {factor}
"""


def three_coins(name: str) -> int:
    """What three coins are worth in a game, by the kernel that serves all games."""
    module = importlib.import_module(name)
    states = np.zeros(3, module.State)
    states["coins"] = 1
    return int(module.total(states))


def entries(kept: Path) -> list[Path]:
    return sorted(kept.glob("*.kernel"))


# --- many processes ---

ROUNDS, PROCESSES, GAMES = 10, 8, 8


def test_processes_that_compile_at_once_never_mix_up_games(fresh, write, tmp_path):
    write("value.py", VALUE)
    for i in range(GAMES):
        write(f"game{i}/__init__.py", GAME.format(name=f"game{i}", factor=i + 1))
    rounds = fresh(
        lambda: [compile_at_once(tmp_path / f"cache{i}") for i in range(ROUNDS)], seconds=300
    ).value
    right = {f"game{i}": 3 * (i + 1) for i in range(GAMES)}
    for answers in rounds:
        *together, after = answers
        assert len(together) == PROCESSES
        for worths, _, _ in answers:
            assert worths == right
        # ``total`` and the method of each game, each compiled by one of the processes
        assert sum(compiled for _, compiled, _ in together) == 2 * GAMES
        assert after[1] == 0 and after[2] == GAMES
    assert len(entries(tmp_path / "cache0")) == 2 * GAMES


def compile_at_once(kept: Path) -> list[tuple[dict[str, int], int, int]]:
    """Let processes compile for all games at once, each in an order of its own; one comes later."""
    for i in range(GAMES):
        module = importlib.import_module(f"game{i}")
        # Sources are read here: somebody may edit ours while this test runs.
        dependencies.dependencies(module.total.py_func, [numba.typeof(new(module.State))])
    context = get_context("fork")
    results, together = context.SimpleQueue(), context.Barrier(PROCESSES)
    crowd = [
        context.Process(target=compile_all, args=(kept, n, results, together))
        for n in range(PROCESSES)
    ]
    late = context.Process(target=compile_all, args=(kept, 0, results, None))
    for process in crowd:
        process.start()
    answers = [results.get() for _ in crowd]
    late.start()
    answers.append(results.get())
    for process in [*crowd, late]:
        process.join()
    return answers


def compile_all(kept: Path, first: int, results, together) -> None:
    os.environ["KOSTKA_CACHE"] = str(kept)
    cache.folder.cache_clear()
    if together is not None:
        together.wait()
    order = [f"game{(first + i) % GAMES}" for i in range(GAMES)]
    worths = {name: three_coins(name) for name in order}
    results.put((worths, cache.stats["compiled"], cache.stats["loaded"]))


def test_threads_that_compile_at_once_do_not_wait_for_each_other_forever(fresh, write, tmp_path):
    """One thread compiles ``total`` and needs the method that the other one is compiling."""
    write("value.py", VALUE)
    for i in range(4):
        write(f"game{i}/__init__.py", GAME.format(name=f"game{i}", factor=i + 1))

    def race():
        found = []
        for i in range(4):
            module = importlib.import_module(f"game{i}")
            coin = new(module.State, coins=1)
            ready = threading.Barrier(2)

            def both(call, *args, ready=ready):
                ready.wait()
                found.append(int(call(*args)))

            threads = [
                threading.Thread(target=both, args=(module.total, coin), daemon=True),
                threading.Thread(target=both, args=(module.worth, coin[0]), daemon=True),
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        return found

    assert fresh(race, seconds=20).value == [1, 1, 2, 2, 3, 3, 4, 4]


# --- what an entry depends on ---

FACTOR_ELSEWHERE = """
    from kostka.core.kernels import kernel

    @kernel
    def factor():
        return {factor}
"""

TABLE = """
    from pathlib import Path
    import numpy as np

    TABLE = np.loadtxt(Path(__file__).parents[{up}] / "{file}").astype(np.int64)
"""


def game_with(imports: str, method: str) -> str:
    """A game whose coins are worth what this expression says."""
    text = GAME.replace("s.coins * {factor}", method).format(name="game")
    return text.replace("import numpy as np\n", f"import numpy as np\n    {imports}\n", 1)


NUMBERS = " ".join(["{factor}"] * 2000)

#: By name: the files of a game, and the one that is changed between two processes.
CHANGES = {
    "the game's source": ({"game/__init__.py": GAME.replace("{name}", "game")}, "game/__init__.py"),
    "another module of the game's folder": (
        {
            "game/__init__.py": game_with("from game.coin import factor", "s.coins * factor()"),
            "game/coin.py": FACTOR_ELSEWHERE,
        },
        "game/coin.py",
    ),
    "a kernel in another folder": (
        {
            "game/__init__.py": game_with("from mint.coin import factor", "s.coins * factor()"),
            "mint/coin.py": FACTOR_ELSEWHERE,
        },
        "mint/coin.py",
    ),
    "a kernel in another folder, by its module": (
        {
            "game/__init__.py": game_with("from mint import coin", "s.coins * coin.factor()"),
            "mint/coin.py": FACTOR_ELSEWHERE,
        },
        "mint/coin.py",
    ),
    "a kernel in another folder, by its package": (
        {
            "game/__init__.py": game_with("import mint.coin", "s.coins * mint.coin.factor()"),
            "mint/__init__.py": "",
            "mint/coin.py": FACTOR_ELSEWHERE,
        },
        "mint/coin.py",
    ),
    "a kernel of the same name as something in a module": (
        {
            "game/__init__.py": game_with(
                "from mint.coin import factor as score\n    from kostka.core import rules",
                "s.coins * score() + 0 * rules.OVER",
            ),
            "mint/coin.py": FACTOR_ELSEWHERE,
        },
        "mint/coin.py",
    ),
    "the default of a generic function in another folder": (
        {
            "value.py": VALUE.split("    @generic")[0]
            + "    from mint.coin import worth\n\n    @kernel"
            + VALUE.split("@kernel")[1],
            "game/__init__.py": GAME.split("    @worth")[0].replace("{name}", "game"),
            "mint/coin.py": FACTOR_ELSEWHERE.replace("factor()", "factor(s)")
            + """
    from kostka.core.generic import generic

    @generic(default=lambda key: factor)
    def worth(s):
        "What a coin is worth."
""",
        },
        "mint/coin.py",
    ),
    "a kernel that another folder's module got from a third one": (
        {
            "game/__init__.py": game_with("from mint import coin", "s.coins * coin.factor()"),
            "mint/coin.py": "from metal.gold import factor\n",
            "metal/gold.py": FACTOR_ELSEWHERE,
        },
        "metal/gold.py",
    ),
    "a data file of the game": (
        {
            "game/__init__.py": game_with("from game.table import TABLE", "s.coins * TABLE[1]"),
            "game/table.py": TABLE.format(up=0, file="numbers.txt"),
            "game/numbers.txt": NUMBERS,
        },
        "game/numbers.txt",
    ),
    "a data file elsewhere, frozen": (
        {
            "game/__init__.py": game_with("from game.table import TABLE", "s.coins * TABLE[1000]"),
            "game/table.py": TABLE.format(up=1, file="elsewhere/numbers.dat"),
            "elsewhere/numbers.dat": NUMBERS,
        },
        "elsewhere/numbers.dat",
    ),
    "a data file elsewhere, frozen in a module": (
        {
            "game/__init__.py": game_with("from game import table", "s.coins * table.TABLE[1000]"),
            "game/table.py": TABLE.format(up=1, file="elsewhere/numbers.dat"),
            "elsewhere/numbers.dat": NUMBERS,
        },
        "elsewhere/numbers.dat",
    ),
    "a data file elsewhere, frozen in a tuple": (
        {
            "game/__init__.py": game_with(
                "from game.table import TABLES", "s.coins * TABLES[0][1000]"
            ),
            "game/table.py": TABLE.format(up=1, file="elsewhere/numbers.dat")
            + "    TABLES = (TABLE, TABLE)\n",
            "elsewhere/numbers.dat": NUMBERS,
        },
        "elsewhere/numbers.dat",
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_noticed_by_the_next_process(what, fresh, write):
    files, changed = CHANGES[what]
    write("value.py", VALUE)
    for name, text in files.items():
        write(name, text.replace("{factor}", "2"))
    assert fresh(lambda: three_coins("game")).value == 6
    again = fresh(lambda: three_coins("game"))
    assert (again.value, again.compiled) == (6, 0)
    write(changed, files[changed].replace("{factor}", "7"))
    after = fresh(lambda: three_coins("game"))
    assert after.value == 21
    assert after.compiled > 0


def test_a_source_edited_while_a_process_runs_leaves_no_old_code_behind(fresh, write):
    write("value.py", VALUE)
    write("game/__init__.py", GAME.format(name="game", factor=2))

    def edit_before_compiling():
        importlib.import_module("game")
        write("game/__init__.py", GAME.format(name="game", factor=7))
        return three_coins("game")

    assert fresh(edit_before_compiling).value == 6
    assert fresh(lambda: three_coins("game")).value == 21


def test_code_without_a_method_is_not_taken_for_code_with_it(fresh, write):
    """A process that did not import a game's ``draw`` leaves code that samples ``chance``."""
    nothing = "@kernel\n    def nothing(s):\n        return 0\n\n    "
    with_default = f"{nothing}@generic(default=lambda key: nothing)\n"
    write("value.py", VALUE.replace("@generic\n", with_default))
    record_only, method = GAME.format(name="game", factor=2).split("    @worth", 1)
    write("game/__init__.py", record_only)
    write("game/rules.py", "    from game import State, worth\n\n    @worth" + method)

    def with_its_rules():
        importlib.import_module("game.rules")
        return three_coins("game")

    assert fresh(lambda: three_coins("game")).value == 0
    assert fresh(with_its_rules).value == 6
    assert fresh(lambda: three_coins("game")).value == 0


def test_methods_that_cannot_be_called_change_nothing(fresh, write):
    """What else a process imported, and in which order, recompiles nothing."""
    write("value.py", VALUE + GREED)
    write("game/__init__.py", GAME.format(name="game", factor=2))
    for other in ("other", "another"):
        write(f"{other}/__init__.py", GAME.format(name=other, factor=3) + POLICY.format(name=other))

    def play(*imported):
        for name in imported:
            importlib.import_module(name)
        import game
        import value

        return value.choose(new(value.Greed), new(game.State, coins=1))

    assert fresh(play).value == 1
    for others in (["other"], ["another", "other"], ["other", "another"]):
        again = fresh(lambda others=others: play(*others))
        assert (again.value, again.compiled) == (1, 0)


GREED = """
    from kostka.core.record import record

    Greed = record("value.greed", weight="f8")

    @generic
    def choice(p, s):
        "What a policy does."

    @choice.method(Greed)
    def _greed(p, s):
        return 1

    @kernel
    def choose(policies, states):
        return choice(policies[0], states[0])
"""

POLICY = """
    from game import State as Theirs
    from value import Greed, choice

    Mine = record("{name}.policy", weight="f8")

    @choice.method(Greed, State)
    def _greed_here(p, s):
        return 2

    @choice.method(Mine, Theirs)
    def _mine_there(p, s):
        return 3
"""


def test_a_flag_makes_another_entry(python, write, tmp_path):
    write("value.py", VALUE)
    write("game/__init__.py", GAME.format(name="game", factor=2))
    code = """
        import numpy as np, game
        from kostka.core.kernels import cache
        cache.on_compile.clear()
        print(game.total(np.ones(3, game.State)), *cache.stats.values())
    """
    assert python(code, NUMBA_BOUNDSCHECK=None) == "6 2 0"
    assert python(code, NUMBA_BOUNDSCHECK=None) == "6 0 1"
    assert python(code, NUMBA_BOUNDSCHECK=1) == "6 2 0"
    assert python(code, NUMBA_OPT=1, NUMBA_BOUNDSCHECK=None) == "6 2 0"
    assert len(entries(tmp_path / "cache")) == 6


def test_only_the_files_a_kernel_reaches_and_data_are_keyed(monkeypatch):
    """Editing a help text, a drawing, the server or another game recompiles nothing."""
    files = set()
    monkeypatch.setattr(dependencies, "fingerprint", lambda path: files.add(path) or "")
    g = game("dicewars")
    state = numba.typeof(new(g.dtype))
    policies = numba.typeof(new(play.Uniform))
    assert dependencies.dependencies(play.playouts.py_func, (state, policies)) is not None
    core = dependencies.CORE
    dicewars = core.parent / "games" / "dicewars"
    assert {path.name for path in files if path.is_relative_to(dicewars)} == {
        *("state.py", "rules.py", "actions.py"),
        *(path.name for path in dicewars.rglob("*.json")),
    }
    assert {core / "rules.py", core / "play.py", core / "kernels" / "cache.py"} <= files
    assert all(path.is_relative_to(core) or path.is_relative_to(dicewars) for path in files)
    assert not {core / "game.py", core / "state.py", core / "errors.py"} & files


def test_a_comment_in_another_source_of_the_game_recompiles_nothing(fresh, write):
    write("value.py", VALUE)
    write("game/__init__.py", GAME.replace("{name}", "game").replace("{factor}", "2"))
    write("game/view.py", "# how it looks")
    assert fresh(lambda: three_coins("game")).compiled > 0
    write("game/view.py", "# how it should look")
    assert fresh(lambda: three_coins("game")).compiled == 0


def test_data_counts_in_a_folder_and_below_a_package(write, tmp_path):
    def found() -> list[str]:
        dependencies.data_beside.cache_clear()
        return [path.name for path in dependencies.data_beside(tmp_path / "game" / "rules.py")]

    write("game/rules.py", "A = 1")
    write("game/numbers.json", "{}")
    write("game/maps/world.json", "{}")
    write("game/notes.md", "nothing that kernels read")
    assert found() == ["numbers.json"]
    write("game/__init__.py", "")
    assert found() == ["world.json", "numbers.json"]


# --- entries that cannot be trusted ---


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[: len(content) // 2],
        lambda content: b"",
        lambda content: os.urandom(len(content)),
        lambda content: content[:-1] + bytes([content[-1] ^ 1]),
        lambda content: hashlib.sha256(b"nonsense").digest() + b"nonsense",
    ],
    ids=["truncated", "empty", "garbage", "one bit", "no pickle"],
)
def test_a_damaged_entry_is_mended(damage, fresh, write, tmp_path):
    write("value.py", VALUE)
    write("game/__init__.py", GAME.format(name="game", factor=2))
    fresh(lambda: three_coins("game"))
    found = entries(tmp_path / "cache")
    assert len(found) == 2
    sound = [path.stat().st_size for path in found]
    for path in found:
        path.write_bytes(damage(path.read_bytes()))
    mended = fresh(lambda: three_coins("game"))
    assert (mended.value, mended.compiled) == (6, 2)
    assert entries(tmp_path / "cache") == found
    assert [path.stat().st_size for path in found] == pytest.approx(sound, rel=0.1)
    after = fresh(lambda: three_coins("game"))
    assert (after.value, after.compiled) == (6, 0)


def test_nothing_is_left_of_writing(fresh, write, tmp_path):
    write("value.py", VALUE)
    write("game/__init__.py", GAME.format(name="game", factor=2))
    fresh(lambda: three_coins("game"))
    assert {path.suffix for path in (tmp_path / "cache").iterdir()} == {".kernel", ".lock"}


def test_a_cache_folder_that_disappears_costs_time_but_no_result(fresh, write, tmp_path):
    import shutil

    write("value.py", VALUE)
    write("game/__init__.py", GAME.format(name="game", factor=2))

    def lose_the_folder():
        cache.folder()
        shutil.rmtree(tmp_path / "cache")
        return three_coins("game")

    assert fresh(lose_the_folder).value == 6


# --- code without a file ---


def defined(source: str, name: str = "f"):
    """A function that no file has, as in a notebook."""
    space = {"np": np, "kernel": kernel, "__name__": "notebook"}
    exec(source, space)
    return space[name]


def test_code_without_a_file_is_never_kept(fresh, write, tmp_path):
    method = "from game import State, worth\n@worth.method(State)\ndef f(s):\n    return s.coins"
    write("value.py", VALUE)
    write("game/__init__.py", GAME.format(name="game", factor=2).split("    @worth")[0])

    def in_a_notebook(factor):
        defined(f"{method} * {factor}")
        return three_coins("game")

    assert fresh(lambda: in_a_notebook(2)).value == 6
    other = fresh(lambda: in_a_notebook(7))
    assert (other.value, other.loaded) == (21, 0)
    assert entries(tmp_path / "cache") == []


def test_a_helper_without_a_file_keeps_its_callers_off_the_disk(fresh, write, tmp_path):
    write("value.py", VALUE)
    write("game/__init__.py", game_with("factor = None", "s.coins * factor()"))

    def in_a_notebook(n):
        import game

        game.factor = defined(f"@kernel\ndef f():\n    return {n}")
        return three_coins("game")

    assert fresh(lambda: in_a_notebook(2)).value == 6
    assert fresh(lambda: in_a_notebook(7)).value == 21
    assert entries(tmp_path / "cache") == []


def test_records_that_are_not_ours_are_taken_but_not_kept(fresh, write, tmp_path):
    """NumPy's own structured arrays: nothing says where their meaning comes from."""
    write(
        "sums.py",
        "from kostka.core.kernels import kernel\n\n@kernel\ndef x_of(a):\n    return a[0].x",
    )
    foreign = np.ones(1, [("x", "i8")])
    found = fresh(lambda: importlib.import_module("sums").x_of(foreign))
    assert found.value == 1
    assert entries(tmp_path / "cache") == []


# --- the folder ---

ONE = """
    from kostka.core.kernels import kernel

    @kernel
    def one(n):
        return n + 1
"""


@pytest.fixture
def where(python, write, tmp_path):
    """Compile something, and tell the folder it was kept in, its mode and what is in it."""
    write("value.py", VALUE)
    write("plain.py", ONE)
    code = """
        import json, os, stat, plain
        from kostka.core.kernels import cache
        cache.on_compile.clear()
        assert plain.one(1) == 2
        path = cache.folder()
        mode = oct(stat.S_IMODE(path.stat().st_mode))
        kept = [str(p) for p in path.iterdir() if p.suffix == ".kernel"]
        print(json.dumps([str(path), mode, len(kept)]))
    """

    def run(**settings):
        found, mode, kept = json.loads(python(code, **settings))
        left = {p.suffix for p in tmp_path.rglob("*")}
        assert kept == 1
        assert not left & {".nbi", ".nbc"} and not list(tmp_path.rglob("__pycache__"))
        return Path(found), mode

    return run


def test_the_cache_folder_is_private(where, tmp_path):
    assert where() == (tmp_path / "cache", "0o700")
    assert where(KOSTKA_CACHE=None, XDG_CACHE_HOME=tmp_path / "xdg") == (
        tmp_path / "xdg" / "kostka",
        "0o700",
    )
    assert where(KOSTKA_CACHE=None, XDG_CACHE_HOME=None, HOME=tmp_path / "me") == (
        tmp_path / "me" / ".cache" / "kostka",
        "0o700",
    )


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_folder_that_others_can_write_is_not_used(mode, where, tmp_path):
    cache = tmp_path / "cache"
    cache.mkdir()
    cache.chmod(mode)
    found, private = where()
    assert found != cache and private == "0o700"
    assert list(cache.iterdir()) == []
    assert not found.exists(), "a temporary folder goes with its process"


def test_a_folder_that_cannot_be_written_is_not_used(where, tmp_path):
    (tmp_path / "file").write_text("")
    found, private = where(KOSTKA_CACHE=tmp_path / "file" / "cache")
    assert private == "0o700" and not found.is_relative_to(tmp_path)
    found, private = where(KOSTKA_CACHE="/proc/kostka")
    assert private == "0o700" and not found.exists()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_somebody_else_is_not_used(where, tmp_path):
    (tmp_path / "cache").mkdir(mode=0o700)
    os.chown(tmp_path / "cache", 12345, 12345)
    found, private = where()
    assert found != tmp_path / "cache" and private == "0o700"


def test_clear_deletes_all_of_ours_and_nothing_else(fresh, write, tmp_path):
    write("value.py", VALUE)
    write("game/__init__.py", GAME.format(name="game", factor=2))
    fresh(lambda: three_coins("game"))
    write("cache/somebody's/file.txt", "not ours")
    size = sum(path.stat().st_size for path in entries(tmp_path / "cache"))
    assert fresh(cache.clear).value == (2, size)
    assert stat.S_ISDIR((tmp_path / "cache").stat().st_mode)
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["somebody's"]


# --- what a kernel may not do ---

Coin = record("test_kernels.coin", faces="u8", coins="i8")


@kernel
def assigns_a_record(coins):
    coins[0] = coins[1]


@kernel
def calls_one_that_assigns(coins):
    assigns_a_record(coins)
    return 1


@rules.redact.method(Coin)
def assigns_in_a_method(s, coins):
    coins[1] = s


@kernel
def calls_the_method(coins):
    rules.redact(coins[0], coins)


def test_assigning_records_is_refused_however_often_it_is_tried():
    coins = np.zeros(2, Coin)
    for call in (calls_one_that_assigns, assigns_a_record, calls_the_method):
        for _ in range(3):
            with pytest.raises(KernelError, match=r"test_kernels.py:\d+: a record is assigned"):
                call(coins)


@kernel
def takes_a_root(x):
    return np.sqrt(x) + 1.0


@kernel
def takes_the_larger(x):
    return np.maximum(x, 1.0)


@kernel
def takes_a_root_from_math(x):
    return math.sqrt(x) + 1.0


def test_ufuncs_are_refused_with_the_line_and_what_to_use():
    line = takes_a_root.py_func.__code__.co_firstlineno + 2
    with pytest.raises(KernelError, match=rf"test_kernels.py:{line}: np.sqrt .* use math.sqrt"):
        takes_a_root(4.0)
    with pytest.raises(KernelError, match=r"test_kernels.py:\d+: np.maximum"):
        takes_the_larger(4.0)
    assert takes_a_root_from_math(4.0) == 3.0


MIXED = {
    "plus": "return m + i",
    "plus one": "return m + 1",
    "times": "return m * i",
    "and": "return m & i",
    "shift": "return m >> i",
    "divided": "return m / i",
    "in place": "m += i\n    return m",
    "largest": "return max(m, i)",
    "either one": "x = i\n    if i > 3:\n        x = m\n    return x",
    "two returns": "if i > 3:\n        return m\n    return i",
    "a branch": "return m if i > 3 else 0",
}


@pytest.mark.parametrize("how", MIXED)
def test_mixing_masks_with_signed_numbers_is_refused(how):
    f = kernel(defined(f"def f(m, i):\n    {MIXED[how]}"))
    for _ in range(2):
        with pytest.raises(KernelError, match="u8"):
            f(np.uint64(5), 3)


def test_masks_among_themselves_are_welcome():
    f = kernel(defined("def f(m, i):\n    return (m & ~i) + m * i if m > i else m ^ i"))
    assert f(np.uint64(5), np.uint64(3)) == 19
    compared = kernel(defined("def f(m, i):\n    return m > i and i < m"))
    assert compared(np.uint64(5), 3) and not compared(np.uint64(5), 7)
    valued = kernel(defined("def f(m):\n    return np.float64(np.int64(m >> np.uint64(1))) / 2.0"))
    assert valued(np.uint64(5)) == 1.0


@kernel
def calls_itself(n):
    return 1 if n < 2 else n * calls_itself(n - 1)


@kernel
def one_way(n):
    return 0 if n < 1 else the_other_way(n - 1)


@kernel
def the_other_way(n):
    return 1 if n < 1 else one_way(n - 1)


@rules.returns.method(Coin)
def calls_its_generic(s, out):
    if s.coins > 0:
        s.coins -= 1
        rules.returns(s, out)


def test_recursion_through_a_generic_function_is_refused_too():
    with pytest.raises(KernelError, match="calls itself; use a stack of your own"):
        rules.returns(new(Coin, coins=3)[0], np.zeros(2))


def test_recursion_is_refused_and_nobody_waits_for_himself():
    for f in (calls_itself, one_way):
        for _ in range(2):
            with pytest.raises(KernelError, match="calls itself; use a stack of your own"):
                f(3)


def test_closures_are_refused():
    n = 3

    def f(x):
        return x + n

    with pytest.raises(KernelError, match=r"f closes over n; pass it"):
        kernel(f)


# --- what kernels cost ---


def playing(state):
    """Call every kernel that plays a game; gives them with their arguments."""
    g, p = state.game, state.players
    views, out, prob = state.buffer.copy(), np.empty(g.width, np.int64), np.empty(g.width)
    luck, log = streams(g.streams, 1), np.empty(8, np.int64)
    uniform = np.repeat(g.policies["uniform"], p)
    doors = [
        (play.advance, (views, play.NOTHING, luck, out, prob, log, views.copy())),
        (play.legal_now, (views, out)),
        (play.see, (state.buffer, views, 0)),
        (play.playouts, (state.buffer, views, uniform, 1, out, prob, luck[0], 5)),
        (play.contest, (views, views.copy(), uniform, luck, streams(p, 2), out, prob, 5, log)),
    ]
    for door, args in doors:
        door(*args)
    return doors


@pytest.mark.parametrize(
    "body",
    ["np.zeros(n).sum()", "len([i for i in range(n)])", "len({n: 1})", "(np.ones(n) * 2)[0]"],
)
def test_what_allocates_does_not_compile(body):
    with pytest.raises(numba.core.errors.NumbaError):
        kernel(defined(f"def f(n):\n    return {body}"))(3)


def test_a_second_call_compiles_nothing():
    doors = playing(game("dicewars").new(seed=1))
    before = dict(cache.stats)
    for door, args in doors:
        door(*args)
    assert cache.stats == before


@kernel
def busy(rng, n):
    total = 0
    for _ in range(n):
        total += below(rng, 6)
    return total


def test_kernels_let_other_threads_run():
    """A thread that only sleeps wakes up again and again while a kernel runs."""
    rng, ticks, done = stream(1), [], threading.Event()
    busy(rng, 1)

    def tick():
        while not done.wait(0.005):
            ticks.append(time.monotonic())

    clock = threading.Thread(target=tick)
    clock.start()
    started = time.monotonic()
    busy(rng, 100_000_000)
    ended = time.monotonic()
    done.set()
    clock.join()
    assert sum(started < t < ended for t in ticks) >= 3


def test_a_kernel_travels_to_another_process_by_its_name(fresh, write):
    """A pool of processes sends functions as their names."""
    import pickle

    write("coin.py", ONE)
    packed = fresh(lambda: pickle.dumps(importlib.import_module("coin").one)).value
    assert fresh(lambda: pickle.loads(packed)(1)).value == 2


# --- what we rely on in Numba ---


def test_numba_is_as_we_know_it():
    """Its internals that ``core`` builds on. When this fails, read core/kernels again."""
    import inspect

    from numba.core import caching, codegen, compiler, dispatcher, ir, registry, serialize
    from numba.core.datamodel import models

    assert numba.__version__.startswith("0.68.")
    abstract = {"cache_path", "load_overload", "save_overload", "enable", "disable", "flush"}
    assert caching._Cache.__abstractmethods__ == abstract
    compiling = inspect.getsource(dispatcher.Dispatcher.compile)
    steps = [
        "global_compiler_lock",
        "self._cache.load_overload(sig, self.targetctx)",
        "self._cache_hits[sig] += 1",
        "self._compiler.compile(args, return_type)",
        "self.add_overload(cres)",
        "self._cache.save_overload(sig, cres)",
    ]
    at = [compiling.rfind(step) for step in steps]
    assert -1 not in at and at == sorted(at)
    assert list(inspect.signature(registry.CPUDispatcher).parameters)[:3] == [
        "py_func",
        "locals",
        "targetoptions",
    ]
    assert inspect.signature(compiler.CompileResult._rebuild).parameters.keys() >= {
        "target_context",
        "libdata",
    }
    assert callable(compiler.CompileResult._reduce) and callable(serialize.dumps)
    assert {"lifted", "library", "type_annotation"} <= set(compiler.CompileResult._fields)
    assert hasattr(codegen.CodeLibrary, "has_dynamic_globals")
    assert callable(codegen.CPUCodegen.magic_tuple)
    for flag in cache.FLAGS:
        assert hasattr(numba.core.config, flag), flag
    assert "@test_kernels.coin" in numba.typeof(new(Coin)).dtype.fields
    for statement in (ir.SetItem, ir.StaticSetItem, ir.SetAttr, ir.Assign, ir.Expr):
        assert inspect.isclass(statement)
    for call in ("get_call_type", "get_call_signatures", "get_impl_key"):
        assert callable(getattr(types.Dispatcher, call))
    assert inspect.isclass(models.OpaqueModel)


def test_numba_tells_what_the_checks_read():
    f = kernel(defined("def f(m):\n    return m + m"))
    f(np.uint64(1))
    (compiled,) = f.overloads.values()
    note = compiled.type_annotation
    assert types.uint64 in note.typemap.values()
    assert any(block.body for block in note.blocks.values())
