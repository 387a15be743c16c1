"""A slow and obvious Risk: the rule book told from beginning to end, with sets of territories.

A game is a generator: it yields each question, with whom it asks and all answers there are, or all
that luck may bring with its chance; what is sent back goes on with the game.
"""

import functools
import itertools
from collections import Counter
from dataclasses import dataclass, field

LUCK = "luck"
END = "end"
UNTIL = "until"

START = {2: 40, 3: 35, 4: 30, 5: 25, 6: 20}
RISING = (4, 6, 8, 10, 12, 15)
FIXED = {"infantry": 4, "cavalry": 6, "artillery": 8}
ALL_DIFFERENT = 10

#: The 14 missions of the box.
NA, SA, EU, AF, AS, AU = BOX_CONTINENTS = ("NA", "SA", "EU", "AF", "AS", "AU")
BOX = (
    {"land": 18, "armies": 2},
    {"land": 24, "armies": 1},
    {"continents": {AS, SA}, "any": 0},
    {"continents": {AS, AF}, "any": 0},
    {"continents": {NA, AF}, "any": 0},
    {"continents": {NA, AU}, "any": 0},
    {"continents": {EU, SA}, "any": 1},
    {"continents": {EU, AU}, "any": 1},
    *({"destroy": colour} for colour in range(6)),
)


class Over(Exception):
    """The game is over."""


@dataclass
class Question:
    """What somebody, or luck, is asked."""

    whom: int | str
    phase: str
    answers: list = field(default_factory=list)
    chances: dict = field(default_factory=dict)


@dataclass
class World:
    """A map: neighbours, continents with bonus and land, the symbol on each card."""

    near: list[set[int]]
    continents: dict[int, tuple[int, set[int]]]
    symbols: list[str]
    #: The continents that the missions in the box name, as far as the map has them.
    box: dict[str, int] = field(default_factory=dict)
    #: Missions of the map itself.
    missions: tuple = ()


@functools.cache
def throw(a, d):
    """The chance of each loss of a defender with so many dice, by looking at every throw."""
    count = Counter(
        sum(x > y for x, y in list(zip(sorted(dice[:a])[::-1], sorted(dice[a:])[::-1])))  # noqa: B905
        for dice in itertools.product(range(6), repeat=a + d)
    )
    return {lost: n / 6 ** (a + d) for lost, n in count.items()}


@functools.cache
def fight(a, d, most):
    """How a fight to the end ends, and with what chance, from any throw on."""
    if a == 0 or d == 0:
        return {("won", a) if d == 0 else ("lost", d): 1.0}
    dice = min(a, 3), min(d, most)
    found = Counter()
    for lost, chance in throw(*dice).items():
        for end, then in fight(a - min(dice) + lost, d - lost, most).items():
            found[end] += chance * then
    return dict(found)


