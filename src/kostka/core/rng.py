"""Random streams: splitmix64 with a step of its own per stream, in a ``u8`` array of two words.

A stream is passed to whoever draws from it; it is never global and never part of a state.
"""

import hashlib

import numpy as np

from kostka.core.kernels import kernel, word_kernel

S30, S27, S31, S32, S11, S40 = (np.uint64(n) for n in (30, 27, 31, 32, 11, 40))
A, B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
LOW = np.uint64(0xFFFFFFFF)


def stream(*key: object) -> np.ndarray:
    """The stream named by a seed and anything else: ``stream(seed, "chance", 3)``."""
    digest = hashlib.sha256(repr(_plain(key)).encode()).digest()
    words = np.frombuffer(digest[:16], np.uint64).copy()
    words[1] |= 1
    return words


def _plain(key: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(int(k) if isinstance(k, np.integer) else k for k in key)


def streams(count: int, *key: object) -> np.ndarray:
    """An array of independent streams, one a row."""
    before, _, after = repr((*_plain(key), 0)).rpartition("0")
    names = (f"{before}{i}{after}" for i in range(count))
    digests = (hashlib.sha256(name.encode()).digest()[:16] for name in names)
    words = np.frombuffer(bytearray().join(digests), np.uint64).reshape(count, 2)
    words[:, 1] |= 1
    return words


@word_kernel
def next64(rng):
    """64 random bits."""
    rng[0] += rng[1]
    z = rng[0]
    z = (z ^ (z >> S30)) * A
    z = (z ^ (z >> S27)) * B
    return z ^ (z >> S31)


@word_kernel
def stretch(rng, whole, n):
    """Set a stream to the n-th stretch of a whole one: 2⁴⁰ numbers that no other stretch has."""
    rng[0] = whole[0] + whole[1] * (np.uint64(n) << S40)
    rng[1] = whole[1]


@word_kernel
def fork(rng, parent):
    """Set a stream to a new one that another has drawn."""
    rng[0] = next64(parent)
    rng[1] = next64(parent) | np.uint64(1)


@kernel
def for_decision(rng, whole, events):
    """What a seat draws from for a decision after so many events."""
    stretch(rng, whole, 2 * events + 1)


@word_kernel
def of_decision(rng, told):
    """What a seat drew from for a decision, from what it draws from when told of it."""
    rng[0] = told[0] - (told[1] << S40)
    rng[1] = told[1]


@kernel
def for_event(rng, whole, events):
    """What a seat draws from when it is told of an event, after so many others."""
    stretch(rng, whole, 2 * events + 2)


@kernel
def below(rng, n):
    """A whole number from 0 to n-1, all exactly as likely (n below 2³²)."""
    size = np.uint64(n)
    product = (next64(rng) >> S32) * size
    if (product & LOW) < size:
        least = (LOW - size + np.uint64(1)) % size
        while (product & LOW) < least:
            product = (next64(rng) >> S32) * size
    return np.int64(product >> S32)


@kernel
def uniform(rng):
    """A float from 0 (included) to 1 (excluded)."""
    return np.float64(np.int64(next64(rng) >> S11)) * (1.0 / 9007199254740992.0)
