"""The application: routes, limits, headers, errors, start and stop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from time import perf_counter
from typing import Any

import msgspec
from litestar import Litestar, Request, Response, get
from litestar.channels import ChannelsPlugin
from litestar.channels.backends.base import ChannelsBackend
from litestar.channels.backends.memory import MemoryChannelsBackend
from litestar.channels.backends.psycopg import PsycoPgChannelsBackend
from litestar.config.compression import CompressionConfig
from litestar.datastructures import MutableScopeHeaders, State
from litestar.di import Provide
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from ..kernel import Complaint, IllegalAction
from ..kernel import Message as Said
from ..kernel.chance import WrongLuck
from ..kernel.codec import BadAction
from ..kernel.files import BadFile
from ..kernel.words import LANGS, quoted
from . import api, page
from .desk import Desk
from .faults import Fault
from .frames import sentence
from .settings import Settings
from .socket import live
from .store import StoreDown
from .watch import Metrics
from .wire import Failure, Reason

log = logging.getLogger("legatus.server")

CHANNEL = "legatus"
SWEEP_SECONDS = 5.0  # a note from another process may be lost; then this finds what it said
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def create_app(settings: Settings | None = None) -> Litestar:
    """The server as an ASGI application."""
    settings = settings or Settings()
    desk = Desk(settings)
    metrics = Metrics(desk)
    channels = ChannelsPlugin(_backend(desk), channels=[CHANNEL])

    async def provide_desk() -> Desk:
        return desk

    @asynccontextmanager
    async def life(_: Litestar) -> AsyncIterator[None]:
        await asyncio.to_thread(desk.open)
        desk.publish = lambda note: channels.publish(note, CHANNEL)
        chores = [asyncio.create_task(_listen(channels, desk)), asyncio.create_task(_sweep(desk))]
        try:
            yield
        finally:
            for chore in chores:
                chore.cancel()
            await asyncio.gather(*chores, return_exceptions=True)
            await _stop(desk)

    @get("/health", include_in_schema=False)
    async def health() -> dict[str, str]:
        await asyncio.to_thread(desk.store.ping)
        return {"status": "ok"}

    @get("/metrics", include_in_schema=False)
    async def get_metrics() -> Response[bytes]:
        return Response(metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    return Litestar(
        route_handlers=[api.router, live, page.router, health, get_metrics],
        dependencies={"desk": Provide(provide_desk)},
        plugins=[channels],
        lifespan=[life],
        state=State({"desk": desk}),
        middleware=[_gate(desk, metrics)],
        exception_handlers={Exception: answer_fault},
        compression_config=CompressionConfig(backend="gzip", minimum_size=1_000, gzip_compress_level=5),
        request_max_body_size=settings.body_limit,
        openapi_config=OpenAPIConfig(
            title="Legatus", version="1", path="/schema", render_plugins=[JsonRenderPlugin()]
        ),
        logging_config=None,
    )


def _backend(desk: Desk) -> ChannelsBackend:
    """Between processes on one PostgreSQL notes go through it; on SQLite there is one process."""
    if desk.store.is_postgres:
        return PsycoPgChannelsBackend(desk.store.url.replace("+psycopg", "", 1))
    return MemoryChannelsBackend()


async def _listen(channels: ChannelsPlugin, desk: Desk) -> None:
    async with channels.start_subscription([CHANNEL]) as notes:
        async for note in notes.iter_events():
            try:
                await desk.heard(msgspec.json.decode(note))
            except Exception:
                log.exception("a note from another process was not understood")


async def _sweep(desk: Desk) -> None:
    """Look from time to time whether other processes have written rows of matches that are watched here."""
    while desk.store.is_postgres:
        await asyncio.sleep(SWEEP_SECONDS)
        watched = {table.head.id: table for table in desk.hall.tables if table.watchers}
        try:
            numbers = await asyncio.to_thread(desk.store.numbers, watched)
            for match_id, number in numbers.items():
                desk.remind(watched[match_id])
                if number > watched[match_id].number:
                    await desk.hall.catch_up(watched[match_id])
        except Exception:
            log.exception("the database could not be asked for news")


async def _stop(desk: Desk) -> None:
    """Bots stop thinking; what waits to be written is written."""
    thinking = [table.thinking for table in desk.hall.tables if table.thinking is not None]
    for task in thinking:
        task.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*thinking, return_exceptions=True)
    await asyncio.to_thread(desk.close)


# --- every request -------------------------------------------------------------------------------


def _gate(desk: Desk, metrics: Metrics) -> Any:
    """Limits on the way in; headers and figures on the way out."""

    def make(app: ASGIApp) -> ASGIApp:
        async def gate(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != ScopeType.HTTP:
                await app(scope, receive, send)
                return
            began = perf_counter()

            async def send_with_headers(message: Message) -> None:
                if message["type"] == "http.response.start":
                    headers = MutableScopeHeaders(message)
                    for name, value in HEADERS.items():
                        headers[name] = value
                    if "cache-control" not in headers:
                        headers["cache-control"] = "no-store"
                    metrics.requests.labels(str(message["status"])).inc()
                    metrics.seconds.observe(perf_counter() - began)
                await send(message)

            client = scope.get("client")
            is_api = scope["path"].startswith("/api")
            wait = desk.requests.wait(client[0] if client else "") if is_api else 0.0
            if wait:
                fault = Fault("too-many", seconds=int(wait) + 1, wait=wait)
                response = answer_fault(Request(scope), fault)
                await response.to_asgi_response(app=scope["litestar_app"], request=Request(scope))(
                    scope, receive, send_with_headers
                )
                return
            await app(scope, receive, send_with_headers)

        return gate

    return make


def answer_fault(request: Request[Any, Any, Any], error: Exception) -> Response[Failure]:
    """Whatever went wrong, as a Failure in the client's language; never a traceback."""
    lang = _lang(request)
    fault = _fault(request, error, lang)
    text = fault.say(lang)
    failure = Failure(fault.code, text[:1].upper() + text[1:], fault.reasons, fault.number)
    headers = {"retry-after": str(int(fault.wait) + 1)} if fault.wait else {}
    return Response(failure, status_code=fault.status, headers=headers, media_type="application/json")


