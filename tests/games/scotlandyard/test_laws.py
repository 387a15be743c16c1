"""The proof kit holds on both boards, and what everybody knows of Mr X is neither more nor less."""

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kostka.core.game import Game, Value
from kostka.core.rng import stream
from kostka.core.state import PUBLIC, State
from kostka.games.scotlandyard import game, grid
from kostka.games.scotlandyard.actions import DOUBLE, station_named
from kostka.games.scotlandyard.state import MR_X, UNKNOWN
from kostka.proof import drawings, laws
from kostka.proof.check import check
from kostka.proof.law import name_of
from kostka.proof.positions import follow


def fixed(one: Game, **values: Value) -> Game:
    """A game whose options have these values and no others."""
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
        fixed(game, edition="later", players=3),
        fixed(game, end="rounds22", doubles=8, black=0),
        fixed(grid, size=3, players=6),
    ],
    ids=["later edition", "many doubles", "crowd"],
)
def test_the_proof_kit_holds(one: Game):
    report = check(one, seed=1, positions=8)
    assert [failure for law in report.laws for failure in law.failures] == []
    idle = {law.name for law in report.laws if law.note}
    may_be = (
        drawings.choices_can_be_told_apart,
        drawings.cards_chosen_together_are_legal,
        laws.the_best_turn_is_the_best_of_all,
    )
    assert idle <= {name_of(law) for law in may_be}


# --- what everybody knows ---


def possible(state: State) -> set[int]:
    return set(np.flatnonzero(state.record.possible).tolist())


def alike(worlds: list[State], seen: int) -> dict[int, State]:
    """All worlds in which everybody would have seen this event and the game goes on, by station."""
    after = [
        follow(world, a)
        for world in worlds
        for a in world.legal_now()
        if world.seen(a, PUBLIC) == seen
    ]
    return {int(world.record.station[0]): world for world in after if not world.over}


@pytest.mark.parametrize(
    ("one", "options", "games"),
    [
        (game, {}, 3),
        (game, {"edition": "later", "players": 3}, 3),
        (game, {"starts": "random", "doubles": 8, "end": "rounds22", "black": 1}, 3),
        (grid, {}, 20),
        (grid, {"size": 3, "players": 5}, 20),
        (grid, {"size": 4, "players": 6, "surrounded": False, "reveal": 9}, 20),
    ],
)
def test_mr_x_can_be_exactly_where_he_would_have_been_seen_to_do_the_same(
    one: Game, options: dict[str, Any], games: int
):
    for seed in range(games):
        state, rng = one.new(seed, **options), random.Random(seed)
        worlds = [state]
        while not state.over:
            choice = state.legal_now()
            a = DOUBLE if DOUBLE in choice and rng.random() < 0.3 else rng.choice(choice)
            found = alike(worlds, state.seen(a, PUBLIC))
            state = follow(state, a)
            assert state.over or possible(state) == found.keys()
            worlds = list(found.values())


def position(one: Game, stations: list[str], **options: Any) -> State:
    """Mr X is to move; everybody knows where he is, the first of these stations."""
    state = one.new(1, players=len(stations), **options)
    s = state.record
    s.phase, s.turn = MR_X, 1
    s.station[: len(stations)] = [station_named(s, name) for name in stations]
    s.possible[:] = 0
    s.possible[s.station[0]] = 1
    return state


def test_a_pass_in_the_middle_of_a_double_move_tells_where_he_may_be():
    state = position(game, ["8", "199"])
    state.record.tickets[0] = (1, 1, 0, 0)
    state.apply("double").apply("taxi 18")
    assert possible(state) == {1, 18, 19}
    assert [state.text(a) for a in state.legal_actions] == ["pass"]
    state.apply("pass")
    assert possible(state) == {18, 19}  # there are buses at 1
    assert (state.mover, state.record.moves) == (1, 1)


def test_mr_x_stays_unseen_where_surrounding_does_not_count():
    state = position(grid, ["a1", "b1", "a2"], size=3, surrounded=False)
    assert [state.text(a) for a in state.legal_actions] == ["a1"]
    assert state.view().text(state.seen(state.legal_actions[0], PUBLIC)) == "moves"
    state.apply("a1")
    assert possible(state) == {0}
    assert state.apply("a1").returns == [0, 1, 1]


def test_everybody_sees_mr_x_when_the_game_is_over():
    state, rng = grid.new(1).settle(stream(1)), random.Random(1)
    assert state.view(1).record.station[0] == UNKNOWN
    while not state.over:
        state.apply(rng.choice(state.legal_actions))
    assert state.view(1).record.station[0] == state.record.station[0] != UNKNOWN
