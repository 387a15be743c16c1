"""The server: HTTP for the lobby and records, one WebSocket for each seat or spectator."""

import asyncio
import contextlib
import html
import logging
from collections.abc import AsyncIterator, Collection
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import Depends, FastAPI, Header, Query, Request, Response, WebSocket
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.websockets import WebSocketDisconnect

from kostka.core.errors import KostkaError
from kostka.core.game import game as find_game
from kostka.core.game import games as all_games
from kostka.table import messages as m
from kostka.table.guard import (
    HELLO,
    LOCAL,
    MESSAGE_SIZE,
    Bucket,
    Guard,
    Limits,
    TooMany,
    address,
)
from kostka.table.lab import add_lab
from kostka.table.ladder import ladder
from kostka.table.live import Client, Live
from kostka.table.lobby import PACE, Lobby, game_info
from kostka.table.offers import Offers
from kostka.table.room import Missing, NotAllowed, Room
from kostka.table.store import TableStore
from kostka.table.think import Thinker

log = logging.getLogger("kostka.table")

HERE = Path(__file__).parent
#: A drawing is only looked at.
DRAWING = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"}
WRONG = {"model": m.Error, "description": "what was wrong; nothing has changed"}

TableId = Annotated[str, InPath(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
GameId = Annotated[str, InPath(pattern=r"^[A-Za-z0-9_.-]{1,60}$")]
Viewer = Annotated[
    int | Literal["all"] | None,
    Query(alias="as", description="a seat, or all once the game is over; by default everybody"),
]


def bearer(authorization: Annotated[str | None, Header()] = None) -> str | None:
    """The token of ``Authorization: Bearer …``."""
    kind, _, token = (authorization or "").partition(" ")
    return token.strip() if kind.lower() == "bearer" and len(token) <= 200 else None


Token = Annotated[str | None, Depends(bearer)]


def create_app(
    keep: TableStore,
    *,
    thinker: Thinker | None = None,
    limits: Limits = LOCAL,
    hosts: Collection[str] | None = None,
    origins: Collection[str] = (),
    pace: float = PACE,
    offers: Offers | None = None,
) -> FastAPI:
    """The application of one server. ``hosts``: the names it goes by, if it is to check them."""
    lobby = Lobby(keep, thinker, limits, pace, offers)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await lobby.open()
        yield
        lab.close()
        await lobby.close()

    app = FastAPI(
        title="Kostka",
        description="Tables where people and agents play. See docs/protocol.md.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses={code: WRONG for code in (400, 403, 404, 409, 413, 421, 422, 429)},
    )
    app.state.lobby = lobby
    app.add_middleware(Guard, limits=limits, hosts=hosts, origins=origins)
    add_errors(app)
    add_lobby(app, lobby)
    add_records(app, lobby)
    add_socket(app, lobby)
    lab = add_lab(app, keep.store, lobby.offers)
    add_pages(app)
    return app


# --- errors ---

STATUS: dict[type[KostkaError], int] = {Missing: 404, NotAllowed: 403, TooMany: 429}


def add_errors(app: FastAPI) -> None:
    """Every error is one sentence; none tells anything about the server."""

    @app.exception_handler(KostkaError)
    async def mistake(request: Request, error: KostkaError) -> Response:
        return refusal(STATUS.get(type(error), 400), str(error))

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        return refusal(422, in_words(error.errors()))

    @app.exception_handler(HTTPException)
    async def other(request: Request, error: HTTPException) -> Response:
        return refusal(error.status_code, str(error.detail), error.headers)

    @app.exception_handler(Exception)
    async def fault(request: Request, error: Exception) -> Response:
        return refusal(500, "something went wrong here; it is not your fault")


def refusal(status: int, why: str, headers: Any = None) -> Response:
    plain = why.encode(errors="replace").decode()
    return JSONResponse({"error": plain}, status, headers=headers)


def in_words(errors: Any) -> str:
    """What is wrong with a message, in one sentence."""
    first = errors[0]
    where = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    said = str(first["msg"]).removeprefix("Value error, ")
    return f"{where}: {said}"[:300] if where else said[:300]


# --- the lobby ---


def add_lobby(app: FastAPI, lobby: Lobby) -> None:
    """Games, tables, sitting down and once more."""

    @app.get("/api/games")
    async def games() -> list[m.GameInfo]:
        """The games, their options, and whom one can play against."""
        found = []
        for name, game in all_games().items():
            ready = lobby.ready(name)
            hidden = ready and (await lobby.prepared(game)).hidden
            info = await asyncio.to_thread(game_info, game, ready, hidden, lobby.offers)
            found.append(m.GameInfo(**info))
        return found

    @app.get("/api/games/{name}/picture.svg", response_class=Response)
    async def picture(name: GameId) -> Response:
        """A position from the middle of a game."""
        game = find_game(name)
        return drawing((await lobby.prepared(game)).svg)

    @app.get("/api/tables")
    async def tables() -> list[m.TableInfo]:
        """Public tables that wait or play."""
        return [m.TableInfo(**one) for one in await lobby.listed()]

    @app.post("/api/tables", status_code=201)
    async def new_table(wish: m.NewTable, request: Request) -> m.Seated:
        """Open a table."""
        return await lobby.new(wish, address(request.scope))

    @app.get("/api/tables/{table}")
    async def one_table(table: TableId) -> m.TableInfo:
        """A table: who sits where, and whether it waits, plays or is over."""
        return m.TableInfo(**await lobby.table(table))

    @app.post("/api/tables/{table}/join")
    async def join(table: TableId, wish: m.Join) -> m.Seated:
        """Sit down on an open seat."""
        return await lobby.join(table, wish)

    @app.post("/api/tables/{table}/rematch")
    async def rematch(table: TableId, token: Token, request: Request) -> m.Seated:
        """The same table again, everybody one seat further."""
        return await lobby.rematch(table, token, address(request.scope))

    @app.get("/api/results")
    async def results() -> list[m.Results]:
        """How people have done against agents here."""
        return [m.Results(**one) for one in await asyncio.to_thread(lobby.keep.results)]

    @app.get("/api/ladder")
    async def rungs() -> list[m.Rung]:
        """How people with a name, and the agents they met, have done here."""
        return [m.Rung(**one) for one in await asyncio.to_thread(ladder, lobby.keep.store)]

    @app.get("/api/schema")
    async def schema() -> dict[str, Any]:
        """The JSON Schema of all WebSocket messages."""
        return m.schema()


# --- records ---


def add_records(app: FastAPI, lobby: Lobby) -> None:
    """Records in and out, drawings, and the analysis."""
    writing = asyncio.Semaphore(1)  # records can wait, players cannot

    async def settled(table: str) -> Room:
        live = await lobby.live(table)
        async with live.lock:
            return await live.fresh()

    @app.get("/api/tables/{table}/record", response_class=PlainTextResponse)
    async def record(
        table: TableId, token: Token, seat: Annotated[int | None, Query(ge=0, le=63)] = None
    ) -> Response:
        """The game record: whole once the game is over, until then what a seat has seen."""
        room = await settled(table)
        viewer = room.viewer(room.who(token), seat)
        if room.status == "over" and seat is None:
            viewer = None
        async with writing:
            found = await asyncio.to_thread(room.record, viewer)
        name = f'attachment; filename="{room.game.name}-{room.id}.jsonl"'
        headers = {"content-disposition": name}
        return Response(found.dumps(), media_type="application/jsonl", headers=headers)

    @app.get("/api/tables/{table}/analysis")
    async def analysis(table: TableId) -> m.Analysis:
        """After the game: expectations, luck, and what agents considered."""
        return m.Analysis(**await lobby.analysis(table))

    @app.get("/api/tables/{table}/position.svg", response_class=Response)
    async def position(
        table: TableId,
        token: Token,
        at: Annotated[int | None, Query(ge=0, le=2**31)] = None,
        whose: Viewer = None,
    ) -> Response:
        """The drawing of a position."""
        room = await settled(table)
        viewer = room.viewer(room.who(token), whose)
        view = room.view_at(room.at if at is None else at, viewer)
        return drawing(view.svg)

    @app.post(
        "/api/records",
        status_code=201,
        openapi_extra={
            "requestBody": {
                "content": {"text/plain": {"schema": {"type": "string"}}},
                "required": True,
            }
        },
    )
    async def upload(request: Request) -> m.Seated:
        """Upload a game record; the table replays it."""
        try:
            text = (await request.body()).decode()
        except UnicodeDecodeError:
            raise KostkaError("the file is no text") from None
        return await lobby.upload(text, address(request.scope))


def drawing(svg: str) -> Response:
    return Response(svg, media_type="image/svg+xml", headers=DRAWING)


# --- WebSocket ---


def add_socket(app: FastAPI, lobby: Lobby) -> None:
    """One connection for each seat or spectator."""

    @app.websocket("/api/tables/{table}/play")
    async def play(socket: WebSocket, table: TableId) -> None:
        await socket.accept()
        try:
            await attend(socket, lobby, table)
        except WebSocketDisconnect:
            pass
        except KostkaError as error:
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await socket.send_json({"type": "error", "error": str(error), "re": "hello"})
                await socket.close(1008)


async def attend(socket: WebSocket, lobby: Lobby, table: str) -> None:
    """Greet a client, then listen and tell until it goes or falls too far behind."""
    try:
        hello = parse(await asyncio.wait_for(receive(socket), HELLO))
    except TimeoutError:
        raise KostkaError("nobody said hello") from None
    if not isinstance(hello, m.Hello):
        raise KostkaError("say hello first")
    live = await lobby.live(table)
    client = Client(None, hello.board, hello.name)
    await live.enter(client, hello.token)
    jobs = [
        asyncio.create_task(job)
        for job in (
            listen(socket, live, client, lobby.limits.messages),
            speak(socket, client),
            client.lost.wait(),
        )
    ]
    try:
        await asyncio.wait(jobs, return_when=asyncio.FIRST_COMPLETED)
    finally:
        live.clients.discard(client)
        for job in jobs[1:]:
            job.cancel()
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await asyncio.wait_for(socket.close(1008 if client.lost.is_set() else 1000), 1)
        await asyncio.gather(*jobs, return_exceptions=True)
        await live.exit(client)


async def receive(socket: WebSocket) -> str:
    """The next text of a client."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1000)
    text = message.get("text")
    if text is None:
        raise KostkaError("messages are text")
    if len(text.encode(errors="replace")) > MESSAGE_SIZE:
        raise KostkaError(f"a message has at most {MESSAGE_SIZE} bytes")
    return text


def parse(text: str) -> Any:
    """A message of a client, checked."""
    try:
        return m.asked.validate_json(text)
    except ValidationError as error:
        raise KostkaError(in_words(error.errors(include_url=False, include_input=False))) from None


async def listen(socket: WebSocket, live: Live, client: Client, rate: float) -> None:
    """Do what a client asks, one thing after the other and not too fast."""
    bucket = Bucket(rate, 2 * rate)
    while True:
        text = await receive(socket)
        await bucket.wait()
        what = None
        try:
            message = parse(text)
            what = message.type
            await live.handle(client, message)
        except KostkaError as error:
            client.refuse(str(error), what)
        except Exception:
            log.exception("table %s: a message could not be handled", live.room.id)
            client.refuse("something went wrong here; nothing has changed", what)


async def speak(socket: WebSocket, client: Client) -> None:
    """Send what a client is told, in order."""
    while True:
        await socket.send_text(await client.outbox.get())


# --- pages ---

PLACEHOLDER = (
    "<!doctype html><title>Kostka</title><p>The pages are not installed; the protocol is at "
    '<a href="/docs">/docs</a>.'
)


def add_pages(app: FastAPI) -> None:
    """The pages for people, and what they need."""
    templates = Jinja2Templates(HERE / "pages")
    if (HERE / "static").is_dir():
        app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")

    def page(request: Request, name: str, **known: str) -> Response:
        if not (HERE / "pages" / name).exists():
            return HTMLResponse(PLACEHOLDER)
        return templates.TemplateResponse(request, name, known)

    @app.get("/", include_in_schema=False)
    async def home(request: Request) -> Response:
        return page(request, "home.html")

    @app.get("/table/{table}", include_in_schema=False)
    async def table(request: Request, table: TableId) -> Response:
        return page(request, "table.html", table=table, mode="play")

    @app.get("/replay/{table}", include_in_schema=False)
    async def replay(request: Request, table: TableId) -> Response:
        return page(request, "table.html", table=table, mode="replay")

    @app.get("/lab", include_in_schema=False)
    async def lab(request: Request) -> Response:
        return page(request, "lab.html")

    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return HTMLResponse(described(app.openapi()))


def described(openapi: dict[str, Any]) -> str:
    """The HTTP part of the protocol as a plain page."""
    rows = "".join(
        f"<dt><code>{method.upper()} {html.escape(path)}</code></dt>"
        f"<dd>{html.escape(what.get('description', ''))}</dd>"
        for path, methods in openapi["paths"].items()
        for method, what in methods.items()
    )
    return (
        "<!doctype html><meta charset=utf-8><title>Kostka: the protocol</title>"
        f"<h1>HTTP</h1><dl>{rows}</dl>"
        '<p><a href="/api/openapi.json">OpenAPI</a>; WebSocket messages: '
        '<a href="/api/schema">JSON Schema</a>; in words: docs/protocol.md.'
    )
