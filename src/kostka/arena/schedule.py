"""The schedule: which games of many matches are played next, and how many at a time."""

from collections import deque
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from kostka.arena.executor import SLICE, Inline, Task
from kostka.arena.match import Match, Memory, play_one, play_some, remembers, warm
from kostka.arena.referee import Played
from kostka.core.game import game as find_game


@dataclass
class GameQueue:
    """Games that wait, each by its match and number: in any order, or one task after the other."""

    games: deque[tuple[int, int]]
    in_order: bool = False
    busy: bool = False


class Schedule:
    """All games still to be played, in turns of the matches, so that every table grows alike.

    The games of a series — the same seats, with an agent that learns — are played in order, one
    task at a time, each with what was learnt before; all others in any order. Where memory goes
    with the seat, all games with an agent that learns are one series, in the order of the plan.
    """

    def __init__(
        self,
        matches: Sequence[Match],
        done: Sequence[Collection[int]] | None = None,
        learnt: Mapping[Hashable, bytes] | None = None,
        memory: Memory = "line-up",
    ) -> None:
        self.matches, self.memory = matches, memory
        self.learnt: dict[Hashable, bytes] = dict(learnt or {})
        #: The queue of every match and, where it has a learner, of every seating of it.
        self.queues: dict[tuple[int, int | None], GameQueue] = {}
        #: Seconds a game of each match takes, those of its latest games, and games still to come.
        self.pace: list[float | None] = [None] * len(matches)
        self.lately: list[list[float]] = [[] for _ in matches]
        self.left = [0] * len(matches)
        lessons = GameQueue(deque(), in_order=True)
        for number, match in enumerate(matches):
            played = done[number] if done else ()
            games = [i for i in range(match.games) if i not in played]
            self.left[number] = len(games)
            for seating in range(len(match.seatings)) if match.learners else (None,):
                apart = GameQueue(deque(), in_order=seating is not None)
                shared = memory == "seat" and seating is not None
                self.queues[number, seating] = lessons if shared else apart
            for i in games:
                self.queues[number, self.seating(number, i)].games.append((number, i))
        self.lines = deque({id(queue): queue for queue in self.queues.values()}.values())

    def seating(self, number: int, index: int) -> int | None:
        """The seating of a game of a series, None for games in any order."""
        match = self.matches[number]
        return index % len(match.seatings) if match.learners else None

    def take(self, queue: GameQueue, workers: int) -> Task:
        """The next games of a queue as a task: games of one match, and of one seating of it."""
        number, first = queue.games[0]
        match, seating = self.matches[number], self.seating(number, first)
        some: list[int] = []
        most = self.portion(number, workers)
        while queue.games and len(some) < most:
            of, index = queue.games[0]
            if (of, self.seating(of, index)) != (number, seating):
                break
            some.append(queue.games.popleft()[1])
        queue.busy = queue.in_order
        known: dict[int, bytes] = {}
        for seat in range(match.players) if seating is not None else ():
            whose = remembers(self.memory, number, match, seating or 0, seat)
            if whose in self.learnt:
                known[seat] = self.learnt[whose]
        return Task(match, number, tuple(some), known, seating)

    def back(self, task: Task, games: Sequence[Played]) -> None:
        """A task is done; games that it had no time for go to the front of their queue."""
        rest, queue = task.after(games), self.queues[task.number, task.seating]
        queue.games.extendleft((task.number, index) for index in reversed(rest.games))
        queue.busy = False
        if task.seating is not None:
            for seat, learnt in rest.learnt.items():
                whose = remembers(self.memory, task.number, task.match, task.seating, seat)
                self.learnt[whose] = learnt

    def play(self, executor: Inline) -> Iterator[tuple[Task, list[Played]]]:
        """Play everything; yields games as they come in, the first ones of (the rest of) a task."""
        self.compile()
        running = 0
        while running or any(line.games for line in self.lines):
            while running < executor.size and (line := self.next_queue()) is not None:
                executor.submit(self.take(line, executor.size))
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
            self.back(task, games)

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
