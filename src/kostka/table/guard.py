"""The door: who may come in, how often, with how much, and what every answer must carry."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kostka.core.errors import KostkaError
from kostka.core.game import MOST_CONTENT

#: Bytes of a body: of a record, of a table with files in its options, and of anything else.
RECORD_SIZE, TABLE_SIZE, BODY_SIZE = 1_000_000, 4 * MOST_CONTENT, 64_000
LARGE = {"/api/records": RECORD_SIZE, "/api/tables": TABLE_SIZE}
#: Bytes of a WebSocket message.
MESSAGE_SIZE = 16_000
#: Seconds in which a new connection has to say hello.
HELLO = 10.0

LOOPBACK = ("127.0.0.1", "localhost", "::1")

POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
}


class TooMany(KostkaError):
    """Somebody asks for more than one may have."""


@dataclass(frozen=True)
class Limits:
    """What one client address may have at a time; the defaults are for an open server."""

    #: Tables that wait or play, and in all.
    tables: int = 20
    all_tables: int = 5000
    connections: int = 60
    #: Requests a second, and how many may come at once.
    requests: float = 20.0
    burst: float = 100.0
    #: Messages a second that are read from one WebSocket; what comes faster waits.
    messages: float = 20.0
    #: Records that may be uploaded a minute.
    records: float = 10.0


#: On one's own machine nobody else comes in.
LOCAL = Limits(
    tables=2000,
    connections=5000,
    requests=2000.0,
    burst=4000.0,
    messages=1000.0,
    records=1000.0,
)


class Bucket:
    """Lets so many through in a second, and a burst at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst, self.level = rate, burst, burst
        self.when = time.monotonic()

    def take(self) -> bool:
        now = time.monotonic()
        self.level = min(self.burst, self.level + (now - self.when) * self.rate)
        self.when = now
        if self.level < 1:
            return False
        self.level -= 1
        return True

    async def wait(self) -> None:
        """Take one as soon as there is one."""
        while not self.take():
            await asyncio.sleep((1 - self.level) / self.rate)

    @property
    def full(self) -> bool:
        return self.level + (time.monotonic() - self.when) * self.rate >= self.burst


class Guard:
    """Stands before the application: hosts, origins, sizes, rates and headers."""

    def __init__(
        self,
        app: ASGIApp,
        limits: Limits = LOCAL,
        hosts: Collection[str] | None = None,
        origins: Collection[str] = (),
    ) -> None:
        self.app, self.limits = app, limits
        self.hosts, self.origins = hosts, set(origins)
        self.buckets: dict[str, Bucket] = {}
        self.connected: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self.http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self.websocket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def http(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        try:
            headers = Headers(scope=scope)
            self.check(headers, safe=scope["method"] in ("GET", "HEAD"))
            still = scope["path"].startswith("/static/")
            if not still and not self.bucket(address(scope)).take():
                raise Refusal(429, "too many requests; wait a moment")
            body = await read(receive, headers, LARGE.get(scope["path"], BODY_SIZE))
        except Refusal as refusal:
            await answer(dressed, refusal.status, str(refusal))
            return
        await self.app(scope, body, dressed)

    async def websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        who = address(scope)
        try:
            self.check(Headers(scope=scope), safe=False)
            if self.connected[who] >= self.limits.connections:
                raise Refusal(429, "too many connections")
            if not self.bucket(who).take():
                raise Refusal(429, "too many requests; wait a moment")
        except Refusal as refusal:
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": str(refusal)})
            return
        self.connected[who] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.connected[who] -= 1
            if not self.connected[who]:
                del self.connected[who]

    def check(self, headers: Headers, safe: bool) -> None:
        """Only for our own name, and nothing that another site's page makes a browser send."""
        host = headers.get("host", "")
        if self.hosts is not None and name_of(f"//{host}") not in self.hosts:
            raise Refusal(421, "this server goes by another name")
        origin = headers.get("origin")
        if safe or origin is None or origin in self.origins:
            return
        if urlsplit(origin).netloc.lower() != host.lower():
            raise Refusal(403, "requests from pages of another site are not taken")

    def bucket(self, who: str) -> Bucket:
        if len(self.buckets) > 10_000:
            self.buckets = {a: b for a, b in self.buckets.items() if not b.full}
        limits = self.limits
        return self.buckets.setdefault(who, Bucket(limits.requests, limits.burst))


class Refusal(Exception):
    """Why somebody is not let in."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


def address(scope: Scope) -> str:
    """Where a client comes from."""
    client = scope.get("client")
    return client[0] if client else "unknown"


def name_of(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


async def read(receive: Receive, headers: Headers, size: int) -> Receive:
    """The whole body, if it is not too large; what gives it out again."""
    too_large = Refusal(413, f"more than {size} bytes are not taken")
    if headers.get("content-length", "0").isdigit():
        if int(headers.get("content-length", "0")) > size:
            raise too_large
    else:
        raise Refusal(400, "content-length is not a number")
    parts, count, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            break
        parts.append(message.get("body", b""))
        count += len(parts[-1])
        if count > size:
            raise too_large
        more = message.get("more_body", False)
    whole: list[Message] = [{"type": "http.request", "body": b"".join(parts), "more_body": False}]

    async def again() -> Message:
        return whole.pop() if whole else await receive()

    return again


async def answer(send: Send, status: int, why: str) -> None:
    body = json.dumps({"error": why}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
