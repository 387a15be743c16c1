"""A learner for Dice Wars: what its outlook sees, and an attack valued by both of its ends."""

from kostka.core import rules
from kostka.core.memory import copy, floats, like
from kostka.core.record import record
from kostka.core.rng import below, uniform
from kostka.games.dicewars.actions import END
from kostka.games.dicewars.heuristics import FEATURES, chance_to_win, features
from kostka.games.dicewars.rules import LOSE, WIN
from kostka.games.dicewars.state import State
from kostka.learn import td

COUNT = len(FEATURES)
Learner = record("test.battle", **td.fields(COUNT))
rules.features.method(Learner, State)(features.py_func)


@rules.policy.method(Learner, State)
def policy(p, s, out, rng):
    """The attack after which the position is worth most, unless ending is worth more."""
    k = rules.legal(s, out)
    if uniform(rng) < p.epsilon:
        return out[below(rng, k)]
    me, t, x = s.player, like(s), floats(COUNT)
    best, most = END, td.value(p, s, me, x)
    for i in range(k):
        if out[i] == END:
            continue
        worth = 0.0
        chance = chance_to_win(s, out[i])
        for won in range(2):
            copy(t, s)
            rules.apply(t, out[i])
            rules.apply(t, WIN if won else LOSE)
            if t.held[me] == t.areas:
                worth += chance * p.win
            else:
                worth += (chance if won else 1.0 - chance) * td.value(p, t, me, x)
        if worth >= most:
            best, most = out[i], worth
    return best
