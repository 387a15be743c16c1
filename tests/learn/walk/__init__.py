"""A walk on a line: one player, who goes left or right by luck alone until the line ends."""

from kostka.core.game import Game, Option

game = Game(
    name="walk",
    title="Walk",
    package=__name__,
    version=1,
    options=(Option("players", 1, "how many play", 1, 1),),
    actions=1,
    outcomes=2,
    length=10_000,
    phases=("step", "way", "over"),
)
