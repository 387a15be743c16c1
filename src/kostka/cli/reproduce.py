"""Published results, played again."""

import shlex
import sys
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from kostka.cli import app
from kostka.cli.shared import (
    Address,
    Csv,
    Executor,
    Jobs,
    Json,
    Level,
    Seed,
    Where,
    duration,
    err,
    out,
    print_csv,
    print_json,
    table,
)

if TYPE_CHECKING:
    from kostka.arena.experiments import Experiment

#: The folder, beside the store, of what experiments have learnt.
LEARNT = "kostka-learnt"
BARS = "·▁▂▃▄▅▆▇█"
#: Bars of a curve.
POINTS = 25
#: Columns of a terminal that has room for remarks.
WIDE = 120


@app.command(
    epilog="Examples: kostka reproduce --list · "
    "kostka reproduce dicewars-2-first --scale 0.1 --seed 1 --jobs 2"
)
def reproduce(
    name: Annotated[
        str | None, typer.Argument(metavar="ID", help="experiment, or a TOML file of one")
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="list the experiments")] = False,
    scale: Annotated[float, typer.Option(help="games, as a part of the published number")] = 1.0,
    seed: Seed = None,
    store: Where = None,
    jobs: Jobs = 1,
    executor: Executor = "auto",
    address: Address = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="begin anew, do not go on")] = False,
    level: Level = 0.99,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Play a published experiment again and put our results beside the published ones.

    A number DIFFERS, or ours is STRONGER, if chance alone would hardly (1 − level, Holm's
    correction over all rows) put the two so far apart, given the games of both; otherwise it
    AGREES. A claim differs if our games contradict it as clearly; it agrees if they bear it out,
    and is called open if they cannot tell. Stopped at any moment, the same command goes on.
    """
    from kostka.arena.experiments import find
    from kostka.arena.report import endings
    from kostka.arena.store import Store
    from kostka.arena.verdicts import NOT_JUDGED, judge, sentence
    from kostka.cli.tournament import begin, play_run

    if listed or name is None:
        list_all(json, csv)
        return
    experiment = find(name).scaled(scale)
    command = shlex.join(["kostka", *sys.argv[1:]])
    quiet = json or csv
    opened = Store(store)
    if not quiet:
        describe(experiment)
    taught = learn_first(experiment, scale, seed, store, jobs, executor, address)
    experiment = taught.experiment
    runs = []
    for plan in experiment.plans:
        seeded = replace(plan, seed=plan.seed if seed is None else seed)
        run = begin(opened, seeded, command, fresh, quiet)
        play_run(opened, run, jobs, executor, address)
        runs.append(run)
    results = [opened.results(run) for run in runs]
    rows = judge(experiment, results, level)
    ended = [
        row for run, some in zip(runs, results, strict=True) for row in endings(opened, run, some)
    ]
    faults = [fault for run in runs for fault in opened.faults(run)]
    grown = curves_of(experiment)
    verdict = taught.hide([{"verdict": sentence(experiment.name, rows)}])[0]["verdict"]
    if json:
        print_json(
            {"experiment": experiment.name, "title": experiment.title, "source": experiment.source,
             "notes": experiment.notes, "scale": scale, "level": level,
             "runs": [{"name": r.name, "seed": r.plan.seed, "games": r.games, "machine": r.machine,
                       "drawn": some.drawn}
                      for r, some in zip(runs, results, strict=True)],
             "rows": taught.hide(rows), "endings": taught.hide(ended), "curves": grown,
             "learnt": taught.curves, "beside": taught.beside, "faults": taught.hide(faults),
             "verdict": verdict}
        )  # fmt: skip
    elif csv:
        print_csv(taught.hide(rows))
    else:
        if taught.curves:
            taught.show()
        show(taught.hide(rows), level)
        if ended:
            out.print(endings_table(taught.hide(ended)))
        if grown:
            out.print(curves_table(grown))
        for fault in taught.hide(faults):
            out.print(
                f"{fault['agent']} lost {fault['games']} games: {fault['fault']}", markup=False
            )
        if drawn := sum(some.drawn for some in results):
            games = sum(map(len, results))
            out.print(f"{drawn} of {games} games were drawn: nobody won them.", soft_wrap=True)
        if NOT_JUDGED in {row["verdict"] for row in rows}:
            on = "; ".join(dict.fromkeys(run.machine or "an unknown machine" for run in runs))
            out.print(f"Ours: on {on}.", markup=False, soft_wrap=True)
        out.print(verdict, markup=False, soft_wrap=True)


@dataclass(frozen=True)
class Taught:
    """An experiment whose players have learnt, and how that went."""

    experiment: "Experiment"
    places: dict[str, str]
    curves: list[dict[str, Any]]
    beside: list[dict[str, Any]]
    picture: Path | None = None

    def hide(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Rows with the names of what was learnt for its files."""

        def short(value: Any) -> Any:
            if isinstance(value, str):
                for name, place in self.places.items():
                    value = value.replace(place, name)
                return value
            return [short(one) for one in value] if isinstance(value, list) else value

        return [{key: short(value) for key, value in row.items()} for row in rows]

    def show(self) -> None:
        """Print the curves, and what was published of them beside ours."""
        shown = table("learnt", ">games", ">turns at first", ">turns", ">losers at first",
                      ">losers", ">won")  # fmt: skip
        for one in self.curves:
            ends = [x for key in ("turns", "losers") for x in (one[key][0], one[key][-1])]
            won = ", ".join(f"{who} {100 * c[-1]:.0f} %" for who, c in one["won"].items())
            shown.add_row(one["name"], str(one["games"]), *(f"{x:.1f}" for x in ends), won)
        out.print(shown)
        if self.beside:
            shown = table("curve", ">at game", ">theirs", ">ours", "")
            for row in self.beside:
                what = row["measure"] if row["who"] is None else f"won by {row['who']}"
                ours = f"{100 * row['ours']:.1f} %" if row["who"] else f"{row['ours']:.1f}"
                fits = {True: "holds", False: "does not hold", None: ""}[row["holds"]]
                shown.add_row(f"{row['plan']}: {what}", str(row["at"]), row["theirs"], ours, fits)
            out.print(shown)
        if self.picture is not None:
            out.print(f"curves drawn in {self.picture}", markup=False)


