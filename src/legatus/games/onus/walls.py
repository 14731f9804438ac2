"""4 The fortress as what is in the way: its pieces and openings, and cards that lie over one another in it.

Who mans which wall and who meets whom across it is asked in ``ramparts``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

import shapely
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from ...parts import plane
from ...parts.plane import FULL, RIGHT_ANGLE, TOLERANCE, Patch, Pose, Size
from .fortress import Piece
from .passages import Edge, tower_edges
from .ramparts import FAR, Sections, covering, faces, is_gate_down, is_within, manned, strips
from .sorts import CORNER, TOWER
from .state import CARD, FIELD, NOBODY, SECTION, TOWERS, WALLS, OnusState, Structure
from .table import around as reach
from .table import front_row, laid, parts_at, position, structure_patch, units_in

CELL = Size(SECTION, SECTION)
OUT_OF = 2  # what ``way`` has more than the number of the structure over which a unit lies that has left it
BEYOND = 1000  # hundredths, farther than cards reach
FIT = 2 * TOLERANCE  # how exactly cards lie over one another, after rounding


# --- what stands ---------------------------------------------------------------------------------


def pieces(state: OnusState) -> tuple[int, ...]:
    """The structures of which the fortress is made."""
    return state.roster.keep.pieces if state.roster.keep else ()


def piece_of(structure: Structure) -> Piece:
    return Piece(structure.id, structure.kind, structure.material, structure.pose)


def closed_pieces(state: OnusState) -> list[int]:
    """O4.wall.attacker-ways: what of the fortress still stands in everybody's way."""
    return [n for n in pieces(state) if not state.gone[n]]


def around(state: OnusState, n: int) -> tuple[int, ...]:
    """The standing pieces that adjoin a piece of the fortress."""
    keep = state.roster.keep
    if keep is None or n not in keep.pieces:
        return ()
    return tuple(k for k in keep.neighbours[keep.pieces.index(n)] if not state.gone[k])


def near_walls(state: OnusState, pose: Pose) -> list[int]:
    """The walls that stand near enough to a place to be touched from there."""
    return [
        n
        for n in closed_pieces(state)
        if state.roster.structures[n].kind in WALLS and _is_near(state.roster.structures[n].pose, pose)
    ]


def _is_near(a: Pose, b: Pose) -> bool:
    return abs(a.x - b.x) < FAR and abs(a.y - b.y) < FAR


def solid_patches(state: OnusState, n: int) -> list[Patch]:
    """O4.gate.shared-damage: what of a structure is in the way; if its gate is down, the ends of a wall."""
    structure = state.roster.structures[n]
    if not is_gate_down(state, n):
        return [structure_patch(state, n)]
    kept: dict[int, list[Patch]] = state.roster.kept.setdefault("jambs", {})
    if n not in kept:
        shift = structure.size.front / 2 - SECTION / 2
        ends = [plane.moved(structure.pose, along, 0) for along in (-shift, shift)]
        kept[n] = [plane.patch(end, Size(SECTION, structure.size.depth)) for end in ends]
    return kept[n]


# --- openings ------------------------------------------------------------------------------------


class Opening(NamedTuple):
    """Where one can get through: the structure, its clause, and the place."""

    structure: int
    clause: str
    patch: Patch


def openings(state: OnusState, side: int, mover: int = NOBODY) -> list[Opening]:
    """O4.wall.breach-move O4.gate.pass: what has fallen; and their gates for those who own them."""
    memo, key = position(state).memo, ("openings", side, mover)
    if key not in memo:
        memo[key] = list(_openings(state, side, mover))
    found: list[Opening] = memo[key]
    return found


def _openings(state: OnusState, side: int, mover: int) -> Iterator[Opening]:
    for n in pieces(state):
        structure = state.roster.structures[n]
        if state.gone[n]:
            yield Opening(n, "O4.wall.breach-move", structure.patch)
            continue
        gate = piece_of(structure).opening
        if gate is None:
            continue
        if is_gate_down(state, n):
            yield Opening(n, "O4.wall.breach-move", _patch(gate))
        elif structure.owner == side and not is_blocked(state, n, side, mover):
            yield Opening(n, "O4.gate.pass", _patch(gate))


def _patch(shape: Polygon) -> Patch:
    return Patch((x, y) for x, y in shape.exterior.coords[:-1])


def is_blocked(state: OnusState, n: int, side: int, mover: int = NOBODY) -> bool:
    """O4.gate.blocked: an enemy touches the gate, or somebody else stands against it outside."""
    gate = piece_of(state.roster.structures[n]).opening
    assert gate is not None
    found = [j for j in units_in(state, gate.bounds, TOLERANCE) if state.where[j] == FIELD and j != mover]
    near = [j for j in found if state.roster.units[j].side != side or not is_within(state, j)]
    return any(plane.touches(patch.shape, gate) for j in near for patch in laid(state)[j])


