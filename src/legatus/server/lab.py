"""The lab of the page: balances, played game by game in a process of its own; players take turns."""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from time import monotonic
from typing import Any

from ..bots import level_name
from ..kernel import Game
from ..lab.balance import Examination, battles
from ..lab.figures import Balance
from ..lab.pool import Work
from ..lab.report import fragment
from .faults import Fault
from .lobby import game_of
from .wire import LabInfo, NewLab
from .workers import WorkerPool

log = logging.getLogger("legatus.server")

KEPT = 20  # reports, the newest
LONGEST = 900.0  # seconds, after which what is finished is told
MOST_RUNNING = 20  # balances at a time, of all players
PATIENCE = 0.2  # seconds until it is seen that it should stop


def play(task: Callable[[int], Any], number: int) -> Any:
    """In a worker: one game of a balance."""
    return task(number)


class Apart:
    """The lab's worker, as an engine of games; they are let go when ``stop`` is set."""

    def __init__(self, pool: WorkerPool, holder: str, stop: threading.Event) -> None:
        self.pool, self.holder, self.stop = pool, holder, stop
        self.loop = asyncio.get_running_loop()
        self.end = monotonic() + LONGEST

    def begin(self, task: Callable[[int], Any], numbers: Sequence[int]) -> Work[Any]:
        return Games(self, task, numbers)

    def play(self, task: Callable[[int], Any], number: int) -> Any:
        asked = self.pool.ask("lab", self.holder, play, task, number)
        found: Future[Any] = asyncio.run_coroutine_threadsafe(asked, self.loop)
        while True:
            if self.stop.is_set() or monotonic() > self.end:
                found.cancel()
                raise KeyboardInterrupt
            try:
                return found.result(PATIENCE)
            except TimeoutError:
                if found.done():
                    raise


class Games(Work[Any]):
    """The games of a balance, one after the other."""

    def __init__(self, apart: Apart, task: Callable[[int], Any], numbers: Sequence[int]) -> None:
        self.apart, self.task, self.left = apart, task, iter(numbers)

    def __next__(self) -> tuple[int, Any]:
        number = next(self.left)
        return number, self.apart.play(self.task, number)


class Job:
    """A balance that somebody asked for."""

    def __init__(self, holder: str, request: str, game: Game) -> None:
        self.id = secrets.token_urlsafe(9)
        self.holder, self.request, self.game = holder, request, game
        self.done = self.total = 0
        self.stop = threading.Event()
        self.report: Balance | None = None
        self.failed = False
        self.thread: threading.Thread | None = None

    @property
    def running(self) -> bool:
        return self.report is None and not self.failed

    def begin(self, exam: Examination) -> None:
        self.total = exam.total
        self.thread = threading.Thread(target=self._run, args=(exam,), daemon=True)
        self.thread.start()

    def _run(self, exam: Examination) -> None:
        try:
            self.report = exam.run(self._progress)
        except Exception:
            log.exception("a balance broke down")
            self.failed = True

    def _progress(self, done: int, total: int) -> None:
        self.done, self.total = done, total

    def info(self, holder: str, lang: str) -> LabInfo:
        return LabInfo(
            id=self.id,
            game=self.game.key,
            state="failed" if self.failed else "running" if self.running else "done",
            done=self.done,
            total=self.total,
            mine=bool(holder) and holder == self.holder,
            html=fragment(self.report, self.game, lang) if self.report is not None else "",
        )


class Lab:
    """All balances of this process."""

    def __init__(self, most: int, pool: WorkerPool) -> None:
        self.most = most  # games of one balance; 0: there is no lab
        self.pool = pool
        self.jobs: dict[str, Job] = {}
        self._door = asyncio.Lock()

    def find(self, ident: str) -> Job:
        if ident not in self.jobs:
            raise Fault("not-found", "lab-none")
        return self.jobs[ident]

    async def begin(self, wish: NewLab, holder: str) -> Job:
        """Start it, unless this player has one running; who asks again is given what he has."""
        async with self._door:
            same = [job for job in self.jobs.values() if (job.holder, job.request) == (holder, wish.request)]
            return same[0] if same else await self._begin(wish, holder)

    async def _begin(self, wish: NewLab, holder: str) -> Job:
        job = Job(holder, wish.request, game_of(wish.game))
        exam = await asyncio.to_thread(self._exam, wish, job, Apart(self.pool, holder, job.stop))
        running = [other.holder for other in self.jobs.values() if other.running]
        if holder in running or len(running) >= MOST_RUNNING:
            raise Fault("taken", "lab-busy" if holder in running else "lab-full")
        self.jobs[job.id] = job
        for old in [ident for ident, other in self.jobs.items() if not other.running][:-KEPT]:
            del self.jobs[old]
        job.begin(exam)
        return job

    def _exam(self, wish: NewLab, job: Job, engine: Apart) -> Examination:
        """Strangers name only what the game has: no file is read for them."""
        game, fights = job.game, battles(job.game, wish.scenarios, wish.armies)
        self._bounded(len(fights) * wish.games)
        for fight in fights:
            game.configure_known(fight.scenario, fight.armies)
        defaults = {option.key: option.default for option in game.options}
        game.configure_known(options={key: defaults.get(key, True) for key in wish.effects})
        bots = [level_name(wish.bot)] * len(game.seats)
        exam = Examination(
            game,
            fights,
            bots,
            wish.games,
            secrets.randbelow(10**6) if wish.seed is None else wish.seed,
            effects=tuple(dict.fromkeys(wish.effects)),
            handicap=wish.handicap,
            engine=engine,
        )
        self._bounded(exam.total)
        return exam

    def _bounded(self, games: int) -> None:
        if games > self.most:
            raise Fault("bad-request", "lab-games", games=games, limit=self.most)

    def stop(self, ident: str, holder: str) -> Job:
        job = self.find(ident)
        if job.holder != holder:
            raise Fault("not-yours", "lab-not-yours")
        job.stop.set()
        return job

    def close(self) -> None:
        for job in self.jobs.values():
            job.stop.set()
        for job in self.jobs.values():
            if job.thread is not None:
                job.thread.join()
        self.pool.close()
