"""The outlook: what it sees in small positions, and that it knows who is ahead."""

import json
from pathlib import Path

import numpy as np
import pytest

from kostka.core import rules
from kostka.core.game import game
from kostka.core.rng import stream
from kostka.games.risk import outlook
from kostka.games.risk.actions import land_named
from kostka.games.risk.outlook import FEATURES, lacks
from kostka.games.risk.state import CONTINENTS, DESTROY, PHASES, TERRITORIES

GAME = game("risk")
H = GAME.evaluations["outlook"]


def world(**armies):
    """Three players on the classic map: the first holds what is named, the rest is shared out."""
    s = GAME.new(seed=1, players=3, win="missions")
    r = s.record
    r.phase, r.player, r.dealt = PHASES.index("attack"), 0, 3
    r.setup[:], r.land[:] = 0, 0
    for t in range(r.territories):
        r.owner[t], r.armies[t] = 1 + t % 2, 3
    for id, n in armies.items():
        t = land_named(r, id.replace("_", "-"))
        r.owner[t], r.armies[t] = 0, n
    for t in range(r.territories):
        r.land[r.owner[t]] |= np.uint64(1 << t)
    return s


AUSTRALIA = dict(indonesia=7, new_guinea=1, western_australia=1, eastern_australia=1)


def seen(s, player):
    row = np.zeros(len(FEATURES))
    n = rules.features(H[0], s.record, player, row)
    return dict(zip(FEATURES, row, strict=True)) if n else None


def test_a_continent_is_held_and_as_safe_as_its_armies_against_those_around():
    found = seen(world(**AUSTRALIA), 0)
    assert found["armies"] == pytest.approx(np.log(11))
    assert found["continents held"] == pytest.approx(np.log(3))
    assert found["and how safe they are"] == pytest.approx(2 * 10 / (10 + 3 + 1) / 5)
    assert (found["largest army"], found["armies beside it"]) == pytest.approx(
        (np.log(8), np.log(4))
    )


def test_whoever_has_fallen_has_no_share_and_the_others_share_all():
    s = world(japan=3)
    r = s.record
    r.land[1] |= r.land[2]
    r.land[2] = 0
    r.owner[r.owner == 2] = 1
    out = np.zeros(3)
    rules.evaluate_all(H[0], r, out)
    assert seen(s, 2) is None and out[2] == 0.0
    assert out.sum() == pytest.approx(1) and out[1] > 0.9


@pytest.mark.parametrize(
    ("mission", "lacking"),
    [
        # 41 lands of 3 armies; Australia lacks nothing, South America four lands of three.
        (dict(kind=TERRITORIES, land=6), 2 * (1 + 3)),
        (dict(kind=TERRITORIES, land=4, armies=3), 3 * 2),
        (dict(kind=CONTINENTS, named=("SA",)), 4 * 3 + 4),
        (dict(kind=CONTINENTS, named=("SA",), choice=1), 4 * 3 + 4),
        (dict(kind=DESTROY, target=1, land=24), 4 * 19),
        (dict(kind=DESTROY, target=0, land=5), 1 * (1 + 3)),
    ],
    ids=str,
)
def test_a_mission_lacks_the_armies_in_its_way(mission, lacking):
    s = world(**AUSTRALIA)
    r = s.record
    ids = [r.continent_ids[c].tobytes().rstrip(b"\0").decode() for c in range(r.continents)]
    r.goal_kind[0] = mission["kind"]
    r.goal_target[0] = mission.get("target", -1)
    r.goal_land[0], r.goal_armies[0] = mission.get("land", 0), mission.get("armies", 0)
    r.goal_continents[0] = sum(1 << ids.index(c) for c in mission.get("named", ()))
    r.goal_choice[0] = mission.get("choice", 0)
    if mission["kind"] == DESTROY and mission["target"] == 1:
        lacking = 4 * int(r.land[1]).bit_count()
    assert lacks(r, 0, 0) == pytest.approx(lacking)


def test_it_knows_the_winner_of_a_sensible_game_before_its_end():
    right, out = 0, np.empty(GAME.width, np.int64)
    for seed in range(12):
        s, luck, seen = GAME.new(seed=seed, players=3).settle(stream(seed)), stream(seed), []
        while not s.over:
            value = np.zeros(3)
            rules.evaluate_all(H[0], s.record, value)
            seen.append(int(value.argmax()))
            s.apply(int(rules.policy(GAME.policies["sensible"][0], s.record, out, luck)))
            s.settle(luck)
        right += seen[len(seen) * 3 // 4] == int(s.record.winner)
    assert right >= 8


def test_what_it_leans_to_is_what_the_sensible_player_would_do():
    s = world(japan=9)
    sensible = GAME.evaluations["sensible"][0]
    for a in s.legal_actions:
        assert rules.prior(H[0], s.record, a) == rules.prior(sensible, s.record, a)


def test_the_weights_that_come_with_the_game_are_of_these_features():
    kept = json.loads(Path(outlook.__file__).with_name("risk.outlook.json").read_text("utf-8"))
    assert kept["features"] == [*FEATURES] and kept["command"].startswith("kostka learn risk")
    assert kept["surprise"]["of these weights"] < 0.85 * kept["surprise"]["knowing nothing"]
