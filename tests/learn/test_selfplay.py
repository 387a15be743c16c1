"""Self-play: values that are known are found, and courses are the same however they are run."""

import numpy as np
import pytest
from battle import COUNT, Learner
from walk.rules import PLACES, Walker

from kostka.arena.pool import pool
from kostka.core.errors import KostkaError
from kostka.core.game import game, game_at
from kostka.core.record import new
from kostka.learn import selfplay
from kostka.learn.selfplay import CHUNK, Course, go_on, play, survey
from kostka.learn.td import FIXED, METHODS, MONTE_CARLO, RANDOM, SARSA, TD, TRUE_ONLINE

KNOWN = np.arange(1, PLACES + 1) / 6
#: The size of a step falls, so that the noise of single games dies away.
FALLING = {"alpha": tuple((200 * n, 0.1 / (n + 1)) for n in range(30))}


def walk(method, decay=0.0, schedule=FALLING):
    one = new(Walker, method=method, gamma=1.0, decay=decay, per_point=1.0)
    return Course.of(
        game_at("walk:game"), {}, one, ("walker",), "walk.rules", (0,), ("walk", 1), schedule
    )


def battle(*members, seats=(0, 0, 0), seed=1, schedule=None):
    """Dice Wars of three, learnt by True Online TD(λ); members by what they do differently."""
    usual = dict(method=TRUE_ONLINE, alpha=0.02, gamma=0.95, decay=0.8, epsilon=0.2, win=1.0)
    made = np.concatenate([new(Learner, **{**usual, **one}) for one in members])
    names = tuple(str(n) for n in range(len(members)))
    dicewars, key = game("dicewars"), ("battle", seed)
    return Course.of(dicewars, {}, made, names, "battle", seats, key, schedule or {})


@pytest.mark.parametrize(
    ("method", "decay"),
    [(MONTE_CARLO, 0), (SARSA, 0), (TD, 0), (TD, 0.8), (TRUE_ONLINE, 0), (TRUE_ONLINE, 0.8),
     (TRUE_ONLINE, 1)],
)  # fmt: skip
def test_the_values_of_a_random_walk_are_found(method, decay):
    learnt = go_on(walk(method, decay), 6000)
    assert learnt.weights[0] == pytest.approx(KNOWN, abs=0.04), METHODS[method]


def test_of_a_game_its_length_and_the_points_of_losers_are_noted():
    learnt = play(walk(TD), selfplay.Learnt.nothing(walk(TD)), 400)
    assert learnt.turns.mean() == pytest.approx(9, abs=1.2)  # (5 + 1)² / 4 steps
    assert set(learnt.winner.tolist()) == {0}
    assert learnt.losers.tolist() == [0] * 400


def test_an_episode_longer_than_its_memory_is_played_again_with_more(monkeypatch):
    whole = go_on(walk(MONTE_CARLO), 100)
    monkeypatch.setattr(selfplay, "ROOM", 2)
    assert np.array_equal(go_on(walk(MONTE_CARLO), 100).weights, whole.weights)


def test_self_play_is_the_mean_of_all_seats():
    course = battle({})
    one = go_on(course, 1)
    assert one.weights.any() and one.weights.shape == (1, COUNT)
    apart = go_on(battle({}, {}, {}, seats=(0, 1, 2)), 1)
    assert one.weights[0] == pytest.approx(apart.weights.mean(axis=0), abs=1e-12)


def test_those_who_are_fixed_do_not_learn_and_learners_keep_their_own_settings():
    course = battle({"decay": 0.0}, {"decay": 1.0}, {"method": FIXED}, seats=(0, 1, 2))
    learnt = go_on(course, 3)
    assert not learnt.weights[2].any()
    assert not np.array_equal(learnt.weights[0], learnt.weights[1])
    assert course.learns.tolist() == [True, True, False]
    assert [course.seated(n) for n in range(3)] == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]


