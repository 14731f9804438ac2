"""An open table: cards that stand, turn and move freely, what they sweep, touch and see.

Places are whole hundredths of a unit of distance, directions whole tenths of a degree clockwise from north;
x grows eastwards and y southwards.  So a pose is three whole numbers, and a record replays alike everywhere:
sines come from a table of whole numbers, and every end of a move is rounded to a pose.  Shapes and the
questions about them are shapely's, in hundredths.  TOLERANCE is the only one: what is nearer touches, what
overlaps less does not.  So whoever asks what is in the way draws the card smaller by it all round, and who
asks what lies against an edge draws the other shape larger (``card`` with an inset, ``grown``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import atan2, ceil, degrees, radians, sin
from typing import Annotated, NamedTuple

import shapely
from msgspec import Meta
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

UNIT = 100  # hundredths
TOLERANCE = 2
FULL = 3600  # tenths of a degree
RIGHT_ANGLE = FULL // 4
FINE = 100  # a turn is swept in steps of ten degrees: what they leave out is below the tolerance

FRONT, RIGHT, REAR, LEFT = SIDES = range(4)
FRONT_LEFT, FRONT_RIGHT, REAR_RIGHT, REAR_LEFT = CORNERS = range(4)

XY = tuple[float, float]
_ONE = 10**9
_SINES = tuple(round(sin(radians(tenth / 10)) * _ONE) for tenth in range(FULL))


def sine(turn: int) -> int:
    """In billionths."""
    return _SINES[turn % FULL]


def cosine(turn: int) -> int:
    return _SINES[(turn + RIGHT_ANGLE) % FULL]


MAX_LENGTH = 20_000  # hundredths: what a file is held to
Coordinate = Annotated[int, Meta(ge=-MAX_LENGTH, le=MAX_LENGTH)]


class Pose(NamedTuple):
    """Where the middle of a card is and where its front looks to."""

    x: Coordinate
    y: Coordinate
    turn: Annotated[int, Meta(ge=-FULL, le=FULL)] = 0


class Size(NamedTuple):
    """The front and the depth of a card."""

    front: Annotated[int, Meta(ge=0, le=MAX_LENGTH)]
    depth: Annotated[int, Meta(ge=0, le=MAX_LENGTH)]


def at(pose: Pose, along: float, ahead: float) -> XY:
    """A point as seen from a card: so much to its right and so much ahead of its middle."""
    s, c = sine(pose.turn), cosine(pose.turn)
    return pose.x + (along * c + ahead * s) / _ONE, pose.y + (along * s - ahead * c) / _ONE


def moved(pose: Pose, along: float, ahead: float) -> Pose:
    """The same card so much farther to its right and ahead."""
    x, y = at(pose, along, ahead)
    return Pose(round(x), round(y), pose.turn)


def turned(pose: Pose, tenths: int) -> Pose:
    """Turned about its middle, clockwise if positive."""
    return Pose(pose.x, pose.y, (pose.turn + tenths) % FULL)


@lru_cache(maxsize=10_000)
def wheeled(pose: Pose, size: Size, corner: int, tenths: int) -> Pose:
    """Turned about one of its corners, which stays where it is."""
    along, ahead = _offset(size, corner)
    x, y = at(pose, along, ahead)
    turn = (pose.turn + tenths) % FULL
    s, c = sine(turn), cosine(turn)
    return Pose(round(x - (along * c + ahead * s) / _ONE), round(y - (along * s - ahead * c) / _ONE), turn)


def _offset(size: Size, corner: int) -> XY:
    along = size.front / 2 if corner in (FRONT_RIGHT, REAR_RIGHT) else -size.front / 2
    return along, size.depth / 2 if corner in (FRONT_LEFT, FRONT_RIGHT) else -size.depth / 2


def bearing(a: XY, b: XY) -> int:
    """The direction from one point to another, in tenths of a degree."""
    return round(degrees(atan2(b[0] - a[0], a[1] - b[1])) * 10) % FULL


def between(turn: int, other: int) -> int:
    """How far one must turn from one direction to another the short way, clockwise positive."""
    return (other - turn + FULL // 2) % FULL - FULL // 2


# --- cards ---------------------------------------------------------------------------------------


def corners(pose: Pose, size: Size, inset: float = 0) -> tuple[XY, XY, XY, XY]:
    """Front left, front right, rear right, rear left; ``inset`` makes the card smaller all round."""
    half, ahead = size.front / 2 - inset, size.depth / 2 - inset
    x, y, turn = pose
    s, c = sine(turn), cosine(turn)
    ax, ay, fx, fy = half * c, half * s, ahead * s, -ahead * c
    return (
        (x + (fx - ax) / _ONE, y + (fy - ay) / _ONE),
        (x + (ax + fx) / _ONE, y + (ay + fy) / _ONE),
        (x + (ax - fx) / _ONE, y + (ay - fy) / _ONE),
        (x + (-ax - fx) / _ONE, y + (-ay - fy) / _ONE),
    )


@lru_cache(maxsize=10_000)
def card(pose: Pose, size: Size, inset: float = 0) -> Polygon:
    """The shape of a card."""
    return shapely.polygons(corners(pose, size, inset))


@lru_cache(maxsize=2_000)
def grown(shape: BaseGeometry, by: float = TOLERANCE) -> BaseGeometry:
    """A shape larger all round, or smaller if ``by`` is negative; its corners stay corners."""
    return shape.buffer(by, join_style="mitre", quad_segs=1)


def edge(pose: Pose, size: Size, side: int) -> tuple[XY, XY]:
    """One of its four sides, clockwise: from its left end to its right as seen from within."""
    points = corners(pose, size)
    return points[side], points[(side + 1) % 4]


def sections(pose: Pose, size: Size, side: int, length: int) -> list[tuple[XY, XY]]:
    """One of its sides in pieces of a length, from its left end to its right as seen from within."""
    (x1, y1), (x2, y2) = edge(pose, size, side)
    number = round((size.front if side in (FRONT, REAR) else size.depth) / length)
    marks = [(x1 + (x2 - x1) * n / number, y1 + (y2 - y1) * n / number) for n in range(number + 1)]
    return list(pairwise(marks))


def marks(pose: Pose, size: Size, length: int) -> list[XY]:
    """The ends of all sections around a card."""
    return [a for side in SIDES for a, _ in sections(pose, size, side, length)]


# --- what lies on the table ----------------------------------------------------------------------

Box = tuple[float, float, float, float]


class Patch:
    """A shape by its corners, with the box around it; the shapely shape is made when it is asked for."""

    __slots__ = ("_shape", "box", "points")

    def __init__(self, points: Iterable[XY]) -> None:
        self.points = tuple(points)
        self.box = boxed(self.points)
        self._shape: Polygon | None = None

    @property
    def shape(self) -> Polygon:
        if self._shape is None:
            self._shape = shapely.polygons(self.points)
        return self._shape


def boxed(points: Sequence[XY]) -> Box:
    """The box around some points: left, top, right, bottom."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def joint(box: Box, other: Box) -> Box:
    """The box around two boxes."""
    return (
        min(box[0], other[0]),
        min(box[1], other[1]),
        max(box[2], other[2]),
        max(box[3], other[3]),
    )


