"""Scenario files: what may stand in one, and what it makes of a table."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from typing import Any

from msgspec import Struct
from shapely import get_coordinates, union_all

from ...kernel.files import Source
from ...kernel.rulebook import folder
from ...parts.plane import FULL, TOLERANCE, UNIT, Pose, Size, at, grown
from .design import Design, DesignSource, lay_out, read_fortress
from .fortress import Fortress, made_of, placed
from .kinds import kinds
from .sorts import CORNER, RAM, price, sorts
from .state import NOBODY, SEATS, Goals, Ground, Keep, Roster, Rules, Site, Structure, Unit

HOME = folder(__file__)
STANDARD = "standard"
GENERALS = {STANDARD: (6, 10), "scipio": (7, 20), "hannibal": (8, 25)}  # OH.general.1
DEPTH = 300  # OH.field.2
BESIEGER = 800  # O7.field.minimum: so far from the walls a besieger begins
MOST_ARTILLERY, MOST_RAMS = 2, 6  # O7.points.defender-first; ours
DECKS, MANY_DECKS, FEW_POINTS = 2, 3, 1500  # O7.victory.defender.deck
DEFENDER = 1


# --- forms ---------------------------------------------------------------------------------------


class GroundEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A rectangle (``at``, ``size``, ``turn``) or any outline, in DU."""

    id: str
    kind: str
    at: tuple[float, float] | None = None
    size: tuple[float, float] | None = None
    turn: float = 0.0
    outline: tuple[tuple[float, float], ...] = ()
    name: str = ""
    name_fr: str = ""


