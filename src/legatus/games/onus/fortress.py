"""7 The design of fortresses: pieces in their places, what they cost, and what is against them.

The pieces stand in the order of a walk around the perimeter, clockwise, the outer face on the left hand.
The front of a piece is its outer face.  A fortress as it was designed (``design``) has its middle at (0, 0)
and its front to the north; ``placed`` puts it on a table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from math import dist

import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import MultiPoint, Polygon, STRtree
from shapely.geometry.base import BaseGeometry

from ...kernel import Message, Refusal
from ...kernel.words import Plain, Values
from ...parts import plane
from ...parts.plane import FULL, RIGHT_ANGLE, TOLERANCE, UNIT, XY, Pose, Size, at
from .sorts import CORNER, GATE, MATERIALS, PIECES, STONE, TOWER, Line, Sort, sort_of
from .state import CARD, LEAST, SECTION

STONE_TOWERS, GAPS = AGREEMENTS = ("stone-towers", "gaps")  # what needs the opponent's consent

ANY = -1  # a gap as wide as the places of the pieces make it

Face = tuple[XY, XY]  # where the next piece joins: its outer and its inner end


# --- pieces --------------------------------------------------------------------------------------


class Piece(Struct, frozen=True, dict=True):
    """OH.piece.1: a piece of a fortress; walkers enter it at its ``start`` and leave it at its ``end``.

    Its front looks outwards.  A corner wall looks to its front and to its right, and so does a tower that
    bends to the right; one that bends to the left stands in a re-entrant angle.
    """

    id: str
    kind: str
    material: str
    pose: Pose
    bend: int = 0
    place: str = ""  # in its file
    gap: int = 0  # before it: so many hundredths in line, or ANY

    @property
    def sort(self) -> Sort:
        return sort_of(self.kind, self.material)

    @property
    def size(self) -> Size:
        return self.sort.size

    @property
    def end_turn(self) -> int:
        """The direction of the outer face of what follows."""
        return (self.pose.turn + self.bend) % FULL

    @cached_property
    def outline(self) -> tuple[XY, ...]:
        """OH.piece.1: a rectangle, or the L of a corner wall around its cell."""
        if self.kind != CORNER:
            return plane.corners(self.pose, self.size)
        half = self.size.front / 2
        thin = half - SECTION
        points = ((-half, half), (half, half), (half, -half), (thin, -half), (thin, thin), (-half, thin))
        return tuple(at(self.pose, *point) for point in points)

    @cached_property
    def shape(self) -> Polygon:
        return Polygon(self.outline)

    @cached_property
    def inner(self) -> BaseGeometry:
        """Smaller by the tolerance."""
        return plane.grown(self.shape, -TOLERANCE)

    @cached_property
    def near(self) -> BaseGeometry:
        """Larger by the tolerance."""
        return plane.grown(self.shape)

    @cached_property
    def start(self) -> Face:
        half, top = self.size.front / 2, self.size.depth / 2
        return at(self.pose, -half, top), at(self.pose, -half, top - SECTION)

    @cached_property
    def end(self) -> Face:
        half, top = self.size.front / 2, self.size.depth / 2
        if self.bend > 0:
            return at(self.pose, half, -top), at(self.pose, half - SECTION, -top)
        if self.bend < 0:
            return at(self.pose, -half, top), at(self.pose, SECTION - half, top)
        return at(self.pose, half, top), at(self.pose, half, top - SECTION)

    @property
    def opening(self) -> Polygon | None:
        """OH.piece.1: the two middle sections of a wall with gate."""
        return plane.card(self.pose, Size(2 * SECTION, SECTION)) if self.kind == GATE else None

    @property
    def cell(self) -> Polygon | None:
        """OH.piece.1: the place of one section within a corner wall."""
        if self.kind != CORNER:
            return None
        return plane.card(plane.moved(self.pose, -SECTION / 2, -SECTION / 2), Size(SECTION, SECTION))

    @property
    def posts(self) -> tuple[Pose, ...]:
        """OH.piece.3 O7.design.corner-overlap: where a card mans it from within, its front to the outer face.

        Behind a wall one, from end to end; in a corner wall two, one for each outer side, with an end
        section of the front in the cell: the card may lie over a tower beside it.  In a tower there is none.
        """
        if self.kind == TOWER:
            return ()
        depth, half = CARD.depth / 2, CARD.front / 2
        if self.kind != CORNER:
            return (plane.moved(self.pose, 0, self.size.depth / 2 - SECTION - depth),)
        return (
            plane.moved(self.pose, -half, -depth),
            plane.turned(plane.moved(self.pose, -depth, -half), RIGHT_ANGLE),
        )


def shifted(piece: Piece, pose: Pose) -> Piece:
    return replace(piece, pose=pose)


class Fortress(Struct, frozen=True, dict=True):
    """A design with its pieces in their places, in the order of the walk."""

    name: str
    name_fr: str
    text: str
    text_fr: str
    material: str
    agreed: tuple[str, ...]
    edge: bool  # O7.design.edge: its open side lies along an edge of the table
    pieces: tuple[Piece, ...]

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """O7.points.summary O7.cost-derivation: the pieces by sort, with their prices."""
        counts = Counter(piece.sort.id for piece in self.pieces)
        listed = [sort_of(kind, material) for material in MATERIALS for kind in PIECES]
        return tuple(Line(sort.id, counts[sort.id], sort.cost) for sort in listed if counts[sort.id])

    @property
    def cost(self) -> int:
        return sum(line.total for line in self.lines)

    def cost_in(self, material: str) -> int:
        """O7.design.stone-cost: the same pieces, all of one material."""
        return sum(sort_of(piece.kind, material).cost for piece in self.pieces)

    @property
    def links(self) -> tuple[tuple[Piece, Piece], ...]:
        """Who follows whom; at a table edge the last piece meets nobody."""
        return tuple(pairwise(self.pieces if self.edge else (*self.pieces, self.pieces[0])))

    @cached_property
    def gaps(self) -> tuple[tuple[Piece, Piece], ...]:
        """O7.design.continuity: between which pieces there is nothing, as the design has it."""
        return tuple((a, b) for a, b in self.links if b.gap and is_apart(a, b))

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The pieces that adjoin the sides of each, to which a fire spreads; a common corner is no side."""
        shapes = [piece.shape for piece in self.pieces]
        tree = STRtree(shapes)
        found = []
        for i, piece in enumerate(self.pieces):
            near = [int(j) for j in tree.query(piece.near, predicate="intersects") if j != i]
            against = [j for j in near if shapes[j].exterior.intersection(piece.near).length >= LEAST]
            found.append(tuple(sorted(against)))
        return tuple(found)

    @cached_property
    def _whole(self) -> BaseGeometry:
        """All pieces, their joints, their gaps and the table edge in one."""
        parts = [piece.near for piece in self.pieces]
        parts += [plane.grown(MultiPoint((*a.end, *b.start)).convex_hull) for a, b in self.gaps]
        if self.edge:
            first, behind = self.pieces[0], -self.pieces[0].size.front / 2 - SECTION
            ends = (*first.start, *self.pieces[-1].end)
            beyond = [at(first.pose, behind, _seen(first, point)[1]) for point in ends]
            parts.append(plane.grown(MultiPoint((*ends, *beyond)).convex_hull))
        return plane.grown(shapely.union_all(parts), -TOLERANCE)

    @cached_property
    def inside(self) -> BaseGeometry:
        """All ground within; a cell between two towers is apart from the rest."""
        parts = [part for part in shapely.get_parts(self._whole) if isinstance(part, Polygon)]
        holes = [Polygon(ring) for part in parts for ring in part.interiors]
        return shapely.set_precision(shapely.union_all(holes), 1).simplify(0)

    @cached_property
    def floor(self) -> Polygon:
        """The ground inside, in one piece; empty if nothing is closed in."""
        floors = [part for part in shapely.get_parts(self.inside) if isinstance(part, Polygon)]
        return max(floors, key=lambda part: part.area, default=Polygon())

    @cached_property
    def bounds(self) -> tuple[int, int, int, int]:
        """West, north, east and south."""
        west, north, east, south = shapely.total_bounds([piece.shape for piece in self.pieces])
        return round(west), round(north), round(east), round(south)

    @property
    def size(self) -> Size:
        """How wide and how deep it is, its front to the north."""
        west, north, east, south = self.bounds
        return Size(east - west, south - north)


