"""Whole games inside kernels: playouts, and the few doors through which Python steps a game."""

from kostka.core import rules
from kostka.core.generic import generic
from kostka.core.kernels import kernel
from kostka.core.memory import copy, restore, words
from kostka.core.record import record
from kostka.core.rng import below, for_decision

#: The policy that plays every legal action with the same chance; it serves every game.
Uniform = record("core.uniform", unused="i8")

#: The evaluation that knows nothing.
Even = record("core.even", unused="i8")

#: In place of an action: nothing to apply, only let luck decide.
NOTHING = -1


@rules.policy.method(Uniform)
def uniform(p, s, out, rng):
    return out[below(rng, rules.legal(s, out))]


@rules.evaluate.method(Even)
def even(h, s, player):
    return 0.5


@kernel
def advance(states, action, luck, out, prob, log, views):
    """Apply an action, then let luck decide until a player has to.

    Returns the number of outcomes logged, the player to act, and the number of his legal actions,
    which are written to ``out``, as his view is to ``views``. ``luck`` has one random stream a row;
    each chance node says which it draws from. When the log is full it stops at a chance node: call
    again with NOTHING.
    """
    s = states[0]
    if action != NOTHING:
        rules.apply(s, action)
    n = 0
    m = rules.mover(s)
    while n < len(log) and m == rules.CHANCE:
        log[n] = rules.sample(s, out, prob, luck[rules.luck_source(s)])
        rules.apply(s, log[n])
        n += 1
        m = rules.mover(s)
    if m < 0:
        return n, m, 0
    copy(views[0], s)
    rules.redact(views[0], m)
    return n, m, rules.legal(s, out)


@kernel
def legal_now(states, out):
    """The player to act and the number of legal actions, which are written to ``out``."""
    m = rules.mover(states[0])
    return (m, rules.legal(states[0], out)) if m >= 0 else (m, 0)


@kernel
def see(states, views, viewer):
    """Write the view of a seat."""
    copy(views[0], states[0])
    rules.redact(views[0], viewer)


@kernel
def play_on(s, p, out, prob, rng, limit):
    """Play on by the rules, step by step."""
    n = 0
    while n < limit:
        m = rules.mover(s)
        if m == rules.OVER:
            break
        if m == rules.CHANCE:
            rules.apply(s, rules.sample(s, out, prob, rng))
        else:
            rules.apply(s, rules.policy(p, s, out, rng))
            n += 1
    return n


@generic(default=lambda key: play_on)
def playout(s, p, out, prob, rng, limit):
    """Play on with one policy for all players; returns the decisions made.

    A game may do it faster, as long as the result is as likely: of a game that is over its returns,
    of one that the limit cuts short the whole position. What else it leaves need not be right.
    """


@kernel
def playouts(root, state, policies, games, out, prob, rng, limit):
    """Many playouts from one position; returns all decisions made. What a benchmark times."""
    copy(state[0], root[0])
    n = 0
    for _ in range(games):
        restore(state[0], root[0])
        n += playout(state[0], policies[0], out, prob, rng, limit)
    return n


@kernel
def reckon(states, returns, scores):
    """Write everybody's utility and points at the end of a game; False where it is not over."""
    if rules.mover(states[0]) != rules.OVER:
        return False
    rules.returns(states[0], returns)
    rules.score(states[0], scores)
    return True


@kernel
def contest(states, views, policies, luck, rngs, out, prob, limit, log):
    """Play a game to its end, each seat by its own policy, which sees only its view.

    Returns the decisions made and the codes that happened, actions and outcomes, of which as many
    are logged as there is room for: the same game that the referee plays with the same streams.
    """
    s, view, rng = states[0], views[0], words(2)
    copy(view, s)
    n = codes = 0
    while n < limit:
        m = rules.mover(s)
        if m == rules.OVER:
            break
        if m == rules.CHANCE:
            code = rules.sample(s, out, prob, luck[rules.luck_source(s)])
        else:
            restore(view, s)
            rules.redact(view, m)
            for_decision(rng, rngs[m], codes)
            code = rules.policy(policies[m], view, out, rng)
            n += 1
        if codes < len(log):
            log[codes] = code
        codes += 1
        rules.apply(s, code)
    return n, codes
