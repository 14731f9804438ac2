"""Numbered tasks on several processes or on a cluster; whoever works, the results are the same.

Processes are started afresh, not forked (a server has threads), so a task and its results must be picklable
and a script that asks for several jobs needs the usual ``if __name__ == "__main__"``.
"""

from __future__ import annotations

import multiprocessing
import signal
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, Protocol, TypeVar

from ..kernel.errors import GameFailed

R = TypeVar("R")
Progress = Callable[[int, int], None]
"""Called after every finished game: how many are done, of how many."""

DEATHS = 3  # of workers that were at the same game, before it is given up


class Work(Iterator[tuple[int, R]]):
    """Tasks being worked at: gives their numbers and results as they are finished, in any order."""

    def ready(self) -> list[tuple[int, R]]:
        """What is finished already, without waiting for more."""
        return []

    def stop(self) -> None:
        """Let everything go that is not finished."""


class Engine(Protocol):
    """Where the work is done.  A worker that dies costs no result: its game is played again by another."""

    def begin(self, task: Callable[[int], R], numbers: Sequence[int]) -> Work[R]: ...


class Ledger(Protocol[R]):
    """Where results are kept as they come; ``done`` are those that are there already."""

    done: dict[int, R]

    def add(self, number: int, result: R) -> None: ...


def spread(
    task: Callable[[int], R],
    count: int,
    jobs: int,
    progress: Progress | None,
    *,
    engine: Engine | None = None,
    ledger: Ledger[R] | None = None,
) -> tuple[list[R], bool]:
    """``task(0)`` to ``task(count - 1)`` in this order, and whether Ctrl-C cut it short.

    After an interruption the results that were finished are still returned.  Those of a ``ledger`` are not
    asked for again.
    """
    kept = ledger.done if ledger is not None else {}
    done = {number: result for number, result in kept.items() if number < count}
    left = [number for number in range(count) if number not in done]
    work = (engine or Local(jobs)).begin(task, left)
    interrupted = False

    def take(number: int, result: R) -> None:
        if ledger is not None:
            ledger.add(number, result)
        done[number] = result

    try:
        if progress is not None and done:
            progress(len(done), count)
        for number, result in work:
            take(number, result)
            if progress is not None:
                progress(len(done), count)
    except KeyboardInterrupt:
        interrupted = True
        for number, result in work.ready():
            take(number, result)
    finally:
        work.stop()
    return [done[number] for number in sorted(done)], interrupted


class Local:
    """This machine, with so many processes; one is the process that asks."""

    def __init__(self, jobs: int = 1) -> None:
        self.jobs = jobs

    def begin(self, task: Callable[[int], R], numbers: Sequence[int]) -> Work[R]:
        jobs = min(self.jobs, len(numbers))
        return Alone(task, numbers) if jobs <= 1 else Crew(task, numbers, jobs)


class Alone(Work[R]):
    """One task after the other, here."""

    def __init__(self, task: Callable[[int], R], numbers: Sequence[int]) -> None:
        self.task, self.left = task, iter(numbers)

    def __next__(self) -> tuple[int, R]:
        number = next(self.left)
        return number, self.task(number)


class Worker:
    """A process that is given one number at a time."""

    def __init__(self, task: Callable[[int], Any]) -> None:
        methods = multiprocessing.get_all_start_methods()
        context: Any = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        self.line, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(task, theirs))
        self.process.start()
        theirs.close()
        self.number: int | None = None

    def give(self, number: int) -> None:
        self.number = number
        with suppress(OSError):  # it has died: the line says so to whoever listens
            self.line.send(number)

    def end(self) -> None:
        """It leaves when its line is closed; who is at work is not waited for."""
        self.line.close()
        if self.number is not None:
            self.process.terminate()
        self.process.join()


class Crew(Work[R], Generic[R]):
    """Several processes; who dies is replaced, and his task is done by another."""

    patience: float | None = None  # seconds after which it looks up

    def __init__(self, task: Callable[[int], R], numbers: Sequence[int], jobs: int) -> None:
        self.task, self.left = task, deque(numbers)
        self.deaths: Counter[int] = Counter()
        self.finished: deque[tuple[int, R]] = deque()
        self.workers: dict[Connection, Worker] = {}
        for _ in range(jobs):
            self._hire()

    def __next__(self) -> tuple[int, R]:
        while not self.finished:
            if not self._feed():
                raise StopIteration
            self._listen(self.patience)
        return self.finished.popleft()

    def ready(self) -> list[tuple[int, R]]:
        self._listen(0)
        return list(self.finished)

    def stop(self) -> None:
        while self.workers:
            self.workers.popitem()[1].end()

    def _hire(self) -> None:
        worker = Worker(self.task)
        self.workers[worker.line] = worker

    def _feed(self) -> bool:
        """Give everybody something to do; whether anybody has."""
        for worker in self.workers.values():
            if worker.number is None and self.left:
                worker.give(self.left.popleft())
        return any(worker.number is not None for worker in self.workers.values())

    def _listen(self, seconds: float | None) -> None:
        for line in wait(list(self.workers), seconds):
            worker = self.workers[line]  # type: ignore[index]
            try:
                number, result, error = worker.line.recv()
            except (EOFError, OSError):
                self._replace(worker)
                continue
            if error is not None:
                raise error
            worker.number = None
            self.finished.append((number, result))

    def _replace(self, dead: Worker) -> None:
        del self.workers[dead.line]
        number, dead.number = dead.number, None
        dead.process.join()
        dead.line.close()
        if number is not None:
            self.deaths[number] += 1
            if self.deaths[number] == DEATHS:
                raise GameFailed(f"game {number}: its process died {DEATHS} times")
            self.left.appendleft(number)
        self._hire()


# --- in the worker -------------------------------------------------------------------------------


def _work(task: Callable[[int], Any], line: Connection) -> None:
    """Until nobody asks any more.  Ctrl-C reaches every process of a terminal: leave it to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while True:
            line.send(_answer(task, line.recv()))


def _answer(task: Callable[[int], Any], number: int) -> tuple[int, Any, Exception | None]:
    try:
        return number, task(number), None
    except Exception as error:
        error.add_note(traceback.format_exc())
        return number, None, error
