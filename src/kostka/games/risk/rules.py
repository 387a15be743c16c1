"""Risk: place armies, roll dice for territories, trade cards, hold everything or your mission."""

from kostka.core import bits, rules
from kostka.core.kernels import kernel
from kostka.core.rng import below
from kostka.games.risk import hidden  # noqa: F401  (it is part of the contract)
from kostka.games.risk.actions import (
    CARDS,
    END,
    LOST,
    MISSIONS,
    UNTIL,
    WON,
    attack_code,
    dice_of,
    move_code,
    moved_from,
    moved_to,
    number_code,
    number_of,
    source_of,
    target_of,
)
from kostka.games.risk.battle import fight, fight_out, one_throw, throw
from kostka.games.risk.cards import (
    card_left,
    hand_in,
    lowest_card,
    may_trade,
    must_trade,
    sets,
    value_of,
)
from kostka.games.risk.missions import is_dealt, winner_by_mission
from kostka.games.risk.state import (
    ADJACENT,
    ATTACK,
    CARD,
    CLAIM,
    DECK,
    DEFEND,
    DISCARDED,
    DONE,
    DRAFT,
    EXTRA,
    FORTIFY,
    HAND_OVER,
    MANY,
    MAX_PLAYERS,
    MISSION,
    MOVE,
    NEUTRAL,
    NOBODY,
    NUMBER,
    OCCUPY,
    ROLL,
    TRADE,
    State,
)

#: Armies that everybody gets at least, and territories for each army beyond that.
LEAST_INCOME, LAND_PER_ARMY = 3, 3
#: Armies on an own territory that a traded card shows.
SHOWN_ARMIES = 2
#: With a neutral army, so many own armies are placed before one of its.
OWN_ARMIES_AT_ONCE = 2


# --- whose turn ---


@rules.mover.method(State)
def mover(s):
    p = s.phase
    if p == DONE:
        return rules.OVER
    if p in (ROLL, CARD, HAND_OVER, MISSION):
        return rules.CHANCE
    return defender(s) if p == DEFEND else s.player


@kernel
def defender(s):
    """Who rolls for the territory under attack: for the neutral army the opponent does."""
    owner = s.owner[s.target]
    return owner if owner < s.players else 1 - s.player


# --- what a player may do ---


@rules.legal.method(State)
def legal(s, out):
    p = s.phase
    if p == ATTACK:
        return attacks(s, out)
    if p == TRADE:
        return sets(s, out)
    if p == FORTIFY:
        return moves(s, out)
    if p in (NUMBER, OCCUPY, MOVE, DEFEND):
        low, high = bounds(s)
        for n in range(low, high + 1):
            out[n - low] = number_code(n)
        return high - low + 1
    return bits.members(places(s), out)


@kernel
def places(s):
    """Where an army can be placed now."""
    if s.phase == EXTRA:
        return s.shown
    if s.phase == CLAIM:
        free = unclaimed(s)
        if not bits.empty(free):
            return free
    return room_of(s, s.players if s.phase == NEUTRAL else s.player)


@kernel
def unclaimed(s):
    free = bits.upto(s.territories)
    for p in range(s.players + s.neutral):
        free = bits.minus(free, s.land[p])
    return free


@kernel
def room_of(s, owner):
    """The territories of an owner on which another army fits."""
    found, left = bits.none(), s.land[owner]
    while not bits.empty(left):
        t = bits.first(left)
        left = bits.rest(left)
        if s.armies[t] < s.limit:
            found = bits.add(found, t)
    return found


@kernel
def bounds(s):
    """The least and the largest number that may be chosen."""
    if s.phase == DEFEND:
        return 1, 2
    room = s.limit - s.armies[s.target]
    if s.phase == NUMBER:
        return 1, min(to_place(s), room)
    most = min(s.armies[s.source] - 1, room)
    return (min(s.dice, most), most) if s.phase == OCCUPY else (1, most)


@kernel
def to_place(s):
    """Armies that the player still has to place: of the set-up, or of the turn."""
    return s.setup[s.player] if s.setup[s.player] > 0 else s.free


@kernel
def attacks(s, out):
    """From an own territory with two armies or more: one throw, or until it is decided."""
    k, mine = 0, s.land[s.player]
    left = mine
    while not bits.empty(left):
        i = bits.first(left)
        left = bits.rest(left)
        if s.armies[i] > 1:
            most = min(3, s.armies[i] - 1)
            targets = bits.minus(s.near[i], mine)
            while not bits.empty(targets):
                j = bits.first(targets)
                targets = bits.rest(targets)
                for dice in range(1, most + 1):
                    out[k] = attack_code(i, j, dice)
                    k += 1
                out[k] = attack_code(i, j, UNTIL)
                k += 1
    out[k] = END
    return k + 1


