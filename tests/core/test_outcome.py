"""Who has won, for whom it is a draw and who has lost; and what is counted before the end."""

import importlib
import sys

import pytest

from kostka.arena.referee import play_game
from kostka.core import present
from kostka.core.errors import KostkaError
from kostka.core.game import Game, Option
from kostka.core.outcome import OUTCOMES, by_seat, outcomes
from kostka.core.state import begin


def told(gains, games=0):
    return [OUTCOMES[k] for k in outcomes(gains, games)]


@pytest.mark.parametrize(
    ("gains", "wanted"),
    [
        ((1, 0), ["won", "lost"]),
        ((0.5, 0.5), ["draw", "draw"]),
        ((0.5, 0, 0.5), ["draw", "lost", "draw"]),
        ((1 / 3, 1 / 3, 1 / 3), ["draw"] * 3),
        ((0.7, 0.3), ["won", "lost"]),
        ((0.2, 0.5, 0.3), ["lost", "won", "lost"]),
        ((0.4, 0.4, 0.2), ["won", "won", "lost"]),
        ((), []),
    ],
)
def test_a_draw_is_an_equal_share_of_all_the_living(gains, wanted):
    assert told(gains) == wanted


def test_every_game_is_judged_by_itself():
    gains, games = (1, 0, 0.5, 0.5, 0.6, 0.4), (0, 0, 1, 1, 2, 2)
    assert told(gains, games) == ["won", "lost", "draw", "draw", "won", "lost"]


def test_a_side_wins_draws_or_loses_as_a_whole():
    assert by_seat((0, 1, 1, 1), (0, 1, 1, 1)) == ["lost", "won", "won", "won"]
    assert by_seat((1, 0, 0), (0, 1, 1)) == ["won", "lost", "lost"]
    assert by_seat((0.5, 0.5, 0.5), (0, 1, 1)) == ["draw"] * 3
    assert by_seat((0.7, 0.3, 0.3), (4, 2, 2)) == ["won", "lost", "lost"]


# --- a game that counts no points ---

RULES = '''
"""Everybody passes once, and all are equal."""

from kostka.core import rules
from kostka.core.record import record

State = record("passing.state", turn="i8", fixed=dict(players="i8"))


def start(s, options):
    s.players = options["players"]


@rules.mover.method(State)
def mover(s):
    return rules.OVER if s.turn == s.players else s.turn


@rules.legal.method(State)
def legal(s, out):
    out[0] = 0
    return 1


@rules.apply.method(State)
def apply(s, a):
    s.turn += 1


@rules.deal.method(State)
def deal(s, rng):
    pass


@rules.returns.method(State)
def returns(s, out):
    for p in range(s.players):
        out[p] = 1.0 / s.players


def text(s, a):
    return "pass"
'''

PLAYERS = (Option("players", 2, "players", 2, 4),)


@pytest.fixture(scope="module")
def passing(tmp_path_factory):
    folder = tmp_path_factory.mktemp("games") / "passing"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "rules.py").write_text(RULES)
    (folder / "state.py").write_text("from passing.rules import State\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder.parent)
        importlib.invalidate_caches()
        yield Game("passing", "Passing", "passing", 1, PLAYERS, 1, 0, 4)
    for name in [name for name in sys.modules if name.split(".")[0] == "passing"]:
        del sys.modules[name]


def test_a_game_that_counts_no_points_shows_none_before_its_end(passing):
    state = begin(passing, passing.check({}), 1)
    while not state.over:
        assert state.scores == state.view(0).scores == []
        assert present.players(state.view()) == [[], []]
        state.apply("pass")
    assert state.scores == state.returns == [0.5, 0.5]
    assert present.players(state) == [[("score", "0.5")]] * 2
    assert present.status(state) == "The game is a draw of Blue and Orange."


class Passes:
    def act(self, view):
        return 0


class Fails:
    def act(self, view):
        raise ValueError("no idea")


def test_who_gives_up_a_game_without_points_has_those_of_the_result(passing):
    played = play_game(passing, passing.check({"players": 3}), [Passes(), Fails(), Passes()], 1)
    assert set(played.faults) == {1}
    assert played.scores == played.returns == [0.5, 0, 0.5]


# --- codes ---


@pytest.mark.parametrize("field", ["actions", "outcomes"])
def test_a_game_with_more_codes_than_a_log_can_tell_apart_is_refused(field):
    sizes = {"actions": 1, "outcomes": 65536, "length": 4}
    Game("many", "Many", "many", 1, PLAYERS, **sizes)
    words = f"{field} of many must be from 0 to 65536, not 65537"
    with pytest.raises(KostkaError, match=words):
        Game("many", "Many", "many", 1, PLAYERS, **{**sizes, field: 65537})
