"""Settlers of Catan: 2 to 4 players settle an island."""

from kostka.core.game import Game, Option

game = Game(
    name="catan",
    title="Catan",
    package=__name__,
    version=1,
    options=(
        Option("players", 4, "how many play", 2, 4),
        Option(
            "map",
            "beginner",
            "the island: the rule book's for beginners, or shuffled for each game",
            choices=("beginner", "variable"),
        ),
        Option(
            "start",
            "free",
            "found your settlements where you like, or begin with the beginner's pieces",
            choices=("free", "fixed"),
        ),
        Option(
            "tokens",
            "spiral",
            "the numbers of a variable island: in the order of their letters, or random "
            "with no 6 or 8 beside another",
            choices=("spiral", "random"),
        ),
        Option(
            "bank",
            "19",
            "cards of each resource in the bank: 19, or so many that they never run out",
            choices=("19", "unlimited"),
        ),
        Option(
            "form",
            "free",
            "what may be offered to others: any cards for any others, or one or two for one",
            choices=("free", "thesis"),
        ),
        Option("offers", 20, "offers a player may begin in a turn; 0: no such trade", 0, 100),
        Option("points", 10, "points that win", 3, 20),
        Option("discard", 7, "with more cards than this a 7 makes you discard half", 5, 30),
        Option(
            "robber",
            "official",
            "where the robber may go: anywhere, or not to players with fewer than 3 points "
            "while there is another place",
            choices=("official", "friendly"),
        ),
        Option("turns", 1000, "turns of all players after which nobody has won", 10, 5000),
    ),
    actions=264,
    outcomes=101,
    length=10_000_000,
    phases=(
        "found settlement",
        "found road",
        "before the roll",
        "dice",
        "discard",
        "robber",
        "victim",
        "steal",
        "trade and build",
        "draw",
        "free roads",
        "year of plenty",
        "monopoly",
        "offer",
        "answer",
        "over",
    ),
    streams=9,
    presets={"thesis": {"bank": "unlimited", "form": "thesis"}},
    small={"players": 2, "points": 4, "offers": 1, "form": "thesis"},
)
