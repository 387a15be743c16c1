"""Memory of kernels: copies of records, and scratch that lives as long as the kernel that asks.

Assigning a record compiles field by field: slow to build and slow to run. Scratch lies on the
stack: nothing is allocated, nothing is shared between threads, on a CPU as on a GPU. Its content
is undefined until it is written, and it must never be returned.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from kostka.core.errors import KernelError
from kostka.core.record import JIT

#: The most bytes of scratch one call may ask for: a thread's stack has a few hundred kilobytes.
MOST = 1 << 16


def copy(dst, src):
    """Copy a whole record."""
    for field in src.dtype.names:
        dst[field] = src[field]


def restore(dst, src):
    """Copy only what changes during a game; ``dst`` was a whole copy of ``src`` before."""
    for field in src.dtype.names:
        if field.startswith("@"):
            break
        dst[field] = src[field]


@intrinsic
def _memcpy(typing_context, dst, src, size):
    if not isinstance(size, types.IntegerLiteral):
        return None

    def generate(context, builder, signature, args):
        count = context.get_constant(types.intp, size.literal_value)
        cgutils.raw_memcpy(builder, args[0], args[1], count, 1)
        return context.get_dummy_value()

    return types.void(dst, src, size), generate


@overload(copy)
def _copy(dst, src):
    if isinstance(dst, types.Record) and dst == src:
        size = int(dst.size)
        return lambda dst, src: _memcpy(dst, src, size)


@overload(restore)
def _restore(dst, src):
    if isinstance(dst, types.Record) and dst == src:
        size = front(dst)
        return lambda dst, src: _memcpy(dst, src, size)


def front(record: types.Record) -> int:
    """The bytes before the brand: those that change during a game."""
    return next(f.offset for name, f in record.fields.items() if name.startswith("@"))


def _scratch(element: Any) -> Any:
    """What gives a kernel an array of scratch."""

    # An intrinsic and not an overload: that would be a function of its own, with its own stack.
    @intrinsic(prefer_literal=True)
    def scratch(typing_context, n):
        if not isinstance(n, types.IntegerLiteral):
            raise KernelError("the size of scratch must be a constant")
        count = n.literal_value
        _check_size(8 * count)
        array = types.Array(element, 1, "C")

        def generate(context, builder, signature, args):
            kind = context.get_value_type(element)
            data = cgutils.alloca_once(builder, ir.ArrayType(kind, count))
            made = context.make_array(array)(context, builder)
            size, width = (context.get_constant(types.intp, x) for x in (count, 8))
            made.data = builder.bitcast(data, made.data.type)
            made.shape = cgutils.pack_array(builder, [size])
            made.strides = cgutils.pack_array(builder, [width])
            made.itemsize, made.nitems = width, size
            made.meminfo = cgutils.get_null_value(made.meminfo.type)
            made.parent = cgutils.get_null_value(made.parent.type)
            return made._getvalue()

        return array(n), generate

    return scratch


@intrinsic
def _like(typing_context, s):
    if not isinstance(s, types.Record):
        raise KernelError("scratch is like a record")
    _check_size(s.size)

    def generate(context, builder, signature, args):
        # Fields of eight bytes want an address that eight divides: words, not bytes.
        data = cgutils.alloca_once(builder, ir.ArrayType(ir.IntType(64), -(-s.size // 8)))
        return builder.bitcast(data, context.get_value_type(s))

    return s(s), generate


def _check_size(size: int) -> None:
    if size > MOST:
        raise KernelError(f"{size} bytes of scratch are too much for a stack; pass a buffer")


#: Scratch for so many floats, integers or words of a random stream, a constant, and for a record
#: like the one given.
floats = _scratch(types.float64) if JIT else np.empty
integers = _scratch(types.int64) if JIT else lambda n: np.empty(n, np.int64)
words = _scratch(types.uint64) if JIT else lambda n: np.empty(n, np.uint64)
like = _like if JIT else lambda s: np.empty(1, s.dtype)[0]
