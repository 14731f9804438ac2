"""How each viewer counts a match: what changes nothing for him is not in his numbers.

While one side lays its orders in secret, the other must not learn how many it lays.  So the rows of a journal
and the entries of a match are numbered for each viewer apart: those that told him nothing and left his view
as it was are passed over.  When a match is over, everybody may see everything and counts all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..kernel import Event, Game, State
from ..kernel.codec import state_to_json
from .store import CONTRIBUTE, RESUMED, UNDO, Row

ALL = -1  # a row that everybody noticed: every bit is set


def everybody(game: Game) -> int:
    """The bits of all seats and of spectators, who have the highest one."""
    return (2 << len(game.seats)) - 1


def bits_of(game: Game, seats: Iterable[int]) -> int:
    """The bits of somebody who holds ``seats``: he also sees what spectators see."""
    return (1 << len(game.seats)) | sum(1 << seat for seat in seats)


def who_notices(game: Game, before: State, after: State, events: Sequence[Event]) -> int:
    """The bits of the seat that acted, and of those to whom a row told something or whose view it changed."""
    if not game.has_secrets or any(event.to is None for event in events):
        return ALL
    found = 0 if before.decision is None else 1 << before.decision.seat
    for bit, seat in enumerate((*range(len(game.seats)), None)):
        if any(event.to == seat for event in events) or _changed(game, before, after, seat):
            found |= 1 << bit
    return ALL if found == everybody(game) else found


def _changed(game: Game, before: State, after: State, seat: int | None) -> bool:
    return state_to_json(game.view(before, seat)) != state_to_json(game.view(after, seat))


class Counting:
    """Who noticed which row and which entry of a match."""

    def __init__(self) -> None:
        self.times: list[str] = []  # of all rows
        self.quiet: dict[int, int] = {}  # rows that somebody did not notice: the bits of those who did
        self.undos: list[int] = []  # rows that took entries away
        self.entries: list[int] = []  # bits, by the number of the entry
        self.resumed = 0  # entries before the last one that goes on from a stored position
        self._numbers: dict[int, int] = {}  # of all rows, by bits: every watcher asks after every row
        self._shown: dict[int, Sequence[int]] = {}

    def copy(self) -> Counting:
        """The same, and it stays as it is while this one goes on."""
        other = Counting()
        other.times, other.quiet = list(self.times), dict(self.quiet)
        other.undos, other.entries = list(self.undos), list(self.entries)
        other.resumed = self.resumed
        return other

    def add(self, row: Row) -> None:
        self._forget()
        noticed = ALL if row.noticed is None else row.noticed
        if noticed != ALL:
            self.quiet[len(self.times)] = noticed
        if row.do == UNDO or row.do.startswith(RESUMED):
            self.undos.append(len(self.times))
        self.times.append(row.at)
        if row.do.startswith(RESUMED):
            self.resumed = len(self.entries)
            self.entries = [ALL] * self.resumed
        if row.do == UNDO:
            if self.entries:
                self.entries.pop()
        elif not row.do.startswith(CONTRIBUTE):  # that is a row and no entry
            self.entries.append(noticed)

    def settle(self, entries: int) -> None:
        """Count all entries before the last resumption: changed rules may have left fewer than rows tell."""
        self._forget()
        if len(self.entries) != entries:
            later = self.entries[self.resumed :]
            self.entries = ([ALL] * (entries - len(later)) + later)[-entries:]

    def number(self, bits: int, row: int | None = None) -> int:
        """How many rows a viewer counts: all, or those before ``row``."""
        if row is None:
            if bits not in self._numbers:
                self._numbers[bits] = self.number(bits, len(self.times))
            return self._numbers[bits]
        if bits == ALL:
            return row
        return row - sum(1 for quiet, noticed in self.quiet.items() if quiet < row and not noticed & bits)

    def before_undo(self, bits: int) -> int:
        """How many rows a viewer had counted when entries were taken away last that he knew of."""
        last = next((row for row in reversed(self.undos) if self.quiet.get(row, ALL) & bits), 0)
        return self.number(bits, last)

    def moved(self, bits: int) -> str:
        """When a viewer noticed something last."""
        last = len(self.times) - 1
        while last > 0 and not self.quiet.get(last, ALL) & bits:
            last -= 1
        return self.times[last]

    def shown(self, bits: int) -> Sequence[int]:
        """The entries that a viewer counts."""
        if not self.quiet:
            return range(len(self.entries))
        if bits not in self._shown:
            self._shown[bits] = [entry for entry, noticed in enumerate(self.entries) if noticed & bits]
        return self._shown[bits]

    def _forget(self) -> None:
        self._numbers.clear()
        self._shown.clear()
