"""What shows that the computer plays fair, when a match is over: who sat where, the seed, and its thoughts.

The seed foretells the dice, and thoughts tell secrets: nothing here is for a match that goes on.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import msgspec
from msgspec import Struct

from ..bots import HUMAN
from ..kernel.codec import label, parse_action
from ..lab.audit import Question, Sitting, question
from .faults import Fault
from .frames import Eyes, entry_of
from .jobs import consider
from .live import Table
from .wire import ThoughtInfo, ThoughtsInfo
from .words import WORDS
from .workers import WorkerPool

KEPT_BYTES = 20_000_000  # of decisions in memory, about
SHOWN = 8  # actions, the best first


def sitting(table: Table) -> Sitting | None:
    """Who sat where, and the seed; nothing as long as a match goes on, and of records that do not say it."""
    if not table.over or not table.head.seed:
        return None
    names = {table.game.seats[row.seat]: row.bot or HUMAN for row in table.seats}
    return Sitting(names, table.head.seed)


def notes(table: Table) -> dict[str, Any]:
    """For the head of a record, as ``legatus play`` writes it."""
    found, closed = sitting(table), table.closed
    notes = found.notes() if found is not None else {}
    return (
        notes
        if closed is None or closed.reason == "length"
        else {**notes, "cut": msgspec.to_builtins(closed)}
    )


class Recalled(Struct, frozen=True):
    """A decision made again: what is done now, and what was considered."""

    do: str
    thoughts: list[tuple[str, float, int]]

    @property
    def size(self) -> int:
        """About how many bytes it takes up in memory."""
        return 500 + sum(200 + len(line) for line, _, _ in self.thoughts)


class Memory:
    """What the computer considered: thought again by a worker, from the view alone."""

    def __init__(self, pool: WorkerPool) -> None:
        self.pool = pool
        self._kept: OrderedDict[tuple[str, int], Recalled] = OrderedDict()

    async def considered(self, table: Table, entry: int, holder: str, lang: str) -> ThoughtsInfo:
        """What was considered at a moment at which the computer was to decide."""
        if not table.over:
            raise Fault("secret", "not-open")
        entry_of(table, Eyes(None, lang, open=True), entry)
        sat = sitting(table)
        known = sat is not None and entry + 1 < len(table.match.journal)
        asked = question(table.match, [sat], entry + 1) if known and sat else None
        if asked is None:
            raise Fault("not-found", "no-bot", entry=entry)
        return _told(table, asked, await self._recall(table, asked, holder), lang)

    async def _recall(self, table: Table, asked: Question, holder: str) -> Recalled:
        place = (table.head.id, asked.entry)
        found = self._kept.get(place)
        if found is None:
            args = (table.game.key, asked.known, asked.seat, asked.bot, table.head.seed, asked.entry)
            found = Recalled(*await self.pool.ask("thoughts", holder, consider, *args))
        self._kept[place] = found
        self._kept.move_to_end(place)
        while sum(one.size for one in self._kept.values()) > KEPT_BYTES and len(self._kept) > 1:
            self._kept.popitem(last=False)
        return found


def _told(table: Table, asked: Question, found: Recalled, lang: str) -> ThoughtsInfo:
    """The best of it in words; what was done is among it, if it was considered."""
    game = table.game
    view = game.view(table.match.states[asked.entry - 1], asked.seat)

    def named(line: str) -> str:
        return label(game, view, parse_action(game, line), lang)

    done = [one for one in found.thoughts[SHOWN:] if one[0] == asked.done]
    shown = found.thoughts[: SHOWN - len(done)] + done
    return ThoughtsInfo(
        entry=asked.entry - 1,
        seat=game.seats[asked.seat],
        bot=WORDS[lang].sentences.get(f"bot.{asked.bot}.label", asked.bot),
        done=named(asked.done),
        same=found.do == asked.done,
        considered=len(found.thoughts),
        thoughts=tuple(
            ThoughtInfo(named(line), value, tries, line == asked.done) for line, value, tries in shown
        ),
    )
