"""Secrets: orders that lie face down (M2.place, M2.reveal).  The only door is ``view``."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from ...kernel import Action
from .combat import Attack
from .orders import Placing
from .state import (
    ARMS,
    ATTACK,
    COLOUR,
    DETACHED,
    HIDDEN,
    MOVED,
    NOBODY,
    STAND,
    UNMARKED,
    WAITING,
    MetaurusState,
    could_govern,
    group_of,
    has_marker,
    is_unmarked,
    other,
)


def view(state: MetaurusState, seat: int | None) -> MetaurusState:
    """What a seat may know; a spectator knows what both know."""
    seen = state.copy()
    placing = is_placing(state)
    for g, group in enumerate(state.roster.groups):
        if group.side == seat:
            continue
        if placing:  # MH18.placing: the table as it was before
            seen.order[g], seen.shown[g], seen.changed[g] = seen.was[g], seen.was_shown[g], 0
        if not seen.shown[g]:
            seen.order[g] = _face_down(seen, g)
        seen.was[g], seen.was_shown[g], seen.changed[g] = seen.order[g], seen.shown[g], 0
    return seen


def _face_down(state: MetaurusState, g: int) -> int:
    """M2.reveal M2.independent: what the enemy sees of an order that was not shown to him."""
    if has_marker(state.order[g]):
        return HIDDEN
    colour = state.roster.groups[g].kind == COLOUR
    return ATTACK if colour or not could_govern(state, g) else UNMARKED


def is_placing(state: MetaurusState) -> bool:
    return any(isinstance(step, Placing) for step in state.todo)


def guess(seen: MetaurusState, seat: int, rng: Random) -> MetaurusState:
    """A full state that looks the same to ``seat``: every marker that lies face down is some order.

    M2.independent: horse and elephants without a marker follow their colour or are detached.
    """
    full = view(seen, seat)
    foe = other(seat)
    for g, group in enumerate(full.roster.groups):
        if group.side == foe and full.order[g] == HIDDEN:
            full.order[g] = full.was[g] = STAND + int(rng.random() * (HIDDEN - STAND))
        elif group.side == foe and full.order[g] == UNMARKED:
            full.order[g] = full.was[g] = ATTACK if rng.random() < 0.5 else DETACHED
    return full


def cases(
    seen: MetaurusState, seat: int, action: Action, rng: Random
) -> list[tuple[Fraction, MetaurusState]]:
    """M2.reveal: the odds of an attack hang on the order that lies, perhaps face down, on the defender."""
    full = guess(seen, seat, rng)
    if not isinstance(action, Attack):
        return [(Fraction(1), full)]
    found = []
    for part, orders in _possible(seen, seen.roster.index[action.target]):
        case = full.copy()
        for g, order in orders.items():
            case.order[g] = order
        found.append((part, case))
    return found


def _possible(seen: MetaurusState, i: int) -> list[tuple[Fraction, dict[int, int]]]:
    """What the orders that concern a unit can be, all equally likely; M2.independent: half for detached."""
    g, own = group_of(seen, i), seen.roster.own_group[i]
    orders = range(STAND, HIDDEN) if seen.order[g] == HIDDEN else (seen.order[g],)
    found = [(Fraction(1, len(orders)), {g: order}) for order in orders]
    if not is_unmarked(seen, i):
        return found
    follows = [(part / 2, {own: ATTACK, **laid}) for part, laid in found]
    return [*follows, (Fraction(1, 2), {own: DETACHED})]


def invariants(state: MetaurusState) -> Iterator[str]:
    """What must hold in every state; a broken one names its clause."""
    roster, grid = state.roster, state.roster.grid
    for i, unit in enumerate(roster.units):
        cell = state.cell[i]
        if cell >= 0 and state.at[cell] != i:
            yield f"MH4.stacking: {unit.id} is not alone in {grid.names[cell]}"
        if cell < 0 and state.flags[i] & ~MOVED:
            yield f"M4.disorder: {unit.id} is off the map and has a state"
        if cell == WAITING and state.turn:
            yield f"MH10.setup: {unit.id} is not deployed"
        if unit.arm not in ARMS:
            yield f"M4.matrix: {unit.id[:20]} is of the arm {unit.arm[:20]!r}"
        if not 0 <= state.facing[i] < 6:
            yield f"MH2.facing: {unit.id} faces {state.facing[i]}"
    if sum(i != NOBODY for i in state.at) != sum(cell >= 0 for cell in state.cell):
        yield "MH4.stacking: hexes and units do not agree"
    near = [0] * (2 * grid.size)
    for i, cell in enumerate(state.cell):
        for beside in grid.neighbours[cell] if cell >= 0 else ():
            if beside >= 0:
                near[roster.units[i].side * grid.size + beside] += 1
    for n, (found, kept) in enumerate(zip(near, state.near, strict=True)):
        if found != kept:
            yield f"M2.move.2: next to {grid.names[n % grid.size]} are {found} units, not {kept}"
    for a, b in state.links:
        if state.cell[a] < 0 or state.cell[b] < 0 or grid.distance(state.cell[a], state.cell[b]) != 1:
            yield f"M4.crt.4_5: {roster.units[a].id} and {roster.units[b].id} are engaged and not adjacent"
    for g, group in enumerate(roster.groups):
        colour = group.kind == COLOUR
        if state.order[g] in (HIDDEN, UNMARKED) or (colour and state.order[g] == DETACHED):
            yield f"M2.reveal: the order of {group.id} is nowhere"
    lost = [sum(state.cell[i] == -1 for i in roster.of[side]) for side in (0, 1)]
    if state.killed[1] != lost[0] or state.killed[0] > lost[1]:
        yield f"M5.roman: {state.killed} counted of {lost} lost"
    if state.exits != sum(cell == -2 for cell in state.cell):
        yield f"M5.carthage.2: {state.exits} exits counted"
