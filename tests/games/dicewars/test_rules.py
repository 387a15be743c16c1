"""The rules of Dice Wars, written from the rule text alone: boards by hand, moves in notation."""

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kostka.core.errors import IllegalAction, KostkaError
from kostka.core.game import game as find_game
from kostka.core.play import uniform as take_any
from kostka.core.record import new
from kostka.core.rng import stream
from kostka.core.rules import policy
from kostka.core.state import CHANCE, OVER, State, load
from kostka.games.dicewars import game
from kostka.games.dicewars.rules import note_dice, note_owners

EDITIONS = (2019, 2020, 2021)
NEW_RULES = {2019: (0, 0, 0), 2020: (0, 0, 0), 2021: (6, 4, 24)}


def board(links, owners, dice, *, players=None, player=0, edition=2019, **fields):
    """A position by hand: ``board("0-1 1-2", owners="001", dice="321")``; area i is the i-th digit.

    Without links the areas lie in a row.
    """
    n = len(owners)
    assert len(dice) == n
    one = new(game.dtype)
    s = one[0]
    pairs = [tuple(map(int, link.split("-"))) for link in links.split()]
    for i, j in pairs or [(i, i + 1) for i in range(n - 1)]:
        s.neighbours[i] |= 1 << j
        s.neighbours[j] |= 1 << i
    s.owner[:n] = [int(c) for c in owners]
    s.dice[:n] = [int(c) for c in dice]
    s.areas = n
    s.players = players or max(2, 1 + max(s.owner))
    note_owners(s)
    note_dice(s)
    s.player = player
    s.edition = edition
    s.transfer_limit, s.wear, s.reserve_base = NEW_RULES[edition]
    s.quiet_limit, s.battle_limit = 8, 10_000
    s.source = s.target = s.won = -1
    for name, value in fields.items():
        if isinstance(value, tuple):
            s[name][: len(value)] = value
        else:
            s[name] = value
    return State(game, game.check({"players": int(s.players), "edition": edition}), one)


def row(owners, dice, **more):
    """Areas in a row, each touching the next."""
    return board("", owners, dice, **more)


def play(s, moves):
    """Carry out moves and outcomes in notation, separated by blanks."""
    for move in moves.split():
        s.apply(move)
    return s


def owners(s):
    return "".join(str(p) for p in s.record.owner[: s.record.areas])


def dice(s):
    return "".join(str(d) for d in s.record.dice[: s.record.areas])


def legal(s):
    return {s.text(a) for a in s.legal_actions}


def odds(s):
    """What luck can bring, by notation."""
    return {s.text(a): p for a, p in s.outcomes}


def neighbours(s):
    masks = [int(m) for m in s.record.neighbours[: s.record.areas]]
    return [[j for j in range(len(masks)) if m >> j & 1] for m in masks]


def largest_region(links, owner, player):
    """Breadth-first search, written anew."""
    best, seen = 0, set()
    for start in range(len(owner)):
        if owner[start] != player or start in seen:
            continue
        seen.add(start)
        queue = [start]
        for i in queue:
            for j in links[i]:
                if owner[j] == player and j not in seen:
                    seen.add(j)
                    queue.append(j)
        best = max(best, len(queue))
    return best


@cache
def sums(n):
    """How many of the 6ⁿ throws of n dice give each sum: every single throw is looked at."""
    return Counter(map(sum, product(range(1, 7), repeat=n)))


@cache
def chance_to_win(attackers, defenders):
    """The exact share of throws in which the attacker's sum is higher."""
    wins = sum(
        count * other
        for total, count in sums(attackers).items()
        for against, other in sums(defenders).items()
        if total > against
    )
    return Fraction(wins, 6 ** (attackers + defenders))


# --- attacks ---


def test_an_attack_goes_from_an_own_area_to_an_adjacent_enemy_area():
    s = row("00112", "32222")
    assert legal(s) == {"1>2", "end"}


def test_an_area_attacks_every_enemy_it_touches():
    s = board("0-1 0-2 0-3 1-2", "0120", "5382")
    assert legal(s) == {"0>1", "0>2", "end"}


def test_an_attack_needs_two_dice():
    assert legal(row("01", "18")) == {"end"}
    assert legal(row("01", "28")) == {"0>1", "end"}


def test_only_the_player_to_move_attacks():
    s = row("0011", "3333", player=1)
    assert s.mover == 1
    assert legal(s) == {"2>1", "end"}


