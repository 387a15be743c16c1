"""How a game of Risk is set up: the options, the map, the missions, and who gets which land."""

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from kostka.core import bits, rules
from kostka.core.errors import KostkaError
from kostka.core.kernels import kernel
from kostka.core.record import new
from kostka.core.rng import below
from kostka.games.risk.actions import letters
from kostka.games.risk.maps import RANDOM, Goal, Map, the_map
from kostka.games.risk.random_map import continents_of, draw_map
from kostka.games.risk.rules import OWN_ARMIES_AT_ONCE
from kostka.games.risk.state import (
    CLAIM,
    CONTINENTS,
    DECK,
    DESTROY,
    FORTIFY_RULES,
    NOBODY,
    SETS,
    SYMBOLS,
    TERRITORIES,
    UNKNOWN,
    UNSEEN,
    WILD,
    State,
)

#: Armies of each at the start, by the number of players; of two the neutral army has as many.
START = {2: 40, 3: 35, 4: 30, 5: 25, 6: 20}
#: The size of the map for which these numbers, and those of the missions, are meant.
FULL = 42

#: The missions of the classic map, by its continents; of a map that lacks one, one of choice.
GOALS = (
    Goal("territories", land=18, armies=2),
    Goal("territories", land=24),
    Goal("continents", ("AS", "SA")),
    Goal("continents", ("AS", "AF")),
    Goal("continents", ("NA", "AF")),
    Goal("continents", ("NA", "AU")),
    Goal("continents", ("EU", "SA"), 1),
    Goal("continents", ("EU", "AU"), 1),
    *(Goal("eliminate", target=slot) for slot in range(1, 7)),
)
#: Whoever cannot destroy his target any more needs so many territories.
FALLBACK = 24
#: Continents of a random map, which stand for the classic ones in this order.
PLACES = ("NA", "SA", "EU", "AF", "AS", "AU")


