"""Records: what may be one, what keeps them apart, and how they are copied."""

import re

import numpy as np
import pytest

from kostka.core.errors import KernelError
from kostka.core.game import game
from kostka.core.kernels import kernel
from kostka.core.memory import copy, restore
from kostka.core.record import (
    ANY_SET,
    JIT,
    beyond_limits,
    brand,
    canonical,
    canonical_size,
    fill,
    new,
    record,
    unlimited,
    within,
)

Board = record(
    "test_record.board",
    turn="i8",
    weight=("f8", 3),
    owner=("i1", 40),
    fixed=dict(neighbours=("u8", 20), extent=("i2", (2, 2))),
)
Other = record("test_record.other", turn="i8", weight=("f8", 3), owner=("i1", 40))
Twin = record("test_record.twin", turn="i8", weight=("f8", 3), owner=("i1", 40))


def filled(dtype: np.dtype, seed: int) -> np.ndarray:
    """A record full of noise, every byte of it."""
    noise = np.random.default_rng(seed).bytes(dtype.itemsize)
    return np.frombuffer(noise, dtype).copy()


# --- what may be a record ---


def test_a_record_has_a_brand_and_no_padding():
    assert brand(Board) == "test_record.board"
    assert brand(np.dtype([("turn", "i8")])) is None
    assert Board.itemsize == 8 + 24 + 40 + 160 + 8
    assert Board.names == ("turn", "weight", "owner", "@test_record.board", "neighbours", "extent")


def test_records_with_equal_fields_are_different():
    assert Other != Twin
    assert Other.itemsize == Twin.itemsize
    assert new(Other).dtype == Other != new(Twin).dtype


@pytest.mark.parametrize(
    ("fields", "padding"),
    [
        (dict(small="i1", wide="i8"), 7),
        (dict(wide="i8", small="i1"), 7),
        (dict(wide="i4", small=("i2", 3)), 2),
        (dict(wide="i8", fixed=dict(small="i2")), 6),
        (dict(small="i4", fixed=dict(wide="i8")), 4),
    ],
)
def test_padding_is_refused_with_advice(fields, padding):
    advice = f"test_record.padded has {padding} bytes of padding; order its fields from wide to"
    with pytest.raises(KernelError, match=advice):
        record("test_record.padded", **fields)


@pytest.mark.parametrize(
    "kind", ["f4", "u4", "u1", "b1", "U3", "O", "i16", np.int32, int, ("f4", 2), None, 8]
)
def test_only_some_kinds_of_fields_are_allowed(kind):
    message = r"field odd of record test_record.odd is .*; use i1, i2, i4, i8, u8, f8"
    with pytest.raises(KernelError, match=message):
        record("test_record.odd", odd=kind)


def test_a_name_belongs_to_one_record():
    again = record("test_record.twin", turn="i8", weight=("f8", 3), owner=("i1", 40))
    assert again == Twin
    with pytest.raises(KernelError, match=r"already a record named test_record.twin, made in .*"):
        record("test_record.twin", turn="i8")


def test_a_name_belongs_to_one_file(write):
    path = write("copied.py", "twin = record('test_record.twin', turn='i8', weight=('f8', 3))")
    space = {"record": record, "__file__": str(path), "__name__": "copied"}
    with pytest.raises(KernelError, match="already a record named"):
        exec(path.read_text(), space)


def test_new_is_one_zeroed_record_with_the_values_given():
    one = new(Board, turn=3, owner=[1] * 40)
    assert one.shape == (1,) and one.dtype == Board
    assert one[0].turn == 3 and one[0].owner.sum() == 40
    assert not one[0].neighbours.any()


def test_canonical_bytes_depend_on_content_only():
    one = new(Other, turn=3)
    narrow = canonical(one)
    assert len(narrow) == 8 * (1 + 3 + 40)
    assert canonical(new(Twin, turn=3)) == narrow
    assert canonical(new(Twin, turn=4)) != narrow


def test_without_the_jit_integers_are_wide(python):
    """Python wraps narrow integers in its own way; wide ones do not get there."""
    code = """
        from kostka.core.record import canonical, new, record
        R = record("wide", turn="i4", owner=("i1", 3), mask="u8", weight="f8")
        print(R["turn"], R["owner"].base, R["mask"], R["weight"], len(canonical(new(R))))
    """
    assert python(code, NUMBA_DISABLE_JIT=1) == "int64 int64 uint64 float64 48"


