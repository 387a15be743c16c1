"""How a game of Risk begins, written from the rule text alone: claims, armies, piles, the first."""

from collections import Counter

import pytest
from riskboards import armies, begin, legal, owners

from kostka.games.risk import game
from kostka.games.risk.actions import END
from kostka.games.risk.state import NOBODY


def held(s):
    """Armies and territories of each owner."""
    n = s.record.territories
    land = Counter(s.record.owner[:n].tolist())
    total = Counter()
    for owner, count in zip(s.record.owner[:n].tolist(), s.record.armies[:n].tolist(), strict=True):
        total[owner] += count
    return total, land


def placed(s):
    """All armies are placed, each somewhere else."""
    n = 0
    while s.phase in ("claim", "neutral", "number"):
        choices = s.legal_actions
        s.apply(choices[n % len(choices)])
        n += 1
    return s


# --- armies at the start ---


@pytest.mark.parametrize(
    ("players", "count"), [(3, 35), (4, 30), (5, 25), (6, 20)], ids=lambda n: str(n)
)
@pytest.mark.parametrize("win", ["domination", "missions"])
def test_start_armies_depend_on_the_number_of_players(players, count, win):
    s = placed(begin(players=players, map="classic", win=win))
    total, land = held(s)
    assert total == dict.fromkeys(range(players), count)
    assert sorted(land.values(), reverse=True) == [
        42 // players + (n < 42 % players) for n in range(players)
    ]
    assert NOBODY not in land


@pytest.mark.parametrize(
    ("players", "n", "count"),
    [(3, 9, 8), (3, 21, 18), (4, 9, 7), (6, 60, 29), (3, 42, 35), (2, 9, 9), (2, 12, 12)],
)
def test_scaled_start_armies_follow_the_size_of_the_map_rounded_up(players, n, count):
    s = placed(begin(players=players, map="random", territories=n, start="scaled"))
    total, _ = held(s)
    assert set(total.values()) == {count}


def test_unscaled_start_armies_are_the_same_on_every_map():
    assert held(placed(begin()))[0] == {0: 35, 1: 35, 2: 35}
    assert held(placed(begin(map="random", territories=60)))[0] == {0: 35, 1: 35, 2: 35}


def test_start_armies_that_do_not_fit_are_lost():
    total, _ = held(placed(begin(players=2, limit=12)))
    assert total == {0: 36, 1: 36, 2: 36}


# --- claims ---


def test_players_claim_in_turn_until_nothing_is_empty():
    s = begin(map="classic", players=4)
    order = []
    for n in range(42):
        assert len(legal(s)) == 42 - n
        order.append(s.mover)
        s.apply(s.legal_actions[-1])
    first = s.record.first
    assert order == [(first + n) % 4 for n in range(42)]
    assert owners(s).count("-") == 0
    assert armies(s) == "1" * 42


def test_nobody_claims_what_is_taken_while_anything_is_empty():
    s = begin(players=3)
    s.apply("claim d")
    assert "empty" in s.why_not("claim d")
    assert "claim d" not in legal(s)
    assert "all armies must be placed" in s.why_not(END)


def test_then_one_army_at_a_time_goes_on_own_territories():
    s = begin(players=3)
    for id in "abcdefghi":
        s.apply(f"claim {id}")
    first = int(s.record.first)
    assert s.mover == first
    assert legal(s) == {"claim a", "claim d", "claim g"}
    s.apply("claim g")
    assert s.mover == (first + 1) % 3
    assert legal(s) == {"claim b", "claim e", "claim h"}
    assert armies(s) == "111111211"


def test_all_at_once_before_the_next_player_where_that_is_the_rule():
    s = begin(players=3, placing="all")
    for id in "abcdefghi":
        s.apply(f"claim {id}")
    first = int(s.record.first)
    assert s.mover == first
    s.apply("claim g")
    assert s.phase == "number" and len(legal(s)) == 32
    s.apply("x30")
    assert s.mover == first
    s.apply("claim a").apply("x1").apply("claim a")
    assert s.mover == (first + 1) % 3
    assert armies(s) == "3 1 1 1 1 1 31 1 1"


@pytest.mark.parametrize("placing", ["one", "all"])
def test_whoever_placed_first_also_has_the_first_turn(placing):
    for seed in range(4):
        s = begin(players=5, placing=placing, seed=seed)
        first = s.mover
        placed(s)
        assert s.phase == "draft" and s.mover == first


def test_everybody_is_as_likely_to_begin():
    firsts = Counter(begin(players=3, seed=seed).mover for seed in range(300))
    assert set(firsts) == {0, 1, 2}
    assert all(abs(n - 100) < 40 for n in firsts.values())


# --- secret missions ---


