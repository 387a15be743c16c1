"""Risk on the page: armies, attacks, fights to the end, cards, moves, missions, and an own map."""

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from browsing import SPOT, at, check_accessible, legal, needs_chromium, sit, turn, went_on
from playwright.sync_api import Page, expect

from kostka.table import room as rooms

pytestmark = needs_chromium

PAGE = Path(__file__).parents[2] / "docs" / "games" / "risk.md"
ISLANDS = json.loads(re.findall(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL)[0])
IDS = [one["id"] for one in ISLANDS["territories"]]
PERSON, RANDOM = {"kind": "person"}, {"kind": "agent", "agent": "random"}
DUEL = {"players": 2, "map": json.dumps(ISLANDS), "neutral": False, "start": "scaled"}
#: All that a person does in some turns.
EVERYTHING = {"claim", "place", "number", "attack", "until", "fortify", "trade", "end"}
#: Windows that people have: a screen with a mouse, and a phone.
SIZES = {1280: {}, 360: {"has_touch": True, "is_mobile": True}}
SEED = 1
NEAR = "id => document.getElementById(id).scrollIntoView({block: 'nearest'})"


@pytest.fixture(scope="module", autouse=True)
def compiled(server: Any) -> None:
    """The first time on a machine the game is compiled; no browser waits for that here."""
    httpx.get(f"{server.url}/api/games/risk/picture.svg", timeout=600).raise_for_status()
    given = server.open("risk", options=DUEL, seats=[RANDOM, {"kind": "agent", "agent": "easy"}])
    with server.seat(given) as watching:
        while watching.receive(timeout=600).get("mover") != -2:
            pass


