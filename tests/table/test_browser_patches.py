"""A board that grows and patches that are turned, by mouse, touch and keys, on large and small."""

from collections.abc import Iterator
from typing import Any

import browsing
import pytest
from browsing import SPOT, check_accessible, click, needs_chromium, turn, watch_shifts
from playwright.sync_api import Page, expect

pytestmark = needs_chromium

#: Kinds of patches: one that looks the same from everywhere, and one with a single edge of silk.
PLAIN, EDGED = 0, 1

WIDTHS = [1280, 360]

VIEW = "() => document.querySelector('#drawing > svg').getAttribute('viewBox')"

#: Keeps every view box that is shown.
SEEN = """() => {
  const svg = document.querySelector("#drawing > svg");
  window.seen = [svg.getAttribute("viewBox")];
  new MutationObserver(() => seen.push(svg.getAttribute("viewBox")))
    .observe(svg, {attributeFilter: ["viewBox"]});
}"""

#: Where the first patch is on the screen, and the frame of the board.
PLACES = """() => ["#drawing use", "#drawing"].map((one) => {
  const {x, y, width, height} = document.querySelector(one).getBoundingClientRect();
  return [x, y, width, height].map(Math.round);
})"""

#: How much of what the last move brought is in the frame: 1 for all.
IN_SIGHT = """() => {
  const last = document.querySelector(".last").getBoundingClientRect();
  const frame = document.querySelector("#drawing").getBoundingClientRect();
  const within = (a, b, c, d) => Math.max(0, Math.min(b, d) - Math.max(a, c)) / (b - a);
  return within(last.left, last.right, frame.left, frame.right)
    * within(last.top, last.bottom, frame.top, frame.bottom);
}"""


@pytest.fixture(scope="module", autouse=True)
def compiled(server: Any) -> None:
    """The first time on a machine the game is compiled; no browser waits for that here."""
    agents = [{"kind": "agent", "agent": "random"}] * 2
    given = server.open("patches", seats=agents)
    with server.seat(given) as watching:
        while watching.receive(timeout=300).get("mover") != -2:
            pass


@pytest.fixture(params=WIDTHS)
def page(request: Any, visitor: Any) -> Page:
    """A page of somebody at a large screen, and one of somebody with a phone."""
    return come(visitor, request.param)


def come(visitor: Any, width: int, **given: Any) -> Page:
    small = {"has_touch": True, "is_mobile": True} if width < 400 else {}
    return visitor(viewport={"width": width, "height": 760}, **small, **given)


def sit(page: Page, server: Any, only: int = EDGED, patches: int = 12) -> None:
    """Sit down to a game with one kind of patches, and begin."""
    seats = [{"kind": "person"}, {"kind": "agent", "agent": "random"}]
    options = {"only": only, "patches": patches}
    browsing.sit(page, server, which="patches", options=options, seats=seats)
    assert turn(page)


def shown(page: Page) -> str | None:
    """How the patch in hand lies on the board."""
    return page.locator("#drawing .preview use").get_attribute("transform")


def pick(page: Page, cell: str) -> str | None:
    """Click a cell; how the patch lies in it."""
    click(page, cell)
    expect(page.locator(f"[id='{cell}']")).to_have_attribute("aria-pressed", "true")
    return shown(page)


def laid(page: Page) -> None:
    """The patch is laid, though nobody is told so yet."""
    expect(page.locator("#spot")).to_be_visible()
    expect(page.locator("#turning")).to_be_hidden()
    expect(page.locator("#drawing .preview use")).to_have_count(0)


ROUND = [f"translate(0 100) rotate({90 * n})" for n in (1, 2, 3)]


# --- choices that lie on top of each other ---


