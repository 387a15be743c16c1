"""The rules of Catan by positions made by hand; each trap that others fell into has its test."""

import numpy as np
import pytest
from island import cards, hand, legal, play, position

from kostka.core.errors import IllegalAction, KostkaError
from kostka.core.game import game
from kostka.core.rng import stream
from kostka.core.state import PUBLIC
from kostka.games.catan.board import BESIDE, HARBOURS, RESOURCES, SPIRAL, TERRAIN, TOKENS

EVERYTHING = "3 wood + 3 brick + 3 wool + 3 grain + 3 ore"


def begins(state, word: str) -> set[str]:
    return {text for text in legal(state) if text.startswith(word)}


def points(state) -> list[float]:
    return state.scores


# --- the island ---


def test_a_variable_island_has_the_tiles_tokens_and_harbours_of_the_box():
    for seed in range(20):
        s = game("catan").new(seed, map="variable").record
        assert sorted(s.terrain) == sorted(TERRAIN)
        assert sorted(s.number)[1:] == sorted(TOKENS)
        assert s.number[s.robber] == 0
        kinds = [s.harbour[a] for a, b in HARBOURS if s.harbour[a] == s.harbour[b]]
        assert sorted(kinds) == [0, 1, 2, 3, 4, 5, 5, 5, 5]
        assert (s.harbour >= 0).sum() == 18


def test_tokens_follow_the_spiral_from_a_corner_and_skip_the_desert():
    corners = set()
    for seed in range(30):
        s = game("catan").new(seed, map="variable").record
        for corner in range(6):
            way = [SPIRAL[(i + 2 * corner) % 12] for i in range(12)]
            way += [SPIRAL[12 + (i + corner) % 6] for i in range(6)] + [SPIRAL[18]]
            if [s.number[h] for h in way if s.number[h]] == TOKENS.tolist():
                corners.add(corner)
    assert corners == set(range(6))


@pytest.mark.parametrize("island", ["variable", "beginner"])
def test_random_tokens_keep_6_and_8_apart(island):
    seen = set()
    for seed in range(30):
        s = game("catan").new(seed, map=island, tokens="random").record
        red = [h for h in range(19) if s.number[h] in (6, 8)]
        assert not any(other in red for h in red for other in BESIDE[h])
        assert sorted(s.number)[1:] == sorted(TOKENS)
        seen.add(tuple(s.number))
    assert len(seen) > 25


def test_the_beginners_island_is_that_of_the_rule_book():
    s = game("catan").new(1).record
    names = (*RESOURCES, "desert")
    told = " ".join(f"{names[t]}{n or ''}" for t, n in zip(s.terrain, s.number, strict=True))
    assert told == (
        "ore10 wool2 wood9 grain12 brick6 wool4 brick10 grain9 wood11 desert wood3 ore8 "
        "wood8 ore3 grain4 wool5 brick5 grain6 wool11"
    )
    harbours = [(*RESOURCES, "3:1")[s.harbour[a]] for a, _ in HARBOURS]
    assert harbours == ["3:1", "grain", "ore", "3:1", "wool", "3:1", "3:1", "brick", "wood"]


def test_the_beginners_pieces_bring_the_cards_of_the_starred_settlements():
    state = game("catan").new(1, start="fixed")
    expected = ["wood + brick + ore", "2 grain + ore", "wood + wool + ore", "2 wood + grain"]
    assert [hand(state, p) for p in range(4)] == expected
    assert state.phase == "before the roll"
    assert points(state) == [2, 2, 2, 2]
    assert all(state.record.length == 1)


def test_with_three_players_red_stays_out():
    three = game("catan").new(1, start="fixed", players=3).record
    four = game("catan").new(1, start="fixed").record
    assert (three.settlements[:3] == four.settlements[:3]).all()
    assert three.settlements[3] == 0


# --- founding ---


