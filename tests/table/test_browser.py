"""The pages in a real browser: people play by mouse, keys and touch, and come back."""

import json
import re
from pathlib import Path
from typing import Any

import browsing
import httpx
import pytest
from browsing import SPOT, at, click, legal, needs_chromium, turn, went_on
from playwright.sync_api import Locator, Page, WebSocket, expect

from kostka.core.palette import OUTLINES, PLAYERS

pytestmark = needs_chromium

SMALL = {"areas": 8, "battles": 40}

#: Keeps what the dice had shown whenever the log changed.
FALLEN = """() => {
  window.fallen = [];
  const keep = () => fallen.push(Number(document.querySelector(".throw b")?.textContent));
  new MutationObserver(keep).observe(document.getElementById("log"), {childList: true});
}"""


@pytest.fixture(scope="module", autouse=True)
def compiled(server: Any) -> None:
    """The first time on a machine the games are compiled; no browser waits for that here."""
    for name in ("dicewars", "cardgame"):
        httpx.get(f"{server.url}/api/games/{name}/picture.svg", timeout=600).raise_for_status()


def sit(page: Page, server: Any, options: dict[str, Any] = SMALL, **wish: Any) -> str:
    """Sit down to a game of Dice Wars, by itself against an agent."""
    others = [{"kind": "person"}, {"kind": "agent", "agent": "random"}]
    return browsing.sit(page, server, options=options, **{"seats": others, **wish})


def best(actions: list[tuple[str, str]]) -> str:
    """The attack with the most dice to spare, or the end of the turn."""

    def spare(words: str) -> int:
        own, others = re.findall(r"with (\d+) .* against (\d+)", words)[0]
        return int(own) - int(others)

    found = [(spare(words), action) for action, words in actions if ">" in action]
    good = [one for one in found if one[0] >= 0]
    return max(good)[1] if good else "end"


def attack(page: Page, action: str) -> None:
    """Make an attack by two clicks of the mouse."""
    source, target = re.split("[>=]", action)
    click(page, f"t{source}")
    expect(page.locator(f"#t{source}")).to_have_class(re.compile("picked"))
    click(page, f"t{target}")


def move_by_mouse(page: Page) -> None:
    before, action = at(page), best(legal(page))
    if action == "end":
        page.locator("#buttons").get_by_role("button", name="End the turn").click()
    else:
        attack(page, action)
    went_on(page, before)


# --- the home page ---


def test_one_plays_within_two_clicks_of_opening_the_page(visitor: Any, server: Any) -> None:
    page = visitor(reduced_motion="no-preference")
    page.goto(server.url)
    card = page.locator("[data-game=dicewars]")
    expect(card.locator(".picture svg")).to_be_visible()
    card.get_by_role("button", name="Play now").click()
    assert turn(page)
    action = next(a for a, _ in legal(page) if ">" in a)
    before = at(page)
    page.evaluate(FALLEN)
    attack(page, action)
    expect(page.locator(".throw .die").first).to_be_visible()
    went_on(page, before)
    expect(page.locator("#log .entry").first).to_contain_text("attack")
    assert page.evaluate("() => window.fallen[0]") > 0


