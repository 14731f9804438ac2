"""2 and 8 Sight: from where to where a shot is measured, what stands between, and what that means."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy
import shapely
from msgspec import Struct
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

from ...parts import plane
from ...parts.plane import FRONT, SIDES, TOLERANCE, UNIT, XY
from .contact import Spot, level_of, spot
from .damage import targets
from .hidden import named
from .ramparts import manned
from .state import (
    CROSSING,
    FIELD,
    FOREST,
    HILL,
    INSIDE,
    MOUNTAIN,
    NOBODY,
    PARABOLIC,
    SECTION,
    SIEGE_TOWER,
    TOWERS,
    VILLAGE,
    WALLS,
    Ground,
    OnusState,
)
from .table import body, front_row, shape_of, standing, structure_body, structure_shape, units_on

THROUGH_FOREST = UNIT  # O3.forest.shoot-through
ARC = 450  # OH.ranged.4: tenths of a degree to each side
HIGH = (VILLAGE, *WALLS, *TOWERS)
FAR = 100 * UNIT
CLOSE = 1e-6
KEPT = 1000  # verdicts that are remembered


class Mark(NamedTuple):
    """What is shot at: a unit or a structure."""

    unit: int = NOBODY
    structure: int = NOBODY


class Obstacle(NamedTuple):
    """OH.sight.1: a shape, how high it is, and its name."""

    shape: BaseGeometry
    height: int
    id: str


class Sight(Struct, frozen=True):
    """Whether a target can be shot at, whether at -1, and the clause that decides it."""

    visible: bool
    hindered: bool
    clause: str


# --- the target ----------------------------------------------------------------------------------


def mark_of(state: OnusState, name: str) -> Mark:
    """A unit or a structure on the table by its name; neither if there is none."""
    i = named(state, name)
    if i in units_on(state):
        return Mark(unit=i)
    n = state.roster.structure_index.get(name, NOBODY)
    return Mark(structure=n) if n in targets(state) else Mark()


def mark_shape(state: OnusState, mark: Mark) -> BaseGeometry:
    if mark.unit != NOBODY:
        return shape_of(state, mark.unit)
    return structure_shape(state, mark.structure)


def mark_spot(state: OnusState, mark: Mark) -> Spot:
    if mark.unit != NOBODY:
        return spot(state, mark.unit)
    return Spot(*structure_body(state, mark.structure))


def mark_level(state: OnusState, mark: Mark) -> int:
    """OH.level.1 O4.value.height: where a unit stands; of a structure its height.

    O4.siege-tower.target-structure O4.siege-tower.target-from-fortress: a siege tower is struck at its base.
    """
    if mark.unit != NOBODY:
        return level_of(state, mark.unit)
    structure = state.roster.structures[mark.structure]
    return 0 if structure.kind == SIEGE_TOWER else structure.sort.height


def is_higher(state: OnusState, i: int, mark: Mark) -> bool:
    return level_of(state, i) > mark_level(state, mark)


# --- from where ----------------------------------------------------------------------------------


def muzzle(state: OnusState, i: int, mark: Mark) -> list[XY]:
    """OH.sight.2: the ends of the front from which a unit shoots.

    O4.tower.measure O4.siege-tower.measure: in a tower or a village, the middle of the nearest side.
    """
    if state.where[i] != INSIDE:
        row = front_row(state.wings[i], state.pose[i]) if state.where[i] == FIELD else body(state, i)
        return list(plane.edge(*row, FRONT))
    target = mark_shape(state, mark)
    edges = [plane.edge(*body(state, i), side) for side in SIDES]
    middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in edges]
    return [min(middles, key=lambda point: Point(point).distance(target))]


def distance(state: OnusState, i: int, mark: Mark) -> float:
    """How far a shot goes, in hundredths."""
    points = muzzle(state, i, mark)
    start = LineString(points) if len(points) > 1 else Point(points[0])
    return float(start.distance(mark_shape(state, mark)))


def is_in_arc(state: OnusState, i: int, mark: Mark) -> bool:
    """OH.ranged.4 O5.artillery.in-tower: 45 degrees to each side; from a tower or a village all round."""
    if state.where[i] == INSIDE:
        return True
    left, right = muzzle(state, i, mark)
    turn = state.pose[i].turn
    ends = [
        plane.at(plane.Pose(round(x), round(y), turn + tenths), 0, FAR)
        for (x, y), tenths in ((left, -ARC), (right, ARC))
    ]
    arc = shapely.polygons([left, ends[0], ends[1], right])
    return bool(arc.intersects(plane.card(*mark_spot(state, mark)[:2], TOLERANCE)))


# --- what stands between -------------------------------------------------------------------------


def stands_on(state: OnusState, i: int, ground: Ground) -> bool:
    return i != NOBODY and state.where[i] == FIELD and plane.contains(ground.shape, state.pose[i])


def obstacles(state: OnusState, i: int, mark: Mark) -> list[Obstacle]:
    """OH.sight.1 O3.forest.height O3.hill.height O4.village.height O4.value.height: what may stand between.

    The hill, wood or structure on or in which the shooter or the target is, is left out.
    """
    found = []
    ends = [k for k in (i, mark.unit) if k != NOBODY]
    held = {state.inside[k] for k in ends if state.where[k] == INSIDE}
    held.update(n for k in ends for n in manned(state, k))
    for ground in state.roster.grounds:
        if ground.kind in (FOREST, HILL) and not any(stands_on(state, k, ground) for k in (i, mark.unit)):
            found.append(Obstacle(ground.shape, 1, ground.id))
    for n in standing(state, HIGH):
        if n not in held and n != mark.structure:
            structure = state.roster.structures[n]
            found.append(Obstacle(structure_shape(state, n), structure.sort.height, structure.id))
    for k in units_on(state):
        on_target = mark.structure != NOBODY and state.inside[k] == mark.structure
        if k not in (i, mark.unit) and state.where[k] in (FIELD, CROSSING) and not on_target:
            found.append(Obstacle(shape_of(state, k), level_of(state, k), state.roster.units[k].id))
    return found


def is_nearer_to_target(state: OnusState, shape: BaseGeometry, i: int, mark: Mark) -> bool:
    """O2.los.high.obstacle-near-target: strictly nearer to the target than to the shooter."""
    to_target, to_shooter = (
        round(plane.apart(shape, one)) for one in (mark_shape(state, mark), shape_of(state, i))
    )
    return to_target < to_shooter


def covers(state: OnusState, i: int, mark: Mark, obstacle: Obstacle) -> bool:
    """O2.los.level O2.los.high.obstacle-near-attacker: whether an obstacle, if it is in the way, counts."""
    if obstacle.height < mark_level(state, mark):
        return False
    over = is_higher(state, i, mark) and obstacle.height <= level_of(state, i)
    return not over or is_nearer_to_target(state, obstacle.shape, i, mark)


def forest_between(state: OnusState, i: int, mark: Mark, only_own: bool) -> float:
    """O3.forest.shoot-through: the length of forest between the nearest points of the two cards."""
    woods = [ground for ground in state.roster.grounds if ground.kind == FOREST]
    if only_own:
        woods = [wood for wood in woods if stands_on(state, i, wood) or stands_on(state, mark.unit, wood)]
    if not woods:
        return 0
    a, b = plane.nearest(shape_of(state, i), mark_shape(state, mark))
    return sum(plane.length_in(a, b, wood.shape) for wood in woods)


# --- free lines ----------------------------------------------------------------------------------


def is_free(state: OnusState, i: int, mark: Mark, shapes: list[BaseGeometry]) -> bool:
    """O2.los.partial OH.sight.2: a straight line from the front to some point of the target is free.

    It may neither run along what stands between nor lead between cards that touch.
    """
    ends, target = muzzle(state, i, mark), mark_shape(state, mark)
    reach = shapely.convex_hull(shapely.union(shapely.multipoints(ends), target))
    near = [shape for shape in shapes if shape.intersects(reach)]
    if not near:
        return True
    grown = [plane.grown(shape) for shape in near]
    card = mark_spot(state, mark)
    marks = plane.marks(card.pose, card.size, SECTION)
    starts = [ends[0]] if len(ends) == 1 else [_part(ends, n / 4) for n in range(5)]
    lines = shapely.linestrings([(a, b) for a in starts for b in marks])
    if not shapely.intersects(lines[:, None], grown).any(axis=1).all():
        return True
    whole = plane.grown(shapely.union_all(grown), -TOLERANCE / 2)
    if not shapely.intersects(lines, whole).all():
        return True
    grazing = _tangents(ends, target, [shape.intersection(reach) for shape in grown])
    grazing = grazing[~shapely.is_missing(grazing)]
    return bool(len(grazing)) and not shapely.intersects(grazing, whole).all()


def _part(ends: list[XY], share: float) -> XY:
    (x1, y1), (x2, y2) = ends
    return x1 + (x2 - x1) * share, y1 + (y2 - y1) * share


def _tangents(ends: list[XY], target: BaseGeometry, near: list[BaseGeometry]) -> Any:
    """The lines that graze what stands between: if any line is free, one that runs past two corners is."""
    front = numpy.round(ends, 3)
    corners = numpy.round(shapely.get_coordinates([*near, target]), 3)
    points = numpy.unique(numpy.concatenate([front, corners]), axis=0)
    one, two = numpy.triu_indices(len(points), 1)
    first, second = points[one], points[two]
    crossing = _crossed(first, second, front)
    crossing &= _crossed(first, second, shapely.get_coordinates(target))
    first, second = first[crossing], second[crossing]
    step = second - first
    step = step / numpy.hypot(step[:, 0], step[:, 1])[:, None] * FAR
    lines: Any = shapely.linestrings(numpy.stack([first - step, second + step], axis=1))
    edge = Point(front[0]) if len(ends) == 1 else LineString(front)
    starts = shapely.shortest_line(edge, lines)
    goals = shapely.intersection(lines, target)
    return shapely.shortest_line(shapely.get_point(starts, 0), goals)


def _crossed(first: Any, second: Any, points: Any) -> Any:
    """Which of the lines through two points have some of these points on either side, or on them."""
    step = second - first
    way = points[None, :, :] - first[:, None, :]
    sides = step[:, None, 0] * way[:, :, 1] - step[:, None, 1] * way[:, :, 0]
    return (sides.min(axis=1) <= CLOSE) & (sides.max(axis=1) >= -CLOSE)


# --- the verdict ---------------------------------------------------------------------------------


def sight(state: OnusState, i: int, mark: Mark) -> Sight:
    """Whether the target can be shot at, and whether at -1; remembered for some positions."""
    kept: dict[object, Sight] = state.roster.kept.setdefault("sights", {})
    places = (tuple(state.where), tuple(state.pose), tuple(state.inside), tuple(state.wings))
    key = (places, tuple(state.gone), tuple(state.spots), tuple(state.climbed), i, mark)
    found = kept.get(key)
    if found is None:
        if len(kept) >= KEPT:
            kept.clear()
        found = kept[key] = _sight(state, i, mark)
    return found


def _sight(state: OnusState, i: int, mark: Mark) -> Sight:
    """O2.los.level and the rest."""
    mountains: list[BaseGeometry] = [
        ground.shape for ground in state.roster.grounds if ground.kind == MOUNTAIN
    ]
    if mountains and not is_free(state, i, mark, mountains):
        return Sight(False, False, "O3.mountain.sight")
    parabolic = PARABOLIC in state.roster.units[i].kind.traits  # O2.los.parabolic-units OH.trait.3
    if forest_between(state, i, mark, only_own=parabolic) > THROUGH_FOREST + TOLERANCE:
        return Sight(False, False, "O3.forest.shoot-through")
    covering = [one for one in obstacles(state, i, mark) if covers(state, i, mark, one)]
    if is_free(state, i, mark, [*mountains, *(one.shape for one in covering)]):
        return Sight(True, False, "O2.los.partial")
    woods = {ground.id for ground in state.roster.grounds if ground.kind == FOREST}
    rest = [*mountains, *(one.shape for one in covering if one.id not in woods)]
    only_woods = is_free(state, i, mark, rest)
    if is_higher(state, i, mark):
        clause = "O2.los.high.obstacle-near-target"
    else:
        clause = "O3.forest.parabolic-over" if only_woods and parabolic else "O2.los.level"
    if parabolic:
        return Sight(True, True, clause)
    if only_woods:  # no more than 1 DU of it: direct fire goes through
        return Sight(True, True, "O3.forest.shoot-through")
    return Sight(False, False, clause)
