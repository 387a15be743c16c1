"""Alpha-beta in Scotland Yard against sums by hand and a slow, clear minimax of its own."""

from itertools import product
from math import inf

import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path

from kostka.agents.generic import random as random_agent
from kostka.agents.scotlandyard.published.tulusak import (
    KINDS,
    POSITIONS,
    SLICE,
    Frame,
    Settings,
    look_ahead,
    omniscient_share,
    open_root,
    search,
    worth,
)
from kostka.arena.referee import play_game
from kostka.core.errors import KostkaError
from kostka.core.game import game as find_game
from kostka.core.record import clone, new
from kostka.core.rng import stream
from kostka.games.scotlandyard import game as london
from kostka.games.scotlandyard import grid
from kostka.games.scotlandyard.heuristics import distances
from kostka.games.scotlandyard.state import DETECTIVES, MAX_LINES

SIDE = 5


def cell(name):
    return (int(name[1]) - 1) * SIDE + ord(name[0]) - ord("a")


def place(mr_x, *detectives, turn="mr x", moves=0, **options):
    """A position by hand on the small grid; at the detectives' turn Mr X has just been seen."""
    s = grid.new(seed=1, players=1 + len(detectives), **options)
    s.apply(s.outcomes[0][0])
    r = s.record
    r.station[: r.pieces] = [cell(name) for name in (mr_x, *detectives)]
    r.moves, r.turn = moves, moves + 1
    r.log[:moves] = 0
    if turn == "detectives":
        r.phase, r.seat, r.piece = DETECTIVES, 1, 1
        r.seen[r.moves], r.log[r.moves] = cell(mr_x), 0
        r.moves += 1
    r.possible[:] = 0
    r.possible[cell(mr_x)] = 1
    return s


def scatter(rng, detectives):
    """Different cells for everybody, by name."""
    cells = rng.choice(SIDE * SIDE, 1 + detectives, replace=False)
    return [f"{chr(ord('a') + int(c) % SIDE)}{int(c) // SIDE + 1}" for c in cells]


def agent(of=grid, seat=0, **parameters):
    one = KINDS["alphabeta"].build(of, parameters, "alphabeta")
    one.begin(seat, stream("test", seat))
    return one


def team(players, of=grid, **parameters):
    return [agent(of, seat, **parameters) for seat in range(players)]


def play_round(s, agents):
    """Every detective moves; returns their moves in notation."""
    moves, turn = [], s.record.turn
    while not s.over and s.mover > 0 and s.record.turn == turn:
        moves.append(s.text(a := agents[s.mover].act(s.view(s.mover))))
        s.apply(a)
    return moves


# --- the same from the notes alone ---


def steps(at, taken):
    x, y = at
    near = [(x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)]  # as the cells are numbered
    return [c for c in near if 0 <= c[0] < SIDE and 0 <= c[1] < SIDE and c not in taken]


def joint_moves(cops):
    """All moves of the detectives together, who go one after the other."""
    lines = [()]
    for i, at in enumerate(cops):
        rest = cops[i + 1 :]
        lines = [(*line, c) for line in lines for c in steps(at, {*line, *rest}) or [at]]
    return lines


