"""Two Ray nodes on this machine play the same games as the processes here: ``python -m tests.lab.two_nodes``.

A worker is killed on the way.  What both found is printed as JSON, and a difference is exit code 1.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import msgspec

from legatus.games import GAMES
from legatus.kernel import Game, Setup
from legatus.lab import Report, simulate
from legatus.lab.cluster import Ray

KILLED_AFTER = 3  # finished games


def untimed(report: Report) -> bytes:
    return msgspec.json.encode(msgspec.structs.replace(report, seconds=0.0, decisions_per_second=0.0))


class Killer:
    """Kills one worker of the cluster when some games are finished."""

    def __init__(self) -> None:
        self.killed = 0

    def __call__(self, done: int, total: int) -> None:
        if done == KILLED_AFTER:
            self.killed = next(_workers(), 0)
            if self.killed:
                os.kill(self.killed, signal.SIGKILL)


def _workers() -> Any:
    """The processes that are playing; Ray names them after what they do."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if b"ray::_play" in path.read_bytes():
                yield int(path.parent.name)
        except OSError:
            continue


def compare(game: Game, setup: Setup, bots: tuple[str, str], games: int) -> dict[str, Any]:
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 – Ray's name; else all that runs here comes first
    from ray.cluster_utils import Cluster

    local = simulate(game, setup, bots, games, 7, 2)
    began = time.perf_counter()
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    killer = Killer()
    try:
        cluster.add_node(num_cpus=1)
        started = time.perf_counter() - began
        engine = Ray(cluster.address)
        found = simulate(game, setup, bots, games, 7, progress=killer, engine=engine)
    finally:
        cluster.shutdown()
    return {
        "same": untimed(found) == untimed(local),
        "games": found.games,
        "wins": found.wins,
        "killed": killer.killed,
        "nodes_started_in": round(started, 1),
        "local": round(local.seconds, 1),
        "cluster": round(found.seconds, 1),
    }


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--games", type=int, default=500)
    asked.add_argument("--bots", default="random,random")
    given = asked.parse_args()
    first, second = given.bots.split(",")
    virtus = GAMES["virtus"]
    found = compare(virtus, virtus.configure("plain-small"), (first, second), given.games)
    print(json.dumps(found))
    return 0 if found["same"] and found["games"] == given.games else 1


if __name__ == "__main__":
    raise SystemExit(main())
