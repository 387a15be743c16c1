"""Dice Wars: the reference opponents of the Brno course as policies, and evaluations."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from kostka.core import bits, rules
from kostka.core.kernels import kernel
from kostka.core.record import new, record
from kostka.core.rng import below
from kostka.games.dicewars.actions import END, source_of, target_of, transfer_code
from kostka.games.dicewars.rules import ODDS, alive, attacks, largest_region, region_of
from kostka.games.dicewars.state import MAX_DICE, MAX_PLAYERS, PLACE, State

# --- reference policies (D. Tureček, Brno 2018), all greedy, one command at a time ---

RANDOM, SDC, STE, WPM_D, WPM_C, WPM_S = range(6)

Reference = record(
    "dicewars.reference",
    threshold="f8",  # ste: least chance to win and hold
    threshold_duel="f8",  # the same with two players
    weight="f8",  # ste: factor for attacks from the largest region
    weight_duel="f8",
    # wpm: by number of players, per player in turn order from oneself
    score_weights=("f8", (MAX_PLAYERS + 1, MAX_PLAYERS)),
    dice_weights=("f8", (MAX_PLAYERS + 1, MAX_PLAYERS)),
    kind="i8",
    own_scores="i4",  # wpm: take one's own score for everybody's, as the course's code did
    living="i4",  # ste: whether it is a duel goes by who is left, not by who began
    # Of 2021: inner dice go to the border while fewer transfers were made; exposed dice go back.
    gather="i4",
    retreat="i4",
)

#: A move of a wpm agent may lose so much of the logarithm of the chance to win.
TOLERANCE = -0.05
WPM_S_LEAST_GAIN = -1.0


@rules.policy.method(Reference, State)
def reference(p, s, out, rng):
    """Gather at the border, attack, then retreat; most do nothing but attack."""
    if s.transfers < min(p.gather, s.transfer_limit):
        transfer = to_the_border(s)
        if transfer != END:
            return transfer
    if p.retreat == 0:
        return attack(p, s, out, rng)
    chosen = END if retreats(s) else attack(p, s, out, rng)
    if chosen == END and s.transfers < s.transfer_limit:
        return out_of_danger(s)
    return chosen


@kernel
def attack(p, s, out, rng):
    """The attack that a reference agent makes, or END."""
    k = attacks(s, out)
    if k == 0:
        return END
    if p.kind == RANDOM:
        return out[below(rng, k)]
    if p.kind == SDC:
        return strength_difference(s, out, k)
    if p.kind == STE:
        return single_turn(p, s, out, k)
    if p.kind == WPM_S:
        return win_probability_by_score(p, s, out, k)
    return win_probability_by_dice(p, s, out, k)


@kernel
def strength_difference(s, out, k):
    """The attack with the largest surplus of dice, unless it is negative."""
    best, most = END, -1
    for n in range(k):
        surplus = s.dice[source_of(out[n])] - s.dice[target_of(out[n])]
        if surplus > most:
            best, most = out[n], surplus
    return best


@kernel
def hold(s, i, dice, player):
    """The chance that an area with so many dice survives one attack by each enemy neighbour."""
    chance = 1.0
    around = s.neighbours[i]
    while not bits.empty(around):
        j = bits.first(around)
        if s.owner[j] != player and s.dice[j] > 1:
            chance *= 1.0 - ODDS[s.dice[j], dice]
        around = bits.rest(around)
    return chance


@kernel
def single_turn(p, s, out, k):
    """The attack with the best chance to win the area and hold it until the next turn."""
    duel = (alive(s) if p.living == 1 else s.players) == 2
    threshold = p.threshold_duel if duel else p.threshold
    weight = p.weight_duel if duel else p.weight
    region = largest_region(s, s.player)
    best, most = END, -1.0
    for n in range(k):
        i, j = source_of(out[n]), target_of(out[n])
        a = s.dice[i]
        quality = ODDS[a, s.dice[j]] * hold(s, j, a - 1, s.player)
        if quality < threshold and a < MAX_DICE:
            continue
        if bits.has(region, i):
            quality *= weight
        if quality > most:
            best, most = out[n], quality
    return best


@kernel
def dice_of(s, p):
    n = 0
    for i in range(s.areas):
        if s.owner[i] == p:
            n += s.dice[i]
    return n


@kernel
def score_of(s, p):
    return bits.count(largest_region(s, p))


@kernel
def sigmoid(x):
    return 1.0 / (1.0 + math.exp(-x))


@kernel
def logarithm(p, dice):
    """wpm-c takes ln(dice + 1), wpm-d ln(dice) and 0 for none."""
    if p.kind == WPM_C:
        return math.log(dice + 1.0)
    return math.log(float(dice)) if dice > 0 else 0.0


@kernel
def win_probability_by_dice(p, s, out, k):
    """wpm-d and wpm-c: a logistic model of the logarithms of everybody's dice (and scores)."""
    me = s.player
    own, score = dice_of(s, me), score_of(s, me)
    rest = 0.0  # the part of the sum that does not depend on our dice
    for turn in range(s.players):
        other = (me + turn) % s.players
        if p.kind == WPM_C:
            theirs = score if p.own_scores else score_of(s, other)
            rest += p.score_weights[s.players, turn] * math.log(theirs + 1.0)
        if turn > 0:
            rest += p.dice_weights[s.players, turn] * logarithm(p, dice_of(s, other))
    weight = p.dice_weights[s.players, 0]
    now = sigmoid(rest + weight * logarithm(p, own))
    end_value = sigmoid(rest + weight * logarithm(p, own + score))
    best, most, best_full, most_full = END, -1.0, END, -1.0
    for n in range(k):
        a, d = s.dice[source_of(out[n])], s.dice[target_of(out[n])]
        victim = s.owner[target_of(out[n])]
        turn = (victim - me + s.players) % s.players
        dice = dice_of(s, victim)
        hit = p.dice_weights[s.players, turn] * (logarithm(p, dice - d) - logarithm(p, dice))
        won = sigmoid(rest + hit + weight * logarithm(p, own + score))
        lost = sigmoid(rest + weight * logarithm(p, own + score - (a - 1)))
        value = ODDS[a, d] * won + (1.0 - ODDS[a, d]) * lost
        if value > most:
            best, most = out[n], value
        if a == MAX_DICE and value > most_full:
            best_full, most_full = out[n], value
    if most > end_value:
        tolerable = math.log(most) - math.log(now) >= TOLERANCE
        if tolerable or s.dice[source_of(best)] == MAX_DICE:
            return best
    return best_full


