"""The game beside a model of it in plain Python, written from the rule text alone.

The model knows sets of stations and nothing of records; of the engine it takes only the map and
where the detectives start.
"""

import itertools
import random
from collections import Counter
from copy import copy

import numpy as np
import pytest
from scipy.stats import chisquare

from kostka.core.record import canonical
from kostka.core.rng import stream
from kostka.core.state import PUBLIC
from kostka.games.scotlandyard import game, grid

TAXI, BUS, UNDERGROUND, BLACK = range(4)
NAMES = ("taxi", "bus", "underground", "black")
REVEALS = {3, 8, 13, 18, 24}
DOUBLE, PASS = "double", "pass"
MR_X, DETECTIVES = 0, 1

LONDON = [
    {},
    {"players": 2},
    {"players": 2, "black": 0, "doubles": 8},
    {"players": 3, "end": "rounds22"},
    {"players": 4, "tickets": "unlimited"},
    {"players": 5, "starts": "random", "black": 0},
    {"players": 6, "black": 5, "doubles": 0},
    {"players": 6, "starts": "random", "end": "rounds22", "black": 1},
    {"players": 3, "end": "rounds22", "doubles": 8, "black": 24},
    {"players": 2, "edition": "later"},
    {"players": 3, "edition": "later"},
    {"players": 4, "edition": "later", "end": "rounds22"},
    {"players": 6, "edition": "later", "starts": "random"},
]
GRID = [
    {},
    {"players": 2},
    {"players": 4, "reveal": 2},
    {"players": 6, "size": 4},
    {"players": 5, "size": 3, "rounds": 6},
    {"players": 3, "size": 7, "rounds": 20, "reveal": 5},
    {"players": 3, "size": 14, "reveal": 1},
    {"players": 6, "size": 3, "surrounded": False},
    {"players": 4, "size": 4, "surrounded": False, "rounds": 32, "reveal": 32},
]
ALL = [(game, options) for options in LONDON] + [(grid, options) for options in GRID]


def named(case):
    where, options = case
    return " ".join([where.name, *(f"{k}={v}" for k, v in options.items())])


