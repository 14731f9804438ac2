"""``replay``: print, look at one entry, check, refuse what was tampered with."""

import json
from pathlib import Path

import pytest

from legatus.kernel import say
from legatus.kernel.records import record_text

from .conftest import Moment, Run


@pytest.fixture
def record(fight: Moment, tmp_path: Path) -> Path:
    """A record up to the first fight."""
    path = tmp_path / "game.jsonl"
    path.write_text(record_text(fight.match), encoding="utf-8")
    return path


def test_verify(run: Run, record: Path, fight: Moment) -> None:
    n = len(fight.match.journal)
    assert run("replay", record, "--verify").out == f"{n} entries, identical\n"
    assert run("replay", record, "--verify", "--lang", "fr").out == f"{n} entrées, identiques\n"
    assert run("replay", record, "--verify", "--json").json == {"entries": n, "identical": True}


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_piped_it_prints_everything(run: Run, record: Path, fight: Moment, lang: str) -> None:
    result = run("replay", record, "--lang", lang)
    assert result.code == 0
    for n, entry in enumerate(fight.match.journal):
        assert f"{n}/{len(fight.match.journal) - 1} " in result.out
        if entry.action is not None:
            assert say(entry.action) in result.out
    assert "rome-reserve" in result.out


def test_one_entry(run: Run, record: Path, fight: Moment) -> None:
    last = len(fight.match.journal) - 1
    assert f"{last}/{last}" in run("replay", record, "--at", last).out
    (entry,) = run("replay", record, "--at", 1, "--json").json["entries"]
    assert entry["n"] == 1
    run("replay", record, "--at", last + 1).fails(2, str(last))


def test_json_tells_every_entry(run: Run, record: Path, fight: Moment) -> None:
    told = run("replay", record, "--json").json
    assert [entry["n"] for entry in told["entries"]] == list(range(len(fight.match.journal)))
    assert told["outcome"] is None


def test_a_seat_is_not_told_what_it_did_not_see(run: Run, record: Path, fight: Moment) -> None:
    told = run("replay", record, "--seat", "rome", "--json").json
    for entry in told["entries"]:
        assert all(event["to"] in (None, "rome") for event in entry["events"])
        assert entry["do"] is None or entry["seat"] == "rome"
    assert run("replay", record, "--seat", "rome").code == 0
    run("replay", record, "--seat", "carthage").fails(2, "carthage", "rome")


def test_a_record_that_was_tampered_with_is_refused(run: Run, record: Path) -> None:
    lines = record.read_text(encoding="utf-8").splitlines()
    for n, change in (
        (2, {"check": "0" * 12}),
        (3, {"do": "surrender"}),
        (3, {"seat": "carthage"}),
        (2, {"dice": "x"}),
    ):
        changed = lines.copy()
        changed[n - 1] = json.dumps({**json.loads(lines[n - 1]), **change})
        record.write_text("\n".join(changed), encoding="utf-8")
        run("replay", record, "--verify").fails(2, "game.jsonl", f"line {n}")
    record.write_text("{}", encoding="utf-8")
    run("replay", record).fails(2, "record")
    record.write_text("", encoding="utf-8")
    run("replay", record).fails(2, "record")
