"""The worker processes of a server."""

import asyncio
import multiprocessing
import time
from collections.abc import Iterator

import pytest

from legatus.server.brains import Brains

AT_WORK, WAITING = 2, 8


@pytest.fixture
def brains() -> Iterator[Brains]:
    found = Brains(AT_WORK)
    yield found
    found.close()
    for worker in multiprocessing.active_children():
        worker.kill()
        worker.join()


def think(number: int) -> int:
    time.sleep(0.2)
    return number


def test_a_worker_that_dies_keeps_nobody_waiting_who_has_not_given_up(brains: Brains) -> None:
    async def ask_all() -> list[int]:
        asked = [asyncio.create_task(brains.ask(think, n)) for n in range(AT_WORK + WAITING)]
        await asked[0]
        asked.pop().cancel()
        for worker in multiprocessing.active_children():
            worker.kill()
        return await asyncio.wait_for(asyncio.gather(*asked), 60)

    assert asyncio.run(ask_all()) == list(range(AT_WORK + WAITING - 1))