@kernel
def win_probability_by_score(p, s, out, k):
    """wpm-s: grow a largest region by one; the chance to fail counts, its harm does not.

    Attacks with eight dice that grow none are weighed by their chance alone.
    """
    me = s.player
    score = score_of(s, me)
    now = 0.0
    for turn in range(s.players):
        other = (me + turn) % s.players
        now += p.score_weights[s.players, turn] * (score if p.own_scores else score_of(s, other))
    gain = math.log(sigmoid(now + p.score_weights[s.players, 0])) - math.log(sigmoid(now))
    regions = largest_regions(s, me, score)
    best, most = END, WPM_S_LEAST_GAIN
    for n in range(k):
        i, j = source_of(out[n]), target_of(out[n])
        near = bits.has(regions, i) or not bits.empty(bits.both(regions, s.neighbours[j]))
        if not near and s.dice[i] < MAX_DICE:
            continue
        value = math.log(ODDS[s.dice[i], s.dice[j]]) + (gain if near else 0.0)
        if value > most or (best == END and value == most):
            best, most = out[n], value
    if best != END and (most >= TOLERANCE or s.dice[source_of(best)] == MAX_DICE):
        return best
    return END


@kernel
def largest_regions(s, p, size):
    """The areas of all regions of a player that have this size."""
    left = s.territory[p]
    found = bits.none()
    while not bits.empty(left):
        region = region_of(s, bits.first(left), left)
        if bits.count(region) == size:
            found = bits.either(found, region)
        left = bits.minus(left, region)
    return found


