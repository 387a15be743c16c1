"""How people meet a position of Risk: drawn, clicked, and put into words."""

import functools
from collections.abc import Iterator
from html import escape
from typing import NamedTuple

import numpy as np

from kostka.core.palette import PLAYERS
from kostka.core.present import Click, Effect, called
from kostka.games.risk import art
from kostka.games.risk.actions import (
    END,
    UNTIL,
    cards_of,
    dice_of,
    letters,
    moved_from,
    moved_to,
    number_of,
    source_of,
    target_of,
)
from kostka.games.risk.cards import worth
from kostka.games.risk.rules import bounds, income
from kostka.games.risk.shapes import Board, Map, board
from kostka.games.risk.state import (
    ATTACK,
    CLAIM,
    CONTINENTS,
    DEFEND,
    DESTROY,
    DONE,
    DRAFT,
    EXTRA,
    FIXED,
    FORTIFY,
    MOVE,
    NAME,
    NEUTRAL,
    NUMBER,
    OCCUPY,
    ROLL,
    SYMBOLS,
    TRADE,
    UNKNOWN,
    WILD,
)

#: Below the map: the players, and then cards and the mission of whoever looks.
LEGEND, HAND = 84, 144
#: How much of the width cards have, and how wide one is at most.
CARDS, CARD_WIDTH = 0.6, 104
#: How far an arrow stays away from the middles of armies, and its head.
AWAY, HEAD = 34, 17