@kernel
def moves(s, out):
    """From an own territory to another that can be reached, and is not full."""
    k, left = 0, s.land[s.player]
    room = room_of(s, s.player)
    while not bits.empty(left):
        region = region_of(s, bits.first(left), left)
        left = bits.minus(left, region)
        froms = bits.minus(region, s.moved_to)
        while not bits.empty(froms):
            i = bits.first(froms)
            froms = bits.rest(froms)
            if s.armies[i] > 1:
                to = goals_of(s, i, region, room)
                while not bits.empty(to):
                    out[k] = move_code(i, bits.first(to))
                    k += 1
                    to = bits.rest(to)
    out[k] = END
    return k + 1


@kernel
def goals_of(s, i, region, room):
    """Where armies of a territory can go, within the own region that it is in."""
    reached = bits.both(region, s.near[i]) if s.fortify == ADJACENT else bits.remove(region, i)
    return bits.minus(bits.both(reached, room), s.moved_from)


@kernel
def region_of(s, i, mine):
    """All that is joined to a territory within a set."""
    region = front = bits.single(i)
    while not bits.empty(front):
        beyond = bits.none()
        while not bits.empty(front):
            beyond = bits.either(beyond, s.near[bits.first(front)])
            front = bits.rest(front)
        front = bits.minus(bits.both(beyond, mine), region)
        region = bits.either(region, front)
    return region


# --- luck ---


@rules.chance.method(State)
def chance(s, out, prob):
    if s.phase == ROLL:
        if s.dice == UNTIL:
            a, d = s.armies[s.source] - 1, s.armies[s.target]
            return fight(a, d, s.defence, out, prob)
        return throw(s.dice, min(s.defence, s.armies[s.target]), out, prob)
    k = 0
    if s.phase == HAND_OVER:
        out[0] = CARDS + lowest_card(s, s.fallen)
        k = 1
    elif s.phase == CARD:
        for c in range(s.territories + 2):
            if s.card[c] == DECK:
                out[k] = CARDS + c
                k += 1
    else:
        for m in range(s.mission_count):
            if not is_dealt(s, m):
                out[k] = MISSIONS + m
                k += 1
    for n in range(k):
        prob[n] = 1.0 / k
    return k


@rules.draw.method(State)
def draw(s, rng):
    if s.phase == ROLL:
        d = s.armies[s.target]
        if s.dice == UNTIL:
            return fight_out(s.armies[s.source] - 1, d, s.defence, rng)
        return one_throw(s.dice, min(s.defence, d), rng)
    if s.phase == HAND_OVER:
        return CARDS + lowest_card(s, s.fallen)
    if s.phase == CARD:
        c = below(rng, s.territories + 2)
        while s.card[c] != DECK:
            c = below(rng, s.territories + 2)
        return CARDS + c
    m = below(rng, s.mission_count)
    while is_dealt(s, m):
        m = below(rng, s.mission_count)
    return MISSIONS + m


@rules.turns.method(State)
def turns(s):
    return s.turns


@rules.luck_source.method(State)
def luck_source(s):
    """Each player has luck of his own for fights, for cards, and for the mission."""
    if s.phase == ROLL:
        return s.player
    return 2 * MAX_PLAYERS + s.dealt if s.phase == MISSION else MAX_PLAYERS + s.player


# --- what happens ---


@rules.apply.method(State)
def apply(s, a):
    p = s.phase
    if p == ROLL:
        resolve(s, a)
    elif p == ATTACK:
        attack(s, a)
    elif p == OCCUPY:
        march(s, number_of(a))
        after_capture(s)
    elif p == DRAFT:
        choose_place(s, a, s.free)
    elif p == NUMBER:
        place(s, number_of(a))
    elif p == FORTIFY:
        fortify(s, a)
    elif p == MOVE:
        march(s, number_of(a))
        after_move(s)
    elif p == CARD:
        s.card[a - CARDS] = s.player
        s.hand[s.player] += 1
        next_player(s)
    elif p == TRADE:
        trade(s, a)
    elif p == CLAIM:
        claim(s, a)
    elif p == NEUTRAL:
        s.armies[a] += 1
        s.setup[s.players] -= 1
        next_go(s)
    elif p == DEFEND:
        s.defence = number_of(a)
        s.phase = ROLL
    elif p == EXTRA:
        s.armies[a] = min(s.limit, s.armies[a] + SHOWN_ARMIES)
        s.shown = bits.none()
        after_trade(s)
    elif p == HAND_OVER:
        hand_over(s, a - CARDS)
    else:
        deal_mission(s, a - MISSIONS)
    if s.missions == 1 and s.at_turn_end == 0 and s.phase != OCCUPY:
        check_mission(s, False)


