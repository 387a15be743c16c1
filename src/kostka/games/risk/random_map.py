"""A random map: scattered points, neighbours where their cells share a border long enough."""

from math import sqrt

import numpy as np

from kostka.core import bits
from kostka.core.kernels import kernel
from kostka.core.memory import integers
from kostka.core.rng import below, uniform
from kostka.games.risk.state import NOBODY, WILD

WIDTH, HEIGHT = 1000.0, 600.0
MARGIN_X, MARGIN_Y = 50, 45
#: The shortest border that makes two cells neighbours.
SHORTEST = 14.0
#: What a continent is worth: fitted to the six of the classic map.
BONUS_SIZE, BONUS_BORDER = 0.40, 0.42

#: Names are made of a beginning and an ending, and those of continents end in a third part.
BEGINNINGS = (
    "Ar", "Bel", "Cor", "Dal", "El", "Far", "Gor", "Hal", "Ist", "Jor", "Kar", "Lor", "Mar",
    "Nor", "Ost", "Per", "Rav", "Sel", "Tor", "Var",
)  # fmt: skip
ENDINGS = (
    "anda", "bek", "cona", "dria", "eth", "fell", "gard", "heim", "imor", "kesh", "land", "mora",
    "neva", "osk", "pur", "rath", "stan", "tova", "una", "wick",
)  # fmt: skip
LONGEST = 5


def _letters(parts: tuple[str, ...]) -> np.ndarray:
    made = np.zeros((len(parts), LONGEST), np.int64)
    for n, part in enumerate(parts):
        made[n, : len(part)] = list(part.encode())
    return made


BEGIN, FINISH = _letters(BEGINNINGS), _letters(ENDINGS)
PARTS = len(BEGINNINGS)


