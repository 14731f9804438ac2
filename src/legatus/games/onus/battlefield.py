"""Scenario files: the table, its terrain and structures, and both armies."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from typing import Any

from msgspec import Struct
from shapely import get_coordinates, union_all

from ...kernel import Message, Option, Setup, Values
from ...kernel.rulebook import folder
from ...parts.plane import FULL, TOLERANCE, Pose, Size, at, card, grown
from ...parts.scenarios import Scenarios, ScenarioSource
from .design import Design, DesignSource, lay_out, read_fortress, ready
from .fortress import Fortress, check, made_of, placed
from .kinds import kinds as kinds
from .sorts import CORNER, MATERIALS, RAM, price, sorts
from .state import (
    CARD,
    GROUNDS,
    KINDS,
    NOBODY,
    SEATS,
    SIEGE,
    SIEGE_TOWER,
    TRENCH,
    WATCHTOWER,
    Goals,
    Ground,
    Keep,
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
    Option("stones", "O5.defender.stones", "range", ("range", "damage")),
)
GENERALS = {"standard": (6, 10), "scipio": (7, 20), "hannibal": (8, 25)}  # OH.general.1
DEPTH = 300  # OH.field.2
LEAST_SIEGE, BESIEGER = 1400, 800  # O7.field.minimum
BATTLES_OF = (1000, 1500, 2000)  # OH.army.1
MOST_ARTILLERY = 2  # O7.points.defender-first
DECKS, MANY_DECKS, FEW_POINTS = 2, 3, 1500  # O7.victory.defender.deck
MOST_UNITS, MOST_PIECES, MOST_RAMS = 60, 80, 6
DEFENDER = 1


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


class GoalsEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """O7.victory.attacker.scenario: what a scenario changes about the end of a battle."""

    prize: str = ""
    defender_losses: int = 75
    attacker_losses: int = 50
    empty: bool = True


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """O7.field.size OH.field.1 OH.field.2 OH.army.1: the table, what lies on it, who fights."""

    name: str
    army: tuple[ArmyEntry, ...]
    size: tuple[float, float] = (20, 18)
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


# --- checks --------------------------------------------------------------------------------------


def _check(plan: Scenario, source: ScenarioSource) -> None:
    width, height = (round(side * 100) for side in plan.size)
    source.in_range("size", width, 700, 6000)
    source.in_range("size", height, 700, 6000)
    source.in_range("decks", plan.decks, 0, 9)
    source.one_of("first", plan.first, SEATS)
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
        if structure.kind == SIEGE_TOWER:
            source.one_of(f"{where}.owner", structure.owner, SEATS[:1])
        elif structure.owner:
            source.one_of(f"{where}.owner", structure.owner, SEATS)
        elif structure.kind == TRENCH:
            raise source.bad(f"{where}.owner", Message("file.trench_owner"))
    source.in_range("structure", len(plan.structure) + len(plan.ground), 0, MOST_PIECES)
    if plan.fortress is not None:
        _check_fortress(plan.fortress, source)
        _check_site(plan, plan.fortress, source)
    source.in_range("rams", plan.rams, 0, MOST_RAMS)
    sides = [army.side for army in plan.army]
    if sorted(sides) != sorted(SEATS):
        raise source.bad("army", Message("file.two_armies"))
    for n, army in enumerate(plan.army):
        _check_army(source, f"army[{n}]", army)
    _check_goals(plan, source)
    _check_points(plan, source)


def _check_site(plan: Scenario, entry: FortressEntry, source: ScenarioSource) -> None:
    """O7.field.minimum OH.field.1 OH.field.2 O4.watchtower.placement: room for a siege, what stands where.

    Who besieges begins 8 DU from the walls; no watchtower stands inside them.
    """
    width, height = (round(side * 100) for side in plan.size)
    for side in (width, height):
        source.in_range("size", side, LEAST_SIEGE, 6000)
    fortress = _fortress(entry)
    west, north, east, south = fortress.bounds
    if min(west, north) < 0 or east > width or south > height:
        raise source.bad("fortress.at", Message("file.fortress_off"))
    walls = union_all([piece.shape for piece in fortress.pieces])
    whole = union_all([walls, fortress.inside])
    for k, one in enumerate(plan.structure):  # O4.watchtower.placement
        if one.kind == WATCHTOWER and whole.intersects(_structure(one).inner):
            raise source.bad(f"structure[{k}].at", Message("file.watchtower_inside"))
    for n, army in enumerate(plan.army):
        for k, unit in enumerate(army.unit):
            for at_ in unit.at if army.side == SEATS[0] else ():
                if walls.dwithin(card(_pose(*at_), CARD), BESIEGER - TOLERANCE):
                    raise source.bad(f"army[{n}].unit[{k}].at", Message("file.too_near"))


def _check_goals(plan: Scenario, source: ScenarioSource) -> None:
    """O7.victory.attacker.scenario: numbers that make sense, and a prize that is there."""
    source.in_range("goals.defender_losses", plan.goals.defender_losses, 1, 100)
    source.in_range("goals.attacker_losses", plan.goals.attacker_losses, 1, 100)
    if plan.goals.prize:
        pieces = [piece.id for piece in _fortress(plan.fortress).pieces] if plan.fortress else []
        known = (*pieces, *(structure.id for structure in plan.structure))
        source.one_of("goals.prize", plan.goals.prize, known)


def _check_points(plan: Scenario, source: ScenarioSource) -> None:
    """OH.army.1 OH.army.2 OH.army.3 O7.points.defender-first: what each side may spend, if it is said."""
    for n, army in enumerate(plan.army):
        engines = sum(unit.count for unit in army.unit if SIEGE in kinds()[unit.kind].traits)
        if army.side == SEATS[DEFENDER] and (plan.fortress or plan.points) and engines > MOST_ARTILLERY:
            values: Values = {"most": MOST_ARTILLERY, "found": engines}
            raise source.bad(f"army[{n}].unit", Message("file.artillery", values))
    if plan.points:
        source.one_of("points", plan.points, BATTLES_OF)
        for n, army in enumerate(plan.army):
            spent = cost(plan, army)
            if spent > plan.points:
                told: Values = {"side": army.side, "spent": spent, "points": plan.points}
                raise source.bad(f"army[{n}]", Message("file.over_points", told))


def cost(plan: Scenario, army: ArmyEntry) -> int:
    """OH.army.2 OH.army.3 OH.general.1: units and general; fortress and works, or rams and siege towers."""
    units = sum(unit.count * kinds()[unit.kind].points for unit in army.unit)
    spent = units + ceil(units * GENERALS[army.general][1] / 100)
    if army.side == SEATS[DEFENDER]:
        spent += _fortress(plan.fortress).cost if plan.fortress else 0
        return spent + sum(price(one.kind) for one in plan.structure if one.owner != SEATS[0])
    return spent + plan.rams * RAM + sum(price(one.kind) for one in plan.structure if one.owner == SEATS[0])


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
    keep, structures = fortify(plan.fortress) if plan.fortress else (None, ())
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
        goals=_goals(plan),
        first=SEATS.index(plan.first),
        keep=keep,
        rams=plan.rams,
        rules=Rules(
            open_rivers=setup.options["rivers"] == "open",
            count_points=setup.options["attacker_losses"] == "points",
            stones_damage=setup.options["stones"] == "damage",
        ),
    )


def _goals(plan: Scenario) -> Goals:
    """O7.victory.defender.deck: decks by the size of the battle, unless the scenario says how many."""
    goals = plan.goals
    return Goals(
        decks=plan.decks or (DECKS if plan.points <= FEW_POINTS else MANY_DECKS),
        prize=goals.prize,
        defender_losses=goals.defender_losses,
        attacker_losses=goals.attacker_losses,
        empty=goals.empty,
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
    size = sorts()[entry.kind].size
    if entry.size is not None:
        size = Size(round(entry.size[0] * 100), round(entry.size[1] * 100))
    owner = SEATS.index(entry.owner) if entry.owner else NOBODY
    pose = _pose(*entry.at, entry.turn)
    return Structure(entry.id, entry.kind, pose, size, owner, entry.name, entry.name_fr or entry.name)


def fortify(entry: FortressEntry) -> tuple[Keep, tuple[Structure, ...]]:
    """O7.design.continuity: the pieces of a fortress as structures, and what they enclose."""
    fortress = _fortress(entry)
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
