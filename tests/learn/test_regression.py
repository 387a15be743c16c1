"""Learning an evaluation from games: the fit finds a known truth, and games teach something."""

import json

import numpy as np
import pytest

from kostka.core import rules
from kostka.core.errors import KostkaError
from kostka.core.game import game
from kostka.core.rng import stream
from kostka.core.state import begin
from kostka.games.dicewars.heuristics import OUTLOOK
from kostka.learn.regression import Sample, fit, sample

dicewars = game("dicewars")


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
    found = fit(taught)
    assert found == pytest.approx(truth, abs=0.05)
    assert taught.loss(found) < taught.loss(0 * truth)
    step = 1e-6 * np.eye(3)
    slope = [(taught.loss(found + s) - taught.loss(found - s)) / 2e-6 for s in step]
    assert taught.slope(found) == pytest.approx(slope, abs=1e-5)


def test_games_teach_dice_wars_what_makes_a_winner():
    taught = sample(dicewars, "outlook", 150, 1, [2, 3], ["stei", "sdc", "wpm-d"])
    apart = sample(dicewars, "outlook", 60, 2, [2, 3], ["stei", "sdc", "wpm-d"])
    knows = apart.loss(fit(taught))
    assert knows < 0.6 * apart.loss(np.zeros(8))
    packaged = np.array(json.loads(OUTLOOK.read_text())["weights"])
    assert apart.loss(packaged) < 1.1 * knows
    again = sample(dicewars, "outlook", 150, 1, [2, 3], ["stei", "sdc", "wpm-d"])
    assert all((a == b).all() for a, b in zip(taught.features, again.features, strict=True))


def test_the_outlook_is_a_chance():
    outlook = dicewars.evaluations["outlook"][0]
    state = begin(dicewars, dicewars.check({"players": 4}), 7).settle(stream(1))
    while not state.over:
        chances = [rules.evaluate(outlook, state.record, p) for p in range(4)]
        assert sum(chances) == pytest.approx(1)
        assert all((c == 0) == (state.record.held[p] == 0) for p, c in enumerate(chances))
        state.apply(state.legal_actions[0]).settle(stream(state.hash))
    assert max(chances) > 0.9


@pytest.mark.parametrize(
    ("evaluation", "policies", "words"),
    [
        ("outlok", ["stei"], "did you mean outlook"),
        ("seed", ["stei"], "no features"),
        ("outlook", ["stai"], "did you mean stei"),
        ("outlook", ["stei", "uniform"], "of one kind"),
    ],
)
def test_what_cannot_be_learnt_is_refused(evaluation, policies, words):
    with pytest.raises(KostkaError, match=words):
        sample(dicewars, evaluation, 5, 1, [2], policies)
