"""The proof kit holds on both boards, and what is hard about hiding: doubles and dead ends."""

from dataclasses import replace

import pytest

from kostka.core.check import check
from kostka.core.game import Game, Value
from kostka.core.rng import stream
from kostka.core.state import PUBLIC, State
from kostka.games.scotlandyard import game, grid


def fixed(one: Game, **values: Value) -> Game:
    """A game whose options can have these values only."""
    options = (
        replace(o, default=values[o.name], low=None, high=None, choices=(values[o.name],))
        if o.name in values
        else o
        for o in one.options
    )
    return replace(one, options=tuple(options))


@pytest.mark.parametrize(
    "one",
    [
        game,
        fixed(game, edition="later", players=3),
        fixed(game, end="rounds22", doubles=8, black=0),
        grid,
        fixed(grid, size=3, players=6),
        fixed(grid, surrounded=False, size=3, players=5),
    ],
    ids=["London", "later edition", "many doubles", "grid", "crowd", "crowd that may stay"],
)
def test_the_proof_kit_holds(one: Game):
    report = check(one, seed=1, positions=10)
    assert [failure for law in report.laws for failure in law.failures] == []
    idle = {law.name for law in report.laws if law.note}
    assert idle <= {"The drawing is well-formed, and the same for the same view."}
