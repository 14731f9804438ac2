"""What attacks may be expected to bring, for the evaluation: melee, missiles, rams and torches.

One is about a hundred points of an army.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from .combat import Combat, event_morale, has, is_professional, needed, total, wind_terms, with_events
from .damage import can_burn
from .fire import Torch, torch_dice, torch_terms
from .hidden import under
from .melee import Clash, aim
from .modifiers import defence_of, has_priority
from .morale import morale_terms
from .ramparts import is_gate_down
from .rams import DICE, Stroke, ram_values, resistance
from .shooting import Volley, cover_terms, ranged_terms, shot_dice
from .sight import Mark
from .sorts import GATE
from .state import DIE, NOBODY, SIEGE_TOWER, TOWERS, OnusState
from .table import position

HUNDRED = 100
ALIVE, HEALTH = 0.45, 0.55  # of a unit: that it is there at all, and its wounds
FLIGHT = 0.5  # of a unit that must flee
BLOWS, DREAD = 1.0, 0.9  # of what own blows bring, and of what the enemy's do
FIRST = 0.15  # how much weaker the answer is of who strikes second
STANDS, SHARE = 0.5, 0.15  # what a wall is worth to its side, a tower besides
FLAMES = 3.0  # the damage that a fire marker will do
THROWN_OFF = 0.3  # an own unit that climbs what is set on fire

Step = Clash | Volley | Stroke | Torch
ATTACKS = (Clash, Volley, Stroke, Torch)


# --- melee ---------------------------------------------------------------------------------------


def melees(state: OnusState, pairs: dict[int, list[int]], step: Step | None) -> float:
    """OH.melee.2: what the blows of those who are in contact may be expected to bring.

    OH.deck.4: events count in the combat that is going on, and in no other.
    """
    if not any(pairs.values()):
        return 0.0
    combat = step.combat if isinstance(step, Clash) else None
    calm = state
    if state.events:
        calm = state.copy()
        calm.events = []
    value = 0.0
    for i, foes in pairs.items():
        for j in foes:
            here = combat is not None and {i, j} == {combat.attacker, combat.target}
            value += exchange(state, i, j, combat) if here else exchange(calm, i, j)
    return value


def exchange(state: OnusState, i: int, j: int, combat: Combat | None = None) -> float:
    """What ``i`` may expect of a melee with ``j``: kept as long as nobody moves and both are as they are."""
    target = NOBODY if combat is None else combat.target
    key = ("exchange", i, j, target, state.active, *state.events, *state.hooks, *_fitness(state, i, j))
    memo = position(state).memo
    if key not in memo:
        memo[key] = _exchange(state, i, j, combat)
    return float(memo[key])


def _fitness(state: OnusState, i: int, j: int) -> list[int]:
    """All of two units that counts in a melee, besides where they are."""
    columns = state.flags, state.wounds, state.broken, state.formation, state.ram
    return [column[k] for column in columns for k in (i, j)]


def _exchange(state: OnusState, i: int, j: int, combat: Combat | None) -> float:
    """OH.melee.5: blow and counter-blow; who strikes first meets a stronger enemy."""
    mine, theirs = has_priority(state, i, j), has_priority(state, j, i)
    first = state.roster.units[i].side == state.active if mine == theirs else mine
    ours, others = blow(state, i, j, combat), blow(state, j, i, combat)
    if first:
        others *= 1 - FIRST
    else:
        ours *= 1 - FIRST
    return BLOWS * ours - DREAD * others


def blow(state: OnusState, i: int, j: int, combat: Combat | None = None) -> float:
    """OH.dice.2 OH.morale.1: the worth of the wounds, and of the flight that may follow."""
    if state.fleeing[i]:
        return 0.0
    dice, values, defence, _ = aim(state, i, j)
    return harm_of(state, i, j, max(0, dice) * wounds_of(values, defence), combat)


def harm_of(state: OnusState, i: int, j: int, wounds: float, combat: Combat | None = None) -> float:
    """What some wounds of ``j`` are worth to ``i``: life, flight, destruction."""
    foe = state.roster.units[j].kind
    left = max(1, foe.life - state.wounds[j])
    if is_professional(state, i):  # OH.trait.2
        wounds *= 1 + 1 / DIE
    morale = (
        foe.morale + total(morale_terms(state, j)) + (total(event_morale(state, combat, j)) if combat else 0)
    )
    runs = 0.0 if state.fleeing[j] else min(1.0, wounds) * fails(morale)
    dies = max(0.0, wounds / left - 0.5)
    if state.fleeing[j]:  # OH.flight.2
        dies = min(1.0, wounds)
    return (
        foe.points
        / HUNDRED
        * (HEALTH * min(wounds, left) / foe.life + FLIGHT * runs + ALIVE * min(1.0, dies))
    )


@cache
def wounds_of(values: tuple[int, int], defence: tuple[int, int]) -> float:
    """OH.dice.2: the wounds of one die."""
    low = needed(values[0], defence[0])
    return 1 / DIE + (DIE - low) / DIE * (DIE + 1 - needed(values[1], defence[1])) / DIE


@cache
def fails(morale: int) -> float:
    """OH.morale.1: how often two dice are above morale."""
    rolls = [one + two for one in range(1, DIE + 1) for two in range(1, DIE + 1)]
    return sum(roll == 12 or (roll > morale and roll != 2) for roll in rolls) / len(rolls)


# --- an attack that is going on ------------------------------------------------------------------


def going_on(steps: Sequence[object]) -> Step | None:
    """The attack whose events are being chosen or whose dice are about to be rolled."""
    for step in reversed(steps):
        if isinstance(step, ATTACKS):
            return step
    return None


def attack(state: OnusState, seat: int, step: Step | None) -> float:
    """What an attack other than a melee that is going on may be expected to bring to a seat."""
    if step is None or isinstance(step, Clash):
        return 0.0
    i = step.unit if isinstance(step, Torch) else step.combat.attacker
    value = _torch(state, step) if isinstance(step, Torch) else _missiles(state, step)
    return value if state.roster.units[i].side == seat else -value


def _missiles(state: OnusState, step: Volley | Stroke) -> float:
    if isinstance(step, Stroke):
        i, n = step.combat.attacker, step.combat.structure
        dice, values = DICE - has(state, "confusion"), with_events(state, ram_values(state, i))
        return dice * chance(values, resistance(state, n, step.part)) * point(state, n)
    i, n = step.combat.attacker, step.combat.structure
    j = under(state, step.combat.back) if step.combat.back else step.combat.target
    mark = Mark(j, n)
    value = state.roster.units[i].kind.ranged + total([*ranged_terms(state, i, mark), *wind_terms(state)])
    dice = max(0, shot_dice(state, i, mark) - step.combat.incendiary - has(state, "confusion"))
    if n != NOBODY:
        dice *= 1 + has(state, "second-volley") - step.again
        each = chance((value, value + has(state, "weak-point")), state.roster.structures[n].sort.resistance)
        damage = 1.3 * dice * each * point(state, n)
        return damage * FLAMES - thrown_off(state, i, n, dice * each) if step.combat.incendiary else damage
    return volley(state, i, j, dice, value, step.combat)


def thrown_off(state: OnusState, i: int, n: int, hits: float) -> float:
    """O6.fire.no-climbing: what it costs the own units that climb what is set on fire."""
    units = state.roster.units
    climbers = [k for k, m in enumerate(state.climbs) if m == n and units[k].side == units[i].side]
    return THROWN_OFF * len(climbers) * min(1.0, hits)


def volley(state: OnusState, i: int, j: int, dice: int, value: int, combat: Combat | None = None) -> float:
    """OH.ranged.3 OH.event.4: missiles at a unit."""
    defence = defence_of(state, j, cover_terms(state, j, i))
    wounds = dice * wounds_of((value, value + has(state, "weak-point")), defence)
    return harm_of(state, i, j, wounds * (1 + has(state, "second-volley")), combat)


def _torch(state: OnusState, step: Torch) -> float:
    """O6.ignite.who: fire markers."""
    i, n = step.unit, step.structure
    sort, melee = state.roster.structures[n].sort, state.roster.units[i].kind.melee
    added = total(torch_terms(state, i))
    values = with_events(state, (melee[0] + added, melee[1] + added))
    each = chance(values, sort.gate_resistance if step.gate else sort.resistance)
    dice = max(0, torch_dice(state, i, n, step.gate) - has(state, "confusion"))
    return dice * each * point(state, n) * FLAMES


@cache
def chance(values: tuple[int, int], number: int) -> float:
    """OH.dice.4: how often one die hits and damages."""
    hits, harms = (DIE + 1 - needed(value, number) for value in values)
    return hits * harms / DIE**2


# --- structures ----------------------------------------------------------------------------------


def price_of(state: OnusState, n: int) -> float:
    """What a structure is worth to the side that needs it."""
    structure = state.roster.structures[n]
    if structure.kind == SIEGE_TOWER:
        return structure.sort.cost / HUNDRED
    return STANDS + (SHARE if structure.kind in TOWERS else 0.0)


def strength(state: OnusState, n: int) -> int:
    """O4.gate.durability: how much damage opens it."""
    structure = state.roster.structures[n]
    if structure.kind == GATE and not is_gate_down(state, n):
        return structure.sort.gate_durability
    return structure.sort.durability


def point(state: OnusState, n: int) -> float:
    """What a point of damage to a structure is worth."""
    return price_of(state, n) / max(1, strength(state, n))


def ruin(state: OnusState, n: int) -> float:
    """How much of a structure is lost: by damage, and by the fire that will do more."""
    structure = state.roster.structures[n]
    if state.gone[n]:
        return price_of(state, n)
    flames = FLAMES * (state.fire[n] + state.lit[n]) if can_burn(state, n) else 0.0
    if not state.damage[n] and not flames:
        return 0.0
    if structure.kind == GATE and is_gate_down(state, n):
        return price_of(state, n)
    return price_of(state, n) * min(1.0, (state.damage[n] + flames) / strength(state, n))
