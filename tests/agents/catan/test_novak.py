"""The thesis's players: their settings, how they plan a turn and look ahead, and how they learn."""

import json
from pathlib import Path

import numpy as np
import pytest
from island import position
from typer.testing import CliRunner

from kostka.agents.catan.published import learner, lookahead, novak
from kostka.agents.catan.published.learner import LINES, LONGEST, MOST_TURNS
from kostka.agents.spec import make
from kostka.arena.match import play_some, prepare
from kostka.cli import app, load
from kostka.core.errors import KostkaError
from kostka.core.game import game
from kostka.core.record import clone
from kostka.core.rng import stream
from kostka.games.catan.actions import ACCEPT, CITY, EXCHANGE, GIVE_CARD, REFUSE, ROLL
from kostka.games.catan.robber import SEVEN, production
from kostka.games.catan.rules import end_turn
from kostka.games.catan.state import BEFORE, MAIN

load()
catan = game("catan")
THESIS = {"map": "variable", "bank": "unlimited", "form": "thesis"}


def settings(spec):
    return make(catan, spec).policy[0]


def in_the_middle(spec="houba:epsilon=0", turns=40, seed=3, options=THESIS):
    """A position of a game between equal players, when somebody has rolled and may build."""
    state = catan.new(seed, **options)
    player, luck = make(catan, spec), stream(seed)
    while not (state.record.turn >= turns and state.record.phase == MAIN):
        mover = state.mover
        state.apply(state.draw(luck) if mover < 0 else player.act(state.view(mover)))
    return state


@pytest.fixture(scope="module")
def middle():
    return in_the_middle()


# --- settings ---


def test_the_named_players_are_those_of_the_thesis():
    assert len(novak.LEARNERS) + len(novak.FIXED) + 1 == 11
    for name, (depth, actions, turns, inside) in {
        "houba": (1, 3, 1, 1), "piskot": (1, 9, 1, 1), "zofka": (3, 3, 3, 2),
        "lisak": (5, 2, 2, 2),
    }.items():  # fmt: skip
        p = settings(name)
        assert (p.depth, p.actions, p.turns, p.turns_in_search) == (depth, actions, turns, inside)
        assert p.epsilon == 0.05
        assert np.array_equal(p.weights, settings("td").weights)
    assert np.array_equal(settings("modrozoubek").weights, settings("td:lambda=0").weights)
    assert settings("turbo").epsilon == 0.1 and settings("boruvka").epsilon == 0.05
    assert make(catan, "bahnak").policy.dtype == make(catan, "random").policy.dtype


