"""2 and 4: aligning with what a unit touches, into villages and towers, and out of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from shapely import LineString, Point, Polygon

from ...kernel import Action, Play, Refusal, Values
from ...kernel.objects import replace
from ...parts import plane
from ...parts.plane import FULL, RIGHT_ANGLE, TOLERANCE, XY, Pose
from .assault import near_faces, over_wall
from .contact import opponents
from .crossing import bridge_of, mount, mount_bars
from .hidden import Spotted, keep_hidden, label, reveal
from .motion import LIMITED, REGULAR, Path, allowance, has_room, is_barred, under_corner
from .passages import tower_edges
from .pieces import OnTheMove, follow, lies_over, touches_enemy
from .ramparts import in_siege_tower, is_within
from .sorts import TOWER
from .state import (
    CALTROPS,
    CARD,
    FIELD,
    FORD,
    INSIDE,
    MOUNTED,
    MOVED,
    NO_FORMATION,
    NOBODY,
    RIVER,
    SECTION,
    SIEGE,
    SIEGE_TOWER,
    TOWERS,
    VILLAGE,
    WALLS,
    OnusState,
)
from .state import LIMITED as WAS_LIMITED
from .structures import structure_of, touched
from .table import engaged, holder, shape_of, standing, structure_body, structure_patch, tiles
from .walls import (
    OUT_OF,
    around,
    in_fortress,
    is_tower,
    lay,
    lies_within,
    posts,
    solid_patches,
    touches_from_within,
)

FULL_UP = {SIEGE_TOWER: "O4.siege-tower.capacity"}
HOUSES = (VILLAGE, *TOWERS)  # a unit is in them, not on them
SHIFTS = [sign * step * SECTION for step in (1, 2) for sign in (1, -1)]
BOARDING = "O4.siege-tower.boarding"
SIDE_NAMES = ("front", "right", "rear", "left")


# --- aligning ------------------------------------------------------------------------------------


class Side(NamedTuple):
    """One side of something with which a card can align: its ends and the direction that faces it."""

    a: XY
    b: XY
    facing: int
    inside: bool  # the card must lie within its length: a ford


def alignable(state: OnusState, i: int) -> list[str]:
    """O2.facing-free O3.river.impassable O3.ford.align O4.barricade.contact: what it touches and can face."""
    shape = shape_of(state, i)
    kinds = [n for n in standing(state) if state.roster.structures[n].kind != CALTROPS]
    found = [state.roster.structures[n].id for n in kinds if touched(state, i, n)]
    banks = tiles(state, RIVER, FORD)
    return found + [tile.id for tile in banks if plane.touches(shape, tile.shape)]


def sides_of(state: OnusState, name: str) -> list[Side]:
    """The sides of a structure, or the banks of a river or ford."""
    n = structure_of(state, name)
    if n >= 0:
        return _around(structure_patch(state, n).points, False)
    tile = next((tile for tile in tiles(state, RIVER, FORD) if tile.id == name), None)
    if tile is None:
        return []
    water = [other for other in tiles(state, RIVER, FORD) if other is not tile]
    sides = _around([(float(x), float(y)) for x, y in tile.outline], tile.kind == FORD)
    return [side for side in sides if not _is_joint(side, [other.shape for other in water])]


def _around(points: list[XY] | tuple[XY, ...], inside: bool) -> list[Side]:
    ring = plane.Patch(points).shape
    found = []
    for a, b in zip(points, (*points[1:], points[0]), strict=True):
        facing = (plane.bearing(a, b) + RIGHT_ANGLE) % FULL
        middle = Pose(round((a[0] + b[0]) / 2), round((a[1] + b[1]) / 2), facing)
        if not plane.contains(ring, plane.moved(middle, 0, 3)):
            facing = (facing + FULL // 2) % FULL
            a, b = b, a
        found.append(Side(a, b, facing, inside))
    return found


def _is_joint(side: Side, water: list[Polygon]) -> bool:
    """Whether a side of a river tile is where the next tile begins."""
    middle = Pose(round((side.a[0] + side.b[0]) / 2), round((side.a[1] + side.b[1]) / 2))
    return any(shape.dwithin(Point(middle.x, middle.y), TOLERANCE) for shape in water)


def aligned(state: OnusState, i: int, name: str) -> Pose | None:
    """O2.facing-free: its front against the side of a thing that it touches; None if it cannot be."""
    pose, shape, n = state.pose[i], shape_of(state, i), structure_of(state, name)
    if n >= 0 and state.roster.structures[n].kind in WALLS:
        return at_marks(state, i, n)
    beside = (structure_patch(state, n),) if n >= 0 else ()
    fits = [
        side
        for side in sides_of(state, name)
        if plane.touches(shape, LineString((side.a, side.b))) and _outward(pose, side) > 0
    ]
    for side in sorted(fits, key=lambda side: abs(plane.between(pose.turn, side.facing))):
        end = _against(pose, side)
        path = Path((pose, end), 0)
        if end != pose and has_room(state, i, end) and not is_barred(state, i, path, beside=beside):
            return end
    return None


def at_marks(state: OnusState, i: int, n: int) -> Pose | None:
    """O4.wall.face: against a face of a wall, section on section, as near as can be."""
    pose = state.pose[i]
    near = [patch for k in (n, *around(state, n)) for patch in solid_patches(state, k)]
    for end in posts(state, i, n):
        over = [*near, *under_corner(state, end)]
        path = Path((pose, end), 0)
        if end != pose and has_room(state, i, end) and not is_barred(state, i, path, beside=over):
            return end
    return None


def wall_bars(state: OnusState, i: int, n: int) -> Iterator[Refusal]:
    """O4.mounted.no-defences O5.artillery.no-wall-facing: who has no place at a wall."""
    values: Values = {"unit": label(state, i), "structure": state.roster.structures[n].id}
    traits = state.roster.units[i].kind.traits
    if MOUNTED in traits and is_within(state, i):
        yield Refusal("O4.mounted.no-defences", "refusal.no_manning", values)
    if SIEGE in traits:
        yield Refusal("O5.artillery.no-wall-facing", "refusal.faces_no_wall", values)


def _outward(pose: Pose, side: Side) -> float:
    """How far before a side a card's middle lies."""
    return -plane.seen(Pose(round(side.a[0]), round(side.a[1]), side.facing), (pose.x, pose.y))[1]


