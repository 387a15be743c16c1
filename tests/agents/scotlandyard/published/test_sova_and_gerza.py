"""The tree searches of the Scotland Yard theses: what they find, leave out, and may know."""

import itertools

import numpy as np
import pytest
from positions import detectives_to_move, mr_x_to_move, random_games
from scipy.stats import chisquare

from kostka.agents.scotlandyard.published import gerza, lean, sova, team
from kostka.agents.scotlandyard.published.gerza import FINAL, GerzaSettings
from kostka.agents.scotlandyard.published.sova import SovaSettings
from kostka.agents.scotlandyard.published.team import think
from kostka.arena.referee import play_game
from kostka.core.errors import KostkaError
from kostka.core.record import new
from kostka.core.rng import below, stream
from kostka.games.scotlandyard import game as london
from kostka.games.scotlandyard import grid
from kostka.games.scotlandyard.actions import DOUBLE, PASS, station_of
from kostka.games.scotlandyard.heuristics import distances

KINDS = {**gerza.KINDS, **sova.KINDS}


def agent(name, where=grid, **parameters):
    return KINDS[name].build(where, parameters, name)


def moved(where, games, **options):
    """Positions of games at random in which a player is to act."""
    return (s for s in random_games(where, games, **options) if s.mover >= 0)


# --- the game that the trees play ---


@pytest.mark.parametrize(
    ("where", "options"),
    [
        (grid, {}),
        (grid, {"surrounded": False, "size": 3, "players": 4}),
        (london, {"players": 4, "doubles": 0}),
        (london, {"edition": "later", "players": 3, "doubles": 0}),
    ],
)
def test_the_game_in_the_tree_is_the_game_of_the_rules(where, options):
    for s, a in ((one, a) for one in moved(where, 6, **options) for a in one.legal_actions):
        before, after = s.copy().record, s.copy().apply(a).record
        if before.phase == 1:
            lean.mr_x_goes(before, a)
            lean.mr_x_went(before)
        else:
            lean.detective_goes(before, before.piece, a)
            if before.piece + 1 == before.pieces or lean.is_caught(before):
                lean.detectives_went(before)
        assert (before.station == after.station).all()
        assert (before.tickets == after.tickets).all()
        assert (before.phase, before.turn, before.won) == (after.phase, after.turn, after.won)


def combinations(s):
    """Every way in which the detectives can move in turn, by the rules."""
    if s.record.phase != 2:
        return [()]
    return [(a, *rest) for a in s.legal_actions for rest in combinations(s.copy().apply(a))]


@pytest.mark.parametrize(("where", "players"), [(grid, 3), (grid, 5), (london, 3)])
def test_a_combination_is_a_move_of_each_detective_in_turn(where, players):
    starts = (
        s.copy()
        for s in moved(where, 4, players=players)
        if s.record.phase == 2 and s.record.piece == 1
    )
    for s in itertools.islice(starts, 12):
        s.record.station[0] = -1  # no capture ends the turn early
        s.record.surrounded = 0
        joint = np.zeros((2000, 8), np.int64)
        n = lean.combine(s.record, 1, joint, np.zeros((11, 32), np.int64), stream(1))
        s.record.turn = s.record.turns  # the turn ends the game, so nothing is moved after it
        found = [tuple(row[1:players]) for row in joint[:n].tolist()]
        assert sorted(found) == sorted(combinations(s))


def test_of_too_many_combinations_each_is_as_likely_to_be_kept():
    s = detectives_to_move(24, 6, 12).record
    kept = np.zeros(800)
    for seed in range(400):
        joint = np.zeros((4, 8), np.int64)
        assert lean.combine(s, 1, joint, np.zeros((11, 32), np.int64), stream(seed)) == 4
        pairs = {(a, b) for a, b in joint[:, 1:3].tolist()}
        assert len(pairs) == 4
        for a, b in pairs:
            kept[a * 25 + b] += 1
    # 7 is taken by nobody and 11 too, but two detectives cannot both go there.
    assert (kept > 0).sum() == 14
    assert chisquare(kept[kept > 0]).pvalue > 0.001
    assert s.station[:3].tolist() == [24, 6, 12]


def test_random_moves_are_legal_and_all_as_likely():
    s = detectives_to_move(2, 6, 7, 12)
    rng, out = stream(4), np.zeros(32, np.int64)
    drawn = [lean.random_move(s.record, 1, out, rng) for _ in range(3000)]
    moves, times = np.unique(drawn, return_counts=True)
    assert moves.tolist() == s.legal_actions == [1, 5, 11]
    assert chisquare(times).pvalue > 0.001


