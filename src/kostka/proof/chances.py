"""Whether what happens is as likely as it should be: draws, and playouts of two kinds."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kostka.core import play, rules
from kostka.core.game import Game
from kostka.core.kernels import kernel
from kostka.core.memory import copy
from kostka.core.state import State

#: How rarely what is fair may be doubted.
FALSE_ALARM = 1e-6

#: In place of what each player gets, where a playout was cut short.
UNFINISHED = -1.0


# --- draws ---


@kernel
def tally(states, out, prob, rng, draws, counts):
    """Count what is drawn at a chance node."""
    for _ in range(draws):
        a = rules.sample(states[0], out, prob, rng)
        if 0 <= a < len(counts):
            counts[a] += 1


def surprise(share: float, probability: float) -> float:
    """Chernoff: in n draws a share so far off comes with a chance below 2 exp(-n surprise)."""
    total = 0.0
    for got, expected in ((share, probability), (1 - share, 1 - probability)):
        if got > 0:
            total += got * math.log(got / expected) if expected > 0 else math.inf
    return total


# --- playouts ---


@dataclass
class Playouts:
    """Playouts from one position: where each ended, and what it brought the players."""

    states: np.ndarray
    gains: np.ndarray

    @property
    def cut(self) -> np.ndarray:
        """The positions in which it was cut short."""
        return self.states[self.gains[:, 0] == UNFINISHED]

    @property
    def columns(self) -> dict[str, np.ndarray]:
        """A row of numbers a playout: the returns and, where it was cut short, the position."""
        cut, names = self.cut, self.states.dtype.names or ()
        changing = itertools.takewhile(lambda name: name[0] != "@", names)
        rows = {name: cut[name].reshape(len(cut), -1) for name in changing if len(cut)}
        return {"the returns": self.gains, **rows}


def has_playout_of_its_own(game: Game, policy: np.ndarray) -> bool:
    return play.playout.find((game.dtype, policy.dtype)) is not play.play_on


def play_out(
    state: State, policy: np.ndarray, limit: int, games: int, rng: np.ndarray, by_rules: bool
) -> Playouts:
    """Many playouts of so many decisions at most: the game's own ones, or by the rules."""
    states, gains = np.empty(games, state.game.dtype), np.full((games, state.players), UNFINISHED)
    out, prob = np.empty(state.game.width, np.int64), np.empty(state.game.width)
    _play_out(state.copy().buffer, states, policy, by_rules, out, prob, rng, limit, gains)
    return Playouts(states, gains)


@kernel
def _play_out(root, states, policies, by_rules, out, prob, rng, limit, gains):
    for n in range(len(states)):
        s = states[n]
        copy(s, root[0])
        if by_rules:
            play.play_on(s, policies[0], out, prob, rng, limit)
        else:
            play.playout(s, policies[0], out, prob, rng, limit)
        if rules.mover(s) == rules.OVER:
            rules.returns(s, gains[n])


def unlike(own: Playouts, due: Playouts) -> Iterator[str]:
    """What is so in more, or in fewer, of the game's own playouts than of those by the rules."""
    here, there = own.columns, due.columns
    numbers = sum(one.size for one in (*here.values(), *there.values()))
    for name in (name for name in here if name in there):
        for left, right in zip(here[name].T, there[name].T, strict=True):
            if stray := farthest(left, right, math.log(2 * numbers / FALSE_ALARM)):
                value, mine, rest = stray
                yield (
                    f"{name}: {value:g} {mine} times in {len(left)} of its own playouts, "
                    f"{rest} times in {len(right)} by the rules"
                )


def farthest(left: np.ndarray, right: np.ndarray, limit: float) -> tuple[float, int, int] | None:
    """The value whose share differs most between two samples, if by more than chance.

    Drawing one of them from both together, without putting back, strays even less than Chernoff's
    draws do (Hoeffding).
    """
    values, where = np.unique(np.concatenate([left, right]), return_inverse=True)
    mine = np.bincount(where[: len(left)], minlength=len(values))
    rest = np.bincount(where[len(left) :], minlength=len(values))
    n = int(np.argmax(np.abs(mine / len(left) - rest / len(right))))
    share = (mine[n] + rest[n]) / (len(left) + len(right))
    if surprise(mine[n] / len(left), share) * len(left) < limit:
        return None
    return float(values[n]), int(mine[n]), int(rest[n])
