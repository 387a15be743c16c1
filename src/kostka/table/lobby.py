"""The lobby: all tables of a server, how they are opened, found again and closed."""

import asyncio
import contextlib
import itertools
import logging
from collections.abc import Coroutine, Mapping
from typing import Any

from kostka.agents import kinds
from kostka.agents.spec import levels
from kostka.core.errors import KostkaError
from kostka.core.game import Game, Option, label
from kostka.core.game import game as find_game
from kostka.core.game import games as all_games
from kostka.core.state import CHANCE
from kostka.table import messages as m
from kostka.table import shown, think
from kostka.table.guard import LOCAL, Bucket, Limits, TooMany
from kostka.table.live import Live
from kostka.table.offers import Offers
from kostka.table.room import Missing, Move, NotAllowed, Room, Seat, clean, new_id, open_room
from kostka.table.store import TableStore, changed, move, new_room, now
from kostka.table.think import Failed, Glimpse, Thinker

log = logging.getLogger("kostka.table")

#: Seconds between two decisions of agents while people look.
PACE = 0.35
#: Seconds after which a table where nobody waits is closed, and after which somebody who is to
#: move has resigned if nobody is there; and how often that is looked after.
FORGOTTEN, ABANDONED, ROUND = 3600.0, 7 * 86400.0, 60.0
#: Games that are over and stay in memory.
OVER_KEPT = 200
#: Seconds to compile a game, to read a record, and to analyse a game.
COMPILE, READ, ANALYSE = 900.0, 20.0, 30.0


