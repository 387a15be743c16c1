"""The plots of a report, drawn from its rows in the colours of the house."""

import re
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from math import ceil
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, PercentFormatter

from kostka.core.palette import ACCENT, DAY, PLAYERS, Player

Row = dict[str, Any]
Rows = Sequence[Row]

#: More lines than this in a plot, or more panels, nobody tells apart.
LINES = len(PLAYERS)
PANELS = 24
WIDTH = 9.6
MARKERS = {"●": "o", "▲": "^", "■": "s", "◆": "D", "★": "*", "⬟": "p", "✚": "P", "✖": "X"}

INK, PAPER = DAY["ink"], DAY["paper"]
STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "text.parse_math": False,  # a $ in a name is a $
    "svg.fonttype": "path",  # the same everywhere, whatever fonts are there
    "svg.hashsalt": "kostka",
    "figure.facecolor": PAPER,
    "figure.constrained_layout.h_pad": 0.1,
    "figure.constrained_layout.w_pad": 0.1,
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "grid.alpha": 0.12,
    "legend.frameon": False,
    **dict.fromkeys(
        ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), INK
    ),
    "grid.color": INK,
}


def figures(data: Mapping[str, Any]) -> dict[str, Figure]:
    """All plots that the rows of a report give, by name."""
    marks = agent_marks(row["agent"] for row in data["standings"])
    drawn: dict[str, Figure] = {}
    with matplotlib.rc_context(STYLE):
        for key, draw in (("ratings", ratings), ("luck", luck), ("over_time", over_time),
                          ("times", times)):  # fmt: skip
            if key in data:
                drawn[key] = draw(data[key], marks)
        drawn["lengths"] = lengths(data["lengths"])
        if "endings" in data:
            drawn["endings"] = endings(data["endings"], data["run"]["roles"])
        for players, rows in by_players(data.get("points", ())):
            drawn[f"points-{players}"] = points(rows)
        for key, draw in (("by_seat", seats), ("scores", scores), ("development", development)):
            for players, rows in by_players(data.get(key, ())):
                for i, (_, some) in enumerate(
                    by_role(rows) if key == "development" else [("", rows)]
                ):
                    drawn[f"{key}-{players}" + (f"-{i + 1}" if i else "")] = draw(some, marks)
    return drawn


def svg(name: str, figure: Figure) -> str:
    """A figure to put into a page: it follows the page's colours, by day and by night."""
    text = StringIO()
    with matplotlib.rc_context(STYLE):
        figure.savefig(text, format="svg", metadata={"Date": None}, transparent=True)
    found = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", text.getvalue(), flags=re.S)
    found = found[found.index("<svg") :]
    found = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", found)  # plots share a page
    for colour, token in ((INK, "ink"), (PAPER, "paper"), (PLAYERS[-1].colour, "charcoal")):
        found = found.replace(colour, f"var(--{token})")
    found = re.sub(r"\s*\n\s*", "\n", found).strip()
    return found.replace("<svg", f'<svg role="img" aria-label="plot: {name}"', 1)


def save(drawn: Mapping[str, Figure], folder: Path) -> None:
    """Write the figures as PNG and SVG files."""
    folder.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context(STYLE):
        for name, figure in drawn.items():
            figure.savefig(folder / f"{name}.png", dpi=160, metadata={"Software": None})
            figure.savefig(folder / f"{name}.svg", metadata={"Date": None})


def draw_evolutions(rows: Rows, path: Path) -> None:
    """Write the curves of evolutions to a picture; its kind is that of the file's name."""
    with matplotlib.rc_context(STYLE):
        evolutions(rows).savefig(path, dpi=160)


def draw_courses(rows: Rows, path: Path, points: Sequence[Any] = ()) -> None:
    """Write the curves of self-play to a picture; its kind is that of the file's name."""
    with matplotlib.rc_context(STYLE):
        courses(rows, points).savefig(path, dpi=160)


