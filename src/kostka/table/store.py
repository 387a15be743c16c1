"""What the table must not lose: rooms, moves and chat, in SQLite or PostgreSQL.

What arrives within a few milliseconds goes into one transaction, in a thread. Nobody is told of
anything before it is on disk.
"""

import asyncio
import fcntl
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import sqlalchemy as sa

from kostka.arena.store import Store, chat, moves, now, plain, tables
from kostka.core.errors import KostkaError
from kostka.table.room import Move, Room

#: The lock of a server on a PostgreSQL database.
SERVER = 7_082_107
#: Seconds in which writes are collected.
GATHER = 0.002

__all__ = ["TableStore", "Write", "changed", "move", "new_room", "now", "said"]

#: One write: which of the three tables, and the row.
Write = tuple[str, Mapping[str, Any]]


def new_room(room: Room) -> Write:
    return "room", room.row()


def changed(room: Room) -> Write:
    """The room has other seats, another status or a result."""
    return "change", {f"its_{name}": value for name, value in room.row().items()}


def move(room: Room, one: Move) -> Write:
    return "move", {
        "table": room.id,
        "number": one.number,
        "by": one.by,
        "codes": np.array(one.codes, "<u2").tobytes(),
        "considered": one.considered,
        "note": one.note,
    }


def said(room: Room, by: int | None, name: str, words: str, when: str) -> Write:
    row = {"table": room.id, "by": by, "name": plain(name), "words": plain(words), "said": when}
    return "chat", row


CHANGING = ("name", "seats", "host", "status", "result", "next", "finished")
STATEMENTS: dict[str, Any] = {
    "room": sa.insert(tables),
    "change": sa.update(tables)
    .where(tables.c.id == sa.bindparam("its_id"))
    .values({name: sa.bindparam(f"its_{name}") for name in CHANGING}),
    "move": sa.insert(moves),
    "chat": sa.insert(chat),
}


class TableStore:
    """The store of one server, with a writer that gathers."""

    def __init__(self, where: str | Path) -> None:
        self.store = Store(database(str(where)))
        self.waiting: list[tuple[Sequence[Write], asyncio.Future[None]]] = []
        self.busy: asyncio.Task[None] | None = None
        #: What keeps other servers away.
        self.held: Any = None

    def close(self) -> None:
        if self.held is not None:
            self.held.close()
        self.store.close()

    async def write(self, *rows: Write) -> None:
        """Store these rows, all or none; when this returns they are on disk."""
        done = asyncio.get_running_loop().create_future()
        self.waiting.append((rows, done))
        if self.busy is None or self.busy.done():
            self.busy = asyncio.create_task(self._work())
        await done

    async def _work(self) -> None:
        while self.waiting:
            await asyncio.sleep(GATHER)
            batch, self.waiting = self.waiting, []
            try:
                await asyncio.to_thread(self.put, [row for rows, _ in batch for row in rows])
            except Exception:
                await self._one_by_one(batch)
                continue
            for _, done in batch:
                if not done.cancelled():
                    done.set_result(None)

    async def _one_by_one(
        self, batch: Sequence[tuple[Sequence[Write], asyncio.Future[None]]]
    ) -> None:
        """One of several writes was refused: only that one must fail."""
        for rows, done in batch:
            try:
                await asyncio.to_thread(self.put, rows)
            except Exception as error:
                if not done.cancelled():
                    done.set_exception(error)
            else:
                if not done.cancelled():
                    done.set_result(None)

    def put(self, rows: Sequence[Write]) -> None:
        """Store rows in one transaction."""
        with self.store.write() as connection:
            for kind, statement in STATEMENTS.items():
                some = [row for what, row in rows if what == kind]
                if some:
                    connection.execute(statement, some)

    def claim(self) -> None:
        """Keep other servers away from these tables until this process ends."""
        taken = KostkaError(f"another server plays on {self.store}; stop it or give other --data")
        if self.store.engine.dialect.name == "postgresql":
            self.held = self.store.engine.connect()
            if not self.held.scalar(sa.text(f"select pg_try_advisory_lock({SERVER})")):
                raise taken
            self.held.commit()
            return
        path = Path(str(self.store.url.database)).with_suffix(".lock")
        self.held = path.open("w")
        try:
            fcntl.flock(self.held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise taken from None

    # --- what comes out ---

    def unfinished(self) -> list[str]:
        """The tables that wait or play, the oldest first."""
        chosen = sa.select(tables.c.id).where(tables.c.status != "over").order_by(tables.c.opened)
        with self.store.read() as connection:
            return list(connection.scalars(chosen))

    def game_of(self, table: str) -> str | None:
        """The game of a table; None if there is no such table."""
        with self.store.read() as connection:
            return connection.scalar(sa.select(tables.c.game).where(tables.c.id == table))

    def load(self, table: str) -> Room | None:
        """A room as it was stored last."""
        chosen = sa.select(moves).where(moves.c.table == table).order_by(moves.c.number)
        with self.store.read() as connection:
            row = connection.execute(sa.select(tables).where(tables.c.id == table)).first()
            if row is None:
                return None
            past = [
                Move(r.number, r.by, tuple(np.frombuffer(r.codes, "<u2").tolist()), r.considered,
                     r.note)
                for r in connection.execute(chosen)
            ]  # fmt: skip
        return Room.restore(dict(row._mapping), past)

    def results(self) -> list[dict[str, Any]]:
        """By game, players and agent: games against people, and what both sides got a seat."""
        chosen = sa.select(tables.c.game, tables.c.seats, tables.c.result).where(
            tables.c.status == "over", tables.c.result.is_not(None)
        )
        sums: dict[tuple[str, int, str], list[float]] = {}
        with self.store.read() as connection:
            for game, seats, result in connection.execute(chosen):
                people = [g for s, g in zip(seats, result, strict=True) if s["kind"] == "person"]
                for label in {s["label"] for s in seats if s["kind"] == "agent" and s["label"]}:
                    gains = [g for s, g in zip(seats, result, strict=True) if s["label"] == label]
                    if people:
                        row = sums.setdefault((game, len(seats), label), [0, 0.0, 0.0])
                        row[0] += 1
                        row[1] += sum(people) / len(people)
                        row[2] += sum(gains) / len(gains)
        return [
            {"game": game, "players": players, "agent": label, "games": int(games),
             "people": points / games, "agents": theirs / games}
            for (game, players, label), (games, points, theirs) in sorted(sums.items())
        ]  # fmt: skip

    def talk(self, table: str, most: int) -> list[dict[str, Any]]:
        """The newest chat of a table, the oldest of it first."""
        chosen = (
            sa.select(chat.c.by, chat.c.name, chat.c.words)
            .where(chat.c.table == table)
            .order_by(chat.c.id.desc())
            .limit(most)
        )
        with self.store.read() as connection:
            found = [dict(row._mapping) for row in connection.execute(chosen)]
        return found[::-1]


def database(where: str) -> str:
    """The URL of a database, or the file in a folder, which is made if it is not there."""
    if "://" in where:
        return where
    folder = Path(where)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise KostkaError(f"the folder {folder} cannot be made: {error.strerror}") from None
    return str(folder / "kostka.db")
