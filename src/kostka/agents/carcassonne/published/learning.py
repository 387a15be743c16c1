"""The thesis's learner: one step by potential, all of whose constants it learns as it plays.

After each of its turns it notes what the formula says of every region. When the game is over it
knows what each of them, or the one that has swallowed it, was worth in the end, and goes down the
slope of the mean squared error. The thesis takes the sum of the errors, at the same rate, and does
not say when it stops: here it is the mean, so that long games do not diverge, and both limits are
parameters.
"""

import json

import numpy as np

from kostka.agents.base import Kind, Observation, Player
from kostka.agents.generic import decide
from kostka.core.errors import KostkaError
from kostka.core.files import put
from kostka.core.game import Game, Option
from kostka.core.kernels import kernel
from kostka.core.memory import floats
from kostka.core.record import clone
from kostka.core.state import State, View
from kostka.games.carcassonne.potential import (
    CONSTANTS,
    INPUTS,
    SUMS,
    TERRAIN,
    TERRAINS,
    by_hand,
    describe,
    formula,
    look_round,
    slope,
)
from kostka.games.carcassonne.rules import root, worth
from kostka.games.carcassonne.state import MAX_REGIONS
from kostka.learn.online import descend

#: The largest file of constants that is read, in bytes.
MOST = 1 << 16


@kernel
def note(states, rows, about):
    """What the formula takes in of every region there is; returns how many."""
    s, sums, n = states[0], floats(SUMS), 0
    look_round(s, sums)
    for r in range(s.regions):
        if s.parent[r] == r:
            describe(s, r, sums, rows[n])
            about[n] = r
            n += 1
    return n


@kernel
def came_out(states, about, worths):
    """What the regions have become worth."""
    for i in range(len(about)):
        worths[i] = worth(states[0], root(states[0], about[i]))


@kernel
def error(constants, rows, targets, total):
    """The mean squared error of the formula; its slope is written to ``total``."""
    one, loss = floats(CONSTANTS), 0.0
    for k in range(len(total)):
        for i in range(CONSTANTS):
            total[k, i] = 0.0
    for n in range(len(rows)):
        row = rows[n]
        off = formula(constants, row) - targets[n]
        loss += off * off / len(rows)
        slope(constants, row, one)
        for i in range(CONSTANTS):
            total[int(row[TERRAIN]), i] += 2.0 * off * one[i] / len(rows)
    return loss


def look(constants: np.ndarray, rows: np.ndarray, targets: np.ndarray) -> tuple[float, np.ndarray]:
    """The error and its slope."""
    total = np.zeros_like(constants)
    return float(error(constants, rows, targets, total)), total


class Learner(Player):
    """Plays by potential, and learns the constants from game to game."""

    def __init__(
        self,
        game: Game,
        learning_rate: float,
        epsilon: float,
        steps: int,
        weighted: bool,
        read: str,
        write: str,
    ) -> None:
        self.rate, self.epsilon, self.steps = learning_rate, epsilon, steps
        self.write = write
        self.potential = by_hand(weighted)
        self.games = 0
        self.out = np.empty(game.width, np.int64)
        if read:
            self.load(contents(read), read)

    # --- in a game ---

    def begin(self, seat: int, rng: np.ndarray) -> None:
        super().begin(seat, rng)
        #: The game as it goes on, once this seat has moved, and what was noted of it.
        self.state: State | None = None
        self.rows: list[np.ndarray] = []
        self.about: list[np.ndarray] = []

    def act(self, view: View) -> int:
        return int(decide(self.potential, view.buffer, self.out, self.rng))

    def observe(self, event: Observation) -> None:
        if event.view is not None:  # nothing is hidden: it is the whole position
            self.state = State(event.view.game, event.view.options, clone(event.view.buffer))
        if self.state is None:
            return
        turn_ends = event.by == self.seat and self.state.phase == "follow"
        self.state.apply(event.text)
        if turn_ends and not self.state.over:
            self.note(self.state)

    def note(self, state: State) -> None:
        """Keep what the formula takes in of every region."""
        rows, about = np.zeros((MAX_REGIONS, INPUTS)), np.zeros(MAX_REGIONS, np.int64)
        n = int(note(state.buffer, rows, about))
        self.rows.append(rows[:n])
        self.about.append(about[:n])

    # --- from game to game ---

    def end(self, result: list[float]) -> None:
        if self.state is not None and self.state.over and self.rows:
            self.learn(self.state)
        if self.write:
            put(self.write, self.save())

    def learn(self, end: State) -> None:
        """Bring the constants nearer to how this game came out."""
        rows, about = np.concatenate(self.rows), np.concatenate(self.about)
        targets = np.zeros(len(rows))
        came_out(end.buffer, about, targets)
        found, _ = descend(
            self.potential["constants"][0].copy(),
            lambda constants: look(constants, rows, targets),
            rate=self.rate,
            epsilon=self.epsilon,
            steps=self.steps,
        )
        self.potential["constants"][0] = found
        self.games += 1

    def save(self) -> bytes:
        rows = self.potential["constants"][0].tolist()
        known = dict(zip(TERRAINS, rows, strict=True))
        return json.dumps({"games": self.games, "constants": known}).encode()

    def load(self, learnt: bytes, name: str = "what was learnt") -> None:
        self.games, self.potential["constants"][0] = checked(learnt, name)


# --- what is kept ---


def checked(content: bytes, name: str) -> tuple[int, np.ndarray]:
    """The games and the constants in what ``save`` gave."""
    try:
        known = json.loads(content)
        games, constants = known["games"], known["constants"]
        rows = np.array([constants[terrain] for terrain in TERRAINS], np.float64)
    except (ValueError, TypeError, KeyError):
        raise KostkaError(
            f"{name} holds no constants of potential-learning: it needs games, and constants of "
            f"{', '.join(TERRAINS)}"
        ) from None
    if rows.shape != (len(TERRAINS), CONSTANTS):
        raise KostkaError(f"{name} must hold {CONSTANTS} constants of each terrain")
    if not np.isfinite(rows).all() or type(games) is not int or games < 0:
        raise KostkaError(f"{name} holds constants or games that are not numbers")
    return games, rows


def contents(path: str) -> bytes:
    """What a file of constants holds."""
    try:
        with open(path, "rb") as file:
            found = file.read(MOST + 1)
    except OSError as error:
        raise KostkaError(f"{path} cannot be read: {error.strerror}") from None
    if len(found) > MOST:
        raise KostkaError(f"{path} is larger than any file of constants")
    return found


KINDS = {
    "potential-learning": Kind(
        "potential, with all constants learnt from game to game",
        Learner,
        (
            Option("learning_rate", 0.005, "how far a step goes down the slope", 1e-9, 1),
            Option("epsilon", 0.01, "learning stops where the slope is flatter", 0, 1e9),
            Option("steps", 100, "steps after a game at most", 0, 100_000),
            Option("weighted", True, "free regions count by the chance to draw a tile for them"),
            Option("read", "", "file of constants to begin with", file=True),
            Option("write", "", "file that gets the constants after each game", file=True),
        ),
    )
}
