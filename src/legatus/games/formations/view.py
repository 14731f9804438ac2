"""What must hold in every state.  There are no secrets in this game."""

from __future__ import annotations

from collections.abc import Iterator

from ...parts.hexes import OFF
from .cohesion import Flight, FlightChoice, RemnantChoice
from .movement import Moving
from .state import (
    BLAZE,
    CHARACTER,
    DIFFICULT,
    FORMATION,
    LIMIT,
    SIMPLE,
    SMALLEST,
    WHOLE,
    FormationsState,
    cells_of,
    load,
)


def invariants(state: FormationsState) -> Iterator[str]:
    """A broken one names its clause."""
    grid = state.roster.grid
    busy = any(isinstance(step, Moving | Flight | FlightChoice | RemnantChoice) for step in state.todo)
    if len(set(state.ids)) != len(state.ids):
        yield "A.def.kinds: two units have one id"
    for i, cell in enumerate(state.cell):
        name = state.ids[i]
        if cell < 0:
            continue
        if state.kind[i] == FORMATION:
            right = grid.neighbours[cell][(state.facing[i] + 2) % 6]
            if state.cell2[i] != right or right == OFF:
                yield f"AH2.footprint: {name} does not stand across its facing"
            if not SMALLEST <= state.steps[i] <= LIMIT and not busy:
                yield f"A.def.figures: {name} has {state.steps[i]} steps"
            if any(state.roster.terrain[c] == DIFFICULT for c in cells_of(state, i)):
                yield f"AH7.move: {name} is in difficult terrain"
        elif state.cell2[i] >= 0:
            yield f"AH2.footprint: {name} stands in two hexes"
        if state.kind[i] == SIMPLE and not 1 <= state.steps[i] <= WHOLE:
            yield f"A.def.steps: {name} has {state.steps[i]} steps"
        if state.kind[i] != CHARACTER and state.fire[cell] == BLAZE and not busy:
            yield f"AH22.fire: {name} stands in a blaze"
    for cell in range(grid.size):
        here = [i for i, c in enumerate(state.cell) if c >= 0 and cell in (c, state.cell2[i])]
        if sorted(here) != sorted(state.at[cell]):
            yield f"A.def.stacked: {grid.names[cell]} does not know who is there"
        sides = {state.side[i] for i, c in enumerate(state.cell) if c == cell and state.kind[i] != CHARACTER}
        if len(sides) > 1:
            yield f"AH7.move: enemies share {grid.names[cell]}"
        if not busy and load(state, cell) > LIMIT:
            yield f"A.def.stacking_limit: {grid.names[cell]} holds {load(state, cell)} points"
