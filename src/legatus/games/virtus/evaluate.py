"""How good a position looks: material, tokens that wait, ground, contacts, and points still to be spent.

A bot that looks one action ahead maximises this.  The weights are ours; they are not rules.
"""

from __future__ import annotations

from .attack import ShareChoice, offence
from .cards import card_points
from .damage import WHITE, save_value
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
    other,
    sector,
    sectors,
)
from .terrain import GROUND

WON = 1000.0
POINT, UNIT, GENERAL = 1.0, 1.5, 5.0  # a cohesion point, a unit beyond its points, a general
CONQUERED, WINNING, OPEN_FLANK, ENTERED = 9.0, 14.0, 8.0, 1.5
EMPTY, EMPTY_IN_FRONT = 2.0, 4.0  # an own sector without units, and with the enemy opposite
CONTACT = 1.1  # a cohesion point that the next fights may be expected to cost
HIT = 0.6  # a hit that is still to be shared out
ORDER, SPARE, OPENED, CARD, FACE_CARD = 0.15, 0.02, 0.01, 0.03, 0.5

Places = list[list[int]]  # unit numbers by place


def evaluate(state: VirtusState, seat: int) -> float:
    """Good for ``seat`` is positive; the other side's value is its negative."""
    if state.outcome is not None:
        winner = state.outcome.winner
        return 0.0 if winner is None else WON if winner == seat else -WON
    posts = [_posts(state, side) for side in (0, 1)]
    foe = other(seat)
    total = _army(state, seat) - _army(state, foe)
    total += _ground(state, seat, posts) - _ground(state, foe, posts)
    for place in (*sectors(state, 0), *sectors(state, 1)):
        mine, theirs = posts[seat][place], posts[foe][place]
        if mine and theirs:
            total += CONTACT * (_harm(state, mine, theirs, place) - _harm(state, theirs, mine, place))
    plan = _orders(state, state.active, posts)
    return total + (plan if state.active == seat else -plan) + _pending(state, seat)


def _posts(state: VirtusState, side: int) -> Places:
    posts: Places = [[] for _ in state.terrain]
    for i in state.roster.of[side]:
        if state.place[i] >= 0:
            posts[state.place[i]].append(i)
    return posts


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
            total += _station(state, side, state.gplace[g], state.roster.generals[g].chief)
    return total


def _station(state: VirtusState, side: int, place: int, chief: bool) -> float:
    """A general is safe among his units; a chief is best in the reserve."""
    if place < 0:
        return 0.0
    if column(place) == 0:
        return 1.2 if chief else 0.2
    enemies = state.count[other(side) * 10 + place]
    if not state.count[side * 10 + place]:
        return -4.0 if enemies else -0.5
    return 0.5 if enemies else 0.9


def _expected_losses(state: VirtusState, i: int) -> float:
    tokens = state.tokens[i]
    if not tokens:
        return 0.0
    place, flags = state.place[i], state.flags[i]
    ground = GROUND[state.terrain[place]] if place >= 0 else GROUND["clear"]
    lost = 0.0
    for token in tokens:
        value = save_value(
            state.roster.units[i],
            token,
            ground,
            form=state.form[i],
            charged=bool(flags & CHARGED),
            sheltered=bool(flags & SHELTERED),
        )
        lost += 1 - max(1, min(value, 5)) / 6
    return min(lost * 1.25, state.vc[i] + UNIT)


def _ground(state: VirtusState, side: int, posts: list[Places]) -> float:
    """V1.8a V5.4e: enemy sectors taken, flanks laid open, and the own line held."""
    own, foes = posts[side], posts[other(side)]
    total, taken = 0.0, 0
    for place in sectors(state, other(side)):
        if state.last[place] == side and not foes[place]:
            taken += 1
            total += CONQUERED
            if own[place] and any(not foes[p] for p in beside(state, place)):
                total += OPEN_FLANK
        elif own[place]:
            total += ENTERED
    if taken >= 2:
        total += WINNING
    for place in sectors(state, side):
        if not own[place]:
            total -= EMPTY_IN_FRONT if foes[facing(place)] else EMPTY
    return total


def _harm(state: VirtusState, units: list[int], against: list[int], place: int) -> float:
    """The cohesion points that these units may expect to cost those in one round of fights."""
    hits = sum(state.vc[i] * offence(state, i, place) for i in units) / 6
    ground = GROUND[state.terrain[place]]
    roster = state.roster.units
    saved = sum(max(1, min(save_value(roster[i], WHITE, ground, form=state.form[i]), 5)) for i in against)
    return hits * (1 - saved / 6 / len(against))


def _orders(state: VirtusState, side: int, posts: list[Places]) -> float:
    """Declared charges, points where units wait for them, and the cards still in hand."""
    total = 0.0
    foes = posts[other(side)]
    for segment in range(1, state.roster.rules.columns + 1):
        idle = 0.0
        for place in (sector(0, segment), sector(1, segment)):
            for i in posts[side][place]:
                flags = state.flags[i]
                if flags & CHARGING:
                    dice = state.vc[i] + bool(flags & HILL)
                    total += dice * offence(state, i, place) / 6 * HIT
                elif not flags & (ACTIVATED | RETREATED):
                    idle += 1.0 if foes[place] or state.roster.units[i].vt else 0.6
        points = state.points[segment]
        if not points and not state.opened[segment]:
            points = card_points(state.laid[segment])
        total += ORDER * min(points, idle) + SPARE * min(points, 6)  # useless actions are left undone
        total += OPENED * state.opened[segment]
    base = side * KINDS
    held = sum(min(card_points(card), 6) * state.hand[base + card] for card in range(KINDS))
    return total + CARD * held - FACE_CARD * (state.hand[base + FACE] + state.laid.count(FACE) / 10)


def _pending(state: VirtusState, seat: int) -> float:
    """Hits that wait to be shared out."""
    decision = state.todo[-1] if state.todo else None
    if not isinstance(decision, ShareChoice):
        return 0.0
    worth = HIT * len(decision.tokens) * decision.each
    return -worth if decision.seat == seat else worth
