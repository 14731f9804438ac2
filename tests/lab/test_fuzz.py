"""The fuzzer must find what is broken, and keep it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from legatus.kernel import BadFile, Game, Message, Setup
from legatus.kernel.files import read_text
from legatus.kernel.records import parse_record
from legatus.lab import Failure, FuzzReport, fuzz
from legatus.lab.fuzz import Wish

from ..toy import TOY, March, Orders, Toy, ToyState


def untimed(report: FuzzReport) -> FuzzReport:
    return msgspec.structs.replace(report, seconds=0.0)


def only_failure(report: FuzzReport) -> Failure:
    assert len(report.failures) == 1
    return report.failures[0]


def replayed(game: Game, failure: Failure) -> Any:
    return parse_record({game.key: game}, read_text(failure.file), failure.file)


class SecondTurnBreaks(Toy):
    def invariants(self, state: ToyState) -> Iterator[str]:
        if state.turn == 2:
            yield "T2.2: there is no second turn"


class Drifting(Toy):
    """No two games start alike: its records do not replay."""

    begun = count()

    def begin(self, setup: Setup) -> ToyState:
        state = super().begin(setup)
        state.deck[0] += next(self.begun)
        return state


class Untidy(Toy):
    """Writes its options in another order than it reads them."""

    def configure(self, scenario: str | None = None, armies: Any = (), **options: bool | str) -> Setup:
        setup = super().configure(scenario, armies, **options)
        return Setup(setup.scenario, (), dict(reversed(setup.options.items())))


class Choosy(Toy):
    def configure(self, scenario: str | None = None, armies: Any = (), **options: bool | str) -> Setup:
        if options.get("weather") is False:
            raise BadFile("options", "weather", Message("text", {"text": "there is always weather"}))
        return super().configure(scenario, armies, **options)


class NoSetup(Toy):
    def configure(self, scenario: str | None = None, armies: Any = (), **options: bool | str) -> Setup:
        raise BadFile("scenario", "", Message("text", {"text": "nothing to play"}))


def test_a_sound_game_gets_a_clean_bill(tmp_path: Path) -> None:
    report = fuzz(TOY, ["plain"], 26, 3, folder=tmp_path)
    assert report.failures == ()
    assert (report.games, report.replays, report.declined) == (26, 2, 0)
    assert sum(report.endings.values()) == 26
    assert report.scenarios == {"plain": 26}
    assert report.decisions > 26 * 7
    assert list(tmp_path.iterdir()) == []


def test_the_number_of_processes_changes_nothing(tmp_path: Path) -> None:
    alone, two = (fuzz(TOY, ["plain"], 20, 3, jobs, folder=tmp_path) for jobs in (1, 2))
    assert untimed(alone) == untimed(two)


def test_without_scenarios_all_of_them_are_played(tmp_path: Path) -> None:
    assert fuzz(TOY, games=2, folder=tmp_path).scenarios == {"plain": 2}


def test_options_are_turned_about() -> None:
    wishes = [Wish(TOY, "plain", Random(n)).options for n in range(400)]
    off = sum(not wish["weather"] for wish in wishes)
    assert 60 <= off <= 140  # a quarter of 400
    assert 150 <= sum(wish["length"] == "long" for wish in wishes) <= 250


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_broken_invariant_is_kept_as_a_record_that_replays(tmp_path: Path, jobs: int) -> None:
    game = SecondTurnBreaks()
    report = fuzz(game, ["plain"], 2, "bad/seed", jobs, folder=tmp_path / "new")
    assert [failure.number for failure in report.failures] == [0, 1]
    failure = report.failures[1]
    assert failure.problem == "invariant: T2.2: there is no second turn"
    assert (failure.seed, failure.scenario) == ("bad/seed", "plain")
    match = replayed(game, failure)
    assert len(match.journal) == failure.decisions + 1
    assert match.state.turn == 2
    assert match.setup.options == failure.options
    assert list(game.invariants(match.state))


def test_a_crash_is_kept_with_the_action_and_its_luck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(March, "perform", lambda self, play: {}["gone"])
    failure = only_failure(fuzz(TOY, ["plain"], 1, 3, folder=tmp_path))
    assert failure.problem.startswith("'march ")
    assert f"with dice Seeded('3/0/{failure.decisions + 1}'): KeyError('gone')" in failure.problem
    assert len(replayed(TOY, failure).journal) == failure.decisions + 1


def test_a_dead_end_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Orders, "candidates", lambda self, state: [])
    failure = only_failure(fuzz(TOY, ["plain"], 1, 3, folder=tmp_path))
    assert failure.problem.startswith("dead end: Orders(seat=0)")


def test_a_game_without_end_is_found(tmp_path: Path) -> None:
    failure = only_failure(fuzz(TOY, ["plain"], 1, 3, folder=tmp_path, max_decisions=5))
    assert failure.problem == "no end after 5 decisions"
    assert failure.decisions == 5


def test_a_record_that_does_not_replay_is_found(tmp_path: Path) -> None:
    failure = only_failure(fuzz(Drifting(), ["plain"], 2, 3, folder=tmp_path))
    assert failure.number == 0
    assert failure.problem.startswith("replay: ")
    assert "replays to another state" in failure.problem


def test_a_record_that_reads_back_to_another_text_is_found(tmp_path: Path) -> None:
    failure = only_failure(fuzz(Untidy(), ["plain"], 2, 3, folder=tmp_path))
    assert failure.problem == "replay: another record, from line 1 on"


def test_a_set_up_that_the_game_declines_is_played_with_its_defaults(tmp_path: Path) -> None:
    report = fuzz(Choosy(), ["plain"], 30, 3, folder=tmp_path)
    assert report.failures == ()
    assert 0 < report.declined < 30


def test_a_scenario_that_cannot_be_set_up_is_a_failure(tmp_path: Path) -> None:
    failure = only_failure(fuzz(NoSetup(), ["plain"], 1, 3, folder=tmp_path))
    assert "nothing to play" in failure.problem
    assert "nothing to play" in read_text(failure.file)


def test_what_cannot_be_written_as_a_record_is_still_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("legatus.kernel.records.fingerprint", lambda encoded: 1 // 0)
    failure = only_failure(fuzz(SecondTurnBreaks(), ["plain"], 1, 3, folder=tmp_path))
    text = read_text(failure.file)
    assert "ZeroDivisionError" in text
    assert len(text.splitlines()) == failure.decisions + 2
