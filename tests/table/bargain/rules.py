"""Each turn brings three cards, of which some are offered for others. Figs score.

The hand of who is not on turn is full first: somebody discards in another's turn.
"""

from kostka.core import rules
from kostka.core.kernels import kernel
from kostka.core.record import record, within

TURN, OFFER, ANSWER, DISCARD, DONE = range(5)
KINDS = ("fig", "nut", "pea")
FIG, NUT, PEA = range(3)
#: How many cards a hand may hold, how many an offer gives at most, and offers a turn.
FULL, MOST, OFFERS = 4, 2, 2

GIVE, WANT, DROP = 0, 3, 6
PROPOSE, ACCEPT, REFUSE, END = 9, 10, 11, 12
NAMED = {PROPOSE: "propose", ACCEPT: "accept", REFUSE: "refuse", END: "end"}

State = record(
    "bargain.state",
    phase=within(TURN, DONE, "i4"),
    player=within(0, 1, "i4"),
    played=within(0, 8, "i4"),
    offers=within(0, OFFERS, "i4"),
    hand=within(0, 60, "i4", (2, 3)),
    give=within(0, MOST, "i4", 3),
    want=within(0, 1, "i4", 3),
    fixed=dict(turns=within(1, 8, "i4")),
)


def start(s, options):
    s.turns = options["turns"]
    s.hand[0] = 2, 1, 1
    s.hand[1] = 0, 3, 3


@rules.mover.method(State)
def mover(s):
    if s.phase == DONE:
        return rules.OVER
    return 1 - s.player if s.phase == ANSWER or s.phase == DISCARD else s.player


@rules.legal.method(State)
def legal(s, out):
    """Cards to give come before the one that is wanted, which is of another kind."""
    k = 0
    given = s.give[0] + s.give[1] + s.give[2]
    wanted = s.want[0] + s.want[1] + s.want[2]
    if s.phase == ANSWER:
        other = 1 - s.player
        out[0], k = REFUSE, 1
        holds = s.hand[other, 0] >= s.want[0] and s.hand[other, 1] >= s.want[1]
        if holds and s.hand[other, 2] >= s.want[2]:
            out[1], k = ACCEPT, 2
        return k
    if s.phase == DISCARD:
        for kind in range(3):
            if s.hand[1 - s.player, kind] > 0:
                out[k] = DROP + kind
                k += 1
        return k
    if wanted == 0 and given < MOST and s.offers < OFFERS:
        for kind in range(3):
            if s.hand[s.player, kind] > s.give[kind]:
                out[k] = GIVE + kind
                k += 1
    if wanted == 0 and given > 0:
        for kind in range(3):
            if s.give[kind] == 0:
                out[k] = WANT + kind
                k += 1
    if wanted > 0:
        out[k] = PROPOSE
        k += 1
    if s.phase == TURN:
        out[k] = END
        k += 1
    return k


@rules.apply.method(State)
def apply(s, a):
    other = 1 - s.player
    if a < WANT:
        s.give[a] += 1
        s.phase = OFFER
    elif a < DROP:
        s.want[a - WANT] += 1
    elif a < PROPOSE:
        s.hand[other, a - DROP] -= 1
        if s.hand[other, 0] + s.hand[other, 1] + s.hand[other, 2] <= FULL:
            next_turn(s)
    elif a == PROPOSE:
        s.offers += 1
        s.phase = ANSWER
    elif a == END:
        if s.hand[other, 0] + s.hand[other, 1] + s.hand[other, 2] > FULL:
            s.phase = DISCARD
        else:
            next_turn(s)
    else:
        for kind in range(3):
            if a == ACCEPT:
                s.hand[s.player, kind] += s.want[kind] - s.give[kind]
                s.hand[other, kind] += s.give[kind] - s.want[kind]
            s.give[kind] = 0
            s.want[kind] = 0
        s.phase = TURN


@kernel
def next_turn(s):
    s.player = 1 - s.player
    s.offers = 0
    s.played += 1
    for kind in range(3):
        s.hand[s.player, kind] += 1
    s.phase = DONE if s.played == s.turns else TURN


@rules.returns.method(State)
def returns(s, out):
    more = 1.0 * (s.hand[0, FIG] > s.hand[1, FIG]) + 1.0 * (s.hand[0, FIG] >= s.hand[1, FIG])
    out[0], out[1] = 0.5 * more, 1.0 - 0.5 * more


@rules.score.method(State)
def score(s, out):
    out[0], out[1] = s.hand[0, FIG], s.hand[1, FIG]


def text(s, a):
    if a in NAMED:
        return NAMED[a]
    return f"{('give', 'want', 'drop')[a // 3]} {KINDS[a % 3]}"


def bundle(s):
    """What the mover may choose together: an offer, or the cards above a full hand."""
    if s.phase == TURN and s.offers < OFFERS:
        hand = s.hand[s.player]
        gives, wants = ([], [])
        for kind, name in enumerate(KINDS):
            gives.append(card(name, GIVE + kind, min(MOST, int(hand[kind]))))
            wants.append({**card(name, WANT + kind, 1), "thing": f"bank-{name}"})
        rows = [
            {"words": "You give", "total": [1, MOST], "cards": gives},
            {"words": "You want", "total": [1, 1], "cards": wants},
        ]
        return {
            "words": "Make an offer",
            "verb": "Offer",
            "rows": rows,
            "apart": True,
            "then": PROPOSE,
        }
    if s.phase == DISCARD:
        hand = s.hand[1 - s.player]
        over = int(hand.sum()) - FULL
        cards = [card(name, DROP + kind, int(hand[kind])) for kind, name in enumerate(KINDS)]
        row = {"words": "You discard", "total": [over, over], "cards": cards}
        return {"words": "Discard", "verb": "Discard", "rows": [row]}
    return None


def card(name, action, most):
    return {"name": name, "action": action, "limits": [0, most], "thing": f"hand-{name}"}


def turn(s):
    return int(s.player)


def svg(s):
    """Your hand above, the bank below; cards have the same places for everybody."""
    hand = s.hand[s.player if s.phase in (TURN, OFFER, DONE) else 1 - s.player]
    parts = [
        f'<g class="thing" id="{place}-{name}" transform="translate({120 * kind} {110 * row})">'
        f"<title>{place} {name}</title>"
        '<rect width="100" height="90" fill="#fbf8f1" stroke="#25221d"/>'
        f'<text x="50" y="52" text-anchor="middle" fill="#25221d">{name} {count}</text></g>'
        for row, place in enumerate(("hand", "bank"))
        for kind, name in enumerate(KINDS)
        for count in [hand[kind] if place == "hand" else ""]
    ]
    style = "<style>.bargain .can rect { stroke-width: 5 }</style>"
    around = 'xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 360 220"'
    return f"<svg {around}>{style}{''.join(parts)}</svg>"


def clicks(s, a):
    kind = KINDS[a % 3]
    if a < WANT:
        return ["!give", f"hand-{kind}"]
    if a < DROP:
        return [f"bank-{kind}"]
    if a < PROPOSE:
        return [f"hand-{kind}"]
    return [f"!{NAMED[a]}"]


def describe(s, a):
    if a in NAMED:
        return f"{NAMED[a]}s"
    verb = "gives", "wants", "discards"
    return f"{verb[a // 3]} a {KINDS[a % 3]}"
