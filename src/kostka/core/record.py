"""Records: the only memory kernels work on. A game state, a heuristic, a tree node is one each."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kostka.core.errors import KernelError

KINDS = ("i1", "i2", "i4", "i8", "u8", "f8")

#: With the JIT switched off integers would wrap differently: they are widened then.
JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")

_names: dict[str, tuple[np.dtype, Path | None]] = {}
_limits: dict[str, "dict[str, Within]"] = {}


@dataclass(frozen=True)
class Within:
    """A field with its limits: no value of it is ever below ``low`` or above ``high``."""

    low: float
    high: float
    kind: str
    shape: Any = ()


def within(low: float, high: float, kind: str, shape: Any = ()) -> Within:
    """Declare a field that only holds such values: ``player=within(0, 3, "i4")``.

    Kernels do not check bounds, so a position that comes from outside is checked against the
    limits of its fields before a kernel sees it; those of indices matter most.
    """
    return Within(low, high, kind, shape)


#: A set of up to 64 things may be any.
ANY_SET = (1 << 64) - 1


def record(name: str, /, fixed: dict[str, Any] | None = None, **fields: Any) -> np.dtype:
    """A branded dtype: ``record("pig.state", player="i4", score=("i4", 2))``.

    What never changes during a game goes into ``fixed``: it lies behind the brand, and a search
    copies only what lies before it. The brand keeps records with equal fields apart. A record that
    is ever read from outside, such as a game's state, declares the limits of its fields ``within``.
    """
    _limits[name] = {
        f: kind for f, kind in {**fields, **(fixed or {})}.items() if isinstance(kind, Within)
    }
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
    if isinstance(kind, Within):
        kind = (kind.kind, kind.shape)
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
    if len(content) != canonical_size(one.dtype):
        raise ValueError("the content is of another record")
    at = 0
    for field in one.dtype.names or ():
        values = one[field]
        part = np.frombuffer(content[at : at + 8 * values.size], _wide(values.dtype))
        values[...] = part.reshape(values.shape)
        if not np.array_equal(values.ravel(), part, equal_nan=values.dtype.kind == "f"):
            raise ValueError(f"{field} holds a number that does not fit")
        at += 8 * values.size


def canonical_size(dtype: np.dtype) -> int:
    """The bytes that ``canonical`` gives of a record."""
    return 8 * sum(int(np.prod(dtype[field].shape)) for field in dtype.names or ())


def unlimited(dtype: np.dtype) -> list[str]:
    """The fields of a record that declare no limits."""
    known = _limits.get(str(brand(dtype)), {})
    return [f for f in dtype.names or () if not f.startswith("@") and f not in known]


def beyond_limits(one: np.ndarray) -> str | None:
    """Which field holds what it never may, in words; None where all is within limits."""
    for field, limits in _limits[str(brand(one.dtype))].items():
        values = one[field]
        if not ((values >= limits.low) & (values <= limits.high)).all():
            return f"{field} must be from {limits.low:g} to {limits.high:g}"
    return None


def _wide(dtype: np.dtype) -> np.dtype:
    return np.dtype({"f": "<f8", "u": "<u8"}.get(dtype.kind, "<i8"))