def play(function, s, *rest):
    """The end of a playout and its points, with whatever random numbers are next then."""
    one, rng = s.copy(), stream("play", s.hash)
    points = function(one.record, *rest, rng)
    r = one.record
    return points, r.phase, r.won, r.turn, r.moves, r.station[1:].tolist(), rng.tolist()


@pytest.mark.parametrize(
    "options",
    [{}, {"size": 3, "players": 5}, {"size": 3, "players": 4, "surrounded": False}, {"size": 7}],
)
def test_playouts_on_the_grid_are_those_of_all_boards_from_the_same_numbers(options):
    ends = set()
    for s in moved(grid, 12, **options):
        if s.record.phase == 2 and s.record.piece != 1:
            continue
        cells, distance, out = lean.cells(s.record)[0], distances(s.record), np.zeros(32, np.int64)
        assert cells.count == s.record.side**2
        fast = play(gerza.play_out_on_grid, s, cells)
        assert fast == play(gerza.play_out, s, 0, out)
        ends.add(fast[2:4])
        plain, quick = (
            (sova.flee, sova.flee_on_grid)
            if s.record.phase == 1
            else (sova.hunt, sova.hunt_on_grid)
        )
        assert play(quick, s, distance, cells) == play(plain, s, distance, out)
    assert len(ends) > 5


def test_boards_with_too_many_stations_go_without_the_bits():
    for where, options in ((grid, {"size": 8}), (london, {})):
        assert lean.cells(where.new(seed=1, **options).record)[0].count == 0


# --- what the final stage leaves out ---


def test_mr_x_does_not_step_next_to_a_detective_if_he_can_help_it():
    s = mr_x_to_move(12, 2, 20).record  # from the middle: 7 is next to 2; 11, 13 and 17 are not
    out, distance = np.array([7, 11, 13, 17]), distances(s)
    assert gerza.keep_clear(s, out, 4, distance) == 3
    assert out[:3].tolist() == [11, 13, 17]
    s.station[1:3] = 6, 18  # now all four are next to one of them
    out = np.array([7, 11, 13, 17])
    assert gerza.keep_clear(s, out, 4, distance) == 4
    assert out.tolist() == [7, 11, 13, 17]


def close(s, combinations, places, every):
    joint = np.zeros((10, 8), np.int64)
    joint[: len(combinations), 1:3] = combinations
    distance, places = distances(s), np.array(places)
    n = gerza.keep_close(s, 1, every, joint, len(combinations), places, len(places), distance)
    return joint[:n, 1:3].tolist()


def test_detectives_do_not_go_away_from_where_mr_x_may_be():
    s = detectives_to_move(12, 0, 24).record
    all_four = [[1, 19], [1, 23], [5, 19], [5, 23]]
    # Mr X at 4 or 20, corners: 0 gets nearer to 4 by 1 and to 20 by 5; 24 by 19, and by 23.
    assert close(s, all_four, [4], 0) == [[1, 19]]
    assert close(s, all_four, [4, 20], 0) == [[1, 19], [5, 23]]
    # No combination brings both nearer to both; then all are kept.
    assert close(s, all_four, [4, 20], 1) == all_four
    assert close(s, all_four, [12, 13], 1) == all_four
    assert close(s, all_four, [4, 9], 1) == [[1, 19]]


def test_distances_are_moves_by_taxi_bus_and_underground():
    d = distances(grid.new(seed=1).record)
    assert (d[0, 24], d[12, 12], d[3, 5]) == (8, 0, 4)
    d = distances(london.new(seed=1).record)
    assert (d[1, 46], d[108, 115]) == (1, 3)  # by underground; a detective cannot take the ferry
    assert d[1:, 1:].max() == 10


# --- what is found ---


@pytest.mark.parametrize("stage", [1, 2, 3, 4])
def test_detectives_catch_a_mr_x_whom_they_see(stage):
    s = detectives_to_move(12, 20, 7)
    for seat in (1, 2):
        s.apply(agent("mcts-gerza", stage=stage, iterations=3000).act(s.view(seat)))
    assert s.over
    assert s.record.won == 1