def svg(s: np.record) -> str:
    """The position as one document."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="risk" role="img" '
        f'viewBox="{viewbox(s)}"><title>{title(s)}</title>{backdrop(s)}{layer(s)}</svg>'
    )


def viewbox(s: np.record) -> str:
    """The part of the plane that the drawing fills."""
    x, y, wide, high = board(geography(s).map).box
    return f"{x} {y} {wide} {high + LEGEND + HAND}"


def title(s: np.record) -> str:
    """The position in a sentence."""
    if s.phase == DONE:
        return "Risk: a draw" if s.winner < 0 else f"Risk: {PLAYERS[s.winner].name} has won"
    return f"Risk: {PLAYERS[s.player].name} to play"


def backdrop(s: np.record) -> str:
    """What never changes during a game: the sea, the coast, and all shapes."""
    g = geography(s)
    return art.backdrop(g.map, g.names, LEGEND + HAND)


def layer(s: np.record) -> str:
    """What changes: owners, armies, continents held, the last attack, players, cards, mission."""
    g = geography(s)
    b = board(g.map)
    return (
        f'<g class="layer">{lands(s, g, b)}<use class="over" href="#{b.key}-over"/>'
        f"{''.join(continents(s, g, b))}{last(s, g, b)}{''.join(labels(s, b))}{strip(s, g, b)}</g>"
    )


# --- what a record says ---


class Geography(NamedTuple):
    """What a map shows, and what everything is called."""

    map: Map
    names: tuple[str, ...]
    continents: tuple[str, ...]


def geography(s: np.record) -> Geography:
    """The map of a position."""
    fields = (s.near, s.straits, s.wrap, s.x, s.y, s.continent, s.names, s.continent_names)
    return _geography(int(s.territories), int(s.continents), *(one.tobytes() for one in fields))


@functools.lru_cache(maxsize=32)
def _geography(n: int, count: int, *fields: bytes) -> Geography:
    near, straits = (np.frombuffer(one, np.uint64).tolist() for one in fields[:2])
    wrap = np.frombuffer(fields[2], np.int8).tolist()
    x, y = (np.frombuffer(one, np.int16).tolist() for one in fields[3:5])
    continent = np.frombuffer(fields[5], np.int8).tolist()
    named = [np.frombuffer(fields[6], np.int8), np.frombuffer(fields[7], np.int8)]
    names, realms = (tuple(map(letters, one.reshape(-1, NAME)[:k]))
                     for one, k in zip(named, (n, count), strict=True))  # fmt: skip
    pairs = {(i, j) for j in range(n) for i in range(j) if near[i] >> j & 1}
    around = {(i, j) for i, j in pairs if wrap[i] == j}
    sea = {(i, j) for i, j in pairs - around if straits[i] >> j & 1}
    return Geography(
        Map(
            places=tuple((float(x[t]), float(y[t])) for t in range(n)),
            land=frozenset(pairs - around - sea),
            sea=frozenset(sea),
            around=frozenset(around),
            continent=tuple(continent[:n]),
        ),
        names,
        realms,
    )


def owner_name(s: np.record, owner: int) -> str:
    """Who holds land, in words."""
    if owner < 0:
        return "nobody"
    return "the neutral army" if owner == s.players else PLAYERS[owner].name


def many(n: int, one: str, more: str = "") -> str:
    return f"{n} {one if n == 1 else more or one + 's'}"


# --- the map ---


def lands(s: np.record, g: Geography, b: Board) -> str:
    """Every territory in the colour of its owner, with his shape printed all over it."""
    owners, armies = s.owner[: s.territories].tolist(), s.armies[: s.territories].tolist()
    turn = -1 if s.phase == DONE else int(s.player)
    things = []
    for t, (p, n) in enumerate(zip(owners, armies, strict=True)):
        words = f"{g.names[t]}: {owner_name(s, p)}" + (f", {armies_in_words(n)}" if p >= 0 else "")
        kind = " nobody" if p < 0 else " turn" if p == turn else ""
        fill = f' fill="{art.colour(p, s.players)}"' if p >= 0 else ""
        things.append(
            f'<use id="t{t}" class="thing land{kind}" href="#{b.key}-{t}"{fill}>'
            f"<title>{escape(words)}</title></use>"
        )
    for p in sorted({*owners} - {-1}):
        shapes = "".join(f'<use href="#{b.key}-{t}"/>' for t, q in enumerate(owners) if q == p)
        n = "n" if p == s.players else p
        things.append(f'<g class="texture" fill="url(#risk-print{n})">{shapes}</g>')
    return "".join(things)


def armies_in_words(n: int) -> str:
    return "1 army" if n == 1 else f"{n} armies"


def labels(s: np.record, b: Board) -> Iterator[str]:
    """The armies of every territory."""
    for p, n, at in zip(s.owner.tolist(), s.armies.tolist(), b.places, strict=False):
        if p >= 0:
            yield art.armies(n, p, int(s.players), at)


def continents(s: np.record, g: Geography, b: Board) -> Iterator[str]:
    """The name of every continent, its bonus, and who holds all of it."""
    for c, (name, at) in enumerate(zip(g.continents, b.labels, strict=True)):
        yield art.continent(name, int(s.bonus[c]), holder(s, c), int(s.players), at)


def holder(s: np.record, c: int) -> int:
    """Who holds all of a continent; -1 if nobody does."""
    own = s.owner[: s.territories][s.continent[: s.territories] == c]
    return int(own[0]) if (own == own[0]).all() else -1


# --- the last attack ---


def last(s: np.record, g: Geography, b: Board) -> str:
    """An arrow from where the last attack or move began to where it went."""
    kind = last_kind(s)
    if not kind:
        return ""
    i, j = int(s.source), int(s.target)
    focus = "".join(f'<use class="focus" href="#{b.key}-{t}"/>' for t in (i, j))
    drawn = "" if s.wrap[i] == j else art.arrow(b.places[i], b.places[j], kind == "lost")
    words = f"{g.names[i]} → {g.names[j]}"
    return f'<g class="last {kind}"><title>{escape(words)}</title>{focus}{drawn}</g>'


def last_kind(s: np.record) -> str:
    """What became of the last attack: won, lost, still rolling; or armies move; empty: none."""
    if s.source < 0 or s.phase in (DRAFT, NUMBER, EXTRA, TRADE):
        return ""
    if s.phase in (ROLL, DEFEND):
        return "rolling"
    if s.phase in (FORTIFY, MOVE):
        return "moved"
    return "won" if s.owner[s.target] == s.player else "lost"


# --- below the map ---


def strip(s: np.record, g: Geography, b: Board) -> str:
    """The players; cards and the mission of whoever looks, and what a set brings now."""
    x, y, wide, high = b.box
    return (
        f'<g transform="translate({x} {y + high})">{"".join(legend(s, wide))}'
        f'<g transform="translate(0 {LEGEND})">{"".join(hand(s, g, wide))}'
        f"{paper(s, g, wide)}</g></g>"
    )


def legend(s: np.record, wide: int) -> Iterator[str]:
    """Every player's shape, territories and cards; a frame around whose turn it is."""
    owners = int(s.players + s.neutral)
    slot = wide / owners
    held = np.bincount(s.owner[: s.territories][s.owner[: s.territories] >= 0], minlength=owners)
    for p in range(owners):
        neutral = p == s.players
        cards = 0 if neutral else int(s.hand[p])
        words = f"{owner_name(s, p)}: {many(int(held[p]), 'territory', 'territories')}"
        words += "" if neutral else f", {many(cards, 'card')}"
        yield art.player(
            p, int(s.players), words, int(held[p]), cards,
            middle=(p + 0.5) * slot, turn=bool(p == s.player and s.phase != DONE),
            out=not held[p] and s.phase > NEUTRAL,
        )  # fmt: skip


