"""Whether an agent gets better as its games go by. Its games in one match are a series."""

from typing import Any

import numpy as np

from kostka.arena.estimates import LEVEL, NOTHING, block_sums, p_value, reach, share_interval
from kostka.arena.results import Column, Results
from kostka.core.errors import KostkaError, unknown

Row = dict[str, Any]


def over_time(results: Results, agent: str, window: int = 50, level: float = LEVEL) -> list[Row]:
    """An agent's share in the last so many games, all series together; games count from 1."""
    if window < 1:
        raise KostkaError(f"window must be at least 1, not {window}")
    mine, number, _ = _series(results, agent)
    order = np.argsort(number, kind="stable")
    mine, number = mine[order], number[order]
    longest = int(number[-1]) if len(number) else 0
    rows = []
    for last in range(min(window, longest), longest + 1) if longest else ():
        start, stop = np.searchsorted(number, [last - window + 1, last + 1])
        of = mine[start:stop]
        share = share_interval(results.gain[of], results.block[of], level)
        rows.append({"game": last, **share._asdict()})
    return rows


def trend(results: Results, agent: str, level: float = LEVEL) -> list[Row]:
    """How much an agent's gain rises in 100 games: one row, or none if it did not play.

    The slope is that of least squares within the series; its error lets the games of a block hang
    together. None where there is nothing to tell it from.
    """
    mine, number, series = _series(results, agent)
    if not len(mine):
        return []
    gain, x = (
        values - (np.bincount(series, weights=values) / np.bincount(series))[series]
        for values in (results.gain[mine], number / 100)
    )
    row: Row = {"agent": agent, "games": len(mine)}
    row |= dict.fromkeys(("slope", "low", "high", "p"))
    spread = float(x @ x)
    if spread > NOTHING:
        row["slope"] = slope = float(x @ gain) / spread
        pulls = block_sums(x * (gain - slope * x), results.block[mine])
        n, pull = len(pulls), float(pulls @ pulls)
        if n > 2 and pull > NOTHING:
            error = float(np.sqrt(pull * n / (n - 1))) / spread
            far = reach(level, n - 1) * error
            row |= {"low": slope - far, "high": slope + far, "p": p_value(slope / error, n - 1)}
    return [row]


def _series(results: Results, agent: str) -> tuple[Column, Column, Column]:
    """An agent's rows, the number of each in its series, and the series."""
    if agent not in results.agents:
        raise unknown("agent", agent, results.agents)
    mine = np.flatnonzero(results.agent == results.agents.index(agent))
    _, game = np.unique(results.game[mine], return_inverse=True)
    _, first, series = np.unique(results.match[mine], return_index=True, return_inverse=True)
    return mine, game - game[first][series] + 1, series
