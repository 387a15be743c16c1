"""Executors: who plays the games of a task — this process, threads, processes, or Ray's workers.

All of them play the same games; they differ in where. A task that was handed out comes back with
its games played, at least the first of them, or the run stops with the reason. Workers that may die
before we do hand over game by game: nothing is lost but the game that one was playing.
"""

import contextlib
import logging
import os
import resource
import socket
import sys
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from multiprocessing import connection
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from kostka.arena.match import Match, play_some
from kostka.arena.referee import Played
from kostka.arena.worker import Crashed, Died, Worker
from kostka.core.errors import KostkaError

#: So often a worker may die over the same game before the game is to blame.
PATIENCE = 3
#: Seconds after which a task begins no further game, so that all matches get their turns.
SLICE = 0.5
#: Seconds between two looks at the memory: a look takes as long as a short game.
GLANCE = 0.01


@dataclass(frozen=True)
class Task:
    """Some games of a match; ``number`` says of which match of a run."""

    match: Match
    number: int
    games: tuple[int, ...]
    #: What the agents that learn have learnt before the first of these games, by seat.
    learnt: Mapping[int, bytes] = field(default_factory=dict)
    #: The seating of all these games if they are of a series, None otherwise.
    seating: int | None = None

    def after(self, played: Sequence[Played]) -> "Task":
        """What is left of it once its first games have been played."""
        if not played:
            return self
        return replace(self, games=self.games[len(played) :], learnt=played[-1].learnt)


class Finished(NamedTuple):
    """A task with its first games that were played; unless it is done, the rest is on its way."""

    task: Task
    games: list[Played]
    done: bool = True


def carry_out(task: Task) -> Iterator[Played]:
    """Play the games of a task while there is time, and note how much memory they took."""
    began = looked = time.monotonic()
    peak = peak_memory()
    forget_peak()
    for played in play_some(task.match, task.games, task.learnt):
        now = time.monotonic()
        if now - looked > GLANCE:
            peak, looked = peak_memory(), now
            forget_peak()
        played.memory = peak
        yield played
        if now - began > SLICE:
            return


def carry_out_there(task: Task, path: list[str]) -> Iterator[Played]:
    """Play a task in a process of Ray, which knows nothing of where we import from."""
    sys.path += [folder for folder in path if folder not in sys.path]
    yield from carry_out(task)


def forget_peak() -> None:
    """From now on count the peak of memory anew, where that can be done."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # Linux


def peak_memory() -> int:
    """The most memory this process has held, in bytes."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        status = Path("/proc/self/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) * 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def fatal(task: Task, deaths: Counter[tuple[int, int]]) -> KostkaError | None:
    """Count that a worker died over the first game of a task; the error if nobody survives it."""
    game = (task.number, task.games[0])
    deaths[game] += 1
    if deaths[game] < PATIENCE:
        return None
    return KostkaError(
        f"the process that plays {', '.join(task.match.specs)} was killed {PATIENCE} times over "
        f"game {task.games[0]}; does it run out of memory?"
    )


