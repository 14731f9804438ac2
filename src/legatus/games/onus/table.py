"""8 The table: where cards lie, what is in their way, what they touch, how high they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from operator import attrgetter
from typing import Any

import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from ...parts import plane
from ...parts.plane import FRONT, SIDES, TOLERANCE, XY, Box, Patch, Pose, Size
from .passages import passage_of
from .state import (
    BARRICADE,
    CALTROPS,
    CARD,
    CROSSING,
    FIELD,
    FORD,
    FOREST,
    INSIDE,
    LAKE,
    LEAST,
    MOUNTAIN,
    MOUNTED,
    RIVER,
    SECTION,
    SIEGE_TOWER,
    TOWERS,
    VILLAGE,
    Ground,
    OnusState,
    Structure,
    other,
)

LEFT_WING, RIGHT_WING = 1, 2
ELEPHANTS = "elephants"
ON_TABLE = frozenset((FIELD, INSIDE, CROSSING))
KEPT = 64  # positions that are remembered


# --- cards ---------------------------------------------------------------------------------------


def structure_body(state: OnusState, n: int) -> tuple[Pose, Size]:
    """O4.siege-tower.move: where a structure stands now, and its size."""
    return state.spots[n], state.roster.structures[n].size


def body(state: OnusState, i: int) -> tuple[Pose, Size]:
    """OH.card.1 O3.choke.when: its card, the structure in which it is, or its markers in a passage."""
    if state.where[i] == INSIDE:
        return structure_body(state, state.inside[i])
    if state.where[i] == CROSSING:
        return state.pose[i], passage_of(state, i).markers
    return state.pose[i], CARD


def structure_shape(state: OnusState, n: int) -> Polygon:
    """O4.siege-tower.move: where a structure stands now."""
    return shape_at(state.roster.structures[n], state.spots[n])


def shape_at(structure: Structure, spot: Pose) -> Polygon:
    return plane.card(spot, structure.size) if structure.kind == SIEGE_TOWER else structure.shape


def structure_patch(state: OnusState, n: int) -> Patch:
    """The same as a patch."""
    structure = state.roster.structures[n]
    return plane.patch(state.spots[n], structure.size) if structure.kind == SIEGE_TOWER else structure.patch


@lru_cache(maxsize=10_000)
def front_row(wings: int, pose: Pose) -> tuple[Pose, Size]:
    """OH.formation.6: the front row of sections, with those added at its ends, as a card of its own."""
    left, right = bool(wings & LEFT_WING), bool(wings & RIGHT_WING)
    size = Size(CARD.front + SECTION * (left + right), SECTION)
    return plane.moved(pose, SECTION / 2 * (right - left), SECTION / 2), size


def front_size(state: OnusState, i: int) -> tuple[Pose, Size]:
    """OH.formation.6: the front row of a unit."""
    return front_row(state.wings[i], state.pose[i])


def parts_at(state: OnusState, i: int, pose: Pose) -> list[tuple[Pose, Size]]:
    """What a unit in the open covers at a pose: its card and, if it is extended, its front row."""
    return cover(state.wings[i], pose)


def cover(wings: int, pose: Pose) -> list[tuple[Pose, Size]]:
    """The same by what is added to its front."""
    return [(pose, CARD), front_row(wings, pose)] if wings else [(pose, CARD)]


def patches_of(state: OnusState, i: int) -> list[Patch]:
    """What a unit covers, in pieces."""
    if state.where[i] != FIELD:
        return [plane.patch(*body(state, i))]
    return [plane.patch(*part) for part in parts_at(state, i, state.pose[i])]


class Position:
    """Where all units are, and what was reckoned of it: it holds as long as nobody moves."""

    __slots__ = ("boxes", "columns", "memo", "patches")

    def __init__(self, state: OnusState) -> None:
        units = state.roster.units
        self.columns = tuple(column[:] for column in _columns(state))
        self.patches = {i: patches_of(state, i) for i in units_on(state)}
        self.boxes = [(i, units[i].side, around(patches)) for i, patches in self.patches.items()]
        self.memo: dict[Any, Any] = {}


# all on which contact, heights and sight depend; what changes most often comes first
COLUMNS = "pose where inside way wings fleeing over climbs climbed gone spots damage"
_columns: Callable[[OnusState], tuple[list[Any], ...]] = attrgetter(*COLUMNS.split())


def position(state: OnusState) -> Position:
    """The position on the table; the last ones are remembered, the one last asked for first."""
    recent: list[Position] = state.roster.kept.setdefault("positions", [])
    columns = _columns(state)
    for n, known in enumerate(recent):
        if known.columns == columns:
            if n:
                recent.insert(0, recent.pop(n))
            return known
    found = Position(state)
    recent.insert(0, found)
    del recent[KEPT:]
    return found


def around(patches: list[Patch]) -> Box:
    """The box around some patches."""
    if len(patches) == 1:
        return patches[0].box
    return plane.boxed([point for patch in patches for point in patch.points])


def laid(state: OnusState) -> dict[int, list[Patch]]:
    """What every unit on the table covers."""
    return position(state).patches


def near_units(state: OnusState, i: int, margin: float, side: int | None = None) -> list[int]:
    """The other units on the table whose boxes come as near to that of unit ``i`` as the margin."""
    table = position(state)
    box = around(table.patches[i] if i in table.patches else patches_of(state, i))
    return [j for j in units_in(state, box, margin, side) if j != i]


def units_in(state: OnusState, box: Box, margin: float = 0, side: int | None = None) -> list[int]:
    """The units, of a side if told, whose boxes come as near to a box as the margin."""
    left, top, right, bottom = box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin
    return [
        j
        for j, whose, (a, b, c, d) in position(state).boxes
        if a <= right and c >= left and b <= bottom and d >= top and side in (None, whose)
    ]


def shape_of(state: OnusState, i: int, inset: float = 0, pose: Pose | None = None) -> BaseGeometry:
    """What a unit covers; in a structure it is that in which it is, in a passage its markers."""
    if state.where[i] == INSIDE:
        return structure_shape(state, state.inside[i])
    if state.where[i] == CROSSING:
        return plane.card(*body(state, i), inset)
    at = state.pose[i] if pose is None else pose
    return extended(state.wings[i], at, inset) if state.wings[i] else plane.card(at, CARD, inset)


@lru_cache(maxsize=5_000)
def extended(wings: int, pose: Pose, inset: float = 0) -> BaseGeometry:
    """OH.formation.6: a card with the sections that are added to its front row."""
    return shapely.union(plane.card(pose, CARD, inset), plane.card(*front_row(wings, pose), inset))


def units_on(state: OnusState, side: int | None = None) -> list[int]:
    """The units on the table, in structures and on bridges too."""
    where = state.where
    if side is None:
        return [i for i, place in enumerate(where) if place in ON_TABLE]
    return [i for i in state.roster.of_side[side] if where[i] in ON_TABLE]


def standing(state: OnusState, kinds: tuple[str, ...] | None = None) -> list[int]:
    """The structures that still stand, of some kinds."""
    kept: dict[tuple[str, ...] | None, list[int]] = state.roster.kept.setdefault("kinds", {})
    if kinds not in kept:
        structures = state.roster.structures
        kept[kinds] = [n for n, one in enumerate(structures) if kinds is None or one.kind in kinds]
    return [n for n in kept[kinds] if not state.gone[n]]


def holder(state: OnusState, n: int) -> int:
    """The unit that holds a structure or crosses it, or -1."""
    return next((i for i in units_on(state) if state.inside[i] == n), -1)


# --- ground --------------------------------------------------------------------------------------


def tiles(state: OnusState, *kinds: str) -> list[Ground]:
    kept: dict[tuple[str, ...], list[Ground]] = state.roster.kept.setdefault("tiles", {})
    if kinds not in kept:
        kept[kinds] = [ground for ground in state.roster.grounds if ground.kind in kinds]
    return kept[kinds]


def grounds(state: OnusState, *kinds: str) -> Iterator[Polygon]:
    return (ground.shape for ground in tiles(state, *kinds))


def fords(state: OnusState) -> list[Ground]:
    """O3.river.scenario: fords, and rivers that a scenario opens."""
    return tiles(state, FORD, RIVER) if state.roster.rules.open_rivers else tiles(state, FORD)


def is_in(state: OnusState, i: int, kind: str) -> bool:
    """O3.forest.centre O3.hill.on-top O3.hill.example: the middle of a card lies over such a ground."""
    if state.where[i] != FIELD:
        return False
    return any(plane.lies_on(ground.patch, state.pose[i]) for ground in tiles(state, kind))


def impassable(state: OnusState) -> list[BaseGeometry]:
    """O3.impassable O3.river.impassable: mountains, lakes, and rivers but for their fords."""
    kept = state.roster.kept
    if "impassable" not in kept:
        shapes: list[BaseGeometry] = list(grounds(state, MOUNTAIN, LAKE))
        if not state.roster.rules.open_rivers:
            shapes += _rivers(state)
        kept["impassable"] = shapes
    found: list[BaseGeometry] = kept["impassable"]
    return found


def _rivers(state: OnusState) -> list[BaseGeometry]:
    """O3.river.impassable: what is left of the rivers beside the fords."""
    water = shapely.union_all(list(grounds(state, RIVER)))
    shallow = shapely.union_all(list(grounds(state, FORD)))
    rest = water if shallow.is_empty else water.difference(plane.grown(shallow, 1))
    return [part for part in shapely.get_parts(rest) if not part.is_empty]


def rocks(state: OnusState) -> list[Patch]:
    """What is impassable, as patches."""
    kept = state.roster.kept
    if "rocks" not in kept:
        parts = [part for shape in impassable(state) for part in _simple(shape)]
        kept["rocks"] = [Patch((x, y) for x, y, *_ in part.exterior.coords[:-1]) for part in parts]
    found: list[Patch] = kept["rocks"]
    return found


def _simple(shape: BaseGeometry) -> list[Polygon]:
    """A shape without holes, cut in two through each of its holes."""
    parts: list[Polygon] = [part for part in shapely.get_parts(shape) if isinstance(part, Polygon)]
    found: list[Polygon] = []
    for part in parts:
        if not part.interiors:
            found.append(part)
            continue
        middle = part.interiors[0].centroid.x
        left, top, right, bottom = part.bounds
        halves = (shapely.box(left, top, middle, bottom), shapely.box(middle, top, right, bottom))
        found += [piece for half in halves for piece in _simple(part.intersection(half))]
    return found


def difficult(state: OnusState) -> list[Patch]:
    """O2.difficult.cost O3.forest.movement O3.ford.movement O4.village.move-through O4.caltrops.movement."""
    structures = state.roster.structures
    found = [ground.patch for ground in (*tiles(state, FOREST), *fords(state))]
    return found + [structures[n].patch for n in standing(state, (VILLAGE, CALTROPS))]


# --- contact -------------------------------------------------------------------------------------


def sections_on(pose: Pose, size: Size, wings: int, side: int, near: BaseGeometry) -> list[int]:
    """OH.contact.1: the sections of one side of a unit that lie against a shape, grown by the tolerance."""
    row = front_row(wings, pose) if side == FRONT and wings else (pose, size)
    return plane.against(*row, side, SECTION, LEAST, near)


def near_shape(state: OnusState, i: int) -> BaseGeometry:
    """A unit's shape, grown by the tolerance."""
    if state.where[i] != FIELD or not state.wings[i]:
        return plane.card(*body(state, i), -TOLERANCE)
    return plane.grown(shape_of(state, i))


