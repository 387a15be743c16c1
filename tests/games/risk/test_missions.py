"""Secret missions, written from the rule text alone: what fulfils them, when, and who knows it."""

import pytest
from riskboards import SIX, begin, board, luck, made, owners, play, world

from kostka.core.errors import KostkaError
from kostka.core.rng import stream
from kostka.core.state import CHANCE, OVER, PUBLIC
from kostka.games.risk.actions import mission_ids
from kostka.games.risk.state import NOBODY, UNKNOWN

#: A map's own missions: to hold 4 to 9 of nine territories, and to destroy each colour.
DESTROY = [{"type": "eliminate", "colour_slot": n} for n in range(1, 7)]
HUNT = made(missions=SIX + DESTROY)
#: What nobody in the positions below is near to.
FAR = "territories-9"


def hunt(owners, armies, *missions, **more):
    """Three players whose missions are to destroy somebody, or far away."""
    more.setdefault("map", HUNT)
    return board(owners, armies, players=len(missions), missions=missions, **more)


# --- which there are ---


def test_the_box_has_fourteen_missions():
    s = begin(map="classic", players=6, win="missions")
    assert mission_ids(s.record) == [
        "territories-18x2",
        "territories-24",
        "sa-as",
        "af-as",
        "na-af",
        "na-au",
        "sa-eu-any1",
        "eu-au-any1",
        "destroy-blue",
        "destroy-orange",
        "destroy-green",
        "destroy-purple",
        "destroy-red",
        "destroy-sand",
    ]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_nobody_is_to_destroy_a_colour_that_does_not_play(players):
    s = begin(map="classic", players=players, win="missions")
    assert s.record.mission_count == 8 + players
    assert not {"destroy-red", "destroy-sand"} & set(mission_ids(s.record)[: 8 + min(players, 4)])


def test_two_players_have_no_missions():
    with pytest.raises(KostkaError, match="3 to 6 players"):
        begin(players=2, win="missions")


@pytest.mark.parametrize(
    ("n", "eighteen", "twenty_four"),
    [(9, 4, 6), (18, 8, 11), (21, 9, 12), (42, 18, 24), (60, 26, 35)],
)
def test_numbers_of_territories_are_scaled_to_the_map_and_rounded_up(n, eighteen, twenty_four):
    s = begin(map="random", territories=n, win="missions")
    r = s.record
    assert mission_ids(r)[:2] == [f"territories-{eighteen}x2", f"territories-{twenty_four}"]
    assert r.goal_land[mission_ids(r).index("destroy-blue")] == twenty_four


def test_a_continent_that_the_map_lacks_is_one_of_choice():
    places = {"NA": ("abc", 1), "AF": ("def", 1), "AU": ("ghi", 1)}
    s = begin(map=made(places=places), win="missions")
    assert mission_ids(s.record)[2:8] == [
        "any2",
        "af-any1",
        "na-af",
        "na-au",
        "any3",
        "au-any2",
    ]


def test_no_mission_asks_for_more_continents_than_there_are():
    places = {"W": ("abcd", 1), "E": ("efghi", 1)}
    s = begin(map=made(places=places), win="missions")
    assert mission_ids(s.record)[2:8] == ["any2", "any2~2", "any2~3", "any2~4", "any2~5", "any2~6"]


def test_missions_of_the_map_itself_are_not_scaled():
    s = begin(map=HUNT, win="missions")
    ids = [*(f"territories-{n}" for n in range(4, 10)), "destroy-blue", "destroy-orange"]
    assert mission_ids(s.record) == [*ids, "destroy-green"]


# --- the deal ---


def test_missions_are_dealt_when_all_armies_are_placed():
    s = begin(win="missions", seed=3)
    while s.phase == "claim":
        assert s.record.mission[:3].tolist() == [UNKNOWN] * 3
        s.apply(s.legal_actions[0])
    assert s.phase == "mission" and s.mover == CHANCE
    assert sum(s.record.armies) == 3 * 35


def dealing(**options):
    """A game at the moment when the missions are dealt."""
    s = begin(win="missions", **options)
    while s.phase == "claim":
        s.apply(s.legal_actions[0])
    return s


def test_every_mission_is_as_likely_and_none_is_dealt_twice():
    s = dealing(map="classic")
    every = mission_ids(s.record)
    for n, mission in enumerate(("af-as", "destroy-blue", "territories-24")):
        left = [m for m in every if m not in ("af-as", "destroy-blue", "territories-24")[:n]]
        assert luck(s) == pytest.approx({f"mission {m}": 1 / (11 - n) for m in left})
        s.apply(f"mission {mission}")
    assert [every[m] for m in s.record.mission[:3]] == ["af-as", "destroy-blue", "territories-24"]
    assert s.phase == "draft"
    assert s.mover == s.record.first


