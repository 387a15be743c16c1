"""The drawing of Catan: the island and its pieces, what is clicked, and what is chosen together."""

import re
import time
import xml.etree.ElementTree as ET
from itertools import pairwise

import numpy as np
import pytest

from kostka.core import present, rules
from kostka.core.game import game as find_game
from kostka.core.palette import PLAYERS
from kostka.core.rng import stream
from kostka.core.theme import pieces
from kostka.games.catan import art, view
from kostka.games.catan.board import EDGES, KINDS, LAND, NODE_HEX, ORE, WOOD
from kostka.games.catan.state import (
    ANSWER,
    BEFORE,
    DISCARD,
    FOUND_ROAD,
    FOUND_SETTLEMENT,
    FREE_ROADS,
    MAIN,
    NOBODY,
    OFFER,
    ROBBER,
    TAKE,
    VICTIM,
)

catan = find_game("catan")
SVG = "{http://www.w3.org/2000/svg}"


def begun(**options):
    """The beginner's pieces, and everybody's hand empty but for what they bring."""
    luck = stream(1)
    return catan.new(seed=1, start="fixed", **options).settle(luck)


def in_turn(cards=(0, 0, 0, 0, 0), phase=MAIN, **options):
    """The first player has rolled and holds these cards, and the others some of each."""
    state = begun(**options)
    s = state.record
    s.phase, s.rolled, s.dice = phase, int(phase != BEFORE), 8
    for p in range(s.players):
        give(s, p, cards if p == 0 else (2, 2, 2, 2, 2))
    return state


def give(s, p, cards):
    """A hand that everybody knows."""
    for hands in (s.hand, s.known):
        s.bank[:] += np.int8(0) if hands is s.known else s.hand[p] - np.array(cards, np.int8)
        hands[p] = cards
    s.cards[p] = sum(cards)


def positions(count=160, **options):
    """Positions of a game between builders."""
    luck, rng = stream(5), stream(6)
    state = catan.new(seed=5, players=4, **options).settle(luck)
    builder = catan.policies["builder"][0]
    out = np.empty(catan.width, np.int64)
    for _ in range(count):
        if state.over:
            return
        yield state
        state = state.apply(int(rules.policy(builder, state.record, out, rng))).settle(luck)


@pytest.fixture(scope="module")
def late():
    *_, state = positions(220)
    return state


def drawn(state, seat=None):
    still, moving, _ = present.drawing(state.view(state.mover if seat is None else seat))
    return still + moving


def things(svg):
    return set(re.findall(r'\bid="([^"]+)"', svg))


SCENES = {
    "before": lambda: scene(BEFORE, dev=(1, 1, 1, 1, 1)),
    "main": lambda: scene(MAIN, (4, 4, 4, 4, 4), dev=(1, 1, 1, 1, 1)),
    "discard": lambda: scene(DISCARD, (3, 2, 2, 1, 0), owed=4),
    "robber": lambda: scene(ROBBER),
    "victim": lambda: scene(VICTIM, robber=int(NODE_HEX[40, 0])),
    "free roads": lambda: scene(FREE_ROADS, free_roads=2),
    "take": lambda: scene(TAKE, taking=2),
    "offer": lambda: in_turn((2, 1, 0, 0, 0)).apply("give wood"),
    "answer": lambda: offered(),
    "founding": lambda: catan.new(seed=1).settle(stream(1)),
    "first road": lambda: catan.new(seed=1).settle(stream(1)).apply("settle 20"),
}


def scene(phase, cards=(1, 1, 1, 1, 1), dev=(0, 0, 0, 0, 0), owed=0, **fields):
    state = in_turn(cards, phase)
    s = state.record
    s.dev[0], s.devs[0] = dev, sum(dev)
    s.deck[:] -= np.array(dev, np.int8)
    s.deck_left -= sum(dev)
    s.owed[0] = owed
    for name, value in fields.items():
        setattr(s, name, value)
    return state


