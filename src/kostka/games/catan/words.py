"""Catan in words: what actions do, why one is refused, and what is going on."""

from collections.abc import Sequence
from typing import Any

from kostka.core import rules
from kostka.core.palette import PLAYERS
from kostka.core.present import called, listed, result
from kostka.games.catan import building, cards, robber, trade
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
from kostka.games.catan.board import (
    ANYTHING,
    BRICK,
    DESERT,
    EDGE_NODE,
    GRAIN,
    HEX_NODE,
    KINDS,
    NODE_HEX,
    NODE_NODE,
    ORE,
    RESOURCES,
    WOOD,
    WOOL,
)
from kostka.games.catan.standing import public_points
from kostka.games.catan.state import (
    ANSWER,
    BEFORE,
    CARDS,
    CITIES,
    DICE,
    DISCARD,
    DONE,
    DRAW,
    FOUND_ROAD,
    FOUND_SETTLEMENT,
    FREE_ROADS,
    LEVY,
    MAIN,
    NOBODY,
    OFFER,
    PLENTY,
    POINT,
    ROAD_BUILDING,
    ROADS,
    ROBBER,
    SETTLEMENTS,
    STEAL,
    TAKE,
    VICTIM,
)

DRAWN = ("a knight", "road building", "year of plenty", "monopoly", "a victory point")
COSTS = {
    "road": {WOOD: 1, BRICK: 1},
    "settlement": {WOOD: 1, BRICK: 1, WOOL: 1, GRAIN: 1},
    "city": {GRAIN: 2, ORE: 3},
    "development card": {WOOL: 1, GRAIN: 1, ORE: 1},
}

# --- names ---


def many(n: int, one: str, more: str = "") -> str:
    """``1 card``, ``3 cities``."""
    return f"{n} {one if n == 1 else more or one + 's'}"


def colour(p: int) -> str:
    """A player in the middle of a sentence."""
    return PLAYERS[p].name.capitalize()


def bundle(counts: Any) -> str:
    """``2 wool + wood``."""
    some = [(int(n), RESOURCES[r]) for r, n in enumerate(counts) if n]
    return " + ".join(f"{n} {name}" if n > 1 else name for n, name in some) or "nothing"


def hex_name(s: Any, h: int) -> str:
    """``ore 10``, ``the desert``."""
    return (
        "the desert" if s.terrain[h] == DESERT else f"{RESOURCES[s.terrain[h]]} {int(s.number[h])}"
    )


def corner(s: Any, v: int) -> str:
    """Where an intersection lies: by the hexes there, and its harbour."""
    beside = [int(h) for h in NODE_HEX[v] if h >= 0]
    where = listed([hex_name(s, h) for h in beside])
    if len(beside) < 3:
        where += ", on the coast"
    return where + harbour_words(int(s.harbour[v]))


def harbour_words(kind: int) -> str:
    if kind == NOBODY:
        return ""
    return ", with a 3:1 harbour" if kind == ANYTHING else f", with the {RESOURCES[kind]} harbour"


def path(s: Any, e: int) -> str:
    """Where a path lies: between two hexes, or along the coast of one."""
    u, v = EDGE_NODE[e]
    beside = [h for h in range(len(HEX_NODE)) if u in HEX_NODE[h] and v in HEX_NODE[h]]
    names = listed([hex_name(s, h) for h in beside])
    return f"between {names}" if len(beside) == 2 else f"along the coast of {names}"


def building_at(s: Any, v: int) -> tuple[int, str] | None:
    """Whose building stands at an intersection, and what it is."""
    for p in range(s.players):
        for kind, where in (("settlement", s.settlements[p]), ("city", s.cities[p])):
            if int(where) >> v & 1:
                return p, kind
    return None


# --- what an action or outcome is ---

PLAIN = {
    ROLL: "roll the dice",
    END: "end the turn",
    BUY: "buy a development card",
    PLAY_KNIGHT: "play a knight",
    PLAY_ROADS: "play road building",
    PLAY_PLENTY: "play year of plenty",
    STOP: "build no further free road",
    CANCEL: "take back the offer",
}


