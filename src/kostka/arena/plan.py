"""Plans: what a tournament plays, from a TOML file or from flags, checked before it starts."""

import contextlib
import hashlib
import itertools
import math
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from kostka.agents.spec import make, parse
from kostka.arena.match import (
    MEMORIES,
    SEATINGS,
    Match,
    Memory,
    Seating,
    by_owner,
    placed,
    prepare,
    roles,
    seatings,
    sides,
)
from kostka.core.errors import KostkaError, unknown
from kostka.core.game import Value
from kostka.core.game import game as find_game

#: More line-ups than this were hardly meant.
MOST_LINEUPS = 20_000
#: And so are more games of each than this, longer decisions, and seeds that no database takes.
MOST_GAMES = 10_000_000
MOST_SECONDS = 1e6
MOST_SEED = 2**63 - 1
#: Up to so many players, a block has every order of the seats; beyond, they only rotate.
PERMUTED = 3

EXAMPLE = """\
game   = "dicewars"
agents = ["stei", "wpm-d", "mcts:iterations=100|300,c=0.3|0.7"]   # | makes a grid
tables = [2, 3]          # players at a table: all pairs and all triples
games  = 120             # of each line-up, in all orders of the seats; each = 20: of each order
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
    #: Agents at a table: the line-ups are all combinations of so many. Where as many as there are
    #: sides play, they have a side each.
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
    #: Games of each seating, in place of ``games``: where agents are alike there are fewer of both.
    each: int | None = None
    #: What an agent learns is its own in each line-up and seating, or goes on with its seat from
    #: line-up to line-up; the games of those who learn are then played in the order of the plan.
    memory: Memory = "line-up"

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
        self.check_numbers()
        found = []
        for specs in self.line_ups():
            seed = own_seed(self.seed or 0, specs)
            how = self.how(specs)
            match = prepare(game, specs, self.games, seed, self.options, how, limit=self.limit)
            seatings, games = self.shared(specs, match.seatings)
            found.append(replace(match, seatings=seatings, games=games))
        return found

    def how(self, specs: tuple[str, ...]) -> Seating:
        """How the seats of a line-up change."""
        return self.seats or ("permute" if len(specs) <= PERMUTED else "rotate")

    def shared(
        self, specs: tuple[str, ...], seatings: tuple[tuple[int, ...], ...]
    ) -> tuple[tuple[tuple[int, ...], ...], int]:
        """The seatings that differ, as equal agents may change seats; and the games of all."""
        different = tuple(
            {tuple(specs[who] for who in seats): seats for seats in seatings}.values()
        )
        blocks = self.each or -(-self.games // len(different))
        return different, blocks * len(different)

    def count(self) -> int:
        """How many games are played, which can be told before there are the agents."""
        game, total = find_game(self.game), 0
        for specs in self.line_ups():
            _, owner = placed(game, specs, self.options)
            total += self.shared(specs, by_owner(seatings(specs, self.how(specs)), owner))[1]
        return total

    @property
    def roles(self) -> tuple[str, ...]:
        """What the sides are called; nothing where all are alike."""
        game = find_game(self.game)
        options, _ = placed(game, self.line_ups()[0], self.options)
        return roles(game, sides(game, options))

    def check_numbers(self) -> None:
        """Refuse numbers that no clock, no database or nobody's life is long enough for."""
        for key in ("games", "each", "seed", "limit"):
            value, (_, _, words, fine) = getattr(self, key), KEYS[key]
            if value is not None and not fine(value):
                raise KostkaError(f"{key} must be {words}, not {shown(value)}")

    def line_ups(self) -> list[tuple[str, ...]]:
        """Who plays whom."""
        if self.lineups:
            return list(dict.fromkeys(tuple(map(tidy, line_up)) for line_up in self.lineups))
        agents = list(dict.fromkeys(spec for grid in self.agents for spec in expand(grid)))
        having = list(dict.fromkeys(map(tidy, self.having)))
        for spec in having:
            if spec not in agents:
                raise unknown("agent of this tournament", spec, agents)
        players = find_game(self.game).options[0]
        sizes = [int(players.check(n)) for n in dict.fromkeys(self.tables)]
        choose = itertools.combinations_with_replacement if self.repeat else itertools.combinations
        others = agents if self.repeat else [spec for spec in agents if spec not in having]
        wanted = (
            tuple(sorted((*having, *rest), key=agents.index))
            for n in sizes
            if n >= len(having)
            for rest in choose(others, n - len(having))
        )
        found = list(itertools.islice(wanted, MOST_LINEUPS + 1))
        if len(found) > MOST_LINEUPS:
            raise KostkaError(f"more than {MOST_LINEUPS} line-ups; take fewer agents or players")
        if not found:
            if sizes and len(having) > max(sizes):
                raise KostkaError(f"{', '.join(having)} do not fit at a table of {max(sizes)}")
            raise KostkaError(
                f"{len(agents)} agents fill no table of {max(sizes, default=0)}; add agents, or "
                "let them sit twice with repeat"
            )
        return found