def continents_of(territories: int) -> int:
    """A continent for every seven territories, and at least two."""
    return max(2, (territories + 3) // 7)


@kernel
def draw_map(s, rng):
    while True:
        scatter(s, rng)
        join(s)
        if connected(s):
            break
    grow_continents(s, rng)
    for i in range(s.territories):
        s.symbol[i] = i % 3
        s.wrap[i] = NOBODY
    s.symbol[s.territories] = s.symbol[s.territories + 1] = WILD
    value_continents(s)
    name_all(s, rng)


@kernel
def scatter(s, rng):
    """Points that keep their distance, as far as there is room."""
    n = s.territories
    least = 0.78 * sqrt(WIDTH * HEIGHT / n)
    for i in range(n):
        while True:
            x = MARGIN_X + int(uniform(rng) * (WIDTH - 2 * MARGIN_X))
            y = MARGIN_Y + int(uniform(rng) * (HEIGHT - 2 * MARGIN_Y))
            free = True
            for j in range(i):
                free = free and (x - s.x[j]) ** 2 + (y - s.y[j]) ** 2 > least * least
            if free:
                s.x[i], s.y[i] = x, y
                break
            least *= 0.995


@kernel
def join(s):
    """Two cells are neighbours where the line between them that belongs to no third is long."""
    n = s.territories
    for i in range(n):
        s.near[i] = bits.none()
    for i in range(n):
        for j in range(i):
            if shared(s, i, j) > SHORTEST:
                s.near[i] = bits.add(s.near[i], j)
                s.near[j] = bits.add(s.near[j], i)


@kernel
def shared(s, i, j):
    """The length of the border between two cells, on the canvas."""
    mx, my = (s.x[i] + s.x[j]) / 2, (s.y[i] + s.y[j]) / 2
    dx, dy = float(s.y[j] - s.y[i]), float(s.x[i] - s.x[j])
    length = sqrt(dx * dx + dy * dy)
    dx, dy = dx / length, dy / length
    low, high = -2000.0, 2000.0
    for side in range(4):  # the canvas: a + b t >= 0
        a = mx if side == 0 else WIDTH - mx if side == 1 else my if side == 2 else HEIGHT - my
        b = dx if side == 0 else -dx if side == 1 else dy if side == 2 else -dy
        low, high = clip(a, b, low, high)
    for k in range(s.territories):
        if k != i and k != j:  # nearer to i than to k
            ex, ey = s.x[k] - s.x[i], s.y[k] - s.y[i]
            hx, hy = (s.x[k] + s.x[i]) / 2, (s.y[k] + s.y[i]) / 2
            low, high = clip((hx - mx) * ex + (hy - my) * ey, -(dx * ex + dy * ey), low, high)
    return max(0.0, high - low)


@kernel
def clip(a, b, low, high):
    """The part of low … high where a + b t is not negative."""
    if abs(b) < 1e-12:
        return (low, high) if a >= 0 else (0.0, 0.0)
    t = -a / b
    return (max(low, t), high) if b > 0 else (low, min(high, t))


@kernel
def connected(s):
    region = front = bits.single(0)
    while not bits.empty(front):
        beyond = bits.none()
        while not bits.empty(front):
            beyond = bits.either(beyond, s.near[bits.first(front)])
            front = bits.rest(front)
        front = bits.minus(beyond, region)
        region = bits.either(region, front)
    return bits.count(region) == s.territories


# --- continents ---


@kernel
def grow_continents(s, rng):
    """Grown from points far from each other; the smallest that can grow takes what is nearest."""
    n = s.territories
    for i in range(n):
        s.continent[i] = NOBODY
    s.continent[below(rng, n)] = 0
    for c in range(1, s.continents):
        s.continent[far_from_all(s, rng)] = c
    for _ in range(n - s.continents):
        chosen, place, smallest = -1, -1, 1e18
        for c in range(s.continents):
            size, i = nearest_beside(s, c)
            if i >= 0:
                size += uniform(rng)
                if size < smallest:
                    chosen, place, smallest = c, i, size
        s.continent[place] = chosen


@kernel
def far_from_all(s, rng):
    best, most = 0, -1.0
    for i in range(s.territories):
        least = 1e18
        for j in range(s.territories):
            if s.continent[j] >= 0:
                least = min(least, float((s.x[i] - s.x[j]) ** 2 + (s.y[i] - s.y[j]) ** 2))
        least *= 0.75 + 0.5 * uniform(rng)
        if s.continent[i] < 0 and least > most:
            best, most = i, least
    return best


@kernel
def nearest_beside(s, c):
    """The size of a continent, and what it would take next; -1 where it cannot grow."""
    size, mx, my, here = 0.0, 0.0, 0.0, bits.none()
    for i in range(s.territories):
        if s.continent[i] == c:
            size += 1.0
            mx += s.x[i]
            my += s.y[i]
            here = bits.add(here, i)
    best, nearest = -1, 1e18
    for i in range(s.territories):
        if s.continent[i] < 0 and not bits.empty(bits.both(s.near[i], here)):
            distance = (s.x[i] - mx / size) ** 2 + (s.y[i] - my / size) ** 2
            if distance < nearest:
                best, nearest = i, distance
    return size, best


@kernel
def value_continents(s):
    """By size and by how many territories are to be defended."""
    for c in range(s.continents):
        size = borders = 0
        for i in range(s.territories):
            if s.continent[i] == c:
                size += 1
                outside, left = False, s.near[i]
                while not bits.empty(left):
                    outside = outside or s.continent[bits.first(left)] != c
                    left = bits.rest(left)
                borders += outside
        s.bonus[c] = max(1, int(BONUS_SIZE * size + BONUS_BORDER * borders + 0.5))


# --- names ---


@kernel
def name_all(s, rng):
    """Everything gets a name of its own; ids are the same in small letters."""
    used = integers(512)
    for n in range(PARTS * PARTS):
        used[n] = 0
    for i in range(s.territories + s.continents):
        k = below(rng, PARTS * PARTS)
        while used[k] == 1:
            k = below(rng, PARTS * PARTS)
        used[k] = 1
        if i < s.territories:
            write_name(s.ids[i], s.names[i], k)
        else:
            c = i - s.territories
            write_name(s.continent_ids[c], s.continent_names[c], k)


@kernel
def write_name(id, name, k):
    at = 0
    for part in range(2):
        for n in range(LONGEST):
            letter = BEGIN[k // PARTS, n] if part == 0 else FINISH[k % PARTS, n]
            if letter > 0:
                name[at] = letter
                id[at] = letter + 32 if letter < 97 else letter
                at += 1
