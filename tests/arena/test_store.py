"""The store, on SQLite and PostgreSQL alike: what goes in comes out, whole and only once."""

import multiprocessing
import os
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
import sqlalchemy as sa

from kostka.arena.executor import Inline
from kostka.arena.match import play_some
from kostka.arena.plan import MOST_SEED, Plan
from kostka.arena.referee import Played
from kostka.arena.results import columns, rows
from kostka.arena.store import Store, address, agents, pack, schema, unpack
from kostka.arena.store import runs as runs_table
from kostka.arena.tournament import enter, play
from kostka.core.errors import KostkaError
from kostka.core.game import game
from kostka.core.state import begin

PLAN = Plan("pig", ("random", "bots:Last", "bots:Learner"), games=4, seed=3, options={"goal": 10})


def played(store, plan=PLAN):
    """A run of a plan, played to its end, and its games as they were before they went in."""
    run = store.begin(plan, "a test")
    kept = {}
    for number, match in enumerate(run.matches):
        for seating in range(len(match.seatings)):
            series = range(seating, match.games, len(match.seatings))
            kept |= {(number, i): p for i, p in zip(series, play_some(match, series), strict=True)}
    for (number, index), one in kept.items():
        store.add(run, number, run.matches[number], {index: one})
    return store.run(run.id), kept


def test_a_run_comes_out_as_it_went_in(where, bots, facts):
    store = Store(where)
    run, kept = played(store)
    assert run.plan == PLAN
    assert (run.name, run.command, run.finished) == ("pig-3", "a test", None)
    assert run.played == run.games == 12
    assert store.done(run) == [{0, 1, 2, 3}] * 3

    results = store.results(run)
    told = [row for (n, i), one in sorted(kept.items()) for row in rows(n, run.matches[n], i, one)]
    wanted = columns(told, {"bots:Learner"}, game("pig"), [m.options for m in run.matches])
    assert facts(results) == facts(wanted)
    np.testing.assert_array_equal(results.seconds, wanted.seconds)
    np.testing.assert_array_equal(results.time, wanted.time)
    assert results.learners == {"bots:Learner"}

    memories = {}
    for (number, index), one in sorted(kept.items()):
        if one.learnt:
            memories |= {(number, index % 2, seat): m for seat, m in one.learnt.items()}
    assert store.learnt(run) == memories and len(memories) == 4

    store.finish(run)
    assert Store(where).run("pig-3").finished is not None


def test_moves_replay_to_the_same_scores(where, bots):
    store = Store(where)
    run, kept = played(store)
    found = list(store.moves(run))
    assert [(n, i) for n, i, _, _ in found] == sorted(kept)
    for number, index, seed, codes in found:
        state = begin(game("pig"), run.matches[number].options, seed)
        for code in codes:
            state.apply(int(code))
        assert seed == run.matches[number].game_seed(index)
        assert state.scores == kept[number, index].scores
    run, _ = played(store, replace(PLAN, moves=False))
    assert list(store.moves(run)) == []


def test_what_is_there_is_never_changed(where, bots, facts):
    store = Store(where)
    run, _ = played(store)
    before = facts(store.results(run))
    other = Played([0.5, 0.5], [7.0, 7.0], 99, {0: "late"}, learnt={0: b"wrong", 1: b"wrong"})
    store.add(run, 0, run.matches[0], {0: other, 3: other})
    assert facts(store.results(run)) == before
    assert store.faults(run) == []
    assert b"wrong" not in store.learnt(run).values()


def test_a_game_is_there_whole_or_not_at_all(where, bots):
    store = Store(where)
    run = store.begin(PLAN, "")
    match = run.matches[0]
    games = dict(enumerate(play_some(match, [0, 1])))
    games[1].scores = [1.0, None]
    with pytest.raises(KostkaError, match="the store"):
        store.add(run, 0, match, games)
    assert store.done(run)[0] == set()
    with pytest.raises(KostkaError, match="no game of pig-3 has been played yet"):
        store.results(run)


def test_faults_are_kept_whatever_their_text(where, bots):
    store = Store(where)
    plan = replace(PLAN, agents=("bots:Odd", "bots:Last"), games=2)
    run, _ = played(store, plan)
    (fault,) = store.faults(run)
    assert (fault["agent"], fault["games"]) == ("bots:Odd", 2)
    words = "crashed: ValueError: a zero , half a pair ? and 'quotes' (bots.py"
    assert fault["fault"].startswith(words)


