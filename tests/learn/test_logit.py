"""The learnt evaluation: what it says, that the fit finds a known truth, that games teach."""

import numpy as np
import pytest

from kostka.agents.lessons import games_of, lessons
from kostka.core import rules
from kostka.core.game import game, games
from kostka.core.record import new, record
from kostka.core.rng import below, stream
from kostka.core.state import begin
from kostka.games.dicewars.heuristics import FEATURES
from kostka.games.dicewars.state import State
from kostka.learn.logit import Sample, cases, fit

dicewars = game("dicewars")
FITTED = ["stei", "sdc", "wpm-d"]


def test_the_fit_finds_the_weights_that_made_the_results():
    rng = np.random.default_rng(1)
    truth = np.array([1.5, -1.0, 0.0])
    features, gains = [], []
    for players in (2, 4):
        x = rng.normal(size=(20_000, players, 3))
        chance = np.exp(x @ truth)
        chance /= chance.sum(axis=1, keepdims=True)
        drawn = (rng.random((len(x), 1)) > chance.cumsum(axis=1)).sum(axis=1)
        features.append(x)
        gains.append(np.eye(players)[drawn])
    taught = Sample(features, gains)
    found = fit(taught, 3)
    assert found == pytest.approx(truth, abs=0.05)
    assert taught.loss(found) < taught.loss(0 * truth)
    step = 1e-6 * np.eye(3)
    slope = [(taught.loss(found + s) - taught.loss(found - s)) / 2e-6 for s in step]
    assert taught.slope(found) == pytest.approx(slope, abs=1e-5)


def test_cases_are_sorted_by_how_many_compete_and_those_without_a_contest_left_out():
    rows = np.arange(12.0).reshape(6, 2)
    made = Sample.of([(rows[:3], np.eye(3)[1]), (rows[:1], np.ones(1)), (rows[4:], np.eye(2)[0])])
    assert [x.shape for x in made.features] == [(1, 2, 2), (1, 3, 2)]
    assert made.gains[1].tolist() == [[0, 1, 0]]
    assert Sample.of([]).loss(np.zeros(2)) == 0
    assert fit(Sample.of([]), 2).tolist() == [0, 0]


def test_games_teach_dice_wars_what_makes_a_winner():
    lesson = lessons(dicewars)["outlook"]

    def learnt(seed):
        return lesson.learn(dicewars, games_of(dicewars, FITTED, 150, seed, players=[2, 3]))

    made = learnt(1)
    surprise = made["surprise"]
    assert surprise["of these weights"] < 0.6 * surprise["knowing nothing"]
    assert surprise["of the present weights"] < 1.2 * surprise["of these weights"]
    assert made["features"] == list(FEATURES)
    assert learnt(1) == made != learnt(2)


def test_only_those_who_are_still_in_a_game_are_learnt_from():
    outlook, seen = dicewars.evaluations["outlook"], set()
    for example in games_of(dicewars, FITTED, 5, 1, players=[4]):
        for x, y in cases(example, outlook, stream("cases")):
            seen.add(len(x))
            assert len(x) == len(y)
            assert y.sum() == pytest.approx(1)
    assert seen == {1, 2, 3, 4} or seen == {2, 3, 4}


# --- what the evaluation says ---


def walk(one, seed, decisions=150):
    """Positions of a random game."""
    state, rng = begin(one, one.check({}), seed), stream(seed, "walk")
    for _ in range(decisions):
        yield state
        if state.over:
            return
        legal = state.legal_now()
        state.apply(legal[below(rng, len(legal))])


@pytest.mark.parametrize("name", [name for name, one in games().items() if one.logits])
def test_an_evaluation_is_the_share_of_a_side_by_weights_and_features(name):
    """For the weights we ship, for random ones and for ones so large that powers overflow."""
    one = game(name)
    for what, (dtype, names) in one.logits.items():
        shipped = one.evaluations[what]["weights"][0]
        assert shipped.any()
        drawn = np.random.default_rng(1).normal(size=len(names))
        for weights in (shipped, drawn, 1000 * drawn):
            h = new(dtype, weights=weights)[0]
            for state in walk(one, 3):
                sides = [int(rules.side(state.record, p)) for p in range(state.players)]
                scores = {}
                for p in set(sides):
                    row = np.zeros(len(names))
                    if rules.features(h, state.record, p, row):
                        scores[p] = weights @ row
                powers = {p: np.exp(score - max(scores.values())) for p, score in scores.items()}
                shares = [powers.get(p, 0) / sum(powers.values()) for p in sides]
                found = [rules.evaluate(h, state.record, p) for p in range(state.players)]
                assert found == pytest.approx(shares, abs=1e-9)


def test_weights_that_were_never_learnt_leave_all_alike():
    h = new(dicewars.logits["outlook"][0])[0]
    state = begin(dicewars, dicewars.check({"players": 5}), 1)
    assert [rules.evaluate(h, state.record, p) for p in range(5)] == pytest.approx([0.2] * 5)


Wide = record("learntest.wide", weights=("f8", 40))


@rules.features.method(Wide, State)
def wide(h, s, player, out):
    for i in range(len(out)):
        out[i] = player * i
    return len(out)


def test_a_game_for_eight_may_have_any_number_of_features():
    h = new(Wide, weights=np.full(40, 1e-3))[0]
    state = begin(dicewars, dicewars.check({"players": 8}), 1)
    powers = np.exp(0.78 * np.arange(8))
    found = [rules.evaluate(h, state.record, p) for p in range(8)]
    assert found == pytest.approx(powers / powers.sum())


def test_the_outlook_of_dice_wars_gives_the_dead_nothing():
    outlook = dicewars.evaluations["outlook"][0]
    state = begin(dicewars, dicewars.check({"players": 4}), 7).settle(stream(1))
    while not state.over:
        chances = [rules.evaluate(outlook, state.record, p) for p in range(4)]
        assert sum(chances) == pytest.approx(1)
        assert all((c == 0) == (state.record.held[p] == 0) for p, c in enumerate(chances))
        state.apply(state.legal_actions[0]).settle(stream(state.hash))
    assert max(chances) > 0.9
