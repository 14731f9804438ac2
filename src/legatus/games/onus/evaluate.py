"""How good a position looks: armies as they stand, blows to come, ways to the enemy, cards and activations.

A bot that looks one action ahead maximises this.  The weights are ours; they are not rules.  One is about a
hundred points of an army.
"""

from __future__ import annotations

from functools import cache
from math import hypot

from ...parts import plane
from ...parts.plane import RIGHT_ANGLE, UNIT
from .cards import CARDS
from .combat import needed, total
from .contact import opponents
from .modifiers import attack_terms, defence_of, defence_terms, dice_of
from .morale import morale_terms
from .movement import Moves, Moving
from .orders import Activation
from .state import (
    ACTIVATED,
    CARD,
    DIE,
    DONE,
    FIELD,
    FOREST,
    HILL,
    JAVELINS,
    LOST,
    NO_FORMATION,
    RESERVE,
    OnusState,
    other,
)
from .table import is_in, units_on
from .turn import army_points, lost_points

HUNDRED = 100
ALIVE, HEALTH = 0.45, 0.55  # of a unit: that it is there at all, and its wounds
BROKEN, FLEEING = 0.85, 0.3  # what is left of it
SHARE, HALF = 0.5, 0.5  # of the army that an army test may cost, and the part lost at which it is due
BLOWS, DREAD = 1.0, 0.9  # of what own blows bring, and of what the enemy's do
FLIGHT = 0.5  # of a unit that must flee
APPROACH = 0.06  # a DU nearer to the enemy
ASKEW = 0.5  # DU that a right angle off the way counts for
READY = 0.25  # a shooter with an enemy in range before it
CROWDED = 0.25  # a shooter with the enemy upon it
COVER = 0.08  # a wood or a hill with the enemy near
FLANKED = 0.12  # an enemy near who looks at a flank or the rear
FAR, NEAR, ARC = 20 * UNIT, 4 * UNIT, RIGHT_ANGLE // 2
CARD_WORTH, DECREE = 0.1, 0.05  # a card of the hand; one that activates many
GREAT = ("half-the-army", "whole-army", "leaders-call")
READINESS, RALLIES = 0.03, 0.3  # an activated unit that has still to act; one that may rally
LED = 0.3  # a general


def evaluate(state: OnusState, seat: int) -> float:
    """Good for ``seat`` is positive."""
    foe = other(seat)
    own, foes = units_on(state, seat), units_on(state, foe)
    value = _army(state, seat) - _army(state, foe) + _melee(state, own)
    value += sum([_place(state, i, foes) for i in own]) - sum([_place(state, j, own) for j in foes])
    value += sum([_way(state, i, foes) for i in own])
    return value + _hand(state, seat) + _activity(state, seat, own)


# --- armies --------------------------------------------------------------------------------------


def _army(state: OnusState, side: int) -> float:
    """OH.army.4 OH.value.5: units by their points, wounds and order, and how near the army is to breaking."""
    value = 0.0
    for i, unit in enumerate(state.roster.units):
        if unit.side == side and state.where[i] != LOST:
            health = ALIVE + HEALTH * (1 - state.wounds[i] / unit.kind.life)
            order = FLEEING if state.fleeing[i] else BROKEN if state.broken[i] else 1.0
            value += unit.kind.points / HUNDRED * health * order + (LED if unit.general else 0)
    whole = army_points(state, side)
    lost = lost_points(state, side) / whole if whole else 1.0
    return value - SHARE * whole / HUNDRED * min(1.0, lost / HALF) ** 2


# --- blows ---------------------------------------------------------------------------------------


def _melee(state: OnusState, own: list[int]) -> float:
    """OH.melee.2: what the blows of those who are in contact may be expected to bring."""
    value = 0.0
    for i in own:
        for j in opponents(state, i):
            value += BLOWS * _blow(state, i, j) - DREAD * _blow(state, j, i)
    return value


def _blow(state: OnusState, i: int, j: int) -> float:
    """OH.dice.2 OH.morale.1: the worth of the wounds, and of the flight that may follow."""
    if state.fleeing[i]:
        return 0.0
    kind, foe = state.roster.units[i].kind, state.roster.units[j].kind
    dice = dice_of(state, i, j)
    added = total(attack_terms(state, i, j))
    defence = defence_of(state, j, defence_terms(state, i, j))
    wounds = dice * _wounds(kind.melee[0] + added, kind.melee[1] + added, *defence)
    left = foe.life - state.wounds[j]
    morale = foe.morale + sum(term.value for term in morale_terms(state, j))
    runs = min(1.0, wounds) * _fails(morale)
    dies = max(0.0, wounds / left - 0.5)
    return foe.points / HUNDRED * (HEALTH * min(wounds, left) / foe.life + FLIGHT * runs + ALIVE * dies)