def test_a_patch_is_turned_by_clicks_and_laid_by_a_button(page: Page, server: Any) -> None:
    sit(page, server)
    assert pick(page, "c0,1") == ROUND[0]
    for place in (*ROUND[1:], ROUND[0]):
        click(page, "c0,1")
        assert shown(page) == place
    click(page, "c0,1")
    page.locator("#turning").get_by_role("button", name="Lay").click()
    laid(page)
    expect(page.locator("#buttons")).to_contain_text("silk to the south")


def test_a_patch_is_turned_by_the_wheel_which_zooms_elsewhere(visitor: Any, server: Any) -> None:
    page = come(visitor, 1280)
    sit(page, server)
    pick(page, "c0,1")
    whole = page.evaluate(VIEW)
    page.mouse.wheel(0, 100)
    page.wait_for_function("() => /180/.test(document.querySelector('.preview use').outerHTML)")
    page.mouse.wheel(0, -100)
    page.wait_for_function("() => /[(]90/.test(document.querySelector('.preview use').outerHTML)")
    assert page.evaluate(VIEW) == whole
    page.mouse.move(*page.evaluate(SPOT, "c-1,0"))
    page.mouse.wheel(0, -100)
    page.wait_for_function("() => document.querySelector('#drawing.close')")
    assert shown(page) == ROUND[0]


def test_a_patch_is_picked_turned_and_laid_by_touch(visitor: Any, server: Any) -> None:
    page = come(visitor, 360)
    sit(page, server)
    page.touchscreen.tap(*page.evaluate(SPOT, "c0,1"))
    assert shown(page) == ROUND[0]
    page.touchscreen.tap(*page.evaluate(SPOT, "c0,1"))
    assert shown(page) == ROUND[1]
    for button in page.locator("#turning button").all():
        box = button.bounding_box()
        assert box is not None and min(box["width"], box["height"]) >= 36
        assert box["x"] >= 0 and box["x"] + box["width"] <= 360
        assert box["y"] + box["height"] <= 760
    turning = page.get_by_role("group", name="What is picked")
    turning.get_by_role("button", name="Turn").tap()
    assert shown(page) == ROUND[2]
    turning.get_by_role("button", name="Take it back").tap()
    expect(page.locator(".picked")).to_have_count(0)
    page.touchscreen.tap(*page.evaluate(SPOT, "c0,1"))
    turning.get_by_role("button", name="Lay").tap()
    laid(page)


def test_a_patch_is_picked_turned_and_laid_by_keys(page: Page, server: Any) -> None:
    sit(page, server)
    press = page.keyboard.press
    focused = "() => document.activeElement.id"
    for key in ("ArrowDown", "ArrowDown", "ArrowLeft", "ArrowDown"):
        press(key)
        if page.evaluate(focused) == "c0,1":
            break
    assert page.evaluate(focused) == "c0,1"
    press("Enter")
    assert shown(page) == ROUND[0]
    for key, place in (("r", 1), ("R", 2), ("Shift+R", 1), ("Space", 2), ("Shift+R", 1)):
        press(key)
        assert shown(page) == ROUND[place]
    assert page.evaluate(focused) == "c0,1"
    press("Escape")
    expect(page.locator("#turning")).to_be_hidden()
    press("Enter")
    press("Enter")
    laid(page)
    press("Escape")
    expect(page.locator("#spot")).to_have_count(0)
    assert page.evaluate(focused) in {"c0,1", "c0,-1", "c1,0", "c-1,0"}


def test_every_choice_is_told_to_who_cannot_see_the_board(page: Page, server: Any) -> None:
    sit(page, server)
    pick(page, "c0,1")
    told = page.get_by_role("status").filter(has_text="patch")
    first = "Lays the edged patch on 0,1, silk to the east (1 of 3)."
    expect(told).to_have_text(f"{first} Turn with R, lay with Enter; Esc takes it back.")
    label = page.locator("[id='c0,1']")
    expect(label).to_have_attribute("aria-label", f"Cell 0,1; {told.inner_text()}")
    turning = page.get_by_role("group", name="What is picked")
    for n, side in ((2, "south"), (3, "west"), (1, "east")):
        turning.get_by_role("button", name="Turn").press("Enter")
        expect(told).to_contain_text(f"silk to the {side} ({n} of 3)")
        expect(turning.get_by_role("button", name="Turn")).to_be_focused()
    turning.get_by_role("button", name="Lay").press("Enter")
    laid(page)


