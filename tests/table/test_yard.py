"""Scotland Yard at a table: people and agents on one side, and what is told when."""

import random
import re
from typing import Any

import pytest

from kostka.table import room as rooms

PERSON, OPEN = {"kind": "person"}, {"kind": "open"}
TEAM = ("alphabeta:depth=1", "mcts-gerza:iterations=200", "mcts-sova:iterations=200", "mcts")


def agent(spec: str) -> dict[str, str]:
    return {"kind": "agent", "agent": spec}


@pytest.fixture
def dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seed for tables with which Mr X is an even way from the police, on a small grid."""
    monkeypatch.setattr(rooms.secrets, "randbits", lambda bits: 5)


@pytest.mark.parametrize("which", ["scotland-yard", "scotland-yard-grid"])
def test_a_person_hunts_together_with_agents_of_every_kind(
    server: Any, dealt: Any, which: str
) -> None:
    """They are made anew for each decision, and the person does what none of them expects."""
    seats = [agent("random"), PERSON, *map(agent, TEAM)]
    options = {"size": 7, "rounds": 5} if which.endswith("grid") else {}
    given = server.open(which, seats=seats, options=options)
    choose = random.Random(1)
    moved = []
    with server.seat(given, board=True) as person:
        while True:
            message = person.receive(timeout=300)
            assert message["type"] != "error", message
            if message["type"] == "events":
                assert not [event["note"] for event in message["events"] if "note" in event]
                moved += [event["by"] for event in message["events"]]
            if message["type"] == "position":
                if message["mover"] == -2 or message["at"] > 30:
                    break
                if message["legal"]:
                    action = choose.choice(message["legal"])["action"]
                    person.send(type="act", at=message["at"], action=action)
    assert {1, 2, 3, 4, 5} <= set(moved)


def chase(server: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """A table with Mr X and one detective, both people."""
    options = {"players": 2, "size": 3, "rounds": 9, "reveal": 9}
    return server.duel("scotland-yard-grid", options=options)


def test_a_draft_onto_mr_x_tells_nothing_and_the_move_catches_him(server: Any, dealt: Any) -> None:
    mine, yours = chase(server)
    with server.seat(mine, True) as mr_x, server.seat(yours, True) as police:
        police.until("table")
        police.send(type="ready")
        here = None
        for _ in range(9):
            position = mr_x.until("position", mover=0)
            action = choose_near(position, police_at(position))
            mr_x.send(type="act", at=position["at"], action=action)
            here = action
            position = police.until("position", mover=1)
            names = [one["action"] for one in position["legal"]]
            if here in names:
                break
            police.send(type="act", at=position["at"], action=names[0])
        assert here in names, "Mr X has run into nobody"
        drafted = {
            name: police.ask("drafted", type="draft", at=position["at"], actions=[name])
            for name in names
        }
        for told in drafted.values():
            assert told["done"] and told["words"] == drafted[here]["words"]
            assert told["mover"] == drafted[here]["mover"]
            assert "Mr X on" not in told["layer"] and "caught" not in told["words"]
        past = [one["text"] for m in police.got if m["type"] == "events" for one in m["events"]]
        assert here not in past
        police.send(type="act", at=position["at"], action=here)
        last = police.until("position", mover=-2)
        assert f"Mr X is caught on {here}" in last["words"]
        assert 'class="story"' in last["layer"] and 'class="way"' in last["layer"]
        truth = police.until("events", past=True)["events"]
        texts = [one["text"] for one in truth]
        assert texts[0].startswith("start ") and "moves" not in texts and here in texts
    with server.seat(yours, True) as late:
        assert late.until("events", past=True)["events"] == truth
        late.until("position")
        for whose, told in (("all", True), (1, False)):
            looked = late.ask("position", type="look", at=3, **{"as": whose})
            assert ('class="story"' in looked["layer"]) == told


def police_at(position: dict[str, Any]) -> str:
    return position["players"][1][0]["value"]


def choose_near(position: dict[str, Any], target: str) -> str:
    """Mr X's move that ends nearest to a cell."""

    def far(name: str) -> int:
        return abs(ord(name[0]) - ord(target[0])) + abs(int(name[1:]) - int(target[1:]))

    names = [one["action"] for one in position["legal"]]
    return min((n for n in names if re.fullmatch(r"[a-z]\d", n)), key=far)


def test_in_a_rematch_everybody_has_his_role_again(server: Any) -> None:
    seats = [agent("random"), {**PERSON, "name": "Anna"}, {**PERSON, "name": "Bert"}]
    given = server.open("scotland-yard-grid", seats=seats, options={"rounds": 2})
    tokens = {one["seat"]: one["token"] for one in given["seats"]}
    for n in (1, 2):
        with server.seat({**given, "token": tokens[n]}) as one:
            one.until("position")
            one.send(type="resign")
    path = f"/api/tables/{given['table']}/rematch"
    again = server.post(path, token=tokens[2]).json()
    assert again["seat"] == 2
    table = server.get(f"/api/tables/{again['table']}").json()
    assert [seat["name"] for seat in table["seats"]][1:] == ["Anna", "Bert"]
