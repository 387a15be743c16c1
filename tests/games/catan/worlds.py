"""What a game's log tells of hidden cards, and every world that it leaves possible.

Nothing here knows how the game keeps count: a log is what changed for everybody to see, and every
kind of every theft that a viewer did not see is tried in one replay after another.
"""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import comb
from typing import Any

import numpy as np

from kostka.core.rng import stream
from kostka.core.state import CHANCE, State

#: In the order of their kinds: knights, road building, year of plenty, monopoly, victory points.
DEVELOPMENTS = (14, 2, 2, 2, 5)

#: Of a log: ("gain", p, r, n), ("lose", p, r, n), ("shows", p, r, n), ("none", p, r),
#: ("theft", thief, robbed, card).
Log = list[tuple]


class Chronicle:
    """A random game, with all that is public written down, and who saw which card."""

    def __init__(self, state: State, seed: int) -> None:
        self.state = state
        self.lot, self.luck = random.Random(seed), stream(seed, "luck")
        self.log: Log = []
        #: Of each player the development cards bought, as (turn, kind), and kinds played.
        self.bought: list[list[tuple[int, int]]] = [[] for _ in range(state.players)]
        self.played: list[list[tuple[int, int]]] = [[] for _ in range(state.players)]
        #: After whose turn, with how many cards bought until then, somebody lacked how many points.
        self.unfinished: list[tuple[int, int, int, int]] = []

    def step(self) -> None:
        """One event by lot, as it is told to everybody."""
        s = self.state
        code = s.draw(self.luck) if s.mover == CHANCE else self.lot.choice(s.legal_actions)
        text, phase = s.text(code), s.phase
        before, player, turn = s.record.hand.astype(int), int(s.record.player), int(s.record.turn)
        victim, chosen = int(s.record.victim), int(s.record.chosen)
        devs, points = s.record.dev.astype(int), public(s)
        s.apply(code)
        if phase == "steal":
            self.log.append(("theft", player, victim, code))
            return
        change = s.record.hand.astype(int) - before
        for p, r in np.argwhere(change < 0):
            self.log.append(("lose", int(p), int(r), -int(change[p, r])))
        for p, r in np.argwhere(change > 0):
            self.log.append(("gain", int(p), int(r), int(change[p, r])))
        if phase == "monopoly":
            self.log.append(("none", victim, chosen))
        if text.startswith("give "):
            r = int(code) % 1000
            r = ("wood", "brick", "wool", "grain", "ore").index(text[5:])
            self.log.append(("shows", player, r, int(s.record.give[r])))
        if phase == "draw":
            self.bought[player].append((turn, code))
        for kind in np.flatnonzero(s.record.dev[player] < devs[player]):
            self.played[player].append((turn, int(kind)))
        if not s.over:
            # Nobody who is still to play in his own turn has won by now.
            held = len(self.bought[player]) - len(self.played[player])
            self.unfinished.append((player, turn, held, points[player]))


def public(s: State) -> list[int]:
    """The points of everybody that all can see."""
    r = s.record
    return [
        5 - int(r.settlements_left[p]) + 8 - 2 * int(r.cities_left[p])
        + 2 * (r.road_holder == p) + 2 * (r.army_holder == p)
        for p in range(r.players)
    ]  # fmt: skip


def unseen(log: Log, viewer: int) -> list[tuple]:
    return [e for e in log if e[0] == "theft" and viewer not in e[1:3]]


def worlds(log: Log, viewer: int, players: int) -> dict[bytes, float]:
    """Every possible world, as the hands now, with its probability."""
    found: Counter[bytes] = Counter()
    for kinds in product(range(5), repeat=len(unseen(log, viewer))):
        hands, weight = replayed(log, viewer, iter(kinds), players)
        if weight:
            found[hands.tobytes()] += weight
    total = sum(found.values())
    return {hands: weight / total for hands, weight in found.items()}


def replayed(log: Log, viewer: int, kinds: Iterator[int], players: int) -> tuple[Any, float]:
    """The hands if the thefts the viewer did not see were of these kinds, and how likely it is."""
    hand, weight = np.zeros((players, 5), int), 1.0
    for what, p, r, *n in log:
        if what == "theft":
            thief, robbed, card = p, r, n[0]
            if viewer not in (thief, robbed):
                card = next(kinds)
            weight *= hand[robbed, card] / max(1, hand[robbed].sum())
            hand[robbed, card] -= 1
            hand[thief, card] += 1
        elif what == "gain":
            hand[p, r] += n[0]
        elif what == "lose":
            hand[p, r] -= n[0]
        if what == "none" and hand[p, r] or what == "shows" and hand[p, r] < n[0]:
            weight = 0.0
        if weight == 0.0 or hand.min() < 0:
            return hand, 0.0
    return hand, weight


def deals(chronicle: Chronicle, viewer: int) -> dict[tuple, float]:
    """Every way the hands of development cards can be, as kinds by player, with its probability.

    Each card in a hand is as likely to be any that the viewer has not seen; but nobody may have
    held, at a time when he went on playing, victory points enough to win.
    """
    s = chronicle.state
    left = list(DEVELOPMENTS)
    for p in range(s.players):
        for _, kind in chronicle.played[p]:
            left[kind] -= 1
    if viewer >= 0:
        for k in range(5):
            left[k] -= int(s.record.dev[viewer, k])
    others = [p for p in range(s.players) if p != viewer]
    found: Counter[tuple] = Counter()
    slots = [(p, n) for p in others for n in range(held(chronicle, p))]
    points_left, plain_left = left[4], sum(left[:4])
    for is_point in product((False, True), repeat=len(slots)):
        n = sum(is_point)
        if n > points_left or len(slots) - n > plain_left:
            continue
        if all(may_hold(chronicle, p, slots, is_point) for p in others):
            weight = chance(n, len(slots), points_left, plain_left)
            counts = tuple(
                sum(one for (q, _), one in zip(slots, is_point, strict=True) if q == p)
                for p in others
            )
            found[counts] += weight
    total = sum(found.values())
    return {counts: weight / total for counts, weight in found.items()}


def chance(n: int, cards: int, points: int, plain: int) -> float:
    """The chance of one arrangement of n victory points among so many cards drawn."""
    return comb(points + plain - cards, points - n) / comb(points + plain, points)


def held(chronicle: Chronicle, p: int) -> int:
    return len(chronicle.bought[p]) - len(chronicle.played[p])


def may_hold(chronicle: Chronicle, p: int, slots: list, is_point: tuple) -> bool:
    """Whether a player went on playing only with too few points, as far as it can be told.

    The cards that are left are taken to be the ones bought last: which of them was played before
    nobody knows, and victory points are never played.
    """
    raise NotImplementedError
