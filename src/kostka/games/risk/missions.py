"""Missions: what fulfils them, who has won by one, and which are known not to be held."""

from kostka.core import bits
from kostka.core.kernels import kernel
from kostka.games.risk.state import CONTINENTS, DESTROY, NOBODY, UNKNOWN


@kernel
def is_dealt(s, m):
    for p in range(s.players):
        if s.mission[p] == m:
            return True
    return False


@kernel
def fulfils(s, p, m):
    """Whether a player would win with a mission now."""
    if s.goal_kind[m] == DESTROY:
        return destroys(s, p, m)
    if s.goal_kind[m] == CONTINENTS:
        return holds_continents(s, p, m)
    return holds_land(s, p, m)


@kernel
def destroys(s, p, m):
    """Whoever is the target himself, or was forestalled, needs many territories instead."""
    target = s.goal_target[m]
    if target != p:
        if not bits.empty(s.land[target]):
            return False
        if s.by_anyone == 1 or s.slayer[target] == p:
            return True
    return holds_land(s, p, m)


@kernel
def holds_land(s, p, m):
    """So many territories, with so many armies on each."""
    if bits.count(s.land[p]) < s.goal_land[m]:
        return False
    if s.goal_armies[m] <= 1:
        return True
    n, left = 0, s.land[p]
    while not bits.empty(left):
        n += s.armies[bits.first(left)] >= s.goal_armies[m]
        left = bits.rest(left)
    return n >= s.goal_land[m]


@kernel
def holds_continents(s, p, m):
    """All that are named, and so many further ones of choice."""
    more = 0
    for c in range(s.continents):
        whole = bits.empty(bits.minus(s.continent_land[c], s.land[p]))
        if (s.goal_continents[m] >> c) & 1:
            if not whole:
                return False
        else:
            more += whole
    return more >= s.goal_choice[m]


@kernel
def winner_by_mission(s, everybody):
    """Who has won by a mission: the player on turn, or after him, in turn, anybody who lives.

    Of whoever has not won, everybody learns which missions he does not hold.
    """
    for n in range(s.players if everybody else 1):
        p = (s.player + n) % s.players
        if not bits.empty(s.land[p]):
            if s.mission[p] != UNKNOWN and fulfils(s, p, s.mission[p]):
                return p
            rule_out(s, p)
    return NOBODY


@kernel
def rule_out(s, p):
    for m in range(s.mission_count):
        if (s.ruled_out[p] >> m) & 1 == 0 and fulfils(s, p, m):
            s.ruled_out[p] |= 1 << m
