"""Catan on the page: founded, robbed, traded and built, with cards chosen together, to the end.

The tables of this file begin with cards in every hand, so that everything can be done soon.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from browsing import SPOT, check_accessible, needs_chromium
from playwright.sync_api import Page, expect

from kostka.core.game import game as find_game
from kostka.games.catan.board import HARBOURS, RESOURCES

pytestmark = needs_chromium

WIDTHS = [1280, 390]


#: Cards of each resource in every hand, and development cards of the first player, by kind.
EACH, CARDS = 3, (2, 1, 1, 1, 0)
#: The luck of the tables that are opened here: the first throw is a 7.
SEED = 7


@pytest.fixture(autouse=True)
def rich(monkeypatch: Any) -> None:
    """Everybody holds cards before the island is settled, and luck is always the same."""
    setup = find_game("catan").part("setup")
    poor = setup.start

    def start(s: Any, options: Mapping[str, Any]) -> None:
        poor(s, options)
        for p in range(s.players):
            s.hand[p], s.known[p], s.cards[p] = EACH, EACH, 5 * EACH
            s.bank[:] -= EACH
        s.dev[0], s.devs[0] = CARDS, sum(CARDS)
        for kind, n in enumerate(CARDS):
            s.deck[kind] -= n
        s.deck_left -= sum(CARDS)

    monkeypatch.setattr(setup, "start", start)
    monkeypatch.setattr("kostka.table.room.secrets.randbits", lambda bits: SEED)


@pytest.fixture(scope="module", autouse=True)
def compiled(server: Any) -> None:
    """The first time on a machine the game is compiled; no browser waits for that here."""
    httpx.get(f"{server.url}/api/games/catan/picture.svg", timeout=600).raise_for_status()


class Game:
    """A table for two. The page plays for the first seat; a program helps it, and is the second."""

    def __init__(self, server: Any, page: Page, small: bool, **options: Any) -> None:
        wish = {"players": 2, **options}
        given = server.open("catan", seats=[{"kind": "person"}] * 2, options=wish)
        self.page, self.small = page, small
        self.seats = [
            server.seat({"table": given["table"], "token": one["token"]}, board=True)
            for one in given["seats"]
        ]
        page.goto(f"{server.url}/table/{given['table']}#token={given['seats'][0]['token']}")
        self.position: dict[str, Any] = {}

    # --- what happens beside the page ---

    def look(self) -> None:
        """The next position, as the seat that is to decide sees it."""
        first = self.seats[0].until("position")
        second = self.seats[1].until("position", at=first["at"])
        self.position = second if first["mover"] == 1 else first

    def texts(self, begin: str = "") -> list[str]:
        """The legal actions that begin so."""
        return [a for a in (one["action"] for one in self.position["legal"]) if a.startswith(begin)]

    def hand(self, seat: int) -> list[str]:
        """The kinds of cards in a hand, which everybody at a table of two knows."""
        facts = {one["label"]: one["value"] for one in self.position["players"][seat]}
        return [name for name in RESOURCES if name in facts.get("hand", "")]

    def act(self, *actions: str) -> None:
        """The program decides for whoever is to."""
        at, seat = self.position["at"], self.seats[self.position["mover"]]
        seat.send(type="act", at=at, actions=actions)
        self.look()

    def usual(self) -> str:
        """Roll, end the turn, refuse; of cards and places what comes to hand."""
        plain = [one for one in ("roll", "end", "refuse", "stop") if one in self.texts()]
        return plain[0] if plain else self.texts()[self.position["at"] % len(self.texts())]

    def until(self, ready: Callable[[], Any], seat: int = 0) -> None:
        """Play on beside the page until somebody can do something."""
        for _ in range(120):
            if self.position["mover"] == seat and ready():
                return self.arrived()
            self.act(self.usual())
        raise AssertionError("it never came to that")

    # --- what is done on the page ---

    def arrived(self) -> None:
        expect(self.page.locator("#table")).to_have_attribute("data-at", str(self.position["at"]))

    def touch(self, thing: str) -> None:
        lit = self.page.locator(f"#{thing}.can")
        expect(lit).to_be_attached()
        lit.scroll_into_view_if_needed()
        x, y = self.page.evaluate(SPOT, thing)
        (self.page.touchscreen.tap if self.small else self.page.mouse.click)(x, y)

    def touch_lit(self, kind: str) -> None:
        """Any place of a kind where something may be built."""
        thing = self.page.locator(f"#drawing .{kind}.can").first
        expect(thing).to_be_attached()
        self.touch(str(thing.get_attribute("id")))

    def do(self, action: str) -> None:
        """Click all that makes an action."""
        legal = next(one for one in self.position["legal"] if one["action"] == action)
        for thing in legal["clicks"]:
            self.touch(thing)

    def press(self, name: str) -> None:
        button = self.page.locator("#buttons").get_by_role("button", name=name).first
        button.tap() if self.small else button.click()

    def confirm(self, drafted: int) -> None:
        """Either everything was sent at once, or so many decisions wait to be confirmed."""
        self.page.wait_for_function(
            "([at, words]) => document.getElementById('table').dataset.at !== at ||"
            " document.getElementById('confirm')?.textContent.startsWith(words)",
            arg=[str(self.position["at"]), f"Confirm {drafted}" if drafted > 1 else "Confirm"],
        )
        if self.page.locator("#confirm").count():
            self.press("Confirm")
        self.look()
        self.arrived()

    def says(self, words: str) -> None:
        expect(self.page.locator("#sentence")).to_contain_text(words)


@contextmanager
def playing(visitor: Any, server: Any, width: int, **options: Any) -> Iterator[Game]:
    small = width < 400
    rest: dict[str, Any] = {"has_touch": True, "is_mobile": True} if small else {}
    page = visitor(viewport={"width": width, "height": 780}, **rest)
    page.route("**/analysis", lambda route: route.abort())  # others know nothing of these hands
    game = Game(server, page, small, **options)
    with game.seats[0], game.seats[1]:
        game.look()
        game.arrived()
        yield game


def harbour(game: Game) -> str:
    """Where a settlement has a harbour."""
    game.until(lambda: game.texts("settle"))
    sites = (f"settle {v}" for v in HARBOURS.ravel())
    return next(one for one in sites if one in game.texts())


def found(game: Game) -> None:
    """Settlements with a road each, at harbours."""
    for _ in range(2):
        game.do(harbour(game))
        game.says("build a road from it")
        game.touch_lit("path")
        game.confirm(2)


# --- what happens, scene by scene ---


def discard(game: Game) -> None:
    """Half of a large hand, and then the robber goes to work."""
    game.until(lambda: game.texts("discard"))
    (row,) = game.position["bundle"]["rows"]
    owed, take = row["total"][0], game.page.locator("#take")
    assert owed >= 5
    expect(take).to_be_disabled()
    for n in range(owed):
        game.touch(f"h{n % 5}")
    game.says(f"({owed} of {owed})")
    check_accessible(game.page)
    take.tap() if game.small else take.click()
    game.look()
    game.until(lambda: game.texts("robber"))
    game.do("robber S" if "robber S" in game.texts() else game.texts()[0])
    game.confirm(1)


def pair(game: Game) -> list[str]:
    """A card that the first player has and one that the second has, of different kinds."""
    some = [[a, b] for a in game.hand(0) for b in game.hand(1) if a != b]
    return some[0] if some else []


def offer(game: Game) -> None:
    """Own cards are clicked, then what is wanted; Escape takes back a card, then everything."""
    game.until(lambda: game.texts("give") and pair(game))
    given, wanted = pair(game)
    form = game.page.locator("form.bundle")
    for presses in (2, 0):
        game.touch(f"h{RESOURCES.index(given)}")
        expect(form).to_be_visible()
        for _ in range(presses):
            game.page.keyboard.press("Escape")
        expect(form).to_have_count(0 if presses else 1)
    game.touch(f"b{RESOURCES.index(wanted)}")
    game.says(f"You want: 1 {wanted}")
    check_accessible(game.page)
    game.press("Offer")
    game.look()
    assert game.position["mover"] == 1
    expect(game.page.locator(".player.mover .tag.asked")).to_have_count(1)
    game.act("accept")
    expect(game.page.locator("#log")).to_contain_text(f"ccept: {wanted} for {given}")


def answer(game: Game) -> None:
    """In somebody else's turn an offer is told in words, and refused or accepted."""
    for word in ("Refuse", "Accept"):
        game.until(lambda: game.texts("give") and pair(game), seat=1)
        wanted, given = pair(game)
        game.act(f"give {given}", f"want {wanted}", "offer")
        game.arrived()
        game.says(f"gives {given} for {wanted}. Do you accept?")
        asked = game.page.get_by_role("alert").filter(has_text="You are asked, in")
        expect(asked).to_be_in_viewport()
        game.press(word)
        game.look()
        game.arrived()
        expect(game.page.locator("#asked")).to_be_hidden()


