"""Executors: who plays the games of a task — this process, threads, processes, or Ray's workers.

All of them play the same games; they differ in where. A task that was handed out comes back with
its games played, at least the first of them, or the run stops with the reason.
"""

import contextlib
import logging
import multiprocessing
import os
import resource
import signal
import socket
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from multiprocessing import connection
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from kostka.arena.match import Match, play_some
from kostka.arena.referee import Played
from kostka.core.errors import KostkaError

#: So often a worker may die over the same task before the task is to blame.
PATIENCE = 3
#: Seconds after which a task begins no further game: so much is lost if its process is killed.
SLICE = 0.5


@dataclass(frozen=True)
class Task:
    """Some games of a match; ``number`` says of which match of a run."""

    match: Match
    number: int
    games: tuple[int, ...]
    #: What the agents that learn have learnt before the first of these games, by seat.
    learnt: Mapping[int, bytes] = field(default_factory=dict)


def carry_out(task: Task) -> list[Played]:
    """Play the games of a task while there is time, and note how much memory that took."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # Linux: the peak counts from here
    found, until = [], time.monotonic() + SLICE
    for played in play_some(task.match, task.games, task.learnt):
        found.append(played)
        if time.monotonic() > until:
            break
    peak = peak_memory()
    for played in found:
        played.memory = peak
    return found


def carry_out_there(task: Task, path: list[str]) -> list[Played]:
    """Play a task in a process of Ray, which knows nothing of where we import from."""
    sys.path += [folder for folder in path if folder not in sys.path]
    return carry_out(task)


def peak_memory() -> int:
    """The most memory this process has held, in bytes."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        status = Path("/proc/self/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) * 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def killed(task: Task) -> KostkaError:
    """The error for a task that nobody survives."""
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

    def next(self) -> tuple[Task, list[Played]]:
        """Wait for any task that was handed out, and its games."""
        task = self.tasks.popleft()
        return task, carry_out(task)

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
        self.running[self.pool.submit(carry_out, task)] = task

    def next(self) -> tuple[Task, list[Played]]:
        done, _ = wait(self.running, return_when=FIRST_COMPLETED)
        future = done.pop()
        return self.running.pop(future), future.result()

    def close(self) -> None:
        self.pool.shutdown(cancel_futures=True)


class Processes(Inline):
    """Plays in processes. One that dies is replaced, and its task is played again."""

    def __init__(self, jobs: int) -> None:
        self.size = self.cores = jobs
        self.workers = [Worker() for _ in range(jobs)]
        self.deaths: Counter[tuple[int, tuple[int, ...]]] = Counter()

    def submit(self, task: Task) -> None:
        next(worker for worker in self.workers if worker.task is None).give(task)

    def next(self) -> tuple[Task, list[Played]]:
        while True:
            busy = {worker.pipe: worker for worker in self.workers if worker.task is not None}
            for pipe in connection.wait(list(busy)):
                worker = busy[pipe]  # type: ignore[index]
                task = worker.task
                assert task is not None
                try:
                    answer = worker.pipe.recv()
                except (EOFError, OSError):
                    self.replace(worker, task)
                    continue
                worker.task = None
                if isinstance(answer, Exception):
                    raise answer
                return task, answer

    def replace(self, worker: "Worker", task: Task) -> None:
        """Start another worker with the task of one that has died."""
        worker.stop()
        self.deaths[task.number, task.games] += 1
        if self.deaths[task.number, task.games] >= PATIENCE:
            raise killed(task)
        fresh = Worker()
        self.workers[self.workers.index(worker)] = fresh
        fresh.give(task)

    def close(self) -> None:
        for worker in self.workers:
            worker.stop()


class Worker:
    """A process that plays tasks as they come through its pipe."""

    def __init__(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.pipe, theirs = spawn.Pipe()
        self.process = spawn.Process(target=serve, args=(theirs, sys.path), daemon=True)
        self.process.start()
        theirs.close()
        self.task: Task | None = None

    def give(self, task: Task) -> None:
        self.task = task
        with contextlib.suppress(ConnectionError):  # it has died; that comes up when we wait for it
            self.pipe.send(task)

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def serve(pipe: connection.Connection, path: list[str]) -> None:
    """What a worker does until the pipe or the process at its other end is gone."""
    sys.path[:] = path
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who hands out tasks
    threading.Thread(target=die_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        while True:
            task = pipe.recv()
            try:
                answer: Any = carry_out(task)
            except Exception as error:
                answer = KostkaError(f"{', '.join(task.match.specs)}: {error}")
            pipe.send(answer)


def die_with_parent() -> None:
    """No orphan goes on playing for nobody."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


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
        self.play = ray.remote(max_retries=PATIENCE - 1)(carry_out_there)
        self.path = [folder or os.getcwd() for folder in sys.path]
        self.running: dict[Any, Task] = {}

    def submit(self, task: Task) -> None:
        self.running[self.play.remote(task, self.path)] = task

    def next(self) -> tuple[Task, list[Played]]:
        (done, *_), _ = self.ray.wait(list(self.running))
        task = self.running.pop(done)
        try:
            return task, self.ray.get(done)
        except self.ray.exceptions.WorkerCrashedError:
            raise killed(task) from None
        except self.ray.exceptions.RayError as error:
            why = getattr(error, "cause", None) or str(error).strip().splitlines()[-1]
            raise KostkaError(f"{', '.join(task.match.specs)} on Ray: {why}") from None

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
