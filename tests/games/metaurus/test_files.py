"""Scenario files: whatever is wrong with one is told with the file, the place and what was expected."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from legatus.games.metaurus import METAURUS
from legatus.games.metaurus.battlefield import DEFAULT_SCENARIO, HOME, MOST_HEXES, MOST_UNITS
from legatus.games.metaurus.state import CARTHAGE, ROME, MetaurusState
from legatus.kernel import BadFile, Message, Scripted, Setup, start
from legatus.kernel.words import LANGS
from tests.rules import rule

SMALL = """\
name = "Small"
columns = 8
rows = 6
turns = 3

[goals]
rome = 1
exits = 2

[deploy]
carthage = [0, 1]
rome = [4, 5]

[options]
gauls = true

[[hill]]
level = 2
rows = [1, 2]
columns = [0, 1]

[[forest]]
hexes = ["0202", "0302"]

[[river]]
rows = [2, 3]
columns = [4, 7]

[[group]]
id = "red"
side = "rome"

[[group]]
id = "white"
side = "carthage"
kind = "colour"

[[group]]
id = "punic-horse"
side = "carthage"
kind = "horse"

[[unit]]
key = "legion"
arm = "LEGION"
group = "red"
name = "Legion"
morale = 7
move = 4
facing = "n"
at = ["0005", "0105"]

