"""The ledger: luck by hand, luck without a trend, results without luck, and games by rounds."""

import importlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats

from kostka.arena.ledger import Luck, controlled, development, entries, luck
from kostka.arena.results import Results
from kostka.arena.statistics import standings
from kostka.core import rules
from kostka.core.errors import KostkaError
from kostka.core.game import Game, game
from kostka.core.kernels import kernel
from kostka.core.memory import copy, restore
from kostka.core.record import new, record
from kostka.core.rng import stream, streams
from kostka.core.state import CHANCE, State, begin

dicewars, pig = game("dicewars"), game("pig")
ROLL, HOLD = 0, 1
WIN, LOSE = 1, 0


#: The cards that a player of the card game has or had; its own evaluation sees only those played.
Wealth = record("ledger.wealth", unused="i8")
WEALTH = new(Wealth)

#: For Pig: the chance of who is to roll to win in this turn or later, by the points of the turn.
Bold = record("ledger.bold", chance=("f8", 16))


@rules.evaluate.method(Wealth)
def wealth(h, s, player):
    points = s.sums[player]
    for rank in range(4):
        points += (6 + rank) * s.hands[player, rank]
    return points / 100


@rules.evaluate.method(Bold)
def bold(h, s, player):
    return h.chance[s.turn] if player == s.player else 1 - h.chance[s.turn]


@pytest.fixture(scope="module")
def cards():
    patch = pytest.MonkeyPatch()
    patch.syspath_prepend(Path(__file__).parents[1] / "core")
    yield importlib.import_module("cardgame").game
    patch.undo()


@kernel
def logged(states, views, policies, luck, rngs, out, prob, log):
    """The game of ``play.contest``, with all its codes written down."""
    s, view = states[0], views[0]
    copy(view, s)
    n = 0
    while n < len(log):
        m = rules.mover(s)
        if m == rules.OVER:
            break
        if m == rules.CHANCE:
            log[n] = rules.sample(s, out, prob, luck[rules.luck_source(s)])
        else:
            restore(view, s)
            rules.redact(view, m)
            log[n] = rules.policy(policies[m], view, out, rngs[m])
        rules.apply(s, log[n])
        n += 1
    return n


class Played(NamedTuple):
    options: dict
    codes: np.ndarray
    end: State


def played(game: Game, seed: int, *names: str, **options) -> Played:
    """A game between policies."""
    checked = game.check({"players": len(names), **options})
    state = begin(game, checked, seed)
    view, log = np.empty_like(state.buffer), np.empty(100_000, np.int64)
    out, prob = np.empty(game.width, np.int64), np.empty(game.width)
    policies = np.concatenate([game.policies[name] for name in names])
    luck, rngs = streams(game.streams, seed, "luck"), streams(len(names), seed, "agent")
    n = logged(state.buffer, view, policies, luck, rngs, out, prob, log)
    return Played(checked, log[:n].copy(), state)


def some_games(cards: Game) -> Iterator[tuple[Game, str | np.ndarray, int, Played]]:
    """Games with a value function: an open one, one with more players, one with hidden cards."""
    for which, value, names, options in (
        (pig, "race", ("uniform",) * 2, {"goal": 30}),
        (dicewars, "seed", ("stei", "sdc", "ste"), {"areas": 15}),
        (cards, WEALTH, ("uniform",) * 3, {}),
    ):
        for seed in (1, 2):
            yield which, value, seed, played(which, seed, *names, **options)


# --- luck by hand ---


def test_the_luck_of_one_throw_in_pig_by_hand():
    """A goal of 100, nothing held yet. Race: the others' way squared over both ways squared."""
    other = (100 + 2 * 8.0) ** 2
    after = {o: other / ((100 - 0.9 * o + 8) ** 2 + other) for o in range(2, 7)}
    after[1] = 1 - other / ((100 + 8) ** 2 + other)  # a 1: the other one is to roll
    mean = sum(after.values()) / 6
    for thrown in range(1, 7):
        (one,) = entries(pig, pig.check({}), 0, [ROLL, thrown])
        assert (one.event, one.player) == (1, 0)
        assert one.luck == pytest.approx([after[thrown] - mean, mean - after[thrown]], abs=1e-12)
    assert after[4] - mean == pytest.approx(0.5525 - 0.5378, abs=1e-4)
    assert after[1] - mean == pytest.approx(0.4643 - 0.5378, abs=1e-4)


