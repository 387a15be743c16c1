"""Tournaments go on where they were after any kind of end, and end with the same results."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from kostka.arena.executor import Inline, Processes
from kostka.arena.match import play_one
from kostka.arena.plan import Plan
from kostka.arena.store import Store
from kostka.arena.tournament import enter, play
from kostka.core.errors import KostkaError

#: Learners play in series, the others in any order.
PLAN = Plan(
    "pig", ("bots:Learner", "bots:Last", "random"), games=14, seed=7, options={"goal": 10}
)  # fmt: skip
#: It stands still somewhere in the middle until it is let on.
HELD = replace(PLAN, agents=("bots:Learner", "bots:Held", "random"))


def finish(where, plan=PLAN, seed=None):
    """Play a plan to its end, here; the store and the run."""
    store = Store(where)
    run = enter(store, plan, seed, "a test")
    list(play(store, run, Inline()))
    return store, store.run(run.id)


def test_a_tournament_is_played_once_and_reported_as_it_goes(where, bots):
    store = Store(where)
    run = enter(store, PLAN, None, "a test")
    steps = list(play(store, run, Inline()))
    assert run.games == 3 * 14 == steps[-1].played
    assert [s.played for s in steps] == sorted({s.played for s in steps})
    assert steps[0].left is None and steps[-1].left == 0
    again = enter(store, PLAN, None, "a test")
    assert (again.id, again.played) == (run.id, 42) and again.finished
    assert list(play(store, again, Inline())) == []
    assert store.run(run.id).finished == again.finished


def test_a_run_may_end_after_any_task(where, bots, facts, tmp_path):
    """A run that is abandoned after each step ends like one that is not."""
    whole, wanted = finish(tmp_path / "whole.db")
    steps = 0
    while True:
        store = Store(where)
        run = enter(store, PLAN, None, "a test")
        step = next(iter(play(store, run, Inline())), None)
        store.close()
        if step is None:
            break
        steps += 1
        assert Store(where).run(run.id).played == step.played
    assert steps > 5
    store = Store(where)
    (run,) = store.runs()
    assert facts(store.results(run)) == facts(whole.results(wanted))
    assert store.learnt(run) == whole.learnt(wanted)
    for one, other in zip(store.moves(run), whole.moves(wanted), strict=True):
        assert one[:3] == other[:3] and one[3].tolist() == other[3].tolist()


DRIVER = """
import sys
from kostka.arena.executor import Processes
from kostka.arena.match import play_one
from kostka.arena.plan import Plan
from kostka.arena.store import Store
from kostka.arena.tournament import enter, play
import json

if __name__ == "__main__":
    store = Store(sys.argv[1])
    run = enter(store, Plan.from_json(json.loads(sys.argv[2])), None, "killed")
    with Processes(2) as workers:
        print("go", flush=True)
        for step in play(store, run, workers):
            print(step.played, flush=True)
