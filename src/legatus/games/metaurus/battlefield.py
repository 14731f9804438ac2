"""6 The map, 7 Units and set-up: a scenario and options become the set-up of a match, and that its roster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

from msgspec import Struct

from ...kernel import Message, Option, Setup
from ...kernel.fields import field_names
from ...kernel.rulebook import folder
from ...parts.hexes import CORNERS, OFF, Grid, grid
from ...parts.scenarios import Scenarios, ScenarioSource
from .state import (
    ARMS,
    CAVALRY,
    COLOUR,
    ELEPHANTS,
    HORSE,
    LEGION,
    MAX_GROUPS,
    MAX_HEXES,
    MAX_SIDE,
    MAX_UNITS,
    SEATS,
    SOUTH,
    WAITS,
    Goals,
    Group,
    Roster,
    Rules,
    Unit,
)

HOME = folder(__file__)
DEFAULT_SCENARIO = "historical"
EDITION = 2  # of the rulebook
OPTIONS = (
    Option("gauls", "MH14.gauls", False),
    Option("markers", "M2.place", "placed", ("placed", "in-force")),
    Option("engagement", "M4.crt.4_5", "lasting", ("lasting", "lifted")),
)
ROMANS = (LEGION, CAVALRY)  # M4.matrix: the arms of each side
MOST_HEXES, MOST_UNITS = MAX_HEXES, MAX_UNITS


class Band(Struct, frozen=True, forbid_unknown_fields=True):
    """Rows and columns, both ends with it.  A hill has a level; a river runs between two rows."""

    rows: tuple[int, int]
    columns: tuple[int, int]
    level: int = 1


class Forest(Struct, frozen=True, forbid_unknown_fields=True):
    hexes: tuple[str, ...]


class GroupEntry(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    side: str
    kind: str = COLOUR
    gallic: bool = False


class UnitEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """Units of one name, one at each hex."""

    key: str
    arm: str
    group: str
    name: str
    morale: int
    move: int
    facing: str
    at: tuple[str, ...]
    name_fr: str = ""


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """MH1.map MH9.oob MH10.setup: the field, both armies, and what wins."""

    name: str
    columns: int
    rows: int
    group: tuple[GroupEntry, ...]
    unit: tuple[UnitEntry, ...]
    name_fr: str = ""
    text: str = ""
    text_fr: str = ""
    turns: int = 12
    goals: dict[str, int] = {}
    hill: tuple[Band, ...] = ()
    forest: tuple[Forest, ...] = ()
    river: tuple[Band, ...] = ()
    deploy: dict[str, tuple[int, int]] = {}  # MH15.free_setup: rows by side; empty: all stand as told
    options: dict[str, Any] = {}
    edition: int = 1


# --- checks --------------------------------------------------------------------------------------


def _check(plan: Scenario, source: ScenarioSource) -> None:
    """Everything is on the map, and everybody is of an arm and a group that there is."""
    source.map_size(plan.columns, plan.rows, 2, MAX_SIDE, MOST_HEXES)
    source.in_range("turns", plan.turns, 1, 60)
    for key, value in plan.goals.items():
        source.one_of(f"goals.{key}", key, field_names(Goals)[:-1])
        source.in_range(f"goals.{key}", value, 1, MOST_UNITS)
    for what in ("hill", "river"):
        for n, band in enumerate(getattr(plan, what)):
            source.in_range(f"{what}[{n}].level", band.level, 0, 9)
            in_range = all(0 <= row < plan.rows for row in band.rows)
            if what == "river" and in_range and band.rows[1] != band.rows[0] + 1:
                raise source.bad(f"river[{n}].rows", Message("file.river_rows"))
            _check_span(source, f"{what}[{n}].rows", band.rows, plan.rows)
            _check_span(source, f"{what}[{n}].columns", band.columns, plan.columns)
    cells = grid(plan.columns, plan.rows).cells
    source.in_range("forest", sum(len(wood.hexes) for wood in plan.forest), 0, MOST_HEXES)
    source.in_range("river", len(plan.river), 0, 100)
    for n, wood in enumerate(plan.forest):
        for name in wood.hexes:
            source.on_map(f"forest[{n}].hexes", name, cells)
    for side, rows in plan.deploy.items():
        source.one_of(f"deploy.{side}", side, SEATS)
        _check_span(source, f"deploy.{side}", rows, plan.rows)
    if plan.deploy and len(plan.deploy) < len(SEATS):
        raise source.bad("deploy", Message("file.both_deploy"))
    zones = sorted(plan.deploy.values())
    if zones and zones[0][1] >= zones[1][0]:
        raise source.bad("deploy", Message("file.zones_overlap"))
    _check_groups(plan, source)
    _check_units(plan, source, cells)


def _check_span(source: ScenarioSource, where: str, ends: tuple[int, int], most: int) -> None:
    """From the lower to the higher, both on the map."""
    for end in ends:
        source.in_range(where, end, 0, most - 1)
    source.in_range(where, ends[1], ends[0], most - 1)


def _check_groups(plan: Scenario, source: ScenarioSource) -> None:
    seen: set[str] = set()
    source.in_range("group", len(plan.group), 0, MAX_GROUPS)
    for n, group in enumerate(plan.group):
        where = f"group[{n}]"
        source.one_of(f"{where}.side", group.side, SEATS)
        source.one_of(f"{where}.kind", group.kind, (COLOUR, HORSE, ELEPHANTS))
        source.new_id(f"{where}.id", group.id, seen)


def _check_units(plan: Scenario, source: ScenarioSource, cells: Collection[str]) -> None:
    sides = {group.id: group.side for group in plan.group if group.kind == COLOUR}
    names = {*(group.id for group in plan.group), *cells, SOUTH, WAITS}
    taken: set[str] = set()
    for n, unit in enumerate(plan.unit):
        where = f"unit[{n}]"
        source.one_of(f"{where}.group", unit.group, list(sides))
        own = ROMANS if sides[unit.group] == SEATS[0] else tuple(arm for arm in ARMS if arm != LEGION)
        source.one_of(f"{where}.arm", unit.arm, own)
        source.one_of(f"{where}.facing", unit.facing, CORNERS)
        source.in_range(f"{where}.morale", unit.morale, 0, 9)
        source.in_range(f"{where}.move", unit.move, 1, 20)
        for ident in dict.fromkeys((unit.key, *_ids(unit))):
            source.new_id(f"{where}.key", ident, names)
        for name in unit.at:
            source.on_map(f"{where}.at", name, cells)
            if name in taken:
                raise source.bad(f"{where}.at", Message("file.hex_taken", {"hex": name}))
            taken.add(name)
    if len(taken) > MOST_UNITS:
        raise source.bad("unit", Message("file.too_many_units", {"most": MOST_UNITS}))
    counts = Counter(sides[unit.group] for unit in plan.unit for _ in unit.at)
    if len(counts) < len(SEATS):
        raise source.bad("unit", Message("file.two_armies"))
    for side, (first, last) in plan.deploy.items():
        if (last - first + 1) * plan.columns < counts[side]:
            raise source.bad(f"deploy.{side}", Message("file.no_room", {"units": counts[side]}))


def _ids(entry: UnitEntry) -> list[str]:
    """Its key, and a number where there are several."""
    if len(entry.at) == 1:
        return [entry.key]
    return [f"{entry.key}-{n}" for n in range(1, len(entry.at) + 1)]


BATTLES = Scenarios(HOME, Scenario, _check, OPTIONS, DEFAULT_SCENARIO, EDITION)


# --- rosters -------------------------------------------------------------------------------------


def enlist(setup: Setup) -> Roster:
    """The map and all units, Rome's first."""
    plan = BATTLES.plan(setup)
    field = grid(plan.columns, plan.rows)
    groups = tuple(Group(g.id, SEATS.index(g.side), g.kind, g.gallic) for g in plan.group)
    units = sorted(_units(plan, groups, field), key=lambda unit: unit.side)
    options = setup.options
    zones = tuple(plan.deploy[seat] for seat in SEATS) if plan.deploy else ()
    return Roster(
        units=tuple(units),
        groups=groups,
        columns=plan.columns,
        rows=plan.rows,
        levels=_levels(plan, field),
        forests=tuple(field.cells[name] for wood in plan.forest for name in wood.hexes),
        rivers=tuple(_hexsides(plan, field)),
        goals=Goals(**plan.goals, turns=plan.turns),
        rules=Rules(
            gauls=bool(options["gauls"]),
            all_markers=options["markers"] == "in-force",
            lifted=options["engagement"] == "lifted",
        ),
        zones=zones,
    )


