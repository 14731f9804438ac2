"""Texts that a parser would be busy with for very long, or that no parser likes, are refused in one pass."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from legatus.games import GAMES
from legatus.kernel import BadFile, Game, Message
from legatus.kernel.files import MAX_DEPTH, MAX_NAME, MAX_PARTS, MAX_TEXT, MAX_WORD, parse_json, parse_toml
from legatus.kernel.model import Branch

DOTS = ".".join("a" * MAX_PARTS)
OPEN, SHUT = "[" * MAX_DEPTH, "]" * MAX_DEPTH


def why(error: BadFile) -> tuple[str, str]:
    """The keys of what is wrong: with the file, and within it."""
    problem: Any = error.said.values["problem"]
    return problem.key, problem.values["problem"].key


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (f"{DOTS}.a = 1", "file.parts"),
        (f"[{DOTS}.a]", "file.parts"),
        ("a." * 24_900 + "a = 1", "file.parts"),
        (f"x = {{{DOTS}.a = 1}}", "file.parts"),
        (f"x = [{OPEN}{SHUT}]", "file.depth"),
        ("x = " + "{a = " * 1_000 + "1" + "}" * 1_000, "file.depth"),
        ("x = " + "1" * (MAX_WORD + 1), "file.word"),
        ("x = " + "1_" * 4_000 + "1", "file.word"),
        ("k" * (MAX_WORD + 1) + " = 1", "file.word"),
    ],
)
def test_toml_that_is_too_much(text: str, key: str) -> None:
    with pytest.raises(BadFile) as caught:
        parse_toml("# first\n" + text, "army")
    assert why(caught.value) == ("file.not_toml", key)
    assert caught.value.place == "line 2"


@pytest.mark.parametrize(
    "text",
    [
        f"{DOTS} = 1",
        f"x = {OPEN}{SHUT}",
        'x = """' + "[{a.b.c.d.e.f.g.h.i.j.k.l.m.n" * 100 + '"""',
        "x = '''" + "[" * 1_000 + "'''",
        'x = "' + "[" * 1_000 + '\\" [" # ' + "[" * 1_000,
        "x = '" + "." * 1_000 + "'",
        "x = [" + "1.5, " * 5_000 + "]",
        "x = [\n" + "1.5,\n" * 5_000 + "]",
        "".join(f"[a.b{n}.c]\nx = 1.5\n" for n in range(500)),
    ],
)
def test_toml_that_is_not(text: str) -> None:
    """What stands in texts and comments counts for nothing."""
    assert parse_toml(text, "army")


@pytest.mark.parametrize(
    "text",
    ['x = """' + '\\"""' * 20_000, '"""' * 16_001, "'" * 40_001, '"' * 40_001, "\\" * 40_000, "x = '''"],
)
def test_texts_without_an_end_are_scanned_once(text: str) -> None:
    with pytest.raises(BadFile):
        parse_toml(text, "army")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (f"[{OPEN}{SHUT}]", "file.depth"),
        ("[" * 100_000, "file.depth"),
        ('{"a":' * 1_000, "file.depth"),
        ("1" * 4_301, "file.word"),
        ("-1." + "0" * 5_000, "file.word"),
        ("NaN", "theirs.value_of"),
        ("-Infinity", "theirs.value_of"),
    ],
)
def test_json_that_is_too_much(text: str, key: str) -> None:
    with pytest.raises(BadFile) as caught:
        parse_json(text, "record")
    assert why(caught.value) == ("file.not_json", key)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('"\\ud83d\\ude00"', "\U0001f600"),
        ('{"\\udc00": "a\\ud800b"}', {"?": "a?b"}),
        ('"' + "[" * 1_000 + '\\""', "[" * 1_000 + '"'),
        (f"{OPEN}{SHUT}", None),
        ("12345678901234567890", 12345678901234567890),
    ],
)
def test_json_that_is_not(text: str, found: object) -> None:
    assert parse_json(text, "record") == found or found is None


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
@pytest.mark.parametrize(
    ("field", "most"), [("name", MAX_NAME), ("name_fr", MAX_NAME), ("text", MAX_TEXT), ("text_fr", MAX_TEXT)]
)
def test_texts_of_a_scenario_have_a_bound(game: Game, field: str, most: int) -> None:
    """Of a record too: its set-up may come from anybody."""
    setup = game.configure()
    longest = replace(setup, scenario={**setup.scenario, field: "x" * most})
    assert game.validate(longest).scenario[field] == "x" * most
    with pytest.raises(BadFile) as caught:
        game.validate(replace(setup, scenario={**setup.scenario, field: "x" * (most + 1)}))
    assert caught.value.said.values["problem"] == Message("file.text", {"most": most})
    assert caught.value.place == field


@pytest.mark.parametrize("where", ["name", "people", "unit[0].name", "general[0].name"])
def test_names_of_an_army_have_a_bound(where: str) -> None:
    army: dict[str, Any] = {
        "name": "A",
        "budget": 150,
        "general": [{"name": "Varus"}],
        "unit": [{"type": "legionaries", "count": 3}],
    }
    row, _, field = where.rpartition("[0].")
    (army[row][0] if row else army)[field] = "x" * (MAX_NAME + 1)
    with pytest.raises(BadFile) as caught:
        GAMES["virtus"].configure_known("plain-small", [army, "gauls-150"], {})
    assert caught.value.said.values["problem"] == Message("file.text", {"most": MAX_NAME})
    assert where in caught.value.place


def test_keys_of_a_set_up_have_a_bound() -> None:
    setup = GAMES["virtus"].configure()
    scenario = {**setup.scenario, "terrain": {"x" * (MAX_NAME + 1): "hill"}}
    with pytest.raises(BadFile) as caught:
        GAMES["virtus"].validate(replace(setup, scenario=scenario))
    assert caught.value.said.values["problem"] == Message("file.text", {"most": MAX_NAME})
    assert caught.value.place == "terrain"


def test_the_match_that_a_branch_left_has_a_name_with_a_bound() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"of": "x" * 1_001, "entry": 0, "seat": "rome", "dealt": False, "state": {}}, Branch)