def test_settlements_are_founded_forth_and_back_and_the_second_brings_cards():
    state = game("catan").new(1, players=3)
    order = []
    for v, w in ((8, 4), (24, 19), (35, 40), (22, 16), (31, 25), (44, 48)):
        order.append(state.mover)
        play(state, f"settle {v}")
        assert state.mover == order[-1]
        assert begins(state, "road") == legal(state)
        play(state, f"road {min(v, w)}-{max(v, w)}")
    assert order == [0, 1, 2, 2, 1, 0]
    assert (state.mover, state.phase) == (0, "before the roll")
    # corners 22 (grain 12, grain 9, wood 11), 31 (wood 3, ore 8, wool 5), 44 (ore 3, grain, brick)
    assert [hand(state, p) for p in range(3)] == [
        "brick + grain + ore",
        "wood + wool + ore",
        "wood + 2 grain",
    ]


def test_no_settlement_stands_next_to_another():
    state = play(game("catan").new(1), "settle 18", "road 18-24")
    assert not {"settle 18", "settle 13", "settle 23", "settle 24"} & legal(state)
    assert state.why_not("settle 13") == "there is a settlement next to it"


def test_a_founding_road_begins_at_the_new_settlement():
    state = play(game("catan").new(1), "settle 18")
    assert legal(state) == {"road 13-18", "road 18-23", "road 18-24"}


# --- production ---


def test_a_settlement_brings_one_card_and_a_city_two():
    state = position("dice", settlements={0: [8]}, cities={1: [18]})  # both at brick 6
    play(state, "6")
    assert [hand(state, p) for p in range(2)] == ["brick", "2 brick"]


def test_the_robbers_hex_brings_nothing():
    state = position("dice", settlements={0: [8]}, robber_at="E")
    assert hand(play(state, "6"), 0) == ""


def starved(claims: dict, left: int):
    """The bank has few ore cards left; player 3 holds the others. Hex L brings ore on an 8."""
    state = position("dice", cities=claims, hands={3: f"{19 - left} ore"})
    return play(state, "8")


def test_if_the_bank_cannot_pay_everybody_nobody_is_paid():
    state = starved({0: [20], 1: [32]}, left=3)
    assert [hand(state, p) for p in range(2)] == ["", ""]
    assert state.record.bank[4] == 3


def test_a_single_claimant_takes_what_is_left():
    state = starved({0: [20]}, left=1)
    assert hand(state, 0) == "ore"
    assert state.record.bank[4] == 0


def test_shortage_of_one_resource_does_not_touch_another():
    # An 8 brings ore at L and wood at M.
    state = position("dice", cities={0: [20, 28], 1: [32]}, hands={3: "16 ore"})
    assert hand(play(state, "8"), 0) == "2 wood"


def test_with_an_unlimited_bank_there_is_no_shortage():
    state = position("dice", cities={0: [20], 1: [32]}, hands={3: "19 ore"}, bank="unlimited")
    assert [hand(play(state, "8"), 0), hand(state, 1)] == ["2 ore", "2 ore"]


# --- seven ---


def test_on_a_seven_more_than_seven_cards_are_halved_and_rounded_down():
    hands = {0: "7 ore", 1: "9 wool", 2: "8 wood"}
    state = play(position("dice", hands=hands), "7")
    assert (state.phase, state.mover, int(state.record.owed[1])) == ("discard", 1, 4)
    play(state, *["discard wool"] * 4)
    assert (state.mover, int(state.record.owed[2])) == (2, 4)
    play(state, *["discard wood"] * 4)
    assert (state.phase, state.mover) == ("robber", 0)
    assert [hand(state, p) for p in range(3)] == ["7 ore", "5 wool", "4 wood"]


def test_discards_begin_with_the_roller():
    state = play(position("dice", hands={0: "8 ore", 1: "8 wool"}), "7")
    assert state.mover == 0


def test_the_robber_moves_to_another_hex_and_steals_from_who_is_there():
    state = position("dice", settlements={1: [8], 2: [18]}, hands={1: "wool", 2: "ore"})
    play(state, "7")
    assert "robber J" not in legal(state)
    assert state.why_not("robber J") == "the robber must move to another hex"
    play(state, "robber E")
    assert legal(state) == {"rob orange", "rob green"}
    play(state, "rob green", "ore")
    assert (hand(state, 0), hand(state, 2), state.phase) == ("ore", "", "trade and build")


def test_the_robber_may_go_back_to_the_desert():
    state = play(position("dice", robber_at="A"), "7", "robber J")
    assert state.phase == "trade and build"


