"""One life of an agent: whoever is rated in the arena is whoever people meet at a table."""

import numpy as np
import pytest

from kostka.agents import make
from kostka.agents.base import Observation
from kostka.agents.session import Misplay, Session
from kostka.agents.spec import levels, parse
from kostka.arena.referee import play_game
from kostka.core import rules
from kostka.core.game import game, games
from kostka.core.rng import stream
from kostka.core.state import begin
from kostka.table.think import Decision, Past, decide

#: Decisions of a seat that are made again in a long game.
AGAIN = 12
#: A level keeps its settings but for its budget: what is compared does not depend on it.
BUDGET = 60


def brief(spec):
    name, given = parse(spec)
    if name.startswith("mcts"):
        given.setdefault("iterations", str(BUDGET))
    for key in {"iterations", "simulations"} & given.keys():
        given[key] = str(min(BUDGET, int(given[key])))
    return f"{name}:{','.join(f'{key}={value}' for key, value in given.items())}".rstrip(":")


def made_anew(one, options, spec, seed, codes):
    """Each decision in a game as the table has it made: by a session that is made for it alone."""
    start = begin(one, options, seed)
    state, observes = start.copy(), hasattr(make(one, spec), "observe")
    for at, code in enumerate(codes):
        mover = state.mover
        if mover >= 0 and len(state.legal_actions) > 1:
            past = Past(start.buffer.tobytes(), tuple(codes[:at])) if observes else None
            own = stream(seed, "agent", mover).tobytes()
            view = state.view(mover).buffer.tobytes()
            yield mover, code, Decision(one.name, options, spec, mover, own, at, view, past)
        rules.apply(state.record, code)


@pytest.mark.parametrize(
    ("name", "level"), [(name, level) for name in games() for level in levels(game(name))]
)
def test_an_agent_kept_alive_and_one_made_anew_decide_the_same(name, level):
    one, spec = game(name), brief(levels(game(name))[level])
    options = one.check({})
    played = play_game(one, options, [make(one, spec) for _ in one.teams(options)], seed=3)
    assert not played.faults
    every = [*made_anew(one, options, spec, 3, played.codes.tolist())]
    for seat in sorted({mover for mover, _, _ in every}):
        mine = [(code, wanted) for mover, code, wanted in every if mover == seat]
        some = mine[:: max(1, len(mine) // AGAIN)]
        assert [decide(wanted).action for _, wanted in some] == [code for code, _ in some]
    assert every


@pytest.mark.parametrize("theirs", ["mcts-sova", "mcts-gerza", "alphabeta:depth=2", "exact"])
def test_what_detectives_agreed_on_and_mr_x_found_out_about_them_is_not_forgotten(theirs):
    """Mr X gets to know the detectives: one who forgets them is caught twice as often."""
    grid = game("scotland-yard-grid")
    options, specs = grid.check({}), ["solver", brief(theirs), brief(theirs)]
    agents = [make(grid, spec) for spec in specs]
    played = play_game(grid, options, agents, seed=5)
    assert not played.faults
    every = [
        one
        for seat, spec in enumerate(specs)
        for one in made_anew(grid, options, spec, 5, played.codes.tolist())
        if one[0] == seat
    ]
    assert [decide(wanted).action for _, _, wanted in every] == [code for _, code, _ in every]
    assert len(every) > 9


class Diary:
    """Writes down all that it draws and is told."""

    def __init__(self):
        self.told = []

    def begin(self, seat, rng):
        self.rng = rng

    def observe(self, event):
        self.told.append((event.by, event.text, int(self.rng[0])))

    def act(self, view):
        self.told.append(("act", int(self.rng[0])))
        self.rng[0] += np.uint64(1)  # whatever is drawn here is forgotten before the next event
        return view.legal_actions[0]


def test_what_an_agent_draws_does_not_depend_on_what_it_drew_before():
    pig = game("pig")
    view = pig.new(seed=1).settle(stream(1))
    view = view.view(view.mover)
    often, once = (Session(pig, Diary(), view.seat, stream("x")) for _ in range(2))
    for session in (often, once):
        session.begin()
    for _ in range(3):
        often.act(view, 5)
    for session in (often, once):
        session.observe(Observation(-1, "6"))
        session.act(view, 7)
    assert often.agent.told[-2:] == once.agent.told[-2:]
    assert len({draw for *_, draw in often.agent.told}) == 3


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (999, "illegal action"),
        (-1, "illegal action"),
        (0.5, "nonsense"),
        (float("nan"), "nonsense"),
        (float("inf"), "nonsense"),
        ("fly", "nonsense"),
        (None, "nonsense"),
        (10**400, "illegal action"),
    ],
)
def test_an_answer_that_is_no_legal_action_is_refused_in_a_sentence(answer, words):
    class Wrong:
        def act(self, view):
            return answer

    pig = game("pig")
    state = pig.new(seed=1).settle(stream(1))
    session = Session(pig, Wrong(), state.mover, stream("x"))
    session.begin()
    with pytest.raises(Misplay, match=words):
        session.act(state.view(state.mover), 1)
