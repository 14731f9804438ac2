"""The worker processes of a server: their limits, what becomes of work that exceeds them, and turns."""

import asyncio
import multiprocessing
import os
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from legatus.server.faults import Fault
from legatus.server.workers import TRIES, Limits, WorkerLost, WorkerPool

LONG = Limits().times(100)  # longer than any test

Make = Callable[..., WorkerPool]


@pytest.fixture
def make() -> Iterator[Make]:
    made: list[WorkerPool] = []

    def new(workers: int = 1, **named: Any) -> WorkerPool:
        made.append(WorkerPool(workers, named.pop("limits", LONG), **named))
        return made[-1]

    yield new
    for pool in made:
        pool.close()


@pytest.fixture(scope="module")
def shared() -> Iterator[WorkerPool]:
    """One worker for tests that leave it alive; each uses names of its own."""
    pool = WorkerPool(1, LONG)
    yield pool
    pool.close()


def after(number: int) -> int:
    time.sleep(0.2)
    return number


def spin() -> None:
    while True:
        pass


def swell() -> int:
    """Take memory piece by piece, as runaway work does."""
    return len([bytes(10_000_000) for _ in range(1_000)])


def die() -> None:
    os._exit(1)


def wrong() -> None:
    raise ValueError("so it is")


def unsendable() -> Any:
    return lambda: None


def until_told(file: str) -> None:
    while not Path(file).exists():
        time.sleep(0.01)


def begun(file: str, release: str) -> None:
    Path(file).touch()
    until_told(release)


def within(seconds: float, awaited: Awaitable[Any]) -> Any:
    async def wait() -> Any:
        return await asyncio.wait_for(awaited, seconds)

    return asyncio.run(wait())


def test_a_worker_that_dies_keeps_nobody_waiting_who_has_not_given_up(make: Make) -> None:
    pool = make(2)

    async def ask_all() -> list[int]:
        asked = [asyncio.create_task(pool.ask("odds", "anna", after, n)) for n in range(10)]
        await asked[0]
        asked.pop().cancel()
        for worker in multiprocessing.active_children():
            worker.kill()
        return await asyncio.gather(*asked)

    assert within(300, ask_all()) == list(range(9))


@pytest.mark.parametrize(
    ("work", "key"), [(spin, "server.too-long"), (swell, "server.too-big")], ids=["time", "memory"]
)
def test_work_beyond_its_limit_is_ended_and_its_worker_replaced(
    make: Make, work: Callable[[], Any], key: str
) -> None:
    pool = make(1, limits=Limits(check=1.0) if work is spin else LONG, megabytes=500)

    async def ask() -> int:
        with pytest.raises(Fault) as caught:
            await pool.ask("check", "anna", work)
        assert (caught.value.code, caught.value.said.key) == ("too-hard", key)
        return await pool.ask("odds", "anna", after, 7)

    assert within(300, ask()) == 7


def test_what_kills_its_worker_again_and_again_is_given_up(make: Make) -> None:
    pool, died = make(1), []

    async def ask() -> int:
        with pytest.raises(WorkerLost):
            await pool.ask("odds", "anna", die)
        died.append(TRIES)
        return await pool.ask("odds", "anna", after, 7)

    assert within(600, ask()) == 7
    assert died


def test_errors_come_back_as_they_are(shared: WorkerPool) -> None:
    async def ask() -> None:
        with pytest.raises(ValueError, match="so it is"):
            await shared.ask("odds", "anna", wrong)
        with pytest.raises(AttributeError, match="pickle"):
            await shared.ask("odds", "anna", unsendable)
        assert await shared.ask("odds", "anna", after, 7) == 7

    within(300, ask())


class Turns:
    """One worker that is busy, and what is done in which order when it is free again."""

    def __init__(self, pool: WorkerPool, folder: Path) -> None:
        self.pool, self.folder = pool, folder
        self.done: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def busy(self) -> None:
        begun_file, self.release = self.folder / "begun", self.folder / "release"
        work = self.pool.ask("check", "nobody", begun, str(begun_file), str(self.release))
        self.tasks.append(asyncio.create_task(work))
        while not begun_file.exists():
            await asyncio.sleep(0.02)

    async def ask(self, name: str, kind: str, holder: str, **named: Any) -> None:
        async def wait() -> None:
            await self.pool.ask(kind, holder, os.getpid, **named)
            self.done.append(name)

        self.tasks.append(asyncio.create_task(wait()))
        await asyncio.sleep(0)

    async def order(self) -> list[str]:
        self.release.touch()
        await asyncio.gather(*self.tasks)
        return self.done


