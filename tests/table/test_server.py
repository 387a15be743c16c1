"""The server over the network: whole games, who may do what, records, and what gets out."""

import contextlib
import json
import logging
import random
import re
import sqlite3
import threading

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from kostka.core.game import game
from kostka.core.log import GameLog
from kostka.core.state import PUBLIC, load
from kostka.table import think
from kostka.table.guard import LOCAL, Limits
from kostka.table.room import digest
from kostka.table.store import TableStore

AGENTS = [{"kind": "agent", "agent": "ste"}, {"kind": "agent", "agent": "stei"}]


def random_choice(seed):
    chance = random.Random(seed)
    return lambda position: chance.choice(position["legal"])["action"]


def facts(server, table):
    """All of a table that anybody could have changed."""
    return server.get(f"/api/tables/{table}").json(), server.get(f"/api/tables/{table}/record").text


# --- whole games ---


def test_two_bots_play_a_whole_game_of_dice_wars(server):
    mine, yours = server.duel(options={"areas": 12}, public=True, name="Two bots")
    listed = [t["id"] for t in server.get("/api/tables").json()]
    assert mine["table"] in listed
    with server.seat(mine) as one, server.seat(yours) as two:
        two.until("table")
        two.send(type="ready")
        other = threading.Thread(target=two.play, args=(random_choice(1),))
        other.start()
        last = one.play(random_choice(2))
        other.join(30)
    assert two.got[-1]["result"] == last["result"]
    told = [e for message in one.got if message["type"] == "events" for e in message["events"]]
    assert [e["n"] for e in told] == list(range(1, last["at"] + 1))
    record = GameLog.loads(server.get(f"/api/tables/{mine['table']}/record").text)
    record.verify()
    assert [(e.by, e.text) for e in record.events] == [(e["by"], e["text"]) for e in told]
    assert (record.result, record.seed, record.seats) == (
        last["result"], last["seed"], ["Anna", "Bert"]
    )  # fmt: skip
    table = server.get(f"/api/tables/{mine['table']}").json()
    assert (table["status"], table["result"]) == ("over", last["result"])
    assert mine["table"] not in [t["id"] for t in server.get("/api/tables").json()]


def test_a_person_plays_an_agent_at_a_table_that_starts_at_once(server):
    seats = [{"kind": "person"}, {"kind": "agent", "agent": "mcts:iterations=30"}]
    mine = server.open(seats=seats, options={"areas": 8}, you="Anna")
    with server.seat(mine, board=True) as me:
        table = me.until("table")
        assert table["status"] == "playing" and table["casual"] and table["you"] == 0
        last = me.play(random_choice(3))
    analysis = server.get(f"/api/tables/{mine['table']}/analysis").json()
    assert len(analysis["expectation"]) == last["at"] + 1
    parts = zip(analysis["start"], analysis["luck"], analysis["rest"], strict=True)
    assert [analysis["fair"] + sum(part) for part in parts] == pytest.approx(last["result"])
    assert all(one["by"] == 1 and one["actions"] for one in analysis["considered"])
    assert analysis["considered"]
    first = analysis["considered"][0]
    assert first["did"] in [one["action"] for one in first["actions"]]


def test_the_view_of_a_bot_is_a_position_with_the_same_legal_actions(server):
    with server.playing() as (mover, _):
        position = next(p for p in mover.got[::-1] if p["type"] == "position")
        found = game("dicewars")
        options = next(p for p in mover.got if p["type"] == "table")["options"]
        view = load(found, options, position["view"])
        texts = [view.text(a) for a in view.legal_actions]
        assert texts == [one["action"] for one in position["legal"]]
        assert view.mover == position["mover"] and "layer" not in position


def test_a_page_gets_the_backdrop_once_and_clicks_for_every_action(server):
    with server.playing(board=True) as (mover, other):
        position = next(p for p in mover.got[::-1] if p["type"] == "position")
        assert position["backdrop"].startswith("<g") and position["layer"].startswith("<g")
        assert all(one["clicks"] and one["words"] for one in position["legal"])
        mover.send(type="act", at=position["at"], action="end")
        following = other.until("position")
        assert "backdrop" not in following and following["layer"] != position["layer"]
        assert following["legal"] and following["words"]