def chance_to_win(attackers: int, defenders: int) -> float:
    """By throwing all dice in every way."""
    ways = [
        sum(throw[:attackers]) > sum(throw[attackers:])
        for throw in product(range(1, 7), repeat=attackers + defenders)
    ]
    return sum(ways) / len(ways)


def test_the_luck_of_one_attack_in_dice_wars_by_hand():
    """Shares by the largest regions: 2 to 1 means two thirds of the game."""
    options = dicewars.check({"areas": 12})
    state = begin(dicewars, options, 1)
    dice, action = state.record.dice, None
    for action in state.legal_actions[:-1]:
        source, target = divmod(action, 64)
        if dice[source] + dice[target] <= 6 and dice[source] != dice[target]:
            break
    source, target = divmod(action, 64)
    chance = chance_to_win(int(dice[source]), int(dice[target]))
    won, lost = (state.copy().apply(action).apply(outcome) for outcome in (WIN, LOSE))
    me = state.mover
    worth = [s.scores[me] / sum(s.scores) for s in (won, lost)]
    assert worth[0] > worth[1] and 0 < chance < 1
    for outcome, part in ((WIN, 1 - chance), (LOSE, -chance)):
        (one,) = entries(dicewars, options, 1, [action, outcome], "score")
        assert (one.event, one.player) == (1, me)
        assert one.luck[me] == pytest.approx(part * (worth[0] - worth[1]), abs=1e-12)


def test_an_outcome_that_ends_the_game_is_worth_its_result():
    """The value function takes every position for even; a won game it may not."""
    options, codes, end = played(dicewars, 3, "stei", "sdc", areas=10)
    winner = end.returns.index(1.0)
    before = begin(dicewars, options, 3)
    for code in codes[:-1]:
        before.apply(code)
    assert before.mover == CHANCE and codes[-1] == WIN
    last = entries(dicewars, options, 3, codes, "even")[-1]
    assert last.luck[winner] == pytest.approx(dict(before.outcomes)[LOSE] * (1 - 0.5), abs=1e-12)
    assert last.luck[winner] > 0


# --- the books balance ---


def test_one_players_luck_is_the_others_bad_luck_and_everything_adds_up(cards):
    for which, value, seed, (options, codes, end) in some_games(cards):
        found = luck(which, options, seed, codes, value)
        each = entries(which, options, seed, codes, value)
        assert max(abs(x) for x in found.luck) > 0.01
        assert sum(found.luck) == pytest.approx(0, abs=1e-9)
        assert np.sum([one.luck for one in each], axis=0) == pytest.approx(found.luck)
        assert sum(found.start) == pytest.approx(0, abs=1e-9)
        rest = found.rest(end.returns)
        parts = zip(found.start, found.luck, rest, strict=True)
        assert [found.fair + sum(part) for part in parts] == pytest.approx(end.returns)


def test_every_chance_node_has_its_entry_and_knows_who_brought_it_about(cards):
    for which, value, seed, (options, codes, _) in some_games(cards):
        state, last, expected = begin(which, options, seed), CHANCE, []
        for i, code in enumerate(codes):
            if state.mover == CHANCE:
                expected.append((i, last))
            else:
                last = state.mover
            state.apply(code)
        found = entries(which, options, seed, codes, value)
        assert [(one.event, one.player) for one in found] == expected


