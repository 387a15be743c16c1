"""Ratings: one fit to all games at once, whatever their order, with errors.

The model is Plackett–Luce with ties (Davidson–Luce: Firth, Kosmidis and Turner 2019). The worth of
a seat is exp(rating of its agent + advantage of the seat). From those still in, the next place goes
to a group C of k players with a chance proportional to δ_k · (product of their worths)^(1/k), where
δ_1 = 1; they leave, and the next place is decided among the others. Each number of seats has its
own advantages; the δ are those of all games together. For two players this is Bradley–Terry with
Davidson's ties and a home advantage.

Only what was observed counts. An elimination game names its winner and leaves all others tied for
last; nobody compared them, so that tie is no information, and such games count as one choice: who
came first of all. Under ``order="auto"`` this holds for every number of seats at which no game at
all tells more than two places apart. (Leaving out the last tie only where it occurs would be
wrong: the same seats' untied games would then overstate how rarely they tie.) A tie of all players
is a draw and always counts.

The players of one side that win and lose together are one seat here.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Literal

import numpy as np
from scipy import sparse
from scipy.special import ndtr, ndtri

from kostka.core.errors import KostkaError, unknown

Array = np.ndarray[Any, np.dtype[Any]]
#: Players still in: the agent and the seat of each, as numbers of parameters.
Players = tuple[tuple[int, int], ...]

#: Elo points in a factor e of worth.
ELO = 400 / math.log(10)
#: The standard deviation of the prior of a rating, in Elo: it weighs a fifth of a game.
PRIOR = 800.0
#: Outcomes of one choice that can be counted: every tie of ten players is still fine.
MOST_OUTCOMES = 1024
#: Where the likelihood curves less than this, it rises to infinity or does not rise at all.
FLAT = 1e-6
#: Numbers held at a time while many fits run side by side.
BATCH = 1 << 20
#: The longest step of such a fit, and the shortest (a five-hundredth of an Elo point).
LONGEST_STEP, SETTLED = 2.0, 1e-5


@dataclass(frozen=True)
class Result:
    """One game: the agents and their points by seat; the games of a block share their luck."""

    agents: tuple[str, ...]
    points: tuple[float, ...]
    block: int | str


@dataclass(frozen=True)
class Ratings:
    """Ratings in Elo points around a mean of 0, best first; errors as if no games shared luck."""

    elo: dict[str, float]
    error: dict[str, float]
    #: For each number of seats the advantage of each seat, in Elo around a mean of 0.
    seats: dict[int, tuple[float, ...]]
    seat_errors: dict[int, tuple[float, ...]]
    #: For each number of tied players the δ of the model; equals draw with a chance of δ / (2 + δ).
    ties: dict[int, float]
    games: int
    blocks: int
    fit: "Fit" = field(repr=False, compare=False)

    def lead(self, one: str, other: str) -> tuple[float, float]:
        """How far one agent is ahead of another, and the standard error of that."""
        i, j = (_find(self.fit.choices.agents, name) for name in (one, other))
        c = self.fit.covariance
        variance = max(0.0, c[i, i] + c[j, j] - 2 * c[i, j])
        return self.elo[one] - self.elo[other], ELO * math.sqrt(variance)


@dataclass(frozen=True)
class Intervals:
    """What whole blocks, drawn again and again, say about the ratings."""

    agents: dict[str, tuple[float, float]]
    seats: dict[int, tuple[tuple[float, float], ...]]
    error: dict[str, float]
    #: ``better[a][b]``: how probably agent a is better than agent b.
    better: dict[str, dict[str, float]]


@dataclass(frozen=True, eq=False)
class Choices:
    """Every choice that the games made: of those still in, who came next. A log-linear model."""

    agents: list[str]
    #: The numbers of seats whose advantages are fitted, and the numbers of tied players seen.
    tables: list[int]
    ties: list[int]
    games: int
    #: The choices among m players: an array of agent and seat parameter, choices × m × 2.
    fields: list[Array]
    #: The choice that each possible outcome belongs to.
    choice: Array
    #: Outcomes × parameters: logarithms of chances are this times the parameters.
    features: sparse.csr_array
    #: Blocks × outcomes: how often each was seen.
    seen: sparse.csr_array
    #: Choices × outcomes: which belong together.
    gather: sparse.csr_array

    @property
    def parameters(self) -> int:
        return int(self.features.shape[1])

    def chances(self, theta: Array) -> Array:
        """The chance of every outcome; many columns of parameters give as many."""
        weight: Array = np.exp(self.features @ theta)
        weight /= (self.gather @ weight)[self.choice]
        return weight

    def mean(self, chance: Array) -> sparse.csr_array:
        """Choices × outcomes: what takes the mean over the outcomes of each choice."""
        place = self.gather.indices, self.gather.indptr
        return sparse.csr_array((chance, *place), shape=self.gather.shape)


@dataclass(frozen=True, eq=False)
class Fit:
    """Where the likelihood is highest, and how it curves there."""

    choices: Choices
    theta: Array
    covariance: Array
    #: The inverse variance of the prior.
    precision: float


def rate(
    results: Iterable[Result],
    *,
    prior: float = PRIOR,
    seats: bool = True,
    order: Literal["auto", "all", "first"] = "auto",
) -> Ratings:
    """Fit ratings to all results. The prior keeps who never lost finite; ``math.inf``: none."""
    if not prior > 0:
        raise KostkaError(f"the prior must be more than 0 Elo, not {prior:g}")
    precision = (ELO / prior) ** 2
    choices = _choices(list(results), seats, order)
    seen = choices.seen.sum(axis=0)
    theta = _maximum(choices, seen, np.zeros(choices.parameters), 0.0, precision)
    curvature = curvature_of(choices, choices.chances(theta), seen)
    covariance = np.linalg.inv(curvature + _penalty(choices, precision))
    covariance = _centre(choices, _centre(choices, covariance).T)
    theta = _centre(choices, theta)
    fit = Fit(choices, theta, covariance, precision)
    values, errors = ELO * theta, ELO * np.sqrt(np.maximum(np.diag(covariance), 0.0))
    best = sorted(range(len(choices.agents)), key=lambda i: (-theta[i], choices.agents[i]))
    return Ratings(
        elo={choices.agents[i]: float(values[i]) for i in best},
        error={choices.agents[i]: float(errors[i]) for i in best},
        seats={n: tuple(values[s].tolist()) for n, s in _seats(choices)},
        seat_errors={n: tuple(errors[s].tolist()) for n, s in _seats(choices)},
        ties={k: math.exp(theta[i - len(choices.ties)]) for i, k in enumerate(choices.ties)},
        games=choices.games,
        blocks=choices.seen.shape[0],
        fit=fit,
    )


def bootstrap(
    ratings: Ratings, resamples: int = 200, seed: int = 0, level: float = 0.95
) -> Intervals:
    """Intervals from ratings fitted to blocks drawn with replacement (bias-corrected percentiles).

    Each resample also draws the centre of its prior; otherwise an agent that never lost would
    never lose in any resample and look as if its rating were known.
    """
    fit, choices = ratings.fit, ratings.fit.choices
    if fit.precision == 0:
        raise KostkaError("intervals need ratings with a prior: a resample may leave agents out")
    if ratings.blocks < 2:
        raise KostkaError("intervals need at least 2 blocks of games, not 1")
    if resamples < 2:
        raise KostkaError(f"intervals need at least 2 resamples, not {resamples}")
    if not 0 < level < 1:
        raise KostkaError(f"the level of an interval is between 0 and 1, not {level:g}")
    rng = np.random.default_rng(seed)
    times = rng.multinomial(ratings.blocks, np.full(ratings.blocks, 1 / ratings.blocks), resamples)
    centres = rng.normal(0.0, fit.precision**-0.5, (choices.parameters, resamples))
    drawn = ELO * _centre(choices, _refit(fit, times, centres))
    low, high = _interval(drawn, ELO * fit.theta, level)
    place = {name: choices.agents.index(name) for name in ratings.elo}
    return Intervals(
        agents={name: (float(low[i]), float(high[i])) for name, i in place.items()},
        seats={
            n: tuple(zip(low[s].tolist(), high[s].tolist(), strict=True))
            for n, s in _seats(choices)
        },
        error={name: float(drawn[i].std(ddof=1)) for name, i in place.items()},
        better={
            one: {
                other: float(np.mean(np.sign(drawn[i] - drawn[j]) / 2 + 0.5))
                for other, j in place.items()
                if other != one
            }
            for one, i in place.items()
        },
    )


def _choices(results: Sequence[Result], seats: bool, order: str) -> Choices:
    """The results taken apart into choices and counted; nothing depends on their order."""
    _check(results, order)
    agents = sorted({name for r in results for name in r.agents})
    blocks = sorted({r.block for r in results}, key=repr)
    tables = sorted({len(r.agents) for r in results})
    seen = _count(results, agents, blocks, tables, seats, order)
    ties = sorted({len(chosen) for _, _, chosen in seen} - {1})
    kinds = sorted({players for _, players, _ in seen}, key=lambda players: (len(players), players))
    outcomes = {m: outcomes_of(m, ties) for m in sorted({len(players) for players in kinds})}
    sizes = [len(outcomes[len(players)]) for players in kinds]
    first = np.concatenate([[0], np.cumsum(sizes)])
    start = dict(zip(kinds, first.tolist(), strict=False))
    index = {m: {chosen: i for i, chosen in enumerate(outcomes[m])} for m in outcomes}
    where = [(b, start[who] + index[len(who)][chosen]) for b, who, chosen in seen]
    rows = int(first[-1])
    choices = Choices(
        agents=agents,
        tables=tables if seats else [],
        ties=ties,
        games=len(results),
        fields=[np.array([who for who in kinds if len(who) == m]) for m in outcomes],
        choice=np.repeat(np.arange(len(kinds)), sizes),
        features=sparse.csr_array((rows, 0)),
        seen=sparse.csr_array(
            (np.array(list(seen.values()), float), np.array(where).T), shape=(len(blocks), rows)
        ),
        gather=sparse.csr_array((np.ones(rows), np.arange(rows), first)),
    )
    return replace(choices, features=_features(choices))


def _count(
    results: Sequence[Result],
    agents: Sequence[str],
    blocks: Sequence[int | str],
    tables: Sequence[int],
    seats: bool,
    order: str,
) -> Counter[tuple[int, Players, tuple[int, ...]]]:
    """How often, in each block, of certain players still in certain ones came next."""
    number = {name: i for i, name in enumerate(agents)}
    place = {block: i for i, block in enumerate(blocks)}
    offset = {n: len(agents) + sum(t for t in tables if t < n) for n in tables}
    told = dict.fromkeys(tables, 0)
    for r in results:
        told[len(r.points)] = max(told[len(r.points)], len(set(r.points)))
    seen: Counter[tuple[int, Players, tuple[int, ...]]] = Counter()
    for r in results:
        n = len(r.agents)
        still_in = sorted(
            (number[name], offset[n] + seat if seats else -1, points)
            for seat, (name, points) in enumerate(zip(r.agents, r.points, strict=True))
        )
        while len(still_in) > 1:
            most = max(points for *_, points in still_in)
            chosen = tuple(i for i, (*_, points) in enumerate(still_in) if points == most)
            seen[place[r.block], tuple((a, s) for a, s, _ in still_in), chosen] += 1
            if order == "first" or (order == "auto" and told[n] <= 2):
                break
            still_in = [entry for entry in still_in if entry[2] != most]
    return seen


def _check(results: Sequence[Result], order: str) -> None:
    """Refuse what cannot be rated."""
    if order not in ("auto", "all", "first"):
        raise KostkaError(f"the order is auto, all or first, not {order!r}")
    if not results:
        raise KostkaError("there are no results to rate")
    for i, r in enumerate(results):
        if len(r.agents) != len(r.points):
            raise KostkaError(
                f"result {i} has {len(r.agents)} agents but {len(r.points)} points: "
                "every seat needs both"
            )
        if len(r.agents) < 2:
            raise KostkaError(f"result {i} has {len(r.agents)} seats: a game needs at least 2")
        if not all(math.isfinite(p) for p in r.points):
            raise KostkaError(f"result {i} has points that are not numbers: {r.points}")
    if len({name for r in results for name in r.agents}) < 2:
        raise KostkaError(f"ratings need at least 2 agents, not only {results[0].agents[0]!r}")


def outcomes_of(m: int, ties: Sequence[int]) -> list[tuple[int, ...]]:
    """The groups of m players that can come next: each alone, and ties of the sizes seen."""
    sizes = [k for k in (1, *ties) if k <= m]
    if sum(math.comb(m, k) for k in sizes) > MOST_OUTCOMES:
        raise KostkaError(
            f"{m} players can tie in more than {MOST_OUTCOMES} ways: break their ties"
        )
    return [chosen for k in sizes for chosen in combinations(range(m), k)]


def each_outcome(choices: Choices) -> Iterator[tuple[Array, Array, tuple[int, ...]]]:
    """The choices among equally many players, the rows of one outcome of them, and who is next."""
    first = 0
    for players in choices.fields:
        outcomes = outcomes_of(players.shape[1], choices.ties)
        for i, chosen in enumerate(outcomes):
            yield players, first + i + np.arange(len(players)) * len(outcomes), chosen
        first += len(players) * len(outcomes)


def _features(choices: Choices) -> sparse.csr_array:
    """Outcomes × parameters: the ratings of agents, the advantages of seats, the log δ of ties."""
    last = len(choices.agents) + sum(choices.tables)
    entries: list[tuple[Array, Array, float]] = []
    for players, rows, chosen in each_outcome(choices):
        for i in chosen:
            for kind in range(2 if choices.tables else 1):
                entries.append((rows, players[:, i, kind], 1 / len(chosen)))
        if len(chosen) > 1:
            tie = last + choices.ties.index(len(chosen))
            entries.append((rows, np.full(len(rows), tie), 1.0))
    return matrix(entries, len(choices.choice), last + len(choices.ties))


def matrix(entries: Sequence[tuple[Array, Array, Any]], rows: int, columns: int) -> Any:
    """A sparse matrix from groups of rows, columns and values."""
    value = np.concatenate([np.broadcast_to(v, len(r)) for r, _, v in entries]).astype(float)
    place = np.concatenate([r for r, _, _ in entries]), np.concatenate([c for _, c, _ in entries])
    return sparse.csr_array((value, place), shape=(rows, columns))


def _maximum(
    choices: Choices, seen: Array, start: Array, centre: Array | float, precision: float
) -> Array:
    """The parameters that make what was seen most likely, by Newton's method."""
    met = choices.gather @ seen
    target = seen @ choices.features + precision * centre
    penalty = _penalty(choices, precision)

    def value(theta: Array) -> float:
        inside = np.log(choices.gather @ np.exp(choices.features @ theta))
        return float(target @ theta - met @ inside - theta @ penalty @ theta / 2)

    theta = start
    for _ in range(200):
        chance = choices.chances(theta)
        expected = choices.features.T @ (met[choices.choice] * chance)
        curvature = curvature_of(choices, chance, seen) + penalty
        if precision == 0 and np.linalg.eigvalsh(curvature)[0] < FLAT:
            break
        step = np.linalg.solve(curvature, target - expected - penalty @ theta)
        longest = np.abs(step).max()
        if longest < 1e-9:
            return np.asarray(theta + step)
        step *= min(1.0, LONGEST_STEP / longest)
        before = value(theta)
        while value(theta + step) < before - 1e-9 * abs(before):
            step /= 2
        theta = theta + step
    raise KostkaError(
        "the ratings have no finite maximum (who never lost, or never met the others, has none): "
        "keep a prior"
    )