def own_seed(seed: int, specs: tuple[str, ...]) -> int:
    """The seed of a line-up: every line-up has luck of its own, whatever else is played."""
    digest = hashlib.sha256(repr((seed, specs)).encode()).digest()
    return int.from_bytes(digest[:6], "big")


def expand(spec: str) -> list[str]:
    """The specs of a grid: ``mcts:c=0.3|0.7,iterations=100|300`` are four."""
    if "|" not in spec:
        return [tidy(spec)]
    name, given = parse(spec)
    values = [[v.strip() for v in value.split("|")] for value in given.values()]
    if not given or not all(all(some) for some in values):
        raise KostkaError(f"{spec!r} is no grid; write for example mcts:c=0.3|0.7|1")
    if math.prod(map(len, values)) > MOST_LINEUPS:
        raise KostkaError(f"{spec!r} is a grid of more than {MOST_LINEUPS} agents; take fewer")
    return [spelt(name, dict(zip(given, some, strict=True))) for some in itertools.product(*values)]


def tidy(spec: str) -> str:
    """A spec without stray spaces, so that nobody plays under two names by mistake."""
    return spelt(*parse(spec))


def spelt(name: str, given: Mapping[str, str]) -> str:
    """The spec of an agent with these parameters."""
    return name + (":" + ",".join(f"{k}={v}" for k, v in given.items()) if given else "")


# --- from a file ---

