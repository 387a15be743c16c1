"""Scotland Yard: Mr X moves unseen, the detectives learn what he travels by and hunt him."""

from kostka.core import play, rules
from kostka.core.kernels import kernel
from kostka.core.rng import below
from kostka.games.scotlandyard.actions import (
    DOUBLE,
    HIDDEN_MOVE,
    HIDDEN_START,
    PASS,
    kind_of,
    move_code,
    station_of,
)
from kostka.games.scotlandyard.state import (
    BLACK,
    DETECTIVES,
    DETECTIVES_WON,
    DONE,
    FERRY,
    FIRST_HALF,
    FUGITIVE,
    KINDS,
    MR_X,
    MR_X_WON,
    NO_DOUBLE,
    NOBODY,
    SECOND_HALF,
    START,
    TAXI,
    UNKNOWN,
    State,
)

# --- whose turn ---


@rules.mover.method(State)
def mover(s):
    if s.phase == DONE:
        return rules.OVER
    return rules.CHANCE if s.phase == START else s.seat


# --- what a player may do ---


@rules.legal.method(State)
def legal(s, out):
    """Who can move must move. Mr X may announce a double move first."""
    if s.station[s.piece] == UNKNOWN:
        return 0
    k = moves(s, s.piece, out)
    if k == 0:
        out[0] = nowhere_to_go(s)
        return 1
    if s.phase == MR_X and may_double(s):
        out[k] = DOUBLE
        k += 1
    return k


@kernel
def moves(s, piece, out):
    """Along one line to the next station, with a ticket for it, and not onto a detective."""
    k, at = 0, s.station[piece]
    black = s.tickets[piece, BLACK] != 0
    for n in range(s.degree[at]):
        to, kind = s.to[at, n], s.kind[at, n]
        if not is_free(s, to):
            continue
        if kind != FERRY and s.tickets[piece, kind] != 0:
            out[k] = move_code(kind, to)
            k += 1
        if black and (n == 0 or s.to[at, n - 1] != to):  # of parallel lines only once
            out[k] = move_code(BLACK, to)
            k += 1
    return k


@kernel
def nowhere_to_go(s):
    """A detective passes, and so does Mr X halfway; on a grid without surrounding he stays."""
    if s.phase == MR_X and s.half == NO_DOUBLE:
        return move_code(TAXI, s.station[FUGITIVE])
    return PASS


@kernel
def may_double(s):
    """With a double move left, and room for two moves in the log."""
    return s.half == NO_DOUBLE and s.doubles > 0 and s.moves + 2 <= s.slots


@kernel
def can_move(s, piece, at):
    """Whether a piece could move from a station."""
    black = s.tickets[piece, BLACK] != 0
    for n in range(s.degree[at]):
        if (black or s.tickets[piece, s.kind[at, n]] != 0) and is_free(s, s.to[at, n]):
            return True
    return False


@kernel
def is_free(s, station):
    """Whether no detective stands there."""
    there = 0
    for piece in range(1, s.pieces):
        there += s.station[piece] == station
    return there == 0


# --- luck: only Mr X's start ---


@rules.chance.method(State)
def chance(s, out, prob):
    """Mr X starts on any of the start cards that are left."""
    k = 0
    for i in range(s.stations):
        if s.possible[i] == 1:
            out[k] = i
            k += 1
    for n in range(k):
        prob[n] = 1.0 / k
    return k


@rules.draw.method(State)
def draw(s, rng):
    return random_possible(s, rng)


# --- what happens ---


@rules.apply.method(State)
def apply(s, a):
    """An event, and what everybody learns from it."""
    phase = s.phase
    carry_out(s, a)
    if phase == MR_X:
        learn_from_mr_x(s, a)
    else:
        learn_from_detectives(s, phase, a)


@kernel
def carry_out(s, a):
    """An event, without what anybody learns from it."""
    if s.phase == START:
        s.station[FUGITIVE] = a
        start_round(s)
    elif s.phase == DETECTIVES:
        if a != PASS:
            move_detective(s, kind_of(a), station_of(a))
        if s.phase != DONE:
            next_piece(s)
    elif a == DOUBLE:
        s.doubles -= 1
        s.half = FIRST_HALF
    else:
        if a != PASS:
            move_mr_x(s, kind_of(a), station_of(a))
        if s.half == FIRST_HALF:
            s.half = SECOND_HALF
        else:
            s.half = NO_DOUBLE
            detectives_turn(s)


