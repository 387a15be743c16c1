"""Verdicts: our results beside published ones, and whether chance alone explains the difference."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from kostka.arena.estimates import (
    NOTHING,
    Mean,
    around,
    deviation_terms,
    holm,
    measured,
    p_value,
    reach,
    share_interval,
)
from kostka.arena.experiments import Experiment, Published, line_ups
from kostka.arena.measures import ABOUT
from kostka.arena.results import Column, Results
from kostka.arena.statistics import Row

#: A difference counts when chance alone would show any in fewer than one of a hundred experiments.
LEVEL = 0.99
#: The verdict on what depends on the machine.
NOT_JUDGED = "not judged"
#: Rows that the last sentence names.
NAMED = 4


def judge(experiment: Experiment, results: Sequence[Results], level: float = LEVEL) -> list[Row]:
    """Ours beside theirs, one row for each number or claim, from the results of each plan.

    ``favour`` is above 0 where ours is better, or bears a claim out. ``holm`` is p corrected for
    the number of rows, and the verdict follows from it. ``unseen`` is the largest difference that
    would not have counted, were the row alone.
    """
    rows = []
    for number, (said, played) in enumerate(zip(experiment.published, results, strict=True)):
        tables, part = by_match(played), experiment.part(number)
        for whole in said:
            for one in one_by_one(whole, list(tables.values())):
                row = comparison_row(one, played, tables, level)
                rows.append(row | {"about": f"{row['about']}, {part}" if part else row["about"]})
    for row, p in zip(rows, holm([row["p"] for row in rows]), strict=True):
        row["holm"] = p
        if ABOUT[row["measure"]].cost:
            row |= {"verdict": NOT_JUDGED, "open": False}
        else:
            row |= verdict(row["claim"] is not None, row["favour"], p is not None and p < 1 - level)
    return rows


def verdict(claim: bool, favour: float | None, clear: bool) -> Row:
    """What a row comes to; a claim that the games neither bear out nor contradict is open."""
    better = favour is not None and favour > 0
    if not clear or (claim and better):
        return {"verdict": "agrees", "open": claim and not clear}
    return {"verdict": "stronger" if better else "differs", "open": False}


def by_match(played: Results) -> dict[int, tuple[str, ...]]:
    """The line-up of every match, sorted."""
    _, first = np.unique(played.match, return_index=True)
    return {
        int(played.match[i]): tuple(
            sorted(played.agents[a] for a in played.agent[i : i + played.players[i]])
        )
        for i in first
    }


def one_by_one(said: Published, every: Sequence[tuple[str, ...]]) -> Iterator[Published]:
    """Something about each line-up, as something about one after the other."""
    if not said.each or said.agent is None:
        yield said
        return
    for line_up in line_ups(said, every, "results"):
        others = list(line_up)
        others.remove(said.agent)
        yield replace(said, each=False, against=tuple(others))


def comparison_row(
    said: Published, played: Results, tables: Mapping[int, tuple[str, ...]], level: float
) -> Row:
    """A row without its verdict."""
    wanted = line_ups(said, list(tables.values()), "results")
    at = np.isin(played.match, [match for match, table in tables.items() if table in wanted])
    mine = at.copy()
    if said.agent is not None:
        mine &= played.agent == played.agents.index(said.agent)
    if said.seat is not None:
        mine &= played.seat == said.seat - 1
    if said.role is not None:
        mine &= played.seat == played.roles.index(said.role)
    rows = one_a_game(played, mine) if said.whole else np.flatnonzero(mine)
    row: Row = {
        "about": said.about,
        "agent": said.agent,
        "against": None if said.against is None else ", ".join(said.against),
        "seat": said.seat,
        "role": said.role,
        "measure": said.measure,
        "of": said.of,
        "phases": ", ".join(said.phases) or None,
        "without": ", ".join(said.without) or None,
        "claim": said.claim,
        "theirs": said.value,
        "their_games": said.games,
        "games": len(rows),
        "unseen": None,
        "remark": None,
    }
    if ABOUT[said.measure].cost:
        return row | cost(said, played, rows, level)
    share = ABOUT[said.measure].share
    values, blocks = values_of(said, played, rows)
    ours = measured(values, blocks, share)
    low, high = share_interval(values, blocks, level)[1:] if share else around(ours, level)
    row |= {"ours": ours.mean, "low": low, "high": high}
    if said.by_wins:
        return row | by_wins(said, played, {m: t for m, t in tables.items() if t in wanted})
    number = next(x for x in (said.value, said.above, said.below) if x is not None)
    p, error = surprise(ours, number, said.games if said.claim is None else None, share)
    better = -1 if said.below is not None or (said.measure == "place" and said.above is None) else 1
    strength = said.agent is not None and ABOUT[said.measure].strength
    favour = better * (ours.mean - number) if strength or said.claim is not None else None
    if said.claim is None:
        row["unseen"] = reach(level, ours.freedom or None) * error
        row["remark"] = None if said.games else "theirs taken as exact"
    return row | {"p": p, "favour": favour}


def one_a_game(played: Results, rows: Column) -> Column:
    """The first of these rows of each game: what is of a whole table counts once."""
    found = np.flatnonzero(rows)
    return found[np.unique(played.game[found], return_index=True)[1]]


def cost(said: Published, played: Results, rows: Column, level: float) -> Row:
    """What something took here: of memory the most, of time the mean. It has no verdict."""
    found: Row = {"ours": None, "low": None, "high": None, "p": None, "favour": None}
    if said.measure == "seconds":
        ours = measured(played.time[rows], played.block[rows], share=False)
        low, high = around(ours, level)
        return found | {"ours": ours.mean, "low": low, "high": high}
    if said.measure == "memory":
        known = played.memory[rows][np.isfinite(played.memory[rows])]
        return found | ({"ours": float(known.max())} if len(known) else {"remark": "not measured"})
    pace = played.pace(rows, said.phases)
    return found | ({"remark": "not timed"} if pace is None else {"ours": pace})


def values_of(said: Published, played: Results, rows: Column) -> tuple[Column, Column]:
    """The values that a mean, or a deviation, is made of, and their blocks."""
    deviation = said.measure == "deviation"
    values = played.values(said.of if deviation else said.measure)[rows]
    return deviation_terms(values) if deviation else values, played.block[rows]


class Standing(NamedTuple):
    """How an agent stands by wins in a line-up, and how far it is from a place."""

    place: int
    #: By how much it is ahead of who would take the place from it.
    lead: float
    rival: str
    p: float | None


def standing(played: Results, agent: str, place: int, measure: str = "gain") -> Standing:
    """Whether an agent has at least a place by wins among the agents of one line-up.

    That is so if it wins more than the rival who is in this place among the others. Which rival
    that is comes from the same games, so p is multiplied by how many it may have been.
    """
    count, me = len(played.agents), played.agents.index(agent)
    where = played.game * count + played.agent
    wins = np.bincount(where, played.values(measure), len(played) * count).reshape(-1, count)
    blocks = played.block[np.diff(played.game, prepend=-1) > 0]
    leads = {
        other: measured(wins[:, me] - wins[:, other], blocks, share=False)
        for other in set(played.agent.tolist()) - {me}
    }
    order = sorted(leads, key=lambda other: (leads[other].mean, other))
    rival = order[place - 1]
    lead = leads[rival].mean
    p, _ = surprise(leads[rival], 0.0, None, share=False)
    tries = place if lead > 0 else len(order) - place + 1
    own = 1 + sum(leads[other].mean < 0 for other in order)
    return Standing(own, lead, played.agents[rival], None if p is None else min(1.0, p * tries))


def by_wins(said: Published, played: Results, tables: Mapping[int, tuple[str, ...]]) -> Row:
    """A claim about places by wins, in one line-up or in any of several."""
    assert said.agent is not None
    place = said.rank or (said.worst_place_somewhere or 0) - 1
    found = []
    for line_up in sorted(set(tables.values())):
        of = [match for match, table in tables.items() if table == line_up]
        some = played.pick(np.isin(played.match, of))
        found.append(standing(some, said.agent, place, said.measure))
    counts = sorted(Counter(one.place for one in found).items())
    if said.rank is not None:
        [one] = found
        words = f"place {one.place}, {100 * abs(one.lead):.1f} points "
        words += f"{'ahead of' if one.lead > 0 else 'behind'} {one.rival}"
        return {"p": one.p, "favour": one.lead, "remark": words}
    words = ", ".join(f"{times} × place {place}" for place, times in counts)
    worse = [one for one in found if one.lead < 0]
    chances = [one.p for one in worse or found if one.p is not None]
    p = None
    if chances:
        p = min(1.0, min(chances) * len(found)) if worse else max(chances)
    return {"p": p, "favour": 1.0 if worse else -1.0, "remark": words}


def sentence(name: str, rows: Sequence[Row]) -> str:
    """All rows in one sentence, and how small a difference could have been seen."""
    if not rows:
        return f"{name}: nothing was published that could be compared."
    count = Counter(row["verdict"] for row in rows)
    judged, costs = len(rows) - count[NOT_JUDGED], count[NOT_JUDGED]
    if not judged:
        return f"{name}: {costs} rows of time and memory, which the machine decides."
    parts = [f"{count['agrees']} of {judged} rows agree{'s' if judged == 1 else ''}"]
    unclear = [row for row in rows if row["open"]]
    if unclear:
        against = sum(row["favour"] < 0 for row in unclear)
        parts[0] += f", open claims among them: {len(unclear)}"
        parts[0] += f" ({against} leaning against)" if against else ""
    for word in ("differs", "stronger"):
        found = [row["about"] for row in rows if row["verdict"] == word]
        if found:
            which = "; ".join(found[:NAMED]) + ("; …" if len(found) > NAMED else "")
            parts.append(f"{word}: {len(found)} ({which})")
    if costs:
        parts.append(f"not judged, as the machine decides: {costs}")
    unseen = [row["unseen"] for row in rows if row["unseen"] and ABOUT[row["measure"]].share]
    if unseen:
        parts.append(f"differences below about {100 * np.median(unseen):.0f} points do not show")
    return f"{name}: {'; '.join(parts)}."


# --- means and chances ---


def surprise(
    ours: Mean, theirs: float, their_games: int | None, share: bool
) -> tuple[float | None, float]:
    """How often chance alone puts two means so far apart, and the error of their difference.

    Their number is exact where nobody says how many games it is from. Theirs has the variance of
    ours, and for shares both have that of all games together (a score test, as in Wilson's
    interval). None where one game says nothing about the next.
    """
    spread = ours.spread
    if share:
        middle = theirs
        if their_games:
            middle = (ours.mean * ours.worth + theirs * their_games) / (ours.worth + their_games)
        spread = middle * (1 - middle)
    error = sqrt(spread * (1 / ours.worth + (1 / their_games if their_games else 0.0)))
    gap = ours.mean - theirs
    if not share and ours.freedom == 0:
        return None, error
    if abs(gap) < 1e-12:
        return 1.0, error
    if error**2 <= NOTHING:  # a number of 0 or 1 that is exact, or games that are all the same
        return (0.0 if share else min(1.0, 2.0 ** (1 - ours.worth))), error
    t = gap / error
    return (float(2 * ndtr(-abs(t))) if ours.freedom is None else p_value(t, ours.freedom)), error
