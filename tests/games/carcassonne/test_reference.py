"""The fast game and the slow one agree about everything, at every step of random games.

More games than usual: set KOSTKA_REFERENCE_GAMES=10000.
"""

import itertools
import json
import os
import random
from collections import Counter

import pytest
from slowboard import DOCUMENTED, STANDARD, Board, random_set

from kostka.core.game import game
from kostka.core.rng import stream
from kostka.core.state import CHANCE, OVER
from kostka.games.carcassonne.actions import PASS, PUT, TAKE, places
from kostka.games.carcassonne.rules import final_value, root, value, worth

GAMES = int(os.environ.get("KOSTKA_REFERENCE_GAMES", "200"))
PARTS = 8
TERRAINS = (None, "mountain", "grassland", "sea")

OPTIONS = [
    dict(zip(("players", "small", "end", "unplaceable", "equal"), values, strict=True))
    for values in itertools.product(
        (2, 3, 4, 5),
        ("open", "closed"),
        ("open", "as-is", "closed"),
        ("discard", "return"),
        (False, True),
    )
]


def options_of(number: int) -> tuple[dict, list]:
    """The options and the tiles of a game: all mixes in turn, half of them with strange tiles."""
    dice = random.Random(number)
    chosen = OPTIONS[number * 37 % len(OPTIONS)]
    if number % 4 == 0:
        return chosen, STANDARD["tiles"]
    if number % 4 == 1:
        return {**chosen, "tiles": "documented"}, DOCUMENTED["tiles"]
    made = random_set(dice)
    return {**chosen, "tiles": json.dumps(made)}, made["tiles"]


