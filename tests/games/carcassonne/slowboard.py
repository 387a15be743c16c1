"""A slow and obvious Discovery: a board in a dict, whose regions are walked anew for every tile."""

import json
import random
from dataclasses import dataclass, field
from pathlib import Path

import kostka.games.carcassonne

STANDARD = json.loads(
    (Path(kostka.games.carcassonne.__file__).parent / "tiles" / "standard.json").read_text()
)
DOCUMENTED = {
    "name": "documented",
    "tiles": [tile for tile in STANDARD["tiles"] if not tile.get("reconstructed")],
}

NORTH, EAST, SOUTH, WEST = range(4)
STEPS = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}

#: A place, and the number of a region of the tile there.
Segment = tuple[tuple[int, int], int]


def neighbour(place, d):
    return place[0] + STEPS[d][0], place[1] + STEPS[d][1]


@dataclass
class Region:
    """Connected segments, and how many of their sides face an empty cell."""

    segments: set[Segment] = field(default_factory=set)
    open: int = 0

    @property
    def size(self):
        return len({place for place, _ in self.segments})


class Board:
    """Tiles at places, each with its rotation."""

    def __init__(self, tiles):
        self.tiles = tiles
        self.at = {}
        #: By kind of tile: the rotations that look different, each with the terrain of its sides.
        self.rotations = [self.different(t) for t in range(len(tiles))]
        start = next(t for t, tile in enumerate(tiles) if tile.get("start"))
        self.lay((0, 0), start, 0)

    def lay(self, place, t, r):
        self.at[place] = (t, r)
        self.regions = self.walk()
        self.empty = {place: self.needed(place) for place in self.border()}

    def side(self, t, r, d):
        """The region of a turned tile on a side."""
        return self.tiles[t]["sides"][(d - r) % 4]

    def terrain(self, t, r, d):
        return self.tiles[t]["regions"][self.side(t, r, d)]

    def look(self, t, r):
        """A turned tile with names for its regions that do not depend on their numbers."""
        tile, names = self.tiles[t], {}
        for j, terrain in enumerate(tile["regions"]):
            names[j] = (terrain, tuple(d for d in range(4) if self.side(t, r, d) == j))
        if len(set(names.values())) < len(names):  # inner regions are told by what they touch
            names = {j: (name, self.around(tile, j, names)) for j, name in names.items()}
        return sorted(map(str, names.values())), sorted(
            (key, sorted(str(names[j]) for j in pair))
            for key in ("touching", "cities")
            for pair in tile.get(key, ())
        )

    def around(self, tile, j, names):
        return sorted(
            (key, names[a + b - j])
            for key in ("touching", "cities")
            for a, b in tile.get(key, ())
            if j in (a, b)
        )

    def border(self):
        return {neighbour(place, d) for place in self.at for d in STEPS} - self.at.keys()

    def needed(self, place):
        """What the sides of an empty cell must be: pairs of a side and a terrain."""
        around = [(d, neighbour(place, d)) for d in STEPS]
        return tuple((d, self.terrain(*self.at[n], (d + 2) % 4)) for d, n in around if n in self.at)

    def different(self, t):
        """The rotations of a tile, of those that look alike only the first."""
        found = {}
        for r in range(4):
            if self.look(t, r) not in [self.look(t, other) for other in found]:
                found[r] = [self.terrain(t, r, d) for d in range(4)]
        return found

    def places(self, t):
        """Where and how a tile may be laid."""
        return {
            (*place, r)
            for r, sides in self.rotations[t].items()
            for place, needed in self.empty.items()
            if all(sides[d] == kind for d, kind in needed)
        }

    def fits(self, t):
        """Whether a tile may be laid anywhere."""
        return any(
            all(sides[d] == kind for d, kind in needed)
            for sides in self.rotations[t].values()
            for needed in set(self.empty.values())
        )

    def walk(self):
        """The region of every segment."""
        found = {}
        for place, (t, _) in self.at.items():
            for j in range(len(self.tiles[t]["regions"])):
                if (place, j) not in found:
                    region = self.walk_from((place, j))
                    found.update(dict.fromkeys(region.segments, region))
        return found

    def walk_from(self, segment):
        region, todo = Region({segment}), [segment]
        while todo:
            place, j = todo.pop()
            for d in STEPS:
                if self.side(*self.at[place], d) == j:
                    n = neighbour(place, d)
                    if n not in self.at:
                        region.open += 1
                        continue
                    one = (n, self.side(*self.at[n], (d + 2) % 4))
                    if one not in region.segments:
                        region.segments.add(one)
                        todo.append(one)
        return region

    def cities(self, region):
        return {
            (place, i)
            for place, j in region.segments
            for i, pair in enumerate(self.tiles[self.at[place][0]].get("cities", ()))
            if j in pair
        }

    def grassland_beside(self, region):
        """All regions of grassland that touch a region on some tile."""
        for place, j in region.segments:
            tile = self.tiles[self.at[place][0]]
            for a, b in tile.get("touching", ()):
                if j in (a, b) and tile["regions"][a + b - j] == "grassland":
                    yield self.regions[place, a + b - j]

    def value(self, segment, closed=None, small_closed=False):
        """What a follower brings there: as it is, or as if the region were open or closed."""
        region = self.regions[segment]
        place, j = segment
        terrain = self.tiles[self.at[place][0]]["regions"][j]
        closed = region.open == 0 if closed is None else closed
        closed = closed and (small_closed or region.size > 2)
        if terrain == "grassland":
            return region.size * (2 if closed else 1)
        cities = self.cities(region)
        if terrain == "sea":
            return len(cities) + (region.size if closed else 0)
        for grassland in self.grassland_beside(region):
            cities |= self.cities(grassland)
        return len(cities) * (2 if closed else 1)


def random_set(dice: random.Random, tiles: int = 40) -> dict:
    """A tile set at random: few kinds that go together, with ponds, islands and many cities."""
    kinds, total = [], 0
    while total < tiles:
        one = random_tile(dice, f"t{len(kinds)}", start=not kinds)
        one["count"] = 1 if not kinds else dice.randint(1, 4)
        total += one["count"]
        kinds.append(one)
    return {"name": f"random-{dice.randrange(10**6)}", "tiles": kinds}


def random_tile(dice, id, start):
    used = dice.randint(1, 4)
    sides = [dice.randrange(used) for _ in range(4)]
    if sides[0] == sides[2] != sides[1] == sides[3]:
        sides[3] = sides[0]  # regions do not cross
    order = list(dict.fromkeys(sides))
    sides = [order.index(j) for j in sides]
    count = min(5, len(order) + (dice.random() < 0.2))
    regions = [dice.choice(("mountain", "grassland", "sea")) for _ in range(count)]
    pairs = [[a, b] for a in range(count) for b in range(a + 1, count)]
    touching = [pair for pair in pairs if dice.random() < 0.8]
    for j in range(count if count > 1 else 0):  # every region touches one
        if not any(j in pair for pair in touching):
            touching.append(sorted((j, (j + 1) % count)))
    shores = [p for p in touching if (regions[p[0]] == "sea") != (regions[p[1]] == "sea")]
    cities = [pair for pair in shores if dice.random() < 0.4][:2]
    return {
        "id": id,
        "sides": sides,
        "regions": regions,
        "touching": touching,
        "cities": cities,
        **({"start": True} if start else {}),
    }
