"""How good a position looks: armies as they stand, attacks to come, places, walls, cards and activations.

A bot that looks one action ahead maximises this.  The weights are ours; they are not rules.  One is about a
hundred points of an army.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from ...parts.plane import UNIT
from .building import is_building
from .cards import CARDS, DECK
from .damage import occupants
from .fire import doused
from .movement import Moves, Moving
from .orders import DRAWN, Activation, Cards, Healing, RallyOne, Refill, leadership
from .purchase import worth as purse
from .ramparts import faced, in_siege_tower
from .siege import DEFENDER, losses
from .state import (
    ACTIVATED,
    DONE,
    JAVELINS,
    LOST,
    MOUNTED,
    MOVED,
    NO_FORMATION,
    NOBODY,
    RESERVE,
    STOOD,
    OnusState,
    Roster,
    other,
)
from .turn import army_points
from .walls import pieces
from .ways import APPROACH, ARC, Outlook, off, places, stands
from .worth import ALIVE, ATTACKS, HEALTH, HUNDRED, attack, going_on, melees, ruin

BROKEN, FLEEING = 0.7, 0.3  # what is left of a unit
LED = 0.3  # a general
SHARE = 0.5  # of the army that an army test may cost
LAST, FEW = 1.0, 0.4  # the last defender within the walls, one of two
TROUBLE = 0.002  # a unit that has moved: nobody moves for nothing
SCORCHED = 0.1  # a unit on a wall that burns, for each marker
CLOCK = 1.5  # to the besieged: that the deck has run out
ORDER, AGAIN, EVENT = (
    0.12,
    0.5,
    0.06,
)  # the best order of a hand, each further one of the one before; an event
READINESS, ZEAL, RALLIES = 0.02, 0.8, 0.7
STRIKES, SHOOTS, FIGHTS_FIRE = 0.25, 0.08, 0.1  # what an activated unit may still do
ROLLS = 0.3  # a siege tower on its way to a wall: nobody else brings it there

DRAWING, PENDING = (Cards, Refill), (Moves, Moving, Activation, RallyOne, Healing)
WEIGHED = frozenset((*ATTACKS, *DRAWING, *PENDING))  # the steps that count; none has kinds of its own


def evaluate(state: OnusState, seat: int) -> float:
    """Good for ``seat`` is positive."""
    if is_building(state):
        return purse(state, seat)
    look, steps = Outlook(state, seat), [step for step in state.todo if type(step) in WEIGHED]
    step = going_on(steps)
    value = _army(state, seat) - _army(state, other(seat))
    value = value + melees(state, look.melee, step) + attack(state, seat, step)
    value += places(look)
    value += stands(look)
    value -= TROUBLE * sum([bool(state.flags[i] & MOVED) for i in look.own])
    if state.roster.keep is not None:
        value += _siege(look) * (1 if seat == DEFENDER else -1)
    return value + _hand(state, seat, steps) + _activity(look, steps)


# --- armies --------------------------------------------------------------------------------------


def _army(state: OnusState, side: int) -> float:
    """OH.army.4 OH.army.5 OH.value.5: units by points, wounds and order, and the army test to come."""
    value = 0.0
    where, wounds, fleeing, broken = state.where, state.wounds, state.fleeing, state.broken
    for i, price, life, led in _prices(state.roster, side):
        if where[i] != LOST:
            health = ALIVE + HEALTH * (1 - wounds[i] / life)
            order = FLEEING if fleeing[i] else BROKEN if broken[i] else 1.0
            value += price * health * order + led
    lost, whole = losses(state, side)
    part = lost / whole if whole else 1.0
    return value - SHARE * army_points(state, side) / HUNDRED * min(1.0, part / _limit(state, side)) ** 2


def _prices(roster: Roster, side: int) -> list[tuple[int, float, int, float]]:
    """The units of a side: what each is worth, its life, what its general is worth."""
    kept: dict[int, list[tuple[int, float, int, float]]] = roster.kept.setdefault("prices", {})
    if side not in kept:
        own = [(i, roster.units[i]) for i in roster.of_side[side]]
        kept[side] = [
            (i, unit.kind.points / HUNDRED, unit.kind.life, LED if unit.general else 0.0) for i, unit in own
        ]
    return kept[side]


def _limit(state: OnusState, side: int) -> float:
    """OH.army.5: the part of its army that a side loses before it tests."""
    goals = state.roster.goals
    if state.roster.keep is None:
        return 0.5
    return (goals.defender_losses if side == DEFENDER else goals.attacker_losses) / HUNDRED


def _siege(look: Outlook) -> float:
    """O7.victory.attacker.empty O7.victory.defender.deck: what is good for the besieged."""
    state = look.state
    value = -sum([ruin(state, n) for n in pieces(state)], 0.0)
    value += sum(
        [ruin(state, n) for n, s in enumerate(state.roster.structures) if s.kind == "siege-tower"], 0.0
    )
    burning = [n for n in pieces(state) if state.fire[n]]
    value -= SCORCHED * sum([len(occupants(state, n)) * state.fire[n] for n in burning])
    if state.roster.goals.empty:
        left = sum(_holds_out(look, i) for i, unit in enumerate(state.roster.units) if unit.side == DEFENDER)
        value -= LAST if left <= 1 else FEW if left == 2 else 0.0
    used = state.exhausted + 1 - sum(state.deck) / DECK
    return value + CLOCK * used / max(1, state.roster.goals.decks)


def _holds_out(look: Outlook, i: int) -> bool:
    """Within the walls and not fleeing, or still to be drawn up there."""
    return (i in look.within and not look.state.fleeing[i]) or look.state.where[i] == RESERVE


# --- cards ---------------------------------------------------------------------------------------

ORDERS = {
    "whole-army": 1.0,
    "half-the-army": 0.8,
    "leaders-call": 0.9,
    "two-units": 0.5,
    "one-unit": 0.25,
    "horse": 0.3,
    "shooters": 0.3,
    "fall-back": 0.05,
    "rally-one": 0.3,
    "rally-all": 0.25,
    "tend-wounds": 0.15,
    "reserves": 0.25,
    "forced-march": 0.15,
    "new-plans": 0.2,
}
EVENTS = {
    "stand-firm": 1.0,
    "fierce-onset": 1.0,
    "second-volley": 0.7,
    "weak-point": 0.7,
    "confusion": 0.6,
    "courage": 0.6,
    "shaken": 0.6,
    "ambush": 0.5,
    "wind": 0.4,
    "bad-ground": 0.1,
}


def _hand(state: OnusState, seat: int, steps: Sequence[Any]) -> float:
    """OH.deck.1 OH.turn.7: one order is played a turn; two cards come back, or all."""
    value = _held(tuple(state.hands[seat]))
    if any(isinstance(step, DRAWING) and step.seat == seat for step in steps):
        room = leadership(state, seat) - len(state.hands[seat])
        value += _average() * max(0, min(room, DRAWN) if state.ordered and not state.refill else room)
    return value


@lru_cache(maxsize=2_000)
def _held(hand: tuple[int, ...]) -> float:
    """What the known cards of a hand are worth."""
    cards = [card for card in hand if card >= 0]
    orders = sorted((ORDERS[CARDS[card][0]] for card in cards), reverse=True)
    value = sum([ORDER * AGAIN**k * order for k, order in enumerate(orders)], 0.0)
    return value + EVENT * sum([EVENTS.get(CARDS[card][1], 0.0) for card in cards], 0.0)


@cache
def _average() -> float:
    """What a card is worth that nobody knows yet."""
    orders = sum(ORDERS[order] for order, _ in CARDS) / DECK
    events = sum(EVENTS.get(event, 0.0) for _, event in CARDS) / DECK
    return ORDER * AGAIN * orders + EVENT * events


# --- activations ---------------------------------------------------------------------------------


def _activity(look: Outlook, weighed: Sequence[Any]) -> float:
    """OH.turn.1 OH.turn.2: what units may do that are activated and have still to act, or can still be."""
    state, seat = look.state, look.seat
    steps = [step for step in weighed if isinstance(step, PENDING)]
    if not any(step.seat == seat for step in steps):
        return 0.0
    ready = [i for i in look.own if state.flags[i] & ACTIVATED and not state.flags[i] & (DONE | STOOD)]
    value = sum([_prospect(look, i) for i in ready], 0.0)
    for step in steps:
        if isinstance(step, Activation):
            rest = sorted((_prospect(look, i) for i in step.units(state)), reverse=True)
            value += sum(rest[: step.left], 0.0) * (0.1 if step.order == "fall-back" else 1.0)
        elif isinstance(step, RallyOne):
            value += max([_rallied(state, i) for i in step.units(state)], default=0.0)
        elif isinstance(step, Healing):
            value += max([_healed(state, i) for i in step.units(state)], default=0.0)
        elif isinstance(step, Moving) and not state.flags[step.unit] & DONE:
            value += READINESS if state.formation[step.unit] == NO_FORMATION else 0.0
    return value


def _prospect(look: Outlook, i: int) -> float:
    """What an activated unit may bring about: rally, shoot, charge, come nearer, put out a fire."""
    state = look.state
    if state.fleeing[i] or state.broken[i]:
        return RALLIES * _rallied(state, i)
    if state.where[i] == RESERVE or state.climbs[i] != NOBODY or look.melee[i]:
        return READINESS
    kind = state.roster.units[i].kind
    value = READINESS
    if (any(state.fire) or any(state.lit)) and i in look.within and doused(state, i):
        value += FIGHTS_FIRE
    if not look.foes:
        return value
    if in_siege_tower(state, i) and state.roster.keep is not None and not faced(state, i):
        return value + ROLLS
    gaps = look.gaps[i]
    near = min(gaps)[0]
    if kind.shoots:
        reach = [j for far, j in gaps if far <= kind.long + UNIT]
        value += SHOOTS * any(abs(off(state, i, state.pose[j])) <= ARC for j in reach)
    besieged = state.roster.keep is not None and state.roster.units[i].side == DEFENDER
    if besieged or (kind.shoots and JAVELINS not in kind.traits and near < kind.long + UNIT):
        return value
    if near <= (kind.move + 1) * UNIT and (state.roster.keep is None or MOUNTED not in kind.traits):
        return value + STRIKES
    return value + ZEAL * APPROACH * kind.move


def _rallied(state: OnusState, i: int) -> float:
    """What it is worth that a unit rallies."""
    whole = state.roster.units[i].kind.points / HUNDRED
    return whole * (1 - (FLEEING if state.fleeing[i] else BROKEN))


def _healed(state: OnusState, i: int) -> float:
    kind = state.roster.units[i].kind
    return kind.points / HUNDRED * HEALTH / kind.life
