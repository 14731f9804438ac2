"""Secrets: hands and pool (J0.title).  The only door is ``view``.

A view has of the other's hand what the seat knows of it (``known``) and the number of the rest under HIDDEN;
its pool holds all markers that the seat cannot tell, those of the hidden hand with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from ...kernel import Action
from .combat import Fight
from .places import Displace, Displaced
from .retreat import Falling, Retreating
from .state import (
    DELAYED,
    HIDDEN,
    MARKERS,
    NEUTRAL,
    STACK,
    JulianState,
    other,
)


def view(state: JulianState, seat: int | None) -> JulianState:
    """What a seat may know; a spectator knows the numbers of markers only."""
    seen = state.copy()
    for side in (0, 1):
        if side != seat:
            _hide(seen, side, state.known[seat] if seat is not None else [0] * len(MARKERS))
    if seat is None:
        seen.known = [[0] * len(MARKERS), [0] * len(MARKERS)]
    return seen


def _hide(seen: JulianState, side: int, known: list[int]) -> None:
    """What is not known of a hand goes, face down, to the pool of what cannot be told."""
    hand = seen.hands[side]
    for marker in range(len(MARKERS)):
        unknown = hand[marker] - known[marker] if hand[marker] > known[marker] else 0
        seen.pool[marker] += unknown
        hand[marker] -= unknown
        hand[HIDDEN] += unknown


def guess(seen: JulianState, seat: int, rng: Random) -> JulianState:
    """A full state that looks the same to ``seat``: the hidden markers are some of those in the pool."""
    full = view(seen, seat)
    hand = full.hands[other(seat)]
    pool = [marker for marker, count in enumerate(full.pool) for _ in range(count)]
    for marker in rng.sample(pool, hand[HIDDEN]):
        full.pool[marker] -= 1
        hand[marker] += 1
    hand[HIDDEN] = 0
    return full


def cases(seen: JulianState, seat: int, action: Action, rng: Random) -> list[tuple[Fraction, JulianState]]:
    """JH.windows: the odds of an attack are those without a Military of the defender; he is not asked."""
    full = guess(seen, seat, rng)
    if isinstance(action, Fight):
        foe = full.hands[other(seat)]
        for marker in range(len(MARKERS)):
            full.pool[marker] += foe[marker]
            foe[marker] = 0
        full.known[seat] = [0] * len(MARKERS)
    return [(Fraction(1), full)]


def invariants(state: JulianState) -> Iterator[str]:
    """What must hold in every state; a broken one names its clause."""
    roster, size = state.roster, state.roster.grid.size
    men, force = [0] * (3 * size), [0] * (3 * size)
    for i, unit in enumerate(roster.units):
        cell = state.cell[i]
        if unit.people >= 0 and state.side[i] != state.ally[unit.people]:
            yield f"JH.6_0: {unit.id} does not serve whom its people serves"
        if cell == DELAYED and state.due[i] < state.turn:
            yield f"JH.15_10: {unit.id} waits for turn {state.due[i]} in turn {state.turn}"
        if cell >= 0 and not unit.leader:
            men[state.side[i] * size + cell] += 1
            force[state.side[i] * size + cell] += unit.combat
    if men != state.men or force != state.force:
        yield "JH.stack: hexes and units do not agree"
    for cell in range(size):
        here = [men[side * size + cell] for side in (0, 1, 2)]
        if sum(map(bool, here)) > 1 and state.decision is not None and not _in_passing(state):
            yield f"JH.move: enemies or neutrals share {roster.grid.names[cell]}"
        if max(here[:NEUTRAL]) > STACK and not _in_passing(state):
            yield f"JH.stack: {max(here)} units in {roster.grid.names[cell]}"
    for marker, name in enumerate(MARKERS):
        found = state.pool[marker] + sum(hand[marker] for hand in state.hands)
        if found != roster.pool[marker]:
            yield f"JH.pool: {found} {name} instead of {roster.pool[marker]}"
    for seat in (0, 1):
        if state.hands[seat][HIDDEN] or min(state.hands[seat]) < 0:
            yield f"J0.title: a hand {state.hands[seat]}"
        if any(a > b for a, b in zip(state.known[seat], state.hands[other(seat)], strict=False)):
            yield f"JS.agentes.1: {seat} knows more than there is"
    if state.tp < 0:
        yield f"JH.treasury: {state.tp} TP"


def _in_passing(state: JulianState) -> bool:
    """JH.retreat JH.6_0: on a way, and until all have made room, a hex may be shared or too full."""
    return any(isinstance(step, (Displace, Displaced, Falling, Retreating)) for step in state.todo)
