"""Scenario files: the table, its terrain and structures, and both armies; troop types from ``units.toml``."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from msgspec import Struct
from shapely import get_coordinates, union_all

from ...kernel import Message, Option, Setup
from ...kernel.files import read_toml
from ...kernel.rulebook import folder
from ...parts.plane import FULL, TOLERANCE, Pose, Size, at, grown
from ...parts.scenarios import Scenarios, ScenarioSource
from .design import Design, DesignSource, lay_out, read_fortress, ready
from .fortress import Fortress, check, made_of, placed
from .sorts import CORNER, MATERIALS
from .state import (
    BARRICADE,
    BRIDGE_STONE,
    BRIDGE_WOOD,
    CALTROPS,
    FORMATIONS,
    GROUNDS,
    KINDS,
    NOBODY,
    SEATS,
    TRAITS,
    TRENCH,
    VILLAGE,
    WATCHTOWER,
    Goals,
    Ground,
    Keep,
    Kind,
    Roster,
    Rules,
    Structure,
    Unit,
)

HOME = folder(__file__)
DEFAULT_SCENARIO = "skirmish"
OPTIONS = (
    Option("rivers", "O3.river.scenario", "closed", ("closed", "open")),
    Option("attacker_losses", "O7.victory.defender.losses", "units", ("units", "points")),
)
SIZES = {  # OH.piece.1 OH.piece.4: in hundredths of a DU
    BRIDGE_WOOD: Size(88, 144),
    BRIDGE_STONE: Size(88, 144),
    VILLAGE: Size(176, 176),
    WATCHTOWER: Size(88, 88),
    TRENCH: Size(176, 44),
    BARRICADE: Size(176, 22),
    CALTROPS: Size(176, 44),
}
GENERALS = {"standard": (6, 10), "scipio": (7, 20), "hannibal": (8, 25)}  # OH.general.1
DEPTH = 300  # OH.field.2
MOST_UNITS, MOST_PIECES, MOST_RAMS = 60, 80, 6
DEFENDER = 1


class KindEntry(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    icon: str
    melee: tuple[int, int]
    defence: tuple[int, int]
    move: int
    morale: int
    life: int
    points: int
    ranged: int | None = None
    short: float = 0
    long: float = 0
    traits: tuple[str, ...] = ()
    formations: tuple[str, ...] = ()


class KindFile(Struct, frozen=True, forbid_unknown_fields=True):
    kind: tuple[KindEntry, ...]


class GroundEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A rectangle (``at``, ``size``, ``turn``) or any outline, in DU."""

    id: str
    kind: str
    at: tuple[float, float] | None = None
    size: tuple[float, float] | None = None
    turn: float = 0
    outline: tuple[tuple[float, float], ...] = ()
    name: str = ""
    name_fr: str = ""


