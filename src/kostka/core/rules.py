"""The contract of a game: generic functions that a game implements for its state record."""

from math import exp

from kostka.core.generic import generic
from kostka.core.kernels import kernel
from kostka.core.memory import like
from kostka.core.rng import uniform

#: What ``mover`` says when luck decides, and when the game is over.
CHANCE, OVER = -1, -2

#: The viewer who sees only what everybody sees; no player, and not CHANCE either.
PUBLIC = -3


@kernel
def _nothing_dealt(s, rng):
    pass


@generic(default=lambda key: _nothing_dealt)
def deal(s, rng):
    """The random set-up that everybody sees, done once on a fresh state: a board, who starts."""


@generic
def mover(s):
    """The player to act, or CHANCE, or OVER."""


@generic
def legal(s, out):
    """Write the mover's legal actions to ``out`` and return their number."""


@generic
def apply(s, a):
    """Carry out a legal action or, at a chance node, an outcome. All luck is in the outcomes."""


@generic
def returns(s, out):
    """Write each player's utility, in [0, 1] and summing to 1 over the sides, of a game over."""


@kernel
def _no_luck(s, out, prob):
    return 0


@generic(default=lambda key: _no_luck)
def chance(s, out, prob):
    """At a chance node: write every outcome and its exact probability, return their number."""


@generic
def draw(s, rng):
    """Sample one outcome of a chance node faster than from ``chance``. Optional."""


@kernel
def _sample_chance(s, out, prob, rng):
    k = chance(s, out, prob)
    u = uniform(rng)
    for i in range(k - 1):
        u -= prob[i]
        if u < 0.0:
            return out[i]
    return out[k - 1]


@kernel
def _sample_draw(s, out, prob, rng):
    return draw(s, rng)


@generic(default=lambda key: _sample_draw if draw.find(key) else _sample_chance)
def sample(s, out, prob, rng):
    """One outcome of a chance node: by ``draw`` where a game has it, from ``chance`` otherwise."""


@kernel
def _returns_are_the_score(s, out):
    returns(s, out)


@generic(default=lambda key: _returns_are_the_score)
def score(s, out):
    """Write the points that people count, at any time of the game."""


@kernel
def _nothing_hidden(s, viewer):
    pass


@generic(default=lambda key: _nothing_hidden)
def redact(s, viewer):
    """Wipe what the viewer may not know."""


@kernel
def _nothing_to_guess(s, viewer, rng):
    pass


@generic(default=lambda key: _nothing_to_guess)
def determinize(s, viewer, rng):
    """Fill in what the viewer does not know with a sample consistent with all he does know."""


@kernel
def _all_seen(s, a, viewer):
    return a


@generic(default=lambda key: _all_seen)
def seen(s, a, viewer):
    """What a viewer learns of an action or outcome: itself, or a code beyond those of the game."""


@kernel
def _one_source(s):
    return 0


@generic(default=lambda key: _one_source)
def luck_source(s):
    """Which stream of luck a chance node draws from, for duplicate play."""


@kernel
def _uncounted(s):
    return -1


@generic(default=lambda key: _uncounted)
def turns(s):
    """How many turns have ended by now; -1 in a game that does not count them.

    The last decision of a turn is that of the player whose turn it was.
    """


@kernel
def _nothing_conserved(s, out):
    return 0


@generic(default=lambda key: _nothing_conserved)
def conserved(s, out):
    """Write the quantities that never change during a game, and return their number."""


@kernel
def _alone(s, player):
    return player


@generic(default=lambda key: _alone)
def side(s, player):
    """The first player of a player's side; where everybody plays for themselves, the player."""


@kernel
def _everything_is_plausible(s):
    return True


@generic(default=lambda key: _everything_is_plausible)
def plausible(s):
    """Whether the fields of a position fit together, if each of them is within its limits.

    It is asked of positions and views that come from outside, before any other kernel sees them:
    wherever it says yes, the rules must neither leave their arrays nor go on for ever.
    """


# --- what has parameters: dispatched on its own record and on the state's ---


