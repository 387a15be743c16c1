"""Carcassonne: The Discovery: 2 to 5 players discover a country, tile by tile."""

from kostka.core.game import Game, Option


def tiles_in(text: str) -> str:
    """The tile set in a file, as the option keeps it."""
    from kostka.games.carcassonne.tileset import canonical

    return canonical(text)


game = Game(
    name="carcassonne",
    title="Carcassonne: The Discovery",
    package=__name__,
    version=1,
    options=(
        Option("players", 2, "how many play", 2, 5),
        Option(
            "small",
            "open",
            "what closed regions of one or two tiles count as",
            choices=("open", "closed"),
        ),
        Option(
            "end", "open", "what is left at the end counts as", choices=("open", "as-is", "closed")
        ),
        Option(
            "unplaceable",
            "discard",
            "discard a tile that fits nowhere, or return it to the bag",
            choices=("discard", "return"),
        ),
        Option("equal", False, "whether tiles are put aside so that all have as many turns"),
        Option(
            "tiles",
            "standard",
            "the tile set",
            choices=("standard", "documented"),
            content=tiles_in,
        ),
    ),
    actions=1035,
    outcomes=84,
    length=166,
    phases=("draw", "place", "follow", "over"),
)
