"""Statistics of results, as rows of plain values that a terminal, a file or a page can show alike.

Agents come in the order of the standings, best first. Whoever sits at a table more than once counts
once for each of his seats. Where the seats have roles, rows about a seat name its role.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np

from kostka.arena.distributions import Distribution, distribution
from kostka.arena.estimates import (
    LEVEL,
    NOTHING,
    Z95,
    around,
    block_means,
    duplicate_gain,
    holm,
    measured,
    share_interval,
    spreads,
    t_test,
    wilson,
)
from kostka.arena.progress import over_time, trend
from kostka.arena.results import Column, Results
from kostka.core.errors import unknown
from kostka.core.outcome import OUTCOMES, outcomes

__all__ = [
    "Z95",
    "Distribution",
    "Measure",
    "Row",
    "by_seat",
    "consecutive_pairs",
    "cross_table",
    "cross_table_by_seat",
    "distribution",
    "duplicate",
    "duplicate_gain",
    "lengths",
    "over_time",
    "points",
    "seat_advantage",
    "share_interval",
    "standings",
    "t_tests",
    "t_tests_by_seat",
    "times",
    "trend",
    "wilson",
]

Row = dict[str, Any]
Measure = Literal["score", "gain", "place"]


def standings(results: Results, level: float = LEVEL) -> list[Row]:
    """How every agent has done, best first; what wins, draws and losses are says ``outcomes``.

    ``worth`` is the number of independent games, in the same line-ups and seats, that one game of
    duplicate play is worth.
    """
    results = _ranked(results)
    placing = _placing(results)
    ended = outcomes(results.gain, results.game)
    rows = []
    for (agent,), mine in _groups(results.agent):
        name, gain = results.agents[agent], results.gain[mine]
        wins, draws, losses = np.bincount(ended[mine], minlength=len(OUTCOMES)).tolist()
        found = spreads(gain, results.block[mine], placing[mine])
        rows.append(
            {
                "agent": name,
                "games": len(mine),
                "wins": wins,
                "draws": draws,
                "losses": losses,
                **share_interval(gain, results.block[mine], level)._asdict(),
                "place": _mean(results.place[mine]),
                # scores of different roles have no mean
                "score": None if results.roles else _mean(results.score[mine]),
                "worth": _ratio(*found) if found else None,
                "learner": name in results.learners,
            }
        )
    return rows


def t_tests(results: Results, of: Measure = "score", level: float = LEVEL) -> list[Row]:
    """Which of two agents does better at the same tables: a paired t test over blocks.

    A block counts with its mean difference. Of ``place`` less is better. ``holm`` is p corrected
    for the number of pairs, and what is significant follows from it.
    """
    results, values = _ranked(results), _measured(results, of)
    one, other = _pairs(results)
    ahead = results.agent[one] < results.agent[other]
    one, other = one[ahead], other[ahead]
    return _corrected(
        [
            _tested(results, values, one[pair], other[pair], level)
            for _, pair in _groups(results.agent[one], results.agent[other])
        ],
        level,
    )


def t_tests_by_seat(results: Results, of: Measure = "score", level: float = LEVEL) -> list[Row]:
    """The same for every ordered pair: one agent in a seat, the other, or itself, in a later one.

    So where two play, a row is about those games in which ``one`` moved first.
    """
    results, values = _ranked(results), _measured(results, of)
    one, other = _pairs(results, also_itself=True)
    ahead = results.seat[one] < results.seat[other]
    one, other = one[ahead], other[ahead]
    keys = results.players[one], results.seat[one], results.seat[other]
    return _corrected(
        [
            _tested(results, values, one[pair], other[pair], level)
            | {"players": players, "one_seat": one_seat + 1, "other_seat": other_seat + 1}
            for (players, one_seat, other_seat, _, _), pair in _groups(
                *keys, results.agent[one], results.agent[other]
            )
        ],
        level,
    )


def cross_table(results: Results, level: float = LEVEL) -> list[Row]:
    """How every agent did against every other, by their places in the games of both."""
    results = _ranked(results)
    one, other = _pairs(results)
    return [
        _meeting(results, one[pair], other[pair], level)
        for _, pair in _groups(results.agent[one], results.agent[other])
    ]


def cross_table_by_seat(results: Results, level: float = LEVEL) -> list[Row]:
    """The cross table for every two seats at tables of every size; agents meet themselves, too."""
    results = _ranked(results)
    one, other = _pairs(results, also_itself=True)
    agents = results.agent[one], results.agent[other]
    seats = results.seat[one], results.seat[other]
    return [
        _meeting(results, one[pair], other[pair], level)
        | {"players": players, "one_seat": one_seat + 1, "other_seat": other_seat + 1}
        | results.role(one_seat, "one_role")
        | results.role(other_seat, "other_role")
        for (_, _, players, one_seat, other_seat), pair in _groups(
            *agents, results.players[one], *seats
        )
    ]


def by_seat(results: Results, level: float = LEVEL) -> list[Row]:
    """How every agent did in every seat; ``lead`` is by how much it outscored the others' mean."""
    results = _ranked(results)
    lead = results.values("difference")
    return [
        {
            "agent": results.agents[agent],
            "players": players,
            "seat": seat + 1,
            **results.role(seat),
            "games": len(mine),
            **share_interval(results.gain[mine], results.block[mine], level)._asdict(),
            "place": _mean(results.place[mine]),
            "score": _mean(results.score[mine]),
            "lead": _mean(lead[mine]),
        }
        for (agent, players, seat), mine in _groups(results.agent, results.players, results.seat)
    ]


