"""House rules: a scenario and options become the set-up of a match, and that its roster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from ...kernel import BadFile, Message, Option, Setup
from ...kernel.files import Source, parse_toml, read_text
from ...kernel.model import settle
from ...kernel.muster import ScenarioCard
from ...kernel.rulebook import folder
from ...parts.hexes import CORNERS, Grid, grid
from ...scene.model import ICONS
from .state import (
    CAPACITIES,
    CHARACTER,
    CLASSES,
    CLEAR,
    DIFFICULT,
    FORMATION,
    LIMIT,
    MARCH,
    MODES,
    MORALES,
    MOVES,
    NOBODY,
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
    points_per_step,
)

HOME = folder(__file__)
DEFAULT_SCENARIO = "beacon"
OPTIONS = (
    Option("fire", "A.set_fire.option"),
    Option("stakes", "A.plant_stakes.option"),
)
MOST_HEXES, MOST_UNITS = 2_000, 120
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


# --- set-ups -------------------------------------------------------------------------------------


def configure(scenario: str | None = None, options: Mapping[str, Any] | None = None) -> Setup:
    """Look a scenario up, fill in defaults, check everything; a BadFile says what is wrong."""
    raw, source = _read(scenario or DEFAULT_SCENARIO)
    plan = source.take(raw, Scenario)
    _check(plan, source)
    below = settle(OPTIONS, plan.options, source)
    settled = settle(OPTIONS, options or {}, _source("options"), below)
    return Setup(msgspec.json.decode(msgspec.json.encode(plan)), (), settled)


def validate(setup: Setup) -> Setup:
    """The set-up of a record, checked anew."""
    source = _source("scenario")
    plan = source.take(setup.scenario, Scenario)
    _check(plan, source)
    if setup.armies:
        raise BadFile("armies", "", Message("file.no_armies"), HOME.messages)
    settled = settle(OPTIONS, setup.options, _source("options"))
    return Setup(msgspec.json.decode(msgspec.json.encode(plan)), (), settled)


def _source(file: str, text: str = "") -> Source:
    return Source(file, text, HOME.messages)


def _read(name: str) -> tuple[dict[str, Any], Source]:
    known = HOME.names("scenarios")
    path = str(known.get(name, name if name.endswith(".toml") else ""))
    if not path:
        raise BadFile(name, "", Message("file.named", {"known": tuple(known)}), HOME.messages)
    text = read_text(path)
    return parse_toml(text, path), _source(path, text)


@cache
def scenarios(lang: str) -> tuple[ScenarioCard, ...]:
    """The battles that there are, the sheet's companion first."""
    names = sorted(HOME.names("scenarios"), key=lambda name: (name != DEFAULT_SCENARIO, name))
    plans = {name: msgspec.convert(_read(name)[0], Scenario) for name in names}
    french = lang == "fr"
    return tuple(
        ScenarioCard(
            key,
            (french and plan.name_fr) or plan.name,
            (french and plan.text_fr) or plan.text,
        )
        for key, plan in plans.items()
    )


# --- checks --------------------------------------------------------------------------------------


def _check(plan: Scenario, source: Source) -> None:
    """Everything is on the map and fits, and everybody is of a type and a wing that there is."""
    for what, low in (("columns", 3), ("rows", 3), ("turns", 1), ("lead", 1)):
        _in_range(source, what, getattr(plan, what), low, 60)
    if plan.columns * plan.rows > MOST_HEXES:
        raise source.bad("columns", Message("file.too_many_hexes", {"most": MOST_HEXES}))
    source.one_of("weather", plan.weather, ("", *WEATHERS))
    cells = grid(plan.columns, plan.rows).cells
    for what in ("rough", "difficult", "inflammable", "indoor"):
        for name in getattr(plan, what):
            _on_map(source, what, name, cells)
    for what in ("beacon", "granary"):
        if getattr(plan, what):
            _on_map(source, what, getattr(plan, what), cells)
    for side, name in plan.sources.items():
        source.one_of(f"sources.{side}", side, SEATS)
        _on_map(source, f"sources.{side}", name, cells)
    ids = _check_names(plan, source)
    for n, device in enumerate(plan.device):
        _on_map(source, f"device[{n}].at", device.at, cells)
        _in_range(source, f"device[{n}].difficulty", device.difficulty, 0, 8)
        _in_range(source, f"device[{n}].points", device.points, 0, 50)
        _new_id(source, f"device[{n}].id", device.id, ids)
    _check_leaders(plan, source, cells, ids)
    _check_units(plan, source, cells)


def _check_names(plan: Scenario, source: Source) -> set[str]:
    ids: set[str] = set(SEATS)
    for n, kind in enumerate(plan.type):
        where = f"type[{n}]"
        _new_id(source, f"{where}.key", kind.key, ids)
        source.one_of(f"{where}.side", kind.side, SEATS)
        source.one_of(f"{where}.capacity", kind.capacity, list(CAPACITIES))
        source.one_of(f"{where}.profile", kind.profile, list(CAPACITIES))
        source.one_of(f"{where}.weapon", kind.weapon, CLASSES)
        source.one_of(f"{where}.morale", kind.morale, list(MORALES))
        source.one_of(f"{where}.move", kind.move, [move for move in MOVES if move != "character"])
        source.one_of(f"{where}.icon", kind.icon, ICONS)
        _in_range(source, f"{where}.range", kind.range, 0, 12)
    for n, wing in enumerate(plan.wing):
        _new_id(source, f"wing[{n}].id", wing.id, ids)
        source.one_of(f"wing[{n}].side", wing.side, SEATS)
    return ids


