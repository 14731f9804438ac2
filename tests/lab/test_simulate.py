"""Simulation, on the toy game: the same results from any number of processes."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest

from legatus import bots
from legatus.bots import GreedyBot, RandomBot
from legatus.kernel import Action, Game, Setup
from legatus.kernel.errors import GameFailed
from legatus.lab import Report, simulate, wilson

from ..toy import GONE, HIDDEN, OUTPOST, TOY, UNITS, March, Toy, ToyState, side_of

SETUP = TOY.configure(length="long")


class Keen(Toy):
    """Judges that what counts is to be near the outpost, and alive."""

    def evaluate(self, state: ToyState, seat: int) -> float:
        total = 0.0
        for i, at in enumerate(state.at):
            if at != GONE:
                dq, dr = int(at[:2]) - int(OUTPOST[:2]), int(at[2:]) - int(OUTPOST[2:])
                worth = state.strength[i] * 2 - max(abs(dq), abs(dr), abs(dq + dr)) + 9 * (at == OUTPOST)
                total += worth if side_of(i) == seat else -worth
        return total


class Open(Toy):
    """No secrets: the view is the state."""

    def view(self, state: ToyState, seat: int | None) -> ToyState:
        return state

    def guess(self, view: ToyState, seat: int, rng: Random) -> ToyState:
        return view


class Spy(GreedyBot):
    """A greedy bot that keeps what it was shown."""

    seen: list[tuple[ToyState, int]]

    def choose(self, game: Game, view: Any, seat: int, rng: Random) -> Action:
        Spy.seen.append((view, seat))
        return super().choose(game, view, seat, rng)


class Vandal(RandomBot):
    """Chooses, then overturns the table."""

    def choose(self, game: Game, view: Any, seat: int, rng: Random) -> Action:
        chosen = super().choose(game, view, seat, rng)
        view.at, view.todo = [GONE] * len(UNITS), []
        return chosen


class Screened(RandomBot):
    """Random under another name: takes the way of bots that need a view."""


def untimed(report: Report) -> Report:
    return msgspec.structs.replace(report, seconds=0.0, decisions_per_second=0.0)


def run(
    names: tuple[str, str], games: int = 12, seed: int | str = 7, game: Game = TOY, **more: Any
) -> Report:
    return simulate(game, SETUP, names, games, seed, **more)


def test_the_report_adds_up() -> None:
    report = run(("greedy", "random"), swap=True, game=Keen())
    assert (report.game, report.scenario, report.seed) == ("outpost", "plain", "7")
    assert list(report.wins) == ["red", "blue"]
    assert list(report.wins_by_bot) == ["greedy", "random"]
    assert sum(report.wins.values()) == sum(report.wins_by_bot.values())
    assert sum(report.wins.values()) + report.draws + report.unfinished == report.games == 12
    assert sum(report.endings.values()) == report.games - report.unfinished
    assert report.min_length <= report.mean_length == report.decisions / 12 <= report.max_length
    assert report.decisions_per_second == pytest.approx(report.decisions / report.seconds)
    assert msgspec.json.decode(msgspec.json.encode(report), type=Report) == report


@pytest.mark.parametrize("names", [("r", "r"), ("g", "r")])
def test_the_number_of_processes_changes_nothing(names: tuple[str, str]) -> None:
    alone, two = (run(names, games=9, jobs=jobs, swap=True) for jobs in (1, 2))
    assert untimed(alone) == untimed(two)


def test_the_seed_decides_all() -> None:
    assert untimed(run(("g", "r"), games=4)) == untimed(run(("g", "r"), games=4))
    assert run(("r", "r"), seed=8).decisions != run(("r", "r")).decisions


def test_each_game_depends_on_its_number_only() -> None:
    few, more = run(("r", "r"), games=3), run(("r", "r"), games=6)
    steps: list[int] = [run(("r", "r"), games=n).decisions for n in range(7)]
    assert few.decisions == steps[3]
    assert more.decisions == steps[6]
    assert len({b - a for a, b in pairwise(steps)}) > 1, "games differ from each other"


def test_greedy_beats_random_from_either_seat() -> None:
    report = run(("g", "r"), game=Keen(), swap=True)
    assert report.wins_by_bot["greedy"] >= 3 * max(1, report.wins_by_bot["random"])
    assert min(report.wins.values()) > 0, "swapped seats: the better bot wins with both colours"
    mirrored = run(("r", "g"), games=6, game=Keen(), swap=True)
    assert mirrored.wins_by_bot["greedy"] >= 3 * max(1, mirrored.wins_by_bot["random"])


def test_without_swap_a_bot_keeps_its_seat() -> None:
    report = run(("g", "r"), games=3, game=Keen())
    assert (report.wins["red"], report.wins["blue"]) == tuple(report.wins_by_bot.values())


def test_twins_are_told_apart_and_do_not_play_the_same_game_twice() -> None:
    report = run(("r", "r"), games=2, swap=True)
    assert report.bots == ("random#1", "random#2")
    assert untimed(run(("r", "r"), games=12, swap=True)).decisions == run(("r", "r"), games=12).decisions


def test_bots_are_shown_views_only(monkeypatch: pytest.MonkeyPatch) -> None:
    Spy.seen = []
    monkeypatch.setitem(bots.BOTS, "spy", Spy)
    run(("spy", "random"), games=4, swap=True)
    assert {seat for _, seat in Spy.seen} == {0, 1}
    hidden = 0
    for view, seat in Spy.seen:
        for i in range(len(UNITS)):
            if side_of(i) != seat and not view.shown[i]:
                assert view.strength[i] == HIDDEN
                hidden += 1
    assert hidden > 100


def test_a_bot_has_no_hand_on_the_real_state(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(bots.BOTS, "vandal", Vandal)
    monkeypatch.setitem(bots.BOTS, "screened", Screened)
    honest = run(("screened", "screened"), game=Open())
    assert run(("vandal", "vandal"), game=Open()).decisions == honest.decisions


def test_the_fast_way_of_random_bots_plays_the_same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(bots.BOTS, "screened", Screened)
    fast, slow = run(("r", "r")), run(("screened", "screened"))
    assert (fast.wins, fast.draws, fast.decisions) == (slow.wins, slow.draws, slow.decisions)


def test_a_game_without_end_is_counted_apart() -> None:
    report = run(("r", "r"), max_decisions=10)
    assert (report.unfinished, report.draws, report.endings) == (12, 0, {})
    assert (report.min_length, report.max_length) == (10, 10)


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_is_told_of_every_game(jobs: int) -> None:
    told: list[tuple[int, int]] = []
    run(("r", "r"), jobs=jobs, progress=lambda done, total: told.append((done, total)))
    assert told == [(n, 12) for n in range(1, 13)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interruption_returns_what_is_finished(jobs: int) -> None:
    def stop_at_five(done: int, total: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    report = run(("r", "r"), games=4000, jobs=jobs, progress=stop_at_five)
    assert report.interrupted
    assert 5 <= report.games < 4000
    assert sum(report.wins.values()) + report.draws == report.games


def test_a_game_that_breaks_down_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(March, "perform", lambda self, play: 1 // 0)
    with pytest.raises(GameFailed, match="game 0 of seed '7' broke down: ZeroDivisionError"):
        run(("r", "r"))


class Exploding(Toy):
    def begin(self, setup: Setup) -> ToyState:
        raise RuntimeError("boom")


def test_a_game_that_breaks_down_in_another_process_is_named() -> None:
    with pytest.raises(GameFailed, match=r"game \d+ of seed '7' broke down: RuntimeError\('boom'\)"):
        run(("r", "r"), game=Exploding(), jobs=2)


def test_every_seat_needs_a_bot() -> None:
    with pytest.raises(ValueError, match="outpost has 2 seats, 1 bot"):
        simulate(TOY, SETUP, ["random"], 1)
    with pytest.raises(ValueError, match="no bot is called 'x'"):
        simulate(TOY, SETUP, ["random", "x"], 1)


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        (8, 10, 0.4902, 0.9433),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (50, 100, 0.4038, 0.5962),
        (0, 0, 0.0, 1.0),
    ],
)
def test_wilson_against_known_values(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))