def agent_marks(agents: Iterable[str]) -> dict[str, Player]:
    """A colour and a shape for every agent; the first 64 agents have each their own."""
    n = len(PLAYERS)
    return {
        agent: PLAYERS[i % n]._replace(shape=PLAYERS[(i + i // n) % n].shape)
        for i, agent in enumerate(agents)
    }


def by_players(rows: Iterable[Row]) -> list[tuple[int, list[Row]]]:
    """Rows by the number of players at the table."""
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(row["players"], []).append(row)
    return sorted(found.items())


def by_role(rows: Iterable[Row]) -> list[tuple[str, list[Row]]]:
    """Rows by role, in the order of the seats; all together where there are none."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.get("role", ""), []).append(row)
    return list(found.items())


def by_agent(rows: Iterable[Row], marks: Mapping[str, Player]) -> list[tuple[str, list[Row]]]:
    """Rows by agent, the best first."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["agent"], []).append(row)
    return [(agent, found[agent]) for agent in marks if agent in found]


# --- the plots ---


def ratings(rows: Rows, marks: Mapping[str, Player]) -> Figure:
    """Every agent's rating with its interval."""
    figure, axes = ladder([row["agent"] for row in rows])
    for y, row in enumerate(rows):
        whisker(axes, y, row["elo"], row["low"], row["high"], marks[row["agent"]])
    axes.axvline(0, color=INK, lw=0.8, alpha=0.4)
    axes.set_xlabel("rating in Elo points around the mean of the agents")
    return figure


def luck(rows: Rows, marks: Mapping[str, Player]) -> Figure:
    """Every agent's share as it came, and with the luck taken out."""
    rows = [row for row in rows if row["line_up"] is None]
    figure, axes = ladder([row["agent"] for row in rows], step=0.46)
    for y, row in enumerate(rows):
        mark = marks[row["agent"]]
        plain, adjusted = (row["share"], row["low"], row["high"]), row["adjusted"]
        whisker(axes, y - 0.15, *plain, mark, hollow=True)
        whisker(axes, y + 0.15, adjusted, row["adjusted_low"], row["adjusted_high"], mark)
    axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set_xlabel("share of the points: as it came (hollow), without the luck (filled)")
    return figure


def times(rows: Rows, marks: Mapping[str, Player]) -> Figure:
    """How long agents think about a decision."""
    rows = [row for row in rows if row["phase"] == "all" and row["ms"]]
    figure, axes = ladder([row["agent"] for row in rows])
    for y, row in enumerate(rows):
        whisker(axes, y, row["ms"], row["ms"], row["ms"], marks[row["agent"]])
    if rows and max(row["ms"] for row in rows) > 30 * min(row["ms"] for row in rows):
        axes.set_xscale("log")
    else:
        axes.set_xlim(left=0)
    axes.set_xlabel("milliseconds a decision")
    return figure


def seats(rows: Rows, marks: Mapping[str, Player]) -> Figure:
    """The share of the points by seat."""
    figure, axes = lines(3.2)
    chosen, players = by_agent(rows, marks)[:LINES], rows[0]["players"]
    axes.axhline(1 / players, color=INK, lw=0.8, alpha=0.4, ls=(0, (4, 3)))
    for i, (agent, some) in enumerate(chosen):
        shift = 0.05 * (i - (len(chosen) - 1) / 2)
        xs = [row["seat"] + shift for row in some]
        mark = marks[agent]
        for x, row in zip(xs, some, strict=True):
            axes.plot([x, x], [row["low"], row["high"]], color=mark.colour, lw=1.2)
        axes.plot(xs, [row["share"] for row in some], **pen(mark), lw=0.8)
    roles = {row["seat"]: row["role"] for row in rows if "role" in row}
    axes.set_xticks(range(1, players + 1), [roles.get(i + 1, str(i + 1)) for i in range(players)])
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set_xlabel("role" if roles else "seat, in the order of turns")
    axes.set_ylabel("share of the points")
    legend(axes, [agent for agent, _ in chosen], marks)
    return figure


def scores(rows: Rows, marks: Mapping[str, Player]) -> Figure:
    """Histograms of the agents' scores with normal curves."""
    rows = rows[:PANELS]
    figure, panels = grid(len(rows))
    for axes, row in zip(panels, rows, strict=False):
        histogram(axes, row, marks[row["agent"]].colour)
        role = f" as {row['role']}" if "role" in row else ""
        axes.set_title(short(row["agent"], 34 - len(role)) + role)
    figure.supxlabel("score", size=10)
    figure.supylabel("games", size=10)
    return figure


def points(rows: Rows) -> Figure:
    """Histograms of the sum of the scores and of the score in every seat, with normal curves."""
    rows = [row for row in rows if row["of"] != "difference"][:PANELS]
    figure, panels = grid(len(rows))
    for axes, row in zip(panels, rows, strict=False):
        histogram(axes, row, ACCENT if row["seat"] is None else PLAYERS[0].colour)
        axes.set_title("sum of the scores" if row["seat"] is None else f"seat {row['seat']}")
    figure.supxlabel("score", size=10)
    figure.supylabel("games", size=10)
    return figure


def lengths(rows: Rows) -> Figure:
    """Histograms of the lengths of games with normal curves."""
    figure, panels = grid(len(rows), wide=len(rows) == 1)
    for axes, row in zip(panels, rows, strict=False):
        histogram(axes, row, ACCENT)
        axes.set_title(f"{row['players']} players")
    figure.supxlabel("decisions in a game", size=10)
    figure.supylabel("games", size=10)
    return figure


def endings(rows: Rows, roles: Sequence[str]) -> Figure:
    """In which rounds games ended, by line-up; the colour says who won."""
    lineups = list(dict.fromkeys(tuple(row["agents"]) for row in rows))[:PANELS]
    colours = {role: PLAYERS[i % LINES].colour for i, role in enumerate([*roles, "nobody"])}
    figure, panels = grid(len(lineups), wide=len(lineups) == 1)
    for axes, lineup in zip(panels, lineups, strict=False):
        for row in rows:
            if tuple(row["agents"]) == lineup:
                colour = colours[row["winner"]]
                axes.stairs(row["counts"], row["edges"], fill=True, color=colour, alpha=0.6)
        axes.set_title("\n".join(short(agent, 26) for agent in lineup))
        axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    won = [role for role in colours if any(row["winner"] == role for row in rows)]
    patches = [Line2D([], [], color=colours[role], lw=6, alpha=0.6) for role in won]
    figure.legend(patches, [f"{role} won" for role in won], loc="outside right upper", fontsize=9)
    figure.supxlabel("round in which the game ended", size=10)
    figure.supylabel("games", size=10)
    return figure


def development(rows: Rows, marks: Mapping[str, Player]) -> Figure:
    """Mean scores round by round."""
    figure, axes = lines(3.6)
    chosen = by_agent(rows, marks)[:LINES]
    for agent, some in chosen:
        curve(axes, some, "round", "score", marks[agent])
    axes.set_xlabel("rounds played")
    axes.set_ylabel("mean score")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    legend(axes, [agent for agent, _ in chosen], marks)
    return figure


def over_time(rows: Rows, marks: Mapping[str, Player]) -> Figure:
    """The share of the points of agents that learn, as their games go by."""
    figure, axes = lines(3.4)
    chosen = by_agent(rows, marks)[:LINES]
    for agent, some in chosen:
        curve(axes, some, "game", "share", marks[agent])
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set_xlabel("games of a series")
    axes.set_ylabel("share of the last games")
    legend(axes, [agent for agent, _ in chosen], marks)
    return figure


def evolutions(rows: Rows) -> Figure:
    """The best and the mean fitness, generation by generation, a panel for each evolution."""
    rows = rows[:PANELS]
    figure, panels = grid(len(rows))
    for axes, row in zip(panels, rows, strict=False):
        for key, colour in (("mean", PLAYERS[1].colour), ("best", PLAYERS[0].colour)):
            axes.plot(range(len(row[key])), row[key], color=colour, lw=1.6, label=key)
        axes.set_title(short(row["name"], 34))
        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles[::-1], names[::-1], loc="outside right upper", fontsize=9)
    figure.supxlabel("generation", size=10)
    figure.supylabel("share of games won", size=10)
    return figure


def courses(rows: Rows, points: Sequence[Any] = ()) -> Figure:
    """How long games were while their players learnt, and how many points the losers had.

    What was published is a cross; a claim that ours is above or below it, an arrow.
    """
    figure = Figure((WIDTH, 3.6), layout="constrained")
    panels = figure.subplots(1, 2)
    for axes, key, words in zip(panels, ("turns", "losers"), ("turns", "points of losers"),
                                strict=True):  # fmt: skip
        for row, mark in zip(rows, PLAYERS, strict=False):
            first = row["games"] - len(row[key]) + 1
            axes.plot(range(first, row["games"] + 1), row[key], color=mark.colour, lw=1.4,
                      label=short(row["name"], 24))  # fmt: skip
        for point in points:
            number, shape = point_mark(point)
            if point.measure == key and number is not None:
                axes.plot(point.at, number, shape, color=INK)
        axes.set_title(words)
        axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside right upper", fontsize=9)
    figure.supxlabel("games, each point a mean over those before it", size=10)
    return figure


def point_mark(point: Any) -> tuple[float | None, str]:
    """Where and how a published point of a curve is drawn."""
    if point.value is not None:
        return point.value, "x"
    return (point.above, "^") if point.above is not None else (point.below, "v")


# --- what plots are made of ---


def ladder(names: Sequence[str], step: float = 0.32) -> tuple[Figure, Axes]:
    """Axes with a line for every name, the first on top."""
    figure = Figure((WIDTH, 0.9 + step * len(names)), layout="constrained")
    axes = figure.subplots()
    axes.set_yticks(range(len(names)), [short(name, 40) for name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params("y", length=0)
    axes.spines["left"].set_visible(False)
    return figure, axes


def lines(height: float) -> tuple[Figure, Axes]:
    figure = Figure((WIDTH, height), layout="constrained")
    return figure, figure.subplots()


def grid(count: int, wide: bool = False) -> tuple[Figure, list[Axes]]:
    """Small panels that share their scales."""
    columns = 1 if wide else min(4, max(count, 2))
    rows = ceil(count / columns)
    figure = Figure((WIDTH, 0.4 + 1.75 * rows if not wide else 2.8), layout="constrained")
    panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    for axes in panels[count:]:
        axes.set_visible(False)
    for axes in panels[max(0, count - columns) : count]:
        axes.tick_params(labelbottom=True)
    return figure, list(panels)


def whisker(
    axes: Axes, y: float, x: float, low: float, high: float, mark: Player, hollow: bool = False
) -> None:
    """A value with its interval."""
    axes.plot([low, high], [y, y], color=mark.colour, lw=1.6, solid_capstyle="round")
    axes.plot([x], [y], **{**pen(mark), **({"mfc": PAPER, "mec": mark.colour} if hollow else {})})


def histogram(axes: Axes, row: Row, colour: str) -> None:
    """Counts, and the normal curve with the same mean and deviation."""
    edges = np.array(row["edges"])
    axes.stairs(row["counts"], edges, fill=True, color=colour, alpha=0.75)
    if row["deviation"]:
        x = np.linspace(edges[0], edges[-1], 80)
        z = (x - row["mean"]) / row["deviation"]
        height = row["count"] * (edges[1] - edges[0]) / row["deviation"] / np.sqrt(2 * np.pi)
        axes.plot(x, height * np.exp(-z * z / 2), color=INK, lw=1.2)
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))


def curve(axes: Axes, rows: Rows, x: str, y: str, mark: Player) -> None:
    """A line with a band, and a few shapes on it."""
    xs = [row[x] for row in rows]
    band = [row["low"] for row in rows], [row["high"] for row in rows]
    axes.fill_between(xs, *band, color=mark.colour, alpha=0.15, lw=0)
    axes.plot(xs, [row[y] for row in rows], **pen(mark), lw=1.6, markevery=max(1, len(rows) // 8))


def pen(mark: Player) -> dict[str, Any]:
    """How the line and the points of an agent are drawn."""
    size = 8 if mark.shape in "★✚✖" else 6
    return {"color": mark.colour, "marker": MARKERS[mark.shape], "ms": size, "mec": PAPER}


def legend(axes: Axes, agents: Sequence[str], marks: Mapping[str, Player]) -> None:
    """Who is who, beside the axes."""
    handles = [Line2D([], [], **pen(marks[agent])) for agent in agents]
    names = [f" {short(agent, 28)}" for agent in agents]  # one that starts with _ would be left out
    axes.figure.legend(handles, names, loc="outside right upper", fontsize=9)


def short(name: str, most: int) -> str:
    """A name that fits."""
    return name if len(name) <= most else f"{name[: most - 10]}…{name[-9:]}"
