"""The rules of Scotland Yard, written from the rule text alone; stations as on the board."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from kostka.core.errors import IllegalAction, KostkaError
from kostka.core.rng import below, stream
from kostka.core.state import CHANCE
from kostka.games.scotlandyard import game, grid

CARDS = {13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 132, 138, 141, 155, 174, 197, 198}
LATER_DETECTIVES = {13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 123, 138, 141, 155, 174}
LATER_MR_X = {35, 45, 51, 71, 78, 104, 106, 127, 132, 146, 166, 170, 172}

#: Tickets that last as long as a test.
PLENTY = (30, 30, 30, 0)


def place(mr_x, *pieces, where=game, moves=0, possible=(), hand=None, hands=None, **options):
    """A position by hand, Mr X to move after ``moves`` single moves of his.

    ``pieces`` are the detectives (and bobbies), ``hand`` his tickets, ``hands`` theirs.
    """
    options.setdefault("players", 1 + len(pieces))
    s = where.new(seed=1, **options)
    s.apply(s.outcomes[0][0])
    r = s.record
    assert r.pieces == 1 + len(pieces)
    r.station[: r.pieces] = mr_x, *pieces
    r.moves += moves
    r.turn += moves
    r.log[:moves], r.seen[:moves] = 0, -1
    r.possible[:] = 0
    r.possible[[mr_x, *possible]] = 1
    if hand is not None:
        r.tickets[0] = hand
    for piece in range(1, s.players):
        if hands is not None:
            r.tickets[piece] = hands
    return s


def play(s, *moves):
    for move in moves:
        s.apply(move)
    return s


def legal(s):
    return {s.text(a) for a in s.legal_actions}


def moves(kind, *stations):
    return {f"{kind} {i}" for i in stations}


def believed(s):
    return set(np.flatnonzero(s.record.possible == 1).tolist())


def shown(s):
    """Mr X's station as the others see it; -1 while he hides."""
    found = {int(s.view(seat).record.station[0]) for seat in (*range(1, s.players), -3)}
    assert len(found) == 1
    return found.pop()


def winner(s):
    assert s.over
    assert s.returns == [1.0 - s.record.won] + [float(s.record.won)] * (s.players - 1)
    return ("mr x", "detectives")[s.record.won]


# --- moves and tickets ---


def test_a_ticket_takes_a_detective_to_the_next_stop_of_its_kind():
    s = play(place(199, 46), "taxi 198")
    assert legal(s) == (
        moves("taxi", 33, 45, 47, 61)
        | moves("bus", 1, 34, 58, 78)
        | moves("underground", 1, 13, 74, 79)
    )
    play(s, "underground 74")
    assert s.record.station[1] == 74


def test_mr_x_can_also_go_anywhere_with_a_black_ticket_once_per_station():
    assert legal(place(1, 199)) == (
        moves("taxi", 8, 9)
        | moves("bus", 46, 58)
        | moves("underground", 46)
        | moves("black", 8, 9, 46, 58)
        | {"double"}
    )


def test_only_a_black_ticket_gets_mr_x_onto_the_ferry():
    taxi = moves("taxi", 102, 114, 126, 127)
    black = moves("black", 102, 114, 126, 127, 108, 157)
    assert legal(place(115, 199)) == taxi | black | {"double"}
    assert legal(place(115, 199, hand=(4, 3, 3, 0))) == taxi | {"double"}
    s = play(place(194, 199, hand=(0, 0, 0, 1)), "black 157")
    assert (s.record.station[0], s.record.tickets[0, 3]) == (157, 0)


def test_detectives_never_take_the_ferry():
    s = play(place(1, 115, 108, 157), "taxi 8")
    assert legal(s) == moves("taxi", 102, 114, 126, 127)
    play(s, "taxi 102")
    assert legal(s) == moves("taxi", 105, 117, 119) | moves("bus", 105, 116, 135)
    play(s, "taxi 105")
    assert legal(s) == moves("taxi", 156, 158, 170) | moves("bus", 133, 142, 156, 185)


