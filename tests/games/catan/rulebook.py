"""Settlers of Catan told from the rule book, by somebody who has not seen the fast rules.

A game is a generator: it yields each question, with whom it asks, and goes on with the answer that
is sent back. Of a question one can ask whether an answer is within the rules, or all that are.
"""

from collections import Counter
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field

LUCK = "luck"
RESOURCES = ("wood", "brick", "wool", "grain", "ore")
COLOURS = ("blue", "orange", "green", "purple")
COSTS = {
    "road": Counter(wood=1, brick=1),
    "settlement": Counter(wood=1, brick=1, wool=1, grain=1),
    "city": Counter(grain=2, ore=3),
    "card": Counter(wool=1, grain=1, ore=1),
}
BOX = {"roads": 15, "settlements": 5, "cities": 4}
DECK = Counter(knight=14, roads=2, plenty=2, monopoly=2, point=5)
LETTERS = "ABCDEFGHIJKLMNOPQRS"
LEAST_ROAD, LEAST_ARMY = 5, 3
SPARED_BELOW = 3
#: Corners of a hex around its centre, on a lattice of half heights and half widths.
CORNERS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))


# --- the island: rows of 3, 4, 5, 4 and 3 hexes, all numbered row by row ---

HEXES = [(x, 3 * row) for row in range(-2, 3) for x in range(abs(row) - 4, 5 - abs(row), 2)]
PLACES = sorted({(y + b, x + a) for x, y in HEXES for a, b in CORNERS})
CORNERS_OF = [[PLACES.index((y + b, x + a)) for a, b in CORNERS] for x, y in HEXES]
ROADS = {
    frozenset(pair)
    for corners in CORNERS_OF
    for pair in zip(corners, corners[1:] + corners[:1], strict=True)
}
ROAD_NAMES = {road: "road {}-{}".format(*sorted(road)) for road in ROADS}
NEIGHBOURS = [[next(iter(r - {v})) for r in ROADS if v in r] for v in range(len(PLACES))]
ROADS_AT = [[r for r in ROADS if v in r] for v in range(len(PLACES))]
HEXES_AT = [[h for h in range(19) if v in CORNERS_OF[h]] for v in range(len(PLACES))]


@dataclass
class Island:
    """What lies where: terrain and number of each hex, and the kind of harbour at intersections."""

    terrain: list[str]  # a resource, or "desert"
    numbers: list[int]  # 0 on the desert
    harbours: dict[int, str]  # a resource, or "anything"


@dataclass
class Rules:
    """The options of a game."""

    players: int = 4
    points: int = 10
    discard: int = 7
    offers: int = 20
    turns: int = 1000
    stock: int = 19
    friendly: bool = False
    bundles: bool = False


@dataclass
class Player:
    """What a player has."""

    hand: Counter = field(default_factory=Counter)
    settlements: set = field(default_factory=set)
    cities: set = field(default_factory=set)
    roads: set = field(default_factory=set)
    cards: Counter = field(default_factory=Counter)
    new_cards: Counter = field(default_factory=Counter)  # bought this turn
    knights: int = 0

    def buildings(self) -> set:
        return self.settlements | self.cities

    def held(self) -> int:
        return sum(self.hand.values())

    def can_pay(self, cost: Counter) -> bool:
        return all(self.hand[r] >= n for r, n in cost.items())


@dataclass
class Question:
    """What somebody, or luck, is asked."""

    whom: int | str
    what: str
    allows: Callable[[str], bool]
    every: Callable[[], Iterable[str]]

    def answers(self) -> set[str]:
        """All answers within the rules."""
        return {answer for answer in self.every() if self.allows(answer)}


