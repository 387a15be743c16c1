"""Kernels: compiled functions over records, with a compile cache that can be trusted.

Numba's own cache has no lock, numbers its files, and does not notice changes in other files, in
data frozen into globals or in flags. Here an entry is named by the hash of everything its machine
code depends on, is written atomically, and one process compiles it while the others wait.
"""

import contextlib
import dis
import functools
import hashlib
import os
import pickle
import shutil
import sys
import sysconfig
import tempfile
import types as pytypes
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import config, ir, sigutils, types
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps
from numba.np.numpy_support import as_dtype

from kostka.core.errors import KernelError
from kostka.core.record import JIT, source_of

OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy", "_nrt": False}
FLAGS = ("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")
PACKAGE = Path(__file__).resolve().parents[1]
GAMES = PACKAGE / "games"
#: The files under every kernel; all others are found from the kernel and its records.
FOUNDATION = ("record", "kernels", "generic", "memory", "rules", "rng", "bits")
DATA = {".py", ".json", ".csv", ".toml", ".txt", ".npy", ".npz"}

#: A recursive kernel from the cache would crash the next process, and one waits for itself here.
CALLS_ITSELF = "calls itself; use a stack of your own"

#: What happened in this process: kernels compiled, and kernels loaded from the cache.
stats = {"compiled": 0, "loaded": 0}


def kernel(f: Callable) -> Any:
    """Compile a function for the types it is called with, and keep the machine code on disk."""
    if f.__closure__:
        names = ", ".join(f.__code__.co_freevars)
        raise KernelError(f"kernel {f.__qualname__} closes over {names}; pass it or use a record")
    return Kernel(f) if JIT else f


def word_kernel(f: Callable) -> Any:
    """A kernel whose unsigned words wrap around on purpose, and without a warning in Python too."""
    return kernel(f) if JIT else np.errstate(over="ignore")(f)


class Kernel(CPUDispatcher):
    """Numba's dispatcher with our cache, and with checks of the rules for kernels."""

    def __init__(self, f: Callable) -> None:
        super().__init__(f, targetoptions=dict(OPTIONS))
        self._cache = KernelCache(f)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return super().get_call_template([plain(t) for t in args], kws)

    def compile(self, sig: Any) -> Any:
        args, _ = sigutils.normalize_signature(sig)
        if tuple(args) in self.overloads:
            return super().compile(sig)
        # The compiler's lock first: a thread that holds an entry may need what another compiles.
        with global_compiler_lock, self._cache.alone(args, self.targetctx.codegen()):
            entry = super().compile(sig)
        if self.stats.cache_hits.get(sig):
            stats["loaded"] += 1
        return entry

    def add_overload(self, cres: Any) -> None:
        check_rules(self.py_func, cres)
        super().add_overload(cres)

    def __reduce__(self) -> str:
        return self.py_func.__qualname__


def plain(t: Any) -> Any:
    """One width of numbers for every call inside kernels, so that a kernel is compiled once."""
    t = types.unliteral(t)
    if isinstance(t, types.Boolean) or (isinstance(t, types.Integer) and t.signed):
        return types.int64
    return types.float64 if isinstance(t, types.Float) else t


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


# --- what machine code depends on ---


def dependencies(f: Callable, args: Any) -> list | None:
    """Everything outside Numba that the code compiled for these arguments depends on.

    None when some of it has no file (a notebook cell): such code is never kept on disk.
    """
    files: set[Path | None] = {PACKAGE / "core" / f"{name}.py" for name in FOUNDATION}
    content: list = []
    dtypes = {dtype for one in args for dtype in records_in(one)}
    files |= {source_of(dtype) for dtype in dtypes}
    walk(f, dtypes, files, content, set())
    if None in files:
        return None
    roots = {root_of(path) for path in files if path is not None}
    where = (f.__module__, f.__qualname__)
    return [where, *sorted(map(repr, content)), *map(fingerprint, sorted(roots))]


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
            if isinstance(value, Kernel):
                called_here = space is f.__globals__ and name in loaded  # no field of that name
                chain = (*callers, f) if called_here else ()
                walk(value.py_func, dtypes, files, content, seen, chain)
            elif hasattr(value, "candidates"):
                for called in value.candidates(dtypes):
                    walk(called, dtypes, files, content, seen)
            elif not isinstance(value, pytypes.ModuleType):
                content.append((f.__module__, f.__qualname__, name, frozen(value)))
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