def test_agents_play_alone_while_somebody_watches(server):
    made = server.open(seats=AGENTS, options={"areas": 8})
    assert made["seat"] is None and made["seats"] == []
    with server.seat(made, board=True) as me:
        assert me.until("table")["you"] is None
        last = me.until("position", mover=-2)
        assert sum(last["result"]) == pytest.approx(1) and last["legal"] == []


# --- coming back ---


def test_who_comes_back_is_told_the_same_at_once(server):
    with server.playing() as (mover, other):
        before = next(p for p in mover.got[::-1] if p["type"] == "position")
        mover.socket.close()
        other.until("table")
        with server.seat({"table": mover.table, "token": mover.token}) as again:
            assert again.receive()["type"] == "table"
            assert again.receive() == before
            again.send(type="act", at=before["at"], action="end")
            assert again.until("position")["at"] > before["at"]


def test_the_table_says_who_is_here(server):
    with server.playing() as (mover, other):
        other.socket.close()
        table = mover.until("table")
        assert [seat["here"] for seat in table["seats"]].count(True) == 1


# --- who may do what ---


def test_nobody_comes_in_with_a_wrong_token(server):
    mine, _ = server.duel()
    for token in ("x", mine["token"][:-1], digest(mine["token"])):
        with server.seat({"table": mine["table"], "token": token}) as me:
            assert "not the right to a seat" in me.receive()["error"]
            with pytest.raises(ConnectionClosed):
                me.receive()


def test_nobody_acts_for_another_out_of_turn_or_against_the_rules(server):
    with server.playing() as (mover, other), server.seat({"table": mover.table}) as spectator:
        at = next(p for p in mover.got[::-1] if p["type"] == "position")["at"]
        before = facts(server, mover.table)
        for who, message, words in (
            (other, {"type": "act", "at": at, "action": "end"}, "not your turn"),
            (other, {"type": "draft", "at": at, "actions": ["end"]}, "not your turn"),
            (other, {"type": "hint"}, "only at casual tables"),
            (other, {"type": "look", "at": at, "as": 7}, "no seat 7"),
            (other, {"type": "look", "at": at, "as": "all"}, "only when the game is over"),
            (other, {"type": "look", "at": at + 9}, "have not happened"),
            (other, {"type": "leave"}, "the game has begun"),
            (other, {"type": "hello"}, "already"),
            (spectator, {"type": "act", "at": at, "action": "end"}, "only who has a seat"),
            (spectator, {"type": "resign"}, "only who has a seat"),
            (spectator, {"type": "ready"}, "only who has a seat"),
            (mover, {"type": "act", "at": at - 1 if at else 9, "action": "end"}, "too late"),
            (mover, {"type": "act", "at": at, "action": "0>0"}, "."),
            (mover, {"type": "act", "at": at, "actions": ["end", "end"]}, "luck or another"),
            (mover, {"type": "why", "at": at, "clicks": ["t0", "t0"]}, "."),
            (mover, {"type": "why", "at": at, "clicks": ["nonsense"]}, "."),
        ):
            answer = who.ask("error", **message)
            assert re.search(words, answer["error"]) and answer["re"] == message["type"]
        assert facts(server, mover.table) == before


def test_what_another_seat_sees_is_asked_for_in_vain(server):
    mine, yours = server.duel("cardgame")
    table = mine["table"]
    with server.seat(mine) as one, server.seat(yours) as two:
        two.until("table")
        two.send(type="ready")
        one.until("position")
        for path in ("record?seat=1", "position.svg?as=1"):
            for token in (None, mine["token"], "x"):
                answer = server.get(f"/api/tables/{table}/{path}", token)
                assert answer.status_code == 403, path
            assert server.get(f"/api/tables/{table}/{path}", yours["token"]).status_code == 200
        assert server.get(f"/api/tables/{table}/position.svg?as=all").status_code == 403
        assert server.get(f"/api/tables/{table}/analysis").status_code == 400
        public = server.get(f"/api/tables/{table}/record").text
        assert "seed" not in public and json.loads(public.splitlines()[0])["seat"] == PUBLIC
        two.send(type="resign")
        assert one.until("position")["result"] == [1, 0]
    assert server.get(f"/api/tables/{table}/record?seat=1").status_code == 200
    assert server.get(f"/api/tables/{table}/position.svg?as=all").status_code == 200


# --- at the table ---


