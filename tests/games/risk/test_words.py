"""Risk in words: what is refused and why, what an action does, missions, and what is going on."""

import pytest
from riskboards import begin, board, play, turn, world

from kostka.core.present import status
from kostka.games.risk.words import mission, progress

HALVES = ("000011111", "311141111")


def attacking(owners="000011111", armies="311141111", **more):
    return board(owners, armies, **more)


# --- why not ---


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("e>d*1", "E is not yours"),
        ("c>d!", "C has only one army, and one must stay"),
        ("a>b!", "B is your own"),
        ("a>e*1", "A and E are not neighbours"),
    ],
)
def test_an_attack_that_cannot_be_made_is_explained(action, why):
    assert attacking().why_not(action) == why


def test_one_rolls_fewer_dice_than_there_are_armies():
    s = attacking("000111111", "112111111")
    assert s.why_not("c>d*1") is None
    assert "roll at most 1 die: one army must stay" in s.why_not("c>d*2")


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("e=d", "E is not yours"),
        ("a=e", "E is not yours"),
        ("b=a", "B has only one army, and one must stay"),
        ("a=a", "armies of A are there already"),
    ],
)
def test_a_move_that_cannot_be_made_is_explained(action, why):
    assert board(*HALVES, phase="fortify").why_not(action) == why


def test_a_way_must_lead_through_own_territories():
    s = board("001001111", "311111111", phase="fortify")
    assert s.why_not("a=d") == "your territories do not join A and D"
    s = board("000011111", "311111111", phase="fortify", fortify="adjacent")
    assert s.why_not("a=c") == "A and C are not neighbours"


def test_what_is_claimed_must_be_empty():
    s = begin(players=3)
    s.apply("claim a")
    assert s.why_not("claim a") == "A is taken; claim an empty territory as long as there is one"


def test_new_armies_go_on_own_territories_and_all_of_them():
    s = turn(*HALVES)
    assert s.why_not("place e") == "E is not yours"
    s.apply("place a")
    assert s.why_not("x9") == "you have only 5 armies to place"
    assert s.why_not("x0") == "it must be at least one army"


def test_a_full_territory_takes_no_more():
    s = turn("000011111", "12 1 1 1 1 1 1 1 1", limit=12)
    assert s.why_not("place a") == "A is full: at most 12 armies fit on a territory"


def test_those_who_rolled_must_move_in_and_one_stays():
    s = play(board("000011111", "111911111"), "d>e*3, -1")
    assert "at least 3 armies must move in: as many as dice were rolled" in s.why_not("x2")
    assert s.why_not("x9") == "at most 8 armies can move: one must stay in D"


def test_cards_that_make_no_set_are_refused():
    s = turn(*HALVES, hands=("a d b", "c"))
    assert "that is not a set: it takes three alike" in s.why_not("trade a b d")
    assert s.why_not("trade a b c") == "you do not hold C (artillery)"


def test_too_many_cards_must_be_traded():
    s = turn(*HALVES, hands=("a d g b e",))
    assert s.why_not("end") == "you hold 5 cards and may keep only 4: trade a set"


# --- what an action does ---


def test_a_fight_to_the_end_says_its_chance_and_what_will_be_left():
    s = board("000011111", "111411111")
    assert s.describe(s.parse("d>e!")) == (
        "attack E from D until it is decided (92 %, then about 3 left)"
    )
    assert s.describe(s.parse("d>e*3")) == "attack E from D with 3 dice"


def test_what_luck_brings_is_told():
    s = board("000011111", "111421111").apply("d>e*3")
    assert s.describe(s.parse("-2")) == "E loses 2 armies"
    assert s.describe(s.parse("-1")) == "E loses 1 army and D loses 1 army"
    s = board("000011111", "111421111").apply("d>e!")
    assert s.describe(s.parse("won 3")) == "E falls; 3 armies of the attackers left"
    assert s.describe(s.parse("lost 1")) == "E is held; 1 army left there"


# --- missions ---


def test_missions_say_what_they_want_and_how_far_it_is():
    s = world({"NA": 0, "SA": 1, "EU": 1, "AF": 1, "AS": 2, "AU": 0, "siam": 0},
              missions=("na-au", "destroy-green", "territories-18x2"))  # fmt: skip
    r = s.record
    told = [(mission(r, int(r.mission[p])), progress(r, p, int(r.mission[p]))) for p in range(3)]
    assert told == [
        ("Hold North America and Australia", "So far 9 of 9, 4 of 4"),
        ("Destroy green", "Green has 11 territories left"),
        ("Hold 18 territories with 2 armies or more on each", "So far 0 of 18"),
    ]


# --- what is going on ---


def test_whoever_is_to_move_is_told_what_is_expected():
    s = turn(*HALVES)
    assert status(s.view(0)) == "Your turn: place your new armies; 5 left."
    assert status(s.view(1)) == "Blue is to move."


def test_whoever_is_out_watches_on():
    s = board("000022222", "311141111", player=2, players=3)
    assert status(s.view(1)) == "You are out. Green is to move."


def test_the_end_names_the_winner():
    s = play(board("000000001", "111111141", player=0), "h>i!, won 3")
    assert s.over and status(s.view(0)) == "You have won."
