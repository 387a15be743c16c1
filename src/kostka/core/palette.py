"""How everything looks: the colours, shapes and type that all games, pages and reports share."""

from typing import NamedTuple


class Player(NamedTuple):
    """What a seat is known by: never the colour alone."""

    name: str
    colour: str
    shape: str
    letter: str


#: The seats in order, safe for colour-blind eyes.
PLAYERS = (
    Player("blue", "#2f6db3", "●", "B"),
    Player("orange", "#e08a1e", "▲", "O"),
    Player("green", "#2c8c6a", "■", "G"),
    Player("purple", "#8d5aa8", "◆", "P"),
    Player("red", "#c8433f", "★", "R"),
    Player("sand", "#9c8b5a", "⬟", "S"),
    Player("sky", "#57b0d6", "✚", "Y"),
    Player("charcoal", "#4b4b4b", "✖", "C"),
)

#: The shapes as SVG paths around the origin, each about as large as the unit circle.
OUTLINES = {
    "●": "M-.9 0a.9 .9 0 1 0 1.8 0a.9 .9 0 1 0 -1.8 0Z",
    "▲": "M0 -1L1 .75H-1Z",
    "■": "M-.8 -.8H.8V.8H-.8Z",
    "◆": "M0 -1.08L.85 0L0 1.08L-.85 0Z",
    "★": "M0 -1.1L.28 -.38L1.05 -.34L.45 .15L.65 .89L0 .47L-.65 .89L-.45 .15L-1.05 -.34L-.28 -.38Z",
    "⬟": "M0 -1L.95 -.31L.59 .81H-.59L-.95 -.31Z",
    "✚": "M-.33 -.95H.33V-.33H.95V.33H.33V.95H-.33V.33H-.95V-.33H-.33Z",
    "✖": (
        "M-.9 -.45L-.45 -.9L0 -.45L.45 -.9L.9 -.45L.45 0"
        "L.9 .45L.45 .9L0 .45L-.45 .9L-.9 .45L-.45 0Z"
    ),
}

ACCENT = "#c2512f"
DAY = {"paper": "#f6f1e7", "ink": "#25221d", "accent": ACCENT}
NIGHT = {"paper": "#1d2126", "ink": "#e9e4d9", "accent": ACCENT}

#: The system's humanist sans for text, a serif for titles.
SANS = 'Seravek, "Gill Sans Nova", Ubuntu, Calibri, "DejaVu Sans", sans-serif'
SERIF = '"Iowan Old Style", "Palatino Linotype", Palatino, Georgia, "DejaVu Serif", serif'


def tokens(scope: str) -> str:
    """CSS that gives a drawing ``--k-paper`` and the like: the page's own tokens, or ours."""
    night = f"@media (prefers-color-scheme: dark) {{ {_aliases(scope, NIGHT)} }}"
    return f"{_aliases(scope, DAY)}\n{night}"


def _aliases(scope: str, colours: dict[str, str]) -> str:
    aliases = "; ".join(f"--k-{name}: var(--{name}, {c})" for name, c in colours.items())
    return f"{scope} {{ {aliases} }}"
