"""Connections: how long a request may take, how many there may be, and what becomes of slow readers.

uvicorn waits for the rest of a request, and for a client to read, without an end.  Here each connection for
which the server waits has a deadline; when there are too many, the one it has waited for longest is cut.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable
from math import inf
from time import monotonic
from typing import Any

import uvicorn
from uvicorn.middleware.proxy_headers import _TrustedHosts
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from .limits import Limit, of_one_client
from .settings import Settings

HEAD_SECONDS = 10.0  # for the head of a request, from the first byte; and for the first byte
HEAD_BYTES = 65_536
BODY_SECONDS = 60.0  # for its body
BODIES_OF_ADDRESS = 20_000_000  # bytes of bodies that are not whole yet, of one address
BODIES = 200_000_000  # of all addresses
READ_SECONDS = 20.0  # for a client to read what it is sent, once that is more than fits into buffers
CLOSE_SECONDS = 5.0  # for it to read the last of it
SWEEP_SECONDS = 0.5
FRAMES = (600, 60.0)  # of one socket, in so many seconds: messages, their parts, pings and pongs
RESERVE = 256  # file descriptors for everything that is not a connection
MOST_FILES = 65_536  # file descriptors asked for
AGAIN_LATER = 1013


def raise_file_limit() -> int:
    """Let this process have as many file descriptors as it may; how many connections that makes."""
    try:
        import resource
    except ImportError:  # Windows: there is no such limit
        return MOST_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    files = MOST_FILES if soft == resource.RLIM_INFINITY else soft
    return max(files // 2, files - RESERVE)


class Connections:
    """All connections of a process.  ``most`` may be open, ``each`` of one address (0: no limit)."""

    def __init__(self, most: int, each: int, proxies: _TrustedHosts) -> None:
        self.most, self.each, self.proxies = most, each, proxies
        self._open: dict[Connection, str] = {}  # with their addresses
        self._of: defaultdict[str, dict[Connection, None]] = defaultdict(dict)
        self._waiting: dict[Connection, None] = {}  # that may go if there are too many, the oldest first
        self._held: Counter[str] = Counter()  # bytes of bodies that are not whole yet, by address
        self._bodies: dict[Connection, None] = {}  # that hold some, the one that sent last at the end
        self._sweeping = False

    def __len__(self) -> int:
        return len(self._open)

    def enter(self, connection: Connection) -> bool:
        """Take a connection in, in place of another one if need be; False if there is no place."""
        host = connection.client[0] if connection.client else ""
        address = "" if host in self.proxies else of_one_client(host)
        if (
            address
            and self.each
            and len(self._of[address]) >= self.each
            and not self._drop(self._of[address])
        ):
            return False
        if len(self._open) >= self.most and not self._drop(self._waiting):
            return False
        self._open[connection] = address
        self._of[address][connection] = None
        if not self._sweeping:
            self._sweeping = True
            connection.loop.call_later(SWEEP_SECONDS, self._sweep, connection.loop)
        return True

    def leave(self, connection: Connection) -> None:
        self.is_busy(connection)
        address = self._open.pop(connection, None)
        if address is not None:
            self._count(connection, address, 0)
            del self._of[address][connection]
            if not self._of[address]:
                del self._of[address]

    def holds(self, connection: Connection, size: int) -> None:
        """So many bytes have come of a body that is not whole; if all are too many, one connection goes.

        It is one of the address that holds most; there, the one of which nothing came for longest.
        """
        address = self._open.get(connection)
        if address is None:
            return
        self._count(connection, address, size)
        if address and self._held[address] > BODIES_OF_ADDRESS:
            self._drop(one for one in self._bodies if self._open[one] == address)
        if self._held.total() > BODIES:
            most = max(self._held, key=self._held.__getitem__)
            self._drop(one for one in self._bodies if self._open[one] == most)

    def _count(self, connection: Connection, address: str, size: int) -> None:
        self._held[address] += size - connection.held
        connection.held = size
        self._bodies.pop(connection, None)
        if size:
            self._bodies[connection] = None
        if not self._held[address]:
            del self._held[address]

    def is_waited_for(self, connection: Connection) -> None:
        """It keeps us waiting: it keeps its place in the line if it did so already."""
        if connection in self._open:
            self._waiting.setdefault(connection)

    def is_busy(self, connection: Connection) -> None:
        self._waiting.pop(connection, None)

    def _drop(self, among: Iterable[Connection]) -> bool:
        """Hang up on the one that has kept us waiting longest."""
        first = next((one for one in among if one in self._waiting), None)
        if first is None:
            return False
        self.leave(first)
        first.transport.abort()
        return True

    def _sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        now = monotonic()
        for connection in list(self._open):
            connection.look_at_clock(now)
        self._sweeping = bool(self._open)
        if self._sweeping:
            loop.call_later(SWEEP_SECONDS, self._sweep, loop)


class Config(uvicorn.Config):
    """uvicorn's configuration for this server; ``connections`` are its."""

    def __init__(self, app: Any, settings: Settings, **named: Any) -> None:
        super().__init__(
            app,
            http=HttpConnection,
            ws=SocketConnection,
            ws_max_size=settings.message_limit,
            ws_per_message_deflate=False,  # a frame is small, and packing it costs more than making it
            timeout_keep_alive=75,  # as long as a player may think: a new connection costs him time
            timeout_graceful_shutdown=5,
            log_config=None,
            access_log=False,
            server_header=False,
            **named,
        )
        proxies = _TrustedHosts(self.forwarded_allow_ips)
        self.connections = Connections(raise_file_limit(), settings.connections, proxies)
        self.body_bytes = 2 * settings.body_limit + HEAD_BYTES  # on the line: chunks have heads too