def placed(fortress: Fortress, pose: Pose) -> Fortress:
    """The fortress on a table: its middle there, its front to that direction."""
    pieces = []
    for piece in fortress.pieces:
        x, y = at(pose, piece.pose.x, -piece.pose.y)
        pieces.append(shifted(piece, Pose(round(x), round(y), (piece.pose.turn + pose.turn) % FULL)))
    return replace(fortress, pieces=tuple(pieces))


def made_of(fortress: Fortress, material: str) -> Fortress:
    """O7.design.material: the same design in another material."""
    pieces = tuple(replace(piece, material=material) for piece in fortress.pieces)
    return replace(fortress, material=material, pieces=pieces)


def in_du(hundredths: float) -> Plain:
    """A length as people read it."""
    return Plain(f"{hundredths / UNIT:.2f}")


# --- joints --------------------------------------------------------------------------------------


def is_joined(a: Piece, b: Piece) -> bool:
    """OH.piece.2: the end of one lies against the start of the other, outer faces flush."""
    return _meet(a.end, b.start)


def is_apart(a: Piece, b: Piece) -> bool:
    """O7.design.continuity: there is a gap between them."""
    return not is_joined(a, b) and not _touch(a, b)


def _meet(face: Face, other: Face) -> bool:
    return all(dist(p, q) <= TOLERANCE for p, q in zip(face, other, strict=True))


