"""How good a position looks: points, units as they are, blows to come, prizes, ways and commands.

A bot that looks one action ahead maximises this.  The weights are ours; they are not rules.  One is about a
point of AH27.victory.
"""

from __future__ import annotations

from functools import cache

from msgspec import msgpack

from ...kernel.objects import field_values
from ...parts.hexes import FRONT, OFF
from .cohesion import DOUBLE_ONE, DOUBLE_SIX, passes
from .melee import blow_terms, result, side_of
from .movement import Moving
from .prizes import beacon, devices, fires, granary
from .state import (
    CHARACTER,
    CHARGED,
    EXHAUSTED,
    FLYING,
    FORMATION,
    FRESH,
    GROUND,
    HEDGEHOG,
    HORDE,
    MARCH,
    MORALES,
    MOVED,
    ORDERED,
    ROUT,
    SHAKEN,
    SPENT,
    STEADY,
    TORTOISE,
    WHOLE,
    FormationsState,
)
from .survey import Survey
from .units import around, cells_of, distance, front, kind_of, strikes
from .victory import tally
from .ways import begun, command, leaders, stakes, ways

# units
ARM = 0.5  # a troop that can strike
REDUCED = 0.45  # a troop of one step: its rout costs as much as that of a whole one
SHAKE, SHAKES = 0.3, 0.25  # a unit that is Shaken, and each step of it
HEAP = 1.5  # a step of a Shaken formation: it would rout as a whole
FLED = 0.8  # a step in Rout beyond those that the score counts
BREATH = (0.0, 0.3, 0.8)  # fresh, Winded, Exhausted
ARROWS = (0.0, 0.25, 0.7)  # full, Diminished, Spent
# a formation, by steps: one of 3 is soon none at all (AH17.losses)
BODY = (0.0, 0.0, 0.0, 0.3, 1.2, 1.6, 2.2, 2.6, 3.2, 3.4, 3.8)
ALOFT = 0.15  # to fly or infiltrate
READY = 3  # hexes: an enemy so near calls for a fighting mode
DRILL = 0.3  # a formation with Manoeuvre
# melee
OURS, THEIRS = 1.0, 0.75  # of what a blow may be expected to bring
ALONE, CROWD = 0.15, 2  # an enemy more than friends, within so many hexes

MOST_BLOWS, MOST_LOOKS = 50_000, 500
Guise = tuple[int, ...]
WEIGHED = CHARGED | MOVED | ORDERED
PACKED = msgpack.Encoder().encode


def evaluate(state: FormationsState, seat: int) -> float:
    """Good for ``seat`` is positive.  Looks that come to the same, as most that fail, are weighed once."""
    known: dict[bytes, float] = state.roster.kept.setdefault("looks", {})
    key = _key(state, seat)
    value = known.get(key)
    if value is None:
        value = _weigh(Survey(state, seat))
        if len(known) >= MOST_LOOKS:
            known.clear()
        known[key] = value
    return value


def _key(state: FormationsState, seat: int) -> bytes:
    """All that is weighed, packed."""
    decision = state.todo[-1] if state.todo else None
    moving = field_values(decision) if isinstance(decision, Moving) else None
    units = (state.type, state.wing, state.kind, state.steps, state.cell, state.cell2, state.facing)
    states = (
        state.fatigue,
        state.cohesion,
        state.ammo,
        state.mode,
        state.position,
        [flag & WEIGHED for flag in state.flags],
    )
    sides = (state.instruction, state.done, state.worked, state.blows)
    rest = (seat, moving, state.weather, state.beacon, state.burnt)
    return PACKED((*units, *states, state.at, state.fire, state.stakes, *sides, *rest))


def _weigh(view: Survey) -> float:
    """Both sides are weighed; ways and commands are his own only."""
    state, seat = view.state, view.seat
    points = tally(state, *((view.foes, view.own) if seat == HORDE else (view.own, view.foes)))
    value = points[seat] - points[1 - seat] + _units(view, view.own) - _units(view, view.foes)
    value += _melee(view)
    value += beacon(view) + devices(view) + fires(view)
    value += granary(view) * (1 if seat == HORDE else -1)
    value += ways(view) + begun(view)
    value += leaders(view) + stakes(view)
    return value if any(state.done) else value + command(view)


