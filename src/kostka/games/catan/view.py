"""How people meet a position of Catan: drawn, clicked, and put into words."""

import functools
import math
import re
from collections.abc import Iterator, Sequence
from html import escape
from types import SimpleNamespace
from typing import Any

import numpy as np

from kostka.core import rules
from kostka.core.palette import PLAYERS
from kostka.core.present import Bundle, Click, Effect, called
from kostka.games.catan import art, words
from kostka.games.catan.actions import (
    ACCEPT,
    BUY,
    CANCEL,
    CITY,
    DISCARD_CARD,
    END,
    EXCHANGE,
    GIVE_CARD,
    HIDDEN,
    MOVE_ROBBER,
    PLAY_KNIGHT,
    PLAY_MONOPOLY,
    PLAY_PLENTY,
    PLAY_ROADS,
    PROPOSE,
    REFUSE,
    ROAD,
    ROB,
    ROLL,
    SETTLE,
    STOP,
    TAKE_CARD,
    WANT_CARD,
)
from kostka.games.catan.art import at, centre
from kostka.games.catan.board import (
    EDGES,
    HARBOURS,
    HEX_NODE,
    KINDS,
    LAND,
    NODES,
    PATHS,
    RESOURCES,
)
from kostka.games.catan.standing import public_points
from kostka.games.catan.state import (
    ANSWER,
    BEFORE,
    CARDS,
    DICE,
    DISCARD,
    DONE,
    KNIGHT,
    LEVY,
    MAIN,
    MONOPOLY,
    NOBODY,
    OFFER,
    PLENTY,
    POINT,
    ROAD_BUILDING,
    STEAL,
    TAKE,
    UNKNOWN,
)
from kostka.games.catan.trade import GIVEN, WANTED
from kostka.games.catan.words import colour, many

#: Below the sea: the players, then bank and own cards in columns.
LEFT, TOP, WIDE, HIGH = art.FIELD
PLATES, BANK, HAND = 84, 104, 150
GAP = 8
#: A column of the bank and the hand: resources first, then development cards.
COLUMN = WIDE / (KINDS + len(CARDS))
#: The cards of actions that play one.
PLAYED = {PLAY_KNIGHT: KNIGHT, PLAY_ROADS: ROAD_BUILDING, PLAY_PLENTY: PLENTY}
BUTTONS = {
    ROLL: "!roll",
    END: "!end",
    BUY: "!buy",
    STOP: "!stop",
    PROPOSE: "!offer",
    CANCEL: "!cancel",
    ACCEPT: "!accept",
    REFUSE: "!refuse",
}