@kernel
def check_mission(s, everybody):
    """The player on turn, or anybody, may have won by a mission."""
    if s.missions == 1 and s.dealt == s.players and s.phase != DONE:
        winner = winner_by_mission(s, everybody)
        if winner != NOBODY:
            end(s, winner)


# --- the set-up ---


@kernel
def claim(s, t):
    """One army on an empty territory or an own one; or all of them, where that is the rule."""
    p = s.player
    if s.owner[t] != NOBODY and s.placing_all == 1 and s.neutral == 0:
        choose_place(s, t, s.setup[p])
        return
    if s.owner[t] == NOBODY:
        s.owner[t] = p
        s.land[p] = bits.add(s.land[p], t)
    s.armies[t] += 1
    s.setup[p] -= 1
    if s.neutral == 1:
        s.free -= 1
        if s.free > 0 and can_go_on(s, p):
            return
        if can_go_on(s, s.players):
            s.phase = NEUTRAL
            return
    next_go(s)


@kernel
def can_go_on(s, owner):
    """Whether an owner has armies left to place; those that fit nowhere are lost."""
    if bits.empty(unclaimed(s)) and bits.empty(room_of(s, owner)):
        s.setup[owner] = 0
    return s.setup[owner] > 0


@kernel
def next_go(s):
    """The next player places armies; when all are placed, the first one begins."""
    for _ in range(s.players):
        s.player = (s.player + 1) % s.players
        if can_go_on(s, s.player):
            s.phase = CLAIM
            s.free = OWN_ARMIES_AT_ONCE if s.neutral == 1 else 0
            return
        if s.neutral == 1 and can_go_on(s, s.players):
            s.phase = NEUTRAL
            return
    s.free = 0
    s.player = s.first
    s.source = s.target = NOBODY
    if s.missions == 1:
        s.phase = MISSION
    else:
        begin_turn(s)


@kernel
def deal_mission(s, m):
    """Nobody looks at his mission before all armies are placed, so it is dealt then."""
    s.mission[s.dealt] = m
    s.dealt += 1
    if s.dealt == s.players:
        begin_turn(s)
        if s.at_turn_end == 0:
            check_mission(s, True)


# --- new armies ---


@kernel
def begin_turn(s):
    s.free = income(s, s.player)
    s.source = s.target = NOBODY
    s.taken = s.fighting = 0
    s.moved_from = s.moved_to = bits.none()
    if may_trade(s):
        s.phase = TRADE
    else:
        draft(s)


