"""Positions to prove laws on: games under all kinds of options, sampled phase by phase."""

import contextlib
import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from kostka.core import rules
from kostka.core.errors import KostkaError
from kostka.core.game import Game, Option, Value
from kostka.core.rng import stream
from kostka.core.state import CHANCE, OVER, PUBLIC, State, View, begin, blank

#: The states of a game that are kept whole, counted from its start.
PAST = 200

#: A rare phase is sought by looking at so many options, in so many events of a game.
OPTIONS_LOOKED_AT, EVENTS_LOOKED_AT = 24, 300

#: How often a game that seeks rare phases does so at most; otherwise it is played at random.
CURIOSITY = 0.5

#: Games in which all options are mixed, lots drawn for a mix that the game accepts, and games
#: played to reach a phase not seen yet.
MIXES, LOTS, EXTRA_GAMES = 4, 20, 30

#: A game is given up after so many outcomes in a row, and all play after so many such games.
OUTCOMES_IN_A_ROW, ENDLESS_GAMES = 10_000, 3

#: At most so many options of a node are followed.
BRANCHES = 200

Progress = Callable[[str, float], None]


@dataclass
class TracedGame:
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
    phase = "whole games"

    def place(self) -> "Place":
        return self, self.codes

    def retrace(self, codes: list[int]) -> tuple[list[str], str]:
        """These events in notation, and the code of the position after them; as far as it gets."""
        moves: list[str] = []
        with contextlib.suppress(Exception):
            state = begin(self.game, dict(self.options), self.seed)
            for a in codes:
                moves.append(state.text(a))
                rules.apply(state.record, a)
            return moves, state.code
        return moves, ""


Place = tuple[TracedGame, list[int]]


@dataclass
class Position:
    """A position with the way that led to it."""

    state: State
    line: TracedGame
    at: int
    then: tuple[int, ...] = ()
    #: Its number among those of its phase.
    rank: int = 0

    @property
    def phase(self) -> str:
        return self.state.phase

    def place(self) -> Place:
        return self.line, [*self.line.codes[: self.at], *self.then]

    @property
    def viewers(self) -> range:
        """Every seat, and the public."""
        return range(PUBLIC, self.state.players)

    @cached_property
    def options(self) -> list[int]:
        """What can happen next."""
        every = self.state.legal_now()
        return self.chooser("some").sample(every, BRANCHES) if len(every) > BRANCHES else every

    @cached_property
    def after(self) -> dict[int, State]:
        """The state after each option."""
        return {a: follow(self.state, a) for a in self.options}

    def sample(self, viewer: int) -> State:
        """A world as this viewer may imagine it; the same one whenever asked."""
        return self.state.view(viewer).sample(self.stream("sample", viewer))

    def lookalikes(self, viewer: int) -> Iterator[tuple[int, int]]:
        """Pairs of events that this viewer cannot tell apart, though they differ in effect.

        Own actions are no secret, and the end of a game may reveal everything.
        """
        if moves(self.state, viewer):
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

    def chooser(self, *use: object) -> random.Random:
        return random.Random(repr((self.line.seed, self.at, self.then, *use)))


@dataclass
class Secret:
    """Positions after events that looked like others to a viewer."""

    viewer: int
    positions: list[Position]
    phase = "after secrets"

    def place(self) -> Place:
        return self.positions[0].place()


@dataclass
class Survey:
    """All that was played to check a game: whole lines, and a sample of positions by phase."""

    game: Game
    seed: int
    lines: list[TracedGame]
    positions: dict[str, list[Position]]
    #: The options tried, each with the sentence that refused them.
    tried: list[tuple[dict[str, Value], str]]
    #: By viewer; noted while the positions are examined.
    secrets: dict[int, Secret] = field(default_factory=dict)
    phase = "the whole game"

    def place(self) -> Place:
        return TracedGame(self.game, {}, self.seed), []

    def note_secrets(self, p: Position) -> None:
        """Keep the position after an event that somebody cannot tell from another."""
        with contextlib.suppress(Exception):  # what a game throws here it throws at the laws too
            for v in p.viewers:
                for _, b in itertools.islice(p.lookalikes(v), 1):
                    after = Position(p.after[b], p.line, p.at, (*p.then, b))
                    self.secrets.setdefault(v, Secret(v, [])).positions.append(after)


