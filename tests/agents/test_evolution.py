"""Rounds of evolution: each against the champion of the one before, in files that can go on."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from kostka.agents.evolution import (
    Evolution,
    Plan,
    Round,
    Training,
    changed,
    curves,
    numbers_in,
)
from kostka.core.errors import KostkaError
from kostka.core.game import game
from kostka.core.record import new
from kostka.games.dicewars.heuristics import STE, Reference
from kostka.learn.evolution import Settings

dicewars = game("dicewars")


def attacker(variant, numbers):
    """An attacker by the chance to win and hold that it asks for, all alike or as it likes."""
    least, weight = (numbers[0], 1.0) if variant == "plain" else numbers
    return new(Reference, kind=STE, threshold=least, threshold_duel=least, weight=weight)


LESSON = Evolution(
    "how bold an attacker is",
    {"plain": 1, "fine": 2},
    attacker,
    lambda variant: np.full({"plain": 1, "fine": 2}[variant], 0.9),
    {"quick": Plan(Settings(population=4, mutation=0.5), (2, 1), 6, {"players": 2})},
)
QUICK = LESSON.plans["quick"]


@pytest.fixture
def training(tmp_path):
    return Training(dicewars, LESSON, QUICK, 1, lambda one: tmp_path / f"{one}.npz")


def test_a_round_is_played_against_the_champion_of_the_one_before(training, tmp_path):
    first, second = Round("fine", 1, 1), Round("fine", 1, 2)
    assert training.opponent(first).tolist() == [0.9, 0.9]
    champion = training.train(first).champion
    assert training.opponent(second).tolist() == champion.tolist()
    assert numbers_in(tmp_path / "fine-1-1.npz", 2).tolist() == champion.tolist()
    evolved = training.train(second)
    assert evolved.generations == 1
    about = np.load(tmp_path / "fine-1-2.npz")["about"].item()
    assert '"game": "dicewars"' in about and '"seed": 1' in about


def test_a_round_without_the_one_before_is_refused_unless_it_is_shipped(training):
    second = Round("plain", 1, 2)
    with pytest.raises(KostkaError, match="against the champion of plain-1-1, which is not there"):
        training.train(second)
    shipped = Evolution(**{**vars(LESSON), "shipped": lambda *one: np.array([0.25])})
    told = Training(dicewars, shipped, QUICK, 1, training.path)
    assert told.opponent(second).tolist() == [0.25]


def test_attempts_differ_and_chains_may_go_side_by_side(training, tmp_path):
    rounds = [Round("plain", attempt, number) for number in (2, 1) for attempt in (1, 2)]
    chains = training.chains(rounds)
    assert [[one.number for one in chain] for chain in chains] == [[1, 2], [1, 2]]
    alone = [[training.train(one).people for one in chain] for chain in chains]
    assert not np.array_equal(alone[0][0], alone[1][0])
    for path in tmp_path.iterdir():
        path.unlink()
    with ThreadPoolExecutor(2) as pool:
        beside = list(pool.map(lambda chain: [training.train(one).people for one in chain], chains))
    assert all(np.array_equal(a, b) for x, y in zip(alone, beside, strict=True)
               for a, b in zip(x, y, strict=True))  # fmt: skip


def test_a_stopped_training_goes_on_to_the_same_champion(training, tmp_path):
    one = Round("fine", 1, 1)
    whole = training.train(one)
    (tmp_path / "fine-1-1.npz").unlink()

    def stop(_, evolved):
        if evolved.generations == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Training(dicewars, LESSON, QUICK, 1, training.path, watch=stop).train(one)
    gone_on = training.train(one)
    assert np.array_equal(gone_on.people, whole.people)
    assert gone_on.best == whole.best
    longer = changed(QUICK, generations=3, population=None, games=None, options={})
    assert Training(dicewars, LESSON, longer, 1, training.path).train(one).generations == 3
    other = Training(dicewars, LESSON, QUICK, 2, training.path)
    with pytest.raises(KostkaError, match="seed differs"):
        other.train(one)


def test_rounds_and_variants_that_there_are_not_are_refused(training):
    with pytest.raises(KostkaError, match="from 1 to 2, not 3"):
        training.chains([Round("plain", 1, 3)])
    with pytest.raises(KostkaError, match="did you mean plain"):
        training.chains([Round("plan", 1, 1)])


def test_a_file_of_other_numbers_is_no_opponent(tmp_path):
    np.savez(tmp_path / "three.npz", numbers=np.zeros(3))
    with pytest.raises(KostkaError, match="does not hold the 2 numbers"):
        numbers_in(tmp_path / "three.npz", 2)


def test_champions_that_come_with_a_game_tell_how_they_evolved(training, tmp_path):
    evolved = training.train(Round("plain", 1, 1))
    shipped = replace(training.lesson, history=tmp_path / "plain.json")
    assert curves(training.lesson) == []
    row = {"variant": "plain", "attempt": 1, "number": 1}
    row |= {"best": evolved.best, "mean": evolved.mean}
    (tmp_path / "plain.json").write_text(json.dumps({"rounds": [row]}))
    assert curves(shipped) == [{"name": "plain-1-1", "best": evolved.best, "mean": evolved.mean}]
