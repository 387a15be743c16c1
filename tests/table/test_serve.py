"""The process: kill it, start it again, and the game goes on; it ends cleanly on Ctrl-C."""

import os
import random
import subprocess
import sys
import time

import httpx

from kostka.core.log import GameLog

SERVE = "from kostka.cli import main, load; load(); import kostka.cli.serve; main()"


def test_after_a_kill_the_game_goes_on_and_nothing_that_was_told_is_lost(process, server):
    one = process()
    client = type(server)(one.url)
    chance = random.Random(4)
    seats = [{"kind": "person"}, {"kind": "agent", "agent": "ste"}, {"kind": "open"}]
    mine = client.open(seats=seats, options={"areas": 15}, you="Anna")
    yours = client.post(f"/api/tables/{mine['table']}/join", name="Bert").json()
    waiting = client.open("pig", seats=[{"kind": "person"}, {"kind": "open"}])
    told: dict[int, tuple[int, str]] = {}

    def note(message):
        for event in message.get("events", ()):
            happened = event["by"], event["text"]
            assert told.setdefault(event["n"], happened) == happened

    def play(decisions):
        """Two people decide in turn; the number of decisions made before the game was over."""
        given = {0: mine, 2: yours}
        clients = {n: client.seat(g).__enter__() for n, g in given.items()}
        made = 0
        for n, who in clients.items():
            seats = who.until("table")["seats"]
            if not seats[n]["ready"]:
                who.send(type="ready")
        acted = -1
        while made < decisions:
            message = clients[0].receive()
            note(message)
            if message["type"] != "position":
                continue
            mover = message["mover"]
            if mover == -2:
                return clients, message
            if mover in clients and message["at"] != acted:
                acted, made = message["at"], made + 1
                legal = message["legal"]
                while not legal:
                    legal = clients[mover].until("position", at=acted)["legal"]
                action = chance.choice(legal)["action"]
                clients[mover].send(type="act", at=acted, action=action)
        return clients, None

    clients, end = play(20)
    assert end is None
    one.kill()
    for who in clients.values():
        who.socket.close()
    one = process(one.port)
    past = client.get(f"/api/tables/{mine['table']}/record").text
    events = GameLog.loads(past).events
    assert len(events) >= max(told)
    for n, happened in told.items():
        assert (events[n - 1].by, events[n - 1].text) == happened
    clients, end = play(100_000)
    assert end is not None
    record = GameLog.loads(client.get(f"/api/tables/{mine['table']}/record").text)
    record.verify()
    assert [(e.by, e.text) for e in record.events] == [told[n] for n in sorted(told)]
    assert client.get(f"/api/tables/{waiting['table']}").json()["status"] == "waiting"
    for who in clients.values():
        who.socket.close()
    printed = one.end()
    assert one.process.returncode == 0
    assert f"http://127.0.0.1:{one.port}/" in printed
    for secret in (mine["token"], yours["token"], "Traceback"):
        assert secret not in printed


def test_another_host_needs_a_word_of_consent(tmp_path):
    command = [sys.executable, "-c", SERVE, "serve", "--host", "0.0.0.0", "--data", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=os.environ)
    assert done.returncode == 2 and "--public" in done.stderr


def test_a_port_that_is_taken_is_one_sentence(server, tmp_path):
    port = str(httpx.URL(server.url).port)
    command = [sys.executable, "-c", SERVE, "serve", "--port", port, "--data", str(tmp_path)]
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=os.environ)
    assert done.returncode == 2 and "try another --port" in done.stderr
    assert "Traceback" not in done.stderr and time.monotonic() - began < 30
