"""Pig: each throw adds to your turn, but a 1 loses it all. Hold, and your points are safe."""

from kostka.core import palette, rules
from kostka.core.record import new, record, within

TURN, THROW, DONE = range(3)
ROLL, HOLD = range(2)

State = record(
    "pig.state",
    score=within(0, 10**6, "i4", 2),
    player=within(0, 1, "i4"),  # whose turn it is
    turn=within(0, 10**6, "i4"),  # the points of this turn, not yet safe
    die=within(0, 6, "i4"),  # the last throw
    phase=within(TURN, DONE, "i4"),
    fixed=dict(goal=within(1, 1000, "i4")),
)
Race = record("pig.race", pace="f8", kept="f8")
EVALUATIONS = {"race": new(Race, pace=8.0, kept=0.9)}


def start(s, options):
    s.goal = options["goal"]


@rules.mover.method(State)
def mover(s):
    if s.phase == DONE:
        return rules.OVER
    return s.player if s.phase == TURN else rules.CHANCE


@rules.legal.method(State)
def legal(s, out):
    """Roll, or hold what the turn has brought."""
    out[0], out[1] = ROLL, HOLD
    return 2 if s.turn > 0 else 1


@rules.chance.method(State)
def chance(s, out, prob):
    for i in range(6):
        out[i], prob[i] = i + 1, 1 / 6
    return 6


@rules.apply.method(State)
def apply(s, a):
    """A 1 loses the turn. Holding makes its points safe, and wins when they reach the goal."""
    if s.phase == THROW:
        s.phase, s.die, s.turn = TURN, a, s.turn + a
        if a == 1:
            s.player, s.turn = 1 - s.player, 0
    elif a == ROLL:
        s.phase = THROW
    else:
        s.score[s.player] += s.turn
        s.phase = DONE if s.score[s.player] >= s.goal else TURN
        s.player, s.turn = 1 - s.player, 0


@rules.returns.method(State)
def returns(s, out):
    out[s.player], out[1 - s.player] = 0.0, 1.0


@rules.score.method(State)
def score(s, out):
    out[0], out[1] = s.score[0], s.score[1]


@rules.evaluate.method(Race, State)
def race(h, s, player):
    """The shorter way to the goal is better; points of the turn are worth less than safe ones."""
    way = max(0.0, s.goal - s.score[s.player] - h.kept * s.turn) + h.pace
    other_way = s.goal - s.score[1 - s.player] + 2 * h.pace
    value = other_way**2 / (way**2 + other_way**2)
    return value if player == s.player else 1 - value


def text(s, a):
    return str(a) if s.phase == THROW else ("roll", "hold")[a]


def describe(s, a):
    words = ("roll the die", f"hold {s.turn} points")
    return f"the die shows {a}" if s.phase == THROW else words[a]


def why_not(s, a):
    return "roll first: there is nothing to hold yet"


def players(s):
    """What the page shows of each player: points that are safe, and those at stake."""
    at_stake = [s.turn * (p == s.player) for p in range(2)]
    return [[("points", f"{s.score[p]}"), ("this turn", f"{at_stake[p]}")] for p in range(2)]


def effects(before, a, after):
    """The page lets the die roll."""
    return [{"kind": "dice", "at": "die", "faces": [[a]]}] if before.phase == THROW else []


def svg(s):
    """How far each player is from the goal, with the points of the turn paler; and the die."""
    art = f"<style>.pig {{ font: 24px {palette.SANS}; text-anchor: middle }}</style>"
    for p, (_, colour, shape, _) in enumerate(palette.PLAYERS[:2]):
        safe, risk = s.score[p], s.turn * (p == s.player)
        art += f'<g transform="translate(28 {36 + 44 * p})" fill="{colour}">'
        for points, opacity in ((s.goal, 0.15), (safe + risk, 0.4), (safe, 1)):
            width = 240 * min(points / s.goal, 1)
            art += f'<rect x="24" y="-8" width="{width}" height="16" opacity="{opacity}"/>'
        art += f'<text y="8">{shape}</text><text x="300" y="8">{safe}</text></g>'
    die = f'<tspan font-size="96">{" ⚀⚁⚂⚃⚄⚅"[s.die]}</tspan> +{s.turn}'
    colour = palette.PLAYERS[s.player].colour
    art += f'<text id="die" x="180" y="190" fill="{colour}">{die}</text>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="pig" viewBox="0 0 360 216">{art}</svg>'
