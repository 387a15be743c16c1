"""Executors and the schedule: the same games wherever they are played, and nothing lost."""

import os
import subprocess
import sys
import textwrap
from collections import Counter
from pathlib import Path

import pytest

from kostka.arena.executor import SLICE, Finished, Inline, Processes, Task, Threads, executor
from kostka.arena.match import Match, play_some
from kostka.arena.plan import Plan
from kostka.arena.referee import Played
from kostka.arena.schedule import Schedule
from kostka.core.errors import KostkaError


def some_matches(*agents: str, games: int = 6, **rest) -> list[Match]:
    return Plan("pig", agents, games, seed=2, options={"goal": 10}, **rest).matches()


def played(matches: list[Match], workers: Inline) -> dict[tuple[int, int], tuple]:
    """All games of matches; every one of them is played once."""
    found: dict[tuple[int, int], tuple] = {}
    for task, games in Schedule(matches).play(workers):
        assert 1 <= len(games) <= len(task.games)
        for index, one in zip(task.games, games, strict=False):
            assert (task.number, index) not in found
            told = (one.returns, one.scores, one.decisions, one.faults, one.learnt)
            found[task.number, index] = (*told, one.codes.tolist())
            assert one.memory is None or one.memory > 2**20
    assert set(found) == {(n, i) for n, match in enumerate(matches) for i in range(match.games)}
    return found


def test_processes_play_the_games_that_we_play_here(bots):
    matches = some_matches("random", "bots:Last", "bots:Learner", "mcts:iterations=5")
    with Processes(2) as workers:
        assert played(matches, workers) == played(matches, Inline())


def test_threads_play_the_games_that_we_play_here():
    matches = some_matches("random", games=400, repeat=True)
    with Threads(3) as workers:
        assert played(matches, workers) == played(matches, Inline())


def test_who_plays_where():
    compiled, mixed = some_matches("random", repeat=True), some_matches("random", "mcts")
    for kind, jobs, matches, wanted in (
        ("auto", 1, mixed, Inline),
        ("auto", 2, compiled, Threads),
        ("threads", 2, compiled, Threads),
        ("auto", 2, mixed, Processes),
        ("processes", 1, compiled, Processes),
    ):
        with executor(kind, jobs, matches) as made:
            assert type(made) is wanted
    for kind, address, words in (
        ("threads", None, "only where all agents are compiled"),
        ("cluster", None, "one of auto, threads, processes, ray"),
        ("processes", "1.2.3.4:5", "only the executor ray"),
    ):
        with pytest.raises(KostkaError, match=words), executor(kind, 2, mixed, address):
            pass


# --- processes that die ---


def test_a_worker_that_is_killed_loses_nothing(bots):
    matches = some_matches("bots:DiesOnce", "bots:Last")
    with Processes(1) as workers:
        found = played(matches, workers)
    assert (bots / "marker").exists()
    assert found == played(matches, Inline())


def test_games_are_handed_over_as_they_are_finished(bots):
    """The fifth game does not go on before all others are here."""
    matches = some_matches("bots:Held", "bots:Last", games=8)
    got = []
    with Processes(1) as workers:
        for task, games in Schedule(matches).play(workers):
            got += task.games[: len(games)]
            if len(got) == 4:
                (bots / "open").touch()
            assert len(got) <= 4 or (bots / "open").exists()
    assert got == list(range(8))


def test_an_error_in_a_worker_is_told_and_names_the_agents(bots):
    matches = some_matches("bots:Last", "random")
    (bots / "bots.py").write_text("class Other: pass")
    words = "bots:Last, random: module 'bots' has no 'Last'"
    with Processes(1) as workers, pytest.raises(KostkaError, match=words):
        workers.submit(Task(matches[0], 0, (0,)))
        workers.next()


def test_nobody_plays_on_when_the_executor_is_closed(bots):
    workers = Processes(2)
    (match,) = some_matches("bots:Slow", "bots:Last", games=10)
    workers.submit(Task(match, 0, tuple(range(10))))
    workers.close()
    assert not any(Path(f"/proc/{worker.process.pid}").exists() for worker in workers.workers)


# --- the schedule ---


class Recorder(Inline):
    """Notes tasks as they are handed out and plays them instantly, at a pace that it is told."""

    def __init__(self, size: int, pace, seconds: float = 1e9) -> None:
        super().__init__()
        self.size, self.pace, self.seconds = size, pace, seconds
        self.given: list[Task] = []
        self.most = 0

    def submit(self, task: Task) -> None:
        super().submit(task)
        self.given.append(task)
        self.most = max(self.most, len(self.tasks))

    def next(self) -> Finished:
        task, games, spent = self.tasks.popleft(), [], 0.0
        for index in task.games:
            took = self.pace(task.number, index)
            spent += took
            learnt = {0: bytes([index])} if task.match.learners else {}
            games.append(Played([1.0, 0.0], [0.0, 0.0], 1, {}, seconds=took, learnt=learnt))
            if spent > self.seconds:
                break
        return Finished(task, games)


def handed_out(workers: Recorder, matches: list[Match]) -> Counter:
    done = Counter()
    for task, games in Schedule(matches).play(workers):
        done.update((task.number, i) for i in task.games[: len(games)])
    return done


def test_every_game_is_handed_out_once_even_when_tasks_come_back_early(bots):
    matches = some_matches("random", "bots:Last", "bots:Learner", games=50)
    for seconds in (1e9, 0.02, 0.0):
        workers = Recorder(4, lambda n, i: 0.01, seconds)
        done = handed_out(workers, matches)
        assert done == Counter({(n, i): 1 for n in range(3) for i in range(50)})
        assert workers.most <= 4


