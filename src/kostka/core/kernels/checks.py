"""What a kernel may not do, found in what the compiler has learnt of it."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core import ir, types

from kostka.core.errors import KernelError


def check_rules(f: Callable, result: Any) -> None:
    """Refuse what compiles but is slow, wrong or nothing for a GPU: assigning a record, mixing u8
    with other numbers, NumPy's functions of a number."""
    note = result.type_annotation
    if note is None or not hasattr(note, "typemap"):
        return
    for block in note.blocks.values():
        for statement in block.body:
            wrong = next(filter(None, (rule(statement, note.typemap) for rule in RULES)), None)
            if wrong:
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


def calls_ufunc(statement: Any, typemap: Any) -> str | None:
    """NumPy's functions of a number are ufuncs, which CUDA refuses; those of math it takes."""
    if not isinstance(statement, ir.Assign) or getattr(statement.value, "op", "") != "call":
        return None
    called = getattr(typemap.get(statement.value.func.name), "typing_key", None)
    if not isinstance(called, np.ufunc):
        return None
    name = called.__name__
    instead = f"math.{name}" if hasattr(math, name) else f"what Python has for {name}"
    return f"np.{name} is nothing for a GPU; use {instead}"


RULES = (assigns_record, mixes, calls_ufunc)


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
