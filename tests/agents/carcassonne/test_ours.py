"""Our player of Carcassonne: what it expects, how it decides, and how it learns."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from kostka.agents import make
from kostka.agents.carcassonne import LEVELS, ours
from kostka.agents.session import Session, observation
from kostka.cli import app, load
from kostka.core import rules
from kostka.core.errors import KostkaError
from kostka.core.game import game
from kostka.core.rng import stream
from kostka.games.carcassonne.prospects import WIDTH, expected
from kostka.table.think import hinter

GAME = game("carcassonne")
load()


def position(moves, seed=1, **options):
    """A position of a greedy game, with a tile to lay."""
    s, luck, out = GAME.new(seed=seed, **options), stream(seed), np.empty(GAME.width, np.int64)
    for _ in range(2 * moves):
        s.settle(luck)
        s.apply(int(rules.policy(GAME.policies["greedy"][0], s.record, out, luck)))
    return s.settle(luck)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_it_plays_whole_turns_with_any_number_of_players(players):
    agent = make(GAME, "ours:simulations=16,keep=4")
    s, luck = position(70, players=players), stream(players)
    session = Session(GAME, agent, s.mover, luck.copy())
    session.begin()
    for events in range(2):
        code = session.act(s.view(s.mover), events)
        session.observe(observation(s, code, session.seat))
        s.apply(code)
    assert agent.search.root[0].visits >= 1 and s.phase in ("draw", "over")


def test_one_made_anew_within_a_turn_goes_on_with_it():
    s = position(74)
    first, second = (make(GAME, "ours:simulations=16,keep=4") for _ in range(2))
    for agent in (first, second):
        agent.begin(s.mover, stream("same"))
    lay = first.act(s.view(s.mover))
    for agent in (first, second):
        agent.observe(observation(s, lay, s.mover))
    s.apply(lay)
    assert first.act(s.view(s.mover)) == second.act(s.view(s.mover))


@pytest.mark.parametrize("players", [2, 4])
def test_what_is_expected_is_the_points_and_the_weights_of_what_is_seen(players):
    h = ours.learnt()
    s = position(30, players=players).record
    seen = np.zeros(WIDTH)
    for p in range(players):
        assert rules.features(h[0], s, p, seen) == WIDTH
        wanted = s.points[p] + h["weights"][0][players] @ seen
        assert float(expected(h[0], s, p)) == pytest.approx(wanted)


@pytest.mark.parametrize("players", [2, 3])
def test_the_most_promising_turn_is_found_by_peeking(players):
    h, out = ours.learnt(), np.empty(GAME.width, np.int64)
    s = position(40, players=players)
    me, best, choice = s.mover, -1e9, None
    for a in s.legal_actions:
        laid = s.copy().apply(a)
        for b in laid.legal_actions:
            after = laid.copy().apply(b).record
            # Whose turn it is next is the same after all of them.
            totals = [float(expected(h[0], after, p)) for p in range(players)]
            if sum(totals[me] - t for t in totals) > best + 1e-9:
                best, choice = sum(totals[me] - t for t in totals), (a, b)
    turn, gain = np.zeros(16, np.int64), np.zeros(players)
    assert rules.best_turn(h[0], s.record, turn, gain, out) == 2
    assert tuple(turn[:2]) == choice
    after = s.copy().apply(choice[0]).apply(choice[1]).record
    assert gain == pytest.approx([float(rules.evaluate(h[0], after, p)) for p in range(players)])


def test_every_level_is_an_agent_and_ours_gives_hints():
    for spec in LEVELS.values():
        make(GAME, spec)
    assert hinter(GAME).startswith("ours:seconds=")


def test_a_budget_is_needed_and_the_weights_must_be_of_this_size():
    with pytest.raises(KostkaError, match="ours needs a budget: simulations or seconds"):
        make(GAME, "ours:simulations=0")
    with pytest.raises(KostkaError, match=f"the weights for 2 players are 1, not {WIDTH}"):
        ours.guess({"2": [1.0]})


def test_the_lesson_gives_the_same_bytes_again(tmp_path):
    made = []
    for _ in range(2):
        file = tmp_path / "prospects.json"
        line = ["learn", "carcassonne", "prospects", "--games", "16", "--seed", "3", "--out"]
        done = CliRunner().invoke(app, [*line, str(file)])
        assert done.exit_code == 0, done.output
        made.append(file.read_bytes())
    assert made[0] == made[1]
    first = json.loads(made[0])
    assert {*first["by players"]} == {"2", "3", "4", "5"}
    assert first["spread"]["2"][1] < first["spread"]["2"][0]
    assert ours.guess(first["by players"])["weights"].shape == (1, 6, WIDTH)
