"""Self-play: players of a game learn by temporal differences while they play each other.

A seat learns at the ends of its own turns only: a position in the midst of a turn, or one in which
somebody else's offer is answered, would teach to do little, not to win soon. Every seat learns on
its own during a game; afterwards the seats of one member agree on the mean of their weights. Games
follow one another, so a course is one job after the other; courses go side by side.
"""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from kostka.core import rules
from kostka.core.errors import KostkaError
from kostka.core.game import Game, Value, game_at, place_of
from kostka.core.kernels import kernel
from kostka.core.memory import copy, restore, words
from kostka.core.record import clone
from kostka.core.rng import below, for_decision
from kostka.learn import checkpoint, td
from kostka.learn.fitness import Starts, starts
from kostka.learn.td import MONTE_CARLO, RANDOM, SURVEY

#: Games that are played before a checkpoint; and the games of a survey.
CHUNK = 50
SURVEYED = 200

#: What an episode says instead of its decisions: the game did not end, or ``met`` has no room.
ENDLESS, FULL = -1, -2

#: Positions of an episode that are remembered to begin with.
ROOM = 64


@kernel
def episode(
    states, views, players, z, x, y, old, begun, met, gains, points, returns, luck, rngs, out, prob,
    limit,
):  # fmt: skip
    """Play a game from which each seat that learns does so; returns the decisions made.

    A row of ``z``, ``x``, ``y`` and ``met`` is that of a seat; ``begun`` counts its ended turns.
    """
    s, view, rng = states[0], views[0], words(2)
    copy(view, s)
    n = codes = last = 0
    turn = rules.turns(s)
    while rules.mover(s) != rules.OVER:
        if n == limit:
            return ENDLESS
        m = rules.mover(s)
        if m == rules.CHANCE:
            code = rules.sample(s, out, prob, luck[rules.luck_source(s)])
        else:
            restore(view, s)
            rules.redact(view, m)
            for_decision(rng, rngs[m], codes)
            if players[m].method == RANDOM or players[m].method == SURVEY:
                code = out[below(rng, rules.legal(view, out))]
            else:
                code = rules.policy(players[m], view, out, rng)
            last = m
            n += 1
        rules.apply(s, code)
        codes += 1
        if rules.turns(s) != turn:
            turn = rules.turns(s)
            if players[last].method >= SURVEY and rules.mover(s) != rules.OVER:
                restore(view, s)
                rules.redact(view, last)
                p = players[last]
                if p.method == MONTE_CARLO and begun[last] == met.shape[1]:
                    return FULL
                look(p, view, last, y[last])
                turn_ended(p, last, z[last], x[last], y[last], old, begun, met[last])
    rules.returns(s, returns)
    rules.score(s, points)
    for m in range(len(players)):
        p = players[m]
        if p.method > SURVEY and begun[m] > 0:
            reward = td.final_reward(p, points[m], returns[m] == 1.0)
            if p.method == MONTE_CARLO:
                td.whole_episode(p, p.weights, met[m], begun[m], gains, reward)
            else:
                for i in range(len(p.weights)):
                    y[m, i] = 0.0
                td.step(p, p.weights, z[m], x[m], y[m], old[m], reward)
    return n


@kernel
def look(p, s, player, out):
    """The features of a position; zeros for whoever has lost."""
    if rules.features(p, s, player, out) == 0:
        for i in range(len(out)):
            out[i] = 0.0


@kernel
def turn_ended(p, m, z, x, y, old, begun, met):
    """Learn from the step that ends here, if one has begun; the next one begins."""
    if p.method == SURVEY:
        for i in range(len(y)):
            z[i] += y[i]
            x[i] += y[i] * y[i]
    elif p.method == MONTE_CARLO:
        for i in range(len(y)):
            met[begun[m], i] = y[i]
    else:
        if begun[m] > 0:
            old[m] = td.step(p, p.weights, z, x, y, old[m], p.per_turn)
        for i in range(len(y)):
            x[i] = y[i]
    begun[m] += 1


# --- courses ---