@generic
def features(h, s, player, out):
    """Write what a learnt heuristic sees of a position for a player; returns how many numbers.

    None for whoever has lost already: they get no share of the game. Optional.
    """


@kernel
def _share(h, s, player):
    """The share that a player's side has of exp(weights · features), among all sides."""
    own, total, top = 0.0, 0.0, 0.0
    mine = side(s, player)
    seen = like(h)
    for p in range(s.players):
        if side(s, p) != p or features(h, s, p, seen.weights) == 0:
            continue
        score = 0.0
        for i in range(len(h.weights)):
            score += h.weights[i] * seen.weights[i]
        if total == 0.0 or score > top:  # no power is above 1, so that none overflows
            scale = exp(top - score) if total > 0.0 else 0.0
            own, total, top = own * scale, total * scale, score
        power = exp(score - top)
        total += power
        if p == mine:
            own = power
    return own / total if total > 0.0 else 0.0


@generic(default=lambda key: _share if features.find(key) else None)
def evaluate(h, s, player):
    """How a heuristic values a position for a player, in [0, 1] on the scale of ``returns``.

    One with ``weights`` and ``features`` is a logit if it says nothing else: the share that the
    player's side has of exp(weights · features). The state then has a field ``players``.
    """


@kernel
def _shares(h, s, out):
    """As ``_share`` has it, for everybody at once."""
    total, top = 0.0, 0.0
    seen = like(h)
    for p in range(s.players):
        out[p] = 0.0
        if side(s, p) != p or features(h, s, p, seen.weights) == 0:
            continue
        score = 0.0
        for i in range(len(h.weights)):
            score += h.weights[i] * seen.weights[i]
        if total == 0.0 or score > top:
            scale = exp(top - score) if total > 0.0 else 0.0
            for other in range(p):
                out[other] *= scale
            total, top = total * scale, score
        out[p] = exp(score - top)
        total += out[p]
    for p in range(s.players):
        if side(s, p) == p:
            out[p] = out[p] / total if total > 0.0 else 0.0
    for p in range(s.players):
        out[p] = out[side(s, p)]


@kernel
def _one_by_one(h, s, out):
    for p in range(len(out)):
        out[p] = evaluate(h, s, p)


@generic(default=lambda key: _shares if evaluate.find(key) is _share else _one_by_one)
def evaluate_all(h, s, out):
    """Write what ``evaluate`` says for each player, reckoned once for all; ``out`` is as long."""


@generic
def policy(p, s, out, rng):
    """The action a policy takes; ``out`` is a buffer for the legal actions."""


@kernel
def _no_prior(h, s, a):
    return 0.0


@generic(default=lambda key: _no_prior)
def prior(h, s, a):
    """How promising an action looks before it is searched: larger first."""


@kernel
def _all_are_sensible(h, s, out, k):
    return k


@generic(default=lambda key: _all_are_sensible)
def sensible(h, s, out, k):
    """Keep those of ``k`` legal actions that are worth searching, at least one; how many."""


@kernel
def _guess_evenly(h, s, viewer, rng):
    determinize(s, viewer, rng)


@generic(default=lambda key: _guess_evenly)
def guess(h, s, viewer, rng):
    """``determinize``, with what the viewer does not know as likely as a heuristic holds it."""


@kernel
def _reward_is_the_return(h, s, out):
    returns(s, out)


@generic(default=lambda key: _reward_is_the_return)
def reward(h, s, out):
    """What a search is to strive for: write what a game that is over is worth to each player."""


@kernel
def _no_short_cut(h, s, turn, gain, out):
    return 0


@generic(default=lambda key: _no_short_cut)
def best_turn(h, s, turn, gain, out):
    """The mover's best whole turn by a heuristic, found faster than by trying all. Optional.

    A turn is all that a player does until luck, or somebody else, has to decide. Writes its
    decisions to ``turn``, and to ``gain`` what the position after it is worth to each player, by
    ``evaluate`` or, of a game that is over, ``reward``. Returns the number of decisions; 0 where
    all have to be tried. Of equals it takes the first in the order of ``legal``; it may try things
    on ``s``, but leaves it as it was.
    """
