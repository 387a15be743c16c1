"""Who knows what: cards in hand, cards that are drawn, traded and handed over."""

import pytest
from riskboards import board, hand, legal, play, turn

from kostka.core.rng import stream
from kostka.core.state import PUBLIC

EVERYBODY = (PUBLIC, 0, 1, 2)
HANDS = ("a b c", "d e", "f wild-1")


def views(s):
    return {viewer: s.view(viewer) for viewer in EVERYBODY}


def test_everybody_sees_only_the_own_cards():
    s = turn("000111222", "1" * 9, hands=HANDS)
    for viewer, view in views(s).items():
        for p, cards in enumerate(HANDS):
            assert hand(view, p) == (set(cards.split()) if p == viewer else set())


def test_how_many_cards_each_has_is_known():
    s = turn("000111222", "1" * 9, hands=HANDS)
    assert all(list(view.record.hand[:3]) == [3, 2, 2] for view in views(s).values())


def test_cards_on_the_table_are_seen_by_all_where_they_are_open():
    s = turn("000111222", "1" * 9, hands=HANDS, cards="open")
    for view in views(s).values():
        assert [hand(view, p) for p in range(3)] == [set(cards.split()) for cards in HANDS]
    s = conquest(hands=HANDS, cards="open")
    g = s.parse("card g")
    assert {s.seen(g, viewer) for viewer in EVERYBODY} == {g}


def test_discarded_cards_are_known():
    s = turn("000111222", "1" * 9, hands=HANDS)
    play(s, "trade a b c, extra a")
    for view in views(s).values():
        assert {c for c in range(11) if view.record.card[c] == 101} == {0, 1, 2}


def test_everybody_sees_a_trade():
    s = turn("000111222", "1" * 9, hands=HANDS)
    code = s.parse("trade a b c")
    assert {s.seen(code, viewer) for viewer in EVERYBODY} == {code}


def test_whether_there_is_a_set_is_not_told():
    # With and without a set the same is asked, and others see the same position.
    for viewer in (PUBLIC, 1, 2):
        one = turn("000111222", "1" * 9, hands=("a b c", "d e")).view(viewer)
        two = turn("000111222", "1" * 9, hands=("a b g", "d e")).view(viewer)
        assert one.phase == two.phase == "trade"
        assert one.buffer.tobytes() == two.buffer.tobytes()


def conquest(**more):
    s = board("000111222", "114111111", **more)
    return play(s, "c>d*3, -1, end, end")


def test_only_whoever_draws_a_card_sees_it():
    s = conquest(hands=HANDS)
    assert s.phase == "card"
    g, h = s.parse("card g"), s.parse("card h")
    assert s.seen(g, 0) == g
    for viewer in (PUBLIC, 1, 2):
        assert s.seen(g, viewer) == s.seen(h, viewer) != g
        assert s.text(s.seen(g, viewer)) == "card"


def falling(hands):
    s = board("001222222", "141111111", hands=hands)
    return play(s, "b>c*3, -1")


def test_cards_of_the_fallen_are_seen_by_the_two_alone():
    s = falling(("a", "d e", "f"))
    assert s.phase == "hand over"
    for _ in range(2):
        ((card, chance),) = s.outcomes
        assert chance == 1
        assert s.seen(card, 0) == s.seen(card, 1) == card
        assert s.text(s.seen(card, 2)) == s.text(s.seen(card, PUBLIC)) == "card"
        s.apply(card)
    assert hand(s.view(0), 0) == {"a", "d", "e"}
    assert hand(s.view(2), 0) == set()
    assert s.phase == "attack"


def test_others_see_no_difference_between_hands_that_are_handed_over():
    def end(theirs):
        s = falling(("a", theirs, "f"))
        told = []
        while s.phase == "hand over":
            card = s.outcomes[0][0]
            told.append(s.seen(card, 2))
            s.apply(card)
        return told, s.view(2).buffer.tobytes()

    assert end("d e") == end("b wild-2")


def test_the_opponents_hand_is_any_of_the_cards_that_are_not_seen():
    s = turn("000111222", "1" * 9, hands=HANDS, discarded="i")
    view, rng = s.view(0), stream(3)
    found = [set(), set(), set()]
    for _ in range(300):
        one = view.sample(rng)
        assert hand(one, 0) == {"a", "b", "c"}
        assert len(hand(one, 1)) == len(hand(one, 2)) == 2
        assert not hand(one, 1) & hand(one, 2)
        for p in range(3):
            found[p] |= hand(one, p)
    unseen = {"d", "e", "f", "g", "h", "wild-1", "wild-2"}
    assert found == [{"a", "b", "c"}, unseen, unseen]


def test_a_hand_of_two_is_each_pair_alike():
    s = turn("000111222", "1" * 9, hands=("a b c", "d e"), discarded="f g wild-1 wild-2")
    # d e h i are unseen, and two of them are orange's: six pairs.
    view, rng = s.view(0), stream(4)
    count = {}
    for _ in range(3000):
        pair = frozenset(hand(view.sample(rng), 1))
        count[pair] = count.get(pair, 0) + 1
    assert len(count) == 6
    assert all(n / 3000 == pytest.approx(1 / 6, abs=0.03) for n in count.values())


def test_actions_of_the_view_are_those_of_the_position():
    for hands in (("a b c", "d e"), ("a b g", "d e"), ("a b c d e", "f")):
        s = turn("000111222", "1" * 9, hands=hands)
        assert legal(s.view(0)) == legal(s)
