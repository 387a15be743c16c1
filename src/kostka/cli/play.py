"""Play in a terminal, or send an agent to a table on a server."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kostka.cli import app
from kostka.cli.shared import (
    GameName,
    Limit,
    MapFile,
    Options,
    Preset,
    Seed,
    chosen,
    err,
    game_options,
    out,
)
from kostka.core.errors import KostkaError
from kostka.core.game import Game
from kostka.core.game import game as find_game

if TYPE_CHECKING:
    from kostka.cli.remote import Place

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
    preset: Preset = None,
    map_file: MapFile = None,
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
    from kostka.core.present import called, listed

    found = find_game(game)
    given = game_options(found, option, preset, map_file)
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


@app.command(epilog="Example: kostka bot dicewars mcts --url http://127.0.0.1:8000/table/k3Xw9")
def bot(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="the game; by default what is played there")
    ] = None,
    spec: Annotated[
        str | None, typer.Argument(metavar="SPEC", help="an agent: see kostka agents GAME")
    ] = None,
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="address of the server, a table, or a seat")
    ] = None,
    name: Annotated[str | None, typer.Option(help="what the agent is called there")] = None,
    seat: Annotated[int | None, typer.Option(help="the seat to take", min=0)] = None,
    seed: Seed = None,
    again: Annotated[bool, typer.Option("--again", help="ask for a rematch, again and again")] = (
        False
    ),
) -> None:
    """Send an agent to a table on a server; what is missing is asked for.

    The agent sees only what its seat may know. It connects again if the connection is lost.
    """
    from kostka.agents import make
    from kostka.arena.match import warm
    from kostka.cli import remote

    asked = url is None
    at = remote.place(url or answer("Address of the server", "http://127.0.0.1:8000"))
    if at.table is None:
        asked = True
        at = choose_table(at, game)
    table = remote.ask(at, f"/api/tables/{at.table}")
    if game is not None and game != table["game"]:
        raise KostkaError(f"at this table they play {remote.shown(table['game'])}, not {game}")
    found = find_game(table["game"])
    if spec is None:
        spec, asked = choose_agent(found), True
    make(found, spec)
    if name is None:
        name = answer("Name", spec) if asked else spec
    with err.status("getting ready (the first time an agent is compiled) …"):
        warm(found, spec, len(table["seats"]))
    if at.token is None:
        at = remote.join(at, name, seat)
    remote.play_there(at, spec, chosen(seed), again)


def answer(question: str, default: str) -> str:
    """What a person answers; nothing means the default."""
    try:
        return input(f"{question} [{default}]: ").strip() or default
    except EOFError:
        raise KostkaError(f"nobody answers: {question}? see kostka bot --help") from None


def choose_table(at: "Place", game: str | None) -> "Place":
    """Let a person choose among the public tables with an open seat."""
    from kostka.cli.remote import open_tables, shown

    tables = open_tables(at, game)
    if not tables:
        raise KostkaError(f"no public table at {at.server} has an open seat; open one there first")
    for n, table in enumerate(tables, 1):
        names = ", ".join(seat["name"] or "(open)" for seat in table["seats"])
        words = f"{table['title']} {table['name']}: {names}"
        out.print(f"{n:3}  {shown(words)}", markup=False, soft_wrap=True)
    while True:
        number = answer("Table", "1")
        if number.isdecimal() and 1 <= int(number) <= len(tables):
            return replace(at, table=tables[int(number) - 1]["id"])
        out.print(f"Type a number from 1 to {len(tables)}.")


def choose_agent(game: Game) -> str:
    """Let a person choose an agent; asked again until there is such a one."""
    from kostka.agents import kinds, make
    from kostka.cli.terminal import DEFAULT_AGENT

    for name, kind in kinds(game).items():
        out.print(f"  {name:12} {kind.help}", markup=False, soft_wrap=True)
    while True:
        spec = answer("Agent", DEFAULT_AGENT)
        try:
            make(game, spec)
            return spec
        except KostkaError as error:
            out.print(str(error), markup=False)