def test_another_cell_shows_the_patch_as_it_was_turned(page: Page, server: Any) -> None:
    sit(page, server)
    pick(page, "c0,1")
    page.keyboard.press("r")
    page.keyboard.press("r")
    assert pick(page, "c-1,0") == "translate(-100 0) rotate(270)"
    expect(page.locator(".picked")).to_have_count(1)


def test_a_cell_with_one_rotation_takes_one_click(page: Page, server: Any) -> None:
    sit(page, server)
    click(page, "c1,0")
    laid(page)
    expect(page.locator("#buttons")).to_contain_text("silk to the west")


def test_a_patch_is_shown_before_anything_is_clicked(visitor: Any, server: Any) -> None:
    page = come(visitor, 1280)
    sit(page, server)
    ghost = page.locator("#drawing .preview.ghost use")
    page.mouse.move(*page.evaluate(SPOT, "c1,0"))
    expect(ghost).to_have_attribute("transform", "translate(100 0) rotate(270)")
    page.mouse.move(*page.evaluate(SPOT, "c0,1"))
    expect(ghost).to_have_attribute("transform", ROUND[0])
    page.locator("#sentence").hover()
    expect(ghost).to_have_count(0)
    page.keyboard.press("l")
    page.locator("#list [data-action='0,1/3']").hover()
    expect(ghost).to_have_attribute("transform", ROUND[2])


def test_a_refused_cell_says_why_and_leaves_what_was_picked(page: Page, server: Any) -> None:
    sit(page, server, PLAIN)
    click(page, "c0,-1")
    expect(page.locator("#line")).to_have_text("The south side must be silk.")
    expect(page.locator("#drawing .preview use")).to_have_count(0)


# --- a board that grows ---


def lay(page: Page, cell: str) -> None:
    """Lay a patch that needs one click."""
    click(page, cell)
    laid(page)


def test_who_has_zoomed_in_keeps_what_they_look_at(page: Page, server: Any) -> None:
    sit(page, server, PLAIN)
    for _ in range(2):
        page.get_by_role("button", name="Closer").click()
    before, view = page.evaluate(PLACES), page.evaluate(VIEW)
    page.evaluate(SEEN)
    lay(page, "c0,1")
    assert page.evaluate("() => new Set(window.seen).size") == 1
    assert (page.evaluate(PLACES), page.evaluate(VIEW)) == (before, view)
    page.keyboard.press("Escape")
    expect(page.locator("#spot")).to_have_count(0)
    assert page.evaluate(VIEW) == view


def cells_in_sight(page: Page) -> bool:
    return page.evaluate("""() => {
      const frame = document.querySelector("#drawing").getBoundingClientRect();
      return [...document.querySelectorAll(".cell")].every((one) => {
        const {left, right, top, bottom} = one.getBoundingClientRect();
        return left >= frame.left - 1 && right <= frame.right + 1
          && top >= frame.top - 1 && bottom <= frame.bottom + 1;
      });
    }""")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
@pytest.mark.parametrize("width", WIDTHS)
def test_who_sees_everything_goes_on_seeing_everything(
    visitor: Any, server: Any, width: int, motion: str
) -> None:
    """Gliding there takes 200 ms, and no time where nothing is to move."""
    page = come(visitor, width, reduced_motion=motion)
    sit(page, server, PLAIN)
    assert cells_in_sight(page)
    frame = page.evaluate(PLACES)[1]
    page.evaluate(SEEN)
    lay(page, "c0,1")
    page.wait_for_function("() => [...new Set(window.seen)].length > 1")
    if motion == "reduce":
        assert page.evaluate("() => new Set(window.seen).size") == 2
    else:
        page.wait_for_function("() => [...new Set(window.seen)].length > 2")
    page.wait_for_function(
        "n => { const now = window.seen.length, same = window.before === now;"
        " window.before = now; return same; }",
        polling=250,
    )
    assert cells_in_sight(page)
    assert page.evaluate(PLACES)[1] == frame


