"""Ways to the enemy and to prizes, leaders with their wings, stakes, and what commands open."""

from __future__ import annotations

from collections.abc import Sequence

from ...parts.hexes import OFF
from .manipulation import SET_FIRE
from .movement import Moving
from .prizes import NEARER, TRIES, chance_of, odds_of, untaken
from .reach import allowance, no_end
from .state import (
    ADVANCE,
    CHARACTER,
    EXHAUSTED,
    FORMATION,
    FRESH,
    HORDE,
    LARGEST,
    NO_STAKES,
    NOBODY,
    ORDERED,
    ROUT,
    SHAKEN,
    SIMPLE,
    STEADY,
    WHOLE,
    FormationsState,
)
from .survey import Survey
from .units import cells_of, is_regrouped, kind_of, limited_by

# ways
APPROACH = (0.05, 0.13)  # a hex nearer to the enemy, by side: the Horde must come
REACH = 8  # a way that is neither good nor bad
AWAY, SAFE = 15, 5  # for who cannot fight: the worst way, and how far he keeps away
BESIDE = 0.4  # a shooter next to the enemy
UNWIELDY = 0.9  # a formation as the one to hold a hex
PROMISE, LEG = 0.5, 3  # of what a move may bring that has just begun; the hexes of such a move
BEGUN = 0.004  # to have taken a unit rather than none
NO_END = 0.5  # a move that may not end where it has come to
# command
ORDER, FORMS, MERGES, BREATHES = 0.5, 0.6, 0.3, 0.1  # who can recover, form up, merge, rest more easily
SPARE = (3, 6, 9, 10)  # steps of a formation that is too small, or strikes as well without two
EAGER, EAGERLY = 0.25, 5  # a unit held back with the enemy so near
SAVED = 0.01  # an order that is not given
CROWDS = 0.25  # a leader in the way of those who might form up
LEADER, BY, ASTRAY, LONELY = 2.0, 0.03, 0.04, 0.15  # lost; a unit that he reaches; hexes from all; in danger
FENCE, IDLE = 0.25, 0.06  # stakes that serve, stakes that do not


# --- ways ----------------------------------------------------------------------------------------


