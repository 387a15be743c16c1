"""Monte Carlo tree search: bookkeeping, resuming, limits, and that it finds good moves."""

import time

import numpy as np
import pytest

from kostka.core import rules
from kostka.core.errors import KostkaError
from kostka.core.game import game
from kostka.core.kernels import kernel
from kostka.core.record import new, record
from kostka.core.rng import stream
from kostka.games.dicewars.rules import ODDS, note_dice, note_owners
from kostka.search.mcts import Mcts, appraise

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
    before = view.buffer.tobytes()
    Mcts(view, stream(1)).run(200)
    assert view.buffer.tobytes() == before


def test_a_full_tree_stops_growing_and_the_search_goes_on(view):
    search = Mcts(view, stream(1), nodes=100, luck=2).run(10)
    assert not search.full
    search.run(990)
    assert search.nodes == 100 and search.full
    assert search.iterations == 1000
    assert search.best in view.legal_actions


def test_the_best_action_is_the_most_visited(view):
    search = Mcts(view, stream(1)).run(400)
    assert search.best == max(search.root, key=lambda one: one.visits).action


def test_it_sees_a_win_in_one(view):
    state = dicewars.new(seed=1, players=2, areas=8)
    s = state.record
    s.owner[:8], s.dice[:8] = 0, 8
    s.owner[3], s.dice[3] = 1, 1
    note_owners(s)
    note_dice(s)
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
    search = Mcts(view, stream(1), rollout=0, guide=dicewars.evaluations["seed"]).run(200)
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


# What the search was before it knew of priors, histories and spreads, with the luck of Dice Wars 2.
BEFORE = {
    1: (201, [(1689, 13, 12), (1740, 13, 11), (1303, 11, 9)], 31, 3710446578566010743),
    2: (201, [(1033, 17, 12), (1106, 15, 11), (525, 14, 9)], 23, 13477380369119167382),
    3: (201, [(1803, 17, 8), (529, 15, 7), (201, 14, 6)], 21, 16569377277503494843),
}


@pytest.mark.parametrize("seed", BEFORE)
def test_a_plain_search_is_the_one_it_was(seed):
    state = dicewars.new(seed=seed, players=2)
    search = Mcts(state.view(state.mover), stream(seed), plain=True).run(200)
    root = [(one.action, one.visits, round(one.value * one.visits, 9)) for one in search.root]
    assert (search.nodes, root[:3], len(root), int(search.rng[0])) == BEFORE[seed]


# --- progressive history ---


def below(search, here):
    child, found = int(search.tree["first"][here]), []
    while child:
        found.append(child)
        child = int(search.tree["next"][child])
    return found


@pytest.mark.parametrize("luck", [0, 2])
def test_the_history_table_is_what_actions_brought_in_the_whole_tree(view, luck):
    search = Mcts(view, stream(1), history=3.0, luck=luck).run(600)
    expected = np.zeros_like(search.history_table)
    for node in search.tree[1 : search.nodes]:
        if node.mover >= 0:
            expected[node.mover, node.action] += node.value, node.visits
    assert search.history_table == pytest.approx(expected)
    assert search.history_table[..., 1].sum() >= 600
    assert sum(one.visits for one in search.root) == 600


def test_history_makes_another_search_and_its_lack_takes_no_memory(view):
    plain, guided = (Mcts(view, stream(1), history=h).run(300) for h in (0.0, 5.0))
    assert plain.root != guided.root
    assert plain.history_table.size == 0


def test_what_was_good_elsewhere_is_tried_first_here(view):
    # Two actions have each been tried once here without success; elsewhere one was famous.
    good, bad, *_ = view.legal_actions
    counts = {}
    for famous in (good, bad):
        search = Mcts(view, stream(1), c=0.0, history=5.0)
        search.run(len(view.legal_actions))
        search.tree["value"][1 : search.nodes] = 0.0
        search.history_table[..., 0] = 0.0
        search.history_table[view.mover, famous, 0] = search.history_table[view.mover, famous, 1]
        search.run(1)
        counts[famous] = {one.action for one in search.root if one.visits == 2}
    assert counts == {good: {good}, bad: {bad}}


