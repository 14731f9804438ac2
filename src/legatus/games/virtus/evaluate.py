"""How good a position looks: material, tokens that wait, ground, blows to be struck, points to spend.

A bot that looks one action ahead maximises this.  The weights are ours; they are not rules.
"""

from __future__ import annotations

from functools import lru_cache
from operator import itemgetter, mul
from typing import Final

from ...kernel.objects import ValueObject
from .attack import ShareChoice, offence, offence_of, tokens_due
from .cards import card_points
from .combat import DOUBLE
from .damage import kind_of_hit, save_value
from .generals import station
from .state import (
    ACTIVATED,
    BARBARIANS,
    CHARGED,
    CHARGING,
    FACE,
    GONE,
    HILL,
    KINDS,
    NORMAL,
    PLACES,
    RETREATED,
    ROME,
    SEATS,
    SHELTERED,
    Unit,
    VirtusState,
    beside,
    column,
    defends_camp,
    facing,
    other,
    owner,
    reserve,
    sector,
    sectors,
)
from .terrain import GROUND

WON = 1000.0
POINT, UNIT, GENERAL = 1.0, 2.5, 5.0  # a cohesion point, a unit beyond its points, a general
BROKEN = 0.7  # points that a retreat is worth: the unit gives ground and loses a turn
FORMED = 0.2  # a formation is not taken up for nothing
CONQUERED, WINNING, ENTERED = 9.0, 30.0, 2.5  # V1.8a: a sector taken, two of them, one fought for
IMPATIENCE = (
    0.02  # by turn, a sector of his with units of ours in it: lines do not wait for each other for ever
)
OPEN_FLANK, UNGUARDED = 8.0, 20.0  # V5.4e: a gap beside a unit of ours, and with no reserve to close it
THIN, SHORT, SHORT_IN_FRONT = 5, 0.4, 0.8  # a sector wants this cohesion; a point less, and near the enemy
BLOW = 1.0  # a cohesion point that the next attacks may be expected to cost
TEMPO = 0.2  # the side that is not active strikes next
HIT = 0.6  # a hit that is still to be shared out
ORDER, SPARE, OPENED = 0.15, 0.02, 0.01  # a point that a unit needs, one that none needs, a segment in hand
IDLE, GAP, RESCUE = 0.5, 1.5, 20.0  # the need of any unit, where a sector is empty, where defeat is near
CHARGE = 0.06  # a charge declared: by dice and value, beyond the point that it took
CARD, FACE_CARD = 0.03, 0.5

HELD = tuple(min(card_points(card), 6) for card in range(KINDS))  # what a card in hand may be good for
BUSY = ACTIVATED | RETREATED
CASES, POSITIONS = 4096, 1024  # at most so many are remembered

Places = list[list[int]]  # unit numbers by place
Squad = list[tuple[int, int, float]]  # unit numbers, their places, and how much they need a point: most first

Exposure = dict[
    tuple[str, int, bool], float
]  # what a hit costs, by its kind, where it strikes, and from afar


class Lines(ValueObject):
    """What stays the same while no unit moves, loses cohesion or changes its formation."""

    def __init__(
        self,
        worth: list[float],  # by unit, without tokens
        ground: float,  # good for Rome, as is the next
        blows: float,
        entered: int,  # enemy sectors with units of ours, less own sectors with units of his
        squads: list[Squad],  # of the side to act, by segment
    ) -> None:
        self.worth: Final = worth
        self.ground: Final = ground
        self.blows: Final = blows
        self.entered: Final = entered
        self.squads: Final = squads


def evaluate(state: VirtusState, seat: int) -> float:
    """Good for ``seat`` is positive; the other side's value is its negative."""
    if state.outcome is not None:
        winner = state.outcome.winner
        return 0.0 if winner is None else WON if winner == seat else -WON
    lines = _lines(state)
    total = _army(state, seat, lines.worth) - _army(state, other(seat), lines.worth)
    field = lines.ground + lines.blows + IMPATIENCE * state.turn * lines.entered
    total += field if seat == ROME else -field
    plan = _orders(state, state.active, lines.squads)
    return total + (plan if state.active == seat else -plan) + _pending(state, seat)


def _lines(state: VirtusState) -> Lines:
    """Most actions leave the lines as they were: they are drawn up once and remembered with the roster."""
    known: dict[object, Lines] = state.roster.known
    key = (
        state.active,
        *state.place,
        *state.vc,
        *state.form,
        *state.terrain,
        *state.camp,
        *state.last,
        *state.holder,
    )
    lines = known.get(key)
    if lines is None:
        if len(known) >= POSITIONS:
            known.clear()
        lines = known[key] = _draw_up(state)
    return lines