def test_what_cannot_be_is_refused_in_a_sentence(tmp_path):
    with pytest.raises(KostkaError, match=r"no weights come with lambda=0\.5; known: 0, 0.8, 1"):
        make(catan, "td:lambda=0.5")
    with pytest.raises(KostkaError, match="unknown agent for catan 'lisek'; did you mean lisak"):
        make(catan, "lisek")
    with pytest.raises(KostkaError, match="no weights are named 'best'; known: td-0"):
        make(catan, "expectimax:weights=best")
    np.savez(tmp_path / "small.npz", weights=np.zeros((1, 57)))
    with pytest.raises(KostkaError, match="needs 1653 numbers of weights"):
        make(catan, f"td:weights={tmp_path / 'small.npz'}")
    whole = novak.SHIPPED["td-1"].read_bytes()
    (tmp_path / "cut.npz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(KostkaError, match=r"is not an \.npz file"):
        make(catan, f"td:weights={tmp_path / 'cut.npz'}")


def test_the_example_file_of_the_thesis_is_read(tmp_path):
    path = tmp_path / "agent.txt"
    path.write_text(
        "# hloubka expectimaxu\n  hloubka=3\n  pocet_akci=4\n  pocet_tahu=5\n  pocet_tahu_exp=2\n"
        "  tau=10\n  gamma=0.9\n  epsilon=0.05 # nahodne\n  default_reward=-5\n  lambda=0.8\n"
    )
    p = settings(f"expectimax:settings={path}")
    assert (p.depth, p.actions, p.turns, p.turns_in_search, p.epsilon) == (3, 4, 5, 2, 0.05)
    path.write_text("hloubka=3\nsirka=1\n")
    with pytest.raises(KostkaError, match="unknown setting of this lesson 'sirka'"):
        make(catan, f"expectimax:settings={path}")
    path.write_text("depth=deep\n")
    with pytest.raises(KostkaError, match="depth must be a whole number from 1 to 9, not 'deep'"):
        make(catan, f"expectimax:settings={path}")


# --- a turn ---


def planned(p, s, most=9):
    out = np.empty(catan.width, np.int64)
    lines, lengths = np.empty(LINES, np.int64), np.empty(MOST_TURNS, np.int64)
    values = np.empty(MOST_TURNS)
    n = learner.plan(p, s, int(s.seat), most, out, lines, lengths, values)
    rows = lines.reshape(MOST_TURNS, LONGEST)
    return [(rows[i, : lengths[i]].tolist(), values[i]) for i in range(n)]


def test_the_best_turns_come_first_in_the_order_of_a_turn(middle):
    p = settings("houba:epsilon=0,offers=0")
    found = planned(p, middle.view(middle.mover).record)
    values = [value for _, value in found]
    assert values == sorted(values, reverse=True)
    for actions, value in found:
        stages = [learner.stage(a) for a in actions]
        assert stages == sorted(stages)
        t = clone(middle.view(middle.mover).buffer)[0]
        for a in actions:
            learner.go(t, int(middle.mover), a)
        assert learner.quick(p, t, int(middle.mover)) == value


def test_a_won_game_is_worth_its_reward_so_whoever_expects_less_wins_at_once():
    state = position(
        settlements={0: [0, 10, 20], 1: [2], 2: [12], 3: [37]},
        cities={0: [30, 40, 50]},
        hands={0: "2 grain + 3 ore"},
    )
    p = clone(make(catan, "houba:epsilon=0,offers=0").policy)[0]
    p.weights = 0.0
    actions, value = planned(p, state.view(0).record)[0]
    assert CITY <= actions[0] < CITY + 54
    assert value == 100 * 10 + 800


def test_an_offer_is_accepted_if_the_own_position_is_worth_more_then(middle):
    state = middle.copy()
    s, me = state.record, state.mover
    other = (me + 1) % 4
    s.hand[me], s.cards[me] = (3, 0, 0, 0, 0), 3
    s.hand[other], s.cards[other] = (0, 3, 0, 0, 0), 3
    for action in ("give wood", "want brick", "offer"):
        state.apply(action)
    assert state.mover == other
    p = settings("houba:epsilon=0")
    view = state.view(other).record
    t = clone(state.view(other).buffer)[0]
    t.hand[other] = (1, 2, 0, 0, 0)
    better = learner.quick(p, t, other) > learner.quick(p, view, other)
    assert make(catan, "houba:epsilon=0").act(state.view(other)) == (ACCEPT if better else REFUSE)


def test_trade_only_brings_what_is_missing_and_stops_at_the_limit(middle):
    state = middle.copy()
    s, me = state.record, state.mover
    s.hand[me], s.cards[me] = (1, 1, 1, 2, 3), 8
    assert not any(learner.lacks(s, me, r) for r in range(5))
    s.hand[me] = (8, 0, 0, 0, 0)
    for actions, _ in planned(settings("houba:epsilon=0,offers=0"), state.view(me).record):
        assert not any(GIVE_CARD <= a < EXCHANGE or a >= learner.DEAL for a in actions)


# --- beyond the turn ---


def slow(p, s, me, h):
    """The same search by plain recursion."""
    if h == 0 or s.phase not in (BEFORE, MAIN):
        return learner.quick(p, s, me)
    if s.phase == BEFORE:
        total = 0.0
        for n in range(2, 13):
            t = copied(s)
            if n == SEVEN:
                t.rolled, t.phase = 1, MAIN
            else:
                production(t, n)
            total += (6 - abs(7 - n)) / 36 * slow(p, t, me, h - 1)
        return total
    out, children, worst = np.empty(catan.width, np.int64), np.empty(20, np.int64), np.empty(20)
    assert s.player != me
    k = lookahead.rival_turns(p, s, me, out, children, 0, worst)
    values = []
    for a in children[:k]:
        t = copied(s)
        lookahead.build_blindly(t, int(a))
        end_turn(t)
        values.append(slow(p, t, me, h - 1))
    return min(values)


def copied(s):
    one = np.empty(1, s.dtype)
    one[0] = s
    return clone(one)[0]


def test_the_search_is_what_plain_recursion_finds(middle):
    p, me = settings("zofka:epsilon=0"), middle.mover
    state = middle.copy()
    state.apply("end")
    view, out = state.view(me).buffer, np.empty(catan.width, np.int64)
    for h in (0, 1, 2, 4):
        found = lookahead.expectimax(p, view[0], me, h, out)
        assert found == pytest.approx(slow(p, view[0], me, h), abs=1e-9), h


def test_opponents_build_the_worst_for_us_if_they_have_the_cards(middle):
    p, me = settings("lisak:epsilon=0"), middle.mover
    state = middle.copy()
    state.apply("end").apply(ROLL).apply(8)
    s, out = state.record, np.empty(catan.width, np.int64)
    children, worst = np.empty(20, np.int64), np.empty(20)
    s.cards[s.player] = 0
    assert lookahead.rival_turns(p, s, me, out, children, 0, worst) == 1
    s.cards[s.player] = 9
    assert lookahead.rival_turns(p, s, me, out, children, 0, worst) == 2
    assert worst[0] <= worst[1]


# --- games, and learning ---


def test_a_learner_beats_three_random_players():
    match = prepare(catan, ("td:epsilon=0", "bahnak", "bahnak", "bahnak"), 8, 1, THESIS)
    wins = 0
    for index, played in enumerate(play_some(match, range(8))):
        assert not played.faults
        wins += played.returns[match.seats(index).index(0)] == 1.0
    assert wins >= 7


def test_weights_are_learnt_by_a_command_that_goes_on(tmp_path):
    def learn(*more):
        return CliRunner().invoke(app, ["learn", "catan", "td", "--seed", "1", *more])

    path = tmp_path / "one.npz"
    first = learn("--games", "2", "--out", str(path), "--json")
    assert first.exit_code == 0, first.output
    assert json.loads(first.stdout)["courses"][0]["games"] == 2
    again = learn("--games", "3", "--out", str(path), "--json")
    assert json.loads(again.stdout)["courses"][0]["games"] == 3
    assert make(catan, f"td:weights={path}").policy["weights"].any()
    shipped, found = np.load(novak.SHIPPED["td-0.8"]), np.load(path)
    assert found["turns"].tolist() == shipped["turns"][:3].tolist()  # made by the same command
    assert np.array_equal(found["middle"], shipped["middle"])
    before = path.read_bytes()
    for more, words in (
        (("--games", "4", "--lambda", "0.5", "--out", str(path)), "learners differs"),
        (("--set", "depht=1", "--out", str(path)), "did you mean depth"),
        (("--lambda", "2", "--out", str(path)), "lambda must be a number from 0 to 1"),
        (("--fixed", "lisk", "--out", str(tmp_path / "new.npz")), "no weights are named 'lisk'"),
        (("--generations", "3", "--out", str(path)), "is learnt by self-play"),
    ):
        result = learn(*more)
        assert result.exit_code == 2 or isinstance(result.exception, KostkaError), words
        assert words in result.output + str(result.exception)
    path.write_bytes(before[:1000])
    assert "not an .npz file" in str(learn("--games", "4", "--out", str(path)).exception)
    assert path.read_bytes() == before[:1000] and [p.name for p in tmp_path.iterdir()] == [
        "one.npz"
    ]


def test_weights_that_come_with_the_game_say_how_they_were_made():
    for name, path in novak.SHIPPED.items():
        found = np.load(Path(path))
        about = json.loads(str(found["about"]))
        [given] = about["learners"].values()
        assert f"td-{given['lambda']:g}" == name
        assert about["options"]["map"] == "variable" and about["seed"] == 1
        assert len(found["turns"]) == len(found["losers"]) > 1000
