"""The record of a game in play: written whole after every action, without telling every entry anew."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..kernel import Match
from ..kernel.files import write_text
from ..kernel.records import record_head, record_line
from ..lab.audit import Sitting


class Record:
    """A record file.  ``notes`` in its head let the game be resumed; ``before`` are earlier players."""

    def __init__(self, match: Match, path: Path, notes: dict[str, Any], before: Sequence[Sitting]) -> None:
        self.match, self.path, self.before = match, path, [one.notes() for one in before]
        self.notes = {**notes, "before": self.before} if before else notes
        self._lines: list[str] = []  # of the entries told so far, but for the last one

    def save(self, path: Path | None = None) -> None:
        """Write the file, or another one."""
        last = len(self.match.journal) - 1
        del self._lines[last:]
        self._lines += [record_line(self.match, n, False) for n in range(len(self._lines), last)]
        lines = [record_head(self.match, **self.notes), *self._lines, record_line(self.match, last, True)]
        write_text(path or self.path, "\n".join(lines) + "\n")

    def forget(self) -> None:
        """The last entry was taken back."""
        left = len(self.match.journal)
        del self._lines[left:]
        for sitting in self.before:
            sitting["until"] = min(sitting["until"], left)