def test_slow_games_are_handed_out_one_by_one(bots):
    workers = Recorder(2, lambda n, i: (2.0, 0.05)[n % 2])
    matches = some_matches("random", "bots:Last", "bots:Slow", games=60)[:2]
    handed_out(workers, matches)
    sizes = {0: set(), 1: set()}
    for task in workers.given:
        sizes[task.number].add(len(task.games))
    assert sizes[0] == {1}
    assert max(sizes[1]) == SLICE / 0.05


def test_a_game_that_was_quick_once_does_not_make_a_task_of_minutes(bots):
    (match,) = some_matches("bots:Fickle", "bots:Last", games=200)
    following = Schedule([match]).play(Inline())
    next(following)
    task, games = next(following)
    assert len(task.games) > len(games) >= 1


def test_all_line_ups_grow_alike_and_everybody_works_at_the_end(bots):
    matches = some_matches("random", "bots:Last", "bots:Slow", "mcts", games=40)
    workers = Recorder(3, lambda n, i: 0.1)
    handed_out(workers, matches)
    first = [task.number for task in workers.given[: len(matches)]]
    assert first == list(range(len(matches)))
    for n in range(len(matches)):
        sizes = [len(task.games) for task in workers.given if task.number == n]
        assert max(sizes) <= SLICE / 0.1
        assert sizes[-1] <= 2  # the rest is shared by all


def test_a_series_is_in_order_one_task_at_a_time_with_what_was_learnt(bots):
    (match,) = some_matches("bots:Learner", "bots:Last", games=40)
    workers = Recorder(8, lambda n, i: 0.1, 0.25)
    handed_out(workers, [match])
    for seating in range(2):
        tasks = [task for task in workers.given if task.games[0] % 2 == seating]
        order = []
        for task in tasks:
            assert {i % 2 for i in task.games} == {seating}
            assert task.learnt == ({0: bytes([order[-1]])} if order else {})
            order += task.games[:3]  # no more fit into the time
        assert order == list(range(seating, 40, 2))


def test_the_time_left_is_that_of_the_games_left(bots):
    schedule = Schedule(some_matches("random", "bots:Last", "bots:Slow", games=10))
    assert schedule.seconds_left(2) is None
    steps = []
    for _ in schedule.play(Recorder(2, lambda n, i: 0.2)):
        steps.append((sum(schedule.left), schedule.seconds_left(2)))
    told = [(left, seconds) for left, seconds in steps if seconds is not None]
    assert len(told) > 5 and all(s == pytest.approx(n * 0.1) for n, s in told)


def test_nothing_is_left_to_play():
    matches = some_matches("random", "mcts")
    assert list(Schedule(matches, [set(range(6))]).play(Inline())) == []


def test_games_come_in_order_however_they_were_played(bots):
    (match,) = some_matches("bots:Learner", "bots:Last", games=30)
    workers = Recorder(4, lambda n, i: 0.1 if i % 3 else 0.01, 0.15)
    assert [i for i, _ in Schedule([match]).in_order(workers)] == list(range(30))


def test_a_learner_learns_from_game_to_game_of_its_seat(bots):
    """What the executors must keep: another order would give other games."""
    (match,) = some_matches("bots:Learner", "bots:Last", games=12)
    right = [p.codes.tolist() for p in play_some(match, range(0, 12, 2))]
    alone = [next(play_some(match, [i])).codes.tolist() for i in range(0, 12, 2)]
    wrong = [p.codes.tolist() for p in play_some(match, range(10, -1, -2))][::-1]
    assert right[0] == alone[0]
    assert right != alone and right != wrong


# --- Ray ---

RAY = """
    import json, os, sys, time
    from pathlib import Path
    sys.path.insert(0, {folder!r})
    from kostka.arena.executor import Inline, Ray
    from kostka.arena.plan import Plan
    from kostka.arena.schedule import Schedule
    from kostka.core.errors import KostkaError

    def games(workers, *agents):
        found = {{}}
        matches = Plan("pig", agents, 6, seed=2, options={{"goal": 10}}).matches()
        for task, played in Schedule(matches).play(workers):
            for index, one in zip(task.games, played):
                told = one.returns, one.scores, one.decisions, sorted(one.learnt.items())
                found[task.number, index] = told
        return found

    began = time.perf_counter()
    try:
        Ray("127.0.0.1:1")
    except KostkaError as error:
        print("refused:", error)
    print("seconds:", time.perf_counter() - began)
    with Ray(jobs=2) as workers:
        there = games(workers, "random", "bots:Last", "bots:Learner")
        print("same:", there == games(Inline(), "random", "bots:Last", "bots:Learner"), len(there))
        there = games(workers, "bots:DiesOnce", "bots:Last")
        print("again:", there == games(Inline(), "bots:DiesOnce", "bots:Last"))
        print("marker:", Path(os.environ["MARKER"]).exists())
"""


def test_ray_plays_the_same_games_and_survives_its_workers(bots):
    pytest.importorskip("ray")
    code = textwrap.dedent(RAY.format(folder=str(bots)))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, cwd="/",
        env=os.environ,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert told["same"] == "True 18"
    assert told["again"] == told["marker"] == "True"
    assert "127.0.0.1:1" in told["refused"] and float(told["seconds"]) < 10
    # Ray itself tells when a worker dies, and nothing else
    rest = [line for line in done.stderr.splitlines() if "(raylet)" not in line]
    assert [line for line in rest if not line.startswith("kostka: compiling")] == []
