"""The fast game and the slow one agree about everything, at every step of random games.

More games than usual: set KOSTKA_REFERENCE_GAMES=10000.
"""

import json
import os
import random
from pathlib import Path

import pytest
from slowrisk import BOX_CONTINENTS, END, LUCK, UNTIL, Question, Risk, World

import kostka.games.risk as risk
from kostka.core.state import CHANCE, PUBLIC, State
from kostka.games.risk import actions as codes
from kostka.games.risk import game
from kostka.games.risk.state import (
    CONTINENTS,
    DECK,
    DESTROY,
    DISCARDED,
    NOBODY,
    SYMBOLS,
    TERRITORIES,
    UNSEEN,
)

CLASSIC = json.loads((Path(risk.__file__).parent / "maps" / "classic.json").read_text())
GAMES = int(os.environ.get("KOSTKA_REFERENCE_GAMES", "160"))
PARTS = 8
#: Decisions and luck of a game at most; what has been agreed on until then counts.
STEPS = 600
CHOICES = {
    "win": ("domination", "missions"),
    "neutral": (True, False),
    "start": ("full", "scaled"),
    "placing": ("one", "all"),
    "sets": ("rising", "slow", "fixed"),
    "cap": (0, 5, 50),
    "bonus": ("once", "each"),
    "keep": (4, 5),
    "spoils": (6, 7),
    "deck": ("reshuffle", "once"),
    "defence": ("most", "choice"),
    "fortify": ("path", "adjacent", "many"),
    "limit": (12, 13, 1000),
    "cards": ("hidden", "open"),
    "target": ("own", "anyone"),
    "reveal": ("at-once", "turn-end"),
    "turns": (10, 60, 1000),
}


def options_of(number: int) -> dict:
    """The options of a game: all of them mixed, more often on small maps than on large ones."""
    dice = random.Random(number)
    options: dict = {name: dice.choice(values) for name, values in CHOICES.items()}
    options["players"] = 2 + number % 5
    if options["players"] == 2:
        options["win"] = "domination"
    options["map"] = "random"
    options["territories"] = dice.choice((9, 9, 10, 12, 13, 18, 21, 30, 60))
    return options


