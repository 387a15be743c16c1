"""Reports: everything there is to say about a run, as tables; ``page`` shows them to people."""

import json
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, TypeVar

import numpy as np
import sqlalchemy as sa

from kostka.arena import ledger, statistics
from kostka.arena import ratings as rating
from kostka.arena.estimates import FEWEST, LEVEL, around, block_means, measured, t_test
from kostka.arena.match import Match
from kostka.arena.plan import KEYS, PERMUTED, Plan
from kostka.arena.results import Column, Results, members
from kostka.arena.store import DEFAULT, Run, Store, runs
from kostka.arena.transitivity import transitivity
from kostka.core.errors import KostkaError
from kostka.core.game import Game, label
from kostka.core.game import game as find_game
from kostka.core.outcome import WON, outcomes

#: Games that are replayed for the luck and the course of a game: about so many, in whole blocks,
#: but no fewer blocks than luck can be told from.
SAMPLE = 500
#: Games are followed up to the round by which so many of them are over.
FOLLOWED = 0.95
#: Points of a curve.
POINTS = 200

T = TypeVar("T")
Row = dict[str, Any]
Data = dict[str, Any]
#: Told what is being made, and what part of everything is done.
Step = Callable[[str, float], None]


def gather(
    store: Store,
    run: Run,
    exclude: Sequence[str] = (),
    level: float = LEVEL,
    step: Step = lambda part, done: None,
) -> Data:
    """Everything a report says, by table; a table that does not apply is left out."""
    results = store.results(run)
    if exclude:
        results = results.without(exclude)
        if not len(results):
            raise KostkaError(f"no game is left: {' or '.join(exclude)} sat at every table")
    step("standings", 0.0)
    found: Data = {"run": {}, "standings": statistics.standings(results, level)}
    order = [row["agent"] for row in found["standings"]]
    known = set().union(*map(members, order))
    found["faults"] = [row for row in store.faults(run) if row["agent"] in known]
    step("ratings", 0.05)
    found |= rated(results, level)
    for row in found["standings"]:
        elo = next((r for r in found.get("ratings", ()) if r["agent"] == row["agent"]), None)
        row |= {f"elo{end}": elo[key] for key, end in RATING.items()} if elo else {}
    step("tables", 0.1)
    found |= tables(results, level)
    if find_game(run.plan.game).scored and not results.roles:
        found["points"] = pointed(results, level)
    step("distributions", 0.15)
    found |= distributions(results, order)
    replays, why_not = replayed(store, run, results, order, level, step)
    found |= replays
    found["endings"] = endings(store, run, results)
    step("learners", 0.75)
    found |= learners(results, order, level)
    found["times"] = statistics.times(results)
    found["run"] = about(store, run, results, exclude, level) | {"not_replayed": why_not}
    if "luck" in found or "development" in found:
        found["run"]["replayed"] = len(sample(results))
    return {key: value for key, value in found.items() if value}


RATING = {"elo": "", "low": "_low", "high": "_high"}


# --- what was found ---


def rated(results: Results, level: float) -> Data:
    """Ratings of agents and seats, and whether they tell the whole story."""
    few = len(np.unique(results.agent)) < 2 or len(np.unique(results.block)) < 2
    if few or not results.comparable:
        return {}
    fit = rating.rate(results.each())
    intervals = rating.bootstrap(fit, level=level)
    check = transitivity(fit)
    agents = [
        {
            "agent": name,
            "elo": elo,
            "low": intervals.agents[name][0],
            "high": intervals.agents[name][1],
            "error": intervals.error[name],
            "better": intervals.better[name],
            "learner": name in results.learners,
        }
        for name, elo in fit.elo.items()
    ]
    seats = [
        {"players": n, "seat": seat, **results.role(seat - 1), "elo": elo, "low": low, "high": high}
        for n, advantages in fit.seats.items()
        for seat, (elo, (low, high)) in enumerate(
            zip(advantages, intervals.seats[n], strict=True), 1
        )
    ]
    deviations = sorted(check.deviations.items(), key=lambda pair: -abs(pair[1]))
    story = {
        "p": check.p,
        "statistic": check.statistic,
        "against": check.against,
        "cycles": [
            {"agents": list(c.agents), "margins": list(c.margins), "z": c.z} for c in check.cycles
        ],
        "deviations": [{"one": one, "other": other, "z": z} for (one, other), z in deviations],
    }
    return {
        "ratings": agents,
        "seat_ratings": seats,
        "transitivity": story if len(agents) > 2 else {},
    }


