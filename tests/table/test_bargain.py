"""Cards chosen together and somebody asked in another's turn reach a page, and keep the laws."""

import asyncio
import json
from typing import Any

import pytest

from kostka.core import present
from kostka.core.state import State
from kostka.proof import drawings, law
from kostka.proof.check import check
from kostka.table import messages as m
from kostka.table.live import Client, Live
from kostka.table.room import Seat, open_room
from kostka.table.store import TableStore, new_room
from kostka.table.think import Thinker

OFFER = ["give fig", "give fig", "want nut", "propose"]


def test_a_game_with_bundles_keeps_every_law(bargain: Any) -> None:
    report = check(bargain, seed=1, positions=10)
    assert [failure for law in report.laws for failure in law.failures] == []
    name = law.name_of(drawings.cards_chosen_together_are_legal)
    assert next(law for law in report.laws if law.name == name).cases


def after(bargain: Any, *actions: str, **options: int) -> State:
    state = bargain.new(seed=1, **options)
    for action in actions:
        state.apply(action)
    return state


def test_a_bundle_names_its_cards_by_notation(bargain: Any) -> None:
    bundle = present.bundle(after(bargain).view(0))
    assert bundle is not None and bundle["then"] == "propose"
    gives, wants = bundle["rows"]
    assert [card["action"] for card in gives["cards"]] == ["give fig", "give nut", "give pea"]
    assert [card["limits"] for card in gives["cards"]] == [[0, 2], [0, 1], [0, 1]]
    assert wants["total"] == [1, 1]


def test_only_who_decides_is_given_a_bundle(bargain: Any) -> None:
    state = after(bargain, "end")
    assert present.bundle(state.view(0)) is None
    bundle = present.bundle(state.view(1))
    assert bundle is not None and (bundle["verb"], bundle["apart"]) == ("Discard", False)


def test_a_position_says_whose_turn_it_is_and_who_is_asked(bargain: Any) -> None:
    view = after(bargain, *OFFER).view(1)
    assert (present.turn(view), view.mover) == (0, 1)
    over = after(bargain, "end", "drop nut", "drop nut", turns=1)
    assert over.over and present.turn(over.view(0)) is None


def test_all_cards_of_a_bundle_are_taken_or_none(bargain: Any, server: Any) -> None:
    seats = [{"kind": "person"}, {"kind": "person"}]
    given = server.open("bargain", seats=seats)
    mine, yours = ({"table": given["table"], "token": one["token"]} for one in given["seats"])
    with server.seat(mine, board=True) as one, server.seat(yours, board=True) as two:
        position = one.until("position")
        assert position["bundle"]["words"] == "Make an offer" and position["turn"] == 0
        wrong = ["give fig", "give nut", "want nut", "propose"]
        told = one.ask("error", type="act", at=position["at"], actions=wrong)
        assert told["error"]
        one.send(type="act", at=position["at"], actions=OFFER)
        answering = two.until("position", mover=1)
        assert (answering["turn"], answering["at"]) == (0, len(OFFER))
        assert "bundle" not in answering or answering["bundle"] is None


def test_the_clock_of_who_is_asked_runs(bargain: Any, tmp_path: Any) -> None:
    """Not of whose turn it is: and who lets it run out has given up."""

    def told(client: Client) -> list[dict[str, Any]]:
        return [json.loads(client.outbox.get_nowait()) for _ in range(client.outbox.qsize())]

    async def story() -> None:
        seats = [Seat(clock=60), Seat(clock=0.3)]
        room, _ = open_room(bargain, {}, seats, {0: "Anna", 1: "Bert"}, seed=5)
        keep = TableStore(tmp_path / "data")
        await keep.write(new_room(room))
        live = Live(room, keep, Thinker(1), 0.0)
        client = Client(0, True)
        await live.enter(client)
        await live.begin()
        assert told(client)[-1]["clock"] == pytest.approx(60, abs=1)
        act = {"type": "act", "at": 0, "actions": OFFER}
        await live.handle(client, m.asked.validate_json(json.dumps(act)))
        position = told(client)[-1]
        assert (position["turn"], position["mover"]) == (0, 1)
        assert 0 < position["clock"] <= 0.3
        await asyncio.sleep(0.6)
        assert live.room.seats[1].resigned == "ran out of time"
        assert live.room.seats[0].resigned is None
        live.close()
        keep.close()

    asyncio.run(story())
