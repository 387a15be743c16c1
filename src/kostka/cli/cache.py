"""The compile cache."""

import time

import typer

from kostka.cli import app
from kostka.cli.shared import GameName, Json, out, print_json, progress
from kostka.core.game import game_at

cache = typer.Typer(help="The cache of compiled kernels.", no_args_is_help=True)
app.add_typer(cache, name="cache")


@app.command(name="compile", epilog="Example: kostka compile dicewars")
def compile_game(game: GameName, json: Json = False) -> None:
    """Compile everything a game and its agents need, so that later runs start at once."""
    from kostka.arena.bench import warm_up
    from kostka.core.kernels import cache as compiled

    found = game_at(game)
    began = time.perf_counter()
    with progress() as bar:
        task = bar.add_task(f"compiling {found.title}", total=1.0)
        compiled.on_compile.clear()
        warm_up(found, lambda name, done: bar.update(task, completed=done))
    spent = time.perf_counter() - began
    if json:
        print_json({"game": found.name, "seconds": spent, **compiled.stats})
    else:
        out.print(
            f"{found.title} is ready: {compiled.stats['compiled']} kernels compiled, "
            f"{compiled.stats['loaded']} loaded, {spent:.1f} s"
        )


@cache.command(epilog="Example: kostka cache clear")
def clear() -> None:
    """Delete all compiled kernels; they are compiled again when needed."""
    from kostka.core.kernels import cache as compiled

    count, size = compiled.clear()
    out.print(f"deleted {count} kernels, {size / 1e6:.1f} MB, from {compiled.folder()}")


@cache.command(epilog="Example: kostka cache show")
def show() -> None:
    """Say where the cache is and how large."""
    from kostka.core.kernels import cache as compiled

    files = [path for path in compiled.folder().iterdir() if path.suffix == ".kernel"]
    size = sum(path.stat().st_size for path in files)
    out.print(f"{len(files)} kernels, {size / 1e6:.1f} MB, in {compiled.folder()}")
