"""Scenario files: whatever is wrong with one is told with the file, the place and what was expected."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from legatus.games.julian import JULIAN
from legatus.games.julian.battlefield import DEFAULT_SCENARIO, HOME, MOST_HEXES, MOST_UNITS
from legatus.games.julian.state import (
    BARBARIAN,
    CLOSED,
    MOUNTAIN,
    ROMAN,
    JulianState,
    counted_plunder,
)
from legatus.kernel import BadFile, Message, Scripted, Setup, start
from legatus.kernel.words import LANGS
from tests.rules import rule

SMALL = """\
name = "Small"
text = "A small war."
terrain = [
    "cccfc",
    "cmccx",
    "cccsc",
]
region = [
    "GGGBB",
    "GGGB-",
    "GGGBB",
]
roads = [
    ["0000", "0100", "0200"],
]

[values]
turns = 3
year = 356
treasury = 8
marker_price = 3
tax_divisor = 2
raising = [
    [["warband"]],
    [["warband"]],
    [["warband", "raiders"]],
    [["warband", "raiders"]],
    [["warband", "warband"], ["retinue"]],
    [["warband", "warband"], ["retinue"]],
]
bands = [9, 6, 3, 0]
sudden_turn = 2
sudden_cities = ["roma"]
capital = "roma"
restless = "legions"

[pool]
agentes = 2
military = 7

[options]
supply = true

[[kind]]
id = "cohort"
side = "roman"
combat = 4
move = 3
cost = 5

[[kind]]
id = "garrison"
side = "roman"
combat = 2
move = 0
cost = 2

[[kind]]
id = "warband"
side = "barbarian"
combat = 1
move = 2

[[kind]]
id = "raiders"
side = "barbarian"
combat = 20
move = 20

[[kind]]
id = "retinue"
side = "barbarian"
combat = 3
move = 3

[[kind]]
id = "band"
side = "federate"
combat = 2
move = 1

[[city]]
id = "roma"
name = "Roma"
at = "0000"
value = 3
holder = "roman"

[[city]]
id = "vicus"
name = "Vicus"
at = "0200"
value = 1
holder = "barbarian"

[[command]]
id = "legions"
side = "roman"
name = "Legions"
start = ["0001", "0002"]
units = { cohort = 3 }
on_map = { cohort = 2 }

[[command.leader]]
id = "julian"
name = "Julian"
bonus = 1

[[command.leader]]
id = "severus"
name = "Severus"
bonus = 0
turn = 2

[[command]]
id = "tribe"
side = "barbarian"
name = "Tribe"
start = ["0300"]
home_rows = [0, 1]
units = { warband = 3, raiders = 1 }
on_map = { warband = 2, raiders = 1 }

[[command.leader]]
id = "king"
name = "King"
bonus = 1

[garrisons]
count = 2
at = ["0000"]

