"""Worker processes: whatever takes long for a client is done there, one piece at a time, within limits.

Work waits in a queue.  What a person at a table waits for comes first, then what runs in the background, then
bots that nobody watches; within each of these, addresses and the players of an address take turns.  Work that
exceeds its time or its memory is ended together with its worker, and a new worker takes that one's place.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import multiprocessing.reduction
import sys
import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import astuple

from ..bots.crew import begin
from .faults import Fault

log = logging.getLogger("legatus.server")

T = TypeVar("T")

TRIES = 3  # workers that die over one piece of work, before its client is told
START_SECONDS = 120.0  # until a new worker must be ready
KEYS_OF_ADDRESS = 3  # times as much of one address may wait as of one key
MAX_REMEMBERED = 10_000  # players whose turns and addresses are remembered

AT_TABLE, BACKGROUND, UNWATCHED = range(3)  # who is served first
RANKS = {
    "check": AT_TABLE,  # a record, a set-up
    "design": AT_TABLE,  # a fortress, an army
    "move": AT_TABLE,  # an action of a battle that was uploaded
    "odds": AT_TABLE,
    "bot": AT_TABLE,  # where a person watches
    "odd_bot": AT_TABLE,  # in a battle that may have been uploaded
    "thoughts": BACKGROUND,
    "analysis": BACKGROUND,  # one part
    "lab": BACKGROUND,  # one game
}


BOTS = frozenset(("bot", "odd_bot"))
MAY_BE_LONG = BOTS | {"check"}


class Limits(Struct, frozen=True):
    """The longest that a piece of work of each kind may take, in seconds."""

    check: float = 20
    design: float = 5
    move: float = 5
    odds: float = 10
    bot: float = 120
    odd_bot: float = 20
    thoughts: float = 120
    analysis: float = 120
    lab: float = 300

    def times(self, factor: float) -> Limits:
        """All of them longer or shorter."""
        return Limits(*(seconds * factor for seconds in astuple(self)))


class WorkerLost(Exception):
    """A worker process ended by itself."""


class OverTime(Exception):
    """Work took longer than it may."""


class Worker:
    """One process, started when it is first wanted; it is used from one thread at a time."""

    def __init__(self, megabytes: int) -> None:
        self.megabytes = megabytes
        self.is_closed = False
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._lock = threading.Lock()  # between a start and the end of everything

    def run(self, seconds: float, work: Callable[..., Any], args: tuple[object, ...]) -> Any:
        """What ``work`` returns or raises; MemoryError, OverTime and WorkerLost end the process."""
        pipe = self._pipe or self._start()
        try:
            pipe.send((work, args))
            if not pipe.poll(seconds):
                raise OverTime
            is_good, value = pipe.recv()
        except (OverTime, EOFError, OSError) as error:
            self.end()
            raise error if isinstance(error, OverTime) else WorkerLost from None
        if is_good:
            return value
        if isinstance(value, MemoryError):
            self.end()
        raise value

    def _start(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, self.megabytes), daemon=True)
        with self._lock:
            if self.is_closed:
                raise WorkerLost
            process.start()
            self._process, self._pipe = process, ours
        theirs.close()  # else nobody would notice that the process has ended
        try:
            if not ours.poll(START_SECONDS):
                raise EOFError
            ours.recv()
        except (EOFError, OSError):
            self.end()
            raise WorkerLost from None
        return ours

    def end(self) -> None:
        """End the process; the next work starts another one."""
        process, pipe, self._process, self._pipe = self._process, self._pipe, None, None
        if process is not None:
            process.kill()
            process.join()
        if pipe is not None:
            pipe.close()

    def close(self) -> None:
        """End the process for good; whoever waits for it is told."""
        with self._lock:
            self.is_closed = True
            if self._process is not None:
                self._process.kill()


@dataclass(eq=False)
class Job:
    """A piece of work that waits or is done."""

    kind: str
    holder: str
    address: str
    is_watched: Callable[[], bool]
    number: int
    work: Callable[..., Any]
    args: tuple[object, ...]
    answer: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    @property
    def rank(self) -> int:
        rank = RANKS[self.kind]
        return rank if rank != AT_TABLE or self.is_watched() else UNWATCHED


class WorkerPool:
    """All workers of this process, and the queue before them."""

    def __init__(
        self,
        workers: int,
        limits: Limits = Limits(),  # noqa: B008  (it is frozen)
        megabytes: int = 2_000,
        max_waiting: int = 20,
    ) -> None:
        self.limits, self.megabytes, self.max_waiting = limits, megabytes, max_waiting
        self.is_closed = False
        self.workers = [Worker(megabytes) for _ in range(workers)]
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="worker")
        self._free = list(self.workers)
        self._waiting: list[Job] = []
        self._at_work: dict[Worker, tuple[int, str]] = {}  # the rank of what it does, and for which address
        self._tasks: set[asyncio.Task[None]] = set()
        self._numbers = count()
        self._served: OrderedDict[tuple[str, ...], int] = OrderedDict()  # the last turn of a player
        self._addresses: OrderedDict[str, str] = OrderedDict()

    def seen(self, holder: str, address: str) -> None:
        """Remember from where somebody came last: what is done for him counts for that address."""
        self._addresses[holder] = address
        self._addresses.move_to_end(holder)
        if len(self._addresses) > MAX_REMEMBERED:
            self._addresses.popitem(last=False)

    def client_of(self, holder: str) -> str:
        """The address from where a player came last; his key, if that is not known."""
        return self._addresses.get(holder, holder)

    async def ask(
        self,
        kind: str,
        holder: str,
        work: Callable[..., T],
        *args: object,
        is_watched: Callable[[], bool] = lambda: True,
    ) -> T:
        """What ``work`` returns, for the player ``holder``; ``is_watched`` says if a person waits for it.

        Cancelling the caller takes the work off the queue; work that has begun is done to its end.
        """
        address = self.client_of(holder)
        asked = [job for job in self._waiting if job.kind not in BOTS]
        of_holder = sum(job.holder == holder for job in asked)
        of_address = sum(job.address == address for job in asked)
        if of_holder >= self.max_waiting or of_address >= KEYS_OF_ADDRESS * self.max_waiting:
            raise Fault("too-many", "too-much-work", limit=self.max_waiting, wait=10.0)
        job = Job(kind, holder, address, is_watched, next(self._numbers), work, args)
        self._waiting.append(job)
        self._go_on()
        try:
            return await job.answer  # type: ignore[no-any-return]
        finally:
            if job in self._waiting:
                self._waiting.remove(job)

    def _go_on(self) -> None:
        """Give free workers what comes next."""
        while self._free and (job := self._next()) is not None:
            self._waiting.remove(job)
            for name in ((job.address,), (job.address, job.holder)):
                self._served[name] = next(self._numbers)
                self._served.move_to_end(name)
            while len(self._served) > MAX_REMEMBERED:
                self._served.popitem(last=False)
            worker = self._free.pop()
            self._at_work[worker] = job.rank, job.address
            task = asyncio.create_task(self._run(worker, job))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _next(self) -> Job | None:
        """The job whose turn it is; one worker of several is kept for people who wait.

        Nor does an address that is served at its table take the last free one for what may be long.
        """
        others = sum(rank != AT_TABLE for rank, _ in self._at_work.values())
        has_room = others < max(1, len(self.workers) - 1)
        is_last = len(self._free) == 1 < len(self.workers)
        served = {address for rank, address in self._at_work.values() if rank == AT_TABLE}
        found = [
            job
            for job in self._waiting
            if (has_room or job.rank == AT_TABLE)
            and not (is_last and job.kind in MAY_BE_LONG and job.address in served)
        ]
        return min(found, key=self._turn, default=None)

    def _turn(self, job: Job) -> tuple[int, int, int, int]:
        served = self._served.get
        return job.rank, served((job.address,), -1), served((job.address, job.holder), -1), job.number

    async def _run(self, worker: Worker, job: Job) -> None:
        try:
            value = await self._done(worker, job)
        except asyncio.CancelledError:
            job.answer.cancel()
            raise
        except Exception as error:
            if not job.answer.done():
                job.answer.set_exception(error)
        else:
            if not job.answer.done():
                job.answer.set_result(value)
        finally:
            del self._at_work[worker]
            self._free.append(worker)
            self._go_on()

    async def _done(self, worker: Worker, job: Job) -> Any:
        loop, seconds = asyncio.get_running_loop(), getattr(self.limits, job.kind)
        for _ in range(TRIES):
            if self.is_closed:
                break
            try:
                return await loop.run_in_executor(self._threads, worker.run, seconds, job.work, job.args)
            except WorkerLost:
                if not self.is_closed:
                    log.warning("a worker died", extra={"work": job.kind})
            except OverTime:
                log.warning("work took too long", extra={"work": job.kind, "seconds": seconds})
                raise Fault("too-hard", "too-long", seconds=f"{seconds:g}") from None
            except MemoryError:
                log.warning("work took too much memory", extra={"work": job.kind})
                raise Fault("too-hard", "too-big", limit=self.megabytes) from None
        raise WorkerLost

    def close(self) -> None:
        self.is_closed = True
        for worker in self.workers:
            worker.close()
        self._threads.shutdown(wait=False, cancel_futures=True)


# --- in the processes ----------------------------------------------------------------------------


def _serve(pipe: Connection, megabytes: int) -> None:
    begin()
    from . import jobs  # noqa: F401  (so that no work is charged for reading the rules)

    _limit_memory(megabytes)
    pipe.send(None)
    while True:
        try:
            work, args = pipe.recv()
        except EOFError:
            return
        pipe.send_bytes(_answer(work, args))


def _answer(work: Callable[..., Any], args: tuple[object, ...]) -> bytes:
    """Whether it went well, and what came of it."""
    pack = multiprocessing.reduction.ForkingPickler.dumps
    try:
        return bytes(pack((True, work(*args))))
    except MemoryError:
        return bytes(pack((False, MemoryError())))
    except Exception as error:
        error.add_note(traceback.format_exc())
        try:
            return bytes(pack((False, error)))
        except Exception:
            return bytes(pack((False, RuntimeError(traceback.format_exc()))))


def _limit_memory(megabytes: int) -> None:
    """Let what asks for more meet a MemoryError; Windows has no such limit."""
    if sys.platform != "win32" and megabytes:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (megabytes << 20, megabytes << 20))