def svg(s: np.record, viewer: int = NOBODY) -> str:
    """The position as one document, with the hand of whoever looks."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="catan" role="img" '
        f'viewBox="{viewbox(s)}"><title>{title(s)}</title>{backdrop(s)}'
        f"{layer(s)}{own(s, viewer)}</svg>"
    )


def viewbox(s: np.record) -> str:
    """The part of the plane that the drawing fills."""
    return f"{LEFT} {TOP} {WIDE} {HIGH + PLATES + BANK + HAND}"


def title(s: np.record) -> str:
    """The position in a sentence."""
    if s.phase == DONE:
        return "Catan: a draw" if s.winner == NOBODY else f"Catan: {colour(s.winner)} has won"
    return f"Catan: {colour(s.player)} to play"


def backdrop(s: np.record) -> str:
    """What never changes during a game: the sea, the island with its numbers, harbours, costs."""
    kinds = tuple(int(s.harbour[u]) for u in HARBOURS[:, 0])
    return art.backdrop(tuple(s.terrain.tolist()), tuple(s.number.tolist()), kinds)


def layer(s: np.record) -> str:
    """What changes: places and pieces, the robber, awards, dice, players, and the bank."""
    return (
        f'<g class="layer">{"".join(hexes(s))}{robber(s)}{"".join(paths(s))}{"".join(sites(s))}'
        f"{dice(s)}{awards(s)}{''.join(plates(s))}{bank(s)}</g>"
    )


# --- the island ---


@functools.lru_cache(maxsize=64)
def _island(*fields: bytes) -> tuple[list[str], list[str], list[str]]:
    """What hexes, paths and intersections are called, which never changes in a game."""
    terrain, number, harbour = (np.frombuffer(field, np.int8) for field in fields)
    s = SimpleNamespace(terrain=terrain, number=number, harbour=harbour)
    return (
        [words.hex_name(s, h) for h in range(LAND)],
        [words.path(s, e) for e in range(PATHS)],
        [words.corner(s, v) for v in range(NODES)],
    )


def island(s: np.record) -> tuple[list[str], list[str], list[str]]:
    """The names of hexes, paths and intersections."""
    return _island(s.terrain.tobytes(), s.number.tobytes(), s.harbour.tobytes())


def spoken(text: str) -> str:
    return text[0].upper() + text[1:]


@functools.cache
def outline(h: int) -> str:
    """A hex, a little smaller than its place, so that its rim can be lit."""
    x, y = centre(h)
    return art.corners_text([(x + u, y + v) for u, v in art.hexagon(90)])


def hexes(s: np.record) -> Iterator[str]:
    """A hex can be clicked; the number that was thrown last brings its hexes out."""
    for h, name in enumerate(island(s)[0]):
        here = "; the robber stands here" if h == s.robber else ""
        yield (
            f'<path id="t{h}" class="thing hex" d="{outline(h)}">'
            f"<title>{spoken(name)}{here}</title></path>"
        )


def robber(s: np.record) -> str:
    """The robber beside the number, which brings nothing."""
    x, y = robber_place(int(s.robber))
    cover = brought(s)
    if s.number[s.robber]:
        cx, cy = centre(int(s.robber))
        cover += (
            f'<path class="piece" d="M{cx - 30:.0f} {cy + 30:.0f}L{cx + 30:.0f} {cy - 30:.0f}" '
            'stroke="#16140f" stroke-width="7" stroke-linecap="round"/>'
        )
    return (
        f'{cover}<g class="piece" transform="translate({x:.0f} {y:.0f})">'
        '<use href="#catan-robber"/></g>'
    )


def brought(s: np.record) -> str:
    """A ring around the numbers that were thrown last."""
    found = [h for h in range(LAND) if s.rolled and s.number[h] == s.dice and h != s.robber]
    return "".join(
        f'<circle class="last{more}" cx="{x:.0f}" cy="{y:.0f}" r="45"/>'
        for h in found
        for x, y in [centre(h)]
        for more in ("", " in")
    )


def robber_place(h: int) -> tuple[float, float]:
    x, y = centre(h)
    return x + 50, y + 10


def paths(s: np.record) -> Iterator[str]:
    """A road, or where one may lie."""
    names = island(s)[1]
    for e in range(PATHS):
        p = int(s.road[e]) - 1
        thing = f'<path id="e{e}" class="thing path" d="{line(e)}">'
        if p < 0:
            yield f"{thing}<title>A path {names[e]}</title></path>"
        else:
            yield f"{thing}<title>{colour(p)}’s road {names[e]}</title></path>{road(e, p)}"


@functools.cache
def line(e: int) -> str:
    """A path between its intersections, without its ends."""
    (ax, ay), (bx, by) = (at(v) for v in EDGES[e])
    u, v = 0.2 * (bx - ax), 0.2 * (by - ay)
    return f"M{ax + u:.0f} {ay + v:.0f}L{bx - u:.0f} {by - v:.0f}"


@functools.cache
def road(e: int, p: int) -> str:
    """A road in the colour of its owner, with his mark."""
    (ax, ay), (bx, by) = (at(v) for v in EDGES[e])
    turn = math.degrees(math.atan2(by - ay, bx - ax))
    x, y = (ax + bx) / 2, (ay + by) / 2
    return (
        f'<g class="piece" color="{PLAYERS[p].colour}" transform="translate({x:.0f} {y:.0f})">'
        f'<use href="#catan-road" transform="rotate({turn:.0f})"/>{mark(p, 5.5)}</g>'
    )


def mark(p: int, size: float, x: float = 0, y: float = 0, fill: str = "#fffbef") -> str:
    """The shape of a player."""
    move = f"translate({x:g} {y:g}) " if x or y else ""
    return f'<use href="#catan-mark{p}" transform="{move}scale({size})" fill="{fill}"/>'


def sites(s: np.record) -> Iterator[str]:
    """A building, or where one may stand."""
    names = island(s)[2]
    for v in range(NODES):
        x, y = at(v)
        spot = f'cx="{x:.0f}" cy="{y:.0f}"'
        here = words.building_at(s, v) if int(s.built) >> v & 1 else None
        if here is None:
            yield (
                f'<circle id="v{v}" class="thing site" r="17" {spot}>'
                f"<title>An intersection at {names[v]}</title></circle>"
            )
        else:
            p, kind = here
            name = f"{colour(p)}’s {kind} at {names[v]}"
            yield (
                f'{building(v, p, kind)}<circle id="v{v}" class="thing site own" r="33" {spot}>'
                f"<title>{name}</title></circle>"
            )


@functools.cache
def building(v: int, p: int, kind: str) -> str:
    """A settlement or a city in the colour of its owner, with his mark."""
    x, y = at(v)
    sign = mark(p, 9, 0, 4) if kind == "settlement" else mark(p, 10, -17, 6) + mark(p, 7, 17, 9)
    return (
        f'<g class="piece" color="{PLAYERS[p].colour}" transform="translate({x:.0f} {y:.0f})">'
        f'<use href="#catan-{kind}"/>{sign}</g>'
    )


# --- in the corners of the sea ---

#: Where pips lie on a die.
PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


def faces(turn: int, thrown: int) -> list[int]:
    """Two faces that make a sum: any that do, but the same for everybody and in every replay."""
    low = max(1, thrown - 6)
    one = low + (7 * turn + 3 * thrown) % (min(6, thrown - 1) - low + 1)
    return [one, thrown - one]


def dice(s: np.record) -> str:
    """The last throw."""
    if not s.dice:
        thrown, name = [1, 6], "The dice, not thrown yet"
    else:
        turn = int(s.turn) - (1 if s.phase in (BEFORE, DICE) and not s.rolled else 0)
        thrown, name = faces(turn, int(s.dice)), f"The dice: {s.dice}"
    art_ = "".join(
        f'<g transform="translate({96 * k} 0)"><use href="#catan-dice"/>'
        + "".join(f'<circle class="pip" cx="{23 * x}" cy="{23 * y}" r="9"/>' for x, y in PIPS[face])
        + "</g>"
        for k, face in enumerate(thrown)
    )
    idle = "" if s.rolled else " idle"
    return (
        f'<g id="dice" class="dice{idle}" transform="translate({LEFT + 56} {TOP + 58})">'
        f"<title>{name}</title>{art_}</g>"
    )


def awards(s: np.record) -> str:
    """Who has the longest road and the largest army, in the lower corners."""
    holders = (
        ("The longest road", int(s.road_holder), "road", s.length),
        ("The largest army", int(s.army_holder), "card-knight", s.knights),
    )
    drawn = ""
    for k, (name, p, piece, sizes) in enumerate(holders):
        x = LEFT + 62 if k == 0 else LEFT + WIDE - 62
        y = TOP + HIGH - 66
        whose = f"{colour(p)}, {int(sizes[p])}" if p != NOBODY else "nobody yet"
        text = f'<text class="tally" x="-2" y="46">{int(sizes[p])}</text>' if p != NOBODY else ""
        sign = mark(p, 15, -24, 31, PLAYERS[p].colour) if p != NOBODY else ""
        drawn += (
            f'<g class="award{"" if p != NOBODY else " idle"}" transform="translate({x} {y})">'
            f'<title>{name}: {whose}</title><rect class="sheet" x="-52" y="-58" width="104" '
            f'height="116" rx="10"/><use href="#catan-{piece}" color="#8a6238" '
            f'transform="translate(0 -20) {"rotate(-20)" if k == 0 else "scale(.8)"}"/>'
            f"{sign}{text}</g>"
        )
    return drawn


# --- below the sea: the players ---


def plates(s: np.record) -> Iterator[str]:
    """Everybody's shape, points, and numbers of cards; who is on turn, and who is asked."""
    n = int(s.players)
    each = WIDE / n
    asked = int(s.seat) if s.phase != DONE and s.seat != s.player else NOBODY
    for p in range(n):
        facts = ", ".join(f"{label} {value}" for label, value in known(s, p))
        turn = " turn" if p == s.player and s.phase != DONE else ""
        x = LEFT + p * each
        yield (
            f'<g id="p{p}" class="thing player{" asked" if p == asked else ""}" '
            f'transform="translate({x:.0f} {TOP + HIGH})">'
            f"<title>{colour(p)}: {escape(facts)}</title>"
            f'<rect class="plate{turn}" x="4" y="4" width="{each - 8:.0f}" height="{PLATES - 12}" '
            f'rx="10"/>{mark(p, 21, 34, 40, PLAYERS[p].colour)}'
            f'<text class="tally" x="66" y="54">{points(s, p)}</text>'
            f"{counter(each - 176, 0, int(s.cards[p]))}{counter(each - 78, 1, int(s.devs[p]))}"
            f"{voice(s, p, each)}</g>"
        )