# --- trust in a prior ---

Promise = record("test_mcts.promise", action="i8", log="f8")


@rules.prior.method(Promise)
def promise(h, s, a):
    return h.log if a == h.action else 0.0


@rules.evaluate.method(Promise)
def know_nothing(h, s, player):
    return 0.5


def trusting(view, action, log, seed=1, **rest):
    promised = new(Promise, action=action, log=log)
    return Mcts(view, stream(seed), guide=promised, **{"trust": 1.0, **rest})


def visits(search):
    return {one.action: one.visits for one in search.root}


def test_a_strong_promise_is_followed_at_first(view):
    for action in view.legal_actions[::6]:
        search = trusting(view, action, 6.0, trust=20.0).run(40)
        assert search.best == action
        assert visits(search)[action] > 25


def test_a_bad_promise_is_overcome():
    # The last round, and Mr X is beside the detective: whatever is no capture loses.
    state = game("scotland-yard-grid").new(seed=1, players=2)
    s = state.apply(state.outcomes[0][0]).record
    s.station[:2] = 12, 7
    s.phase, s.seat, s.piece, s.turn, s.moves, s.seen[14] = 2, 1, 1, 15, 15, 12
    s.possible[:] = 0
    s.possible[12] = 1
    assert state.legal_actions == [2, 6, 8, 12]
    search = trusting(state.view(1), 6, 4.0, trust=4.0)
    assert search.run(20).best == 6
    assert search.root[0].visits > 10
    assert search.run(1000).best == 12
    assert {one.action: one.value for one in search.root}.items() >= {6: 0.0, 12: 1.0}.items()


def test_actions_are_tried_by_their_share_of_all_promises(view):
    # All playouts are cut off and worth the same, so nothing but the promise counts.
    action = view.legal_actions[3]
    k = len(view.legal_actions)
    search = trusting(view, action, np.log(k - 1), rollout=0, trust=50.0).run(2000)
    found = visits(search)
    assert found.pop(action) == pytest.approx(1000, abs=30)
    assert len(found) == k - 1
    assert max(found.values()) - min(found.values()) <= 4


def test_without_a_promise_all_are_tried_alike(view):
    search = trusting(view, -1, 0.0, rollout=0).run(10 * len(view.legal_actions))
    assert set(visits(search).values()) == {10}


@pytest.mark.parametrize("luck", [0, 2])
def test_visits_of_a_trusting_search_add_up(view, luck):
    search = trusting(view, view.legal_actions[2], 1.0, luck=luck).run(800)
    tree = search.tree[: search.nodes]
    assert tree["visits"][0] == sum(visits(search).values()) == 800
    for here in range(1, search.nodes):
        children = below(search, here)
        if children and tree["mover"][here] >= 0:
            assert 0 <= tree["visits"][here] - tree["visits"][children].sum() <= 1
    assert (tree["value"] <= tree["visits"] + 1e-9).all()
    assert not search.marks.any()


def test_a_trusting_search_can_be_run_on(view):
    once = trusting(view, view.legal_actions[2], 1.0).run(300)
    assert trusting(view, view.legal_actions[2], 1.0).run(120).run(180).root == once.root


@pytest.mark.parametrize("nodes", [5, 100])
def test_a_trusting_search_goes_on_when_its_tree_is_full(view, nodes):
    search = trusting(view, view.legal_actions[2], 1.0, nodes=nodes, luck=2).run(1000)
    assert search.nodes == nodes
    assert search.iterations == sum(visits(search).values()) == 1000
    assert set(visits(search)) <= set(view.legal_actions)
    assert not search.marks.any()


