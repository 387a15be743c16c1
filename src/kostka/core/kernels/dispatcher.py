"""What compiles a function for the types it is called with."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core import sigutils, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

from kostka.core.errors import KernelError
from kostka.core.kernels.cache import OPTIONS, KernelCache, stats
from kostka.core.kernels.checks import check_rules
from kostka.core.record import JIT


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
