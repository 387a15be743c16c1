"""Agents think in processes of their own: one that hangs or dies harms nobody."""

import asyncio
import json
import os
import time

import numpy as np
import pytest

from kostka.agents import make
from kostka.agents.session import Session
from kostka.agents.spec import levels
from kostka.arena.referee import play_game
from kostka.core.errors import KostkaError
from kostka.core.game import game
from kostka.core.rng import stream
from kostka.core.state import begin
from kostka.table import think
from kostka.table.think import Failed, Thinker

dicewars, pig = game("dicewars"), game("pig")


@pytest.fixture(scope="module")
def thinker():
    made = Thinker(1)
    made.open()
    yield made
    made.close()


def call(thinker, *given, **rest):
    return asyncio.run(thinker.call(*given, **rest))


def test_a_process_that_hangs_is_killed_and_replaced(thinker, monkeypatch):
    assert call(thinker, os.getpid, key="getpid") > 0
    first = call(thinker, os.getpid, key="getpid")
    monkeypatch.setattr(think, "COMPILING", 0.0)
    monkeypatch.setattr(think, "LOADING", 0.0)
    began = time.monotonic()
    with pytest.raises(Failed, match="no answer within"):
        call(thinker, time.sleep, 60, limit=0.3)
    assert time.monotonic() - began < 5
    monkeypatch.undo()
    assert call(thinker, os.getpid, key="getpid") != first


def test_a_process_that_dies_is_replaced(thinker):
    with pytest.raises(Failed, match="its process died"):
        call(thinker, os._exit, 1)
    assert call(thinker, os.getpid) > 0


def test_a_mistake_comes_back_as_it_is_and_a_crash_without_its_details(thinker):
    with pytest.raises(KostkaError, match="not a game record"):
        call(thinker, think.read_record, '{"format": "x"}')
    with pytest.raises(Failed, match=r"^crashed: FileNotFoundError$"):
        call(thinker, os.listdir, "/no/such/folder")


def test_an_agent_decides_as_it_would_at_the_referee(thinker):
    state = begin(dicewars, dicewars.check({}), 4).settle(stream(4))
    view, spec, own = state.view(state.mover), "mcts:iterations=100", stream("x")
    session = Session(dicewars, spec, view.seat, own)
    session.begin()
    wanted = session.act(view, 3)
    asked = think.Decision(
        "dicewars",
        dict(view.options),
        spec,
        view.seat,
        own.tobytes(),
        3,
        view.buffer.tobytes(),
        None,
    )
    thought = call(thinker, think.decide, asked)
    assert thought.action == wanted
    best = [[one.action, one.visits, round(one.value, 4)] for one in session.agent.search.root[:8]]
    assert thought.considered == best


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("my_bot:Bot", "unknown agent"),
        ("os.path:join", "unknown agent"),
        ("kostka.agents.generic:PolicyAgent", "unknown agent"),
        ("mcts:iterations=1000000", "iterations of mcts must be at most 20000"),
        ("mcts:seconds=3600", "seconds of mcts must be at most 5"),
        ("mcts:playout=../../etc/passwd", "playout of mcts is a number or a name"),
        ("mcts:playout=nothing", "unknown playout policy"),
        ("expectimax:depth=60", "depth of expectimax must be at most 3"),
        ("", "names no agent"),
        ("mcts:c", "unknown agent"),
    ],
)
def test_clients_get_only_named_agents_within_limits(spec, words):
    with pytest.raises(KostkaError, match=words):
        think.asked(dicewars, spec)


def test_clients_get_what_is_allowed():
    assert think.asked(dicewars, " mcts:iterations=300,c=0.5 ") == "mcts:iterations=300,c=0.5"
    for name, spec in levels(dicewars).items():
        assert think.asked(dicewars, name) == spec
        make(dicewars, spec)
    assert think.stand_in(dicewars) in levels(dicewars).values()


def test_an_agent_plays_on_at_every_game_also_where_some_agents_cannot():
    for name in ("dicewars", "pig", "scotland-yard", "scotland-yard-grid"):
        make(game(name), think.stand_in(game(name)))


# --- records that strangers bring ---


@pytest.fixture(scope="module")
def record():
    agents = [make(pig, "random"), make(pig, "random")]
    played = play_game(pig, pig.check({"goal": 20}), agents, 6, names=["Anna", "Bert"], record=True)
    return played.record.dumps()


def edited(record, line, **fields):
    lines = [json.loads(one) for one in record.splitlines()]
    lines[line].update(fields)
    return "".join(
        json.dumps({k: v for k, v in one.items() if v is not ...}) + "\n" for one in lines
    )


def test_a_whole_record_is_read_as_codes(record):
    found = think.read_record(record)
    state = begin(pig, pig.check({"goal": 20}), 6)
    for code, mover in zip(found["codes"], found["movers"], strict=True):
        assert state.mover == mover
        state.apply(code)
    assert state.returns == found["result"]
    assert found["seats"] == ["Anna", "Bert"]


def test_a_record_from_a_made_up_position_is_refused_before_anything_is_played(record, monkeypatch):
    other = begin(pig, pig.check({"goal": 20}), 6)
    other.record.score[:] = 15, 15
    monkeypatch.setattr(think.GameLog, "verify", lambda record: pytest.fail("it was played"))
    with pytest.raises(KostkaError, match="did not start from seed 6"):
        think.read_record(edited(record, 0, start=other.code))


@pytest.mark.parametrize(
    ("line", "fields", "words"),
    [
        (-1, {"seed": ...}, "only the record of a whole game"),
        (-1, {"seed": -1}, "not a number that a seed can be"),
        (-1, {"seed": "6"}, "not a number that a seed can be"),
        (-1, {"seed": True}, "not a number that a seed can be"),
        (-1, {"seed": 10**30}, "not a number that a seed can be"),
        (-1, {"result": [1.0]}, "no share for every seat"),
        (-1, {"result": [float("nan"), 1.0]}, "no share for every seat"),
        (-1, {"result": [1.0, 0.0], "hash": "0"}, "does not end where the record says"),
        (0, {"seat": 0}, "only the record of a whole game"),
        (0, {"game": "chess"}, "unknown game"),
        (0, {"seats": ["a"]}, "is damaged"),
        (3, {"do": "hold!"}, "does not fit"),
    ],
)
def test_a_record_that_is_not_what_it_says_is_refused(record, line, fields, words):
    with pytest.raises(KostkaError, match=words):
        think.read_record(edited(record, line, **fields))


def test_what_is_expected_and_what_was_luck_add_up_to_the_result(record):
    found = think.read_record(record)
    made = think.analyse("pig", found["options"], found["seed"], found["codes"])
    assert len(made["expectation"]) == len(found["codes"]) + 1
    assert made["expectation"][-1] == found["result"]
    np.testing.assert_allclose(np.sum(made["expectation"], axis=1), 1, atol=1e-3)
    total = np.sum([event["luck"] for event in made["events"]], axis=0)
    np.testing.assert_allclose(total, made["luck"], atol=1e-2)
    luck = [event["n"] - 1 for event in made["events"]]
    assert luck == [n for n, mover in enumerate(found["movers"]) if mover == -1]
