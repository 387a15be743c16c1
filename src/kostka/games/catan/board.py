"""The island: 19 hexes, 54 intersections, 72 paths and 9 harbours, the same in every game.

Intersections are points of a lattice: a hex (q, r) has its centre at (2q + r, 3r) and its corners
around it; x counts in units of √3/2 of a hex's size, y in halves of it, and y grows downwards.
Everything is numbered row by row from the top, and kernels may freeze all of it.
"""

import numpy as np

#: The corners of a hex around its centre, clockwise from the top.
CORNERS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))

HEXES = [(q, r) for r in range(-2, 3) for q in range(-2, 3) if abs(q + r) <= 2]
CENTRES = [(2 * q + r, 3 * r) for q, r in HEXES]
POINTS = sorted({(x + dx, y + dy) for x, y in CENTRES for dx, dy in CORNERS}, key=lambda p: p[::-1])
NODE_AT = {point: n for n, point in enumerate(POINTS)}
EDGES = sorted(
    {
        tuple(sorted((NODE_AT[x + a, y + b], NODE_AT[x + c, y + d])))
        for x, y in CENTRES
        for (a, b), (c, d) in zip(CORNERS, CORNERS[1:] + CORNERS[:1], strict=True)
    }
)
NODES, PATHS, LAND = len(POINTS), len(EDGES), len(HEXES)
EDGE_AT = {edge: e for e, edge in enumerate(EDGES)}

HEX_NODE = np.array([[NODE_AT[x + a, y + b] for a, b in CORNERS] for x, y in CENTRES])
EDGE_NODE = np.array(EDGES)

DEGREE = np.zeros(NODES, np.int64)
NODE_EDGE = np.zeros((NODES, 3), np.int64)  # the paths at an intersection,
NODE_NODE = np.zeros((NODES, 3), np.int64)  # where they lead,
BACK = np.zeros((NODES, 3), np.int64)  # and which of its own paths leads back from there
for e, (u, v) in enumerate(EDGES):
    for a, b in ((u, v), (v, u)):
        NODE_EDGE[a, DEGREE[a]], NODE_NODE[a, DEGREE[a]] = e, b
    BACK[u, DEGREE[u]], BACK[v, DEGREE[v]] = DEGREE[v], DEGREE[u]
    DEGREE[u] += 1
    DEGREE[v] += 1

#: As sets: the corners of a hex; an intersection with its neighbours.
CORNER_SET = np.array([sum(1 << int(n) for n in row) for row in HEX_NODE], np.uint64)
NEAR = np.array(
    [(1 << n) | sum(1 << int(m) for m in NODE_NODE[n, : DEGREE[n]]) for n in range(NODES)],
    np.uint64,
)

#: The hexes at an intersection, -1 where there is sea.
NODE_HEX = np.full((NODES, 3), -1, np.int64)
for h in range(LAND):
    for n in HEX_NODE[h]:
        NODE_HEX[n, int(np.argmax(NODE_HEX[n] < 0))] = h

#: The directions round the island, counter-clockwise from its eastern corner.
RING = ((0, -1), (-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1))
#: The hexes beside a hex, -1 where there is sea.
BESIDE = np.array(
    [
        [HEXES.index((q + a, r + b)) if (q + a, r + b) in HEXES else -1 for a, b in RING]
        for q, r in HEXES
    ]
)


def spiral() -> list[int]:
    """From a corner hex round the coast and inwards, as the letters of the tokens are laid."""
    found = []
    for radius in (2, 1):
        q, r = radius, 0
        for dq, dr in RING:
            for _ in range(radius):
                found.append(HEXES.index((q, r)))
                q, r = q + dq, r + dr
    return [*found, HEXES.index((0, 0))]


SPIRAL = np.array(spiral())
#: Hexes of the coast and of the ring within; each has as many corners as the island.
OUTER, INNER, SIDES = 12, 6, 6

#: The two intersections of each harbour, clockwise from the north-west.
HARBOURS = np.array(
    [
        [NODE_AT[a], NODE_AT[b]]
        for a, b in (
            ((-3, -7), (-2, -8)), ((0, -8), (1, -7)), ((3, -5), (4, -4)), ((5, -1), (5, 1)),
            ((4, 4), (3, 5)), ((1, 7), (0, 8)), ((-2, 8), (-3, 7)), ((-4, 4), (-4, 2)),
            ((-4, -2), (-4, -4)),
        )
    ]
)  # fmt: skip
PORTS = len(HARBOURS)

#: What hexes bring; the desert brings nothing. A harbour for anything has the desert's number.
WOOD, BRICK, WOOL, GRAIN, ORE, DESERT = range(6)
ANYTHING = DESERT
RESOURCES = ("wood", "brick", "wool", "grain", "ore")
KINDS = len(RESOURCES)
#: What is shuffled: terrain and harbours; and the tokens in the order of their letters, A to R.
TERRAIN = np.array([WOOD] * 4 + [BRICK] * 3 + [WOOL] * 4 + [GRAIN] * 4 + [ORE] * 3 + [DESERT])
HARBOUR_KINDS = np.array([ANYTHING] * 4 + [WOOD, BRICK, WOOL, GRAIN, ORE])
TOKENS = np.array([5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11])