def through(state: OnusState, i: int, stations: Iterable[Pose]) -> list[Opening]:
    """O4.gate.pass O4.wall.breach-move: the openings through which the middle of a card goes straight.

    O4.gate.example-sortie: in a charge too, and on the way back.
    """
    found = openings(state, state.roster.units[i].side, i) if state.roster.keep else []
    if not found:
        return []
    legs = [((a.x, a.y), (b.x, b.y)) for a, b in pairwise(stations) if a.turn == b.turn and a != b]
    return [one for one in found if any(crosses(leg, one.patch) for leg in legs)]


def crosses(leg: tuple[plane.XY, plane.XY], patch: Patch) -> bool:
    """Whether a point goes through a place."""
    near = plane.meet(plane.boxed(leg), patch.box)
    return near and bool(LineString(leg).intersection(patch.shape).length > TOLERANCE)


def beside(state: OnusState, gaps: Iterable[Opening]) -> list[Patch]:
    """The pieces that hinder nobody who goes through an opening: its own remains and its neighbours."""
    keep = state.roster.keep
    assert keep is not None
    numbers = {n for gap in gaps for n in (gap.structure, *keep.neighbours[keep.pieces.index(gap.structure)])}
    return [patch for n in sorted(numbers) if not state.gone[n] for patch in solid_patches(state, n)]


# --- over one another ----------------------------------------------------------------------------


def friends_at(state: OnusState, i: int, pose: Pose) -> list[int]:
    """The friends over or under whom a card would lie at a pose; it is the same seen from either of them."""
    parts = parts_at(state, i, pose)
    box = reach([plane.patch(*part) for part in parts])
    side = state.roster.units[i].side
    own = [j for j in units_in(state, box, 0, side) if j != i and state.where[j] == FIELD]
    return [j for j in own if _overlap(parts, parts_at(state, j, state.pose[j]))]


def _overlap(parts: list[tuple[Pose, Size]], others: list[tuple[Pose, Size]]) -> bool:
    """Whether what two units cover overlaps by more than the tolerance."""
    half = TOLERANCE / 2
    return any(plane.card(*a, half).intersects(plane.card(*b, half)) for a in parts for b in others)


def lies_within(state: OnusState, pose: Pose) -> bool:
    """O2.overlap: the whole card would lie within the outer faces of the fortress."""
    keep = state.roster.keep
    if keep is None:
        return False
    shapely.prepare(keep.shape)
    return bool(keep.shape.covers(plane.card(pose, CARD, FIT)))


def is_in_line(a: Pose, b: Pose) -> bool:
    """O4.overlap.align O4.wall.example-approach: fronts on one line, section on section."""
    if abs(plane.between(a.turn, b.turn)) > 1:
        return False
    along, ahead = plane.seen(a, (b.x, b.y))
    return abs(ahead) <= FIT and abs((along + SECTION / 2) % SECTION - SECTION / 2) <= FIT


def share_corner(a: Pose, b: Pose, wings: tuple[int, int] = (0, 0)) -> bool:
    """OH.piece.3: at a right angle, with one rear section of each in common and nothing of added sections."""
    if abs(abs(plane.between(a.turn, b.turn)) - RIGHT_ANGLE) > 1:
        return False
    one, two = (_cover(pose, added) for pose, added in zip((a, b), wings, strict=True))
    common = one.intersection(two)
    if common.is_empty or common.area > (SECTION + FIT) ** 2:
        return False
    middle = common.centroid
    return all(plane.seen(pose, (middle.x, middle.y))[1] < 0 for pose in (a, b))


def _cover(pose: Pose, wings: int) -> BaseGeometry:
    card = plane.card(pose, CARD)
    return card.union(plane.card(*front_row(wings, pose))) if wings else card


def overlap_fault(state: OnusState, i: int, pose: Pose) -> str:
    """O4.overlap.align O4.overlap.depth O4.corner.capacity: the clause against lying there; none if empty."""
    friends = friends_at(state, i, pose)
    if not friends:
        return ""
    if not lies_within(state, pose) or not all(lies_within(state, state.pose[j]) for j in friends):
        return "OH.move.8"
    for j in friends:
        wings = state.wings[i], state.wings[j]
        if not is_in_line(pose, state.pose[j]) and not share_corner(pose, state.pose[j], wings):
            return "O4.overlap.align"
    level = [j for j in friends if is_in_line(pose, state.pose[j])]
    if any(_has_both(cell, pose, state.pose[j]) for cell in cells(state) for j in friends):
        return "O4.corner.capacity"
    table = laid(state)
    for spot in squares(state, i, pose) if len(level) > 1 else ():
        if sum(any(plane.lies_on(patch, spot) for patch in table[j]) for j in level) > 1:
            return "O4.overlap.depth"
    return ""


