"""Spec strings: ``mcts:iterations=2000,c=1.2``, ``sdc``, or the path of a class, ``my_bot:Bot``."""

import functools
import importlib
import inspect
import os
import sys
from typing import Any

from kostka.agents.base import Agent, Kind
from kostka.agents.generic import KINDS
from kostka.core import plugins
from kostka.core.errors import KostkaError, unknown
from kostka.core.game import Game, Option, check_options


@functools.cache
def kinds(game: Game) -> dict[str, Kind]:
    """All named agents of a game: those that know it first, then those that play everything."""
    own: dict[str, Kind] = {}
    for entry in plugins.named("kostka.agents"):
        if entry.name == game.name:
            own.update(entry.load().KINDS)
    return {**own, **{name: kind for name, kind in KINDS.items() if name not in own}}


@functools.cache
def levels(game: Game) -> dict[str, str]:
    """Opponents for people by name, from easy to strongest: those of the game, or every agent."""
    for entry in plugins.named("kostka.agents"):
        if entry.name == game.name and hasattr(entry.load(), "LEVELS"):
            return dict(entry.load().LEVELS)
    return {name: name for name in kinds(game)}


def make(game: Game, spec: str) -> Agent:
    """The agent that a spec string describes."""
    name, given = parse(spec)
    if "." in name or ":" in name:
        return from_path(game, name, given)
    known = kinds(game)
    if name not in known:
        raise unknown(f"agent for {game.name}", name, known)
    return known[name].build(game, given, name)


def parse(spec: str) -> tuple[str, dict[str, str]]:
    """The name and the parameters of a spec string."""
    name, colon, tail = spec.strip().rpartition(":")
    if not colon or ("=" not in tail and tail):
        name, tail = spec.strip(), ""
    if not name:
        raise KostkaError(f"{spec!r} names no agent; write for example mcts:iterations=2000")
    given: dict[str, str] = {}
    for pair in filter(None, tail.split(",")):
        key, equals, value = (part.strip() for part in pair.partition("="))
        if not key or not equals or not value:
            raise KostkaError(f"{pair!r} in {spec!r} is no parameter; write name=value")
        if key in given:
            raise KostkaError(f"{key} is given twice in {spec!r}")
        given[key] = value
    return name, given


def from_path(game: Game, path: str, given: dict[str, str]) -> Agent:
    """An agent from somebody's module: ``package.module:Class`` or ``package.module.Class``."""
    module, _, name = path.rpartition(":" if ":" in path else ".")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found = getattr(importlib.import_module(module), name)
    except AttributeError:
        raise KostkaError(f"module {module!r} has no {name!r}") from None
    except Exception as error:  # whatever somebody's module does while it is imported
        why = " ".join(str(error).split())
        raise KostkaError(f"{module!r} cannot be imported for agent {path!r}: {why}") from None
    if not callable(getattr(found, "act", None)):
        raise KostkaError(f"{path} is not an agent: it has no method act(view)")
    arguments = _arguments(found, given, path)
    try:
        return found(**arguments)
    except Exception as error:
        why = " ".join(str(error).split())
        raise KostkaError(f"{path} cannot be made: {type(error).__name__}: {why}") from None


def _arguments(found: Any, given: dict[str, str], path: str) -> dict[str, Any]:
    """The parameters, with the types of the constructor's defaults."""
    taken = inspect.signature(found).parameters.values()
    options = tuple(
        Option(p.name, p.default if isinstance(p.default, (bool, int, float)) else "", "")
        for p in taken
        if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    )
    checked = check_options(options, given, f"parameter of {path}")
    return {name: checked[name] for name in given}