def describe(s: Any, a: int) -> str:
    """An action or outcome in words."""
    if s.phase in (DICE, STEAL, DRAW, LEVY):
        return luck_words(s, a)
    if a in PLAIN:
        return PLAIN[a]
    if a == PROPOSE:
        return f"offer {bundle(s.give)} for {bundle(s.want)}"
    if a == ACCEPT:
        return f"accept: {bundle(s.want)} for {bundle(s.give)}"
    if a == REFUSE:
        return "refuse"
    if a >= EXCHANGE:
        paid, got = divmod(a - EXCHANGE, KINDS)
        return f"pay {int(s.rate[s.player, paid])} {RESOURCES[paid]} for {RESOURCES[got]}"
    if a >= PLAY_MONOPOLY:
        kind, r = divmod(a - PLAY_MONOPOLY, KINDS)
        what = ("play monopoly: all {}", "take {}", "discard {}", "offer {}", "ask for {}")[kind]
        return what.format(RESOURCES[r])
    if a >= ROB:
        return f"steal from {colour(a - ROB)}"
    if a >= MOVE_ROBBER:
        return f"move the robber to {hex_name(s, a - MOVE_ROBBER)}"
    if a >= ROAD:
        return f"a road {path(s, a - ROAD)}"
    if a >= CITY:
        return f"a city at {corner(s, a - CITY)}"
    return f"a settlement at {corner(s, a - SETTLE)}"


def luck_words(s: Any, a: int) -> str:
    """What luck brought, or what has come to light."""
    if s.phase == DICE:
        return f"the dice show {a}"
    if s.phase == STEAL:
        return f"{'a card' if a == HIDDEN else RESOURCES[a]} is stolen from {colour(s.victim)}"
    if s.phase == DRAW:
        return f"{'a development card' if a == HIDDEN else DRAWN[a]} is drawn"
    what = f"{a} {RESOURCES[s.chosen]}" if a > 0 else f"no {RESOURCES[s.chosen]}"
    return f"{colour(s.victim)} hands over {what}" if a else f"{colour(s.victim)} has {what}"


# --- why an action is refused ---

#: What is to be chosen, by phase.
WANTED = {
    FOUND_SETTLEMENT: "found a settlement first",
    FOUND_ROAD: "build a road from your new settlement first",
    BEFORE: "roll the dice first",
    DISCARD: "discard cards first",
    ROBBER: "move the robber first",
    VICTIM: "choose whom to steal from",
    FREE_ROADS: "build your free roads, or stop",
    TAKE: "take cards from the bank first",
    OFFER: "finish your offer, or take it back",
    ANSWER: "accept the offer, or refuse it",
}
NOTHING = "nothing can be chosen now"


def why_not(s: Any, a: int) -> str:
    """The rule that forbids an action."""
    p = int(s.phase)
    if p in (FOUND_SETTLEMENT, MAIN) and a < CITY:
        return why_no_settlement(s, a - SETTLE)
    if p in (FOUND_ROAD, FREE_ROADS, MAIN) and ROAD <= a < MOVE_ROBBER:
        return why_no_road(s, a - ROAD)
    if p in (BEFORE, MAIN) and (PLAY_KNIGHT <= a <= PLAY_PLENTY or is_monopoly(a)):
        return why_no_card(s, int(cards.kind_played(a)))
    if p == MAIN:
        return why_not_in_turn(s, a)
    if p == ROBBER and MOVE_ROBBER <= a < ROB:
        return why_not_there(s, a - MOVE_ROBBER)
    if p == VICTIM and ROB <= a < ROLL:
        return why_not_rob(s, a - ROB)
    if p == DISCARD and DISCARD_CARD <= a < GIVE_CARD:
        return f"you have no {RESOURCES[a - DISCARD_CARD]}"
    if p == TAKE and TAKE_CARD <= a < DISCARD_CARD:
        return bank_has_no(a - TAKE_CARD)
    if p == OFFER:
        return why_not_offered(s, a)
    if p == ANSWER and a == ACCEPT:
        return f"you do not hold {bundle(s.want)}"
    return WANTED.get(p, NOTHING)


def is_monopoly(a: int) -> bool:
    return PLAY_MONOPOLY <= a < TAKE_CARD


def bank_has_no(r: int) -> str:
    return f"the bank has no {RESOURCES[r]} left"


def why_not_in_turn(s: Any, a: int) -> str:
    """Why something cannot be done in the middle of a turn."""
    if a == ROLL:
        return "you have rolled the dice already"
    if CITY <= a < ROAD:
        return why_no_city(s, a - CITY)
    if a == BUY:
        return "no development card is left" if s.deck_left == 0 else lacking(s, "development card")
    if a >= EXCHANGE:
        return why_no_exchange(s, *divmod(a - EXCHANGE, KINDS))
    if GIVE_CARD <= a < WANT_CARD:
        return why_no_offer(s, a - GIVE_CARD)
    if a >= WANT_CARD:
        return "choose first what you give"
    if a in (ACCEPT, REFUSE, CANCEL, PROPOSE):
        return "there is no offer on the table"
    if a >= DISCARD_CARD:
        return "cards are discarded only after a 7"
    if a >= TAKE_CARD:
        return "cards are taken only with a year of plenty"
    if MOVE_ROBBER <= a < ROLL:
        return "the robber moves only after a 7 or with a knight"
    return NOTHING


