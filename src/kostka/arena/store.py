"""The store: experiments, matches, games and what was learnt, in SQLite or PostgreSQL.

A game is there whole or not at all, and what is there is never changed.
"""

import contextlib
import functools
import itertools
import zlib
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import numpy as np
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from kostka.agents.spec import parse
from kostka.arena.machine import machine
from kostka.arena.match import Match, remembers
from kostka.arena.plan import Plan
from kostka.arena.referee import Played, logged
from kostka.arena.results import Results, Row, columns, rows
from kostka.core.errors import KostkaError, unknown
from kostka.core.game import game as find_game
from kostka.core.plugins import own_version

#: Where results go if nobody says otherwise.
DEFAULT = "kostka.db"
#: Seconds to wait for a database server; it may have two addresses.
PATIENCE = 2

schema = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

runs = sa.Table(
    "runs", schema,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("rules", sa.Integer, nullable=False),
    sa.Column("engine", sa.Text, nullable=False),
    sa.Column("seed", sa.BigInteger, nullable=False),
    sa.Column("plan", sa.JSON, nullable=False),
    sa.Column("command", sa.Text, nullable=False),
    sa.Column("started", sa.Text, nullable=False),
    sa.Column("finished", sa.Text),
    sa.Column("machine", sa.Text),
)  # fmt: skip

