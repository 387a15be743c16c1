"""Pig, the example of a game: its rules sentence by sentence, and how to play it best."""

import xml.etree.ElementTree as ElementTree
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np
import pytest

from kostka.agents import make
from kostka.arena.referee import play_game
from kostka.core import play, present, rules
from kostka.core.errors import IllegalAction, KostkaError
from kostka.core.game import game, games
from kostka.core.kernels import kernel
from kostka.core.rng import stream
from kostka.core.state import CHANCE, OVER, State

EXAMPLE = Path(__file__).parents[1] / "examples" / "pig"
ROLL, HOLD = 0, 1


def after(moves: str, goal: int = 100) -> State:
    """The position after these rolls, throws and holds: ``"roll 4 hold"``."""
    state = game("pig").new(seed=1, goal=goal)
    for move in moves.split():
        state.apply(move)
    return state


def position(mine: int, theirs: int, turn: int, goal: int) -> State:
    """The first player to decide, with these points."""
    state = game("pig").new(seed=1, goal=goal)
    state.record.score[:] = mine, theirs
    state.record.turn = turn
    return state


# --- perfect play ---


@kernel
def improve(value, goal):
    """Look one decision ahead everywhere; returns the largest change."""
    most = 0.0
    for mine in range(goal - 1, -1, -1):
        for theirs in range(goal - 1, -1, -1):
            for turn in range(goal - mine - 1, -1, -1):
                better = 1 - value[theirs, mine, 0]
                for face in range(2, 7):
                    better += value[mine, theirs, turn + face]
                better /= 6
                if turn > 0:
                    better = max(better, 1 - value[theirs, mine + turn, 0])
                most = max(most, abs(better - value[mine, theirs, turn]))
                value[mine, theirs, turn] = better
    return most


def solve(goal: int) -> np.ndarray:
    """The chance of the player on turn to win, by ``[mine][theirs][turn]``, if both play best."""
    value = np.full((goal, goal, goal + 6), 0.5)
    mine, _, turn = np.indices(value.shape)
    value[mine + turn >= goal] = 1.0
    while improve(value, goal) > 1e-12:
        pass
    return value


@pytest.fixture(scope="module")
def best() -> np.ndarray:
    return solve(100)


def holds(value: np.ndarray, mine: int, theirs: int, turn: int) -> bool:
    """Whether holding is best."""
    roll = 1 - value[theirs, mine, 0] + value[mine, theirs, turn + 2 : turn + 7].sum()
    return mine + turn >= len(value) or 1 - value[theirs, mine + turn, 0] > roll / 6


def test_who_begins_wins_as_often_as_was_published(best):
    """Neller and Presser, Optimal play of the dice game Pig (2004)."""
    assert best[0, 0, 0] == pytest.approx(0.5306, abs=1e-4)


def test_perfect_play_begins_by_holding_at_21(best):
    assert next(turn for turn in range(2, 100) if holds(best, 0, 0, turn)) == 21


def test_perfect_play_risks_everything_when_both_are_near_the_goal(best):
    """With 71 points or more on either side it is best to roll for the goal."""
    assert not any(holds(best, 75, 75, turn) for turn in range(2, 25))
    assert holds(best, 75, 75, 25)


def look_ahead(state: State, value: np.ndarray) -> float:
    """What the first player may hope for here, from the rules as they are and the values after."""
    if state.over:
        return state.returns[0]
    if state.mover == CHANCE:
        return sum(p * look_ahead(state.copy().apply(o), value) for o, p in state.outcomes)
    score, turn = state.record.score, state.record.turn
    if state.mover == 0:
        return value[score[0], score[1], turn]
    return 1 - value[score[1], score[0], turn]


def test_the_rules_and_the_values_of_perfect_play_agree():
    """From any position the best decision is worth exactly what the position is worth."""
    goal = 30
    value = solve(goal)
    assert value[0, 0, 0] == pytest.approx(0.567915, abs=1e-6)
    chooser = np.random.default_rng(1)
    for mine, theirs in chooser.integers(0, goal, (60, 2)):
        turn = int(chooser.integers(0, goal - mine))
        state = position(mine, theirs, turn, goal)
        worth = max(look_ahead(state.copy().apply(a), value) for a in state.legal_actions)
        assert worth == pytest.approx(value[mine, theirs, turn], abs=1e-9)


# --- the rules ---


def test_nobody_has_points_in_the_beginning():
    state = after("")
    assert state.scores == [0, 0]
    assert state.mover == 0


def test_a_turn_begins_with_a_roll():
    state = after("")
    assert [state.text(a) for a in state.legal_actions] == ["roll"]
    assert state.why_not(HOLD) == "roll first: there is nothing to hold yet"
    for move in (HOLD, "hold"):
        with pytest.raises(IllegalAction, match="roll first"):
            state.apply(move)
    assert after("roll 4 hold").legal_actions == after("roll 1").legal_actions == [ROLL]


