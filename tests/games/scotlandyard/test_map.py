"""The map of London and the grid, against counts made from the printed board."""

import hashlib
from collections import Counter

import pytest

from kostka.games.scotlandyard import game, grid

NAMES = ("taxi", "bus", "underground", "ferry")
TAXI, BUS, UNDERGROUND, FERRY = range(4)

#: All 468 edges, one a line, as in ``1-8 taxi``; sorted by station, then in the order of NAMES.
EDGES_SHA256 = "0b177e70a9b1d14333da91e1774d113c479f361f54904d40a571227f40983d2f"

LINES = (
    "1-46 13-46 13-67 13-89 46-74 46-79 67-79 67-89 67-111 79-93 79-111 89-128 89-140 111-153 "
    "111-163 128-140 128-185 140-153 153-163 153-185"
)
UNDERGROUND_STATIONS = {1, 13, 46, 67, 74, 79, 89, 93, 111, 128, 140, 153, 163, 185}
CARDS = {13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 132, 138, 141, 155, 174, 197, 198}


def links(state):
    """Every link as (from, to, kind), as the record lists them."""
    s = state.record
    return [
        (i, int(s.to[i, n]), int(s.kind[i, n]))
        for i in range(len(s.degree))
        for n in range(s.degree[i])
    ]


def edges(state):
    return {(i, j, kind) for i, j, kind in links(state) if i < j}


def neighbours(state, kinds=range(4)):
    near = {}
    for i, j, kind in links(state):
        if kind in kinds:
            near.setdefault(i, set()).add(j)
    return near


def distances(near, start):
    """Breadth-first search."""
    found, queue = {start: 0}, [start]
    for i in queue:
        for j in near[i] - found.keys():
            found[j] = found[i] + 1
            queue.append(j)
    return found


@pytest.fixture(scope="module")
def london():
    return game.new(seed=1)


@pytest.fixture(scope="module")
def later():
    return game.new(seed=1, edition="later")


def test_london_has_199_stations_numbered_from_1(london):
    assert set(neighbours(london)) == set(range(1, 200))
    assert london.record.degree[0] == 0


def test_there_are_346_taxi_99_bus_20_underground_and_3_ferry_edges(london):
    assert Counter(kind for *_, kind in edges(london)) == {
        TAXI: 346,
        BUS: 99,
        UNDERGROUND: 20,
        FERRY: 3,
    }


def test_every_edge_is_that_of_the_printed_board(london):
    text = "".join(f"{i}-{j} {NAMES[kind]}\n" for i, j, kind in sorted(edges(london)))
    assert hashlib.sha256(text.encode()).hexdigest() == EDGES_SHA256


@pytest.mark.parametrize("state", [game.new(seed=1), grid.new(seed=1), grid.new(seed=1, size=14)])
def test_one_can_go_back_the_way_one_came_and_no_link_is_listed_twice(state):
    found = links(state)
    assert len(set(found)) == len(found)
    assert {(j, i, kind) for i, j, kind in found} == set(found)
    assert all(i != j for i, j, _ in found)


def test_the_underground_and_the_ferry_run_where_the_board_draws_them(london):
    def of(kind):
        return {f"{i}-{j}" for i, j, k in edges(london) if k == kind}

    assert of(UNDERGROUND) == set(LINES.split())
    assert set(neighbours(london, [UNDERGROUND])) == UNDERGROUND_STATIONS
    assert of(FERRY) == {"108-115", "115-157", "157-194"}


def test_every_station_has_a_taxi_62_a_bus_and_135_nothing_else(london):
    taxi, bus, more = (neighbours(london, kinds) for kinds in ([TAXI], [BUS], [UNDERGROUND, FERRY]))
    assert (len(taxi), len(bus)) == (199, 62)
    assert set(bus) >= UNDERGROUND_STATIONS
    assert len(taxi.keys() - bus.keys() - more.keys()) == 135


def test_a_station_has_2_to_13_neighbours_and_67_is_the_hub(london):
    count = {i: len(near) for i, near in neighbours(london).items()}
    assert min(count.values()) == 2
    assert [i for i, n in count.items() if n == 13] == [67]
    assert max(count.values()) == 13


def test_london_is_10_moves_wide_and_20_by_taxi(london):
    def width(kinds):
        near = neighbours(london, kinds)
        return max(max(distances(near, i).values()) for i in near)

    assert all(len(distances(neighbours(london), i)) == 199 for i in (1, 100, 199))
    assert width(range(4)) == 10
    assert width([TAXI]) == 20
    near = neighbours(london)
    assert distances(near, 7)[121] == distances(near, 30)[164] == 10


def test_no_two_start_cards_are_neighbours(london):
    near = neighbours(london)
    assert not any(near[i] & CARDS for i in CARDS)


def test_the_later_board_lacks_only_the_taxi_between_13_and_14(london, later):
    assert edges(london) - edges(later) == {(13, 14, TAXI)}
    assert edges(later) < edges(london)


@pytest.mark.parametrize("size", [3, 5, 8, 14])
def test_a_grid_links_the_cells_above_below_left_and_right(size):
    state = grid.new(seed=1, size=size)
    expected = set()
    for row in range(size):
        for column in range(size):
            cell = row * size + column
            if column + 1 < size:
                expected.add((cell, cell + 1, TAXI))
            if row + 1 < size:
                expected.add((cell, cell + size, TAXI))
    assert edges(state) == expected
    assert len(expected) == 2 * size * (size - 1)
