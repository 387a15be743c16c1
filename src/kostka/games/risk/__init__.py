"""Risk: 2 to 6 players fight for a world of territories."""

from kostka.core.game import Game, Option


def map_in(text: str) -> str:
    """The map in a file, as the option keeps it."""
    from kostka.games.risk.maps import canonical

    return canonical(text)


game = Game(
    name="risk",
    title="Risk",
    package=__name__,
    version=1,
    options=(
        Option("players", 3, "how many play", 2, 6),
        Option(
            "win",
            "domination",
            "what wins: the whole world, or a secret mission (3 to 6 players)",
            choices=("domination", "missions"),
        ),
        Option("neutral", True, "with two players, whether a neutral army holds a third"),
        Option("map", "classic", "the map", choices=("classic", "random"), content=map_in),
        Option("territories", 42, "how many territories a random map has", 9, 60),
        Option(
            "start",
            "full",
            "armies at the start: the same on every map, or scaled by its size",
            choices=("full", "scaled"),
        ),
        Option(
            "placing",
            "one",
            "place armies one by one in turn, or all before the next player does",
            choices=("one", "all"),
        ),
        Option(
            "sets",
            "rising",
            "what card sets are worth: 4, 6, 8 … or 4, 5, 6 …, or by their symbols",
            choices=("rising", "slow", "fixed"),
        ),
        Option("cap", 0, "sets are never worth more than this; 0: no such cap", 0, 1000),
        Option(
            "bonus",
            "once",
            "two extra armies for an own territory on a traded card: once a trade, or for each",
            choices=("once", "each"),
        ),
        Option("keep", 4, "the most cards you may keep at the start of your turn", 4, 5),
        Option("spoils", 6, "with so many cards after an elimination you trade at once", 6, 7),
        Option(
            "deck",
            "reshuffle",
            "when no card is left: shuffle the discarded ones, or draw none",
            choices=("reshuffle", "once"),
        ),
        Option(
            "defence",
            "most",
            "the defender rolls as many dice as possible, or chooses",
            choices=("most", "choice"),
        ),
        Option(
            "fortify",
            "path",
            "move armies once along own territories, once to a neighbour, or as often as you like",
            choices=("path", "adjacent", "many"),
        ),
        Option("limit", 1000, "armies that fit on a territory; more are lost", 12, 1000),
        Option("cards", "hidden", "whether others see your cards", choices=("hidden", "open")),
        Option(
            "target",
            "own",
            "who must destroy the player your mission names: you, or anyone",
            choices=("own", "anyone"),
        ),
        Option(
            "reveal",
            "at-once",
            "a mission wins at once, or at the end of a turn",
            choices=("at-once", "turn-end"),
        ),
        Option("turns", 1000, "turns of all players after which the game is a draw", 10, 5000),
    ),
    actions=63210,
    outcomes=2100,
    choices=3601,  # from 30 territories to each of 30 others, four ways, or none
    length=400_000,
    phases=(
        "claim",
        "neutral",
        "trade",
        "extra",
        "draft",
        "number",
        "attack",
        "defend",
        "roll",
        "occupy",
        "hand over",
        "fortify",
        "move",
        "card",
        "mission",
        "over",
    ),
    streams=18,
    presets={
        "thesis": {
            "bonus": "each",
            "keep": 5,
            "spoils": 7,
            "target": "anyone",
            "placing": "all",
        }
    },
    small={"map": "random", "territories": 9, "turns": 60},
)
