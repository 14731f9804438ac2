"""Fifty sockets that never read, for a minute, while others come and go: the server's memory stays flat."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import psutil

from tests.server.client import NO_LIMITS, serving, until
from tests.server.test_connections import deaf, framed, plays

SECONDS = 60
GROWTH = 60_000_000  # bytes, generous: without bounds it was 440 MB in 45 seconds


def test_who_never_reads_costs_little_memory(tmp_path: Path) -> None:
    with serving(tmp_path, *NO_LIMITS) as server, ExitStack() as stack:
        anna = server.player()
        match = anna.open("me", "me")["id"]
        seats = ("spectator", "rome")
        hellos = [framed(0x81, json.dumps({"key": anna.key, "seen_as": seat}).encode()) for seat in seats]
        process, before, end = psutil.Process(server.process.pid), 0, time.monotonic() + SECONDS
        for _ in range(50):
            stack.enter_context(deaf(server, anna, match))
        while time.monotonic() < end:
            with deaf(server, anna, match) as line, suppress(OSError):
                line.settimeout(1)
                line.sendall(b"".join(hellos) * 1_000)
            frame = anna.frame(match, seen_as="rome")
            if frame["yours"]:
                anna.act(match, frame["number"], frame["actions"][0]["do"])
            before = before or process.memory_info().rss
            time.sleep(1)
        grown = process.memory_info().rss - before
        print(f"{before / 1e6:.0f} MB, {grown / 1e6:.0f} MB more after {SECONDS} s")
        assert grown < GROWTH
        plays(anna, 3)
        stack.close()
        until(lambda: "legatus_sockets 0.0" in anna.ask("GET", "/metrics").text)
