"""What is shown to a client: messages made from nothing but the view of its seat."""

import base64
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from kostka.core import present, rules
from kostka.core.record import canonical, clone
from kostka.core.state import OVER, PUBLIC, State, View
from kostka.table.room import Room

Message = dict[str, Any]

#: Why an agent plays on for a person.
RESIGNED, LATE, GONE = "resigned", "ran out of time", "did not come back"


def table(room: Room, here: Iterable[int], you: int | None = None) -> Message:
    """The table as everybody may see it."""
    present = set(here)
    sides = room.game.teams(room.options)
    return {
        "type": "table",
        "id": room.id,
        "game": room.game.name,
        "title": room.game.title,
        "options": dict(room.options),
        "name": room.name,
        "status": room.status,
        "seats": [
            {
                "kind": seat.kind,
                "name": seat.name,
                "agent": seat.label,
                "ready": seat.ready,
                "here": number in present or seat.kind == "agent",
                "resigned": seat.resigned,
                "role": room.game.role(number),
                "side": sides[number],
                "clock": seat.clock,
            }
            for number, seat in enumerate(room.seats)
        ],
        "you": you,
        "host": room.host,
        "public": room.public,
        "clock": room.clock,
        "casual": room.casual,
        "at": room.at,
        "result": room.result,
        "next": room.next,
    }


def position(
    room: Room,
    view: View,
    at: int,
    *,
    drawn: bool,
    clock: float | None = None,
    backdrop: bool = True,
    replay: bool = False,
) -> Message:
    """A position as its view shows it, drawn for people or as a code for programs."""
    last = room.status == "over" and at == room.at
    told = last or (room.status == "over" and isinstance(view, State))
    mover = OVER if last else view.mover
    message: Message = {
        "type": "position",
        "at": at,
        "mover": mover,
        "phase": view.phase,
        "scores": view.scores,
        "legal": [],
        "clock": clock,
    }
    if not replay and mover >= 0 and mover == view.seat:
        message["legal"] = legal(view, drawn)
        together = present.bundle(view) if drawn else None
        if together:
            message["bundle"] = together
    if drawn:
        message["words"] = words(room, view, last)
        message["players"] = facts(view)
        message["turn"] = None if last else present.turn(view)
        still, layer, message["box"] = present.drawing(view)
        message["layer"] = f"{story(room, at)}{layer}" if told else layer
        if backdrop:
            message["backdrop"] = still
    else:
        message["view"] = code(view)
    if last:
        message["result"], message["seed"] = room.result, room.seed
    if replay:
        message["replay"] = True
    return message


def story(room: Room, at: int) -> str:
    """What a game draws once nothing is hidden any more, below all else; most draw nothing."""
    assert room.table is not None
    own = getattr(room.game.part("view"), "story", None)
    if own is None:
        return ""
    state = room.table.start.copy()

    def played() -> Iterator[tuple[Any, int]]:
        for action in room.table.log[:at] if room.table else ():
            yield state.record, action
            rules.apply(state.record, action)

    return f'<g class="{room.game.name}">{own(played())}</g>'


def legal(view: View, drawn: bool) -> list[Message]:
    """The legal actions; for people with words, clicks and whether a draft can go on."""
    text = view.game.part("actions").text
    record = view.record
    if not drawn:
        return [{"action": text(record, a)} for a in view.legal_actions]
    return [
        {
            "action": text(record, a),
            "words": view.describe(a),
            "clicks": present.clicks(view, a),
            "ends": ends(view, a),
            **previewed(view, a),
        }
        for a in view.legal_actions
    ]


def previewed(view: View, action: int) -> Message:
    """What is laid over the board while an action is about to be taken, if there is anything."""
    found = present.preview(view, action)
    return {"preview": found} if found else {}


def ends(view: View, action: int) -> bool:
    """Does luck, another player or the end come next, as far as the seat can know?"""
    tried = clone(view.buffer)
    rules.apply(tried[0], action)
    return bool(rules.mover(tried[0]) != view.seat)


