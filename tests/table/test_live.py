"""A room with people in it: what each is told, the clock, agents that fail, and slow clients."""

import asyncio
import json
import textwrap

import pytest

from kostka.agents.session import Session
from kostka.core import rules
from kostka.core.game import game
from kostka.core.rng import stream, streams
from kostka.core.state import CHANCE, PUBLIC, begin
from kostka.table import live as live_module
from kostka.table import messages as m
from kostka.table import think
from kostka.table.live import BEHIND, Client, Live
from kostka.table.room import Move, Room, Seat, open_room
from kostka.table.store import TableStore, new_room
from kostka.table.think import Thinker

dicewars = game("dicewars")


def told(client):
    """What is on its way to a client."""
    found = []
    while not client.outbox.empty():
        found.append(client.outbox.get_nowait())
    for text in found:
        m.told.validate_json(text)
    return found


def asked(**message):
    return m.asked.validate_json(json.dumps(message))


async def made(room, tmp_path, thinker=None):
    keep = TableStore(tmp_path / "data")
    await keep.write(new_room(room))
    return Live(room, keep, thinker or Thinker(1), 0.0)


def duel(clock=None, players=2, seed=5):
    seats = [Seat(clock=clock) for _ in range(players)]
    room, _ = open_room(dicewars, {}, seats, {n: f"p{n}" for n in range(players)}, seed=seed)
    return room


# --- what is hidden ---


def dealt(cards, choice):
    """A room of Highest Cards. The choice changes only what seat 1 has been dealt and will draw."""
    room, _ = open_room(cards, {}, [Seat(), Seat()], {0: "Anna", 1: "Bert"}, seed=1)
    room.id, room.seats[0].token, room.seats[1].token = "t", None, None
    table = room._new_table()
    state = table.state
    while state.mover == CHANCE:
        options = state.legal_now()
        hidden = state.seen(options[0], 0) != options[0]
        table.log.append(options[choice if hidden else 0])
        rules.apply(state.record, table.log[-1])
    table.mover, table.legal = state.mover, state.legal_actions
    table.view = state.view(state.mover).buffer
    table.luck = streams(cards.streams, 2 * choice, "luck")
    room.table, room.status = table, "playing"
    room.moves = [Move(0, CHANCE, tuple(table.log))]
    return room


def everything(cards, choice, seat, board, tmp_path):
    """All that a client is told in the course of a game."""

    async def story():
        live = await made(dealt(cards, choice), tmp_path / f"{choice}{seat}{board}")
        clients = {n: Client(n, True) for n in (0, 1)}
        watching = Client(seat, board)
        for client in (*clients.values(), watching):
            await live.enter(client)
        do = live.handle
        for by, action in ((0, "pass"), (1, "take"), (0, "pass"), (1, "pass")):
            if seat is not None and by == seat:
                await do(watching, asked(type="draft", at=live.room.at, actions=[action]))
                await do(watching, asked(type="why", at=live.room.at, clicks=["!9"]))
            await do(clients[by], asked(type="act", at=live.room.at, action=action))
            await do(watching, asked(type="look", at=2, **{"as": seat}))
        await do(watching, asked(type="chat", words="well"))
        texts = told(watching)
        viewer = PUBLIC if seat is None else seat
        texts.append(live.room.record(live.room.viewer(seat, seat)).dumps())
        texts.append(live.room.view_at(live.room.at, viewer).svg)
        live.close()
        live.keep.close()
        return texts, live.room.table.log

    return asyncio.run(story())


@pytest.mark.parametrize("board", [True, False])
@pytest.mark.parametrize("seat", [0, None])
def test_worlds_that_a_seat_cannot_tell_apart_are_told_byte_for_byte_the_same(
    cards, seat, board, tmp_path
):
    (one, truth), (two, other) = (everything(cards, c, seat, board, tmp_path) for c in (0, 1))
    drawn = [(a, b) for a, b in zip(truth, other, strict=True) if a != b]
    assert len(drawn) == 2, "a card that seat 1 was dealt and the one that it took differ"
    assert one == two
    assert len(one) > 12


def test_the_seat_that_holds_the_cards_is_told_them(cards, tmp_path):
    """The test above could not fail if nobody were ever told a card."""
    one, two = (everything(cards, choice, 1, True, tmp_path)[0] for choice in (0, 1))
    assert one != two


