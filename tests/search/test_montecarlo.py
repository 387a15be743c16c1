"""Monte Carlo search: sums by hand, luck that is shared, and that it can be run on."""

import importlib
import math
from pathlib import Path

import numpy as np
import pytest

from kostka.agents import Observation, make
from kostka.agents.session import Session
from kostka.core import rules
from kostka.core.errors import KostkaError
from kostka.core.game import game
from kostka.core.rng import stream
from kostka.core.state import State
from kostka.games.dicewars.rules import note_dice, note_owners
from kostka.search.montecarlo import MonteCarlo, steps

PUT, TAKE_0, TAKE_1, PASS = 0, 1, 2, 7


@pytest.fixture(scope="module")
def markers():
    patch = pytest.MonkeyPatch()
    patch.syspath_prepend(Path(__file__).parent)
    yield importlib.import_module("markers").game
    patch.undo()


@pytest.fixture
def row(markers) -> State:
    """Two cells; in hand a 1, in the bag a 2 and two 3s at most: luck has little to say."""
    state = markers.new(seed=1, cells=2)
    s = state.record
    s.bag[:] = [0, 1, 0, 0]
    s.tile, s.phase = 1, 1
    return state


def search(state, markers, evaluation="margin", policy="first", seed=1, **more) -> MonteCarlo:
    return MonteCarlo(
        state.view(state.mover),
        stream(seed),
        policy=markers.policies[policy],
        evaluation=markers.evaluations[evaluation],
        **more,
    )


def test_the_threshold_of_the_source_allows_fourteen_moves():
    assert steps(0.8, 0.05) == 14
    assert steps(0.5, 0.25) == 3
    assert steps(0.0, 0.05) == 1


def test_whole_turns_are_candidates(markers, row):
    assert search(row, markers).turns == [(0, PUT), (0, PASS), (1, PUT), (1, PASS)]
    assert search(row, markers, turn=1).turns == [(0,), (1,)]


def test_discounted_sums_by_hand(markers, row):
    """The other plays the first action: he lays the 2 on cell 0 and puts if nobody is there.

    Then the bag is empty and the game over: the margin of the searching player is its reward, and
    goes on counting three times: 1 + 1/2 + 1/4.
    """
    margin = {(0, PUT): 2, (0, PASS): -2, (1, PUT): 1 - 2, (1, PASS): -2}
    one = search(row, markers, gamma=0.5, gamma_t=0.25).run(8)
    assert one.weight == 1.75
    assert {t.turn: t.value for t in one.considered} == pytest.approx(
        {turn: 0.5 + m / 100 for turn, m in margin.items()}
    )
    # not staying, only the one move that there is counts
    short = search(row, markers, gamma=0.5, gamma_t=0.25, stay=False).run(8)
    assert {t.turn: t.value * 1.75 for t in short.considered} == pytest.approx(
        {turn: 0.5 + m / 100 for turn, m in margin.items()}
    )
    assert one.best_turn == short.best_turn == (0, PUT)


def test_every_position_on_the_way_counts_less_than_the_one_before(markers, row):
    """The bag holds a 2 and a 3: which comes first is luck, so the order is forced by height."""
    s = row.record
    s.bag[:] = [0, 0, 0, 2]
    # first: 4 on cell 0, put if free; then 4 on cell 1: put if free, else what comes first
    one = search(row, markers, gamma=0.5, gamma_t=0.5, stay=False).run(4)
    put = (4 - 0, 4 - 0)  # mine rises to 4, the other passes; I lay on cell 1 and put: 8 to 0
    assert one.weight == 1.5
    found = {t.turn: t.value * 1.5 for t in one.considered}
    assert found[0, PUT] == pytest.approx((0.5 + put[0] / 100) + 0.5 * (0.5 + 8 / 100))
    # (0, pass): the other has 4 on cell 0; I put on cell 1: 4 to 4
    assert found[0, PASS] == pytest.approx((0.5 - 4 / 100) + 0.5 * 0.5)
    # (1, put): 1 to 4; then the 4 goes on cell 1, where I stand: I take back the 4 and so am even
    assert found[1, PUT] == pytest.approx((0.5 - 3 / 100) + 0.5 * 0.5)
    # a sum cut by the number of turns is the first of its terms
    first = search(row, markers, gamma=0.5, gamma_t=0.5, rollout=1).run(4)
    assert first.weight == 1.0
    assert first.considered[0].value == pytest.approx(0.54)


def test_without_discount_only_the_end_counts(markers, row):
    row.record.bag[:] = [0, 0, 0, 2]
    found = {t.turn: t.value for t in search(row, markers).run(4).considered}
    assert found == pytest.approx({(0, PUT): 0.58, (0, PASS): 0.5, (1, PUT): 0.5, (1, PASS): 0.5})
    result = {t.turn: t.value for t in search(row, markers, evaluation="even").run(4).considered}
    assert result == {(0, PUT): 1.0, (0, PASS): 0.5, (1, PUT): 0.5, (1, PASS): 0.5}
    cut = {t.turn: t.value for t in search(row, markers, rollout=1).run(4).considered}
    assert cut[0, PUT] == pytest.approx(0.54) and cut[0, PASS] == pytest.approx(0.46)