def tables(results: Results, level: float) -> Data:
    """Who did how against whom, and in which seat."""
    measures: list[statistics.Measure] = ["gain"] if results.roles else ["gain", "score"]
    return {
        "cross_table": statistics.cross_table(results, level) if results.comparable else [],
        "cross_table_by_seat": statistics.cross_table_by_seat(results, level),
        "t_tests": [
            {"of": of, **row}
            for of in (measures if results.comparable else [])
            for row in statistics.t_tests(results, of, level)
        ],
        "t_tests_by_seat": [
            {"of": of, **row}
            for of in ([] if results.roles else measures)
            for row in statistics.t_tests_by_seat(results, of, level)
        ],
        "by_seat": statistics.by_seat(results, level),
        "seat_advantage": statistics.seat_advantage(results, level),
        "consecutive_pairs": statistics.consecutive_pairs(results),
        "duplicate": statistics.duplicate(results) if shares_luck(results) else [],
    }


def distributions(results: Results, order: Sequence[str]) -> Data:
    """How scores and lengths of games are distributed."""
    found: Data = {"scores": [], "lengths": statistics.lengths(results)}
    for n, some in results.tables():
        for agent, role, mine in parts(some, order):
            row = {"agent": agent, "players": n, **role, **spread(some.score[mine])}
            found["scores"].append(row)
        row = next(row for row in found["lengths"] if row["players"] == n)
        row |= spread(some.length[some.seat == 0])
    return found


def pointed(results: Results, level: float) -> list[Row]:
    """Totals of tables and scores of seats, with what a histogram needs."""
    rows = statistics.points(results, level)
    for row in rows:
        some = (results.players == row["players"]) & (results.seat == (row["seat"] or 1) - 1)
        row |= {**spread(results.values(row["of"])[some]), "mean": row["mean"]}
    return rows


def rhythm(
    results: Results, traces: Mapping[int, np.ndarray], order: Sequence[str], level: float
) -> list[Row]:
    """Whether points come every other round, and how many come with the end.

    ``swing`` is the mean gain of even rounds less that of odd ones, the last round left out: where
    points are prepared in one round and taken in the next, scores rise like a saw. ``end`` is the
    gain of the last round less the mean of those before.
    """
    swing, end = np.full((2, len(results.game)), np.nan)
    for first, trace in traces.items():
        gains = np.diff(trace, axis=0)
        if len(gains) > 2:
            seats = slice(first, first + gains.shape[1])
            before = gains[:-1]
            swing[seats] = before[1::2].mean(axis=0) - before[::2].mean(axis=0)
            end[seats] = gains[-1] - before.mean(axis=0)
    rows = []
    for n in np.unique(results.players).tolist():
        for agent, role, mine in parts(results, order):
            at = mine & (results.players == n) & np.isfinite(swing)
            if at.any():
                row: Row = {"agent": agent, "players": n, **role, "games": int(at.sum())}
                for key, values in (("swing", swing), ("end", end)):
                    found = measured(values[at], results.block[at], share=False)
                    low, high = around(found, level)
                    row |= {key: found.mean, f"{key}_low": low, f"{key}_high": high}
                rows.append(row)
    return rows


def parts(results: Results, order: Sequence[str]) -> Iterator[tuple[str, Row, Column]]:
    """Every agent, in each of its roles if there are any, and which rows are its."""
    for role in range(len(results.roles) or 1):
        for agent in order:
            mine = results.agent == results.agents.index(agent)
            if results.roles:
                mine &= results.seat == role
            if mine.any():
                yield agent, results.role(role), mine


def spread(values: Column, bins: int | None = None) -> Row:
    """A distribution as a row."""
    found = statistics.distribution(values, bins)
    return {**vars(found), "normal": found.normal()}


def learners(results: Results, order: Sequence[str], level: float) -> Data:
    """How agents that learn have done as time went by."""
    found: Data = {"learners": [], "over_time": []}
    for agent in order:
        if agent in results.learners:
            rows = statistics.over_time(results, agent, level=level)
            found["learners"] += [
                {**row, "first": rows[0]["share"], "last": rows[-1]["share"]}
                for row in statistics.trend(results, agent, level)
            ]
            found["over_time"] += [{"agent": agent, **row} for row in thin(rows)]
    return found