def _refit(fit: Fit, times: Array, centres: Array) -> Array:
    """The parameters of many resamples of blocks side by side, one a column.

    BFGS from the fit and its exact curvature: the first step is Newton's, and few more are needed
    so near. A resample that has not settled then is fitted on its own.
    """
    choices, start = fit.choices, fit.theta
    penalty = _penalty(choices, fit.precision)
    mean = choices.mean(choices.chances(start))
    curves = mean @ _squares(choices.features) - _squares(mean @ choices.features)
    met_by_block = choices.seen @ choices.gather.T
    observed_by_block = dense(choices.seen @ choices.features)
    columns = []
    for part in parts(len(times), len(choices.choice)):
        met = times[part] @ met_by_block
        weight = met.T[choices.choice]
        target = (times[part] @ observed_by_block).T + fit.precision * centres[:, part]
        inverse = np.linalg.inv((met @ curves).reshape(-1, *penalty.shape) + penalty)
        theta = np.repeat(start[:, None], len(met), axis=1)

        def slope(theta: Array, target: Array = target, weight: Array = weight) -> Array:
            expected = choices.features.T @ (weight * choices.chances(theta))
            return np.asarray(target - expected - penalty @ theta)

        theta, settled = _climb(slope, theta, inverse)
        for b in np.flatnonzero(~settled):
            seen, centre = times[part][b] @ choices.seen, centres[:, part][:, b]
            theta[:, b] = _maximum(choices, seen, start, centre, fit.precision)
        columns.append(theta)
    return np.concatenate(columns, axis=1)


