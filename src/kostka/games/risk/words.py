"""Risk in words: what actions do, why one is refused, cards, missions, and what is going on."""

import functools
from collections.abc import Sequence
from typing import Any

from kostka.core.palette import PLAYERS
from kostka.core.present import called, listed, result
from kostka.games.risk import cards, rules
from kostka.games.risk.actions import (
    ATTACKS,
    CARDS,
    END,
    HIDDEN,
    LOST,
    MISSIONS,
    MOVES,
    NUMBERS,
    TRADES,
    UNTIL,
    WON,
    cards_of,
    dice_of,
    letters,
    moved_from,
    moved_to,
    number_of,
    source_of,
    target_of,
)
from kostka.games.risk.odds import outlook
from kostka.games.risk.state import (
    ADJACENT,
    ATTACK,
    CARD,
    CLAIM,
    CONTINENTS,
    DEFEND,
    DESTROY,
    DONE,
    DRAFT,
    EXTRA,
    FIXED,
    FORTIFY,
    HAND_OVER,
    MISSION,
    MOVE,
    NEUTRAL,
    NOBODY,
    NUMBER,
    OCCUPY,
    ROLL,
    SYMBOLS,
    TRADE,
    UNKNOWN,
    WILD,
)

# --- names ---


def many(n: int, one: str, more: str = "") -> str:
    """``1 army``, ``3 dice``."""
    return f"{n} {one if n == 1 else more or one + 's'}"


def armies_in_words(n: int) -> str:
    return many(int(n), "army", "armies")


def land(s: Any, t: int) -> str:
    """What a territory is called."""
    return letters(s.names[t])


def owner_name(s: Any, owner: int) -> str:
    """Who holds land."""
    if owner < 0:
        return "nobody"
    return "the neutral army" if owner == s.players else PLAYERS[owner].name


def card(s: Any, c: int) -> str:
    """A card by what it shows."""
    return "a wild card" if c >= s.territories else f"{land(s, c)} ({SYMBOLS[s.symbol[c]]})"


# --- what an action or outcome is ---


def describe(s: Any, a: int) -> str:
    """An action or outcome in words."""
    p = s.phase
    if p == ROLL:
        return fought(s, a)
    if p == CARD:
        return "a card" if a == HIDDEN else card(s, a - CARDS)
    if p == HAND_OVER:
        return f"{'a card' if a == HIDDEN else card(s, a - CARDS)} is handed over"
    if p == MISSION:
        return "a mission" if a == HIDDEN else f"the mission: {mission(s, a - MISSIONS)}"
    if a == END:
        return {TRADE: "keep the cards", ATTACK: "end the attacks"}.get(int(p), "end the turn")
    if p == TRADE:
        worth = armies_in_words(cards.value_of(s, a))
        return f"trade {listed([card(s, c) for c in cards_of(a)])} for {worth}"
    if p == ATTACK:
        i, j, dice = source_of(a), target_of(a), dice_of(a)
        how = to_the_end(s, i, j) if dice == UNTIL else f"with {many(dice, 'die', 'dice')}"
        return f"attack {land(s, j)} from {land(s, i)} {how}"
    if p == FORTIFY:
        return f"move armies from {land(s, moved_from(a))} to {land(s, moved_to(a))}"
    if a >= NUMBERS:
        return chosen(s, number_of(a))
    return placed(s, a)


def to_the_end(s: Any, i: int, j: int) -> str:
    """An attack until it is decided, with the chance to win and who is then likely to be left."""
    promise = _outlook(int(s.armies[i]) - 1, int(s.armies[j]))
    left = f", then about {promise.attackers:.0f} left" if promise.attackers else ""
    return f"until it is decided ({100 * promise.win:.0f} %{left})"


_outlook = functools.lru_cache(maxsize=4096)(outlook)


def placed(s: Any, t: int) -> str:
    """What is done with a territory."""
    if s.phase == CLAIM and s.owner[t] == NOBODY:
        return f"claim {land(s, t)}"
    if s.phase == NEUTRAL:
        return f"a neutral army on {land(s, t)}"
    if s.phase == EXTRA:
        return f"two extra armies on {land(s, t)}"
    one = s.phase == CLAIM and (s.neutral == 1 or s.placing_all == 0)
    return f"{'an army' if one else 'armies'} on {land(s, t)}"


