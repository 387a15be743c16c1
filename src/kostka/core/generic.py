"""Generic functions: the dtypes of the record arguments pick the method, in Python and kernels."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numba.core import types
from numba.core.datamodel.models import OpaqueModel
from numba.core.imputils import lower_constant
from numba.core.target_extension import current_target
from numba.extending import register_model, typeof_impl

from kostka.core.errors import KernelError
from kostka.core.kernels import kernel
from kostka.core.kernels.dependencies import records_in
from kostka.core.record import brand

Key = tuple[np.dtype, ...]


class Generic:
    """A function of the contract; games and heuristics add methods for their records.

    Methods are found by the dtypes of the leading arguments, the longest match first, so that a
    policy may serve every game or one. ``default`` picks the kernel where no method fits.
    """

    def __init__(self, f: Callable, default: Callable[[Key], Any] | None = None) -> None:
        self.name = f.__name__
        self.__doc__ = f.__doc__
        self.default = default
        self.methods: dict[Key, Any] = {}

    def __repr__(self) -> str:
        return f"<generic {self.name}>"

    def method(self, *dtypes: np.dtype) -> Callable[[Callable], Any]:
        """Register the method for these records: ``@rules.apply.method(State)``."""
        if not dtypes or not all(isinstance(d, np.dtype) and brand(d) for d in dtypes):
            raise KernelError(f"methods of {self.name} are for dtypes made by record()")
        if dtypes in self.methods:
            names = ", ".join(str(brand(d)) for d in dtypes)
            raise KernelError(f"{self.name} already has a method for {names}")

        def register(f: Callable) -> Any:
            self.methods[dtypes] = kernel(f)
            return self.methods[dtypes]

        return register

    def find(self, key: Key) -> Any:
        """The kernel for these leading record dtypes; None where there is none."""
        for length in range(len(key), 0, -1):
            if key[:length] in self.methods:
                return self.methods[key[:length]]
        return self.default(key) if self.default else None

    def candidates(self, dtypes: set[np.dtype]) -> Iterator[Callable]:
        """Every function that a call with some of these records may end in."""
        for key, method in [*self.methods.items()]:  # another thread may import a game meanwhile
            if dtypes.issuperset(key):
                yield method.py_func
        if self.default:
            yield self.default

    def need(self, key: Key) -> Any:
        found = self.find(key)
        if found is None:
            names = ", ".join(str(brand(d)) for d in key) or "arguments that are not records"
            raise KernelError(f"{self.name} has no method for {names}")
        return found

    def __call__(self, *args: Any) -> Any:
        return self.need(_leading(args))(*args)


def _leading(args: tuple) -> Key:
    key = []
    for one in args:
        dtype = getattr(one, "dtype", None)
        if dtype is None or dtype.names is None:
            break
        key.append(dtype)
    return tuple(key)


def generic(f: Callable | None = None, *, default: Callable[[Key], Any] | None = None) -> Any:
    """Declare a generic function; its body is never run, its docstring is its contract."""
    if f is None:
        return lambda g: Generic(g, default)
    return Generic(f, default)


#: How machine code calls a kernel, by what it is compiled for.
DISPATCHERS: dict[str, Callable[[Any], types.Dispatcher]] = {"cpu": types.Dispatcher}


class GenericType(types.Callable, types.Dummy):
    """How a kernel sees a generic function: a call is a call of the method for its records."""

    def __init__(self, generic: Generic) -> None:
        self.generic = generic
        super().__init__(f"generic({generic.name})")

    @property
    def key(self) -> Any:
        return self.name, id(self.generic)

    def dispatcher(self, args: Any) -> types.Dispatcher:
        key: list[np.dtype] = []
        for t in args:
            if not isinstance(t, types.Record):
                break
            key += records_in(t)
        return DISPATCHERS[current_target()](self.generic.need(tuple(key)))

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        return self.dispatcher(args).get_call_type(context, args, kws)

    def get_call_signatures(self) -> Any:
        return (), True

    def get_impl_key(self, sig: Any) -> Any:
        return self.dispatcher(sig.args).get_impl_key(sig)


register_model(GenericType)(OpaqueModel)


@typeof_impl.register(Generic)
def _typeof(value: Generic, context: Any) -> GenericType:
    return GenericType(value)


@lower_constant(GenericType)
def _constant(context: Any, builder: Any, ty: Any, value: Any) -> Any:
    return context.get_dummy_value()
