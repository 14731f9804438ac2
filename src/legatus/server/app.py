"""The application: routes, limits, headers, errors, start and stop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from time import perf_counter
from typing import Any

from litestar import Litestar, Request, Response, get
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from sqlalchemy.exc import DatabaseError

from ..kernel import Complaint, IllegalAction
from ..kernel import Message as Said
from ..kernel.chance import WrongLuck
from ..kernel.codec import BadAction
from ..kernel.files import BadFile
from ..kernel.words import LANGS, quoted
from . import api, page
from .desk import SWEEP_SECONDS, Desk
from .faults import Fault
from .frames import sentence
from .settings import Settings
from .socket import live
from .store import StoreDown, is_trouble
from .watch import Metrics
from .wire import Failure, Reason

log = logging.getLogger("legatus.server")

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
HUNG_UP = "client disconnected prematurely"  # as litestar says of half a body
RAW_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


def create_app(settings: Settings | None = None) -> Litestar:
    """The server as an ASGI application."""
    settings = settings or Settings()
    desk = Desk(settings)
    metrics = Metrics(desk)

    async def provide_desk() -> Desk:
        return desk

    @asynccontextmanager
    async def life(_: Litestar) -> AsyncIterator[None]:
        await asyncio.to_thread(desk.open)
        others = [asyncio.create_task(desk.wake_bots())]
        others += [asyncio.create_task(_sweep(desk))] if desk.store.is_postgres else []
        if desk.notes is not None:
            desk.notes.start()
        try:
            yield
        finally:
            for chore in others:
                chore.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            await _stop(desk)

    @get("/health", include_in_schema=False)
    async def health() -> Response[dict[str, str]]:
        try:
            await asyncio.to_thread(desk.store.ping)
        except DatabaseError as error:
            if not is_trouble(error):
                raise
        word = desk.store.trouble
        return Response({"status": word or "ok"}, status_code=503 if word else 200)

    @get("/metrics", include_in_schema=False)
    async def get_metrics() -> Response[bytes]:
        return Response(metrics.text(), media_type="text/plain; version=0.0.4")

    return Litestar(
        route_handlers=[api.router, live, page.router, health, get_metrics],
        dependencies={"desk": Provide(provide_desk)},
        lifespan=[life],
        state=State({"desk": desk}),
        middleware=[_gate(desk, metrics)],
        before_send=[_add_headers],
        exception_handlers={Exception: answer_fault},
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=1_000, gzip_compress_level=5, exclude_opt_key=page.PACKED
        ),
        request_max_body_size=settings.body_limit,
        openapi_config=OpenAPIConfig(
            title="Legatus", version="1", path="/schema", render_plugins=[JsonRenderPlugin()]
        ),
        logging_config=None,
    )


async def _sweep(desk: Desk) -> None:
    """Notes from other processes may be lost: look from time to time."""
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        try:
            await desk.sweep()
        except Exception as error:
            if is_trouble(error):
                continue  # the log has been told
            log.exception("the database could not be asked for news")


async def _stop(desk: Desk) -> None:
    """Bots stop thinking; what waits to be written is written."""
    thinking = [table.thinking for table in desk.hall.tables if table.thinking is not None]
    for task in thinking:
        task.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*thinking, return_exceptions=True)
    await desk.analyst.stop()
    if desk.notes is not None:
        await desk.notes.stop()
    await asyncio.to_thread(desk.close)


# --- every request -------------------------------------------------------------------------------


async def _add_headers(message: Message, _: Scope) -> None:
    """To every answer, also where no route leads."""
    if message["type"] == "http.response.start":
        headers = [*message["headers"], *RAW_HEADERS]
        if not any(name.lower() == b"cache-control" for name, _ in headers):
            headers.append((b"cache-control", b"no-store"))
        message["headers"] = headers


def _gate(desk: Desk, metrics: Metrics) -> Any:
    """Limits on the way in, figures on the way out."""

    def make(app: ASGIApp) -> ASGIApp:
        async def gate(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != ScopeType.HTTP:
                await app(scope, receive, send)
                return
            began = perf_counter()

            async def send_and_count(message: Message) -> None:
                if message["type"] == "http.response.start":
                    metrics.requests.labels(str(message["status"])).inc()
                    metrics.seconds.observe(perf_counter() - began)
                await send(message)

            client = scope.get("client")
            limit = desk.drags if scope["path"].endswith("/ghost") else desk.requests
            is_free = scope["path"] == "/health"  # whoever watches the server is not held up
            wait = 0.0 if is_free else limit.wait(client[0] if client else "")
            if wait:
                fault = Fault("too-many", seconds=int(wait) + 1, wait=wait)
                response = answer_fault(Request(scope), fault)
                await response.to_asgi_response(app=scope["litestar_app"], request=Request(scope))(
                    scope, receive, send_and_count
                )
                return
            await app(scope, receive, send_and_count)

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
    if isinstance(error, StoreDown) or is_trouble(error):
        desk: Desk = request.app.state["desk"]
        keys = {"full": "disk-full", "damaged": "damaged-database"}
        return Fault("database", keys.get(desk.store.trouble, ""))
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
        is_record = request.url.path.endswith("/replays")
        limit = desk.settings.body_limit if is_record else api.BODY_BYTES
        return Fault("too-large", limit=min(limit, desk.settings.body_limit))
    if status >= 500 and error.detail == HUNG_UP:
        return Fault("bad-request", problem=quoted(HUNG_UP))  # nobody hears it
    if status >= 500:
        log.error("a request failed", exc_info=error, extra={"path": request.url.path})
        return Fault("broken")
    found: Any = error.extra[0] if isinstance(error.extra, list) and error.extra else {}
    path, text = str(found.get("key", "")), str(found.get("message", error.detail))
    if path == "data":  # the body itself; without one, its name is all that is said
        return Fault("bad-request", problem=Said("server.no-body") if text == "'data'" else quoted(text))
    problem = Said("server.at", {"path": path, "problem": quoted(text)}) if path else quoted(text)
    return Fault("bad-request", problem=problem)