def test_a_whole_game_is_played_by_mouse(visitor: Any, server: Any) -> None:
    page = visitor()
    page.goto(server.url)
    page.locator("[data-game=dicewars]").get_by_role("button", name="With friends").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Your name").fill("<b>Anna</b>")
    seat = dialog.get_by_label("Seat 2", exact=True)
    easiest = seat.locator("optgroup option").first.get_attribute("value")
    seat.select_option(easiest)
    dialog.get_by_text("Rules and name of the table").click()
    dialog.get_by_label(re.compile("^areas")).fill("8")
    dialog.get_by_label(re.compile("^battles")).fill("60")
    dialog.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/table/*")
    while turn(page):
        move_by_mouse(page)
    expect(page.locator("#sentence")).to_contain_text(re.compile("won|draw"))
    expect(page.locator(".player").first).to_contain_text("<b>Anna</b>")
    expect(page.locator(".ledger tbody tr")).to_have_count(2, timeout=60_000)
    played = page.url
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: url != played)
    assert turn(page)
    expect(page.locator(".player").nth(1)).to_contain_text("<b>Anna</b>")
    page.goto(server.url)
    expect(page.locator("#recent li")).to_have_count(2)


def test_a_missing_table_is_said_to_be_missing(visitor: Any, server: Any) -> None:
    page = visitor()
    page.goto(f"{server.url}/table/nowhere")
    expect(page.locator("#sentence")).to_have_text("There is no such table.")
    page.get_by_role("link", name="Back to the games").click()
    expect(page.locator("[data-game=dicewars]")).to_be_visible()


# --- at the table ---


def test_another_game_is_played_by_keyboard_only(visitor: Any, server: Any) -> None:
    page = visitor()
    sit(page, server, {"areas": 8, "battles": 12})
    press = page.keyboard.press
    by_list = False
    while turn(page):
        before, action = at(page), best(legal(page))
        by_list = not by_list
        if action == "end":
            press("1")
        elif by_list:
            press("l")
            page.keyboard.type(action)
            press("Enter")
        else:
            press("ArrowRight")
            press("Escape")
            press("ArrowDown")
            press("Enter")
            picked = page.locator(".picked")
            expect(picked).to_have_count(1)
            press("Escape")
            expect(picked).to_have_count(0)
            press("Enter")
            expect(picked).to_have_count(1)
            while not page.evaluate("document.activeElement.classList.contains('can')"):
                for key in ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"):
                    press(key)
                    if page.evaluate("document.activeElement.classList.contains('can')"):
                        break
            press("Enter")
        went_on(page, before)
    expect(page.locator("#sentence")).to_contain_text(re.compile("won|draw"))
    press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Esc")


def test_a_wrong_click_is_explained_and_changes_nothing(visitor: Any, server: Any) -> None:
    page = visitor()
    sit(page, server)
    assert turn(page)
    before = at(page)
    click(page, page.locator(".thing:not(.can)").first.get_attribute("id") or "")
    expect(page.locator("#line")).to_contain_text(re.compile("not yours|one die|touch"))
    assert at(page) == before
    source = page.locator(".can").first.get_attribute("id") or ""
    click(page, source)
    expect(page.locator(f"#{source}")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#line")).to_be_hidden()
    click(page, source)
    expect(page.locator(".picked")).to_have_count(0)


def test_the_list_is_filtered_by_what_is_typed(visitor: Any, server: Any) -> None:
    page = visitor()
    sit(page, server)
    assert turn(page)
    before, action = at(page), next(a for a, _ in legal(page) if ">" in a)
    page.keyboard.press("l")
    page.keyboard.type("nothing")
    expect(page.locator("#list input")).to_have_value("nothing")
    expect(page.locator("#list ul")).to_have_text("No action reads like that.")
    for _ in "nothing":
        page.keyboard.press("Backspace")
    page.keyboard.type(action)
    expect(page.locator("#list [data-action]")).to_have_count(1)
    page.keyboard.press("Enter")
    went_on(page, before)
    source, target = action.split(">")
    expect(page.locator("#log .entry").first).to_contain_text(f"attack {target} with")
    expect(page.locator("#log .entry").first).to_contain_text(f"from {source} ")


def test_the_first_click_of_a_path_changes_what_is_asked_for(visitor: Any, server: Any) -> None:
    page = visitor()
    sit(page, server)
    assert turn(page)
    sentence = page.locator("#sentence")
    expect(sentence).to_contain_text("Your turn")
    source = re.split("[>=]", next(a for a, _ in legal(page) if ">" in a))[0]
    click(page, f"t{source}")
    expect(sentence).to_contain_text(f"Area {source}")
    expect(sentence).to_contain_text("choose what comes next; Esc takes it back.")
    assert page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle") == "none"
    page.keyboard.press("Escape")
    expect(sentence).to_contain_text("Your turn")


def test_a_hint_is_pointed_out_while_the_clock_runs(visitor: Any, server: Any) -> None:
    page = visitor()
    sit(page, server, clock=300)
    assert turn(page)
    expect(page.locator(".mover .clock")).to_have_text(re.compile("^(5:00|4:5.)$"))
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".thoughts tbody tr")).not_to_have_count(0, timeout=90_000)
    page.locator(".thoughts tbody tr", has_text="Attack").first.hover()
    expect(page.locator(".pointed")).to_have_count(2)
    assert turn(page)


def board_with_a_transfer(page: Page, server: Any) -> str:
    """Sit down where dice can be moved without luck, which some boards do not begin with."""
    for _ in range(20):
        table = sit(page, server, {"edition": 2021, "areas": 20})
        assert turn(page)
        if any("=" in action for action, _ in legal(page)):
            return table
    raise AssertionError("no board begins with a transfer")


def test_decisions_without_luck_are_drafted_and_taken_back(visitor: Any, server: Any) -> None:
    page = visitor()
    table = board_with_a_transfer(page, server)
    transfers = [a for a, _ in legal(page) if "=" in a]
    before = page.locator("#drawing").inner_html()
    attack(page, transfers[0])
    expect(page.locator("#confirm")).to_be_visible()
    assert server.get(f"/api/tables/{table}").json()["at"] == int(at(page) or 0)
    page.keyboard.press("Escape")
    expect(page.locator("#confirm")).to_have_count(0)
    assert page.locator("#drawing").inner_html().count("<use") == before.count("<use")
    attack(page, transfers[0])
    expect(page.locator("#confirm")).to_be_visible()
    now = at(page)
    page.keyboard.press("Enter")
    went_on(page, now)
    expect(page.locator("#log .entry").last).to_contain_text("move")


def frames(page: Page) -> tuple[list[str], list[str]]:
    """The types of the messages that this page will send and be answered with."""
    sent: list[str] = []
    told: list[str] = []

    def follow(socket: WebSocket) -> None:
        socket.on("framesent", lambda text: sent.append(json.loads(text)["type"]))
        socket.on("framereceived", lambda text: told.append(json.loads(text)["type"]))

    page.on("websocket", follow)
    return sent, told


def test_a_decision_is_one_message_and_one_answer(visitor: Any, server: Any) -> None:
    page = visitor()
    sent, told = frames(page)
    sit(page, server)
    assert turn(page)
    del sent[:], told[:]
    before = at(page)
    attack(page, next(a for a, _ in legal(page) if ">" in a))
    went_on(page, before)
    assert sent == ["act"]
    assert told[:2] == ["events", "position"]
    assert "drafted" not in told


def test_drafts_are_sent_with_the_decision_that_ends_them(visitor: Any, server: Any) -> None:
    page = visitor()
    sent, told = frames(page)
    board_with_a_transfer(page, server)
    del sent[:], told[:]
    before = at(page)
    attack(page, next(a for a, _ in legal(page) if "=" in a))
    expect(page.locator("#confirm")).to_be_visible()
    assert (sent, told) == (["draft"], ["drafted"])
    page.locator("#buttons").get_by_role("button", name="End the turn").click()
    went_on(page, before)
    assert sent == ["draft", "act"]
    assert "drafted" not in told[1:]


def test_two_browsers_play_and_a_third_watches(visitor: Any, server: Any) -> None:
    anna, bert, carl = visitor(), visitor(), visitor()
    anna.goto(server.url)
    anna.locator("#name").fill("Anna")
    anna.locator("#name").blur()
    anna.locator("[data-game=dicewars]").get_by_role("button", name="With friends").click()
    anna.get_by_role("dialog").get_by_label("Show the table").check()
    anna.get_by_role("dialog").get_by_role("button", name="Open the table").click()
    link = anna.locator("#invite").input_value()
    expect(anna.locator(".invite")).to_contain_text("Only this computer can open this link")
    bert.goto(server.url)
    bert.locator("#name").fill("Bert")
    bert.locator("#name").blur()
    bert.locator(f"#tables a[href='/table/{link.rsplit('/', 1)[1]}']").click()
    bert.get_by_role("button", name="Sit here").click()
    expect(anna.locator(".room-seats")).to_contain_text("Bert")
    bert.get_by_role("button", name="I am ready").click()
    carl.goto(link)
    expect(carl.locator("#ways")).to_contain_text("You are watching.")
    anna.wait_for_selector(".thing")
    bert.wait_for_selector(".thing")
    mover, other = (anna, bert) if anna.locator(".can").count() else (bert, anna)
    click(other, "t0")
    expect(other.locator("#line")).to_contain_text("not your turn")
    action = next(a for a, _ in legal(mover) if ">" in a)
    attack(mover, action)
    for page in (anna, bert, carl):
        expect(page.locator("#log .entry")).to_have_count(1)
    assert anna.locator("#log").inner_text() == carl.locator("#log").inner_text()
    bert.keyboard.press("c")
    bert.keyboard.type("<img src=x onerror=alert(1)>")
    bert.keyboard.press("Enter")
    for page in (anna, carl):
        expect(page.locator("#talk")).to_contain_text("<img src=x onerror=alert(1)>")
    anna.reload()
    expect(anna.locator(".player .tag")).to_have_text("you")
    anna.get_by_role("button", name="Menu").click()
    anna.get_by_role("button", name="Give up").click()
    anna.get_by_role("dialog").get_by_role("button", name="Give up").click()
    expect(bert.locator("#sentence")).to_contain_text("given up")


def test_a_seat_nobody_comes_for_is_given_to_an_agent(visitor: Any, server: Any) -> None:
    anna, bert = visitor(), visitor()
    seats = [{"kind": "person"}, {"kind": "open"}, {"kind": "open"}]
    table = sit(anna, server, seats=seats, you="Anna")
    bert.goto(f"{server.url}/table/{table}")
    expect(bert.get_by_role("button", name="Sit here")).to_have_count(2)
    expect(bert.locator(".room-seats select")).to_have_count(0)
    anna.get_by_label("An agent for seat 2").select_option("easy")
    expect(bert.locator(".room-seats li").nth(1)).to_contain_text("easy")
    expect(anna.locator(".room-seats select")).to_have_count(1)
    anna.get_by_label("An agent for seat 3").select_option("easy")
    assert turn(anna)
    expect(bert.locator(".thing").first).to_be_visible()


def test_people_at_one_screen_pass_it_on_behind_a_curtain(visitor: Any, server: Any) -> None:
    page = visitor()
    people = [{"kind": "person", "name": "Anna"}, {"kind": "person", "name": "Bert"}]
    browsing.sit(page, server, which="cardgame", seats=people)
    seen = set()
    for _ in range(3):
        page.wait_for_function(
            "() => !document.getElementById('curtain').hidden"
            " || document.getElementById('table').dataset.turn === 'yours'"
        )
        curtain = page.locator("#curtain")
        if curtain.is_visible():
            expect(page.locator("#panel")).not_to_be_visible()
            seen.add(curtain.get_by_role("button").inner_text())
            curtain.get_by_role("button").click()
            expect(curtain).to_be_hidden()
        assert turn(page)
        name = page.locator(".player.mover .name").inner_text()
        expect(page.locator("#sentence")).to_have_text(re.compile(f"^{name}: "))
        before = at(page)
        page.locator("#list [data-action]").first.evaluate("one => one.click()")
        went_on(page, before)
    assert seen


# --- coming back ---


def test_the_page_goes_on_after_the_server_was_killed(visitor: Any, process: Any) -> None:
    page = visitor()
    first = process()
    seats = [{"kind": "person"}, {"kind": "agent", "agent": "random"}]
    wish = {"game": "dicewars", "options": {"areas": 12}, "seats": seats}
    given = httpx.post(f"{first.url}/api/tables", json=wish, timeout=120).json()
    page.goto(f"{first.url}/table/{given['table']}#token={given['token']}")
    assert turn(page)
    move_by_mouse(page)
    assert turn(page)
    before, entries = at(page), page.locator("#log .entry").count()
    first.kill()
    expect(page.locator("#connection")).to_have_text("Reconnecting …")
    process(first.port)
    expect(page.locator("#connection")).to_have_text("", timeout=60_000)
    assert turn(page)
    assert (at(page), page.locator("#log .entry").count()) == (before, entries)
    move_by_mouse(page)


# --- looking back ---


def test_a_game_is_replayed_and_analysed(visitor: Any, server: Any, tmp_path: Path) -> None:
    agents = [{"kind": "agent", "agent": "mcts:iterations=50"}, {"kind": "agent", "agent": "stei"}]
    table = server.open(options={"areas": 8, "battles": 10}, seats=agents)["table"]
    page = visitor()
    page.goto(f"{server.url}/table/{table}")
    page.wait_for_selector("#table[data-status=over]", timeout=60_000)
    page.goto(f"{server.url}/replay/{table}?at=3")
    count = page.locator(".steps .count")
    expect(count).to_have_text(re.compile("^3 / "))
    last = int(count.inner_text().split("/")[1])
    expect(page.locator(".curve")).to_have_count(2, timeout=60_000)
    page.keyboard.press("End")
    expect(page.locator("#table")).to_have_attribute("data-at", str(last))
    page.keyboard.press("Home")
    expect(page.locator("#table")).to_have_attribute("data-at", "0")
    expect(page.locator(".thoughts")).to_contain_text("considered here")
    page.locator(".thoughts tbody tr", has_text="Attack").first.hover()
    expect(page.locator(".pointed")).not_to_have_count(0)
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => Number(document.getElementById('table').dataset.at) > 0")
    page.get_by_label("See as").select_option("1")
    expect(page).to_have_url(re.compile("as=1"))
    page.locator("input.scrub").fill(str(last // 2))
    expect(page.locator("#table")).to_have_attribute("data-at", str(last // 2))
    page.locator(".turning .entry").first.click()
    went_on(page, str(last // 2))

    def saved(item: str) -> Path:
        page.get_by_role("button", name="Menu").click()
        with page.expect_download() as download:
            page.get_by_role("button", name=item).click()
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        return path

    assert "<svg" in saved("Picture as SVG").read_text()
    assert saved("Picture as PNG").read_bytes()[1:4] == b"PNG"
    record = saved("Download the record")
    assert json.loads(record.read_text().splitlines()[0])["game"] == "dicewars"
    page.goto(server.url)
    page.locator("#record").set_input_files(record)
    page.wait_for_url("**/replay/*")
    expect(count).to_have_text(f"0 / {last}")
    page.goto(server.url)
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{}")
    page.locator("#record").set_input_files(broken)
    expect(page.locator("#notice")).to_contain_text("broken.jsonl could not be opened")


# --- the lab ---


def test_a_small_tournament_is_started_watched_and_reported(visitor: Any, server: Any) -> None:
    page = visitor()
    page.goto(f"{server.url}/lab")
    page.get_by_label("Game", exact=True).select_option("dicewars")
    page.get_by_role("button", name="Leave this agent out").last.click()
    for n, name in enumerate(("random", "sdc")):
        page.get_by_label("Agent", exact=True).nth(n).select_option(name)
    page.get_by_label("Games of each line-up").select_option("20")
    command = "kostka tournament dicewars random sdc --games 20 --players 2"
    expect(page.locator(".command")).to_have_text(command)
    page.get_by_role("button", name="Let them play").click()
    expect(page.locator("#run")).to_contain_text("All 20 games played.", timeout=60_000)
    expect(page.locator(".standings tbody tr")).to_have_count(2)
    page.get_by_role("link", name="Open the report").click()
    expect(page.locator("h1")).to_be_visible(timeout=60_000)


# --- small and large, light and dark ---


def test_a_phone_shows_the_whole_board_and_takes_taps(visitor: Any, server: Any) -> None:
    page = visitor(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.goto(server.url)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.goto(f"{server.url}/lab")
    expect(page.get_by_label("Game", exact=True)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    sit(page, server)
    assert turn(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for one in page.locator(".thing").all():
        box = one.bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 360
        assert min(box["width"], box["height"]) >= 36
    for one in page.locator("button:visible").all():
        box = one.bounding_box()
        assert box is not None and min(box["width"], box["height"]) >= 36
    before = at(page)
    for area in re.split(">", next(a for a, _ in legal(page) if ">" in a)):
        page.touchscreen.tap(*page.evaluate(SPOT, f"t{area}"))
    went_on(page, before)
    width = page.locator("#t0").bounding_box()
    page.get_by_role("button", name="Closer").tap()
    closer = page.locator("#t0").bounding_box()
    assert width is not None and closer is not None
    assert closer["width"] == pytest.approx(1.4 * width["width"], rel=0.01)


def test_the_theme_follows_the_system_until_it_is_chosen(visitor: Any, server: Any) -> None:
    def paper(page: Page) -> str:
        return page.evaluate("getComputedStyle(document.documentElement).backgroundColor")

    page = visitor(color_scheme="dark")
    page.goto(server.url)
    assert paper(page) == "rgb(29, 33, 38)"
    page.get_by_role("button", name="Light or dark").click()
    assert paper(page) == "rgb(246, 241, 231)"
    page.reload()
    assert paper(page) == "rgb(246, 241, 231)"


# --- the modules by themselves ---


def on(page: Page, server: Any, code: str, given: Any = None) -> Any:
    page.goto(f"{server.url}/static/die.svg")
    return page.evaluate(code, given)


def test_colours_and_shapes_are_those_of_the_drawings(visitor: Any, server: Any) -> None:
    found = on(visitor(), server, "() => import('/static/look.js').then(m => m.PLAYERS)")
    assert found == [[p.name.capitalize(), p.colour, OUTLINES[p.shape]] for p in PLAYERS]


def test_a_path_of_clicks_narrows_down_to_an_action(visitor: Any, server: Any) -> None:
    legal = [{"action": "a", "clicks": ["t1", "t2", {"amount": [1, 3, n]}]} for n in (3, 1, 2)] + [
        {"action": "b", "clicks": ["t1", "t3"]},
        {"action": "end", "clicks": ["!end"]},
    ]
    code = """legal => import('/static/clicks.js').then(({Clicks}) => {
      const c = new Clicks(legal), told = [];
      const tell = () => told.push([[...c.next().keys()], c.amounts()]);
      tell();
      told.push(c.click("t2"));
      c.click("t1"); tell();
      told.push(c.click("t9"));
      c.click("t2"); tell();
      c.click("t2"); tell();
      c.click("t2");
      told.push(c.click({amount: [1, 3, 2]}).action.clicks[2].amount[2]);
      c.click("t1");
      told.push(c.click("!end").action.action, c.path, c.back());
      return told;
    })"""
    assert on(visitor(), server, code, legal) == [
        [["t1", "!end"], None],
        {"refused": ["t2"]},
        [["t2", "t3"], None],
        {"refused": ["t1", "t9"]},
        [[], [1, 2, 3]],
        [["t2", "t3"], None],
        2,
        "end",
        [],
        False,
    ]


def lit(page: Page) -> Locator:
    return page.locator(".can")


def test_the_board_is_looked_at_closely_with_wheel_drag_and_keys(visitor: Any, server: Any) -> None:
    page = visitor()
    sit(page, server)
    assert turn(page)
    svg = page.locator("#drawing > svg")
    whole = svg.get_attribute("viewBox")
    box = svg.bounding_box()
    assert box is not None
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*middle)
    page.mouse.wheel(0, -400)
    page.wait_for_function("() => document.querySelector('#drawing.close')")
    closer = svg.get_attribute("viewBox")
    page.mouse.down()
    page.mouse.move(middle[0] - 80, middle[1] - 40, steps=4)
    page.mouse.up()
    moved = svg.get_attribute("viewBox")
    assert len({whole, closer, moved}) == 3
    expect(page.locator(".picked")).to_have_count(0)
    page.keyboard.press("0")
    assert svg.get_attribute("viewBox") == whole
    assert lit(page).count() > 0