def test_who_has_no_ticket_of_a_kind_does_not_ride_it():
    s = play(place(199, 46, hands=(0, 8, 0, 0)), "taxi 198")
    assert legal(s) == moves("bus", 1, 34, 58, 78)
    assert legal(place(1, 199, hand=(0, 0, 1, 0), doubles=0)) == {"underground 46"}


def test_the_classic_tickets_are_10_8_4_and_for_mr_x_4_3_3_and_a_black_one_a_detective():
    for detectives in range(1, 6):
        r = game.new(seed=1, players=1 + detectives).record
        assert r.tickets[0].tolist() == [4, 3, 3, detectives]
        assert r.tickets[1 : 1 + detectives].tolist() == [[10, 8, 4, 0]] * detectives
        assert r.doubles == 2
    assert game.new(seed=1, black=3, doubles=1).record.tickets[0, 3] == 3
    assert game.new(seed=1, black=3, doubles=1).record.doubles == 1


def test_a_used_ticket_of_a_detective_goes_to_mr_x_and_his_own_are_gone():
    s = play(place(199, 46, 67), "taxi 198")
    assert s.record.tickets[0].tolist() == [3, 3, 3, 2]
    play(s, "bus 34")
    assert s.record.tickets[:2].tolist() == [[3, 4, 3, 2], [10, 7, 4, 0]]
    play(s, "underground 111")
    assert s.record.tickets[:3].tolist() == [[3, 4, 4, 2], [10, 7, 4, 0], [10, 8, 3, 0]]
    play(s, "black 187")
    assert s.record.tickets[0].tolist() == [3, 4, 4, 1]


@pytest.mark.parametrize(("tickets", "rides"), [("classic", 3), ("unlimited", 9)])
def test_mr_x_runs_out_of_underground_tickets_unless_they_are_unlimited(tickets, rides):
    s = place(1, 199, hands=PLENTY, tickets=tickets, black=0)
    for ride in range(rides):
        play(s, f"underground {(46, 1)[ride % 2]}", f"taxi {(198, 199)[ride % 2]}")
    assert ("underground 1" in legal(s)) == (tickets == "unlimited")


def test_unlimited_tickets_are_not_handed_over_and_black_ones_still_count():
    s = place(199, 46, tickets="unlimited", black=2)
    before = s.record.tickets[0].tolist()
    play(s, "taxi 198", "bus 34")
    assert s.record.tickets[0].tolist() == before
    play(s, "black 187", "bus 46", "black 188", "bus 34")
    assert s.record.tickets[0, 3] == 0
    assert not any(move.startswith("black") for move in legal(s))


def test_nobody_but_a_detective_after_mr_x_may_step_onto_a_taken_station():
    assert legal(place(2, 10)) == {"taxi 20", "black 20", "double"}
    s = play(place(199, 2, 10), "taxi 198")
    assert legal(s) == {"taxi 20"}


def test_a_detective_who_moves_onto_mr_x_catches_him():
    s = play(place(2, 46, 9), "taxi 20", "bus 34")
    assert not s.over
    play(s, "taxi 20")
    assert winner(s) == "detectives"
    assert s.scores == [1, 23, 23]


def test_every_detective_moves_once_a_round_in_the_order_of_the_seats():
    s = play(place(1, 46, 67, 199), "taxi 8")
    order = []
    for move in ("bus 34", "bus 82", "taxi 198"):
        order.append((s.mover, int(s.record.piece)))
        play(s, move)
    assert order == [(1, 1), (2, 2), (3, 3)]
    assert s.mover == 0


@pytest.mark.parametrize("move", ["taxi 46", "bus 8", "taxi 199", "pass", "underground 13"])
def test_an_illegal_move_is_refused_with_a_reason_and_changes_nothing(move):
    s = place(1, 199)
    before = s.hash
    with pytest.raises(IllegalAction) as refusal:
        s.apply(move)
    assert len(str(refusal.value)) > 10
    assert s.hash == before


