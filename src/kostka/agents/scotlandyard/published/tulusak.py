"""Alpha-beta for Mr X and for the detectives, after Tulušák (Brno 2020).

All detectives together are one player, whose move is a move of each. A line is worth the sum of
what all positions on it are worth, root and horizon included, and is searched on past a catch, so
that an early catch counts more than a late one. Detectives search when they see Mr X, and follow
the line found, with Mr X's replies imagined, until they see him again.

In the original they were told where Mr X was whenever they had no line, as before he showed himself
for the first time. Here nobody tells them: ``unseen`` says what they do then. In London, which the
original did not play, Mr X makes no double moves and uses a black ticket only where no other leads.
"""

from dataclasses import dataclass

import numpy as np

from kostka.agents.base import Kind, Observation, Player
from kostka.core.errors import KostkaError
from kostka.core.game import Game, Option, Value
from kostka.core.kernels import kernel
from kostka.core.record import clone, new, record
from kostka.core.rng import below, stream
from kostka.core.state import View, begin
from kostka.games.scotlandyard.actions import PASS, kind_of, move_code, station_of
from kostka.games.scotlandyard.heuristics import distances
from kostka.games.scotlandyard.rules import moves, spend
from kostka.games.scotlandyard.state import FUGITIVE, MAX_LINES, TAXI, UNKNOWN

#: What a catch is worth for each round that it comes before the horizon.
CATCH = 50

#: Beyond the worth of every line.
INFINITE = 1 << 40

#: Positions searched before Python has its say again.
SLICE = 100_000

#: A search on the small grid visits some thousands of positions; in London they never end.
POSITIONS = 1_000_000

Frame = record(
    "scotlandyard.alphabeta.frame",
    alpha="i8",
    beta="i8",
    total="i8",  # what the positions from the root to here are worth
    value="i8",  # what the best line through here is worth
    count="i4",
    next="i4",
    at="i4",  # where the piece to move stands
    end="i4",  # where the best line ends
)

Settings = record(
    "scotlandyard.alphabeta",
    visited="i8",  # positions searched
    at="i4",  # the frame in work; -1 when the search is done
    mr_x="i4",  # 1: Mr X searches, 0: the detectives do
    version="i4",  # of the detectives' evaluation
    depth="i4",  # rounds
    done="i4",  # moves of the first round that are made already
    unused="i4",
)


# --- what a position is worth ---