def looker(s: np.record) -> int:
    """Whose cards and mission are shown: of those that can be seen, those of whose turn it is."""
    cards = s.card[: s.territories + 2]
    seen = [
        p for p in range(s.players) if s.mission[p] != UNKNOWN or (s.hand[p] and (cards == p).any())
    ]
    return int(s.player) if s.player in seen or not seen else seen[0]


def hand(s: np.record, g: Geography, wide: int) -> Iterator[str]:
    """The cards that whoever looks can see in their own hand."""
    p = looker(s)
    held = np.flatnonzero(s.card[: s.territories + 2] == p).tolist()
    room = CARDS * wide
    each = min(CARD_WIDTH, (room - 20) / max(1, len(held)))
    for n, c in enumerate(held):
        symbol = int(s.symbol[c])
        name = "Wild" if symbol == WILD else g.names[c]
        own = symbol != WILD and s.owner[c] == p
        words = "a wild card" if symbol == WILD else f"{name}, {SYMBOLS[symbol]}"
        words += ", your territory" if own else ""
        yield (
            f'<g transform="translate({20 + (n + 0.5) * each:.0f} 68)">'
            f"{art.card(f'k{c}', name, words, symbol, each, p if own else -1)}</g>"
        )


def paper(s: np.record, g: Geography, wide: int) -> str:
    """The mission of whoever looks with how far it is, and what a set brings now."""
    lines = [("quiet", set_in_words(s))]
    p = looker(s)
    m = int(s.mission[p])
    if m != UNKNOWN:
        rows = art.in_lines(mission_in_words(s, g, m), 36)
        lines = [*(("words", row) for row in rows), ("quiet", progress(s, p, m)), *lines]
    x = CARDS * wide + 16
    return "".join(
        f'<text class="{kind}" x="{x:.0f}" y="{32 + 31 * n}">{escape(words)}</text>'
        for n, (kind, words) in enumerate(lines)
    )


# --- cards and missions in words ---


def set_in_words(s: np.record) -> str:
    """What a set of cards would bring now."""
    if s.sets == FIXED:
        values = [int(worth(s, 0, kind)) for kind in range(4)]
        kinds = ("infantry", "cavalry", "artillery", "mixed")
        return "Sets: " + ", ".join(f"{k} {v}" for k, v in zip(kinds, values, strict=True))
    return f"A set brings {armies_in_words(int(worth(s, s.trades, WILD)))} now"


def mission_in_words(s: np.record, g: Geography, m: int) -> str:
    """A mission as its card says it."""
    if s.goal_kind[m] == DESTROY:
        return f"Destroy {PLAYERS[s.goal_target[m]].name}"
    if s.goal_kind[m] == CONTINENTS:
        names = [g.continents[c] for c in goals(s, m)]
        free = int(s.goal_choice[m])
        names += [f"{free} {'more' if names else 'of any'}"] if free else []
        return f"Hold {', '.join(names[:-1])}{' and ' if names[1:] else ''}{names[-1]}"
    each = int(s.goal_armies[m])
    with_armies = f" with {each} armies or more on each" if each > 1 else ""
    return f"Hold {s.goal_land[m]} territories{with_armies}"


