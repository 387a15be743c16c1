"""The longest road: any network against plain recursion, and who holds the card."""

import os
import random

import numpy as np
from island import longest, play, position

from kostka.core.game import game
from kostka.core.record import new
from kostka.games.catan.board import EDGE_NODE, NODE_EDGE, NODES, PATHS
from kostka.games.catan.roads import longest_road

#: Networks to try; the full number is for a quiet machine.
NETWORKS = int(os.environ.get("KOSTKA_ROAD_NETWORKS", "1000"))


def network(lot: random.Random):
    """Roads of player 0 that mostly hang together, and buildings of both players on them."""
    s = new(game("catan").dtype)[0]
    s.players = 2
    reached = [lot.randrange(NODES)]
    count = lot.randint(1, 15)
    while count:
        v = lot.randrange(NODES) if lot.random() < 0.05 else lot.choice(reached)
        e = int(lot.choice(NODE_EDGE[v]))
        if s.road[e] == 0:
            s.road[e] = 1
            reached += [int(n) for n in EDGE_NODE[e]]
            count -= 1
    for e in range(PATHS):
        if s.road[e]:
            s.reached[0] |= np.uint64(sum(1 << int(n) for n in EDGE_NODE[e]))
    s.roads_left[0] = 15 - int((s.road == 1).sum())
    for v in set(reached):
        p = lot.choice((0, 1, -1, -1, -1, -1))
        if p >= 0:
            s.settlements[p] |= np.uint64(1 << v)
            s.built |= np.uint64(1 << v)
    return s


def test_any_network_has_the_length_that_plain_recursion_finds():
    lengths = set()
    for seed in range(NETWORKS):
        s = network(random.Random(seed))
        before = s.tobytes()
        assert longest_road(s, 0) == longest(s, 0), f"seed {seed}"
        assert s.tobytes() == before
        lengths.add(longest(s, 0))
    assert lengths >= set(range(1, 13))


#: Round the desert, hex J: a ring of six; and from there to the north-east.
RING = ["18-24", "24-30", "30-35", "29-35", "23-29", "18-23"]


def test_a_ring_counts_as_a_whole():
    assert position(roads={0: RING}).record.length[0] == 6


def test_a_ring_with_a_tail_counts_with_it():
    assert position(roads={0: [*RING, "13-18", "9-13"]}).record.length[0] == 8


def test_of_a_fork_only_the_longer_branch_counts():
    fork = ["18-24", "24-30", "30-35", "24-19", "19-25", "25-31"]
    assert longest_road(position(roads={0: fork}).record, 0) == 5


def test_own_buildings_do_not_cut_a_road_and_those_of_others_do():
    road = ["18-24", "24-30", "30-35", "35-40", "40-44", "39-44"]
    own = position(roads={0: road}, settlements={0: [30]})
    assert longest_road(own.record, 0) == 6
    foreign = position(roads={0: road}, settlements={1: [30]})
    assert longest_road(foreign.record, 0) == 4
    at_the_end = position(roads={0: road}, settlements={1: [39]})
    assert longest_road(at_the_end.record, 0) == 6


# --- who holds the card ---

FIVE = ["18-24", "24-30", "30-35", "35-40", "40-44"]
#: Player 1 has a road that ends one path away from an intersection in the midst of the five.
PASSING = ["36-41", "30-36"]
BUILD = "wood + brick + wool + grain"


def test_the_card_is_for_a_road_of_five():
    s = position(roads={0: FIVE[:4]}, hands={0: "wood + brick"})
    assert s.record.road_holder == -1
    assert play(s, "road 40-44").record.road_holder == 0


def test_who_has_the_card_keeps_it_in_a_tie():
    other = ["0-3", "3-7", "7-12", "12-17"]
    s = position(roads={0: other, 1: FIVE}, hands={0: "2 wood + 2 brick"})
    assert s.record.road_holder == 1
    assert play(s, "road 17-22").record.road_holder == 1
    assert play(s, "road 16-22").record.road_holder == 0


def cut(others: dict[int, list[str]]):
    """Player 0 settles in the midst of player 1's road, which is then of 2 and 3."""
    roads = {0: PASSING, 1: FIVE, **others}
    s = position(roads=roads, hands={0: BUILD})
    assert s.record.road_holder == 1
    return play(s, "settle 30").record


def test_a_road_that_is_cut_below_five_loses_the_card_though_nobody_has_more():
    s = cut({})
    assert s.length[1] == 3
    assert s.road_holder == -1


def test_a_cut_road_of_four_does_not_keep_the_card():
    six = [*FIVE, "39-44"]
    s = position(roads={0: PASSING, 1: six}, hands={0: BUILD})
    play(s, "settle 30")
    assert s.record.length[1] == 4
    assert s.record.road_holder == -1


NORTH = ["0-3", "3-7", "7-12", "12-17", "17-22"]
SOUTH = ["43-47", "47-51", "48-51", "48-52", "49-52"]


def test_after_a_cut_the_only_road_of_five_gets_the_card():
    longer = [*FIVE, "39-44"]
    s = position(roads={0: PASSING, 1: longer, 2: NORTH}, hands={0: BUILD})
    assert s.record.road_holder == 1
    assert play(s, "settle 30").record.road_holder == 2


def test_after_a_cut_the_card_is_set_aside_if_two_others_are_equally_long():
    longer = [*FIVE, "39-44"]
    roads = {0: PASSING, 1: longer, 2: NORTH, 3: SOUTH}
    s = position(roads=roads, hands={0: BUILD})
    assert play(s, "settle 30").record.road_holder == -1


def test_a_card_set_aside_goes_to_who_is_alone_ahead():
    s = position(roads={0: NORTH, 1: SOUTH}, settlements={0: [22]}, hands={0: "wood + brick"})
    assert s.record.road_holder == -1
    assert play(s, "road 22-28").record.road_holder == 0


def test_a_cut_holder_keeps_the_card_if_what_is_left_is_still_longest():
    long = ["0-3", "3-7", "7-12", "12-17", "17-23", "18-23", "18-24", "24-30", "30-35"]
    s = position(roads={0: PASSING, 1: long, 2: SOUTH}, hands={0: BUILD})
    play(s, "settle 30")
    assert s.record.length[1] == 8
    assert s.record.road_holder == 1
