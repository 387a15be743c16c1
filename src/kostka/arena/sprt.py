"""The sequential test by which a comparison of two agents stops itself: is NEW stronger than OLD?

The unit is a *block*: the same luck dealt to all seat rotations of one line-up, or to NEW and to
OLD in the one role that is tested. The games of a block hang together, blocks do not, so the test
counts blocks and never looks inside.

It is the generalised sequential probability ratio test of modern engine testing (Michel Van den
Bergh, *The generalized sequential probability ratio test for multinomial distributions*). Among
all distributions of block scores with mean s, the likeliest after the observed scores a with
weights w is w / (1 + x (a - s)), where x solves Σ w (a - s) / (1 + x (a - s)) = 0. The logarithm
of the ratio of the two likelihoods, for s1 and for s0, is the LLR; the test stops when it leaves
(log β/(1-α), log (1-β)/α).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, inf, log, sqrt
from statistics import NormalDist
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from kostka.core.errors import KostkaError

Verdict = Literal["stronger", "not stronger", "undecided"]

ELO = 400 / log(10)
#: Blocks that are made up before the first one: so heavy are the two ends of the range together.
#: They keep the variance from being taken for nothing while nearly all blocks are alike.
PRIOR = 0.25
#: The same where nothing may be made up and only the ends must be thinkable.
TRACE = 1e-6
LIMIT = 100_000
DIGITS = 9


@dataclass(frozen=True)
class Lineup:
    """Who sits at the table: ``new`` seats for NEW, the other seats for OLD. Where sides play,
    not seats, count the sides.

    A block's score is 1/2 + (T - f) / (4 f (1 - f)), where T is the share of the points that all
    NEW's seats got together, averaged over the block, and f = new / players is the fair share.
    For two players it is the usual score. It is 1/2 between equals; NEW's score and OLD's add up
    to 1; and near equality one Elo is worth the same in every line-up.

    With a ``role`` NEW is only to play that one. A block is then a game of NEW in the role and one
    of OLD in it, both against OLD, and T is half of what NEW gets and of what OLD leaves to the
    others: the score is 1/2 and half of what NEW gets more than OLD. That says nothing of Elo,
    as it depends on the odds of the role; a gain of so many Elo is taken to be what it would
    bring who had even odds.
    """

    players: int = 2
    new: int = 1
    role: str = ""

    def __post_init__(self) -> None:
        if self.players < 2:
            raise KostkaError(f"a test needs at least 2 players, not {self.players}")
        if not 0 < self.new < self.players:
            raise KostkaError(
                f"NEW takes 1 to {self.players - 1} of {self.players} seats, not {self.new}"
            )

    @property
    def fair(self) -> float:
        """The share of points that NEW gets if it is just as strong."""
        return self.new / self.players

    @property
    def low(self) -> float:
        """The score of who gets nothing."""
        return self.score(0.0)

    @property
    def high(self) -> float:
        """The score of who gets everything."""
        return self.score(1.0)

    def score(self, share: float) -> float:
        """The score for a share of all points."""
        return 0.5 + (share - self.fair) / (4 * self.fair * (1 - self.fair))

    def share(self, score: float) -> float:
        """The share of all points that a score stands for."""
        return self.fair + (score - 0.5) * 4 * self.fair * (1 - self.fair)

    def block(self, gains: Sequence[float]) -> float:
        """The score of a block, from the utilities of NEW's seats added up in each of its games."""
        if not len(gains) or not all(-1e-9 <= gain <= 1 + 1e-9 for gain in gains):
            raise KostkaError(f"NEW gets from 0 to 1 in each game of a block, not {list(gains)}")
        return self.score(sum(gains) / len(gains))

    def score_at(self, elo: float) -> float:
        """The score to expect if NEW is so much stronger: Plackett and Luce's chance that the
        winner is one of NEW's seats, each 10^(elo/400) times as strong as one of OLD's."""
        odds = log(self.players / self.new - 1) - elo / ELO
        share = 1 / (1 + exp(min(odds, 700.0)))
        return self.score((share + self.fair) / 2 if self.role else share)

    def elo_at(self, score: float) -> float:
        """The advantage that would give a score."""
        share = self.share(score)
        if self.role:
            share = 2 * share - self.fair
        if share <= 1e-12 or share >= 1 - 1e-12:
            return -inf if share < self.fair else inf
        return ELO * (log(share / (1 - share)) + log(self.players / self.new - 1))


