"""Search by whole turns, against a slow recursion and by hand."""

import importlib
from pathlib import Path

import numpy as np
import pytest

from kostka.core import rules
from kostka.core.game import game
from kostka.core.rng import below, stream
from kostka.core.state import CHANCE, OVER, State
from kostka.proof.laws import the_best_turn_is_the_best_of_all
from kostka.proof.positions import Position, TracedGame
from kostka.search import turns
from kostka.search.expectimax import Expectimax
from kostka.search.turns import Turns

ENUMERATE_ALL = 1 << 30
TWO = 2  # decisions of a turn in Markers


@pytest.fixture(scope="module")
def markers():
    patch = pytest.MonkeyPatch()
    patch.syspath_prepend(Path(__file__).parent)
    yield importlib.import_module("markers").game
    patch.undo()


def position(markers, seed: int, moves: int = 4, phase: str = "place", **options) -> State:
    """A position after some random moves, where somebody has to act in this phase."""
    state = markers.new(seed=seed, **options)
    rng = stream("markers", seed)
    state.settle(rng)
    while not state.over and (moves > 0 or state.phase != phase):
        actions = state.legal_actions
        state.apply(actions[below(rng, len(actions))]).settle(rng)
        moves -= 1
    return state if not state.over else position(markers, seed + 1000, 2, phase, **options)


def every_turn(one: np.ndarray) -> list[tuple[tuple[int, ...], np.ndarray]]:
    """All turns with the position after each, by recursion."""
    me, out = rules.mover(one[0]), np.empty(9000, np.int64)
    found = []
    for a in out[: rules.legal(one[0], out)].tolist():
        child = one.copy()
        rules.apply(child[0], a)
        if rules.mover(child[0]) == me:
            found += [((a, *rest), after) for rest, after in every_turn(child)]
        else:
            found.append(((a,), child))
    return found


def value(one, h, players, depth, me, maxn, settle) -> list[float]:
    """The values of a position for all players (for ``me`` in paranoid search), by recursion."""
    s, out, prob, gain = one[0], np.empty(64, np.int64), np.empty(64), np.zeros(players)
    mover = rules.mover(s)
    if mover == OVER:
        rules.reward(h[0], s, gain)
        return list(gain)
    if depth == 0 and (mover != CHANCE or not settle):
        return [rules.evaluate(h[0], s, p) for p in range(players)]
    if mover == CHANCE:
        parts = []
        k = rules.chance(s, out, prob)
        for a, p in zip(out[:k].tolist(), prob[:k].tolist(), strict=True):
            child = one.copy()
            rules.apply(child[0], a)
            parts.append((p, value(child, h, players, depth, me, maxn, settle)))
        return [sum(p * v[i] for p, v in parts) for i in range(players)]
    children = [value(a, h, players, depth - 1, me, maxn, settle) for _, a in every_turn(one)]
    if maxn:
        return max(children, key=lambda v: round(v[mover], 11))
    best = max if mover == me else min
    return [best(v[me] for v in children)] * players


# --- listing turns ---


def test_all_turns_are_listed_in_the_order_of_their_decisions(markers):
    for seed in range(10):
        for phase in ("place", "mark"):
            state = position(markers, seed, phase=phase, players=3, cells=5)
            listed = Turns(markers, TWO)
            assert listed.find(state.buffer, markers.evaluations["margin"]) == listed.count
            assert listed.found == [turn for turn, _ in every_turn(state.buffer)]
            assert len({len(turn) for turn in listed.found}) == 1
            assert len(listed.found[0]) == (TWO if phase == "place" else 1)


def test_turns_may_be_cut_after_some_decisions(markers):
    state = position(markers, 1)
    listed = Turns(markers, 1)
    listed.find(state.buffer, markers.evaluations["margin"])
    assert listed.found == [(a,) for a in state.legal_actions]


def test_too_many_turns_are_listed_by_their_first_decisions(markers, monkeypatch):
    state = position(markers, 1)
    whole = Turns(markers, 8)
    whole.rows = whole.rows[:1]  # they do not find room at first
    whole.find(state.buffer, markers.evaluations["margin"])
    assert whole.found == [turn for turn, _ in every_turn(state.buffer)]
    short = Turns(markers, 8)
    short.rows = short.rows[:1]
    monkeypatch.setattr(turns, "MOST", len(whole.found) - 1)
    short.find(state.buffer, markers.evaluations["margin"])
    assert short.found == [(a,) for a in state.legal_actions]


