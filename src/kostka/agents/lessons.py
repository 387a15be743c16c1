"""What agents and evaluations of a game learn, and the games of teachers that they learn from."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial

import numpy as np

from kostka.agents.base import Agent, Lesson
from kostka.agents.evolution import Evolution
from kostka.agents.selfplay import SelfPlay
from kostka.agents.session import Session, observation
from kostka.agents.spec import make
from kostka.core import plugins, rules
from kostka.core.game import Game, Value
from kostka.core.rng import below, stream, streams
from kostka.core.state import CHANCE, begin
from kostka.learn import logit
from kostka.learn.example import Example

#: Who teaches an evaluation of a game that names nobody.
TEACHER = "mcts:iterations=100"


@cache
def lessons(game: Game) -> dict[str, Lesson | Evolution | SelfPlay]:
    """What can be learnt of a game: its learnt evaluations, and what its agents declare."""
    found: dict[str, Lesson | Evolution | SelfPlay] = {
        name: evaluation(name, TEACHER) for name in game.logits
    }
    for entry in plugins.named("kostka.agents"):
        if entry.name == game.name:
            found.update(getattr(entry.load(), "LESSONS", {}))
    return found


def evaluation(
    name: str,
    *teachers: str,
    players: tuple[int, ...] = (),
    options: tuple[Mapping[str, Value], ...] = (),
) -> Lesson:
    """The lesson of a learnt evaluation, from games of these teachers."""
    return Lesson("a chance to win", partial(_learn, name), teachers, players, options)


def _learn(name: str, game: Game, examples: Iterator[Example]) -> dict:
    return logit.learn(game, name, examples)


def games_of(
    game: Game,
    teachers: Sequence[str],
    games: int,
    seed: int,
    players: Sequence[int] = (),
    watch: Callable[[int], None] = lambda n: None,
    others: Mapping[int, Callable[[], Agent]] | None = None,
    options: Sequence[Mapping[str, Value]] = (),
) -> Iterator[Example]:
    """Games between teachers drawn by lot for each seat, but for those that ``others`` take.

    The number of players is drawn from ``players``, and a set of further options from ``options``;
    of none it is as usual in the game.
    """
    for number in range(games):
        lot = stream(seed, number, "lesson")
        given = {"players": players[below(lot, len(players))]} if players else {}
        given |= options[below(lot, len(options))] if options else {}
        checked = game.check(given)
        drawn = [teachers[below(lot, len(teachers))] for _ in game.teams(checked)]
        agents = [make(game, spec) for spec in drawn]
        for seat, made in (others or {}).items():
            agents[seat] = made()
        yield play(game, checked, agents, int(below(lot, 1 << 31)))
        watch(number + 1)


def play(game: Game, options: Mapping[str, Value], agents: Sequence[Agent], seed: int) -> Example:
    """A game between agents that are trusted to keep the rules."""
    state = begin(game, options, seed)
    first, luck = state.copy(), streams(game.streams, seed, "luck")
    sessions = [
        Session(game, agent, seat, stream(seed, "agent", seat)) for seat, agent in enumerate(agents)
    ]
    for session in sessions:
        session.begin()
    codes: list[int] = []
    while not state.over:
        mover = state.mover
        if mover == CHANCE:
            code = state.draw(luck[rules.luck_source(state.record)])
        else:
            code = sessions[mover].act(state.view(mover), len(codes))
        for session in sessions:
            if session.observes:
                session.observe(observation(state, code, session.seat))
        rules.apply(state.record, code)
        codes.append(code)
    return Example(first, np.array(codes, np.int64), state.returns)