class Model:
    """Scotland Yard by the book. A move is (kind, station); ``None`` tickets are without end."""

    def __init__(self, state):
        """Take over the map and the detectives, nothing else."""
        self.options = o = state.options
        s = state.record
        self.near = {
            i: {(int(s.kind[i, n]), int(s.to[i, n])) for n in range(s.degree[i])}
            for i in range(200)
            if s.degree[i]
        }
        self.seats = o["players"] - 1
        bobbies = 0
        if "size" in o:
            self.hand = [None] * (1 + self.seats)
            self.doubles = 0
            self.reveals = range(o["reveal"], 1000, o["reveal"])
            self.last_move, self.last_round = o["rounds"], o["rounds"]
            self.handed_over, self.surrounded = False, o["surrounded"]
        else:
            later = o["edition"] == "later"
            bobbies = {2: 2, 3: 1}.get(self.seats, 0) if later else 0
            unlimited = later or o["tickets"] == "unlimited"
            black = o["black"] if o["black"] >= 0 else 5 if later else self.seats
            own = [None, None, None, black] if unlimited else [4, 3, 3, black]
            issued = [11, 8, 4, 0] if later else [10, 8, 4, 0]
            self.hand = [own, *([*issued] for _ in range(self.seats)), *([None] * bobbies)]
            self.doubles = o["doubles"]
            self.reveals = REVEALS
            self.last_move, self.last_round = 24, 24
            if o["end"] == "rounds22":
                self.last_move, self.last_round = 22 + self.doubles, 22
            self.handed_over, self.surrounded = not unlimited, True
        self.at = [None, *(int(i) for i in s.station[1 : 1 + self.seats + bobbies])]
        self.turn = self.half = self.rounds = 0
        self.log, self.shown = [], []
        self.won = None

    def copy(self):
        other = copy(self)
        other.at, other.log, other.shown = [*self.at], [*self.log], [*self.shown]
        other.hand = [h and [*h] for h in self.hand]
        return other

    def public(self):
        """All that everybody knows."""
        return (
            *(self.turn, self.half, self.rounds, self.doubles, self.won, self.at[1:]),
            *(self.hand, self.log, self.shown),
        )

    # --- what is allowed ---

    def has(self, piece, kind):
        hand = self.hand[piece]
        return hand is None or hand[kind] is None or hand[kind] > 0

    def steps(self, piece, at=None):
        """Where a piece can go: one edge, with a ticket, and not onto a detective."""
        found = set()
        for kind, to in self.near[self.at[piece] if at is None else at]:
            if to in self.at[1:]:
                continue
            if kind != BLACK and self.has(piece, kind):
                found.add((kind, to))
            if piece == 0 and self.hand[0] is not None and self.has(0, BLACK):
                found.add((BLACK, to))
        return found

    def legal(self):
        steps = self.steps(self.turn)
        if self.turn > 0 or self.half == 2:
            return steps or {PASS}
        if not steps:
            return {(TAXI, self.at[0])}  # on a grid where he may be surrounded he stays
        slots = self.last_move - len(self.log)
        return steps | {DOUBLE} if self.half == 0 and self.doubles and slots >= 2 else steps

    # --- what happens ---

    def begin(self, station):
        self.at[0] = station
        if self.caught():
            self.won = DETECTIVES
        return self

    def caught(self, at=None):
        return self.surrounded and not self.steps(0, at)

    def apply(self, move):
        if move == DOUBLE:
            self.doubles -= 1
            self.half = 1
        elif self.turn > 0:
            self.move_detective(move)
        else:
            if move != PASS:
                self.move_mr_x(*move)
            self.half = 2 if self.half == 1 else 0
            self.turn = 0 if self.half else 1
            if self.turn and not any(self.steps(piece) for piece in range(1, len(self.at))):
                self.won = MR_X
        return self

    def pay(self, piece, kind):
        hand = self.hand[piece]
        if hand is not None and hand[kind] is not None:
            hand[kind] -= 1

    def move_mr_x(self, kind, to):
        self.at[0] = to
        self.pay(0, kind)
        self.log.append(kind)
        self.shown.append(to if len(self.log) in self.reveals else -1)

    def move_detective(self, move):
        if move != PASS:
            kind, self.at[self.turn] = move
            self.pay(self.turn, kind)
            if self.handed_over and self.hand[self.turn] is not None:
                self.hand[0][kind] += 1
            if self.at[self.turn] == self.at[0]:
                self.won = DETECTIVES
                return
        self.turn = (self.turn + 1) % len(self.at)
        if self.turn > 0:
            return
        self.rounds += 1
        if self.caught():
            self.won = DETECTIVES
        elif self.rounds == self.last_round or len(self.log) == self.last_move:
            self.won = MR_X

    def told(self, move):
        """What everybody is told of a move before it is made."""
        if self.turn > 0 or move in (DOUBLE, PASS) or len(self.log) + 1 in self.reveals:
            return move
        return move[0]

    def seat(self):
        return min(self.turn, self.seats)


def possible(before, move, after, stations):
    """Where Mr X can be now: play the event in every world in which he was on one of ``stations``.

    A world stays when everybody would have been told the same and would see the same board.
    """
    found = set()
    told, public = before.told(move), after.public()
    for station in stations:
        world = before.copy()
        world.at[0] = station
        for other in world.legal() if before.turn == 0 else [move]:
            if world.told(other) == told:
                result = world.copy().apply(other)
                if result.public() == public:
                    found.add(result.at[0])
    return found


def by_the_rules(before, move, after, stations):
    """The same, by the rules that players use: by the kind of ticket, less what is ruled out."""
    if before.turn == 0 and move == PASS:
        return {i for i in stations if not before.steps(0, i)}
    if before.turn == 0 and move != DOUBLE:
        kind, to = move
        if after.shown[-1] >= 0:
            return {to}
        reached = {j for i in stations for k, j in before.near[i] if kind in (k, BLACK)}
        stays = set() if before.surrounded else {i for i in stations if not before.steps(0, i)}
        return (reached - set(before.at[1:])) | stays
    found = stations - set(after.at[1:])
    round_is_over = before.turn > 0 and after.turn == 0
    return {i for i in found if not after.caught(i)} if round_is_over else found


