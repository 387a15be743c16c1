"""Pig: two players, one die, and how often you dare to roll it."""

from kostka.core.game import Game, Option

game = Game(
    name="pig",
    title="Pig",
    package=__name__,
    version=1,
    options=(
        Option("players", 2, "how many play", 2, 2),
        Option("goal", 100, "points that win", 10, 1000),
    ),
    actions=2,  # roll, hold
    outcomes=7,  # what the die shows: 1 to 6
    length=100_000,
    phases=("turn", "throw", "over"),
)