class HttpConnection(HttpToolsProtocol):
    """HTTP: requests must come in whole, and answers must be read, in time."""

    config: Config
    held = 0  # bytes of a body that is not whole yet
    answering: Any = None  # the request that is being answered: with several in the line not the last one

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.deadline, self.read_by = monotonic() + HEAD_SECONDS, inf
        self.heard = 0  # bytes since the last request was whole
        self.part = "head"  # of a request that is to come; "body"; or "" when it is whole
        if self.config.connections.enter(self):
            self.config.connections.is_waited_for(self)
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.config.connections.leave(self)
        if self.answering is not None and not self.answering.response_complete:
            self.answering.disconnected = True  # uvicorn marks the last request only
            self.answering.message_event.set()
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self.answering = cycle
        super()._start_asgi_task(cycle, app)

    def data_received(self, data: bytes) -> None:
        self.heard += len(data)
        super().data_received(data)
        if self.heard > (HEAD_BYTES if self.part == "head" else self.config.body_bytes):
            self.transport.abort()
        if self.part == "body" or self.held:
            is_read = self.part == "body" and not getattr(self.cycle, "response_complete", False)
            self.config.connections.holds(
                self, self.heard if is_read else 0
            )  # after the answer it is dropped

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.part, self.deadline = "head", monotonic() + HEAD_SECONDS
        self.config.connections.is_waited_for(self)

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self.part, self.deadline = "body", monotonic() + BODY_SECONDS

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self.part, self.deadline, self.heard = "", inf, 0
        if not getattr(self.cycle, "response_complete", False):
            self.config.connections.is_busy(self)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete:  # no other request waits in the line
            self.config.connections.is_waited_for(self)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.read_by = monotonic() + READ_SECONDS

    def resume_writing(self) -> None:
        super().resume_writing()
        self.read_by = inf

    def handle_websocket_upgrade(self) -> None:
        self.config.connections.leave(self)
        super().handle_websocket_upgrade()

    def shutdown(self) -> None:
        super().shutdown()
        if self.part:  # the rest of a request is not waited for
            self.transport.close()

    def look_at_clock(self, now: float) -> None:
        if self.transport.is_closing():
            self.read_by = min(self.read_by, now + CLOSE_SECONDS)
        if now > min(self.deadline, self.read_by):
            self.transport.abort()


class SocketConnection(WebSocketsSansIOProtocol):
    """A WebSocket: who does not read is hung up on, and so is who floods us with frames."""

    config: Config
    held = 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.read_by = inf
        self.frames_left = Limit(*FRAMES)
        if not self.config.connections.enter(self):
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.config.connections.leave(self)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.read_by = monotonic() + READ_SECONDS

    def resume_writing(self) -> None:
        super().resume_writing()
        self.read_by = inf

    def look_at_clock(self, now: float) -> None:
        if self.transport.is_closing():
            if now > self.read_by:
                self.transport.abort()
            self.read_by = min(self.read_by, now + CLOSE_SECONDS)
        elif now > self.read_by:
            self.drop("too slow")

    def shutdown(self) -> None:
        super().shutdown()
        if not self.writable.is_set():  # a slow reader is not waited for
            self.transport.abort()

    def drop(self, reason: str) -> None:
        """Close for a reason; what was sent may still be read for a moment."""
        if self.close_sent or self.transport.is_closing():
            return
        try:
            self.conn.send_close(AGAIN_LATER, reason)
            self.transport.write(b"".join(self.conn.data_to_send()))
        except InvalidState:  # it is closing already
            pass
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": AGAIN_LATER, "reason": reason})
        self.transport.close()
        self.read_by = monotonic() + CLOSE_SECONDS

    def _may_speak(self) -> bool:
        if self.frames_left.wait(""):
            self.drop("too many frames")
            return False
        return True

    def handle_text(self, event: Any) -> None:
        if self._may_speak():
            super().handle_text(event)

    def handle_bytes(self, event: Any) -> None:
        if self._may_speak():
            super().handle_bytes(event)

    def handle_cont(self, event: Any) -> None:
        if self._may_speak():
            super().handle_cont(event)

    def handle_ping(self) -> None:
        if self._may_speak():
            super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        if self._may_speak():
            super().handle_pong(event)


Connection = HttpConnection | SocketConnection
