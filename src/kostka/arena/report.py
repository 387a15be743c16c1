"""Reports: a run as tables that programs read, and as one page that people read.

The page shows nothing but what ``gather`` has found, so every table of it is a key of the JSON.
"""

import json
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from importlib.resources import files
from math import isfinite
from typing import Any

import numpy as np

from kostka.arena import ledger, plots, statistics
from kostka.arena import ratings as rating
from kostka.arena.estimates import LEVEL, block_means, t_test
from kostka.arena.match import Match
from kostka.arena.plan import KEYS, Plan
from kostka.arena.results import Column, Results
from kostka.arena.store import DEFAULT, Run, Store
from kostka.core.errors import KostkaError
from kostka.core.game import Game
from kostka.core.game import game as find_game

#: Games that are replayed for the luck and the course of a game: about so many, in whole blocks,
#: but no fewer blocks than that.
SAMPLE = 500
BLOCKS = 20
#: Games are followed up to the round by which so many of them are over.
FOLLOWED = 0.95
#: Points of a curve.
POINTS = 200

Row = dict[str, Any]
Data = dict[str, Any]
#: Told the name of every part before it is made.
Step = Callable[[str], None]
STEPS = ("standings", "ratings", "tables", "distributions", "replays", "learners", "time")


def gather(
    store: Store,
    run: Run,
    exclude: Sequence[str] = (),
    level: float = LEVEL,
    step: Step = lambda part: None,
) -> Data:
    """Everything a report says, by table; a table that does not apply is left out."""
    results = store.results(run)
    if exclude:
        results = results.without(exclude)
        if not len(results):
            raise KostkaError(f"no game is left: {' or '.join(exclude)} sat at every table")
    step("standings")
    found: Data = {"run": {}, "standings": statistics.standings(results, level)}
    found["faults"] = [row for row in store.faults(run) if row["agent"] not in exclude]
    step("ratings")
    found |= rated(results, level)
    for row in found["standings"]:
        elo = next((r for r in found.get("ratings", ()) if r["agent"] == row["agent"]), None)
        row |= {f"elo{end}": elo[key] for key, end in RATING.items()} if elo else {}
    step("tables")
    found |= tables(results, level)
    step("distributions")
    order = [row["agent"] for row in found["standings"]]
    found |= distributions(results, order)
    step("replays")
    replays, why_not = replayed(store, run, results, order, level)
    found |= replays
    step("learners")
    found |= learners(results, order, level)
    step("time")
    found["times"] = statistics.times(results)
    found["run"] = about(store, run, results, exclude, level) | {"not_replayed": why_not}
    if "luck" in found or "development" in found:
        found["run"]["replayed"] = len(sample(results))
    found["run"] |= {"played": played(found["run"]), "headline": headline(found, level)}
    return {key: value for key, value in found.items() if value}


RATING = {"elo": "", "low": "_low", "high": "_high"}


# --- what was found ---


def rated(results: Results, level: float) -> Data:
    """Ratings of agents and seats, and whether they tell the whole story."""
    if len(results.agents) < 2 or len(np.unique(results.block)) < 2:
        return {}
    fit = rating.rate(results.each())
    intervals = rating.bootstrap(fit, level=level)
    check = rating.transitivity(fit)
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
        {"players": n, "seat": seat, "elo": elo, "low": low, "high": high}
        for n, advantages in fit.seats.items()
        for seat, (elo, (low, high)) in enumerate(
            zip(advantages, intervals.seats[n], strict=True), 1
        )
    ]
    deviations = sorted(check.deviations.items(), key=lambda pair: -abs(pair[1]))
    transitivity = {
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
        "transitivity": [transitivity] if len(agents) > 2 else [],
    }