def counter(x: float, kind: int, n: int) -> str:
    """The back of a card with how many there are."""
    fill = "#b08d57" if kind == 0 else art.WATER
    return (
        f'<rect class="back" x="{x:.0f}" y="22" width="26" height="36" rx="4" fill="{fill}"/>'
        f'<text class="few" x="{x + 32:.0f}" y="52">{n}</text>'
    )


def voice(s: np.record, p: int, each: float) -> str:
    """What somebody has said to the offer on the table."""
    if s.phase == ANSWER and int(s.refused) >> p & 1:
        return f'<path class="ctk" stroke-width="7" d="M{each - 208:.0f} 28l24 24m0-24l-24 24"/>'
    return ""


def points(s: np.record, p: int) -> int:
    """The points of a player that can be seen: of one's own also those on cards."""
    return int(public_points(s, p) + s.dev[p, POINT])


def players(s: np.record) -> list[list[tuple[str, str]]]:
    """By seat everything public about a player."""
    return [known(s, p) for p in range(s.players)]


def known(s: np.record, p: int) -> list[tuple[str, str]]:
    """What can be known of a player: points, cards, knights, road, harbours, and of the hand."""
    road_, army = (
        (" (longest)" if s.road_holder == p else ""),
        (" (largest)" if s.army_holder == p else ""),
    )
    facts = [
        ("points", str(points(s, p))),
        ("cards", str(s.cards[p])),
        ("development cards", str(s.devs[p])),
        ("knights", f"{s.knights[p]}{army}"),
        ("road", f"{s.length[p]}{road_}"),
        ("harbours", harbours(s, p)),
        ("pieces left", f"{s.roads_left[p]} + {s.settlements_left[p]} + {s.cities_left[p]}"),
    ]
    return [*facts, ("hand", in_hand(s, p))] if s.cards[p] else facts