def _lang(request: Request[Any, Any, Any]) -> str:
    lang = request.query_params.get("lang") or request.headers.get("accept-language", "")[:2]
    return lang if lang in LANGS else "en"


def _fault(request: Request[Any, Any, Any], error: Exception, lang: str) -> Fault:
    if isinstance(error, Fault):
        return error
    if isinstance(error, IllegalAction):
        return Fault("illegal", reasons=_reasons(request, error, lang))
    if isinstance(error, Complaint):
        code = (
            "bad-action"
            if isinstance(error, BadAction)
            else "wrong-dice"
            if isinstance(error, WrongLuck)
            else "bad-file"
            if isinstance(error, BadFile)
            else "bad-request"
        )
        return Fault(code, "said", text=error.say(lang))
    if isinstance(error, StoreDown):
        log.error("the database does not answer", extra={"problem": str(error)})
        return Fault("database")
    if isinstance(error, HTTPException):
        return _http_fault(request, error)
    if isinstance(error, RecursionError):
        return Fault("bad-request", problem=Said("server.nested"))
    if isinstance(error, UnicodeDecodeError):
        return Fault("bad-request", problem=Said("file.not_utf8"))
    log.error("a request failed", exc_info=error, extra={"path": request.url.path})
    return Fault("broken")


def _reasons(request: Request[Any, Any, Any], error: IllegalAction, lang: str) -> list[Reason]:
    """Refusals in the words of the game of this match."""
    desk: Desk = request.app.state["desk"]
    table = desk.hall.at_hand(request.path_params["match_id"])
    return [Reason(r.clause, sentence(table.game, table.match.state, r, lang)) for r in error.refusals]


def _http_fault(request: Request[Any, Any, Any], error: HTTPException) -> Fault:
    """What litestar has against a request."""
    desk: Desk = request.app.state["desk"]
    status = error.status_code
    if status == 404:
        return Fault("not-found")
    if status == 405:
        return Fault("no-method")
    if status == 413:
        return Fault("too-large", limit=desk.settings.body_limit)
    if status >= 500:
        log.error("a request failed", exc_info=error, extra={"path": request.url.path})
        return Fault("broken")
    found: Any = error.extra[0] if isinstance(error.extra, list) and error.extra else {}
    path, text = str(found.get("key", "")), str(found.get("message", error.detail))
    if path == "data":  # the body itself; without one, its name is all that is said
        return Fault("bad-request", problem=Said("server.no-body") if text == "'data'" else quoted(text))
    problem = Said("server.at", {"path": path, "problem": quoted(text)}) if path else quoted(text)
    return Fault("bad-request", problem=problem)