def test_players_without_cards_are_not_robbed():
    state = position("dice", settlements={1: [8], 2: [18]}, hands={2: "ore"})
    assert play(state, "7", "robber E").phase == "steal"
    assert state.outcomes == [(RESOURCES.index("ore"), 1.0)]


def test_a_theft_is_as_likely_as_there_are_cards():
    state = position("dice", settlements={1: [8]}, hands={1: "3 wool + ore"})
    assert play(state, "7", "robber E").outcomes == [(2, 0.75), (4, 0.25)]


def test_a_knight_makes_nobody_discard():
    state = position("before the roll", hands={1: "9 ore"}, devs={0: ["knight"]})
    assert play(state, "knight").phase == "robber"
    assert play(state, "robber A").phase == "before the roll"
    assert hand(state, 1) == "9 ore"


def test_a_friendly_robber_spares_who_has_few_points():
    state = position("dice", settlements={1: [8], 2: [20]}, cities={2: [44]}, robber="friendly")
    play(state, "7")
    assert "robber L" in legal(state)
    assert not {"robber A", "robber B", "robber E"} & legal(state)
    assert "spares Orange" in state.why_not("robber E")


# --- building ---


def test_a_road_does_not_go_past_a_building_of_somebody_else():
    state = position(roads={0: ["18-24"]}, settlements={1: [24]}, hands={0: EVERYTHING})
    assert "road 13-18" in legal(state)
    assert "road 24-30" not in legal(state)
    assert state.why_not("road 24-30") == "your road is cut off here by Orange"


def test_a_settlement_needs_an_own_road():
    state = position(roads={0: ["18-24"], 1: ["40-44"]}, hands={0: EVERYTHING})
    assert begins(state, "settle") == {"settle 18", "settle 24"}
    assert state.why_not("settle 44") == "none of your roads leads here"


def test_a_city_takes_the_place_of_a_settlement_which_comes_back():
    state = position(settlements={0: [18]}, hands={0: "2 grain + 3 ore"})
    play(state, "city 18")
    assert (state.record.settlements_left[0], state.record.cities_left[0]) == (5, 3)
    assert points(state)[0] == 2
    assert hand(state, 0) == ""


def test_pieces_run_out():
    five = [0, 1, 2, 11, 12]
    state = position(settlements={0: five}, roads={0: ["40-44"]}, hands={0: EVERYTHING})
    assert begins(state, "settle") == set()
    assert "all your 5 settlements" in state.why_not("settle 44")


def test_nothing_is_built_before_the_roll():
    state = position("before the roll", roads={0: ["18-24"]}, hands={0: EVERYTHING})
    assert legal(state) == {"roll"}
    assert state.why_not("settle 18") == "roll the dice first"


# --- development cards ---


def test_one_card_a_turn_and_none_bought_in_it():
    state = position(hands={0: EVERYTHING}, devs={0: ["monopoly"]})
    play(state, "buy", "knight")
    assert "knight" not in legal(state)
    assert state.why_not("knight") == "this card was bought this turn"
    play(state, "monopoly ore", "x0", "x0", "x0")
    assert "already" in state.why_not("monopoly wool") or "no monopoly" in state.why_not(
        "monopoly wool"
    )


def test_a_second_card_waits_for_the_next_turn():
    state = position(devs={0: ["knight", "monopoly"]})
    play(state, "monopoly ore", "x0", "x0", "x0")
    assert state.why_not("knight") == "you have played a development card this turn already"


def test_a_card_may_be_played_before_the_roll():
    state = position("before the roll", devs={0: ["monopoly"]}, hands={2: "2 ore"})
    play(state, "monopoly ore", "x0", "x2", "x0")
    assert (state.phase, hand(state, 0)) == ("before the roll", "2 ore")


def test_a_monopoly_takes_all_cards_of_a_resource_by_events_of_its_own():
    state = position(devs={0: ["monopoly"]}, hands={1: "2 ore + wool", 3: "ore"})
    play(state, "monopoly ore")
    assert state.outcomes == [(2, 1.0)]
    play(state, "x2", "x0", "x1")
    assert [hand(state, p) for p in range(4)] == ["3 ore", "wool", "", ""]


