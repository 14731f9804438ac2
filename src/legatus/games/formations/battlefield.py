"""House rules: a scenario and options become the set-up of a match, and that its roster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

from msgspec import UNSET, Struct

from ...kernel import Message, Option, Setup
from ...kernel.rulebook import folder
from ...parts.hexes import CORNERS, Grid, grid
from ...parts.scenarios import Scenarios, ScenarioSource
from ...scene.model import ICONS
from .forming import modes_of
from .naming import MADE
from .state import (
    CAPACITIES,
    CHARACTER,
    CLASSES,
    CLEAR,
    DIFFICULT,
    FORMATION,
    GROUND,
    LARGEST,
    LIMIT,
    MARCH,
    MAX_HEXES,
    MAX_KINDS,
    MAX_SIDE,
    MODES,
    MORALES,
    MOVES,
    NOBODY,
    POSITIONS,
    ROUGH,
    SEATS,
    SIMPLE,
    SMALLEST,
    WEATHERS,
    WHOLE,
    Device,
    Piece,
    Prize,
    Roster,
    Rules,
    Type,
    Wing,
)
from .units import points_per_step

HOME = folder(__file__)
DEFAULT_SCENARIO = "beacon"
EDITION = 2  # of the rulebook
OPTIONS = (
    Option("fire", "A.set_fire.option"),
    Option("stakes", "A.plant_stakes.option"),
)
MOST_HEXES, MOST_UNITS = MAX_HEXES, 120
LEADER = "leader"  # the type of all characters


class TypeEntry(Struct, frozen=True, forbid_unknown_fields=True):
    key: str
    side: str
    name: str
    icon: str
    name_fr: str = ""
    small: bool = False
    capacity: str = "ordinary"
    weapon: str = ""
    morale: str = "steady"
    move: str = "foot"
    range: int = 0
    profile: str = "poor"
    manoeuvre: bool = False
    regeneration: bool = False
    special: str = ""


class WingEntry(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    side: str
    name: str
    name_fr: str = ""


class LeaderEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """AH28.characters: without a wing he is the commander in chief."""

    id: str
    side: str
    name: str
    command: int
    at: str
    name_fr: str = ""
    wing: str = ""


class UnitEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """Simple troops, one at each hex; or, as a formation, one at both."""

    type: str
    wing: str
    steps: int
    at: tuple[str, ...]
    formation: bool = False
    mode: str = MODES[MARCH]
    facing: str = ""  # empty: towards the enemy's edge
    position: str = POSITIONS[GROUND]  # AH25.special_positions


class DeviceEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """AH31.devices."""

    id: str
    name: str
    at: str
    difficulty: int
    points: int
    name_fr: str = ""


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    columns: int
    rows: int
    type: tuple[TypeEntry, ...]
    wing: tuple[WingEntry, ...]
    leader: tuple[LeaderEntry, ...]
    unit: tuple[UnitEntry, ...]
    name_fr: str = ""
    text: str = ""
    text_fr: str = ""
    turns: int = 12
    lead: int = 5
    weather: str = ""  # empty: by dice
    rough: tuple[str, ...] = ()
    difficult: tuple[str, ...] = ()
    inflammable: tuple[str, ...] = ()
    indoor: tuple[str, ...] = ()
    beacon: str = ""
    granary: str = ""
    sources: dict[str, str] = {}  # A.reload.source.1: a hex by side; without one the commander in chief
    device: tuple[DeviceEntry, ...] = ()
    options: dict[str, Any] = {}
    edition: int = 1


# --- checks --------------------------------------------------------------------------------------


def _check(plan: Scenario, source: ScenarioSource) -> None:
    """Everything is on the map and fits, and everybody is of a type and a wing that there is."""
    source.map_size(plan.columns, plan.rows, 3, MAX_SIDE, MOST_HEXES)
    for what in ("turns", "lead"):
        source.in_range(what, getattr(plan, what), 1, 60)
    for what in ("type", "wing", "device"):
        source.in_range(what, len(getattr(plan, what)), 0, MAX_KINDS)
    for what in ("rough", "difficult", "inflammable", "indoor"):
        source.in_range(what, len(getattr(plan, what)), 0, MOST_HEXES)
    source.one_of("weather", plan.weather, ("", *WEATHERS))
    cells = grid(plan.columns, plan.rows).cells
    for what in ("rough", "difficult", "inflammable", "indoor"):
        for name in getattr(plan, what):
            source.on_map(what, name, cells)
    for what in ("beacon", "granary"):
        if getattr(plan, what):
            source.on_map(what, getattr(plan, what), cells)
    for side, name in plan.sources.items():
        source.one_of(f"sources.{side}", side, SEATS)
        source.on_map(f"sources.{side}", name, cells)
    _check_names(plan, source, cells)
    for n, kind in enumerate(plan.type):
        _check_type(kind, f"type[{n}]", source)
    for n, wing in enumerate(plan.wing):
        source.one_of(f"wing[{n}].side", wing.side, SEATS)
    for n, device in enumerate(plan.device):
        source.on_map(f"device[{n}].at", device.at, cells)
        source.in_range(f"device[{n}].difficulty", device.difficulty, 0, 8)
        source.in_range(f"device[{n}].points", device.points, 0, 50)
    _check_leaders(plan, source, cells)
    _check_units(plan, source, cells)


def _check_names(plan: Scenario, source: ScenarioSource, cells: Collection[str]) -> None:
    """No two things come to have one name, and none that of a hex or of a word of the game."""
    types = {kind.key for kind in plan.type}
    words = {key.removeprefix("name.") for key in HOME.messages["en"].sentences if key.startswith("name.")}
    numbered = {ident for ident, (unit, _) in zip(_ids(plan), _each(plan), strict=True) if ident != unit.type}
    ids = {*words, *cells, *numbered, *(_leader_type(side).key for side in (0, 1))}
    named = [
        *((f"type[{n}].key", kind.key) for n, kind in enumerate(plan.type)),
        *((f"wing[{n}].id", wing.id) for n, wing in enumerate(plan.wing)),
        *((f"device[{n}].id", device.id) for n, device in enumerate(plan.device)),
        *((f"leader[{n}].id", leader.id) for n, leader in enumerate(plan.leader)),
    ]
    for where, ident in named:
        if (made := MADE.fullmatch(ident)) and made[1] in types:  # so units are called that are made in play
            ids.add(ident)
        source.new_id(where, ident, ids)


def _check_type(kind: TypeEntry, where: str, source: ScenarioSource) -> None:
    source.one_of(f"{where}.side", kind.side, SEATS)
    source.one_of(f"{where}.capacity", kind.capacity, list(CAPACITIES))
    source.one_of(f"{where}.profile", kind.profile, list(CAPACITIES))
    source.one_of(f"{where}.weapon", kind.weapon, CLASSES)
    source.one_of(f"{where}.morale", kind.morale, list(MORALES))
    source.one_of(f"{where}.move", kind.move, [move for move in MOVES if move != "character"])
    source.one_of(f"{where}.icon", kind.icon, ICONS)
    source.in_range(f"{where}.range", kind.range, 0, 12)
    source.one_of(f"{where}.special", kind.special, ("", *POSITIONS[GROUND + 1 :]))


def _check_leaders(plan: Scenario, source: ScenarioSource, cells: Collection[str]) -> None:
    wings = {wing.id: wing.side for wing in plan.wing}
    seen: set[tuple[str, str]] = set()
    for n, leader in enumerate(plan.leader):
        where = f"leader[{n}]"
        source.one_of(f"{where}.side", leader.side, SEATS)
        own = [wing for wing, side in wings.items() if side == leader.side]
        source.one_of(f"{where}.wing", leader.wing, ["", *own])
        source.in_range(f"{where}.command", leader.command, 0, 9)
        source.on_map(f"{where}.at", leader.at, cells)
        if (leader.side, leader.wing) in seen:
            raise source.bad(f"{where}.wing", Message("file.two_leaders"))
        seen.add((leader.side, leader.wing))
    missing = [wing for wing, side in wings.items() if (side, wing) not in seen]
    missing += [side for side in SEATS if (side, "") not in seen]
    if missing:
        raise source.bad("leader", Message("file.no_leader", {"missing": tuple(missing)}))


def _check_units(plan: Scenario, source: ScenarioSource, cells: Collection[str]) -> None:
    types = {kind.key: kind for kind in plan.type}
    wings = {wing.id: wing.side for wing in plan.wing}
    loads: Counter[str] = Counter()
    holders: dict[str, str] = {}
    for n, unit in enumerate(plan.unit):
        where = f"unit[{n}]"
        source.one_of(f"{where}.type", unit.type, list(types))
        kind = types[unit.type]
        source.one_of(f"{where}.wing", unit.wing, [wing for wing, side in wings.items() if side == kind.side])
        source.one_of(f"{where}.facing", unit.facing, ("", *CORNERS))
        special = (kind.special,) if kind.special and not unit.formation else ()
        source.one_of(f"{where}.position", unit.position, (POSITIONS[GROUND], *special))
        for name in unit.at:
            source.on_map(f"{where}.at", name, cells)
        _check_shape(plan, unit, _type(kind), where, source)
        for name in unit.at:
            if holders.setdefault(name, kind.side) != kind.side:  # AH7.move
                raise source.bad(f"{where}.at", Message("file.both_sides", {"hex": name}))
            loads[name] += unit.steps * (1 if unit.formation else points_per_step(_type(kind)))
            if loads[name] > LIMIT:
                raise source.bad(f"{where}.at", Message("file.overstacked", {"hex": name}))
    if sum(len(unit.at) for unit in plan.unit) > MOST_UNITS:
        raise source.bad("unit", Message("file.too_many_units", {"most": MOST_UNITS}))
    if set(holders.values()) != set(SEATS):
        raise source.bad("unit", Message("file.two_armies"))


def _check_shape(plan: Scenario, unit: UnitEntry, kind: Type, where: str, source: ScenarioSource) -> None:
    """A.def.steps A.mode.p1 A.mode.p2; of a formation AH2.footprint AH7.move AH20.command_profile too."""
    source.one_of(f"{where}.mode", unit.mode, MODES)
    if not unit.formation:
        source.in_range(f"{where}.steps", unit.steps, 1, WHOLE)
        source.one_of(f"{where}.mode", unit.mode, (MODES[MARCH],))
        return
    if not LARGEST[kind.profile]:
        raise source.bad(f"{where}.steps", Message("file.no_formations", {"profile": kind.profile}))
    source.in_range(f"{where}.steps", unit.steps, SMALLEST, LARGEST[kind.profile])
    source.one_of(f"{where}.mode", unit.mode, [MODES[mode] for mode in modes_of(kind)])
    if not _is_line(plan, unit.at, _facing(plan, unit)):
        raise source.bad(f"{where}.at", Message("file.no_line"))
    for name in unit.at:
        if name in plan.difficult:
            raise source.bad(f"{where}.at", Message("file.difficult", {"hex": name}))


def _is_line(plan: Scenario, at: tuple[str, ...], facing: int) -> bool:
    """AH2.footprint: two hexes beside each other across the facing, the left one first."""
    if len(at) != 2:
        return False
    field = grid(plan.columns, plan.rows)
    return field.neighbours[field.cells[at[0]]][(facing + 2) % 6] == field.cells[at[1]] or (
        field.neighbours[field.cells[at[1]]][(facing + 2) % 6] == field.cells[at[0]]
    )


def _facing(plan: Scenario, unit: UnitEntry) -> int:
    if unit.facing:
        return CORNERS.index(unit.facing)
    side = next(wing.side for wing in plan.wing if wing.id == unit.wing)
    return CORNERS.index("n" if side == SEATS[0] else "s")


BATTLES = Scenarios(HOME, Scenario, _check, OPTIONS, DEFAULT_SCENARIO, EDITION)


# --- rosters -------------------------------------------------------------------------------------


def enlist(setup: Setup) -> Roster:
    """The map, the types, the wings and all units."""
    plan = BATTLES.plan(setup)
    field = grid(plan.columns, plan.rows)
    cells = field.cells
    terrain = [CLEAR] * field.size
    for kind, names in ((ROUGH, plan.rough), (DIFFICULT, plan.difficult)):
        for name in names:
            terrain[cells[name]] = kind
    types = (*(_type(entry) for entry in plan.type), *(_leader_type(side) for side in (0, 1)))
    wings = tuple(Wing(w.id, SEATS.index(w.side), w.name, w.name_fr or w.name) for w in plan.wing)
    return Roster(
        types=types,
        wings=wings,
        pieces=(*_leaders(plan, field, types), *_units(plan, field, types, wings)),
        columns=plan.columns,
        rows=plan.rows,
        terrain=tuple(terrain),
        inflammable=tuple(cells[name] for name in plan.inflammable),
        indoor=tuple(cells[name] for name in plan.indoor),
        sources=tuple(cells[plan.sources[seat]] if seat in plan.sources else NOBODY for seat in SEATS),
        edges=(plan.rows - 1, 0),
        weather=WEATHERS.index(plan.weather) if plan.weather else NOBODY,
        devices=tuple(
            Device(d.id, cells[d.at], d.difficulty, d.points, d.name, d.name_fr or d.name)
            for d in plan.device
        ),
        prize=Prize(
            beacon=cells[plan.beacon] if plan.beacon else NOBODY,
            granary=cells[plan.granary] if plan.granary else NOBODY,
            lead=plan.lead,
            turns=plan.turns,
        ),
        rules=Rules(fire=bool(setup.options["fire"]), stakes=bool(setup.options["stakes"])),
    )


def _type(entry: TypeEntry) -> Type:
    return Type(
        key=entry.key,
        side=SEATS.index(entry.side),
        name_en=entry.name,
        name_fr=entry.name_fr or entry.name,
        small=entry.small,
        capacity=entry.capacity,
        weapon=entry.weapon,
        morale=entry.morale,
        move=entry.move,
        range=entry.range,
        profile=entry.profile,
        manoeuvre=entry.manoeuvre,
        regeneration=entry.regeneration,
        special=entry.special or UNSET,
        icon=entry.icon,
    )


def _leader_type(side: int) -> Type:
    """AH28.characters: small, of Superior capacity and no class."""
    return Type(
        key=f"{LEADER}-{SEATS[side]}",
        side=side,
        name_en="Leader",
        name_fr="Chef",
        small=True,
        capacity="superior",
        move="character",
        character=True,
        icon="general",
    )


def _leaders(plan: Scenario, field: Grid, types: tuple[Type, ...]) -> Iterator[Piece]:
    wings = {wing.id: n for n, wing in enumerate(plan.wing)}
    for leader in plan.leader:
        side = SEATS.index(leader.side)
        yield Piece(
            id=leader.id,
            type=len(types) - 2 + side,
            wing=wings.get(leader.wing, NOBODY),
            kind=CHARACTER,
            steps=0,
            cells=(field.cells[leader.at],),
            facing=CORNERS.index("n" if side == 0 else "s"),
            command=leader.command,
            name_en=leader.name,
            name_fr=leader.name_fr or leader.name,
        )


def _units(plan: Scenario, field: Grid, types: tuple[Type, ...], wings: tuple[Wing, ...]) -> Iterator[Piece]:
    """Who stands in an occupied hex stands behind (A.def.front_behind)."""
    type_index = {kind.key: n for n, kind in enumerate(types)}
    wing_index = {wing.id: n for n, wing in enumerate(wings)}
    for depth, (ident, (unit, names)) in enumerate(zip(_ids(plan), _each(plan), strict=True), start=1):
        facing = _facing(plan, unit)
        yield Piece(
            id=ident,
            type=type_index[unit.type],
            wing=wing_index[unit.wing],
            kind=FORMATION if unit.formation else SIMPLE,
            steps=unit.steps,
            cells=_left_first(field, tuple(field.cells[name] for name in names), facing),
            facing=facing,
            mode=MODES.index(unit.mode),
            position=POSITIONS.index(unit.position),
            depth=depth,
        )


def _ids(plan: Scenario) -> list[str]:
    """Of all units: the key of the type, and a number where there are several."""
    keys = [unit.type for unit, _ in _each(plan)]
    totals, numbers = Counter(keys), Counter[str]()
    ids = []
    for key in keys:
        numbers[key] += 1
        ids.append(key if totals[key] == 1 else f"{key}-{numbers[key]}")
    return ids


def _each(plan: Scenario) -> Iterator[tuple[UnitEntry, tuple[str, ...]]]:
    """Every unit, with the hexes in which it stands."""
    for unit in plan.unit:
        for names in [unit.at] if unit.formation else [(name,) for name in unit.at]:
            yield unit, names


def _left_first(field: Grid, cells: tuple[int, ...], facing: int) -> tuple[int, ...]:
    if len(cells) == 2 and field.neighbours[cells[0]][(facing + 2) % 6] != cells[1]:
        return (cells[1], cells[0])
    return cells