def test_what_an_agent_and_a_hint_are_asked_is_the_same_too(cards, tmp_path):
    asked_of = []
    for choice in (0, 1):

        async def story(choice=choice):
            live = await made(dealt(cards, choice), tmp_path / str(choice))
            asked_of.append(live.decision("random", 0))
            live.keep.close()

        asyncio.run(story())
    assert asked_of[0] == asked_of[1]


# --- storing comes first ---


def test_nobody_is_told_of_what_could_not_be_stored(tmp_path):
    async def story():
        live = await made(duel(), tmp_path)
        await live.begin()
        client, other = Client(0, False), Client(1, False)
        for one in (client, other):
            await live.enter(one)
            told(one)
        told(client)
        at, code, put = live.room.at, live.room.table.state.code, live.keep.put

        def broken(rows):
            raise OSError("the disk is full")

        live.keep.put = broken
        mover = (client, other)[live.room.mover]
        with pytest.raises(live_module.KostkaError, match="could not be stored"):
            await live.handle(mover, asked(type="act", at=at, action="end"))
        assert told(client) == told(other) == []
        live.keep.put = put
        await live.handle(mover, asked(type="look", at=at))
        assert (live.room.at, live.room.table.state.code) == (at, code)
        await live.handle(mover, asked(type="act", at=at, action="end"))
        assert [json.loads(text)["type"] for text in told(other)][-2:] == ["events", "position"]
        live.keep.close()

    asyncio.run(story())


# --- the clock ---


def test_who_lets_the_clock_run_out_has_resigned(tmp_path):
    async def story():
        live = await made(duel(clock=0.15), tmp_path)
        client = Client(0, False)
        await live.enter(client)
        await live.begin()
        mover = live.room.mover
        position = json.loads(told(client)[-1])
        assert 0 < position["clock"] <= 0.2
        await asyncio.sleep(0.1)
        await live.handle(Client(mover, False), asked(type="act", at=live.room.at, action="end"))
        await asyncio.sleep(0.1)
        assert live.room.status == "playing"
        await asyncio.sleep(0.2)
        assert live.room.status == "over"
        assert live.room.seats[1 - mover].resigned == "ran out of time"
        assert live.room.result[mover] == 1
        last = json.loads(told(client)[-1])
        assert last["mover"] == -2 and last["result"] == live.room.result
        again = live.keep.load(live.room.id)
        assert (again.status, again.result) == ("over", live.room.result)
        live.keep.close()

    asyncio.run(story())


# --- agents ---

BOTS = """
import os

class Dies:
    def act(self, view):
        os._exit(1)

class Cheats:
    def act(self, view):
        return "0>0"

class Watches:
    def observe(self, event):
        pass
    def act(self, view):
        return view.legal_actions[-1]
"""


def test_an_agent_that_fails_twice_is_replaced_by_a_random_action_and_the_log_says_so(
    tmp_path, monkeypatch
):
    (tmp_path / "table_bots.py").write_text(textwrap.dedent(BOTS))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(think, "COMPILING", 20.0)

    async def story(spec, why):
        thinker = Thinker(1)
        thinker.open()
        seats = [Seat(), Seat("agent", spec, agent=spec, label=spec, ready=True)]
        room, _ = open_room(dicewars, {}, seats, {0: "Anna"}, seed=8)
        live = await made(room, tmp_path / spec.replace(":", ""), thinker)
        client = Client(0, True)
        await live.enter(client)
        await live.begin()
        if live.room.mover == 0:
            await live.handle(client, asked(type="act", at=live.room.at, action="end"))
        notes = []
        until = asyncio.get_running_loop().time() + 30
        while not notes:
            assert asyncio.get_running_loop().time() < until
            await asyncio.sleep(0.01)
            events = [e for text in told(client) for e in json.loads(text).get("events", ())]
            notes += [e["note"] for e in events if "note" in e]
        live.close()
        assert why in notes[0] and "a random action was played" in notes[0]
        assert notes[0] in [one.note for one in live.keep.load(room.id).moves]
        thinker.close()
        live.keep.close()

    asyncio.run(story("table_bots:Dies", "its process died"))
    asyncio.run(story("table_bots:Cheats", "illegal action"))


