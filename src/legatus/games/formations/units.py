"""0 Terms and states: questions about units, stacks, fronts and command; making and removing units."""

from __future__ import annotations

from collections.abc import Iterator

from ...parts.hexes import FLANK, FRONT, OFF, REAR, angle
from .state import (
    ADVANCE,
    CHARACTER,
    EXHAUSTED,
    FLYING,
    FORMATION,
    FRESH,
    FULL,
    GONE,
    GROUND,
    HEDGEHOG,
    HOLD,
    LIMIT,
    MARCH,
    MOVED,
    NOBODY,
    ORDERED,
    REGROUP,
    ROUT,
    SIMPLE,
    STEADY,
    WHOLE,
    FormationsState,
    Type,
    other,
)

# --- units ---------------------------------------------------------------------------------------


def kind_of(state: FormationsState, i: int) -> Type:
    return state.roster.types[state.type[i]]


def is_troop(state: FormationsState, i: int) -> bool:
    """A.def.kinds: a simple troop or a formation."""
    return state.kind[i] != CHARACTER


def on_map(state: FormationsState, side: int) -> list[int]:
    cells = state.cell
    return [i for i, whose in enumerate(state.side) if whose == side and cells[i] >= 0]


def troops(state: FormationsState, side: int) -> list[int]:
    cells, kinds = state.cell, state.kind
    units = enumerate(state.side)
    return [i for i, whose in units if whose == side and kinds[i] != CHARACTER and cells[i] >= 0]


def unit_of(state: FormationsState, side: int, name: str) -> int:
    """The number of a unit of ``side`` on the map, or NOBODY if the name is nobody of his."""
    try:
        i = state.ids.index(name)
    except ValueError:
        return NOBODY
    return i if state.side[i] == side and state.cell[i] >= 0 else NOBODY


def cells_of(state: FormationsState, i: int) -> tuple[int, ...]:
    """A.def.footprint: one hex, or the two of a formation."""
    second = state.cell2[i]
    return (state.cell[i],) if second < 0 else (state.cell[i], second)


def figures(steps: int) -> int:
    """A.def.figures: half the steps, rounded up."""
    return (steps + 1) // 2


def is_weakened(state: FormationsState, i: int) -> bool:
    """A.def.figures: an odd number of steps shows the weakened face."""
    return state.steps[i] % 2 == 1


def is_bad(state: FormationsState, i: int) -> bool:
    """A.def.cohesion: Shaken, or in Rout, which fails every "not Shaken" too."""
    return state.cohesion[i] != STEADY


def tire(state: FormationsState, i: int) -> bool:
    """One level more tired; False if it cannot be."""
    if state.kind[i] == CHARACTER or state.fatigue[i] == EXHAUSTED:
        return False
    state.fatigue[i] += 1
    return True


# --- stacks --------------------------------------------------------------------------------------


def stack(state: FormationsState, cell: int) -> tuple[int, ...]:
    """A.def.stacked A.def.front_behind: all units in a hex, the foremost first."""
    return state.at[cell]


def points(state: FormationsState, i: int, steps: int | None = None) -> int:
    """AH18.stacking: the stacking points of a unit on each of its hexes."""
    n = state.steps[i] if steps is None else steps
    if state.kind[i] == CHARACTER:
        return 0
    if state.kind[i] == FORMATION:
        return n
    return n * points_per_step(kind_of(state, i))


def points_per_step(kind: Type) -> int:
    """AH18.stacking: of a simple troop."""
    return 3 if kind.heavy else 1 if kind.small else 2


def load(state: FormationsState, cell: int, without: tuple[int, ...] = ()) -> int:
    """A.def.stacking_limit: the stacking points in a hex."""
    return sum(points(state, i) for i in stack(state, cell) if i not in without)


def fits(state: FormationsState, i: int, cells: tuple[int, ...], steps: int | None = None) -> bool:
    """AH18.stacking: whether a unit can stay there, with its own steps or with so many."""
    return all(load(state, cell, (i,)) + points(state, i, steps) <= LIMIT for cell in cells)


# --- fronts --------------------------------------------------------------------------------------


def front_of(state: FormationsState, cells: tuple[int, ...], facing: int) -> tuple[int, ...]:
    """AH1.grid AH2.footprint: two hexes before a simple troop, three before a formation."""
    around = state.roster.grid.neighbours
    found = [around[cell][d % 6] for cell in cells for d in (facing, facing + 1)]
    return tuple(cell for cell in dict.fromkeys(found) if cell != OFF and cell not in cells)


def front(state: FormationsState, i: int) -> tuple[int, ...]:
    pose = (state.cell[i], state.cell2[i], state.facing[i])
    ahead = state.roster.fronts.get(pose)
    if ahead is None:
        ahead = state.roster.fronts[pose] = front_of(state, cells_of(state, i), state.facing[i])
    return ahead


