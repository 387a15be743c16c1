"""Catan in words: actions, refusals and what is going on."""

import pytest
from island import play, position

from kostka.core.game import game
from kostka.games.catan.words import status

NAMES = ("Anna", None, "Cyril", None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("settle 8", "a settlement at ore 10, wool 2 and brick 6"),
        ("settle 3", "a settlement at ore 10, on the coast, with a 3:1 harbour"),
        ("city 1", "a city at wool 2, on the coast, with the grain harbour"),
        ("road 8-13", "a road between wool 2 and brick 6"),
        ("road 0-3", "a road along the coast of ore 10"),
        ("robber J", "move the robber to the desert"),
        ("rob orange", "steal from Orange"),
        ("exchange wood ore", "pay 4 wood for ore"),
        ("monopoly wool", "play monopoly: all wool"),
        ("give wool", "offer wool"),
        ("want ore", "ask for ore"),
        ("discard grain", "discard grain"),
        ("take brick", "take brick"),
        ("buy", "buy a development card"),
        ("end", "end the turn"),
    ],
)
def test_actions_are_told_by_what_lies_there(text, words):
    state = position(hands={0: "4 wood"})
    assert state.describe(state.parse(text)) == words


def test_luck_is_told_by_what_it_brought():
    state = position("dice", settlements={1: [8]}, hands={0: "wool + grain + ore", 1: "wool"})
    assert state.describe(7) == "the dice show 7"
    play(state, "7", "robber E")
    assert state.describe(2) == "wool is stolen from Orange"
    assert state.view(2).describe(state.seen(2, 2)) == "a card is stolen from Orange"
    play(state, "wool", "buy")
    assert state.describe(1) == "road building is drawn"
    assert state.view(2).describe(state.seen(1, 2)) == "a development card is drawn"


def test_an_offer_is_told_to_everybody():
    state = position(hands={0: "2 wool + wood", 1: "ore", 2: "wool"})
    play(state, "give wool", "give wool", "give wood", "want ore")
    assert status(state.record, 0, NAMES) == (
        "Your turn: you give wood + 2 wool for ore; add cards, or make the offer."
    )
    play(state, "offer")
    told = "Blue (Anna) gives wood + 2 wool for ore"
    assert status(state.record, 1, NAMES) == f"{told}. Do you accept?"
    assert status(state.record, 2, NAMES) == f"Orange is asked: {told}."


def test_whoever_must_discard_is_told_how_many():
    state = play(position("dice", hands={1: "9 ore"}), "7")
    assert status(state.record, 1) == "A 7 was rolled. Discard 4 cards."
    assert status(state.record, 0) == "Orange has to discard 4 cards."
    play(state, *["discard ore"] * 3)
    assert status(state.record, 1) == "A 7 was rolled. Discard 1 more card."


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("road 0-3", "none of your roads or buildings is next to it"),
        ("road 18-24", "there is a road already"),
        ("city 30", "a city is built where you have a settlement"),
        ("settle 30", "Orange's settlement stands here already"),
        ("buy", "a development card costs wool + grain + ore; you lack wool + grain + ore"),
        ("knight", "you have no knight"),
        ("give ore", "you have no ore"),
        ("exchange wood wood", "a card is not exchanged for its like"),
        ("exchange wood ore", "the bank takes 4 wood for a card, and you have 1"),
        ("roll", "you have rolled the dice already"),
        ("accept", "there is no offer on the table"),
        ("robber A", "the robber moves only after a 7 or with a knight"),
        ("discard wood", "cards are discarded only after a 7"),
        ("take wood", "cards are taken only with a year of plenty"),
        ("want ore", "choose first what you give"),
    ],
)
def test_a_refusal_names_its_rule(text, why):
    state = position(
        roads={0: ["18-24"]}, settlements={1: [30]}, hands={0: "wood + brick", 1: "ore"}
    )
    assert state.why_not(text) == why


def test_every_action_has_words_and_every_refusal_a_reason_in_every_phase():
    state = position(roads={0: ["18-24"]}, hands={0: "4 wood + 4 ore", 1: "ore"})
    state.record.victim, state.record.chosen = 1, 4
    for phase in range(16):
        state.record.phase = phase
        if state.mover >= 0:
            for a in range(game("catan").actions):
                assert state.describe(a)
                assert a in state.legal_actions or state.why_not(a)
        assert status(state.record, 0)
        assert status(state.record, 1)
