"""Sets of up to 64 things in one ``u8``. Only here do kernels touch unsigned masks."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from kostka.core.errors import KernelError
from kostka.core.kernels import kernel, word_kernel
from kostka.core.record import JIT

ZERO, ONE = np.uint64(0), np.uint64(1)


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


def _instruction(write: Any) -> Any:
    """What counts bits of a set by one instruction of the machine, a GPU's too."""

    @intrinsic
    def instruction(typing_context, mask):
        if mask != types.uint64:
            raise KernelError(f"a set is a u8, not {mask}")
        return types.int64(mask), lambda context, builder, signature, args: write(builder, args[0])

    return instruction


#: So that the empty set gives 64 on every machine.
DEFINED = ir.Constant(ir.IntType(1), 0)

_ones = (
    _instruction(lambda builder, mask: builder.ctpop(mask))
    if JIT
    else lambda mask: int(mask).bit_count()
)
_zeros_below = (
    _instruction(lambda builder, mask: builder.cttz(mask, DEFINED))
    if JIT
    else lambda mask: _ones((mask & (~mask + ONE)) - ONE)
)


@kernel
def count(mask):
    return _ones(mask)


@word_kernel
def first(mask):
    """The smallest member of a set that is not empty."""
    return _zeros_below(mask)


@word_kernel
def rest(mask):
    """The set without its smallest member: ``while not empty(m): i = first(m); m = rest(m)``."""
    return mask & (mask - ONE)


@kernel
def nth(mask, n):
    """The member of a set with so many smaller ones."""
    for _ in range(n):
        mask = rest(mask)
    return first(mask)


@kernel
def members(mask, out):
    """Write the members of a set in order and return their number."""
    k = 0
    while not empty(mask):
        out[k] = first(mask)
        mask = rest(mask)
        k += 1
    return k
