from typing import Any
import browsing, httpx, pytest
from browsing import at, click, legal, needs_chromium, turn, went_on
pytestmark = needs_chromium

@pytest.fixture(scope="module", autouse=True)
def compiled(server: Any) -> None:
    httpx.get(f"{server.url}/api/games/patches/picture.svg", timeout=600).raise_for_status()

def sit(page, server, **wish):
    return browsing.sit(page, server, which="patches", seats=[{"kind": "person"}, {"kind": "agent", "agent": "random"}], **wish)

@pytest.mark.parametrize("width", [1280, 360])
def test_look(visitor, server, width):
    page = visitor(viewport={"width": width, "height": 760}, has_touch=width == 360)
    page.on("console", lambda m: print(m.type, m.text)); page.on("pageerror", lambda m: print(m.stack))
    sit(page, server, options={"patches": 8})
    page.wait_for_timeout(3000); page.screenshot(path="/tmp/shots/first.png"); print(page.locator("body").inner_text())
    for k in range(5):
        if not turn(page): break
        page.screenshot(path=f"/tmp/shots/{width}-{k}a.png")
        now = at(page)
        acts = legal(page)
        cell = acts[-1][0].split("/")[0]
        click(page, f"c{cell}")
        page.screenshot(path=f"/tmp/shots/{width}-{k}b.png")
        print(page.locator("#sentence").inner_text())
        if page.locator("#choose").count() and page.locator("#choose").is_visible():
            page.keyboard.press("r")
            page.keyboard.press("Enter")
        page.wait_for_selector("#spot")
        page.screenshot(path=f"/tmp/shots/{width}-{k}c.png")
        click(page, "spot")
        went_on(page, now)