def test_the_last_move_is_brought_into_sight(page: Page, server: Any) -> None:
    sit(page, server, PLAIN)
    lay(page, "c0,1")
    for by in ("m", "button"):
        page.keyboard.press("0")
        for _ in range(4):
            page.keyboard.press("+")
        box = page.locator("#drawing").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + 0.1 * box["height"]
        for _ in range(5):
            page.mouse.move(x, y)
            page.mouse.down()
            page.mouse.move(x, y + 0.8 * box["height"], steps=3)
            page.mouse.up()
        assert page.evaluate(IN_SIGHT) < 0.1
        if by == "m":
            page.keyboard.press("m")
        else:
            page.get_by_role("button", name="The last move").click()
        page.wait_for_function(f"() => ({IN_SIGHT})() > 0.9")


@pytest.fixture
def played(server: Any) -> Iterator[Any]:
    """A game of two people whose moves are made by programs."""
    mine, yours = server.duel("patches", options={"patches": 8})
    with server.seat(mine) as one, server.seat(yours) as two:
        yield mine, one, two


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_on_the_page_moves_by_itself(
    visitor: Any, server: Any, played: Any, width: int
) -> None:
    """Nobody touches the page, on which a game is played to its end."""
    mine, one, two = played
    page = come(visitor, width)
    page.goto(f"{server.url}/table/{mine['table']}#token={mine['token']}")
    two.until("table")
    two.send(type="ready")
    assert page.wait_for_selector(".cell")
    position = one.until("position")
    two.until("position")
    page.wait_for_function("() => document.querySelectorAll('#log .entry').length > 0")
    moved = watch_shifts(page)
    while position["mover"] >= 0:
        seat = (one, two)[position["mover"]]
        mover = [one, two].index(seat)
        here = position if mover == 0 else two.got[-1]
        seat.send(type="act", at=here["at"], action=here["legal"][-1]["action"])
        position = one.until("position")
        two.until("position")
        page.wait_for_function(
            "at => document.getElementById('table').dataset.at === String(at)",
            arg=position["at"],
        )
        if position["mover"] >= 0:
            assert moved() == []


def test_nothing_is_wrong_for_who_uses_other_means(page: Page, server: Any) -> None:
    sit(page, server)
    check_accessible(page)
    pick(page, "c0,1")
    check_accessible(page)
    page.keyboard.press("Enter")
    laid(page)
    check_accessible(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    check_accessible(page)


def test_a_set_of_rules_fills_in_the_form_of_a_table(visitor: Any, server: Any) -> None:
    page = visitor()
    page.goto(server.url)
    page.locator("[data-game=patches]").get_by_role("button", name="With friends").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Rules and name of the table").click()
    rules = dialog.get_by_label("Set of rules")
    patches, only = dialog.get_by_label("patches –"), dialog.get_by_label("only –")
    expect(patches).to_have_value("6")
    rules.select_option("plain")
    expect(patches).to_have_value("4")
    expect(only).to_have_value("0")
    rules.select_option("short")  # what a set leaves out is as usual
    expect(patches).to_have_value("3")
    expect(only).to_have_value("-1")
    only.fill("2")
    check_accessible(page)
    with page.expect_request("**/api/tables") as asked:
        dialog.get_by_role("button", name="Open the table").click()
    assert asked.value.post_data_json["options"] == {"patches": 3, "only": 2, "players": 2}
    page.wait_for_url("**/table/*")