def test_an_agent_that_observes_is_told_all_that_its_seat_has_seen(cards, tmp_path, monkeypatch):
    (tmp_path / "table_watchers.py").write_text(textwrap.dedent(BOTS))
    monkeypatch.syspath_prepend(tmp_path)

    async def story():
        live = await made(dealt(cards, 1), tmp_path)
        live.room.act(0, live.room.at, ["take"])
        seen = live.room.record(1).events
        past = live.decision("table_watchers:Watches", 1).past
        assert past is not None
        told, session = [], Session(cards, "random", 1, stream("x"))
        session.agent.observe = told.append
        session.recall(live.room.table.start.copy(), past.codes)
        assert [(e.by, e.text) for e in told] == [(e.by, e.text) for e in seen]
        assert "card" in [e.text for e in told]
        assert live.decision("random", 1).past is None
        live.keep.close()

    asyncio.run(story())


def test_a_restart_changes_nothing_of_what_agents_do(tmp_path):
    def room():
        specs = ("mcts:iterations=20", "stei")
        seats = [Seat("agent", s, agent=s, label=s, ready=True) for s in specs]
        return open_room(dicewars, {"areas": 12}, seats, {}, seed=3)[0]

    async def play(live, moves):
        await asyncio.sleep(0)
        while live.room.status == "playing" and len(live.room.moves) < moves:
            await live.play_agent()

    async def story():
        thinker = Thinker(1)
        thinker.open()
        one = await made(room(), tmp_path / "one", thinker)
        one.go_on = lambda: None
        await one.begin()
        await play(one, 60)
        two = await made(room(), tmp_path / "two", thinker)
        two.go_on = lambda: None
        await two.begin()
        for moves in (10, 25, 60):
            await play(two, moves)
            two.room = two.keep.load(two.room.id)
        assert two.room.table.log == one.room.table.log
        assert len(one.room.moves) > 20
        assert any(move.considered for move in one.room.moves)
        thinker.close()
        for live in (one, two):
            live.keep.close()

    asyncio.run(story())


# --- clients ---


def test_a_client_that_does_not_keep_up_is_let_go_and_the_others_are_told(tmp_path):
    async def story():
        live = await made(duel(), tmp_path)
        slow, quick = Client(None, False), Client(None, False)
        await live.enter(slow)
        await live.enter(quick)
        count = len(told(quick))
        for _ in range(BEHIND + 5):
            live.tell_table()
            count += len(told(quick))
        assert slow.lost.is_set() and not quick.lost.is_set()
        assert count >= BEHIND + 5
        live.keep.close()

    asyncio.run(story())


def test_events_are_told_in_order_and_lead_to_the_position(tmp_path):
    async def story():
        live = await made(duel(seed=7), tmp_path)
        client = Client(None, True)
        await live.enter(client)
        await live.begin()
        for _ in range(30):
            async with live.lock:
                before, first = live.snapshot()
                await live.happened(
                    before, first, [live.room.decide(first, live.room.any_action())]
                )
        n = 0
        for text in told(client):
            message = json.loads(text)
            if message["type"] == "events":
                assert [e["n"] for e in message["events"]] == list(
                    range(n + 1, n + 1 + len(message["events"]))
                )
                n += len(message["events"])
            if message["type"] == "position":
                assert message["at"] == n
                assert ("backdrop" in message) == (message["at"] == 0 or n == 0)
        assert n == live.room.at
        late = Client(None, True)
        await live.enter(late)
        past = next(json.loads(t) for t in told(late) if '"past"' in t)
        assert [e["n"] for e in past["events"]] == list(range(1, n + 1))
        texts = [event.text for event in live.room.record(PUBLIC).events]
        assert [e["text"] for e in past["events"]] == texts
        live.keep.close()

    asyncio.run(story())


def test_the_store_gives_back_the_room_that_is_playing(tmp_path):
    async def story():
        live = await made(duel(), tmp_path)
        await live.begin()
        again = live.keep.load(live.room.id)
        assert isinstance(again, Room) and again.status == "playing"
        assert again.table.state.code == live.room.table.state.code
        assert begin(dicewars, again.options, again.seed).code == again.table.start.code
        live.keep.close()

    asyncio.run(story())
