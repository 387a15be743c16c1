"""The shapes of a Risk map: land grown around its territories, from nothing but the graph.

Every point of a fine lattice belongs to the nearest territory, seen through a slow ripple that
bends all borders; it is land where this territory and its neighbours are near enough. Territories
that touch without being neighbours are parted by a strait or a lake, and neighbours by land that
do not touch get a way to each other. Then all borders are rounded.
"""

import functools
import math
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import ndimage

Point = tuple[float, float]
Pairs = set[tuple[int, int]]

#: The canvas that the territories lie on, the room around it, and the lattice.
WIDTH, HEIGHT, MARGIN, CELL = 1000, 600, 100, 4
SEA = -1

#: How far land reaches around a territory, in units of the distance to its neighbours, how dense it
#: must be, and the least reach.
REACH, DENSE, LEAST = 0.64, 0.55, 46.0
#: How near two territories may lie: neighbours by land, strangers, and islands to anything.
APART, STRANGE, ISLAND = 50.0, 62.0, 88.0
#: How wide the way between neighbours is that lie far apart, in the same units.
ISTHMUS = 0.27
#: Half the width of a strait or a lake, in cells, and how much more where strangers hardly touch;
#: neighbours touch along so many sides of cells.
STRAIT, LAKE, TOUCH = 2.2, 1.0, 5
#: How steeply a way between neighbours through others' land gives way to theirs, and how much less
#: with every try.
STEEP, YIELD = 2.6, 0.5
#: How often ways are opened, and how often land and sea are rounded and parted.
TRIES, ROUNDS = 12, 4
#: How much borders are rounded, in cells; ripples: wave length and height.
ROUND = 1.9
RIPPLES = ((170.0, 12.0), (70.0, 8.0), (31.0, 4.0))
SMOOTHING, KEEP_EVERY = 6, 3
#: A lake of fewer cells is filled, if that joins no strangers.
PUDDLE = 40


class Map(NamedTuple):
    """What a drawing is made from."""

    places: tuple[Point, ...]
    #: Pairs of neighbours, the lower number first: by land, over the sea, and around the world.
    land: frozenset[tuple[int, int]]
    sea: frozenset[tuple[int, int]]
    around: frozenset[tuple[int, int]]
    continent: tuple[int, ...]


@dataclass(frozen=True)
class Board:
    """The geometry of a map, which stays the same for a whole game."""

    key: str
    outlines: tuple[str, ...]
    coast: str
    continents: tuple[str, ...]
    places: tuple[Point, ...]  # of the armies
    labels: tuple[Point, ...]  # of the names of continents
    box: tuple[int, int, int, int]
    routes: tuple[tuple[int, int], ...]
    touching: frozenset[tuple[int, int]]


@functools.lru_cache(maxsize=32)
def board(m: Map) -> Board:
    """The shapes of a map."""
    count = len(m.places)
    key = zlib.crc32(repr(m).encode())
    labels = grow(m, key)
    sides = borders(labels)
    paths = Paths(sides)
    touching = contacts(labels)
    members = [
        {t for t in range(count) if m.continent[t] == c} for c in range(max(m.continent) + 1)
    ]
    places = tuple(roomiest(labels))
    names = tuple(rooms_for_names(labels, members, places))
    return Board(
        key=f"rk{key:08x}",
        outlines=tuple(paths.outline({t}) for t in range(count)),
        coast=paths.outline(set(range(count))),
        continents=tuple(map(paths.outline, members)),
        places=places,
        labels=names,
        box=frame(labels, names),
        routes=tuple(sorted((m.land | m.sea) - touching)),
        touching=frozenset(touching),
    )


# --- land ---


def grow(m: Map, key: int) -> np.ndarray:
    """The territory of each cell of the lattice, or SEA."""
    ground = Ground(m, key)
    ways: dict[tuple[int, int], float] = {}
    best, least = None, math.inf
    for _ in range(TRIES):
        labels = settle(ground.labels(ways), m)
        missing = m.land - contacts(labels)
        if len(missing) < least:
            best, least = labels, len(missing)
        if not missing:
            break
        for pair in missing:
            ways[pair] = max(0.7, ways.get(pair, STEEP + YIELD) - YIELD)
    assert best is not None
    return best


