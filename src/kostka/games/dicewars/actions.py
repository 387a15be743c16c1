"""What the codes of Dice Wars mean: packed, unpacked, named for people and parsed back."""

import re
from typing import Any

from kostka.core.kernels import kernel
from kostka.games.dicewars.state import ATTACK, MAX_AREAS, MAX_DICE, PLACE, ROLL

TRANSFER = MAX_AREAS * MAX_AREAS
END = 2 * TRANSFER
ACTIONS = END + 1
OUTCOMES = MAX_AREAS


@kernel
def attack_code(i, j):
    return i * MAX_AREAS + j


@kernel
def transfer_code(i, j):
    return TRANSFER + i * MAX_AREAS + j


@kernel
def is_transfer(a):
    return TRANSFER <= a < END


@kernel
def source_of(a):
    return a % TRANSFER // MAX_AREAS


@kernel
def target_of(a):
    return a % MAX_AREAS


def text(s: Any, a: int) -> str:
    """``3>7`` attacks, ``3=7`` transfers, ``end``; luck says ``win``, ``lose`` or ``+7``."""
    if s.phase == ROLL:
        return "win" if a else "lose"
    if s.phase == PLACE:
        return f"+{a}"
    if a == END:
        return "end"
    return f"{source_of(a)}{'=' if is_transfer(a) else '>'}{target_of(a)}"


def parse(s: Any, words: str) -> int:
    """The code of a notation; ValueError when it is none."""
    if s.phase == ROLL:
        return ("lose", "win").index(words)
    if s.phase == PLACE:
        match = re.fullmatch(r"\+(\d{1,2})", words)
        if not match:
            raise ValueError(words)
        return int(match[1])
    if words == "end":
        return END
    match = re.fullmatch(r"(\d{1,2})([>=])(\d{1,2})", words)
    if not match or max(int(match[1]), int(match[3])) >= MAX_AREAS:
        raise ValueError(words)
    pack = transfer_code if match[2] == "=" else attack_code
    return pack(int(match[1]), int(match[3]))


def describe(s: Any, a: int) -> str:
    """An action or outcome in words; of an attack also the chance to win it."""
    from kostka.games.dicewars.rules import ODDS  # which stand on the codes of this file

    if s.phase == ROLL:
        return f"the attack on {s.target} is {'won' if a else 'lost'}"
    if s.phase == PLACE:
        return f"a new die on {a}"
    if a == END:
        return "end the turn"
    i, j = source_of(a), target_of(a)
    if is_transfer(a):
        return f"move {min(MAX_DICE - s.dice[j], s.dice[i] - 1)} dice from {i} to {j}"
    odds = ODDS[s.dice[i], s.dice[j]]
    return f"attack {j} with {s.dice[i]} dice from {i} against {s.dice[j]} ({100 * odds:.0f} %)"


def why_not(s: Any, a: int) -> str:
    """The rule that forbids an action."""
    if s.phase != ATTACK or a == END:
        return "nothing can be done while dice are thrown" if s.phase != ATTACK else "it is allowed"
    i, j = source_of(a), target_of(a)
    if not 0 <= a < END or i >= s.areas or j >= s.areas:
        return f"there is no such area; the board has 0 to {s.areas - 1}"
    if s.owner[i] != s.player:
        return f"area {i} is not yours"
    if s.dice[i] < 2:
        return f"area {i} has one die, and one must stay"
    if not int(s.neighbours[i]) >> j & 1:
        return f"areas {i} and {j} do not touch"
    if is_transfer(a):
        return _why_no_transfer(s, j)
    return f"area {j} is your own"


def _why_no_transfer(s: Any, j: int) -> str:
    if s.transfer_limit == 0:
        return "this edition has no transfers"
    if s.transfers >= s.transfer_limit:
        return f"only {s.transfer_limit} transfers a turn are allowed"
    if s.owner[j] != s.player:
        return f"area {j} is not yours; dice are transferred between own areas"
    return f"area {j} is full"