@kernel
def move_mr_x(s, kind, station):
    spend(s, FUGITIVE, kind)
    s.station[FUGITIVE] = station
    s.moves += 1


@kernel
def move_detective(s, kind, station):
    """The ticket goes to Mr X, in the classic edition. Where Mr X is, he is caught."""
    spend(s, s.piece, kind)
    if s.inherits == 1:
        s.tickets[FUGITIVE, kind] += 1
    s.station[s.piece] = station
    if station == s.station[FUGITIVE]:
        end(s, DETECTIVES_WON)


@kernel
def spend(s, piece, kind):
    if s.tickets[piece, kind] > 0:
        s.tickets[piece, kind] -= 1


@kernel
def detectives_turn(s):
    """Mr X has won when no detective can move."""
    for piece in range(1, s.pieces):
        if can_move(s, piece, s.station[piece]):
            s.phase = DETECTIVES
            s.piece = s.seat = 1
            return
    end(s, MR_X_WON)


@kernel
def next_piece(s):
    """The detectives move in order, then the bobbies, which the last of them moves."""
    s.piece += 1
    if s.piece == s.pieces:
        start_round(s)
    else:
        s.seat = min(s.piece, s.players - 1)


@kernel
def start_round(s):
    """Mr X is caught when he cannot move; else he has won when the last round is over."""
    if s.surrounded == 1 and not can_move(s, FUGITIVE, s.station[FUGITIVE]):
        end(s, DETECTIVES_WON)
    elif s.moves == s.slots or s.turn == s.turns:
        end(s, MR_X_WON)
    else:
        s.turn += 1
        s.phase = MR_X
        s.piece = s.seat = FUGITIVE


@kernel
def end(s, winner):
    s.phase = DONE
    s.won = winner


# --- playouts: nobody learns anything ---


@play.playout.method(State, play.Uniform)
def play_at_random(s, p, out, prob, rng, limit):
    """Random moves do not depend on what anybody knows."""
    if limit < longest(s):
        return play.play_on(s, p, out, prob, rng, limit)
    return play_blindly(s, p, out, rng)


@kernel
def longest(s):
    """No game goes on for more decisions: in each round Mr X has three at most."""
    return (s.turns - s.turn + 1) * (s.pieces + 2)


@kernel
def play_blindly(s, p, out, rng):
    """Play to the end by a policy that reads neither log nor belief; returns the decisions made."""
    n = 0
    while s.phase != DONE:
        if s.phase == START:
            carry_out(s, random_possible(s, rng))
        else:
            carry_out(s, rules.policy(p, s, out, rng))
            n += 1
    return n


# --- how it ends ---


@rules.returns.method(State)
def returns(s, out):
    """Mr X wins, or all detectives together do."""
    for seat in range(s.players):
        out[seat] = 1.0 if (seat == FUGITIVE) == (s.won == MR_X_WON) else 0.0


@rules.side.method(State)
def side(s, player):
    return min(player, FUGITIVE + 1)


@rules.score.method(State)
def score(s, out):
    """Mr X's moves; for the detectives the moves that he had left when they caught him."""
    for seat in range(s.players):
        out[seat] = s.slots - s.moves if s.won == DETECTIVES_WON else 0
    out[FUGITIVE] = s.moves


@rules.conserved.method(State)
def conserved(s, out):
    """Black tickets are held or in the log; so are all others when Mr X gets the used ones."""
    first = 0 if s.inherits == 1 else BLACK
    for kind in range(first, len(KINDS)):
        held = 0
        for piece in range(s.pieces):
            held += s.tickets[piece, kind]
        for slot in range(s.moves):
            if s.log[slot] == kind:
                held += 1
        out[kind - first] = held
    return len(KINDS) - first


# --- positions that somebody has made up ---


@rules.plausible.method(State)
def plausible(s):
    """Everybody is on the board, the log has room, and Mr X can be where he is."""
    if s.seat >= s.players or s.moves > s.slots or s.turn > s.turns:
        return False
    for piece in range(s.pieces):
        lost = s.station[piece] == UNKNOWN and piece != FUGITIVE
        if lost or s.station[piece] >= s.stations:
            return False
    for slot in range(s.moves):
        if s.seen[slot] >= s.stations:
            return False
    if s.phase == DONE:
        return s.won != NOBODY
    if s.phase == DETECTIVES:
        right = 0 < s.piece < s.pieces and s.seat == min(s.piece, s.players - 1)
    else:
        still_to_come = 2 if s.half == FIRST_HALF else 1
        right = s.piece == s.seat == FUGITIVE and s.moves + still_to_come <= s.slots
    return right and hiding_place(s)


