"""The guided tree searches of Scotland Yard: playouts, guesses, what guides them, and lessons."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chisquare

from kostka.agents.scotlandyard import ismcts, locations, nijssen
from kostka.agents.scotlandyard.guided import board
from kostka.agents.scotlandyard.lessons import games_of
from kostka.arena.referee import play_game
from kostka.core import play, rules
from kostka.core.errors import KostkaError
from kostka.core.record import new
from kostka.core.rng import below, stream
from kostka.games.scotlandyard import game as london
from kostka.games.scotlandyard import grid, heuristics
from kostka.games.scotlandyard.actions import DOUBLE, PASS, kind_of, move_code, station_of
from kostka.games.scotlandyard.heuristics import (
    ASSUMED,
    FLIGHT,
    HUNT,
    TOTAL,
    TRAITS,
    Chase,
    Guide,
    distances,
)
from kostka.games.scotlandyard.state import BLACK, BUS, TAXI, UNDERGROUND, UNKNOWN

KINDS = {**nijssen.KINDS, **ismcts.KINDS}

# The grid of five by five, by cell:
#    0  1  2  3  4
#    5  6  7  8  9
#   10 11 12 13 14
#   15 16 17 18 19
#   20 21 22 23 24


def agent(name, where=grid, **parameters):
    return KINDS[name].build(where, parameters, name)


def detectives_to_move(mr_x, *detectives, turn=3, possible=None, where=grid, **options):
    """A position after Mr X's move; on the grid he shows himself at every third."""
    s = where.new(seed=1, players=1 + len(detectives), **options)
    s.apply(s.outcomes[0][0])
    r = s.record
    r.station[: 1 + len(detectives)] = mr_x, *detectives
    r.turn = r.moves = turn
    r.phase, r.seat, r.piece = 2, 1, 1
    r.log[:turn], r.seen[:turn] = 0, -1
    for slot in np.flatnonzero(r.reveal[:turn]):
        r.seen[slot] = mr_x
    r.possible[:] = 0
    r.possible[possible or [mr_x]] = 1
    return s


def mr_x_to_move(mr_x, *detectives, turn=4, **options):
    s = detectives_to_move(mr_x, *detectives, turn=turn - 1, **options)
    s.record.phase, s.record.seat, s.record.piece, s.record.turn = 1, 0, 0, turn
    return s


def random_games(where, games, **options):
    """Positions of games at random."""
    rng = stream("games", where.name, str(options))
    for seed in range(games):
        s = where.new(seed=seed, **options)
        yield s
        s.settle(rng)
        while not s.over:
            yield s
            s.apply(s.legal_actions[below(rng, len(s.legal_actions))])


def apart(s):
    return board(distances(s.record).tobytes())


def guide(s, **values):
    return new(Guide, distance=apart(s), **values)[0]


def chase(s, **values):
    return new(Chase, distance=apart(s), **values)[0]


def counts(drawn, among):
    """How often each came, and that nothing else did."""
    assert set(drawn) <= set(among)
    return [drawn.count(one) for one in among]


# --- guesses ---


def guesses(h, view, n=3000):
    rng, found = stream("guess"), []
    for _ in range(n):
        one = view.one.copy()
        rules.guess(h, one[0], view.seat, rng)
        found.append(int(one[0].station[0]))
    return found


def test_a_guess_takes_each_possible_station_by_its_chance():
    s = detectives_to_move(12, 0, 4, turn=4, possible=[6, 12, 16, 18])
    h = guide(s)
    h.chance[[6, 12, 16, 7]] = 1, 2, 5, 9  # 7 is not possible, 18 is without a chance
    found = counts(guesses(h, s.view(1)), [6, 12, 16])
    assert chisquare(found, np.array([1, 2, 5]) / 8 * sum(found)).pvalue > 0.001


def test_without_any_chance_all_possible_stations_are_alike():
    s = detectives_to_move(12, 0, 4, turn=4, possible=[6, 12, 16, 18])
    h = guide(s)
    h.chance[7] = 1
    assert chisquare(counts(guesses(h, s.view(1)), [6, 12, 16, 18])).pvalue > 0.001