@pytest.mark.parametrize("move", ["taxi 198", "bus 128", "taxi 46", "double", "pass"])
def test_a_detective_who_asks_while_mr_x_hides_is_told_no_more_than_that(move):
    assert "Mr X is to move" in place(1, 199).view(1).why_not(move)


# --- double moves ---


def test_a_double_move_is_two_moves_two_tickets_two_slots_and_the_card():
    s = play(place(1, 199), "double")
    assert (s.mover, s.record.half, s.record.doubles, s.record.moves) == (0, 1, 1, 0)
    assert "double" not in legal(s)
    play(s, "taxi 8")
    assert (s.mover, s.record.half, s.record.moves) == (0, 2, 1)
    assert legal(s) == moves("taxi", 1, 18, 19) | moves("black", 1, 18, 19)
    play(s, "black 18")
    assert (s.mover, s.record.half, s.record.moves) == (1, 0, 2)
    assert s.record.tickets[0].tolist() == [3, 3, 3, 0]
    assert s.record.log[:2].tolist() == [0, 3]
    play(s, "taxi 198")
    assert s.mover == 0


def test_a_reveal_in_the_first_half_is_honoured_and_the_second_half_is_hidden():
    s = play(place(1, 199, moves=2), "double", "taxi 8")
    assert (s.mover, shown(s), believed(s)) == (0, 8, {8})
    play(s, "taxi 18")
    assert (s.mover, shown(s), believed(s)) == (1, -1, {1, 18, 19})
    assert s.record.seen[:4].tolist() == [-1, -1, 8, -1]


def test_a_reveal_in_the_second_half_is_honoured():
    s = play(place(1, 199, moves=1), "double", "taxi 8")
    assert (shown(s), believed(s)) == (-1, {8, 9})
    play(s, "taxi 18")
    assert (shown(s), believed(s)) == (18, {18})
    assert s.record.seen[:3].tolist() == [-1, -1, 18]


def test_a_double_move_needs_two_free_slots_and_a_card():
    assert "double" in legal(place(1, 199, moves=22))
    assert "double" not in legal(place(1, 199, moves=23))
    assert "double" not in legal(place(1, 199, doubles=0))


def test_who_cannot_make_the_second_move_passes_and_so_ends_his_turn():
    s = play(place(20, 199, hand=(1, 3, 0, 0)), "double", "taxi 9")
    assert (s.mover, s.record.half, legal(s)) == (0, 2, {"pass"})
    play(s, "pass")
    assert (s.mover, s.record.half, s.record.moves, s.record.doubles) == (1, 0, 1, 1)
    free, stuck = play(s.copy(), "taxi 198"), play(s.copy(), "bus 128")
    assert legal(free) >= moves("taxi", 1, 19, 20)  # with the detective's ticket
    assert winner(stuck) == "detectives"


def test_everybody_learns_from_whether_there_was_a_second_move():
    hand = (1, 3, 0, 0)
    ended = play(place(20, 199, possible=[22], hand=hand), "double", "taxi 9")
    went_on = play(place(22, 199, possible=[20], hand=hand), "double", "taxi 23")
    assert believed(ended) == believed(went_on) == {2, 9, 33, 11, 23, 34, 35}
    assert believed(play(ended, "pass")) == {2, 9, 33, 11, 35}
    from_23, from_34 = {3, 13, 22, 67}, {22, 46, 63}
    assert believed(play(went_on, "bus 13")) == from_23 | from_34


# --- the log, the reveals, the end ---


def to_and_fro(s, turns, doubles=()):
    """Mr X between 18 and 43, the detective between 198 and 199; yields after every half round."""
    for turn in range(turns):
        for _ in range(2 if turn in doubles else 1):
            if turn in doubles and s.record.half == 0:
                play(s, "double")
            play(s, "taxi 43" if s.record.station[0] == 18 else "taxi 18")
            yield "mr x"
        play(s, "taxi 198" if s.record.station[1] == 199 else "taxi 199")
        yield "detectives"