def seat_advantage(results: Results, level: float = LEVEL) -> list[Row]:
    """What a seat is worth, whoever sits there; p says whether it may well be a fair share."""
    return [
        {
            "players": players,
            "seat": seat + 1,
            **results.role(seat),
            "games": len(rows),
            **share_interval(results.gain[rows], results.block[rows], level)._asdict(),
            "fair": 1 / players,
            "p": t_test(block_means(results.gain[rows], results.block[rows]), 1 / players).p,
        }
        for (players, seat), rows in _groups(results.players, results.seat)
    ]


def consecutive_pairs(results: Results) -> list[Row]:
    """At tables of three: how an agent, the one that moves right after it and the third did."""
    results = _ranked(results)
    one = np.flatnonzero(results.players == 3)
    table = one.reshape(-1, 3)
    after, third = np.roll(table, -1, axis=1).ravel(), np.roll(table, -2, axis=1).ravel()
    rows = []
    for (i, j), games in _groups(results.agent[one], results.agent[after]):
        row: Row = {"one": results.agents[i], "next": results.agents[j], "games": len(games)}
        for name, seats in (("one", one), ("next", after), ("third", third)):
            row[f"place_{name}"] = _mean(results.place[seats[games]])
            row[f"score_{name}"] = _mean(results.score[seats[games]])
        rows.append(row)
    return rows


def lengths(results: Results) -> list[Row]:
    """How many decisions games take, and how much time and memory (the most that one took)."""
    first = np.flatnonzero(np.diff(results.game, prepend=-1))
    rows = []
    for (players,), games in _groups(results.players[first]):
        of = first[games]
        length, memory = results.length[of], results.memory[of]
        memory = memory[np.isfinite(memory)]
        rows.append(
            {
                "players": players,
                "games": len(of),
                "mean": _mean(length),
                "deviation": float(length.std(ddof=1)) if len(of) > 1 else None,
                "median": float(np.median(length)),
                "shortest": int(length.min()),
                "longest": int(length.max()),
                "seconds": _mean(results.time[of]),
                "memory": float(memory.max()) if len(memory) else None,
            }
        )
    return rows


def times(results: Results) -> list[Row]:
    """How long agents think, by phase and in all, where somebody looked at the clock."""
    results = _ranked(results)
    rows = []
    for (agent,), mine in _groups(results.agent):
        seconds, decisions = results.seconds[mine], results.decisions[mine]
        games = int(np.isfinite(seconds).any(axis=1).sum())
        parts = [(phase, slice(i, i + 1)) for i, phase in enumerate(results.phases)]
        for phase, part in [*parts, ("all", slice(None))]:
            clocked = np.isfinite(seconds[:, part])
            spent, made = seconds[:, part][clocked], decisions[:, part][clocked]
            if spent.any() or made.any():
                rows.append(
                    {
                        "agent": results.agents[agent],
                        "phase": phase,
                        "decisions": int(made.sum()),
                        "ms": _ratio(1000 * float(spent[made > 0].sum()), float(made.sum())),
                        "ms_game": 1000 * float(spent.sum()) / games,
                    }
                )
    return rows


def duplicate(results: Results) -> list[Row]:
    """How many independent games the games were worth; the variances are averaged over agents."""
    placing = _placing(results)
    rows = []
    for (players,), table in _groups(results.players):
        sums = np.zeros(2)
        for _, mine in _groups(results.agent[table]):
            of = table[mine]
            sums += spreads(results.gain[of], results.block[of], placing[of]) or (0.0, 0.0)
        worth, games = _ratio(float(sums[0]), float(sums[1])), len(table) // players
        rows.append(
            {
                "players": players,
                "games": games,
                "blocks": len(np.unique(results.block[table])),
                "worth": worth,
                "independent": None if worth is None else games * worth,
                "saved": None if worth is None else games * (worth - 1),
            }
        )
    return rows


