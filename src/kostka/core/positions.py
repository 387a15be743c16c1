"""Positions to prove laws on: games under all kinds of options, sampled phase by phase."""

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from kostka.core import rules
from kostka.core.errors import KostkaError
from kostka.core.game import Game, Option, Value
from kostka.core.rng import stream
from kostka.core.state import CHANCE, OVER, PUBLIC, State, View, begin

#: The states of a game that are kept whole, counted from its start.
PAST = 300

#: A rare phase is sought by looking at so many options, in so many events of a game.
OPTIONS_LOOKED_AT, EVENTS_LOOKED_AT = 32, 400

#: How often a game that seeks rare phases does so at most; otherwise it is played at random.
CURIOSITY = 0.5

#: Games in which all options are mixed, and games played to reach a phase not seen yet.
MIXES, EXTRA_GAMES = 4, 30

#: At most so many options of a node are followed.
BRANCHES = 200

Progress = Callable[[str, float], None]


@dataclass
class Line:
    """One game as it was played, from its seed to its end."""

    game: Game
    options: dict[str, Value]
    seed: int
    codes: list[int] = field(default_factory=list)
    #: The first states, each with the bytes it had when play went on.
    past: list[tuple[State, bytes]] = field(default_factory=list)
    last: State | None = None
    decisions: int = 0
    #: What kept it from being played to its end.
    trouble: str = ""


@dataclass
class Position:
    """A position with the way that led to it."""

    state: State
    line: Line
    at: int
    then: tuple[int, ...] = ()
    #: Its number among those of its phase.
    rank: int = 0

    @property
    def codes(self) -> list[int]:
        return [*self.line.codes[: self.at], *self.then]

    @property
    def viewers(self) -> range:
        """Every seat, and the public."""
        return range(PUBLIC, self.state.players)

    @cached_property
    def options(self) -> list[int]:
        """What can happen next."""
        every = self.state.options_here()
        return self.random("some").sample(every, BRANCHES) if len(every) > BRANCHES else every

    @cached_property
    def after(self) -> dict[int, State]:
        """The state after each option."""
        return {a: follow(self.state, a) for a in self.options}

    def next(self, a: int) -> "Position":
        return Position(self.after[a], self.line, self.at, (*self.then, a))

    def lookalikes(self, viewer: int) -> Iterator[tuple[int, int]]:
        """Pairs of events that this viewer cannot tell apart, though they differ in effect.

        Own actions are no secret, and the end of a game may reveal everything.
        """
        if viewer == self.state.mover:
            return
        first: dict[int, int] = {}
        for b, state in self.after.items():
            if not state.over:
                a = first.setdefault(self.state.seen(b, viewer), b)
                if not same(self.after[a], state):
                    yield a, b

    def stream(self, *use: object) -> np.ndarray:
        """A stream of luck that belongs to this position."""
        return stream(self.line.seed, self.at, self.then, *use)

    def random(self, *use: object) -> random.Random:
        return random.Random(repr((self.line.seed, self.at, self.then, *use)))


@dataclass
class Survey:
    """All that was played to check a game: whole lines, and a sample of positions by phase."""

    game: Game
    seed: int
    lines: list[Line]
    positions: dict[str, list[Position]]


def same(a: View, b: View) -> bool:
    """Whether two states or views are the same, byte for byte."""
    return a.one.tobytes() == b.one.tobytes()


def follow(state: State, a: int) -> State:
    """The state after an event, as a state of its own."""
    after = state.copy()
    try:
        rules.apply(after.record, a)
    except Exception as error:
        error.add_note(f"when {a} was applied")
        raise
    return after


def sentence(error: Exception) -> str:
    """What an exception says, in one line."""
    said = [line.strip() for line in str(error).splitlines() if line.strip()]
    notes = getattr(error, "__notes__", [])
    return " ".join([f"{type(error).__name__}:", *said[:1], *notes])


# --- under which options ---


def option_sets(game: Game, rng: random.Random) -> list[dict[str, Value]]:
    """Every number of players, every telling value of each other option, and some mixes."""
    players, *others = game.options
    counts = list(
        range(int(players.low or players.default), int(players.high or players.default) + 1)
    )
    sets: list[dict[str, Value]] = [{"players": n} for n in counts]
    number = itertools.cycle(counts)
    for option in others:
        for value in telling_values(option):
            if value != option.default:
                sets.append({"players": next(number), option.name: value})
    for _ in range(MIXES if others else 0):
        mix = {option.name: rng.choice(telling_values(option)) for option in others}
        sets.append({"players": rng.choice(counts), **mix})
    return sets


