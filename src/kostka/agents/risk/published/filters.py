"""What the searches of the thesis look at: what its heuristics keep, or what its networks say.

There a node of the tree is a whole turn; here it is one decision, so the same turns are found, with
these differences. Armies are placed in the order of the territories, none twice, but attacks come
in any order. A fight goes to its end by itself. Before each decision a search looks anew.
"""

import numpy as np

from kostka.agents.risk.published.nets import (
    ROOM,
    SLOPE,
    TOPOLOGIES,
    attacker,
    best_claim,
    best_place,
    dice,
    enemies,
    judge_attack,
    judge_claim,
    judge_move,
    judge_place,
    judge_target,
    trade,
    wanted_number,
)
from kostka.core import bits, rules
from kostka.core.kernels import kernel
from kostka.core.memory import floats
from kostka.core.record import new, record
from kostka.games.risk.actions import (
    END,
    UNTIL,
    attack_code,
    dice_of,
    moved_from,
    moved_to,
    number_code,
    source_of,
    target_of,
)
from kostka.games.risk.rules import bounds, places, to_place
from kostka.games.risk.sensible import front
from kostka.games.risk.state import (
    ATTACK,
    CLAIM,
    DRAFT,
    EXTRA,
    FORTIFY,
    MOVE,
    NEUTRAL,
    NUMBER,
    OCCUPY,
    TRADE,
    State,
)
from kostka.learn import network
from kostka.learn.network import WIDEST

#: An attack is looked at with so many armies more than the defender has.
AHEAD = 2

#: Heuristics: armies are placed in steps of so many.
Borders = record("risk.borders", step="i8")

#: Networks: what is kept has an output above the limit.
Advised = record("risk.advised", limit="f8", **network.fields(*TOPOLOGIES.values()))


def borders(step: int) -> np.ndarray:
    return new(Borders, step=step)


def advised(topology: str, numbers: np.ndarray, limit: float) -> np.ndarray:
    return network.make(Advised, TOPOLOGIES[topology], numbers, SLOPE, limit=limit)


@rules.evaluate.method(Borders, State)
def even(h, s, player):
    """Playouts that are cut short tell nothing."""
    return 1.0 / s.players


@rules.evaluate.method(Advised, State)
def even_too(h, s, player):
    return 1.0 / s.players


# --- heuristics ---


@rules.sensible.method(Borders, State)
def keep_borders(h, s, out, k):
    """Armies to the border, attacks with more armies and to the end, and everything moves."""
    phase = s.phase
    if phase in (OCCUPY, MOVE):
        out[0] = number_code(bounds(s)[1])
        return 1
    if phase == NUMBER and s.setup[s.player] == 0:
        return keep_steps(h, s, out)
    n, edge = 0, front(s, s.player)
    if phase == DRAFT:
        return keep_rising(s, edge, out, k)
    if phase not in (ATTACK, FORTIFY):
        return k
    for i in range(k):
        if is_kept(s, out[i], edge):
            out[n] = out[i]
            n += 1
    return n


@kernel
def keep_rising(s, edge, out, k):
    """Border territories behind the one where armies were placed last; any if there is none."""
    room = bits.both(edge, places(s))
    behind = bits.minus(room, bits.upto(s.target + 1))
    if s.fighting == 1 or bits.empty(behind):
        behind = room
    return k if bits.empty(behind) else bits.members(behind, out)


@kernel
def keep_steps(h, s, out):
    """Steps of two, and all: no single army is left over, nor any behind the last territory."""
    n, high = 0, bounds(s)[1]
    if high == to_place(s) and not is_last(s):
        for number in range(h.step, high - 1, h.step):
            out[n] = number_code(number)
            n += 1
    out[n] = number_code(high)
    return n + 1


@kernel
def is_last(s):
    """Whether no border territory with room comes behind the one where armies are placed."""
    behind = bits.minus(front(s, s.player), bits.upto(s.target + 1))
    while not bits.empty(behind):
        if s.armies[bits.first(behind)] < s.limit:
            return False
        behind = bits.rest(behind)
    return True


@kernel
def is_kept(s, a, edge):
    """A fight to its end with two armies more, or a move to the border."""
    if a == END:
        return True
    if s.phase == FORTIFY:
        return bits.has(edge, moved_to(a))
    i, j = source_of(a), target_of(a)
    return dice_of(a) == UNTIL and s.armies[i] >= s.armies[j] + AHEAD


# --- networks ---


@rules.sensible.method(Advised, State)
def keep_advised(h, s, out, k):
    """What the networks answer above the limit; the best of it if nothing is."""
    phase = s.phase
    if phase in (CLAIM, DRAFT):
        return keep_places(h, s, out)
    if phase == ATTACK:
        return keep_attacks(h, s, out)
    if phase == FORTIFY:
        return keep_moves(h, s, out, k)
    if phase == NEUTRAL:
        return k
    out[0] = trade(h, s, out) if phase == TRADE else advice(h, s)
    return 1


@kernel
def advice(h, s):
    return best_place(h, s) if s.phase == EXTRA else number_code(wanted_number(h, s))


@kernel
def keep_places(h, s, out):
    values, left, n = floats(WIDEST), places(s), 0
    while not bits.empty(left):
        t = bits.first(left)
        left = bits.rest(left)
        if s.phase == CLAIM:
            judge_claim(h, s, t, values)
        else:
            judge_place(h, s, t, values)
        if values[0] > h.limit:
            out[n] = t
            n += 1
    if n == 0:
        out[0] = best_claim(h, s) if s.phase == CLAIM else best_place(h, s)
        n = 1
    return n


@kernel
def keep_attacks(h, s, out):
    """A target is attacked as long as the networks say so; then come those behind it, or none."""
    common, values, n = floats(ROOM), floats(ROOM), 0
    mine, theirs = s.land[s.player], enemies(s)
    if goes_on(h, s, theirs, values):
        out[0] = attack_code(s.source, s.target, min(dice(values[1]), s.armies[s.source] - 1))
        return 1
    froms = bits.minus(mine, bits.upto(max(0, s.source)))
    while not bits.empty(froms):
        i = bits.first(froms)
        froms = bits.rest(froms)
        targets = bits.minus(s.near[i], mine)
        if i == s.source:
            targets = bits.minus(targets, bits.upto(s.target))
        if s.armies[i] < 2 or bits.empty(targets):
            continue
        attacker(h, s, i, theirs, common, values)
        while not bits.empty(targets):
            j = bits.first(targets)
            targets = bits.rest(targets)
            judge_target(h, s, j, theirs, common, values)
            if values[0] > h.limit:
                out[n] = attack_code(i, j, min(dice(values[1]), s.armies[i] - 1))
                n += 1
    out[n] = END
    return n + 1


@kernel
def goes_on(h, s, theirs, values):
    """Whether the fight of the last attack goes on; the answer stays in ``values``."""
    if s.source < 0 or s.armies[s.source] < 2 or not bits.has(theirs, s.target):
        return False
    judge_attack(h, s, s.source, s.target, values)
    return values[0] > h.limit


@kernel
def keep_moves(h, s, out, k):
    """All moves above the limit, and none."""
    values, n = floats(ROOM), 0
    for i in range(k):
        a = out[i]
        if a != END:
            judge_move(h, s, moved_from(a), moved_to(a), values)
        if a == END or values[0] > h.limit:
            out[n] = a
            n += 1
    return n
