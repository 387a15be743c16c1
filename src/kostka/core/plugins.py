"""What games and agents there are: the entry points of whoever is installed.

A checkout that only lies on the path (PYTHONPATH=src) has none; its own are read from the
``pyproject.toml`` beside it.
"""

import tomllib
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution, entry_points, version
from pathlib import Path

PROJECT = Path(__file__).parents[3] / "pyproject.toml"


def named(group: str) -> tuple[EntryPoint, ...]:
    """The entry points of a group, ours first if we are not installed."""
    try:
        distribution("kostka")
    except PackageNotFoundError:
        return *declared(group), *entry_points(group=group)
    return tuple(entry_points(group=group))


def own_version() -> str:
    """The version of Kostka, installed or not."""
    try:
        return version("kostka")
    except PackageNotFoundError:
        return str(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"])


def declared(group: str) -> tuple[EntryPoint, ...]:
    """Those that the checkout declares, if this is one."""
    if not PROJECT.is_file():
        return ()
    groups = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["entry-points"]
    return tuple(EntryPoint(name, value, group) for name, value in groups.get(group, {}).items())
