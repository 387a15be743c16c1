"""The heuristics of Scotland Yard: guesses, playouts, sensible moves, rewards, traits, outlook."""

import itertools

import numpy as np
import pytest
from positions import apart, detectives_to_move, guide, mr_x_to_move, random_games
from scipy.stats import chisquare

from kostka.core import play, rules
from kostka.core.record import new
from kostka.core.rng import stream
from kostka.games.scotlandyard import game as london
from kostka.games.scotlandyard import grid, heuristics
from kostka.games.scotlandyard.actions import DOUBLE, PASS, kind_of, move_code, station_of
from kostka.games.scotlandyard.heuristics import (
    ASSUMED,
    FEATURES,
    FLIGHT,
    HUNT,
    PLACES,
    SEARCHED,
    TOTAL,
    TRAITS,
    Chase,
    Outlook,
    distances,
)
from kostka.games.scotlandyard.state import (
    BLACK,
    BUS,
    MAX_STATIONS,
    TAXI,
    UNDERGROUND,
    UNKNOWN,
)


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
        one = view.buffer.copy()
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
            quick, after = played(heuristics.chase_to_the_end, s, policy, limit)
            plain, truth = played(play.play_on, s, policy, limit)
            assert quick == plain
            if how == TOTAL:
                assert after.buffer.tobytes() == truth.buffer.tobytes()
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
    assert quick == played(heuristics.chase_to_the_end, s, policy, 1000)[0]
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


# --- the outlook ---


def outlook(**values):
    return new(Outlook, **values)[0]


def feature_values(s, player=1):
    out = np.full(len(FEATURES), np.nan)
    assert rules.features(outlook(), s.record, player, out) == len(FEATURES)
    return out


def test_what_the_outlook_sees_on_the_grid():
    # Detectives on 6 and 24. From 12 Mr X can go on to 13 and 17, which no detective is beside.
    # Nearer to him than to them are 12, 13 and 17, but 14 and 18 are not. He shows himself again
    # after one more hidden move.
    s = detectives_to_move(12, 6, 24, turn=4, possible=[12, 13, 18])
    expected = [1, 11 / 15, np.log(12), np.log(3), 0, 0, np.log(3), np.log(4), 1, 0]
    assert feature_values(s) == pytest.approx(expected)
    # Hidden from the detectives he counts as being on all three. From 13 all four ways are free,
    # from 18 those to 13 and 17. His are 3, 4, 8, 9, 12, 13, 14, 17 and 18.
    expected[6:8] = (np.log(3) + np.log(5) + np.log(3)) / 3, np.log(10)
    assert feature_values(s.view(1)) == pytest.approx(expected)
    assert (feature_values(s, player=0) == 0).all()
    # Seen beside a detective who is to move, in a corner: nearer to him are 0, 5, 10 and 15.
    near = feature_values(detectives_to_move(0, 1, 24, turn=6))
    assert near[3:] == pytest.approx([0, 1, 1, np.log(2), np.log(5), 2, 0])
    assert feature_values(mr_x_to_move(0, 1, 24, turn=7))[4:6].tolist() == [0, 0]


def test_who_can_look_for_mr_x_in_this_round():
    s = detectives_to_move(12, 11, 24, turn=4, possible=[10, 12, 16, 18, 22])
    assert feature_values(s)[SEARCHED] == 1 / 5  # the first beside 10, 12 and 16
    s.record.station[2] = 17  # the second beside 12, 16, 18 and 22
    assert feature_values(s)[SEARCHED] == 2 / 5
    s.record.piece = 2
    assert feature_values(s)[SEARCHED] == 1 / 5
    assert feature_values(s)[5] == 0


def test_detectives_without_the_ticket_cannot_look_for_mr_x():
    s = detectives_to_move(1, 46, turn=3, where=london)  # by bus and underground
    assert feature_values(s)[SEARCHED] == 1
    s.record.tickets[1, [BUS, UNDERGROUND]] = 0
    assert feature_values(s)[SEARCHED] == 0


def test_distances_of_the_outlook_are_those_of_searches():
    for where in (london, grid):
        for s in itertools.islice(random_games(where, 3), 5, 60, 7):
            r, far = s.record, distances(s.record)
            used = np.flatnonzero(r.degree[: r.stations])
            for pieces in (range(1, r.pieces), [0]):
                stations = r.station[list(pieces)]
                line, found = np.zeros((2, MAX_STATIONS), np.int64)
                line[: len(stations)] = stations
                heuristics.distances_from(r, line, len(stations), found)
                assert found[used].tolist() == far[stations].min(axis=0)[used].tolist()


def test_the_outlook_is_a_chance_of_two_sides():
    weights = np.random.default_rng(1).normal(size=len(FEATURES))
    h = outlook(weights=weights)
    for where in (london, grid):
        for s in itertools.islice(random_games(where, 2), 1, 40, 5):
            seen = feature_values(s)
            sure = seen[PLACES] == 0 and seen[SEARCHED] == 1
            win = 1 if sure else 1 / (1 + np.exp(-weights @ seen))
            for player in range(s.players):
                expected = win if player else 1 - win
                assert rules.evaluate(h, s.record, player) == pytest.approx(expected)


def test_before_the_set_up_the_outlook_is_what_detectives_win():
    for where, share in ((london, 0.547), (grid, 0.9005)):
        h = where.evaluations["outlook"][0]
        assert rules.evaluate(h, where.new(seed=1).record, 1) == pytest.approx(share)
        assert rules.evaluate(h, where.new(seed=1).record, 0) == pytest.approx(1 - share)


def test_the_outlook_knows_good_positions():
    for where in (london, grid):
        assert next(iter(where.evaluations)) == "outlook"
    h = grid.evaluations["outlook"][0]
    caught, cornered, free = (
        rules.evaluate(h, detectives_to_move(*at, turn=9).record, 1)
        for at in ((12, 11, 18), (0, 2, 11), (0, 24, 23))
    )
    assert 1 == caught > cornered > free