def words(room: Room, view: View, last: bool) -> str:
    """What is going on, also when somebody has resigned."""
    if last and not view.over and room.result is not None:
        gone = [present.called(n, room.names) for n, s in enumerate(room.seats) if s.resigned]
        best = max(room.result)
        won = [present.called(n, room.names) for n, gain in enumerate(room.result) if gain == best]
        why = f"{present.listed(gone)} {'has' if len(gone) == 1 else 'have'} given up; "
        return f"{why}{present.listed(won)} {'has' if len(won) == 1 else 'have'} won."
    return present.status(view, room.names)


def facts(view: View) -> list[list[Message]]:
    """What is public about each player."""
    return [
        [{"label": label, "value": str(value)} for label, value in player]
        for player in present.players(view)
    ]


def code(view: View) -> str:
    """The position as ``load`` reads it: as ``View.code``, packed less but thirty times faster."""
    packed = base64.urlsafe_b64encode(zlib.compress(canonical(view.buffer), 1)).decode()
    return f"{view.game.name}/{view.game.version}/{packed}"


def drafted(room: Room, view: View, at: int, actions: Sequence[str], drawn: bool) -> Message:
    """The position as if the drafted actions had been taken."""
    message = position(room, view, at, drawn=drawn, backdrop=False)
    done = view.mover != view.seat
    return {**message, "type": "drafted", "draft": list(actions), "done": done}


def teller(
    before: State, codes: Sequence[int], first: int, note: str | None = None
) -> Callable[[int, bool], list[Message]]:
    """A function that tells a viewer what has happened from a position on, as he may see it."""
    states = [before]
    for action in codes:
        states.append(states[-1].copy())
        rules.apply(states[-1].record, action)

    def tell(viewer: int, drawn: bool) -> list[Message]:
        found = []
        after = states[0].view(viewer)
        for n, action in enumerate(codes):
            state, view, after = states[n], after, states[n + 1].view(viewer)
            shown = state.seen(action, viewer)
            event: Message = {"n": first + n + 1, "by": state.mover, "text": view.text(shown)}
            if drawn:
                event["words"] = view.describe(shown)
                event["effects"] = present.effects(view, shown, after)
            if note and n == 0:
                event["note"] = note
            found.append(event)
        return found

    return tell


def history(room: Room, viewer: int | None, first: int = 0, drawn: bool = True) -> list[Message]:
    """What has happened after the first so many events, as a viewer has seen it; None: truly."""
    assert room.table is not None
    state, found = room.state_at(first).copy(), []
    notes = notes_of(room)
    for n, action in enumerate(room.table.log[first:], first):
        view: View = state if viewer is None else state.view(viewer)
        seen = action if viewer is None else state.seen(action, viewer)
        event: Message = {"n": n + 1, "by": state.mover, "text": view.text(seen)}
        if drawn:
            event["words"] = view.describe(seen)
        if n in notes:
            event["note"] = notes[n]
        found.append(event)
        rules.apply(state.record, action)
    return found


def notes_of(room: Room) -> dict[int, str]:
    """What is said of events, by how many came before; that somebody has given up, of the next."""
    notes: dict[int, list[str]] = {}
    at = 0
    for move in room.moves:
        if move.note:
            said = move.note if move.codes else given_up(room, move.by, move.note)
            notes.setdefault(at, []).append(said)
        at += len(move.codes)
    return {n: "; ".join(said) for n, said in notes.items()}


def given_up(room: Room, seat: int, why: str) -> str:
    """``Orange (Bob) has given up; an agent plays on``."""
    how = "has given up" if why == RESIGNED else why
    return f"{present.called(seat, room.names)} {how}; an agent plays on"


def considered(view: View, root: Sequence[Sequence[float | None]]) -> list[Message]:
    """What an agent thought about at a view, in words."""
    found = []
    for action, visits, value in root:
        a = int(action or 0)
        found.append(
            {
                "action": view.text(a),
                "words": view.describe(a),
                "value": value,
                "visits": None if visits is None else int(visits),
                "clicks": present.clicks(view, a),
                **previewed(view, a),
            }
        )
    return found


def whose(seat: int | None) -> int:
    """The eyes of a seat, or of everybody."""
    return PUBLIC if seat is None else seat