class Interval(NamedTuple):
    """An estimate and what it may well be instead."""

    value: float
    low: float
    high: float

    def to(self, unit: Callable[[float], float]) -> "Interval":
        """The same in other units, say ``lineup.elo_at``."""
        return Interval(unit(self.value), unit(self.low), unit(self.high))


class Sprt:
    """A test that is fed block scores until it has a verdict.

    A NEW whose expected score is at most the first hypothesis is found stronger with a chance of
    about ``alpha`` or less; one at or above the second is found not stronger with about ``beta``
    or less; in between either may happen. After ``limit`` blocks the test gives up.
    """

    def __init__(
        self,
        lineup: Lineup,
        *,
        elo: tuple[float, float] | None = None,
        score: tuple[float, float] | None = None,
        alpha: float = 0.05,
        beta: float = 0.05,
        limit: int = LIMIT,
        games_per_block: int | None = None,
    ) -> None:
        s0, s1 = _hypotheses(lineup, elo, score)
        for name, error in (("alpha", alpha), ("beta", beta)):
            if not 0 < error < 0.5:
                raise KostkaError(f"{name} must be between 0 and 0.5, not {error:g}")
        for name, number in (("limit", limit), ("games_per_block", games_per_block)):
            if number is not None and number < 1:
                raise KostkaError(f"{name} must be at least 1, not {number}")
        self.lineup = lineup
        self.hypotheses = s0, s1
        self.bounds = log(beta / (1 - alpha)), log((1 - beta) / alpha)
        self.limit = limit
        self.games_per_block = games_per_block or lineup.players
        self.blocks = 0
        self.llr = 0.0
        self.verdict: Verdict | None = None
        # Distinct scores and how often each came; the two ends of the range are always there.
        low, high = lineup.low, lineup.high
        self._values = np.array([low, high])
        self._counts = np.zeros(2)
        self._where = {round(low, DIGITS): 0, round(high, DIGITS): 1}
        self._prior = prior(s0, s1, low, high)
        self._tilts = np.zeros(()), np.zeros(())

    def add(self, scores: ArrayLike) -> Verdict | None:
        """Count the scores of one block or of many, which are looked at once, as a whole.

        A test that has its verdict counts nothing more.
        """
        if self.verdict is not None:
            return self.verdict
        batch = np.asarray(scores, float).ravel()
        low, high = self._values[:2]
        bad = batch[~((batch >= low - 1e-9) & (batch <= high + 1e-9))]
        if len(bad):
            raise KostkaError(f"a block score is between {low:g} and {high:g}, not {bad[0]:g}")
        if len(batch):
            values, counts = np.unique(batch.clip(low, high).round(DIGITS), return_counts=True)
            for value, count in zip(values, counts, strict=True):
                self._count(float(value), int(count))
            self._look()
        return self.verdict

    def _count(self, value: float, count: int) -> None:
        where = self._where.setdefault(value, len(self._values))
        if where == len(self._values):
            self._values = np.append(self._values, value)
            self._counts = np.append(self._counts, 0.0)
        self._counts[where] += count
        self.blocks += count

    def _weights(self) -> np.ndarray:
        """How often each score came, the made-up blocks included."""
        weights = self._counts.copy()
        weights[:2] += self._prior
        return weights

    def _look(self) -> None:
        ratio, self._tilts = log_ratio(self._values, self._weights(), self.hypotheses, self._tilts)
        self.llr = float(ratio)
        if self.llr >= self.bounds[1]:
            self.verdict = "stronger"
        elif self.llr <= self.bounds[0]:
            self.verdict = "not stronger"
        elif self.blocks >= self.limit:
            self.verdict = "undecided"

    @property
    def games(self) -> int:
        return self.blocks * self.games_per_block

    def estimate(self, confidence: float = 0.95, always: bool = False) -> Interval:
        """NEW's mean score so far, with the means under which the scores are not too unlikely.

        Plain: as if the number of blocks had been fixed beforehand. After a test that stopped
        itself it is biased, for it stopped because the score was extreme: in simulations it lies
        too far out by a fifth of the distance between the hypotheses, and 95 % are about 90 %.
        With ``always`` it holds for all moments at once, stops included, and is about twice as
        wide: no bet against the true mean multiplies its stake by 1/(1 - confidence) more often
        than it should, and the best bet in hindsight is better than a fair mixture of all bets
        by 2 √(blocks + 1) at most (Cover and Ordentlich 1996).
        """
        if not 0 < confidence < 1:
            raise KostkaError(f"confidence must be between 0 and 1, not {confidence:g}")
        low, high = (float(end) for end in self._values[:2])
        if self.blocks == 0:
            return Interval(0.5, low, high)
        if always:
            far = log(2 * sqrt(self.blocks + 1) / (1 - confidence))
        else:
            far = NormalDist().inv_cdf(0.5 + confidence / 2) ** 2 / 2
        mean = min(max(float(self._counts @ self._values) / self.blocks, low), high)
        return Interval(mean, self._reach(mean, low, far), self._reach(mean, high, far))

    def _reach(self, mean: float, end: float, far: float) -> float:
        """The mean, from the observed one towards an end, that is less likely by so much."""
        weights = self._counts + TRACE * (self._counts == 0)
        near, beyond = mean, end
        while abs(beyond - near) > 1e-7:
            middle = (near + beyond) / 2
            gaps = self._values - middle
            x = tilt(gaps, weights, np.zeros(()))
            if weights @ np.log1p(x * gaps) < far:
                near = middle
            else:
                beyond = middle
        return beyond

    def expected_blocks(self, score: float, variance: float) -> float:
        """Blocks that a test takes on average, if block scores have this mean and variance."""
        return _time_to_leave(*self._walk(score, variance), -self.bounds[0], self.bounds[1])

    @property
    def remaining(self) -> float:
        """Roughly the blocks still to come, if the scores go on as they did so far."""
        if self.verdict is not None:
            return 0.0
        weights = self._weights()
        mean = np.average(self._values, weights=weights)
        variance = np.average((self._values - mean) ** 2, weights=weights)
        down, up = self.llr - self.bounds[0], self.bounds[1] - self.llr
        blocks = _time_to_leave(*self._walk(float(mean), float(variance)), down, up)
        return min(max(blocks, 1.0), float(self.limit - self.blocks))

    def _walk(self, score: float, variance: float) -> tuple[float, float]:
        """The drift and the variance of the LLR in one block."""
        s0, s1 = self.hypotheses
        return (s1 - s0) * (score - (s0 + s1) / 2) / variance, (s1 - s0) ** 2 / variance

    def sentence(self, new: str, old: str) -> str:
        """The state of the test for people; the estimate in it is the plain one."""
        below, above = self.bounds
        llr = f"LLR {self.llr:.2f}"
        old += f" as {self.lineup.role}" if self.lineup.role else ""
        if self.verdict == "stronger":
            claim = f"{new} is stronger than {old}{self._margin(0, 'more than ')}"
            llr += f" {'>' if self.llr > above + 0.005 else '≥'} {above:.2f}"
        elif self.verdict == "not stronger":
            claim = f"{new} is not stronger than {old}{self._margin(1, '')}"
            llr += f" {'<' if self.llr < below - 0.005 else '≤'} {below:.2f}"
        else:
            running = "undecided" if self.verdict else "still open"
            claim = f"whether {new} is stronger than {old} is {running}"
            llr += f" between {below:.2f} and {above:.2f}"
        gain = self._points() if self.lineup.role else self._elo()
        return f"{claim} ({llr} after {self.games} games, {gain})"

    def _margin(self, which: int, more: str) -> str:
        """By how much, where the question is not simply who is stronger."""
        if abs(self.hypotheses[0] - 0.5) < 1e-9:
            return ""
        return f" by {more}{self.lineup.elo_at(self.hypotheses[which]):+.3g} Elo"

    def _points(self) -> str:
        value, low, high = self.estimate().to(lambda score: 200 * (score - 0.5))
        return f"{value:+.1f} points in a hundred, {low:+.1f} to {high:+.1f}"

    def _elo(self) -> str:
        value, low, high = self.estimate().to(self.lineup.elo_at)
        if low == -inf and high == inf:
            return "strength unknown"
        if high == inf:
            return f"at least {low:+.0f} Elo"
        if low == -inf:
            return f"at most {high:+.0f} Elo"
        return f"{value:+.0f} ± {(high - low) / 2:.0f} Elo"