def meet(box: Box, other: Box, margin: float = 0) -> bool:
    """Whether two boxes overlap, or come as near as the margin: the cheap question before the dear one."""
    return (
        box[0] <= other[2] + margin
        and other[0] <= box[2] + margin
        and box[1] <= other[3] + margin
        and other[1] <= box[3] + margin
    )


@lru_cache(maxsize=20_000)
def lies_on(place: Patch, pose: Pose) -> bool:
    """Whether the middle of a card lies over a patch, its border with it."""
    left, top, right, bottom = place.box
    return left <= pose.x <= right and top <= pose.y <= bottom and contains(place.shape, pose)


@lru_cache(maxsize=10_000)
def patch(pose: Pose, size: Size) -> Patch:
    """A card as a patch."""
    return Patch(corners(pose, size))


def seen(pose: Pose, point: XY) -> XY:
    """A point as a card sees it: how far to its right and how far ahead of its middle."""
    s, c = sine(pose.turn) / _ONE, cosine(pose.turn) / _ONE
    dx, dy = point[0] - pose.x, point[1] - pose.y
    return dx * c + dy * s, dx * s - dy * c


# --- what a move sweeps --------------------------------------------------------------------------


def way_box(pose: Pose, new: Pose, size: Size) -> Box:
    """The box around a card on its way from one pose to another without turning."""
    left, top, right, bottom = patch(pose, size).box
    dx, dy = new.x - pose.x, new.y - pose.y
    return left + min(dx, 0), top + min(dy, 0), right + max(dx, 0), bottom + max(dy, 0)


