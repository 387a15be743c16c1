"""A room with people in it: who is connected, what they are told, the clock, and the agents.

Everything at a table happens under its lock and is stored before anybody is told of it.
"""

import asyncio
import functools
import json
import logging
from collections.abc import Sequence
from typing import Any

from kostka.agents import make
from kostka.core import present
from kostka.core.errors import KostkaError
from kostka.core.game import game as find_game
from kostka.core.rng import stream
from kostka.core.state import State, View
from kostka.table import messages as m
from kostka.table import shown, think
from kostka.table.guard import Bucket
from kostka.table.room import Move, NotAllowed, Room, clean
from kostka.table.shown import LATE, RESIGNED, Message
from kostka.table.store import TableStore, Write, changed, move, now, said
from kostka.table.think import Decision, Failed, Past, Thinker, Thought

log = logging.getLogger("kostka.table")

#: A client that is so many messages behind is let go.
BEHIND = 300
#: Seconds after which people are told that an agent thinks.
SOON = 0.2
#: Events that somebody who comes is told in words.
PAST = 5000
#: The newest chat that somebody who comes is told, and how fast one may talk.
TALK, TALK_RATE, TALK_BURST = 50, 0.5, 5.0
#: Seconds until something that failed to be stored is tried again.
LATER = 2.0


def packed(message: Message) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


@functools.cache
def observes(game: str, spec: str) -> bool:
    """Does an agent want to be told everything?"""
    return hasattr(make(find_game(game), spec), "observe")


class Client:
    """One connection: of a seat, or of a spectator."""

    def __init__(self, seat: int | None, drawn: bool, name: str = "") -> None:
        self.seat, self.drawn = seat, drawn
        self.name = clean(name) or "spectator"
        self.outbox: asyncio.Queue[str] = asyncio.Queue(BEHIND)
        self.talk = Bucket(TALK_RATE, TALK_BURST)
        self.lost = asyncio.Event()
        self.backdrop = False

    def tell(self, text: str) -> None:
        """Put a message on its way; who does not keep up is let go."""
        if self.outbox.full():
            self.lost.set()
        else:
            self.outbox.put_nowait(text)

    def refuse(self, why: str, what: str | None) -> None:
        self.tell(packed({"type": "error", "error": why, "re": what}))