def test_who_sees_mr_x_does_not_guess():
    s = detectives_to_move(12, 0, 4, turn=3, possible=[6, 12])
    h = guide(s)
    h.chance[6] = 1
    assert set(guesses(h, s.view(1), 20)) == {12}
    hidden = detectives_to_move(12, 0, 4, turn=4, possible=[6, 12])
    assert set(guesses(h, hidden.view(0), 20)) == {12}
    assert set(guesses(h, hidden.view(1), 20)) == {6}


def test_before_he_has_started_there_is_nobody_to_guess():
    s = grid.new(seed=1)
    assert set(guesses(guide(s, chance=np.ones(200)), s.view(1), 5)) == {UNKNOWN}


# --- playouts ---

OPTIONS = [
    (grid, {}),
    (grid, {"size": 3, "players": 4, "surrounded": False}),
    (grid, {"size": 4, "players": 6, "reveal": 2, "rounds": 20}),
    (london, {}),
    (london, {"players": 3, "tickets": "unlimited", "starts": "random", "black": 0}),
    (london, {"players": 3, "edition": "later"}),
    (london, {"players": 4, "edition": "later", "end": "rounds22", "doubles": 6}),
]


def played(function, s, policy, limit):
    """All that a playout makes of a position but for what others learn, and its random numbers."""
    one, rng = s.copy(), stream("play", s.hash)
    out, prob = np.zeros(s.game.width, np.int64), np.zeros(s.game.width)
    n = function(one.record, policy, out, prob, rng, limit)
    r = one.record
    ending = () if r.phase == 3 else (r.seat, r.half)
    return (
        (n, r.phase, r.won, r.turn, r.moves, r.doubles, r.piece, *ending),
        (r.station.tolist(), r.tickets.tolist(), rng.tolist()),
    ), one


@pytest.mark.parametrize(("where", "options"), OPTIONS)
def test_the_quick_playout_is_the_ordinary_one_from_the_same_numbers(where, options):
    ends, met, every = set(), set(), 7 if where is london else 3
    for number, s in enumerate(itertools.islice(random_games(where, 16, **options), 1200)):
        r = s.record
        if number % every and r.half == 0:
            continue
        met |= {("piece", int(r.piece)), ("half", int(r.half)), ("phase", int(r.phase))}
        for how, limit in ((ASSUMED, 1000), (TOTAL, 1000), (ASSUMED, 7)):
            policy = chase(s, epsilon=0.3, chase=how)
            quick, after = played(heuristics.play_on, s, policy, limit)
            plain, truth = played(play._play_on, s, policy, limit)
            assert quick == plain
            if how == TOTAL:
                assert after.one.tobytes() == truth.one.tobytes()
            if limit == 1000:
                ends.add((how, int(quick[0][2]), int(quick[0][3])))
            else:
                assert quick[0][0] == 7 or truth.over
    assert len(ends) > 5
    assert {how for how, won, _ in ends if won == 1} == {ASSUMED, TOTAL}
    if not options:
        assert {how for how, won, _ in ends if won == 0} == {ASSUMED, TOTAL}
    assert met >= {("phase", 0), ("phase", 1), *(("piece", n) for n in range(s.record.pieces))}
    if where is london:
        assert met >= {("half", 1), ("half", 2)}


def test_a_search_plays_out_by_the_quick_playout():
    s = detectives_to_move(12, 0, 4, turn=4, possible=[6, 12, 16, 18])
    policy = chase(s, epsilon=0.2, chase=ASSUMED)
    quick, after = played(play.playout, s, policy, 1000)
    assert quick == played(heuristics.play_on, s, policy, 1000)[0]
    assert (after.record.log[4:] == -1).all()  # the quick one keeps no log


def choices(function, s, n=300, **values):
    """How often each action is taken."""
    p, rng, out = chase(s, **values), stream("choices"), np.zeros(s.game.width, np.int64)
    found = {}
    for _ in range(n):
        k = rules.legal(s.record, out)
        a = int(function(p, s.record, out, k, rng))
        found[a] = found.get(a, 0) + 1
    return found


