"""Scotland Yard in a real browser: either side by mouse, together with agents and other people."""

import contextlib
import json
import random
import re
import time
from collections.abc import Callable
from typing import Any

import httpx
import numpy as np
import pytest
from browsing import SPOT, at, click, legal, needs_chromium, sit, turn, went_on
from playwright.sync_api import Page, TimeoutError, expect

from kostka.core.log import GameLog
from kostka.games.scotlandyard.scenery import station_places
from kostka.games.scotlandyard.setup import LONDON
from kostka.table import room as rooms
from kostka.table import shown

pytestmark = needs_chromium

PERSON, OPEN = {"kind": "person"}, {"kind": "open"}
RANDOM = {"kind": "agent", "agent": "random"}
POLICE = {"kind": "agent", "agent": "alphabeta:depth=1"}

BUTTONS = ("double", "pass")

#: What people are told of a position.
TOLD = ("at", "mover", "phase", "scores", "legal", "words", "players", "layer", "box")

#: The newest entry of the log can be seen.
NEWEST = "() => log.scrollHeight - log.scrollTop - log.clientHeight < 40"

#: How a game of Mr X ends, in words.
END = re.compile(r"Mr X (has escaped|is caught on|is surrounded)")


@pytest.fixture(scope="module", autouse=True)
def compiled(server: Any) -> None:
    """The first time on a machine the games are compiled; no browser waits for that here."""
    for name in ("scotland-yard", "scotland-yard-grid"):
        httpx.get(f"{server.url}/api/games/{name}/picture.svg", timeout=600).raise_for_status()
    table = server.open("scotland-yard", seats=[RANDOM, POLICE])["table"]
    until = time.monotonic() + 300
    while server.get(f"/api/tables/{table}").json()["at"] < 4:
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.fixture
def dealt(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Tables that are opened from now on have this seed."""

    def deal(seed: int) -> None:
        monkeypatch.setattr(rooms.secrets, "randbits", lambda bits: seed)

    return deal


# --- how to move, and where to ---


def go(page: Page, action: str) -> None:
    """Click what makes an action: a station or cell, and the ticket where there is a choice."""
    how, _, name = action.rpartition(" ")
    if action in BUTTONS:
        page.locator(f'#buttons [data-click="!{action}"]').click()
        return
    choices = [other for other, _ in legal(page) if other.split()[-1] == name]
    click(page, thing(name))
    if len(choices) > 1:
        page.locator(f'#buttons [data-click="!{how}"]').click()


def thing(name: str) -> str:
    """The id of a station, or of a cell of a board of five by five."""
    return f"s{name}" if name.isdigit() else f"g{ord(name[0]) - ord('a') + 5 * (int(name[1]) - 1)}"


def move(page: Page, action: str) -> None:
    before = at(page)
    go(page, action)
    went_on(page, before)


def actions(page: Page) -> list[str]:
    return [action for action, _ in legal(page)]


def distances(goals: set[int]) -> dict[int, int]:
    """How many lines there are between each station and the nearest of these."""
    near: dict[int, set[int]] = {}
    for kind in ("taxi", "bus", "underground"):
        for a, b in LONDON["lines"][kind]:
            near.setdefault(a, set()).add(b)
            near.setdefault(b, set()).add(a)
    far, edge = dict.fromkeys(goals, 0), list(goals)
    for here in edge:
        for there in near[here] - set(far):
            far[there] = far[here] + 1
            edge.append(there)
    return far


def nearest(choices: list[str], goals: set[int]) -> str:
    """The move that ends nearest to some stations; black tickets are kept."""
    far = distances(goals)
    ordinary = [a for a in choices if not a.startswith(("black", *BUTTONS))] or choices
    return min(ordinary, key=lambda a: far.get(int(a.split()[-1]), 99) if " " in a else 99)


def standing(page: Page) -> dict[str, str]:
    """The pieces on the board, and where they are."""
    titles = page.locator(".pieces title").all_text_contents()
    return dict(title.split(" on ") for title in titles)


def halos(page: Page) -> set[int]:
    """The stations that are marked as possible ones of Mr X."""
    path = page.locator(".heat path").get_attribute("d") if page.locator(".heat").count() else ""
    place = {at: n for n, at in enumerate(station_places()) if n}
    return {place[int(x), int(y)] for x, y in re.findall(r"M(\d+) (\d+)h0", path or "")}


# --- one person against agents ---


TWINS = {tuple(e) for e in LONDON["lines"]["taxi"]} & {tuple(e) for e in LONDON["lines"]["bus"]}


def test_a_person_is_mr_x_in_london(visitor: Any, server: Any, dealt: Any) -> None:
    """With a black ticket, a double move, and the bus where a taxi goes too."""
    dealt(5)
    page = visitor()
    seats = [PERSON, POLICE, RANDOM]
    table = sit(page, server, which="scotland-yard", seats=seats, you="Anna")
    assert turn(page)
    expect(page.locator("#sentence")).to_contain_text("or make a double move")
    assert "Mr X" in standing(page)
    first = next(a for a in actions(page) if a.startswith("black"))
    move(page, first)
    assert turn(page)
    assert standing(page)["Mr X"] == first.split()[1]
    double_by_mouse(page)
    chosen = ""
    while turn(page):
        choices = actions(page)
        both = [a for a in choices if a.startswith("bus") and a.replace("bus", "taxi") in choices]
        if both and not chosen:
            chosen = both[0]
            choose_the_bus(page, chosen)
        else:  # first to a station with twin lines, then into the arms of the police
            police = {int(n) for who, n in standing(page).items() if who != "Mr X"}
            move(page, nearest(choices, police if chosen else {n for pair in TWINS for n in pair}))
    assert chosen
    expect(page.locator("#sentence")).to_contain_text(END)
    expect(page.locator(".story .way")).to_have_count(1)
    record = GameLog.loads(server.get(f"/api/tables/{table}/record").text)
    texts = [event.text for event in record.events]
    assert first in texts and chosen in texts and "double" in texts


def double_by_mouse(page: Page) -> None:
    """A double move is drafted, taken back, drafted again, and then carried out as a whole."""
    before = at(page)
    tickets = page.locator(".hand").first.locator(".stock").all_text_contents()
    go(page, "double")
    expect(page.locator("#sentence")).to_contain_text("for the first of two moves")
    page.keyboard.press("Escape")
    expect(page.locator("#sentence")).to_contain_text("or make a double move")
    go(page, "double")
    for half in ("first of two moves", "second move"):
        expect(page.locator("#sentence")).to_contain_text(half)
        assert "double" not in actions(page)
        assert at(page) == before
        go(page, next(a for a in actions(page) if a.startswith("taxi")))
    went_on(page, before)
    assert turn(page)
    used = page.locator(".journey title").all_text_contents()
    assert used[0] == "move 1: a black ticket"
    assert [words.split(",")[0] for words in used[1:]] == ["move 2: taxi", "move 3: taxi"]
    assert "seen on" in used[2]
    left = page.locator(".hand").first.locator(".stock").all_text_contents()
    assert int(left[-1]) == int(tickets[-1]) - 1


def choose_the_bus(page: Page, action: str) -> None:
    """A station to which two lines lead asks for the ticket, and tells them apart."""
    before, name = at(page), action.split()[1]
    click(page, f"s{name}")
    expect(page.locator(f"#s{name}")).to_have_class(re.compile("picked"))
    buttons = page.locator("#buttons [data-click]")
    offered = {one for one in buttons.evaluate_all("all => all.map(one => one.dataset.click)")}
    assert {"!taxi", "!bus"} <= offered
    page.get_by_role("button", name=f"Go to {name} by bus").click()
    went_on(page, before)
    expect(page.locator(".journey title").last).to_contain_text("bus")


def test_a_person_is_all_detectives_in_london(visitor: Any, server: Any, dealt: Any) -> None:
    dealt(17)
    page = visitor()
    page.goto(server.url)
    card = page.locator("[data-game=scotland-yard]")
    card.get_by_label("Whom you play").select_option("detective")
    card.get_by_label("How many seats").select_option(label="three")
    card.get_by_label("Level of the opponents").select_option("easy")
    card.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/table/*")
    movers = []
    while turn(page):
        expect(page.locator("#curtain")).to_be_hidden()
        mover = page.locator(".player.mover .name").inner_text().split("\n")[0]
        movers.append(mover)
        expect(page.locator("#sentence")).to_have_text(re.compile(f"^{mover}: your turn"))
        assert "Mr X" not in standing(page) or page.locator(".last").count()
        page.wait_for_function(NEWEST)
        move(page, nearest(actions(page), halos(page)))
    assert len(movers) >= 8 and movers[:4] == ["Orange", "Green"] * 2
    expect(page.locator("#sentence")).to_contain_text(END)
    expect(page.locator("#sentence")).to_contain_text("You have")
    assert "Mr X" in standing(page)
    way = page.locator("#log .entry", has_text="go to").count()
    expect(page.locator("#log .entry", has_text="Mr X moves")).to_have_count(0)
    assert way > len(movers)


# --- people and agents together ---


@pytest.fixture
def heard(server: Any) -> Callable[[Page], list[str]]:
    """Everything that a page is told from now on."""

    def listen(page: Page) -> list[str]:
        frames: list[str] = []

        def socket(one: Any) -> None:
            one.on("framereceived", lambda frame: frames.append(str(frame)))

        page.on("websocket", socket)
        return frames

    return listen


def test_people_on_both_sides_and_an_agent(
    visitor: Any, server: Any, dealt: Any, heard: Any
) -> None:
    """Anna is Mr X, Bert has two detectives, an agent the third; Bert is never told too much."""
    dealt(11)
    anna, bert = visitor(), visitor()
    table = sit(anna, server, which="scotland-yard", seats=[PERSON, OPEN, OPEN, RANDOM], you="Anna")
    frames = heard(bert)
    bert.goto(f"{server.url}/table/{table}")
    bert.get_by_role("button", name="Sit here").first.click()
    bert.get_by_role("dialog").get_by_role("textbox").fill("Bert")
    bert.get_by_role("dialog").get_by_role("textbox").press("Enter")
    bert.get_by_role("button", name="Also at this screen").click()
    bert.get_by_role("dialog").get_by_role("textbox").fill("Cleo")
    bert.get_by_role("dialog").get_by_role("textbox").press("Enter")
    bert.get_by_role("button", name="I am ready").click()
    truth: list[str] = []
    choose = random.Random(1)
    for n in range(1, 5):
        assert turn(anna)
        expect(bert.locator("#sentence")).to_contain_text("Mr X (Anna) moves")
        action = choose.choice([a for a in actions(anna) if a not in BUTTONS])
        move(anna, action)
        truth.append(action.split()[1])
        for who in ("Bert", "Cleo"):
            assert turn(bert)
            expect(bert.locator(".player.mover .name")).to_contain_text(who)
            seen = standing(bert)
            assert (seen.get("Mr X") == truth[-1]) if n == 3 else "Mr X" not in seen
            told = bert.locator("#log .entry", has_text="Mr X").all_inner_texts()
            assert not [words for words in told if re.search(r"\d", words.replace("Mr X", ""))]
            move(bert, choose.choice(actions(bert)))
    assert turn(anna)
    live = [json.loads(frame) for frame in frames]
    anna.get_by_role("button", name="Menu").click()
    anna.get_by_role("button", name="Give up").click()
    anna.get_by_role("dialog").get_by_role("button", name="Give up").click()
    expect(bert.locator("#sentence")).to_contain_text("given up")
    expect(bert.locator("#log .entry", has_text=f"go to {truth[0]} ")).not_to_have_count(0)
    expect(bert.locator(".story .way")).to_have_count(1)
    check_told_nothing(server, table, live, truth)


def check_told_nothing(server: Any, table: str, told: list[Any], truth: list[str]) -> None:
    """What detectives were told would be the same, letter by letter, if Mr X were elsewhere."""
    room = server.app.state.lobby.rooms[table].room
    compared = set()
    for message in told:
        text = json.dumps(message)
        assert "seed" not in message and "view" not in message
        for found in re.findall(r"Mr X on (\d+)", text):
            assert found == truth[2]
        if message["type"] == "events":
            for event in message["events"]:
                if event["by"] == 0 and " " in event["text"]:
                    assert event["text"].split()[1] == truth[2]
        if message["type"] == "position" and message["at"] < room.at:
            others = [elsewhere(room, message["at"], seat) for seat in (1, 2)]
            if None not in others:
                assert {name: message[name] for name in TOLD} in others
                compared.add(message["at"])
    assert len(compared) >= 12


def elsewhere(room: Any, at: int, seat: int) -> Any:
    """The position as a seat would see it if Mr X were somewhere else; None if he cannot be."""
    state = room.state_at(at).copy()
    s = state.record
    if s.seen[s.moves - 1] != -1:
        return None
    others = [n for n in np.flatnonzero(s.possible).tolist() if n != s.station[0]]
    if not others:
        return None
    s.station[0] = others[0]
    told = shown.position(room, state.view(seat), at, drawn=True, backdrop=False)
    return json.loads(json.dumps({name: told[name] for name in TOLD}))


# --- the grid ---


@pytest.mark.parametrize("seats", [[PERSON, RANDOM, RANDOM], [RANDOM, PERSON, PERSON]])
def test_either_side_is_played_on_the_grid(
    visitor: Any, server: Any, dealt: Any, seats: list[dict[str, str]]
) -> None:
    dealt(2)
    page = visitor()
    table = sit(
        page, server, which="scotland-yard-grid", seats=seats, options={"rounds": 4, "reveal": 2}
    )
    choose = random.Random(2)
    made = 0
    while turn(page):
        hidden = int(page.locator("#table").get_attribute("data-at") or 0) < 5
        assert ("Mr X" in standing(page)) == (seats[0] is PERSON) or not hidden
        move(page, choose.choice(actions(page)))
        made += 1
    assert made >= 2
    expect(page.locator("#sentence")).to_contain_text(END)
    assert server.get(f"/api/tables/{table}").json()["status"] == "over"


def test_both_sides_at_one_screen_are_kept_apart_by_a_curtain(
    visitor: Any, server: Any, dealt: Any
) -> None:
    """It falls between Mr X and the detectives, not from one detective to the next."""
    dealt(4)
    page = visitor()
    people = [{**PERSON, "name": name} for name in ("Anna", "Bert", "Cleo")]
    sit(page, server, which="scotland-yard-grid", seats=people)
    choose = random.Random(3)
    passed = []
    for _ in range(2):
        for name in ("Anna", "Bert", "Cleo"):
            page.wait_for_function(
                "() => !curtain.hidden || document.getElementById('table').dataset.turn === 'yours'"
            )
            if page.locator("#curtain").is_visible():
                assert page.locator("#drawing").is_hidden()
                passed.append(name)
                page.get_by_role("button", name=f"I am {name}").click()
            assert turn(page)
            expect(page.locator(".player.mover .name")).to_contain_text(name)
            assert ("Mr X" in standing(page)) == (name == "Anna")
            before = at(page)
            go(page, choose.choice(actions(page)))
            page.wait_for_function(
                "at => !curtain.hidden || document.getElementById('table').dataset.at !== at",
                arg=before,
            )
    assert [n for n in passed if n != "Anna"] == ["Bert", "Bert"]


# --- on a phone ---


def test_a_phone_is_enough_for_london(visitor: Any, server: Any, dealt: Any) -> None:
    dealt(6)
    page = visitor(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    sit(page, server, which="scotland-yard", seats=[PERSON, *[RANDOM] * 5], you="Anna")
    assert turn(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for one in page.locator(".player").all():
        name, score = one.locator(".name").bounding_box(), one.locator(".score").bounding_box()
        box = one.bounding_box()
        assert name and score and box and name["width"] >= 24
        assert score["x"] + score["width"] <= box["x"] + box["width"]
    closer = page.get_by_role("button", name="Closer")
    for _ in range(4):
        closer.tap()
    name = next(a for a in actions(page) if a.startswith("taxi")).split()[1]
    box = page.locator(f"#s{name}").bounding_box()
    frame = page.locator("#drawing").bounding_box()
    assert box and frame and box["width"] >= 36
    assert lies_in(box, frame)
    drag_by_finger(page, frame["x"] + 180, frame["y"] + 120, 60, 40)
    moved = page.locator(f"#s{name}").bounding_box()
    assert moved and moved["x"] - box["x"] == pytest.approx(60, abs=8)
    before = at(page)
    pick(page, f"s{name}", *page.evaluate(SPOT, f"s{name}"))
    page.locator('#buttons [data-click="!taxi"]').tap()
    went_on(page, before)
    page.get_by_role("button", name="The whole board").tap()
    assert turn(page)
    tap_beside(page)


def lies_in(box: Any, frame: Any) -> bool:
    return all(
        frame[at] <= box[at] and box[at] + box[size] <= frame[at] + frame[size]
        for at, size in (("x", "width"), ("y", "height"))
    )


def drag_by_finger(page: Page, x: float, y: float, dx: float, dy: float) -> None:
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: dict[str, float]) -> None:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    touch("touchStart", {"x": x, "y": y})
    for n in range(1, 7):
        touch("touchMove", {"x": x + n * dx / 6, "y": y + n * dy / 6})
    touch("touchEnd")
    page.wait_for_timeout(400)  # a tap right after it would be taken for a part of it


def pick(page: Page, meant: str, x: float, y: float) -> None:
    """Tap until a thing is picked: where a machine is busy, a tap may become a long press."""
    for patience in (3000, 3000, 15_000):
        page.touchscreen.tap(x, y)
        with contextlib.suppress(TimeoutError):
            page.wait_for_selector(f"#{meant}.picked", timeout=patience)
            return
    raise AssertionError(f"{meant} was not picked")


def tap_beside(page: Page) -> None:
    """A finger that meets a tiny neighbour of a legal station means the station."""
    tapped = page.evaluate("""() => {
      const middle = (one) => {
        const {x, y, width, height} = one.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
      };
      const can = [...document.querySelectorAll(".can")].map((one) => [one.id, middle(one)]);
      for (const one of document.querySelectorAll(".thing:not(.can)")) {
        const [x, y] = middle(one);
        const far = can.map(([id, [u, v]]) => [Math.hypot(u - x, v - y), id]);
        far.sort((a, b) => a[0] - b[0]);
        if (far[0][0] < 20 && far[1][0] > far[0][0] + 8) return [x, y, far[0][1]];
      }
    }""")
    assert tapped
    x, y, meant = tapped
    pick(page, meant, x, y)
