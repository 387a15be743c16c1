"""What a game's log tells of hidden cards, and every world that it leaves possible.

Nothing here knows how the game keeps count: a log is what changed for everybody to see, and every
kind of every theft that a viewer did not see is tried in one replay after another.
"""

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np

from kostka.core.rng import stream
from kostka.core.state import CHANCE, State

#: In the order of their kinds: knights, road building, year of plenty, monopoly, victory points.
DEVELOPMENTS = (14, 2, 2, 2, 5)
RESOURCES = ("wood", "brick", "wool", "grain", "ore")

#: Of a log: ("gain", p, r, n), ("lose", p, r, n), ("shows", p, r, n), ("none", p, r),
#: ("theft", thief, robbed, card).
Log = list[tuple]


class Chronicle:
    """A random game with all that is public written down, and who saw which card."""

    def __init__(self, state: State, seed: int) -> None:
        self.state = state
        self.lot, self.luck = random.Random(seed), stream(seed, "luck")
        self.log: Log = []
        self.bought = [0] * state.players
        self.played: list[list[int]] = [[] for _ in range(state.players)]
        #: Who went on playing in his own turn, with how many cards bought and played by then, and
        #: the most victory points he can have held.
        self.went_on: list[tuple[int, int, int, int]] = []

    def step(self) -> None:
        """One event by lot, as it is told to everybody."""
        s = self.state
        code = s.draw(self.luck) if s.mover == CHANCE else self.lot.choice(s.legal_actions)
        text, phase = s.text(code), s.phase
        hands, devs = s.record.hand.astype(int), s.record.dev.astype(int)
        player, victim, chosen = (int(s.record[f]) for f in ("player", "victim", "chosen"))
        s.apply(code)
        if phase == "steal":
            self.log.append(("theft", player, victim, code))
        else:
            change = s.record.hand.astype(int) - hands
            for word, sign in (("lose", -1), ("gain", 1)):
                for p, r in np.argwhere(sign * change > 0):
                    self.log.append((word, int(p), int(r), abs(int(change[p, r]))))
        if phase == "monopoly":
            self.log.append(("none", victim, chosen))
        if text.startswith("give "):
            r = RESOURCES.index(text[5:])
            self.log.append(("shows", player, r, int(s.record.give[r])))
        self.bought[player] += phase == "draw"
        self.played[player] += np.flatnonzero(s.record.dev[player] < devs[player]).tolist()
        if s.phase not in ("found settlement", "found road", "over"):
            p = int(s.record.player)
            most = int(s.record.target) - 1 - points(s, p)
            self.went_on.append((p, self.bought[p], len(self.played[p]), most))


def points(s: State, p: int) -> int:
    """A player's points that all can see."""
    r = s.record
    built = int(r.settlements[p]).bit_count() + 2 * int(r.cities[p]).bit_count()
    return built + 2 * int(r.road_holder == p) + 2 * int(r.army_holder == p)


# --- hands ---


def unseen(log: Log, viewer: int) -> int:
    """How many thefts a viewer took no part in."""
    return sum(e[0] == "theft" and viewer not in e[1:3] for e in log)


def worlds(log: Log, viewer: int, players: int) -> dict[bytes, float]:
    """Every possible world, as the hands now, with its probability."""
    found: Counter[bytes] = Counter()
    for kinds in product(range(5), repeat=unseen(log, viewer)):
        hands, weight = replayed(log, viewer, iter(kinds), players)
        if weight:
            found[hands.tobytes()] += weight
    total = sum(found.values())
    return {hands: weight / total for hands, weight in found.items()}


def replayed(log: Log, viewer: int, kinds: Iterator[int], players: int) -> tuple[Any, float]:
    """The hands if the thefts the viewer did not see were of these kinds, and how likely it is."""
    hand, weight = [[0] * 5 for _ in range(players)], 1.0
    for what, p, r, *n in log:
        if what == "gain":
            hand[p][r] += n[0]
            continue
        possible = True
        if what == "theft":
            thief, robbed, card = p, r, n[0]
            if viewer not in (thief, robbed):
                card = next(kinds)
            possible = hand[robbed][card] > 0
            weight *= hand[robbed][card] / max(1, sum(hand[robbed]))
            hand[robbed][card] -= 1
            hand[thief][card] += 1
        elif what == "lose":
            hand[p][r] -= n[0]
            possible = hand[p][r] >= 0
        elif what == "none":
            possible = hand[p][r] == 0
        else:
            possible = hand[p][r] >= n[0]
        if not possible:
            return None, 0.0
    return np.array(hand), weight


# --- development cards ---


def deals(game: Chronicle, viewer: int) -> dict[tuple[int, ...], float]:
    """How many victory points each of the others can hold, with the probability.

    Each card in a hand is as likely to be any that the viewer has not seen; but whoever went on
    playing did not hold victory points enough to win. Which card was played nobody can tell: it is
    taken for the oldest.
    """
    s = game.state
    left = list(DEVELOPMENTS)
    for kind in itertools.chain(*game.played):
        left[kind] -= 1
    if viewer >= 0:
        left = [n - int(have) for n, have in zip(left, s.record.dev[viewer], strict=True)]
    others = [p for p in range(s.players) if p != viewer]
    held = [game.bought[p] - len(game.played[p]) for p in others]
    slots, plain = sum(held), sum(left[:4])
    found: Counter[tuple[int, ...]] = Counter()
    for where in (w for n in range(left[4] + 1) for w in combinations(range(slots), n)):
        hands = [[first + i in where for i in range(n)] for first, n in starts(held)]
        if all(goes_on(game, p, hand) for p, hand in zip(others, hands, strict=True)):
            rest, points_left = plain + left[4] - slots, left[4] - len(where)
            found[tuple(map(sum, hands))] += comb(rest, points_left)
    total = sum(found.values())
    return {counts: weight / total for counts, weight in found.items()}


def starts(sizes: list[int]) -> list[tuple[int, int]]:
    """Where each of several runs begins, and how long it is."""
    return [(sum(sizes[:i]), n) for i, n in enumerate(sizes)]


def goes_on(game: Chronicle, p: int, hand: list[bool]) -> bool:
    """Whether a hand, oldest card first, never was enough to win."""
    for who, bought, played, most in game.went_on:
        if who == p:
            since = len(game.played[p]) - played
            if sum(hand[: max(0, bought - played - since)]) > most:
                return False
    return True
