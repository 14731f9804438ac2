"""``analyse``, ``branch`` and the odds of sequences."""

import json
from pathlib import Path

import pytest

from legatus.games import GAMES
from legatus.kernel import Match, legal, say
from legatus.kernel.codec import verb
from legatus.kernel.records import digest, parse_record, position_text, record_text

from ..server.test_whatif import short_battle
from .conftest import Moment, Run

QUICK = ("--playouts", 3, "--samples", 2, "--bot", "random")


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("analyse") / "end.legatus.jsonl"
    file.write_text(short_battle(), encoding="utf-8")
    return file


def read(file: Path) -> Match:
    return parse_record(GAMES, file.read_text(encoding="utf-8"))


def test_an_analysis_has_a_chart_totals_and_turning_points(run: Run, record: Path) -> None:
    found = run("analyse", record, *QUICK)
    assert found.code == 0, found.err
    assert "Rome: chance to win" in found.out
    assert any(bar in found.out for bar in "▁▂▃▄▅▆▇█")
    assert "The 5 turning points" in found.out
    match = read(record)
    data = run("analyse", record, *QUICK, "--json").json
    assert len(data["moments"]) == len(match.journal)
    for point in data["turning"]:
        events = match.events[point["entry"]]
        assert len(point["told"]["en"]) == len(point["told"]["fr"]) == len(events)
        for line, event in zip(point["told"]["en"], events, strict=True):
            assert line.endswith(f"[{event.clause}]")
            assert line.split()[0] in found.out


def test_the_same_command_says_the_same(run: Run, record: Path) -> None:
    assert run("analyse", record, *QUICK).out == run("analyse", record, *QUICK, "--seed", 0, "-j", 2).out
    assert "chance de gagner" in run("analyse", record, *QUICK, "--lang", "fr").out


def test_an_analysis_is_written_only_where_it_is_asked_for(run: Run, record: Path, tmp_path: Path) -> None:
    before = set(record.parent.iterdir())
    done = run("analyse", record, *QUICK, "--out", "end.json", "--json")
    assert json.loads((tmp_path / "end.json").read_text(encoding="utf-8")) == done.json
    assert set(record.parent.iterdir()) == before
    run("analyse", record, *QUICK, "--out", "end.json").fails(2, "end.json", "exists")
    run("analyse", record, "--out", "nowhere/end.json").fails(2, " nowhere/end.json:")


def test_what_cannot_be_analysed_is_said(run: Run, record: Path, tmp_path: Path) -> None:
    run("analyse", "nowhere.jsonl").fails(2, "nowhere.jsonl")
    run("analyse", record, "--playouts", 0).fails(2, "--playouts")
    run("analyse", record, "--bot", "nobody").fails(2, "nobody")
    lines = record.read_text(encoding="utf-8").splitlines()[:2]
    (tmp_path / "begun.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    run("analyse", "begun.jsonl").fails(2, "begun.jsonl", "nothing")


def test_a_branch_is_a_record_that_play_goes_on_with(run: Run, record: Path, tmp_path: Path) -> None:
    done = run("branch", record, "--at", 3, "--seat", "barbarians", "--out", "new.jsonl", "--seed", 1)
    assert done.code == 0, done.err
    assert "new.jsonl" in done.out
    assert "secrets are those of the match" in done.out
    head = json.loads((tmp_path / "new.jsonl").read_text(encoding="utf-8").split("\n", 1)[0])
    assert (head["version"], head["seats"]) == (3, {"rome": "greedy", "barbarians": "human"})
    left = head["branch"]
    assert (left["of"], left["entry"], left["seat"]) == (record.name, 3, "barbarians")
    assert not left["dealt"]
    assert run("replay", "new.jsonl", "--verify").out == "1 entries, identical\n"
    played = run("play", "--resume", "new.jsonl", "--seat", "barbarians=random", "--seed", 1)
    assert played.code == 0, played.err
    end = read(tmp_path / "new.jsonl")
    assert end.state.outcome is not None
    assert end.setup.branch is not None
    assert run("replay", "new.jsonl", "--verify").code == 0


def test_a_branch_of_a_match_that_is_not_over_is_dealt_anew(run: Run, fight: Moment, tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").write_text(record_text(fight.match), encoding="utf-8")
    last = len(fight.match.journal) - 1
    states = set()
    for seed in range(4):
        to = ("--seat", "barbarians", "--out", f"{seed}.jsonl")
        done = run("branch", "game.jsonl", "--at", last, *to, "--seed", seed)
        assert "dealt anew" in done.out
        new = read(tmp_path / f"{seed}.jsonl")
        game = new.game
        assert game.view(new.state, 1) == game.view(fight.match.state, 1)
        states.add(digest(new.state))
    assert len(states) > 1, "every deal is the same"


def test_what_cannot_be_left_is_said(run: Run, record: Path) -> None:
    last = len(read(record).journal) - 1
    run("branch", record, "--at", last, "--seat", "rome", "--out", "x.jsonl").fails(2, record.name, "over")
    run("branch", record, "--at", last + 1, "--seat", "rome", "--out", "x.jsonl").fails(2, str(last))
    run("branch", record, "--at", 1, "--seat", "carthage", "--out", "x.jsonl").fails(2, "carthage")
    run("branch", record, "--at", 1, "--seat", "rome", "--out", record).fails(2, "exists")
    run("branch", record, "--at", 1, "--seat", "rome", "--out", "nowhere/x").fails(2, " nowhere/x:")
    assert not Path("x.jsonl").exists()


# --- odds of sequences ---------------------------------------------------------------------------


def test_odds_of_one_action_after_another(run: Run, fight: Moment, tmp_path: Path) -> None:
    line = say(fight.action)
    bridge = Path(__file__).parents[2] / "docs" / "examples" / "bridge.legatus.jsonl"
    match = read(bridge)
    (tmp_path / "two.json").write_text(position_text(match.game, match.states[128]), encoding="utf-8")
    both = run("odds", "two.json", "fight", "legion-3", "then", "fight", "vet-aux-2", "--json").json
    assert both["action"] == "fight legion-3 → fight vet-aux-2"
    assert [share["p"] for share in both["possible"]] == [1, 1]
    ones = [run("odds", "two.json", "fight", unit, "--json").json for unit in ("legion-3", "vet-aux-2")]
    assert "possible" not in ones[0]
    means = [one["columns"]["tokens"]["mean"] for one in ones]
    assert both["columns"]["tokens"]["mean"] == pytest.approx(sum(means))
    twice = run("odds", fight.file, f"{line} then {line}")
    assert twice.code == 0, twice.err
    assert f"not possible any more: {line}  100.0%" in twice.out
    assert "n'est plus possible" in run("odds", fight.file, f"{line} puis {line}", "--lang", "fr").out


def test_a_sequence_needs_actions_and_a_legal_first_one(run: Run, fight: Moment) -> None:
    line = say(fight.action)
    run("odds", fight.file, line, "then").fails(2)
    run("odds", fight.file, "then", line).fails(2)
    run("odds", fight.file, line, "then", "juggle").fails(2, "juggle")
    told = run("odds", fight.file, line, "then", "fight", "nobody").out
    assert "not possible any more: fight nobody  100.0%" in told
    assert "Nobody is not one of your units" in told
    other = next(action for action in legal(fight.match.states[0]) if verb(type(action)) != "fight")
    run("odds", fight.file, say(other), "then", line).fails(1)
