"""Threads in which views are made that take long, so that nobody waits for them but who asked.

Long are whole logs and moments long ago, whose states are made from the journal, and whatever concerns a
battle that was uploaded: its field may be larger than any of ours.  Uploads, the other battles, and battles
that are read from the database have threads of their own.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TypeVar

from .limits import of_one_client

T = TypeVar("T")

THREADS = 2


class Turns:
    """One thing at a time for each client."""

    def __init__(self) -> None:
        self._turns: dict[str, tuple[asyncio.Lock, int]] = {}  # by client: a lock, and how many want it

    @asynccontextmanager
    async def of(self, client: str) -> AsyncIterator[None]:
        """Wait until nothing else is done for this client, an address or a key."""
        client = of_one_client(client)
        lock, wanted = self._turns.get(client) or (asyncio.Lock(), 0)
        self._turns[client] = lock, wanted + 1
        try:
            async with lock:
                yield
        finally:
            lock, wanted = self._turns.pop(client)
            if wanted > 1:
                self._turns[client] = lock, wanted - 1


class Readers:
    """A few threads; of one client they work at one thing at a time."""

    def __init__(self, name: str = "reader") -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix=name)
        self.turns = Turns()

    async def ask(self, client: str, work: Callable[..., T], *args: object) -> T:
        """What ``work`` returns; it may change nothing that others look at."""
        async with self.turns.of(client):
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