def test_those_never_tried_need_not_be_looked_at_while_the_same_is_legal(view):
    once, again = (trusting(view, view.legal_actions[2], 1.0) for _ in range(2))
    once.run(300)
    for _ in range(300):
        again.tree["legal"] = 0  # so all of them are looked through
        again.run(1)
    assert once.tree["legal"].any()
    assert again.root == once.root and again.nodes == once.nodes


def test_what_is_legal_in_some_guesses_only_is_never_taken_in_others():
    # Detectives do not know where Mr X is, so what he may do differs from one guess to the next.
    state = game("scotland-yard-grid").new(seed=1, players=2).settle(stream(1))
    state.apply(state.legal_actions[0])
    search = trusting(state.view(state.mover), -1, 0.0).run(400)
    tree = search.tree[: search.nodes]
    assert (tree["visits"][1:] <= search.iterations).all() and search.iterations == 400
    assert not search.marks.any()


def test_what_was_never_tried_can_be_doubted(view):
    counts = [
        len(visits(trusting(view, -1, 0.0, rollout=0, doubt=doubt).run(40))) for doubt in (0.0, 5.0)
    ]
    assert counts[1] < counts[0] == min(40, len(view.legal_actions))


def test_heat_makes_a_prior_more_even(view):
    action, k = view.legal_actions[3], len(view.legal_actions)
    hot = trusting(view, action, np.log(k - 1), rollout=0, trust=50.0, heat=1e6).run(20 * k)
    assert visits(hot)[action] == pytest.approx(20, abs=1)
    cold = trusting(view, action, 1.0, rollout=0, trust=50.0, heat=0.05).run(20 * k)
    assert visits(cold)[action] > 19 * k


def test_halving_tries_the_most_promising_alike_and_then_their_better_half(view):
    favourite = view.legal_actions[3]
    search = trusting(view, favourite, 6.0, halving=4).think(240, 0.0)
    found = sorted(search.root, key=lambda one: -one.visits)
    assert [one.visits for one in found] == [90, 90, 30, 30]
    assert favourite in {one.action for one in found}
    assert min(one.value for one in found[:2]) >= max(one.value for one in found[2:]) - 0.2
    assert search.best == max(found[:2], key=lambda one: one.value).action


def test_halving_keeps_to_a_time_and_runs_out_of_nothing(view):
    search = trusting(view, -1, 0.0, halving=1000).think(0, 0.05)
    assert search.iterations >= 1 and search.best in view.legal_actions


def test_halving_needs_a_prior(view):
    with pytest.raises(KostkaError, match="trust"):
        Mcts(view, stream(1), halving=4)


# --- values at the leaves ---


def test_what_is_reckoned_for_all_at_once_is_what_each_is_told():
    out = np.zeros(4)  # as long as there are players
    for seed in range(5):
        state = dicewars.new(seed=seed, players=4)
        for name in ("outlook", "seed"):
            h = dicewars.evaluations[name][0]
            rules.evaluate_all(h, state.record, out)
            assert [*out] == [rules.evaluate(h, state.record, p) for p in range(4)]


def front():
    """Eight dice of the first player against one die, on a small board; his attack is declared."""
    state = dicewars.new(seed=1, players=2, areas=8)
    s = state.record
    i = next(int(i) for i in range(8) if s.owner[i] == 0)
    j = next(int(j) for j in range(8) if int(s.neighbours[i]) >> j & 1)
    s.owner[j] = 1
    s.dice[i], s.dice[j] = 4, 3
    note_owners(s)
    note_dice(s)
    return state, f"{i}>{j}"


def appraised(state, luck, guide="outlook", seed=1):
    """What a leaf of a search is worth to each player."""
    search = Mcts(state.view(0), stream(seed), luck=luck, guide=dicewars.evaluations[guide])
    leaf = state.buffer.copy()
    look(search.settings, leaf, search.guide, search.out, search.prob, search.gains, search.rng)
    return search.gains[0].copy()