agents = sa.Table(
    "agents", schema,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("spec", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("parameters", sa.JSON, nullable=False),
    sa.Column("learns", sa.Boolean, nullable=False),
    sa.UniqueConstraint("game", "spec"),
)  # fmt: skip

matches = sa.Table(
    "matches", schema,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("run", sa.ForeignKey("runs.id"), nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("players", sa.Integer, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
    sa.Column("agents", sa.JSON, nullable=False),
    sa.Column("seatings", sa.JSON, nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.UniqueConstraint("run", "number"),
)  # fmt: skip

games = sa.Table(
    "games", schema,
    sa.Column("match", sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("block", sa.Integer, nullable=False),
    sa.Column("seed", sa.BigInteger, nullable=False),
    sa.Column("decisions", sa.Integer, nullable=False),
    sa.Column("seconds", sa.Float, nullable=False),
    sa.Column("memory", sa.BigInteger),
    sa.Column("turns", sa.Integer),
    sa.Column("moves", sa.LargeBinary),
)  # fmt: skip

seats = sa.Table(
    "seats", schema,
    sa.Column("match", sa.Integer, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("agent", sa.ForeignKey("agents.id"), nullable=False),
    sa.Column("gain", sa.Float, nullable=False),
    sa.Column("score", sa.Float, nullable=False),
    sa.Column("place", sa.Float, nullable=False),
    sa.Column("thought", sa.JSON(none_as_null=True)),
    sa.Column("fault", sa.Text),
    sa.Column("learnt", sa.LargeBinary),
    sa.ForeignKeyConstraint(["match", "number"], ["games.match", "games.number"]),
)  # fmt: skip

# --- games of people, which the table keeps ---

tables = sa.Table(
    "tables", schema,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("rules", sa.Integer, nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("casual", sa.Boolean, nullable=False),
    sa.Column("clock", sa.Float),
    sa.Column("seats", sa.JSON, nullable=False),
    sa.Column("host", sa.Integer),
    sa.Column("seed", sa.BigInteger, nullable=False),
    sa.Column("status", sa.Text, nullable=False, index=True),
    sa.Column("result", sa.JSON(none_as_null=True)),
    sa.Column("next", sa.Text),
    sa.Column("opened", sa.Text, nullable=False),
    sa.Column("finished", sa.Text),
)  # fmt: skip

moves = sa.Table(
    "moves", schema,
    sa.Column("table", sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("by", sa.Integer, nullable=False),
    sa.Column("codes", sa.LargeBinary, nullable=False),
    sa.Column("considered", sa.JSON(none_as_null=True)),
    sa.Column("note", sa.Text),
)  # fmt: skip

chat = sa.Table(
    "chat", schema,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("table", sa.ForeignKey("tables.id"), nullable=False, index=True),
    sa.Column("by", sa.Integer),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("words", sa.Text, nullable=False),
    sa.Column("said", sa.Text, nullable=False),
)  # fmt: skip


def pack(codes: np.ndarray) -> bytes:
    """The codes of a game as few bytes."""
    return zlib.compress(logged(codes).astype("<u2").tobytes(), 6)


def unpack(packed: bytes) -> np.ndarray:
    """The codes that were packed."""
    return np.frombuffer(zlib.decompress(packed), "<u2").astype(np.int64)


@dataclass(frozen=True)
class Run:
    """A tournament in the store."""

    id: int
    name: str
    plan: Plan
    #: The version of the game's rules.
    rules: int
    command: str
    started: str
    finished: str | None
    #: Games played, and games in all.
    played: int
    games: int
    #: What it was begun on; None: nobody noted it.
    machine: str | None = None

    @functools.cached_property
    def matches(self) -> list[Match]:
        """What is to be played."""
        return self.plan.matches()

    @property
    def in_order(self) -> list[str]:
        """The agents whose games run in the order of the plan, as they remember by seat."""
        found = set().union(*(match.learners for match in self.matches))
        return sorted(found) if self.plan.memory == "seat" else []


class Store:
    """Opens a database and brings its schema up to date."""

    def __init__(self, where: str | Path | None = None, create: bool = True) -> None:
        self.url = address(str(where or DEFAULT))
        file = self.url.database if self.url.get_backend_name() == "sqlite" else None
        if not create and file and not Path(file).exists():
            raise KostkaError(f"there is no store {file}; kostka tournament makes one")
        if file and not Path(file).parent.is_dir():
            raise KostkaError(f"the store {file}: there is no folder {Path(file).parent}")
        options: dict[str, Any] = {}
        if self.url.get_backend_name() == "postgresql":
            options = {"connect_args": {"connect_timeout": PATIENCE}}
        try:
            self.engine = sa.create_engine(self.url, **options)
        except ImportError:
            raise KostkaError("PostgreSQL needs a driver; pip install 'kostka[postgres]'") from None
        if self.url.get_backend_name() == "sqlite":
            sa.event.listen(self.engine, "connect", on_connect)
            sa.event.listen(self.engine, "begin", on_begin)
        with self.trouble():
            self.migrate()

    def __str__(self) -> str:
        if self.url.get_backend_name() == "sqlite":
            return str(self.url.database)
        return self.url.difference_update_query(["password"]).render_as_string(hide_password=True)

    def close(self) -> None:
        self.engine.dispose()

    @contextlib.contextmanager
    def trouble(self) -> Iterator[None]:
        """Whatever the database complains about is said in one sentence, without a password."""
        try:
            yield
        except sa.exc.StatementError as error:
            why = " ".join(str(error.orig).split()).removesuffix(".")
            raise KostkaError(f"the store {self}: {self.hide(why)}") from None

    def hide(self, text: str) -> str:
        """A text without the password, and without what databases refuse in texts."""
        for secret in (self.url.password, self.url.query.get("password")):
            if secret:
                text = text.replace(str(secret), "***").replace(quote_plus(str(secret)), "***")
        return plain(text)

    @contextlib.contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """A transaction that changes something."""
        writing = self.engine.execution_options(write=True)
        with self.trouble(), writing.begin() as connection:
            yield connection

    @contextlib.contextmanager
    def read(self) -> Iterator[sa.Connection]:
        with self.trouble(), self.engine.connect() as connection:
            yield connection

    def migrate(self) -> None:
        """Bring the schema up to date; only one process does."""
        from alembic import command
        from alembic.config import Config
        from alembic.migration import MigrationContext
        from alembic.script import ScriptDirectory
        from alembic.util import CommandError

        config = Config()
        config.set_main_option("script_location", "kostka.arena:migrations")
        head = ScriptDirectory.from_config(config).get_current_head()
        with self.engine.connect() as connection:
            if MigrationContext.configure(connection).get_current_revision() == head:
                return
        with self.write() as connection:
            self.lock(connection)
            config.attributes["connection"] = connection
            try:
                command.upgrade(config, "head")
            except CommandError:
                raise KostkaError(f"the store {self} was made by a newer Kostka") from None

    def lock(self, connection: sa.Connection) -> None:
        """Keep other writers out until the transaction ends; SQLite has only one anyway."""
        if self.engine.dialect.name == "postgresql":
            connection.execute(sa.text("select pg_advisory_xact_lock(7082106)"))

    # --- what goes in ---

    def begin(self, plan: Plan, command: str) -> Run:
        """A new run of a plan."""
        game = find_game(plan.game)
        all_matches = plan.matches()
        with self.write() as connection:
            self.lock(connection)
            taken = set(connection.scalars(sa.select(runs.c.name)))
            first = plain(plan.name) or f"{plan.game}-{plan.seed}"
            more = (f"{first}-{i}" for i in itertools.count(2))
            name = next(n for n in itertools.chain([first], more) if n not in taken)
            run = connection.execute(
                sa.insert(runs).values(
                    name=name,
                    game=game.name,
                    rules=game.version,
                    engine=own_version(),
                    seed=plan.seed,
                    plan=plan.json(),
                    command=self.hide(command),
                    started=now(),
                    machine=machine(),
                )
            ).inserted_primary_key[0]  # type: ignore[index]
            rows = [
                {
                    "run": run,
                    "number": number,
                    "players": match.players,
                    "games": match.games,
                    "agents": list(match.specs),
                    "seatings": match.seatings,
                    "options": dict(match.options),
                }
                for number, match in enumerate(all_matches)
            ]
            connection.execute(sa.insert(matches), rows)
            self._add_agents(connection, all_matches)
        return self.run(run)

    def _add_agents(self, connection: sa.Connection, all_matches: Iterable[Match]) -> None:
        rows = {}
        for match in all_matches:
            for spec in match.specs:
                kind, parameters = parse(spec)
                rows[spec] = {
                    "game": match.game,
                    "spec": spec,
                    "kind": kind,
                    "parameters": parameters,
                    "learns": spec in match.learners,
                }
        connection.execute(self._insert(agents), list(rows.values()))

    def _insert(self, table: sa.Table) -> Any:
        """An insertion that leaves alone what is there already."""
        if self.engine.dialect.name == "postgresql":
            return postgresql.insert(table).on_conflict_do_nothing()
        return sqlite.insert(table).on_conflict_do_nothing()

    def add(self, run: Run, number: int, match: Match, played: Mapping[int, Played]) -> None:
        """Games of a match, by number; all of them are safe when this returns."""
        where, who = self._keys(run.id, match.game)
        game_rows, seat_rows = [], []
        for index, one in played.items():
            game_rows.append(
                {
                    "match": where[number],
                    "number": index,
                    "block": match.block(index),
                    "seed": match.game_seed(index),
                    "decisions": one.decisions,
                    "seconds": one.seconds,
                    "memory": one.memory,
                    "turns": one.turns,
                    "moves": pack(one.codes) if run.plan.moves else None,
                }
            )
            for *_, seat, spec, gain, score, place, _, _, _, thought, _ in rows(
                number, match, index, one
            ):
                learnt, fault = one.learnt.get(seat), one.faults.get(seat)
                seat_rows.append(
                    {
                        "match": where[number],
                        "number": index,
                        "seat": seat,
                        "agent": who[spec],
                        "gain": gain,
                        "score": score,
                        "place": place,
                        "thought": thought,
                        "fault": None if fault is None else plain(fault),
                        "learnt": None if learnt is None else zlib.compress(learnt),
                    }
                )
        with self.write() as connection:
            connection.execute(self._insert(games), game_rows)
            connection.execute(self._insert(seats), seat_rows)

    @functools.lru_cache(maxsize=8)  # noqa: B019 — a store lives as long as its process
    def _keys(self, run: int, game: str) -> tuple[dict[int, int], dict[str, int]]:
        """The keys of a run's matches by number, and of a game's agents by spec."""
        with self.read() as connection:
            chosen = sa.select(matches.c.number, matches.c.id).where(matches.c.run == run)
            where = {number: key for number, key in connection.execute(chosen)}
            chosen = sa.select(agents.c.spec, agents.c.id).where(agents.c.game == game)
            return where, {spec: key for spec, key in connection.execute(chosen)}

    def finish(self, run: Run) -> None:
        """Note that all games of a run are there."""
        with self.write() as connection:
            connection.execute(sa.update(runs).where(runs.c.id == run.id).values(finished=now()))

    # --- what comes out ---

    def runs(self) -> list[Run]:
        """All runs, the newest last."""
        played = (
            sa.select(matches.c.run, sa.func.count().label("played"))
            .join(games, games.c.match == matches.c.id)
            .group_by(matches.c.run)
            .subquery()
        )
        planned = (
            sa.select(matches.c.run, sa.func.sum(matches.c.games).label("games"))
            .group_by(matches.c.run)
            .subquery()
        )
        chosen = (
            sa.select(runs, sa.func.coalesce(played.c.played, 0), planned.c.games)
            .join(planned, planned.c.run == runs.c.id)
            .outerjoin(played, played.c.run == runs.c.id)
            .order_by(runs.c.id)
        )
        with self.read() as connection:
            return [
                Run(
                    r.id, r.name, Plan.from_json(r.plan), r.rules, r.command, r.started, r.finished,
                    int(r[-2]), int(r[-1]), r.machine,
                )
                for r in connection.execute(chosen)
            ]  # fmt: skip

    def run(self, which: int | str) -> Run:
        """A run by its number or name."""
        found = self.runs()
        for run in found:
            if run.name == which:
                return run
        for run in found:
            if str(run.id) == str(which):
                return run
        if not found:
            raise KostkaError(f"the store {self} holds no run yet; kostka tournament makes one")
        raise unknown("run", str(which), [run.name for run in found])

    def done(self, run: Run) -> list[set[int]]:
        """The numbers of the games that are there, by match."""
        chosen = (
            sa.select(matches.c.number, games.c.number)
            .join(games, games.c.match == matches.c.id)
            .where(matches.c.run == run.id)
        )
        found: list[set[int]] = [set() for _ in run.matches]
        with self.read() as connection:
            for match, number in connection.execute(chosen):
                found[match].add(number)
        return found

    def learnt(self, run: Run) -> dict[Hashable, bytes]:
        """What agents have learnt by now, by who remembers it: the newest of each memory."""
        where, _ = self._keys(run.id, run.plan.game)
        found: dict[Hashable, bytes] = {}
        with self.read() as connection:
            for of, match in enumerate(run.matches):
                if not match.learners:
                    continue
                here = seats.c.match == where[of]
                newest = sa.select(sa.func.max(seats.c.number)).where(here)
                newest = newest.group_by(seats.c.number % len(match.seatings))
                chosen = sa.select(seats.c.number, seats.c.seat, seats.c.learnt).where(
                    here, seats.c.number.in_(newest), seats.c.learnt.is_not(None)
                )
                for row in connection.execute(chosen.order_by(seats.c.number)):
                    seating = row.number % len(match.seatings)
                    whose = remembers(run.plan.memory, of, match, seating, row.seat)
                    found[whose] = zlib.decompress(row.learnt)  # later games, and line-ups, last
        return found

    def results(self, run: Run) -> Results:
        """All games of a run, in order."""
        chosen = (
            sa.select(
                matches.c.number, games.c.number, games.c.block, matches.c.players, seats.c.seat,
                agents.c.spec, seats.c.gain, seats.c.score, seats.c.place, games.c.decisions,
                games.c.seconds, games.c.memory, seats.c.thought, games.c.turns,
                agents.c.learns,
            )
            .select_from(matches)
            .join(games, games.c.match == matches.c.id)
            .join(seats, sa.and_(seats.c.match == games.c.match, seats.c.number == games.c.number))
            .join(agents, agents.c.id == seats.c.agent)
            .where(matches.c.run == run.id)
            .order_by(matches.c.number, games.c.number, seats.c.seat)
        )  # fmt: skip
        with self.read() as connection:
            options = connection.scalars(
                sa.select(matches.c.options)
                .where(matches.c.run == run.id)
                .order_by(matches.c.number)
            ).all()
            found: list[Row] = []
            learners = set()
            for *row, learns in connection.execute(chosen):
                found.append(Row(*row))
                if learns:
                    learners.add(row[5])
        if not found:
            raise KostkaError(f"no game of {run.name} has been played yet")
        return columns(found, learners, find_game(run.plan.game), options)

    def moves(self, run: Run) -> Iterator[tuple[int, int, int, np.ndarray]]:
        """Match, number, seed and codes of every game whose moves were kept, in order."""
        chosen = (
            sa.select(matches.c.number.label("of"), games.c.number, games.c.seed, games.c.moves)
            .join(games, games.c.match == matches.c.id)
            .where(matches.c.run == run.id, games.c.moves.is_not(None))
            .order_by(matches.c.number, games.c.number)
        )
        with self.read() as connection:
            for row in connection.execution_options(yield_per=500).execute(chosen):
                yield row.of, row.number, row.seed, unpack(row.moves)

    def faults(self, run: Run) -> list[dict[str, Any]]:
        """Who broke the rules, crashed or was late, how, and how often."""
        chosen = (
            sa.select(agents.c.spec, seats.c.fault, sa.func.count().label("games"))
            .join(seats, seats.c.agent == agents.c.id)
            .join(matches, matches.c.id == seats.c.match)
            .where(matches.c.run == run.id, seats.c.fault.is_not(None))
            .group_by(agents.c.spec, seats.c.fault)
            .order_by(agents.c.spec, seats.c.fault)
        )
        with self.read() as connection:
            return [
                {"agent": r.spec, "fault": r.fault, "games": r.games}
                for r in connection.execute(chosen)
            ]


def address(where: str) -> sa.URL:
    """The URL of a database, or of the SQLite file of this name."""
    if "://" not in where:
        return sa.URL.create("sqlite", database=where)
    try:
        url = sa.make_url(where)
    except (sa.exc.ArgumentError, ValueError):
        raise KostkaError(
            "the store is a file or a URL such as postgresql://user@host/name"
        ) from None
    drivers = {
        "postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg", "sqlite": "sqlite"
    }  # fmt: skip
    if url.get_backend_name() not in drivers:
        raise KostkaError(f"the store is SQLite or PostgreSQL, not {url.get_backend_name()}")
    return url.set(drivername=drivers[url.get_backend_name()])


def plain(text: str) -> str:
    """A text that every database takes."""
    return text.replace("\0", "").encode(errors="replace").decode()


def on_connect(connection: Any, _: Any) -> None:
    """SQLite: transactions are ours to begin; writers wait for each other; commits are on disk."""
    connection.isolation_level = None
    for pragma in ("busy_timeout=20000", "journal_mode=wal", "synchronous=full", "foreign_keys=on"):
        connection.execute(f"pragma {pragma}")


def on_begin(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("write")
    connection.exec_driver_sql("begin immediate" if writes else "begin")


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
