"""Patches, a small game whose board grows and whose patches are turned: the page is tried on it."""

from kostka.core.game import Game, Option

game = Game(
    name=__name__,
    title="Patches",
    package=__name__,
    version=1,
    options=(
        Option("players", 2, "how many play", 2, 2),
        Option("patches", 6, "patches to lay", 1, 12),
        Option("only", -1, "the only kind of patch there is; -1: all kinds", -1, 3),
    ),
    presets={"short": {"patches": 3}, "plain": {"patches": 4, "only": 0}},
    actions=2502,
    outcomes=4,
    length=24,
    phases=("draw", "lay", "pin", "over"),
)