def tables(results: Results, level: float) -> Data:
    """Who did how against whom, and in which seat."""
    return {
        "cross_table": statistics.cross_table(results, level),
        "cross_table_by_seat": statistics.cross_table_by_seat(results, level),
        "t_tests": [
            {"of": of, **row}
            for of in ("gain", "score")
            for row in statistics.t_tests(results, of, level)  # type: ignore[arg-type]
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
        for agent in order:
            mine = some.score[some.agent == some.agents.index(agent)]
            if len(mine):
                found["scores"].append({"agent": agent, "players": n, **spread(mine)})
        row = next(row for row in found["lengths"] if row["players"] == n)
        row |= spread(some.length[some.seat == 0])
    return found


def spread(values: Column) -> Row:
    """A distribution as a row."""
    found = statistics.distribution(values)
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


def thin(rows: Sequence[Row]) -> list[Row]:
    """At most so many of the rows as a curve has points, the last one among them."""
    step = -(-len(rows) // POINTS)
    return list(rows[::-1][::step][::-1]) if rows else []


def shares_luck(results: Results) -> bool:
    """Are there games under the same luck at all?"""
    return len(np.unique(results.block)) < len(results)


# --- games replayed ---


def replayed(
    store: Store, run: Run, results: Results, order: Sequence[str], level: float
) -> tuple[Data, str | None]:
    """What only the moves can tell, or the reason why they do not."""
    game = find_game(run.plan.game)
    if not run.plan.moves:
        return {}, "The moves of this run were not kept."
    if game.version != run.rules:
        return {}, f"The rules of {game.title} have changed since, so games cannot be replayed."
    chosen = sample(results)
    luck, start = np.zeros((2, len(chosen.game)))
    traces: dict[int, np.ndarray] = {}
    for row, match, seed, codes in moves(store, run, chosen):
        seats = slice(row, row + match.players)
        found = ledger.luck(game, match.options, seed, codes)
        luck[seats], start[seats] = found.luck, found.start
        traces[row] = ledger.development(game, match.options, seed, codes)
    return {
        "development": development(chosen, traces, order, level),
        "luck": lucky(run, chosen, luck, start, order, level) if valued(game) else [],
    }, None


def sample(results: Results) -> Results:
    """Some blocks, evenly spread, or all games if they are not many."""
    blocks = np.unique(results.block)
    wanted = max(BLOCKS, SAMPLE * len(blocks) // len(results))
    if wanted >= len(blocks):
        return results
    kept = blocks[np.linspace(0, len(blocks) - 1, wanted).round().astype(int)]
    return results.pick(np.isin(results.block, kept))


def moves(store: Store, run: Run, some: Results) -> Iterator[tuple[int, Match, int, np.ndarray]]:
    """The first row, match, seed and codes of every game of some results."""
    first = np.flatnonzero(some.seat == 0)
    keys = zip(some.match[first].tolist(), some.number[first].tolist(), strict=True)
    where = dict(zip(keys, first.tolist(), strict=True))
    for of, number, seed, codes in store.moves(run):
        if (of, number) in where:
            yield where[of, number], run.matches[of], seed, codes


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
        for agent in order:
            mine = (results.agent == results.agents.index(agent)) & (results.players == n)
            if mine.any():
                found = thin([{"agent": agent, "players": n, "round": r} for r in range(rounds + 1)])
                for point in found:
                    means = block_means(scores[mine, point["round"]], results.block[mine])
                    test = t_test(means, level=level)
                    low, high = (test.mean if x is None else x for x in (test.low, test.high))
                    point |= {"score": test.mean, "low": low, "high": high}
                rows += found
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
            if len(np.unique(some.block[mine])) < ledger.FEWEST_BLOCKS:
                continue
            found = ledger.controlled(some, luck[here], agent, level)
            plain, adjusted = found["plain"], found["adjusted"]
            rows.append(
                {
                    "line_up": None if match is None else list(run.matches[match].specs),
                    "agent": agent,
                    "games": found["games"],
                    "blocks": found["blocks"],
                    "share": plain.value,
                    "low": plain.low,
                    "high": plain.high,
                    "start": float(start[here][mine].mean()),
                    "luck": float(luck[here][mine].mean()),
                    "adjusted": adjusted.value,
                    "adjusted_low": adjusted.low,
                    "adjusted_high": adjusted.high,
                    "beta": found["beta"],
                    "narrowed": found["narrowed"] if isfinite(found["narrowed"]) else None,
                }
            )
    return rows


# --- in words ---


def about(
    store: Store, run: Run, results: Results, exclude: Collection[str], level: float
) -> Row:
    """What was played, when and by what command."""
    game = find_game(run.plan.game)
    options = {k: v for k, v in run.matches[0].options.items() if k != "players"}
    usual = {option.name: option.default for option in game.options}
    first = results.seat == 0
    return {
        "name": run.name,
        "game": game.name,
        "title": game.title,
        "options": options,
        "unusual": {k: v for k, v in options.items() if v != usual[k]},
        "agents": list(results.agents),
        "learners": sorted(results.learners & set(results.agents)),
        "excluded": list(exclude),
        "tables": sorted(set(results.players.tolist())),
        "line_ups": len(set(results.match.tolist())),
        "games": len(results),
        "blocks": len(set(results.block.tolist())),
        "games_played": run.played,
        "games_planned": run.games,
        "seats": run.plan.seats or "every order",
        "seed": run.plan.seed,
        "limit": run.plan.limit,
        "started": run.started,
        "finished": run.finished,
        "seconds": float(results.time[first].sum()),
        "level": level,
        "rules": run.rules,
        "command": run.command,
        "again": again(store, run, exclude, level),
        "plan": run.plan.json(),
        "toml": toml(run.plan),
    }


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
        value = given[field]
        if field in ("game", "games", "seed") or (value != usual[field] and field != "options"):
            lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}")
    if plan.options:
        lines += ["", "[options]"]
        lines += [f"{k} = {json.dumps(v, ensure_ascii=False)}" for k, v in plan.options.items()]
    return "\n".join(lines) + "\n"


def played(run: Row) -> str:
    """What was played, in a few sentences."""
    tables = " and ".join(map(str, run["tables"]))
    unusual = ", ".join(f"{name} {value}" for name, value in run["unusual"].items())
    words = [
        f"{count(len(run['agents']), 'agent')} played {run['title']}"
        + (f" ({unusual})" if unusual else "")
        + f" at tables of {tables}: {count(run['games'], 'game')}"
        + f" in {count(run['line_ups'], 'line-up')}, seed {run['seed']}."
    ]
    if run["blocks"] < run["games"]:
        words.append(SEATINGS[run["seats"]] + f" That makes {count(run['blocks'], 'block')} of "
                     "games that share their luck; what is independent is a block.")  # fmt: skip
    else:
        words.append("Every game had its own luck.")
    if run["limit"]:
        words.append(f"Every decision had to be made within {run['limit']:g} s.")
    if run["excluded"]:
        words.append(f"The games of {listed(run['excluded'])} are left out.")
    if run["games_played"] < run["games_planned"]:
        words.append(
            f"The run is not finished: {run['games_played']} of {run['games_planned']} games are "
            "there."
        )
    spent = f"The games took {duration(run['seconds'])} in all"
    begun = f"{datetime.fromisoformat(run['started']):%-d %B %Y, %H:%M} UTC"
    if run["finished"]:
        whole = datetime.fromisoformat(run["finished"]) - datetime.fromisoformat(run["started"])
        spent += f"; the run began on {begun} and was finished {duration(whole.total_seconds())} later"
    else:
        spent += f"; the run began on {begun}"
    return " ".join([*words, spent + "."])


#: How the seats changed.
SEATINGS = {
    "every order": "Every luck was dealt anew to every order of the seats, or to their rotation "
    "where more than three play.",
    "permute": "Every luck was dealt anew to every order of the seats.",
    "rotate": "Every luck was dealt anew to every rotation of the seats.",
    "fixed": "The seats did not change.",
}


def headline(found: Data, level: float) -> str:
    """Who is strongest, by how much, and whether that may be chance."""
    standings = found["standings"]
    if "ratings" not in found or not found["ratings"]:
        only = standings[0]
        return (
            f"{only['agent']} took {percent(only['share'])} of the points in "
            f"{count(only['games'], 'game')}; that is too little to rate anybody."
        )
    first, second = found["ratings"][:2]
    best = next(row for row in standings if row["agent"] == first["agent"])
    words = [
        f"{first['agent']} is strongest: it took {percent(best['share'])} of the points "
        f"({percent(best['low'])} to {percent(best['high'])}) and is rated "
        f"{first['elo'] - second['elo']:.0f} Elo above the next, {second['agent']}."
    ]
    pair = {first["agent"], second["agent"]}
    test = next((r for r in found["t_tests"] if {r["one"], r["other"]} == pair), None)
    better = first["better"][second["agent"]]
    if test is not None and test["holm"] is not None:
        ahead = test["difference"] * (1 if test["one"] == first["agent"] else -1)
        sure = "is significant" if test["significant"] else "may be chance"
        words.append(
            f"In the games of both it took {abs(100 * ahead):.1f} points in a hundred "
            f"{'more' if ahead >= 0 else 'less'}, which {sure} "
            f"({p_text(test['holm'])}, paired t test over {test['blocks']} blocks)."
        )
    else:
        sure = "significant" if better > 0.5 + level / 2 else "not significant"
        words.append("The two have not met often enough to be compared directly.")
        words.append(f"By the ratings it is better with probability {better:.2f}, {sure}.")
    return " ".join(words)


def count(n: int, noun: str) -> str:
    return f"{n:,} {noun}".replace(",", "\u202f") + ("" if n == 1 else "s")


def listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def p_text(p: float | None) -> str:
    return "–" if p is None else "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def duration(seconds: float) -> str:
    """A time for people."""
    if seconds < 1:
        return f"{1000 * seconds:.2g} ms" if seconds < 0.1 else f"{seconds:.1f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


# --- the page ---


def page(data: Data, drawn: Mapping[str, Any] | None = None) -> str:
    """The report as one HTML file that needs nothing else."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    drawn = plots.figures(data) if drawn is None else drawn
    env = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    env.filters |= {"percent": percent, "p": p_text, "duration": duration, "listed": listed}
    env.filters |= {"shade": shade, "number": number, "signed": signed}
    template = env.from_string((files("kostka.arena") / "report.html").read_text("utf-8"))
    return template.render(
        data=data,
        run=data["run"],
        plots={name: Markup(plots.svg(name, figure)) for name, figure in drawn.items()},
        marks=plots.agent_marks(row["agent"] for row in data["standings"]),
        by_players=plots.by_players,
        matrix=matrix,
        some_rounds=some_rounds,
    )