class StructureEntry(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    kind: str
    at: tuple[float, float]
    turn: float = 0.0
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
    turn: float = 180.0
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


class GoalsEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """O7.victory.attacker.scenario: what a scenario changes about the end of a battle."""

    prize: str = ""
    defender_losses: int = 75
    attacker_losses: int = 50
    empty: bool = True


class BuildingEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """OH.army.2 OH.army.3: both sides spend points: room for the fortress, the most units a side."""

    room: tuple[float, float] = (12.0, 5.0)
    units: int = 24
    agreed: tuple[str, ...] = ()


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """O7.field.size OH.field.1 OH.field.2 OH.army.1: the table, what lies on it, who fights."""

    name: str
    army: tuple[ArmyEntry, ...] = ()
    building: BuildingEntry | None = None  # instead of armies, fortress, rams and points
    size: tuple[float, float] = (20.0, 18.0)
    ground: tuple[GroundEntry, ...] = ()
    structure: tuple[StructureEntry, ...] = ()
    fortress: FortressEntry | None = None
    rams: int = 0
    decks: int = 0  # O7.victory.defender.deck: by the size of the battle
    points: int = 0
    first: str = "attacker"  # O7.first-turn
    goals: GoalsEntry = GoalsEntry()
    name_fr: str = ""
    text: str = ""
    text_fr: str = ""
    options: dict[str, Any] = {}
    edition: int = 1


# --- what they mean ------------------------------------------------------------------------------


def pose_of(x: float, y: float, turn: float) -> Pose:
    return Pose(round(x * 100), round(y * 100), round(turn * 10) % FULL)


def outline_of(entry: GroundEntry) -> tuple[tuple[int, int], ...]:
    if entry.outline:
        return tuple((round(x * 100), round(y * 100)) for x, y in entry.outline)
    assert entry.at is not None
    assert entry.size is not None
    pose = pose_of(*entry.at, entry.turn)
    half, deep = entry.size[0] * 50, entry.size[1] * 50
    corners = ((-half, deep), (half, deep), (half, -deep), (-half, -deep))
    return tuple((round(x), round(y)) for x, y in (at(pose, *corner) for corner in corners))


def structure_of(entry: StructureEntry) -> Structure:
    sort = sorts()[entry.kind]
    size = sort.size
    if entry.size is not None:
        size = Size(round(entry.size[0] * 100), round(entry.size[1] * 100))
    owner = SEATS.index(entry.owner) if entry.owner else NOBODY
    pose = pose_of(*entry.at, entry.turn)
    return Structure(entry.id, sort.acts_as, pose, size, owner, entry.name, entry.name_fr or entry.name)


def plan_source(source: Source) -> DesignSource:
    """Where the plan of a fortress stands in the file of a scenario."""
    start = max(0, source.text.find("[fortress.plan]"))
    above = "\n" * source.text.count("\n", 0, start)
    return DesignSource(source.file, above + source.text[start:], source.tables)


def fortress_of(entry: FortressEntry, source: Source | None = None) -> Fortress:
    """O7.deploy.fortress: the fortress in its place."""
    if entry.plan is not None:
        fortress = lay_out(entry.plan, plan_source(source or Source("fortress", "", HOME.messages)))
    else:
        fortress = read_fortress(entry.design)
    if entry.material:
        fortress = made_of(fortress, entry.material)
    return placed(fortress, pose_of(*entry.at, entry.turn))


def cost(plan: Scenario, army: ArmyEntry) -> int:
    """OH.army.2 OH.army.3 OH.general.1: units and general; fortress and works, or rams and siege towers."""
    units = sum(unit.count * kinds()[unit.kind].points for unit in army.unit)
    spent = led(units, GENERALS[army.general][1])
    if army.side == SEATS[DEFENDER]:
        spent += fortress_of(plan.fortress).cost if plan.fortress else 0
        return spent + sum(price(one.kind) for one in plan.structure if one.owner != SEATS[0])
    return spent + plan.rams * RAM + sum(price(one.kind) for one in plan.structure if one.owner == SEATS[0])


def led(units: int, percent: int) -> int:
    """OH.general.1 OH.army.2: what units cost with their general, his part rounded up."""
    return units + ceil(units * percent / 100)


# --- rosters -------------------------------------------------------------------------------------


def enrol(plan: Scenario, rules: Rules, points: int = 0) -> Roster:
    """All that a scenario settles before the battle; where both sides build, they have so many ``points``."""
    width, height = (round(side * 100) for side in plan.size)
    armies = sorted(plan.army, key=lambda army: SEATS.index(army.side))
    generals = [army.general for army in armies] or [STANDARD, STANDARD]
    keep, structures = fortify(plan.fortress) if plan.fortress else (None, ())
    return Roster(
        width=width,
        height=height,
        units=tuple(unit for army in armies for unit in units_of(army)),
        grounds=tuple(
            Ground(entry.id, entry.kind, outline_of(entry), entry.name, entry.name_fr or entry.name)
            for entry in plan.ground
        ),
        structures=(*structures, *(structure_of(entry) for entry in plan.structure)),
        leadership=(GENERALS[generals[0]][0], GENERALS[generals[1]][0]),
        zones=((0, height - DEPTH, width, DEPTH), (0, 0, width, DEPTH)),
        goals=_goals(plan, points if plan.building else plan.points),
        first=SEATS.index(plan.first),
        keep=keep,
        rams=plan.rams,
        rules=rules,
        site=_site(plan.building, points) if plan.building else None,
    )


def _site(entry: BuildingEntry, points: int) -> Site:
    room = Size(*(round(side * UNIT) for side in entry.room))
    return Site(points, room, entry.units, entry.agreed)


def _goals(plan: Scenario, points: int) -> Goals:
    """O7.victory.defender.deck: decks by the size of the battle, unless the scenario says how many."""
    goals = plan.goals
    return Goals(
        decks=plan.decks or (DECKS if points <= FEW_POINTS else MANY_DECKS),
        prize=goals.prize,
        defender_losses=goals.defender_losses,
        attacker_losses=goals.attacker_losses,
        empty=goals.empty,
    )


def fortify(entry: FortressEntry) -> tuple[Keep, tuple[Structure, ...]]:
    return erect(fortress_of(entry))


def erect(fortress: Fortress) -> tuple[Keep, tuple[Structure, ...]]:
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


def units_of(army: ArmyEntry) -> list[Unit]:
    side = SEATS.index(army.side)
    lead = GENERALS[army.general][0]
    counts: dict[str, int] = {}
    found = []
    for entry in army.unit:
        for n in range(entry.count):
            number = counts[entry.kind] = counts.get(entry.kind, 0) + 1
            start = pose_of(*entry.at[n]) if entry.at else None
            leads = lead if entry.general and n == 0 else 0
            ident = unit_id(side, entry.kind, number)
            found.append(Unit(ident, side, kinds()[entry.kind], number, leads, start))
    return found


def unit_id(side: int, kind: str, number: int) -> str:
    return f"{'ad'[side]}-{kind}-{number}"