class StructureEntry(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    kind: str
    at: tuple[float, float]
    turn: float = 0
    size: tuple[float, float] | None = None
    owner: str = ""
    name: str = ""
    name_fr: str = ""


class FortressEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """O7.deploy.fortress: where the middle of the defender's fortress is and where its front looks to.

    Its design is one that comes with the game, or it is written out.
    """

    at: tuple[float, float]
    design: str = ""
    plan: Design | None = None
    turn: float = 180
    material: str = ""  # instead of that of the design


class UnitEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """Units of one kind; with places (``x, y, turn``) they stand there, else their player deploys them."""

    kind: str
    count: int = 1
    general: bool = False
    at: tuple[tuple[float, float, float], ...] = ()


class ArmyEntry(Struct, frozen=True, forbid_unknown_fields=True):
    side: str
    unit: tuple[UnitEntry, ...]
    general: str = "standard"


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """OH.field.1 OH.field.2 OH.army.1: the table, what lies on it, who fights."""

    name: str
    army: tuple[ArmyEntry, ...]
    size: tuple[float, float] = (20, 18)
    ground: tuple[GroundEntry, ...] = ()
    structure: tuple[StructureEntry, ...] = ()
    fortress: FortressEntry | None = None
    rams: int = 0
    decks: int = 2
    points: int = 0
    name_fr: str = ""
    text: str = ""
    text_fr: str = ""
    options: dict[str, Any] = {}


@cache
def kinds() -> dict[str, Kind]:
    """OH.unit.1: the troop types by their ids."""
    file = read_toml(HOME.path / "data" / "units.toml", KindFile)
    return {entry.id: _kind(entry) for entry in file.kind}


def _kind(entry: KindEntry) -> Kind:
    return Kind(
        id=entry.id,
        melee=entry.melee,
        defence=entry.defence,
        move=entry.move,
        morale=entry.morale,
        life=entry.life,
        points=entry.points,
        icon=entry.icon,
        ranged=-9 if entry.ranged is None else entry.ranged,
        short=round(entry.short * 100),
        long=round(entry.long * 100),
        traits=frozenset(trait for trait in entry.traits if trait in TRAITS),
        formations=tuple(FORMATIONS.index(name) for name in entry.formations),
    )


# --- checks --------------------------------------------------------------------------------------


def _check(plan: Scenario, source: ScenarioSource) -> None:
    width, height = (round(side * 100) for side in plan.size)
    source.in_range("size", width, 700, 6000)
    source.in_range("size", height, 700, 6000)
    source.in_range("decks", plan.decks, 1, 9)
    taken: set[str] = {*SEATS, *kinds()}
    for n, ground in enumerate(plan.ground):
        where = f"ground[{n}]"
        source.new_id(f"{where}.id", ground.id, taken)
        source.one_of(f"{where}.kind", ground.kind, GROUNDS)
        if not ground.outline and (ground.at is None or ground.size is None):
            raise source.bad(where, Message("file.no_outline"))
        if ground.outline:
            source.in_range(f"{where}.outline", len(ground.outline), 3, 60)
    for n, structure in enumerate(plan.structure):
        where = f"structure[{n}]"
        source.new_id(f"{where}.id", structure.id, taken)
        source.one_of(f"{where}.kind", structure.kind, KINDS)
        if structure.owner:
            source.one_of(f"{where}.owner", structure.owner, SEATS)
        elif structure.kind == TRENCH:
            raise source.bad(f"{where}.owner", Message("file.trench_owner"))
    source.in_range("structure", len(plan.structure) + len(plan.ground), 0, MOST_PIECES)
    if plan.fortress is not None:
        _check_fortress(plan.fortress, source)
    source.in_range("rams", plan.rams, 0, MOST_RAMS)
    sides = [army.side for army in plan.army]
    if sorted(sides) != sorted(SEATS):
        raise source.bad("army", Message("file.two_armies"))
    for n, army in enumerate(plan.army):
        _check_army(source, f"army[{n}]", army)


def _check_fortress(entry: FortressEntry, source: ScenarioSource) -> None:
    """O7.design.continuity O7.design.gate O7.design.material: a design that nothing is against."""
    if bool(entry.design) == (entry.plan is not None):
        raise source.bad("fortress", Message("file.design_or_plan"))
    if entry.design:
        source.one_of("fortress.design", entry.design, tuple(ready()))
    if entry.material:
        source.one_of("fortress.material", entry.material, MATERIALS)
    for problem in check(_fortress(entry)):
        raise source.bad(f"fortress.{problem.place}", Message(problem.refusal.key, problem.refusal.values))


def _fortress(entry: FortressEntry) -> Fortress:
    """O7.deploy.fortress: the fortress in its place."""
    if entry.plan is not None:
        fortress = lay_out(entry.plan, DesignSource("fortress", "", HOME.messages))
    else:
        fortress = read_fortress(entry.design)
    if entry.material:
        fortress = made_of(fortress, entry.material)
    return placed(fortress, _pose(*entry.at, entry.turn))


def _check_army(source: ScenarioSource, where: str, army: ArmyEntry) -> None:
    source.one_of(f"{where}.general", army.general, tuple(GENERALS))
    count = 0
    for k, unit in enumerate(army.unit):
        place = f"{where}.unit[{k}]"
        source.one_of(f"{place}.kind", unit.kind, tuple(kinds()))
        source.in_range(f"{place}.count", unit.count, 1, MOST_UNITS)
        if unit.at:
            source.in_range(f"{place}.at", len(unit.at), unit.count, unit.count)
        count += unit.count
    source.in_range(f"{where}.unit", count, 1, MOST_UNITS)
    if sum(unit.general for unit in army.unit) != 1:
        raise source.bad(f"{where}.unit", Message("file.one_general"))


BATTLES = Scenarios(HOME, Scenario, _check, OPTIONS, DEFAULT_SCENARIO)


# --- rosters -------------------------------------------------------------------------------------


def _pose(x: float, y: float, turn: float) -> Pose:
    return Pose(round(x * 100), round(y * 100), round(turn * 10) % FULL)


def enlist(setup: Setup) -> Roster:
    plan = BATTLES.plan(setup)
    width, height = (round(side * 100) for side in plan.size)
    armies = sorted(plan.army, key=lambda army: SEATS.index(army.side))
    units = [unit for army in armies for unit in _units(army)]
    keep, structures = _keep(_fortress(plan.fortress)) if plan.fortress else (None, ())
    return Roster(
        width=width,
        height=height,
        units=tuple(units),
        grounds=tuple(
            Ground(entry.id, entry.kind, _outline(entry), entry.name, entry.name_fr or entry.name)
            for entry in plan.ground
        ),
        structures=(*structures, *(_structure(entry) for entry in plan.structure)),
        leadership=(GENERALS[armies[0].general][0], GENERALS[armies[1].general][0]),
        zones=((0, height - DEPTH, width, DEPTH), (0, 0, width, DEPTH)),
        goals=Goals(decks=plan.decks),
        keep=keep,
        rams=plan.rams,
        rules=Rules(
            open_rivers=setup.options["rivers"] == "open",
            count_points=setup.options["attacker_losses"] == "points",
        ),
    )


def _outline(entry: GroundEntry) -> tuple[tuple[int, int], ...]:
    if entry.outline:
        return tuple((round(x * 100), round(y * 100)) for x, y in entry.outline)
    assert entry.at is not None
    assert entry.size is not None
    pose = _pose(*entry.at, entry.turn)
    half, deep = entry.size[0] * 50, entry.size[1] * 50
    corners = ((-half, deep), (half, deep), (half, -deep), (-half, -deep))
    return tuple((round(x), round(y)) for x, y in (at(pose, *corner) for corner in corners))


def _structure(entry: StructureEntry) -> Structure:
    size = SIZES[entry.kind]
    if entry.size is not None:
        size = Size(round(entry.size[0] * 100), round(entry.size[1] * 100))
    owner = SEATS.index(entry.owner) if entry.owner else NOBODY
    pose = _pose(*entry.at, entry.turn)
    return Structure(entry.id, entry.kind, pose, size, owner, entry.name, entry.name_fr or entry.name)


def _keep(fortress: Fortress) -> tuple[Keep, tuple[Structure, ...]]:
    """O7.design.continuity: the pieces of a fortress as structures, and what they enclose."""
    structures = tuple(
        Structure(
            id=piece.id,
            kind=piece.kind,
            pose=piece.pose,
            size=piece.size,
            owner=DEFENDER,
            material=piece.material,
            outline=_whole(piece.outline) if piece.kind == CORNER else (),
        )
        for piece in fortress.pieces
    )
    outer = union_all([fortress.inside, *(piece.near for piece in fortress.pieces)])
    ring = get_coordinates(grown(outer, -TOLERANCE))[:-1].tolist()
    keep = Keep(
        pieces=tuple(range(len(structures))),
        neighbours=fortress.neighbours,
        outline=_whole(ring),
        floor=_whole(fortress.floor.exterior.coords[:-1]),
    )
    return keep, structures


def _whole(points: Iterable[tuple[float, ...]]) -> tuple[tuple[int, int], ...]:
    return tuple((round(x), round(y)) for x, y in points)


def _units(army: ArmyEntry) -> list[Unit]:
    side = SEATS.index(army.side)
    lead = GENERALS[army.general][0]
    counts: dict[str, int] = {}
    found = []
    for entry in army.unit:
        for n in range(entry.count):
            number = counts[entry.kind] = counts.get(entry.kind, 0) + 1
            start = _pose(*entry.at[n]) if entry.at else None
            leads = lead if entry.general and n == 0 else 0
            ident = f"{'ad'[side]}-{entry.kind}-{number}"
            found.append(Unit(ident, side, kinds()[entry.kind], number, leads, start))
    return found
