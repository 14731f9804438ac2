"""A server under load: ``python -m tests.attack.load --minutes 10``.

500 live matches with two sockets each, 100 moves a second of them together, against one real server on
SQLite.  It tells how long it takes until both clients have the frame, and what memory the server has.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from secrets import token_hex
from statistics import median, quantiles
from typing import Any

import httpx
import psutil
from websockets.asyncio.client import ClientConnection, connect

from tests.server.client import NO_LIMITS, PATIENCE, Server

FILES = 4_096
CONNECTIONS = 40  # for commands
OPENINGS = 8  # at a time


class Battle:
    """A live match: its two clients, each with a socket, and the latest frame of each."""

    def __init__(self, http: httpx.AsyncClient, seed: int) -> None:
        self.http, self.rng = http, Random(seed)
        self.sockets: list[ClientConnection] = []

    async def open(self, address: str) -> None:
        """A new match, and two sockets on it; in place of one that is over."""
        await self.close()
        self.frames: list[Any] = [None, None]
        self.came = asyncio.Event()
        self.error: BaseException | None = None
        self.key = (await self.http.post("/api/keys")).json()["key"]
        self.who = {"authorization": f"Bearer {self.key}"}
        wish = {"request": token_hex(8), "game": "virtus", "seats": [{"who": "me"}, {"who": "me"}]}
        answer = await self.http.post("/api/matches", json=wish, headers=self.who)
        answer.raise_for_status()
        self.id = answer.json()["id"]
        where = f"ws://{address}/api/matches/{self.id}/live"
        self.sockets = [await connect(where, max_size=None, open_timeout=PATIENCE) for _ in range(2)]
        seats = [seat["seat"] for seat in answer.json()["seats"]]
        for number, seat in enumerate(seats):
            await self.sockets[number].send(json.dumps({"key": self.key, "seen_as": seat}))
        self.listening = [asyncio.create_task(self._listen(number)) for number in range(2)]
        await self._until(lambda: all(self.frames))

    async def close(self) -> None:
        for socket in self.sockets:
            await socket.close()

    async def _listen(self, number: int) -> None:
        try:
            async for text in self.sockets[number]:
                message = json.loads(text)
                if message["type"] == "frame":
                    self.frames[number] = message
                    self.came.set()
        except BaseException as error:
            self.error = error
            self.came.set()
            raise

    async def _until(self, found: Any) -> None:
        async with asyncio.timeout(PATIENCE):
            while not found():
                if self.error is not None:
                    raise self.error
                self.came.clear()
                await self.came.wait()

    async def move(self) -> float:
        """One move at random; the seconds until both clients have seen it."""
        frame = next(frame for frame in self.frames if frame["yours"])
        wish = {"number": frame["number"], "request": token_hex(8)}
        wish["do"] = self.rng.choice(frame["actions"])["do"]
        began = time.monotonic()
        answer = await self.http.post(f"/api/matches/{self.id}/act", json=wish, headers=self.who)
        answer.raise_for_status()
        number = answer.json()["number"]
        await self._until(lambda: all(one["number"] >= number for one in self.frames))
        return time.monotonic() - began

    @property
    def over(self) -> bool:
        return bool(self.frames[0]["ending"])


async def play(
    server: Server, matches: int, pace: float, seconds: float
) -> tuple[list[float], list[int], float]:
    """The times of all moves, the server's memory (bytes) every few seconds, and the moves a second."""
    process = psutil.Process(server.process.pid)
    limits = httpx.Limits(max_connections=CONNECTIONS)
    async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE, limits=limits) as http:
        battles = [Battle(http, seed) for seed in range(matches)]
        for start in range(0, matches, OPENINGS):
            await asyncio.gather(*(one.open(server.address) for one in battles[start : start + OPENINGS]))
        times: list[float] = []
        memory: list[int] = []
        began = time.monotonic()

        async def keep(battle: Battle, first: float) -> None:
            due = began + first
            while due < began + seconds:
                await asyncio.sleep(due - time.monotonic())
                times.append(await battle.move())
                if battle.over:
                    await battle.open(server.address)
                due = max(due + matches / pace, time.monotonic())

        async def watch() -> None:
            while True:
                memory.append(process.memory_info().rss)
                await asyncio.sleep(2)

        watching = asyncio.create_task(watch())
        await asyncio.gather(*(keep(battle, number / pace) for number, battle in enumerate(battles)))
        taken = time.monotonic() - began
        watching.cancel()
        await asyncio.gather(*(battle.close() for battle in battles))
    return times, memory, len(times) / taken


def measure(folder: Path, matches: int, pace: float, seconds: float) -> dict[str, float]:
    """Figures of one run; an error of the server, or an answer that does not come, raises."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, hard), hard))
    server = Server(folder, *NO_LIMITS)
    try:
        times, memory, rate = asyncio.run(play(server, matches, pace, seconds))
    except BaseException:
        server.kill()
        raise
    server.stop()
    tenth = max(1, len(memory) // 10)
    return {
        "moves": len(times),
        "moves a second": round(rate, 1),
        "median ms": round(1000 * median(times), 1),
        "p95 ms": round(1000 * quantiles(times, n=20)[-1], 1),
        "slowest ms": round(1000 * max(times), 1),
        "MB at first": round(sum(memory[:tenth]) / tenth / 1e6),
        "MB at last": round(sum(memory[-tenth:]) / tenth / 1e6),
    }


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--matches", type=int, default=500)
    parser.add_argument("--pace", type=float, default=100, help="moves a second, of all matches")
    wish = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="legatus-load-") as folder:
        found = measure(Path(folder), wish.matches, wish.pace, 60 * wish.minutes)
    print(f"{wish.matches} matches, {2 * wish.matches} sockets, {wish.minutes:g} minutes")
    for name, value in found.items():
        print(f"  {name:15} {value:10,}")


if __name__ == "__main__":
    main()
