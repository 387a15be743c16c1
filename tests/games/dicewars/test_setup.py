"""Boards, owners and dice of Dice Wars against the numbers measured in the original engines."""

import functools

import numpy as np
import pytest

from kostka.core import rules
from kostka.core.errors import KostkaError
from kostka.core.kernels import kernel
from kostka.core.record import canonical
from kostka.core.rng import stream
from kostka.games.dicewars.setup import start
from kostka.games.dicewars.state import ATTACK, COLUMNS, MAX_AREAS, MAX_DICE, ROWS, SEA, State

#: Of 300 boards of the original: the share in percent of areas with one, two … neighbours.
DEGREES = (0, 9, 21, 28, 25, 13, 3, 0.3)


@kernel
def deal_all(states, rng):
    for i in range(len(states)):
        rules.deal(states[i], rng)


@functools.cache
def dealt(count, players=4, edition=2019, areas=0, seed=1):
    """So many games set up, as an array of records."""
    states = np.zeros(count, State)
    for s in states:
        start(s, {"players": players, "edition": edition, "areas": areas})
    deal_all(states, stream(seed))
    return states


def adjacency(states):
    """A matrix of neighbours for each board."""
    shifts = np.arange(MAX_AREAS, dtype=np.uint64)
    return (states["neighbours"][:, :, None] >> shifts & np.uint64(1)).astype(np.int64)


def distances(states):
    """The steps between any two areas of each board; the number of areas where there is no way."""
    used = np.arange(MAX_AREAS) < states["areas"][:, None]
    step = np.minimum(adjacency(states) + np.eye(MAX_AREAS, dtype=np.int64), 1).astype(np.float32)
    reached, far = np.eye(MAX_AREAS, dtype=np.float32)[None] + 0 * step, 0 * step
    for _ in range(int(states["areas"].max())):
        far += reached == 0
        reached = np.minimum(reached @ step, 1)
    return np.where(used[:, :, None] & used[:, None, :], far, 0).astype(int)


@functools.cache
def touching():
    """All pairs of hexes that share a side, from where their middles lie."""
    rows, columns = np.divmod(np.arange(ROWS * COLUMNS), COLUMNS)
    x, y = columns + rows % 2 / 2, rows * np.sqrt(3) / 2
    far = np.hypot(x[:, None] - x, y[:, None] - y)
    return np.nonzero((far > 0.5) & (far < 1.1))


def pieces(members, pairs):
    """Into how many connected pieces some things fall."""
    members, count = set(members), 0
    while members:
        count += 1
        front = {members.pop()}
        while front:
            front = {b for a, b in pairs if a in front and b in members}
            members -= front
    return count


def dice_of(s):
    return [int(s.dice[s.owner == p].sum()) for p in range(s.players)]


# --- boards ---


def test_a_board_of_2019_has_29_to_31_areas_each_as_often():
    numbers, counts = np.unique(dealt(600)["areas"], return_counts=True)
    assert numbers.tolist() == [29, 30, 31]
    assert (abs(counts - 200) < 50).all()


@pytest.mark.parametrize(("edition", "edges"), [(2019, 48.6), (2021, 57.3)])
def test_boards_have_as_many_borders_as_the_original(edition, edges):
    found = adjacency(dealt(600, edition=edition)).sum((1, 2)) / 2
    assert found.mean() == pytest.approx(edges, abs=1)
    assert found.min() > 30
    assert found.max() < 80


def test_areas_have_as_many_neighbours_as_in_the_original():
    states = dealt(600)
    degrees = adjacency(states).sum(2)[np.arange(MAX_AREAS) < states["areas"][:, None]]
    shares = np.bincount(np.minimum(degrees, 7), minlength=8) / len(degrees) * 100
    assert shares == pytest.approx(DEGREES, abs=3)
    assert shares[0] == 0


def test_areas_are_as_large_as_in_the_original():
    sizes = [np.bincount(s.hexes[s.hexes != SEA]) for s in dealt(600)]
    assert np.concatenate(sizes).mean() == pytest.approx(15.3, abs=0.3)
    assert min(map(min, sizes)) == 12
    assert max(map(max, sizes)) <= 24


def test_boards_are_as_wide_as_in_the_original():
    widths = distances(dealt(600)).max((1, 2))
    assert widths.mean() == pytest.approx(9.2, abs=0.4)
    assert 5 <= widths.min() <= 7
    assert 12 <= widths.max() <= 19


@pytest.mark.parametrize("areas", [0, 8, 44, 60])
def test_one_can_go_from_any_area_to_any_other(areas):
    states = dealt(100, areas=areas)
    assert (distances(states).max((1, 2)) < states["areas"]).all()


@pytest.mark.parametrize("areas", [0, 60])
def test_neighbours_are_those_that_share_the_side_of_a_hex(areas):
    for s in dealt(100, areas=areas)[:25]:
        a, b = (s.hexes[h] for h in touching())
        expected = {(i, j) for i, j in zip(a, b, strict=True) if i != j and SEA not in (i, j)}
        found = {(i, j) for i in range(MAX_AREAS) for j in range(MAX_AREAS) if has(s, i, j)}
        assert found == expected
        assert found == {(j, i) for i, j in found}


def has(s, i, j):
    return int(s.neighbours[i]) >> j & 1


