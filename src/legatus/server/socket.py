"""The socket on which a match is watched: frames go out, a Hello comes in."""

from __future__ import annotations

import asyncio
import logging
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
from .desk import Desk, holder_of
from .faults import Fault
from .frames import Eyes, eyes, frame
from .limits import Limit
from .live import Table
from .wire import Failure, Frame, Hello, Presence, Trouble

log = logging.getLogger("legatus.server")

HELLO_SECONDS = 10.0
HELLOS = (60, 60.0)  # messages of one socket, in so many seconds
AGAIN_LATER = 1013
TOO_BIG = 1009
POLICY = 1008


class Watcher:
    """Somebody who looks on.

    Nothing is kept for a slow line but what is due: when it is free again it is sent how things stand then.
    """

    def __init__(self, desk: Desk, table: Table, address: str) -> None:
        self.desk, self.table, self.address = desk, table, address
        self.holder = ""
        self.lang = "en"
        self.eyes: Eyes | None = None
        self.known = 0  # entries of the log that the client has
        self.bits = self.number = 0  # whose rows the client counts, and how many it has counted
        self.board: tuple[Any, Any] | None = None  # areas and lines that the client has
        self.trouble: Complaint | None = None
        self.has_moved = self.has_changed = False  # what the client is to be told: a frame, who is there
        self.is_due, self.is_idle = asyncio.Event(), asyncio.Event()
        self.is_idle.set()
        self.is_gone = False

    def greet(self, hello: Hello) -> bool:
        """A Hello: who looks, as whom, and what he has already; whether somebody else looks on now."""
        before = self.eyes.seat if self.eyes else None
        self.holder = holder_of(self.desk.keys, hello.key)
        self.lang = hello.lang
        table, is_new = self.table, self.eyes is None
        self.eyes = eyes(table, self.holder, hello.seen_as, hello.lang)
        bits, counting = table.counted(self.eyes.bits), table.counting
        is_fresh = counting.before_undo(bits) < hello.number <= counting.number(bits)
        is_fresh = is_fresh and not (table.over and counting.quiet)  # he may have counted before the end
        self.known = max(0, min(hello.entries, len(counting.shown(bits)))) if is_fresh else 0
        self.bits, self.number, self.board = bits, 0, None
        return is_new or self.eyes.seat != before

    def row(self) -> bool:
        """A row was written: the frame that it led to is due, if he could notice it."""
        if self.eyes is None:
            return False
        bits, counting = self.table.counted(self.eyes.bits), self.table.counting
        number = counting.number(bits)
        if number == self.number and bits == self.bits:
            return False
        if bits != self.bits:  # the match is over, and counted from its beginning
            self.bits, self.known = bits, 0
        self.number = number
        self.known = min(self.known, len(counting.shown(bits)) - 1)  # the last entry may be another one
        self.has_moved = True
        self._wake()
        return True

    def presence(self) -> None:
        self.has_changed = True
        self._wake()

    def complain(self, error: Complaint) -> None:
        self.trouble = error
        self._wake()

    def _wake(self) -> None:
        if not self.is_gone:
            self.is_idle.clear()
            self.is_due.set()

    def leave(self) -> None:
        """Nothing can be sent any more."""
        self.is_gone = True
        self.is_idle.set()

    async def next(self) -> bytes:
        """The next message, as soon as one is due."""
        while True:
            message = self._next() or await self._frame()
            if message is not None:
                return message
            self.is_due.clear()
            self.is_idle.set()
            await self.is_due.wait()

    def _next(self) -> bytes | None:
        if self.trouble is not None:
            error, self.trouble = self.trouble, None
            return msgspec.json.encode(trouble(error, self.lang))
        if self.has_changed and self.eyes is not None:
            self.has_changed = False
            return msgspec.json.encode(Presence(self.desk.info(self.table, self.holder, self.lang)))
        return None

    async def _frame(self) -> bytes | None:
        """The frame that is due, if one is; a row that is written meanwhile makes the next one due."""
        who = self.eyes
        if not self.has_moved or who is None:
            return None
        self.has_moved = False
        shown, start = self.table.counting.shown(self.bits), self.known
        self.known = len(shown)
        first = shown[start] if start < len(shown) else None
        place, whole = self.table.place_of(who), self.table.kept_frame(who, start)
        if whole is None:
            whole = await self.desk.hall.look(
                self.address, self.table, lambda seen: frame(seen, who, log_from=start), first, who.bits
            )
            self.table.keep_frame(who, start, place, whole)
        return msgspec.json.encode(self._spare_board(whole))

    def _spare_board(self, whole: Frame) -> Frame:
        """A map of hundreds of hexes is not sent again with every move."""
        scene, had = whole.scene, self.board
        self.board = scene.areas, scene.lines
        return (
            whole
            if had != self.board
            else replace(whole, scene=replace(scene, areas=(), lines=()), board=False)
        )


