"""The drawing of Dice Wars: what a person must be able to read off it."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from kostka.core import rules
from kostka.core.palette import OUTLINES, PLAYERS
from kostka.core.rng import stream
from kostka.games.dicewars import shapes, view
from kostka.games.dicewars.setup import start
from kostka.games.dicewars.state import COLUMNS, DONE, MAX_DICE, PLACE, ROLL, State

SVG = "{http://www.w3.org/2000/svg}"


def position(players=4, seed=1):
    """A dealt game with all numbers of dice on the board."""
    s = np.zeros(1, State)[0]
    start(s, {"players": players, "edition": 2019, "areas": 0})
    rules.deal(s, stream(seed))
    s.dice[: s.areas] = np.arange(s.areas) % MAX_DICE + 1
    return s


def attacked(won):
    """A position after the first attack that is possible."""
    s = position()
    pairs = ((i, j) for i in range(s.areas) for j in range(s.areas))
    s.source, s.target = next((i, j) for i, j in pairs if int(s.neighbours[i]) >> j & 1)
    s.won = won
    return s


def drawn(s):
    return ET.fromstring(view.svg(s))


def classed(root, name):
    """All elements of a class."""
    return [e for e in root.iter() if name in e.get("class", "").split()]


def titles(elements):
    return [e.find(SVG + "title").text for e in elements]


def shape_names(root):
    return [next(s for s, d in OUTLINES.items() if d == e.get("d")) for e in classed(root, "mark")]


# --- the document ---


def test_a_drawing_is_one_document_with_a_title_and_a_frame():
    root = drawn(position())
    assert root.tag == SVG + "svg"
    assert root.get("role") == "img"
    assert len([float(n) for n in root.get("viewBox").split()]) == 4
    assert root.find(SVG + "title").text == "Dice Wars: blue to play"


def test_ids_are_unique_and_everything_referred_to_is_there():
    text = view.svg(attacked(1))
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text)) <= {
        pair for i in ids for pair in ((i, ""), ("", i))
    }


def test_shapes_of_two_boards_do_not_mix_on_one_page():
    first, second = (shapes.board(position(seed=n)).key for n in (1, 2))
    assert first != second


def test_the_same_position_gives_the_same_bytes():
    before = view.svg(attacked(0))
    shapes._board.cache_clear()
    assert view.svg(attacked(0)) == before


def test_the_backdrop_stays_when_the_position_changes():
    s = position()
    backdrop, layer = view.backdrop(s), view.layer(s)
    s.owner[3], s.dice[3] = (s.owner[3] + 1) % 4, 7
    assert view.backdrop(s) == backdrop
    assert view.layer(s) != layer


def test_colours_follow_the_page_or_the_night():
    style = view.backdrop(position())
    assert "var(--paper, #f6f1e7)" in style
    assert "prefers-color-scheme: dark" in style


# --- areas ---


@pytest.mark.parametrize("players", [2, 8])
def test_each_area_is_one_thing_in_the_colour_of_its_owner(players):
    s = position(players)
    areas = classed(drawn(s), "area")
    assert [e.get("id") for e in areas] == [f"t{i}" for i in range(s.areas)]
    assert [e.get("fill") for e in areas] == [PLAYERS[p].colour for p in s.owner[: s.areas]]


def test_each_area_says_in_words_what_it_is():
    s = position()
    s.owner[:2], s.dice[:2] = (0, 1), (5, 1)
    assert titles(classed(drawn(s), "area"))[:2] == [
        "area 0: blue, 5 dice",
        "area 1: orange, 1 die",
    ]


def test_each_area_shows_its_dice_its_owners_shape_and_its_number():
    s = position(8)
    root = drawn(s)
    labels = classed(root, "label")
    assert [e.text for e in classed(root, "count")] == [str(n) for n in s.dice[: s.areas]]
    assert [e.text for e in classed(root, "number")] == [str(i) for i in range(s.areas)]
    assert shape_names(root)[: s.areas] == [PLAYERS[p].shape for p in s.owner[: s.areas]]
    for label, n in zip(labels, s.dice, strict=False):
        stack = root.find(f".//*[@id='{label.find(SVG + 'use').get('href')[1:]}']")
        assert len(stack) == n


def test_no_two_players_share_a_colour_a_shape_a_letter_or_a_name():
    for kind in zip(*PLAYERS, strict=True):
        assert len(set(kind)) == len(PLAYERS)
    assert {p.shape for p in PLAYERS} == set(OUTLINES)
    assert len(set(OUTLINES.values())) == len(PLAYERS)


@pytest.mark.parametrize("seed", range(5))
def test_labels_stand_inside_their_areas(seed):
    s = position(seed=seed)
    hexes = {shapes.scaled(shapes.lattice(*divmod(h, COLUMNS))): a for h, a in enumerate(s.hexes)}
    for area, (x, y) in enumerate(shapes.board(s).labels):
        nearest = min(hexes, key=lambda p: (p[0] - x) ** 2 + (p[1] - y) ** 2)
        assert hexes[nearest] == area


def test_neighbours_share_their_border_and_no_others_do():
    s = position()
    b = shapes.board(s)
    for i in range(s.areas):
        for j in range(i):
            assert (len(b.borders[i] & b.borders[j]) > 1) == bool(int(s.neighbours[i]) >> j & 1)


# --- what happens ---


def test_nothing_is_marked_before_the_first_attack():
    assert not classed(drawn(position()), "last")


@pytest.mark.parametrize(("won", "kind", "told"), [(1, "won", "and won"), (0, "lost", "and lost")])
def test_the_last_attack_is_shown_with_its_outcome(won, kind, told):
    s = attacked(won)
    root = drawn(s)
    words = f"area {s.source} attacked {s.target} {told}"
    assert titles(classed(root, "last")) == titles(classed(root, kind)) == [words]
    assert words in root.find(SVG + "title").text
    key = shapes.board(s).key
    marked = [e.get("href") for e in classed(root, "focus")]
    assert marked == [f"#{key}-{s.source}", f"#{key}-{s.target}"]


def test_an_attack_under_way_and_a_transfer_look_different():
    s = attacked(-1)
    moved = classed(drawn(s), "last")[0].get("class")
    s.phase = ROLL
    assert (moved, classed(drawn(s), "last")[0].get("class")) == ("last moved", "last rolling")


def test_the_player_whose_turn_it_is_stands_out():
    s = position()
    s.player = 2
    root = drawn(s)
    framed = [e for e in classed(root, "legend") if classed(e, "pill")]
    assert [t.split(":")[0] for t in titles(framed)] == ["green"]
    turn = [e.get("id") for e in classed(root, "turn")]
    assert turn == [f"t{i}" for i in range(s.areas) if s.owner[i] == 2]


def test_players_without_areas_fade():
    s = position()
    s.owner[s.owner == 3] = 0
    s.held[:4] += s.held[3], 0, 0, -s.held[3]
    assert titles(classed(drawn(s), "out")) == ["purple: 0 areas, 0 dice, 0 in reserve"]


def test_the_title_says_how_the_game_stands():
    s = position()
    s.phase, s.placing = PLACE, 3
    assert view.title(s) == "Dice Wars: blue gets 3 dice"
    s.phase = DONE
    assert view.title(s) == "Dice Wars: a draw"
    s.held[0] = s.areas
    assert view.title(s) == "Dice Wars: blue has won"


# --- for a terminal ---


def test_the_text_shows_every_area_with_its_dice_and_owner():
    s = position(8)
    text = view.picture(s)
    for i in range(s.areas):
        assert f"{i}/{s.dice[i]}" in text
    assert max(map(len, text.splitlines())) <= 80
    assert "B blue: " in text
    assert "BB" in text
    assert "OO" not in text
    assert "oo" in text
