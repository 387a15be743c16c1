"""Contents of files that a server offers by name, or that people bring themselves.

Whoever comes over the web names what is offered or sends a content; no path is ever opened.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from kostka.core.errors import KostkaError, unknown
from kostka.core.game import Game, Option, games, is_content, label


class Offers:
    """What the server was started with, by option and name."""

    def __init__(self) -> None:
        self.contents: dict[str, dict[str, str]] = {}

    def add(self, option: str, paths: Iterable[str]) -> None:
        """Offer what is in some files to every game with an option of this name."""
        asked = [o for game in games().values() for o in game.options if o.name == option]
        for path in paths:
            for one in asked:
                if one.content is not None:
                    self._add(one, one.read_file(path))

    def _add(self, option: Option, content: str) -> None:
        name, known = str(label(content)), self.contents.setdefault(option.name, {})
        if known.setdefault(name, content) != content:
            raise KostkaError(f"two different files for {option.name} are named {name!r}")

    def options(self, game: Game) -> list[Option]:
        """The options of a game, with what is offered among the choices."""
        return [
            replace(o, choices=(*o.choices, *self.names(o))) if o.content else o
            for o in game.options
        ]

    def names(self, option: Option) -> list[str]:
        """What is offered beyond the choices that an option has anyway."""
        return [name for name in self.contents.get(option.name, {}) if name not in option.choices]

    def filled(self, game: Game, wished: Mapping[str, Any]) -> dict[str, Any]:
        """The options that somebody wished, with what is offered in place of its name."""
        filled = dict(wished)
        for o in game.options:
            if o.content is None or o.name not in wished or wished[o.name] in o.choices:
                continue
            if is_content(wished[o.name]):  # which is checked like any value of an option
                continue
            known = self.contents.get(o.name, {})
            if wished[o.name] not in known:
                names = [*map(str, o.choices), *known]
                raise unknown(f"choice of {o.name}", cut(wished[o.name]), names)
            filled[o.name] = known[wished[o.name]]
        return filled


def cut(value: Any) -> str:
    """A wish that cannot be fulfilled, cut short."""
    text = str(value)
    return text if len(text) <= 40 else text[:39] + "…"
