"""Notes between the processes that share one PostgreSQL, through litestar's channels.

Notes are hints, not data.  If the database is away for a while they are lost, and when it is back everything
is looked at anew.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec
from litestar.channels.backends.psycopg import PsycoPgChannelsBackend

log = logging.getLogger("legatus.server")

CHANNEL = "legatus"
MOST_WAITING = 10_000
MOST_AT_ONCE = 30  # a message of PostgreSQL holds 8,000 bytes
AGAIN_SECONDS = 1.0  # after the database was away
LAST_WORDS_SECONDS = 2.0

Note = dict[str, Any]


class Notes:
    """``heard`` is called with each note, ``anew`` when some may have been missed."""

    def __init__(
        self, url: str, heard: Callable[[Note], Awaitable[None]], anew: Callable[[], Awaitable[None]]
    ) -> None:
        self.url = url
        self.heard, self.anew = heard, anew
        self._waiting: asyncio.Queue[Note] = asyncio.Queue(MOST_WAITING)
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._tasks = [asyncio.create_task(self._keep(work)) for work in (self._listen, self._publish)]

    async def stop(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._waiting.join(), LAST_WORDS_SECONDS)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def publish(self, note: Note) -> None:
        with suppress(asyncio.QueueFull):
            self._waiting.put_nowait(note)

    async def _keep(self, work: Callable[[], Awaitable[None]]) -> None:
        """litestar's channels end with the connection; then we begin again with a new one."""
        while True:
            try:
                await work()
            except Exception as error:
                log.warning("the line to other processes is cut", extra={"problem": repr(error)})
            await asyncio.sleep(AGAIN_SECONDS)

    async def _listen(self) -> None:
        channels = PsycoPgChannelsBackend(self.url)
        await channels.on_startup()
        try:
            await channels.subscribe([CHANNEL])
            await self.anew()
            async for _, payload in channels.stream_events():
                for note in msgspec.json.decode(payload, type=list[Note]):
                    await self.heard(note)
        finally:
            with suppress(Exception):  # the connection may be the one that was cut
                await channels.on_shutdown()

    async def _publish(self) -> None:
        channels = PsycoPgChannelsBackend(self.url)
        while True:
            notes = [await self._waiting.get()]
            while len(notes) < MOST_AT_ONCE and not self._waiting.empty():
                notes.append(self._waiting.get_nowait())
            try:
                await channels.publish(msgspec.json.encode(notes), [CHANNEL])
            finally:
                for _ in notes:
                    self._waiting.task_done()
