"""The socket on which a match is watched: frames go out, a Hello comes in."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated, Any

import msgspec
from litestar import WebSocket, websocket
from litestar.di import NamedDependency
from litestar.exceptions import WebSocketDisconnect
from litestar.params import PathParameter
from msgspec.structs import replace

from ..kernel import Complaint
from ..kernel.words import quoted
from ..scene.model import Scene
from .desk import Desk, holder_of
from .faults import Fault
from .frames import Eyes, eyes, frame
from .live import Table
from .wire import Failure, Frame, Hello, Presence, Trouble

MOST_WAITING = 64  # messages to a slow client; beyond, it is sent the latest only
HELLO_SECONDS = 10.0
AGAIN_LATER = 1013
TOO_BIG = 1009
POLICY = 1008


class Watcher:
    """Somebody who looks on.  Messages wait in a queue, so that a slow line holds nobody up."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.holder = ""
        self.lang = "en"
        self.eyes: Eyes | None = None
        self.known = 0  # entries of the log that the client has
        self.bits = self.number = 0  # whose rows the client counts, and how many it has counted
        self.board: Scene | None = None  # whose areas and lines the client has
        self.out: asyncio.Queue[bytes] = asyncio.Queue()

    def greet(self, table: Table, hello: Hello) -> None:
        """A Hello: who looks, as whom, and what he has already."""
        self.holder = holder_of(self.desk.keys, hello.key)
        self.lang = hello.lang
        self.eyes = eyes(table, self.holder, hello.seen_as, hello.lang)
        bits, counting = table.counted(self.eyes.bits), table.counting
        is_fresh = counting.before_undo(bits) < hello.number <= counting.number(bits)
        is_fresh = is_fresh and not (table.over and counting.quiet)  # he may have counted before the end
        self.known = max(0, min(hello.entries, len(counting.shown(bits)))) if is_fresh else 0
        self.bits, self.number, self.board = bits, 0, None

    def row(self, table: Table) -> None:
        """A row was written: the frame that it led to."""
        if self.eyes is None:
            return
        bits = table.counted(self.eyes.bits)
        number, last = table.counting.number(bits), len(table.counting.shown(bits))
        if number == self.number and bits == self.bits:
            return  # nothing that he could notice
        if bits != self.bits:  # the match is over, and counted from its beginning
            self.bits, self.known = bits, 0
        self.number = number
        if self.out.qsize() > MOST_WAITING:
            while not self.out.empty():
                self.out.get_nowait()
            self.known, self.board = 0, None
        start = min(self.known, last - 1) if self.known >= last else self.known
        self.known = last
        self.out.put_nowait(msgspec.json.encode(self._spare_board(frame(table, self.eyes, log_from=start))))

    def _spare_board(self, whole: Frame) -> Frame:
        """A map of hundreds of hexes is not sent again with every move."""
        scene, had = whole.scene, self.board
        self.board = scene
        if had is None or had.areas != scene.areas or had.lines != scene.lines:
            return whole
        return replace(whole, scene=replace(scene, areas=(), lines=()), board=False)

    def presence(self, table: Table) -> None:
        if self.eyes is not None:
            info = self.desk.info(table, self.holder, self.lang)
            self.out.put_nowait(msgspec.json.encode(Presence(info)))

    def trouble(self, error: Complaint) -> None:
        code = error.code if isinstance(error, Fault) else "bad-request"
        text = error.say(self.lang)
        failure = Failure(code, text[:1].upper() + text[1:])
        self.out.put_nowait(msgspec.json.encode(Trouble(failure)))


Socket = WebSocket[Any, Any, Any]


@websocket("/api/matches/{match_id:str}/live", opt={"exclude_from_auth": True})
async def live(
    socket: Socket, desk: NamedDependency[Desk], match_id: Annotated[str, PathParameter(max_length=32)]
) -> None:
    await socket.accept()
    address = socket.client.host if socket.client else ""
    watcher = Watcher(desk)
    entered = desk.enter(address)
    try:
        if not entered:
            raise Fault("too-many", "too-many-sockets", limit=desk.settings.sockets)
        table = await desk.hall.table(match_id)
        await _serve(socket, desk, table, watcher, address)
    except Complaint as error:
        watcher.trouble(error)
        with suppress(WebSocketDisconnect, RuntimeError):
            await socket.send_data(watcher.out.get_nowait().decode())
            await socket.close(POLICY if entered else AGAIN_LATER)
    finally:
        if entered:
            desk.leave(address)


async def _serve(socket: Socket, desk: Desk, table: Table, watcher: Watcher, address: str) -> None:
    table.watchers.append(watcher)
    sending = asyncio.create_task(_send(socket, watcher))
    try:
        while True:
            try:
                text = await asyncio.wait_for(
                    socket.receive_text(), HELLO_SECONDS if watcher.eyes is None else None
                )
            except TimeoutError:
                await socket.close(POLICY)
                return
            if len(text) > desk.settings.message_limit:
                await socket.close(TOO_BIG)
                return
            if desk.requests.wait(address):
                await socket.close(AGAIN_LATER)
                return
            await _hear(desk, table, watcher, text)
    except WebSocketDisconnect:
        pass
    finally:
        sending.cancel()
        table.watchers.remove(watcher)
        desk.announce_presence(table)


async def _hear(desk: Desk, table: Table, watcher: Watcher, text: str) -> None:
    try:
        hello = msgspec.json.decode(text, type=Hello)
        bits = table.bits_of(holder_of(desk.keys, hello.key))
        if hello.number > table.counting.number(bits):  # he comes from a process that died before it told us
            await desk.hall.catch_up(table)
        watcher.greet(table, hello)
        desk.announce_presence(table)
        watcher.row(table)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        watcher.trouble(Fault("bad-request", problem=quoted(str(error))))
    except Complaint as error:
        watcher.trouble(error)


async def _send(socket: Socket, watcher: Watcher) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        while True:
            await socket.send_data((await watcher.out.get()).decode())