def thin(points: Sequence[T]) -> Sequence[T]:
    """At most so many points as a curve has, evenly spread, the last one among them."""
    return points[::-1][:: -(-len(points) // POINTS) or 1][::-1]


def shares_luck(results: Results) -> bool:
    """Are there games under the same luck at all?"""
    return len(np.unique(results.block)) < len(results)


# --- games replayed ---


def replayed(
    store: Store, run: Run, results: Results, order: Sequence[str], level: float, step: Step
) -> tuple[Data, str | None]:
    """What only the moves can tell, or the reason why they do not."""
    game, why_not = find_game(run.plan.game), lost(run)
    if why_not is not None:
        return {}, why_not
    chosen = sample(results)
    luck, start = np.zeros((2, len(chosen.game)))
    traces: dict[int, np.ndarray] = {}
    for row, match, seed, codes in moves(store, run, chosen):
        step("replays", 0.2 + 0.55 * len(traces) / len(chosen))
        sides = np.array(match.sides)
        leads = np.unique(sides, return_index=True)[1]  # a side's first seat: all share its luck
        seats = slice(row, row + len(leads))
        found = ledger.luck(game, match.options, seed, codes)
        luck[seats], start[seats] = np.array(found.luck)[leads], np.array(found.start)[leads]
        trace = ledger.development(game, match.options, seed, codes)
        traces[row] = np.stack(
            [trace[:, sides == side].mean(axis=1) for side in range(len(leads))], 1
        )
    return {
        "development": development(chosen, traces, order, level) if game.scored else [],
        "rhythm": rhythm(chosen, traces, order, level) if game.scored else [],
        "luck": lucky(run, chosen, luck, start, order, level) if valued(game) else [],
    }, None


def lost(run: Run) -> str | None:
    """Why games cannot be replayed."""
    game = find_game(run.plan.game)
    if not run.plan.moves:
        return "The moves of this run were not kept."
    if game.version != run.rules:
        return f"The rules of {game.title} have changed since, so games cannot be replayed."
    return None


def endings(store: Store, run: Run, results: Results) -> list[Row]:
    """Where seats have roles: in which rounds games ended, by line-up and by who won them.

    So the detectives' wins in Scotland Yard tell in which round Mr X was caught.
    """
    if not results.roles or lost(run) is not None:
        return []
    game = find_game(run.plan.game)
    found: dict[tuple[int, ...], dict[int, list[int]]] = {}
    for row, match, seed, codes in moves(store, run, results):
        seats = slice(row, row + results.players[row])
        gain = results.gain[seats]
        winners = np.flatnonzero(outcomes(gain) == WON)
        winner = int(winners[0]) if len(winners) == 1 else -1
        rounds = len(ledger.development(game, match.options, seed, codes)) - 1
        lineup = found.setdefault(tuple(results.agent[seats].tolist()), {})
        lineup.setdefault(winner, []).append(rounds)
    return [
        {
            "agents": [results.agents[agent] for agent in lineup],
            "winner": results.roles[winner] if winner >= 0 else "nobody",
            "games": sum(map(len, won.values())),
            **spread(np.array(won[winner]), game.length),
        }
        for lineup, won in sorted(found.items())
        for winner in sorted(won)
    ]


def sample(results: Results) -> Results:
    """Some blocks, evenly spread, or all games if they are not many."""
    blocks = np.unique(results.block)
    wanted = max(FEWEST, SAMPLE * len(blocks) // len(results))
    if wanted >= len(blocks):
        return results
    kept = blocks[np.linspace(0, len(blocks) - 1, wanted).round().astype(int)]
    return results.pick(np.isin(results.block, kept))


def moves(store: Store, run: Run, some: Results) -> Iterator[tuple[int, Match, int, list[int]]]:
    """The first row, match, seed and codes of every game of some results."""
    first = np.flatnonzero(some.seat == 0)
    keys = zip(some.match[first].tolist(), some.number[first].tolist(), strict=True)
    where = dict(zip(keys, first.tolist(), strict=True))
    for of, number, seed, codes in store.moves(run):
        if (of, number) in where:
            yield where[of, number], run.matches[of], seed, codes.tolist()


def valued(game: Game) -> bool:
    """Has the game an evaluation of its own, so that luck can be told?"""
    return next(iter(game.evaluations)) != "even"


def development(
    results: Results, traces: Mapping[int, np.ndarray], order: Sequence[str], level: float
) -> list[Row]:
    """The mean scores after every round; a game that is over keeps its scores."""
    rows = []
    for n in np.unique(results.players).tolist():
        here = [(row, trace) for row, trace in traces.items() if results.players[row] == n]
        rounds = int(np.quantile([len(trace) - 1 for _, trace in here], FOLLOWED))
        scores = np.empty((len(results.game), rounds + 1))
        for row, trace in here:
            last = np.minimum(np.arange(rounds + 1), len(trace) - 1)
            scores[row : row + n] = trace[last].T
        for agent, role, mine in parts(results, order):
            mine &= results.players == n
            for r in thin(range(rounds + 1)) if mine.any() else ():
                test = t_test(block_means(scores[mine, r], results.block[mine]), level=level)
                low, high = (test.mean if x is None else x for x in (test.low, test.high))
                point = {"round": r, "score": test.mean, "low": low, "high": high}
                rows.append({"agent": agent, "players": n, **role, **point})
    return rows


def lucky(
    run: Run, results: Results, luck: Column, start: Column, order: Sequence[str], level: float
) -> list[Row]:
    """What of the agents' shares was luck: in all games, then in each line-up."""
    rows = []
    several = np.unique(results.match)
    for match in (None, *several.tolist()) if len(several) > 1 else (None,):
        here = np.ones(len(luck), bool) if match is None else results.match == match
        some = results.pick(here)
        for agent in order:
            mine = some.agent == some.agents.index(agent)
            if len(np.unique(some.block[mine])) < FEWEST:
                continue
            found = ledger.controlled(some, luck[here], agent, level)
            plain, adjusted = found["plain"], found["adjusted"]
            rows.append(
                {
                    "line_up": None if match is None else list(run.matches[match].specs),
                    "agent": agent,
                    "games": found["games"],
                    "blocks": found["blocks"],
                    **plain._asdict(),
                    "start": float(start[here][mine].mean()),
                    "luck": float(luck[here][mine].mean()),
                    "adjusted": adjusted.share,
                    "adjusted_low": adjusted.low,
                    "adjusted_high": adjusted.high,
                    "beta": found["beta"],
                    "narrowed": found["narrowed"] if isfinite(found["narrowed"]) else None,
                }
            )
    return rows


# --- how it was made ---


def about(store: Store, run: Run, results: Results, exclude: Collection[str], level: float) -> Row:
    """What was played, when and by what command."""
    game = find_game(run.plan.game)
    options = dict(run.matches[0].options)
    if not results.roles:
        del options["players"]
    usual = {option.name: option.default for option in game.options}
    agents = [results.agents[i] for i in np.unique(results.agent)]
    return {
        "name": run.name,
        "game": game.name,
        "title": game.title,
        "options": {k: label(v) for k, v in options.items()},
        "unusual": {k: label(v) for k, v in options.items() if v != usual[k]},
        "agents": agents,
        "learners": [agent for agent in agents if agent in results.learners],
        "excluded": list(exclude),
        "tables": sorted({run.matches[of].players for of in set(results.match.tolist())}),
        "roles": list(results.roles),
        "comparable": results.comparable,
        "line_ups": len(set(results.match.tolist())),
        "games": len(results),
        "blocks": len(set(results.block.tolist())),
        "games_played": run.played,
        "games_planned": run.games,
        "seats": seats(run),
        "in_order": run.in_order,
        "seed": run.plan.seed,
        "limit": run.plan.limit,
        "started": run.started,
        "finished": run.finished,
        "seconds": float(results.time[results.seat == 0].sum()),
        "level": level,
        "rules": run.rules,
        "engine": engine(store, run),
        "machine": run.machine,
        "command": run.command,
        "again": again(store, run, exclude, level),
        "plan": run.plan.json(),
        "toml": toml(run.plan),
    }


def seats(run: Run) -> str:
    """How the seats changed in a block."""
    usual = {"permute" if len(match.specs) <= PERMUTED else "rotate" for match in run.matches}
    return run.plan.seats or (usual.pop() if len(usual) == 1 else "both")


def engine(store: Store, run: Run) -> str:
    """The version of Kostka that began the run."""
    with store.read() as connection:
        return str(connection.scalar(sa.select(runs.c.engine).where(runs.c.id == run.id)))


def again(store: Store, run: Run, exclude: Collection[str], level: float) -> str:
    """The command that makes the report."""
    words = ["kostka", "report", run.name]
    if str(store) != DEFAULT:
        words += ["--store", str(store)]
    for agent in exclude:
        words += ["--exclude", agent]
    if level != LEVEL:
        words += ["--level", f"{level:g}"]
    return shlex.join(words)


def toml(plan: Plan) -> str:
    """The plan as the file that kostka tournament reads."""
    usual, given = Plan(plan.game).json(), plan.json()
    lines = []
    for key, (field, *_) in KEYS.items():
        if field not in given or (field == "games" and plan.each is not None):
            continue
        value = given[field]
        if field in ("game", "games", "seed") or (value != usual[field] and field != "options"):
            lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}")
    if plan.options:
        lines += ["", "[options]"]
        lines += [f"{k} = {json.dumps(v, ensure_ascii=False)}" for k, v in plan.options.items()]
    return "\n".join(lines) + "\n"
