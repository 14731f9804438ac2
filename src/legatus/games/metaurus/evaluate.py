"""How good a position looks: losses, disorder, who can strike whom, the way to the enemy, orders to come.

A bot that looks one action ahead maximises this.  The weights are ours; they are not rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ...parts.hexes import OFF
from .combat import can_fight, clamp, total
from .movement import Marching
from .state import (
    ADVANCE,
    ATTACK,
    CARTHAGE,
    DISORDERED,
    ELEPHANT,
    LIGHT,
    MOVE,
    REFORM,
    ROME,
    STAND,
    MetaurusState,
    front,
    group_of,
    on_map,
    order_of,
    other,
)

WHOLE = 100.0  # all that a side needs for its victory
DISORDER = 0.35  # of a unit's worth
CONTACT = 0.6  # of what an attack may be expected to bring
MINOR = 2.0  # a unit that does not count
APPROACH = (0.35, 0.45)  # a hex nearer to the enemy, by side
SOUTHWARD = 0.06  # a row nearer to the southern edge
FACING = 0.08  # a hex by which the front is farther from the enemy than it could be
BEGUN = 0.01  # to have taken a unit rather than none
FAR = 10
MOST_KEPT = 50_000


def evaluate(state: MetaurusState, seat: int) -> float:
    """Good for ``seat`` is positive.  Both sides are weighed; of plans only his own are known."""
    value = _side(state, seat) - _side(state, other(seat)) + _plans(state, seat)
    decision = state.todo[-1] if state.todo else None
    if isinstance(decision, Marching):
        value += BEGUN if decision.seat == seat else -BEGUN
    return value


def worth(state: MetaurusState, i: int) -> float:
    """What its loss brings the enemy."""
    goals, unit = state.roster.goals, state.roster.units[i]
    if unit.side == ROME:
        return WHOLE / goals.carthage
    return MINOR if unit.arm in (ELEPHANT, LIGHT) else WHOLE / goals.rome


def _side(state: MetaurusState, side: int) -> float:
    """Victims, exits, disorder, and what may be struck."""
    goals, size = state.roster.goals, state.roster.grid.size
    value = WHOLE * state.killed[side] / (goals.rome if side == ROME else goals.carthage)
    if side == CARTHAGE:
        value += WHOLE * state.exits / goals.exits
    foes = other(side) * size
    for i in on_map(state, side):
        if state.flags[i] & DISORDERED:
            value -= DISORDER * worth(state, i)
        if state.near[foes + state.cell[i]]:
            value += CONTACT * _strike(state, i)
    return value


def _plans(state: MetaurusState, side: int) -> float:
    """The way to the enemy and to the south, fronts turned towards him, and orders not yet carried out."""
    grid = state.roster.grid
    near = _nearest(state, side)
    value = 0.0
    for i in on_map(state, side):
        cell = state.cell[i]
        value -= APPROACH[side] * near[cell]
        one, two = front(state, i)
        value -= FACING * min(near[one] if one != OFF else FAR, near[two] if two != OFF else FAR)
        if side == CARTHAGE:
            value += SOUTHWARD * grid.row(cell)
        value += _order(state, i, near[cell])
    return value


def _nearest(state: MetaurusState, side: int) -> Sequence[int]:
    """How far the next enemy is from every hex; kept from one look to the next, while he does not move."""
    kept, grid = state.roster.kept, state.roster.grid
    foes = tuple(state.cell[j] for j in on_map(state, other(side)))
    if kept.get("foes") != foes:
        limit = (FAR,) * grid.size
        rows = [grid.distances[cell] for cell in foes] or [limit]
        kept["foes"], kept["nearest"] = foes, tuple(map(min, limit, *rows))
    nearest: Sequence[int] = kept["nearest"]
    return nearest


def _strike(state: MetaurusState, i: int) -> float:
    """What an attack of this unit on the best of those before it may be expected to bring."""
    units, best = state.roster.units, 0.0
    for cell in front(state, i):
        j = state.at[cell] if cell != OFF else -1
        if j >= 0 and units[j].side != units[i].side and can_fight(state, i, j):
            hurt, harm = _brings(_added(state, i, j), units[i].morale, units[j].morale)
            gain = hurt * _left(state, j) - harm * _left(state, i)
            best = gain if best == 0.0 else max(best, gain)
    return best


def _added(state: MetaurusState, i: int, j: int) -> int:
    """M4.roll: what is added to the die; kept from one look to the next, for it seldom changes."""
    known: dict[tuple[int, ...], int] = state.roster.kept.setdefault("added", {})
    looks = (state.flags[i] & DISORDERED, order_of(state, i), order_of(state, j))
    key = (i, j, state.cell[i], state.cell[j], state.facing[j], *looks)
    if key not in known:
        if len(known) >= MOST_KEPT:
            known.clear()
        known[key] = total(state, i, j)
    return known[key]


def _left(state: MetaurusState, i: int) -> float:
    """What a unit still loses by the next disorder."""
    share = 1 - DISORDER if state.flags[i] & DISORDERED else DISORDER
    return share * worth(state, i)


@cache
def _brings(added: int, attacker: int, defender: int) -> tuple[float, float]:
    """M4.crt: how often the defender and the attacker may be expected to fall into disorder."""
    hurt = harm = 0.0
    for face in range(10):
        result = clamp(face + added)
        if result <= 2:
            harm += 1.0 if result == 2 else 1.3
        elif result == 3:
            harm += (9 - attacker) / 10
        elif result in (6, 7):
            hurt += (9 - defender) / 10
        elif result >= 8:
            hurt += 1.0 if result == 8 else 1.4
    return hurt / 10, harm / 10


def _order(state: MetaurusState, i: int, near: int) -> float:
    """What the order of a unit promises as long as its group has not been activated."""
    group = group_of(state, i)
    if state.done[group]:
        return 0.0
    unit, order = state.roster.units[i], order_of(state, i)
    step = APPROACH[unit.side]
    if order == MOVE:
        return step * min(unit.move, near - 2) * 0.9 if near > 2 else -0.8
    if order == ADVANCE:
        return (0.0, 0.9, 0.8, 0.5)[near] if near < 4 else step * 0.9
    if order == ATTACK:
        return 0.3 if near == 1 else 0.0
    if order == STAND:
        return 0.5 if near <= 2 else 0.1
    if order == REFORM and state.flags[i] & DISORDERED:
        return DISORDER * worth(state, i) * (unit.morale + 1) / 10 - (0.9 if near == 1 else 0.0)
    return -0.4 if near <= 2 else -0.1