def harbours(s: np.record, p: int) -> str:
    """The rates of a player that are better than four for one."""
    rates = [(RESOURCES[r], int(s.rate[p, r])) for r in range(KINDS)]
    own_ = [f"{name} 2:1" for name, rate in rates if rate == 2]
    if any(rate == 3 for _, rate in rates):
        own_.insert(0, "3:1")
    return ", ".join(own_) or "none"


def in_hand(s: np.record, p: int) -> str:
    """The cards that a player certainly holds, and how many are unknown."""
    taken = sum(1 for i in range(s.thefts) if s.robbed[i] == p and s.stolen[i] == UNKNOWN)
    sure = [max(0, int(s.hand[p, r]) - taken) for r in range(KINDS)]
    rest = int(s.cards[p]) - sum(sure)
    told = words.bundle(sure) if any(sure) else ""
    unknown = f"{rest} unknown" if rest > 0 else ""
    return " + ".join(filter(None, (told, unknown)))


# --- the bank and one's own cards ---


def bank(s: np.record) -> str:
    """What lies in the bank, each above the cards of its kind in one's hand; and the deck."""
    piles = "".join(
        f'<g id="b{r}" class="thing card{"" if s.bank[r] else " none"}" '
        f'transform="translate({column(r):.0f} {TOP + HIGH + PLATES})">'
        f"<title>The bank: {bank_words(s, r)}</title>"
        f'<rect class="sheet" x="-50" y="4" width="100" height="{BANK - GAP}" rx="10"/>'
        f'<use href="#catan-card-{name}" transform="translate(-23 52) scale(.52)"/>'
        f'<text class="count" x="24" y="65">{bank_count(s, r)}</text></g>'
        for r, name in enumerate(RESOURCES)
    )
    x = column(KINDS)
    return (
        f'{piles}<g id="deck" class="thing deck" '
        f'transform="translate({x:.0f} {TOP + HIGH + PLATES})">'
        f"<title>{many(int(s.deck_left), 'development card')} left</title>"
        f'<use href="#catan-deck" transform="translate(-14 52) scale(.92)"/>'
        f'<text class="few" x="26" y="64">{s.deck_left}</text></g>'
        f"{offer(s)}"
    )


