"""The artwork of London, made once: ``python -m kostka.games.scotlandyard.art`` writes art.json.

A river is led past the stations, parks fill the largest gaps, streets divide the rest into blocks,
and every line is bent so that it keeps clear of the stations that it does not serve. Nothing here
is needed to play or to draw; it is kept so that the picture can be made again, and differently.
"""

import heapq
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from scipy.ndimage import gaussian_filter1d
from scipy.spatial import Voronoi, cKDTree

HERE = Path(__file__).parent

#: The map is drawn in twice the units of its coordinates, so that whole numbers are fine enough.
SCALE = 2
WIDE, HIGH = 2000, 1500

#: What lines keep from the middle of a station that is not theirs, and two lines of one pair apart.
CLEAR, APART = 34, 17

#: How much that matters for lines of each kind, in the order in which they are laid.
CARE = {"taxi": 0.04, "bus": 0.04, "underground": 0.16}

#: The ferry's stops from the sea to the hills; the river runs on from there to the edges.
FERRY = (108, 115, 157, 194)
SOURCE, MOUTH = (470, HIGH + 22), (WIDE + 22, 800)
CELL = 8

DISTRICTS, BLOCK, LANE = 46, 2300, 3.4
PARKS, GREEN, PARKS_APART = 13, 92, 250

#: The rim of a station's sign.
SIGN = 20
SEED = 7

Points = np.ndarray


def stations(known: dict[str, Any]) -> dict[int, Points]:
    """Where the stations stand in the drawing."""
    return {n: np.array(p) * SCALE for n, p in enumerate(known["coordinates"], 1)}


# --- the river ---


def river(at: dict[int, Points]) -> tuple[Points, Points, list[int]]:
    """The middle of the river, half its width there, and where along it the ferry's stops are."""
    others = cKDTree([p for n, p in at.items() if n not in FERRY])
    stops = [np.array(MOUTH), *(at[n] for n in FERRY), np.array(SOURCE)]
    legs = [way(a, b, others) for a, b in pairwise(stops)]
    line = np.concatenate(legs)
    marks = np.cumsum([0, *map(len, legs)])[1:-1]
    smooth = gaussian_filter1d(line, 11, axis=0, mode="nearest")
    for k, n in zip(marks, FERRY, strict=True):
        pull = np.exp(-(((np.arange(len(line)) - k) / 16.0) ** 2))[:, None]
        smooth += 0.5 * pull * (at[n] - smooth[k])
    smooth = gaussian_filter1d(smooth, 8, axis=0, mode="nearest")
    ends = smooth[0] - smooth[12], smooth[-1] - smooth[-13]
    smooth = np.concatenate([smooth[:1] + 1.5 * ends[0], smooth, smooth[-1:] + 1.5 * ends[1]])
    room = others.query(smooth)[0] - 25
    width = gaussian_filter1d(np.clip(room, 24, 44), 8, mode="nearest")
    return smooth, width, [int(k) + 1 for k in marks]


