"""Half-sent requests and speed: ours on uvicorn beside granian (docs/decisions/0002-connections.md).

``python tests/bench/half_sent.py [uvicorn|granian ...]``; granian must be installed for it.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median, quantiles
from typing import Any

import httpx
import psutil

HEAD = b"GET /api/lobby HTTP/1.1\r\nhost: x\r\nx-slow: "
BODY = (
    b"POST /api/games/virtus/army HTTP/1.1\r\nhost: x\r\n"
    b"content-type: application/json\r\ncontent-length: 99\r\n\r\n{"
)
LINES = 200  # half-sent heads, and as many bodies
PATIENCE = 75  # seconds until they should have been cut
CLIENTS = 8
SECONDS = 8


@contextmanager
def running(which: str) -> Iterator[tuple[int, psutil.Process]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        options = ["--database", f"{folder}/bench.sqlite3", "--port", str(port), "--no-browser"]
        options += [word for name in ("requests", "openings", "sockets") for word in (f"--{name}", "0")]
        command = [sys.executable, "-m", "legatus", "serve", *options]
        if which == "granian":
            code = (
                "from granian.server import Server as G\n"
                "from granian.constants import Interfaces\n"
                "from granian.http import HTTP1Settings\n"
                f"G('tests.bench.half_sent:app', address='127.0.0.1', port={port}, interface=Interfaces.ASGI,"
                " websockets=True, http1_settings=HTTP1Settings(header_read_timeout=10_000)).serve()"
            )
            command = [sys.executable, "-c", code]
        environment = {**os.environ, "LEGATUS_BENCH": f"sqlite:///{folder}/bench.sqlite3"}
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
        try:
            for _ in range(300):
                try:
                    httpx.get(f"http://127.0.0.1:{port}/health")
                    break
                except httpx.TransportError:
                    time.sleep(0.1)
            yield port, psutil.Process(process.pid)
        finally:
            process.terminate()
            process.wait(30)


async def moves(port: int) -> dict[str, float]:
    """Frames that clients ask for one after the other, and the time of each."""
    times: list[float] = []

    async def ask(http: httpx.AsyncClient, match: str, who: dict[str, str]) -> None:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            began = time.monotonic()
            answer = await http.get(f"/api/matches/{match}/frame", headers=who)
            assert answer.status_code == 200
            times.append(time.monotonic() - began)

    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
        who = {"authorization": f"Bearer {(await http.post('/api/keys')).json()['key']}"}
        wish = {"request": "bench-0001", "game": "virtus", "seats": [{"who": "me"}, {"who": "me"}]}
        match = (await http.post("/api/matches", json=wish, headers=who)).json()["id"]
        await asyncio.gather(*(ask(http, match, who) for _ in range(CLIENTS)))
    return {
        "answers a second": round(len(times) / SECONDS),
        "median ms": round(1000 * median(times), 1),
        "p95 ms": round(1000 * quantiles(times, n=20)[-1], 1),
    }


def cut_after(port: int, data: bytes) -> float | None:
    """Seconds until all half-sent requests have been cut; a byte of each trickles on."""
    lines = [socket.create_connection(("127.0.0.1", port)) for _ in range(LINES)]
    for line in lines:
        line.sendall(data)
    began, alive = time.monotonic(), lines
    while alive and time.monotonic() - began < PATIENCE:
        time.sleep(1)
        alive = [line for line in alive if not is_cut(line)]
    for line in lines:
        line.close()
    return None if alive else round(time.monotonic() - began)


def is_cut(line: socket.socket) -> bool:
    try:
        line.sendall(b" ")
        line.setblocking(False)
        while line.recv(65_536):
            pass
        return True
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        line.setblocking(True)


def measure(which: str) -> dict[str, Any]:
    with running(which) as (port, process):
        found: dict[str, Any] = dict(asyncio.run(moves(port)))
        family = [process, *process.children(recursive=True)]
        found["MB"] = round(sum(one.memory_info().rss for one in family) / 1e6)
        found["heads cut after s"] = cut_after(port, HEAD)
        found["bodies cut after s"] = cut_after(port, BODY)
    return found


def __getattr__(name: str) -> Any:
    """``app``, for granian's worker."""
    if name != "app":
        raise AttributeError(name)
    from legatus.server import Settings, create_app

    url = os.environ["LEGATUS_BENCH"]
    return create_app(Settings(database=url, requests=0, openings=0, sockets=0))


if __name__ == "__main__":
    for which in sys.argv[1:] or ["uvicorn"]:
        print(which, json.dumps(measure(which)), flush=True)
