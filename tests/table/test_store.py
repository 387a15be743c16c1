"""What the table keeps, on SQLite and PostgreSQL alike."""

import asyncio
import time

import pytest

from kostka.core.errors import KostkaError
from kostka.core.game import game
from kostka.table.room import Seat, open_room
from kostka.table.store import TableStore, changed, move, new_room, said

dicewars = game("dicewars")


SEED = 3


def begun():
    room, _ = open_room(
        dicewars, {}, [Seat(), Seat()], {0: "Anna", 1: "B"}, opened="now", clock=9.5
    )
    room.seed = SEED  # a game that is long enough for all that is tried here
    return room, room.begin()


def test_a_room_comes_out_as_it_went_in(where):
    async def story():
        room, opening = begun()
        await keep.write(new_room(room), move(room, opening))
        for _ in range(5):
            one = room.decide(room.at, room.any_action(), [[3, 7, 0.25], [4, None, 1.0]], "a note")
            await keep.write(move(room, one))
        assert keep.unfinished() == [room.id] and keep.game_of(room.id) == "dicewars"
        again = keep.load(room.id)
        assert (again.row(), again.moves) == (room.row(), room.moves)
        assert again.table.state.code == room.table.state.code
        end = room.resign(1, "resigned", "stei")
        await keep.write(move(room, end), changed(room))
        assert keep.unfinished() == []
        assert keep.load(room.id).row() == room.row()
        assert keep.load("nothing") is keep.game_of("nothing") is None

    keep = TableStore(where.removesuffix("/store.db"))
    asyncio.run(story())
    keep.close()


def test_chat_is_kept_in_order_and_takes_any_text(where):
    async def story():
        room, _ = begun()
        await keep.write(new_room(room))
        for n in range(5):
            await keep.write(said(room, n % 2 or None, "An\0na", f"{n} \ud800", "now"))
        talk = keep.talk(room.id, 3)
        assert [one["words"] for one in talk] == ["2 ?", "3 ?", "4 ?"]
        assert talk[0] == {"by": None, "name": "Anna", "words": "2 ?"}

    keep = TableStore(where.removesuffix("/store.db"))
    asyncio.run(story())
    keep.close()


def test_writes_at_the_same_time_share_a_transaction_and_only_the_wrong_one_fails(where):
    async def story():
        room, opening = begun()
        await keep.write(new_room(room), move(room, opening))
        puts.clear()
        moves = [room.decide(room.at, room.any_action()) for _ in range(30)]
        twice = keep.write(move(room, opening))
        writes = [keep.write(move(room, one)) for one in moves[:15]]
        rest = [keep.write(move(room, one)) for one in moves[15:]]
        results = await asyncio.gather(*writes, twice, *rest, return_exceptions=True)
        assert [type(r) for r in results if r is not None] == [KostkaError]
        assert results[15] is not None
        assert keep.load(room.id).moves == room.moves
        puts.clear()
        more = [room.decide(room.at, room.any_action()) for _ in range(30)]
        await asyncio.gather(*(keep.write(move(room, one)) for one in more))
        assert len(puts) <= 3

    keep = TableStore(where.removesuffix("/store.db"))
    puts, put = [], keep.put

    def counted(rows):
        puts.append(len(rows))
        put(rows)

    keep.put = counted
    asyncio.run(story())
    keep.close()


def test_a_write_is_on_disk_before_it_returns(tmp_path):
    async def story():
        room, opening = begun()
        keep.put = slow
        began = time.monotonic()
        await keep.write(new_room(room), move(room, opening))
        assert time.monotonic() - began >= 0.1
        assert TableStore(tmp_path).load(room.id).moves == [opening]

    keep = TableStore(tmp_path)
    put = keep.put

    def slow(rows):
        time.sleep(0.1)
        put(rows)

    asyncio.run(story())
    keep.close()


def test_results_of_people_against_agents_are_kept(where):
    async def story():
        for seed in range(4):
            agents = [Seat("agent", "x", agent="ste", label="easy", ready=True) for _ in range(2)]
            room, _ = open_room(dicewars, {}, [Seat(), *agents], {0: "Anna"}, seed=seed)
            room.begin()
            if seed < 3:
                room.result, room.status = ([1.0, 0, 0], [0, 1.0, 0], [0.5, 0, 0.5])[seed], "over"
            await keep.write(new_room(room))
        assert keep.results() == [
            {"game": "dicewars", "players": 3, "agent": "easy", "games": 3, "people": 0.5,
             "agents": 0.25}
        ]  # fmt: skip

    keep = TableStore(where.removesuffix("/store.db"))
    asyncio.run(story())
    keep.close()


def test_only_one_server_plays_on_a_store(where):
    one, two = (TableStore(where.removesuffix("/store.db")) for _ in range(2))
    one.claim()
    with pytest.raises(KostkaError, match="another server plays"):
        two.claim()
    one.close()
    two.claim()
    two.close()


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(KostkaError, match="cannot be made"):
        TableStore(tmp_path / "file" / "folder")