def start(s: Any, options: Mapping[str, Any]) -> None:
    """Write the options and, if it is not random, the map into a fresh state."""
    s.players = options["players"]
    s.missions = options["win"] == "missions"
    if s.missions and s.players == 2:
        raise KostkaError("secret missions are for 3 to 6 players; with 2, win must be domination")
    s.neutral = s.players == 2 and options["neutral"]
    s.placing_all = options["placing"] == "all"
    s.sets = SETS.index(options["sets"])
    s.bonus_each = options["bonus"] == "each"
    s.reshuffle = options["deck"] == "reshuffle"
    s.defence_choice = options["defence"] == "choice"
    s.fortify = FORTIFY_RULES.index(options["fortify"])
    s.cards_open = options["cards"] == "open"
    s.by_anyone = options["target"] == "anyone"
    s.at_turn_end = options["reveal"] == "turn-end"
    s.turn_limit = options["turns"]
    for name in ("cap", "keep", "spoils", "limit"):
        s[name] = options[name]
    for field, values in tables(options["map"], options["territories"]).items():
        s[field] = values
    if s.missions:
        write_missions(s, options["map"])
    s.phase, s.defence = CLAIM, 2
    s.winner = s.fallen = s.source = s.target = NOBODY
    s.owner[:], s.slayer[:] = NOBODY, NOBODY
    s.mission[:], s.card[:] = UNKNOWN, UNSEEN
    s.card[: s.territories + 2] = DECK
    armies = START[int(s.players)]
    if options["start"] == "scaled":
        armies = -(-armies * int(s.territories) // FULL)
    s.setup[: s.players + s.neutral] = armies


def unlike(one: Any, fresh: Any) -> str | None:
    """How a position from elsewhere differs from the options, where that can be named."""
    mine, theirs = letters(fresh.map_name), letters(one.map_name)
    return None if mine == theirs else f"it is played on the map {theirs!r}, not {mine!r}"


@functools.lru_cache(maxsize=32)
def tables(value: str, territories: int) -> dict[str, Any]:
    """All fields that describe the map of an option's value, as far as they are known by now."""
    name = np.zeros_like(new(State)[0].map_name)
    write_letters(name, value if value == RANDOM else the_map(value).name)
    if value == RANDOM:
        continents = continents_of(territories)
        return {"map_name": name, "territories": territories, "continents": continents}
    return {"map_name": name, **drawn(the_map(value))}


def drawn(one: Map) -> dict[str, Any]:
    """The fields that describe a map."""
    s = new(State)[0]
    ids = [t.id for t in one.land]
    places = [c.id for c in one.continents]
    s.territories, s.continents = len(ids), len(places)
    s.wrap[: len(ids)] = NOBODY
    s.continent[: len(ids)] = [places.index(t.continent) for t in one.land]
    s.bonus[: len(places)] = [c.bonus for c in one.continents]
    s.symbol[: len(ids)] = [SYMBOLS.index(t.card) for t in one.land]
    s.symbol[len(ids) : len(ids) + 2] = WILD
    for n, t in enumerate(one.land):
        s.x[n], s.y[n] = t.x, t.y
        write_letters(s.ids[n], t.id)
        write_letters(s.names[n], t.name)
    for n, c in enumerate(one.continents):
        write_letters(s.continent_ids[n], c.id)
        write_letters(s.continent_names[n], c.name)
    for edge in one.edges:
        i, j = ids.index(edge.a), ids.index(edge.b)
        for a, b in ((i, j), (j, i)):
            s.near[a] |= np.uint64(1 << b)
            if edge.sea:
                s.straits[a] |= np.uint64(1 << b)
            if edge.wrap:
                s.wrap[a] = b
    survey(s)
    fields = (
        "near", "far", "straits", "continent_land", "facts", "x", "y", "bonus", "continent",
        "symbol", "wrap", "ids", "names", "continent_ids", "continent_names",
    )  # fmt: skip
    return {
        "territories": len(ids),
        "continents": len(places),
        **{field: s[field].copy() for field in fields},
    }


def write_letters(field: Any, text: str) -> None:
    """Write a text in UTF-8, which has room."""
    letters = np.frombuffer(text.encode(), np.int8)
    field[: len(letters)] = letters


def write_missions(s: Any, value: str) -> None:
    """The missions that can be dealt; nobody is to destroy a colour that does not play."""
    own = () if value == RANDOM else the_map(value).goals
    places = PLACES if value == RANDOM else [c.id for c in the_map(value).continents]
    scale = FULL if not own else int(s.territories)
    for goal in own or GOALS:
        if goal.target <= s.players:
            write_mission(s, int(s.mission_count), goal, list(places[: s.continents]), scale)
            s.mission_count += 1


def write_mission(s: Any, m: int, goal: Goal, places: list[str], scale: int) -> None:
    """One mission; numbers of territories are scaled to the map and rounded up."""
    n = int(s.territories)
    s.goal_kind[m] = {"eliminate": DESTROY, "continents": CONTINENTS}.get(goal.kind, TERRITORIES)
    s.goal_target[m] = goal.target - 1
    if goal.kind == "continents":
        there = [c for c in goal.continents if c in places]
        s.goal_continents[m] = sum(1 << places.index(c) for c in there)
        wanted = len(goal.continents) + goal.choice
        s.goal_choice[m] = min(wanted, int(s.continents)) - len(there)
    else:
        of = FULL if goal.kind == "eliminate" else scale
        s.goal_land[m] = -(-(goal.land or FALLBACK) * n // of)
        s.goal_armies[m] = goal.armies


# --- the deal ---


@rules.deal.method(State)
def deal(s, rng):
    """A random map is drawn, and who begins; for missions and with a neutral, land is dealt."""
    if bits.empty(s.near[0]):
        draw_map(s, rng)
        survey(s)
    s.first = s.player = below(rng, s.players)
    if s.missions == 1 or s.neutral == 1:
        deal_land(s, rng)
    if s.neutral == 1:
        s.free = OWN_ARMIES_AT_ONCE


@kernel
def deal_land(s, rng):
    """One card after the other shows who gets a territory; a neutral army gets what is left."""
    p = s.first
    piles = s.players + s.neutral
    for n in range(s.territories):
        left = below(rng, s.territories - n)
        t = 0
        while left > 0 or s.owner[t] != NOBODY:
            left -= s.owner[t] == NOBODY
            t += 1
        owner = p
        if s.neutral == 1 and n >= s.territories // piles * s.players:
            owner = s.players
        s.owner[t] = owner
        s.armies[t] = 1
        s.land[owner] = bits.add(s.land[owner], t)
        s.setup[owner] -= 1
        p = (p + 1) % s.players


@kernel
def survey(s):
    """What follows from the map: distances, continents and how well they can be defended."""
    for i in range(s.territories):
        s.continent_land[s.continent[i]] = bits.add(s.continent_land[s.continent[i]], i)
        beyond, left = bits.none(), s.near[i]
        while not bits.empty(left):
            beyond = bits.either(beyond, s.near[bits.first(left)])
            left = bits.rest(left)
        s.far[i] = bits.remove(bits.minus(beyond, s.near[i]), i)
    for c in range(s.continents):
        inside = s.continent_land[c]
        size, borders, outside = bits.count(inside), 0, bits.none()
        left = inside
        while not bits.empty(left):
            i = bits.first(left)
            left = bits.rest(left)
            out = bits.minus(s.near[i], inside)
            borders += not bits.empty(out)
            outside = bits.either(outside, out)
        armies = size / 3.0 + s.bonus[c]
        borders = max(1, borders)
        s.facts[c, 0], s.facts[c, 1] = size, size / armies
        s.facts[c, 2], s.facts[c, 3] = armies / borders, bits.count(outside) / borders
