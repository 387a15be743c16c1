"""Bargain, a small game of offers and of hands that are too full: its cards are chosen together."""

from kostka.core.game import Game, Option

game = Game(
    name=__name__,
    title="Bargain",
    package=__name__,
    version=1,
    options=(
        Option("players", 2, "how many play", 2, 2),
        Option("turns", 4, "turns of a game", 1, 8),
    ),
    actions=13,
    outcomes=1,
    length=400,
    phases=("turn", "offer", "answer", "discard", "over"),
)
