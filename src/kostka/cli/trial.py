"""Is a new agent stronger than the old one?"""

from typing import Annotated

import typer
from rich.live import Live

from kostka.cli import app
from kostka.cli.shared import (
    Jobs,
    Json,
    MapFile,
    Options,
    Preset,
    Seed,
    chosen,
    err,
    game_options,
    out,
    print_json,
)
from kostka.core.errors import KostkaError
from kostka.core.game import game as find_game


@app.command(
    name="test", epilog="Example: kostka test mcts:c=0.3 mcts:c=1 --game dicewars --elo 30 --jobs 2"
)
def trial(
    new: Annotated[str, typer.Argument(metavar="NEW", help="agent that may be stronger")],
    old: Annotated[str, typer.Argument(metavar="OLD", help="agent to compare it with")],
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="see kostka games")],
    elo: Annotated[float, typer.Option(help="gain that must not be missed, in Elo")] = 20.0,
    alpha: Annotated[float, typer.Option(help="chance to call an equal agent stronger")] = 0.05,
    beta: Annotated[float, typer.Option(help="chance to miss that gain")] = 0.05,
    limit: Annotated[int, typer.Option(help="most blocks of games", min=1)] = 10_000,
    players: Annotated[
        int | None,
        typer.Option(help="one NEW sits with OLD ones [2; where sides play: a side]", min=2),
    ] = None,
    role: Annotated[
        str | None, typer.Option(help="test NEW in this role only, against OLD in the others")
    ] = None,
    seed: Seed = None,
    jobs: Jobs = 1,
    option: Options = None,
    preset: Preset = None,
    map_file: MapFile = None,
    json: Json = False,
) -> None:
    """Play until it is clear whether NEW is stronger than OLD, and say so in one line.

    A sequential probability ratio test over blocks: the seats rotate under the same luck, and
    where sides play, NEW and OLD have each side by turns. With --role a block is NEW in that role
    and OLD in it, both against OLD: is NEW better at it? 20 Elo are then 2.9 wins in a hundred.
    """
    from kostka.arena.executor import executor
    from kostka.arena.match import prepare, sides
    from kostka.arena.sprt import Lineup, Sprt
    from kostka.arena.tournament import in_role, trial

    seed = chosen(seed)
    found = find_game(game)
    if found.sides is not None and players is not None:
        raise KostkaError(f"in {found.title} sides play; write --option players={players}")
    if role is not None and not found.roles:
        raise KostkaError(f"in {found.title} all seats are alike; leave out --role")
    options = game_options(found, option, preset, map_file)
    count = players or (2 if found.sides is None else max(sides(found, found.check(options))) + 1)
    match = prepare(found, (new, *[old] * (count - 1)), limit * count, seed, options)
    lineup = Lineup(count, 1)
    if role is not None:
        match = in_role(match, role)
        role = match.roles[match.sides[match.seats(0).index(0)]]  # as the game spells it
        lineup = Lineup(role=role)
    test = Sprt(lineup, elo=(0.0, elo), alpha=alpha, beta=beta, limit=limit)
    if not json:
        out.print(f"{found.title}, seed {seed}")
    interrupted = False
    with (
        Live(console=err, auto_refresh=False, transient=True) as live,
        executor("auto", jobs, [match]) as workers,
    ):
        try:
            for step in trial(match, test, workers):
                low, high = step.bounds
                words = f"{step.games} games, LLR {step.llr:+.2f} between {low:.2f} and {high:.2f}"
                live.update(words, refresh=True)
        except KeyboardInterrupt:
            interrupted = True
    if json:
        shown = test.estimate()
        print_json(
            {
                "game": game,
                "seed": seed,
                "new": new,
                "old": old,
                "role": role,
                "verdict": test.verdict,
                "games": test.games,
                "llr": test.llr,
                "bounds": list(test.bounds),
                "score": shown.value,
                "interval": [shown.low, shown.high],
            }
        )
    else:
        out.print(test.sentence(new, old), markup=False, soft_wrap=True)
    if interrupted:
        raise typer.Exit(130)
