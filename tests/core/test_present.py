"""What a page is told of a game that says little of itself."""

import importlib
import itertools
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from kostka.core import present
from kostka.core.game import Game, game
from kostka.core.state import CHANCE, PUBLIC, State


@pytest.fixture(scope="module")
def cards():
    """Highest Cards, which has hidden hands and says nothing for a page."""
    patch = pytest.MonkeyPatch()
    patch.syspath_prepend(Path(__file__).parent)
    yield importlib.import_module("cardgame").game
    patch.undo()


def dealt(cards: Game, got: int = 0, **options: int) -> State:
    """The first decision: everybody got the lowest card and then this one, lowest first."""
    state = cards.new(seed=1, **options)
    for k in itertools.count():
        if state.mover != CHANCE:
            return state
        state.apply(state.outcomes[got if k >= state.players else 0][0])


def test_an_action_without_clicks_of_its_own_is_a_button(cards):
    state = dealt(cards)
    v = state.view(0)
    assert [present.clicks(v, a) for a in v.legal_actions] == [
        [f"!{state.text(a)}"] for a in v.legal_actions
    ]
    for a in v.legal_actions:
        assert present.why_not(v, present.clicks(v, a)) is None


def test_a_refused_button_is_explained_by_the_rules():
    v = game("pig").new(seed=1).view(0)
    assert present.why_not(v, ["!hold"]) == "roll first: there is nothing to hold yet"
    assert present.why_not(v, ["!jump"]) == "'jump' is no Pig notation here; for example: roll"
    for path in (["t3"], [""], [{"amount": [1, 6, 2]}], ["!roll", "!roll"]):
        assert present.why_not(v, path) == "that cannot be chosen now; what can be is lit up"


def test_nothing_clicked_is_not_wrong_yet():
    assert present.why_not(game("pig").new(seed=1).view(0), []) is None


def test_only_the_player_to_act_is_told_what_he_may_do(cards):
    """The words for everybody else do not depend on hidden hands."""
    state = dealt(cards)
    assert present.status(state.view(1), ["Anna", "Bob"]) == "Blue (Anna) is to move."
    assert present.why_not(state.view(1), ["!6"]) == "it is not your turn: Blue is to move"
    assert present.status(state.view(PUBLIC)) == "Blue is to move."


def test_few_choices_are_named():
    pig = game("pig").new(seed=1)
    assert present.status(pig.view(0)) == "Your turn: roll the die."
    assert present.status(pig.apply("roll").view(0)) == "Luck decides."
    assert present.status(pig.apply("4").view(0)) == "Your turn: roll the die or hold 4 points."


def test_many_choices_are_not_named(cards):
    """A pair, or two cards; to take another; to pass."""
    pair, two = dealt(cards), dealt(cards, got=1)
    assert (len(pair.legal_actions), len(two.legal_actions)) == (3, 4)
    assert present.status(pair.view(0)).startswith("Your turn: ")
    assert present.status(two.view(0)) == "Your turn."


def test_the_points_are_what_is_known_of_a_player(cards):
    assert present.players(dealt(cards, players=3).view(1)) == [[("score", "0")]] * 3


def test_without_effects_nothing_is_animated(cards):
    state = dealt(cards)
    code = state.legal_actions[0]
    assert present.effects(state.view(0), code, state.copy().apply(code).view(0)) == []


def test_a_game_without_a_drawing_has_empty_ones(cards, monkeypatch):
    monkeypatch.delattr(cards.part("view"), "svg")
    assert present.drawing(dealt(cards).view(0)) == ("", "", "")


def test_a_drawing_in_one_piece_is_all_layer_and_keeps_its_class():
    v = game("pig").new(seed=1).view(0)
    still, moving, box = present.drawing(v)
    assert (still, box) == ("", "0 0 360 216")
    layer, whole = ET.fromstring(moving), ET.fromstring(v.svg)
    assert (layer.tag, dict(layer.attrib)) == ("g", {"class": "pig"})
    assert len(list(layer.iter())) == len(list(whole.iter()))


def test_a_drawing_without_a_frame_gets_one(cards):
    still, moving, box = present.drawing(dealt(cards).view(0))
    assert (still, moving, box) == ("", "<g><text>66</text></g>", "0 0 100 100")


# --- words ---


def test_a_player_is_called_by_colour_and_name():
    assert present.called(0) == present.called(0, [None]) == present.called(0, ["blue"]) == "Blue"
    assert present.called(1, ["Anna", "Bob"]) == "Orange (Bob)"
    assert present.called(3, ["Anna", "Bob"]) == "Purple"


def test_lists_read_like_sentences():
    assert [present.listed("abc"[:n], "or") for n in range(4)] == ["", "a", "a or b", "a, b or c"]


def test_results_are_told_to_all():
    assert present.result([1], False, PUBLIC) == "Orange has won."
    assert present.result([1], False, 1) == "You have won."
    assert present.result([0, 2], False, 1, ["Anna"]) == "Blue (Anna) and Green have won."
    assert present.result([0, 2], False, 0) == "You and Green have won."
    assert present.result([0, 2], False, 2) == "Blue and you have won."
    assert present.result([0, 1], True, 0) == "The game is a draw of you and Orange."


def test_the_end_of_any_game_is_told(cards):
    state = cards.new(seed=1)
    while not state.over:
        state.apply(state.legal_now()[0])
    best = [p for p, share in enumerate(state.returns) if share == max(state.returns)]
    told = present.status(state.view(1), ["Anna", "Bob"])
    assert told == present.result(best, len(best) > 1, 1, ["Anna", "Bob"])
