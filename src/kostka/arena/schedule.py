"""The schedule: which games of many matches are played next, and how many at a time."""

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from kostka.arena.executor import SLICE, Inline, Task
from kostka.arena.match import Match, play_one, play_some, warm
from kostka.arena.referee import Played
from kostka.core.game import game as find_game


@dataclass
class GameQueue:
    """Games that wait: those of a match, or of one series of it, which must be played in order."""

    number: int
    match: Match
    games: deque[int]
    #: The seating of a series, None for games in any order.
    seating: int | None = None
    learnt: Mapping[int, bytes] = field(default_factory=dict)
    busy: bool = False

    def take(self, count: int) -> Task:
        """The next games as a task."""
        some = tuple(self.games.popleft() for _ in range(min(count, len(self.games))))
        self.busy = self.seating is not None
        return Task(self.match, self.number, some, self.learnt, self.seating)

    def back(self, task: Task, games: Sequence[Played]) -> None:
        """A task is done; games that it had no time for go to the front of the line."""
        rest = task.after(games)
        self.games.extendleft(reversed(rest.games))
        self.busy = False
        if self.seating is not None:
            self.learnt = rest.learnt


class Schedule:
    """All games still to be played, in turns of the matches, so that every table grows alike.

    The games of a series — the same seats, with an agent that learns — are played in order, one
    task at a time, each with what was learnt before; all others in any order.
    """

    def __init__(
        self,
        matches: Sequence[Match],
        done: Sequence[Collection[int]] | None = None,
        learnt: Mapping[tuple[int, int], Mapping[int, bytes]] | None = None,
    ) -> None:
        self.matches = matches
        self.series: dict[tuple[int, int | None], GameQueue] = {}
        #: Seconds a game of each match takes, those of its latest games, and games still to come.
        self.pace: list[float | None] = [None] * len(matches)
        self.lately: list[list[float]] = [[] for _ in matches]
        self.left = [0] * len(matches)
        for number, match in enumerate(matches):
            played = done[number] if done else ()
            games = [i for i in range(match.games) if i not in played]
            self.left[number] = len(games)
            if not match.learners:
                self.series[number, None] = GameQueue(number, match, deque(games))
                continue
            for seating in range(len(match.seatings)):
                some = deque(i for i in games if i % len(match.seatings) == seating)
                known = (learnt or {}).get((number, seating), {})
                self.series[number, seating] = GameQueue(number, match, some, seating, known)
        self.lines = deque(self.series.values())

    def play(self, executor: Inline) -> Iterator[tuple[Task, list[Played]]]:
        """Play everything; yields games as they come in, the first ones of (the rest of) a task."""
        self.compile()
        running = 0
        while running or any(line.games for line in self.lines):
            while running < executor.size and (line := self.next_queue()) is not None:
                executor.submit(line.take(self.portion(line.number, executor.size)))
                running += 1
            task, games, done = executor.next()
            running -= done
            self.came_in(task, games, done)
            if games:
                yield task, games

    def in_order(self, executor: Inline) -> Iterator[tuple[int, Played]]:
        """Play a single match; yields its games in order, the same with any executor."""
        waiting: dict[int, Played] = {}
        following = 0
        for task, games in self.play(executor):
            waiting.update(zip(task.games, games, strict=False))
            while following in waiting:
                yield following, waiting.pop(following)
                following += 1

    def compile(self) -> None:
        """Compile here what our agents need, so that workers load it and people see it said."""
        for match, left in zip(self.matches, self.left, strict=True):
            if not left:
                continue
            for spec in match.specs:
                warm(find_game(match.game), spec, match.players)
            if match.policies is not None:
                next(play_some(match, [0]))
                play_one(match, 0)  # the referee notices what compiled code does not look for

    def next_queue(self) -> GameQueue | None:
        """The line whose turn it is."""
        for _ in range(len(self.lines)):
            self.lines.rotate(-1)
            if self.lines[-1].games and not self.lines[-1].busy:
                return self.lines[-1]
        return None

    def portion(self, number: int, workers: int) -> int:
        """How many games of a match make a task."""
        pace = self.pace[number]
        if pace is None:
            return 1
        fair = -(-self.left[number] // workers)
        return max(1, min(int(SLICE / max(pace, 1e-6)), fair))

    def came_in(self, task: Task, games: list[Played], done: bool) -> None:
        """Note how long games took, and at the end of a task what was learnt in it."""
        self.left[task.number] -= len(games)
        self.lately[task.number] += [played.seconds for played in games]
        if done:
            self.note_pace(task.number)
            self.series[task.number, task.seating].back(task, games)

    def note_pace(self, number: int) -> None:
        """Of the seconds a game takes the latest count most."""
        if lately := self.lately[number]:
            last, mean = self.pace[number], fmean(lately)
            self.pace[number] = mean if last is None else (last + mean) / 2
            lately.clear()

    def seconds_left(self, workers: int) -> float | None:
        """The time the rest will take, once every match has had a game."""
        rest = [(n, p) for n, p in zip(self.left, self.pace, strict=True) if n]
        if any(p is None for _, p in rest):
            return None
        return sum(n * (p or 0.0) for n, p in rest) / workers