def chosen(s: Any, n: int) -> str:
    """What a number stands for."""
    if s.phase == DEFEND:
        return f"defend with {many(n, 'die', 'dice')}"
    if s.phase == NUMBER:
        return f"place {armies_in_words(n)} on {land(s, s.target)}"
    if s.phase == OCCUPY:
        return f"move {armies_in_words(n)} into {land(s, s.target)}"
    return f"move {armies_in_words(n)} from {land(s, s.source)} to {land(s, s.target)}"


def fought(s: Any, outcome: int) -> str:
    """What a throw cost, or how a whole fight ended."""
    i, j = land(s, s.source), land(s, s.target)
    if outcome >= LOST:
        return f"{j} is held; {armies_in_words(outcome - LOST)} left there"
    if outcome >= WON:
        return f"{j} falls; {armies_in_words(outcome - WON)} of the attackers left"
    n = min(s.dice, s.defence, s.armies[s.target])
    lost = [(j, outcome), (i, n - outcome)]
    return " and ".join(f"{who} loses {armies_in_words(k)}" for who, k in lost if k)


# --- why an action is refused ---

#: What is to be chosen, by phase.
WANTED = {
    CLAIM: "armies are placed now: choose a territory",
    NEUTRAL: "choose a territory for a neutral army",
    TRADE: "choose three cards to trade, or keep your cards",
    EXTRA: "choose which of your territories on the traded cards gets two extra armies",
    DRAFT: "place your new armies first",
    NUMBER: "choose how many armies to place",
    ATTACK: "attack now, or end your attacks",
    DEFEND: "choose how many dice to defend with",
    OCCUPY: "choose how many armies move in",
    FORTIFY: "move armies between your own territories, or end your turn",
    MOVE: "choose how many armies move",
}


def why_not(s: Any, a: int) -> str:
    """The rule that forbids an action."""
    p = int(s.phase)
    if a < NUMBERS and p in (CLAIM, NEUTRAL, EXTRA, DRAFT):
        return why_not_here(s, a)
    if NUMBERS <= a < TRADES and p in (NUMBER, OCCUPY, MOVE, DEFEND):
        return why_not_so_many(s, number_of(a))
    if TRADES <= a < END:
        return why_no_trade(s, [int(c) for c in cards_of(a)])
    if a == END:
        return why_no_end(s)
    if ATTACKS <= a < MOVES and p in (ATTACK, FORTIFY):
        if p == FORTIFY:
            return "your attacks are over; you may still move armies once"
        return why_no_attack(s, source_of(a), target_of(a), dice_of(a))
    if a >= MOVES and p in (ATTACK, FORTIFY):
        if p == ATTACK:
            return "armies move at the end of a turn: end your attacks first"
        return why_no_move(s, moved_from(a), moved_to(a))
    return WANTED.get(p, "nothing can be chosen now")


def unknown_land(s: Any, *some: int) -> str:
    """What is said of numbers that no territory has."""
    return "" if max(some) < s.territories else f"there are only {s.territories} territories"


def full(s: Any, t: int) -> str:
    return f"{land(s, t)} is full: at most {armies_in_words(s.limit)} fit on a territory"


def why_not_here(s: Any, t: int) -> str:
    """Why nothing can be placed on a territory."""
    if nowhere := unknown_land(s, t):
        return nowhere
    owner = s.owner[t]
    if s.phase == CLAIM and (s.owner[: s.territories] == NOBODY).any():
        return f"{land(s, t)} is taken; claim an empty territory as long as there is one"
    if s.phase == NEUTRAL and owner != s.players:
        return f"{land(s, t)} is not the neutral army's"
    if s.phase == NEUTRAL:
        return full(s, t)
    if owner != s.player:
        return f"{land(s, t)} is not yours"
    if s.armies[t] >= s.limit:
        return full(s, t)
    return f"none of the traded cards shows {land(s, t)}"


def why_not_so_many(s: Any, n: int) -> str:
    """Why a number cannot be chosen."""
    low, high = rules.bounds(s)
    if s.phase == DEFEND:
        return "a defender rolls one die or two"
    if n < low:
        if s.phase == OCCUPY and low > 1:
            return f"at least {armies_in_words(low)} must move in: as many as dice were rolled"
        return "it must be at least one army"
    if s.phase == NUMBER and high == rules.to_place(s):
        return f"you have only {armies_in_words(high)} to place"
    if s.phase != NUMBER and high == s.armies[s.source] - 1:
        return f"at most {armies_in_words(high)} can move: one must stay in {land(s, s.source)}"
    return f"only {armies_in_words(high)} more fit on {land(s, s.target)}"