def learn_first(
    experiment: "Experiment", scale: float, seed: int | None, store: str | None, jobs: int,
    executor: str, address: str | None,
) -> Taught:  # fmt: skip
    """Train the players of an experiment, or go on as far as their files have it."""
    if not experiment.learns:
        return Taught(experiment, {}, [], [])
    from kostka.arena.experiments import filled
    from kostka.arena.learning import beside, curves
    from kostka.arena.plots import draw_courses
    from kostka.arena.pool import pool
    from kostka.cli.selfplay import train_all

    folder = Path(LEARNT)
    if store is not None and "://" not in store:
        folder = Path(store).parent / LEARNT
    folder.mkdir(parents=True, exist_ok=True)
    places: dict[str, str] = {}
    rows: list[dict[str, Any]] = []
    compared: list[dict[str, Any]] = []
    with pool(executor, jobs, address) as workers:
        for plan in experiment.learns:
            ready = replace(plan, fixed=tuple(filled(list(plan.fixed), places)))
            trainings, paths = ready.trainings(seed), ready.paths(folder, experiment.name, seed)
            found = train_all(trainings, paths, workers)
            names = [plan.name if n == 0 else f"{plan.name}.{n + 1}" for n in range(plan.repeat)]
            some = [curves(*one, plan.fixed) for one in zip(names, trainings, found, strict=True)]
            places |= dict(zip(names, map(str, paths), strict=True))
            compared += beside(plan, some)
            rows += some
    picture = folder / f"{experiment.name}.svg"
    draw_courses(rows, picture, [p for plan in experiment.learns for p in plan.published])
    return Taught(experiment.taught(places, scale), places, rows, compared, picture)


