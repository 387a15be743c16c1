"""What a game says of choices that lie on top of each other reaches a page, and keeps the laws."""

import json
from typing import Any

from kostka.core import present
from kostka.proof import drawings, law
from kostka.proof.check import check
from kostka.table import shown


def test_a_game_with_choices_keeps_every_law(patches: Any) -> None:
    report = check(patches, seed=1, positions=10)
    assert [failure for law in report.laws for failure in law.failures] == []
    name = law.name_of(drawings.choices_can_be_told_apart)
    tried = next(law for law in report.laws if law.name == name)
    assert tried.cases


def first_turn(patches: Any, hand: int, *further: str) -> Any:
    state = patches.new(seed=1, only=hand).apply(f"patch {hand}")
    for action in further:
        state.apply(action)
    return state.view(0)


def test_a_choice_is_known_by_its_name_however_it_is_written(patches: Any) -> None:
    view = first_turn(patches, 1)
    for click in ({"choice": "r1"}, {"choice": "r1", "verbs": ["Turn", "Lay"]}):
        assert present.why_not(view, ["c0,1", click]) is None
    refused = present.why_not(view, ["c0,1", {"choice": "r0"}])
    assert refused == "the patch does not fit there that way round"


def test_previews_travel_with_the_legal_actions_and_are_small(patches: Any) -> None:
    told = shown.legal(first_turn(patches, 1), drawn=True)
    assert [one["action"] for one in told if "preview" not in one] == []
    assert max(len(one["preview"]) for one in told) < 100
    pinning = first_turn(patches, 1, "0,1/1")
    assert all("preview" not in one for one in shown.legal(pinning, drawn=True))


def test_a_program_may_ask_why_a_choice_is_refused(server: Any) -> None:
    seats = [{"kind": "person"}, {"kind": "agent", "agent": "random"}]
    given = server.open("patches", seats=seats, options={"only": 1})
    with server.seat(given, board=True) as seat:
        position = seat.until("position")
        legal = next(one for one in position["legal"] if one["action"] == "0,1/1")
        assert legal["clicks"][1] == {"choice": "r1", "verbs": ["Turn", "Lay"]}
        assert "rotate(90)" in legal["preview"]
        for name, words in (("r1", "that can be clicked"), ("r0", "the patch does not fit")):
            clicks = ["c0,1", {"choice": name}]
            answer = seat.ask("error", type="why", at=position["at"], clicks=clicks)
            assert answer["error"].startswith(words)
        for wrong in ({"choice": 3}, {"choice": "r1", "verbs": ["Turn"]}, {"other": "r1"}):
            answer = seat.ask("error", type="why", at=position["at"], clicks=[wrong])
            assert "clicks" in answer["error"], json.dumps(answer)
