"""A room: who may sit, who may act, how it ends; whatever is refused changes nothing."""

import json
import random

import pytest

from kostka.core.errors import IllegalAction, KostkaError
from kostka.core.game import game
from kostka.core.state import PUBLIC
from kostka.games.dicewars.rules import note_owners
from kostka.table.room import STRIDE, Missing, Move, NotAllowed, Room, Seat, clean, open_room

dicewars = game("dicewars")


def opened(players=2, yours=None, **rest):
    seats = [Seat() for _ in range(players)]
    return open_room(dicewars, {}, seats, {0: "Anna"} if yours is None else yours, **rest)


def playing(players=2, seed=5):
    room, _ = opened(players, {n: f"p{n}" for n in range(players)}, seed=seed)
    room.begin()
    return room


def facts(room):
    """All of a room that anybody could have changed."""
    state = room.table.state.code if room.table else None
    return json.dumps(room.row()), state, list(room.moves)


def refused(room, words, method, *given, error=KostkaError):
    before = facts(room)
    with pytest.raises(error, match=words):
        method(*given)
    assert facts(room) == before


# --- the waiting room ---


def test_a_token_is_the_right_to_one_seat_and_only_its_hash_is_kept():
    room, tokens = opened()
    seat, token = room.join("Bert")
    assert (room.who(tokens[0]), room.who(token), seat) == (0, 1, 1)
    assert room.who(None) is room.who("") is room.who("nonsense") is None
    assert room.who(room.seats[0].token) is None
    kept = json.dumps(room.row())
    assert token not in kept and tokens[0] not in kept


def test_who_comes_when_all_seats_are_taken_can_only_watch():
    room, _ = opened()
    refused(room, "seat 0 is not open; these are: 1", room.join, "Bert", 0)
    room.join("Bert")
    refused(room, "all seats are taken", room.join, "Cecil")


def test_the_game_begins_when_everybody_is_ready_and_then_nobody_leaves():
    room, _ = opened()
    room.join("Bert")
    assert not room.complete
    refused(room, "not everybody is ready", room.begin)
    room.say_ready(1, True)
    assert room.complete
    room.begin()
    assert room.status == "playing" and room.mover in (0, 1)
    for method, given in ((room.leave, (1,)), (room.join, ("C",)), (room.say_ready, (1, False))):
        refused(room, "the game has begun", method, *given)


def test_who_leaves_gives_the_seat_and_its_token_back():
    room, tokens = opened()
    room.join("Bert")
    room.leave(0)
    assert room.seats[0].kind == "open" and room.host == 1
    assert room.who(tokens[0]) is None


def test_as_many_seats_as_players():
    with pytest.raises(KostkaError, match="3 players need as many seats, not 2"):
        open_room(dicewars, {"players": 3}, [Seat(), Seat()], {})
    with pytest.raises(KostkaError, match="players must be a whole number from 2 to 8"):
        open_room(dicewars, {}, [Seat()], {})


@pytest.mark.parametrize(
    ("given", "kept"),
    [("  Anna \n Lena ", "Anna Lena"), ("a\0b\u202ec\x1b[31m", "abc[31m"), ("x" * 99, "x" * 40),
     ("\ud800é", "é"), ("\u200b", "")],
)  # fmt: skip
def test_names_are_one_short_line_without_control_characters(given, kept):
    assert clean(given) == kept


# --- the game ---


def test_nobody_acts_out_of_turn_too_late_or_against_the_rules():
    room = playing()
    mover, other = room.mover, 1 - room.mover
    refused(room, "it is not your turn", room.act, other, room.at, ["end"])
    refused(room, "too late", room.act, mover, room.at + 1, ["end"])
    refused(room, "no Dice Wars notation", room.act, mover, room.at, ["rubbish"])
    refused(room, "no action", room.act, mover, room.at, [])
    theirs = next(i for i, owner in enumerate(room.table.state.record.owner) if owner == other)
    refused(
        room, f"area {theirs} is not yours", room.act, mover, room.at, [f"{theirs}>0"],
        error=IllegalAction,
    )  # fmt: skip


def test_several_decisions_are_carried_out_all_or_none():
    room = playing()
    refused(room, "luck or another player", room.act, room.mover, room.at, ["end", "end"])
    attack = room.table.state.text(room.table.legal[0])
    refused(room, "luck or another player", room.act, room.mover, room.at, [attack, "end"])


def test_transfers_are_decided_together_and_a_draft_changes_nothing():
    seats = [Seat(), Seat()]
    room, _ = open_room(dicewars, {"edition": 2021}, seats, {0: "a", 1: "b"}, seed=3)
    room.begin()
    texts = [room.table.state.text(a) for a in room.table.legal]
    transfer = next(text for text in texts if "=" in text)
    refused(room, "no Dice Wars notation", room.act, room.mover, room.at, [transfer, "what"])
    before = facts(room)
    view = room.draft(room.mover, room.at, [transfer])
    assert view.mover == room.mover and view.seat == room.mover
    assert facts(room) == before
    mover, at = room.mover, room.at
    moves = room.act(mover, at, [transfer, "end"])
    assert [one.by for one in moves] == [mover, mover]
    assert room.mover != mover
    assert [len(one.codes) >= 1 for one in moves] == [True, True]
    assert sum(len(one.codes) for one in moves) == room.at - at