def spread(m: Map) -> np.ndarray:
    """The places of the territories on the canvas, none too near to another."""
    xy = np.array(m.places, float)
    low, high = xy.min(axis=0), xy.max(axis=0)
    room = np.array([WIDTH, HEIGHT]) - 90.0
    scale = float((room / np.maximum(high - low, 1.0)).min())
    xy = (xy - (low + high) / 2) * scale + np.array([WIDTH, HEIGHT]) / 2
    angles = np.arange(len(xy)) * 2.4
    xy += 0.01 * np.stack([np.cos(angles), np.sin(angles)], axis=1)  # so that none coincide
    least = np.full((len(xy), len(xy)), STRANGE)
    for t in set(range(len(xy))).difference(*m.land):
        least[t, :] = least[:, t] = ISLAND
    for i, j in m.land:
        least[i, j] = least[j, i] = APART
    for _ in range(60):
        gaps = xy[:, None] - xy[None]
        far = np.hypot(gaps[..., 0], gaps[..., 1]) + np.eye(len(xy)) * 1e9
        push = np.maximum(0, least - far) / far
        if not push.any():
            break
        xy += 0.3 * (gaps * push[..., None]).sum(axis=1)
    return xy.astype(np.float32)


class Ground:
    """How far every cell is from every territory, and how much land is around it."""

    def __init__(self, m: Map, key: int) -> None:
        self.xy = xy = spread(m)
        x, y = cells()
        self.x, self.y = x, y = x + ripple(x, y, key), y + ripple(x, y, key + 1)
        self.gaps = np.stack([np.hypot(x - px, y - py) for px, py in xy])
        reach = reaches(m, xy)
        beside = np.eye(len(xy), dtype=np.float32)
        for i, j in m.land:
            beside[i, j] = beside[j, i] = 1
        near = np.exp(-((self.gaps / reach[:, None, None]) ** 2)).reshape(len(xy), -1)
        self.density = (beside @ near).reshape(self.gaps.shape)
        self.ways = np.zeros_like(x)
        for i, j in sorted(m.land):
            wide = ISTHMUS * (reach[i] + reach[j]) / 2 / REACH
            way = segment(x, y, xy[i], xy[j]) / wide
            self.ways = np.maximum(self.ways, np.exp(-(way**2)))

    def labels(self, ways: dict[tuple[int, int], float]) -> np.ndarray:
        """The nearest territory of each cell that is land, with some ways through others' land."""
        gaps = self.gaps.copy()
        for (i, j), steep in sorted(ways.items()):
            middle = (self.xy[i] + self.xy[j]) / 2
            for t in (i, j):
                way = steep * segment(self.x, self.y, self.xy[t], middle)
                gaps[t] = np.minimum(gaps[t], way)
        owner = gaps.argmin(axis=0)
        density = np.take_along_axis(self.density, owner[None], axis=0)[0]
        return np.where(np.maximum(density, self.ways) > DENSE, owner, SEA)


def reaches(m: Map, xy: np.ndarray) -> np.ndarray:
    """How far each territory reaches: as its neighbours are far."""
    lengths: list[list[float]] = [[] for _ in xy]
    for i, j in m.land:
        for t in (i, j):
            lengths[t].append(math.dist(xy[i], xy[j]))
    known = [one for some in lengths for one in some] or [150.0]
    usual = float(np.median(known))
    own = np.array([np.median(some) if some else 0.8 * usual for some in lengths])
    reach = REACH * np.clip((own + usual) / 2, 0.6 * usual, 1.3 * usual)
    return np.maximum(reach, LEAST).astype(np.float32)


@functools.cache
def cells() -> tuple[np.ndarray, np.ndarray]:
    """The middles of the lattice's cells."""
    columns, rows = (WIDTH + 2 * MARGIN) // CELL, (HEIGHT + 2 * MARGIN) // CELL
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32) * CELL + CELL / 2 - MARGIN
    return x, y