@pytest.mark.parametrize("stay", [False, True])
def test_a_turn_that_ends_the_game_counts_as_it_ends(markers, row, stay):
    row.record.bag[:] = 0
    one = search(row, markers, gamma=0.5, gamma_t=0.25, stay=stay).run(4)
    times = 1.75 if stay else 1.0
    assert one.best_turn == (0, PUT)
    assert one.considered[0].value * 1.75 == pytest.approx(times * (0.5 + 1 / 100))


# --- luck ---


def test_all_candidates_meet_the_same_luck(markers):
    """The evaluation is a number that the order of the tiles alone makes."""
    state = markers.new(seed=1, cells=6, copies=4).settle(stream(4))
    for policy in ("first", "uniform"):
        same = search(state, markers, "luck", policy, rollout=3, seed=5)
        count = len(same.turns)
        same.run(20 * count)
        values = {one.value for one in same.considered}
        assert len(values) == 1 and same.considered[0].error > 0
        other = search(state, markers, "luck", policy, rollout=3, seed=5, same_luck=False)
        assert len({one.value for one in other.run(20 * count).considered}) == count > 4


def test_luck_differs_from_round_to_round(markers):
    state = markers.new(seed=1, cells=6, copies=4).settle(stream(4))
    one = search(state, markers, "luck", rollout=2)
    means = [one.run(len(one.turns)).considered[0].value for _ in range(6)]
    assert len(set(means)) == 6


def test_the_luck_of_playouts_is_as_likely_as_by_the_rules(markers):
    """Of three 1s and one 4 the 4 comes first in a quarter of the cases."""
    state = markers.new(seed=1, cells=1)
    s = state.record
    s.bag[:] = [3, 0, 0, 1]
    s.tile, s.phase = 1, 1
    one = search(state, markers, "margin", rollout=1, same_luck=False).run(8000)
    assert {t.visits for t in one.considered} == {4000}
    # whatever comes first, the 4 is the only tile that fits: 4 to 0 for who has put
    assert {t.turn: (t.value, t.error) for t in one.considered} == {
        (0, PUT): pytest.approx((0.54, 0.0), abs=1e-6),
        (0, PASS): pytest.approx((0.46, 0.0), abs=1e-6),
    }
    s.top[0], s.tile, s.bag[:] = 1, 2, [0, 0, 3, 1]
    half = search(state, markers, "margin", rollout=1).run(8000).considered[0]
    mean, chance = 0.5 + (0.75 * 3 + 0.25 * 4) / 100, 0.25
    assert half.turn == (0, PUT)
    assert half.error == pytest.approx(math.sqrt(chance * (1 - chance) / 4000) / 100, rel=0.1)
    assert abs(half.value - mean) < 4 * half.error


# --- running on ---


@pytest.mark.parametrize("same_luck", [False, True])
def test_running_on_is_the_same_as_running_once(markers, same_luck):
    state = markers.new(seed=2, cells=5).settle(stream(2))
    once, twice = (
        search(state, markers, policy="uniform", same_luck=same_luck, gamma=0.9) for _ in "12"
    )
    once.run(500)
    twice.slice = 3
    twice.run(7).run(1).run(492)
    assert once.considered == twice.considered
    assert once.simulations == 500
    visits = [one.visits for one in once.considered]
    assert max(visits) - min(visits) <= 1


def test_the_same_seed_finds_the_same_and_another_something_else(markers):
    state = markers.new(seed=2, cells=5).settle(stream(2))
    found = [
        search(state, markers, policy="uniform", seed=n).run(300).considered for n in (1, 1, 2)
    ]
    assert found[0] == found[1] != found[2]


def test_it_can_be_watched_and_stopped(markers):
    state = markers.new(seed=2, cells=5).settle(stream(2))
    seen = []
    one = search(state, markers).run_for(
        60.0, lambda s: seen.append(s.simulations) or len(seen) == 3
    )
    assert len(seen) == 3 and seen[-1] == one.simulations


