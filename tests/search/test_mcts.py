"""Monte Carlo tree search: bookkeeping, resuming, limits, and that it finds good moves."""

import time

import numpy as np
import pytest

from kostka.core.game import game
from kostka.core.rng import stream
from kostka.search.mcts import Mcts

dicewars = game("dicewars")


@pytest.fixture
def view():
    state = dicewars.new(seed=1, players=2)
    return state.view(state.mover)


def test_visits_add_up_to_the_iterations(view):
    search = Mcts(view, stream(1)).run(500)
    assert search.iterations == 500
    assert sum(one.visits for one in search.root) == 500
    assert all(0.0 <= one.value <= 1.0 for one in search.root)
    assert {one.action for one in search.root} <= set(view.legal_actions)


@pytest.mark.parametrize("luck", [0, 2, 64])
def test_running_on_is_the_same_as_running_once(view, luck):
    once = Mcts(view, stream(3), luck=luck).run(300)
    twice = Mcts(view, stream(3), luck=luck).run(120).run(180)
    assert once.root == twice.root
    assert once.nodes == twice.nodes


def test_another_stream_gives_another_search(view):
    assert Mcts(view, stream(1)).run(300).root != Mcts(view, stream(2)).run(300).root


def test_the_view_is_not_changed(view):
    before = view.one.tobytes()
    Mcts(view, stream(1)).run(200)
    assert view.one.tobytes() == before


def test_a_full_tree_stops_growing_and_the_search_goes_on(view):
    search = Mcts(view, stream(1), nodes=100, luck=2).run(1000)
    assert search.nodes == 100
    assert search.iterations == 1000
    assert search.best in view.legal_actions


def test_the_best_action_is_the_most_visited(view):
    search = Mcts(view, stream(1)).run(400)
    assert search.best == max(search.root, key=lambda one: one.visits).action


def test_it_sees_a_win_in_one(view):
    state = dicewars.new(seed=1, players=2, areas=8)
    s = state.record
    s.owner[:8], s.dice[:8] = 0, 8
    s.held[0], s.held[1] = 7, 1
    s.owner[3], s.dice[3] = 1, 1
    search = Mcts(state.view(0), stream(1)).run(300)
    assert state.text(search.best).endswith(">3")
    assert search.root[0].value > 0.99


def test_time_is_kept(view):
    Mcts(view, stream(1)).run(1)
    search = Mcts(view, stream(1))
    began = time.perf_counter()
    search.run_for(0.2)
    spent = time.perf_counter() - began
    assert 0.19 < spent < 0.6
    assert search.iterations > 50


def test_it_can_be_watched_and_stopped(view):
    seen = []

    def watch(search):
        seen.append(search.iterations)
        return len(seen) == 3

    Mcts(view, stream(1)).run_for(30.0, watch)
    assert len(seen) == 3
    assert seen == sorted(seen)


def test_every_player_maximises_his_own_result():
    state = dicewars.new(seed=2, players=4)
    search = Mcts(state.view(0), stream(1)).run(400)
    tree = search.tree[: search.nodes]
    assert set(np.unique(tree["mover"][1:])) <= {-1, 0, 1, 2, 3}
    assert (tree["value"] <= tree["visits"] + 1e-9).all()


def test_a_short_rollout_is_evaluated(view):
    search = Mcts(view, stream(1), rollout=0, evaluation=dicewars.evaluations["seed"]).run(200)
    assert 0.2 < search.root[0].value < 0.9


def test_a_policy_for_playouts_can_be_chosen(view):
    found = [
        Mcts(view, stream(1), policy=dicewars.policies[name]).run(200).root
        for name in ("uniform", "stei")
    ]
    assert found[0] != found[1]


def test_a_search_takes_less_than_200_megabytes(view):
    search = Mcts(view, stream(1))
    buffers = [value for value in vars(search).values() if isinstance(value, np.ndarray)]
    assert sum(buffer.nbytes for buffer in buffers) < 200e6