def _beyond_gap(a: Piece, b: Piece) -> Face:
    """The end of a piece, carried over the gap that the design has before the next."""
    outer, inner = (at(Pose(round(x), round(y), a.end_turn), max(b.gap, 0), 0) for x, y in a.end)
    return outer, inner


def has_marks_together(a: Piece, b: Piece) -> bool:
    """O7.design.marks: the face that joins a tower begins and ends at marks of the tower."""
    tower, face = (a, b.start) if a.kind == TOWER else (b, a.end)
    marks = plane.marks(tower.pose, tower.size, SECTION)
    return all(any(dist(point, mark) <= TOLERANCE for mark in marks) for point in face)


def _touch(a: Piece, b: Piece) -> bool:
    return plane.touches(a.shape, b.shape)


def _seen(piece: Piece, point: XY) -> XY:
    """A point as seen from a piece: how far along its front and how far ahead."""
    turn = piece.pose.turn
    dx, dy = point[0] - piece.pose.x, point[1] - piece.pose.y
    along, ahead = at(Pose(0, 0, -turn % FULL), dx, -dy)
    return along, -ahead


def turns(fortress: Fortress) -> int:
    """How far the walk turns in all, clockwise positive, in tenths of a degree."""
    hops = (plane.between(a.end_turn, b.pose.turn) for a, b in fortress.links)
    return sum(piece.bend for piece in fortress.pieces) + sum(hops)


# --- checks --------------------------------------------------------------------------------------


class Problem(Struct, frozen=True):
    """What is against a design, and where in its file."""

    place: str
    refusal: Refusal


def check(fortress: Fortress) -> list[Problem]:
    """O7.design.gate O7.design.material O7.design.continuity O7.design.marks OH.piece.2: all against it."""
    overlapping = list(_overlaps(fortress))
    joints = [*_check_links(fortress, {pair for pair, _ in overlapping}), *_check_edge(fortress)]
    found = [*_check_gate(fortress), *_check_material(fortress), *joints]
    found += [problem for _, problem in overlapping]
    return found if joints or overlapping else [*found, *_check_ring(fortress)]


def _check_gate(fortress: Fortress) -> Iterator[Problem]:
    """O7.design.gate: at least one."""
    if not any(piece.kind == GATE for piece in fortress.pieces):
        yield Problem(_list_of(fortress), Refusal("O7.design.gate", "fortress.no_gate"))


def _check_material(fortress: Fortress) -> Iterator[Problem]:
    """O7.design.material: all alike; by agreement a wooden fortress may have towers of stone."""
    for piece in fortress.pieces:
        if piece.material == fortress.material:
            continue
        if piece.kind == TOWER and piece.material == STONE:
            if STONE_TOWERS in fortress.agreed:
                continue
            refusal = Refusal("O7.design.material", "fortress.stone_tower", {"piece": piece.id})
        else:
            refusal = Refusal("O7.design.material", "fortress.mixed", {"piece": piece.id})
        yield Problem(piece.place, refusal)