def root_of(source: Path) -> Path:
    """What goes with a source file: its folder, data included; of ours outside games, itself."""
    ours = source.is_relative_to(PACKAGE) and not source.is_relative_to(GAMES)
    return source if ours else source.parent


@functools.cache
def fingerprint(root: Path) -> str:
    """A hash of a file, or of the sources and data in a folder (and, of a package, below it)."""
    digest = hashlib.sha256()
    package = (root / "__init__.py").exists()
    paths = [root] if root.is_file() else sorted(root.rglob("*") if package else root.glob("*"))
    for path in paths:
        if path.suffix in DATA and path.is_file() and "__pycache__" not in path.parts:
            digest.update(f"{path.relative_to(root)}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


# --- what a kernel may not do ---


def check_rules(f: Callable, result: Any) -> None:
    """Refuse what compiles but is slow or wrong: record assignment, and mixing u8 with others."""
    note = result.type_annotation
    if note is None or not hasattr(note, "typemap"):
        return
    for block in note.blocks.values():
        for statement in block.body:
            if wrong := assigns_record(statement, note.typemap) or mixes(statement, note.typemap):
                where = f"{f.__code__.co_filename}:{statement.loc.line}"
                raise KernelError(f"{where}: {wrong}")


def assigns_record(statement: Any, typemap: Any) -> str | None:
    if isinstance(statement, (ir.SetItem, ir.StaticSetItem, ir.SetAttr)) and isinstance(
        typemap.get(statement.value.name), types.Record
    ):
        return "a record is assigned; use copy(dst, src)"
    return None


def mixes(statement: Any, typemap: Any) -> str | None:
    """Numba turns a u8 that meets a signed number into a float, or wraps it, without a word."""
    if not isinstance(statement, ir.Assign):
        return None
    e, target = statement.value, typemap.get(statement.target.name)
    kinds = [typemap.get(v.name) for v in operands(e, typemap)]
    numbers = [t for t in kinds if isinstance(t, types.Number)]
    masks = sum(t == types.uint64 for t in numbers)
    moved = isinstance(e, ir.Var) or (isinstance(e, ir.Expr) and e.op in ("phi", "cast"))
    if masks and moved and isinstance(target, types.Number) and target != types.uint64:
        return "a u8 is turned into another number on the way; say np.int64(…)"
    if 0 < masks < len(numbers) and not moved:
        return "u8 and a signed number are mixed; use the functions of core.bits"
    if moved and target == types.uint64 and masks < len(numbers):
        return "a signed number is turned into a u8 on the way; say np.uint64(…)"
    return None


def operands(e: Any, typemap: Any) -> list:
    """The values that an expression combines or passes on."""
    if isinstance(e, ir.Var):
        return [e]
    if not isinstance(e, ir.Expr):
        return []
    if e.op in ("binop", "inplace_binop"):
        compares = getattr(e.fn, "__name__", "") in ("lt", "le", "gt", "ge", "eq", "ne")
        return [] if compares else [e.lhs, e.rhs]
    if e.op == "call" and isinstance(typemap.get(e.func.name), types.Function):
        return list(e.args) if len(e.args) > 1 else []  # max, min and their like
    if e.op == "phi":
        return [v for v in e.incoming_values if isinstance(v, ir.Var)]
    return [e.value] if e.op == "cast" else []


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