class Lobby:
    """All tables of one server."""

    def __init__(
        self,
        keep: TableStore,
        thinker: Thinker | None = None,
        limits: Limits = LOCAL,
        pace: float = PACE,
        offers: Offers | None = None,
    ) -> None:
        self.keep, self.limits, self.pace = keep, limits, pace
        self.offers = offers or Offers()
        self.thinker = thinker or Thinker()
        self.rooms: dict[str, Live] = {}
        self.loading: dict[str, asyncio.Task[Live]] = {}
        self.compiling: dict[str, asyncio.Task[Glimpse]] = {}
        self.analyses: dict[str, asyncio.Task[dict[str, Any]]] = {}
        self.uploads: dict[str, Bucket] = {}
        #: What is not a move waits for its turn, so that agents always find a worker.
        self.slow = asyncio.Semaphore(1)
        self.tasks: set[asyncio.Task[Any]] = set()

    # --- the server starts and stops ---

    async def open(self) -> None:
        """Start the workers, compile the games, and go on with every table that was not over."""
        await asyncio.to_thread(self.thinker.open)
        for name in all_games():
            self._prepare(name)
        self.spawn(self._resume())
        self.spawn(self._look_after())

    async def close(self) -> None:
        """Stop; everything that was told is on disk."""
        for live in self.rooms.values():
            live.close()
        for task in (*self.tasks, *self.compiling.values(), *self.loading.values()):
            task.cancel()
        await asyncio.to_thread(self.thinker.close)
        self.keep.close()

    def _prepare(self, name: str) -> None:
        self.compiling[name] = asyncio.create_task(self._compile(name))
        self.compiling[name].add_done_callback(noticed)

    async def _compile(self, name: str) -> Glimpse:
        """Compile a game in a worker, then load what it made."""
        with contextlib.suppress(Failed):
            await self.thinker.call(think.warm, name, limit=COMPILE)
        glimpse = await asyncio.to_thread(think.touch, find_game(name))
        log.info("%s is ready", find_game(name).title)
        self.spawn(self._compile_agents(name))
        return glimpse

    async def _compile_agents(self, name: str) -> None:
        """Compile the agents that people are likely to play against, one after the other."""
        game = find_game(name)
        for spec in (think.stand_in(game), *levels(game).values(), think.hinter(game)):
            key = think.kind_of(game, spec)
            if key not in self.thinker.compiled:
                async with self.slow:
                    with contextlib.suppress(Failed, KostkaError):
                        await self.thinker.call(
                            think.warm_agent, name, spec, limit=COMPILE, key=key
                        )

    def spawn(self, job: Coroutine[Any, Any, None]) -> None:
        """Let something go on by itself."""
        task = asyncio.create_task(job)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        task.add_done_callback(noticed)

    async def prepared(self, game: Game) -> Glimpse:
        """Wait until a game is compiled. What went wrong before is tried again."""
        task = self.compiling[game.name]
        if task.done() and not task.cancelled() and task.exception():
            self._prepare(game.name)
        try:
            return await asyncio.shield(self.compiling[game.name])
        except (KeyError, asyncio.CancelledError):
            raise
        except Exception as error:
            raise KostkaError(f"{game.title} cannot be played here at the moment") from error

    def ready(self, name: str) -> bool:
        """Is a game compiled?"""
        task = self.compiling.get(name)
        return task is not None and task.done() and not task.cancelled() and not task.exception()

    async def _resume(self) -> None:
        """Every table that was not over goes on."""
        for table in await asyncio.to_thread(self.keep.unfinished):
            try:
                await self.live(table)
            except KostkaError as error:
                log.warning("table %s cannot go on: %s", table, error)

    async def _look_after(self) -> None:
        """Close tables where nobody waits any more, and forget games that are over."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(ROUND)
            for live in list(self.rooms.values()):
                gone = 0.0 if live.clients else loop.time() - live.idle_since
                if gone > FORGOTTEN and live.room.status == "waiting":
                    with contextlib.suppress(KostkaError):
                        async with live.lock:
                            live.room.close()
                            await live.store(changed(live.room))
                mover = live.room.mover
                if gone > ABANDONED and mover >= 0 and not live.room.seats[mover].automatic:
                    await live.expire(live.room.at, mover, shown.GONE)
            self._forget()
            self.uploads = {a: b for a, b in self.uploads.items() if not b.full}

    def _forget(self) -> None:
        old = [
            table
            for table, live in self.rooms.items()
            if live.room.status == "over" and not live.clients and not live.lock.locked()
        ]
        for table in old[: max(0, len(old) - OVER_KEPT)]:
            self.rooms.pop(table).close()
            self.analyses.pop(table, None)

    # --- tables ---

    async def live(self, table: str) -> Live:
        """A table, from memory or from the store."""
        if table in self.rooms:
            return self.rooms[table]
        if table not in self.loading:
            self.loading[table] = asyncio.create_task(self._load(table))
        task = self.loading[table]
        try:
            return await asyncio.shield(task)
        finally:
            if task.done():
                self.loading.pop(table, None)

    async def _load(self, table: str) -> Live:
        name = await asyncio.to_thread(self.keep.game_of, table)
        if name is None:
            raise Missing("there is no such table")
        await self.prepared(find_game(name))
        room = await asyncio.to_thread(self.keep.load, table)
        if room is None:
            raise Missing("there is no such table")
        return self._add(room)

    def _add(self, room: Room, address: str = "") -> Live:
        live = Live(room, self.keep, self.thinker, self.pace, address)
        self.rooms[room.id] = live
        live.wind()
        live.go_on()
        return live

    async def listed(self) -> list[dict[str, Any]]:
        """Public tables that wait or play, the newest first."""
        found = []
        for live in list(self.rooms.values())[::-1]:
            if live.room.public and live.room.status != "over":
                async with live.lock:
                    told = shown.table(await live.fresh(), live.here)
                    told["options"] = {name: label(v) for name, v in told["options"].items()}
                    found.append(told)
        return found

    async def table(self, table: str) -> dict[str, Any]:
        """A table as everybody may see it."""
        live = await self.live(table)
        async with live.lock:
            return shown.table(await live.fresh(), live.here)

    async def new(self, wish: m.NewTable, address: str) -> m.Seated:
        """Open a table; where nobody else has to come, its game begins."""
        game = find_game(wish.game)
        await self.prepared(game)
        self._room_for_one_more(address)
        options = self.offers.filled(game, wish.options)
        wishes = wish.seats or default_seats(game, options)
        seats = [seat_of(game, number, one, wish) for number, one in enumerate(wishes)]
        yours = {
            number: one.name or wish.you
            for number, one in enumerate(wishes)
            if one.kind == "person"
        }
        alone = len(yours) == 1 and not any(one.kind == "open" for one in wishes)
        room, tokens = open_room(
            game,
            options,
            seats,
            yours,
            name=clean(wish.name),
            public=wish.public,
            casual=alone if wish.casual is None else wish.casual,
            clock=wish.clock,
            opened=now(),
        )
        await self._start(room, address)
        given = [m.SeatToken(seat=number, token=token) for number, token in tokens.items()]
        first = given[0] if given else None
        return m.Seated(
            table=room.id,
            seat=first.seat if first else None,
            token=first.token if first else None,
            seats=given,
        )

    def _room_for_one_more(self, address: str) -> None:
        going = [live for live in self.rooms.values() if live.room.status != "over"]
        if len(going) >= self.limits.all_tables:
            raise TooMany("the house is full; come back later")
        if sum(live.address == address for live in going) >= self.limits.tables:
            raise TooMany(f"you have {self.limits.tables} tables already; finish one of them first")

    async def _start(self, room: Room, address: str) -> Live:
        """Store a new room, then let it begin if everybody is ready."""
        await self.keep.write(new_room(room))
        live = self._add(room, address)
        if room.complete:
            async with live.lock:
                await live.begin()
        return live

    async def join(self, table: str, wish: m.Join) -> m.Seated:
        """Sit down on an open seat."""
        live = await self.live(table)
        async with live.lock:
            room = await live.fresh()
            seat, token = room.join(wish.name, wish.seat)
            await live.store(changed(room))
            live.tell_table()
        given = m.SeatToken(seat=seat, token=token)
        return m.Seated(table=table, seat=seat, token=token, seats=[given])

    async def rematch(self, table: str, token: str | None, address: str) -> m.Seated:
        """The same table again, for who has a seat at it; the second who asks is shown the way."""
        live = await self.live(table)
        async with live.lock:
            room = await live.fresh()
            seat = room.who(token)
            if seat is None or token is None:
                raise NotAllowed("only who has a seat at the table can ask for a rematch")
            if room.next is None:
                self._room_for_one_more(address)
                again = room.rematch(new_id(), seat)
                again.opened = now()
                await live.store(new_room(again), changed(room))
                other = self._add(again, address)
                if again.complete:
                    async with other.lock:
                        await other.begin()
                live.tell_table()
            following = room.next
        assert following is not None
        number = room.next_seat(seat)
        given = m.SeatToken(seat=number, token=token)
        return m.Seated(table=following, seat=number, token=token, seats=[given])

    # --- records and analysis ---

    async def upload(self, text: str, address: str) -> m.Seated:
        """A record becomes a table whose game is over."""
        most = self.limits.records
        if not self.uploads.setdefault(address, Bucket(most / 60, most)).take():
            raise TooMany("too many records at once; wait a moment")
        try:
            async with self.slow:
                given = await self.thinker.call(think.read_record, text, limit=READ, key="record")
        except Failed as error:
            raise KostkaError("the record cannot be read") from error
        game = find_game(given["game"])
        await self.prepared(game)
        seats = [
            Seat("agent", clean(name) or f"seat {n}", resigned=fault(given["faults"], n))
            for n, name in enumerate(given["seats"])
        ]
        room = Room(
            new_id(),
            game,
            given["options"],
            seats,
            name=f"a record of {game.title}",
            seed=given["seed"],
            status="over",
            result=given["result"],
            opened=now(),
            finished=now(),
        )
        moves = decisions(given["codes"], given["movers"])
        await self.keep.write(new_room(room), *(move(room, one) for one in moves))
        return m.Seated(table=room.id)

    async def analysis(self, table: str) -> dict[str, Any]:
        """What a game that is over was about."""
        live = await self.live(table)
        async with live.lock:
            room = await live.fresh()
        if room.status != "over" or room.table is None or room.result is None:
            raise KostkaError("a game is analysed when it is over")
        if table not in self.analyses:
            self.analyses[table] = asyncio.create_task(self._analyse(room))
        task = self.analyses[table]
        try:
            return await asyncio.shield(task)
        except Failed as error:
            raise KostkaError("the game could not be analysed") from error
        finally:
            if task.done() and task.exception():
                self.analyses.pop(table, None)

    async def _analyse(self, room: Room) -> dict[str, Any]:
        assert room.table is not None and room.result is not None
        codes = list(room.table.log)
        async with self.slow:
            found = await self.thinker.call(
                think.analyse,
                room.game.name,
                dict(room.options),
                room.seed,
                codes,
                limit=ANALYSE,
                key=("analyse", room.game.name),
            )
        parts = zip(room.result, found["start"], found["luck"], strict=True)
        found["rest"] = [gain - found["fair"] - start - luck for gain, start, luck in parts]
        found["considered"] = await asyncio.to_thread(thoughts, room)
        return found


# --- small parts ---


def thoughts(room: Room) -> list[dict[str, Any]]:
    """What agents considered, decision by decision."""
    assert room.table is not None
    found = []
    at = 0
    for one in room.moves:
        if one.considered and one.codes:
            view = room.view_at(at, one.by)
            found.append(
                {
                    "at": at,
                    "by": one.by,
                    "did": view.text(one.codes[0]),
                    "actions": shown.considered(view, one.considered),
                }
            )
        at += len(one.codes)
    return found


def decisions(codes: list[int], movers: list[int]) -> list[Move]:
    """The codes of a game cut into decisions, each with the luck that follows it."""
    cuts = [0, *(n for n, by in enumerate(movers) if by != CHANCE), len(codes)]
    found = [Move(0, CHANCE, tuple(codes[: cuts[1]]))]
    for a, b in itertools.pairwise(cuts[1:]):
        found.append(Move(len(found), movers[a], tuple(codes[a:b])))
    return found


def fault(faults: Mapping[int, str], seat: int) -> str | None:
    return clean(str(faults[seat]), 200) if seat in faults else None


def default_seats(game: Game, options: Mapping[str, Any]) -> list[m.SeatWish]:
    """You against the game's first level."""
    players = int(game.check(options)["players"])
    level = next(iter(levels(game)))
    others = [m.SeatWish(kind="agent", agent=level) for _ in range(players - 1)]
    return [m.SeatWish(kind="person"), *others]


