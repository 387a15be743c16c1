"""Game records: what is written can be read, replayed and verified, and nothing else can."""

import json

import pytest

from kostka.agents import make
from kostka.arena.referee import play_game
from kostka.core.errors import KostkaError
from kostka.core.game import game
from kostka.core.log import FORMAT, GameLog
from kostka.core.state import PUBLIC, State, View

dicewars = game("dicewars")


@pytest.fixture(scope="module")
def record() -> GameLog:
    options = dicewars.check({"players": 3, "edition": 2021})
    agents = [make(dicewars, name) for name in ("stei", "sdc", "random")]
    played = play_game(dicewars, options, agents, 7, names=["stei", "sdc", "random"], record=True)
    assert played.record is not None
    return played.record


def lines(record: GameLog) -> list[dict]:
    return [json.loads(line) for line in record.dumps().splitlines()]


def loads(changed: list[dict]) -> GameLog:
    return GameLog.loads("".join(json.dumps(line) + "\n" for line in changed))


def test_the_header_says_what_was_played_and_the_end_how_it_ended(record):
    header, *events, end = lines(record)
    assert header["format"] == FORMAT
    assert (header["game"], header["rules"]) == ("dicewars", record.game.version)
    assert header["options"]["edition"] == 2021
    assert header["seats"] == ["stei", "sdc", "random"]
    assert "seed" not in header
    assert end["seed"] == 7
    assert sum(end["result"]) == pytest.approx(1)
    assert len(events) == len(record.events)
    assert all(("by" in e) != ("luck" in e) for e in events)


def test_what_is_written_can_be_read_and_verified(record, tmp_path):
    record.write(tmp_path / "game.jsonl")
    again = GameLog.read(tmp_path / "game.jsonl")
    assert again.dumps() == record.dumps()
    again.verify()
    assert [p.name for p in tmp_path.iterdir()] == ["game.jsonl"]


def test_it_can_be_replayed_to_any_point(record):
    states = list(record.positions())
    assert len(states) == len(record.events) + 1
    for n in (0, 1, 5, len(record.events)):
        assert record.replay(n) == states[n]
    assert states[-1].over
    with pytest.raises(KostkaError, match="is not among them"):
        record.replay(len(record.events) + 1)


def test_a_seats_record_has_no_seed_and_replays_to_views(record):
    for seat in (0, 2, PUBLIC):
        own = record.for_seat(seat)
        assert own.seed is None
        assert "seed" not in lines(own)[-1]
        again = GameLog.loads(own.dumps())
        again.verify()
        assert isinstance(again.replay(10), View)
        assert not isinstance(again.replay(10), State)
    with pytest.raises(KostkaError, match="already the record of a seat"):
        own.for_seat(0)


def test_a_record_without_an_end_can_still_be_replayed(record):
    part = loads(lines(record)[:20])
    assert part.result is None
    part.verify()
    assert len(part.events) == 19


def test_a_record_of_other_rules_is_refused(record):
    changed = lines(record)
    other = changed[0]["rules"] = record.game.version + 1
    with pytest.raises(KostkaError, match=f"version {other} of the rules of dicewars"):
        loads(changed)


def test_a_record_of_a_changed_engine_is_recognised_by_its_end(record):
    changed = lines(record)
    changed[-1]["hash"] = "0" * 16
    with pytest.raises(KostkaError, match="another engine"):
        loads(changed).verify()


def test_a_result_that_was_tampered_with_is_found(record):
    changed = lines(record)
    changed[-1]["result"] = changed[-1]["result"][::-1]
    if changed[-1]["result"] != record.result:
        with pytest.raises(KostkaError, match="the record says"):
            loads(changed).verify()


def test_a_wrong_seed_or_seat_is_found(record):
    changed = lines(record)
    changed[-1]["seed"] = 8
    with pytest.raises(KostkaError, match="did not start from seed 8"):
        loads(changed).verify()
    for field, value in (("seat", 9), ("seats", ["a"])):
        changed = lines(record)
        changed[0][field] = value
        with pytest.raises(KostkaError, match="3 players"):
            loads(changed)


def test_an_illegal_or_missing_event_is_found_where_it_is(record):
    changed = lines(record)
    del changed[3]
    with pytest.raises(KostkaError, match="event"):
        loads(changed).verify()
    changed = lines(record)
    changed[1] = {"by": 0, "do": "1>1"}
    with pytest.raises(KostkaError, match="event 1 "):
        loads(changed).verify()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not a game record"),
        ("hello\n", "line 1 of the record is not a JSON object"),
        ('{"format": "chess"}\n', "not a game record"),
        (json.dumps({"format": FORMAT}) + "\n", "damaged"),
        (json.dumps({"format": FORMAT, "game": "dicewar", "rules": 1}) + "\n", "did you mean"),
        ("[1]\n", "not a JSON object"),
    ],
)
def test_a_broken_file_gets_one_clear_sentence(text, words):
    with pytest.raises(KostkaError, match=words) as caught:
        GameLog.loads(text)
    assert "\n" not in str(caught.value)


def test_a_damaged_start_is_found(record):
    changed = lines(record)
    changed[0]["start"] = changed[0]["start"][:-20]
    with pytest.raises(KostkaError, match="damaged"):
        loads(changed).verify()


def test_files_that_cannot_be_read_are_named(tmp_path):
    with pytest.raises(KostkaError, match="cannot be read"):
        GameLog.read(tmp_path / "none.jsonl")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(KostkaError, match="no text file"):
        GameLog.read(tmp_path / "binary")
