"""What shows that the computer plays fair, when a match is over: who sat where, the seed, and its thoughts.

The seed foretells the dice, and thoughts tell secrets: of a match that goes on only the hash of its seed and
what the players contributed are told.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..bots import HUMAN
from ..kernel.codec import label, parse_action
from ..kernel.commitment import SEEDED, Contribution, commitment_of
from ..kernel.records import record_text
from ..lab.audit import Question, Sitting, question
from ..lab.verify import Finding, Verdict
from .faults import Fault
from .frames import Eyes, entry_of, sentence
from .jobs import consider, examine
from .live import Hall, Table, fairness_of
from .store import MatchRow
from .wire import ThoughtInfo, ThoughtsInfo, VerdictInfo
from .words import WORDS

KEPT_BYTES = 20_000_000  # of decisions in memory, about
SHOWN = 8  # actions, the best first
KEPT_VERDICTS = 200


def sitting(table: Table) -> Sitting | None:
    """Who sat where, and the seed; nothing as long as a match goes on, and of records that do not say it."""
    if not table.over or not table.head.seed:
        return None
    names = {table.game.seats[row.seat]: row.bot or HUMAN for row in table.seats}
    return replace(promise(table.head, table.contributions), seats=names, seed=table.head.seed)


def promise(head: MatchRow, contributions: Sequence[Contribution]) -> Sitting:
    """What the dice of a match follow from, without its seed."""
    last = fairness_of(head)
    if head.replay:
        return replace(last, seats={}, seed=None)
    promised = commitment_of(head.seed) if last.scheme != SEEDED else ""
    dice = "seeded" if head.luck == "server" else head.luck
    return replace(last, commitment=promised, contributions=tuple(contributions), dice=dice)


def notes(table: Table) -> dict[str, Any]:
    """For the head of a record, as ``legatus play`` writes it."""
    closed = table.closed
    notes = (sitting(table) or promise(table.head, table.contributions)).notes()
    if not table.head.replay:
        notes["scheme"] = table.fairness.scheme
    elif table.head.fairness is not None:
        notes = table.fairness.notes()
    if closed is None or closed.reason == "length":
        return notes
    return {**notes, "cut": msgspec.to_builtins(closed)}


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

    def __init__(self, hall: Hall) -> None:
        self.hall, self.pool = hall, hall.pool
        self._kept: OrderedDict[tuple[str, int], Recalled] = OrderedDict()
        self._verdicts: OrderedDict[str, Verdict] = OrderedDict()
        self._examining: dict[tuple[str, str], asyncio.Future[Verdict]] = {}  # by match and address

    async def verdict(self, table: Table, client: str, holder: str, lang: str) -> VerdictInfo:
        """Whether the dice of a match that is over fell as they had to, recomputed by a worker."""
        entries, promised = len(table.match.journal), promise(table.head, table.contributions)
        if not table.over:
            finding: Finding = "unrevealed" if promised.commitment else "missing"
            return _judged(table, Verdict(finding, entries, commitment=promised.commitment), lang)
        match = table.head.id
        found = self._verdicts.get(match)
        if found is None:
            place = match, client  # nobody waits in the queue of somebody else
            if place not in self._examining:  # whoever asks meanwhile from there waits for the same
                self._examining[place] = asyncio.ensure_future(self._examine(table, client, holder))
            found = await asyncio.shield(self._examining[place])
        return _judged(table, found, lang)

    async def _examine(self, table: Table, client: str, holder: str) -> Verdict:
        try:
            text = await self.hall.look(client, table, lambda seen: record_text(seen.match, **notes(seen)), 1)
            found = await self.pool.ask("check", holder, examine, text)
        finally:
            del self._examining[table.head.id, client]
        self._verdicts[table.head.id] = found
        if len(self._verdicts) > KEPT_VERDICTS:
            self._verdicts.popitem(last=False)
        return found

    async def considered(self, table: Table, entry: int, client: str, holder: str, lang: str) -> ThoughtsInfo:
        """What was considered at a moment at which the computer was to decide."""
        if not table.over:
            raise Fault("secret", "not-open")
        entry_of(table, Eyes(None, lang, open=True), entry)
        asked = await self.hall.look(client, table, lambda seen: _asked(seen, entry), entry)
        if asked is None:
            raise Fault("not-found", "no-bot", entry=entry)
        found = await self._recall(table, asked, holder)
        return await self.hall.look(client, table, lambda seen: _told(seen, asked, found, lang), entry)

    async def _recall(self, table: Table, asked: Question, holder: str) -> Recalled:
        place = (table.head.id, asked.entry)
        found = self._kept.get(place)
        if found is None:
            args = (table.game.key, asked.known, asked.seat, asked.bot, str(asked.seed), asked.entry)
            found = Recalled(*await self.pool.ask("thoughts", holder, consider, *args))
        self._kept[place] = found
        self._kept.move_to_end(place)
        while sum(one.size for one in self._kept.values()) > KEPT_BYTES and len(self._kept) > 1:
            self._kept.popitem(last=False)
        return found


def _asked(table: Table, entry: int) -> Question | None:
    """What the computer was to decide at a moment, if it was."""
    sat = sitting(table)
    known = sat is not None and entry + 1 < len(table.match.journal)
    return question(table.match, [sat], entry + 1) if known and sat else None


def _judged(table: Table, found: Verdict, lang: str) -> VerdictInfo:
    lines = tuple(sentence(table.game, table.match.state, said, lang) for said in found.said())
    return VerdictInfo(found.good, found.finding, found.dice, found.typed, found.entry, lines)


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
