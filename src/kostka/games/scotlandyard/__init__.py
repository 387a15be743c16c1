"""Scotland Yard: detectives hunt Mr X, who hides, through London or on a grid."""

from collections.abc import Mapping

from kostka.core.game import Game, Option, Value


def sides(options: Mapping[str, Value]) -> tuple[int, ...]:
    """Mr X, on seat 0, against all the others."""
    return 0, *[1] * (int(options["players"]) - 1)


game = Game(
    name="scotland-yard",
    title="Scotland Yard",
    package=__name__,
    version=1,
    options=(
        Option("players", 6, "how many play: Mr X and the detectives", 2, 6),
        Option("edition", "classic", "1983, or the later one", choices=("classic", "later")),
        Option(
            "end",
            "moves24",
            "after 24 moves of Mr X, or after 22 rounds",
            choices=("moves24", "rounds22"),
        ),
        Option("starts", "cards", "from start cards, or anywhere", choices=("cards", "random")),
        Option(
            "tickets",
            "classic",
            "Mr X's taxi, bus and underground tickets; unlimited in the later edition",
            choices=("classic", "unlimited"),
        ),
        Option("black", -1, "Mr X's black tickets; -1: as in the edition", -1, 24),
        Option("doubles", 2, "Mr X's double moves", 0, 8),
    ),
    actions=802,
    outcomes=200,
    choices=33,  # by each of 16 lines with its ticket or a black one, or a double move
    length=200,
    phases=("start", "mr x", "detectives", "over"),
    roles=("Mr X", "detective"),
    sides=sides,
)

grid = Game(
    name="scotland-yard-grid",
    title="Scotland Yard on a grid",
    package=__name__,
    version=1,
    options=(
        Option("players", 3, "how many play: Mr X and the detectives", 2, 6),
        Option("size", 5, "cells along a side of the board", 3, 14),
        Option("rounds", 15, "rounds that Mr X must survive", 1, 32),
        Option("reveal", 3, "Mr X shows himself every so many rounds", 1, 32),
        Option("surrounded", True, "whether Mr X is caught when he cannot move; or else he stays"),
    ),
    actions=802,
    outcomes=200,
    choices=33,  # by each of 16 lines with its ticket or a black one, or a double move
    length=200,
    phases=("start", "mr x", "detectives", "over"),
    roles=("Mr X", "detective"),
    sides=sides,
)
