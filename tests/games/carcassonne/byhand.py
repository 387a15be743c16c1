"""Boards made by hand from a few tiles, and turns in notation."""

import json

from kostka.core.game import game
from kostka.core.state import State

#: Terrains meet so that few tiles make every kind of region; sea is all around the first ones.
CAP = {"sides": [0, 0, 1, 0], "regions": ["sea", "grassland"], "touching": [[0, 1]]}
WAY = {
    "sides": [1, 0, 1, 2],
    "regions": ["sea", "grassland", "sea"],
    "touching": [[0, 1], [1, 2]],
}
HILL = {"sides": [0, 0, 1, 0], "regions": ["grassland", "mountain"], "touching": [[0, 1]]}
BAY = {
    "sides": [0, 0, 0, 1],
    "regions": ["grassland", "sea"],
    "touching": [[0, 1]],
    "cities": [[0, 1]],
}
MEADOW = {"sides": [0, 0, 0, 0], "regions": ["grassland"]}
PEAK = {"sides": [0, 0, 0, 0], "regions": ["mountain"]}
OPEN_SEA = {"sides": [0, 0, 0, 0], "regions": ["sea"]}
CROSS = {
    "sides": [0, 1, 2, 3],
    "regions": ["sea", "grassland", "sea", "grassland", "sea"],
    "touching": [[0, 4], [1, 4], [2, 4], [3, 4]],
}


def begin(first: dict, *others: dict, count: int = 4, **options) -> State:
    """A game whose tiles are called a (the start), b, c …"""
    kinds = [{**first, "start": True}, *({**one, "count": count} for one in others)]
    made = {"name": "by-hand", "tiles": [{**k, "id": "abcdef"[i]} for i, k in enumerate(kinds)]}
    return game("carcassonne").new(seed=1, tiles=json.dumps(made), **options)


def play(s: State, *turns: str) -> State:
    """Turns as ``b 0,1/2 put 1``: what luck draws, where it is laid, and what is done then."""
    for turn in turns:
        drawn, place, done = turn.split(" ", 2)
        s.apply(drawn).apply(place).apply(done)
    return s


def brings(s: State, drawn: str, place: str, follower: str) -> float:
    """The points that the mover gets for taking a follower back after laying one tile more."""
    me = int(s.record.player)
    before = s.scores[me]
    return play(s, f"{drawn} {place} {follower}").scores[me] - before