def test_a_capture_right_below_the_root_brings_ten():
    s = detectives_to_move(12, 20, 7)
    for stage, worth in ((2, 1.0), (3, 10.0), (4, 10.0)):
        tree = think(GerzaSettings(3000, 0.0, stage=stage), s.view(1).buffer, stream(1))
        caught = [j for j in tree.root if j.actions[2] == 12]
        assert {j.value for j in caught} == {worth}
        assert all(j.value < worth for j in tree.root if j.actions[2] != 12)


def test_published_sova_does_not_see_a_capture_and_the_mended_one_does():
    s = detectives_to_move(12, 20, 7)
    for captures, certain in ((True, True), (False, False)):
        tree = think(SovaSettings(2000, 0.0, captures=captures), s.view(1).buffer, stream(3))
        # A capture in round 3 is worth 50 for each of 98 rounds that are missing to 100.
        values = {j.value for j in tree.root if j.actions[2] == 12}
        assert (values == {98 * 50.0}) is certain


def test_mr_x_walks_out_of_a_trap():
    # In the corner, with a detective two steps off on each side: only one reply keeps him free.
    s = mr_x_to_move(0, 2, 16, turn=14)
    moves = {agent("mcts-gerza", iterations=2000).act(s.view(0)) for _ in range(3)}
    assert moves == {5}


def test_an_early_capture_is_worth_more_or_less_or_the_same():
    s = detectives_to_move(12, 20, 7, turn=6).record
    worth = {
        word: gerza.early(new(gerza.Search, early=i, hunt=1, stage=FINAL)[0], s)
        for i, word in enumerate(gerza.EARLY)
    }
    assert worth == {"none": 0.0, "later": 6 / 15, "sooner": 9 / 15}
    assert gerza.early(new(gerza.Search, early=2, hunt=1, stage=3)[0], s) == 0.0


# --- trees ---


def nodes_with_children(tree):
    used = tree.tree[: int(tree.settings["nodes"][0])]
    for i in np.flatnonzero(used["children"]):
        yield i, used[i], used[used[i].first : used[i].first + used[i].children]


@pytest.mark.parametrize("stage", [1, 3, 4])
@pytest.mark.parametrize("hunt", [True, False])
def test_every_visit_is_a_playout_of_the_node_or_a_visit_below(stage, hunt):
    s = detectives_to_move(12, 0, 4, possible=[12, 16]) if hunt else mr_x_to_move(12, 0, 4)
    settings = GerzaSettings(4000, 0.0, stage=stage, early="none")
    tree = think(settings, s.view(int(hunt)).buffer, stream(7))
    assert tree.tree[0].visits == 4001
    for _, node, children in nodes_with_children(tree):
        assert node.visits == 1 + children["visits"].sum()
        assert 0 <= node.wins - children["wins"].sum() <= 1
        assert (children["visits"] > 0).sum() == node.tried
    assert len(list(nodes_with_children(tree))) > 100
    assert sum(j.visits for j in tree.root) == 4000


def test_the_root_has_a_child_for_each_combination_and_place():
    s = detectives_to_move(12, 0, 4, turn=5, possible=[12, 16, 22])
    s.record.seen[2] = 17
    sizes = {}
    for stage in (1, 3):
        tree = think(GerzaSettings(100, 0.0, stage=stage), s.view(1).buffer, stream(7))
        sizes[stage] = (len(tree.root), {j.actions[0] for j in tree.root})
    assert sizes == {1: (4, {17}), 3: (12, {12, 16, 22})}


def test_a_level_of_sova_is_a_round():
    s = detectives_to_move(12, 0, 4)
    tree = think(SovaSettings(4000, 0.0), s.view(1).buffer, stream(7))
    top = tree.tree[0]
    assert (top.visits, top.children) == (4000, 2 * 2 * 4)
    for i, node, children in nodes_with_children(tree):
        assert node.visits == (i > 0) + children["visits"].sum()
        if i == 0:
            points = tree.scores[top.first : top.first + top.children, sova.SUM]
            assert tree.scores[0, sova.SUM] == pytest.approx(points.sum())


@pytest.mark.parametrize("settings", [GerzaSettings(2000, 0.0), SovaSettings(2000, 0.0)])
def test_a_search_can_be_run_on(settings):
    s = detectives_to_move(12, 0, 4).view(1)
    whole = settings.search(s.buffer, stream(5)).run(2000).root
    assert settings.search(s.buffer, stream(5)).run(700).run(1300).root == whole
    assert settings.search(s.buffer, stream(5)).run_for(0.01).root[0].visits > 0


def positions(games=6):
    """Positions of games at random at the beginning of a turn, once Mr X was seen."""
    for s in moved(grid, games, players=3):
        if s.record.moves >= 3 and s.record.piece < 2:
            yield s.view(s.mover).buffer