def offered(wood=2):
    state = in_turn((wood, 1, 0, 0, 0))
    for text in (*["give wood"] * wood, "want ore", "offer"):
        state.apply(text)
    return state


@pytest.mark.parametrize("name", SCENES)
def test_every_legal_action_is_a_path_of_clicks_on_what_is_drawn(name):
    state = SCENES[name]()
    v = state.view(state.mover)
    there = things(drawn(state))
    found = [tuple(view.clicks(v.record, a)) for a in v.legal_actions]
    assert found and len(set(found)) == len(found)
    for one, other in pairwise(sorted(found)):
        assert other[: len(one)] != one
    for path in found:
        assert {one for one in path if not one.startswith("!")} <= there
        assert present.why_not(v, path[:1]) is None
    assert len(present.status(v)) > 10


def test_all_phases_in_which_somebody_decides_are_tried_above():
    phases = {int(scene().record.phase) for scene in SCENES.values()}
    assert phases == {
        FOUND_SETTLEMENT, FOUND_ROAD, BEFORE, DISCARD, ROBBER, VICTIM, MAIN, FREE_ROADS, TAKE,
        OFFER, ANSWER,
    }  # fmt: skip


def test_the_drawing_is_well_formed_and_the_same_for_the_same_view(late):
    for state in (late, *(make() for make in SCENES.values())):
        for seat in range(-1, state.players):
            root = ET.fromstring(f'<svg xmlns="{SVG[1:-1]}">{drawn(state, seat)}</svg>')
            names = [one.get("id") for one in root.iter() if one.get("id")]
            assert len(set(names)) == len(names)
            used = {one.get("href", "#")[1:] for one in root.iter()} - {""}
            assert used <= set(names)
            assert drawn(state, seat) == drawn(state.copy(), seat)
        assert ET.fromstring(state.svg).tag == f"{SVG}svg"


def test_what_is_sent_after_every_move_is_small_and_quick(late):
    v = late.view(late.mover)
    best = 1.0
    for _ in range(5):
        begin = time.process_time()
        moving = view.layer(v.record) + view.own(v.record, v.seat)
        best = min(best, time.process_time() - begin)
    assert len(moving) < 70_000
    assert best < 0.005
    assert len(view.backdrop(v.record)) < 60_000
    assert max(len(view.preview(v.record, a)) for a in v.legal_actions) < 400


def test_nobody_is_shown_the_cards_of_another(late):
    s = late.record
    for seat in range(4):
        v = late.view(seat)
        shown = view.own(v.record, seat)
        for r in range(KINDS):
            told = re.search(rf'id="h{r}".*?<title>Your (\w+): (\d+)</title>', shown)
            assert told is not None and int(told[2]) == s.hand[seat, r]
        assert shown.count('id="d') == (s.dev[seat] > 0).sum()


def test_who_watches_sees_a_hand_only_where_everybody_knows_it():
    state = in_turn((1, 2, 3, 0, 0))
    watched = view.own(state.view(-1).record, NOBODY)
    assert "Blue’s brick: 2" in watched
    s = state.record
    s.thefts, s.thief[0], s.robbed[0], s.stolen[0] = 1, 0, 1, ORE
    s.hand[0, ORE] += 1
    s.hand[1, ORE] -= 1
    s.cards[0] += 1
    s.cards[1] -= 1
    assert view.own(state.view(-1).record, NOBODY) == ""
    assert "Your ore: 1" in view.own(state.view(0).record, 0)
    assert (
        dict(view.known(state.view(2).record, 0))["hand"] == "wood + 2 brick + 3 wool + 1 unknown"
    )
    assert dict(view.known(state.view(2).record, 1))["hand"] == (
        "wood + brick + wool + grain + ore + 4 unknown"
    )