def exchange(game: Game) -> None:
    """At a harbour, for three of a kind or two."""
    game.until(lambda: game.texts("exchange"))
    action = game.texts("exchange")[0]
    _, paid, got = action.split()
    game.do(action)
    expect(game.page.locator("#buttons")).to_contain_text(re.compile(f"[23] {paid} for {got}"))
    game.confirm(1)


def knight(game: Game) -> None:
    game.until(lambda: game.texts("knight"))
    game.touch("d0")
    game.says("move the robber")
    game.touch_lit("hex")
    game.confirm(2)


def roads(game: Game) -> None:
    game.until(lambda: game.texts("roads"))
    game.touch("d1")
    for words in ("two roads", "another road"):
        game.says(words)
        game.touch_lit("path")
    game.confirm(3)


def plenty(game: Game) -> None:
    """Two cards, by the buttons beside the board."""
    game.until(lambda: game.texts("plenty"))
    game.touch("d2")
    game.press("One more ore")
    game.press("One more wool")
    game.press("Take cards")
    game.look()
    game.arrived()


def monopoly(game: Game) -> None:
    game.until(lambda: game.texts("monopoly") and game.hand(1))
    kind = game.hand(1)[0]
    game.do(f"monopoly {kind}")
    game.look()
    assert kind not in game.hand(1)


SCENES = (discard, offer, answer, exchange, plenty, knight, roads, monopoly)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_game_is_founded_robbed_and_traded(visitor: Any, server: Any, width: int) -> None:
    with playing(visitor, server, width, points=20) as game:
        found(game)
        game.until(lambda: game.texts("roll"))
        game.press("Roll the dice")
        game.look()
        for scene in SCENES:
            scene(game)
        game.arrived()
        check_accessible(game.page)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_game_is_won(visitor: Any, server: Any, width: int) -> None:
    """By touch, or by keys alone."""
    with playing(visitor, server, width, points=3, discard=30) as game:
        for _ in range(2):
            game.act(harbour(game))
            game.act(game.texts("road")[0])
        game.until(lambda: game.texts("city"))
        if game.small:
            game.do(game.texts("city")[0])
        else:
            game.page.locator(".site.own.can").first.focus()
            game.page.keyboard.press("Enter")
        game.look()
        assert game.position["mover"] == -2
        game.says("You have won with 3 points")
        expect(game.page.locator("#rematch")).to_be_visible()