[[unit]]
key = "horse"
arm = "CAV"
group = "white"
name = "Horse"
morale = 6
move = 7
facing = "s"
at = ["0000"]
"""


def written(folder: Path, old: str = "", new: str = "") -> Path:
    """The small scenario with a fault in it."""
    assert SMALL.count(old) == 1 or not old, f"{old!r} stands {SMALL.count(old)} times in the file"
    file = folder / "mine.toml"
    file.write_text(SMALL.replace(old, new), "utf-8")
    return file


def complaint(file: Path | str) -> BadFile:
    with pytest.raises(BadFile) as bad:
        METAURUS.configure(str(file))
    assert bad.value.file == str(file)
    assert str(bad.value).startswith(f"{file}: ")
    return bad.value


def problem(error: BadFile) -> Message:
    said = error.said.values["problem"]
    assert isinstance(said, Message)
    return said


def started(file: Path) -> MetaurusState:
    setup = METAURUS.configure(str(file))
    dice = Scripted([] if setup.scenario["deploy"] else [9, 1])
    return start(METAURUS, setup, dice).state  # type: ignore[no-any-return]


# --- a good one ----------------------------------------------------------------------------------


@rule("MH1.map", "MH9.oob", "MH15.free_setup", "MH11.length")
def test_a_file_is_taken_with_all_that_it_says(tmp_path: Path) -> None:
    roster = started(written(tmp_path)).roster
    field = roster.grid
    assert (field.columns, field.rows) == (8, 6)
    assert {field.names[c]: level for c, level in enumerate(roster.levels) if level} == dict.fromkeys(
        ("0001", "0101", "0002", "0102"), 2
    )
    assert {field.names[c] for c in roster.forests} == {"0202", "0302"}
    assert {(field.names[a], field.names[b]) for a, b in roster.rivers} == {
        ("0402", "0303"),
        ("0402", "0403"),
        ("0502", "0403"),
        ("0502", "0503"),
        ("0602", "0503"),
        ("0602", "0603"),
        ("0702", "0603"),
        ("0702", "0703"),
    }
    goals = roster.goals
    assert (goals.rome, goals.carthage, goals.exits, goals.turns) == (1, 12, 2, 3)
    assert roster.zones == ((4, 5), (0, 1))
    assert roster.rules.gauls
    assert [(unit.id, unit.number, unit.side) for unit in roster.units] == [
        ("legion-1", 1, ROME),
        ("legion-2", 2, ROME),
        ("horse", 0, CARTHAGE),
    ]


@rule("MH1.map")
def test_of_two_hills_the_higher_one_counts(tmp_path: Path) -> None:
    low = "[[hill]]\nlevel = 1\nrows = [0, 3]\ncolumns = [0, 0]\n\n"
    for old, new in (("[[hill]]", low + "[[hill]]"), ("[[forest]]", low + "[[forest]]")):
        roster = started(written(tmp_path, old, new)).roster
        found = {roster.grid.names[c]: level for c, level in enumerate(roster.levels) if level}
        assert found == {"0000": 1, "0003": 1, "0001": 2, "0002": 2, "0101": 2, "0102": 2}


@rule("MH14.gauls")
def test_options_of_a_match_overrule_those_of_the_file(tmp_path: Path) -> None:
    file = str(written(tmp_path))
    assert METAURUS.configure(file).options == {"gauls": True, "markers": "placed", "engagement": "lasting"}
    assert METAURUS.configure(file, gauls=False).options["gauls"] is False
    taken = METAURUS.configure(file, markers="in-force", engagement="lifted").options
    assert taken == {"gauls": True, "markers": "in-force", "engagement": "lifted"}


def test_a_file_may_be_like_a_scenario_that_there_is(tmp_path: Path) -> None:
    file = tmp_path / "long.toml"
    file.write_text('like = "historical"\nname = "Long"\nturns = 20\n', "utf-8")
    mine, model = METAURUS.configure(str(file)).scenario, METAURUS.configure("historical").scenario
    differ = {key for key in model if mine[key] != model[key]}
    assert differ == {"name", "turns", "edition"}  # a file that names none is of the first edition


# --- wrong ones ----------------------------------------------------------------------------------

FAULTS: list[tuple[str, str, str, str, str, dict[str, Any]]] = [
    # (what stands there, what stands there instead, the line that is named, the path, key, values)
    ("columns = 8", "columns = 1", "columns = 1", "columns", "range", {"low": 2, "high": 60, "found": 1}),
    ("columns = 8", "columns = 61", "columns = 61", "columns", "range", {"low": 2, "high": 60, "found": 61}),
    ("rows = 6", "rows = 1", "rows = 1", "rows", "range", {"low": 2, "high": 60, "found": 1}),
    ("rows = 6", "rows = 61", "rows = 61", "rows", "range", {"low": 2, "high": 60, "found": 61}),
    ("turns = 3", "turns = 0", "turns = 0", "turns", "range", {"low": 1, "high": 60, "found": 0}),
    ("turns = 3", "turns = 61", "turns = 61", "turns", "range", {"low": 1, "high": 60, "found": 61}),
    (
        "columns = 8\nrows = 6",
        "columns = 41\nrows = 49",
        "columns = 41",
        "columns",
        "too_many_hexes",
        {"most": MOST_HEXES},
    ),
    (
        "rome = 1\n",
        "gold = 1\n",
        "gold = 1",
        "goals.gold",
        "one_of",
        {"known": ("'rome'", "'carthage'", "'exits'"), "found": "'gold'"},
    ),
    (
        "rome = 1\n",
        "turns = 1\n",
        "turns = 1",
        "goals.turns",
        "one_of",
        {"known": ("'rome'", "'carthage'", "'exits'"), "found": "'turns'"},
    ),
    (
        "rome = 1\n",
        "rome = 0\n",
        "rome = 0",
        "goals.rome",
        "range",
        {"low": 1, "high": MOST_UNITS, "found": 0},
    ),
    (
        "exits = 2",
        "exits = 201",
        "exits = 201",
        "goals.exits",
        "range",
        {"low": 1, "high": MOST_UNITS, "found": 201},
    ),
    ("level = 2", "level = -1", "level = -1", "hill[0].level", "range", {"low": 0, "high": 9, "found": -1}),
    ("level = 2", "level = 10", "level = 10", "hill[0].level", "range", {"low": 0, "high": 9, "found": 10}),
    (
        "rows = [1, 2]",
        "rows = [1, 6]",
        "rows = [1, 6]",
        "hill[0].rows",
        "range",
        {"low": 0, "high": 5, "found": 6},
    ),
    (
        "rows = [1, 2]",
        "rows = [-1, 2]",
        "rows = [-1, 2]",
        "hill[0].rows",
        "range",
        {"low": 0, "high": 5, "found": -1},
    ),
    (
        "columns = [0, 1]",
        "columns = [0, 8]",
        "columns = [0, 8]",
        "hill[0].columns",
        "range",
        {"low": 0, "high": 7, "found": 8},
    ),
    (
        "columns = [4, 7]",
        "columns = [4, 8]",
        "columns = [4, 8]",
        "river[0].columns",
        "range",
        {"low": 0, "high": 7, "found": 8},
    ),
    (
        "rows = [2, 3]",
        "rows = [5, 6]",
        "rows = [5, 6]",
        "river[0].rows",
        "range",
        {"low": 0, "high": 5, "found": 6},
    ),
    ("rows = [2, 3]", "rows = [2, 4]", "rows = [2, 4]", "river[0].rows", "river_rows", {}),
    ("rows = [2, 3]", "rows = [3, 2]", "rows = [3, 2]", "river[0].rows", "river_rows", {}),
    ("rows = [2, 3]", "rows = [3, 3]", "rows = [3, 3]", "river[0].rows", "river_rows", {}),
    (
        '"0302"]',
        '"0802"]',
        'hexes = ["0202", "0802"]',
        "forest[0].hexes",
        "no_such_hex",
        {"hex": "'0802'"},
    ),
    (
        "carthage = [0, 1]",
        "gaul = [0, 1]",
        "gaul = [0, 1]",
        "deploy.gaul",
        "one_of",
        {"known": ("'rome'", "'carthage'"), "found": "'gaul'"},
    ),
    (
        "rome = [4, 5]",
        "rome = [4, 6]",
        "rome = [4, 6]",
        "deploy.rome",
        "range",
        {"low": 0, "high": 5, "found": 6},
    ),
    (
        "rome = [4, 5]",
        "rome = [-1, 5]",
        "rome = [-1, 5]",
        "deploy.rome",
        "range",
        {"low": 0, "high": 5, "found": -1},
    ),
    ("carthage = [0, 1]\n", "", "[deploy]", "deploy", "both_deploy", {}),
    ("carthage = [0, 1]", "carthage = [0, 4]", "[deploy]", "deploy", "zones_overlap", {}),
    (
        'side = "rome"',
        'side = "gaul"',
        'side = "gaul"',
        "group[0].side",
        "one_of",
        {"known": ("'rome'", "'carthage'"), "found": "'gaul'"},
    ),
    (
        'kind = "horse"',
        'kind = "camels"',
        'kind = "camels"',
        "group[2].kind",
        "one_of",
        {"known": ("'colour'", "'horse'", "'elephant'"), "found": "'camels'"},
    ),
    ('id = "white"', 'id = "red"', 'id = "red"', "group[1].id", "bad_id", {"id": "'red'"}),
    ('id = "white"', 'id = "off white"', 'id = "off white"', "group[1].id", "bad_id", {"id": "'off white'"}),
    ('id = "white"', 'id = ""', 'id = ""', "group[1].id", "bad_id", {"id": "''"}),
    (
        'group = "red"',
        'group = "blue"',
        'group = "blue"',
        "unit[0].group",
        "one_of",
        {"known": ("'red'", "'white'"), "found": "'blue'"},
    ),
    (  # M2.independent: a unit is of a colour; horse and elephants are groups besides
        'group = "white"',
        'group = "punic-horse"',
        'group = "punic-horse"',
        "unit[1].group",
        "one_of",
        {"known": ("'red'", "'white'"), "found": "'punic-horse'"},
    ),
    (
        'arm = "LEGION"',
        'arm = "HI"',
        'arm = "HI"',
        "unit[0].arm",
        "one_of",
        {"known": ("'LEGION'", "'CAV'"), "found": "'HI'"},
    ),
    (
        'arm = "CAV"',
        'arm = "LEGION"',
        'arm = "LEGION"',
        "unit[1].arm",
        "one_of",
        {"known": ("'EL'", "'CAV'", "'HI'", "'MI'", "'LI'"), "found": "'LEGION'"},
    ),
    (
        'facing = "n"',
        'facing = "e"',
        'facing = "e"',
        "unit[0].facing",
        "one_of",
        {"known": ("'ne'", "'se'", "'s'", "'sw'", "'nw'", "'n'"), "found": "'e'"},
    ),
    ("morale = 7", "morale = 10", "morale = 10", "unit[0].morale", "range", {"low": 0, "high": 9}),
    ("morale = 7", "morale = -1", "morale = -1", "unit[0].morale", "range", {"low": 0, "high": 9}),
    ("move = 7", "move = 0", "move = 0", "unit[1].move", "range", {"low": 1, "high": 20, "found": 0}),
    ("move = 7", "move = 21", "move = 21", "unit[1].move", "range", {"low": 1, "high": 20, "found": 21}),
    ('key = "horse"', 'key = "legion"', 'key = "legion"', "unit[1].key", "bad_id", {"id": "'legion'"}),
    ('key = "horse"', 'key = "red"', 'key = "red"', "unit[1].key", "bad_id", {"id": "'red'"}),
    ('key = "horse"', 'key = "a>b"', 'key = "a>b"', "unit[1].key", "bad_id", {"id": "'a>b'"}),
    ('at = ["0000"]', 'at = ["0006"]', 'at = ["0006"]', "unit[1].at", "no_such_hex", {"hex": "'0006'"}),
    ('at = ["0000"]', 'at = ["0105"]', 'at = ["0105"]', "unit[1].at", "hex_taken", {"hex": "0105"}),
    (
        '"0005", "0105"',
        '"0005", "0005"',
        'at = ["0005", "0005"]',
        "unit[0].at",
        "hex_taken",
        {"hex": "0005"},
    ),
    ('at = ["0000"]', "at = []", "", "unit", "two_armies", {}),
    (
        "gauls = true",
        "magic = true",
        "magic = true",
        "options.magic",
        "one_of",
        {"known": ("'gauls'", "'markers'", "'engagement'"), "found": "'magic'"},
    ),
    ("gauls = true", 'gauls = "on"', 'gauls = "on"', "options.gauls", "switch", {"found": "'on'"}),
    (
        "gauls = true",
        'markers = "four"',
        'markers = "four"',
        "options.markers",
        "one_of",
        {"known": ("'placed'", "'in-force'"), "found": "'four'"},
    ),
    (
        "gauls = true",
        "engagement = true",
        "engagement = true",
        "options.engagement",
        "one_of",
        {"known": ("'lasting'", "'lifted'"), "found": "True"},
    ),
    (
        'name = "Small"',
        'like = "cannae"',
        'like = "cannae"',
        "like",
        "one_of",
        {"found": "'cannae'"},
    ),
]


@rule("MH1.map", "MH9.oob", "MH10.setup")
@pytest.mark.parametrize(
    ("old", "new", "line", "path", "key", "values"),
    FAULTS,
    ids=[f"{f[3]}-{f[4]}-{f[1][:18]}" for f in FAULTS],
)
def test_a_wrong_file_is_refused_with_its_place_and_what_was_expected(
    tmp_path: Path, old: str, new: str, line: str, path: str, key: str, values: dict[str, Any]
) -> None:
    file = written(tmp_path, old, new)
    error = complaint(file)
    assert problem(error).key == f"file.{key}"
    assert {name: problem(error).values[name] for name in values} == values
    if not line:
        assert error.place == path
        return
    found = re.fullmatch(r"line (\d+) \((.+)\)", error.place)
    assert found, error.place
    assert file.read_text("utf-8").splitlines()[int(found[1]) - 1] == line
    assert found[2] == path


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("columns = 8", "columns = 60"),
        ("rows = 6", "rows = 60"),
        ("columns = 8\nrows = 6", "columns = 40\nrows = 50"),  # 2000 hexes
        ("turns = 3", "turns = 60"),
        ("turns = 3", "turns = 1"),
        ("rome = 1\n", "rome = 200\n"),
        ("level = 2", "level = 0"),
        ("level = 2", "level = 9"),
        ("rows = [1, 2]", "rows = [0, 5]"),
        ("columns = [0, 1]", "columns = [0, 7]"),
        ("rows = [2, 3]", "rows = [4, 5]"),
        ("[deploy]\ncarthage = [0, 1]\nrome = [4, 5]\n", ""),
        ("morale = 7", "morale = 9"),
        ("morale = 7", "morale = 0"),
        ("move = 7", "move = 20"),
        ("move = 7", "move = 1"),
        ('arm = "LEGION"', 'arm = "CAV"'),
        ('arm = "CAV"', 'arm = "EL"'),
        ('key = "horse"', 'key = "numidian-horse"'),
    ],
)
def test_what_is_just_allowed_is_taken(tmp_path: Path, old: str, new: str) -> None:
    assert started(written(tmp_path, old, new)).decision is not None


@rule("MH9.oob")
def test_two_hundred_units_are_enough(tmp_path: Path) -> None:
    big = ("columns = 8\nrows = 6", "columns = 20\nrows = 12")

    def crowd(number: int) -> Path:
        hexes = ", ".join(f'"{n % 20:02}{n // 20 + 1:02}"' for n in range(number - 2))
        text = SMALL.replace(*big).replace('"0000"', hexes)
        text = text.replace('at = ["0005", "0105"]', 'at = ["0000", "0100"]')
        text = text.replace("[deploy]\ncarthage = [0, 1]\nrome = [4, 5]\n", "")
        (tmp_path / "crowd.toml").write_text(text, "utf-8")
        return tmp_path / "crowd.toml"

    assert len(METAURUS.configure(str(crowd(MOST_UNITS))).scenario["unit"][1]["at"]) == MOST_UNITS - 2
    error = complaint(crowd(MOST_UNITS + 1))
    assert (problem(error).key, problem(error).values) == ("file.too_many_units", {"most": MOST_UNITS})
    assert error.place == "unit"


@pytest.mark.parametrize(
    ("old", "new", "place", "said"),
    [
        ("columns = 8", 'columns = "x"', "line 2 (columns)", "Expected `int`"),
        ('hexes = ["0202", "0302"]', 'hexes = "0202"', "line 23 (forest[0].hexes)", "Expected `array`"),
        ("rows = [1, 2]", "rows = [1, 2, 3]", "line 19 (hill[0].rows)", "length 2"),
        ("morale = 7", "morals = 7", "line 43 (unit[0])", "unknown field `morals`"),
        ("level = 2", "height = 2", "line 17 (hill[0])", "unknown field `height`"),
        ('kind = "horse"', 'sort = "horse"', "line 38 (group[2])", "unknown field `sort`"),
        ("turns = 3", "years = 3", "", "unknown field `years`"),
        ("columns = 8\n", "", "", "missing required field `columns`"),
        ('facing = "n"\n', "", "line 43 (unit[0])", "missing required field `facing`"),
        ('side = "rome"\n', "", "line 29 (group[0])", "missing required field `side`"),
    ],
)
def test_what_has_another_form_is_refused(tmp_path: Path, old: str, new: str, place: str, said: str) -> None:
    error = complaint(written(tmp_path, old, new))
    assert said in str(error)
    assert error.place == place


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    assert "not TOML" in str(complaint(written(tmp_path, "turns = 3", "turns = three")))
    assert "No such file" in str(complaint(tmp_path / "nowhere.toml"))
    (tmp_path / "folder.toml").mkdir()
    assert "directory" in str(complaint(tmp_path / "folder.toml"))
    (tmp_path / "latin.toml").write_bytes('name = "Métaure"'.encode("latin-1"))
    assert "UTF-8" in str(complaint(tmp_path / "latin.toml"))


def test_a_name_that_nobody_knows_is_answered_by_those_that_there_are() -> None:
    error = complaint("cannae")
    assert problem(error).key == "file.named"
    assert set(problem(error).values["known"]) == {"historical", "free", "vanguard"}  # type: ignore[arg-type]


def test_armies_are_part_of_the_scenario() -> None:
    with pytest.raises(BadFile) as bad:
        METAURUS.configure(DEFAULT_SCENARIO, ["gauls", "romans"])
    assert (bad.value.file, problem(bad.value).key) == ("armies", "file.no_armies")
    setup = METAURUS.configure(DEFAULT_SCENARIO)
    with pytest.raises(BadFile) as bad:
        METAURUS.validate(Setup(setup.scenario, ({},), setup.options))
    assert (bad.value.file, problem(bad.value).key) == ("armies", "file.no_armies")


@pytest.mark.parametrize(
    ("options", "place", "key"),
    [
        ({"magic": True}, "options.magic", "file.one_of"),
        ({"gauls": "yes"}, "options.gauls", "file.switch"),
        ({"markers": "all"}, "options.markers", "file.one_of"),
        ({"engagement": False}, "options.engagement", "file.one_of"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], place: str, key: str) -> None:
    setup = METAURUS.configure(DEFAULT_SCENARIO)
    with pytest.raises(BadFile) as bad:
        METAURUS.configure(DEFAULT_SCENARIO, **options)
    assert (bad.value.file, bad.value.place, problem(bad.value).key) == ("options", place, key)
    with pytest.raises(BadFile) as bad:
        METAURUS.validate(Setup(setup.scenario, (), options))
    assert (bad.value.file, bad.value.place, problem(bad.value).key) == ("options", place, key)


@pytest.mark.parametrize(
    ("changed", "place", "key"),
    [
        ({"columns": 1}, "columns", "file.range"),
        ({"turns": "x"}, "turns", None),
        ({"unit": []}, "unit", "file.two_armies"),
        ({"deploy": {"rome": [0, 1]}}, "deploy", "file.both_deploy"),
        ({"moon": 1}, "", None),
    ],
)
def test_the_set_up_of_a_record_is_checked_anew(changed: dict[str, Any], place: str, key: str | None) -> None:
    setup = METAURUS.configure(DEFAULT_SCENARIO)
    assert METAURUS.validate(setup) == setup
    with pytest.raises(BadFile) as bad:
        METAURUS.validate(Setup({**setup.scenario, **changed}, (), setup.options))
    assert (bad.value.file, bad.value.place) == ("scenario", place)
    assert key is None or problem(bad.value).key == key


def test_a_record_without_options_is_played_by_the_defaults() -> None:
    setup = METAURUS.configure(DEFAULT_SCENARIO)
    assert METAURUS.validate(Setup(setup.scenario)).options == setup.options


# --- what would break a match later on -----------------------------------------------------------


@rule("MH1.map", "MH15.free_setup")
@pytest.mark.parametrize(
    ("old", "new", "place", "low"),
    [
        ("rome = [4, 5]", "rome = [5, 4]", "deploy.rome", 5),
        ("carthage = [0, 1]", "carthage = [1, 0]", "deploy.carthage", 1),
        ("rows = [1, 2]", "rows = [2, 1]", "hill[0].rows", 2),
        ("columns = [0, 1]", "columns = [1, 0]", "hill[0].columns", 1),
        ("columns = [4, 7]", "columns = [7, 4]", "river[0].columns", 7),
    ],
)
def test_what_is_told_the_wrong_way_round_is_refused(
    tmp_path: Path, old: str, new: str, place: str, low: int
) -> None:
    """Else a hill would be missing on the map, or nobody could deploy, and nobody would say so."""
    error = complaint(written(tmp_path, old, new))
    assert (problem(error).key, problem(error).values["low"]) == ("file.range", low)
    assert error.place.endswith(f"({place})")


@rule("MH15.free_setup")
@pytest.mark.parametrize(("number", "fits"), [(8, True), (9, False)])
def test_rows_to_deploy_in_have_room_for_everybody(tmp_path: Path, number: int, fits: bool) -> None:
    """A row has eight hexes."""
    hexes = ", ".join(f'"{n % 8:02}{n // 8:02}"' for n in range(number))
    text = SMALL.replace('"0000"', hexes).replace("carthage = [0, 1]", "carthage = [0, 0]")
    file = tmp_path / "narrow.toml"
    file.write_text(text, "utf-8")
    if fits:
        assert started(file).decision is not None
        return
    error = complaint(file)
    assert (problem(error).key, problem(error).values) == ("file.no_room", {"units": 9})
    assert error.place.endswith("(deploy.carthage)")


@rule("MH9.oob", "MH1.map")
@pytest.mark.parametrize("key", ["legion-1", "legion-2", "0105", "south", "waiting"])
def test_no_two_things_come_to_have_one_name(tmp_path: Path, key: str) -> None:
    """The second of the legions is ``legion-2``; and a click on a unit must not mean a place."""
    error = complaint(written(tmp_path, 'key = "horse"', f'key = "{key}"'))
    assert (problem(error).key, problem(error).values) == ("file.bad_id", {"id": repr(key)})
    assert error.place.endswith("(unit[1].key)")


# --- what the lobby lists ------------------------------------------------------------------------


def test_the_lobby_lists_the_historical_battle_first() -> None:
    for lang in LANGS:
        cards = METAURUS.scenarios(lang)
        assert [card.key for card in cards] == ["historical", "free", "vanguard"]
        assert all(card.name and card.text for card in cards)
    assert {card.key for card in METAURUS.scenarios("en")} == set(HOME.names("scenarios"))
    for one, two in zip(*(METAURUS.scenarios(lang) for lang in LANGS), strict=True):
        assert one.name != two.name
        assert one.text != two.text


def test_a_scenario_without_french_is_told_in_english(tmp_path: Path) -> None:
    roster = started(written(tmp_path)).roster
    assert {unit.name_fr for unit in roster.units} == {"Legion", "Horse"}