def test_numbers_have_a_pip_for_every_throw_and_the_likeliest_are_told_without_colour():
    for n, disc in zip(range(2, 13), art.discs(range(2, 13)), strict=False):
        if n == 7:
            continue
        assert disc.count('r="4"') == 6 - abs(7 - n)
        assert ('r="35"' in disc) == (n in (6, 8))
    assert not list(art.discs([0]))


def test_every_hex_path_and_intersection_is_named_and_inside_the_picture(late):
    left, top, wide, high = (float(n) for n in view.viewbox(late.record).split())
    for v in range(54):
        x, y = art.at(v)
        assert left < x < left + wide and top < y < top + high
    layer = view.layer(late.record)
    assert len(re.findall(r'id="t\d+"', layer)) == LAND
    assert len(re.findall(r'id="e\d+"', layer)) == len(EDGES)
    assert layer.count("<title>") > LAND + len(EDGES) + 54
    assert wide / high > 0.75


def test_pieces_are_told_apart_by_their_owners_shape(late):
    layer = view.layer(late.record)
    s = late.record
    for p in range(4):
        built = (s.road == p + 1).sum() + int(s.settlements[p]).bit_count()
        built += 2 * int(s.cities[p]).bit_count()
        holds = int(s.road_holder == p) + int(s.army_holder == p)
        assert layer.count(f'href="#catan-mark{p}"') == built + 1 + holds
        assert f'color="{PLAYERS[p].colour}"' in layer


def test_a_throw_is_two_faces_that_everybody_sees_alike():
    for total in range(2, 13):
        found = {tuple(view.faces(turn, total)) for turn in range(30)}
        assert all(sum(pair) == total and all(1 <= face <= 6 for face in pair) for pair in found)
        assert len(found) == 6 - abs(7 - total)


def test_a_picture_for_a_seat_shows_the_hand_of_that_seat(late):
    assert "Your wood" in late.view(2).svg
    assert "Your wood" not in late.svg and "’s wood" in late.svg


# --- cards chosen together ---


def choices(state):
    found = present.bundle(state.view(state.mover))
    assert found is not None
    return found


def test_half_of_a_large_hand_is_discarded_together():
    found = choices(SCENES["discard"]())
    (row,) = found["rows"]
    assert row["total"] == [4, 4]
    assert [card["limits"][1] for card in row["cards"]] == [3, 2, 2, 1, 0]
    assert row["cards"][WOOD]["action"] == "discard wood" and row["cards"][WOOD]["thing"] == "h0"


def test_a_year_of_plenty_takes_what_the_bank_has():
    state = SCENES["take"]()
    assert choices(state)["rows"][0]["total"] == [2, 2]
    state.record.bank[:] = 0, 0, 1, 0, 0
    (row,) = choices(state)["rows"]
    assert row["total"] == [1, 1]
    assert [card["limits"][1] for card in row["cards"]] == [0, 0, 1, 0, 0]


def test_an_offer_gives_own_cards_and_wants_as_many_as_somebody_holds():
    gives, wants = choices(in_turn((2, 1, 0, 0, 0)))["rows"]
    assert gives["total"] == [1, 3] and wants["total"] == [1, 10]
    thesis = choices(in_turn((2, 1, 1, 0, 0), form="thesis"))
    assert [row["total"] for row in thesis["rows"]] == [[1, 2], [1, 1]]
    assert thesis["apart"] and thesis["then"] == "offer"


def test_nothing_is_offered_where_nothing_may_be():
    for state in (in_turn((2, 1, 0, 0, 0), offers=0), in_turn((0, 0, 0, 0, 0)), scene(BEFORE)):
        assert present.bundle(state.view(0)) is None


def test_whose_turn_it_is_is_told_beside_who_is_asked():
    v = offered().view(1)
    assert (present.turn(v), v.mover) == (0, 1)
    assert "Blue gives 2 wood for ore" in present.status(v)
    assert "2 wood for ore" in view.layer(v.record)


