"""Evolution: operators by hand, the same champion whoever measures and however often stopped."""

import numpy as np
import pytest

from kostka.arena.pool import pool
from kostka.core.errors import KostkaError
from kostka.core.game import game
from kostka.core.record import new
from kostka.core.rng import stream
from kostka.games.dicewars.heuristics import STE, Reference
from kostka.learn import evolution
from kostka.learn.evolution import MUTATIONS, PRESETS, Settings, evolve, offspring
from kostka.learn.fitness import Against

A, B = np.arange(6.0), np.arange(6.0) + 10
SMALL = Settings(population=12, crossover=0.8, mutation=0.5)


def nearness(numbers, generation):
    """How near to 0.5, 1.5, 2.5 … the numbers are."""
    return -float(np.abs(numbers - 0.5 - np.arange(len(numbers))).sum())


def moody(numbers, generation):
    """The same vector is worth more in one generation than in another."""
    return nearness(numbers, generation) + 10 * (generation % 3)


def threshold(numbers):
    """An attacker by the chance to win and hold that it asks for."""
    least, weight = numbers
    return new(Reference, kind=STE, threshold=least, threshold_duel=least, weight=weight)


def test_crossing_at_one_point_changes_places_from_there_on():
    seen = set()
    for n in range(60):
        left, right = evolution.one_point(A, B, stream("cross", n))
        at = int((left == A).sum())
        seen.add(at)
        assert left.tolist() == [*A[:at], *B[at:]]
        assert right.tolist() == [*B[:at], *A[at:]]
    assert seen == {1, 2, 3, 4, 5}


def test_blending_moves_both_by_the_same_share_of_their_difference():
    factors = []
    for n in range(60):
        left, right = evolution.blend(A, B, stream("blend", n))
        factors.append((left - A)[0] / 10)
        assert left - A == pytest.approx(B - right)
        assert left - A == pytest.approx(np.full(6, 10 * factors[-1]))
    assert -1 < min(factors) < -0.8 < 0.8 < max(factors) < 1


def test_either_takes_each_number_from_one_of_the_two():
    left, right = evolution.either(A, B, stream("either"))
    assert set((left - A).tolist()) == {0, 10}
    assert (left + right == A + B).all()


@pytest.mark.parametrize(
    ("name", "low", "high"), [("multiply", 0, 8), ("add", 8, 9), ("shift", 7, 9)]
)
def test_a_mutation_changes_one_number(name, low, high):
    eights, found = np.full(5, 8.0), []
    for n in range(60):
        made = MUTATIONS[name](eights, stream("mutate", n))
        (at,) = np.flatnonzero(made != eights)
        found.append((at, made[at]))
        assert low <= made[at] < high
    assert {at for at, _ in found} == set(range(5))
    values = [value for _, value in found]
    assert min(values) < low + 0.2 * (high - low) < high - 0.2 * (high - low) < max(values)
    assert (eights == 8).all()


def test_as_many_are_crossed_and_mutated_as_the_settings_say():
    people = np.random.default_rng(1).random((100, 4))
    counts = [len(offspring(people, PRESETS["thesis"], stream("count", n))) for n in range(50)]
    assert np.mean(counts) == pytest.approx(60, abs=3)  # 25 pairs give 50, and 10 are mutated
    neither = Settings(crossover=0, mutation=0)
    assert offspring(people, neither, stream("count")) == []
    both = offspring(people, Settings(crossover=1, mutation=1), stream("count"))
    assert len(both) == 200


def test_evolution_finds_what_fitness_asks_for():
    found = evolve(nearness, Settings(), 60, 3, ("seed", 1))
    assert found.generations == 60
    assert found.best == sorted(found.best)
    assert found.best[0] < -2 < -0.3 < found.best[-1] == nearness(found.champion, 0)
    assert found.marks.tolist() == sorted(found.marks, reverse=True)


def test_one_seed_gives_one_champion_and_another_one_another():
    one, again, other = (evolve(nearness, SMALL, 5, 4, ("seed", n)) for n in (1, 1, 2))
    assert np.array_equal(one.people, again.people)
    assert not np.array_equal(one.champion, other.champion)


def test_a_vector_to_start_from_is_one_of_the_first():
    start = 0.5 + np.arange(4.0)
    found = evolve(nearness, SMALL, 3, 4, ("seed", 1), start=start)
    assert found.champion.tolist() == start.tolist()
    assert found.best == [0, 0, 0, 0]