def same(a: View, b: View) -> bool:
    """Whether two states or views are the same, byte for byte."""
    return a.buffer.tobytes() == b.buffer.tobytes()


def differences(a: View, b: View, fields: Iterable[str] | None = None) -> str:
    """The fields, of all or of these, in which two positions differ."""
    names = a.buffer.dtype.names or () if fields is None else fields
    return ", ".join(name for name in names if a.buffer[name].tobytes() != b.buffer[name].tobytes())


def moves(state: View, viewer: int) -> bool:
    """Whether this viewer is the player to act. (The public has the number of luck.)"""
    return 0 <= viewer == state.mover


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
    lines = [line.strip() for line in str(error).splitlines()]
    said = [line for line in lines if line and not line.startswith("Failed in nopython mode")]
    return " ".join([f"{type(error).__name__}:", *said[:1], *getattr(error, "__notes__", [])])


# --- under which options ---


def option_sets(game: Game, rng: random.Random) -> list[dict[str, Value]]:
    """Every number of players, every telling value of each other option, and some mixes."""
    players, *others = game.options
    counts = telling_values(players)
    number = itertools.cycle(counts)
    sets: list[dict[str, Value]] = [{**game.small, "players": n} for n in counts]
    for option in others:
        usual = game.small.get(option.name, option.default)
        values = [value for value in telling_values(option) if value != usual]
        sets += [{**game.small, "players": next(number), option.name: value} for value in values]
    for _ in range(MIXES if others else 0):
        sets.append(mix(game, rng))
    return sets


def mix(game: Game, rng: random.Random) -> dict[str, Value]:
    """A value of each option by lot; once more if the game refuses them together."""
    free = [option for option in game.options if option.name not in game.small]
    for _ in range(LOTS):
        values = {**game.small, **{one.name: rng.choice(telling_values(one)) for one in free}}
        if not refuses(game, values):
            break
    return values


def refuses(game: Game, options: dict[str, Value]) -> bool:
    """Whether options contradict each other."""
    try:
        blank(game, game.check(options))
    except KostkaError:
        return True
    except Exception:  # the laws are to meet it when the game is played
        return False
    return False


def telling_values(option: Option) -> list[Any]:
    """The default, the extremes and every choice; of the players every number."""
    if isinstance(option.default, bool):
        return [False, True]
    extremes = [option.check(x) for x in (option.low, option.high) if x is not None]
    values: list[Any] = list(dict.fromkeys([option.default, *extremes, *option.choices]))
    if option.name == "players" and not option.choices:
        return list(range(min(values), max(values) + 1))
    return values


# --- playing ---


