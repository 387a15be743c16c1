"""Play in a terminal, or send an agent to a table on a server."""

import os
from pathlib import Path
from typing import Annotated

import typer

from kostka.cli import app
from kostka.cli.shared import GameName, Limit, Options, Seed, chosen, game_options, out
from kostka.core.errors import KostkaError
from kostka.core.game import game as find_game

Who = Annotated[
    list[str] | None,
    typer.Argument(metavar="WHO…", help="by seat: me, me:NAME, or an agent (kostka agents GAME)"),
]


@app.command(epilog="Example: kostka play dicewars me:Anna stei me:Petr --seed 7")
def play(
    game: GameName,
    who: Who = None,
    seed: Seed = None,
    option: Options = None,
    limit: Limit = None,
    record: Annotated[Path | None, typer.Option(help="file for the game record")] = None,
    tree: Annotated[
        int, typer.Option(metavar="DEPTH", help="show agents' search trees so deep", min=0, max=16)
    ] = 0,
) -> None:
    """Play in this terminal, with any mix of people and agents.

    Without a person among WHO you sit down first; seats left over go to mcts. The time limit is
    for agents. Where something is hidden, people who share the terminal see only their own side.
    """
    from kostka.cli.terminal import play_here, seated
    from kostka.core.board import called, listed

    found, given = find_game(game), game_options(option)
    seats = seated(found, who or (), given)
    options = found.check({**given, "players": len(seats)})
    if record is not None:
        writable(record)
    names = [called(seat, seats) for seat in range(len(seats))]
    out.print(f"{found.title}: {listed(names)}. Type help for help.", markup=False, soft_wrap=True)
    play_here(found, options, seats, chosen(seed), limit=limit, record=record, tree=tree)


def writable(path: Path) -> None:
    """Say before the game, not after it, that its record cannot be written."""
    if path.exists():
        raise KostkaError(f"{path} exists already; choose another name")
    if not os.access(path.parent, os.W_OK):
        raise KostkaError(f"{path} cannot be written: {path.parent} is no folder of yours")
