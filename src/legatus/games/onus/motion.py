"""11 Movement, the measuring part: what a move covers, costs and meets.  It changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import pairwise
from typing import Final

from shapely.geometry.base import BaseGeometry

from ...kernel.objects import ValueObject
from ...parts import plane
from ...parts.plane import TOLERANCE, UNIT, Box, Patch, Pose, Size
from .state import (
    CARD,
    FIELD,
    HILL,
    INSIDE,
    NOBODY,
    PHALANX,
    SHIELD_WALL,
    SIEGE,
    SIEGE_TOWER,
    SKIRMISHER,
    SQUARE,
    VILLAGE,
    WATCHTOWER,
    WORKS,
    OnusState,
    other,
)
from .table import (
    ELEPHANTS,
    body,
    cover,
    difficult,
    fords,
    holder,
    impassable,
    laid,
    parts_at,
    position,
    rocks,
    shape_of,
    standing,
    tiles,
    units_in,
    units_on,
)
from .walls import beside as walls_beside
from .walls import (
    closed_pieces,
    lies_within,
    near_walls,
    overlap_fault,
    overlapped,
    posts,
    slips_back,
    solid_patches,
    through,
)

REGULAR, LIMITED, REDUCED = "regular", "limited", "reduced"
WHEEL_COST = UNIT  # OH.move.1
WIDEST, WIDEST_DIFFICULT = 900, 450  # OH.move.1 O2.difficult.rotation: tenths of a degree
POINT = Size(0, 0)
DEEPER = 400  # square hundredths by which a card that lies over a river may lie over more of it: rounding


class Path(ValueObject):
    """One piece of a move: the poses through which it leads, what it costs, what it makes of the move."""

    def __init__(
        self,
        stations: tuple[Pose, ...],
        cost: int,
        ground: bool = False,  # some of it was difficult
        limited: str = "",  # the clause that makes the move a limited one
        where: int = FIELD,  # CROSSING if it ends in a passage
        passage: int = NOBODY,  # O3.choke.when: the structure in whose passage it ends
    ) -> None:
        self.stations: Final = stations
        self.cost: Final = cost
        self.ground: Final = ground
        self.limited: Final = limited
        self.where: Final = where
        self.passage: Final = passage

    @property
    def end(self) -> Pose:
        return self.stations[-1]


def allowance(state: OnusState, i: int, mode: str) -> int:
    """OH.move.5: printed, forced march, one halving at most; in hundredths."""
    if state.formation[i] == SQUARE:  # OH.formation.3
        return 0
    halved = state.formation[i] in (SHIELD_WALL, PHALANX)  # OH.formation.1 OH.formation.2
    return in_the_open(state, i, REDUCED if halved and mode == REGULAR else mode)


def in_the_open(state: OnusState, i: int, mode: str) -> int:
    """OH.move.1 OH.move.2 OH.move.3: the same, whatever the formation."""
    unit = state.roster.units[i]
    full = unit.kind.move * UNIT + state.marching  # OH.move.7
    if state.ram[i] and unit.kind.id != ELEPHANTS:  # O5.ram.movement O5.ram.halving
        full -= UNIT
    if SKIRMISHER in unit.kind.traits:  # O2.limited.skirmishers O2.limited.versus-reduced
        return full - UNIT if mode == LIMITED else full
    return full if mode == REGULAR else full // 2  # O2.limited.half


# --- what is in the way --------------------------------------------------------------------------


def closed(state: OnusState, i: int) -> list[int]:
    """The structures that a unit cannot cross: towers, walls, what enemies hold, works if it is artillery."""
    unit = state.roster.units[i]
    found = closed_pieces(state)
    for n in standing(state, (VILLAGE, WATCHTOWER, SIEGE_TOWER)):
        held = holder(state, n)
        enemy = held >= 0 and state.roster.units[held].side != unit.side
        if enemy or state.roster.structures[n].kind != VILLAGE:
            found.append(n)
    if SIEGE in unit.kind.traits:  # OH.move.6 O4.works.impassable
        found += standing(state, WORKS)
    return found


def walls(state: OnusState, i: int, spare: int = -1) -> list[Patch]:
    """What a card can neither cross nor overlap; ``spare`` is a unit that is left out, and what it is in."""
    memo, key = position(state).memo, ("walls", i, spare)
    if key not in memo:
        memo[key] = _walls(state, i, spare)
    found: list[Patch] = memo[key]
    return found


def _walls(state: OnusState, i: int, spare: int) -> list[Patch]:
    side = other(state.roster.units[i].side)
    units = state.roster.units
    spared = state.inside[spare] if spare >= 0 and state.where[spare] == INSIDE else -1
    found = [*rocks(state)]
    for j, patches in laid(state).items():
        if units[j].side == side and j != spare and state.where[j] != INSIDE:
            found += patches
    return found + [patch for n in closed(state, i) if n != spared for patch in solid_patches(state, n)]


def solid(state: OnusState, i: int) -> list[BaseGeometry]:
    """The same as shapes."""
    side = other(state.roster.units[i].side)
    foes = [shape_of(state, j) for j in units_on(state, side) if state.where[j] != INSIDE]
    shut = [patch.shape for n in closed(state, i) for patch in solid_patches(state, n)]
    return [*impassable(state), *foes, *shut]


def near(patches: Iterable[Patch], box: Box, margin: float = 0) -> list[Patch]:
    left, top, right, bottom = box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin
    found = []
    for patch in patches:
        a, b, c, d = patch.box
        if a <= right and c >= left and b <= bottom and d >= top:
            found.append(patch)
    return found


def path_box(state: OnusState, i: int, stations: Sequence[Pose]) -> Box:
    """The box around all that a unit covers at some poses."""
    return _path_box(state.wings[i], tuple(stations))


@lru_cache(maxsize=10_000)
def _path_box(wings: int, stations: tuple[Pose, ...]) -> Box:
    return reduce(plane.joint, [plane.patch(*part).box for pose in stations for part in cover(wings, pose)])


@lru_cache(maxsize=10_000)
def _legs(wings: int, stations: tuple[Pose, ...]) -> tuple[tuple[Pose, Pose, Size, Box], ...]:
    """A way from pose to pose, for each part of what a unit covers, with the box around it."""
    found = [
        (old, new, size, plane.joint(plane.patch(old, size).box, plane.patch(new, size).box))
        for a, b in pairwise(stations)
        for (old, size), (new, _) in zip(cover(wings, a), cover(wings, b), strict=True)
    ]
    return tuple(found)


def sweeps(state: OnusState, i: int, stations: tuple[Pose, ...], patch: Patch) -> bool:
    """Whether a unit on its way through some poses covers some of a patch."""
    for old, new, size, box in _legs(state.wings[i], stations):
        if not plane.meet(box, patch.box):
            continue
        if old.turn == new.turn:
            if plane.over(old, size, (new.x - old.x, new.y - old.y), patch.points):
                return True
        elif plane.hull(old, new, size).intersects(patch.shape):
            return True
    return False


def swept(state: OnusState, i: int, stations: tuple[Pose, ...], patches: Sequence[Patch]) -> list[Patch]:
    """The patches some of which a unit covers on its way."""
    if not patches:
        return []
    box = path_box(state, i, stations)
    return [patch for patch in near(patches, box) if sweeps(state, i, stations, patch)]


def is_barred(state: OnusState, i: int, path: Path, spare: int = -1, beside: Sequence[Patch] = ()) -> bool:
    """O3.impassable: something solid is in the way; ``beside`` is that with which it aligns.

    O3.choke.overlap: who lies over a river may go on, as long as he does not lie over more of it.
    O4.gate.pass O4.wall.breach-move: who goes through an opening is not hindered by what is beside it, but
    must not come to lie over it.  O7.design.corner-overlap: nor must who leaves a corner lie over its tower.
    """
    gaps = through(state, i, path.stations)
    jambs = walls_beside(state, gaps) if gaps else []
    beside = [*beside, *under_corner(state, path.end)]
    for patch in swept(state, i, path.stations, walls(state, i, spare)):
        if patch in beside or (patch in jambs and not sweeps(state, i, (path.end, path.end), patch)):
            continue
        here = shape_of(state, i, TOLERANCE).intersection(patch.shape).area
        if not here or _cover(path).intersection(patch.shape).area > here + DEEPER:
            return True
        if slips_back(state, i, path.end):
            return True
        held = state.where[i] == FIELD and patch in under_corner(state, path.stations[0])
        if held and sweeps(state, i, (path.end, path.end), patch):
            return True
    return False


def _cover(path: Path) -> BaseGeometry:
    """All that a card covers on a way."""
    pieces = [plane.hull(a, b, CARD) for a, b in pairwise(path.stations)]
    return plane.union(pieces)


def friends_under(state: OnusState, i: int, cover: BaseGeometry) -> list[int]:
    """The friends whose cards a shape covers."""
    side = state.roster.units[i].side
    own = [j for j in units_on(state, side) if j != i and state.where[j] == FIELD]
    return [j for j in own if cover.intersects(shape_of(state, j, TOLERANCE))]


def friends_on(state: OnusState, i: int, stations: tuple[Pose, ...]) -> list[int]:
    """OH.move.8: the friends through whom a unit passes on its way."""
    box, table = path_box(state, i, stations), laid(state)
    friends = units_in(state, box, 0, state.roster.units[i].side)
    return [
        j
        for j in friends
        if j != i
        and state.where[j] != INSIDE
        and any(sweeps(state, i, stations, patch) for patch in near(table[j], box))
    ]


def villages_on(state: OnusState, i: int, pose: Pose) -> list[int]:
    """O4.village.pass-friends: the village halves over which a card would lie."""
    structures = state.roster.structures
    spots = standing(state, (VILLAGE,))
    return [n for n in spots if swept(state, i, (pose, pose), [structures[n].patch])]


def off_table(state: OnusState, shape: BaseGeometry) -> bool:
    left, top, right, bottom = shape.bounds
    return left < 0 or top < 0 or right > state.roster.width or bottom > state.roster.height


def leaves_table(state: OnusState, i: int, pose: Pose) -> bool:
    """OH.field.1: some of the card would lie off the table."""
    left, top, right, bottom = path_box(state, i, [pose])
    width, height = state.roster.width, state.roster.height
    return min(left, top) < -TOLERANCE or right > width + TOLERANCE or bottom > height + TOLERANCE


def has_room(state: OnusState, i: int, pose: Pose, spare: int = -1) -> bool:
    """Whether a unit fits in at a pose: on the table, on nothing solid, on no friend and no village.

    O2.overlap: inside a fortress it may lie over a friend, if their fronts are in line.
    """
    memo, key = position(state).memo, ("room", i, pose, spare)
    if key not in memo:
        memo[key] = _has_room(state, i, pose, spare)
    return bool(memo[key])


def _has_room(state: OnusState, i: int, pose: Pose, spare: int) -> bool:
    stations = (pose, pose)
    if leaves_table(state, i, pose):
        return False
    met = swept(state, i, stations, walls(state, i, spare))
    if met and not all(patch in under_corner(state, pose) for patch in met):
        return False
    return not overlap_fault(state, i, pose) and not villages_on(state, i, pose)


def rest(state: OnusState, i: int, pose: Pose) -> Pose | None:
    """O4.wall.example-approach: where a unit lies that comes to a pose: there, or in line with a friend.

    Who would lie askew over a friend aligns with the wall that he touches; None if he cannot lie there.
    """
    if not overlap_fault(state, i, pose):
        return pose
    if not lies_within(state, pose):
        return None
    near = [end for n in near_walls(state, pose) for end in posts(state, i, n, pose)]
    near.sort(key=lambda end: (end.x - pose.x) ** 2 + (end.y - pose.y) ** 2)
    return next((end for end in near if has_room(state, i, end)), None)


def under_corner(state: OnusState, pose: Pose) -> list[Patch]:
    """O7.design.corner-overlap: the towers over which a card may lie that holds a corner."""
    return [patch for n in overlapped(state, pose) for patch in solid_patches(state, n)]


def farthest(limit: int, is_free: Callable[[int], bool]) -> int:
    """The greatest distance up to a limit that is free, if what bars it does so from there on; else -1."""
    if not is_free(0):
        return -1
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if is_free(middle):
            low = middle
        else:
            high = middle - 1
    return low


# --- pieces of a move ----------------------------------------------------------------------------


def ahead(pose: Pose, bearing: int, distance: int) -> Pose:
    """The same card a distance farther in a direction, counted from its front."""
    across, onward = distance * plane.sine(bearing), distance * plane.cosine(bearing)
    return plane.moved(pose, across / 10**9, onward / 10**9)


def straight(state: OnusState, i: int, bearing: int, distance: int, start: Pose | None = None) -> Path:
    """OH.move.1 OH.move.3: a straight move in a direction, counted from the front, without turning."""
    pose = state.pose[i] if start is None else start
    stations = (pose, ahead(pose, bearing, distance))
    extra = sum(high - low for low, high in rough_parts(state, i, stations))
    dearer = round(extra * distance)
    return Path(stations, distance + dearer, dearer > 0, limits(state, i, stations))


def rough_parts(state: OnusState, i: int, stations: tuple[Pose, Pose]) -> list[tuple[float, float]]:
    """O2.difficult.cost O2.difficult.example: where on a way some of the card is in difficult ground."""
    patches = difficult(state)
    spans = [
        span
        for patch in (near(patches, path_box(state, i, stations)) if patches else ())
        for span in spans_over(state, i, stations, patch)
    ]
    return plane.joined(sorted(spans))


def spans_over(
    state: OnusState, i: int, stations: tuple[Pose, Pose], patch: Patch, inset: float = TOLERANCE
) -> list[tuple[float, float]]:
    """The parts of a straight way on which a unit covers some of a patch."""
    pairs = zip(parts_at(state, i, stations[0]), parts_at(state, i, stations[1]), strict=True)
    return [
        span
        for (old, size), (new, _) in pairs
        for span in plane.over(old, size, (new.x - old.x, new.y - old.y), patch.points, inset)
    ]


def limits(state: OnusState, i: int, stations: tuple[Pose, ...]) -> str:
    """O3.hill.movement O4.works.movement O4.gate.pass O4.wall.breach-move: what makes a move limited.

    Up a hill, across a work, through a gate or a breach.
    """
    gaps = through(state, i, stations)
    if gaps:
        return gaps[0].clause
    if any(_climbs(stations, hill.patch) for hill in tiles(state, HILL)):
        return "O3.hill.movement"
    structures = state.roster.structures
    if swept(state, i, stations, [structures[n].patch for n in standing(state, WORKS)]):
        return "O4.works.movement"
    return ""


def _climbs(stations: tuple[Pose, ...], hill: Patch) -> bool:
    """O3.hill.movement: the middle of the card comes from off the hill onto it."""
    for a, b in pairwise(stations):
        box = min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y)
        if plane.meet(box, hill.box):
            spans = plane.over(a, POINT, (b.x - a.x, b.y - a.y), hill.points, 0)
            if any(low > 0 for low, _ in spans):
                return True
    return False


def wheel(state: OnusState, i: int, corner: int, tenths: int) -> Path:
    """OH.move.1: about a corner of the card, at 1 DU."""
    stations = tuple(plane.stations(state.pose[i], CARD, corner, tenths))
    ground = bool(swept(state, i, stations, difficult(state)))
    return Path(stations, WHEEL_COST, ground, limits(state, i, stations))


def turn(state: OnusState, i: int, tenths: int) -> Path:
    """OH.move.3: about its middle, to any angle, a reduced move."""
    stations = tuple(plane.stations(state.pose[i], CARD, None, tenths))
    ground = bool(swept(state, i, stations, difficult(state)))
    return Path(stations, 0, ground, limits(state, i, stations))


def in_ford(state: OnusState, i: int, stations: tuple[Pose, ...] = ()) -> bool:
    """O3.ford.straight: some of the card lies in a ford, or comes over it on a way."""
    if state.where[i] != FIELD:
        return False
    way = stations or (state.pose[i], state.pose[i])
    return bool(swept(state, i, way, [ford.patch for ford in fords(state)]))


# --- charging ------------------------------------------------------------------------------------


def meeting(state: OnusState, i: int, j: int, start: Pose, far: int) -> int:
    """How far straight on a unit first touches another one; -1 if it passes it."""
    stations = (start, ahead(start, 0, far))
    box = path_box(state, i, stations)
    table = laid(state)[j]
    spans = [
        span
        for patch in near(table, box)
        for span in spans_over(state, i, stations, patch, 0)
        if _is_hit(state, i, stations, patch)
    ]
    return int(min(low for low, _ in spans) * far) if spans else -1


def _is_hit(state: OnusState, i: int, stations: tuple[Pose, Pose], patch: Patch) -> bool:
    """OH.contact.1: not only grazed in passing."""
    return bool(spans_over(state, i, stations, patch))


def squared(state: OnusState, i: int, j: int, pose: Pose, start: Pose | None = None) -> Pose | None:
    """OH.move.9: the pose in which a card that has come to ``pose`` lies with its front against an enemy.

    Against the side of him from which it came, as near as can be to where it met him; None without room.
    """
    return next((end for end in squarings(state, i, j, pose, start) if has_room(state, i, end, j)), None)


def squarings(state: OnusState, i: int, j: int, pose: Pose, start: Pose | None = None) -> Iterator[Pose]:
    """OH.move.9: where a card can be squared up with an enemy, nearest to where it met him first."""
    foe, size = body(state, j)
    front = plane.at(state.pose[i] if start is None else start, 0, CARD.depth / 2)
    side = plane.seen_side(foe, size, front)
    if side == plane.FRONT and state.where[j] == FIELD:
        foe, size = _row(state, j)
    facing = (foe.turn + side * plane.RIGHT_ANGLE + plane.FULL // 2) % plane.FULL
    (x1, y1), (x2, y2) = plane.edge(foe, size, side)
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    middle = (pose.x - x1) * ux + (pose.y - y1) * uy
    dx, dy = plane.at(Pose(0, 0, facing), 0, -CARD.depth / 2)
    for shift in _shifts():
        place = min(max(middle + shift, -CARD.front / 2 + 44), length + CARD.front / 2 - 44)
        yield Pose(round(x1 + ux * place + dx), round(y1 + uy * place + dy), facing)


def _row(state: OnusState, j: int) -> tuple[Pose, Size]:
    """The front row of a unit if it is extended, else its card."""
    parts = parts_at(state, j, state.pose[j])
    return parts[-1]


def _shifts() -> list[int]:
    """No shift, then a little to either side, and more."""
    return [0, *(sign * step * 11 for step in range(1, 17) for sign in (1, -1))]