def _climb(slope: Callable[[Array], Array], theta: Array, inverse: Array) -> tuple[Array, Array]:
    """BFGS on every column; the columns reached, and which of them have settled."""
    here = slope(theta)
    settled = np.zeros(theta.shape[1], bool)
    for _ in range(30):
        step = np.einsum("bij,jb->ib", inverse, here)
        step *= np.minimum(1.0, LONGEST_STEP / np.maximum(np.abs(step).max(axis=0), 1e-300))
        settled = np.abs(step).max(axis=0) < SETTLED
        theta = theta + step
        if settled.all():
            break
        before, here = here, slope(theta)
        change = before - here
        along = np.sum(step * change, axis=0)
        scale = np.where(along > 1e-30, 1 / np.maximum(along, 1e-30), 0.0)
        turn = np.eye(len(theta)) - np.einsum("b,ib,jb->bij", scale, step, change)
        inverse = turn @ inverse @ turn.transpose(0, 2, 1)
        inverse += np.einsum("b,ib,jb->bij", scale, step, step)
    return theta, settled


def _interval(drawn: Array, value: Array, level: float) -> tuple[Array, Array]:
    """Quantiles of each row, moved by twice as much as its median is away from its value.

    Ratings from few games lie too far apart, and those from resamples of these games even more.
    """
    count = drawn.shape[1]
    below = np.sum(np.sign(value[:, None] - drawn) / 2 + 0.5, axis=1) / count
    bias = 2 * ndtri(np.clip(below, 0.5 / count, 1 - 0.5 / count))
    low, high = (ndtr(bias + z) for z in (ndtri((1 - level) / 2), ndtri((1 + level) / 2)))
    rows = list(zip(drawn, low, high, strict=True))
    return (
        np.array([np.quantile(row, q) for row, q, _ in rows]),
        np.array([np.quantile(row, q) for row, _, q in rows]),
    )


