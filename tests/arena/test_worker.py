"""Workers: what a job tells comes back as it was told, however the job or its process ends."""

import itertools
import os
import signal
import subprocess
import sys

import pytest

from kostka.arena.bench import of_children
from kostka.arena.worker import Crashed, Died, Worker
from kostka.core.errors import KostkaError
from kostka.core.game import game


@pytest.fixture(scope="module")
def worker():
    made = Worker()
    yield made
    made.stop()


def test_a_job_tells_one_thing(worker):
    worker.give(max, 3, 5)
    assert worker.answer() == (5, True)


def test_a_job_may_tell_item_by_item(worker):
    worker.give(itertools.repeat, "so", 3)
    assert [worker.answer() for _ in range(4)] == [("so", False)] * 3 + [(None, True)]


def test_an_error_for_people_comes_as_it_is_and_any_other_with_its_kind(worker):
    worker.give(game, "chess")
    with pytest.raises(KostkaError, match="unknown game"):
        worker.answer()
    worker.give(int, "five")
    with pytest.raises(Crashed, match="invalid literal") as crash:
        worker.answer()
    assert crash.value.kind == "ValueError"
    worker.give(len, "five")
    assert worker.answer() == (4, True)


def tell_and_die(items):
    yield from range(items)
    os.kill(os.getpid(), signal.SIGKILL)


def test_what_was_told_before_the_process_died_is_not_lost():
    worker = Worker()
    worker.give(tell_and_die, 3)
    worker.process.join()
    assert [worker.answer() for _ in range(3)] == [(0, False), (1, False), (2, False)]
    assert worker.ready()
    with pytest.raises(Died):
        worker.answer()
    worker.give(max, 3, 5)  # comes up when it is to answer
    with pytest.raises(Died):
        worker.answer()
    worker.stop()


def test_a_worker_stands_back_as_far_as_it_is_told():
    worker = Worker(nice=3)
    worker.give(os.nice, 0)
    assert worker.answer()[0] == os.nice(0) + 3
    worker.stop()


def test_the_benchmark_counts_what_processes_work_and_not_what_they_wait():
    before = of_children()
    subprocess.run([sys.executable, "-S", "-c", "import time; time.sleep(3)"], check=True)
    waited = of_children() - before
    work = "import time\nwhile time.process_time() < 1: pass"
    subprocess.run([sys.executable, "-S", "-c", work], check=True)
    assert waited < 1 <= of_children() - before - waited
