"""Expectimax against a slow recursion that is plainly right."""

import importlib
from pathlib import Path

import numpy as np
import pytest

from kostka.core import rules
from kostka.core.game import game
from kostka.core.record import new, record
from kostka.core.rng import below, stream
from kostka.core.state import CHANCE, OVER, State
from kostka.games.dicewars.rules import note_dice, note_owners
from kostka.search.expectimax import Expectimax

ENUMERATE_ALL = 1 << 30
dicewars = game("dicewars")
SEED = dicewars.evaluations["seed"]

#: A heuristic that is sure of the other's cards.
Sure = record("test.sure", rank="i8")


def position(seed: int, players: int, moves: int = 2) -> State:
    """A position of a small board after some random moves, with a choice to make."""
    state = dicewars.new(seed=seed, players=players, areas=8)
    rng = stream("test", seed)
    while moves > 0 or len(state.legal_actions) < 3:
        actions = state.legal_actions
        if state.over:
            return position(seed + 1000, players)
        state.apply(actions[below(rng, len(actions))])
        state.settle(rng)
        moves -= 1
    return state


def value(one: np.ndarray, players: int, depth: int, me: int, maxn: bool) -> list[float]:
    """The values of a position for all players (for ``me`` in paranoid search), by recursion."""
    s, out, prob, gain = one[0], np.empty(9000, np.int64), np.empty(64), np.zeros(players)
    mover = rules.mover(s)

    def after(action: int, left: int) -> list[float]:
        child = one.copy()
        rules.apply(child[0], action)
        return value(child, players, left, me, maxn)

    if mover == OVER:
        rules.returns(s, gain)
        return list(gain)
    if mover == CHANCE:
        k = rules.chance(s, out, prob)
        parts = [(p, after(a, depth)) for a, p in zip(out[:k], prob[:k], strict=True)]
        return [sum(p * v[i] for p, v in parts) for i in range(players)]
    if depth == 0:
        return [rules.evaluate(SEED[0], s, p) for p in range(players)]
    children = [after(a, depth - 1) for a in out[: rules.legal(s, out)]]
    if maxn:
        return max(children, key=lambda v: v[mover])
    best = max if mover == me else min
    return [best(v[me] for v in children)] * players


@pytest.mark.parametrize("maxn", [False, True])
@pytest.mark.parametrize(("players", "seed"), [(2, 0), (2, 1), (3, 2)])
def test_it_finds_the_value_that_recursion_finds(players, seed, maxn):
    state = position(seed, players)
    me = state.mover
    expected = value(state.buffer, players, 2, me, maxn)[me]
    for prune in (False, True):
        search = Expectimax(
            state.view(me), stream(1), evaluation=SEED, maxn=maxn, luck=ENUMERATE_ALL, prune=prune
        )
        assert search.run(2)
        assert search.root[0].value == pytest.approx(expected, abs=1e-9)


def test_pruning_searches_less_and_finds_the_same():
    state = position(4, 2)
    plain, pruned = (
        Expectimax(
            state.view(state.mover), stream(1), evaluation=SEED, luck=ENUMERATE_ALL, prune=prune
        )
        for prune in (False, True)
    )
    plain.run(2)
    pruned.run(2)
    assert pruned.best == plain.best
    assert pruned.root[0].value == pytest.approx(plain.root[0].value, abs=1e-9)
    assert pruned.visited < plain.visited


def test_a_beam_looks_only_at_the_most_promising_actions():
    state = position(2, 2)
    view = state.view(state.mover)
    search = Expectimax(view, stream(1), evaluation=SEED, beam=2)
    search.run(1)
    priors = {a: rules.prior(SEED[0], view.record, a) for a in view.legal_actions}
    considered = {one.action for one in search.root}
    assert len(considered) == 2
    assert min(priors[a] for a in considered) >= sorted(priors.values())[-2] - 1e-12


def test_luck_beyond_the_limit_is_sampled():
    state = dicewars.new(seed=3, players=2)
    view = state.view(state.mover)
    few, many = (
        Expectimax(view, stream(1), evaluation=SEED, luck=luck, prune=False) for luck in (2, 200)
    )
    few.run(1)
    many.run(1)
    assert few.visited < many.visited
    end = {one.action: one.value for one in many.root}
    for one in few.root:
        assert one.value == pytest.approx(end[one.action], abs=0.05)


def test_deepening_stops_in_time_and_keeps_the_last_finished_depth():
    import time

    state = dicewars.new(seed=1, players=3)
    search = Expectimax(state.view(state.mover), stream(1), evaluation=SEED)
    search.run(1)
    began = time.perf_counter()
    search.run_for(0.3)
    assert time.perf_counter() - began < 1.5
    assert search.depth >= 1
    assert search.best in state.legal_actions


def test_a_search_in_slices_is_the_same_as_in_one(monkeypatch):
    from kostka.search import expectimax

    state = position(5, 2)
    found = []
    for size in (7, 1 << 40):
        monkeypatch.setattr(expectimax, "SLICE", size)
        search = Expectimax(state.view(state.mover), stream(1), evaluation=SEED, luck=4)
        search.run(2)
        found.append((search.root, search.visited))
    assert found[0] == found[1]


def test_a_certain_win_is_taken():
    state = dicewars.new(seed=1, players=2, areas=8)
    s = state.record
    s.owner[:8] = 0
    last = 0
    s.owner[last] = 1
    s.dice[:8] = 8
    s.dice[last] = 1
    note_owners(s)
    note_dice(s)
    for maxn in (False, True):
        search = Expectimax(state.view(0), stream(1), evaluation=SEED, maxn=maxn)
        search.run(1)
        assert state.text(search.best).endswith(f">{last}")
        assert search.root[0].value > 0.99


def test_only_the_frames_that_a_depth_needs_are_filled():
    state = position(2, 2)
    search = Expectimax(state.view(state.mover), stream(1), evaluation=SEED)
    used = []
    for depth in (1, 2):
        search.run(depth)
        used.append(int(search.settings["ready"][0]))
        assert all(one["areas"] == 8 for one in search.states[: used[-1]])
        assert not search.states[used[-1] :].tobytes().strip(b"\0")
    assert 1 < used[0] < used[1] < 32


def test_what_is_hidden_is_guessed_as_the_heuristic_holds_it_likely(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "core")
    cards = importlib.import_module("cardgame.rules")

    def guess(h, s, viewer, rng):
        for p in range(s.players):
            if p != viewer:
                s.hands[p, h.rank] = s.held[p]
                s.deck[h.rank] -= s.held[p]

    def evaluate(h, s, player):
        return 0.5

    rules.guess.method(Sure, cards.State)(guess)
    rules.evaluate.method(Sure, cards.State)(evaluate)
    state = importlib.import_module("cardgame").game.new(seed=1, players=2).settle(stream(1))
    for rank in (0, 3):
        search = Expectimax(state.view(0), stream(1), evaluation=new(Sure, rank=rank))
        search.run(1)
        assert search.states[0].hands[1].tolist() == [2 * (r == rank) for r in range(4)]
