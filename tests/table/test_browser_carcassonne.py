"""Carcassonne on the page: tiles are turned and laid, followers put and taken back, to the end."""

from typing import Any

import pytest
from browsing import (
    SPOT,
    at,
    check_accessible,
    legal,
    needs_chromium,
    sit,
    turn,
    watch_shifts,
    went_on,
)
from playwright.sync_api import Page, expect

pytestmark = needs_chromium

GREEDY = {"kind": "agent", "agent": "greedy:ties=first"}
FEWER = {"tiles": "documented"}

#: The things on the board that have a name, and the colour of one.
NAMED = """() => [...document.querySelectorAll("#drawing .thing")].filter(
  one => one.querySelector("title")).map(one => one.id)"""
COLOUR = "id => getComputedStyle(document.getElementById(id)).fill"


@pytest.fixture(scope="module", autouse=True)
def compiled(server: Any) -> None:
    """The first time on a machine the game is compiled; no browser waits for that here."""
    given = server.open("carcassonne", options=FEWER, seats=[GREEDY] * 2)
    with server.seat(given) as watching:
        while watching.receive(timeout=600).get("mover") != -2:
            pass


def begin(page: Page, server: Any) -> None:
    sit(page, server, which="carcassonne", options=FEWER, seats=[{"kind": "person"}, GREEDY])
    assert turn(page)


def touch(page: Page, thing: str, small: bool) -> None:
    """Click a thing on the board or, on a phone, tap it."""
    x, y = page.evaluate(SPOT, thing)
    (page.touchscreen.tap if small else page.mouse.click)(x, y)


def press(page: Page, where: str, name: str, small: bool) -> None:
    button = page.locator(where).get_by_role("button", name=name).first
    button.tap() if small else button.click()


def rotations(page: Page) -> dict[str, int]:
    """How many ways the tile in hand fits each cell."""
    found: dict[str, int] = {}
    for action, _ in legal(page):
        cell = f"c{action.split('/')[0]}"
        found[cell] = found.get(cell, 0) + 1
    return found


def lay(page: Page, small: bool) -> int:
    """Lay the tile where it can be turned most, after one turn; how many ways there were."""
    cells = rotations(page)
    cell = max(cells, key=lambda one: cells[one])
    touch(page, cell, small)
    if cells[cell] > 1:
        touch(page, cell, small)
        press(page, "#turning", "Lay", small)
    return cells[cell]


def follow(page: Page, small: bool) -> str:
    """Put a follower, take one back, or pass: whatever is the first that is allowed."""
    action = legal(page)[0][0]
    if action == "pass":
        press(page, "#buttons", "Pass", small)
        return action
    what, number = action.split()
    touch(page, f"f{number}" if what == "put" else f"m0{number}", small)
    return what


@pytest.mark.parametrize("width", [1280, 360])
def test_a_whole_game_against_greedy(visitor: Any, server: Any, width: int) -> None:
    small = width < 400
    rest: dict[str, Any] = {"has_touch": True, "is_mobile": True} if small else {}
    page = visitor(viewport={"width": width, "height": 760}, **rest)
    begin(page, server)
    most, done = 0, set()
    while turn(page):
        before = at(page)
        most = max(most, lay(page, small))
        page.wait_for_function("() => !document.querySelector('#list [data-action*=\"/\"]')")
        done.add(follow(page, small))
        if page.locator("#table").get_attribute("data-at") == before:
            page.keyboard.press("Enter")
        went_on(page, before)
    assert most > 1 and done >= {"put", "take"}
    expect(page.locator(".ledger")).to_be_visible(timeout=300_000)
    check_accessible(page)


def test_a_whole_game_by_keys_alone(visitor: Any, server: Any) -> None:
    page = visitor()
    begin(page, server)
    moved, done, turned, turns = watch_shifts(page), set(), 0, 0
    while turn(page):
        before, turns = at(page), turns + 1
        for arrow in ("ArrowRight", "ArrowDown", "ArrowLeft")[: 1 + turns % 3]:
            page.keyboard.press(arrow)
        page.keyboard.press("Enter")
        if page.locator("#turn").is_visible():
            page.keyboard.press("r")
            page.keyboard.press("Enter")
            turned += 1
        page.wait_for_function("() => !document.querySelector('#list [data-action*=\"/\"]')")
        page.keyboard.press("ArrowUp")
        here = page.evaluate("() => document.activeElement.id")
        if turns % 5 == 0 or here[:1] not in ("f", "m"):
            page.keyboard.press("1")
            done.add("pass")
        else:
            page.keyboard.press("Enter")
            done.add({"f": "put", "m": "take"}[here[0]])
        if at(page) == before:
            page.keyboard.press("Enter")
        went_on(page, before)
    assert turned > 0 and done >= {"put", "take", "pass"}
    assert moved() == []


def test_every_region_can_be_gone_to_by_key(visitor: Any, server: Any) -> None:
    page = visitor()
    begin(page, server)
    lay(page, False)
    page.wait_for_function("() => !document.querySelector('#list [data-action*=\"/\"]')")
    named = page.evaluate(NAMED)
    region = next(one for one in named if one.startswith("r"))
    found, plain = {}, page.evaluate(COLOUR, region)
    for _ in named:
        page.keyboard.press("i")
        thing = page.evaluate("() => document.activeElement.id")
        found[thing] = page.locator("#says").text_content()
        if thing == region:
            assert page.evaluate(COLOUR, region) != plain
    assert set(found) == set(named)
    regions = {one: words for one, words in found.items() if one.startswith("r")}
    assert len(regions) > 2 and all("tile" in words for words in regions.values())
    page.keyboard.press("Shift+I")
    page.keyboard.press("Enter")
    check_accessible(page)


def test_a_refused_cell_says_why(visitor: Any, server: Any) -> None:
    page = visitor()
    begin(page, server)
    fits = rotations(page)
    cells = page.evaluate("() => [...document.querySelectorAll('[id^=c]')].map(one => one.id)")
    refused = [one for one in cells if one.startswith(("c0,", "c1,", "c-1,")) and one not in fits]
    for cell in refused[:1]:
        touch(page, cell, False)
        expect(page.locator("#line")).to_contain_text("must be")
