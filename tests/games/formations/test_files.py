"""Scenario files: whatever is wrong with one is told with the file, the place and what was expected."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from legatus.games.formations import FORMATIONS
from legatus.games.formations.battlefield import DEFAULT_SCENARIO, HOME, MOST_HEXES, MOST_UNITS
from legatus.games.formations.state import HORDE, LEAGUE, NOBODY, FormationsState
from legatus.kernel import BadFile, Message, Scripted, Setup, start
from legatus.kernel.words import LANGS
from tests.rules import rule

from .stage import facing, index, mode, pile, place, steps

SMALL = """\
name = "Small"
columns = 8
rows = 6
turns = 3
lead = 2
weather = "rain"
rough = ["0202"]
difficult = ["0303"]
inflammable = ["0303", "0404"]
indoor = ["0700"]
beacon = "0402"
granary = "0404"

[sources]
league = "0705"

[options]
fire = true

[[device]]
id = "winch"
name = "Winch"
at = "0502"
difficulty = 3
points = 2

[[type]]
key = "pikes"
side = "league"
name = "Pikes"
icon = "pikemen"
capacity = "superior"
morale = "elite"
profile = "exceptional"
manoeuvre = true

[[type]]
key = "wargs"
side = "horde"
name = "Wargs"
icon = "cavalry"
weapon = "bestial"
move = "mounted"
range = 2

[[wing]]
id = "south"
side = "league"
name = "South"

[[wing]]
id = "north"
side = "horde"
name = "North"

[[leader]]
id = "ann"
side = "league"
name = "Ann"
command = 3
at = "0005"

[[leader]]
id = "ben"
side = "league"
wing = "south"
name = "Ben"
command = 0
at = "0105"

[[leader]]
id = "cid"
side = "horde"
name = "Cid"
command = 1
at = "0000"

[[leader]]
id = "dan"
side = "horde"
wing = "north"
name = "Dan"
command = 1
at = "0100"

[[unit]]
type = "pikes"
wing = "south"
steps = 7
formation = true
mode = "tortoise"
at = ["0304", "0204"]

[[unit]]
type = "pikes"
wing = "south"
steps = 1
at = ["0304", "0505"]
facing = "ne"

