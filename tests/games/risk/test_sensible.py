"""The sensible player: always legal, never lost for an end, and sensible in small positions."""

import numpy as np
import pytest

from kostka.core import play, rules
from kostka.core.kernels import kernel
from kostka.core.memory import copy as copy_record
from kostka.core.memory import like
from kostka.core.record import clone
from kostka.core.rng import stream
from kostka.games.risk import game as GAME
from kostka.games.risk.actions import land_named
from kostka.games.risk.battle import LOST, WON, fight
from kostka.games.risk.sensible import MOST, WIN, is_sensible, odds, sensible
from kostka.games.risk.state import NOBODY, PHASES

SENSIBLE = GAME.policies["sensible"]
OUT, PROB = np.empty(GAME.width, np.int64), np.empty(GAME.width)

GAMES = [
    dict(players=2),
    dict(players=2, neutral=False, limit=12),
    dict(players=3, win="missions", fortify="many", defence="choice"),
    dict(players=4, win="missions", reveal="turn-end", target="anyone", placing="all"),
    dict(players=6, sets="fixed", bonus="each", keep=5, spoils=7, fortify="adjacent"),
    dict(players=5, map="random", territories=60, sets="slow", cards="open"),
    dict(players=6, map="random", territories=9, limit=12, deck="once"),
    dict(players=3, map="random", territories=21, cap=50, start="scaled"),
]


@kernel
def faults(states, policies, out, kept, prob, rng, phases):
    """Play a game and count what is wrong: by the policy, the prior, the filter, the value."""
    s, p, wrong = states[0], policies[0], 0
    before = like(s)
    copy_record(before, s)
    while rules.mover(s) != rules.OVER:
        if rules.mover(s) == rules.CHANCE:
            rules.apply(s, rules.sample(s, out, prob, rng))
            continue
        phases[s.phase] += 1
        a = rules.policy(p, s, kept, rng)
        wrong += a != rules.policy(p, s, kept, rng)
        k = rules.legal(s, out)
        legal = found = 0
        best = -1e9
        for i in range(k):
            legal += out[i] == a
            weight = rules.prior(p, s, out[i])
            wrong += not -1e3 < weight < 20.0
            best = max(best, weight)
            kept[i] = out[i]
        wrong += rules.prior(p, s, a) < best - 1e-9
        n = rules.sensible(p, s, kept, k)
        for i in range(n):
            found += kept[i] == a
        wrong += legal != 1 or found != 1 or n > k
        total = 0.0
        for player in range(s.players):
            total += rules.evaluate(p, s, player)
        wrong += not 0.999 < total < 1.001
        rules.apply(s, a)
    return wrong


@pytest.mark.parametrize("options", GAMES, ids=str)
def test_its_choice_is_legal_kept_and_the_most_likely_in_every_phase(options):
    phases, kept = np.zeros(len(PHASES), np.int64), np.empty_like(OUT)
    for seed in range(3):
        s = GAME.new(seed=seed, **options)
        assert faults(s.buffer, SENSIBLE, OUT, kept, PROB, stream(seed), phases) == 0
    seen = {name for name, n in zip(PHASES, phases, strict=True) if n}
    assert seen >= {"claim", "draft", "attack", "fortify"}
    assert ("neutral" in seen) == (options["players"] == 2 and options.get("neutral", True))
    assert ("defend" in seen) == (options.get("defence") == "choice")


def played(seed, **options):
    """A whole game of sensible players: how many decisions, and its end."""
    s = GAME.new(seed=seed, **options)
    last = clone(s.buffer)
    n = play.playouts(s.buffer, last, SENSIBLE, 1, OUT, PROB, stream(seed), 1 << 40)
    return n, last[0]


def test_a_game_of_six_ends_within_a_thousand_decisions_on_average():
    games = [played(seed, players=6) for seed in range(100)]
    assert np.mean([n for n, _ in games]) < 1000
    assert all(last.winner != NOBODY for _, last in games)


@pytest.mark.parametrize("options", GAMES, ids=str)
def test_games_are_decided_with_all_options(options):
    assert sum(played(seed, **options)[1].winner != NOBODY for seed in range(20)) >= 19


def test_it_leaves_the_view_as_it_was():
    s = GAME.new(seed=1, players=3)
    luck = stream(1)
    for _ in range(200):
        s.settle(luck)
        before = s.buffer.tobytes()
        a = int(rules.policy(SENSIBLE[0], s.record, OUT, luck))
        assert s.buffer.tobytes() == before
        s.apply(a)