class Match:
    """A game played on both boards at once."""

    def __init__(self, number: int) -> None:
        self.dice = random.Random(number)
        self.options, self.tiles = options_of(number)
        self.state = game("carcassonne").new(seed=number, **self.options)
        self.board = Board(self.tiles)
        self.bag = Counter({t: tile.get("count", 1) for t, tile in enumerate(self.tiles)})
        self.bag[next(t for t, tile in enumerate(self.tiles) if tile.get("start"))] -= 1
        self.men: dict[tuple[int, int], tuple] = {}
        self.points = [0] * self.options["players"]
        self.player = self.discarded = 0

    def value(self, segment, **how):
        return self.board.value(segment, small_closed=self.options["small"] == "closed", **how)

    def play(self) -> None:
        luck = stream(self.dice.random())
        while not self.over():
            assert self.state.mover == CHANCE
            self.agrees_about_luck()
            t = self.state.draw(luck)
            self.bag[t] -= 1
            self.state.apply(t)
            if not self.board.fits(t):
                assert self.options["unplaceable"] == "discard"
                self.discarded += 1
                continue
            self.turn(t)
        self.agrees_at_the_end()

    def over(self) -> bool:
        left = self.bag.total()
        if left == 0:
            return True
        if self.options["equal"] and self.player == 0 and left < len(self.points) and self.began:
            return True
        fitting = [t for t in +self.bag if self.board.fits(t)]
        return self.options["unplaceable"] == "return" and not fitting

    @property
    def began(self) -> bool:
        """Whether a turn begins; discarding tiles does not begin another one."""
        return self.state.record.unfits == 0

    def turn(self, t: int) -> None:
        """The mover lays the tile and does one thing more, both at random."""
        s, me = self.state, self.player
        assert s.mover == me and s.record.tile == t
        legal = s.legal_actions
        assert len(set(legal)) == len(legal)
        at = places(s.record)
        assert {(*at[a >> 2], a & 3) for a in legal} == self.board.places(t)
        a = self.dice.choice(legal)
        here = at[a >> 2]
        self.board.lay(here, t, a & 3)
        s.apply(a)
        self.agrees_about_the_board(here)
        legal = s.legal_actions
        assert legal == self.followings(here, t)
        a = self.dice.choice(legal)
        if a == PASS:
            pass
        elif a >= TAKE:
            self.points[me] += self.value(self.men.pop((me, a - TAKE)))
        else:
            f = next(f for f in range(4) if (me, f) not in self.men)
            self.men[me, f] = (here, a - PUT)
        s.apply(a)
        self.player = (me + 1) % len(self.points)
        if not s.over:
            assert s.scores == self.points

    def followings(self, here, t) -> list[int]:
        """What the mover may do after laying, in order: put, take, pass."""
        mine = [f for p, f in self.men if p == self.player]
        found = []
        entered = []
        for j in range(len(self.tiles[t]["regions"])):
            region = self.board.regions[here, j]
            free = not any(segment in region.segments for segment in self.men.values())
            if len(mine) < 4 and free and region not in entered:
                entered.append(region)
                found.append(PUT + j)
        return [*found, *(TAKE + f for f in sorted(mine)), PASS]

    def agrees_about_luck(self) -> None:
        kinds = +self.bag
        if self.options["unplaceable"] == "return":
            kinds = Counter({t: n for t, n in kinds.items() if self.board.fits(t)})
        chances = dict(self.state.outcomes)
        assert chances == pytest.approx({t: n / kinds.total() for t, n in kinds.items()})
        assert self.state.record.left == self.bag.total()
        assert self.state.record.discarded == self.discarded

    def agrees_about_the_board(self, here) -> None:
        """The border with what each side needs, the last tile, and every region there is."""
        r, board = self.state.record, self.board
        at = places(r)
        assert at[r.last] == here
        needs, border = r.needs.tolist(), r.border[: r.empty].tolist()
        assert {at[c] for c in border} == board.empty.keys()
        for c in border:
            sides = [(d, TERRAINS[needs[c] >> 2 * d & 3]) for d in range(4)]
            assert tuple((d, kind) for d, kind in sides if kind) == board.empty[at[c]]
        numbers = self.numbers()
        assert numbers.keys() == board.regions.keys()
        self.agrees_about_regions(numbers)
        for (p, f), segment in self.men.items():
            k = root(r, numbers[segment])
            assert r.standing[p, f] == numbers[segment]
            for closed in (False, True):
                assert value(r, k, closed) == self.value(segment, closed=closed)

    def numbers(self) -> dict:
        """The number that each segment on the board was given when it was laid."""
        r = self.state.record
        first, kinds, segments = r.first.tolist(), r.type_at.tolist(), r.segments.tolist()
        return {
            (place, j): first[c] + j
            for c, place in enumerate(places(r))
            if first[c] >= 0
            for j in range(segments[kinds[c]])
        }

    def agrees_about_regions(self, numbers) -> None:
        """Segments are one region in both games or in neither, as large, open and full."""
        r = self.state.record
        parent, area, opened, men = (f.tolist() for f in (r.parent, r.area, r.open, r.men))
        met = set()
        for region in {id(one): one for one in self.board.regions.values()}.values():
            (k,) = {swallower(parent, numbers[one]) for one in region.segments}
            assert k not in met, "two regions are taken for one"
            met.add(k)
            assert (area[k], opened[k]) == (region.size, region.open)
            assert men[k] == sum(one in region.segments for one in self.men.values())
            assert worth(r, k) == self.value(next(iter(region.segments)))

    def agrees_at_the_end(self) -> None:
        """Everybody left is counted by the rule for the end, and most points win."""
        s = self.state
        assert s.mover == OVER
        how = {"open": False, "as-is": None, "closed": True}[self.options["end"]]
        for (p, f), segment in self.men.items():
            k = root(s.record, int(s.record.standing[p, f]))
            assert final_value(s.record, k) == self.value(segment, closed=how)
            self.points[p] += self.value(segment, closed=how)
        assert s.scores == self.points
        best = max(self.points)
        share = 1 / self.points.count(best)
        assert s.returns == pytest.approx([share * (n == best) for n in self.points])


def swallower(parent: list[int], n: int) -> int:
    """The region that a segment belongs to, by who swallowed whom."""
    return n if parent[n] == n else swallower(parent, parent[n])


@pytest.mark.parametrize("part", range(PARTS))
def test_everything_agrees_with_the_slow_game_at_every_step(part):
    for number in range(part, GAMES, PARTS):
        try:
            Match(number).play()
        except AssertionError as error:
            error.add_note(f"in game {number}")
            raise
