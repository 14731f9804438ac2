"""2 and 4: aligning with what a unit touches, into villages and towers, and out of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace
from shapely import LineString, Point, Polygon

from ...kernel import Action, Play, Refusal, Values
from ...parts import plane
from ...parts.plane import FULL, RIGHT_ANGLE, TOLERANCE, XY, Pose
from .crossing import bridge_of, mount, mount_bars
from .motion import REGULAR, Path, has_room, is_barred
from .pieces import OnTheMove, follow, touches_enemy
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
    VILLAGE,
    WATCHTOWER,
    OnusState,
)
from .state import LIMITED as WAS_LIMITED
from .structures import structure_of, touched
from .table import engaged, holder, shape_of, standing, tiles

HOUSES = (VILLAGE, WATCHTOWER)  # a unit is in them, not on them
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
        return _around(state.roster.structures[n].patch.points, False)
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
    beside = state.roster.structures[n].patch if n >= 0 else None
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


class Align(Action, frozen=True):
    """O2.facing-free O3.ford.align O3.river.impassable O4.barricade.contact: face what it touches, free."""

    piece: str

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
            unit = state.roster.units[i].id
            play.tell("O2.facing-free", "event.aligns", unit=unit, structure=self.piece)
        state.flags[i] |= MOVED
        play.then(replace(moving, aligned=(*moving.aligned, self.piece)))


# --- in and out ----------------------------------------------------------------------------------


class Occupy(Action, frozen=True):
    """O4.village.occupy O4.occupy.enter O4.siege-tower.boarding: into what it touches, a limited move."""

    structure: str

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        moving = state.decision
        if not isinstance(moving, OnTheMove):
            return
        i, n = moving.unit, structure_of(state, self.structure)
        kind = state.roster.units[i].kind
        name: Values = {"unit": state.roster.units[i].id, "structure": self.structure}
        yield from moving.stance_bars(state)
        if n < 0 or state.roster.structures[n].kind not in HOUSES or not touched(state, i, n):
            yield Refusal("O4.village.occupy", "refusal.not_touching", name)
            return
        if holder(state, n) >= 0:
            yield Refusal("O4.village.capacity", "refusal.held", name)
        tower = state.roster.structures[n].kind == WATCHTOWER
        if tower and MOUNTED in kind.traits:
            yield Refusal("O4.mounted.no-defences", "refusal.no_boarding", name)
        if tower and SIEGE in kind.traits:
            yield Refusal("O4.siege-tower.boarding", "refusal.no_boarding", name)
        yield from moving.cost_bars(state, Path((state.pose[i],), 0, False, "O4.village.move-edge"), REGULAR)

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        i, n = play.taken.unit, state.roster.structure_index[self.structure]
        structure = state.roster.structures[n]
        state.where[i], state.inside[i], state.way[i] = INSIDE, n, 0
        state.pose[i] = Pose(structure.pose.x, structure.pose.y, state.pose[i].turn)
        state.formation[i], state.wings[i] = NO_FORMATION, 0
        state.flags[i] |= MOVED | WAS_LIMITED  # O4.occupy.fight: it may shoot, or fight whom it meets
        unit = state.roster.units[i].id
        play.tell("O4.village.occupy", "event.occupies", unit=unit, structure=self.structure)


def exits(state: OnusState, i: int) -> list[Pose]:
    """O4.village.exit-measure: for each side of its structure, the card with its front at that edge."""
    structure = state.roster.structures[state.inside[i]]
    found = []
    for side in range(4):
        turn = (structure.pose.turn + side * RIGHT_ANGLE) % FULL
        across = structure.size.depth if side % 2 == 0 else structure.size.front
        middle = Pose(structure.pose.x, structure.pose.y, turn)
        found.append(plane.moved(middle, 0, across / 2 - CARD.depth / 2))
    return found


class Sally(Action, frozen=True):
    """O4.village.exit-measure O4.village.move-edge: out of a structure by one of its sides, limited."""

    side: str

    def path(self, state: OnusState, i: int) -> Path | None:
        """Outside, its rear against that side, its front away from it."""
        if self.side not in SIDE_NAMES or state.where[i] != INSIDE:
            return None
        start = exits(state, i)[SIDE_NAMES.index(self.side)]
        end = plane.moved(start, 0, CARD.depth)
        return Path((start, end), CARD.depth, False, "O4.village.move-edge")

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        moving = state.decision
        if not isinstance(moving, OnTheMove):
            return
        i = moving.unit
        name: Values = {"unit": state.roster.units[i].id, "side": self.side}
        path = self.path(state, i)
        if path is None:
            yield Refusal("O4.village.exit-measure", "refusal.not_inside", name)
            return
        if state.backward:
            yield Refusal("OH.order.8", "refusal.only_back", name)
        yield from moving.cost_bars(state, path, REGULAR)
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
        state.where[i], state.inside[i] = FIELD, NOBODY
        unit = state.roster.units[i].id
        play.tell("O4.village.exit-measure", "event.sallies", unit=unit, structure=structure)
        moving.go(play, path, REGULAR)


def houses_touched(state: OnusState, i: int) -> list[str]:
    """The villages and towers that a unit touches."""
    return [state.roster.structures[n].id for n in standing(state, HOUSES) if touched(state, i, n)]