def test_mr_x_keeps_away_from_the_nearest_detective():
    assert set(choices(heuristics.keep_away, mr_x_to_move(12, 2, 15))) == {13}
    # From here only 7 is next to a detective; the others are all three moves away.
    tied = choices(heuristics.keep_away, mr_x_to_move(12, 2, 20), 900)
    assert set(tied) == {11, 13, 17}
    assert chisquare(list(tied.values())).pvalue > 0.001


def test_a_detective_goes_after_the_assumed_station():
    assert set(choices(heuristics.go_after, detectives_to_move(22, 7, 24))) == {12}
    tied = choices(heuristics.go_after, detectives_to_move(23, 7, 24), 900)
    assert set(tied) == {8, 12}
    assert chisquare(list(tied.values())).pvalue > 0.001


def test_a_detective_closes_in_on_all_stations_together():
    s = detectives_to_move(4, 7, 24, possible=[10, 22])  # he is at 4, which does not count
    assert set(choices(heuristics.close_in, s)) == {12}
    s = detectives_to_move(4, 7, 24, possible=[5, 9])
    tied = choices(heuristics.close_in, s, 900)
    assert set(tied) == {6, 8}
    assert chisquare(list(tied.values())).pvalue > 0.001


@pytest.mark.parametrize(
    "options", [{}, {"players": 3, "edition": "later", "black": 1, "starts": "random"}]
)
def test_greedy_moves_in_london_are_all_the_best_ones_and_nothing_else(options):
    asked = 0
    for s in itertools.islice(random_games(london, 8, **options), 0, 1000, 17):
        r, d = s.record, distances(s.record)
        legal = s.legal_actions if s.mover >= 0 else []
        if r.phase == 1:
            plain = [a for a in legal if a not in (DOUBLE, PASS) and kind_of(a) != BLACK]
            costs = {heuristics.keep_away: -d[r.station[1 : r.pieces]].min(axis=0)}
        else:
            plain = [a for a in legal if a != PASS]
            costs = {
                heuristics.close_in: d[:, np.flatnonzero(r.possible)].sum(axis=1),
                heuristics.go_after: d[:, r.station[0]],
            }
        if not plain:
            continue
        asked += 1
        for function, cost in costs.items():
            least = min(cost[station_of(a)] for a in plain)
            best = {a for a in plain if cost[station_of(a)] == least}
            found = set(choices(function, s, 12 * len(best)))
            assert found == best if len(best) < 6 else found <= best
    assert asked > 30


def test_so_many_moves_of_a_playout_are_random():
    s = detectives_to_move(22, 7, 24)
    for epsilon in (0.0, 0.4, 1.0):
        p, rng, out = chase(s, epsilon=epsilon, chase=ASSUMED), stream(5), np.zeros(802, np.int64)
        drawn = [int(rules.policy(p, s.record, out, rng)) for _ in range(2000)]
        found = counts(drawn, [2, 6, 8, 12])
        others = 500 * epsilon
        expected = [others, others, others, 2000 - 3 * others]
        if epsilon:
            assert chisquare(found, expected).pvalue > 0.001
        else:
            assert found == expected


def test_how_detectives_chase_is_what_the_policy_says():
    s = detectives_to_move(4, 7, 24, possible=[10, 22])
    out, rng = np.zeros(802, np.int64), stream(1)
    for how, found in ((TOTAL, {12}), (ASSUMED, {2, 8})):
        p = chase(s, chase=how)
        assert {int(rules.policy(p, s.record, out, rng)) for _ in range(40)} == found


# --- moves that are worth a search ---


def sensible(s, filters=1):
    out = np.zeros(s.game.width, np.int64)
    k = rules.legal(s.record, out)
    return out[: rules.sensible(guide(s, filters=filters), s.record, out, k)].tolist()


def kinds(actions):
    return {"double" if a == DOUBLE else int(kind_of(a)) for a in actions}


def in_london(mr_x, turn=5, moves=None, detectives=(190, 195)):
    s = mr_x_to_move(mr_x, *detectives, turn=turn, where=london)
    s.record.moves = turn - 1 if moves is None else moves
    return s


