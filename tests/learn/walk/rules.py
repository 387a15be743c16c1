"""The random walk of Sutton and Barto, example 6.2: from the middle of five places to either end.

The right end is worth a point, the left one nothing: from place n of five the value is n / 6.
"""

from kostka.core import rules
from kostka.core.record import record, within
from kostka.learn import td

PLACES = 5
STEP, WAY, DONE = range(3)
LEFT, RIGHT = range(2)

State = record(
    "walk.state",
    at=within(0, PLACES + 1, "i4"),
    phase=within(STEP, DONE, "i4"),
    turns=within(0, 10_000, "i4"),
    players=within(1, 1, "i4"),
)
Walker = record("walk.walker", **td.fields(PLACES))


def start(s, options):
    s.players, s.at = 1, (PLACES + 1) // 2


@rules.mover.method(State)
def mover(s):
    if s.phase == DONE:
        return rules.OVER
    return 0 if s.phase == STEP else rules.CHANCE


@rules.turns.method(State)
def turns(s):
    return s.turns


@rules.legal.method(State)
def legal(s, out):
    out[0] = 0
    return 1


@rules.chance.method(State)
def chance(s, out, prob):
    for way in range(2):
        out[way], prob[way] = way, 0.5
    return 2


@rules.apply.method(State)
def apply(s, a):
    if s.phase == STEP:
        s.phase = WAY
        return
    s.at += 1 if a == RIGHT else -1
    s.turns += 1
    s.phase = DONE if s.at == 0 or s.at > PLACES else STEP


@rules.returns.method(State)
def returns(s, out):
    out[0] = 1.0


@rules.score.method(State)
def score(s, out):
    out[0] = 1.0 if s.at > PLACES else 0.0


@rules.features.method(Walker, State)
def features(h, s, player, out):
    """Which of the places it is."""
    for n in range(PLACES):
        out[n] = 1.0 if s.at == n + 1 else 0.0
    return PLACES


@rules.policy.method(Walker, State)
def policy(p, s, out, rng):
    return 0
