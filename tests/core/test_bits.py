"""Bit masks against Python's sets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kostka.core import bits
from kostka.core.errors import KernelError
from kostka.core.kernels import kernel

members = st.integers(0, 63)
sets = st.sets(members)
any_sets = sets | st.sampled_from([set(), {0}, {63}, {0, 63}, set(range(64)), set(range(63))])


def mask(s: set[int]) -> np.uint64:
    return np.uint64(sum(1 << i for i in s))


def members_of(m: np.uint64) -> set[int]:
    return {i for i in range(64) if int(m) >> i & 1}


@given(any_sets, members)
def test_one_member(s, i):
    m = mask(s)
    assert members_of(bits.single(i)) == {i}
    assert bool(bits.has(m, i)) == (i in s)
    assert members_of(bits.add(m, i)) == s | {i}
    assert members_of(bits.remove(m, i)) == s - {i}


@given(any_sets, any_sets)
def test_two_sets(a, b):
    m, n = mask(a), mask(b)
    assert members_of(bits.both(m, n)) == a & b
    assert members_of(bits.either(m, n)) == a | b
    assert members_of(bits.minus(m, n)) == a - b


@given(any_sets)
def test_a_whole_set(s):
    m = mask(s)
    assert bits.count(m) == len(s)
    assert bool(bits.empty(m)) == (not s)
    if s:
        assert bits.first(m) == min(s)
        assert members_of(bits.rest(m)) == s - {min(s)}


@given(st.integers(0, 70))
def test_the_first_so_many(n):
    assert members_of(bits.upto(n)) == set(range(min(n, 64)))


def test_none():
    assert members_of(bits.none()) == set()
    assert bits.empty(bits.none())


@kernel
def walk(m, out):
    k = 0
    while not bits.empty(m):
        out[k] = bits.first(m)
        m = bits.rest(m)
        k += 1
    return k


@given(any_sets)
def test_the_members_of_a_set_by_their_place(s):
    out = np.empty(64, np.int64)
    assert out[: bits.members(mask(s), out)].tolist() == sorted(s)
    assert [bits.nth(mask(s), n) for n in range(len(s))] == sorted(s)


def test_the_empty_set_has_its_first_member_behind_all_others():
    assert bits.first(mask(set())) == 64 and bits.count(mask(set())) == 0


@kernel
def counts_a_number(n):
    return bits.count(n)


def test_only_sets_are_counted():
    with pytest.raises(KernelError, match="a set is a u8, not int64"):
        counts_a_number(3)


@given(any_sets)
def test_walking_through_a_set_meets_everybody_in_order(s):
    out = np.empty(64, np.int64)
    assert out[: walk(mask(s), out)].tolist() == sorted(s)


def test_masks_stay_masks():
    """No function gives a float or a signed number where a set is meant."""
    m = mask({1, 63})
    results = [
        bits.single(3),
        bits.add(m, 3),
        bits.remove(m, 1),
        bits.both(m, m),
        bits.either(m, m),
        bits.minus(m, m),
        bits.none(),
        bits.upto(5),
        bits.upto(64),
        bits.rest(m),
    ]
    assert all(isinstance(r, int | np.uint64) and r >= 0 for r in results)
    for function in (bits.add, bits.remove, bits.both, bits.upto, bits.rest):
        for compiled in function.overloads.values():
            assert str(compiled.signature.return_type) == "uint64"


def test_without_the_jit_the_same_sets_come_out(python):
    code = """
        import numpy as np
        from kostka.core import bits
        from kostka.core.kernels import cache
        cache.on_compile.clear()
        m, found = np.uint64(1 << 63 | 1 << 40 | 1), []
        while not bits.empty(m):
            found.append(int(bits.first(m)))
            m = np.uint64(bits.rest(m))
        everything = np.uint64(bits.upto(64))
        odd = np.uint64(bits.minus(everything, np.uint64(0x5555555555555554)))
        odd = np.uint64(bits.remove(bits.add(odd, 2), 1))
        print(found, int(bits.count(everything)), hex(odd), bool(bits.has(odd, 63)))
        print(int(bits.first(np.uint64(0))), int(bits.nth(odd, 3)))
    """
    expected = "[0, 40, 63] 64 0xaaaaaaaaaaaaaaad True\n64 5"
    assert python(code) == expected
    assert python(code, NUMBA_DISABLE_JIT=1) == expected
