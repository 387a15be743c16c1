"""Markers, a small game whose turns are two decisions after luck: searches are tried on it."""

from kostka.core.game import Game, Option

game = Game(
    name=__name__,
    title="Markers",
    package=__name__,
    version=1,
    options=(
        Option("players", 2, "how many play", 2, 4),
        Option("copies", 2, "tiles of each height", 1, 8),
        Option("cells", 3, "cells of the board", 1, 6),
    ),
    actions=10,
    outcomes=4,
    length=200,
    phases=("draw", "place", "mark", "over"),
)
