"""The referee checks every action and blames by name; the rest of the table goes on."""

import time

import numpy as np
import pytest

from kostka.agents import make
from kostka.arena.referee import logged, play_game
from kostka.core import play, rules
from kostka.core.errors import KostkaError
from kostka.core.game import game
from kostka.core.rng import stream, streams
from kostka.core.state import State, View, begin

dicewars = game("dicewars")
DUEL = dicewars.check({})


class First:
    """A whole agent: one method."""

    def act(self, view):
        return view.legal_actions[0]


class Notation(First):
    def act(self, view):
        return view.text(view.legal_actions[0])


class Says(First):
    def __init__(self, answer):
        self.answer = answer

    def act(self, view):
        return self.answer


class Crashes(First):
    def act(self, view):
        raise RuntimeError("no idea")


class Sleeps(First):
    def act(self, view):
        time.sleep(5)
        return view.legal_actions[0]


class Loops(First):
    def act(self, view):
        while True:
            pass


def test_a_class_with_one_method_plays_a_game_to_its_end():
    played = play_game(dicewars, DUEL, [First(), Notation()], 1)
    assert sum(played.returns) == pytest.approx(1)
    assert not played.faults


@pytest.mark.parametrize(
    ("culprit", "words"),
    [
        (Crashes(), "crashed: RuntimeError: no idea"),
        (Says("nonsense"), "returned nonsense: 'nonsense'"),
        (Says(None), "returned nonsense"),
        (Says(1.5), "returned nonsense"),
        (Says([1, 2]), "returned nonsense"),
        (Says(10**30), "illegal action"),
        (Says(-7), "illegal action"),
        (Says("0>0"), "illegal action, 0>0"),
    ],
)
def test_the_culprit_loses_with_the_reason(culprit, words):
    for seat in (0, 1):
        agents = [First(), First()]
        agents[seat] = culprit
        played = play_game(dicewars, DUEL, agents, 1, record=True)
        assert played.returns[seat] == 0.0
        assert played.returns[1 - seat] == 1.0
        assert words in played.faults[seat]
        assert played.record.faults == played.faults
        played.record.verify()


@pytest.mark.parametrize("culprit", [Sleeps(), Loops()])
def test_who_is_late_loses_and_nobody_waits(culprit):
    began = time.perf_counter()
    played = play_game(dicewars, DUEL, [culprit, First()], 1, limit=0.1)
    assert time.perf_counter() - began < 2
    assert played.returns == [0.0, 1.0]
    assert "ran out of time" in played.faults[0]


class Exits(First):
    def act(self, view):
        raise SystemExit(3)


class FailsToBegin(First):
    def begin(self, seat, rng):
        raise OSError("no data")


class FailsToObserve(First):
    def observe(self, event):
        raise KeyError("event")


@pytest.mark.parametrize("culprit", [Exits(), FailsToBegin(), FailsToObserve()])
def test_whatever_an_agent_does_ends_only_its_own_game(culprit):
    played = play_game(dicewars, DUEL, [First(), culprit], 1, record=True)
    assert played.returns == [1.0, 0.0]
    assert "crashed" in played.faults[1]


def test_a_search_that_is_late_is_interrupted():
    agents = [make(dicewars, "mcts:iterations=1000000"), First()]
    make(dicewars, "mcts:iterations=2").act(begin(dicewars, DUEL, 1).view(0))
    began = time.perf_counter()
    played = play_game(dicewars, DUEL, agents, 1, limit=0.2)
    assert time.perf_counter() - began < 2
    assert "ran out of time" in played.faults[0]


def test_the_others_share_the_win_at_a_larger_table():
    options = dicewars.check({"players": 4})
    played = play_game(dicewars, options, [First(), Crashes(), First(), First()], 1)
    assert played.returns == pytest.approx([1 / 3, 0, 1 / 3, 1 / 3])


def test_an_agent_gets_a_view_of_its_own_and_cannot_touch_the_state():
    seen = []

    class Vandal(First):
        def act(self, view):
            assert isinstance(view, View)
            assert not isinstance(view, State)
            seen.append(view.seat)
            action = view.legal_actions[0]
            view.record.dice[:] = 8
            view.record.owner[:] = view.seat
            return action

    vandal = play_game(dicewars, DUEL, [Vandal(), Vandal()], 3)
    honest = play_game(dicewars, DUEL, [First(), First()], 3)
    assert vandal.returns == honest.returns
    assert vandal.decisions == honest.decisions
    assert set(seen) == {0, 1}


def test_an_agent_that_observes_is_told_everything_in_order():
    events = []

    class Watcher(First):
        def observe(self, event):
            events.append((event.by, event.text))

    played = play_game(dicewars, DUEL, [Watcher(), First()], 5, record=True)
    assert events == [(e.by, e.text) for e in played.record.events]


@pytest.mark.parametrize("code", [-1, 65536, 1 << 40])
def test_a_code_that_does_not_fit_into_a_log_is_refused(code):
    """It would become another one without a word."""
    assert logged([0, 65535]).tolist() == [0, 65535] and len(logged([])) == 0
    with pytest.raises(KostkaError, match=rf"from 0 to 65535, not {code}; run kostka check"):
        logged([5, code, 7])


def test_the_compiled_contest_plays_the_same_game_as_the_referee():
    names = ["stei", "random"]
    for seed in range(5):
        agents = [make(dicewars, name) for name in names]
        refereed = play_game(dicewars, DUEL, agents, seed)
        states = begin(dicewars, DUEL, seed).buffer
        policies = np.concatenate([agent.policy for agent in agents])
        out, prob = np.empty(dicewars.width, np.int64), np.empty(dicewars.width)
        rngs = np.stack([stream(seed, "agent", seat) for seat in range(2)])
        luck = streams(dicewars.streams, seed, "luck")
        log = np.empty(100_000, np.int64)
        n, codes = play.contest(
            states, states.copy(), policies, luck, rngs, out, prob, 1 << 40, log
        )
        gain = np.zeros(2)
        rules.returns(states[0], gain)
        assert n == refereed.decisions
        assert log[:codes].tolist() == refereed.codes.tolist()
        assert gain.tolist() == refereed.returns
