"""The page knows every field that it is sent, and the server says everything in both languages."""

from __future__ import annotations

import inspect
import re
import tomllib
from pathlib import Path
from typing import get_args

import pytest
from msgspec import Struct

from legatus.kernel import drafts, muster
from legatus.kernel.words import LANGS, flatten
from legatus.scene import model
from legatus.server import wire, words
from tests.told import fields

ROOT = Path(__file__).parents[2]
TYPES = ROOT / "web" / "src" / "types.ts"
OTHER_NAMES = {"SeatName": "Named"}  # what the page calls something else
LISTS = {"Commitment", "Key", "Log", "Matches", "Recruits"}  # one field: the page takes it out at once
MESSAGES = {"Presence", "Trouble"}  # spelt out in FromServer
REQUESTS = {
    "AskCommitment",
    "CheckArmy",
    "CheckDesign",
    "NewBranch",
    "NewLab",
    "NewReplay",
    "Join",
    "Act",
    "Undo",
    "Ask",
    "AskOdds",
    "Hello",
}  # spelt out where sent
HERE_ONLY = {"ScenarioCard", "ArmyCard"}  # not sent as they are


def structs() -> dict[str, type[Struct]]:
    return {
        name: kind
        for module in (wire, model, muster, drafts)
        for name, kind in inspect.getmembers(module, inspect.isclass)
        if issubclass(kind, Struct) and kind.__module__ == module.__name__
    }


def interfaces() -> dict[str, set[str]]:
    text = re.sub(r"//.*|/\*.*?\*/", "", TYPES.read_text(encoding="utf-8"))
    return {
        name: set(re.findall(r"(?:^|[;{\n])\s*(\w+)\??:", body))
        for name, body in re.findall(r"export interface (\w+)\s*\{(.*?)\n?\}", text, re.DOTALL)
    }


def told(kind: type[Struct]) -> set[str]:
    tag = kind.__struct_config__.tag_field
    return set(kind.__struct_encode_fields__) | ({tag} if tag else set())


def test_the_page_has_a_type_for_everything_that_is_sent() -> None:
    expected = set(structs()) - LISTS - MESSAGES - REQUESTS - HERE_ONLY
    missing = {OTHER_NAMES.get(name, name) for name in expected} - set(interfaces())
    assert not missing, f"web/src/types.ts does not know {sorted(missing)}"


@pytest.mark.parametrize("name", sorted(set(structs()) - HERE_ONLY))
def test_the_page_knows_every_field(name: str) -> None:
    known = interfaces().get(OTHER_NAMES.get(name, name))
    if known is None:
        assert name in LISTS | MESSAGES | REQUESTS
        return
    assert known == told(structs()[name]), f"{name} differs: web/src/types.ts and the server"


def test_the_page_knows_the_messages_of_a_socket() -> None:
    text = re.sub(r"\s+", " ", TYPES.read_text(encoding="utf-8"))
    union = re.search(r"export type FromServer = (.*?\});?\s*$", text)
    assert union is not None
    for name in MESSAGES:
        kind = structs()[name]
        tag = kind.__struct_config__.tag
        body = re.search(rf"\{{ type: '{tag}'; ([^}}]*)\}}", union[1])
        assert body is not None, f"{tag} is not in FromServer"
        assert {*re.findall(r"(\w+)\??:", body[1]), "type"} == told(kind)


@pytest.mark.parametrize(("name", "literal"), [("Lang", wire.Lang), ("LuckMode", wire.LuckMode)])
def test_the_page_knows_the_same_words(name: str, literal: object) -> None:
    found = re.search(rf"export type {name} = (.*?);", TYPES.read_text(encoding="utf-8"))
    assert found is not None
    assert set(re.findall(r"'(\w+)'", found[1])) == set(get_args(literal))


# --- sentences -----------------------------------------------------------------------------------


def sentences(lang: str) -> dict[str, str]:
    file = Path(words.__file__).parent / f"words.{lang}.toml"
    return flatten(tomllib.loads(file.read_text(encoding="utf-8")))


def test_both_languages_have_the_same_sentences_with_the_same_holes() -> None:
    one, two = ({key: fields(text) for key, text in sentences(lang).items()} for lang in LANGS)
    assert one == two
    assert list(sentences("en")) == list(sentences("fr"))


def test_no_sentence_was_left_in_english() -> None:
    en, fr = (sentences(lang) for lang in LANGS)
    same = {key for key in en if en[key] == fr[key]}
    assert same <= {"server.said", "bot.greedy.label"}


def test_every_sentence_is_used() -> None:
    folder = Path(words.__file__).parent
    code = "".join(file.read_text(encoding="utf-8") for file in folder.glob("*.py"))
    for key in sentences("en"):
        part, _, name = key.partition(".")
        if part == "server":
            assert f'"{name}"' in code or f'"{key}"' in code, f"nobody says {key}"
