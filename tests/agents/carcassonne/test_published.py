"""The thesis's players of Carcassonne, against what they should be by hand and by trying all."""

import json

import numpy as np
import pytest
from byhand import OPEN_SEA, begin

from kostka.agents import make
from kostka.agents.carcassonne.published import learning
from kostka.agents.session import Session, observation
from kostka.core import rules
from kostka.core.errors import KostkaError
from kostka.core.game import game
from kostka.core.kernels import kernel
from kostka.core.memory import floats
from kostka.core.rng import stream
from kostka.games.carcassonne.potential import (
    CONSTANTS,
    INPUTS,
    SUMS,
    TERRAIN,
    TERRAINS,
    by_hand,
    describe,
    formula,
    look_round,
)
from kostka.games.carcassonne.rules import root, worth
from kostka.games.carcassonne.state import GRASSLAND, MAX_REGIONS, MOUNTAIN, SEA
from kostka.search.expectimax import Expectimax
from kostka.table.think import asked

GAME = game("carcassonne")

#: A mountain on the south side, sea around it, and a city between them.
ISLE = {
    "sides": [0, 0, 1, 0],
    "regions": ["sea", "mountain"],
    "touching": [[0, 1]],
    "cities": [[0, 1]],
}


def positions(seed, every, most, **options):
    """Some positions of a greedy game in which a player is to move."""
    s, luck, out = GAME.new(seed=seed, **options), stream(seed), np.empty(GAME.width, np.int64)
    policy, found = GAME.policies["greedy"][0], 0
    for n in range(GAME.length):
        if s.settle(luck).over or found == most:
            return
        if n % every == 0:
            found += 1
            yield s.copy()
        s.apply(int(rules.policy(policy, s.record, out, luck)))


# --- searches ---


@pytest.mark.parametrize("players", [2, 3, 5])
def test_one_turn_deep_it_chooses_as_greedy_does(players):
    """The last turn apart: the search knows how the game is counted then."""
    deep, greedy = make(GAME, "expectiminimax:depth=1"), make(GAME, "greedy:ties=first")
    for s in positions(players, 7, 20, players=players):
        if s.record.left > 0:
            view = s.view(s.mover)
            assert view.text(deep.act(view)) == view.text(greedy.act(view))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("margin", {"players": 2}),
        ("margin", {"players": 3, "equal": True}),
        ("margin", {"players": 2, "unplaceable": "return"}),
        ("prospects", {"players": 2}),
    ],
)
def test_best_replies_found_by_peeking_are_those_found_by_trying_all(name, options):
    """On tiles of which few are left, so that all can be tried."""
    from kostka.agents.carcassonne.ours import learnt

    h = learnt() if name == "prospects" else GAME.evaluations[name]
    s = begin(ISLE, ISLE, OPEN_SEA, count=3, **options)
    luck = stream("replies")
    while not s.settle(luck).over:
        found = []
        for short in (True, False):
            search = Expectimax(
                s.view(s.mover), stream(1), evaluation=h, maxn=True, luck=1 << 16, turn=2,
                settle=False, short=short, prune=False,
            )  # fmt: skip
            search.run(2)
            found.append(search)
        quick, slow = ({one.turn: one.value for one in search.considered} for search in found)
        assert quick == pytest.approx(slow, abs=1e-9)
        assert found[0].considered[0].turn == found[1].considered[0].turn
        s.apply(found[0].best)


@pytest.mark.parametrize("players", [2, 3])
def test_in_the_middle_of_a_game_it_chooses_what_trying_everything_finds(players):
    """On all tiles: about a million positions two turns deep."""
    for s in positions(players, 34, 4, players=players):
        view = s.view(s.mover)
        slow = Expectimax(
            view, stream(1), evaluation=GAME.evaluations["margin"], maxn=True, luck=1 << 16,
            turn=2, settle=False, short=False, prune=False,
        )  # fmt: skip
        slow.run(2)
        assert make(GAME, "expectiminimax").act(view) == slow.best


def test_a_search_by_potential_plays():
    s = next(positions(3, 1, 1))
    s.apply(make(GAME, "greedy").act(s.view(s.mover)))
    view = s.view(s.mover)
    assert make(GAME, "expectiminimax:depth=1,leaf=potential").act(view) in view.legal_actions


