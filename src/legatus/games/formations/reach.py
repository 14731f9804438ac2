"""House rules: what steps, turns and wheels cost, what bars them, and where a move can end."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...kernel import Refusal
from ...parts.hexes import OFF
from .state import (
    BLAZE,
    CHARACTER,
    DIFFICULT,
    FLYING,
    FORMATION,
    GROUND,
    HEDGEHOG,
    HOLD,
    MOVES,
    NO_STAKES,
    REGROUP,
    ROTATION,
    TORTOISE,
    WALL,
    FormationsState,
    other,
)
from .units import cells_of, enemies_at, engagers_at, fits, is_stopped, kind_of, limited_by, troops

Cells = tuple[int, ...]
Pose = tuple[Cells, int]  # where, and facing
NEAR = 4  # AH6.instructions
AIR = 1  # AH25.special_positions: points for a hex
TURN, WHEEL, ABOUT, DRILLED = 1, 2, 2, 1  # AH7.move: points; who has Manoeuvre turns about for DRILLED


# --- points and prices ---------------------------------------------------------------------------


def allowance(state: FormationsState, i: int) -> int:
    """AH7.move AH21.modes: movement points; Rank Rotation has 2, a Hedgehog none."""
    whole = MOVES[kind_of(state, i).move]
    if state.kind[i] != FORMATION:
        return whole
    return {ROTATION: 2, HEDGEHOG: 0}.get(state.mode[i], whole)


def is_single(state: FormationsState, i: int) -> bool:
    """AH21.modes: Tortoise and Shield Wall make one step, wheel or turn about and no more."""
    return state.kind[i] == FORMATION and state.mode[i] in (TORTOISE, WALL)


def price(state: FormationsState, cells: Cells) -> int:
    """AH7.move: to enter; of two hexes the dearer one."""
    ground = state.roster.terrain
    return 1 + max([ground[cell] for cell in cells])


def cost(state: FormationsState, i: int, old: Cells, new: Cells) -> int:
    """AH7.move: the dearer hex; AH23.stakes: a point more to go out through stakes.

    AH25.special_positions: who flies pays a point, whatever is below.
    """
    if state.position[i] == FLYING:
        return AIR
    stakes, paid = state.stakes, price(state, new)
    for a, b in zip(old, new, strict=True):
        if stakes[a] != NO_STAKES and a != b and is_fenced(state, a, b):
            return paid + 1
    return paid


def is_fenced(state: FormationsState, cell: int, to: int) -> bool:
    """AH23.stakes: whether stakes in ``cell`` stand towards ``to``."""
    if state.stakes[cell] == NO_STAKES:
        return False
    facing = state.stakes[cell]
    around = state.roster.grid.neighbours[cell]
    return to in (around[facing], around[(facing + 1) % 6])


def about_price(state: FormationsState, i: int) -> int:
    """AH7.move A.def.faculties: what it costs a formation to turn about."""
    return DRILLED if kind_of(state, i).manoeuvre else ABOUT


# --- steps, turns and wheels ---------------------------------------------------------------------


def is_free(state: FormationsState, i: int) -> bool:
    """AH7.move: small units and characters go any way and turn free, but for small formations.

    AH25.special_positions: so do those who fly or infiltrate.
    """
    return (kind_of(state, i).small and state.kind[i] != FORMATION) or state.position[i] != GROUND


def step_directions(state: FormationsState, i: int, facing: int) -> range:
    """AH7.move: who is not free steps into his front only."""
    return range(6) if is_free(state, i) else range(facing, facing + 2)


def shifted(state: FormationsState, cells: Cells, direction: int) -> Cells:
    return tuple(state.roster.grid.neighbours[cell][direction % 6] for cell in cells)


def wheels(state: FormationsState, cells: Cells) -> Iterator[tuple[int, int]]:
    """AH7.move: (hex about which it wheels, hex to which the other one swings)."""
    grid = state.roster.grid
    for pivot, swings in ((cells[0], cells[1]), (cells[1], cells[0])):
        direction = grid.direction(pivot, swings)
        for way in (-1, 1):
            to = grid.neighbours[pivot][(direction + way) % 6]
            if to != OFF:
                yield pivot, to


def wheeled(state: FormationsState, pose: Pose, pivot: int, to: int) -> Pose:
    """AH7.move: the facing turns by one corner with the hex that swings."""
    grid = state.roster.grid
    (left, right), facing = pose
    swings = right if pivot == left else left
    way = (grid.direction(pivot, to) - grid.direction(pivot, swings) + 1) % 6 - 1  # -1 or 1
    return ((pivot, to) if pivot == left else (to, pivot)), (facing + way) % 6


def turned_about(pose: Pose) -> Pose:
    """AH2.footprint: the left hex is now the right one."""
    cells, facing = pose
    return cells[::-1], (facing + 3) % 6


def _onward(state: FormationsState, i: int, pose: Pose) -> Iterator[tuple[Pose, int]]:
    """AH7.move: every step, turn, wheel and turn about on the map, and what it costs."""
    cells, facing = pose
    for direction in step_directions(state, i, facing):
        new = shifted(state, cells, direction)
        if OFF not in new:
            yield (new, facing), cost(state, i, cells, new)
    if state.kind[i] == FORMATION:
        for pivot, to in wheels(state, cells):
            yield wheeled(state, pose, pivot, to), WHEEL
        yield turned_about(pose), about_price(state, i)
    elif not is_free(state, i):
        yield from (((cells, (facing + way) % 6), TURN) for way in (-1, 1))


# --- what bars them ------------------------------------------------------------------------------


def bars(state: FormationsState, i: int, cells: Cells) -> Iterator[Refusal]:
    """AH7.move AH6.instructions: what forbids a unit to enter some hexes, but for their price."""
    unit, side = {"unit": state.ids[i]}, state.side[i]
    if OFF in cells:
        yield Refusal("AH7.move", "refusal.off_map", {**unit})
        return
    if any(enemies_at(state, side, cell) for cell in cells):
        yield Refusal("AH7.move", "refusal.enemy_there", {**unit})
    if any(state.fire[cell] >= BLAZE for cell in cells):
        yield Refusal("AH7.move", "refusal.blaze_there", {**unit})
    if state.kind[i] == FORMATION and any(state.roster.terrain[cell] == DIFFICULT for cell in cells):
        yield Refusal("AH7.move", "refusal.difficult", {**unit})
    bound = state.kind[i] != CHARACTER and limited_by(state, i) == HOLD
    if bound and engagers_at(state, side, cells):
        yield Refusal("AH6.instructions", "refusal.holds", {**unit})


def is_apart(state: FormationsState, i: int, start: Cells, cells: Cells) -> bool:
    """AH6.instructions: under Regroup a move does not end nearer to an enemy within four hexes."""
    if state.kind[i] == CHARACTER or limited_by(state, i) != REGROUP:
        return True
    rows = state.roster.grid.distances
    for j in troops(state, other(state.side[i])):
        theirs = cells_of(state, j)
        was = min(rows[a][b] for a in start for b in theirs)
        if was <= NEAR and min(rows[a][b] for a in cells for b in theirs) < was:
            return False
    return True


# --- where a move can end ------------------------------------------------------------------------


def no_end(state: FormationsState, i: int, start: Cells, pose: Pose, left: int) -> Iterator[Refusal]:
    """AH7.move AH6.instructions: why a move cannot end where it has come to, nor anywhere farther on.

    Friends may be passed, and a unit under Regroup may come nearer on its way: only the end counts.
    """

    def roomy(cells: Cells) -> bool:
        return fits(state, i, cells)

    def apart(cells: Cells) -> bool:
        return is_apart(state, i, start, cells)

    if _can_end(state, i, pose, left, lambda cells: roomy(cells) and apart(cells)):
        return
    finds_room = _can_end(state, i, pose, left, roomy)
    if not finds_room:
        yield Refusal("AH18.stacking", "refusal.no_room", {"unit": state.ids[i]})
    if finds_room or not _can_end(state, i, pose, left, apart):
        yield Refusal("AH6.instructions", "refusal.regroups", {"unit": state.ids[i]})


def _can_end(state: FormationsState, i: int, pose: Pose, left: int, is_end: Callable[[Cells], bool]) -> bool:
    """AH7.move: whether ``left`` points lead to an end; who enters the front of an enemy stops there."""
    most: dict[Pose, int] = {pose: left}  # the points left where it has been
    ways = [pose]
    while ways:
        here = ways.pop()
        if is_end(here[0]):
            return True
        if is_single(state, i) or is_stopped(state, i, here[0]):
            continue
        for new, paid in _onward(state, i, here):
            rest = most[here] - paid
            enters = set(new[0]) != set(here[0])
            if rest > most.get(new, -1) and not (enters and any(bars(state, i, new[0]))):
                most[new] = rest
                ways.append(new)
    return False
