"""Secrets: orders that lie face down (M2.place, M2.reveal).  The only door is ``view``."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from ...kernel import Action
from .combat import Attack
from .orders import Placing
from .state import (
    ATTACK,
    HIDDEN,
    MOVED,
    NOBODY,
    STAND,
    WAITING,
    MetaurusState,
    group_of,
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
        if seen.order[g] != ATTACK and not seen.shown[g]:
            seen.order[g] = HIDDEN
        seen.was[g], seen.was_shown[g], seen.changed[g] = seen.order[g], seen.shown[g], 0
    return seen


def is_placing(state: MetaurusState) -> bool:
    return any(isinstance(step, Placing) for step in state.todo)


def guess(seen: MetaurusState, seat: int, rng: Random) -> MetaurusState:
    """A full state that looks the same to ``seat``: every marker that lies face down is some order."""
    full = view(seen, seat)
    foe = other(seat)
    for g, group in enumerate(full.roster.groups):
        if group.side == foe and full.order[g] == HIDDEN:
            full.order[g] = full.was[g] = STAND + int(rng.random() * (HIDDEN - STAND))
    return full


def cases(
    seen: MetaurusState, seat: int, action: Action, rng: Random
) -> list[tuple[Fraction, MetaurusState]]:
    """M2.reveal: the odds of an attack hang on the order that lies, perhaps face down, on the defender."""
    full = guess(seen, seat, rng)
    g = group_of(seen, seen.roster.index[action.target]) if isinstance(action, Attack) else NOBODY
    if g < 0 or seen.order[g] != HIDDEN:
        return [(Fraction(1), full)]
    found = []
    for order in range(STAND, HIDDEN):
        case = full.copy()
        case.order[g] = order
        found.append((Fraction(1, HIDDEN - STAND), case))
    return found


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
        if state.order[g] == HIDDEN:
            yield f"M2.reveal: the order of {group.id} is nowhere"
    lost = [sum(state.cell[i] == -1 for i in roster.of[side]) for side in (0, 1)]
    if state.killed[1] != lost[0] or state.killed[0] > lost[1]:
        yield f"M5.roman: {state.killed} counted of {lost} lost"
    if state.exits != sum(cell == -2 for cell in state.cell):
        yield f"M5.carthage.2: {state.exits} exits counted"
