"""How the players stand: points that everybody sees, and who has won."""

from kostka.core.kernels import kernel
from kostka.games.catan.state import CITIES, DONE, POINT, SETTLEMENTS

#: Points for the longest road, and for the largest army.
ROAD_POINTS = ARMY_POINTS = 2
#: The largest army has so many knights at least.
LEAST_ARMY = 3


@kernel
def public_points(s, p):
    points = SETTLEMENTS - s.settlements_left[p] + 2 * (CITIES - s.cities_left[p])
    if s.road_holder == p:
        points += ROAD_POINTS
    if s.army_holder == p:
        points += ARMY_POINTS
    return points


@kernel
def check_win(s):
    """Only in one's own turn one wins, at once and without being asked."""
    p = s.player
    if public_points(s, p) + s.dev[p, POINT] >= s.target:
        s.winner = p
        s.phase = DONE


@kernel
def award_army(s, p):
    """Taken only by more knights than its holder has."""
    holder = s.army_holder
    if s.knights[p] >= LEAST_ARMY and (holder < 0 or s.knights[p] > s.knights[holder]):
        s.army_holder = p
