"""Numbered tasks on a Ray cluster: the games and their results are those of ``pool.Local``.

One game is one task of Ray.  It comes back to us as soon as it is finished, and Ray gives it to another
worker if its own dies, so that neither a worker nor a node takes a finished game with it.
"""

from __future__ import annotations

import logging
import os
import socket
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from ..kernel import Complaint, Message
from ..kernel.errors import GameFailed
from ..kernel.extras import require
from .ledger import VERSION
from .pool import DEATHS, Work

R = TypeVar("R")

AHEAD = 2  # tasks for each processor of the cluster, so that none waits for us
PATIENCE = 10.0  # seconds, for a first answer


class NoCluster(Complaint):
    """The cluster cannot be reached."""

    def __init__(self, address: str, problem: str) -> None:
        super().__init__(Message("cluster.silent", {"address": address, "problem": problem}))


class Ray:
    """A Ray cluster; without an address that of the environment, or one that is started here."""

    def __init__(self, address: str | None = None, jobs: int | None = None) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        require("ray", "ray")
        self.address, self.jobs = address, jobs

    def begin(self, task: Callable[[int], R], numbers: Sequence[int]) -> Work[R]:
        import ray

        ours = not ray.is_initialized()
        if ours:
            try:
                _knock(self.address)
                ray.init(
                    self.address,
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                    include_dashboard=None if self.address else False,
                )
            except (OSError, ValueError, RuntimeError) as error:
                first = str(error).strip().split("\n")[0]
                raise NoCluster(self.address or "RAY_ADDRESS", first) from error
        return Tasks(ray, task, numbers, self.jobs, ours)


def _knock(address: str | None) -> None:
    """See that somebody listens there: Ray itself tries for minutes."""
    host, _, port = (address or "").rpartition("://")[2].rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), PATIENCE).close()


class Tasks(Work[R]):
    """The tasks that the cluster was given, not more at a time than keep it busy."""

    def __init__(
        self, ray: Any, task: Callable[[int], R], numbers: Sequence[int], jobs: int | None, ours: bool
    ) -> None:
        self.ray, self.ours, self.left = ray, ours, deque(numbers)
        self.task = ray.put(task)
        self.play = ray.remote(_play).options(max_retries=DEATHS - 1, num_cpus=1)
        self.room = jobs or AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        self.given: dict[Any, int] = {}

    def __next__(self) -> tuple[int, R]:
        while self.left and len(self.given) < self.room:
            number = self.left.popleft()
            self.given[self.play.remote(VERSION, self.task, number)] = number
        if not self.given:
            raise StopIteration
        found, _ = self.ray.wait(list(self.given), num_returns=1)
        return self._take(found[0])

    def ready(self) -> list[tuple[int, R]]:
        if not self.given:
            return []
        found, _ = self.ray.wait(list(self.given), num_returns=len(self.given), timeout=0)
        return [self._take(ref) for ref in found]

    def stop(self) -> None:
        for ref in self.given:
            with suppress(Exception):
                self.ray.cancel(ref, force=True)
        self.given.clear()
        if self.ours:
            self.ray.shutdown()

    def _take(self, ref: Any) -> tuple[int, R]:
        number = self.given[ref]
        try:
            result = self.ray.get(ref)
        except self.ray.exceptions.RayTaskError as error:
            raise (error.cause if isinstance(error.cause, GameFailed) else _failed(number, error)) from None
        except self.ray.exceptions.RayError as error:
            raise _failed(number, error) from None
        del self.given[ref]
        return number, result


def _failed(number: int, error: Exception) -> GameFailed:
    lines = str(error).strip().split("\n")
    return GameFailed(f"game {number} could not be played on the cluster: {lines[-1]}")


def _play(version: str, task: Callable[[int], R], number: int) -> R:
    """On the cluster: one game, if they have the same rules there as here."""
    if version != VERSION:
        raise GameFailed(f"the cluster has legatus {VERSION}, and here is {version}")
    return task(number)