def _units(plan: Scenario, groups: tuple[Group, ...], field: Grid) -> Iterator[Unit]:
    numbers = {group.id: n for n, group in enumerate(groups)}
    for entry in plan.unit:
        group = numbers[entry.group]
        for n, (ident, name) in enumerate(zip(_ids(entry), entry.at, strict=True), start=1):
            yield Unit(
                id=ident,
                side=groups[group].side,
                arm=entry.arm,
                group=group,
                morale=entry.morale,
                move=entry.move,
                name_en=entry.name,
                name_fr=entry.name_fr or entry.name,
                number=0 if len(entry.at) == 1 else n,
                start=field.cells[name],
                facing=CORNERS.index(entry.facing),
            )


def _levels(plan: Scenario, field: Grid) -> tuple[int, ...]:
    """MH1.map: the highest hill that covers a hex counts."""
    levels = [0] * field.size
    for cell in range(field.size):
        for hill in plan.hill:
            if _covers(hill, field.row(cell), field.column(cell)):
                levels[cell] = max(levels[cell], hill.level)
    return tuple(levels)


def _covers(band: Band, row: int, column: int) -> bool:
    return band.rows[0] <= row <= band.rows[1] and band.columns[0] <= column <= band.columns[1]


def _hexsides(plan: Scenario, field: Grid) -> Iterator[tuple[int, int]]:
    """MH1.map: all sides between the hexes of one row and their neighbours in the next."""
    for river in plan.river:
        north, south = river.rows
        for column in range(river.columns[0], river.columns[1] + 1):
            cell = north * field.columns + column
            for to in field.neighbours[cell]:
                if to != OFF and field.row(to) == south:
                    yield cell, to
