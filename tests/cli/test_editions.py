"""Records of an earlier edition, at the terminal: what differs is told, and nothing is overwritten."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from legatus.games import GAMES
from legatus.kernel.records import parse_record, record_text

from .conftest import Moment, Run

CUT = 20  # the entry that leads elsewhere now


@pytest.fixture
def old(fight: Moment, tmp_path: Path) -> Path:
    """A record of edition 1 that the rules of now do not follow to its end."""
    notes = {"seats": {"rome": "human", "barbarians": "greedy"}, "seed": 4}
    head, *lines = record_text(fight.match, **notes).splitlines()
    head = head.replace('"edition": 2', '"edition": 1', 1)
    row = json.loads(lines[CUT]) | {"check": "0123456789ab"}
    lines[CUT] = json.dumps(row)
    path = tmp_path / "old.legatus.jsonl"
    path.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    return path


def test_replay_shows_it_up_to_there_and_says_so(run: Run, old: Path) -> None:
    shown = run("replay", old)
    assert shown.code == 0
    for said in (shown.out, shown.err):
        told = " ".join(said.split())
        assert f"Under edition 2 it would go on differently at entry {CUT}" in told
    assert f"{CUT - 1}/{CUT - 1} " in shown.out
    verified = run("replay", old, "--verify")
    assert verified.code == 1
    assert "identical" not in verified.out
    data = json.loads(run("replay", old, "--json").out)
    assert len(data["entries"]) == CUT
    assert data["differs"]["edition"] == 1
    assert not json.loads(run("replay", old, "--verify", "--json").out)["identical"]
    french = " ".join(run("replay", old, "--lang", "fr").out.split())
    assert f"la suite serait différente à l'entrée {CUT}" in french


def test_play_goes_on_from_its_last_position_in_another_file(run: Run, old: Path, fight: Moment) -> None:
    before = old.read_bytes()
    played = run("play", "--resume", old, "--seat", "rome=random")
    assert played.code == 0, played.err
    assert old.read_bytes() == before
    new = old.with_name("old-edition-2.legatus.jsonl")
    match = parse_record(GAMES, new.read_text(encoding="utf-8"))
    assert match.state.outcome is not None
    assert match.journal[CUT].resumed is not None
    assert match.states[CUT] == fight.match.state
    assert match.journal[CUT].resumed.lost == len(fight.match.journal) - CUT
    assert run("replay", new, "--verify").code == 0
    assert "the rules have changed" in run("replay", new).out
    again = run("play", "--resume", old, "--seat", "rome=random")
    assert again.code == 2
    assert "old-edition-2.legatus.jsonl" in again.err


def test_without_a_position_it_cannot_be_gone_on_with(run: Run, old: Path) -> None:
    lines = old.read_text(encoding="utf-8").splitlines()
    row = json.loads(lines[-1])
    del row["position"]
    old.write_text("\n".join([*lines[:-1], json.dumps(row)]), encoding="utf-8")
    refused = run("play", "--resume", old)
    assert refused.code == 1
    assert "it cannot be gone on with under the rules of this version" in refused.err
    assert not list(old.parent.glob("*edition*"))


def test_rules_and_games_tell_the_edition(run: Run) -> None:
    assert "virtus, edition 2 of the rules" in run("rules", "virtus").out
    assert "onus, édition 2 des règles" in run("rules", "onus", "--lang", "fr").out
    assert {game["game"]: game["edition"] for game in json.loads(run("games", "--json").out)} == {
        key: game.edition for key, game in GAMES.items()
    }
