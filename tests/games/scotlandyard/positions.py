"""Positions of Scotland Yard for tests, and what its heuristics need to know of them."""

import numpy as np

from kostka.agents.scotlandyard.published.nijssen import board
from kostka.core.record import new
from kostka.core.rng import below, stream
from kostka.games.scotlandyard import grid
from kostka.games.scotlandyard.heuristics import Guide, distances

# The grid of five by five, by cell:
#    0  1  2  3  4
#    5  6  7  8  9
#   10 11 12 13 14
#   15 16 17 18 19
#   20 21 22 23 24


def detectives_to_move(mr_x, *detectives, turn=3, possible=None, where=grid, **options):
    """A position after Mr X's move; on the grid he shows himself at every third."""
    s = where.new(seed=1, players=1 + len(detectives), **options)
    s.apply(s.outcomes[0][0])
    r = s.record
    r.station[: 1 + len(detectives)] = mr_x, *detectives
    r.turn = r.moves = turn
    r.phase, r.seat, r.piece = 2, 1, 1
    r.log[:turn], r.seen[:turn] = 0, -1
    for slot in np.flatnonzero(r.reveal[:turn]):
        r.seen[slot] = mr_x
    r.possible[:] = 0
    r.possible[possible or [mr_x]] = 1
    return s


def mr_x_to_move(mr_x, *detectives, turn=4, **options):
    s = detectives_to_move(mr_x, *detectives, turn=turn - 1, **options)
    s.record.phase, s.record.seat, s.record.piece, s.record.turn = 1, 0, 0, turn
    return s


def random_games(where, games, **options):
    """Positions of games at random; the first of each is before the starts are dealt."""
    rng = stream("games", where.name, str(options))
    for seed in range(games):
        s = where.new(seed=seed, **options)
        yield s
        s.settle(rng)
        while not s.over:
            yield s
            s.apply(s.legal_actions[below(rng, len(s.legal_actions))])


def apart(s):
    return board(distances(s.record).tobytes())


def guide(s, **values):
    return new(Guide, distance=apart(s), **values)[0]
