"""Networks in kernels: what they answer by hand, the same for parts, and what files may hold."""

from math import exp

import numpy as np
import pytest

from kostka.core.errors import KostkaError
from kostka.core.kernels import kernel
from kostka.core.memory import floats
from kostka.core.record import record
from kostka.core.rng import stream, uniform
from kostka.learn import network
from kostka.learn.network import WIDEST, Saved, add, answer, ask, sigmoid, thresholds

SMALL = ((2, 2, 1), (1, 3))
DEEP = ((5, 7, 4, 3, 2), (3, 1))
Nets = record("test.nets", kind="i8", **network.fields(SMALL, DEEP))

# The first network of SMALL: thresholds and a row for each input of the hidden layer, then the
# threshold and the two weights of the output. The second: three neurons, one input.
BY_HAND = np.array([0.5, -1.0, 1.0, 2.0, -3.0, 0.25, 0.1, -2.0, 4.0, 0.0, 1.0, -1.0, 2.0, 3.0, 4.0])


@kernel
def answers(nets, net, given, out):
    """The door for Python."""
    values = floats(WIDEST)
    for i in range(len(given)):
        values[i] = given[i]
    ask(nets[0], net, values)
    for i in range(len(out)):
        out[i] = values[i]


@kernel
def answers_in_parts(nets, net, given, out):
    """The same, with the first layer summed up by hand, somewhere in the middle of other sums."""
    values, sums, room = floats(WIDEST), floats(WIDEST), floats(WIDEST)
    thresholds(nets[0], net, room, 20)
    for i in range(len(given)):
        add(nets[0], net, i, given[i], room, 20)
    for j in range(nets[0].sizes[net, 1]):
        sums[j] = room[20 + j]
    answer(nets[0], net, sums, values)
    for i in range(len(out)):
        out[i] = values[i]


def run(door, nets, net, given, outputs):
    out = np.zeros(outputs)
    door(nets, net, np.array(given, float), out)
    return out


def logistic(x):
    return 1 / (1 + exp(-x))


def test_a_network_answers_as_worked_out_by_hand():
    nets = network.make(Nets, SMALL, BY_HAND, slope=2.0)
    first = logistic(2 * (0.5 + 3 * 1.0 + 0.5 * -3.0))
    second = logistic(2 * (-1.0 + 3 * 2.0 + 0.5 * 0.25))
    output = logistic(2 * (0.1 - 2.0 * first + 4.0 * second))
    assert run(answers, nets, 0, [3.0, 0.5], 1) == pytest.approx([output], abs=1e-6)
    three = [logistic(2 * x) for x in (0.0 + 2.0 * 0.1, 1.0 + 3.0 * 0.1, -1.0 + 4.0 * 0.1)]
    assert run(answers, nets, 1, [0.1], 3) == pytest.approx(three, abs=1e-6)


def test_a_deep_network_answers_as_matrices_do():
    rng = np.random.default_rng(1)
    numbers = rng.normal(size=network.length(DEEP))
    nets = network.make(Nets, DEEP, numbers, slope=1.0, kind=7)
    given = rng.normal(size=5)
    values, at = given, 0
    for a, b in zip(DEEP[0], DEEP[0][1:], strict=False):
        layer = numbers[at : at + (a + 1) * b].reshape(a + 1, b)
        values, at = 1 / (1 + np.exp(-(layer[0] + values @ layer[1:]))), at + (a + 1) * b
    assert run(answers, nets, 0, given, 2) == pytest.approx(values, abs=1e-5)
    assert nets["kind"][0] == 7


@pytest.mark.parametrize(
    ("family", "net", "inputs", "outputs"), [(DEEP, 0, 5, 2), (SMALL, 1, 1, 3)]
)
def test_a_first_layer_summed_up_in_parts_answers_the_same(family, net, inputs, outputs):
    rng = np.random.default_rng(2)
    nets = network.make(Nets, family, rng.normal(size=network.length(family)))
    for given in rng.normal(size=(20, inputs)):
        whole = run(answers, nets, net, given, outputs)
        assert np.array_equal(whole, run(answers_in_parts, nets, net, given, outputs))