class Explorer:
    """Plays games, counts the phases it sees, and keeps a fair sample of the positions of each."""

    def __init__(self, game: Game, seed: int, count: int) -> None:
        self.game = game
        self.seed = seed
        self.count = count
        self.rng = random.Random(seed)
        self.seen: Counter[str] = Counter()
        self.lines: list[TracedGame] = []
        self.kept: list[dict[str, list[Position]]] = []
        self.endless = 0

    def missing(self) -> list[str]:
        return [phase for phase in self.game.phases or ("play", "over") if not self.seen[phase]]

    def try_options(self, given: dict[str, Value]) -> str:
        """Play under these options, if need be with more or fewer players; or say why not."""
        try:
            self.play(given, curiosity=0.0)
            self.play(given, self.affordable())
        except KostkaError as refusal:
            plain = given.keys() <= {"players", *self.game.small}
            for players in telling_values(self.game.options[0]) if not plain else ():
                with contextlib.suppress(KostkaError):
                    self.play({**given, "players": players}, curiosity=0.0)
                    return ""
            return str(refusal)
        return ""

    def play(self, given: dict[str, Value], curiosity: float) -> None:
        """Play one game to its end; a curious one often turns to the phases seen least so far."""
        seed = int(stream(self.seed, "game", len(self.lines))[0] >> np.uint64(33))
        line = TracedGame(self.game, self.game.check(given), seed)
        try:
            self.play_on(line, begin(self.game, dict(line.options), seed), curiosity)
        except KostkaError:
            raise
        except Exception as error:
            line.trouble = sentence(error)
        self.lines.append(line)

    def play_on(self, line: TracedGame, state: State, curiosity: float) -> None:
        luck = stream(line.seed, "luck")
        met: Counter[str] = Counter()
        kept: dict[str, list[Position]] = {}
        self.kept.append(kept)
        outcomes = 0
        while line.decisions <= self.game.length and outcomes <= OUTCOMES_IN_A_ROW:
            line.last = state
            phase, mover = state.phase, state.mover
            self.seen[phase] += 1
            met[phase] += 1
            here = Position(state, line, len(line.codes))
            self.keep(kept.setdefault(phase, []), met[phase], here)
            if mover == OVER:
                return
            if self.rng.random() < curiosity:
                code = self.rarest(state)
            else:
                code = state.draw(luck) if mover == CHANCE else self.rng.choice(state.legal_actions)
            if len(line.past) < PAST:
                line.past.append((state, state.buffer.tobytes()))
            state = follow(state, code)
            line.codes.append(code)
            outcomes = outcomes + 1 if mover == CHANCE else 0
            line.decisions += mover != CHANCE
        self.endless += 1

    def keep(self, kept: list[Position], number: int, one: Position) -> None:
        """Every position of a phase is kept with the same chance (a reservoir)."""
        if number <= self.count:
            kept.append(one)
        elif (place := self.rng.randrange(number)) < self.count:
            kept[place] = one

    def rarest(self, state: State) -> int:
        """An option that leads to a phase seen least so far."""
        options = state.legal_now()
        some = self.rng.sample(options, min(len(options), OPTIONS_LOOKED_AT))
        return min(some, key=lambda a: self.seen[follow(state, a).phase])

    def affordable(self) -> float:
        """How curious a game may be that lasts as long as the last one."""
        length = len(self.lines[-1].codes) if self.lines else 0
        return min(CURIOSITY, EVENTS_LOOKED_AT / max(length, 1))

    def positions(self) -> dict[str, list[Position]]:
        """The positions kept of each phase, as evenly as can be from all games."""
        found = {}
        for phase in sorted(self.seen, key=[*self.game.phases, *self.seen].index):
            games = [self.rng.sample(kept, len(kept)) for k in self.kept if (kept := k.get(phase))]
            rounds = itertools.zip_longest(*games)
            even = [p for one in rounds for p in one if p is not None][: self.count]
            for rank, position in enumerate(even):
                position.rank = rank
            found[phase] = even
        return found


def explore(game: Game, seed: int, count: int, progress: Progress) -> Survey:
    """Play games under varied options until every phase was seen, and sample their positions."""
    explorer = Explorer(game, seed, count)
    sets = option_sets(game, explorer.rng)
    tried = []
    for number, options in enumerate(sets):
        if explorer.endless < ENDLESS_GAMES:
            progress("playing games", number / len(sets))
            tried.append((options, explorer.try_options(options)))
    for number in range(EXTRA_GAMES):
        if explorer.missing() and explorer.endless < ENDLESS_GAMES:
            progress(f"looking for {explorer.missing()[0]}", number / EXTRA_GAMES)
            explorer.try_options(explorer.rng.choice(sets))
    return Survey(game, seed, explorer.lines, explorer.positions(), tried)
