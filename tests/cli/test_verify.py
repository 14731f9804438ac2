"""``legatus verify``, and what ``legatus play`` does so that it has something to verify."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest

from legatus.kernel import Match, Seeded
from legatus.kernel.commitment import commitment_of
from legatus.kernel.records import record_text

from .conftest import VIRTUS, Run

ONES = "1\n" * 3000
CHOSEN = 5


DUEL = Path(__file__).parent / "duel"  # one unit each, on ground that is not drawn


@pytest.fixture(autouse=True)
def a_short_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Seeds are still drawn, but the same ones in every run: some would make a long game."""
    shutil.copytree(DUEL, tmp_path, dirs_exist_ok=True)
    rng = Random(CHOSEN)
    monkeypatch.setattr("legatus.kernel.commitment.token_hex", lambda size: rng.randbytes(size).hex())


def head_of(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8").split("\n", 1)[0])


def play(run: Run, *args: object, stdin: str = ONES, file: str = "battle.jsonl") -> Any:
    words = ("play", "virtus", "-s", "duel.toml", *args, "--save", file)
    result = run(*words, "--seat", "barbarians=random", stdin=stdin)
    assert result.code == 0, result.err
    return result


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_game_is_promised_played_and_verified(run: Run, tmp_path: Path, lang: str) -> None:
    left = play(run, "--lang", lang, stdin="1\n1\n1\nquit\n")
    head = head_of(tmp_path / "battle.jsonl")
    ((given),) = head["contributions"]
    assert (given["seat"], given["row"], len(given["text"])) == ("rome", 0, 32)
    assert head["commitment"] in left.out
    assert given["text"] in left.out
    secret = (tmp_path / "battle.jsonl.seed").read_text().strip()
    assert commitment_of(secret) == head["commitment"]
    for said in (left.out, (tmp_path / "battle.jsonl").read_text()):
        assert secret not in said
    early = run("verify", "battle.jsonl", "--json")
    assert (early.code, early.json["finding"]) == (1, "unrevealed")

    over = run("play", "--resume", "battle.jsonl", "--lang", lang, stdin=ONES)
    assert over.code == 0
    assert secret in over.out
    assert not (tmp_path / "battle.jsonl.seed").exists()
    assert head_of(tmp_path / "battle.jsonl")["seed"] == secret
    assert head_of(tmp_path / "battle.jsonl")["contributions"] == head["contributions"]
    found = run("verify", "battle.jsonl", "--commitment", head["commitment"], "--lang", lang)
    assert found.code == 0
    assert found.out.startswith("Vérifié : " if lang == "fr" else "Verified: ")
    assert run("verify", "battle.jsonl", "--commitment", "0" * 64).code == 1
    given = head["contributions"][0]["text"]
    assert run("verify", "battle.jsonl", "--contribution", given).code == 0
    for seat, code in (("rome", 0), ("barbarians", 1)):
        assert run("verify", "battle.jsonl", "--contribution", f"{seat}={given}@0").code == code
    run("verify", "battle.jsonl", "--contribution", f"gauls={given}").fails(2, "gauls")
    missing = run("verify", "battle.jsonl", "--contribution", "f" * 32, "--json")
    assert (missing.code, missing.json["finding"]) == (1, "contribution")
    for odd in ("", "@0", "a b", f"{given}@", f"{given}@x", f"{given}@-1", f"{given}@{'9' * 5000}"):
        run("verify", "battle.jsonl", "--contribution", odd, "--lang", lang).fails(2, "--contribution")
    run("verify", "battle.jsonl", "--commitment", "", "--lang", lang).fails(2, "--commitment")
    assert run("audit", "battle.jsonl").code == 0


def test_what_was_changed_is_found(run: Run, tmp_path: Path) -> None:
    play(run)
    file = tmp_path / "battle.jsonl"
    text, head = file.read_text(encoding="utf-8"), head_of(file)
    assert run("verify", file, "--json").json["verified"]
    text_of = head["contributions"][0]["text"]
    for old, new, finding in (
        (text_of, "f" * 32, "differs"),
        (head["seed"], "f" * 64, "commitment"),
        ('"scheme": "hmac-sha256"', '"scheme": "loaded"', "missing"),
    ):
        file.write_text(text.replace(old, new), encoding="utf-8")
        found = run("verify", file, "--json")
        assert (found.code, found.json["finding"], found.json["verified"]) == (1, finding, False)
    file.write_text(text.replace(text_of, "f" * 32), encoding="utf-8")
    found = run("verify", file, "--json").json
    assert found["expected"] != found["found"]
    assert f"Entry {found['entry']} (" in run("verify", file).out
    lines = text.splitlines()
    dice = next(n for n in range(1, len(lines)) if re.search(r'"dice": \[\d', lines[n]))
    lines[dice] = re.sub(r'"dice": \[\d+', '"dice": [99', lines[dice])
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    run("verify", file).fails(2, f"line {dice + 1}")


def test_the_same_seed_and_contributions_make_the_same_game(run: Run, tmp_path: Path) -> None:
    """A seed that was named is no secret, so nothing is added to it unless somebody says so."""
    for name in ("one", "two"):
        play(run, "--seed", 4, file=f"{name}.jsonl")
    play(run, "--seed", 4, "--contribution", "mine", file="three.jsonl")
    one, two, three = ((tmp_path / f"{name}.jsonl").read_text() for name in ("one", "two", "three"))
    assert one == two != three
    assert head_of(tmp_path / "one.jsonl")["seed"] == 4
    assert list(tmp_path.glob("*.seed")) == []
    assert run("verify", "one.jsonl", "--json").json["silent"] == ["rome"]
    found = run("verify", "three.jsonl", "--json").json
    assert (found["verified"], found["silent"]) == (True, [])


def test_two_at_one_screen_contribute_each_for_himself(run: Run, tmp_path: Path) -> None:
    said = ("--contribution", "rome=anna", "--contribution", "barbarians=ben")
    seats = ("--seat", "rome=human", "--seat", "barbarians=human")
    result = run("play", "virtus", *seats, *said, "--save", "two.jsonl", stdin="quit\n")
    assert result.code == 0
    given = {one["seat"]: one["text"] for one in head_of(tmp_path / "two.jsonl")["contributions"]}
    assert given == {"rome": "anna", "barbarians": "ben"}
    run("play", "virtus", "--contribution", "a/b").fails(2, "--contribution", "a/b")
    run("play", "virtus", "--contribution", "moon=a").fails(2, "moon")


def test_what_was_taken_back_stays_in_the_reckoning(run: Run, tmp_path: Path) -> None:
    play(run, stdin="1\nundo\n2\nundo\n" + ONES)
    assert '"row": 5' in (tmp_path / "battle.jsonl").read_text()
    found = run("verify", "battle.jsonl", "--json").json
    assert (found["verified"], found["gaps"]) == (True, 4)


def test_a_seed_that_was_lost_is_replaced_by_another_promise(run: Run, tmp_path: Path) -> None:
    """The first part can then never be verified; the second is."""
    play(run, stdin="1\n1\n1\nquit\n")
    first = head_of(tmp_path / "battle.jsonl")["commitment"]
    (tmp_path / "battle.jsonl.seed").unlink()
    assert run("play", "--resume", "battle.jsonl", stdin=ONES).code == 0
    head = head_of(tmp_path / "battle.jsonl")
    assert head["before"][0]["commitment"] == first != head["commitment"]
    found = run("verify", "battle.jsonl", "--json")
    assert (found.code, found.json["finding"], found.json["commitment"]) == (1, "unrevealed", first)


def test_players_may_change_in_the_middle(run: Run, tmp_path: Path) -> None:
    """The seed stays; who sits down late contributes late."""
    play(run, stdin="1\n1\n1\nquit\n")
    secret = (tmp_path / "battle.jsonl.seed").read_text().strip()
    seats = ("--seat", "rome=random", "--seat", "barbarians=human")
    assert run("play", "--resume", "battle.jsonl", *seats, stdin="1\nquit\n").code == 0
    assert secret not in (tmp_path / "battle.jsonl").read_text()
    assert run("play", "--resume", "battle.jsonl", stdin=ONES).code == 0
    head = head_of(tmp_path / "battle.jsonl")
    assert [one["seat"] for one in head["contributions"]] == ["rome", "barbarians"]
    assert head["contributions"][1]["row"] > 0
    assert head["seed"] == head["before"][0]["seed"] == secret
    assert run("verify", "battle.jsonl").code == 0
    assert run("audit", "battle.jsonl").code == 0


def test_a_branch_has_a_promise_of_its_own(run: Run, tmp_path: Path) -> None:
    play(run)
    out = ("--at", 5, "--seat", "rome", "--bot", "random", "--out", "branch.jsonl")
    assert run("branch", "battle.jsonl", *out).code == 0
    head = head_of(tmp_path / "branch.jsonl")
    assert head["commitment"] != head_of(tmp_path / "battle.jsonl")["commitment"]
    assert "seed" not in head
    assert run("play", "--resume", "branch.jsonl", stdin=ONES).code == 0
    found = run("verify", "branch.jsonl", "--json").json
    assert (found["finding"], found["silent"], found["early"]) == ("position", [], [])
    assert (found["position"], found["verified"]) == (0, False)
    assert found["dice"] > 0


def test_dice_of_ones_own_are_not_verifiable(run: Run, tmp_path: Path) -> None:
    play(run, "--seed", 4)
    file = tmp_path / "battle.jsonl"
    file.write_text(file.read_text().replace('"dice": "seeded"', '"dice": "typed"'))
    found = run("verify", file, "--json")
    assert (found.code, found.json["finding"], found.json["dice"]) == (1, "typed", 0)
    assert "Not verifiable" in run("verify", file).out


def test_a_copy_can_be_resumed_too(run: Run, tmp_path: Path) -> None:
    play(run, stdin="1\nsave copy.jsonl\nquit\n")
    seeds = {(tmp_path / f"{name}.jsonl.seed").read_text() for name in ("battle", "copy")}
    assert len(seeds) == 1
    assert run("play", "--resume", "copy.jsonl", stdin=ONES).code == 0
    assert run("verify", "copy.jsonl").code == 0


def test_records_of_before_go_on_with_their_dice(run: Run, tmp_path: Path) -> None:
    """Resumed by this version, a record without a promise follows from its seed alone, to the end."""
    match = Match.new(VIRTUS, VIRTUS.configure("plain-small"), Seeded("2/0"))
    file = tmp_path / "battle.jsonl"
    seats = {"rome": "human", "barbarians": "random"}
    file.write_text(record_text(match, seats=seats, seed=2, dice="seeded"))
    run("play", "--resume", file, "--contribution", "late").fails(2, "--contribution")
    assert run("play", "--resume", file, stdin=ONES).code == 0
    assert "scheme" not in head_of(file)
    found = run("verify", file)
    assert found.code == 1
    assert "not promised beforehand" in found.out


def test_bad_input(run: Run) -> None:
    run("verify").fails(2, "RECORD")
    run("verify", "nowhere.jsonl").fails(2, "nowhere.jsonl")


@pytest.mark.parametrize(
    "word", ["\x1b[2J\x1b[HVerified.", "\nVerified.", "a" * 63, "A" * 64, "a" * 64 + "\n"]
)
def test_a_commitment_is_a_hash(run: Run, tmp_path: Path, word: str) -> None:
    """It is shown to whoever verifies: no record may put sentences there."""
    play(run)
    file = tmp_path / "battle.jsonl"
    head, rest = file.read_text(encoding="utf-8").split("\n", 1)
    file.write_text(json.dumps({**json.loads(head), "commitment": word}) + "\n" + rest, encoding="utf-8")
    found = run("verify", file)
    assert found.code == 1
    assert "Verified" not in found.out
    assert run("verify", file, "--json").json["finding"] == "missing"


def test_a_seed_file_of_another_game_is_written_anew(run: Run, tmp_path: Path) -> None:
    """Somebody deleted a record and left its seed: the next game of that name keeps its own."""
    (tmp_path / "battle.jsonl.seed").write_text("another\n")
    run("play", "virtus", "-s", "plain-small", "--save", "battle.jsonl", stdin="quit\n")
    seed = (tmp_path / "battle.jsonl.seed").read_text().strip()
    assert commitment_of(seed) == head_of(tmp_path / "battle.jsonl")["commitment"]
