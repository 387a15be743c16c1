"""Play, train and measure AI for multiplayer board games with chance and hidden information."""

from kostka.core.errors import IllegalAction, KostkaError
from kostka.core.game import Game, Option, game, games

__version__ = "0.1.0"
__all__ = ["Game", "IllegalAction", "KostkaError", "Option", "game", "games"]
