"""Dice Wars under the hands of people: clicks, reasons, words and small animations."""

import json
import random
import re
import xml.etree.ElementTree as ET
from itertools import product

import pytest
from scipy.stats import chisquare

from kostka.core import present
from kostka.core.record import new
from kostka.core.rng import stream
from kostka.core.state import CHANCE, State
from kostka.games.dicewars import game, view
from kostka.games.dicewars.rules import ODDS, note_dice, note_owners
from kostka.games.dicewars.state import DONE

NAMES = ["Anna", "Bob", "Cyril", "Dora"]


def row(owners, dice, *, player=0, transfers=0, **fields):
    """Areas in a row, each touching the next: ``row("001", "321")``; area i is the i-th digit."""
    one, n = new(game.dtype), len(owners)
    s = one[0]
    for i in range(n):
        s.neighbours[i] = sum(1 << j for j in (i - 1, i + 1) if 0 <= j < n)
    s.owner[:n], s.dice[:n] = ([int(c) for c in digits] for digits in (owners, dice))
    s.areas, s.players = n, max(2, 1 + max(s.owner))
    note_owners(s)
    note_dice(s)
    s.player, s.transfer_limit, s.quiet_limit, s.battle_limit = player, transfers, 8, 10_000
    s.source = s.target = s.won = -1
    for name, value in fields.items():
        s[name] = value
    return State(game, game.check({"players": int(s.players)}), one)


def played(players, edition, seed, events=400):
    """A random game: the positions in it, each with what happens next."""
    state = game.new(seed=seed, players=players, edition=edition)
    luck, chooser = stream(seed, "luck"), random.Random(seed)
    for _ in range(events):
        if state.over:
            return
        codes = state.legal_actions
        code = state.draw(luck) if state.mover == CHANCE else chooser.choice(codes[:-1] or codes)
        yield state.copy(), code
        state.apply(code)


def things(v):
    """The ids of what can be clicked in a drawing."""
    still, moving, _ = present.drawing(v)
    root = ET.fromstring(f"<svg>{still}{moving}</svg>")
    assert all(e.find("title").text for e in root.iter() if "thing" in e.get("class", "").split())
    return [e.get("id") for e in root.iter() if "thing" in e.get("class", "").split()]


def refused(state, *path):
    return present.why_not(state.view(state.mover), path)


# --- clicks ---


@pytest.mark.parametrize(("players", "edition"), [(2, 2019), (5, 2020), (8, 2021), (3, 2021)])
def test_every_action_has_a_path_of_its_own_and_none_begins_another(players, edition):
    decisions = [s for s, _ in played(players, edition, players) if s.mover != CHANCE]
    for state in decisions[::8]:
        v = state.view(state.mover)
        paths = [present.clicks(v, a) for a in v.legal_actions]
        begins = {json.dumps(path[:k]) for path in paths for k in range(len(path))}
        whole = [json.dumps(path) for path in paths]
        assert len(set(whole)) == len(paths)
        assert not begins & set(whole)
        used = {click for path in paths for click in path}
        assert used - set(things(v)) == {"!end"}


def test_an_attack_or_a_transfer_is_two_areas_and_the_end_of_a_turn_a_button():
    state = row("0011", "1321", transfers=6)
    v = state.view(0)
    paths = {state.text(a): present.clicks(v, a) for a in v.legal_actions}
    assert paths == {"1>2": ["t1", "t2"], "1=0": ["t1", "t0"], "end": ["!end"]}


@pytest.mark.parametrize("edition", [2019, 2021])
def test_a_click_is_refused_exactly_when_no_action_begins_with_it(edition):
    decisions = [s for s, _ in played(4, edition, 7) if s.mover != CHANCE]
    for state in decisions[::40]:
        v = state.view(state.mover)
        paths = [present.clicks(v, a) for a in v.legal_actions]
        everything = [*things(v), "!end"]
        firsts = {path[0] for path in paths}
        for click in everything:
            why = present.why_not(v, [click])
            assert (why is None) == (click in firsts)
            assert why is None or str(click[1:]) in why
        for first in sorted(firsts - {"!end"}):
            for click in everything:
                assert (present.why_not(v, [first, click]) is None) == ([first, click] in paths)


def test_a_refused_click_is_explained():
    state = row("0001011", "4213218")
    assert refused(state, "t3") == (
        "area 3 is not yours; choose one of your areas with at least two dice first"
    )
    assert refused(state, "t2") == "area 2 has one die, and one must stay"
    assert refused(state, "t0") == "area 0 touches no area of another player"
    assert refused(state, "t4", "t6") == "areas 4 and 6 do not touch"
    assert refused(state, "t4", "t2") == "areas 4 and 2 do not touch"
    assert refused(state, "t4", "t4") == "area 4 is chosen already: choose one beside it"
    assert refused(state, "t4", "!end") == (
        "area 4 is chosen: choose one beside it, or take that back first"
    )
    assert refused(state, "t4", "t3") is None
    assert refused(state, "t4", "t3", "t3").startswith("two areas make an attack")
    assert refused(row("001", "321"), "t1", "t0") == "area 0 is your own"


