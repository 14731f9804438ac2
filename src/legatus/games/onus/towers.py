"""4 Siege towers: how they roll, and how they are brought up to a wall."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from shapely import LineString

from ...kernel import Action, Play, Refusal, Values
from ...kernel.objects import replace
from ...parts import plane
from ...parts.plane import CORNERS, FULL, RIGHT_ANGLE, TOLERANCE, UNIT, Patch, Pose, Size
from .contact import in_melee
from .ladders import marks_along, outer_edges
from .motion import REDUCED, REGULAR, WHEEL_COST, WIDEST, near
from .pieces import CORNER_NAMES, FARTHEST, OnTheMove
from .ramparts import in_siege_tower
from .state import (
    FIELD,
    FORD,
    FOREST,
    HILL,
    INSIDE,
    MOVED,
    NOBODY,
    RIVER,
    ROLLED,
    SECTION,
    TOWERS,
    WALLS,
    OnusState,
    other,
)
from .structures import structure_of
from .table import laid, rocks, shape_of, standing, structure_body, structure_patch, tiles, units_on
from .walls import solid_patches

ROLL, ASIDE = 2 * UNIT, UNIT  # O4.siege-tower.move O4.siege-tower.reduced
CLOSED_GROUND = (FOREST, HILL, RIVER, FORD)
DOCKED = "dock"  # O2.facing-free: among that with which a unit has aligned
BACKWARDS = (RIGHT_ANGLE, FULL // 2, 3 * RIGHT_ANGLE)


# --- what is in its way --------------------------------------------------------------------------


def barriers(state: OnusState, n: int) -> list[Patch]:
    """O4.siege-tower.terrain: woods, hills, water, works, structures and cards; not what it stands on."""
    found = [*rocks(state), *(ground.patch for ground in tiles(state, *CLOSED_GROUND))]
    for k in standing(state):
        if k != n:
            found += solid_patches(state, k)
    for j, patches in laid(state).items():
        if state.where[j] != INSIDE:
            found += patches
    pose, size = structure_body(state, n)
    box = plane.patch(pose, size).box
    under = [patch for patch in near(found, box) if plane.rests_on(pose, size, patch.points)]
    return [patch for patch in found if patch not in under]


def sweeps(size: Size, poses: list[Pose], patch: Patch) -> bool:
    """Whether a tower on its way through some poses comes over a patch."""
    for a, b in pairwise(poses):
        if a.turn == b.turn:
            if plane.over(a, size, (b.x - a.x, b.y - a.y), patch.points):
                return True
        elif plane.hull(a, b, size).intersects(patch.shape):
            return True
    return False


def is_clear(state: OnusState, n: int, poses: list[Pose], spared: tuple[Patch, ...] = ()) -> bool:
    """Nothing is in the way of a tower, and it stays on the table."""
    size = state.roster.structures[n].size
    left, top, right, bottom = plane.boxed([point for pose in poses for point in plane.corners(pose, size)])
    if min(left, top) < -TOLERANCE:
        return False
    if right > state.roster.width + TOLERANCE or bottom > state.roster.height + TOLERANCE:
        return False
    blocks = near(barriers(state, n), (left, top, right, bottom))
    return not any(sweeps(size, poses, patch) for patch in blocks if patch not in spared)


def meets_enemy(state: OnusState, i: int, pose: Pose) -> bool:
    """OH.move.9: it would touch an enemy in the open."""
    shape = plane.card(pose, state.roster.structures[state.inside[i]].size)
    foes = [j for j in units_on(state, other(state.roster.units[i].side)) if state.where[j] == FIELD]
    return any(plane.touches(shape, shape_of(state, j)) for j in foes)


def is_attacked(state: OnusState, i: int) -> bool:
    """O4.siege-tower.attacked: an enemy climbs it, or fights the unit in it."""
    return state.inside[i] in state.climbs or bool(in_melee(state, i))


# --- rolling -------------------------------------------------------------------------------------


class TowerPiece(Action):
    """O4.siege-tower.move: a piece of the move of a siege tower, whose unit has been activated.

    O4.siege-tower.artillery: a crew that cannot leave it rolls with it.
    """

    def poses(self, state: OnusState, i: int) -> list[Pose]:
        """The way of the tower; empty if it makes no sense."""
        raise NotImplementedError

    def cost(self) -> int:
        return 0

    def mode(self) -> str:
        return REGULAR

    def spared(self, state: OnusState) -> tuple[Patch, ...]:
        return ()

    def tell(self, play: Play, tower: str) -> None:
        play.tell("O4.siege-tower.move", "event.rolls", structure=tower, cost=f"{self.cost() / UNIT:g}")

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        moving = state.decision
        if not isinstance(moving, OnTheMove):
            return
        i = moving.unit
        name: Values = {"unit": state.roster.units[i].id}
        if not in_siege_tower(state, i):
            yield Refusal("O4.siege-tower.move", "refusal.no_siege_tower", name)
            return
        if is_attacked(state, i):
            yield Refusal("O4.siege-tower.attacked", "refusal.tower_attacked", name)
        if state.backward and getattr(self, "angle", 0) != FULL // 2:
            yield Refusal("OH.order.8", "refusal.only_back", name)
        poses = self.poses(state, i)
        if not poses:
            yield Refusal("O4.siege-tower.move", "refusal.no_such_piece")
            return
        reduced = REDUCED in (moving.mode, self.mode())
        left = (ASIDE if reduced else ROLL) - moving.spent
        if self.cost() > left:
            clause = "O4.siege-tower.reduced" if reduced else "O4.siege-tower.move"
            values = name | {"cost": f"{self.cost() / UNIT:g}", "left": f"{max(0, left) / UNIT:g}"}
            yield Refusal(clause, "refusal.too_far", values)
        if not is_clear(state, state.inside[i], poses, self.spared(state)):
            yield Refusal("O4.siege-tower.terrain", "refusal.in_the_way", name)
        elif meets_enemy(state, i, poses[-1]):
            yield Refusal("OH.move.9", "refusal.contact_by_charge", name)

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        moving: OnTheMove = play.taken
        i = moving.unit
        end = self.poses(state, i)[-1]
        state.spots[state.inside[i]] = state.pose[i] = end
        state.flags[i] |= MOVED | ROLLED
        structure = state.roster.structures[state.inside[i]].id
        self.tell(play, structure)
        reduced = REDUCED in (moving.mode, self.mode())
        faced = (*moving.aligned, DOCKED) if isinstance(self, Dock) else moving.aligned
        new = replace(moving, spent=moving.spent + self.cost(), aligned=faced)
        play.then(replace(new, mode=REDUCED) if reduced else new)


class Haul(TowerPiece):
    """O4.siege-tower.move O4.siege-tower.reduced: straight on; aside and backwards it is a reduced move."""

    def __init__(self, angle: int, distance: int) -> None:
        self.angle: Final = angle
        self.distance: Final = distance

    def poses(self, state: OnusState, i: int) -> list[Pose]:
        if not (0 < self.distance <= FARTHEST and 0 <= self.angle < FULL):
            return []
        start = state.spots[state.inside[i]]
        across, onward = plane.sine(self.angle) / 10**9, plane.cosine(self.angle) / 10**9
        return [start, plane.moved(start, self.distance * across, self.distance * onward)]

    def cost(self) -> int:
        return self.distance

    def mode(self) -> str:
        return REDUCED if self.angle else REGULAR


class Pivot(TowerPiece):
    """O4.siege-tower.move: about a corner of the tile, up to 90 degrees, at 1 DU."""

    def __init__(self, corner: str, angle: int) -> None:
        self.corner: Final = corner
        self.angle: Final = angle

    def poses(self, state: OnusState, i: int) -> list[Pose]:
        if self.corner not in CORNER_NAMES or not 0 < abs(self.angle) <= WIDEST:
            return []
        n = state.inside[i]
        corner = CORNERS[CORNER_NAMES.index(self.corner)]
        return plane.stations(state.spots[n], state.roster.structures[n].size, corner, self.angle)

    def cost(self) -> int:
        return WHEEL_COST


class Dock(TowerPiece):
    """O4.siege-tower.melee O2.facing-free: a tower that touches a wall or a tower lines up with its marks.

    Once a move, and no farther than that needs.
    """

    def __init__(self, structure: str) -> None:
        self.structure: Final = structure

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        moving = state.decision
        if isinstance(moving, OnTheMove) and DOCKED in moving.aligned:
            values: Values = {"unit": state.roster.units[moving.unit].id, "structure": self.structure}
            yield Refusal("O4.siege-tower.move", "refusal.aligned_already", values)
        yield from super().refuse(state)

    def poses(self, state: OnusState, i: int) -> list[Pose]:
        found = berth(state, i, structure_of(state, self.structure))
        return [state.spots[state.inside[i]], found] if found is not None else []

    def spared(self, state: OnusState) -> tuple[Patch, ...]:
        return (structure_patch(state, structure_of(state, self.structure)),)

    def tell(self, play: Play, tower: str) -> None:
        play.tell("O2.facing-free", "event.docks", structure=tower, target=self.structure)


def berth(state: OnusState, i: int, n: int) -> Pose | None:
    """Where a siege tower that touches a structure stands against its nearest face, mark by mark.

    At the nearest marks with room, at most a section farther along; None if it stands so already.
    """
    if n == NOBODY or n == state.inside[i] or state.roster.structures[n].kind not in WALLS + TOWERS:
        return None
    here, size = structure_body(state, state.inside[i])
    shape = plane.card(here, size)
    for edge, facing in outer_edges(state, n):
        if not plane.touches(shape, LineString(edge)):
            continue
        near = [end for end in marks_along(here, edge, facing, size) if _shift(here, end) <= SECTION]
        end = next((end for end in near if _fits(state, i, n, end)), None)
        if end is not None:
            return end if end != here else None
    return None


def _shift(here: Pose, end: Pose) -> float:
    """How far along a face a tower is shifted."""
    return abs(plane.seen(end, (here.x, here.y))[0])


def _fits(state: OnusState, i: int, n: int, end: Pose) -> bool:
    spared = (structure_patch(state, n),)
    return is_clear(state, state.inside[i], [end, end], spared)


def tower_moves(state: OnusState, moving: OnTheMove) -> list[Action]:
    """What is worth thinking of for a siege tower: straight on, up to what is before it, turns, back."""
    i = moving.unit
    if not in_siege_tower(state, i) or is_attacked(state, i):
        return []
    n = state.inside[i]
    found: list[Action] = []
    reduced = moving.mode == REDUCED
    far = (ASIDE if reduced else ROLL) - moving.spent
    if far > 0 and not reduced:
        free = reach(state, i, 0, far)
        found += [Haul(0, distance) for distance in dict.fromkeys((free, free // 2)) if distance > 0]
    if not moving.spent:
        found += [Haul(angle, ASIDE) for angle in BACKWARDS]
    if far >= WHEEL_COST:
        found += [Pivot(CORNER_NAMES[k], angle) for k, angle in ((1, 450), (0, -450), (1, 900), (0, -900))]
    shape = plane.card(state.spots[n], state.roster.structures[n].size)
    for k in standing(state, (*WALLS, *TOWERS)) if DOCKED not in moving.aligned else ():
        if k != n and plane.touches(shape, structure_patch(state, k).shape):
            found.append(Dock(state.roster.structures[k].id))
    return found


def reach(state: OnusState, i: int, angle: int, far: int) -> int:
    """How far a siege tower gets before something is in its way."""
    n = state.inside[i]
    pose, size = structure_body(state, n)
    across, onward = plane.sine(angle) / 10**9, plane.cosine(angle) / 10**9
    end = plane.moved(pose, far * across, far * onward)
    blocks = near(barriers(state, n), plane.boxed([*plane.corners(pose, size), *plane.corners(end, size)]))
    way = end.x - pose.x, end.y - pose.y
    stops = [span[0] for patch in blocks for span in plane.over(pose, size, way, patch.points)]
    return max(0, int(min([1.0, *stops]) * far) - (1 if stops else 0))