# --- the engine in the words of the model ---


def cell(size, i):
    return f"{'abcdefghijklmn'[i % size]}{i // size + 1}"


def notation(model, move):
    if move in (DOUBLE, PASS):
        return move
    kind, to = move
    return cell(model.options["size"], to) if "size" in model.options else f"{NAMES[kind]} {to}"


def believed(state):
    return set(np.flatnonzero(state.record.possible == 1).tolist())


def compare(state, model):
    """Everything that both know."""
    s = state.record
    assert state.over == (model.won is not None)
    assert [int(i) for i in s.station[: s.pieces]] == model.at
    assert [int(k) for k in s.log[: s.moves]] == model.log
    assert [int(i) for i in s.seen[: s.moves]] == model.shown
    assert s.doubles == model.doubles
    for piece, hand in enumerate(model.hand):
        for kind, count in enumerate(hand or ()):
            assert count is None or s.tickets[piece, kind] == count
    if state.over:
        assert s.won == model.won
        assert state.returns == [1.0 - model.won] + [float(model.won)] * model.seats
    else:
        assert (s.piece, s.seat, s.half) == (model.turn, model.seat(), model.half)
        assert state.mover == model.seat()
        legal = [state.text(a) for a in state.legal_actions]
        assert len(set(legal)) == len(legal)
        assert set(legal) == {notation(model, move) for move in model.legal()}


def decks(state):
    """Where Mr X can start."""
    o, taken = state.options, {int(i) for i in state.record.station[1 : state.record.pieces]}
    if "size" in o:
        return set(range(o["size"] ** 2)) - taken
    if o["starts"] == "random":
        return set(range(1, 200)) - taken
    if o["edition"] == "later":
        return {35, 45, 51, 71, 78, 104, 106, 127, 132, 146, 166, 170, 172}
    cards = {13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 132, 138, 141, 155, 174, 197, 198}
    return cards - taken


def side_by_side(where, options, seed, belief):
    """A random game in both; ``belief`` computes where Mr X can be. Yields every position."""
    luck = random.Random(seed)
    state = where.new(seed=seed, **options)
    model = Model(state)
    start, stations = luck.choice(sorted(decks(state))), decks(state)
    assert {i for i, _ in state.outcomes} == believed(state) == stations
    state.apply(start)
    model.begin(start)
    stations = {i for i in stations if not model.caught(i)}
    while True:
        compare(state, model)
        if state.over:
            return
        assert believed(state) == stations
        yield state, model
        moves = sorted(model.legal(), key=str)
        if model.turn > 0:  # a random detective seldom misses a chance to end the game
            moves = [m for m in moves if m[1] != model.at[0] or luck.random() < 0.1] or moves
        move, before = luck.choice(moves), model.copy()
        state.apply(notation(model, move))
        model.apply(move)
        if model.won is None:
            stations = belief(before, move, model, stations)


@pytest.mark.parametrize("case", ALL, ids=named)
def test_the_game_goes_as_the_model_says(case):
    """Legal moves, tickets, log, winner and belief, after every event of random games."""
    for seed in range(4 if case[0] is game else 8):
        for _ in side_by_side(*case, seed, by_the_rules):
            pass


@pytest.mark.parametrize("case", ALL, ids=named)
def test_he_can_be_exactly_where_the_public_log_leaves_room(case):
    """The belief against all worlds: each station is tried out, and every move from there."""
    for seed in range(100, 101 if case[0] is game else 104):
        for _ in side_by_side(*case, seed, possible):
            pass


# --- what is hidden ---


def others(state):
    """Everybody but Mr X."""
    return (PUBLIC, *range(1, state.players))


def views(state):
    """What everybody but Mr X knows, byte for byte."""
    return [canonical(state.view(viewer).buffer) for viewer in others(state)]


def placed(state, station):
    world = state.copy()
    world.record.station[0] = station
    return world


