"""A process that does jobs as they come through its pipe: matches are played and tables served so.

Whoever owns a worker decides how long it may take and what happens when it dies.
"""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from multiprocessing import connection
from typing import Any

from kostka.core.errors import KostkaError


class Died(Exception):
    """The process is gone, and with it whatever its job had not told yet."""


class Crashed(Exception):
    """A job failed with an error that was not meant for people: its kind and its words."""

    def __init__(self, kind: str, words: str) -> None:
        super().__init__(kind, words)
        self.kind, self.words = kind, words

    def __str__(self) -> str:
        return self.words


class Worker:
    """A process of our own, one job at a time; ``nice``: how far it stands back behind us."""

    def __init__(self, nice: int = 0) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.pipe, theirs = spawn.Pipe()
        self.process = spawn.Process(target=serve, args=(theirs, sys.path, nice), daemon=True)
        self.process.start()
        theirs.close()

    def give(self, work: Callable[..., Any], *given: Any) -> None:
        """Begin a job. That the process has died comes up when it is to answer."""
        with contextlib.suppress(ConnectionError):
            self.pipe.send((work, given))

    def ready(self, seconds: float = 0.0) -> bool:
        """Is there an answer, or none to come, within so many seconds?"""
        try:
            return self.pipe.poll(seconds)
        except OSError:
            return True

    def answer(self) -> tuple[Any, bool]:
        """What the job tells next, and whether that was all; it may fail with any KostkaError.

        A generator tells item by item, and None at its end.
        """
        try:
            told, done = self.pipe.recv()
        except (EOFError, OSError):
            raise Died from None
        if isinstance(told, Exception):
            raise told
        return told, done

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def serve(pipe: connection.Connection, path: list[str], nice: int) -> None:
    """What a worker does until the pipe or the process at its other end is gone."""
    sys.path[:] = path
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who hands out jobs
    os.nice(nice)
    threading.Thread(target=die_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        while True:
            work, given = pipe.recv()
            for answer in answers(work, given):
                pipe.send(answer)


def answers(work: Callable[..., Any], given: tuple[Any, ...]) -> Iterator[tuple[Any, bool]]:
    """What a job tells: one thing, or what a generator yields, or the error that ends it."""
    try:
        told = work(*given)
        if isinstance(told, Iterator):
            for item in told:
                yield item, False
            told = None
        yield told, True
    except KostkaError as error:
        yield error, True
    except Exception as error:
        yield Crashed(type(error).__name__, str(error)), True


def die_with_parent() -> None:
    """No orphan goes on working for nobody."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