@dataclass(frozen=True)
class Course:
    """What is learnt: who plays whom, and by which settings, over how many games."""

    place: str
    options: tuple[tuple[str, Value], ...]
    #: Who takes part, each a record with td's ``fields``, and what each is called.
    members: np.ndarray
    names: tuple[str, ...]
    #: The module that says what the members see and do.
    module: str
    #: The member of each seat in the first game; from game to game the seats move on.
    seats: tuple[int, ...]
    key: tuple[object, ...]
    #: From which game on a setting of all who learn is what: ``{"epsilon": ((0, 0.4), …)}``.
    schedule: Mapping[str, tuple[tuple[int, float], ...]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, game: Game, options: Mapping[str, Any], members: np.ndarray, names: tuple[str, ...],
        module: str, seats: tuple[int, ...], key: tuple[object, ...],
        schedule: Mapping[str, tuple[tuple[int, float], ...]],
    ) -> "Course":  # fmt: skip
        """With the game's options checked: so many play as there are seats."""
        checked = game.check({**options, "players": len(seats)})
        state = starts(place_of(game), tuple(checked.items()), 1, (*key, "look")).states[0]
        if rules.turns(state) < 0:
            raise KostkaError(f"{game.name} does not count its turns, so it teaches none")
        given = tuple(checked.items())
        return cls(place_of(game), given, members, names, module, seats, key, schedule)

    def drawn(self, number: int) -> tuple[Starts, int]:
        """The starts among which that of a game is, and where."""
        chunk, at = divmod(number, CHUNK)
        key = (*self.key, "games", chunk)
        return starts(self.place, self.options, CHUNK, key), at

    def seated(self, number: int) -> list[int]:
        """The member of each seat in a game."""
        count = len(self.seats)
        return [self.seats[(seat + number) % count] for seat in range(count)]

    def setting(self, name: str, number: int) -> float | None:
        """What the schedule says of a setting in a game, if anything."""
        said = [value for first, value in self.schedule.get(name, ()) if first <= number]
        return said[-1] if said else None

    @property
    def learns(self) -> np.ndarray:
        """Which of the members learn."""
        return np.asarray(self.members["method"] > SURVEY)


@dataclass(frozen=True)
class Learnt:
    """How far a course has come: everybody's weights, and of each game its length in turns, the
    mean points of those who did not win it, and the member who won, -1 for nobody."""

    weights: np.ndarray
    turns: np.ndarray
    losers: np.ndarray
    winner: np.ndarray

    @classmethod
    def nothing(cls, course: Course) -> "Learnt":
        """Before the first game."""
        whole = np.empty(0, np.int64)
        return cls(course.members["weights"].copy(), whole, np.empty(0), whole)

    @property
    def games(self) -> int:
        return len(self.turns)


def play(course: Course, learnt: Learnt, games: int) -> Learnt:
    """Play so many games more, and learn from each."""
    game = game_at(course.place)
    importlib.import_module(course.module)
    seats, count = len(course.seats), learnt.weights.shape[1]
    weights = learnt.weights.copy()
    out, prob = np.empty(game.width, np.int64), np.empty(game.width)
    points, returns = np.zeros((2, seats))
    remembers = bool((course.members["method"] == MONTE_CARLO).any())
    met, gains = np.empty((seats, ROOM if remembers else 1, count)), np.empty(ROOM)
    told: list[tuple[int, float, int]] = []
    for number in range(learnt.games, learnt.games + games):
        drawn, at = course.drawn(number)
        who = course.seated(number)
        while True:
            players = clone(course.members[who])
            players["weights"] = weights[who]
            for name in course.schedule:
                if (now := course.setting(name, number)) is not None:
                    players[name][course.learns[who]] = now
            state = clone(drawn.states[at : at + 1])
            points[:], returns[:] = 0, 0
            z, x, y = np.zeros((3, seats, count))
            made = episode(
                state, np.empty_like(state), players, z, x, y, np.zeros(seats),
                np.zeros(seats, np.int64), met, gains, points, returns,
                drawn.luck[at].copy(), drawn.rngs[at], out, prob, game.length,
            )  # fmt: skip
            if made != FULL:
                break
            met, gains = np.empty((seats, 2 * len(gains), count)), np.empty(2 * len(gains))
        if made == ENDLESS:
            raise KostkaError(f"{game.name} did not end within {game.length} decisions")
        for member in np.flatnonzero(course.learns).tolist():
            own = [seat for seat in range(seats) if who[seat] == member]
            weights[member] = sum(players["weights"][seat] for seat in own) / len(own)
        if not np.isfinite(weights).all():
            raise KostkaError(
                f"the weights grew beyond all numbers in game {number + 1}; take a smaller alpha"
            )
        won = returns == 1.0
        lost = points[~won]
        winner = who[int(np.argmax(won))] if won.any() else -1
        told.append((int(rules.turns(state[0])), float(lost.mean()) if len(lost) else 0.0, winner))
    return Learnt(
        weights,
        np.r_[learnt.turns, [turns for turns, _, _ in told]],
        np.r_[learnt.losers, [losers for _, losers, _ in told]],
        np.r_[learnt.winner, [winner for _, _, winner in told]],
    )