def _against(pose: Pose, side: Side) -> Pose:
    """The front against a side, as near as can be to where the card is; in a ford it must fit in."""
    (x1, y1), (x2, y2) = side.a, side.b
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    place = (pose.x - x1) * ux + (pose.y - y1) * uy
    least = CARD.front / 2 if side.inside else SECTION - CARD.front / 2
    if length < 2 * least:
        least = length / 2
    place = min(max(place, least), length - least)
    dx, dy = plane.at(Pose(0, 0, side.facing), 0, -CARD.depth / 2)
    return Pose(round(x1 + ux * place + dx), round(y1 + uy * place + dy), side.facing)


class Align(Action):
    """O2.facing-free O3.ford.align O3.river.impassable O4.barricade.contact: face what it touches, free."""

    def __init__(self, piece: str) -> None:
        self.piece: Final = piece

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        moving = state.decision
        if not isinstance(moving, OnTheMove):
            return
        i = moving.unit
        values: Values = {"unit": state.roster.units[i].id, "structure": self.piece}
        yield from moving.stance_bars(state)
        if state.where[i] != FIELD:
            return
        if self.piece in moving.aligned:
            yield Refusal("O2.facing-free", "refusal.aligned_already", values)
        if self.piece not in alignable(state, i):
            yield Refusal("O2.facing-free", "refusal.nothing_to_align", values)
            return
        n = bridge_of(state, self.piece)
        if n >= 0:
            yield from mount_bars(state, i, n)
            return
        n = structure_of(state, self.piece)
        if n >= 0 and state.roster.structures[n].kind in WALLS:
            yield from wall_bars(state, i, n)
        end = aligned(state, i, self.piece)
        if end is None:
            yield Refusal("O2.facing-free", "refusal.cannot_align", values)
        elif touches_enemy(state, i, Path((end,), 0)):
            yield Refusal("OH.move.9", "refusal.contact_by_charge", values)

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        moving: OnTheMove = play.taken
        i, n = moving.unit, bridge_of(state, self.piece)
        if n >= 0:
            mount(play, i, n)
        else:
            end = aligned(state, i, self.piece)
            assert end is not None
            follow(play, i, Path((state.pose[i], end), 0))
            play.tell("O2.facing-free", "event.aligns", unit=label(state, i), structure=self.piece)
            keep_hidden(play, i, moving.spent)
        state.flags[i] |= MOVED
        play.then(replace(moving, aligned=(*moving.aligned, self.piece)))


# --- in and out ----------------------------------------------------------------------------------


