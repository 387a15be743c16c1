"""A turn of Risk, written from the rule text alone: armies, attacks, captures, moves, the end."""

import pytest
from riskboards import armies, board, legal, luck, owners, play, turn, world

from kostka.core.errors import IllegalAction
from kostka.core.state import CHANCE, OVER
from kostka.games.risk.actions import END
from kostka.games.risk.state import NOBODY

ALL = {"NA": 0, "SA": 0, "EU": 0, "AF": 0, "AS": 0, "AU": 0}


def new_armies(s):
    assert s.phase == "draft"
    return int(s.record.free)


# --- new armies ---


@pytest.mark.parametrize(
    ("land", "brings"), [(1, 3), (9, 3), (11, 3), (12, 4), (14, 4), (15, 5), (20, 6), (24, 8)]
)
def test_a_third_of_the_territories_rounded_down_but_at_least_three_armies(land, brings):
    order = range(42)
    # One of each continent is somebody else's, so that no continent counts.
    barred = {0, 9, 13, 20, 26, 38}
    own = [t for t in order if t not in barred][:land]
    assert len(own) == land
    holders = "".join("0" if t in own else "1" for t in order)
    s = turn(holders, "1" * 42, map="classic", players=2)
    assert new_armies(s) == brings


@pytest.mark.parametrize(
    ("continent", "land", "bonus"),
    [("NA", 9, 5), ("SA", 4, 2), ("EU", 7, 5), ("AF", 6, 3), ("AS", 12, 7), ("AU", 4, 2)],
)
def test_a_continent_held_as_a_whole_brings_its_bonus(continent, land, bonus):
    s = world({**dict.fromkeys(ALL, 1), continent: 0}, player=1, phase="fortify", neutral=False)
    play(s, "end")
    assert s.mover == 0
    assert new_armies(s) == max(3, land // 3) + bonus


def test_a_continent_but_for_one_territory_brings_nothing():
    holds = {**dict.fromkeys(ALL, 1), "AU": 0, "indonesia": 1}
    s = play(world(holds, player=1, phase="fortify"), "end")
    assert new_armies(s) == 3


def test_bonuses_of_several_continents_add_up():
    s = turn("000000111", "1" * 9)
    assert new_armies(s) == 3 + 2 + 3
    assert new_armies(turn("000000001", "1" * 9)) == 3 + 2 + 3  # the third lacks two


def test_all_new_armies_must_be_placed_before_anything_else():
    s = turn("000111222", "311311211")
    assert legal(s) == {"place a", "place b", "place c"}
    assert s.mover == 0
    play(s, "place b, x4")
    assert legal(s) == {"place a", "place b", "place c"}
    assert s.why_not(END) == "all armies must be placed; one is left"
    play(s, "place c")
    assert armies(s) == "352311211"
    assert s.phase == "attack"


def test_any_number_of_the_new_armies_goes_on_an_own_territory():
    s = play(turn("000111222", "3" * 9), "place a")
    assert legal(s) == {"x1", "x2", "x3", "x4", "x5"}
    assert s.why_not("x6") == "you have only 5 armies to place"
    assert armies(play(s, "x5")) == "833333333"


def test_nothing_is_placed_on_anybody_elses_territory():
    s = turn("000111222", "3" * 9)
    with pytest.raises(IllegalAction):
        s.apply("place d")
    assert armies(s) == "333333333"


# --- attacks ---


def test_an_attack_goes_from_an_own_territory_to_a_neighbour_of_somebody_else():
    s = board("001100220", "222222222")
    assert {a[:3] for a in legal(s) - {"end"}} == {"b>c", "e>d", "f>g", "i>h"}


def test_an_attack_needs_two_armies():
    assert legal(board("000111222", "991911111")) == {"end"}
    assert legal(board("000111222", "112911111")) == {"c>d*1", "c>d!", "end"}


@pytest.mark.parametrize(("have", "most"), [(2, 1), (3, 2), (4, 3), (5, 3), (900, 3)])
def test_the_attacker_rolls_up_to_three_dice_but_fewer_than_the_armies(have, most):
    s = board("000111222", f"1 1 {have} 1 1 1 1 1 1")
    dice = {f"c>d*{n}" for n in range(1, most + 1)}
    assert legal(s) == {*dice, "c>d!", "end"}
    if most < 3:
        assert "one army must stay" in s.why_not("c>d*3")


def test_an_attack_across_the_edge_of_the_classic_map():
    s = world({**ALL, "kamchatka": 1}, armies=4)
    assert "alaska>kamchatka*3" in legal(s)


#: The chances of each loss of the defender, of 36, 216, 1296 or 7776 throws.
THROWS = {
    (1, 1): (21, 15),
    (2, 1): (91, 125),
    (3, 1): (441, 855),
    (1, 2): (161, 55),
    (2, 2): (581, 420, 295),
    (3, 2): (2275, 2611, 2890),
}


@pytest.mark.parametrize(("dice", "chances"), THROWS.items(), ids=str)
def test_highest_dice_are_compared_and_a_tie_is_the_defenders(dice, chances):
    attacking, defending = dice
    s = play(board("000111222", f"114{defending}11111"), f"c>d*{attacking}")
    assert s.mover == CHANCE
    expected = {f"-{n}": k / sum(chances) for n, k in enumerate(chances)}
    assert luck(s) == pytest.approx(expected, abs=1e-14)


def test_the_defender_rolls_two_dice_with_two_armies_or_more():
    for defenders, most in ((1, 1), (2, 2), (3, 2), (9, 2)):
        s = play(board("000111222", f"114{defenders}11111"), "c>d*3")
        assert max(luck(s)) == f"-{most}"


@pytest.mark.parametrize(("lost", "left"), [("-0", "33"), ("-1", "42"), ("-2", "51")])
def test_both_lose_as_many_armies_as_dice_were_compared(lost, left):
    s = play(board("000111222", "115311111"), f"c>d*3, {lost}")
    assert "".join(map(str, s.record.armies[2:4].tolist())) == left


def test_after_a_throw_the_attacker_goes_on_as_he_likes():
    s = play(board("000111222", "115311111"), "c>d*3, -1")
    assert s.mover == 0 and s.phase == "attack"
    assert legal(s) == {"c>d*1", "c>d*2", "c>d*3", "c>d!", "end"}


# --- until it is decided ---


def test_a_whole_fight_is_one_piece_of_luck():
    s = play(board("000111222", "112111111"), "c>d!")
    assert s.mover == CHANCE
    assert luck(s) == pytest.approx({"won 1": 15 / 36, "lost 1": 21 / 36}, abs=1e-14)


def test_a_fight_of_two_against_one_by_hand():
    # Two dice, or with the last army one: 125/216, or else 91/216 of 15/36.
    s = play(board("000111222", "113111111"), "c>d!")
    first, second = 125 / 216, 91 / 216 * 15 / 36
    lost = 1 - first - second
    expected = {"won 2": first, "won 1": second, "lost 1": lost}
    assert luck(s) == pytest.approx(expected, abs=1e-14)


def test_a_fight_that_is_lost_leaves_one_army_and_what_defended():
    s = play(board("000111222", "119911111"), "c>d!, lost 4")
    assert armies(s) == "111411111"
    assert s.phase == "attack" and legal(s) == {"end"}


def test_a_fight_that_is_won_leaves_the_armies_to_move_in():
    s = play(board("000111222", "119911111"), "c>d!, won 5")
    assert s.phase == "occupy"
    assert legal(s) == {"x3", "x4", "x5"}
    assert armies(play(s, "x4")) == "112411111"


# --- how many move in ---


@pytest.mark.parametrize("dice", [1, 2, 3])
def test_at_least_as_many_armies_as_dice_move_in_and_at_most_all_but_one(dice):
    s = play(board("000111222", "116111111"), f"c>d*{dice}, -1")
    assert s.phase == "occupy" and s.mover == 0
    assert legal(s) == {f"x{n}" for n in range(dice, 6)}
    if dice > 1:
        assert "as many as dice" in s.why_not("x1")
    assert "one must stay" in s.why_not("x6")
    play(s, "x5")
    assert owners(s) == "000011222"
    assert armies(s) == "111511111"


def test_where_nothing_is_to_be_chosen_nothing_is_asked():
    s = play(board("000111222", "113111111"), "c>d*2, -1")
    assert armies(s) == "111211111"
    assert s.phase == "attack"


def test_the_taken_territory_attacks_on():
    s = play(board("000111222", "116111111"), "c>d*3, -1, x5")
    assert "d>e*3" in legal(s)


@pytest.mark.parametrize(("left", "least"), [(1, 1), (2, 2), (3, 3), (7, 3)])
def test_after_a_whole_fight_the_last_throws_dice_move_in(left, least):
    s = play(board("000111222", "119111111"), f"c>d!, won {left}")
    if left > least:
        assert legal(s) == {f"x{n}" for n in range(least, left + 1)}
        play(s, f"x{left}")
    assert s.record.armies[3] == left


# --- the defender's choice ---


def test_the_defender_may_choose_one_die():
    s = play(board("000111222", "114311111", defence="choice"), "c>d*3")
    assert s.phase == "defend" and s.mover == 1
    assert legal(s) == {"x1", "x2"}
    assert "one die or two" in s.why_not("x3")
    one = play(s.copy(), "x1")
    assert luck(one) == pytest.approx({"-0": 441 / 1296, "-1": 855 / 1296})
    two = play(s, "x2")
    assert luck(two).keys() == {"-0", "-1", "-2"}
    assert play(two, "-2").mover == 0


def test_a_single_defender_has_nothing_to_choose():
    s = play(board("000111222", "114111111", defence="choice"), "c>d*3")
    assert luck(s).keys() == {"-0", "-1"}


def test_whoever_chose_one_die_rolls_one_in_a_whole_fight():
    # One against one again and again: both armies fall with (15/36)².
    s = play(board("000111222", "112211111", defence="choice"), "c>d!, x1")
    chances = luck(s)
    assert chances["lost 2"] == pytest.approx(21 / 36)
    assert chances["lost 1"] == pytest.approx(15 / 36 * 21 / 36)
    assert chances["won 1"] == pytest.approx((15 / 36) ** 2)


def test_by_default_the_defender_rolls_all_dice_and_is_not_asked():
    assert play(board("000111222", "114311111"), "c>d*3").phase == "roll"


# --- fortify ---


def fortify(owners, armies, **options):
    return board(owners, armies, phase="fortify", **options)


def test_armies_move_once_between_own_territories_joined_by_own_ones():
    s = fortify("000011220", "312151114")
    pairs = {("a", "b"), ("a", "c"), ("a", "d"), ("c", "a"), ("c", "b"), ("c", "d")}
    assert legal(s) == {*(f"{x}={y}" for x, y in pairs), "end"}
    assert "do not join" in s.why_not("a=i")
    play(s, "a=d")
    assert s.phase == "move"
    assert legal(s) == {"x1", "x2"}
    assert "one must stay" in s.why_not("x3")
    play(s, "x2")
    assert armies(s) == "112351114"
    assert s.mover == 1


def test_a_single_army_cannot_move():
    assert legal(fortify("000111222", "111999999")) == {"end"}


def test_nobody_has_to_move():
    s = play(fortify("000111222", "511111111"), "end")
    assert s.mover == 1
    assert armies(s) == "511111111"


def test_only_to_a_neighbour_where_that_is_the_rule():
    s = fortify("000111222", "311111111", fortify="adjacent")
    assert legal(s) == {"a=b", "end"}
    assert "not neighbours" in s.why_not("a=c")


def test_as_often_as_one_likes_where_that_is_the_rule():
    s = fortify("000011222", "511321111", fortify="many")
    play(s, "a=b, x2")
    assert s.mover == 0 and s.phase == "fortify"
    play(s, "a=c, x1")
    assert armies(s) == "232321111"
    play(s, "d=c, x2")
    assert s.mover == 0
    play(s, "end")
    assert s.mover == 1


def test_armies_that_came_do_not_move_on_in_the_same_turn():
    s = play(fortify("000111222", "551111111", fortify="many"), "a=b, x2")
    assert legal(s) == {"a=b", "a=c", "end"}
    assert "have come" in s.why_not("b=c")


# --- elimination and the end ---


def test_whoever_has_no_territory_is_out_of_the_game():
    s = play(board("001222222", "151111111"), "b>c*3, -1, x3")
    assert owners(s) == "000222222"
    assert play(s, "end, end, card a").mover == 2


def test_whoever_holds_everything_wins_at_once():
    s = play(board("000000001", "111111141"), "h>i*3, -1")
    assert s.mover == OVER
    assert s.returns == [1, 0]
    assert s.record.winner == 0


def test_turns_pass_over_the_fallen():
    s = play(board("000222222", "1" * 9, player=0, phase="fortify"), "end")
    assert s.mover == 2


def test_the_turn_limit_ends_the_game_in_a_draw_of_the_living():
    s = board("000222222", "1" * 9, phase="fortify", fields={"turns": 9}, players=3, turns=10)
    play(s, "end")
    assert s.mover == OVER
    assert s.returns == [0.5, 0, 0.5]
    assert s.record.winner == NOBODY


def test_a_turn_before_the_limit_the_game_goes_on():
    s = board("000222222", "1" * 9, phase="fortify", fields={"turns": 8}, players=3, turns=10)
    assert play(s, "end").mover == 2


def test_the_neutral_army_has_no_turn_and_no_share():
    s = board("000222111", "1" * 9, players=2, neutral=True, phase="fortify")
    assert play(s, "end").mover == 1
    s = board(
        "000222111", "1" * 9, players=2, neutral=True, phase="fortify",
        fields={"turns": 9}, turns=10,
    )  # fmt: skip
    assert play(s, "end").returns == [0.5, 0.5]


def test_of_two_players_whoever_destroys_the_other_wins_though_the_neutral_is_left():
    s = play(board("001222222", "141111111", players=2, neutral=True), "b>c*3, -1")
    assert s.mover == OVER
    assert s.returns == [1, 0]


def test_the_neutral_army_defends_with_the_opponents_choice():
    s = board("000222111", "114311111", players=2, neutral=True, defence="choice")
    s = play(s, "c>d*3")
    assert (s.phase, s.mover) == ("defend", 1)


# --- the limit of armies ---


def test_no_more_armies_are_placed_than_fit():
    s = turn("000111222", "10 12 11 1 1 1 1 1 1", limit=12)
    assert new_armies(s) == 5
    assert legal(s) == {"place a", "place c"}
    assert "full" in s.why_not("place b")
    play(s, "place a")
    assert legal(s) == {"x1", "x2"}


def test_what_does_not_fit_anywhere_is_lost():
    s = turn("000111222", "10 12 11 1 1 1 1 1 1", limit=12)
    play(s, "place a, x2, place c")
    assert armies(s) == "12 12 12 1 1 1 1 1 1"
    assert s.phase == "attack" and s.record.free == 0


def test_where_everything_is_full_the_draft_ends_by_itself():
    s = turn("000111222", "12 12 12 1 1 1 1 1 1", limit=12)
    assert s.phase == "attack"
    assert s.record.free == 0
    assert armies(s) == "12 12 12 1 1 1 1 1 1"


def test_full_territories_still_attack_and_move_in_with_what_fits():
    s = play(board("000111222", "1 1 12 1 1 1 1 1 1", limit=12), "c>d*3, -1")
    assert legal(s) == {f"x{n}" for n in range(3, 12)}


def test_no_more_armies_move_than_fit():
    s = fortify("000111222", "9 11 12 1 1 1 1 1 1", limit=12)
    assert legal(s) == {"a=b", "b=a", "c=a", "c=b", "end"}
    assert "full" in s.why_not("a=c")
    assert armies(play(s, "a=b")) == "8 12 12 1 1 1 1 1 1"
    s = play(fortify("000111222", "9 11 12 1 1 1 1 1 1", limit=12), "c=a")
    assert legal(s) == {"x1", "x2", "x3"}
    assert s.why_not("x4") == "only 3 armies more fit on A"


def test_the_limit_holds_at_a_thousand_by_default():
    s = turn("000111222", "1000 999 1000 1 1 1 1 1 1")
    play(s, "place b")
    assert s.phase == "attack"
    assert armies(s).startswith("1000 1000 1000 1")


def test_extra_armies_of_a_trade_go_only_where_they_fit():
    s = turn("000111222", "12 11 1 1 1 1 1 1 1", limit=12, hands=("a b c",))
    play(s, "trade a b c")
    assert s.phase == "extra"
    assert legal(s) == {"extra b", "extra c"}
    assert armies(play(s, "extra b")).startswith("12 12 1 ")
