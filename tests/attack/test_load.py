"""500 matches, 1,000 sockets, 100 moves a second, for ten minutes; see ``load``."""

from __future__ import annotations

from pathlib import Path

from .load import measure

MINUTES = 10


def test_a_server_under_load(tmp_path: Path) -> None:
    found = measure(tmp_path, matches=500, pace=100, seconds=60 * MINUTES)
    print(found)
    assert found["moves a second"] > 90
    assert found["p95 ms"] < 50
    assert found["MB at last"] < 1.5 * found["MB at first"] + 50
