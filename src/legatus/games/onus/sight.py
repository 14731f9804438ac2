"""2 and 8 Sight: from where to where a shot is measured, what stands between, and what that means."""

from __future__ import annotations

from math import inf
from typing import Any, Final, NamedTuple

import numpy
import shapely
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

from ...kernel.objects import ValueObject
from ...parts import plane
from ...parts.plane import FRONT, SIDES, TOLERANCE, UNIT, XY, Box
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
from .table import (
    around,
    body,
    front_row,
    laid,
    patches_of,
    position,
    shape_of,
    standing,
    structure_body,
    structure_patch,
    structure_shape,
    tiles,
    units_in,
    units_on,
)

THROUGH_FOREST = UNIT  # O3.forest.shoot-through
WOOD_HEIGHT = 1  # O3.forest.height O3.hill.height
ARC = 450  # OH.ranged.4: tenths of a degree to each side
HIGH = (VILLAGE, *WALLS, *TOWERS)
FAR = 100 * UNIT
CLOSE = 1e-6
EVERYWHERE = (-inf, -inf, inf, inf)
HAIR = 0.01  # hundredths: by so much points that are rounded may be off


class Mark(NamedTuple):
    """What is shot at: a unit or a structure."""

    unit: int = NOBODY
    structure: int = NOBODY


class Obstacle(NamedTuple):
    """OH.sight.1: a shape, how high it is, and its name."""

    shape: BaseGeometry
    height: int
    id: str


class Lane(NamedTuple):
    """OH.sight.2: from where to where a shot may go: the ends of the front, the target, all between them."""

    ends: list[XY]
    target: BaseGeometry
    card: Spot
    reach: BaseGeometry

    @property
    def box(self) -> Box:
        left, top, right, bottom = self.reach.bounds
        return left, top, right, bottom


class Sight(ValueObject):
    """Whether a target can be shot at, whether at -1, and the clause that decides it."""

    def __init__(self, visible: bool, hindered: bool, clause: str) -> None:
        self.visible: Final = visible
        self.hindered: Final = hindered
        self.clause: Final = clause


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


def mark_box(state: OnusState, mark: Mark) -> Box:
    """The box around it."""
    if mark.unit != NOBODY:
        return around(laid(state)[mark.unit])
    return structure_patch(state, mark.structure).box


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

    O4.tower.measure O4.tower.example-range O4.siege-tower.measure: inside, the middle of the nearest side.
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
    memo, key = position(state).memo, ("distance", i, mark)
    if key not in memo:
        points = muzzle(state, i, mark)
        start = LineString(points) if len(points) > 1 else Point(points[0])
        memo[key] = float(start.distance(mark_shape(state, mark)))
    return float(memo[key])


def is_in_arc(state: OnusState, i: int, mark: Mark) -> bool:
    """OH.ranged.4 O5.artillery.in-tower: 45 degrees to each side; from a tower or a village all round."""
    if state.where[i] == INSIDE:
        return True
    memo, key = position(state).memo, ("arc", i, mark)
    if key not in memo:
        memo[key] = _is_in_arc(state, i, mark)
    return bool(memo[key])


def _is_in_arc(state: OnusState, i: int, mark: Mark) -> bool:
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
    return i != NOBODY and state.where[i] == FIELD and plane.lies_on(ground.patch, state.pose[i])


def obstacles(state: OnusState, i: int, mark: Mark, box: Box = EVERYWHERE) -> list[Obstacle]:
    """OH.sight.1 O3.forest.height O3.hill.height O4.village.height O4.value.height: what may stand between.

    The hill, wood or structure on or in which the shooter or the target is, is left out; so is what does
    not come near the box.
    """
    found = []
    ends = [k for k in (i, mark.unit) if k != NOBODY]
    held = {state.inside[k] for k in ends if state.where[k] == INSIDE}
    held.update(n for k in ends for n in manned(state, k))
    for ground in tiles(state, FOREST, HILL):
        if plane.meet(ground.patch.box, box) and not any(stands_on(state, k, ground) for k in ends):
            found.append(Obstacle(ground.shape, WOOD_HEIGHT, ground.id))  # a hill is as high
    for n in standing(state, HIGH):
        if n not in held and n != mark.structure and plane.meet(structure_patch(state, n).box, box):
            structure = state.roster.structures[n]
            found.append(Obstacle(structure_shape(state, n), structure.sort.height, structure.id))
    for k in units_in(state, box, TOLERANCE):
        on_target = mark.structure != NOBODY and state.inside[k] == mark.structure
        if k not in (i, mark.unit) and state.where[k] in (FIELD, CROSSING) and not on_target:
            found.append(Obstacle(shape_of(state, k), level_of(state, k), state.roster.units[k].id))
    return found


def is_nearer_to_target(state: OnusState, shape: BaseGeometry, i: int, mark: Mark) -> bool:
    """O2.los.high.obstacle-near-target O2.los.example: strictly nearer to the target than to the shooter."""
    to_target, to_shooter = (
        round(plane.apart(shape, one)) for one in (mark_shape(state, mark), shape_of(state, i))
    )
    return to_target < to_shooter