def test_black_tickets_are_left_out_where_they_hide_little():
    # From 1 buses and the underground go, too; of the log the third move shows him.
    assert kinds(in_london(1).legal_actions) == {TAXI, BUS, UNDERGROUND, BLACK, "double"}
    assert kinds(sensible(in_london(1))) == {TAXI, BUS, UNDERGROUND, BLACK}
    assert kinds(sensible(in_london(1, turn=3, moves=3))) == {TAXI, BUS, UNDERGROUND, BLACK}
    assert kinds(sensible(in_london(1, turn=1))) == {TAXI, BUS, UNDERGROUND}
    assert kinds(sensible(in_london(1, turn=2))) == {TAXI, BUS, UNDERGROUND}
    assert kinds(sensible(in_london(1, turn=2, moves=3))) == {TAXI, BUS, UNDERGROUND}
    assert kinds(sensible(in_london(1, turn=3))) == {TAXI, BUS, UNDERGROUND}
    assert kinds(sensible(in_london(1, turn=8))) == {TAXI, BUS, UNDERGROUND}
    # From 8 only taxis go; from 115 a taxi does not go along the river.
    assert BLACK in kinds(in_london(8).legal_actions)
    assert kinds(sensible(in_london(8))) == {TAXI}
    assert kinds(sensible(in_london(115))) == {TAXI, BLACK}


def test_a_station_has_only_taxis_when_they_go_to_every_neighbour():
    r = london.new(seed=1).record
    found = set()
    for x in range(1, 200):
        lines = [(int(r.to[x, n]), int(r.kind[x, n])) for n in range(r.degree[x])]
        taxi = {to for to, kind in lines if kind == TAXI}
        only = {to for to, _ in lines} == taxi
        assert heuristics.only_taxis(r, x) == only
        found.add((only, len(lines) > len(taxi)))
    assert found >= {(True, False), (False, True)}


def test_a_double_move_is_for_when_detectives_are_near_on_average():
    for detectives, kept in (((0, 2), True), ((0, 1), False), ((11, 24), True), ((6, 24), True)):
        s = mr_x_to_move(12, *detectives)
        s.record.doubles = 1
        assert DOUBLE in s.legal_actions
        assert (DOUBLE in sensible(s)) is kept
    s = mr_x_to_move(6, 18, 24)  # 4 and 6 away
    s.record.doubles = 1
    assert DOUBLE not in sensible(s)


def test_something_is_always_kept():
    s = in_london(1, turn=1)
    s.record.tickets[0, :BLACK] = 0
    s.record.doubles = 0
    assert kinds(s.legal_actions) == {BLACK}
    assert sensible(s) == s.legal_actions
    s = mr_x_to_move(0, 1, 5)  # halfway through a double move, with nowhere to go
    s.record.half = 2
    assert sensible(s) == s.legal_actions == [PASS]


def test_a_double_move_is_never_all_that_is_left():
    s = mr_x_to_move(194, 192, 193, 195, 100, 101, turn=3, where=london)
    assert [s.text(a) for a in sensible(s)] == ["black 157", "double"]


def test_mr_x_with_nothing_but_black_tickets_keeps_away_too():
    s = in_london(1)
    s.record.tickets[0, :3] = 0
    away = distances(s.record)[s.record.station[1:3]].min(axis=0)
    farthest = max(away[station_of(a)] for a in s.legal_actions if a != DOUBLE)
    assert set(choices(heuristics.keep_away, s)) == {
        a for a in s.legal_actions if a != DOUBLE and away[station_of(a)] == farthest
    }


def test_filters_are_for_mr_x_and_can_be_left_out():
    s = in_london(1, turn=1)
    assert sensible(s, filters=0) == s.legal_actions
    assert sensible(s) != s.legal_actions
    s = detectives_to_move(1, 46, 100, turn=1, where=london)
    s.record.tickets[1, BLACK] = 3
    assert kinds(s.legal_actions) > {BLACK}
    assert sensible(s) == s.legal_actions


