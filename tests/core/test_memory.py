"""Scratch: memory that a kernel has for as long as it runs."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from kostka.core.kernels import kernel
from kostka.core.memory import copy, floats, integers, like
from kostka.core.record import new, record

Pair = record("tests.pair", a="i8", b=("f8", 5))
SEVEN = 7


@kernel
def scribble(pairs, n):
    total = 0.0
    for i in range(n):
        x, y, z = floats(SEVEN), integers(4), like(pairs[0])
        copy(z, pairs[0])
        z.a += i
        for j in range(SEVEN):
            x[j] = i + j
        for j in range(4):
            y[j] = z.a
        total += x[6] + y[3] + z.a
    return total


def test_scratch_is_a_kernels_own_and_leaves_the_record_alone():
    pairs = new(Pair, a=3)
    assert scribble(pairs, 10) == sum(i + 6 + 2 * (3 + i) for i in range(10))
    assert pairs["a"][0] == 3


def test_scratch_of_two_threads_does_not_meet():
    pairs, alone = new(Pair, a=3), scribble(new(Pair, a=3), 200_000)
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: scribble(pairs, 200_000), range(16))) == {alone}


@kernel
def too_much(pairs):
    return floats(100_000)[0]


@kernel
def of_any_size(pairs, n):
    return floats(n)[0]


@pytest.mark.parametrize(
    ("f", "given", "why"),
    [
        (too_much, (), "800000 bytes of scratch are too much"),
        (of_any_size, (3,), "the size of scratch must be a constant"),
    ],
)
def test_scratch_is_small_and_its_size_constant(f, given, why):
    with pytest.raises(Exception, match=why):
        f(new(Pair), *given)
