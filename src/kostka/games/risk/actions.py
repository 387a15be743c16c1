"""What the codes of Risk mean: packed, unpacked, named by ids and parsed back."""

import re
from typing import Any

from kostka.core.kernels import kernel
from kostka.core.palette import PLAYERS
from kostka.games.risk.state import (
    ATTACK,
    CARD,
    CLAIM,
    DEFEND,
    DESTROY,
    DRAFT,
    EXTRA,
    FORTIFY,
    HAND_OVER,
    MAX_LAND,
    MAX_MISSIONS,
    MISSION,
    MOST_ARMIES,
    MOVE,
    NEUTRAL,
    NUMBER,
    OCCUPY,
    ROLL,
    TERRITORIES,
    TRADE,
)

#: Actions: a territory, a number, three cards, the end, an attack, a pair of territories.
NUMBERS = MAX_LAND
TRADES = NUMBERS + MOST_ARMIES + 1
END = TRADES + MAX_LAND * (MAX_LAND - 1) * (MAX_LAND - 2) // 6
ATTACKS = END + 1
MOVES = ATTACKS + MAX_LAND * MAX_LAND * 4
ACTIONS = MOVES + MAX_LAND * MAX_LAND

#: In place of a number of dice: attack until it is decided.
UNTIL = 4

#: Outcomes: losses of the defender in one throw; how a whole fight ends, by the armies that are
#: left of the attackers (but for the one that stays) or of the defenders; a card; a mission.
WON = 3
LOST = WON + MOST_ARMIES + 1
CARDS = LOST + MOST_ARMIES + 1
MISSIONS = CARDS + MAX_LAND
OUTCOMES = MISSIONS + MAX_MISSIONS
#: What others see of a card or a mission.
HIDDEN = OUTCOMES


@kernel
def number_code(n):
    return NUMBERS + n


@kernel
def number_of(a):
    return a - NUMBERS


@kernel
def attack_code(i, j, dice):
    return ATTACKS + (i * MAX_LAND + j) * 4 + dice - 1


@kernel
def source_of(a):
    return (a - ATTACKS) // 4 // MAX_LAND


@kernel
def target_of(a):
    return (a - ATTACKS) // 4 % MAX_LAND


@kernel
def dice_of(a):
    return (a - ATTACKS) % 4 + 1


@kernel
def move_code(i, j):
    return MOVES + i * MAX_LAND + j


@kernel
def moved_from(a):
    return (a - MOVES) // MAX_LAND


@kernel
def moved_to(a):
    return (a - MOVES) % MAX_LAND


@kernel
def trade_code(i, j, k):
    """Three cards, i < j < k: named themselves, because a trade shows them to everybody."""
    return TRADES + i + j * (j - 1) // 2 + k * (k - 1) * (k - 2) // 6


@kernel
def cards_of(a):
    """The three cards of a trade, in order."""
    n, k = a - TRADES, 2
    while (k + 1) * k * (k - 1) // 6 <= n:
        k += 1
    n -= k * (k - 1) * (k - 2) // 6
    j = 1
    while (j + 1) * j // 2 <= n:
        j += 1
    return n - j * (j - 1) // 2, j, k


# --- notation ---

#: What is done with a territory, by phase; in the set-up, armies are added to a claim.
VERBS = {CLAIM: "claim", NEUTRAL: "neutral", EXTRA: "extra", DRAFT: "place"}
WILDS = ("wild-1", "wild-2")


def letters(codes: Any) -> str:
    """The text that a field holds in UTF-8."""
    return codes.astype("i1").tobytes().rstrip(b"\0").decode("utf-8", "replace")


def land_id(s: Any, t: int) -> str:
    """The id of a territory, as in the notation."""
    return letters(s.ids[t])


def land_named(s: Any, id: str) -> int:
    """The territory of this id; ValueError when there is none."""
    return [land_id(s, t) for t in range(s.territories)].index(id)


def card_id(s: Any, c: int) -> str:
    """The id of a card: that of its territory, or a wild one's."""
    return land_id(s, c) if c < s.territories else WILDS[c - s.territories]


def card_named(s: Any, id: str) -> int:
    """The card of this id; ValueError when there is none."""
    return int(s.territories) + WILDS.index(id) if id in WILDS else land_named(s, id)


def mission_ids(s: Any) -> list[str]:
    """What the missions are called; a number tells those apart that are alike."""
    found: list[str] = []
    for m in range(s.mission_count):
        name = _mission_id(s, m)
        alike = sum(one == name or one.startswith(f"{name}~") for one in found)
        found.append(f"{name}~{alike + 1}" if alike else name)
    return found