class Catan:
    """A game: the table, and the rules as they are told."""

    def __init__(self, island: Island, rules: Rules, first: int) -> None:
        self.island, self.rules, self.first = island, rules, first
        self.players = [Player() for _ in range(rules.players)]
        self.bank = Counter({r: rules.stock for r in RESOURCES})
        self.deck = Counter(DECK)
        self.robber = island.terrain.index("desert")
        self.road_card: int | None = None
        self.army_card: int | None = None
        self.lengths = [0] * rules.players
        self.turn = 0
        self.now = first
        self.winner: int | None = None
        self.over = False
        self.rolled = self.played = False
        self.offers = 0

    # --- what can be counted ---

    def taken(self) -> set:
        return set().union(*(p.buildings() for p in self.players))

    def shown_points(self, p: int) -> int:
        """Points that everybody can count."""
        one = self.players[p]
        cards = 2 * (self.road_card == p) + 2 * (self.army_card == p)
        return len(one.settlements) + 2 * len(one.cities) + cards

    def points(self, p: int) -> int:
        return self.shown_points(p) + self.players[p].cards["point"]

    def rate(self, p: int, resource: str) -> int:
        """How many of a resource the bank wants for another card."""
        kinds = {self.island.harbours.get(v) for v in self.players[p].buildings()}
        return 2 if resource in kinds else 3 if "anything" in kinds else 4

    def longest(self, p: int) -> int:
        """The longest way along own roads, each used once, through nobody else's buildings."""
        foreign = set().union(*(q.buildings() for i, q in enumerate(self.players) if i != p))
        own = self.players[p].roads
        at: dict[int, list] = {}
        for road in own:
            for v in road:
                at.setdefault(v, []).append((road, next(iter(road - {v}))))

        used: set = set()

        def on(v: int) -> int:
            """The longest way on from an intersection."""
            best = 0
            if not used or v not in foreign:
                for road, beyond in at[v]:
                    if road not in used:
                        used.add(road)
                        best = max(best, 1 + on(beyond))
                        used.remove(road)
            return best

        return max(map(on, at), default=0)

    # --- what is allowed ---

    def free_site(self, v: int) -> bool:
        """The distance rule."""
        taken = self.taken()
        return v not in taken and not any(n in taken for n in NEIGHBOURS[v])

    def may_settle(self, p: int, v: int) -> bool:
        one = self.players[p]
        return (
            len(one.settlements) < BOX["settlements"]
            and one.can_pay(COSTS["settlement"])
            and any(road in one.roads for road in ROADS_AT[v])
            and self.free_site(v)
        )

    def may_city(self, p: int, v: int) -> bool:
        one = self.players[p]
        enough = len(one.cities) < BOX["cities"] and one.can_pay(COSTS["city"])
        return enough and v in one.settlements

    def road_fits(self, p: int, road: frozenset) -> bool:
        """It joins an own building, or an own road where nobody else has built."""
        one = self.players[p]
        if len(one.roads) == BOX["roads"] or any(road in q.roads for q in self.players):
            return False
        foreign = self.taken() - one.buildings()
        return any(
            v in one.buildings()
            or (v not in foreign and any(other in one.roads for other in ROADS_AT[v]))
            for v in road
        )

    def robber_may_go(self, h: int) -> bool:
        """To another hex; a friendly one spares whoever has few points, if he can."""
        if h == self.robber:
            return False
        if not self.rules.friendly or self.spares_all(h):
            return True
        return not any(self.spares_all(g) for g in range(19) if g != self.robber)

    def spares_all(self, h: int) -> bool:
        """Nobody with few points has a building there."""
        corners = set(CORNERS_OF[h])
        return not any(
            q.buildings() & corners and self.shown_points(i) < SPARED_BELOW
            for i, q in enumerate(self.players)
        )

    def victims(self, p: int) -> list[int]:
        """Whoever has a building at the robber's hex, and a card."""
        corners = set(CORNERS_OF[self.robber])
        return [
            i for i, q in enumerate(self.players) if i != p and q.buildings() & corners and q.held()
        ]

    # --- the game ---

    def play(self) -> Generator[Question, str, None]:
        """The whole game; it is over when the generator ends."""
        n = self.rules.players
        order = [(self.first + i) % n for i in range(n)]
        if not any(one.settlements for one in self.players):
            for again, p in enumerate(order + order[::-1]):
                yield from self.found(p, again >= n)
        self.now = self.first
        while True:
            yield from self.take_turn(self.now)
            if self.over:
                return
            self.turn += 1
            if self.turn == self.rules.turns:
                self.over = True
                return
            self.now = (self.now + 1) % n

    def found(self, p: int, second: bool) -> Generator[Question, str, None]:
        """A settlement and a road beside it; the second settlement brings a card a hex."""
        self.now = p
        sites = [f"settle {v}" for v in range(len(PLACES))]
        answer = yield Question(
            p, "found", lambda a: a in sites and self.free_site(number(a)), lambda: sites
        )
        v, one = number(answer), self.players[p]
        one.settlements.add(v)
        if second:
            for h in HEXES_AT[v]:
                if self.island.terrain[h] != "desert":
                    self.pay_out(p, self.island.terrain[h], 1)
        roads = {ROAD_NAMES[road]: road for road in ROADS_AT[v]}
        answer = yield Question(
            p, "found road", lambda a: a in roads and self.road_fits(p, roads[a]), lambda: roads
        )
        self.build_road(p, roads[answer])

    def pay_out(self, p: int, resource: str, n: int) -> None:
        self.bank[resource] -= n
        self.players[p].hand[resource] += n

    def pay(self, p: int, cost: Counter) -> None:
        for resource, n in cost.items():
            self.pay_out(p, resource, -n)

    def has_won(self, p: int) -> bool:
        if self.points(p) >= self.rules.points:
            self.over, self.winner = True, p
        return self.over

    def take_turn(self, p: int) -> Generator[Question, str, None]:
        self.rolled = self.played = False
        self.offers = 0
        one = self.players[p]
        one.new_cards = Counter()
        if self.has_won(p):
            return
        while not self.over:
            answer = yield Question(p, "turn", lambda a: self.may(p, a), lambda: self.everything())
            word, *rest = answer.split()
            if word == "end":
                return
            if word == "roll":
                yield from self.roll(p)
            elif word in ("knight", "roads", "plenty", "monopoly"):
                yield from self.play_card(p, word, rest)
            elif word == "settle":
                self.pay(p, COSTS["settlement"])
                self.build_settlement(p, number(answer))
            elif word == "city":
                self.pay(p, COSTS["city"])
                one.settlements.remove(number(answer))
                one.cities.add(number(answer))
            elif word == "road":
                self.pay(p, COSTS["road"])
                self.build_road(p, frozenset(map(int, rest[0].split("-"))))
            elif word == "buy":
                yield from self.buy(p)
            elif word == "exchange":
                self.pay_out(p, rest[0], -self.rate(p, rest[0]))
                self.pay_out(p, rest[1], 1)
            else:
                yield from self.offer(p, answer)
            self.has_won(p)

    def everything(self) -> list[str]:
        """All that anybody might say in a turn."""
        found = ["roll", "end", "knight", "roads", "plenty", "buy"]
        for v in range(len(PLACES)):
            found += [f"settle {v}", f"city {v}"]
        found += ROAD_NAMES.values()
        for r in RESOURCES:
            found += [f"monopoly {r}", f"give {r}", f"want {r}"]
            found += [f"exchange {r} {other}" for other in RESOURCES]
        return found

    def may(self, p: int, answer: str) -> bool:
        """Whether the player on turn may do this now."""
        one = self.players[p]
        word, *rest = answer.split()
        if word in ("knight", "roads", "plenty", "monopoly"):
            return self.may_play(p, word)
        if word == "roll":
            return not self.rolled
        if not self.rolled:
            return False
        if word == "end":
            return True
        if word == "settle":
            return self.may_settle(p, number(answer))
        if word == "city":
            return self.may_city(p, number(answer))
        if word == "road":
            road = frozenset(map(int, rest[0].split("-")))
            return one.can_pay(COSTS["road"]) and self.road_fits(p, road)
        if word == "buy":
            return one.can_pay(COSTS["card"]) and sum(self.deck.values()) > 0
        if word == "exchange":
            paid, got = rest
            enough = one.hand[paid] >= self.rate(p, paid) and self.bank[got] > 0
            return paid != got and enough
        return self.may_begin_offer(p, word, rest[0])

    # --- production ---

    def roll(self, p: int) -> Generator[Question, str, None]:
        sums = [str(n) for n in range(2, 13)]
        answer = yield Question(LUCK, "dice", lambda a: a in sums, lambda: sums)
        self.rolled = True
        if answer == "7":
            n = len(self.players)
            for q in ((p + i) % n for i in range(n)):
                yield from self.discard(q)
            yield from self.move_robber(p)
        else:
            self.produce(int(answer))

    def produce(self, thrown: int) -> None:
        """If the bank cannot pay everybody, nobody gets the resource, unless only one is owed."""
        owed: dict[str, Counter] = {r: Counter() for r in RESOURCES}
        for h, (terrain, n) in enumerate(
            zip(self.island.terrain, self.island.numbers, strict=True)
        ):
            if n == thrown and h != self.robber:
                for v in CORNERS_OF[h]:
                    for p, one in enumerate(self.players):
                        count = (v in one.settlements) + 2 * (v in one.cities)
                        if count:
                            owed[terrain][p] += count
        for resource, claims in owed.items():
            if sum(claims.values()) <= self.bank[resource]:
                for p, n in claims.items():
                    self.pay_out(p, resource, n)
            elif len(claims) == 1:
                (p,) = claims
                self.pay_out(p, resource, self.bank[resource])

    # --- the robber ---

    def discard(self, q: int) -> Generator[Question, str, None]:
        """Whoever has too many cards gives half of them back, one by one."""
        one = self.players[q]
        if one.held() <= self.rules.discard:
            return
        names = {f"discard {r}": r for r in RESOURCES}
        for _ in range(one.held() // 2):
            answer = yield Question(
                q, "discard", lambda a: a in names and one.hand[names[a]] > 0, lambda: names
            )
            self.pay_out(q, names[answer], -1)

    def move_robber(self, p: int) -> Generator[Question, str, None]:
        hexes = {f"robber {letter}": h for h, letter in enumerate(LETTERS)}
        answer = yield Question(
            p, "robber", lambda a: a in hexes and self.robber_may_go(hexes[a]), lambda: hexes
        )
        self.robber = hexes[answer]
        victims = self.victims(p)
        if not victims:
            return
        victim = victims[0]
        if len(victims) > 1:
            names = {f"rob {COLOURS[q]}": q for q in victims}
            answer = yield Question(p, "victim", lambda a: a in names, lambda: names)
            victim = names[answer]
        robbed = self.players[victim]
        answer = yield Question(LUCK, "theft", lambda a: robbed.hand[a] > 0, lambda: RESOURCES)
        robbed.hand[answer] -= 1
        self.players[p].hand[answer] += 1

    # --- development cards ---

    def may_play(self, p: int, word: str) -> bool:
        """One a turn, and none that was bought in this one."""
        one = self.players[p]
        if self.played or one.cards[word] <= one.new_cards[word]:
            return False
        if word == "roads":
            return any(self.road_fits(p, road) for road in ROADS)
        if word == "plenty":
            return sum(self.bank.values()) > 0
        return True

    def buy(self, p: int) -> Generator[Question, str, None]:
        self.pay(p, COSTS["card"])
        answer = yield Question(LUCK, "card", lambda a: self.deck[a] > 0, lambda: DECK)
        self.deck[answer] -= 1
        self.players[p].cards[answer] += 1
        self.players[p].new_cards[answer] += 1

    def play_card(self, p: int, word: str, rest: list[str]) -> Generator[Question, str, None]:
        one = self.players[p]
        one.cards[word] -= 1
        self.played = True
        if word == "knight":
            one.knights += 1
            self.army_changed(p)
            if not self.has_won(p):
                yield from self.move_robber(p)
        elif word == "roads":
            yield from self.free_roads(p)
        elif word == "plenty":
            yield from self.plenty(p)
        else:
            yield from self.monopoly(p, rest[0])

    def free_roads(self, p: int) -> Generator[Question, str, None]:
        names = {name: road for road, name in ROAD_NAMES.items()}
        for _ in range(2):
            if not any(self.road_fits(p, road) for road in ROADS):
                return
            answer = yield Question(
                p,
                "free road",
                lambda a: a == "stop" or (a in names and self.road_fits(p, names[a])),
                lambda: [*names, "stop"],
            )
            if answer == "stop":
                return
            self.build_road(p, names[answer])
            if self.has_won(p):
                return

    def plenty(self, p: int) -> Generator[Question, str, None]:
        names = {f"take {r}": r for r in RESOURCES}
        for _ in range(min(2, sum(self.bank.values()))):
            answer = yield Question(
                p, "take", lambda a: a in names and self.bank[names[a]] > 0, lambda: names
            )
            self.pay_out(p, names[answer], 1)

    def monopoly(self, p: int, resource: str) -> Generator[Question, str, None]:
        """Everybody hands over all of it, one player after the other."""
        n = len(self.players)
        for q in ((p + i) % n for i in range(1, n)):
            there = self.players[q].hand[resource]
            yield Question(LUCK, "levy", lambda a, x=f"x{there}": a == x, lambda x=there: [f"x{x}"])
            self.players[q].hand[resource] -= there
            self.players[p].hand[resource] += there

    # --- trade between players ---

    def may_begin_offer(self, p: int, word: str, resource: str) -> bool:
        """It begins with an own card, while somebody else has any."""
        others = any(q.held() for i, q in enumerate(self.players) if i != p)
        held = self.players[p].hand[resource] > 0
        return word == "give" and held and others and self.offers < self.rules.offers

    def may_go_on(self, p: int, given: Counter, wanted: Counter, answer: str) -> bool:
        """Cards one holds for cards of other kinds, and of these no more than somebody has."""
        give, want = sum(given.values()), sum(wanted.values())
        word, *rest = answer.split()
        if word == "cancel":
            return True
        if word == "offer":
            return give > 0 and want > 0
        (resource,) = rest
        if word == "give":
            room = self.rules.bundles or give < 2
            enough = self.players[p].hand[resource] > given[resource]
            return room and enough and not wanted[resource]
        most = max(q.held() for i, q in enumerate(self.players) if i != p)
        room = want < most if self.rules.bundles else want < 1
        return room and not given[resource]

    def offer(self, p: int, answer: str) -> Generator[Question, str, None]:
        """Cards for cards: the others are asked in turn, and the first who accepts trades."""
        self.offers += 1
        given, wanted = Counter([answer.split()[1]]), Counter()
        every = [f"{word} {r}" for word in ("give", "want") for r in RESOURCES]
        every += ["offer", "cancel"]
        while True:
            answer = yield Question(
                p,
                "offer",
                lambda a: a in every and self.may_go_on(p, given, wanted, a),
                lambda: every,
            )
            if answer == "cancel":
                return
            if answer == "offer":
                break
            word, resource = answer.split()
            (given if word == "give" else wanted)[resource] += 1
        n = len(self.players)
        for q in ((p + i) % n for i in range(1, n)):
            other = self.players[q]
            if other.held() < sum(wanted.values()):
                continue
            answer = yield Question(
                q,
                "answer",
                lambda a, other=other: a == "refuse" or (a == "accept" and other.can_pay(wanted)),
                lambda: ("accept", "refuse"),
            )
            if answer == "accept":
                self.players[p].hand = self.players[p].hand - given + wanted
                other.hand = other.hand - wanted + given
                return

    # --- the two special cards ---

    def build_road(self, p: int, road: frozenset) -> None:
        self.players[p].roads.add(road)
        self.roads_changed([p])

    def build_settlement(self, p: int, v: int) -> None:
        """It may cut the roads of others."""
        self.players[p].settlements.add(v)
        others = (q for q in range(len(self.players)) if q != p)
        self.roads_changed(
            [q for q in others if any(road in self.players[q].roads for road in ROADS_AT[v])]
        )

    def roads_changed(self, whose: list[int]) -> None:
        """Who holds the longest road now."""
        for p in whose:
            self.lengths[p] = self.longest(p)
        longest = max(self.lengths)
        if longest < LEAST_ROAD:
            self.road_card = None
            return
        best = [q for q, length in enumerate(self.lengths) if length == longest]
        if self.road_card not in best:
            self.road_card = best[0] if len(best) == 1 else None

    def army_changed(self, p: int) -> None:
        knights = self.players[p].knights
        most = (
            self.players[self.army_card].knights if self.army_card is not None else LEAST_ARMY - 1
        )
        if knights > most:
            self.army_card = p


def number(answer: str) -> int:
    return int(answer.split()[1])
