"""The rules in sentences, each on a board made by hand."""

import numpy as np
import pytest
from byhand import BAY, CAP, CROSS, HILL, MEADOW, OPEN_SEA, PEAK, WAY, begin, brings, play

from kostka.core.errors import KostkaError
from kostka.core.game import game
from kostka.core.rng import stream
from kostka.core.state import OVER, State, load
from kostka.games.carcassonne.actions import PASS, PUT, TAKE

# --- the turn ---


def test_the_set_has_84_tiles_with_the_start_tile_59_of_them_documented():
    for name, tiles, kinds in (("standard", 84, 70), ("documented", 59, 45)):
        r = game("carcassonne").new(seed=1, tiles=name).record
        assert (r.left + r.laid, r.types) == (tiles, kinds)


def test_every_side_that_touches_a_tile_must_match_it():
    s = begin(CAP, CAP).apply("b")
    assert s.why_not("0,1/2") is None
    assert s.why_not("0,1/0") == "the north side must be grassland"
    assert s.why_not("1,0/1") == "the west side must be sea"
    assert s.why_not("5,5/0") == "no tile lies next to 5,5"
    assert s.why_not("0,0/0") == "a tile lies there already"
    assert s.why_not("0,1/4") == "a tile can be turned 0 to 3 times to the right, not 4 times"


def test_rotations_that_look_the_same_are_one_action():
    s = begin(CAP, WAY, OPEN_SEA)
    b = s.copy().apply("b")
    assert {b.text(a)[-1] for a in b.legal_actions} == {"0", "1"}
    assert b.why_not("0,1/2") == "turned so it looks the same as 0,1/0"
    c = s.copy().apply("c")
    assert {c.text(a)[-1] for a in c.legal_actions} == {"0"}


def test_to_put_comes_before_to_take_and_that_before_to_pass():
    s = play(begin(CAP, CAP, WAY), "c 0,1/0 put 1", "b 1,0/0 pass").apply("b").apply("-1,0/0")
    assert s.legal_actions == [PUT, PUT + 1, TAKE, PASS]


def test_nobody_may_join_a_region_on_which_somebody_stands_not_even_oneself():
    s = play(begin(CAP, WAY), "b 0,1/0 put 1").apply("b").apply("0,2/0")
    assert s.why_not("put 1") == "a follower of Blue stands on that region"
    s.apply("pass").apply("b").apply("0,3/0")
    assert s.why_not("put 1") == "your own follower stands on that region"
    assert s.why_not("put 3") == "this tile has no region 3; its regions are 0 to 2"
    assert s.why_not("put 6") == "there is no region 6; regions are numbered from 0 to 5"
    assert s.why_not("take 1") == "follower 1 is not on the board"
    assert s.why_not("take 4") == "there is no follower 4; followers are numbered from 0 to 3"


def test_a_region_that_two_segments_of_the_tile_share_can_be_entered_once():
    two = {"sides": [0, 1, 2, 2], "regions": ["sea", "sea", "grassland"]}
    two["touching"] = [[0, 2], [1, 2]]
    s = play(begin(OPEN_SEA, two, OPEN_SEA), "c 1,0/0 pass", "c 1,1/0 pass")
    s.apply("b").apply("0,1/0")
    assert [s.text(a) for a in s.legal_actions] == ["put 0", "put 2", "pass"]
    assert s.why_not("put 1") == "regions 0 and 1 of this tile are one: put 0"


def test_who_has_all_four_followers_out_takes_one_back_first():
    s = begin(OPEN_SEA, CROSS, count=16, players=2)
    for x in range(4):
        for y in (x + 1, -x - 1):
            play(s, f"b 0,{y}/0 put {1 if y > 0 else 3}")
    s.apply("b").apply("0,5/0")
    assert s.why_not("put 1") == "you have no follower left; take one back first"
    assert [s.text(a) for a in s.legal_actions] == ["take 0", "take 1", "take 2", "take 3", "pass"]


