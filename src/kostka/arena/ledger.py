"""The ledger of a game: what of its result was luck, and how much surer one is without the luck.

A value function V says what share of the game each player may expect. The luck of what comes out
at a chance node is V of it less the mean of V over all that could have come out. Its mean is zero
given everything before, so the luck of a whole game has mean zero too, whatever V is and however
well or badly it is played: a good V only finds more of it.

    gain = fair share + start (what the set-up is worth) + luck + rest (skill, and what V misses)

Cards dealt by chance nodes are luck; ``start`` is only what lies there before the first of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import NamedTuple, TypedDict

import numpy as np

from kostka.arena.estimates import FEWEST, LEVEL, Share, block_sums, reach, share_interval
from kostka.arena.results import Column, Results
from kostka.core import rules
from kostka.core.errors import KostkaError, unknown
from kostka.core.game import Game, Value
from kostka.core.kernels import kernel
from kostka.core.memory import copy, restore
from kostka.core.state import begin

#: Less luck than this in a game is what rounding leaves of none.
NO_LUCK = 1e-9


# --- the luck of a game ---


@kernel
def ledger(states, scratch, codes, evaluations, sides, out, prob, room, start, luck, events, each):
    """Replay a game and add up everybody's luck; returns the codes that fitted, and chance nodes.

    While there is room, ``events`` gets the place of each chance node and who acted last before
    it, and ``each`` gets its luck.
    """
    s, after, h = states[0], scratch[0], evaluations[0]
    copy(after, s)
    share(h, s, sides, start, room)
    nodes, last = 0, rules.CHANCE
    for i in range(len(codes)):
        m = rules.mover(s)
        k = possible(s, m, codes[i], out, prob)
        if k == 0:
            return i, nodes
        if m == rules.CHANCE:
            here = each[nodes] if nodes < len(each) else room[0]
            windfall(h, s, after, codes[i], k, sides, out, prob, here, room)
            for p in range(len(luck)):
                luck[p] += here[p]
            if nodes < len(events):
                events[nodes, 0], events[nodes, 1] = i, last
            nodes += 1
        else:
            last = m
        rules.apply(s, codes[i])
    return len(codes), nodes


@kernel
def possible(s, mover, code, out, prob):
    """List all that can happen here, and return its number: 0 where the code is not among it."""
    if mover == rules.OVER:
        return 0
    k = rules.chance(s, out, prob) if mover == rules.CHANCE else rules.legal(s, out)
    for j in range(k):
        if out[j] == code:
            return k
    return 0


@kernel
def windfall(h, s, after, code, k, sides, out, prob, luck, room):
    """What an outcome brings each player beyond the mean of all ``k`` outcomes."""
    value = room[1]
    for p in range(len(luck)):
        luck[p] = 0.0
    for j in range(k):
        restore(after, s)
        rules.apply(after, out[j])
        share(h, after, sides, value, room)
        weight = (1.0 if out[j] == code else 0.0) - prob[j]
        for p in range(len(luck)):
            luck[p] += weight * value[p]


@kernel
def share(h, s, sides, value, room):
    """Each player's share: the result of a game over, otherwise V, which is made to add up to 1.

    The players of a side share what V gives them on average.
    """
    if rules.mover(s) == rules.OVER:
        rules.returns(s, value)
        return
    worth, members = room[2], room[3]
    for p in range(len(sides)):
        worth[p], members[p] = 0.0, 0.0
    for p in range(len(sides)):
        worth[sides[p]] += min(1.0, max(0.0, rules.evaluate(h, s, p)))
        members[sides[p]] += 1.0
    total, rivals = 0.0, 0
    for side in range(len(sides)):
        if members[side] > 0.0:
            worth[side] /= members[side]
            total += worth[side]
            rivals += 1
    for p in range(len(sides)):
        value[p] = worth[sides[p]] / total if total > 0.0 else 1.0 / rivals


@dataclass(frozen=True)
class Luck:
    """What of a game's result was luck, by player."""

    #: What the set-up was worth beyond the fair share.
    start: list[float]
    #: What chance brought during the game.
    luck: list[float]
    #: What everybody gets in a game without luck and skill: one part for each side.
    fair: float

    def rest(self, gains: Sequence[float]) -> list[float]:
        """What is left of the gains: skill, and all that the value function does not explain."""
        parts = zip(gains, self.start, self.luck, strict=True)
        return [gain - self.fair - start - luck for gain, start, luck in parts]