# --- units ---------------------------------------------------------------------------------------


def _units(view: Survey, units: list[int]) -> float:
    """What they are worth beyond their steps: arms, order, breath, ammunition, formations."""
    state, types, arms = view.state, view.state.roster.types, _arms(view.state)
    value = 0.0
    for i in units:
        kind, steps, cohesion, fatigue = state.type[i], state.steps[i], state.cohesion[i], state.fatigue[i]
        value -= BREATH[fatigue]
        if state.ammo[i] and types[kind].range:
            value -= ARROWS[state.ammo[i]]
        if cohesion == ROUT:
            value -= FLED * max(0, steps - WHOLE)
            continue
        value += arms[kind]
        if types[kind].special:
            value += _position(view, i)
        if state.flags[i] & CHARGED and fatigue != EXHAUSTED:
            value -= BREATH[fatigue + 1] - BREATH[fatigue]
        if cohesion == SHAKEN:
            value -= SHAKE + SHAKES * steps * (HEAP if state.kind[i] == FORMATION else 1.0)
        if steps == 1:
            value -= REDUCED
        elif state.kind[i] == FORMATION and cohesion == STEADY and fatigue != EXHAUSTED:
            value += BODY[steps] + DRILL * types[kind].manoeuvre
            value += _mode(view, i) if units is view.own else 0.0
    return value


def _position(view: Survey, i: int) -> float:
    """AH25.special_positions: out of reach where the enemy is near, on the ground to reload and to rest."""
    state, ground = view.state, view.state.position[i] == GROUND
    needy = state.fatigue[i] != FRESH or (state.ammo[i] == SPENT and kind_of(state, i).range > 0)
    if needy and (state.side[i] != view.seat or view.apart(i) > 1):
        return 0.0 if ground else -ALOFT
    return 0.0 if ground else ALOFT


def _arms(state: FormationsState) -> list[float]:
    """By type, what a troop that can strike is worth."""
    kept = state.roster.kept
    if "arms" not in kept:
        kept["arms"] = [ARM * kind.number / 8 for kind in state.roster.types]
    arms: list[float] = kept["arms"]
    return arms


def _mode(view: Survey, i: int) -> float:
    """AH21.modes: marching where no enemy is near, a front where he comes."""
    mode, near = view.state.mode[i], view.apart(i)
    if mode == MARCH:
        return 0.3 if near > READY else 0.0
    if near > READY:
        return -0.2
    foes = [kind_of(view.state, j) for j in view.foes if distance(view.state, i, j) <= READY]
    if mode == HEDGEHOG:
        return 0.7 if 2 * sum(kind.mounted or kind.weapon == "bestial" for kind in foes) > len(foes) else 0.0
    if mode == TORTOISE:
        return 0.6 if near > 1 and all(kind.range > 0 for kind in foes) else -0.2
    return 0.5


# --- melee ---------------------------------------------------------------------------------------


def _melee(view: Survey) -> float:
    """AH11.melee: what the blows of both sides may be expected to bring."""
    state, near, cells, seconds = view.state, view.near, view.state.cell, view.state.cell2
    close = [i for i in view.own if near[cells[i]] <= 1 or (seconds[i] >= 0 and near[seconds[i]] <= 1)]
    if not close:
        return 0.0
    chosen, touched, guises = dict(state.blows), _beside(state, close), _guises(state)
    strikers = [j for j in view.foes if cells[j] in touched or seconds[j] in touched or j in chosen]
    ours = sum([_best(state, i, chosen, guises) for i in close], 0.0)
    theirs = sum([_best(state, j, chosen, guises) for j in strikers], 0.0)
    return OURS * ours - THEIRS * theirs - ALONE * _alone(view, close)