@pytest.mark.parametrize("settings", [GerzaSettings(600, 0.0), SovaSettings(600, 0.0)])
def test_a_search_that_is_decided_stops_with_the_move_of_the_whole_search(settings):
    spent, ties = [], 0
    for one in positions():
        whole = settings.search(one, stream(5)).run(600).root
        some = settings.search(one, stream(5)).decide(600)
        assert some.root[0].actions == whole[0].actions
        assert team.best(settings, one, stream(5)).actions == whole[0].actions
        ties += len(whole) > 1 and whole[0].visits == whole[1].visits
        spent.append(some.done)
    assert 0 < ties < len(spent)
    assert max(spent) == 600  # it is not given up early either
    assert np.mean(spent) < 560


def test_a_search_goes_on_as_long_as_another_move_can_become_the_best():
    settings = SovaSettings(2000, 0.0)
    for one in positions(2):
        search = settings.search(one, stream(5)).decide(2000)
        visits = [j.visits for j in search.root]
        assert search.done == sum(visits)
        if len(visits) > 1 and search.done < 2000:
            assert visits[0] - visits[1] > 2000 - search.done >= visits[0] - visits[1] - 80


def test_there_is_nothing_to_search_where_there_is_no_choice():
    # Mr X in a corner, where one of his two moves leads next to a detective.
    s = mr_x_to_move(0, 2, 24)
    search = GerzaSettings(1000, 0.0).search(s.view(0).buffer, stream(1)).decide(1000)
    assert (search.done, len(search.root)) == (1, 1)


@pytest.mark.parametrize("settings", [GerzaSettings(500, 0.0), SovaSettings(500, 0.0)])
def test_memory_of_another_search_changes_nothing(settings):
    one = detectives_to_move(12, 0, 4).view(1).buffer
    team.spare.clear()
    fresh = settings.search(one, stream(5)).run(500)
    found, (tree, scores) = fresh.root, (fresh.tree, fresh.scores)
    fresh.give_back()
    tree[:50_000].view(np.uint8)[:] = 0xA5
    scores[:50_000] = np.nan
    again = settings.search(one, stream(5))
    assert again.tree is tree
    assert again.run(500).root == found
    other = settings.search(one, stream(5))
    assert other.tree is not tree


def test_memory_of_a_large_search_is_not_kept():
    search = GerzaSettings(50, 0.0).search(detectives_to_move(12, 0, 4).view(1).buffer, stream(5))
    team.spare.clear()
    search.settings["nodes"] = team.MOST_SPARE + 1
    search.give_back()
    assert not any(team.spare.values())


# --- detectives together ---


@pytest.mark.parametrize(
    ("where", "options"),
    [
        (grid, {"players": 4}),
        (grid, {"size": 4, "surrounded": False, "players": 4, "reveal": 2}),
        (london, {}),
        (london, {"edition": "later", "players": 3}),
    ],
)
def test_every_seat_knows_how_the_turn_began(where, options):
    seats = [agent("mcts-gerza", where) for _ in range(6)]
    begins, known, asked = None, 0, 0
    for s in moved(where, 12, **options):
        if s.record.phase != 2:
            if s.record.turn == 1:
                for seat in seats:
                    seat.begin(1, stream(1))
            continue
        view = s.view(s.mover).buffer
        if s.record.piece == 1:
            begins = view.tobytes()
        one = seats[s.mover]
        one.remember(view)
        if s.record.turn > 1:
            asked += 1
            if one.start is not None:
                known += 1
                assert one.start.tobytes() == begins
    assert asked > 40
    assert known / asked > 0.97  # a double move that ended early is not in the log


def test_detectives_play_what_all_of_them_found_together():
    rng, together = stream(8), 0
    for seed in range(6):
        seats = [agent("mcts-gerza", iterations=300) for _ in range(3)]
        for seat, one in enumerate(seats):
            one.begin(seat, stream(seed, seat))
        s, best = grid.new(seed=seed).settle(rng), ()
        while not s.over:
            if s.mover == 0:
                s.apply(s.legal_actions[below(rng, len(s.legal_actions))])
                continue
            if s.mover == 1 and s.record.moves >= 3:
                best = next(team.agree(seats[0].settings, s.view(1).buffer.tobytes())).actions
            team.agree_on_one.cache_clear()
            a = seats[s.mover].act(s.view(s.mover))
            if s.record.moves >= 3:
                together += s.mover > 1
                assert a == best[s.mover]
            s.apply(a)
    assert together > 10