@pytest.mark.parametrize("case", ALL, ids=named)
def test_mr_x_knows_all_and_no_view_or_choice_of_the_others_depends_on_where_he_hides(case):
    hidden = 0
    for seed in range(200, 201 if case[0] is game else 202):
        for state, model in side_by_side(*case, seed, by_the_rules):
            assert canonical(state.view(0).buffer) == canonical(state.buffer)
            shown = model.shown[-1] if model.shown else -1
            for viewer in others(state):
                assert state.view(viewer).record.station[0] == shown
            hidden += shown < 0
            if shown >= 0 or hidden % 8 != 1:  # every eighth hidden position is tried
                continue
            views_here, legal_here = views(state), state.legal_actions
            for station in believed(state):
                world = placed(state, station)
                assert views(world) == views_here
                assert state.mover == 0 or world.legal_actions == legal_here
    assert hidden > 0 or case[1].get("reveal") == 1


LOCKSTEP = [(w, o) for w, o in ALL if o.get("starts") != "random" and o.get("size", 5) < 14]


@pytest.mark.parametrize("case", LOCKSTEP, ids=named)
def test_worlds_that_were_told_the_same_look_the_same(case):
    """From every start of Mr X, all his moves: who was told the same as in the game, sees the same.

    The worlds are played, not made by hand, so nothing that the engine remembers can tell them
    apart; and together they are exactly where the engine believes him to be.
    """
    where, options = case
    luck = random.Random(7)
    state = where.new(seed=7, **options)
    worlds, most = [state.copy()], 0
    for _ in range(24 if where is game else 60):
        here = state.legal_now()
        if state.mover > 0:
            here = [a for a in here if a % 200 != state.record.station[0]] or here
        a = luck.choice(here)
        told = [state.seen(a, viewer) for viewer in others(state)]
        found = {}
        for world in worlds:
            for b in world.legal_now():
                if [world.seen(b, viewer) for viewer in others(state)] == told:
                    result = world.copy().apply(b)
                    found[int(result.record.station[0])] = result
        turn = state.apply(a).mover
        if state.over:
            break
        worlds = [world for world in found.values() if world.mover == turn]
        expected = views(state)
        assert all(views(world) == expected for world in worlds)
        assert {int(world.record.station[0]) for world in worlds} == believed(state)
        most = max(most, len(worlds))
    assert most > 3


@pytest.mark.parametrize("where", [game, grid], ids=["london", "grid"])
def test_others_are_told_of_a_start_only_that_there_was_one(where):
    state = where.new(seed=1)
    for outcome, _ in state.outcomes:
        assert state.seen(outcome, 0) == outcome
        assert {state.view(v).text(state.seen(outcome, v)) for v in others(state)} == {"start"}


@pytest.mark.parametrize("where", [game, grid], ids=["london", "grid"])
def test_others_are_told_the_kind_of_ticket_and_at_a_reveal_the_station(where):
    kinds = set()
    games = (side_by_side(where, {}, seed, by_the_rules) for seed in range(3))
    for state, model in itertools.chain(*games):
        for move in model.legal():
            text = notation(model, move)
            a, told = state.parse(text), model.told(move)
            assert state.seen(a, 0) == a
            for viewer in others(state):
                words = state.view(viewer).text(state.seen(a, viewer))
                if isinstance(told, int):
                    assert words == ("moves" if where is grid else NAMES[told])
                    kinds.add(told)
                else:
                    assert words == text
    assert kinds == ({TAXI} if where is grid else {TAXI, BUS, UNDERGROUND, BLACK})


@pytest.mark.parametrize("where", [game, grid], ids=["london", "grid"])
def test_a_guess_is_any_possible_station_with_equal_chance_and_fits_the_view(where):
    positions = side_by_side(where, {}, 5, by_the_rules)
    state = next(s for s, m in positions if m.turn == 2 and len(m.log) >= 2 and m.shown[-1] < 0)
    rng, stations = stream(1, "guesses"), sorted(believed(state))
    assert len(stations) > 3
    for viewer in others(state):
        view = state.view(viewer)
        guesses = [view.sample(rng) for _ in range(400)]
        assert all(canonical(g.view(viewer).buffer) == canonical(view.buffer) for g in guesses[:20])
        count = Counter(int(g.record.station[0]) for g in guesses)
        assert set(count) <= set(stations)
        assert chisquare([count[i] for i in stations]).pvalue > 1e-4
    assert canonical(state.view(0).sample(rng).buffer) == canonical(state.buffer)
