"""Highest Cards, a small game with hidden hands: the proof kit is tried on it and on its faults."""

from kostka.core.game import Game, Option

game = Game(
    name=__name__,
    title="Highest Cards",
    package=__name__,
    version=1,
    options=(
        Option("players", 2, "how many play", 2, 3),
        Option("copies", 3, "cards of each rank", 2, 4),
    ),
    actions=6,
    outcomes=4,
    length=12,
    phases=("deal", "turn", "draw", "over"),
)
