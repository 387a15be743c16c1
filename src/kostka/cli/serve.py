"""The table server: people and agents play in browsers and over the network."""

import contextlib
import logging
import os
import socket
from pathlib import Path
from typing import Annotated

import typer

from kostka.cli import app
from kostka.cli.shared import err
from kostka.core.errors import KostkaError

#: Where tables are kept if nobody says otherwise.
DATA = Path("~/.local/share/kostka")

BEHIND_TLS = """\
This server is open to the network, and speaks plain HTTP. Put it behind TLS, for example Caddy:
  caddy reverse-proxy --from your.name.example --to {host}:{port}
and start it with --host 127.0.0.1 --public --origin https://your.name.example"""


@app.command(epilog="Example: kostka serve --port 8000")
def serve(
    host: Annotated[str, typer.Option(help="address to listen on")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="port to listen on", min=0, max=65535)] = 8000,
    data: Annotated[
        str | None,
        typer.Option(metavar="WHERE", help="folder, or postgresql:// URL, where tables are kept",
                     envvar="KOSTKA_DATA"),
    ] = None,
    public: Annotated[
        bool, typer.Option("--public", help="strangers may come: needed for any other --host")
    ] = False,
    origin: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="address of a proxy before the server; repeatable"),
    ] = None,
    tables: Annotated[
        int | None, typer.Option(help="tables that one client address may have", min=1)
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="processes in which agents think", min=1, max=256)
    ] = None,
    tiles: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="tile set to offer by its name; repeatable"),
    ] = None,
    maps: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="FILE", help="map to offer by its name; repeatable"),
    ] = None,
    theme: Annotated[
        Path | None, typer.Option(help="folder with artwork of your own: see kostka theme")
    ] = None,
) -> None:  # fmt: skip
    """Start a server on which people and agents play."""
    from dataclasses import replace

    if theme is not None:
        from kostka.core import theme as themes

        themes.check(theme)
        os.environ["KOSTKA_THEME"] = str(theme)

    from kostka.table.guard import LOCAL, LOOPBACK, Limits

    if host not in LOOPBACK and not public:
        raise KostkaError(
            f"--host {host} opens the server to the network; say --public if you want that"
        )
    import uvicorn

    from kostka.table.guard import MESSAGE_SIZE
    from kostka.table.offers import Offers
    from kostka.table.server import create_app
    from kostka.table.store import TableStore
    from kostka.table.think import Thinker

    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    logging.getLogger("kostka.table").setLevel(logging.INFO)
    offers = Offers()
    offers.add("tiles", tiles or ())
    offers.add("map", maps or ())
    limits = Limits() if public else LOCAL
    if tables is not None:
        limits = replace(limits, tables=tables)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        raise KostkaError(
            f"the server cannot listen on {host} port {port}: {error.strerror}; try another --port"
        ) from None
    keep = TableStore(data or DATA.expanduser())
    keep.claim()
    made = create_app(
        keep,
        thinker=Thinker(workers),
        limits=limits,
        hosts=None if public else {*LOOPBACK, host},
        origins=origin or (),
        offers=offers,
    )
    config = uvicorn.Config(
        made,
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws_max_size=MESSAGE_SIZE,
        timeout_graceful_shutdown=3,
    )
    number = listening.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    err.print(f"Kostka plays at http://{shown}:{number}/  (Ctrl-C ends it)", markup=False)
    err.print("The games are compiled in the background; the first time takes a while.")
    if public and host not in LOOPBACK:
        err.print(BEHIND_TLS.format(host=host, port=number), markup=False)
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])