def ripple(x: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Waves in several directions."""
    rng = np.random.default_rng(seed)
    total = np.zeros_like(x)
    for length, height in RIPPLES:
        for _ in range(3):
            angle, phase = rng.random(2) * 2 * math.pi
            along = x * np.float32(math.cos(angle)) + y * np.float32(math.sin(angle))
            total += height / 2 * np.sin(along * (2 * math.pi / length) + np.float32(phase))
    return total


def segment(x: np.ndarray, y: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The distance to the straight way from a to b."""
    dx, dy = b - a
    t = np.clip(((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy + 1e-9), 0, 1)
    return np.hypot(x - a[0] - t * dx, y - a[1] - t * dy)


# --- rounding and parting ---


def settle(labels: np.ndarray, m: Map) -> np.ndarray:
    """Round all shapes, part strangers, and leave each territory in one piece."""
    labels = rounded(rounded(labels))
    for _ in range(ROUNDS):
        labels = rounded(parted(whole(labels, m), m.land))
    for _ in range(ROUNDS):
        labels = whole(parted(labels, m.land), m)
        if contacts(labels, 0) <= m.land:
            break
    return labels


def rounded(labels: np.ndarray) -> np.ndarray:
    """Each cell goes to whatever is most around it, so that corners and thin parts vanish."""
    best = ndimage.gaussian_filter((labels == SEA).astype(np.float32), ROUND, mode="nearest")
    found = np.full_like(labels, SEA)
    around = math.ceil(4 * ROUND)
    for t, place in enumerate(ndimage.find_objects(labels + 1)):
        if place is None:
            continue
        wide = tuple(slice(max(0, s.start - around), s.stop + around) for s in place)
        share = ndimage.gaussian_filter((labels[wide] == t).astype(np.float32), ROUND)
        wins = share > best[wide]
        best[wide][wins] = share[wins]
        found[wide][wins] = t
    return found


def parted(labels: np.ndarray, allowed: frozenset[tuple[int, int]]) -> np.ndarray:
    """The sea flows between those that touch without being neighbours."""
    meet: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for down, right in ((0, 1), (1, 0)):
        a = labels[: labels.shape[0] - down, : labels.shape[1] - right]
        b = labels[down:, right:]
        for r, c in zip(*np.nonzero((a != b) & (a != SEA) & (b != SEA)), strict=True):
            pair = int(min(a[r, c], b[r, c])), int(max(a[r, c], b[r, c]))
            if pair not in allowed:
                meet.setdefault(pair, []).extend([(r, c), (r + down, c + right)])
    if not meet:
        return labels
    wet = np.zeros(labels.shape, bool)
    for cells_there in meet.values():
        radius = STRAIT + (LAKE if len(cells_there) < 4 * STRAIT else 0)
        around = math.ceil(radius)
        spot = np.arange(-around, around + 1)
        disc = np.hypot(spot[:, None], spot[None]) <= radius
        for r, c in cells_there:
            part = wet[r - around : r + around + 1, c - around : c + around + 1]
            part |= disc[: part.shape[0], : part.shape[1]]
    return np.where(wet, SEA, labels)


def whole(labels: np.ndarray, m: Map) -> np.ndarray:
    """Only the largest piece of each territory stays, and puddles are filled."""
    found = np.full_like(labels, SEA)
    for t, place in enumerate(ndimage.find_objects(labels + 1)):
        if place is not None:
            pieces, _ = ndimage.label(labels[place] == t)
            largest = 1 + int(np.argmax(np.bincount(pieces.ravel())[1:]))
            found[place][pieces == largest] = t
    return filled(found, m.land)


def filled(labels: np.ndarray, allowed: frozenset[tuple[int, int]]) -> np.ndarray:
    """Puddles become land where nobody is joined to a stranger by that."""
    holes, _ = ndimage.label(labels == SEA)
    sizes = np.bincount(holes.ravel())
    for h, place in enumerate(ndimage.find_objects(holes), 1):
        if sizes[h] >= PUDDLE or place is None:
            continue
        wide = tuple(slice(max(0, s.start - 2), s.stop + 2) for s in place)
        inside, hole = labels[wide], holes[wide] == h
        nearest = ndimage.distance_transform_edt(
            inside == SEA, return_distances=False, return_indices=True
        )
        dry = np.where(hole, inside[tuple(nearest)], inside)
        if contacts(dry, 0) <= allowed:
            labels[wide] = dry
    return labels


def contacts(labels: np.ndarray, more_than: int = TOUCH - 1) -> Pairs:
    """Which territories touch along more than so many sides of cells."""
    pairs: dict[tuple[int, int], int] = {}
    for a, b in ((labels[:, :-1], labels[:, 1:]), (labels[:-1], labels[1:])):
        differ = (a != b) & (a != SEA) & (b != SEA)
        for p, q in zip(a[differ].tolist(), b[differ].tolist(), strict=True):
            pair = min(p, q), max(p, q)
            pairs[pair] = pairs.get(pair, 0) + 1
    return {pair for pair, n in pairs.items() if n > more_than}


# --- borders ---

Sides = dict[tuple[int, int], tuple[int, int]]  # from corner to corner: right and left of it


def borders(labels: np.ndarray) -> Sides:
    """The sides of cells between two territories or at the sea; corners are numbered by rows."""
    wide = labels.shape[1] + 1
    sides: Sides = {}
    padded = np.pad(labels, 1, constant_values=SEA)
    for r, c in zip(*np.nonzero(padded[1:, 1:-1] != padded[:-1, 1:-1]), strict=True):
        above, below = int(padded[r, c + 1]), int(padded[r + 1, c + 1])
        p, q = int(r * wide + c), int(r * wide + c + 1)
        sides[p, q], sides[q, p] = (below, above), (above, below)
    for r, c in zip(*np.nonzero(padded[1:-1, 1:] != padded[1:-1, :-1]), strict=True):
        left, right = int(padded[r + 1, c]), int(padded[r + 1, c + 1])
        p, q = int(r * wide + c), int((r + 1) * wide + c)
        sides[p, q], sides[q, p] = (left, right), (right, left)
    return sides


class Paths:
    """Smooth curves along the sides of cells.

    A corner moves by its neighbours on all borders, and junctions of three stay sharp: so what two
    territories share is the same curve in both outlines.
    """

    def __init__(self, sides: Sides) -> None:
        self.sides = sides
        self.ahead: dict[int, list[int]] = {}
        self.right: dict[int, list[tuple[int, int]]] = {}  # the sides with a territory right of it
        for (p, q), (right, _) in sides.items():
            self.ahead.setdefault(p, []).append(q)
            self.right.setdefault(right, []).append((p, q))
        self.place = self.smoothed()
        self.junctions = {corner for corner, to in self.ahead.items() if len(to) != 2}
        self.kept = self.thinned()
        self.place |= dict(self.on_coast())

    def smoothed(self) -> dict[int, Point]:
        """Where corners lie once the stairs are taken out."""
        wide = (WIDTH + 2 * MARGIN) // CELL + 1
        numbers = {corner: n for n, corner in enumerate(self.ahead)}
        p, q = np.array([(numbers[a], numbers[b]) for a, b in self.sides]).T
        corners = np.array(list(self.ahead))
        place = np.stack([corners % wide, corners // wide], axis=1) * float(CELL) - MARGIN
        degree = np.bincount(p)[:, None]
        for _ in range(SMOOTHING):
            total = np.zeros_like(place)
            np.add.at(total, p, place[q])
            place = (place + total / degree) / 2
        return {corner: tuple(place[n].tolist()) for corner, n in numbers.items()}

    def thinned(self) -> set[int]:
        """Junctions, and every third corner on the way from one to the next."""
        kept, done = set(self.junctions), set(self.junctions)
        for start in sorted(self.junctions):
            for second in self.ahead[start]:
                kept |= self.every_third(start, second, done)
        for start in sorted(self.ahead):  # rings without a junction
            if start not in done:
                done.add(start)
                kept |= {start} | self.every_third(start, self.ahead[start][0], done)
        return kept

    def every_third(self, start: int, at: int, done: set[int]) -> set[int]:
        before, way = start, []
        while at not in done:
            done.add(at)
            way.append(at)
            before, at = at, next((n for n in self.ahead[at] if n != before), start)
        return set(way[KEEP_EVERY // 2 :: KEEP_EVERY])

    def on_coast(self) -> Iterator[tuple[int, Point]]:
        """Where borders meet the sea the coast goes on smoothly."""
        for corner in self.junctions:
            ends = []
            for at in self.ahead[corner]:
                if SEA in self.sides[corner, at]:
                    before = corner
                    while at not in self.kept:
                        before, at = at, next(n for n in self.ahead[at] if n != before)
                    ends.append(self.place[at])
            if len(ends) == 2:
                yield corner, between(*ends)

    def rings(self, group: set[int]) -> Iterator[list[int]]:
        """The borders around some territories, holes included; always turning the same way."""
        ahead: dict[int, list[int]] = {}
        for t in group:
            for p, q in self.right.get(t, ()):
                if self.sides[p, q][1] not in group:
                    ahead.setdefault(p, []).append(q)
        while ahead:
            start = min(ahead)
            ring, at = [], start
            while at in ahead:
                ring.append(at)
                to = ahead[at].pop()
                if not ahead[at]:
                    del ahead[at]
                at = to
            yield ring

    def outline(self, group: set[int]) -> str:
        """A path around some territories: through junctions, else bent towards the corners."""
        return "".join(self.curve(ring) for ring in self.rings(group))

    def curve(self, ring: Sequence[int]) -> str:
        corners = [c for c in ring if c in self.kept]
        if len(corners) < 4:
            corners = list(ring)
        points = [(self.place[c], c in self.junctions) for c in corners]
        ends = [
            q if fixed else p if sharp else between(p, q)
            for (p, sharp), (q, fixed) in zip(points, points[1:] + points[:1], strict=True)
        ]
        drawn = [f"M{text(ends[-1])}"]
        for (p, sharp), end in zip(points, ends, strict=True):
            if not sharp:
                drawn.append(f"Q{text(p)} {text(end)}")
            elif end != p:
                drawn.append(f"L{text(end)}")
        return "".join([*drawn, "Z"])


# --- places ---


def roomiest(labels: np.ndarray) -> Iterator[Point]:
    """Where armies have the most room: they are wider than high, and like the middle."""
    for t, place in enumerate(ndimage.find_objects(labels + 1)):
        mask = np.pad(labels[place] == t, 1)
        high = mask.repeat(2, axis=0)  # so that what is wide counts as round
        room = ndimage.distance_transform_edt(high)[::2] * CELL
        y, x = np.nonzero(mask)
        off = np.hypot(x - x.mean(), y - y.mean()) * CELL
        best = int(np.argmax(np.minimum(room[y, x], 44) - 0.22 * off))
        yield _point(x[best] + place[1].start - 1, y[best] + place[0].start - 1)


#: The room that the name of a continent takes, and how far it may be from it.
NAME_BOX, NAME_FAR = (180, 40), 120


def rooms_for_names(
    labels: np.ndarray, groups: Sequence[set[int]], places: Sequence[Point]
) -> Iterator[Point]:
    """Open sea beside each continent with room for its name, or else a free place on its land."""
    wide, high = (2 * math.ceil(size / CELL / 2) + 1 for size in NAME_BOX)
    taken = ndimage.maximum_filter(labels != SEA, (high, wide), mode="constant", cval=True)
    x, y = cells()
    armies = np.min([np.hypot(x - px, y - py) for px, py in places], axis=0)
    for group in groups:
        mine = np.isin(labels, list(group))
        far = ndimage.distance_transform_edt(~mine) * CELL
        rows, columns = np.nonzero(mine)
        off = np.hypot(x - x[0, 0] - columns.mean() * CELL, y - y[0, 0] - rows.mean() * CELL)
        score = np.where(taken | (far > NAME_FAR), np.inf, far + 0.4 * off)
        if not np.isfinite(score).any():
            score = np.where(mine, 0.15 * off - np.minimum(armies, 60), np.inf)
        r, c = (int(n) for n in np.unravel_index(int(np.argmin(score)), labels.shape))
        taken[max(0, r - high) : r + high + 1, max(0, c - wide) : c + wide + 1] = True
        yield _point(c, r)


def _point(column: int, row: int) -> Point:
    return float(column * CELL + CELL / 2 - MARGIN), float(row * CELL + CELL / 2 - MARGIN)


def frame(labels: np.ndarray, names: Sequence[Point]) -> tuple[int, int, int, int]:
    """The part of the plane that land, its shoals and all names fill."""
    rows, columns = np.nonzero(labels != SEA)
    xs = [float(v) * CELL - MARGIN for v in (columns.min(), columns.max() + 1)]
    ys = [float(v) * CELL - MARGIN for v in (rows.min(), rows.max() + 1)]
    left = min(xs[0] - 40, *(x - NAME_BOX[0] / 2 for x, _ in names))
    right = max(xs[1] + 40, *(x + NAME_BOX[0] / 2 for x, _ in names))
    top = min(ys[0] - 36, *(y - NAME_BOX[1] / 2 for _, y in names))
    bottom = max(ys[1] + 36, *(y + NAME_BOX[1] / 2 for _, y in names))
    return round(left), round(top), round(right - left), round(bottom - top)


def between(p: Point, q: Point) -> Point:
    return (p[0] + q[0]) / 2, (p[1] + q[1]) / 2


def text(p: Point) -> str:
    return f"{p[0]:.1f} {p[1]:.1f}"
