"""Games of a teacher to learn from."""

from collections.abc import Callable, Iterator

from kostka.agents.base import Agent
from kostka.agents.spec import make
from kostka.core.game import Game
from kostka.core.rng import below, stream
from kostka.core.state import State, begin
from kostka.games.scotlandyard.state import FUGITIVE


def games_of(
    game: Game,
    teacher: str,
    games: int,
    seed: int,
    watch: Callable[[int], None] = lambda n: None,
    mr_x: Callable[[], Agent] | None = None,
) -> Iterator[tuple[State, int]]:
    """Each position with the action taken there, in games of a teacher on every seat.

    Mr X may be somebody else.
    """
    for number in range(games):
        own = stream(seed, number, "lesson")
        state = begin(game, game.check({}), int(below(own, 1 << 31))).settle(own)
        agents = [make(game, teacher) for _ in range(state.players)]
        if mr_x is not None:
            agents[FUGITIVE] = mr_x()
        for seat, agent in enumerate(agents):
            if hasattr(agent, "begin"):
                agent.begin(seat, stream(seed, number, "teacher", seat))
        while not state.over:
            action = int(agents[state.mover].act(state.view(state.mover)))
            yield state, action
            state.apply(action)
        watch(number + 1)