#: What a file may say: the name there, ours, and what its value must be.
STRINGS = (list, "a list of texts", lambda v: all(isinstance(x, str) for x in v))
KEYS: dict[str, tuple[str, Any, str, Any]] = {
    "game": ("game", str, "a text", None),
    "name": ("name", str, "a text", None),
    "agents": ("agents", *STRINGS),
    "with": ("having", *STRINGS),
    "games": ("games", int, f"a whole number from 1 to {MOST_GAMES}",
              lambda v: 1 <= v <= MOST_GAMES),
    "each": ("each", int, f"a whole number from 1 to {MOST_GAMES}",
             lambda v: 1 <= v <= MOST_GAMES),
    "seed": ("seed", int, f"a whole number from 0 to {MOST_SEED}", lambda v: 0 <= v <= MOST_SEED),
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
    "memory": ("memory", str, "one of " + ", ".join(MEMORIES), lambda v: v in MEMORIES),
    "limit": ("limit", (int, float), f"a number of seconds above 0, at most {MOST_SECONDS:g}",
              lambda v: 0 < v <= MOST_SECONDS),
    "preset": ("preset", str, "a text", None),
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
    except RecursionError:
        raise KostkaError(f"{where}: lists within lists are too deep") from None
    except ValueError as error:  # TOMLDecodeError, or a number that Python refuses to read
        given = re.search(r"line (\d+)", str(error))
        line = int(given[1]) if given else text.rstrip().count("\n") + 1
        key = key_on(text, line)
        at = f"{where}, line {line}{f', key {key}' if key else ''}"
        raise KostkaError(f"{at}: {error}") from None
    return plan_from(data, text, where, **flags)


def plan_from(
    data: Mapping[str, Any], text: str, where: str, ready: bool = True, **flags: Any
) -> Plan:
    """The plan in data that was read from a TOML text; flags override it.

    Where its agents are not ``ready``, as they have yet to learn, they are not looked at.
    """
    given: dict[str, Any] = {}
    for key, value in data.items():
        if key not in KEYS:
            raise KostkaError(f"{place(text, where, key)}: {unknown('key', key, KEYS)}")
        name, kind, words, fine = KEYS[key]
        right = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
        if not right or (fine is not None and not fine(value)):
            raise KostkaError(
                f"{place(text, where, key)}: {key} must be {words}, not {shown(value)}"
            )
        given[name] = tuple(value) if isinstance(value, list) else value
    if any({"games", "each"} <= said.keys() for said in (data, flags)):
        raise KostkaError(f"{where}: say games of a line-up or, with each, of a seating; not both")
    if "games" in flags:
        given.pop("each", None)
    given |= flags
    preset = given.pop("preset", None)  # what it stands for is the plan, not its name
    if preset is not None and "game" in given:
        key = "game"
        try:
            game, key = find_game(given["game"]), "preset"
            given["options"] = {**game.preset(preset), **given.get("options", {})}
        except KostkaError as error:
            raise KostkaError(f"{place(text, where, key, str(error))}: {error}") from None
    if "lineups" in given:
        given["lineups"] = tuple(tuple(line_up) for line_up in given["lineups"])
    if "game" not in given:
        raise KostkaError(f'{where}: the key game is missing; write for example game = "dicewars"')
    if not given.get("agents") and not given.get("lineups"):
        raise KostkaError(f'{where}: the key agents is missing; write agents = ["…", "…"]')
    plan = Plan(**given)
    with contextlib.suppress(KostkaError):  # the check says it, with the line to blame
        plan = replace(plan, options=find_game(plan.game).read_files(plan.options))
    if ready:
        check(plan, text, where)
    else:
        plan.check_numbers()
        plan.count()
    return plan


def shown(value: Any) -> str:
    """A value in an error, cut short."""
    try:
        text = repr(value)
    except ValueError:
        return "this"  # a number of thousands of digits
    return text if len(text) <= 80 else text[:79] + "…"


def check(plan: Plan, text: str, where: str) -> None:
    """Refuse what cannot be played, and say which line is to blame."""

    def options() -> None:
        game = find_game(plan.game)
        if "players" in plan.options and game.sides is None:
            raise KostkaError("players is no option here; write tables = [2, 3]")
        game.check(game.read_files(plan.options))

    def agent(spec: str) -> Callable[[], Any]:
        return lambda: [make(find_game(plan.game), one) for one in expand(spec)]

    # the key to blame, a word of the line to blame, and what may go wrong
    checks: list[tuple[str, str, Callable[[], Any]]] = [
        ("game", "", lambda: find_game(plan.game)),
        ("options", "", options),
        *(("agents", spec, agent(spec)) for spec in plan.agents if not plan.lineups),
        *(("lineups", spec, agent(spec)) for spec in itertools.chain(*plan.lineups)),
        ("seed", "", plan.check_numbers),
        ("with" if plan.having else "tables", "", plan.line_ups),
        ("lineups" if plan.lineups else "tables", "", plan.matches),
    ]
    for key, word, attempt in checks:
        try:
            attempt()
        except KostkaError as error:
            raise KostkaError(f"{place(text, where, key, f'{word} {error}')}: {error}") from None


def place(text: str, where: str, key: str, error: str = "") -> str:
    """Where a key is: the file, the line, the key."""
    lines = text.split("\n")
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
    for line in reversed(text.split("\n")[:number]):
        key = re.match(r"\s*\[*\s*[\"']?([\w-]+)", line)
        if key and not line.lstrip().startswith("#"):
            return key[1]
    return None