def over(
    pose: Pose, size: Size, way: XY, points: Sequence[XY], inset: float = TOLERANCE
) -> list[tuple[float, float]]:
    """The parts of a straight way (0 its start, 1 its end) on which a card lies over a shape, in order.

    A card that stands still lies over it all the way or not at all.
    """
    return list(_over(pose, size, way, tuple(points), inset))


@lru_cache(maxsize=10_000)
def _over(
    pose: Pose, size: Size, way: XY, points: tuple[XY, ...], inset: float
) -> tuple[tuple[float, float], ...]:
    half, deep = size.front / 2 - inset, size.depth / 2 - inset
    vx, vy = seen(Pose(0, 0, pose.turn), way)
    marks = [seen(pose, point) for point in points]
    spans = []
    for (ax, ay), (bx, by) in zip(marks, (*marks[1:], marks[0]), strict=True):
        nx, ny = ay - by, bx - ax
        reach, start = half * abs(nx) + deep * abs(ny), nx * ax + ny * ay
        low, high = _slab(0.0, 1.0, vx, min(ax, bx) - half, max(ax, bx) + half)
        low, high = _slab(low, high, vy, min(ay, by) - deep, max(ay, by) + deep)
        low, high = _slab(low, high, nx * vx + ny * vy, start - reach, start + reach)
        if low <= high:
            spans.append((low, high))
    return tuple(_filled(sorted(spans), marks, vx, vy))


def _slab(low: float, high: float, speed: float, least: float, most: float) -> tuple[float, float]:
    """The part of a time in which what moves at a speed from 0 is between two marks."""
    if speed == 0:
        return (low, high) if least <= 0 <= most else (1.0, 0.0)
    first, last = least / speed, most / speed
    if first > last:
        first, last = last, first
    return max(low, first), min(high, last)


def _filled(
    spans: list[tuple[float, float]], marks: Sequence[XY], vx: float, vy: float
) -> list[tuple[float, float]]:
    """Spans on which a card meets the border of a shape, joined by those on which it lies within."""
    found = joined(spans)
    ends = [0.0, *(end for span in found for end in span), 1.0]
    gaps = [(low, high) for low, high in zip(ends[::2], ends[1::2], strict=True) if low < high]
    inner = [gap for gap in gaps if _within((sum(gap) / 2 * vx, sum(gap) / 2 * vy), marks)]
    return joined(sorted(found + inner)) if inner else found


