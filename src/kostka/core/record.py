"""Records: the only memory kernels work on. A game state, a heuristic, a tree node is one each."""

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

from kostka.core.errors import KernelError

KINDS = ("i1", "i2", "i4", "i8", "u8", "f8")

#: With the JIT switched off integers would wrap differently: they are widened then.
JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")

_names: dict[str, tuple[np.dtype, Path | None]] = {}


def record(name: str, /, fixed: dict[str, Any] | None = None, **fields: Any) -> np.dtype:
    """A branded dtype: ``record("pig.state", player="i4", score=("i4", 2))``.

    What never changes during a game goes into ``fixed``: it lies behind the brand, and a search
    copies only what lies before it. The brand keeps records with equal fields apart.
    """
    changing = [_field(name, f, kind) for f, kind in fields.items()]
    constant = [_field(name, f, kind) for f, kind in (fixed or {}).items()]
    plain = np.dtype([*changing, (f"@{name}", "i1", (0,)), *constant], align=True)
    used = sum(plain[f].itemsize for f in plain.names or ())
    if used != plain.itemsize:
        raise KernelError(
            f"record {name} has {plain.itemsize - used} bytes of padding; "
            "order its fields from wide to narrow and fill each part to a multiple of the widest"
        )
    dtype = np.dtype((np.record, plain))
    source = sys._getframe(1).f_globals.get("__file__")
    path = Path(source).resolve() if source else None
    known = _names.setdefault(name, (dtype, path))
    if known != (dtype, path):
        raise KernelError(f"there is already a record named {name}, made in {known[1]}")
    return dtype


def _field(name: str, field: str, kind: Any) -> tuple:
    base, shape = kind if isinstance(kind, tuple) else (kind, ())
    if field in dir(np.record):
        raise KernelError(
            f"record {name} cannot have a field {field}: NumPy's records use the name"
        )
    if not isinstance(base, str) or base not in KINDS:
        raise KernelError(f"field {field} of record {name} is {base!r}; use {', '.join(KINDS)}")
    if not JIT and base.startswith("i"):
        base = "i8"
    return (field, base, shape) if shape != () else (field, base)


def brand(dtype: np.dtype) -> str | None:
    """The name a record was made with; None for any other dtype."""
    for field in dtype.names or ():
        if field.startswith("@"):
            return field[1:]
    return None


def source_of(dtype: np.dtype) -> Path | None:
    """The file in which a record was made; None if there is none."""
    name = brand(dtype)
    return _names[name][1] if name in _names else None


def new(dtype: np.dtype, **values: Any) -> np.ndarray:
    """One zeroed record as an array of length 1, the form that kernels take from Python."""
    one = np.zeros(1, dtype)
    for field, value in values.items():
        one[field][0] = value
    return one


def clone(one: np.ndarray) -> np.ndarray:
    """A copy that shares no memory; NumPy's own copies field by field, ten times slower."""
    return np.frombuffer(bytearray(one.tobytes()), one.dtype)


def canonical(one: np.ndarray) -> bytes:
    """The content of a record as bytes that do not depend on the width of its fields."""
    parts = (np.ascontiguousarray(one[f]) for f in one.dtype.names or ())
    return b"".join(values.astype(_wide(values.dtype)).tobytes() for values in parts)


def fill(one: np.ndarray, content: bytes) -> None:
    """Write back what ``canonical`` gave; ValueError if it is not of this record."""
    at = 0
    for field in one.dtype.names or ():
        values = one[field]
        part = np.frombuffer(content[at : at + 8 * values.size], _wide(values.dtype))
        values[...] = part.reshape(values.shape)
        at += 8 * values.size
    if at != len(content):
        raise ValueError("the content is of another record")


def _wide(dtype: np.dtype) -> np.dtype:
    return np.dtype({"f": "<f8", "u": "<u8"}.get(dtype.kind, "<i8"))
