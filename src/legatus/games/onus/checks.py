"""Scenario files: what is asked of them; a BadFile names the file, the line and what was expected."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from shapely import Polygon, union_all

from ...kernel import Message, Values
from ...kernel.words import Plain
from ...parts.plane import FULL, TOLERANCE, UNIT, card
from ...parts.scenarios import ScenarioSource
from .design import ready
from .footing import bars
from .fortress import AGREEMENTS, Fortress, check
from .kinds import kinds
from .scenario import (
    BESIEGER,
    DEFENDER,
    DEPTH,
    GENERALS,
    MOST_ARTILLERY,
    MOST_RAMS,
    ArmyEntry,
    BuildingEntry,
    FortressEntry,
    GroundEntry,
    Scenario,
    StructureEntry,
    cost,
    enrol,
    fortress_of,
    outline_of,
    plan_source,
    pose_of,
    structure_of,
)
from .sorts import MATERIALS, PIECES
from .state import CARD, FIELD, GROUNDS, KINDS, SEATS, SIEGE, SIEGE_TOWER, TRENCH, WATCHTOWER, Rules, blank

LEAST_TABLE, LEAST_SIEGE, LARGEST = 7, 14, 60  # O7.field.minimum, in DU
SMALLEST = 0.1  # a side of a tile, in DU
BATTLES_OF = (1000, 1500, 2000)  # OH.army.1
MOST_UNITS, MOST_PIECES = 60, 80
_GIVEN = re.compile(rf"(?:card|back)-\d+|[ad]-(?:{'|'.join(kinds())})-\d+")  # ids of cards and units
_BUILT = re.compile(rf"(?:ram|{'|'.join((*PIECES, *KINDS))})-\d+")  # of what is bought


def check_plan(plan: Scenario, source: ScenarioSource) -> None:
    """All that is asked of a scenario."""
    for side in plan.size:
        siege = plan.fortress or plan.building
        _in_du(source, "size", side, LEAST_SIEGE if siege else LEAST_TABLE, LARGEST)
    source.in_range("decks", plan.decks, 0, 9)
    source.in_range("rams", plan.rams, 0, MOST_RAMS)
    source.one_of("first", plan.first, SEATS)
    fortress = _checked_fortress(plan.fortress, source) if plan.fortress else None
    _check_tiles(plan, fortress, source)
    if fortress is not None:
        _check_site(plan, fortress, source)
    if plan.building is not None:
        _check_building(plan, plan.building, source)
    elif sorted(army.side for army in plan.army) != sorted(SEATS):
        raise source.bad("army", Message("file.two_armies"))
    for n, army in enumerate(plan.army):
        _check_army(source, f"army[{n}]", army)
    _check_starts(plan, source)
    _check_goals(plan, fortress, source)
    _check_points(plan, source)


def _in_du(source: ScenarioSource, where: str, value: float, low: float, high: float) -> None:
    """A length in DU; what is no number at all is not within any bounds."""
    if not low <= value <= high:
        said: Values = {name: Plain(f"{n:g}") for name, n in (("low", low), ("high", high), ("found", value))}
        raise source.bad(where, Message("file.range_du", said))


def _check_pose(source: ScenarioSource, where: str, place: Iterable[float], turn: float) -> None:
    for value in place:
        _in_du(source, f"{where}.at", value, -LARGEST, 2 * LARGEST)
    if not -FULL // 10 <= turn <= FULL // 10:
        said: Values = {"low": -FULL // 10, "high": FULL // 10, "found": Plain(f"{turn:g}")}
        raise source.bad(f"{where}.turn", Message("file.range", said))


# --- what lies on the table ----------------------------------------------------------------------


def _check_tiles(plan: Scenario, fortress: Fortress | None, source: ScenarioSource) -> None:
    """O3.impassable O4.structures-table: grounds and structures with ids of their own, in their places."""
    taken = {*SEATS, *kinds()}
    pieces = {piece.id for piece in fortress.pieces} if fortress else set[str]()
    grounds = [(f"ground[{n}].id", entry.id) for n, entry in enumerate(plan.ground)]
    for where, ident in (*grounds, *((f"structure[{n}].id", one.id) for n, one in enumerate(plan.structure))):
        built = plan.building is not None and _BUILT.fullmatch(ident)
        if ident in pieces or built or _GIVEN.fullmatch(ident):
            raise source.bad(where, Message("file.given_id", {"id": repr(ident)}))
        source.new_id(where, ident, taken)
    for n, ground in enumerate(plan.ground):
        _check_ground(source, f"ground[{n}]", ground)
    for n, structure in enumerate(plan.structure):
        _check_structure(source, f"structure[{n}]", structure, plan)
    source.in_range("structure", len(plan.structure) + len(plan.ground), 0, MOST_PIECES)


def _check_size(source: ScenarioSource, where: str, size: tuple[float, float] | None) -> None:
    for side in size or ():
        _in_du(source, f"{where}.size", side, SMALLEST, LARGEST)


def _check_ground(source: ScenarioSource, where: str, ground: GroundEntry) -> None:
    source.one_of(f"{where}.kind", ground.kind, GROUNDS)
    if not ground.outline and (ground.at is None or ground.size is None):
        raise source.bad(where, Message("file.no_outline"))
    _check_pose(source, where, ground.at or (), ground.turn)
    _check_size(source, where, ground.size)
    if ground.outline:
        source.in_range(f"{where}.outline", len(ground.outline), 3, 60)
    for point in ground.outline:
        for value in point:
            _in_du(source, f"{where}.outline", value, -LARGEST, 2 * LARGEST)
    if not Polygon(outline_of(ground)).is_valid:
        raise source.bad(f"{where}.outline", Message("file.crossed_outline"))


def _check_structure(source: ScenarioSource, where: str, entry: StructureEntry, plan: Scenario) -> None:
    source.one_of(f"{where}.kind", entry.kind, KINDS)
    if entry.kind == SIEGE_TOWER:
        source.one_of(f"{where}.owner", entry.owner, SEATS[:1])
    elif entry.owner:
        source.one_of(f"{where}.owner", entry.owner, SEATS)
    elif entry.kind == TRENCH:
        raise source.bad(f"{where}.owner", Message("file.trench_owner"))
    _check_pose(source, where, entry.at, entry.turn)
    _check_size(source, where, entry.size)
    if not _is_on_table(plan, structure_of(entry).inner):
        raise source.bad(f"{where}.at", Message("file.off_table"))


def _is_on_table(plan: Scenario, shape: Any) -> bool:
    west, north, east, south = shape.bounds
    width, height = (round(side * UNIT) for side in plan.size)
    return bool(min(west, north) >= 0 and east <= width and south <= height)


# --- the fortress --------------------------------------------------------------------------------


def _checked_fortress(entry: FortressEntry, source: ScenarioSource) -> Fortress:
    """O7.design.continuity O7.design.gate O7.design.material: a design that nothing is against."""
    if bool(entry.design) == (entry.plan is not None):
        raise source.bad("fortress", Message("file.design_or_plan"))
    if entry.design:
        source.one_of("fortress.design", entry.design, tuple(ready()))
    if entry.material:
        source.one_of("fortress.material", entry.material, MATERIALS)
    _check_pose(source, "fortress", entry.at, entry.turn)
    fortress = fortress_of(entry, source)
    for problem in check(fortress):
        said = Message(problem.refusal.key, problem.refusal.values)
        raise plan_source(source).bad(problem.place, said) if entry.plan else source.bad("fortress", said)
    return fortress


def _check_site(plan: Scenario, fortress: Fortress, source: ScenarioSource) -> None:
    """O7.field.minimum OH.field.2 O7.design.edge O4.watchtower.placement: room for a siege.

    Who besieges begins 8 DU from the walls; no watchtower stands inside them.
    """
    walls = union_all([piece.shape for piece in fortress.pieces])
    if not _is_on_table(plan, walls):
        raise source.bad("fortress.at", Message("file.fortress_off"))
    if fortress.edge and not _is_at_edge(plan, fortress):
        raise source.bad("fortress.at", Message("file.fortress_edge"))
    whole = union_all([walls, fortress.inside])
    for k, one in enumerate(plan.structure):  # O4.watchtower.placement
        if one.kind == WATCHTOWER and whole.intersects(structure_of(one).inner):
            raise source.bad(f"structure[{k}].at", Message("file.watchtower_inside"))
    for n, army in enumerate(plan.army):
        for k, unit in enumerate(army.unit):
            for place in unit.at if army.side == SEATS[0] else ():
                if walls.dwithin(card(pose_of(*place), CARD), BESIEGER - TOLERANCE):
                    raise source.bad(f"army[{n}].unit[{k}].at", Message("file.too_near"))


def _is_at_edge(plan: Scenario, fortress: Fortress) -> bool:
    """O7.design.edge: both ends of the walls stand at one edge of the table."""
    ends = (*fortress.pieces[0].start, *fortress.pieces[-1].end)
    edges = ((0, 0.0), (1, 0.0), (0, plan.size[0] * UNIT), (1, plan.size[1] * UNIT))
    return any(all(abs(point[axis] - edge) <= TOLERANCE for point in ends) for axis, edge in edges)


def _check_building(plan: Scenario, entry: BuildingEntry, source: ScenarioSource) -> None:
    """OH.army.2 OH.army.3 OH.field.2: nothing is bought beforehand, and a besieger has room."""
    if plan.army or plan.fortress or plan.rams or plan.points or any(one.owner for one in plan.structure):
        raise source.bad("building", Message("file.building"))
    width, height = plan.size
    _in_du(source, "building.room", entry.room[0], SMALLEST, width)
    _in_du(source, "building.room", entry.room[1], SMALLEST, height - (BESIEGER + DEPTH) / UNIT)
    source.in_range("building.units", entry.units, 1, MOST_UNITS)
    for word in entry.agreed:
        source.one_of("building.agreed", word, AGREEMENTS)


# --- armies --------------------------------------------------------------------------------------


def _check_army(source: ScenarioSource, where: str, army: ArmyEntry) -> None:
    source.one_of(f"{where}.general", army.general, tuple(GENERALS))
    count = 0
    for k, unit in enumerate(army.unit):
        place = f"{where}.unit[{k}]"
        source.one_of(f"{place}.kind", unit.kind, tuple(kinds()))
        source.in_range(f"{place}.count", unit.count, 1, MOST_UNITS)
        if unit.at:
            source.in_range(f"{place}.at", len(unit.at), unit.count, unit.count)
        for x, y, turn in unit.at:
            _check_pose(source, place, (x, y), turn)
        count += unit.count
    source.in_range(f"{where}.unit", count, 1, MOST_UNITS)
    if sum(unit.general for unit in army.unit) != 1:
        raise source.bad(f"{where}.unit", Message("file.one_general"))


def _check_starts(plan: Scenario, source: ScenarioSource) -> None:
    """OH.field.1 O3.impassable OH.move.8: units that have a place can stand there, all together."""
    roster = enrol(plan, Rules(open_rivers=plan.options.get("rivers") == "open"))
    state = blank(roster)
    order = sorted(range(len(plan.army)), key=lambda n: SEATS.index(plan.army[n].side))
    places = [
        f"army[{n}].unit[{k}].at"
        for n in order
        for k, unit in enumerate(plan.army[n].unit)
        for _ in range(unit.count)
    ]
    for i, (unit, where) in enumerate(zip(roster.units, places, strict=True)):
        if unit.start is None:
            continue
        if not _is_on_table(plan, card(unit.start, CARD, TOLERANCE)):
            raise source.bad(where, Message("file.unit_off", {"unit": unit.id}))
        for refusal in bars(state, i, unit.start):
            problem = Message(refusal.key, refusal.values)
            raise source.bad(where, Message("file.no_start", {"problem": problem}))
        state.where[i] = FIELD


def _check_goals(plan: Scenario, fortress: Fortress | None, source: ScenarioSource) -> None:
    """O7.victory.attacker.scenario: numbers that make sense, and a prize that is there."""
    source.in_range("goals.defender_losses", plan.goals.defender_losses, 1, 100)
    source.in_range("goals.attacker_losses", plan.goals.attacker_losses, 1, 100)
    if plan.goals.prize:
        pieces = [piece.id for piece in fortress.pieces] if fortress else []
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
