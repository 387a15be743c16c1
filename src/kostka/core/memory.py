"""Copying records. Assigning one compiles field by field: slow to build and slow to run."""

from numba.core import cgutils, types
from numba.extending import intrinsic, overload


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