[[unit]]
type = "wargs"
wing = "north"
steps = 2
at = ["0501"]
"""
CORNERS = ("''", "'ne'", "'se'", "'s'", "'sw'", "'nw'", "'n'")
SIDES = ("'league'", "'horde'")
LEVELS = ("'exceptional'", "'superior'", "'ordinary'", "'mediocre'", "'poor'")


def written(folder: Path, old: str = "", new: str = "") -> Path:
    """The small scenario with a fault in it."""
    assert SMALL.count(old) == 1 or not old, f"{old!r} stands {SMALL.count(old)} times in the file"
    file = folder / "mine.toml"
    file.write_text(SMALL.replace(old, new), "utf-8")
    return file


def complaint(file: Path | str) -> BadFile:
    with pytest.raises(BadFile) as bad:
        FORMATIONS.configure(str(file))
    assert bad.value.file == str(file)
    assert str(bad.value).startswith(f"{file}: ")
    return bad.value


def problem(error: BadFile) -> Message:
    said = error.said.values["problem"]
    assert isinstance(said, Message)
    return said


def started(file: Path) -> FormationsState:
    setup = FORMATIONS.configure(str(file))
    weather = [] if setup.scenario["weather"] else [1, 1]
    dice = Scripted([*weather, 6, 6, 1, 1])
    return start(FORMATIONS, setup, dice).state  # type: ignore[no-any-return]


# --- a good one ----------------------------------------------------------------------------------


@rule("AH26.scenario", "AH31.devices", "A.reload.source.1", "AH24.weather")
def test_a_file_is_taken_with_all_that_it_says(tmp_path: Path) -> None:
    state = started(written(tmp_path))
    roster = state.roster
    cells = roster.grid.cells
    assert (roster.columns, roster.rows, roster.edges) == (8, 6, (5, 0))
    assert (state.weather, roster.prize.turns, roster.prize.lead) == (3, 3, 2)
    assert {roster.grid.names[c]: t for c, t in enumerate(roster.terrain) if t} == {"0202": 1, "0303": 2}
    assert {roster.grid.names[c] for c in roster.inflammable} == {"0303", "0404"}
    assert {roster.grid.names[c] for c in roster.indoor} == {"0700"}
    assert (roster.prize.beacon, roster.prize.granary) == (cells["0402"], cells["0404"])
    assert roster.sources == (cells["0705"], NOBODY)
    (device,) = roster.devices
    assert (device.id, device.cell, device.difficulty, device.points) == ("winch", cells["0502"], 3, 2)
    assert state.ids == ["ann", "ben", "cid", "dan", "pikes-1", "pikes-2", "pikes-3", "wargs"]
    assert (roster.chiefs, roster.leaders) == ((0, 2), (1, 3))
    assert [piece.command for piece in roster.pieces[:4]] == [3, 0, 1, 1]
    assert (place(state, "pikes-1"), mode(state, "pikes-1"), steps(state, "pikes-1")) == (
        "0204+0304",
        "tortoise",
        7,
    )
    assert [name for name in pile(state, "0304") if name.startswith("pikes")] == ["pikes-1", "pikes-2"]
    assert [facing(state, name) for name in ("pikes-1", "pikes-2", "pikes-3", "wargs")] == [
        "n",
        "ne",
        "ne",
        "s",
    ]
    assert state.side == [LEAGUE, LEAGUE, HORDE, HORDE, LEAGUE, LEAGUE, LEAGUE, HORDE]
    kind = roster.types[roster.pieces[index(state, "wargs")].type]
    assert (kind.weapon, kind.move, kind.range, kind.capacity, kind.morale, kind.profile) == (
        "bestial",
        "mounted",
        2,
        "ordinary",
        "steady",
        "poor",
    )


def test_options_of_a_match_overrule_those_of_the_file(tmp_path: Path) -> None:
    file = str(written(tmp_path, "fire = true", "fire = false"))
    assert FORMATIONS.configure(file).options == {"fire": False, "stakes": True}
    assert FORMATIONS.configure(file, fire=True, stakes=False).options == {"fire": True, "stakes": False}


def test_a_file_may_be_like_a_scenario_that_there_is(tmp_path: Path) -> None:
    file = tmp_path / "long.toml"
    file.write_text(f'like = "{DEFAULT_SCENARIO}"\nname = "Long"\nturns = 20\n', "utf-8")
    mine, model = (FORMATIONS.configure(name).scenario for name in (str(file), DEFAULT_SCENARIO))
    assert {key for key in model if mine[key] != model[key]} == {"edition", "name", "turns"}


# --- wrong ones ----------------------------------------------------------------------------------


def within(low: int, high: int, found: int) -> dict[str, Any]:
    return {"low": low, "high": high, "found": found}


FAULTS: list[tuple[str, str, str, str, str, dict[str, Any]]] = [
    # (what stands there, what stands there instead, the line that is named, the path, key, values)
    ("columns = 8", "columns = 2", "columns = 2", "columns", "range", within(3, 60, 2)),
    ("columns = 8", "columns = 61", "columns = 61", "columns", "range", within(3, 60, 61)),
    ("rows = 6", "rows = 2", "rows = 2", "rows", "range", within(3, 60, 2)),
    ("rows = 6", "rows = 61", "rows = 61", "rows", "range", within(3, 60, 61)),
    ("turns = 3", "turns = 0", "turns = 0", "turns", "range", within(1, 60, 0)),
    ("turns = 3", "turns = 61", "turns = 61", "turns", "range", within(1, 60, 61)),
    ("lead = 2", "lead = 0", "lead = 0", "lead", "range", within(1, 60, 0)),
    (
        "columns = 8\nrows = 6",
        "columns = 41\nrows = 49",
        "columns = 41",
        "columns",
        "too_many_hexes",
        {"most": MOST_HEXES},
    ),
    (
        'weather = "rain"',
        'weather = "snow"',
        'weather = "snow"',
        "weather",
        "one_of",
        {"known": ("''", "'heat-wave'", "'fair'", "'cloudy'", "'rain'"), "found": "'snow'"},
    ),
    ('rough = ["0202"]', 'rough = ["0802"]', 'rough = ["0802"]', "rough", "no_such_hex", {"hex": "'0802'"}),
    (
        'difficult = ["0303"]',
        'difficult = ["x"]',
        'difficult = ["x"]',
        "difficult",
        "no_such_hex",
        {"hex": "'x'"},
    ),
    (
        'inflammable = ["0303", "0404"]',
        'inflammable = ["0303", "0406"]',
        'inflammable = ["0303", "0406"]',
        "inflammable",
        "no_such_hex",
        {"hex": "'0406'"},
    ),
    (
        'indoor = ["0700"]',
        'indoor = ["0900"]',
        'indoor = ["0900"]',
        "indoor",
        "no_such_hex",
        {"hex": "'0900'"},
    ),
    ('beacon = "0402"', 'beacon = "0492"', 'beacon = "0492"', "beacon", "no_such_hex", {"hex": "'0492'"}),
    ('granary = "0404"', 'granary = "404"', 'granary = "404"', "granary", "no_such_hex", {"hex": "'404'"}),
    (
        'league = "0705"',
        'gaul = "0705"',
        'gaul = "0705"',
        "sources.gaul",
        "one_of",
        {"known": SIDES, "found": "'gaul'"},
    ),
    (
        'league = "0705"',
        'league = "0706"',
        'league = "0706"',
        "sources.league",
        "no_such_hex",
        {"hex": "'0706'"},
    ),
    (
        "fire = true",
        "magic = true",
        "magic = true",
        "options.magic",
        "one_of",
        {"known": ("'fire'", "'stakes'")},
    ),
    ("fire = true", 'fire = "on"', 'fire = "on"', "options.fire", "switch", {"found": "'on'"}),
    ('at = "0502"', 'at = "0592"', 'at = "0592"', "device[0].at", "no_such_hex", {"hex": "'0592'"}),
    (
        "difficulty = 3",
        "difficulty = -1",
        "difficulty = -1",
        "device[0].difficulty",
        "range",
        within(0, 8, -1),
    ),
    ("difficulty = 3", "difficulty = 9", "difficulty = 9", "device[0].difficulty", "range", within(0, 8, 9)),
    ("points = 2", "points = -1", "points = -1", "device[0].points", "range", within(0, 50, -1)),
    ("points = 2", "points = 51", "points = 51", "device[0].points", "range", within(0, 50, 51)),
    ('id = "winch"', 'id = "pikes"', 'id = "pikes"', "device[0].id", "bad_id", {"id": "'pikes'"}),
    ('id = "winch"', 'id = ""', 'id = ""', "device[0].id", "bad_id", {"id": "''"}),
    ('key = "wargs"', 'key = "pikes"', 'key = "pikes"', "type[1].key", "bad_id", {"id": "'pikes'"}),
    ('key = "wargs"', 'key = "horde"', 'key = "horde"', "type[1].key", "bad_id", {"id": "'horde'"}),
    ('key = "wargs"', 'key = "a b"', 'key = "a b"', "type[1].key", "bad_id", {"id": "'a b'"}),
    (
        'side = "league"\nname = "Pikes"',
        'side = "gaul"\nname = "Pikes"',
        'side = "gaul"',
        "type[0].side",
        "one_of",
        {"known": SIDES, "found": "'gaul'"},
    ),
    (
        'capacity = "superior"',
        'capacity = "good"',
        'capacity = "good"',
        "type[0].capacity",
        "one_of",
        {"known": LEVELS, "found": "'good'"},
    ),
    (
        'profile = "exceptional"',
        'profile = "good"',
        'profile = "good"',
        "type[0].profile",
        "one_of",
        {"known": LEVELS, "found": "'good'"},
    ),
    (
        'weapon = "bestial"',
        'weapon = "axe"',
        'weapon = "axe"',
        "type[1].weapon",
        "one_of",
        {"known": ("''", "'monstrous'", "'dragon'", "'bestial'"), "found": "'axe'"},
    ),
    (
        'morale = "elite"',
        'morale = "good"',
        'morale = "good"',
        "type[0].morale",
        "one_of",
        {"known": ("'elite'", "'steady'", "'fragile'"), "found": "'good'"},
    ),
    (
        'move = "mounted"',
        'move = "character"',
        'move = "character"',
        "type[1].move",
        "one_of",
        {"known": ("'foot'", "'heavy-foot'", "'mounted'", "'monster'"), "found": "'character'"},
    ),
    ('icon = "cavalry"', 'icon = "tank"', 'icon = "tank"', "type[1].icon", "one_of", {"found": "'tank'"}),
    ("range = 2", "range = -1", "range = -1", "type[1].range", "range", within(0, 12, -1)),
    ("range = 2", "range = 13", "range = 13", "type[1].range", "range", within(0, 12, 13)),
    ('id = "north"', 'id = "south"', 'id = "south"', "wing[1].id", "bad_id", {"id": "'south'"}),
    (
        'side = "horde"\nname = "North"',
        'side = "gaul"\nname = "North"',
        'side = "gaul"',
        "wing[1].side",
        "one_of",
        {"known": SIDES, "found": "'gaul'"},
    ),
    ('id = "cid"', 'id = "ann"', 'id = "ann"', "leader[2].id", "bad_id", {"id": "'ann'"}),
    (
        'side = "league"\nname = "Ann"',
        'side = "gaul"\nname = "Ann"',
        'side = "gaul"',
        "leader[0].side",
        "one_of",
        {"known": SIDES, "found": "'gaul'"},
    ),
    (  # of the other side
        'wing = "south"\nname = "Ben"',
        'wing = "north"\nname = "Ben"',
        'wing = "north"',
        "leader[1].wing",
        "one_of",
        {"known": ("''", "'south'"), "found": "'north'"},
    ),
    ("command = 3", "command = -1", "command = -1", "leader[0].command", "range", within(0, 9, -1)),
    ("command = 3", "command = 10", "command = 10", "leader[0].command", "range", within(0, 9, 10)),
    ('at = "0005"', 'at = "0006"', 'at = "0006"', "leader[0].at", "no_such_hex", {"hex": "'0006'"}),
    (
        'side = "league"\nname = "Ann"',
        'side = "league"\nwing = "south"\nname = "Ann"',
        'wing = "south"',
        "leader[1].wing",
        "two_leaders",
        {},
    ),
    (  # he becomes a second commander in chief
        'wing = "south"\nname = "Ben"',
        'wing = ""\nname = "Ben"',
        'wing = ""',
        "leader[1].wing",
        "two_leaders",
        {},
    ),
    (
        '[[leader]]\nid = "dan"\nside = "horde"\nwing = "north"\nname = "Dan"\ncommand = 1\nat = "0100"\n',
        "",
        "",
        "leader",
        "no_leader",
        {"missing": ("north",)},
    ),
    (
        '[[leader]]\nid = "cid"\nside = "horde"\nname = "Cid"\ncommand = 1\nat = "0000"\n',
        "",
        "",
        "leader",
        "no_leader",
        {"missing": ("horde",)},
    ),
    (
        'type = "wargs"',
        'type = "wolves"',
        'type = "wolves"',
        "unit[2].type",
        "one_of",
        {"known": ("'pikes'", "'wargs'"), "found": "'wolves'"},
    ),
    (
        'wing = "north"\nsteps = 2',
        'wing = "south"\nsteps = 2',
        'wing = "south"',
        "unit[2].wing",
        "one_of",
        {"known": ("'north'",), "found": "'south'"},
    ),
    ('facing = "ne"', 'facing = "e"', 'facing = "e"', "unit[1].facing", "one_of", {"known": CORNERS}),
    (
        'mode = "tortoise"',
        'mode = "run"',
        'mode = "run"',
        "unit[0].mode",
        "one_of",
        {
            "known": ("'march'", "'tortoise'", "'rank-rotation'", "'hedgehog'", "'shield-wall'"),
            "found": "'run'",
        },
    ),
    ('at = ["0501"]', 'at = ["0506"]', 'at = ["0506"]', "unit[2].at", "no_such_hex", {"hex": "'0506'"}),
    ("steps = 1", "steps = 0", "steps = 0", "unit[1].steps", "range", within(1, 2, 0)),
    ("steps = 1", "steps = 3", "steps = 3", "unit[1].steps", "range", within(1, 2, 3)),
    ("steps = 7", "steps = 2", "steps = 2", "unit[0].steps", "range", within(3, 10, 2)),
    ("steps = 7", "steps = 11", "steps = 11", "unit[0].steps", "range", within(3, 10, 11)),
    ('at = ["0304", "0204"]', 'at = ["0304"]', 'at = ["0304"]', "unit[0].at", "no_line", {}),
    (
        'at = ["0304", "0204"]',
        'at = ["0304", "0104"]',
        'at = ["0304", "0104"]',
        "unit[0].at",
        "no_line",
        {},
    ),
    (
        'at = ["0304", "0204"]',
        'at = ["0304", "0305"]',
        'at = ["0304", "0305"]',
        "unit[0].at",
        "no_line",
        {},
    ),
    (
        'at = ["0304", "0204"]',
        'at = ["0304", "0204"]\nfacing = "ne"',
        'at = ["0304", "0204"]',
        "unit[0].at",
        "no_line",
        {},
    ),
    ("steps = 7", "steps = 9", 'at = ["0304", "0505"]', "unit[1].at", "overstacked", {"hex": "0304"}),
    (
        'at = ["0501"]',
        'at = ["0501", "0501"]',
        'at = ["0501", "0501"]',
        "unit[2].at",
        "overstacked",
        {"hex": "0501"},
    ),
    ('at = ["0501"]', "at = []", "", "unit", "two_armies", {}),
]


@rule("AH26.scenario", "AH2.footprint", "AH18.stacking", "AH31.devices", "A.def.figures", "A.def.cinc")
@pytest.mark.parametrize(
    ("old", "new", "line", "path", "key", "values"),
    FAULTS,
    ids=[f"{f[3]}-{f[4]}-{n}" for n, f in enumerate(FAULTS)],
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


@rule("AH7.move", "AH26.scenario")
@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ('at = ["0501"]', 'at = ["0505"]', "unit[2].at"),  # both sides in a hex
        ('difficult = ["0303"]', 'difficult = ["0303", "0204"]', "unit[0].at"),  # a formation in a wood
    ],
)
def test_a_set_up_that_the_rules_do_not_know_is_refused(
    tmp_path: Path, old: str, new: str, path: str
) -> None:
    """Enemies in one hex, and a formation in Difficult terrain, break the invariants of the game."""
    error = complaint(written(tmp_path, old, new))
    assert path in error.place
    assert problem(error).key == ("file.both_sides" if "0505" in new else "file.difficult")


@pytest.mark.parametrize("old", ['"wargs"', '"ann"', '"winch"', '"north"'])
def test_nothing_may_be_called_like_a_unit(tmp_path: Path, old: str) -> None:
    """The three units of the type pikes will be pikes-1, pikes-2 and pikes-3."""
    file = tmp_path / "mine.toml"
    file.write_text(SMALL.replace(old, '"pikes-1"'), "utf-8")
    assert problem(complaint(file)).key == "file.bad_id"


@rule("AH30.new_units", "AH26.scenario")
@pytest.mark.parametrize(
    "name", ["pikes-2", "pikes-f1", "wargs-n12", "0404", "leader-horde", "march", "n", "left", "wargs", "ben"]
)
def test_no_two_things_come_to_have_one_name(tmp_path: Path, name: str) -> None:
    """Nor may anything be called as a unit that is made in play, a hex, or a word that is said in actions."""
    error = complaint(written(tmp_path, 'id = "winch"', f'id = "{name}"'))
    assert (problem(error).key, problem(error).values) == ("file.bad_id", {"id": repr(name)})
    assert "device[0].id" in error.place or name == "ben"


@pytest.mark.parametrize("name", ["pikes-4", "pikes-f", "orcs-n1", "wargs-1", "well"])
def test_other_names_are_taken(tmp_path: Path, name: str) -> None:
    assert started(written(tmp_path, 'id = "winch"', f'id = "{name}"')).roster.devices[0].id == name


@rule("A.mode.p1", "A.mode.p2", "AH21.modes")
@pytest.mark.parametrize(("old", "new"), [('mode = "tortoise"', 'mode = "shield-wall"')])
def test_a_mode_that_the_type_cannot_take_is_refused(tmp_path: Path, old: str, new: str) -> None:
    """Formations with Manoeuvre never take up Shield Wall."""
    assert "unit[0].mode" in complaint(written(tmp_path, old, new)).place


@rule("A.mode.p2", "A.def.modes")
def test_without_manoeuvre_there_are_two_modes_and_simple_troops_have_none(tmp_path: Path) -> None:
    error = complaint(written(tmp_path, "manoeuvre = true\n", ""))
    assert problem(error).values == {"known": ("'march'", "'shield-wall'"), "found": "'tortoise'"}
    assert "unit[0].mode" in error.place
    error = complaint(written(tmp_path, 'facing = "ne"', 'facing = "ne"\nmode = "tortoise"'))
    assert problem(error).values == {"known": ("'march'",), "found": "'tortoise'"}
    assert "unit[1].mode" in error.place


@rule("AH20.command_profile")
@pytest.mark.parametrize(("profile", "ok"), [("superior", True), ("ordinary", False), ("poor", False)])
def test_a_formation_larger_than_the_command_profile_allows_is_refused(
    tmp_path: Path, profile: str, ok: bool
) -> None:
    """Seven steps: the command profile sets the size of the largest formation that a type can have."""
    file = written(tmp_path, 'profile = "exceptional"', f'profile = "{profile}"')
    if ok:
        assert started(file).decision is not None
        return
    error = complaint(file)
    assert "unit[0].steps" in error.place
    assert problem(error).key == ("file.range" if profile == "ordinary" else "file.no_formations")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("columns = 8", "columns = 60"),
        ("rows = 6", "rows = 60"),
        ("columns = 8\nrows = 6", "columns = 40\nrows = 50"),  # 2000 hexes
        ("turns = 3", "turns = 60"),
        ("turns = 3", "turns = 1"),
        ('weather = "rain"', 'weather = ""'),
        ('weather = "rain"\n', ""),
        ('beacon = "0402"\n', ""),
        ('granary = "0404"\n', ""),
        ("difficulty = 3", "difficulty = 0"),
        ("difficulty = 3", "difficulty = 8"),
        ("points = 2", "points = 50"),
        ("range = 2", "range = 12"),
        ("command = 3", "command = 9"),
        ("steps = 7", "steps = 8"),
        ("steps = 7", "steps = 3"),
        ("steps = 2\n", "steps = 1\n"),
        ('at = ["0304", "0204"]', 'at = ["0204", "0304"]'),
        ('name = "Wargs"', 'name = "Wolves of the North"'),
    ],
)
def test_what_is_just_allowed_is_taken(tmp_path: Path, old: str, new: str) -> None:
    state = started(written(tmp_path, old, new))
    assert state.decision is not None
    assert list(FORMATIONS.invariants(state)) == []


@rule("AH26.scenario")
def test_a_hundred_and_twenty_units_are_enough(tmp_path: Path) -> None:
    def crowd(number: int) -> Path:
        hexes = ", ".join(f'"{n % 20:02}{n // 20:02}"' for n in range(number - 4))
        text = SMALL.replace("columns = 8\nrows = 6", "columns = 20\nrows = 12").replace('"0501"', hexes)
        text = text.replace('at = ["0304", "0204"]', 'at = ["0311", "0211"]')
        text = text.replace('at = ["0304", "0505"]', 'at = ["0311", "0511"]')
        (tmp_path / "crowd.toml").write_text(text, "utf-8")
        return tmp_path / "crowd.toml"

    assert started(crowd(MOST_UNITS)).decision is not None
    error = complaint(crowd(MOST_UNITS + 1))
    assert (problem(error).key, problem(error).values["most"]) == ("file.too_many_units", MOST_UNITS)


@pytest.mark.parametrize(
    ("old", "new", "line", "path"),
    [
        ("columns = 8", "columns = 8.5", "columns = 8.5", "columns"),
        ('name = "Small"', "name = 3", "name = 3", "name"),
        ("steps = 7", 'steps = "seven"', 'steps = "seven"', "unit[0].steps"),
        ("command = 3", "command = true", "command = true", "leader[0].command"),
        ("manoeuvre = true", "manoeuvre = 1", "manoeuvre = 1", "type[0].manoeuvre"),
        ("turns = 3", "turn = 3", "", ""),
        ('icon = "cavalry"\n', "", "[[type]]", "type[1]"),
        ("steps = 7\n", "", "[[unit]]", "unit[0]"),
    ],
)
def test_what_is_not_of_the_form_is_refused_with_its_place(
    tmp_path: Path, old: str, new: str, line: str, path: str
) -> None:
    file = written(tmp_path, old, new)
    error = complaint(file)
    found = re.fullmatch(r"line (\d+) \((.+)\)", error.place)
    if line:
        assert found, error.place
        assert file.read_text("utf-8").splitlines()[int(found[1]) - 1] == line
        assert found[2] == path


def test_what_is_no_scenario_at_all() -> None:
    error = complaint("cannae")
    assert problem(error).key == "file.named"
    assert DEFAULT_SCENARIO in problem(error).values["known"]  # type: ignore[operator]
    assert problem(complaint("/nowhere/at/all.toml")).key == "os.ENOENT"


def test_what_is_no_toml(tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_text("name = \n", "utf-8")
    assert problem(complaint(file)).key == "file.not_toml"
    file.write_bytes(b"name = '\xff'\n")
    assert problem(complaint(file)).key == "file.not_utf8"


def test_armies_cannot_be_given() -> None:
    with pytest.raises(BadFile) as bad:
        FORMATIONS.configure(armies=["mine", "yours"])
    assert problem(bad.value).key == "file.no_armies"
    setup = FORMATIONS.configure()
    with pytest.raises(BadFile) as bad:
        FORMATIONS.validate(Setup(setup.scenario, ({},), setup.options))
    assert problem(bad.value).key == "file.no_armies"


def test_the_set_up_of_a_record_is_checked_again(tmp_path: Path) -> None:
    setup = FORMATIONS.configure(str(written(tmp_path)))
    assert FORMATIONS.validate(setup) == setup
    for change in ({"columns": 1}, {"beacon": "9999"}, {"unit": []}):
        with pytest.raises(BadFile):
            FORMATIONS.validate(Setup({**setup.scenario, **change}, (), setup.options))
    with pytest.raises(BadFile) as bad:
        FORMATIONS.validate(Setup(setup.scenario, (), {"magic": True}))
    assert problem(bad.value).key == "file.one_of"


def test_every_complaint_has_a_sentence_in_every_language() -> None:
    keys = {f"file.{fault[4]}" for fault in FAULTS} | {"file.named", "file.no_armies", "file.too_many_units"}
    keys |= {"file.both_sides", "file.difficult", "file.no_formations"}
    for lang in LANGS:
        missing = [key for key in keys if key not in HOME.messages[lang]]
        assert not missing
