"""A game with hidden cards, for this process and for others."""

import shutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from kostka.core.game import Game

CARDGAME = Path(__file__).parents[1] / "core" / "cardgame"


@pytest.fixture(scope="module")
def cards() -> Iterator[Game]:
    """The game, in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(CARDGAME.parent)
        yield import_module("cardgame").game


@pytest.fixture(scope="module")
def cards_installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for PYTHONPATH in which the game is installed."""
    folder = tmp_path_factory.mktemp("installed")
    shutil.copytree(CARDGAME, folder / "cardgame", ignore=shutil.ignore_patterns("__pycache__"))
    info = folder / "cardgame-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: cardgame\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[kostka.games]\ncardgame = cardgame:game\n")
    return folder