def test_a_perfect_value_function_explains_the_whole_result_by_luck():
    """Pig to 10 points by two who never hold before they have them."""
    # chance[t] = a_t + b_t · chance[0], backwards from the points that win
    parts = {t: (1.0, 0.0) for t in range(10, 16)}
    for t in range(9, -1, -1):
        a, b = (sum(parts[t + o][i] for o in range(2, 7)) / 6 for i in (0, 1))
        parts[t] = a + 1 / 6, b - 1 / 6
    first = parts[0][0] / (1 - parts[0][1])
    value = new(Bold, chance=[parts[t][0] + parts[t][1] * first for t in range(16)])
    options, winners = pig.check({"goal": 10}), set()
    for seed in range(20):
        state, codes, rng = begin(pig, options, seed), [], stream(seed)
        while not state.over:
            to_hold = state.record.turn >= 10
            codes.append(state.draw(rng) if state.mover == CHANCE else HOLD if to_hold else ROLL)
            state.apply(codes[-1])
        found = luck(pig, options, seed, codes, value)
        assert found.start == pytest.approx([first - 0.5, 0.5 - first])
        assert found.rest(state.returns) == pytest.approx([0.0, 0.0], abs=1e-12)
        winners.add(state.returns.index(1.0))
    assert winners == {0, 1}


def test_a_set_up_that_chance_nodes_deal_is_luck_and_no_start(cards):
    options = cards.check({"players": 3})
    assert luck(cards, options, 1, []) == Luck([0.0] * 3, [0.0] * 3, 1 / 3)
    options = dicewars.check({})
    state = begin(dicewars, options, 1)
    found = luck(dicewars, options, 1, [], "score")
    mine, other = state.scores
    assert found.start[0] == pytest.approx(mine / (mine + other) - 0.5)
    assert found.start[0] != 0


def test_a_side_shares_its_luck(cards):
    """Two against one: the mean of the two is weighed against the one, and both get the same."""
    teams = replace(cards, sides=lambda options: (7, 2, 2))
    options, codes, _ = played(cards, 4, *["uniform"] * 3)
    state = begin(teams, options, 4)
    for code in codes[:-1]:
        state.apply(code)
    one, *two = (wealth(None, state.record, player) for player in range(3))
    share = one / (one + np.mean(two))
    shares = development(teams, options, 4, codes[:-1], WEALTH)
    assert shares[-1] == pytest.approx([share, 1 - share, 1 - share])
    assert two[0] != two[1]
    found = luck(teams, options, 4, codes[:-1], WEALTH)
    assert found.fair == 0.5
    assert found.luck[1] == found.luck[2] == pytest.approx(-found.luck[0])
    assert abs(found.luck[0]) > 0.01


# --- luck has no trend ---


@pytest.mark.parametrize(
    ("which", "names", "options"),
    [(dicewars, ("stei", "attacks"), {"areas": 8}), (pig, ("uniform",) * 2, {"goal": 20})],
)
def test_luck_has_mean_zero_however_it_is_played(which, names, options):
    found, gains = [], []
    for seed in range(2000):
        checked, codes, end = played(which, seed, *names, **options)
        found.append(luck(which, checked, seed, codes).luck[0])
        gains.append(end.returns[0])
    error = np.std(found, ddof=1) / np.sqrt(len(found))
    assert abs(np.mean(found)) < 4 * error
    assert abs(np.mean(gains) - 0.5) > 4 * error
    assert np.corrcoef(found, gains)[0, 1] > 0.1


# --- the game round by round ---


def test_a_round_of_pig_is_over_when_the_first_player_acts_again():
    first, second, third = [ROLL, 4, HOLD, ROLL, 3, HOLD], [ROLL, 1, ROLL, 2, HOLD], [ROLL, 5]
    rounds = development(pig, pig.check({}), 0, first + second + third)
    assert rounds.tolist() == [[0, 0], [4, 3], [4, 5], [4, 5]]
    assert development(pig, pig.check({}), 0, first).tolist() == [[0, 0], [4, 3]]
    assert development(pig, pig.check({}), 0, []).tolist() == [[0, 0]]


