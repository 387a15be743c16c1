"""Ratings: the truth is found again, errors are honest, and cycles are told from chance."""

import math
import random
from itertools import combinations, permutations

import choix
import numpy as np
import pytest
from scipy.optimize import minimize

from kostka.arena.ratings import ELO, Result, _refit, bootstrap, rate
from kostka.arena.transitivity import transitivity
from kostka.core.errors import KostkaError

NAMES = "abcdefghij"


def race(rng, strength, seat, blocks, games=1, luck="game"):
    """Full rankings; luck may be shared by a block: tied to its agents, or to its seats."""
    n, results = len(seat), []
    for block in range(blocks):
        line_up = rng.permutation(len(strength))[:n]
        of_agents, of_seats = rng.gumbel(size=len(strength)), rng.gumbel(size=n)
        for game in range(games):
            who = np.roll(line_up, game)
            noise = {"agents": of_agents[who], "seats": of_seats, "game": rng.gumbel(size=n)}[luck]
            speed = strength[who] + seat + noise
            results.append(Result(tuple(NAMES[i] for i in who), tuple(speed.tolist()), block))
    return results


def winners(results):
    """The same games, of which only the winner is known."""
    return [Result(r.agents, tuple(float(p == max(r.points)) for p in r.points), r.block)
            for r in results]  # fmt: skip


def tied_game(rng, strength, seat, delta, block):
    """One game of the model with ties, played place by place."""
    who = rng.permutation(len(strength))[: len(seat)]
    worth = strength[who] + seat
    points, left = [0] * len(seat), list(range(len(seat)))
    while left:
        groups = [g for k in (1, *delta) for g in combinations(left, k)]
        weight = [
            math.exp(np.mean([worth[i] for i in g])) * (1, *delta.values())[len(g) - 1]
            for g in groups
        ]
        group = groups[rng.choice(len(groups), p=np.divide(weight, sum(weight)))]
        for i in group:
            points[i] = len(left)
        left = [i for i in left if i not in group]
    return Result(tuple(NAMES[i] for i in who), tuple(points), block)


def duels(wins):
    """Duels from ``wins[winner, loser]``, at either seat in turn; every game is a block."""
    sides = [(pair, i % 2) for pair, n in wins.items() for i in range(n)]
    return [
        Result(pair[::-1], (0, 1), i) if turned else Result(pair, (1, 0), i)
        for i, (pair, turned) in enumerate(sides)
    ]


def centred(values):
    return np.asarray(values) - np.mean(values)


def in_order(ratings, agents):
    return np.array([ratings.elo[name] for name in agents]) / ELO


def test_the_truth_is_found_within_the_errors():
    rng = np.random.default_rng(1)
    strength, seat = centred([1.2, 0.5, 0.1, -0.3, -1.0]), np.array([0.4, 0.1, -0.1, -0.4])
    delta = {2: 0.4, 3: 0.2}
    results = [tied_game(rng, strength, seat, delta, i) for i in range(1500)]
    ratings = rate(results)
    for i, value in enumerate(strength):
        assert abs(ratings.elo[NAMES[i]] - ELO * value) < 3 * ratings.error[NAMES[i]] < 45
    for i, value in enumerate(seat):
        assert abs(ratings.seats[4][i] - ELO * value) < 3 * ratings.seat_errors[4][i] < 45
    assert list(ratings.elo) == list("abcde")
    assert sum(ratings.elo.values()) == pytest.approx(0, abs=1e-9)
    assert sum(ratings.seats[4]) == pytest.approx(0, abs=1e-9)
    assert ratings.ties == pytest.approx(delta, rel=0.2)
    lead, error = ratings.lead("a", "e")
    assert lead == ratings.elo["a"] - ratings.elo["e"]
    assert abs(lead - ELO * 2.2) < 3 * error < 60


def test_games_of_any_number_of_players_are_rated_together():
    rng = np.random.default_rng(2)
    strength = centred([0.9, 0.2, -0.2, -0.9])
    two = race(rng, strength, np.array([0.3, -0.3]), 400)
    three = winners(race(rng, strength, np.array([0.0, 0.2, -0.2]), 400))
    four = race(rng, strength, np.zeros(4), 300)
    ratings = rate(two + three + four)
    assert set(ratings.seats) == {2, 3, 4}
    assert ratings.seats[2][0] == pytest.approx(0.3 * ELO, abs=4 * ratings.seat_errors[2][0])
    for i, value in enumerate(strength):
        assert abs(ratings.elo[NAMES[i]] - ELO * value) < 3 * ratings.error[NAMES[i]]
    assert max(ratings.error.values()) < min(rate(two).error.values())


