"""6 The map, 7 Units and set-up: the figures of the inventory; the free set-up; the vanguard."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from legatus.games.metaurus import METAURUS
from legatus.games.metaurus.facing import Turning
from legatus.games.metaurus.setup import Deployment, Spot
from legatus.games.metaurus.state import CARTHAGE, HORSE, ROME, SEATS, MetaurusState
from legatus.games.metaurus.turn import FirstChoice
from legatus.kernel import Scripted, start
from legatus.parts.hexes import CORNERS
from tests.rules import rule

from .stage import decision, do, facing, index, legal_lines, place, refusals, run, told

COLUMNS, ROWS = 22, 16
Hexes = list[list[int]]

# MH1.map, as [column, row]
FORESTS: Hexes = [[0, 8], [1, 8], [0, 9], [1, 9], [11, 8], [12, 8], [11, 9], [20, 9], [21, 9], [20, 10]]
FORESTS += [[21, 10], [8, 13], [9, 13], [14, 13]]

# MH9.oob: (group, arm, morale, move) and MH10.setup: where they stand, as [column, row]
ARMIES: dict[str, dict[tuple[str, str, int, int], Hexes]] = {
    "carthage": {
        ("white", "EL", 5, 4): [[7, 7]],
        ("white", "HI", 7, 4): [[2, 6], [3, 6], [4, 6], [5, 6], [6, 6], [7, 6]],
        ("white", "HI", 8, 4): [[3, 5], [4, 5], [5, 5], [6, 5]],
        ("white", "CAV", 6, 7): [[0, 5], [1, 5], [0, 6], [1, 6]],
        ("white", "LI", 5, 5): [[3, 7], [5, 7]],
        ("yellow", "MI", 6, 4): [[8, 6], [9, 6], [10, 6], [11, 6], [12, 6], [9, 5], [10, 5]],
        ("yellow", "LI", 5, 5): [[9, 7], [11, 7]],
        ("green", "MI", 5, 4): [
            *([14, 6], [15, 6], [16, 6], [17, 6], [18, 6], [19, 6]),
            *([15, 5], [16, 5], [17, 5]),
        ],
    },
    "rome": {
        ("red", "LEGION", 7, 4): [
            *([2, 11], [3, 11], [4, 11], [5, 11], [6, 11], [7, 11], [8, 11]),
            *([2, 12], [3, 12], [4, 12], [5, 12], [6, 12], [7, 12], [8, 12]),
        ],
        ("red", "CAV", 6, 7): [[0, 11], [1, 11]],
        ("orange", "LEGION", 7, 4): [
            *([9, 11], [10, 11], [11, 11], [12, 11], [13, 11]),
            *([9, 12], [10, 12], [11, 12], [12, 12], [13, 12]),
        ],
        ("orange", "CAV", 5, 7): [[14, 11], [14, 12]],
        ("purple", "LEGION", 8, 5): [[15, 11], [16, 11], [17, 11], [18, 11], [15, 12], [16, 12]],
        ("purple", "CAV", 7, 7): [[20, 12], [21, 12]],
    },
}


@cache
def opening(scenario: str) -> MetaurusState:
    """A battle before its first decision."""
    dice = Scripted([] if scenario == "free" else [9, 0])
    return start(METAURUS, METAURUS.configure(scenario), dice).state  # type: ignore[no-any-return]


def name(hex_: list[int]) -> str:
    return f"{hex_[0]:02}{hex_[1]:02}"


# --- the map -------------------------------------------------------------------------------------


def height(column: int, row: int) -> int:
    """MH1.map, by hand."""
    if 5 <= row <= 6 and 15 <= column <= 19:
        return 2
    if 4 <= row <= 7 and 14 <= column <= 20:
        return 1
    return 1 if 8 <= row <= 9 and 3 <= column <= 5 else 0


def rivers() -> Iterator[tuple[str, str]]:
    """MH1.map, by hand: an even row has its southern neighbours at its own column and at the one before."""
    for row, first, last in ((2, 0, 21), (7, 13, 21)):
        for column in range(first, last + 1):
            for other in (column, column - 1) if row % 2 == 0 else (column, column + 1):
                if 0 <= other < COLUMNS:
                    yield name([column, row]), name([other, row + 1])


@rule("MH1.map")
@pytest.mark.parametrize("scenario", ["historical", "free"])
def test_the_field_is_that_of_the_rulebook(scenario: str) -> None:
    roster = opening(scenario).roster
    names = roster.grid.names
    assert names == tuple(name([column, row]) for row in range(ROWS) for column in range(COLUMNS))
    assert roster.levels == tuple(height(column, row) for row in range(ROWS) for column in range(COLUMNS))
    assert {names[cell] for cell in roster.forests} == {name(hex_) for hex_ in FORESTS}
    assert {(names[a], names[b]) for a, b in roster.rivers} == set(rivers())


@rule("MH1.map")
def test_hexes_stand_on_a_point_and_odd_rows_are_shifted_to_the_east() -> None:
    grid = opening("historical").roster.grid

    def around(hex_: str) -> list[str]:
        return [grid.names[cell] if cell >= 0 else "" for cell in grid.neighbours[grid.cells[hex_]]]

    assert around("0511") == ["0610", "0611", "0612", "0512", "0411", "0510"]  # NE, E, SE, SW, W, NW
    assert around("0510") == ["0509", "0610", "0511", "0411", "0410", "0409"]
    assert around("0000") == ["", "0100", "0001", "", "", ""]
    assert around("2115") == ["", "", "", "", "2015", "2114"]


@rule("MH1.map", "MH8.exit")
def test_the_scene_shows_ground_heights_rivers_and_the_southern_edge() -> None:
    state = opening("historical")
    scene = METAURUS.scene(state, None, "en")
    areas = {area.id: area for area in scene.areas}
    assert (areas["1605"].level, areas["1604"].level, areas["0308"].level, areas["0511"].level) == (
        2,
        1,
        1,
        0,
    )
    assert {area.id for area in scene.areas if area.ground == "forest"} == {name(hex_) for hex_ in FORESTS}
    assert {line[:2] for line in scene.lines} == set(rivers())
    assert (areas["south"].row, areas["south"].width) == (ROWS, COLUMNS)
    assert (areas["0511"].row, areas["0511"].column) == (11, 5)


# --- order of battle -----------------------------------------------------------------------------


def ranks(state: MetaurusState, side: str) -> dict[tuple[str, str, int, int], list[str]]:
    """The units of a side by group, arm and numbers, with the hexes of the historical set-up."""
    found: dict[tuple[str, str, int, int], list[str]] = {}
    for unit in state.roster.units:
        if unit.side == SEATS.index(side):
            key = (state.roster.groups[unit.group].id, unit.arm, unit.morale, unit.move)
            found.setdefault(key, []).append(state.roster.grid.names[unit.start])
    return found


@rule("MH9.oob", "M0.counters.1", "M0.counters.2")
@pytest.mark.parametrize("scenario", ["historical", "free"])
@pytest.mark.parametrize("side", SEATS)
def test_the_armies_are_those_of_the_rulebook(side: str, scenario: str) -> None:
    found = ranks(opening(scenario), side)
    assert {key: len(hexes) for key, hexes in found.items()} == {
        key: len(hexes) for key, hexes in ARMIES[side].items()
    }


@rule("MH9.oob")
def test_there_are_71_units_and_30_of_the_carthaginians_can_score() -> None:
    units = opening("historical").roster.units
    assert len(units) == 71
    assert [sum(unit.side == side for unit in units) for side in (ROME, CARTHAGE)] == [36, 35]
    assert sum(unit.side == CARTHAGE and unit.arm not in ("EL", "LI") for unit in units) == 30
    assert len({unit.id for unit in units}) == 71


@rule("MH9.oob", "M2.independent", "MH14.gauls")
@pytest.mark.parametrize("scenario", ["historical", "free"])
def test_the_groups_are_three_colours_a_side_horse_and_elephant(scenario: str) -> None:
    groups = opening(scenario).roster.groups
    found = {seat: [(g.id, g.kind) for g in groups if g.side == side] for side, seat in enumerate(SEATS)}
    assert found["rome"] == [
        ("red", "colour"),
        ("orange", "colour"),
        ("purple", "colour"),
        ("roman-horse", HORSE),
    ]
    assert found["carthage"] == [
        ("white", "colour"),
        ("yellow", "colour"),
        ("green", "colour"),
        ("punic-horse", HORSE),
        ("elephants", "elephant"),
    ]
    assert [g.id for g in groups if g.gallic] == ["green"]


@rule("M0.counters.1", "M0.counters.2")
def test_a_counter_shows_morale_and_movement() -> None:
    scene = METAURUS.scene(opening("historical"), None, "en")
    shown = {piece.id: piece.values for piece in scene.pieces}
    assert shown["nero-1"] == {"Mor": "8", "Mvt": "5"}
    assert shown["elephant"] == {"Mor": "5", "Mvt": "4"}


# --- the historical set-up -----------------------------------------------------------------------


@rule("MH10.setup")
@pytest.mark.parametrize("side", SEATS)
def test_everybody_stands_where_the_rulebook_says(side: str) -> None:
    state = opening("historical")
    wanted = {key: {name(hex_) for hex_ in hexes} for key, hexes in ARMIES[side].items()}
    assert {key: set(hexes) for key, hexes in ranks(state, side).items()} == wanted
    for unit in state.roster.units:
        assert place(state, unit.id) == state.roster.grid.names[unit.start]


@rule("MH10.setup")
def test_the_carthaginians_face_south_and_the_romans_north() -> None:
    state = opening("historical")
    found = {(unit.side, facing(state, unit.id)) for unit in state.roster.units}
    assert found == {(ROME, "n"), (CARTHAGE, "s")}


@rule("MH10.setup", "MH13.start_orders", "M0.turn")
def test_the_historical_battle_begins_with_turn_1_and_in_good_order() -> None:
    play = start(METAURUS, METAURUS.configure(), Scripted([3, 8]))
    state = play.state
    assert told(play)[0] == ("MH10.setup", "event.array")
    assert isinstance(decision(state), FirstChoice)
    assert (state.turn, state.exits, state.killed, state.links) == (1, 0, [0, 0], [])
    assert not any(state.flags + state.order + state.shown)


@rule("MH11.length", "M5.roman", "M5.carthage.1", "M5.carthage.2")
@pytest.mark.parametrize("scenario", ["historical", "free"])
def test_what_wins_and_how_long_it_may_take(scenario: str) -> None:
    goals = opening(scenario).roster.goals
    assert (goals.rome, goals.carthage, goals.exits, goals.turns) == (19, 12, 20, 12)


# --- the free set-up -----------------------------------------------------------------------------


@rule("MH15.free_setup")
def test_carthage_deploys_first_and_then_rome_and_then_the_battle_begins() -> None:
    state = opening("free")
    assert decision(state) == Deployment(CARTHAGE)
    assert (state.turn, set(state.cell)) == (0, {-3})
    state = run(state, "deploy-rest")
    assert decision(state) == Deployment(ROME)
    state = run(state, "deploy-rest", dice=[9, 0])
    assert isinstance(decision(state), FirstChoice)
    assert state.turn == 1


@rule("MH15.free_setup", "MH10.setup")
def test_the_rest_is_put_down_as_in_the_historical_set_up() -> None:
    state = run(opening("free"), "deploy-rest", "deploy-rest", dice=[9, 0])
    model = opening("historical")
    assert (state.cell, state.facing) == (model.cell, model.facing)
    assert "MH15.free_setup" in {clause for clause, _ in told(do(opening("free"), "deploy-rest"))}


@rule("MH15.free_setup", "MH4.stacking")
def test_where_somebody_stands_already_the_rest_finds_a_hex_near_by() -> None:
    state = run(opening("free"), "deploy gaul-1", "place 0707", "face nw", "deploy-rest")
    assert (place(state, "gaul-1"), facing(state, "gaul-1")) == ("0707", "nw")
    grid = state.roster.grid
    assert grid.distance(state.cell[index(state, "elephant")], grid.cells["0707"]) == 1
    assert all(3 <= grid.row(state.cell[i]) <= 7 for i in state.roster.of[CARTHAGE])
    assert len(set(state.cell)) == 35 + 1  # one in a hex, and the Romans wait


def free_scenarios() -> list[str]:
    return [name for name in METAURUS.folder.names("scenarios") if opening(name).roster.zones]


@rule("MH15.free_setup", "MH10.setup")
@pytest.mark.parametrize("scenario", METAURUS.folder.names("scenarios"))
def test_a_set_up_is_in_open_ground_and_looks_at_the_enemy(scenario: str) -> None:
    """Of every scenario, drawn up by the file or by deploy-rest: nobody in a forest, no back to the enemy."""
    state = opening(scenario)
    if scenario in free_scenarios():
        state = run(state, "deploy-rest", "deploy-rest", dice=[9, 0])
    grid, units = state.roster.grid, state.roster.units
    for i, unit in enumerate(units):
        assert state.cell[i] not in state.roster.wooded, unit.id
        assert facing(state, unit.id) == ("n" if unit.side == ROME else "s"), unit.id
    rows = [[grid.row(state.cell[i]) for i in state.roster.of[side]] for side in (ROME, CARTHAGE)]
    assert min(rows[ROME]) > max(rows[CARTHAGE])


@rule("MH15.free_setup", "M3.mv.forest_cav")
@pytest.mark.parametrize("scenario", free_scenarios())
def test_who_finds_his_place_taken_stands_near_it_but_not_ahead_of_the_line_or_in_a_forest(
    scenario: str,
) -> None:
    """Where a player has put other units himself; 0912 lies before a forest."""
    state = run(opening(scenario), "deploy-rest")
    for unit, hex_ in (("nero-horse-1", "1511"), ("livius-1", "0611"), ("livius-horse-1", "0912")):
        state = run(state, f"deploy {unit}", f"place {hex_}", "face n")
    state = run(state, "deploy-rest", dice=[9, 0])
    grid, units = state.roster.grid, state.roster.units
    for i in state.roster.of[ROME]:
        assert state.cell[i] not in state.roster.wooded, units[i].id
    moved = [i for i in state.roster.of[ROME] if state.cell[i] != units[i].start]
    displaced = {units[i].id for i in moved} - {"nero-horse-1", "livius-1", "livius-horse-1"}
    assert displaced == {units[i].id for i in state.roster.of[ROME] if units[i].start in taken(state)}
    for i in moved:
        if units[i].id in displaced:
            assert grid.row(state.cell[i]) >= grid.row(units[i].start), units[i].id
            assert grid.distance(state.cell[i], units[i].start) <= 2, units[i].id


@rule("MH15.free_setup")
@pytest.mark.parametrize("scenario", free_scenarios())
def test_nor_do_carthaginians_stand_ahead_of_their_line(scenario: str) -> None:
    state = run(opening(scenario), "deploy gaul-1", "place 0506", "face s", "deploy-rest")
    (spaniard,) = (
        i for i in state.roster.of[CARTHAGE] if state.roster.units[i].start == state.roster.grid.cells["0506"]
    )
    assert state.roster.grid.row(state.cell[spaniard]) <= 6


def taken(state: MetaurusState) -> set[int]:
    return {state.roster.grid.cells[name] for name in ("1511", "0611", "0912")}


def spot(unit: str, *before: str) -> MetaurusState:
    """A unit is about to be set down; the Carthaginians all stand if it is a Roman."""
    state = run(opening("free"), *before, f"deploy {unit}")
    assert isinstance(decision(state), Spot)
    return state


@rule("MH15.free_setup")
@pytest.mark.parametrize(
    ("unit", "before", "rows"), [("gaul-1", (), (3, 7)), ("livius-1", ("deploy-rest",), (10, 15))]
)
def test_each_side_deploys_in_its_own_rows(unit: str, before: tuple[str, ...], rows: tuple[int, int]) -> None:
    state = spot(unit, *before)
    first, last = rows
    wanted = {name([column, row]) for row in range(first, last + 1) for column in range(COLUMNS)}
    assert {line.split()[1] for line in legal_lines(state)} == wanted
    for row in range(ROWS):
        if not first <= row <= last and not (before and 5 <= row <= 7):
            assert refusals(state, f"place 00{row:02}") == ["MH15.free_setup"]


@rule("MH15.free_setup", "MH4.stacking", "MH1.map")
def test_a_hex_takes_one_unit_and_must_be_on_the_map() -> None:
    state = run(spot("gaul-1"), "place 0404", "face s", "deploy gaul-2")
    assert refusals(state, "place 0404") == ["MH4.stacking"]
    assert refusals(state, "place 0405") == []
    for hex_ in ("2205", "0416", "nowhere", "south"):
        assert refusals(state, f"place {hex_}") == ["MH1.map"]
    state = spot("livius-1", "deploy gaul-1", "place 0404", "face s", "deploy-rest")
    assert refusals(state, "place 0404") == ["MH15.free_setup", "MH4.stacking"]


@rule("MH15.free_setup", "M3.facing.2")
@pytest.mark.parametrize("corner", CORNERS)
def test_any_facing_is_allowed(corner: str) -> None:
    state = run(spot("gaul-1"), "place 0404")
    assert isinstance(decision(state), Turning)
    assert facing(state, "gaul-1") == "s"  # unless its owner says otherwise
    assert refusals(state, "face up") == ["MH2.facing"]
    after = run(state, f"face {corner}")
    assert (place(after, "gaul-1"), facing(after, "gaul-1")) == ("0404", corner)
    assert decision(after) == Deployment(CARTHAGE)


@rule("MH15.free_setup")
def test_one_takes_up_units_of_ones_own_that_are_not_deployed() -> None:
    state = run(spot("gaul-1"), "place 0404", "face s")
    assert refusals(state, "deploy gaul-1") == ["MH15.free_setup"]
    assert refusals(state, "deploy livius-1") == refusals(state, "deploy nobody") == ["MH15.free_setup"]
    assert refusals(state, "deploy gaul-2") == []
    assert refusals(state, "place 0505") == refusals(state, "done") == ["MH15.free_setup"]
    assert "deploy gaul-1" not in legal_lines(state)
    assert len(legal_lines(state)) == 34 + 1


@rule("MH15.free_setup")
def test_all_units_one_by_one() -> None:
    """Column by column, from the lowest hex on; when the last one stands it is Rome's turn."""
    state: Any = opening("free")
    for number, i in enumerate(state.roster.of[CARTHAGE]):
        assert decision(state) == Deployment(CARTHAGE)
        hex_ = name([number % COLUMNS, 3 + number // COLUMNS])
        state = run(state, f"deploy {state.roster.units[i].id}", f"place {hex_}", "face n")
    assert decision(state) == Deployment(ROME)
    assert refusals(state, "deploy gaul-1") == ["MH15.free_setup"]


@rule("MH15.free_setup")
def test_it_is_done_openly() -> None:
    state = run(spot("gaul-1"), "place 0404", "face nw")
    for seat in (ROME, CARTHAGE, None):
        assert METAURUS.view(state, seat) == state
        scene = METAURUS.scene(METAURUS.view(state, seat), seat, "en")
        assert {piece.id: piece.place for piece in scene.pieces}["gaul-1"] == "0404"
        assert {piece.place for piece in scene.pieces} == {"0404", "waiting"}


@rule("MH15.free_setup")
def test_no_battle_begins_before_all_stand() -> None:
    state = opening("free").copy()
    state.turn = 1
    assert {line.split(":")[0] for line in METAURUS.invariants(state)} == {"MH10.setup"}


# --- the vanguard --------------------------------------------------------------------------------


@rule("MH11.length")
def test_the_vanguard_is_a_smaller_battle() -> None:
    state, whole = opening("vanguard"), opening("historical")
    roster = state.roster
    assert [len(roster.of[side]) for side in (ROME, CARTHAGE)] == [8, 8]
    assert roster.grid.size < whole.roster.grid.size
    goals, usual = roster.goals, whole.roster.goals
    assert (goals.rome, goals.carthage, goals.exits, goals.turns) == (4, 4, 5, 8)
    assert goals.rome < usual.rome
    assert goals.carthage < usual.carthage
    assert goals.exits < usual.exits
    assert goals.turns < usual.turns
    assert {unit.arm for unit in roster.units} == {"EL", "CAV", "LEGION", "HI", "MI", "LI"}
    assert roster.forests
    assert roster.rivers
    assert any(roster.levels)


@rule("MH9.oob")
def test_the_units_of_the_vanguard_have_the_numbers_of_the_rulebook() -> None:
    known = {key for army in ARMIES.values() for key in army}
    for side in SEATS:
        assert set(ranks(opening("vanguard"), side)) <= known


@rule("M5.roman", "M5.carthage.1", "M5.carthage.2")
def test_the_goals_of_the_vanguard_can_be_reached() -> None:
    roster = opening("vanguard").roster
    scoring = [i for i in roster.of[CARTHAGE] if roster.units[i].arm not in ("EL", "LI")]
    assert roster.goals.rome <= len(scoring)
    assert roster.goals.carthage <= len(roster.of[ROME])
    assert roster.goals.exits <= len(roster.of[CARTHAGE])


@rule("MH10.setup")
@pytest.mark.parametrize("scenario", ["historical", "vanguard"])
def test_nobody_is_in_touch_with_an_enemy_at_the_start(scenario: str) -> None:
    state = opening(scenario)
    grid = state.roster.grid
    one, two = ([state.cell[i] for i in state.roster.of[side]] for side in (ROME, CARTHAGE))
    assert min(grid.distance(a, b) for a in one for b in two) > 1