def seat_of(game: Game, number: int, wish: m.SeatWish, table: m.NewTable) -> Seat:
    """A seat as it was wished for."""
    clock = wish.clock or table.clock
    if wish.kind != "agent":
        if wish.agent is not None:
            raise KostkaError(f"seat {number} is no agent's, but an agent is given")
        return Seat(clock=clock)
    if not wish.agent:
        raise KostkaError(f"seat {number} needs an agent: a level or a spec")
    spec = think.asked(game, wish.agent)
    label = wish.agent.strip()
    return Seat("agent", clean(wish.name or "") or label, agent=spec, label=label, ready=True)


def game_info(game: Game, ready: bool, hidden: bool, offers: Offers) -> dict[str, Any]:
    """A game for who wants to open a table."""
    seats = next(o for o in game.options if o.name == "players")
    return {
        "name": game.name,
        "title": game.title,
        "players": [int(seats.low or seats.default), int(seats.high or seats.default)],
        "options": [option_info(o) for o in offers.options(game)],
        "presets": [{"name": name, "options": game.preset(name)} for name in game.presets],
        "roles": list(game.roles),
        "levels": [{"name": name, "agent": spec} for name, spec in levels(game).items()],
        "agents": [
            {"name": name, "help": kind.help, "parameters": [option_info(o) for o in kind.options]}
            for name, kind in kinds(game).items()
        ],
        "hidden": hidden,
        "ready": ready,
    }


def option_info(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "default": option.default,
        "help": option.help,
        "values": option.range(),
        "low": option.low,
        "high": option.high,
        "choices": list(option.choices),
        "file": option.content is not None,
    }


def noticed(task: asyncio.Task[Any]) -> None:
    """What a task of ours failed with is logged, not lost."""
    if not task.cancelled() and task.exception() is not None:
        log.error("%s", task.exception(), exc_info=task.exception())