"""


def children(pid: int) -> set[int]:
    """All processes below a process."""
    try:
        own = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return set()
    return {int(child) for child in own}.union(*(children(int(child)) for child in own))


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def gone(pids: set[int]) -> bool:
    """Are these processes gone within a minute?"""
    until = time.monotonic() + 60
    while any(map(alive, pids)) and time.monotonic() < until:
        time.sleep(0.02)
    return not any(map(alive, pids))


def wait_for(marker, driver):
    """Wait until a bot has left its mark."""
    while not marker.exists():
        assert driver.poll() is None
        time.sleep(0.02)


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")


@needs_proc
def test_no_worker_goes_on_with_a_long_game_for_nobody(bots):
    (bots / "drive.py").write_text(DRIVER)
    plan = replace(PLAN, agents=("bots:Asleep", "bots:Last"))
    command = [sys.executable, str(bots / "drive.py"), "k.db", json.dumps(plan.json())]
    driver = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=bots)
    wait_for(bots / "marker", driver)
    workers = children(driver.pid)
    driver.kill()
    driver.wait()
    assert len(workers) >= 2 and gone(workers)


@needs_proc
def test_a_run_that_is_killed_goes_on_and_nobody_plays_for_it_meanwhile(bots, facts):
    where = str(bots / "k.db")
    (bots / "drive.py").write_text(DRIVER)
    command = [sys.executable, str(bots / "drive.py"), where, json.dumps(HELD.json())]
    reported = []
    for lines in (1, 2):  # before the first game, and in the middle
        driver = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        said = [driver.stdout.readline() for _ in range(lines)]
        if lines > 1:
            wait_for(bots / "marker", driver)
        workers = children(driver.pid)
        os.kill(driver.pid, signal.SIGKILL)
        driver.wait()
        said += driver.stdout.readlines()
        driver.stdout.close()
        assert len(workers) >= 2 and gone(workers)
        # what had been reported is there, and perhaps some more
        store = Store(where)
        reported.append(max([int(line) for line in said[1:]], default=0))
        assert said[0] == "go\n"
        assert reported[-1] <= sum(map(len, store.done(store.runs()[0]))) < 42
        store.close()
    assert reported[1] > 0
    (bots / "open").touch()
    store, run = finish(where, HELD)
    assert len(store.runs()) == 1 and run.command == "killed"
    whole, wanted = finish(bots / "whole.db", HELD)
    assert facts(store.results(run)) == facts(whole.results(wanted))
    assert store.learnt(run) == whole.learnt(wanted)


def test_an_agent_that_kills_its_worker_leaves_what_was_finished(bots, facts):
    plan = replace(PLAN, agents=("bots:Dies", "bots:Last"), games=6)
    store = Store(bots / "k.db")
    run = enter(store, plan, None, "")
    words = "bots:Dies, bots:Last was killed 3 times"
    with Processes(1) as workers, pytest.raises(KostkaError, match=words):
        list(play(store, run, workers))
    assert store.done(run) == [{0, 1}]
    os.environ["MARKER"] = str(bots / "other")
    (bots / "bots.py").write_text((bots / "bots.py").read_text().replace(">= 2", ">= 99"))
    sys.modules.pop("bots")
    list(play(store, enter(store, plan, None, ""), Inline()))
    assert store.done(run) == [set(range(6))]


def test_two_that_play_the_same_run_at_once_end_with_the_same_results(where, bots, facts):
    """Both play, step by step in turns; nothing is there twice."""
    one, other = Store(where), Store(where)
    runs = [enter(store, PLAN, None, "") for store in (one, other)]
    assert runs[0].id == runs[1].id
    both = [play(store, run, Inline()) for store, run in zip((one, other), runs, strict=True)]
    while both:
        both = [steps for steps in both if next(steps, None) is not None]
    whole, wanted = finish(bots / "whole.db")
    assert facts(one.results(runs[0])) == facts(whole.results(wanted))


# --- memory that goes with the seat ---

#: What is learnt at a seat goes on from line-up to line-up; two tables of two learners, too.
BY_SEAT = replace(
    PLAN, games=6, memory="seat", agents=("bots:Learner", "bots:Last", "random"), repeat=True
)


def by_hand(run):
    """All games with a learner, one after the other, and what each seat remembers in the end."""
    memory, lengths = {}, {}
    for number, match in enumerate(run.matches):
        for index in range(match.games if match.learners else 0):
            names = [match.specs[who] for who in match.seats(index)]
            known = {s: memory[n, s] for s, n in enumerate(names) if (n, s) in memory}
            one = play_one(match, index, learnt=known)
            memory |= {(names[seat], seat): learnt for seat, learnt in one.learnt.items()}
            lengths[number, index] = one.decisions
    return {(name, 2, seat): learnt for (name, seat), learnt in memory.items()}, lengths


def lengths_of(results, of):
    """How many decisions the games took, by match and number."""
    rows = zip(
        results.match.tolist(), results.number.tolist(), results.length.tolist(), strict=True
    )
    return {(m, n): length for m, n, length in rows if (m, n) in of}


def test_what_is_learnt_at_a_seat_goes_on_from_line_up_to_line_up(where, bots):
    store, run = finish(where, BY_SEAT)
    memory, lengths = by_hand(run)
    assert run.in_order == ["bots:Learner"]
    assert store.learnt(run) == memory and len(memory) == 2
    assert lengths_of(store.results(run), lengths) == lengths
    other, apart = finish(bots / "apart.db", replace(BY_SEAT, memory="line-up"))
    assert lengths_of(other.results(apart), lengths) != lengths and apart.in_order == []


def test_memory_by_seat_survives_any_end_and_any_executor(where, bots, facts):
    whole, wanted = finish(bots / "whole.db", BY_SEAT)
    steps, step = 0, True
    while step is not None:
        store = Store(where)
        step = next(iter(play(store, enter(store, BY_SEAT, None, ""), Inline())), None)
        store.close()
        steps += 1
    assert steps > 5
    side = Store(bots / "side.db")
    with Processes(2) as workers:
        list(play(side, enter(side, BY_SEAT, None, ""), workers))
    for store in (Store(where), side):
        (run,) = store.runs()
        assert facts(store.results(run)) == facts(whole.results(wanted))
        assert store.learnt(run) == whole.learnt(wanted)


@needs_proc
def test_memory_by_seat_survives_a_kill(bots, facts):
    plan = replace(BY_SEAT, agents=("bots:Learner", "bots:Held", "random"))
    (bots / "drive.py").write_text(DRIVER)
    command = [sys.executable, str(bots / "drive.py"), str(bots / "k.db"), json.dumps(plan.json())]
    driver = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    wait_for(bots / "marker", driver)
    driver.kill()
    driver.wait()
    driver.stdout.close()
    (bots / "open").touch()
    store, run = finish(bots / "k.db", plan)
    whole, wanted = finish(bots / "whole.db", plan)
    assert run.command == "killed" and len(store.runs()) == 1
    assert facts(store.results(run)) == facts(whole.results(wanted))
    assert store.learnt(run) == whole.learnt(wanted)


# --- which run it is ---


def test_the_same_plan_goes_on_and_another_begins(where, bots):
    store = Store(where)
    first = enter(store, PLAN, None, "")
    assert enter(store, PLAN, 7, "").id == first.id
    assert enter(store, replace(PLAN, seed=None), None, "").id == first.id
    assert enter(store, replace(PLAN, name="renamed"), None, "").id == first.id
    begun = [
        enter(store, replace(PLAN, seed=8), None, ""),
        enter(store, PLAN, 9, ""),
        enter(store, replace(PLAN, games=20), None, ""),
        enter(store, replace(PLAN, options={"goal": 20}), None, ""),
        enter(store, replace(PLAN, moves=False), None, ""),
        enter(store, PLAN, None, "", fresh=True),
    ]
    assert len({first.id, *(run.id for run in begun)}) == 7
    assert [run.plan.seed for run in begun] == [8, 9, 7, 7, 7, 7]
    # the newest of its kind goes on
    assert enter(store, PLAN, None, "").id == begun[-1].id


def test_without_a_seed_one_is_drawn_and_kept(where, bots):
    store = Store(where)
    plan = replace(PLAN, seed=None)
    first = enter(store, plan, None, "")
    assert first.plan.seed is not None
    assert enter(store, plan, None, "") == first
    assert enter(store, plan, None, "", fresh=True).plan.seed != first.plan.seed


def test_other_rules_cannot_go_on_with_a_run(where, bots):
    store = Store(where)
    run = enter(store, PLAN, None, "")
    with store.write() as connection:
        connection.exec_driver_sql("update runs set rules = 0")
    with pytest.raises(KostkaError, match=r"was begun under version 0 of the rules of pig, now it"):
        enter(store, PLAN, None, "")
    assert enter(store, PLAN, None, "", fresh=True).id != run.id


def test_other_runs_in_the_store_do_not_change_results(where, bots, facts):
    store = Store(where)
    busy = replace(PLAN, agents=("random", "bots:Last", "bots:Slow"), games=2)
    list(play(store, enter(store, busy, None, ""), Inline()))
    store, run = finish(where)
    whole, wanted = finish(bots / "whole.db")
    assert facts(store.results(run)) == facts(whole.results(wanted))


def test_one_seed_gives_one_result_on_both_databases(tmp_path, new_database, bots, facts):
    found = []
    for where in (tmp_path / "k.db", new_database()):
        store, run = finish(where)
        found.append((facts(store.results(run)), store.learnt(run), run.plan))
    assert found[0] == found[1]
    store, run = finish(tmp_path / "k.db", seed=8)
    assert facts(store.results(run)) != found[0][0]


def test_thousands_of_games_in_threads(tmp_path, facts):
    from kostka.arena.executor import executor

    plan = Plan("pig", ("random",), 2000, 1, repeat=True, options={"goal": 10}, moves=False)
    found = []
    for jobs in (1, 2):
        store = Store(tmp_path / f"{jobs}.db")
        run = enter(store, plan, None, "")
        with executor("auto", jobs, run.matches) as workers:
            steps = len(list(play(store, run, workers)))
        assert steps < 100
        found.append(facts(store.results(run)))
    assert found[0] == found[1] and len(found[0]["gain"]) == 4000
