"""Scenario files: the map, the commands, the peoples and the house figures become the roster of a match."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

from msgspec import Struct

from ...kernel import Message, Option, Setup
from ...kernel.rulebook import folder
from ...parts.hexes import Grid, grid
from ...parts.scenarios import Scenarios, ScenarioSource
from .setup import START_STACK
from .state import (
    BARBARIAN,
    CLEAR,
    CLOSED,
    FOREST,
    MARKERS,
    MAX_HEXES,
    MOUNTAIN,
    NEUTRAL,
    NOBODY,
    ROMAN,
    SEATS,
    STACK,
    City,
    Command,
    People,
    Roster,
    Rules,
    Unit,
    Values,
)

HOME = folder(__file__)
DEFAULT_SCENARIO = "gaul"
EDITION = 2  # of the rulebook
OPTIONS = (
    Option("supply", "JH.25_0", False),
    Option("crises", "JH.23_0", False),
    Option("field_armies", "JC.important", "three", ("three", "three-or-more")),
)
GROUND = {"c": CLEAR, "f": FOREST, "m": MOUNTAIN, "s": CLOSED, "x": CLOSED}
GAUL, OUTSIDE, NO_LAND = "G", "B", "-"
FEDERATE_SIDE = "federate"
GARRISON = "garrison"
LEADER_MOVES = (5, 4)  # JH.units
MOST_HEXES, MOST_UNITS, MOST_TURNS = MAX_HEXES, 300, 40


class Leader(Struct, frozen=True, forbid_unknown_fields=True):
    """The first one of a command begins; another takes his place in his turn (JH.leaders)."""

    id: str
    name: str
    bonus: int
    name_fr: str = ""
    turn: int = 0


class Kind(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    side: str
    combat: int
    move: int
    cost: int = 0


class CommandEntry(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    side: str
    name: str
    start: tuple[str, ...]
    units: dict[str, int]
    on_map: dict[str, int]
    leader: tuple[Leader, ...]
    name_fr: str = ""
    home_rows: tuple[int, int] | None = None


class PeopleEntry(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    home: str
    units: dict[str, int]
    name_fr: str = ""


class CityEntry(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    at: str
    value: int
    holder: str


class Garrisons(Struct, frozen=True, forbid_unknown_fields=True):
    count: int
    at: tuple[str, ...]


class Figures(Struct, frozen=True, forbid_unknown_fields=True):
    """The house figures, as they are written."""

    turns: int
    year: int
    treasury: int
    marker_price: int
    tax_divisor: int
    raising: tuple[tuple[tuple[str, ...], ...], ...]
    bands: tuple[int, int, int, int]
    sudden_turn: int
    sudden_cities: tuple[str, ...]
    capital: str
    restless: str
    most_plunder: int = 12


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """JH.scenario JH.map JH.units JH.commands JH.6_0."""

    name: str
    terrain: tuple[str, ...]
    region: tuple[str, ...]
    values: Figures
    pool: dict[str, int]
    kind: tuple[Kind, ...]
    city: tuple[CityEntry, ...]
    command: tuple[CommandEntry, ...]
    garrisons: Garrisons
    people: tuple[PeopleEntry, ...] = ()
    roads: tuple[tuple[str, ...], ...] = ()
    name_fr: str = ""
    text: str = ""
    text_fr: str = ""
    options: dict[str, Any] = {}
    edition: int = 1


# --- checks --------------------------------------------------------------------------------------


def _check(plan: Scenario, source: ScenarioSource) -> None:
    """Everything is on the map, and all that is named is known."""
    field = _check_map(plan, source)
    taken = {*field.cells, *SEATS, *MARKERS}
    kinds = {kind.id: kind for kind in plan.kind}
    for n, kind in enumerate(plan.kind):
        where = f"kind[{n}]"
        source.new_id(f"{where}.id", kind.id, taken)
        source.one_of(f"{where}.side", kind.side, (*SEATS, FEDERATE_SIDE))
        source.in_range(f"{where}.combat", kind.combat, 1, 20)
        source.in_range(f"{where}.move", kind.move, 0, 20)
        source.in_range(f"{where}.cost", kind.cost, 0, 100)
    source.one_of("kind", GARRISON, tuple(kinds))
    open_cells = [name for name, cell in field.cells.items() if _ground(plan, field, cell) != CLOSED]
    cities = _check_cities(plan, source, taken, open_cells)
    _check_commands(plan, source, taken, kinds, open_cells, field)
    _check_peoples(plan, source, taken, kinds, open_cells)
    _check_garrisons(plan, source)
    _check_unit_ids(plan, source, taken)
    for key, number in plan.pool.items():
        source.one_of(f"pool.{key}", key, MARKERS)
        source.in_range(f"pool.{key}", number, 0, 50)
    _check_figures(plan, source, cities, kinds)


def _check_map(plan: Scenario, source: ScenarioSource) -> Grid:
    rows, columns = len(plan.terrain), len(plan.terrain[0]) if plan.terrain else 0
    for what in ("terrain", "region"):
        lines = getattr(plan, what)
        source.in_range(what, len(lines), rows, rows)
        for line in lines:
            source.in_range(what, len(line), columns, columns)
            for letter in line:
                source.one_of(what, letter, tuple(GROUND) if what == "terrain" else (GAUL, OUTSIDE, NO_LAND))
    source.in_range("terrain", rows * columns, 2, MOST_HEXES)
    field = grid(columns, rows)
    source.in_range("roads", len(plan.roads), 0, MOST_HEXES)
    for n, chain in enumerate(plan.roads):
        source.in_range(f"roads[{n}]", len(chain), 0, MOST_HEXES)
        for name in chain:
            source.on_map(f"roads[{n}]", name, field.cells)
        for a, b in pairwise(chain):
            if field.distance(field.cells[a], field.cells[b]) != 1:
                raise source.bad(f"roads[{n}]", Message("file.road_gap", {"hex": a, "next": b}))
    return field


def _check_cities(
    plan: Scenario, source: ScenarioSource, taken: set[str], open_cells: list[str]
) -> tuple[str, ...]:
    places: set[str] = set()
    for n, city in enumerate(plan.city):
        where = f"city[{n}]"
        source.new_id(f"{where}.id", city.id, taken)
        source.on_map(f"{where}.at", city.at, open_cells)
        source.one_of(f"{where}.holder", city.holder, SEATS)
        source.in_range(f"{where}.value", city.value, 1, 20)
        if city.at in places:
            raise source.bad(f"{where}.at", Message("file.hex_taken", {"hex": city.at}))
        places.add(city.at)
    return tuple(city.id for city in plan.city)


def _check_counts(
    source: ScenarioSource, where: str, counts: dict[str, int], kinds: dict[str, Kind], side: str
) -> None:
    own = tuple(kind.id for kind in kinds.values() if kind.side == side and kind.id != GARRISON)
    for key, number in counts.items():
        source.one_of(f"{where}.{key}", key, own)
        source.in_range(f"{where}.{key}", number, 0, 30)


def _check_commands(
    plan: Scenario,
    source: ScenarioSource,
    taken: set[str],
    kinds: dict[str, Kind],
    open_cells: list[str],
    field: Grid,
) -> None:
    for n, command in enumerate(plan.command):
        where = f"command[{n}]"
        source.new_id(f"{where}.id", command.id, taken)
        source.one_of(f"{where}.side", command.side, SEATS)
        for name in command.start:
            source.on_map(f"{where}.start", name, open_cells)
        _check_counts(source, f"{where}.units", command.units, kinds, command.side)
        for key, number in command.on_map.items():
            source.in_range(f"{where}.on_map.{key}", number, 0, command.units.get(key, 0))
        room = START_STACK * len(set(command.start))
        source.in_range(f"{where}.on_map", sum(command.on_map.values()), 1, room)
        source.in_range(f"{where}.leader", len(command.leader), 1, 2)
        for later, leader in enumerate(command.leader):
            source.new_id(f"{where}.leader", leader.id, taken)
            source.in_range(f"{where}.leader", leader.bonus, 0, 1)
            source.in_range(f"{where}.leader", leader.turn, later, MOST_TURNS if later else 0)
        if command.side == SEATS[BARBARIAN]:
            first, last = command.home_rows or (0, NOBODY)
            source.in_range(f"{where}.home_rows", first, 0, field.rows - 1)
            source.in_range(f"{where}.home_rows", last, first, field.rows - 1)
            if not _home(plan, field, command):
                raise source.bad(f"{where}.home_rows", Message("file.no_home"))
    counts = Counter(command.side for command in plan.command)
    if any(not counts[side] for side in SEATS):
        raise source.bad("command", Message("file.two_armies"))
    counted = [*(entry.units for entry in plan.command), *(entry.units for entry in plan.people)]
    total = sum(sum(units.values()) for units in counted)
    source.in_range("command", total, 1, MOST_UNITS)
    starts = Counter(name for command in plan.command for name in set(command.start))
    homes = {people.home for people in plan.people}
    for n, command in enumerate(plan.command):
        for name in command.start:
            if starts[name] > 1 or name in homes:
                raise source.bad(f"command[{n}].start", Message("file.hex_taken", {"hex": name}))


def _check_peoples(
    plan: Scenario, source: ScenarioSource, taken: set[str], kinds: dict[str, Kind], open_cells: list[str]
) -> None:
    homes: set[str] = set()
    for n, people in enumerate(plan.people):
        where = f"people[{n}]"
        source.new_id(f"{where}.id", people.id, taken)
        source.on_map(f"{where}.home", people.home, open_cells)
        _check_counts(source, f"{where}.units", people.units, kinds, FEDERATE_SIDE)
        source.in_range(f"{where}.units", sum(people.units.values()), 1, STACK)
        if people.home in homes:
            raise source.bad(f"{where}.home", Message("file.hex_taken", {"hex": people.home}))
        homes.add(people.home)


def _check_garrisons(plan: Scenario, source: ScenarioSource) -> None:
    """JH.setup: each in a Roman city of its own, where nobody else begins but Romans."""
    source.in_range("garrisons.count", plan.garrisons.count, len(plan.garrisons.at), 50)
    cities = tuple(city.at for city in plan.city if city.holder == SEATS[ROMAN])
    barbarians = [command for command in plan.command if command.side == SEATS[BARBARIAN]]
    filled = {people.home for people in plan.people} | {at for entry in barbarians for at in entry.start}
    for name in plan.garrisons.at:
        source.one_of("garrisons.at", name, cities)
        if name in filled:
            raise source.bad("garrisons.at", Message("file.hex_taken", {"hex": name}))
        filled.add(name)


def _check_unit_ids(plan: Scenario, source: ScenarioSource, taken: set[str]) -> None:
    """No unit comes to have the id of something else."""
    groups = [(f"command[{n}].id", entry.id, entry.units) for n, entry in enumerate(plan.command)]
    groups += [(f"people[{n}].id", entry.id, entry.units) for n, entry in enumerate(plan.people)]
    kinds = [
        (where, f"{key}-{kind}", number) for where, key, units in groups for kind, number in units.items()
    ]
    for where, key, number in (*kinds, ("garrisons.count", GARRISON, plan.garrisons.count)):
        for n in range(1, number + 1):
            source.new_id(where, f"{key}-{n}", taken)


def _check_figures(
    plan: Scenario, source: ScenarioSource, cities: tuple[str, ...], kinds: dict[str, Kind]
) -> None:
    values = plan.values
    for key, low, high in (
        ("turns", 1, MOST_TURNS),
        ("treasury", 0, 100),
        ("marker_price", 0, 50),
        ("tax_divisor", 1, 20),
        ("sudden_turn", 1, MOST_TURNS),
        ("most_plunder", 0, 1000),
    ):
        source.in_range(f"values.{key}", getattr(values, key), low, high)
    source.in_range("values.year", values.year, -9_999, 9_999)
    for band in values.bands:
        source.in_range("values.bands", band, -1_000, 1_000)
    for key in values.sudden_cities:
        source.one_of("values.sudden_cities", key, cities)
    source.one_of("values.capital", values.capital, cities)
    romans = tuple(command.id for command in plan.command if command.side == SEATS[0])
    source.one_of("values.restless", values.restless, romans)
    source.in_range("values.raising", len(values.raising), 6, 6)
    own = tuple(kind.id for kind in kinds.values() if kind.side == SEATS[BARBARIAN])
    for lots in values.raising:
        source.in_range("values.raising", len(lots), 1, 5)
        for lot in lots:
            source.in_range("values.raising", len(lot), 0, 20)
            for key in lot:
                source.one_of("values.raising", key, own)
    if list(values.bands) != sorted(values.bands, reverse=True):
        raise source.bad("values.bands", Message("file.bands"))


BATTLES = Scenarios(HOME, Scenario, _check, OPTIONS, DEFAULT_SCENARIO, EDITION)


# --- rosters -------------------------------------------------------------------------------------


def _ground(plan: Scenario, field: Grid, cell: int) -> int:
    row, column = field.row(cell), field.column(cell)
    closed = plan.region[row][column] == NO_LAND
    return CLOSED if closed else GROUND[plan.terrain[row][column]]


def _home(plan: Scenario, field: Grid, command: CommandEntry) -> tuple[int, ...]:
    """JH.commands: barbarian land of its rows."""
    first, last = command.home_rows or (0, -1)
    return tuple(
        cell
        for cell in range(field.size)
        if first <= field.row(cell) <= last
        and plan.region[field.row(cell)][field.column(cell)] == OUTSIDE
        and _ground(plan, field, cell) != CLOSED
    )


def enlist(setup: Setup) -> tuple[Roster, tuple[tuple[int, int], ...]]:
    """The roster of a match, and where its garrisons stand at the beginning."""
    plan = BATTLES.plan(setup)
    field = grid(len(plan.terrain[0]), len(plan.terrain))
    units: list[Unit] = []
    commands = tuple(_command(plan, field, c, entry, units) for c, entry in enumerate(plan.command))
    kinds = {kind.id: kind for kind in plan.kind}
    first = len(units)
    _add(units, kinds[GARRISON], plan.garrisons.count, GARRISON, 0, NOBODY, NOBODY)
    garrisons = tuple((first + n, field.cells[name]) for n, name in enumerate(plan.garrisons.at))
    for p, people in enumerate(plan.people):
        for key, number in people.units.items():
            _add(units, kinds[key], number, f"{people.id}-{key}", NEUTRAL, NOBODY, p)
    options = setup.options
    rules = Rules(
        supply=options["supply"] is True,
        crises=options["crises"] is True,
        three_or_more=options["field_armies"] == "three-or-more",
    )
    roster = Roster(
        units=tuple(units),
        commands=commands,
        peoples=tuple(
            People(people.id, people.name, people.name_fr or people.name, field.cells[people.home])
            for people in plan.people
        ),
        cities=tuple(
            City(city.id, city.name, field.cells[city.at], city.value, SEATS.index(city.holder))
            for city in plan.city
        ),
        columns=field.columns,
        rows=field.rows,
        ground=tuple(_ground(plan, field, cell) for cell in range(field.size)),
        gaul=tuple(int(letter == GAUL) for line in plan.region for letter in line),
        roads=tuple(tuple(field.cells[name] for name in chain) for chain in plan.roads),
        pool=tuple(plan.pool.get(marker, 0) for marker in MARKERS),
        values=_values(plan, field),
        rules=rules,
    )
    return roster, garrisons


def _values(plan: Scenario, field: Grid) -> Values:
    values = plan.values
    cities = [city.id for city in plan.city]
    return Values(
        turns=values.turns,
        year=values.year,
        treasury=values.treasury,
        marker_price=values.marker_price,
        tax_divisor=values.tax_divisor,
        raising=values.raising,
        bands=values.bands,
        sudden_turn=values.sudden_turn,
        sudden_cities=tuple(cities.index(key) for key in values.sudden_cities),
        capital=field.cells[plan.city[cities.index(values.capital)].at],
        restless=[command.id for command in plan.command].index(values.restless),
        most_plunder=values.most_plunder,
    )


def _command(plan: Scenario, field: Grid, c: int, entry: CommandEntry, units: list[Unit]) -> Command:
    """A command; its units are added to ``units``, those that begin on the map first of each kind."""
    kinds = {kind.id: kind for kind in plan.kind}
    side = SEATS.index(entry.side)
    opening: list[int] = []
    for key, number in entry.units.items():
        start = len(units)
        _add(units, kinds[key], number, f"{entry.id}-{key}", side, c, NOBODY)
        opening += range(start, start + entry.on_map.get(key, 0))
    for n, leader in enumerate(entry.leader):
        opening += [len(units)] if not n else []
        units.append(
            Unit(
                leader.id,
                "leader",
                side,
                c,
                NOBODY,
                0,
                LEADER_MOVES[side],
                leader=True,
                bonus=leader.bonus,
                name_en=leader.name,
                name_fr=leader.name_fr or leader.name,
                follows=len(units) - 1 if n else NOBODY,
                turn=leader.turn,
            )
        )
    places = tuple(field.cells[name] for name in entry.start)
    home = _home(plan, field, entry) if side == BARBARIAN else ()
    return Command(entry.id, side, entry.name, entry.name_fr or entry.name, places, home, tuple(opening))


def _add(units: list[Unit], kind: Kind, number: int, key: str, side: int, c: int, p: int) -> None:
    """So many units of a kind."""
    for n in range(1, number + 1):
        units.append(Unit(f"{key}-{n}", kind.id, side, c, p, kind.combat, kind.move, kind.cost, number=n))
