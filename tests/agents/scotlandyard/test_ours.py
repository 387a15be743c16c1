"""The guided tree searches of Scotland Yard: where Mr X tends to be, lessons, whole players."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from positions import detectives_to_move, guide, mr_x_to_move, random_games

from kostka.agents.lessons import games_of, lessons
from kostka.agents.scotlandyard import ours
from kostka.agents.scotlandyard.published import nijssen
from kostka.arena.referee import play_game
from kostka.core import rules
from kostka.core.errors import KostkaError
from kostka.core.rng import stream
from kostka.games.scotlandyard import game as london
from kostka.games.scotlandyard import grid, heuristics
from kostka.games.scotlandyard.actions import station_of
from kostka.games.scotlandyard.heuristics import ASSUMED, FEATURES, TOTAL, TRAITS, distances
from kostka.games.scotlandyard.state import UNKNOWN

KINDS = {**nijssen.KINDS, **ours.KINDS}


def agent(name, where=grid, **parameters):
    return KINDS[name].build(where, parameters, name)


# --- where Mr X tends to be ---


def test_stations_by_how_near_the_nearest_detective_is():
    s = detectives_to_move(4, 0, 12).record
    assert (nijssen.categories(s, "nearest").reshape(5, 5) + 1).tolist() == [
        [1, 1, 2, 3, 4],
        [1, 2, 1, 2, 3],
        [2, 1, 1, 1, 2],
        [3, 2, 1, 2, 3],
        [4, 3, 2, 3, 4],
    ]
    s.station[1:3] = 0, 1
    assert nijssen.categories(s, "nearest")[[17, 18, 24]].tolist() == [3, 4, 4]


def test_stations_by_how_near_detectives_are_on_average():
    s = detectives_to_move(4, 0, 12).record
    # Two or fewer are the first, six or more the last.
    assert (nijssen.categories(s, "mean").reshape(5, 5) + 2).tolist() == [
        [2, 2, 2, 3, 4],
        [2, 2, 2, 3, 4],
        [2, 2, 2, 3, 4],
        [3, 3, 3, 4, 5],
        [4, 4, 4, 5, 6],
    ]
    s.station[1:3] = 0, 1
    # 1.5, 2.5, 3.5 and 7.5: a half counts as the whole above.
    assert (nijssen.categories(s, "mean")[[2, 3, 4, 24]] + 2).tolist() == [2, 3, 4, 6]


def test_stations_by_what_runs_there():
    found = nijssen.categories(london.new(seed=1).record, "lines")
    # 108 and 115 have a ferry, which tells nothing.
    assert found[[8, 115, 3, 108, 1, 46]].tolist() == [0, 0, 1, 1, 2, 2]
    assert nijssen.categories(grid.new(seed=1).record, "lines").tolist() == [0] * 25


def test_categories_that_are_possible_as_one_number():
    s = detectives_to_move(4, 0, 12, possible=[4, 3, 24]).record
    _, open_, mask = nijssen.possible(s, "nearest")
    assert open_.tolist() == [False, False, True, True, False]
    assert mask == 4 + 8


TABLE = {
    "nearest": {
        "general": [[95, 15, 5, 45, 0], [9, 3, 4, 1, 0]],
        "detailed": {"12": [[0, 0, 15, 15, 0], [0, 0, 3, 11, 0]]},
    }
}


def test_a_station_is_as_likely_as_mr_x_was_found_in_its_category(monkeypatch):
    monkeypatch.setattr(nijssen, "learnt", lambda name: TABLE)
    s = detectives_to_move(4, 0, 12, possible=[4, 3, 24]).record
    general = np.array([0.1, 0.2, 0.5, 0.04, 0.2])  # as if each had been found once more
    found = nijssen.categories(s, "nearest")
    assert nijssen.likely(grid, s, "nearest", "general") == pytest.approx(general[found])
    detailed = nijssen.likely(grid, s, "nearest", "detailed")
    assert detailed[[3, 4, 24]] == pytest.approx([0.2, 0.6, 0.6])
    s.possible[2] = 1  # a combination never seen
    assert nijssen.likely(grid, s, "nearest", "detailed") == pytest.approx(general[found])


@pytest.mark.parametrize("where", [grid, london])
@pytest.mark.parametrize("by", nijssen.CATEGORIES)
def test_agents_hold_stations_for_as_likely_as_their_tables_say(where, by):
    tables = json.loads((nijssen.DATA / f"{where.name}.locations.json").read_text())[by]
    for s in itertools.islice(random_games(where, 3, players=3), 5, 90, 7):
        r = s.record
        if r.phase != 2:
            continue
        found, _, mask = nijssen.possible(r, by)
        for table in ("general", "detailed"):
            known = tables["detailed"].get(str(mask)) if table == "detailed" else None
            times, there = known or tables["general"]
            one = agent("mcts-nijssen", where, locations=by, table=table)
            chance = one.likely(s.view(1))
            expected = [(there[c] + 1) / (times[c] + 5) for c in found]
            assert chance == pytest.approx(expected)
    assert (agent("mcts-nijssen", where, locations="alike").likely(s.view(1)) == 1).all()


def test_the_table_of_games_is_what_can_be_counted_in_them():
    done = []
    made = nijssen.learn(grid, games_of(grid, ["random"], 8, 3, watch=done.append))
    assert done == list(range(1, 9))
    unseen = []  # where Mr X is, can be, and how far the detectives are, after hidden moves
    for s, _ in itertools.chain.from_iterable(
        example.decisions() for example in games_of(grid, ["random"], 8, 3)
    ):
        r = s.record
        if s.phase == "detectives" and s.mover == 1 and r.moves % 3:
            cells = [divmod(x, 5) for x in range(25)]
            posts = [cells[x] for x in r.station[1:3]]
            far = [[abs(a - c) + abs(b - d) for c, d in posts] for a, b in cells]
            near = [min(max(min(one), 1), 5) - 1 for one in far]
            mean = [min(max((sum(one) + 1) // 2, 2), 6) - 2 for one in far]
            where = [x for x in range(25) if r.possible[x]]
            unseen.append((int(r.station[0]), where, {"nearest": near, "mean": mean}))
    assert len(unseen) > 20
    for by in ("nearest", "mean"):
        seen = [({c[by][x] for x in where}, c[by][at]) for at, where, c in unseen]
        general = [
            [sum(c in open_ for open_, _ in seen) for c in range(5)],
            [sum(c == at for _, at in seen) for c in range(5)],
        ]
        assert made[by]["general"] == general
        assert np.sum(list(made[by]["detailed"].values()), axis=0).tolist() == general
        for mask, table in made[by]["detailed"].items():
            same = [at for open_, at in seen if sum(1 << c for c in open_) == int(mask)]
            assert sum(table[1]) == len(same)
            assert table[0] == [len(same) * (int(mask) >> c & 1) for c in range(5)]
    assert made["lines"]["general"] == [[len(unseen), 0, 0, 0, 0]] * 2
    assert nijssen.learn(grid, games_of(grid, ["random"], 8, 3)) == made
    assert nijssen.learn(grid, games_of(grid, ["random"], 8, 4)) != made


# --- lessons ---


class Obvious:
    """Mr X keeps as far away as he can; detectives go where he can be, at least on average."""

    def act(self, view):
        r, d = view.record, distances(view.record)
        places = np.flatnonzero(r.possible)

        def worth(a):
            to = station_of(a)
            far = -d[r.station[1 : r.pieces], to].mean() if view.seat == 0 else d[to, places].mean()
            return far, a

        return min(view.legal_actions, key=worth)


def test_the_outlook_is_learnt_from_how_games_end():
    examples = games_of(grid, [f"{__name__}:Obvious"], 100, 1)
    made = lessons(grid)["outlook"].learn(grid, examples)
    assert made["surprise"]["of these weights"] < 0.9 * made["surprise"]["knowing nothing"]
    assert made["features"] == list(FEATURES)
    for name in ("scotland-yard", "scotland-yard-grid"):
        stored = json.loads((Path(heuristics.__file__).parent / f"{name}.outlook.json").read_text())
        assert stored["surprise"]["of the outlook"] < 0.9 * stored["surprise"]["knowing nothing"]
        assert f"kostka learn {name} outlook" in stored["command"]


def test_the_prior_of_an_obvious_teacher_prefers_what_he_prefers():
    made = ours.learn(grid, games_of(grid, [f"{__name__}:Obvious"], 40, 1))
    for side in ("flight", "hunt"):
        surprise = made[f"{side} surprise"]
        assert len(made[side]) == TRAITS
        assert surprise["of the prior"] < 0.7 * surprise["of all alike"]
    weight, agreed, asked = np.array([made["flight"], made["hunt"]]), 0, 0
    for s in random_games(grid, 12):
        if s.mover >= 0 and len(s.legal_actions) > 1:
            h = guide(s, weight=weight)
            best = max(s.legal_actions, key=lambda a: rules.prior(h, s.record, a))
            r, d = s.record, distances(s.record)
            if s.mover == 0:
                far = [-d[r.station[1:3], a].mean() for a in s.legal_actions]
            else:
                far = [d[a, r.possible[:25] == 1].mean() for a in s.legal_actions]
            asked += 1
            agreed += far[s.legal_actions.index(best)] == min(far)
    assert asked > 100
    assert agreed > 0.85 * asked


@pytest.mark.parametrize("where", [grid, london])
def test_what_was_learnt_for_a_game_is_there(where):
    weight = ours.learnt(where.name)
    assert weight.shape == (2, TRAITS)
    assert np.isfinite(weight).all()
    for by in nijssen.CATEGORIES:
        times, there = np.array(nijssen.learnt(where.name)[by]["general"])
        assert (there <= times).all()
        assert there.sum() > 1000


# --- the players ---


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize(
    ("where", "options"),
    [
        (grid, {}),
        (grid, {"players": 2, "size": 3, "surrounded": False}),
        (london, {}),
        (london, {"players": 3, "edition": "later", "end": "rounds22"}),
    ],
)
def test_whole_games_end_by_the_rules(name, where, options):
    state = where.new(seed=1, **options)
    for seed in range(2):
        seats = [agent(name, where, iterations=30) for _ in range(state.players)]
        done = play_game(where, state.options, seats, seed)
        assert not done.faults
        assert sum(done.returns[:2]) == 1.0


@pytest.mark.parametrize("name", KINDS)
def test_detectives_take_a_catch_at_hand(name):
    seen = detectives_to_move(12, 7, 20)
    assert agent(name, iterations=300).act(seen.view(1)) == 12
    unseen = detectives_to_move(12, 7, 20, turn=4)
    assert agent(name, iterations=300).act(unseen.view(1)) == 12
    there = detectives_to_move(46, 1, 190, where=london)
    assert station_of(agent(name, london, iterations=300).act(there.view(1))) == 46


@pytest.mark.parametrize("name", KINDS)
def test_mr_x_steps_away_from_certain_capture(name):
    # He shows himself after this move: only at 17, or at 11, nobody is beside him.
    last, early = mr_x_to_move(12, 2, 14, 10, turn=15), mr_x_to_move(12, 7, 18, turn=6)
    for seed in range(3):
        for s, way_out in ((last, 17), (early, 11)):
            one = agent(name, iterations=600)
            one.begin(0, stream(seed))
            assert one.act(s.view(0)) == way_out


@pytest.mark.parametrize("name", KINDS)
def test_mr_x_expects_detectives_who_close_in_and_detectives_go_after_a_guess(name):
    for s, seat, how, epsilon in (
        (mr_x_to_move(12, 2, 24), 0, TOTAL, 0.15),
        (detectives_to_move(12, 2, 24), 1, ASSUMED, 0.35),
    ):
        one = agent(name, iterations=5, epsilon_flight=0.15, epsilon_hunt=0.35)
        one.act(s.view(seat))
        policy = one.search.policy[0]
        assert (policy.chase, policy.epsilon) == (how, epsilon)
        assert one.search.iterations == 5


@pytest.mark.parametrize("name", KINDS)
def test_the_same_seed_gives_the_same_game(name):
    options = grid.new(seed=1).options
    games = [
        play_game(grid, options, [agent(name, iterations=40) for _ in range(3)], seed)
        for seed in (5, 5, 6)
    ]
    codes = [one.codes.tolist() for one in games]
    assert codes[0] == codes[1] != codes[2]


@pytest.mark.parametrize("name", KINDS)
def test_a_search_needs_a_budget(name):
    with pytest.raises(KostkaError, match="iterations or seconds"):
        agent(name, iterations=0)
    one = agent(name, iterations=0, seconds=0.02)
    s = detectives_to_move(12, 7, 20)
    assert one.act(s.view(1)) in s.legal_actions
    assert one.search.iterations > 0


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("where", [grid, london])
def test_detectives_decide_the_same_wherever_mr_x_really_is(name, where):
    asked = 0
    for s in itertools.islice(random_games(where, 4, players=3), 6, 200, 11):
        if s.mover < 1 or len(s.legal_actions) < 2 or s.view(1).record.station[0] != UNKNOWN:
            continue
        found = set()
        for truth in np.flatnonzero(s.record.possible)[:12]:
            other = s.copy()
            other.record.station[0] = truth
            one = agent(name, where, iterations=25)
            one.begin(s.mover, stream("same"))
            found.add((one.act(other.view(s.mover)), *one.rng.tolist()))
        assert len(found) == 1
        asked += len(s.record.possible.nonzero()[0]) > 1
    assert asked >= 3


def test_there_is_nothing_to_search_where_there_is_no_choice():
    one = agent("mcts-nijssen")
    s = mr_x_to_move(0, 1, 24)
    assert one.act(s.view(0)) == 5
    assert one.search is None