@pytest.mark.parametrize("spec", ["random", "greedy", "potential", "mc:simulations=20"])
@pytest.mark.parametrize("players", [2, 5])
def test_everybody_plays_legally(spec, players):
    for s in positions(players, 31, 4, players=players):
        view = s.view(s.mover)
        assert make(GAME, spec).act(view) in view.legal_actions


# --- the potential ---


@kernel
def inputs(s, r, row):
    sums = floats(SUMS)
    look_round(s, sums)
    describe(s, r, sums, row)


def described(s, terrain):
    """What the formula takes in of the only region of a terrain, and what it makes of it."""
    r = int(np.flatnonzero(s.record.kind[: s.record.regions] == terrain)[0])
    row = np.zeros(INPUTS)
    inputs(s.record, r, row)
    return row.tolist(), float(formula(by_hand()["constants"][0], row))


def test_the_potential_of_an_isle_is_as_by_hand():
    """Four tiles are left, two for each player; three of them fit the cell in the south."""
    s = begin(ISLE, ISLE, OPEN_SEA, count=3)
    s.record.bag[2], s.record.left = 1, 4
    # A city on each isle: one on each tile with a mountain, and 4 on the 7 tiles with sea.
    row, found = described(s, MOUNTAIN)
    closes = 1 - 0.25**2
    assert row == pytest.approx([1, 1, 0, 0, closes, closes, 0, 1, 0, MOUNTAIN])
    assert found == pytest.approx((1 + closes) * (1 + closes * 1))
    # All four tiles fit each of the three other cells, but there are not enough of them.
    row, found = described(s, SEA)
    assert row == pytest.approx([1, 1, 0, 0, 0, 3, 0, 4 / 7, 0, SEA])
    assert found == pytest.approx(1 + 3 * 4 / 7)


def test_the_mover_gets_the_best_free_region_and_the_other_player_the_next():
    s = begin(ISLE, ISLE, OPEN_SEA, count=3)
    s.record.bag[2], s.record.left = 1, 4
    mountain, sea = described(s, MOUNTAIN)[1], described(s, SEA)[1]
    plain = float(rules.evaluate(by_hand(weighted=False)[0], s.record, 0))
    assert plain == pytest.approx(0.5 + (mountain - sea) / 2000)
    weighted = float(rules.evaluate(by_hand(weighted=True)[0], s.record, 0))
    assert weighted == pytest.approx(0.5 + abs(0.75 * mountain - sea) / 2000)


def test_a_closed_region_counts_twice_and_nothing_is_to_come():
    s = begin(ISLE, ISLE, OPEN_SEA, count=3, small="closed")
    s.apply("b").apply("0,1/2").apply("pass")
    last = int(root(s.record, s.record.first[s.record.last] + 1))
    row = np.zeros(INPUTS)
    inputs(s.record, last, row)
    assert row[:6].tolist() == [2, 2, 0, 1, 0, 0]
    assert float(formula(by_hand()["constants"][0], row)) == 4 == worth(s.record, last)


def test_potential_takes_the_first_best_of_all_turns():
    h, out = by_hand(), np.empty(GAME.width, np.int64)
    for s in positions(8, 26, 3):
        if s.phase != "place" or s.record.left == 0:
            continue
        best, choice = -1.0, None
        for a in s.legal_actions:
            laid = s.copy().apply(a)
            for b in laid.legal_actions:
                after = laid.copy().apply(b)
                found = float(rules.evaluate(h[0], after.record, s.mover))
                if found > best + 1e-12:
                    best, choice = found, a
        assert int(rules.policy(h[0], s.record, out, stream(1))) == choice


def test_constants_can_be_set_by_hand():
    agent = make(GAME, "potential:bM_sea=0.5,weighted=false")
    assert agent.policy["weighted"][0] == 0
    assert agent.policy["constants"][0][SEA].tolist()[:6] == [0, 1, 0, 1, 0.5, 0]
    assert agent.policy["constants"][0][GRASSLAND].tolist()[:6] == [1, 0, 0, 1, 0, 0]


# --- the learner ---


def some_rows(count):
    rng = np.random.default_rng(1)
    rows = rng.uniform(0, 2, (count, INPUTS))
    rows[:, TERRAIN] = rng.integers(0, 3, count)
    return rows, rng.uniform(0, 9, count), rng.uniform(-1, 1, (3, CONSTANTS))


