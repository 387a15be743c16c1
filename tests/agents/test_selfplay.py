"""Courses of self-play: settings from text, who sits where, files that go on, and players."""

import numpy as np
import pytest
from battle import COUNT, Learner

from kostka.agents.selfplay import SelfPlay, Training, player, read_settings, schedule
from kostka.core.errors import KostkaError
from kostka.core.game import game
from kostka.learn.td import FIXED, RANDOM, TRUE_ONLINE

dicewars = game("dicewars")
LESSON = SelfPlay(
    "what areas are worth",
    Learner,
    "battle",
    games=100,
    usual={"square": 5.0, "per_turn": 0.0, "per_point": 0.0, "win": 1.0, "loss": 0.0},
    options={"players": 3},
)


def training(learners=None, **changes):
    usual = dict(options={}, games=4, seed=1)
    return Training(dicewars, LESSON, learners or {"0.8": {}}, **{**usual, **changes})


def test_settings_have_the_published_defaults_unless_a_lesson_says_otherwise():
    found = LESSON.check({"lambda": "1"})
    assert found["lambda"] == 1.0 and found["gamma"] == 0.9 and found["win"] == 1.0
    one = LESSON.learner(found)[0]
    assert (one.method, one.decay, one.gamma) == (TRUE_ONLINE, 1.0, 0.9)
    with pytest.raises(KostkaError, match="lambda must be a number from 0 to 1"):
        LESSON.check({"lambda": 1.5})
    with pytest.raises(KostkaError, match="unknown setting of this lesson 'lamda'; did you mean"):
        LESSON.check({"lamda": 1})


def test_a_schedule_says_from_which_game_on_a_setting_is_what():
    assert schedule("epsilon", "0.4 500:0.2 1000:0.1", 0) == ((0, 0.4), (500, 0.2), (1000, 0.1))
    assert schedule("tau", "10", 1) == ((0, 10.0),)
    for text in ("", "a", "0.4 0.2", "5:0.4", "0.4 500:0.2 500:0.1", "0.4 x:1"):
        with pytest.raises(KostkaError, match="epsilon must be a number, or change"):
            schedule("epsilon", text, 0)
    for text in ("2", "-1", "nan"):
        with pytest.raises(KostkaError, match="epsilon must be from 0 to 1"):
            schedule("epsilon", text, 0)


def test_a_settings_file_has_a_key_a_line_and_comments():
    text = "# how far it looks\n  lambda=0.5 # half\n\n gamma = 1\n"
    assert read_settings(LESSON, text, "a.txt") == {"lambda": 0.5, "gamma": 1.0}
    for text, words in (
        ("lambda", "a.txt, line 1: 'lambda' is not key=value"),
        ("lambda=", "is not key=value"),
        ("\nlambda=1\nlambda=0", "line 3: lambda is given twice"),
        ("depht=1", "a.txt: unknown setting"),
        ("lambda=much", "a.txt: lambda must be a number from 0 to 1, not 'much'"),
    ):
        with pytest.raises(KostkaError, match=words):
            read_settings(LESSON, text, "a.txt")


def test_learners_share_the_seats_that_fixed_players_leave():
    assert training().seats == (0, 0, 0)
    assert training({"0": {}, "1": {}}, fixed=("random",)).seats == (0, 1, 2)
    assert training(fixed=("random",)).seats == (0, 0, 1)
    assert training(fixed=("random",)).course.members["method"].tolist() == [TRUE_ONLINE, RANDOM]
    with pytest.raises(
        KostkaError, match="1 learners and 3 fixed players do not fit at a table of"
    ):
        assert training(fixed=("random",) * 3).course


def test_a_stopped_training_goes_on_to_the_same_weights_in_its_file(tmp_path):
    path, other = tmp_path / "a.npz", tmp_path / "b.npz"
    whole = training(games=6).train(path)
    training(games=2).train(other)
    gone_on = training(games=6).train(other)
    assert np.array_equal(gone_on.weights, whole.weights)
    assert np.array_equal(gone_on.turns, whole.turns)
    with pytest.raises(KostkaError, match="seed differs"):
        training(seed=2).train(path)
    assert training(games=6).train(path).games == 6


def test_a_player_is_made_of_a_file(tmp_path):
    path = tmp_path / "two.npz"
    learnt = training({"0": {"lambda": 0}, "1": {"lambda": 1}}, games=3).train(path)
    for member in range(2):
        one = player(LESSON, path, LESSON.check({}), member)
        assert one["method"][0] == FIXED
        assert np.array_equal(one["weights"][0], learnt.weights[member])
    with pytest.raises(KostkaError, match="has 2 players, so there is no member 2"):
        player(LESSON, path, LESSON.check({}), 2)
    np.savez(tmp_path / "other.npz", weights=np.zeros((1, COUNT + 1)))
    with pytest.raises(KostkaError, match=f"needs {COUNT} numbers of weights"):
        LESSON.fixed(str(tmp_path / "other.npz"))
    np.savez(tmp_path / "nan.npz", weights=np.full(COUNT, np.nan))
    with pytest.raises(KostkaError, match="not finite"):
        LESSON.fixed(str(tmp_path / "nan.npz"))
    with pytest.raises(KostkaError, match="no weights are named 'lisk'; known: none, or a file"):
        LESSON.fixed("lisk")
