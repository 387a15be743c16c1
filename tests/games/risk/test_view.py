"""How Risk is drawn and clicked: owners, pieces, continents, cards, missions; sizes and times."""

import re
import time

import pytest
from riskboards import board, play, turn, world

from kostka.core import present
from kostka.core.game import game
from kostka.games.risk.art import pieces
from kostka.games.risk.state import ARTILLERY, CAVALRY, INFANTRY
from kostka.games.risk.view import effects

HALVES = ("000011111", "311141111")
CONTINENTS = {"NA": 0, "SA": 1, "EU": 1, "AF": 1, "AS": 2, "AU": 0}


def drawn(s, viewer=0):
    """The layer of a position as a viewer sees it."""
    return present.drawing(s.view(viewer))[1]


# --- what is shown ---


def test_a_territory_is_told_with_its_owner_and_armies():
    layer = drawn(world(CONTINENTS, armies=12))
    assert "<title>Brazil: orange, 12 armies</title>" in layer
    assert "<title>Alaska: blue, 12 armies</title>" in layer


def test_owners_are_told_apart_by_shape_as_well_as_by_colour():
    layer = drawn(world(CONTINENTS))
    assert all(f'fill="url(#risk-print{p})"' in layer for p in range(3))
    assert all(layer.count(f'href="#risk-mark{p}"') > 4 for p in range(3))


@pytest.mark.parametrize(
    ("armies", "row"),
    [
        (1, [INFANTRY]),
        (4, [INFANTRY] * 4),
        (5, [CAVALRY]),
        (7, [CAVALRY, INFANTRY, INFANTRY]),
        (23, [ARTILLERY, ARTILLERY, INFANTRY, INFANTRY, INFANTRY]),
    ],
)
def test_pieces_stand_for_one_five_and_ten_armies(armies, row):
    assert pieces(armies) == row


def test_a_continent_shows_its_bonus_and_who_holds_it():
    layer = drawn(world({**CONTINENTS, "siam": 0}))
    assert "North America: 5 armies, held by blue" in layer
    assert "<title>Asia: 7 armies</title>" in layer


def test_everybody_sees_how_many_cards_there_are_and_only_their_own():
    s = turn(*HALVES, hands=("a d", "g"))
    assert "4 territories, 2 cards" in drawn(s, 1)
    assert 'id="k0"' in drawn(s, 0) and 'id="k6"' not in drawn(s, 0)
    assert 'id="k6"' in drawn(s, 1) and 'id="k0"' not in drawn(s, 1)
    assert "A, infantry, your territory" in drawn(s, 0)


def test_the_own_mission_is_shown_with_how_far_it_is_and_nobody_elses():
    s = world(CONTINENTS, missions=("na-au", "destroy-green", "territories-24"))
    assert "Hold North" in drawn(s, 0) and "So far 9 of 9, 4 of 4" in drawn(s, 0)
    assert "Destroy green" in drawn(s, 1) and "Destroy green" not in drawn(s, 0)


def test_the_own_mission_stays_in_sight_where_everybody_shows_their_cards():
    s = world(CONTINENTS, missions=("na-au", "destroy-green", "territories-24"),
              hands=("peru", "siam"), cards="open")  # fmt: skip
    layer = drawn(s, 1)
    assert "Destroy green" in layer and "Siam, " in layer and "Peru," not in layer


@pytest.mark.parametrize(("trades", "armies"), [(0, 4), (2, 8), (6, 20)])
def test_what_a_set_would_bring_now_is_shown(trades, armies):
    s = board(*HALVES, fields={"trades": trades})
    assert f"A set brings {armies} armies now" in drawn(s)


def test_an_arrow_shows_the_last_attack_and_how_it_went():
    s = board("000111111", "116111111").apply("c>d!")
    assert 'class="last rolling"' in drawn(s)
    assert 'class="last won"' in drawn(play(s.copy(), "won 5, x3"))
    assert 'class="last lost"' in drawn(play(s.copy(), "lost 1"))


# --- what it costs ---


@pytest.mark.parametrize("players", [3, 6])
def test_a_layer_is_small_and_quick(players):
    s = game("risk").new(seed=1, players=players, map="random", territories=60, win="missions")
    s.record.armies[:60] = 999
    view = s.view(0)
    assert len(present.drawing(view)[1].encode()) < 70_000
    begun = time.process_time()
    for _ in range(20):
        present.drawing(view)
    assert (time.process_time() - begun) / 20 < 0.005


# --- clicks ---


def clicks(s, action):
    return present.clicks(s.view(s.mover), s.parse(action))


def test_an_attack_is_from_to_and_how():
    s = board("000111111", "115111111")
    assert clicks(s, "c>d*3") == ["t2", "t3", "!3 dice"]
    *places, how = clicks(s, "c>d!")
    assert places == ["t2", "t3"]
    assert re.fullmatch(r"!until it is decided \(97 %, then about 4 left\)", how)


def test_a_number_is_an_amount():
    s = turn(*HALVES).apply("place a")
    assert clicks(s, "x2") == [{"amount": [1, 5, 2]}]


def test_a_trade_is_three_cards():
    s = turn(*HALVES, hands=("a d g",))
    assert clicks(s, "trade a d g") == ["k0", "k3", "k6"] and clicks(s, "end") == ["!end"]


@pytest.mark.parametrize(
    ("path", "why"),
    [
        (["t0", "t5"], "A and F are not neighbours"),
        (["t4"], "E is not yours"),
        (["t1"], "B has only one army, and one must stay"),
        (["t0"], "A has no enemy beside it"),
    ],
)
def test_a_click_that_leads_nowhere_is_explained(path, why):
    view = board("000011111", "311241111").view(0)
    assert present.why_not(view, path) == why


# --- what a page may animate ---


def test_armies_that_move_in_are_seen_to_move():
    s = play(board("000111111", "116111111"), "c>d!, won 5")
    before, code = s.record.copy(), s.parse("x3")
    s.apply("x3")
    assert effects(before, code, s.record) == [
        {"kind": "move", "from": "t2", "to": "t3", "number": 3}
    ]


def test_the_fall_of_a_player_is_said():
    s = play(board("000000012", "111111411", players=3), "g>h!")
    before, code = s.record.copy(), s.parse("won 3")
    s.apply("won 3")
    assert {"kind": "say", "words": "Orange is out"} in effects(before, code, s.record)


# --- in a terminal ---


def test_in_a_terminal_all_land_is_listed_with_owner_armies_and_neighbours():
    s = board("000000112", "315111419", hands=("a wild-1",), players=3)
    rows = s.game.part("view").picture(s.view(0).record).splitlines()
    assert rows[0] == "W +2, held by blue" and rows[1] == "  B3    a  b"
    assert rows[9] == "  o4    g  f h" and rows[11] == "  g9    i  h"
    assert "B blue: territories 6, armies 12, new armies 8, cards 2" in rows
    assert rows[-2:] == ["Your cards: a (infantry), wild-1 (wild)", "A set brings 4 armies now."]


def test_in_a_terminal_the_own_mission_is_told():
    s = world(CONTINENTS, missions=("na-au", "destroy-green", "territories-24"))
    text = s.game.part("view").picture(s.view(0).record)
    assert "Your mission: Hold North America and Australia. So far 9 of 9, 4 of 4." in text
