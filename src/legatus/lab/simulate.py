"""Bots against bots, thousands of times: who wins, by which clause, how long it takes."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from ..bots import Bot, bot_name, make_bot
from ..kernel import Action, Decision, Game, Seat, Seeded, Setup, engine
from ..kernel.errors import GameFailed
from .ledger import VERSION, Ledger
from .pool import Engine, Progress, spread
from .stats import wilson

MAX_DECISIONS = 20_000


class Result(Struct, frozen=True):
    """How one game went."""

    number: int
    finished: bool
    winner: Seat | None
    clause: str
    decisions: int


class Report(Struct, frozen=True):
    """What a simulation found.  Two runs with the same seed differ in the two times only."""

    game: str
    scenario: str
    bots: tuple[str, ...]  # in seat order of the first game
    seed: str
    swap: bool
    games: int  # that were played
    wins: dict[str, int]  # by seat, in seat order
    wins_by_bot: dict[str, int]
    draws: int
    unfinished: int  # stopped after too many decisions: counted neither as won nor as drawn
    endings: dict[str, int]  # by clause, the most frequent first
    decisions: int
    mean_length: float  # decisions a game
    min_length: int
    max_length: int
    seconds: float
    decisions_per_second: float
    interrupted: bool = False

    def interval(self, wins: int) -> tuple[float, float]:
        """The 95 % interval of the chance behind ``wins`` of these games."""
        return wilson(wins, self.games)


def simulate(
    game: Game,
    setup: Setup,
    bots: Sequence[str],
    games: int = 100,
    seed: int | str = 0,
    jobs: int = 1,
    progress: Progress | None = None,
    *,
    swap: bool = False,
    max_decisions: int = MAX_DECISIONS,
    engine: Engine | None = None,
    file: Path | None = None,
) -> Report:
    """Play ``games`` games, the i-th depending on ``(seed, i)`` only, wherever and by how many it is played.

    With ``swap`` the bots change seats from game to game, and the games of one round share their luck.
    ``engine`` is where they are played, if not on ``jobs`` processes here.  Every finished game is written
    into ``file``, and those that are there already are not played again.
    """
    names = tuple(bot_name(bot) for bot in bots)
    if len(names) != len(game.seats):
        raise ValueError(f"{game.key} has {len(game.seats)} seats, {len(names)} bot(s) given")
    task = Task(game, msgspec.json.encode(setup), names, str(seed), swap, max_decisions)
    ledger = None if file is None else Ledger(file, task.told(), Result)
    old = 0 if ledger is None else sum(r.decisions for n, r in ledger.done.items() if n < games)
    began = time.perf_counter()
    results, interrupted = spread(task, games, jobs, progress, engine=engine, ledger=ledger)
    return _report(task, results, time.perf_counter() - began, old, interrupted)


class Task:
    """One simulation as a function of the game's number; it travels to every process once."""

    def __init__(
        self, game: Game, setup: bytes, bots: tuple[str, ...], seed: str, swap: bool, max_decisions: int
    ) -> None:
        self.game = game
        self.raw_setup = setup
        self.bots = bots
        self.seed = seed
        self.swap = swap
        self.max_decisions = max_decisions

    def told(self) -> dict[str, Any]:
        """What tells runs apart: the head of their files."""
        return {
            "legatus": "simulation",
            "version": VERSION,
            "game": self.game.key,
            **msgspec.to_builtins(self.setup),
            "bots": self.bots,
            "seed": self.seed,
            "swap": self.swap,
            "max_decisions": self.max_decisions,
        }

    @cached_property
    def setup(self) -> Setup:
        return msgspec.json.decode(self.raw_setup, type=Setup)

    def bot_at(self, number: int, seat: Seat) -> int:
        """Which bot sits on ``seat`` in a game."""
        return (seat + number) % len(self.bots) if self.swap else seat

    def __call__(self, number: int) -> Result:
        try:
            return self._play(number, f"{self.seed}/{self._round(number)}")
        except Exception as error:
            raise GameFailed(f"game {number} of seed {self.seed!r} broke down: {error!r}") from error

    def _round(self, number: int) -> int:
        """Swapped games share their luck by rounds, but for twins: theirs would be the same game again."""
        twins = len(set(self.bots)) == 1
        return number // len(self.bots) if self.swap and not twins else number

    def _play(self, number: int, name: str) -> Result:
        dice, rng = Seeded(f"{name}/dice"), Random(f"{name}/bots")
        state: Any = engine.start(self.game, self.setup, dice).state
        made = engine.playout(state, dice, rng, self._chooser(number), self.max_decisions)
        outcome = state.outcome
        if outcome is None:
            return Result(number, False, None, "", made)
        return Result(number, True, outcome.winner, outcome.clause, made)

    def _chooser(self, number: int) -> engine.Chooser:
        """Who chooses; where all play at random, nothing has to be hidden from anybody."""
        if set(self.bots) == {"random"}:
            return engine.random_action
        seats = range(len(self.bots))
        return BehindScreens(self.game, [make_bot(self.bots[self.bot_at(number, s)]) for s in seats])


class BehindScreens:
    """Lets each bot choose from its own seat's view."""

    def __init__(self, game: Game, bots: Sequence[Bot]) -> None:
        self.game = game
        self.bots = bots

    def __call__(self, state: Any, decision: Decision, rng: Random) -> Action:
        seat = decision.seat
        view = self.game.view(state, seat)
        if view is state:  # a game without secrets: the bot still gets no hand on the real state
            view = state.copy()
        return self.bots[seat].choose(self.game, view, seat, rng)


# --- the report ----------------------------------------------------------------------------------


def _report(task: Task, results: Sequence[Result], seconds: float, old: int, interrupted: bool) -> Report:
    """``old`` decisions were made in an earlier run: they tell nothing of the speed of this one."""
    game, labels = task.game, _labels(task.bots)
    won = [result for result in results if result.winner is not None]
    seats = Counter(result.winner for result in won)
    bots = Counter(task.bot_at(result.number, result.winner or 0) for result in won)
    lengths = [result.decisions for result in results]
    decisions, finished = sum(lengths), sum(result.finished for result in results)
    return Report(
        game=game.key,
        scenario=str(task.setup.scenario.get("name", "")),
        bots=labels,
        seed=task.seed,
        swap=task.swap,
        games=len(results),
        wins={name: seats[seat] for seat, name in enumerate(game.seats)},
        wins_by_bot={label: bots[i] for i, label in enumerate(labels)},
        draws=finished - len(won),
        unfinished=len(results) - finished,
        endings=count(result.clause for result in results if result.finished),
        decisions=decisions,
        mean_length=decisions / len(lengths) if lengths else 0.0,
        min_length=min(lengths, default=0),
        max_length=max(lengths, default=0),
        seconds=seconds,
        decisions_per_second=(decisions - old) / seconds if seconds > 0 else 0.0,
        interrupted=interrupted,
    )


def count(things: Iterable[str]) -> dict[str, int]:
    """How often each occurs, the most frequent first; a dictionary in a reproducible order."""
    return dict(sorted(Counter(things).items(), key=lambda item: (-item[1], item[0])))


def _labels(bots: Sequence[str]) -> tuple[str, ...]:
    """The bots' names; twins get a number: ``greedy#1``, ``greedy#2``."""
    if len(set(bots)) == len(bots):
        return tuple(bots)
    return tuple(f"{bot}#{i}" for i, bot in enumerate(bots, 1))