def _draw_up(state: VirtusState) -> Lines:
    roster, worth, weights = state.roster, [0.0] * len(state.place), _weights(state.roster.units)
    posts: list[Places] = [[[] for _ in PLACES] for _ in SEATS]
    for i, (unit, place) in enumerate(zip(roster.units, state.place, strict=True)):
        if place != GONE:
            worth[i] = weights[i] * (UNIT + POINT * state.vc[i])
            if state.form[i]:
                worth[i] -= FORMED
        if place >= 0:
            posts[unit.side][place].append(i)
    power = [0.0] * len(state.place)
    struck = [_strike(state, side, posts, power) for side in (ROME, BARBARIANS)]
    struck[other(state.active)] *= 1 + TEMPO
    blows = BLOW * (struck[ROME] - struck[BARBARIANS])
    held = [_ground(state, side, posts) for side in (ROME, BARBARIANS)]
    peril = held[other(state.active)][1]
    squads = [_squad(state, n, posts, power, peril) for n in range(1, roster.rules.columns + 1)]
    ground, entered = held[ROME][0] - held[BARBARIANS][0], held[ROME][2] - held[BARBARIANS][2]
    return Lines(worth, ground, blows, entered, squads)


def _squad(state: VirtusState, segment: int, posts: list[Places], power: list[float], peril: bool) -> Squad:
    """V4.3f V4.3g: who may use the points of a segment, reserves if it is empty; in peril, who may help."""
    own, foes = posts[state.active], posts[other(state.active)]
    home, rear, units = sector(state.active, segment), reserve(state.active), state.roster.units
    squad = [] if own[home] else [(i, rear, GAP) for i in own[rear]]
    for place in (home, facing(home)):
        free = peril and not foes[place]
        for i in own[place]:
            helps = free and units[i].mvt > 0
            squad.append((i, place, RESCUE if helps else IDLE + power[i]))
    squad.sort(key=itemgetter(2), reverse=True)
    return squad


def _weight(unit: Unit) -> float:
    return (unit.vo + unit.vd + unit.vt) / 5 * (1.4 if unit.mounted else 1.0)


@lru_cache(CASES)
def _weights(units: tuple[Unit, ...]) -> list[float]:
    return [_weight(unit) for unit in units]


# --- armies --------------------------------------------------------------------------------------


def _army(state: VirtusState, side: int, worth: list[float]) -> float:
    total, tokens = 0.0, state.tokens
    for i in state.roster.of[side]:
        total += _marked(state, i) if tokens[i] else worth[i]
    for g in state.roster.generals_of[side]:
        if state.gplace[g] != GONE:
            safe = 1 - 1 / 3 if state.attached[g] >= 0 else 1 - 1 / 6
            total += GENERAL * safe ** state.gtokens[g]
            total += station(state, g, state.gplace[g])
    return total


def _marked(state: VirtusState, i: int) -> float:
    """What a unit is worth that has tests to pass."""
    unit, place = state.roster.units[i], state.place[i]
    ground = state.terrain[place] if place >= 0 else "clear"
    broken = bool(state.flags[i] & RETREATED)
    marks = state.flags[i] & (CHARGED | SHELTERED)
    return _weight(unit) * _tested(unit, state.vc[i], broken, state.tokens[i], ground, state.form[i], marks)


@lru_cache(CASES)
def _tested(
    unit: Unit, cohesion: int, broken: bool, tokens: str, ground: str, form: int, marks: int
) -> float:
    """V3.1c V3.1d V3.1e: what is left of a unit, in points and on average, once it has tested its tokens."""
    if not cohesion:
        return 0.0
    if not tokens:
        return UNIT + POINT * cohesion - BROKEN * broken

    def then(left: int, retreats: bool) -> float:
        if retreats and broken:
            return 0.0
        return _tested(unit, left, broken or retreats, tokens[1:], ground, form, marks)

    fails = _fails(unit, tokens[0], ground, form, marks)
    breaks = _breaks(unit, cohesion)
    stays = then(cohesion - 1, False)
    if unit.mounted and unit.dispersed and not broken:
        stays = max(stays, then(cohesion, True))  # V6.4-evade-c
    failed = breaks * then(cohesion - 1, True) + (1 - breaks) * stays
    return (1 - fails) * then(cohesion, False) + fails * failed


@lru_cache(CASES)
def _fails(unit: Unit, token: str, ground: str, form: int, marks: int) -> float:
    """V3.1g: the chance that a token costs the unit."""
    charged, sheltered = bool(marks & CHARGED), bool(marks & SHELTERED)
    value = save_value(unit, token, GROUND[ground], form=form, charged=charged, sheltered=sheltered)
    return 1 - max(1, min(value, 5)) / 6


def _breaks(unit: Unit, cohesion: int) -> float:
    """V3.1d: the chance that a unit that fails a save retreats as well."""
    if unit.fanatic or unit.elephant:
        return float(unit.elephant)
    dark = 8 if unit.rabble else 6
    chance = max(0, dark - (unit.vc if unit.stoic else cohesion)) / dark
    return chance * chance if unit.elite else chance


# --- ground --------------------------------------------------------------------------------------


