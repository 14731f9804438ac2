"""How good a position looks: steps, order, breath, formations, places worth points, and what may be struck.

A bot that looks one action ahead maximises this.  The weights are ours; they are not rules.
"""

from __future__ import annotations

from .melee import blow_terms, targets
from .movement import Moving
from .state import (
    CHARACTER,
    DIMINISHED,
    EXHAUSTED,
    FORMATION,
    HEDGEHOG,
    HORDE,
    MARCH,
    NO_FIRE,
    NO_STAKES,
    ORDERED,
    REGROUP,
    ROUT,
    SHAKEN,
    SPENT,
    START,
    TORTOISE,
    WALL,
    WINDED,
    FormationsState,
    cells_of,
    engagers,
    instruction_of,
    kind_of,
    nearest_enemy,
    other,
    troops,
)
from .victory import score

STEP = 1.0
SHAKE, RUN = 0.9, 2.2  # a unit shaken, in rout
BREATH = (0.0, 0.35, 1.0)  # fresh, winded, exhausted
ARROWS = (0.0, 0.3, 0.7)  # full, diminished, spent
BODY = 0.5  # to be in a formation, a step
REDUCED = 0.25  # a troop of one step
CONTACT = 0.8  # what a blow may be expected to bring
APPROACH = 0.16  # a hex nearer to the enemy, or to a place worth points
HELD = 2.0  # to stand on the beacon
BEGUN = 0.004
FENCE, FLAME = 0.25, 0.5  # stakes towards an enemy near; a fire start where it serves
POINT = 0.8  # of the score


def evaluate(state: FormationsState, seat: int) -> float:
    """Good for ``seat`` is positive."""
    points = score(state)
    value = POINT * (points[seat] - points[1 - seat])
    value += _side(state, seat) - _side(state, other(seat)) + _plans(state, seat)
    value += _fires(state) * (1 if seat == HORDE else -1) + _stakes(state, seat)
    decision = state.todo[-1] if state.todo else None
    if isinstance(decision, Moving):
        value += BEGUN if decision.seat == seat else -BEGUN
    return value


def _side(state: FormationsState, side: int) -> float:
    """What its units are worth as they are, and what they may strike."""
    value = 0.0
    for i in troops(state, side):
        kind = kind_of(state, i)
        weight = kind.number / 8
        value += STEP * weight * state.steps[i]
        value -= (0.0, SHAKE, RUN)[state.cohesion[i]] * weight * state.steps[i] / 2
        value -= BREATH[state.fatigue[i]] + (ARROWS[state.ammo[i]] if kind.range else 0.0)
        if state.kind[i] == FORMATION:
            value += BODY * state.steps[i] / 2 + _mode(state, i)
        elif state.steps[i] == 1:
            value -= REDUCED
        value += CONTACT * max((_blow(state, i, j) for j in targets(state, i)), default=0.0)
        if state.cohesion[i] != ROUT and state.roster.prize.beacon in cells_of(state, i):
            value += HELD
    return value


def _blow(state: FormationsState, i: int, j: int) -> float:
    """The steps that a blow may be expected to cost, and the order."""
    number = kind_of(state, i).number
    below = number - 7 - sum(term.value for term in blow_terms(state, i, j))
    return max(0.0, min(2.0, 0.35 + below * 0.22))


def _mode(state: FormationsState, i: int) -> float:
    """Marching where no enemy is near, a front where he is."""
    near = nearest_enemy(state, i)
    if state.mode[i] == MARCH:
        return 0.3 if near > 3 else 0.0
    if near > 3:
        return -0.3
    if state.mode[i] == HEDGEHOG:
        mounted = [j for j in engagers(state, i) if kind_of(state, j).mounted]
        return 0.5 if mounted or len(engagers(state, i)) > 2 else 0.05
    if state.mode[i] == TORTOISE:
        archers = any(kind_of(state, j).range for j in troops(state, other(state.side[i])))
        return 0.2 if archers and near > 1 else -0.2
    return 0.35 if state.mode[i] == WALL or state.fatigue[i] else 0.25


def _plans(state: FormationsState, side: int) -> float:
    """The way to enemies and prizes; orders and instructions to those who need them."""
    value = 0.0
    prize, rows = state.roster.prize, state.roster.grid.distances
    goals = [cell for cell in (prize.beacon, prize.granary) if cell >= 0]
    goals += [d.cell for d, who in zip(state.roster.devices, state.worked, strict=True) if who != side]
    for i in troops(state, side):
        if state.cohesion[i] == ROUT:
            continue
        weak = state.cohesion[i] == SHAKEN or state.fatigue[i] == EXHAUSTED or state.ammo[i] == SPENT
        near = min(nearest_enemy(state, i), 9)
        value += APPROACH * near if weak else -APPROACH * near
        value -= (
            APPROACH / 2 * min((rows[cell][goal] for cell in cells_of(state, i) for goal in goals), default=0)
        )
        value += _needs(state, i, near)
    for c in (*state.roster.leaders, *state.roster.chiefs):
        if c >= 0 and state.cell[c] >= 0 and state.side[c] == side:
            friends = [rows[state.cell[c]][state.cell[i]] for i in troops(state, side)]
            value -= 0.05 * min(friends, default=0)
            value -= 0.3 if nearest_enemy(state, c) <= 1 else 0.0
    return value


def _needs(state: FormationsState, i: int, near: int) -> float:
    """AH5.command: what a special order or a Regroup instruction does for a unit."""
    helped = bool(state.flags[i] & ORDERED) or instruction_of(state, i) == REGROUP
    worse = state.cohesion[i] == SHAKEN or state.fatigue[i] >= WINDED or state.ammo[i] >= DIMINISHED
    could_form = kind_of(state, i).profile not in ("poor", "mediocre") and state.kind[i] != FORMATION
    if state.cohesion[i] == ROUT:
        return 0.8 if state.flags[i] & ORDERED else 0.0
    if helped and near > 2:
        return 0.4 if worse else 0.25 if could_form else -0.05
    return -0.3 if instruction_of(state, i) == REGROUP and near <= 2 and not state.flags[i] & ORDERED else 0.0


def _fires(state: FormationsState) -> float:
    """Good for the Horde: fire in the granary, and anywhere a little."""
    granary = state.roster.prize.granary
    value = 0.0
    for cell, fire in enumerate(state.fire):
        if fire != NO_FIRE:
            value += FLAME * (6 if cell == granary and fire == START else 0.3)
    return value


def _stakes(state: FormationsState, seat: int) -> float:
    """Stakes that stand before a unit of his own with the enemy near, and none before the enemy's."""
    value = 0.0
    for cell, facing in enumerate(state.stakes):
        if facing == NO_STAKES:
            continue
        for i in state.at[cell]:
            if state.kind[i] != CHARACTER:
                near = nearest_enemy(state, i)
                worth = FENCE if near <= 5 and facing == state.facing[i] else -0.02
                value += worth if state.side[i] == seat else -worth
    return value