def test_the_order_of_what_is_kept_is_that_of_the_rules():
    for s in itertools.islice(random_games(london, 6), 0, 800, 3):
        if s.mover >= 0:
            kept, legal = sensible(s), s.legal_actions
            assert kept == [a for a in legal if a in kept]
            assert kept


# --- what a catch is worth ---


def rewards(s, *actions, reduction=0.25):
    for a in actions:
        s.apply(a)
    assert s.over
    out = np.full(s.players, -1.0)
    rules.reward(guide(s, reduction=reduction), s.record, out)
    return out.tolist()


def test_who_catches_mr_x_gets_most():
    assert rewards(detectives_to_move(6, 7, 24, 20), 6) == [0, 1, 0.75, 0.75]
    assert rewards(detectives_to_move(6, 24, 7, 20), 23, 6) == [0, 0.75, 1, 0.75]
    last = detectives_to_move(6, 24, 20, 7)
    assert rewards(last, 23, 15, 6, reduction=0.4) == pytest.approx([0, 0.6, 0.6, 1])


def test_who_surround_mr_x_have_all_caught_him():
    assert rewards(detectives_to_move(0, 2, 10), 1, 5) == [0, 1, 1]


def test_nobody_gets_anything_for_a_mr_x_who_escaped():
    assert rewards(detectives_to_move(0, 24, 22, turn=15), 23, 21) == [1, 0, 0]


def test_a_catch_of_a_bobby_is_one_of_the_detective_who_moves_him():
    s = detectives_to_move(1, 190, 195, where=london, edition="later")
    s.record.station[3:5] = 188, 8
    s.record.piece, s.record.seat = 4, 2
    assert rewards(s, move_code(TAXI, 1)) == [0, 0.75, 1]


# --- where Mr X tends to be ---


def test_stations_by_how_near_the_nearest_detective_is():
    s = detectives_to_move(4, 0, 12).record
    assert (locations.categories(s, "nearest").reshape(5, 5) + 1).tolist() == [
        [1, 1, 2, 3, 4],
        [1, 2, 1, 2, 3],
        [2, 1, 1, 1, 2],
        [3, 2, 1, 2, 3],
        [4, 3, 2, 3, 4],
    ]
    s.station[1:3] = 0, 1
    assert locations.categories(s, "nearest")[[17, 18, 24]].tolist() == [3, 4, 4]


def test_stations_by_how_near_detectives_are_on_average():
    s = detectives_to_move(4, 0, 12).record
    # Two or fewer are the first, six or more the last.
    assert (locations.categories(s, "mean").reshape(5, 5) + 2).tolist() == [
        [2, 2, 2, 3, 4],
        [2, 2, 2, 3, 4],
        [2, 2, 2, 3, 4],
        [3, 3, 3, 4, 5],
        [4, 4, 4, 5, 6],
    ]
    s.station[1:3] = 0, 1
    # 1.5, 2.5, 3.5 and 7.5: a half counts as the whole above.
    assert (locations.categories(s, "mean")[[2, 3, 4, 24]] + 2).tolist() == [2, 3, 4, 6]


def test_stations_by_what_runs_there():
    found = locations.categories(london.new(seed=1).record, "lines")
    # 108 and 115 have a ferry, which tells nothing.
    assert found[[8, 115, 3, 108, 1, 46]].tolist() == [0, 0, 1, 1, 2, 2]
    assert locations.categories(grid.new(seed=1).record, "lines").tolist() == [0] * 25


def test_categories_that_are_possible_as_one_number():
    s = detectives_to_move(4, 0, 12, possible=[4, 3, 24]).record
    _, open_, mask = locations.possible(s, "nearest")
    assert open_.tolist() == [False, False, True, True, False]
    assert mask == 4 + 8


TABLE = {
    "nearest": {
        "general": [[95, 15, 5, 45, 0], [9, 3, 4, 1, 0]],
        "detailed": {"12": [[0, 0, 15, 15, 0], [0, 0, 3, 11, 0]]},
    }
}