def test_many_keys_of_one_address_wait_no_longer_than_three(tmp_path: Path) -> None:
    """What waits takes memory, whoever it is for."""
    pool = WorkerPool(1, max_waiting=2)
    for n in range(9):
        pool.seen(f"a{n}", "a")
    pool.seen("b", "b")

    async def play() -> list[str]:
        turns = Turns(pool, tmp_path)
        await turns.busy()
        for n in range(6):
            await turns.ask(f"a{n}", "odds", f"a{n}")
        with pytest.raises(Fault) as fault:
            await pool.ask("odds", "a7", os.getpid)
        assert fault.value.code == "too-many"
        await turns.ask("b", "odds", "b")
        return await turns.order()

    try:
        assert len(asyncio.run(play())) == 7
    finally:
        pool.close()


def test_players_take_turns_and_so_do_addresses(shared: WorkerPool, tmp_path: Path) -> None:
    pool = shared
    for holder, address in (("a1", "a"), ("a2", "a"), ("b1", "b")):
        pool.seen(holder, address)

    async def play() -> list[str]:
        turns = Turns(pool, tmp_path)
        await turns.busy()
        for n in range(3):
            await turns.ask(f"a1/{n}", "odds", "a1")
        await turns.ask("a2/0", "odds", "a2")
        for n in range(2):
            await turns.ask(f"b1/{n}", "odds", "b1")
        return await turns.order()

    assert within(300, play()) == ["a1/0", "b1/0", "a2/0", "b1/1", "a1/1", "a1/2"]


def test_who_waits_at_a_table_comes_before_the_background_and_that_before_what_nobody_watches(
    shared: WorkerPool, tmp_path: Path
) -> None:
    pool, watched = shared, [False]

    async def play() -> list[str]:
        turns = Turns(pool, tmp_path)
        await turns.busy()
        await turns.ask("alone", "bot", "c1", is_watched=lambda: False)
        await turns.ask("joined", "bot", "c2", is_watched=lambda: watched[0])
        await turns.ask("analysis", "analysis", "c1")
        await turns.ask("thoughts", "thoughts", "c2")
        await turns.ask("odds", "odds", "c3")
        watched[0] = True  # somebody looks on by now
        return await turns.order()

    assert within(300, play()) == ["joined", "odds", "analysis", "thoughts", "alone"]


def test_what_nobody_waits_for_never_takes_all_workers(make: Make, tmp_path: Path) -> None:
    pool = make(2)

    async def play() -> int:
        release = tmp_path / "release"
        kinds = [("analysis", True), ("thoughts", True), ("bot", False), ("bot", False)]
        slow = [
            asyncio.create_task(
                pool.ask(kind, holder, until_told, str(release), is_watched=partial(bool, watched))
            )
            for kind, watched in kinds
            for holder in ("anna", "ben")
        ]
        found = [await pool.ask("odds", "carla", after, n) for n in range(3)][-1]
        assert not any(task.done() for task in slow)
        release.touch()
        await asyncio.gather(*slow)
        return found

    assert within(300, play()) == 2


@pytest.mark.parametrize("kind", ["bot", "odd_bot", "check"])
def test_an_address_never_takes_all_workers_for_what_may_be_long(
    make: Make, tmp_path: Path, kind: str
) -> None:
    """Two slow decisions of one player would keep everybody else waiting as long as they may take."""
    pool = make(2)
    for n in range(4):
        pool.seen(f"anna/{n}", "anna")

    async def play() -> int:
        release = tmp_path / "release"
        slow = [asyncio.create_task(pool.ask(kind, f"anna/{n}", until_told, str(release))) for n in range(4)]
        await asyncio.sleep(0)
        found = [await pool.ask("check", "carla", after, n) for n in range(3)][-1]
        assert await pool.ask("odds", "anna/0", after, 7) == 7  # what is short does not wait either
        release.touch()
        await asyncio.gather(*slow)
        return found

    assert within(300, play()) == 2


def test_one_player_has_only_so_much_waiting(make: Make, tmp_path: Path) -> None:
    pool = make(1, max_waiting=3)

    async def play() -> list[str]:
        turns = Turns(pool, tmp_path)
        await turns.busy()
        for n in range(3):
            await turns.ask(f"anna/{n}", "odds", "anna")
        with pytest.raises(Fault) as caught:
            await pool.ask("odds", "anna", os.getpid)
        assert caught.value.code == "too-many"
        await turns.ask("ben", "odds", "ben")
        turns.tasks.pop(1).cancel()  # who gives up makes room
        await asyncio.sleep(0)
        await turns.ask("anna/3", "odds", "anna")
        return await turns.order()

    assert within(300, play()) == ["anna/1", "ben", "anna/2", "anna/3"]


def test_a_pool_that_is_closed_ends_its_work(make: Make) -> None:
    pool = make(1)

    async def play() -> None:
        task = asyncio.create_task(pool.ask("odds", "anna", spin))
        while pool.workers[0]._process is None:
            await asyncio.sleep(0.05)
        pool.close()
        try:
            with pytest.raises(WorkerLost):
                await asyncio.wait_for(task, 60)
        finally:  # a worker that was not ended would keep the tests waiting
            for worker in multiprocessing.active_children():
                worker.kill()

    within(300, play())
    assert pool.workers[0]._process is None