def test_fitness_is_measured_once_in_a_life_or_in_every_generation():
    once = evolve(moody, SMALL, 6, 3, ("seed", 1))
    assert once.best == sorted(once.best)
    again = evolve(moody, Settings(**{**vars(SMALL), "again": True}), 6, 3, ("seed", 1))
    assert again.best[2] > again.best[3]


@pytest.mark.parametrize("stop", [0, 2, 4])
def test_a_run_that_was_stopped_goes_on_to_the_same_champion(tmp_path, stop):
    path, about = tmp_path / "run.npz", {"seed": 1}

    def keep(evolved):
        evolution.save(path, evolved, about, {})
        if evolved.generations == stop:
            raise KeyboardInterrupt

    whole = evolve(nearness, SMALL, 5, 4, ("seed", 1))
    with pytest.raises(KeyboardInterrupt):
        evolve(nearness, SMALL, 5, 4, ("seed", 1), keep=keep)
    so_far = evolution.load(path, about, 4)
    assert so_far.generations == stop
    gone_on = evolve(nearness, SMALL, 5, 4, ("seed", 1), so_far=so_far)
    assert np.array_equal(gone_on.people, whole.people)
    assert np.array_equal(gone_on.marks, whole.marks)
    assert (gone_on.best, gone_on.mean) == (whole.best, whole.mean)


def test_a_file_of_another_evolution_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "run.npz"
    evolution.save(path, evolve(nearness, SMALL, 1, 4, ("seed", 1)), {"seed": 1, "games": 5}, {})
    before = path.read_bytes()
    with pytest.raises(KostkaError, match="seed differs"):
        evolution.load(path, {"seed": 2, "games": 5}, 4)
    with pytest.raises(KostkaError, match="is damaged"):
        evolution.load(path, {"seed": 1, "games": 5}, 7)
    (tmp_path / "none.npz").write_bytes(b"nothing of the kind")
    with pytest.raises(KostkaError, match=r"not an \.npz file"):
        evolution.load(tmp_path / "none.npz", {}, 4)
    assert evolution.load(tmp_path / "missing.npz", {}, 4) is None
    assert path.read_bytes() == before


def test_settings_that_make_no_sense_are_refused():
    with pytest.raises(KostkaError, match="2 members or more"):
        Settings(population=1)
    with pytest.raises(KostkaError, match="one-pint"):
        Settings(crossings={"one-pint": 1})
    with pytest.raises(KostkaError, match="a share above 0"):
        Settings(mutations={"add": 0})


@pytest.fixture(scope="module")
def duel():
    """Who wins more often against an attacker that dares nothing below 60 %."""
    dicewars = game("dicewars")
    return Against.of(dicewars, {"players": 2}, threshold, np.array([0.6, 1.0]), 20, ("duel", 1))


def test_matches_are_a_fitness_that_depends_on_nothing_but_vector_and_generation(duel):
    same, hopeless = duel(np.array([0.6, 1.0]), 0), duel(np.array([2.0, 1.0]), 0)
    assert 0.2 < same < 0.8
    assert hopeless < same
    assert duel(np.array([0.6, 1.0]), 0) == same
    assert len({duel(np.array([0.6, 1.0]), n) for n in range(6)}) > 1


def test_the_champion_is_the_same_for_any_number_of_threads_and_for_processes(duel):
    few = Settings(population=6, crossover=0.7, mutation=0.5)
    alone = evolve(duel, few, 2, 2, ("seed", 1))
    for kind, jobs in (("threads", 1), ("threads", 3), ("processes", 2)):
        with pool(kind, jobs) as workers:
            found = evolve(duel, few, 2, 2, ("seed", 1), pool=workers.map)
        assert np.array_equal(found.people, alone.people), kind
        assert (found.best, found.mean) == (alone.best, alone.mean)


def test_the_champion_is_the_same_on_ray(duel):
    pytest.importorskip("ray")
    few = Settings(population=4, crossover=0.7, mutation=0.5)
    alone = evolve(duel, few, 1, 2, ("seed", 1))
    with pool("ray", 1) as workers:
        found = evolve(duel, few, 1, 2, ("seed", 1), pool=workers.map)
    assert np.array_equal(found.people, alone.people)
