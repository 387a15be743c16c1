"""Maps of the format ``risk-map/1``: the classic one, and what a map of one's own must be like.

``docs/games/risk.md`` describes the format. What is refused is named by its line or its id.
"""

import functools
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kostka.core.errors import KostkaError, brief
from kostka.games.risk.state import (
    ID,
    LEAST_LAND,
    MAX_CONTINENTS,
    MAX_MISSIONS,
    MAX_PLAYERS,
    MOST_ARMIES,
    MOST_LAND,
    NAME,
    SYMBOLS,
)

FORMAT = "risk-map/1"
#: The names of the option that are not the content of a file.
CLASSIC, RANDOM = "classic", "random"
WIDTH, HEIGHT = 1000, 600
MOST_BONUS = 50

MAP_ID = re.compile(rf"[A-Za-z0-9_-]{{1,{ID}}}")
#: What cards that show no territory are called, and no territory may be.
RESERVED = ("wild-1", "wild-2", "end")


@dataclass(frozen=True)
class Continent:
    id: str
    name: str
    bonus: int


@dataclass(frozen=True)
class Land:
    """A territory; ``card`` is the symbol on its card."""

    id: str
    name: str
    continent: str
    x: int
    y: int
    card: str


@dataclass(frozen=True)
class Edge:
    """Two territories that are neighbours, perhaps across the sea or beyond the map's edge."""

    a: str
    b: str
    sea: bool = False
    wrap: bool = False


@dataclass(frozen=True)
class Goal:
    """A mission: continents and further ones of choice, territories, or a player to destroy."""

    kind: str
    continents: tuple[str, ...] = ()
    choice: int = 0
    land: int = 0
    armies: int = 1
    target: int = 0


@dataclass(frozen=True)
class Map:
    """A checked map; ``goals`` are missions of its own, if it has any."""

    name: str
    continents: tuple[Continent, ...]
    land: tuple[Land, ...]
    edges: tuple[Edge, ...]
    goals: tuple[Goal, ...] = ()

    def text(self) -> str:
        """The map as the shortest text, the same for equal maps."""
        made: dict[str, Any] = {
            "format": FORMAT,
            "name": self.name,
            "continents": [vars(one) for one in self.continents],
            "territories": [vars(one) for one in self.land],
            "edges": [{k: v for k, v in vars(one).items() if v} for one in self.edges],
        }
        if self.goals:
            made["missions"] = [_written(one) for one in self.goals]
        return json.dumps(made, separators=(",", ":"), ensure_ascii=False)


def _written(goal: Goal) -> dict[str, Any]:
    if goal.kind == "eliminate":
        return {"type": goal.kind, "colour_slot": goal.target}
    if goal.kind == "territories":
        return {"type": goal.kind, "count": goal.land, "min_armies": goal.armies}
    return {"type": goal.kind, "continents": list(goal.continents), "any_extra": goal.choice}


# --- from text ---


@functools.lru_cache(maxsize=32)
def the_map(value: str) -> Map:
    """The map of an option's value, if it is not a random one."""
    if value == CLASSIC:
        return _read((Path(__file__).parent / "maps" / "classic.json").read_text(encoding="utf-8"))
    return read(value)


def canonical(text: str) -> str:
    """What stands for a map in options and records: its name if it is ours, or else its text."""
    found = read(text)
    return CLASSIC if found.name == CLASSIC else found.text()


def read(text: str) -> Map:
    """The map in a text; an error says where it is wrong, and why."""
    found = _read(text)
    if found.name == RANDOM or (found.name == CLASSIC and found != the_map(CLASSIC)):
        raise KostkaError(f"the name {found.name!r} is taken; give your map another name")
    return found