def _hypotheses(
    lineup: Lineup, elo: tuple[float, float] | None, score: tuple[float, float] | None
) -> tuple[float, float]:
    """Both hypotheses as scores, whichever way they were given."""
    low, high = lineup.low, lineup.high
    if score is not None and elo is None:
        s0, s1 = score
        given = f"between scores of {low:g} and {high:g}, not {s0:g} and {s1:g}"
    elif elo is not None and score is None:
        s0, s1 = lineup.score_at(elo[0]), lineup.score_at(elo[1])
        given = f"both within reach, not {elo[0]:g} and {elo[1]:g} Elo"
    else:
        raise KostkaError("give the two hypotheses either in Elo or as scores")
    if not low < s0 < s1 < high:
        raise KostkaError(f"the first hypothesis must be below the second, {given}")
    return s0, s1


def prior(s0: float, s1: float, low: float, high: float) -> np.ndarray:
    """The weights of the two ends before the first block: they favour neither hypothesis."""
    middle = (s0 + s1) / 2
    return PRIOR * np.array([high - middle, middle - low]) / (high - low)


def log_ratio(
    values: np.ndarray,
    weights: np.ndarray,
    hypotheses: tuple[float, float],
    start: tuple[np.ndarray, np.ndarray],
) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """The LLR of weighted scores, and the tilts x it took, from which the next one may start.

    Scores run along the first axis, and tests along all others. The least and the greatest score
    need some weight.
    """
    gaps = [values - s for s in hypotheses]
    x0, x1 = (tilt(gap, weights, x) for gap, x in zip(gaps, start, strict=True))
    ratio = (weights * (np.log1p(x0 * gaps[0]) - np.log1p(x1 * gaps[1]))).sum(axis=0)
    return ratio, (x0, x1)