def test_only_the_holder_sees_a_mission():
    s = dealing(map="classic")
    code = s.parse("mission na-au")
    assert s.seen(code, 0) == code
    hidden = {s.seen(code, viewer) for viewer in (PUBLIC, 1, 2)}
    assert len(hidden) == 1 and hidden != {code}
    assert s.text(hidden.pop()) == "mission"
    play(s, "mission na-au, mission af-as, mission territories-24")
    for viewer in range(3):
        seen = s.view(viewer).record.mission[:3].tolist()
        assert [m != UNKNOWN for m in seen] == [p == viewer for p in range(3)]
    assert s.view(PUBLIC).record.mission[:3].tolist() == [UNKNOWN] * 3


def test_a_mission_that_the_deal_fulfils_wins_before_the_first_turn():
    easy = made(missions=[{"type": "territories", "count": 3}] * 6)
    s = dealing(map=easy)
    while s.mover == CHANCE:
        s.apply(s.outcomes[0][0])
    assert s.over
    assert s.record.winner == s.record.first


# --- territories ---


def test_twenty_four_territories_win():
    s = hunt("000111222", "114111111", "territories-4", FAR, "destroy-blue")
    play(s, "c>d*3, -1")
    assert s.mover == OVER
    assert s.returns == [1, 0, 0]


def test_eighteen_with_two_armies_on_each_need_the_armies():
    twos = made(missions=[{"type": "territories", "count": 4, "min_armies": 2}] * 6)
    s = board(
        "000111222", "114111111", map=twos,
        missions=("territories-4x2", "territories-4x2~2", "territories-4x2~3"),
    )  # fmt: skip
    play(s, "c>d*2, -1, x2, end, end, card a")
    assert s.mover == 1
    s = board(
        "000011222", "112211111", map=twos, phase="draft", fields={"free": 2},
        missions=("territories-4x2", "territories-4x2~2", "territories-4x2~3"),
    )  # fmt: skip
    play(s, "place a, x1")
    assert s.mover == 0
    play(s, "place b")
    assert s.over and s.returns == [1, 0, 0]


def test_armies_that_only_move_may_fulfil_it_too():
    twos = made(missions=[{"type": "territories", "count": 4, "min_armies": 2}] * 6)
    s = board(
        "000011222", "132211111", map=twos, phase="fortify",
        missions=("territories-4x2", "territories-4x2~2", "territories-4x2~3"),
    )  # fmt: skip
    play(s, "b=a, x1")
    assert s.over and s.returns == [1, 0, 0]


# --- continents ---


def holds(mission, *continents, missing=()):
    """Whether a player who comes to hold these continents has won with a mission."""
    order = ("NA", "SA", "EU", "AF", "AS", "AU")
    land = {c: 0 if c in continents else 1 + n % 2 for n, c in enumerate(order)}
    land |= dict.fromkeys(missing, 1)
    s = world(
        land, player=0, phase="fortify", missions=(mission, "destroy-blue", "territories-18x2")
    )
    return play(s, "end").over


@pytest.mark.parametrize(
    ("mission", "continents"),
    [
        ("sa-as", ("AS", "SA")),
        ("af-as", ("AS", "AF")),
        ("na-af", ("NA", "AF")),
        ("na-au", ("NA", "AU")),
        ("sa-eu-any1", ("EU", "SA", "AU")),
        ("sa-eu-any1", ("EU", "SA", "AF")),
        ("eu-au-any1", ("EU", "AU", "SA")),
    ],
)
def test_continents_win_if_they_are_held_as_a_whole(mission, continents):
    assert holds(mission, *continents)
    for left_out in continents:
        assert not holds(mission, *(c for c in continents if c != left_out))


def test_a_continent_but_for_one_territory_does_not_count():
    assert not holds("na-au", "NA", "AU", missing=("indonesia",))


def test_a_third_continent_of_choice_is_neither_of_the_two_named():
    assert not holds("sa-eu-any1", "EU", "SA")
    assert not holds("sa-eu-any1", "EU", "AF", "AU")


def test_more_than_is_asked_for_wins_as_well():
    assert holds("na-au", "NA", "AU", "SA")


# --- to destroy somebody ---


def test_whoever_destroys_his_target_wins_at_once():
    s = hunt("001222222", "141111111", "destroy-orange", FAR, "territories-8")
    play(s, "b>c*3, -1")
    assert s.over and s.returns == [1, 0, 0]


