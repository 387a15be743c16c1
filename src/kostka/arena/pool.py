"""Workers that each do one thing of many: threads, processes, or Ray's; results come in order.

For work that needs no referee: measuring a candidate, solving a piece of something. The work is a
function of a module with what it is given, and the same wherever it is done.
"""

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import (
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    as_completed,
)
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, TypeVar

from kostka.arena.executor import EXECUTORS, Ray
from kostka.core.errors import KostkaError

T = TypeVar("T")


class Pool:
    """Workers of this process or of this machine."""

    def __init__(self, workers: Executor) -> None:
        self.workers = workers

    def map(self, work: Callable[..., T], *given: Iterable[Any]) -> Iterable[T]:
        """Like Python's ``map``, but all is begun at once."""
        futures = [self.workers.submit(work, *one) for one in zip(*given, strict=True)]
        return [self.result(future) for future in futures]

    def result(self, future: Future[T]) -> T:
        try:
            return future.result()
        except BrokenProcessPool:
            raise KostkaError("a worker was killed; does it run out of memory?") from None

    def close(self) -> None:
        """Begin nothing any more, and wait for what has begun."""
        self.workers.shutdown(cancel_futures=True)


class RayPool(Pool):
    """Workers of a Ray cluster, or of a local one if there is no address."""

    def __init__(self, address: str | None, jobs: int) -> None:
        self.cluster = Ray(address, jobs)
        self.work = self.cluster.ray.remote(do_there)
        self.path = [folder or os.getcwd() for folder in sys.path]

    def map(self, work: Callable[..., T], *given: Iterable[Any]) -> Iterable[T]:
        refs = [self.work.remote(self.path, work, *one) for one in zip(*given, strict=True)]
        try:
            return self.cluster.ray.get(refs)
        except self.cluster.ray.exceptions.RayError as error:
            why = getattr(error, "cause", None) or str(error).strip().splitlines()[-1]
            raise KostkaError(f"on Ray: {why}") from None

    def close(self) -> None:
        self.cluster.close()


def side_by_side(tasks: Sequence[Callable[[], T]], workers: Pool) -> list[T]:
    """Do tasks that all give work to the same workers; if one fails, none goes on."""
    with ThreadPoolExecutor(len(tasks)) as coordinators:
        begun = [coordinators.submit(task) for task in tasks]
        try:
            for task in as_completed(begun):
                task.result()
        except BaseException:
            workers.close()  # what has not begun is given up, and so is all that waits for it
            raise
    return [task.result() for task in begun]


def do_there(path: list[str], work: Callable[..., T], *given: Any) -> T:
    """Work in a process of Ray, which knows nothing of where we import from."""
    sys.path += [folder for folder in path if folder not in sys.path]
    return work(*given)


@contextlib.contextmanager
def pool(kind: str, jobs: int, address: str | None = None) -> Iterator[Pool]:
    """So many workers of a kind; ``auto``: threads, which serve wherever kernels do the work."""
    if kind not in EXECUTORS:
        raise KostkaError(f"the executor is one of {', '.join(EXECUTORS)}, not {kind!r}")
    if address is not None and kind != "ray":
        raise KostkaError("only the executor ray has an address")
    if kind == "ray":
        made: Pool = RayPool(address, jobs)
    elif kind == "processes":
        made = Pool(ProcessPoolExecutor(jobs, get_context("spawn")))
    else:
        made = Pool(ThreadPoolExecutor(jobs))
    try:
        yield made
    finally:
        made.close()