def bank_words(s: np.record, r: int) -> str:
    return f"{RESOURCES[r]} without end" if s.stock > 19 else f"{s.bank[r]} {RESOURCES[r]}"


def bank_count(s: np.record, r: int) -> str:
    return "∞" if s.stock > 19 else str(s.bank[r])


def column(k: int) -> float:
    """The middle of a column."""
    return LEFT + COLUMN * (k + 0.5)


def offer(s: np.record) -> str:
    """The offer on the table, beside the deck: what is given, and what for."""
    if s.phase not in (OFFER, ANSWER):
        y = TOP + HIGH + PLATES + 60
        return f'<text class="note" x="{LEFT + WIDE - 12}" y="{y}">in the bank</text>'
    x, y = column(KINDS + 1) - 10, TOP + HIGH + PLATES + 54
    given, wanted = (
        [r for r in range(KINDS) for _ in range(int(cards[r]))] for cards in (s.give, s.want)
    )
    wide = min(44, 380 / max(1, len(given) + len(wanted) + 1))
    drawn = "".join(
        f'<use href="#catan-card-{RESOURCES[r]}" '
        f'transform="translate({x + wide * k:.0f} {y}) scale(.5)"/>'
        for k, r in [*enumerate(given), *enumerate(wanted, len(given) + 1)]
    )
    arrow = x + wide * len(given)
    told = f"{colour(s.player)} gives {words.bundle(s.give)} for {words.bundle(s.want)}"
    return (
        f'<g class="over"><title>{told}</title>{drawn}<text class="few" '
        f'x="{arrow - 16:.0f}" y="{y + 12}">→</text></g>'
    )


def own(s: np.record, viewer: int) -> str:
    """The cards of whoever looks; of somebody who watches those of whose turn it is, if known."""
    p = viewer
    if not 0 <= viewer < s.players:
        p = int(s.player)
        if int(s.hand[p].sum()) != s.cards[p] or (s.hand[p] < 0).any():
            return ""
    whose = "Your" if p == viewer else f"{colour(p)}’s"
    y = TOP + HIGH + PLATES + BANK
    cards = "".join(resource_card(r, int(s.hand[p, r]), whose, y) for r in range(KINDS))
    kinds = [k for k in range(len(CARDS)) if s.dev[p, k]]
    return cards + "".join(development_card(s, p, k, whose, y) for k in kinds)


def resource_card(r: int, n: int, whose: str, y: float) -> str:
    """The cards of a kind in a hand, as one card with their number."""
    name = RESOURCES[r]
    return (
        f'<g id="h{r}" class="thing card{"" if n else " none"}" '
        f'transform="translate({column(r):.0f} {y})"><title>{whose} {name}: {n}</title>'
        f'<rect class="sheet" x="-50" y="2" width="100" height="{HAND - GAP}" rx="10"/>'
        f'<rect class="ct{r}" x="-44" y="8" width="88" height="76" rx="6"/>'
        f'<use href="#catan-card-{name}" transform="translate(0 46) scale(.9)"/>'
        f'<text class="many" y="126">{n}</text></g>'
    )


def development_card(s: np.record, p: int, k: int, whose: str, y: float) -> str:
    """The development cards of a kind; those bought this turn lie aside."""
    n, fresh = int(s.dev[p, k]), int(s.fresh[k]) if p == s.player else 0
    name = CARDS[k]
    new = f", {fresh} bought this turn" if fresh and k != POINT else ""
    first, *rest = name.split(" ")
    lines = [first, " ".join(rest)] if rest else [first]
    text = "".join(
        f'<text class="word" y="{104 + 21 * i}" textLength="{min(90, 10.5 * len(row)):.0f}" '
        f'lengthAdjust="spacingAndGlyphs">{row}</text>'
        for i, row in enumerate(lines)
    )
    count = f'<text class="many" x="30" y="44">{n}</text>' if n > 1 else ""
    return (
        f'<g id="d{k}" class="thing card" transform="translate({column(KINDS + k):.0f} {y})">'
        f"<title>{whose} {name}: {n}{new}</title>"
        f'<rect class="sheet" x="-50" y="2" width="100" height="{HAND - GAP}" rx="10"/>'
        f'<use href="#catan-card-{name.replace(" ", "-")}" '
        f'transform="translate({-16 if n > 1 else 0} 46) scale(.8)"/>{count}{text}</g>'
    )