def test_when_one_of_two_resigns_the_other_has_won():
    room = playing()
    move = room.resign(room.mover, "resigned", "stei")
    assert move.codes == () and move.note == "resigned"
    assert room.status == "over" and room.result[move.by] == 0 and sum(room.result) == 1
    refused(room, "the game is over", room.act, 0, room.at, ["end"])
    refused(room, "no game to resign from", room.resign, 0, "resigned", "stei")


def test_when_one_of_three_resigns_an_agent_plays_on_but_he_gets_nothing():
    room = playing(3)
    room.resign(1, "resigned", "stei")
    assert room.status == "playing" and room.seats[1].automatic
    refused(room, "this seat has resigned", room.resign, 1, "resigned", "stei")
    while room.status == "playing":
        before = room.mover
        room.decide(room.at, room.any_action())
        assert before >= 0
    assert room.result[1] == 0 and sum(room.result) == pytest.approx(1)


def test_when_the_stand_in_wins_the_others_share():
    room = playing(3)
    room.resign(2, "ran out of time", "stei")
    room.table.state.record.owner[:] = 2
    note_owners(room.table.state.record)
    room.table.state.record.player = 2
    room.table.state.record.phase = dicewars.phases.index("over")
    assert room.table.state.returns == [0, 0, 1]
    room._finish()
    assert room.result == [0.5, 0.5, 0.0]


# --- what can be seen ---


def test_other_seats_and_the_whole_truth_are_seen_only_when_the_game_is_over():
    room = playing()
    assert room.viewer(0, None) == PUBLIC and room.viewer(0, 0) == 0
    for you, whose in ((0, 1), (None, 0), (0, "all"), (None, "all")):
        with pytest.raises(NotAllowed):
            room.viewer(you, whose)
    with pytest.raises(Missing):
        room.viewer(0, 7)
    room.resign(0, "resigned", "stei")
    assert room.viewer(None, 1) == 1 and room.viewer(None, "all") is None


def test_every_past_position_can_be_seen_again():
    room = playing()
    seen = [room.table.state.code]
    numbers = [room.at]
    while room.at < 3 * STRIDE and room.status == "playing":
        room.decide(room.at, room.any_action())
        seen.append(room.table.state.code)
        numbers.append(room.at)
    for n, code in random.Random(1).sample(list(zip(numbers, seen, strict=True)), 40):
        assert room.state_at(n).code == code
    assert set(room.marks) <= {STRIDE, 2 * STRIDE, 3 * STRIDE} and room.marks
    with pytest.raises(KostkaError, match="have not happened"):
        room.state_at(room.at + 1)


def test_the_record_tells_the_seed_only_when_the_game_is_over():
    room = playing()
    room.act(room.mover, room.at, ["end"])
    assert str(room.seed) not in room.record(None).dumps().split()
    assert room.record(None).seed is None
    while room.status == "playing":
        room.decide(room.at, room.any_action())
    record = room.record(None)
    record.verify()
    assert (record.seed, record.result) == (room.seed, room.result)
    assert room.record(0).seed is None


# --- again, and from the store ---


def test_a_rematch_moves_everybody_on_by_one_with_his_token():
    room, tokens = opened(3, {0: "Anna"})
    _, token = room.join("Bert")
    room.seats[2] = Seat("agent", "stei", agent="stei", label="stei", ready=True)
    room.say_ready(1, True)
    refused(room, "the game is not over", room.rematch, "next", 0)
    room.begin()
    room.resign(0, "resigned", "ste")
    room.resign(1, "resigned", "ste")
    again = room.rematch("next", 1)
    assert again.names == ["stei", "Anna", "Bert"]
    assert (again.who(tokens[0]), again.who(token)) == (1, 2)
    assert [seat.ready for seat in again.seats] == [True, False, True]
    assert [seat.resigned for seat in again.seats] == [None] * 3
    assert again.seats[1].agent is None
    assert room.next == "next" and again.seed != room.seed


def test_a_room_from_the_store_is_the_same_and_goes_on_the_same():
    room = playing(3)
    for _ in range(20):
        room.decide(room.at, room.any_action())
    room.resign(1, "resigned", "stei")
    again = Room.restore(room.row(), room.moves)
    assert facts(again) == facts(room)
    while room.status == "playing":
        for one in (room, again):
            one.decide(one.at, one.any_action())
    assert facts(again) == facts(room)
    assert facts(Room.restore(room.row(), room.moves)) == facts(room)


def test_what_was_stored_must_fit_the_rules_and_the_luck():
    room = playing()
    attack = next(a for a in room.table.legal if ">" in room.table.state.text(a))
    move = room.decide(room.at, attack)
    first = room.moves[0]
    other = Move(1, move.by, (attack, 1 - move.codes[1], *move.codes[2:]))
    with pytest.raises(KostkaError, match="luck has come out otherwise"):
        Room.restore(room.row(), [first, other])
    with pytest.raises(KostkaError, match="does not fit the rules"):
        Room.restore(room.row(), [first, Move(1, move.by, (0,))])
    with pytest.raises(KostkaError, match="version 99"):
        Room.restore({**room.row(), "rules": 99}, room.moves)