def test_mr_x_shows_himself_after_moves_3_8_13_18_and_24_and_wins_after_the_reply():
    s = place(18, 199, hand=PLENTY, hands=PLENTY)
    slots = []
    for who in to_and_fro(s, 24):
        at = int(s.record.station[0])
        assert s.over == (who == "detectives" and s.record.moves == 24)
        if s.over:
            break
        if shown(s) >= 0:
            assert (shown(s), believed(s)) == (at, {at})
            assert s.record.seen[s.record.moves - 1] == at
            slots.append((int(s.record.moves), who))
        else:
            assert at in believed(s) and len(believed(s)) > 1
            assert s.record.seen[s.record.moves - 1] == -1
    both = [(n, who) for n in (3, 8, 13, 18) for who in ("mr x", "detectives")]
    assert slots == [*both, (24, "mr x")]
    assert winner(s) == "mr x"
    assert s.scores == [24, 0]


def test_a_catch_in_the_last_reply_counts():
    s = play(place(2, 9, moves=23), "taxi 20")
    assert (s.over, s.mover) == (False, 1)
    assert winner(play(s, "taxi 20")) == "detectives"


@pytest.mark.parametrize(
    ("end", "doubles", "moves", "rounds"),
    [
        ("moves24", (), 24, 24),
        ("moves24", (0, 9), 24, 22),
        ("rounds22", (), 22, 22),
        ("rounds22", (0,), 23, 22),
        ("rounds22", (0, 21), 24, 22),
    ],
)
def test_the_end_is_after_24_moves_or_22_rounds(end, doubles, moves, rounds):
    s = place(18, 199, hand=PLENTY, hands=PLENTY, end=end)
    half_rounds = list(to_and_fro(s, rounds, doubles))
    assert winner(s) == "mr x"
    assert s.record.moves == moves
    assert half_rounds.count("detectives") == rounds


def test_a_detective_who_cannot_move_passes_and_only_then():
    s = play(place(199, 2, 10, 20), "taxi 198")
    assert legal(s) == {"pass"}  # both his neighbours are taken, though they will move on
    play(s, "pass")
    assert "pass" not in legal(s)
    s = place(199, 46, 67)
    s.record.tickets[1] = 0
    play(s, "taxi 198")
    assert legal(s) == {"pass"}
    assert play(s, "pass").mover == 2


def test_mr_x_wins_at_once_when_no_detective_can_move():
    s = place(1, 46, 67, hands=(0, 0, 0, 0))
    assert winner(play(s, "taxi 8")) == "mr x"
    assert s.scores == [1, 0, 0]
    s = place(1, 2, 10, hands=(0, 8, 4, 0))
    assert winner(play(s, "double", "taxi 8", "taxi 18")) == "mr x"


@pytest.mark.parametrize("moves", [0, 23])
def test_mr_x_loses_when_he_is_surrounded_also_in_the_last_round(moves):
    s = play(place(20, 21, 9, moves=moves), "taxi 2", "taxi 10")
    assert not s.over
    assert winner(play(s, "taxi 20")) == "detectives"


def test_mr_x_loses_when_no_ticket_gets_him_on():
    s = place(10, 199, hand=(1, 3, 3, 0))
    assert winner(play(s.copy(), "taxi 2", "bus 128")) == "detectives"
    assert legal(play(s, "taxi 2", "taxi 198")) == {"taxi 10", "taxi 20", "double"}


# --- where Mr X can be ---