@pytest.fixture(autouse=True)
def dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that are opened have the same seed every time."""
    monkeypatch.setattr(rooms.secrets, "randbits", lambda bits: SEED)


# --- how to act ---


class Person:
    """Somebody at the page, with a mouse or with a finger."""

    def __init__(self, page: Page, width: int) -> None:
        self.page, self.small = page, width < 400
        page.set_default_timeout(60_000)  # agents that are compiled first may take a while
        self.done: set[str] = set()

    def touch(self, thing: str) -> None:
        """Click or tap a thing on the board; on a phone it may have to be scrolled to."""
        self.page.evaluate(NEAR, thing)
        x, y = self.page.evaluate(SPOT, thing)
        (self.page.touchscreen.tap if self.small else self.page.mouse.click)(x, y)

    def press(self, where: str) -> None:
        button = self.page.locator(where).first
        button.tap() if self.small else button.click()

    def act(self, action: str) -> None:
        """Click all that makes an action, and wait until it was taken."""
        before = at(self.page)
        listed = [one for one, _ in legal(self.page)]
        self.done.add(kind(action))
        self.clicks(action)
        self.page.wait_for_function(
            "([at, known]) => document.getElementById('table').dataset.at !== at"
            " || [...document.querySelectorAll('#list [data-action]')]"
            ".map(one => one.dataset.action).join() !== known",
            arg=[before, ",".join(listed)],
        )

    def clicks(self, action: str) -> None:
        if action == "end":
            self.press('#buttons [data-click="!end"]')
        elif action.startswith("x"):
            number = self.page.get_by_role("spinbutton", name="How many, as a number")
            most = number.get_attribute("max")
            if action[1:] == most:
                self.press(f'#buttons button:has-text("All {most}")')
            else:
                number.fill(action[1:])
                self.press('#buttons .amount button:has-text("Choose")')
        elif action.startswith("trade"):
            for card in action.split()[1:]:
                self.touch(f"k{card_number(card)}")
        elif ">" in action:
            source, target, how = re.split(r">|(?=[*!])", action)
            self.touch(place(source))
            self.touch(place(target))
            self.press(f'#buttons [data-click^="!{"until" if how == "!" else how[1:]}"]')
        else:
            for one in action.split()[-1].split("="):
                self.touch(place(one))

    def turn(self) -> bool:
        """Wait for our turn; what is drafted is confirmed where nothing can be added."""
        if self.page.locator("#confirm").is_visible() and not legal(self.page):
            before = at(self.page)
            self.press("#confirm")
            went_on(self.page, before)
        return turn(self.page)


def place(id: str) -> str:
    return f"t{IDS.index(id)}"


def card_number(id: str) -> int:
    return len(IDS) + int(id[-1]) - 1 if id.startswith("wild") else IDS.index(id)


def kind(action: str) -> str:
    """What an action is, in a word."""
    if action == "end" or " " in action:
        return action.split()[0]
    if "!" in action:
        return "until"
    return "attack" if ">" in action else "fortify" if "=" in action else "number"


def chosen(actions: list[str], done: set[str], fought: bool) -> str:
    """What has not been done yet, as far as it can be; there is one fight to its end in a turn."""
    kinds = {kind(one): one for one in actions}
    if "until" in kinds:
        three = [one[:-2] for one in actions if one.endswith("*3")]
        if fought or not three:
            return "end"
        return f"{three[0]}*3" if "attack" not in done else f"{three[0]}!"
    if "number" in kinds:
        return actions[-1]
    if "fortify" in kinds and "fortify" in done:
        return "end"
    wanted = [kinds[one] for one in ("trade", "claim", "place", "fortify") if one in kinds]
    return wanted[0] if wanted else actions[0]


# --- games ---


def begin(visitor: Any, server: Any, width: int, **options: Any) -> Person:
    page = visitor(viewport={"width": width, "height": 760}, **SIZES[width])
    sit(page, server, which="risk", options={**DUEL, **options}, seats=[PERSON, RANDOM])
    return Person(page, width)


@pytest.mark.parametrize("width", SIZES)
def test_several_turns_with_all_that_there_is_to_do(visitor: Any, server: Any, width: int) -> None:
    me = begin(visitor, server, width)
    fought = False
    while me.turn() and not me.done >= EVERYTHING:
        actions = [action for action, _ in legal(me.page)]
        action = chosen(actions, me.done, fought)
        fought = kind(action) == "until" or (fought and kind(action) != "place")
        me.act(action)
    assert me.done >= EVERYTHING
    check_accessible(me.page)


def test_the_button_of_a_fight_says_its_odds_and_who_will_be_left(visitor, server) -> None:
    me = begin(visitor, server, 1280)
    while not any(action.endswith("!") for action, _ in legal(me.page)):
        assert me.turn()
        me.act(chosen([action for action, _ in legal(me.page)], {"attack"}, False))
        me.turn()
    fight = next(action for action, _ in legal(me.page) if action.endswith("!"))
    source, target = re.split("[>!]", fight)[:2]
    me.touch(place(source))
    me.touch(place(target))
    button = me.page.locator('#buttons [data-click^="!until"]')
    expect(button).to_contain_text(re.compile(r"until it is decided \(\d+ %, then about \d+ left"))


def test_whatever_is_refused_is_explained(visitor: Any, server: Any) -> None:
    me = begin(visitor, server, 1280)
    line = me.page.locator("#line")
    taken = None
    while me.turn() and any(kind(one) == "claim" for one, _ in legal(me.page)):
        if taken:
            me.touch(taken)
            expect(line).to_contain_text("claim an empty territory as long as there is one")
        action = legal(me.page)[0][0]
        taken = place(action.split()[-1])
        if len(legal(me.page)) < 3:
            break
        me.act(action)


def test_a_mission_game_on_a_map_of_ones_own_to_its_end(
    visitor: Any, server: Any, tmp_path: Path
) -> None:
    easy = [{"type": "territories", "count": 5} for _ in range(6)]
    (tmp_path / "islands.json").write_text(json.dumps({**ISLANDS, "missions": easy}))
    page = visitor()
    page.goto(server.url)
    page.locator("[data-game=risk]").get_by_role("button", name="With friends").click()
    dialog = page.locator("#friends")
    dialog.get_by_label(re.compile("^Players")).select_option("3")
    dialog.get_by_text("Rules and name of the table").click()
    dialog.get_by_label(re.compile("^map –")).first.select_option(label="a file of your own …")
    dialog.get_by_role("button", name="Open the table").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Choose a file for map")
    dialog.get_by_label(re.compile("your file")).set_input_files(tmp_path / "islands.json")
    dialog.get_by_label(re.compile("^win –")).select_option("missions")
    dialog.get_by_label(re.compile("^start –")).select_option("scaled")
    for seat in (2, 3):
        dialog.get_by_label(f"Seat {seat}", exact=True).select_option("easy")
    check_accessible(page)
    dialog.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/table/*")
    me = Person(page, 1280)
    while me.turn():
        actions = [action for action, _ in legal(page)]
        fights = [one for one in actions if one.endswith("!")]
        me.act(fights[0] if fights else chosen(actions, {"attack", "fortify"}, False))
    expect(page.get_by_text("won. The mission: Hold 5 territories.")).to_be_visible()
    check_accessible(page)