def test_for_missions_the_territories_are_dealt_with_one_army_each():
    s = begin(players=3, win="missions")
    assert armies(s) == "1" * 9
    assert sorted(owners(s)) == list("000111222")
    mine = {f"claim {'abcdefghi'[t]}" for t, o in enumerate(owners(s)) if int(o) == s.mover}
    assert legal(s) == mine


def test_the_deal_is_another_one_in_every_game():
    assert len({owners(begin(players=3, win="missions", seed=n)) for n in range(20)}) > 15


# --- two players ---


def test_of_two_players_each_and_the_neutral_army_have_a_third():
    s = begin(players=2, map="classic")
    _, land = held(s)
    assert land == {0: 14, 1: 14, 2: 14}
    assert armies(s) == "1" * 42


@pytest.mark.parametrize(("n", "neutral"), [(9, 3), (10, 4), (11, 5), (12, 4), (59, 21)])
def test_what_does_not_divide_by_three_is_the_neutral_armys(n, neutral):
    _, land = held(begin(players=2, map="random", territories=n))
    assert land == {0: (n - neutral) // 2, 1: (n - neutral) // 2, 2: neutral}


def test_each_places_two_own_armies_and_a_neutral_one():
    s = begin(players=2, map="classic")
    first = s.mover
    order = []
    for _ in range(6):
        order.append((s.phase, s.mover))
        owner = s.mover if s.phase == "claim" else 2
        here = {int(s.record.owner[a]) for a in s.legal_actions}
        assert here == {owner}
        s.apply(s.legal_actions[0])
    one = ["claim", "claim", "neutral"]
    assert order == [(p, first) for p in one] + [(p, 1 - first) for p in one]


def test_after_thirteen_rounds_all_forty_armies_are_placed():
    s = begin(players=2, map="classic")
    turns = 0
    while s.phase in ("claim", "neutral"):
        turns += s.phase == "neutral"
        s.apply(s.legal_actions[turns % 14])
    assert turns == 26
    assert held(s)[0] == {0: 40, 1: 40, 2: 40}
    assert s.phase == "draft" and s.mover == s.record.first


def test_on_maps_of_other_sizes_all_armies_are_placed_as_well():
    for n in (9, 10, 11, 60):
        s = placed(begin(players=2, map="random", territories=n))
        assert held(s)[0] == {0: 40, 1: 40, 2: 40}


def test_two_players_without_a_neutral_army_claim_everything_in_turn():
    s = begin(players=2, neutral=False)
    assert owners(s) == "-1" * 9
    assert set(owners(placed(s))) == {"0", "1"}
    assert held(s)[0] == {0: 40, 1: 40}


# --- options ---


def test_the_preset_thesis_reads_the_rules_as_the_thesis_does():
    r = begin(**game.preset("thesis")).record
    assert r.bonus_each == 1  # two extra armies for each card
    assert (r.keep, r.spoils) == (5, 7)  # five cards may be kept, six after an elimination
    assert r.by_anyone == 1  # whoever destroys the target
    assert r.placing_all == 1


def test_by_default_the_official_rules_are_played():
    r = begin(map="classic").record
    assert (r.bonus_each, r.by_anyone, r.placing_all, r.defence_choice) == (0, 0, 0, 0)
    assert (r.keep, r.spoils, r.cap, r.limit) == (4, 6, 0, 1000)
    assert (r.reshuffle, r.cards_open, r.at_turn_end) == (1, 0, 0)


# --- random maps ---


@pytest.mark.parametrize("n", [9, 18, 21, 60])
def test_a_random_map_is_connected_and_every_territory_is_in_a_continent_with_a_bonus(n):
    r = begin(map="random", territories=n).record
    near = [[j for j in range(n) if int(r.near[i]) >> j & 1] for i in range(n)]
    assert all(i in near[j] for i in range(n) for j in near[i])
    assert all(i not in near[i] for i in range(n))
    reached = [0]
    for i in reached:
        reached += [j for j in near[i] if j not in reached]
    assert len(reached) == n
    assert set(r.continent[:n].tolist()) == set(range(r.continents))
    assert all(b > 0 for b in r.bonus[: r.continents].tolist())


def test_on_a_random_map_symbols_go_round_and_two_cards_are_wild():
    r = begin(map="random", territories=10).record
    assert r.symbol[:12].tolist() == [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 3, 3]


def test_one_seed_is_one_map():
    one, same, other = (begin(map="random", territories=20, seed=n) for n in (5, 5, 6))
    assert one == same
    assert one.record.near.tolist() != other.record.near.tolist()


def test_the_classic_map_has_83_edges():
    r = begin(map="classic").record
    assert sum(int(r.near[i]).bit_count() for i in range(42)) == 2 * 83