class Occupy(Action):
    """O4.village.occupy O4.occupy.enter O4.siege-tower.boarding: into what it touches, a limited move.

    O4.wall.example-tower-or-wall: who touches a wall too may stay behind it instead.
    """

    def __init__(self, structure: str) -> None:
        self.structure: Final = structure

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        moving = state.decision
        if not isinstance(moving, OnTheMove):
            return
        i, n = moving.unit, structure_of(state, self.structure)
        kind = state.roster.units[i].kind
        name: Values = {"unit": label(state, i), "structure": self.structure}
        yield from moving.stance_bars(state)
        if n < 0 or state.roster.structures[n].kind not in HOUSES or not touched(state, i, n):
            yield Refusal("O4.village.occupy", "refusal.not_touching", name)
            return
        tower = is_tower(state, n)
        if holder(state, n) >= 0:
            clause = "O4.tower.capacity" if in_fortress(state, n) else "O4.village.capacity"
            clause = FULL_UP.get(state.roster.structures[n].kind, clause)
            yield Refusal(clause, "refusal.held", name)
        if tower and MOUNTED in kind.traits:
            yield Refusal("O4.mounted.no-defences", "refusal.no_boarding", name)
        if tower and SIEGE in kind.traits:
            clause = "O5.artillery.inside-fortress" if in_fortress(state, n) else "O4.siege-tower.boarding"
            yield Refusal(clause, "refusal.no_boarding", name)
        if in_fortress(state, n) and not touches_from_within(state, i, n):
            yield Refusal("O4.occupy.tower-inside", "refusal.not_from_within", name)
        yield from moving.cost_bars(state, Path((state.pose[i],), 0, False, "O4.village.move-edge"), REGULAR)

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        i, n = play.taken.unit, state.roster.structure_index[self.structure]
        go_in(state, i, n)
        state.flags[i] |= MOVED | WAS_LIMITED  # O4.occupy.fight O4.siege-tower.shoot-on-entry: it may shoot
        unit = state.roster.units[i].id
        reveal(play, i, "O4.hidden.reveal")
        clause = "O4.tower.enter-inside" if in_fortress(state, n) else "O4.village.occupy"
        play.tell(clause, "event.occupies", unit=unit, structure=self.structure)


def go_in(state: OnusState, i: int, n: int) -> None:
    """O4.tower.marker O4.unit-markers.twin: the structure shows who is in it; the card leaves the field."""
    spot = state.spots[n]
    state.where[i], state.inside[i], state.way[i] = INSIDE, n, 0
    state.pose[i] = Pose(spot.x, spot.y, state.pose[i].turn)
    state.formation[i], state.wings[i] = NO_FORMATION, 0
    lay(state, i)


def exits(state: OnusState, i: int) -> list[Pose]:
    """O4.village.exit-measure: for each side of its structure, the card with its front at that edge."""
    spot, size = state.spots[state.inside[i]], state.roster.structures[state.inside[i]].size
    found = []
    for side in range(4):
        turn = (spot.turn + side * RIGHT_ANGLE) % FULL
        across = size.depth if side % 2 == 0 else size.front
        found.append(plane.moved(Pose(spot.x, spot.y, turn), 0, across / 2 - CARD.depth / 2))
    return found


def exit_cost(state: OnusState, i: int) -> int:
    """O4.village.exit-measure: from the edge its card is deep, or all of a limited move that is shorter."""
    return min(CARD.depth, allowance(state, i, LIMITED))


def is_outer(state: OnusState, n: int, side: int) -> bool:
    """O4.occupy.tower-exit: a side of a tower of the fortress that is not open to the inside."""
    inner = {number for number, _, within in tower_edges(state, n) if within} if in_fortress(state, n) else ()
    return in_fortress(state, n) and side not in inner


def ways_out(state: OnusState, i: int, side: int) -> Iterator[Pose]:
    """O4.occupy.tower-exit: where a unit that leaves by a side can stand against it.

    Its rear against the middle of that side; out of a tower of a fortress also farther to the left or right,
    or with a flank against it, so that the pieces beside it leave it room.
    """
    start = exits(state, i)[side]
    yield plane.moved(start, 0, CARD.depth)
    if not in_fortress(state, state.inside[i]):
        return
    half = state.roster.structures[state.inside[i]].size.front / 2
    spot = state.spots[state.inside[i]]
    edge = Pose(spot.x, spot.y, start.turn)
    for shift in SHIFTS:
        yield plane.moved(edge, shift, half + CARD.depth / 2)
    for turn in (RIGHT_ANGLE, -RIGHT_ANGLE):
        for shift in SHIFTS:
            yield plane.turned(plane.moved(edge, shift, half + CARD.front / 2), turn)