# --- clicks ---


def clicks(s: np.record, action: int) -> list[Click]:
    """A place, a card, a player, a button; for the bank first what is got, then what is paid."""
    a = action
    if a in BUTTONS:
        return [BUTTONS[a]]
    if a in PLAYED:
        return [f"d{PLAYED[a]}"]
    if a >= EXCHANGE:
        paid, got = divmod(a - EXCHANGE, KINDS)
        return [f"b{got}", f"h{paid}"]
    for first, place in ((WANT_CARD, "b"), (GIVE_CARD, "h"), (DISCARD_CARD, "h"), (TAKE_CARD, "b")):
        if a >= first:
            return [f"{place}{a - first}"]
    if a >= PLAY_MONOPOLY:
        return [f"d{MONOPOLY}", f"b{a - PLAY_MONOPOLY}"]
    for first, place in ((ROB, "p"), (MOVE_ROBBER, "t"), (ROAD, "e"), (CITY, "v")):
        if a >= first:
            return [f"{place}{a - first}"]
    return [f"v{a - SETTLE}"]


def preview(s: np.record, action: int) -> str:
    """The piece that is about to be built or moved."""
    p, a = int(s.seat), action
    if MOVE_ROBBER <= a < ROB:
        x, y = robber_place(a - MOVE_ROBBER)
        return f'<use href="#catan-robber" x="{x:.0f}" y="{y:.0f}"/>'
    if a < CITY:
        return building(a - SETTLE, p, "settlement")
    if a < ROAD:
        return building(a - CITY, p, "city")
    return road(a - ROAD, p) if a < MOVE_ROBBER else ""


def bundle(s: np.record) -> Bundle | None:
    """Cards that are chosen together: an offer, discards, a year of plenty."""
    hand = [int(n) for n in s.hand[s.seat]]
    if s.phase == DISCARD:
        owed = int(s.owed[s.seat])
        return one_row("Discard", "You discard", owed, DISCARD_CARD, hand, "h")
    if s.phase == TAKE:
        stock = [int(n) for n in s.bank]
        n = min(int(s.taking), sum(stock))
        return one_row("Take cards", "You take", n, TAKE_CARD, [min(n, k) for k in stock], "b")
    most = most_wanted(s)
    if s.phase != MAIN or s.offers >= s.offer_limit or most == 0 or not sum(hand):
        return None
    gives = sum(hand) if s.bundles else min(GIVEN, sum(hand))
    stock = [min(most, int(s.stock))] * KINDS
    rows = [
        row("You give", [1, gives], GIVE_CARD, [min(gives, n) for n in hand], "h"),
        row("You want", [1, most], WANT_CARD, stock, "b"),
    ]
    return {"words": "offer a trade", "verb": "Offer", "rows": rows, "apart": True, "then": PROPOSE}


def most_wanted(s: np.record) -> int:
    """As many cards as another player holds can be wanted."""
    most = max(int(s.cards[p]) for p in range(s.players) if p != s.player)
    return most if s.bundles else min(most, WANTED)


def one_row(what: str, told: str, n: int, first: int, limits: Sequence[int], place: str) -> Bundle:
    return {"words": what, "verb": what, "rows": [row(told, [n, n], first, limits, place)]}


def row(
    told: str, total: list[int], first: int, limits: Sequence[int], place: str
) -> dict[str, Any]:
    """A row of resources, of each as many as its limit; nothing is shown of what there is not."""
    cards = [
        {
            "name": name,
            "action": first + r,
            "limits": [0, limits[r]],
            "thing": f"{place}{r}",
            "symbol": f"catan-card-{name}",
        }
        for r, name in enumerate(RESOURCES)
    ]
    return {"words": told, "total": total, "cards": cards}


def turn(s: np.record) -> int:
    """Whose turn it is; others are asked to answer and to discard."""
    return int(s.player)


# --- why a click is refused ---


