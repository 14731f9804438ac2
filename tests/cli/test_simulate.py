"""``simulate`` and ``fuzz``."""

import re
import sys
from pathlib import Path

import pytest

from legatus.lab.ledger import BadLedger

from .conftest import Run

KEYS = [
    *("game", "scenario", "games", "wins", "wins_by_bot", "draws", "unfinished", "intervals", "endings"),
    *("decisions", "seconds", "decisions_per_second", "seed", "interrupted"),
]


def test_json_is_one_object_with_the_documented_keys(run: Run) -> None:
    found = run("simulate", "virtus", "--games", 4, "--seed", 3, "--json").json
    assert list(found) == KEYS
    assert list(found["wins"]) == ["rome", "barbarians"]
    assert sum(found["wins"].values()) + found["draws"] == found["games"] == 4
    assert (found["scenario"], found["seed"]) == ("open", 3)
    swapped = run("simulate", "virtus", "--games", 2, "--bots", "g,r", "--seed", 1, "--swap", "--json").json
    assert swapped["wins_by_bot"] == {"greedy": 2, "random": 0}
    assert swapped["wins"] == {"rome": 1, "barbarians": 1}, "one from either seat"
    assert list(found["intervals"]) == ["rome", "barbarians"]
    assert list(swapped["intervals"]) == ["rome", "barbarians", "greedy", "random"]
    low, high = swapped["intervals"]["greedy"]
    assert 0.3 < low < high == 1


def test_the_same_seed_gives_the_same_games(run: Run) -> None:
    args = ("simulate", "virtus", "-s", "bridge", "--bots", "random,r", "--games", 3, "--seed", 5, "--json")
    once, again = run(*args).json, run(*args).json
    assert [once[key] for key in ("wins", "draws", "decisions")] == [
        again[key] for key in ("wins", "draws", "decisions")
    ]
    assert once["scenario"] == "bridge"


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_report_is_a_table(run: Run, lang: str) -> None:
    result = run("simulate", "virtus", "--games", 2, "--seed", 1, "--lang", lang, "--swap")
    assert result.code == 0
    assert "95" in result.out
    assert "rome" in result.out
    assert result.err == ""  # no bar without a terminal
    assert set(re.findall(r"\d(\D)\d\s*%", result.out)) == {"," if lang == "fr" else "."}


def test_bad_input(run: Run) -> None:
    run("simulate", "virtus", "--bots", "greedy").fails(2, "rome, barbarians")
    run("simulate", "virtus", "--bots", "greedy,napoleon").fails(2, "napoleon", "random")
    run("simulate", "virtus", "--scenario", "moon").fails(2, "moon", "bridge")
    run("simulate", "virtus", "--army", "martians", "--army", "gauls").fails(2, "martians", "dacians")
    run("simulate", "virtus", "--army", "gauls").fails(2, "2 armies")
    run("simulate", "virtus", "--option", "magic=on").fails(2, "magic", "pips")
    run("simulate", "virtus", "--option", "pips=maybe").fails(2, "maybe", "off")
    run("simulate", "virtus", "--option", "pips").fails(2, "KEY=VALUE")
    run("simulate", "virtus", "--games", 0).fails(2, "--games")
    run("simulate", "virtus", "--jobs", 0).fails(2, "--jobs")


def test_finished_games_are_kept_and_gone_on_with(run: Run, tmp_path: Path) -> None:
    args = ("simulate", "virtus", "-s", "plain-small", "--json")
    once = run(*args, "--games", 4, "--seed", 5).json
    run(*args, "--games", 2, "--seed", 5, "--out", "run.jsonl")
    again = run(*args, "--games", 4, "--resume", "run.jsonl").json  # the seed is that of the file
    same = ("scenario", "games", "wins", "draws", "decisions", "seed")
    assert [again[key] for key in same] == [once[key] for key in same]
    run(*args, "--out", "run.jsonl").fails(2, "run.jsonl", "--resume")
    run(*args, "--resume", "none.jsonl").fails(2, "none.jsonl", "--out")
    run(*args, "--out", "a.jsonl", "--resume", "run.jsonl").fails(2, "--out", "--resume")
    run(*args, "--resume", "run.jsonl", "-o", "pips=on").fails(2, "options.pips")
    run(*args, "--resume", "run.jsonl", "--seed", 6).fails(2, "seed")
    run(*args, "--out", "nowhere/run.jsonl").fails(2, "nowhere/run.jsonl")


def test_a_run_of_a_program_may_have_words_as_its_seed(run: Run) -> None:
    args = ("simulate", "virtus", "-s", "plain-small", "--json", "--games", 2)
    run(*args, "--seed", 5, "--out", "run.jsonl")
    kept = Path("run.jsonl")
    kept.write_text(kept.read_text().replace('"seed":"5"', '"seed":"five"'))
    assert run(*args, "--resume", "run.jsonl").json["seed"] == "five"


def test_a_cluster_that_does_not_answer_leaves_no_file(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(*_: object) -> None:
        raise BadLedger("head", file="cluster")

    monkeypatch.setattr("legatus.lab.pool.Local.begin", silent)
    run("simulate", "virtus", "--out", "run.jsonl").fails(2, "cluster")
    assert not Path("run.jsonl").exists()


def test_engines(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    args = ("simulate", "virtus", "--games", 1)
    run(*args, "--engine", "steam").fails(2, "steam", "local, ray")
    run(*args, "--address", "auto").fails(2, "--engine ray")
    monkeypatch.setitem(sys.modules, "ray", None)
    run(*args, "--engine", "ray").fails(2, "legatus[ray]")


def test_fuzz(run: Run) -> None:
    report = run("fuzz", "virtus", "--games", 3, "--seed", 2, "--json").json
    assert report["games"] == 3
    assert report["failures"] == []
    result = run("fuzz", "virtus", "--games", 1, "--seed", 2, "--lang", "fr")
    assert result.code == 0
    run("fuzz", "virtus", "--scenario", "moon").fails(2, "moon")