def test_the_slope_of_the_error_is_the_one_by_finite_differences():
    rows, targets, constants = some_rows(12)
    _, slope = learning.look(constants, rows, targets)
    for k in range(3):
        for i in range(CONSTANTS):
            step = np.zeros_like(constants)
            step[k, i] = 1e-6
            above = learning.look(constants + step, rows, targets)[0]
            below = learning.look(constants - step, rows, targets)[0]
            assert slope[k, i] == pytest.approx((above - below) / 2e-6, abs=1e-5)


def play(learner, seed, tiles=None):
    """A game of a learner against greedy; it is told of everything."""
    s = begin(ISLE, ISLE, OPEN_SEA, count=6) if tiles else GAME.new(seed=seed)
    luck = stream(seed)
    seats = [Session(GAME, learner, 0, stream(seed, 0)), Session(GAME, "greedy", 1, stream(seed))]
    for seat in seats:
        seat.begin()
    events = 0
    while not s.over:
        code = s.draw(luck) if s.mover < 0 else seats[s.mover].act(s.view(s.mover), events)
        seats[0].observe(observation(s, code, 0))
        s.apply(code)
        events += 1
    seats[0].end(s.returns)
    return s


def test_a_learner_learns_from_a_game_and_what_it_saves_can_be_loaded():
    learner = make(GAME, "potential-learning")
    end = play(learner, 1)
    rows, about = np.concatenate(learner.rows), np.concatenate(learner.about)
    assert about.max() < MAX_REGIONS
    targets = np.array([worth(end.record, root(end.record, r)) for r in about], float)
    before = learning.look(by_hand()["constants"][0], rows, targets)[0]
    after = learning.look(learner.potential["constants"][0], rows, targets)[0]
    assert after < before and learner.games == 1
    other = make(GAME, "potential-learning")
    other.load(learner.save())
    assert other.save() == learner.save()
    again = make(GAME, "potential-learning")
    play(again, 1)
    assert again.save() == learner.save()


def test_constants_are_written_to_a_file_and_read_from_it(tmp_path):
    kept = tmp_path / "constants.json"
    learner = make(GAME, f"potential-learning:write={kept}")
    play(learner, 2, tiles=True)
    assert kept.read_bytes() == learner.save() and [*tmp_path.iterdir()] == [kept]
    assert make(GAME, f"potential-learning:read={kept}").save() == learner.save()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\xff", "holds no constants of potential-learning"),
        (b"[]", "holds no constants of potential-learning"),
        (b'{"games": 1, "constants": {"sea": [1]}}', "holds no constants of potential-learning"),
        (
            json.dumps({"games": 1, "constants": {t: [1, 2] for t in TERRAINS}}).encode(),
            "must hold 17 constants of each terrain",
        ),
        (
            json.dumps({"games": -1, "constants": {t: [1] * 17 for t in TERRAINS}}).encode(),
            "holds constants or games that are not numbers",
        ),
        (b" " * (1 << 17), "is larger than any file of constants"),
    ],
)
def test_a_file_that_holds_no_constants_is_refused(tmp_path, content, why):
    file = tmp_path / "bad.json"
    file.write_bytes(content)
    with pytest.raises(KostkaError, match=why):
        make(GAME, f"potential-learning:read={file}")


def test_a_file_that_cannot_be_read_or_written_is_refused(tmp_path):
    with pytest.raises(KostkaError, match=r"none\.json cannot be read: No such file"):
        make(GAME, f"potential-learning:read={tmp_path}/none.json")
    learner = make(GAME, f"potential-learning:write={tmp_path}/none/constants.json")
    with pytest.raises(KostkaError, match="cannot be written: No such file"):
        play(learner, 2, tiles=True)


@pytest.mark.parametrize("given", ["read=constants.json", "write=constants.json"])
def test_nobody_at_a_table_names_a_file(given):
    with pytest.raises(KostkaError, match="names a file, which nobody may do at a table"):
        asked(GAME, f"potential-learning:{given}")
    assert asked(GAME, "potential-learning:steps=5") == "potential-learning:steps=5"


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("expectiminimax:depth=4", "depth must be a whole number from 1 to 3, not 4"),
        ("expectiminimax:leaf=none", "leaf must be one of greedy, potential"),
        ("greedy:ties=last", "ties must be one of first, most, closed"),
        ("potential:aV_sea=x", "aV_sea must be a number"),
        ("potential-learning:learning_rate=0", "learning_rate must be a number"),
    ],
)
def test_parameters_are_refused_in_a_sentence(spec, why):
    with pytest.raises(KostkaError, match=why):
        make(GAME, spec)