@pytest.mark.parametrize(
    "name", ["", "x'; drop table runs; --", "žluťoučký 🎲", "%s %(a)s :b", "1"]
)
def test_names_may_be_odd(where, bots, name):
    store = Store(where)
    plan = replace(PLAN, name=name, seed=MOST_SEED)
    first, second = store.begin(plan, "odd \udc80\0"), store.begin(plan, "")
    assert first.plan == second.plan == plan
    assert first.name == (name or f"pig-{MOST_SEED}")
    assert second.name == first.name + "-2"
    assert store.begin(plan, "").name == first.name + "-3"
    assert store.run(second.name).id == second.id
    assert store.run(str(second.id)).id == second.id


def test_an_unknown_run_is_told(where, bots):
    store = Store(where)
    with pytest.raises(KostkaError, match="holds no run yet"):
        store.run("x")
    store.begin(replace(PLAN, name="first"), "")
    with pytest.raises(KostkaError, match="did you mean first"):
        store.run("frist")


def test_results_do_not_need_the_agents_that_played(where, bots, facts):
    store = Store(where)
    run, _ = played(store)
    before = facts(store.results(run))
    (bots / "bots.py").unlink()
    sys.modules.pop("bots")
    again = Store(where).run(run.id)
    with pytest.raises(KostkaError, match="cannot be imported"):
        again.matches  # noqa: B018
    assert facts(store.results(again)) == before


def test_agents_are_told_apart_by_game(where, bots):
    store = Store(where)
    store.begin(replace(PLAN, agents=("random", "mcts:iterations=9,c=1")), "")
    store.begin(Plan("dicewars", ("random", "stei"), seed=1), "")
    with store.read() as connection:
        found = connection.execute(sa.select(agents.c.game, agents.c.spec, agents.c.parameters))
        assert sorted((g, s, sorted(p.items())) for g, s, p in found) == [
            ("dicewars", "random", []),
            ("dicewars", "stei", []),
            ("pig", "mcts:iterations=9,c=1", [("c", "1"), ("iterations", "9")]),
            ("pig", "random", []),
        ]


def test_codes_are_packed_and_unpacked():
    codes = np.array([0, 1, 65535, 7], np.uint16)
    assert unpack(pack(codes)).tolist() == [0, 1, 65535, 7]
    assert unpack(pack(np.empty(0, np.uint16))).tolist() == []


# --- several processes at once ---


def open_and_begin(where, start, answers):
    start.wait()
    try:
        store = Store(where)
        mine = store.begin(Plan("pig", ("random", "mcts"), seed=1, name="same"), "")
        shared = store.run("shared") if any(r.name == "shared" for r in store.runs()) else mine
        match = shared.matches[0]
        for index in range(20):
            one = Played([1.0, 0.0], [10.0 + os.getpid(), 3.0], 5, {})
            store.add(shared, 0, match, {index: one, index + 1: one})
        answers.put(mine.name)
    except BaseException as error:
        answers.put(repr(error))


def at_once(where, count=4):
    """Let processes open a store and write into it, all at the same moment."""
    fork = multiprocessing.get_context("fork")
    start, answers = fork.Event(), fork.Queue()
    children = [fork.Process(target=open_and_begin, args=(where, start, answers)) for _ in
                range(count)]  # fmt: skip
    for child in children:
        child.start()
    start.set()
    found = sorted(answers.get(timeout=30) for _ in children)
    for child in children:
        child.join()
    return found


def test_processes_that_open_a_new_store_at_once_do_not_fall_over_each_other(where):
    assert at_once(where) == ["same", "same-2", "same-3", "same-4"]
    assert [run.played for run in Store(where).runs()] == [21] * 4


def test_two_processes_that_play_the_same_games_leave_each_of_them_once(where, bots):
    store = Store(where)
    run = store.begin(Plan("pig", ("random", "mcts"), seed=1, name="shared"), "")
    store.close()
    at_once(where)
    store = Store(where)
    results = store.results(store.run("shared"))
    assert len(results) == 21 and store.done(run)[0] == set(range(21))
    # both seats of a game are those of one process
    assert results.number.tolist() == [i for i in range(21) for _ in "ab"]
    assert results.score[1::2].tolist() == [3.0] * 21


# --- the schema ---


def test_migrations_make_the_schema_that_the_code_expects(where):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    store = Store(where)
    with store.engine.connect() as connection:
        options = {"compare_type": True, "compare_server_default": True}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, schema) == []
        constraints = sa.inspect(connection).get_unique_constraints("agents")
    assert [c["column_names"] for c in constraints] == [["game", "spec"]]


def test_opening_again_changes_nothing(where, bots):
    store = Store(where)
    run, _ = played(store)
    assert Store(where).runs() == Store(where, create=False).runs() == [run]


