"""Experiments: published results as data, played again and put beside what was published.

A file in ``published/`` holds plans of tournaments and, for each, what a source says came out. The
name of the file is the name of the experiment.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from math import ceil, isfinite
from pathlib import Path
from typing import Any

from kostka.agents.evolution import Evolution
from kostka.agents.lessons import lessons
from kostka.arena.learning import KEYS as LEARN
from kostka.arena.learning import Learn, parse_learn
from kostka.arena.measures import ABOUT, NAMES, Measure, in_words
from kostka.arena.plan import Plan, plan_from
from kostka.core.errors import KostkaError, unknown
from kostka.core.game import game as find_game

#: More than so many times the published games were hardly meant.
MOST_SCALE = 1000


@dataclass(frozen=True)
class Published:
    """One number or claim of a source, and which games of a plan it is about."""

    #: Whose result; None: whoever sits in the seat.
    agent: str | None = None
    #: The others at the table; None: all line-ups together.
    against: tuple[str, ...] | None = None
    #: The seat, from 1, or the role; None: all seats together.
    seat: int | None = None
    role: str | None = None
    measure: Measure = "gain"
    #: Whose standard deviation it is, where that was published.
    of: Measure = "score"
    #: The phases of the game that a decision is made in; none: all of them.
    phases: tuple[str, ...] = ()
    #: Only games at which none of these sat.
    without: tuple[str, ...] = ()
    #: The number that was published, and the games behind it; None: nobody says how many.
    value: float | None = None
    games: int | None = None
    #: Claims: a mean above or below a number,
    above: float | None = None
    below: float | None = None
    #: at least this place by wins among the agents of a line-up,
    rank: int | None = None
    #: or in some line-up no better than this place by wins.
    worst_place_somewhere: int | None = None
    #: Does this hold for each line-up of the agent on its own?
    each: bool = False

    @property
    def claim(self) -> str | None:
        """What is claimed, in words."""
        if self.rank is not None:
            return "most wins" if self.rank == 1 else f"place {self.rank} or better"
        if self.worst_place_somewhere is not None:
            return f"somewhere place {self.worst_place_somewhere} or worse"
        for sign, number in ((">", self.above), ("<", self.below)):
            if number is not None:
                return f"{sign} {in_words(number, self.measure)}"
        return None

    @property
    def about(self) -> str:
        """Whose result it is, in words."""
        whoever = "the table" if self.whole else "whoever sits there"
        words = self.agent or whoever
        words += f" as {self.role}" if self.role is not None else ""
        if self.against is not None:
            words += f" against {', '.join(self.against)}"
        words += "" if self.seat is None else f", seat {self.seat}"
        words += f", without {', '.join(self.without)}" if self.without else ""
        words += ABOUT[self.measure].words.format(of=self.of)
        return words + (f" ({', '.join(self.phases)})" if self.phases else "")

    @property
    def whole(self) -> bool:
        """Is it about whole tables?"""
        return ABOUT[self.of if self.measure == "deviation" else self.measure].whole

    @property
    def by_wins(self) -> bool:
        """Is it a claim about places by wins?"""
        return self.rank is not None or self.worst_place_somewhere is not None


@dataclass(frozen=True)
class Experiment:
    """What a source did, as plans, and what it says came out of each."""

    name: str
    title: str
    source: str
    plans: tuple[Plan, ...]
    published: tuple[tuple[Published, ...], ...]
    #: What a reader should know: what the source leaves open and how it was decided here.
    notes: str = ""
    #: Seconds that all games take on one core, roughly; None: nobody has measured it.
    seconds: float | None = None
    #: The game and its lesson whose curves of evolution are part of the result; empty: none are.
    curves: tuple[str, ...] = ()
    #: What is learnt before the plans are played, and the text of the file that says all of it.
    learns: tuple[Learn, ...] = ()
    text: str = ""

    @property
    def games(self) -> int:
        """How many games are played."""
        return sum(plan.count() for plan in self.plans)

    def taught(self, places: Mapping[str, str], scale: float) -> "Experiment":
        """The same with the files of what has been learnt, by name."""
        return parse(self.text, self.name, self.name, places).scaled(scale)

    def part(self, number: int) -> str:
        """What a plan is called within the experiment; empty where it has no name of its own."""
        names = [plan.name.removeprefix(f"{self.name}: ") for plan in self.plans]
        return "" if number >= len(names) or names[number] == self.name else names[number]

    def scaled(self, scale: float) -> "Experiment":
        """The same with more or fewer games; plans make them up to whole blocks."""
        if not (isfinite(scale) and 0 < scale <= MOST_SCALE):
            raise KostkaError(f"scale must be above 0 and at most {MOST_SCALE}, not {scale:g}")

        def less(games: int) -> int:
            return ceil(games * scale - 1e-9)

        plans = tuple(
            replace(plan, games=less(plan.games), each=plan.each and less(plan.each))
            for plan in self.plans
        )
        return replace(self, plans=plans, learns=tuple(one.scaled(scale) for one in self.learns))


# --- from a file ---


def names() -> list[str]:
    """The experiments there are."""
    folder = files("kostka.arena") / "published"
    return sorted(
        file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")
    )


def find(name: str) -> Experiment:
    """An experiment of ours by its name, or anybody's by the path of its file."""
    if name.endswith(".toml"):
        path = Path(name)
        try:
            return parse(path.read_text(encoding="utf-8"), path.stem, name)
        except OSError as error:
            raise KostkaError(f"{name} cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise KostkaError(f"{name} is no text file") from None
    if name not in names():
        raise unknown("experiment", name, names())
    text = (files("kostka.arena") / "published" / f"{name}.toml").read_text(encoding="utf-8")
    return parse(text, name, name)


#: What a file may say, and what its values must be.
EXPERIMENT: dict[str, Any] = {
    "title": str, "source": str, "notes": str, "seconds": (int, float), "plan": list,
    "curves": dict, "learn": list,
}  # fmt: skip
PUBLISHED: dict[str, Any] = {
    "agent": str, "against": list, "seat": int, "role": str, "measure": str,
    "of": str, "phases": list, "without": list,
    "value": (int, float), "games": int, "above": (int, float), "below": (int, float),
    "rank": int, "worst_place_somewhere": int, "each": bool,
}  # fmt: skip


def check_kinds(data: Mapping[str, Any], kinds: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    """Refuse keys that nobody knows, and values that are of the wrong kind."""
    for key, value in data.items():
        if key not in kinds:
            raise KostkaError(f"{where}: {unknown('key', key, kinds)}")
        if not isinstance(value, kinds[key]) or isinstance(value, bool) != (kinds[key] is bool):
            raise KostkaError(f"{where}: {key} cannot be {value!r}")
    return data


def filled(value: Any, places: Mapping[str, str]) -> Any:
    """What a file says, with the place of what was learnt for its name in braces."""
    if isinstance(value, str):
        for name, place in places.items():
            value = value.replace(f"{{{name}}}", place)
        return value
    if isinstance(value, list):
        return [filled(one, places) for one in value]
    if isinstance(value, dict):
        return {key: filled(one, places) for key, one in value.items()}
    return value


def parse(text: str, name: str, where: str, places: Mapping[str, str] | None = None) -> Experiment:
    """The experiment in a TOML text; ``places`` are the files of what has been learnt for it."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise KostkaError(f"{where}: {error}") from None
    check_kinds(data, EXPERIMENT, where)
    needed = {"title", "source"} | (set() if "learn" in data else {"plan"})
    if missing := needed - data.keys():
        raise KostkaError(f"{where}: the key {min(missing)} is missing")
    learns = tuple(
        parse_learn(
            check_kinds(table, LEARN, f"{where}, learn {number}"), f"{where}, learn {number}"
        )
        for number, table in enumerate(data.get("learn", ()), 1)
    )
    if places is not None:
        data = filled(data, places)
    plans, published = [], []
    for number, table in enumerate(data.get("plan", ()), 1):
        keys = {key: value for key, value in table.items() if key != "published"}
        own = keys.pop("name", None)
        called = name if own is None else f"{name}: {own}"
        plan = plan_from(keys, text, where, not learns or places is not None, name=called)
        plans.append(plan)
        said, every = table.get("published", ()), plan.line_ups()
        if said and not learns:
            plan.matches()  # which refuses what cannot be played
        roles = plan.roles if said else ()
        published.append(
            tuple(
                parse_published(one, plan, every, roles, f"{where}, plan {number}, published {i}")
                for i, one in enumerate(said, 1)
            )
        )
    rest = {key: value for key, value in data.items() if key not in ("plan", "curves", "learn")}
    grown = parse_curves(data.get("curves", {}), f"{where}, curves")
    return Experiment(
        name,
        plans=tuple(plans),
        published=tuple(published),
        curves=grown,
        learns=learns,
        text=text,
        **rest,
    )


def parse_curves(data: Mapping[str, Any], where: str) -> tuple[str, ...]:
    """Whose curves are shown: of a lesson of a game that evolves."""
    check_kinds(data, {"game": str, "lesson": str}, where)
    if not data:
        return ()
    if len(data) < 2:
        raise KostkaError(f"{where}: name the game and the lesson")
    known = lessons(find_game(data["game"]))
    if data["lesson"] not in known:
        raise KostkaError(f"{where}: {unknown('lesson', data['lesson'], known)}")
    if not isinstance(known[data["lesson"]], Evolution):
        raise KostkaError(f"{where}: {data['lesson']} does not evolve")
    return data["game"], data["lesson"]


def parse_published(
    data: Mapping[str, Any],
    plan: Plan,
    every: Sequence[tuple[str, ...]],
    roles: Sequence[str],
    where: str,
) -> Published:
    """A published number or claim, checked against the plan that is to give it."""
    check_kinds(data, PUBLISHED, where)
    given = dict(data)
    given |= {key: tuple(given[key]) for key in ("against", "phases", "without") if key in given}
    said = Published(**given)
    things = (said.value, said.above, said.below, said.rank, said.worst_place_somewhere)
    if sum(thing is not None for thing in things) != 1:
        raise KostkaError(
            f"{where}: give one of value, above, below, rank and worst_place_somewhere"
        )
    for measure in (said.measure, said.of):
        if measure not in NAMES:
            raise KostkaError(f"{where}: {unknown('measure', measure, NAMES)}")
    numbers = [thing for thing in (said.value, said.above, said.below) if thing is not None]
    if not all(isfinite(number) for number in numbers):
        raise KostkaError(f"{where}: a number must be finite; claim what it is above instead")
    if ABOUT[said.measure].share and not all(0 <= number <= 1 for number in numbers):
        raise KostkaError(f"{where}: a share of games is from 0 to 1, so write 0.75 for 75 %")
    check_measure(said, data, plan, where)
    place = said.seat if said.role is None else said.role
    if said.agent is None and (
        (place is None and not said.whole) or said.against is not None or said.by_wins
    ):
        raise KostkaError(
            f"{where}: name the agent; only the number of a seat or of a table may do without"
        )
    if said.rank is not None and not said.each and said.against is None:
        raise KostkaError(f"{where}: rank needs against, or each = true for all line-ups")
    if said.games is not None and said.games < 1:
        raise KostkaError(f"{where}: games must be at least 1, not {said.games}")
    if said.role is not None and said.role not in roles:
        raise KostkaError(f"{where}: {unknown('role', said.role, roles)}")
    if roles and any(len(line_up) != len(roles) for line_up in every):
        raise KostkaError(f"{where}: line-ups need one agent for each of {', '.join(roles)}")
    for line_up in line_ups(said, every, where):
        if said.seat is not None and not 1 <= said.seat <= len(line_up):
            raise KostkaError(f"{where}: there are seats 1 to {len(line_up)}, not {said.seat}")
        last = len(set(line_up))
        if said.rank is not None and not 1 <= said.rank < last:
            raise KostkaError(f"{where}: rank is from 1 to {last - 1} here, not {said.rank}")
        if said.worst_place_somewhere is not None and not 2 <= said.worst_place_somewhere <= last:
            raise KostkaError(
                f"{where}: worst_place_somewhere is from 2 to {last} here, "
                f"not {said.worst_place_somewhere}"
            )
    return said


def check_measure(said: Published, data: Mapping[str, Any], plan: Plan, where: str) -> None:
    """Refuse what is about no number, or about two at once."""
    if said.measure == "deviation":
        if said.of == "deviation" or ABOUT[said.of].cost:
            raise KostkaError(f'{where}: of says whose deviation it is: of = "score" or another')
    elif "of" in data:
        raise KostkaError(f'{where}: of needs measure = "deviation"')
    if "turns" in (said.measure, said.of) and not find_game(plan.game).counts_turns:
        raise KostkaError(f"{where}: {plan.game} does not count its turns")
    if said.whole and (said.seat is not None or said.role is not None):
        what = "a total" if "total" in (said.measure, said.of) else said.measure
        raise KostkaError(f"{where}: {what} is that of the whole table, not of a seat")
    if said.phases and said.measure != "decision":
        raise KostkaError(f'{where}: phases need measure = "decision"')
    known = find_game(plan.game).phases
    for phase in said.phases:
        if phase not in known:
            raise KostkaError(f"{where}: {unknown(f'phase of {plan.game}', phase, known)}")
    if said.by_wins and said.measure not in ("gain", "wins"):
        raise KostkaError(f"{where}: places are by wins, so leave the measure out")
    if said.agent in said.without:
        raise KostkaError(f"{where}: {said.agent} cannot be the agent and be left out")


def line_ups(
    said: Published, every: Sequence[tuple[str, ...]], where: str
) -> list[tuple[str, ...]]:
    """The different line-ups that something is about, whatever the seats; at least one."""
    every = [tuple(sorted(line_up)) for line_up in every]
    for agent in said.without:
        if all(agent not in line_up for line_up in every):
            raise KostkaError(f"{where}: {agent} is in no line-up of the plan")
    found = {line_up for line_up in every if not set(said.without) & set(line_up)}
    if said.against is not None:
        found &= {tuple(sorted((said.agent or "", *said.against)))}
    elif said.agent is not None:
        found = {line_up for line_up in found if said.agent in line_up}
    if not found:
        raise KostkaError(f"{where}: {said.about} is in no line-up of the plan")
    return sorted(found)