def parts(count: int, size: int) -> Iterator[slice]:
    """Slices of a count, so that each holds no more than a batch of numbers."""
    width = max(1, BATCH // size)
    return (slice(i, min(i + width, count)) for i in range(0, count, width))


def _squares(matrix: sparse.csr_array) -> sparse.csr_array:
    """Each row's products of all its entries with each other, as a row."""
    matrix = matrix.tocsr()
    count = np.diff(matrix.indptr)
    row = np.repeat(np.arange(len(count)), count)
    left = np.repeat(np.arange(matrix.nnz), count[row])
    start = np.cumsum(count[row]) - count[row]
    right = matrix.indptr[row[left]] + np.arange(len(left)) - start[left]
    width = matrix.shape[1]
    column = matrix.indices[left].astype(np.int64) * width + matrix.indices[right]
    value = matrix.data[left] * matrix.data[right]
    return sparse.csr_array((value, (row[left], column)), shape=(len(count), width * width))


def covariance_of(
    choices: Choices, chance: Array, seen: Array, left: sparse.csr_array, right: sparse.csr_array
) -> Array:
    """How two kinds of sums over the outcomes of all choices vary together."""
    met, mean = choices.gather @ seen, choices.mean(chance)
    both = left.T @ sparse.diags_array(met[choices.choice] * chance) @ right
    return dense(both - (mean @ left).T @ sparse.diags_array(met) @ (mean @ right))


def curvature_of(choices: Choices, chance: Array, seen: Array) -> Array:
    """The curvature of the likelihood."""
    return covariance_of(choices, chance, seen, choices.features, choices.features)


def _penalty(choices: Choices, precision: float) -> Array:
    """The curvature of the prior, and of what fixes the means, which no game can tell."""
    penalty = precision * np.eye(choices.parameters)
    for s in [slice(0, len(choices.agents)), *(s for _, s in _seats(choices))]:
        penalty[s, s] += 1.0
    return penalty


def _seats(choices: Choices) -> Iterator[tuple[int, slice]]:
    """For each number of seats, where its advantages lie among the parameters."""
    first = len(choices.agents)
    for n in choices.tables:
        yield n, slice(first, first + n)
        first += n


def _centre(choices: Choices, values: Array) -> Array:
    """Parameters by row, with the means of ratings and of advantages taken off."""
    values = values.copy()
    for s in [slice(0, len(choices.agents)), *(s for _, s in _seats(choices))]:
        values[s] -= values[s].mean(axis=0)
    return values


def _find(agents: Sequence[str], name: str) -> int:
    """Where an agent is in the list."""
    if name not in agents:
        raise unknown("agent", name, agents)
    return agents.index(name)


def dense(matrix: Any) -> Array:
    """A matrix as an array, whether it was sparse or not."""
    return np.asarray(matrix.toarray() if sparse.issparse(matrix) else matrix)
