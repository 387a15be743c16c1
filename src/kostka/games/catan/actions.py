"""What the codes of Catan mean. An offer, a discard, a year of plenty is a card at a time."""

import re
from typing import Any

from kostka.core.palette import PLAYERS
from kostka.games.catan.board import EDGE_AT, EDGES, KINDS, LAND, NODES, PATHS, RESOURCES
from kostka.games.catan.state import DICE, DRAW, LEVY, SEATS, STEAL, UNLIMITED

#: Actions with a place: an intersection, a path, a hex, a player.
SETTLE = 0
CITY = SETTLE + NODES
ROAD = CITY + NODES
MOVE_ROBBER = ROAD + PATHS
ROB = MOVE_ROBBER + LAND
#: Actions without one.
ROLL = ROB + SEATS
END = ROLL + 1
BUY = END + 1
PLAY_KNIGHT = BUY + 1
PLAY_ROADS = PLAY_KNIGHT + 1
PLAY_PLENTY = PLAY_ROADS + 1
STOP = PLAY_PLENTY + 1  # no further free road
PROPOSE = STOP + 1
CANCEL = PROPOSE + 1
ACCEPT = CANCEL + 1
REFUSE = ACCEPT + 1
#: Actions with a resource.
PLAY_MONOPOLY = REFUSE + 1
TAKE_CARD = PLAY_MONOPOLY + KINDS
DISCARD_CARD = TAKE_CARD + KINDS
GIVE_CARD = DISCARD_CARD + KINDS
WANT_CARD = GIVE_CARD + KINDS
#: With two: what is paid to the bank, and what is got.
EXCHANGE = WANT_CARD + KINDS
ACTIONS = EXCHANGE + KINDS * KINDS

#: Outcomes: the sum of the dice, a kind of card, or how many cards a monopoly brings.
OUTCOMES = UNLIMITED + 1
#: What others see of a stolen or a bought card.
HIDDEN = OUTCOMES


# --- notation ---

NAMED = {
    ROLL: "roll", END: "end", BUY: "buy", PLAY_KNIGHT: "knight", PLAY_ROADS: "roads",
    PLAY_PLENTY: "plenty", STOP: "stop", PROPOSE: "offer", CANCEL: "cancel",
    ACCEPT: "accept", REFUSE: "refuse",
}  # fmt: skip
CODES = {word: code for code, word in NAMED.items()}
PER_RESOURCE = {
    PLAY_MONOPOLY: "monopoly",
    TAKE_CARD: "take",
    DISCARD_CARD: "discard",
    GIVE_CARD: "give",
    WANT_CARD: "want",
}
#: Hexes by letters, row by row from the top.
LETTERS = "ABCDEFGHIJKLMNOPQRS"
#: Development cards, as luck deals them.
DEALT = ("knight", "roads", "plenty", "monopoly", "point")


def places() -> dict[str, int]:
    """Every action with a place or a resource, by its notation."""
    found = {f"settle {v}": SETTLE + v for v in range(NODES)}
    found |= {f"city {v}": CITY + v for v in range(NODES)}
    found |= {f"road {u}-{v}": ROAD + e for e, (u, v) in enumerate(EDGES)}
    found |= {f"robber {letter}": MOVE_ROBBER + h for h, letter in enumerate(LETTERS)}
    found |= {f"rob {PLAYERS[p].name}": ROB + p for p in range(SEATS)}
    for first, word in PER_RESOURCE.items():
        found |= {f"{word} {name}": first + r for r, name in enumerate(RESOURCES)}
    for paid, one in enumerate(RESOURCES):
        for got, other in enumerate(RESOURCES):
            found[f"exchange {one} {other}"] = EXCHANGE + KINDS * paid + got
    return found


CODES |= places()
TEXTS = {code: word for word, code in CODES.items()}


def text(s: Any, a: int) -> str:
    """``road 17-24``, ``robber G``, ``discard wool``, ``exchange wood ore``.

    Luck: ``8`` (the dice), ``wool``, ``knight``, ``x2`` (handed over to a monopoly), ``card``.
    """
    if s.phase == DICE:
        return str(a)
    if s.phase == LEVY:
        return f"x{a}"
    if s.phase in (STEAL, DRAW):
        return "card" if a == HIDDEN else (RESOURCES if s.phase == STEAL else DEALT)[a]
    return TEXTS[a]


def parse(s: Any, words: str) -> int:
    """The code of a notation; ValueError when it is none."""
    if s.phase == DICE and re.fullmatch(r"[2-9]|1[0-2]", words):
        return int(words)
    if s.phase == LEVY and re.fullmatch(r"x\d{1,3}", words) and int(words[1:]) <= UNLIMITED:
        return int(words[1:])
    if s.phase in (STEAL, DRAW):
        return (RESOURCES if s.phase == STEAL else DEALT).index(words)
    if s.phase in (DICE, LEVY):
        raise ValueError(words)
    road = re.fullmatch(r"road (\d{1,2})-(\d{1,2})", words)
    if road:
        ends = sorted((int(road[1]), int(road[2])))
        if tuple(ends) in EDGE_AT:
            return ROAD + EDGE_AT[tuple(ends)]
    if words not in CODES:
        raise ValueError(words)
    return CODES[words]


# --- words ---


def describe(s: Any, a: int) -> str:
    """An action or outcome in words."""
    from kostka.games.catan import words  # which stand on the codes of this file

    return words.describe(s, a)


def why_not(s: Any, a: int) -> str:
    """The rule that forbids an action."""
    from kostka.games.catan import words

    return words.why_not(s, a)
