"""The command ``legatus``: one module a topic, put together in ``commands``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

VERSION = "--version"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code."""
    sys.stdout = sys.stdout or _nowhere()  # there is none if it was closed
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without our signs shows question marks
    try:
        code = _run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
    except BrokenPipeError:
        return _no_reader()
    except OSError as error:  # of what was written last
        return _not_written(error)
    return code


def _run(argv: Sequence[str]) -> int:
    """What only tells the version needs no command, and starts at once."""
    if list(argv) == [VERSION]:
        from .version import version_text

        print(version_text())
        return 0
    from .commands import run

    return run(argv)


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def _no_reader() -> int:
    """Whoever read our output has gone: say nothing more, not even at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def _not_written(error: OSError) -> int:
    """The output cannot be written, as on a full disk: one line says so."""
    print(f"legatus: {error.strerror}", file=sys.stderr)
    return 1 + _no_reader()