def random_map(dice: random.Random) -> dict:
    """A map as a file has it: a way through all territories and some more, with its own missions.

    Half of the maps have no missions of their own; a few continents have one territory.
    """
    n = dice.choice((9, 10, 12, 15, 60))
    places = dice.sample(["c", "d", *BOX_CONTINENTS], dice.randint(1, 5))
    land = [
        {
            "id": f"t{t}",
            "name": f"Land {t}",
            "continent": places[t] if t < len(places) else dice.choice(places),
            "x": 10 * t,
            "y": 10 * t,
            "card": dice.choice(SYMBOLS[:3]),
        }
        for t in range(n)
    ]
    edges = {(t, t + 1) for t in range(n - 1)}
    edges |= {tuple(sorted(dice.sample(range(n), 2))) for _ in range(n // 2)}
    made: dict = {
        "format": "risk-map/1",
        "name": "made",
        "continents": [{"id": c, "name": c, "bonus": dice.randint(0, 6)} for c in places],
        "territories": land,
        "edges": [{"a": f"t{a}", "b": f"t{b}"} for a, b in sorted(edges)],
    }
    if dice.random() < 0.5:
        made["missions"] = [random_mission(dice, n, places) for _ in range(8)]
        made["missions"] += [{"type": "eliminate", "colour_slot": dice.randint(1, 6)}] * 2
    return made


def random_mission(dice: random.Random, n: int, places: list[str]) -> dict:
    if dice.random() < 0.3:
        armies = dice.randint(1, 4)
        return {"type": "territories", "count": dice.randint(n // 2, n), "min_armies": armies}
    named = dice.sample(places, dice.randint(0, len(places)))
    extra = dice.randint(0 if named else 1, max(1, len(places) - len(named)))
    extra = min(extra, len(places) - len(named))
    return {"type": "continents", "continents": named, "any_extra": extra}


def world_in(data: dict) -> World:
    """The map in a file."""
    ids = [one["id"] for one in data["territories"]]
    places = [one["id"] for one in data["continents"]]
    near: list[set[int]] = [set() for _ in ids]
    for edge in data["edges"]:
        a, b = ids.index(edge["a"]), ids.index(edge["b"])
        near[a].add(b)
        near[b].add(a)
    lies_in = [places.index(one["continent"]) for one in data["territories"]]
    return World(
        near,
        {
            c: (one["bonus"], {t for t in range(len(ids)) if lies_in[t] == c})
            for c, one in enumerate(data["continents"])
        },
        [*(one["card"] for one in data["territories"]), "wild", "wild"],
        {c: places.index(c) for c in BOX_CONTINENTS if c in places},
        tuple(mission_in(one, places) for one in data.get("missions", ())),
    )


def mission_in(data: dict, places: list[str]) -> dict:
    if data["type"] == "eliminate":
        return {"destroy": data["colour_slot"] - 1}
    if data["type"] == "territories":
        return {"land": data["count"], "armies": data["min_armies"]}
    return {"continents": {places.index(c) for c in data["continents"]}, "any": data["any_extra"]}


def world_of(s: State) -> World:
    """The map of a game as its record has it."""
    r = s.record
    land, places = range(r.territories), range(r.continents)
    continent, bonus, near = r.continent.tolist(), r.bonus.tolist(), r.near.tolist()
    symbols = [SYMBOLS[k] for k in r.symbol[: r.territories + 2].tolist()]
    return World(
        [{n for n in land if near[t] >> n & 1} for t in land],
        {c: (bonus[c], {t for t in land if continent[t] == c}) for c in places},
        symbols,
        dict(zip(BOX_CONTINENTS, places)),  # noqa: B905 - a small map has fewer
    )


class Match:
    """A game played by both at once."""

    def __init__(self, number: int) -> None:
        self.dice = random.Random(number)
        self.options = options_of(number)
        made = None
        if number % 4 == 1:
            made = random_map(self.dice)
            self.options["map"] = json.dumps(made)
        elif number % 4 == 2:
            made = CLASSIC
            self.options["map"] = "classic"
        self.state = game.new(seed=number, **self.options)
        r = self.state.record
        owner = [None if o == NOBODY else o for o in r.owner[: r.territories].tolist()]
        world = world_in(made) if made else world_of(self.state)
        self.slow = Risk(world, self.options, int(r.first), owner)
        #: Who never attacks, so that somebody wins.
        self.peaceful = [p for p in range(self.slow.players) if self.dice.random() < 0.3]

    def play(self) -> None:
        self.agrees_about_missions()
        slow = self.slow.play()
        question = next(slow)
        for _ in range(STEPS):
            self.agrees_about_the_board()
            answer = self.answer(question)
            self.agrees_about_what_is_told(question, answer)
            self.state.take([self.code(question.phase, answer)])
            try:
                question = slow.send(answer)
            except StopIteration:
                return self.agrees_at_the_end()

    def answer(self, question: Question):
        """What both say can come next, and one of it."""
        s = self.state
        assert s.phase == question.phase
        if question.whom == LUCK:
            assert s.mover == CHANCE
            expected = {self.code(question.phase, a): p for a, p in question.chances.items()}
            assert dict(s.outcomes) == pytest.approx(expected, abs=1e-12)
            return self.dice.choices(*zip(*question.chances.items(), strict=True))[0]
        assert s.mover == question.whom
        legal = s.legal_actions
        assert len(set(legal)) == len(legal)
        assert set(legal) == {self.code(question.phase, a) for a in question.answers}
        return self.choose(question)

    def choose(self, question: Question):
        """Any answer, but so that games go on: all dice, and armies that are enough to fight."""
        answers, dice = question.answers, self.dice
        if question.phase in ("number", "occupy", "move") and dice.random() < 0.5:
            return answers[-1]
        if question.phase == "attack" and question.whom in self.peaceful:
            return END
        if question.phase == "attack" and dice.random() < 0.9:
            armies = self.slow.armies
            good = [a for a in answers if a[2] == UNTIL and armies[a[0]] > armies[a[1]] + 1]
            return dice.choice(good or answers)
        if question.phase == "trade" and len(answers) > 1 and dice.random() < 0.5:
            return answers[0]
        return dice.choice(answers)

    def code(self, phase: str, answer) -> int:
        if answer == END:
            return codes.END
        if phase in ("claim", "neutral", "extra", "draft"):
            return answer
        if phase in ("number", "occupy", "move", "defend"):
            return codes.number_code(answer)
        if phase == "trade":
            return codes.trade_code(*answer)
        if phase == "attack":
            t, n, dice = answer
            return codes.attack_code(t, n, codes.UNTIL if dice == UNTIL else dice)
        if phase == "fortify":
            return codes.move_code(*answer)
        if phase == "roll":
            if isinstance(answer, int):
                return answer
            return {"won": codes.WON, "lost": codes.LOST}[answer[0]] + answer[1]
        return {"card": codes.CARDS, "hand over": codes.CARDS, "mission": codes.MISSIONS}[
            phase
        ] + answer

    # --- what both know ---

    def agrees_about_missions(self) -> None:
        r, slow = self.state.record, self.slow
        if not slow.with_missions:
            assert r.missions == 0
            return
        assert r.mission_count == len(slow.goals)
        for m, goal in enumerate(slow.goals):
            if "destroy" in goal:
                assert (r.goal_kind[m], r.goal_target[m]) == (DESTROY, goal["destroy"])
                assert (r.goal_land[m], r.goal_armies[m]) == (slow.scaled(24), 1)
            elif "land" in goal:
                expected = (TERRITORIES, goal["land"], goal["armies"])
                assert (r.goal_kind[m], r.goal_land[m], r.goal_armies[m]) == expected
            else:
                wanted = sum(1 << c for c in goal["continents"])
                expected = (CONTINENTS, wanted, goal["any"])
                assert (r.goal_kind[m], r.goal_continents[m], r.goal_choice[m]) == expected

    def agrees_about_the_board(self) -> None:
        r, slow = self.state.record, self.slow
        n = len(slow.land)
        assert r.owner[:n].tolist() == [NOBODY if o is None else o for o in slow.owner]
        assert r.armies[:n].tolist() == slow.armies
        assert r.trades == slow.trades
        assert r.turns == slow.turns
        assert r.card[: n + 2].tolist() == self.cards(None)
        assert r.hand[: slow.players].tolist() == [len(hand) for hand in slow.hand]
        if self.state.phase in ("draft", "number", "trade", "extra") and slow.free:
            assert r.free == slow.free
        missions = [-1 if m is None else m for m in slow.mission]
        assert r.mission[: slow.players].tolist() == missions
        ruled_out = [sum(1 << m for m in missions) for missions in slow.ruled_out]
        living = slow.living()
        for p in living:
            assert r.ruled_out[p] == ruled_out[p], p

    def cards(self, viewer: int | None) -> list[int]:
        """Where each card is, as a viewer knows it; None knows all."""
        slow = self.slow
        found = []
        for c in range(len(slow.world.symbols)):
            holder = next((p for p in range(slow.players) if c in slow.hand[p]), None)
            if c in slow.discarded:
                found.append(DISCARDED)
            elif viewer is None or self.options["cards"] == "open" or holder == viewer != PUBLIC:
                found.append(DECK if holder is None else holder)
            else:
                found.append(UNSEEN)
        return found

    def agrees_about_what_is_told(self, question: Question, answer) -> None:
        """What each viewer sees of the position and of what comes next."""
        s, slow = self.state, self.slow
        code = self.code(question.phase, answer)
        for viewer in (PUBLIC, *range(slow.players)):
            knows = question.whom != LUCK or self.is_told(question.phase, viewer)
            assert s.seen(code, viewer) == (code if knows else codes.HIDDEN)
            if self.dice.random() > 0.1:
                continue
            r = s.view(viewer).record
            assert r.card[: len(slow.world.symbols)].tolist() == self.cards(viewer)
            assert r.hand[: slow.players].tolist() == [len(hand) for hand in slow.hand]
            own = [m if p == viewer and m is not None else -1 for p, m in enumerate(slow.mission)]
            assert r.mission[: slow.players].tolist() == own

    def is_told(self, phase: str, viewer: int) -> bool:
        slow = self.slow
        if phase == "card":
            return self.options["cards"] == "open" or viewer == slow.player
        if phase == "hand over":
            fallen = next(p for p in range(slow.players) if slow.hand[p] and not slow.alive(p))
            return self.options["cards"] == "open" or viewer in (slow.player, fallen)
        if phase == "mission":
            return viewer == next(p for p, m in enumerate(slow.mission) if m is None)
        return True

    def agrees_at_the_end(self) -> None:
        s, slow = self.state, self.slow
        assert s.over
        assert s.returns == pytest.approx(slow.shares())
        assert s.record.winner == (NOBODY if slow.winner is None else slow.winner)
        assert s.scores == [slow.count(p) for p in range(slow.players)]


@pytest.mark.parametrize("part", range(PARTS))
def test_both_agree_at_every_step(part):
    for number in range(part, GAMES, PARTS):
        match = Match(number)
        try:
            match.play()
        except AssertionError as error:
            raise AssertionError(f"game {number}: {match.options}") from error