def contacts(state: OnusState, i: int, j: int) -> list[tuple[int, int]]:
    """OH.contact.1 OH.contact.2: the sections of ``i`` that touch ``j``: their sides and numbers."""
    near, wings = near_shape(state, j), state.wings[i] if state.where[i] == FIELD else 0
    found = [(side, n) for side in SIDES for n in sections_on(*body(state, i), wings, side, near)]
    return found or [(FRONT, n) for n in across_barricade(state, i, j)]


def touched_side(state: OnusState, i: int, j: int) -> int | None:
    """On which side of unit ``i`` unit ``j`` touches it: where most sections meet; None if nowhere."""
    counts = [0, 0, 0, 0]
    for side, _ in contacts(state, i, j):
        counts[side] += 1
    most = max(counts)
    return counts.index(most) if most else None


def across_barricade(state: OnusState, i: int, j: int) -> list[int]:
    """OH.contact.2: the front sections of ``i`` that face the front of ``j`` over a barricade."""
    if state.where[i] != FIELD or state.where[j] != FIELD:
        return []
    for n in standing(state, (BARRICADE,)):
        work = state.roster.structures[n]
        sides = [_face(state, k, work) for k in (i, j)]
        if sides[0] * sides[1] < 0:
            low, high = sorted(along(work, point) for point in plane.edge(*front_size(state, j), FRONT))
            low, high = max(low, -work.size.front / 2), min(high, work.size.front / 2)
            pose, size = front_size(state, i)
            ends = [
                sorted((along(work, a), along(work, b)))
                for a, b in plane.sections(pose, size, FRONT, SECTION)
            ]
            return [k for k, (a, b) in enumerate(ends) if min(b, high) - max(a, low) >= LEAST]
    return []


