"""3 Choke points: the narrow ways over bridges, through gates and breaches, and where markers lie in them.

Only the shape of a passage is told here; who may use it is asked in ``walls`` and ``crossing``.
"""

from __future__ import annotations

from typing import NamedTuple

import shapely
from shapely import LineString

from ...parts import plane
from ...parts.plane import FRONT, FULL, RIGHT_ANGLE, XY, Patch, Pose, Size
from .sorts import CORNER, GATE, TOWER
from .state import BRIDGES, CARD, SECTION, OnusState, Structure

OPENING = SECTION  # OH.piece.1: the gate opens so far to both sides of the middle of its wall
ASKEW = 450  # tenths of a degree by which a card may be off the axis of a passage that it enters

Edge = tuple[XY, XY]


class Face(NamedTuple):
    """An outer face of a piece and the inner one behind it; ``place`` is its middle, looking outwards."""

    place: Pose
    outer: Edge
    inner: Edge

    def along(self, point: XY) -> float:
        """How far to the right of the middle a point lies, as seen from within."""
        return plane.seen(self.place, point)[0]


class Passage(NamedTuple):
    """O3.choke.when: a narrow way: its structure, its middle, looking along it, its width and its length."""

    structure: int
    place: Pose
    size: Size

    @property
    def sections(self) -> int:
        """How many sections fit into its width."""
        return self.size.front // SECTION

    @property
    def length(self) -> int:
        """How far the front goes from one end until all of the card is beyond the other."""
        return self.size.depth + CARD.depth

    @property
    def patch(self) -> Patch:
        return plane.patch(self.place, self.size)

    @property
    def markers(self) -> Size:
        """O3.choke.when: what a unit covers in it: as wide as the passage, as deep as a card."""
        return Size(self.size.front, CARD.depth)

    def towards(self, turn: int) -> int | None:
        """The direction of the passage that is nearest to another one; None if it leads across."""
        for way in (self.place.turn, (self.place.turn + FULL // 2) % FULL):
            if abs(plane.between(turn, way)) <= ASKEW:
                return way
        return None

    def pose_at(self, turn: int, way: int) -> Pose:
        """The pose of a unit whose front is so far in, counted from the end that is behind it."""
        middle = Pose(self.place.x, self.place.y, turn)
        return plane.moved(middle, 0, way - self.size.depth / 2 - CARD.depth / 2)

    def way_of(self, turn: int, point: XY) -> tuple[float, float]:
        """How far to the right of the axis a point is, and how far in."""
        along, ahead = plane.seen(Pose(self.place.x, self.place.y, turn), point)
        return along, ahead + self.size.depth / 2


# --- shapes --------------------------------------------------------------------------------------


def faces_of(structure: Structure) -> tuple[Face, ...]:
    """OH.piece.1 O4.corner.capacity: one of a wall; two of a corner wall, both before the same cell."""
    pose, half, deep = structure.pose, structure.size.front / 2, structure.size.depth / 2
    if structure.kind != CORNER:
        outer = plane.edge(pose, structure.size, FRONT)
        inner = plane.at(pose, -half, -deep), plane.at(pose, half, -deep)
        return (Face(pose, outer, inner),)
    cell = half - SECTION
    front = (-half, half), (half, half), (-half, cell), (cell, cell)
    right = (half, half), (half, -half), (cell, cell), (cell, -half)
    found = []
    for turn, points in ((0, front), (RIGHT_ANGLE, right)):
        a, b, c, d = (plane.at(pose, *point) for point in points)
        found.append(Face(plane.turned(pose, turn), (a, b), (c, d)))
    return tuple(found)


def tower_edges(state: OnusState, n: int) -> list[tuple[int, Edge, bool]]:
    """O4.occupy.tower-inside O4.occupy.tower-exit: its sides, and which of them are open to the inside.

    A side that is all hidden by other pieces is left out.
    """
    keep = state.roster.keep
    assert keep is not None
    pose, size = state.roster.structures[n].pose, state.roster.structures[n].size
    found = []
    for side in plane.SIDES:
        edge = plane.edge(pose, size, side)
        middle = _open_part(state, n, edge)
        if middle is None:
            continue
        turn = (pose.turn + side * RIGHT_ANGLE) % FULL
        ahead = plane.moved(Pose(*middle[0], turn), 0, 2 * SPARE)
        found.append((side, edge, plane.contains(keep.shape, ahead)))
    return found


SPARE = 4  # hundredths beyond an edge at which one looks what is there


def _open_part(state: OnusState, n: int, edge: Edge) -> tuple[tuple[int, int], int] | None:
    """The middle and the length of what other pieces leave free of an edge of a tower; None if too little."""
    keep = state.roster.keep
    assert keep is not None
    rest = [state.roster.structures[k].near for k in keep.neighbours[keep.pieces.index(n)]]
    line = LineString(edge).difference(shapely.union_all(rest)) if rest else LineString(edge)
    if line.length < SECTION / 4:
        return None
    return (round(line.centroid.x), round(line.centroid.y)), round(line.length)


def passages(state: OnusState, n: int) -> tuple[Passage, ...]:
    """O3.choke.when: the ways through a structure: a bridge, a gate, a fallen piece of a fortress."""
    kept: dict[tuple[int, int], tuple[Passage, ...]] = state.roster.kept.setdefault("passages", {})
    key = n, state.gone[n]
    if key not in kept:
        kept[key] = tuple(_passages(state, n))
    return kept[key]


def _passages(state: OnusState, n: int) -> list[Passage]:
    structure = state.roster.structures[n]
    if structure.kind in BRIDGES:
        return [Passage(n, structure.pose, structure.size)]
    if structure.kind == GATE and not state.gone[n]:
        return [Passage(n, structure.pose, Size(2 * OPENING, structure.size.depth))]
    if structure.kind == TOWER:
        return _through_tower(state, n)
    return [_behind(n, face) for face in faces_of(structure)]


def _behind(n: int, face: Face) -> Passage:
    """As wide as the inner face, as deep as the wall."""
    (x1, y1), (x2, y2) = face.inner
    inner = Pose(round((x1 + x2) / 2), round((y1 + y2) / 2), face.place.turn)
    width = round(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5)
    return Passage(n, plane.moved(inner, 0, SECTION / 2), Size(width, SECTION))


def _through_tower(state: OnusState, n: int) -> list[Passage]:
    """Where a tower stood: to each side that is open to the inside, as wide as it is open."""
    pose, size = state.roster.structures[n].pose, state.roster.structures[n].size
    found = []
    for side, edge, inner in tower_edges(state, n):
        part = _open_part(state, n, edge)
        if inner and part is not None:
            outward = (pose.turn + side * RIGHT_ANGLE + FULL // 2) % FULL
            place = plane.moved(Pose(*part[0], outward), 0, size.depth / 2)
            width = max(SECTION, part[1] // SECTION * SECTION)
            found.append(Passage(n, place, Size(width, size.depth)))
    return found


def passage_at(state: OnusState, n: int, turn: int) -> Passage:
    """The way through a structure that leads in a direction, or back."""
    found = passages(state, n)
    return next((one for one in found if one.towards(turn) is not None), found[0])


def passage_of(state: OnusState, i: int) -> Passage:
    """The passage in which a unit is."""
    return passage_at(state, state.inside[i], state.pose[i].turn)