#: Published weights by number of players, per player in turn order from oneself.
WEIGHTS = json.loads((Path(__file__).parent / "weights.json").read_text())


def win_probability_model(name: str, own_scores: bool = True) -> np.ndarray:
    """The policy wpm-d, wpm-s or wpm-c."""
    kind = {"wpm-d": WPM_D, "wpm-s": WPM_S, "wpm-c": WPM_C}[name]
    model = new(Reference, kind=kind, own_scores=own_scores)
    for feature, field in (("scores", "score_weights"), ("dice", "dice_weights")):
        for players, weights in WEIGHTS.get(f"{name} {feature}", {}).items():
            model[field][0, int(players), : len(weights)] = weights
    return model


# --- transfers, edition 2021 (the course's kb agents) ---


@kernel
def at_border(s, i, mine):
    return not bits.empty(bits.minus(s.neighbours[i], mine))


@kernel
def to_the_border(s):
    """From the first inner area with dice to spare to a neighbour at the border, or END."""
    mine = s.territory[s.player]
    for i in range(s.areas):
        if not bits.has(mine, i) or s.dice[i] < 2 or at_border(s, i, mine):
            continue
        around = s.neighbours[i]
        while not bits.empty(around):
            j = bits.first(around)
            if s.dice[j] < MAX_DICE and at_border(s, j, mine):
                return transfer_code(i, j)
            around = bits.rest(around)
    return END


@kernel
def out_of_danger(s):
    """The transfer from the border that lowers most how many dice are likely to fall, or END."""
    mine = s.territory[s.player]
    best, most = END, 0.0
    for i in range(s.areas):
        if not bits.has(mine, i) or s.dice[i] < 2 or not at_border(s, i, mine):
            continue
        around = bits.both(s.neighbours[i], mine)
        while not bits.empty(around):
            j = bits.first(around)
            around = bits.rest(around)
            moved = min(MAX_DICE - s.dice[j], s.dice[i] - 1)
            here, there = s.dice[i], s.dice[j]
            spared = at_stake(s, i, here) - at_stake(s, i, here - moved)
            spared += at_stake(s, j, there) - at_stake(s, j, there + moved)
            if spared > most:
                best, most = transfer_code(i, j), spared
    return best


@kernel
def at_stake(s, i, dice):
    """How many of so many dice on an own area are likely to fall before the next turn."""
    return (1.0 - hold(s, i, dice, s.player)) * dice


@kernel
def retreats(s):
    """Was the last thing done this turn a transfer from the border? No attack follows on it."""
    if s.source < 0 or s.won != -1:
        return False
    return at_border(s, s.source, s.territory[s.player])


SINGLE_TURN = {"kind": STE, "threshold": 0.2, "threshold_duel": 0.2, "weight": 1, "weight_duel": 1}
SINGLE_TURN_IMPROVED = {**SINGLE_TURN, "threshold": 0.4, "weight": 2, "weight_duel": 3}

POLICIES = {
    "stei": new(Reference, **SINGLE_TURN_IMPROVED),
    "ste": new(Reference, **SINGLE_TURN),
    "sdc": new(Reference, kind=SDC),
    "attacks": new(Reference, kind=RANDOM),
    **{name: win_probability_model(name) for name in ("wpm-d", "wpm-s", "wpm-c")},
    "sdc-pre-at": new(Reference, kind=SDC, gather=6),
    "sdc-post-dt": new(Reference, kind=SDC, retreat=1),
    "stei-at": new(Reference, **SINGLE_TURN_IMPROVED, gather=6, retreat=1),
    "stei-dt": new(Reference, **SINGLE_TURN_IMPROVED, retreat=1),
    "stei-adt": new(Reference, **SINGLE_TURN_IMPROVED, gather=4, retreat=1),
}