def around(state: FormationsState, i: int) -> tuple[int, ...]:
    """The hexes next to a unit."""
    own = cells_of(state, i)
    found = [to for cell in own for to in state.roster.grid.neighbours[cell]]
    return tuple(cell for cell in dict.fromkeys(found) if cell != OFF and cell not in own)


def angle_from(state: FormationsState, i: int, cell: int) -> int:
    """AH2.footprint: whether an adjacent hex lies in the FRONT, FLANK or REAR of a unit; OFF if not adjacent.

    AH21.modes: a hedgehog has front all around.
    """
    grid = state.roster.grid
    seen = {
        angle(state.facing[i], direction)
        for own in cells_of(state, i)
        if (direction := grid.direction(own, cell)) != OFF
    }
    if not seen:
        return OFF
    if state.mode[i] == HEDGEHOG and state.kind[i] == FORMATION:
        return FRONT
    return FRONT if FRONT in seen else REAR if REAR in seen else FLANK


def enemies_at(state: FormationsState, side: int, cell: int) -> list[int]:
    """Enemy troops in a hex, the foremost first; AH28.characters: characters do not count."""
    return [j for j in state.at[cell] if state.side[j] != side and state.kind[j] != CHARACTER]


def engages(state: FormationsState, j: int, cells: tuple[int, ...]) -> bool:
    """AH8.engage: a troop on the ground, not in Rout, with one of these hexes before it."""
    if state.kind[j] == CHARACTER or state.cohesion[j] == ROUT or state.position[j] != GROUND:
        return False
    ahead = front(state, j)
    return any(cell in ahead for cell in cells)


def engagers_at(state: FormationsState, side: int, cells: tuple[int, ...]) -> list[int]:
    """AH8.engage: who would engage a unit of ``side`` there."""
    return [j for j in enemies_beside(state, side, cells) if engages(state, j, cells)]


def engagers(state: FormationsState, i: int) -> list[int]:
    """A.def.engaged AH8.engage AH25.special_positions: who engages a unit; nobody a character."""
    if state.kind[i] == CHARACTER or state.position[i] != GROUND:
        return []
    return engagers_at(state, state.side[i], cells_of(state, i))


def is_stopped(state: FormationsState, i: int, cells: tuple[int, ...]) -> bool:
    """AH7.move AH25.special_positions: whether the front of an enemy would stop a unit there."""
    free = state.kind[i] == CHARACTER or state.position[i] != GROUND
    return not free and bool(engagers_at(state, state.side[i], cells))


def strikable_at(state: FormationsState, side: int, cell: int) -> list[int]:
    """AH11.melee AH25.special_positions: the enemy troops in a hex, but for those who fly."""
    return [j for j in enemies_at(state, side, cell) if state.position[j] != FLYING]


def strikes(state: FormationsState, i: int) -> int:
    """AH11.melee AH29.stack_order: one attack from each hex in which a troop is the foremost that can."""
    if not can_strike(state, i):
        return 0
    return sum(next(j for j in state.at[cell] if _fights(state, j)) == i for cell in cells_of(state, i))


def _fights(state: FormationsState, j: int) -> bool:
    return state.kind[j] != CHARACTER and can_strike(state, j)


def can_strike(state: FormationsState, i: int) -> bool:
    """AH11.melee AH25.special_positions: on the ground and not in Rout."""
    return state.cohesion[i] != ROUT and state.position[i] == GROUND


def enemies_beside(state: FormationsState, side: int, cells: tuple[int, ...]) -> list[int]:
    """Enemy troops next to some hexes or in them."""
    at, close = state.at, state.roster.close
    found: dict[int, None] = {}
    for cell in cells:
        for to in close[cell]:
            for j in at[to]:
                if state.side[j] != side and state.kind[j] != CHARACTER:
                    found[j] = None
    return list(found)


def enemy_ground(state: FormationsState, side: int) -> tuple[set[int], set[int]]:
    """The hexes with enemy troops of ``side``, and those in which they would engage it (AH8.engage)."""
    held: set[int] = set()
    engaging: set[int] = set()
    for j in troops(state, other(side)):
        held.update(cells_of(state, j))
        if state.cohesion[j] != ROUT and state.position[j] == GROUND:
            engaging.update(front(state, j))
    return held, engaging


def neighbours_of(state: FormationsState, i: int) -> list[int]:
    """A.def.engaged A.merge.c4: enemy units adjacent to a unit or in its hexes, characters too."""
    close = {to for cell in cells_of(state, i) for to in state.roster.close[cell]}
    return list(dict.fromkeys(j for cell in close for j in state.at[cell] if state.side[j] != state.side[i]))


def distance(state: FormationsState, i: int, j: int) -> int:
    """Between the nearest hexes of two units."""
    rows = state.roster.grid.distances
    return min(rows[a][b] for a in cells_of(state, i) for b in cells_of(state, j))


