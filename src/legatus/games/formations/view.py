"""What must hold in every state.  There are no secrets in this game."""

from __future__ import annotations

from collections.abc import Iterator

from ...parts.hexes import OFF
from .cohesion import RemnantChoice
from .movement import Moving
from .rout import Flight, FlightChoice
from .state import (
    BLAZE,
    CHARACTER,
    DIFFICULT,
    FORMATION,
    GROUND,
    LIMIT,
    SIMPLE,
    SMALLEST,
    WHOLE,
    FormationsState,
)
from .units import cells_of, load


def invariants(state: FormationsState) -> Iterator[str]:
    """A broken one names its clause."""
    grid = state.roster.grid
    busy = any(isinstance(step, Moving | Flight | FlightChoice | RemnantChoice) for step in state.todo)
    if len(set(state.ids)) != len(state.ids):
        yield "A.def.kinds: two units have one id"
    held: list[list[int]] = [[] for _ in range(grid.size)]
    for i, cell in enumerate(state.cell):
        name = state.ids[i]
        if cell < 0:
            continue
        for own in cells_of(state, i):
            held[own].append(i)
        if state.kind[i] == FORMATION:
            right = grid.neighbours[cell][(state.facing[i] + 2) % 6]
            if state.cell2[i] != right or right == OFF:
                yield f"AH2.footprint: {name} does not stand across its facing"
            if not SMALLEST <= state.steps[i] <= LIMIT and not busy:
                yield f"A.def.figures: {name} has {state.steps[i]} steps"
            if state.position[i] != GROUND:
                yield f"AH25.special_positions: {name} is not on the ground"
            if any(state.roster.terrain[c] == DIFFICULT for c in cells_of(state, i)):
                yield f"AH7.move: {name} is in difficult terrain"
        elif state.cell2[i] >= 0:
            yield f"AH2.footprint: {name} stands in two hexes"
        if state.kind[i] == SIMPLE and not 1 <= state.steps[i] <= WHOLE:
            yield f"A.def.steps: {name} has {state.steps[i]} steps"
        burns = any(state.fire[own] == BLAZE for own in cells_of(state, i))
        if state.kind[i] != CHARACTER and burns and not busy:
            yield f"AH22.fire: {name} stands in a blaze"
    for cell, here in enumerate(held):
        if sorted(here) != sorted(state.at[cell]):
            yield f"A.def.stacked: {grid.names[cell]} does not know who is there"
        if len({state.side[i] for i in here if state.kind[i] != CHARACTER}) > 1:
            yield f"AH7.move: enemies share {grid.names[cell]}"
        if not busy and load(state, cell) > LIMIT:
            yield f"A.def.stacking_limit: {grid.names[cell]} holds {load(state, cell)} points"