[[people]]
id = "laeti"
name = "Laeti"
home = "0202"
units = { band = 2 }
"""


def written(folder: Path, old: str = "", new: str = "") -> Path:
    """The small scenario with a fault in it."""
    assert SMALL.count(old) == 1 or not old, f"{old!r} stands {SMALL.count(old)} times in the file"
    file = folder / "mine.toml"
    file.write_text(SMALL.replace(old, new), "utf-8")
    return file


def complaint(file: Path | str) -> BadFile:
    with pytest.raises(BadFile) as bad:
        JULIAN.configure(str(file))
    assert bad.value.file == str(file)
    assert str(bad.value).startswith(f"{file}: ")
    return bad.value


def problem(error: BadFile) -> Message:
    said = error.said.values["problem"]
    assert isinstance(said, Message)
    return said


def started(file: Path) -> JulianState:
    return start(JULIAN, JULIAN.configure(str(file)), Scripted([])).state  # type: ignore[no-any-return]


# --- a good one ----------------------------------------------------------------------------------


@rule("JH.map", "JH.units", "JH.commands", "JH.setup")
def test_a_file_is_taken_with_all_that_it_says(tmp_path: Path) -> None:
    state = started(written(tmp_path))
    roster = state.roster
    names, cells = roster.grid.names, roster.grid.cells
    assert (roster.columns, roster.rows) == (5, 3)
    assert {names[n] for n, ground in enumerate(roster.ground) if ground == CLOSED} == {"0302", "0401"}
    assert {names[n] for n, ground in enumerate(roster.ground) if ground == MOUNTAIN} == {"0101"}
    assert roster.is_rhine(cells["0200"], cells["0300"])
    assert (cells["0100"], cells["0000"]) in roster.road
    assert [unit.id for unit in roster.units] == [
        *(f"legions-cohort-{n}" for n in (1, 2, 3)),
        "julian",
        "severus",
        *(f"tribe-warband-{n}" for n in (1, 2, 3)),
        "tribe-raiders-1",
        "king",
        "garrison-1",
        "garrison-2",
        "laeti-band-1",
        "laeti-band-2",
    ]
    assert [roster.units[i].id for i in roster.commands[0].opening] == [
        "legions-cohort-1",
        "legions-cohort-2",
        "julian",
    ]
    assert {names[cell] for cell in roster.commands[1].home} == {"0300", "0400", "0301"}
    assert roster.commands[0].home == ()
    assert (roster.pool, roster.rules.supply, roster.rules.crises) == ((2, 0, 0, 0, 0, 7), True, False)
    values = roster.values
    assert (values.turns, values.year, values.treasury, values.marker_price) == (3, 356, 8, 3)
    assert (values.tax_divisor, values.bands, values.sudden_turn) == (2, (9, 6, 3, 0), 2)
    assert (values.sudden_cities, values.capital, values.restless) == ((0,), cells["0000"], 0)
    assert values.raising[4] == (("warband", "warband"), ("retinue",))
    sides = [unit.side for unit in roster.units]
    assert sides == [ROMAN] * 5 + [BARBARIAN] * 5 + [ROMAN] * 2 + [2] * 2
    assert state.cell[roster.index["garrison-1"]] == cells["0000"]
    assert state.cell[roster.index["garrison-2"]] < 0


@rule("JH.victory")
def test_a_file_that_does_not_say_how_much_plunder_counts_counts_twelve(tmp_path: Path) -> None:
    assert "most_plunder" not in SMALL
    state = started(written(tmp_path))
    state.plunder = 30
    assert counted_plunder(state) == 12


def test_options_of_a_match_overrule_those_of_the_file(tmp_path: Path) -> None:
    file = str(written(tmp_path))
    defaults = {"supply": True, "crises": False, "field_armies": "three"}
    assert JULIAN.configure(file).options == defaults
    assert JULIAN.configure(file, supply=False).options == {**defaults, "supply": False}
    taken = JULIAN.configure(file, field_armies="three-or-more", crises=True).options
    assert taken == {"supply": True, "crises": True, "field_armies": "three-or-more"}


def test_a_file_may_be_like_a_scenario_that_there_is(tmp_path: Path) -> None:
    file = tmp_path / "rich.toml"
    file.write_text('like = "gaul"\nname = "Rich"\n[garrisons]\ncount = 8\nat = []\n', "utf-8")
    mine, model = JULIAN.configure(str(file)).scenario, JULIAN.configure("gaul").scenario
    differ = {key for key in model if mine[key] != model[key]}
    assert differ == {"name", "garrisons", "edition"}  # a file that names none is of the first edition


# --- wrong ones ----------------------------------------------------------------------------------

Fault = tuple[str, str, str, str, str, dict[str, Any]]


def ranged(old: str, new: str, path: str, low: int, high: int) -> Fault:
    """A number that is too small or too large."""
    found = int(new.rsplit("= ", 1)[1])
    return (old, new, new, path, "range", {"low": low, "high": high, "found": found})


SIDES = ("'roman'", "'barbarian'")
MARKERS = ("'agentes'", "'credo'", "'dux'", "'federate'", "'imperium'", "'military'")
FAULTS: list[Fault] = [
    # (what stands there, what stands there instead, the line that is named, the path, key, values)
    # the map
    ('    "cccfc",\n', "", "region = [", "region", "range", {"low": 2, "high": 2, "found": 3}),
    (
        '    "GGGBB",\n    "GGGB-"',
        '    "GGGB-"',
        "region = [",
        "region",
        "range",
        {"low": 3, "high": 3, "found": 2},
    ),
    ('"cmccx"', '"cmcc"', "terrain = [", "terrain", "range", {"low": 5, "high": 5, "found": 4}),
    ('"GGGB-"', '"GGGB--"', "region = [", "region", "range", {"low": 5, "high": 5, "found": 6}),
    (
        '"cmccx"',
        '"cmccq"',
        "terrain = [",
        "terrain",
        "one_of",
        {"known": ("'c'", "'f'", "'m'", "'s'", "'x'"), "found": "'q'"},
    ),
    (
        '"GGGB-"',
        '"GGGBc"',
        "region = [",
        "region",
        "one_of",
        {"known": ("'G'", "'B'", "'-'"), "found": "'c'"},
    ),
    (
        '["0000", "0100", "0200"]',
        '["0000", "0900"]',
        "",
        "roads[0]",
        "no_such_hex",
        {"hex": "'0900'"},
    ),
    (
        '["0000", "0100", "0200"]',
        '["0000", "0200"]',
        "",
        "roads[0]",
        "road_gap",
        {"hex": "0000", "next": "0200"},
    ),
    # figures
    ranged("turns = 3", "turns = 0", "values.turns", 1, 40),
    ranged("turns = 3", "turns = 41", "values.turns", 1, 40),
    ranged("treasury = 8", "treasury = -1", "values.treasury", 0, 100),
    ranged("treasury = 8", "treasury = 101", "values.treasury", 0, 100),
    ranged("marker_price = 3", "marker_price = -1", "values.marker_price", 0, 50),
    ranged("marker_price = 3", "marker_price = 51", "values.marker_price", 0, 50),
    ranged("tax_divisor = 2", "tax_divisor = 0", "values.tax_divisor", 1, 20),
    ranged("tax_divisor = 2", "tax_divisor = 21", "values.tax_divisor", 1, 20),
    ranged("sudden_turn = 2", "sudden_turn = 0", "values.sudden_turn", 1, 40),
    ranged("sudden_turn = 2", "sudden_turn = 41", "values.sudden_turn", 1, 40),
    (
        'sudden_cities = ["roma"]',
        'sudden_cities = ["ostia"]',
        'sudden_cities = ["ostia"]',
        "values.sudden_cities",
        "one_of",
        {"known": ("'roma'", "'vicus'"), "found": "'ostia'"},
    ),
    (
        'capital = "roma"',
        'capital = "ostia"',
        'capital = "ostia"',
        "values.capital",
        "one_of",
        {"known": ("'roma'", "'vicus'"), "found": "'ostia'"},
    ),
    (
        'restless = "legions"',
        'restless = "tribe"',
        'restless = "tribe"',
        "values.restless",
        "one_of",
        {"known": ("'legions'",), "found": "'tribe'"},
    ),
    ("bands = [9, 6, 3, 0]", "bands = [9, 3, 6, 0]", "bands = [9, 3, 6, 0]", "values.bands", "bands", {}),
    (
        '    [["warband"]],\n    [["warband"]],\n',
        '    [["warband"]],\n',
        "raising = [",
        "values.raising",
        "range",
        {"low": 6, "high": 6, "found": 5},
    ),
    (
        '    [["warband"]],\n    [["warband"]],\n',
        '    [["warband"]],\n    [],\n',
        "raising = [",
        "values.raising",
        "range",
        {"low": 1, "high": 5, "found": 0},
    ),
    (
        '    [["warband"]],\n    [["warband"]],\n',
        '    [["warband"]],\n    [["cohort"]],\n',
        "raising = [",
        "values.raising",
        "one_of",
        {"known": ("'warband'", "'raiders'", "'retinue'"), "found": "'cohort'"},
    ),
    # the pool
    ("agentes = 2", "spies = 2", "spies = 2", "pool.spies", "one_of", {"known": MARKERS, "found": "'spies'"}),
    ranged("military = 7", "military = 51", "pool.military", 0, 50),
    ranged("military = 7", "military = -1", "pool.military", 0, 50),
    # kinds
    ('id = "cohort"', 'id = "roman"', 'id = "roman"', "kind[0].id", "bad_id", {"id": "'roman'"}),
    ('id = "cohort"', 'id = "dux"', 'id = "dux"', "kind[0].id", "bad_id", {"id": "'dux'"}),
    ('id = "cohort"', 'id = "0100"', 'id = "0100"', "kind[0].id", "bad_id", {"id": "'0100'"}),
    ('id = "cohort"', 'id = "a b"', 'id = "a b"', "kind[0].id", "bad_id", {"id": "'a b'"}),
    ('id = "retinue"', 'id = "cohort"', 'id = "cohort"', "kind[4].id", "bad_id", {"id": "'cohort'"}),
    (
        'id = "cohort"\nside = "roman"',
        'id = "cohort"\nside = "gaul"',
        'side = "gaul"',
        "kind[0].side",
        "one_of",
        {"known": (*SIDES, "'federate'"), "found": "'gaul'"},
    ),
    ranged("combat = 4", "combat = 0", "kind[0].combat", 1, 20),
    ranged("combat = 4", "combat = 21", "kind[0].combat", 1, 20),
    ranged("move = 1\n", "move = -1\n", "kind[5].move", 0, 20),
    ranged("move = 1\n", "move = 21\n", "kind[5].move", 0, 20),
    ranged("cost = 5", "cost = -1", "kind[0].cost", 0, 100),
    ranged("cost = 5", "cost = 101", "kind[0].cost", 0, 100),
    ('id = "garrison"', 'id = "guards"', "", "kind", "one_of", {"found": "'garrison'"}),
    # cities
    ('id = "vicus"', 'id = "roma"', 'id = "roma"', "city[1].id", "bad_id", {"id": "'roma'"}),
    ('id = "vicus"', 'id = "cohort"', 'id = "cohort"', "city[1].id", "bad_id", {"id": "'cohort'"}),
    ('at = "0200"', 'at = "0302"', 'at = "0302"', "city[1].at", "no_such_hex", {"hex": "'0302'"}),
    ('at = "0200"', 'at = "0900"', 'at = "0900"', "city[1].at", "no_such_hex", {"hex": "'0900'"}),
    ('at = "0200"', 'at = "0000"', 'at = "0000"', "city[1].at", "hex_taken", {"hex": "0000"}),
    (
        'holder = "barbarian"',
        'holder = "neutral"',
        'holder = "neutral"',
        "city[1].holder",
        "one_of",
        {"known": SIDES, "found": "'neutral'"},
    ),
    ranged("value = 3", "value = 0", "city[0].value", 1, 20),
    ranged("value = 3", "value = 21", "city[0].value", 1, 20),
    # commands
    ('id = "tribe"', 'id = "legions"', 'id = "legions"', "command[1].id", "bad_id", {"id": "'legions'"}),
    (
        'id = "tribe"\nside = "barbarian"',
        'id = "tribe"\nside = "federate"',
        'side = "federate"',
        "command[1].side",
        "one_of",
        {"known": SIDES, "found": "'federate'"},
    ),
    (
        'start = ["0001", "0002"]',
        'start = ["0001", "0302"]',
        'start = ["0001", "0302"]',
        "command[0].start",
        "no_such_hex",
        {"hex": "'0302'"},
    ),
    (
        'start = ["0001", "0002"]',
        'start = ["0001", "0300"]',
        'start = ["0001", "0300"]',
        "command[0].start",
        "hex_taken",
        {"hex": "0300"},
    ),
    (
        'start = ["0001", "0002"]',
        'start = ["0001", "0202"]',
        'start = ["0001", "0202"]',
        "command[0].start",
        "hex_taken",
        {"hex": "0202"},
    ),
    (
        "units = { cohort = 3 }",
        "units = { warband = 3 }",
        "units = { warband = 3 }",
        "command[0].units.warband",
        "one_of",
        {"known": ("'cohort'",), "found": "'warband'"},
    ),
    (
        "units = { cohort = 3 }",
        "units = { garrison = 3 }",
        "units = { garrison = 3 }",
        "command[0].units.garrison",
        "one_of",
        {"known": ("'cohort'",), "found": "'garrison'"},
    ),
    (
        "units = { cohort = 3 }",
        "units = { cohort = 31 }",
        "units = { cohort = 31 }",
        "command[0].units.cohort",
        "range",
        {"low": 0, "high": 30, "found": 31},
    ),
    (
        "on_map = { cohort = 2 }",
        "on_map = { cohort = 4 }",
        "on_map = { cohort = 4 }",
        "command[0].on_map.cohort",
        "range",
        {"low": 0, "high": 3, "found": 4},
    ),
    (
        "on_map = { cohort = 2 }",
        "on_map = { warband = 1 }",
        "on_map = { warband = 1 }",
        "command[0].on_map.warband",
        "range",
        {"low": 0, "high": 0, "found": 1},
    ),
    (
        "on_map = { cohort = 2 }",
        "on_map = { cohort = 0 }",
        "on_map = { cohort = 0 }",
        "command[0].on_map",
        "range",
        {"low": 1, "high": 6, "found": 0},
    ),
    (
        "on_map = { warband = 2, raiders = 1 }",
        "on_map = { warband = 3, raiders = 1 }",
        "on_map = { warband = 3, raiders = 1 }",
        "command[1].on_map",
        "range",
        {"low": 1, "high": 3, "found": 4},
    ),
    ('id = "king"', 'id = "julian"', "", "command[1].leader", "bad_id", {"id": "'julian'"}),
    ("bonus = 0", "bonus = 2", "", "command[0].leader", "range", {"low": 0, "high": 1, "found": 2}),
    ("bonus = 0", "bonus = -1", "", "command[0].leader", "range", {"low": 0, "high": 1, "found": -1}),
    ("\nturn = 2\n", "\n", "", "command[0].leader", "range", {"low": 1, "high": 40, "found": 0}),
    ("\nturn = 2\n", "\nturn = 41\n", "", "command[0].leader", "range", {"low": 1, "high": 40, "found": 41}),
    (
        'name = "King"\n',
        'name = "King"\nturn = 1\n',
        "",
        "command[1].leader",
        "range",
        {"low": 0, "high": 0, "found": 1},
    ),
    (
        '[[command.leader]]\nid = "king"\nname = "King"\nbonus = 1\n',
        "leader = []\n",
        "leader = []",
        "command[1].leader",
        "range",
        {"low": 1, "high": 2, "found": 0},
    ),
    (
        "home_rows = [0, 1]",
        "home_rows = [-1, 1]",
        "home_rows = [-1, 1]",
        "command[1].home_rows",
        "range",
        {"low": 0, "high": 2, "found": -1},
    ),
    (
        "home_rows = [0, 1]",
        "home_rows = [0, 3]",
        "home_rows = [0, 3]",
        "command[1].home_rows",
        "range",
        {"low": 0, "high": 2, "found": 3},
    ),
    (
        "home_rows = [0, 1]",
        "home_rows = [1, 0]",
        "home_rows = [1, 0]",
        "command[1].home_rows",
        "range",
        {"low": 1, "high": 2, "found": 0},
    ),
    ("home_rows = [0, 1]\n", "", "", "command[1].home_rows", "range", {"low": 0, "high": 2, "found": -1}),
    # garrisons
    ranged("count = 2", "count = 0", "garrisons.count", 1, 50),
    ranged("count = 2", "count = 51", "garrisons.count", 1, 50),
    (
        'at = ["0000"]',
        'at = ["0100"]',
        'at = ["0100"]',
        "garrisons.at",
        "one_of",
        {"known": ("'0000'",), "found": "'0100'"},
    ),
    (
        'at = ["0000"]',
        'at = ["0200"]',
        'at = ["0200"]',
        "garrisons.at",
        "one_of",
        {"known": ("'0000'",), "found": "'0200'"},
    ),
    (
        'at = ["0000"]',
        'at = ["0000", "0000"]',
        'at = ["0000", "0000"]',
        "garrisons.at",
        "hex_taken",
        {"hex": "0000"},
    ),
    # peoples
    ('id = "laeti"', 'id = "tribe"', 'id = "tribe"', "people[0].id", "bad_id", {"id": "'tribe'"}),
    ('home = "0202"', 'home = "0302"', 'home = "0302"', "people[0].home", "no_such_hex", {"hex": "'0302'"}),
    (
        "units = { band = 2 }",
        "units = { warband = 2 }",
        "units = { warband = 2 }",
        "people[0].units.warband",
        "one_of",
        {"known": ("'band'",), "found": "'warband'"},
    ),
    (
        "units = { band = 2 }",
        "units = { band = 6 }",
        "units = { band = 6 }",
        "people[0].units",
        "range",
        {"low": 1, "high": 5, "found": 6},
    ),
    (
        "units = { band = 2 }",
        "units = { band = 0 }",
        "units = { band = 0 }",
        "people[0].units",
        "range",
        {"low": 1, "high": 5, "found": 0},
    ),
    # options and the like
    (
        "supply = true",
        "magic = true",
        "magic = true",
        "options.magic",
        "one_of",
        {"known": ("'supply'", "'crises'", "'field_armies'"), "found": "'magic'"},
    ),
    ("supply = true", 'supply = "on"', 'supply = "on"', "options.supply", "switch", {"found": "'on'"}),
    (
        "supply = true",
        'field_armies = "four"',
        'field_armies = "four"',
        "options.field_armies",
        "one_of",
        {"known": ("'three'", "'three-or-more'"), "found": "'four'"},
    ),
    ('name = "Small"', 'like = "cannae"', 'like = "cannae"', "like", "one_of", {"found": "'cannae'"}),
]


@rule("JH.map", "JH.units", "JH.commands", "JH.setup", "JH.scenario")
@pytest.mark.parametrize(
    ("old", "new", "line", "path", "key", "values"),
    FAULTS,
    ids=[f"{fault[3]}-{fault[4]}-{fault[1][:18]!r}" for fault in FAULTS],
)
def test_a_wrong_file_is_refused_with_its_place_and_what_was_expected(
    tmp_path: Path, old: str, new: str, line: str, path: str, key: str, values: dict[str, Any]
) -> None:
    file = written(tmp_path, old, new)
    error = complaint(file)
    assert problem(error).key == f"file.{key}"
    assert {name: problem(error).values[name] for name in values} == values
    found = re.fullmatch(r"line (\d+) \((.+)\)", error.place)
    assert (found[2] if found else error.place) == path
    if line:
        assert found, error.place
        assert file.read_text("utf-8").splitlines()[int(found[1]) - 1].strip() == line.strip()


def changed(folder: Path, **fields: Any) -> BadFile:
    """What is said of the small scenario with other entries, as a record has it."""
    setup = JULIAN.configure(str(written(folder)))
    with pytest.raises(BadFile) as bad:
        JULIAN.validate(Setup({**setup.scenario, **fields}, (), setup.options))
    assert bad.value.file == "scenario"
    return bad.value


@rule("JH.map")
def test_a_map_has_two_to_a_thousand_hexes(tmp_path: Path) -> None:
    for terrain, found in ((["c"], 1), (["c" * 40] * 26, 1040), ([], 0)):
        region = [line.replace("c", "G") for line in terrain]
        error = changed(tmp_path, terrain=terrain, region=region, roads=[])
        assert (error.place, problem(error).key) == ("terrain", "file.range")
        assert problem(error).values == {"low": 2, "high": MOST_HEXES, "found": found}
    assert MOST_HEXES == 1000


@rule("JH.commands")
def test_both_sides_need_a_command(tmp_path: Path) -> None:
    commands = JULIAN.configure(str(written(tmp_path))).scenario["command"]
    for some in (commands[:1], commands[1:], []):
        error = changed(tmp_path, command=some)
        assert (error.place, problem(error).key) == ("command", "file.two_armies")


@rule("JH.commands")
def test_there_is_a_limit_to_the_units(tmp_path: Path) -> None:
    commands = JULIAN.configure(str(written(tmp_path))).scenario["command"]
    leaders = [{"id": f"leader{n}", "name": "", "bonus": 0} for n in range(10)]
    many = [
        {**commands[0], "id": f"legion{n}", "start": [f"{n:02}00"], "units": {"cohort": 30}, "leader": [one]}
        for n, one in enumerate(leaders)
    ]
    wide = {"terrain": ["c" * 20] * 3, "region": ["G" * 18 + "BB"] * 3}
    error = changed(tmp_path, command=[*many, commands[1]], **wide)
    assert (error.place, problem(error).key) == ("command", "file.range")
    assert problem(error).values == {"low": 1, "high": MOST_UNITS, "found": 10 * 30 + 4 + 2}


@rule("JH.commands")
def test_barbarians_need_a_home(tmp_path: Path) -> None:
    error = changed(tmp_path, region=["GGGGG", "GGGG-", "GGGBB"])
    assert (error.place, problem(error).key) == ("command[1].home_rows", "file.no_home")


@rule("JH.setup", "JH.6_0")
def test_nobody_else_begins_where_a_people_lives(tmp_path: Path) -> None:
    scenario = JULIAN.configure(str(written(tmp_path))).scenario
    people = scenario["people"][0]
    error = changed(tmp_path, people=[people, {**people, "id": "salii"}])
    assert (error.place, problem(error).values) == ("people[1].home", {"hex": "0202"})
    error = changed(tmp_path, people=[{**people, "home": "0000"}])  # the garrison's city
    assert (error.place, problem(error).key, problem(error).values) == (
        "garrisons.at",
        "file.hex_taken",
        {"hex": "0000"},
    )
    tribe = {**scenario["command"][1], "start": ["0000"]}
    error = changed(tmp_path, command=[scenario["command"][0], tribe])
    assert (error.place, problem(error).key) == ("garrisons.at", "file.hex_taken")


@rule("JH.units", "JH.commands")
@pytest.mark.parametrize("key", ["legions-cohort-1", "legions-cohort-3", "garrison-2", "laeti-band-1"])
def test_no_unit_comes_to_have_the_id_of_something_else(tmp_path: Path, key: str) -> None:
    error = complaint(written(tmp_path, 'id = "vicus"', f'id = "{key}"'))
    assert (problem(error).key, problem(error).values) == ("file.bad_id", {"id": repr(key)})
    JULIAN.configure(str(written(tmp_path, 'id = "vicus"', 'id = "legions-cohort-4"')))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("turns = 3", "turns = 40"),
        ("turns = 3", "turns = 1"),
        ("treasury = 8", "treasury = 0"),
        ("treasury = 8", "treasury = 100"),
        ("marker_price = 3", "marker_price = 0"),
        ("marker_price = 3", "marker_price = 50"),
        ("tax_divisor = 2", "tax_divisor = 1"),
        ("tax_divisor = 2", "tax_divisor = 20"),
        ("sudden_turn = 2", "sudden_turn = 1"),
        ("sudden_turn = 2", "sudden_turn = 40"),
        ('sudden_cities = ["roma"]', "sudden_cities = []"),
        ("bands = [9, 6, 3, 0]", "bands = [3, 3, 3, 3]"),
        ("military = 7", "military = 50"),
        ("military = 7", "military = 0"),
        ("combat = 4", "combat = 1"),
        ("combat = 4", "combat = 20"),
        ("move = 1\n", "move = 0\n"),
        ("cost = 5", "cost = 0"),
        ("cost = 5", "cost = 100"),
        ("value = 3", "value = 20"),
        ("value = 3", "value = 1"),
        ("units = { cohort = 3 }", "units = { cohort = 30 }"),
        ("on_map = { cohort = 2 }", "on_map = { cohort = 1 }"),
        ("units = { band = 2 }", "units = { band = 5 }"),
        ("units = { band = 2 }", "units = { band = 1 }"),
        ("count = 2", "count = 50"),
        ("count = 2", "count = 1"),
        ("home_rows = [0, 1]", "home_rows = [2, 2]"),
        ("home_rows = [0, 1]", "home_rows = [0, 2]"),
        ('at = ["0000"]', "at = []"),
        ('["0000", "0100", "0200"]', '["0000", "0100"]'),
    ],
)
def test_what_is_just_allowed_is_taken(tmp_path: Path, old: str, new: str) -> None:
    assert started(written(tmp_path, old, new)).decision is not None


@pytest.mark.parametrize(
    ("old", "new", "place", "said"),
    [
        ("turns = 3", 'turns = "x"', "values.turns", "Expected `int`"),
        ("turns = 3", "years = 3", "values", "unknown field `years`"),
        ("combat = 4", "combats = 4", "kind[0]", "unknown field `combats`"),
        ("bands = [9, 6, 3, 0]", "bands = [9, 6, 3]", "values.bands", "length 4"),
        ('at = "0200"\n', "", "city[1]", "missing required field `at`"),
        ('name = "Small"', 'title = "Small"', "", "unknown field `title`"),
        ('holder = "barbarian"', "holder = 1", "city[1].holder", "Expected `str`"),
    ],
)
def test_what_has_another_form_is_refused(tmp_path: Path, old: str, new: str, place: str, said: str) -> None:
    error = complaint(written(tmp_path, old, new))
    assert said in str(error)
    assert (f"({place})" in error.place) if place else error.place == ""


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    assert "not TOML" in str(complaint(written(tmp_path, "turns = 3", "turns = three")))
    assert "No such file" in str(complaint(tmp_path / "nowhere.toml"))
    (tmp_path / "folder.toml").mkdir()
    assert "directory" in str(complaint(tmp_path / "folder.toml"))
    (tmp_path / "latin.toml").write_bytes('name = "César"'.encode("latin-1"))
    assert "UTF-8" in str(complaint(tmp_path / "latin.toml"))


def test_a_name_that_nobody_knows_is_answered_by_those_that_there_are() -> None:
    error = complaint("cannae")
    assert problem(error).key == "file.named"
    assert set(problem(error).values["known"]) == {"gaul", "argentoratum"}  # type: ignore[arg-type]


def test_armies_are_part_of_the_scenario() -> None:
    with pytest.raises(BadFile) as bad:
        JULIAN.configure(DEFAULT_SCENARIO, ["gauls", "romans"])
    assert (bad.value.file, problem(bad.value).key) == ("armies", "file.no_armies")
    setup = JULIAN.configure(DEFAULT_SCENARIO)
    with pytest.raises(BadFile) as bad:
        JULIAN.validate(Setup(setup.scenario, ({},), setup.options))
    assert (bad.value.file, problem(bad.value).key) == ("armies", "file.no_armies")


@pytest.mark.parametrize(
    ("options", "place", "key"),
    [
        ({"magic": True}, "options.magic", "file.one_of"),
        ({"supply": "yes"}, "options.supply", "file.switch"),
        ({"field_armies": "all"}, "options.field_armies", "file.one_of"),
        ({"crises": 1}, "options.crises", "file.switch"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], place: str, key: str) -> None:
    setup = JULIAN.configure(DEFAULT_SCENARIO)
    with pytest.raises(BadFile) as bad:
        JULIAN.configure(DEFAULT_SCENARIO, **options)
    assert (bad.value.file, bad.value.place, problem(bad.value).key) == ("options", place, key)
    with pytest.raises(BadFile) as bad:
        JULIAN.validate(Setup(setup.scenario, (), options))
    assert (bad.value.file, bad.value.place, problem(bad.value).key) == ("options", place, key)


def test_the_set_up_of_a_record_is_checked_anew(tmp_path: Path) -> None:
    setup = JULIAN.configure(DEFAULT_SCENARIO)
    assert JULIAN.validate(setup) == setup
    assert changed(tmp_path, terrain=5).place == "terrain"
    assert changed(tmp_path, moon=1).place == ""


# --- what the lobby lists ------------------------------------------------------------------------


def test_the_lobby_lists_the_campaign_first() -> None:
    for lang in LANGS:
        cards = JULIAN.scenarios(lang)
        assert [card.key for card in cards] == ["gaul", "argentoratum"]
        assert all(card.name and card.text for card in cards)
    assert {card.key for card in JULIAN.scenarios("en")} == set(HOME.names("scenarios"))
    for one, two in zip(*(JULIAN.scenarios(lang) for lang in LANGS), strict=True):
        assert one.text != two.text


def test_a_scenario_without_french_is_told_in_english(tmp_path: Path) -> None:
    roster = started(written(tmp_path)).roster
    assert [command.name_fr for command in roster.commands] == ["Legions", "Tribe"]
    assert roster.peoples[0].name_fr == "Laeti"
    assert roster.units[roster.index["king"]].name_fr == "King"
    gaul = start(JULIAN, JULIAN.configure("gaul"), Scripted([])).state.roster
    assert gaul.units[gaul.index["julian"]].name_fr == "Julien"
    assert (gaul.commands[0].name_fr, gaul.peoples[0].name_fr) == ("César", "Saliens")