def trouble(error: Complaint, lang: str) -> Trouble:
    code = error.code if isinstance(error, Fault) else "bad-request"
    text = error.say(lang)
    return Trouble(Failure(code, text[:1].upper() + text[1:]))


Socket = WebSocket[Any, Any, Any]


@websocket("/api/matches/{match_id:str}/live", opt={"exclude_from_auth": True})
async def live(
    socket: Socket, desk: NamedDependency[Desk], match_id: Annotated[str, PathParameter(max_length=32)]
) -> None:
    await socket.accept()
    address = socket.client.host if socket.client else ""
    entered = desk.enter(address)
    try:
        wait = desk.requests.wait(address)
        if wait:
            raise Fault("too-many", seconds=int(wait) + 1, wait=wait)
        if not entered:
            raise Fault("too-many", "too-many-sockets", limit=desk.settings.sockets)
        await _serve(socket, desk, await desk.hall.table(match_id), address)
    except Complaint as error:
        with suppress(WebSocketDisconnect, RuntimeError):
            await socket.send_data(msgspec.json.encode(trouble(error, "en")).decode())
            await socket.close(
                AGAIN_LATER if isinstance(error, Fault) and error.code == "too-many" else POLICY
            )
    finally:
        if entered:
            desk.leave(address)


async def _serve(socket: Socket, desk: Desk, table: Table, address: str) -> None:
    watcher, hellos = Watcher(desk, table, address), Limit(*HELLOS)
    table.watchers.append(watcher)
    sending = asyncio.create_task(_send(socket, watcher))
    sending.add_done_callback(lambda _: watcher.leave())
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
            if hellos.wait("") or desk.requests.wait(address):
                await socket.close(AGAIN_LATER)
                return
            await _hear(desk, table, watcher, text)
            await watcher.is_idle.wait()  # who does not read is not listened to
    except WebSocketDisconnect:
        pass
    finally:
        sending.cancel()
        table.watchers.remove(watcher)
        if watcher.eyes is not None:
            desk.announce_presence(table)


async def _hear(desk: Desk, table: Table, watcher: Watcher, text: str) -> None:
    try:
        hello = msgspec.json.decode(text, type=Hello)
        bits = table.bits_of(holder_of(desk.keys, hello.key))
        if hello.number > table.counting.number(bits):  # he comes from a process that died before it told us
            await desk.hall.catch_up(table)
        if watcher.greet(hello):
            desk.announce_presence(table)
        watcher.presence()
        watcher.row()
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        watcher.complain(Fault("bad-request", problem=quoted(str(error))))
    except Complaint as error:
        watcher.complain(error)


async def _send(socket: Socket, watcher: Watcher) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        while True:
            try:
                message = await watcher.next()
            except Exception:  # the row is written all the same
                log.exception("a watcher could not be told", extra={"match": watcher.table.head.id})
                continue
            await socket.send_data(message.decode())