def nearest_enemy(state: FormationsState, i: int) -> int:
    """How far the next enemy troop is; a large number if there is none."""
    rows = [state.roster.grid.distances[cell] for cell in cells_of(state, i)]
    foes = troops(state, other(state.side[i]))
    return min([row[cell] for j in foes for cell in cells_of(state, j) for row in rows], default=99)


# --- command -------------------------------------------------------------------------------------


def instruction_of(state: FormationsState, i: int) -> int:
    """A.def.instruction AH5.command: what the wing of a unit was told; a wing without its leader holds."""
    wing = state.wing[i]
    if wing < 0:
        return ADVANCE
    leader = state.roster.leaders[wing]
    return HOLD if leader >= 0 and state.cell[leader] < 0 else state.instruction[wing]


def complies(state: FormationsState, i: int) -> bool:
    """AH6.instructions: whether a unit complies with a Regroup instruction."""
    wing = state.wing[i]
    if wing < 0 or instruction_of(state, i) != REGROUP:
        return False
    leader = state.roster.leaders[wing]
    if leader < 0 or state.cell[leader] < 0 or distance(state, i, leader) > 4:
        return False
    return not state.flags[i] & MOVED and state.cohesion[i] != ROUT


def has_order(state: FormationsState, i: int) -> bool:
    """A.def.special_order."""
    return bool(state.flags[i] & ORDERED)


def is_regrouped(state: FormationsState, i: int) -> bool:
    """What many actions ask for: compliance with a Regroup instruction, or a special order."""
    return has_order(state, i) or complies(state, i)


def limited_by(state: FormationsState, i: int) -> int:
    """AH6.instructions: the instruction that binds a unit; a special order frees it."""
    return ADVANCE if has_order(state, i) else instruction_of(state, i)


def has_leader_near(state: FormationsState, i: int) -> bool:
    """AH12.cohesion: the leader of its wing or its commander in chief within two hexes."""
    wing = state.wing[i]
    near = [state.roster.chiefs[state.side[i]], state.roster.leaders[wing] if wing >= 0 else NOBODY]
    return any(c >= 0 and state.cell[c] >= 0 and distance(state, i, c) <= 2 for c in near)


# --- making and removing -------------------------------------------------------------------------


def add(state: FormationsState, like: int, kind: int, steps: int, cells: tuple[int, ...], depth: int) -> int:
    """AH30.new_units: a unit of the type, side, wing and facing of another, on the ground; its number."""
    state.made += 1
    letter = "f" if kind == FORMATION else "n"
    state.ids.append(f"{kind_of(state, like).key}-{letter}{state.made}")
    for column in (state.type, state.side, state.wing, state.facing):
        column.append(column[like])
    state.kind.append(kind)
    state.steps.append(steps)
    state.full.append(WHOLE if kind == SIMPLE else steps)
    state.cell.append(cells[0])
    state.cell2.append(cells[1] if kind == FORMATION else GONE)
    state.fatigue.append(FRESH)
    state.cohesion.append(STEADY)
    state.ammo.append(FULL)
    state.mode.append(MARCH)
    state.position.append(GROUND)
    state.depth.append(depth)
    state.flags.append(0)
    state.given.append(0)
    _settle(state, len(state.ids) - 1)
    return len(state.ids) - 1


def remove(state: FormationsState, i: int) -> None:
    """Off the map for good."""
    _lift(state, i)
    state.cell[i] = state.cell2[i] = GONE
    state.flags[i] = 0


def put(state: FormationsState, i: int, cells: tuple[int, ...], depth: int | None = None) -> None:
    """Set a unit down; ``depth`` is its place in the stack, if it changes."""
    _lift(state, i)
    state.cell[i] = cells[0]
    state.cell2[i] = cells[1] if len(cells) > 1 else GONE
    if depth is not None:
        state.depth[i] = depth
    _settle(state, i)


def _lift(state: FormationsState, i: int) -> None:
    for cell in cells_of(state, i):
        if cell >= 0:
            state.at[cell] = tuple(j for j in state.at[cell] if j != i)


def _settle(state: FormationsState, i: int) -> None:
    for cell in cells_of(state, i):
        state.at[cell] = tuple(sorted((*state.at[cell], i), key=state.depth.__getitem__))


def behind(state: FormationsState, cells: tuple[int, ...]) -> int:
    """A.def.front_behind: a depth behind all that is there."""
    return 1 + max((state.depth[i] for cell in cells for i in stack(state, cell)), default=0)


def before(state: FormationsState, cells: tuple[int, ...]) -> int:
    """A.def.front_behind: a depth before all that is there."""
    return min((state.depth[i] for cell in cells for i in stack(state, cell)), default=0) - 1


def wing_units(state: FormationsState, wing: int) -> Iterator[int]:
    """AH4.activation: the units of a wing, its leader with it."""
    cells = state.cell
    return (i for i, w in enumerate(state.wing) if w == wing and cells[i] >= 0)


def has_units(state: FormationsState, wing: int) -> bool:
    """AH3.turn: a wing without a unit is passed over."""
    return next(wing_units(state, wing), None) is not None