def ways(view: Survey) -> float:
    """The way to the enemy, or away from him for who cannot fight; by steps: to split up is no gain."""
    state, types, enemy = view.state, view.state.roster.types, view.enemy
    value, beside = 0.0, 0
    for i in view.own:
        if state.cohesion[i] == ROUT:
            continue
        if view.is_weak(i):
            way = float(AWAY - min(view.apart(i), SAFE))
        else:
            far, reach = view.way(i, enemy), types[state.type[i]].range
            if reach:
                beside += far < 2
                far = max(far, 2, reach // 2)
            way = float(far)
        value += (REACH - way) * state.steps[i] / WHOLE
    return APPROACH[view.seat] * value - BESIDE * beside


def begun(view: Survey) -> float:
    """What a move may bring that has just begun; one that goes on for nothing had better end."""
    state, seat = view.state, view.seat
    decision = state.todo[-1] if state.todo else None
    if not isinstance(decision, Moving) or decision.seat != seat:
        return 0.0
    i, left = decision.unit, decision.left
    if left < allowance(state, i):
        pose = cells_of(state, i), state.facing[i]
        return -BEGUN - NO_END * any(no_end(state, i, decision.start, pose, 0))
    if state.kind[i] == CHARACTER:
        cell = state.cell[i]
        if _crowds(state, cell):
            return PROMISE * CROWDS + BEGUN
        return BEGUN if view.near[cell] <= 3 or not view.stands(seat, cell) else -BEGUN
    way = SAFE - view.apart(i) if view.is_weak(i) else view.way(i, view.enemy) - 1
    promise = APPROACH[seat] * max(0.0, min(left, way)) * state.steps[i] / WHOLE
    return PROMISE * max(promise, _errand(view, i)) + BEGUN


def _errand(view: Survey, i: int) -> float:
    """What a unit may bring on its way to a prize, if nobody of its side is better placed."""
    state, seat, prize, value = view.state, view.seat, view.state.roster.prize, 0.0
    goals = [(d.cell, d.points, d.difficulty) for d, _ in untaken(view)]
    if seat == HORDE and prize.granary >= 0 and not state.burnt and state.roster.rules.fire:
        goals.append((prize.granary, 2 * prize.granary_points, SET_FIRE[state.weather]))
    if prize.beacon >= 0 and not view.stands(seat, prize.beacon):
        goals.append((prize.beacon, prize.beacon_points, NOBODY))
    for cell, worth, difficulty in goals:
        field = view.field(cell)
        odds = odds_of(state, difficulty) if difficulty != NOBODY else ()
        hopes = {j: _able(state, j, odds) * NEARER ** view.way(j, field) for j in view.own}
        if state.cell[i] != cell and hopes[i] and hopes[i] >= max(hopes.values()):
            value = max(value, worth * hopes[i] * (NEARER**-LEG - 1))
    return value


def _able(state: FormationsState, i: int, odds: Sequence[float]) -> float:
    """The chance of a unit in a manipulation; without one, whether it can hold a hex."""
    if not odds:
        return (UNWIELDY if state.kind[i] == FORMATION else 1.0) * (state.cohesion[i] == STEADY)
    return TRIES * chance_of(state, i, odds)


# --- leaders, stakes and commands ----------------------------------------------------------------


def leaders(view: Survey) -> float:
    """AH5.command AH12.cohesion AH28.characters: leaders with their wings, and not alone before the enemy."""
    state, seat, near, value = view.state, view.seat, view.near, 0.0
    rows, cells, wings = state.roster.grid.distances, state.cell, state.wing
    for c in (*state.roster.leaders, *state.roster.chiefs):
        if c < 0 or state.side[c] != seat:
            continue
        cell, wing = cells[c], wings[c]
        if cell < 0:
            value -= LEADER
            continue
        row = rows[cell]
        led = [row[cells[i]] for i in view.own if wing == wings[i] or wing == NOBODY]
        by = [far for far in led if far <= 4]
        value += BY * (len(by) + sum([far <= 2 for far in by])) - ASTRAY * min(led, default=0)
        if near[cell] <= 3 and not view.stands(seat, cell):
            value -= LONELY * (4 - near[cell])
        value -= CROWDS * _crowds(state, cell)
    return value


def _crowds(state: FormationsState, cell: int) -> bool:
    """A.constitute.c4: whether a character stands where troops might form up."""
    return any(state.kind[i] == SIMPLE and _has_partner(state, i) for i in state.at[cell])


def stakes(view: Survey) -> float:
    """AH23.stakes: before a unit that awaits the enemy; they are in the way of one that goes on."""
    state, near, value = view.state, view.near, 0.0
    for i in view.own:
        cell = state.cell[i]
        if state.stakes[cell] != NO_STAKES and state.at[cell][0] == i:
            serve = 1 < near[cell] <= 4 and state.stakes[cell] == state.facing[i] and _stays(state, i)
            value += FENCE if serve else -IDLE
    return value


def _stays(state: FormationsState, i: int) -> bool:
    """Whether a unit awaits the enemy where it is: it shoots, is worn or holds a prize."""
    worn = state.fatigue[i] != FRESH or state.cohesion[i] != STEADY
    prize = state.roster.prize
    return worn or kind_of(state, i).range > 0 or state.cell[i] in (prize.beacon, prize.granary)


def command(view: Survey) -> float:
    """AH5.command AH6.instructions: what orders and instructions open to units, and what they forbid."""
    state, value = view.state, 0.0
    for i in view.own:
        far = view.apart(i)
        if is_regrouped(state, i):
            value += _use(state, i, far)
        if state.flags[i] & ORDERED:
            value -= SAVED
        if limited_by(state, i) != ADVANCE and far <= EAGERLY and not view.is_weak(i):
            value -= EAGER if state.cohesion[i] == STEADY else 0.0
    return value


def _use(state: FormationsState, i: int, far: int) -> float:
    """What a unit can do under a Regroup instruction or a special order."""
    morale, here = kind_of(state, i).morale, state.at[state.cell[i]]
    if state.cohesion[i] == ROUT:
        return ORDER if morale == "steady" and state.flags[i] & ORDERED else 0.0
    if far <= 1:
        return 0.0
    if state.cohesion[i] == SHAKEN:
        return ORDER if morale != "elite" else 0.0
    if state.kind[i] == FORMATION:
        joined = any(_like(state, i, j) for cell in cells_of(state, i) for j in state.at[cell])
        return FORMS if joined or state.fatigue[i] == EXHAUSTED or state.steps[i] in SPARE else 0.0
    if state.fatigue[i] == EXHAUSTED:
        return BREATHES
    if any(state.kind[j] == FORMATION and state.type[j] == state.type[i] for j in here):
        return FORMS
    merges = state.steps[i] == 1 and any(_like(state, i, j) and state.steps[j] == 1 for j in here)
    return MERGES * merges + FORMS * _has_partner(state, i)


def _has_partner(state: FormationsState, i: int) -> bool:
    """A.constitute.c1 A.constitute.c2 A.constitute.c9: a troop beside it with which it may form up."""
    if not LARGEST[kind_of(state, i).profile]:
        return False
    neighbours, facing = state.roster.grid.neighbours[state.cell[i]], state.facing[i]
    beside = (neighbours[(facing + 2) % 6], neighbours[(facing + 5) % 6])
    return any(_like(state, i, j) for to in beside if to != OFF for j in state.at[to])


def _like(state: FormationsState, i: int, j: int) -> bool:
    """Another simple troop of its type that faces as it does."""
    alike = state.type[i] == state.type[j] and state.facing[i] == state.facing[j]
    return i != j and state.kind[j] == SIMPLE and alike
