"""What machine code depends on: the code, the frozen data and the files that a kernel reaches."""

import dis
import functools
import hashlib
import sys
import sysconfig
import types as pytypes
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numba.core import types
from numba.core.registry import CPUDispatcher
from numba.np.numpy_support import as_dtype

from kostka.core.errors import KernelError
from kostka.core.record import source_of

CORE = Path(__file__).resolve().parents[1]
#: The files under every kernel; all others are found from the kernel and its records.
FOUNDATION = [
    *sorted((CORE / "kernels").glob("*.py")),
    *(CORE / f"{name}.py" for name in ("record", "generic", "memory", "rules", "rng", "bits")),
]
DATA = {".json", ".csv", ".toml", ".txt", ".npy", ".npz"}

#: A recursive kernel from the cache would crash the next process, and one waits for itself here.
CALLS_ITSELF = "calls itself; use a stack of your own"


def dependencies(f: Callable, args: Any) -> list | None:
    """Everything outside Numba that the code compiled for these arguments depends on.

    None when some of it has no file (a notebook cell): such code is never kept on disk.
    """
    content: list = []
    dtypes = {dtype for one in args for dtype in records_in(one)}
    sources = {source_of(dtype) for dtype in dtypes}
    files = {*FOUNDATION, *sources}
    walk(f, dtypes, files, content, set())
    if None in files:
        return None
    reached = {path for path in files if path is not None}
    reached |= {data for path in sources if path is not None for data in data_beside(path)}
    where = (f.__module__, f.__qualname__)
    return [where, *sorted(map(repr, content)), *map(fingerprint, sorted(reached))]


def walk(
    f: Callable,
    dtypes: set,
    files: set[Path | None],
    content: list,
    seen: set[int],
    callers: tuple[Callable, ...] = (),
) -> None:
    """Collect the files, the code and the frozen globals of a function and all it may call."""
    if f in callers:
        raise KernelError(f"{f.__qualname__} {CALLS_ITSELF}")
    if id(f) in seen:
        return
    seen.add(id(f))
    source = Path(f.__code__.co_filename)
    files.add(source.resolve() if source.is_file() else None)
    content.append((f.__module__, f.__qualname__, frozen(f.__code__)))
    names = set(names_in(f.__code__))
    loaded = {i.argval for i in dis.get_instructions(f) if i.opname == "LOAD_GLOBAL"}
    spaces, modules = [f.__globals__], set()
    for space in spaces:  # the same name may mean something in several modules
        for name in names & space.keys():
            value = space[name]
            if isinstance(value, CPUDispatcher):
                called_here = space is f.__globals__ and name in loaded  # no field of that name
                chain = (*callers, f) if called_here else ()
                walk(value.py_func, dtypes, files, content, seen, chain)
            elif hasattr(value, "candidates"):
                for called in value.candidates(dtypes):
                    walk(called, dtypes, files, content, seen)
            elif not isinstance(value, pytypes.ModuleType):
                content.append((f.__module__, f.__qualname__, name, frozen(value)))
                files |= made_in(value)
            elif id(value) not in modules:
                modules.add(id(value))
                origin = getattr(value, "__file__", None)
                if origin and not installed_elsewhere(Path(origin)):
                    files.add(Path(origin).resolve())
                    spaces.append(vars(value))


def frozen(value: Any) -> Any:
    """What Numba freezes of a global value, in a form that tells any change."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, tuple):
        return [frozen(one) for one in value]
    if isinstance(value, pytypes.CodeType):
        return value.co_code, value.co_names, frozen(value.co_consts)
    plain_value = isinstance(value, (int, float, str, bytes, np.generic)) or value is None
    return repr(value) if plain_value else type(value).__name__


def names_in(code: pytypes.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, pytypes.CodeType):
            yield from names_in(constant)


def installed_elsewhere(origin: Path) -> bool:
    """NumPy, the standard library: their versions are in Numba's own key."""
    standard = Path(sysconfig.get_paths()["stdlib"])
    return origin.is_relative_to(Path(np.__file__).parent) or (
        origin.is_relative_to(standard) and "site-packages" not in origin.parts
    )


def records_in(t: Any) -> Iterator[np.dtype]:
    if isinstance(t, types.Record):
        yield np.dtype((np.record, as_dtype(t)))
    elif isinstance(t, types.Array):
        yield from records_in(t.dtype)
    elif isinstance(t, types.BaseTuple):
        for x in t:
            yield from records_in(x)


def made_in(value: Any) -> set[Path]:
    """The file of a function that is no kernel, an intrinsic say: it may write machine code."""
    module = sys.modules.get(getattr(value, "__module__", None) or "")
    origin = getattr(module, "__file__", None) if callable(value) else None
    return {Path(origin).resolve()} if origin and not installed_elsewhere(Path(origin)) else set()


@functools.cache
def data_beside(source: Path) -> list[Path]:
    """The data in the folder of a source file and, of a package, below it."""
    folder = source.parent
    package = (folder / "__init__.py").exists()
    found = folder.rglob("*") if package else folder.glob("*")
    return sorted(path for path in found if path.suffix in DATA and path.is_file())


@functools.cache
def fingerprint(path: Path) -> str:
    """A hash of a file, its name included."""
    return f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}"
