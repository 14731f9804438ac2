"""The lab of the page: one balance at a time, in a process of its own, bounded and stoppable."""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

from ..bots import level_name
from ..kernel import Game
from ..lab.balance import Examination, battles
from ..lab.figures import Balance
from ..lab.pool import Crew, Work
from ..lab.report import fragment
from .faults import Fault
from .lobby import game_of
from .wire import LabInfo, NewLab

log = logging.getLogger("legatus.server")

KEPT = 20  # reports, the newest
LONGEST = 900.0  # seconds, after which what is finished is told
PATIENCE = 0.2  # seconds until it is seen that it should stop


class Apart:
    """One process beside the server's; it is let go when ``stop`` is set."""

    def __init__(self, stop: threading.Event) -> None:
        self.stop, self.end = stop, monotonic() + LONGEST

    def begin(self, task: Callable[[int], Any], numbers: Sequence[int]) -> Work[Any]:
        crew = Stoppable(task, numbers, 1)
        crew.stopped, crew.end = self.stop, self.end
        return crew


class Stoppable(Crew[Any]):
    """Looks up now and then whether it should go on."""

    patience = PATIENCE
    stopped: threading.Event
    end: float

    def _listen(self, seconds: float | None) -> None:
        if seconds and (self.stopped.is_set() or monotonic() > self.end):
            raise KeyboardInterrupt
        super()._listen(seconds)


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

    def __init__(self, most: int) -> None:
        self.most = most  # games of one balance; 0: there is no lab
        self.jobs: dict[str, Job] = {}
        self._door = threading.Lock()

    def find(self, ident: str) -> Job:
        if ident not in self.jobs:
            raise Fault("not-found", "lab-none")
        return self.jobs[ident]

    def begin(self, wish: NewLab, holder: str) -> Job:
        """Start it, unless one is being played; who asks again is given what he has."""
        with self._door:
            same = [job for job in self.jobs.values() if (job.holder, job.request) == (holder, wish.request)]
            return same[0] if same else self._begin(wish, holder)

    def _begin(self, wish: NewLab, holder: str) -> Job:
        game = game_of(wish.game)
        job = Job(holder, wish.request, game)
        exam = self._exam(game, wish, job)
        if exam.total > self.most:
            raise Fault("bad-request", "lab-games", games=exam.total, limit=self.most)
        if any(other.running for other in self.jobs.values()):
            raise Fault("taken", "lab-busy")
        self.jobs[job.id] = job
        for old in list(self.jobs)[:-KEPT]:
            del self.jobs[old]
        job.begin(exam)
        return job

    def _exam(self, game: Game, wish: NewLab, job: Job) -> Examination:
        """Strangers name only what the game has: no file is read for them."""
        fights = battles(game, wish.scenarios, wish.armies)
        for fight in fights:
            game.configure_known(fight.scenario, fight.armies)
        defaults = {option.key: option.default for option in game.options}
        game.configure_known(options={key: defaults.get(key, True) for key in wish.effects})
        bots = [level_name(wish.bot)] * len(game.seats)
        return Examination(
            game,
            fights,
            bots,
            wish.games,
            secrets.randbelow(10**6) if wish.seed is None else wish.seed,
            effects=tuple(dict.fromkeys(wish.effects)),
            handicap=wish.handicap,
            engine=Apart(job.stop),
        )

    def stop(self, ident: str, holder: str) -> Job:
        job = self.find(ident)
        if job.holder != holder:
            raise Fault("not-yours", "lab-not-yours")
        job.stop.set()
        return job

    def close(self) -> None:
        for job in self.jobs.values():
            job.stop.set()
            if job.thread is not None:
                job.thread.join()
