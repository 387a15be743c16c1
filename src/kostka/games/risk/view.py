"""How people meet a position of Risk: drawn, clicked, and put into words."""

import functools
import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from kostka.core.palette import PLAYERS
from kostka.core.present import Click, Effect, called, listed
from kostka.games.risk import art, words
from kostka.games.risk.actions import (
    END,
    UNTIL,
    card_id,
    cards_of,
    dice_of,
    land_id,
    letters,
    moved_from,
    moved_to,
    number_of,
    source_of,
    target_of,
)
from kostka.games.risk.rules import bounds, income
from kostka.games.risk.shapes import Board, Map, board
from kostka.games.risk.state import (
    ATTACK,
    CLAIM,
    DEFEND,
    DONE,
    DRAFT,
    EXTRA,
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
from kostka.games.risk.words import (
    armies_in_words,
    holder,
    many,
    mission,
    owner_name,
    progress,
    set_worth,
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


def labels(s: np.record, b: Board) -> Iterator[str]:
    """The armies of every territory."""
    for p, n, at in zip(s.owner.tolist(), s.armies.tolist(), b.places, strict=False):
        if p >= 0:
            yield art.armies(n, p, int(s.players), at)


def continents(s: np.record, g: Geography, b: Board) -> Iterator[str]:
    """The name of every continent, its bonus, and who holds all of it."""
    for c, (name, at) in enumerate(zip(g.continents, b.labels, strict=True)):
        yield art.continent(name, int(s.bonus[c]), holder(s, c), int(s.players), at)


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
        f"{paper(s, wide)}</g></g>"
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
    """Whose cards and mission are shown: a known mission tells who looks, or else known cards.

    Where those of several are known they are those of whose turn it is.
    """
    cards = s.card[: s.territories + 2]
    informed = [p for p in range(s.players) if s.mission[p] != UNKNOWN]
    seen = informed or [p for p in range(s.players) if s.hand[p] and (cards == p).any()]
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


def paper(s: np.record, wide: int) -> str:
    """The mission of whoever looks with how far it is, and what a set brings now."""
    lines = [("quiet", set_worth(s))]
    p = looker(s)
    m = int(s.mission[p])
    if m != UNKNOWN:
        rows = art.in_lines(mission(s, m), 36)
        lines = [*(("words", row) for row in rows), ("quiet", progress(s, p, m)), *lines]
    x = CARDS * wide + 16
    return "".join(
        f'<text class="{kind}" x="{x:.0f}" y="{32 + 31 * n}">{escape(words)}</text>'
        for n, (kind, words) in enumerate(lines)
    )


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
        return [f"t{source_of(action)}", f"t{target_of(action)}", f"!{manner(s, action)}"]
    if s.phase == FORTIFY:
        return [f"t{moved_from(action)}", f"t{moved_to(action)}"]
    return [f"t{action}"]


def manner(s: np.record, attack: int) -> str:
    """How an attack is made; of a fight to its end also the odds and what is likely to be left."""
    if dice_of(attack) != UNTIL:
        return many(dice_of(attack), "die", "dice")
    return words.to_the_end(s, source_of(attack), target_of(attack))


def why_not(s: np.record, path: Sequence[Click]) -> str:
    """Why the last of these clicks is refused to whose turn it is."""
    p = int(s.phase)
    if path and path[0] == "!end":
        return words.why_no_end(s) if len(path) == 1 else NOTHING_MORE
    if p in (NUMBER, OCCUPY, MOVE, DEFEND):
        n = number_clicked(path[0]) if len(path) == 1 else None
        return words.WANTED[p] if n is None else words.why_not_so_many(s, n)
    if p == TRADE:
        return why_not_cards(s, path)
    places = [t for click in path[:2] if (t := place_clicked(s, click)) is not None]
    if not places or len(places) < len(path[:2]):
        return words.WANTED.get(p, NOTHING_MORE)
    if p not in (ATTACK, FORTIFY):
        return words.why_not_here(s, places[0]) if len(path) == 1 else NOTHING_MORE
    return why_not_between(s, path, *places)


#: What is said of a click too many.
NOTHING_MORE = "there is nothing more to choose"


def why_not_between(s: np.record, path: Sequence[Click], i: int, j: int | None = None) -> str:
    """Why an attack or a move cannot go on with the last click."""
    if why := words.why_no_source(s, i):
        return why
    if j is None:
        return nowhere_from(s, i)
    if s.phase == FORTIFY:
        return words.why_no_move(s, i, j) if len(path) == 2 else NOTHING_MORE
    if len(path) == 2:
        return words.why_no_attack(s, i, j, 1)
    dice = re.fullmatch(r"!([123]) dic?e", str(path[2])) if len(path) == 3 else None
    return words.why_no_attack(s, i, j, int(dice[1])) if dice else "choose how to attack"


def nowhere_from(s: np.record, i: int) -> str:
    """Why no attack and no move goes out from a territory that has armies."""
    if s.phase == ATTACK:
        return f"{words.land(s, i)} has no enemy beside it"
    if int(s.moved_to) >> i & 1:
        return f"armies have come to {words.land(s, i)} this turn, so none may leave it"
    return f"armies of {words.land(s, i)} cannot go anywhere"


def why_not_cards(s: np.record, path: Sequence[Click]) -> str:
    """Why these cards cannot be traded."""
    cards = [c for click in path if (c := card_clicked(s, click)) is not None]
    if not cards or len(cards) < len(path):
        return words.WANTED[TRADE]
    for c in cards:
        if s.card[c] != s.player:
            return f"you do not hold {words.card(s, c)}"
    if len(cards) > 3:
        return "a set has three cards"
    if sorted(set(cards)) != cards:
        return "choose the cards of a set from left to right"
    if len(cards) == 3:
        return words.why_no_trade(s, cards)
    return f"no set of yours begins with {listed([words.card(s, c) for c in cards])}"


def place_clicked(s: np.record, click: Click) -> int | None:
    """The territory that was clicked, if it was one."""
    return thing_clicked("t", int(s.territories), click)


def card_clicked(s: np.record, click: Click) -> int | None:
    """The card that was clicked, if it was one."""
    return thing_clicked("k", int(s.territories) + 2, click)


def thing_clicked(kind: str, count: int, click: Click) -> int | None:
    match = re.fullmatch(rf"{kind}([0-9]{{1,2}})", click) if isinstance(click, str) else None
    return int(match[1]) if match and int(match[1]) < count else None


def number_clicked(click: Click) -> int | None:
    """The number that was chosen, if it was one."""
    amount = click.get("amount") if isinstance(click, dict) else None
    return int(amount[2]) if amount else None


# --- words ---

status = words.status


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


# --- in a terminal ---


def picture(s: np.record) -> str:
    """All land in letters, large ones for whose turn it is; ``B3`` means: blue has three armies."""
    wide = max(len(land_id(s, t)) for t in range(s.territories))
    rows = []
    for c in range(s.continents):
        p = holder(s, c)
        held = f", held by {owner_name(s, p)}" if p >= 0 else ""
        rows.append(f"{letters(s.continent_names[c])} +{s.bonus[c]}{held}")
        for t in np.flatnonzero(s.continent[: s.territories] == c).tolist():
            near = [land_id(s, i) for i in range(s.territories) if int(s.near[t]) >> i & 1]
            rows.append(f"  {stack(s, t):5} {land_id(s, t):{wide}}  {' '.join(near)}")
    for p, facts in enumerate(players(s)):
        told = ", ".join(f"{label} {value}" for label, value in facts)
        rows.append(f"{PLAYERS[p].letter} {PLAYERS[p].name}: {told}")
    return "\n".join([*rows, *known_only_here(s)])


def stack(s: np.record, t: int) -> str:
    """The letter of a territory's owner, and the armies there."""
    p = int(s.owner[t])
    if p < 0:
        return "–"
    letter = "N" if p == s.players else PLAYERS[p].letter
    return f"{letter if p == s.player else letter.lower()}{s.armies[t]}"


def known_only_here(s: np.record) -> Iterator[str]:
    """The cards and the mission of whoever looks, and what a set brings now."""
    p = looker(s)
    held = np.flatnonzero(s.card[: s.territories + 2] == p).tolist()
    if held:
        yield f"Your cards: {', '.join(f'{card_id(s, c)} ({SYMBOLS[s.symbol[c]]})' for c in held)}"
    if s.mission[p] != UNKNOWN:
        m = int(s.mission[p])
        yield f"Your mission: {mission(s, m)}. {progress(s, p, m)}."
    yield f"{set_worth(s)}."


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