def along(work: Structure, point: XY) -> float:
    """How far along a work a point lies, from its middle."""
    return plane.seen(work.pose, point)[0]


def _face(state: OnusState, i: int, work: Structure) -> int:
    """On which face of a work the front of a unit lies: 1 ahead of it, -1 behind it, 0 on neither."""
    if not plane.meet(plane.patch(state.pose[i], CARD).box, work.patch.box, TOLERANCE):
        return 0
    if not plane.against(*front_size(state, i), FRONT, SECTION, LEAST, work.near):
        return 0
    _, ahead = plane.seen(work.pose, (state.pose[i].x, state.pose[i].y))
    return 1 if ahead > work.size.depth / 2 else -1 if ahead < -work.size.depth / 2 else 0


def touching(state: OnusState, i: int, j: int) -> bool:
    """OH.contact.1 OH.contact.2: whether two units lie against each other, section by section."""
    table, key = position(state), ("touching", i, j)
    if key not in table.memo:
        near = i in table.patches and j in near_units(state, i, SECTION)
        table.memo[key] = near and _touching(state, i, j)
    return bool(table.memo[key])


def _touching(state: OnusState, i: int, j: int) -> bool:
    if not plane.touches(shape_of(state, i), shape_of(state, j)):
        return bool(across_barricade(state, i, j))
    if state.where[i] == INSIDE:
        i, j = j, i
        if state.where[i] == INSIDE:
            return True
    return touched_side(state, i, j) is not None