def joined(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Spans in order, with those that overlap made one."""
    found: list[tuple[float, float]] = []
    for low, high in spans:
        if found and low <= found[-1][1]:
            found[-1] = found[-1][0], max(high, found[-1][1])
        else:
            found.append((low, high))
    return found


def _within(point: XY, points: Sequence[XY]) -> bool:
    """Whether a point lies within a shape: a line eastwards crosses the border an odd number of times."""
    x, y = point
    inside = False
    for (ax, ay), (bx, by) in zip(points, (*points[1:], points[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside


def rests_on(pose: Pose, size: Size, points: Sequence[XY], inset: float = TOLERANCE) -> bool:
    """Whether a card lies over a shape."""
    return bool(over(pose, size, (0, 0), points, inset))


def stations(pose: Pose, size: Size, corner: int | None, tenths: int) -> list[Pose]:
    """The poses of a card as it turns about a corner, or about its middle, from the first to the last."""
    if corner is None:
        return [turned(pose, part) for part in _parts(tenths)]
    return [wheeled(pose, size, corner, part) for part in _parts(tenths)]


def swept(pose: Pose, new: Pose, size: Size, inset: float = TOLERANCE) -> BaseGeometry:
    """All that a card covers on a straight way to a place, without turning."""
    return _hull((*corners(pose, size, inset), *corners(new, size, inset)))


def _parts(tenths: int) -> list[int]:
    number = max(1, ceil(abs(tenths) / FINE))
    return [tenths * n // number for n in range(number + 1)]


@lru_cache(maxsize=5_000)
def hull(pose: Pose, new: Pose, size: Size, inset: float = TOLERANCE) -> BaseGeometry:
    """What a card covers on a short way from one pose to another that it turns to."""
    return _hull((*corners(pose, size, inset), *corners(new, size, inset)))


def union(shapes: Sequence[BaseGeometry]) -> BaseGeometry:
    """Several shapes as one."""
    return shapely.union_all(list(shapes))


def _hull(points: Iterable[XY]) -> BaseGeometry:
    return shapely.convex_hull(shapely.linestrings(tuple(points)))


# --- touching ------------------------------------------------------------------------------------


def touches(shape: BaseGeometry, other: BaseGeometry) -> bool:
    """Whether two shapes lie against each other, or overlap."""
    return bool(shape.dwithin(other, TOLERANCE))


def apart(shape: BaseGeometry, other: BaseGeometry) -> float:
    """The distance of two shapes, in hundredths."""
    return float(shape.distance(other))


def reaches(shape: BaseGeometry, other: BaseGeometry, distance: int) -> bool:
    """Whether one is within a distance of another, with the tolerance."""
    return bool(shape.dwithin(other, distance + TOLERANCE))


def against(pose: Pose, size: Size, side: int, length: int, least: float, near: BaseGeometry) -> list[int]:
    """The sections of a side of which at least so much lies against another shape, by their numbers.

    ``near`` is that shape, grown by the tolerance.
    """
    if not LineString(edge(pose, size, side)).intersects(near):
        return []
    pieces = shapely.linestrings(sections(pose, size, side, length))
    lengths = shapely.length(shapely.intersection(pieces, near))
    return [n for n, found in enumerate(lengths) if found >= least]


def seen_side(pose: Pose, size: Size, point: XY) -> int:
    """On which side of a card a point lies: before its front line, behind its rear line, else beside it."""
    s, c = sine(pose.turn) / _ONE, cosine(pose.turn) / _ONE
    dx, dy = point[0] - pose.x, point[1] - pose.y
    along, ahead = dx * c + dy * s, dx * s - dy * c
    if ahead >= size.depth / 2 - TOLERANCE:
        return FRONT
    if ahead <= -size.depth / 2 + TOLERANCE:
        return REAR
    return RIGHT if along > 0 else LEFT


# --- sight ---------------------------------------------------------------------------------------


def nearest(shape: BaseGeometry, other: BaseGeometry) -> tuple[XY, XY]:
    """The points of two shapes that are nearest to each other: the ends of a tape measure."""
    (x1, y1), (x2, y2) = shapely.shortest_line(shape, other).coords
    return (x1, y1), (x2, y2)


def length_in(a: XY, b: XY, shape: BaseGeometry) -> float:
    """How much of a straight line runs through a shape, in hundredths."""
    return float(LineString((a, b)).intersection(shape).length)


def contains(shape: BaseGeometry, pose: Pose) -> bool:
    """Whether the middle of a card lies over a shape, its border with it."""
    return bool(shapely.intersects_xy(shape, pose.x, pose.y))