def test_every_face_of_the_die_is_as_likely():
    state = after("roll")
    assert state.mover == CHANCE
    assert [state.text(face) for face, _ in state.outcomes] == ["1", "2", "3", "4", "5", "6"]
    assert [p for _, p in state.outcomes] == pytest.approx([1 / 6] * 6)


@pytest.mark.parametrize("face", [2, 3, 4, 5, 6])
def test_a_throw_adds_to_the_turn_and_nothing_is_safe_yet(face):
    state = after(f"roll 5 roll {face}")
    assert state.record.turn == 5 + face
    assert state.scores == [0, 0]
    assert state.mover == 0
    assert [state.text(a) for a in state.legal_actions] == ["roll", "hold"]


def test_a_1_loses_the_points_of_the_turn_and_ends_it():
    state = after("roll 6 hold roll 3 hold roll 6 roll 6 roll 1")
    assert state.scores == [6, 3]
    assert state.record.turn == 0
    assert state.mover == 1


def test_holding_makes_the_points_of_the_turn_safe_and_ends_it():
    state = after("roll 6 roll 5 hold")
    assert state.scores == [11, 0]
    assert state.record.turn == 0
    assert state.mover == 1
    assert after("roll 6 hold roll 4 hold roll 2 hold").scores == [8, 4]


def test_reaching_the_goal_wins_only_when_it_is_held():
    state = after("roll 6 roll 4", goal=10)
    assert not state.over
    assert after("roll 6 roll 4 roll 1", goal=10).scores == [0, 0]
    state.apply("hold")
    assert state.over and state.mover == OVER
    assert state.returns == [1, 0]
    assert state.scores == [10, 0]


def test_more_than_the_goal_wins_as_well_and_less_does_not():
    assert after("roll 6 roll 6 hold", goal=10).returns == [1, 0]
    assert not after("roll 6 roll 3 hold", goal=10).over


def test_the_second_player_wins_in_the_same_way():
    state = after("roll 1 roll 6 roll 6 hold", goal=12)
    assert state.returns == [0, 1]
    assert state.why_not(ROLL) == "the game is over"


def test_every_game_ends():
    state = game("pig").new(seed=1, goal=1000)
    one, width = state.buffer.copy(), game("pig").width
    out, prob = np.empty(width, np.int64), np.empty(width)
    uniform = game("pig").policies["uniform"]
    rng = stream(1)
    for _ in range(50):
        one[:] = state.buffer
        decisions = play.playout(one[0], uniform[0], out, prob, rng, game("pig").length)
        assert decisions < game("pig").length
        assert rules.mover(one[0]) == OVER


# --- options, words, picture and evaluation ---


def test_the_goal_is_an_option():
    assert game("pig").new(seed=1).record.goal == 100
    assert game("pig").new(seed=1, goal=30).record.goal == 30
    for goal in (9, 1001, "many"):
        with pytest.raises(KostkaError, match="goal must be a whole number from 10 to 1000"):
            game("pig").new(seed=1, goal=goal)
    with pytest.raises(KostkaError, match="players must be a whole number from 2 to 2"):
        game("pig").new(seed=1, players=3)


def test_the_phases_have_names():
    assert [after(m, 10).phase for m in ("", "roll", "roll 6 roll 6 hold")] == [
        "turn",
        "throw",
        "over",
    ]


def test_the_picture_shows_the_points_the_turn_and_the_die():
    state = after("roll 6 roll 5 hold roll 4 roll 3 hold roll 2 roll 5")
    drawing = ElementTree.fromstring(state.svg)
    words = " ".join(
        "".join(t.itertext()) for t in drawing.iter("{http://www.w3.org/2000/svg}text")
    )
    assert all(mark in words for mark in ("●", "▲", "11", "7", "⚄", "+7"))
    bars = [float(r.get("width")) for r in drawing.iter("{http://www.w3.org/2000/svg}rect")]
    assert bars == pytest.approx([240, 240 * 0.18, 240 * 0.11, 240, 240 * 0.07, 240 * 0.07])
    assert max(bars) <= 240
    won = ElementTree.fromstring(after("roll 6 roll 6 hold", goal=10).svg)
    assert max(float(r.get("width")) for r in won.iter("{http://www.w3.org/2000/svg}rect")) == 240


def test_the_evaluation_is_near_the_truth(best):
    """Within a tenth on average, from 0 to 1, and the same for both sides."""
    race = game("pig").evaluations["race"][0]
    chooser = np.random.default_rng(1)
    errors = []
    for mine, theirs in chooser.integers(0, 100, (500, 2)):
        turn = int(chooser.integers(0, 100 - mine))
        s = position(mine, theirs, turn, 100).record
        value = rules.evaluate(race, s, 0)
        assert 0 <= value <= 1
        assert rules.evaluate(race, s, 1) == pytest.approx(1 - value)
        errors.append(value - best[mine, theirs, turn])
    assert np.sqrt(np.mean(np.square(errors))) < 0.1


