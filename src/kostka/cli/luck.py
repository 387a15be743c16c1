"""The luck ledger of a run."""

from typing import Annotated, Any

import typer

from kostka.cli import app
from kostka.cli.shared import (
    Csv,
    Json,
    Level,
    RunName,
    Where,
    out,
    print_csv,
    print_json,
    progress,
    table,
)
from kostka.core.errors import KostkaError
from kostka.core.game import game as find_game


@app.command(epilog="Example: kostka luck dicewars-1 --value outlook")
def luck(
    run: RunName,
    store: Where = None,
    value: Annotated[
        str | None, typer.Option(help="value function: an evaluation of the game")
    ] = None,
    games: Annotated[bool, typer.Option("--games", help="a row for every seat of a game")] = False,
    level: Level = 0.95,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Split the results of a run into luck and the rest.

    The luck of every throw or draw is what it was worth beyond the mean of all that could have come
    out. Without it the shares are surer: as sure as so many times as many games would make them.
    """
    import numpy as np

    from kostka.arena.ledger import controlled, evaluation
    from kostka.arena.ledger import luck as luck_of
    from kostka.arena.store import Store

    opened = Store(store, create=False)
    found = opened.run(run)
    game = find_game(found.plan.game)
    chosen = evaluation(game, value)
    results = opened.results(found)
    rows: list[dict[str, Any]] = []
    lucky: list[float] = []
    with progress() as bar:
        task = bar.add_task("reckoning luck", total=len(results))
        for of, number, seed, codes in opened.moves(found):
            match = found.matches[of]
            split = luck_of(game, match.options, seed, codes, chosen)
            for side in range(max(match.sides) + 1):
                seat = match.sides.index(side)  # all of a side share its luck
                who = results.agents[results.agent[len(rows)]]
                lucky.append(split.luck[seat])
                rows.append(
                    {"match": of, "game": number, "seat": side, "agent": who, "fair": split.fair,
                     "start": split.start[seat], "luck": split.luck[seat]}
                )  # fmt: skip
            bar.advance(task)
    if len(rows) != len(results.game):
        raise KostkaError(f"the moves of {found.name} were not kept; play it without --no-moves")
    for row, gain in zip(rows, results.gain.tolist(), strict=True):
        row |= {"rest": gain - row["fair"] - row["start"] - row["luck"], "gain": gain}
    if not games:
        fortune = np.array(lucky)
        rows = []
        for i, name in enumerate(results.agents):
            mine = results.agent == i
            better = controlled(results, fortune, name, level)
            plain, adjusted = better["plain"], better["adjusted"]
            rows.append(
                {"agent": name, "games": int(mine.sum()), "share": plain.share, "low": plain.low,
                 "high": plain.high, "luck": float(fortune[mine].mean()),
                 "adjusted": adjusted.share, "adjusted_low": adjusted.low,
                 "adjusted_high": adjusted.high, "narrowed": better["narrowed"]}
            )  # fmt: skip
        rows.sort(key=lambda row: -row["share"])
    if json:
        print_json(rows)
    elif csv:
        print_csv(rows)
    elif games:
        shown = table(">match", ">game", ">seat", "agent", ">gain", ">start", ">luck", ">rest")
        for row in rows:
            shown.add_row(
                str(row["match"]), str(row["game"]), str(row["seat"]), row["agent"],
                *(f"{row[key]:+.3f}" for key in ("gain", "start", "luck", "rest")),
            )  # fmt: skip
        out.print(shown)
    else:
        shown = table("agent", ">games", f">share ({100 * level:g} %)", ">luck", ">without luck",
                      ">worth games")  # fmt: skip
        for row in rows:
            shown.add_row(
                row["agent"], str(row["games"]),
                f"{100 * row['share']:.1f} ({100 * row['low']:.1f}–{100 * row['high']:.1f})",
                f"{100 * row['luck']:+.1f}",
                f"{100 * row['adjusted']:.1f} "
                f"({100 * row['adjusted_low']:.1f}–{100 * row['adjusted_high']:.1f})",
                f"× {row['narrowed']:.2f}",
            )  # fmt: skip
        out.print(shown)