def test_a_store_of_a_newer_version_is_refused(where):
    store = Store(where)
    with store.write() as connection:
        connection.exec_driver_sql("update alembic_version set version_num = '9999'")
    with pytest.raises(KostkaError, match="was made by a newer Kostka"):
        Store(where)
    with store.read() as connection:
        found = connection.exec_driver_sql("select version_num from alembic_version").scalars()
        assert list(found) == ["9999"]


def test_the_database_of_somebody_else_is_left_as_it_was(where):
    engine = sa.create_engine(address(where))
    with engine.begin() as connection:
        connection.exec_driver_sql("create table games (mine integer)")
    with pytest.raises(KostkaError, match="already exists"):
        Store(where)
    assert sa.inspect(engine).get_table_names() == ["games"]
    engine.dispose()


def test_a_foreign_key_is_kept(where):
    store = Store(where)
    with pytest.raises(KostkaError, match=r"(?i)foreign key"), store.write() as connection:
        connection.exec_driver_sql(
            "insert into games (match, number, block, seed, decisions, seconds) "
            "values (77, 0, 0, 0, 0, 0)"
        )


# --- SQLite ---


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("my notes, which are long enough to be read as a header of a database\n" * 20)
    before = path.read_bytes()
    with pytest.raises(KostkaError, match=r"notes.txt: file is not a database"):
        Store(path)
    assert path.read_bytes() == before


def test_folders_are_no_stores_and_must_exist(tmp_path):
    with pytest.raises(KostkaError, match="unable to open database file"):
        Store(tmp_path)
    with pytest.raises(KostkaError, match=r"there is no folder .*none"):
        Store(tmp_path / "none" / "k.db")
    with pytest.raises(KostkaError, match=r"there is no store .*; kostka tournament makes one"):
        Store(tmp_path / "k.db", create=False)
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_must_not_be_written_says_so(tmp_path, bots):
    """As root nothing is read-only, so the file is opened read-only instead."""
    path = tmp_path / "k.db"
    Store(path).begin(PLAN, "")
    store = Store(path)
    sa.event.listen(store.engine, "begin", lambda c: c.exec_driver_sql("pragma query_only=on"))
    with pytest.raises(KostkaError, match=r"k.db: attempt to write a readonly database"):
        store.begin(PLAN, "")
    assert len(store.runs()) == 1


def test_names_of_files_may_be_odd(tmp_path):
    for name in ("with space.db", "100%.db", "a?b#c.db", "été:1.db"):
        Store(tmp_path / name).close()
        assert (tmp_path / name).exists()


def test_a_full_disk_is_told_and_everything_before_it_is_safe(tmp_path, bots, facts):
    path = tmp_path / "k.db"
    plan = replace(PLAN, games=150)
    roomy = Store(tmp_path / "roomy.db")
    whole = enter(roomy, plan, None, "")
    list(play(roomy, whole, Inline()))

    store = Store(path)
    run = enter(store, plan, None, "")
    store.close()

    def narrow(connection, _):
        connection.execute("pragma max_page_count=34")

    sa.event.listen(store.engine, "connect", narrow)
    safe = 0
    with pytest.raises(KostkaError, match=r"k.db: database or disk is full"):
        for step in play(store, run, Inline()):
            safe = step.played
    sa.event.remove(store.engine, "connect", narrow)
    store.close()
    again = Store(path)
    run = enter(again, plan, None, "")
    assert 0 < safe == run.played < run.games
    list(play(again, run, Inline()))
    assert facts(again.results(run)) == facts(roomy.results(whole))


def test_a_really_full_disk_is_told_too(tmp_path, bots):
    """No file may grow beyond 200 kB, as on a disk that has no more room."""
    code = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "from kostka.arena.store import Store\n"
        "from kostka.arena.plan import Plan\n"
        "from kostka.arena.referee import Played\n"
        "import numpy as np\n"
        "from kostka.core.errors import KostkaError\n"
        "store = Store('k.db'); run = store.begin(Plan('pig', ('random', 'mcts'), 500, 1), '')\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))\n"
        "codes = np.random.default_rng(1).integers(0, 2**16, 5000).astype(np.uint16)\n"
        "try:\n"
        "    for i in range(500):\n"
        "        one = Played([1.0, 0.0], [1.0, 0.0], 5, {}, codes=codes)\n"
        "        store.add(run, 0, run.matches[0], {i: one})\n"
        "        print(i, flush=True)\n"
        "except KostkaError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True,
                          text=True, timeout=60)  # fmt: skip
    assert done.returncode == 0, done.stderr
    *numbers, error = done.stdout.splitlines()
    assert "k.db: " in error and ("full" in error or "disk I/O" in error)
    store = Store(tmp_path / "k.db")
    run = store.run(1)
    assert 0 < run.played == len(numbers)
    store.add(run, 0, run.matches[0], {499: Played([1.0, 0.0], [1.0, 0.0], 5, {})})
    assert store.run(1).played == len(numbers) + 1


