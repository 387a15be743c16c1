"""Our player of Risk: legal under every option, and the same whether kept or made anew."""

import numpy as np
import pytest

from kostka.agents import make
from kostka.agents.risk.ours import LESSONS
from kostka.arena.match import play_some, prepare
from kostka.arena.referee import play_game
from kostka.core.errors import KostkaError
from kostka.core.game import game

GAME = game("risk")
BRIEF = "ours:iterations=8"

RULES = [
    dict(players=2, map="random", territories=12),
    dict(players=2, neutral=False, limit=12, map="random", territories=15),
    dict(players=3, win="missions", fortify="many", defence="choice"),
    dict(players=4, win="missions", reveal="turn-end", target="anyone", placing="all", turns=40),
    dict(players=6, sets="fixed", bonus="each", keep=5, spoils=7, fortify="adjacent", turns=60),
    dict(players=5, map="random", territories=60, sets="slow", cards="open", turns=30),
    dict(players=6, map="random", territories=9, limit=12, deck="once", turns=60),
    dict(players=3, map="random", territories=21, cap=50, start="scaled"),
]


@pytest.mark.parametrize("options", RULES, ids=str)
def test_it_keeps_the_rules_whatever_they_are(options):
    agents = [make(GAME, BRIEF), *(make(GAME, "sensible") for _ in range(options["players"] - 1))]
    played = play_game(GAME, GAME.check(options), agents, seed=1)
    assert not played.faults
    assert sum(played.returns) == pytest.approx(1)


def test_it_beats_two_of_those_who_play_out_its_games():
    match = prepare(GAME, ("ours:iterations=60", "sensible", "sensible"), 6, 1, {})
    won = 0
    for index, played in enumerate(play_some(match, range(match.games))):
        won += played.returns[match.seats(index).index(0)]
    assert won >= 4


def test_whoever_slips_often_loses_to_whoever_never_does():
    match = prepare(GAME, ("sensible:slips=0.4", "sensible", "sensible"), 60, 1, {})
    won = 0
    for index, played in enumerate(play_some(match, range(match.games))):
        assert not played.faults
        won += played.returns[match.seats(index).index(0)]
    assert won <= 12


def test_slips_are_a_chance():
    with pytest.raises(KostkaError, match="slips"):
        make(GAME, "sensible:slips=1.5")


def test_weights_evolve_from_the_usual_ones():
    lesson = LESSONS["weights"]
    usual = lesson.first("sensible")
    assert lesson.lengths == {"sensible": len(usual)}
    assert lesson.make("sensible", usual) == GAME.policies["sensible"]
    twice = lesson.make("sensible", usual + np.log(2))[0]
    assert twice.risk == pytest.approx(2 * GAME.policies["sensible"][0].risk)
