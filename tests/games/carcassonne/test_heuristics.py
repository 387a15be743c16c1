"""Greedy play and random play, against what they should be by trying everything."""

import numpy as np
import pytest

from kostka.core import rules
from kostka.core.game import game
from kostka.core.record import new
from kostka.core.rng import stream
from kostka.games.carcassonne.actions import PASS, TAKE
from kostka.games.carcassonne.heuristics import CLOSED, FIRST, MOST, Greedy, key, total
from kostka.games.carcassonne.rules import is_closed, root, worth

GAME = game("carcassonne")


def positions(seed: int, **options):
    """All positions of a greedy game in which a player is to move."""
    s, luck, out = GAME.new(seed=seed, **options), stream(seed), np.empty(GAME.width, np.int64)
    policy = new(Greedy, ties=CLOSED)[0]
    while not s.settle(luck).over:
        yield s
        s.apply(rules.policy(policy, s.record, out, luck))


def after(s, *actions):
    one = s.copy()
    for a in actions:
        one.apply(a)
    return one


def best_turn(s):
    """The first best placement by trying every pair, and the key it leads to."""
    me, best, choice = s.mover, None, None
    for a in s.legal_actions:
        for b in after(s, a).legal_actions:
            found = int(key(after(s, a, b).record, me, 0))
            if best is None or found > best:
                best, choice = found, (a, b)
    return choice, best


@pytest.mark.parametrize("players", [2, 3, 5])
def test_greedy_takes_the_first_best_of_all_pairs(players):
    policy, out = new(Greedy, ties=FIRST)[0], np.empty(GAME.width, np.int64)
    for n, s in enumerate(positions(players, players=players)):
        # At the last turn the copies are counted to the end, which greedy does not foresee.
        if s.phase == "place" and n % 24 == 0 and s.record.left > 0:
            (a, b), _ = best_turn(s)
            assert rules.policy(policy, s.record, out, stream(1)) == a
            assert rules.policy(policy, after(s, a).record, out, stream(1)) == b


def test_looking_ahead_leaves_no_trace():
    out = np.empty(GAME.width, np.int64)
    for s in positions(3):
        before = s.code
        for name in ("greedy", "pairs"):
            rules.policy(GAME.policies[name][0], s.record, out, stream(1))
        assert s.code == before


def test_of_equals_the_follower_comes_back_that_ties_says():
    out, met = np.empty(GAME.width, np.int64), set()
    for s in positions(5, players=3):
        if s.phase != "follow":
            continue
        choice = {
            ties: int(rules.policy(new(Greedy, ties=ties)[0], s.record, out, stream(1)))
            for ties in (FIRST, MOST, CLOSED)
        }
        if choice[MOST] < TAKE or choice[MOST] == PASS:
            continue
        regions = {f: root(s.record, int(r)) for f, r in enumerate(s.record.standing[s.mover])
                   if r >= 0}  # fmt: skip
        brings = {f: int(worth(s.record, r)) for f, r in regions.items()}
        closed = {f: bool(is_closed(s.record, r)) for f, r in regions.items()}
        met.add(len(set(choice.values())))
        assert brings[choice[MOST] - TAKE] == max(brings.values())
        best = max((closed[f], brings[f]) for f in regions)
        assert (closed[choice[CLOSED] - TAKE], brings[choice[CLOSED] - TAKE]) == best
        if choice[FIRST] >= TAKE:
            assert choice[FIRST] - TAKE == min(regions)
    assert max(met) > 1


def test_random_turns_are_uniform_over_pairs():
    s = next(s for n, s in enumerate(positions(1)) if n == 6)
    assert s.phase == "place"
    ways = {a: len(after(s, a).legal_actions) for a in s.legal_actions}
    rng, out, draws = stream(1), np.empty(GAME.width, np.int64), 20_000
    found = [int(rules.policy(GAME.policies["pairs"][0], s.record, out, rng)) for _ in range(draws)]
    for a, n in ways.items():
        expected = n / sum(ways.values())
        assert found.count(a) / draws == pytest.approx(expected, abs=5 * (expected / draws) ** 0.5)


def test_the_total_is_as_if_all_followers_came_back_now():
    for s in positions(2):
        if s.phase == "follow" and s.legal_actions[-2] >= TAKE:
            me, one = s.mover, s.copy()
            apart = [after(s, TAKE + f) for f, r in enumerate(s.record.standing[me]) if r >= 0]
            if not any(x.over for x in apart):
                gains = sum(x.scores[me] - s.scores[me] for x in apart)
                assert total(one.record, me) == s.scores[me] + gains


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_whoever_is_ahead_is_valued_higher(players):
    lead = GAME.evaluations["lead"][0]
    for n, s in enumerate(positions(4, players=players)):
        if n % 5 == 0:
            totals = [int(total(s.record, p)) for p in range(players)]
            values = [float(rules.evaluate(lead, s.record, p)) for p in range(players)]
            for p in range(players):
                for q in range(players):
                    if totals[p] > totals[q]:
                        assert values[p] > values[q]
            assert players != 2 or sum(values) == pytest.approx(1)
