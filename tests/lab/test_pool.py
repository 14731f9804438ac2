"""Tasks on several processes: their order, and what remains after an interruption."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from pathlib import Path

import pytest

from legatus.kernel.errors import GameFailed
from legatus.lab.pool import Crew, spread

NEVER = 60.0  # seconds


def the_first_takes_longest(number: int) -> int:
    time.sleep(0.3 if number == 0 else 0.0)
    return number * number


def takes_a_moment(number: int) -> int:
    time.sleep(0.05)
    return number


def one_never_ends(number: int) -> int:
    time.sleep(NEVER if number == 1 else 0.05)
    return number


def divide(number: int) -> float:
    return 1 / (number - 3)


class Fragile:
    """Writes down every time that it is asked; kills its process at some numbers, once or always."""

    def __init__(self, folder: str, deadly: set[int], always: bool = False) -> None:
        self.folder, self.deadly, self.always = folder, deadly, always

    def __call__(self, number: int) -> int:
        file = Path(self.folder) / f"{number}.played"
        first = not file.exists()
        with file.open("a") as played:
            played.write("x")
        if number in self.deadly and (first or self.always):
            os.kill(os.getpid(), signal.SIGKILL)
        return number


def interrupt(done: int, total: int) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_tasks(jobs: int) -> None:
    assert spread(the_first_takes_longest, 7, jobs, None) == ([0, 1, 4, 9, 16, 25, 36], False)


def test_nothing_to_do() -> None:
    assert spread(takes_a_moment, 0, 2, None) == ([], False)


@pytest.mark.parametrize("jobs", [1, 2])
def test_after_an_interruption_what_is_finished_counts_and_the_rest_is_let_go(jobs: int) -> None:
    began = time.monotonic()
    results, interrupted = spread(one_never_ends, 64, jobs, interrupt)
    assert interrupted
    assert 1 <= len(results) <= jobs
    assert 63 not in results
    assert time.monotonic() - began < NEVER


def test_what_waits_in_the_line_at_an_interruption_is_not_lost() -> None:
    crew = Crew(takes_a_moment, range(2), 2)
    try:
        next(crew)
        time.sleep(1.0)  # the other one has long been finished, and nobody has asked
        assert len(crew.ready()) == 1
    finally:
        crew.stop()


def test_a_worker_that_is_killed_takes_no_result_with_it(tmp_path: Path) -> None:
    task = Fragile(str(tmp_path), deadly={5})
    assert spread(task, 40, 2, None) == (list(range(40)), False)
    played = {int(path.stem): len(path.read_text()) for path in tmp_path.glob("*.played")}
    assert played == {number: 2 if number == 5 else 1 for number in range(40)}, "only his own is played again"


def test_a_game_that_always_kills_its_worker_is_named(tmp_path: Path) -> None:
    task = Fragile(str(tmp_path), deadly={3}, always=True)
    with pytest.raises(GameFailed, match="game 3: its process died 3 times"):
        spread(task, 8, 2, None)


def test_no_process_is_left_behind() -> None:
    with pytest.raises(ZeroDivisionError):
        spread(divide, 8, 2, None)
    assert not multiprocessing.active_children()


class Kept:
    """A ledger in memory."""

    def __init__(self, done: dict[int, int]) -> None:
        self.done, self.new = done, dict[int, int]()

    def add(self, number: int, result: int) -> None:
        self.new[number] = result


def test_what_a_ledger_has_is_not_played_again() -> None:
    ledger, told = Kept({1: 100, 3: 300, 9: 900}), list[tuple[int, int]]()
    results = spread(takes_a_moment, 5, 1, lambda *done: told.append(done), ledger=ledger)
    assert results == ([0, 100, 2, 300, 4], False)
    assert ledger.new == {0: 0, 2: 2, 4: 4}
    assert told == [(2, 5), (3, 5), (4, 5), (5, 5)]