def test_the_order_of_games_does_not_matter_at_all():
    rng = np.random.default_rng(3)
    results = race(rng, np.array([0.5, 0.0, 0.0, -0.5]), np.array([0.1, 0.0, -0.1]), 30, 3)
    results += [Result(("a", "b", "c"), (2, 2, 1), "x"), Result(("d", "b"), (1, 1), "y")]
    shuffled = results[:]
    random.Random(4).shuffle(shuffled)
    one, other = rate(results), rate(shuffled)
    assert one == other
    assert bootstrap(one, 50) == bootstrap(other, 50)
    assert transitivity(one, 50) == transitivity(other, 50)


def test_rankings_without_ties_agree_with_choix():
    results = race(np.random.default_rng(5), np.linspace(1, -1, 6), np.zeros(4), 150)
    data = [[NAMES.index(r.agents[i]) for i in np.argsort(r.points)[::-1]] for r in results]
    ratings = rate(results, prior=math.inf, seats=False)
    expected = choix.ilsr_rankings(6, data, tol=1e-12)
    assert in_order(ratings, NAMES[:6]) == pytest.approx(expected, abs=1e-9)


def test_winners_of_elimination_games_agree_with_choix():
    results = winners(race(np.random.default_rng(6), np.linspace(1, -1, 6), np.zeros(4), 200))
    data = []
    for r in results:
        first = r.points.index(1)
        losers = [NAMES.index(name) for i, name in enumerate(r.agents) if i != first]
        data.append((NAMES.index(r.agents[first]), losers))
    ratings = rate(results, prior=math.inf, seats=False)
    expected = choix.ilsr_top1(6, data, tol=1e-12)
    assert in_order(ratings, NAMES[:6]) == pytest.approx(expected, abs=1e-9)


def test_duels_agree_with_choix_with_and_without_a_prior():
    results = race(np.random.default_rng(7), np.linspace(1, -1, 5), np.zeros(2), 200)
    data = [tuple(NAMES.index(r.agents[i]) for i in np.argsort(r.points)[::-1]) for r in results]
    for alpha in (0.0, 0.05):
        expected = choix.opt_pairwise(5, data, alpha=alpha, method="Newton-CG", tol=1e-12)
        prior = ELO / math.sqrt(2 * alpha) if alpha else math.inf
        ratings = rate(results, prior=prior, seats=False)
        assert in_order(ratings, NAMES[:5]) == pytest.approx(centred(expected), abs=1e-7)


def test_one_pair_with_draws_has_the_textbook_solution():
    results = [Result(("a", "b"), p, i) for i, p in enumerate([(1, 0)] * 12 + [(0, 1)] * 3)]
    results += [Result(("b", "a"), (5, 5), i) for i in range(20, 26)]
    ratings = rate(results, prior=math.inf, seats=False)
    assert ratings.elo["a"] - ratings.elo["b"] == pytest.approx(400 * math.log10(12 / 3))
    assert ratings.ties == {2: pytest.approx(6 / math.sqrt(12 * 3))}


def test_two_players_are_bradley_terry_with_davidson_ties_and_a_home_advantage():
    rng = np.random.default_rng(8)
    strength, seat = np.array([0.6, 0.1, -0.7]), np.array([0.4, -0.4])
    results = [tied_game(rng, strength, seat, {2: 0.7}, i) for i in range(300)]

    def loss(x):
        rating, home, log_nu = (0.0, x[0], x[1]), x[2], x[3]
        total = 0.0
        for r in results:
            one, other = (math.exp(rating[NAMES.index(name)]) for name in r.agents)
            one, other = one * math.exp(home), other / math.exp(home)
            draw = math.exp(log_nu) * math.sqrt(one * other)
            first, second = r.points
            likely = one if first > second else other if second > first else draw
            total -= math.log(likely / (one + other + draw))
        return total

    best = minimize(loss, np.zeros(4), method="BFGS", options={"gtol": 1e-7}).x
    ratings = rate(results, prior=math.inf)
    assert in_order(ratings, "abc") == pytest.approx(centred([0, best[0], best[1]]), abs=1e-5)
    assert ratings.seats[2] == pytest.approx((ELO * best[2], -ELO * best[2]), abs=1e-3)
    assert ratings.ties[2] == pytest.approx(math.exp(best[3]), abs=1e-5)


def test_the_losers_of_an_elimination_game_did_not_tie():
    full = race(np.random.default_rng(9), np.linspace(1, -1, 4), np.zeros(4), 200)
    only_first = rate(winners(full))
    assert only_first.ties == {}
    assert only_first == rate(full, order="first")
    assert rate(winners(full), order="all").ties.keys() == {3}


def test_the_last_of_a_ranking_did_tie():
    results = [Result(("a", "b", "c"), (3, 1, 1), 0), Result(("c", "a", "b"), (3, 2, 1), 1)]
    assert rate(results).ties.keys() == {2}
    assert rate(results[:1]).ties.keys() == set()