def enemies_touching(state: OnusState, i: int) -> list[int]:
    """The enemies against which a unit lies."""
    table, key = position(state), ("foes", i)
    if key not in table.memo:
        side = other(state.roster.units[i].side)
        near = near_units(state, i, SECTION, side) if i in table.patches else []
        table.memo[key] = [j for j in near if _touching(state, i, j)]
    return list(table.memo[key])


def engaged(state: OnusState, i: int) -> list[int]:
    """OH.melee.9: the enemies who hold a unit in melee; across a barricade or a wall nobody is held."""
    foes = [j for j in enemies_touching(state, i) if not state.fleeing[j] and not _apart(state, i, j)]
    return [j for j in foes if plane.touches(shape_of(state, i), shape_of(state, j))]


def _apart(state: OnusState, i: int, j: int) -> bool:
    """O4.village.shared O2.melee-same-height O2.cavalry.no-assault: walls keep them from each other."""
    if state.where[i] == INSIDE and state.where[j] == INSIDE:
        return True
    for a, b in ((i, j), (j, i)):
        if state.where[a] == INSIDE:
            tower = state.roster.structures[state.inside[a]].kind in TOWERS
            return tower or cannot_storm(state, b)
    return False


def cannot_storm(state: OnusState, i: int) -> bool:
    """O2.cavalry.no-assault O2.cavalry.elephants: mounted units other than elephants."""
    kind = state.roster.units[i].kind
    return MOUNTED in kind.traits and kind.id != ELEPHANTS


def at_truce(state: OnusState, i: int, j: int) -> bool:
    """OH.melee.9: who has withdrawn and who stood against him do not fight in this turn."""
    return any(turn == state.turn and {a, b} == {i, j} for turn, a, b in state.truces)
