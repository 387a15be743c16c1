"""Cards, written from the rule text alone: sets and their worth, when they are traded, the deck."""

import pytest
from riskboards import armies, board, give, hand, legal, luck, owners, play, turn

from kostka.core.state import CHANCE

#: On the map of nine, a d g show infantry, b e h cavalry, c f i artillery.
ROWS = ("000111222", "1" * 9)


def may_trade(cards, **options):
    """The sets that a player who holds these cards may trade at the start of a turn."""
    s = turn(*ROWS, hands=(cards,), **options)
    assert s.phase == "trade"
    return {a.removeprefix("trade ") for a in legal(s)}


def brings(cards, traded=0, **options):
    """The armies that a set brings, if so many were traded before."""
    s = turn(*ROWS, hands=(cards,), fields={"trades": traded}, **options)
    before = s.record.free
    play(s, f"trade {cards}")
    return s.record.free - before


# --- what a set is ---


@pytest.mark.parametrize(
    "cards",
    ["a d g", "b e h", "c f i", "a b c", "d h i", "a d wild-1", "a b wild-2", "a wild-1 wild-2"],
)
def test_three_alike_one_of_each_or_any_two_with_a_wild_card_are_a_set(cards):
    assert may_trade(cards) == {cards, "end"}


@pytest.mark.parametrize("cards", ["a d b", "a b e", "c f a", "h e i"])
def test_two_alike_and_another_are_no_set(cards):
    assert may_trade(cards) == {"end"}


def test_every_set_in_the_hand_can_be_traded():
    assert may_trade("a b c d") == {"a b c", "b c d", "end"}
    assert may_trade("a d b wild-1") == {"a b wild-1", "a d wild-1", "b d wild-1", "end"}


def test_cards_in_any_order_are_the_same_set():
    s = turn(*ROWS, hands=("a b c",))
    assert s.parse("trade c a b") == s.parse("trade a b c")


def test_nobody_trades_cards_of_others():
    s = turn(*ROWS, hands=("a b d", "c"))
    assert legal(s) == {"end"}
    assert s.why_not("trade a b c") == "you do not hold C (artillery)"


# --- what it is worth ---


def test_the_sets_of_a_game_are_worth_more_and_more():
    worth = [brings("a b c", n) for n in range(10)]
    assert worth == [4, 6, 8, 10, 12, 15, 20, 25, 30, 35]


def test_it_does_not_matter_who_traded_before():
    s = play(turn(*ROWS, hands=("a b c", "d e f")), "trade a b c, extra a, place a, x9, end, end")
    assert s.phase == "trade" and s.mover == 1
    assert s.record.free == 3 + 3
    assert play(s, "trade d e f").record.free == 3 + 3 + 6


def test_slow_sets_are_worth_one_more_each():
    assert [brings("a b c", n, sets="slow") for n in (0, 1, 2, 6, 40)] == [4, 5, 6, 10, 44]


def test_a_cap_stops_the_rise():
    assert [brings("a b c", n, cap=50) for n in (11, 12, 13, 90)] == [45, 50, 50, 50]
    assert [brings("a b c", n, sets="slow", cap=6) for n in (1, 2, 3)] == [5, 6, 6]


@pytest.mark.parametrize(
    ("cards", "worth"),
    [
        ("a d g", 4),
        ("b e h", 6),
        ("c f i", 8),
        ("a b c", 10),
        ("a d wild-1", 4),
        ("b e wild-2", 6),
        ("c f wild-1", 8),
        ("a b wild-1", 10),
        ("a wild-1 wild-2", 10),
    ],
)
def test_fixed_sets_are_worth_what_their_symbols_say(cards, worth):
    for traded in (0, 7):
        assert brings(cards, traded, sets="fixed") == worth
    assert brings(cards, sets="fixed", cap=5) == min(5, worth)


# --- two extra armies ---