def test_the_sigmoid_rises_from_0_to_1_and_is_right_to_a_millionth():
    points = np.linspace(-20, 20, 3001)
    found = np.array([sigmoid(x) for x in points])
    assert found == pytest.approx(1 / (1 + np.exp(-points)), abs=1e-6)
    assert (np.diff(found) >= 0).all()
    assert sigmoid(0.0) == 0.5
    assert 0 < sigmoid(-1e9) < 1e-15 < 1 - 1e-15 < sigmoid(1e9) < 1


def test_the_sigmoid_tells_apart_what_is_far_out():
    found = [sigmoid(x) for x in (17.0, 17.0 + 1e-6, 30.0, 35.0)]
    assert found == sorted(set(found))
    assert sigmoid(-30.0) == pytest.approx(exp(-30.0), rel=1e-5)


def test_answers_are_the_same_on_every_machine():
    rng = stream("network")
    numbers = np.array([uniform(rng) * 2 - 1 for _ in range(network.length(DEEP))])
    nets = network.make(Nets, DEEP, numbers, slope=2.0)
    found = run(answers, nets, 0, [1.0, -2.0, 3.0, 0.5, 7.0], 2)
    assert [x.hex() for x in found.tolist()] == ["0x1.c0cae2a1a7740p-3", "0x1.aadc51cb53e65p-2"]


def test_a_network_has_a_number_for_each_synapse_and_each_neuron():
    assert network.length(SMALL) == (2 * 2 + 2) + (2 * 1 + 1) + (1 * 3 + 3) == len(BY_HAND)


@pytest.mark.parametrize("sizes", [(3,), (), (2, 0), (2, WIDEST + 1), (-1, 2)])
def test_sizes_that_no_network_has_are_refused(sizes):
    with pytest.raises(KostkaError, match="two layers or more"):
        network.fields((sizes,))


def test_a_record_takes_exactly_the_numbers_of_its_networks():
    with pytest.raises(KostkaError, match="15 numbers, not 14"):
        network.make(Nets, SMALL, BY_HAND[:-1])


def test_networks_come_back_from_their_file(tmp_path):
    saved = Saved(DEEP, np.random.default_rng(3).normal(size=network.length(DEEP)), 2.0)
    network.save(tmp_path / "deep.npz", saved)
    found = network.load(tmp_path / "deep.npz")
    assert (found.family, found.slope) == (DEEP, 2.0)
    assert np.array_equal(found.numbers, saved.numbers)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"numbers": BY_HAND[:-1]}, "must hold 15 numbers, not 14"),
        ({"numbers": np.r_[BY_HAND[:-1], np.nan]}, "not finite"),
        ({"slope": np.array(np.inf)}, "not finite"),
        ({"slope": np.array(["steep"])}, "holds no networks"),
        ({"sizes": np.array([2, 2, 1])}, "holds no networks"),
        ({"sizes": np.array([[2.0, 2.0, 1.0]])}, "holds no networks"),
        ({"sizes": np.array([[2, 1 << 40, 1]])}, "1 to 256 neurons"),
        ({"numbers": np.array([object()] * 15)}, "not an .npz file of numbers"),
    ],
)
def test_a_file_that_holds_no_networks_is_refused_with_the_reason(tmp_path, change, words):
    path = tmp_path / "nets.npz"
    np.savez(path, **{**Saved(SMALL, BY_HAND).arrays(), **change})
    with pytest.raises(KostkaError, match=words):
        network.load(path)


def test_a_file_that_is_not_there_or_of_another_kind_is_refused(tmp_path):
    with pytest.raises(KostkaError, match="cannot be read: No such file"):
        network.load(tmp_path / "none.npz")
    (tmp_path / "text.npz").write_text("nothing of the kind")
    with pytest.raises(KostkaError, match=r"not an \.npz file"):
        network.load(tmp_path / "text.npz")
