"""Sets of up to 64 things in one ``u8``. Only here do kernels touch unsigned masks."""

import numpy as np

from kostka.core.kernels import kernel, word_kernel

ZERO, ONE = np.uint64(0), np.uint64(1)
M1 = np.uint64(0x5555555555555555)
M2 = np.uint64(0x3333333333333333)
M4 = np.uint64(0x0F0F0F0F0F0F0F0F)


@kernel
def single(i):
    """The set of just ``i``."""
    return ONE << np.uint64(i)


@kernel
def has(mask, i):
    return (mask >> np.uint64(i)) & ONE != ZERO


@kernel
def add(mask, i):
    return mask | (ONE << np.uint64(i))


@kernel
def remove(mask, i):
    return mask & ~(ONE << np.uint64(i))


@kernel
def both(a, b):
    return a & b


@kernel
def either(a, b):
    return a | b


@kernel
def minus(a, b):
    return a & ~b


@kernel
def empty(mask):
    return mask == ZERO


@kernel
def none():
    return ZERO


@word_kernel
def upto(n):
    """The set of 0 … n-1."""
    return ~ZERO if n >= 64 else (ONE << np.uint64(n)) - ONE


@word_kernel
def count(mask):
    mask = mask - ((mask >> np.uint64(1)) & M1)
    mask = (mask & M2) + ((mask >> np.uint64(2)) & M2)
    mask = (mask + (mask >> np.uint64(4))) & M4
    mask = mask + (mask >> np.uint64(8))
    mask = mask + (mask >> np.uint64(16))
    mask = mask + (mask >> np.uint64(32))
    return np.int64(mask & np.uint64(127))


@word_kernel
def first(mask):
    """The smallest member of a set that is not empty."""
    return count((mask & (~mask + ONE)) - ONE)


@word_kernel
def rest(mask):
    """The set without its smallest member: ``while not empty(m): i = first(m); m = rest(m)``."""
    return mask & (mask - ONE)