def test_a_ticket_tells_where_mr_x_can_be():
    s = play(place(108, 199, moves=3), "black 117")
    assert believed(s) == {105, 115, 116, 117, 119, 135}
    assert believed(play(place(108, 199, moves=3), "taxi 117")) == {105, 117, 119}
    assert believed(play(place(108, 117, 199, moves=3), "taxi 119")) == {105, 119}
    assert believed(play(place(108, 199, moves=3, possible=[1]), "bus 105")) == {
        *(105, 116, 135),
        *(46, 58),
    }


def test_he_is_not_where_a_detective_came_and_found_nobody():
    s = play(place(108, 128, moves=3), "bus 116", "bus 135")
    assert believed(s) == {105, 116}


def test_he_is_not_where_he_would_be_surrounded():
    s = play(place(101, 21, 9, moves=3, possible=[20, 10]), "taxi 114", "taxi 10")
    assert 2 in believed(s)
    play(s, "taxi 20")
    assert 2 not in believed(s)


# --- how it starts ---


def test_detectives_and_mr_x_start_on_different_cards():
    count = Counter()
    for seed in range(300):
        s = game.new(seed=seed)
        starts = {int(i) for i in s.record.station[1:6]}
        assert len(starts) == 5 and starts < CARDS
        count.update(starts)
        assert s.mover == CHANCE
        assert dict(s.outcomes) == pytest.approx(dict.fromkeys(CARDS - starts, 1 / 13))
        assert believed(s) == CARDS - starts
    assert chisquare([count[i] for i in CARDS]).pvalue > 1e-4


def test_random_starts_are_any_stations():
    stations = set()
    for seed in range(150):
        s = game.new(seed=seed, starts="random")
        starts = {int(i) for i in s.record.station[1:6]}
        assert len(starts) == 5
        stations |= starts
        assert {i for i, _ in s.outcomes} == believed(s) == set(range(1, 200)) - starts
        assert sum(p for _, p in s.outcomes) == pytest.approx(1)
    assert stations <= set(range(1, 200)) and len(stations) > 180


def test_mr_x_moves_first_and_plays_alone_against_the_others():
    s = game.new(seed=3)
    s.settle(stream(3, "luck"))
    assert (s.mover, s.phase) == (0, "mr x")
    assert game.teams(s.options) == (0, 1, 1, 1, 1, 1)
    assert grid.teams(grid.check({})) == (0, 1, 1)


@pytest.mark.parametrize(
    "wrong",
    [{"players": 1}, {"players": 7}, {"edition": "old"}, {"end": "never"}, {"tickets": "none"}],
)
def test_wrong_options_are_refused(wrong):
    with pytest.raises(KostkaError):
        game.new(seed=1, **wrong)


# --- the later edition ---


def test_the_later_edition_has_tickets_11_8_4_five_black_ones_and_two_decks():
    detectives = set()
    for players in (2, 4, 6):
        for seed in range(40):
            s = game.new(seed=seed, edition="later", players=players)
            r = s.record
            assert r.tickets[1:players].tolist() == [[11, 8, 4, 0]] * (players - 1)
            assert (r.tickets[0, 3], r.doubles) == (5, 2)
            starts = [int(i) for i in r.station[1 : r.pieces]]
            assert len(set(starts)) == len(starts)
            detectives |= set(starts)
            assert {i for i, _ in s.outcomes} == believed(s) == LATER_MR_X
    assert detectives == LATER_DETECTIVES


def test_in_the_later_edition_mr_x_rides_without_limit_and_gets_no_tickets():
    s = place(1, 199, edition="later", hands=PLENTY)
    own = s.record.tickets[0].tolist()
    for ride in range(9):
        play(s, f"underground {(46, 1)[ride % 2]}", f"taxi {(198, 199)[ride % 2]}")
    assert s.record.tickets[0].tolist() == own


def test_in_the_later_edition_only_the_bus_runs_between_13_and_14():
    s = place(14, 199, edition="later", black=0, doubles=0)
    assert legal(s) == moves("taxi", 15, 25) | moves("bus", 13, 15)
    s = place(14, 199, black=0, doubles=0)
    assert legal(s) == moves("taxi", 13, 15, 25) | moves("bus", 13, 15)


