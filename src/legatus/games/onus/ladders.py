"""5 Assault: where a unit faces what it climbs, and how it wraps round a tower."""

from __future__ import annotations

from collections.abc import Iterator

from shapely import LineString
from shapely.geometry.base import BaseGeometry

from ...parts import plane
from ...parts.plane import FRONT, FULL, RIGHT_ANGLE, TOLERANCE, Pose, Size
from .motion import Path, has_room, is_barred, off_table, solid
from .passages import Edge, tower_edges
from .ramparts import faces, strips
from .state import CARD, SECTION, TOWERS, WALLS, OnusState
from .table import (
    front_row,
    parts_at,
    shape_of,
    structure_body,
    structure_patch,
    structure_shape,
    units_on,
)
from .walls import pieces

MARKER = Size(SECTION, SECTION)  # OH.marker.1


# --- where one climbs ----------------------------------------------------------------------------


def outer_edges(state: OnusState, n: int) -> list[tuple[Edge, int]]:
    """The faces by which a structure is climbed, each with the direction that faces it."""
    structure = state.roster.structures[n]
    if structure.kind in WALLS:
        return [(face.outer, (face.place.turn + FULL // 2) % FULL) for face in faces(state, n)]
    pose, size = structure_body(state, n)
    sides = [(side, plane.edge(pose, size, side)) for side in plane.SIDES]
    if n in pieces(state):
        sides = [(side, edge) for side, edge, inner in tower_edges(state, n) if not inner]
    return [(edge, (pose.turn + side * RIGHT_ANGLE + FULL // 2) % FULL) for side, edge in sides]


def footholds(state: OnusState, n: int) -> tuple[Pose, ...]:
    """The places of a card before the middle of each outer face of a piece, its front to it."""
    kept: dict[int, tuple[Pose, ...]] = state.roster.kept.setdefault("footholds", {})
    if n not in kept:
        found = [_before(edge, facing) for edge, facing in outer_edges(state, n)]
        kept[n] = tuple(place for place in found if plane.contains(state.roster.field, place))
    return kept[n]


def _before(edge: Edge, facing: int) -> Pose:
    (x1, y1), (x2, y2) = edge
    middle = Pose(round((x1 + x2) / 2), round((y1 + y2) / 2), facing)
    return plane.moved(middle, 0, -CARD.depth / 2)


def stances(state: OnusState, i: int, n: int) -> Iterator[tuple[Pose, Edge]]:
    """O5.assault.auto-engage O5.assault.align-marks: its front at a face that it touches, mark by mark.

    The nearest to where it stands come first.
    """
    here = state.pose[i]
    cards = [plane.card(*part) for part in parts_at(state, i, here)]
    for edge, facing in outer_edges(state, n):
        line = LineString(edge)
        if any(plane.touches(card, line) for card in cards) and _ahead(here, edge, facing) > 0:
            yield from ((pose, edge) for pose in marks_along(here, edge, facing))


def _ahead(pose: Pose, edge: Edge, facing: int) -> float:
    """How far ahead of a card's middle an edge lies, for who faces it."""
    x, y = edge[0]
    return plane.seen(Pose(pose.x, pose.y, facing), (x, y))[1]


def marks_along(pose: Pose, edge: Edge, facing: int, size: Size = CARD) -> Iterator[Pose]:
    """The poses in which a card that faces an edge has its sections at the marks, the nearest first."""
    place = Pose(pose.x, pose.y, facing)
    ends = sorted(plane.seen(place, point)[0] for point in edge)
    gap = _ahead(pose, edge, facing) - size.depth / 2
    shift = (ends[0] + size.front / 2) % SECTION
    steps = [shift + k * SECTION for k in range(-4, 4)]
    for step in sorted(steps, key=abs):
        low, high = step - size.front / 2, step + size.front / 2
        if min(high, ends[1]) - max(low, ends[0]) >= SECTION - TOLERANCE:
            yield plane.moved(place, step, gap)


def stance(state: OnusState, i: int, n: int) -> tuple[Pose, Edge] | None:
    """O5.assault.align-marks: where a unit faces what it climbs, at no cost; None if it cannot."""
    spared = [structure_patch(state, k) for k in (n, *pieces(state)) if not state.gone[k]]
    for pose, edge in stances(state, i, n):
        path = Path((state.pose[i], pose), 0)
        if has_room(state, i, pose) and not is_barred(state, i, path, beside=spared):
            return pose, edge
    return None


# --- wrapping round a tower ----------------------------------------------------------------------


def wrap_room(state: OnusState, i: int, n: int, end: Pose, edge: Edge) -> tuple[int, int]:
    """O5.assault.envelop-first O4.tower.width: how many markers find room on the tower's left and right."""
    if state.roster.structures[n].kind not in TOWERS:
        return 0, 0
    blocks = [shape for shape in solid(state, i) if not shape.equals(structure_shape(state, n))]
    blocks += [shape_of(state, k) for k in units_on(state) if k != i and state.inside[k] != n]
    pose, size = structure_body(state, n)
    near = ((end.turn + FULL // 2 - pose.turn + RIGHT_ANGLE // 2) % FULL) // RIGHT_ANGLE
    own = plane.union([plane.card(*part) for part in parts_at(state, i, end)])
    left, right = (_room(state, pose, size, (near + step) % 4, step, own, blocks) for step in (1, 3))
    free = free_sections(state, i, end, edge)
    return min(left, free), min(right, free)


def free_sections(state: OnusState, i: int, end: Pose, edge: Edge) -> int:
    """O5.assault.extend: how many of its front sections, 4 or up to 6, do not lie against a face."""
    found = strips(end, CARD, state.wings[i], edge)
    at_face = [strip for strip in found if strip.side == FRONT]
    return front_row(state.wings[i], end)[1].front // SECTION - len(at_face)


def _room(
    state: OnusState,
    pose: Pose,
    size: Size,
    side: int,
    step: int,
    own: BaseGeometry,
    blocks: list[BaseGeometry],
) -> int:
    edges = plane.sections(pose, size, side, SECTION)
    turn = (pose.turn + side * RIGHT_ANGLE) % FULL
    count = 0
    for a, b in edges if step == 1 else edges[::-1]:
        middle = plane.moved(Pose(round((a[0] + b[0]) / 2), round((a[1] + b[1]) / 2), turn), 0, SECTION / 2)
        square, inner = plane.card(middle, MARKER), plane.card(middle, MARKER, TOLERANCE)
        if not plane.touches(square, own) or off_table(state, inner):
            break
        if any(inner.intersects(shape) for shape in blocks):
            break
        own = own.union(square)
        count += 1
    return count


def best_wrap(state: OnusState, i: int, n: int) -> tuple[int, int]:
    """As many sections round a tower as can be."""
    found = stance(state, i, n)
    if found is None:
        return 0, 0
    end, edge = found
    left, right = wrap_room(state, i, n, end, edge)
    return left, min(right, free_sections(state, i, end, edge) - left)
