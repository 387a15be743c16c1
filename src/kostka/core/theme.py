"""Themes: a folder with somebody's own artwork for our games, named by ``KOSTKA_THEME``.

``THEME/dicewars.css`` is added to the style of the drawing. ``THEME/dicewars/PIECE.svg`` stands in
for the piece of that name, in the same coordinates. ``kostka theme dicewars THEME`` writes the
pieces as they are, to begin with.
"""

import functools
import os
import re
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

from kostka.core.errors import KostkaError

SVG = "http://www.w3.org/2000/svg"
#: A document around pieces, so that they can be read on their own.
AROUND = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -50 100 100">{}</svg>\n'

ElementTree.register_namespace("", SVG)


def chosen() -> Path | None:
    """The folder of the theme, if there is one."""
    named = os.environ.get("KOSTKA_THEME")
    return Path(named) if named else None


def check(folder: Path) -> None:
    """Refuse a folder that is no theme, before anything is drawn."""
    if not folder.is_dir():
        raise KostkaError(f"there is no theme folder {folder}")
    for file in sorted(folder.glob("*/*.svg")):
        _inside(file)


def dress(game: str, svg: str) -> str:
    """A drawing in the theme; without one as it is."""
    folder = chosen()
    if folder is None:
        return svg
    style, own = _artwork(folder, game)
    root = ElementTree.fromstring(f'<svg xmlns="{SVG}">{svg}</svg>')
    for element in root.iter():
        piece = own.get(element.get("id", ""))
        if piece is not None:
            element[:] = ElementTree.fromstring(piece)[:]
            element.text = None
    if style:
        ElementTree.SubElement(root[0], f"{{{SVG}}}style").text = style
    return "".join(
        re.sub(rf' xmlns="{SVG}"', "", ElementTree.tostring(part, "unicode"), count=1)
        if 'xmlns="' not in svg[:200]
        else ElementTree.tostring(part, "unicode")
        for part in root
    )


@functools.cache
def _artwork(folder: Path, game: str) -> tuple[str, Mapping[str, str]]:
    """The style and the pieces of a theme for a game."""
    css = folder / f"{game}.css"
    pieces = {file.stem: _inside(file) for file in sorted((folder / game).glob("*.svg"))}
    return css.read_text(encoding="utf-8") if css.exists() else "", pieces


def _inside(file: Path) -> str:
    """A piece as text, if it can be read."""
    try:
        text = file.read_text(encoding="utf-8")
        ElementTree.fromstring(text)
    except (OSError, UnicodeDecodeError, ElementTree.ParseError) as error:
        raise KostkaError(f"{file} is no SVG: {error}") from None
    return text


def pieces(svg: str) -> dict[str, str]:
    """The pieces that a drawing defines for use, each as a document of its own."""
    root = ElementTree.fromstring(f'<svg xmlns="{SVG}">{svg}</svg>')
    found = {}
    for definitions in root.iter(f"{{{SVG}}}defs"):
        for element in definitions:
            name, kind = element.get("id"), element.tag.removeprefix(f"{{{SVG}}}")
            if name and kind in ("g", "symbol"):
                inside = "".join(ElementTree.tostring(part, "unicode") for part in element)
                found[name] = AROUND.format(inside.replace(f' xmlns="{SVG}"', ""))
    return found