def why_no_trade(s: Any, three: list[int]) -> str:
    """Why three cards cannot be traded."""
    if s.phase != TRADE:
        return "cards are traded at the start of a turn, or after you have eliminated a player"
    if three[-1] >= s.territories + 2:
        return f"there are only {s.territories + 2} cards"
    for c in three:
        if s.card[c] != s.player:
            return f"you do not hold {card(s, c)}"
    return "that is not a set: it takes three alike, one of each, or any two and a wild card"


def why_no_end(s: Any) -> str:
    """Why nothing can be ended."""
    p = int(s.phase)
    if p == TRADE:
        kept, held = armies_kept(s), int(s.hand[s.player])
        return f"you hold {many(held, 'card')} and may keep only {kept}: trade a set"
    if p in (CLAIM, NEUTRAL, DRAFT, NUMBER):
        left = s.setup[s.players] if p == NEUTRAL else rules.to_place(s)
        return (
            f"all armies must be placed; {left} are left"
            if left > 1
            else ("all armies must be placed; one is left")
        )
    return WANTED.get(p, "nothing can be chosen now")


def armies_kept(s: Any) -> int:
    """The cards that may be kept now."""
    return cards.SPOILS_KEPT if s.fighting else int(s.keep)


def why_no_source(s: Any, i: int) -> str:
    """Why nothing can set out from a territory; empty when something might."""
    if nowhere := unknown_land(s, i):
        return nowhere
    if s.owner[i] != s.player:
        return f"{land(s, i)} is not yours"
    if s.armies[i] < 2:
        return f"{land(s, i)} has only one army, and one must stay"
    return ""


def why_no_attack(s: Any, i: int, j: int, dice: int) -> str:
    """Why a territory cannot be attacked from another."""
    if why := unknown_land(s, j) or why_no_source(s, i):
        return why
    if s.owner[j] == s.player:
        return f"{land(s, j)} is your own"
    if not int(s.near[i]) >> j & 1:
        return f"{land(s, i)} and {land(s, j)} are not neighbours"
    most = many(min(3, int(s.armies[i]) - 1), "die", "dice")
    return f"with {s.armies[i]} armies in {land(s, i)} you roll at most {most}: one army must stay"


def why_no_move(s: Any, i: int, j: int) -> str:
    """Why armies cannot move from a territory to another."""
    if why := unknown_land(s, j) or why_no_source(s, i):
        return why
    if s.owner[j] != s.player:
        return f"{land(s, j)} is not yours"
    if i == j:
        return f"armies of {land(s, i)} are there already"
    if s.armies[j] >= s.limit:
        return full(s, j)
    if int(s.moved_to) >> i & 1:
        return f"armies have come to {land(s, i)} this turn, so none may leave it"
    if int(s.moved_from) >> j & 1:
        return f"armies have left {land(s, j)} this turn, so none may come to it"
    if s.fortify == ADJACENT:
        return f"{land(s, i)} and {land(s, j)} are not neighbours"
    return f"your territories do not join {land(s, i)} and {land(s, j)}"


# --- cards and missions ---


def set_worth(s: Any) -> str:
    """What a set of cards would bring now."""
    if s.sets == FIXED:
        values = [int(cards.worth(s, 0, kind)) for kind in range(4)]
        kinds = ("infantry", "cavalry", "artillery", "mixed")
        return "Sets: " + ", ".join(f"{k} {v}" for k, v in zip(kinds, values, strict=True))
    return f"A set brings {armies_in_words(cards.worth(s, s.trades, WILD))} now"


def mission(s: Any, m: int) -> str:
    """A mission as its card says it."""
    if s.goal_kind[m] == DESTROY:
        return f"Destroy {PLAYERS[s.goal_target[m]].name}"
    if s.goal_kind[m] == CONTINENTS:
        names = [letters(s.continent_names[c]) for c in named_continents(s, m)]
        free = int(s.goal_choice[m])
        if free and names:
            names.append(f"{free} more of your choice")
        elif free:
            names.append(many(free, "continent") + " of your choice")
        return f"Hold {listed(names)}"
    each = int(s.goal_armies[m])
    with_armies = f" with {each} armies or more on each" if each > 1 else ""
    return f"Hold {many(s.goal_land[m], 'territory', 'territories')}{with_armies}"


def named_continents(s: Any, m: int) -> list[int]:
    """The continents that a mission names."""
    return [c for c in range(s.continents) if s.goal_continents[m] >> c & 1]


def holder(s: Any, c: int) -> int:
    """Who holds all of a continent; -1 if nobody does."""
    own = s.owner[: s.territories][s.continent[: s.territories] == c]
    return int(own[0]) if (own == own[0]).all() else NOBODY