def test_settings_follow_their_schedule_from_game_to_game():
    course = battle({}, schedule={"epsilon": ((0, 0.4), (500, 0.2))})
    found = [course.setting("epsilon", n) for n in (0, 499, 500, 9000)]
    assert found == [0.4, 0.4, 0.2, 0.2]
    assert course.setting("alpha", 7) is None


def test_what_was_learnt_wins_more_than_playing_at_random():
    learnt = go_on(battle({}), 60)
    players = [dict(method=FIXED, weights=learnt.weights[0], epsilon=0.0), dict(method=RANDOM)]
    found = play(
        battle(*players, seats=(0, 1, 1), seed=2), selfplay.Learnt.nothing(
            battle(*players, seats=(0, 1, 1), seed=2)
        ), 60
    )  # fmt: skip
    assert (found.winner == 0).mean() > 0.6


@pytest.mark.parametrize("stop", [20, CHUNK, CHUNK + 7])
def test_a_course_that_was_stopped_goes_on_to_the_same_weights(tmp_path, stop):
    path, about, course = tmp_path / "td.npz", {"seed": 1}, walk(TRUE_ONLINE, 0.8)
    whole = go_on(course, 2 * CHUNK + 10)
    selfplay.save(path, go_on(course, stop), about, {})
    so_far = selfplay.load(path, about, course)
    assert so_far.games == stop
    gone_on = go_on(course, 2 * CHUNK + 10, so_far=so_far)
    for name, found in vars(gone_on).items():
        assert np.array_equal(found, getattr(whole, name)), name


def test_a_file_of_another_course_is_refused_and_left_alone(tmp_path):
    path, course = tmp_path / "td.npz", walk(TD)
    selfplay.save(path, go_on(course, 2), {"seed": 1}, {})
    before = path.read_bytes()
    with pytest.raises(KostkaError, match="seed differs"):
        selfplay.load(path, {"seed": 2}, course)
    with pytest.raises(KostkaError, match="is damaged"):
        selfplay.load(path, {"seed": 1}, battle({}))
    for cut in (0, 10, len(before) // 2, len(before) - 1):
        (tmp_path / "cut.npz").write_bytes(before[:cut])
        with pytest.raises(KostkaError, match=r"not an \.npz file|holds no course"):
            selfplay.load(tmp_path / "cut.npz", {"seed": 1}, course)
    assert path.read_bytes() == before
    assert selfplay.load(tmp_path / "missing.npz", {}, course) is None


def test_weights_that_grow_beyond_all_numbers_are_said_to(tmp_path):
    with pytest.raises(KostkaError, match="take a smaller alpha"):
        go_on(walk(TD, 1.0, {"alpha": ((0, 1e30),)}), 100)


def test_a_survey_has_the_mean_and_deviation_at_the_ends_of_turns():
    learner = new(Learner, win=1.0)
    mean, deviation = survey(game("dicewars"), {"players": 3}, learner, ("s", 1), 20)
    again = survey(game("dicewars"), {"players": 3}, learner, ("s", 1), 20)
    assert np.array_equal(mean, again[0]) and np.array_equal(deviation, again[1])
    assert (deviation[:5] > 0).all() and 0 < mean[4] < 1
    assert not learner["weights"].any()


def test_weights_are_the_same_for_any_number_of_threads_and_for_processes():
    courses = [battle({}, seed=n) for n in (1, 2)]
    alone = [go_on(course, 12).weights for course in courses]
    for kind, jobs in (("threads", 1), ("threads", 3), ("processes", 2)):
        with pool(kind, jobs) as workers:
            for course, expected in zip(courses, alone, strict=True):
                assert np.array_equal(go_on(course, 12, run=workers.map).weights, expected), kind


def test_weights_are_the_same_on_ray():
    pytest.importorskip("ray")
    alone = go_on(battle({}), 6).weights
    with pool("ray", 1) as workers:
        assert np.array_equal(go_on(battle({}), 6, run=workers.map).weights, alone)