def covering(state: OnusState, i: int, mark: Mark, box: Box) -> list[Obstacle]:
    """O2.los.level O2.los.high.obstacle-near-attacker: the obstacles that count, if they are in the way."""
    own, level = level_of(state, i), mark_level(state, mark)
    over = own if own > level else -1
    return [
        one
        for one in obstacles(state, i, mark, box)
        if one.height >= level and (one.height > over or is_nearer_to_target(state, one.shape, i, mark))
    ]


def _passes_over(state: OnusState, i: int, mark: Mark, wood: Ground) -> bool:
    """O3.forest.shoot-through: a shot from above its height goes over a wood nearer to the shooter."""
    above = level_of(state, i) > WOOD_HEIGHT and is_higher(state, i, mark)
    return above and not is_nearer_to_target(state, wood.shape, i, mark)


def forest_between(state: OnusState, i: int, mark: Mark, only_own: bool) -> float:
    """O3.forest.shoot-through O3.forest.example-velites: the forest between the nearest points of both."""
    cards = plane.joint(around(patches_of(state, i)), mark_box(state, mark))
    woods = [wood for wood in tiles(state, FOREST) if plane.meet(wood.patch.box, cards)]
    if only_own:
        woods = [wood for wood in woods if stands_on(state, i, wood) or stands_on(state, mark.unit, wood)]
    woods = [wood for wood in woods if not _passes_over(state, i, mark, wood)]
    if not woods:
        return 0
    a, b = plane.nearest(shape_of(state, i), mark_shape(state, mark))
    return sum(plane.length_in(a, b, wood.shape) for wood in woods)


# --- free lines ----------------------------------------------------------------------------------


def lane(state: OnusState, i: int, mark: Mark) -> Lane:
    """OH.sight.2: from the front of a unit to its target."""
    ends, target = muzzle(state, i, mark), mark_shape(state, mark)
    points = shapely.multipoints([*ends, *shapely.get_coordinates(target)])
    return Lane(ends, target, mark_spot(state, mark), shapely.convex_hull(points))


def is_free(way: Lane, shapes: list[BaseGeometry]) -> bool:
    """O2.los.partial OH.sight.2: a straight line from the front to some point of the target is free.

    It may neither run along what stands between nor lead between cards that touch.
    """
    near = [shape for shape in shapes if shape.intersects(way.reach)]
    if not near:
        return True
    grown = [plane.grown(shape) for shape in near]
    marks = plane.marks(way.card.pose, way.card.size, SECTION)
    starts = [way.ends[0]] if len(way.ends) == 1 else [_part(way.ends, n / 4) for n in range(5)]
    lines = shapely.linestrings([(a, b) for a in starts for b in marks])
    if not shapely.intersects(lines[:, None], grown).any(axis=1).all():
        return True
    whole = plane.grown(shapely.union_all(grown), -TOLERANCE / 2)
    if not shapely.intersects(lines, whole).all():
        return True
    if _is_cut(way, whole):
        return False
    grazing = _tangents(way.ends, way.target, [shape.intersection(way.reach) for shape in grown])
    grazing = grazing[~shapely.is_missing(grazing)]
    return bool(len(grazing)) and not shapely.intersects(grazing, whole).all()


def _is_cut(way: Lane, whole: BaseGeometry) -> bool:
    """Whether what stands between parts the front from the target, so that no line at all is free."""
    rest = shapely.get_parts(way.reach.buffer(HAIR).difference(whole))
    front = _edge(way.ends)
    left = rest[shapely.dwithin(rest, front, HAIR)]
    return not shapely.dwithin(left, way.target, HAIR).any()


def _edge(ends: Any) -> BaseGeometry:
    return Point(ends[0]) if len(ends) == 1 else LineString(ends)


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
    starts = shapely.shortest_line(_edge(front), lines)
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
    """Whether the target can be shot at, and whether at -1."""
    memo, key = position(state).memo, ("sight", i, mark)
    if key not in memo:
        memo[key] = _sight(state, i, mark)
    found: Sight = memo[key]
    return found


def _sight(state: OnusState, i: int, mark: Mark) -> Sight:
    """O2.los.level and the rest."""
    way = lane(state, i, mark)
    box = way.box
    mountains: list[BaseGeometry] = [
        ground.shape for ground in tiles(state, MOUNTAIN) if plane.meet(ground.patch.box, box)
    ]
    if mountains and not is_free(way, mountains):
        return Sight(False, False, "O3.mountain.sight")
    parabolic = PARABOLIC in state.roster.units[i].kind.traits  # O2.los.parabolic-units OH.trait.3
    if forest_between(state, i, mark, only_own=parabolic) > THROUGH_FOREST + TOLERANCE:
        return Sight(False, False, "O3.forest.shoot-through")
    between = covering(state, i, mark, box)
    if is_free(way, [*mountains, *(one.shape for one in between)]):
        return Sight(True, False, "O2.los.partial")
    woods = {ground.id for ground in tiles(state, FOREST)}
    rest = [one.shape for one in between if one.id not in woods]
    only_woods = len(rest) < len(between) and is_free(way, [*mountains, *rest])
    if is_higher(state, i, mark):
        clause = "O2.los.high.obstacle-near-target"
    else:
        clause = "O3.forest.parabolic-over" if only_woods and parabolic else "O2.los.level"
    if parabolic:
        return Sight(True, True, clause)
    if only_woods:  # no more than 1 DU of it: direct fire goes through
        return Sight(True, True, "O3.forest.shoot-through")
    return Sight(False, False, clause)