@kernel
def worth(q, s, distance, rounds):
    """What a position so many rounds below the root is worth to the side that searches.

    For two detectives these are the thesis's formulas; with more of them, what it takes of the
    other detective is the mean of the others, rounded down, and what it halves is divided by all.
    """
    k, x = s.pieces - 1, s.station[FUGITIVE]
    nearest, farthest, total = INFINITE, 0, 0
    for piece in range(1, s.pieces):
        d = distance[s.station[piece], x]
        nearest, farthest, total = min(nearest, d), max(farthest, d), total + d
    others = total // (k - 1) if k > 1 else 0
    left = q.depth - rounds
    if q.mr_x == 1:
        if nearest == 0:
            return left * (others - CATCH)
        return left * nearest + left * farthest // k
    weight = rounds if q.version <= 2 else 1
    if nearest == 0:
        return left * CATCH - (0 if q.version == 1 else weight * others)
    if q.version == 1:
        return -weight * total
    return -weight * nearest - (farthest // k if q.version == 4 else 0)


# --- the search ---


@kernel
def search(settings, frames, states, distance, pool, lines, budget):
    """Search on for about ``budget`` positions; returns whether the search is done."""
    q, s = settings[0], states[0]
    end = q.visited + budget
    d = q.at
    while d >= 0 and q.visited < end:
        f = frames[d]
        if f.next < f.count and f.alpha < f.beta:
            move(s, to_move(q, s, d), pool[d, f.next])
            f.next += 1
            q.visited += 1
            d += 1
            frames[d].alpha, frames[d].beta, frames[d].total = f.alpha, f.beta, f.total
            if enter(q, s, frames[d], d, distance, pool[d]):
                continue
        else:
            f.value = f.alpha if is_ours(q, to_move(q, s, d)) else f.beta
        d -= 1
        if d >= 0:
            fold(q, s, frames, d, pool[d], lines)
    q.at = d
    return d < 0


@kernel
def open_root(settings, frames, states, distance, pool):
    """Put the root on the stack."""
    f = frames[0]
    f.alpha, f.beta, f.total = -INFINITE, INFINITE, 0
    enter(settings[0], states[0], f, 0, distance, pool[0])
    settings[0].at = 0


@kernel
def to_move(q, s, d):
    """The piece that moves at a level: Mr X first if he searches, else last."""
    return (q.done + d + 1 - q.mr_x) % s.pieces


@kernel
def is_ours(q, piece):
    return (piece == FUGITIVE) == (q.mr_x == 1)


@kernel
def enter(q, s, f, d, distance, out):
    """List the moves at a position; False for a leaf: at the horizon, and where Mr X is stuck."""
    piece = to_move(q, s, d)
    rounds = (q.done + d) // s.pieces
    if piece <= 1:  # the detectives' moves are one: it is looked at when all have moved
        f.total += worth(q, s, distance, rounds)
    f.value, f.end, f.next, f.at = f.total, d, 0, s.station[piece]
    if rounds == q.depth:
        return False
    f.count = destinations(s, piece, out)
    if f.count == 0:
        if piece == FUGITIVE and s.surrounded == 1:
            return False
        out[0] = move_code(TAXI, f.at) if piece == FUGITIVE else PASS
        f.count = 1
    return True


@kernel
def destinations(s, piece, out):
    """One move to each station in reach: by the first ticket that leads there, black ones last."""
    k = 0
    for n in range(moves(s, piece, out)):
        if k == 0 or station_of(out[n]) != station_of(out[k - 1]):
            out[k] = out[n]
            k += 1
    return k


@kernel
def move(s, piece, a):
    if a == PASS:
        return
    s.station[piece] = station_of(a)
    spend(s, piece, kind_of(a))
    if s.inherits == 1 and piece != FUGITIVE:
        s.tickets[FUGITIVE, kind_of(a)] += 1


@kernel
def take_back(s, piece, a, at):
    if a == PASS:
        return
    s.station[piece] = at
    if s.tickets[piece, kind_of(a)] >= 0:
        s.tickets[piece, kind_of(a)] += 1
    if s.inherits == 1 and piece != FUGITIVE:
        s.tickets[FUGITIVE, kind_of(a)] -= 1


@kernel
def fold(q, s, frames, d, out, lines):
    """Take the move just searched back, and keep it with the line below if it is the best."""
    f, below = frames[d], frames[d + 1]
    piece, a = to_move(q, s, d), out[f.next - 1]
    take_back(s, piece, a, f.at)
    if is_ours(q, piece):
        if below.value <= f.alpha:
            return
        f.alpha = below.value
    else:
        if below.value >= f.beta:
            return
        f.beta = below.value
    lines[d, d], f.end = a, below.end
    for i in range(d + 1, below.end):
        lines[d, i] = lines[d + 1, i]


@dataclass(frozen=True)
class Found:
    """What a search found: the best line, a move of each piece in turn, and what it is worth."""

    value: int
    line: list[int]
    depth: int
    visited: int


def look_ahead(
    one: np.ndarray, distance: np.ndarray, version: int, depth: int, positions: int = 0
) -> Found:
    """Search for the piece to move, so many rounds deep; Mr X's station must be known.

    With a limit on positions the depth grows from one round on as long as the limit allows; the
    first round is always searched to its end.
    """
    s = one[0]
    mr_x = s.piece == FUGITIVE
    done = 0 if mr_x else int(s.piece) - 1
    plies = depth * int(s.pieces) + 1
    frames, states = np.zeros(plies, Frame), clone(one)
    pool = np.zeros((plies, 2 * MAX_LINES), np.int64)
    lines = np.zeros((plies, plies), np.int64)
    settings = new(Settings, mr_x=mr_x, version=version, done=done)
    stack = (settings, frames, states, distance, pool)
    found, visited = Found(0, [], 0, 0), settings["visited"]
    for rounds in range(1 if positions else depth, depth + 1):
        settings["depth"] = rounds
        limit = positions if found.line else INFINITE
        open_root(*stack)
        while not search(*stack, lines, min(SLICE, limit - int(visited[0]))):
            if visited[0] >= limit:
                return found
        end = int(frames["end"][0])
        found = Found(int(frames["value"][0]), lines[0, :end].tolist(), rounds, int(visited[0]))
    return found


# --- the agent ---


class AlphaBetaAgent(Player):
    """Plays either side, every detective for himself: what all see alike, all search alike.

    A detective who moves later in the round searches from where those before him have gone, which
    is the rest of the line that they found. So they agree without a word, and can live with
    partners who play otherwise.
    """

    def __init__(self, game: Game, version: int, depth: int, unseen: str, positions: int) -> None:
        if not game.package.endswith(".scotlandyard"):
            raise KostkaError(f"alphabeta plays Scotland Yard on any board, not {game.name}")
        self.version, self.depth = version, depth
        self.unseen, self.positions = unseen, positions
        self.forget()

    def begin(self, seat: int, rng: np.ndarray) -> None:
        super().begin(seat, rng)
        self.forget()

    def forget(self) -> None:
        """A new game: another board, perhaps, and no line."""
        self.distance: np.ndarray | None = None
        #: The line that is followed: moves by round and piece, and where Mr X had been seen then.
        self.line: dict[tuple[int, int], int] = {}
        self.basis = b""
        #: The last view of a decision of its own in which Mr X was to be seen.
        self.sighting: View | None = None

    def observe(self, event: Observation) -> None:
        if event.view is not None and event.view.record.station[FUGITIVE] != UNKNOWN:
            self.sighting = event.view

    def act(self, view: View) -> int:
        s = view.record
        if s.station[FUGITIVE] != UNKNOWN:
            return self.plan(view)
        move = self.planned(view)
        if move is not None:
            return move
        if self.unseen == "guess":
            return self.find(view.sample(self.rng)).line[0]
        legal = view.legal_actions
        return legal[int(below(self.rng, len(legal)))]

    def find(self, view: View) -> Found:
        """Search from a position in which Mr X's station is known."""
        if self.distance is None:
            self.distance = distances(view.record)
        return look_ahead(view.buffer, self.distance, self.version, self.depth, self.positions)

    def plan(self, view: View) -> int:
        """The first move of the best line; a detective keeps the rest in mind."""
        s = view.record
        turn, piece = int(s.turn), int(s.piece)
        line = self.find(view).line
        if not line:  # nowhere to go, halfway through a double move that another began
            return view.legal_actions[0]
        if piece != FUGITIVE:
            self.line, self.basis = {}, s.seen.tobytes()
            for move in line:
                self.line[turn, piece] = move
                piece = (piece + 1) % int(s.pieces)
                turn += piece == FUGITIVE
        return line[0]

    def planned(self, view: View) -> int | None:
        """The move of the line in mind; None if it is over, out of date or not legal any more."""
        s = view.record
        told = self.sighting is not None and np.array_equal(self.sighting.record.seen, s.seen)
        if self.sighting is not None and told and self.basis != s.seen.tobytes():
            self.plan(self.sighting)  # as it did when it saw him, in another life
        move = self.line.get((int(s.turn), int(s.piece)))
        fits = self.basis == s.seen.tobytes() and move in view.legal_actions
        return move if fits else None


# --- the original's leak ---


def omniscient_share(
    game: Game, games: int, seed: int, version: int = 1, depth: int = 3, **options: Value
) -> float:
    """The share of games that detectives win who are told where Mr X is when they have no line.

    The published numbers were measured so. No agent can play like this, for an agent is given
    nothing but its view: these games are played in a loop of their own, against alphabeta's Mr X.
    """
    wins = 0.0
    for number in range(games):
        own = stream(seed, number, "omniscient")
        state = begin(game, game.check(options), int(below(own, 1 << 31))).settle(own)
        seats = range(state.players)
        agents = [AlphaBetaAgent(game, version, depth, "random", POSITIONS) for _ in seats]
        while not state.over:
            agent, view = agents[state.mover], state.view(state.mover)
            state.apply(agent.act(view if agent.planned(view) is not None else state))
        wins += state.returns[1]
    return wins / games


KINDS = {
    "alphabeta": Kind(
        "the thesis's alpha-beta for either side; detectives search when they see Mr X",
        AlphaBetaAgent,
        (
            Option("version", 1, "of the detectives' evaluation; Mr X has but one", 1, 4),
            Option("depth", 3, "rounds to look ahead", 1, 8),
            Option(
                "unseen",
                "guess",
                "detectives without a line: move at random, or search from a guess of their own",
                choices=("guess", "random"),
            ),
            Option(
                "positions", POSITIONS, "deeper searches than this are given up; 0: never", 0, 1e12
            ),
        ),
    ),
}