def progress(s: Any, p: int, m: int) -> str:
    """How far a player is with a mission."""
    own = s.owner[: s.territories] == p
    if s.goal_kind[m] == CONTINENTS:
        home = s.continent[: s.territories]
        wanted = named_continents(s, m)
        parts = [f"{int(own[home == c].sum())} of {int((home == c).sum())}" for c in wanted]
        if s.goal_choice[m]:
            more = [c for c in range(s.continents) if holder(s, c) == p and c not in wanted]
            parts.append(f"{len(more)} of {s.goal_choice[m]} more")
        return "So far " + ", ".join(parts)
    if s.goal_kind[m] == DESTROY:
        target = int(s.goal_target[m])
        left = int((s.owner[: s.territories] == target).sum())
        by_other = target != p and left == 0 and s.slayer[target] not in (p, NOBODY)
        if target != p and not (by_other and not s.by_anyone):
            who = PLAYERS[target].name.capitalize()
            return f"{who} has {many(left, 'territory', 'territories')} left"
        return f"Instead: hold {s.goal_land[m]} territories; so far {int(own.sum())}"
    strong = own & (s.armies[: s.territories] >= s.goal_armies[m])
    return f"So far {int(strong.sum())} of {s.goal_land[m]}"


# --- what is going on ---


def status(s: Any, viewer: int, names: Sequence[str | None] = ()) -> str:
    """What is going on and what is expected, in a sentence."""
    if s.phase == DONE:
        return ending(s, viewer, names)
    mover = int(rules.mover(s))
    if mover < 0:
        return luck(s, viewer, names)
    if mover == viewer:
        return f"Your turn: {expected(s)}." if s.phase != DEFEND else f"{expected(s)}."
    lost = 0 <= viewer < s.players and s.phase > NEUTRAL and not (s.owner == viewer).any()
    return f"{'You are out. ' if lost else ''}{called(mover, names)} is to move."


def ending(s: Any, viewer: int, names: Sequence[str | None]) -> str:
    """Who has won, and by what."""
    if s.winner == NOBODY:
        living = [p for p in range(s.players) if (s.owner == p).any()]
        return result(living, True, viewer, names)
    told = result([int(s.winner)], False, viewer, names)
    m = int(s.mission[s.winner])
    if m == UNKNOWN or rules.is_alone(s):
        return told
    return f"{told} The mission: {mission(s, m)}."


def luck(s: Any, viewer: int, names: Sequence[str | None]) -> str:
    """What luck decides."""
    you = viewer == s.player
    who = "You" if you else called(int(s.player), names)
    if s.phase == ROLL:
        i, j = land(s, s.source), land(s, s.target)
        dice = min(int(s.defence), int(s.armies[s.target]))
        how = f"{many(int(s.dice), 'die', 'dice')} against {dice}"
        if s.dice == UNTIL:
            how = f"{s.armies[s.source]} against {s.armies[s.target]}, until it is decided"
        return f"{who} {'attack' if you else 'attacks'} {j} from {i}: {how}."
    if s.phase == CARD:
        return f"{who} {'draw' if you else 'draws'} a card."
    if s.phase == HAND_OVER:
        return (
            f"{called(int(s.fallen), names)} is out; {who} {'take' if you else 'takes'} the cards."
        )
    return "Missions are dealt."


def expected(s: Any) -> str:
    """What whose turn it is may choose from."""
    p, to = int(s.phase), land(s, s.target) if s.target >= 0 else ""
    if p == CLAIM:
        if (s.owner[: s.territories] == NOBODY).any():
            return "claim an empty territory"
        return f"place armies on your territories; {rules.to_place(s)} left"
    if p == TRADE:
        if cards.must_trade(s):
            return "you hold too many cards, so trade a set"
        return "trade a set of cards, or keep them"
    if p == EXTRA:
        return "choose which of your territories on the traded cards gets two extra armies"
    if p == DRAFT:
        return f"place your new armies; {s.free} left"
    if p == NUMBER:
        return f"choose how many armies to place on {to}"
    if p == DEFEND:
        return f"{to} is attacked from {land(s, s.source)}: choose how many dice to defend with"
    if p == OCCUPY:
        return f"{to} is taken; choose how many armies move in"
    if p == FORTIFY:
        return "move armies between your own territories, or end your turn"
    if p == MOVE:
        return f"choose how many armies move from {land(s, s.source)} to {to}"
    return WANTED[p]