def _guises(state: FormationsState) -> list[Guise]:
    """What matters of each unit in every blow."""
    units = (state.type, state.kind, state.steps, state.fatigue, state.cohesion, state.mode)
    return list(zip(*units, state.cell, state.cell2, state.facing, strict=True))


def _beside(state: FormationsState, units: list[int]) -> set[int]:
    """The hexes next to some units."""
    beside = state.roster.grid.neighbours
    found = {to for i in units for cell in cells_of(state, i) for to in beside[cell]}
    found.discard(OFF)
    return found


def _alone(view: Survey, close: list[int]) -> int:
    """By how many more enemies than friends units are surrounded: they can strike them next."""
    rows, cells = view.state.roster.grid.distances, view.state.cell
    own, foes, total = [cells[k] for k in view.own], [cells[j] for j in view.foes], 0
    for i in close:
        row = rows[cells[i]]
        more = sum([row[cell] <= CROWD for cell in foes]) - sum([row[cell] <= CROWD for cell in own])
        total += max(0, more)
    return total


def _best(state: FormationsState, i: int, chosen: dict[int, int], guises: list[Guise]) -> float:
    """The blows that a unit has chosen, or the best that it has at the foremost of a hex."""
    blows = strikes(state, i)
    if not blows:
        return 0.0
    if i in chosen:
        return blows * _blow(state, i, chosen[i], guises)
    spiked = state.kind[i] == FORMATION and state.mode[i] == HEDGEHOG
    side, best = state.side[i], 0.0
    for cell in around(state, i) if spiked else front(state, i):
        for j in state.at[cell]:
            if state.side[j] != side and state.kind[j] != CHARACTER and state.position[j] != FLYING:
                best = max(best, _blow(state, i, j, guises))
                break
    return blows * best


def _blow(state: FormationsState, i: int, j: int, guises: list[Guise]) -> float:
    """AH11.melee: what a blow may be expected to cost; kept from one look to the next, for few change."""
    cell, second, struck, beside = state.cell[i], state.cell2[i], state.cell[j], state.cell2[j]
    own = (state.flags[i] & CHARGED, state.at[cell], state.fire[cell])
    more = (state.at[second], state.fire[second]) if second >= 0 else ()
    key = (guises[i], guises[j], own, more, state.stakes[struck], state.stakes[beside])
    known: dict[object, float] = state.roster.kept.setdefault("blows", {})
    value = known.get(key)
    if value is None:
        margin = kind_of(state, i).number - sum(term.value for term in blow_terms(state, i, j))
        number = MORALES[kind_of(state, j).morale] - state.fatigue[j] - (side_of(state, i, j) != FRONT)
        value = _harm(margin, number, state.steps[j], state.cohesion[j])
        if len(known) >= MOST_BLOWS:
            known.clear()
        known[key] = value
    return value


@cache
def _harm(margin: int, number: int, steps: int, cohesion: int) -> float:
    """AH11.melee AH12.cohesion: points and order lost, by the attack's margin and the test's number."""
    total = 0.0
    for natural in (one + two for one in range(1, 7) for two in range(1, 7)):
        below = margin - natural
        if natural == DOUBLE_SIX or (below < 0 and natural != DOUBLE_ONE):
            continue
        lost, extra = result(below)
        lost = min(steps, max(lost, int(natural == DOUBLE_ONE)))
        total += lost
        if lost == steps:
            total += ARM
        elif cohesion != ROUT:
            total += _fails(number - lost - extra) * _worse(steps - lost, cohesion)
    return total / 36


@cache
def _fails(number: int) -> float:
    """AH12.cohesion: how often a test against so much fails."""
    return sum(not passes(one + two, 0, number) for one in range(1, 7) for two in range(1, 7)) / 36


def _worse(steps: int, cohesion: int) -> float:
    """What a level of cohesion is worth to a unit."""
    if cohesion == STEADY:
        return SHAKE + SHAKES * steps
    return ARM + max(WHOLE, FLED * steps) - SHAKES * steps
