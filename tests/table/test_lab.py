"""The lab: a small tournament from the page, its live table and its report."""

import asyncio

import httpx
import pytest

from kostka.table.server import create_app
from kostka.table.store import TableStore


@pytest.fixture
def client(tmp_path):
    app = create_app(TableStore(tmp_path))
    return app, httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8000"
    )


def test_a_tournament_is_played_and_reported(client, tmp_path):
    app, http = client

    async def visit() -> None:
        async with app.router.lifespan_context(app), http:
            wish = {"game": "dicewars", "agents": ["sdc", "medium"], "games": 40}
            begun = await http.post("/api/lab", json=wish)
            assert begun.status_code == 201, begun.text
            run = begun.json()["run"]
            again = await http.post("/api/lab", json=wish)
            assert again.status_code == 429
            for _ in range(600):
                found = (await http.get(f"/api/lab/{run}")).json()
                if found["status"] != "playing":
                    break
                early = await http.get(f"/api/lab/{run}/report")
                assert early.status_code in (200, 400)
                await asyncio.sleep(0.1)
            assert found["status"] == "done"
            assert found["agents"] == ["sdc", "stei"]
            assert [row["games"] for row in found["rows"]] == [40, 40]
            listed = (await http.get("/api/lab")).json()
            assert [one["run"] for one in listed] == [run]
            made = await http.get(found["report"])
            assert made.status_code == 200
            assert "Plackett" in made.text
            assert "kostka.db" not in made.text
            assert str(tmp_path) not in made.text

    asyncio.run(visit())


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"game": "chess", "agents": ["a", "b"]}, "unknown game"),
        ({"game": "dicewars", "agents": ["sdc", "os:system"]}, "unknown agent"),
        ({"game": "dicewars", "agents": ["sdc", "mcts:iterations=100000000"]}, "at most"),
        ({"game": "dicewars", "agents": ["sdc"]}, "at least 2"),
        ({"game": "dicewars", "agents": ["sdc", "sdc"]}, "fill no table"),
        ({"game": "dicewars", "agents": ["sdc", "ste"], "games": 10**6}, "less than or equal"),
        ({"game": "dicewars", "agents": ["sdc", "ste"], "options": {"no": 1}}, "unknown option"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(client, wish, words):
    app, http = client

    async def visit() -> None:
        async with app.router.lifespan_context(app), http:
            refused = await http.post("/api/lab", json=wish)
            assert refused.status_code in (400, 422)
            assert words in refused.json()["error"]
            assert (await http.get("/api/lab")).json() == []
            assert (await http.get("/api/lab/1")).status_code in (400, 404)

    asyncio.run(visit())