def test_a_search_that_was_interrupted_can_be_run_on(markers):
    state = markers.new(seed=2, cells=5).settle(stream(2))
    once, broken = (search(state, markers, policy="uniform") for _ in "12")

    def interrupt(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken.run_for(60.0, interrupt)
    done = broken.simulations
    assert 0 < done < 5000
    assert broken.run(5000 - done).considered == once.run(5000).considered


def test_the_view_is_not_changed(markers):
    state = markers.new(seed=2, cells=5).settle(stream(2))
    one = search(state, markers)
    before = one.view.buffer.tobytes()
    one.keep(4).run(100)
    assert one.view.buffer.tobytes() == before


# --- fewer candidates ---


def test_the_best_by_a_first_opinion_are_kept(markers, row):
    one = search(row, markers)
    assert one.opinion().tolist() == pytest.approx([0.51, 0.5, 0.51, 0.5])
    one.keep(2).run(10)
    assert [(t.turn, t.visits) for t in one.considered] == [((0, PUT), 5), ((1, PUT), 5)]
    given = search(row, markers).keep(2, [0.1, 0.4, 0.2, 0.3]).run(10)
    assert {t.turn for t in given.considered} == {(0, PASS), (1, PASS)}
    with pytest.raises(KostkaError, match="at least one candidate is kept, not 0"):
        one.keep(0)


def test_halving_leaves_the_worse_half_out(markers, row):
    row.record.bag[:] = [0, 0, 0, 2]
    one = search(row, markers).think(80, halving=True)
    # two stages of 40: ten for each of four, then twenty for each of two
    assert [(t.turn, t.visits) for t in one.considered] == [
        ((0, PUT), 30), ((0, PASS), 30), ((1, PUT), 10), ((1, PASS), 10),
    ]  # fmt: skip
    assert one.best_turn == (0, PUT)
    timed = search(row, markers).think(0, seconds=0.02, halving=True)
    assert timed.considered[0].visits == timed.considered[1].visits
    assert timed.considered[1].visits > timed.considered[2].visits > 0


def test_playouts_are_shared_out_evenly_and_everything_is_played_once(markers, row):
    assert [t.visits for t in search(row, markers).think(10).considered] == [2, 2, 2, 2]
    assert [t.visits for t in search(row, markers).think(1).considered] == [1, 1, 1, 1]


def test_what_was_tried_unfolds_into_lines(markers, row):
    root = search(row, markers).run(40).unfold(1, widest=3)
    assert [one.text for one in root.below] == ["on 0 put", "on 1 put", "on 0 pass"]
    assert root.visits == 40 and root.more == 1
    assert search(row, markers).run(40).unfold(0).below == ()


# --- other games ---


def test_in_a_game_with_hidden_cards_single_decisions_are_tried():
    one = game("scotland-yard-grid")
    state = one.new(seed=1).settle(stream(1))
    view = state.view(state.mover)
    found = MonteCarlo(view, stream(1)).think(200).considered
    assert {t.turn for t in found} == {(a,) for a in view.legal_actions}


def test_it_sees_a_win_in_one():
    dicewars = game("dicewars")
    state = dicewars.new(seed=1, players=2, areas=8)
    s = state.record
    s.owner[:8], s.dice[:8] = 0, 8
    s.owner[3], s.dice[3] = 1, 1
    note_owners(s)
    note_dice(s)
    for spec in ("mc:simulations=300", "mc:simulations=300,gamma=0.8,eval=outlook"):
        agent = make(dicewars, spec)
        assert state.text(agent.act(state.view(0))).endswith(">3")
        assert agent.search.root[0].value > 0.8


# --- the agent ---

SPEC = "mc:simulations=300,policy=first,eval=margin"


def test_a_plan_is_carried_out_and_an_agent_made_anew_has_the_same(markers):
    state = markers.new(seed=3, cells=6, copies=3).settle(stream(3))
    mover = state.mover
    for spec in (SPEC, "mc:simulations=40,policy=uniform,eval=margin,gamma=0.7"):
        kept = Session(markers, make(markers, spec), mover, stream("seat"))
        kept.begin()
        first = kept.act(state.view(mover), 5)
        plan = kept.agent.plan
        assert plan[0] == first and len(plan) == 2
        after = state.copy().apply(first)
        event = Observation(mover, state.text(first), state.view(mover))
        fresh = Session(markers, make(markers, spec), mover, stream("seat"))
        fresh.begin()
        for session in (kept, fresh):
            session.observe(event)
            assert session.act(after.view(mover), 6) == plan[1]
            session.observe(Observation(rules.CHANCE, "tile 1"))
            assert session.agent.made == () == session.agent.plan


def test_after_a_decision_that_was_not_its_own_it_looks_again(markers):
    state = markers.new(seed=3, cells=6, copies=3).settle(stream(3))
    mover = state.mover
    agent = make(markers, SPEC)
    agent.begin(mover, stream(1))
    first = agent.act(state.view(mover))
    another = next(a for a in state.legal_actions if a != first)
    agent.observe(Observation(mover, state.text(another), state.view(mover)))
    after = state.copy().apply(another).view(mover)
    assert agent.act(after) in after.legal_actions


def test_simulations_are_counted_by_decision_or_by_move(markers, row):
    for per, visits in (("decision", 3), ("move", 12)):
        agent = make(markers, f"mc:simulations=12,policy=first,eval=margin,per={per}")
        agent.act(row.view(0))
        assert {t.visits for t in agent.search.considered} == {visits}
    kept = make(markers, "mc:simulations=12,policy=first,eval=margin,keep=2,halving=true")
    kept.act(row.view(0))
    assert [t.visits for t in kept.search.considered] == [6, 6]


def test_an_agent_by_turns_tells_what_it_considered(markers):
    state = markers.new(seed=3, cells=6).settle(stream(3))
    agent = make(markers, "turns:depth=2,luck=100")
    action = agent.act(state.view(state.mover))
    assert agent.search.root[0].action == action
    assert {one.action for one in agent.search.root} == set(state.legal_actions)
    assert np.all(np.diff([one.value for one in agent.search.root]) <= 1e-9)
