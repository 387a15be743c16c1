"""Tile sets of one's own for The Discovery."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kostka.cli import app
from kostka.cli.shared import Json, out, print_json
from kostka.core.errors import KostkaError
from kostka.core.game import game as find_game

if TYPE_CHECKING:
    from kostka.games.carcassonne.tileset import TileSet

tiles = typer.Typer(help="Tile sets for The Discovery.", no_args_is_help=True)
app.add_typer(tiles, name="tiles")

TheSet = Annotated[
    str, typer.Argument(metavar="SET", help="a JSON file, or a set that comes with the game")
]


def find(given: str) -> "TileSet":
    """The tile set of a name or in a file, checked."""
    from kostka.games.carcassonne.tileset import SHIPPED, tile_set

    option = next(o for o in find_game("carcassonne").options if o.name == "tiles")
    return tile_set(given if given in SHIPPED else option.read_file(given))


@tiles.command(epilog="Example: kostka tiles check islands.json")
def check(given: TheSet, json: Json = False) -> None:
    """Check a tile set: what is wrong with which tile, or what it consists of."""
    found = find(given)
    count = {
        "tiles": sum(tile.count for tile in found.tiles),
        "kinds": len(found.tiles),
        "regions": sum(tile.count * len(tile.regions) for tile in found.tiles),
        "cities": sum(tile.count * len(tile.cities) for tile in found.tiles),
    }
    stranded = found.stranded()
    if json:
        print_json({"name": found.name, **count, "never laid": stranded})
        return
    out.print(
        f"{found.name} can be played: {count['tiles']} tiles of {count['kinds']} kinds, "
        f"{count['regions']} regions and {count['cities']} cities on them.",
        markup=False,
        soft_wrap=True,
    )
    for id in stranded:
        out.print(
            f"It can never be finished: tile {id} fits nowhere, as no tile that can be laid "
            "has a side like one of its own.",
            markup=False,
            soft_wrap=True,
        )


@tiles.command(epilog="Example: kostka tiles draw islands.json islands.svg")
def draw(
    given: TheSet,
    svg: Annotated[Path, typer.Argument(metavar="FILE.svg", help="where the picture goes")],
) -> None:
    """Draw all tiles of a set."""
    from kostka.games.carcassonne.art import sheet

    if svg.exists():
        raise KostkaError(f"{svg} exists already; choose another name")
    svg.write_text(sheet(find(given)), encoding="utf-8")
    out.print(f"the tiles are drawn in {svg}", markup=False)