def test_a_look_back_shows_what_was_told_then(server):
    with server.playing() as (mover, _):
        first = next(p for p in mover.got if p["type"] == "position")
        mover.send(type="act", at=first["at"], action="end")
        now = mover.until("position")
        mover.send(type="look", at=first["at"], **{"as": next(
            t for t in mover.got if t["type"] == "table")["you"]})  # fmt: skip
        back = mover.until("position", replay=True)
        assert (back["view"], back["scores"]) == (first["view"], first["scores"])
        assert now["at"] != back["at"] and back["legal"] == []


def test_a_draft_is_told_to_nobody_and_changes_nothing(server):
    for _ in range(20):  # on some boards there is nothing to transfer at first
        with server.playing(options={"edition": 2021}) as (mover, other):
            position = next(p for p in mover.got[::-1] if p["type"] == "position")
            transfers = [one["action"] for one in position["legal"] if "=" in one["action"]]
            if transfers:
                draft_a_transfer(server, mover, other, position, transfers[0])
                return
    pytest.fail("no board had anything to transfer")


def draft_a_transfer(server, mover, other, position, transfer):
    before = facts(server, mover.table)
    mover.send(type="draft", at=position["at"], actions=[transfer])
    drafted = mover.until("drafted")
    assert drafted["draft"] == [transfer] and not drafted["done"]
    assert drafted["view"] != position["view"] and drafted["legal"]
    mover.send(type="draft", at=position["at"], actions=[transfer, "end"])
    assert mover.until("drafted")["done"]
    assert facts(server, mover.table) == before
    mover.send(type="act", at=position["at"], actions=[transfer, "end"])
    assert other.receive()["type"] == "events"


def test_an_action_says_whether_anything_can_be_drafted_after_it(server):
    with server.playing(board=True, options={"edition": 2021}) as (mover, _):
        position = next(p for p in mover.got[::-1] if p["type"] == "position")
        said = {one["action"]: one["ends"] for one in position["legal"]}
        assert any(said.values()) and not all(said.values())
        for action, ends in said.items():
            drafted = mover.ask("drafted", type="draft", at=position["at"], actions=[action])
            assert drafted["done"] == ends, action


def test_chat_reaches_everybody_and_who_comes_later(server):
    with server.playing() as (mover, other):
        mover.send(type="chat", words="  good\n luck\x07 ")
        assert other.until("chat")["words"] == "good luck"
        with server.seat({"table": mover.table}) as spectator:
            assert spectator.until("chat")["words"] == "good luck"
            answers = [spectator.ask("error", type="chat", words="x" * 501)]
            for _ in range(12):
                spectator.send(type="chat", words="again")
            answers.append(spectator.until("error"))
            assert "at most 500" in answers[0]["error"] and "not so fast" in answers[1]["error"]


def test_a_hint_at_a_casual_table(server):
    seats = [{"kind": "person"}, {"kind": "agent", "agent": "stei"}]
    mine = server.open(seats=seats)
    with server.seat(mine, board=True) as me:
        position = me.until("position", mover=0)
        hint = me.ask("hint", type="hint")
        legal = [one["action"] for one in position["legal"]]
        assert hint["at"] == position["at"] and hint["actions"][0]["action"] in legal
        assert hint["actions"][0]["visits"] > 0


def test_who_leaves_the_waiting_room_makes_room(server):
    mine, yours = server.duel()
    with server.seat(mine) as one, server.seat(yours) as two:
        two.until("table")
        two.send(type="leave")
        assert two.until("table", you=None)["seats"][1]["kind"] == "open"
        assert one.until("table")["status"] == "waiting"
        again = server.post(f"/api/tables/{mine['table']}/join", name="Cecil").json()
        assert again["seat"] == 1 and again["token"] != yours["token"]
        assert "only who has a seat" in two.ask("error", type="ready")["error"]


def test_the_host_lets_an_agent_play_on_an_open_seat(server):
    seats = [{"kind": "person"}, {"kind": "open"}, {"kind": "open"}]
    mine = server.open(seats=seats, you="Anna")
    yours = server.post(f"/api/tables/{mine['table']}/join", name="Bert").json()
    with server.seat(mine) as one, server.seat(yours) as two:
        wish = {"type": "fill", "seat": 2, "agent": "random"}
        assert "only the host" in two.ask("error", **wish)["error"]
        assert "seat 1 is not open" in one.ask("error", **{**wish, "seat": 1})["error"]
        assert "unknown agent" in one.ask("error", **{**wish, "agent": "nobody"})["error"]
        one.send(**wish)
        while (table := one.until("table"))["seats"][2]["kind"] == "open":
            pass
        assert (table["seats"][2]["agent"], table["status"]) == ("random", "waiting")
        two.send(type="ready")
        position = one.until("position")
        assert "has begun" in one.ask("error", **wish)["error"]
        assert position["mover"] in (0, 1, 2)


