"""The lab: small tournaments that visitors start, their live tables and their reports."""

import asyncio
import os
import shlex
import subprocess
import sys
import threading
from dataclasses import dataclass
from typing import Annotated

from fastapi import FastAPI
from fastapi import Path as InPath
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, Field

from kostka.arena import page, report
from kostka.arena.executor import executor
from kostka.arena.plan import Plan
from kostka.arena.statistics import standings
from kostka.arena.store import Run, Store
from kostka.arena.tournament import play
from kostka.core.errors import KostkaError
from kostka.core.game import fresh_seed
from kostka.core.game import game as find_game
from kostka.table.guard import TooMany
from kostka.table.offers import Offers
from kostka.table.think import asked

#: What a visitor may ask for: agents, games of a line-up, and games in all.
AGENTS, GAMES, ALL_GAMES = 8, 500, 6000
#: Seconds after which the first table of a run that just began is looked at again.
BEGINNING = 2.0

RunId = Annotated[str, InPath(min_length=1, max_length=200)]
Spec = Annotated[str, Field(min_length=1, max_length=200)]


class Wish(BaseModel):
    """A tournament to be played."""

    game: Annotated[str, Field(max_length=60)]
    agents: Annotated[list[Spec], Field(min_length=2, max_length=AGENTS)]
    games: Annotated[int, Field(ge=1, le=GAMES)] = 100
    players: Annotated[int, Field(ge=2, le=8)] = 2
    options: Annotated[dict[str, int | float | bool | str], Field(max_length=20)] = {}


class Begun(BaseModel):
    """The name of a run."""

    run: str


class RunRow(BaseModel):
    """How an agent has done so far."""

    agent: str
    games: int
    share: float | None
    low: float | None
    high: float | None


class RunInfo(BaseModel):
    """A run, and how far it is."""

    run: str
    game: str
    title: str
    agents: list[str]
    status: str
    played: int
    games: int
    #: When it began.
    started: str
    #: What everybody would get among equals; null where tables differ in size.
    fair: float | None = None
    left: float | None = None
    error: str | None = None
    rows: list[RunRow] = []
    report: str | None = None


@dataclass
class Playing:
    """A run under way: its process, and when it began."""

    process: subprocess.Popen[bytes]
    since: float


class Lab:
    """Plays one tournament at a time, in a process of its own."""

    def __init__(self, store: Store, offers: Offers) -> None:
        self.store, self.offers = store, offers
        self.playing: dict[str, Playing] = {}
        self.pages: dict[str, str] = {}

    def begin(self, wish: Wish, now: float) -> Run:
        """Check a wish and let it be played."""
        if any(one.process.poll() is None for one in self.playing.values()):
            raise TooMany("a tournament is being played here already; wait until it is over")
        game = find_game(wish.game)
        specs = tuple(dict.fromkeys(asked(game, spec) for spec in wish.agents))
        options = game.check(self.offers.filled(game, wish.options))
        options.pop("players")
        plan = Plan(
            game.name, specs, wish.games, fresh_seed(), tables=(wish.players,), options=options
        )
        count = sum(match.games for match in plan.matches())
        if count > ALL_GAMES:
            raise KostkaError(f"that would be {count} games; here at most {ALL_GAMES} are played")
        given = [f"--option={key}={value}" for key, value in wish.options.items()]
        words = [
            "kostka", "tournament", game.name, *specs, "--games", str(wish.games),
            "--players", str(wish.players), "--seed", str(plan.seed), *given,
        ]  # fmt: skip
        run = self.store.begin(plan, shlex.join(words))
        process = subprocess.Popen(
            [sys.executable, "-m", "kostka.table.lab", str(run.id)],
            env={**os.environ, "KOSTKA_STORE": self.store.url.render_as_string(False)},
            stdin=subprocess.PIPE,  # it ends when the other end of this pipe is gone
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.playing[run.name] = Playing(process, now)
        return run

    def info(self, run: Run, now: float, rows: bool) -> RunInfo:
        """A run for the page."""
        under_way = self.playing.get(run.name)
        alive = under_way is not None and under_way.process.poll() is None
        done = run.played == run.games
        left = None
        if under_way is not None and alive and run.played and now - under_way.since > BEGINNING:
            left = (now - under_way.since) / run.played * (run.games - run.played)
        sizes = {len(line_up) for line_up in run.plan.line_ups()}
        found = standings(self.store.results(run)) if rows and run.played else []
        return RunInfo(
            run=run.name,
            game=run.plan.game,
            title=find_game(run.plan.game).title,
            agents=sorted({spec for line_up in run.plan.line_ups() for spec in line_up}),
            status="done" if done else "playing" if alive else "failed",
            played=run.played,
            games=run.games,
            started=run.started,
            fair=1 / sizes.pop() if len(sizes) == 1 else None,
            left=left,
            error=None if done or alive else "It was stopped; kostka tournament goes on with it.",
            rows=[RunRow(**{k: row[k] for k in RunRow.model_fields}) for row in found],
            report=f"/api/lab/{run.id}/report" if done else None,
        )

    def page(self, run: Run) -> str:
        """The report of a run that is over."""
        if run.played < run.games:
            raise KostkaError("the tournament is not over; its report comes then")
        if run.name not in self.pages:
            found = report.gather(self.store, run)
            # where the server keeps its games is nobody's business
            found["run"]["again"] = shlex.join(["kostka", "report", run.name, "--store", "STORE"])
            self.pages[run.name] = page.html(found)
        return self.pages[run.name]

    def close(self) -> None:
        """Stop what is under way; a tournament can always go on."""
        for one in self.playing.values():
            one.process.kill()
            one.process.wait()


def add_lab(app: FastAPI, store: Store, offers: Offers) -> Lab:
    """The lab's part of the server."""
    lab = Lab(store, offers)
    writing = asyncio.Semaphore(1)

    def now() -> float:
        return asyncio.get_running_loop().time()

    @app.get("/api/lab")
    async def runs() -> list[RunInfo]:
        """All runs of this server, the newest first."""
        found = await asyncio.to_thread(store.runs)
        return [lab.info(run, now(), rows=False) for run in reversed(found[-100:])]

    @app.post("/api/lab", status_code=201)
    async def begin(wish: Wish) -> Begun:
        """Start a small tournament."""
        async with writing:
            return Begun(run=(await asyncio.to_thread(lab.begin, wish, now())).name)

    @app.get("/api/lab/{run}")
    async def one(run: RunId) -> RunInfo:
        """A run with its table so far."""
        when = now()
        return await asyncio.to_thread(lambda: lab.info(store.run(run), when, rows=True))

    @app.get("/api/lab/{run}/report", response_class=HTMLResponse)
    async def made(run: RunId) -> HTMLResponse:
        """The report of a run that is over."""
        async with writing:
            return HTMLResponse(await asyncio.to_thread(lambda: lab.page(store.run(run))))

    return lab


def main() -> None:
    """Play a run, in a process of its own, for as long as the server lives."""
    os.nice(10)  # who plays at a table comes first
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(1)), daemon=True).start()
    store = Store(os.environ["KOSTKA_STORE"])
    run = store.run(sys.argv[1])
    with executor("auto", 1, run.matches) as workers:
        for _ in play(store, run, workers):
            pass


if __name__ == "__main__":
    main()
