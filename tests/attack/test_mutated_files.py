"""Five thousand changed files: each is taken or refused with a sentence, within seconds."""

from __future__ import annotations

import pytest

from legatus.server.workers import OverTime, Worker
from tests.mutations import KINDS, attempt

FILES = 1_000  # of each kind
SECONDS = 10.0


@pytest.mark.parametrize("kind", KINDS)
def test_no_changed_file_breaks_the_command_line(kind: str) -> None:
    worker, broken = Worker(2_000), []
    try:
        for seed in range(FILES):
            try:
                worker.run(SECONDS, attempt, (kind, seed))
            except OverTime:
                broken.append(f"{kind} {seed}: longer than {SECONDS} s")
            except Exception as error:
                broken.append(f"{kind} {seed}: {error!r}")
    finally:
        worker.end()
    assert not broken, "\n".join(broken)