@kernel
def income(s, p):
    """A third of the territories, at least three, and the continents."""
    n = max(LEAST_INCOME, bits.count(s.land[p]) // LAND_PER_ARMY)
    for c in range(s.continents):
        if bits.empty(bits.minus(s.continent_land[c], s.land[p])):
            n += s.bonus[c]
    return n


@kernel
def trade(s, a):
    """Armies for three cards; two more on an own territory that they show, or on each."""
    if a == END:
        draft(s)
        return
    s.free += value_of(s, a)
    shown = hand_in(s, a)
    if s.bonus_each == 1 or bits.count(shown) < 2:
        while not bits.empty(shown):
            t = bits.first(shown)
            s.armies[t] = min(s.limit, s.armies[t] + SHOWN_ARMIES)
            shown = bits.rest(shown)
        after_trade(s)
    else:
        s.shown = shown
        s.phase = EXTRA


@kernel
def after_trade(s):
    """One may trade again; in the middle of a turn only as long as one has to."""
    if must_trade(s) if s.fighting == 1 else may_trade(s):
        s.phase = TRADE
    else:
        draft(s)


@kernel
def choose_place(s, t, armies):
    """How many go there is asked where there is a choice."""
    s.target = t
    if min(armies, s.limit - s.armies[t]) == 1:
        place(s, 1)
    else:
        s.phase = NUMBER


@kernel
def place(s, n):
    s.armies[s.target] += n
    if s.setup[s.player] > 0:
        s.setup[s.player] -= n
        if can_go_on(s, s.player):
            s.phase = CLAIM
        else:
            next_go(s)
    else:
        s.free -= n
        draft(s)


@kernel
def draft(s):
    """Armies are placed as long as there are some and they fit; then come the attacks."""
    s.phase = DRAFT
    if s.free == 0 or bits.empty(room_of(s, s.player)):
        s.free = 0
        s.fighting = 0
        s.phase = ATTACK
        s.source = s.target = NOBODY


# --- attacks ---


@kernel
def attack(s, a):
    """The defender may be asked for his dice."""
    if a == END:
        s.phase = FORTIFY
        s.source = s.target = NOBODY
        return
    s.source, s.target, s.dice = source_of(a), target_of(a), dice_of(a)
    s.defence = 2
    asked = s.defence_choice == 1 and s.armies[s.target] > 1
    s.phase = DEFEND if asked else ROLL


@kernel
def resolve(s, outcome):
    """Losses of a throw, or the end of a fight."""
    i, j = s.source, s.target
    if outcome < WON:
        n = min(s.dice, min(s.defence, s.armies[j]))
        s.armies[j] -= outcome
        s.armies[i] -= n - outcome
    elif outcome < LOST:
        s.armies[i] = outcome - WON + 1
        s.armies[j] = 0
        s.dice = min(3, outcome - WON)
    else:
        s.armies[i] = 1
        s.armies[j] = outcome - LOST
    if s.armies[j] == 0:
        capture(s)
    else:
        s.phase = ATTACK


@kernel
def capture(s):
    """How many march in is asked where there is a choice and the game goes on."""
    j = s.target
    loser = s.owner[j]
    s.owner[j] = s.player
    s.land[loser] = bits.remove(s.land[loser], j)
    s.land[s.player] = bits.add(s.land[s.player], j)
    s.taken = 1
    if loser < s.players and bits.empty(s.land[loser]):
        s.fallen = loser
        s.slayer[loser] = s.player
    s.phase = OCCUPY
    low, high = bounds(s)
    if low == high or is_alone(s):
        march(s, low)
        after_capture(s)


@kernel
def is_alone(s):
    """Whether no other player holds land."""
    for p in range(s.players):
        if p != s.player and not bits.empty(s.land[p]):
            return False
    return True


@kernel
def march(s, n):
    s.armies[s.source] -= n
    s.armies[s.target] += n


@kernel
def after_capture(s):
    """Somebody may have fallen: that can end the game, and his cards go to the victor."""
    s.phase = ATTACK
    if is_alone(s):
        end(s, s.player)
    elif s.fallen != NOBODY:
        if s.at_turn_end == 0:
            check_mission(s, True)
        if s.phase != DONE and s.hand[s.fallen] > 0:
            s.phase = HAND_OVER
        else:
            s.fallen = NOBODY


@kernel
def hand_over(s, c):
    """One card after the other; who then has too many trades at once."""
    s.card[c] = s.player
    s.hand[s.player] += 1
    s.hand[s.fallen] -= 1
    if s.hand[s.fallen] == 0:
        s.fallen = NOBODY
        s.phase = ATTACK
        if s.hand[s.player] >= s.spoils:
            s.phase = TRADE
            s.fighting = 1


# --- the end of a turn ---


@kernel
def fortify(s, a):
    """How many armies move is asked where there is a choice."""
    if a == END:
        end_turn(s)
        return
    s.source, s.target = moved_from(a), moved_to(a)
    s.phase = MOVE
    low, high = bounds(s)
    if low == high:
        march(s, low)
        after_move(s)


@kernel
def after_move(s):
    """Of many moves none starts where another has ended, so that they come to an end."""
    if s.fortify == MANY:
        s.moved_from = bits.add(s.moved_from, s.source)
        s.moved_to = bits.add(s.moved_to, s.target)
        s.phase = FORTIFY
    else:
        end_turn(s)


@kernel
def end_turn(s):
    """Whoever took a territory draws a card; after too many turns the game is a draw."""
    s.turns += 1
    check_mission(s, s.at_turn_end == 1)
    if s.phase == DONE:
        return
    if s.turns >= s.turn_limit:
        end(s, NOBODY)
    elif s.taken == 1 and card_left(s):
        s.phase = CARD
    else:
        next_player(s)


@kernel
def next_player(s):
    s.player = (s.player + 1) % s.players
    while bits.empty(s.land[s.player]):
        s.player = (s.player + 1) % s.players
    begin_turn(s)


@kernel
def end(s, winner):
    s.phase = DONE
    s.winner = winner
    s.source = s.target = NOBODY


# --- how it ends ---


@rules.returns.method(State)
def returns(s, out):
    """The winner takes all; a game that was stopped is a draw of those who still hold land."""
    living = 0
    for p in range(s.players):
        living += not bits.empty(s.land[p])
    for p in range(s.players):
        if s.winner != NOBODY:
            out[p] = 1.0 if p == s.winner else 0.0
        else:
            out[p] = 0.0 if bits.empty(s.land[p]) else 1.0 / living


@rules.score.method(State)
def score(s, out):
    """Territories."""
    for p in range(s.players):
        out[p] = bits.count(s.land[p])


@rules.conserved.method(State)
def conserved(s, out):
    """Every card is somewhere."""
    out[0] = 0
    for p in range(s.players):
        out[0] += s.hand[p]
    for c in range(s.territories + 2):
        out[0] += s.card[c] == DECK or s.card[c] == DISCARDED
    return 1