@pytest.mark.parametrize(("players", "bobbies"), [(2, 0), (3, 2), (4, 1), (5, 0), (6, 0)])
def test_two_detectives_get_two_bobbies_and_three_get_one(players, bobbies):
    assert game.new(seed=1, players=players, edition="later").record.pieces == players + bobbies
    assert game.new(seed=1, players=players).record.pieces == players


def test_the_last_detective_moves_the_bobbies_who_need_no_tickets():
    s = play(place(199, 1, 13, 46, 115, edition="later", players=3), "taxi 198")
    order = []
    for move in ("taxi 8", "taxi 4"):
        order.append((s.mover, int(s.record.piece)))
        play(s, move)
    order.append((s.mover, int(s.record.piece)))
    assert legal(s) == (
        moves("taxi", 33, 45, 47, 61)
        | moves("bus", 1, 34, 58, 78)
        | moves("underground", 1, 13, 74, 79)
    )
    before = s.record.tickets.tolist()
    play(s, "underground 1")
    order.append((s.mover, int(s.record.piece)))
    assert order == [(1, 1), (2, 2), (2, 3), (2, 4)]
    assert legal(s) == moves("taxi", 102, 114, 126, 127)
    assert play(s, "taxi 102").mover == 0
    assert s.record.tickets.tolist() == before


def test_a_bobby_catches_and_keeps_the_game_going():
    s = place(2, 46, 67, 1, 9, edition="later", players=3, hands=(0, 0, 0, 0))
    play(s, "taxi 20")
    for _ in range(2):
        assert legal(s) == {"pass"}
        play(s, "pass")
    play(s, "taxi 8")
    assert winner(play(s, "taxi 20")) == "detectives"


def test_nobody_steps_onto_a_bobby():
    s = place(20, 46, 67, 2, 33, edition="later", players=3, black=0, doubles=0)
    assert legal(s) == {"taxi 9"}
    s = play(place(199, 2, 67, 10, 20, edition="later", players=3), "taxi 198")
    assert legal(s) == {"pass"}


# --- the grid ---


def cells(*names, size=5):
    return [size * (int(name[1:]) - 1) + "abcdefghijklmn".index(name[0]) for name in names]


def on_grid(*names, size=5, **more):
    """``on_grid("c3", "a1", "e5")``: Mr X in the middle, detectives in two corners."""
    return place(*cells(*names, size=size), where=grid, size=size, **more)


def test_on_the_grid_everybody_steps_up_down_left_or_right():
    assert legal(on_grid("c3", "a1", "e5")) == {"b3", "d3", "c2", "c4"}
    assert legal(on_grid("a1", "c3", "e5")) == {"a2", "b1"}
    assert legal(on_grid("a3", "c3", "e5")) == {"a2", "a4", "b3"}
    s = play(on_grid("a1", "c3", "e5"), "b1")
    assert legal(s) == {"b3", "d3", "c2", "c4"}
    assert legal(play(s, "c4")) == {"e4", "d5"}


def test_on_the_grid_two_detectives_start_anywhere_else():
    count = Counter()
    for seed in range(400):
        s = grid.new(seed=seed)
        starts = [int(i) for i in s.record.station[1:3]]
        assert len(set(starts)) == 2
        count.update(starts)
        free = set(range(25)) - set(starts)
        assert dict(s.outcomes) == pytest.approx(dict.fromkeys(free, 1 / 23))
        assert believed(s) == free
    assert chisquare([count[i] for i in range(25)]).pvalue > 1e-4


def test_on_the_grid_he_is_shown_every_third_round_and_wins_after_15():
    s = on_grid("a1", "e5")
    slots = []
    for turn in range(15):
        play(s, ("b1", "a1")[turn % 2])
        assert not s.over
        if shown(s) >= 0:
            slots.append(turn + 1)
        play(s, ("e4", "e5")[turn % 2])
    assert slots == [3, 6, 9, 12, 15]
    assert winner(s) == "mr x"
    assert s.scores == [15, 0]