def _mission_id(s: Any, m: int) -> str:
    if s.goal_kind[m] == DESTROY:
        return f"destroy-{PLAYERS[s.goal_target[m]].name}"
    if s.goal_kind[m] == TERRITORIES:
        each = f"x{s.goal_armies[m]}" if s.goal_armies[m] > 1 else ""
        return f"territories-{s.goal_land[m]}{each}"
    wanted = [c for c in range(s.continents) if s.goal_continents[m] >> c & 1]
    free = [f"any{s.goal_choice[m]}"] if s.goal_choice[m] else []
    return "-".join([*(letters(s.continent_ids[c]).lower() for c in wanted), *free])


def text(s: Any, a: int) -> str:
    """``place peru``, ``x5``, ``trade peru siam wild-1``, ``peru>brazil*3``, ``peru=brazil``.

    An attack with ``!`` goes on until it is decided. Luck: ``-1`` (the defender's loss in a throw),
    ``won 4`` and ``lost 3`` (what is left after a fight), ``card peru``, ``mission na-af``.
    """
    p = s.phase
    if p in VERBS:
        return f"{VERBS[p]} {land_id(s, a)}"
    if p in (NUMBER, OCCUPY, MOVE, DEFEND):
        return f"x{number_of(a)}"
    if p == ROLL:
        if a < WON:
            return f"-{a}"
        return f"won {a - WON}" if a < LOST else f"lost {a - LOST}"
    if p in (CARD, HAND_OVER):
        return "card" if a == HIDDEN else f"card {card_id(s, a - CARDS)}"
    if p == MISSION:
        return "mission" if a == HIDDEN else f"mission {mission_ids(s)[a - MISSIONS]}"
    if a == END:
        return "end"
    if p == TRADE:
        return " ".join(["trade", *(card_id(s, c) for c in cards_of(a))])
    if p == ATTACK:
        dice = "!" if dice_of(a) == UNTIL else f"*{dice_of(a)}"
        return f"{land_id(s, source_of(a))}>{land_id(s, target_of(a))}{dice}"
    if p == FORTIFY:
        return f"{land_id(s, moved_from(a))}={land_id(s, moved_to(a))}"
    raise ValueError(a)


def parse(s: Any, words: str) -> int:
    """The code of a notation; ValueError when it is none."""
    p = s.phase
    if words == "end" and p in (TRADE, ATTACK, FORTIFY):
        return END
    if p in VERBS:
        verb, _, id = words.rpartition(" ")
        if verb not in ("", VERBS[p]):
            raise ValueError(words)
        return land_named(s, id)
    if p in (NUMBER, OCCUPY, MOVE, DEFEND):
        return number_code(_number(r"x(\d{1,4})", words))
    if p == ROLL:
        return _parse_roll(words)
    if p in (CARD, HAND_OVER) and words.startswith("card "):
        return CARDS + card_named(s, words[5:])
    if p == MISSION and words.startswith("mission "):
        return MISSIONS + mission_ids(s).index(words[8:])
    if p == TRADE:
        verb, *ids = words.split(" ")
        cards = sorted({card_named(s, id) for id in ids})
        if verb == "trade" and len(ids) == len(cards) == 3:
            return int(trade_code(*cards))
    if p == ATTACK and (attack := re.fullmatch(r"(.+)>(.+?)(?:\*([123])|!)", words)):
        dice = int(attack[3]) if attack[3] else UNTIL
        return int(attack_code(land_named(s, attack[1]), land_named(s, attack[2]), dice))
    if p == FORTIFY and words.count("=") == 1:
        return int(move_code(*(land_named(s, id) for id in words.split("="))))
    raise ValueError(words)


def _parse_roll(words: str) -> int:
    if words in ("-0", "-1", "-2"):
        return int(words[1])
    n = _number(r"(?:won|lost) (\d{1,4})", words)
    return WON + n if words.startswith("won") else LOST + n


def _number(pattern: str, words: str) -> int:
    """The number in words of a form, which is never larger than armies can be."""
    match = re.fullmatch(pattern, words)
    if not match or int(match[1]) > MOST_ARMIES:
        raise ValueError(words)
    return int(match[1])


# --- words ---


def describe(s: Any, a: int) -> str:
    """An action or outcome in words."""
    from kostka.games.risk import words  # which stand on the codes of this file

    return words.describe(s, a)


def why_not(s: Any, a: int) -> str:
    """The rule that forbids an action."""
    from kostka.games.risk import words

    return words.why_not(s, a)
