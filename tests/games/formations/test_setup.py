"""24 The scenario: The Beacon and the Granary has the figures of the rulebook and of the inventory."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from legatus.games.formations import FORMATIONS
from legatus.games.formations.state import (
    CHARACTER,
    FORMATION,
    GROUND,
    NOBODY,
    SEATS,
    SIMPLE,
    TERRAINS,
    WEATHERS,
    FormationsState,
)
from legatus.games.formations.turn import FirstChoice
from legatus.games.formations.units import cells_of, distance, kind_of, on_map, troops
from legatus.kernel import Scripted, start
from tests.rules import rule

from .stage import decision, facing, index, marks, mode, pile, place, told

# AH26.scenario, by hand
ROUGH = {"0405", "0505", "0704", "0706", "0806", "0906", "0307"}
WOOD = {"0105", "0106", "0206", "1105", "1205", "1206"}
LEADERS = {  # id: (side, wing, command value, hex)
    "marshal": ("league", "", 2, "0610"),
    "aldric": ("league", "boar", 1, "0309"),
    "berta": ("league", "heron", 1, "0809"),
    "warlord": ("horde", "", 1, "0601"),
    "ugrak": ("horde", "black", 1, "0302"),
    "skarn": ("horde", "red", 1, "0902"),
}
TYPES: dict[str, tuple[str, bool, str, str, str, str, int, str, str]] = {
    # key: (side, small, capacity, class, morale, movement, range, faculty, command profile)
    "spearmen": ("league", False, "ordinary", "", "steady", "foot", 0, "manoeuvre", "superior"),
    "guard": ("league", False, "superior", "", "elite", "heavy-foot", 0, "manoeuvre", "superior"),
    "archers": ("league", False, "mediocre", "", "steady", "foot", 4, "", "mediocre"),
    "foresters": ("league", True, "superior", "", "steady", "foot", 3, "", "poor"),
    "orcs": ("horde", False, "ordinary", "", "steady", "foot", 0, "", "ordinary"),
    "goblins": ("horde", True, "poor", "", "fragile", "foot", 3, "", "poor"),
    "wolf-riders": ("horde", False, "mediocre", "bestial", "fragile", "mounted", 0, "", "poor"),
    "troll": ("horde", False, "superior", "monstrous", "steady", "monster", 0, "regeneration", "poor"),
    "drake": ("horde", False, "exceptional", "dragon", "elite", "monster", 0, "", "poor"),
}
UNITS: list[tuple[str, str, int, str]] = [  # wing, type, steps, hexes
    *(("boar", "spearmen", 2, hex_) for hex_ in ("0209", "0309", "0409", "0509")),
    *(("boar", "spearmen", 1, "0310"),) * 2,
    ("heron", "guard", 6, "0709+0809"),
    ("heron", "guard", 2, "0809"),
    ("heron", "archers", 2, "1009"),
    ("heron", "archers", 2, "1109"),
    ("heron", "foresters", 2, "1208"),
    *(("black", "orcs", 2, hex_) for hex_ in ("0202", "0302", "0402", "0502", "0401")),
    ("black", "goblins", 2, "0103"),
    ("black", "goblins", 2, "0603"),
    ("red", "wolf-riders", 2, "0902"),
    ("red", "wolf-riders", 2, "1002"),
    ("red", "troll", 2, "0802"),
    ("red", "drake", 2, "1102"),
]
INVENTORY = Path(__file__).resolve().parents[4] / "shared" / "rules" / "formations.yaml"


@cache
def opening() -> FormationsState:
    play = start(FORMATIONS, FORMATIONS.configure(), Scripted([6, 6, 1, 1]))
    return play.state  # type: ignore[no-any-return]


def described(state: FormationsState, i: int) -> tuple[str, str, int, str]:
    wing = state.roster.wings[state.wing[i]].id
    return wing, kind_of(state, i).key, state.steps[i], place(state, state.ids[i])


# --- by the rulebook -----------------------------------------------------------------------------


@rule("AH26.scenario", "A.def.terrain")
def test_the_map() -> None:
    roster = opening().roster
    names = roster.grid.names
    assert (roster.columns, roster.rows) == (14, 12)
    assert (names[0], names[-1], len(names)) == ("0000", "1311", 168)
    found = {
        kind: {names[c] for c, t in enumerate(roster.terrain) if TERRAINS[t] == kind} for kind in TERRAINS
    }
    assert (found["rough"], found["difficult"]) == (ROUGH, WOOD)
    assert {names[cell] for cell in roster.inflammable} == WOOD | {"0608"}
    assert {names[cell] for cell in roster.indoor} == {"1300"}
    assert (names[roster.prize.beacon], names[roster.prize.granary]) == ("0706", "0608")


@rule("AH26.scenario", "AH27.victory", "AH24.weather")
def test_its_length_weather_edges_and_sources() -> None:
    state = opening()
    roster = state.roster
    assert (
        roster.prize.turns,
        roster.prize.lead,
        roster.prize.beacon_points,
        roster.prize.granary_points,
    ) == (
        12,
        5,
        5,
        4,
    )
    assert WEATHERS[state.weather] == WEATHERS[roster.weather] == "fair"
    assert roster.edges == (11, 0)
    assert roster.sources == (NOBODY, NOBODY)
    assert roster.devices == ()
    card = FORMATIONS.scenarios("en")[0]
    assert (card.key, card.name) == ("beacon", "The Beacon and the Granary")


@rule("AH26.scenario", "AH28.characters", "A.def.cinc")
def test_the_characters() -> None:
    state = opening()
    found = {}
    for i, piece in enumerate(state.roster.pieces):
        if piece.kind == CHARACTER:
            wing = state.roster.wings[piece.wing].id if piece.wing >= 0 else ""
            found[piece.id] = (SEATS[state.side[i]], wing, piece.command, place(state, piece.id))
            kind = kind_of(state, i)
            assert (kind.small, kind.capacity, kind.weapon, kind.move) == (True, "superior", "", "character")
    assert found == LEADERS
    assert [state.ids[c] for c in state.roster.chiefs] == ["marshal", "warlord"]
    assert [state.ids[c] for c in state.roster.leaders] == ["aldric", "berta", "ugrak", "skarn"]


@rule("AH26.scenario", "A.def.type_wing", "A.def.size", "A.def.faculties", "A.def.weapon_class")
@pytest.mark.parametrize("key", TYPES)
def test_the_types(key: str) -> None:
    roster = opening().roster
    kind = roster.types[roster.type_index[key]]
    faculty = "manoeuvre" if kind.manoeuvre else "regeneration" if kind.regeneration else ""
    assert not (kind.manoeuvre and kind.regeneration)
    shown = (
        kind.small,
        kind.capacity,
        kind.weapon,
        kind.morale,
        kind.move,
        kind.range,
        faculty,
        kind.profile,
    )
    assert (SEATS[kind.side], *shown) == TYPES[key]


@rule("AH26.scenario", "A.def.steps", "A.def.kinds")
def test_the_units() -> None:
    state = opening()
    found = [described(state, i) for side in (0, 1) for i in troops(state, side)]
    assert sorted(found) == sorted(UNITS)
    assert {kind for i, kind in enumerate(state.kind) if state.steps[i] > 2} == {FORMATION}
    assert [state.ids[i] for i, kind in enumerate(state.kind) if kind == FORMATION] == ["guard-1"]
    assert sum(kind == SIMPLE for kind in state.kind) == len(UNITS) - 1


@rule("AH26.scenario", "AH21.modes", "A.def.front_behind")
def test_the_guard() -> None:
    state = opening()
    assert (place(state, "guard-1"), mode(state, "guard-1")) == ("0709+0809", "march")
    assert [name for name in pile(state, "0809") if name != "berta"] == ["guard-1", "guard-2"]


@rule("AH26.scenario", "A.def.orientation")
def test_the_league_faces_north_and_the_horde_south() -> None:
    state = opening()
    assert {facing(state, state.ids[i]) for i in troops(state, 0)} == {"n"}
    assert {facing(state, state.ids[i]) for i in troops(state, 1)} == {"s"}


@rule("AH26.scenario", "AH27.victory")
def test_the_steps_with_which_they_begin() -> None:
    assert opening().roster.total == (24, 22)


@rule("AH25.special_positions", "A.def.position")
def test_all_units_are_on_the_ground() -> None:
    assert set(opening().position) == {GROUND}


@rule("AH26.scenario", "AH3.turn")
def test_the_battle_begins_with_the_initiative_of_turn_1() -> None:
    play = start(FORMATIONS, FORMATIONS.configure(), Scripted([3, 3, 3, 4, 1, 1, 1, 3]))  # 8:8, then 4:5
    state = play.state
    assert decision(state) == FirstChoice(1)
    assert (state.turn, state.beacon, state.burnt) == (1, NOBODY, False)
    assert [key for _, key in told(play)] == ["event.weather", "event.turn", *["event.initiative"] * 2]
    assert all(marks(state, name) == set() for name in state.ids)
    assert not any(state.instruction + state.fire + state.given)
    assert list(FORMATIONS.invariants(state)) == []


@rule("AH26.scenario", "AH8.engage")
def test_nobody_is_in_touch_at_the_start() -> None:
    state = opening()
    assert min(distance(state, i, j) for i in on_map(state, 0) for j in on_map(state, 1)) > 3


@rule("A.def.sheet", "A.set_fire.option", "A.plant_stakes.option")
def test_the_options_are_on_unless_somebody_says_otherwise() -> None:
    assert FORMATIONS.configure().options == {"fire": True, "stakes": True}
    state = start(FORMATIONS, FORMATIONS.configure(fire=False), Scripted([6, 6, 1, 1])).state
    assert (state.roster.rules.fire, state.roster.rules.stakes) == (False, True)


# --- by the inventory ----------------------------------------------------------------------------


@cache
def listed() -> dict[str, Any]:
    """The table of AH26.scenario in the inventory, as text in braces: one entry a unit."""
    text = INVENTORY.read_text("utf-8")
    begin = text.index("- id: AH26.scenario")
    block = text[begin : text.index("- id: AH27.victory")]
    units = [
        dict(re.findall(r"(\w+): (\[\[.*?\]\]|\[.*?\]|[\w ]+)", entry))
        for entry in re.findall(r"- \{(id: .*)\}", block)
    ]
    people = [
        (name, pos, int(command))
        for name, pos, command in re.findall(r"\{name: (\w+), pos: (\[.*?\]), command: (\d)\}", block)
    ]
    ground = {key: hexes(value) for key, value in re.findall(r"(\w+): (\[.*\])\n", block)}
    return {"units": units, "people": people, "ground": ground}


def hexes(text: str) -> list[str]:
    return [f"{int(column):02}{int(row):02}" for column, row in re.findall(r"\[(\d+), (\d+)\]", text)]


needs_inventory = pytest.mark.skipif(not INVENTORY.is_file(), reason="the inventory is not here")


@rule("AH26.scenario")
@needs_inventory
def test_the_units_are_those_of_the_inventory() -> None:
    state = opening()
    found = []
    for unit in listed()["units"]:
        key = {"Wolf riders": "wolf-riders", "Wingless drake": "drake"}.get(
            unit["type"], unit["type"].lower()
        )
        kind = state.roster.types[state.roster.type_index[key]]
        assert kind.small == (unit["size"] == "small")
        assert kind.capacity == unit["capacity"].lower()
        assert kind.weapon == unit["class"].lower().replace("none", "")
        assert kind.morale == unit["morale"].lower()
        assert kind.move == unit["move"].replace("_", "-")
        assert kind.range == int(unit.get("range", 0))
        assert kind.profile == unit["command_profile"].lower()
        assert kind.manoeuvre == ("Manoeuvre" in unit.get("faculties", ""))
        assert kind.regeneration == ("Regeneration" in unit.get("faculties", ""))
        found.append((key, int(unit["steps"]), "+".join(hexes(unit["pos"]))))
    mine = [described(state, i)[1:] for side in (0, 1) for i in troops(state, side)]
    assert len(found) == len(UNITS)
    assert sorted(found) == sorted(mine)


@rule("AH26.scenario")
@needs_inventory
def test_the_characters_are_those_of_the_inventory() -> None:
    state = opening()
    wanted = {name.lower(): (hexes(pos)[0], command) for name, pos, command in listed()["people"]}
    assert wanted == {
        name: (place(state, name), state.roster.pieces[index(state, name)].command) for name in LEADERS
    }


@rule("AH26.scenario")
@needs_inventory
def test_the_ground_is_that_of_the_inventory() -> None:
    ground = listed()["ground"]
    assert set(ground["rough"]) == ROUGH
    assert set(ground["difficult_inflammable_wood"]) == WOOD
    assert ground["clear_inflammable_granary"] == ["0608"]
    assert ground["indoor"] == ["1300"]
    assert ground["beacon"] == ["0706"]


@rule("AH2.footprint")
def test_the_formation_of_the_scenario_stands_square_to_its_facing() -> None:
    state = opening()
    left, right = cells_of(state, index(state, "guard-1"))
    assert state.roster.grid.neighbours[left][1] == right  # to the east: it faces north
