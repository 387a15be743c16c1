"""The ladder: people with a name are rated game by game."""

import sqlalchemy as sa

from kostka.arena.store import Store, tables
from kostka.table.ladder import ladder


def seat(kind: str, name: str = "", label: str | None = None) -> dict:
    return {"kind": kind, "name": name, "label": label}


def put(store: Store, *played: tuple[list[dict], list[float], bool]) -> None:
    rows = [
        {
            "id": f"t{i}", "game": "dicewars", "name": "", "seats": seats, "result": result,
            "public": public, "status": "over", "finished": f"2026-01-01T00:00:{i:02d}",
            **{c.name: filler(c) for c in tables.c if not c.nullable and c.name not in KNOWN},
        }
        for i, (seats, result, public) in enumerate(played)
    ]  # fmt: skip
    with store.write() as connection:
        connection.execute(sa.insert(tables), rows)


KNOWN = {"id", "game", "name", "seats", "result", "public", "status", "finished"}


def filler(column: sa.Column) -> object:
    """Something that fits a column which does not matter here."""
    kind = column.type
    if isinstance(kind, sa.Boolean):
        return False
    if isinstance(kind, sa.JSON):
        return {}
    return 1 if isinstance(kind, sa.Integer | sa.BigInteger | sa.Float) else "x"


def test_who_wins_climbs_and_who_loses_falls(tmp_path):
    store = Store(tmp_path / "k.db")
    anna, easy, hard = seat("person", "Anna"), seat("agent", "", "easy"), seat("agent", "", "hard")
    put(store, *[([anna, easy], [1.0, 0.0], False)] * 6, *[([hard, anna], [1.0, 0.0], False)] * 6)
    found = ladder(store)
    assert [(row["name"], row["games"]) for row in found] == [
        ("hard", 6),
        ("Anna", 12),
        ("easy", 6),
    ]
    assert found[0]["rating"] > found[1]["rating"] > found[2]["rating"]
    assert found[1]["error"] < found[0]["error"] < 334


def test_friends_among_themselves_and_people_without_a_name_are_not_counted(tmp_path):
    store = Store(tmp_path / "k.db")
    anna, petr, nobody = seat("person", "Anna"), seat("person", "Petr"), seat("person")
    put(
        store,
        ([anna, petr], [1.0, 0.0], False),
        ([nobody, seat("agent", "", "easy")], [1, 0], True),
    )
    assert ladder(store) == []
    put(Store(tmp_path / "l.db"), ([anna, petr], [1.0, 0.0], True))
    assert [row["name"] for row in ladder(Store(tmp_path / "l.db"))] == ["Anna", "Petr"]


def test_an_agent_at_several_seats_has_one_rating(tmp_path):
    store = Store(tmp_path / "k.db")
    easy = seat("agent", "", "easy")
    put(store, ([seat("person", "Anna"), easy, easy], [0.0, 1.0, 0.0], True))
    assert [row["name"] for row in ladder(store)] == ["easy", "Anna"]