def describe(experiment: "Experiment") -> None:
    """Say what is going to be played."""
    out.print(experiment.title, style="bold", markup=False, soft_wrap=True)
    out.print(f"Source: {experiment.source}", markup=False, soft_wrap=True)
    if experiment.notes:
        out.print(" ".join(experiment.notes.split()), markup=False, soft_wrap=True)


def show(rows: list[dict[str, Any]], level: float) -> None:
    """Print ours beside theirs."""
    from kostka.arena.measures import in_words

    beside = out.width >= WIDE and any(row["remark"] for row in rows)
    shown = table(
        "what", ">theirs (games)", ">ours (games)", f"{100 * level:g} %", ">p", "verdict",
        *(["remark"] if beside else []),
    )  # fmt: skip
    for row in rows:
        theirs = row["claim"]
        if theirs is None:
            theirs = f"{in_words(row['theirs'], row['measure'])} ({row['their_games'] or '?'})"
        ours = "–" if row["ours"] is None else in_words(row["ours"], row["measure"])
        ends = [row[end] for end in ("low", "high") if row[end] is not None]
        remark = row["remark"] or ""
        shown.add_row(
            row["about"] if beside or not remark else f"{row['about']}: {remark}",
            theirs,
            f"{ours} ({row['games']})",
            "–".join(in_words(end, row["measure"]).removesuffix(" %") for end in ends),
            chance(row["holm"]),
            row["verdict"] + (" (open)" if row["open"] else ""),
            *([remark] if beside else []),
        )
    out.print(shown)


def endings_table(rows: list[dict[str, Any]]) -> Table:
    """In which rounds games ended: a bar for every round, the first one included."""
    last = max(int(row["edges"][-1]) for row in rows)
    shown = table("line-up", "won by", ">games", ">mean round", f"rounds 1 to {last}")
    for row in rows:
        games = [0] * (int(row["edges"][0] + 0.5) - 1) + list(row["counts"])
        tall = max(games)
        bars = "".join(BARS[ceil(n / tall * (len(BARS) - 1))] for n in games)
        shown.add_row(
            " – ".join(row["agents"]),
            row["winner"],
            f"{row['count']} of {row['games']}",
            f"{row['mean']:.1f}",
            bars,
        )
    return shown


def curves_of(experiment: "Experiment") -> list[dict[str, Any]]:
    """The curves of evolution that are part of an experiment."""
    if not experiment.curves:
        return []
    from kostka.agents.evolution import Evolution, curves
    from kostka.agents.lessons import lessons
    from kostka.core.game import game

    lesson = lessons(game(experiment.curves[0]))[experiment.curves[1]]
    return curves(lesson) if isinstance(lesson, Evolution) else []


def curves_table(rows: list[dict[str, Any]]) -> Table:
    """How champions evolved: the share of games that the best one won, as bars."""
    shown = table("evolution", ">generations", ">best at first", ">best", ">mean", "best")
    for row in rows:
        best = row["best"]
        points = [best[n * (len(best) - 1) // (POINTS - 1)] for n in range(POINTS)]
        shown.add_row(
            row["name"],
            str(len(best) - 1),
            *(f"{100 * share:.1f} %" for share in (best[0], best[-1], row["mean"][-1])),
            "".join(BARS[round(share * (len(BARS) - 1))] for share in points),
        )
    return shown


def list_all(json: bool, csv: bool) -> None:
    """Print what can be reproduced."""
    from kostka.arena.experiments import find, names

    found = [find(name) for name in names()]
    rows: list[dict[str, Any]] = [
        {"experiment": e.name, "title": e.title, "source": e.source, "games": e.games,
         "seconds": e.seconds}
        for e in found
    ]  # fmt: skip
    if json:
        print_json(rows)
    elif csv:
        print_csv(rows)
    else:
        shown = table("experiment", "title", ">games", ">time")
        for row in rows:
            time = "?" if row["seconds"] is None else duration(row["seconds"])
            shown.add_row(row["experiment"], row["title"], str(row["games"]), time)
        out.print(shown)
        err.print("games and time at full scale, on one core")


def chance(p: float | None) -> str:
    """A p value for people."""
    if p is None:
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
