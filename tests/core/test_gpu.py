"""Kernels compile for a GPU from the same source; where there is none, their code is looked at."""

import re

import numpy as np
import pytest

from kostka.core import bits, gpu, rules
from kostka.core.errors import KostkaError
from kostka.core.kernels import kernel
from kostka.core.memory import copy, floats, like, restore
from kostka.core.record import new, record

One = record("gpu.one", x="i8", fixed=dict(y="i8"))
Two = record("gpu.two", x="i8", fixed=dict(y="i8"))


@rules.evaluate.method(One)
def one(h, s, player):
    return 1234567.0


@rules.evaluate.method(Two)
def two(h, s, player):
    return 7654321.0


def worth(records, found):
    found[0] = rules.evaluate(records[0], records[0], 0)


def test_a_generic_function_picks_its_method_for_a_gpu():
    codes = [gpu.ptx(worth, (new(dtype), np.zeros(1))) for dtype in (One, Two)]
    values = [f"0d{np.float64(x).view(np.uint64):016X}" for x in (1234567.0, 7654321.0)]
    for code, mine, other in zip(codes, values, reversed(values), strict=True):
        bits_of = str(np.uint64(int(mine[2:], 16)))
        assert mine in code or bits_of in code
        assert other not in code


@kernel
def with_scratch(s, m):
    t, some = like(s), floats(4)
    copy(t, s)
    restore(t, s)
    some[bits.first(m)] = bits.count(m)
    return some[bits.first(m)] + t.x


def scratched(records, masks, found):
    found[0] = with_scratch(records[0], masks[0])


def test_scratch_copies_and_sets_compile_for_a_gpu():
    code = gpu.ptx(scratched, (new(One), np.ones(1, np.uint64), np.zeros(1)))
    assert re.search(r"\bpopc\.b64\b", code)


def test_code_is_written_for_the_gpu_that_is_asked_for():
    code = gpu.ptx(worth, (new(One), np.zeros(1)), (8, 0))
    assert re.search(r"^\.target sm_80", code, re.MULTILINE)


@pytest.mark.skipif(gpu.available(), reason="there is a GPU")
def test_without_a_gpu_a_sentence_says_so():
    with pytest.raises(KostkaError, match="there is no GPU"):
        gpu.need()
