"""How a person meets a position: the drawing, the clicks that make an action, and the words.

A game says these things in its ``view`` module; what it leaves unsaid is filled in here, so that
every game can be played on a page. Everything is said of a view, and tells no more than its seat
knows.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from kostka.core import rules
from kostka.core.outcome import by_seat
from kostka.core.palette import PLAYERS
from kostka.core.state import CHANCE, OVER, PUBLIC, View
from kostka.core.theme import dress

#: A thing in the drawing (``"t17"``), a button beside it (``"!end"``), an amount
#: (``{"amount": [low, high, value]}``), or one of several choices that lie on top of each other
#: (``{"choice": "r1", "verbs": ["Turn", "Lay"]}``; the verbs show the next and take it).
Click = str | dict[str, Any]

#: Several cards chosen together (see :func:`bundle`).
Bundle = dict[str, Any]

#: A small animation: its ``kind`` is dice, pulse, move or say, and the rest depends on that.
Effect = dict[str, Any]

#: So few actions are named when a person is asked to choose.
FEW = 3

#: What a drawing's outermost element says of itself that its content must not lose.
ROOT = re.compile(r"<svg\b([^>]*)>(.*)</svg>\s*$", re.DOTALL)
FRAME = re.compile(r"""\s(?:xmlns(?::\w+)?|viewBox|width|height|role)=(?:"[^"]*"|'[^']*')""")
BOX = re.compile(r"""\sviewBox=["']([^"']*)["']""")


def drawing(view: View) -> tuple[str, str, str]:
    """What never changes during a game, what does, and the view box; all empty for want of any.

    The two parts lie in a group that has the game's name as its class.
    """
    module = view.game.part("view")
    if hasattr(module, "layer"):
        viewer = PUBLIC if view.seat is None else view.seat
        own = module.own(view.record, viewer) if hasattr(module, "own") else ""
        parts = module.backdrop(view.record), module.layer(view.record) + own
        still, moving = (f'<g class="{view.game.name}">{part}</g>' for part in parts)
        return dress(view.game.name, still), moving, module.viewbox(view.record)
    whole = ROOT.search(module.svg(view.record)) if hasattr(module, "svg") else None
    if whole is None:
        return "", "", ""
    box = BOX.search(whole[1])
    moving = dress(view.game.name, f"<g{FRAME.sub('', whole[1])}>{whole[2]}</g>")
    return "", moving, box[1] if box else "0 0 100 100"


def clicks(view: View, action: int) -> list[Click]:
    """The path of clicks that makes an action; by itself a button with its notation."""
    own = _own(view, "clicks")
    return own(view.record, int(action)) if own else [f"!{view.text(action)}"]


def preview(view: View, action: int) -> str:
    """What is laid over the board while an action is about to be taken; empty for want of it."""
    own = _own(view, "preview")
    return own(view.record, int(action)) if own else ""


def bundle(view: View) -> Bundle | None:
    """Several cards that are chosen together now and taken as decisions one by one; None: none.

    ``rows`` of cards, each with its ``words``, a ``total`` [low, high] and ``cards``; a card has a
    ``name``, the ``action`` that takes one, ``limits`` [low, high], and if it is in the drawing the
    ``thing`` to click and the ``symbol`` that shows it. ``words`` are what choosing is called,
    ``verb`` what taking them all is; ``then`` is the action that ends it. Where rows are ``apart``
    no name is chosen in two of them.
    """
    own = _own(view, "bundle")
    found = own(view.record) if own and view.mover == view.seat else None
    if found is None:
        return None
    rows = [
        {
            **row,
            "total": [int(n) for n in row["total"]],
            "cards": [_card(view, card) for card in row["cards"]],
        }
        for row in found["rows"]
    ]
    then = found.get("then")
    return {
        "verb": "Confirm",
        "apart": False,
        **found,
        "rows": rows,
        "then": None if then is None else _named(view, then),
    }


def turn(view: View) -> int | None:
    """Whose turn it is, which need not be who decides; None where a game does not say."""
    own = _own(view, "turn")
    return own(view.record) if own and not view.over else None