def telling_values(option: Option) -> list[Value]:
    """The default, the extremes, and every choice."""
    if isinstance(option.default, bool):
        return [False, True]
    extremes = [option.check(x) for x in (option.low, option.high) if x is not None]
    return list(dict.fromkeys([option.default, *extremes, *option.choices]))


# --- playing ---


class Explorer:
    """Plays games, counts the phases it sees, and keeps a fair sample of the positions of each."""

    def __init__(self, game: Game, seed: int, count: int) -> None:
        self.game = game
        self.seed = seed
        self.count = count
        self.seen: Counter[str] = Counter()
        self.lines: list[Line] = []
        self.kept: list[dict[str, list[Position]]] = []
        self.refusal = ""

    def missing(self) -> list[str]:
        return [phase for phase in self.game.phases or ("play", "over") if not self.seen[phase]]

    def play(self, given: dict[str, Value], curiosity: float) -> None:
        """Play one game to its end; a curious one often turns to the phases seen least so far."""
        number = len(self.lines)
        seed = int(stream(self.seed, "game", number)[0] >> np.uint64(33))
        line = Line(self.game, self.game.check(given), seed)
        try:
            state = begin(self.game, dict(line.options), seed)
        except KostkaError as refusal:
            self.refusal = str(refusal)
            return
        except Exception as error:
            line.trouble = sentence(error)
            state = None
        self.lines.append(line)
        if state is not None:
            try:
                self.play_on(line, state, random.Random(repr((self.seed, number))), curiosity)
            except Exception as error:
                line.trouble = sentence(error)

    def play_on(self, line: Line, state: State, rng: random.Random, curiosity: float) -> None:
        luck = stream(line.seed, "luck")
        met: Counter[str] = Counter()
        kept: dict[str, list[Position]] = {}
        self.kept.append(kept)
        outcomes = 0
        while max(line.decisions, outcomes) <= self.game.length:
            line.last = state
            phase, mover = state.phase, state.mover
            self.seen[phase] += 1
            met[phase] += 1
            here = Position(state, line, len(line.codes))
            self.keep(kept.setdefault(phase, []), met[phase], here, rng)
            if mover == OVER:
                return
            if rng.random() < curiosity:
                code = self.rarest(state, rng)
            else:
                code = state.draw(luck) if mover == CHANCE else rng.choice(state.legal_actions)
            if len(line.past) < PAST:
                line.past.append((state, state.one.tobytes()))
            state = follow(state, code)
            line.codes.append(code)
            outcomes = outcomes + 1 if mover == CHANCE else 0
            line.decisions += mover != CHANCE

    def keep(self, kept: list[Position], number: int, one: Position, rng: random.Random) -> None:
        """Every position of a phase is kept with the same chance (a reservoir)."""
        if number <= self.count:
            kept.append(one)
        elif (place := rng.randrange(number)) < self.count:
            kept[place] = one

    def rarest(self, state: State, rng: random.Random) -> int:
        """An option that leads to a phase seen least so far."""
        options = state.options_here()
        some = rng.sample(options, min(len(options), OPTIONS_LOOKED_AT))
        return min(some, key=lambda a: self.seen[follow(state, a).phase])

    def affordable(self) -> float:
        """How curious a game may be that lasts as long as the last one."""
        length = len(self.lines[-1].codes) if self.lines else 0
        return min(CURIOSITY, EVENTS_LOOKED_AT / max(length, 1))

    def positions(self) -> dict[str, list[Position]]:
        """The positions kept of each phase, as evenly as can be from all games."""
        found = {}
        rng = random.Random(self.seed)
        for phase in sorted(self.seen, key=[*self.game.phases, *self.seen].index):
            games = [rng.sample(kept, len(kept)) for k in self.kept if (kept := k.get(phase))]
            rounds = itertools.zip_longest(*games)
            even = [p for one in rounds for p in one if p is not None][: self.count]
            for rank, position in enumerate(even):
                position.rank = rank
            found[phase] = even
        return found


def explore(game: Game, seed: int, count: int, progress: Progress) -> Survey:
    """Play games under varied options until every phase was seen, and sample their positions."""
    explorer = Explorer(game, seed, count)
    rng = random.Random(seed)
    sets = option_sets(game, rng)
    for number, options in enumerate(sets):
        progress("playing games", number / len(sets))
        explorer.play(options, curiosity=0.0)
        explorer.play(options, explorer.affordable())
    for number in range(EXTRA_GAMES):
        if missing := explorer.missing():
            progress(f"looking for {missing[0]}", number / EXTRA_GAMES)
            explorer.play(rng.choice(sets), CURIOSITY)
    if not explorer.lines:
        explorer.lines.append(Line(game, {}, seed, trouble=explorer.refusal))
    return Survey(game, seed, explorer.lines, explorer.positions())