class Risk:
    """A game; ``owner`` says how the territories were dealt, if they were."""

    def __init__(self, world, options, first, owner):
        self.world, self.options, self.first = world, options, first
        self.players = options["players"]
        self.land = range(len(world.near))
        self.owner = list(owner)
        self.armies = [int(o is not None) for o in self.owner]
        self.neutral = self.players if self.players == 2 and options["neutral"] else None
        self.with_missions = options["win"] == "missions" and self.players > 2
        self.deck = set(range(len(world.symbols)))
        self.discarded = set()
        self.hand = [set() for _ in range(self.players)]
        self.left = [self.start() - self.count(o) for o in range(self.players + 1)]
        self.goals = list(self.dealable())
        self.mission = [None] * self.players
        self.ruled_out = [set() for _ in range(self.players)]
        self.slayer = [None] * self.players
        self.player, self.trades, self.turns, self.free = first, 0, 0, 0
        self.taken = False
        self.winner = None

    def start(self):
        full = START[self.players]
        return -(-full * len(self.land) // 42) if self.options["start"] == "scaled" else full

    # --- what is asked ---

    def ask(self, whom, phase, answers):
        return (yield Question(whom, phase, answers=list(answers)))

    def ask_number(self, whom, phase, low, high):
        """A number, unless there is only one."""
        if low == high:
            return low
        return (yield from self.ask(whom, phase, range(low, high + 1)))

    def luck(self, phase, chances):
        return (yield Question(LUCK, phase, chances=chances))

    # --- what can be seen on the table ---

    def own(self, p):
        return [t for t in self.land if self.owner[t] == p]

    def count(self, p):
        return len(self.own(p))

    def alive(self, p):
        return self.count(p) > 0

    def living(self):
        return [p for p in range(self.players) if self.alive(p)]

    def room(self, t):
        return self.options["limit"] - self.armies[t]

    def holds(self, p, continent):
        return all(self.owner[t] == p for t in self.world.continents[continent][1])

    def joined(self, t):
        """The other territories that a way over own land leads to."""
        found, todo = {t}, [t]
        while todo:
            for n in self.world.near[todo.pop()] - found:
                if self.owner[n] == self.owner[t]:
                    found.add(n)
                    todo.append(n)
        return found - {t}

    # --- the game ---

    def play(self):
        try:
            yield from self.set_up()
            if self.with_missions:
                yield from self.deal_missions()
            self.player = self.first
            while True:
                yield from self.turn()
        except Over:
            pass

    def set_up(self):
        """Claims in turn where nothing was dealt, then the other armies."""
        turns = itertools.cycle((self.first + i) % self.players for i in range(self.players))
        while None in self.owner:
            p = next(turns)
            free = [t for t in self.land if self.owner[t] is None]
            t = yield from self.ask(p, "claim", free)
            self.owner[t], self.armies[t] = p, 1
            self.left[p] -= 1
        everybody = [*range(self.players), self.neutral]
        while any(self.can_place(o) for o in everybody):
            p = next(turns)
            if self.neutral is not None:
                yield from self.place_one(p, "claim", p)
                yield from self.place_one(p, "claim", p)
                yield from self.place_one(p, "neutral", self.neutral)
            elif self.options["placing"] == "one":
                yield from self.place_one(p, "claim", p)
            else:
                while self.can_place(p):
                    t = yield from self.ask(p, "claim", self.with_room(p))
                    most = min(self.left[p], self.room(t))
                    n = yield from self.ask_number(p, "number", 1, most)
                    self.armies[t] += n
                    self.left[p] -= n

    def with_room(self, owner):
        return [t for t in self.own(owner) if self.room(t) > 0]

    def can_place(self, owner):
        return owner is not None and self.left[owner] > 0 and bool(self.with_room(owner))

    def place_one(self, p, phase, owner):
        if self.can_place(owner):
            t = yield from self.ask(p, phase, self.with_room(owner))
            self.armies[t] += 1
            self.left[owner] -= 1

    def deal_missions(self):
        left = list(range(len(self.goals)))
        for p in range(self.players):
            self.mission[p] = yield from self.luck("mission", {m: 1 / len(left) for m in left})
            left.remove(self.mission[p])
        self.look_for_a_winner()

    # --- a turn ---

    def turn(self):
        p = self.player
        self.taken = False
        yield from self.draft()
        yield from self.attacks()
        yield from self.fortify()
        self.turns += 1
        self.look_for_a_winner(turn_end=True)
        if self.turns == self.options["turns"]:
            raise Over
        if self.taken:
            yield from self.draw_card()
        self.player = next(q for q in self.after(p) if self.alive(q))

    def after(self, p):
        """The other players in turn."""
        return [(p + i) % self.players for i in range(1, self.players)]

    def income(self, p):
        bonuses = [n for c, (n, _) in self.world.continents.items() if self.holds(p, c)]
        return max(3, self.count(p) // 3) + sum(bonuses)

    def draft(self):
        p = self.player
        self.free = self.income(p)
        while len(self.hand[p]) >= 3:
            answers = self.sets(p)
            if len(self.hand[p]) <= self.options["keep"]:
                answers.append(END)
            cards = yield from self.ask(p, "trade", answers)
            if cards == END:
                break
            yield from self.trade(cards)
        yield from self.place()

    def place(self):
        """Put all free armies on the board; what does not fit is lost."""
        p = self.player
        while self.free and self.with_room(p):
            t = yield from self.ask(p, "draft", self.with_room(p))
            n = yield from self.ask_number(p, "number", 1, min(self.free, self.room(t)))
            self.armies[t] += n
            self.free -= n
            self.look_for_a_winner()
        self.free = 0

    # --- cards ---

    def symbol(self, card):
        return self.world.symbols[card]

    def sets(self, p):
        return [c for c in itertools.combinations(sorted(self.hand[p]), 3) if self.is_set(c)]

    def is_set(self, cards):
        shown = {self.symbol(c) for c in cards}
        return "wild" in shown or len(shown) in (1, 3)

    def worth(self, cards):
        n = self.trades
        if self.options["sets"] == "slow":
            value = 4 + n
        elif self.options["sets"] == "rising":
            value = RISING[n] if n < len(RISING) else RISING[-1] + 5 * (n - len(RISING) + 1)
        else:
            shown = Counter(self.symbol(c) for c in cards)
            wild = shown.pop("wild", 0)
            value = ALL_DIFFERENT if wild > 1 or len(shown) > 1 else FIXED[min(shown)]
        return min(value, self.options["cap"]) if self.options["cap"] else value

    def trade(self, cards):
        """Cards for armies; two extra armies go on an own territory that a card shows."""
        p = self.player
        self.free += self.worth(cards)
        self.trades += 1
        self.hand[p] -= set(cards)
        self.discarded |= set(cards)
        shown = [c for c in cards if c in self.land and self.owner[c] == p and self.room(c)]
        if self.options["bonus"] == "once" and len(shown) > 1:
            shown = [(yield from self.ask(p, "extra", shown))]
        for t in shown:
            self.armies[t] += min(2, self.room(t))
        self.look_for_a_winner()

    def draw_card(self):
        if not self.deck and self.options["deck"] == "reshuffle":
            self.deck, self.discarded = self.discarded, set()
        if self.deck:
            c = yield from self.luck("card", {c: 1 / len(self.deck) for c in self.deck})
            self.deck.remove(c)
            self.hand[self.player].add(c)

    # --- attacks ---

    def attacks(self):
        p = self.player
        while True:
            answers = [
                (t, n, dice)
                for t in self.own(p)
                if self.armies[t] > 1
                for n in self.world.near[t]
                if self.owner[n] != p
                for dice in (*range(1, min(3, self.armies[t] - 1) + 1), UNTIL)
            ]
            attack = yield from self.ask(p, "attack", [*answers, END])
            if attack == END:
                return
            yield from self.attack(*attack)

    def attack(self, source, target, dice):
        p, victim = self.player, self.owner[target]
        defence = min(2, self.armies[target])
        if self.options["defence"] == "choice" and defence == 2:
            whom = self.after(p)[0] if victim == self.neutral else victim
            defence = yield from self.ask(whom, "defend", [1, 2])
        thrown = yield from self.throw(source, target, dice, defence)
        if self.armies[target] > 0:
            return
        self.owner[target] = p
        self.taken = True
        if not self.alive(victim) and victim != self.neutral:
            self.slayer[victim] = p
        self.look_for_the_last()
        n = yield from self.ask_number(p, "occupy", thrown, self.armies[source] - 1)
        self.armies[source] -= n
        self.armies[target] += n
        self.look_for_a_winner()
        if not self.alive(victim) and victim != self.neutral:
            yield from self.spoils(victim)

    def throw(self, source, target, dice, defence):
        """One throw, or all until it is decided; the dice of the last one."""
        a, d = self.armies[source] - 1, self.armies[target]
        if dice == UNTIL:
            who, left = yield from self.luck("roll", fight(a, d, defence))
            self.armies[source] = 1 + (left if who == "won" else 0)
            self.armies[target] = left if who == "lost" else 0
            return min(3, left)
        lost = yield from self.luck("roll", throw(dice, defence))
        self.armies[target] -= lost
        self.armies[source] -= min(dice, defence) - lost
        return dice

    def spoils(self, victim):
        """The cards of the fallen; from six on they are traded until four or fewer are left."""
        p = self.player
        while self.hand[victim]:
            c = yield from self.luck("hand over", {min(self.hand[victim]): 1.0})
            self.hand[victim].remove(c)
            self.hand[p].add(c)
        if len(self.hand[p]) >= self.options["spoils"]:
            while len(self.hand[p]) > 4:
                yield from self.trade((yield from self.ask(p, "trade", self.sets(p))))
            yield from self.place()

    # --- the end of a turn ---

    def fortify(self):
        p, gave, got = self.player, set(), set()
        while True:
            answers = [
                (t, n)
                for t in self.own(p)
                if self.armies[t] > 1 and t not in got
                for n in self.joined(t)
                if self.room(n) and n not in gave
                if self.options["fortify"] != "adjacent" or n in self.world.near[t]
            ]
            move = yield from self.ask(p, "fortify", [*answers, END])
            if move == END:
                return
            source, target = move
            most = min(self.armies[source] - 1, self.room(target))
            n = yield from self.ask_number(p, "move", 1, most)
            self.armies[source] -= n
            self.armies[target] += n
            self.look_for_a_winner()
            if self.options["fortify"] != "many":
                return
            gave.add(source)
            got.add(target)

    # --- who has won ---

    def dealable(self):
        """The missions that can be dealt: the target must play."""
        for goal in self.world.missions or BOX:
            if goal.get("destroy", 0) < self.players:
                yield goal if self.world.missions else self.fitted(goal)

    def fitted(self, goal):
        """Land by the size of the map; a continent that it lacks is one of choice."""
        if "land" in goal:
            return {**goal, "land": self.scaled(goal["land"])}
        if "continents" in goal:
            here = {self.world.box[c] for c in goal["continents"] if c in self.world.box}
            free = goal["any"] + len(goal["continents"]) - len(here)
            return {"continents": here, "any": min(free, len(self.world.continents) - len(here))}
        return goal

    def scaled(self, n):
        return -(-n * len(self.land) // 42)

    def fulfilled(self, p, m):
        goal = self.goals[m]
        if "continents" in goal:
            held = {c for c in self.world.continents if self.holds(p, c)}
            return goal["continents"] <= held and len(held) >= len(goal["continents"]) + goal["any"]
        if "destroy" in goal:
            target = goal["destroy"]
            slayer = self.slayer[target]
            by = (p,) if self.options["target"] == "own" else range(self.players)
            if target != p and slayer in by:
                return True
            if target == p or slayer is not None:
                return self.count(p) >= self.scaled(24)
            return False
        strong = [t for t in self.own(p) if self.armies[t] >= goal["armies"]]
        return len(strong) >= goal["land"]

    def look_for_the_last(self):
        if self.living() == [self.player]:
            self.winner = self.player
            raise Over

    def look_for_a_winner(self, turn_end=False):
        """Whoever fulfils a mission; first the player whose turn it is."""
        p = self.player
        if not self.with_missions or None in self.mission:
            return
        if self.options["reveal"] == "turn-end" and not turn_end:
            return
        for q in (p, *self.after(p)):
            if self.alive(q) and self.fulfilled(q, self.mission[q]):
                self.winner = q
                raise Over
        for q in self.living():
            self.ruled_out[q] |= {m for m in range(len(self.goals)) if self.fulfilled(q, m)}

    def shares(self):
        """What each has at the end."""
        winners = [self.winner] if self.winner is not None else self.living()
        return [int(p in winners) / len(winners) for p in range(self.players)]