def tilt(gaps: np.ndarray, weights: np.ndarray, start: np.ndarray) -> np.ndarray:
    """The x with Σ w g / (1 + x g) = 0, where Σ w log(1 + x g) is greatest.

    Newton's steps on the sum times both its outermost denominators, which is nearly a straight
    line; bisection where they lead astray.
    """
    left, right = -1 / gaps.max(axis=0), -1 / gaps.min(axis=0)
    below, above, x = left, right, start
    for _ in range(200):
        terms = gaps / (1 + x * gaps)
        weighted = weights * terms
        slope, bend = weighted.sum(axis=0), (weighted * terms).sum(axis=0)
        if np.all(slope * slope <= 1e-9 * bend):
            break
        below, above = np.where(slope > 0, x, below), np.where(slope > 0, above, x)
        to_left, to_right = 1 - x / left, 1 - x / right
        ends, ends_slope = to_left * to_right, -to_right / left - to_left / right
        step = x - slope * ends / (slope * ends_slope - bend * ends)
        x = np.where((step > below) & (step < above), step, (below + above) / 2)
    return x


def _time_to_leave(drift: float, variance: float, down: float, up: float) -> float:
    """The mean time until a random walk has gone so far down or up."""
    if drift < 0:
        drift, down, up = -drift, up, down
    pull = 2 * drift / variance
    if pull * (down + up) < 1e-5:
        return down * up / variance
    rise = (1 - exp(-pull * down)) / (1 - exp(-pull * (down + up)))
    return (up * rise - down * (1 - rise)) / drift