def test_a_refused_transfer_is_explained():
    assert refused(row("0001", "8881", transfers=6), "t0") == (
        "area 0 touches only your own areas, and they are full"
    )
    assert refused(row("0001", "8881", transfers=6), "t2", "t1") == "area 1 is full"
    used_up = row("0001", "3331", transfers=6)
    used_up.record.transfers = 6
    assert refused(used_up, "t0") == (
        "area 0 touches only your own areas, and no transfer is left this turn"
    )
    assert refused(used_up, "t2", "t1") == "only 6 transfers a turn are allowed"


def test_nobody_clicks_out_of_turn_while_dice_roll_or_after_the_end():
    state = row("0011", "1321")
    assert present.why_not(state.view(1), ["t1"]) == "it is not your turn: Blue is to move"
    assert present.why_not(state.view(), ["t1"]) == "it is not your turn: Blue is to move"
    state.apply("1>2")
    assert present.why_not(state.view(0), ["t1"]) == "nothing can be chosen while luck decides"
    state.record.phase = DONE
    assert present.why_not(state.view(0), ["t1"]) == "the game is over"


@pytest.mark.parametrize(
    "click", ["t99", "t4", "t-1", "t٣", "tt", "t1 ", "", "!", "!pass", "die", {"amount": [1, 2, 1]}]
)
def test_clicks_on_nothing_are_refused_as_well(click):
    state = row("0011", "1321")
    assert refused(state, click) == (
        "choose one of your areas with at least two dice, or end your turn"
    )
    assert "area 1 is chosen" in refused(state, "t1", click)


# --- the drawing ---


@pytest.mark.parametrize("players", [2, 4])
def test_what_is_sent_after_every_move_is_small(players):
    state = game.new(seed=1, players=players, areas=31)
    state.record.dice[:31] = 5
    _, moving, _ = present.drawing(state.view(0))
    assert len(moving.encode()) < 15_000


def test_the_backdrop_of_a_game_and_its_box_never_change():
    drawings = [present.drawing(s.view(0)) for s, _ in played(3, 2021, 5, 200)]
    assert len({(still, box) for still, _, box in drawings}) == 1
    assert len({moving for _, moving, _ in drawings}) > 100


def test_the_layer_needs_nothing_but_the_backdrop_of_its_game():
    still, moving, box = present.drawing(game.new(seed=1).view(0))
    assert still.startswith('<g class="dicewars">') and moving.startswith('<g class="dicewars">')
    ids = set(re.findall(r' id="([^"]+)"', still))
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', moving)) <= ids
    assert len(box.split()) == 4


def test_what_can_be_clicked_what_was_and_what_has_the_focus_look_different():
    rules = dict(re.findall(r"\.dicewars (\S+) \{ ([^}]*) \}", view.STYLE))
    marks = [rules[k] for k in (".area", ".can", ".picked", ".thing:focus-visible")]
    strokes = {re.search(r"stroke: ([^;]+)", mark)[1] for mark in marks}
    assert len(strokes) == 4


# --- words ---


def test_whose_turn_it_is_is_told_what_to_choose_and_the_others_who_moves():
    state = row("0011", "1321")
    expected = "Your turn: choose an area to attack from, or end your turn."
    assert present.status(state.view(0), NAMES) == expected
    assert present.status(state.view(1), NAMES) == "Blue (Anna) is to move."
    assert present.status(state.view(), NAMES) == "Blue (Anna) is to move."
    assert present.status(state.view()) == "Blue is to move."


def test_only_what_is_possible_is_asked_for():
    def asked(*position, **fields):
        return present.status(row(*position, **fields).view(0)).removeprefix("Your turn: ")

    nothing = "none of your areas can attack, so end your turn."
    assert asked("0011", "1121") == nothing
    assert asked("0001", "3211") == nothing
    assert asked("0001", "3211", transfers=6) == (
        "choose an area to move dice from, or end your turn."
    )
    assert asked("0011", "3211", transfers=6) == (
        "choose an area to attack or move dice from, or end your turn."
    )
    assert asked("0001", "8881", transfers=0) == (
        "choose an area to attack from, or end your turn."
    )


def test_an_attack_and_new_dice_are_told():
    state = row("0011", "1321").apply("1>2")
    assert present.status(state.view(1), NAMES) == (
        "Blue (Anna) attacks area 2 from 1: 3 dice against 2 dice."
    )
    assert present.status(state.view(0)).startswith("You attack area 2 from 1:")
    state = row("0011", "1321").apply("end")
    assert state.phase == "place"
    assert present.status(state.view(1), NAMES) == "Blue (Anna) gets 2 dice."
    assert present.status(state.view(0), NAMES) == "You get 2 dice."


def test_who_has_lost_all_areas_is_told_so():
    state = row("0022", "1321")
    assert present.status(state.view(1), NAMES) == "You are out; Blue (Anna) is to move."


