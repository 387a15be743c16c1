"""A search that is kept from decision to decision, and one made anew: they decide the same."""

import numpy as np
import pytest

from kostka.agents import make
from kostka.agents.base import Observation
from kostka.agents.generic import MOST_KEPT
from kostka.agents.session import Session, observation
from kostka.core import rules
from kostka.core.game import game
from kostka.core.rng import for_decision, for_event, of_decision, stream

SPEC = "mcts:iterations=60"


def play_both(name, decisions, **options):
    """Sessions kept, and for every decision one made anew, which must find the same.

    Yields, for each decision, how many iterations the tree had before it was searched.
    """
    one = game(name)
    state = one.new(seed=3, **options)
    start, luck, codes = state.copy(), stream(4), []
    kept = [Session(one, SPEC, seat, stream(3, seat)) for seat in range(state.players)]
    for session in kept:
        session.begin()
    while not state.over and decisions > 0:
        if state.mover == rules.CHANCE:
            code = state.draw(luck)
        else:
            view, mine = state.view(state.mover), kept[state.mover]
            before = mine.agent.search
            code = mine.act(view, len(codes))
            if len(view.legal_actions) > 1:
                anew = Session(one, SPEC, mine.seat, stream(3, mine.seat))
                anew.begin()
                anew.recall(start.copy(), codes)
                assert anew.act(view, len(codes)) == code
                assert anew.agent.search.root == mine.agent.search.root
                assert anew.agent.search.iterations >= 60
                yield mine.agent.search is before
                decisions -= 1
        for session in kept:
            session.observe(observation(state, code, session.seat))
        state.apply(code)
        codes.append(code)


def test_a_tree_goes_on_from_transfer_to_transfer_and_decides_as_one_made_anew():
    went_on = list(play_both("dicewars", 40, edition=2021))
    assert 3 < sum(went_on) < 37  # attacks are answered by luck


def test_a_tree_goes_on_within_a_double_move_of_mr_x():
    went_on = list(play_both("scotland-yard", 30, players=2))
    assert 0 < sum(went_on) < 15


def test_where_luck_answers_every_action_each_search_is_new():
    assert not any(play_both("pig", 12))


def turn_of_transfers(count, spec=SPEC):
    """A session that decides so often in a row, each time told that it made the first transfer.

    Gives the session, where the game is then, and the searches.
    """
    state, known = game("dicewars").new(seed=1, edition=2021), []
    session = Session(game("dicewars"), spec, state.mover, stream(1))
    session.begin()
    for at in range(count):
        view = state.view(state.mover)
        session.act(view, at)
        known.append(session.agent.search)
        transfer = next(a for a in view.legal_actions if "=" in view.text(a))
        session.observe(Observation(state.mover, view.text(transfer), view))
        state.apply(transfer)
    return session, state, known


def test_after_a_few_decisions_a_tree_begins_anew():
    _, _, known = turn_of_transfers(MOST_KEPT + 2)
    assert all(search is known[0] for search in known[: MOST_KEPT + 1])
    assert known[-1] is not known[0]


@pytest.mark.parametrize(("by", "text"), [(rules.CHANCE, "win"), (1, "end")])
def test_anything_that_happens_in_between_ends_a_tree(by, text):
    session, state, known = turn_of_transfers(2)
    assert known[0] is known[1]
    session.observe(Observation(by, text))
    session.act(state.view(state.mover), 3)
    assert session.agent.search is not known[1]


def test_a_search_by_time_is_new_for_every_decision():
    _, _, known = turn_of_transfers(2, "mcts:seconds=0.01")
    assert known[0] is not known[1]


def test_asked_again_it_decides_the_same():
    session, state, _ = turn_of_transfers(2)
    answers = []
    for _ in range(2):
        answers.append((session.act(state.view(state.mover), 2), session.agent.search.root))
    assert answers[0] == answers[1]


def test_what_a_decision_drew_from_is_known_when_it_is_told_of():
    whole, told, found, expected = stream(7), *np.zeros((3, 2), np.uint64)
    for event in (0, 1, 5, 70_000):
        for_event(told, whole, event)
        for_decision(expected, whole, event)
        of_decision(found, told)
        assert (found == expected).all()


def test_the_options_of_a_search_reach_it():
    view = game("dicewars").new(seed=1).view(0)
    agent = make(game("dicewars"), "mcts:iterations=30,history=2,trust=0.5,nodes=20,luck=3")
    agent.act(view)
    q = agent.search.settings[0]
    assert (q.history, q.trust, q.luck, len(agent.search.tree)) == (2.0, 0.5, 3, 20)