@cache
def _wounds(hit: int, harm: int, defence: int, armour: int) -> float:
    """OH.dice.2: the wounds of one die."""
    low = needed(hit, defence)
    return 1 / DIE + (DIE - low) / DIE * (DIE + 1 - needed(harm, armour)) / DIE


@cache
def _fails(morale: int) -> float:
    """OH.morale.1: how often two dice are above morale."""
    rolls = [one + two for one in range(1, 7) for two in range(1, 7)]
    return sum(roll == 12 or (roll > morale and roll != 2) for roll in rolls) / len(rolls)


# --- places --------------------------------------------------------------------------------------


def _way(state: OnusState, i: int, foes: list[int]) -> float:
    """The way to the enemy: who shoots from afar stops when he is in range."""
    if not foes or state.fleeing[i] or state.broken[i] or state.where[i] == RESERVE:
        return 0.0
    kind = state.roster.units[i].kind
    far, nearest = min([(_apart(state, i, j), j) for j in foes])
    way = far / UNIT + ASKEW * abs(_off(state, i, nearest)) / RIGHT_ANGLE
    if kind.shoots and JAVELINS not in kind.traits:
        return -APPROACH * max(way, kind.long / UNIT)
    return -APPROACH * way


def _place(state: OnusState, i: int, foes: list[int]) -> float:
    """Range, cover, and whether an enemy looks at its flank."""
    if not foes or state.fleeing[i] or state.where[i] == RESERVE:
        return 0.0
    kind, pose = state.roster.units[i].kind, state.pose[i]
    far = min([_apart(state, i, j) for j in foes])
    value = 0.0
    if kind.shoots:
        reach = kind.long + CARD.front
        ready = any(_apart(state, i, j) <= reach and abs(_off(state, i, j)) <= ARC for j in foes)
        value += READY if ready else 0.0
        if JAVELINS not in kind.traits:
            value -= CROWDED * (far < CARD.depth * 1.2)
    if far < NEAR and state.where[i] == FIELD:
        value += COVER * (is_in(state, i, FOREST) + is_in(state, i, HILL))
        near = [j for j in foes if _apart(state, i, j) < NEAR and not state.fleeing[j]]
        sides = [plane.seen_side(pose, CARD, (state.pose[j].x, state.pose[j].y)) for j in near]
        looks = [abs(_off(state, j, i)) <= ARC for j in near]
        value -= FLANKED * sum(side != plane.FRONT and at for side, at in zip(sides, looks, strict=True))
    return value


def _apart(state: OnusState, i: int, j: int) -> float:
    a, b = state.pose[i], state.pose[j]
    return min(FAR, hypot(a.x - b.x, a.y - b.y))


def _off(state: OnusState, i: int, j: int) -> int:
    """How far an enemy is from straight ahead, in tenths of a degree."""
    a, b = state.pose[i], state.pose[j]
    return plane.between(a.turn, plane.bearing((a.x, a.y), (b.x, b.y)))


# --- cards and activations -----------------------------------------------------------------------


def _hand(state: OnusState, seat: int) -> float:
    cards = [card for card in state.hands[seat] if card >= 0]
    return CARD_WORTH * len(cards) + DECREE * sum(CARDS[card][0] in GREAT for card in cards)


def _activity(state: OnusState, seat: int, own: list[int]) -> float:
    """OH.turn.1 OH.turn.2: units that have been activated and have still to act, or can still be."""
    if not any(isinstance(step, Moves | Moving | Activation) and step.seat == seat for step in state.todo):
        return 0.0
    ready = [i for i in own if state.flags[i] & ACTIVATED and not state.flags[i] & DONE]
    value = sum([_readiness(state, i) for i in ready])
    for step in state.todo:
        if isinstance(step, Activation) and step.seat == seat:
            rest = sorted((_readiness(state, i) for i in step.units(state)), reverse=True)
            value += sum(rest[: step.left])
        if isinstance(step, Moving) and step.seat == seat and not state.flags[step.unit] & DONE:
            value += READINESS / 2 if state.formation[step.unit] == NO_FORMATION else 0.0
    return value


def _readiness(state: OnusState, i: int) -> float:
    return RALLIES if state.fleeing[i] or state.broken[i] else READINESS + _zeal(state, i)


def _zeal(state: OnusState, i: int) -> float:
    """Who moves faster and fights better is activated first."""
    kind = state.roster.units[i].kind
    return READINESS * kind.move / 4
