"""Tasks on several processes: their order, and what remains after an interruption."""

from __future__ import annotations

import time

import pytest

from legatus.lab.pool import spread


def the_first_takes_longest(number: int) -> int:
    time.sleep(0.3 if number == 0 else 0.0)
    return number * number


def takes_a_moment(number: int) -> int:
    time.sleep(0.05)
    return number


def interrupt(done: int, total: int) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_tasks(jobs: int) -> None:
    assert spread(the_first_takes_longest, 7, jobs, None) == ([0, 1, 4, 9, 16, 25, 36], False)


def test_nothing_to_do() -> None:
    assert spread(takes_a_moment, 0, 2, None) == ([], False)


def test_after_an_interruption_work_in_progress_is_counted_but_not_carried_on() -> None:
    chunk = 64 // (2 * 4)
    results, interrupted = spread(takes_a_moment, 64, 2, interrupt)
    assert interrupted
    assert chunk < len(results) < 3 * chunk, "the first chunk whole, the others as far as they had come"
    assert results == sorted(set(results))
