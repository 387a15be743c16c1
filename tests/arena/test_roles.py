"""Games whose seats are not alike: sides are one result, and results speak of roles."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from kostka.arena import statistics
from kostka.arena.executor import Inline
from kostka.arena.experiments import parse
from kostka.arena.match import prepare, seatings
from kostka.arena.page import headline, html
from kostka.arena.plan import Plan
from kostka.arena.report import endings, gather
from kostka.arena.results import Row, by_side, columns
from kostka.arena.sprt import Lineup, Sprt
from kostka.arena.store import Store
from kostka.arena.tournament import gain_of, in_role, play, trial
from kostka.arena.verdicts import judge
from kostka.core.errors import KostkaError
from kostka.core.game import game

grid, london, dicewars = game("scotland-yard-grid"), game("scotland-yard"), game("dicewars")
PLAN = Plan("scotland-yard-grid", ("random", "bots:Last"), games=40, seed=3)


def played(path, plan=PLAN):
    store = Store(str(path / "roles.db"))
    run = store.begin(plan, "a test")
    list(play(store, run, Inline()))
    return store, store.run(run.id)


def row(number, seat, agent, gain, score=0.0, thought=None):
    return Row(0, number, number // 2, 3, seat, agent, gain, score, 1.0, 9, 0.1, None, thought)


# --- line-ups ---


def test_two_agents_play_a_side_each_and_both_ways_round():
    match = prepare(london, ("mcts", "random"), 4, 1, {})
    assert match.seatings == ((0, 1, 1, 1, 1, 1), (1, 0, 0, 0, 0, 0))
    assert match.players == match.options["players"] == 6
    assert match.roles == ("Mr X", "detectives")
    assert match.game_seed(0) == match.game_seed(1) != match.game_seed(2)
    fixed = prepare(london, ("mcts", "random"), 4, 1, {"players": "4"}, "fixed")
    assert fixed.seatings == ((0, 1, 1, 1),)
    alone = prepare(london, ("mcts", "random"), 4, 1, {"players": 2})
    assert alone.seatings == ((0, 1), (1, 0)) and alone.roles == ("Mr X", "detective")


def test_any_other_number_of_agents_has_a_seat_each():
    match = prepare(grid, ("mcts", "random", "bandit"), 3, 1, {})
    assert match.seatings == seatings("abc", "rotate")
    with pytest.raises(KostkaError, match="4 players need as many agents, or one for each side"):
        prepare(grid, ("mcts", "random", "bandit"), 3, 1, {"players": 4})
    with pytest.raises(KostkaError, match=r"^3 players need as many agents, not 2$"):
        prepare(dicewars, ("stei", "sdc"), 3, 1, {"players": 3})


def test_a_tournament_may_say_how_many_detectives_there_are():
    plan = replace(PLAN, agents=("random", "mcts"), options={"players": 4})
    [match] = plan.matches()
    assert match.seatings == ((0, 1, 1, 1), (1, 0, 0, 0))
    assert plan.same_as(Plan.from_json(plan.json()))


# --- results ---


def test_detectives_who_win_together_are_one_win():
    found = [row(0, 0, "a", 0.0, 5.0, [[1, 0.5]]), row(0, 1, "b", 1.0, 4.0, [[2, 0.25]]),
             row(0, 2, "b", 1.0, 8.0, [[3, 0.5]]), row(1, 0, "b", 1.0), row(1, 1, "a", 0.0),
             row(1, 2, "c", 0.0)]  # fmt: skip
    merged = by_side(found, [(0, 1, 1)])
    assert [(r.number, r.seat, r.agent, r.gain) for r in merged] == [
        (0, 0, "a", 0.0), (0, 1, "b", 1.0), (1, 0, "b", 1.0), (1, 1, "a + c", 0.0),
    ]  # fmt: skip
    assert {r.players for r in merged} == {2}
    assert merged[1].score == 6.0 and merged[1].thought == [[5, 0.75]]
    assert [r.place for r in merged] == [2, 1, 1, 2]
    unclocked = [r._replace(thought=None) for r in found]
    results = columns(unclocked, {"c"}, grid, [{"players": 3}])
    assert results.agents == ("a", "a + c", "b") and results.learners == {"a + c"}
    assert len(results.without(["c"])) == 1
    alike = [row(0, 0, "a", 1.0), row(0, 1, "b", 0.0), row(0, 2, "b", 0.0)]
    assert by_side(alike, [(0, 1, 2)]) is alike


def test_numbers_are_those_of_agents_in_roles_and_gains_add_up(bots):
    store, run = played(bots)
    results = store.results(run)
    assert len(results) == 40 and len(results.gain) == 80 and results.roles == run.matches[0].roles
    assert np.bincount(results.game, results.gain).tolist() == [1.0] * 40
    rows = statistics.by_seat(results)
    assert {(r["agent"], r["role"], r["games"]) for r in rows} == {
        (agent, role, 20) for agent in PLAN.agents for role in ("Mr X", "detectives")
    }
    one, other = statistics.seat_advantage(results)
    assert (one["role"], other["role"]) == ("Mr X", "detectives") and one["fair"] == 0.5
    assert one["share"] + other["share"] == pytest.approx(1) and one["games"] == 40
    assert [r["games"] for r in statistics.standings(results)] == [40, 40]
    meeting = statistics.cross_table_by_seat(results)[0]
    assert meeting["games"] == 20 and meeting["one_role"] != meeting["other_role"]


def test_who_only_ever_played_one_role_is_not_rated(bots):
    store, run = played(bots, replace(PLAN, seats="fixed"))
    assert not store.results(run).comparable
    data = gather(store, run)
    assert not {"ratings", "t_tests", "cross_table"} & set(data)
    assert headline(data).startswith("Not everybody played every role, so nobody is rated. As Mr X")
    assert "nobody is rated" in html(data, {})


def test_an_agent_that_meets_itself_is_in_the_table_of_roles(bots):
    store, run = played(bots, replace(PLAN, repeat=True, games=6))
    cells = statistics.cross_table_by_seat(store.results(run))
    found = {(r["one"], r["other"]) for r in cells if r["one_role"] == "detectives"}
    assert found == {(a, b) for a in PLAN.agents for b in PLAN.agents}


def test_the_report_speaks_of_roles_and_never_of_seats(bots):
    store, run = played(bots)
    data = gather(store, run)
    assert {row["role"] for row in data["scores"]} == {"Mr X", "detectives"}
    assert {row["role"] for row in data["seat_ratings"]} == {"Mr X", "detectives"}
    page = html(data)
    assert "Mr X against detectives" in page and "seat 1" not in page.lower()
    assert "every order of the sides" in page and " at tables of 3:" in page


# --- endings ---


def test_endings_tell_in_which_round_mr_x_was_caught(bots):
    store, run = played(bots)
    results = store.results(run)
    rows = endings(store, run, results)
    mr_x, detectives = results.agent[::2], results.agent[1::2]
    for row in rows:
        here = [results.agents[i] for i in mr_x], [results.agents[i] for i in detectives]
        at = [pair == tuple(row["agents"]) for pair in zip(*here, strict=True)]
        won = results.gain[::2] == (row["winner"] == "Mr X")
        moves = results.score[::2][np.array(at) & won]  # on the grid he moves once a round
        first = int(row["edges"][0] + 0.5)
        drawn = Counter({first + i: n for i, n in enumerate(row["counts"]) if n})
        assert drawn == Counter(moves.astype(int).tolist())
        assert row["games"] == sum(at) == 20
    assert sum(row["count"] for row in rows) == 40
    assert len({row["winner"] for row in rows}) == 2
    assert endings(store, run, replace(results, roles=())) == []


# Experiments

EXPERIMENT = """
title = "t"
source = "s"
[[plan]]
game = "scotland-yard-grid"
agents = ["random", "bots:Last"]
games = 40
published = [{ agent = "random", role = "ROLE", against = ["bots:Last"], value = 0.5 }]
"""


def test_a_published_number_may_be_that_of_a_role(bots):
    experiment = parse(EXPERIMENT.replace("ROLE", "detectives"), "e", "e.toml")
    store, run = played(bots)
    [found] = judge(experiment, [results := store.results(run)])
    mine = (results.agent == results.agents.index("random")) & (results.seat == 1)
    assert found["ours"] == results.gain[mine].mean() and found["games"] == 20
    assert found["about"] == "random as detectives against bots:Last"
    with pytest.raises(KostkaError, match="unknown role 'Mr Y'; did you mean Mr X"):
        parse(EXPERIMENT.replace("ROLE", "Mr Y"), "e", "e.toml")
    seats = EXPERIMENT.replace("ROLE", "Mr X").replace(
        'agents = ["random", "bots:Last"]', 'lineups = [["random", "bots:Last", "bots:Last"]]'
    )
    with pytest.raises(KostkaError, match="one agent for each of Mr X, detectives"):
        parse(seats, "e", "e.toml")


# --- tests of one role ---


def test_a_block_of_a_role_pairs_new_with_old_in_it():
    match = in_role(prepare(grid, ("mcts", "random"), 20, 1, {}), "Detectives")
    assert match.seatings == ((1, 0, 0), (1, 1, 1)) and match.games == 20
    lineup = Lineup(role="detectives")
    for new in (0.0, 1.0):
        for old in (0.0, 1.0):
            games = [1 - new, new, new], [1 - old, old, old]
            gains = [gain_of(match, i, returns) for i, returns in enumerate(games)]
            assert lineup.block(gains) == 0.5 + (new - old) / 2
    mr_x = in_role(match, "mr x")
    assert mr_x.seatings == ((0, 1, 1), (1, 1, 1))
    assert gain_of(mr_x, 0, [1.0, 0.0, 0.0]) == 1.0 and gain_of(mr_x, 1, [1.0, 0.0, 0.0]) == 0.0
    with pytest.raises(KostkaError, match="role of scotland-yard-grid 'Mr Y'"):
        in_role(match, "Mr Y")


def test_the_elo_of_a_role_is_half_as_far_from_even():
    plain, lineup = Lineup(), Lineup(role="Mr X")
    assert lineup.score_at(0) == 0.5
    assert lineup.score_at(20) - 0.5 == pytest.approx((plain.score_at(20) - 0.5) / 2)
    assert lineup.elo_at(lineup.score_at(35)) == pytest.approx(35)
    test = Sprt(lineup, elo=(0, 100))
    test.add([1.0, 0.5, 0.5, 0.5] * 50)
    said = test.sentence("new", "old")
    assert said.startswith("new is stronger than old as Mr X (") and "+25.0 points in a" in said


def test_who_is_the_same_is_not_better_at_a_role_and_who_is_better_is_found(bots):
    def verdict(new, old, role):
        match = in_role(prepare(grid, (new, old), 2000, 1, {}), role)
        test = Sprt(Lineup(role=role), elo=(0, 100), limit=1000)
        list(trial(match, test, Inline()))
        return test

    same = verdict("random", "random", "detectives")
    assert same.verdict == "not stronger" and same.estimate().value == 0.5
    assert verdict("mcts:iterations=60", "random", "detectives").verdict == "stronger"