def test_the_evaluation_never_falls_as_the_turn_brings_more():
    race = game("pig").evaluations["race"][0]
    values = [rules.evaluate(race, position(40, 60, k, 100).record, 0) for k in range(300)]
    assert values == sorted(values)


# --- on a page ---


def test_it_is_played_with_two_buttons():
    v = after("roll 4").view(0)
    assert [present.clicks(v, a) for a in v.legal_actions] == [["!roll"], ["!hold"]]
    assert [present.why_not(v, [button]) for button in ("!roll", "!hold")] == [None, None]
    fresh = after("")
    assert present.why_not(fresh.view(0), ["!hold"]) == "roll first: there is nothing to hold yet"
    assert present.why_not(fresh.view(1), ["!roll"]) == "it is not your turn: Blue is to move"


def test_the_page_says_what_is_expected():
    names = ["Anna", "Bob"]
    state = after("roll 6 hold roll 5")
    assert present.status(state.view(1), names) == "Your turn: roll the die or hold 5 points."
    assert present.status(state.view(0), names) == "Orange (Bob) is to move."
    assert [state.describe(a) for a in state.legal_actions] == ["roll the die", "hold 5 points"]
    assert after("roll").describe(3) == "the die shows 3"
    won = after("roll 6 roll 6 hold", goal=10)
    assert [present.status(won.view(p), names) for p in range(2)] == [
        "You have won.",
        "Blue (Anna) has won.",
    ]


def test_the_page_shows_points_that_are_safe_and_points_at_stake():
    assert present.players(after("roll 6 hold roll 5 roll 4").view(0)) == [
        [("points", "6"), ("this turn", "0")],
        [("points", "0"), ("this turn", "9")],
    ]


def test_the_page_lets_the_die_roll():
    before, then = after("roll 6 roll"), after("roll 6 roll 5")
    (effect,) = present.effects(before.view(1), before.parse("5"), then.view(1))
    assert effect == {"kind": "dice", "at": "die", "faces": [[5]]}
    assert f'id="{effect["at"]}"' in present.drawing(then.view(1))[1]
    assert present.effects(then.view(0), HOLD, then.copy().apply("hold").view(0)) == []


# --- as an example ---


def test_it_is_found_by_its_entry_point():
    """If not: pip install -e examples/pig."""
    (entry,) = entry_points(group="kostka.games", name="pig")
    assert entry.value == "kostka_pig:game"
    assert games()["pig"] is entry.load()
    assert game("pig").title == "Pig"


def test_the_rules_are_loaded_only_when_they_are_needed(python):
    code = """
        import sys
        from kostka.core.game import game
        pig = game("pig")
        print(pig.options[1].name, "numba" in sys.modules, "kostka_pig.rules" in sys.modules)
    """
    assert python(code) == "goal False False"


def test_it_is_short():
    lines = [line for f in EXAMPLE.glob("src/**/*.py") for line in f.read_text().splitlines()]
    assert 80 < len(lines) < 140
    assert max(map(len, lines)) <= 100


def test_what_the_readme_shows_is_true():
    state = game("pig").new(seed=1, goal=50)
    state.apply("roll").apply("5")
    assert state.text(state.legal_actions[1]) == "hold"


# --- our search agents and perfect play ---


def regret(spec: str, value: np.ndarray) -> float:
    """What an agent's decisions lose on average against perfect play, at many positions."""
    agent = make(game("pig"), spec)
    chooser = np.random.default_rng(1)
    lost = []
    while len(lost) < 150:
        mine, theirs = chooser.integers(0, 100, 2)
        turn = int(chooser.integers(2, 40))
        if mine + turn < 100:
            state = position(mine, theirs, turn, 100)
            chosen = look_ahead(state.copy().apply(agent.act(state.view(0))), value)
            lost.append(value[mine, theirs, turn] - chosen)
    return float(np.mean(lost))


def test_search_approaches_perfect_play_as_it_looks_further(best):
    blind = regret("random", best)
    shallow, deep = (regret(f"expectimax:depth={depth}", best) for depth in (2, 5))
    assert deep < shallow / 3 < blind / 10
    assert deep < 0.001
    few, many = (
        regret(f"mcts:iterations={n},luck=6,rollout=0,eval=race,c=0.3", best) for n in (30, 4000)
    )
    assert many < few / 3 < blind
    assert many < 0.003


def test_against_perfect_play_a_search_wins_nearly_as_often_as_perfect_play_does(best):
    """Who begins wins 53.06 % if both are perfect, and expectimax is nearly so."""

    class Perfect:
        def act(self, view):
            s, me = view.record, view.seat
            theirs = int(s.score[1 - me])
            return HOLD if s.turn and holds(best, int(s.score[me]), theirs, s.turn) else ROLL

    games, won = 600, 0.0
    for seed in range(games):
        agents = [make(game("pig"), "expectimax:depth=3"), Perfect()]
        won += play_game(game("pig"), game("pig").check({}), agents, seed).returns[0]
    assert abs(won / games - 0.5306) < 4 * np.sqrt(0.25 / games)