def valued(who, n, h, x, cops):
    d = sorted(abs(x[0] - c[0]) + abs(x[1] - c[1]) for c in cops)
    k, caught = len(cops), x in cops
    other = sum(d) // (k - 1) if k > 1 else 0
    if who == "mr x":
        return -(n - h) * 50 + (n - h) * other if caught else (n - h) * d[0] + (n - h) * d[-1] // k
    if caught:
        return (n - h) * 50 - (0, h * other, other, other)[who - 1]
    return (-h * sum(d), -h * d[0], -d[0], -d[0] - d[-1] // k)[who - 1]


def minimax(who, n, h, x, cops, turn, so_far=0):
    """The value and the best line, as positions of who has moved, without any pruning."""
    so_far += valued(who, n, h, x, cops)
    if h == n:
        return so_far, []
    first = "mr x" if who == "mr x" else "detectives"
    moves = steps(x, cops) if turn == "mr x" else joint_moves(cops)
    if not moves:
        return so_far, []
    best, line = -inf if turn == first else inf, []
    for move in moves:
        after = (move, cops) if turn == "mr x" else (x, move)
        other = "detectives" if turn == "mr x" else "mr x"
        value, rest = minimax(who, n, h + (turn != first), *after, other, so_far)
        if value > best if turn == first else value < best:
            best, line = value, [move, *rest]
    return best, line


def spot(name):
    return ord(name[0]) - ord("a"), int(name[1]) - 1


def flat(line):
    """A line of positions as cells, one a piece."""
    cells = []
    for move in line:
        for x, y in [move] if isinstance(move[0], int) else move:
            cells.append(y * SIDE + x)
    return cells


# --- what a position is worth ---

#: Mr X on c3; version 1, 2, 3, 4 and Mr X, worked out by hand.
BY_HAND = [
    (("a1", "c1"), 1, (-6, -2, -2, -4, 8)),  # distances 4 and 2
    (("a1", "c1"), 2, (-12, -4, -2, -4, 4)),
    (("a1", "c1"), 0, (0, 0, -2, -4, 12)),
    (("c2", "c5"), 0, (0, 0, -1, -2, 6)),  # distances 1 and 2
    (("c2", "b1"), 2, (-8, -2, -1, -2, 2)),  # 1 and 3: halves are rounded down
    (("c2", "b1"), 0, (0, 0, -1, -2, 7)),
    (("a1", "c3"), 0, (150, 150, 146, 146, -138)),  # caught, the other is 4 away
    (("c3", "a1"), 1, (100, 96, 96, 96, -92)),
    (("c3", "a1"), 2, (50, 42, 46, 46, -46)),
    (("c3", "a1"), 3, (0, -12, -4, -4, 0)),
    (("c1",), 1, (-2, -2, -2, -4, 8)),  # alone he is both the nearest and the farthest
    (("c3",), 1, (100, 100, 100, 100, -100)),
    (("a1", "c1", "e4"), 1, (-9, -2, -2, -3, 6)),  # 4, 2 and 3
    (("a1", "c3", "e4"), 1, (100, 97, 97, 97, -94)),  # the others are 3 away in the mean
]


@pytest.mark.parametrize(("detectives", "rounds", "values"), BY_HAND)
def test_a_position_is_worth_what_the_thesis_says(detectives, rounds, values):
    s = place("c3", *detectives)
    distance = distances(s.record)
    found = [
        worth(new(Settings, depth=3, version=v)[0], s.record, distance, rounds) for v in range(1, 5)
    ]
    found.append(worth(new(Settings, depth=3, mr_x=1)[0], s.record, distance, rounds))
    assert tuple(found) == values


def test_distances_are_the_fewest_moves_without_the_ferry():
    for of in (london, grid):
        r = of.new(seed=1).record
        links = np.zeros((r.stations, r.stations))
        for a in range(r.stations):
            for n in range(r.degree[a]):
                links[a, r.to[a, n]] = r.kind[a, n] != 3
        expected = np.where(np.isinf(far := shortest_path(links, unweighted=True)), len(far), far)
        assert (distances(r) == expected).all()
    assert distances(london.new(seed=1).record)[108, 115] > 1


# --- the search ---


@pytest.mark.parametrize(
    ("detectives", "depth", "positions"), [(2, 2, 8), (2, 1, 20), (1, 3, 8), (3, 1, 8)]
)
def test_alpha_beta_finds_the_value_and_the_line_of_plain_minimax(detectives, depth, positions):
    rng = np.random.default_rng(depth * 10 + detectives)
    for _, who in product(range(positions), (1, 2, 3, 4, "mr x")):
        names = scatter(rng, detectives)
        turn = who if who == "mr x" else "detectives"
        s = place(*names, turn=turn)
        version = 1 if who == "mr x" else who
        found = look_ahead(s.buffer, distances(s.record), version, depth)
        x, *cops = map(spot, names)
        value, line = minimax(who, depth, 0, x, tuple(cops), turn)
        assert (found.value, [a % 200 for a in found.line]) == (value, flat(line)), (who, names)


def test_three_rounds_deep_too():
    for who, names in ((4, ("c3", "a1", "e4")), ("mr x", ("b2", "d1", "e5"))):
        turn = "mr x" if who == "mr x" else "detectives"
        s = place(*names, turn=turn)
        found = look_ahead(s.buffer, distances(s.record), 4, 3)
        x, *cops = map(spot, names)
        value, line = minimax(who, 3, 0, x, tuple(cops), turn)
        assert (found.value, [a % 200 for a in found.line]) == (value, flat(line))
        assert found.visited < 20_000


@pytest.mark.parametrize("of", [london, grid])
def test_a_search_takes_all_its_moves_back(of):
    """Tickets too, also those that go to Mr X."""
    s = of.new(seed=3, players=3).settle(stream("start"))
    before = clone(s.buffer)
    plies = 2 * 3 + 1
    settings = new(Settings, depth=2, mr_x=1, version=1)
    stack = (settings, np.zeros(plies, Frame), s.buffer, distances(s.record))
    pool, lines = np.zeros((plies, 2 * MAX_LINES), np.int64), np.zeros((plies, plies), np.int64)
    open_root(*stack, pool)
    search(*stack, pool, lines, 5)
    assert s.buffer.tobytes() != before.tobytes()
    while not search(*stack, pool, lines, SLICE):
        pass
    assert s.buffer.tobytes() == before.tobytes()


def test_the_depth_grows_as_far_as_the_positions_allow():
    s = london.new(seed=1).settle(stream("start"))
    distance = distances(s.record)
    assert look_ahead(s.buffer, distance, 1, 3, positions=1).depth == 1
    assert look_ahead(s.buffer, distance, 1, 3, positions=100_000).visited <= 100_000
    s = place("c3", "a1", "e5")
    distance = distances(s.record)
    limited, whole = (look_ahead(s.buffer, distance, 1, 3, n) for n in (POSITIONS, 0))
    assert (limited.depth, limited.value, limited.line) == (3, whole.value, whole.line)
    assert limited.visited > whole.visited


# --- the agent ---


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_detectives_catch_mr_x_where_they_can(version):
    rng = np.random.default_rng(version)
    caught = 0
    for _ in range(40):
        names = scatter(rng, 2)
        s = place(*names, turn="detectives", moves=2)
        x, *cops = map(spot, names)
        if any(x in line for line in joint_moves(tuple(cops))):
            play_round(s, team(3, version=version))
            assert s.over and s.returns == [0, 1, 1], names
            caught += 1
    assert caught > 3


def test_mr_x_goes_where_nobody_can_catch_him_at_once_if_there_is_such_a_place():
    rng = np.random.default_rng(7)
    choices = 0
    for _ in range(60):
        names = scatter(rng, 2)
        x, *cops = map(spot, names)
        reach = {c for line in joint_moves(tuple(cops)) for c in line}
        safe = {c for c in steps(x, cops) if c not in reach}
        if not safe or len(safe) == len(steps(x, cops)):
            continue
        s = place(*names)
        assert spot(s.text(agent().act(s.view(0)))) in safe, names
        choices += 1
    assert choices > 10


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_detectives_agree_on_one_line_and_follow_it_while_mr_x_hides(version):
    rng = np.random.default_rng(20 + version)
    followed = 0
    for _ in range(10):
        names = scatter(rng, 2)
        s = place(*names, turn="detectives", moves=2)
        found = look_ahead(s.buffer, distances(s.record), version, 3)
        agents = team(3, version=version)
        for planned in (found.line[0:2], found.line[3:5], found.line[6:8]):
            texts = [s.text(a) for a in planned]
            if s.over or len(texts) < 2:
                break
            made = play_round(s, agents)
            assert made == texts[: len(made)]
            if not s.over:
                s.apply(s.legal_actions[-1])  # Mr X does as he likes
            followed += 1
    assert followed > 15


def test_a_new_sight_of_mr_x_makes_a_new_line():
    s = place("e5", "a1", "a5", turn="detectives", moves=2)
    one = agent(seat=1)
    one.act(s.view(1))
    rounds = [(3, 1), (3, 2), (4, 0), (4, 1), (4, 2), (5, 0), (5, 1), (5, 2), (6, 0)]
    assert list(one.line) == rounds
    assert one.planned(s.view(1)) == one.line[3, 1]
    s.record.seen[4] = cell("c3")
    assert one.planned(s.view(1)) is None


def test_a_detective_can_live_with_partners_who_play_otherwise():
    options = grid.check({})
    for seed in range(5):
        agents = [random_agent(grid), random_agent(grid), agent(seat=2, version=4)]
        assert play_game(grid, options, agents, seed).faults == {}


def test_unseen_detectives_guess_or_move_at_random():
    """Mr X hides, but by all that is known he can only be at c3, next to the detective."""
    s = place("c3", "c2", turn="detectives", moves=3)
    s.record.seen[3] = -1
    view = s.view(1)
    assert view.record.station[0] == -1
    assert {view.text(agent(seat=1, unseen="guess").act(view)) for _ in range(5)} == {"c3"}
    wild = agent(seat=1, unseen="random")
    assert {view.text(wild.act(view)) for _ in range(60)} == {"b2", "d2", "c1", "c3"}


def test_what_an_agent_is_shown_it_leaves_as_it_is():
    s = place("c3", "a1", "e5", turn="detectives", moves=2)
    view = s.view(1)
    before = view.hash
    agent(seat=1).act(view)
    assert view.hash == before


@pytest.mark.parametrize(
    ("of", "options", "parameters"),
    [
        (grid, {}, {}),
        (grid, {"players": 2, "size": 3}, {"version": 2, "unseen": "random"}),
        (grid, {"players": 5, "size": 7, "surrounded": False}, {"version": 4, "positions": 20_000}),
        (grid, {"players": 3, "reveal": 5}, {"version": 3, "depth": 1}),
        (london, {"players": 3}, {"version": 4, "positions": 1000}),
        (london, {"players": 3, "edition": "later"}, {"positions": 1000}),
    ],
)
def test_whole_games_end_without_a_fault(of, options, parameters):
    options = of.check(options)
    played = play_game(of, options, team(options["players"], of, **parameters), seed=2)
    assert played.faults == {} and sum(played.returns[:2]) == 1


def test_detectives_who_search_beat_those_who_do_not():
    options, games = grid.check({}), 60
    wins = {"alphabeta": 0.0, "random": 0.0}
    for seed in range(games):
        wins["alphabeta"] += play_game(grid, options, team(3), seed).returns[1]
        hunters = [agent(), random_agent(grid), random_agent(grid)]
        wins["random"] += play_game(grid, options, hunters, seed).returns[1]
    assert wins["alphabeta"] > 0.85 * games
    assert wins["random"] < 0.5 * games


def test_detectives_who_are_told_win_as_the_thesis_had_it():
    """v1 92 %, v2 65 % there: the order, with room for chance."""
    v1, v2 = (omniscient_share(grid, games=50, seed=1, version=v) for v in (1, 2))
    assert v1 > 0.85 and v2 < v1


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"version": 5}, "version must be a whole number from 1 to 4"),
        ({"depth": 0}, "depth must be a whole number from 1"),
        ({"unseen": "truth"}, "one of guess, random"),
    ],
)
def test_a_bad_parameter_gets_one_clear_sentence(given, words):
    with pytest.raises(KostkaError, match=words):
        KINDS["alphabeta"].build(grid, given, "alphabeta")


def test_it_plays_no_other_game():
    with pytest.raises(KostkaError, match="not dicewars"):
        KINDS["alphabeta"].build(find_game("dicewars"), {}, "alphabeta")
