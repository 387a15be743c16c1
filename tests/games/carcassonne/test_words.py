"""What people read: notation, words, reasons, and what is going on."""

import json

import pytest
from byhand import CAP, OPEN_SEA, PEAK, WAY, begin, play

from kostka.core.errors import KostkaError
from kostka.core.game import game
from kostka.games.carcassonne.actions import LANDS, ending, status, tile_name
from kostka.games.carcassonne.tileset import tile_set


def test_a_turn_reads_like_somebody_telling_it():
    s = begin(OPEN_SEA, {**CAP, "cities": [[0, 1]]}, WAY)
    assert s.describe(s.parse("b")) == "the green shore with a city"
    s.apply("b")
    assert s.describe(s.parse("1,0/0")) == "lay the green shore with a city east of the start"
    assert s.describe(s.parse("0,1/1")).endswith("south of the start, turned right")
    s.apply("1,0/0")
    assert s.describe(s.parse("put 0")) == "put a follower on the sea"
    assert s.describe(s.parse("pass")) == "pass"
    s.apply("put 0").apply("b").apply("2,0/0").apply("pass").apply("c")
    assert s.describe(s.parse("1,1/0")) == "lay the green shore 1 east and 1 south of the start"
    s.apply("1,1/0")
    words = "take the follower back from the sea east of the start for 2 points"
    assert s.describe(s.parse("take 0")) == words
    assert s.describe(s.parse("put 2")) == "put a follower on the sea in the west"


def test_every_kind_of_country_has_a_name():
    r = game("carcassonne").new(seed=1).record
    names = {tile.id: tile_name(r, t) for t, tile in enumerate(tile_set("standard").tiles)}
    assert names["L161-GSG-c01-c12"] == "green shore with two cities"
    assert {name.split(" with")[0] for name in names.values()} == set(LANDS.values())


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("9,9/0", "no tile lies next to 9,9"),
        ("0,1/7", "a tile can be turned 0 to 3 times to the right, not 7 times"),
        ("put 1", "lay the tile first"),
        ("put 7", "there is no region 7; regions are numbered from 0 to 5"),
        ("take 0", "lay the tile first"),
        ("0;1", "'0;1' is no Carcassonne: The Discovery notation here"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason(wrong, why):
    s = begin(CAP, CAP).apply("b")
    assert s.why_not(wrong).startswith(why)
    before = s.code
    with pytest.raises(KostkaError):
        s.apply(wrong)
    assert s.code == before


def test_once_the_tile_is_laid_it_lies():
    s = begin(CAP, CAP).apply("b").apply("0,1/2")
    why = "the tile is laid; now put a follower on it, take one back, or pass"
    assert s.why_not("1,0/0") == why


def test_the_status_says_what_is_expected_and_of_whom():
    s = begin(CAP, CAP).apply("b")
    assert status(s.record, 0) == "Your turn: lay the green shore."
    assert status(s.record, 1, ["Anna"]) == "Blue (Anna) lays the green shore."
    s.apply("0,1/2")
    assert status(s.record, 0) == "Your turn: put a follower on this tile or pass."
    assert status(s.record, 1) == "Blue is deciding about a follower."
    s.apply("put 1")
    assert status(s.record, 1) == "You draw a tile."
    s.apply("b").apply("1,0/0").apply("pass").apply("b").apply("-1,0/0")
    assert status(s.record, 0) == "Your turn: put a follower on this tile, take one back or pass."


def test_the_status_says_which_tile_was_discarded():
    s = begin(CAP, CAP, PEAK, OPEN_SEA).apply("c")
    gone = "The mountain range fits nowhere and leaves the game."
    assert status(s.record, 1) == f"{gone} Blue draws a tile."
    s.apply("b")
    assert status(s.record, 0) == f"{gone} Your turn: lay the green shore."
    s.apply("0,1/2").apply("pass").apply("c").apply("c")
    assert status(s.record, 1).startswith("2 tiles fit nowhere and leave the game")


def test_the_end_tells_of_every_follower_that_is_counted():
    s = play(begin(CAP, WAY, count=2), "b 0,1/0 put 1", "b 0,2/0 put 0")
    assert ending(s.record, ["Anna"]) == [
        "Blue (Anna): 3 points for the grassland south of the start.",
        "Orange: 0 points for the sea 2 south of the start.",
    ]
    assert status(s.record, 0) == (
        "You have won. Blue: 3 points for the grassland south of the start. "
        "Orange: 0 points for the sea 2 south of the start."
    )


def test_the_followers_of_a_player_are_told_in_one_sentence():
    s = play(begin(CAP, WAY, count=3), "b 0,1/0 put 1", "b 0,2/0 pass", "b 0,3/0 put 0")
    assert ending(s.record)[0].count(" for ") == 2 and " and " in ending(s.record)[0]


def test_the_luck_of_a_record_is_told_by_the_ids_of_tiles():
    s = game("carcassonne").new(seed=1)
    assert s.parse("L44-MG") == 3 and s.text(3) == "L44-MG"
    assert json.dumps([s.text(a) for a, _ in s.outcomes]).isascii()