def test_year_of_plenty_takes_two_cards_or_what_the_bank_has():
    state = position(devs={0: ["year of plenty"]})
    assert hand(play(state, "plenty", "take ore", "take wood"), 0) == "wood + ore"
    all_but_one = {1: "19 wood + 19 brick", 2: "19 wool + 19 grain", 3: "18 ore"}
    state = position(devs={0: ["year of plenty"]}, hands=all_but_one)
    play(state, "plenty")
    assert legal(state) == {"take ore"}
    assert play(state, "take ore").phase == "trade and build"


def test_road_building_lays_two_free_roads_one_after_the_other():
    state = position(roads={0: ["18-24"]}, devs={0: ["road building"]})
    play(state, "roads", "road 24-30", "road 30-35")
    assert (state.phase, int(state.record.roads_left[0])) == ("trade and build", 12)


def test_road_building_ends_when_no_road_is_left():
    fourteen = [
        "0-3", "3-7", "7-12", "12-17", "17-22", "22-28", "28-33", "33-38", "38-43", "43-47",
        "47-51", "48-51", "48-52", "49-52",
    ]  # fmt: skip
    state = position(roads={0: fourteen}, devs={0: ["road building"]})
    play(state, "roads", "road 49-53")
    assert state.phase == "trade and build"
    assert "road building" not in str(legal(state))


def test_the_largest_army_has_three_knights_and_goes_over_only_to_more():
    state = position("before the roll", knights={0: 2}, devs={0: ["knight"]})
    assert play(state, "knight").record.army_holder == 0
    state = position("before the roll", knights={0: 2, 1: 3}, devs={0: ["knight"] * 2})
    assert play(state, "knight").record.army_holder == 1
    state = position("before the roll", knights={0: 3, 1: 3}, devs={0: ["knight"]})
    assert play(state, "knight").record.army_holder == 0


# --- trade ---


def test_the_bank_takes_four_a_harbour_three_and_its_own_kind_two():
    state = position(hands={0: "4 wood"})
    assert "exchange wood ore" in legal(state)
    assert hand(play(state, "exchange wood ore"), 0) == "ore"
    general = position(settlements={0: [3]}, hands={0: "3 wood"})
    assert hand(play(general, "exchange wood ore"), 0) == "ore"
    grain = position(settlements={0: [1]}, hands={0: "2 grain + 3 wood"})
    assert begins(grain, "exchange") == {f"exchange grain {r}" for r in RESOURCES if r != "grain"}
    assert "takes 4 wood" in grain.why_not("exchange wood ore")


def test_the_bank_gives_only_what_it_has():
    state = position(hands={0: "4 wood", 1: "19 ore"})
    assert "exchange wood ore" not in legal(state)
    assert state.why_not("exchange wood ore") == "the bank has no ore left"


def test_an_offer_is_of_cards_that_are_held_and_never_for_their_like():
    state = position(hands={0: "wood + wool", 1: "ore"})
    assert begins(state, "give") == {"give wood", "give wool"}
    play(state, "give wood")
    assert {"give wood", "want wood"} & legal(state) == set()
    play(state, "want ore")
    assert {"give ore", "offer", "cancel"} & legal(state) == {"offer", "cancel"}


def test_the_others_are_asked_in_turn_and_the_offerer_never():
    state = position(hands={0: "2 wood", 1: "ore", 2: "ore", 3: "ore"})
    play(state, "give wood", "want ore", "offer")
    asked = []
    while state.phase == "answer":
        asked.append(state.mover)
        play(state, "refuse")
    assert asked == [1, 2, 3]
    assert (state.mover, state.phase) == (0, "trade and build")


def test_who_cannot_accept_is_asked_like_everybody_with_as_many_cards():
    state = position(hands={0: "wood", 1: "wool", 3: "ore"})
    play(state, "give wood", "want ore", "offer")
    assert state.mover == 1
    assert legal(state) == {"refuse"}
    assert state.why_not("accept") == "you do not hold ore"
    play(state, "refuse")
    assert state.mover == 3  # player 2 has no card at all, which everybody sees