def test_one_own_territory_on_the_cards_gets_two_armies_which_one_is_a_choice():
    s = play(turn(*ROWS, hands=("b c d",)), "trade b c d")
    assert s.phase == "extra" and s.mover == 0
    assert legal(s) == {"extra b", "extra c"}
    assert "none of the traded cards" in s.why_not("extra a")
    assert s.record.free == 5 + 4
    play(s, "extra c")
    assert armies(s) == "113111111"
    assert s.phase == "draft" and s.record.free == 5 + 4


def test_a_single_one_needs_no_choice():
    s = play(turn(*ROWS, hands=("a e f",)), "trade a e f")
    assert s.phase == "draft"
    assert armies(s) == "311111111"


def test_no_extra_armies_for_cards_of_other_territories_or_wild_ones():
    s = play(turn(*ROWS, hands=("d h wild-1",)), "trade d h wild-1")
    assert s.phase == "draft"
    assert armies(s) == "1" * 9


def test_each_card_brings_two_where_that_is_the_rule():
    s = play(turn(*ROWS, hands=("a b f",), bonus="each"), "trade a b f")
    assert s.phase == "draft"
    assert armies(s) == "331111111"
    s = play(turn(*ROWS, hands=("a b c",), bonus="each"), "trade a b c")
    assert armies(s) == "333111111"
    assert s.record.free == 5 + 4


def test_each_trade_of_a_turn_brings_them_again():
    s = turn("000000111", "1" * 9, hands=("a b c d e f",))
    play(s, "trade a b c, extra a, trade d e f, extra f")
    assert armies(s) == "311113111"
    assert s.record.free == 3 + 5 + 4 + 6


# --- when cards are traded ---


@pytest.mark.parametrize("n", [0, 1, 2])
def test_with_fewer_than_three_cards_nobody_is_asked(n):
    assert turn(*ROWS, hands=(" ".join("abc"[:n]),)).phase == "draft"


@pytest.mark.parametrize("cards", ["a b c", "a b d"])
def test_with_three_cards_everybody_is_asked_whether_they_are_a_set_or_not(cards):
    s = turn(*ROWS, hands=(cards,))
    assert s.phase == "trade" and s.mover == 0
    assert play(s, "end").phase == "draft"


def test_whoever_does_not_trade_keeps_the_cards():
    s = play(turn(*ROWS, hands=("a b c",)), "end")
    assert hand(s, 0) == {"a", "b", "c"}
    assert s.record.free == 5 and s.record.trades == 0


def test_with_five_cards_a_trade_is_compulsory():
    assert "end" in legal(turn(*ROWS, hands=("a b c d",)))
    s = turn(*ROWS, hands=("a b c d e",))
    assert "end" not in legal(s) and len(legal(s)) == 4
    assert s.why_not("end") == "you hold 5 cards and may keep only 4: trade a set"
    play(s, "trade a b c, extra a")
    assert hand(s, 0) == {"d", "e"}
    assert s.phase == "draft"


def test_with_five_cards_there_is_always_a_set():
    for cards in ("a d b e wild-1", "a d b e c", "a d g b e", "a d g b h"):
        assert len(legal(turn(*ROWS, hands=(cards,)))) > 0


def test_five_cards_wait_where_that_is_the_rule():
    s = turn(*ROWS, hands=("a b c d e",), keep=5)
    assert "end" in legal(s)
    s = turn(*ROWS, hands=("a b c d e f",), keep=5)
    assert "end" not in legal(s)
    assert hand(play(s, "trade a b c, extra a"), 0) == {"d", "e", "f"}


def test_after_a_compulsory_trade_one_may_trade_on():
    s = play(turn(*ROWS, hands=("a b c d e f",)), "trade a b c, extra a")
    assert s.phase == "trade"
    assert legal(s) == {"trade d e f", "end"}