@pytest.mark.parametrize(("rounds", "reveal"), [(4, 2), (20, 7), (3, 1)])
def test_rounds_and_reveals_of_the_grid_are_options(rounds, reveal):
    s = on_grid("a1", "e5", rounds=rounds, reveal=reveal)
    for turn in range(rounds):
        play(s, ("b1", "a1")[turn % 2])
        assert (shown(s) >= 0) == ((turn + 1) % reveal == 0)
        play(s, ("e4", "e5")[turn % 2])
    assert winner(s) == "mr x"


def test_on_the_grid_a_detective_catches_mr_x():
    s = play(on_grid("c3", "a3", "e5"), "b3")
    assert winner(play(s, "b3")) == "detectives"
    assert s.scores == [1, 14, 14]


@pytest.mark.parametrize("moves", [0, 14])
def test_on_the_grid_mr_x_loses_in_a_corner_between_two_detectives(moves):
    s = play(on_grid("b1", "a3", "c1", moves=moves), "a1", "a2")
    assert not s.over
    assert winner(play(s, "b1")) == "detectives"


def test_on_the_grid_mr_x_stays_when_being_surrounded_does_not_matter():
    s = play(on_grid("b1", "a3", "c1", surrounded=False), "a1", "a2", "b1")
    assert (s.mover, legal(s)) == (0, {"a1"})
    told = s.seen(s.parse("a1"), 1)
    assert s.view(1).text(told) == "moves"  # nobody else learns that he could not move
    assert cells("a1")[0] in believed(play(s, "a1"))
    assert s.record.moves == 2
    assert winner(play(s, "a1")) == "detectives"


def test_on_the_grid_nobody_changes_colour_against_mr_x():
    """A step changes the colour of the cell: half the detectives can block, but never catch him."""
    catches = Counter()
    for seed in range(40):
        rng = stream(seed, "colours")
        s = grid.new(seed=seed, players=4).settle(rng)
        same = [
            (sum(divmod(int(i), 5)) - sum(divmod(int(s.record.station[0]), 5))) % 2 == 0
            for i in s.record.station[1:4]
        ]
        while not s.over:
            piece, here = int(s.record.piece), s.legal_actions
            onto_him = [a for a in here if piece and a == s.record.station[0]]
            if onto_him:
                catches[same[piece - 1]] += 1
            s.apply((onto_him or here)[below(rng, len(onto_him or here))])
    assert catches[True] > 20
    assert catches[False] == 0


def test_on_the_grid_a_blocked_detective_passes():
    s = play(on_grid("e5", "a1", "a2", "b1"), "e4")
    assert legal(s) == {"pass"}


def test_on_the_grid_belief_spreads_one_step_a_move():
    s = play(on_grid("c3", "a1", "e5"), "c2")
    assert believed(s) == set(cells("b3", "d3", "c2", "c4"))
    play(s, "b1", "e4")
    play(s, "c3")
    two = ("a3", "b2", "b4", "c1", "c3", "c5", "d2", "d4", "e3")
    assert believed(s) == set(cells(*two))
    play(s, "c1", "e3")
    assert believed(s) == set(cells(*two)) - set(cells("c1", "e3"))


@pytest.mark.parametrize("size", [3, 14])
def test_the_grid_has_the_size_one_asks_for(size):
    s = grid.new(seed=1, size=size)
    assert len(s.outcomes) == size * size - 2
    corner = on_grid("a1", "c3", size=size)
    assert legal(corner) == {"a2", "b1"}


@pytest.mark.parametrize("wrong", [{"size": 2}, {"size": 15}, {"players": 7}, {"reveal": 0}])
def test_wrong_options_of_the_grid_are_refused(wrong):
    with pytest.raises(KostkaError):
        grid.new(seed=1, **wrong)