def test_a_detective_finds_his_part_when_another_has_played_something_else():
    s = detectives_to_move(12, 20, 7)
    one = agent("mcts-gerza", iterations=1000)
    best = next(team.agree(one.settings, s.view(1).buffer.tobytes())).actions
    s.apply(next(a for a in s.legal_actions if a != best[1]))
    assert one.act(s.view(2)) == 12


def test_when_somebody_plays_otherwise_all_moves_of_the_whole_search_are_looked_through():
    settings = GerzaSettings(1000, 0.0)
    content = detectives_to_move(12, 10, 24).view(1).buffer.tobytes()
    whole = think(settings, *team.in_common(content)).root
    first, *rest = team.agree(settings, content)
    assert first.actions == whole[0].actions
    assert first.visits < whole[0].visits
    assert rest == whole
    assert team.agree_on_all(GerzaSettings(0, 0.01), content)[0] == next(
        team.agree(GerzaSettings(0, 0.01), content)
    )


@pytest.mark.parametrize("name", KINDS)
def test_detectives_decide_the_same_wherever_mr_x_really_is(name):
    moves = set()
    for truth in (6, 12, 16, 18):
        s = detectives_to_move(truth, 0, 4, turn=5, possible=[6, 12, 16, 18])
        s.record.seen[2] = 17
        team.agree_on_one.cache_clear()
        one = agent(name, iterations=500)
        one.begin(1, stream("same"))
        moves.add(one.act(s.view(1)))
    assert len(moves) == 1


def test_before_mr_x_is_seen_detectives_go_to_the_centre_in_stage_two_only():
    s = detectives_to_move(12, 0, 24, 2, turn=1)
    for stage, expected in ((1, {1, 5}), (2, {1, 5})):
        assert {_first(s, stage, seed) for seed in range(12)} == expected
    s.record.station[1] = 6
    assert {_first(s, 2, seed) for seed in range(12)} == {7, 11}
    for stage in (1, 3, 4):
        assert {_first(s, stage, seed) for seed in range(40)} == {1, 5, 7, 11}


def _first(s, stage, seed):
    one = agent("mcts-gerza", stage=stage)
    one.begin(1, stream(seed))
    return one.act(s.view(1))


# --- whole games ---


@pytest.mark.parametrize(
    ("where", "options"),
    [
        (grid, {}),
        (grid, {"players": 2, "size": 3, "surrounded": False}),
        (grid, {"players": 6, "size": 6, "rounds": 20, "reveal": 1}),
        (london, {"players": 3}),
        (london, {"players": 3, "edition": "later", "end": "rounds22"}),
    ],
)
@pytest.mark.parametrize(("mr_x", "detectives"), [tuple(KINDS), tuple(KINDS)[::-1]])
def test_whole_games_end_by_the_rules(where, options, mr_x, detectives):
    state = where.new(seed=1, **options)
    for seed in range(2):
        seats = [agent(mr_x, where, iterations=40)]
        seats += [agent(detectives, where, iterations=40) for _ in range(1, state.players)]
        played = play_game(where, state.options, seats, seed)
        assert not played.faults
        assert sum(played.returns[:2]) == 1.0


def test_a_tree_that_is_full_stops_growing():
    s = london.new(seed=3).settle(stream(1))
    rng = stream(2)
    while s.record.moves < 3 or s.record.phase != 2:
        s.apply(s.legal_actions[below(rng, len(s.legal_actions))])
    for settings in (GerzaSettings(60, 0.0, stage=3), SovaSettings(60, 0.0)):
        tree = settings.search(s.view(1).buffer, stream(4))
        tree.tree = tree.tree[:20_000]
        root = tree.run(60).root
        assert tree.settings["nodes"][0] <= 20_000
        assert root[0].actions[1] in s.legal_actions


def test_mr_x_never_announces_what_the_trees_do_not_know():
    s = london.new(seed=3, players=3).settle(stream(1))
    assert DOUBLE in s.legal_actions
    a = agent("mcts-gerza", london, iterations=200).act(s.view(0))
    assert a in s.legal_actions
    assert a not in (DOUBLE, PASS)
    assert gerza.nearest(s.record, station_of(a), distances(s.record)) > 1


def test_a_search_needs_a_budget():
    for name in KINDS:
        with pytest.raises(KostkaError, match="iterations or seconds"):
            agent(name, iterations=0)
