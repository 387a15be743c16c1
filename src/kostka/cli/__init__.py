"""The command line. Each group of commands is a file; heavy modules load only when needed."""

import io
import re
import sys
from typing import Annotated

import typer

from kostka.core.errors import KernelError, KostkaError

app = typer.Typer(
    name="kostka",
    help="Play, train and measure AI for board games with chance and hidden information.",
    no_args_is_help=True,
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)


#: How the commands are grouped in the help.
PANELS = {
    "Play": "serve play watch bot games agents odds",
    "Measure": "match test tournament runs report luck reproduce export bench",
    "Records": "verify replay",
    "Build": "check fuzz learn theme tiles compile cache",
}


@app.callback()
def options(
    version: Annotated[bool, typer.Option("--version", help="show the version")] = False,
) -> None:
    if version:
        from importlib.metadata import version as installed

        print(f"kostka {installed('kostka')}")
        raise typer.Exit


def load() -> None:
    """Import the files of all groups, which adds their commands."""
    from kostka.cli import (  # noqa: F401
        bench,
        cache,
        check,
        fuzz,
        games,
        learn,
        luck,
        match,
        odds,
        play,
        records,
        report,
        reproduce,
        serve,
        theme,
        tiles,
        tournament,
        trial,
    )

    panels = {name: panel for panel, names in PANELS.items() for name in names.split()}
    for command in app.registered_commands:
        assert command.callback is not None
        command.name = command.name or command.callback.__name__
        command.rich_help_panel = panels[command.name]
    app.registered_commands.sort(key=lambda command: list(panels).index(str(command.name)))
    for group in app.registered_groups:
        group.rich_help_panel = panels[str(group.name)]


def kernel_trouble(error: BaseException) -> str | None:
    """What is wrong with somebody's kernel, in a sentence; None if it is nothing of the kind."""
    seen: list[BaseException] = []
    link: BaseException | None = error
    while link is not None and link not in seen:
        seen.append(link)
        link = link.__cause__ or link.__context__
    for one in seen:
        if isinstance(one, KernelError):
            return str(one)
    said = str(error)
    if not type(error).__module__.startswith("numba"):
        found = re.search(r"KernelError: (.+)", said)
        return found[1] if found else None
    lines = [line.strip(" -") for line in said.splitlines() if line.strip(" -")]
    general = ("Failed in nopython", "During: ", "File ", "- ")
    why = next((line for line in lines if not line.startswith(general)), lines[0])
    places = re.findall(r'File "([^"]+)", line (\d+)', said)
    own = [place for place in places if "/kostka/core/" not in place[0]] or places
    where = f" ({own[-1][0]}, line {own[-1][1]})" if own else ""
    return f"a kernel does not compile: {why.strip()}{where}; kostka check fuzz tells more"


def main() -> None:
    """The entry point: a person's mistake is one sentence and exit code 2."""
    load()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app()
    except KostkaError as error:
        print(f"kostka: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    except KeyboardInterrupt:
        print("kostka: interrupted", file=sys.stderr)
        raise SystemExit(130) from None
    except BrokenPipeError:
        sys.stderr.close()
        raise SystemExit(1) from None
    except SyntaxError as error:
        where = f"{error.filename}, line {error.lineno}"
        print(f"kostka: {where}: {error.msg}", file=sys.stderr)
        raise SystemExit(2) from None
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"kostka: {where}{error.strerror or error}", file=sys.stderr)
        raise SystemExit(2) from None
    except Exception as error:
        words = kernel_trouble(error)
        if words is None:
            raise
        print(f"kostka: {words}", file=sys.stderr)
        raise SystemExit(2) from None