def test_another_mission_is_not_won_by_it():
    s = hunt("001222222", "151111111", "destroy-green", FAR, "territories-8")
    assert not play(s, "b>c*3, -1, x3").over


@pytest.mark.parametrize("target", ["own", "anyone"])
def test_whoever_is_the_target_himself_needs_24_territories(target):
    # Of nine territories 24 of 42 are six.
    s = hunt("000001222", "111141111", "destroy-blue", FAR, "territories-8", target=target)
    assert not s.over
    play(s, "e>f*3, -1")
    assert s.over and s.returns == [1, 0, 0]
    s = hunt("000011222", "111411111", "destroy-blue", FAR, "territories-8", target=target)
    assert not play(s, "d>e*3, -1").over


def test_a_target_that_fell_to_somebody_else_leaves_24_territories():
    # Blue destroys orange, whom green should have destroyed.
    s = hunt("001222220", "151111111", FAR, "territories-8", "destroy-orange")
    play(s, "b>c*3, -1, x3")
    assert not s.over
    play(s, "end, end, card a")
    assert s.mover == 2
    # Green has five, and takes a sixth.
    play(s, "place h, x6, h>i*3, -1, x6")
    assert s.over and s.returns == [0, 0, 1]


def test_a_third_players_act_may_fulfil_the_fallback():
    # Green holds six territories when blue destroys his target.
    s = hunt("001222222", "151111111", FAR, "territories-8", "destroy-orange")
    play(s, "b>c*3, -1, x3")
    assert s.over and s.returns == [0, 0, 1]


def test_while_the_target_lives_24_territories_do_not_win():
    missions = ("territories-8", FAR, "destroy-orange")
    s = hunt("222222010", "1" * 9, *missions, player=1, phase="fortify")
    assert not play(s, "end").over


def test_where_anyone_may_destroy_the_target_its_hunter_wins_by_a_third_partys_act():
    s = hunt("001222000", "141111111", FAR, "territories-8", "destroy-orange", target="anyone")
    play(s, "b>c*3, -1")
    assert s.over
    assert s.returns == [0, 0, 1]


def test_whoever_is_on_turn_wins_before_others():
    s = hunt("001222222", "141111111", "destroy-orange", FAR, "territories-6")
    assert play(s, "b>c*3, -1").returns == [1, 0, 0]
    s = hunt("001222222", "141111111", "destroy-orange", FAR, "destroy-green", target="anyone")
    assert play(s, "b>c*3, -1").returns == [1, 0, 0]


def test_of_others_the_next_in_turn_wins():
    # Green destroys purple: blue, who is next, and orange both wanted that.
    both = made(missions=[*SIX, *DESTROY, DESTROY[3]])
    s = board(
        "013222222", "111411111", players=4, player=2, map=both, target="anyone",
        missions=("destroy-purple", "destroy-purple~2", FAR, "territories-8"),
    )  # fmt: skip
    play(s, "d>c*2, -1, x3")
    assert s.over and s.returns == [1, 0, 0, 0]


def test_the_fallen_win_nothing():
    # Blue destroys purple, whom orange should have seen destroyed; but orange has fallen.
    missions = (FAR, "destroy-purple", "territories-8", "territories-7")
    s = hunt("003222222", "151111111", *missions, target="anyone")
    play(s, "b>c*3, -1, x3")
    assert owners(s) == "000222222"
    assert not s.over


def test_whoever_holds_the_whole_world_wins_whatever_the_mission():
    armed = made(missions=[*SIX, {"type": "territories", "count": 9, "min_armies": 2}])
    missions = ("territories-9x2", FAR, "territories-8")
    s = board("000000002", "111111141", players=3, map=armed, missions=missions)
    assert play(s, "h>i*3, -1").returns == [1, 0, 0]


# --- when missions count ---


def test_at_the_end_of_a_turn_where_that_is_the_rule():
    s = hunt("000111222", "115111111", "territories-4", FAR, "destroy-blue", reveal="turn-end")
    play(s, "c>d*3, -1, x3")
    assert not s.over
    play(s, "end, end")
    assert s.over and s.returns == [1, 0, 0]


def test_a_mission_that_was_lost_again_before_the_end_of_the_turn_does_not_count():
    # Orange holds four, but loses one in blue's turn.
    s = hunt("000111122", "115111111", FAR, "territories-4", "destroy-blue", reveal="turn-end")
    play(s, "c>d*3, -1, x3, end, end")
    assert s.phase == "card"


def test_others_may_win_at_the_end_of_a_turn():
    s = hunt(
        "001222222", "151111111", FAR, "territories-8", "destroy-orange",
        reveal="turn-end", target="anyone",
    )  # fmt: skip
    play(s, "b>c*3, -1, x3")
    assert not s.over
    play(s, "end, end")
    assert s.over and s.returns == [0, 0, 1]


