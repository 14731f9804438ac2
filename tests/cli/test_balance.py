"""``balance``."""

from pathlib import Path

import pytest

from .conftest import Run

SMALL = ("balance", "virtus", "-s", "plain-small", "-a", "gauls", "-a", "parthians", "-b", "r,r", "-n", 2)


@pytest.mark.parametrize(("lang", "head"), [("en", "Balance: Virtus"), ("fr", "Équilibre : Virtus")])
def test_tables_and_a_file(run: Run, tmp_path: Path, lang: str, head: str) -> None:
    more = ("--seed", 1, "--effect", "pips", "--handicap", "--html", "report.html", "--lang", lang)
    result = run(*SMALL, *more)
    assert result.code == 0, result
    assert result.err == ""
    assert head in result.out
    for word in ("gauls", "parthians", "plain-small", "pips", "95"):
        assert word in result.out
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert f'<html lang="{lang}">' in text
    assert "<svg" in text


def test_json_and_the_same_seed(run: Run) -> None:
    once, again = (run(*SMALL, "--seed", 3, "--json").json for _ in range(2))
    assert once.pop("seconds") > 0
    again.pop("seconds")
    assert once == again
    assert len(once["battles"]) == 4
    assert once["battles"][1]["armies"] == ["gauls", "parthians"]
    assert once["played"] == 8


def test_all_options_of_a_game_with_given_armies(run: Run) -> None:
    args = ("balance", "formations", "-s", "drought", "-b", "r,r", "-n", 1, "--seed", 1)
    found = run(*args, "--effect", "all", "--json").json
    assert [effect["option"] for effect in found["effects"]] == ["fire", "stakes"]
    assert found["armies"] == []


def test_games_are_kept_and_gone_on_with(run: Run) -> None:
    once = run(*SMALL, "--seed", 3, "--json").json
    run(*SMALL, "--seed", 3, "--out", "run.jsonl", "--json")
    again = run(*SMALL, "--resume", "run.jsonl", "--json").json
    assert again["battles"] == once["battles"]
    run(*SMALL, "--resume", "run.jsonl", "--effect", "pips").fails(2, "effects")


def test_bad_input(run: Run) -> None:
    run("balance", "chess").fails(2, "chess")
    run("balance", "virtus", "-s", "moon").fails(2, "moon")
    run("balance", "virtus", "-a", "martians").fails(2, "martians")
    run("balance", "virtus", "-b", "greedy").fails(2, "rome, barbarians")
    run("balance", "virtus", "--effect", "magic").fails(2, "magic", "pips")
    run("balance", "virtus", "-n", 0).fails(2, "--games")
    run("balance", "metaurus", "-a", "gauls").fails(2, "metaurus")


def test_where_nothing_can_be_written_nothing_is_played(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("legatus.lab.balance.Examination.run", lambda *_: pytest.fail("it plays"))
    run(*SMALL, "--html", "nowhere/b.html").fails(2, "nowhere/b.html")
    run(*SMALL, "--out", "nowhere/run.jsonl").fails(2, "nowhere/run.jsonl")
    Path("run.jsonl.handicaps").write_text("of an older run")
    run(*SMALL, "--out", "run.jsonl", "--handicap").fails(2, "run.jsonl.handicaps", "exists")
    assert [path.name for path in Path().iterdir()] == ["run.jsonl.handicaps"]
