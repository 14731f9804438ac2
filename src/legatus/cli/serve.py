"""``legatus serve``: the page and the API."""

from __future__ import annotations

import gc
import os
import re
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from .common import BAD, Fault, LangOption, speak
from .words import Words

DEFAULT_DATABASE = "legatus.sqlite3"
MOST_PORTS = 20  # tried from the default one on, when it is taken


def serve(
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="host")] = "127.0.0.1",
    port: Annotated[int | None, typer.Option("--port", min=0, max=65535, help="port")] = None,
    database: Annotated[
        str, typer.Option("--database", metavar="FILE|URL", help="database")
    ] = DEFAULT_DATABASE,
    workers: Annotated[int, typer.Option("--workers", min=1, help="workers")] = 2,
    patience: Annotated[float, typer.Option("--patience", min=0.01, help="patience")] = 1.0,
    memory: Annotated[int, typer.Option("--memory", metavar="MB", min=0, help="memory")] = 2_000,
    requests: Annotated[int, typer.Option("--requests", min=0, help="requests")] = 1_200,
    openings: Annotated[int, typer.Option("--openings", min=0, help="openings")] = 60,
    sockets: Annotated[int, typer.Option("--sockets", min=0, help="sockets")] = 60,
    connections: Annotated[int, typer.Option("--connections", min=0, help="connections")] = 300,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="browser")] = True,
    log: Annotated[str, typer.Option("--log", metavar="LEVEL", help="log")] = "warning",
    lang: LangOption = None,
) -> int:
    """Serve the page and the API."""
    words = speak(lang)
    import uvicorn

    from ..server import Settings, create_app, page
    from ..server.connections import Config
    from ..server.watch import log_to_stderr
    from ..server.workers import Limits

    if log not in ("debug", "info", "warning", "error"):
        raise Fault(words("serve_log", level=log), BAD)
    settings = Settings(
        database=url_of(database),
        workers=workers,
        limits=Limits().times(patience),
        memory=memory,
        requests=requests,
        openings=openings,
        sockets=sockets,
        connections=connections,
    )
    if not page.is_built():
        raise Fault(words("serve_page"), BAD)
    log_to_stderr(log)
    with _listen(host, port, words) as listener, _open(settings.database, words):
        server = uvicorn.Server(Config(create_app(settings), settings))
        _greet(listener, settings.database, browser, words)
        _collect_rarely()
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # uvicorn raises it again when all is put away
        server.run(sockets=[listener])
    return 0


def _collect_rarely() -> None:
    """Matches in memory are many objects without cycles: players should not wait for a search of them all."""
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)


def url_of(database: str) -> str:
    """A file is SQLite; anything with a scheme is what SQLAlchemy calls a URL."""
    return database if "://" in database else f"sqlite:///{Path(database)}"


def _listen(host: str, port: int | None, words: Words) -> socket.socket:
    """The given port, or the first free one from 8000 on."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    ports = [port] if port is not None else range(8000, 8000 + MOST_PORTS)
    problem: Exception | None = None
    for number in ports:
        listener = socket.socket(family)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, number))
            listener.listen(2048)
        except (OSError, UnicodeError) as error:
            listener.close()
            problem = error
            continue
        listener.set_inheritable(True)
        return listener
    where = f"{host}:{port}" if port is not None else f"{host}:8000-{7999 + MOST_PORTS}"
    raise Fault(words("serve_port", where=where, problem=str(problem)), BAD)


@contextmanager
def _open(database: str, words: Words) -> Iterator[None]:
    """Have a database to serve; what is wrong with it is said before anything is served."""
    import sqlalchemy as sa
    from alembic.util import CommandError

    from ..server.lock import Served, held
    from ..server.store import Store

    with ExitStack() as stack:
        try:
            stack.enter_context(held(database))
            store = Store(database)
            store.open()
            store.close()
        except Served:
            raise Fault(words("serve_served", database=shown(database)), BAD) from None
        except (sa.exc.SQLAlchemyError, CommandError, ImportError, OSError, ValueError) as error:
            problem = str(getattr(error, "orig", None) or error).strip().split("\n")[0]
            raise Fault(words("serve_database", database=shown(database), problem=problem), BAD) from None
        yield


def shown(database: str) -> str:
    """A URL without its password."""
    import sqlalchemy as sa

    try:
        return sa.make_url(database).render_as_string(hide_password=True)
    except (sa.exc.SQLAlchemyError, ValueError):
        return re.sub(r"(://[^:/@]*):.*@", r"\1:***@", database)


def _greet(listener: socket.socket, database: str, browser: bool, words: Words) -> None:
    host, port = listener.getsockname()[:2]
    everywhere = host in ("0.0.0.0", "::")
    address = f"http://{'127.0.0.1' if everywhere else f'[{host}]' if ':' in host else host}:{port}/"
    print(words("serve_at", address=address), flush=True)
    if everywhere:
        print(words("serve_everywhere", address=f"http://{_own_address()}:{port}/"), flush=True)
    print(words("serve_kept", database=shown(database)), flush=True)
    print(words("serve_stop"), flush=True)
    if browser and _has_screen():
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _own_address() -> str:
    """How others on the home network call this machine; nothing is sent."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
    except OSError:
        return socket.gethostname()


def _has_screen() -> bool:
    return os.name == "nt" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
