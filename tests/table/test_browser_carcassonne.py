"""Carcassonne on the page: tiles are turned and laid, followers put and taken back, to the end."""

from typing import Any

import pytest
from browsing import SPOT, at, check_accessible, legal, needs_chromium, sit, turn, went_on
from playwright.sync_api import Page, expect

pytestmark = needs_chromium

GREEDY = {"kind": "agent", "agent": "greedy:ties=first"}
FEWER = {"tiles": "documented"}


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


def test_a_refused_cell_says_why(visitor: Any, server: Any) -> None:
    page = visitor()
    begin(page, server)
    fits = rotations(page)
    cells = page.evaluate("() => [...document.querySelectorAll('[id^=c]')].map(one => one.id)")
    refused = [one for one in cells if one.startswith(("c0,", "c1,", "c-1,")) and one not in fits]
    for cell in refused[:1]:
        touch(page, cell, False)
        expect(page.locator("#line")).to_contain_text("must be")
