"""``replay``: print, look at one entry, check, refuse what was tampered with."""

import json
from pathlib import Path
from random import Random

import pytest

from legatus.games import GAMES
from legatus.kernel import Match, Seeded, legal, say
from legatus.kernel.records import record_text
from tests.server.client import SMALL
from tests.twins import some_twins

from .conftest import VIRTUS, Moment, Run


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


@pytest.mark.parametrize(("key", "scenario"), [("julian", None), ("virtus", "open")])
def test_a_seat_is_not_told_what_others_drew(
    run: Run, tmp_path: Path, key: str, scenario: str | None
) -> None:
    """Two records that differ in a draw of one side are printed alike through the eyes of the other."""
    game = GAMES[key]
    pair = some_twins(game, game.configure(scenario), 1, 40, 25, lambda pair: pair.is_drawn)[0]
    eyes = game.seats[1 - pair.owner]
    printed: dict[str, set[str]] = {"eyes": set(), "json": set(), "all": set(), "own": set()}
    for match in pair.matches:
        path = tmp_path / "game.jsonl"
        path.write_text(record_text(match), encoding="utf-8")
        printed["eyes"].add(run("replay", path, "--seat", eyes).out)
        printed["json"].add(json.dumps(run("replay", path, "--seat", eyes, "--json").json))
        printed["own"].add(run("replay", path, "--seat", game.seats[pair.owner]).out)
        printed["all"].add(run("replay", path).out)
    assert {name: len(texts) for name, texts in printed.items()} == {"eyes": 1, "json": 1, "own": 2, "all": 2}


def test_branches_of_running_matches_hold_no_draw_of_others(run: Run, tmp_path: Path) -> None:
    """What goes on from a moment is dealt from what the seat may know: the same from either record."""
    game = GAMES["julian"]
    pair = some_twins(game, game.configure(), 1, 40, 25, lambda pair: pair.is_drawn)[0]
    branched = set()
    for n, match in enumerate(pair.matches):
        path, out = tmp_path / f"{n}" / "game.jsonl", tmp_path / f"{n}.jsonl"
        path.parent.mkdir()
        path.write_text(record_text(match), encoding="utf-8")
        eyes = game.seats[1 - pair.owner]
        result = run("branch", path, "--at", pair.entry, "--seat", eyes, "--out", out, "--seed", 1)
        assert result.code == 0
        branched.add(out.read_text(encoding="utf-8"))
    assert len(branched) == 1


def test_names_of_others_do_not_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    """A record may hold names that clear the screen, and go on with sentences of their own."""
    wild = "\x1b[2J\x1b[HVarus\x9b31m\u202e"
    armies = [{**army, "general": [{"name": wild}]} for army in SMALL["armies"]]
    match = Match.new(VIRTUS, VIRTUS.configure_known(SMALL["scenario"], armies, {}), Seeded("wild"))
    rng = Random(1)
    while len(match.journal) < 40 and match.state.decision is not None:
        match.play(rng.choice(legal(match.state)), match.seeded("wild"))
    file = tmp_path / "wild.jsonl"
    file.write_text(record_text(match), encoding="utf-8")
    shown = run("replay", file).out
    assert "[HVarus" in shown
    assert not {"\x1b", "\x9b", "\u202e"}.intersection(shown)
    told = run("replay", file, "--json")
    assert any(wild in event["text"] for entry in told.json["entries"] for event in entry["events"])
    assert not {"\x1b", "\x9b", "\u202e"}.intersection(told.out)
    bad = tmp_path / "\x1b[2Jnowhere.jsonl"
    assert "\x1b" not in run("replay", bad).err