def lacking(s: Any, what: str) -> str:
    """Why a purchase cannot be paid."""
    hand, cost = s.hand[s.player], COSTS[what]
    missing = [0] * KINDS
    for r, n in cost.items():
        missing[r] = max(0, n - int(hand[r]))
    price = bundle([cost.get(r, 0) for r in range(KINDS)])
    return f"a {what} costs {price}; you lack {bundle(missing)}"


def why_no_settlement(s: Any, v: int) -> str:
    """Why no settlement can stand at an intersection."""
    here = building_at(s, v)
    if here:
        owner = "your" if here[0] == s.seat else f"{colour(here[0])}'s"
        return f"{owner} {here[1]} stands here already"
    for w in NODE_NODE[v]:
        if not int(s.free) >> v & 1 and (beside := building_at(s, int(w))):
            return f"there is a {beside[1]} next to it"
    if not int(s.reached[s.player]) >> v & 1:
        return "none of your roads leads here"
    if s.settlements_left[s.player] == 0:
        return f"all your {SETTLEMENTS} settlements are on the board: make one a city first"
    return lacking(s, "settlement")


def why_no_city(s: Any, v: int) -> str:
    """Why no city can stand at an intersection."""
    here = building_at(s, v)
    if here == (s.player, "city"):
        return "this is a city already"
    if here != (s.player, "settlement"):
        return "a city is built where you have a settlement"
    if s.cities_left[s.player] == 0:
        return f"all your {CITIES} cities are on the board"
    return lacking(s, "city")


def why_no_road(s: Any, e: int) -> str:
    """Why no road can lie on a path."""
    p = s.player
    if s.road[e]:
        return "there is a road already"
    if s.phase == FOUND_ROAD:
        return "the road must begin at the settlement you have just founded"
    ends = [int(v) for v in EDGE_NODE[e]]
    open_ends = int(building.road_ends(s, p))
    if not any(open_ends >> v & 1 for v in ends):
        for v in ends:
            if int(s.reached[p]) >> v & 1 and (here := building_at(s, v)):
                return f"your road is cut off here by {colour(here[0])}"
        return "none of your roads or buildings is next to it"
    if s.roads_left[p] == 0:
        return f"all your {ROADS} roads are on the board"
    return lacking(s, "road")


def why_no_card(s: Any, kind: int) -> str:
    """Why a development card cannot be played."""
    p = s.player
    if s.dev[p, kind] == 0:
        return f"you have no {CARDS[kind]}"
    if s.spent:
        return "you have played a development card this turn already"
    if s.dev[p, kind] <= s.fresh[kind]:
        return "this card was bought this turn"
    if kind == ROAD_BUILDING:
        left = "you have no road left" if s.roads_left[p] == 0 else "there is no place for a road"
        return left
    return "the bank is empty" if kind == PLENTY else NOTHING


def why_no_exchange(s: Any, paid: int, got: int) -> str:
    """Why the bank does not trade."""
    if paid == got:
        return "a card is not exchanged for its like"
    rate, held = int(s.rate[s.player, paid]), int(s.hand[s.player, paid])
    if held < rate:
        return f"the bank takes {rate} {RESOURCES[paid]} for a card, and you have {held}"
    return bank_has_no(got)


def why_no_offer(s: Any, r: int) -> str:
    """Why no offer can be begun with a card."""
    if s.offer_limit == 0:
        return "in this game players do not trade with each other"
    if s.offers >= s.offer_limit:
        return f"you may make {many(int(s.offer_limit), 'offer')} a turn"
    if s.hand[s.player, r] == 0:
        return f"you have no {RESOURCES[r]}"
    return "nobody else has a card"


def why_not_offered(s: Any, a: int) -> str:
    """Why an offer cannot go on like this."""
    if a == PROPOSE:
        return "say first what you want"
    if not GIVE_CARD <= a < EXCHANGE:
        return WANTED[OFFER]
    if a < WANT_CARD:
        r = a - GIVE_CARD
        if s.want[r]:
            return f"you want {RESOURCES[r]}, so you cannot give it"
        if s.hand[s.player, r] <= s.give[r]:
            return f"you have no {'more ' if s.give[r] else ''}{RESOURCES[r]}"
        return f"at most {trade.GIVEN} cards are offered for one"
    r = a - WANT_CARD
    if s.give[r]:
        return f"you give {RESOURCES[r]}, so you cannot want it"
    if not s.bundles:
        return "only one card can be wanted"
    return "nobody else has more cards than that"


def why_not_there(s: Any, h: int) -> str:
    """Why the robber cannot go to a hex."""
    if h == s.robber:
        return "the robber must move to another hex"
    few = [
        p
        for p in range(s.players)
        if public_points(s, p) < robber.FEW_POINTS
        and any(int(building.own_buildings(s, p)) >> int(v) & 1 for v in HEX_NODE[h])
    ]
    who = listed([colour(p) for p in few])
    return f"the robber spares {who}: fewer than {robber.FEW_POINTS} points"


