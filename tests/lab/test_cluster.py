"""A Ray cluster plays the same games; only where Ray is installed (``make cluster`` installs it)."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from contextlib import closing
from types import ModuleType
from typing import Any

import pytest

from legatus.kernel.errors import GameFailed
from legatus.lab.cluster import NoCluster, Ray, Tasks
from legatus.lab.pool import spread

from ..conformance.common import ROOT


def test_two_nodes_play_the_same_games_though_a_worker_is_killed() -> None:
    pytest.importorskip("ray")
    command = [sys.executable, "-m", "tests.lab.two_nodes", "--games", "20"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stdout + run.stderr
    found = json.loads(run.stdout.splitlines()[-1])
    assert found["same"]
    assert found["games"] == 20
    assert found["killed"], "a worker was killed on the way"


# --- without Ray: a stand-in with the calls that are used ----------------------------------------


class Lost(Exception):
    """What Ray raises of itself."""


class Threw(Lost):
    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.cause = cause


class Desk:
    """Does every task when it is waited for, the last one first."""

    class exceptions:
        RayError, RayTaskError = Lost, Threw

    def __init__(self, trouble: Exception | None = None) -> None:
        self.trouble, self.most, self.waiting, self.cancelled = trouble, 0, dict[int, Any](), 0
        self.closed = False

    def put(self, thing: Any) -> Any:
        return thing

    def remote(self, work: Any) -> Any:
        desk = self

        class Remote:
            def options(self, **_: Any) -> Remote:
                return self

            def remote(self, *args: Any) -> int:
                ref = args[-1]
                desk.waiting[ref] = (work, args)
                desk.most = max(desk.most, len(desk.waiting))
                return int(ref)

        return Remote()

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 2.0}

    def wait(self, refs: list[int], num_returns: int, timeout: float | None = None) -> Any:
        return refs[-num_returns:], refs[:-num_returns]

    def get(self, ref: int) -> Any:
        if self.trouble is not None:
            raise self.trouble
        work, args = self.waiting.pop(ref)
        return work(*args)

    def cancel(self, ref: int, force: bool) -> None:
        self.cancelled += 1

    def shutdown(self) -> None:
        self.closed = True


def double(number: int) -> int:
    return 2 * number


class OnDesk:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def begin(self, task: Any, numbers: Any) -> Any:
        return Tasks(self.desk, task, numbers, None, True)


def test_results_come_in_order_and_no_more_is_asked_than_keeps_it_busy() -> None:
    desk = Desk()
    assert spread(double, 20, 1, None, engine=OnDesk(desk)) == ([2 * n for n in range(20)], False)
    assert desk.most == 4, "two for each processor"
    assert desk.closed


def test_an_interruption_takes_what_is_ready_and_cancels_the_rest() -> None:
    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    desk = Desk()
    results, interrupted = spread(double, 20, 1, interrupt, engine=OnDesk(desk))
    assert interrupted
    assert len(results) == 4
    assert desk.closed


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        (Threw(GameFailed("game 3 of seed '7' broke down")), "game 3 of seed '7' broke down"),
        (
            Threw(ModuleNotFoundError("No module named 'legatus'")),
            "could not be played on the cluster: No module",
        ),
        (Lost("the node died"), "could not be played on the cluster: the node died"),
    ],
)
def test_what_goes_wrong_there_is_told_here(trouble: Exception, told: str) -> None:
    desk = Desk(trouble)
    with pytest.raises(GameFailed, match=told):
        spread(double, 3, 1, None, engine=OnDesk(desk))
    assert desk.closed
    assert desk.cancelled == 3


def test_another_version_there_is_refused() -> None:
    desk = Desk()
    tasks = Tasks(desk, double, [1], None, False)
    tasks.play.remote("9.9", double, 1)
    with pytest.raises(GameFailed, match=r"legatus .* here is 9\.9"):
        desk.get(1)


def fake_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    def init(*_: Any, **__: Any) -> None:
        raise ConnectionError("nobody listens\nand more")

    fake = ModuleType("ray")
    fake.is_initialized, fake.init = lambda: False, init  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ray", fake)


def test_a_cluster_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_ray(monkeypatch)
    with pytest.raises(NoCluster, match=r"no Ray cluster answers at auto: nobody listens$"):
        Ray("auto").begin(double, [1])


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_where_nobody_listens_ray_is_not_asked(monkeypatch: pytest.MonkeyPatch, scheme: str) -> None:
    fake_ray(monkeypatch)
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))  # taken, but nobody listens
        address = f"{scheme}127.0.0.1:{free.getsockname()[1]}"
        with pytest.raises(NoCluster, match=f"{address}: .*refused"):
            Ray(address).begin(double, [1])