@kernel
def look(settings, leaves, guides, out, prob, gains, rng):
    appraise(settings[0], leaves[0], guides[0], out, prob, gains, rng)


def worth(state):
    """The outlook of each player, by the mean over all luck that is due."""
    if state.mover == rules.CHANCE:
        return sum(p * worth(state.copy().apply(o)) for o, p in state.outcomes)
    h = dicewars.evaluations["outlook"][0]
    return np.array([rules.evaluate(h, state.record, p) for p in range(state.players)])


def test_a_declared_attack_is_worth_the_mean_over_winning_and_losing_it():
    state, attack = front()
    state.apply(attack)
    won, lost = (worth(state.copy().apply(outcome)) for outcome in ("win", "lose"))
    p = ODDS[4, 3]
    assert won[0] > lost[0]
    assert appraised(state, luck=2) == pytest.approx(p * won + (1 - p) * lost)


def test_luck_that_follows_on_luck_counts_by_its_mean_up_to_a_limit():
    state, _ = front()
    s = state.record
    s.dice[:8] = 8
    mine = [i for i in range(8) if s.owner[i] == 0]
    s.dice[mine[:2]] = 6, 7  # three dice fit, on one of two areas each until it is full
    note_dice(s)
    state.apply("end")
    assert s.placing == 3
    assert appraised(state, luck=8) == pytest.approx(worth(state))
    by_lot = {round(float(appraised(state, luck=0, seed=n)[0]), 12) for n in range(20)}
    assert len(by_lot) == 1  # it always ends with the same dice


def test_beyond_the_limit_luck_decides_and_the_mean_is_the_same():
    state, attack = front()
    state.apply(attack)
    by_lot = [appraised(state, luck=0, seed=n) for n in range(400)]
    assert len({tuple(values) for values in by_lot}) == 2
    assert np.mean(by_lot, axis=0) == pytest.approx(worth(state), abs=0.02)


def test_where_luck_is_not_due_a_leaf_is_what_the_evaluation_says():
    state, _ = front()
    assert appraised(state, luck=2) == pytest.approx(worth(state))


# --- exploration is on the scale of the values ---

Scaled = record("test_mcts.scaled", times="f8", plus="f8")


@rules.evaluate.method(Scaled)
def scaled_area_share(h, s, player):
    return h.plus + h.times * s.held[player] / s.areas


@rules.prior.method(Scaled)
def promise_of_a_code(h, s, a):
    return 0.001 * (a % 7)


@pytest.mark.parametrize("how", [{}, {"trust": 1.0}, {"luck": 2}], ids=str)
def test_the_choice_does_not_depend_on_the_scale_of_an_evaluation(view, how):
    found = []
    for times, plus in ((1.0, 0.0), (0.03125, 0.5), (64.0, -1024.0)):
        guide = new(Scaled, times=times, plus=plus)
        search = Mcts(view, stream(1), guide=guide, rollout=4, **how).run(600)
        found.append(visits(search))
    assert found[0] == found[1] == found[2]
    assert max(found[0].values()) > 2 * min(found[0].values())


def test_a_plain_search_does_depend_on_it(view):
    found = []
    for times in (1.0, 0.03125):
        guide = new(Scaled, times=times)
        search = Mcts(view, stream(1), guide=guide, rollout=4, plain=True).run(600)
        found.append(visits(search))
    assert found[0] != found[1]


def test_the_spread_is_twice_the_deviation_of_what_iterations_brought(view):
    search = Mcts(view, stream(1)).run(500)
    won = search.tree["value"][[one for one in below(search, 0)]].sum() / 500
    for spread, p in zip(search.spreads, (won, 1 - won), strict=True):
        assert (spread["seen"], spread["centre"]) == (500, pytest.approx(p))
        assert spread["squares"] / 500 == pytest.approx(p * (1 - p))