class Entry(NamedTuple):
    """The luck at one chance node."""

    #: The place of the outcome among the codes of the game, from 0.
    event: int
    #: Who acted last before, and so brought it about; CHANCE where nobody has acted yet.
    player: int
    luck: list[float]


def luck(
    game: Game,
    options: Mapping[str, Value],
    seed: int,
    codes: Sequence[int] | np.ndarray,
    value: str | np.ndarray | None = None,
) -> Luck:
    """The luck of a whole game, measured by one of the game's evaluations (by default its own)."""
    start, total, _, _ = _replay(game, options, seed, codes, value, 0)
    fair = 1 / len(set(game.teams(options)))
    return Luck((start - fair).tolist(), total.tolist(), fair)


def entries(
    game: Game,
    options: Mapping[str, Value],
    seed: int,
    codes: Sequence[int] | np.ndarray,
    value: str | np.ndarray | None = None,
) -> list[Entry]:
    """The luck at every chance node of a game, in order; it adds up to that of ``luck``."""
    _, _, events, each = _replay(game, options, seed, codes, value, len(codes))
    rows = zip(events.tolist(), each.tolist(), strict=True)
    return [Entry(event, player, luck) for (event, player), luck in rows]


def _replay(
    game: Game,
    options: Mapping[str, Value],
    seed: int,
    codes: Sequence[int] | np.ndarray,
    value: str | np.ndarray | None,
    nodes: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Start, luck, and of so many chance nodes at most the places and the luck."""
    one, given, sides = _opened(game, options, seed, codes)
    start, total = np.zeros(len(sides)), np.zeros(len(sides))
    events, each = np.empty((nodes, 2), np.int64), np.empty((nodes, len(sides)))
    out, prob, room = _buffers(game, len(sides))
    record = evaluation(game, value)
    rows = (start, total, events, each)
    fitted, found = ledger(one, np.empty_like(one), given, record, sides, out, prob, room, *rows)
    _check(game, given, fitted)
    return start, total, events[:found], each[:found]


def evaluation(game: Game, value: str | np.ndarray | None) -> np.ndarray:
    """The record of a value function: a name of the game's, a record, or the game's own choice.

    That is ``outlook``, a chance to win learnt from games, where a game has one.
    """
    if isinstance(value, np.ndarray):
        return value
    if value is None:
        return game.evaluations.get("outlook", next(iter(game.evaluations.values())))
    if value not in game.evaluations:
        raise unknown(f"evaluation of {game.name}", value, game.evaluations)
    return game.evaluations[value]


def _opened(
    game: Game, options: Mapping[str, Value], seed: int, codes: Sequence[int] | np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The first position, the codes and the sides, as kernels take them."""
    _, sides = np.unique(game.teams(options), return_inverse=True)
    return begin(game, options, seed).buffer, np.array(codes, np.int64), sides.astype(np.int64)


def _buffers(game: Game, players: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.empty(game.width, np.int64), np.empty(game.width), np.empty((4, players))


def _check(game: Game, codes: np.ndarray, fitted: int) -> None:
    if fitted < len(codes):
        raise KostkaError(
            f"code {codes[fitted]} at place {fitted} cannot happen there in {game.title}; "
            "the codes need the options, the seed and the rules that they were played with"
        )


# --- the game round by round ---


@kernel
def trace(states, codes, evaluations, valued, sides, out, prob, room, rows):
    """Replay a game and write how all stand at its start, after each round and at its end.

    Returns the codes that fitted, and the rows written.
    """
    s, h = states[0], evaluations[0]
    stand(h, s, valued, sides, rows[0], room)
    n, last = 1, rules.CHANCE
    for i in range(len(codes)):
        m = rules.mover(s)
        if possible(s, m, codes[i], out, prob) == 0:
            return i, n
        if m != rules.CHANCE:
            if m < last:
                stand(h, s, valued, sides, rows[n], room)
                n += 1
            last = m
        rules.apply(s, codes[i])
    if len(codes) > 0:
        stand(h, s, valued, sides, rows[n], room)
        n += 1
    return len(codes), n


@kernel
def stand(h, s, valued, sides, row, room):
    """Everybody's share of the game by V, or his score."""
    if valued:
        share(h, s, sides, row, room)
    else:
        rules.score(s, row)


def development(
    game: Game,
    options: Mapping[str, Value],
    seed: int,
    codes: Sequence[int] | np.ndarray,
    value: str | np.ndarray | None = None,
) -> np.ndarray:
    """Rounds × players: the scores, or with a value function the shares of the game.

    The first row is the start, the last one the position after all codes. A round is over when
    somebody acts who does not sit behind the one who acted before.
    """
    one, given, sides = _opened(game, options, seed, codes)
    out, prob, room = _buffers(game, len(sides))
    record = evaluation(game, value)
    rows = np.zeros((len(given) + 2, len(sides)))
    valued = int(value is not None)
    fitted, n = trace(one, given, record, valued, sides, out, prob, room, rows)
    _check(game, given, fitted)
    return rows[:n].copy()


# --- results without their luck ---


class Controlled(TypedDict):
    """An agent's share of the points, as it came and without the luck."""

    plain: Share
    adjusted: Share
    #: How much of its luck an agent finds in its result, on average.
    beta: float
    #: So many games one game is worth thanks to the ledger: the ratio of the squared widths.
    narrowed: float
    blocks: int
    games: int


def controlled(results: Results, luck: Column, agent: str, level: float = LEVEL) -> Controlled:
    """An agent's share of the points, with what its luck explains taken out.

    ``luck`` has a number for every row of the results. From each block β times its luck is taken,
    with β fitted to all *other* blocks: so β and the luck are independent, and as luck has mean
    zero, the adjusted share is unbiased. The plain share has its interval of everywhere, the
    adjusted one, which may leave the range from 0 to 1, Student's over blocks.
    """
    if agent not in results.agents:
        raise unknown("agent", agent, results.agents)
    if len(luck) != len(results.gain):
        raise KostkaError(
            f"luck must have a number for each of the {len(results.gain)} rows, not {len(luck)}"
        )
    mine = results.agent == results.agents.index(agent)
    block = results.block[mine]
    gain, lucky = block_sums(results.gain[mine], block), block_sums(luck[mine], block)
    games = block_sums(np.ones(len(block)), block)
    if len(games) < FEWEST:
        raise KostkaError(
            f"taking the luck out needs at least {FEWEST} blocks; {agent} has {len(games)}"
        )
    sums = np.stack([gain, games, lucky * gain, lucky * games, lucky * lucky])
    total = sums.sum(axis=1, keepdims=True)
    lucky_too = _interval(gain, games, level, 1)
    adjusted = _interval(gain - _slope(total - sums) * lucky, games, level, 2)
    before, after = lucky_too.high - lucky_too.low, adjusted.high - adjusted.low
    return Controlled(
        plain=share_interval(results.gain[mine], block, level),
        adjusted=adjusted,
        beta=float(_slope(total)[0]),
        narrowed=(before / after) ** 2 if after > 0 else inf if before > 0 else 1.0,
        blocks=len(games),
        games=int(games.sum()),
    )


def _slope(sums: Column) -> Column:
    """Σ luck·(gain − share·games) / Σ luck², from sums over blocks; 0 where there is no luck."""
    gain, games, with_gain, with_games, square = sums
    some = square > games * NO_LUCK**2
    return np.where(some, with_gain - gain / games * with_games, 0.0) / np.where(some, square, 1.0)


def _interval(points: Column, games: Column, level: float, fitted: int) -> Share:
    """Points a game, with an interval over blocks to which so many numbers were fitted."""
    blocks, all_games = len(games), games.sum()
    share = float(points.sum() / all_games)
    off = points - share * games
    error = sqrt(off @ off * blocks / (blocks - fitted)) / all_games
    width = float(reach(level, blocks - fitted) * error)
    return Share(share, share - width, share + width)
