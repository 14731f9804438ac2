"""Scenario files of games in which a scenario has both armies: what such games need not write themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from legatus.games import GAMES
from legatus.kernel import BadFile, Message, Option, Setup
from legatus.kernel.rulebook import Folder
from legatus.kernel.words import LANGS
from legatus.parts.scenarios import SAID, ScenarioGame, Scenarios, ScenarioSource


class Skirmish(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    columns: int = 4
    rows: int = 4
    camp: str = "0101"
    name_fr: str = ""
    text: str = ""
    text_fr: str = ""
    options: dict[str, Any] = {}
    edition: int = 1


def check(plan: Skirmish, source: ScenarioSource) -> None:
    source.map_size(plan.columns, plan.rows, 2, 6, 30)
    source.on_map("camp", plan.camp, {"0101", "0202"})


@pytest.fixture
def battles(tmp_path: Path) -> Scenarios[Skirmish]:
    """A ford, which is the default, and a bridge that is like it."""
    data = tmp_path / "data" / "scenarios"
    data.mkdir(parents=True)
    said = "".join(f'{key.removeprefix("file.")} = "{key}"\n' for key in SAID)
    for lang in LANGS:
        (tmp_path / f"log.{lang}.toml").write_text(f"[file]\n{said}")
    (data / "ford.toml").write_text(
        'name = "Ford"\nname_fr = "Gué"\ntext = "Wet."\n\n[options]\nfog = true\n'
    )
    (data / "bridge.toml").write_text('like = "ford"\nname = "Bridge"\ncolumns = 5\n')
    options = (Option("fog", "T1.1", False), Option("night", "T1.1", "none", ("none", "all")))
    return Scenarios(Folder(tmp_path), Skirmish, check, options, "ford", 1)


def problem(error: BadFile) -> Message:
    said = error.said.values["problem"]
    assert isinstance(said, Message)
    return said


def refused(battles: Scenarios[Skirmish], folder: Path, text: str) -> BadFile:
    file = folder / "mine.toml"
    file.write_text(text)
    with pytest.raises(BadFile) as bad:
        battles.configure(str(file))
    assert bad.value.file == str(file)
    return bad.value


def test_a_scenario_is_found_by_its_name_and_filled_in(battles: Scenarios[Skirmish]) -> None:
    setup = battles.configure()
    assert (setup.scenario["name"], setup.scenario["columns"], setup.armies) == ("Ford", 4, ())
    assert setup.options == {"fog": True, "night": "none"}
    assert battles.plan(setup) == Skirmish("Ford", name_fr="Gué", text="Wet.", options={"fog": True})
    assert battles.configure("ford", {"fog": False, "night": "all"}).options == {"fog": False, "night": "all"}


def test_what_a_file_does_not_say_is_as_in_the_one_that_it_is_like(battles: Scenarios[Skirmish]) -> None:
    setup = battles.configure("bridge")
    assert battles.plan(setup) == Skirmish("Bridge", 5, name_fr="Gué", text="Wet.", options={"fog": True})
    assert setup.options["fog"] is True


def test_the_default_is_listed_first_and_english_where_there_is_no_french(
    battles: Scenarios[Skirmish],
) -> None:
    assert [(card.key, card.name, card.text) for card in battles.cards("en")] == [
        ("ford", "Ford", "Wet."),
        ("bridge", "Bridge", "Wet."),
    ]
    assert [(card.name, card.text) for card in battles.cards("fr")] == [("Gué", "Wet."), ("Gué", "Wet.")]


@pytest.mark.parametrize(
    ("text", "place", "key", "values"),
    [
        ("columns = 1", "line 2 (columns)", "range", {"low": 2, "high": 6, "found": 1}),
        ("rows = 7", "line 2 (rows)", "range", {"low": 2, "high": 6, "found": 7}),
        ("columns = 6\nrows = 6", "line 2 (columns)", "too_many_hexes", {"most": 30}),
        ('camp = "0303"', "line 2 (camp)", "no_such_hex", {"hex": "'0303'"}),
        ('like = "hill"', "line 2 (like)", "one_of", {"found": "'hill'"}),
        ("[options]\nfog = 3", "line 3 (options.fog)", "switch", {"found": "3"}),
    ],
)
def test_what_is_wrong_is_told_with_its_line(
    battles: Scenarios[Skirmish], tmp_path: Path, text: str, place: str, key: str, values: dict[str, object]
) -> None:
    error = refused(battles, tmp_path, f'name = "Mine"\n{text}\n')
    assert (error.place, problem(error).key) == (place, f"file.{key}")
    assert {name: problem(error).values[name] for name in values} == values


def test_nobody_is_called_like_another(battles: Scenarios[Skirmish]) -> None:
    source, taken = ScenarioSource("mine.toml", "", battles.home.messages), {"red"}
    source.new_id("unit[0].id", "red-2", taken)
    for name in ("red", "red-2", "", "a b", "-"):
        with pytest.raises(BadFile) as bad:
            source.new_id("unit[1].id", name, taken)
        assert (bad.value.place, problem(bad.value).key) == ("unit[1].id", "file.bad_id")
    assert taken == {"red", "red-2"}


def test_a_name_that_nobody_knows_is_answered_by_those_that_there_are(battles: Scenarios[Skirmish]) -> None:
    with pytest.raises(BadFile) as bad:
        battles.configure("hill")
    assert (bad.value.file, problem(bad.value).key) == ("hill", "file.named")
    assert problem(bad.value).values == {"known": ("bridge", "ford")}


def test_the_set_up_of_a_record_is_checked_anew(battles: Scenarios[Skirmish]) -> None:
    setup = battles.configure("bridge")
    assert battles.validate(setup) == setup
    for wrong, file in (
        (Setup({**setup.scenario, "columns": 9}, (), setup.options), "scenario"),
        (Setup(setup.scenario, ({},), setup.options), "armies"),
        (Setup(setup.scenario, (), {"magic": True}), "options"),
    ):
        with pytest.raises(BadFile) as bad:
            battles.validate(wrong)
        assert bad.value.file == file


def test_a_game_takes_its_set_ups_from_its_scenarios(battles: Scenarios[Skirmish]) -> None:
    game = ScenarioGame()
    game.battles = battles
    setup = game.configure("bridge", night="all")
    assert (setup, game.validate(setup)) == (battles.configure("bridge", {"night": "all"}), setup)
    assert game.scenarios("fr") == battles.cards("fr")
    with pytest.raises(BadFile) as bad:
        game.configure("bridge", ["mine", "yours"])
    assert (bad.value.file, problem(bad.value).key) == ("armies", "file.no_armies")


@pytest.mark.parametrize("game", [game for game in GAMES.values() if isinstance(game, ScenarioGame)])
def test_such_games_have_the_sentences(game: ScenarioGame) -> None:
    for lang in LANGS:
        assert not [key for key in SAID if key not in game.folder.messages[lang]]