def test_the_end_is_told_to_winners_losers_and_spectators():
    won = row("001", "131").apply("1>2").apply("win")
    assert [present.status(won.view(v), NAMES) for v in (0, 1)] == [
        "You have won.",
        "Blue (Anna) has won.",
    ]
    drawn = row("0022", "1321", phase=DONE)
    assert present.status(drawn.view(1), NAMES) == (
        "The game is a draw of Blue (Anna) and Green (Cyril)."
    )
    assert present.status(drawn.view(0), NAMES) == "The game is a draw of you and Green (Cyril)."


def test_everything_public_about_a_player_is_listed():
    state = row("00101122", "12345678")
    state.record.reserve[:3] = 0, 9, 64
    assert present.players(state.view()) == [
        [("areas", "3"), ("largest region", "2"), ("dice", "7"), ("reserve", "0")],
        [("areas", "3"), ("largest region", "2"), ("dice", "14"), ("reserve", "9")],
        [("areas", "2"), ("largest region", "2"), ("dice", "15"), ("reserve", "64")],
    ]


# --- animations ---


def shown(state, code):
    """The effects of an event, as the first player sees it."""
    after = state.copy().apply(code)
    return present.effects(state.view(0), state.parse(code), after.view(0))


def test_a_won_attack_shows_dice_that_move_in_and_who_is_out():
    dice, move, out = shown(row("00122", "13211").apply("1>2"), "win")
    assert {**dice, "faces": None} == {
        "kind": "dice",
        "at": "t2",
        "from": "t1",
        "faces": None,
        "won": True,
    }
    assert [len(side) for side in dice["faces"]] == [3, 2]
    assert sum(dice["faces"][0]) > sum(dice["faces"][1])
    assert move == {"kind": "move", "from": "t1", "to": "t2", "number": 2}
    assert out == {"kind": "say", "words": "Orange is out"}


def test_a_lost_attack_shows_dice_only_and_ties_are_lost():
    (dice,) = shown(row("0011", "1321").apply("1>2"), "lose")
    assert dice["won"] is False
    assert sum(dice["faces"][0]) <= sum(dice["faces"][1])


def test_transfers_new_dice_and_the_end_of_a_turn_are_shown():
    state = row("0011", "7421", transfers=6)
    assert shown(state, "1=0") == [{"kind": "move", "from": "t1", "to": "t0", "number": 1}]
    assert shown(state, "1>2") == []
    assert shown(state, "end") == [{"kind": "say", "words": "Blue gets 2 dice"}]
    state.apply("end")
    assert shown(state, "+1") == [{"kind": "pulse", "at": "t1"}]


@pytest.mark.parametrize("edition", [2019, 2021])
def test_effects_of_a_whole_game_are_plain_data_and_true(edition):
    kinds = set()
    for state, code in played(3, edition, 2):
        before, after = state.view(0), state.copy().apply(code).view(0)
        effects = present.effects(before, code, after)
        assert json.loads(json.dumps(effects)) == effects
        for effect in effects:
            kinds.add(effect["kind"])
            places = [int(effect[k][1:]) for k in ("at", "from", "to") if k in effect]
            assert all(0 <= i < state.record.areas for i in places)
            if effect["kind"] == "move":
                dice = [int(v.record.dice[places[0]]) for v in (before, after)]
                assert dice[0] - dice[1] == effect["number"]
    assert kinds == {"dice", "pulse", "move", "say"}


def test_everybody_is_shown_the_same_dice_and_a_replay_shows_them_again():
    state = row("0011", "1831").apply("1>2")
    after = state.copy().apply("win")
    told = [present.effects(state.view(v), 1, after.view(v)) for v in (0, 1, 0)]
    assert told[0] == told[1] == told[2]
    state.record.battles = 1
    assert present.effects(state.view(0), 1, after.view(0)) != told[0]


def test_the_throws_that_fit_are_as_many_as_the_odds_say():
    for a, d in product(range(2, 9), range(1, 9)):
        for won, chance in ((True, ODDS[a, d]), (False, 1 - ODDS[a, d])):
            _, weights = view.fitting_sums(a, d, won)
            ways = weights[-1] if weights else 0
            assert ways == pytest.approx(chance * 6 ** (a + d), abs=1e-3)


@pytest.mark.parametrize("won", [True, False])
def test_all_throws_that_fit_are_as_likely(won):
    every = list(product(range(1, 7), repeat=3))
    fitting = {faces: 0 for faces in every if (faces[0] + faces[1] > faces[2]) == won}
    rng = random.Random(1)
    for _ in range(40 * len(fitting)):
        mine, theirs = view.throw(2, 1, won, rng)
        fitting[(*mine, *theirs)] += 1
    assert chisquare(list(fitting.values())).pvalue > 0.001


@pytest.mark.parametrize(("a", "d", "won"), [(2, 8, True), (8, 2, False), (8, 8, True)])
def test_even_the_rarest_outcome_is_thrown_at_once(a, d, won):
    rng = random.Random(1)
    for _ in range(50):
        mine, theirs = view.throw(a, d, won, rng)
        assert (len(mine), len(theirs)) == (a, d)
        assert set(mine + theirs) <= set(range(1, 7))
        assert (sum(mine) > sum(theirs)) == won