class Inline:
    """Plays in this process, one task after the other."""

    #: Tasks that may be handed out at a time, and how many are played at a time.
    size = 1
    cores = 1

    def __init__(self) -> None:
        self.tasks: deque[Task] = deque()

    def submit(self, task: Task) -> None:
        """Hand out a task; never more at a time than there are workers."""
        self.tasks.append(task)

    def next(self) -> Finished:
        """Wait for games of any task that was handed out."""
        task = self.tasks.popleft()
        return Finished(task, list(carry_out(task)))

    def close(self) -> None:
        """Stop all work, finished or not."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()


class Threads(Inline):
    """Plays in threads: compiled games hold no lock, and nothing has to be loaded twice."""

    def __init__(self, jobs: int) -> None:
        self.size = self.cores = jobs
        self.pool = ThreadPoolExecutor(jobs)
        self.running: dict[Future[list[Played]], Task] = {}

    def submit(self, task: Task) -> None:
        self.running[self.pool.submit(lambda: list(carry_out(task)))] = task

    def next(self) -> Finished:
        done, _ = wait(self.running, return_when=FIRST_COMPLETED)
        future = done.pop()
        return Finished(self.running.pop(future), future.result())

    def close(self) -> None:
        self.pool.shutdown(cancel_futures=True)


class Processes(Inline):
    """Plays in processes. One that dies is replaced, and plays what is left of its task."""

    def __init__(self, jobs: int) -> None:
        self.size = self.cores = jobs
        self.workers = [Worker() for _ in range(jobs)]
        self.running: dict[Worker, Task] = {}
        self.deaths: Counter[tuple[int, int]] = Counter()
        #: What has come back and was not asked for yet, and the error that ends the run after it.
        self.finished: deque[Finished] = deque()
        self.failure: KostkaError | None = None

    def submit(self, task: Task) -> None:
        worker = next(worker for worker in self.workers if worker not in self.running)
        self.running[worker] = task
        worker.give(carry_out, task)

    def next(self) -> Finished:
        while not self.finished:
            if self.failure is not None:
                raise self.failure
            busy = {worker.pipe: worker for worker in self.running}
            for pipe in connection.wait(list(busy)):
                self.listen(busy[pipe])  # type: ignore[index]
        return self.finished.popleft()

    def listen(self, worker: Worker) -> None:
        """Take all games that a worker has finished; if it has died, another plays the rest."""
        task, done = self.running.pop(worker), False
        games: list[Played] = []
        try:
            while not done and worker.ready():
                played, done = worker.answer()
                games += [] if done else [played]
        except Died:
            worker = self.replace(worker)
            done = len(games) == len(task.games)
            if not done:
                self.failure = self.failure or fatal(task.after(games), self.deaths)
            if not done and self.failure is None:
                worker.give(carry_out, task.after(games))
        except (KostkaError, Crashed) as error:
            self.failure = KostkaError(f"{', '.join(task.match.specs)}: {error}")
        if not done:
            self.running[worker] = task.after(games)
        if games or done:
            self.finished.append(Finished(task, games, done))

    def replace(self, worker: Worker) -> Worker:
        """Another worker in the place of one that has died."""
        worker.stop()
        fresh = Worker()
        self.workers[self.workers.index(worker)] = fresh
        return fresh

    def close(self) -> None:
        for worker in self.workers:
            worker.stop()


class Ray(Inline):
    """Plays on the workers of a Ray cluster, or of a local one if there is no address."""

    def __init__(self, address: str | None = None, jobs: int | None = None) -> None:
        try:
            import ray
        except ImportError:
            raise KostkaError("Ray is not installed; pip install 'kostka[ray]'") from None
        self.ray = ray
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # who plays what is nobody's business
        if address is not None:
            knock(address)
        try:
            ray.init(
                address=address,
                num_cpus=None if address else jobs,
                include_dashboard=None if address else False,
                logging_level=logging.ERROR,
                log_to_driver=False,
            )
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise KostkaError(f"Ray at {address or 'this machine'}: {error}") from None
        self.cores = int(ray.cluster_resources().get("CPU", 1))
        self.size = 2 * self.cores  # one task plays, another waits for it
        self.play = ray.remote(num_returns="streaming", max_retries=0)(carry_out_there)
        self.path = [folder or os.getcwd() for folder in sys.path]
        self.running: dict[Any, Task] = {}
        self.deaths: Counter[tuple[int, int]] = Counter()

    def submit(self, task: Task) -> None:
        self.running[self.play.remote(task, self.path)] = task

    def next(self) -> Finished:
        games: Any = self.ray.wait(list(self.running))[0][0]
        task = self.running.pop(games)
        try:
            played: Any = self.ray.get(next(games))
        except StopIteration:
            return Finished(task, [])
        except self.ray.exceptions.WorkerCrashedError:
            if error := fatal(task, self.deaths):
                raise error from None
            self.submit(task)
            return self.next()
        except self.ray.exceptions.RayError as error:
            why = getattr(error, "cause", None) or str(error).strip().splitlines()[-1]
            raise KostkaError(f"{', '.join(task.match.specs)} on Ray: {why}") from None
        self.running[games] = task.after([played])  # behind all others
        return Finished(task, [played], done=False)

    def close(self) -> None:
        self.ray.shutdown()


def knock(address: str) -> None:
    """Refuse an address at which nobody answers; Ray itself would wait for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not port.isdigit():  # auto and local: Ray finds out by itself
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise KostkaError(f"Ray at {address} does not answer: {error}") from None


EXECUTORS = ("auto", "threads", "processes", "ray")


@contextlib.contextmanager
def executor(
    kind: str, jobs: int, matches: list[Match], address: str | None = None
) -> Iterator[Inline]:
    """The executor of this kind; ``auto``: threads where everything is compiled."""
    if kind not in EXECUTORS:
        raise KostkaError(f"the executor is one of {', '.join(EXECUTORS)}, not {kind!r}")
    if address is not None and kind != "ray":
        raise KostkaError("only the executor ray has an address")
    compiled = all(match.policies is not None for match in matches)
    made: Inline
    if kind == "ray":
        made = Ray(address, jobs)
    elif kind == "threads" and not compiled:
        raise KostkaError("threads serve only where all agents are compiled policies of one kind")
    elif kind == "threads" or (kind == "auto" and compiled and jobs > 1):
        made = Threads(jobs)
    elif kind == "processes" or jobs > 1:
        made = Processes(jobs)
    else:
        made = Inline()
    with made:
        yield made
