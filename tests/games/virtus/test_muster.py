"""Armies as people build them, what the lobby lists, and what a stranger may ask for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from legatus.games.virtus import VIRTUS
from legatus.games.virtus.army import TYPES, Army, check
from legatus.games.virtus.muster import MARKS, QUALITIES
from legatus.kernel import BadFile
from legatus.kernel.files import read_toml
from legatus.kernel.muster import Recruit
from legatus.kernel.words import LANGS
from legatus.scene.model import ICONS
from tests.rules import rule

SMALL: dict[str, Any] = {
    "name": "Mine",
    "name_fr": "La mienne",
    "budget": 150,
    "unit": [{"type": "legionaries", "count": 8, "name": "Legio X"}, {"type": "slingers", "elite": True}],
    "general": [{"name": "Varus", "chief": True, "hero": True}],
    "camp": True,
}


def by_key(lang: str = "en") -> dict[str, Recruit]:
    return {recruit.key: recruit for recruit in VIRTUS.recruits(lang)}


# --- recruits ------------------------------------------------------------------------------------


@rule("VREF.b")
@pytest.mark.parametrize("lang", LANGS)
def test_every_type_the_general_and_the_camp_can_be_had(lang: str) -> None:
    found = by_key(lang)
    assert list(found) == [*TYPES, "general", "camp"]
    clauses = VIRTUS.folder.rulebooks[lang].clauses
    for recruit in found.values():
        assert recruit.label
        assert recruit.icon in ("", *ICONS)
        assert {recruit.clause, *(mark.clause for mark in recruit.marks)} <= set(clauses)
        assert all(mark.label for mark in recruit.marks)


@rule("V10-troops.5b", "V11.4a")
def test_only_marks_that_are_allowed_are_offered() -> None:
    """A list of one line with the mark is refused exactly where the mark is not offered."""
    for key in TYPES:
        offered = {mark.key for mark in by_key()[key].marks}
        for mark in MARKS:
            raw = {"name": "x", "budget": 200, "unit": [{"type": key, mark: True}], "general": [{}]}
            errors = [p for p in check(msgspec.convert(raw, Army)) if p.severity == "error"]
            assert (mark in offered) == (not errors), (key, mark)
    assert [mark.key for mark in by_key()["general"].marks] == list(QUALITIES)


@rule("V10-troops.4c", "V8c")
def test_the_prices_of_recruits_and_marks_are_those_of_the_list() -> None:
    for recruit in VIRTUS.recruits("en"):
        for mark in (None, *recruit.marks):
            entry: dict[str, Any] = {"type": recruit.key} if recruit.shape == "typed" else {}
            entry |= {mark.key: True} if mark else {}
            value = True if recruit.shape == "flag" else [entry]
            mustered = VIRTUS.muster({"name": "x", "budget": 200, recruit.section: value}, "en")
            assert mustered.cost == recruit.price + (mark.price if mark else 0), (recruit.key, mark)


# --- musters -------------------------------------------------------------------------------------


def test_a_list_is_priced_line_by_line_in_the_players_language() -> None:
    mustered = VIRTUS.muster(SMALL, "fr")
    assert (mustered.name, mustered.cost, mustered.budget, mustered.ok) == ("La mienne", 129, 150, True)
    assert [(line.place, line.label, line.count, line.each, line.total) for line in mustered.lines] == [
        ("general[0]", "Général (Varus, général en chef, héros)", 1, 20, 20),
        ("unit[0]", "Légionnaires (Legio X)", 8, 11, 88),
        ("unit[1]", "Frondeurs (élite)", 1, 11, 11),
        ("camp", "Camp retranché", 1, 10, 10),
    ]
    assert not mustered.problems


def test_problems_have_a_place_a_clause_and_a_sentence() -> None:
    mustered = VIRTUS.muster({**SMALL, "unit": [{"type": "huns"}]}, "en", budget=10)
    found = {(p.place, p.severity, p.clause) for p in mustered.problems}
    assert not mustered.ok
    assert found >= {("unit[0].type", "error", "VREF.b"), ("budget", "error", "V1.2b")}
    assert mustered.budget == 10
    assert all(problem.text[0].isupper() for problem in mustered.problems)


def test_what_is_switched_off_costs_nothing() -> None:
    assert VIRTUS.muster(SMALL, "en", options={"camps": False, "leaders": False}).cost == 129 - 20


@pytest.mark.parametrize(
    ("army", "options", "place"),
    [
        ({}, {}, ""),
        ({**SMALL, "unit": [{"type": "slingers", "count": "x"}]}, {}, "unit[0].count"),
        ({**SMALL, "unit": {}}, {}, "unit"),
        ({**SMALL, "legion": 3}, {}, ""),
        (SMALL, {"magic": True}, "options.magic"),
        (SMALL, {"camps": "maybe"}, "options.camps"),
    ],
)
def test_what_is_no_list_is_a_bad_file_that_names_the_place(
    army: dict[str, Any], options: dict[str, Any], place: str
) -> None:
    with pytest.raises(BadFile) as error:
        VIRTUS.muster(army, "en", options=options)
    assert error.value.place == place


# --- the lobby -----------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_scenarios_and_armies_are_listed_and_can_be_played(lang: str) -> None:
    ready = {card.key: card for card in VIRTUS.armies(lang)}
    assert list(ready) == list(VIRTUS.folder.names("armies"))
    for key, card in ready.items():
        army = msgspec.to_builtins(read_toml(VIRTUS.folder.names("armies")[key], Army))
        mustered = VIRTUS.muster(army, lang)
        assert (card.name, card.cost, card.budget) == (mustered.name, mustered.cost, mustered.budget)
    assert [card.key for card in VIRTUS.scenarios(lang)] == list(VIRTUS.folder.names("scenarios"))
    for scenario in VIRTUS.scenarios(lang):
        assert scenario.name
        assert scenario.text
        assert set(scenario.armies) <= set(ready)
        setup = VIRTUS.configure_known(scenario.key, scenario.armies)
        assert setup == VIRTUS.configure(scenario.key)
        assert setup.scenario["budget"] == scenario.budget


# --- strangers -----------------------------------------------------------------------------------


def paths(tmp_path: Path, kind: str) -> list[str]:
    """A good file by its path, in several ways, and what may look like a name."""
    key = next(iter(VIRTUS.folder.names(kind)))
    good = VIRTUS.folder.names(kind)[key]
    mine = tmp_path / "mine.toml"
    mine.write_text(good.read_text(encoding="utf-8"), encoding="utf-8")
    return [str(mine), "mine.toml", str(good), f"{key}.toml", f"../{kind}/{key}", f"./{key}", "/etc/passwd"]


def test_a_stranger_reads_no_file_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wishes: list[tuple[Any, Any, Any]] = [(path, (), {}) for path in paths(tmp_path, "scenarios")]
    wishes += [("open", ("gauls-200", path), {}) for path in paths(tmp_path, "armies")]
    wishes += [("open", (["gauls-200"], "gauls-200"), {}), ("open", (None, "gauls-200"), {})]
    wishes += [("open", (), {key: "mine.toml"}) for key in ("scenario", "armies", "self", "files")]
    monkeypatch.chdir(tmp_path)
    assert VIRTUS.configure("open-small", [str(tmp_path / "mine.toml")] * 2)  # people at their own machine
    read: list[object] = []
    monkeypatch.setattr("legatus.kernel.files.Path.read_text", lambda path, **_: read.append(path))
    for scenario, armies, options in wishes:
        with pytest.raises(BadFile):
            VIRTUS.configure_known(scenario, armies, options)
    assert not read


def test_a_stranger_may_ask_for_what_there_is_and_for_an_army_of_his_own() -> None:
    setup = VIRTUS.configure_known("open-small", ("gauls-150", SMALL), {"pips": True})
    assert [army["name"] for army in setup.armies][1] == "Mine"
    assert setup.options["pips"] is True
    assert VIRTUS.configure_known() == VIRTUS.configure()
    with pytest.raises(BadFile, match="true or false"):
        VIRTUS.configure_known("open", options={"pips": "yes"})