def test_a_trade_is_followed_by_the_placing_of_all_its_armies():
    s = play(turn(*ROWS, hands=("d e f",)), "trade d e f, place a, x9")
    assert armies(s) == "10 1 1 1 1 1 1 1 1"
    assert s.phase == "attack"


# --- cards of the fallen ---


def eliminate(own, theirs, **options):
    """Player 0 takes the last territory of player 1, whose cards he gets."""
    s = board("001222222", "191111111", hands=(own, theirs), **options)
    return play(s, "b>c*3, -1")


def handed_over(s):
    """All cards are handed over, the rest of the way to the next question."""
    while s.mover == CHANCE:
        assert s.phase == "hand over"
        s.apply(s.outcomes[0][0])
    return s


def taken_over(own, theirs, **options):
    return handed_over(play(eliminate(own, theirs, **options), "x8"))


def test_whoever_eliminates_a_player_gets_all_his_cards():
    s = eliminate("a", "b wild-1")
    play(s, "x8")
    order = []
    while s.phase == "hand over":
        ((card, chance),) = luck(s).items()
        assert chance == 1
        order.append(card)
        s.apply(card)
    assert order == ["card b", "card wild-1"]
    assert hand(s, 0) == {"a", "b", "wild-1"}
    assert hand(s, 1) == set()
    assert list(s.record.hand[:3]) == [3, 0, 0]


def test_with_five_cards_after_an_elimination_one_goes_on_fighting():
    s = taken_over("a b", "c d e")
    assert len(hand(s, 0)) == 5
    assert s.phase == "attack" and s.mover == 0


@pytest.mark.parametrize(("own", "theirs"), [("a b", "c d e f"), ("a b c", "d e f")])
def test_with_six_cards_one_trades_at_once(own, theirs):
    s = taken_over(own, theirs)
    assert s.phase == "trade" and s.mover == 0
    assert "end" not in legal(s)
    assert s.record.free == 0
    play(s, "trade a b c, extra a")
    assert s.phase == "draft"
    assert s.record.free == 4
    assert hand(s, 0) == {"d", "e", "f"}
    play(s, "place b, x4")
    assert s.phase == "attack" and s.mover == 0
    assert len(legal(s)) > 1


def test_with_seven_cards_one_trades_down_to_four_and_stops_there():
    s = taken_over("a b c", "d e f g")
    play(s, "trade a b c, extra a")
    assert s.phase == "draft"
    assert hand(s, 0) == {"d", "e", "f", "g"}


def test_with_eight_cards_one_trades_twice():
    s = taken_over("a b c wild-1", "d e f g")
    play(s, "trade a b c, extra a")
    assert s.phase == "trade" and "end" not in legal(s)
    play(s, "trade d e f")
    assert s.phase == "draft"
    assert s.record.free == 4 + 6
    assert hand(s, 0) == {"g", "wild-1"}


def test_six_cards_wait_where_that_is_the_rule():
    assert taken_over("a b", "c d e f", spoils=7).phase == "attack"
    s = taken_over("a b c", "d e f g", spoils=7)
    assert s.phase == "trade" and "end" not in legal(s)


def test_the_armies_move_in_before_new_ones_are_placed():
    s = eliminate("a b c", "d e f")
    assert s.phase == "occupy"
    play(s, "x5")
    assert armies(s) == "145111111"
    assert s.phase == "hand over"
    assert handed_over(s).phase == "trade"


def test_armies_of_a_trade_in_the_middle_may_take_any_own_territory_and_fight_on():
    s = taken_over("a b c", "d e f")
    play(s, "trade a b c, extra c")
    assert legal(s) == {"place a", "place b", "place c"}
    play(s, "place c, x4")
    assert owners(s) == "000222222"
    assert armies(s) == "1 1 14 1 1 1 1 1 1"
    assert "c>d!" in legal(s)


def test_the_last_victory_needs_no_handing_over():
    s = play(board("000000001", "111111141", hands=("a", "b c")), "h>i*3, -1")
    assert s.over


