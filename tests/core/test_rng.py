"""Random streams: even, apart from each other, and always the same."""

import numpy as np
import pytest
from scipy import stats

from kostka.core.kernels import kernel
from kostka.core.rng import below, next64, stream, streams, uniform

WORD, HALF = 1 << 64, 1 << 32


@kernel
def fill_below(rng, n, out):
    for i in range(len(out)):
        out[i] = below(rng, n)


@kernel
def fill_uniform(rng, out):
    for i in range(len(out)):
        out[i] = uniform(rng)


def draws(n: int, count: int, *key: object) -> np.ndarray:
    out = np.empty(count, np.int64)
    fill_below(stream(*key), n, out)
    return out


def about_to_give(word: int) -> np.ndarray:
    """The stream whose next 64 bits are these: splitmix64 backwards."""
    z = unshift(word, 31) * pow(0x94D049BB133111EB, -1, WORD) % WORD
    z = unshift(z, 27) * pow(0xBF58476D1CE4E5B9, -1, WORD) % WORD
    step = 0x9E3779B97F4A7C15
    return np.array([(unshift(z, 30) - step) % WORD, step], np.uint64)


def unshift(z: int, by: int) -> int:
    """The number that gives z when xored with itself shifted."""
    found = z
    for _ in range(64 // by + 1):
        found = z ^ (found >> by)
    return found


# --- evenness ---


@pytest.mark.parametrize("n", [2, 3, 5, 6, 7, 10, 64, 100, 255, 1000])
def test_below_is_even(n):
    drawn = draws(n, 1_000_000, "even", n)
    assert drawn.min() == 0 and drawn.max() == n - 1
    assert stats.chisquare(np.bincount(drawn, minlength=n)).pvalue > 1e-4


@pytest.mark.parametrize("n", [3 << 30, (1 << 32) - 1, (1 << 31) + 1])
def test_below_is_even_where_a_modulus_would_not_be(n):
    """Of 2³² words some numbers below 3·2³⁰ would get two, the others one."""
    drawn = draws(n, 1_000_000, "large", n)
    assert drawn.min() >= 0 and drawn.max() < n
    assert stats.chisquare(np.bincount(drawn % 3, minlength=3)).pvalue > 1e-4
    parts = np.bincount(drawn * 16 // n, minlength=16)
    assert stats.chisquare(parts, np.diff(-(np.arange(17) * n // -16)) / n * 1e6).pvalue > 1e-4


def test_below_one_is_zero():
    assert not draws(1, 100, "one").any()


@pytest.mark.parametrize("n", [1, 3, 6, 7, 1000, 3 << 30, (1 << 32) - 1])
def test_below_rejects_exactly_the_words_too_many(n):
    """Each number gets ⌊2³²/n⌋ words: the one word more that some would have is drawn again."""
    chooser = np.random.default_rng(n)
    values = [0, n - 1, *chooser.integers(0, n, 200).tolist()]
    for value in values:
        first = -(-value * HALF // n)
        last = -(-(value + 1) * HALF // n) - 1
        surplus = last - first + 1 - HALF // n
        assert surplus in (0, 1)
        for high in {first, last, min(first + 1, last)}:
            rng = about_to_give(high << 32)
            before = int(rng[0])
            got = below(rng, n)
            again = int(rng[0]) != (before + int(rng[1])) % WORD
            assert again == (surplus == 1 and high == first)
            assert again or got == value


def test_uniform_is_even_and_never_one():
    out = np.empty(1_000_000)
    fill_uniform(stream("uniform"), out)
    assert out.min() >= 0 and out.max() < 1
    assert stats.kstest(out, "uniform").pvalue > 1e-4
    assert uniform(about_to_give(0)) == 0.0
    assert uniform(about_to_give(WORD - 1)) == 1 - 2**-53
    assert uniform(about_to_give(1 << 63)) == 0.5


def test_every_bit_is_even_and_free_of_the_one_before():
    rng = stream("bits")
    words = np.array([next64(rng) for _ in range(20_000)], np.uint64)
    table = np.unpackbits(words.view(np.uint8)).reshape(len(words), 64)
    for drawn in (table, table[1:] ^ table[:-1], table[:, 1:] ^ table[:, :-1]):
        deviations = (drawn.sum(0) - len(drawn) / 2) / np.sqrt(len(drawn) / 4)
        assert np.abs(deviations).max() < 5


# --- streams ---


def test_a_stream_is_named_by_its_key():
    assert stream(7, "chance", 3).tolist() == stream(7, "chance", 3).tolist()
    keys = [(7,), (8,), ("7",), (7, 0), (0, 7), (7, "chance"), (7, "deal"), ((7, 0),), ()]
    assert len({tuple(stream(*key).tolist()) for key in keys}) == len(keys)


def test_numbers_of_numpy_name_the_same_stream():
    assert stream(np.int64(7), np.int32(3)).tolist() == stream(7, 3).tolist()


def test_streams_are_the_same_on_every_machine():
    """A change here makes every recorded seed mean another game."""
    rng = stream(7, "chance", 3)
    assert rng.dtype == np.uint64 and rng.shape == (2,)
    words = [3874747951755178412, 13828176551945043182, 17481036687245960669]
    assert [int(next64(rng)) % WORD for _ in range(3)] == words
    assert [int(below(rng, 6)) for _ in range(10)] == [4, 4, 5, 3, 1, 3, 1, 1, 0, 3]


def test_next64_is_splitmix64():
    """The published first numbers for seed 1234567."""
    rng = np.array([1234567, 0x9E3779B97F4A7C15], np.uint64)
    assert [int(next64(rng)) % WORD for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


@pytest.mark.parametrize("key", [(), (1,), (1, "luck"), (np.int64(7), ("a", 0)), ("x, 0)",)])
def test_many_streams_are_those_that_one_gets_one_by_one(key):
    assert streams(12, *key).tolist() == [stream(*key, i).tolist() for i in range(12)]


def test_streams_differ():
    rows = streams(50, 7, "seat")
    assert rows.shape == (50, 2) and len(np.unique(rows)) == 100
    assert (rows[:, 1] % 2 == 1).all()
    assert rows[3].tolist() == stream(7, "seat", 3).tolist()
    out = np.empty((50, 2000))
    for rng, row in zip(rows, out, strict=True):
        fill_uniform(rng, row)
    between = np.corrcoef(out)[np.triu_indices(50, 1)] * np.sqrt(2000)
    assert np.abs(between).max() < 5


def test_drawing_moves_only_the_stream_drawn_from():
    rows = streams(2, 7)
    before = rows.copy()
    below(rows[0], 6)
    assert rows[0, 0] != before[0, 0] and rows[0, 1] == before[0, 1]
    assert rows[1].tolist() == before[1].tolist()


def test_without_the_jit_the_same_numbers_come_without_a_warning(python):
    code = """
        from kostka.core.kernels import cache
        from kostka.core.rng import below, next64, stream, uniform
        cache.on_compile.clear()
        rng = stream(7, "both ways")
        words = [int(next64(rng)) % 2**64 for _ in range(200)]
        small = [int(below(rng, n)) for n in (1, 2, 6, 1000, 3 << 30) for _ in range(100)]
        parts = [float(uniform(rng)) for _ in range(100)]
        print(words, small, parts)
    """
    assert python(code, NUMBA_DISABLE_JIT=1) == python(code)


def test_without_the_jit_a_thread_is_not_warned_either(python):
    """NumPy's settings hold for one thread only."""
    code = """
        import threading
        from kostka.core.rng import below, stream

        drawn = []
        def draw():
            rng = stream(7, "thread")
            drawn.extend(int(below(rng, 6)) for _ in range(50))
        thread = threading.Thread(target=draw)
        thread.start()
        thread.join()
        print(len(drawn))
    """
    assert python(code, NUMBA_DISABLE_JIT=1) == "50"


def test_without_the_jit_a_signed_overflow_is_still_told(python):
    """Only words that wrap on purpose are silent: elsewhere Python mode is a sanitiser."""
    code = """
        import warnings, numpy as np
        from kostka.core.kernels import kernel
        from kostka.core.record import new, record

        R = record("sum", n="i8")

        @kernel
        def double(s):
            s.n = s.n * np.int64(2)

        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            double(new(R, n=2**62 + 1)[0])
        print(len(told))
    """
    assert python(code, NUMBA_DISABLE_JIT=1) == "1"
