"""``position``, ``legal``, ``why``, ``apply`` and ``odds``."""

import json
from pathlib import Path

import pytest

from legatus.kernel import files, legal, say
from legatus.kernel.records import record_text

from .conftest import VIRTUS, Moment, Person, Run


def test_a_position_depends_on_its_seed_only(run: Run) -> None:
    first, second = run("position", "virtus", "--seed", 1), run("position", "virtus", "--seed", 1)
    assert first.code == 0
    assert first.out == second.out
    assert first.json["legatus"] == "position"
    scenes = run(
        "position", "virtus", "-s", "bridge", "--seed", 1, "-o", "pips=on", "-a", "gauls", "-a", "parthians"
    )
    assert scenes.code == 0


def test_a_position_from_a_record(run: Run, fight: Moment, tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").write_text(record_text(fight.match), encoding="utf-8")
    last = len(fight.match.journal) - 1
    assert run("position", "virtus", "--at", f"game.jsonl:{last}").out == fight.file.read_text(
        encoding="utf-8"
    )
    assert run("position", "--at", "game.jsonl").out == fight.file.read_text(encoding="utf-8")
    run("position", "--at", "game.jsonl:9999").fails(2, "9999", str(last))
    run("position", "--at", "game.jsonl:x").fails(2, "RECORD:N")
    run("position", "--at", "nowhere.jsonl:1").fails(2, "nowhere.jsonl")
    run("position").fails(2, "virtus")


def test_legal_prints_number_line_and_json(run: Run, fight: Moment) -> None:
    lines = [say(action) for action in legal(fight.match.state)]
    rows = run("legal", fight.file, "--json").json
    assert [row["line"] for row in rows] == lines
    assert [row["n"] for row in rows] == list(range(1, len(lines) + 1))
    printed = run("legal", fight.file).out.splitlines()
    assert len(printed) == len(lines)
    assert f"  {lines[0]} " in printed[0]
    assert json.dumps(rows[0]["action"]) in printed[0]


def test_a_position_comes_from_the_standard_input_too(run: Run, fight: Moment) -> None:
    text = fight.file.read_text(encoding="utf-8")
    assert run("legal", "-", stdin=text).out == run("legal", fight.file).out


def test_both_forms_of_an_action_are_taken(run: Run, fight: Moment) -> None:
    for row in run("legal", fight.file, "--json").json:
        assert run("why", fight.file, *row["line"].split()).code == 0
        assert run("why", fight.file, row["line"]).code == 0
        assert run("why", fight.file, json.dumps(row["action"])).code == 0


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_why_gives_every_reason_with_its_clause(run: Run, fight: Moment, lang: str) -> None:
    refused = run("why", fight.file, "fight", "nobody", "--lang", lang)
    assert refused.code == 1
    reasons = run("why", fight.file, "fight", "nobody", "--json", "--lang", lang)
    assert reasons.code == 1
    assert not reasons.json["legal"]
    for reason in reasons.json["refusals"]:
        assert f"[{reason['clause']}]" in refused.out
        assert reason["rule"]
        assert reason["text"] in " ".join(refused.out.split())


def test_why_of_a_legal_action(run: Run, fight: Moment) -> None:
    assert run("why", fight.file, say(fight.action), "--json").json["legal"]


def test_apply_asks_for_the_dice_that_it_needs(run: Run, fight: Moment) -> None:
    run("apply", fight.file, say(fight.action)).fails(2, "d6")


def test_apply_prints_the_next_position_and_tells_events_aside(run: Run, fight: Moment) -> None:
    seeded = run("apply", fight.file, say(fight.action), "--seed", 7)
    assert seeded.code == 0
    assert seeded.json["legatus"] == "position"
    assert "[V5" in seeded.err
    assert "[V5" not in seeded.out
    whole = run("apply", fight.file, say(fight.action), "--seed", 7, "--json").json
    assert whole["position"] == seeded.json
    assert whole["events"][0]["text"]
    again = run("apply", fight.file, say(fight.action), "--dice", ",".join(map(str, whole["dice"])))
    assert again.json == seeded.json
    scripted = run(
        "apply", fight.file, say(fight.action), "--dice", "script:" + ",".join(map(str, whole["dice"]))
    )
    assert scripted.json == seeded.json


def test_typed_dice_are_the_same_as_scripted_ones(run: Run, fight: Moment) -> None:
    whole = run("apply", fight.file, say(fight.action), "--seed", 7, "--json").json
    typed = run(
        "apply",
        fight.file,
        say(fight.action),
        "--dice",
        "typed",
        stdin="x\n9\n" + "".join(map(str, whole["dice"])) + "\n",
    )
    assert typed.code == 0
    assert typed.json == whole["position"]


def test_wrong_dice_are_refused(run: Run, fight: Moment) -> None:
    run("apply", fight.file, say(fight.action), "--dice", "9,9,9,9,9,9,9,9").fails(2, "9")
    run("apply", fight.file, say(fight.action), "--dice", "1,1,1,1,1,1,1,1,1,1,1,1,1,1").fails(2)
    run("apply", fight.file, say(fight.action), "--dice", "loaded").fails(2, "loaded", "seeded", "typed")
    nobody = run("apply", fight.file, say(fight.action), "--dice", "typed", stdin="")
    assert nobody.code == 2
    assert nobody.err.splitlines()[-1].startswith("legatus: more dice wanted")


def test_apply_refuses_what_is_illegal(run: Run, fight: Moment) -> None:
    result = run("apply", fight.file, "fight", "nobody", "--seed", 1)
    result.fails(1, "[V")
    assert result.out == ""


def test_odds_are_exact_and_sum_to_one(run: Run, fight: Moment) -> None:
    found = run("odds", fight.file, say(fight.action), "--json").json
    assert found["exact"]
    for column in found["columns"].values():
        assert sum(value["p"] for value in column["values"]) == pytest.approx(1)
    for lang in ("en", "fr"):
        table = run("odds", fight.file, say(fight.action), "--lang", lang)
        assert table.code == 0
        assert "%" in table.out
    run("odds", fight.file, "fight", "nobody").fails(1, "[V")


def test_what_is_no_action_names_the_verbs(run: Run, fight: Moment) -> None:
    for command in ("why", "apply", "odds"):
        run(command, fight.file, "surrender").fails(2, "surrender", "fight")
        run(command, fight.file, '{"do": "surrender"}').fails(2, "virtus")
        run(command, fight.file, '{"do": ').fails(2)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ("not JSON",)),
        ("{", ("not JSON",)),
        ("[]", ("position",)),
        ('{"legatus": "record"}', ("position",)),
        ('{"legatus": "position", "version": 99, "game": "virtus"}', ("version",)),
        ('{"legatus": "position", "version": 1, "game": "chess"}', ("chess", "virtus")),
        ('{"legatus": "position", "version": 1, "game": "virtus"}', ("state",)),
        ('{"legatus": "position", "version": 1, "game": "virtus", "state": {"todo": 3}}', ("state",)),
    ],
)
def test_a_broken_position_says_what_is_wrong(
    run: Run, tmp_path: Path, text: str, words: tuple[str, ...]
) -> None:
    (tmp_path / "broken.json").write_text(text)
    run("legal", "broken.json").fails(2, "broken.json", *words)
    run("legal", "-", stdin=text).fails(2, "<stdin>", *words)


def test_set_up_dice_can_be_typed(run: Run) -> None:
    """Lots are drawn for the attacker: whatever is asked for, somebody types ones."""
    position = run("position", "virtus", "--dice", "typed", stdin=Person(lambda screen: "1"))
    assert position.code == 0
    assert position.json["game"] == VIRTUS.key


def test_dice_that_the_set_up_does_not_ask_for_are_refused(run: Run) -> None:
    run("position", "virtus", "-s", "bridge", "--dice", "1,2,3").fails(2, "3 dice too many")


def test_standard_input_has_a_bound(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_BYTES", 1_000)
    run("legal", "-", stdin="x" * 1_001).fails(2, "<stdin>", "longer than 1000 bytes")
    run("legal", "-", stdin="x" * 1_000).fails(2, "<stdin>", "not JSON")
