"""How tests run: with bounds checks, with compiled kernels kept, and with stores to test on."""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import textwrap
import traceback
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

# Numba reads its settings when it is imported, which nothing before this line has done.
os.environ["NUMBA_BOUNDSCHECK"] = "1"
os.environ["KOSTKA_CACHE"] = os.environ.get("KOSTKA_TEST_CACHE") or str(
    Path(__file__).parents[1] / ".pytest_cache" / "kernels"
)

import pytest
import sqlalchemy as sa
from hypothesis import settings

# A first example may have to wait for a compilation.
settings.register_profile("kostka", deadline=None)
settings.load_profile("kostka")


@dataclass
class Run:
    """What a process of its own gave back: its result, and what it compiled and loaded."""

    value: Any
    compiled: int
    loaded: int


def forked(f: Callable, kept: Path, folder: Path, seconds: float = 60) -> Run:
    """Call a function in a process that knows no kernels yet, as if Python had just started."""
    ours, theirs = get_context("fork").Pipe()
    child = get_context("fork").Process(target=_child, args=(f, kept, folder, theirs))
    child.start()
    theirs.close()
    try:
        answer = ours.recv() if ours.poll(seconds) else f"no answer within {seconds} seconds"
    except EOFError:
        answer = "the process crashed"
    finally:
        if child.is_alive():
            child.join(1)
        child.kill()
        child.join()
    if isinstance(answer, str):
        pytest.fail(answer, pytrace=False)
    return Run(*answer)


def _child(f: Callable, kept: Path, folder: Path, pipe: Any) -> None:
    from kostka.core.kernels import cache, dependencies

    os.environ["KOSTKA_CACHE"] = str(kept)
    cache.folder.cache_clear()
    dependencies.fingerprint.cache_clear()
    dependencies.data_beside.cache_clear()
    cache.stats.update(compiled=0, loaded=0)
    cache.on_compile.clear()
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True  # sources change faster here than file times can tell
    try:
        value = f()
        pipe.send((value, cache.stats["compiled"], cache.stats["loaded"]))
    except BaseException:
        pipe.send(traceback.format_exc())


@pytest.fixture
def fresh(tmp_path: Path) -> Callable[..., Run]:
    """Call a function in a fork with an own cache and with ``tmp_path`` to import from."""
    import numba

    numba.njit("i8(i8)")(lambda n: n + 1)  # the compiler is started here, once for all forks
    return lambda f, seconds=60: forked(f, tmp_path / "cache", tmp_path, seconds)


@pytest.fixture
def python(tmp_path: Path) -> Callable[..., str]:
    """Run Python code in a new interpreter; settings are given by name. Gives what it printed."""

    def run(code: str, **settings: Any) -> str:
        given = {k: str(v) for k, v in settings.items() if v is not None}
        left_out = {k for k, v in settings.items() if v is None}
        roots = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
        env = {**os.environ, "KOSTKA_CACHE": str(tmp_path / "cache"), "PYTHONPATH": roots}
        env = {k: v for k, v in {**env, **given}.items() if k not in left_out}
        command = [sys.executable, "-B", "-W", "error", "-c", textwrap.dedent(code)]
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """Write a file below ``tmp_path``."""

    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
        return path

    return write


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server: the one we are told of, or one of our own."""
    given = os.environ.get("KOSTKA_TEST_POSTGRES")
    if given:
        yield given
        return
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: float(p.parent.name))
    path = os.pathsep.join([*map(str, reversed(folders)), os.environ.get("PATH", "")])
    initdb, pg_ctl = (shutil.which(name, path=path) for name in ("initdb", "pg_ctl"))
    if initdb is None or pg_ctl is None:
        why = "PostgreSQL is not installed"
        pytest.fail(why) if os.environ.get("CI") else pytest.skip(why)
    folder = Path(tempfile.mkdtemp(prefix="kostka-pg-"))
    user = None
    if os.geteuid() == 0:  # PostgreSQL refuses to be run by root
        user = "postgres" if any(u.pw_name == "postgres" for u in pwd.getpwall()) else "nobody"
        shutil.chown(folder, user)

    def call(*command: str) -> None:
        done = subprocess.run(command, cwd=folder, user=user, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    data = str(folder / "data")
    options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
    call(initdb, "-D", data, "-U", "postgres", "-A", "trust", "--no-sync")
    call(pg_ctl, "-D", data, "-o", options, "-l", str(folder / "log"), "-w", "start")
    try:
        yield f"postgresql://postgres@/postgres?host={folder}"
    finally:
        call(pg_ctl, "-D", data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder)


@pytest.fixture
def new_database(postgres: str) -> Iterator[Callable[[], str]]:
    """Makes empty databases on the server; gives their URLs."""
    url = sa.make_url(postgres).set(drivername="postgresql+psycopg")
    server = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    made: list[str] = []

    def make() -> str:
        made.append(f"kostka_{uuid.uuid4().hex}")
        with server.connect() as connection:
            connection.exec_driver_sql(f"create database {made[-1]}")
        return url.set(database=made[-1]).render_as_string(hide_password=False)

    yield make
    with server.connect() as connection:
        for name in made:
            connection.exec_driver_sql(f"drop database {name} with (force)")
    server.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An address for a new store, on each kind of database."""
    if request.param == "sqlite":
        return str(tmp_path / "store.db")
    return request.getfixturevalue("new_database")()
