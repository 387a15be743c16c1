"""Feed-forward networks of any sizes: arrays of numbers that kernels ask, the same everywhere.

A game that plays by networks puts them into a record of its own, one family of networks after the
other in one vector: ``record("pig.nets", **fields(((4, 8, 1), (3, 2))))``. The numbers of a
network lie by layer: the thresholds, then a row for each input, so that sums are made side by side.
"""

import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, prod
from pathlib import Path
from typing import Any

import numpy as np

from kostka.core.errors import KostkaError
from kostka.core.kernels import kernel
from kostka.core.memory import floats
from kostka.core.record import new

#: The neurons of each layer of a network, inputs first; and the networks of a family.
Sizes = Sequence[int]
Family = Sequence[Sizes]

#: The most neurons of a layer: each call keeps so many numbers on the stack.
WIDEST = 256
#: The largest file of networks that is read, in bytes.
MOST = 1 << 24

#: The sigmoid below 0 as a table with straight lines between: as fast as a product, and the same on
#: every machine, which exp is not. It is off by less than a millionth, and so far out it still
#: tells apart what double precision can.
REACH, STEPS = 36, 128
TABLE = np.array([float(f"{1 / (1 + exp(n / STEPS)):.12g}") for n in range(REACH * STEPS, -2, -1)])


# --- the record ---


def length(family: Family) -> int:
    """How many numbers a family has: a weight for each synapse, a threshold for each neuron."""
    return sum((a + 1) * b for sizes in family for a, b in pairwise(sizes))


def fields(*families: Family) -> dict[str, Any]:
    """The fields of a record that can hold any of these families."""
    for family in families:
        check(family)
    nets = max(map(len, families))
    layers = max(len(sizes) for family in families for sizes in family)
    return {
        "slope": "f8",  # of the sigmoid
        "begin": ("i8", nets),  # where the numbers of each network begin
        "sizes": ("i8", (nets, layers + 1)),  # 0: no more layers
        "numbers": ("f8", max(map(length, families))),
    }


def check(family: Family) -> None:
    """Refuse sizes that no networks can have."""
    for sizes in family:
        if len(sizes) < 2 or not all(1 <= n <= WIDEST for n in sizes):
            raise KostkaError(
                f"a network has two layers or more, each of 1 to {WIDEST} neurons, not {[*sizes]}"
            )


def make(
    dtype: np.dtype, family: Family, numbers: np.ndarray, slope: float = 1.0, **values: Any
) -> np.ndarray:
    """A record of a dtype with these ``fields`` that holds a family."""
    if len(numbers) != length(family):
        raise KostkaError(f"these networks have {length(family)} numbers, not {len(numbers)}")
    one = new(dtype, slope=slope, **values)
    at = 0
    for net, sizes in enumerate(family):
        one["begin"][0, net] = at
        one["sizes"][0, net, : len(sizes)] = sizes
        at += length([sizes])
    one["numbers"][0, :at] = numbers
    return one


# --- inside kernels ---


@kernel
def sigmoid(x):
    at = (REACH - abs(x)) * STEPS
    if at > 0.0:
        n = int(at)
        y = TABLE[n] + (TABLE[n + 1] - TABLE[n]) * (at - n)
    else:
        y = TABLE[0]
    return 1.0 - y if x > 0.0 else y


@kernel
def ask(p, net, values):
    """Run a network on the inputs in ``values``, scratch for WIDEST; its outputs lie there then."""
    sums = floats(WIDEST)
    thresholds(p, net, sums, 0)
    for i in range(p.sizes[net, 0]):
        add(p, net, i, values[i], sums, 0)
    answer(p, net, sums, values)


@kernel
def thresholds(p, net, sums, at):
    """Begin the sums of a first layer, which lie from ``at`` on."""
    first = p.begin[net]
    for j in range(p.sizes[net, 1]):
        sums[at + j] = p.numbers[first + j]


@kernel
def add(p, net, i, x, sums, at):
    """Add an input to the sums of a first layer: what inputs have in common is added only once."""
    width = p.sizes[net, 1]
    row = max(0, p.begin[net] + (i + 1) * width)
    for j in range(width):
        sums[at + j] += x * p.numbers[row + j]


@kernel
def answer(p, net, sums, values):
    """Run a network whose first layer has its sums already; they are used up."""
    first, slope, layer = p.begin[net], p.slope, 1
    n, m = p.sizes[net, 0], p.sizes[net, 1]
    while True:
        for j in range(m):
            values[j] = sigmoid(slope * sums[j])
        first += (n + 1) * m
        layer += 1
        n, m = m, p.sizes[net, layer]
        if m == 0:
            break
        row = max(0, first)
        for j in range(m):
            sums[j] = p.numbers[row + j]
        for i in range(n):
            x = values[i]
            row += m
            for j in range(m):
                sums[j] += x * p.numbers[row + j]


# --- files ---


@dataclass(frozen=True)
class Saved:
    """A family of networks as a file has it."""

    family: tuple[tuple[int, ...], ...]
    numbers: np.ndarray
    slope: float = 1.0

    def arrays(self) -> dict[str, np.ndarray]:
        """What is written of it, by name."""
        sizes = np.zeros((len(self.family), max(map(len, self.family))), np.int64)
        for net, layers in enumerate(self.family):
            sizes[net, : len(layers)] = layers
        return {"sizes": sizes, "numbers": self.numbers, "slope": np.array(self.slope)}


def save(path: Path, saved: Saved) -> None:
    """Write networks to an ``.npz`` file."""
    np.savez(path, **saved.arrays())  # type: ignore[arg-type]


def load(path: Path) -> Saved:
    """The networks in an ``.npz`` file, checked."""
    found = arrays(path)
    try:
        sizes, numbers = found["sizes"], np.asarray(found["numbers"], np.float64)
        slope = float(found["slope"])
        if sizes.ndim != 2 or sizes.dtype.kind not in "iu" or prod(sizes.shape) > WIDEST:
            raise ValueError
    except (KeyError, ValueError, TypeError):
        raise KostkaError(f"{path} holds no networks: it needs sizes, numbers, slope") from None
    family = tuple(tuple(int(n) for n in row if n) for row in sizes)
    check(family)
    if numbers.shape != (length(family),):
        raise KostkaError(f"{path} must hold {length(family)} numbers, not {numbers.size}")
    if not np.isfinite(numbers).all() or not np.isfinite(slope):
        raise KostkaError(f"{path} holds numbers that are not finite")
    return Saved(family, numbers, slope)


def arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays in an ``.npz`` file that may come from anybody."""
    try:
        if path.stat().st_size > MOST:
            raise KostkaError(f"{path} is larger than any file of networks")
        with zipfile.ZipFile(path) as packed:
            if sum(entry.file_size for entry in packed.infolist()) > 4 * MOST:
                raise KostkaError(f"{path} is larger than any file of networks")
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except OSError as error:
        raise KostkaError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, EOFError, zipfile.BadZipFile, zlib.error):
        raise KostkaError(f"{path} is not an .npz file of numbers") from None
