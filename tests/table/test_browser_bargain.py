"""Cards chosen together by mouse, touch and keys, and somebody who is asked in another's turn."""

import re
from typing import Any

import browsing
import pytest
from browsing import check_accessible, click, needs_chromium
from playwright.sync_api import Page, expect

pytestmark = needs_chromium

WIDTHS = [1280, 390]


@pytest.fixture(params=WIDTHS)
def page(request: Any, visitor: Any) -> Page:
    """A page of somebody at a large screen, and one of somebody with a phone."""
    return come(visitor, request.param)


def come(visitor: Any, width: int) -> Page:
    small = {"has_touch": True, "is_mobile": True} if width < 400 else {}
    return visitor(viewport={"width": width, "height": 760}, **small)


def sit(page: Page, server: Any, **wish: Any) -> Any:
    """Sit down as the first of two people; the other one is a program that is given back."""
    seats = [{"kind": "person"}, {"kind": "person"}]
    given = server.open("bargain", seats=seats, **wish)
    mine, other = given["seats"]
    page.goto(f"{server.url}/table/{given['table']}#token={mine['token']}")
    expect(page.locator("#table")).to_have_attribute("data-turn", "yours")
    return {"table": given["table"], "token": other["token"]}


def cards(page: Page) -> Any:
    return page.locator("form.bundle")


def spin(page: Page, row: str, name: str) -> Any:
    return (
        cards(page)
        .get_by_role("group", name=re.compile(f"^{row}"))
        .get_by_role("spinbutton", name=name)
    )


def test_an_offer_is_made_on_the_board_and_taken_back_card_by_card(page: Page, server: Any) -> None:
    sit(page, server)
    expect(cards(page)).to_have_count(0)
    click(page, "hand-fig")
    expect(spin(page, "You give", "fig")).to_have_attribute("aria-valuenow", "1")
    click(page, "bank-nut")
    expect(page.locator("#sentence")).to_have_text(
        "You give: 1 fig (1 of 1 to 2); You want: 1 nut (1 of 1)."
    )
    assert "can" not in (page.locator("#bank-pea").get_attribute("class") or "")
    page.keyboard.press("Escape")
    expect(spin(page, "You want", "nut")).to_have_attribute("aria-valuenow", "0")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(cards(page)).to_have_count(0)
    expect(page.get_by_role("button", name="Make an offer")).to_be_visible()


def test_an_offer_is_made_by_buttons_and_reaches_who_is_asked(page: Page, server: Any) -> None:
    other = sit(page, server)
    page.get_by_role("button", name="Make an offer").click()
    offer = cards(page).get_by_role("button", name="Offer")
    expect(offer).to_be_disabled()
    more = cards(page).get_by_role("button", name="One more fig")
    for _ in range(2):
        more.first.click()
    expect(more.first).to_be_disabled()
    expect(more.last).to_be_disabled()
    cards(page).get_by_role("button", name="One more pea").last.click()
    check_accessible(page)
    with server.seat(other, board=True) as seat:
        offer.click()
        position = seat.until("position", mover=1)
        assert position["at"] == 4
        told = [one["text"] for message in seat.got for one in message.get("events", [])]
        assert told == ["give fig", "give fig", "want pea", "propose"]
        expect(page.locator(".player.mover .tag.asked")).to_have_count(1)
        expect(page.locator(".player.turn")).to_contain_text("turn")
        expect(page.locator("#asked")).to_be_hidden()


def test_an_offer_is_made_by_keys(visitor: Any, server: Any) -> None:
    page = come(visitor, 1280)
    sit(page, server)
    page.get_by_role("button", name="Make an offer").press("Enter")
    page.keyboard.press("2")
    expect(spin(page, "You give", "nut")).to_have_text("1")
    spin(page, "You want", "fig").focus()
    page.keyboard.press("ArrowUp")
    expect(spin(page, "You want", "fig")).to_have_text("1")
    expect(spin(page, "You want", "fig")).to_be_focused()
    page.keyboard.press("-")
    page.keyboard.press("+")
    page.keyboard.press("Enter")
    expect(page.locator(".player.mover")).to_have_attribute("data-seat", "1")


def test_a_refused_choice_stays_chosen(visitor: Any, server: Any) -> None:
    page = come(visitor, 1280)
    sit(page, server)
    click(page, "hand-nut")
    click(page, "hand-fig")
    click(page, "bank-pea")
    broken = "() => import('/static/page.js').then(({page}) => page.shown.at += 1)"
    page.evaluate(broken)
    page.keyboard.press("Enter")
    expect(page.locator("#line")).to_contain_text("Too late")
    expect(spin(page, "You give", "nut")).to_have_text("1")


def test_who_must_discard_in_anothers_turn_is_told_at_once(page: Page, server: Any) -> None:
    """Also with the panel out of sight; and nothing is done before all cards are chosen."""
    seats = [{"kind": "person"}, {"kind": "person"}]
    given = server.open("bargain", seats=seats, clock=300)
    mine, other = given["seats"]
    page.goto(f"{server.url}/table/{given['table']}#token={other['token']}")
    expect(page.locator("#asked")).to_be_hidden()
    with server.seat({"table": given["table"], "token": mine["token"]}) as seat:
        at = seat.until("position", mover=0)["at"]
        seat.send(type="act", at=at, action="end")
        asked = page.get_by_role("alert").filter(has_text="You are asked, in")
        expect(asked).to_be_visible()
        expect(asked).to_be_in_viewport()
        expect(page).to_have_title(re.compile("^You are asked"))
        expect(page.locator(".player.mover .clock")).to_have_text(re.compile("^(5:00|4:5.)$"))
        expect(cards(page)).to_be_visible()
        check_accessible(page)
        take = cards(page).get_by_role("button", name="Discard")
        click(page, "hand-nut")
        expect(take).to_be_disabled()
        asked.get_by_role("button").click()
        cards(page).get_by_role("button", name="One more pea").click()
        take.click()
        assert seat.until("position", mover=1, phase="turn")["scores"] == [2.0, 1.0]
        expect(page.locator("#asked")).to_be_hidden()
    expect(page.locator("#table")).to_have_attribute("data-turn", "yours")


def test_two_people_at_one_screen_are_asked_in_turn(visitor: Any, server: Any) -> None:
    page = come(visitor, 1280)
    browsing.sit(page, server, which="bargain", seats=[{"kind": "person"}, {"kind": "person"}])
    page.get_by_role("button", name="End").click()
    expect(page.locator("#asked")).to_be_visible()
    cards(page).get_by_role("button", name="One more nut").click()
    cards(page).get_by_role("button", name="One more nut").click()
    cards(page).get_by_role("button", name="Discard").click()
    expect(page.locator("#asked")).to_be_hidden()