def squares(state: OnusState, i: int, pose: Pose) -> list[Pose]:
    """The middles of the sections of a unit at a pose."""
    found = []
    for place, size in parts_at(state, i, pose):
        for row in range(size.depth // SECTION):
            for column in range(size.front // SECTION):
                along = (column + 0.5) * SECTION - size.front / 2
                found.append(plane.moved(place, along, size.depth / 2 - (row + 0.5) * SECTION))
    return list(dict.fromkeys(found))


def cells(state: OnusState) -> list[Pose]:
    """O4.corner.capacity: the middles of the cells of the corner walls that stand."""
    corners = [n for n in closed_pieces(state) if state.roster.structures[n].kind == CORNER]
    return [plane.moved(state.roster.structures[n].pose, -SECTION / 2, -SECTION / 2) for n in corners]


def _has_both(cell: Pose, a: Pose, b: Pose) -> bool:
    return all(plane.contains(plane.card(pose, CARD), cell) for pose in (a, b))


def lay(state: OnusState, i: int) -> None:
    """O4.overlap.choose-top: who has moved lies on top of all that he lies over, unless told otherwise."""
    if state.roster.keep is None:
        return
    state.over = [pair for pair in state.over if i not in pair]
    if state.where[i] == FIELD:
        under = friends_at(state, i, state.pose[i])
        state.over += [(i, j) for j in under if is_in_line(state.pose[i], state.pose[j])]
    state.over.sort()


def part(state: OnusState, i: int) -> None:
    """O4.overlap.choose-top: who has lost sections lies on nobody any more whom only those covered."""
    still = {i, *friends_at(state, i, state.pose[i])}
    state.over = [pair for pair in state.over if i not in pair or still.issuperset(pair)]


def tuck(state: OnusState, i: int, j: int) -> None:
    """O4.overlap.choose-top: the unit lies under a friend, or on top of him if it lay under him."""
    state.over = sorted((b, a) if {a, b} == {i, j} else (a, b) for a, b in state.over)


def covered(state: OnusState, i: int) -> int:
    """O4.overlap.ranged: how many of the sections of a unit lie under friends."""
    tops = covering(state, i)
    spots = squares(state, i, state.pose[i])
    return sum(any(plane.contains(top, spot) for top in tops) for spot in spots)


def slips_back(state: OnusState, i: int, end: Pose) -> bool:
    """O4.exit-overlap.when: a card that lies over a wall which it has left would come back over it."""
    if state.where[i] != FIELD or state.way[i] < OUT_OF:
        return False
    wall = state.roster.structures[state.way[i] - OUT_OF]
    start = state.pose[i]
    _, side = plane.seen(wall.pose, plane.at(start, 0, CARD.depth / 2))
    across = wall.size.depth / 2 - BEYOND
    back = plane.card(
        plane.moved(wall.pose, 0, across if side > 0 else -across), Size(2 * BEYOND, 2 * BEYOND)
    )
    old, new = (plane.card(pose, CARD).intersection(back).area for pose in (start, end))
    return bool(new > old + CARD.front)


# --- against a wall ------------------------------------------------------------------------------


def posts(state: OnusState, i: int, n: int, pose: Pose | None = None) -> Iterator[Pose]:
    """O4.wall.face: where a card that touches a wall lies with its sections at the marks, the nearest first.

    With its front against the outer or the inner face that it touches, at most a section farther along.
    """
    here = state.pose[i] if pose is None else pose
    for face in faces(state, n):
        outward = face.place.turn
        for edge, facing in ((face.inner, outward), (face.outer, (outward + FULL // 2) % FULL)):
            if _touches_edge(state, i, here, edge) and _is_before(here, edge, facing):
                yield from _marks(here, edge, facing)


def _touches_edge(state: OnusState, i: int, pose: Pose, edge: Edge) -> bool:
    box, parts = plane.boxed(edge), parts_at(state, i, pose)
    near = [part for part in parts if plane.meet(plane.patch(*part).box, box, TOLERANCE)]
    return any(plane.touches(plane.card(*part), LineString(edge)) for part in near)


def _is_before(pose: Pose, edge: Edge, facing: int) -> bool:
    """The middle of a card lies on that side of an edge from which one faces it so."""
    (x, y), _ = edge
    return plane.seen(Pose(round(x), round(y), facing), (pose.x, pose.y))[1] < 0


def _marks(pose: Pose, edge: Edge, facing: int) -> Iterator[Pose]:
    (x, y), _ = sorted(edge, key=lambda end: plane.seen(Pose(0, 0, facing), end)[0])
    corner = Pose(round(x), round(y), facing)
    length = round(plane.seen(corner, max(edge, key=lambda end: plane.seen(corner, end)[0]))[0])
    middle = plane.seen(corner, (pose.x, pose.y))[0] - CARD.front / 2
    least, most = SECTION - CARD.front, length - SECTION
    marks = [k for k in range(least // SECTION, most // SECTION + 1) if abs(k * SECTION - middle) <= SECTION]
    for k in sorted(marks, key=lambda k: abs(k * SECTION - middle)):
        yield plane.moved(corner, k * SECTION + CARD.front / 2, -CARD.depth / 2)


def manning(state: OnusState, n: int) -> list[Pose]:
    """OH.piece.3 O7.design.corner-overlap: the poses in which a piece is manned from end to end."""
    kept: dict[int, tuple[Pose, ...]] = state.roster.kept.setdefault("posts", {})
    if n not in kept:
        kept[n] = piece_of(state.roster.structures[n]).posts
    return list(kept[n])


def overlapped(state: OnusState, pose: Pose) -> list[int]:
    """O7.design.corner-overlap: the towers over which a card may lie, having a section in a corner's cell.

    It stays there when the corner wall falls.
    """
    keep = state.roster.keep
    if keep is None:
        return []
    found = []
    for n in keep.pieces:
        structure = state.roster.structures[n]
        if structure.kind == CORNER and any(_same(pose, post) for post in manning(state, n)):
            around = keep.neighbours[keep.pieces.index(n)]
            found += [k for k in around if state.roster.structures[k].kind == TOWER]
    structures = state.roster.structures
    return [n for n in found if plane.card(pose, CARD, FIT).intersects(structures[n].shape)]


def _same(a: Pose, b: Pose) -> bool:
    return abs(plane.between(a.turn, b.turn)) <= 1 and abs(a.x - b.x) <= FIT and abs(a.y - b.y) <= FIT


def faces_wall(state: OnusState, i: int, pose: Pose) -> bool:
    """O5.artillery.no-wall-facing: its front would lie against a standing wall."""
    return any(
        strip.side == plane.FRONT
        for n in near_walls(state, pose)
        for face in faces(state, n)
        for edge in (face.inner, face.outer)
        for strip in strips(pose, CARD, state.wings[i], edge)
    )


def stands_along(state: OnusState, i: int) -> bool:
    """O4.lateral.move: a unit lies with its front or its rear along the inner face of a wall that it mans."""
    if state.where[i] != FIELD:
        return False
    return any(
        strip.side in (plane.FRONT, plane.REAR)
        for n in manned(state, i)
        for face in faces(state, n)
        for strip in strips(state.pose[i], CARD, state.wings[i], face.inner)
    )


def is_clear(state: OnusState, pose: Pose, side: int, number: int, spared: int = -1, wings: int = 0) -> bool:
    """O4.exit-overlap.when: a section lies over no standing piece but the one that the unit has just left."""
    row = front_row(wings, pose) if side == plane.FRONT else (pose, CARD)
    (x1, y1), (x2, y2) = plane.sections(*row, side, SECTION)[number]
    edge = Pose(round((x1 + x2) / 2), round((y1 + y2) / 2), (pose.turn + side * RIGHT_ANGLE) % FULL)
    square = plane.card(plane.moved(edge, 0, -SECTION / 2), CELL, FIT)
    shut = [n for n in closed_pieces(state) if n != spared]
    return not any(square.intersects(patch.shape) for n in shut for patch in solid_patches(state, n))


def clear_sections(state: OnusState, i: int, found: Sections) -> Sections:
    """O4.exit-overlap.example: of the sections of a unit that lies over walls, those clear of them."""
    if state.where[i] != FIELD or state.way[i] < OUT_OF:
        return found
    pose, left, wings = state.pose[i], state.way[i] - OUT_OF, state.wings[i]
    return tuple(
        tuple(number for number in numbers if is_clear(state, pose, side, number, left, wings))
        for side, numbers in enumerate(found)
    )


# --- towers --------------------------------------------------------------------------------------


def is_tower(state: OnusState, n: int) -> bool:
    return state.roster.structures[n].kind in TOWERS


def in_fortress(state: OnusState, n: int) -> bool:
    return n in pieces(state)


def touches_from_within(state: OnusState, i: int, n: int) -> bool:
    """O4.occupy.tower-inside O4.tower.enter-inside: a unit inside touches an inner side of a tower."""
    if not is_within(state, i):
        return False
    card = plane.card(state.pose[i], CARD)
    return any(inner and plane.touches(card, LineString(edge)) for _, edge, inner in tower_edges(state, n))
