"""Generic functions: the same method in Python and in compiled code, always."""

import numpy as np
import pytest

from kostka.core import rules
from kostka.core.errors import KernelError
from kostka.core.generic import generic
from kostka.core.kernels import kernel
from kostka.core.record import new, record

Left = record("test_generic.left", x="i8")
Right = record("test_generic.right", x="i8")
Lone = record("test_generic.lone", x="i8")
Careful = record("test_generic.careful", weight="f8")
Bold = record("test_generic.bold", weight="f8")


@generic
def side(s):
    """Which side it is."""


@side.method(Left)
def left_side(s):
    return 10 + s.x


@side.method(Right)
def right_side(s):
    return 20 + s.x


@kernel
def side_of_first(states):
    return side(states[0])


def test_equal_fields_are_kept_apart_in_python_and_in_kernels():
    left, right = new(Left, x=1), new(Right, x=2)
    for _ in range(2):
        assert (side(left[0]), side(right[0])) == (11, 22)
        assert (side_of_first(left), side_of_first(right)) == (11, 22)
    assert len(side_of_first.overloads) == 2


def test_a_second_method_is_an_error():
    def again(s):
        return 0

    with pytest.raises(KernelError, match=r"side already has a method for test_generic.left"):
        side.method(Left)(again)
    assert side.methods[(Left,)] is left_side


@pytest.mark.parametrize("dtype", [np.dtype("i8"), np.dtype([("x", "i8")]), int, None])
def test_methods_are_for_records_only(dtype):
    with pytest.raises(KernelError, match=r"methods of side are for dtypes made by record\(\)"):
        side.method(dtype)
    with pytest.raises(KernelError, match="made by record"):
        side.method()


def test_a_missing_method_is_named():
    lone = new(Lone)
    with pytest.raises(KernelError, match=r"side has no method for test_generic.lone"):
        side(lone[0])
    with pytest.raises(KernelError, match=r"side has no method for test_generic.lone"):
        side_of_first(lone)
    with pytest.raises(KernelError, match=r"side has no method for arguments that are not records"):
        side(3)


def test_a_method_may_come_while_candidates_are_looked_through():
    """As when one thread compiles a game and another one imports the next."""
    seen = side.candidates({Left, Right, Lone})
    first = next(seen)

    @side.method(Lone)
    def lone_side(s):
        return 30 + s.x

    assert {first.__name__, *(f.__name__ for f in seen)} >= {"left_side", "right_side"}
    del side.methods[Lone,]


# --- several records, and defaults ---


@generic(default=lambda key: at_random)
def manner(p, s):
    """How a policy plays a game."""


@kernel
def at_random(p, s):
    return 0


@manner.method(Careful)
def careful(p, s):
    return 1


@manner.method(Careful, Left)
def careful_on_the_left(p, s):
    return 2


@manner.method(Bold, Right)
def bold_on_the_right(p, s):
    return 3


@kernel
def manner_of_first(policies, states):
    return manner(policies[0], states[0])


@pytest.mark.parametrize(
    ("policy", "state", "expected"),
    [(Careful, Left, 2), (Careful, Right, 1), (Bold, Right, 3), (Bold, Left, 0), (Lone, Left, 0)],
)
def test_the_longest_match_is_taken_then_the_default(policy, state, expected):
    p, s = new(policy), new(state)
    assert manner(p[0], s[0]) == expected
    assert manner_of_first(p, s) == expected


def test_the_contract_has_defaults_for_what_a_game_need_not_say():
    left, out = new(Left), np.zeros(2)
    assert rules.chance(left[0], np.zeros(2, np.int64), out) == 0
    assert rules.luck_source(left[0]) == 0
    assert rules.seen(left[0], 5, 0) == 5
    rules.redact(left[0], 0)
    with pytest.raises(KernelError, match=r"mover has no method for test_generic.left"):
        rules.mover(left[0])


# --- names ---

NAMESAKE = """
from kostka.core.generic import generic
from kostka.core.kernels import kernel
from kostka.core.record import record

State = record("{name}.state", x="i8")

@generic
def namesake(s):
    "A generic function of the same name as the other module's."

@kernel
def call(states):
    return namesake(states[0])
"""


def test_generic_functions_of_one_name_are_not_mixed_up(fresh, write):
    method = "\n@namesake.method(State)\ndef method(s):\n    return {}\n"
    write("one.py", NAMESAKE.format(name="one") + method.format(1))
    write("two.py", NAMESAKE.format(name="two") + method.format(2))

    def both():
        import one
        import two

        return int(one.call(new(one.State))), int(two.call(new(two.State)))

    assert fresh(both).value == (1, 2)


# --- one method, one compilation ---


@generic
def plus(s, n):
    """Add a number."""


@plus.method(Left)
def plus_left(s, n):
    return s.x + n


@kernel
def many_kinds_of_numbers(states, narrow, flag):
    s = states[0]
    return plus(s, 1) + plus(s, narrow[0]) + plus(s, narrow[0] > 1) + plus(s, flag) + plus(s, 1 + 1)


def test_a_method_is_compiled_once_for_all_widths_of_integers(fresh):
    def compile_it():
        found = many_kinds_of_numbers(new(Left, x=10), np.array([3], np.int8), True)
        return int(found), [str(types[1]) for types in plus_left.overloads]

    assert fresh(compile_it).value == (50 + 1 + 3 + 1 + 1 + 2, ["int64"])


def test_without_the_jit_the_same_methods_are_found(python, write):
    write("two_sides.py", TWO_SIDES)
    code = "import two_sides; print(*two_sides.answers())"
    assert python(code, NUMBA_DISABLE_JIT=1) == python(code) == "11 22 11 22"


TWO_SIDES = """
from kostka.core import kernels
from kostka.core.kernels import cache
from kostka.core.generic import generic
from kostka.core.record import new, record

cache.on_compile.clear()
Left, Right = record("left", x="i4", y="i4"), record("right", x="i4", y="i4")

@generic
def side(s):
    "Which side it is."

@side.method(Left)
def left_side(s):
    return 10 + s.x

@side.method(Right)
def right_side(s):
    return 20 + s.x

@kernels.kernel
def first(states):
    return side(states[0])

def answers():
    left, right = new(Left, x=1), new(Right, x=2)
    return side(left[0]), side(right[0]), first(left), first(right)
"""