def test_cards_of_the_neutral_army_do_not_exist():
    s = board("002111111", "141111111", players=2, neutral=True, hands=("a", "b"))
    play(s, "b>c*3, -1")
    assert owners(s) == "000111111"
    assert s.phase == "attack" and hand(s, 0) == {"a"}


# --- the deck ---


def end_of_turn(s):
    """The attacks are over and nothing is moved."""
    return play(s, "end, end")


def after_a_conquest(discarded="", hands=(), **options):
    s = board(*ROWS, player=0, discarded=discarded, hands=hands, **options)
    s.record.armies[2] = 4
    return end_of_turn(play(s, "c>d*3, -1"))


def test_whoever_took_a_territory_draws_a_card_each_as_likely():
    s = after_a_conquest()
    assert s.phase == "card" and s.mover == CHANCE
    every = [*"abcdefghi", "wild-1", "wild-2"]
    assert luck(s) == pytest.approx({f"card {c}": 1 / 11 for c in every})
    play(s, "card e")
    assert hand(s, 0) == {"e"}
    assert s.mover == 1


def test_cards_in_hand_and_discarded_ones_are_not_drawn():
    s = after_a_conquest(discarded="g h i", hands=("a", "b c", "wild-1"))
    assert luck(s) == pytest.approx({f"card {c}": 1 / 4 for c in ("d", "e", "f", "wild-2")})


def test_no_card_without_a_conquest():
    s = end_of_turn(play(board("000111222", "115111111"), "c>d*3, -0"))
    assert s.mover == 1
    assert hand(s, 0) == set()


def test_a_conquest_brings_nobody_a_card_in_a_later_turn():
    s = play(after_a_conquest(), "card e, place e, x3, end, end")
    assert s.phase == "draft" and s.mover == 2
    assert hand(s, 1) == set()


def test_only_one_card_however_much_was_taken():
    s = board("000111222", "119111111")
    play(s, "c>d*3, -1, x8, d>e*3, -1, x7, e>f*3, -1, x6")
    play(s, "end, end, card b")
    assert hand(s, 0) == {"b"}
    assert s.mover == 2


def test_a_card_of_this_turn_is_traded_in_a_later_one():
    s = after_a_conquest(hands=("a b",))
    play(s, "card c")
    assert s.mover == 1 and hand(s, 0) == {"a", "b", "c"}


def test_an_empty_deck_is_made_of_the_discarded_cards():
    s = after_a_conquest(discarded="g h i wild-2", hands=("a b", "c d e", "f wild-1"))
    assert luck(s) == pytest.approx({f"card {c}": 1 / 4 for c in ("g", "h", "i", "wild-2")})
    play(s, "card h")
    assert hand(s, 0) == {"a", "b", "h"}


def test_where_the_deck_is_used_once_an_empty_one_gives_nothing():
    s = after_a_conquest(discarded="g h i wild-2", hands=("a b", "c d e", "f wild-1"), deck="once")
    assert s.mover == 1
    assert hand(s, 0) == {"a", "b"}


def test_where_all_cards_are_held_nobody_draws():
    s = after_a_conquest(hands=("a b", "c d e wild-2", "f g h i wild-1"))
    assert s.mover == 1
    assert hand(s, 0) == {"a", "b"}


def test_the_classic_deck_has_fourteen_of_each_symbol_and_two_wild_cards():
    s = board("0" * 21 + "1" * 21, "1" * 42, map="classic")
    r = s.record
    assert [r.symbol[:44].tolist().count(k) for k in range(4)] == [14, 14, 14, 2]


def test_a_trade_shows_the_cards_and_discards_them():
    s = turn(*ROWS, hands=("a e f", "b"))
    play(s, "trade a e f")
    assert all(s.record.card[c] == 101 for c in (0, 4, 5))
    give(s, 1, "c")
    assert hand(s, 0) == set()