def test_a_draw_of_all_players_counts_where_only_winners_are_known():
    games = [(1, 0, 0), (0, 1, 0), (0, 0, 1)] * 12 + [(0, 0, 0)] * 18
    ratings = rate([Result(("a", "b", "c"), points, i) for i, points in enumerate(games)])
    # Among equals a draw of all has a chance of δ against 1 for each of the three to win.
    assert ratings.ties == {3: pytest.approx(18 / 12, rel=0.01)}


def test_an_agent_may_sit_at_several_seats_and_tells_their_advantage():
    games = [(("a", "a"), (1, 0))] * 60 + [(("a", "a"), (0, 1))] * 20
    games += [(pair, points) for pair in ("ab", "ba") for points in ((1, 0), (0, 1))]
    ratings = rate([Result(tuple(who), points, i) for i, (who, points) in enumerate(games)])
    first, second = ratings.seats[2]
    assert first - second == pytest.approx(400 * math.log10(62 / 22), rel=0.01)
    assert ratings.elo["a"] == pytest.approx(0, abs=1e-6)


def test_an_undefeated_agent_stays_finite_and_is_not_called_certain():
    wins = {("a", "b"): 40, ("a", "c"): 40, ("b", "c"): 25, ("c", "b"): 15}
    ratings = rate(duels(wins))
    assert 400 < ratings.elo["a"] < 2000
    assert ratings.error["a"] > 3 * rate(duels({**wins, ("b", "a"): 20})).error["a"]
    intervals = bootstrap(ratings)
    low, high = intervals.agents["a"]
    assert 200 < low < ratings.elo["a"] - 100 < ratings.elo["a"] + 300 < high < 3000
    assert intervals.better["a"]["b"] == 1
    assert intervals.better["b"]["c"] + intervals.better["c"]["b"] == pytest.approx(1)
    with pytest.raises(KostkaError, match="never lost"):
        rate(duels(wins), prior=math.inf)


def test_agents_that_never_met_are_not_compared_with_confidence():
    wins = {("a", "b"): 60, ("b", "a"): 40, ("c", "d"): 60, ("d", "c"): 40}
    with pytest.raises(KostkaError, match="never met"):
        rate(duels(wins), prior=math.inf)
    ratings = rate(duels(wins))
    assert ratings.lead("a", "c")[1] > 500 > 100 > ratings.lead("a", "b")[1]
    assert 0.2 < bootstrap(ratings).better["a"]["c"] < 0.8


def test_a_resample_is_fitted_as_if_its_games_had_been_played():
    rng = np.random.default_rng(11)
    compared = 0
    for count in (3, 9):
        results = race(rng, np.linspace(1, -1, 4), np.array([0.2, 0, -0.2]), count, 3)
        results = [Result(r.agents, tuple(round(p) for p in r.points), r.block) for r in results]
        ratings = rate(results, order="all")
        times = rng.multinomial(count, np.full(count, 1 / count), 10)
        drawn = _refit(ratings.fit, times, np.zeros((len(ratings.fit.theta), 10)))
        for column, row in zip(drawn.T, times, strict=True):
            again = rate([r for r in results for _ in range(row[r.block])], order="all")
            if (again.elo.keys(), again.ties.keys()) == (ratings.elo.keys(), ratings.ties.keys()):
                assert in_order(again, "abcd") == pytest.approx(column[:4], abs=1e-4)
                compared += 1
    assert compared > 10


@pytest.mark.parametrize("luck", ["game", "agents", "seats"])
def test_intervals_cover_the_truth_as_often_as_they_say(luck):
    rng = np.random.default_rng(12)
    covered, by_error, seat = [], [], np.array([0.3, 0.0, -0.3])
    for _ in range(60):
        strength = centred(rng.normal(0, 0.7, 5))
        results = race(rng, strength, seat, *((180, 1) if luck == "game" else (60, 3)), luck)
        ratings = rate(winners(results))
        intervals = bootstrap(ratings, 150)
        for i, value in enumerate(ELO * strength):
            low, high = intervals.agents[NAMES[i]]
            covered.append(low <= value <= high)
            by_error.append(abs(ratings.elo[NAMES[i]] - value) < 1.96 * ratings.error[NAMES[i]])
    assert 0.90 <= np.mean(covered) <= 0.98
    # As if no luck were shared: right, much too bold, much too shy.
    low, high = {"game": (0.9, 0.98), "agents": (0.6, 0.88), "seats": (0.98, 1)}[luck]
    assert low <= np.mean(by_error) <= high