def test_ending_the_turn_is_always_legal():
    assert legal(row("001", "111")) == {"end"}
    assert "end" in legal(row("001", "888"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_winner_moves_in_all_dice_but_one(edition):
    s = row("00111", "25431", edition=edition)
    play(s, "1>2 win")
    assert owners(s) == "00011"
    assert dice(s) == "21431"
    assert list(s.record.held[:2]) == [3, 2]
    assert s.mover == 0


def test_the_defenders_dice_vanish():
    s = play(row("011", "781"), "0>1 win")
    assert dice(s) == "161"


@pytest.mark.parametrize("edition", (2019, 2020))
@pytest.mark.parametrize("attackers", range(2, 9))
def test_a_lost_attack_leaves_one_die_and_the_defender_as_he_was(edition, attackers):
    s = play(row("011", f"{attackers}51", edition=edition), "0>1 lose")
    assert owners(s) == "011"
    assert dice(s) == "151"
    assert s.mover == 0


@pytest.mark.parametrize(
    ("attackers", "wear"), [(2, 0), (3, 0), (4, 1), (5, 1), (6, 1), (7, 1), (8, 2)]
)
def test_a_lost_attack_of_2021_wears_the_defender_down_but_never_below_one(attackers, wear):
    for defenders in range(1 if attackers < 7 else 2, 9):  # 7 dice never lose to one
        s = play(row("011", f"{attackers}{defenders}1", edition=2021), "0>1 lose")
        assert owners(s) == "011"
        assert dice(s) == f"1{max(1, defenders - wear)}1"


def test_battle_wear_does_not_touch_a_won_attack():
    assert dice(play(row("011", "881", edition=2021), "0>1 win")) == "171"


def test_a_player_attacks_as_often_as_he_likes():
    s = play(row("01111", "64321"), "0>1 win 1>2 win 2>3 lose")
    assert owners(s) == "00011"
    assert dice(s) == "11121"
    assert legal(s) == {"end"}


def test_an_attack_is_decided_by_luck_and_then_the_same_player_moves():
    s = play(row("01", "32"), "0>1")
    assert s.mover == CHANCE
    assert s.phase == "roll"
    assert set(odds(s)) == {"win", "lose"}
    assert owners(s) == "01"
    assert s.apply("lose").mover == 0


# --- the odds ---


def test_a_tie_defends():
    s = play(row("01", "22"), "0>1")
    ties = sum(n * n for n in sums(2).values())
    assert ties == 146
    assert odds(s)["win"] == pytest.approx((1296 - 146) / 2 / 1296, abs=1e-15)
    assert odds(s)["lose"] == pytest.approx((1296 + 146) / 2 / 1296, abs=1e-15)


@pytest.mark.parametrize("attackers", range(2, 9))
@pytest.mark.parametrize("defenders", range(1, 9))
def test_the_odds_of_an_attack_are_exact(attackers, defenders):
    s = play(row("011", f"{attackers}{defenders}1"), "0>1")
    p = odds(s)
    exact = chance_to_win(attackers, defenders)
    assert p.get("win", 0.0) == pytest.approx(float(exact), rel=1e-12, abs=1e-16)
    assert p.get("lose", 0.0) == pytest.approx(float(1 - exact), rel=1e-9, abs=1e-15)
    assert sum(p.values()) == pytest.approx(1, abs=1e-15)


PUBLISHED = """
2: .838 .444 .152 .036 .006 .001 .000 .000
3: .973 .779 .454 .192 .061 .015 .003 .000
4: .997 .939 .743 .460 .220 .083 .025 .006
5: 1.00 .988 .909 .718 .464 .242 .104 .037
6: 1.00 .998 .975 .884 .700 .467 .260 .122
7: 1.00 1.00 .995 .962 .862 .685 .469 .274
8: 1.00 1.00 .999 .990 .948 .844 .673 .471
"""


@pytest.mark.parametrize("line", PUBLISHED.strip().splitlines(), ids=lambda line: line[0])
def test_the_odds_are_those_of_the_published_table(line):
    attackers, values = line.split(":")
    for defenders, value in enumerate(values.split(), 1):
        s = play(row("011", f"{attackers}{defenders}1"), "0>1")
        assert abs(odds(s).get("win", 0.0) - float(value)) <= 0.0005 + 1e-9


def test_equal_attacks_below_eight_are_under_the_limit_of_the_seed_agent():
    def p(n):
        return odds(play(row("011", f"{n}{n}1"), "0>1"))["win"]

    assert [round(p(n), 4) for n in (7, 8)] == [0.4691, 0.4711]


# --- the end of a turn ---


def test_the_largest_region_counts_not_the_sum():
    s = board("0-1 1-2 2-3 3-4 4-5 5-6", "0010010", "1111111")
    assert s.scores == [2, 1]
    play(s, "end")
    assert s.record.placing == 2


def test_the_score_is_the_largest_region_of_each_player():
    links = "0-1 1-2 2-0 2-3 3-4 4-5 5-6 6-7"
    s = board(links, "00012211", "11111111", players=4)
    assert s.scores == [3, 2, 2, 0]


def test_a_region_is_connected_through_own_areas_only():
    ring = "0-1 1-2 2-3 3-4 4-5 5-0"
    assert board(ring, "010101", "111111").scores == [1, 1]
    assert board(ring, "001001", "111111").scores == [2, 1]
    assert board(ring, "000011", "111111").scores == [4, 2]


def test_a_capture_in_the_same_turn_counts_for_production():
    s = row("0010011", "1311111")
    play(s, "1>2 win end")
    assert s.record.placing == 5


def test_new_dice_are_placed_one_by_one_each_own_area_with_room_as_likely():
    s = row("000111", "183222")
    play(s, "end")
    assert s.phase == "place"
    assert s.mover == CHANCE
    assert odds(s) == {"+0": 0.5, "+2": 0.5}
    play(s, "+2 +2")
    assert dice(s) == "185222"
    assert odds(s) == {"+0": 0.5, "+2": 0.5}
    play(s, "+0")
    assert dice(s) == "285222"
    assert s.mover == 1


def test_an_area_that_becomes_full_takes_no_more():
    s = play(row("00011", "67722"), "end")
    assert odds(s) == pytest.approx({"+0": 1 / 3, "+1": 1 / 3, "+2": 1 / 3}, abs=1e-15)
    play(s, "+1")
    assert odds(s) == {"+0": 0.5, "+2": 0.5}
    play(s, "+2")
    assert odds(s) == {"+0": 1}
    play(s, "+0")
    assert dice(s) == "78822"
    assert s.mover == 1
    assert s.record.reserve[0] == 0


def test_new_dice_also_go_to_areas_outside_the_largest_region():
    s = play(row("001101", "111111"), "end")
    assert set(odds(s)) == {"+0", "+1", "+4"}


def test_no_new_dice_on_enemy_areas():
    s = play(row("01", "88"), "end")
    assert s.mover == 1
    assert dice(s) == "88"


def test_what_cannot_be_placed_becomes_the_reserve():
    s = play(row("00011", "88722"), "end")
    assert odds(s) == {"+2": 1}
    play(s, "+2")
    assert dice(s) == "88822"
    assert list(s.record.reserve[:2]) == [2, 0]
    assert s.mover == 1


def test_a_full_board_puts_all_production_into_the_reserve():
    s = play(row("00011", "88822", reserve=(5, 1)), "end")
    assert s.mover == 1
    assert list(s.record.reserve[:2]) == [8, 1]


def test_the_reserve_is_placed_with_the_next_production():
    s = play(row("00111", "11222", reserve=(3, 0)), "end +0 +0 +0 +1 +1")
    assert dice(s) == "43222"
    assert s.mover == 1
    assert s.record.reserve[0] == 0


@pytest.mark.parametrize("edition", (2019, 2020))
def test_sixty_four_caps_reserve_and_production_before_placing(edition):
    s = play(row("00011", "88722", reserve=(63, 0), edition=edition), "end +2")
    assert s.mover == 1
    assert s.record.reserve[0] == 63  # min(64, 63 + 3) - 1; capped after placing it would be 64


@pytest.mark.parametrize("edition", (2019, 2020))
def test_the_reserve_is_at_most_sixty_four(edition):
    s = play(row("00011", "88822", reserve=(62, 0), edition=edition), "end")
    assert s.record.reserve[0] == 64
    s = play(row("00011", "88822", reserve=(64, 0), edition=edition), "end")
    assert s.record.reserve[0] == 64


def test_the_reserve_of_2021_is_capped_at_24_less_the_own_areas():
    s = play(row("00011", "88822", reserve=(20, 0), edition=2021), "end")
    assert s.record.reserve[0] == 21
    s = play(row("00011", "88822", reserve=(17, 0), edition=2021), "end")
    assert s.record.reserve[0] == 20


def test_the_reserve_of_2021_is_capped_after_placing():
    s = play(row("00011", "88622", reserve=(20, 0), edition=2021), "end +2 +2")
    assert s.record.reserve[0] == 21  # 23 to place, 2 placed


def test_sixty_four_still_caps_what_is_placed_in_2021():
    s = play(row("0" * 10 + "1", "1" * 11, reserve=(60, 0), edition=2021), "end")
    assert s.record.placing == 64


def test_with_25_areas_there_is_no_reserve_in_2021():
    s = play(row("0" * 25 + "1", "8" * 25 + "1", edition=2021), "end")
    assert s.mover == 1
    assert s.record.reserve[0] == 0


def test_turns_go_round_in_a_fixed_order():
    s = row("012", "888")
    order = []
    for _ in range(7):
        order.append(s.mover)
        play(s, "end")
    assert order == [0, 1, 2, 0, 1, 2, 0]


def test_a_lost_area_does_not_produce_for_its_old_owner():
    s = play(row("0111", "8888"), "0>1 win end +0 +0")
    assert s.mover == 1
    play(s, "end")
    assert list(s.record.reserve[:2]) == [0, 2]


# --- transfers ---


def transfer(source, target, edition=2021, **more):
    return row("001", f"{source}{target}1", edition=edition, **more)


@pytest.mark.parametrize("edition", (2019, 2020))
def test_only_2021_has_transfers(edition):
    s = transfer(5, 3, edition)
    assert legal(s) == {"1>2", "end"}
    assert "no transfers" in s.why_not("0=1")


@pytest.mark.parametrize("source", range(2, 9))
@pytest.mark.parametrize("target", range(1, 8))
def test_a_transfer_moves_what_can_leave_and_what_fits(source, target):
    moved = min(8 - target, source - 1)
    s = transfer(source, target).apply("0=1")
    assert dice(s) == f"{source - moved}{target + moved}1"
    assert owners(s) == "001"
    assert s.mover == 0


def test_transfer_amounts_by_hand():
    assert dice(transfer(5, 3).apply("0=1")) == "171"
    assert dice(transfer(5, 6).apply("0=1")) == "381"
    assert dice(transfer(8, 1).apply("0=1")) == "181"
    assert dice(transfer(2, 7).apply("0=1")) == "181"


def test_a_transfer_needs_luck_for_nothing():
    s = transfer(5, 3)
    assert s.apply("0=1").phase == "attack"
    assert s.record.battles == 0


def test_a_transfer_goes_from_an_own_area_with_two_dice_to_an_adjacent_own_one():
    s = row("00110", "13232", edition=2021)
    assert legal(s) == {"1=0", "1>2", "4>3", "end"}


def test_nothing_is_transferred_to_a_full_area():
    s = transfer(5, 8)
    assert "0=1" not in legal(s)
    assert "1" in s.why_not("0=1") and "full" in s.why_not("0=1")


def test_transfers_and_attacks_may_be_mixed():
    s = row("0011", "5211", edition=2021)
    play(s, "0=1 1>2 win 2=1")
    assert owners(s) == "0001"
    assert dice(s) == "1511"
    play(s, "1=0")
    assert dice(s) == "5111"


def test_at_most_six_transfers_a_turn():
    s = play(row("001", "211", edition=2021), "0=1 1=0 0=1 1=0 0=1")
    assert legal(s) == {"1=0", "1>2", "end"}
    play(s, "1=0")
    assert legal(s) == {"end"}
    assert "6" in s.why_not("0=1")
    with pytest.raises(IllegalAction):
        s.apply("0=1")


def test_an_attack_is_still_legal_after_six_transfers():
    s = play(row("001", "131", edition=2021), "1=0 0=1 1=0 0=1 1=0 0=1")
    assert legal(s) == {"1>2", "end"}


def test_every_turn_has_its_own_six_transfers():
    s = row("0011", "8383", edition=2021, transfers=6, player=0)
    play(s, "end +1 +1")
    assert s.mover == 1
    assert {"2=3"} <= legal(s)
    play(s, "end +3 +3")
    assert s.mover == 0
    assert {"0=1"} <= legal(s)


# --- elimination and victory ---


def test_who_loses_all_areas_is_out_and_skipped():
    s = row("0120", "3232")
    play(s, "0>1 win")
    assert s.record.held[1] == 0
    assert owners(s) == "0020"
    play(s, "end")
    while s.mover == CHANCE:
        s.apply(s.outcomes[0][0])
    assert s.mover == 2
    play(s, "end")
    while s.mover == CHANCE:
        s.apply(s.outcomes[0][0])
    assert s.mover == 0


def test_several_eliminated_players_are_skipped_together():
    s = row("00333", "88888", players=5)
    assert play(s, "end").mover == 3
    assert play(s, "end").mover == 0


def test_who_owns_all_areas_wins_at_once_in_the_middle_of_his_turn():
    s = row("001", "532")
    play(s, "1>2 win")
    assert s.mover == OVER
    assert s.over and s.phase == "over"
    assert s.returns == [1, 0]
    assert s.legal_actions == []
    assert s.scores == [3, 0]


def test_the_last_player_wins_over_all_the_eliminated_ones():
    s = row("221", "232", players=4, player=2)
    play(s, "1>2 win")
    assert s.returns == [0, 0, 1, 0]


def test_eliminating_one_of_several_does_not_end_the_game():
    s = play(row("012", "322"), "0>1 win")
    assert not s.over
    with pytest.raises(KostkaError):
        _ = s.returns


def test_losing_the_last_attack_does_not_win():
    s = play(row("001", "532"), "1>2 lose")
    assert not s.over
    assert s.mover == 0


# --- games without a winner ---


def ends(s, n):
    for _ in range(n):
        assert not s.over
        s.apply("end")
    return s


@pytest.mark.parametrize("edition", EDITIONS)
def test_after_eight_full_rounds_without_an_attack_the_game_is_a_draw(edition):
    s = row("0011", "8888", edition=edition)
    assert not ends(s, 15).over
    assert s.mover == 1
    assert ends(s, 1).over
    assert s.returns == [0.5, 0.5]


def test_rounds_are_counted_by_the_living():
    s = row("001133", "888888", players=4)  # player 2 is out: 3 × 8 turns, not 4 × 8
    assert not ends(s, 23).over
    assert ends(s, 1).over


def test_the_living_share_a_draw_and_the_eliminated_get_nothing():
    s = ends(row("001133", "888888", players=4), 24)
    assert s.returns == pytest.approx([1 / 3, 1 / 3, 0, 1 / 3], abs=1e-15)
    assert sum(s.returns) == pytest.approx(1, abs=1e-15)


def test_a_draw_is_shared_equally_whatever_the_score():
    s = ends(row("0000001", "8888888"), 16)
    assert s.returns == [0.5, 0.5]


@pytest.mark.parametrize("result", ["win", "lose"])
def test_an_attack_starts_the_count_of_quiet_turns_again(result):
    s = row("00111", "88888", quiet=15)
    play(s, f"1>2 {result}")
    assert s.record.quiet == 0
    play(s, "end")
    while s.mover == CHANCE:
        s.apply(s.outcomes[0][0])
    assert not s.over
    assert s.mover == 1


def test_a_transfer_starts_the_count_of_quiet_turns_again():
    s = row("00111", "87888", quiet=15, edition=2021)
    play(s, "0=1")
    assert s.record.quiet == 0
    play(s, "end")
    while s.mover == CHANCE:
        s.apply(s.outcomes[0][0])
    assert not s.over


def test_turns_with_an_attack_do_not_add_up_to_a_quiet_game():
    s = row("0011", "8828", quiet=14)
    play(s, "end")
    assert not s.over
    play(s, "2>1 lose end +2 +2")
    rng = stream(0, "luck")
    for _ in range(14):  # the end of the turn with the attack was the first of sixteen
        assert not s.apply("end").settle(rng).over
    assert s.apply("end").settle(rng).over


def test_nobody_moves_again_after_the_last_quiet_turn():
    s = row("0011", "8811", quiet=15, player=1)
    play(s, "end")
    while s.mover == CHANCE:
        s.apply(s.outcomes[0][0])
    assert s.over
    assert s.returns == [0.5, 0.5]


def test_the_number_of_quiet_rounds_is_an_option():
    s = game.new(seed=3, players=3, quiet=2)
    rng = stream(3, "luck")
    for _ in range(6):
        assert not s.over
        s.apply("end").settle(rng)
    assert s.over
    assert s.returns == pytest.approx([1 / 3] * 3, abs=1e-15)


@pytest.mark.parametrize("result", ["win", "lose"])
def test_at_the_battle_limit_the_game_is_a_draw(result):
    s = row("00111", "88888", battle_limit=10, battles=8)
    play(s, "1>2 lose end +1 +1")
    assert s.mover == 1
    play(s, f"2>1 {result}")
    assert s.over
    assert s.returns == [0.5, 0.5]


def test_who_is_eliminated_by_the_last_battle_has_no_share_of_the_draw():
    s = row("0122", "8288", battle_limit=10, battles=9)
    play(s, "0>1 win")
    assert s.over
    assert s.returns == [0.5, 0, 0.5]


def test_who_wins_by_the_last_battle_has_won():
    s = row("001", "888", battle_limit=10, battles=9)
    play(s, "1>2 win")
    assert s.over
    assert s.returns == [1, 0]


def test_the_battle_limit_is_an_option_and_ten_thousand_by_default():
    assert game.new(seed=1).record.battle_limit == 10_000
    s = game.new(seed=1, battles=3)
    rng = stream(1, "luck")
    for _ in range(3):
        assert not s.over
        s.apply(next(a for a in s.legal_actions if s.text(a) != "end")).settle(rng)
        if not s.over and legal(s) == {"end"}:
            s.apply("end").settle(rng)
    assert s.over


# --- refusals ---


@pytest.mark.parametrize(
    ("action", "area", "reason"),
    [
        ("2>1", "2", "not yours"),
        ("0>1", "0", "one die"),
        ("1>3", "3", "touch"),
        ("1>0", "0", "own"),
        ("1>1", "1", ""),
        ("1>7", "3", "no such area"),
        ("7>1", "3", "no such area"),
        ("2=3", "2", "not yours"),
        ("0=1", "0", "one die"),
        ("1=3", "3", "touch"),
        ("1=2", "2", "not yours"),
        ("1=0", "0", "full"),
    ],
)
def test_a_refusal_names_the_rule_and_the_area(action, area, reason):
    dice_here = "8322" if action == "1=0" else "1322"
    s = row("0011", dice_here, edition=2021)
    sentence = s.why_not(action)
    assert sentence
    assert area in sentence
    assert reason in sentence
    before = s.hash
    with pytest.raises(IllegalAction) as error:
        s.apply(action)
    assert str(error.value) == sentence
    assert s.hash == before


def test_legal_actions_are_refused_for_no_reason():
    s = row("0011", "3322", edition=2021)
    for action in s.legal_actions:
        assert s.why_not(action) is None
        assert s.why_not(s.text(action)) is None


def test_no_text_is_an_action_by_accident():
    s = row("0011", "3322")
    for text in ("", "0", "1-2", "1>", "attack", "1>99", "+1", "win", "1 > 2", "-1>2"):
        before = s.hash
        assert s.why_not(text)
        with pytest.raises(KostkaError):
            s.apply(text)
        assert s.hash == before


def test_codes_out_of_range_are_refused():
    s = row("0011", "3322")
    for code in (-1, game.actions, 10**6):
        assert s.why_not(code)
        with pytest.raises(IllegalAction):
            s.apply(code)


@pytest.mark.parametrize("words", ["end", "0>1", "1>2", "0=1", "+1", "+0", "draw"])
def test_nothing_but_the_result_can_follow_an_attack(words):
    s = play(row("0011", "3322", edition=2021), "1>2")
    before = s.hash
    assert s.why_not(words)
    with pytest.raises(KostkaError):
        s.apply(words)
    assert s.hash == before


@pytest.mark.parametrize("words", ["end", "0>0", "0>1", "1>2", "0=1", "win", "+2", "+9", "1"])
def test_nothing_but_a_new_die_on_an_own_area_can_follow_the_end_of_a_turn(words):
    s = play(row("0011", "3322", edition=2021), "end")
    assert s.phase == "place"
    before = s.hash
    assert s.why_not(words)
    with pytest.raises(KostkaError):
        s.apply(words)
    assert s.hash == before


def test_no_new_die_on_a_full_area():
    s = play(row("0011", "3822"), "end")
    assert s.why_not("+1")
    with pytest.raises(IllegalAction):
        s.apply("+1")


@pytest.mark.parametrize("words", ["end", "0>1", "+1"])
def test_nothing_can_be_done_when_the_game_is_over(words):
    s = play(row("001", "532"), "1>2 win")
    before = s.hash
    assert s.why_not(words)
    with pytest.raises(KostkaError):
        s.apply(words)
    assert s.hash == before


# --- notation ---


def test_notation_of_actions_and_luck():
    s = row("0011", "3322", edition=2021)
    assert {"0=1", "1=0", "1>2", "end"} == legal(s)
    assert s.text(s.parse("1>2")) == "1>2"
    assert s.text(s.parse("0=1")) == "0=1"
    assert s.text(s.parse(" end ")) == "end"
    s.apply("1>2")
    assert s.text(s.parse("win")) == "win"
    assert s.text(s.parse("lose")) == "lose"
    play(s, "lose end")
    assert s.text(s.parse("+1")) == "+1"


def test_words_for_people():
    s = row("0011", "3522", edition=2021)
    assert s.describe(s.parse("1>2")) == "attack 2 with 5 dice from 1 against 2 (99 %)"
    assert s.describe(s.parse("0=1")) == "move 2 dice from 0 to 1"
    assert "end" in s.describe(s.parse("end"))
    s.apply("1>2")
    assert "2" in s.describe(s.parse("win")) and "won" in s.describe(s.parse("win"))
    play(s, "lose end")
    assert "1" in s.describe(s.parse("+1"))


def test_an_action_means_the_same_in_every_position():
    a = row("0011", "3322").parse("1>2")
    assert row("001122", "132222", player=1).parse("1>2") == a


def test_dice_wars_is_found_by_its_name():
    assert find_game("dicewars") is game


# --- the set-up ---


def counts(s):
    return [list(s.record.owner[: s.record.areas]).count(p) for p in range(s.players)]


def dice_of(s, player):
    n = s.record.areas
    return int(s.record.dice[:n][s.record.owner[:n] == player].sum())


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", (2, 3, 5, 8))
def test_a_new_board_is_connected_and_symmetric(edition, players):
    s = game.new(seed=players, players=players, edition=edition)
    links = neighbours(s)
    n = len(links)
    assert all(i in links[j] and i != j for i in range(n) for j in links[i])
    assert largest_region(links, [0] * n, 0) == n
    assert counts(s) == list(s.record.held[:players])
    assert all(1 <= d <= 8 for d in s.record.dice[:n])
    assert list(s.record.reserve) == [0] * 8
    assert s.mover == 0


def test_the_areas_of_2019_are_29_to_31():
    assert {int(game.new(seed=i).record.areas) for i in range(25)} == {29, 30, 31}


@pytest.mark.parametrize("players", (2, 3, 4, 7))
@pytest.mark.parametrize("edition", (2019, 2020))
def test_areas_are_dealt_round_and_low_seats_get_the_surplus(edition, players):
    for seed in range(4):
        s = game.new(seed=seed, players=players, edition=edition)
        n = int(s.record.areas)
        assert counts(s) == [n // players + (p < n % players) for p in range(players)]


@pytest.mark.parametrize("players", (2, 3, 4, 8))
def test_the_dice_of_2019_are_three_an_area_less_up_to_five_and_split_evenly(players):
    missing = set()
    for seed in range(30):
        s = game.new(seed=seed, players=players)
        shares = [dice_of(s, p) for p in range(players)]
        assert max(shares) - min(shares) <= 1
        missing.add(3 * int(s.record.areas) - sum(shares))
    assert missing <= set(range(6))
    assert len(missing) >= 4


@pytest.mark.parametrize(
    ("players", "shares"), [(2, [(15, 45), (14, 42)]), (4, [(8, 24), (7, 21), (7, 21), (7, 21)])]
)
def test_the_board_of_2020_is_flat(players, shares):
    s = game.new(seed=5, players=players, edition=2020)
    assert s.record.areas == 29
    assert set(dice(s)) == {"3"}
    assert [(counts(s)[p], dice_of(s, p)) for p in range(players)] == shares


@pytest.mark.parametrize("players", (2, 4, 8))
def test_the_lands_of_2021_are_continuous(players):
    for seed in range(4):
        s = game.new(seed=seed, players=players, edition=2021)
        assert s.record.areas == 34
        assert all(c > 0 for c in counts(s))
        links = neighbours(s)
        for p in range(players):
            assert largest_region(links, list(s.record.owner[:34]), p) == counts(s)[p]


@pytest.mark.parametrize(("players", "share"), [(2, 35), (4, 18), (8, 9)])
def test_everybody_has_the_same_dice_in_2021_whatever_his_areas(players, share):
    for seed in range(6):
        s = game.new(seed=seed, players=players, edition=2021)
        for p, areas in enumerate(counts(s)):
            assert dice_of(s, p) == max(areas, min(8 * areas, share))


def test_the_same_seed_gives_the_same_board():
    assert game.new(seed=9, players=3) == game.new(seed=9, players=3)
    assert game.new(seed=9, players=3) != game.new(seed=10, players=3)


# --- whole games, against a second rule book ---


class RuleBook:
    """The rules once more, in plain Python, to be followed step by step beside the engine."""

    def __init__(self, s):
        self.links = neighbours(s)
        self.owner = [int(p) for p in s.record.owner[: s.record.areas]]
        self.dice = [int(d) for d in s.record.dice[: s.record.areas]]
        self.players = s.players
        self.new_rules = s.options["edition"] == 2021
        self.quiet_limit = s.options["quiet"]
        self.battle_limit = s.options["battles"]
        self.player = self.quiet = self.battles = self.transfers = self.placing = 0
        self.reserve = [0] * self.players
        self.phase = "attack"
        self.winners = []

    def alive(self):
        return sorted(set(self.owner))

    def own(self):
        return [i for i, p in enumerate(self.owner) if p == self.player]

    def moves(self):
        found = {"end"}
        for i in self.own():
            for j in self.links[i]:
                if self.dice[i] < 2:
                    continue
                if self.owner[j] != self.player:
                    found.add(f"{i}>{j}")
                elif self.new_rules and self.transfers < 6 and self.dice[j] < 8:
                    found.add(f"{i}={j}")
        return found

    def luck(self):
        if self.phase == "roll":
            p = float(chance_to_win(self.dice[self.source], self.dice[self.target]))
            return {"win": p, "lose": 1 - p}
        room = [i for i in self.own() if self.dice[i] < 8]
        return {f"+{i}": 1 / len(room) for i in room}

    def play(self, words):
        if words in ("win", "lose"):
            self.battle(words == "win")
        elif words.startswith("+"):
            self.dice[int(words[1:])] += 1
            self.placing -= 1
            self.place()
        elif ">" in words:
            self.source, self.target = map(int, words.split(">"))
            self.phase = "roll"
        elif "=" in words:
            i, j = map(int, words.split("="))
            moved = min(8 - self.dice[j], self.dice[i] - 1)
            self.dice[i] -= moved
            self.dice[j] += moved
            self.transfers += 1
            self.quiet = 0
        else:
            self.quiet += 1
            if self.quiet // len(self.alive()) == self.quiet_limit:
                self.phase, self.winners = "over", self.alive()
                return
            production = largest_region(self.links, self.owner, self.player)
            self.placing = min(64, self.reserve[self.player] + production)
            self.place()

    def battle(self, won):
        i, j = self.source, self.target
        a = self.dice[i]
        self.dice[i] = 1
        if won:
            self.owner[j] = self.player
            self.dice[j] = a - 1
        elif self.new_rules:
            self.dice[j] = max(1, self.dice[j] - a // 4)
        self.quiet = 0
        self.battles += 1
        self.phase = "attack"
        if len(self.alive()) == 1 or self.battles == self.battle_limit:
            self.phase, self.winners = "over", self.alive()

    def place(self):
        self.phase = "place"
        if self.placing and any(self.dice[i] < 8 for i in self.own()):
            return
        if self.new_rules:
            self.placing = min(self.placing, max(0, 24 - len(self.own())))
        self.reserve[self.player] = self.placing
        self.placing = self.transfers = 0
        self.phase = "attack"
        self.player = (self.player + 1) % self.players
        while self.player not in self.owner:
            self.player = (self.player + 1) % self.players


def random_move(s, chooser, zeal):
    """Luck as it is; a player mostly attacks, with zeal."""
    if s.mover == CHANCE:
        codes, weights = zip(*s.outcomes, strict=True)
        return chooser.choices(codes, weights)[0]
    moves = s.legal_actions
    if len(moves) > 1 and chooser.random() < zeal:
        return chooser.choice([a for a in moves if s.text(a) != "end"])
    return s.parse("end")


games_to_play = given(
    seed=st.integers(0, 2**31 - 1),
    players=st.integers(2, 8),
    edition=st.sampled_from(EDITIONS),
    areas=st.sampled_from((0, 10, 16)),
    quiet=st.sampled_from((1, 2, 8)),
    battles=st.sampled_from((20, 10_000)),
    zeal=st.sampled_from((0.05, 0.5, 0.8, 0.95)),
)


@settings(max_examples=40, deadline=None, derandomize=True)
@games_to_play
def test_a_random_game_follows_the_rule_book(seed, players, edition, areas, quiet, battles, zeal):
    s = game.new(
        seed=seed, players=players, edition=edition, areas=areas, quiet=quiet, battles=battles
    )
    book = RuleBook(s)
    chooser = random.Random(seed)
    for _ in range(400):
        if s.over:
            break
        if s.mover == CHANCE:
            certain = {words: p for words, p in book.luck().items() if p > 0}
            assert {w: p for w, p in odds(s).items() if p > 0} == pytest.approx(certain, abs=1e-12)
        else:
            assert legal(s) == book.moves()
        words = s.text(random_move(s, chooser, zeal))
        s.apply(words)
        book.play(words)
        assert s.phase == book.phase
        assert list(s.record.owner[: s.record.areas]) == book.owner
        assert list(s.record.dice[: s.record.areas]) == book.dice
        if s.phase == "attack":
            assert s.mover == book.player
            assert list(s.record.reserve[:players]) == book.reserve
    if s.over:
        share = 1 / len(book.winners)
        expected = [share * (p in book.winners) for p in range(players)]
        assert s.returns == pytest.approx(expected, abs=1e-12)
        assert sum(s.returns) == pytest.approx(1, abs=1e-12)


@settings(max_examples=25, deadline=None, derandomize=True)
@games_to_play
def test_what_always_holds_in_a_random_game(seed, players, edition, areas, quiet, battles, zeal):
    s = game.new(
        seed=seed, players=players, edition=edition, areas=areas, quiet=quiet, battles=battles
    )
    chooser = random.Random(seed)
    links = neighbours(s)
    n = len(links)
    for _ in range(300):
        if s.over:
            break
        before = s.copy()
        code = random_move(s, chooser, zeal)
        words = s.text(code)
        assert s.parse(words) == code
        s.apply(code)
        owner = list(s.record.owner[:n])
        assert [owner.count(p) for p in range(players)] == list(s.record.held[:players])
        assert all(1 <= d <= 8 for d in s.record.dice[:n])
        assert s.scores == [largest_region(links, owner, p) for p in range(players)]
        change = int(s.record.dice[:n].sum()) - int(before.record.dice[:n].sum())
        i, j = int(before.record.source), int(before.record.target)
        if words == "win":
            assert change == -int(before.record.dice[j])
        elif words == "lose":
            a, d = int(before.record.dice[i]), int(before.record.dice[j])
            wear = min(d - 1, a // 4) if edition == 2021 else 0
            assert change == 1 - a - wear
        else:
            assert change == (1 if words.startswith("+") else 0)
        if words == "end" and s.phase == "place":
            mine = largest_region(links, owner, before.mover)
            reserve = int(before.record.reserve[before.mover])
            room = sum(8 - int(before.record.dice[i]) for i in range(n) if owner[i] == before.mover)
            assert s.record.placing == min(room, 64, mine + reserve)
        cap = 64 if edition != 2021 else 23
        if s.phase == "attack":
            assert all(0 <= r <= cap for r in s.record.reserve[:players])


@pytest.mark.parametrize("edition", EDITIONS)
def test_three_players_play_to_the_end(edition):
    s = game.new(seed=11, players=3, edition=edition)
    start = s.copy()
    rng = stream(11, "luck")
    log = []
    while not s.over:
        if s.mover == CHANCE:
            code = s.draw(rng)
        else:
            good = [
                a
                for a in s.legal_actions
                if ">" in (t := s.text(a))
                and s.record.dice[int(t.split(">")[0])] >= s.record.dice[int(t.split(">")[1])]
            ]
            code = good[0] if good else s.parse("end")
        log.append(s.text(code))
        s.apply(code)
        assert len(log) < 20_000
    alive = [p for p in range(3) if s.record.held[p]]
    assert sum(s.returns) == pytest.approx(1, abs=1e-12)
    assert len(alive) == 1
    assert s.returns == [float(p == alive[0]) for p in range(3)]
    assert s.scores[alive[0]] == s.record.areas
    for words in log:
        start.apply(words)
    assert start == s


def test_a_position_is_read_back_from_its_code():
    s = play(row("0011", "3322", reserve=(2, 5)), "1>2 lose end +1")
    assert load(game, s.options, s.code) == s


def test_a_copy_shares_nothing():
    s = row("0011", "3322")
    other = s.copy()
    play(other, "1>2 win")
    assert dice(s) == "3322"
    assert owners(s) == "0011"


@pytest.mark.parametrize("seat", (0, 1))
def test_a_view_shows_the_board_and_the_same_moves(seat):
    s = row("0011", "3322")
    view = s.view(seat)
    assert view.legal_actions == s.legal_actions
    assert list(view.record.dice) == list(s.record.dice)
    assert list(view.record.owner) == list(s.record.owner)


# --- what a position keeps so that nothing has to be looked for ---


@pytest.mark.parametrize("edition", EDITIONS)
def test_sets_of_areas_follow_from_owners_and_dice_all_through_a_game(edition):
    s, chooser = game.new(seed=3, players=3, edition=edition), random.Random(3)
    for _ in range(300):
        if s.over:
            break
        kept = s.buffer.tobytes()
        note_owners(s.record)
        note_dice(s.record)
        assert s.buffer.tobytes() == kept
        s.apply(chooser.choice(s.legal_now()))


@pytest.mark.parametrize(
    ("field", "value"), [("territory", [0b0111, 0b1000]), ("strong", 0b1111), ("full", 0b0001)]
)
def test_a_position_whose_sets_do_not_fit_is_refused(field, value):
    s = row("0011", "3321")
    assert load(game, s.options, s.code) == s
    s.record[field] = value + [0] * 6 if isinstance(value, list) else value
    with pytest.raises(KostkaError):
        load(game, s.options, s.code)


def test_more_borders_than_a_map_has_are_refused():
    every = " ".join(f"{i}-{j}" for i in range(20) for j in range(i))
    with pytest.raises(KostkaError):
        load(game, game.check({}), board(every, "01" * 10, "3" * 20).code)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_random_action_is_the_one_that_the_list_has_at_its_place(edition):
    s, chooser = game.new(seed=5, players=4, edition=edition), random.Random(5)
    uniform, out = game.policies["uniform"][0], np.empty(game.width, np.int64)
    for turn in range(300):
        if s.mover >= 0:
            one, other = (stream("any", turn) for _ in range(2))
            found = policy(uniform, s.record, out, one)
            assert found == take_any(uniform, s.record, out, other)
            assert list(one) == list(other)
        if s.over:
            break
        s.apply(chooser.choice(s.legal_now()))
