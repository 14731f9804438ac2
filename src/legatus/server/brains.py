"""Worker processes: bots think there and odds are reckoned there, so that the server never waits for them.

What goes over is plain: the game's key, a view as JSON, an action as text.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from random import Random
from typing import Any, TypeVar

import msgspec

from ..bots import decide, mood
from ..bots.crew import begin
from ..games import GAMES
from ..kernel import say
from ..kernel.codec import parse_action, state_from
from ..kernel.records import parse_record, record_text
from ..lab.odds import seen_odds

T = TypeVar("T")

TRIES = 5  # pools that die one after the other, before somebody must be told


def think(game_key: str, view: bytes, seat: int, bot: str, seed: str, number: int) -> str:
    """What a bot does for the entry ``number``."""
    return say(decide(bot, GAMES[game_key], view, seat, mood(seed, number)).action)


def consider(
    game_key: str, view: bytes, seat: int, bot: str, seed: str, number: int
) -> tuple[str, list[tuple[str, float, int]]]:
    """What it does, and all that it considered with value and tries, the best first."""
    choice = decide(bot, GAMES[game_key], view, seat, mood(seed, number))
    return say(choice.action), [(say(one.action), one.value, one.tries) for one in choice.thoughts]


def reckon(game_key: str, view: bytes, seat: int, action: str) -> dict[str, Any]:
    """The odds of an action, from what its seat knows."""
    game = GAMES[game_key]
    known = state_from(game, msgspec.json.decode(view))
    return seen_odds(game, known, seat, parse_action(game, action), Random("odds")).plain()


def check(text: str) -> tuple[str, tuple[int, int, int] | None]:
    """A record, replayed and verified, in the form in which we write it; raises BadFile.

    With it, of one that is not shown to its end: its edition, the entries that are shown, those that are not.
    """
    match = parse_record(GAMES, text)
    found = match.difference
    return record_text(match), None if found is None else (found.edition, found.entry, found.lost)


class Brains:
    """A pool of workers that is made anew if one of them dies."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool: ProcessPoolExecutor | None = None

    async def ask(self, work: Callable[..., T], *args: object) -> T:
        """What ``work`` answers.  Who is cancelled stops waiting; his work is not cancelled with him.

        A pool in which a worker dies stumbles over cancelled work, and tells nobody else that it is broken.
        """
        for _ in range(TRIES):
            pool = self._ready()
            try:
                answer = asyncio.get_running_loop().run_in_executor(pool, work, *args)
                answer.add_done_callback(_take_note)
                return await asyncio.shield(answer)
            except BrokenProcessPool:
                if self._pool is pool:  # all who waited for it come here: the first makes a new one
                    self.close()
        raise BrokenProcessPool("workers die as soon as they are made")

    def _ready(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.workers, context, initializer=begin)
        return self._pool

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def _take_note(answer: asyncio.Future[Any]) -> None:
    """That it failed, also where nobody waits any more."""
    if not answer.cancelled():
        answer.exception()