def test_a_follower_may_go_onto_a_region_that_the_tile_has_just_closed():
    s = begin(CAP, CAP).apply("b").apply("0,1/2")
    assert s.why_not("put 1") is None


def test_followers_whose_regions_merge_each_bring_the_whole_value():
    s = begin(OPEN_SEA, CAP, OPEN_SEA, WAY)
    play(s, "b 1,0/0 put 1", "c 0,1/0 pass", "c 0,2/0 pass", "b 1,2/2 put 1", "d 1,1/0 take 0")
    assert brings(s, "c", "-1,0/0", "take 0") == 6
    assert s.scores == [6, 6]


# --- what a follower brings ---


def test_grassland_brings_a_point_a_tile_and_two_when_it_is_closed():
    s = play(begin(CAP, CAP, WAY), "c 0,1/0 put 1", "b 1,0/0 pass")
    assert brings(s.copy(), "c", "0,2/0", "take 0") == 3
    assert brings(s.copy(), "b", "0,2/2", "take 0") == 6


@pytest.mark.parametrize(("small", "points"), [("open", 2), ("closed", 4)])
def test_a_closed_region_of_two_tiles_counts_as_open_but_by_the_option(small, points):
    s = play(begin(CAP, CAP, small=small), "b 0,1/2 put 1", "b 1,0/0 pass")
    assert brings(s, "b", "-1,0/0", "take 0") == points


@pytest.mark.parametrize(("small", "points"), [("open", 0), ("closed", 1)])
def test_an_inner_sea_is_closed_with_one_tile(small, points):
    s = begin(OPEN_SEA, CROSS, small=small)
    play(s, "b 0,1/0 put 4", "b 0,2/0 pass")
    assert brings(s, "b", "0,3/0", "take 0") == points


def test_sea_brings_its_cities_and_when_it_is_closed_its_tiles_too():
    bay = {**CAP, "sides": [1, 1, 0, 1], "cities": [[0, 1]]}
    sound = {**WAY, "regions": ["grassland", "sea", "grassland"], "cities": [[0, 1], [1, 2]]}
    s = play(begin(bay, bay, sound), "c 0,1/0 put 1", "b 1,0/0 pass")
    assert brings(s.copy(), "c", "0,2/0", "take 0") == 1 + 2 + 2
    assert brings(s.copy(), "b", "0,2/2", "take 0") == 1 + 2 + 1 + 3


def test_mountains_bring_the_cities_of_all_grassland_beside_them_and_twice_that_when_closed():
    ridge = {**WAY, "regions": ["grassland", "mountain", "grassland"]}
    s = play(begin(HILL, HILL, BAY, ridge), "d 0,1/0 put 1", "c 1,0/1 pass")
    assert brings(s.copy(), "c", "-1,0/3", "take 0") == 2
    assert brings(s.copy(), "c", "2,0/1", "take 0") == 2, "however far the grassland stretches"
    assert brings(s.copy(), "b", "0,2/2", "take 0") == 2 * 1


def test_a_city_is_counted_once_even_where_mountains_reach_it_by_several_ways():
    ridge = {**WAY, "regions": ["grassland", "mountain", "grassland"]}
    s = play(begin(HILL, HILL, BAY, ridge, MEADOW), "d 0,1/0 put 1", "c 1,0/1 pass")
    play(s, "e 1,1/0 pass", "e 2,1/0 pass")  # both tiles of the ridge touch this grassland
    assert brings(s, "e", "2,0/0", "take 0") == 1


def test_a_city_between_mountains_and_sea_counts_for_the_mountains():
    coast = {**CAP, "regions": ["sea", "mountain"], "cities": [[0, 1]]}
    s = play(begin(coast, coast, PEAK), "c 0,1/0 put 0", "b 1,0/0 pass")
    assert brings(s, "b", "-1,1/3", "take 0") == 2


# --- tiles that fit nowhere ---


