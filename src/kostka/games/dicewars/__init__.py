"""Dice Wars: 2 to 8 players roll dice for a map of areas."""

from kostka.core.game import Game, Option

game = Game(
    name="dicewars",
    title="Dice Wars",
    package=__name__,
    version=2,
    options=(
        Option("players", 2, "how many play", 2, 8),
        Option("edition", 2019, "the year of the course's rules", choices=(2019, 2020, 2021)),
        Option("areas", 0, "areas of the board, 8 to 60; 0: as in the edition", 0, 60),
        Option("quiet", 8, "rounds without an attack that end the game in a draw", 1, 100),
        Option("battles", 10_000, "battles that end the game in a draw", 1, 10_000),
    ),
    actions=2 * 64 * 64 + 1,
    outcomes=64,
    choices=373,  # an attack or transfer across each border each way, or the end of the turn
    length=200_000,
    phases=("attack", "roll", "place", "over"),
    streams=16,
)
