"""Two hidden cards each; play one openly, draw another or pass. The highest sum played wins."""

from kostka.core import play, rules
from kostka.core.kernels import kernel
from kostka.core.record import new, record, within
from kostka.core.rng import below

RANKS, LOWEST, MAX_PLAYERS = 4, 6, 3
HAND, ROUNDS = 2, 3
DEAL, TURN, DRAW, DONE = range(4)

#: Actions: a rank is a card played; outcomes: a rank is a card got.
TAKE, PASS = RANKS, RANKS + 1

#: What the others see of a card got.
SOME_CARD = PASS + 1

State = record(
    "cardgame.state",
    phase=within(DEAL, DONE, "i4"),
    player=within(0, MAX_PLAYERS, "i4"),
    turns=within(0, 100, "i4"),
    deck=within(0, 100, "i4", RANKS),  # in a view: all cards that the viewer has not seen
    table=within(0, 100, "i4", RANKS),
    sums=within(0, 1000, "i4", MAX_PLAYERS + 1),
    held=within(0, 100, "i4", MAX_PLAYERS + 1),
    hands=within(0, 100, "i4", (MAX_PLAYERS, RANKS)),
    fixed=dict(players=within(2, MAX_PLAYERS, "i4"), copies=within(1, 100, "i4")),
)

Lead = record("cardgame.lead", weight="f8")

EVALUATIONS = {"lead": new(Lead, weight=1.0)}


def start(s, options):
    """Put all cards into the deck."""
    s.players, s.copies = options["players"], options["copies"]
    s.deck[:] = options["copies"]
    s.phase = DEAL


# --- whose turn ---


@rules.mover.method(State)
def mover(s):
    if s.phase == DONE:
        return rules.OVER
    return s.player if s.phase == TURN else rules.CHANCE


@rules.legal.method(State)
def legal(s, out):
    """Play any card of the hand, take one while there are some, or pass."""
    k = 0
    for r in range(RANKS):
        if s.hands[s.player, r] > 0:
            out[k] = r
            k += 1
    if left(s) > 0:
        out[k] = TAKE
        k += 1
    out[k] = PASS
    return k + 1


@kernel
def left(s):
    """The cards left in the deck: from a view it is known how many of the unseen are in hands."""
    n = 0
    for r in range(RANKS):
        n += s.copies - s.table[r]
    for p in range(s.players):
        n -= s.held[p]
    return n


# --- luck ---


@rules.chance.method(State)
def chance(s, out, prob):
    """Each rank is as likely as it is frequent in the deck."""
    k = 0
    for r in range(RANKS):
        if s.deck[r] > 0:
            out[k] = r
            prob[k] = s.deck[r] / left(s)
            k += 1
    return k


@rules.draw.method(State)
def draw(s, rng):
    return random_card(s, rng)


@kernel
def random_card(s, rng):
    """Any card of the deck."""
    n = 0
    for r in range(RANKS):
        n += s.deck[r]
    card = below(rng, n)
    r = 0
    while card >= s.deck[r]:
        card -= s.deck[r]
        r += 1
    return r


# --- what happens ---


@rules.apply.method(State)
def apply(s, a):
    if s.phase == DEAL:
        get_card(s, a)
        s.player = (s.player + 1) % s.players
        if s.held[s.player] == HAND:
            s.phase = TURN
    elif s.phase == DRAW:
        get_card(s, a)
        next_turn(s)
    elif a == TAKE:
        s.phase = DRAW
    else:
        if a != PASS:
            play_card(s, a)
        next_turn(s)


@kernel
def get_card(s, r):
    s.deck[r] -= 1
    s.hands[s.player, r] += 1
    s.held[s.player] += 1


@kernel
def play_card(s, r):
    s.hands[s.player, r] -= 1
    s.held[s.player] -= 1
    s.table[r] += 1
    s.sums[s.player] += LOWEST + r


@kernel
def next_turn(s):
    s.turns += 1
    s.player = (s.player + 1) % s.players
    s.phase = DONE if s.turns == ROUNDS * s.players else TURN


# --- playouts ---


@play.playout.method(State)
def play_quickly(s, p, out, prob, rng, limit):
    """Play on, with no list of what luck may bring."""
    decisions = 0
    while decisions < limit and s.phase != DONE:
        if s.phase == TURN:
            apply(s, rules.policy(p, s, out, rng))
            decisions += 1
        else:
            apply(s, random_card(s, rng))
    return decisions


# --- how it ends ---


@rules.returns.method(State)
def returns(s, out):
    """The highest sum wins; those who tie share."""
    best, winners = highest(s), 0
    for p in range(s.players):
        winners += s.sums[p] == best
    for p in range(s.players):
        out[p] = 1.0 / winners if s.sums[p] == best else 0.0


@kernel
def highest(s):
    best = 0
    for p in range(s.players):
        best = max(best, s.sums[p])
    return best


@rules.score.method(State)
def score(s, out):
    for p in range(s.players):
        out[p] = s.sums[p]


@rules.conserved.method(State)
def conserved(s, out):
    """No card is lost."""
    out[0] = 0
    for r in range(RANKS):
        out[0] += s.deck[r] + s.table[r]
        for p in range(s.players):
            out[0] += s.hands[p, r]
    return 1


# --- what is hidden ---


@rules.redact.method(State)
def redact(s, viewer):
    """The hands of others go back among the unseen cards."""
    for p in range(s.players):
        if p != viewer:
            for r in range(RANKS):
                s.deck[r] += s.hands[p, r]
                s.hands[p, r] = 0


@rules.determinize.method(State)
def determinize(s, viewer, rng):
    """Deal the others as many unseen cards as they hold."""
    for p in range(s.players):
        if p != viewer:
            for _ in range(s.held[p]):
                r = random_card(s, rng)
                s.deck[r] -= 1
                s.hands[p, r] += 1


@rules.seen.method(State)
def seen(s, a, viewer):
    """Only who gets a card sees it."""
    return a if s.phase == TURN or viewer == s.player else SOME_CARD


# --- what it is worth ---


@rules.evaluate.method(Lead, State)
def lead(h, s, player):
    """A player's part of the highest sum."""
    return h.weight * s.sums[player] / max(1, highest(s))


# --- for people ---


def text(s, a):
    """``6`` to ``9`` is a card played or got, ``card`` one that somebody else got."""
    return {TAKE: "take", PASS: "pass", SOME_CARD: "card"}.get(a) or str(LOWEST + a)


def why_not(s, a):
    return "there are no cards left to take" if a == TAKE else f"you have no {LOWEST + a}"


def svg(s):
    hands = " ".join("".join(str(LOWEST + r) * n for r, n in enumerate(hand)) for hand in s.hands)
    return f'<svg xmlns="http://www.w3.org/2000/svg"><text>{hands.strip()}</text></svg>'
