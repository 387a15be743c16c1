"""The page of a report: what was found, for somebody who was not there, in one file of HTML.

It shows nothing but what the tables say, and every table is a key of the report's JSON.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup
from matplotlib.figure import Figure

from kostka.arena import plots
from kostka.core import palette

Row = dict[str, Any]
Data = dict[str, Any]

#: A matrix of more agents names its columns by numbers.
WIDE = 6
#: More matrices than this are folded away.
OPEN = 6
#: More agents than this are only counted in a sentence.
NAMED = 8
#: Rounds that the table of a game's course shows.
ROUNDS = 6


def html(data: Data, drawn: Mapping[str, Figure] | None = None) -> str:
    """The report as one HTML file that needs nothing else."""
    drawn = plots.figures(data) if drawn is None else drawn
    env = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    env.filters |= {
        "percent": percent, "number": number, "signed": signed, "p": p_text, "ms": milliseconds,
        "count": count, "listed": listed, "duration": duration, "shade": shade,
    }  # fmt: skip
    template = env.from_string((files("kostka.arena") / "report.html").read_text("utf-8"))
    return template.render(
        data=data,
        run=data["run"],
        played=played(data["run"]),
        headline=headline(data),
        cycles=cycles(data.get("transitivity", {})),
        plots={name: Markup(plots.svg(name, figure)) for name, figure in drawn.items()},
        marks=plots.agent_marks(row["agent"] for row in data["standings"]),
        by_players=plots.by_players,
        by_role=plots.by_role,
        seat=lambda i: data["run"]["roles"][i - 1] if data["run"]["roles"] else f"seat {i}",
        pairs=pairs,
        seat_pairs=seat_pairs,
        rounds=rounds,
        look=palette,
        wide=WIDE,
        open=OPEN,
        most_lines=plots.LINES,
    )


# --- in words ---


def played(run: Row) -> str:
    """What was played, in a few sentences."""
    tables = " and ".join(map(str, run["tables"]))
    unusual = ", ".join(f"{name} {value}" for name, value in run["unusual"].items())
    words = [
        f"{count(len(run['agents']), 'agent')}"
        + (f", {listed(run['agents'])}," if len(run["agents"]) <= NAMED else "")
        + f" played {run['title']}"
        + (f" ({unusual})" if unusual else "")
        + f" at tables of {tables}: {count(run['games'], 'game')}"
        + f" in {count(run['line_ups'], 'line-up')}, seed {run['seed']}."
    ]
    if run["blocks"] < run["games"]:
        words.append(seated(run) + f" That makes {count(run['blocks'], 'block')} of "
                     "games that share their luck; what is independent is a block.")  # fmt: skip
    else:
        words.append("Every game had its own luck.")
        words += [seated(run)] if run["seats"] == "fixed" else []
    if run["in_order"]:
        words.append(
            f"What {listed(run['in_order'])} learnt at a seat went on from line-up to line-up, so "
            "these games ran in the order of the plan."
        )
    if run["limit"]:
        words.append(f"Every decision had to be made within {run['limit']:g} s.")
    if run["excluded"]:
        words.append(f"The games of {listed(run['excluded'])} are left out.")
    if run["games_played"] < run["games_planned"]:
        words.append(
            f"The run is not finished: {run['games_played']} of {run['games_planned']} games are "
            "there."
        )
    began = datetime.fromisoformat(run["started"])
    spent = f"The run began on {began:%-d %B %Y, %H:%M} UTC"
    if run["finished"]:
        ended = datetime.fromisoformat(run["finished"])
        spent += f" and was finished {duration((ended - began).total_seconds())} later"
    return " ".join([*words, f"{spent}; its games took {duration(run['seconds'])} in all."])


#: How the seats changed.
SEATINGS = {
    "permute": "Every luck was dealt to every order of the seats.",
    "rotate": "Every luck was dealt to every rotation of the seats.",
    "both": "Every luck was dealt to every order of the seats, and at large tables to every "
    "rotation.",
    "fixed": "The seats did not change.",
}


def seated(run: Row) -> str:
    """How the seats changed, or the sides."""
    words = SEATINGS[run["seats"]]
    return words.replace("seats", "sides") if run["roles"] else words


def headline(found: Data) -> str:
    """Who is strongest, by how much, and whether that may be chance."""
    standings = found["standings"]
    roles = "".join(best_in(role, found) for role in found["run"]["roles"])
    if roles and not found["run"]["comparable"]:
        return f"Not everybody played every role, so nobody is rated.{roles}"
    if "ratings" not in found:
        only = standings[0]
        return (
            f"{only['agent']} took {percent(only['share'])} of the points in "
            f"{count(only['games'], 'game')}; that is too little to rate anybody."
        )
    first, second = found["ratings"][:2]
    best = next(row for row in standings if row["agent"] == first["agent"])
    clear, why = compared(found, first, second)
    who = (
        f"{first['agent']} is clearly strongest: it is rated"
        if clear
        else f"Nobody is clearly strongest. {first['agent']} is rated highest,"
    )
    return (
        f"{who} {first['elo'] - second['elo']:.0f} Elo above the next, {second['agent']}, and took "
        f"{percent(best['share'])} of the points ({percent(best['low'])} to "
        f"{percent(best['high'])}). {why}{roles}"
    )


def best_in(role: str, found: Data) -> str:
    """Who took the most in a role, as a further sentence."""
    rows = [row for row in found["by_seat"] if row["role"] == role]
    best = max(rows, key=lambda row: row["share"])
    return (
        f" As {role}, {best['agent']} took {percent(best['share'])} ({percent(best['low'])} to "
        f"{percent(best['high'])})."
    )


def compared(found: Data, first: Row, second: Row) -> tuple[bool, str]:
    """Is one agent better than another beyond chance, and what says so?"""
    pair = {first["agent"], second["agent"]}
    test = next((r for r in found["t_tests"] if {r["one"], r["other"]} == pair), None)
    if test is None or test["holm"] is None:
        better = first["better"][second["agent"]]
        return better > 0.5 + found["run"]["level"] / 2, (
            "The two have not met often enough to be compared directly; by the ratings the first "
            f"is better with a probability of {better:.2f}."
        )
    ahead = test["difference"] * (1 if test["one"] == first["agent"] else -1)
    return test["significant"] and ahead > 0, (
        f"In the games of both, it took {abs(100 * ahead):.1f} points in a hundred "
        f"{'more' if ahead >= 0 else 'less'} than {second['agent']}, which "
        f"{'is significant' if test['significant'] else 'may be chance'} "
        f"({p_text(test['holm'])}, paired t test over {count(test['blocks'], 'block')})."
    )


def cycles(check: Row) -> list[str]:
    """Who beats whom in a circle, by how much, the worst first."""
    found = []
    for cycle in check.get("cycles", ()):
        (a, b, c), (ab, bc, ca) = cycle["agents"], cycle["margins"]
        found.append(
            f"{a} beats {b} by {ab:.0f} Elo, that beats {c} by {bc:.0f}, and that beats the first "
            f"by {ca:.0f} ({cycle['z']:.1f} standard errors from any ratings)."
        )
    return found


def count(n: int, noun: str) -> str:
    return f"{n:,} {noun}".replace(",", "\u202f") + ("" if n == 1 else "s")


def listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}\u202f%"


def number(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def signed(value: float | None, digits: int = 0) -> str:
    return "–" if value is None else f"{round(value, digits) + 0.0:+.{digits}f}".replace("-", "−")


def milliseconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}"


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


# --- tables turned around ---


def pairs(rows: Sequence[Row]) -> dict[tuple[str, str], Row]:
    """The rows of a cross table by both agents."""
    return {(row["one"], row["other"]): row for row in rows}


def seat_pairs(rows: Sequence[Row]) -> dict[tuple[int, int, int], dict[tuple[str, str], Row]]:
    """The rows of a cross table by players and two seats in order, then by both agents."""
    found: dict[tuple[int, int, int], dict[tuple[str, str], Row]] = {}
    for row in rows:
        if row["one_seat"] < row["other_seat"]:  # the other way round says the same
            seats = row["players"], row["one_seat"], row["other_seat"]
            found.setdefault(seats, {})[row["one"], row["other"]] = row
    return dict(sorted(found.items()))


def rounds(rows: Sequence[Row]) -> tuple[list[int], dict[str, dict[int, Row]]]:
    """A few rounds, and the rows of a game's course by agent and round."""
    every = sorted({row["round"] for row in rows})
    step = (len(every) - 1) / (ROUNDS - 1)
    by_agent: dict[str, dict[int, Row]] = {}
    for row in rows:
        by_agent.setdefault(row["agent"], {})[row["round"]] = row
    return sorted({every[round(i * step)] for i in range(ROUNDS)}), by_agent


def shade(share: float) -> str:
    """The class of a cell: from s0, all lost, to s10, all won."""
    return f"s{round(10 * share)}"