def points(results: Results, level: float = LEVEL) -> list[Row]:
    """The sum of the scores at a table, every seat's score, and its lead over the others' mean."""
    rows = []
    for (players,), at in _groups(results.players):
        first = at[results.seat[at] == 0]
        parts: list[tuple[str, int | None, Column]] = [("total", None, first)]
        for of in ("score", "difference") if players > 1 else ("score",):
            parts += [(of, seat + 1, at[results.seat[at] == seat]) for seat in range(players)]
        for of, seat, some in parts:
            values = results.values(of)[some]
            low, high = around(measured(values, results.block[some], share=False), level)
            rows.append(
                {
                    "players": players,
                    "of": of,
                    "seat": seat,
                    "games": len(some),
                    "mean": _mean(values),
                    "low": low,
                    "high": high,
                    "deviation": float(values.std(ddof=1)) if len(some) > 1 else None,
                }
            )
    return rows


def _measured(results: Results, of: str) -> Column:
    """The values that agents are compared by."""
    if of not in get_args(Measure):
        raise unknown("measure", of, get_args(Measure))
    return results.values(of)


def _tested(results: Results, values: Column, one: Column, other: Column, level: float) -> Row:
    """The paired t test of two agents, given their rows."""
    _, first = np.unique(results.game[one], return_index=True)
    leads = block_means(values[one] - values[other], results.game[one])
    found = t_test(block_means(leads, results.block[one[first]]), level=level)
    return {
        "one": results.agents[results.agent[one[0]]],
        "other": results.agents[results.agent[other[0]]],
        "blocks": found.blocks,
        "difference": found.mean,
        "low": found.low,
        "high": found.high,
        "t": found.t,
        "p": found.p,
    }


def _corrected(rows: list[Row], level: float) -> list[Row]:
    """Rows with p corrected for their number, and what is significant."""
    for row, p in zip(rows, holm([row["p"] for row in rows]), strict=True):
        row |= {"holm": p, "significant": p is not None and p < 1 - level}
    return rows


def _meeting(results: Results, one: Column, other: Column, level: float) -> Row:
    """What came of two agents' meetings, given their rows."""
    ahead = results.place[other] - results.place[one]
    share = share_interval((np.sign(ahead) + 1) / 2, results.block[one], level)
    return {
        "one": results.agents[results.agent[one[0]]],
        "other": results.agents[results.agent[other[0]]],
        "games": len(one),
        "better": int((ahead > 0).sum()),
        "equal": int((ahead == 0).sum()),
        "worse": int((ahead < 0).sum()),
        **share._asdict(),
        "score_one": _mean(results.score[one]),
        "score_other": _mean(results.score[other]),
        "difference": _mean(results.score[one] - results.score[other]),
    }


def _mean(values: Column) -> float | None:
    """The mean of what is known."""
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else None


def _ratio(a: float, b: float) -> float | None:
    return a / b if b > NOTHING else None


def _ranked(results: Results) -> Results:
    """The same results with the agents in the order of the standings."""
    games = np.bincount(results.agent, minlength=len(results.agents))
    gains = np.bincount(results.agent, weights=results.gain, minlength=len(results.agents))
    order = np.argsort(-(gains / np.maximum(games, 1)).round(12), kind="stable")
    agents = tuple(results.agents[i] for i in order)
    return replace(results, agents=agents, agent=np.argsort(order)[results.agent])


def _placing(results: Results) -> Column:
    """A number for every row: the same for a seat wherever the same agents sit at the table."""
    placing = np.empty(len(results.game), np.int64)
    above = 0
    for (players,), rows in _groups(results.players):
        lineup = results.agent[rows].reshape(-1, players)
        _, which = np.unique(lineup, axis=0, return_inverse=True)
        placing[rows] = above + (which.reshape(-1, 1) * players + np.arange(players)).ravel()
        above = int(placing[rows].max()) + 1
    return placing


def _pairs(results: Results, also_itself: bool = False) -> tuple[Column, Column]:
    """The rows of every two seats at one table that different agents took, in both orders."""
    one, other = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for (players,), rows in _groups(results.players):
        table = rows.reshape(-1, players)
        for i in range(players):
            for j in range(players):
                differ = results.agent[table[:, i]] != results.agent[table[:, j]]
                differ |= also_itself and i != j
                one.append(table[differ, i])
                other.append(table[differ, j])
    return np.concatenate(one), np.concatenate(other)


def _groups(*keys: Column) -> Iterator[tuple[tuple[int, ...], Column]]:
    """The positions at which all keys are the same, by those keys, in order."""
    if not len(keys[0]):
        return
    order = np.lexsort(keys[::-1])
    ordered = np.stack(keys)[:, order]
    cuts = np.flatnonzero((ordered[:, 1:] != ordered[:, :-1]).any(axis=0)) + 1
    for rows in np.split(order, cuts):
        yield tuple(int(key[rows[0]]) for key in keys), rows
