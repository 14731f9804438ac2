"""Whole battles, one for each way of ending: they replay to the letter, for ever."""

import json
from pathlib import Path

import pytest

from legatus.games import GAMES
from legatus.games.virtus import VIRTUS
from legatus.kernel.records import parse_record, record_text

JOURNALS = sorted((Path(__file__).parent / "journals").glob("*.jsonl"))
ENDS = {"conquest", "outflanked", "no_units", "stalemate"}


def test_there_is_a_battle_for_every_way_of_ending() -> None:
    assert {path.stem.rsplit("-", 1)[0] for path in JOURNALS} == ENDS
    assert {
        key.split(".")[1] for key in VIRTUS.folder.messages["en"].sentences if key.startswith("end.")
    } == ENDS


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_a_battle_replays_to_the_letter(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    match = parse_record(GAMES, text, path.name)
    assert match.difference is None
    again = record_text(match).splitlines()
    for old, new in zip(text.splitlines()[1:], again[1:], strict=True):  # of whatever version it is
        row = json.loads(new)
        assert {name: row[name] for name in json.loads(old)} == json.loads(old)
    outcome = match.state.outcome
    assert outcome is not None
    winner = "nobody" if outcome.winner is None else VIRTUS.seats[outcome.winner]
    assert f"{outcome.key.split('.')[1]}-{winner}" == path.stem
