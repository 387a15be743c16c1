"""A real browser, people who come with one, and what they do on a table's page."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

CHROMIUM = Path("/usr/bin/chromium")

needs_chromium = pytest.mark.skipif(not CHROMIUM.exists(), reason="there is no Chromium here")

#: A pixel of a thing on the board at which a click meets it.
SPOT = """id => {
  const {x, y, width, height} = document.getElementById(id).getBoundingClientRect();
  for (let n = 0; n < 400; n += 1) {
    const [u, v] = [(n * 0.618034) % 1, (n * 0.754878) % 1];
    const found = document.elementFromPoint(x + u * width, y + v * height);
    if (found?.closest(".thing")?.id === id) return [x + u * width, y + v * height];
  }
}"""

LEGAL = """() => [...document.querySelectorAll("#list [data-action]")].map(
  one => [one.dataset.action, one.firstChild.textContent])"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@pytest.fixture
def visitor(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Somebody with a browser of his own; no page may complain in the console."""
    opened: list[BrowserContext] = []
    complaints: list[str] = []

    def come(**given: Any) -> Page:
        given.setdefault("reduced_motion", "reduce")
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 800}, **given})
        context.set_default_timeout(15_000)
        opened.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.extend([said.text] * (said.type == "error")))
        return page

    yield come
    for context in opened:
        context.close()
    network = re.compile("Failed to load resource|WebSocket connection")
    assert not [one for one in complaints if not network.search(one)]


def sit(page: Page, server: Any, **wish: Any) -> str:
    """Open a table over HTTP and come to it by the links to its seats."""
    given = server.open(**wish)
    if len(given["seats"]) > 1:
        page.goto(server.url)
        page.evaluate(
            "([table, seats]) => import('/static/memory.js').then(m => m.keepSeats(table, seats))",
            [given["table"], given["seats"]],
        )
    page.goto(f"{server.url}/table/{given['table']}#token={given['token']}")
    return given["table"]


def turn(page: Page) -> bool:
    """Wait until something is expected of us; False when the game is over."""
    page.wait_for_function(
        "() => { const {turn, status} = document.getElementById('table')?.dataset ?? {};"
        " return turn === 'yours' || status === 'over' }"
    )
    return page.locator("#table").get_attribute("data-turn") == "yours"


def at(page: Page) -> str | None:
    return page.locator("#table").get_attribute("data-at")


def went_on(page: Page, at: str | None) -> None:
    page.wait_for_function("at => document.getElementById('table').dataset.at !== at", arg=at)


def legal(page: Page) -> list[tuple[str, str]]:
    """The legal actions in notation and in words."""
    return [(action, words) for action, words in page.evaluate(LEGAL)]


def click(page: Page, thing: str) -> None:
    x, y = page.evaluate(SPOT, thing)
    page.mouse.click(x, y)


#: Keeps what moves on the page without anybody having touched it.
SHIFTS = """() => {
  window.shifts = [];
  const told = ({node}) => node?.id || node?.className || node?.nodeName;
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) {
      if (!one.hadRecentInput) shifts.push([one.value, one.sources.map(told)]);
    }
  }).observe({type: "layout-shift", buffered: false});
}"""


def watch_shifts(page: Page) -> Callable[[], list[Any]]:
    """From now on the page is watched; what is given tells what has moved by itself since."""
    page.evaluate(SHIFTS)

    def moved() -> list[Any]:
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        return page.evaluate("() => window.shifts")

    return moved


def check_accessible(page: Page) -> None:
    """Fail with everything that axe-core finds wrong with a page."""
    found = Axe().run(page).response["violations"]
    told = [
        f"{one['id']}: {one['help']}\n    {node['html'][:200]}\n    {node['failureSummary']}"
        for one in found
        for node in one["nodes"]
    ]
    assert not told, "\n".join(told)