def why_not(s: np.record, path: Sequence[Click]) -> str:
    """Why the last of these clicks is refused to whoever is to decide."""
    if not path or not all(isinstance(one, str) for one in path):
        return words.NOTHING
    first, last = str(path[0]), str(path[-1])
    if len(path) == 2 and (first[0], last[0]) == ("b", "h"):
        got, paid = place_of(first, "b"), place_of(last, "h")
        if got is not None and paid is not None:
            return words.why_not(s, EXCHANGE + KINDS * paid + got)
    if len(path) != 1:
        return words.NOTHING
    for action in meanings(s, first):
        return words.why_not(s, action)
    return words.WANTED.get(int(s.phase), words.NOTHING)


def meanings(s: np.record, click: str) -> Iterator[int]:
    """What a click on something would be, if it were allowed."""
    yield from (a for a, name in BUTTONS.items() if name == click)
    if (v := place_of(click, "v")) is not None and v < NODES:
        here = words.building_at(s, v)
        yield CITY + v if here and here[0] == s.seat and s.phase == MAIN else SETTLE + v
    if (e := place_of(click, "e")) is not None and e < PATHS:
        yield ROAD + e
    if (h := place_of(click, "t")) is not None and h < LAND:
        yield MOVE_ROBBER + h
    if (p := place_of(click, "p")) is not None and p < s.players:
        yield ROB + p
    if (k := place_of(click, "d")) is not None and k < POINT:
        yield next((a for a, kind in PLAYED.items() if kind == k), PLAY_MONOPOLY)
    if click == "deck":
        yield BUY
    if (r := place_of(click, "h")) is not None and r < KINDS:
        yield DISCARD_CARD + r if s.phase == DISCARD else GIVE_CARD + r
    if (r := place_of(click, "b")) is not None and r < KINDS:
        yield TAKE_CARD + r if s.phase == TAKE else cheapest(s, r)


def cheapest(s: np.record, got: int) -> int:
    """An exchange for a card of the bank, paid with what there is most of."""
    hand = s.hand[s.seat].tolist()
    paid = max((r for r in range(KINDS) if r != got), key=lambda r: hand[r] - s.rate[s.seat, r])
    return EXCHANGE + KINDS * paid + got if s.phase == MAIN else WANT_CARD + got


def place_of(click: str, kind: str) -> int | None:
    match = re.fullmatch(rf"{kind}([0-9]{{1,2}})", click)
    return int(match[1]) if match else None


status = words.status


# --- what a page may animate ---


def effects(before: np.record, code: int, after: np.record) -> list[Effect]:
    """Dice, what is built, the robber, thefts and trades."""
    phase = int(before.phase)
    if phase == DICE:
        return thrown(before, code)
    if phase == STEAL:
        return [handed(int(before.victim), int(before.player), 1)]
    if phase == LEVY:
        return [handed(int(before.victim), int(before.player), code)] if code else []
    if code == HIDDEN or int(rules.mover(before)) < 0:
        return []
    if code < ROAD:
        return [{"kind": "pulse", "at": f"v{code % NODES}"}]
    if code < MOVE_ROBBER:
        return [{"kind": "pulse", "at": f"e{code - ROAD}"}]
    if code < ROB:
        return [{"kind": "move", "from": f"t{before.robber}", "to": f"t{code - MOVE_ROBBER}"}]
    if code == ACCEPT:
        a, b = called(int(before.player)), called(int(before.seat))
        told = f"{a} gives {b} {words.bundle(before.give)} for {words.bundle(before.want)}"
        return [handed(int(before.seat), int(before.player), 0), {"kind": "say", "words": told}]
    if code >= PLAY_MONOPOLY and code < TAKE_CARD:
        told = f"{called(int(before.player))} takes all {RESOURCES[code - PLAY_MONOPOLY]}"
        return [{"kind": "say", "words": told}]
    return []


def handed(giver: int, taker: int, n: int) -> Effect:
    return {"kind": "move", "from": f"p{giver}", "to": f"p{taker}", "number": n}


def thrown(before: np.record, total: int) -> list[Effect]:
    """The throw, and the hexes that bring something."""
    shown: list[Effect] = [
        {"kind": "dice", "at": "dice", "faces": [faces(int(before.turn), total)]}
    ]
    for h in range(LAND):
        settled = any(int(before.built) >> int(v) & 1 for v in HEX_NODE[h])
        if before.number[h] == total and h != before.robber and settled:
            shown.append({"kind": "pulse", "at": f"t{h}"})
    return shown
