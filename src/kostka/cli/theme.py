"""Artwork of one's own."""

from pathlib import Path
from typing import Annotated

import typer

from kostka.cli import app
from kostka.cli.shared import GameName, out
from kostka.core.errors import KostkaError
from kostka.core.game import game as find_game


@app.command(epilog="Example: kostka theme dicewars my-theme && kostka serve --theme my-theme")
def theme(
    game: GameName,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="where the pieces go")],
) -> None:
    """Write the pieces of a game's artwork to a folder, to be changed and used as a theme."""
    from kostka.core import present
    from kostka.core.rng import stream
    from kostka.core.theme import pieces

    found = find_game(game)
    state = found.new(seed=1).settle(stream(1))
    still, moving, _ = present.drawing(state.view())
    made = pieces(still + moving)
    css = folder / f"{game}.css"
    files = {css: f"/* Added to the style of {found.title}. */\n"}
    files |= {folder / game / f"{name}.svg": text for name, text in made.items()}
    for file in files:
        if file.exists():
            raise KostkaError(f"{file} exists already; choose another folder")
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    out.print(f"{len(made)} pieces and a style sheet in {folder}", markup=False)