@kernel
def hiding_place(s):
    """Whether Mr X can be where he is or, if that is hidden, anywhere."""
    if s.station[FUGITIVE] != UNKNOWN:
        return s.possible[s.station[FUGITIVE]] == 1
    places = 0
    for i in range(s.stations):
        places += s.possible[i]
    return places > 0


# --- what everybody knows of where Mr X can be ---

#: Marks on stations while his possible stations are carried over a move.
HERE, NEXT = 1, 2


@kernel
def learn_from_mr_x(s, a):
    """The ticket of his move goes into the log; after some moves he shows himself."""
    if a == PASS:
        learn_he_cannot_move(s)
    elif a != DOUBLE:
        slot = s.moves - 1
        s.log[slot] = kind_of(a)
        if s.reveal[slot] == 1:
            s.seen[slot] = station_of(a)
            learn_station(s, station_of(a))
        else:
            learn_ticket(s, kind_of(a))


@kernel
def learn_from_detectives(s, phase, a):
    """Where a detective did not catch him he is not; if a new round begins, he can move."""
    if phase == DETECTIVES and a != PASS and station_of(a) != s.station[FUGITIVE]:
        s.possible[station_of(a)] = 0
    if s.phase == MR_X and s.surrounded == 1:
        learn_he_can_move(s)


@kernel
def learn_station(s, station):
    """He has shown himself."""
    for i in range(s.stations):
        s.possible[i] = 0
    s.possible[station] = 1


@kernel
def learn_ticket(s, kind):
    """He has moved unseen: wherever this ticket leads from where he could be."""
    for i in range(s.stations):
        if s.possible[i] & HERE:
            for n in range(s.degree[i]):
                if s.kind[i, n] == kind or kind == BLACK:
                    s.possible[s.to[i, n]] |= NEXT
            if s.surrounded == 0 and not can_move(s, FUGITIVE, i):
                s.possible[i] |= NEXT
    for i in range(s.stations):
        s.possible[i] >>= 1
    for piece in range(1, s.pieces):
        s.possible[s.station[piece]] = 0


@kernel
def learn_he_can_move(s):
    """The game goes on: he is not where he could not move."""
    if s.tickets[FUGITIVE, TAXI] == 0 and s.tickets[FUGITIVE, BLACK] == 0:
        for i in range(s.stations):
            if s.possible[i] == 1 and not can_move(s, FUGITIVE, i):
                s.possible[i] = 0
        return
    for piece in range(1, s.pieces):  # every station has a taxi, so a detective must be beside it
        at = s.station[piece]
        for n in range(s.degree[at]):
            i = s.to[at, n]
            if s.possible[i] == 1 and not can_move(s, FUGITIVE, i):
                s.possible[i] = 0


@kernel
def learn_he_cannot_move(s):
    """He has passed in the middle of a double move."""
    for i in range(s.stations):
        if s.possible[i] == 1 and can_move(s, FUGITIVE, i):
            s.possible[i] = 0


@kernel
def random_possible(s, rng):
    """One of the stations where Mr X can be, all as likely."""
    count = 0
    for i in range(s.stations):
        count += s.possible[i]
    left, i = below(rng, count), 0
    while s.possible[i] == 0 or left > 0:
        left -= s.possible[i]
        i += 1
    return i


# --- what is hidden ---


@kernel
def is_shown(s):
    """Whether everybody sees Mr X: after a move that showed him, and when the game is over."""
    return s.phase == DONE or (s.moves > 0 and s.seen[s.moves - 1] != UNKNOWN)


@rules.redact.method(State)
def redact(s, viewer):
    """Nothing is hidden but where Mr X is."""
    if viewer != FUGITIVE and not is_shown(s):
        s.station[FUGITIVE] = UNKNOWN


@rules.determinize.method(State)
def determinize(s, viewer, rng):
    """Mr X may be at any of his possible stations."""
    if s.phase != START and s.station[FUGITIVE] == UNKNOWN:
        s.station[FUGITIVE] = random_possible(s, rng)


@rules.seen.method(State)
def seen(s, a, viewer):
    """Others see of Mr X's start nothing, and of a hidden move the ticket."""
    if viewer == FUGITIVE or s.phase == DETECTIVES:
        return a
    if s.phase == START:
        return HIDDEN_START
    if a in (DOUBLE, PASS) or s.reveal[s.moves] == 1:
        return a
    return HIDDEN_MOVE + kind_of(a)