def goals(s: np.record, m: int) -> list[int]:
    """The continents that a mission names."""
    return [c for c in range(s.continents) if s.goal_continents[m] >> c & 1]


def progress(s: np.record, p: int, m: int) -> str:
    """How far a player is with a mission."""
    own = s.owner[: s.territories] == p
    if s.goal_kind[m] == CONTINENTS:
        home = s.continent[: s.territories]
        parts = [f"{int(own[home == c].sum())} of {int((home == c).sum())}" for c in goals(s, m)]
        if s.goal_choice[m]:
            whole = [c for c in range(s.continents) if holder(s, c) == p and c not in goals(s, m)]
            parts.append(f"{len(whole)} of {s.goal_choice[m]} more")
        return "So far " + ", ".join(parts)
    if s.goal_kind[m] == DESTROY:
        target = int(s.goal_target[m])
        left = int((s.owner[: s.territories] == target).sum())
        by_other = target != p and left == 0 and s.slayer[target] not in (p, -1)
        if target != p and not (by_other and not s.by_anyone):
            return f"{PLAYERS[target].name} has {many(left, 'territory', 'territories')} left"
        enough = int(own.sum())
        return f"Instead: hold {s.goal_land[m]} territories; so far {enough}"
    strong = own & (s.armies[: s.territories] >= s.goal_armies[m])
    return f"So far {int(strong.sum())} of {s.goal_land[m]}"


# --- clicks ---


def clicks(s: np.record, action: int) -> list[Click]:
    """Territories, a number, dice, three cards, or a button."""
    if action == END:
        return ["!end"]
    if s.phase == TRADE:
        return [f"k{c}" for c in cards_of(action)]
    if s.phase == DEFEND:
        return [f"!{many(number_of(action), 'die', 'dice')}"]
    if s.phase in (NUMBER, OCCUPY, MOVE):
        low, high = bounds(s)
        return [{"amount": [int(low), int(high), int(number_of(action))]}]
    if s.phase == ATTACK:
        dice = dice_of(action)
        how = "!until it is decided" if dice == UNTIL else f"!{many(dice, 'die', 'dice')}"
        return [f"t{source_of(action)}", f"t{target_of(action)}", how]
    if s.phase == FORTIFY:
        return [f"t{moved_from(action)}", f"t{moved_to(action)}"]
    return [f"t{action}"]


# --- words ---


def players(s: np.record) -> list[list[tuple[str, str]]]:
    """By seat what everybody can count."""
    owner, armies = s.owner[: s.territories], s.armies[: s.territories]
    found = []
    for p in range(s.players):
        own = owner == p
        facts = [("territories", str(own.sum())), ("armies", str(armies[own].sum()))]
        if s.setup[p]:
            facts.append(("to place", str(s.setup[p])))
        elif own.any():
            facts.append(("new armies", str(income(s, p))))
        found.append([*facts, ("cards", str(s.hand[p]))])
    return found


# --- what a page may animate ---


def effects(before: np.record, code: int, after: np.record) -> list[Effect]:
    """Armies that are placed or move, how a fight ends, and who is out."""
    phase = before.phase
    if phase in (CLAIM, NEUTRAL, EXTRA):
        return [{"kind": "pulse", "at": f"t{code}"}]
    if phase == NUMBER:
        return [{"kind": "pulse", "at": f"t{before.target}"}]
    if phase in (OCCUPY, MOVE):
        return [moved(int(before.source), int(before.target), int(number_of(code)))]
    if phase == ROLL:
        return fought(before, code, after)
    return []


def moved(i: int, j: int, n: int) -> Effect:
    return {"kind": "move", "from": f"t{i}", "to": f"t{j}", "number": n}


def fought(before: np.record, code: int, after: np.record) -> list[Effect]:
    """What a throw or a whole fight cost."""
    i, j = int(before.source), int(before.target)
    loser = int(before.owner[j])
    shown: list[Effect] = [{"kind": "pulse", "at": f"t{j}"}]
    if after.owner[j] == before.player and after.armies[j] > 0:
        shown = [moved(i, j, int(after.armies[j]))]
    if loser < before.players and not (after.owner[: after.territories] == loser).any():
        shown.append({"kind": "say", "words": f"{called(loser)} is out"})
    return shown
