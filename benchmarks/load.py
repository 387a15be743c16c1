"""How many tables does a server bear? Many tables of two bots, which think for a second each.

    kostka serve --port 8000 --data /tmp/load &
    python benchmarks/load.py http://127.0.0.1:8000 --tables 200 --seconds 60

Prints moves a second and how long it takes from an action until everybody at the table was told,
and fails if anything was refused, or anything acknowledged is missing from the record.
"""

import argparse
import asyncio
import json
import random
import time
from dataclasses import dataclass, field
from urllib.request import Request, urlopen

from websockets.asyncio.client import connect


@dataclass
class Tally:
    """What happened at all tables."""

    moves: int = 0
    over: int = 0
    #: Seconds from an action until the last client of its table was told.
    waits: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@dataclass
class Action:
    """An action under way: when it was sent, and who has not been told yet."""

    sent: float
    untold: int


def ask(url: str, body: dict | None = None) -> dict:
    """One HTTP request."""
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, {"Content-Type": "application/json"})) as answer:
        return json.load(answer)


def fetch(url: str) -> str:
    """The text at an address."""
    with urlopen(url) as answer:
        return answer.read().decode()


async def play_table(server: str, game: str, pause: float, until: float, tally: Tally) -> None:
    """Two bots at a table of their own, game after game until the time is over."""
    while time.monotonic() < until:
        seats = [{"kind": "person"}, {"kind": "open"}]
        wish = {"game": game, "seats": seats, "public": False, "you": "load"}
        opened = await asyncio.to_thread(ask, f"{server}/api/tables", wish)
        name = opened["table"]
        joined = await asyncio.to_thread(
            ask, f"{server}/api/tables/{name}/join", {"name": "load too"}
        )
        waiting: dict[int, Action] = {}
        tokens = (opened["token"], joined["token"])
        last = await asyncio.gather(
            *(bot(server, name, token, pause, until, tally, waiting) for token in tokens)
        )
        told = max(last)
        record = await asyncio.to_thread(fetch, f"{server}/api/tables/{name}/record")
        kept = sum('"by"' in line or '"luck"' in line for line in record.splitlines())
        if kept < told:
            tally.errors.append(f"{name}: {told} events were acknowledged, {kept} are kept")


async def bot(
    server: str,
    table: str,
    token: str,
    pause: float,
    until: float,
    tally: Tally,
    waiting: dict[int, Action],
) -> int:
    """Play any legal action after a pause; returns the events that this bot was told of."""
    at = 0
    address = f"ws{server.removeprefix('http')}/api/tables/{table}/play"
    async with connect(address, max_size=None) as line:
        await line.send(json.dumps({"type": "hello", "token": token, "board": False}))
        await line.send(json.dumps({"type": "ready", "ready": True}))
        async for text in line:
            now = time.monotonic()
            message = json.loads(text)
            if message["type"] == "error":
                tally.errors.append(f"{table}: {message['error']}")
            if message["type"] != "position":
                continue
            if message["at"] > at:
                for started in [n for n in waiting if n < message["at"]]:
                    waiting[started].untold -= 1
                    if waiting[started].untold == 0:
                        tally.waits.append(now - waiting.pop(started).sent)
            at = message["at"]
            if message["mover"] == -2:
                tally.over += 1
                return at
            if now > until:
                return at
            if message["legal"]:
                await asyncio.sleep(pause)
                action = random.choice(message["legal"])["action"]
                waiting[at] = Action(time.monotonic(), 2)
                tally.moves += 1
                await line.send(json.dumps({"type": "act", "at": at, "action": action}))
    return at


async def run(server: str, game: str, tables: int, seconds: float, pause: float) -> Tally:
    """All tables, which begin one after the other within the pause."""
    tally = Tally()
    until = time.monotonic() + seconds

    async def one(number: int) -> None:
        await asyncio.sleep(pause * number / tables)
        try:
            await play_table(server, game, pause, until, tally)
        except Exception as error:
            tally.errors.append(f"{type(error).__name__}: {error}")

    await asyncio.gather(*(one(number) for number in range(tables)))
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("server", help="address of the server, http://127.0.0.1:8000")
    parser.add_argument("--game", default="dicewars")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--pause", type=float, default=1.0, help="what a bot waits before a move")
    given = parser.parse_args()
    began = time.monotonic()
    tally = asyncio.run(run(given.server, given.game, given.tables, given.seconds, given.pause))
    spent = time.monotonic() - began
    waits = sorted(tally.waits)
    shown = {
        "tables": given.tables,
        "moves": tally.moves,
        "moves_per_second": round(tally.moves / spent, 1),
        "games_over": tally.over // 2,
        "told_ms": {
            name: round(1000 * waits[int(share * (len(waits) - 1))], 1)
            for name, share in (("median", 0.5), ("95 %", 0.95), ("99 %", 0.99), ("worst", 1.0))
            if waits
        },
        "errors": len(tally.errors),
    }
    print(json.dumps(shown, indent=2))
    for error in tally.errors[:10]:
        print(error)
    raise SystemExit(bool(tally.errors))


if __name__ == "__main__":
    main()
