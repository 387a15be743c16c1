"""Plans: what a tournament plays, from a TOML file or from flags, checked before it starts."""

import hashlib
import itertools
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from kostka.agents.spec import make, parse
from kostka.arena.match import SEATINGS, Match, Seating, prepare
from kostka.core.errors import KostkaError, unknown
from kostka.core.game import Value
from kostka.core.game import game as find_game

#: More line-ups than this were hardly meant.
MOST_LINEUPS = 20_000
#: Up to so many players, a block has every order of the seats; beyond, they only rotate.
PERMUTED = 3

EXAMPLE = """\
game   = "dicewars"
agents = ["stei", "wpm-d", "mcts:iterations=100|300,c=0.3|0.7"]   # | makes a grid
tables = [2, 3]          # players at a table: all pairs and all triples
games  = 120             # of each line-up, in all orders of the seats
seed   = 1
with   = ["stei"]        # only line-ups in which these sit (may be left out)

[options]
edition = 2020
"""


@dataclass(frozen=True)
class Plan:
    """A tournament: line-ups of agents, and how many games each of them plays."""

    game: str
    agents: tuple[str, ...] = ()
    #: Games of each line-up, made up to whole blocks.
    games: int = 100
    #: None until somebody draws one.
    seed: int | None = None
    name: str = ""
    #: Players at a table: the line-ups are all combinations of so many agents.
    tables: tuple[int, ...] = (2,)
    #: Line-ups may hold an agent more than once.
    repeat: bool = False
    #: Only line-ups that hold all of these.
    having: tuple[str, ...] = ()
    #: Line-ups named one by one instead; their order is the order of the seats.
    lineups: tuple[tuple[str, ...], ...] = ()
    #: How the seats change; None: every order up to three players, rotation beyond.
    seats: Seating | None = None
    #: Seconds a decision.
    limit: float | None = None
    #: Are moves kept?
    moves: bool = True
    options: Mapping[str, Value] = field(default_factory=dict)

    def json(self) -> dict[str, Any]:
        """The plan as plain data."""
        return asdict(self)

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "Plan":
        """The plan that ``json`` wrote."""
        given: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in data.items()
        }
        given["lineups"] = tuple(tuple(line_up) for line_up in data["lineups"])
        return Plan(**given)

    def same_as(self, other: "Plan") -> bool:
        """Does it play the same games, whatever its seed and name?"""
        return replace(self, seed=None, name="") == replace(other, seed=None, name="")

    def matches(self) -> list[Match]:
        """The matches of the tournament, checked."""
        game = find_game(self.game)
        found = []
        for specs in self.line_ups():
            how = self.seats or ("permute" if len(specs) <= PERMUTED else "rotate")
            given = dict(self.options, players=len(specs))
            seed = own_seed(self.seed or 0, specs)
            match = prepare(game, specs, self.games, seed, given, how, limit=self.limit)
            by_specs = {tuple(specs[who] for who in seats): seats for seats in match.seatings}
            different = tuple(by_specs.values())  # equal agents that change seats change nothing
            blocks = -(-self.games // len(different))
            found.append(replace(match, seatings=different, games=blocks * len(different)))
        return found

    def line_ups(self) -> list[tuple[str, ...]]:
        """Who plays whom."""
        if self.lineups:
            return [tuple(line_up) for line_up in self.lineups]
        agents = list(dict.fromkeys(spec for grid in self.agents for spec in expand(grid)))
        choose = itertools.combinations_with_replacement if self.repeat else itertools.combinations
        every = itertools.chain.from_iterable(choose(agents, n) for n in self.tables)
        having = set(self.having)
        if having - set(agents):
            raise unknown("agent of this tournament", sorted(having - set(agents))[0], agents)
        wanted = (line_up for line_up in every if having <= set(line_up))
        found = list(itertools.islice(wanted, MOST_LINEUPS + 1))
        if len(found) > MOST_LINEUPS:
            raise KostkaError(f"more than {MOST_LINEUPS} line-ups; take fewer agents or players")
        if not found:
            most = max(self.tables, default=0)
            raise KostkaError(
                f"{len(agents)} agents fill no table of {most}; add agents, or let them sit twice "
                "with repeat"
            )
        return found


def own_seed(seed: int, specs: tuple[str, ...]) -> int:
    """The seed of a line-up: every line-up has luck of its own, whatever else is played."""
    digest = hashlib.sha256(repr((seed, specs)).encode()).digest()
    return int.from_bytes(digest[:6], "big")


def expand(spec: str) -> list[str]:
    """The specs of a grid: ``mcts:c=0.3|0.7,iterations=100|300`` are four."""
    if "|" not in spec:
        return [spec]
    name, given = parse(spec)
    values = [[v.strip() for v in value.split("|")] for value in given.values()]
    if not given or not all(all(some) for some in values):
        raise KostkaError(f"{spec!r} is no grid; write for example mcts:c=0.3|0.7|1")
    return [
        name + ":" + ",".join(f"{key}={value}" for key, value in zip(given, some, strict=True))
        for some in itertools.product(*values)
    ]


# --- from a file ---

#: What a file may say: the name there, ours, and what its value must be.
STRINGS = (list, "a list of texts", lambda v: all(isinstance(x, str) for x in v))
KEYS: dict[str, tuple[str, Any, str, Any]] = {
    "game": ("game", str, "a text", None),
    "name": ("name", str, "a text", None),
    "agents": ("agents", *STRINGS),
    "with": ("having", *STRINGS),
    "games": ("games", int, "a whole number of at least 1", lambda v: v >= 1),
    "seed": ("seed", int, "a whole number", None),
    "tables": (
        "tables", list, "a list of numbers of players",
        lambda v: v and all(type(x) is int and x > 0 for x in v),
    ),
    "repeat": ("repeat", bool, "true or false", None),
    "moves": ("moves", bool, "true or false", None),
    "lineups": (
        "lineups", list, "a list of lists of agents",
        lambda v: all(isinstance(x, list) and all(isinstance(y, str) for y in x) for x in v),
    ),
    "seats": ("seats", str, "one of " + ", ".join(SEATINGS), lambda v: v in SEATINGS),
    "limit": ("limit", (int, float), "a number of seconds above 0", lambda v: v > 0),
    "options": ("options", dict, "a table of the game's options", None),
}  # fmt: skip


def read_plan(path: Path, **flags: Any) -> Plan:
    """The plan in a TOML file, where flags do not say otherwise; an error names line and key."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise KostkaError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise KostkaError(f"{path} is no text file") from None
    plan = parse_plan(text, str(path), **flags)
    return replace(plan, name=plan.name or path.stem)


def parse_plan(text: str, where: str, **flags: Any) -> Plan:
    """The plan in a TOML text."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        key = key_on(text, int(line[1])) if line else None
        raise KostkaError(f"{where}{f', key {key}' if key else ''}: {error}") from None
    return plan_from(data, text, where, **flags)


def plan_from(data: Mapping[str, Any], text: str, where: str, **flags: Any) -> Plan:
    """The plan in data that was read from a TOML text; flags override it."""
    given: dict[str, Any] = {}
    for key, value in data.items():
        if key not in KEYS:
            raise KostkaError(f"{place(text, where, key)}: {unknown('key', key, KEYS)}")
        name, kind, words, fine = KEYS[key]
        right = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
        if not right or (fine is not None and not fine(value)):
            raise KostkaError(f"{place(text, where, key)}: {key} must be {words}, not {value!r}")
        given[name] = tuple(value) if isinstance(value, list) else value
    given |= flags
    if "lineups" in given:
        given["lineups"] = tuple(tuple(line_up) for line_up in given["lineups"])
    if "game" not in given:
        raise KostkaError(f'{where}: the key game is missing; write for example game = "dicewars"')
    if not given.get("agents") and not given.get("lineups"):
        raise KostkaError(f'{where}: the key agents is missing; write agents = ["…", "…"]')
    plan = Plan(**given)
    check(plan, text, where)
    return plan


def check(plan: Plan, text: str, where: str) -> None:
    """Refuse what cannot be played, and say which line is to blame."""

    def every_agent() -> None:
        for grid in (*plan.agents, *itertools.chain(*plan.lineups)):
            for spec in expand(grid):
                make(find_game(plan.game), spec)

    checks: tuple[tuple[str, Callable[[], Any]], ...] = (
        ("game", lambda: find_game(plan.game)),
        ("options", lambda: find_game(plan.game).check(plan.options)),
        ("lineups" if plan.lineups else "agents", every_agent),
        ("with" if plan.having else "tables", plan.line_ups),
        ("lineups" if plan.lineups else "tables", plan.matches),
    )
    for key, attempt in checks:
        try:
            attempt()
        except KostkaError as error:
            raise KostkaError(f"{place(text, where, key, str(error))}: {error}") from None


def place(text: str, where: str, key: str, error: str = "") -> str:
    """Where a key is: the file, the line, the key."""
    lines = text.splitlines()
    found = next((i for i, line in enumerate(lines, 1) if names(line, key)), None)
    if found is None:
        return f"{where}, key {key}"
    for number, line in enumerate(lines[found - 1 :], found):
        quoted = re.findall(r"[\"']([^\"']+)[\"']|^\s*(\w+)\s*=", line)
        words = {word for pair in quoted for word in pair if word} - {key}
        if any(re.search(rf"(?<![\w-]){re.escape(w)}(?![\w-])", error) for w in words):
            return f"{where}, line {number}, key {key}"
    return f"{where}, line {found}, key {key}"


def names(line: str, key: str) -> bool:
    """Does a line of TOML begin a key or a table of this name?"""
    return re.match(rf"\s*(\[+\s*)?[\"']?{re.escape(key)}[\"']?\s*(=|\.|\])", line) is not None


def key_on(text: str, number: int) -> str | None:
    """The key that a line of broken TOML belongs to."""
    for line in reversed(text.splitlines()[:number]):
        key = re.match(r"\s*\[*\s*[\"']?([\w-]+)", line)
        if key and not line.lstrip().startswith("#"):
            return key[1]
    return None