def test_rounds_end_with_new_dice_placed_and_go_on_without_who_is_out(cards):
    for which, value, seed, (options, codes, end) in some_games(cards):
        state, last = begin(which, options, seed), CHANCE
        rows = [state.scores]
        for code in codes:
            if state.mover not in (CHANCE, last):
                if state.mover < last:
                    rows.append(state.scores)
                last = state.mover
            state.apply(code)
        found = development(which, options, seed, codes)
        assert found.tolist() == [*rows, end.scores]
        assert len(found) > 3
        shares = development(which, options, seed, codes, value)
        assert shares.shape == found.shape
        assert shares.sum(axis=1) == pytest.approx(1)
        assert shares[-1].tolist() == end.returns


# --- what does not fit ---


def test_codes_of_another_game_are_refused():
    options, codes, _ = played(pig, 1, "uniform", "uniform")
    broken = [*codes[:7], 9, *codes[8:]]
    for look in (luck, entries, development):
        with pytest.raises(KostkaError, match="code 9 at place 7 cannot happen there in Pig"):
            look(pig, options, 1, broken)
        with pytest.raises(KostkaError, match=f"at place {len(codes)} cannot happen"):
            look(pig, options, 1, [*codes, ROLL])
        with pytest.raises(
            KostkaError, match="unknown evaluation of pig 'rice'; did you mean race"
        ):
            look(pig, options, 1, codes, "rice")


# --- results without their luck ---


def two_players(gain: np.ndarray, block: np.ndarray) -> Results:
    """Games of a against b, by the gain of a in each and its block."""
    games = len(gain)
    number = np.repeat(np.arange(games), 2)
    nothing = np.zeros(2 * games)
    return Results(
        agents=("a", "b"),
        game=number,
        match=np.zeros_like(number),
        number=number,
        block=np.repeat(block, 2),
        players=np.full_like(number, 2),
        seat=np.tile([0, 1], games),
        agent=np.tile([0, 1], games),
        gain=np.stack([gain, 1 - gain], axis=1).ravel(),
        score=nothing,
        place=nothing,
        seconds=nothing[:, None],
        decisions=nothing[:, None],
        length=nothing,
        time=nothing,
        memory=nothing,
    )


def both(lucky: np.ndarray) -> np.ndarray:
    """The luck of both players."""
    return np.stack([lucky, -lucky], axis=1).ravel()


