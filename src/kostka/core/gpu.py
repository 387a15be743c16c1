"""Kernels on a GPU: compiled for CUDA from the same source, with the extra ``kostka[gpu]``.

A kernel becomes a device function when code for a GPU first calls it, and a generic function picks
its method as it does on a CPU. Nothing is different in the rules of a game.
"""

import importlib.util
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from kostka.core import generic
from kostka.core.errors import KostkaError
from kostka.core.kernels import Kernel, plain

if importlib.util.find_spec("numba_cuda") is None:
    raise KostkaError("a GPU needs the package numba-cuda: pip install 'kostka[gpu]'")
if not hasattr(np, "row_stack"):  # which NumPy has dropped, and numba-cuda asks for
    np.row_stack = np.vstack  # type: ignore[attr-defined]

from numba import cuda, typeof
from numba.core import types
from numba.cuda import dispatcher
from numba.cuda.target import CUDATypingContext

#: What machine code is written for where nobody asks for another: a compute capability.
RECENT = 9, 0


class DeviceKernel(dispatcher.CUDADispatcher):
    """A kernel as a function of a GPU, with one width of numbers for every call as on a CPU."""

    def __init__(self, f: Callable) -> None:
        super().__init__(f, {"device": True, "opt": True})

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return super().get_call_template([plain(t) for t in args], kws)


def device(kernel: Any) -> DeviceKernel:
    """A kernel as a function that code for a GPU can call."""
    if not hasattr(kernel, "on_gpu"):
        kernel.on_gpu = DeviceKernel(kernel.py_func)
    return kernel.on_gpu


def available() -> bool:
    """Whether there is a GPU."""
    return bool(cuda.is_available())


def need() -> None:
    """Refuse to go on without a GPU."""
    if not available():
        raise KostkaError("there is no GPU that CUDA can use on this machine")


def ptx(f: Callable, args: Sequence[Any], capability: tuple[int, int] = RECENT) -> str:
    """The machine code of a function for arguments like these; it needs no GPU."""
    asked = dispatcher.get_current_device
    # Of the functions that are called it asks the GPU, though only code is wanted.
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=capability)
    try:
        kinds = tuple(plain(typeof(one)) for one in args)
        return cuda.compile_ptx(f, kinds, device=False, cc=capability)[0]
    finally:
        dispatcher.get_current_device = asked


# --- numba-cuda is told of our kernels and generic functions ---

_resolve = CUDATypingContext.resolve_value_type


def _resolve_value_type(self: Any, value: Any) -> Any:
    return _resolve(self, device(value) if isinstance(value, Kernel) else value)


CUDATypingContext.resolve_value_type = _resolve_value_type
generic.DISPATCHERS["cuda"] = lambda method: types.Dispatcher(device(method))
