"""Several processes that think about one decision."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from typing import Any

import msgspec

from ..kernel import Action, Game, Seat
from ..kernel.codec import state_from, state_to_json

Met = list[list[float]]
Meet = Callable[[Game, Any, Seat, str, Sequence[Action]], Met]


class Crew:
    """Works out what happens in worlds, in so many processes; ``meet`` does it for one of them."""

    def __init__(self, jobs: int, meet: Meet, game: Game, view: Any, seat: Seat) -> None:
        self.jobs, self.meet = jobs, meet
        self.game, self.view, self.seat = game, view, seat
        self.known = state_to_json(view) if jobs > 1 else b""

    def map(self, worlds: Sequence[str], actions: Sequence[Action]) -> list[Met]:
        """World by world; where the processes die, it is done here."""
        if self.jobs > 1 and len(worlds) > 1:
            hands = pool(self.jobs)
            parts = [worlds[n :: self.jobs] for n in range(self.jobs)]
            try:
                work = [
                    hands.submit(_part, self.meet, self.game, self.known, self.seat, part, actions)
                    for part in parts
                ]
                done = [one.result() for one in work]
                return [done[n % self.jobs][n // self.jobs] for n in range(len(worlds))]
            except BrokenProcessPool:
                dismiss()
        return [self.meet(self.game, self.view, self.seat, world, actions) for world in worlds]


_POOLS: dict[int, ProcessPoolExecutor] = {}


def pool(jobs: int) -> ProcessPoolExecutor:
    """Started when it is first wanted, and kept: a process takes longer to start than most decisions."""
    if jobs not in _POOLS:
        _POOLS[jobs] = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=begin)
    return _POOLS[jobs]


def dismiss() -> None:
    """Let all processes go; they come again when they are wanted."""
    while _POOLS:
        _POOLS.popitem()[1].shutdown()


# --- in the processes ----------------------------------------------------------------------------


def begin() -> None:
    """A process that thinks leaves Ctrl-C to its parent, and ends with it, however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _part(
    meet: Meet, game: Game, known: bytes, seat: Seat, worlds: Sequence[str], actions: Sequence[Action]
) -> list[Met]:
    view = _view(game, known)
    return [meet(game, view, seat, world, actions) for world in worlds]


@lru_cache(maxsize=1)
def _view(game: Game, known: bytes) -> Any:
    """The rounds of a decision come with the same view."""
    return state_from(game, msgspec.json.decode(known))