# --- copies ---


@kernel
def copy_first(boards):
    copy(boards[0], boards[1])


@kernel
def restore_first(boards):
    restore(boards[0], boards[1])


@kernel
def copy_into(a, b):
    copy(a[0], b[0])


def in_python(call):
    return getattr(call, "py_func", call)


@pytest.mark.parametrize("call", [copy_first, in_python(copy_first)], ids=["kernel", "python"])
def test_copy_copies_everything(call):
    boards = np.concatenate([filled(Board, 1), filled(Board, 2), filled(Board, 3)])
    before = boards.tobytes()
    call(boards)
    size = Board.itemsize
    assert boards.tobytes() == before[size : 2 * size] + before[size:]


@pytest.mark.parametrize(
    "call", [restore_first, in_python(restore_first)], ids=["kernel", "python"]
)
def test_restore_copies_what_changes_and_no_more(call):
    boards = np.concatenate([filled(Board, 1), filled(Board, 2), filled(Board, 3)])
    before = boards.copy()
    call(boards)
    for field in ("turn", "weight", "owner"):
        assert boards[0][field].tobytes() == before[1][field].tobytes()
    for field in ("neighbours", "extent"):
        assert boards[0][field].tobytes() == before[0][field].tobytes()
    assert boards[1:].tobytes() == before[1:].tobytes()


def test_a_record_is_not_copied_into_another_kind():
    from numba.core.errors import TypingError

    with pytest.raises(TypingError):
        copy_into(new(Other), new(Twin))


def test_copies_are_one_memcpy():
    """Of exactly the size of the record: fields one by one would cost 17 times as much."""
    dtype = game("dicewars").dtype
    front = dtype.fields[f"@{brand(dtype)}"][1]
    assert 0 < front < dtype.itemsize
    for call, size in (("copy", dtype.itemsize), ("restore", front)):
        space = {"copy": copy, "restore": restore, "__name__": "notebook"}
        exec(f"def f(a, b):\n    {call}(a[0], b[0])", space)  # without a file: never from the cache
        f = kernel(space["f"])
        f(new(dtype), new(dtype))
        (code,) = f.inspect_llvm().values()
        sizes = re.findall(r"call void @llvm\.memcpy[.\w]*\(.*?, i64 (\d+), i1", code)
        assert set(map(int, sizes)) == {size}
        body = re.search(r"^define [^\n]*notebook[^\n]*\{(.*?)^\}", code, re.S | re.M)
        assert body and body[1].count("store") < 5


# --- limits ---

Limited = record(
    "test_record.limited",
    mask=within(0, ANY_SET, "u8"),
    share=within(0, 1, "f8"),
    place=within(-1, 5, "i1", 8),
)


@pytest.mark.parametrize(
    ("field", "value", "wrong"),
    [
        ("place", [0, 1, 2, 3, 4, 5, -1, 0], None),
        ("place", [0, 1, 2, 3, 4, 6, -1, 0], "place must be from -1 to 5"),
        ("place", [-2] * 8, "place must be from -1 to 5"),
        ("share", 1.0, None),
        ("share", 1.1, "share must be from 0 to 1"),
        ("share", np.nan, "share must be from 0 to 1"),
        ("mask", 2**64 - 1, None),
    ],
)
def test_a_value_beyond_its_limits_is_told(field, value, wrong):
    assert beyond_limits(new(Limited, **{field: value})) == wrong


def test_fields_without_limits_are_told():
    assert unlimited(Limited) == []
    assert unlimited(record("test_record.half", a=within(0, 1, "i8"), b="i8")) == ["b"]


def test_a_number_too_wide_for_its_field_is_refused_not_wrapped():
    wide = np.frombuffer(canonical(new(Limited)), np.int64).copy()
    wide[-1] = 300 if JIT else 2**40
    one = new(Limited)
    with pytest.raises(ValueError, match="place holds a number that does not fit"):
        fill(one, wide.tobytes())


@pytest.mark.parametrize("size", [0, 8, 10 * 8 - 1, 10 * 8 + 8])
def test_content_of_another_size_is_refused(size):
    assert canonical_size(Limited) == 10 * 8
    with pytest.raises(ValueError, match="another record"):
        fill(new(Limited), bytes(size))
