"""The record of a game in play: written whole after every action, without telling every entry anew.

A seed that nobody is to know before the end lies in a file beside the record until then.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..kernel import Match
from ..kernel.files import read_text, write_text
from ..kernel.records import record_head, record_line
from ..lab.audit import Sitting


def seed_file(record: Path) -> Path:
    """Where the seed of a game is while it is secret."""
    return record.with_name(f"{record.name}.seed")


def secret_seed(record: Path) -> str | None:
    """The seed of a game that is not over, if it is kept beside its record."""
    file = seed_file(record)
    return read_text(file).strip() if file.exists() else None


class Record:
    """A record file.  The notes in its head let the game be resumed; ``before`` are earlier players."""

    def __init__(
        self, match: Match, path: Path, sat: Sitting, is_secret: bool, before: Sequence[Sitting]
    ) -> None:
        self.match, self.path, self.sat, self.is_secret = match, path, sat, is_secret
        self.before = [one.notes() for one in before]
        self._lines: list[str] = []  # of the entries told so far, but for the last one

    def save(self, path: Path | None = None) -> None:
        """Write the file, or another one."""
        file = path or self.path
        last = len(self.match.journal) - 1
        del self._lines[last:]
        self._lines += [record_line(self.match, n, False) for n in range(len(self._lines), last)]
        hidden = self.is_secret and self.match.state.outcome is None
        if hidden and secret_seed(file) != str(self.sat.seed):
            write_text(seed_file(file), f"{self.sat.seed}\n")
        head = record_head(self.match, **self._notes(hidden))
        write_text(file, "\n".join([head, *self._lines, record_line(self.match, last, True)]) + "\n")
        if self.is_secret and not hidden:
            seed_file(file).unlink(missing_ok=True)

    def _notes(self, hidden: bool) -> dict[str, Any]:
        """What the head says; a secret seed is left out, also where it was that of earlier players."""
        notes = {**self.sat.notes(), "dice": self.sat.dice}
        before = [dict(one) for one in self.before]
        if hidden:
            for one in (notes, *before):
                if one.get("seed") == self.sat.seed:
                    del one["seed"]
        return {**notes, "before": before} if before else notes

    def forget(self) -> None:
        """The last entry was taken back."""
        left = len(self.match.journal)
        del self._lines[left:]
        for sitting in self.before:
            sitting["until"] = min(sitting["until"], left)