def test_the_first_who_accepts_trades():
    state = position(hands={0: "2 wood + wool", 1: "ore", 2: "2 ore"})
    play(state, "give wool", "give wood", "want ore", "want ore", "offer")
    assert state.mover == 2  # player 1 has one card only
    play(state, "accept")
    assert [hand(state, p) for p in range(3)] == ["wood + 2 ore", "ore", "wood + wool"]


def test_the_thesis_allows_one_or_two_cards_for_one():
    state = position(hands={0: "3 wood + wool", 1: "3 ore"}, form="thesis")
    play(state, "give wood", "give wool")
    assert begins(state, "give") == set()
    play(state, "want ore")
    assert begins(state, "want") == set()
    assert state.why_not("want ore") == "only one card can be wanted"


def test_offers_that_were_begun_count():
    state = position(hands={0: "2 wood", 1: "ore"}, offers=2)
    play(state, "give wood", "cancel", "give wood", "cancel")
    assert begins(state, "give") == set()
    assert state.why_not("give wood") == "you may make 2 offers a turn"


def test_without_offers_players_do_not_trade():
    state = position(hands={0: "2 wood", 1: "ore"}, offers=0)
    assert "players do not trade" in state.why_not("give wood")


# --- winning ---


def test_ten_points_win_at_once():
    state = position(
        settlements={0: [18, 40]}, cities={0: [0, 1, 2]}, devs={0: ["victory point"]},
        hands={0: "2 grain + 3 ore"},
    )  # fmt: skip
    assert points(state)[0] == 9
    assert play(state, "city 18").over
    assert state.returns == [1, 0, 0, 0]


def test_a_victory_point_wins_in_the_turn_it_is_bought():
    state = position(
        settlements={0: [18]}, cities={0: [0, 1, 2, 11]}, hands={0: "wool + grain + ore"}
    )
    assert play(state, "buy", "point").over


def test_the_first_free_road_may_win():
    four = ["18-24", "24-30", "30-35", "35-40"]
    state = position(cities={0: [0, 1, 2, 11]}, roads={0: four}, devs={0: ["road building"]})
    assert play(state, "roads").phase == "free roads"
    assert play(state, "road 40-44").over


def test_ten_points_in_somebody_elses_turn_win_only_in_the_own_one():
    # Player 0 cuts player 2's road of six, so that player 1 gets the card and has ten points.
    roads = {
        0: ["36-41", "30-36"],
        1: ["0-3", "3-7", "7-12", "12-17", "17-22"],
        2: ["18-24", "24-30", "30-35", "35-40", "40-44", "39-44"],
    }
    state = position(
        roads=roads, cities={1: [1, 2, 15, 26]}, hands={0: "wood + brick + wool + grain"}
    )
    play(state, "settle 30")
    assert points(state)[1] == 10
    assert not state.over
    assert play(state, "end").over
    assert state.returns == [0, 1, 0, 0]


def test_after_the_last_turn_everybody_gets_an_equal_share():
    state = position(turns=10)
    state.record.turn = 9
    assert play(state, "end").over
    assert state.returns == [0.25] * 4


# --- what is hidden ---


def test_no_order_of_cards_lies_in_the_position():
    state = play(position(hands={0: "wool + grain + ore"}), "buy")
    assert state.outcomes == [(k, n / 25) for k, n in enumerate((14, 2, 2, 2, 5))]


def test_others_see_neither_the_stolen_nor_the_bought_card():
    state = position("dice", settlements={1: [8]}, hands={1: "3 wool + ore"})
    play(state, "7", "robber E")
    assert [state.view(p).text(state.seen(4, p)) for p in (0, 1, 2, PUBLIC)] == [
        "ore", "ore", "card", "card",
    ]  # fmt: skip
    play(state, "ore")
    assert hand(state.view(0), 0) == "ore"
    assert hand(state.view(2), 1) == "3 wool + ore"  # as if it had not been stolen
    assert state.view(2) == play_instead(state)


def play_instead(state):
    """The view of who was not there, had it been wool."""
    other = position("dice", settlements={1: [8]}, hands={1: "3 wool + ore"})
    return play(other, "7", "robber E", "wool").view(2)


def samples(state, viewer: int, n: int = 300) -> list:
    view, rng = state.view(viewer), stream(1, viewer)
    return [view.sample(rng) for _ in range(n)]