class Live:
    """A room with its clients."""

    def __init__(
        self, room: Room, keep: TableStore, thinker: Thinker, pace: float, address: str = ""
    ):
        self.room, self.keep, self.thinker = room, keep, thinker
        self.pace, self.address = pace, address
        self.lock = asyncio.Lock()
        self.clients: set[Client] = set()
        #: Seats for which a hint is being looked for.
        self.hinting: set[int] = set()
        #: What is here may not be what is stored: a write has failed.
        self.stale = False
        self.deadline: float | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.agents: asyncio.Task[None] | None = None
        self.tasks: set[asyncio.Task[Any]] = set()
        self.idle_since = self.told = asyncio.get_running_loop().time()

    # --- storing and telling ---

    async def fresh(self) -> Room:
        """The room as it is stored."""
        if self.stale:
            found = await asyncio.to_thread(self.keep.load, self.room.id)
            if found is None:
                raise KostkaError("this table is gone")
            self.room, self.stale = found, False
        return self.room

    async def store(self, *rows: Write) -> None:
        """Store; if that fails, the room is loaded again before anything else happens."""
        try:
            await self.keep.write(*rows)
        except BaseException as error:
            self.stale = True
            if isinstance(error, asyncio.CancelledError):
                raise
            log.error("table %s: %s", self.room.id, type(error).__name__)
            raise KostkaError("this could not be stored, so it has not happened; try again") from (
                error
            )

    async def happened(self, before: State | None, first: int, moves: Sequence[Move]) -> None:
        """Store moves, then tell everybody what they may know, and go on with the game."""
        room = self.room
        rows = [move(room, one) for one in moves]
        settled = any(not one.codes or one.number == 0 for one in moves) or room.status == "over"
        if settled:
            if room.status == "over":
                room.finished = now()
            rows.append(changed(room))
        await self.store(*rows)
        if settled:
            self.tell_table()
        self.wind()
        codes = [code for one in moves for code in one.codes]
        try:
            self.tell_moves(before, codes, first, shown.notes_of(room).get(first))
            if room.status == "over" and room.table is not None:
                await self.unveil()
        except Exception:  # a drawing that fails must not stop the game
            log.exception("table %s: what has happened cannot be told", room.id)
        self.go_on()

    async def unveil(self) -> None:
        """The game is over: who has not seen everything is told what truly happened."""
        first = max(0, self.room.at - PAST)
        truth = await asyncio.to_thread(shown.history, self.room, None, first)
        for client in [one for one in self.clients if one.drawn]:
            viewer = shown.whose(client.seat)
            if truth != await asyncio.to_thread(shown.history, self.room, viewer, first):
                client.tell(packed({"type": "events", "past": True, "events": truth}))

    def tell_table(self) -> None:
        """Tell everybody who sits where."""
        here = self.here
        texts: dict[int | None, str] = {}
        for client in self.clients:
            if client.seat not in texts:
                texts[client.seat] = packed(shown.table(self.room, here, client.seat))
            client.tell(texts[client.seat])

    @property
    def here(self) -> set[int]:
        return {client.seat for client in self.clients if client.seat is not None}

    def tell_moves(
        self, before: State | None, codes: Sequence[int], first: int, note: str | None
    ) -> None:
        """Tell everybody what has happened and where that leads."""
        self.told = asyncio.get_running_loop().time()
        tell = shown.teller(before, codes, first, note) if before is not None and codes else None
        texts: dict[tuple[int | None, bool], str] = {}
        for client in self.clients:
            key = client.seat, client.drawn
            if tell is not None:
                if key not in texts:
                    events = tell(shown.whose(client.seat), client.drawn)
                    texts[key] = packed({"type": "events", "events": events})
                client.tell(texts[key])
        texts.clear()
        for client in self.clients:
            key = client.seat, client.drawn
            if key not in texts or (client.drawn and not client.backdrop):
                first_time = client.drawn and not client.backdrop
                text = packed(self.position(client))
                if not first_time:
                    texts[key] = text
                client.tell(text)
            else:
                client.tell(texts[key])

    def position(self, client: Client) -> Message:
        """Where the game stands, as a client sees it."""
        room = self.room
        view = room.view_at(room.at, shown.whose(client.seat))
        message = shown.position(
            room,
            view,
            room.at,
            drawn=client.drawn,
            clock=self.left,
            backdrop=not client.backdrop,
        )
        if client.seat is not None and room.seats[client.seat].resigned:
            message["legal"] = []
        client.backdrop = True
        return message

    # --- people ---

    async def enter(self, client: Client, token: str | None = None) -> None:
        """Somebody comes, or comes back to the seat that his token is the right to."""
        async with self.lock:
            room = await self.fresh()
            if token:
                client.seat = room.who(token)
                if client.seat is None:
                    raise NotAllowed("this token is not the right to a seat at this table")
            self.clients.add(client)
            self.tell_table()
            if room.table is not None:
                if client.drawn:
                    viewer = None if room.status == "over" else shown.whose(client.seat)
                    first = max(0, room.at - PAST)
                    past = await asyncio.to_thread(shown.history, room, viewer, first)
                    client.tell(packed({"type": "events", "past": True, "events": past}))
                client.tell(packed(self.position(client)))
            for words in await asyncio.to_thread(self.keep.talk, room.id, TALK):
                client.tell(packed({"type": "chat", **words}))

    async def exit(self, client: Client) -> None:
        """Somebody has gone; the seat stays his."""
        self.clients.discard(client)
        self.idle_since = asyncio.get_running_loop().time()
        async with self.lock:
            await self.fresh()
            self.tell_table()

    async def handle(self, client: Client, message: Any) -> None:
        """Do what a client asks, or tell him why not."""
        async with self.lock:
            await self.fresh()
            try:
                await self._handle(client, message)
            except KostkaError:
                raise
            except BaseException:
                self.stale = True
                raise

    async def _handle(self, client: Client, message: Any) -> None:
        room, seat = self.room, client.seat
        match message:
            case m.Hello():
                raise KostkaError("you have said hello already")
            case m.Look():
                viewer = room.viewer(seat, message.whose)
                view = room.view_at(message.at, viewer)
                told = shown.position(
                    room,
                    view,
                    message.at,
                    drawn=client.drawn,
                    backdrop=not client.backdrop,
                    replay=True,
                )
                client.backdrop = True
                client.tell(packed({**told, "as": message.whose}))
            case m.Chat():
                await self.chat(client, message.words)
            case _ if seat is None:
                raise NotAllowed("you watch; only who has a seat can do that")
            case m.Ready():
                await self.ready(seat, message.ready)
            case m.Act():
                before, first = self.snapshot()
                made = room.act(seat, message.at, message.actions or [message.action or ""])
                await self.happened(before, first, made)
            case m.Draft():
                view = room.draft(seat, message.at, message.actions)
                told = shown.drafted(room, view, message.at, message.actions, client.drawn)
                client.tell(packed(told))
            case m.Why():
                client.refuse(self.why(seat, message), "why")
            case m.Hint():
                self.hint(client, seat)
            case m.Resign():
                await self.resign(seat, RESIGNED)
            case m.Fill():
                spec = think.asked(room.game, message.agent)
                room.fill(seat, message.seat, spec, message.agent.strip())
                await self.begin_or_wait()
            case m.Leave():
                room.leave(seat)
                if room.people == 0:
                    room.close()
                await self.store(changed(room))
                for other in self.clients:
                    if other.seat == seat:
                        other.seat = None
                self.tell_table()

    def snapshot(self) -> tuple[State | None, int]:
        """The position before something happens, and its number."""
        table = self.room.table
        return (table.state.copy() if table else None), self.room.at

    async def ready(self, seat: int, ready: bool) -> None:
        """Somebody is ready or not; when all are, the game begins."""
        waited = self.room.status == "waiting"
        self.room.say_ready(seat, ready)
        if waited:
            await self.begin_or_wait()

    async def begin_or_wait(self) -> None:
        """The game begins when all are ready; until then everybody is told who sits where."""
        if self.room.complete:
            await self.begin()
        else:
            await self.store(changed(self.room))
            self.tell_table()

    async def begin(self) -> None:
        """Everybody is ready: the cards are dealt."""
        opening = self.room.begin()
        assert self.room.table is not None
        await self.happened(self.room.table.start.copy(), 0, [opening])

    async def resign(self, seat: int, why: str) -> None:
        stand_in = think.stand_in(self.room.game)
        before, first = self.snapshot()
        await self.happened(before, first, [self.room.resign(seat, why, stand_in)])

    async def chat(self, client: Client, words: str) -> None:
        text = clean(words, 500)
        if not text:
            raise KostkaError("nothing was said")
        if not client.talk.take():
            raise KostkaError("not so fast; wait a moment before you say more")
        seat = client.seat
        name = client.name if seat is None else self.room.seats[seat].name
        await self.store(said(self.room, seat, name, text, now()))
        told = packed({"type": "chat", "by": seat, "name": name, "words": text})
        for other in self.clients:
            other.tell(told)

    def why(self, seat: int, message: m.Why) -> str:
        """Why something cannot be clicked."""
        room = self.room
        if room.status != "playing":
            return "the game is over" if room.status == "over" else "the game has not begun"
        if message.at != room.at:
            return "the position has changed meanwhile"
        try:
            refused = present.why_not(room.view_at(room.at, seat), m.plain(message.clicks))
        except (ValueError, LookupError, TypeError):
            refused = "there is no such thing on the board"
        return refused or "that can be clicked"

    # --- the clock ---

    @property
    def left(self) -> float | None:
        """Seconds left for the decision."""
        if self.deadline is None:
            return None
        return round(max(0.0, self.deadline - asyncio.get_running_loop().time()), 1)

    def wind(self) -> None:
        """Start the clock of the seat to act."""
        if self.timer is not None:
            self.timer.cancel()
        self.timer, self.deadline = None, None
        mover = self.room.mover
        if mover < 0:
            return
        seat = self.room.seats[mover]
        if seat.clock is not None and not seat.automatic:
            loop = asyncio.get_running_loop()
            self.deadline = loop.time() + seat.clock
            late = functools.partial(self.spawn, self.room.at, mover)
            self.timer = loop.call_later(seat.clock, late)

    def spawn(self, at: int, mover: int) -> None:
        self.keep_task(asyncio.create_task(self.expire(at, mover)))

    def keep_task(self, task: asyncio.Task[Any]) -> None:
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def expire(self, at: int, mover: int, why: str = LATE) -> None:
        """The time of a seat is over, unless it has decided meanwhile."""
        async with self.lock:
            try:
                room = await self.fresh()
                if room.status == "playing" and (room.at, room.mover) == (at, mover):
                    await self.resign(mover, why)
            except KostkaError:  # it could not be stored: then there is more time
                self.wind()

    # --- agents ---

    def go_on(self) -> None:
        """Let agents decide while it is their turn."""
        mover = self.room.mover
        automatic = mover >= 0 and self.room.seats[mover].automatic
        if automatic and (self.agents is None or self.agents.done()):
            self.agents = asyncio.create_task(self.play_agents())

    async def play_agents(self) -> None:
        while True:
            try:
                if not await self.play_agent():
                    return
            except KostkaError:
                await asyncio.sleep(LATER)
            except Exception:
                log.exception("table %s: an agent cannot go on", self.room.id)
                await asyncio.sleep(LATER)

    async def play_agent(self) -> bool:
        """One decision of an agent; False when it is a person's turn or the game is over."""
        async with self.lock:
            room = await self.fresh()
            mover, at, table = room.mover, room.at, room.table
            if mover < 0 or table is None or not room.seats[mover].automatic:
                self.agents = None
                return False
            spec = room.seats[mover].agent or "random"
            only = table.legal[0] if len(table.legal) == 1 else None
            wanted = self.decision(spec, mover)
        note = None
        if only is not None:
            thought: Thought | None = Thought(only, None)
        else:
            thought, note = await self.think(wanted)
        if any(client.drawn for client in self.clients):
            since = asyncio.get_running_loop().time() - self.told
            await asyncio.sleep(max(0.0, self.pace - since))
        async with self.lock:
            room = await self.fresh()
            if (room.at, room.mover) == (at, mover):
                before, first = self.snapshot()
                if thought is None:
                    made = room.decide(at, room.any_action(), None, note)
                else:
                    made = room.decide(at, thought.action, thought.considered)
                await self.happened(before, first, [made])
        return True

    def decision(self, spec: str, seat: int) -> Decision:
        """What an agent is asked, with the stream that it would have before a referee."""
        room, table = self.room, self.room.table
        assert table is not None
        past = None
        if observes(room.game.name, spec):
            past = Past(table.start.buffer.tobytes(), tuple(table.log))
        return Decision(
            room.game.name,
            dict(room.options),
            spec,
            seat,
            stream(room.seed, "agent", seat).tobytes(),
            room.at,
            table.state.view(seat).buffer.tobytes(),
            past,
        )

    async def think(self, wanted: Decision) -> tuple[Thought | None, str | None]:
        """What an agent decides; None and the reason when it fails twice."""
        soon = asyncio.get_running_loop().call_later(SOON, self.tell_thinking, wanted.seat)
        why = ""
        try:
            for _ in range(2):
                try:
                    key = think.kind_of(self.room.game, wanted.spec)
                    return await self.thinker.call(think.decide, wanted, key=key), None
                except (Failed, KostkaError) as error:
                    why = str(error)
                    log.warning("table %s: %s %s", self.room.id, wanted.spec, why)
        finally:
            soon.cancel()
        return None, f"{wanted.spec} failed ({why}); a random action was played"

    def tell_thinking(self, seat: int) -> None:
        told = packed({"type": "thinking", "seat": seat})
        for client in self.clients:
            if client.drawn:
                client.tell(told)

    def hint(self, client: Client, seat: int) -> None:
        """Let a strong agent look at what this seat sees."""
        room = self.room
        if not room.casual:
            raise KostkaError("hints are given only at casual tables")
        if room.status != "playing" or room.mover != seat or room.seats[seat].resigned:
            raise KostkaError("a hint is given only when it is your turn")
        if seat in self.hinting:
            raise KostkaError("a hint is on its way")
        self.hinting.add(seat)
        wanted = self.decision(think.hinter(room.game), seat)
        view = room.view_at(room.at, seat)
        self.keep_task(asyncio.create_task(self.give_hint(client, wanted, view)))

    async def give_hint(self, client: Client, wanted: Decision, view: View) -> None:
        try:
            key = think.kind_of(view.game, wanted.spec)
            found = await self.thinker.call(think.decide, wanted, key=key)
            root = found.considered or [[found.action, None, None]]
            actions = shown.considered(view, root)
            client.tell(packed({"type": "hint", "at": wanted.at, "actions": actions}))
        except (Failed, KostkaError):
            client.refuse("no hint could be found", "hint")
        finally:
            self.hinting.discard(wanted.seat)

    # --- the end ---

    def close(self) -> None:
        """Stop everything that goes on by itself."""
        if self.timer is not None:
            self.timer.cancel()
        for task in (self.agents, *self.tasks):
            if task is not None:
                task.cancel()