def test_each_area_is_in_one_piece():
    pairs = list(zip(*touching(), strict=True))
    for s in dealt(100)[:3]:
        for area in range(s.areas):
            own = set(np.nonzero(s.hexes == area)[0])
            assert pieces(own, [(a, b) for a, b in pairs if a in own and b in own]) == 1


@pytest.mark.parametrize("areas", [8, 20, 44, 45, 60])
def test_a_board_has_as_many_areas_as_asked_for(areas):
    for s in dealt(100, areas=areas):
        assert set(s.hexes) == {SEA, *range(areas)}
        assert s.areas == areas


def test_the_same_seed_gives_the_same_game():
    again = [canonical(dealt.__wrapped__(20, seed=7)[i : i + 1]) for i in range(20)]
    assert again == [canonical(dealt(20, seed=7)[i : i + 1]) for i in range(20)]
    assert len(set(again)) == 20
    assert canonical(dealt(20, seed=8)[:1]) not in again


# --- options ---


def test_a_game_starts_with_the_first_player_and_no_attack():
    s = dealt(20)[0]
    assert (s.phase, s.player, s.source, s.target, s.won) == (ATTACK, 0, -1, -1, -1)
    assert (s.quiet_limit, s.battle_limit) == (8, 10_000)
    assert not s.reserve.any()


def test_only_2021_has_transfers_wear_and_a_small_reserve():
    for edition, expected in ((2019, (0, 0, 0)), (2020, (0, 0, 0)), (2021, (6, 4, 24))):
        s = dealt(20, edition=edition)[0]
        assert (s.transfer_limit, s.wear, s.reserve_base) == expected


def test_limits_can_be_chosen():
    s = np.zeros(1, State)[0]
    start(s, {"players": 2, "edition": 2019, "areas": 0, "quiet": 3, "battles": 99})
    assert (s.quiet_limit, s.battle_limit) == (3, 99)


@pytest.mark.parametrize("areas", [1, 7, 61])
def test_a_board_of_a_size_that_cannot_be_is_refused(areas):
    s = np.zeros(1, State)[0]
    with pytest.raises(KostkaError, match=f"areas must be 8 to 60, .* not {areas}"):
        start(s, {"players": 2, "edition": 2019, "areas": areas})
    assert s == np.zeros(1, State)[0]


# --- owners ---


@pytest.mark.parametrize("edition", [2019, 2020])
@pytest.mark.parametrize("players", [2, 4, 7, 8])
def test_areas_are_dealt_round_so_that_low_seats_get_the_surplus(players, edition):
    for s in dealt(100, players, edition):
        fair, surplus = divmod(int(s.areas), players)
        expected = [fair + (p < surplus) for p in range(players)]
        assert s.held[:players].tolist() == expected
        assert np.bincount(s.owner[: s.areas]).tolist() == expected


def test_every_area_may_fall_to_every_player():
    owners = dealt(600)["owner"][:, :29]
    for player in range(4):
        assert (owners == player).mean(0) == pytest.approx(np.full(29, 0.25), abs=0.1)


@pytest.mark.parametrize("players", [2, 4, 8])
def test_in_2021_everybody_starts_in_one_piece(players):
    for s in dealt(100, players, 2021):
        assert s.held.sum() == 34
        for p in range(players):
            own = np.nonzero(s.owner[:34] == p)[0]
            assert len(own) == s.held[p] > 0
            assert pieces(own, [(a, b) for a in own for b in own if has(s, a, b)]) == 1


def test_in_2021_who_is_boxed_in_stops_so_that_players_are_very_unequal():
    held = dealt(600, 4, 2021)["held"][:, :4]
    assert held.min() == 1
    assert 18 <= held.max() <= 31


# --- dice ---


@pytest.mark.parametrize("edition", [2019, 2020, 2021])
@pytest.mark.parametrize("players", [2, 3, 8])
def test_every_area_has_one_to_eight_dice(players, edition):
    for s in dealt(100, players, edition):
        assert s.dice[: s.areas].min() >= 1
        assert s.dice.max() <= MAX_DICE


@pytest.mark.parametrize("players", [2, 4, 7])
def test_in_2019_about_three_dice_an_area_are_split_evenly(players):
    missing = set()
    for s in dealt(100, players):
        left = sum(dice_of(s))
        missing.add(int(3 * s.areas - left))
        for p, dice in enumerate(dice_of(s)):
            assert dice == round(left / (players - p))
            left -= dice
    assert missing == {0, 1, 2, 3, 4, 5}


@pytest.mark.parametrize(("players", "dice"), [(2, [45, 42]), (4, [24, 21, 21, 21])])
def test_in_2020_every_one_of_29_areas_has_three_dice(players, dice):
    for s in dealt(100, players, 2020):
        assert s.areas == 29
        assert (s.dice[:29] == 3).all()
        assert dice_of(s) == dice


@pytest.mark.parametrize(("players", "dice"), [(2, 35), (4, 18), (8, 9)])
def test_in_2021_all_get_the_same_dice_as_far_as_their_areas_take_them(players, dice):
    for s in dealt(100, players, 2021):
        held = s.held[:players].tolist()
        assert dice_of(s) == [min(max(dice, n), MAX_DICE * n) for n in held]