def _read(text: str) -> Map:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise KostkaError(
            f"the map is not JSON: line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except (ValueError, RecursionError) as error:
        raise KostkaError(f"the map is not JSON: {error}") from None
    if not isinstance(data, dict):
        raise KostkaError("a map must be a JSON object")
    if data.get("format") != FORMAT:
        raise KostkaError(f"the format must be {FORMAT!r}, not {brief(data.get('format'))}")
    known = (
        "format", "name", "about", "canvas", "continents", "territories", "edges", "missions",
        "wild_cards",
    )  # fmt: skip
    _known(data, known, "the map")
    if data.get("canvas", [WIDTH, HEIGHT]) != [WIDTH, HEIGHT]:
        raise KostkaError(f"the canvas must be [{WIDTH}, {HEIGHT}], not {brief(data['canvas'])}")
    if data.get("wild_cards", 2) != 2:
        raise KostkaError(f"there must be 2 wild cards, not {brief(data['wild_cards'])}")
    name = _name(data.get("name"), "the map")
    continents = tuple(_continent(one, n) for n, one in enumerate(_list(data, "continents"), 1))
    _distinct((one.id for one in continents), "continent")
    if not 1 <= len(continents) <= MAX_CONTINENTS:
        raise KostkaError(f"a map has 1 to {MAX_CONTINENTS} continents, not {len(continents)}")
    places = {one.id for one in continents}
    listed = _list(data, "territories")
    if not LEAST_LAND <= len(listed) <= MOST_LAND:
        raise KostkaError(f"a map has {LEAST_LAND} to {MOST_LAND} territories, not {len(listed)}")
    land = tuple(_land(one, n, places) for n, one in enumerate(listed))
    _distinct((one.id for one in land), "territory")
    _distinct((one.name for one in land), "territory name")
    for one in continents:
        if not any(t.continent == one.id for t in land):
            raise KostkaError(f"continent {one.id}: no territory belongs to it")
    _members_agree(_list(data, "continents"), land)
    edges = _edges(data, listed, [one.id for one in land])
    _connected(land, edges)
    goals = tuple(_goal(one, n, places, len(land)) for n, one in enumerate(_goals(data), 1))
    return Map(name, continents, land, edges, goals)


# --- parts of a map ---


def _continent(data: Any, number: int) -> Continent:
    id = _id(data, f"continent {number}")
    _known(data, ("id", "name", "bonus", "territories"), f"continent {id}")
    bonus = _whole(data.get("bonus"), 0, MOST_BONUS, f"continent {id}: the bonus")
    return Continent(id, _name(data.get("name"), f"continent {id}"), bonus)


def _land(data: Any, number: int, continents: set[str]) -> Land:
    id = _id(data, f"territory {number + 1}")
    what = f"territory {id}"
    _known(data, ("id", "index", "name", "continent", "x", "y", "card", "neighbours"), what)
    if id in RESERVED:
        raise KostkaError(f"{what}: this id means something else; choose another")
    if data.get("index", number) != number:
        raise KostkaError(f"{what}: the index must be {number}, its place in the list")
    continent = data.get("continent")
    if not isinstance(continent, str) or continent not in continents:
        known = ", ".join(sorted(continents))
        raise KostkaError(f"{what}: unknown continent {brief(continent)}; known: {known}")
    x = _whole(data.get("x"), 0, WIDTH, f"{what}: x")
    y = _whole(data.get("y"), 0, HEIGHT, f"{what}: y")
    card = data.get("card", SYMBOLS[number % 3])
    if card not in SYMBOLS[:3]:
        raise KostkaError(f"{what}: the card must be {', '.join(SYMBOLS[:3])}, not {brief(card)}")
    return Land(id, _name(data.get("name"), what), continent, x, y, card)


def _members_agree(continents: list[Any], land: tuple[Land, ...]) -> None:
    """Where a continent lists its territories, these are those that say they belong to it."""
    for one in continents:
        own = [t.id for t in land if t.continent == one["id"]]
        listed = one.get("territories", own)
        if not isinstance(listed, list) or {*map(str, listed)} != {*own}:
            raise KostkaError(
                f"continent {one['id']}: its list of territories differs from what they say"
            )


def _edges(data: dict[str, Any], listed: list[Any], ids: list[str]) -> tuple[Edge, ...]:
    """The edges of the list, or those of the neighbours that each territory names."""
    if "edges" in data:
        named = next((t["id"] for t in listed if "neighbours" in t), None)
        if named is not None:
            raise KostkaError(f"territory {named}: give either edges or neighbours, not both")
        found = tuple(_edge(one, n, ids) for n, one in enumerate(_list(data, "edges"), 1))
        seen: set[frozenset[str]] = set()
        for one in found:
            if frozenset((one.a, one.b)) in seen:
                raise KostkaError(f"edge {one.a} – {one.b}: it is listed twice")
            seen.add(frozenset((one.a, one.b)))
        return found
    return _mutual({t["id"]: t.get("neighbours") for t in listed}, ids)


def _edge(data: Any, number: int, ids: list[str]) -> Edge:
    what = f"edge {number}"
    if not isinstance(data, dict):
        raise KostkaError(f'{what} must be an object with "a" and "b", not {brief(data)}')
    _known(data, ("a", "b", "sea", "wrap"), what)
    a, b = (_neighbour(data.get(end), what, ids) for end in ("a", "b"))
    if a == b:
        raise KostkaError(f"{what}: {a} cannot be a neighbour of itself")
    for flag in ("sea", "wrap"):
        if not isinstance(data.get(flag, False), bool):
            raise KostkaError(f"{what}: {flag} must be true or false, not {brief(data[flag])}")
    return Edge(a, b, data.get("sea", False), data.get("wrap", False))


def _mutual(neighbours: dict[str, Any], ids: list[str]) -> tuple[Edge, ...]:
    """The edges between territories that name each other."""
    found = []
    for id, others in neighbours.items():
        if not isinstance(others, list):
            raise KostkaError(
                f"territory {id}: its neighbours must be a list of ids; or give a list of edges"
            )
        named = [_neighbour(other, f"territory {id}", ids) for other in others]
        for other in named:
            if other == id:
                raise KostkaError(f"territory {id} cannot be a neighbour of itself")
            if named.count(other) > 1:
                raise KostkaError(f"territory {id}: neighbour {other} is listed twice")
            back = neighbours[other]
            if not isinstance(back, list) or id not in back:
                raise KostkaError(
                    f"territory {id} names {other} as a neighbour, but {other} does not name {id}"
                )
            if ids.index(id) < ids.index(other):
                found.append(Edge(id, other))
    return tuple(found)


def _neighbour(id: Any, what: str, ids: list[str]) -> str:
    if not isinstance(id, str) or id not in ids:
        raise KostkaError(f"{what}: unknown neighbour {brief(id)}; it is not a territory's id")
    return id


def _connected(land: tuple[Land, ...], edges: tuple[Edge, ...]) -> None:
    near: dict[str, set[str]] = {one.id: set() for one in land}
    for edge in edges:
        near[edge.a].add(edge.b)
        near[edge.b].add(edge.a)
    reached, front = {land[0].id}, [land[0].id]
    while front:
        beyond = near[front.pop()] - reached
        reached |= beyond
        front += beyond
    lost = [one.id for one in land if one.id not in reached]
    if lost:
        raise KostkaError(f"territory {lost[0]} cannot be reached from {land[0].id}")


def _goals(data: dict[str, Any]) -> list[Any]:
    goals = _list(data, "missions") if "missions" in data else []
    if len(goals) > MAX_MISSIONS:
        raise KostkaError(f"a map has at most {MAX_MISSIONS} missions, not {len(goals)}")
    others = sum(not isinstance(g, dict) or g.get("type") != "eliminate" for g in goals)
    if goals and others < MAX_PLAYERS:
        raise KostkaError(
            f"at least {MAX_PLAYERS} missions must be other than to eliminate somebody; "
            f"here it is {others}"
        )
    return goals


def _goal(data: Any, number: int, continents: set[str], land: int) -> Goal:
    what = f"mission {number}"
    kind = data.get("type") if isinstance(data, dict) else None
    if kind == "territories":
        _known(data, ("id", "type", "count", "min_armies"), what)
        count = _whole(data.get("count"), 1, land, f"{what}: the count")
        armies = _whole(data.get("min_armies", 1), 1, MOST_ARMIES, f"{what}: min_armies")
        return Goal("territories", land=count, armies=armies)
    if kind == "eliminate":
        _known(data, ("id", "type", "colour_slot", "fallback"), what)
        slot = _whole(data.get("colour_slot"), 1, MAX_PLAYERS, f"{what}: the colour_slot")
        return Goal("eliminate", target=slot)
    if kind == "continents":
        _known(data, ("id", "type", "continents", "any_extra"), what)
        named = data.get("continents", [])
        for one in named if isinstance(named, list) else [named]:
            if not isinstance(one, str) or one not in continents:
                raise KostkaError(f"{what}: unknown continent {brief(one)}")
        _distinct(named, f"{what}: continent")
        extra = _whole(data.get("any_extra", 0), 0, MAX_CONTINENTS, f"{what}: any_extra")
        if not 1 <= len(named) + extra <= len(continents):
            raise KostkaError(f"{what}: it must ask for 1 to {len(continents)} continents")
        return Goal("continents", tuple(named), extra)
    raise KostkaError(
        f"{what}: the type must be territories, continents or eliminate, not {brief(kind)}"
    )


# --- what any part must be like ---


def _list(data: dict[str, Any], key: str) -> list[Any]:
    found = data.get(key)
    if not isinstance(found, list):
        raise KostkaError(f"{key} must be a list, not {brief(found)}")
    return found


def _id(data: Any, what: str) -> str:
    id = data.get("id") if isinstance(data, dict) else None
    if not isinstance(id, str) or not MAP_ID.fullmatch(id):
        raise KostkaError(
            f"{what}: the id must be 1 to {ID} letters, digits, hyphens or underscores, "
            f"not {brief(id)}"
        )
    return id


def _name(name: Any, what: str) -> str:
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise KostkaError(
            f"{what}: the name must be a text of printable letters, not {brief(name)}"
        )
    if len(name.encode()) > NAME:
        raise KostkaError(
            f"{what}: the name is too long; it may have {NAME} bytes, not {len(name.encode())}"
        )
    return name


def _whole(value: Any, low: int, high: int, what: str) -> int:
    if type(value) is not int or not low <= value <= high:
        raise KostkaError(f"{what} must be a whole number from {low} to {high}, not {brief(value)}")
    return value


def _distinct(names: Iterable[str], what: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise KostkaError(f"{what} {name}: there are two of them")
        seen.add(name)


def _known(data: dict[str, Any], keys: tuple[str, ...], what: str) -> None:
    for key in data:
        if key not in keys:
            raise KostkaError(f"{what}: unknown key {brief(key)}; known: {', '.join(keys)}")