# --- values ---


@pytest.mark.parametrize("settle", [False, True])
@pytest.mark.parametrize("maxn", [False, True])
@pytest.mark.parametrize(("players", "name"), [(2, "margin"), (3, "margin"), (2, "luck")])
def test_it_finds_the_values_that_recursion_finds(markers, players, name, maxn, settle):
    h = markers.evaluations[name]
    for seed in range(6):
        for phase in ("place", "mark"):
            state = position(markers, seed, phase=phase, players=players)
            me = state.mover
            for depth in (1, 2):
                search = Expectimax(
                    state.view(me), stream(1), evaluation=h, maxn=maxn, luck=ENUMERATE_ALL,
                    turn=TWO, settle=settle, prune=False,
                )  # fmt: skip
                assert search.run(depth)
                found = {one.turn: one.value for one in search.considered}
                wanted = {
                    turn: value(after, h, players, depth - 1, me, maxn, settle)[me]
                    for turn, after in every_turn(state.buffer)
                }
                assert found == pytest.approx(wanted, abs=1e-9)
                assert search.best == max(wanted, key=lambda turn: round(wanted[turn], 9))[0]


@pytest.mark.parametrize("players", [2, 4])
def test_a_turn_deep_is_as_good_as_its_decisions_deep(markers, players):
    """Two turns of two decisions each are four decisions, with the luck after the last."""
    h = markers.evaluations["margin"]
    for seed in range(8):
        state = position(markers, seed, players=players)
        view = state.view(state.mover)
        by_turns = Expectimax(view, stream(1), evaluation=h, maxn=True, luck=1000, turn=TWO)
        by_decisions = Expectimax(view, stream(1), evaluation=h, maxn=True, luck=1000)
        by_turns.run(2)
        by_decisions.run(4)
        assert by_turns.best == by_decisions.best
        wanted = {one.action: one.value for one in by_decisions.root}
        assert {one.action: one.value for one in by_turns.root} == pytest.approx(wanted)


def test_in_dice_wars_luck_ends_a_turn_and_decisions_are_turns():
    one = game("dicewars")
    state = one.new(seed=3, players=2, areas=8)
    view = state.view(state.mover)
    found = []
    for turn in (1, 16):
        search = Expectimax(view, stream(1), luck=1000, turn=turn)
        search.run(2)
        found.append((search.considered, search.visited))
    assert found[0] == found[1]


def test_the_games_own_best_turn_gives_the_same_and_less_is_searched(markers):
    for seed in range(20):
        state = position(markers, seed, players=2 + seed % 3, cells=6)
        found, visited = [], []
        for name, short in (("margin", True), ("quick", False), ("quick", True)):
            search = Expectimax(
                state.view(state.mover), stream(1), evaluation=markers.evaluations[name],
                maxn=True, luck=1000, turn=TWO, settle=False, short=short,
            )  # fmt: skip
            search.run(2)
            found.append({one.turn: one.value for one in search.considered})
            visited.append((search.best, search.visited))
        assert found[0] == found[1] == pytest.approx(found[2])
        assert visited[0] == visited[1]
        assert visited[2][0] == visited[0][0] and visited[2][1] < visited[0][1]


def test_the_best_turn_of_the_game_is_the_first_of_the_best(markers):
    h, out = markers.evaluations["quick"], np.empty(markers.width, np.int64)
    for seed in range(30):
        state = position(markers, seed, players=3, cells=6)
        before = state.buffer.tobytes()
        turn, gain = np.zeros(turns.LONGEST, np.int64), np.zeros(3)
        many = rules.best_turn(h[0], state.record, turn, gain, out)
        assert state.buffer.tobytes() == before
        every = every_turn(state.buffer)
        worth = [value(after, h, 3, 0, 0, True, False) for _, after in every]
        best = max(range(len(every)), key=lambda i: worth[i][state.mover])
        assert tuple(turn[:many]) == every[best][0]
        assert gain.tolist() == worth[best]


def test_the_law_about_best_turns_is_kept(markers):
    for seed in range(10):
        state = position(markers, seed, players=2 + seed % 3, cells=5)
        line = TracedGame(markers, dict(state.options), seed)
        found = list(the_best_turn_is_the_best_of_all(Position(state, line, 0)))
        assert found == [True, True, True]