def test_an_offer_shows_that_the_cards_are_held():
    state = position("dice", settlements={1: [8]}, hands={0: "wool", 1: "wool + ore"})
    play(state, "7", "robber E", "ore")
    assert {hand(one, 0) for one in samples(state, 2)} == {"2 wool", "wool + ore"}
    play(state, "give ore")
    assert {hand(one, 0) for one in samples(state, 2)} == {"wool + ore"}
    play(state, "cancel")
    assert {hand(one, 0) for one in samples(state, 2)} == {"wool + ore"}


def test_a_monopoly_shows_that_none_is_left():
    state = position("dice", settlements={1: [8]}, hands={1: "wool + ore"}, devs={0: ["monopoly"]})
    play(state, "7", "robber E", "ore", "monopoly wool", "x1", "x0", "x0")
    assert {hand(one, 1) for one in samples(state, 2)} == {""}


def test_an_own_theft_is_evidence_about_the_hand_it_came_from():
    # Player 1 stole one of two cards from player 2; then player 0 steals ore from player 1, who had
    # three wool: had he stolen wool, there would have been no ore.
    state = position("dice", settlements={1: [8], 2: [31]}, hands={1: "3 wool", 2: "wool + ore"})
    play(state, "3", "end", "roll", "7", "robber K", "ore", "end", "roll", "3")
    play(state, "end", "roll", "3", "end", "roll", "7", "robber E", "ore")
    assert {hand(one, 2) for one in samples(state, 0)} == {"wood + wool"}


def test_who_went_on_playing_does_not_hold_the_points_to_win():
    cities = {1: [0, 1, 2, 11]}
    state = position(cities=cities, settlements={1: [18]}, devs={1: ["knight", "monopoly"]})
    state.record.few[1, 0] = 2  # player 1 has ended a turn with nine points
    assert all(one.record.dev[1, 4] == 0 for one in samples(state, 0))
    free = position(cities={1: [0]}, devs={1: ["knight", "monopoly"]})
    assert any(one.record.dev[1, 4] > 0 for one in samples(free, 0))


def test_ending_a_turn_without_winning_tells_what_one_cannot_hold():
    state = position(
        cities={0: [0, 1, 2, 11]}, settlements={0: [18]}, devs={0: ["knight", "monopoly"]}
    )
    play(state, "end")
    assert all(one.record.dev[0, 4] == 0 for one in samples(state, 1))


# --- options ---


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"map": "variable", "start": "fixed"}, "take map=beginner"),
        ({"players": 5}, "players must be a whole number from 2 to 4"),
        ({"points": 2}, "points must be"),
        ({"bank": "18"}, "bank must be one of 19, unlimited"),
        ({"form": "gifts"}, "form must be one of free, thesis"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_bad_options_are_refused_in_one_sentence(options, told):
    with pytest.raises(KostkaError, match=told):
        game("catan").new(1, **options)


def test_an_illegal_action_changes_nothing():
    state = position(hands={0: "wood"})
    before = state.code
    with pytest.raises(IllegalAction, match="costs"):
        state.apply("buy")
    assert state.code == before


# --- what never changes ---


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_card_and_piece_is_somewhere(players):
    lot = np.random.default_rng(players)
    state = game("catan").new(players, players=players, map="variable", turns=120)
    luck = stream(players)
    while not state.over:
        if state.mover < 0:
            state.apply(state.draw(luck))
        else:
            state.apply(int(lot.choice(state.legal_actions)))
        s = state.record
        assert (s.bank + s.hand.sum(axis=0) == 19).all()
        assert (s.hand >= 0).all() and (s.hand.sum(axis=1) == s.cards).all()
        assert (s.deck + s.dev.sum(axis=0) + s.gone == (14, 2, 2, 2, 5)).all()
        for p in range(players):
            settled, cities = int(s.settlements[p]).bit_count(), int(s.cities[p]).bit_count()
            assert settled + s.settlements_left[p] == 5
            assert cities + s.cities_left[p] == 4
            assert (s.road == p + 1).sum() + s.roads_left[p] == 15


def test_cards_in_words_are_read_back():
    assert cards("2 wool + ore") == {2: 2, 4: 1}
