"""Whatever comes over the network: no crash, no state change, and the server serves on."""

import json
import random
import string

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

TYPES = [
    "hello", "act", "draft", "why", "look", "hint", "chat", "leave", "fill", "ready",
    "nothing", None,
]  # fmt: skip
FIELDS = [
    "at", "action", "actions", "clicks", "as", "token", "board", "words", "ready", "seat",
    "agent", "x",
]  # fmt: skip
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=30)
    | st.sampled_from(["end", "0>1", "t0", "!end", "all", "\x00", "🎲" * 50, "9" * 300]),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
MESSAGES = st.builds(
    lambda kind, rest: json.dumps({"type": kind, **rest}),
    st.sampled_from(TYPES),
    st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=4),
)
TEXTS = MESSAGES | st.text(max_size=200) | VALUES.map(json.dumps)


def facts(server, table):
    told = server.get(f"/api/tables/{table}").json()
    for seat in told["seats"]:
        seat.pop("here")
    return told, server.get(f"/api/tables/{table}/record").text


def test_no_message_crashes_the_server_or_changes_the_game(server):
    with server.playing() as (mover, other):
        table, before = mover.table, facts(server, mover.table)
        clients = [other, server.seat({"table": table}).__enter__()]

        @settings(
            max_examples=150,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
            database=None,
            derandomize=True,
        )
        @given(text=TEXTS, who=st.integers(0, 1))
        def send(text, who):
            clients[who].socket.send(text.encode(errors="replace").decode())

        send()
        for client in clients:
            client.send(type="look", at=0, **{"as": None})
            client.until("position", replay=True, **{"as": None}, at=0)
        assert facts(server, table) == before
        # the mover's own nonsense, too, as long as it is no action
        chance = random.Random(5)
        for _ in range(100):
            junk = "".join(chance.choices(string.printable, k=chance.randrange(40)))
            mover.socket.send(
                json.dumps({"type": "act", "at": before[0]["at"], "action": junk + "?"})
            )
        mover.send(type="look", at=0)
        mover.until("position", replay=True)
        assert facts(server, table) == before
        clients[1].socket.close()


def test_bytes_end_the_connection_and_nothing_else(server):
    with server.playing() as (mover, _), server.seat({"table": mover.table}) as me:
        me.until("table")
        me.socket.send(b"\xff\x00\xfe")
        with pytest.raises(ConnectionClosed):
            while True:
                me.receive()
        assert server.get("/api/tables").status_code == 200


@pytest.mark.parametrize(
    "first", ["", "{}", "null", '{"type": "act", "at": 0, "action": "end"}', "["]
)
def test_who_does_not_say_hello_is_sent_away(server, first):
    table = server.open("pig")["table"]
    with connect(f"{server.url.replace('http', 'ws')}/api/tables/{table}/play") as socket:
        socket.send(first)
        assert json.loads(socket.recv(timeout=5))["type"] == "error"
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=5)


def test_no_request_that_the_schema_allows_or_forbids_breaks_the_server(server):
    schema = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")
    count = 0
    known = server.open("pig")["table"]
    for found in schema.get_all_operations():
        operation = found.ok()
        strategy = operation.as_strategy()

        @settings(
            max_examples=12,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
            database=None,
            derandomize=True,
        )
        @given(case=strategy, real=st.booleans())
        def attempt(case, real):
            nonlocal count
            if real and case.path_parameters and "table" in case.path_parameters:
                case.path_parameters["table"] = known
            try:
                answer = case.call(base_url=server.url, timeout=60)
            except (httpx.TransportError, OSError, ValueError):
                return
            count += 1
            assert answer.status_code < 500, (case.method, case.path, answer.text)
            if answer.status_code >= 400:
                assert list(answer.json()) == ["error"]

        attempt()
    assert count > 50