#: stei as the thesis's search expects it of opponents.
SEARCHED_STEI = new(Reference, **SINGLE_TURN_IMPROVED, living=1)

# --- evaluations ---

#: The thesis's evaluation. ``border`` 0 leaves the score alone, as its first version did;
#: ``largest`` counts only the largest excess at each border area.
Seed = record("dicewars.seed", border="i4", largest="i4")


@kernel
def seed_evaluation(h, s, player):
    """score - 1 + 1 / (abd + naa + 1): what threatens the border decides between equal scores."""
    score = score_of(s, player)
    if score == 0 or h.border == 0:
        return float(score)
    threat, singles = 0, 0
    for i in range(s.areas):
        if s.owner[i] != player:
            continue
        at_border, worst = False, 0
        around = s.neighbours[i]
        while not bits.empty(around):
            j = bits.first(around)
            if s.owner[j] != player:
                at_border = True
                excess = max(0, s.dice[j] - s.dice[i])
                worst = max(worst, excess) if h.largest == 1 else worst + excess
            around = bits.rest(around)
        threat += worst
        if at_border and s.dice[i] == 1:
            singles += 1
    return score - 1.0 + 1.0 / (threat + singles + 1.0)


@rules.evaluate.method(Seed, State)
def evaluate_seed(h, s, player):
    return seed_evaluation(h, s, player) / s.areas


def seed_value(s: Any, player: int) -> float:
    """The thesis's evaluation of a position, on its own scale."""
    return seed_evaluation(EVALUATIONS["seed"][0], s, player)


@kernel
def chance_to_win(s, a):
    """Attacks that are likely to be won first; ending the turn counts as an even chance."""
    if a >= END or s.owner[source_of(a)] == s.owner[target_of(a)]:
        return 0.5
    return ODDS[s.dice[source_of(a)], s.dice[target_of(a)]]


@rules.prior.method(Seed, State)
def seed_prior(h, s, a):
    return chance_to_win(s, a)


# The outlook is a chance to win, learnt from games: kostka learn dicewars outlook.

FEATURES = (
    "dice", "largest region", "areas", "share of the dice", "share of the areas", "turn",
    "turn to place", "threat",
)  # fmt: skip
Outlook = record("dicewars.outlook", weights=("f8", len(FEATURES)))


@rules.features.method(Outlook, State)
def features(h, s, player, out):
    """What a player has, that it is their turn, and how easily their areas fall."""
    if s.held[player] == 0:
        return 0
    dice, threat = s.reserve[player], 0.0
    for i in range(s.areas):
        if s.owner[i] != player:
            continue
        dice += s.dice[i]
        worst = 0.0
        around = s.neighbours[i]
        while not bits.empty(around):
            j = bits.first(around)
            if s.owner[j] != player and s.dice[j] > 1:
                worst = max(worst, ODDS[s.dice[j], s.dice[i]])
            around = bits.rest(around)
        threat += worst
    mine = s.player == player
    out[0] = math.log(dice + 1.0)
    out[1] = math.log(score_of(s, player) + 1.0)
    out[2] = math.log(s.held[player] + 1.0)
    out[3] = dice / float(MAX_DICE * s.areas)
    out[4] = s.held[player] / float(s.areas)
    out[5] = 1.0 if mine and s.phase != PLACE else 0.0
    out[6] = 1.0 if mine and s.phase == PLACE else 0.0
    out[7] = threat / s.areas
    return len(out)


@rules.prior.method(Outlook, State)
def outlook_prior(h, s, a):
    return chance_to_win(s, a)


LOGITS = {"outlook": (Outlook, FEATURES)}

EVALUATIONS = {
    "seed": new(Seed, border=1),
    "score": new(Seed),
    "seed-max": new(Seed, border=1, largest=1),
}
