"""A game with hidden cards from end to end: records, agents and searches see only what they may."""

import importlib
import json
from pathlib import Path

import numpy as np
import pytest

from kostka.agents import make
from kostka.arena.referee import play_game
from kostka.core.log import Event, GameLog, start_record
from kostka.core.record import canonical
from kostka.core.rng import stream
from kostka.core.state import CHANCE, PUBLIC
from kostka.search.mcts import Mcts


@pytest.fixture(scope="module")
def cards():
    patch = pytest.MonkeyPatch()
    patch.syspath_prepend(Path(__file__).parent)
    yield importlib.import_module("cardgame").game
    patch.undo()


@pytest.fixture(scope="module")
def record(cards) -> GameLog:
    agents = [make(cards, "random") for _ in range(3)]
    options = cards.check({"players": 3})
    played = play_game(cards, options, agents, 5, names=["a", "b", "c"], record=True)
    assert played.record is not None
    played.record.verify()
    return played.record


def test_the_record_of_a_seat_replays_to_exactly_what_that_seat_saw(record):
    truth = list(record.positions())
    for seat in (0, 1, 2, PUBLIC):
        own = record.for_seat(seat)
        own.verify()
        seen = list(own.positions())
        assert len(seen) == len(truth)
        for state, view in zip(truth, seen, strict=True):
            assert canonical(state.view(seat).buffer) == canonical(view.buffer)


def test_the_record_of_a_seat_tells_only_its_own_cards(record):
    dealt = [e.text for e in record.events if e.by == CHANCE]
    for seat in range(3):
        own = [e.text for e in record.for_seat(seat).events if e.by == CHANCE]
        known = [i for i, (a, b) in enumerate(zip(dealt, own, strict=True)) if a == b]
        assert 0 < len(known) < len(dealt)
    public = [e.text for e in record.for_seat(PUBLIC).events if e.by == CHANCE]
    assert not set(public) & set(dealt)


def test_worlds_that_a_seat_cannot_tell_apart_give_it_the_same_record(cards):
    """The other player's first card differs; one's own record does not."""
    texts = set()
    for choice in (0, 1):
        state = cards.new(seed=1)
        log = start_record(state, ["a", "b"])
        while state.mover == CHANCE:
            code = state.legal_now()[0]
            if state.seen(code, 0) != code:  # a card of the other player's
                code = state.legal_now()[choice]
            log.events.append(Event(CHANCE, state.text(code)))
            state.apply(code)
        texts.add((log.dumps(), log.for_seat(0).dumps()))
    assert len({whole for whole, _ in texts}) == 2
    assert len({own for _, own in texts}) == 1


def test_the_seed_never_comes_with_the_record_of_a_seat(record):
    assert record.seed == 5
    for seat in (0, PUBLIC):
        end = json.loads(record.for_seat(seat).dumps().splitlines()[-1])
        assert "result" in end and "seed" not in end


def test_an_observing_agent_is_told_what_its_record_holds(cards):
    told: list[tuple[int, str]] = []

    class Watcher:
        def act(self, view):
            return view.legal_actions[0]

        def observe(self, event):
            told.append((event.by, event.text))

    played = play_game(cards, cards.check({}), [Watcher(), make(cards, "random")], 3, record=True)
    assert played.record is not None
    assert told == [(e.by, e.text) for e in played.record.for_seat(0).events]


def test_a_search_gives_the_same_answer_for_worlds_that_look_the_same(cards):
    state = cards.new(seed=2).settle(stream(1))
    other = state.view(0).sample(stream(9))
    assert canonical(other.buffer) != canonical(state.buffer)
    searches = [Mcts(s.view(0), stream(4)).run(300).root for s in (state, other)]
    assert searches[0] == searches[1]


def test_searches_play_a_hidden_game_better_than_chance(cards):
    for spec in ("mcts:iterations=200", "expectimax:depth=2,samples=8"):
        won = []
        for seed in range(60):
            seat = seed % 2
            agents = [make(cards, "random"), make(cards, "random")]
            agents[seat] = make(cards, spec)
            played = play_game(cards, cards.check({}), agents, seed // 2)
            assert not played.faults
            won.append(played.returns[seat])
        assert np.mean(won) > 0.62