def _check_links(fortress: Fortress, overlapping: set[frozenset[str]]) -> Iterator[Problem]:
    """O7.design.continuity O7.design.marks OH.piece.2: each piece joins the one before it."""
    for a, b in fortress.links:
        if is_joined(a, b) or frozenset((a.id, b.id)) in overlapping:
            continue
        if a is b or is_joined(b, a):  # there are no others: what follows is what came before
            yield Problem(a.place, _open(fortress, a, b))
        elif not is_apart(a, b):
            yield Problem(b.place, _askew(a, b))
        elif b.gap != ANY and not _meet(_beyond_gap(a, b), b.start):
            yield Problem(a.place, _open(fortress, a, b))
        elif GAPS not in fortress.agreed:
            yield Problem(a.place, _gap(a, b))


def _askew(a: Piece, b: Piece) -> Refusal:
    names: Values = {"piece": b.id, "before": a.id}
    if TOWER in (a.kind, b.kind) and not has_marks_together(a, b):
        return Refusal("O7.design.marks", "fortress.marks", names)
    return Refusal("OH.piece.2", "fortress.not_flush", names)


def _gap(a: Piece, b: Piece) -> Refusal:
    wide = in_du(min(dist(p, q) for p, q in zip(a.end, b.start, strict=True)))
    return Refusal("O7.design.continuity", "fortress.gap", {"piece": b.id, "before": a.id, "wide": wide})


def _open(fortress: Fortress, a: Piece, b: Piece) -> Refusal:
    """How far the end of a walk is from its beginning."""
    (x1, y1), (x2, y2) = _beyond_gap(a, b)[0], b.start[0]
    across = Message("fortress.left" if x1 < x2 else "fortress.right", {"far": in_du(abs(x1 - x2))})
    along = Message("fortress.ahead" if y1 < y2 else "fortress.behind", {"far": in_du(abs(y1 - y2))})
    bent = sum(piece.bend for piece in fortress.pieces) // 10
    values: Values = {"piece": a.id, "first": b.id, "across": across, "along": along, "degrees": bent}
    return Refusal("OH.piece.2", "fortress.open", values)


def _check_edge(fortress: Fortress) -> Iterator[Problem]:
    """OH.piece.2 O7.design.edge: both ends stand on one straight edge, and nothing goes beyond it."""
    if not fortress.edge:
        return
    first, last = fortress.pieces[0], fortress.pieces[-1]
    line = -first.size.front / 2
    on_line = all(abs(_seen(first, point)[0] - line) <= TOLERANCE for point in last.end)
    beyond = any(
        _seen(first, point)[0] < line - TOLERANCE for piece in fortress.pieces for point in piece.outline
    )
    if not on_line or beyond or turns(fortress) != FULL // 2:
        names: Values = {"piece": last.id, "first": first.id}
        yield Problem(last.place, Refusal("OH.piece.2", "fortress.edge", names))


def _overlaps(fortress: Fortress) -> Iterator[tuple[frozenset[str], Problem]]:
    """OH.piece.2: end to end, so no piece lies over another."""
    pieces = fortress.pieces
    tree = STRtree([piece.shape for piece in pieces])
    over, under = tree.query([piece.inner for piece in pieces], predicate="intersects")
    pairs = {(int(i), int(j)) if i < j else (int(j), int(i)) for i, j in zip(over, under, strict=True)}
    for i, j in sorted(pairs):
        a, b = pieces[i], pieces[j]
        if i != j and not a.inner.touches(b.shape):
            names: Values = {"piece": b.id, "other": a.id}
            yield frozenset((a.id, b.id)), Problem(b.place, Refusal("OH.piece.2", "fortress.overlap", names))


def _check_ring(fortress: Fortress) -> Iterator[Problem]:
    """OH.piece.2: what is closed has its outer faces outside, and ground within."""
    bent = turns(fortress)
    if not fortress.edge and bent != FULL:
        refusal = Refusal("OH.piece.2", "fortress.turns", {"degrees": bent // 10})
        yield Problem(_list_of(fortress), refusal)
    elif fortress.floor.is_empty:
        yield Problem(_list_of(fortress), Refusal("OH.piece.2", "fortress.no_floor"))


def _list_of(fortress: Fortress) -> str:
    """The list in the file that has the pieces."""
    return "walk" if fortress.pieces[0].place.startswith("walk") else "piece"