def way(start: Points, end: Points, others: cKDTree) -> Points:
    """The way between two places that keeps away from stations, by Dijkstra on a lattice."""
    columns, rows = WIDE // CELL + 8, HIGH // CELL + 8
    middles = np.stack(np.meshgrid(np.arange(columns), np.arange(rows), indexing="ij"), -1)
    near = others.query(middles * CELL - 3 * CELL)[0]
    toll = 1 + 14 * np.exp(-((near / 46) ** 2))
    first, last = (tuple(((p + 3 * CELL) // CELL).astype(int)) for p in (start, end))
    best, back = {first: 0.0}, {}
    heap = [(0.0, first)]
    while heap:
        cost, here = heapq.heappop(heap)
        if here == last:
            break
        if cost > best[here]:
            continue
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                there = here[0] + dx, here[1] + dy
                if not (0 <= there[0] < columns and 0 <= there[1] < rows):
                    continue
                price = cost + toll[there] * float(np.hypot(dx, dy))
                if price < best.get(there, np.inf):
                    best[there], back[there] = price, here
                    heapq.heappush(heap, (price, there))
    path = [last]
    while path[-1] != first:
        path.append(back[path[-1]])
    return np.array(path[::-1]) * CELL - 3.0 * CELL


def banks(line: Points, width: Points) -> Points:
    """The outline of the river."""
    along = np.gradient(line, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    across = np.stack([-along[:, 1], along[:, 0]], 1) * width[:, None]
    return np.concatenate([(line + across)[::4], (line - across)[::-4]])


# --- lines ---


def bent(
    at: dict[int, Points], lines: dict[str, list[list[int]]]
) -> dict[str, dict[str, list[list[int]]]]:
    """For each kind the lines that are not straight, with the one or two points that bend them."""
    found: dict[str, dict[str, list[list[int]]]] = {}
    taken: dict[tuple[int, int], list[Points]] = {}
    for kind, strictness in CARE.items():
        found[kind] = {}
        for a, b in lines[kind]:
            ways = candidates(at[a], at[b])
            curves = np.array([curve(at[a], w, at[b]) for w in ways])
            near = np.array([p for n, p in at.items() if n not in (a, b)])
            cost = (
                strictness * crowding(curves, near)
                + detour(curves)
                + 3.0 * np.array([*map(len, ways)])
            )
            for other in taken.get((a, b), []):
                gap = np.linalg.norm(curves[:, 8:17] - other[8:17], axis=2).min(axis=1)
                cost += np.clip(APART - gap, 0, None) ** 2
            best = int(cost.argmin())
            taken.setdefault((a, b), []).append(curves[best])
            if len(ways[best]):
                found[kind][f"{a}-{b}"] = ways[best].round().astype(int).tolist()
    return found


def crowding(curves: Points, near: Points) -> Points:
    """How much each curve comes too close to stations that are not its own."""
    gap = np.linalg.norm(curves[:, :, None] - near, axis=3).min(axis=2)
    return (np.clip(CLEAR - gap, 0, None) ** 2).sum(axis=1)


def detour(curves: Points) -> Points:
    """What each curve costs for its length, and for leaving the board."""
    chord = np.linalg.norm(curves[:, -1] - curves[:, 0], axis=1)
    length = np.linalg.norm(np.diff(curves, axis=1), axis=2).sum(axis=1)
    outside = (curves < 12) | (curves > np.array([WIDE, HIGH]) - 12)
    return 900 * (length / chord - 1) + 40 * outside.any(axis=2).sum(axis=1)


def candidates(a: Points, b: Points) -> list[Points]:
    """Ways from one place to another: straight, a bow, or an S."""
    chord = b - a
    side = np.array([-chord[1], chord[0]])
    far = float(np.linalg.norm(chord))
    shares = [k * min(0.08, 24 / far) for k in range(-8, 9)]
    ways = [np.zeros((0, 2))]
    ways += [np.array([(a + b) / 2 + 2 * k * side]) for k in shares if k]
    if far > 170:
        pairs = [(j, k) for j in shares for k in shares if j or k]
        ways += [
            np.array([a + chord / 3 + 1.5 * j * side, a + chord * 2 / 3 + 1.5 * k * side])
            for j, k in pairs
        ]
    return ways


def curve(a: Points, bend: Points, b: Points) -> Points:
    """25 points along a line."""
    t = np.linspace(0, 1, 25)[:, None]
    if len(bend) == 0:
        return a + t * (b - a)
    if len(bend) == 1:
        return (1 - t) ** 2 * a + 2 * t * (1 - t) * bend[0] + t**2 * b
    c, d = bend
    return (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * c + 3 * t**2 * (1 - t) * d + t**3 * b


# --- parks and blocks ---


def parks(streets: Points, wet: Points, width: Points) -> list[Points]:
    """Rounded greens in the largest gaps between the streets."""
    fence = cKDTree(np.concatenate([streets, wet]))
    slack = np.concatenate([np.full(len(streets), 13.0), width + 11])
    spots = np.stack(np.meshgrid(np.arange(40, WIDE - 40, 10), np.arange(40, HIGH - 40, 10)), -1)
    spots = spots.reshape(-1, 2).astype(float)
    far, who = fence.query(spots)
    room = far - slack[who]
    found: list[Points] = []
    middles: list[Points] = []
    for k in np.argsort(-room):
        if len(found) == PARKS or room[k] < 20:
            break
        if all(np.linalg.norm(spots[k] - m) > PARKS_APART for m in middles):
            middles.append(spots[k])
            found.append(green(spots[k], fence, slack))
    return found


def green(middle: Points, fence: cKDTree, slack: Points) -> Points:
    """As far as one may walk from a place in each direction, rounded."""
    angles = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    turn = middle.sum() / 90
    limit = GREEN * (1 + 0.24 * np.cos(2 * angles + turn) + 0.1 * np.cos(3 * angles + 2 * turn))
    reach = np.array(
        [walk(middle, heading(t), far, fence, slack) for t, far in zip(angles, limit, strict=True)]
    )
    reach = np.minimum(gaussian_filter1d(reach, 1.5, mode="wrap"), reach + 4)
    return middle + np.stack([reach * np.cos(angles), reach * np.sin(angles)], 1)


def walk(start: Points, ahead: Points, most: float, fence: cKDTree, slack: Points) -> float:
    """How far one comes from a place before a fence."""
    far = 0.0
    while far < most:
        gap, which = fence.query(start + (far + 4) * ahead)
        if gap < slack[which] + 2:
            break
        far += 4
    return far


def blocks(rng: np.random.Generator, avoid: cKDTree, slack: Points) -> list[Points]:
    """Houses: districts, each divided by lanes at an angle of its own."""
    seeds = rng.uniform((0, 0), (WIDE, HIGH), (DISTRICTS, 2))
    for _ in range(3):
        seeds = np.array([cell.mean(axis=0) for cell in districts(seeds)])
    found = []
    for cell in districts(seeds):
        found += divided(cell, rng.uniform(0, np.pi / 2), rng)
    kept = []
    for piece in found:
        small = shrunk(piece, LANE)
        if small is None:
            continue
        gap, who = avoid.query(small.mean(axis=0))
        if gap > slack[who] + 6:
            kept.append(small)
    return kept


def districts(seeds: Points) -> list[Points]:
    """The Voronoi cells of some places on the board; mirrored at its edges to end there."""
    mirrored = [seeds]
    for axis, edge in ((0, 0), (0, WIDE), (1, 0), (1, HIGH)):
        other = seeds.copy()
        other[:, axis] = 2 * edge - other[:, axis]
        mirrored.append(other)
    v = Voronoi(np.concatenate(mirrored))
    return [v.vertices[v.regions[v.point_region[k]]] for k in range(len(seeds))]


def divided(cell: Points, angle: float, rng: np.random.Generator) -> list[Points]:
    """A convex piece of land in pieces of about a block's size."""
    if area(cell) < BLOCK * rng.uniform(0.6, 1.7):
        return [cell]
    best = max((angle, angle + np.pi / 2), key=lambda t: np.ptp(cell @ heading(t)))
    normal = heading(best)
    low, high = (cell @ normal).min(), (cell @ normal).max()
    at = low + (high - low) * rng.uniform(0.38, 0.62)
    halves = [clipped(cell, normal, at), clipped(cell, -normal, -at)]
    return [piece for half in halves for piece in divided(half, angle, rng)]


def heading(angle: float) -> Points:
    return np.array([np.cos(angle), np.sin(angle)])


def clipped(cell: Points, normal: Points, at: float) -> Points:
    """The part of a convex piece that lies below a line."""
    side = cell @ normal - at
    kept = []
    for k, p in enumerate(cell):
        j = (k + 1) % len(cell)
        if side[k] <= 0:
            kept.append(p)
        if side[k] * side[j] < 0:
            kept.append(p + (cell[j] - p) * side[k] / (side[k] - side[j]))
    return np.array(kept)


def shrunk(cell: Points, by: float) -> Points | None:
    """A convex piece with a lane around it; nothing where it is too small for that."""
    middle = cell.mean(axis=0)
    small = cell
    for k, p in enumerate(cell):
        q = cell[(k + 1) % len(cell)]
        if np.linalg.norm(q - p) < 1e-6:
            continue
        normal = np.array([q[1] - p[1], p[0] - q[0]]) / np.linalg.norm(q - p)
        if (middle - p) @ normal > 0:
            normal = -normal
        small = clipped(small, normal, p @ normal - by)
        if len(small) < 3:
            return None
    return small if area(small) > 260 else None


def area(cell: Points) -> float:
    x, y = cell.T
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2)


# --- as paths ---


def rounded(points: Points) -> str:
    """A closed path of curves through the middles of the sides of a polygon."""
    middles = ((points + np.roll(points, 1, axis=0)) / 2).round().astype(int)
    corners = points.round().astype(int)
    ahead = np.roll(middles, -1, axis=0)
    bows = "".join(f"Q{x} {y} {u} {v}" for (x, y), (u, v) in zip(corners, ahead, strict=True))
    return f"M{middles[0][0]} {middles[0][1]}{bows}Z"


def angular(points: Points) -> str:
    """A closed path of straight sides, each told as a step."""
    whole = points.round().astype(int)
    steps = np.diff(whole, axis=0)
    told = "".join(f"{x}{' ' if y >= 0 else ''}{y}" + " " for x, y in steps).strip()
    return f"M{whole[0][0]} {whole[0][1]}l{told.replace(' -', '-')}z"


# --- all together ---


def make(known: dict[str, Any]) -> dict[str, Any]:
    """All of the artwork, as paths and as points of paths."""
    at = stations(known)
    line, width, stops = river(at)
    lines = bent(at, known["lines"])
    roads = [
        curve(at[a], np.reshape(lines[kind].get(f"{a}-{b}", []), (-1, 2)), at[b])
        for kind in lines
        for a, b in known["lines"][kind]
    ]
    rims = [np.array(list(at.values())) + SIGN * heading(t) for t in np.arange(0, 6.2, 0.8)]
    greens = parks(np.concatenate(roads + rims), line, width)
    lawns = np.concatenate([mix(g, share) for g in greens for share in (0.0, 0.35, 0.7, 0.95)])
    avoid = cKDTree(np.concatenate([line, lawns]))
    slack = np.concatenate([width, np.full(len(lawns), 14.0)])
    houses = blocks(np.random.default_rng(SEED), avoid, slack)
    return {
        "river": rounded(banks(line, width)),
        "parks": [rounded(g) for g in greens],
        "blocks": "".join(map(angular, houses)),
        "ferry": crossings(at, line, stops),
        **lines,
    }


def mix(shape: Points, share: float) -> Points:
    """A shape made smaller around its middle."""
    middle = shape.mean(axis=0)
    return middle + share * (shape - middle)


def crossings(at: dict[int, Points], line: Points, stops: list[int]) -> dict[str, list[list[int]]]:
    """The ferry between its stops, in the middle of the river."""
    found = {}
    for k, (a, b) in enumerate(pairwise(FERRY)):
        between = line[stops[k] + 6 : stops[k + 1] - 5 : 6]
        found[f"{a}-{b}"] = between.round().astype(int).tolist()
    return found


def main() -> None:
    """Make the artwork from the map beside this file, and write it there."""
    known = json.loads((HERE / "london.json").read_text(encoding="utf-8"))
    parts = (f"{json.dumps(k)}: {json.dumps(v)}" for k, v in make(known).items())
    (HERE / "art.json").write_text("{" + ",\n".join(parts) + "}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