def _check_leaders(plan: Scenario, source: Source, cells: Mapping[str, int], ids: set[str]) -> None:
    wings = {wing.id: wing.side for wing in plan.wing}
    seen: set[tuple[str, str]] = set()
    for n, leader in enumerate(plan.leader):
        where = f"leader[{n}]"
        _new_id(source, f"{where}.id", leader.id, ids)
        source.one_of(f"{where}.side", leader.side, SEATS)
        own = [wing for wing, side in wings.items() if side == leader.side]
        source.one_of(f"{where}.wing", leader.wing, ["", *own])
        _in_range(source, f"{where}.command", leader.command, 0, 9)
        _on_map(source, f"{where}.at", leader.at, cells)
        if (leader.side, leader.wing) in seen:
            raise source.bad(f"{where}.wing", Message("file.two_leaders"))
        seen.add((leader.side, leader.wing))
    missing = [wing for wing, side in wings.items() if (side, wing) not in seen]
    missing += [side for side in SEATS if (side, "") not in seen]
    if missing:
        raise source.bad("leader", Message("file.no_leader", {"missing": tuple(missing)}))


def _check_units(plan: Scenario, source: Source, cells: Mapping[str, int]) -> None:
    types = {kind.key: kind for kind in plan.type}
    wings = {wing.id: wing.side for wing in plan.wing}
    loads: Counter[str] = Counter()
    for n, unit in enumerate(plan.unit):
        where = f"unit[{n}]"
        source.one_of(f"{where}.type", unit.type, list(types))
        own = [wing for wing, side in wings.items() if side == types[unit.type].side]
        source.one_of(f"{where}.wing", unit.wing, own)
        source.one_of(f"{where}.facing", unit.facing, ("", *CORNERS))
        source.one_of(f"{where}.mode", unit.mode, MODES)
        for name in unit.at:
            _on_map(source, f"{where}.at", name, cells)
        low, high = (SMALLEST, LIMIT) if unit.formation else (1, WHOLE)
        _in_range(source, f"{where}.steps", unit.steps, low, high)
        facing = _facing(plan, unit)
        if unit.formation and not _is_line(plan, unit.at, facing):
            raise source.bad(f"{where}.at", Message("file.no_line"))
        for name in unit.at:
            each = 1 if unit.formation else points_per_step(_type(types[unit.type]))
            loads[name] += each * unit.steps
            if loads[name] > LIMIT:
                raise source.bad(f"{where}.at", Message("file.overstacked", {"hex": name}))
    if sum(len(unit.at) for unit in plan.unit) > MOST_UNITS:
        raise source.bad("unit", Message("file.too_many_units", {"most": MOST_UNITS}))
    if {types[unit.type].side for unit in plan.unit if unit.at} != set(SEATS):
        raise source.bad("unit", Message("file.two_armies"))


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


def _new_id(source: Source, where: str, ident: str, ids: set[str]) -> None:
    if ident in ids or not ident.replace("-", "").isalnum():
        raise source.bad(where, Message("file.bad_id", {"id": repr(ident)}))
    ids.add(ident)


def _in_range(source: Source, where: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise source.bad(where, Message("file.range", {"low": low, "high": high, "found": value}))


def _on_map(source: Source, where: str, name: str, cells: Mapping[str, int]) -> None:
    if name not in cells:
        raise source.bad(where, Message("file.no_such_hex", {"hex": repr(name)}))


# --- rosters -------------------------------------------------------------------------------------


def enlist(setup: Setup) -> Roster:
    """The map, the types, the wings and all units."""
    plan = msgspec.convert(setup.scenario, Scenario)
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
    """Ids by type and number; who stands in an occupied hex stands behind (A.def.front_behind)."""
    type_index = {kind.key: n for n, kind in enumerate(types)}
    wing_index = {wing.id: n for n, wing in enumerate(wings)}
    totals = Counter(unit.type for unit in plan.unit for _ in ((0,) if unit.formation else unit.at))
    numbers: Counter[str] = Counter()
    depth = 0
    for unit in plan.unit:
        facing = _facing(plan, unit)
        groups = [unit.at] if unit.formation else [(name,) for name in unit.at]
        for names in groups:
            numbers[unit.type] += 1
            depth += 1
            single = totals[unit.type] == 1
            yield Piece(
                id=unit.type if single else f"{unit.type}-{numbers[unit.type]}",
                type=type_index[unit.type],
                wing=wing_index[unit.wing],
                kind=FORMATION if unit.formation else SIMPLE,
                steps=unit.steps,
                cells=_left_first(field, tuple(field.cells[name] for name in names), facing),
                facing=facing,
                mode=MODES.index(unit.mode),
                depth=depth,
            )


def _left_first(field: Grid, cells: tuple[int, ...], facing: int) -> tuple[int, ...]:
    if len(cells) == 2 and field.neighbours[cells[0]][(facing + 2) % 6] != cells[1]:
        return (cells[1], cells[0])
    return cells
