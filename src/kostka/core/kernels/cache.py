"""The compile cache. Numba's own has no lock, numbers its files, and misses changes.

It does not notice changes in other files, in data frozen into globals or in flags. Here an entry is
named by the hash of everything its machine code depends on, is written atomically, and one process
compiles it while the others wait.
"""

import contextlib
import functools
import hashlib
import os
import pickle
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
from numba.core import config
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from kostka.core.errors import KernelError
from kostka.core.kernels.dependencies import CALLS_ITSELF, dependencies

OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy", "_nrt": False}
FLAGS = ("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")

#: What happened in this process: kernels compiled, and kernels loaded from the cache.
stats = {"compiled": 0, "loaded": 0}


class KernelCache(_Cache):
    """The cache of one kernel: one file per signature, named by all that it depends on."""

    def __init__(self, f: Callable) -> None:
        self.f = f
        self.file: Path | None = None
        self.compiling: list = []

    @property
    def cache_path(self) -> str:
        return str(folder())

    @contextlib.contextmanager
    def alone(self, args: Any, codegen: Any) -> Iterator[None]:
        """Hold the lock of the entry for these arguments; ``file`` names the entry meanwhile."""
        if args in self.compiling:
            raise KernelError(f"{self.f.__qualname__} {CALLS_ITSELF}")
        before = self.file
        key = dependencies(self.f, args)
        if key is None:
            self.file = None
            lock: Any = contextlib.nullcontext()
        else:
            magic = (numba.__version__, sys.version, codegen.magic_tuple(), str(args))
            flags = [(name, getattr(config, name, None)) for name in FLAGS]
            digest = hashlib.sha256(repr((magic, flags, OPTIONS, key)).encode()).hexdigest()
            self.file = folder() / f"{self.f.__module__}.{self.f.__name__}-{digest[:32]}.kernel"
            lock = locked(self.file.with_suffix(".lock"))
        self.compiling.append(args)
        try:
            with lock:
                yield
        finally:
            self.file = before
            self.compiling.pop()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        if self.file is None:
            announce(self.f)
            return None
        try:
            content = self.file.read_bytes()
            if hashlib.sha256(content[32:]).digest() != content[:32]:
                raise ValueError("damaged")
            return CompileResult._rebuild(target_context, *pickle.loads(content[32:]))
        except Exception:  # whatever is wrong with an entry, compiling again mends it
            announce(self.f)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        stats["compiled"] += 1
        if self.file is None or data.lifted or data.library.has_dynamic_globals:
            return
        content = dumps(data._reduce())
        with contextlib.suppress(OSError):  # a full disk costs time, never a result
            scratch = self.file.with_suffix(f".{os.getpid()}")
            try:
                scratch.write_bytes(hashlib.sha256(content).digest() + content)
                scratch.replace(self.file)
            finally:
                scratch.unlink(missing_ok=True)

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None: ...


# --- the folder ---


@functools.cache
def folder() -> Path:
    """The cache folder, private to this user; a temporary one where that cannot be had."""
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    path = Path(os.environ.get("KOSTKA_CACHE") or Path(home) / "kostka").expanduser()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = path.stat()
        if status.st_uid != os.getuid() or status.st_mode & 0o022:
            raise PermissionError(f"{path} can be written by others")
        with tempfile.TemporaryFile(dir=path):
            return path
    except OSError:
        import atexit

        private = Path(tempfile.mkdtemp(prefix="kostka-"))
        atexit.register(shutil.rmtree, private, ignore_errors=True)
        return private


def clear() -> tuple[int, int]:
    """Delete every compiled kernel; returns how many there were and their bytes."""
    count = size = 0
    for path in folder().iterdir():
        if path.suffix == ".kernel":
            count += 1
            size += path.stat().st_size
        if path.suffix in (".kernel", ".lock"):
            path.unlink(missing_ok=True)
    return count, size


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    import fcntl

    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError):  # without a lock something is compiled twice, no more
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            fcntl.flock(held.enter_context(path.open("w")), fcntl.LOCK_EX)
        yield


def _say(f: Callable) -> None:
    print("kostka: compiling, once on this machine; this takes some seconds …", file=sys.stderr)


#: Called before the first compilation of a process; a front end may put its own way of telling.
on_compile: list[Callable[[Callable], None]] = [_say]


def announce(f: Callable) -> None:
    while on_compile:
        on_compile.pop()(f)