def _ground(state: VirtusState, side: int, posts: list[Places]) -> tuple[float, bool, int]:
    """V1.8a V5.4e: sectors taken, flanks opened, the line held; whether victory is near; sectors entered."""
    own, foes = posts[side], posts[other(side)]
    total, taken, entered, flanked = 0.0, 0, 0, False
    for place in sectors(state, other(side)):
        entered += bool(own[place])
        if foes[place]:
            total += ENTERED * bool(own[place])
        elif state.last[place] == side:
            taken += 1
            total += CONQUERED
            flanked |= bool(own[place]) and any(not foes[p] for p in beside(state, place))
    guarded = bool(foes[reserve(other(side))])
    if flanked:
        total += OPEN_FLANK if guarded else UNGUARDED
    if taken >= 2:
        total += WINNING
    for place in sectors(state, side):
        short = THIN
        for i in own[place]:
            short -= state.vc[i]
        if short > 0:
            total -= short * (SHORT_IN_FRONT if foes[facing(place)] or foes[place] else SHORT)
    return total, flanked or taken >= 2, entered


# --- blows ---------------------------------------------------------------------------------------


def _strike(state: VirtusState, side: int, posts: list[Places], power: list[float]) -> float:
    """V5.1a V5.3a V5.4a: what a side's attacks may cost the enemy, if every unit makes its best."""
    own, foes, total = posts[side], posts[other(side)], 0.0
    open_to: Exposure = {}
    for place, units in enumerate(own):
        if not units or not column(place):
            continue
        targets = [(place, 1)] if foes[place] else _far_targets(state, side, place, own, foes)
        for target, each in targets:
            for i in units:
                power[i] = max(power[i], each * _blow(state, i, target, foes[target], open_to))
        total += sum(power[i] for i in units) if targets else 0.0
    return total


def _far_targets(
    state: VirtusState, side: int, place: int, own: Places, foes: Places
) -> list[tuple[int, int]]:
    """V5.3b V5.4b V5.4c: what units that are not engaged can attack, and how many tokens a hit would be."""
    front = facing(place)
    if owner(place) == side and foes[front] and not own[front]:
        return [(front, 1)]
    return [(p, DOUBLE if own[p] else 1) for p in beside(state, place) if foes[p]]


def _blow(state: VirtusState, i: int, target: int, victims: list[int], open_to: Exposure) -> float:
    """What one attack may be expected to cost."""
    unit, here, terrain = state.roster.units[i], state.place[i], state.terrain
    cohesion, far = state.vc[i], here != target
    shot = far and target == facing(here)
    if shot and (not unit.vt or GROUND[terrain[target]].woods):
        return 0.0  # V5.3b
    sheltered = far and unit.ballista and defends_camp(state, other(unit.side), target)
    value, kind = _values(
        unit, cohesion, state.form[i], terrain[here], terrain[target], state.camp[here], far, sheltered
    )
    if shot:
        value = unit.vt
    case = kind, target, far
    cost = open_to.get(case)
    if cost is None:
        cost = open_to[case] = _exposed(state, kind, target, victims, far)
    return cohesion * value / 6 * cost


def _exposed(state: VirtusState, kind: str, place: int, victims: list[int], far: bool) -> float:
    """What a hit costs on average; hand to hand formations do not count: a charge undoes them (V12.2d)."""
    cost, units, ground = 0.0, state.roster.units, state.terrain[place]
    for i in victims:
        sheltered = defends_camp(state, units[i].side, place)
        form, marks = state.form[i] if far else NORMAL, SHELTERED if sheltered else 0
        cost += _fails(units[i], kind, ground, form, marks) * _weight(units[i])
    return cost / len(victims)


@lru_cache(CASES)
def _values(
    unit: Unit, cohesion: int, form: int, ground: str, there: str, camp: int, far: bool, sheltered: bool
) -> tuple[int, str]:
    """What a unit strikes with, and the kind of hit."""
    value = offence_of(unit, cohesion, form, GROUND[ground], GROUND[there], camp)
    if far and not GROUND[there].woods:
        value = max(value, unit.vt)
    return value, kind_of_hit(unit, charge=False, far=far, pila=False, camp=sheltered)


# --- orders --------------------------------------------------------------------------------------


def _orders(state: VirtusState, side: int, squads: list[Squad]) -> float:
    """Declared charges, points where units wait for them, and the cards still in hand."""
    total, marks = 0.0, state.flags
    for segment, squad in enumerate(squads, 1):
        points, opened = state.points[segment], state.opened[segment]
        if not points and not opened:
            points = card_points(state.laid[segment])
        if points:
            total += SPARE * min(points, 6)  # useless actions are left undone
        for i, place, need in squad:
            flags = marks[i]
            if flags & CHARGING:
                dice = state.vc[i] + bool(flags & HILL)
                total += ORDER * need + CHARGE * dice * offence(state, i, place)
            elif points > 0 and not flags & BUSY:
                total += ORDER * need
                points -= 1
        total += OPENED * opened
    base = side * KINDS
    held: int = sum(map(mul, HELD, state.hand[base : base + KINDS]))
    return total + CARD * held - FACE_CARD * (state.hand[base + FACE] + state.laid.count(FACE) / 10)


def _pending(state: VirtusState, seat: int) -> float:
    """Hits that wait to be shared out."""
    decision = state.todo[-1] if state.todo else None
    if not isinstance(decision, ShareChoice):
        return 0.0
    worth = HIT * tokens_due(state, decision)
    return -worth if decision.seat == seat else worth