def test_a_tile_that_fits_nowhere_leaves_the_game_and_the_same_player_draws_again():
    s = begin(CAP, CAP, PEAK, count=2)
    assert s.outcomes == [(1, 0.5), (2, 0.5)]
    s.apply("c")
    assert (s.phase, s.record.player, s.record.discarded, s.record.unfit) == ("draw", 0, 1, 2)
    s.apply("b").apply("0,1/2").apply("pass")
    assert (s.record.player, s.record.unfit) == (1, -1)


def test_by_the_option_a_tile_that_fits_nowhere_returns_to_the_bag():
    s = begin(CAP, CAP, PEAK, count=2, unplaceable="return")
    assert s.outcomes == [(1, 1.0)]
    play(s, "b 0,1/2 pass", "b 1,0/0 pass")
    assert s.mover == OVER and s.record.left == 2


def test_when_the_last_tiles_are_discarded_the_game_is_over():
    s = begin(CAP, CAP, PEAK, count=1)
    play(s, "b 0,1/2 put 1").apply("c")
    assert s.mover == OVER and s.scores == [2, 0]


def test_a_set_of_only_a_start_tile_is_over_at_once():
    assert begin(CAP).mover == OVER


# --- the end ---


@pytest.mark.parametrize(("end", "points"), [("open", 3), ("as-is", 6), ("closed", 6)])
def test_at_the_end_everything_left_counts_as_the_option_says(end, points):
    s = begin(CAP, WAY, CAP, count=1, end=end)
    play(s, "b 0,1/0 put 1", "c 0,2/2 pass")
    assert s.mover == OVER and s.scores == [points, 0]


@pytest.mark.parametrize(("small", "points"), [("open", 2), ("closed", 4)])
def test_at_an_end_that_is_closed_small_regions_stay_open_but_by_their_option(small, points):
    s = play(begin(CAP, WAY, count=1, end="closed", small=small), "b 0,1/0 put 1")
    assert s.mover == OVER and s.scores == [points, 0]


def test_most_points_win_and_those_who_have_as_many_share_the_win():
    s = play(begin(CAP, WAY, count=1, players=3), "b 0,1/0 put 1")
    assert s.returns == [1, 0, 0]
    s = play(begin(CAP, WAY, count=1, players=3), "b 0,1/0 pass")
    assert s.returns == pytest.approx([1 / 3] * 3)


def turns_of(s: State, seed: int) -> list[int]:
    """How many turns each player had, in a random game."""
    luck, turns = stream(seed, "luck"), [0] * s.players
    while not s.settle(luck).over:
        turns[s.mover] += s.phase == "place"
        s.apply(s.legal_actions[-1])
    return turns


@pytest.mark.parametrize(("players", "turns"), [(2, 41), (3, 27), (4, 20), (5, 16)])
def test_with_equal_turns_the_tiles_that_are_too_many_stay_out_of_play(players, turns):
    new = game("carcassonne").new
    assert turns_of(new(seed=1, players=players, equal=True), 7) == [turns] * players
    assert sum(turns_of(new(seed=1, players=players), 7)) == 83


# --- luck ---


def drawn(seed: int, choose) -> list[int]:
    """The order of the tiles in a game under some luck."""
    s, luck, found = game("carcassonne").new(seed=1), stream(seed, "luck"), []
    while not s.over:
        if s.mover >= 0:
            legal = s.legal_actions
            s.apply(legal[choose(len(legal))])
        else:
            found.append(s.draw(luck))
            s.apply(found[-1])
    return found


def test_the_order_of_the_tiles_does_not_depend_on_how_is_played():
    dice = np.random.default_rng(1)
    first = drawn(5, lambda n: 0)
    assert drawn(5, lambda n: n - 1) == first
    assert drawn(5, lambda n: int(dice.integers(n))) == first
    assert drawn(6, lambda n: 0) != first
    assert len(first) == 83


# --- positions from elsewhere ---


def test_a_position_of_another_tile_set_is_refused_with_its_name():
    s = begin(CAP, CAP)
    with pytest.raises(KostkaError, match="played with the tile set 'by-hand', not 'standard'"):
        load(s.game, s.game.check({}), s.code)