class Sally(Action):
    """O4.village.exit-measure O4.village.move-edge: out of a structure by one of its sides, limited."""

    def __init__(self, side: str) -> None:
        self.side: Final = side

    def path(self, state: OnusState, i: int) -> Path | None:
        """Outside, its rear against that side, its front away from it; or where there is room beside it."""
        if self.side not in SIDE_NAMES or state.where[i] != INSIDE:
            return None
        side = SIDE_NAMES.index(self.side)
        over = over_side(state, i, side)
        if over is not None:
            return Path((exits(state, i)[side], over[0]), CARD.depth, limited=BOARDING, passage=over[1])
        ends = list(ways_out(state, i, side))
        outer = is_outer(state, state.inside[i], side)
        free = [end for end in ends if has_room(state, i, end) and lies_within(state, end) != outer]
        end = free[0] if free and in_fortress(state, state.inside[i]) else ends[0]
        if outer:
            return Path((end,), allowance(state, i, REGULAR), False, "")
        if in_fortress(state, state.inside[i]):
            return Path((end,), exit_cost(state, i), False, "O4.occupy.tower-exit")
        return Path((exits(state, i)[side], end), exit_cost(state, i), False, "O4.village.move-edge")

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        moving = state.decision
        if not isinstance(moving, OnTheMove):
            return
        i = moving.unit
        name: Values = {"unit": state.roster.units[i].id, "side": self.side}
        held = state.where[i] == INSIDE and is_tower(state, state.inside[i])
        if held and SIEGE in state.roster.units[i].kind.traits:
            yield Refusal("O5.artillery.in-tower", "refusal.fixed", name)
        path = self.path(state, i)
        if path is None:
            yield Refusal("O4.village.exit-measure", "refusal.not_inside", name)
            return
        if empty_tower(state, i, SIDE_NAMES.index(self.side)) != NOBODY:
            path = Path((state.pose[i],), 0, limited=BOARDING)
            yield from moving.cost_bars(state, path, REGULAR)
            return
        if state.backward:
            yield Refusal("OH.order.8", "refusal.only_back", name)
        yield from moving.cost_bars(state, path, REGULAR)
        if path.passage != NOBODY:
            return
        if not has_room(state, i, path.end):
            yield Refusal("O4.village.exit-measure", "refusal.no_room", name)
        elif self._meets(state, i, path):
            yield Refusal("OH.move.9", "refusal.contact_by_charge", name)

    def _meets(self, state: OnusState, i: int, path: Path) -> bool:
        outside = state.copy()
        outside.where[i], outside.inside[i], outside.pose[i] = FIELD, NOBODY, path.end
        return bool(engaged(outside, i))

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        moving: OnTheMove = play.taken
        i = moving.unit
        path = self.path(state, i)
        assert path is not None
        structure = state.roster.structures[state.inside[i]].id
        unit = state.roster.units[i].id
        tower = empty_tower(state, i, SIDE_NAMES.index(self.side))
        if tower != NOBODY:
            go_in(state, i, tower)
            state.flags[i] |= MOVED | WAS_LIMITED
            name = state.roster.structures[tower].id
            play.tell(BOARDING, "event.occupies", unit=unit, structure=name)
            return
        state.where[i], state.inside[i] = FIELD, NOBODY
        play.tell("O4.village.exit-measure", "event.sallies", unit=unit, structure=structure)
        moving.go(play, path, REGULAR)
        if path.passage != NOBODY:
            state.way[i] = OUT_OF + path.passage if lies_over(state, i) else 0
            play.then(Spotted())


def over_side(state: OnusState, i: int, side: int) -> tuple[Pose, int] | None:
    """O4.siege-tower.boarding O4.occupy.enter: over the unmanned wall at which its siege tower stands."""
    if not in_siege_tower(state, i) or opponents(state, i):
        return None
    start = exits(state, i)[side]
    return over_wall(state, i, start) if near_faces(state, start) else None


def empty_tower(state: OnusState, i: int, side: int) -> int:
    """O4.siege-tower.boarding O4.occupy.enter: the empty tower of a fortress at its siege tower, or -1."""
    if not in_siege_tower(state, i) or opponents(state, i):
        return NOBODY
    edge = LineString(plane.edge(*structure_body(state, state.inside[i]), side))
    towers = [n for n in standing(state, (TOWER,)) if in_fortress(state, n) and holder(state, n) < 0]
    beside = [n for n in towers if edge.intersection(state.roster.structures[n].near).length >= SECTION]
    return next(iter(beside), NOBODY)


def houses_touched(state: OnusState, i: int) -> list[str]:
    """The villages and towers that a unit touches."""
    return [state.roster.structures[n].id for n in standing(state, HOUSES) if touched(state, i, n)]
