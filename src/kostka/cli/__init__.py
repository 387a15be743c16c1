"""The command line. Each group of commands is a file; heavy modules load only when needed."""

import io
import sys

import typer

from kostka.core.errors import KostkaError

app = typer.Typer(
    name="kostka",
    help="Play, train and measure AI for board games with chance and hidden information.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)


def load() -> None:
    """Import the files of all groups, which adds their commands."""
    from kostka.cli import (  # noqa: F401
        bench,
        cache,
        check,
        games,
        learn,
        luck,
        match,
        records,
        report,
        reproduce,
        tournament,
        trial,
    )


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
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"kostka: {where}{error.strerror or error}", file=sys.stderr)
        raise SystemExit(2) from None