def test_better_is_a_probability_that_grows_with_the_games():
    one = Result(("a", "b"), (1, 0), 0)
    few, many = (
        bootstrap(rate([Result(one.agents, one.points if i % 8 < 5 else (0, 1), i)
                        for i in range(n)], seats=False))
        for n in (16, 320)
    )  # fmt: skip
    assert 0.6 < few.better["a"]["b"] < 0.98 < many.better["a"]["b"] <= 1


def test_rock_paper_scissors_is_a_cycle():
    hands = {("rock", "scissors"): 30, ("scissors", "paper"): 28, ("paper", "rock"): 25}
    hands |= {(loser, winner): 40 - n for (winner, loser), n in hands.items()}
    found = transitivity(rate(duels(hands)))
    assert found.against == "simulation"
    assert found.p <= 0.002
    assert found.cycles[0].agents == ("paper", "rock", "scissors")
    assert len(found.cycles) == 1
    assert found.cycles[0].z > 4
    assert min(found.cycles[0].margins) > 50
    assert found.deviations["paper", "scissors"] < -3


def test_rock_paper_scissors_among_others_is_found_in_games_of_four_with_shared_luck():
    rng = np.random.default_rng(13)
    beats = {("a", "b"), ("b", "c"), ("c", "a")}
    results = []
    for block in range(150):
        who = [NAMES[i] for i in rng.permutation(6)[:4]]
        luck = rng.gumbel(size=4)
        for shift in range(4):
            seats = who[shift:] + who[:shift]
            edge = [sum(((x, y) in beats) - ((y, x) in beats) for y in seats) for x in seats]
            points = 0.5 * np.array(edge) + luck + 0.5 * rng.gumbel(size=4)
            results.append(Result(tuple(seats), tuple(points.tolist()), block))
    for games in (results, winners(results)):
        found = transitivity(rate(games))
        assert found.against == "blocks"
        assert found.p <= 0.01
        assert found.cycles[0].agents == ("a", "b", "c")


@pytest.mark.parametrize(("luck", "against"), [("game", "simulation"), ("agents", "blocks")])
def test_a_transitive_field_is_rarely_called_a_cycle(luck, against):
    rng = np.random.default_rng(14)
    p = []
    for i in range(120):
        blocks = (150, 1) if luck == "game" else (60, 3)
        results = race(rng, rng.normal(0, 0.7, 5), np.array([0.3, 0.0, -0.3]), *blocks, luck)
        found = transitivity(rate(winners(results) if i % 2 else results), 99, seed=i)
        assert found.against == against
        p.append(found.p)
    assert np.mean(np.array(p) <= 0.05) <= 0.11
    assert 0.4 < np.mean(p) < 0.6


def test_two_agents_are_never_a_cycle():
    found = transitivity(rate(duels({("a", "b"): 30, ("b", "a"): 3})), 20)
    assert (found.p, found.cycles) == (1, ())
    assert found.statistic == pytest.approx(0, abs=1e-6)


def test_pairs_that_never_met_are_no_part_of_a_cycle():
    wins = {("a", "b"): 9, ("b", "a"): 3, ("b", "c"): 9, ("c", "b"): 3}
    found = transitivity(rate(duels(wins)), 20)
    assert set(found.deviations) == {("a", "b"), ("b", "c")}
    assert (found.p, found.cycles) == (1, ())


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ([], "no results"),
        ([Result(("a", "b"), (1,), 0)], "result 0 has 2 agents but 1 points"),
        ([Result(("a",), (1,), 0)], "a game needs at least 2"),
        ([Result(("a", "b"), (1, math.nan), 0)], "not numbers"),
        ([Result(("a", "a"), (1, 0), 0)], "at least 2 agents, not only 'a'"),
        ([Result((*NAMES, "k"), (1,) * k + (0,) * (11 - k), 0) for k in range(2, 11)],
         "more than 1024 ways"),
    ],
)  # fmt: skip
def test_bad_results_are_refused_in_one_sentence(results, message):
    with pytest.raises(KostkaError, match=message) as error:
        rate(results)
    assert "\n" not in str(error.value)


def test_bad_questions_are_refused_in_one_sentence():
    results = [Result(pair, (1, 0), 0) for pair in permutations("abc", 2)]
    ratings = rate(results)
    for ask, message in [
        (lambda: rate(results, prior=0), "more than 0 Elo"),
        (lambda: rate(results, order="last"), "auto, all or first, not 'last'"),
        (lambda: bootstrap(ratings), "at least 2 blocks"),
        (lambda: bootstrap(rate(results, prior=math.inf, seats=False)), "with a prior"),
        (lambda: bootstrap(ratings, 1), "at least 2 "),
        (lambda: transitivity(ratings, 0), "at least 1 simulation"),
        (lambda: ratings.lead("a", "z"), "unknown agent 'z'"),
    ]:
        with pytest.raises(KostkaError, match=message):
            ask()