def test_a_share_has_the_same_interval_here_as_in_the_standings():
    rng = np.random.default_rng(2)
    games = two_players(rng.integers(0, 2, 60).astype(float), np.arange(60) // 2)
    wanted = {row["agent"]: row for row in standings(games, 0.9)}
    for agent in "ab":
        plain = controlled(games, both(rng.normal(size=60)), agent, 0.9)["plain"]
        assert plain._asdict() == {key: wanted[agent][key] for key in plain._fields}


def test_without_luck_to_speak_of_the_share_stays_as_it_is():
    rng = np.random.default_rng(1)
    gain = rng.integers(0, 2, 40).astype(float)
    games = two_players(gain, np.arange(40))
    found = controlled(games, np.zeros(80), "a", 0.9)
    middle, error = gain.mean(), stats.sem(gain)
    assert found["adjusted"][0] == found["plain"].share
    low, high = stats.t.interval(0.9, 39, middle, error)
    assert found["adjusted"].low < low < high < found["adjusted"].high  # one more was fitted
    assert (found["beta"], found["blocks"], found["games"]) == (0, 40, 40)
    assert found["narrowed"] == pytest.approx(1, abs=0.03)


def test_each_block_is_adjusted_by_what_the_others_say():
    """Blocks of one to three games, worked out one by one."""
    rng = np.random.default_rng(2)
    block = np.repeat(np.arange(25), rng.integers(1, 4, 25))
    lucky = rng.normal(0, 0.2, len(block))
    gain = np.clip(0.5 + lucky + rng.normal(0, 0.1, len(block)), 0, 1)
    adjusted = []
    for b in range(25):
        rest = block != b
        x = np.array([lucky[block == c].sum() for c in range(25) if c != b])
        y = np.array([(gain[block == c] - gain[rest].mean()).sum() for c in range(25) if c != b])
        slope = np.linalg.lstsq(x[:, None], y, rcond=None)[0][0]
        adjusted.append((gain[~rest] - slope * lucky[~rest]).sum())
    found = controlled(two_players(gain, block), both(lucky), "a")
    assert found["plain"].share == pytest.approx(gain.mean())
    assert found["adjusted"].share == pytest.approx(sum(adjusted) / len(block))
    assert found["beta"] == pytest.approx(1, abs=0.3)
    other = controlled(two_players(gain, block), both(lucky), "b")
    assert other["adjusted"].share == pytest.approx(1 - found["adjusted"].share)
    assert other["narrowed"] == pytest.approx(found["narrowed"])


def test_the_adjusted_share_is_honest_and_its_interval_as_narrow_as_the_luck_allows():
    """A wins with a chance of 0.55 plus its luck, of which V sees three quarters."""
    rng = np.random.default_rng(3)
    values, covered, narrowed = [], [], []
    for _ in range(1500):
        block = np.repeat(np.arange(30), 2)
        lucky = rng.uniform(-0.45, 0.45, 60)
        gain = (rng.random(60) < 0.55 + lucky).astype(float)
        found = controlled(two_players(gain, block), both(0.75 * lucky), "a")
        values.append(found["adjusted"].share)
        covered.append(found["adjusted"].low <= 0.55 <= found["adjusted"].high)
        narrowed.append(found["narrowed"])
    assert np.mean(values) == pytest.approx(0.55, abs=4 * stats.sem(values))
    assert np.mean(covered) == pytest.approx(0.95, abs=0.02)
    explained = (0.9**2 / 12) / (0.55 * 0.45)
    assert np.median(narrowed) == pytest.approx(1 / (1 - explained), rel=0.1)
    assert np.var(values) == pytest.approx((1 - explained) * 0.55 * 0.45 / 60, rel=0.15)


def test_the_games_of_a_block_are_one_observation():
    """The same luck and result three times is no more than once."""
    rng = np.random.default_rng(4)
    lucky = rng.normal(0, 0.1, 50)
    gain = np.clip(0.5 + lucky + rng.normal(0, 0.2, 50), 0, 1)
    once = controlled(two_players(gain, np.arange(50)), both(lucky), "a")
    thrice = controlled(
        two_players(np.repeat(gain, 3), np.repeat(np.arange(50), 3)), both(np.repeat(lucky, 3)), "a"
    )
    assert thrice["adjusted"] == pytest.approx(once["adjusted"])
    assert (thrice["blocks"], thrice["games"]) == (50, 150)


def test_taking_the_luck_out_of_real_games_agrees_with_leaving_it_in():
    gains, lucky = [], []
    for seed in range(600):
        options, codes, end = played(dicewars, seed, "stei", "sdc", areas=10)
        gains.append(end.returns[0])
        lucky.append(luck(dicewars, options, seed, codes).luck[0])
    found = controlled(two_players(np.array(gains), np.arange(600)), both(np.array(lucky)), "a")
    assert found["narrowed"] > 1.1
    assert found["plain"].low < found["adjusted"].share < found["plain"].high


def test_what_cannot_be_adjusted_is_refused():
    games = two_players(np.zeros(19), np.arange(19))
    with pytest.raises(KostkaError, match="at least 20 blocks; a has 19"):
        controlled(games, np.zeros(38), "a")
    with pytest.raises(KostkaError, match="unknown agent 'c'"):
        controlled(games, np.zeros(38), "c")
    with pytest.raises(KostkaError, match="each of the 38 rows, not 9"):
        controlled(games, np.zeros(9), "a")
    enough = two_players(np.zeros(20), np.arange(20))
    with pytest.raises(KostkaError, match="is between 0 and 1, say"):
        controlled(enough, np.zeros(40), "a", 95)