def test_outcomes_that_leave_nothing_to_do_are_followed_by_the_next(markers):
    """Of three tiles two fit nowhere; whoever draws them draws again, until the last ends it."""
    state = markers.new(seed=1, cells=1)
    s = state.record
    s.bag[:] = [2, 0, 0, 1]  # two tiles of height 1, one of height 4
    s.top[0], s.tile, s.phase = 1, 2, 1  # in hand one of height 2, on a cell of height 1
    search = Expectimax(
        state.view(0), stream(1), evaluation=markers.evaluations["margin"], maxn=True,
        luck=1000, turn=TWO,
    )  # fmt: skip
    search.run(2)
    put, leave = (0, 0), (0, 7)
    # who puts a marker has it raised to 4 by the other, who can only pass: 4 to 0 in the end
    # who passes leaves the cell to the other's marker, also 4 points
    assert {one.turn: one.value for one in search.considered} == pytest.approx(
        {put: 0.5 + 4 / 100, leave: 0.5 - 4 / 100}
    )
    assert search.root[0].turn == put


def test_the_last_of_a_chain_is_the_end_of_the_game(markers):
    state = markers.new(seed=1, cells=1)
    s = state.record
    s.bag[:] = [3, 1, 0, 0]
    s.top[0], s.tile, s.phase = 1, 2, 1
    search = Expectimax(
        state.view(0), stream(1), evaluation=markers.evaluations["margin"], turn=TWO, luck=1000
    )
    search.run(3)
    assert search.root[0].value == pytest.approx(0.5 + 2 / 100)


def test_of_equals_the_first_is_taken(markers):
    state = markers.new(seed=1, cells=6)
    s = state.record
    s.owner[:3], s.top[:3] = 0, 4
    s.tile, s.phase, s.last = 2, 2, 4
    s.top[4], s.owner[4] = 2, 1
    view = state.view(0)
    search = Expectimax(
        view, stream(1), evaluation=markers.evaluations["margin"], turn=TWO, settle=False
    )
    search.run(1)
    assert [view.text(one.action) for one in search.considered] == [
        "take 0", "take 1", "take 2", "pass",
    ]  # fmt: skip
    assert len({one.value for one in search.considered}) == 1


def test_luck_beyond_the_limit_is_sampled_and_the_same_seed_samples_the_same(markers):
    state = position(markers, 3, copies=4)
    view, h = state.view(state.mover), markers.evaluations["margin"]
    few = [Expectimax(view, stream(n), evaluation=h, turn=TWO, luck=2) for n in (1, 1, 2)]
    for search in few:
        search.run(2)
    whole = Expectimax(view, stream(1), evaluation=h, turn=TWO, luck=1000)
    whole.run(2)
    assert few[0].considered == few[1].considered
    assert few[0].visited < whole.visited
    assert few[0].considered != few[2].considered


def test_a_search_by_turns_in_slices_is_the_same_as_in_one(markers, monkeypatch):
    from kostka.search import expectimax

    state = position(markers, 5, players=3)
    found = []
    for size in (7, 1 << 40):
        monkeypatch.setattr(expectimax, "SLICE", size)
        search = Expectimax(state.view(state.mover), stream(1), maxn=True, luck=3, turn=TWO)
        search.run(3)
        found.append((search.considered, search.visited))
    assert found[0] == found[1]


def test_lines_of_whole_turns_add_up(markers):
    state = position(markers, 2)
    search = Expectimax(
        state.view(state.mover), stream(1), evaluation=markers.evaluations["margin"],
        maxn=True, luck=1000, turn=TWO, prune=False,
    )  # fmt: skip
    search.run(2)
    root = search.unfold(3, widest=100)
    assert [one.text for one in root.below] == [
        " ".join(texts(state, one.turn)) for one in search.considered
    ]
    assert [one.value for one in root.below] == pytest.approx(
        [one.value for one in search.considered]
    )
    for line in root.below:
        if line.below and line.below[0].chance:
            mean = sum(one.chance * one.value for one in line.below)
            assert line.value == pytest.approx(mean)


def texts(state, turn):
    now = state.copy()
    for action in turn:
        yield now.text(action)
        now.apply(action)
