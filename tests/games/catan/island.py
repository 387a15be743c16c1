"""Positions of Catan made by hand on the beginner's island, in the words of the notation."""

from collections.abc import Mapping

import numpy as np

from kostka.core import rules
from kostka.core.game import game
from kostka.core.state import State
from kostka.games.catan.actions import LETTERS
from kostka.games.catan.board import EDGE_AT, EDGE_NODE, NEAR, NODES, RESOURCES
from kostka.games.catan.state import CARDS, MAIN, PHASES

Pieces = Mapping[int, list[int] | list[str]]
NONE: Mapping = {}


def position(
    phase: str = PHASES[MAIN],
    settlements: Pieces = NONE,
    cities: Pieces = NONE,
    roads: Pieces = NONE,
    hands: Mapping[int, str] = NONE,
    devs: Mapping[int, list[str]] = NONE,
    knights: Mapping[int, int] = NONE,
    robber_at: str = "J",
    **options,
) -> State:
    """Player 0 is on turn and has rolled; whoever is not named has nothing on the board."""
    state = game("catan").new(seed=1, **{"map": "beginner", **options})
    s = state.record
    s.phase, s.founded, s.dice = PHASES.index(phase), 2 * s.players, 6
    s.rolled = phase not in ("before the roll", "dice")
    s.last, s.robber = -1, LETTERS.index(robber_at)
    for p in range(s.players):
        for v in settlements.get(p, []):
            build(s, p, int(v), s.settlements, s.settlements_left)
        for v in cities.get(p, []):
            build(s, p, int(v), s.cities, s.cities_left)
        for name in roads.get(p, []):
            u, v = map(int, str(name).split("-"))
            s.road[EDGE_AT[min(u, v), max(u, v)]] = p + 1
            s.reached[p] |= np.uint64((1 << u) | (1 << v))
            s.roads_left[p] -= 1
        for r, n in cards(hands.get(p, "")).items():
            s.hand[p, r] += n
            s.known[p, r] += n
            s.bank[r] -= n
            s.cards[p] += n
        for name in devs.get(p, []):
            deal(s, p, CARDS.index(name))
        for _ in range(knights.get(p, 0)):
            s.deck[0] -= 1
            s.deck_left -= 1
            s.gone[0] += 1
            s.knights[p] += 1
    for p in range(s.players):
        s.length[p] = longest(s, p)
    best = [p for p in range(s.players) if s.length[p] == max(s.length) >= 5]
    s.road_holder = best[0] if len(best) == 1 else -1
    army = [p for p in range(s.players) if s.knights[p] == max(s.knights) >= 3]
    s.army_holder = army[0] if len(army) == 1 else -1
    assert rules.plausible(s)
    return state


def build(s, p, v, where, left):
    where[p] |= np.uint64(1 << v)
    s.built |= np.uint64(1 << v)
    s.free &= ~NEAR[v]
    left[p] -= 1
    if s.harbour[v] == 5:
        s.rate[p] = np.minimum(s.rate[p], 3)
    elif s.harbour[v] >= 0:
        s.rate[p, s.harbour[v]] = 2


def deal(s, p, kind):
    s.deck[kind] -= 1
    s.deck_left -= 1
    s.dev[p, kind] += 1
    s.devs[p] += 1


def cards(text: str) -> dict[int, int]:
    """``2 wool + ore`` as numbers by kind."""
    found = {}
    for part in filter(None, text.split(" + ")):
        n, _, name = part.rpartition(" ")
        found[RESOURCES.index(name)] = int(n or 1)
    return found


def hand(state: State, p: int) -> str:
    """A hand in words, the opposite of ``cards``."""
    counts = zip(RESOURCES, state.record.hand[p], strict=True)
    return " + ".join(f"{n} {name}" if n > 1 else name for name, n in counts if n)


def play(state: State, *texts: str) -> State:
    """Actions and outcomes, one after the other."""
    for text in texts:
        state.apply(text)
    return state


def legal(state: State) -> set[str]:
    return {state.text(a) for a in state.legal_now()}


# --- the longest road, by plain recursion ---


def longest(s, p) -> int:
    """The longest trail of a player's roads that passes nobody else's building."""
    own = int(s.settlements[p]) | int(s.cities[p])
    foreign = int(s.built) & ~own
    ends: dict[int, list[tuple[int, int]]] = {v: [] for v in range(NODES)}
    for e, (u, v) in enumerate(EDGE_NODE):
        if s.road[e] == p + 1:
            ends[int(u)].append((e, int(v)))
            ends[int(v)].append((e, int(u)))

    def from_here(v: int, used: frozenset, first: bool) -> int:
        if foreign >> v & 1 and not first:
            return 0
        ways = (1 + from_here(w, used | {e}, False) for e, w in ends[v] if e not in used)
        return max(ways, default=0)

    return max(from_here(v, frozenset(), True) for v in range(NODES))
