"""How good a position looks: material, tokens that wait, ground, and points still to be spent."""

from __future__ import annotations

from .cards import card_points
from .combat import ShareChoice, offence
from .damage import save_value
from .state import (
    ACTIVATED,
    CHARGED,
    CHARGING,
    FACE,
    HILL,
    KINDS,
    RETREATED,
    SHELTERED,
    VirtusState,
    beside,
    column,
    facing,
    has_units,
    other,
    reserve,
    sector,
    sectors,
)
from .terrain import GROUND

WON = 1000.0
POINT, UNIT, GENERAL = 1.0, 1.5, 5.0  # worth of a cohesion point, of a unit beyond them, of a general
CONQUERED, HALF_WON, OPEN_FLANK, ENTERED = 9.0, 14.0, 8.0, 1.5
LOST_LINE = 4.0
CONTACT = 0.55
HIT = 0.5  # a hit that is still to be shared out


def evaluate(state: VirtusState, seat: int) -> float:
    """Good for ``seat`` is positive; the other side's value is its negative."""
    if state.outcome is not None:
        winner = state.outcome.winner
        return 0.0 if winner is None else WON if winner == seat else -WON
    mine = _army(state, seat) - _army(state, other(seat))
    mine += _ground(state, seat) - _ground(state, other(seat))
    mine += _contacts(state, seat)
    plan = _orders(state, state.active)
    return mine + (plan if state.active == seat else -plan) + _pending(state, seat)


def _army(state: VirtusState, side: int) -> float:
    total = 0.0
    for i in state.roster.of[side]:
        if state.place[i] != -1:
            unit = state.roster.units[i]
            weight = (unit.vo + unit.vd + unit.vt) / 5 * (1.4 if unit.mounted else 1.0)
            total += weight * (UNIT + POINT * (state.vc[i] - _expected_losses(state, i)))
    for g in state.roster.generals_of[side]:
        if state.gplace[g] != -1:
            risk = 1 / 3 if state.attached[g] >= 0 else 1 / 6
            total += GENERAL * (1 - risk) ** state.gtokens[g]
            total += _post(state, side, state.gplace[g], state.roster.generals[g].chief)
    return total


def _post(state: VirtusState, side: int, place: int, chief: bool) -> float:
    """A general is safe among his units; a chief is best in the reserve."""
    if place < 0:
        return 0.0
    if column(place) == 0:
        return 1.2 if chief else 0.2
    if not has_units(state, side, place):
        return -4.0 if has_units(state, other(side), place) else -0.5
    return 0.9 if not has_units(state, other(side), place) else 0.5


def _expected_losses(state: VirtusState, i: int) -> float:
    tokens = state.tokens[i]
    if not tokens:
        return 0.0
    place = state.place[i]
    ground = GROUND[state.terrain[place]] if place >= 0 else GROUND["clear"]
    charged = bool(state.flags[i] & CHARGED)
    sheltered = bool(state.flags[i] & SHELTERED)
    lost = 0.0
    for token in tokens:
        value = save_value(
            state.roster.units[i], token, ground, form=state.form[i], charged=charged, sheltered=sheltered
        )
        lost += 1 - max(1, min(value, 5)) / 6
    return min(lost * 1.25, state.vc[i] + UNIT)


def _ground(state: VirtusState, side: int) -> float:
    """V1.8a V5.4e: enemy sectors taken, flanks laid open, and the own line held."""
    foe = other(side)
    total, taken = 0.0, 0
    for place in sectors(state, foe):
        if state.last[place] == side and not has_units(state, foe, place):
            taken += 1
            total += CONQUERED
            if any(not has_units(state, foe, p) for p in beside(state, place)) and has_units(
                state, side, place
            ):
                total += OPEN_FLANK
        elif has_units(state, side, place):
            total += ENTERED
    if taken >= 2:
        total += HALF_WON
    for place in sectors(state, side):
        if not has_units(state, side, place):
            total -= LOST_LINE if has_units(state, foe, facing(place)) else LOST_LINE / 2
    return total


def _strength(state: VirtusState, side: int, place: int) -> float:
    """Hits that a side's units in a sector may expect to score there."""
    total = 0.0
    for i in state.roster.of[side]:
        if state.place[i] == place:
            total += state.vc[i] * offence(state, i, place) / 6
    return total


def _contacts(state: VirtusState, seat: int) -> float:
    """Where both sides meet, the stronger one gains; where the enemy stands opposite, it may pay to go in."""
    total = 0.0
    for camp in (0, 1):
        for place in sectors(state, camp):
            if has_units(state, 0, place) and has_units(state, 1, place):
                total += CONTACT * (_strength(state, seat, place) - _strength(state, other(seat), place))
    return total


def _orders(state: VirtusState, side: int) -> float:
    """Points that units can still use are worth something, and so are cards laid where units wait."""
    total = 0.0
    for segment in range(1, state.roster.rules.columns + 1):
        idle = charge = 0.0
        for i in state.roster.of[side]:
            if state.place[i] not in (sector(0, segment), sector(1, segment)):
                continue
            if state.flags[i] & CHARGING:
                extra = 1 if state.flags[i] & HILL else 0
                charge += (state.vc[i] + extra) * offence(state, i, state.place[i], charge=True) / 6 * 0.62
            elif not state.flags[i] & (ACTIVATED | RETREATED):
                engaged = has_units(state, other(side), state.place[i])
                idle += 1.0 if engaged or state.roster.units[i].vt else 0.6
        if state.opened[segment]:
            points: float = state.points[segment]
        else:
            points = state.points[segment] or card_points(state.laid[segment])
        total += 0.5 * min(points, idle) + charge
    base = side * KINDS
    held = sum(card_points(c) and min(card_points(c), 6) * state.hand[base + c] for c in range(KINDS))
    faces = state.hand[base + FACE]
    return total + 0.12 * held - 0.5 * faces + 0.3 * (state.count[side * 10 + reserve(side)] == 1)


def _pending(state: VirtusState, seat: int) -> float:
    """Hits that wait to be shared out."""
    decision = state.todo[-1] if state.todo else None
    if not isinstance(decision, ShareChoice):
        return 0.0
    worth = HIT * len(decision.tokens) * decision.each * 1.2
    return -worth if decision.seat == seat else worth
