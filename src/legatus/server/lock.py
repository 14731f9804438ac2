"""A SQLite file is served by one process: the lock is the system's, and ends with the process that has it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import sqlalchemy as sa

try:
    from fcntl import LOCK_EX, LOCK_NB, flock
except ImportError:  # Windows
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
else:

    def _lock(file: int) -> None:
        flock(file, LOCK_EX | LOCK_NB)


class Served(Exception):
    """Another process serves this database."""


@contextmanager
def held(url: str) -> Iterator[None]:
    """Have a SQLite file to oneself; Served if another process has it.  Other databases may be shared."""
    if not url.startswith("sqlite"):
        yield
        return
    path = sa.make_url(url).database or ":memory:"
    if path == ":memory:":
        raise sa.exc.ArgumentError("a database in memory cannot be served")
    with ExitStack() as stack:
        with suppress(OSError):  # where there can be no such file, SQLite says what is wrong
            file = stack.enter_context(Path(f"{path}-lock").open("ab"))
            try:
                _lock(file.fileno())
            except OSError:
                raise Served(path) from None
        yield