def why_not_rob(s: Any, p: int) -> str:
    """Why a player cannot be robbed."""
    if p >= s.players:
        return f"there are only {s.players} players"
    if p == s.player:
        return "you cannot rob yourself"
    if s.cards[p] == 0:
        return f"{colour(p)} has no cards"
    return f"{colour(p)} has no building there"


# --- what is going on ---


def status(s: Any, viewer: int, names: Sequence[str | None] = ()) -> str:
    """What is going on and what is expected, in a sentence."""
    if s.phase == DONE:
        return ending(s, viewer, names)
    if int(rules.mover(s)) == rules.CHANCE:
        return luck(s, viewer, names)
    if s.seat != viewer:
        return f"{called(int(s.seat), names)} {others_are_told(s, names)}."
    if s.phase == ANSWER:
        return f"{offer_words(s, names)}. Do you accept?"
    if s.phase == DISCARD:
        left = many(int(s.owed[viewer]), "more card" if s.owed[viewer] == 1 else "card")
        return f"A 7 was rolled. Discard {left}."
    return f"Your turn: {expected(s)}."


def ending(s: Any, viewer: int, names: Sequence[str | None]) -> str:
    """Who has won, and with how many points."""
    if s.winner == NOBODY:
        return result(range(s.players), True, viewer, names)
    points = public_points(s, s.winner) + int(s.dev[s.winner, POINT])
    hidden = int(s.dev[s.winner, POINT])
    told = result([int(s.winner)], False, viewer, names).removesuffix(".")
    cards_ = f", {hidden} of them on cards" if hidden else ""
    return f"{told} with {points} points{cards_}."


def luck(s: Any, viewer: int, names: Sequence[str | None]) -> str:
    """What luck decides, or what comes to light."""
    you = s.player == viewer
    who = "You" if you else called(int(s.player), names)
    if s.phase == DICE:
        return f"{who} {'roll' if you else 'rolls'} the dice."
    if s.phase == DRAW:
        return f"{who} {'draw' if you else 'draws'} a development card."
    victim = "you" if s.victim == viewer else called(int(s.victim), names)
    if s.phase == STEAL:
        return f"{who} {'steal' if you else 'steals'} a card from {victim}."
    hand_over = "hand" if s.victim == viewer else "hands"
    taker = "you" if you else called(int(s.player), names)
    return f"{victim[0].upper()}{victim[1:]} {hand_over} over all {RESOURCES[s.chosen]} to {taker}."


def offer_words(s: Any, names: Sequence[str | None]) -> str:
    """``Blue gives wool + wood for ore``."""
    return f"{called(int(s.player), names)} gives {bundle(s.give)} for {bundle(s.want)}"


def others_are_told(s: Any, names: Sequence[str | None]) -> str:
    """What somebody else is doing, after his name."""
    p = int(s.phase)
    if p == ANSWER:
        return f"is asked: {offer_words(s, names)}"
    if p == DISCARD:
        return f"has to discard {many(int(s.owed[s.seat]), 'card')}"
    if p == OFFER:
        return f"is making an offer: {bundle(s.give)} for {bundle(s.want) if any(s.want) else '…'}"
    return {
        FOUND_SETTLEMENT: "founds a settlement",
        FOUND_ROAD: "builds a road",
        BEFORE: "is to roll the dice",
        ROBBER: "moves the robber",
        VICTIM: "chooses whom to steal from",
        FREE_ROADS: "builds free roads",
        TAKE: "takes cards from the bank",
    }.get(p, "trades and builds")


def expected(s: Any) -> str:
    """What whose turn it is may do."""
    p = int(s.phase)
    if p == FOUND_SETTLEMENT:
        second = s.founded >= s.players
        return "found your second settlement" if second else "found your first settlement"
    if p == FOUND_ROAD:
        return "build a road from it"
    if p == BEFORE:
        card = s.spent == 0 and s.devs[s.player] > s.dev[s.player, POINT]
        return "roll the dice, or play a card first" if card else "roll the dice"
    if p == ROBBER:
        return "move the robber"
    if p == VICTIM:
        return "choose whom to steal from"
    if p == FREE_ROADS:
        roads = "two roads" if s.free_roads == 2 else "another road"
        return f"build {roads} for free, or stop"
    if p == TAKE:
        return f"take {'two cards' if s.taking == 2 else 'another card'} from the bank"
    if p == OFFER:
        wanted = bundle(s.want) if any(s.want) else "…"
        return f"you give {bundle(s.give)} for {wanted}; add cards, or make the offer"
    return "trade and build, or end your turn"
