"""Analyses of matches that are over: worked out in the background, in small parts.

The parts of one analysis go to the workers one after the other; analyses of several players take turns.  What
was found is kept in memory.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ..games import GAMES
from ..kernel.codec import label, parse_action
from ..kernel.records import record_text
from ..lab.analyse import Analysis, Job, Moment, Plan, Study, jobs_of, stages
from ..lab.curve import Curve
from .faults import Fault
from .frames import Eyes, log_lines
from .live import Hall, Table
from .wire import AnalysisInfo, AnalysisMoment, TurningPoint

log = logging.getLogger("legatus.server")

PLAN = Plan(playouts=20, samples=10)
KEPT = 40  # analyses in memory
KEPT_MOMENTS = 40_000  # in all of them, of some 500 bytes each
MOST_WAITING = 3  # of one player, that are not done yet
MOST_OF_ADDRESS = 9  # of all keys of an address
MOST_OF_ALL = 100  # of all players
PART = 4  # actions weighed in one go


@lru_cache(maxsize=8)  # so many analyses take turns
def _study(game_key: str, text: str, plan: Plan) -> Study:
    return Study(GAMES[game_key], text, plan)


def reckon_part(game_key: str, text: str, plan: Plan, curve: Curve | None, jobs: list[Job]) -> list[Any]:
    """In a worker: some jobs of an analysis."""
    study = _study(game_key, text, plan)
    study.curve = curve
    return [study.run(job) for job in jobs]


class Work:
    """One analysis: asked for, under way, done or failed."""

    def __init__(self, total: int, holder: str) -> None:
        self.done, self.total, self.holder = 0, total, holder
        self.found: Analysis | None = None
        self.task: asyncio.Task[None] | None = None
        self.failed = False
        self.fault: Fault | None = None  # why, if it is known

    @property
    def waits(self) -> bool:
        return self.found is None and not self.failed


class Analyst:
    """All analyses of this process."""

    def __init__(self, hall: Hall) -> None:
        self.hall, self.pool = hall, hall.pool
        self._works: OrderedDict[str, Work] = OrderedDict()

    def begin(self, table: Table, holder: str) -> None:
        """Ask for the analysis of a match that is over; it may be there already."""
        self._may_see(table)
        work = self._works.get(table.head.id)
        if work is not None and not work.failed:
            return
        waiting = [other.holder for other in self._works.values() if other.waits]
        clients = [self.pool.client_of(other) for other in waiting]
        of_address = clients.count(self.pool.client_of(holder))
        if (
            waiting.count(holder) >= MOST_WAITING
            or of_address >= MOST_OF_ADDRESS
            or len(waiting) >= MOST_OF_ALL
        ):
            raise Fault("too-many", "analyses", wait=10.0)
        entries = len(table.match.journal)
        if entries < 2:
            raise Fault("bad-request", "nothing-done")
        work = self._works[table.head.id] = Work(jobs_of(PLAN, entries), holder)
        work.task = asyncio.create_task(self._run(table, work))
        self._forget()

    async def info(self, table: Table, client: str, lang: str) -> AnalysisInfo:
        """How far it is, and what was found."""
        self._may_see(table)
        work = self._works.get(table.head.id)
        if work is None:
            return AnalysisInfo("none")
        found = work.found
        if found is None:
            state = "failed" if work.failed else "working" if work.done else "waiting"
            problem = work.fault.say(lang) if work.fault else ""
            return AnalysisInfo(state, work.done, work.total, problem=problem)  # type: ignore[arg-type]
        return await self.hall.look(client, table, lambda seen: told(seen, found, lang), 1)

    async def stop(self) -> None:
        tasks = [work.task for work in self._works.values() if work.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @staticmethod
    def _may_see(table: Table) -> None:
        if not table.over:
            raise Fault("secret", "not-open")

    def _forget(self) -> None:
        for match_id, work in list(self._works.items()):
            moments = sum(len(work.found.moments) for work in self._works.values() if work.found)
            if len(self._works) <= KEPT and moments <= KEPT_MOMENTS:
                return
            if not work.waits:
                del self._works[match_id]

    async def _run(self, table: Table, work: Work) -> None:
        try:
            work.found = await self._reckon(table, work)
        except Exception as error:
            work.failed, work.fault = True, error if isinstance(error, Fault) else None
            log.exception("an analysis failed", extra={"match": table.head.id})

    async def _reckon(self, table: Table, work: Work) -> Analysis:
        client = self.pool.client_of(work.holder)
        text = await self.hall.look(client, table, lambda seen: record_text(seen.match), 1)
        study = Study(table.game, text, PLAN)
        going = stages(study)
        answer: list[Any] | None = None
        while True:
            batch = await self.hall.readers_of(table).ask(client, _send, going, answer)
            if isinstance(batch, Analysis):
                return batch
            answer = []
            for part in _parts(batch):
                args = (table.game.key, text, PLAN, study.curve, part)
                answer += await self.pool.ask("analysis", work.holder, reckon_part, *args)
                work.done += len(part)


def _send(going: Any, answer: list[Any] | None) -> list[Job] | Analysis:
    """The next jobs, or the end; a StopIteration does not pass through a thread."""
    try:
        return going.send(answer)  # type: ignore[no-any-return]
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]


def _parts(jobs: list[Job]) -> Iterator[list[Job]]:
    size = 1 if jobs and jobs[0][0] == "play" else PART
    for start in range(0, len(jobs), size):
        yield jobs[start : start + size]


# --- for the page --------------------------------------------------------------------------------


def told(table: Table, found: Analysis, lang: str) -> AnalysisInfo:
    """An analysis over the wire, in somebody's language."""
    seats = table.game.seats
    return AnalysisInfo(
        state="done",
        done=len(found.moments),
        total=len(found.moments),
        moments=tuple(_moment(seats, moment) for moment in found.moments),
        turning=tuple(_point(table, found.moments[entry], lang) for entry in found.turning),
        luck=tuple(found.luck(seat) for seat in range(len(seats))),
        decisions=tuple(found.decisions(seat) for seat in range(len(seats))),
        outlook=tuple(found.outlook(seat) for seat in range(len(seats))),
        error=found.error,
        playouts=found.plan.playouts,
    )


def _moment(seats: tuple[str, ...], moment: Moment) -> AnalysisMoment:
    return AnalysisMoment(
        entry=moment.entry,
        seat="" if moment.seat is None else seats[moment.seat],
        value=moment.value,
        low=moment.low,
        high=moment.high,
        luck=moment.luck.by,
        luck_give=moment.luck.give,
        decision=moment.decision.by,
        decision_give=moment.decision.give,
        rest=moment.rest,
    )


def _point(table: Table, moment: Moment, lang: str) -> TurningPoint:
    """A turning point as the log tells it."""
    entry, game = moment.entry, table.game
    before, after = table.match.states[entry - 1], table.match.states[entry]
    lines = tuple(log_lines(table, Eyes(None, lang, open=True), table.match.events[entry], after))

    def named(line: str) -> str:
        return label(game, before, parse_action(game, line), lang) if line else ""

    return TurningPoint(entry, named(moment.do), named(moment.best), lines)