def test_when_one_of_three_gives_up_the_log_says_so(server):
    seats = [{"kind": "person", "name": "Anna"}, {"kind": "person", "name": "Bob"}]
    mine = server.open(seats=[*seats, {"kind": "person", "name": "Carl"}])
    given = [{"table": mine["table"], "token": one["token"]} for one in mine["seats"]]
    with contextlib.ExitStack() as stack:
        people = [stack.enter_context(server.seat(one, board=True)) for one in given]
        mover = people[0].until("position")["mover"]
        people[mover].send(type="resign")
        event = people[mover - 1].until("events", past=None)["events"][0]
        name = ("Anna", "Bob", "Carl")[mover]
        words = f"({name}) has given up; an agent plays on"
        assert event["by"] == mover and words in event["note"]
        with server.seat({"table": mine["table"]}, board=True) as late:
            past = late.until("events", past=True)["events"]
            assert [one["n"] for one in past if words in one.get("note", "")] == [event["n"]]


def test_a_rematch_for_who_has_a_seat(server):
    with server.playing() as (mover, other):
        table, path = mover.table, f"/api/tables/{mover.table}/rematch"
        assert server.post(path, mover.token).status_code == 400
        mover.send(type="resign")
        other.until("position", mover=-2)
        assert server.post(path).status_code == server.post(path, "x").status_code == 403
        made = server.post(path, mover.token).json()
        assert other.until("table")["next"] == made["table"] != table
        assert server.post(path, other.token).json()["table"] == made["table"]
        with server.seat({"table": made["table"], "token": other.token}) as again:
            seats = again.until("table")
            assert seats["you"] != made["seat"] and seats["status"] == "waiting"
            again.send(type="ready")
            assert again.until("position")["at"] >= 0


# --- records ---


def test_a_record_that_is_uploaded_can_be_replayed_and_comes_out_as_it_went_in(server):
    made = server.open(
        "pig", seats=[{"kind": "agent", "agent": "random"}] * 2, options={"goal": 20}
    )
    with server.seat(made) as me:
        last = me.until("position", mover=-2)
    text = server.get(f"/api/tables/{made['table']}/record").text
    answer = httpx.post(f"{server.url}/api/records", content=text, timeout=60)
    assert answer.status_code == 201
    copy = answer.json()["table"]
    assert server.get(f"/api/tables/{copy}/record").text == text
    with server.seat({"table": copy}, board=True) as me:
        assert me.until("table")["status"] == "over"
        assert me.until("position")["result"] == last["result"]
        me.send(type="look", at=3, **{"as": "all"})
        assert me.until("position", replay=True)["at"] == 3
    assert server.get(f"/api/tables/{copy}/analysis").json()["expectation"]


@pytest.mark.parametrize("text", ["", "{}", "no record", "\x00", "[" * 5000, '{"format": 1}'])
def test_what_is_no_record_is_refused(server, text):
    answer = httpx.post(f"{server.url}/api/records", content=text, timeout=60)
    assert answer.status_code == 400 and answer.json()["error"]


# --- the door ---


def test_pages_of_other_sites_can_do_nothing(server):
    evil = {"origin": "https://evil.example"}
    body = {"game": "pig"}
    assert httpx.post(f"{server.url}/api/tables", json=body, headers=evil).status_code == 403
    own = {"origin": server.url}
    assert httpx.post(f"{server.url}/api/tables", json=body, headers=own).status_code == 201
    table = server.open("pig")["table"]
    address = f"{server.url.replace('http', 'ws')}/api/tables/{table}/play"
    with pytest.raises(InvalidStatus), connect(address, origin="https://evil.example"):
        pass
    with connect(address, origin=server.url) as socket:
        socket.send('{"type": "hello"}')
        assert '"table"' in socket.recv(timeout=5)
    other_name = httpx.get(f"{server.url}/api/tables", headers={"host": "evil.example"})
    assert other_name.status_code == 421