def test_a_fulfilled_mission_comes_before_the_turn_limit():
    s = hunt(
        "000011222", "1" * 9, "territories-4", FAR, "destroy-blue",
        reveal="turn-end", phase="fortify", turns=10, fields={"turns": 9},
    )  # fmt: skip
    play(s, "end")
    assert s.returns == [1, 0, 0]


def test_nobody_wins_where_the_turn_limit_comes_first():
    s = hunt(
        "000111222", "1" * 9, "territories-4", FAR, "destroy-blue",
        phase="fortify", turns=10, fields={"turns": 9},
    )  # fmt: skip
    play(s, "end")
    assert s.returns == pytest.approx([1 / 3] * 3)
    assert s.record.winner == NOBODY


def test_in_the_end_all_missions_are_shown():
    s = hunt("000111222", "114111111", "territories-4", FAR, "destroy-blue")
    play(s, "c>d*3, -1")
    ids = mission_ids(s.record)
    shown = s.view(PUBLIC).record.mission[:3]
    assert [ids[m] for m in shown] == ["territories-4", FAR, "destroy-blue"]


# --- what everybody learns ---


def ruled_out(s, player):
    r = s.record
    return {one for m, one in enumerate(mission_ids(r)) if r.ruled_out[player] >> m & 1}


def test_missions_with_which_a_player_would_have_won_are_ruled_out_for_everybody():
    s = hunt("000111222", "115111111", FAR, "territories-8", "destroy-blue")
    assert ruled_out(s, 0) == set()
    play(s, "c>d*3, -1, x4")
    assert ruled_out(s, 0) == {"territories-4"}
    play(s, "d>e*3, -1")
    assert ruled_out(s, 0) == {"territories-4", "territories-5"}
    assert ruled_out(s.view(1), 0) == {"territories-4", "territories-5"}
    assert ruled_out(s.view(PUBLIC), 0) == {"territories-4", "territories-5"}


def test_it_is_remembered_when_the_territories_are_lost_again():
    s = hunt("000111222", "115111111", FAR, "territories-8", "destroy-blue")
    play(s, "c>d*3, -1, x3, end, end, card a, place e, x3")
    assert s.mover == 1
    play(s, "e>d*3, -2, e>d*1, -1")
    assert owners(s) == "000111222"
    assert "territories-4" in ruled_out(s, 0)
    assert "territories-4" not in ruled_out(s, 2)


def test_the_target_of_a_fallen_player_is_ruled_out_for_whoever_destroyed_him():
    s = hunt("001222000", "151111111", FAR, "territories-8", "destroy-blue")
    play(s, "b>c*3, -1, x3")
    assert "destroy-orange" in ruled_out(s, 0)
    assert "destroy-orange" not in ruled_out(s, 2)
    s = hunt("001222000", "151111111", FAR, "territories-8", "destroy-blue", target="anyone")
    play(s, "b>c*3, -1, x3")
    assert "destroy-orange" in ruled_out(s, 0) & ruled_out(s, 2)


def test_samples_never_break_what_is_ruled_out():
    s = play(hunt("000011122", "111111111", FAR, "destroy-blue", "territories-8"), "end")
    assert ruled_out(s, 0) == {"territories-4"}
    ids = mission_ids(s.record)
    view, rng = s.view(1), stream(5)
    found = [set(), set(), set()]
    for _ in range(400):
        one = view.sample(rng).record
        assert len({*one.mission[:3]}) == 3
        for p in range(3):
            found[p].add(ids[one.mission[p]])
    assert found[1] == {"destroy-blue"}
    others = set(ids) - {"destroy-blue"}
    assert found[0] == others - ruled_out(s, 0)
    assert found[2] == others - ruled_out(s, 2)


def test_samples_are_as_likely_as_the_missions_that_fit():
    # Blue cannot hold five of the seven that are left besides orange's, green any.
    s = hunt("000111222", "1" * 9, FAR, "destroy-blue", "territories-8")
    ids = mission_ids(s.record)
    gone = {"territories-4", "territories-5", "territories-6", "territories-7", "destroy-green"}
    s.record.ruled_out[0] = sum(1 << ids.index(m) for m in gone)
    view, rng = s.view(1), stream(7)
    count = dict.fromkeys(ids, 0)
    for _ in range(3000):
        count[ids[view.sample(rng).record.mission[0]]] += 1
    left = set(ids) - gone - {"destroy-blue"}
    assert len(left) == 3
    for m in ids:
        assert (count[m] / 3000 == pytest.approx(1 / 3, abs=0.04)) == (m in left)