def test_a_station_is_as_likely_as_mr_x_was_found_in_its_category(monkeypatch):
    monkeypatch.setattr(locations, "learnt", lambda name: TABLE)
    s = detectives_to_move(4, 0, 12, possible=[4, 3, 24]).record
    general = np.array([0.1, 0.2, 0.5, 0.04, 0.2])  # as if each had been found once more
    found = locations.categories(s, "nearest")
    assert locations.likely(grid, s, "nearest", "general") == pytest.approx(general[found])
    detailed = locations.likely(grid, s, "nearest", "detailed")
    assert detailed[[3, 4, 24]] == pytest.approx([0.2, 0.6, 0.6])
    s.possible[2] = 1  # a combination never seen
    assert locations.likely(grid, s, "nearest", "detailed") == pytest.approx(general[found])


@pytest.mark.parametrize("where", [grid, london])
@pytest.mark.parametrize("by", locations.CATEGORIES)
def test_agents_hold_stations_for_as_likely_as_their_tables_say(where, by):
    folder = Path(locations.__file__).parent
    tables = json.loads((folder / f"{where.name}.locations.json").read_text())[by]
    for s in itertools.islice(random_games(where, 3, players=3), 5, 90, 7):
        r = s.record
        if r.phase != 2:
            continue
        found, _, mask = locations.possible(r, by)
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
    made = locations.learn(grid, "random", 8, 3, done.append)
    assert done == list(range(1, 9))
    unseen = []  # where Mr X is, can be, and how far the detectives are, after hidden moves
    for s, _ in games_of(grid, "random", 8, 3, lambda n: None):
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
    assert locations.learn(grid, "random", 8, 3, done.append) == made
    assert locations.learn(grid, "random", 8, 4, done.append) != made


# --- what a move looks like ---


def traits(s, a):
    """The side, and all traits that are not 0."""
    out = np.full(TRAITS, 7.0)
    side = heuristics.traits(guide(s), s.record, a, out)
    return side, {int(i): out[i] for i in np.flatnonzero(out)}


def test_the_traits_of_a_move_of_mr_x():
    s = mr_x_to_move(12, 2, 20)
    # To 13: 3 and 5 away from the detectives, and from there all four ways are safe.
    side, found = traits(s, 13)
    assert side == FLIGHT
    assert found == pytest.approx({6: 1, 9: 4, 10: np.log(4), 14: np.log(5)}, abs=1e-12)
    # To 7, beside 2: the ways to 6, 8 and 12 are 2 away from it, but 2 itself is taken.
    side, found = traits(s, 7)
    assert found == pytest.approx({4: 1, 9: 3, 10: np.log(4), 14: np.log(4)}, abs=1e-12)
    s.record.moves = 5  # the next shows him
    side, found = traits(s, 7)
    expected = {4: 1, 9: 3, 10: np.log(4), 14: np.log(4), 17: 1, 19: np.log(4), 20: 3}
    assert found == pytest.approx(expected, abs=1e-12)


def test_the_traits_of_tickets_of_mr_x():
    s = in_london(1, turn=5)
    s.record.tickets[0, BLACK] = 5
    _, bus = traits(s, move_code(BUS, 46))
    _, underground = traits(s, move_code(UNDERGROUND, 46))
    _, black = traits(s, move_code(BLACK, 46))
    assert (bus.pop(11), underground.pop(12), black.pop(13)) == (1, 1, 1)
    assert black.pop(23) == pytest.approx(5 / 20)
    assert bus == underground == black
    assert (bus[15], bus[16]) == (1, 1)  # buses and the underground leave 46
    s.record.seen[3] = 1  # he has just been seen: black hides where he goes
    assert traits(s, move_code(BLACK, 46))[1][21] == 1
    assert 21 not in traits(s, move_code(BUS, 46))[1]
    assert {15, 16} & set(traits(s, move_code(TAXI, 8))[1]) == set()


def test_the_traits_of_a_double_move():
    s = mr_x_to_move(12, 7, 24)
    assert traits(s, DOUBLE) == (FLIGHT, {0: 1, 1: 1, 3: 2.5})
    s = mr_x_to_move(12, 2, 24)
    assert traits(s, DOUBLE) == (FLIGHT, {0: 1, 2: 1, 3: 3})
    assert traits(s, PASS) == (FLIGHT, {})


