"""Temporal differences: against formulas written down slowly, and where the values are known."""

import numpy as np
import pytest
from walk.rules import PLACES, Walker

from kostka.core.record import new
from kostka.learn import td
from kostka.learn.td import METHODS, MONTE_CARLO, SARSA, TD, TRUE_ONLINE


def walker(method, **settings):
    usual = dict(alpha=0.05, gamma=0.9, decay=0.8, per_turn=-1.0)
    return new(Walker, method=method, **{**usual, **settings})


def learn(one, xs, reward, start=None):
    """The weights after an episode, by the kernels."""
    p, w = one[0], np.zeros(PLACES) if start is None else start.copy()
    if p.method == MONTE_CARLO:
        td.whole_episode(p, w, xs.copy(), len(xs), np.empty(len(xs)), reward)
        return w
    z, old = np.zeros(PLACES), 0.0
    for t in range(len(xs) - 1):
        old = td.step(p, w, z, xs[t].copy(), xs[t + 1].copy(), old, p.per_turn)
    td.step(p, w, z, xs[-1].copy(), np.zeros(PLACES), old, reward)
    return w


def gain(p, xs, rewards, w, t, h):
    """G from t to h: the rewards until then, and from then on the value."""
    g = sum(p.gamma ** (i - t) * rewards[i] for i in range(t, h))
    return g + (p.gamma ** (h - t) * float(w @ xs[h]) if h < len(xs) else 0.0)


def lambda_return(p, xs, rewards, ws, t, h):
    """The interim λ-return from t, cut short at h; values by the weights of their time."""
    g = p.decay ** (h - t - 1) * gain(p, xs, rewards, ws[h - 1], t, h)
    return g + (1 - p.decay) * sum(
        p.decay ** (n - 1) * gain(p, xs, rewards, ws[t + n - 1], t, t + n) for n in range(1, h - t)
    )


def forward_view(p, xs, rewards, start):
    """The on-line λ-return algorithm: at every horizon all updates are made anew."""
    ends = [start]  # the weights at the end of each horizon
    for h in range(1, len(xs) + 1):
        w = start.copy()
        for t in range(h):
            w = w + p.alpha * (lambda_return(p, xs, rewards, ends, t, h) - w @ xs[t]) * xs[t]
        ends.append(w)
    return ends[-1]


@pytest.mark.parametrize("decay", [0.0, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("gamma", [0.9, 1.0])
def test_true_online_is_the_forward_view_of_the_lambda_return(decay, gamma):
    rng = np.random.default_rng(7)
    for length in (1, 2, 3, 9):
        xs, start = rng.normal(size=(length, PLACES)), rng.normal(size=PLACES)
        one = walker(TRUE_ONLINE, decay=decay, gamma=gamma)
        rewards = [-1.0] * (length - 1) + [7.0]
        slow = forward_view(one[0], xs, rewards, start)
        assert learn(one, xs, 7.0, start) == pytest.approx(slow, abs=1e-12)


def test_td_lambda_is_the_sum_of_surprises_by_the_trace():
    rng = np.random.default_rng(8)
    xs, one = rng.normal(size=(6, PLACES)), walker(TD)
    w, z = np.zeros(PLACES), np.zeros(PLACES)
    for t in range(6):
        after = w @ xs[t + 1] if t < 5 else 0.0
        surprise = (-1.0 if t < 5 else 7.0) + 0.9 * after - w @ xs[t]
        z = 0.9 * 0.8 * z + xs[t]
        w = w + 0.05 * surprise * z
    assert learn(one, xs, 7.0) == pytest.approx(w, abs=1e-12)


def test_monte_carlo_moves_to_what_really_came():
    xs = np.eye(PLACES)[[0, 1, 0]]
    gains = [-1 + 0.9 * (-1 + 0.9 * 7), -1 + 0.9 * 7, 7.0]
    first = 0.05 * gains[0]
    expected = [first + 0.05 * (gains[2] - first), 0.05 * gains[1], 0, 0, 0]
    assert learn(walker(MONTE_CARLO), xs, 7.0) == pytest.approx(expected, abs=1e-12)


def test_sarsa_is_td_without_a_trace_and_so_is_true_online():
    xs = np.random.default_rng(9).normal(size=(8, PLACES))
    plain = learn(walker(SARSA), xs, 7.0)
    for method in (TD, TRUE_ONLINE):
        assert learn(walker(method, decay=0.0), xs, 7.0) == pytest.approx(plain, abs=1e-12)


def test_the_sum_of_products_is_right_for_every_length():
    rng = np.random.default_rng(10)
    for n in range(20):
        a, b = rng.normal(size=(2, n))
        assert td.dot(a, b) == pytest.approx(float(a @ b), abs=1e-12)


def test_what_a_game_brings_in_the_end():
    p = walker(TD, per_point=100.0, win=800.0, loss=-200.0)[0]
    assert td.final_reward(p, 10.0, True) == 1800
    assert td.final_reward(p, 4.0, False) == 200
    assert METHODS[TRUE_ONLINE] == "true-online"
