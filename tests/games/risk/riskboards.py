"""Positions of Risk made by hand, on nine territories or the classic map; turns in notation."""

import json

import numpy as np

from kostka.core.game import game
from kostka.core.state import State
from kostka.games.risk.actions import card_id, card_named, land_named, mission_ids
from kostka.games.risk.state import DISCARDED, PHASES

#: Three continents of three territories, a to i in a row; cards show the symbols in turn.
PLACES = {"W": ("abc", 2), "M": ("def", 3), "E": ("ghi", 5)}
ROW = "ab bc cd de ef fg gh hi"
#: The missions of a map must be at least six that destroy nobody.
SIX = [{"type": "territories", "count": n} for n in range(4, 10)]


def made(links: str = ROW, places: dict = PLACES, missions: list | None = None) -> str:
    """A map file; ``links`` are pairs of letters, and continents have letters and a bonus."""
    letters = "".join(land for land, _ in places.values())
    data = {
        "format": "risk-map/1",
        "name": "by hand",
        "continents": [{"id": c, "name": c, "bonus": bonus} for c, (_, bonus) in places.items()],
        "territories": [
            {"id": t, "name": t.upper(), "continent": c, "x": 10 * n, "y": 10 * n}
            for n, t in enumerate(letters)
            for c, (land, _) in places.items()
            if t in land
        ],
        "edges": [{"a": a, "b": b} for a, b in links.split()],
    }
    if missions:
        data["missions"] = missions
    return json.dumps(data)


def begin(**options) -> State:
    """A new game, on the map of nine unless another is named."""
    options.setdefault("map", made())
    return game("risk").new(seed=options.pop("seed", 1), **options)


def board(
    owners: str,
    armies: str,
    *,
    players: int | None = None,
    player: int = 0,
    phase: str = "attack",
    hands: tuple[str, ...] = (),
    discarded: str = "",
    missions: tuple[str, ...] = (),
    fields: dict | None = None,
    **options,
) -> State:
    """A position in the middle of a game: who holds each territory, and with how many armies.

    Armies are digits, or numbers with blanks between. Hands and missions are given by player.
    """
    n = players or max(2, 1 + max(map(int, owners)))
    if missions:
        options["win"] = "missions"
    if n == 2:
        options.setdefault("neutral", False)
    s = begin(players=n, **options)
    r = s.record
    land = range(r.territories)
    r.owner[land] = [int(o) for o in owners]
    r.armies[land] = [int(a) for a in (armies.split() if " " in armies else armies)]
    r.land[:] = 0
    for t in land:
        r.land[r.owner[t]] |= np.uint64(1 << t)
    r.setup[:], r.free = 0, 0
    r.phase, r.player, r.first = PHASES.index(phase), player, 0
    for p, held in enumerate(hands):
        give(s, p, held)
    for id in discarded.split():
        r.card[card_named(r, id)] = DISCARDED
    if missions:
        r.dealt = n
        r.mission[:n] = [mission_ids(r).index(m) for m in missions]
    for name, value in (fields or {}).items():
        r[name] = value
    return s


def world(holds: dict[str, int], armies: int = 1, **more) -> State:
    """The classic map: who holds each continent, and single territories by their ids."""
    s = begin(map="classic", players=3)
    r = s.record
    continents = ("NA", "SA", "EU", "AF", "AS", "AU")
    owners = [holds[continents[r.continent[t]]] for t in range(42)]
    for id, p in holds.items():
        if id not in continents:
            owners[land_named(r, id)] = p
    return board("".join(map(str, owners)), " ".join([str(armies)] * 42), map="classic", **more)


def give(s: State, player: int, cards: str) -> None:
    """Cards by their ids into a player's hand."""
    for id in cards.split():
        s.record.card[card_named(s.record, id)] = player
        s.record.hand[player] += 1


def play(s: State, moves: str) -> State:
    """Actions and outcomes in notation, with commas between."""
    for move in moves.split(","):
        s.apply(move.strip())
    return s


def turn(owners: str, armies: str, *, player: int = 0, **more) -> State:
    """The start of a player's turn: whoever was on turn before has just ended his."""
    n = more.get("players") or max(2, 1 + max(map(int, owners)))
    before = (player - 1) % n
    while str(before) not in owners:
        before = (before - 1) % n
    s = board(owners, armies, player=before, phase="fortify", **more)
    return s.apply("end")


def legal(s: State) -> set[str]:
    """What can be done, in notation."""
    return {s.text(a) for a in s.legal_actions}


def luck(s: State) -> dict[str, float]:
    """What luck can bring, in notation, with its chances."""
    return {s.text(a): p for a, p in s.outcomes}


def owners(s: State) -> str:
    return "".join(str(o) for o in s.record.owner[: s.record.territories])


def armies(s: State) -> str:
    """Armies as digits, or as numbers with blanks between."""
    found = s.record.armies[: s.record.territories].tolist()
    return ("" if max(found) < 10 else " ").join(map(str, found))


def hand(s: State, player: int) -> set[str]:
    """The cards that a player holds, as far as they are known."""
    r = s.record
    return {card_id(r, c) for c in range(r.territories + 2) if r.card[c] == player}
