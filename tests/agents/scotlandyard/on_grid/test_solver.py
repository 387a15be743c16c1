"""Agents that play the solution of the grid, and the Mr X who is hard to catch."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from kostka.agents import make
from kostka.agents.lessons import play
from kostka.agents.scotlandyard.on_grid.ours import elusive, solved, suspects
from kostka.agents.scotlandyard.on_grid.ours.elusive import Elusive
from kostka.agents.scotlandyard.on_grid.ours.exact import Exact
from kostka.agents.scotlandyard.on_grid.ours.grid import Known, Yard
from kostka.agents.scotlandyard.on_grid.ours.solver import (
    Solver,
    Unbeatable,
    draw,
    stations,
    trails,
)
from kostka.core.errors import KostkaError
from kostka.core.rng import stream
from kostka.games.scotlandyard import game, grid
from kostka.games.scotlandyard.actions import station_of
from kostka.search.zerosum import one_point

SMALL = Yard(size=3, detectives=2, rounds=5, reveal=3)


def new(yard, seed):
    options = dict(size=yard.size, rounds=yard.rounds, reveal=yard.reveal)
    return grid.new(seed=seed, players=1 + yard.detectives, **options).settle(stream(seed))


def seated(kind, seed, players=3):
    agents = [kind(grid) for _ in range(players)]
    for seat, agent in enumerate(agents):
        agent.begin(seat, stream(seed, seat))
    return agents


# --- detectives who slip ---


class Never(Elusive):
    slip = 0.0


class Always(Elusive):
    slip = wild = 1.0


def test_what_mr_x_and_slipping_detectives_are_sure_of_is_the_same():
    yard = Yard(size=3, detectives=1, rounds=4, reveal=3)
    low, high = Elusive(yard).value()
    assert low == pytest.approx(high, abs=1e-9)
    assert 0 < low < Exact(yard).value()[0] - 0.05


def test_detectives_who_never_slip_are_the_exact_ones():
    yard = Yard(size=3, detectives=1, rounds=4, reveal=3)
    assert Never(yard).value() == pytest.approx(Exact(yard).value(), abs=1e-9)


def test_detectives_who_go_anywhere_are_met_by_the_best_answer_to_them():
    """From the centre they take one of four ways; Mr X beside it must step into a corner and is
    safe, in a corner he must step beside it."""
    yard = Yard(size=3, detectives=1, rounds=1, reveal=2)
    assert Always(yard).start((4,)) == pytest.approx((1 / 8, 1 / 8))
    near = Yard(size=3, detectives=1, rounds=1, reveal=1)
    assert Always(near).start((4,)) == pytest.approx((1 / 8, 1 / 8))
    assert Exact(near).start((4,))[0] == pytest.approx(1 / 2)


def test_who_slips_goes_after_his_guess_or_anywhere():
    yard = Yard(size=3, detectives=1)
    solution = Never(yard, solved={left: np.zeros((2, yard.positions + 1)) for left in range(15)})
    chances = dict(zip(yard.replies((4,)), solution.tendency(1, (4,), (2,)), strict=True))
    wild = elusive.WILD / 4
    near = (1 - elusive.WILD) / 2 + wild
    assert chances == pytest.approx({(1,): near, (5,): near, (3,): wild, (7,): wild})


def test_slipping_in_a_matrix_game():
    """Matching pennies, but the second player shows heads in half of all cases at least."""
    payoff = csr_array(np.array([[1.0, 0.0], [0.0, 1.0]]))
    slips = np.array([1.0, 0.0])
    found = elusive.solve(payoff, one_point(2), one_point(2), slips, 0.75)
    assert found.low == pytest.approx([0, 1])
    assert found.high == pytest.approx([0.75, 0.25])
    assert (found.at_least, found.at_most) == pytest.approx((0.25, 0.25))


# --- how agents know what a plan depends on ---


@pytest.mark.parametrize("yard", [SMALL, Yard(size=4, detectives=2, rounds=6, reveal=3)])
def test_agents_know_how_the_detectives_have_come(yard):
    """Who has seen all his views remembers it; who sees but one finds ways that fit the view."""
    rng, remembered = np.random.default_rng(1), 0
    for seed in range(12):
        agents, s = seated(Unbeatable, seed), new(yard, seed)
        began = {}
        while not s.over:
            r = s.view(s.mover).record
            turn = int(r.turn)
            began.setdefault(turn, stations(r))
            shown = r.piece > 0 and yard.shows(turn)
            over = turn - 1 if shown else (turn - 1) // yard.reveal * yard.reveal
            at = turn if shown else over
            truth = tuple(began[t] for t in range(over + 1, turn + 1))
            known = agents[s.mover].know(yard, r)
            assert known == Known(turn, int(r.seen[at - 1]) if at else None, truth)
            ways = trails(yard, r, over, shown)
            assert truth in ways
            assert Unbeatable(grid).know(yard, r).trail in ways
            remembered += len(ways) > 1
            s.apply(int(rng.choice(s.legal_actions)))
    assert remembered > 20


def test_unbeatable_players_get_the_value_of_the_game():
    yard = Yard(size=3, detectives=1, rounds=5, reveal=3)
    value, games = Exact(yard).value()[0], 200
    won = 0.0
    for seed in range(games):
        agents, s = seated(Unbeatable, seed, players=2), new(yard, seed)
        while not s.over:
            s.apply(agents[s.mover].act(s.view(s.mover)))
        won += s.returns[1]
    assert won / games == pytest.approx(value, abs=4 * (value * (1 - value) / games) ** 0.5)


def test_draws_follow_the_chances():
    rng = stream(1)
    found = [draw({"a": 0.75, "b": 0.0, "c": 0.25}, rng) for _ in range(400)]
    assert found.count("a") == pytest.approx(300, abs=40)
    assert "b" not in found


# --- what is stored ---


def test_the_stored_tables_are_those_of_the_code():
    how = json.loads(Path(solved.FOLDER, "solved.json").read_text())
    slips = {"slip": elusive.SLIP, "wild": elusive.WILD, "into habits": elusive.Familiar.slip}
    assert how["slips"] == slips
    assert how["values"]["exact"]["6"] == pytest.approx(0.5776, abs=1e-4)
    assert how["values"]["exact"]["9"] == pytest.approx(0.9241, abs=1e-4)
    assert how["widest bounds"]["exact"] < 1e-9
    assert max(how["widest bounds"].values()) < 1e-6


@pytest.mark.parametrize("rounds", [6, 15])
@pytest.mark.parametrize("kind", solved.KINDS)
def test_stored_values_follow_from_one_another(kind, rounds):
    """Some positions of every table, solved anew from the tables of what comes after."""
    yard = Yard(rounds=rounds)
    solution, rng = solved._solved(kind, yard), np.random.default_rng(rounds)
    for _ in range(5):
        x, *detectives = map(int, rng.choice(yard.cells, 3, replace=False))
        over = int(rng.choice(range(3, rounds, 3)))
        low, high = np.broadcast_to(solution._open(over, x, tuple(detectives)), 2)
        stored = solution.open[over][0, yard.code(x, tuple(detectives))]
        assert (low, high) == pytest.approx((stored, stored), abs=1e-6)


def test_fifteen_rounds_are_a_sure_win_of_the_solver():
    for seed in range(3):
        agents, s = seated(Solver, seed), new(Yard(), seed)
        while not s.over:
            s.apply(agents[s.mover].act(s.view(s.mover)))
        assert s.returns[0] == 0


def test_what_is_too_large_is_said_clearly():
    with pytest.raises(KostkaError, match="3, 6, 9, 12 and 15 rounds"):
        solved.exact(Yard(rounds=7))
    with pytest.raises(KostkaError, match="takes too long"):
        make(grid, "solver").act(new(Yard(size=6), 1).view(0))
    with pytest.raises(KostkaError, match="not of scotland-yard"):
        Unbeatable(game)


# --- detectives who are recognised ---


def hunted(hunters, seed, mr_x="random"):
    """A game on the grid: the position at the beginning of each round, and where Mr X then went."""
    agents = [make(grid, mr_x), make(grid, hunters), make(grid, hunters)]
    for s, action in play(grid, grid.check({}), agents, seed).decisions():
        if s.mover == 0:
            yield s.copy(), station_of(action)


@pytest.mark.parametrize("version", suspects.VERSIONS)
def test_where_alphabeta_goes_is_foretold_from_where_it_saw_mr_x(version):
    rounds = 0
    for seed in range(12):
        found = None
        for s, to in hunted(f"alphabeta:version={version}", seed):
            turn, here = int(s.record.turn), stations(s.record)
            found = found or suspects.Suspects(Yard(), s.buffer)
            known = found.shown is not None
            found.watch(turn, here)
            if known and version in found.right:
                rounds += 1
                assert found.right[version] == turn - 3
            if turn % 3 == 0:
                found.show(turn, to, here)
    assert rounds > 30


def test_others_are_not_taken_for_alphabeta():
    taken = games = 0
    for seed in range(12):
        found = None
        for s, to in hunted("random", seed):
            turn, here = int(s.record.turn), stations(s.record)
            found = found or suspects.Suspects(Yard(), s.buffer)
            found.watch(turn, here)
            if turn % 3 == 0:
                found.show(turn, to, here)
            taken += turn == 6 and any(n >= suspects.CONFIRMED for n in found.right.values())
            games += turn == 6
    assert games >= 6
    assert taken <= 1


def test_a_way_out_is_one_on_which_the_suspect_does_not_catch_mr_x():
    escaped = tried = 0
    for seed in range(30):
        trusted = last = None
        for s, _ in hunted("alphabeta:version=2", seed, "solver"):
            last = s
            trusted = trusted or int(s.record.turn) >= 6
        if trusted:
            tried += 1
            escaped += int(last.record.turn) == 15
    assert tried >= 10
    assert escaped >= 0.8 * tried


def test_a_line_that_is_blocked_cannot_be_followed():
    yard = Yard()
    assert suspects.follow(yard, ((7, 11),), 0, (6, 12)) == (7, 11)
    assert suspects.follow(yard, ((12, 11),), 0, (7, 12)) is None  # the second is still there
    assert suspects.follow(yard, ((7, 11),), 1, (6, 12)) is None
