"""Our server beside boardgame.io's, in one run on this machine: ``make bench``.

Both serve the same number of live matches on one process, two clients each, and the clients are the same Node
program (``boardgame/clients.mjs``).  Ours judges a battle of Virtus, tells each what he sees and may do, and
has a move on the disk before it tells anybody.  boardgame.io puts one unit somewhere in a battle of that size
(``boardgame/server.mjs``), tells each what he sees first, and writes to files without a flush.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MATCHES = 200
STAGES = (0, 150)  # moves that the oldest match has behind it: boardgame.io writes its whole log each time
SECONDS = 12
ROUNDS = 2
PACED = 100  # moves a second, of all matches together
HERE = Path(__file__).parent / "boardgame"
PAGE = Path(__file__).parents[2] / "src" / "legatus" / "server" / "page"
OURS = ("legatus", "legatus: Virtus, SQLite, flushed")
THEIRS = ("boardgame", "boardgame.io 0.50.2: units, FlatFile")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(which: str) -> Iterator[int]:
    """A server with an empty store; its port."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="legatus-bench-") as folder:
        if which == "legatus":
            command = [sys.executable, "-m", "legatus", "serve", "--no-browser", "--port", str(port)]
            command += ["--database", f"{folder}/bench.sqlite3"]
            command += ["--requests", "0", "--openings", "0", "--sockets", "0"]
        else:
            command = ["node", str(HERE / "server.mjs"), str(port), folder]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            wait_for(port, process)
            yield port
        finally:
            process.terminate()
            process.wait(30)


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        assert process.poll() is None, "the server died"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError("the server does not answer")


def measure(which: str, before: int) -> dict[str, Any]:
    with running(which) as port:
        command = ["node", str(HERE / "clients.mjs"), which, str(port)]
        command += map(str, (MATCHES, before, SECONDS, PACED))
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=900, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    for name, one in found.items():
        assert not one["stuck"], f"{one['stuck']} matches do not go on ({which}, {name})"
    return found


def compare(found: dict[str, list[dict[str, Any]]], mode: str) -> None:
    """Of each the best round."""
    best = {
        which: min((one[mode] for one in rounds), key=lambda one: one["p95"])
        for which, rounds in found.items()
    }
    for which, name in (OURS, THEIRS):
        one = best[which]
        print(
            f"  {name:45} {one['moves'] / one['seconds']:7,.0f} moves/s   "
            f"to both clients: median {one['median']:6.1f} ms, p95 {one['p95']:6.1f} ms   "
            f"(clients: {one['client']:.0%} of a core)"
        )
    ours, theirs = (best[which] for which, _ in (OURS, THEIRS))
    print(
        f"  ours/theirs: moves {ours['moves'] / theirs['moves']:.2f}, p95 {ours['p95'] / theirs['p95']:.2f}"
    )


def page_size() -> None:
    """What a browser loads first, compressed."""
    index = PAGE / "index.html"
    if not index.exists():
        print("First page: not built")
        return
    text = index.read_text()
    names = re.findall(r'(?:src|href)="/?([^"]+\.(?:js|css))"', text)
    files = [index, *(PAGE / name.removeprefix("./") for name in dict.fromkeys(names))]
    sizes = {file.name: len(gzip.compress(file.read_bytes(), 6)) for file in files}
    listed = ", ".join(f"{name} {size / 1000:.1f}" for name, size in sizes.items())
    print(f"First page, compressed: {sum(sizes.values()) / 1000:.1f} kB ({listed})")


def main() -> None:
    if shutil.which("node") is None or shutil.which("npm") is None:
        print("Servers: node and npm are needed for boardgame.io; left out")
    else:
        if not (HERE / "node_modules").exists():
            subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--silent"], cwd=HERE, check=True)
        for before in STAGES:
            print(
                f"{MATCHES} live matches, 0 to {before} moves old, two clients each, best of {ROUNDS} rounds:"
            )
            found: dict[str, list[dict[str, Any]]] = {OURS[0]: [], THEIRS[0]: []}
            for _ in range(ROUNDS):
                for which in found:
                    found[which].append(measure(which, before))
            print(f" {SECONDS} s, as fast as both clients have the last move")
            compare(found, "fast")
            print(f" {SECONDS} s, {PACED} moves a second in all")
            compare(found, "paced")
    page_size()


if __name__ == "__main__":
    main()