def test_what_is_too_large_is_refused(server):
    answer = httpx.post(f"{server.url}/api/records", content=b"x" * 1_000_001)
    assert answer.status_code == 413
    answer = httpx.post(f"{server.url}/api/tables", content=b"x" * (4 * 65_536 + 1))
    assert answer.status_code == 413
    answer = httpx.post(f"{server.url}/api/tables/x/join", content=b"x" * 64_001)
    assert answer.status_code == 413
    mine, _ = server.duel()
    with server.seat(mine) as me:
        me.until("table")
        me.socket.send("x" * 20_000)
        with pytest.raises(ConnectionClosed):
            while True:
                me.receive()
    assert server.get(f"/api/tables/{mine['table']}").status_code == 200


def test_one_address_has_only_so_many_tables_and_requests(running, cards, tmp_path):
    limits = Limits(tables=2, connections=1, requests=1.0, burst=40.0, records=1.0)
    with running(TableStore(tmp_path), limits, workers=1) as server:
        tables = [server.duel("pig")[0]["table"] for _ in range(2)]
        answer = server.post("/api/tables", game="pig")
        assert answer.status_code == 429 and "2 tables" in answer.json()["error"]
        codes = [httpx.post(f"{server.url}/api/records", content="x").status_code for _ in "ab"]
        assert codes == [400, 429]
        with server.seat({"table": tables[0]}) as one:
            one.until("table")
            with pytest.raises(InvalidStatus), server.seat({"table": tables[0]}):
                pass
        codes = {server.get("/api/tables").status_code for _ in range(40)}
        assert codes == {200, 429}


def test_every_answer_carries_the_headers_that_keep_a_page_safe(server):
    for path in ("/", "/api/tables", "/api/nothing", "/docs", "/table/x", "/static/nothing.js"):
        headers = server.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"], path
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_no_token_and_no_path_gets_out(running, cards, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    with running(TableStore(tmp_path), LOCAL, workers=1) as server:
        mine, yours = server.duel("pig", public=True)
        tokens = [mine["token"], yours["token"]]
        answers = []
        with server.seat(mine) as one, server.seat(yours) as two:
            two.until("table")
            two.send(type="ready")
            one.until("position")
            two.until("position")
            for who in (one, two):
                who.send(type="look", at=0)
                who.until("position", replay=True)
                who.socket.send("{")
                who.until("error")
            heard = one.raw + two.raw
        table = mine["table"]
        for path in (
            "", "/record", "/record?seat=9", "/position.svg", "/position.svg?at=99999",
            "/position.svg?as=x", "/analysis", "/nothing", "/../../../etc/passwd", "/%00",
        ):  # fmt: skip
            answers.append(server.get(f"/api/tables/{table}{path}", mine["token"]).text)
        for path in ("/api/games", "/api/tables", "/api/openapi.json", "/static/../server.py"):
            answers.append(server.get(path).text)
        answers.append(server.post("/api/tables", game="../../etc").text)
        answers.append(httpx.post(f"{server.url}/api/tables", content=b"\xff{").text)
        answers.append(httpx.post(f"{server.url}/api/records", content=b"\xff\xfe").text)
    logged = "\n".join(r.getMessage() for r in caplog.records if r.name.startswith("kostka"))
    uvicorn = "\n".join(r.getMessage() for r in caplog.records if r.name.startswith("uvicorn"))
    with sqlite3.connect(tmp_path / "kostka.db") as database:
        kept = "\n".join(map(str, database.execute("select * from tables").fetchall()))
    for text in (*answers, *heard, logged, uvicorn, kept):
        for secret in (*tokens, *map(digest, tokens)):
            if text is kept and secret not in tokens:
                assert secret in text
            else:
                assert secret not in text
        assert "Traceback" not in text
        if text is not kept:
            assert str(tmp_path) not in text and "site-packages" not in text
            assert "/work/" not in text and ".py" not in text.replace(".pyd", "")


def test_a_game_that_could_not_be_prepared_is_tried_again(running, tmp_path, monkeypatch):
    touch, failed = think.touch, []

    def once_in_vain(game):
        if game.name == "pig" and not failed:
            failed.append(game.name)
            raise RuntimeError("a compiler that is out of sorts")
        return touch(game)

    monkeypatch.setattr(think, "touch", once_in_vain)
    with running(TableStore(tmp_path), workers=1) as server:
        answers = [server.get("/api/games/pig/picture.svg") for _ in range(2)]
    assert failed == ["pig"]
    assert [answer.status_code for answer in answers] == [400, 200]
    assert answers[0].json()["error"] == "Pig cannot be played here at the moment"
