"""Finished games in a file: a run goes on where it stopped, and only that run."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from legatus.lab import Report, simulate
from legatus.lab.ledger import BadLedger, Ledger, read_head

from ..toy import TOY

SETUP = TOY.configure(length="long")


def run(file: Path | None, games: int = 8, **more: Any) -> Report:
    asked = {"setup": SETUP, "bots": ("random", "random"), "seed": 7} | more
    report = simulate(TOY, games=games, file=file, **asked)
    return msgspec.structs.replace(report, seconds=0.0, decisions_per_second=0.0)


def interrupt_at(n: int) -> Any:
    def progress(done: int, total: int) -> None:
        if done == n:
            raise KeyboardInterrupt

    return progress


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_run_goes_on_and_reports_the_same(tmp_path: Path, jobs: int) -> None:
    file = tmp_path / "run.jsonl"
    first = run(file, jobs=jobs, progress=interrupt_at(3))
    assert first.interrupted
    kept = file.read_text().splitlines()
    assert len(kept) == 1 + first.games < 9
    assert run(file, jobs=jobs) == run(None)
    lines = file.read_text().splitlines()
    assert lines[: len(kept)] == kept, "what was finished is not written anew"
    assert sorted(json.loads(line)["number"] for line in lines[1:]) == list(range(8))


def test_the_head_says_what_was_played(tmp_path: Path) -> None:
    run(tmp_path / "run.jsonl", games=1)
    head = read_head(tmp_path / "run.jsonl")
    assert (head["legatus"], head["game"], head["bots"]) == ("simulation", "outpost", ["random", "random"])
    assert (head["seed"], head["swap"], head["scenario"]["name"]) == ("7", False, "plain")
    assert head["version"]


def test_a_torn_last_line_is_dropped(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    run(file)
    whole = file.read_bytes()
    file.write_bytes(whole[:-9])
    assert run(file) == run(None)
    assert sorted(file.read_bytes().splitlines()) == sorted(whole.splitlines())


def test_fewer_games_than_there_are(tmp_path: Path) -> None:
    run(tmp_path / "run.jsonl")
    assert run(tmp_path / "run.jsonl", games=3) == run(None, games=3)


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"seed": 8}, 'seed is "7" there and "8" here'),
        ({"swap": True}, "swap is false there and true here"),
        ({"bots": ("greedy", "random")}, "bots is"),
        ({"setup": TOY.configure(length="short")}, "options.length"),
        ({"max_decisions": 10}, "max_decisions"),
    ],
)
def test_a_file_of_other_settings_is_refused(tmp_path: Path, more: dict[str, Any], field: str) -> None:
    file = tmp_path / "run.jsonl"
    run(file)
    before = file.read_bytes()
    with pytest.raises(BadLedger, match=field) as told:
        run(file, **more)
    assert "autre série" in told.value.say("fr")
    assert file.read_bytes() == before


def test_a_file_of_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(tmp_path / "run.jsonl")
    monkeypatch.setattr(sys.modules["legatus.lab.simulate"], "VERSION", "9.9")
    with pytest.raises(BadLedger, match="version"):
        run(tmp_path / "run.jsonl")


@pytest.mark.parametrize("text", ["", "no json\n", "[]\n", '{"kind": "record"}\n', "[" * 9999 + "\n"])
def test_what_is_no_such_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.jsonl").write_text(text)
    with pytest.raises(BadLedger, match="first line"):
        run(tmp_path / "run.jsonl")


@pytest.mark.parametrize(
    "line", ["{", "{}", "[1]", '{"number": 0, "result": "x"}', '{"number": -1, "result": 1}', "[" * 9999]
)
def test_a_line_that_is_no_game_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "run.jsonl"
    file.write_text('{"legatus": "test"}\n' + line + "\n")
    with pytest.raises(BadLedger, match="line 2"):
        Ledger(file, {"legatus": "test"}, int)
