"""Texts that a parser would be busy with for very long, or that no parser likes, are refused in one pass."""

from typing import Any

import pytest

from legatus.kernel import BadFile
from legatus.kernel.files import MAX_DEPTH, MAX_PARTS, MAX_WORD, parse_json, parse_toml

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