def test_the_traits_of_a_move_of_a_detective():
    s = detectives_to_move(12, 7, 24, turn=4, possible=[12, 13, 22])
    # From 12 they are 0, 1 and 2 away; from the other detective 4, 3 and 2.
    expected = {0: 1 / 3, 1: 2 / 3, 2: 1, 3: 1, 4: 1, 5: 2 / 3, 8: np.log(4)}
    expected |= {21: 1 / 3, 22: np.log(3)}
    side, found = traits(s, 12)
    assert side == HUNT
    assert found == pytest.approx(expected, abs=1e-12)
    s.record.moves = 5  # the next shows him
    assert traits(s, 12)[1] == pytest.approx(expected | {20: 1}, abs=1e-12)
    s.record.moves, s.record.possible[:] = 4, 0
    s.record.possible[22] = 1
    one = {2: 1, 3: 2, 4: 2, 8: np.log(4), 11: 2, 12: 2}
    assert traits(s, 12)[1] == pytest.approx(one, abs=1e-12)
    s.record.possible[:21] = 1
    found = traits(s, 12)[1]
    assert (found[15], found[16], found[17]) == (found[3], found[4], found[8])
    assert not {11, 12, 21} & set(found)
    assert traits(s, PASS) == (HUNT, {})


def test_the_traits_of_tickets_of_a_detective():
    s = detectives_to_move(100, 1, 190, turn=4, where=london)
    assert {6, 9, 10} <= set(traits(s, move_code(BUS, 46))[1])
    s.record.tickets[1, BUS], s.record.tickets[1, UNDERGROUND] = 3, 2
    assert not {18, 19} & set(traits(s, move_code(BUS, 46))[1])
    assert not {18, 19} & set(traits(s, move_code(UNDERGROUND, 46))[1])
    s.record.tickets[1, BUS], s.record.tickets[1, UNDERGROUND] = 2, 1
    assert {6, 18} <= set(traits(s, move_code(BUS, 46))[1])
    assert {7, 19} <= set(traits(s, move_code(UNDERGROUND, 46))[1])
    s.record.moves = 7  # he shows himself next: it is good to stand where lines meet
    assert {13, 14} <= set(traits(s, move_code(TAXI, 46))[1])
    assert not {13, 14} & set(traits(s, move_code(TAXI, 8))[1])


def test_a_prior_is_weights_times_traits():
    weight = np.random.default_rng(1).normal(size=(2, TRAITS))
    sides = set()
    for s in itertools.islice(random_games(london, 3, players=3), 1, 200, 9):
        h, out = guide(s, weight=weight), np.zeros(TRAITS)
        for a in s.legal_actions:
            side = heuristics.traits(h, s.record, a, out)
            assert rules.prior(h, s.record, a) == pytest.approx(weight[side] @ out, abs=1e-9)
            sides.add(side)
    assert sides == {FLIGHT, HUNT}


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


def test_the_prior_of_an_obvious_teacher_prefers_what_he_prefers():
    made = ismcts.learn(grid, f"{__name__}:Obvious", 40, 1, lambda n: None)
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


def test_a_tenth_of_the_moves_is_kept_apart():
    row = np.arange(3 * TRAITS).reshape(3, TRAITS)
    choices = [(row + i, i % 3) for i in range(25)]
    aside, taught = ismcts._split({3: choices})
    assert [len(x) for x in aside.features + taught.features] == [3, 22]
    assert [int(x[0, 0]) for x in aside.features[0]] == [0, 10, 20]
    assert aside.gains[0].argmax(axis=1).tolist() == [0, 1, 2]
    assert (taught.gains[0].sum(axis=1) == 1).all()


@pytest.mark.parametrize("where", [grid, london])
def test_what_was_learnt_for_a_game_is_there(where):
    weight = ismcts.learnt(where.name)
    assert weight.shape == (2, TRAITS)
    assert np.isfinite(weight).all()
    for by in locations.CATEGORIES:
        times, there = np.array(locations.learnt(where.name)[by]["general"])
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