def test_who_has_refused_is_marked():
    state = offered().apply("refuse")
    assert view.layer(state.record).count("m0-24l-24 24") == 1


# --- why not, and what is seen ---


def refused(state, *path):
    return present.why_not(state.view(state.mover), path)


def test_a_refused_click_names_the_rule():
    state = in_turn((1, 1, 0, 0, 0))
    free = next(v for v in range(54) if not int(state.record.free) >> v & 1)
    assert "next to it" in refused(state, f"v{free}") or "stands" in refused(state, f"v{free}")
    assert refused(state, "t3") == "the robber moves only after a 7 or with a knight"
    assert "the bank takes" in refused(state, "b4")
    assert "the bank takes 4 wood" in refused(state, "b4", "h0")
    assert refused(state, "d0") == "you have no knight"
    assert refused(state, "h4") == "you have no ore"
    assert refused(state, "deck").startswith("a development card costs")
    assert refused(in_turn((1, 0, 0, 0, 0), offers=0), "h0").startswith("in this game players do")
    legal = {view.clicks(state.record, a)[0] for a in state.legal_actions}
    far = next(f"e{e}" for e in range(len(EDGES)) if f"e{e}" not in legal)
    assert "road" in refused(state, far)
    assert refused(SCENES["robber"](), f"t{int(SCENES['robber']().record.robber)}") == (
        "the robber must move to another hex"
    )


@pytest.mark.parametrize(
    "path",
    [
        ["t99"],
        ["!end"],
        [{"amount": [1, 2, 1]}],
        ["v60"],
        ["b0", "h9"],
        ["d7"],
        ["x"],
        ["h0", "h0"],
    ],
)
def test_nonsense_is_answered_with_what_would_be_right(path):
    assert refused(SCENES["robber"](), *path)


def test_what_happens_is_animated():
    state = in_turn((1, 1, 1, 1, 1), BEFORE)
    after = state.copy().apply("roll")
    (dice, *shown) = view.effects(after.record, 8, after.record)
    assert dice["kind"] == "dice" and sum(dice["faces"][0]) == 8
    assert {one["kind"] for one in shown} <= {"pulse"}
    state = offered()
    taken = view.effects(state.record, state.parse("accept"), state.record)
    assert taken[-1] == {"kind": "say", "words": "Blue gives Orange 2 wood for ore"}
    moved = SCENES["robber"]()
    (effect,) = view.effects(moved.record, moved.parse("robber A"), moved.record)
    assert (effect["kind"], effect["to"]) == ("move", "t0")


def test_all_that_is_public_is_said_of_a_player(late):
    s = late.record
    for p, facts in enumerate(view.players(s)):
        told = dict(facts)
        assert told["points"] == str(view.points(s, p))
        assert told["cards"] == str(s.cards[p])
        assert {"knights", "road", "harbours", "development cards"} <= set(told)


# --- a theme ---


def test_a_theme_can_replace_hexes_harbours_pieces_and_cards():
    named = pieces(view.backdrop(begun().record))
    assert {
        "catan-hex-wood", "catan-hex-desert", "catan-boat", "catan-settlement", "catan-city",
        "catan-road", "catan-robber", "catan-card-ore", "catan-card-knight", "catan-card-anything",
        "catan-card-victory-point", "catan-dice", "catan-deck",
    } <= set(named)  # fmt: skip


def test_a_theme_of_ones_own_is_drawn(tmp_path, monkeypatch):
    folder = tmp_path / "catan"
    folder.mkdir()
    own = f'<svg xmlns="{SVG[1:-1]}"><circle class="own" r="9"/></svg>'
    (folder / "catan-robber.svg").write_text(own)
    (tmp_path / "catan.css").write_text(".ct0 { fill: teal }")
    monkeypatch.setenv("KOSTKA_THEME", str(tmp_path))
    still, _, _ = present.drawing(begun().view(0))
    assert '<circle class="own" r="9"' in still and ".ct0 { fill: teal }" in still
