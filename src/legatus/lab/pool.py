"""Numbered tasks on several processes; whatever the number of processes, the results are the same.

Processes are started afresh, not forked (a server has threads), so a task and its results must be picklable
and a script that asks for several jobs needs the usual ``if __name__ == "__main__"``.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from typing import Any, TypeVar

R = TypeVar("R")
Progress = Callable[[int, int], None]
"""Called after every finished game: how many are done, of how many."""

LARGEST_CHUNK = 32
CHUNKS_A_JOB = 4  # at least, so that no process waits long for the last one

_task: Callable[[int], Any]
_stop: Any


def spread(
    task: Callable[[int], R], count: int, jobs: int, progress: Progress | None
) -> tuple[list[R], bool]:
    """``task(0)`` to ``task(count - 1)`` in this order, and whether Ctrl-C cut it short.

    After an interruption the results that were finished are still returned.
    """
    done: dict[int, R] = {}
    try:
        if jobs <= 1:
            for number in range(count):
                _take(done, [(number, task(number))], count, progress)
        else:
            _in_processes(task, count, jobs, progress, done)
    except KeyboardInterrupt:
        return _in_order(done), True
    return _in_order(done), False


def _in_processes(
    task: Callable[[int], R], count: int, jobs: int, progress: Progress | None, done: dict[int, R]
) -> None:
    methods = multiprocessing.get_all_start_methods()
    context: Any = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    stop = context.Event()
    size = max(1, min(LARGEST_CHUNK, count // (jobs * CHUNKS_A_JOB)))
    pool = ProcessPoolExecutor(jobs, context, _prepare, (task, stop))
    futures: list[Future[list[tuple[int, R]]]] = []
    try:
        futures += [pool.submit(_chunk, at, min(at + size, count)) for at in range(0, count, size)]
        for future in as_completed(futures):
            _take(done, future.result(), count, progress)
    except KeyboardInterrupt:
        stop.set()
        pool.shutdown(cancel_futures=True)
        for future in futures:
            if future.done() and not future.cancelled() and future.exception() is None:
                done.update(future.result())
        raise
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


def _take(done: dict[int, R], chunk: list[tuple[int, R]], count: int, progress: Progress | None) -> None:
    before = len(done)
    done.update(chunk)
    if progress is not None:
        for finished in range(before + 1, len(done) + 1):
            progress(finished, count)


def _in_order(done: dict[int, R]) -> list[R]:
    return [done[number] for number in sorted(done)]


# --- in the worker -------------------------------------------------------------------------------


def _prepare(task: Callable[[int], Any], stop: Any) -> None:
    """Ctrl-C reaches every process of a terminal: leave it to the parent, which then sets ``stop``."""
    global _task, _stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _task, _stop = task, stop


def _chunk(first: int, end: int) -> list[tuple[int, Any]]:
    """The results from ``first`` on; when told to stop, as many as there are."""
    results: list[tuple[int, Any]] = []
    for number in range(first, end):
        if _stop.is_set():
            break
        results.append((number, _task(number)))
    return results
