"""Zubrik's expectimax (Marcin, Vrábľová and Zubrik, Brno 2020) against stei opponents."""

from dataclasses import replace

import numpy as np

from kostka.agents.base import Agent, Player
from kostka.agents.generic import KINDS as GENERIC
from kostka.core import rules
from kostka.core.errors import unknown
from kostka.core.game import Game, Value
from kostka.core.kernels import kernel
from kostka.core.memory import copy, restore
from kostka.core.record import record
from kostka.core.state import View
from kostka.games.dicewars.actions import END, source_of, target_of
from kostka.games.dicewars.heuristics import (
    EVALUATIONS,
    SEARCHED_STEI,
    Seed,
    seed_evaluation,
)
from kostka.games.dicewars.rules import LOSE, ODDS, WIN, alive, attacks, resolve_attack
from kostka.games.dicewars.state import ATTACK

#: Attacks less likely than 8 dice against 8 are not searched.
EVEN_ATTACK = 0.47

#: From this chance on only the success is searched; the failure is evaluated at once.
SURE_ATTACK = 0.8

STACK = 600

OPEN = -1.0

#: An attack of an opponent in search: first its success, then (``stage`` LOSE) its failure.
Branch = record("dicewars.branch", chance="f8", won="f8", action="i4", turns="i4", stage="i8")


@kernel
def best_attack(view, states, branches, heuristics, opponents, out, scratch, rng):
    """The attack with the best expected evaluation after every opponent's next turn, or END.

    Opponents play stei, as in a game that began with those who are left. Nothing is produced inside
    the search, and the turn is never ended while an attack is likely enough: the search only orders
    attacks.
    """
    me = view[0].player
    for i in range(len(states)):
        copy(states[i], view[0])
    rivals = alive(view[0]) - 1
    best, value, most_won, most_lost = END, -1.0, -1.0, -1.0
    for n in range(attacks(view[0], out)):
        a = out[n]
        p = ODDS[view[0].dice[source_of(a)], view[0].dice[target_of(a)]]
        if p <= EVEN_ATTACK:
            continue
        attack(states[0], view[0], a, WIN)
        won = replies(me, rivals, states, branches, heuristics[0], opponents[0], scratch, rng)
        attack(states[0], view[0], a, LOSE)
        if p >= SURE_ATTACK:
            lost = seed_evaluation(heuristics[0], states[0], me)
        else:
            lost = replies(me, rivals, states, branches, heuristics[0], opponents[0], scratch, rng)
        total = p * won + (1.0 - p) * lost
        better = total > value or (total == value and won > most_won)
        if better or (total == value and won == most_won and lost > most_lost):
            best, value, most_won, most_lost = a, total, won, lost
    return best


@kernel
def attack(after, before, a, outcome):
    """The position after an attack that was won or lost."""
    restore(after, before)
    after.source, after.target = source_of(a), target_of(a)
    resolve_attack(after, outcome)
    after.phase = ATTACK


@kernel
def replies(me, rivals, states, branches, h, opponent, scratch, rng):
    """The expected evaluation of ``states[0]`` after a turn of each rival.

    A rival who is out still uses up one of the turns, as in the original.
    """
    d = 0
    states[0].player = (me + 1) % states[0].players
    branches[0].turns = rivals
    while True:
        value = play_on(me, d, states, branches, h, opponent, scratch, rng)
        if value == OPEN:
            d += 1
            continue
        while d > 0:
            b = branches[d - 1]
            if b.stage == WIN:
                b.won, b.stage = value, LOSE
                attack(states[d], states[d - 1], b.action, LOSE)
                branches[d].turns = b.turns
                if b.chance < SURE_ATTACK:
                    break
                value = seed_evaluation(h, states[d], me)
            value = b.chance * b.won + (1.0 - b.chance) * value
            d -= 1
        else:
            return value


@kernel
def play_on(me, d, states, branches, h, opponent, scratch, rng):
    """Let the rivals play until their turns are over, or OPEN a branch for an attack."""
    s, b = states[d], branches[d]
    while b.turns > 0 and d + 1 < len(states):
        a = rules.policy(opponent, s, scratch, rng)
        if a == END:
            s.player = (s.player + 1) % s.players
            b.turns -= 1
            continue
        b.action, b.stage = a, WIN
        b.chance = ODDS[s.dice[source_of(a)], s.dice[target_of(a)]]
        attack(states[d + 1], s, a, WIN)
        branches[d + 1].turns = b.turns
        if b.chance > EVEN_ATTACK:
            return OPEN
        won = seed_evaluation(h, states[d + 1], me)
        attack(states[d + 1], s, a, LOSE)
        lost = seed_evaluation(h, states[d + 1], me)
        return b.chance * won + (1.0 - b.chance) * lost
    return seed_evaluation(h, s, me)


class SeedExpectimax(Player):
    """The thesis's agent (xzubri00)."""

    def __init__(self, game: Game, eval: str) -> None:
        own = [name for name, record in EVALUATIONS.items() if record.dtype == Seed]
        if eval not in own:
            raise unknown("evaluation of the thesis's search", eval, own)
        self.evaluation = EVALUATIONS[eval]
        self.states = np.zeros(STACK, game.dtype)
        self.branches = np.zeros(STACK, Branch)
        self.out, self.scratch = np.zeros((2, game.width), np.int64)

    def act(self, view: View) -> int:
        return int(
            best_attack(
                view.buffer,
                self.states,
                self.branches,
                self.evaluation,
                SEARCHED_STEI,
                self.out,
                self.scratch,
                self.rng,
            )
        )


def expectimax(game: Game, depth: int, eval: str, **rest: Value) -> Agent:
    """The thesis's search, or with a depth the generic one."""
    if depth == 0:
        return SeedExpectimax(game, eval)
    return GENERIC["expectimax"].make(game, depth=depth, eval=eval, **rest)


KINDS = {
    "expectimax": replace(
        GENERIC["expectimax"],
        help="the thesis's search against stei opponents; with a depth, the generic search",
        make=expectimax,
    ).preset(depth=0, eval="seed"),
}