def why_not(view: View, path: Sequence[Click]) -> str | None:
    """Why the last of these clicks is refused; None when an action begins with all of them."""
    mover = view.mover
    if mover == OVER:
        return "the game is over"
    if mover == CHANCE:
        return "nothing can be chosen while luck decides"
    if view.seat is not None and view.seat != mover:
        return f"it is not your turn: {called(mover)} is to move"
    given = list(path)
    start = [meant(one) for one in given]
    for action in view.legal_actions:
        if [meant(one) for one in clicks(view, action)[: len(start)]] == start:
            return None
    own = _own(view, "why_not")
    return own(view.record, given) if own else _refused(view, given)


def meant(click: Click) -> str:
    """What tells a click from others: of an amount its value, of a choice its name."""
    if isinstance(click, str):
        return click
    return f"{{{click['amount'][2]}}}" if "amount" in click else f"{{{click['choice']!r}}}"


def status(view: View, names: Sequence[str | None] = ()) -> str:
    """What is going on and what is expected of this seat, in a sentence."""
    own = _own(view, "status")
    viewer = PUBLIC if view.seat is None else view.seat
    return own(view.record, viewer, names) if own else _state_of_play(view, viewer, names)


def players(view: View) -> list[list[tuple[str, str]]]:
    """By seat everything public about a player, as label and value; first what people look at."""
    own = _own(view, "players")
    if own:
        return own(view.record)
    return [[("score", f"{points:g}")] for points in view.scores] or [
        [] for _ in range(view.players)
    ]


def effects(before: View, code: int, after: View) -> list[Effect]:
    """What a page may animate of an action or outcome, which is given as the seat has seen it."""
    own = _own(before, "effects")
    return own(before.record, int(code), after.record) if own else []


# --- words for any game ---


def called(player: int, names: Sequence[str | None] = ()) -> str:
    """A player as others speak of him: ``Blue (Anna)``."""
    colour = PLAYERS[player % len(PLAYERS)].name.capitalize()
    name = names[player] if player < len(names) else None
    return f"{colour} ({name})" if name and name.casefold() != colour.casefold() else colour


def listed(words: Sequence[str], last: str = "and") -> str:
    """``a, b and c``."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def result(best: Sequence[int], draw: bool, viewer: int, names: Sequence[str | None] = ()) -> str:
    """How a game ended: who has won, or for whom it is a draw."""
    who = ["you" if p == viewer else called(p, names) for p in best]
    if draw:
        return f"The game is a draw of {listed(who)}."
    words = listed(who)
    verb = "has" if len(who) == 1 and viewer not in best else "have"
    return f"{words[0].upper()}{words[1:]} {verb} won."


def _own(view: View, name: str) -> Callable[..., Any] | None:
    """A function of the game's view module. In a game of one file ``why_not`` is about codes."""
    module = view.game.part("view")
    if name == "why_not" and module is view.game.part("actions"):
        return None
    return getattr(module, name, None)


def _card(view: View, card: dict[str, Any]) -> dict[str, Any]:
    """A card of a bundle with its action in notation, in numbers that travel."""
    limits = [int(n) for n in card["limits"]]
    return {**card, "action": _named(view, card["action"]), "limits": limits}


def _named(view: View, action: int | str) -> str:
    return action if isinstance(action, str) else view.text(int(action))


def _refused(view: View, path: Sequence[Click]) -> str:
    """What can be said of a click without knowing the game."""
    last = path[-1] if path else None
    if isinstance(last, str) and last.startswith("!") and len(path) == 1:
        return view.why_not(last[1:]) or "the rules do not allow that now"
    return "that cannot be chosen now; what can be is lit up"


def _state_of_play(view: View, viewer: int, names: Sequence[str | None]) -> str:
    mover = view.mover
    if mover == OVER:
        return _result(view, viewer, names)
    if mover == CHANCE:
        return "Luck decides."
    if mover != viewer:
        return f"{called(mover, names)} is to move."
    choice = [view.describe(a) for a in view.legal_actions[: FEW + 1]]
    return f"Your turn: {listed(choice, 'or')}." if len(choice) <= FEW else "Your turn."


def _result(view: View, viewer: int, names: Sequence[str | None]) -> str:
    out = np.zeros(view.players)
    rules.returns(view.record, out)
    ended = by_seat(out, view.game.teams(view.options))
    draw = "draw" in ended
    best = [p for p, outcome in enumerate(ended) if outcome == ("draw" if draw else "won")]
    return result(best, draw, viewer, names)
