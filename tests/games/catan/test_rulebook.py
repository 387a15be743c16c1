"""The fast rules and the slow rule book agree about everything, at every step of random games.

More games than usual: set KOSTKA_CATAN_GAMES=100000.
"""

import os
import random

import numpy as np
import pytest
from rulebook import (
    COLOURS,
    COSTS,
    LUCK,
    PLACES,
    RESOURCES,
    ROAD_NAMES,
    ROADS_AT,
    Catan,
    Island,
    Rules,
    number,
)

from kostka.core import play
from kostka.core.rng import streams
from kostka.core.state import CHANCE, State, begin
from kostka.games.catan import actions as codes
from kostka.games.catan import game

#: Games whose every action is checked, and of them those where all that is legal is, too.
GAMES = int(os.environ.get("KOSTKA_CATAN_GAMES", "2000"))
FULLY = max(24, GAMES // 80)
PARTS = 4
CHOICES = {
    "players": (2, 3, 4, 4),
    "map": ("beginner", "variable"),
    "start": ("free", "fixed"),
    "tokens": ("spiral", "random"),
    "bank": ("19", "unlimited"),
    "form": ("free", "thesis"),
    "offers": (0, 1, 3, 20),
    "points": (5, 8, 10, 12),
    "discard": (5, 7, 9),
    "robber": ("official", "friendly"),
    "turns": (40, 300, 1000),
}
OUTCOMES = {"theft": RESOURCES, "card": codes.DEALT}
EVERYTHING = "trade and build"


def options_of(index: int) -> dict:
    """The options of a game, all of them mixed."""
    dice = random.Random(index)
    options = {name: dice.choice(values) for name, values in CHOICES.items()}
    if options["map"] == "variable":
        options["start"] = "free"
    elif options["start"] == "fixed" or options["tokens"] == "random":
        options["tokens"] = "spiral"
    return options


def slow_game(state: State, options: dict) -> Catan:
    """The same game by the rule book: the island and the pieces are taken from the position."""
    r = state.record
    kinds = (*RESOURCES, "desert")
    terrain = [kinds[t] for t in r.terrain.tolist()]
    harbours = {
        v: "anything" if h == len(RESOURCES) else RESOURCES[h]
        for v, h in enumerate(r.harbour.tolist())
        if h >= 0
    }
    rules = Rules(
        players=options["players"],
        points=options["points"],
        discard=options["discard"],
        offers=options["offers"],
        turns=options["turns"],
        stock=19 if options["bank"] == "19" else 100,
        friendly=options["robber"] == "friendly",
        bundles=options["form"] == "free",
    )
    slow = Catan(Island(terrain, r.number.tolist(), harbours), rules, first=0)
    for p, one in enumerate(slow.players):
        one.settlements = places_in(int(r.settlements[p]))
        one.roads = roads_of(r, p)
        for resource, n in zip(RESOURCES, r.hand[p].tolist(), strict=True):
            slow.pay_out(p, resource, n)
    slow.roads_changed(list(range(rules.players)))
    return slow


def places_in(mask: int) -> set[int]:
    return {v for v in range(len(PLACES)) if mask >> v & 1}


def roads_of(r, p: int) -> set:
    return {
        road for road, owner in zip(road_order(), r.road.tolist(), strict=True) if owner == p + 1
    }


def road_order() -> list[frozenset]:
    return sorted(ROAD_NAMES, key=sorted)


def answer_of(what: str, code: int) -> str:
    """An action or an outcome as the rule book tells it."""
    if what == "dice":
        return str(code)
    if what == "levy":
        return f"x{code}"
    return OUTCOMES[what][code] if what in OUTCOMES else codes.TEXTS[code]


def played(index: int, options: dict) -> tuple[State, list[int], State]:
    """A game of random players or builders: its start, all that happened, and its end."""
    start = begin(game, game.check(options), index)
    state, view, n = start.buffer.copy(), start.buffer.copy(), options["players"]
    policy = game.policies["uniform" if index % 2 else "builder"]
    log = np.zeros(200_000, np.int64)
    _, length = play.contest(
        state, view, np.repeat(policy, n), streams(game.streams, index), streams(n, index, 1),
        np.empty(game.width, np.int64), np.empty(game.width), 10**9, log,
    )  # fmt: skip
    assert length <= len(log)
    return start, log[:length].tolist(), State(game, start.options, state)


def agree(state: State, slow: Catan) -> None:
    """Everything on the table and in the hands is the same."""
    r = state.record
    assert [r.bank[k] for k in range(5)] == [slow.bank[name] for name in RESOURCES]
    for p, one in enumerate(slow.players):
        assert r.hand[p].tolist() == [one.hand[name] for name in RESOURCES], p
        assert r.dev[p].tolist() == [one.cards[name] for name in codes.DEALT], p
        assert places_in(int(r.settlements[p])) == one.settlements
        assert places_in(int(r.cities[p])) == one.cities
        assert roads_of(r, p) == one.roads
        assert (r.knights[p], r.length[p]) == (one.knights, slow.lengths[p])
    holders = [None if h < 0 else h for h in (int(r.road_holder), int(r.army_holder))]
    assert holders == [slow.road_card, slow.army_card]
    assert r.robber == slow.robber
    assert r.turn == slow.turn
    assert state.scores == [slow.points(p) for p in range(len(slow.players))]


@pytest.mark.parametrize("part", range(PARTS))
def test_no_rule_is_broken_in_random_games(part):
    for index in range(part, GAMES, PARTS):
        options = options_of(index)
        start, log, end = played(index, options)
        slow = slow_game(start, options)
        telling = slow.play()
        question = next(telling)
        for step, code in enumerate(log):
            answer = answer_of(question.what, code)
            assert question.allows(answer), (index, step, question.what, answer)
            try:
                question = telling.send(answer)
            except StopIteration:
                assert step == len(log) - 1
        assert slow.over
        agree(end, slow)
        n = len(slow.players)
        share = [1 / n] * n if slow.winner is None else [float(p == slow.winner) for p in range(n)]
        assert end.returns == pytest.approx(share)


@pytest.mark.parametrize("part", range(PARTS))
def test_all_that_the_rules_allow_is_legal_and_nothing_else(part):
    for index in range(part, FULLY, PARTS):
        options = options_of(index)
        state, dice = begin(game, game.check(options), index), random.Random(index)
        slow = slow_game(state, options)
        telling = slow.play()
        question = next(telling)
        for step in range(600):
            where = (index, step, question.what)
            if question.whom == LUCK:
                assert state.mover == CHANCE, where
                found = {answer_of(question.what, a) for a, _ in state.outcomes}
            else:
                assert state.mover == question.whom, where
                found = {state.text(a) for a in state.legal_actions}
            assert found == question.answers(), where
            code = drawn(state, dice) if question.whom == LUCK else eager(state, dice)
            state.take([code])
            try:
                question = telling.send(answer_of(question.what, code))
            except StopIteration:
                break


def test_the_rule_book_refuses_what_is_not_allowed():
    state = begin(game, game.check({}), 1)
    slow = slow_game(state, options_of(0) | {"players": 4})
    telling = slow.play()
    question = next(telling)
    assert question.allows("settle 0") and not question.allows("roll")
    question = telling.send("settle 0")
    assert question.answers() == {ROAD_NAMES[road] for road in ROADS_AT[0]}
    question = telling.send(sorted(question.answers())[0])
    near = {number(f"settle {v}") for road in ROADS_AT[0] for v in road}
    assert not any(question.allows(f"settle {v}") for v in near)
    assert COLOURS[question.whom] == "orange" and slow.players[1].can_pay(COSTS["road"]) is False


def drawn(state: State, dice: random.Random) -> int:
    """An outcome, as likely as it is."""
    return dice.choices(*zip(*state.outcomes, strict=True))[0]


def eager(state: State, dice: random.Random) -> int:
    """Any action, but rather one that builds than one that offers."""
    legal = state.legal_actions
    building = [a for a in legal if a < codes.MOVE_ROBBER or a == codes.BUY]
    if building and state.phase == EVERYTHING and dice.random() < 0.5:
        return dice.choice(building)
    return dice.choice(legal)