@pytest.mark.parametrize("a, d", [(1, 1), (3, 2), (10, 10), (48, 48), (20, 35)])
def test_chances_are_those_of_the_whole_fight(a, d):
    k = fight(a, d, 2, OUT, PROB)
    won = sum(PROB[i] for i in range(k) if WON < OUT[i] < LOST)
    assert WIN[a, d] == pytest.approx(won)
    assert odds(2 * MOST, 2 * MOST) == WIN[MOST, MOST]


# --- small positions ---


def position(**armies):
    """Three players on the classic map, the first to attack: his armies by id, ``x`` for others."""
    s = GAME.new(seed=1, players=3)
    r = s.record
    r.phase, r.player, r.first = PHASES.index("attack"), 0, 0
    r.setup[:] = 0
    r.land[:] = 0
    for t in range(r.territories):
        r.owner[t], r.armies[t] = 1 + t % 2, 3
    for id, n in armies.items():
        t = land_named(r, id.replace("_", "-"))
        r.owner[t], r.armies[t] = (0, n) if n > 0 else (r.owner[t], -n)
    for t in range(r.territories):
        r.land[r.owner[t]] |= np.uint64(1 << t)
    return s


def choice(s, **weights):
    return s.text(int(rules.policy(sensible(**weights)[0], s.record, OUT, stream(1))))


def test_it_completes_a_continent_rather_than_take_other_land():
    s = position(peru=1, brazil=8, argentina=1, venezuela=-2, north_africa=-2)
    assert choice(s) == "brazil>venezuela!"


def test_it_breaks_an_enemy_continent_if_it_has_none_in_reach():
    s = position(siam=8, indonesia=-2, china=-2, india=-2)
    r = s.record
    for id in ("indonesia", "new-guinea", "western-australia", "eastern-australia"):
        t = land_named(r, id)
        r.land[r.owner[t]] &= ~np.uint64(1 << t)
        r.owner[t] = 1
        r.land[1] |= np.uint64(1 << t)
    assert choice(s) == "siam>indonesia!"


def test_it_takes_the_last_territory_of_a_player_with_cards():
    s = position(alaska=6, kamchatka=-2, alberta=-2, northwest_territory=-2)
    r = s.record
    t = land_named(r, "kamchatka")
    for p in (1, 2):
        r.land[p] |= r.land[3 - p] & ~np.uint64(1 << t) if p == 1 else np.uint64(0)
    r.land[1] &= ~np.uint64(1 << t)
    r.land[2] = np.uint64(1 << t)
    r.owner[r.owner == 2] = 1
    r.owner[t] = 2
    r.hand[2] = 4
    assert choice(s) == "alaska>kamchatka!"


def test_it_ends_its_attacks_where_it_would_probably_lose():
    assert choice(position(japan=3, kamchatka=-9, mongolia=-9)) == "end"


def test_its_mission_decides_between_alike_targets():
    s = GAME.new(seed=1, players=3, win="missions")
    r = s.record
    r.missions = 1
    template = position(brazil=6, north_africa=-2, peru=-2, venezuela=-2).record
    for field in ("phase", "player", "first", "setup", "land", "owner", "armies"):
        r[field] = template[field]
    r.dealt = 3
    africa = int(r.continent[land_named(r, "north-africa")])
    for m in range(r.mission_count):
        if r.goal_continents[m] >> africa & 1:
            r.mission[0] = m
    assert choice(s, mission=20.0) == "brazil>north-africa!"


def test_it_places_new_armies_where_they_take_a_continent():
    s = position(peru=1, brazil=1, argentina=1, japan=1, venezuela=-3)
    r = s.record
    r.phase, r.free = PHASES.index("draft"), 8
    assert choice(s) in ("place peru", "place brazil")


def test_it_does_not_waste_wild_cards():
    s = position(japan=9)
    r = s.record
    r.phase, r.free = PHASES.index("trade"), 3
    infantry = [t for t in range(42) if r.symbol[t] == 0 and r.owner[t] != 0][:3]
    r.card[infantry], r.card[42] = 0, 0
    r.hand[0] = 4
    assert "wild" not in choice(s) and choice(s).startswith("trade")


def test_armies_behind_the_lines_go_to_the_front():
    s = position(
        **dict.fromkeys(("new_guinea", "western_australia", "indonesia"), 1),
        eastern_australia=9,
        siam=-4,
    )
    s.record.phase = PHASES.index("fortify")
    assert choice(s) == "eastern-australia=indonesia"


def test_the_filter_leaves_single_throws_out():
    s = position(japan=9, kamchatka=-2)
    r = s.record
    edge = r.land[0]
    kept = [s.text(a) for a in s.legal_actions if is_sensible(r, a, edge)]
    assert kept == ["japan>kamchatka!", "japan>mongolia!", "end"]