def test_sqlite_keeps_what_was_committed_when_the_process_is_killed(tmp_path, bots):
    """The pragmas that this rests on."""
    store = Store(tmp_path / "k.db")
    with store.read() as connection:
        asked = {
            name: connection.exec_driver_sql(f"pragma {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert asked == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1,
                     "busy_timeout": 20000}  # fmt: skip


def test_a_writer_waits_for_another(tmp_path, bots):
    path = tmp_path / "k.db"
    store = Store(path)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("begin immediate")
    release = threading.Timer(0.4, lambda: other.execute("commit"))
    began = time.perf_counter()
    release.start()
    assert store.runs() == []  # readers do not wait
    assert time.perf_counter() - began < 0.3
    store.begin(PLAN, "")
    assert 0.35 < time.perf_counter() - began < 10
    release.join()


# --- PostgreSQL ---


def silent():
    """A server that takes connections and says nothing."""
    listener = socket.create_server(("127.0.0.1", 0))
    return listener, listener.getsockname()[1]


def refused():
    """A port at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@pytest.mark.parametrize("kind", ["refused", "silent", "nowhere"])
def test_a_server_that_does_not_answer_is_told_within_five_seconds(kind, monkeypatch):
    listener = None
    host, port = "127.0.0.1", 5432
    if kind == "refused":
        port = refused()
    elif kind == "silent":
        listener, port = silent()
    else:
        host = "10.255.255.1"
    began = time.perf_counter()
    with pytest.raises(KostkaError) as caught:
        Store(f"postgresql://me:s%C3%ADcr%20et@{host}:{port}/games?application_name=x")
    assert time.perf_counter() - began < 5
    assert str(caught.value).startswith("the store postgresql")
    assert f"{host}:{port}" in str(caught.value)
    for secret in ("sícr", "s%C3", "cr+et", "cr%20et"):
        assert secret not in str(caught.value)
    assert caught.value.__suppress_context__
    if listener:
        listener.close()


def test_no_password_is_ever_shown(postgres):
    for url in (
        f"postgresql://me:geheim@127.0.0.1:{refused()}/games",
        f"postgresql://me@127.0.0.1:{refused()}/games?password=geheim",
        "postgresql://me:geheim@127.0.0.1:x/games",
        "mysql://me:geheim@127.0.0.1/games",
        "postgresql://me:geheim@[/games",
    ):
        with pytest.raises(KostkaError) as caught:
            Store(url)
        assert "geheim" not in str(caught.value)


def test_no_password_is_kept_with_the_command(new_database, bots):
    url = sa.make_url(new_database()).set(password="ge heim").render_as_string(hide_password=False)
    store = Store(url)
    assert "heim" not in str(store)
    run = store.begin(PLAN, f"kostka tournament --store {url}")
    assert "heim" not in run.command and "***" in run.command
    with store.read() as connection:
        assert "heim" not in connection.execute(sa.select(runs_table.c.command)).scalar()


def test_an_unknown_database_or_a_server_that_goes_away_is_told(new_database, bots):
    url = sa.make_url(new_database())
    with pytest.raises(KostkaError, match="does not exist"):
        Store(url.set(database="nothing").render_as_string())
    store = Store(url.render_as_string())
    run = store.begin(PLAN, "")
    server = sa.create_engine(url.set(database="postgres"))
    with server.connect() as connection:
        connection.exec_driver_sql(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = %(name)s",
            {"name": url.database},
        )
    server.dispose()
    with pytest.raises(KostkaError, match=r"the store postgresql.*terminat"):
        store.runs()
    assert store.run(run.id) == run


@pytest.mark.parametrize(
    ("given", "driver"),
    [
        ("k.db", "sqlite"),
        ("sqlite:///k.db", "sqlite"),
        ("sqlite+aiosqlite:///k.db", "sqlite"),
        ("postgres://h/d", "postgresql+psycopg"),
        ("postgresql://h/d", "postgresql+psycopg"),
        ("postgresql+asyncpg://h/d", "postgresql+psycopg"),
    ],
)
def test_addresses(given, driver):
    assert address(given).drivername == driver