def go_on(
    course: Course,
    games: int,
    *,
    run: Callable[..., Any] = map,
    keep: Callable[[Learnt], None] = lambda learnt: None,
    so_far: Learnt | None = None,
) -> Learnt:
    """Play up to so many games, or go on with a course; ``keep`` gets each checkpoint.

    ``run`` is like the ``map`` of Python and says where the games are played.
    """
    learnt = so_far or Learnt.nothing(course)
    while learnt.games < games:
        more = min(CHUNK - learnt.games % CHUNK, games - learnt.games)
        [learnt] = run(play, [course], [learnt], [more])
        keep(learnt)
    return learnt


def survey(
    game: Game, options: Mapping[str, Any], learner: np.ndarray, key: tuple[object, ...],
    games: int = SURVEYED,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """The mean and the deviation of each feature at the ends of turns in random games."""
    players = int(game.check(options)["players"])
    course = Course.of(
        game, options, clone(learner), ("survey",), __name__, (0,) * players, (*key, "survey"), {}
    )
    count = learner["weights"].shape[1]
    total, squares, met = np.zeros(count), np.zeros(count), 0
    out, prob = np.empty(game.width, np.int64), np.empty(game.width)
    for number in range(games):
        drawn, at = course.drawn(number)
        one = clone(course.members[list(course.seats)])
        one["method"] = SURVEY
        state = clone(drawn.states[at : at + 1])
        z, x, y = np.zeros((3, players, count))
        begun = np.zeros(players, np.int64)
        episode(
            state, np.empty_like(state), one, z, x, y, np.zeros(players), begun,
            np.empty((players, 1, count)), np.empty(1), np.zeros(players), np.zeros(players),
            drawn.luck[at].copy(), drawn.rngs[at], out, prob, game.length,
        )  # fmt: skip
        total, squares, met = total + z.sum(axis=0), squares + x.sum(axis=0), met + begun.sum()
    mean = total / met
    return mean, np.sqrt(np.maximum(0.0, squares / met - mean**2))


# --- files ---


def save(
    path: Path, learnt: Learnt, about: Mapping[str, Any], also: Mapping[str, np.ndarray]
) -> None:
    """Write all that it takes to go on, and what it is about."""
    checkpoint.save(path, {**also, **vars(learnt)}, about)


def load(path: Path, about: Mapping[str, Any], course: Course) -> Learnt | None:
    """The course that a file holds, None if there is none; it must be about the same."""
    found = checkpoint.load(path, about, "course of self-play")
    if found is None:
        return None
    try:
        learnt = Learnt(*(found[name] for name in ("weights", "turns", "losers", "winner")))
    except KeyError:
        raise checkpoint.other(path, "course of self-play") from None
    rows = {learnt.turns.shape, learnt.losers.shape, learnt.winner.shape}
    if learnt.weights.shape != course.members["weights"].shape or len(rows) != 1:
        raise KostkaError(f"{path} is damaged; choose another file")
    return learnt
